"""What the generated binding costs over calling the functor: printed, not asserted (`pytest -s`; budget 70 ns)."""

from __future__ import annotations

import time
from typing import Any

from tests.binding.bindings import build_binding, make_tensor

CALLS = {
    "relu(x)": ("Tensor (Tensor x, Bool inplace=False)", "f(x)", "empty(x, False)"),
    "relu(x=x)": ("Tensor (Tensor x, Bool inplace=False)", "f(x=x)", "empty(x, False)"),
    "matmul(x, x)": (
        "Tensor (Tensor a, Tensor b, Bool ta=False, Bool tb=False)",
        "f(x, x)",
        "empty(x, x, False, False)",
    ),
    "add(x, x)": (
        [
            "Tensor (Tensor input, Tensor other, *, Scalar alpha=1, Bool inplace=False)",
            "Tensor (Tensor input, Scalar other, *, Scalar alpha=1, Bool inplace=False)",
        ],
        "f(x, x)",
        "empty(x, x, 1, False)",
    ),
    "add(x, 2.0)": (
        [
            "Tensor (Tensor input, Tensor other, *, Scalar alpha=1, Bool inplace=False)",
            "Tensor (Tensor input, Scalar other, *, Scalar alpha=1, Bool inplace=False)",
        ],
        "f(x, 2.0)",
        "empty(x, 2.0, 1, False)",
    ),
    "reshape(x, (2, 3))": ("Tensor (Tensor x, Shape shape)", "f(x, (2, 3))", "empty(x, (2, 3))"),
    "reshape(x, [2, 3]), converted": ("Tensor (Tensor x, Shape shape)", "f(x, [2, 3])", "empty(x, (2, 3))"),
}


def empty(*args: Any) -> None:
    """Stands for a functor."""


def nanoseconds(statement: str, names: dict[str, Any]) -> float:
    """The best of many short runs of a statement."""
    names = dict(names)
    exec("def run(loops):\n    for _ in loops:\n" + f"        {statement}\n" * 10, names)
    best = float("inf")
    for _ in range(20):
        start = time.perf_counter()
        names["run"](range(500))
        best = min(best, time.perf_counter() - start)
    return best / 5000 * 1e9


def test_what_the_binding_costs() -> None:
    print()
    for title, (signature, call, bare) in CALLS.items():
        bound = build_binding(signature)
        arity = bare.count(",") + 1 - bare.count("(2,")
        parameters = ", ".join("abcdef"[:arity])
        functor: dict[str, Any] = {}
        exec(f"def empty({parameters}): pass", functor)
        for name in [n for n in vars(bound.f).get("__globals__", bound.f.__globals__) if n.startswith("_test")]:
            if not name.endswith("_slow"):
                bound.f.__globals__[name] = functor["empty"]
        names = {"f": bound.f, "x": make_tensor(2, 3), "empty": functor["empty"]}
        cost, base = nanoseconds(call, names), nanoseconds(bare, names)
        print(f"{title:32} {cost:6.0f} ns, {cost - base:+6.0f} over the bare call of {base:.0f}")

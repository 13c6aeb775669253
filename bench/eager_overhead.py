"""What an eager op costs besides its arithmetic: small operands, beside torch, by stage.

    python bench/eager_overhead.py [--json bench/results/eager_overhead.json]

- `whole`: our op with its kernel, as a ratio to torch's whole op. Bar: at most 2.0.
- `road`: the same with an empty native function in the kernel's place. Bar: at most 1.0.
- `stages`: the road of relu and add from the inside out, in nanoseconds.
- `new_shape`: a shape never seen of a known op, in microseconds, and how many kernels it compiled. Bars: 50 us, none.

The calls of `whole` and `road` are the cases that `python -m tritonflow.bench overhead --vs torch` measures. Run it on a quiet
machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import tritonflow as flow
from tritonflow import _C, triton_cpu
from tritonflow.bench.case import OURS, Context
from tritonflow.bench.cases import overhead
from tritonflow.bench.script import script_parser, write_results
from tritonflow.bench.timing import QUICK, Effort, alternate, burst_of
from tritonflow.bench.verdict import Quantiles
from tritonflow.execution import eager_local
from tritonflow.execution.op_expr import all_op_exprs, op_expr
from tritonflow.functions import arithmetic, generated
from tritonflow.interpreter import autograd
from tritonflow.ops.operands import Scalar, flatten
from tritonflow.ops.plan import Plan

EFFORT = Effort(rounds=31, least=31, burst=0.002)
Call = Callable[[], Any]


def compare(ours: Call, theirs: Call, effort: Effort) -> dict[str, float]:
    """Medians of alternating bursts, and the median of their ratios."""
    times = alternate({"ours": burst_of(ours), "torch": burst_of(theirs)}, effort)
    result = {f"{side}_ns": round(1e9 * Quantiles.of(values).p50, 1) for side, values in times.items()}
    return {**result, "ratio": round(Quantiles.of_ratios(times["ours"], times["torch"]).p50, 3)}


def takes_scalars(plan: Plan) -> bool:
    """Whether the plan's launch takes per-call scalars, which the empty launcher does not unpack."""
    return any(isinstance(operand, Scalar) for launch in plan.launches for operand in flatten(launch.operands))


@contextmanager
def empty_kernels() -> Iterator[None]:
    """Every plan on the fast path launches a native function that does nothing but take its arguments."""
    changed: list[tuple[Plan, Any]] = []
    for op in all_op_exprs():
        for plan in op.plans.values():
            if isinstance(plan, Plan) and plan.fast_stream is plan.stream and not takes_scalars(plan):
                changed.append((plan, plan.run))
                plan.run = triton_cpu.empty_launcher(len(plan.inputs) + len(plan.outputs))
    try:
        yield
    finally:
        for plan, run in changed:
            plan.run = run


def measure(effort: Effort) -> dict[str, Any]:
    """Every case of `overhead`."""
    result: dict[str, Any] = {}
    for name, case in overhead.CASES.items():
        ours, theirs = case.timed(OURS, Context()), case.timed("torch", Context())
        assert ours is not None and theirs is not None
        result[name.removeprefix("host: ")] = compare(ours.call, theirs.call, effort)
    return result


def stages(effort: Effort) -> dict[str, float]:
    """The road of relu and add from the inside out."""
    x, y = flow.randn(16), flow.randn(16)
    relu, add = op_expr("relu"), op_expr("add")
    _C.relu(x)
    _C.add(x, y)
    with empty_kernels():
        launch1, launch2 = _plan(relu).run, _plan(add).run
        steps: dict[str, Call] = {
            "nothing (the loop)": lambda: None,
            "relu: launch": lambda: launch1(x.ptr, y.ptr),
            "relu: + eager local": lambda: eager_local.apply1(relu, x, ()),
            "relu: + autograd": lambda: autograd.apply1(relu, x, ()),
            "relu: + functor": lambda: generated.relu(x, False),
            "relu: + binding": lambda: _C.relu(x),
            "add: launch": lambda: launch2(x.ptr, y.ptr, x.ptr),
            "add: + eager local": lambda: eager_local.apply2(add, x, y, ()),
            "add: + autograd": lambda: autograd.apply2(add, x, y, ()),
            "add: + functor": lambda: arithmetic.add(x, y, 1, False),
            "add: + binding": lambda: _C.add(x, y),
        }
        times = alternate({name: burst_of(call) for name, call in steps.items()}, effort)
        return {name: round(1e9 * Quantiles.of(values).p50, 1) for name, values in times.items()}


def _plan(op: Any) -> Plan:
    return next(p for p in reversed(op.plans.values()) if p.outputs[0].shape == (16,))


def new_shapes() -> dict[str, Any]:
    """Shapes never seen of ops whose kernels are there."""
    found: dict[str, Any] = {}
    calls: dict[str, Callable[[Any], Any]] = {
        "relu": flow.relu,
        "add": lambda x: x + x,
        "matmul": lambda x: x @ x,
        "sum": lambda x: x.sum(),
    }
    for name, call in calls.items():
        for n in (33, 34):
            call(flow.randn(n, n))
        inputs, compiled = [flow.randn(n, n) for n in range(35, 64)], triton_cpu.compile_count()
        times = [burst_of(partial(call, x))(1) for x in inputs]
        found[name] = {"us": round(1e6 * Quantiles.of(times).p50, 1), "compiled": triton_cpu.compile_count() - compiled}
    return found


def main() -> None:
    """Measure, print a table, write the data."""
    parser = script_parser(__doc__)
    parser.set_defaults(json=Path(__file__).parent / "results" / "eager_overhead.json")
    parser.add_argument("--quick", action="store_true", help="fewer rounds, for trying out; writes nothing")
    options = parser.parse_args()
    effort = QUICK if options.quick else EFFORT
    whole = measure(effort)
    with empty_kernels():
        road = measure(effort)
    print(f"{'':36s} {'ours':>9s} {'torch':>9s} {'whole':>7s} {'road':>7s}")
    for name, row in whole.items():
        print(
            f"{name:36s} {row['ours_ns']:7.0f}ns {row['torch_ns']:7.0f}ns {row['ratio']:7.2f} {road[name]['ratio']:7.2f}"
        )
    by_stage = stages(effort)
    for name, value in by_stage.items():
        print(f"{name:36s} {value:7.0f}ns")
    shapes = new_shapes()
    for name, row in shapes.items():
        print(f"new shape of {name:23s} {row['us']:7.1f}us, {row['compiled']} kernels compiled")
    result = {"whole": whole, "road": road, "stages_ns": by_stage, "new_shape": shapes}
    write_results(None if options.quick else options.json, result)


if __name__ == "__main__":
    main()

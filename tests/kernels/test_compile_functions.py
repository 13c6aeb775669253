"""Every scalar function compiles for GPUs: all together in a few kernels, and one by one through the elementwise template."""

from __future__ import annotations

import ast
import importlib.util
import pkgutil
from importlib import import_module
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
import triton.language as tl
from triton.runtime.jit import JITFunction

import tritonflow.kernels.functions as families
from tests.kernels.op_calls import jit_functions
from tests.sampling import by_turn
from tritonflow import triton_compat
from tritonflow.kernels import elementwise

# Loads and stores; functions of random words, which ops and graphs are compiled with (test_compile_ops, test_compile_graphs); functions
# of tiles, for which test_rows.py is.
APART = ("memory", "random", "rows")
FAMILIES = sorted(module.name for module in pkgutil.iter_modules(families.__path__) if module.name not in APART)
GROUP = 24
COMPUTE = {
    "fp32": ("fp32", "fp16", "bf16"),  # compute dtype: dtypes in memory
    "fp64": ("fp64",),
    "int64": ("i64",),
    "int32": ("i32",),
    "int8": ("i8", "i1"),
}


def functions(family: str) -> dict[str, JITFunction]:
    """The scalar functions of a family: those that take values only."""
    module = import_module(f"tritonflow.kernels.functions.{family}")
    found = {f.__name__: f for f in jit_functions(module) if not f.__name__.startswith("_")}
    return {name: f for name, f in found.items() if not any(p.is_constexpr for p in f.params)}


def results_of(function: JITFunction) -> int:
    """How many values it gives."""
    returned = [node.value for node in ast.walk(function.parse()) if isinstance(node, ast.Return)]
    return len(returned[-1].elts) if isinstance(returned[-1], ast.Tuple) else 1


def lower(function: JITFunction, compute: str, memory: str) -> Any:
    """The arguments of `compile_cuda` for one function in the elementwise template; None if the function rejects the type."""
    signature: dict[str, Any] = {
        "xs": (f"*{memory}",) * len(function.params), "outs": (f"*{memory}",) * results_of(function), "n": "i32",
        "FN": "constexpr", "COMPUTE": "constexpr", "BLOCK": "constexpr", "CACHE": "constexpr",
    }  # fmt: skip
    constexprs = {"FN": function, "COMPUTE": getattr(tl, {"fp32": "float32", "fp64": "float64"}.get(compute, compute)), "BLOCK": 1024, "CACHE": ""}
    arguments = (elementwise.flat, signature, constexprs)
    try:
        triton_compat.lower_to_ttir(*arguments)
    except Exception:
        return None
    return arguments


CASES = [(family, name) for family in FAMILIES for name in functions(family)]
GROUPS = [(family, i) for family in FAMILIES for i in range(0, len(functions(family)), GROUP)]


@pytest.mark.parametrize(("family", "start"), [g if k % 2 else pytest.param(*g, marks=pytest.mark.long) for k, g in enumerate(GROUPS)])
@pytest.mark.sampled(most=4)
def test_functions_together(family: str, start: int, tmp_path: Path) -> None:
    """Two dozen functions in a kernel, in float32 or, where that is not for them, in int32."""
    group = list(functions(family).items())[start : start + GROUP]
    lines = []
    for position, (name, function) in enumerate(group):
        types = [c for c in ("fp32", "int32") if lower(function, c, COMPUTE[c][0])]
        assert types, f"{family}.{name} takes neither float32 nor int32"
        names = ", ".join(("x" if types[0] == "fp32" else "i") + str(k) for k in range(len(function.params)))
        lines.append(f"    value = functions.{name}({names})\n")
        results = results_of(function)
        parts = [f"value[{part}].to(tl.float32)" for part in range(results)] if results > 1 else ["value.to(tl.float32)"]
        lines.append(f"    tl.store(out + {position} * n + at, {' + '.join(parts)})\n")
    most = range(max(len(function.params) for _, function in group))
    path = tmp_path / "together.py"
    path.write_text(
        "import triton\nimport triton.language as tl\n"
        f"from tritonflow.kernels.functions import {family} as functions\n\n\n"
        "@triton.jit\ndef together(floats, integers, out, n, BLOCK: tl.constexpr):\n"
        "    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n"
        + "".join(f"    x{k} = tl.load(floats + {k} * n + at)\n    i{k} = tl.load(integers + {k} * n + at)\n" for k in most)
        + "".join(lines)
    )
    spec = importlib.util.spec_from_file_location("together", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    signature = {"floats": "*fp32", "integers": "*i32", "out": "*fp32", "n": "i32", "BLOCK": "constexpr"}
    arch = 80 if start // GROUP % 2 else 90
    compiled = triton_compat.compile_cuda(module.together, signature, {"BLOCK": 128}, {}, arch)
    assert compiled.asm["cubin"]


def accepted(family: str, name: str) -> list[Any]:
    """The arguments of `compile_cuda` for a function in every dtype that it accepts."""
    function = functions(family)[name]
    found = [arguments for c, ms in COMPUTE.items() for m in ms if (arguments := lower(function, c, m))]
    assert found
    return found


def compiles(arguments: Any, arch: int) -> None:
    assert triton_compat.compile_cuda(*arguments, {}, arch).asm["cubin"]


GENERATED = [case for case in CASES if case[0] == "generated"]  # gradients, of functions that are compiled themselves


@pytest.mark.long
@pytest.mark.parametrize(("family", "name"), [case for case in CASES if case not in GENERATED or GENERATED.index(case) % 4 == 0])
def test_function(family: str, name: str) -> None:
    """In every dtype that it accepts, for one architecture or the other."""
    for arguments, arch in zip(accepted(family, name), cycle(by_turn(name, (80, 90), 2))):
        compiles(arguments, arch)


@pytest.mark.hours
@pytest.mark.parametrize(("family", "name"), CASES)
def test_function_in_every_dtype(family: str, name: str) -> None:
    for arguments in accepted(family, name):
        for arch in (80, 90):
            compiles(arguments, arch)

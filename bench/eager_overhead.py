"""What an eager op costs besides its arithmetic: 16 elements, beside torch, by stage.

    python bench/eager_overhead.py [--json bench/results/eager_overhead.json]

- `whole`: our op with its kernel, as a ratio to torch's whole op. Bar: at most 2.0.
- `road`: the same with an empty native function in the kernel's place. Bar: at most 1.0.
- `stages`: the road of relu and add from the inside out, in nanoseconds.
- `new_shape`: a shape never seen of a known op, in microseconds, and how many kernels it compiled. Bars: 50 us, none.

Ratios are medians over rounds in which ours and torch's bursts alternate. Run it on a quiet machine.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
import triton

import tritonflow as flow
from tritonflow import _C, triton_cpu
from tritonflow.execution import eager_local
from tritonflow.execution.op_expr import all_op_exprs, op_expr
from tritonflow.functional.functors import arithmetic, generated
from tritonflow.interpreter import autograd
from tritonflow.ops.operands import Scalar, flatten
from tritonflow.ops.plan import Plan

CALLS, ROUNDS = 2000, 31
Call = Callable[[], Any]


def nanoseconds(call: Call, calls: int = CALLS) -> float:
    """The time of one call in a burst, the loop's own time included."""
    start = time.perf_counter_ns()
    for _ in range(calls):
        call()
    return (time.perf_counter_ns() - start) / calls


def compare(ours: Call, theirs: Call, calls: int = CALLS) -> dict[str, float]:
    """Medians of alternating bursts, and the median of their ratios."""
    for call in (ours, theirs):
        nanoseconds(call, max(calls // 4, 10))
    pairs = [(nanoseconds(ours, calls), nanoseconds(theirs, calls)) for _ in range(ROUNDS)]
    return {
        "ours_ns": round(statistics.median(a for a, _ in pairs), 1),
        "torch_ns": round(statistics.median(b for _, b in pairs), 1),
        "ratio": round(statistics.median(a / b for a, b in pairs), 3),
    }


def data(*shape: int, grad: bool = False) -> tuple[Any, torch.Tensor]:
    """The same random numbers on both sides."""
    theirs = torch.randn(*shape)
    ours = flow.tensor(theirs.numpy())
    if grad:
        ours.requires_grad = True
        theirs.requires_grad_()
    return ours, theirs


def chain(x: Any, w: Any, relu: Any) -> Any:
    """Eleven ops, forward."""
    h = relu(x @ w)
    h = h * x + w
    h = relu(h @ w)
    h = (h - x) * w
    return relu(h + x).sum()


def cases(grad: bool) -> dict[str, tuple[Call, Call]]:
    """Pairs of calls, ours and torch's."""
    x, tx = data(16, grad=grad)
    y, ty = data(16)
    a, ta = data(4, 4, grad=grad)
    b, tb = data(4, 4)
    return {
        "add": (lambda: x + y, lambda: tx + ty),
        "relu": (lambda: flow.relu(x), lambda: torch.relu(tx)),
        "matmul": (lambda: a @ b, lambda: ta @ tb),
        "x[i]": (lambda: x[3], lambda: tx[3]),
    }


def chain_case() -> tuple[Call, Call]:
    """Forward and backward of the chain."""
    x, tx = data(4, 4, grad=True)
    w, tw = data(4, 4, grad=True)

    def ours() -> None:
        x.grad = w.grad = None
        chain(x, w, flow.relu).backward()

    def theirs() -> None:
        tx.grad = tw.grad = None
        chain(tx, tw, torch.relu).backward()

    return ours, theirs


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


def measure(calls: int = CALLS) -> dict[str, Any]:
    """All pairs, with and without grad."""
    result: dict[str, Any] = {}
    for grad in (False, True):
        for name, (ours, theirs) in cases(grad).items():
            result[name + (" with grad" if grad else "")] = compare(ours, theirs, calls)
    ours, theirs = chain_case()
    result["chain of 11, forward and backward"] = compare(ours, theirs, calls // 20)
    return result


def stages() -> dict[str, float]:
    """The road of relu and add from the inside out."""
    x, _ = data(16)
    y, _ = data(16)
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
        return {n: round(statistics.median(nanoseconds(c) for _ in range(ROUNDS)), 1) for n, c in steps.items()}


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
            call(data(n, n)[0])
        times, compiled = [], triton_cpu.compile_count()
        for n in range(35, 64):
            x, _ = data(n, n)
            start = time.perf_counter_ns()
            call(x)
            times.append((time.perf_counter_ns() - start) / 1000)
        found[name] = {
            "us": round(statistics.median(times), 1),
            "compiled": triton_cpu.compile_count() - compiled,
        }
    return found


def main() -> None:
    """Measure, print a table, write the data."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", type=Path, default=Path(__file__).parent / "results" / "eager_overhead.json")
    parser.add_argument("--quick", action="store_true", help="fewer calls, for trying out; writes nothing")
    options = parser.parse_args()
    calls = 200 if options.quick else CALLS
    whole = measure(calls)
    with empty_kernels():
        road = measure(calls)
    print(f"{'':36s} {'ours':>9s} {'torch':>9s} {'whole':>7s} {'road':>7s}")
    for name, row in whole.items():
        print(
            f"{name:36s} {row['ours_ns']:7.0f}ns {row['torch_ns']:7.0f}ns {row['ratio']:7.2f} {road[name]['ratio']:7.2f}"
        )
    by_stage = stages()
    for name, value in by_stage.items():
        print(f"{name:36s} {value:7.0f}ns")
    shapes = new_shapes()
    for name, row in shapes.items():
        print(f"new shape of {name:23s} {row['us']:7.1f}us, {row['compiled']} kernels compiled")
    if options.quick:
        return
    about = {"python": platform.python_version(), "torch": torch.__version__, "triton": triton.__version__}
    about["machine"] = f"{platform.machine()}, {torch.get_num_threads()} threads"
    about["date"] = time.strftime("%Y-%m-%d")
    options.json.parent.mkdir(exist_ok=True)
    result = {"about": about, "whole": whole, "road": road, "stages_ns": by_stage, "new_shape": shapes}
    options.json.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()

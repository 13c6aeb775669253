"""The roads of users' ops beside those of the registry's: which functions of the runtime a call goes through."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import triton
import triton.language as tl

import tritonflow as flow
from tritonflow.boxing.placed import Placed
from tritonflow.execution.op_expr import OpExpr
from tritonflow.graph.ir import Compute
from tritonflow.interpreter import consistent
from tritonflow.interpreter.grad_node import GradNode
from tritonflow.ops.plan import Launch, Plan

pytestmark = pytest.mark.cpu_only  # a stand-in for a GPU has no driver of Triton's

PACKAGE = Path(flow.__file__).parent
ROOMS = ("autograd", "boxing", "execution", "graph", "interpreter", "ops", "vm")
# Twins for one, two or three tensors of what takes any number.
TWINS = ("apply1", "apply2", "apply3", "record1", "record2", "record3", "apply", "record", "apply_found", "_apply_general")


@triton.jit
def product_of(x, y):  # type: ignore[no-untyped-def]
    return x * y


pointwise = flow.library.pointwise_op(
    "roads::pointwise", product_of, derivative={"x": lambda dy, x, y: dy * y, "y": lambda dy, x, y: dy * x}
)


@triton.jit
def product_kernel(x, y, out, n, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def]
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, mask=i < n) * tl.load(y + i, mask=i < n), mask=i < n)


@flow.library.triton_op("roads::launched", mutates_args=())
def launched(x: flow.Tensor, y: flow.Tensor) -> flow.Tensor:
    """x * y, by a launch."""
    out = flow.empty_like(x)
    product_kernel[(1,)](x, y, out, x.numel(), BLOCK=32)
    return out


launched.register_sbp("n, n -> n")
launched.register_autograd(
    lambda ctx, dy: (dy * ctx.saved_tensors[1], dy * ctx.saved_tensors[0]),
    setup_context=lambda ctx, inputs, output: ctx.save_for_backward(*inputs),
)


def road(call: Callable[[], Any]) -> set[str]:
    """The functions of the rooms of the runtime that a warm call goes through, without twins and parts of functions."""
    for _ in range(3):
        call()
    found: set[str] = set()

    def note(frame: Any, event: str, argument: Any) -> None:
        path = Path(frame.f_code.co_filename)
        if event == "call" and path.is_relative_to(PACKAGE) and path.relative_to(PACKAGE).parts[0] in ROOMS:
            found.add(f"{path.relative_to(PACKAGE)}: {frame.f_code.co_name}")

    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    return {each for each in found if each.rpartition(" ")[2] not in TWINS and not each.endswith(">")}


def plain(op: Any) -> Callable[[], Any]:
    x, y = flow.ones(8), flow.ones(8)
    return lambda: op(x, y)


def trained(op: Any) -> Callable[[], Any]:
    x, y = (flow.ones(8, requires_grad=True) for _ in range(2))
    return lambda: flow.autograd.grad(op(x, y), (x, y), flow.ones(8))


def batched(op: Any) -> Callable[[], Any]:
    x, y = flow.ones(3, 8), flow.ones(3, 8)
    return lambda: flow.vmap(op)(x, y)


def on_ranks(op: Any) -> Callable[[], Any]:
    placement = flow.placement("cpu", [0])
    x, y = (flow.ones(8, placement=placement, sbp=flow.sbp.split(0)) for _ in range(2))
    return lambda: op(x, y)


@pytest.mark.parametrize("way", [plain, trained, batched, on_ranks], ids=lambda way: way.__name__)
def test_a_pointwise_op_of_ones_own_takes_the_road_of_the_registrys(way: Any) -> None:
    assert road(way(pointwise)) == road(way(flow.mul))


def test_a_launch_in_a_capture_is_an_op_as_the_registrys_are() -> None:
    f = flow.compile(lambda x, y: (launched(x, y), flow.mul(x, y).cumsum(0)))
    f(flow.ones(8), flow.ones(8))
    (captured,) = f.captures()
    own, *others = [node for node in captured.compiled.before.nodes if isinstance(node, Compute) and node.op.name != "empty"]
    assert own.op.name == "roads::launched.product_kernel" and others
    for node in (own, *others):
        plan = node.plan()
        assert [type(each) for each in (node, node.op, plan)] == [Compute, OpExpr, Plan]
        assert {type(launch) for launch in plan.launches} == {Launch}


def test_an_op_of_ones_own_lies_over_ranks_as_the_registrys_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its signature is chosen, its tensors are boxed and its results wrapped by the classes that the registry's ops have."""
    seen: list[Any] = []
    apply_function = consistent.apply_function
    monkeypatch.setattr(consistent, "apply_function", lambda placed, *rest: seen.append(placed) or apply_function(placed, *rest))
    y = on_ranks(launched)()
    (placed,) = seen
    assert type(placed) is Placed and type(placed.op) is OpExpr and y.sbp == (flow.sbp.split(0),)


def test_a_derivative_of_ones_own_is_a_node_as_others_are() -> None:
    x = flow.ones(8, requires_grad=True)
    own, others = launched(x, x).grad_fn, flow.mul(x, x).grad_fn
    assert isinstance(own, GradNode) and isinstance(others, GradNode)
    assert flow.autograd.grad(launched(x, x).sum(), x)[0].tolist() == [2.0] * 8

"""Pointwise fusion: how many kernels remain, what their source looks like, and that it compiles for GPUs."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import tritonflow as flow
from kernels import elementwise
from tests.kernels.harness import compile_for
from tritonflow.graph.capture import Capture
from tritonflow.graph.executable import Executable
from tritonflow.graph.fusion.codegen import Operation, load, source
from tritonflow.graph.fusion.group import Fused
from tritonflow.graph.passes import optimize
from tritonflow.testing import assert_close

F = flow.nn.functional


def optimized(program: Any, *inputs: Any) -> Any:
    with Capture() as capture:
        results = program(*[capture.input(x.meta) for x in inputs])
        graph = optimize(capture.finish(list(results)))
    graph.verify()
    return graph


def launches(program: Any, *inputs: Any) -> int:
    """The number of kernels, after a look at the results."""
    executable = Executable(optimized(program, *inputs), inputs[0].device)
    for actual, expected in zip(executable.run(inputs), program(*inputs)):
        assert_close(actual, expected)
    return executable.launches


def test_a_chain_is_one_kernel() -> None:
    x, y = flow.randn(5, 7), flow.randn(7)
    assert launches(lambda x, y: [flow.relu(x * 2 + y).tanh() - x], x, y) == 1


def test_branches_that_meet_are_one_kernel() -> None:
    x = flow.randn(5, 7)
    assert launches(lambda x: [flow.where(x > 0, flow.exp(-x), flow.sin(x)) + x.abs().sqrt()], x) == 1


def test_what_is_wanted_outside_is_stored_once() -> None:
    x = flow.randn(5, 7)

    def program(x: Any) -> Any:
        y = flow.exp(x)
        return y, y + 1, y.sum()

    assert launches(program, x) == 2


def test_a_reduction_between_keeps_groups_apart() -> None:
    x = flow.randn(4, 6)
    assert launches(lambda x: [flow.exp(x - x.mean()) * x.abs().sum()], x) == 4


def test_dtypes_in_one_kernel() -> None:
    x, n, m = flow.randn(40), flow.arange(40), flow.randn(40) > 0

    def program(x: Any, n: Any, m: Any) -> Any:
        half = x.half()
        whole = n * 2 - 5
        return half, whole, whole > 7, flow.where(m, x, half) + whole * ((~m).float() + n.to(flow.uint8))

    assert launches(program, x, n, m) == 1


def test_broadcast_and_strided_operands() -> None:
    x, y = flow.randn(6, 5), flow.randn(5, 6)
    assert launches(lambda x, y: [x * y.t() + x[:, :1] - x[2]], x, y) == 1


def test_other_shapes_are_other_kernels() -> None:
    x = flow.randn(4, 6)
    assert launches(lambda x: [flow.exp(x), flow.exp(x[0]), flow.exp(x.t())], x) == 3


def test_integer_division_still_looks_for_zeros() -> None:
    f = flow.compile(lambda x, y: (x + 1) // y + 2)
    x, y = flow.arange(3), flow.tensor([1, 0, 2])
    with pytest.raises(ZeroDivisionError):
        f(x, y)
    numpy.testing.assert_array_equal(f(x, y + 1).numpy(), ((x + 1) // (y + 1) + 2).numpy())


def test_an_update_in_place_joins() -> None:
    total = flow.zeros(8)

    @flow.compile
    def f(x: Any) -> Any:
        total.mul_(0.5).add_(x * x)
        return total.clone()

    x = flow.randn(8)
    f(x)
    f(x)
    assert_close(total, 1.5 * x * x)


def test_the_source_reads_as_if_by_hand() -> None:
    f32, b16 = flow.float32, flow.bfloat16
    text = source(
        "fused_mul_relu_cast", ["x0", "x1", "s0"],
        [
            Operation("arithmetic.mul", "v0", [("x0", f32), ("s0", f32)], f32, f32),
            Operation("activation.relu", "v1", [("v0", f32)], f32, f32),
            Operation("comparison.gt", "v2", [("v1", f32), ("x1", flow.int64)], f32, flow.bool),
            Operation("arithmetic.identity", "v3", [("v1", f32)], f32, b16),
        ],
        ["v2", "v3"],
    )  # fmt: skip
    assert text == '''import triton
import triton.language as tl

from tritonflow.kernels.functions.activation import relu
from tritonflow.kernels.functions.arithmetic import mul
from tritonflow.kernels.functions.comparison import gt
from tritonflow.kernels.functions.memory import cast


@triton.jit
def fused_mul_relu_cast(x0, x1, s0):
    v0 = mul(x0, s0)
    v1 = relu(v0)
    v2 = cast(cast(gt(v1, cast(x1, tl.float32)), tl.int1), tl.int8)
    v3 = cast(cast(v1, tl.bfloat16), tl.float32)
    return v2, v3
'''


@pytest.mark.parametrize("arch", (80, 90))
def test_generated_kernels_compile_for_gpus(arch: int) -> None:
    def program(x: Any, n: Any, y: Any) -> Any:
        return [F.gelu(x * 2 + n).half(), (n % 7 > 3) & (x > 0), flow.where(x > y, flow.exp(x), F.softplus(y))]

    inputs = (flow.randn(40), flow.arange(40), flow.randn(40).bfloat16())
    fused = [node for node in optimized(program, *inputs).nodes if isinstance(node, Fused)]
    assert fused
    for node in fused:
        (launch,) = node.plan().launches
        xs = [flow.to_torch(flow.empty(40, dtype=value.meta.dtype)) for value in node.operands()]
        outs = tuple(flow.to_torch(flow.empty(40, dtype=value.meta.dtype)) for value in node.outputs)
        assert compile_for(arch, elementwise.flat, ((*xs, *node.dynamic), outs, 40), launch.constexprs).asm["cubin"]


def test_functions_are_found_again() -> None:
    f32 = flow.float32
    text = source("fused_twice", ["x0"], [Operation("arithmetic.negative", "v0", [("x0", f32)], f32, f32)], ["v0"])
    assert load("fused_twice", text) is load("fused_twice", text)

"""Pointwise fusion: how many kernels remain, what their source looks like, and that it compiles for GPUs."""

from __future__ import annotations

import linecache
import os
import py_compile
import sys
import traceback
from pathlib import Path
from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tritonflow as flow
from kernels import elementwise
from tests.kernels.harness import compile_for
from tritonflow.graph.capture.capture import Capture
from tritonflow.graph.fusion.group import Fused
from tritonflow.graph.passes import optimize
from tritonflow.graph.plan.executable import Executable
from tritonflow.ops.function_source import Operation, load, source
from tritonflow.settings import settings as switches
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
        return y, y + 1, y.sum(0)

    assert launches(program, x) == 2


def test_a_reduction_of_other_dimensions_keeps_groups_apart() -> None:
    x = flow.randn(4, 6)
    assert launches(lambda x: [flow.exp(x - x.mean(0)) * x.abs().sum(0)], x) == 3
    assert launches(lambda x: [x.exp().sum(-1, keepdim=True) * x.exp().mean((0, 1))], x) == 3


def test_rows_are_one_kernel() -> None:
    x, y, w = flow.randn(3, 5, 20), flow.randn(3, 5, 20), flow.rand(20)

    def softmax(x: Any) -> Any:
        e = (x - x.amax(-1, keepdim=True)).exp()
        return [e / e.sum(-1, keepdim=True)]

    def normalised(x: Any, w: Any) -> Any:
        return [(x - x.mean(-1, True)) / (x.var(-1, keepdim=True) + 1e-5).sqrt() * w]

    def residual(x: Any, y: Any, w: Any) -> Any:
        total = x + y
        return total, F.gelu(F.layer_norm(total, (20,), w)), F.softmax(total * 2, -1)

    assert launches(softmax, x) == 1
    assert launches(normalised, x, w) == 1
    assert launches(residual, x, y, w) == 1
    assert launches(lambda x, y: [F.rms_norm(x.half() + y, (5, 20)), (x * y).std((1, 2))], x, y) == 2
    assert launches(lambda x: [F.log_softmax(x.view(15, 20) + 1, -1).view(3, 100)], x) == 1


def test_long_rows_are_kernels_of_their_own() -> None:
    x = flow.randn(2, 9000)
    assert launches(lambda x: [flow.exp(F.softmax(x * 2, -1))], x) == 3


def test_rows_forward_and_backward_are_one_kernel() -> None:
    x, w, g = flow.randn(6, 33), flow.randn(33), flow.randn(6, 33)

    def program(x: Any, w: Any, g: Any) -> Any:
        x.requires_grad_()
        y = F.softmax(F.layer_norm(x * 2, (33,), w), -1)
        return flow.autograd.grad([y], [x], [g])

    assert launches(program, x, w, g) == 1


def nodes(program: Any, *inputs: Any) -> int:
    """How many kernels are planned, each of which may be launched in several passes, after a look at the results."""
    launches(program, *inputs)
    return sum(1 for node in optimized(program, *inputs).nodes if node.ops())


def test_reductions_take_what_is_in_front_of_them() -> None:
    x, y, m = flow.randn(5, 30, 7), flow.randn(5, 30, 7), flow.rand(30, 1) > 0.5
    assert nodes(lambda x, y: [(x - y).square().sum(0)], x, y) == 1, "columns"
    assert nodes(lambda x, y: [(x * y[:, :1]).mean((0, 2)), (x.exp() + 1).amax(1)], x, y) == 2, "between others"
    assert nodes(lambda x, m: [flow.where(m, x, 0).var((0, 1), keepdim=True)], x, m) == 1
    assert nodes(lambda x, y: [(x.transpose(0, 1) * 2 + y.transpose(0, 1)).sum((0, 2))], x, y) == 1, "strided"
    assert nodes(lambda x, y: [(x * y).view(150, 7).half().sum(0)], x, y) == 1, "rounded to half first"
    assert nodes(lambda x, y: [(z := x * y).sum(0), z], x, y) == 2, "read elsewhere, too"


def test_reductions_of_one_number() -> None:
    x = flow.randn(())
    assert launches(lambda x: [(x * 2).sum(), (x + 1).reshape(1, 1).mean((0, 1))], x) == 3


def test_long_reductions_take_it_in_their_first_pass() -> None:
    x, y = flow.randn(300, 400), flow.randn(300, 400)
    assert launches(lambda x, y: [(x - y).square().mean()], x, y) == 2
    assert launches(lambda x, y: [(x * y).sum(0)], x, y) == 2


def test_views_are_looked_through() -> None:
    x, b = flow.randn(6, 8), flow.randn(4)
    assert launches(lambda x, b: [((x * 2).view(2, 3, 8).tanh().reshape(12, 4) + b).exp()], x, b) == 1
    assert launches(lambda x, b: [((x * 2).view(16, 3) + 1).view(2, 3, 2, 4) + b], x, b) == 1
    assert launches(lambda x, b: [((x * 2).view(16, 3) + x.view(16, 3)[0]).view(12, 4) + b], x, b) == 2, (
        "3 is no part of 4"
    )
    assert launches(lambda x, b: [(x * 2).t() + 1], x, b) == 2, "another order of the same elements"
    assert launches(lambda x, b: [(x * 2)[1:] + 1], x, b) == 2


def test_tensors_of_one_number_are_numbers() -> None:
    x, half = flow.randn(6, 8), flow.randn(3).half()
    assert launches(lambda x, h: [x * flow.full((8,), 3.0) + flow.ones(()), flow.zeros(3) - h], x, half) == 2
    assert launches(lambda x, h: [flow.ones(3, dtype=flow.float16) / 3 + h], x, half) == 2, "rounded to half first"


@pytest.mark.parametrize("count", (15, pytest.param(300, marks=pytest.mark.long)))
def test_random_rows(count: int) -> None:
    """Random chains of pointwise ops and reductions of rows, kept and not, are what eager mode computes; in float64, as chains
    may magnify what another order of additions rounds otherwise."""

    @settings(max_examples=count)
    @given(st.lists(st.integers(1, 9), min_size=1, max_size=3), st.lists(ROW_STEP, min_size=1, max_size=7))
    def check(shape: list[int], steps: list[tuple[str, bool]]) -> None:
        def program(x: Any) -> Any:
            values = [x]
            for name, old in steps:
                values.append(ROW_STEPS[name](values[-1], values[len(values) // 2] if old else x))
            return values[1:]

        flow.manual_seed(0)
        launches(program, flow.randn(*shape, dtype=flow.float64))

    check()


ROW_STEPS = {
    "mul": lambda x, y: x * y,
    "tanh": lambda x, y: flow.tanh(x + y),
    "sum": lambda x, y: x.sum(-1, keepdim=True) * 0.1 + y,
    "mean": lambda x, y: x.mean(-1).reshape(*x.shape[:-1], 1) - y,
    "amax": lambda x, y: x - x.amax(-1, True) + y,
    "var": lambda x, y: x * (x.var(-1, unbiased=False, keepdim=True) + 1).rsqrt(),
    "softmax": lambda x, y: F.softmax(x * 3, -1) + y,
    "log_softmax": lambda x, y: F.log_softmax(x, -1) * 0.2,
    "norm": lambda x, y: F.layer_norm(x, x.shape[-1:]) + y,
    "all": lambda x, y: x - x.mean() + y,
    "first": lambda x, y: x.sum(0, keepdim=True) * 0.1 + y,
    "flat": lambda x, y: x.reshape(-1).cos().reshape(x.shape),
}
ROW_STEP = st.tuples(st.sampled_from(sorted(ROW_STEPS)), st.booleans())


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
        flow.sync()
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
            Operation("arithmetic.mul", [("v0", f32)], [("x0", f32), ("s0", f32)], f32),
            Operation("activation.relu", [("v1", f32)], [("v0", f32)], f32),
            Operation("comparison.gt", [("v2", flow.bool)], [("v1", f32), ("x1", flow.int64)], f32),
            Operation("arithmetic.identity", [("v3", b16)], [("v1", f32)], f32),
        ],
        ["v2", "v3"],
    )  # fmt: skip
    assert (
        text
        == """import triton
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
"""
    )


@pytest.mark.parametrize("arch", (pytest.param(80, marks=pytest.mark.long), 90))
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


@pytest.mark.parametrize("arch", (80, 90))
@pytest.mark.parametrize("dtype", (flow.float32, flow.bfloat16, flow.float64))
def test_generated_rows_compile_for_gpus(arch: int, dtype: Any) -> None:
    def program(x: Any, w: Any) -> Any:
        y = F.layer_norm(x * 2, (40,), w)
        return [F.softmax(y + x.var(-1, keepdim=True), -1), F.log_softmax(y, -1) - y.amax(-1, True), y.mean(-1)]

    (node,) = [
        n
        for n in optimized(program, flow.randn(6, 40).to(dtype), flow.randn(40).to(dtype)).nodes
        if isinstance(n, Fused)
    ]
    (launch,) = node.plan().launches
    xs, outs = (
        [flow.to_torch(flow.empty(v.meta.numel, dtype=v.meta.dtype)) for v in values]
        for values in (node.inputs, node.outputs)
    )
    rows, sizes, x_strides, out_strides = launch.sizes
    arguments = ((*xs, *node.dynamic), tuple(outs), rows, sizes, x_strides, out_strides)
    assert compile_for(arch, elementwise.whole_rows, arguments, launch.constexprs).asm["cubin"]


def test_functions_are_found_again() -> None:
    f32 = flow.float32
    text = source("fused_twice", ["x0"], [Operation("arithmetic.negative", [("v0", f32)], [("x0", f32)], f32)], ["v0"])
    assert load("fused_twice", text) is load("fused_twice", text)


def test_the_text_is_executed_and_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the file of another text, nor compiled code beside it that Python would take for the file's."""
    text = source("fused_once", ["x0"], [Operation("arithmetic.negative", [("v0", flow.float32)], [("x0", flow.float32)], flow.float32)], ["v0"])
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    with switches.override(cache_dir=tmp_path):
        path = Path(load.__wrapped__("fused_once", text).fn.__code__.co_filename)
        assert path.read_text() == text and [file for file in tmp_path.rglob("*") if file.is_file()] == [path]
        times = path.stat().st_atime_ns, path.stat().st_mtime_ns
        path.write_text("raise SystemExit('another text')".ljust(len(text)))
        os.utime(path, ns=times)
        py_compile.compile(str(path), doraise=True)
        for content in (text.encode(), b"\xff" + text.encode()[1:]):
            path.write_bytes(content)
            os.utime(path, ns=times)
            function = load.__wrapped__("fused_once", text)
            assert "negative(x0)" in function.src and path.read_text() == text
        path.unlink()
    linecache.checkcache()
    with pytest.raises(RuntimeError) as raised:  # outside of a kernel
        function.fn(None)
    assert "v0 = negative(x0)" in [frame.line for frame in traceback.extract_tb(raised.tb)]


def test_a_function_without_a_disk(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    text = source("fused_none", ["x0"], [Operation("arithmetic.negative", [("v0", flow.float32)], [("x0", flow.float32)], flow.float32)], ["v0"])
    for cache in (tmp_path / "file", None):
        with switches.override(cache_dir=cache):
            assert "negative(x0)" in load.__wrapped__("fused_none", text).src

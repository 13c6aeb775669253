"""The pointwise template: layouts, types, several outputs."""

from __future__ import annotations

import pytest
import torch
import triton.language as tl

from tests.kernels.harness import BACKENDS, Scalar, compile_for, kernels, run, stride, strides
from tritonflow.testing import assert_close, in_float64

elementwise = kernels("elementwise")
arithmetic = kernels("functions.arithmetic")
select = kernels("functions.select")

DTYPES = [
    torch.float32,
    torch.float64,
    torch.float16,
    torch.bfloat16,
    torch.int64,
    torch.int32,
    torch.uint8,
    torch.bool,
]
COMPUTE = {
    torch.float64: tl.float64,
    torch.int64: tl.int64,
    torch.int32: tl.int32,
    torch.uint8: tl.uint8,
    torch.bool: tl.int8,
}


def sample(shape, dtype):
    if dtype is torch.bool:
        return torch.rand(shape) < 0.5
    return (torch.randn(shape) * 4).to(dtype) if dtype.is_floating_point else torch.randint(0, 9, shape).to(dtype)


def check(backend, out, expected):
    """Bit for bit, but for Triton's interpreter, which truncates to bfloat16 instead of rounding."""
    truncates = backend == "interpreter" and out.dtype is torch.bfloat16
    torch.testing.assert_close(out, expected, rtol=1 / 128 if truncates else 0, atol=0)


def flat(backend, fn, xs, outs, compute, block=64):
    n = outs[0].numel()
    run(backend, elementwise.flat, (-(-n // block),), (xs, outs, n), {"FN": fn, "COMPUTE": compute, "BLOCK": block, "CACHE": ""})


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("n", [1, 63, 64, 300])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_flat(backend, dtype, n):
    x, y = sample((n,), dtype), sample((n,), dtype)
    out = torch.empty(n, dtype=dtype)
    flat(backend, arithmetic.add, (x, y), (out,), COMPUTE.get(dtype, tl.float32))
    check(backend, out, x + y)


@pytest.mark.parametrize("backend", BACKENDS)
def test_scalar_operand(backend):
    x = torch.randn(100)
    out = torch.empty(100)
    flat(backend, arithmetic.add_scaled, (x, x, Scalar(0.5, "fp32")), (out,), tl.float32)
    assert_close(out, in_float64(x.double() * 1.5))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_fill(backend, dtype):
    out = torch.empty(100, dtype=dtype)
    flat(backend, arithmetic.identity, (Scalar(3, "i32"),), (out,), COMPUTE.get(dtype, tl.float32))
    torch.testing.assert_close(out, torch.full((100,), 3).to(dtype))


@pytest.mark.parametrize("backend", [pytest.param("interpreter", marks=pytest.mark.long), "cpu"])
@pytest.mark.parametrize("target", DTYPES, ids=str)
@pytest.mark.parametrize("source", DTYPES, ids=str)
def test_cast(backend, source, target):
    x = sample((70,), source)
    if target is torch.uint8:
        x = x.abs() if x.dtype.is_floating_point else x
    out = torch.empty(70, dtype=target)
    flat(backend, arithmetic.identity, (x,), (out,), COMPUTE.get(source, tl.float32))
    check(backend, out, x.to(target))


CASES = {
    "broadcast row": lambda: (torch.randn(5, 3, 70), torch.randn(70)),
    "broadcast column": lambda: (torch.randn(40, 9), torch.randn(40, 1)),
    "transposed": lambda: (torch.randn(33, 20).t(), torch.randn(20, 33)),
    "every other": lambda: (torch.randn(4, 6, 10)[:, ::2, ::2], torch.randn(4, 3, 5)),
    "inner broadcast": lambda: (torch.randn(6, 1, 4, 1), torch.randn(1, 5, 1, 7)),
    "vector": lambda: (torch.randn(300)[::3], torch.randn(100)),
}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("by_row", [False, True])
def test_strided(backend, case, by_row):
    x, y = torch.broadcast_tensors(*CASES[case]())
    out = torch.full(x.shape, float("nan"))
    cols = x.shape[-1]
    rows = x.numel() // cols
    block = {"ROWS": 4, "COLS": 16, "CACHE": "", "BY_ROW": by_row}
    grid = -(-rows // 4) * -(-cols // 16)
    run(
        backend,
        elementwise.strided,
        (grid,),
        ((x, y), (out,), rows, tuple(x.shape), (strides(x), strides(y)), (strides(out),)),
        {"FN": arithmetic.mul, "COMPUTE": tl.float32, **block},
    )
    torch.testing.assert_close(out, x * y, rtol=0, atol=0)


@pytest.mark.parametrize("backend", BACKENDS)
def test_strided_output(backend):
    x = torch.randn(7, 20)
    out = torch.zeros(20, 14)
    view = out.t()[::2]
    run(
        backend,
        elementwise.strided,
        (4,),
        ((x,), (view,), 7, (7, 20), (strides(x),), (strides(view),)),
        {"FN": arithmetic.negative, "COMPUTE": tl.float32, "ROWS": 4, "COLS": 16, "CACHE": "", "BY_ROW": False},
    )
    expected = torch.zeros(20, 14)
    expected.t()[::2] = -x
    torch.testing.assert_close(out, expected, rtol=0, atol=0)


@pytest.mark.parametrize("arch", [80, 90])
def test_compiles_for_gpu(arch):
    x = torch.empty(64, dtype=torch.bfloat16)
    compile_for(
        arch, elementwise.flat, ((x, x), (x,), 64), {"FN": arithmetic.add, "COMPUTE": tl.float32, "BLOCK": 1024, "CACHE": ""}
    )
    y = torch.empty(8, 8)
    args = ((y, y), (y,), 8, (8, 8), ((8, stride(1)), (stride(0), 8)), ((stride(1), 8),))
    compile_for(
        arch, elementwise.strided, args, {"FN": select.clamp_min, "COMPUTE": tl.float32, "ROWS": 16, "COLS": 64, "CACHE": "", "BY_ROW": True}
    )

"""arange, linspace, eye, one_hot."""

from __future__ import annotations

import pytest
import torch
import triton.language as tl

from tests.kernels.harness import BACKENDS, Scalar, compile_for, kernels, run
from tritonflow.testing import assert_close, in_float64

creation = kernels("creation")


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", [torch.int64, torch.float32, torch.float16], ids=str)
def test_arange(backend, dtype):
    out = torch.empty(100, dtype=dtype)
    kind, compute = ("i64", tl.int64) if dtype is torch.int64 else ("fp32", tl.float32)
    run(
        backend, creation.arange, (2,), (out, Scalar(-3, kind), Scalar(2, kind), 100), {"COMPUTE": compute, "BLOCK": 64}
    )
    torch.testing.assert_close(out, torch.arange(-3, 197, 2, dtype=dtype))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("n", [1, 2, 99, 100])
def test_linspace(backend, n):
    out = torch.empty(n)
    step = 7.0 / max(n - 1, 1)
    run(backend, creation.linspace, (2,), (out, -3.0, 4.0, step, n), {"COMPUTE": tl.float32, "BLOCK": 64})
    assert_close(out, in_float64(torch.linspace(-3, 4, n, dtype=torch.float64)))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("shape", [(5, 5), (3, 7), (7, 3), (1, 4)])
def test_eye(backend, shape):
    out = torch.empty(shape)
    run(backend, creation.eye, (2,), (out, *shape), {"BLOCK": 32, "BLOCK_W": 8})
    torch.testing.assert_close(out, torch.eye(*shape))


@pytest.mark.parametrize("backend", BACKENDS)
def test_shards(backend):
    """20 numbers from number 30 on of 100, and rows 2 to 5 of columns 3 to 9."""
    whole, out, block = torch.empty(100), torch.empty(20), {"COMPUTE": tl.float64, "BLOCK": 128}
    start, end, step, first = Scalar(0.1, "fp64"), Scalar(0.9, "fp64"), Scalar(0.8 / 99, "fp64"), Scalar(30, "i64")
    run(backend, creation.arange, (1,), (whole, start, step, 100), block)
    run(backend, creation.arange_shard, (1,), (out, start, step, first, 20, 100), block)
    assert torch.equal(out, whole[30:50])
    run(backend, creation.linspace, (1,), (whole, start, end, step, 100), block)
    run(backend, creation.linspace_shard, (1,), (out, start, end, step, first, 20, 100), block)
    assert torch.equal(out, whole[30:50])
    out = torch.empty(4, 7)
    run(backend, creation.eye_shard, (1,), (out, 4, 7, 2 - 3), {"BLOCK": 32, "BLOCK_W": 8})
    assert torch.equal(out, torch.eye(6, 10)[2:6, 3:10])


@pytest.mark.parametrize("backend", BACKENDS)
def test_one_hot(backend):
    labels, err = torch.tensor([0, 3, 2, 3]), torch.zeros(1, dtype=torch.int32)
    out = torch.empty(4, 4, dtype=torch.int64)
    run(backend, creation.one_hot, (1,), (labels, out, err, 4, 4), {"BLOCK": 32, "BLOCK_W": 8})
    torch.testing.assert_close(out, torch.nn.functional.one_hot(labels, 4))
    assert err.item() == 0
    labels[1] = 4
    run(backend, creation.one_hot, (1,), (labels, out, err, 4, 4), {"BLOCK": 32, "BLOCK_W": 8})
    assert err.item() == 1


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("diagonal", [-2, 0, 1])
def test_triangle(backend, diagonal):
    x = torch.randn(2, 4, 5)
    for lower, reference in ((True, torch.tril), (False, torch.triu)):
        out = torch.empty_like(x)
        fixed = {"LOWER": lower, "BLOCK": 32, "BLOCK_W": 8}
        run(backend, creation.triangle, (2,), (x, out, 8, 4, 5, diagonal), fixed)
        torch.testing.assert_close(out, reference(x, diagonal))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("shape", [(5, 5), (3, 20), (20, 3), (1, 4)])
def test_triangle_indices(backend, shape):
    rows, cols = shape
    for diagonal in (-rows, -2, 0, 1, 4, cols):
        for lower, reference in ((True, torch.tril_indices), (False, torch.triu_indices)):
            expected = reference(rows, cols, diagonal)
            above = creation.count_above(rows, cols, diagonal + 1 if lower else diagonal)
            count = expected.shape[1]
            assert count == (above if lower else rows * cols - above)
            out = torch.full((2, count), -1)
            run(backend, creation.triangle_indices, (rows,), (out, count, cols, diagonal), {"LOWER": lower, "BLOCK": 8})
            assert torch.equal(out, expected)


@pytest.mark.parametrize("arch", [80, 90])
def test_compiles_for_gpu(arch):
    x = torch.empty(9)
    compile_for(arch, creation.arange, (x, 0.0, 1.0, 9), {"COMPUTE": tl.float32, "BLOCK": 1024})
    compile_for(arch, creation.linspace, (x, 0.0, 1.0, 0.1, 9), {"COMPUTE": tl.float32, "BLOCK": 1024})
    tile = {"BLOCK": 1024, "BLOCK_W": 8}
    compile_for(arch, creation.eye, (x, 3, 3), tile)
    block = {"COMPUTE": tl.float64, "BLOCK": 1024}
    numbers = [Scalar(0.1, "fp64") for _ in range(3)]
    compile_for(arch, creation.arange_shard, (x, *numbers[:2], Scalar(3, "i64"), 6, 9), block)
    compile_for(arch, creation.linspace_shard, (x, *numbers, Scalar(3, "i64"), 6, 9), block)
    compile_for(arch, creation.eye_shard, (x, 3, 3, -1), tile)
    compile_for(arch, creation.triangle, (x, x, 3, 3, 3, 2), {"LOWER": True, **tile})
    compile_for(arch, creation.triangle_indices, (x, 6, 3, 0), {"LOWER": False, "BLOCK": 8})

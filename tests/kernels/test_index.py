"""gather, scatter, embedding, advanced indexing, nonzero, masked_select."""

from __future__ import annotations

import pytest
import torch
import triton.language as tl

from tests.kernels.harness import BACKENDS, compile_for, kernels, run, stride, strides
from tritonflow.testing import assert_close, in_float64

index = kernels("index")
where = kernels("select_where")
arithmetic = kernels("functions.arithmetic")
S0, S1 = stride(0), stride(1)


def error_word():
    return torch.zeros(1, dtype=torch.int32)


def gather_args(x, at, dim, out, err):
    """x.gather(dim, at): x moves by the index along `dim`."""
    x_strides = tuple(stride(0 if d == dim else s) for d, s in enumerate(x.stride()))
    rows = at.numel() // at.shape[-1]
    return (
        x,
        (at,),
        out,
        err,
        rows,
        tuple(at.shape),
        x_strides,
        (strides(at),),
        strides(out),
        (x.shape[dim],),
        (x.stride(dim),),
    )


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dim", [0, 1, 2])
@pytest.mark.parametrize("dtype", [torch.int64, torch.int32], ids=str)
def test_gather(backend, dim, dtype):
    x = torch.randn(4, 5, 6).transpose(0, 1)
    at = torch.randint(0, x.shape[dim], (3, 2, 6)).to(dtype)
    out, err = torch.empty(3, 2, 6), error_word()
    run(
        backend,
        index.get,
        (6,),
        gather_args(x, at, dim, out, err),
        {"WRAP": False, "PER_ROW": False, "ROWS": 2, "COLS": 4},
    )
    torch.testing.assert_close(out, x.gather(dim, at.long()))
    assert err.item() == 0


@pytest.mark.parametrize("backend", BACKENDS)
def test_gather_out_of_range(backend):
    x, at = torch.randn(4, 5), torch.tensor([[0, 4, 5]])
    out, err = torch.empty(1, 3), error_word()
    run(
        backend,
        index.get,
        (1,),
        gather_args(x, at, 1, out, err),
        {"WRAP": False, "PER_ROW": False, "ROWS": 1, "COLS": 4},
    )
    assert err.item() == 1 and out[0, :2].tolist() == [x[0, 0], x[0, 4]]


@pytest.mark.parametrize("backend", BACKENDS)
def test_embedding(backend):
    weight, at = torch.randn(10, 33), torch.randint(-10, 10, (7,))
    out, err = torch.empty(7, 33), error_word()
    run(
        backend,
        index.get,
        (4,),
        (weight, (at,), out, err, 7, (7, 33), (S0, S1), ((S1, S0),), (33, S1), (10,), (33,)),
        {"WRAP": True, "PER_ROW": True, "ROWS": 2, "COLS": 64},
    )
    torch.testing.assert_close(out, weight[at])
    assert err.item() == 0


@pytest.mark.parametrize("backend", BACKENDS)
def test_embedding_of_a_shard(backend):
    """Rows 4 to 6 of 10; the other rows read as 0, and a row that none of the ranks has is an error."""
    weight, at = torch.randn(10, 33), torch.tensor([4, 0, -4, 9, 6, 3, -10])
    out, err = torch.empty(7, 33), error_word()
    strides = ((S0, S1), ((S1, S0),), (33, S1), ((10, 4, 3),), (33,))
    flags = {"WRAP": True, "PER_ROW": True, "ROWS": 2, "COLS": 64}
    run(backend, index.get, (4,), (weight[4:7].contiguous(), (at,), out, err, 7, (7, 33), *strides), flags)
    own = torch.zeros(10, 33)
    own[4:7] = weight[4:7]
    torch.testing.assert_close(out, own[at])
    assert err.item() == 0
    at[0] = 10
    run(backend, index.get, (4,), (weight[4:7].contiguous(), (at,), out, err, 7, (7, 33), *strides), flags)
    assert err.item() == 1


@pytest.mark.parametrize("backend", BACKENDS)
def test_two_indices(backend):
    x, i, j = torch.randn(4, 5, 6), torch.tensor([0, -1, 2]), torch.tensor([4, 0, 1])
    out, err = torch.empty(3, 6), error_word()
    run(
        backend,
        index.get,
        (2,),
        (x, (i, j), out, err, 3, (3, 6), (S0, S1), ((S1, S0), (S1, S0)), (6, S1), (4, 5), (30, 6)),
        {"WRAP": True, "PER_ROW": True, "ROWS": 2, "COLS": 8},
    )
    torch.testing.assert_close(out, x[i, j])


def put_args(value, at, dim, out, err):
    """out.scatter(dim, at, value): positions run along `dim`, columns along the rest."""
    others = [d for d in range(at.dim()) if d != dim]
    pick = lambda t: tuple(stride(t.stride(d)) for d in others)
    cols = at.numel() // at.shape[dim]
    return (
        value,
        (at,),
        out,
        err,
        at.shape[dim],
        cols,
        (at.shape[dim],),
        tuple(at.shape[d] for d in others),
        (stride(value.stride(dim)),),
        ((stride(at.stride(dim)),),),
        (out.shape[dim],),
        (out.stride(dim),),
        pick(value),
        (pick(at),),
        pick(out),
        (S0,),
    )


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dim", [0, 1])
@pytest.mark.parametrize("name", ["add", "replace"])
def test_scatter(backend, dim, name):
    out, value = torch.randn(4, 5), torch.randn(4, 5)
    at = torch.randint(0, 3, (4, 5)) if name == "add" else torch.rand(4, 5).argsort(dim)
    before = out.double()
    expected = (before.scatter_add if name == "add" else before.scatter)(dim, at, value.double())
    err = error_word()
    fn = arithmetic.add if name == "add" else index.replace
    run(
        backend,
        index.put,
        (2,),
        put_args(value, at, dim, out, err),
        {"FN": fn, "COMPUTE": tl.float32, "WRAP": False, "COLS": 4},
    )
    assert_close(out, in_float64(expected))
    assert err.item() == 0


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
def test_embedding_backward(backend, dtype):
    at, dy = torch.tensor([1, 3, 1, 1, 0]), torch.randn(5, 20).to(dtype)
    out, err = torch.zeros(4, 20), error_word()
    args = (dy, (at,), out, err, 5, 20, (5,), (20,), (20,), ((S1,),), (4,), (20,), (S1,), ((S0,),), (S1,), (S0,))
    run(backend, index.put, (2,), args, {"FN": arithmetic.add, "COMPUTE": tl.float32, "WRAP": True, "COLS": 16})
    assert_close(out, in_float64(torch.zeros(4, 20).double().index_add(0, at, dy.double())))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize(("indices", "bad"), [((1, 3, 0, 2, 3), False), ((1, 3, 0, 4, 0), True), ((-4, 0, 1, 1, -1), "unless wrapped")])
def test_check(backend, wrap, indices, bad):
    err = error_word()
    args = ((torch.tensor(indices), torch.zeros(5, dtype=torch.int64)), err, 5, (5,), ((S1,), (S1,)), (4, 1))
    run(backend, index.check, (2,), args, {"WRAP": wrap, "BLOCK": 4})
    assert err.item() == (bad is True or (bad == "unless wrapped" and not wrap))


def starts_of(backend, mask, block):
    n = mask.numel()
    blocks = -(-n // block)
    counts, total = torch.empty(blocks, dtype=torch.int64), torch.empty(1, dtype=torch.int64)
    run(backend, where.count, (blocks,), (mask, counts, n, tuple(mask.shape), strides(mask)), {"BLOCK": block})
    run(backend, where.offsets, (1,), (counts, total, blocks), {"BLOCK": 4})
    return counts, int(total)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", [torch.bool, torch.float32, torch.int64], ids=str)
def test_nonzero(backend, dtype):
    x = (torch.rand(9, 5, 4) < 0.3).to(dtype).transpose(0, 1)
    starts, total = starts_of(backend, x, 16)
    out = torch.empty(total, 3, dtype=torch.int64)
    run(
        backend,
        where.write_coordinates,
        (starts.numel(),),
        (x, starts, out, x.numel(), tuple(x.shape), strides(x)),
        {"BLOCK": 16},
    )
    torch.testing.assert_close(out, x.nonzero())


@pytest.mark.parametrize("arch", [80, 90])
def test_compiles_for_gpu(arch):
    x, at, err = torch.randn(4, 5), torch.zeros(4, 5, dtype=torch.int64), error_word()
    compile_for(arch, index.get, gather_args(x, at, 0, x, err), {"WRAP": True, "PER_ROW": False, "ROWS": 4, "COLS": 16})
    *before, _, step = gather_args(x, at, 0, x, err)
    flags = {"WRAP": True, "PER_ROW": False, "ROWS": 4, "COLS": 16}
    compile_for(arch, index.get, (*before, ((9, 3, 4),), step), flags)
    compile_for(
        arch,
        index.put,
        put_args(x, at, 0, x, err),
        {"FN": arithmetic.add, "COMPUTE": tl.float32, "WRAP": True, "COLS": 64},
    )
    compile_for(arch, index.check, ((at,), err, 6, (6,), ((S1,),), (4,)), {"WRAP": True, "BLOCK": 1024})
    compile_for(arch, where.count, (x, at, 20, (20,), (S1,)), {"BLOCK": 1024})
    compile_for(arch, where.offsets, (at, at, 20), {"BLOCK": 1024})
    compile_for(arch, where.write_coordinates, (x, at, at, 20, (4, 5), (5, S1)), {"BLOCK": 1024})

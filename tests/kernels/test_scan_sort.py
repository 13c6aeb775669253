"""cumsum, cumprod, sort, topk."""

from __future__ import annotations

import pytest
import torch
import triton.language as tl

from tests.kernels.harness import BACKENDS, compile_for, computed_in_float64, kernels, run, stride
from tritonflow.testing import assert_close

MATRIX = [
    pytest.param("interpreter", marks=pytest.mark.long),
    "cpu",
]  # the interpreter takes seconds for what is a millisecond
module = kernels("scan_sort")
reductions = kernels("reductions")
reduce = kernels("reduce").reduce
S0, S1 = stride(0), stride(1)


def scan(backend, x, dim, axis, product=False, each=None, kept_block=4, cols=8, gpu=False):
    keep = [d for d in range(x.dim()) if d != dim]
    out = torch.empty(x.shape, dtype=torch.int64 if not x.dtype.is_floating_point else x.dtype)
    sizes = tuple(x.shape[d] for d in keep) or (1,)
    pick = lambda t: tuple(stride(t.stride(d)) for d in keep) or (S0,)
    n, kept = x.shape[dim], torch.Size(sizes).numel()
    compute = {torch.float64: tl.float64, torch.int32: tl.int64}.get(x.dtype, tl.float32)
    combine = reductions.combine_mul if product else reductions.combine_add
    total = reductions.reduce_mul if product else reductions.reduce_add
    names = {
        "SCAN": module.cumulative_product if product else module.cumulative_sum,
        "COMBINE": combine,
        "TOTAL": total if gpu else None,
        "NEUTRAL": int(product),
        "COMPUTE": compute,
        "KEPT": kept_block,
        "COLS": cols,
    }
    blocks, steps = -(-kept // kept_block), -(-n // cols)
    layout = (kept, sizes, pick(x), pick(out), n, stride(x.stride(dim)), stride(out.stride(dim)))
    if each is None:
        run(backend, module.scan, (blocks,), (x, out, out, *layout, steps), {**names, "AXIS": axis, "CARRY": False})
        return out
    splits = -(-steps // each)
    totals = torch.empty(
        splits, kept, dtype={tl.float64: torch.float64, tl.int64: torch.int64}.get(compute, torch.float32)
    )
    run(
        backend,
        reduce,
        (blocks * splits,),
        ((x,), (totals,), n, kept, sizes, (pick(x),), (n,), ((stride(x.stride(dim)),),), each),
        {
            "START": reductions.start_prod if product else reductions.start_sum,
            "COMBINE": combine,
            "REDUCE": total,
            "FINISH": reductions.finish_state,
            "COMPUTE": compute,
            "ACCUMULATE": compute,
            "MAP": None,
            "AXIS": axis,
            "KEPT": kept_block,
            "COLS": cols,
            "FOLD": 2 if gpu else 0,
            "SHIFTED": None,
            "LINES": False,
        },
    )
    carries = torch.empty_like(totals)
    run(
        backend,
        module.scan,
        (blocks,),
        (totals, carries, carries, kept, (kept,), (S1,), (S1,), splits, kept, kept, -(-splits // cols)),
        {**names, "AXIS": 0, "CARRY": False},
    )
    run(
        backend,
        module.scan,
        (blocks * splits,),
        (x, carries, out, *layout, each),
        {**names, "AXIS": axis, "CARRY": True},
    )
    return out


@pytest.mark.parametrize("backend", MATRIX)
@pytest.mark.parametrize("each", [None, 2], ids=["one pass", "split"])
@pytest.mark.parametrize("dim, axis", [(0, 0), (1, 0), (2, 1)])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16, torch.int32], ids=str)
def test_cumsum(backend, dim, axis, each, dtype):
    x = (
        (torch.randn(37, 20, 30) * 5).to(dtype)[::6, ::3]
        if dim == 2
        else (torch.randn(5, 3, 7) * 5).to(dtype).repeat(3, 7, 1)[:21, :20]
    )
    got = scan(backend, x, dim, axis, each=each)
    tolerance = 2e-2 if dtype is torch.float16 else 1e-5
    assert_close(got, computed_in_float64(torch.cumsum, x, dim), rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("backend", BACKENDS)
def test_cumprod(backend):
    x = torch.randn(5, 30)
    assert_close(scan(backend, x, 1, 1, product=True), computed_in_float64(torch.cumprod, x, 1))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("product", [False, True])
@pytest.mark.parametrize("axis", [0, 1])
def test_scan_of_a_gpu(backend, product, axis):
    """Its totals of tiles are reductions."""
    x = torch.randn(5, 60) if axis else torch.randn(60, 5)
    got = scan(backend, x, axis, axis, product, each=2, gpu=True)
    expected = computed_in_float64(torch.cumprod if product else torch.cumsum, x, axis)
    assert_close(got, expected, rtol=1e-5, atol=1e-5)


def sort(backend, x, dim, descending, keep=None, block=64):
    n = x.shape[dim]
    if backend == "interpreter" and n > 300:
        pytest.skip("too slow in Triton's interpreter")
    keep = n if keep is None else keep
    others = [d for d in range(x.dim()) if d != dim]
    shape = list(x.shape)
    shape[dim] = keep
    values, order = torch.empty(shape, dtype=x.dtype), torch.empty(shape, dtype=torch.int64)
    sizes = tuple(x.shape[d] for d in others) or (1,)
    rows = torch.Size(sizes).numel()
    pick = lambda t: tuple(stride(t.stride(d)) for d in others) or (S0,)
    names = {
        "DESCENDING": descending,
        "COMPUTE": {torch.float64: tl.float64, torch.int64: tl.int64, torch.bool: tl.int8}.get(x.dtype, tl.float32),
    }
    passes = module.passes(n, keep)
    last = (values, order, pick(values), stride(values.stride(dim)))

    def target(k):
        if k == len(passes):
            return last
        width = passes[k][0]
        # Runs of rows are laid out densely: the strides of the collapsed rows.
        strides, product = [], width
        for size in reversed(sizes):
            strides.insert(0, stride(product))
            product *= size
        return torch.empty(rows, width, dtype=x.dtype), torch.empty(rows, width, dtype=torch.int64), tuple(strides), S1

    v, o, out_strides, step = target(0)
    first_keep = keep if not passes else module.RUN
    run(
        backend,
        module.sort_runs,
        (rows * -(-n // module.RUN),),
        (x, v, o, rows, n, sizes, pick(x), stride(x.stride(dim)), out_strides, step, first_keep),
        {**names, "RUN": module.RUN},
    )
    for k, (width, length, kept) in enumerate(passes):
        v2, o2, out_strides, step = target(k + 1)
        run(
            backend,
            module.merge_runs,
            (rows * -(-width // block),),
            (v, o, v2, o2, rows, width, length, sizes, out_strides, step, kept, length.bit_length()),
            {**names, "BLOCK": block},
        )
        v, o = v2, o2
    return values, order


@pytest.mark.parametrize("backend", MATRIX)
@pytest.mark.parametrize("descending", [False, True], ids=["up", "down"])
@pytest.mark.parametrize("n", [1, 5, 64, 65, 128, 300, 1000])
def test_sort_lengths(backend, n, descending):
    x = torch.randint(0, max(2, n // 3), (2, n)).float()
    x[0, n // 2] = float("nan")
    x[0, 0] = float("nan") if n > 3 else 1.0
    values, order = sort(backend, x, 1, descending)
    expected = x.sort(dim=1, descending=descending, stable=True)
    torch.testing.assert_close(values, expected.values, equal_nan=True, rtol=0, atol=0)
    torch.testing.assert_close(order, expected.indices)


@pytest.mark.parametrize("backend", MATRIX)
@pytest.mark.parametrize("dtype", [torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.bool], ids=str)
@pytest.mark.parametrize("dim", [0, 1, 2])
def test_sort_dims_and_types(backend, dim, dtype):
    x = (torch.randn(100, 3, 2) * 3).to(dtype).transpose(0, dim)
    values, order = sort(backend, x, dim, False)
    expected = x.sort(dim=dim, stable=True)
    torch.testing.assert_close(values, expected.values, rtol=0, atol=0)
    torch.testing.assert_close(order, expected.indices)


@pytest.mark.parametrize("backend", MATRIX)
@pytest.mark.parametrize("n, k", [(10, 3), (64, 64), (300, 1), (300, 50), (1000, 70), (1000, 129), (700, 700)])
def test_topk(backend, n, k):
    x = torch.randn(2, n)
    values, order = sort(backend, x, 1, True, k)
    expected = x.sort(dim=1, descending=True, stable=True)  # topk takes any of equal elements
    assert torch.equal(values, expected.values[:, :k]) and torch.equal(order, expected.indices[:, :k])


def test_sort_interpreted():
    x = torch.randn(1, 130)
    values, order = sort("interpreter", x, 1, True, 70)
    expected = x.sort(dim=1, descending=True, stable=True)
    assert torch.equal(values, expected.values[:, :70]) and torch.equal(order, expected.indices[:, :70])


@pytest.mark.parametrize("arch", [80, 90])
def test_compiles_for_gpu(arch):
    x, order = torch.empty(8, 64), torch.empty(8, 64, dtype=torch.int64)
    names = {
        "SCAN": module.cumulative_sum,
        "COMBINE": reductions.combine_add,
        "TOTAL": reductions.reduce_add,
        "NEUTRAL": 0,
        "CARRY": True,
        "COMPUTE": tl.float32,
        "KEPT": 4,
        "COLS": 256,
    }
    for axis in (0, 1):
        compile_for(arch, module.scan, (x, x, x, 8, (8,), (64,), (64,), 64, S1, S1, 2), {**names, "AXIS": axis})
    key = {"DESCENDING": True, "COMPUTE": tl.float32}
    compile_for(arch, module.sort_runs, (x, x, order, 8, 64, (8,), (64,), S1, (64,), S1, 64), {**key, "RUN": 64})
    compile_for(
        arch, module.merge_runs, (x, order, x, order, 8, 64, 32, (8,), (64,), S1, 64, 6), {**key, "BLOCK": 1024}
    )

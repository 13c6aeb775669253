"""Reductions: every kind, over every layout, in one pass and in two."""

from __future__ import annotations

import pytest
import torch
import triton.language as tl

from tests.kernels.harness import BACKENDS, compile_for, computed_in_float64, kernels, run, stride
from tritonflow.testing import Reference, assert_close

MATRIX = [
    pytest.param("interpreter", marks=pytest.mark.long),
    "cpu",
]  # the interpreter takes seconds for what is a millisecond
R = kernels("reductions")
reduce = kernels("reduce").reduce

# name -> start, start of the second pass, combine, finish, types of the state, reference(x, dim)
KINDS = {
    "sum": (R.start_sum, R.start_sum, R.combine_add, R.finish_state, 1, lambda x, d: x.sum(d)),
    "mean": (R.start_sum, R.start_sum, R.combine_add, R.finish_mean, 1, lambda x, d: x.mean(d)),
    "nansum": (R.start_nansum, R.start_sum, R.combine_add, R.finish_state, 1, torch.nansum),
    "prod": (
        R.start_prod,
        R.start_prod,
        R.combine_mul,
        R.finish_state,
        1,
        lambda x, d: x.prod(d[0]) if len(d) == 1 else x.prod(),
    ),
    "max": (R.start_max, R.start_max, R.combine_max, R.finish_state, 1, torch.amax),
    "min": (R.start_min, R.start_min, R.combine_min, R.finish_state, 1, torch.amin),
    "norm2": (
        R.start_sum_of_squares,
        R.start_sum,
        R.combine_add,
        R.finish_sqrt,
        1,
        lambda x, d: torch.linalg.vector_norm(x, 2, d),
    ),
    "norm1": (
        R.start_sum_of_abs,
        R.start_sum,
        R.combine_add,
        R.finish_state,
        1,
        lambda x, d: torch.linalg.vector_norm(x, 1, d),
    ),
    "norminf": (
        R.start_max_of_abs,
        R.start_max,
        R.combine_max,
        R.finish_state,
        1,
        lambda x, d: torch.linalg.vector_norm(x, float("inf"), d),
    ),
    "norm0": (
        R.start_count_nonzero,
        R.start_sum,
        R.combine_add,
        R.finish_state,
        1,
        lambda x, d: torch.linalg.vector_norm(x, 0, d),
    ),
    "any": (R.start_any, R.start_any, R.combine_max, R.finish_state, 1, lambda x, d: (x != 0).any(d)),
    "all": (R.start_all, R.start_all, R.combine_min, R.finish_state, 1, lambda x, d: (x != 0).all(d)),
    "argmax": (R.start_argmax, R.again_argmax, R.combine_argmax, R.finish_index, 2, lambda x, d: torch.argmax(x, d[0])),
    "argmin": (R.start_argmin, R.again_argmin, R.combine_argmin, R.finish_index, 2, lambda x, d: torch.argmin(x, d[0])),
    "moments": (
        R.start_moments,
        R.again_moments,
        R.combine_moments,
        R.finish_moments,
        3,
        lambda x, d: (x.mean(d), x.var(d, correction=0) * x.shape[d[0]]),
    ),
}
for _name, _reference in (("var", torch.var), ("std", torch.std)):
    KINDS[_name] = (
        R.start_moments,
        R.again_moments,
        R.combine_moments,
        getattr(R, f"finish_{_name}"),
        3,
        lambda x, d, f=_reference: f(x, d, correction=0),
    )
TRITON = {torch.float64: tl.float64, torch.int64: tl.int64, torch.int32: tl.int64, torch.bool: tl.int8}


def combining(combine):
    return {"COMBINE": combine, "REDUCE": getattr(R, combine.fn.__name__.replace("combine", "reduce"))}


def accumulates(combine, dtype):
    """Whether the tiles of such a reduction are added up in float64."""
    return dtype.is_floating_point and combine in (R.combine_add, R.combine_mul, R.combine_moments)


def launch(backend, kind, x, dims, outs, axis, kept_block, cols_block, each=None, fold=0, lines=False):
    """Reduce `dims` of x; `each` steps to a program force two passes. `fold` is above 0 in a GPU's plans."""
    start, again, combine, finish, states, _ = KINDS[kind]
    keep = [d for d in range(x.dim()) if d not in dims] or None
    sizes = tuple(x.shape[d] for d in keep) if keep else (1,)
    kept_strides = tuple(stride(x.stride(d)) for d in keep) if keep else (stride(0),)
    reduced, reduced_strides = tuple(x.shape[d] for d in dims), tuple(stride(x.stride(d)) for d in dims)
    kept, count = torch.Size(sizes).numel(), torch.Size(reduced).numel()
    steps = count // reduced[-1] * -(-reduced[-1] // cols_block)
    line = sizes[-1] if lines else kept
    blocks = kept // line * -(-line // kept_block)
    names = {
        "START": start,
        **combining(combine),
        "COMPUTE": TRITON.get(x.dtype, tl.float32),
        "ACCUMULATE": tl.float64 if accumulates(combine, x.dtype) else TRITON.get(x.dtype, tl.float32),
        "MAP": None,
        "AXIS": axis,
        "KEPT": kept_block,
        "COLS": cols_block,
        "FOLD": 0 if combine is R.combine_moments else fold,
        "SHIFTED": None,
        "LINES": lines,
    }
    layout = (kept, sizes, (kept_strides,), reduced, (reduced_strides,))
    if each is None:
        run(backend, reduce, (blocks,), ((x,), outs, count, *layout, steps), {**names, "FINISH": finish})
        return
    split = -(-steps // each)
    value = torch.float64 if x.dtype is torch.float64 or accumulates(combine, x.dtype) else torch.float32
    value = torch.int32 if kind in ("any", "all") else value
    types = [value, torch.int64] if states == 2 else [value] * states
    spaces = tuple(torch.full((split, kept), 77, dtype=t) for t in types)
    run(backend, reduce, (blocks * split,), ((x,), spaces, count, *layout, each), {**names, "FINISH": R.finish_state})
    names |= {"REDUCE": R.merge_moments} if combine is R.combine_moments else {}
    names |= {"START": again, "FOLD": min(fold, 1), "COMPUTE": None, "ACCUMULATE": None, "AXIS": 0, "FINISH": finish}
    last = (kept, (kept,), ((stride(1),),) * states, (split,), ((stride(kept),),) * states)
    names["LINES"] = False
    run(backend, reduce, (-(-kept // kept_block),), (spaces, outs, count, *last, -(-split // cols_block)), names)


def outputs(function, x, dims):
    """What the function gives, and empty tensors like it."""
    expected = computed_in_float64(function, x, dims)
    expected = expected if isinstance(expected, tuple) else (expected,)
    return expected, tuple(
        torch.empty(e.values.shape, dtype=x.dtype) if isinstance(e, Reference) else torch.empty_like(e)
        for e in expected
    )


LAYOUTS = {
    "rows": (lambda: torch.randn(5, 37), (1,), 1),
    "columns": (lambda: torch.randn(37, 5), (0,), 0),
    "middle": (lambda: torch.randn(3, 20, 7), (1,), 0),
    "transposed": (lambda: torch.randn(20, 6).t(), (1,), 0),
    "strided": (lambda: torch.randn(6, 40)[::2, ::2], (1,), 1),
    "vector": (lambda: torch.randn(100), (0,), 1),
}


@pytest.mark.parametrize("backend", MATRIX)
@pytest.mark.parametrize("each", [None, 2], ids=["one pass", "two passes"])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("kind", KINDS)
def test_reduce(backend, kind, layout, each):
    make, dims, axis = LAYOUTS[layout]
    x = make()
    expected, outs = outputs(KINDS[kind][-1], x, dims)
    launch(backend, kind, x, dims, outs, axis, 4, 8, each)
    for out, e in zip(outs, expected):
        assert_close(out, e, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("backend", MATRIX)
@pytest.mark.parametrize("fold", [1, 2])
@pytest.mark.parametrize("layout", ["rows", "columns"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.sampled(most=12)
def test_state_of_a_tile(backend, kind, layout, fold):
    """As on a GPU: the state is a tile, each lane of it `fold` elements of the tiles that are read."""
    make, dims, axis = LAYOUTS[layout]
    x = make()
    expected, outs = outputs(KINDS[kind][-1], x, dims)
    launch(backend, kind, x, dims, outs, axis, 4, 8, 2, fold)
    for out, e in zip(outs, expected):
        assert_close(out, e, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("each", [None, 2], ids=["one pass", "two passes"])
@pytest.mark.parametrize("kind", ["sum", pytest.param("argmax", marks=pytest.mark.long)])
def test_rows_of_one_line(backend, kind, each):
    """The last of the dimensions that stay, by a program each, has two blocks; the second one is not full."""
    x = torch.randn(2, 3, 20, 7)
    expected, outs = outputs(KINDS[kind][-1], x, (2,))
    launch(backend, kind, x, (2,), outs, 0, 4, 8, each, lines=True)
    for out, e in zip(outs, expected):
        assert_close(out, e, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("kind", ["sum", "mean", "max", "moments"])
def test_two_reduced_dimensions(backend, kind):
    x = torch.randn(4, 3, 19)
    function = KINDS[kind][-1] if kind != "moments" else lambda x, d: (x.mean(d), x.var(d, correction=0) * 76)
    expected, outs = outputs(function, x, (0, 2))
    launch(backend, kind, x, (0, 2), outs, 1, 2, 8)
    for out, e in zip(outs, expected):
        assert_close(out, e, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("fold", [0, 2])
@pytest.mark.parametrize("kind", ["max", "min", "argmax", "argmin", "sum"])
def test_special_values_and_ties(backend, kind, fold):
    nan, inf = float("nan"), float("inf")
    x = torch.tensor([[1, nan, 3, nan], [inf, -inf, inf, 0], [2, 2, 1, 1], [-inf] * 4, [inf] * 4])
    x = x[:3] if kind == "sum" else x
    expected, outs = outputs(KINDS[kind][-1], x, (1,))
    launch(backend, kind, x, (1,), outs, 1, 4, 8, fold=fold)
    assert_close(outs[0], expected[0], equal_nan=True)


@pytest.mark.parametrize("backend", MATRIX)
@pytest.mark.parametrize(
    "dtype", [torch.float16, torch.bfloat16, torch.float64, torch.int32, torch.int64, torch.bool], ids=str
)
@pytest.mark.parametrize("kind", ["sum", "max", "prod", "any", "argmax"])
def test_types(backend, kind, dtype):
    x = (torch.rand(3, 20) < 0.7) if dtype is torch.bool else (torch.randn(3, 20) * 3).to(dtype)
    if dtype is torch.bool and kind in ("sum", "prod", "argmax"):
        pytest.skip("bool sums in int64, which the planner asks for; argmax is not defined in torch")
    expected, outs = outputs(KINDS[kind][-1], x, (1,))
    launch(backend, kind, x, (1,), outs, 1, 4, 16)
    tolerance = 2e-2 if dtype in (torch.float16, torch.bfloat16) else 1e-6
    assert_close(outs[0], expected[0], rtol=tolerance, atol=tolerance)


def test_moments_are_stable():
    x = torch.randn(2, 1000) + 1e4
    outs = torch.empty(2), torch.empty(2)
    launch("cpu", "moments", x, (1,), outs, 1, 2, 64)
    assert_close(outs[1] / 1000, computed_in_float64(lambda x: x.var(1, correction=0), x), rtol=1e-3, atol=0)


@pytest.mark.parametrize("arch", [80, 90])
@pytest.mark.parametrize("axis", [0, 1])
def test_compiles_for_gpu(arch, axis):
    x = torch.empty(8, 8)
    for kind in ("sum", "argmax", "moments"):
        start, _, combine, finish, _, reference = KINDS[kind]
        _, outs = outputs(reference, x, (1,))
        args = ((x,), outs, 8, 8, (8,), ((8,),), (8,), ((stride(1),),), 1)
        compile_for(
            arch,
            reduce,
            args,
            {
                "START": start,
                **combining(combine),
                "FINISH": finish,
                "COMPUTE": tl.float32,
                "ACCUMULATE": tl.float64 if accumulates(combine, x.dtype) else tl.float32,
                "MAP": None,
                "AXIS": axis,
                "KEPT": 16,
                "COLS": 64,
                "FOLD": 0 if kind == "moments" else 2,
                "SHIFTED": None,
                "LINES": False,
            },
        )

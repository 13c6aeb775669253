"""Rotary embeddings: layouts, positions, in place, derivatives, graphs, vmap, and what is refused."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
import torch

import tritonflow as flow
from tests import op_references
from tests.graph.test_layouts import run
from tritonflow.errors import IndexOutOfRangeError
from tritonflow.testing import assert_close

F = flow.nn.functional
ORDERS = {"bshd": (0, 1, 2), "bhsd": (0, 2, 1), "sbhd": (1, 0, 2)}
B, S, H, T = 2, 5, 3, 9


def operand(tensor_format: str, heads: int, size: int, dtype: torch.dtype = torch.float64) -> torch.Tensor:
    shape = [0, 0, 0, size]
    for dim, n in zip(ORDERS[tensor_format], (B, S, heads)):
        shape[dim] = n
    return torch.randn(shape, dtype=torch.float64).to(dtype)


def tables(turned: int, *batch: int, dtype: torch.dtype = torch.float64) -> tuple[torch.Tensor, torch.Tensor]:
    angles = torch.randn(*batch, T, turned // 2, dtype=torch.float64)
    return angles.cos().to(dtype), angles.sin().to(dtype)


def ours(*tensors: torch.Tensor) -> list[Any]:
    return [flow.from_torch(t.clone(memory_format=torch.contiguous_format)) for t in tensors]


POSITIONS = {
    "rows": dict[str, Any](),
    "offset": {"seqlen_offsets": 3},
    "starts": {"seqlen_offsets": torch.tensor([4, 0])},
    "positions": {"positions": torch.tensor([8, 0, 3, 3, 1], dtype=torch.int32)},
    "positions of batches": {"positions": torch.tensor([[8, 0, 3, 3, 1], [0, 1, 2, 7, 8]])},
}


@pytest.mark.parametrize("size, turned", [(96, 32), (7, 6), (6, 0)])
@pytest.mark.parametrize("tensor_format", ORDERS)
@pytest.mark.parametrize("interleaved", [False, True])
def test_values(interleaved: bool, tensor_format: str, size: int, turned: int) -> None:
    """Of every memory layout, in place and not, of one tensor and of a pair."""
    q, k = operand(tensor_format, H, size), operand(tensor_format, 1, size)
    for table in (tables(turned), tables(turned, B)):
        cos, sin = ours(*table)
        for keywords in POSITIONS.values():
            given = {n: ours(v)[0] if isinstance(v, torch.Tensor) else v for n, v in keywords.items()} | {"tensor_format": tensor_format}
            expected = [
                op_references.apply_rotary_emb(x, *table, interleaved, tensor_format=tensor_format, **keywords) for x in (q, k)
            ]
            for order in list(permutations(range(4)))[:: 23 if size > 7 else 5]:
                back = [order.index(d) for d in range(4)]
                xs = [x.permute(*back) for x in ours(q.permute(*order), k.permute(*order))]
                assert_close(F.apply_rotary_emb(xs[0], cos, sin, interleaved, **given), expected[0])
                for found, e in zip(F.apply_rotary_emb(xs, cos, sin, interleaved, **given), expected, strict=True):
                    assert_close(found, e)
                versions = [x._version for x in xs]
                written = F.apply_rotary_emb(xs, cos, sin, interleaved, True, **given)
                for x, w, e, version in zip(xs, written, expected, versions, strict=True):
                    assert x is w and (x._version == version + 1 or not turned)
                    assert_close(x, e)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
@pytest.mark.parametrize("interleaved", [False, True])
def test_it_is_computed_in_float32(interleaved: bool, dtype: torch.dtype) -> None:
    """One rounding of the result, whatever the dtype of the tables."""
    x = operand("bshd", H, 64, dtype)
    for table in (tables(48, dtype=torch.float32), tables(48, dtype=dtype)):
        expected = op_references.apply_rotary_emb(x.double(), *[t.double() for t in table], interleaved).to(dtype)
        assert_close(F.apply_rotary_emb(*ours(x, *table), interleaved), expected)


def test_sequences_of_different_lengths() -> None:
    """With cu_seqlens each sequence begins at position 0, or at its offset; one may be empty."""
    x, (cos, sin) = torch.randn(6, H, 8, dtype=torch.float64), tables(8)
    lengths, starts = [3, 0, 2, 1], [1, 2, 0, 8]
    ends = torch.tensor([0, 3, 3, 5, 6], dtype=torch.int32)
    for offsets in (None, torch.tensor(starts)):
        parts = x.split(lengths)
        first = [0] * 4 if offsets is None else starts
        expected = [
            op_references.apply_rotary_emb(p[None], cos[k : k + len(p)], sin[k : k + len(p)])[0] for p, k in zip(parts, first)
        ]
        given = None if offsets is None else flow.from_torch(offsets)
        found = F.apply_rotary_emb(*ours(x, cos, sin), False, False, given, flow.from_torch(ends), 3)
        assert_close(found, torch.cat(expected))


@pytest.mark.parametrize("interleaved", [False, True])
@pytest.mark.parametrize("inplace", [False, True])
def test_gradients(inplace: bool, interleaved: bool) -> None:
    """The rotation by the negative angle, and by the angle again."""
    cos, sin = ours(*tables(6))
    starts = flow.tensor([4, 0])

    def one(x: Any) -> Any:
        return F.apply_rotary_emb(x * 1, cos, sin, interleaved, inplace, starts)

    def pair(q: Any, k: Any) -> Any:
        return F.apply_rotary_emb((q * 1, k * 1), cos, sin, interleaved, inplace)

    q, k = (flow.from_torch(operand("bshd", n, 8)).requires_grad_() for n in (H, 1))
    for function, inputs in ((one, (q,)), (pair, (q, k))):
        assert flow.autograd.gradcheck(function, inputs)
        assert flow.autograd.gradgradcheck(function, inputs)


def test_a_pair_of_views_of_one_tensor_is_written_in_place() -> None:
    """Queries and keys of a fused projection, under autograd and without."""
    cos, sin = ours(*tables(8))
    x = torch.randn(B, S, 4 * 8, dtype=torch.float64)
    heads = x.view(B, S, 4, 8)
    expected = torch.cat((op_references.apply_rotary_emb(heads[:, :, :3], *map(flow.to_torch, (cos, sin))), heads[:, :, 3:]), 2)
    for grad in (False, True):
        leaf = flow.from_torch(x.clone()).requires_grad_(grad)
        both = (leaf * 1).view(B, S, 4, 8)
        query, key, _ = both.split([2, 1, 1], 2) if not grad else (both[:, :, :2], both[:, :, 2:3], None)
        F.apply_rotary_emb((query, key), cos, sin, False, True)
        assert_close(both, expected)
        if grad:
            (g,) = flow.autograd.grad(both.sum(), leaf)
            back = op_references.apply_rotary_emb(
                torch.ones(B, S, 3, 8, dtype=torch.float64), flow.to_torch(cos), -flow.to_torch(sin)
            )
            assert_close(g, torch.cat((back, torch.ones(B, S, 1, 8, dtype=torch.float64)), 2).flatten(2))


def test_a_value_that_is_saved_may_not_be_turned_in_place() -> None:
    cos, sin = ours(*tables(8))
    x = flow.from_torch(operand("bshd", H, 8)).requires_grad_()
    y = x * 2
    z = y * y
    F.apply_rotary_emb((y, x.detach() * 1), cos, sin, False, True)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.sum().backward()
    with pytest.raises(RuntimeError, match="leaf"):
        F.apply_rotary_emb(x, cos, sin, False, True)


def test_graphs() -> None:
    """Captured calls are the same kernels; in place as well."""
    cos, sin = ours(*tables(8))
    x, y = ours(operand("bshd", H, 8), operand("bshd", 1, 8))
    launches, _ = run(lambda x, y, c, s: list(F.apply_rotary_emb((x, y), c, s)), x, y, cos, sin)
    assert launches == 1

    def written(x: Any, y: Any, c: Any, s: Any) -> list[Any]:
        x, y = x * 2, y * 2
        F.apply_rotary_emb((x, y), c, s, True, True, positions=flow.arange(S))
        return [x + 1, y + 1]

    run(written, x, y, cos, sin)
    step = flow.compile(lambda x, c, s: F.apply_rotary_emb(x, c, s, seqlen_offsets=2))
    for length in (3, 4, 5, 6):
        z = flow.randn(B, length, H, 8, dtype=flow.float64)
        assert_close(step(z, cos, sin), F.apply_rotary_emb(z, cos, sin, seqlen_offsets=2))


def test_vmap() -> None:
    x = flow.from_torch(torch.randn(4, B, S, H, 8, dtype=torch.float64))
    cos, sin = ours(*tables(8))
    many, positions = flow.stack([cos, sin, cos, sin]), flow.randint(0, T, (4, S))
    for function, operands, dims in (
        (lambda x: F.apply_rotary_emb(x, cos, sin), (x,), 0),
        (lambda x, c: F.apply_rotary_emb(x, c, sin), (x, many), 0),
        (lambda x, p: F.apply_rotary_emb(x, cos, sin, positions=p), (x, positions), 0),
        (lambda p: F.apply_rotary_emb(x[0], cos, sin, positions=p), (positions,), 0),
        (lambda x: F.apply_rotary_emb((x, x[:, :, :1]), cos, sin, tensor_format="bshd")[1], (x,), 0),
    ):
        expected = flow.stack([function(*[t[k] for t in operands]) for k in range(4)])
        assert_close(flow.vmap(function, dims)(*operands), expected)


def test_empty() -> None:
    cos, sin = ours(*tables(8))
    for shape in ((0, S, H, 8), (B, 0, H, 8), (B, S, 0, 8)):
        x = flow.randn(*shape, dtype=flow.float64)
        assert F.apply_rotary_emb(x, cos, sin).shape == shape
        assert F.apply_rotary_emb((x, x.clone()), cos, sin, inplace=True)[0] is x


def test_bad_input() -> None:
    """One error at the call; in place nothing is written."""
    cos, sin = ours(*tables(8))
    (x,) = ours(operand("bshd", H, 8))
    before = x.clone()
    cases: list[tuple[Any, Any, str]] = [
        (lambda: F.apply_rotary_emb(x, cos[:4], sin[:4], False, True), RuntimeError, "have 4 rows, but x has 5 positions"),
        (lambda: F.apply_rotary_emb(x, cos, sin, False, True, 5), RuntimeError, "from 5 on"),
        (lambda: F.apply_rotary_emb(x, cos, sin[:5], False, True), RuntimeError, "expected cos and sin to be"),
        (lambda: F.apply_rotary_emb(x[..., :6], cos, sin, False, True), RuntimeError, "heads of 6 elements have no 4 pairs"),
        (lambda: F.apply_rotary_emb(x[0], cos, sin, False, True), RuntimeError, "4 dimensions"),
        (lambda: F.apply_rotary_emb((x, x[:1]), cos, sin, False, True), RuntimeError, "differ in their heads only"),
        (lambda: F.apply_rotary_emb((x,), cos, sin, False, True), ValueError, "a pair of queries and keys"),
        (lambda: F.apply_rotary_emb(x, cos, sin, tensor_format="hbsd"), ValueError, "tensor_format"),
        (lambda: F.apply_rotary_emb(x, cos, sin, False, True, "2"), TypeError, "seqlen_offsets"),
        (lambda: F.apply_rotary_emb(x, cos, sin, False, True, flow.tensor([1.0, 2])), RuntimeError, "seqlen_offsets"),
        (lambda: F.apply_rotary_emb(x.long(), cos, sin), NotImplementedError, "Long"),
        (lambda: F.apply_rotary_emb(x, cos, sin, False, True, 1, positions=flow.arange(S)), ValueError, "positions say all"),
        (lambda: F.apply_rotary_emb(x, cos, sin, False, True, positions=flow.arange(4)), RuntimeError, "positions to be"),
    ]
    for call, error, message in cases:
        with pytest.raises(error, match=message):
            call()
    with pytest.raises(NotImplementedError, match="'cos'"):
        F.apply_rotary_emb(x, cos.clone().requires_grad_(), sin)
    assert_close(x, before)


@pytest.mark.cpu_only
@pytest.mark.parametrize("position", [-1, T])
def test_a_position_out_of_bounds_leaves_operands_as_they_are(position: int) -> None:
    cos, sin = ours(*tables(8))
    x, y = ours(operand("bshd", H, 8), operand("bshd", 1, 8))
    before = x.clone()
    for given in ({"positions": flow.tensor([0, 1, 2, 3, position])}, {"seqlen_offsets": flow.tensor([0, position and T - S + 1])}):
        for xs in (x, (x, y)):
            with pytest.raises(IndexOutOfRangeError, match="out of bounds for tables of 9 rows"):
                F.apply_rotary_emb(xs, cos, sin, False, True, **given)
                flow.sync()
        assert_close(x, before)

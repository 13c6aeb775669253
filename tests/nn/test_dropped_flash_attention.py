"""Dropout in the functions of flash-attn, beside float64 with the mask that `dropout` draws for the weights of longest sequences."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch

import tritonflow as flow
from tests.nn.test_flash_attention import Scores, check_gradients, close, reference, scores_of
from tritonflow.nn.attention.flash import flash_attn_func, flash_attn_varlen_func

F = flow.nn.functional
T = torch.Tensor


def factors(rate: float, *shape: int, seed: int = 3) -> T:
    """1 / (1 - rate) or 0 for each weight, by the numbers of a seed."""
    flow.manual_seed(seed)
    return flow.to_torch(F.dropout(flow.ones(*shape, dtype=flow.float64), rate))


def operands(*sizes: tuple[int, ...], dtype: torch.dtype = torch.float32) -> tuple[list[Any], list[T]]:
    theirs = [torch.randn(*size).to(dtype) for size in sizes]
    return [flow.from_torch(x).requires_grad_() for x in theirs], [x.double().requires_grad_() for x in theirs]


@pytest.mark.sampled(most=6)
@pytest.mark.parametrize("kind", ["", "cap", "slopes", "cap slopes sinks"])
@pytest.mark.parametrize("window", [(-1, -1), (-1, 0), (3, 0), (4, 2)])
@pytest.mark.parametrize("rows, columns, heads, shared", [(5, 5, 2, 2), (70, 132, 4, 2), (9, 131, 8, 2), (1, 3000, 4, 2), (3, 40, 4, 1)])
def test_scores(kind: str, window: tuple[int, int], rows: int, columns: int, heads: int, shared: int) -> None:
    """Also where keys are walked over in pieces, and where heads of a group share a tile; lse is that of all weights."""
    how = scores_of(kind, window, heads)
    ours, theirs = operands((2, rows, heads, 16), (2, columns, shared, 16), (2, columns, shared, 12))
    drawn = factors(0.4, 2, heads, rows, columns)
    state, given = flow.get_rng_state(), how.given()
    flow.manual_seed(3)
    out, lse, _ = flash_attn_func(*ours, dropout_p=0.4, **given, return_attn_probs=True)
    right, right_lse = reference(*(x.transpose(1, 2) for x in theirs), how, drawn)
    close(out, right.transpose(1, 2), 5e-5)
    close(lse, right_lse)
    trained = ([*ours, given["sinks"]], [*theirs, how.sinks]) if how.sinks is not None else (ours, theirs)
    check_gradients((out, lse, trained[0]), (right.transpose(1, 2), right_lse, trained[1]))
    assert flow.get_rng_state() == state


@pytest.mark.parametrize("dtype, tolerance", [(torch.float64, 1e-12), (torch.bfloat16, 6e-2), (torch.float16, 8e-3)])
def test_dtypes(dtype: torch.dtype, tolerance: float) -> None:
    ours, theirs = operands((1, 40, 4, 16), (1, 60, 2, 16), (1, 60, 2, 16), dtype=dtype)
    drawn = factors(0.25, 1, 4, 40, 60)
    flow.manual_seed(3)
    out, lse, _ = flash_attn_func(*ours, 0.25, causal=True, return_attn_probs=True)
    right, right_lse = reference(*(x.transpose(1, 2) for x in theirs), Scores((-1, 0)), drawn)
    close(out, right.transpose(1, 2), tolerance)
    check_gradients((out, lse, ours), (right.transpose(1, 2), right_lse, theirs), tolerance)


@pytest.mark.parametrize("most", [(9, 12), (10, 11)], ids=str)
@pytest.mark.parametrize("window", [(-1, -1), (3, 0)])
def test_sequences(most: tuple[int, int], window: tuple[int, int]) -> None:
    """Each has numbers of its own: those of the longest, of which a shorter one takes the first rows and columns."""
    rows, columns = (3, 0, 9, 1, 7), (4, 5, 10, 0, 11)
    q_starts, k_starts = ([sum(n[:i]) for i in range(len(n) + 1)] for n in (rows, columns))
    ours, theirs = operands((sum(rows) + 2, 4, 8), (sum(columns) + 1, 2, 8), (sum(columns) + 1, 2, 8))
    drawn = factors(0.5, 5, 4, *most)
    starts = [flow.tensor(each, dtype=flow.int32) for each in (q_starts, k_starts)]
    flow.manual_seed(3)
    out = flash_attn_varlen_func(*ours, *starts, *most, dropout_p=0.5, window_size=window)
    pieces = []
    for i in range(5):
        q, k, v = (x[s[i] : s[i + 1]].transpose(0, 1)[None] for x, s in zip(theirs, (q_starts, k_starts, k_starts)))
        if columns[i]:
            made, _ = reference(q, k, v, Scores(window), drawn[i : i + 1, :, : rows[i], : columns[i]])
        else:
            made = q * 0
        pieces.append(made[0].transpose(0, 1))
    right = torch.cat([*pieces, torch.zeros(2, 4, 8, dtype=torch.float64)])
    close(out, right, 5e-5)
    weight = torch.randn_like(right)
    expected = torch.autograd.grad((right * weight).sum(), theirs)
    for got, wanted in zip(flow.autograd.grad((out.double() * flow.from_torch(weight)).sum(), ours), expected):
        close(got, wanted, 1e-4)


def test_keys_in_use_and_in_pages() -> None:
    """Rows are numbered by all columns that a cache has."""
    lengths, pages, size = (5, 7), 6, 4
    (q,), (wide,) = operands((2, 4, 8))
    (keys, values), wides = operands((pages, size, 2, 8), (pages, size, 2, 8))
    table = torch.tensor([[4, 1], [0, 3]])
    drawn = factors(0.5, 2, 4, 1, 8)
    flow.manual_seed(3)
    with flow.no_grad():
        out = flash_attn_varlen_func(
            q, keys, values, flow.tensor([0, 1, 2], dtype=flow.int32), None, 1, 8, 0.5,
            block_table=flow.from_torch(table.int()), seqused_k=flow.tensor(lengths, dtype=flow.int32),
        )  # fmt: skip
    for i, length in enumerate(lengths):
        k, v = (x[table[i]].flatten(0, 1)[:length].transpose(0, 1)[None] for x in wides)
        right, _ = reference(wide[i, :, None][None], k, v, Scores(), drawn[i : i + 1, :, :, :length])
        close(out[i], right[0, :, 0])


def test_in_graphs() -> None:
    """A graph draws what eager mode draws, fresh numbers in each run, and its backward the same once more."""
    ours, _ = operands((2, 12, 4, 8), (2, 16, 2, 8), (2, 16, 2, 8))
    (tokens, *cache), _ = operands((14, 4, 8), (14, 2, 8), (14, 2, 8))
    starts = flow.tensor([0, 6, 14], dtype=flow.int32)
    programs: list[tuple[Any, list[Any]]] = [
        (lambda q, k, v: F.dropout(flash_attn_func(q, k, v, 0.3, softcap=2.0), 0.5), ours),
        (lambda q, k, v: flash_attn_varlen_func(q, k, v, starts, starts, 8, 8, 0.3, causal=True), [tokens, *cache]),
    ]
    for program, given in programs:
        compiled, found = flow.compile(program), []
        for run in (program, compiled):
            flow.manual_seed(7)
            for _ in range(3):
                out = run(*given)
                found.append([out, *flow.autograd.grad(out.square().sum(), given)])
            found.append(flow.get_rng_state())
        assert compiled.captures()
        assert found[3] == found[7]
        for eager, graph in zip(found[:3], found[4:7]):
            for ours_, theirs in zip(graph, eager):
                close(ours_, flow.to_torch(theirs.detach()).double(), 1e-5)
        assert not found[0][0].equal(found[1][0])


def test_rates_and_errors() -> None:
    (q, k, v), _ = operands((1, 6, 2, 8), (1, 8, 2, 8), (1, 8, 2, 8))
    state = flow.get_rng_state()
    assert flash_attn_func(q, k, v, 0.0).equal(flash_attn_func(q, k, v))
    assert flash_attn_func(q[:, :0], k, v, 0.5).shape == (1, 0, 2, 8) and flow.get_rng_state() == state
    out = flash_attn_func(q, k, v, 1.0)
    assert not out.any() and not any(g.any() for g in flow.autograd.grad(out.sum(), [q, k, v]))
    state = flow.get_rng_state()
    for rate in (-0.1, 1.5, math.nan):
        with pytest.raises(ValueError, match="between 0 and 1"):
            flash_attn_func(q, k, v, rate)
    assert flow.get_rng_state() == state


def test_statistics() -> None:
    """Equal scores and one-hot values show each weight: rates of rows, columns, heads and sequences, and pairs of these."""
    rate, size, heads, sequences = 0.3, 64, 4, 6
    q = flow.zeros(size * sequences, heads, size)
    v = flow.eye(size)[:, None].expand(size, heads, size).repeat(sequences, 1, 1)
    starts = flow.arange(0, size * sequences + 1, size, dtype=flow.int32)
    flow.manual_seed(11)
    out = flash_attn_varlen_func(q, q, v, starts, starts, size, size, rate)
    weights = flow.to_torch(out).view(sequences, size, heads, size).transpose(1, 2) * size
    assert torch.isin(weights.mul(1 - rate).round(decimals=4), torch.tensor([0.0, 1.0])).all()
    lost = (weights == 0).double()

    def near(found: T, expected: float, count: int) -> None:
        deviations = (found - expected).abs() / math.sqrt(expected * (1 - expected) / count)
        assert deviations.max() < 5.5, deviations.max()

    near(lost.mean((0, 1, 2)), rate, sequences * heads * size)
    near(lost.mean((0, 1, 3)), rate, sequences * heads * size)
    near(lost.mean((2, 3)), rate, size * size)
    for dim in range(4):
        near((lost * lost.roll(1, dim)).mean(), rate**2, lost.numel())
    assert len({tuple(each.flatten().tolist()) for each in lost.flatten(0, 1)}) == sequences * heads

"""Windows, caps, slopes, sinks, sequences of several lengths and caches of keys, beside softmax(...) v in float64."""

from __future__ import annotations

import math
import random
from typing import Any, NamedTuple

import pytest
import torch

import tritonflow as flow
from tritonflow.nn.attention.flash import flash_attn_func, flash_attn_varlen_func, flash_attn_with_kvcache
from tritonflow.nn.attention.varlen import AuxRequest, varlen_attn

T = torch.Tensor
WINDOWS = ((-1, -1), (-1, 0), (3, 0), (4, 2), (0, 0), (-1, 3), (200, -1))


class Scores(NamedTuple):
    """What becomes of scores."""

    window: tuple[int, int] = (-1, -1)
    cap: float = 0.0
    slopes: T | None = None
    sinks: T | None = None

    def given(self, **more: Any) -> dict[str, Any]:
        sinks = None if self.sinks is None else flow.from_torch(self.sinks.detach().float()).requires_grad_(more.pop("trains", True))
        slopes = None if self.slopes is None else flow.from_torch(self.slopes.float())
        return {"window_size": self.window, "softcap": self.cap, "alibi_slopes": slopes, "sinks": sinks}


def reference(q: T, k: T, v: T, how: Scores, drawn: T | None = None) -> tuple[T, T]:
    """(out, lse) of (batch, heads, rows, size) in float64, the last query beside the last key. `drawn`: dropout's factors."""
    k, v = (x.repeat_interleave(q.shape[1] // k.shape[1], 1) for x in (k, v))
    rows, columns = q.shape[2], k.shape[2]
    s = q @ k.mT / math.sqrt(q.shape[-1])
    if how.cap:
        s = how.cap * torch.tanh(s / how.cap)
    ahead = torch.arange(columns) - (torch.arange(rows)[:, None] + columns - rows)
    if how.slopes is not None:
        s = s - how.slopes[..., :, None, None] * ahead.abs()
    for edge, outside in zip(how.window, (ahead < -how.window[0], ahead > how.window[1])):
        s = s.masked_fill(outside, -math.inf) if edge >= 0 else s
    if how.sinks is not None:
        s = torch.cat([s, how.sinks[None, :, None, None].expand(*s.shape[:3], 1)], -1)
    nothing = (s == -math.inf).all(-1, keepdim=True)
    p = torch.where(nothing, 0, torch.softmax(torch.where(nothing, 0, s), -1))
    p = p[..., :columns]
    return (p if drawn is None else p * drawn) @ v, torch.logsumexp(s, -1)


def close(got: Any, right: T, tolerance: float = 2e-5) -> None:
    torch.testing.assert_close(torch.from_numpy(got.detach().double().numpy()), right.detach(), rtol=tolerance, atol=tolerance)


def finite(lib: Any, lse: Any) -> Any:
    return lib.where(lib.isinf(lse), lib.zeros_like(lse), lse)


def check_gradients(ours: tuple[Any, Any, list[Any]], theirs: tuple[T, T, list[T]], tolerance: float = 1e-4) -> None:
    """Of a loss of the output and of the logarithms."""
    (out, lse, inputs), (right, right_lse, others) = ours, theirs
    weight, of_lse = torch.randn_like(right), torch.randn_like(right_lse)
    expected = torch.autograd.grad((right * weight).sum() + (finite(torch, right_lse) * of_lse).sum(), others, allow_unused=True)
    loss = (out.double() * flow.from_torch(weight)).sum() + (finite(flow, lse).double() * flow.from_torch(of_lse)).sum()
    for got, wanted in zip(flow.autograd.grad(loss, inputs), expected):
        close(got, torch.zeros(tuple(got.shape), dtype=torch.float64) if wanted is None else wanted, tolerance)


def scores_of(kind: str, window: tuple[int, int], heads: int) -> Scores:
    some = torch.rand(heads, dtype=torch.float64)
    return Scores(
        window, 1.5 if "cap" in kind else 0.0, some if "slopes" in kind else None,
        torch.randn(heads, dtype=torch.float64).requires_grad_() if "sinks" in kind else None,
    )  # fmt: skip


@pytest.mark.sampled(most=8)
@pytest.mark.parametrize("kind", ["", "cap", "slopes", "sinks", "cap slopes sinks"])
@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("rows, columns, heads, shared", [(5, 5, 2, 2), (5, 9, 4, 2), (70, 130, 4, 2), (9, 5, 2, 1), (1, 3000, 8, 2)])
def test_scores(kind: str, window: tuple[int, int], rows: int, columns: int, heads: int, shared: int) -> None:
    how = scores_of(kind, window, heads)
    theirs = [torch.randn(2, n, h, d, dtype=torch.float64) for n, h, d in ((rows, heads, 16), (columns, shared, 16), (columns, shared, 12))]
    ours = [flow.from_torch(x.float()).requires_grad_() for x in theirs]
    theirs = [x.float().double().requires_grad_() for x in theirs]
    given = how.given()
    out, lse, _ = flash_attn_func(*ours, **given, return_attn_probs=True)
    right, right_lse = reference(*(x.transpose(1, 2) for x in theirs), how)
    close(out, right.transpose(1, 2))
    close(lse, right_lse)
    trained = ([*ours, given["sinks"]], [*theirs, how.sinks]) if how.sinks is not None else (ours, theirs)
    check_gradients((out, lse, trained[0]), (right.transpose(1, 2), right_lse, trained[1]))


@pytest.mark.parametrize("dtype, tolerance", [(torch.float64, 1e-12), (torch.bfloat16, 3e-2), (torch.float16, 4e-3)])
def test_dtypes(dtype: torch.dtype, tolerance: float) -> None:
    how = Scores((20, 0), 2.0)
    theirs = [torch.randn(1, n, h, 16, dtype=torch.float64).to(dtype) for n, h in ((40, 4), (60, 2), (60, 2))]
    ours = [flow.from_torch(x).requires_grad_() for x in theirs]
    wide = [x.double().requires_grad_() for x in theirs]
    out, lse, _ = flash_attn_func(*ours, window_size=how.window, softcap=how.cap, return_attn_probs=True)
    right, right_lse = reference(*(x.transpose(1, 2) for x in wide), how)
    close(out, right.transpose(1, 2), tolerance)
    check_gradients((out, lse, ours), (right.transpose(1, 2), right_lse, wide), tolerance)


class Sequences:
    """Random sequences one behind the other, their pages, and what attention of each gives."""

    def __init__(self, seed: int) -> None:
        chance = random.Random(seed)
        torch.manual_seed(seed)
        self.shared = chance.choice([1, 2])
        self.heads, size = self.shared * chance.choice([1, 3, 4]), chance.choice([8, 16, 20])
        count, alike = chance.randint(1, 4), chance.random() < 0.5
        self.rows = [*[chance.choice([0, 1, 2, 5, 17, 70]) for _ in range(count - 1)], chance.choice([1, 9])]
        self.columns = self.rows if alike else [chance.choice([0, 1, 3, 40, 90]) for _ in range(count)]
        behind = chance.choice([0, 3])
        self.behind = behind, behind if alike else 5
        kind = " ".join(chance.sample(["cap", "slopes", "sinks"], chance.randint(0, 3)))
        self.how = scores_of(kind, chance.choice(WINDOWS), self.heads)
        self.q = torch.randn(sum(self.rows) + self.behind[0], self.heads, size)
        self.k, self.v = (torch.randn(sum(self.columns) + self.behind[1], self.shared, n) for n in (size, chance.choice([size, 12])))
        self.starts = [torch.tensor([0, *n]).cumsum(0).int() for n in (self.rows, self.columns)]
        self.most = max(self.rows) + chance.choice([0, 1]), max(self.columns) + chance.choice([0, 7])
        self.page = chance.choice([1, 4, 16, 48])
        self.junk = chance.choice([-7, 10**6])

    def right(self, q: T, k: T, v: T) -> tuple[T, T]:
        """(out, lse) of all rows; those behind the last sequence give 0 and -inf."""
        parts = []
        for (a, b), (c, d) in zip(*([*zip(s.tolist(), s.tolist()[1:])] for s in self.starts)):
            out, lse = reference(*(x.transpose(0, 1)[None] for x in (q[a:b], k[c:d], v[c:d])), self.how)
            parts.append((out[0].transpose(0, 1), lse[0]))
        rest = (torch.zeros(self.behind[0], self.heads, v.shape[-1]), torch.full((self.heads, self.behind[0]), -math.inf))
        outs, lses = zip(*parts, rest)
        return torch.cat(outs), torch.cat(lses, 1)

    def pages(self) -> tuple[T, T, T]:
        """(pages of keys, pages of values, table): what no sequence has is NaN, and entries behind its last are no pages."""
        counts = [-(-n // self.page) for n in self.columns]
        order = torch.randperm(sum(counts) + 3).tolist()
        keys, values = (torch.full((len(order), self.page, *x.shape[1:]), math.nan) for x in (self.k, self.v))
        table = torch.full((len(counts), max(*counts, 1) + 1), self.junk, dtype=torch.int32)
        for number, (count, start, size) in enumerate(zip(counts, self.starts[1].tolist(), self.columns)):
            for entry in range(count):
                table[number, entry] = own = order.pop()
                low, high = start + entry * self.page, start + min(size, (entry + 1) * self.page)
                keys[own, : high - low], values[own, : high - low] = self.k[low:high], self.v[low:high]
        return keys, values, table


SEEDS = [pytest.param(seed, marks=[pytest.mark.long] if seed >= 10 else []) for seed in range(60)]


@pytest.mark.parametrize("seed", SEEDS)
def test_sequences(seed: int) -> None:
    s = Sequences(seed)
    ours = [flow.from_torch(x.clone()).requires_grad_() for x in (s.q, s.k, s.v)]
    theirs = [x.double().requires_grad_() for x in (s.q, s.k, s.v)]
    given = s.how.given()
    q_starts, k_starts = map(flow.from_torch, s.starts)
    out, lse, _ = flash_attn_varlen_func(*ours, q_starts, k_starts.long(), *s.most, **given, return_attn_probs=True)
    right, right_lse = s.right(*theirs)
    close(out, right)
    close(lse, right_lse)
    trained = ([*ours, given["sinks"]], [*theirs, s.how.sinks]) if s.how.sinks is not None else (ours, theirs)
    check_gradients((out, lse, trained[0]), (right, right_lse, trained[1]))


@pytest.mark.parametrize("seed", SEEDS)
def test_pages(seed: int) -> None:
    s = Sequences(seed)
    keys, values, table = map(flow.from_torch, s.pages())
    used = flow.tensor(s.columns, dtype=flow.int32)
    starts = flow.from_torch(s.starts[0])
    out, lse, _ = flash_attn_varlen_func(
        flow.from_torch(s.q), keys, values, starts, None, *s.most, **s.how.given(trains=False), return_attn_probs=True,
        block_table=table, seqused_k=used,
    )  # fmt: skip
    right, right_lse = s.right(*(x.double() for x in (s.q, s.k, s.v)))
    close(out, right)
    close(lse, right_lse)


@pytest.mark.parametrize("kind", ["batches", "chosen batches", "pages"])
@pytest.mark.parametrize("rows, new, capacity", [(1, 1, 3000), (1, 0, 64), (3, 3, 64), (2, 1, 64)])
def test_caches(kind: str, rows: int, new: int, capacity: int) -> None:
    """New keys are written behind those in use, and read."""
    used = torch.tensor([0, 17, capacity - new])
    q, added = torch.randn(3, rows, 4, 16), [torch.randn(3, new, 2, 16) for _ in range(2)]
    caches = [torch.randn(3, capacity, 2, 16) for _ in range(2)]
    table = torch.randperm(5)[:3, None] if kind != "pages" else torch.randperm(3 * capacity // 4 + 2)[: 3 * capacity // 4].view(3, -1)
    stored = [x.clone() for x in caches]
    if kind != "batches":
        size = capacity if kind == "chosen batches" else 4
        stored = [torch.full((int(table.max()) + 1, size, 2, 16), math.nan) for _ in caches]
        for cache, pages in zip(caches, stored):
            pages[table] = cache.view(3, -1, size, 2, 16)
    ours = [flow.from_torch(x) for x in stored]
    options = {"block_table": flow.from_torch(table.int())} if kind == "pages" else {}
    options |= {"cache_batch_idx": flow.from_torch(table[:, 0].int())} if kind == "chosen batches" else {}
    writes = [flow.from_torch(x) for x in added] if new else [None, None]
    out, lse = flash_attn_with_kvcache(
        flow.from_torch(q), *ours, *writes, cache_seqlens=flow.from_torch(used.int()), causal=True, window_size=(40, -1), return_softmax_lse=True, **options
    )  # fmt: skip
    for number, count in enumerate(used.tolist()):
        for cache, x in zip(caches, added):
            cache[number, count : count + new] = x[number]
        mine = [x[number : number + 1, : count + new].double().transpose(1, 2) for x in caches]
        right, right_lse = reference(q[number : number + 1].double().transpose(1, 2), *mine, Scores((40, 0)))
        close(out[number : number + 1], right.transpose(1, 2))
        close(lse[number : number + 1], right_lse)
    if kind == "batches":
        for got, wanted in zip(ours, caches):
            assert torch.equal(torch.from_numpy(got.numpy()), wanted)


@pytest.mark.parametrize("interleaved", [True, False])
@pytest.mark.parametrize("causal", [True, False])
def test_new_keys_are_turned(interleaved: bool, causal: bool) -> None:
    """By their positions behind those in use; queries at theirs if they are in an order."""
    q, k = torch.randn(2, 3, 4, 16), torch.randn(2, 3, 2, 16)
    caches = [torch.randn(2, 20, 2, 16) for _ in range(2)]
    angles = torch.arange(20.0)[:, None] * torch.tensor([1.0, 0.3, 0.1, 0.03])
    used = [0, 11]

    def turned(x: T, position: int) -> T:
        a, b = (x[..., 0:8:2], x[..., 1:8:2]) if interleaved else (x[..., :4], x[..., 4:8])
        cos, sin = angles[position].cos(), angles[position].sin()
        a, b = a * cos - b * sin, b * cos + a * sin
        return torch.cat([torch.stack([a, b], -1).flatten(-2) if interleaved else torch.cat([a, b], -1), x[..., 8:]], -1)

    out = flash_attn_with_kvcache(
        flow.from_torch(q), *map(flow.from_torch, caches), *[flow.from_torch(k)] * 2, flow.from_torch(angles.cos()),
        flow.from_torch(angles.sin()), flow.tensor(used, dtype=flow.int32), causal=causal, rotary_interleaved=interleaved,
    )  # fmt: skip
    for n, count in enumerate(used):
        query = torch.stack([turned(q[n, i], count + i if causal else count) for i in range(3)])
        keys = torch.cat([caches[0][n, :count], torch.stack([turned(k[n, i], count + i) for i in range(3)])])
        values = torch.cat([caches[1][n, :count], k[n]])
        mine = (x.double().transpose(0, 1)[None] for x in (query, keys, values))
        close(out[n : n + 1], reference(*mine, Scores((-1, 0) if causal else (-1, -1)))[0].transpose(1, 2))


def test_one_piece_depends_on_no_other_sequence() -> None:
    q, k = flow.randn(2, 4, 16), flow.randn(6000, 2, 16)
    starts, ends = flow.tensor([0, 1, 2], dtype=flow.int32), flow.tensor([0, 3000, 6000], dtype=flow.int32)
    both = varlen_attn(q, k, k, starts, ends, 1, 3000, enable_gqa=True, num_splits=1)
    for n in range(2):
        alone = varlen_attn(q[n : n + 1], *[k[3000 * n : 3000 * n + 3000]] * 2, starts[:2], ends[:2], 1, 3000, enable_gqa=True, num_splits=1)
        assert flow.equal(both[n : n + 1], alone)


def test_torchs_name_gives_logarithms_where_asked() -> None:
    q, ends = flow.randn(5, 2, 8), flow.tensor([0, 3, 5], dtype=flow.int32)
    out, lse = varlen_attn(q, q, q, ends, ends, 3, 3, return_aux=AuxRequest(lse=True))
    assert flow.equal(out, varlen_attn(q, q, q, ends, ends, 3, 3)) and lse.shape == (2, 5)


BAD_NUMBERS = {
    "falls": lambda q, i: flash_attn_varlen_func(q, q, q, i(0, 4, 3), i(0, 3, 5), 5, 5),
    "begins late": lambda q, i: flash_attn_varlen_func(q, q, q, i(1, 3, 5), i(0, 3, 5), 5, 5),
    "too far": lambda q, i: flash_attn_varlen_func(q, q, q, i(0, 3, 6), i(0, 3, 5), 5, 5),
    "too long": lambda q, i: flash_attn_varlen_func(q, q, q, i(0, 3, 5), i(0, 3, 5), 2, 5),
    "keys too long": lambda q, i: flash_attn_varlen_func(q, q, q, i(0, 3, 5), i(0, 3, 5), 5, 2),
    "no page": lambda q, i: flash_attn_varlen_func(
        q, *[q[None]] * 2, i(0, 3, 5), None, 5, 5, block_table=i(0, 1).reshape(2, 1), seqused_k=i(3, 2)
    ),
    "more than the cache": lambda q, i: flash_attn_with_kvcache(q[None], q[None], q[None], cache_seqlens=i(6)),
}


@pytest.mark.parametrize("name", BAD_NUMBERS)
def test_bad_numbers_are_errors(name: str) -> None:
    with pytest.raises(IndexError, match="starts must rise"):
        BAD_NUMBERS[name](flow.ones(5, 2, 8), lambda *n: flow.tensor(n, dtype=flow.int32))
        flow.sync()


WRONG = {
    "dimensions": (lambda q, i: flash_attn_func(q, q, q), "4 dimensions"),
    "dtypes": (lambda q, i: flash_attn_func(q[None], q[None].double(), q[None]), "one floating dtype"),
    "heads": (lambda q, i: flash_attn_func(q[None], *[flow.ones(1, 5, 3, 8)] * 2), "cannot share"),
    "sizes": (lambda q, i: flash_attn_func(q[None], *[flow.ones(1, 5, 2, 9)] * 2), "do not fit together"),
    "batches": (lambda q, i: flash_attn_func(q[None], *[flow.ones(2, 5, 2, 8)] * 2), "batches"),
    "wide heads": (lambda q, i: flash_attn_func(*[flow.ones(1, 5, 2, 300)] * 3), "at most the size 256"),
    "dropout": (lambda q, i: flash_attn_func(*[q[None]] * 3, 1.1), "between 0 and 1"),
    "cap": (lambda q, i: flash_attn_func(*[q[None]] * 3, softcap=-1.0), "negative"),
    "window": (lambda q, i: flash_attn_func(*[q[None]] * 3, window_size=3), "two integers"),
    "slopes": (lambda q, i: flash_attn_func(*[q[None]] * 3, alibi_slopes=flow.ones(3)), "alibi_slopes must be"),
    "slopes that train": (lambda q, i: flash_attn_func(*[q[None]] * 3, alibi_slopes=flow.ones(2).requires_grad_()), "no gradient"),
    "sinks": (lambda q, i: flash_attn_func(*[q[None]] * 3, sinks=flow.ones(3)), "sinks must be"),
    "starts": (lambda q, i: flash_attn_varlen_func(q, q, q, i(0, 5).float(), i(0, 5), 5, 5), "int32 or int64"),
    "sequences": (lambda q, i: flash_attn_varlen_func(q, q, q, i(0, 5), i(0, 3, 5), 5, 5), "has 2 sequences"),
    "pages without lengths": (
        lambda q, i: flash_attn_varlen_func(q, q[None], q[None], i(0, 5), None, 5, 5, block_table=i(0).reshape(1, 1)), "needs seqused_k"
    ),
    "training on a cache": (
        lambda q, i: flash_attn_with_kvcache(q[None].requires_grad_(), q[None], q[None], cache_seqlens=3), "no gradients"
    ),
    "half of the new keys": (lambda q, i: flash_attn_with_kvcache(*[q[None]] * 4, cache_seqlens=3), "together"),
    "torch's heads": (lambda q, i: varlen_attn(flow.ones(5, 4, 8), q, q, i(0, 5), i(0, 5), 5, 5), "enable_gqa=True"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_wrong_calls(name: str) -> None:
    call, text = WRONG[name]
    with pytest.raises((ValueError, RuntimeError, TypeError, NotImplementedError), match=text):
        call(flow.ones(5, 2, 8), lambda *n: flow.tensor(n, dtype=flow.int32))


@pytest.mark.parametrize("kind", ["", "cap slopes sinks"])
def test_compiled(kind: str) -> None:
    """A compiled step has eager mode's numbers, for other starts too."""
    how = scores_of(kind, (6, 0), 4)
    given = how.given()

    def step(q: Any, k: Any, v: Any, starts: Any) -> Any:
        out = flash_attn_varlen_func(q, k, v, starts, starts, 12, 12, **given)
        return flow.autograd.grad(out.square().sum(), [q, k, v])

    compiled = flow.compile(step)
    for ends in ([0, 5, 12], [0, 12, 12], [0, 1, 10]):
        x = [flow.randn(12, heads, 8).requires_grad_() for heads in (4, 2, 2)]
        starts = flow.tensor(ends, dtype=flow.int32)
        for got, wanted in zip(compiled(*x, starts), step(*x, starts)):
            assert flow.allclose(got, wanted, rtol=1e-6, atol=1e-7)


def test_compiled_for_many_sizes() -> None:
    """Tokens, sequences and pages are symbols of one capture: no number of them is needed."""

    def attend(q: Any, k: Any, v: Any, starts: Any, used: Any, table: Any) -> Any:
        most = table.shape[1] * k.shape[1]
        return flash_attn_varlen_func(q, k, v, starts, None, q.shape[0], most, causal=True, block_table=table, seqused_k=used)

    compiled = flow.compile(attend, fullgraph=True)
    k, v = flow.randn(9, 4, 2, 8), flow.randn(9, 4, 2, 8)
    for lengths, pages in (([3, 2], 2), ([1, 4, 2], 3), ([2, 2, 2, 5], 4)):
        starts = flow.tensor([0, *(sum(lengths[: n + 1]) for n in range(len(lengths)))], dtype=flow.int32)
        used = flow.tensor([n + 1 for n in lengths], dtype=flow.int32)
        table = flow.randint(0, 9, (len(lengths), pages), dtype=flow.int32)
        q = flow.randn(sum(lengths), 4, 8)
        for x in (q, starts, used, table):
            flow.mark_dynamic(x, 0)
        flow.mark_dynamic(table, 1)
        got, wanted = (each(q, k, v, starts, used, table) for each in (compiled, attend))
        assert flow.allclose(got, wanted, rtol=1e-6, atol=1e-7)
    assert len({captured.template for captured in compiled.captures()}) == 1


WRONG_CALLS = {
    "sinks of other heads": {"sinks": flow.ones(3)},
    "slopes of other heads": {"alibi_slopes": flow.ones(5)},
    "a window of one number": {"window_size": 3},
    "a scale that is no number": {"softmax_scale": "a"},
    "a number of keys below 0": {"cache_seqlens": -1},
    "numbers of keys below 0": {"cache_seqlens": flow.tensor([-2], dtype=flow.int32)},
    "a batch of the cache below 0": {"cache_batch_idx": flow.tensor([-1], dtype=flow.int32)},
    "a page below 0": {"block_table": flow.tensor([[-1]], dtype=flow.int32)},
    "new keys that want a gradient": {"k": flow.ones(1, 1, 2, 8, requires_grad=True)},
}


@pytest.mark.parametrize("name", WRONG_CALLS)
def test_wrong_calls_leave_the_cache(name: str) -> None:
    """A row or page below 0 was the last one, and what raised later had appended already."""
    new, caches = flow.ones(1, 1, 2, 8), [flow.zeros(1, 16, 2, 8) for _ in range(2)]
    given = {"k": new, "v": new, "cache_seqlens": flow.tensor([3], dtype=flow.int32), **WRONG_CALLS[name]}
    with pytest.raises((ValueError, TypeError, RuntimeError, IndexError)):
        flash_attn_with_kvcache(new, *caches, **given)
        flow.sync()
    assert all(not cache.any() for cache in caches)


@pytest.mark.parametrize("trains", [True, False])
def test_sinks_that_change_before_the_backward(trains: bool) -> None:
    """The gradient of sinks reads them again, and raises. That of the queries has what the forward stored: it needs no sinks."""
    q, k, v = (torch.randn(1, 5, 2, 16, dtype=torch.float64, requires_grad=True) for _ in range(3))
    sinks = torch.randn(2, dtype=torch.float64)
    inputs = [flow.from_torch(x.detach()).requires_grad_() for x in (q, k, v)]
    given = flow.from_torch(sinks.clone()).requires_grad_(trains)
    out = flash_attn_func(*inputs, sinks=given)
    with flow.no_grad():
        given += 1
    if trains:
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            out.sum().backward()
        return
    out.sum().backward()
    right, _ = reference(*(x.transpose(1, 2) for x in (q, k, v)), Scores(sinks=sinks))
    right.sum().backward()
    for got, wanted in zip(inputs, (q, k, v)):
        close(got.grad, wanted.grad, 1e-10)

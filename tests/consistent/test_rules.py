"""Every signature that an op has gives the numbers of the whole op: in the rule simulator, without ranks.

The calls are those of the registry's samples, forward, backward and in place, in float64, where a sum of shares is exact enough
for the tolerances of ops. The ordinary run has a few calls of ops whose signatures are written by hand. `-m long` has more calls
of every op, `-m hours` many, on every mesh.
"""

from __future__ import annotations

import re
from typing import Any

import numpy
import pytest
import torch

import tritonflow as flow
from tests.consistent import simulate_rules
from tests.consistent.simulate_rules import HALVES, OpCall, check, record, text_of
from tests.kernels.op_calls import calls_of, more_calls
from tests.op_samples import entries, tested_entries
from tests.ops.sides import twin
from tests.sampling import quick_by_turn
from tritonflow.errors import TritonflowError
from tritonflow.framework.meta import contiguous_meta
from tritonflow.framework.sbp import partial_sum
from tritonflow.functions.attention_paged import paged_append
from tritonflow.nn.attention.flash import flash_attn_func
from tritonflow.ops.registry import OPS
from tritonflow.ops.sbp.factors import parse, rule_of
from tritonflow.ops.sbp.signature import NdSignature, nd_signatures

MESHES = ((2,), (3,), (4,), (8,), (2, 2), (2, 3), (2, 4), (4, 16))
QUICK_MESHES = ((2,), (3,), (2, 2))
LONG_MESHES = ((4,), (8,), (2, 3), (2, 4))
DTYPES = (torch.float64, torch.int64, torch.bool)
UNKNOWN = ("empty",)  # whose results are whatever was in memory


def calls_from(name: str, dtype: torch.dtype, rng: numpy.random.Generator, samples: int) -> list[OpCall]:
    """The calls of ops that the first samples of an entry lead to, one of each key."""

    def run() -> None:
        for call in calls_of(entries()[name], dtype, rng, False, samples, "cpu"):
            try:
                call.run(lambda x: flow.from_torch(twin(x)))
            except (TritonflowError, IndexError, NotImplementedError):
                continue

    return [call for call in record(run) if call.op.name not in UNKNOWN and not reads_outside(call)]


def reads_outside(call: OpCall) -> bool:
    """Whether a view by strides has elements of the storage that its recorded input does not have."""
    if call.op.name != "as_strided":
        return False
    (size, stride, elements), x = call.attrs, call.inputs[0]
    assert x is not None
    return elements < 0 or elements + sum((n - 1) * s for n, s in zip(size, stride)) >= max(x.numel(), 1)


def is_derived(call: OpCall) -> bool:
    """Whether its signatures are those of any pointwise op, and no more."""
    return call.op.definition.kind == "pointwise" and not call.op.definition.linear


def spread(calls: list[OpCall], most: int) -> list[OpCall]:
    """Up to `most` calls of each op."""
    by_op: dict[str, list[OpCall]] = {}
    for call in calls:
        by_op.setdefault(call.op.name, []).append(call)
    return [own[k * len(own) // min(len(own), most)] for own in by_op.values() for k in range(min(len(own), most))]


def check_all(calls: list[OpCall], meshes: tuple[tuple[int, ...], ...], rng: numpy.random.Generator) -> None:
    failures = []
    for call in calls:
        if any(x is not None and x.dtype in HALVES for x in call.inputs):
            continue  # their shares are rounded by more than results may differ
        for mesh in meshes:
            try:
                check(call, mesh, rng)
            except AssertionError as error:
                failures.append(str(error))
                break
    assert not failures, f"{len(failures)} of {len(calls)} calls:\n" + "\n\n".join(failures[:5])


_seen: set[str] = set()


@pytest.mark.parametrize("name", quick_by_turn([e.name for e in tested_entries()], (), 0, 6))
def test_a_few_calls(name: str, rng: numpy.random.Generator) -> None:
    calls = [c for c in calls_from(name, torch.float64, rng, 4) if not is_derived(c) and c.op.name not in _seen]
    chosen = spread(calls, 1)
    check_all(chosen, QUICK_MESHES, rng)
    _seen.update(c.op.name for c in chosen)


@pytest.mark.long
@pytest.mark.parametrize("name", [e.name for e in tested_entries() if e.ops])
def test_more_calls(name: str, rng: numpy.random.Generator) -> None:
    """Of entries with ops of their own: the others call these, and are all in hours."""
    for dtype in DTYPES:
        check_all(spread(calls_from(name, dtype, rng, 10), 3), LONG_MESHES, rng)


@pytest.mark.hours
@pytest.mark.parametrize("name", [e.name for e in tested_entries()])
def test_every_call(name: str, rng: numpy.random.Generator) -> None:
    for dtype in DTYPES:
        calls = spread(calls_from(name, dtype, rng, 40), 12)
        check_all(calls, MESHES, rng)


def _without_samples() -> list[Any]:
    names = [n for n in more_calls("cpu", flow.from_torch) if not n.startswith("shards")]  # those are what a rule has given
    quick = [n for n in names if n.endswith("float32") and "attention" not in n]
    return [n if n in quick else pytest.param(n, marks=pytest.mark.long) for n in names]


@pytest.mark.parametrize("name", _without_samples())
@pytest.mark.sampled(most=9)
def test_calls_that_have_no_samples(name: str, rng: numpy.random.Generator) -> None:
    """Random numbers, optimizers, and what is done to all gradients."""
    call = more_calls("cpu", lambda x: flow.from_torch(twin(x)))[name]
    check_all([c for c in record(call) if not is_derived(c) and c.op.name not in UNKNOWN], QUICK_MESHES, rng)


def test_products_of_groups(rng: numpy.random.Generator) -> None:
    """What the groups divide stays whole, as their ends count in all of it; the other dimensions may be split."""

    def product(a: tuple[int, ...], b: tuple[int, ...]) -> Any:
        factors = [flow.from_torch(torch.from_numpy(rng.standard_normal(shape))) for shape in (a, b)]
        return flow.nn.functional.grouped_mm(*factors, offs=flow.tensor([2, 2, 7]))

    shapes = (((9, 4), (3, 4, 5)), ((3, 4, 5), (5, 9)), ((4, 9), (9, 5)))
    calls = record(lambda: [product(*each) for each in shapes])
    calls = [c for c in calls if c.op.name == "grouped_product"]
    assert len(calls) == 3
    check_all(calls, QUICK_MESHES, rng)
    found = [nd_signatures(c.op.definition, c.metas, c.attrs, (2,)) for c in calls]
    assert all(len(signatures) >= 5 for signatures in found), "rows or columns, the sum, and partial factors"


def test_pages_of_a_cache(rng: numpy.random.Generator) -> None:
    """Heads of keys and values may be split with those of their caches, heads of queries apart, in any numbers."""

    def append(heads: int, shared: int) -> None:
        q, k, v = [flow.from_torch(torch.from_numpy(rng.standard_normal((5, n, 8)))) for n in (heads, shared, shared)]
        keys, values = [flow.from_torch(torch.from_numpy(rng.standard_normal((3, 4, shared, 8)))) for _ in range(2)]
        angles = flow.from_torch(torch.from_numpy(rng.standard_normal((9, 4))))
        slots, positions = flow.tensor([7, 0, 11, 3, 8]), flow.tensor([2, 3, 4, 8, 0])
        paged_append(k, v, slots, keys, values)
        paged_append(k, v, slots, keys, values, q, angles.cos(), angles.sin(), positions)

    calls = [c for heads in ((4, 2), (3, 1), (1, 1)) for c in record(lambda: append(*heads)) if c.op.name == "paged_append"]  # noqa: B023
    found = [text_of(s) for s in nd_signatures(calls[1].op.definition, calls[1].metas, calls[1].attrs, (2,))]
    assert found == [
        "(S1, S1, B, S2, S2, S1, B, B, B) -> (S1)", "(B, B, B, B, B, S1, B, B, B) -> (S1)", "(S1, S1, B, S2, S2, B, B, B, B) -> (B)",
        "(B, B, B, B, B, B, B, B, B) -> (B)",
    ]  # fmt: skip
    assert [check(c, mesh, rng) for c in calls for mesh in QUICK_MESHES] == [2, 2, 4, 4, 4, 16] * 3


def test_losses_of_a_linear_map(rng: numpy.random.Generator) -> None:
    """Rows may be split: gradients of the weight are partial sums."""

    def losses() -> None:
        x, w, b = [flow.from_torch(torch.from_numpy(rng.standard_normal(shape))).requires_grad_() for shape in ((9, 4), (5, 4), (5,))]
        t = flow.from_torch(torch.from_numpy(rng.integers(0, 5, 9)))
        for options in ({"reduction": "none"}, {"reduction": "sum"}, {"lse_square_scale": 0.1}, {"label_smoothing": 0.1}):
            flow.nn.functional.linear_cross_entropy(x, w, t, linear_bias=b, **options).sum().backward()

    calls = [c for c in record(losses) if c.op.name.startswith("chunked_cross_entropy")]
    assert len(calls) == 5
    check_all(calls, QUICK_MESHES, rng)
    assert all(len(nd_signatures(c.op.definition, c.metas, c.attrs, (2,))) == 2 for c in calls)


def test_mixtures_of_experts(rng: numpy.random.Generator) -> None:
    """Logits may be split by tokens, and what goes to experts by features."""

    def mixture() -> None:
        x, logits = [flow.from_torch(torch.from_numpy(rng.standard_normal(shape))).requires_grad_() for shape in ((9, 4), (9, 6))]
        weights, indices = flow.nn.functional.moe_topk(logits, 2)
        rows, positions, _ = flow.nn.functional.moe_permute(x, indices, 6)
        flow.nn.functional.moe_unpermute(rows * 2, positions, weights).sum().backward()

    calls = [c for c in record(mixture) if c.op.name.startswith("moe_")]
    assert {c.op.name for c in calls} == {"moe_route", "moe_positions", "moe_spread", "moe_combine", "moe_dots"}
    check_all(calls, QUICK_MESHES, rng)
    found = {c.op.name: len(nd_signatures(c.op.definition, c.metas, c.attrs, (2,))) for c in calls}
    assert all(count > 1 for name, count in found.items() if name != "moe_positions"), found


def test_partial_plus_scalar_pytorch_149768(rng: numpy.random.Generator) -> None:
    """Every rank would add the scalar: what is affine keeps no partial sum (pytorch#149768, of clip_grad)."""
    for name in ("scalar_add", "scalar_sub", "scalar_add_reversed", "scalar_sub_reversed", "masked_fill", "where_scalar_y"):
        assert OPS[name].linear == (), name
    x = torch.from_numpy(rng.standard_normal(5))
    (call,) = record(lambda: flow.from_torch(x) + 1e-6)
    found = nd_signatures(call.op.definition, call.metas, call.attrs, (2,))
    assert not any(sbp.is_partial for signature in found for sbp in signature.inputs[0] or ())
    assert check(call, (2,), rng) == len(found) == 2


def test_the_simulator_sees_a_sum_that_is_added_by_every_rank(rng: numpy.random.Generator, monkeypatch: pytest.MonkeyPatch) -> None:
    """However small the scalar is beside the shares: the bound is of roundings only."""
    (call,) = record(lambda: flow.from_torch(torch.from_numpy(rng.standard_normal(5))) + 1e-10)
    wrong = NdSignature(((partial_sum,),), ((partial_sum,),), False)
    monkeypatch.setattr(simulate_rules, "nd_signatures", lambda *_: [wrong])
    with pytest.raises(AssertionError, match="not close"):
        check(call, (64,), rng)


def test_linear_ops_keep_partial_sums() -> None:
    linear = {name: OPS[name].linear for name in ("add", "sub", "mul", "div", "where", "scalar_mul", "negative", "addcmul")}
    assert linear == {
        **dict.fromkeys(("add", "sub"), ((0, 1),)), "mul": ((0,), (1,)), "div": ((0,),), "where": ((1, 2),),
        **dict.fromkeys(("scalar_mul", "negative"), ((0,),)), "addcmul": ((0, 1), (0, 2)),
    }  # fmt: skip
    for name in ("square", "exp", "relu", "maximum", "scalar_div_reversed", "eq"):
        assert OPS[name].linear == (), name


def test_most_ops_do_better_than_broadcast() -> None:
    """Broadcast alone needs a reason, and few ops have one."""
    ops = [op for entry in entries().values() for op in entry.ops if op.kind != "consistent"]
    reasons = {op.name: op.broadcast_only for op in ops if op.sbp == "broadcast"}
    share = 1 - len(reasons) / len(ops)
    print(f"{share:.1%} of {len(ops)} ops have a signature besides broadcast; the others: {reasons}")
    assert share >= 0.97
    assert not [name for name, reason in reasons.items() if len(reason) < 20]


# ------------------------------------------------------------------------------------------------ factor strings


def signatures_said(text: str, *shapes: tuple[int, ...] | None) -> list[str]:
    """The signatures of a factor string for inputs of some shapes."""
    metas = [None if s is None else contiguous_meta(s, flow.float32, flow.device("cpu")) for s in shapes]
    found = rule_of(text)(OPS["matmul"], tuple(metas), ())
    sides = [["-" if s is None else str(s) for s in side] for f in found for side in (f.inputs, f.outputs)]
    return [f"{' '.join(i)} -> {' '.join(o)}" for i, o in zip(sides[::2], sides[1::2])]


def test_factor_strings() -> None:
    text = "m k, n k, +n? -> m n | 0+2, 1+2"
    rows, columns, sums = "S0 B B -> S0", "B S0 S0 -> S1", "S1 S1 P -> P"
    assert signatures_said(text, (4, 5), (3, 5), (3,)) == [rows, sums, columns, "P B P -> P", "B P P -> P"]
    assert signatures_said(text, (4, 5), (3, 5), None) == [
        "S0 B - -> S0", "S1 S1 - -> P", "B S0 - -> S1", "P B - -> P", "B P - -> P",
    ]  # fmt: skip
    assert signatures_said("... h! w! -> ... h! w!", (2, 3, 4, 5)) == ["S0 -> S0", "S1 -> S1"]
    assert signatures_said("... m, ... m -> ...", (2, 1, 6), (3, 6)) == ["S0 B -> S0", "B S0 -> S1", "S2 S1 -> P"]
    assert signatures_said("n k:max -> n", (2, 3)) == ["S0 -> S0", "S1 -> Pmax"]


@pytest.mark.parametrize("text", ["m K -> m", "m, n", "m k:mean -> m"])
def test_wrong_factor_strings(text: str) -> None:
    with pytest.raises(ValueError, match=re.escape(repr(text))):
        parse(text)


def test_factor_strings_of_the_registry() -> None:
    """Each has as many operands as its op has tensors."""
    strings = [op for op in OPS.values() if "->" in op.sbp]
    assert strings
    for op in strings:
        factors = parse(op.sbp)
        assert (len(factors.inputs), len(factors.outputs)) == (len(op.inputs), len(op.outputs)), op.name


@pytest.mark.parametrize(
    ("batch", "heads", "rows", "causal", "mesh"),
    [
        (3, 2, 6, False, (3,)),
        pytest.param(1, 3, 6, True, (3,), marks=pytest.mark.long),
        pytest.param(2, 4, 5, False, (2, 2), marks=pytest.mark.long),
    ],
)
def test_dropped_attention(
    batch: int, heads: int, rows: int, causal: bool, mesh: tuple[int, ...], rng: numpy.random.Generator
) -> None:
    """The weights that are dropped are those of the whole, wherever a rank's batches, heads and rows begin."""
    q = torch.from_numpy(rng.standard_normal((batch, heads, rows, 8)))

    def attend() -> None:
        x = flow.from_torch(q).requires_grad_()
        flow.nn.functional.scaled_dot_product_attention(x, x, x, dropout_p=0.5, is_causal=causal).sum().backward()

    calls = [c for c in record(attend) if c.op.name in ("scaled_dot_product_attention", "attention_grad")]
    dims = 3 if causal else 4  # batch, heads, and rows unless a mask counts them; or none
    assert [check(c, mesh, rng) for c in calls] == [dims ** len(mesh)] * 2


@pytest.mark.parametrize(("shared", "mesh", "ways"), [(2, (2,), 3), (1, (3,), 3), (2, (2, 2), 9)])
def test_dropped_flash_attention(shared: int, mesh: tuple[int, ...], ways: int, rng: numpy.random.Generator) -> None:
    """The same with a window: batches and heads; a rank may have none of them, but the keys that others serve."""
    q, k = (torch.from_numpy(rng.standard_normal((3, 6, heads, 8))) for heads in (2, shared))

    def attend() -> None:
        x, y = (flow.from_torch(t).requires_grad_() for t in (q, k))
        flash_attn_func(x, y, y, 0.5, window_size=(2, 1)).sum().backward()

    calls = [c for c in record(attend) if c.op.name.startswith("flash_attention")]
    assert [check(c, mesh, rng) for c in calls] == [ways] * 2


def test_dropped_shares(rng: numpy.random.Generator) -> None:
    """Dropout is linear: every rank keeps the same of its share."""
    x = torch.from_numpy(rng.standard_normal((4, 6)))
    (call,) = [c for c in record(lambda: flow.nn.functional.dropout(flow.from_torch(x), 0.5)) if c.op.name == "random_dropout"]
    found = [text_of(s) for s in nd_signatures(call.op.definition, call.metas, call.attrs, (2,))]
    assert found == ["(S0, B) -> (S0, S0)", "(S1, B) -> (S1, S1)", "(P, B) -> (P, B)", "(B, B) -> (B, B)"]
    assert check(call, (3,), rng) == 4

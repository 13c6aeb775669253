"""Attention whose heads of keys are fewer than those of queries, over ranks: by the rule, in simulated worlds and on processes."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy
import pytest
import torch

import tritonflow as flow
from tests.consistent.pool import Pool
from tests.consistent.simulate_rules import OpCall, check, record, text_of
from tritonflow.framework.sbp import Sbp, broadcast, split
from tritonflow.nn.attention.flash import flash_attn_func
from tritonflow.ops.sbp.signature import nd_signatures
from tritonflow.wire.world import this_rank

F = flow.nn.functional
ROWS, COLUMNS, SIZE, BATCH = 5, 7, 8, 2


def calls(function: Any, heads: int, shared: int, rng: numpy.random.Generator) -> list[OpCall]:
    """The calls of attention and of its gradient."""
    given = [torch.from_numpy(rng.standard_normal((BATCH, n, rows, SIZE))) for n, rows in ((heads, ROWS), (shared, COLUMNS), (shared, COLUMNS))]

    def run() -> None:
        function(*[flow.from_torch(x).requires_grad_() for x in given]).sum().backward()

    return [c for c in record(run) if "attention" in c.op.name]


FUNCTIONS = {
    "plain": lambda q, k, v: F.scaled_dot_product_attention(q, k, v, enable_gqa=True),
    "causal": lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True),
    "dropped": lambda q, k, v: F.scaled_dot_product_attention(q, k, v, dropout_p=0.4, enable_gqa=True),
    "mask of heads, dropout": lambda q, k, v: F.scaled_dot_product_attention(
        q, k, v, flow.arange(q.shape[1] * ROWS * COLUMNS).reshape(q.shape[1], ROWS, COLUMNS) % 5 > 0, 0.3, enable_gqa=True
    ),
    "flash": lambda q, k, v: flash_attn_func(
        *(x.transpose(1, 2) for x in (q, k, v)), 0.3, window_size=(2, 1), alibi_slopes=flow.arange(q.shape[1]) / 9.0,
        sinks=flow.arange(q.shape[1]) / 3.0,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize(("heads", "shared", "mesh", "by_heads"), [
    (4, 2, (2,), True), (6, 2, (3,), False), (8, 4, (2, 2), True), (6, 1, (3,), True), (3, 3, (2,), True),
])  # fmt: skip
def test_signatures(name: str, heads: int, shared: int, mesh: tuple[int, ...], by_heads: bool, rng: numpy.random.Generator) -> None:
    """Heads are split in whole groups: not where ranks do not divide the heads of keys, unless there is only one."""
    found = calls(FUNCTIONS[name], heads, shared, rng)
    assert len(found) == 2
    for call in found:
        assert call.inputs[call.op.definition.inputs.index("key")].shape[1] == shared, "heads were repeated"  # type: ignore[union-attr]
        check(call, mesh, rng)
        at = call.op.definition.inputs.index("query")
        split_heads = [
            s for s in nd_signatures(call.op.definition, call.metas, call.attrs, mesh) if all(one == split(1) for one in s.inputs[at] or ())
        ]
        assert bool(split_heads) == by_heads, [text_of(s) for s in split_heads]


def arrays(heads: int, shared: int) -> list[numpy.ndarray]:
    rng = numpy.random.default_rng(0)
    return [rng.standard_normal((BATCH, n, rows, SIZE)) for n, rows in ((heads, ROWS), (shared, COLUMNS), (shared, COLUMNS))]


def attended(heads: int, shared: int, of_queries: Sbp, of_keys: Sbp, of_result: Sbp, name: str, graph: bool = False) -> list[numpy.ndarray]:
    """The output and the gradients, from operands that lie so; on one rank, or on all."""
    everywhere = flow.placement("cpu", range(this_rank().world_size))
    xs = [flow.tensor(a).to_global(placement=everywhere, sbp=broadcast) for a in arrays(heads, shared)]
    xs = [x.to_global(sbp=sbp).detach().requires_grad_() for x, sbp in zip(xs, (of_queries, of_keys, of_keys))]
    flow.manual_seed(5)
    function = flow.compile(FUNCTIONS[name]) if graph else FUNCTIONS[name]
    out = function(*xs)
    assert out.is_global and out.sbp == (of_result,), out.sbp
    dy = flow.tensor(numpy.cos(numpy.arange(out.numel(), dtype=float)).reshape(out.shape)).to_global(placement=everywhere, sbp=broadcast)
    return [x.to_global(sbp=broadcast).to_local().numpy() for x in (out, *flow.autograd.grad((out * dy).sum(), xs))]


LAYOUTS = {
    "heads": (split(1), split(1), split(1)),
    "batches": (split(0), split(0), split(0)),
    "nothing": (broadcast, broadcast, broadcast),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", ["plain", "causal"])
def test_numbers_are_those_of_one_rank(name: str, layout: str) -> None:
    (expected,) = flow.testing.simulate(1)(attended)(8, 2, broadcast, broadcast, broadcast, name)
    for size in (2, 4):
        if size == 4 and layout == "heads":
            continue  # four ranks have no group each: below
        for found in flow.testing.simulate(size)(attended)(8, 2, *LAYOUTS[layout], name):
            for ours, theirs in zip(found, expected):
                numpy.testing.assert_allclose(ours, theirs, rtol=1e-10, atol=1e-12)


def test_dropped_weights_are_those_of_one_rank() -> None:
    (expected,) = flow.testing.simulate(1)(attended)(8, 4, broadcast, broadcast, broadcast, "dropped")
    for found in flow.testing.simulate(4)(attended)(8, 4, split(1), split(1), split(1), "dropped"):
        for ours, theirs in zip(found, expected):
            numpy.testing.assert_allclose(ours, theirs, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize(("heads", "shared", "size"), [(6, 2, 4), (8, 2, 4), (4, 1, 2)])
def test_groups_that_ranks_do_not_divide(heads: int, shared: int, size: int) -> None:
    """Operands are boxed, and numbers are the same; a single head of keys is every rank's, and its gradients are shares."""

    def run(*sbps: Sbp) -> list[numpy.ndarray]:
        everywhere = flow.placement("cpu", range(this_rank().world_size))
        xs = [flow.tensor(a).to_global(placement=everywhere, sbp=broadcast) for a in arrays(heads, shared)]
        xs = [x.to_global(sbp=sbp).detach().requires_grad_() for x, sbp in zip(xs, sbps)]
        out = FUNCTIONS["causal"](*xs)
        grads = flow.autograd.grad((out * out).sum(), xs)
        return [x.to_global(sbp=broadcast).to_local().numpy() for x in (out, *grads)]

    (expected,) = flow.testing.simulate(1)(run)(broadcast, broadcast, broadcast)
    for sbps in ((split(1), split(1), split(1)), (split(1), broadcast, broadcast)):
        for found in flow.testing.simulate(size)(run)(*sbps):
            for ours, theirs in zip(found, expected):
                numpy.testing.assert_allclose(ours, theirs, rtol=1e-10, atol=1e-12)


def test_nothing_is_sent_for_heads_that_are_split(sent: Counter[int]) -> None:
    def run() -> int:
        everywhere = flow.placement("cpu", range(2))
        xs = [flow.tensor(a).to_global(placement=everywhere, sbp=broadcast).to_global(sbp=split(1)).detach() for a in arrays(8, 2)]
        before = sent[this_rank().index]
        for function in (FUNCTIONS["causal"], FUNCTIONS["flash"]):
            x, *rest = (x.requires_grad_() for x in xs)
            if function is FUNCTIONS["flash"]:
                out = flash_attn_func(*(t.transpose(1, 2) for t in (x, *rest)), causal=True)
            else:
                out = function(x, *rest)
            flow.autograd.grad(out, [x, *rest], flow.ones_like(out))
        return sent[this_rank().index] - before

    assert flow.testing.simulate(2)(run)() == [0, 0]


def on_processes(heads: int, shared: int, sbp: Sbp, graph: bool) -> list[numpy.ndarray]:
    return attended(heads, shared, sbp, sbp, sbp, "causal", graph)


@pytest.mark.parametrize("graph", [False, True])
def test_on_processes(ranks: Pool, graph: bool) -> None:
    (expected,) = flow.testing.simulate(1)(attended)(8, 4, broadcast, broadcast, broadcast, "causal")
    for found in ranks.run(on_processes, 8, 4, split(1), graph, seconds=240):
        for ours, theirs in zip(found, expected):
            numpy.testing.assert_allclose(ours, theirs, rtol=1e-10, atol=1e-12)

"""Numbers that depend on where an element is: draws, ranges and indices on shards are those of the whole tensor, bit for bit."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import torch

import tritonflow as flow
from tests.consistent.simulate_rules import OpCall, check
from tritonflow.errors import IndexOutOfRangeError
from tritonflow.execution import eager_local
from tritonflow.execution.context import OpContext
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.consistent_meta import ConsistentTensorMeta
from tritonflow.framework.placement import Placement
from tritonflow.framework.sbp import broadcast, partial_max, partial_sum, split
from tritonflow.ops.sbp.signature import NdSignature, nd_signatures
from tritonflow.thread_state import thread_state
from tritonflow.wire.world import Rank

MESHES = ((2,), (3,), (8,), (2, 2), (2, 3))
# Rows of whole counters, of any elements, of less than a counter; more pieces than rows.
SHAPES = ((24,), (7, 9), (6, 3, 8), (5, 2), (4, 3, 16), (2, 0))
CPU = flow.device("cpu")


def state() -> torch.Tensor:
    return torch.tensor([123456789012345, 2**32 - 3])


def draws(shape: tuple[int, ...]) -> list[OpCall]:
    size = [*shape]
    p = torch.linspace(0, 1, max(numpy.prod(size), 1), dtype=torch.float64)[: numpy.prod(size)].reshape(size)
    return [
        OpCall(op_expr("random_uniform"), [state()], (shape, flow.float32), (-1.0, 3.0)),
        OpCall(op_expr("random_normal"), [state()], (shape, flow.float32), (0.5, 2.0)),
        OpCall(op_expr("random_integers"), [state()], (shape, flow.int64, True), (-5, 2**40)),
        OpCall(op_expr("random_bernoulli_of"), [p, state()], (), ()),
        OpCall(op_expr("random_dropout"), [p, state()], (), (0.5, 2.0)),
    ]


@pytest.mark.parametrize("shape", [pytest.param(s, marks=pytest.mark.long if len(s) == 3 else ()) for s in SHAPES], ids=str)
@pytest.mark.sampled(most=1)
def test_draws(shape: tuple[int, ...], rng: numpy.random.Generator) -> None:
    """The numbers, and the generator's state afterwards."""
    for call in draws(shape):
        ways = len(shape) + 1 + (call.op.name == "random_dropout")  # which is linear
        for mesh in MESHES:
            assert check(call, mesh, rng) == ways ** len(mesh)


@pytest.mark.parametrize("name", ["random_exponential", "random_bernoulli"])
@pytest.mark.sampled(most=1)
def test_draws_of_one_number(name: str, rng: numpy.random.Generator) -> None:
    call = OpCall(op_expr(name), [state()], ((7, 12), flow.float64), (0.5,))
    for mesh in MESHES:
        check(call, mesh, rng)


@pytest.mark.parametrize("dtype", [flow.float32, flow.float64, flow.int32], ids=str)
def test_ranges(dtype: Any, rng: numpy.random.Generator) -> None:
    """Steps that no float is: start + i * step, and not the start of a shard and its own steps."""
    numbers: tuple[Any, ...] = (0.1, 0.7) if dtype.is_floating_point else (-3, 7)
    calls = [OpCall(op_expr("arange"), [], (n, dtype, CPU), numbers) for n in (1, 5, 100)]
    if dtype.is_floating_point:
        calls += [OpCall(op_expr("linspace"), [], (n, dtype, CPU), (0.1, 0.9, 0.8 / (n - 1))) for n in (5, 99)]
    for call in calls:
        for mesh in MESHES:
            assert check(call, mesh, rng) == 5 ** len(mesh)  # S0, three that are partial, B


def test_constants_and_diagonals(rng: numpy.random.Generator) -> None:
    x = torch.arange(1.0, 31, dtype=torch.float64).reshape(5, 6)
    calls = [
        OpCall(op_expr("full"), [], ((5, 3), flow.float32, CPU), (2.5,)),
        OpCall(op_expr("full"), [], ((5,), flow.bool, CPU), (1,)),
        OpCall(op_expr("eye"), [], ((5, 7), flow.float32, CPU), ()),
        OpCall(op_expr("eye"), [], ((6, 4), flow.int64, CPU), ()),
        *[OpCall(op_expr(name), [x], (diagonal,), ()) for name in ("tril", "triu") for diagonal in (-2, 0, 3, 100)],
    ]
    for call in calls:
        for mesh in MESHES:
            check(call, mesh, rng)


# ------------------------------------------------------------------------------------------------------------ indices


def table_calls() -> list[OpCall]:
    x, rows = torch.arange(70.0, dtype=torch.float64).reshape(7, 10), torch.tensor([[6, 0, 3], [-1, -7, 2]])
    columns = torch.tensor([[9, 0, 4], [4, -1, 5]])
    values, dy = torch.full((2, 3, 10), 0.5, dtype=torch.float64), torch.arange(60.0, dtype=torch.float64).reshape(2, 3, 10)
    index = rows % 7
    return [
        OpCall(op_expr("index_get"), [x, rows], (0, True), ()),
        OpCall(op_expr("index_get"), [x, rows, columns], (0, True), ()),
        OpCall(op_expr("index_get_grad"), [dy, rows], ((7, 10), 0, True), ()),
        OpCall(op_expr("index_put"), [x, values, rows], (0, False, True, False), ()),
        OpCall(op_expr("index_put"), [x, values, rows], (0, True, True, True), (), updates=True),
        OpCall(op_expr("gather"), [x, index], (0,), ()),
        OpCall(op_expr("gather"), [x > 30, index], (0,), ()),
        OpCall(op_expr("scatter"), [x, values[0, :2, :3], index], (0, True, False), ()),
        OpCall(op_expr("scatter"), [x, values[0, :2, :3], index], (0, False, True), (), updates=True),
    ]


@pytest.mark.parametrize("call", table_calls(), ids=str)
@pytest.mark.sampled(most=3)
def test_tables_split_along_the_indexed_dimension(call: OpCall, rng: numpy.random.Generator) -> None:
    """Embeddings over a split vocabulary: a rank reads what it has, and 0; it writes what it has."""
    read = call.op.name in ("index_get", "gather") and call.inputs[0].dtype != torch.bool  # type: ignore[union-attr]
    found = nd_signatures(call.op.definition, call.metas, call.attrs, (2,))
    if read:
        assert any(s.inputs[0] == (split(0),) and s.outputs[0] == (partial_sum,) for s in found)
    elif call.inputs[0].dtype != torch.bool:  # type: ignore[union-attr]
        assert any(s.inputs[1] == (broadcast,) and s.outputs[0] == (split(0),) for s in found)
    for mesh in MESHES:
        check(call, mesh, rng)


def test_indices_are_checked_against_the_whole_dimension() -> None:
    """Index 7 of 7 rows is an error on every rank, also on one that has the rows from 4 on; index 6 is none on any."""
    shard, get = flow.ones(3, 2), op_expr("index_get")
    for first in (0, 4):
        attrs = (0, True, ((7, first),))
        y = eager_local.apply(get, (shard, flow.tensor([6, -7])), OpContext(attrs))
        assert flow.to_torch(y).tolist() == ([[0, 0], [1, 1]] if first == 0 else [[1, 1], [0, 0]])
        with pytest.raises(IndexOutOfRangeError, match="dimension 0 with size 7"):
            eager_local.apply(get, (shard, flow.tensor([7])), OpContext(attrs))


# --------------------------------------------------------------------------------------------------------------- rows


@pytest.fixture
def four_ranks() -> Any:
    """A world of 4 ranks, of which this thread is the last."""
    thread_state.rank = Rank(3, 4, 3, 4, 0, 1)
    yield
    thread_state.rank = None


def consistent(shape: tuple[int, ...], *sbp: Any, mesh: Any = (0, 1, 2, 3)) -> ConsistentTensorMeta:
    return ConsistentTensorMeta.get(shape, flow.float32, Placement("cpu", mesh), sbp)


def candidates(name: str, metas: tuple[Any, ...], attrs: tuple[Any, ...] = (), mesh: tuple[int, ...] = (4,)) -> list[NdSignature]:
    return nd_signatures(op_expr(name).definition, metas, attrs, mesh)


def test_rows_follow_their_parameters(four_ranks: None) -> None:
    """Weights that are split in several ways, and a bias that is not: gradients and momenta lie as their parameters do."""
    parameters = (consistent((8, 4), split(0)), consistent((4, 8), split(1)), consistent((5,), broadcast))
    metas = (None, *parameters, *parameters, *parameters)
    best = candidates("multi_tensor_sgd_update", metas, (3, False, True, False, False, False))[0]
    assert best.inputs == (None, *[(sbp,) for sbp in (split(0), split(1), broadcast)] * 3) and best.outputs == ((broadcast,),)
    steps = (consistent((), broadcast),) * 3
    found_inf = consistent((), broadcast)
    metas = (found_inf, *parameters * 4, *steps)
    best = candidates("multi_tensor_adam_update", metas, (3, False, True, False, False, False))[0]
    assert best.inputs[0] == (broadcast,) and best.inputs[-3:] == ((broadcast,),) * 3


def test_rows_over_a_grid(four_ranks: None) -> None:
    """Split along one dimension of the grid, replicated along the other: each dimension of the grid has a signature of its own."""
    grid = ((0, 1), (2, 3))
    rows = (consistent((8, 4), broadcast, split(1), mesh=grid), consistent((4,), broadcast, split(0), mesh=grid))
    found = candidates("multi_tensor_clip", rows, (), (2, 2))
    assert any(s.inputs == ((broadcast, split(1)), (broadcast, split(0))) for s in found)


def test_overflow_in_a_shard_is_a_partial_maximum(four_ranks: None) -> None:
    rows = (consistent((8, 4), split(0)), consistent((4,), broadcast))
    found = candidates("multi_tensor_unscale", (consistent((), broadcast), consistent((), partial_max), *rows))
    assert found[0].inputs == ((broadcast,), (partial_max,), (split(0),), (broadcast,))


def test_shares_may_be_scaled_but_not_clipped(four_ranks: None) -> None:
    row = (consistent((8, 4), partial_sum),)
    assert candidates("multi_tensor_scale_to_norm", (consistent((), broadcast), *row))[0].inputs[1] == (partial_sum,)
    assert all(s.inputs == ((broadcast,),) for s in candidates("multi_tensor_clip", row))

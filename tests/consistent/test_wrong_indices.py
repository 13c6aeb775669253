"""Wrong indices into consistent tensors: every rank that has one raises, whatever is split, and has everything as it was.

A rank has an index where its shard of the index tensor has it, also where its shard of the table is empty.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tritonflow.errors import IndexOutOfRangeError, RankError, ShapeError
from tritonflow.functions.attention_paged import paged_append
from tritonflow.wire.world import this_rank

S0, S1, B, P = flow.sbp.split(0), flow.sbp.split(1), flow.sbp.broadcast, flow.sbp.partial_sum
F = flow.nn.functional
RANKS = 3  # of which the last has no column of a table of two, and none of two indices
ROWS, COLUMNS = 4, 2
TABLE = numpy.arange(ROWS * COLUMNS, dtype=numpy.float32).reshape(ROWS, COLUMNS)


def spread(array: Any, sbp: Any) -> Any:
    return flow.tensor(array).to_global(placement=flow.placement("cpu", range(RANKS)), sbp=B).to_global(sbp=sbp)


def values() -> Any:
    return spread(numpy.ones((2, COLUMNS), dtype=numpy.float32), B)


def by_column(index: Any) -> Any:
    return index.unsqueeze(1).expand(2, COLUMNS)


def assigned(x: Any, index: Any) -> None:
    x[index] = values()


# What each does with a table and a vector of two row numbers; negative ones count from the end only in brackets.
WRAP = {
    "x[i]": lambda x, i: x[i],
    "x[:, i]": lambda x, i: x.transpose(0, 1)[:, i],
    "x[i, j]": lambda x, i: x[i, i * 0],
    "x[j, i]": lambda x, i: x.transpose(0, 1)[i * 0, i],
    "x[i] = v": assigned,
}
NO_WRAP = {
    "index_select": lambda x, i: flow.index_select(x, 0, i),
    "embedding": lambda x, i: F.embedding(i, x),
    "index_add": lambda x, i: flow.index_add(x, 0, i, values()),
    "index_add_": lambda x, i: x.index_add_(0, i, values()),
}
EACH_ELEMENT = {  # whose index tensor has an index for each element
    "gather": lambda x, i: flow.gather(x, 0, by_column(i)),
    "scatter": lambda x, i: flow.scatter(x, 0, by_column(i), values()),
    "scatter_": lambda x, i: x.scatter_(0, by_column(i), 5.0),
    "scatter_add_": lambda x, i: x.scatter_add_(0, by_column(i), values()),
}
CALLS = {**WRAP, **NO_WRAP, **EACH_ELEMENT}


def _gives_indices_away(name: str, table_sbp: Any, shard: numpy.ndarray) -> bool:
    """Whether the op may leave a rank's indices to others: who has no column has no element; and who adds to shares needs no index of its own."""
    return name in EACH_ELEMENT and not shard.size or "add" in name and table_sbp == P


def check(name: str, table_sbp: Any, index_sbp: Any, wrong: int) -> None:
    """Call it with a wrong index; each rank checks that it raises if it has the index, and that nothing has changed then."""

    def on_a_rank() -> None:
        x, index = spread(TABLE, table_sbp), spread(numpy.array([1, wrong]), index_sbp)
        before = x.to_local().numpy().copy()
        has_it = wrong in index.to_local().numpy() and not _gives_indices_away(name, table_sbp, before)
        try:
            CALLS[name](x, index)
        except IndexOutOfRangeError as error:
            assert f"with size {ROWS}" in str(error)
            assert (x.to_local().numpy() == before).all(), "a refused write has written"
            raised.append(this_rank().index)
        else:
            assert not has_it, f"rank {this_rank().index} has the index and does not raise"

    raised: list[int] = []
    flow.testing.simulate(RANKS)(on_a_rank)()
    assert raised


@pytest.mark.parametrize("index_sbp", [B, S0], ids=str)
@pytest.mark.parametrize("table_sbp", [S0, S1, B, P], ids=str)
@pytest.mark.parametrize("name", CALLS)
def test_rows(name: str, table_sbp: Any, index_sbp: Any) -> None:
    for wrong in (ROWS, -ROWS - 1 if name in WRAP else -1):
        check(name, table_sbp, index_sbp, wrong)


# -------------------------------------------------------------------------------------------------------------- losses


@pytest.mark.parametrize("sbp", [(S0, S0), (S0, B), (S1, B), (B, S0), (B, B)], ids=str)
@pytest.mark.parametrize("reduction", ["none", "sum", "mean"])
@pytest.mark.parametrize("loss", [F.cross_entropy, F.nll_loss])
def test_classes(loss: Callable[..., Any], reduction: str, sbp: Any) -> None:
    """A target that is no class: rank 0 has the first of four samples, whatever is split."""

    def on_a_rank(wrong: int) -> None:
        x, target = spread(TABLE, sbp[0]), spread(numpy.array([wrong, 0, 1, 1]), sbp[1])
        if this_rank().index == 0:
            with pytest.raises(IndexOutOfRangeError, match=rf"class indices must be in \[0, {COLUMNS}\)"):
                loss(x, target, reduction=reduction)
        else:
            with suppress(IndexOutOfRangeError, RankError):  # RankError: it waits for rank 0
                loss(x, target, reduction=reduction)

    for wrong in (COLUMNS, -1):
        with suppress(RankError):
            flow.testing.simulate(RANKS)(on_a_rank)(wrong)


def test_labels() -> None:
    def on_a_rank() -> None:
        labels = spread(numpy.array([3, 0, 1]), S0)
        if this_rank().index == 0:
            with pytest.raises(ShapeError, match="smaller than num_classes"):
                F.one_hot(labels, 3)

    flow.testing.simulate(RANKS)(on_a_rank)()


def test_slots_of_a_cache() -> None:
    """A cache whose heads are split: the rank that has none looks at the slots, too, and nothing is written."""
    arrays = [numpy.ones(shape, dtype=numpy.float32) for shape in ((2, 2, 8), (2, 2, 8), (3, 4, 2, 8), (3, 4, 2, 8))]

    def on_a_rank(slots: list[int]) -> Any:
        key, value, keys, values = [spread(a, S1 if a.ndim == 3 else flow.sbp.split(2)) for a in arrays]
        try:
            paged_append(key, value * 2, spread(numpy.array(slots), B), keys, values * 0)
        except IndexOutOfRangeError:
            return (keys.to_local().numpy() == 1).all()
        return keys.to_local().shape[2]

    assert flow.testing.simulate(RANKS)(on_a_rank)([0, 12]) == [True] * RANKS
    assert flow.testing.simulate(RANKS)(on_a_rank)([0, 11]) == [1, 1, 0]


# ------------------------------------------------------------------------------------------------------ empty tables


def test_a_table_without_columns_has_no_wrong_rows() -> None:
    """As in torch: nothing is read or written for an index."""

    def on_a_rank() -> None:
        for sbp in (S0, S1, B):
            x, index = spread(TABLE[:, :0], sbp), spread(numpy.array([9]), B)
            assert x[index].shape == (1, 0)
            x[index] = 1.0

    flow.testing.simulate(RANKS)(on_a_rank)()


PUTS = {  # that test_rows does not have
    "x[i, :] = number": lambda x, i: x.__setitem__((i, slice(None)), 0.5),
    "x[[0, 1]] = number": lambda x, i: x.__setitem__([0, 1], 0.5),
    "x[None, i] = number": lambda x, i: x.__setitem__((None, i), 0.5),
    "x[i, j] = number": lambda x, i: x.__setitem__((i, i), 0.5),
    "x[i] += number": lambda x, i: x.__setitem__(i, x[i] + 1),
    "index_put_": lambda x, i: x.index_put_((i,), values()),
    "index_put_ of a sum": lambda x, i: x.index_put_((i,), values(), accumulate=True),
    "index_fill_": lambda x, i: x.index_fill_(0, i, 5.0),
    "index_copy_": lambda x, i: x.index_copy_(0, i, values()),
    "scatter_reduce_": lambda x, i: x.scatter_reduce_(0, by_column(i), values(), "amax"),
    "of a view": lambda x, i: x[:, 1:].__setitem__(i, 0.5),
}


@pytest.mark.parametrize("index_sbp", [B, S0], ids=str)
@pytest.mark.parametrize("table_sbp", [S0, S1, B, P], ids=str)
@pytest.mark.parametrize("name", {**CALLS, **PUTS})
def test_every_rank_refuses_an_index_into_no_rows(name: str, table_sbp: Any, index_sbp: Any) -> None:
    """By the shapes: also a rank that has no index, or no column to write."""
    call = {**CALLS, **PUTS}[name]

    def on_a_rank() -> int:
        x = spread(TABLE[:0], table_sbp)
        with pytest.raises(IndexOutOfRangeError, match="out of bounds for dimension.* with size 0"):
            call(x, spread(numpy.array([0, 1]), index_sbp))
        nothing = spread(numpy.zeros(0, dtype=numpy.int64), B)
        x[nothing] = 1.0
        x[spread(numpy.zeros(0, dtype=bool), B)] = 1.0
        return int(x[nothing].numel())

    assert flow.testing.simulate(RANKS)(on_a_rank)() == [0] * RANKS

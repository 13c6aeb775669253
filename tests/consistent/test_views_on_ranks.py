"""Views, indexing and copies of global tensors on simulated ranks: values and gradients are those of local tensors, however they lie."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy
import pytest

import tritonflow as flow
import tritonflow.nn.functional as F
from tritonflow.errors import PlacementError
from tritonflow.framework.sbp import Sbp, broadcast, partial_sum, split

LAYOUTS = (broadcast, split(0), split(1), partial_sum)


def written(x: flow.Tensor) -> flow.Tensor:
    """Writes through views, of which the gradient has parts outside and inside; split rows are written whole."""
    y = x * 2
    y[:, 1:3] = x[:, 3:5] * 3
    y[:, 5] = 7
    return y


FUNCTIONS: dict[str, Callable[[flow.Tensor], Any]] = {
    "as_strided": lambda x: x.as_strided((4, 3), (6, 2), 1),
    "as_strided, overlapping": lambda x: x.as_strided((4, 3), (1, 1), 1),
    "pad": lambda x: F.pad(x, (1, 2, 0, 1)),
    "pad with a number, cut": lambda x: F.pad(x, (1, 2, -1, 1), value=3.0),
    "transpose": lambda x: x.T,
    "unfold": lambda x: x.unfold(1, 3, 2),
    "unfold rows": lambda x: x.unfold(0, 1, 1),
    "diagonal": lambda x: x.diagonal(1),
    "select": lambda x: x[3],
    "slice": lambda x: x[::2, 1:],
    "slice of a part": lambda x: x[1:4, 2:5],
    "one row": lambda x: x[4:],
    "cat": lambda x: flow.cat([x, x[1:4] * 2, x]),
    "cat of columns": lambda x: flow.cat([x[:, 2:], x], 1),
    "list": lambda x: x[[0, 4, 2]],
    "array": lambda x: x[:, numpy.array([5, 0])],
    "mask": lambda x: x[x > 4],
    "gather": lambda x: x.gather(1, (x * 0).long() + 2),
    "index_select": lambda x: x.index_select(1, (x[0] * 0).long()),
    "expand": lambda x: x.expand(2, 5, 6),
    "view": lambda x: x.view(-1),
    "view of rows": lambda x: x.view(5, 2, 3),
    "reshape": lambda x: x.T.reshape(-1),
    "chunk": lambda x: x.chunk(2, 1)[1],
    "stack": lambda x: flow.stack([x, x], 1),
    "repeat": lambda x: x.repeat(2, 2),
    "tril": lambda x: x.tril(1),
    "one_hot": lambda x: F.one_hot((x[:, 0] * 0 + 2).long(), 5),
    "nonzero": lambda x: x.nonzero(),
}


def results(function: Callable[[flow.Tensor], Any], sbp: Sbp | None) -> Any:
    """Value and gradient, of a local tensor or of one that lies so."""
    x = flow.arange(30, dtype=flow.float64).reshape(5, 6)
    if sbp is not None:
        everywhere = flow.placement.all("cpu")
        x = x.to_global(everywhere, broadcast).to_global(everywhere, sbp).detach()
    x.requires_grad_(True)
    y = function(x)
    if not y.requires_grad:
        return y.numpy(), None
    (y * y).sum().backward()
    return y.numpy(), x.grad.numpy()


@pytest.mark.parametrize("size", [pytest.param(2, marks=pytest.mark.long), 3])
def test_as_on_one_process(size: int) -> None:
    for name, function in FUNCTIONS.items():
        expected = results(function, None)
        for sbp in LAYOUTS:
            for found in flow.testing.simulate(size)(results)(function, sbp):
                for ours, theirs in zip(found, expected):
                    assert (ours is None) == (theirs is None), f"{name} of {sbp}"
                    assert theirs is None or numpy.array_equal(ours, theirs), f"{name} of {sbp}: {ours}, not {theirs}"


@pytest.mark.parametrize("sbp", LAYOUTS[:2], ids=str)
def test_writes_through_views(sbp: Sbp) -> None:
    expected = results(written, None)
    for found in flow.testing.simulate(2)(results)(written, sbp):
        for ours, theirs in zip(found, expected):
            numpy.testing.assert_array_equal(ours, theirs)


MOVED = {  # rows of six float64 numbers that ranks 0 and 1 send, forward and backward; x has rows 0 to 3, and 4 to 7
    "x[1:5]": (lambda x: x[1:5], (1, 0), (0, 1)),
    "x[::2]": (lambda x: x[::2], (0, 0), (0, 0)),
    "x[4:]": (lambda x: x[4:], (0, 2), (2, 0)),
    "x[6]": (lambda x: x[6], (0, 1), (0, 0)),
    "cat": (lambda x: flow.cat([x, x]), (4, 4), (4, 4)),
}


@pytest.mark.parametrize("name", MOVED)
def test_only_what_has_to_moves(name: str, sent: Counter[int]) -> None:
    """Of a slice of a split dimension, of one index, and of what is joined along it."""
    function, forward, backward = MOVED[name]

    def counts() -> list[Any]:
        rank = flow.env.get_rank()
        x = flow.ones(8, 6, dtype=flow.float64, placement=flow.placement.all("cpu"), sbp=split(0)).requires_grad_(True)
        found = [sent[rank]]
        y = function(x)
        found.append(sent[rank])
        flow.autograd.grad(y, x, flow.ones_like(y))
        return [*numpy.diff([*found, sent[rank]]) // (6 * 8)]

    assert flow.testing.simulate(2)(counts)() == [list(rows) for rows in zip(forward, backward)]


def test_what_every_rank_has_stays_on_every_rank() -> None:
    """Splitting it would cost nothing, but gathering it again would: the gradient of a sum, that of an embedding."""

    def layouts() -> list[str]:
        everywhere = flow.placement.all("cpu")
        x = flow.ones(4, 6, placement=everywhere, sbp=broadcast).requires_grad_(True)
        rows = F.embedding(flow.tensor([1, 1], placement=everywhere, sbp=broadcast), x)
        return [str(one) for t in (x.sum(0, keepdim=True).expand(4, 6), flow.autograd.grad(rows.sum(), x)[0]) for one in t.sbp]

    assert flow.testing.simulate(2)(layouts)() == [["B", "B"]] * 2


def test_the_gradient_of_a_split_table_is_made_by_pieces(sent: Counter[int]) -> None:
    """No rank has more of it than its rows, and nothing moves."""

    def lies() -> str:
        everywhere = flow.placement.all("cpu")
        table = flow.ones(7, 3, placement=everywhere, sbp=split(0)).requires_grad_(True)
        y = F.embedding(flow.tensor([1, 6, 1], placement=everywhere, sbp=broadcast), table)
        gradient = flow.autograd.grad(y, table, flow.ones(3, 3, placement=everywhere, sbp=broadcast))[0]
        before = sent[flow.env.get_rank()]
        assert gradient.numpy()[:, 0].tolist() == [0, 2, 0, 0, 0, 0, 1]
        return f"{gradient.sbp[0]}, {before} bytes"

    assert flow.testing.simulate(2)(lies)() == ["S0, 0 bytes"] * 2


def test_the_gradient_of_a_table_split_beside_the_batch() -> None:
    """Over a grid: shares along the dimension that splits the batch, pieces along that which splits the table."""

    def lies() -> str:
        grid = flow.placement("cpu", [[0, 1], [2, 3]])
        table = flow.ones(7, 3, placement=grid, sbp=(broadcast, split(0))).requires_grad_(True)
        labels = flow.arange(4, placement=grid, sbp=(split(0), broadcast))
        gradient = flow.autograd.grad(F.embedding(labels, table), table, flow.ones(4, 3, placement=grid, sbp=(split(0), broadcast)))[0]
        return str(gradient.sbp)

    assert flow.testing.simulate(4)(lies)() == [str((partial_sum, split(0)))] * 4


def test_key_holds_all_attributes_pytorch_134050() -> None:
    """What is cached for an op depends on every attribute and scalar of the call."""

    def calls() -> list[Any]:
        x = flow.arange(24.0).reshape(4, 6).to_global(flow.placement.all("cpu"), broadcast).to_global(sbp=split(0))
        both = [(x.tril(0), x.tril(1)), (x[:, 0], x[:, 1]), (x * 2, x * 3), (x.sum(0), x.sum(1)), (x.gather(0, x.long() % 3), x.gather(1, x.long() % 3))]
        both += [(flow.full_like(x, 1), flow.full_like(x, 2)), (x.clamp(1, 3), x.clamp(1, 4)), (x.softmax(1), x.softmax(0))]
        return [(a.numpy(), b.numpy()) for a, b in both]

    for found in flow.testing.simulate(2)(calls)():
        assert all(a.shape != b.shape or (a != b).any() for a, b in found)


def test_no_shape_by_data_where_ranks_are_left_out() -> None:
    def found() -> None:
        flow.ones(3, placement=flow.placement("cpu", [0]), sbp=broadcast).nonzero()

    with pytest.raises(PlacementError, match="nonzero: the shape of the result depends on the data, which only ranks \\[0\\] have"):
        flow.testing.simulate(2)(found)()


def test_same_draws_wherever_they_are() -> None:
    """Weights and dropout of one process, of two ranks by rows and by columns; and the next numbers after a draw on one rank."""

    def draw(sbp: Sbp | None) -> Any:
        flow.manual_seed(5)
        lies: dict[str, Any] = {} if sbp is None else {"placement": flow.placement.all("cpu"), "sbp": sbp}
        first: dict[str, Any] = {} if sbp is None else {"placement": flow.placement("cpu", [0]), "sbp": broadcast}
        flow.randn(3, **first)
        weights = flow.randn(5, 6, **lies)
        return weights.numpy(), F.dropout(weights, 0.5).numpy(), flow.rand(7, 3, **lies).numpy()

    expected = flow.testing.simulate(1)(draw)(broadcast)[0]
    for sbp in (broadcast, split(0), split(1)):
        for found in flow.testing.simulate(2)(draw)(sbp):
            for ours, theirs in zip(found, expected):
                assert numpy.array_equal(ours, theirs)


GRADIENTS: dict[str, Callable[[flow.Tensor], flow.Tensor]] = {
    "index": lambda v: v[-1],
    "slice": lambda v: v[1:],
    "column": lambda v: v[:, 0],
    "turned": lambda v: v.t()[:, 1:],
    "expanded": lambda v: v[1:2].expand(4, 1),
    "windows": lambda v: v.unfold(0, 2, 1)[1],
    "itself": lambda v: v,
}


@pytest.mark.parametrize("name", GRADIENTS)
@pytest.mark.parametrize("columns", [1, 2, 3])
def test_a_partial_gradient_is_summed_by_all_ranks_or_none(name: str, columns: int) -> None:
    """Whatever strides and addresses its shards have: rows that are read by index are shares, whose columns some ranks have none of."""
    table = flow.arange(3 * columns, dtype=flow.float32).view(3, columns) + 1

    def gradient(x: flow.Tensor, rows: flow.Tensor) -> Any:
        y = GRADIENTS[name](x[rows] if columns == 1 else x[rows][:, -1:])
        (y * y).sum().backward()
        assert x.grad is not None
        return x.grad.numpy().tolist()

    def on_a_rank() -> Any:
        placement = flow.placement("cpu", [[0, 1], [2, 3]])
        x, rows = [t.to_global(placement=placement, sbp=[flow.sbp.broadcast] * 2) for t in (table, flow.tensor([0, 1, 2]))]
        return gradient(x.to_global(sbp=[split(0), split(1)]).requires_grad_(), rows)

    expected = gradient(table.clone().requires_grad_(), flow.tensor([0, 1, 2]))
    assert flow.testing.simulate(4)(on_a_rank)() == [expected] * 4

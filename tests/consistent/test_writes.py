"""In-place writes to consistent tensors: what overlaps, views that are copies, ops that write only some elements, sizes from data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tritonflow.errors import DTypeError, PlacementError

BASE = numpy.arange(12, dtype=numpy.float32).reshape(4, 3)
S0, S1, B = flow.sbp.split(0), flow.sbp.split(1), flow.sbp.broadcast


def on_ranks(world: int, function: Callable[[], Any]) -> list[Any]:
    return flow.testing.simulate(world)(function)()


def placed(sbp: Any, ranks: Any = (0, 1, 2), array: Any = BASE) -> Any:
    return flow.tensor(array).to_global(placement=flow.placement("cpu", list(ranks)), sbp=B).to_global(sbp=sbp)


def test_a_view_that_is_a_copy_sees_a_write_to_the_tensor() -> None:
    """Its elements had to move between ranks."""

    def f() -> Any:
        x = placed(S0)
        row = x[1]
        x.mul_(2)
        return row.numpy(), x.numpy()

    assert all((row == 2 * BASE[1]).all() and (x == 2 * BASE).all() for row, x in on_ranks(3, f))


def test_a_write_to_a_part_of_what_is_expanded_is_refused() -> None:
    """Its elements had to move, and the copy of them would not come back to where several lie."""

    def f() -> Any:
        x = placed(S0, array=BASE[:, :1])
        row, window = x.expand(4, 3)[:-1, :2:2], placed(S0).unfold(1, 2, 1)[1:, :, 0]
        for part in (row, window):
            with pytest.raises(RuntimeError, match="a part of an expanded global"):
                part.fill_(5.0)
        return x.numpy(), row.clone().fill_(5.0).numpy()

    assert all((x == BASE[:, :1]).all() and (row == 5).all() for x, row in on_ranks(3, f))


EMPTY_PARTS: dict[str, Callable[[Any], Any]] = {
    "narrow": lambda x: x.unsqueeze(0).narrow(0, 1, 0).select(1, 0),
    "slices": lambda x: x[2:2].view(-1),
    "columns": lambda x: x[:, 1:1][1:],
    "expanded": lambda x: x[:0, :1].expand(0, 3)[:, :2],
    "turned": lambda x: x.t()[1:1].unfold(1, 2, 1)[:, 1:],
}


@pytest.mark.parametrize("sbp", [S0, S1, B], ids=str)
@pytest.mark.parametrize("name", EMPTY_PARTS)
def test_a_write_to_nothing_is_done_by_all_ranks(name: str, sbp: Any) -> None:
    """Whose shards are empty as well, of whatever strides: the last of five ranks has no row, and two have no column."""

    def f() -> Any:
        x = placed(sbp, range(5))
        EMPTY_PARTS[name](x).sub_(2)
        EMPTY_PARTS[name](x).fill_(2)
        return x.numpy()

    assert all((x == BASE).all() for x in on_ranks(5, f))


def test_a_part_of_what_is_expanded_is_refused_by_ranks_without_elements() -> None:
    """And ranks that have but one of the elements that share memory."""

    def f() -> Any:
        x = placed(S1, range(5), BASE[:1])
        with pytest.raises(RuntimeError, match="a part of an expanded global"):
            x.expand(4, 3)[:, 1:][0].add_(1)
        return x.numpy()

    assert all((x == BASE[:1]).all() for x in on_ranks(5, f))


def test_what_is_expanded_over_some_ranks_is_filled_by_all() -> None:
    """The others have shards without dimensions, and go the same way."""

    def f() -> Any:
        x = placed(B, (0, 1), BASE[:1])
        x.expand(4, 3).fill_(2.0)
        return x.to_global(placement=flow.placement("cpu", range(3)), sbp=B).numpy()

    assert all((x == 2).all() for x in on_ranks(3, f))


def test_the_history_of_a_view_behind_a_write_to_another_view() -> None:
    """Both are copies whose elements had to move between ranks."""

    def f() -> Any:
        x, factor = placed(S0), placed(B, array=BASE[0, 1]).requires_grad_()
        row, other = x[1], x[1:3]
        other.mul_(factor)
        needs = row.requires_grad
        row.sum().backward()
        return needs, factor.grad.numpy()

    assert all(needs and grad == BASE[1].sum() for needs, grad in on_ranks(3, f))


@pytest.mark.parametrize("sbp", [S0, S1, flow.sbp.partial_sum], ids=str)
def test_an_op_that_writes_some_elements_leaves_the_others(sbp: Any) -> None:
    def f() -> Any:
        x, index = placed(sbp), placed(B, array=numpy.array([[2, 0]]))
        x.scatter_(1, index, 50.0)
        return x.sbp, x.numpy()

    expected = BASE.copy()
    expected[0, [2, 0]] = 50
    for found, x in on_ranks(3, f):
        assert found == (sbp,) and (x == expected).all()


def test_operands_that_overlap_on_one_rank_only() -> None:
    """Rows 1 to 3 onto 0 to 2: rank 0 sees an overlap, rank 2 has none."""

    def f() -> Any:
        x = placed(S1)
        x[:3] += x[1:]
        return x.numpy()

    expected = BASE.copy()
    expected[:3] += BASE[1:]
    assert all((x == expected).all() for x in on_ranks(3, f))


def test_a_gradient_of_an_operand_that_some_ranks_have_nothing_of() -> None:
    """All ranks save a copy of it, or all that they write; the last rank has no row."""

    def f() -> Any:
        x = placed(S0, array=BASE[:2, 0]).detach().requires_grad_()
        y = x * 1
        y[...].mul_(y)
        y.sum().backward()
        return x.grad.numpy()

    assert all((grad == 2 * BASE[:2, 0]).all() for grad in on_ranks(3, f))


def test_sizes_that_depend_on_the_data() -> None:
    def f() -> Any:
        x = placed(S0)
        found = flow.nonzero(x > 7)
        return found.shape, found.numpy(), x[x > 7].numpy()

    expected = numpy.argwhere(BASE > 7)
    for shape, found, values in on_ranks(3, f):
        assert shape == (4, 2) and (found == expected).all() and (values == BASE[BASE > 7]).all()


def test_a_size_that_some_ranks_cannot_know_is_refused_on_all() -> None:
    def f() -> None:
        with pytest.raises(PlacementError, match="nonzero: the shape of the result depends on the data, which only ranks"):
            flow.nonzero(placed(S0, (0, 1)))
        assert flow.nonzero(placed(S0)).shape == (11, 2)

    on_ranks(3, f)


@pytest.mark.parametrize("sbp", [S0, S1, flow.sbp.partial_sum], ids=str)
def test_an_index_writes_to_what_is_split(sbp: Any) -> None:
    """Whether the elements are views of a shard, or lie on another rank."""

    def f() -> Any:
        x = placed(sbp)
        x[1] = -1.0
        x[2:, 0] = placed(B, array=numpy.array([20.0, 21.0], dtype=numpy.float32))
        x[::2, None, 1] = placed(S0, array=numpy.array([[30.0], [31.0]], dtype=numpy.float32))
        x[-1, ..., 2] = 40
        return x.sbp, x.numpy()

    expected = BASE.copy()
    expected[1], expected[2:, 0], expected[::2, 1], expected[-1, 2] = -1, [20, 21], [30, 31], 40
    for found, x in on_ranks(3, f):
        assert found == (sbp,) and (x == expected).all()


def test_the_gradient_of_a_write_by_index() -> None:
    def f() -> Any:
        x, row = placed(S0).requires_grad_(), placed(B, array=BASE[0]).requires_grad_()
        y = x * 2
        y[1] = row
        (y * y).sum().backward()
        return x.grad.numpy(), row.grad.numpy()

    expected = 8 * BASE
    expected[1] = 0
    for x, row in on_ranks(3, f):
        assert (x == expected).all() and (row == 2 * BASE[0]).all()


def test_lists_and_masks_are_indices() -> None:
    """A list of Python's is an index tensor over the placement of what it indexes."""

    def f() -> Any:
        x = placed(S0)
        picked = x[[3, 0]].numpy()
        x[[0, 2], 1] = -1.0
        x[x > 8] = 0.0
        return picked, x.numpy()

    expected = BASE.copy()
    expected[[0, 2], 1] = -1
    expected[expected > 8] = 0
    for picked, x in on_ranks(3, f):
        assert (picked == BASE[[3, 0]]).all() and (x == expected).all()


def test_a_result_that_cannot_be_cast_is_refused_whatever_the_layout() -> None:
    """`all` of what is split is partial; a product written over it is made beside it."""

    def f() -> Any:
        x = (placed(S0) > -1).all()
        with pytest.raises(DTypeError, match="result type Long can't be cast to the desired output type Bool"):
            x.mul_(2)
        return x.item()

    assert on_ranks(3, f) == [True] * 3


def test_tile_gives_a_copy() -> None:
    def f() -> Any:
        x = placed(S0)
        y = x.tile(1, 1)
        x.zero_()
        return y.numpy()

    assert all((y == BASE).all() for y in on_ranks(3, f))


def test_a_view_of_a_copy_is_brought_up_to_date_on_all_ranks() -> None:
    """Also where a rank has no element of it, and so nothing to read."""

    def f() -> Any:
        x = placed(S1)
        corner = x[:2, :1]
        x.mul_(2)
        return corner.to_global(sbp=B).numpy()

    assert all((y == 2 * BASE[:2, :1]).all() for y in on_ranks(3, f))


def test_some_elements_of_a_view_that_one_rank_has_are_written_by_all() -> None:
    """They are written over a boxed copy, which on that rank would be the view itself."""
    array = numpy.arange(8).reshape(2, 2, 2)

    def f() -> Any:
        x = placed(S0, (0, 1), array)
        index = flow.tensor([[[1], [0]]]).to_global(placement=x.placement, sbp=B)
        x[1:2].scatter_add_(2, index, x.clone())
        return x.to_global(sbp=B).numpy()

    expected = array.copy()
    expected[1, [0, 1], [1, 0]] += array[0, :, 0]
    assert all((x == expected).all() for x in on_ranks(2, f))

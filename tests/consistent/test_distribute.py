"""Tensors on single ranks: split, clone, concat and add of OneFlow's journey, forward and backward; select_top_n."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tritonflow.errors import InvalidArgumentError, LocalityError, PlacementError, ShapeError

BASE = numpy.arange(15, dtype=numpy.float32).reshape(5, 3)
S0, B, P = flow.sbp.split(0), flow.sbp.broadcast, flow.sbp.partial_sum


def on_ranks(world: int, function: Callable[[], Any]) -> list[Any]:
    return flow.testing.simulate(world)(function)()


def placed(sbp: Any, ranks: Any, array: Any = BASE) -> Any:
    return flow.tensor(array).to_global(placement=flow.placement("cpu", ranks), sbp=B).to_global(sbp=sbp)


@pytest.mark.parametrize("sbp", [S0, B, P], ids=str)
def test_split_and_concat(sbp: Any) -> None:
    """Over ranks 2 and 0 of three, uneven; the gradient of a piece comes back where the piece was."""

    def f() -> Any:
        x = placed(sbp, [2, 0]).detach().requires_grad_()
        pieces = flow.comm.distribute_split(x, 0)
        assert [(p.shape, p.placement.order) for p in pieces] == [((3, 3), (2,)), ((2, 3), (0,))]
        values = [p.detach().numpy() for p in pieces]
        whole = flow.comm.distribute_concat([p * (k + 2) for k, p in enumerate(pieces)], 0)
        assert whole.sbp == (S0,) and whole.placement is x.placement
        whole.sum().backward()
        assert x.grad.placement is x.placement
        return numpy.concatenate(values), whole.numpy(), x.grad.numpy()

    factor = numpy.array([[2.0]] * 3 + [[3.0]] * 2, dtype=numpy.float32)
    for values, whole, grad in on_ranks(3, f):
        assert (values == BASE).all() and (whole == BASE * factor).all() and (grad == numpy.broadcast_to(factor, (5, 3))).all()


def test_clone_and_add() -> None:
    def f() -> Any:
        x = placed(S0, [0, 1]).detach().requires_grad_()
        copies = flow.comm.distribute_clone(x)
        total = flow.comm.distribute_add([c * (k + 1) for k, c in enumerate(copies)])
        assert total.sbp == (P,)
        total.sum().backward()
        return total.numpy(), x.grad.numpy()

    for total, grad in on_ranks(2, f):
        assert (total == 3 * BASE).all() and (grad == 3).all()


def test_one_piece_is_used_and_the_other_is_not() -> None:
    def f() -> Any:
        x = placed(S0, [0, 1]).detach().requires_grad_()
        (flow.comm.distribute_split(x)[1] ** 2).sum().backward()
        return x.grad.numpy()

    for grad in on_ranks(2, f):
        assert (grad[:3] == 0).all() and (grad[3:] == 2 * BASE[3:]).all()


def test_pieces_of_other_sizes_are_moved() -> None:
    def f() -> Any:
        small, large = placed(B, [0], BASE[:1]).detach().requires_grad_(), placed(B, [1], BASE[1:])
        whole = flow.comm.distribute_concat([small, large])
        assert whole.sbp == (S0,) and whole.placement.order == (0, 1)
        (whole * 2).sum().backward()
        return whole.numpy(), small.grad.numpy()

    for whole, grad in on_ranks(2, f):
        assert (whole == BASE).all() and (grad == 2).all()


def test_a_written_piece_leaves_the_whole() -> None:
    def f() -> Any:
        x = placed(S0, [0, 1])
        flow.comm.distribute_split(x)[0].zero_()
        return x.numpy()

    assert all((x == BASE).all() for x in on_ranks(2, f))


def test_select_top_n() -> None:
    def f() -> Any:
        used, unused = flow.ones(2, requires_grad=True), placed(S0, [0, 1]).detach().requires_grad_()
        (top,) = flow.comm.select_top_n([used, unused], 1)
        (top * 3).sum().backward()
        return used.grad.tolist(), unused.grad.numpy()

    for used, unused in on_ranks(2, f):
        assert used == [3, 3] and unused.shape == (5, 3) and (unused == 0).all()


def test_wrong_calls() -> None:
    def f() -> Any:
        x, line = placed(S0, [0, 1]), flow.ones(2)
        with pytest.raises(LocalityError, match=r"distribute_split\(\): expected a global \(consistent\) tensor"):
            flow.comm.distribute_split(line)
        with pytest.raises(PlacementError, match="Split axis out of range"):
            flow.comm.distribute_split(x, 2)
        with pytest.raises(LocalityError, match=r"distribute_add\(\): expected tensor 0 on one rank alone, but it is tritonflow.placement"):
            flow.comm.distribute_add([x])
        one, two = placed(B, [0]), placed(B, [1], BASE[:, :2])
        with pytest.raises(ShapeError, match=r"distribute_concat\(\): expected tensor 1 of size \[5, 3\], got \[5, 2\]"):
            flow.comm.distribute_concat([one, two])
        with pytest.raises(InvalidArgumentError, match="a rank occurs twice"):
            flow.comm.distribute_add([one, one])
        with pytest.raises(InvalidArgumentError, match=r"select_top_n\(\): n=3, but there are 1 tensors"):
            flow.comm.select_top_n([line], 3)
        square = flow.tensor(BASE).to_global(placement=flow.placement("cpu", [[0, 1]]), sbp=[B, B])
        with pytest.raises(InvalidArgumentError, match="expected a placement with one dimension"):
            flow.comm.distribute_clone(square)

    on_ranks(2, f)

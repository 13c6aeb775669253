"""Views whose elements had to move between ranks are views all the same: writes go both ways, gradients as of local tensors."""

import pytest

import tritonflow as flow
from tritonflow.errors import InplaceError, NotYetImplementedError, ShapeError
from tritonflow.testing import simulate

BASE = range(24)


def laid_out(x, dim, size=2):
    placement = flow.placement("cpu", range(size))
    return x.to_global(placement=placement, sbp=flow.sbp.broadcast).to_global(sbp=flow.sbp.split(dim))


def whole(x):
    return x.to_global(sbp=flow.sbp.broadcast).to_local().clone()


def base():
    return flow.tensor(list(BASE), dtype=flow.float32).view(4, 6)


def on_ranks(program, size=2):
    """Run `program(lay)` over ranks and on local tensors, and compare what it returns."""
    expected = program(lambda x: x)
    for found in simulate(size)(lambda: [whole(t) for t in program(lambda x: laid_out(x, 1, size))])():
        for ours, theirs in zip(found, expected):
            assert ours.tolist() == theirs.tolist()


def test_a_view_of_split_columns_keeps_its_elements_pytorch_179502():
    on_ranks(lambda lay: [lay(base()).view(24), lay(base()).view(3, 8)])


@pytest.mark.parametrize("size", [2, 3])
def test_a_write_through_the_view_reaches_the_tensor(size):
    def program(lay):
        x = lay(base())
        x.view(24).add_(1)
        return [x]

    on_ranks(program, size)


def test_a_write_to_the_tensor_reaches_the_view():
    def program(lay):
        x = lay(base())
        v = x.view(24)
        x.mul_(2)
        first = v + 0
        x.mul_(2)
        return [first, v, x]

    on_ranks(program)


@pytest.mark.parametrize("size", [2, 3])
def test_slices_of_a_split_dimension_are_views(size):
    def program(lay):
        x = lay(base())
        part, column, last = x[:, 1:5], x[:, ::2], x[:, 5]
        part.mul_(2)
        column[:, 1:] += 100
        last.fill_(-1)
        x.add_(0.5)
        return [part, column, last, x]

    on_ranks(program, size)


def test_a_view_of_the_view_shares_its_memory():
    def program(lay):
        x = lay(base())
        v = x.view(24)
        v[3:9].add_(5)
        x.add_(1)
        v[4:20].view(4, 4).mul_(2)
        return [x, v]

    on_ranks(program)


def test_items_are_written():
    def program(lay):
        x = lay(base())
        x[0, 2:9:2] = 0
        x[1] = 7.0
        return [x]

    on_ranks(program)


def test_gradients_of_a_write_through_the_view():
    def program(lay):
        x = lay(base()).detach().requires_grad_()
        y = x * 2
        v = y.view(24)
        v[3:9].mul_(3.0)
        ((v * v).sum() + y.sum()).backward()
        return [x.grad]

    on_ranks(program)


def test_strides_of_a_view_are_refused():
    """Its storage is that of the tensor."""

    def f():
        x = laid_out(base(), 1)
        for view in (x[1:], x.t(), x[1:].detach()):
            with pytest.raises(NotYetImplementedError, match="as_strided\\(\\): of a view of a global"):
                view.as_strided((2,), (1,))
        return whole(x.as_strided((2, 2), (6, 1), 1)).tolist()

    assert simulate(2)(f)() == [[[1.0, 2.0], [7.0, 8.0]]] * 2


# ------------------------------------------------------------------------------------- what strides decide, on all ranks alike


def rows(*shape):
    """Over four ranks: of three rows the last rank has none, and the others' shards have no gaps, however they are turned."""
    x = flow.arange(flow.Size(shape).numel(), dtype=flow.float32).view(*shape)
    return laid_out(x, 0, 4)


def test_a_copy_of_turned_rows_is_a_copy_on_every_rank():
    """Also on one whose shard has no gaps: the whole tensor would be turned in the memory of one rank."""

    def f():
        for copied in (lambda v: v.contiguous(), lambda v: v.reshape(2, -1), lambda v: v.flatten()):
            x = rows(3, 4)
            y = copied(x.t())
            x.mul_(2)
            y.add_(100)
            assert whole(x).tolist() == (2 * base().view(6, 4)[:3]).tolist()
            assert (whole(y).flatten() - 100).tolist() == base().view(6, 4)[:3].t().flatten().tolist()

    simulate(4)(f)()


def test_strides_are_those_of_one_rank():
    def f():
        x = rows(3, 4)
        views = (x, x.t(), x[1:], x[:, 1:3], x.t()[1:], x.unsqueeze(1).expand(3, 2, 4), x.view(12), x.t().unsqueeze(0))
        return [(v.stride(), v.is_contiguous()) for v in views]

    x = base().view(6, 4)[:3].clone()
    views = (x, x.t(), x[1:], x[:, 1:3], x.t()[1:], x.unsqueeze(1).expand(3, 2, 4), x.view(12), x.t().unsqueeze(0))
    assert simulate(4)(f)() == [[(v.stride(), v.is_contiguous()) for v in views]] * 4


def test_a_view_that_no_strides_make_is_refused_on_every_rank():
    def f():
        with pytest.raises(ShapeError, match="view size is not compatible"):
            rows(3, 4).t().view(12)

    simulate(4)(f)()


def test_a_write_to_repeated_elements_is_refused_on_every_rank():
    """Also on one that has no column, or one row of the repeated ones."""

    def f():
        for x in (rows(3, 1).expand(3, 4), rows(1, 3).expand(4, 3), rows(3).expand(2, 3)):
            with pytest.raises(InplaceError, match="more than one element"):
                x.add_(1)

    simulate(4)(f)()


def test_local_tensors_with_gaps_become_a_tensor_without():
    def f():
        x = flow.arange(6).view(2, 3).t().to_global(placement=flow.placement("cpu", [0, 1]), sbp=flow.sbp.split(0))
        return whole(x.view(12)).tolist()

    assert simulate(2)(f)() == [[0, 3, 1, 4, 2, 5] * 2] * 2

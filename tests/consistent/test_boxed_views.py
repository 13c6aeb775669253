"""Views whose elements had to move between ranks are views all the same: writes go both ways, gradients as of local tensors."""

import pytest

import tritonflow as flow
from tritonflow.errors import NotYetImplementedError
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

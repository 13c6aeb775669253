"""`autograd.Function`: ops of the user's own."""

from __future__ import annotations

from typing import Any

import pytest

import tritonflow as flow
from tritonflow.autograd import Function


class Square(Function):
    """x ** 2 with a differentiable backward."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * x * 2


class Scale(Function):
    """x * factor; the factor is no tensor."""

    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x * factor

    @staticmethod
    def backward(ctx, dy):
        return dy * ctx.factor, None


class Both(Function):
    """Sum and product; a missing gradient is zeros."""

    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x + y, x * y

    @staticmethod
    def backward(ctx, ds, dp):
        x, y = ctx.saved_tensors
        return ds + dp * y, ds + dp * x


def leaf(*values: float, dtype: flow.dtype = flow.float32) -> flow.Tensor:
    return flow.tensor(list(values), dtype=dtype, requires_grad=True)


def test_forward_and_backward() -> None:
    x = leaf(1.0, 2.0, 3.0)
    y = Square.apply(x)
    assert y.tolist() == [1.0, 4.0, 9.0] and y.grad_fn.name() == "SquareBackward"
    y.sum().backward()
    assert x.grad.tolist() == [2.0, 4.0, 6.0]


def test_oneflow_way_to_apply() -> None:
    assert Square()(leaf(3.0)).tolist() == [9.0]


def test_double_backward_and_gradcheck() -> None:
    x = leaf(0.5, 2.0, dtype=flow.float64)
    assert flow.autograd.gradcheck(Square.apply, x)
    assert flow.autograd.gradgradcheck(Square.apply, x)


def test_arguments_that_are_no_tensors() -> None:
    x = leaf(1.0, 2.0)
    Scale.apply(x, 5.0).sum().backward()
    assert x.grad.tolist() == [5.0, 5.0]


def test_several_outputs() -> None:
    x, y = leaf(2.0), leaf(3.0)
    total, product = Both.apply(x, y)
    (total + product * 10).sum().backward()
    assert x.grad.tolist() == [31.0] and y.grad.tolist() == [21.0]
    a, b = leaf(2.0), leaf(3.0)
    Both.apply(a, b)[1].sum().backward()
    assert a.grad.tolist() == [3.0] and b.grad.tolist() == [2.0]


def test_needs_input_grad() -> None:
    seen = []

    class Seen(Function):
        @staticmethod
        def forward(ctx, x, y):
            return x + y

        @staticmethod
        def backward(ctx, dy):
            seen.append(ctx.needs_input_grad)
            return dy, None

    Seen.apply(leaf(1.0), flow.tensor([1.0])).sum().backward()
    assert seen == [(True, False)]


def test_forward_is_not_recorded() -> None:
    class Inner(Function):
        @staticmethod
        def forward(ctx, x):
            assert not flow.is_grad_enabled()
            return (x * 2).detach()

        @staticmethod
        def backward(ctx, dy):
            return dy * 7

    x = leaf(1.0)
    Inner.apply(x).sum().backward()
    assert x.grad.tolist() == [7.0]


def test_not_recorded_without_grad_mode() -> None:
    with flow.no_grad():
        assert not Square.apply(leaf(1.0)).requires_grad
    assert not Square.apply(flow.tensor([1.0])).requires_grad


def test_mark_non_differentiable() -> None:
    class Pair(Function):
        @staticmethod
        def forward(ctx, x):
            mask = x * 0 + 1
            ctx.mark_non_differentiable(mask)
            return x * 2, mask

        @staticmethod
        def backward(ctx, dy, dmask):
            return dy * 2

    y, mask = Pair.apply(leaf(1.0))
    assert y.requires_grad and not mask.requires_grad


def test_mark_dirty() -> None:
    class Doubled(Function):
        @staticmethod
        def forward(ctx, x):
            x.mul_(2)
            ctx.mark_dirty(x)
            return x

        @staticmethod
        def backward(ctx, dy):
            return dy * 2

    x = leaf(1.0, 2.0)
    y = x * 1
    z = Doubled.apply(y)
    assert z is y
    z.sum().backward()
    assert x.grad.tolist() == [2.0, 2.0]


def test_missing_gradients_as_none() -> None:
    class Plain(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.set_materialize_grads(False)
            return x * 1, x * 2

        @staticmethod
        def backward(ctx, first, second):
            assert second is None
            return first

    x = leaf(1.0)
    Plain.apply(x)[0].sum().backward()
    assert x.grad.tolist() == [1.0]


def test_returning_the_input() -> None:
    class Identity(Function):
        @staticmethod
        def forward(ctx, x):
            return x

        @staticmethod
        def backward(ctx, dy):
            return dy * 3

    x = leaf(1.0)
    y = Identity.apply(x)
    assert y is not x and x.is_leaf
    y.sum().backward()
    assert x.grad.tolist() == [3.0]


def test_wrong_number_of_gradients() -> None:
    class Wrong(Function):
        @staticmethod
        def forward(ctx, x, y):
            return x + y

        @staticmethod
        def backward(ctx, dy):
            return dy

    with pytest.raises(RuntimeError, match="incorrect number of gradients \\(expected 2, got 1\\)"):
        Wrong.apply(leaf(1.0), leaf(2.0)).sum().backward()


def test_gradient_of_the_wrong_shape() -> None:
    class Wrong(Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, dy):
            return flow.ones(7)

    with pytest.raises(RuntimeError, match="WrongBackward returned an invalid gradient"):
        Wrong.apply(leaf(1.0, 2.0)).sum().backward()


def test_error_in_backward_reaches_the_caller() -> None:
    class Failing(Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, dy):
            raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        Failing.apply(leaf(1.0)).sum().backward()
    assert flow.is_grad_enabled()


def test_second_backward_and_saved_versions() -> None:
    x = leaf(1.0, 2.0)
    y = Square.apply(x)
    y.sum().backward()
    with pytest.raises(RuntimeError, match="second\\s+time"):
        y.sum().backward()
    z = x * 1
    w = Square.apply(z)
    z.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        w.sum().backward()


def test_setup_context() -> None:
    class Scale(flow.autograd.Function):
        generate_vmap_rule = True

        @staticmethod
        def forward(x: Any, factor: float) -> Any:
            return x * factor, x + 1

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            _, ctx.factor = inputs
            ctx.mark_non_differentiable(output[1])

        @staticmethod
        def vjp(ctx: Any, dy: Any, _: Any) -> Any:
            return dy * ctx.factor, None

    x = flow.ones(2, requires_grad=True)
    y, z = Scale.apply(x, 3.0)
    assert not z.requires_grad
    y.sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]


def test_what_is_once_differentiable_refuses_a_second_backward() -> None:
    class Square(flow.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        @flow.autograd.function.once_differentiable
        def backward(ctx: Any, dy: Any) -> Any:
            return 2 * ctx.saved_tensors[0] * dy

    x, scale = flow.tensor([3.0], requires_grad=True), flow.ones(1, requires_grad=True)
    (first,) = flow.autograd.grad(Square.apply(x) * scale, x, create_graph=True)
    assert first.tolist() == [6.0]
    with pytest.raises(RuntimeError, match="differentiate twice a function that was marked with @once_differentiable"):
        first.backward()


def test_outputs_that_are_no_tensors_count() -> None:
    """As in torch: backward has a gradient for each output, None for what is no tensor."""
    seen = []

    class Several(flow.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return None, x * 2, 3, x * 5

        @staticmethod
        def backward(ctx: Any, *grads: Any) -> Any:
            seen.extend(grads)
            return grads[1] * 2 + grads[3] * 5

    x = flow.ones(2, requires_grad=True)
    Several.apply(x)[3].sum().backward()
    assert [None if g is None else g.tolist() for g in seen] == [None, [0, 0], None, [1, 1]]
    assert x.grad.tolist() == [5, 5]


def test_a_dirty_output_behind_another() -> None:
    class Both(flow.autograd.Function):
        @staticmethod
        def forward(ctx: Any, a: Any, b: Any) -> Any:
            b.mul_(5)
            ctx.mark_dirty(b)
            return a * 3, b

        @staticmethod
        def backward(ctx: Any, da: Any, db: Any) -> Any:
            return da * 3, db * 5

    a, b = flow.ones(2, requires_grad=True), flow.ones(2, requires_grad=True)
    y, z = Both.apply(a, b * 1)
    (y * 2 + z * 7).sum().backward()
    assert (a.grad.tolist(), b.grad.tolist()) == ([6, 6], [35, 35])
    with pytest.raises(NotImplementedError, match="mark_dirty.. of a view that is not the first input"):
        Both.apply(a, (b * 1)[:])


@pytest.mark.parametrize("is_fresh", [False, True])
def test_a_view_that_a_function_gives_is_not_written(is_fresh: bool) -> None:
    """As in torch: the write would give the view the history of its memory, which the function's backward is no part of."""

    class FirstHalf(flow.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return (x * 7)[:2] if is_fresh else x[:2]

        @staticmethod
        def backward(ctx: Any, dy: Any) -> Any:
            return flow.cat([dy * 7, flow.zeros(2)])

    x = flow.ones(4, requires_grad=True)
    for write in (lambda y: y.mul_(2), lambda y: y[0].fill_(3), lambda y: y.add_(x[:2])):
        with pytest.raises(RuntimeError, match="FirstHalfBackward is a view and is being modified inplace"):
            write(FirstHalf.apply(x * 1))
    base = x * 1
    y = FirstHalf.apply(base)
    if not is_fresh:
        base.add_(1)
        with pytest.raises(RuntimeError, match="FirstHalfBackward is a view and is being modified inplace"):
            y.sum()
    FirstHalf.apply(x).clone().mul_(2).sum().backward()
    assert x.grad.tolist() == [14, 14, 0, 0]
    assert FirstHalf.apply(flow.ones(4)).mul_(2).shape == (2,)


def test_what_is_dirty_is_returned() -> None:
    class Forgotten(flow.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.mark_dirty(x.mul_(2))
            return x * 1

    with pytest.raises(RuntimeError, match="marked as dirty .* were not returned"):
        Forgotten.apply(flow.ones(2, requires_grad=True) * 1)


def test_what_ctx_saves_goes_with_the_outputs() -> None:
    """As in torch: the node has it, and a ctx that a program keeps does not keep the node."""
    seen: list[Any] = []

    class Kept(flow.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            seen.append(ctx)
            ctx.save_for_backward(x)
            return x * 2

        @staticmethod
        def backward(ctx: Any, dy: Any) -> Any:
            return dy * 2

    x = flow.ones(2, requires_grad=True)
    y = Kept.apply(x)
    assert seen[0].saved_tensors[0].tolist() == [1, 1]
    del y
    with pytest.raises(RuntimeError, match="are released, as no output of the function is left"):
        seen[0].saved_tensors
    y = Kept.apply(x)
    y.sum().backward()
    with pytest.raises(RuntimeError, match="released"):
        seen[1].saved_tensors


def test_what_is_saved_is_a_tensor() -> None:
    class Saves(flow.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any, name: str) -> Any:
            getattr(ctx, name)(x, 5)
            return x * 2

    for name in ("save_for_backward", "save_for_forward"):
        with pytest.raises(TypeError, match=f"{name} can only save tensors, but argument 1 is of type int"):
            Saves.apply(flow.ones(2, requires_grad=True), name)

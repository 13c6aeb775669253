"""autograd.Function, gradients inside and outside, transforms of functions, checkpoints."""

from __future__ import annotations

import copy
from typing import Any

import tritonflow as flow
from tests.graph.situations.situation import Wrap, error_of, grid, leaf, linear, other, row, situation

Function = flow.autograd.Function


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * x * 2


class Scaled(Function):
    @staticmethod
    def forward(ctx, x, k, name=None):
        ctx.k = k
        return x * k

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.k, None, None


def gradient(f: Any, *args: Any) -> Any:
    """What a function gives, and the gradients of its inputs."""
    result = f(*args)
    result.sum().backward()
    return result, [a.grad for a in args if isinstance(a, flow.Tensor)]


@situation("test_autograd_function")
def a_function_of_ones_own(wrap: Wrap) -> Any:
    f = wrap(lambda x: Square.apply(x) + 1)
    return gradient(f, leaf()), f(row()), gradient(f, other().requires_grad_())


@situation("test_autograd_function")
def a_function_with_numbers(wrap: Wrap) -> Any:
    f = wrap(lambda x, k: Scaled.apply(x, k, "name"))
    return gradient(f, leaf(), 2.0), gradient(f, leaf(), 3.0)


@situation("test_autograd_function")
def a_function_with_setup_context(wrap: Wrap) -> Any:
    class Cube(Function):
        @staticmethod
        def forward(x):
            return x * x * x

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(*inputs)

        @staticmethod
        def backward(ctx, grad):
            (x,) = ctx.saved_tensors
            return grad * x * x * 3

    return gradient(wrap(lambda x: Cube.apply(x)), leaf())


@situation("test_autograd_function")
def a_function_with_several_results(wrap: Wrap) -> Any:
    class Both(Function):
        @staticmethod
        def forward(ctx, x, y):
            return x + y, x * 2

        @staticmethod
        def backward(ctx, a, b):
            return a + b * 2, a

    @wrap
    def f(x, y):
        a, b = Both.apply(x, y)
        return a * b

    return gradient(f, leaf(), leaf())


@situation("test_autograd_function")
def a_result_without_a_gradient(wrap: Wrap) -> Any:
    class Sign(Function):
        @staticmethod
        def forward(ctx, x):
            mask = x > 1
            ctx.mark_non_differentiable(mask)
            ctx.save_for_backward(mask)
            return x * 2, mask

        @staticmethod
        def backward(ctx, grad, _):
            (mask,) = ctx.saved_tensors
            return grad * mask

    @wrap
    def f(x):
        y, mask = Sign.apply(x)
        return y, mask

    x = leaf()
    y, mask = f(x)
    y.sum().backward()
    return y, mask, x.grad


@situation("test_autograd_function")
def a_gradient_that_is_none(wrap: Wrap) -> Any:
    class Split(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.set_materialize_grads(False)
            return x * 2, x * 3

        @staticmethod
        def backward(ctx, a, b):
            return a * 2 if b is None else a * 2 + b * 3

    @wrap
    def f(x):
        y, _ = Split.apply(x)
        return y

    return gradient(f, leaf())


@situation("test_autograd_function")
def needs_input_grad(wrap: Wrap) -> Any:
    class Product(Function):
        @staticmethod
        def forward(ctx, x, y):
            ctx.save_for_backward(x, y)
            return x * y

        @staticmethod
        def backward(ctx, grad):
            x, y = ctx.saved_tensors
            a, b = ctx.needs_input_grad
            return grad * y if a else None, grad * x if b else None

    f = wrap(lambda x, y: Product.apply(x, y))
    return gradient(f, leaf(), row()), gradient(f, row(), leaf()), gradient(f, leaf(), leaf())


@situation("test_autograd_function")
def a_function_that_writes_its_input(wrap: Wrap) -> Any:
    class Add(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            return x.add_(1)

        @staticmethod
        def backward(ctx, grad):
            return grad * 2

    @wrap
    def f(x):
        y = x * 1
        return Add.apply(y) * 3

    return gradient(f, leaf()), wrap(lambda x: Add.apply(x))(row())


@situation("test_autograd_function")
def a_function_that_keeps_a_number_of_calls(wrap: Wrap) -> Any:
    class Counted(Function):
        calls = 0

        @staticmethod
        def forward(ctx, x):
            Counted.calls += 1
            return x * Counted.calls

        @staticmethod
        def backward(ctx, grad):
            return grad

    f = wrap(lambda x: Counted.apply(x))
    return f(row()), f(row()), Counted.calls


@situation("test_autograd_function")
def what_only_a_function_reads(wrap: Wrap) -> Any:
    k = 2.0

    class ByK(Function):
        @staticmethod
        def forward(ctx, x):
            return x * k

        @staticmethod
        def backward(ctx, grad):
            return grad * k

    f = wrap(lambda x: ByK.apply(x))
    first = gradient(f, leaf())
    k = 3.0
    return first, gradient(f, leaf())


@situation("test_autograd_function")
def what_only_the_backward_reads(wrap: Wrap) -> Any:
    k = 2.0

    class ByK(Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, grad):
            return grad * k

    f = wrap(lambda x: ByK.apply(x))
    first = gradient(f, leaf())
    k = 3.0
    return first, gradient(f, leaf())


@situation("test_autograd_function")
def printing_in_the_backward(wrap: Wrap) -> Any:
    seen: list[Any] = []

    class Watched(Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            seen.append(tuple(grad.shape))
            return grad * 2

    f = wrap(lambda x: Watched.apply(x))
    return gradient(f, leaf()), gradient(f, leaf()), seen


@situation("test_autograd_function")
def once_differentiable(wrap: Wrap) -> Any:
    class Once(Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        @flow.autograd.function.once_differentiable
        def backward(ctx, grad):
            return grad * 2

    return gradient(wrap(lambda x: Once.apply(x)), leaf())


@situation("test_autograd_function")
def a_function_of_a_class_hierarchy(wrap: Wrap) -> Any:
    class Twice(Square):
        @staticmethod
        def forward(ctx, x):
            return Square.forward(ctx, x) * 2

    return gradient(wrap(lambda x: Twice.apply(x)), leaf())


@situation("test_autograd_function")
def a_function_with_a_list_in_its_context(wrap: Wrap) -> Any:
    class Keeps(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.parts = [x * 2, {"k": 3}]
            return x * x

        @staticmethod
        def backward(ctx, grad):
            return grad * ctx.parts[0] * ctx.parts[1]["k"]

    return gradient(wrap(lambda x: Keeps.apply(x)), leaf())


@situation("test_autograd_function")
def custom_forward_and_backward_of_autocast(wrap: Wrap) -> Any:
    class Mixed(Function):
        @staticmethod
        @flow.amp.custom_fwd(device_type="cpu", cast_inputs=flow.float32)
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        @flow.amp.custom_bwd(device_type="cpu")
        def backward(ctx, grad):
            return grad * ctx.saved_tensors[0] * 2

    f = wrap(lambda x: Mixed.apply(x))
    with flow.autocast("cpu", dtype=flow.bfloat16):
        return gradient(f, leaf())


@situation("test_autograd_function")
def a_function_in_a_module(wrap: Wrap) -> Any:
    class Net(flow.nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = linear()

        def forward(self, x):
            return Square.apply(self.layer(x))

    net = Net()
    result = gradient(wrap(net), grid().requires_grad_())
    return result, net.layer.weight.grad


@situation("test_aot_autograd")
def backward_outside(wrap: Wrap) -> Any:
    f = wrap(lambda x, y: (x * y).sum())
    x, y = leaf(), other().requires_grad_()
    for _ in range(2):
        f(x, y).backward()
    return x.grad, y.grad


@situation("test_aot_autograd")
def backward_with_a_gradient(wrap: Wrap) -> Any:
    f = wrap(lambda x: (x * 2, x * 3))
    x = leaf()
    a, b = f(x)
    flow.autograd.backward([a, b], [row(), other()])
    return x.grad, flow.autograd.grad(f(x)[0].sum(), x)


@situation("test_aot_autograd")
def backward_twice(wrap: Wrap) -> Any:
    f = wrap(lambda x: (x * x).sum())
    x = leaf()
    loss = f(x)
    loss.backward(retain_graph=True)
    loss.backward()
    return x.grad, error_of(loss.backward)[0]


@situation("test_aot_autograd")
def backward_inside(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        loss = (x * x).sum()
        loss.backward()
        return loss

    x = leaf()
    return f(x), f(x), x.grad


@situation("test_aot_autograd")
def the_gradient_is_read_inside(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        (x * x).sum().backward()
        grad = x.grad * 2
        x.grad = None
        return grad

    x = leaf()
    return f(x), x.grad, f(x)


@situation("test_aot_autograd")
def a_gradient_is_there_before(wrap: Wrap) -> Any:
    f = wrap(lambda x: x * 2 if x.grad is None else x * x.grad)
    x = leaf()
    first = f(x)
    x.grad = other()
    return first, f(x)


@situation("test_aot_autograd")
def grad_inside(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        (grad,) = flow.autograd.grad((x * x * x).sum(), x)
        return grad * 2

    x = leaf()
    return f(x), x.grad


@situation("test_aot_autograd")
def second_derivatives_inside(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        (first,) = flow.autograd.grad((x * x * x).sum(), x, create_graph=True)
        (second,) = flow.autograd.grad(first.sum(), x)
        return first, second

    return f(leaf())


@situation("test_aot_autograd")
def second_derivatives_outside(wrap: Wrap) -> Any:
    f = wrap(lambda x: (x * x * x).sum())
    x = leaf()
    (first,) = flow.autograd.grad(f(x), x, create_graph=True)
    (second,) = flow.autograd.grad(first.sum(), x)
    return first, second


@situation("test_aot_autograd")
def a_gradient_penalty_inside(wrap: Wrap) -> Any:
    net = linear()

    @wrap
    def f(x):
        (grad,) = flow.autograd.grad(net(x).sum(), x, create_graph=True)
        loss = (grad * grad).sum()
        loss.backward()
        return loss

    return f(grid().requires_grad_()), net.weight.grad


@situation("test_aot_autograd")
def detach_inside(wrap: Wrap) -> Any:
    f = wrap(lambda x: x * x.detach())
    return gradient(f, leaf()), wrap(lambda x: (x * 2).detach())(leaf()).requires_grad


@situation("test_aot_autograd")
def requires_grad_changes_between_calls(wrap: Wrap) -> Any:
    f = wrap(lambda x: x * 2)
    x = row()
    results = [f(x).requires_grad]
    x.requires_grad_()
    results.append(f(x).requires_grad)
    x.requires_grad_(False)
    return [*results, f(x).requires_grad]


@situation("test_aot_autograd")
def requires_grad_is_set_inside(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        y = (x * 2).detach().requires_grad_()
        (y * y).sum().backward()
        return y.grad

    return f(row()), f(other())


@situation("test_aot_autograd")
def requires_grad_of_an_input_is_set_inside(wrap: Wrap) -> Any:
    @wrap
    def f(x, y):
        x.requires_grad_(True)
        return x * 3, y * 4

    x, y = row(), leaf()
    a, b = f(x, y)
    (a.sum() + b.sum()).backward()
    return x.requires_grad, x.grad, y.grad


@situation("test_aot_autograd")
def an_input_with_a_history(wrap: Wrap) -> Any:
    f = wrap(lambda x: x * 2)
    x = leaf()
    y = x * 3
    f(y).sum().backward()
    return x.grad


@situation("test_aot_autograd")
def backward_inside_reaches_a_history(wrap: Wrap) -> Any:
    @wrap
    def f(y):
        (y * 2).sum().backward()
        return y + 1

    x = leaf()
    result = f(x * 3)
    return result, x.grad


@situation("test_aot_autograd")
def a_saved_input_is_written_before_backward(wrap: Wrap) -> Any:
    f = wrap(lambda x, y: (x * y).sum())
    x, y = leaf(), row()
    loss = f(x, y)
    y.add_(1)
    return error_of(loss.backward)[0]


@situation("test_aot_autograd")
def an_unused_input(wrap: Wrap) -> Any:
    f = wrap(lambda x, y: x * 2)
    x, y = leaf(), leaf()
    f(x, y).sum().backward()
    return x.grad, y.grad, error_of(flow.autograd.grad, f(x, y).sum(), y)[0]


@situation("test_aot_autograd")
def an_unused_result(wrap: Wrap) -> Any:
    f = wrap(lambda x, y: (x * 2, y * 3))
    x, y = leaf(), leaf()
    f(x, y)[0].sum().backward()
    return x.grad, y.grad


@situation("test_aot_autograd")
def integers_have_no_gradient(wrap: Wrap) -> Any:
    f = wrap(lambda x, ids: (x[ids] * 2, ids + 1))
    x = leaf()
    y, ids = f(x, flow.tensor([0, 2, 2]))
    y.sum().backward()
    return y, ids, x.grad


@situation("test_higher_order_ops")
def grad_of_a_function(wrap: Wrap) -> Any:
    f = wrap(lambda x: flow.func.grad(lambda t: (t * t * t).sum())(x))
    g = wrap(flow.func.grad(lambda t: (t * t).sum()))
    return f(row()), g(row())


@situation("test_higher_order_ops")
def grad_of_a_function_with_a_closure(wrap: Wrap) -> Any:
    k, w = 2.0, other()
    f = wrap(lambda x: flow.func.grad(lambda t: (t * t * w).sum() * k)(x))
    first = f(row())
    k = 3.0
    return first, f(row())


@situation("test_higher_order_ops")
def grad_and_value_and_aux(wrap: Wrap) -> Any:
    def loss(x, y):
        return (x * y).sum(), {"twice": x * 2}

    f = wrap(lambda x, y: flow.func.grad_and_value(loss, argnums=(0, 1), has_aux=True)(x, y))
    return f(row(), other())


@situation("test_higher_order_ops")
def grad_of_grad(wrap: Wrap) -> Any:
    f = wrap(lambda x: flow.func.grad(lambda t: flow.func.grad(lambda s: (s * s * s).sum())(t).sum())(x))
    return f(row())


@situation("test_higher_order_ops")
def vmap_inside(wrap: Wrap) -> Any:
    f = wrap(lambda x, w: flow.vmap(lambda line: (line * w).sum())(x))
    return f(grid(), row())


@situation("test_higher_order_ops")
def vmap_with_dims_and_pytrees(wrap: Wrap) -> Any:
    def inner(p):
        return {"a": p["x"] * 2, "b": p["x"] + p["y"]}

    f = wrap(lambda x, y: flow.vmap(inner, in_dims=({"x": 1, "y": 0},), out_dims=1)({"x": x, "y": y}))
    return f(grid(), flow.ones(3, 2))


@situation("test_higher_order_ops")
def vmap_of_a_compiled_function(wrap: Wrap) -> Any:
    f = wrap(lambda x: (x * x).sum())
    return flow.vmap(f)(grid()), f(row())


@situation("test_higher_order_ops")
def grad_of_a_compiled_function(wrap: Wrap) -> Any:
    f = wrap(lambda x: (x * x).sum())
    return flow.func.grad(f)(row()), f(row())


@situation("test_higher_order_ops")
def vmap_of_grad(wrap: Wrap) -> Any:
    f = wrap(lambda x: flow.vmap(flow.func.grad(lambda t: (t * t).sum()))(x))
    return f(grid())


@situation("test_higher_order_ops")
def vmap_with_a_side_effect(wrap: Wrap) -> Any:
    calls = [0]

    def inner(line):
        calls[0] += 1
        return line * calls[0]

    f = wrap(lambda x: flow.vmap(inner)(x))
    return f(grid()), f(grid()), calls


@situation("test_higher_order_ops")
def jacobians(wrap: Wrap) -> Any:
    f = wrap(lambda x: (flow.func.jacrev(lambda t: t * t)(x), flow.func.jacfwd(lambda t: t * t)(x)))
    return f(row())


@situation("test_higher_order_ops")
def jvp_and_vjp(wrap: Wrap) -> Any:
    @wrap
    def f(x, v):
        value, tangent = flow.func.jvp(lambda t: t * t, (x,), (v,))
        _, back = flow.func.vjp(lambda t: t * t, x)
        return value, tangent, back(v)

    return f(row(), other())


@situation("test_activation_checkpointing")
def a_checkpoint(wrap: Wrap) -> Any:
    def block(x, y):
        return (x * y).sin()

    f = wrap(lambda x, y: flow.utils.checkpoint.checkpoint(block, x, y, use_reentrant=False))
    return gradient(f, leaf(), leaf())


@situation("test_activation_checkpointing")
def a_checkpoint_with_a_closure(wrap: Wrap) -> Any:
    k = 2.0
    f = wrap(lambda x: flow.utils.checkpoint.checkpoint(lambda t: t * t * k, x, use_reentrant=False))
    first = gradient(f, leaf())
    k = 3.0
    return first, gradient(f, leaf())


@situation("test_activation_checkpointing")
def a_checkpoint_with_dropout(wrap: Wrap) -> Any:
    def block(x):
        return flow.nn.functional.dropout(x * 2, 0.5)

    f = wrap(lambda x: flow.utils.checkpoint.checkpoint(block, x, use_reentrant=False))
    x = flow.ones(8, requires_grad=True)
    y = f(x)
    y.sum().backward()
    return y, x.grad


@situation("test_activation_checkpointing")
def a_checkpoint_of_a_compiled_function(wrap: Wrap) -> Any:
    f = wrap(lambda x: flow.nn.functional.dropout(x * x, 0.5))
    x = flow.ones(8, requires_grad=True)
    y = flow.utils.checkpoint.checkpoint(f, x, use_reentrant=False)
    y.sum().backward()
    return y, x.grad


@situation("test_aot_autograd")
def a_list_of_gradients(wrap: Wrap) -> Any:
    f = wrap(lambda xs: sum(x * (k + 1) for k, x in enumerate(xs)).sum())
    xs = [leaf(), leaf(), row()]
    f(xs).backward()
    return [x.grad for x in xs]


@situation("test_aot_autograd")
def the_gradient_is_kept_and_written(wrap: Wrap) -> Any:
    f = wrap(lambda x: (x * x).sum())
    x = leaf()
    f(x).backward()
    kept = x.grad
    f(x).backward()
    x.grad.zero_()
    f(x).backward()
    return kept, x.grad


@situation("test_aot_autograd")
def a_compiled_function_between_eager_ops(wrap: Wrap) -> Any:
    f = wrap(lambda x: x * x)
    x = leaf()
    loss = (f(x * 2) + f(x)).sum()
    loss.backward()
    return loss, x.grad


@situation("test_aot_autograd")
def a_deep_copy_of_a_result(wrap: Wrap) -> Any:
    f = wrap(lambda x: x * 2)
    y = f(row())
    twin = copy.deepcopy(y)
    y.add_(1)
    return y, twin


@situation("test_higher_order_ops")
def grad_of_a_tree_with_keywords(wrap: Wrap) -> Any:
    def loss(tree, *, k, shift=0):
        return (tree["a"] * k).sum() + (tree["b"][0] * tree["b"][0]).sum() + shift

    f = wrap(lambda x, y, k: flow.func.grad(loss)({"a": x, "b": [y]}, k=k))
    return f(row(), other(), 2), f(row(), other(), 3)


@situation("test_activation_checkpointing")
def a_checkpoint_with_lists_and_keywords(wrap: Wrap) -> Any:
    def block(parts, *, k=1):
        return parts[0] * parts[1] * k

    f = wrap(lambda x, y: flow.utils.checkpoint.checkpoint(block, [x, y], k=3, use_reentrant=False))
    return gradient(f, leaf(), leaf())


@situation("test_activation_checkpointing")
def a_checkpoint_in_a_checkpoint(wrap: Wrap) -> Any:
    def save(function, x):
        return flow.utils.checkpoint.checkpoint(function, x, use_reentrant=False)

    f = wrap(lambda x: save(lambda a: save(lambda b: b * b, a) * a, x))
    return gradient(f, leaf())


@situation("test_python_autograd")
def a_tape_of_the_users(wrap: Wrap) -> Any:
    tape: list[Any] = []

    class Value:
        def __init__(self, x):
            self.x, self.grad = x, 0

        def __mul__(self, right):
            result = Value(self.x * right.x)
            tape.append((result, self, right))
            return result

    @wrap
    def f(x, y):
        tape.clear()
        a, b = Value(x), Value(y)
        c = a * b * a
        c.grad = 1
        for result, left, right in reversed(tape):
            left.grad = left.grad + result.grad * right.x
            right.grad = right.grad + result.grad * left.x
        return c.x, a.grad, b.grad

    return f(row(), other()), f(other(), row()), len(tape)


@situation("test_repros")
def gradients_go_with_their_tensors(wrap: Wrap) -> Any:
    import gc
    import weakref

    @wrap
    def f(x):
        loss = (x * x).sum()
        loss.backward()
        return loss.detach()

    x = leaf()
    loss = f(x)
    gone = weakref.ref(x.grad)
    x.grad = None
    gc.collect()
    return loss, gone() is None

"""In-place ops, views, and tensors that share memory: inputs, outputs, parameters and variables."""

from __future__ import annotations

import types
from typing import Any

import tritonflow as flow
from tests.graph.situations.situation import Wrap, error_of, grid, leaf, linear, other, row, situation


@situation("test_misc")
def an_input_is_written(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        x.add_(1)
        return x * 2

    x = row()
    return f(x), x, f(x), x


@situation("test_misc")
def every_kind_of_write(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        x += 1
        x *= 2
        x[0] = 5
        x[1:] -= 1
        x.mul_(x)
        x.copy_(x + 1)
        return x.sum()

    x = row()
    return f(x), x


@situation("test_aotdispatch")
def several_inputs_are_written(wrap: Wrap) -> Any:
    @wrap
    def f(a, b, c):
        a.mul_(2)
        c.mul_(3)
        return a + b, c

    a, b, c = row(), other(), row()
    return f(a, b, c), a, b, c


@situation("test_aotdispatch")
def an_input_is_written_and_nothing_returned(wrap: Wrap) -> Any:
    @wrap
    def f(x, y):
        x.add_(y)

    x = row()
    return f(x, other()), f(x, other()), x


@situation("test_aotdispatch")
def an_input_is_written_twice(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        x.add_(1)
        y = x * 2
        x.mul_(3)
        return y, x + 0

    x = row()
    return f(x), x


@situation("test_aotdispatch")
def an_input_is_set_to_another(wrap: Wrap) -> Any:
    @wrap
    def f(x, y):
        x.copy_(y)
        y.add_(1)
        return x + y

    x, y = row(), other()
    return f(x, y), x, y


@situation("test_aotdispatch")
def an_input_is_written_through_a_view(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        view = x[0]
        view.add_(10)
        x.t()[1].mul_(2)
        return x + 1

    x = grid()
    return f(x), x


@situation("test_aotdispatch")
def an_input_that_is_not_contiguous_is_written(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        x.mul_(2)
        return x + 1

    base = grid()
    return f(base[:, 0]), base, f(base.t()), base


@situation("test_aotdispatch")
def a_leaf_is_written_in_no_grad(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        with flow.no_grad():
            x.mul_(2)
        return x * 3

    x = leaf()
    y = f(x)
    y.sum().backward()
    return y, x, x.grad


@situation("test_aotdispatch")
def a_leaf_is_written_with_grad(wrap: Wrap) -> Any:
    x = leaf()
    return error_of(wrap(lambda t: t.add_(1)), x)[0], x


@situation("test_aotdispatch")
def a_detached_input_is_written(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        x.detach().mul_(2)
        return x + 1

    x = leaf()
    return f(x), x


@situation("test_aotdispatch")
def an_input_with_a_history_is_written(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        x.mul_(3)
        return x + 1

    x = leaf()
    y = x * 2
    f(y).sum().backward()
    return y, x.grad


@situation("test_aotdispatch")
def a_written_input_is_the_result(wrap: Wrap) -> Any:
    f = wrap(lambda x: x.add_(1))
    x = row()
    y = f(x)
    y.mul_(2)
    return x, y


@situation("test_aotdispatch")
def the_result_is_a_view_of_an_input(wrap: Wrap) -> Any:
    f = wrap(lambda x: x.view(-1))
    x = grid()
    y = f(x)
    y.add_(1)
    x.mul_(2)
    return x, y


@situation("test_aotdispatch")
def the_result_is_a_view_of_an_input_with_a_history(wrap: Wrap) -> Any:
    f = wrap(lambda x: x.view(-1))
    x = grid().requires_grad_()
    y = x * 1
    z = f(y)
    z.mul_(2)
    y.sum().backward()
    return y, z, x.grad


@situation("test_aotdispatch")
def results_are_several_views_of_inputs(wrap: Wrap) -> Any:
    @wrap
    def f(a, b):
        b.add_(1)
        return a[0], a.t(), b.view(3, 2), b

    a, b = grid(), grid()
    views = f(a, b)
    views[0].zero_()
    views[2].mul_(2)
    return a, b, views


@situation("test_aotdispatch")
def a_write_and_a_view_of_it(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        x.add_(1)
        return x.view(-1)

    x = grid()
    y = f(x)
    y.mul_(2)
    return x, y


@situation("test_aotdispatch")
def unbind_of_an_input(wrap: Wrap) -> Any:
    f = wrap(lambda x: x.unbind(0))
    x = grid()
    a, b = f(x)
    a.add_(1)
    return x, a, b


@situation("test_aotdispatch")
def chunk_and_split_of_an_input(wrap: Wrap) -> Any:
    f = wrap(lambda x: (*x.chunk(2, 1), *x.split(1)))
    x = grid()
    parts = f(x)
    x.mul_(2)
    return parts


@situation("test_aotdispatch")
def results_are_views_of_one_new_tensor(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        y = x * 3
        return y.view(-1), y, y.t(), y[0]

    views = f(grid())
    views[0].add_(1)
    return views


@situation("test_aotdispatch")
def two_views_of_what_is_not_returned(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        y = x * 3
        return y[0], y.view(-1)

    a, b = f(grid())
    a.zero_()
    return a, b


@situation("test_aotdispatch")
def the_same_new_tensor_twice(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        y = x * 2
        return y, y, [y]

    a, b, c = f(row())
    a.add_(1)
    return a, b, c


@situation("test_aotdispatch")
def views_with_gradients(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        y = x * 3
        return y.view(-1), y, y[0].detach()

    x = grid().requires_grad_()
    views = f(x)
    views[1].mul_(2)
    views[0].sum().backward()
    return views, x.grad


@situation("test_aotdispatch")
def unbind_of_a_new_tensor_with_gradients(wrap: Wrap) -> Any:
    f = wrap(lambda x: list((x * 3).unbind(0)))
    x = grid().requires_grad_()
    parts = f(x)
    sum(parts).sum().backward()
    return parts, x.grad


@situation("test_aotdispatch")
def an_input_is_returned_as_it_is(wrap: Wrap) -> Any:
    f = wrap(lambda x: (x, x.detach(), x * 2))
    x = leaf()
    same, detached, y = f(x)
    (same.sum() + y.sum()).backward()
    with flow.no_grad():
        x.add_(10)
    return x, same, detached, y, x.grad


@situation("test_aotdispatch")
def two_inputs_are_one_tensor_and_written(wrap: Wrap) -> Any:
    @wrap
    def f(a, b):
        a.add_(1)
        return a + b

    x, y = row(), row()
    return f(x, y), f(x, x), x, f(y, x)


@situation("test_aotdispatch")
def inputs_overlap_and_one_is_written(wrap: Wrap) -> Any:
    @wrap
    def f(a, b):
        a.add_(1)
        return a + b

    base = grid()
    return f(base[0], base[0]), f(base[0], base[1]), f(base[0], base), base


@situation("test_aotdispatch")
def inputs_overlap_and_both_are_written(wrap: Wrap) -> Any:
    @wrap
    def f(a, b):
        a.mul_(2)
        b.add_(1)
        return a.sum() + b.sum()

    base = flow.arange(5.0)
    return f(base[:3], base[2:]), base


@situation("test_aotdispatch")
def inputs_share_memory_but_do_not_overlap(wrap: Wrap) -> Any:
    @wrap
    def f(a, b):
        a.mul_(3)
        b.mul_(2)
        return a.reshape(-1)[:2] + b.reshape(-1)[:2]

    base = flow.arange(12.0).reshape(4, 3)
    return f(base[:2], base[2:]), f(base[:, :1], base[:, 2:]), base


@situation("test_aotdispatch")
def inputs_are_aliases_that_are_only_read(wrap: Wrap) -> Any:
    f = wrap(lambda a, b: a + b)
    base = grid()
    return f(base[0], base[0]), f(base, base), f(base[0], base[1])


@situation("test_aotdispatch")
def aliased_inputs_and_a_view_as_the_result(wrap: Wrap) -> Any:
    @wrap
    def f(a, b):
        a.add_(1)
        return b.view(-1)

    base = grid()
    result = f(base[0], base)
    base.mul_(2)
    return result, base


@situation("test_aotdispatch")
def views_of_the_right_input(wrap: Wrap) -> Any:
    f = wrap(lambda a, b: (a.view(-1), b.view(-1)))
    base = grid()
    a, b = f(base, base[0])
    b.zero_()
    return a, b, base


@situation("test_aotdispatch")
def an_alias_comes_in_a_later_call(wrap: Wrap) -> Any:
    @wrap
    def f(a, b):
        a.add_(1)
        b.mul_(2)
        return a + b

    x, y = row(), other()
    return f(x, y), f(x, x), f(y, x), x, y


@situation("test_aotdispatch")
def aliases_in_a_list(wrap: Wrap) -> Any:
    @wrap
    def f(values):
        values[0].add_(1)
        return [v * 2 for v in values]

    x = row()
    return f([x, other()]), f([x, x]), f([x[:2], x[1:]]), x


@situation("test_aotdispatch")
def an_input_is_a_parameter(wrap: Wrap) -> Any:
    net = linear()

    @wrap
    def f(w, x):
        with flow.no_grad():
            w.mul_(2)
        return net(x)

    return f(net.weight, grid()), f(flow.ones(3, 3), grid()), net


@situation("test_aotdispatch")
def an_input_is_a_buffer_that_is_written(wrap: Wrap) -> Any:
    net = flow.nn.BatchNorm1d(3)

    @wrap
    def f(mean, x):
        net(x)
        return mean * 2

    return f(net.running_mean, grid()), f(row(), grid()), net.running_mean


@situation("test_aotdispatch")
def an_input_is_a_variable_that_is_written(wrap: Wrap) -> Any:
    state = row()

    @wrap
    def f(x):
        state.add_(1)
        return x * 2

    return f(other()), f(state), f(state[:2]), state


@situation("test_aotdispatch")
def an_input_overlaps_what_is_outside(wrap: Wrap) -> Any:
    base = grid()
    line = base[0]

    @wrap
    def f(x):
        x.add_(1)
        return line * 2

    return f(row()), f(base[0]), f(base[1]), base


@situation("test_aotdispatch")
def the_result_is_a_parameter_or_a_view_of_one(wrap: Wrap) -> Any:
    net = linear()
    f = wrap(lambda x: (net.weight, net.bias.view(3, 1), net(x)))
    weight, bias, y = f(grid())
    with flow.no_grad():
        net.bias.add_(1)
    return weight is net.weight, bias, y, net


@situation("test_aotdispatch")
def the_result_is_a_variable(wrap: Wrap) -> Any:
    state = row()
    f = wrap(lambda x: (state, x * 2))
    same, _ = f(other())
    same.add_(1)
    return state, same, f(other())


@situation("test_aotdispatch")
def the_result_is_kept_and_not_overwritten(wrap: Wrap) -> Any:
    f = wrap(lambda x: x * 2)
    results = [f(row() * k) for k in range(3)]
    results[0].zero_()
    return results


@situation("test_aotdispatch")
def a_result_goes_in_again(wrap: Wrap) -> Any:
    f = wrap(lambda x: x * 2 + 1)
    x = row()
    for _ in range(3):
        x = f(x)
    return x


@situation("test_aotdispatch")
def a_result_is_written_and_goes_in_again(wrap: Wrap) -> Any:
    @wrap
    def f(x, y):
        return x + y, x * 2

    a, b = f(row(), other())
    a.add_(1)
    return f(a, b), a, b


@situation("test_aotdispatch")
def a_view_that_the_inputs_metadata_changes(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        x.t_()
        return x * 2

    x = grid()
    return f(x), tuple(x.shape), x


@situation("test_aotdispatch")
def unsqueeze_and_transpose_in_place(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        x.unsqueeze_(0)
        return x + 1

    x = row()
    first = f(x)
    return first, tuple(x.shape), f(x), tuple(x.shape)


@situation("test_aotdispatch")
def in_place_shapes_of_a_new_tensor(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        y = x * 3
        y.t_()
        y.unsqueeze_(0)
        y.squeeze_()
        return y

    return f(grid())


@situation("test_aotdispatch")
def a_write_behind_a_detach(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        y = x * 1
        kept = y.detach()
        y.mul_(2)
        return y, kept

    return f(leaf())


@situation("test_aotdispatch")
def data_of_an_input_is_set(wrap: Wrap) -> Any:
    @wrap
    def f(x, y):
        x.data = y
        return x * 2

    x, y = row(), other()
    result = f(x, y)
    y.add_(1)
    return result, x, y


@situation("test_input_attr_tracking")
def data_of_an_input_is_written(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        x.data.mul_(2)
        return x + 1

    x = leaf()
    return f(x), x


@situation("test_aotdispatch")
def out_arguments(wrap: Wrap) -> Any:
    @wrap
    def f(x, y, out):
        flow.add(x, y, out=out)
        return out * 2

    out = flow.empty(3)
    return f(row(), other(), out), out


@situation("test_repros")
def out_arguments_are_results(wrap: Wrap) -> Any:
    f = wrap(lambda x, out: flow.mul(x, 2, out=out))
    out = flow.empty(3)
    result = f(row(), out)
    out.add_(1)
    return out, result


@situation("test_repros")
def an_out_argument_of_another_shape(wrap: Wrap) -> Any:
    f = wrap(lambda x, out: flow.mul(x, 2, out=out))
    out = flow.empty(0)
    result = f(row(), out)
    return tuple(out.shape), result


@situation("test_repros")
def out_argument_is_a_variable(wrap: Wrap) -> Any:
    buffer = flow.zeros(3)

    @wrap
    def f(x):
        flow.add(x, 1, out=buffer)
        return buffer.sum()

    return f(row()), f(other()), buffer


@situation("test_repros")
def an_item_is_set_with_a_mask(wrap: Wrap) -> Any:
    @wrap
    def f(x, y):
        x[x > 1] = 0
        y[flow.tensor([0, 2])] = 7.0
        return x + y

    x, y = row(), other()
    return f(x, y), x, y


@situation("test_repros")
def an_item_is_set_in_a_new_tensor(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        y = flow.zeros(2, 3)
        y[0] = x
        y[1, :2] = x[1:]
        y[:, 2] += 1
        return y

    return f(row())


@situation("test_repros")
def an_expanded_input(wrap: Wrap) -> Any:
    f = wrap(lambda x: x + 1)
    return f(flow.ones(1, 3).expand(2, 3)), error_of(wrap(lambda x: x.add_(1)), flow.ones(1).expand(3))[0]


@situation("test_repros")
def strides_of_inputs_vary(wrap: Wrap) -> Any:
    f = wrap(lambda x: x * 2 + x.sum())
    base = flow.arange(12.0).reshape(4, 3)
    return f(base), f(flow.arange(12.0).reshape(3, 4).t()), f(base[::2]), f(base.flip(0))


@situation("test_repros")
def strides_are_read(wrap: Wrap) -> Any:
    f = wrap(lambda x: (x.stride(), x.is_contiguous(), x.storage_offset()))
    return f(grid()), f(grid().t()), f(grid()[1])


@situation("test_repros")
def strides_of_results(wrap: Wrap) -> Any:
    f = wrap(lambda x: (x.t() * 2, x.t().contiguous(), x[:, 1:]))
    return [(y.stride(), y.is_contiguous(), y) for y in f(grid())]


@situation("test_repros")
def view_fails_where_strides_do_not_fit(wrap: Wrap) -> Any:
    f = wrap(lambda x: x.view(-1))
    return f(grid()), error_of(f, grid().t())[0], f(grid())


@situation("test_repros")
def as_strided_of_an_input(wrap: Wrap) -> Any:
    f = wrap(lambda x: x.as_strided((2, 2), (1, 1)) * 2)
    return f(row()), f(grid()), f(grid().t())


@situation("test_repros")
def a_branch_on_contiguity(wrap: Wrap) -> Any:
    f = wrap(lambda x: x * 2 if x.is_contiguous() else x * 3)
    return f(grid()), f(grid().t()), f(grid())


@situation("test_repros")
def data_ptr_and_identity(wrap: Wrap) -> Any:
    f = wrap(lambda x, y: x * 2 if x.data_ptr() == y.data_ptr() else x * 3)
    x, y = row(), row()
    return f(x, x), f(x, y)


@situation("test_repros")
def the_version_of_a_tensor(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        x.add_(1)
        return x * 2

    x = row()
    before = x._version
    f(x)
    return x._version > before


@situation("test_repros")
def memory_is_shared_with_numpy(wrap: Wrap) -> Any:
    import numpy

    array = numpy.ones(3, dtype=numpy.float32)
    shared = flow.from_numpy(array)
    f = wrap(lambda x: x * shared)
    first = f(row())
    array[1] = 5
    return first, f(row())


@situation("test_repros")
def an_input_shares_memory_with_numpy(wrap: Wrap) -> Any:
    import numpy

    array = numpy.ones(3, dtype=numpy.float32)
    f = wrap(lambda x: x.add_(1))
    f(flow.from_numpy(array))
    return array


@situation("test_repros")
def views_that_an_object_keeps(wrap: Wrap) -> Any:
    holder = types.SimpleNamespace(base=grid())
    holder.line = holder.base[0]

    @wrap
    def f(x):
        holder.line.add_(x)
        return holder.base * 2

    first = f(row())
    holder.base.zero_()
    return first, f(row()), holder


@situation("test_repros")
def two_variables_over_one_memory_are_written(wrap: Wrap) -> Any:
    memory = flow.zeros(5)
    a, b = memory[:3], memory[2:]

    @wrap
    def f(x):
        a.add_(x)
        b.mul_(2)
        return memory.sum()

    return f(row()), f(row()), memory


@situation("test_repros")
def a_key_value_cache(wrap: Wrap) -> Any:
    cache = flow.zeros(4, 3)

    @wrap
    def f(x, position):
        cache[position] = x
        return cache[: position + 1].sum(0)

    return [f(row() * (k + 1), k) for k in range(3)], cache


@situation("test_repros")
def a_key_value_cache_at_a_tensor(wrap: Wrap) -> Any:
    cache = flow.zeros(4, 3)

    @wrap
    def f(x, position):
        cache.index_copy_(0, position, x[None])
        return cache.sum(0)

    return [f(row() * (k + 1), flow.tensor([k])) for k in range(3)], cache


@situation("test_repros")
def swapping_two_tensors(wrap: Wrap) -> Any:
    a, b = row(), other()

    @wrap
    def f():
        nonlocal a, b
        a, b = b, a
        return a * 2

    return f(), f(), a, b


@situation("test_repros")
def resize_of_an_input(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        x.resize_(2)
        return x * 2

    x = row()
    return f(x), tuple(x.shape)


@situation("test_repros")
def set_of_an_input(wrap: Wrap) -> Any:
    @wrap
    def f(x, y):
        x.set_(y)
        return x * 2

    x, y = row(), grid()
    return f(x, y), tuple(x.shape)


@situation("test_functionalization")
def a_write_to_a_view_of_a_view(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        y = x * 1
        view = y.view(3, 2)
        view[0].add_(1)
        y[:, 1].mul_(10)
        return y, view

    return f(grid())


@situation("test_functionalization")
def diagonal_and_other_views_are_written(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        y = x * 1
        y.diagonal().zero_()
        y.transpose(0, 1)[2].add_(1)
        y.flatten()[1] = 9
        y.narrow(1, 0, 1).mul_(2)
        y.unsqueeze(0).squeeze(0).add_(0.5)
        return y

    return f(grid())


@situation("test_functionalization")
def a_write_between_two_reads_of_a_view(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        y = x * 1
        view = y[0]
        before = view + 0
        y.add_(1)
        return before, view, y

    return f(grid())


@situation("test_functionalization")
def fill_and_zero_and_random_writes(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        x.zero_()
        x[0].fill_(2)
        x[1].uniform_()
        return x.sum()

    x = grid()
    flow.manual_seed(2)
    return f(x), x


@situation("test_aotdispatch")
def shape_changes_of_an_aliased_input(wrap: Wrap) -> Any:
    @wrap
    def f(a, b):
        a.t_()
        return a.sum(1) + b.sum(1)[:2].sum()

    base = grid()
    a, b = base.view(2, 3), base.view(2, 3)
    return f(a, b), tuple(a.shape), tuple(b.shape)


@situation("test_aotdispatch")
def everything_at_once(wrap: Wrap) -> Any:
    @wrap
    def f(a, b, c):
        c.mul_(2)
        total = a + c
        flat = total.view(-1)
        return flat, b.t(), flat.unsqueeze(0), b

    base, b = grid(), grid()
    results = f(base.view(-1), b, base.view(-1))
    results[0].add_(1)
    return results, base


@situation("test_aotdispatch")
def requires_grad_of_a_view_is_set_inside(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        view = x.view(-1)
        view.requires_grad_(True)
        return view

    x = grid()
    y = f(x)
    (y * 2).sum().backward()
    return y.requires_grad, y.grad, x.requires_grad


@situation("test_aotdispatch")
def a_backward_that_writes_what_was_saved(wrap: Wrap) -> Any:
    class Writes(flow.autograd.Function):
        @staticmethod
        def forward(ctx, x, k):
            ctx.k = k
            return x * 1

        @staticmethod
        def backward(ctx, grad):
            ctx.k.mul_(2)
            return grad * 1, None

    f = wrap(lambda x, k: Writes.apply(x, k))
    x, k = leaf(), other()
    f(x, k).sum().backward()
    f(x, k).sum().backward()
    return x.grad, k


@situation("test_aotdispatch")
def the_gradient_of_an_overwritten_value(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        y = x * 2
        y[0] = 0
        y.mul_(3)
        return y.sum()

    x = leaf()
    f(x).backward()
    return x.grad


@situation("test_aotdispatch")
def some_results_need_no_gradient(wrap: Wrap) -> Any:
    f = wrap(lambda a, b: (a.detach(), b, a.add(1).detach(), a * b))
    a, b = leaf(), row()
    results = f(a, b)
    results[3].sum().backward()
    return [r.requires_grad for r in results], a.grad, results[1] is b


@situation("test_aotdispatch")
def a_parameter_is_passed_and_read(wrap: Wrap) -> Any:
    net = linear()
    f = wrap(lambda w, x: (x @ w.t()) + net(x))
    f(net.weight, grid()).sum().backward()
    return net.weight.grad


@situation("test_aotdispatch")
def the_same_leaf_twice_with_gradients(wrap: Wrap) -> Any:
    f = wrap(lambda a, b: (a * b).sum())
    x, y = leaf(), leaf()
    f(x, y).backward()
    f(x, x).backward()
    return x.grad, y.grad


@situation("test_repros")
def out_arguments_of_several_results(wrap: Wrap) -> Any:
    @wrap
    def f(x, values, indices):
        flow.sort(x, out=(values, indices))
        return values * 2

    values, indices = flow.empty(3), flow.empty(3, dtype=flow.int64)
    return f(other(), values, indices), values, indices


@situation("test_repros")
def storages_are_compared(wrap: Wrap) -> Any:
    f = wrap(lambda x, y: x * 2 if x.untyped_storage().data_ptr() == y.untyped_storage().data_ptr() else x * 3)
    x = grid()
    return f(x, x[0]), f(x, grid())


@situation("test_unspec")
def random_writes(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        x.normal_()
        return x + flow.empty(3).exponential_()

    flow.manual_seed(4)
    x = row()
    return f(x), x, f(x), x


@situation("test_aotdispatch")
def an_argument_with_a_history_is_written_without_one(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        x.detach()[1:].fill_(2.0)
        return x + 1

    results = []
    for make in (lambda a: a, lambda a: a[:], lambda a: a * 2):
        a = row().requires_grad_()
        x = make(a)
        y = f(x)
        (x.sum() + y.sum()).backward()
        results += [x, y, a, a.grad]
    return results

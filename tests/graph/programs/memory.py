"""Results, arguments and variables that share memory, and those whose shapes and memory change."""

from __future__ import annotations

import copy
import warnings
from typing import Any

import pytest

import tritonflow as flow
from tests.graph.programs.program import Wrap, calls, ones_linear, plain, program, trained_parts
from tritonflow import nn


@program()
def results_that_share_memory(wrap: Wrap) -> Any:
    found = []
    for f in (
        lambda x: x, lambda x: x[1:], lambda x: x.t() if x.dim() > 1 else x.view(2, 2).t(), lambda x: x.detach(), lambda x: [x, x],
        lambda x: (lambda y: (y, y[1:]))(x * 2), lambda x: (lambda y: (y[:2], y[1:]))(x * 2), lambda x: {"a": (x + 1).view(2, 2)},
        lambda x: (lambda y: (y, y))(x + 1), lambda x: x.add_(1), lambda x: (x.mul_(2), x[0]), lambda x: (x[::2], x.expand(2, 4)[0]),
    ):  # fmt: skip
        compiled = wrap(f)
        for _ in range(2):
            x = flow.arange(4.0)
            result = compiled(x)
            values = (
                list(result.values())
                if isinstance(result, dict)
                else result
                if isinstance(result, (list, tuple))
                else [result]
            )
            values[0].add_(16)
            found.append((plain(x), plain(values), [[a is b for a in (x, *values)] for b in values]))
    return found


@program()
def detached_parts_as_results(wrap: Wrap) -> Any:
    """Parts of arguments, and of what the function computes, without their histories: one is written, all are looked at."""
    found = []
    for f in (
        lambda x: x.reshape(-1).detach(), lambda x: (x.t().detach(), x[0].detach()[1:]), lambda x: x[1].detach().requires_grad_(),
        lambda x: (lambda y: (y, y[0].detach()))(x * 2), lambda x: (lambda y: (y[0].detach(), y))(x * 2),
        lambda x: (lambda y: (y[0].detach(), y[1].detach()))(x * 2), lambda x: (lambda y: (y[:2].detach(), y[1:].detach()))(x * 2),
        lambda x: (lambda y: (y.detach(), y[1:]))(x * 2), lambda x: (lambda y: (y, y.detach()[1:].detach()))((x * 2)[:, ::2]),
        lambda x: (lambda y: (y[0].detach(), y.expand(3, 3, 4).detach()))(x * 2),
        lambda x: (lambda y: (y[:2].detach(), y[1:].detach(), x + 1))(flow.ones(3)),
    ):  # fmt: skip
        compiled = wrap(f)
        for k in range(4):
            x = flow.arange(12.0).view(3, 4).requires_grad_(k > 1)
            results = compiled(x)
            results = results if isinstance(results, tuple) else (results,)
            with flow.no_grad():
                results[0].add_(16)
            found.append([(v.is_leaf, v.requires_grad, v.stride(), v._version, plain(v)) for v in (x, *results)])
    return found


@program()
def parameters_and_closures_as_results(wrap: Wrap) -> Any:
    net, total, out = nn.Linear(2, 1, bias=False), flow.zeros(2), flow.zeros(2)
    nn.init.ones_(net.weight)
    parameter, add, write = (
        wrap(lambda: net.weight),
        wrap(lambda x: (total.add_(x), total)[1]),
        wrap(lambda x, o: flow.add(x, 1, out=o)),
    )
    with flow.no_grad():
        parameter().mul_(4)
    first = add(flow.ones(2))
    add(flow.ones(2))
    write(flow.ones(2), out).add_(1)
    return parameter() is net.weight, plain(net.weight), first is total, plain(first), plain(out)


@program(eager="shares memory|finds one of its arguments")
def written_inputs_that_overlap(wrap: Wrap) -> Any:
    found, weight = [], flow.ones(2)
    for f, arguments in (
        (lambda a, b: (a.add_(1), b * 2)[1], lambda x: (x[:3], x[1:])), (lambda a, b: (a.add_(1), b * 2)[1], lambda x: (x, x)),
        (lambda a: (a.add_(1), weight * 2)[1], lambda x: (weight,)), (lambda a: (weight.add_(1), a * 2)[1], lambda x: (weight,)),
        (lambda a, b: (b.add_(1), a.sum())[1], lambda x: (x, x.view(2, 2))),
    ):  # fmt: skip
        compiled = wrap(f)
        for _ in range(2):
            x = flow.arange(4.0)
            found.append((plain(compiled(*arguments(x))), plain(x), plain(weight)))
    return found


WRITTEN_VIEWS = (
    lambda x, y: (lambda v: (v.mul_(y), v, x * 1)[1:])(x[:]), lambda x, y: (x[0].mul_(y), x[1]), lambda x, y: x[0].mul_(y),
    lambda x, y: (lambda v, u: (v.mul_(y), u, v, x)[1:])(x[0], x[:, 0]), lambda x, y: (x[0].copy_(y * 2), x.t(), y * 3)[1:],
)  # fmt: skip


WRITTEN_OTHERS = (
    lambda x, y: (lambda v: (v.mul_(y), v, y * 1)[1:])(x.detach()), lambda x, y: (lambda v: (v[0].mul_(y), v, y * 1)[1:])(x.data),
    lambda x, y: (lambda v: (v[0].mul_(y), v[1], y * 1)[1:])(x.detach()),
    lambda x, y: (lambda z: (lambda v: (v.mul_(y), v, z)[1:])(z.detach()))(x * 2),
)  # fmt: skip


def gradients_of_written_views(wrap: Wrap, functions: Any) -> Any:
    """Of functions that write memory from outside with what requires grad: of an argument, and of a variable."""
    found: list[Any] = []
    held = [flow.ones(2, 2)]
    for function in functions:
        for f in (wrap(function), wrap(lambda x, y, function=function: function(held[0], y))):
            for _ in range(2):
                with flow.no_grad():
                    x, y = flow.arange(4.0).view(2, 2), flow.full((2,), 3.0).requires_grad_()
                held[0] = flow.ones(2, 2)
                results = f(x, y)
                results = results if isinstance(results, tuple) else (results,)
                found.append([(v.is_leaf, v.requires_grad, plain(v)) for v in (*results, x, *held)])
                flow.stack([(v * v).sum() for v in results]).sum().backward()
                with flow.no_grad():
                    results[0].add_(1)
                found.append(plain([y.grad, x, *held, *results]))
    return found


@program()
def views_of_arguments_that_get_a_history(wrap: Wrap) -> Any:
    return gradients_of_written_views(wrap, WRITTEN_VIEWS)


@program(eager="shares memory")
def detached_arguments_that_get_a_history(wrap: Wrap) -> Any:
    return gradients_of_written_views(wrap, WRITTEN_OTHERS)


@program()
def what_a_layer_computes_is_copied_into_a_view(wrap: Wrap) -> Any:
    layer, buffer = nn.Linear(2, 2, bias=False), flow.zeros(2, 1, 2)
    nn.init.ones_(layer.weight)

    @wrap
    def f(x: Any) -> Any:
        rows = buffer.view(-1, 2)
        rows.copy_(layer(x))
        return rows

    (f(flow.ones(2, 2)) * 2).sum().backward()
    return plain(layer.weight.grad), plain(buffer)


SHAPES_IN_PLACE = (
    lambda v: v.t_(), lambda v: v.transpose_(0, 1), lambda v: v.swapaxes_(0, 1), lambda v: v.unsqueeze_(0), lambda v: v.squeeze_(),
    lambda v: v.unsqueeze_(1).squeeze_(1).t_(),
)  # fmt: skip


@program()
def shapes_that_change_in_place_behind_a_view(wrap: Wrap) -> Any:
    found = []
    for change in SHAPES_IN_PLACE:

        @wrap
        def f(x: Any, change: Any = change) -> Any:
            v = x * 2
            u, columns = v[1:], v[:, 0]
            change(v)
            u.add_(1)
            return v, u, columns, v[0]

        for _ in range(2):
            x = flow.arange(6.0).view(2, 3).requires_grad_()
            results = f(x)
            flow.stack([(y * y).sum() for y in results]).sum().backward()
            with flow.no_grad():
                results[1].add_(16)
            found.append(plain([x.grad, *results]))
    return found


@program(eager="changes the shape of a tensor from outside")
def shapes_of_variables_that_change_in_place(wrap: Wrap) -> Any:
    found = []
    for change in (*SHAPES_IN_PLACE[:4], lambda v: v.resize_(3), lambda v: setattr(v, "data", v.data[:1])):
        table = flow.arange(6.0).view(2, 3)
        f = wrap(lambda x, table=table, change=change: (change(table), table * x)[1])
        found += [(plain(f(flow.ones(1))), list(table.shape)) for _ in range(3)]
    return found


@program()
def views_that_are_resized(wrap: Wrap) -> Any:
    def of_argument(x: Any) -> Any:
        v = x[1:3]
        v.resize_(1)
        v.add_(1)
        return x * 1

    def of_a_value(x: Any) -> Any:
        y = x * 2
        v = y[2:]
        v.resize_(2, 1).add_(1)
        return y, v

    def of_detached(x: Any) -> Any:
        y = x * 2
        y.detach().resize_(1).add_(1)
        return y

    found = []
    for f in map(wrap, (of_argument, of_a_value, of_detached)):
        for _ in range(2):
            x = flow.zeros(4)
            found.append((plain(f(x)), plain(x)))
    return found


@program(eager="other memory|set_|given new memory|catch_warnings")
def other_memory_through_a_view(wrap: Wrap) -> Any:
    def data(x: Any) -> Any:
        v = x[1]
        v.data = x
        return v

    def out(x: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            flow.add(x.t().clone(), 1, out=x[0, 1:])
        return x * 1

    found = []
    for f in map(wrap, (data, out, lambda x: (x * 2).set_(x))):
        for _ in range(2):
            x = flow.arange(6.0).view(2, 3)
            found.append((plain(f(x)), plain(x)))
    return found


@program()
def results_whose_elements_share_memory(wrap: Wrap) -> Any:
    found = []
    for f in map(wrap, (
        lambda x: (x * 2).expand(2, 3), lambda x: (x * 2).unfold(0, 2, 1), lambda x: flow.stack([x, x]).mul(2).unfold(1, 2, 1),
        lambda x: (lambda y: (y.expand(2, 3), y))(x * 2), lambda x: x.expand(2, 3), lambda x: flow.broadcast_to(x * 2, (2, 3)),
    )):  # fmt: skip
        for leaf in (False, True):
            for _ in range(2):
                x = flow.arange(3.0).requires_grad_(leaf)
                result = f(x)
                result = result[0] if isinstance(result, tuple) else result
                if leaf:
                    (result * result).sum().backward()
                with flow.no_grad():
                    result[0].add_(1)
                    found.append((plain(result), result.stride(), plain(x.grad)))
                    if 0 in result.stride():
                        with pytest.raises(RuntimeError, match="single memory location"):
                            result.add_(1)
    return found


@program(eager="shares memory")
def a_view_by_strides_of_a_view(wrap: Wrap) -> Any:
    x, f = flow.ones(4).requires_grad_(), wrap(lambda x: x[1:].as_strided((2,), (1,), 0))
    for _ in range(2):
        f(x).sum().backward()
    return plain(x.grad)


@program(eager="as_strided")
def what_lies_between_the_elements_of_an_argument(wrap: Wrap) -> Any:
    found, f = [], wrap(lambda x: (x.as_strided((2, 2), (3, 1)).mul_(5), x * 1)[1])
    for _ in range(2):
        x = flow.arange(12.0).view(3, 4)
        found.append((plain(f(x[:, ::2])), plain(x)))
    return found


@program()
def leaves_over_the_memory_of_another_tensor(wrap: Wrap) -> Any:
    leaf = flow.arange(4.0).view(2, 2).requires_grad_()
    f, found = wrap(lambda x: ((x * leaf).sum(), leaf[0])), []
    for _ in range(2):
        y, part = f(flow.ones(2))
        (y + part.sum() * 2).backward()
        found.append((plain(leaf.grad), plain(part), part.data_ptr() == leaf.data_ptr()))
    return found


@program(eager="a gradient that shares memory")
def gradients_that_are_views_of_one_buffer(wrap: Wrap) -> Any:
    net, flat, found = ones_linear(), flow.zeros(4), []
    net.weight.grad = flat.view(2, 2)

    @wrap
    def step(x: Any) -> Any:
        flat.zero_()
        net(x).sum().backward()
        return flat.sum()

    for k in range(3):
        found.append((plain(step(flow.full((1, 2), float(k)))), plain(flat), trained_parts(net)))
    return found


ALIASES: dict[str, Any] = {
    "detach": lambda w: w.detach(), "data": lambda w: w.data, "view": lambda w: w.detach().view(2, 2), "t": lambda w: w.data.t(),
    "as a parameter": lambda w: nn.Parameter(w, requires_grad=False), "as a buffer": lambda w: nn.Buffer(w.detach()),
    "tensor of a tensor": lambda w: flow.Tensor(w), "copy": copy.copy, "deepcopy": copy.deepcopy, "bits": lambda w: w.view(flow.int32).view(w.dtype),
    "storage": lambda w: flow.empty(0).set_(w.untyped_storage(), 0, (2, 2)), "set_": lambda w: flow.empty(0).set_(w.detach()),
    "a class": lambda w: w.detach().as_subclass(flow.Tensor), "state dict": lambda w: nn.ParameterList([w]).state_dict()["0"],
    "vector": lambda w: nn.utils.parameters_to_vector([w]), "transposed": lambda w: w.T, "element": lambda w: w[0],
}  # fmt: skip


@program(eager="set_|storage|memory")
def memory_of_a_parameter_that_is_replaced(wrap: Wrap) -> Any:
    """The function uses another tensor over it."""
    found = []
    for alias in ALIASES.values():
        w = nn.Parameter(flow.ones(2, 2))
        f = wrap(lambda x, w=w, alias=alias: (alias(w).reshape(-1)[:2] * x).detach())
        for k in range(3):
            found += calls(f, 1)
            if k == 0:
                w.data = flow.full((2, 2), 4.0)
            elif k == 1:
                w.data = flow.arange(4.0).view(2, 2).t()
    return found

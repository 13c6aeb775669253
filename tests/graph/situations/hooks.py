"""Hooks of tensors, of gradients and of modules: added inside, outside, between two calls, and removed."""

from __future__ import annotations

import functools
from typing import Any

import tritonflow as flow
from tests.graph.situations.situation import Wrap, error_of, grid, leaf, linear, row, situation

nn = flow.nn


def twice(grad: flow.Tensor) -> flow.Tensor:
    return grad * 2


@situation("test_hooks")
def a_hook_of_an_input_is_added_inside(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        x.register_hook(lambda grad: grad * 2)
        return x * 3

    x = leaf()
    f(x).sum().backward()
    return x.grad


@situation("test_hooks")
def a_hook_of_an_input_that_is_returned(wrap: Wrap) -> Any:
    @wrap
    def f(x, y):
        x.register_hook(twice)
        return x, y * y

    x, y = f(leaf(), row())
    x.backward(row())
    return x.grad, y


@situation("test_hooks")
def a_hook_is_removed_inside(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        handle = x.register_hook(twice)
        y = x * 3
        handle.remove()
        x.register_hook(lambda grad: grad * 5)
        return y

    x = leaf()
    f(x).sum().backward()
    return x.grad


@situation("test_hooks")
def the_handle_of_a_hook_is_returned(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        handle = x.register_hook(twice)
        return x * 3, handle

    x = leaf()
    y, handle = f(x)
    y.sum().backward(retain_graph=True)
    first = x.grad.clone()
    handle.remove()
    y.sum().backward()
    return first, x.grad


@situation("test_hooks")
def the_handle_of_a_hook_is_kept_outside(wrap: Wrap) -> Any:
    kept: dict[str, Any] = {}

    @wrap
    def f(x):
        kept["handle"] = x.register_hook(twice)
        return x * 3

    x = leaf()
    f(x).sum().backward()
    first = x.grad.clone()
    kept["handle"].remove()
    (x * 1).sum().backward()
    return first, x.grad


@situation("test_hooks")
def several_hooks_in_order(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        x.register_hook(lambda grad: grad + 1)
        x.register_hook(twice)
        return x * 3

    x = leaf()
    f(x).sum().backward()
    return x.grad


@situation("test_hooks")
def a_hook_of_a_value_in_the_middle(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        y = x * 2
        y.register_hook(functools.partial(lambda grad, k: grad + k, k=3))
        return y * 3

    x = leaf()
    f(x).sum().backward()
    return x.grad


@situation("test_hooks")
def a_hook_with_a_counter(wrap: Wrap) -> Any:
    calls = [0]

    def alternating(grad):
        calls[0] += 1
        return grad * calls[0]

    @wrap
    def f(x):
        y = x * 2
        y.register_hook(alternating)
        return y.sum()

    x = leaf()
    for _ in range(3):
        f(x).backward()
    return x.grad, calls


@situation("test_hooks")
def a_hook_keeps_the_gradient(wrap: Wrap) -> Any:
    seen: list[Any] = []

    @wrap
    def f(x):
        y = x * 2
        y.register_hook(seen.append)
        return (y * y).sum()

    x = leaf()
    f(x).backward()
    f(x).backward()
    return seen, x.grad


@situation("test_hooks")
def a_hook_of_an_input_is_added_outside(wrap: Wrap) -> Any:
    f = wrap(lambda x: x * 3)
    x = leaf()
    handle = x.register_hook(twice)
    f(x).sum().backward()
    first = x.grad.clone()
    handle.remove()
    f(x).sum().backward()
    return first, x.grad


@situation("test_hooks")
def a_hook_of_the_result(wrap: Wrap) -> Any:
    f = wrap(lambda x: x * 3)
    x = leaf()
    y = f(x)
    y.register_hook(twice)
    y.retain_grad()
    y.sum().backward()
    return x.grad, y.grad


@situation("test_hooks")
def a_hook_of_a_parameter_between_calls(wrap: Wrap) -> Any:
    net = linear()
    f = wrap(net)
    f(grid()).sum().backward()
    first = net.weight.grad.clone()
    handle = net.weight.register_hook(lambda grad: grad * 10)
    f(grid()).sum().backward()
    second = net.weight.grad.clone()
    handle.remove()
    f(grid()).sum().backward()
    return first, second, net.weight.grad


@situation("test_hooks")
def a_hook_of_a_parameter_with_backward_inside(wrap: Wrap) -> Any:
    net = linear()

    @wrap
    def f(x):
        net.zero_grad()
        net(x).sum().backward()

    f(grid())
    first = net.weight.grad.clone()
    net.weight.register_hook(twice)
    f(grid())
    return first, net.weight.grad


@situation("test_hooks")
def a_hook_behind_accumulation(wrap: Wrap) -> Any:
    seen: list[Any] = []
    net = linear()
    f = wrap(net)
    net.weight.register_post_accumulate_grad_hook(lambda p: seen.append(p.grad.sum().item()))
    f(grid()).sum().backward()
    f(grid()).sum().backward()
    return seen, net.weight.grad


@situation("test_hooks")
def a_hook_behind_accumulation_steps(wrap: Wrap) -> Any:
    net = linear()
    optimizers = {p: flow.optim.SGD([p], lr=0.5) for p in net.parameters()}

    def step(p):
        optimizers[p].step()
        optimizers[p].zero_grad()

    for p in net.parameters():
        p.register_post_accumulate_grad_hook(step)
    f = wrap(net)
    for _ in range(2):
        f(grid()).sum().backward()
    return net


@situation("test_hooks")
def a_hook_behind_accumulation_with_backward_inside(wrap: Wrap) -> Any:
    net = linear()
    net.weight.register_post_accumulate_grad_hook(lambda p: p.grad.mul_(3))

    @wrap
    def f(x):
        net(x).sum().backward()

    f(grid())
    f(grid())
    return net.weight.grad


@situation("test_hooks")
def retain_grad_inside(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        y = x * 2
        y.retain_grad()
        (y * y).sum().backward()
        return y.grad

    x = leaf()
    return f(x), x.grad


@situation("test_hooks")
def a_hook_that_removes_itself(wrap: Wrap) -> Any:
    x = leaf()

    def once(grad):
        handle.remove()
        return grad * 2

    handle = x.register_hook(once)
    f = wrap(lambda x: x * 3)
    f(x).sum().backward()
    first = x.grad.clone()
    f(x).sum().backward()
    return first, x.grad


@situation("test_hooks")
def a_hook_whose_closure_changes(wrap: Wrap) -> Any:
    k = 2.0

    @wrap
    def f(x):
        y = x * 2
        y.register_hook(lambda grad: grad * k)
        return y.sum()

    x = leaf()
    f(x).backward()
    first = x.grad.clone()
    k = 5.0
    f(x).backward()
    return first, x.grad


@situation("test_modules")
def a_forward_hook(wrap: Wrap) -> Any:
    net = linear()
    net.register_forward_hook(lambda module, args, output: output * 2)
    f = wrap(net)
    return f(grid())


@situation("test_modules")
def a_forward_hook_between_calls(wrap: Wrap) -> Any:
    net = nn.Sequential(linear(), nn.ReLU())
    f = wrap(net)
    results = [f(grid())]
    handle = net[0].register_forward_hook(lambda module, args, output: output + 10)
    results.append(f(grid()))
    handle.remove()
    return [*results, f(grid())]


@situation("test_modules")
def a_pre_hook_changes_the_arguments(wrap: Wrap) -> Any:
    net = linear()
    f = wrap(lambda x: net(x))
    first = f(grid())
    net.register_forward_pre_hook(lambda module, args: (args[0] * 2,))
    second = f(grid())
    net.register_forward_pre_hook(lambda module, args, kwargs: ((args[0] + 1,), kwargs), with_kwargs=True)
    return first, second, f(grid())


@situation("test_modules")
def a_forward_hook_keeps_what_it_sees(wrap: Wrap) -> Any:
    seen: list[Any] = []
    net = linear()
    net.register_forward_hook(lambda module, args, output: seen.append(output))
    f = wrap(net)
    return f(grid()), f(grid() * 2), seen


@situation("test_modules")
def a_forward_hook_counts(wrap: Wrap) -> Any:
    calls = {"n": 0}

    def count(module, args, output):
        calls["n"] += 1
        return output * calls["n"]

    net = linear()
    net.register_forward_hook(count)
    f = wrap(net)
    return f(grid()), f(grid()), calls


@situation("test_modules")
def a_forward_hook_is_an_object(wrap: Wrap) -> Any:
    class Scale:
        def __init__(self):
            self.k = 2.0

        def __call__(self, module, args, output):
            return output * self.k

    hook, net = Scale(), linear()
    net.register_forward_hook(hook)
    f = wrap(net)
    first = f(grid())
    hook.k = 3.0
    return first, f(grid())


@situation("test_modules")
def the_closure_of_a_forward_hook_changes(wrap: Wrap) -> Any:
    k, net = 2.0, linear()
    net.register_forward_hook(lambda module, args, output: output * k)
    f = wrap(net)
    first = f(grid())
    k = 3.0
    return first, f(grid())


@situation("test_modules")
def a_hook_is_added_inside_of_forward(wrap: Wrap) -> Any:
    net = linear()

    @wrap
    def f(x):
        handle = net.register_forward_hook(lambda module, args, output: output * 2)
        y = net(x)
        handle.remove()
        return y, net(x)

    return f(grid()), len(net._forward_hooks)


@situation("test_modules")
def hooks_of_the_compiled_module_itself(wrap: Wrap) -> Any:
    net = linear()
    f = wrap(net)
    first = f(grid())
    handle = net.register_forward_hook(lambda module, args, output: output - 1)
    second = f(grid())
    handle.remove()
    return first, second, f(grid())


@situation("test_modules")
def backward_hooks_of_a_module(wrap: Wrap) -> Any:
    seen: list[Any] = []
    net = linear()
    f = wrap(lambda x: net(x).sum())
    net.register_full_backward_hook(lambda module, inputs, outputs: seen.append(outputs[0].sum().item()))
    x = grid().requires_grad_()
    f(x).backward()
    f(x).backward()
    return seen, x.grad


@situation("test_modules")
def a_backward_hook_changes_the_gradient(wrap: Wrap) -> Any:
    net = linear()
    f = wrap(lambda x: net(x).sum())
    x = grid().requires_grad_()
    f(x).backward()
    first = x.grad.clone()
    net.register_full_backward_hook(lambda module, inputs, outputs: (inputs[0] * 2,))
    net.register_full_backward_pre_hook(lambda module, outputs: (outputs[0] * 3,))
    f(x).backward()
    return first, x.grad


@situation("test_modules")
def hooks_of_all_modules(wrap: Wrap) -> Any:
    net = linear()
    f = wrap(net)
    first = f(grid())
    handle = nn.modules.module.register_module_forward_hook(lambda module, args, output: output * 2)
    try:
        second = f(grid())
    finally:
        handle.remove()
    return first, second, f(grid())


@situation("test_modules")
def a_hook_that_fails(wrap: Wrap) -> Any:
    def fail(module, args, output):
        raise ValueError("the hook")

    net = linear()
    f = wrap(net)
    first = f(grid())
    handle = net.register_forward_hook(fail)
    second = error_of(f, grid())
    handle.remove()
    return first, second, f(grid())


@situation("test_modules")
def an_always_called_hook(wrap: Wrap) -> Any:
    seen: list[str] = []

    class Net(nn.Module):
        def forward(self, x, fails):
            if fails:
                raise ValueError("inside")
            return x * 2

    net = Net()
    net.register_forward_hook(lambda module, args, output: seen.append("called"), always_call=True)
    f = wrap(net)
    return f(row(), False), error_of(f, row(), True), seen


@situation("test_modules")
def a_state_dict_hook(wrap: Wrap) -> Any:
    net = linear()
    net.register_state_dict_post_hook(lambda module, state, prefix, meta: state.update(extra=row()))
    f = wrap(lambda x: net(x) + net.state_dict()["extra"])
    return f(grid())


@situation("test_hooks")
def a_hook_of_several_gradients(wrap: Wrap) -> Any:
    seen: list[Any] = []
    f = wrap(lambda x, y: (x * y).sum())
    x, y = leaf(), leaf()
    flow.autograd.graph.register_multi_grad_hook((x, y), lambda grads: seen.append(len(grads)))
    f(x, y).backward()
    return seen, x.grad


@situation("test_hooks")
def the_node_of_a_result(wrap: Wrap) -> Any:
    f = wrap(lambda x: x * 3)
    x = leaf()
    y = f(x)
    seen: list[Any] = []
    y.grad_fn.register_hook(lambda inputs, outputs: seen.append(outputs[0].sum().item()))
    y.sum().backward()
    return seen, x.grad, y.grad_fn is not None


@situation("test_modules")
def a_hook_that_is_a_method_of_an_object(wrap: Wrap) -> Any:
    class Scale:
        def __init__(self, module):
            self.module, self.k = module, 2.0
            module.register_forward_pre_hook(self.before, prepend=True, with_kwargs=True)

        def before(self, module, args, kwargs):
            return (args[0] * self.k,), kwargs

        def __call__(self, x):
            return self.module(x)

    scale = Scale(linear())
    f = wrap(scale)
    first = f(grid())
    scale.k = 3.0
    return first, f(grid())


@situation("test_modules")
def hooks_of_every_part(wrap: Wrap) -> Any:
    seen: dict[str, Any] = {}
    net = nn.Sequential(linear(), nn.Sequential(nn.ReLU(), linear()))
    for name, part in net.named_modules():
        part.register_forward_hook(lambda module, args, output, name=name: seen.update({name: tuple(output.shape)}))
    f = wrap(net)
    return f(grid()), f(flow.ones(1, 3)), seen


@situation("test_hooks")
def a_hook_that_returns_nothing(wrap: Wrap) -> Any:
    seen: list[Any] = []

    @wrap
    def f(x):
        y = x * 2
        y.register_hook(lambda grad: seen.append(tuple(grad.shape)))
        return y * 3

    x = leaf()
    f(x).sum().backward()
    f(x).sum().backward()
    return x.grad, seen


@situation("test_hooks")
def a_hook_of_a_variable_outside(wrap: Wrap) -> Any:
    w = leaf()
    f = wrap(lambda x: x * w)
    f(row()).sum().backward()
    first = w.grad.clone()
    w.register_hook(lambda grad: grad * 10)
    f(row()).sum().backward()
    return first, w.grad

"""Hooks of every module, and Module.compile, beside torch."""

import copy

import torch

import tritonflow as flow


def run(package):
    """What hooks of every module and of one see of a call, a backward and registrations."""
    module, seen = package.nn.modules.module, []

    def noted(what):
        return lambda m, *rest: seen.append((what, type(m).__name__)) if what != "registered" else seen.append((what, rest[0]))

    handles = [
        module.register_module_forward_pre_hook(noted("pre")),
        module.register_module_forward_hook(noted("forward")),
        module.register_module_full_backward_hook(noted("backward")),
        module.register_module_full_backward_pre_hook(noted("backward pre")),
        module.register_module_parameter_registration_hook(noted("registered")),
        module.register_module_buffer_registration_hook(noted("registered")),
        module.register_module_module_registration_hook(noted("registered")),
    ]
    try:
        model = package.nn.Sequential(package.nn.Linear(2, 2), package.nn.ReLU())
        model.register_buffer("count", package.zeros(1))
        model[0].register_forward_hook(noted("own"))
        model(package.ones(1, 2, requires_grad=True)).sum().backward()
    finally:
        for handle in handles:
            handle.remove()
    model(package.ones(1, 2))
    return seen


def test_hooks_of_every_module_are_called_as_in_torch():
    assert run(flow) == run(torch)


def test_a_hook_of_every_module_is_called_although_the_forward_raises():
    seen = []
    with flow.nn.modules.module.register_module_forward_hook(lambda m, args, out: seen.append(out), always_call=True):
        try:
            flow.nn.Linear(2, 2)(flow.ones(3))
        except RuntimeError:
            pass
    assert seen == [None]


def test_a_compiled_module_gives_the_same_numbers_and_is_copied_without():
    model = flow.nn.Sequential(flow.nn.Linear(3, 3), flow.nn.Tanh())
    x = flow.ones(2, 3)
    expected = model(x)
    model.compile()
    found = model(x)
    assert found.tolist() == expected.tolist()
    found.sum().backward()
    assert model[0].weight.grad is not None
    assert copy.deepcopy(model)._compiled_call_impl is None and model._compiled_call_impl is not None
    with flow.no_grad():
        model[0].bias.add_(1)
    assert model(x).tolist() != expected.tolist()

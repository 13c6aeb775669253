"""Second derivatives that are zeros, and not absent: a backward through a gradient gives them to every parameter."""

import pytest
import torch

import tritonflow as flow

FUNCTIONS = {
    "relu": lambda f, x: f.nn.functional.relu(x),
    "leaky_relu": lambda f, x: f.nn.functional.leaky_relu(x, 0.2),
    "relu_ over a copy": lambda f, x: f.nn.functional.relu(x.clone(), inplace=True),
    "hardtanh": lambda f, x: f.nn.functional.hardtanh(x),
    "softshrink": lambda f, x: f.nn.functional.softshrink(x),
    "max_pool2d": lambda f, x: f.nn.functional.max_pool2d(x[None], 2),
    "avg_pool1d": lambda f, x: f.nn.functional.avg_pool1d(x, 2),
    "avg_pool2d": lambda f, x: f.nn.functional.avg_pool2d(x, 2),
    "avg_pool3d": lambda f, x: f.nn.functional.avg_pool3d(x[None], 1),
    "adaptive_avg_pool1d": lambda f, x: f.nn.functional.adaptive_avg_pool1d(x, 2),
    "adaptive_avg_pool2d": lambda f, x: f.nn.functional.adaptive_avg_pool2d(x, 2),
    "prod of one factor": lambda f, x: x.prod(0),
    "nll_loss": lambda f, x: f.nn.functional.nll_loss(x[0], f.tensor([1, 0])),
}


def second(package, function, x):
    """Whether the gradient requires grad, and the gradient of its sum."""
    x = package.tensor(x, dtype=package.float64, requires_grad=True)
    (grad,) = package.autograd.grad(function(package, x).sum(), x, create_graph=True)
    return grad.requires_grad, package.autograd.grad(grad.sum(), x)[0]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_second_derivative_is_zeros_as_in_torch(name):
    x = [[[1.0, -2.0], [0.5, 3.0]]]
    requires_grad, found = second(flow, FUNCTIONS[name], x)
    expected, zeros = second(torch, FUNCTIONS[name], x)
    assert requires_grad and expected
    assert found.tolist() == zeros.tolist() == [[[0.0, 0.0], [0.0, 0.0]]]


@pytest.mark.parametrize("name", ["relu", "relu_", "leaky_relu_"])
def test_a_gradient_that_is_computed_of_a_result_depends_on_it(name):
    """As in torch, where the gradients of relu and of leaky_relu in place are made of the result."""
    found = []
    for f in (flow, torch):
        x = f.tensor([1.0, -2.0], requires_grad=True)
        y = getattr(f.nn.functional, name)(x * 2)
        (first,) = f.autograd.grad(y.sum(), x, create_graph=True)
        found.append(f.autograd.grad((first * first).sum(), y)[0].tolist())
    assert found == [[0.0, 0.0]] * 2


def test_the_second_derivative_of_hardsigmoid_is_zeros_as_in_oneflow():
    """torch has none."""
    requires_grad, found = second(flow, lambda f, x: f.nn.functional.hardsigmoid(x), [1.0, -4.0])
    assert requires_grad and found.tolist() == [0.0, 0.0]


@pytest.mark.parametrize("shape", [(0,), (3, 0), (0, 3), (2, 0, 3)], ids=str)
@pytest.mark.parametrize("name", ["cummax", "cummin"])
def test_running_extrema_of_nothing_have_a_second_derivative_as_in_torch(name, shape):
    for dim in range(len(shape)):
        for f in (torch, flow):
            x = f.zeros(shape, requires_grad=True)
            (first,) = f.autograd.grad(getattr(f, name)(x, dim)[0].sum(), x, create_graph=True)
            assert f.autograd.grad(first.sum(), x)[0].shape == shape


def test_a_penalty_of_gradients_leaves_zeros_in_the_bias_before_a_relu():
    bias = flow.nn.Parameter(flow.tensor([0.5, -0.5]))
    x = flow.ones(2, requires_grad=True)
    out = flow.nn.functional.relu(x + bias)
    (grad,) = flow.autograd.grad(out.sum(), x, create_graph=True)
    (grad * grad).sum().backward()
    assert bias.grad.tolist() == [0.0, 0.0]

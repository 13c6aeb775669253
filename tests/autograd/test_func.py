"""flow.func against torch.func."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import torch

import tritonflow as flow
from tritonflow import nn

X, Y = numpy.array([0.5, -1.5, 2.0]), numpy.array([[1.0, 2.0, 3.0], [0.1, -0.2, 0.3]])


def plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(v) for v in value]
    return value.detach().tolist() if hasattr(value, "detach") else value


def same(a: Any, b: Any) -> None:
    if isinstance(a, dict):
        assert a.keys() == b.keys()
        a, b = list(a.values()), [b[k] for k in a]
    if isinstance(a, list):
        assert len(a) == len(b)
        for x, y in zip(a, b):
            same(x, y)
        return
    assert b == pytest.approx(a, rel=1e-10, abs=1e-12)


PROGRAMS: list[Any] = [
    lambda lib, f, x, y: f.grad(lambda x: (x**3).sum())(x),
    lambda lib, f, x, y: f.grad(lambda x, y: (y @ x).exp().sum(), argnums=(1, 0))(x, y),
    lambda lib, f, x, y: f.grad(lambda p: (p["w"] @ p["x"]).sum() + p["x"][0])({"w": y, "x": x}),
    lambda lib, f, x, y: f.grad(lambda x, k: ((x * k).sum(), {"a": x * 2}), has_aux=True)(x, k=3.0),
    lambda lib, f, x, y: f.grad_and_value(lambda x: (x.sin().sum(), x.cos()), has_aux=True)(x),
    lambda lib, f, x, y: f.grad(lambda a: f.grad(lambda b: (b**3 * a).sum())(x).sum() * a)(x[0]),
    lambda lib, f, x, y: f.grad(lambda a: y.sum() * 1.0 + 0 * a.sum())(x),
    lambda lib, f, x, y: f.vjp(lambda x, y: (y @ x, x.sum()), x, y)[1]((lib.ones(2, dtype=lib.float64), lib.ones((), dtype=lib.float64))),
    lambda lib, f, x, y: f.vjp(lambda x: {"a": x * x}, x)[0],
    lambda lib, f, x, y: f.jvp(lambda x, y: y @ x, (x, y), (x * 2, y + 1)),
    lambda lib, f, x, y: f.linearize(lambda x: x**3, x)[1](x * 0 + 1),
    lambda lib, f, x, y: f.jacrev(lambda x, y: (y @ x).sin(), argnums=(0, 1))(x, y),
    lambda lib, f, x, y: f.jacrev(lambda x: (x * 2, {"s": x.sum()}))(x),
    lambda lib, f, x, y: f.jacfwd(lambda x: x.exp() * x[1])(x),
    lambda lib, f, x, y: f.hessian(lambda x, y: (y @ x).exp().sum())(x, y),
    lambda lib, f, x, y: f.hessian(lambda x, y: (y * x).prod(), argnums=(0, 1))(x[:2], y[0, :2]),
]


@pytest.mark.parametrize("number", range(len(PROGRAMS)))
def test_transforms(number: int) -> None:
    found = []
    for lib in (torch, flow):
        x, y = lib.tensor(X, dtype=lib.float64), lib.tensor(Y, dtype=lib.float64)
        found.append(PROGRAMS[number](lib, lib.func, x, y))
        for value in flow.func.transforms.flatten(found[-1])[0]:
            assert not getattr(value, "requires_grad", False)
    same(plain(found[0]), plain(found[1]))


def test_results_have_a_history_where_the_arguments_have_one() -> None:
    found = []
    for lib in (torch, flow):
        x, w = lib.tensor(X, requires_grad=True), lib.tensor(X * 2, requires_grad=True)
        g = lib.func.grad(lambda x, w=w: (x**3 * w).sum())(x)
        h = lib.func.grad(lambda x, w=w: (x**3 * w).sum())(x.detach())
        assert g.requires_grad and h.requires_grad
        (g.sum() + h.sum()).backward()
        found.append([x.grad.tolist(), w.grad.tolist()])
        with lib.no_grad():
            assert not lib.func.grad(lambda x: (x**2).sum())(lib.tensor(X)).requires_grad
    same(*found)


def test_a_model_as_a_function() -> None:
    flow.manual_seed(0)
    net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
    x, parameters = flow.randn(5, 3), dict(net.named_parameters())

    def loss(parameters: Any) -> Any:
        return flow.func.functional_call(net, parameters, (x,)).square().mean()

    found = flow.func.grad(loss)({k: p.detach() for k, p in parameters.items()})
    net(x).square().mean().backward()
    for name, p in parameters.items():
        numpy.testing.assert_allclose(found[name].numpy(), p.grad.numpy(), rtol=1e-5, atol=1e-7)
    compiled = flow.compile(lambda p: flow.func.grad(loss)(p))({k: p.detach() for k, p in parameters.items()})
    numpy.testing.assert_allclose(compiled["0.weight"].numpy(), found["0.weight"].numpy(), rtol=1e-5, atol=1e-7)


def test_modules_stacked_and_without_statistics() -> None:
    models = [nn.BatchNorm1d(2) for _ in range(3)]
    parameters, buffers = flow.func.stack_module_state(models)
    assert {k: tuple(v.shape) for k, v in {**parameters, **buffers}.items()} == {
        "weight": (3, 2), "bias": (3, 2), "running_mean": (3, 2), "running_var": (3, 2), "num_batches_tracked": (3,),
    }  # fmt: skip
    assert parameters["weight"].requires_grad and parameters["weight"].is_leaf
    with pytest.raises(RuntimeError, match="same training/eval mode"):
        flow.func.stack_module_state([models[0].eval(), models[1]])
    net = flow.func.replace_all_batch_norm_modules_(nn.Sequential(models[0]))
    assert net[0].running_mean is None and not net[0].track_running_stats


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda f, x: f.grad(lambda x: x)(x), "to return a scalar Tensor, got tensor with 1 dims"),
        (lambda f, x: f.grad(lambda x: 3)(x), "to return a Tensor, got"),
        (lambda f, x: f.grad(lambda x: x.sum(), argnums=2)(x), "Got argnum=2, but only 1 positional inputs"),
        (lambda f, x: f.grad(lambda x, y: x.sum(), argnums=(0, 0))(x, x), "argnums elements must be unique"),
        (lambda f, x: f.grad(lambda x: x.sum(), has_aux=True)(x), r"should be a tuple: \(output, aux\)"),
        (lambda f, x: f.vjp(lambda x: (x, x), x)[1](x), "structure of cotangents"),
    ],
)
def test_errors_are_torchs(call: Any, text: str) -> None:
    for lib in (torch, flow):
        with pytest.raises(RuntimeError, match=text):
            call(lib.func, lib.tensor(X))

"""nn.utils.parametrize and the ready parametrizations, and the hooks that came before them, against torch's."""

from __future__ import annotations

import copy
from typing import Any

import numpy
import pytest
import torch

import tritonflow as flow
from tritonflow import nn
from tritonflow.nn.utils import parametrizations, parametrize

UTILS = {torch: torch.nn.utils, flow: flow.nn.utils}


class Symmetric(nn.Module):
    def forward(self, x: Any) -> Any:
        return x.triu() + x.triu(1).transpose(-1, -2)

    def right_inverse(self, x: Any) -> Any:
        return x.triu()


class Double(nn.Module):
    def forward(self, x: Any) -> Any:
        return 2 * x

    def right_inverse(self, x: Any) -> Any:
        return x / 2


def both(make: Any) -> list[Any]:
    """The same layer in torch and here: (module, its input)."""
    found: list[Any] = []
    for lib in (torch, flow):
        module, x = make(lib)
        if found:
            module.load_state_dict({k: flow.tensor(v.numpy()) for k, v in found[0][0].state_dict().items()})
            x = flow.tensor(found[0][1].numpy())
        found.append((module, x))
    return found


def compare(pairs: list[Any], normalise: Any) -> None:
    """Forward, backward and state of a layer before and after it is normalised."""
    results = []
    for lib, (module, x) in zip((torch, flow), pairs):
        normalise(lib, module)
        if lib is flow:
            module.load_state_dict({k: flow.tensor(v.numpy()) for k, v in results[0]["state"].items()})
        state = {k: v.detach().clone() for k, v in module.state_dict().items()}
        y = module(x)
        (y * y).sum().backward()
        grads = {name: p.grad.numpy() for name, p in module.named_parameters()}
        results.append({"state": state, "y": y.detach().numpy(), "grads": grads, "keys": list(state)})
    assert results[0]["keys"] == results[1]["keys"]
    numpy.testing.assert_allclose(results[1]["y"], results[0]["y"], rtol=2e-5, atol=1e-5)
    for name, grad in results[0]["grads"].items():
        numpy.testing.assert_allclose(results[1]["grads"][name], grad, rtol=1e-4, atol=1e-4)


LAYERS = [
    lambda lib: (lib.nn.Linear(3, 5), lib.ones(2, 3)),
    lambda lib: (lib.nn.Conv2d(2, 4, 3), lib.ones(1, 2, 4, 4)),
]


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("dim", [0, 1, None])
def test_weight_norm(layer: Any, dim: Any) -> None:
    compare(both(layer), lambda lib, m: UTILS[lib].parametrizations.weight_norm(m, dim=dim))


@pytest.mark.filterwarnings("ignore:.*weight_norm.*:FutureWarning")
@pytest.mark.parametrize("layer", LAYERS)
def test_weight_norm_by_a_hook(layer: Any) -> None:
    compare(both(layer), lambda lib, m: UTILS[lib].weight_norm(m, dim=0))
    module = flow.nn.utils.weight_norm(nn.Linear(2, 2))
    with pytest.raises(RuntimeError, match="Cannot register two weight_norm hooks"):
        flow.nn.utils.weight_norm(module)
    before = module.weight.detach()
    flow.nn.utils.remove_weight_norm(module)
    assert list(dict(module.named_parameters())) == ["bias", "weight"] and flow.allclose(module.weight, before)
    with pytest.raises(ValueError, match="weight_norm of 'weight' not found"):
        flow.nn.utils.remove_weight_norm(module)


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("by_hook", [False, True])
def test_spectral_norm(layer: Any, by_hook: bool) -> None:
    def normalise(lib: Any, module: Any) -> None:
        (UTILS[lib] if by_hook else UTILS[lib].parametrizations).spectral_norm(module, n_power_iterations=2)

    compare(both(layer), normalise)


def test_spectral_norm_comes_to_1_and_can_be_removed() -> None:
    module = parametrizations.spectral_norm(nn.Linear(6, 4), n_power_iterations=5)
    for _ in range(20):
        weight = module.weight
    assert numpy.linalg.norm(weight.detach().numpy(), 2) == pytest.approx(1.0, abs=1e-3)
    hooked = flow.nn.utils.spectral_norm(nn.Linear(6, 4))
    hooked(flow.ones(1, 6))
    before = hooked.weight.detach()
    flow.nn.utils.remove_spectral_norm(hooked.eval())
    assert flow.allclose(hooked.weight, before, atol=1e-5) and not hooked._forward_pre_hooks
    assert list(hooked.state_dict()) == ["bias", "weight"]


@pytest.mark.parametrize("shape", [(5, 3), (3, 5), (4, 4)])
@pytest.mark.parametrize("trivial", [True, False])
def test_orthogonal(shape: tuple[int, int], trivial: bool) -> None:
    rows, columns = shape
    layer = nn.Linear(columns, rows, bias=False)
    before = layer.weight.detach().clone()
    if not trivial:
        with pytest.raises(NotImplementedError, match="not possible to assign"):
            parametrizations.orthogonal(layer, orthogonal_map="householder", use_trivialization=False).weight = before
        return
    parametrizations.orthogonal(layer, orthogonal_map="householder")
    w = layer.weight.detach().numpy()
    tall = w if rows >= columns else w.T
    numpy.testing.assert_allclose(tall.T @ tall, numpy.eye(tall.shape[1]), atol=1e-5)
    given = before.numpy() if rows >= columns else before.numpy().T
    q, r = numpy.linalg.qr(given)
    numpy.testing.assert_allclose(tall, q * numpy.sign(numpy.diag(r)), atol=1e-5)
    reference = torch.nn.utils.parametrizations.orthogonal(torch.nn.Linear(columns, rows, bias=False), orthogonal_map="householder")
    state = {k: torch.tensor(v.numpy()) for k, v in layer.state_dict().items()}
    state["parametrizations.weight.original"] = torch.randn(*shape).tril(-1) * 0.3 - torch.eye(*shape)
    reference.load_state_dict(state)
    layer.load_state_dict({k: flow.tensor(v.numpy()) for k, v in state.items()})
    reference(torch.ones(1, columns)).square().sum().backward()
    layer(flow.ones(1, columns)).square().sum().backward()
    numpy.testing.assert_allclose(layer.weight.detach().numpy(), reference.weight.detach().numpy(), atol=1e-5)
    theirs, mine = reference.parametrizations.weight.original.grad, layer.parametrizations.weight.original.grad
    numpy.testing.assert_allclose(mine.numpy(), theirs.numpy(), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("kind", ["matrix_exp", "cayley"])
def test_orthogonal_maps(kind: str) -> None:
    layers = [library.Linear(3, 4, bias=False) for library in (nn, torch.nn)]
    mine, theirs = (
        library.nn.utils.parametrizations.orthogonal(layer, orthogonal_map=kind) for library, layer in zip((flow, torch), layers)
    )
    state = {name: torch.tensor(value.cpu().numpy()) for name, value in mine.state_dict().items()}
    state["parametrizations.weight.original"] = torch.linspace(-1, 1, 12).reshape(4, 3)
    theirs.load_state_dict(state)
    mine.load_state_dict({name: flow.tensor(value.numpy()) for name, value in state.items()})
    theirs(torch.ones(1, 3)).square()[0, :2].sum().backward()
    mine(flow.ones(1, 3)).square()[0, :2].sum().backward()
    expected = theirs.parametrizations.weight.original.grad
    found = mine.parametrizations.weight.original.grad.cpu().numpy()
    numpy.testing.assert_allclose(mine.weight.detach().cpu().numpy(), theirs.weight.detach().numpy(), atol=1e-5)
    numpy.testing.assert_allclose(found, expected.numpy(), rtol=1e-4, atol=1e-5)


def test_registering_assigning_and_removing() -> None:
    layer = nn.Linear(3, 3)
    weight = layer.weight
    optimizer = flow.optim.SGD(layer.parameters(), lr=0.1)
    kind = type(layer)
    parametrize.register_parametrization(layer, "weight", Symmetric())
    assert parametrize.is_parametrized(layer) and parametrize.is_parametrized(layer, "weight")
    assert not parametrize.is_parametrized(layer, "bias") and parametrize.type_before_parametrizations(layer) is kind
    assert type(layer).__name__ == "ParametrizedLinear" and isinstance(layer, nn.Linear)
    assert layer.parametrizations.weight.original is weight  # which the optimizer knows
    layer(flow.ones(1, 3)).sum().backward()
    optimizer.step()
    assert flow.equal(layer.weight, layer.weight.t())
    parametrize.register_parametrization(layer, "weight", Double())
    target = flow.eye(3) * 4 + 1
    layer.weight = target
    assert flow.equal(layer.weight, target)
    assert flow.equal(layer.parametrizations.weight.original, (target / 2).triu())
    other = copy.deepcopy(layer)
    parametrize.remove_parametrizations(layer, "weight")
    assert type(layer) is kind and layer.weight is weight and flow.equal(weight, target)
    assert [name for name, _ in layer.named_parameters()] == ["bias", "weight"]
    assert parametrize.is_parametrized(other) and flow.equal(other.weight, target)
    parametrize.remove_parametrizations(other, "weight", leave_parametrized=False)
    assert flow.equal(other.weight, (target / 2).triu())


def test_caching_transfer_and_buffers() -> None:
    calls: list[int] = []

    class Counting(nn.Module):
        def forward(self, x: Any) -> Any:
            calls.append(1)
            return x + 1

    layer = nn.BatchNorm1d(2)
    parametrize.register_parametrization(layer, "running_mean", Counting())
    calls.clear()
    with parametrize.cached():
        assert layer.running_mean is layer.running_mean
    assert len(calls) == 1 and layer.running_mean is not layer.running_mean
    source = parametrize.register_parametrization(nn.Linear(2, 2), "weight", Double())
    target = parametrize.transfer_parametrizations_and_params(source, nn.Linear(2, 2))
    assert flow.equal(source.weight, target.weight) and parametrize.is_parametrized(target, "weight")


def test_errors() -> None:
    class Wide(nn.Module):
        def forward(self, x: Any) -> Any:
            return flow.cat([x, x])

    layer = nn.Linear(2, 2)
    with pytest.raises(ValueError, match="may not change the shape of the tensor"):
        parametrize.register_parametrization(layer, "weight", Wide())
    assert not parametrize.is_parametrized(layer) and layer.weight.shape == (2, 2)
    with pytest.raises(ValueError, match="does not have a parameter, a buffer, or a parametrized element with name 'x'"):
        parametrize.register_parametrization(layer, "x", Wide())
    with pytest.raises(ValueError, match="does not have a parametrization on weight"):
        parametrize.remove_parametrizations(layer, "weight")
    with pytest.raises(ValueError, match="Expected n_power_iterations to be positive"):
        parametrizations.spectral_norm(layer, n_power_iterations=0)
    with pytest.raises(ValueError, match="orthogonal_map has to be one of"):
        parametrizations.orthogonal(layer, orthogonal_map="other")
    with pytest.raises(RuntimeError, match="only supported through state_dict"):
        copy.copy(parametrizations.weight_norm(layer)).__getstate__()


def test_state_dicts_of_older_names() -> None:
    layer = parametrizations.weight_norm(nn.Linear(2, 3))
    g, v = flow.ones(3, 1) * 2, flow.eye(3)[:, :2]
    layer.load_state_dict({"weight_g": g, "weight_v": v + 1, "bias": flow.zeros(3)})
    assert flow.equal(layer.parametrizations.weight.original0, g)


def test_in_a_compiled_step() -> None:
    found = []
    for compiled in (False, True):
        flow.manual_seed(0)
        layer = parametrizations.weight_norm(nn.Linear(2, 3))
        optimizer = flow.optim.SGD(layer.parameters(), lr=0.1)

        def step(x: Any, layer: Any = layer, optimizer: Any = optimizer) -> Any:
            optimizer.zero_grad()
            loss = layer(x).square().sum()
            loss.backward()
            optimizer.step()
            return loss

        run = flow.compile(step) if compiled else step
        losses = [run(flow.ones(1, 2)).item() for _ in range(3)]
        found.append([*losses, *layer.weight.detach().flatten().tolist()])
    assert found[0] == pytest.approx(found[1], rel=1e-5)

"""nn.utils: pruning, fusion, calls with other parameters, modules without initial values."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import torch
import torch.nn.utils.prune

import tritonflow as flow
from tritonflow import nn
from tritonflow.nn.utils import prune, stateless


def layers() -> tuple[Any, Any]:
    theirs = torch.nn.Conv2d(2, 4, 3)
    mine = nn.Conv2d(2, 4, 3)
    mine.load_state_dict({k: flow.tensor(v.numpy()) for k, v in theirs.state_dict().items()})
    return theirs, mine


@pytest.mark.parametrize(
    "steps",
    [
        [("identity", {})],
        [("l1_unstructured", {"amount": 0.3})],
        [("l1_unstructured", {"amount": 5}), ("l1_unstructured", {"amount": 0.5})],
        [("ln_structured", {"amount": 1, "n": 2, "dim": 0}), ("ln_structured", {"amount": 0.5, "n": 1, "dim": 0})],
        [("ln_structured", {"amount": 1, "n": float("inf"), "dim": -3}), ("l1_unstructured", {"amount": 7})],
        [("l1_unstructured", {"amount": 4}), ("custom_from_mask", {"mask": "even"})],
    ],
)
def test_pruning(steps: Any) -> None:
    theirs, mine = layers()
    for name, options in steps:
        for lib, layer in ((torch, theirs), (flow, mine)):
            given = dict(options)
            if "mask" in given:
                given["mask"] = (lib.arange(72).reshape(4, 2, 3, 3) % 2).float()
            assert getattr(lib.nn.utils.prune, name)(layer, "weight", **given) is layer
    assert list(theirs.state_dict()) == list(mine.state_dict())
    numpy.testing.assert_array_equal(mine.weight_mask.numpy(), theirs.weight_mask.numpy())
    mine(flow.ones(1, 2, 4, 4)).sum().backward()
    theirs(torch.ones(1, 2, 4, 4)).sum().backward()
    numpy.testing.assert_allclose(mine.weight_orig.grad.numpy(), theirs.weight_orig.grad.numpy(), rtol=1e-5)
    assert prune.is_pruned(nn.Sequential(mine))
    prune.remove(mine, "weight")
    torch.nn.utils.prune.remove(theirs, "weight")
    assert not prune.is_pruned(mine) and sorted(mine.state_dict()) == ["bias", "weight"]
    numpy.testing.assert_allclose(mine.weight.detach().numpy(), theirs.weight.detach().numpy())


def test_pruning_by_chance_and_over_several_parameters() -> None:
    flow.manual_seed(0)
    layer = prune.random_unstructured(nn.Linear(4, 5), "weight", amount=0.25)
    assert int((layer.weight_mask == 0).sum()) == 5
    layer = prune.random_structured(nn.Linear(4, 5), "weight", amount=2, dim=0)
    assert sorted(layer.weight_mask.sum(1).tolist()) == [0, 0, 4, 4, 4]
    a, b = nn.Linear(4, 5), nn.Linear(5, 3)
    pairs = [(a, "weight"), (b, "weight"), (b, "bias")]
    for _ in range(2):
        prune.global_unstructured(pairs, prune.L1Unstructured, amount=10)
    values = numpy.sort(numpy.abs(numpy.concatenate([getattr(m, n + "_orig").detach().numpy().ravel() for m, n in pairs])))
    left = numpy.concatenate([getattr(m, n).detach().numpy().ravel() for m, n in pairs])
    numpy.testing.assert_array_equal(numpy.sort(numpy.abs(left[left != 0])), values[20:])


def test_errors_of_pruning() -> None:
    layer = nn.Linear(2, 2)
    with pytest.raises(TypeError, match="Invalid type for amount"):
        prune.l1_unstructured(layer, "weight", amount="x")
    with pytest.raises(ValueError, match=r"should either be a float in the range \[0, 1\]"):
        prune.l1_unstructured(layer, "weight", amount=1.5)
    with pytest.raises(ValueError, match="should be smaller than the number of parameters to prune=4"):
        prune.l1_unstructured(layer, "weight", amount=5)
    with pytest.raises(ValueError, match="can only be applied to multidimensional tensors"):
        prune.ln_structured(layer, "bias", amount=1, n=2, dim=0)
    assert sorted(layer.state_dict()) == ["bias", "weight"] and not prune.is_pruned(layer)
    with pytest.raises(ValueError, match="has to be pruned before pruning can be removed"):
        prune.remove(layer, "weight")
    with pytest.raises(TypeError, match='Only "unstructured" PRUNING_TYPE supported'):
        prune.global_unstructured([(layer, "weight")], prune.LnStructured, amount=1, n=2)


@pytest.mark.parametrize("affine", [True, False])
@pytest.mark.parametrize("bias", [True, False])
def test_fusion_with_batch_normalisation(rng: numpy.random.Generator, affine: bool, bias: bool) -> None:
    def settled(bn: Any) -> Any:
        for tensor in (bn.running_mean, bn.running_var, *([bn.weight, bn.bias] if affine else [])):
            tensor.data = flow.tensor(rng.uniform(0.5, 2, tuple(tensor.shape)).astype("f"))
        return bn.eval()

    conv, bn = nn.Conv2d(2, 3, 2, bias=bias).eval(), settled(nn.BatchNorm2d(3, affine=affine))
    x = flow.tensor(rng.standard_normal((2, 2, 4, 4)).astype("f"))
    fused = flow.nn.utils.fuse_conv_bn_eval(conv, bn)
    numpy.testing.assert_allclose(fused(x).detach().numpy(), bn(conv(x)).detach().numpy(), rtol=1e-4, atol=1e-5)
    if affine:
        linear, bn = nn.Linear(4, 3, bias=bias).eval(), settled(nn.BatchNorm1d(3))
        x = flow.tensor(rng.standard_normal((2, 4)).astype("f"))
        fused = flow.nn.utils.fuse_linear_bn_eval(linear, bn)
        numpy.testing.assert_allclose(fused(x).detach().numpy(), bn(linear(x)).detach().numpy(), rtol=1e-4, atol=1e-5)
    with pytest.raises(AssertionError, match="Fusion only for eval"):
        flow.nn.utils.fuse_conv_bn_eval(conv.train(), bn)


class Tied(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.a, self.b = nn.Linear(2, 2, bias=False), nn.Linear(2, 2, bias=False)
        self.b.weight = self.a.weight
        self.register_buffer("shift", flow.zeros(2))

    def forward(self, x: Any, scale: float = 1.0) -> Any:
        return self.b(self.a(x)) * scale + self.shift


def test_calls_with_other_parameters() -> None:
    net, x = Tied(), flow.tensor([[1.0, 2.0]])
    own = net.a.weight
    w = (2 * flow.eye(2)).requires_grad_()
    y = stateless.functional_call(net, {"a.weight": w, "shift": flow.ones(2)}, x, {"scale": 3.0})
    assert y.tolist() == [[13.0, 25.0]] and net.a.weight is own is net.b.weight and net.shift.tolist() == [0.0, 0.0]
    y.sum().backward()
    assert w.grad is not None and own.grad is None
    y = stateless.functional_call(net, ({"a.weight": w}, {"b.weight": flow.eye(2)}), (x,), tie_weights=False)
    assert y.tolist() == [[2.0, 4.0]]
    with pytest.raises(ValueError, match="got multiple values for keys"):
        stateless.functional_call(net, {"a.weight": w, "b.weight": flow.eye(2)}, (x,))
    with pytest.raises(RuntimeError, match=r"Unexpected key\(s\): other.*Missing key\(s\): a.weight"):
        stateless.functional_call(net, {"other": w}, (x,), strict=True)
    with pytest.raises(AttributeError, match="has no attribute `a.other`"):
        stateless.functional_call(net, {"a.other": w}, (x,))
    assert net.a.weight is own


def test_modules_without_initial_values_and_older_names() -> None:
    flow.manual_seed(3)
    first = flow.rand(2)
    flow.manual_seed(3)
    layer = flow.nn.utils.skip_init(nn.Linear, 2, 3, bias=False)
    assert layer.weight.shape == (3, 2) and layer.weight.requires_grad and flow.equal(flow.rand(2), first)
    with pytest.raises(RuntimeError, match="Expected a Module"):
        flow.nn.utils.skip_init(int)
    p = flow.zeros(2, requires_grad=True)
    p.grad = flow.tensor([3.0, 4.0])
    with pytest.warns(FutureWarning, match="clip_grad_norm_"):
        assert flow.nn.utils.clip_grad_norm(p, 1.0).item() == 5.0

"""autograd.graph: hooks on what is saved, on several gradients, edges."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import pytest
import torch

import tritonflow as flow
from tritonflow import nn
from tritonflow.interpreter.saved_tensors import HookedTensor
from tritonflow.testing import assert_close

graph = flow.autograd.graph


def programs(lib: Any) -> Any:
    """A program whose ops have one input, two, several, a list of them, and a user's own."""

    class Cube(lib.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x**3

        @staticmethod
        def backward(ctx: Any, dy: Any) -> Any:
            return 3 * ctx.saved_tensors[0] ** 2 * dy

    def program(x: Any, w: Any) -> Any:
        y = Cube.apply((x @ w).tanh())
        z = lib.nn.functional.layer_norm(y, (4,), w[0], w[1])
        z = lib.cat([z, z * y], 1).relu()
        return (z * z.exp()).sum()

    return program


def values(lib: Any) -> tuple[Any, Any]:
    x = lib.tensor([[0.5, -1.0], [2.0, 0.3]], requires_grad=True)
    return x, lib.tensor([[0.1, 0.2, -0.3, 0.4], [0.5, -0.6, 0.7, 0.8]], requires_grad=True)


def test_hooks_see_what_is_saved_and_give_it_back() -> None:
    (x, w), program = values(flow), programs(flow)
    program(x, w).backward()
    expected = x.grad, w.grad
    x.grad = w.grad = None
    packed: list[Any] = []

    def pack(tensor: Any) -> Any:
        assert not flow.is_grad_enabled()
        packed.append(tensor)
        return tensor.detach().clone().numpy()

    with graph.saved_tensors_hooks(pack, lambda array: flow.tensor(array)):
        loss = program(x, w)
    count = len(packed)
    loss.backward()
    assert count == len(packed) >= 8
    assert_close(x.grad, expected[0])
    assert_close(w.grad, expected[1])


def test_the_second_derivative_goes_through_unpacked_tensors() -> None:
    found = []
    for lib in (torch, flow):
        x = lib.tensor([0.5, 2.0], dtype=lib.float64, requires_grad=True)
        with lib.autograd.graph.saved_tensors_hooks(lambda t: t.detach() * 2, lambda t: t.detach() / 2):
            y = (x**3).exp().sum()
            (first,) = lib.autograd.grad(y, x, create_graph=True)
        first.sum().backward()
        found.append(x.grad.tolist())
    assert found[0] == pytest.approx(found[1], rel=1e-12)


def test_the_innermost_hooks_count_and_only_in_their_scope() -> None:
    x, seen = flow.ones(2, requires_grad=True), []

    def hooks(name: str) -> Any:
        def pack(tensor: Any) -> Any:
            seen.append(name)
            return tensor

        return graph.saved_tensors_hooks(pack, lambda tensor: tensor)

    with hooks("outer"):
        y = x.exp()
        with hooks("inner"):
            y = y.exp()
        y = y.exp()
    y.exp().sum().backward()
    assert seen == ["outer", "inner", "outer"]


def test_what_hooks_packed_is_all_that_lives() -> None:
    x = flow.ones(1000, requires_grad=True)
    with graph.saved_tensors_hooks(lambda t: None, lambda _: flow.ones(1000)):
        y = x * 2
        reference = weakref.ref(y.impl)
        z = (y * y).sum()
    del y
    gc.collect()
    assert reference() is None
    z.backward()


def test_errors() -> None:
    x = flow.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError, match="modifying its input in place"):
        with graph.saved_tensors_hooks(lambda t: t.detach().mul_(2), lambda t: t):
            (x * 2).exp()
    with graph.saved_tensors_hooks(lambda t: t, lambda t: 5):
        y = x.exp().sum()
    with pytest.raises(TypeError, match="expected to be a Tensor but got result of type"):
        y.backward()
    with graph.saved_tensors_hooks(lambda t: t, lambda t: t):
        with pytest.raises(RuntimeError, match="no hooks"):
            with graph.disable_saved_tensors_hooks("no hooks"):
                pass
    with graph.saved_tensors_hooks(lambda t: t.detach(), lambda t: t):
        y = flow.ones(2, requires_grad=True) * 1.0
        z = y.exp()
        z.mul_(2)
    z.sum().backward()  # as in torch, what a hook has packed has no version


def test_a_tensor_that_its_op_has_overwritten_is_refused_as_ever() -> None:
    class Keep(flow.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            ctx.mark_dirty(x)
            return x.mul_(2)

        @staticmethod
        def backward(ctx: Any, dy: Any) -> Any:
            return ctx.saved_tensors[0] * dy

    x = flow.ones(2, requires_grad=True)
    with graph.saved_tensors_hooks(lambda t: t, lambda t: t):
        y = Keep.apply(x * 1)
    y.sum().backward()
    assert x.grad.tolist() == [2.0, 2.0]


def test_mutation_of_saved_tensors() -> None:
    x = flow.tensor([3.0], requires_grad=True)
    with graph.allow_mutation_on_saved_tensors():
        y = x.clone()
        z = (y * y).sum()
        y.zero_()
        z.backward()
        late = (x * x).sum()
    assert x.grad.tolist() == [6.0]
    with pytest.raises(AssertionError, match="outside of the 'allow_mutation_on_saved_tensors' context"):
        late.backward()
    graph.increment_version(x)
    kept = (x * x).sum()
    graph.increment_version([x])
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        kept.backward()


@pytest.mark.parametrize("mode", ["all", "any"])
def test_hooks_on_several_gradients(mode: str) -> None:
    found = []
    for lib in (torch, flow):
        tensors = [lib.tensor([float(k)], requires_grad=True) for k in range(3)]
        seen: list[Any] = []

        def note(grads: Any, seen: list[Any] = seen) -> None:
            grads = grads if isinstance(grads, (list, tuple)) else [grads]
            seen.append([None if g is None else g.item() for g in grads])

        middle = tensors[0] * tensors[1]
        handle = lib.autograd.graph.register_multi_grad_hook((*tensors, middle), note, mode=mode)
        for _ in range(2):
            (middle.exp() * 2).backward(retain_graph=True)
        (tensors[2] * 1).backward()
        handle.remove()
        middle.backward()
        found.append(seen)
    assert len(found[0]) == len(found[1]) == 3
    if mode == "all":
        assert found[0] == found[1]


def test_gradient_edges_stand_for_tensors() -> None:
    x = flow.tensor([1.0, 2.0], requires_grad=True)
    y = x * 3
    edge = graph.get_gradient_edge(y)
    assert isinstance(edge.node, graph.Node) and edge.output_nr == 0
    assert flow.autograd.grad(edge, x, flow.ones(2), retain_graph=True)[0].tolist() == [3.0, 3.0]
    flow.autograd.backward([edge], [flow.ones(2)])
    assert x.grad.tolist() == [3.0, 3.0]
    with pytest.raises(RuntimeError, match="does not require gradients"):
        graph.get_gradient_edge(flow.ones(1))


def test_batched_and_materialized_gradients() -> None:
    found = []
    for lib in (torch, flow):
        x, z = lib.tensor([1.0, 2.0, 3.0], requires_grad=True), lib.ones(2, requires_grad=True)
        y = x * x
        rows = lib.autograd.grad(y, x, lib.eye(3), is_grads_batched=True, retain_graph=True)[0]
        one, other = lib.autograd.grad(y.sum(), [x, z], materialize_grads=True)
        found.append([rows.tolist(), one.tolist(), other.tolist()])
        with pytest.raises(ValueError, match="Expected allow_unused to be True"):
            lib.autograd.grad(y.sum(), x, allow_unused=False, materialize_grads=True)
    assert found[0] == found[1]


def test_hooks_in_a_module() -> None:
    flow.manual_seed(0)
    net, x = nn.Sequential(nn.Linear(3, 4), nn.GELU(), nn.Linear(4, 1)), flow.randn(5, 3)
    net(x).sum().backward()
    expected = [p.grad for p in net.parameters()]
    net.zero_grad()
    with graph.save_on_cpu(pin_memory=True):
        y = net(x)
    assert any(isinstance(s, HookedTensor) for s in y._node._saved)
    y.sum().backward()
    for p, g in zip(net.parameters(), expected):
        assert_close(p.grad, g)

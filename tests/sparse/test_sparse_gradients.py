"""Sparse gradients of tables, and the optimizers that take them, beside torch's."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
import torch

import tritonflow as flow

ROWS = ([1, 3, 3, 2], [4, 1, 9, 9], [0, 0, 0, 2], [5, 6, 7, 8])


def trained(m: Any, name: str, options: dict[str, Any], passes: int) -> tuple[Any, ...]:
    table = m.tensor(np.sin(np.arange(30.0)).reshape(10, 3), dtype=m.float64)
    layer = m.nn.Embedding(10, 3, sparse=True, padding_idx=2, _weight=table)
    optimizer = getattr(m.optim, name)(layer.parameters(), lr=0.1, **options)
    weights = m.tensor([1.0, 2.0, 3.0], dtype=m.float64)
    for step in range(4):
        optimizer.zero_grad()
        for k in range(passes):
            (layer(m.tensor(ROWS[(step + k) % 4])) ** 2 * weights).sum().backward()
        assert layer.weight.grad.layout is m.sparse_coo
        optimizer.step()
    grad = layer.weight.grad
    return layer.weight.detach().numpy(), grad.to_dense().numpy(), grad.coalesce().indices().tolist()


@pytest.mark.parametrize("passes", [1, 2])
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("SGD", {}), ("SGD", {"momentum": 0.9}), ("SGD", {"momentum": 0.9, "nesterov": True}), ("SparseAdam", {}),
        ("SparseAdam", {"maximize": True, "betas": (0.8, 0.9)}), ("Adagrad", {}), ("Adagrad", {"lr_decay": 0.1}),
    ],
)  # fmt: skip
def test_steps(name: str, options: dict[str, Any], passes: int) -> None:
    theirs, ours = trained(torch, name, options, passes), trained(flow, name, options, passes)
    np.testing.assert_allclose(ours[0], theirs[0], rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(ours[1], theirs[1], rtol=1e-12, atol=1e-14)
    assert ours[2] == theirs[2]


@pytest.mark.parametrize(
    ("name", "options", "text"),
    [
        ("Adam", {}, "Adam does not support sparse gradients"), ("RMSprop", {}, "does not support sparse gradients"),
        ("SGD", {"weight_decay": 0.1}, "weight_decay"), ("Adagrad", {"weight_decay": 0.1}, "weight_decay"),
    ],
)  # fmt: skip
def test_optimizers_that_cannot_take_them_change_nothing(name: str, options: dict[str, Any], text: str) -> None:
    layer, other = flow.nn.Embedding(4, 2, sparse=True), flow.nn.Linear(2, 1)
    optimizer = getattr(flow.optim, name)([*other.parameters(), *layer.parameters()], lr=0.1, **options)
    other(layer(flow.tensor([1, 2]))).sum().backward()
    before = [p.tolist() for p in optimizer.param_groups[0]["params"]]
    with pytest.raises(RuntimeError, match=text):
        optimizer.step()
    assert [p.tolist() for p in optimizer.param_groups[0]["params"]] == before and layer.weight.grad.is_sparse


def test_sparse_adam_refuses_dense_gradients_before_it_changes_anything() -> None:
    layer, other = flow.nn.Embedding(4, 2, sparse=True), flow.nn.Linear(2, 1)
    optimizer = flow.optim.SparseAdam([*layer.parameters(), *other.parameters()])
    other(layer(flow.tensor([1, 2]))).sum().backward()
    before = layer.weight.tolist()
    with pytest.raises(RuntimeError, match="does not support dense gradients"):
        optimizer.step()
    assert layer.weight.tolist() == before


def test_states_are_saved() -> None:
    layer = flow.nn.Embedding(4, 2, sparse=True)
    optimizer = flow.optim.SparseAdam(layer.parameters(), lr=0.1)

    def step(optimizer: Any) -> None:
        optimizer.zero_grad()
        (layer(flow.tensor([1, 2])) ** 2).sum().backward()
        optimizer.step()

    step(optimizer)
    state, table = copy.deepcopy(optimizer.state_dict()), layer.weight.detach().clone()
    step(optimizer)
    expected = layer.weight.tolist()
    with flow.no_grad():
        layer.weight.copy_(table)
    again = flow.optim.SparseAdam(layer.parameters(), lr=0.1)
    again.load_state_dict(state)
    step(again)
    assert layer.weight.tolist() == expected


def test_sums_with_dense_gradients_are_dense() -> None:
    """In either order, and of one pass."""
    for order in (0, 1, 2):
        found = []
        for m in (torch, flow):
            w = m.tensor(np.sin(np.arange(12.0)).reshape(4, 3), requires_grad=True)
            terms = [m.nn.functional.embedding(m.tensor([1, 1, 3]), w, sparse=True).sum(), (w * w).sum()]
            for term in ([terms[0] + terms[1]], terms, terms[::-1])[order]:
                term.backward()
            assert w.grad.layout is m.strided
            found.append(w.grad.numpy())
        np.testing.assert_allclose(found[1], found[0])


def test_bags_and_second_look_ups() -> None:
    for mode in ("sum", "mean"):
        found = []
        for m in (torch, flow):
            bag = m.nn.EmbeddingBag(6, 2, sparse=True, mode=mode, _weight=m.tensor(np.cos(np.arange(12.0)).reshape(6, 2)))
            (bag(m.tensor([1, 2, 2, 4]), m.tensor([0, 3])) ** 2).sum().backward()
            assert bag.weight.grad.is_sparse
            found.append(bag.weight.grad.to_dense().numpy())
        np.testing.assert_allclose(found[1], found[0])


def test_where_gradients_stay_dense() -> None:
    """In graphs and under vmap; nothing is recorded under no_grad."""
    layer = flow.nn.Embedding(4, 2, sparse=True)
    flow.compile(lambda rows: layer(rows).sum(), fullgraph=True)(flow.tensor([1, 2])).backward()
    assert layer.weight.grad.layout is flow.strided and layer.weight.grad.tolist() == [[0, 0], [1, 1], [1, 1], [0, 0]]
    with flow.no_grad():
        assert not layer(flow.tensor([1])).requires_grad
    with pytest.raises(IndexError):
        layer(flow.tensor([7]))
    grad = flow.func.grad(lambda w: flow.nn.functional.embedding(flow.tensor([1]), w, sparse=True).sum())(flow.ones(2, 2))
    assert grad.to_dense().tolist() == [[0, 0], [1, 1]]


@pytest.mark.parametrize("own_leaf", [False, True])
@pytest.mark.parametrize("layout", ["coo", "csr"])
def test_gradients_of_sparse_tensors_that_autograd_gives(own_leaf: bool, layout: str) -> None:
    def found(m: Any) -> list[Any]:
        values = m.tensor([1.0, 2.0, 3.0], dtype=m.float64, requires_grad=not own_leaf)
        if layout == "coo":
            x = m.sparse_coo_tensor(m.tensor([[0, 0, 1], [1, 2, 0]]), values, (2, 3), is_coalesced=True)
        else:
            x = m.sparse_csr_tensor(m.tensor([0, 2, 3]), m.tensor([1, 2, 0]), values, (2, 3))
        if own_leaf:
            x.requires_grad_()
        dense = m.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], dtype=m.float64, requires_grad=True)
        y = (m.sparse.mm(x, dense) ** 2).sum()
        of_x, of_dense = m.autograd.grad(y, (x, dense))
        assert of_x.layout is x.layout and of_x.shape == x.shape and x.grad is None
        return [of_x.to_dense().tolist(), of_dense.tolist()]

    assert found(flow) == found(torch)


def test_an_unused_sparse_tensor() -> None:
    x = flow.sparse_coo_tensor([[0], [1]], [2.0], (2, 2)).requires_grad_()
    other = flow.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError, match="not have been used"):
        flow.autograd.grad(other.sum(), x)
    assert flow.autograd.grad(other.sum(), x, allow_unused=True) == (None,)
    (zeros,) = flow.autograd.grad(other.sum(), x, materialize_grads=True)
    assert zeros.to_dense().tolist() == [[0.0, 0.0], [0.0, 0.0]]
    with pytest.raises(RuntimeError, match="does not require grad"):
        flow.autograd.grad(other.sum(), x.detach())


@pytest.mark.parametrize("factor", [1.0, float("inf")])
def test_gradients_that_are_scaled(factor: float) -> None:
    def trained(m: Any) -> list[Any]:
        layer = m.nn.Embedding(6, 2, sparse=True, _weight=m.arange(12.0).reshape(6, 2))
        output = m.nn.Linear(2, 1)
        with m.no_grad():
            output.weight.fill_(0.5), output.bias.fill_(0.25)
        optimizer = m.optim.SGD([*layer.parameters(), *output.parameters()], lr=0.1)
        scaler = m.amp.GradScaler("cpu", init_scale=1024.0)
        for rows in ([1, 3, 3], [0, 1, 5]):
            optimizer.zero_grad()
            scaler.scale((output(layer(m.tensor(rows))) * factor).sum()).backward()
            scaler.unscale_(optimizer)
            scaler.step(optimizer)
            scaler.update()
        return [layer.weight.tolist(), output.weight.tolist(), scaler.get_scale()]

    for ours, theirs in zip(trained(flow), trained(torch)):
        np.testing.assert_allclose(ours, theirs, rtol=3e-7)  # a row that was looked up twice has two roundings

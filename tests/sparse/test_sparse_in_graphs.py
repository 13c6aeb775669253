"""Sparse tensors in captured functions: as states, arguments and results; what cannot be captured is refused."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import tritonflow as flow


def matrix(rows: list[int] | None = None) -> Any:
    return flow.sparse_coo_tensor([rows or [0, 1, 1], [2, 0, 0]], [1.0, 2.0, 3.0], (2, 3))


def features() -> Any:
    return flow.tensor(np.sin(np.arange(6.0)).reshape(3, 2).astype("f4"))


def assert_equal(a: Any, b: Any) -> None:
    np.testing.assert_allclose(a.detach().to_dense().numpy(), b.detach().to_dense().numpy(), rtol=1e-5)


def test_arguments() -> None:
    function = flow.compile(lambda a, x: flow.sparse.mm(a, x) * 2, fullgraph=True)
    for a in (matrix(), matrix([1, 0, 1]), matrix().coalesce(), matrix().to_sparse_csr(), matrix().to_sparse_csc()):
        for _ in range(2):
            assert_equal(function(a, features()), 2 * (a.to_dense() @ features()))


def test_results() -> None:
    a = matrix()
    function = flow.compile(lambda a, x: (a * x.sum(), {"sum": a + a}), fullgraph=True)
    for scale in (1.0, 2.0, 3.0):
        product, others = function(a, features() * scale)
        assert product.layout is flow.sparse_coo and not product.is_coalesced()
        assert_equal(product, a * (features() * scale).sum())
        assert_equal(others["sum"], a + a)


def test_gradients_of_arguments() -> None:
    a = matrix().requires_grad_()
    function = flow.compile(lambda a, x: flow.sparse.mm(a, x).sum(), fullgraph=True)
    for _ in range(3):
        a.grad = None
        function(a, features()).backward()
        assert a.grad.is_sparse
        assert a.grad.values().tolist() == pytest.approx(features().sum(1)[flow.tensor([2, 0])].tolist())


class Layer(flow.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("adjacency", matrix())
        self.linear = flow.nn.Linear(2, 2)

    def forward(self, x: Any) -> Any:
        return self.linear(flow.sparse.mm(self.adjacency, x)).relu()


def test_a_program_sees_changes_of_a_state() -> None:
    layer = Layer()
    compiled, x = flow.compile(layer, fullgraph=True), features()
    assert_equal(compiled(x), layer(x))
    layer.adjacency.mul_(3)
    assert_equal(compiled(x), layer(x))
    layer.adjacency.add_(matrix([1, 1, 0]))
    assert_equal(compiled(x), layer(x))
    layer.adjacency = matrix([1, 1, 0])
    assert_equal(compiled(x), layer(x))
    with flow.no_grad():
        layer.adjacency.coalesce()
    assert_equal(compiled(x), layer(x))


def test_a_graph_trains() -> None:
    layer = Layer()
    other = copy.deepcopy(layer)

    class Train(flow.nn.Graph):
        def __init__(self) -> None:
            super().__init__()
            self.layer = layer
            self.add_optimizer(flow.optim.SGD(layer.parameters(), lr=0.1))

        def build(self, x: Any) -> Any:
            loss = self.layer(x).sum()
            loss.backward()
            return loss

    graph, optimizer = Train(), flow.optim.SGD(other.parameters(), lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        loss = other(features()).sum()
        loss.backward()
        optimizer.step()
        assert graph(features()).item() == pytest.approx(loss.item(), rel=1e-5)


@pytest.mark.parametrize("number", range(4))
def test_what_depends_on_numbers_is_refused(number: int) -> None:
    a = matrix()
    functions = (
        lambda x: x.to_sparse().to_dense(), lambda x: a.coalesce().to_dense() + x.sum(), lambda x: a.mul_(2).to_dense() + x.sum(),
        lambda x: flow.sparse_coo_tensor(flow.tensor([[0], [0]]), x[0, :1], (2, 2)).to_dense(),
    )  # fmt: skip
    before = a.to_dense().tolist()
    with pytest.raises(RuntimeError, match="in a graph, which cannot be captured"):
        flow.compile(functions[number], fullgraph=True)(features())
    assert a.to_dense().tolist() == before
    if number < 3:
        expected = functions[number](features())
        a = matrix()
        with pytest.warns(UserWarning, match="runs in eager mode"):
            assert_equal(flow.compile(functions[number])(features()), expected)


def test_vmap_and_func() -> None:
    a, x = matrix(), features()
    assert_equal(flow.vmap(lambda d: flow.sparse.mm(a, d))(flow.stack([x, 2 * x])), flow.stack([a @ x, 2 * (a @ x)]))
    assert_equal(flow.func.grad(lambda d: flow.sparse.mm(a, d).sum())(x), a.to_dense().sum(0).unsqueeze(1).expand(3, 2))
    with pytest.raises(NotImplementedError, match="to_dense"):
        flow.vmap(lambda a: a * 2)(a)

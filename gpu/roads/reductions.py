"""Rows and reductions, sorts, and writes by index."""

from __future__ import annotations

from typing import Any

import torch

from gpu.roads.registry import road
from gpu.roads.stage import close, host, ours, package, same_bits


def _rows(columns: int) -> list[str]:
    """softmax, layer norm and cross entropy, with their gradients."""
    F, T = package().nn.functional, torch.nn.functional
    a = torch.randn(37, columns)
    found = [close(F.softmax(ours(a), -1), torch.softmax(a.double(), -1), 2e-6)]
    xs = [ours(t, True) for t in (a, torch.randn(columns), torch.randn(columns))]
    ts = [host(x).double().requires_grad_() for x in xs]
    gradient = torch.randn(a.shape)
    package().autograd.backward([F.layer_norm(xs[0], (columns,), *xs[1:])], [ours(gradient)])
    T.layer_norm(ts[0], (columns,), *ts[1:]).backward(gradient)
    found += [close(x.grad, t.grad, 2e-5) for x, t in zip(xs, ts)]
    target = torch.randint(0, columns, (37,))
    x, t = ours(a, True), a.double().requires_grad_()
    loss, expected = F.cross_entropy(x, ours(target)), T.cross_entropy(t, target)
    loss.backward()
    expected.backward()
    return [*found, close(loss, expected, 1e-6), close(x.grad, t.grad, 1e-5)]


@road()
def rows_and_reductions() -> Any:
    """Rows that fit in a tile, do not, begin at odd addresses; sums, extrema, variance, cumulative sums."""
    found = [each for columns in (1000, 4096, 50257) for each in _rows(columns)]
    a = torch.randn(700, 901)
    x, exact = ours(a), a.double()
    found += [close(x.sum(), exact.sum(), 1e-4), close(x.sum(0), exact.sum(0), 1e-5), close(x.var(1), exact.var(1), 1e-5)]
    assert torch.equal(host(x.argmax(1)), a.argmax(1)) and torch.equal(host(x.amax(0)), a.amax(0))
    big = torch.randn(1 << 22)
    found += [close(ours(big).sum(), big.double().sum(), 1e-3), close(ours(big).cumsum(0), big.double().cumsum(0), 1e-5)]
    return found


@road()
def sorts() -> Any:
    """sort, topk, nonzero, unique: values, and positions that lead to them."""
    flow = package()
    a = torch.randn(5, 5000)
    values, positions = flow.sort(ours(a), 1)
    assert torch.equal(host(values), a.sort(1).values) and torch.equal(a.gather(1, host(positions)), host(values))
    values, _ = flow.topk(ours(a), 50)
    assert torch.equal(host(values), a.topk(50).values)
    assert torch.equal(host(flow.nonzero(ours(a) > 1)), (a > 1).nonzero())
    whole = torch.randint(0, 99, (3000,))
    assert torch.equal(host(flow.unique(ours(whole))), whole.unique())
    return "ok"


@road()
def sorts_and_writes() -> Any:
    """Embedding gradients and index_add with many equal indices: the same bits three times."""
    flow = package()
    w, index, value = torch.randn(50, 64), torch.randint(0, 50, (20000,)), torch.randn(20000, 64)
    runs = [host(ours(w).index_add(0, ours(index), ours(value))) for _ in range(3)]
    same_bits(runs, "index_add")
    exact = w.double().index_add(0, index, value.double())
    assert float((runs[0].double() - exact).norm() / exact.norm()) < 1e-5
    x, t = ours(w, True), w.double().requires_grad_()
    flow.nn.functional.embedding(ours(index), x).square().sum().backward()
    torch.nn.functional.embedding(index, t).square().sum().backward()
    return close(x.grad, t.grad, 1e-5)

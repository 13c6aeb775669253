"""Mixtures of experts: how many tokens each expert gets is read, and one program serves all these numbers."""

from __future__ import annotations

import pytest

import tritonflow as flow
from tritonflow import nn
from tritonflow.graph.api.sized_graph import SizedGraph
from tritonflow.nn import functional as F


class Expert(nn.Module):
    """w2(silu(w1 x) * w3 x)."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.w1, self.w3 = (nn.Linear(width, 16, bias=False) for _ in range(2))
        self.w2 = nn.Linear(16, width, bias=False)

    def forward(self, x: flow.Tensor) -> flow.Tensor:
        return self.w2(F.silu(self.w1(x)) * self.w3(x))


class Experts(nn.Module):
    """Each token goes to two of the experts, one expert after the other, as transformers' models do it."""

    def __init__(self, experts: int = 3, width: int = 8) -> None:
        super().__init__()
        self.gate = nn.Linear(width, experts, bias=False)
        self.experts = nn.ModuleList([Expert(width) for _ in range(experts)])

    def forward(self, x: flow.Tensor) -> flow.Tensor:
        weights, chosen = flow.topk(F.softmax(self.gate(x), dim=-1), 2, dim=-1)
        masks = F.one_hot(chosen, len(self.experts)).permute(2, 1, 0)
        out = flow.zeros_like(x)
        for expert, mask in zip(self.experts, masks):
            rank, token = flow.where(mask)
            out.index_add_(0, token, expert(x[token]) * weights[token, rank, None])
        return out


def trained(module: nn.Module, seeds: range) -> list[list[flow.Tensor]]:
    """The losses and gradients of some batches of tokens."""
    found = []
    for seed in seeds:
        flow.manual_seed(seed)
        module.zero_grad()
        loss = module(flow.randn(24, 8)).square().mean()
        loss.backward()
        found.append([loss.detach(), *[p.grad.clone() for p in module.parameters()]])
    return found


@pytest.mark.filterwarnings("error:.*captured")
def test_experts_are_one_program_for_all_numbers_of_tokens() -> None:
    flow.manual_seed(0)
    module = Experts()
    expected = trained(module, range(20))
    compiled = flow.compile(module)
    for now, then in zip(trained(compiled, range(20)), expected):
        for a, b in zip(now, then):
            assert flow.allclose(a, b, rtol=1e-5, atol=1e-6)
    assert len(compiled.captures()) == 1


def test_which_order_takes_least_memory_asks_no_number(monkeypatch: pytest.MonkeyPatch) -> None:
    planned = []
    before = SizedGraph._planned
    monkeypatch.setattr(SizedGraph, "_planned", lambda self, plan: planned.append(self) or before(self, plan))

    def products(x: flow.Tensor, first: flow.Tensor, second: flow.Tensor) -> flow.Tensor:
        a, b = x[first > 0] @ x.t(), x[second > 0] @ x.t()
        c, d = a @ x, b @ x
        return (c.t() @ c) + (d.t() @ d)

    compiled, x = flow.compile(products), flow.randn(24, 8)
    for n, m in ((9, 9), (3, 17), (17, 3), (12, 12), (5, 6), (20, 2)):
        first, second = (flow.arange(24) < k for k in (n, m))
        assert flow.allclose(compiled(x, first, second), products(x, first, second), rtol=1e-5, atol=1e-5)
    assert len(planned) == len(dict.fromkeys(planned))


class Replaced(nn.Module):
    """Rows that a mask chooses are weighted, dropped by chance, and written back, whether there are many, one or none."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Linear(8, 8)

    def forward(self, x: flow.Tensor, mask: flow.Tensor) -> flow.Tensor:
        weights, out = flow.sigmoid(x[:, 0]), x * 1
        rows = F.dropout(self.inner(x[mask]), 0.5)
        out[mask] = flow.einsum("b,be->be", weights[mask], rows)
        return out.sum(1) + flow.rand(len(x))


def test_none_and_one_are_no_program_of_their_own() -> None:
    flow.manual_seed(0)
    module = Replaced()
    compiled = flow.compile(module)
    for count in (5, 4, 0, 1, 12, 2, 0, 1):
        x, mask = flow.randn(12, 8), flow.arange(12) < count
        results = []
        for each in (module, compiled):
            flow.manual_seed(count)
            given = x.clone().requires_grad_()
            y = each(given, mask)
            gradients = flow.autograd.grad(y.square().sum(), (given, *module.parameters()))
            results.append([y, *gradients, flow.rand(1)])
        for a, b in zip(*results):
            assert flow.allclose(a, b, rtol=1e-5, atol=1e-5)
    assert len(compiled.captures()) == 1


class Sorted(nn.Module):
    """Tokens are sorted by their experts, and each expert takes its piece, which may be empty: JetMoE's way."""

    def __init__(self) -> None:
        super().__init__()
        self.gate, self.experts = nn.Linear(8, 3, bias=False), nn.ModuleList([nn.Linear(8, 8, bias=False) for _ in range(3)])

    def forward(self, x: flow.Tensor) -> flow.Tensor:
        weights, chosen = F.softmax(self.gate(x), dim=-1).topk(2, dim=-1)
        counts = F.one_hot(chosen.flatten(), 3).sum(0).tolist()
        order = chosen.flatten().sort(stable=True).indices
        rows = order.div(2, rounding_mode="trunc")
        made = [expert(piece) for expert, piece in zip(self.experts, x[rows].split(counts))]
        return flow.zeros_like(x).index_add(0, rows, flow.cat(made) * weights.flatten()[order].unsqueeze(1))


@pytest.mark.usefixtures("poison")
def test_pieces_that_are_empty_are_no_program_of_their_own() -> None:
    flow.manual_seed(0)
    module = Sorted()
    expected = trained_with_few(module)
    compiled = flow.compile(module)
    for now, then in zip(trained_with_few(compiled), expected):
        for a, b in zip(now, then):
            assert flow.allclose(a, b, rtol=1e-5, atol=1e-5)
    assert len(compiled.captures()) == 1


def trained_with_few(module: nn.Module) -> list[list[flow.Tensor]]:
    """As `trained`, with three tokens, which many experts do not get."""
    found = []
    for seed in range(20):
        flow.manual_seed(seed)
        module.zero_grad()
        loss = module(flow.randn(3, 8) + flow.randn(8)).square().sum()
        loss.backward()
        found.append([loss.detach(), *[p.grad.clone() for p in module.parameters()]])
    return found

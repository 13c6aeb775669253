"""What went wrong in other systems over ranks, each by its issue's number; more stand with their subjects: look for `_pytorch_` and `oneflow #`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tritonflow.testing import simulate
from tritonflow.wire import verbs
from tritonflow.wire.world import this_rank

S, B, P = flow.sbp.split, flow.sbp.broadcast, flow.sbp.partial_sum
NUMBERS = numpy.arange(42, dtype=numpy.float32).reshape(7, 6)


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Bytes between ranks, by what they are for."""
    counted: Counter[str] = Counter()
    move = verbs.move

    def count(verb: verbs.Verb, send: Any, recv: Any, what: str) -> None:
        counted[what] += sum(part.nbytes for part in verb.sends if part.peer != this_rank().index)
        move(verb, send, recv, what)

    monkeypatch.setattr(verbs, "move", count)
    return counted


def test_the_order_of_ranks_in_a_grid_matters_oneflow_9727() -> None:
    orders = [[0, 1], [2, 3]], [[3, 1], [0, 2]]

    def rows(order: list[list[int]]) -> Any:
        grid = flow.placement("cpu", order)
        x = flow.tensor(NUMBERS, placement=grid, sbp=[S(0), S(1)], requires_grad=True)
        moved = x.to_global(flow.placement("cpu", orders[0]), [S(1), S(0)])
        (moved * moved).sum().backward()
        return x.to_local().tolist(), moved.tolist(), x.grad.tolist()

    for order in orders:
        for rank, (shard, moved, grad) in enumerate(simulate(4)(rows)(order)):
            (i, j) = next((i, row.index(rank)) for i, row in enumerate(order) if rank in row)
            assert shard == numpy.array_split(numpy.array_split(NUMBERS, 2, 0)[i], 2, 1)[j].tolist()
            assert moved == NUMBERS.tolist() and grad == (NUMBERS * 2).tolist()


def wrong_layouts() -> list[str]:
    """What a rank is told; then it goes on."""
    x = flow.tensor(NUMBERS, placement=flow.placement.all("cpu"), sbp=S(0))
    said = []
    for sbp in (S(2), [S(0), B], "S(0)", None, [None], flow.float32):
        try:
            x.to_global(flow.placement.all("cpu"), sbp)
            said.append("nothing")
        except Exception as error:
            said.append(type(error).__name__)
    return [*said, str(x.to_global(sbp=S(1)).sum().item())]


EXPECTED = [
    "PlacementError",
    "PlacementError",
    "ArgumentTypeError",
    "nothing",
    "ArgumentTypeError",
    "ArgumentTypeError",
    "861.0",
]


def test_a_wrong_sbp_is_an_error_oneflow_9942() -> None:
    assert simulate(2)(wrong_layouts)() == [EXPECTED] * 2


def test_a_wrong_sbp_ends_no_process_oneflow_9942(ranks2: Any) -> None:
    assert ranks2.run("tests.consistent.test_peers:wrong_layouts") == [EXPECTED] * 2


def test_products_of_split_batches_move_nothing_pytorch_167106(sent: Counter[str]) -> None:
    """Forward over a grid, as in the issue, and backward."""

    @simulate(4)
    def products() -> None:
        grid = flow.placement("cpu", [[0, 1], [2, 3]])
        x = flow.ones(4, 4, 3, placement=grid, sbp=[S(0), S(1)], requires_grad=True)
        w = flow.ones(3, 1, placement=grid, sbp=[B, B])
        batches = flow.ones(4, 3, 2, placement=grid, sbp=[S(0), B], requires_grad=True)
        sent.clear()
        y = x @ w
        assert y.sbp == (S(0), S(1))
        z = flow.bmm(x, batches)
        assert z.sbp == (S(0), S(1))
        grad, _ = flow.autograd.grad([y, z], [x, batches], [flow.ones_like(y), flow.ones_like(z)])
        assert grad.sbp == (S(0), S(1))

    products()
    assert not sent


@pytest.mark.parametrize("sbp", [[S(1), B], [S(0), S(1)], [S(1), S(1)], [B, S(0)]], ids=str)
def test_layers_of_split_sequences_move_nothing(sent: Counter[str], sbp: list[Any]) -> None:
    """But the shares of the gradients of weight and bias, which are added up."""
    rng = numpy.random.default_rng(0)
    arrays = [rng.standard_normal(shape) for shape in ((2, 8, 5), (3, 5), (3,), (2, 8, 3))]

    def layer(lay_out: Any) -> list[Any]:
        x, w, b, dy = (lay_out(flow.tensor(a), i in (0, 3)).requires_grad_() for i, a in enumerate(arrays))
        sent.clear()
        y = flow.nn.functional.linear(x, w, b)
        grads = flow.autograd.grad([y, x @ w.T], [x, w, b], [dy, dy])
        return [y, *grads]

    def over_ranks() -> list[Any]:
        grid = flow.placement("cpu", [[0, 1], [2, 3]])
        results = layer(lambda t, rows: t.to_global(grid, [B, B]).to_global(sbp=sbp if rows else [B, B]).detach())
        assert results[0].sbp == tuple(sbp)
        return results

    simulate(4)(over_ranks)()
    assert all("float64[3, 5]" in what or "float64[3]" in what for what in sent), sent
    expected = layer(lambda t, rows: t)
    for found in simulate(4)(lambda: [t.numpy() for t in over_ranks()])():
        for ours, theirs in zip(found, expected):
            numpy.testing.assert_allclose(ours, theirs.numpy(), rtol=1e-12, atol=1e-12)


def test_states_are_resumed_over_another_number_of_ranks_torchtitan_811(tmp_path: Path) -> None:
    """Weights and Adam's moments of two ranks on three; the next losses are those of one rank."""

    def train(ranks: int, steps: int, resume: bool) -> list[float]:
        everyone = flow.placement.all("cpu")
        flow.manual_seed(1)
        net = flow.nn.Linear(6, 5).to_global(everyone, B)
        if ranks > 1:
            net.to_global(sbp=S(0))
        optimizer = flow.optim.Adam(net.parameters(), lr=0.1)
        if resume:
            state = flow.load(tmp_path / "state", global_src_rank=0)
            net.load_state_dict(state["net"])
            optimizer.load_state_dict(state["optimizer"])
        x = flow.tensor(NUMBERS / 42, placement=everyone, sbp=S(0))
        losses = []
        for _ in range(steps):
            loss = (net(x) - 1).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        if not resume and ranks > 1:
            flow.save(
                {"net": net.state_dict(), "optimizer": optimizer.state_dict()}, tmp_path / "state", global_dst_rank=0
            )
        return losses

    whole = simulate(1)(train)(1, 4, False)[0]
    for ranks, resume in ((2, False), (3, True)):
        for losses in simulate(ranks)(train)(ranks, 2, resume):
            numpy.testing.assert_allclose(losses, whole[2:] if resume else whole[:2], rtol=1e-5)

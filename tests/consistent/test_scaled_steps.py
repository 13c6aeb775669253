"""Steps with scaled losses whose gradients lie anywhere: local, over all ranks, over some, over several placements."""

from __future__ import annotations

from typing import Any

import pytest

import tritonflow as flow
from tests import where
from tests.consistent.graph_programs import PLAIN, everywhere, simulated
from tests.consistent.pool import Pool
from tritonflow import nn
from tritonflow.framework.sbp import broadcast, split
from tritonflow.wire.world import this_rank

PLACES = [(2, [[0, 1]]), (2, [[1]]), (4, [[0, 1], [2, 3]]), (4, [[0, 1], [1, 2, 3]])]


@pytest.mark.parametrize("kind, order", [("eager", -1), ("step", 1), ("step", -1), ("graph", 1)], ids=str)
@pytest.mark.parametrize("size, places", PLACES, ids=str)
def test_local_and_global_gradients(size: int, places: Any, kind: str, order: int) -> None:
    """A step is skipped on all ranks when one of them finds an infinity, in its own gradients or in a shard, wherever these lie.

    The scale lies where the first scaled loss does, which is local in the order -1.
    """

    def run() -> Any:
        placements = [flow.placement(where.device, ranks) for ranks in places]
        net = nn.Module()
        net.own = nn.Parameter(flow.ones(3))
        net.shared = nn.ParameterList([nn.Parameter(flow.ones(4, placement=p, sbp=split(0))) for p in placements])
        optimizer, scaler = flow.optim.SGD(net.parameters(), lr=0.5), flow.amp.GradScaler(init_scale=8.0)

        def losses(net: Any, own: Any, others: Any) -> list[Any]:
            return [*[(w * f).sum() for w, f in zip(net.shared, others)], (net.own * own).sum()][::order]

        def step(own: Any, *others: Any) -> Any:
            optimizer.zero_grad()
            for loss in losses(net, own, others):
                scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
            return own

        class Training(nn.Graph):
            def __init__(self) -> None:
                super().__init__()
                self.net = net
                self.add_optimizer(optimizer)
                self.set_grad_scaler(scaler)

            def build(self, own: Any, *others: Any) -> Any:
                for loss in losses(self.net, own, others):
                    loss.backward()
                return own

        train: Any = Training() if kind == "graph" else flow.compile(step, fullgraph=True) if kind == "step" else step
        found = []
        for k in range(4):
            own = flow.tensor(float("inf") if k == 1 and this_rank().index == size - 1 else 1.0)
            numbers = [float("inf") if k == 2 and p is placements[0] else 2.0 for p in placements]
            train(own, *[flow.full((), n, placement=p, sbp=broadcast) for n, p in zip(numbers, placements)])
            shards = [w.to_local().tolist() for w in net.shared if w.placement.coordinate(this_rank().index) is not None]
            found.append(({n for shard in shards for n in shard}, net.own.tolist(), scaler.get_scale()))
        return found

    for found in simulated(size)(run)():
        assert [(own[0], scale) for _, own, scale in found] == [(0.5, 8.0), (0.5, 4.0), (0.5, 2.0), (0.0, 2.0)]
        assert all(shared in (set(), {value}) for (shared, *_), value in zip(found, [0.0, 0.0, 0.0, -1.0]))


# ------------------------------------------------------------------------------------------------------------------- bits


def _trained(places: Any, is_compiled: bool) -> tuple[list[Any], list[float]]:
    """What steps of parameters everywhere, of uneven shards on the places, and of each rank leave on this rank; and the scales.

    The loss that is scaled first is local. Of the third step a rank of the first place overflows, and of the fifth the last one.
    """
    flow.manual_seed(3)
    placements = [everywhere(), *[flow.placement(where.device, ranks) for ranks in places]]
    whole = [flow.randn(5, 3).to_global(everywhere(), broadcast) for _ in placements]
    weights = [nn.Parameter(w.to_global(p, broadcast).to_global(sbp=split(0)).detach()) for w, p in zip(whole, placements)]
    tied = weights[-1]
    frozen = nn.Parameter(flow.ones(2, placement=everywhere(), sbp=split(0)), requires_grad=False)
    own = nn.Parameter(flow.randn(4))
    optimizer = flow.optim.AdamW([frozen, *weights, own], lr=0.1)
    scaler = flow.amp.GradScaler(init_scale=64.0, growth_interval=2)

    def step(x: Any, *factors: Any) -> Any:
        optimizer.zero_grad()
        local = (own * x).pow(2).mean() + (weights[0] * factors[0]).sum().to_global(sbp=broadcast).to_local()
        scaler.scale(local).backward()
        for w, f in zip(weights, factors):
            scaler.scale((w.tanh() * f).mean()).backward()
        scaler.scale(tied.pow(2).sum()).backward()
        scaler.unscale_(optimizer)
        scaler.step(optimizer)
        scaler.update()
        return local

    train: Any = step
    if is_compiled:
        train = flow.compile(step, fullgraph=True)
        train.config.without |= PLAIN
    found, scales = [], []
    last = this_rank().index == this_rank().world_size - 1
    for k in range(6):
        x = flow.full((4,), float("inf") if k == 4 and last else 0.3 * k + 0.1)
        numbers = [float("inf") if k == 2 and n == 1 else 0.7 + n for n in range(len(placements))]
        factors = [flow.full((), number, placement=p, sbp=broadcast) for number, p in zip(numbers, placements)]
        found += [train(x, *factors).tolist(), own.tolist()]
        scales.append(scaler.get_scale())
        found += [w.to_local().tolist() for w in weights if w.placement.coordinate(this_rank().index) is not None]
    return found, scales


def compare_bits(places: Any) -> list[float]:
    """The scales, behind a comparison of compiled steps with eager ones."""
    (eager, expected), (ours, scales) = _trained(places, False), _trained(places, True)
    assert repr(eager) == repr(ours) and expected == scales
    return scales


@pytest.mark.parametrize("size, places", [(3, [[1], [2, 0]]), (4, [[1, 2, 3], [0, 1]])], ids=str)
def test_a_compiled_step_has_the_bits_of_eager_mode(size: int, places: Any) -> None:
    for scales in simulated(size)(compare_bits)(places):
        assert scales == [64.0, 128.0, 64.0, 64.0, 32.0, 32.0]


@pytest.mark.parametrize("places", [[[1]], [[0], [1, 0]]], ids=str)
def test_a_compiled_step_has_the_bits_of_eager_mode_on_ranks(ranks2: Pool, places: Any) -> None:
    assert ranks2.run(compare_bits, places) == [[64.0, 128.0, 64.0, 64.0, 32.0, 32.0]] * 2

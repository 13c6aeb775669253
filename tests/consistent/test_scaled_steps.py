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


def _trained_on_meshes(several: bool, is_compiled: bool) -> tuple[list[Any], list[float]]:
    """Two pairs of ranks, each with a mesh that the other does not know, and its own scale; with one optimizer, or two."""
    flow.manual_seed(1)
    me, mesh = this_rank().index, flow.placement(where.device, [0, 1] if this_rank().index < 2 else [2, 3], members_only=True)
    shared = nn.Parameter(flow.randn(5, 2).to_global(mesh, broadcast).to_global(sbp=split(0)).detach())
    own = nn.Parameter(flow.ones(3))
    groups = [[own], [shared]] if several else [[own, shared]]
    optimizers = [flow.optim.AdamW(group, lr=0.1) for group in groups]
    scaler, clip = flow.amp.GradScaler(init_scale=16.0, growth_interval=2), {"norm": 1.0, "steps": 0}

    def step(x: Any, factor: Any) -> Any:
        for optimizer in optimizers:
            optimizer.zero_grad()
        scaler.scale((own * x).sum() ** 2).backward()
        scaler.scale((shared * factor).sum()).backward()
        for optimizer in optimizers:
            scaler.unscale_(optimizer)
        flow.nn.utils.clip_grad_norm_([own], clip["norm"])
        clip["steps"] += 1
        for optimizer in optimizers:
            scaler.step(optimizer)
        scaler.update()
        return own * 1

    train: Any = step
    if is_compiled:
        train = flow.compile(step, fullgraph=True)
        train.config.without |= PLAIN
    found, scales = [], []
    for k in range(7):
        clip["norm"] = 0.5 + 0.1 * (k // 2)
        x = flow.full((3,), float("inf") if k == 2 and me == 3 else 0.1 * k + 0.1)
        factor = flow.full((), float("inf") if k == 4 and me < 2 else 0.5, placement=mesh, sbp=broadcast)
        found += [train(x, factor).tolist(), shared.to_local().tolist()]
        scales.append(scaler.get_scale())
    return [*found, clip["steps"]], scales


@pytest.mark.parametrize("several", [False, True])
def test_meshes_that_not_all_ranks_know(several: bool) -> None:
    def run() -> list[float]:
        (eager, expected), (ours, scales) = _trained_on_meshes(several, False), _trained_on_meshes(several, True)
        assert repr(eager) == repr(ours) and expected == scales
        return scales

    first, second = [16.0, 32.0, 32.0, 64.0, 32.0, 32.0, 64.0], [16.0, 32.0, 16.0, 16.0, 32.0, 32.0, 64.0]
    assert simulated(4)(run)() == [first, first, second, second]

"""What users of other programs were hit by in moving tensors and in programs over ranks, each by its name and source."""

from __future__ import annotations

import time
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tests.consistent.graph_programs import PLAIN, everywhere, simulated, whole
from tests.consistent.pool import Pool
from tests.consistent.test_groups_on_ranks import begin
from tritonflow import nn
from tritonflow.boxing.program import EagerRoad
from tritonflow.framework.meta import TensorMeta
from tritonflow.graph.ranks.verify import verify_ranks
from tritonflow.mock_torch.names import distributed as dist
from tritonflow.nn.graph import GraphModule
from tritonflow.wire.world import this_rank

B, P, S = flow.sbp.broadcast, flow.sbp.partial_sum, flow.sbp.split


def test_split_to_split_no_whole_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    """jax#21562, xla#15207: rows became columns by way of the whole tensor on each rank."""
    shares = 256 * 64 // 4 * 4  # bytes of a shard
    made: list[int] = []

    class Watched(EagerRoad):
        @staticmethod
        def allocate(meta: TensorMeta) -> Any:
            made.append(meta.nbytes)
            return EagerRoad.allocate(meta)

        @staticmethod
        def apply(*args: Any) -> Any:
            found = EagerRoad.apply(*args)
            made.append(found.meta.nbytes)
            return found

        def move(self, verb: Any, sent: Any, received: TensorMeta | None, what: str) -> Any:
            made.append(0 if received is None else received.nbytes)
            return super().move(verb, sent, received, what)

    monkeypatch.setattr("tritonflow.boxing.steps.EAGER", Watched())
    values = numpy.arange(256 * 64, dtype=numpy.float32).reshape(256, 64)

    def f() -> Any:
        rank = this_rank().index
        x = flow.tensor(values, placement=everywhere(), sbp=S(0)).to_global(sbp=S(1))
        return numpy.array_equal(x.to_local().numpy(), values[:, 16 * rank : 16 * rank + 16])

    assert flow.testing.simulate(4)(f)() == [True] * 4
    assert made and max(made) <= shares, (max(made), shares)


def received(rank: int, y: Any) -> Any:
    (dist.irecv if rank else dist.isend)(y, 1 - rank)
    return y


def reduced(rank: int, y: Any) -> Any:
    dist.all_reduce(y, async_op=True)
    return y


def averaged(rank: int, y: Any) -> Any:
    """The gradient of a weight of DistributedDataParallel."""
    net: Any = nn.Linear(512, 512, bias=False)
    with flow.testing.throttled(0.0, 1e12):
        model = nn.parallel.DistributedDataParallel(net)
        net.weight.numpy()
        dist.barrier()  # the first rank's weights have come
    model(y).sum().backward()
    return net.weight.grad


def added(rank: int, y: Any) -> Any:
    """The gradient of a weight that is on every rank, of a batch that is split."""
    w = flow.ones(512, 512, placement=everywhere(), sbp=B).requires_grad_()
    product = flow.full((1024, 512), 1.5, placement=everywhere(), sbp=S(0)) @ w
    product.backward(flow.ones_like(product))
    return w.grad


def meanwhile(way: str) -> tuple[bool, bool, float]:
    """Whether a rank computes while a message to it is on its way, and waits for it when asked; a number of what came."""
    for latency in (0.0, 1.0):
        rank, y = begin()[0], flow.full((512, 512), begin()[0] + 1.0)
        dist.barrier()
        with flow.testing.throttled(latency, 1e12):
            start = time.monotonic()
            result = globals()[way](rank, y)
            sum_is_right = (flow.ones(1 << 10) * 2).sum().item() == 2048
            soon = time.monotonic() - start < 0.8
            number = whole(result)[-1, -1] if not result.is_local else result.numpy()[-1, -1]
    return sum_is_right and soon, time.monotonic() - start > 0.9, float(number)


@pytest.mark.ranks
@pytest.mark.parametrize(("way", "number"), [("received", 1), ("reduced", 3), ("averaged", 768), ("added", 1536)])
def test_receive_does_not_block_compute(ranks2: Pool, way: str, number: float) -> None:
    """pytorch#172668, #188833: kernels that do not read what comes from other ranks waited behind it."""
    found = ranks2.run(meanwhile, way)
    assert found[1] == (True, True, number)
    assert found[0][2] == number


class Checkpointed(nn.Graph):
    """Layers that run again in backward, whose batch has more rows on the first ranks."""

    def __init__(self) -> None:
        super().__init__()
        flow.manual_seed(0)
        blocks = [nn.Sequential(nn.Linear(8, 32), nn.GELU(), nn.Dropout(0.1), nn.Linear(32, 8)) for _ in range(3)]
        self.net = nn.Sequential(*blocks)
        self.net.to_global(everywhere(), B)
        self.add_optimizer(flow.optim.SGD(self.net.parameters(), lr=0.1))
        for block in self.net:
            block.to(GraphModule).activation_checkpointing = True
        self.config.without |= PLAIN

    def build(self, x: Any) -> Any:
        loss = self.net(x).square().mean()
        loss.backward()
        return loss


def test_recompute_decided_alike() -> None:
    """pytorch#147561: ranks with batches of other sizes decided by themselves what runs again, and then waited for each other."""
    programs: dict[int, Any] = {}

    def f() -> Any:
        flow.manual_seed(1)
        graph = Checkpointed()
        x = flow.randn(7, 8).to_global(everywhere(), B).to_global(sbp=S(0))
        losses = [whole(graph(x)).item() for _ in range(3)]
        programs[this_rank().index] = graph._captured.captures()[0].graph
        return losses

    found = simulated(4)(f)()
    assert found == [found[0]] * 4 and found[0][2] < found[0][0]
    verify_ranks(programs)


@pytest.mark.parametrize("kind", ["eager", "compiled"])
def test_dropout_differs_over_sequence_shards(kind: str) -> None:
    """Megatron-LM#1256, TransformerEngine#1272: all shards of a sequence were masked alike."""

    def f(ranks: int) -> Any:
        flow.manual_seed(3)
        x = flow.ones(2, 64, 4).to_global(everywhere(), B).to_global(sbp=S(1))
        call = nn.Dropout(0.5)
        return whole((flow.compile(call) if kind == "compiled" else call)(x))

    (one,), four = simulated(1)(f)(1), simulated(4)(f)(4)
    assert all(numpy.array_equal(one, found) for found in four)
    parts = numpy.split(one, 4, axis=1)
    assert all(not numpy.array_equal(parts[0], part) for part in parts[1:])


def test_layouts_agree() -> None:
    """Megatron-LM#1736, torchtitan#2042: the same training gave other numbers over another mesh of the same ranks."""

    def f(shape: tuple[int, ...], sbp: tuple[Any, Any]) -> Any:
        flow.manual_seed(0)
        grid = flow.placement("cpu", numpy.arange(4).reshape(shape))
        weights, batch = sbp
        net = nn.Sequential(nn.Linear(8, 12), nn.Tanh(), nn.Linear(12, 4)).double()
        net = net.to_global(grid, [B] * len(shape))
        net[0].to_global(grid, weights)
        optimizer = flow.optim.SGD(net.parameters(), lr=0.1)
        flow.manual_seed(1)
        x = flow.randn(8, 8, dtype=flow.float64).to_global(grid, [B] * len(shape)).to_global(grid, batch)
        for _ in range(3):
            optimizer.zero_grad()
            net(x).square().mean().backward()
            optimizer.step()
        return [whole(p) for p in net.parameters()]

    layouts = [
        ((4,), ([B], [S(0)])), ((4,), ([S(0)], [B])), ((2, 2), ([B, S(0)], [S(0), B])), ((2, 2), ([S(0), B], [B, S(0)])),
        ((4, 1), ([S(0), B], [B, S(0)])), ((1, 4), ([B, S(0)], [S(0), B])),
    ]  # fmt: skip
    results = [flow.testing.simulate(4)(f)(*layout)[0] for layout in layouts]
    for found in results[1:]:
        for ours, theirs in zip(found, results[0]):
            numpy.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-14)

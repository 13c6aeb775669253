"""What users of other programs were hit by, each a test by the name of the failure and its source. On simulated ranks."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import torch

import tritonflow as flow
from tests.consistent.test_data_parallel import on_ranks
from tests.parallel.small_gpt import BATCH, GPTBlock, SmallGPT, batch, made, trained
from tests.parallel.test_fully_shard import Layer, Net, grads, sharded, whole
from tritonflow import nn
from tritonflow.distributed import CPUOffloadPolicy, MixedPrecisionPolicy, fully_shard
from tritonflow.nn.parallel import DistributedDataParallel
from tritonflow.optim import ZeroRedundancyOptimizer

ROWS = numpy.random.default_rng(0).standard_normal((12, 6)).astype(numpy.float32)
WRAPS = ("ddp", "zero 1", "zero 2", "fully_shard")


def wrapped(way: str, net: Any, optimizer_class: Any = flow.optim.SGD, **options: Any) -> tuple[Any, Any]:
    """A net with layers and its optimizer, by a way of sharing work."""
    if way == "fully_shard":
        model = sharded(net)
        return model, optimizer_class(model.parameters(), **options)
    model = DistributedDataParallel(net)
    if way == "ddp":
        return model, optimizer_class(model.parameters(), **options)
    return model, ZeroRedundancyOptimizer(model.parameters(), optimizer_class, stage=int(way[-1]), **options)


def test_tied_weights_uneven_shards_all_updated() -> None:
    """pytorch#176076, #83052: a tied weight whose rows do not divide evenly lost updates on the last rank."""
    before = SmallGPT().head.weight.numpy()
    assert len(before) % 4, "uneven"
    _, expected = trained(None, 2)
    for _, found in flow.testing.simulate(4)(trained)("fully_shard", 2):
        assert (found[0] != before).any(axis=1).all()
        numpy.testing.assert_allclose(found[0], expected[0], atol=1e-6)

    def tied() -> None:
        model = SmallGPT()
        fully_shard(model.embed)
        with pytest.raises(RuntimeError, match="parameter 'head.weight' of unit 'SmallGPT' belongs to unit 'FSDPEmbedding'|'Embedding'"):
            fully_shard(model)

    tied()


@pytest.mark.parametrize("way", WRAPS)
@pytest.mark.parametrize("order", [1.0, 2.0, float("inf")])
def test_clip_returns_whole_norm(way: str, order: float) -> None:
    """pytorch#170862, torchtune#2420: the norm was that of one rank's shards."""
    one = Net()
    (one(flow.tensor(ROWS)) ** 2).mean().backward()
    norm = torch.nn.utils.get_total_norm([torch.from_numpy(g).double() for g in grads(one)], order).item()

    def f(rank: int) -> Any:
        model, _ = wrapped(way, Net(), lr=0.1)
        (model(flow.tensor(ROWS[rank::3])) ** 2).mean().backward()
        found = flow.nn.utils.clip_grad_norm_(model.parameters(), norm / 2, order)
        return found.item(), grads(model)

    for found, clipped in on_ranks(3, f):
        assert abs(found - norm) <= 1e-6 * max(1, norm)
        for ours, theirs in zip(clipped, grads(one)):
            numpy.testing.assert_allclose(ours, theirs / 2, rtol=1e-4, atol=1e-6)


def test_token_mean_is_no_mean_of_means() -> None:
    """transformers#34373, verl#5625, torchtune#2172: tokens of short batches weighed more, also over accumulated steps."""
    counts = [[4, 1], [1, 2]]  # rows of each rank's two accumulated batches
    rows = {(rank, k): ROWS[3 * rank + 6 * k : 3 * rank + 6 * k + n] for rank in range(2) for k, n in enumerate(counts[rank])}
    one = Net()
    (one(flow.tensor(numpy.concatenate(list(rows.values())))) ** 2).sum(1).mean().backward()

    def f(rank: int) -> Any:
        model = sharded()
        for k in range(2):
            model.set_requires_gradient_sync(k == 1)
            total = (model(flow.tensor(rows[rank, k])) ** 2).sum()
            flow.distributed.global_mean(total, sum(counts[rank])).backward()
        return grads(model)

    for found in on_ranks(2, f):
        for ours, theirs in zip(found, grads(one)):
            numpy.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("way", ["ddp", "zero 1", "zero 2"])
def test_uneven_inputs_end(way: str) -> None:
    """pytorch#38174, #33148: a rank with more batches waited for ever."""

    def f(rank: int) -> Any:
        model, optimizer = wrapped(way, Net(), lr=0.1)
        joined = [model] if way == "ddp" else [model, optimizer]
        with flow.nn.parallel.Join(joined):
            for k in range(1 + 2 * rank):
                optimizer.zero_grad()
                (model(flow.tensor(ROWS[k : k + 2])) ** 2).mean().backward()
                optimizer.step()
        return [p.numpy() for p in model.parameters()]

    first, second = on_ranks(2, f)
    assert all((a == b).all() for a, b in zip(first, second))


def test_replicas_start_equal_hybrid() -> None:
    """OLMo-core#307: with replicas of shards each replica began with weights of its own."""

    def f(rank: int) -> Any:
        mesh = flow.distributed.init_device_mesh("cpu", (2, 2))
        return [p.to_local().numpy() for p in sharded(Net(seed=10 * rank), mesh=mesh).parameters()], [whole(p) for p in Net().parameters()]

    found = on_ranks(4, f)
    for replica in (0, 1):
        for k, expected in enumerate(found[0][1]):
            assert (numpy.concatenate([found[2 * replica + s][0][k] for s in range(2)]) == expected).all()


@pytest.mark.parametrize("way", WRAPS)
def test_found_inf_on_one_rank_skips_all(way: str) -> None:
    """pytorch#115710: a rank whose shards had no infinity made the step, and scaled differently from then on."""

    def f(rank: int) -> Any:
        model, optimizer = wrapped(way, Net(), lr=0.1)
        scaler, found = flow.amp.GradScaler(init_scale=8.0, growth_interval=1), []
        for k in range(3):
            before = [whole(p).copy() for p in model.parameters()]
            x = flow.tensor(ROWS[rank::2])
            loss = (model(x) ** 2).mean()
            if k == 1 and rank == 1:
                loss = loss * float("inf")
            optimizer.zero_grad()
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
            found.append((all((a == whole(p)).all() for a, p in zip(before, model.parameters())), scaler.get_scale()))
        return found

    assert on_ranks(2, f) == [[(False, 16.0), (True, 8.0), (False, 16.0)]] * 2


def test_found_inf_of_a_parameter_that_is_not_shared() -> None:
    """A parameter that each rank has for itself counts on all ranks, if others are over ranks."""

    def f(rank: int) -> Any:
        model = Net()
        own = model.layers[0].bias
        for layer in model.layers:
            fully_shard(layer, ignored_params={own})
        fully_shard(model)
        optimizer, scaler = flow.optim.SGD(model.parameters(), lr=0.1), flow.amp.GradScaler(init_scale=8.0)
        scaler.scale((model(flow.tensor(ROWS[rank::2])) ** 2).mean()).backward()
        if rank == 1:
            own.grad.fill_(float("inf"))
        before = [whole(p).copy() for p in model.parameters()]
        scaler.step(optimizer)
        scaler.update()
        return all((a == whole(p)).all() for a, p in zip(before, model.parameters())), scaler.get_scale()

    assert on_ranks(2, f) == [(True, 4.0)] * 2


@pytest.mark.parametrize("way", WRAPS)
def test_parameter_used_on_one_rank_only(way: str) -> None:
    """pytorch#158719, torchtitan#4777: ranks waited for each other, or the gradient of the others was lost."""

    class Sometimes(Layer):
        def forward(self, x: Any) -> Any:
            y = x @ self.weight.t()
            return (y + self.bias).tanh() if self.uses else y.tanh()

    def net(uses: Any) -> Any:
        one = Net()
        one.layers[1] = Sometimes(1)
        one.layers[1].uses = uses
        return one

    expected = [numpy.zeros(6, numpy.float32)] * 2
    for rank in range(2):
        one = net(rank == 0)
        (one(flow.tensor(ROWS[rank::2])) ** 2).mean().backward()
        expected = [expected[0] + (0 if one.layers[1].bias.grad is None else one.layers[1].bias.grad.numpy()), expected[1]]

    def f(rank: int) -> Any:
        model, _ = wrapped(way, net(rank == 0), lr=0.1)
        (model(flow.tensor(ROWS[rank::2])) ** 2).mean().backward()
        return whole(model.layers[1].bias.grad)

    for found in on_ranks(2, f):
        numpy.testing.assert_allclose(found, expected[0] / 2, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("way", WRAPS)
def test_accumulation_loses_no_gradient(way: str) -> None:
    """DeepSpeed#6550, #545: with partitioned gradients only the last of several accumulated backwards counted."""

    def run(model: Any, optimizer: Any, rank: int, world: int) -> Any:
        for _ in range(2):
            optimizer.zero_grad()
            for k in range(3):
                rows = ROWS[4 * k : 4 * k + 4]
                ((model(flow.tensor(rows[rank::world])) ** 2).mean() / 3).backward()
            optimizer.step()
        return [whole(p) for p in model.parameters()]

    one = Net()
    expected = run(one, flow.optim.SGD(one.parameters(), lr=0.5), 0, 1)
    for found in on_ranks(2, lambda rank: run(*wrapped(way, Net(), lr=0.5), rank, 2)):
        for ours, theirs in zip(found, expected):
            numpy.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-6)


def test_muon_once_per_step() -> None:
    """DeepSpeed#8443: momentum was updated once for each accumulated backward."""

    def run(make: Any, rank: int, world: int) -> Any:
        layers = nn.Sequential(nn.Linear(6, 6, bias=False), nn.Linear(6, 6, bias=False))
        for k, layer in enumerate(layers):
            layer.weight.data.copy_(Layer(k).weight.detach())
        model, optimizer = make(layers)
        for _ in range(2):
            optimizer.zero_grad()
            for k in range(2):
                ((model(flow.tensor(ROWS[4 * k : 4 * k + 4][rank::world])) ** 2).mean() / 2).backward()
            optimizer.step()
        return [p.numpy() for p in layers.parameters()]

    def zero(layers: Any) -> Any:
        model = DistributedDataParallel(layers)
        return model, ZeroRedundancyOptimizer(model.parameters(), flow.optim.Muon, lr=0.1)

    expected = run(lambda layers: (layers, flow.optim.Muon(layers.parameters(), lr=0.1)), 0, 1)
    for found in on_ranks(2, lambda rank: run(zero, rank, 2)):
        for ours, theirs in zip(found, expected):
            numpy.testing.assert_allclose(ours, theirs, atol=2e-3)  # products in bfloat16


def test_recompute_gathers_once_and_frees() -> None:
    """pytorch#105635, Megatron-LM#6153: a forward that is computed again gathered twice, and its parameters stayed."""

    def f(rank: int, way: str) -> Any:
        model, optimizer = made(way)
        tokens, _ = batch(0)
        counts = []
        for _ in range(2):
            model(flow.tensor(tokens[rank::2])).sum().backward()
            optimizer.step()
            counts.append(model._sharding.group.slot.gathers)
        held = [unit._flight for block in model.blocks for unit in block._sharding.units]
        return counts, held

    plain = on_ranks(2, lambda rank: f(rank, "fully_shard"))
    assert plain == on_ranks(2, lambda rank: f(rank, "fully_shard, checkpoints")) == [([3, 6], [None, None])] * 2


def test_batch_norm_uneven_and_silent_in_eval() -> None:
    """pytorch#22192, #48988: each rank's batch weighed the same whatever its size, and evaluation waited for other ranks."""
    sizes, rng = [5, 2, 0], numpy.random.default_rng(0)
    parts = [rng.standard_normal((n, 4, 3)).astype(numpy.float32) for n in sizes]
    reference = torch.nn.BatchNorm1d(4).double()
    x = torch.from_numpy(numpy.concatenate(parts)).double().requires_grad_()
    y = reference(x)
    (y**3).sum().backward()
    expected = zip(numpy.split(y.detach().numpy(), [5, 7]), numpy.split(x.grad.numpy(), [5, 7]))  # type: ignore[union-attr]

    def f(rank: int) -> Any:
        layer, x = nn.SyncBatchNorm(4), flow.tensor(parts[rank]).requires_grad_()
        y = layer(x)
        (y**3).sum().backward()
        layer.eval()
        if rank == 0:  # the others do not come
            layer(flow.ones(2, 4))
        return y.numpy(), x.grad.numpy(), layer.running_mean.numpy(), layer.running_var.numpy()

    for (y_rank, dx, mean, var), (y_one, dx_one) in zip(on_ranks(3, f), expected):
        for ours, theirs in ((y_rank, y_one), (dx, dx_one), (mean, reference.running_mean), (var, reference.running_var)):
            numpy.testing.assert_allclose(ours, numpy.asarray(theirs), rtol=1e-4, atol=1e-4)


def test_buffers_keep_float32() -> None:
    """pytorch#143900, transformers#25681: a policy for parameters rounded buffers, as frequencies of positions, to bfloat16."""

    class Turned(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = nn.Parameter(flow.ones(4))
            self.register_buffer("frequencies", flow.tensor([1.0001, 0.33333, 1e-4, 12345.678]))

        def forward(self, x: Any) -> Any:
            assert self.frequencies.dtype is flow.float32 and self.weight.dtype is flow.bfloat16
            return (x * self.frequencies).sum()

    model = fully_shard(Turned(), mp_policy=MixedPrecisionPolicy(flow.bfloat16, cast_forward_inputs=False))
    assert model(flow.ones(4)).item() == pytest.approx(12347.0115, rel=1e-6)
    assert model.frequencies.tolist() == flow.tensor([1.0001, 0.33333, 1e-4, 12345.678]).tolist()


def test_shard_size_1_still_syncs() -> None:
    """verl#7493: replicas without shards trained each for itself."""

    def f(rank: int) -> Any:
        model = sharded(mesh=flow.distributed.init_device_mesh("cpu", (2, 1)))
        plain = DistributedDataParallel(Net())
        for one in (model, plain):
            (one(flow.tensor(ROWS[rank::2])) ** 2).mean().backward()
        return all((a == b).all() for a, b in zip(grads(model), grads(plain)))

    assert on_ranks(2, f) == [True] * 2


def race(steps: int) -> None:
    """Steps whose memory is poisoned have the same bits: what is read before it arrives, or after it was overwritten, is seen."""
    from tests.poison import poisoned

    with poisoned():
        found = on_ranks(2, lambda rank: trained("fully_shard, checkpoints", steps))
    for (losses, weights), (expected, others) in zip(found, on_ranks(2, lambda rank: trained("fully_shard, checkpoints", steps))):
        assert losses == expected and all((a == b).all() for a, b in zip(weights, others))


def test_buffers_race() -> None:
    """Megatron-LM#7400: a buffer was used again while a collective still read it."""
    race(10)


@pytest.mark.long
def test_buffers_race_long() -> None:
    race(500)


def test_shards_differ_with_offload() -> None:
    """torchtitan#3106: on the host every rank had the rows of the first one."""

    def f(rank: int) -> Any:
        model = sharded(offload_policy=CPUOffloadPolicy())
        (model(flow.tensor(ROWS[rank::2])) ** 2).mean().backward()
        return model.layers[0].weight.to_local().numpy(), model.layers[0].weight.grad.to_local().numpy()

    first, second = on_ranks(2, f)
    expected = Net().layers[0].weight.numpy()
    assert (first[0] == expected[:3]).all() and (second[0] == expected[3:]).all()
    assert (first[1] != second[1]).all()


def test_sizes_are_those_of_the_test() -> None:
    assert BATCH % 4 == 0 and isinstance(SmallGPT().blocks[0], GPTBlock)

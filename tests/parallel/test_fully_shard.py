"""fully_shard: numbers of one process, gathers, memory, bytes, wrong uses. On simulated ranks."""

from __future__ import annotations

import copy
import warnings
from collections import Counter
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tests.consistent.test_data_parallel import on_ranks
from tests.parallel.small_gpt import GPTBlock, SmallGPT, trained
from tritonflow import nn
from tritonflow.distributed import CPUOffloadPolicy, FSDPModule, MixedPrecisionPolicy, fully_shard
from tritonflow.errors import (
    ArgumentTypeError,
    AutogradError,
    InplaceError,
    InvalidArgumentError,
    NoDataError,
    NotYetImplementedError,
    RankError,
)
from tritonflow.nn.parallel import DistributedDataParallel
from tritonflow.wire.world import this_rank

ROWS = numpy.random.default_rng(0).standard_normal((12, 6)).astype(numpy.float32)


class Layer(nn.Module):
    """A layer with odd sizes; weights depend on `seed`."""

    def __init__(self, seed: int = 0, size: int = 6) -> None:
        super().__init__()
        rng = numpy.random.default_rng(seed)
        self.weight = nn.Parameter(flow.tensor(rng.normal(0, 0.4, (size, size)).astype(numpy.float32)))
        self.bias = nn.Parameter(flow.tensor(rng.normal(0, 0.4, (size,)).astype(numpy.float32)))
        self.register_buffer("count", flow.zeros(1))

    def forward(self, x: Any) -> Any:
        self.seen = self.weight, self.count, x
        return (x @ self.weight.t() + self.bias).tanh()


class Net(nn.Module):
    """Layers, and a weight of its own."""

    def __init__(self, layers: int = 3, seed: int = 0) -> None:
        super().__init__()
        self.layers = nn.ModuleList([Layer(seed + k) for k in range(layers)])
        self.last = nn.Parameter(flow.tensor(numpy.random.default_rng(seed + 99).standard_normal((6, 2)).astype(numpy.float32)))

    def forward(self, x: Any) -> Any:
        for layer in self.layers:
            x = layer(x)
        return x @ self.last


def sharded(model: Any = None, **options: Any) -> Any:
    model = Net() if model is None else model
    for layer in model.layers:
        fully_shard(layer, **options)
    return fully_shard(model, **options)


def step(model: Any, rank: int, world: int, part: int = 0) -> None:
    (model(flow.tensor(ROWS[rank::world][part : part + 2])) ** 2).mean().backward()


def whole(x: Any) -> Any:
    return x.full().numpy() if x.is_global else x.numpy()


def weights(model: Any) -> list[Any]:
    return [whole(p) for p in model.parameters()]


def grads(model: Any) -> list[Any]:
    return [whole(p.grad) for p in model.parameters()]


def same(a: list[Any], b: list[Any]) -> bool:
    return len(a) == len(b) and all((x == y).all() for x, y in zip(a, b))


# ------------------------------------------------------------------------------------------------------------- numbers


def run(rank: int, world: int, wrap: Any, steps: int = 3, accumulate: bool = False) -> Any:
    model = wrap(Net(seed=7 * rank))
    optimizer = flow.optim.AdamW(model.parameters(), lr=0.05)
    for k in range(steps):
        optimizer.zero_grad()
        if accumulate:
            if isinstance(model, FSDPModule):
                model.set_requires_gradient_sync(False)
                step(model, rank, world, k)
                model.set_requires_gradient_sync(True)
            else:
                with model.no_sync():
                    step(model, rank, world, k)
        step(model, rank, world, k)
        optimizer.step()
    return weights(model)


@pytest.mark.parametrize("world", [1, 2, 3, 4])
@pytest.mark.parametrize("accumulate", [False, True])
def test_weights_have_the_bits_of_ddp(world: int, accumulate: bool) -> None:
    """With parameters of other ranks than the first ignored, rows of uneven numbers, and gradients that are added up before."""
    plain = on_ranks(world, lambda rank: run(rank, world, DistributedDataParallel, accumulate=accumulate))
    found = on_ranks(world, lambda rank: run(rank, world, sharded, accumulate=accumulate))
    assert all(same(ours, plain[0]) for ours in found)


def test_gradients_come_together_without_zero_grad() -> None:
    def f(rank: int) -> Any:
        model = sharded()
        step(model, rank, 2)
        first = grads(model)
        step(model, rank, 2)
        return all(numpy.allclose(2 * a, b, rtol=1e-6) for a, b in zip(first, grads(model)))

    assert on_ranks(2, f) == [True] * 2


def test_parameters_are_consistent_tensors() -> None:
    """Also in state dicts, which are loaded in place; in forward they are whole and local, and nowhere else."""

    def f(rank: int) -> None:
        model = sharded()
        assert all(p.is_global and p.sbp == (flow.sbp.split(0),) for p in model.parameters())
        assert [list(p.shape) for p in model.layers[0].parameters()] == [[6, 6], [6]]
        assert type(model.layers[0]).__name__ == "FSDPLayer" and isinstance(model.layers[0], Layer)
        state = copy.copy(model.state_dict())
        assert list(state) == list(Net().state_dict()) and state["layers.0.weight"].to_local().shape == (3, 6)
        other = sharded(Net(seed=5))
        step(other, rank, 2)
        other.load_state_dict(state)
        assert same(weights(other), weights(model))
        assert other.layers[0].seen[0].is_local and list(other.layers[0].seen[0].shape) == [6, 6]
        assert (other(flow.tensor(ROWS)).numpy() == model(flow.tensor(ROWS)).numpy()).all(), "shards were written"

    on_ranks(2, f)


def test_frozen_parameters_and_ignored_ones() -> None:
    """What requires no grad is gathered only; what is ignored stays as it is on each rank."""

    def f(rank: int) -> Any:
        model = Net()
        model.layers[1].weight.requires_grad_(False)
        model.layers[2].bias.data.fill_(float(rank))
        ignored = model.layers[2].bias
        for layer in model.layers:
            fully_shard(layer, ignored_params={ignored})
        fully_shard(model)
        step(model, rank, 2)
        assert model.layers[1].weight.grad is None and model.layers[1].bias.grad is not None
        assert model.layers[2].bias is ignored and ignored.grad.is_local
        model.layers[1].weight.requires_grad_(True)
        step(model, rank, 2)
        return ignored[0].item(), model.layers[1].weight.grad is not None

    assert on_ranks(2, f) == [(0.0, True), (1.0, True)]


def test_a_mesh_of_replicas_and_shards() -> None:
    """Rows over the second dimension; gradients are means over both."""

    def f(rank: int) -> Any:
        mesh = flow.distributed.init_device_mesh("cpu", (2, 2), mesh_dim_names=("replicate", "shard"))
        model = sharded(Net(seed=rank), mesh=mesh)
        step(model, rank, 4)
        p = model.layers[0].weight
        assert p.sbp == (flow.sbp.broadcast, flow.sbp.split(0)) and p.to_local().shape == (3, 6)
        assert p.grad.sbp == p.sbp
        plain = DistributedDataParallel(Net(seed=rank))
        step(plain, rank, 4)
        return all(numpy.allclose(a, b, rtol=1e-5, atol=1e-7) for a, b in zip(grads(model), grads(plain)))

    assert on_ranks(4, f) == [True] * 4


def test_offload_changes_no_bit() -> None:
    plain = on_ranks(2, lambda rank: run(rank, 2, sharded))
    found = on_ranks(2, lambda rank: run(rank, 2, lambda model: sharded(model, offload_policy=CPUOffloadPolicy())))
    assert all(same(ours, plain[0]) for ours in found)


def test_several_forwards_before_one_backward() -> None:
    """One reduction of each unit; and two backwards of two forwards, whose nodes live apart."""

    def f(rank: int) -> Any:
        model, plain = sharded(), DistributedDataParallel(Net())
        for one in (model, plain):
            losses = [(one(flow.tensor(ROWS[k + rank : k + rank + 2])) ** 2).mean() for k in range(2)]
            sum(losses).backward()
        together = all(numpy.allclose(a, b, rtol=1e-5, atol=1e-7) for a, b in zip(grads(model), grads(plain)))
        for one in (model, plain):
            one.zero_grad()
            losses = [(one(flow.tensor(ROWS[k + rank : k + rank + 2])) ** 2).mean() for k in range(2)]
            for loss in losses:
                loss.backward()
        return together, all(numpy.allclose(a, b, rtol=1e-5, atol=1e-7) for a, b in zip(grads(model), grads(plain)))

    assert on_ranks(2, f) == [(True, True)] * 2


@pytest.mark.parametrize("reduce_dtype", [None, flow.float32])
def test_mixed_precision(reduce_dtype: Any) -> None:
    """The forward is that of a module in bfloat16; shards, gradients, states and buffers stay float32."""

    def f(rank: int) -> Any:
        model = Net()
        for layer in model.layers:
            fully_shard(layer, mp_policy=MixedPrecisionPolicy(flow.bfloat16, reduce_dtype))
        fully_shard(model, mp_policy=MixedPrecisionPolicy(flow.bfloat16, reduce_dtype, flow.float32))
        low = Net().to(flow.bfloat16)
        x = flow.tensor(ROWS[rank::2])
        y, expected = model(x), low(x.to(flow.bfloat16))
        assert y.dtype is flow.float32 and (y.to(flow.bfloat16).float().numpy() == expected.float().numpy()).all()
        assert [x.dtype for x in model.layers[0].seen] == [flow.bfloat16, flow.float32, flow.bfloat16]
        (y**2).mean().backward()
        (low(x.to(flow.bfloat16)).float() ** 2).mean().backward()
        assert all(p.dtype is flow.float32 and p.grad.dtype is flow.float32 for p in model.parameters())
        return grads(model), [p.grad.float().numpy() for p in low.parameters()]

    (ours, first), (_, second) = on_ranks(2, f)
    for found, a, b in zip(ours, first, second):
        numpy.testing.assert_allclose(found, (a + b) / 2, atol=2e-2 if reduce_dtype is None else 1e-2)


# ------------------------------------------------------------------------------------------- gathers, memory and bytes


def slots(model: Any) -> tuple[int, int]:
    """How often parameters were written to the slot that units share, and to that of the whole model."""
    return model._sharding.group.slot.gathers, model._sharding.units[0].slot.gathers


@pytest.mark.parametrize("checkpoints", [False, True])
def test_gathers_of_a_step(checkpoints: bool) -> None:
    """Of n units n in forward and n - 1 in backward, whether or not forwards are computed again there; one in evaluation again."""

    def f(rank: int) -> Any:
        model = SmallGPT(4, checkpoints)
        for block in model.blocks:
            fully_shard(block)
        fully_shard(model)
        optimizer = flow.optim.SGD(model.parameters(), lr=0.1)
        found = []
        for _ in range(3):
            model(flow.zeros(2, 16, dtype=flow.int64)).sum().backward()
            optimizer.step()
            found.append(slots(model))
        return found

    assert on_ranks(2, f) == [[(7, 1), (14, 2), (21, 3)]] * 2


def test_units_that_stay() -> None:
    """With reshard_after_forward=False parameters are gathered once a step."""

    def f(rank: int) -> Any:
        model = sharded(reshard_after_forward=False)
        optimizer = flow.optim.SGD(model.parameters(), lr=0.1)
        for _ in range(2):
            step(model, rank, 2)
            optimizer.step()
        model(flow.tensor(ROWS))
        return [unit.slot.gathers for layer in (*model.layers, model) for unit in layer._sharding.units]

    assert on_ranks(2, f) == [[3] * 4] * 2


def test_memory() -> None:
    """A rank has 1/n of parameters, gradients and states, and one slot as large as the largest unit."""

    def f(rank: int) -> Any:
        blocks = nn.Sequential(*[nn.Linear(64, 64 * (1 + k % 2)) if k % 2 == 0 else nn.Linear(64, 64) for k in range(4)])
        for block in blocks:
            fully_shard(block)
        model = fully_shard(blocks)
        optimizer = flow.optim.AdamW(model.parameters())
        model(flow.ones(2, 64)).sum().backward()
        optimizer.step()
        shards = sum(p.meta.local.nbytes for p in model.parameters())
        gradients = sum(p.grad.meta.local.nbytes for p in model.parameters())
        states = sum(s.meta.local.nbytes for of in optimizer.state.values() for s in of.values() if s.ndim)
        held = sum(block._sharding.units[0].vector.meta.nbytes for block in model)
        return shards, gradients, states, held, model._sharding.group.slot.memory.meta.nbytes

    total, largest = 4 * 4 * (64 * 64 + 64), 4 * (64 * 64 + 64)
    for shards, gradients, states, held, slot in on_ranks(4, f):
        assert shards == gradients == total // 4 and states == 2 * total // 4
        assert held <= 1.1 * total / 4 and slot <= 1.1 * largest


@pytest.mark.parametrize("n", [2, 4])
def test_bytes_of_a_step(sent: Counter[int], n: int) -> None:
    """Gathers in forward and backward but that of the last unit, and gradients."""

    def f(rank: int) -> Any:
        model = nn.Sequential(*[nn.Linear(256, 256) for _ in range(4)])
        for layer in model:
            fully_shard(layer)
        fully_shard(model)
        model(flow.ones(2, 256))  # shares slots out
        flow.optim.SGD(model.parameters(), lr=0.1).step()
        before = sent[rank]
        for p in model.parameters():
            p.data.mul_(0.5)
        model(flow.ones(2, 256)).sum().backward()
        return sent[rank] - before

    unit = 4 * (256 * 256 + 256)
    for found in on_ranks(n, f):
        assert found <= 1.02 * (4 + 3 + 4) * unit * (n - 1) / n


def test_units_that_take_turns_are_warned_of() -> None:
    class Turns(Net):
        def forward(self, x: Any) -> Any:
            for k in (0, 1, 0, 1):
                x = self.layers[k](x)
            return x @ self.last

    def f(rank: int) -> Any:
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            step(sharded(Turns(2)), rank, 1)
        return [str(w.message) for w in found]

    (found,) = on_ranks(1, f)
    assert len(found) == 1 and "units 'layers.0' and 'layers.1' are used in turn" in found[0]


# ---------------------------------------------------------------------------------------------------------- wrong uses


def test_wrong_arguments() -> None:
    with pytest.raises(ArgumentTypeError, match="argument 'module' must be Module, not list"):
        fully_shard([])
    with pytest.raises(NotYetImplementedError, match="reshard_after_forward is True or False"):
        fully_shard(Net(), reshard_after_forward=2)
    with pytest.raises(NotYetImplementedError, match="parameter 'last' .* dimension 0 only, not 1"):
        fully_shard(Net(), shard_placement_fn=lambda p: flow.sbp.split(1))
    with pytest.raises(ArgumentTypeError, match="argument 'mesh' must be DeviceMesh or placement, not str"):
        fully_shard(Net(), mesh="cpu")
    scalar = nn.Module()
    scalar.a = nn.Parameter(flow.ones(()))
    with pytest.raises(ValueError, match="parameter 'a' of unit 'Module' has no dimension to split"):
        fully_shard(scalar)
    mixed = Net()
    mixed.layers[1].to(flow.float64)
    with pytest.raises(InvalidArgumentError, match="one dtype on one device in Net, got .*float32 on cpu.* and .*float64 on cpu"):
        fully_shard(mixed)
    assert not isinstance(mixed, FSDPModule) and all(p.is_local for p in mixed.parameters()), "it is as it was"
    model = fully_shard(Net())
    with pytest.raises(InvalidArgumentError, match="Net is sharded already"):
        fully_shard(model)
    with pytest.raises(InvalidArgumentError, match="is a consistent tensor; help: shard units inside first"):
        fully_shard(model.layers[0])
    with pytest.raises(NotYetImplementedError, match="cannot be copied"):
        copy.deepcopy(model)


def test_a_rank_outside_of_the_mesh() -> None:
    def f(rank: int) -> None:
        if rank == 1:
            with pytest.raises(InvalidArgumentError, match=r"rank 1 is outside of the mesh of ranks \[0\]"):
                fully_shard(Net(), mesh=flow.placement("cpu", [0]))

    on_ranks(2, f)


def test_wrong_uses() -> None:
    model = sharded()
    with pytest.raises(AutogradError, match=r"fully_shard: backward\(create_graph=True\) is not supported"):
        model(flow.tensor(ROWS)).sum().backward(create_graph=True)
    with pytest.raises(NoDataError, match="a whole parameter of unit 'layers.0' is read outside of the unit's forward"):
        model.layers[0].seen[0] + 1

    class Writes(Layer):
        def forward(self, x: Any) -> Any:
            with flow.no_grad():
                self.weight.mul_(0.5)
            return super().forward(x)

    writes = fully_shard(Writes())
    with pytest.raises(InplaceError, match="a parameter of unit 'Writes' was written in its forward"):
        writes(flow.tensor(ROWS))
    model.layers[1].bias = nn.Parameter(model.layers[1].bias.detach() + 1)
    with pytest.raises(InvalidArgumentError, match="parameter 'bias' of unit 'layers.1' was replaced; help: call fully_shard after"):
        model(flow.tensor(ROWS))


def test_a_forward_that_fails_leaves_shards() -> None:
    class Fails(Layer):
        fails = True

        def forward(self, x: Any) -> Any:
            if self.fails:
                raise ZeroDivisionError
            return super().forward(x)

    model = fully_shard(Fails())
    with pytest.raises(ZeroDivisionError):
        model(flow.tensor(ROWS))
    assert model.weight.is_global and model._sharding.units[0].depth == 0
    model.fails = False
    assert (model(flow.tensor(ROWS)).numpy() == Layer()(flow.tensor(ROWS)).numpy()).all()


def test_a_rank_that_skips_a_unit_is_named() -> None:
    class Skips(Net):
        def forward(self, x: Any) -> Any:
            for k, layer in enumerate(self.layers):
                if k != 1 or this_rank().index == 0:
                    x = layer(x)
            return x @ self.last

    def f(rank: int) -> Any:
        model = sharded(Skips())
        model(flow.tensor(ROWS)).sum().backward()
        return model.last.grad.full().numpy()

    with pytest.raises(RankError, match="unit 'layers.1'"):
        on_ranks(2, f)


def test_evaluation_gathers_what_changed() -> None:
    """Under no_grad a second forward finds the last unit, and no gradient is recorded."""

    def f(rank: int) -> Any:
        model = sharded(Net(1))
        with flow.no_grad():
            a, b = model(flow.tensor(ROWS)), model(flow.tensor(ROWS))
        assert not a.requires_grad and (a.numpy() == b.numpy()).all()
        return slots(model)

    assert on_ranks(2, f) == [(1, 1)] * 2


def test_the_block_of_a_transformer_alone() -> None:
    """A unit without a root has a slot of its own."""

    def f(rank: int) -> Any:
        block, plain = fully_shard(GPTBlock()), DistributedDataParallel(GPTBlock())
        for p, q in zip(block.parameters(), plain.parameters()):
            p.data.copy_(q.detach().to_global(p.placement, flow.sbp.broadcast).to_global(sbp=p.sbp))
        x = flow.tensor(numpy.random.default_rng(rank).standard_normal((2, 3, 32)).astype(numpy.float32))
        for one in (block, plain):
            (one(x) ** 2).mean().backward()
        return same(grads(block), grads(plain))

    assert on_ranks(2, f) == [True] * 2


def test_trained_is_used() -> None:
    """What test_ways.py runs on processes, here on ranks of one process."""
    expected, _ = trained(None, 3)
    found = flow.testing.simulate(2)(trained)("fully_shard", 3)
    numpy.testing.assert_allclose(numpy.mean([losses for losses, _ in found], axis=0), expected, atol=1e-5)

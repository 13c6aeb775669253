"""ZeroRedundancyOptimizer: bits of the plain optimizer, 1/n of its states, bytes on the wire. On simulated ranks."""

from __future__ import annotations

from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tests.consistent.test_data_parallel import on_ranks
from tritonflow import nn
from tritonflow.distributed import checkpoint
from tritonflow.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    InvalidArgumentError,
    LocalityError,
    NotYetImplementedError,
)
from tritonflow.nn.parallel import DistributedDataParallel, Join
from tritonflow.optim import ZeroRedundancyOptimizer

ROWS = numpy.random.default_rng(0).standard_normal((12, 6)).astype(numpy.float32)


class Odd(nn.Module):
    """Parameters of every kind: fewer rows than ranks, a scalar, a matrix that is uneven, half precision, one that is unused."""

    def __init__(self) -> None:
        super().__init__()
        for k, (name, shape) in enumerate({"a": (7, 6), "b": (7,), "c": (2, 7), "factor": (), "unused": (3, 2)}.items()):
            numbers = numpy.random.default_rng(k).standard_normal(shape).astype(numpy.float32)
            setattr(self, name, nn.Parameter(flow.tensor(numbers)))
        self.low = nn.Parameter(flow.tensor([0.5, 2.0], dtype=flow.bfloat16))

    def forward(self, x: Any) -> Any:
        x = (x @ self.a.t() + self.b).tanh() * self.factor
        return (x @ self.c.t()) * self.low.float()


def trained(rank: int, world: int, make: Any, steps: int = 3, accumulate: bool = False, **options: Any) -> list[Any]:
    """Weights after some steps of `make(parameters)`, with clipping and a schedule."""
    model = DistributedDataParallel(Odd(), bucket_cap_mb=1e-4, **options)
    optimizer = make(model.parameters())
    schedule = flow.optim.lr_scheduler.StepLR(optimizer, 1, 0.5)
    rows = ROWS[rank::world]
    for k in range(steps):
        optimizer.zero_grad()
        for part in range(1 + accumulate):
            (model(flow.tensor(rows[k + part : k + part + 2])) ** 2).mean().backward()
        flow.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        optimizer.step()
        schedule.step()
    return [p.float().numpy() for p in model.parameters()]


def zero(optimizer_class: Any, stage: int = 1, **options: Any) -> Any:
    return lambda params: ZeroRedundancyOptimizer(params, optimizer_class, stage=stage, **options)


OPTIMIZERS = [(flow.optim.AdamW, {"lr": 0.1}), (flow.optim.SGD, {"lr": 0.1, "momentum": 0.9}), (flow.optim.LAMB, {"lr": 0.1})]


@pytest.mark.parametrize("world", [1, 2, 4])
@pytest.mark.parametrize(("optimizer_class", "options"), OPTIMIZERS, ids=lambda value: getattr(value, "__name__", ""))
def test_weights_have_the_bits_of_the_plain_optimizer(world: int, optimizer_class: Any, options: dict[str, Any]) -> None:
    plain = on_ranks(world, lambda rank: trained(rank, world, lambda params: optimizer_class(params, **options)))
    found = on_ranks(world, lambda rank: trained(rank, world, zero(optimizer_class, **options)))
    for ours in found:
        assert all((a == b).all() for a, b in zip(ours, plain[0]))


@pytest.mark.parametrize("world", [1, 2, 4])
@pytest.mark.parametrize("accumulate", [False, True])
def test_stage_2(world: int, accumulate: bool) -> None:
    """The norm that clips is that of all rows, whose sum has another order. Accumulated averages are added, not averaged again."""
    plain = on_ranks(world, lambda rank: trained(rank, world, lambda p: flow.optim.AdamW(p, lr=0.1), accumulate=accumulate))
    found = on_ranks(world, lambda rank: trained(rank, world, zero(flow.optim.AdamW, 2, lr=0.1), accumulate=accumulate))
    for ours in found:
        for a, b, first in zip(ours, plain[0], found[0]):
            numpy.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-4 if accumulate else 1e-6)  # gradients in bfloat16
            assert (a == first).all()


def test_stage_2_has_the_bits_of_the_plain_optimizer() -> None:
    def f(rank: int, make: Any) -> list[Any]:
        model = DistributedDataParallel(Odd(), bucket_cap_mb=1e-4)
        optimizer = make(model.parameters())
        for k in range(3):
            optimizer.zero_grad()
            (model(flow.tensor(ROWS[rank::3][k : k + 2])) ** 2).mean().backward()
            optimizer.step()
        return [p.float().numpy() for p in model.parameters()]

    plain = on_ranks(3, lambda rank: f(rank, lambda params: flow.optim.AdamW(params, lr=0.1)))
    found = on_ranks(3, lambda rank: f(rank, zero(flow.optim.AdamW, 2, lr=0.1)))
    assert all((a == b).all() for ours in found for a, b in zip(ours, plain[0]))


def big() -> Any:
    return nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 64))


def nbytes(x: Any) -> int:
    return int(x.meta.local.nbytes)


@pytest.mark.parametrize("stage", [1, 2])
def test_memory_is_that_of_the_formula(stage: int) -> None:
    """1/n of the states, and with stage 2 of the gradients; and 10 %."""

    def f(rank: int) -> Any:
        model = DistributedDataParallel(big())
        optimizer = zero(flow.optim.AdamW, stage)(model.parameters())
        model(flow.ones(2, 64)).sum().backward()
        gradients = sum(nbytes(p.grad) for p in model.parameters())
        optimizer.step()
        states = sum(nbytes(x) for state in optimizer.optim.state.values() for x in state.values() if x.ndim)
        return states, gradients, sum(nbytes(p) for p in model.parameters())

    for states, gradients, weights in on_ranks(4, f):
        assert states <= 1.1 * 2 * weights / 4
        assert gradients <= (weights if stage == 1 else 1.1 * weights / 4)


@pytest.mark.parametrize("n", [2, 4])
@pytest.mark.parametrize("stage", [1, 2])
def test_bytes_of_a_step(sent: Counter[int], n: int, stage: int) -> None:
    """Stage 1 averages whole gradients and gathers weights; with stage 2 rows of gradients go to their ranks."""

    def f(rank: int) -> Any:
        model = DistributedDataParallel(nn.Sequential(nn.Linear(512, 512), nn.Linear(512, 512)))
        optimizer = zero(flow.optim.SGD, stage, lr=0.1)(model.parameters())
        before = sent[rank]
        model(flow.ones(2, 512)).sum().backward()
        optimizer.step()
        return sent[rank] - before, sum(nbytes(p) for p in model.parameters())

    for found, weights in on_ranks(n, f):
        assert found <= 1.02 * (4 - stage) * (n - 1) / n * weights


def test_muon_deals_whole_matrices() -> None:
    """Each belongs to one rank, the largest ones first."""

    def f(rank: int, make: Any) -> Any:
        flow.manual_seed(0)
        model = DistributedDataParallel(nn.Sequential(nn.Linear(6, 8, bias=False), nn.Linear(8, 4, bias=False), nn.Linear(4, 3, bias=False)))
        optimizer = make(model.parameters())
        for k in range(2):
            optimizer.zero_grad()
            (model(flow.tensor(ROWS[rank::2][k : k + 2])) ** 2).mean().backward()
            optimizer.step()
        owned = [list(p.shape) for p in getattr(optimizer, "optim", optimizer).state]
        return [p.numpy() for p in model.parameters()], owned

    plain = on_ranks(2, lambda rank: f(rank, lambda params: flow.optim.Muon(params, lr=0.1)))
    found = on_ranks(2, lambda rank: f(rank, zero(flow.optim.Muon, lr=0.1)))
    assert [owned for _, owned in found] == [[[8, 6]], [[4, 8], [3, 4]]]
    for ours, _ in found:
        assert all((a == b).all() for a, b in zip(ours, plain[0][0]))


def test_groups_have_their_options() -> None:
    def f(rank: int) -> Any:
        model = DistributedDataParallel(nn.Linear(6, 4))
        groups = [{"params": [model.weight], "weight_decay": 0.5}, {"params": model.bias, "lr": 1.0}]
        optimizer = ZeroRedundancyOptimizer(groups, flow.optim.SGD, lr=0.0)
        before = model.weight.numpy().copy(), model.bias.numpy().copy()
        model(flow.ones(1, 6)).sum().backward()
        optimizer.step()
        assert (model.weight.numpy() == before[0]).all() and (model.bias.numpy() == before[1] - 1).all()
        optimizer.param_groups[0]["lr"] = 1.0
        optimizer.step()
        return numpy.abs(model.weight.numpy() - (before[0] * 0.5 - 1)).max()

    assert max(on_ranks(2, f)) < 1e-6


def test_states_are_saved_and_loaded() -> None:
    """As a plain optimizer's, into one, and from one."""

    def f(rank: int) -> Any:
        def make(is_zero: bool) -> Any:
            model = DistributedDataParallel(Odd())
            return model, (zero(flow.optim.AdamW, lr=0.1) if is_zero else lambda p: flow.optim.AdamW(p, lr=0.1))(model.parameters())

        def step(model: Any, optimizer: Any) -> Any:
            optimizer.zero_grad()
            (model(flow.tensor(ROWS[rank::2])) ** 2).mean().backward()
            optimizer.step()
            return [p.float().numpy() for p in model.parameters()]

        pairs = make(False), make(True), make(True), make(False)
        expected = [step(*pairs[0]), step(*pairs[0])]
        step(*pairs[1])
        state = pairs[1][1].state_dict()
        assert state["state"][0]["exp_avg"].sbp == (flow.sbp.split(0),) and list(state["state"][0]["exp_avg"].shape) == [7, 6]
        whole = {k: {name: x.full() if x.is_global else x for name, x in v.items()} for k, v in state["state"].items()}
        for model, optimizer in pairs[2:]:
            model.load_state_dict(pairs[1][0].state_dict())
            optimizer.load_state_dict({**state, "state": whole})
            assert all((a == b).all() for a, b in zip(step(model, optimizer), expected[1]))

    on_ranks(2, f)


def test_states_of_whole_matrices_are_saved_and_loaded(tmp_path: Path) -> None:
    """On as many ranks, on fewer, from and into a plain optimizer, and as a checkpoint: the next steps have the same bits."""

    def made(is_zero: bool) -> Any:
        flow.manual_seed(0)
        layers = [nn.Linear(6, 8, bias=False), nn.Linear(8, 5, bias=False), nn.Linear(5, 3, bias=False)]
        model = DistributedDataParallel(nn.Sequential(*layers))
        options = {"lr": 0.1, "momentum": 0.9}
        groups = [{"params": [layers[0].weight]}, {"params": [layer.weight for layer in layers[1:]], "lr": 0.05}]
        if is_zero:
            return model, ZeroRedundancyOptimizer(groups, flow.optim.Muon, **options)
        return model, flow.optim.Muon(groups, **options)

    def step(model: Any, optimizer: Any) -> Any:  # the same batch on all ranks, so that their number is no matter
        optimizer.zero_grad()
        (model(flow.tensor(ROWS)) ** 2).mean().backward()
        optimizer.step()
        return [p.numpy() for p in model.parameters()]

    def whole(state: Any) -> Any:
        states = {k: {name: x.full() if x.is_global else x for name, x in v.items()} for k, v in state["state"].items()}
        return {**state, "state": states}

    def save(rank: int) -> Any:
        (model, optimizer), (twin, plain) = made(True), made(False)
        for _ in range(2):
            step(model, optimizer), step(twin, plain)
        state = optimizer.state_dict()
        momentum = state["state"][1]["momentum_buffer"]
        assert momentum.sbp == (flow.sbp.split(0),) and list(momentum.shape) == [5, 8]
        assert sorted(state["state"]) == [0, 1, 2] and [group["params"] for group in state["param_groups"]] == [[0], [1, 2]]
        checkpoint.save({"model": model.state_dict(), "optimizer": state}, checkpoint_id=str(tmp_path / "saved"))
        numbers = {k: {name: x.numpy() for name, x in v.items()} for k, v in whole(state)["state"].items()}
        weights = [p.numpy().copy() for p in model.parameters()]
        return numbers, weights, step(model, optimizer), step(twin, plain)

    numbers, weights, after, of_plain = on_ranks(3, save)[0]

    def load(rank: int, way: str) -> Any:
        model, optimizer = made(way != "plain")
        with flow.no_grad():
            for p, x in zip(model.parameters(), weights):
                p.copy_(flow.tensor(x))
        state = {k: {name: flow.tensor(x) for name, x in v.items()} for k, v in numbers.items()}
        if way == "checkpoint":
            other = made(True)
            step(*other)
            state = other[1].state_dict()
            checkpoint.load({"model": other[0].state_dict(), "optimizer": state}, checkpoint_id=str(tmp_path / "saved"))
            optimizer.load_state_dict(state)
        else:
            optimizer.load_state_dict({**optimizer.state_dict(), "state": state})
        return step(model, optimizer)

    for ranks in (1, 2, 3):
        for way in ("zero", "plain", "checkpoint"):
            for found in on_ranks(ranks, partial(load, way=way)):
                for ours, theirs, theirs_plain in zip(found, after, of_plain):
                    numpy.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-7, err_msg=f"{way} on {ranks}")
                    assert (theirs == theirs_plain).all()

    def refused(rank: int) -> None:
        _, optimizer = made(True)
        with pytest.raises(ValueError, match="parameter groups of other sizes"):
            optimizer.load_state_dict({"state": {}, "param_groups": [{"params": [0, 1, 2]}]})

    on_ranks(2, refused)


def test_ranks_without_inputs() -> None:
    def f(rank: int) -> Any:
        model = DistributedDataParallel(Odd())
        optimizer = zero(flow.optim.AdamW, 2, lr=0.1)(model.parameters())
        with Join([model, optimizer]):
            for k in range(1 + 2 * rank):
                optimizer.zero_grad()
                (model(flow.tensor(ROWS[k : k + 2])) ** 2).mean().backward()
                optimizer.step()
        return [p.float().numpy() for p in model.parameters()]

    first, second = on_ranks(2, f)
    assert all((a == b).all() for a, b in zip(first, second))


def test_wrong_calls() -> None:
    def f(rank: int) -> None:
        with pytest.raises(InvalidArgumentError, match="nobody averages the gradient of a parameter .*DistributedDataParallel"):
            ZeroRedundancyOptimizer(nn.Linear(2, 2).parameters(), flow.optim.SGD, lr=0.1)
        model = DistributedDataParallel(nn.Linear(2, 2))
        with pytest.raises(ArgumentValueError, match="expected stage 1 or 2, got 3"):
            ZeroRedundancyOptimizer(model.parameters(), flow.optim.SGD, stage=3, lr=0.1)
        with pytest.raises(ArgumentTypeError, match="argument 'optimizer_class' must be a class"):
            ZeroRedundancyOptimizer(model.parameters(), flow.optim.SGD(model.parameters(), lr=0.1))
        with pytest.raises(InvalidArgumentError, match="but Muon needs whole ones"):
            ZeroRedundancyOptimizer([model.weight], flow.optim.Muon, stage=2)
        with pytest.raises(InvalidArgumentError, match=r"averaged over ranks \[0, 1\], but ranks \["):
            ZeroRedundancyOptimizer(model.parameters(), flow.optim.SGD, [rank], lr=0.1)
        with pytest.raises(InvalidArgumentError, match="wants all parameters of a DistributedDataParallel"):
            ZeroRedundancyOptimizer([model.weight], flow.optim.SGD, stage=2, lr=0.1)
        with pytest.raises(NotYetImplementedError, match="overlap_with_ddp=True is not supported; help: stage=2"):
            ZeroRedundancyOptimizer(model.parameters(), flow.optim.SGD, overlap_with_ddp=True, lr=0.1)
        optimizer = ZeroRedundancyOptimizer(model.parameters(), flow.optim.SGD, lr=0.1)
        with pytest.raises(NotYetImplementedError, match="add_param_group is not supported"):
            optimizer.add_param_group({"params": []})
        whole = nn.Linear(2, 2).to_global(placement=flow.placement.all("cpu"), sbp=flow.sbp.broadcast)
        with pytest.raises(LocalityError):
            ZeroRedundancyOptimizer(whole.parameters(), flow.optim.SGD, lr=0.1)
        viewed = DistributedDataParallel(nn.Linear(2, 2), gradient_as_bucket_view=True)
        with pytest.raises(InvalidArgumentError, match="without a hook and without gradient_as_bucket_view"):
            ZeroRedundancyOptimizer(viewed.parameters(), flow.optim.SGD, stage=2, lr=0.1)

    on_ranks(2, f)

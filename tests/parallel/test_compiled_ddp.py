"""DistributedDataParallel in compiled functions that leave the backward to their caller: what eager mode leaves, on each rank."""

from __future__ import annotations

import gc
import warnings
import weakref
from collections.abc import Iterator
from contextlib import nullcontext
from functools import partial
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tests.consistent.pool import Pool
from tests.consistent.test_data_parallel import on_ranks
from tritonflow import nn
from tritonflow.errors import AutogradError
from tritonflow.nn.parallel import DistributedDataParallel
from tritonflow.optim import ZeroRedundancyOptimizer
from tritonflow.wire.world import this_rank

ROWS = numpy.random.default_rng(0).standard_normal((24, 8)).astype(numpy.float32)


class Net(nn.Module):
    """A layer that only some calls use, a frozen one, one that is used twice, and a normalisation, maybe."""

    def __init__(self, normalised: bool = True) -> None:
        super().__init__()
        flow.manual_seed(this_rank().index)
        self.first = nn.Linear(8, 8)
        self.norm = nn.BatchNorm1d(8) if normalised else nn.Identity()
        self.frozen = nn.Linear(8, 8).requires_grad_(False)
        self.last = nn.Linear(8, 3)
        self.other = nn.Linear(8, 3)

    def forward(self, x: Any, uses_other: bool = False) -> Any:
        x = self.first(self.norm(self.first(x)).relu())
        return (self.other if uses_other else self.last)(self.frozen(x))


def loss_of(model: Any, x: Any, uses_other: bool = False) -> Any:
    return model(x, uses_other).pow(2).mean()


WAYS = ["loss", "wrapper", "module"]


def wrapped(way: str, **options: Any) -> tuple[Any, Any]:
    """The model, and a function that gives its loss: eager, a compiled loss, a compiled wrapper, or a compiled module in one."""
    net = Net(options.pop("normalised", True))
    if way == "module":
        model = DistributedDataParallel(flow.compile(net, fullgraph=True), **options)
        return model, lambda *inputs: loss_of(model, *inputs)
    model = DistributedDataParallel(net, **options)
    if way == "wrapper":
        compiled = flow.compile(model, fullgraph=True)
        return model, lambda *inputs: loss_of(compiled, *inputs)
    if way == "loss":
        return model, flow.compile(lambda *inputs: loss_of(model, *inputs), fullgraph=True)
    return model, lambda *inputs: loss_of(model, *inputs)


def left(model: Any) -> list[Any]:
    """The parameters, their gradients and the buffers."""
    found = [*model.parameters(), *[p.grad for p in model.parameters() if p.grad is not None], *model.buffers()]
    return [t.detach().numpy().copy() for t in found]


@pytest.fixture(autouse=True)
def _no_fusion(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    from tests.consistent.graph_programs import PLAIN
    from tritonflow.graph.api.config import GraphConfig

    init = GraphConfig.__init__

    def plain(self: Any, *args: Any, **kwargs: Any) -> None:
        init(self, *args, **kwargs)
        self.without |= PLAIN

    monkeypatch.setattr(GraphConfig, "__init__", plain)
    yield


def trained(way: str, **options: Any) -> list[Any]:
    """What some steps leave: accumulation in `no_sync`, parameters that one rank alone uses, in evaluation too."""
    model, loss = wrapped(way, **options)
    optimizer = flow.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    me, found = this_rank().index, []
    for step in range(4):
        optimizer.zero_grad(set_to_none=step % 2 == 0)
        rows = flow.tensor(ROWS[5 * step + me : 5 * step + me + 4])
        for k in range(3):
            with model.no_sync() if k < 2 else nullcontext():
                loss(rows + k, step == 2 and me == 0).backward()
        found += left(model)
        optimizer.step()
        model.eval()
        with flow.no_grad():
            found.append(loss(rows).numpy())
        model.train()
    return found + left(model)


def compared(size: int, function: Any, *ways: Any, **options: Any) -> None:
    """`function` leaves the same on each rank in each way, bit for bit."""
    first, *others = (on_ranks(size, partial(_called, function, way, **options)) for way in ways)
    for found in others:
        for a, b in zip(first, found):
            assert are_equal(a, b)


def _called(function: Any, way: Any, rank: int, **options: Any) -> Any:
    return function(way, **options)


def are_equal(a: list[Any], b: list[Any]) -> bool:
    return len(a) == len(b) and all((x == y).all() for x, y in zip(a, b))


OPTIONS: dict[str, Any] = {
    "buffers": {},
    "views": {"gradient_as_bucket_view": True, "find_unused_parameters": True},
    "each": {"bucket_size": 1, "broadcast_buffers": False, "static_graph": True},
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("size", [1, 2, 3])
def test_what_eager_mode_leaves(size: int, options: str, way: str) -> None:
    """Parameters, gradients, buffers and losses, bit for bit."""
    compared(size, trained, "eager", way, **OPTIONS[options])


def test_a_loss_is_captured_once() -> None:
    """With and without averages, and in evaluation; later steps find their programs."""

    def f(rank: int) -> int:
        model = DistributedDataParallel(Net())
        loss = flow.compile(lambda x: loss_of(model, x), fullgraph=True)
        for _ in range(4):
            with model.no_sync():
                loss(flow.tensor(ROWS[:4])).backward()
            loss(flow.tensor(ROWS[4:8])).backward()
        return len(loss.captures())

    assert on_ranks(2, f) == [2, 2]


def test_a_rank_captures_alone() -> None:
    """Batches of other sizes on some ranks: the whole step, whose program averages, and the loss, whose program moves buffers."""

    def f(kind: str) -> list[Any]:
        model, rank = DistributedDataParallel(Net()), this_rank().index
        optimizer = flow.optim.SGD(model.parameters(), lr=0.1)

        def step(x: Any) -> Any:
            optimizer.zero_grad()
            loss = loss_of(model, x)
            loss.backward()
            optimizer.step()
            return loss

        def compiled(function: Any) -> Any:
            return function if kind == "eager" else flow.compile(function, fullgraph=True)

        if kind == "step":
            run = compiled(step)
        else:
            loss_alone = compiled(lambda x: loss_of(model, x))

            def run(x: Any) -> Any:
                optimizer.zero_grad()
                loss = loss_alone(x)
                loss.backward()
                optimizer.step()
                return loss

        found = [run(flow.tensor(ROWS[: 3 + k * rank])).detach().numpy() for k in range(6)]
        return found + left(model)

    compared(3, f, "eager", "loss", "step")


# ------------------------------------------------------------------------------------------------ when a backward averages


class Scale(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.a = nn.Parameter(flow.ones(1))

    def forward(self, x: Any) -> Any:
        return self.a * x


def test_only_a_backward_that_comes_by_the_model() -> None:
    """Of two results one is computed of the parameter itself."""

    def f(rank: int) -> Any:
        model, other = DistributedDataParallel(Scale()), DistributedDataParallel(Scale())

        @flow.compile(fullgraph=True)
        def both(x: Any) -> Any:
            return model(x), model.a * x, other(model(x))

        x, found = flow.tensor([rank + 1.0]), []
        for which in ([0], [1], [0, 1], [2], [1, 2]):
            model.zero_grad()
            other.zero_grad()
            results = both(x)
            sum([results[k] for k in which]).sum().backward()
            found.append((model.a.grad.item(), None if other.a.grad is None else other.a.grad.item()))
        (gradient,) = flow.autograd.grad(both(x)[0], [model.a])
        with pytest.raises(AutogradError, match="cannot be differentiated again"):
            both(x)[0].sum().backward(create_graph=True)
        return found, gradient.item()

    first = [(1.5, None), (1.0, None), (3.0, None), (1.5, 1.5), (3.0, 1.5)]
    second = [(1.5, None), (2.0, None), (3.0, None), (1.5, 1.5), (3.0, 1.5)]
    assert on_ranks(2, f) == [(first, 1.0), (second, 2.0)]


def test_one_backward_inside_and_one_outside() -> None:
    def f(rank: int) -> Any:
        model = DistributedDataParallel(Scale())

        @flow.compile(fullgraph=True)
        def run(x: Any) -> Any:
            first, second = model(x).sum(), model(x * 10).sum()
            first.backward()
            return second

        run(flow.tensor([rank + 1.0])).backward()
        return model.a.grad.item()

    assert on_ranks(2, f) == [1.5 + 15.0] * 2


def test_two_forwards_before_their_backwards() -> None:
    """The backward of a normalisation in evaluation reads its buffers, which the second forward takes from the first rank."""

    def f(compiles: bool) -> Any:
        model = DistributedDataParallel(Net()).eval()
        loss: Any = partial(loss_of, model)
        loss = flow.compile(loss) if compiles else loss
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for k in range(3):
                x = flow.tensor(ROWS[k : k + 4])
                (loss(x) + loss(x + this_rank().index)).backward()
                loss(x).backward()
        if compiles:
            assert len(loss.captures()) == 1, "that of the first call, which no other call can use"
        return left(model)

    compared(2, f, False, True)


def by_sum(calls: Any, bucket: Any) -> Any:
    calls.append(bucket.index())
    return flow.comm.all_reduce(bucket.buffer()) / this_rank().world_size


@pytest.mark.parametrize("way", ["loss", "wrapper"])
def test_hooks_are_called_in_each_backward(way: str) -> None:
    def f(rank: int) -> Any:
        found = []
        for each in ("eager", way):
            model, loss = wrapped(each, bucket_size=2)
            calls: list[int] = []
            model.register_comm_hook(calls, by_sum)
            model.last.weight.register_hook(lambda g: g * 2)
            for k in range(3):
                loss(flow.tensor(ROWS[k + rank : k + rank + 4])).backward()
            assert calls == [0, 1, 2, 3] * 3
            found.append(left(model))
        return are_equal(*found)

    assert all(on_ranks(2, f))


@pytest.mark.parametrize("way", ["loss", "wrapper"])
def test_uneven_inputs(way: str) -> None:
    def f(each: str) -> Any:
        rank = this_rank().index
        model, loss = wrapped(each, normalised=False, bucket_size=2)
        optimizer = flow.optim.SGD(model.parameters(), lr=0.1)
        with model.join():
            for k in range(1 + 2 * rank):
                optimizer.zero_grad()
                loss(flow.tensor(ROWS[k : k + 3 + rank])).backward()
                optimizer.step()
        return left(model)

    compared(3, f, "eager", way)


@pytest.mark.parametrize("stage", [1, 2])
def test_with_a_sharded_optimizer_and_a_scaler(stage: int) -> None:
    def f(way: str) -> Any:
        rank = this_rank().index
        model, loss = wrapped(way, bucket_size=3)
        optimizer = ZeroRedundancyOptimizer(model.parameters(), flow.optim.AdamW, stage=stage, lr=0.1)
        scaler = flow.amp.GradScaler("cpu")
        for k in range(3):
            optimizer.zero_grad()
            scaler.scale(loss(flow.tensor(ROWS[k + rank : k + rank + 4]))).backward()
            scaler.step(optimizer)
            scaler.update()
        return left(model)

    compared(2, f, "eager", "loss")


def test_a_program_does_not_keep_the_wrapper_alive() -> None:
    class Trainer:
        def __init__(self) -> None:
            self.model = DistributedDataParallel(Net())

        @flow.compile(fullgraph=True)
        def loss(self, x: Any) -> Any:
            return loss_of(self.model, x)

    trainer = Trainer()
    loss = trainer.loss(flow.tensor(ROWS[:4]))
    reference = weakref.ref(trainer.model)
    del trainer
    assert reference() is not None, "the backward is to come"
    loss.backward()
    del loss
    gc.collect()
    assert reference() is None


def trained_on_gloo(way: str) -> list[Any]:
    return trained(way)


@pytest.mark.parametrize("way", WAYS)
def test_on_ranks(ranks: Pool, way: str) -> None:
    for a, b in zip(ranks.run(trained_on_gloo, "eager"), ranks.run(trained_on_gloo, way)):
        for x, y in zip(a, b):
            numpy.testing.assert_allclose(x, y, rtol=1e-4, atol=1e-5)

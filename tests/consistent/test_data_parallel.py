"""DistributedDataParallel: the numbers of one process with the whole batch, on simulated ranks and on processes."""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Callable
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tests.consistent.pool import Pool
from tritonflow import nn
from tritonflow.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    AutogradError,
    LocalityError,
)
from tritonflow.nn.parallel import DistributedDataParallel
from tritonflow.nn.parallel.buckets import buckets_of
from tritonflow.wire.world import this_rank

BATCH = numpy.linspace(-1, 1, 8 * 3, dtype=numpy.float32).reshape(8, 3)
ALL = {"bucket_size": None}
ONE_EACH = {"bucket_size": 1}
TINY = {"bucket_cap_mb": 1e-5}


class Net(nn.Module):
    """Two layers; the weights depend on `seed`."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__()
        flow.manual_seed(seed)
        self.first = nn.Linear(3, 4)
        self.second = nn.Linear(4, 2)

    def forward(self, x: Any) -> Any:
        return self.second(self.first(x).relu())


class Scale(nn.Module):
    """x times some of the weights, which are 2, 3 and 5."""

    def __init__(self) -> None:
        super().__init__()
        for name, value in (("a", 2.0), ("b", 3.0), ("c", 5.0)):
            setattr(self, name, nn.Parameter(flow.tensor([value])))

    def forward(self, x: Any, names: str) -> Any:
        for name in names:
            x = x * getattr(self, name)
        return x


def on_ranks(world: int, function: Callable[..., Any]) -> list[Any]:
    """What `function(rank)` returns on each of so many ranks."""
    return flow.testing.simulate(world)(lambda: function(this_rank().index))()


def grads(module: Any) -> list[Any]:
    return [None if p.grad is None else p.grad.numpy().tolist() for p in module.parameters()]


def train(options: dict[str, Any] | None) -> list[Any]:
    """Three steps on this rank's part of the batch, or in one process on all of it; the parameters."""
    world, rank = (1, 0) if options is None else (this_rank().world_size, this_rank().index)
    model: Any = Net(rank)
    if options is not None:
        model = DistributedDataParallel(model, **options)
    optimizer = flow.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    x = flow.tensor(BATCH[rank * len(BATCH) // world : (rank + 1) * len(BATCH) // world])
    for _ in range(3):
        optimizer.zero_grad()
        (model(x) ** 2).mean().backward()
        optimizer.step()
    return [p.numpy() for p in model.parameters()]


def check_training(found: list[list[Any]]) -> None:
    """All ranks have the same bits, and one process's numbers."""
    expected = train(None)
    for rank in found:
        for ours, theirs, first in zip(rank, expected, found[0]):
            numpy.testing.assert_allclose(ours, theirs, rtol=2e-6, atol=1e-7)
            assert (ours == first).all()


@pytest.mark.parametrize("options", [ALL, ONE_EACH, TINY, {"use_bucket": False}], ids=["all", "one each", "tiny", "without"])
def test_training_is_that_of_one_process_with_the_whole_batch(options: dict[str, Any]) -> None:
    check_training(flow.testing.simulate(2)(train)(options))


def test_training_on_processes(ranks2: Pool) -> None:
    check_training(ranks2.run(train, {"bucket_size": 2}))


def test_buckets_are_of_one_dtype_and_within_both_limits() -> None:
    a, b, c = flow.ones(4), flow.ones(2, dtype=flow.float64), flow.ones(3)
    assert buckets_of([a, b, c], 100, 10) == [[a, c], [b]]
    assert buckets_of([a, c], 27, 10) == [[a], [c]]
    assert buckets_of([a, c], 100, 1) == [[a], [c]]
    assert buckets_of([a], 1, 10) == [[a]], "larger than a bucket"


def test_several_dtypes() -> None:
    def f(rank: int) -> Any:
        module = Scale()
        module.b = nn.Parameter(flow.tensor([3.0], dtype=flow.float64))
        model = DistributedDataParallel(module)
        model(flow.tensor([rank + 1.0]), "abc").sum().backward()
        return grads(model)

    assert on_ranks(2, f) == [[[1.5 * 15], [1.5 * 10], [1.5 * 6]]] * 2


@pytest.mark.parametrize("options", [ALL, ONE_EACH], ids=["all", "one each"])
def test_ranks_may_use_other_parameters_in_another_order(options: dict[str, Any]) -> None:
    """What a rank has not used counts with zeros; what no rank has used gets zeros."""

    def f(rank: int) -> Any:
        model = DistributedDataParallel(Scale(), **options)
        model(flow.tensor([rank + 1.0]), "ab" if rank == 0 else "a").sum().backward()
        first = grads(model)
        model.zero_grad()
        model(flow.tensor([rank + 1.0]), "abc" if rank == 0 else "cba").sum().backward()
        return first, grads(model)

    assert on_ranks(2, f) == [([[(3 + 2) / 2], [2 / 2], [0.0]], [[22.5], [15.0], [9.0]])] * 2


def test_buckets_go_while_backward_goes_on() -> None:
    """When the gradient of `a` is there, those of `b` and `c` have been averaged already."""

    def f(rank: int) -> Any:
        model, seen = DistributedDataParallel(Scale(), bucket_size=1), []
        model.a.register_hook(lambda grad: seen.extend(grads(model)))
        model(flow.tensor([rank + 1.0]), "abc").sum().backward()
        return seen

    assert on_ranks(2, f) == [[None, [15.0], [9.0]]] * 2


def test_gradients_come_together_over_several_backwards() -> None:
    """Without `zero_grad`, and within `no_sync`, where they are added on each rank alone."""

    def f(rank: int) -> Any:
        x = flow.tensor([rank + 1.0])
        model = DistributedDataParallel(Scale())
        model(x, "ab").sum().backward()
        model(x, "ab").sum().backward()
        twice = grads(model)
        model.zero_grad()
        with model.no_sync():
            model(x, "ab").sum().backward()
        alone = grads(model)
        model(x, "ab").sum().backward()
        return twice, alone, grads(model)

    for rank, (twice, alone, both) in enumerate(on_ranks(2, f)):
        assert twice == [[9.0], [6.0], [0.0]]
        assert alone == [[3.0 * (rank + 1)], [2.0 * (rank + 1)], None]
        assert both == [[9.0], [6.0], [0.0]]


def test_two_forwards_and_a_penalty_before_one_backward() -> None:
    def f(rank: int) -> Any:
        model = DistributedDataParallel(Scale(), bucket_size=1)
        x = flow.tensor([rank + 1.0])
        (model(x, "a") + model(x, "ab") + model.module.c**2).sum().backward()
        return grads(model)

    assert on_ranks(2, f) == [[[1.5 + 4.5], [3.0], [10.0]]] * 2


def test_outputs_in_any_structure() -> None:
    """Those that require no grad stay as they are."""

    class Nested(Scale):
        def forward(self, x: Any, label: Any) -> Any:
            return {"loss": [x * self.a, (x * self.b, label)], "x": x, "n": 3}

    def f(rank: int) -> Any:
        model = DistributedDataParallel(Nested())
        x, label = flow.tensor([rank + 1.0]), flow.tensor([7])
        out = model(x, label)
        assert out["x"] is x and out["n"] == 3 and out["loss"][1][1] is label
        out["loss"][0].sum().backward()
        return grads(model)

    assert on_ranks(2, f) == [[[1.5], [0.0], [0.0]]] * 2


def test_buffers_are_those_of_rank_0() -> None:
    """Also of a module that has no parameters."""

    class Counter(nn.Module):
        def __init__(self, rank: int) -> None:
            super().__init__()
            self.register_buffer("count", flow.tensor([1, 2]) * (rank + 1))

        def forward(self, x: Any) -> Any:
            y = self.count + x
            self.count.copy_(x)
            return y

    def f(rank: int) -> Any:
        results = []
        for broadcast_buffers in (True, False):
            model = DistributedDataParallel(Counter(rank), broadcast_buffers=broadcast_buffers)
            x = flow.tensor([2, 3]) * (rank + 1)
            results += [model(x).tolist(), model(x).tolist()]
        return results

    assert on_ranks(2, f) == [
        [[3, 5], [4, 6], [3, 5], [4, 6]],
        [[5, 8], [6, 9], [6, 10], [8, 12]],
    ]


class Scaled(nn.Module):
    """x * weight * scale, a buffer that rank 0 changes between forwards."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(flow.tensor([1.0]))
        self.register_buffer("scale", flow.tensor([2.0]))

    def forward(self, x: Any) -> Any:
        return x * self.weight * self.scale


@pytest.mark.parametrize("first_syncs", [True, False])
def test_several_forwards_before_one_backward(first_syncs: bool) -> None:
    """Each is differentiated with the buffers that it has seen."""

    def f(rank: int) -> Any:
        model = DistributedDataParallel(Scaled())
        x, found = flow.tensor([rank + 1.0]), []
        for _ in range(2):
            model.module.scale.fill_(2.0)
            with contextlib.nullcontext() if first_syncs else model.no_sync():
                first = model(x)
            if rank == 0:
                model.module.scale = flow.tensor([10.0])
            (first + model(x)).sum().backward()
            found.append((model.module.weight.grad.item(), model.module.scale.item()))
        before = model.module.scale.data_ptr()
        model(x)  # no backward is to come: the buffer is written
        assert model.module.scale.data_ptr() == before
        return found

    assert on_ranks(2, f) == [[(18.0, 10.0), (36.0, 10.0)]] * 2


def test_batch_norm_in_several_forwards() -> None:
    def f(rank: int) -> Any:
        flow.manual_seed(0)
        results = []
        for wrap in (DistributedDataParallel, lambda module: module):
            layer = nn.BatchNorm1d(3)
            layer.eval()
            layer.running_var.fill_(4.0)
            model = wrap(layer)
            x = flow.tensor(BATCH)
            (model(x).sum() + (2 * model(x)).square().sum()).backward()
            results.append(layer.weight.grad.tolist())
        assert numpy.allclose(*results)

    on_ranks(2, f)


def test_a_backward_that_fails_leaves_the_next_one_alone() -> None:
    def f(rank: int) -> Any:
        model = DistributedDataParallel(Scale(), bucket_size=1)
        x = flow.tensor([rank + 1.0])

        def fail(grad: Any) -> None:
            raise ValueError("of the test")

        y = model.module.a * 1  # below the outputs: some parameters are ready before it fails
        y.register_hook(fail)
        with pytest.raises(ValueError, match="of the test"):
            (model(x, "c") + y).sum().backward()
        model.zero_grad()
        model.module.b.sum().backward()  # no output of the model: local
        alone = grads(model)
        model.zero_grad()
        model(x, "ab").sum().backward()
        return alone[1], grads(model)

    assert on_ranks(2, f) == [([1.0], [[4.5], [3.0], [0.0]])] * 2


def test_autograd_grad_is_local() -> None:
    def f(rank: int) -> Any:
        model = DistributedDataParallel(Scale())
        (grad,) = flow.autograd.grad(model(flow.tensor([rank + 1.0]), "ab").sum(), [model.a])
        return grad.tolist(), grads(model)

    assert on_ranks(2, f) == [([3.0], [None] * 3), ([6.0], [None] * 3)]


def test_the_wrapper_is_found_as_the_module() -> None:
    model = DistributedDataParallel(Net(), bucket_size=2)
    assert model.first is model.module.first
    assert list(model.state_dict()) == list(model.module.state_dict())
    model.load_state_dict(Net(1).state_dict())
    assert not hasattr(model, "third")
    model.eval()
    twin = copy.deepcopy(model)
    assert not twin.training and twin.first.weight is not model.first.weight
    twin(flow.tensor(BATCH)).sum().backward()
    assert grads(model) == [None] * 4 and None not in grads(twin)


def test_wrong_calls() -> None:
    with pytest.raises(ArgumentTypeError, match="argument 'module' must be Module, not list"):
        DistributedDataParallel([])
    with pytest.raises(ArgumentValueError, match="expected bucket_size > 0, got 0"):
        DistributedDataParallel(Net(), bucket_size=0)
    with pytest.raises(ArgumentTypeError, match="argument 'bucket_cap_mb' must be a number, not str"):
        DistributedDataParallel(Net(), bucket_cap_mb="25")
    placement = flow.placement.all("cpu")
    with pytest.raises(LocalityError):
        DistributedDataParallel(Net().to_global(placement=placement, sbp=flow.sbp.broadcast))
    model = DistributedDataParallel(Net())
    with pytest.raises(AutogradError, match=r"backward\(create_graph=True\) is not supported"):
        model(flow.tensor(BATCH)).sum().backward(create_graph=True)

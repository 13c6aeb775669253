"""Folding: a program computes once what depends on parameters alone, and anew after any write to one of these."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy
import pytest
import torch

import tritonflow as flow
from tritonflow.graph.plan.executable import Executable
from tritonflow.testing import assert_close

nn = flow.nn


class Net(nn.Module):
    """A convolution with a folded layout, a batch norm with a folded scale, a weight that is cast, and one that is computed."""

    def __init__(self) -> None:
        super().__init__()
        self.conv, self.norm = nn.Conv2d(16, 8, 3, padding=1), nn.BatchNorm2d(8)
        self.head, self.gain = nn.Linear(8, 4), nn.Parameter(flow.ones(4))

    def forward(self, x: flow.Tensor) -> flow.Tensor:
        y = flow.relu(self.norm(self.conv(x))).mean((2, 3))
        return self.head(y) * flow.exp(self.gain)


def fresh(seed: int = 0) -> Net:
    flow.manual_seed(seed)
    net = Net().eval()
    with flow.no_grad():
        net.norm.running_mean.copy_(flow.randn(8))
        net.norm.running_var.copy_(flow.rand(8) + 0.5)
    return net


def images(seed: int = 1) -> flow.Tensor:
    return flow.from_numpy(numpy.random.default_rng(seed).standard_normal((2, 16, 6, 6), dtype=numpy.float32))


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Of each run of a program with folded values whether it has left out their launches."""
    found: list[bool] = []
    execute = Executable.execute

    def noted(self: Executable, live: list[Any], versions: list[int] | None = None) -> None:
        if self.folds is not None:
            found.append(versions is not None and versions == self.folds.filled)
        execute(self, live, versions)

    monkeypatch.setattr(Executable, "execute", noted)
    return found


def test_a_later_run_leaves_out_what_depends_on_parameters_alone(runs: list[bool]) -> None:
    net, x = fresh(), images()
    compiled = flow.compile(net)
    with flow.no_grad():
        expected = net(x)
        for _ in range(3):
            assert_close(compiled(x), expected, op_class="matmul")
        assert runs == [False, True, True]
        assert_close(compiled(images(2)), net(images(2)), op_class="matmul")
    totals = compiled.explain().after
    assert totals.folded_launches >= 3  # the weight by taps, the scale, exp(gain)
    assert totals.folded_bytes >= 4 * 16 * 8 * 9 + 4 * 8 + 4 * 4
    assert "folded" in str(compiled.explain())


def test_an_nn_graph_in_evaluation_folds(runs: list[bool]) -> None:
    net, x = fresh(), images()

    class Run(nn.Graph):
        def __init__(self) -> None:
            super().__init__()
            self.net = net

        def build(self, x: flow.Tensor) -> flow.Tensor:
            return self.net(x)

    graph = Run()
    for number in range(3):
        with flow.no_grad():
            net.conv.weight.mul_(1.5)
            expected = net(x)
        for _ in range(2):
            assert_close(graph(x), expected, op_class="matmul")
        assert runs[2 * number :] == [False, True]


def step(net: Net, kind: Any, **options: Any) -> None:
    """A step of an optimizer in eager mode."""
    optimizer = kind(net.parameters(), lr=0.3, **options)
    net(images(5)).square().mean().backward()
    optimizer.step()


def compiled_step(net: Net) -> None:
    """A step in a program of its own."""
    optimizer = flow.optim.SGD(net.parameters(), lr=0.3)

    def train(x: flow.Tensor) -> flow.Tensor:
        optimizer.zero_grad()
        loss = net(x).square().mean()
        loss.backward()
        optimizer.step()
        return loss

    flow.compile(train)(images(5))


def batch_statistics(net: Net) -> None:
    """A forward pass in training, which moves the statistics."""
    net.train()
    net(images(7) * 3)
    net.eval()


def by_address(net: Net) -> None:
    """A write that nobody is told of, by an address."""
    import ctypes

    weight = net.conv.weight
    values = (ctypes.c_float * weight.numel()).from_address(weight.data_ptr())
    for k in range(len(values)):
        values[k] *= -2.0


def through_torch(net: Net) -> None:
    flow.to_torch(net.norm.running_var).mul_(9.0)


def through_dlpack(net: Net) -> None:
    torch.from_dlpack(net.conv.weight.detach()).mul_(-3.0)


def swapped_storage(net: Net) -> None:
    net.conv.weight.data = flow.randn(8, 16, 3, 3)


def set_storage(net: Net) -> None:
    net.norm.running_var.set_(flow.rand(8) + 2.0)


def no_grad_write(net: Net) -> None:
    with flow.no_grad():
        net.gain.add_(1.0)


def inference_write(net: Net) -> None:
    with flow.inference_mode():
        net.head.weight.mul_(-1.5)
        net.conv.weight.mul_(-1.5)


def out_write(net: Net) -> None:
    with flow.no_grad():
        flow.mul(net.conv.weight, -2.0, out=net.conv.weight)


def index_write(net: Net) -> None:
    net.conv.weight.data[3, :, 1] = 0.25
    net.norm.running_mean[flow.tensor([1, 2])] = 4.0


def view_write(net: Net) -> None:
    net.conv.weight.detach().view(-1)[5:400].mul_(-4.0)


def assigned(net: Net) -> None:
    net.load_state_dict(fresh(9).state_dict(), assign=True)


def vector(net: Net) -> None:
    nn.utils.vector_to_parameters(nn.utils.parameters_to_vector(net.parameters()) * -1.5, net.parameters())


def initialised(net: Net) -> None:
    with flow.no_grad():
        nn.init.normal_(net.conv.weight, std=2.0)
        nn.init.constant_(net.gain, -1.0)


ROADS: list[Callable[[Net], object]] = [
    lambda net: step(net, flow.optim.SGD), lambda net: step(net, flow.optim.AdamW), compiled_step, batch_statistics, by_address,
    lambda net: step(net, flow.optim.SGD, momentum=0.9), through_torch, through_dlpack, swapped_storage, set_storage, no_grad_write,
    inference_write, out_write, index_write, view_write, assigned, vector, initialised,
    lambda net: net.load_state_dict(fresh(3).state_dict()),
    lambda net: net.conv.weight.detach().numpy().__imul__(-2.0),
]  # fmt: skip


@pytest.mark.parametrize("write", ROADS, ids=[f"{k} {getattr(each, '__name__', '')}" for k, each in enumerate(ROADS)])
def test_no_write_leaves_a_stale_value(write: Callable[[Net], object]) -> None:
    net, x = fresh(), images()
    compiled = flow.compile(net)
    with flow.no_grad():
        for _ in range(2):
            before = compiled(x)
    for _ in range(2):
        write(net)
        with flow.no_grad():
            expected, found = net(x), [compiled(x), compiled(x)]
            assert not flow.allclose(before, expected), "the write changes the result"
            for each in found:
                assert_close(each, expected, op_class="matmul")


def test_memory_that_is_seen_from_outside_is_never_taken_as_unchanged() -> None:
    net, x = fresh(), images()
    array = numpy.full((8, 16, 3, 3), 0.01, numpy.float32)
    net.conv.weight = nn.Parameter(flow.from_numpy(array))
    compiled = flow.compile(net)
    with flow.no_grad():
        for scale in (1.0, -3.0, 2.0, 0.5):
            array *= scale
            assert_close(compiled(x), net(x), op_class="matmul")


def test_a_failed_run_leaves_no_half_filled_values() -> None:
    table, scale = flow.randn(5, 4), flow.randn(4)

    def look(index: flow.Tensor) -> flow.Tensor:
        return flow.nn.functional.embedding(index, table) * flow.exp(scale)

    compiled = flow.compile(look)
    with flow.no_grad():
        for _ in range(2):
            with pytest.raises(IndexError):
                compiled(flow.tensor([1, 9]))
            scale.mul_(-1.0)
            assert_close(compiled(flow.tensor([1, 2])), look(flow.tensor([1, 2])))


def test_what_the_program_writes_is_not_folded() -> None:
    counter, weight = flow.zeros(4), flow.ones(4)

    def count(x: flow.Tensor) -> flow.Tensor:
        counter.add_(1.0)
        return x * flow.exp(counter) + flow.exp(weight)

    compiled = flow.compile(count)
    with flow.no_grad():
        found = [compiled(flow.ones(4))[0].item() for _ in range(4)]
    expected = [float(numpy.exp(k) + numpy.exp(1)) for k in range(1, 5)]
    numpy.testing.assert_allclose(found, expected, rtol=1e-6)


def test_threads_that_run_while_another_writes_end_at_the_last_number() -> None:
    net, x = fresh(), images()
    compiled = flow.compile(net)
    with flow.no_grad():
        compiled(x)
    stop, failures = threading.Event(), list[BaseException]()

    def run() -> None:
        try:
            with flow.no_grad():
                while not stop.is_set():
                    compiled(x)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for _ in range(30):
        with flow.no_grad():
            net.conv.weight.mul_(-1.01)
            net.norm.running_var.mul_(1.01)
    stop.set()
    for thread in threads:
        thread.join()
    assert not failures
    with flow.no_grad():
        assert_close(compiled(x), net(x), op_class="matmul")


def test_training_folds_nothing(runs: list[bool]) -> None:
    net, x = fresh(), images()
    compiled = flow.compile(net)
    optimizer = flow.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(2):
        optimizer.zero_grad()
        compiled(x).square().mean().backward()
        optimizer.step()
    assert not runs


def test_half_weights_are_cast_once(runs: list[bool]) -> None:
    net, x = fresh(), images()
    compiled = flow.compile(net)
    with flow.no_grad(), flow.autocast("cpu", dtype=flow.bfloat16):
        expected = net(x)
        for _ in range(3):
            assert_close(compiled(x), expected, rtol=2e-2, atol=2e-2)
        net.head.weight.mul_(2.0)
        assert_close(compiled(x), net(x), rtol=2e-2, atol=2e-2)
    assert runs == [False, True, True, False]

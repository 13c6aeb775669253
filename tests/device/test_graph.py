"""Graphs on a GPU: one CUDA graph, whose launches get other arguments where those have changed. The GPU is a stand-in."""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Callable
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tests.device.fake_cuda import FakeCuda
from tritonflow.device.cuda import CudaProvider
from tritonflow.errors import CaptureError, DeviceError, DeviceMismatchError
from tritonflow.settings import settings


def net(device: str, generator: numpy.random.Generator) -> Any:
    model = flow.nn.Sequential(flow.nn.Linear(5, 7), flow.nn.ReLU(), flow.nn.Linear(7, 3))
    with flow.no_grad():
        for p in model.parameters():
            p.copy_(flow.tensor(generator.standard_normal(tuple(p.shape)), dtype=flow.float32))
    return model.to(device)


class Train(flow.nn.Graph):
    def __init__(self, model: Any, optimizer: Any) -> None:
        super().__init__()
        self.model = model
        self.add_optimizer(optimizer)

    def build(self, x: Any, target: Any) -> Any:
        loss = flow.nn.functional.cross_entropy(self.model(x), target)
        loss.backward()
        return loss


def data(device: str, generator: numpy.random.Generator) -> tuple[Any, Any]:
    x = flow.tensor(generator.standard_normal((8, 5)), dtype=flow.float32, device=device)
    return x, flow.tensor(generator.integers(0, 3, 8), device=device)


def losses(device: str, graph: bool, steps: int = 6) -> list[float]:
    """Of a training with other data, at other addresses, and another learning rate in each step."""
    generator = numpy.random.default_rng(3)
    model = net(device, generator)
    optimizer = flow.optim.Adam(model.parameters(), lr=0.1)
    step: Callable[..., Any]
    if graph:
        step = Train(model, optimizer)
    else:

        def step(x: Any, target: Any) -> Any:
            loss = flow.nn.functional.cross_entropy(model(x), target)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            return loss

    kept, found = [], []
    for number in range(steps):
        optimizer.param_groups[0]["lr"] = 0.1 / (number + 1)
        kept.append(data(device, generator))
        found.append(step(*kept[-1]).item())
    return found


def test_training(cuda: FakeCuda) -> None:
    """Forward, backward and Adam: the states, the tables of addresses and the workspaces stay, data and lr change."""
    assert numpy.allclose(losses("cuda", graph=True), losses("cpu", graph=False), rtol=1e-5)
    assert len(cuda.driver.called("launch")) == 6


def test_training_without_cuda_graphs(cuda: FakeCuda) -> None:
    with settings.override(cuda_graphs=False):
        assert numpy.allclose(losses("cuda", graph=True), losses("cpu", graph=False), rtol=1e-5)
    assert cuda.driver.called("launch") == []


def test_launches_are_changed_only_where_arguments_are(cuda: FakeCuda) -> None:
    """Two launches use x, one of them the output, too; the pool hands out the output's block again."""
    step = flow.compile(lambda x: flow.matmul(flow.matmul(x, x), x).sum())
    x, other = flow.ones(3, 3, device="cuda"), flow.full((3, 3), 2.0, device="cuda")
    counts, values = [], []
    for given in (x, x, other, other, x):
        before = len(cuda.driver.called("set"))
        values.append(step(given).item())
        counts.append(len(cuda.driver.called("set")) - before)
    assert values == [81.0, 81.0, 81.0 * 8, 81.0 * 8, 81.0]
    assert counts == [0, 0, 2, 0, 2]
    assert len(cuda.driver.called("launch")) == 5


def test_a_number_alone_changes_one_launch(cuda: FakeCuda) -> None:
    x, out = flow.ones(4, device="cuda"), flow.zeros(4, device="cuda")

    @flow.compile
    def scaled(factor: float) -> None:
        y = flow.relu(x).sum()
        out.copy_(flow.cos(x) * factor + y)

    scaled(2.0)
    before = len(cuda.driver.called("set"))
    scaled(2.0)
    assert len(cuda.driver.called("set")) == before
    scaled(-0.0)
    scaled(0.0)
    assert len(cuda.driver.called("set")) == before + 2
    assert out.tolist() == [4.0] * 4


@pytest.mark.parametrize("graphs", [True, False])
def test_a_zero_keeps_its_sign(cuda: FakeCuda, graphs: bool) -> None:
    """Of a number that each run is given, in a CUDA graph and in launches one by one."""
    x = flow.ones(2, device="cuda")
    scaled = flow.compile(lambda x, factor: 1.0 / (x * factor))
    with settings.override(cuda_graphs=graphs):
        assert [scaled(x, factor).tolist()[0] for factor in (2.0, 0.0, -0.0)] == [0.5, float("inf"), -float("inf")]


def test_random_numbers_are_fresh_and_eager_modes(cuda: FakeCuda) -> None:
    x = flow.ones(64, device="cuda")
    flow.manual_seed(5)
    expected = [flow.nn.functional.dropout(x, 0.5).tolist() for _ in range(3)]
    flow.manual_seed(5)
    dropped = flow.compile(lambda x: flow.nn.functional.dropout(x, 0.5))
    assert [dropped(x).tolist() for _ in range(3)] == expected
    assert expected[0] != expected[1]


def test_values_that_are_read_or_copied_are_guarded(cuda: FakeCuda) -> None:
    """A graph has the number that the host has read, and the copy of another device's tensor, while nobody writes to these."""
    scale, table, x = flow.ones(1, device="cuda"), flow.ones(2), flow.ones(2, device="cuda")
    step = flow.compile(lambda x: x * scale.item() + table.to("cuda"))
    for value in (1.0, 2.0, 3.0, 3.0):
        scale.fill_(value)
        assert step(x).tolist() == [value + 1] * 2
    for value in (2.0, 3.0):
        table.fill_(value)
        assert step(x).tolist() == [value + 3] * 2
    captures = len(step.captures())
    step(x)
    assert len(step.captures()) == captures, "nobody has written"


def test_two_executables_share_parameters(cuda: FakeCuda) -> None:
    generator = numpy.random.default_rng(0)
    model = net("cuda", generator)
    train = Train(model, flow.optim.SGD(model.parameters(), lr=0.1))
    evaluate = flow.compile(lambda x: model(x).relu())
    x, target = data("cuda", generator)
    for _ in range(3):
        before = evaluate(x).tolist()
        train(x, target)
        after = evaluate(x).tolist()
        assert after != before
        assert numpy.allclose(after, model(x).relu().tolist(), rtol=1e-5, atol=1e-6)
    assert len({executable for executable, _ in cuda.driver.called("launch")}) == 2


@pytest.mark.cuda
def test_training_on_a_gpu() -> None:
    """The same on a device: graph and eager mode, one CUDA graph and launches one by one; bad indices; another stream."""
    expected = losses("cuda", graph=False)
    assert numpy.allclose(losses("cuda", graph=True), expected, rtol=1e-4)
    with settings.override(cuda_graphs=False):
        assert numpy.allclose(losses("cuda", graph=True), expected, rtol=1e-4)
    pick = picked()
    pick([0, 7])
    with pytest.raises(IndexError):
        flow.cuda.synchronize()
    with flow.cuda.stream(flow.cuda.Stream()):
        assert pick([2, 0]).tolist() == [6.0, 2.0]
    assert pick([0, 1]).tolist() == [2.0, 4.0]


# -------------------------------------------------------------------------------------------------------- errors


def picked() -> Callable[[list[int]], Any]:
    x = flow.tensor([1.0, 2.0, 3.0], device="cuda")
    function = flow.compile(lambda index: flow.gather(x, 0, index) * 2.0)
    return lambda index: function(flow.tensor(index, dtype=flow.int64, device="cuda"))


def test_a_bad_index_is_told_at_the_next_synchronisation(cuda: FakeCuda) -> None:
    pick = picked()
    pick([0, 1])
    pick([0, 7])
    pick([2, 2])
    with pytest.raises(IndexError, match=r"issued at .*test_graph\.py:\d+, in <lambda>"):
        flow.cuda.synchronize()
    flow.cuda.synchronize()
    assert pick([2, 0]).tolist() == [6.0, 2.0]


def test_a_bad_index_is_told_when_the_result_is_read(cuda: FakeCuda) -> None:
    pick = picked()
    with pytest.raises(IndexError):
        pick([3, 0]).tolist()
    assert pick([1, 0]).tolist() == [4.0, 2.0]


def test_errors_of_two_executables_and_eager_ops(cuda: FakeCuda) -> None:
    """All that failed is forgotten by the synchronisation that tells of the first."""
    first, second = picked(), picked()
    first([9, 9])
    second([9, 9])
    with pytest.raises(IndexError):
        flow.sync()
    flow.sync()
    assert first([0]).tolist() == second([0]).tolist() == [2.0]


def test_a_division_by_zero(cuda: FakeCuda) -> None:
    divide = flow.compile(lambda x, y: flow.floor_divide(x, y))
    x = flow.tensor([4, 6], device="cuda")
    with pytest.raises(RuntimeError, match="(?i)zero"):
        divide(x, flow.tensor([0, 2], device="cuda")).tolist()
    assert divide(x, flow.tensor([2, 2], device="cuda")).tolist() == [2, 3]


def test_words_outlive_their_executable(cuda: FakeCuda) -> None:
    pick = picked()
    pick([5, 5])
    del pick
    gc.collect()
    with pytest.raises(IndexError):
        flow.sync()


def refuse(*arguments: Any) -> None:
    raise DeviceError("refused")


def test_after_a_refused_call(cuda: FakeCuda) -> None:
    """Arguments that did not get through are given again."""
    out = flow.zeros(2, device="cuda")
    step = flow.compile(lambda x: out.copy_(x * 2.0))
    xs = [flow.tensor([float(k), 1.0], device="cuda") for k in range(3)]
    step(xs[0])
    cuda.driver.fail = "instantiate"
    cuda.driver.set_kernel = refuse
    with pytest.raises(RuntimeError, match="instantiate failed"):
        step(xs[1])
    del cuda.driver.set_kernel
    cuda.driver.fail = None
    step(xs[1])
    assert out.tolist() == [2.0, 2.0]
    cuda.driver.fail = "launch"
    with pytest.raises(RuntimeError, match="launch failed"):
        step(xs[2])
    cuda.driver.fail = None
    step(xs[2])
    assert out.tolist() == [4.0, 2.0]


# ------------------------------------------------------------------------------------------- streams, devices, memory


def test_the_chosen_stream(cuda: FakeCuda) -> None:
    """It goes to the stream of the thread, behind what wrote its operands; the next run on another stream waits for it."""
    x = flow.ones(3, device="cuda")
    double = flow.compile(lambda x: flow.relu(x) * 2.0)
    assert double(x).tolist() == [2.0] * 3
    s = flow.cuda.Stream()
    with flow.cuda.stream(s):
        y = double(x)
    default = flow.cuda.default_stream().cuda_stream
    assert [stream for _, stream in cuda.driver.called("launch")] == [default, s.cuda_stream]
    before = len(cuda.log)
    double(x)
    assert [e[:2] for e in cuda.log[before:]] == [("record", s.cuda_stream), ("wait", default)]
    assert y.tolist() == [2.0] * 3


def test_the_second_device(cuda: FakeCuda) -> None:
    double = flow.compile(lambda x: x * 2.0)
    assert double(flow.ones(2, device="cuda:1")).tolist() == [2.0, 2.0]
    assert cuda.driver.devices == [1] and cuda.device == 0


def test_everything_goes_with_the_executable(cuda: FakeCuda) -> None:
    double = flow.compile(lambda x: flow.matmul(flow.relu(x), x).sum())
    double(flow.ones(64, 64, device="cuda"))
    ((executable, _),) = cuda.driver.called("launch")
    del double
    gc.collect()
    assert [gone for _, gone in cuda.driver.called("destroy")] == [executable]
    assert cuda.driver.graphs == {}


@pytest.mark.filterwarnings("ignore:.*multi-threaded")
def test_a_forked_child_leaves_the_graphs_alone(cuda: FakeCuda) -> None:
    """They are the parent's: the driver knows nothing of the child."""
    step = Train(model := net("cuda", numpy.random.default_rng(3)), flow.optim.SGD(model.parameters(), lr=0.1))
    step(*data("cuda", numpy.random.default_rng(3)))
    child = os.fork()
    if child == 0:
        step._captured.programs._kinds.clear()
        gc.collect()
        os._exit(len(cuda.driver.called("destroy")))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    step._captured.programs._kinds.clear()
    gc.collect()
    assert len(cuda.driver.called("destroy")) == 1


def test_a_graph_that_computes_nothing(cuda: FakeCuda) -> None:
    same = flow.compile(lambda x: x.view(0, 3))
    assert same(flow.empty(3, 0, device="cuda")).shape == (0, 3)
    assert cuda.driver.called("launch") == []


# ------------------------------------------------------------------------------------------------- what a step may have


def scaled_losses(device: str, graph: bool) -> list[Any]:
    """Of a training in half precision: scaler, clipping, dropout, batch norm, a schedule, an overflow; scales at the end."""
    generator = numpy.random.default_rng(7)
    flow.manual_seed(1)
    nn = flow.nn
    body = net(device, generator)
    model = nn.Sequential(body, nn.BatchNorm1d(3), nn.Dropout(0.25)).to(device)
    optimizer = flow.optim.AdamW([{"params": list(model.parameters()), "lr": 0.05, "clip_grad_max_norm": 0.5}])
    schedule = flow.optim.lr_scheduler.StepLR(optimizer, 2, 0.5)
    scaler = flow.amp.GradScaler(init_scale=2.0**10, growth_interval=2)

    def loss_of(x: Any, target: Any) -> Any:
        with flow.autocast(device, dtype=flow.float16):
            return nn.functional.cross_entropy(model(x), target)

    class Scaled(flow.nn.Graph):
        def __init__(self) -> None:
            super().__init__()
            self.model = model
            self.add_optimizer(optimizer, lr_sch=schedule)
            self.set_grad_scaler(scaler)

        def build(self, x: Any, target: Any) -> Any:
            loss = loss_of(x, target)
            loss.backward()
            return loss

    def eager(x: Any, target: Any) -> Any:
        optimizer.zero_grad()
        loss = loss_of(x, target)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        optimizer.clip_grad()
        scaler.step(optimizer)
        scaler.update()
        schedule.step()
        return loss

    step = Scaled() if graph else eager
    found = []
    for number in range(6):
        x, target = data(device, generator)
        if number == 2:
            x = x * 1e30  # overflows
        found.append(step(x, target).item())
    return [*found, scaler.get_scale(), *model[1].running_mean.tolist()]


def test_everything_a_training_step_has(cuda: FakeCuda) -> None:
    """Tables of addresses for norms, unscaling and the optimizer; states for scale, counts, statistics and random numbers."""
    on_gpu = scaled_losses("cuda", graph=True)
    assert len(cuda.driver.called("launch")) == 6
    assert numpy.allclose(on_gpu, scaled_losses("cuda", graph=False), rtol=2e-3, atol=2e-3, equal_nan=True)


def test_a_bad_index_of_a_write(cuda: FakeCuda) -> None:
    table = flow.zeros(3, device="cuda")

    @flow.compile
    def put(index: Any, values: Any) -> Any:
        table[index] = values
        return table.sum()

    two = flow.full((2,), 2.0, device="cuda")
    put(flow.tensor([0, 1], device="cuda"), two)
    assert table.tolist() == [2.0, 2.0, 0.0]
    with pytest.raises(IndexError):
        put(flow.tensor([2, 3], device="cuda"), two).item()
    assert put(flow.tensor([0, 1], device="cuda"), two * 2.0).item() == 8.0 + table[2].item()


def test_a_graph_compiles_its_kernels_side_by_side(cuda: FakeCuda, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of a step, the one that writes tables of addresses with them, in threads: none is left for the first run."""
    together = threading.Barrier(2, timeout=20)  # two kernels are compiled at once, or this breaks
    names: list[tuple[str, str]] = []
    original = CudaProvider.kernel

    def kernel(self: Any, fn: Any, *rest: Any, **options: Any) -> Any:
        names.append((fn.__name__, threading.current_thread().name))
        if names[-1][1].startswith("compile") and [thread for _, thread in names].count(names[-1][1]) == 1:
            together.wait()
        return original(self, fn, *rest, **options)

    monkeypatch.setattr(CudaProvider, "compilers", 2)
    monkeypatch.setattr(CudaProvider, "kernel", kernel)
    generator = numpy.random.default_rng(3)
    model = net("cuda", generator)
    x, target = data("cuda", generator)
    optimizer = flow.optim.Adam(model.parameters(), lr=0.1)

    @flow.compile
    def step(x: Any, target: Any) -> Any:
        optimizer.zero_grad()
        loss = flow.nn.functional.cross_entropy(model(x), target)
        loss.backward()  # the gradients stay, at other addresses in each run
        optimizer.step()
        return loss.detach()

    names.clear()
    step(x, target)
    alone = [name for name, thread in names if not thread.startswith("compile")]
    assert alone == ["flat"], "the zeros of the optimizer's states, which are made eagerly"
    assert "put_addresses" in [name for name, _ in names] and len(names) > 5


# ------------------------------------------------------------------------------------------------- what is on the host


def test_tensors_of_the_host_in_a_program_of_a_gpu(cuda: FakeCuda) -> None:
    """Its kernels do not reach them. What needs no argument is computed by the capture, and a result is a copy of its own."""
    cuda.tells = True
    counts, table = flow.tensor([1, 2, 3]), flow.tensor([5, 6, 7])

    def of_host(x: Any) -> Any:
        order = flow.tensor([2, 0])
        return x + 1, counts * 2, flow.zeros(2), counts.index_select(0, order), order, order[:1], table

    compiled = flow.compile(of_host, fullgraph=True)
    for _ in range(2):
        x = flow.ones(2, device="cuda")
        results = compiled(x)
        assert [(y.device.type, y.tolist()) for y in results] == [(y.device.type, y.tolist()) for y in of_host(x)]
        assert results[6] is table
        results[4].add_(1)
        assert results[5].tolist() == [3]
        counts.add_(1)


def test_results_of_the_host_of_an_nn_graph(cuda: FakeCuda) -> None:
    cuda.tells = True
    counts = flow.tensor([1, 2, 3])

    class Counts(flow.nn.Graph):
        def build(self, x: Any) -> Any:
            return x + 1, counts

    graph = Counts()
    for _ in range(2):
        _, found = graph(flow.ones(2, device="cuda"))
        assert found is not counts and found.device == counts.device and found.tolist() == counts.tolist()
        counts.add_(1)


HOST = flow.ones(3)
LEAF = flow.ones(3).requires_grad_()
ON_HOST: dict[str, Callable[[Any], Any]] = {
    "draws": lambda x: (x + 1, flow.rand(3)),
    "writes": lambda x: (x + 1, HOST.add_(0)),
    "gradients": lambda x: (x + 1, LEAF * 2),
}


@pytest.mark.parametrize("name", ON_HOST)
def test_what_a_program_of_a_gpu_does_not_do_on_the_host(cuda: FakeCuda, name: str) -> None:
    cuda.tells = True
    x = flow.ones(2, device="cuda")
    with pytest.raises(CaptureError, match="as a graph on cuda:0, which cannot compute on cpu, as .* does, at .*test_graph.py"):
        flow.compile(ON_HOST[name], fullgraph=True)(x)
    with pytest.warns(UserWarning, match="runs in eager mode"):
        found = flow.compile(ON_HOST[name])(x)
    assert [y.device.type for y in found] == ["cuda", "cpu"]


def test_arguments_on_several_devices(cuda: FakeCuda) -> None:
    cuda.tells = True
    both = lambda x, y: (x + 1, y + 1)
    with pytest.warns(UserWarning, match="eager mode: .*<lambda>: the inputs are on several devices: cuda:0, cpu"):
        found = flow.compile(both)(flow.ones(2, device="cuda"), HOST)
    assert [y.tolist() for y in found] == [[2.0] * 2, [2.0] * 3]
    with pytest.raises(DeviceMismatchError, match="on several devices"):
        flow.compile(both, fullgraph=True)(flow.ones(2, device="cuda"), HOST)


def test_a_program_without_arguments_on_several_devices(cuda: FakeCuda) -> None:
    cuda.tells = True
    x = flow.ones(2, device="cuda")
    with pytest.raises(CaptureError, match="computes on several devices, which a graph cannot: cuda:0, cpu"):
        flow.compile(lambda: (x + 1, HOST + 1), fullgraph=True)()

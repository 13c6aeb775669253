"""Programs for many sizes on a GPU: they share executable graphs, whose nodes are set to what a graph of their own would have.

The GPU is a stand-in. `nodes` compares what each launch runs with the launches of the program, one by one.
"""

from __future__ import annotations

import gc
import logging
import random
import threading
from collections.abc import Sequence
from typing import Any

import pytest

import tritonflow as flow
from tests.device.fake_cuda import _VALUES, FakeCuda
from tritonflow.device.cuda_graph import CudaGraph
from tritonflow.device.cuda_nodes import KernelNodes
from tritonflow.device.device import Device
from tritonflow.device.program import Gap, LaunchGroup, Live, ProgramLaunch
from tritonflow.device.program_family import MOST_SHARED, ProgramFamily
from tritonflow.device.provider import get_provider
from tritonflow.errors import DeviceError
from tritonflow.settings import settings


class Nodes:
    """Compares nodes.

    Attributes:
        compared: how many launches of graphs were compared.
        counts: how many nodes the graphs of the programs have.
    """

    def __init__(self) -> None:
        self.compared = 0
        self.counts: set[int] = set()
        self.expected = threading.local()


def plain(launch: ProgramLaunch, live: Sequence[Any]) -> tuple[Any, tuple[int, ...], tuple[Any, ...]]:
    """The kernel, grid and values that one launch by itself has."""
    given = [a.of(live) if isinstance(a, Live) else a for a in (*launch.arguments, *launch.sizes)]
    types = [_VALUES[type_[0] if type_[0] == "*" else type_] for type_ in launch.kernel.types]
    return launch.kernel, launch.grid, tuple([of(value).value for of, value in zip(types, given, strict=True)])


@pytest.fixture
def nodes(cuda: FakeCuda, monkeypatch: pytest.MonkeyPatch) -> Nodes:
    found = Nodes()
    make, run, launch = CudaGraph.__init__, CudaGraph.run, cuda.driver.launch

    def made(self: Any, launches: Any, target: Any, family: Any) -> None:
        found.counts.add(len(launches))
        self.launches = launches
        make(self, launches, target, family)

    def runs(self: Any, live: Any) -> None:
        found.expected.nodes = [plain(each, live) for each in self.launches]
        run(self, live)

    def launched(executable: int, stream: int) -> None:
        assert cuda.driver.graphs[executable] == found.expected.nodes
        found.compared += 1
        launch(executable, stream)

    monkeypatch.setattr(CudaGraph, "__init__", made)
    monkeypatch.setattr(CudaGraph, "run", runs)
    monkeypatch.setattr(cuda.driver, "launch", launched)
    return found


def rows(*shape: int) -> flow.Tensor:
    """Numbers that differ from row to row and from shape to shape."""
    count = 1
    for n in shape:
        count *= n
    return (flow.arange(count, dtype=flow.float32, device="cuda") % 7 + shape[0] / 8).view(*shape)


def mixed(x: flow.Tensor) -> flow.Tensor:
    """Rows, columns and a product: kernels that are chosen by sizes, workspaces, a number of a size."""
    return (flow.softmax(x, 1) @ x.t()).sum(0) / x.shape[0] + x.mean()


def test_cuda_graphs_of_many_sizes(cuda: FakeCuda, nodes: Nodes) -> None:
    """https://github.com/pytorch/pytorch/issues/196385: a graph was recorded for each size, whatever was asked for."""
    weight = rows(64, 64)
    compiled = flow.compile(lambda rows, weight: flow.median(rows) * (weight @ weight).relu(), fullgraph=True)
    made = []
    for n in (10, 13, 16, 19, 22) * 2:
        x = rows(n, 64)
        flow.mark_dynamic(x, 0)
        expected = flow.median(x) * (weight @ weight).relu()
        assert compiled(x, weight).tolist() == expected.tolist()
        made.append(len(cuda.driver.called("instantiate")))
    assert made[-1] == len(nodes.counts) <= 2
    assert made[5:] == made[4:5] * 5
    assert nodes.compared == 10


def trainer() -> Any:
    flow.manual_seed(0)
    layer = flow.nn.Linear(16, 16).to("cuda")
    optimizer = flow.optim.SGD(layer.parameters(), lr=0.01)

    def step(x: flow.Tensor) -> flow.Tensor:
        optimizer.zero_grad()
        loss = flow.softmax(layer(x) @ x.transpose(1, 2), -1).square().mean()
        loss.backward()
        optimizer.step()
        return loss

    return step


def test_random_sizes_run_as_plain_launches(cuda: FakeCuda, nodes: Nodes) -> None:
    """A training step: every launch, and every loss, as without CUDA graphs; few executables, whatever the number of sizes."""
    draw = random.Random(0)
    sizes = [(draw.randint(1, 4), draw.randint(1, 24)) for _ in range(16)]
    sizes += draw.choices(sizes, k=32)
    step = flow.compile(trainer())
    found = [step(rows(*size, 16)).item() for size in sizes]
    assert nodes.compared == len(sizes)
    with settings.override(cuda_graphs=False):
        plainly = flow.compile(trainer())
        assert found == [plainly(rows(*size, 16)).item() for size in sizes]
    assert nodes.compared == len(sizes)
    executables = {executable for executable, _ in cuda.driver.called("launch")}
    (family,) = step.programs._families.values()
    assert len(executables) <= 1 + len(nodes.counts) * len(family.templates)
    assert len(cuda.driver.called("instantiate")) == len(executables) < len(step.captures()) / 2


def test_a_size_that_comes_again_at_once_changes_nothing(cuda: FakeCuda, nodes: Nodes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another changes nodes; those that have no size of it do not change."""
    small = rows(3)
    out = flow.zeros(3, device="cuda")
    f = flow.compile(lambda x: (out.copy_(flow.cos(small).cumsum(0)), x.sum())[1])
    xs = {n: rows(n, 4) for n in (5, 6, 7, 9)}
    expected = {n: x.sum().item() for n, x in xs.items()}
    counts, lengths = [], []
    looked_at: list[int] = []
    content = KernelNodes.content
    monkeypatch.setattr(KernelNodes, "content", lambda self, number: looked_at.append(number) or content(self, number))
    for n in (5, 6, 7, 7, 9, 9, 7, 7):
        before, looked_at[:] = len(cuda.driver.called("set")), []
        assert f(xs[n]).item() == expected[n]
        counts.append(len(cuda.driver.called("set")) - before)
        lengths.append(len(looked_at))
    (launches,) = nodes.counts
    assert counts[3] == counts[5] == counts[7] == lengths[3] == lengths[5] == lengths[7] == 0
    assert 0 < counts[2] < launches and 0 < counts[4] < launches and 0 < counts[6] < launches


def test_memory_of_the_driver_does_not_grow(cuda: FakeCuda, nodes: Nodes) -> None:
    f = flow.compile(mixed)
    for n in range(2, 12):
        f(rows(n, 8))
    graphs, counts = len(cuda.driver.graphs), len(nodes.counts)
    for n in random.Random(0).choices(range(2, 160), k=120):
        f(rows(n, 8))
    assert len(f.captures()) > 60
    assert len(cuda.driver.graphs) <= graphs + 2 * (len(nodes.counts) - counts) <= 2 * (1 + MOST_SHARED)
    del f
    gc.collect()
    assert cuda.driver.graphs == {}


@pytest.mark.filterwarnings("ignore:.*program_cache_bytes")
def test_programs_that_went_leave_the_executable(cuda: FakeCuda, nodes: Nodes) -> None:
    f = flow.compile(lambda x: flow.relu(x) * 2.0 + x.sum())
    with settings.override(program_cache_bytes=1):
        for n in [*range(2, 60), *range(2, 60)]:
            x = rows(n)
            assert f(x).tolist() == (flow.relu(x) * 2.0 + x.sum()).tolist()
    assert len(f.captures()) == 16
    assert len(cuda.driver.called("instantiate")) <= 1 + len(nodes.counts)


def test_updates_that_fail(cuda: FakeCuda, nodes: Nodes, caplog: pytest.LogCaptureFixture) -> None:
    """The graph is instantiated anew, with what the program has; the log says so once."""
    f = flow.compile(mixed)
    f(rows(2, 8)), f(rows(3, 8))
    cuda.driver.fail = "set"
    before = len(cuda.driver.called("instantiate"))
    with caplog.at_level(logging.WARNING, "tritonflow.device"):
        for n in (4, 5, 6, 4):
            x = rows(n, 8)
            assert f(x).tolist() == mixed(x).tolist()
    assert len(cuda.driver.called("instantiate")) == before + 4
    assert [record.getMessage() for record in caplog.records] == [
        "a CUDA graph is instantiated anew, as the driver does not change it: set failed"
    ]
    cuda.driver.fail = None
    x = rows(7, 8)
    assert f(x).tolist() == mixed(x).tolist()
    assert len(cuda.driver.called("instantiate")) == before + 4


def test_whatever_fails_no_launch_is_wrong(cuda: FakeCuda, nodes: Nodes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Calls of the driver fail at random: a run raises, or it is right."""
    draw, failed = random.Random(0), []
    f = flow.compile(mixed)
    f(rows(2, 8)), f(rows(3, 8))

    def at_times(name: str) -> Any:
        call = getattr(cuda.driver, name)

        def refused(*arguments: Any) -> Any:
            if draw.random() < 0.06:
                failed.append(name)
                raise DeviceError(f"{name} failed")
            return call(*arguments)

        return refused

    raised = 0
    with monkeypatch.context() as patch:
        for name in ("graph", "add_kernel", "instantiate", "set_kernel", "launch"):
            patch.setattr(cuda.driver, name, at_times(name))
        for n in draw.choices(range(2, 40), k=150):
            try:
                f(rows(n, 8))
            except RuntimeError as error:
                assert "failed" in str(error)
                raised += 1
    assert {"graph", "add_kernel", "instantiate", "set_kernel", "launch"} <= set(failed)
    assert 0 < raised < 75 and nodes.compared > 75
    x = rows(13, 8)
    assert f(x).tolist() == mixed(x).tolist()


@pytest.mark.parametrize("is_done", [True, False])
def test_a_run_that_is_interrupted(cuda: FakeCuda, nodes: Nodes, monkeypatch: pytest.MonkeyPatch, is_done: bool) -> None:
    """Between two nodes, of which nobody knows whether the last one is set: the next run has its own, whichever it is."""
    f = flow.compile(mixed)
    xs = {n: rows(n, 8) for n in (2, 3, 4, 5)}
    expected = {n: mixed(x).tolist() for n, x in xs.items()}
    results = {n: f(x).tolist() for n, x in xs.items()}
    assert results == expected
    change = cuda.driver.set_kernel
    left = 0

    def interrupted(*arguments: Any) -> None:
        nonlocal left
        left -= 1
        if is_done or left:
            change(*arguments)
        if not left:
            raise KeyboardInterrupt

    for at, n, then in [(at, n, then) for at in (1, 2, 3) for n in (3, 4) for then in (3, 4, 5)]:
        f(xs[5])
        left = at
        monkeypatch.setattr(cuda.driver, "set_kernel", interrupted)
        with pytest.raises(KeyboardInterrupt):
            f(xs[n])
        monkeypatch.setattr(cuda.driver, "set_kernel", change)
        assert f(xs[then]).tolist() == expected[then]


class OneNumber:
    """A kernel that is given a number."""

    types, scratch = ("i32",), 0

    def node(self, grid: Any) -> tuple[int, int, int]:
        return 7, 128, 0


@pytest.mark.parametrize("number", [1 << 31, -(1 << 31) - 1])
def test_a_number_that_does_not_fit_is_refused(cuda: FakeCuda, number: int) -> None:
    provider: Any = get_provider(Device("cuda"))
    launches = LaunchGroup([ProgramLaunch(OneNumber(), (1, 1, 1), (), (Gap(0),), True)])
    form = provider.program_form([launches], ProgramFamily())
    form.filled(((1 << 31) - 1,))
    with pytest.raises(OverflowError, match=f"a number does not fit into its type: {number} as i32"):
        form.filled((number,))


def test_nodes_of_other_kernels_are_others() -> None:
    """Also where a kernel has got the function's handle of one that is gone."""

    kernel = OneNumber()
    launches = [
        ProgramLaunch(each, (n, 1, 1), (), (0,), True) for each, n in ((kernel, 1), (kernel, 2), (OneNumber(), 1))
    ]
    first, wider, other = [KernelNodes([launch]).content(0) for launch in launches]
    assert first == KernelNodes([launches[0]]).content(0)
    assert first != wider != other != first


def test_sizes_in_several_threads_and_streams(cuda: FakeCuda, nodes: Nodes) -> None:
    """Each run has its own parameters, whoever runs meanwhile."""
    f = flow.compile(mixed)
    expected = {n: mixed(rows(n, 8)).tolist() for n in range(2, 40)}
    for n in expected:
        f(rows(n, 8))
    errors: list[BaseException] = []

    def work(seed: int) -> None:
        draw = random.Random(seed)
        try:
            with flow.cuda.stream(flow.cuda.Stream()):
                for n in draw.choices(sorted(expected), k=60):
                    assert f(rows(n, 8)).tolist() == expected[n]
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors, errors[0]
    assert nodes.compared == len(expected) + 240


def test_launches_on_their_way_keep_their_sizes(late: FakeCuda, nodes: Nodes) -> None:
    """An executable is set for the next size while launches for the last ones have not run."""
    f = flow.compile(mixed)
    xs = [rows(n, 8) for n in (2, 3, 4, 5, 6, 7)]
    expected = [mixed(x).tolist() for x in xs]
    results = [f(x) for x in xs * 2]
    assert [y.tolist() for y in results] == expected * 2


def test_a_family_shares_few_things() -> None:
    family, made = ProgramFamily(), []

    def make() -> int:
        made.append(0)
        return len(made)

    assert [family.shared(key, make) for key in (7, 8, 7)] == [1, 2, 1]
    for key in range(100, 100 + MOST_SHARED - 1):
        family.shared(key, make)
    count = len(made)
    assert family.shared(7, make) == 1, "it was asked for behind the other"
    assert family.shared(8, make) == count + 1

"""Compiled functions: one CUDA graph each, whose parameters change from call to call."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import torch

from gpu.roads import stage
from gpu.roads.registry import road
from gpu.roads.stage import DEVICE, close, host, ours, package


def _programs() -> set[str]:
    from tritonflow.graph.plan.executable import Executable

    return {type(each._program).__name__ for each in gc.get_objects() if isinstance(each, Executable)}


@road()
def graph() -> Any:
    """flow.compile is one CUDA graph: other addresses and numbers, descriptors, another stream; the same bits as eager."""
    flow = package()
    F = flow.nn.functional
    f = flow.compile(lambda a, b, s: (F.relu(a @ b) * s + 1).sum(1))
    for k in range(5):
        a, b = torch.randn(64, 96), torch.randn(96, 80)
        close(f(ours(a), ours(b), 0.5 + k), (torch.relu(a @ b) * (0.5 + k) + 1).sum(1), 1e-5)
    assert _programs() == {"CudaGraph"}, _programs()
    if not stage.stand_in:
        _graph_with_descriptors(flow)
    return sorted(_programs())


def _graph_with_descriptors(flow: Any) -> None:
    F = flow.nn.functional
    g = flow.compile(lambda a, b: F.relu(a @ b))
    x, y = (ours(torch.randn(4608, 4608).bfloat16()) for _ in range(2))
    for _ in range(3):
        z = g(x, y)
    assert torch.equal(host(z), host(F.relu(x @ y))), "graph and eager differ"
    with flow.cuda.stream(flow.cuda.Stream()):
        assert torch.equal(host(g(x, y)), host(z)), "another stream, another result"


@road()
def graph_of_many_sizes() -> Any:
    """Programs for many sizes share executable graphs, whose nodes are set to other kernels, too: random sizes, on two streams."""
    from tritonflow.device.cuda_graph_exec import CudaGraphExec

    flow = package()
    F = flow.nn.functional
    f = flow.compile(lambda x: (F.softmax(x, 1) @ x.t()).sum(0) / x.shape[0] + x.mean())
    random, streams = torch.Generator().manual_seed(0), [None, flow.cuda.Stream()]
    for n in torch.randint(2, 400, (60,), generator=random).tolist():
        xs = [torch.randn(n, 48, generator=random), torch.randn(n // 2 + 1, 48, generator=random)]
        with flow.cuda.stream(streams[n % 2]):
            results = [f(ours(x)) for x in xs]
        for x, found in zip(xs, results):
            close(found, (x.softmax(1) @ x.t()).sum(0) / len(x) + x.mean(), 1e-4)
    assert _programs() == {"CudaGraph"}, _programs()
    made = [each for each in gc.get_objects() if isinstance(each, CudaGraphExec)]
    assert not any(each._was_refused for each in made), "the driver does not set a node to another kernel"
    return f"{len(f.captures())} programs, {len(made)} executable graphs"


def _train(flow: Any, compiled: bool) -> list[float]:
    """The losses of 30 steps, with a schedule and clipping."""
    F, nn = flow.nn.functional, flow.nn
    flow.manual_seed(0)
    model = nn.Sequential(nn.Linear(20, 64), nn.GELU(), nn.LayerNorm(64), nn.Linear(64, 5)).to(DEVICE)
    optimizer = flow.optim.AdamW(model.parameters(), lr=1e-2)
    schedule = flow.optim.lr_scheduler.CosineAnnealingLR(optimizer, 30)

    def step(x: Any, target: Any) -> Any:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), target)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        return loss.detach()

    run: Callable[[Any, Any], Any] = flow.compile(step) if compiled else step
    random, losses = torch.Generator().manual_seed(2), []
    for _ in range(30):
        x, target = torch.randn(32, 20, generator=random), torch.randint(0, 5, (32,), generator=random)
        losses.append(run(ours(x), ours(target)).item())
        schedule.step()
    return losses


@road()
def graph_training() -> Any:
    """A training step as a graph: a schedule, clipping, 30 steps beside eager, which gives the same bits twice."""
    flow = package()
    eager, again, compiled = _train(flow, False), _train(flow, False), _train(flow, True)
    assert eager == again, "eager training gives other bits the second time"
    worst = max(abs(a - b) for a, b in zip(eager, compiled))
    assert worst < 1e-3, (eager[-3:], compiled[-3:])
    assert eager[-1] < eager[0]
    return f"{eager[0]:.4f} -> {eager[-1]:.4f}; graph differs by {worst:.1e}"


@road()
def random_numbers_in_graphs() -> Any:
    """Each replay draws other numbers, those that eager mode draws from the same seed."""
    flow = package()
    x = flow.ones(1000, device=DEVICE)
    draw = lambda x: flow.nn.functional.dropout(x, 0.4) + flow.rand(1000, device=DEVICE)  # noqa: E731
    compiled, found = flow.compile(draw), []
    compiled(x)
    for call in (draw, compiled):
        flow.manual_seed(5)
        found.append([host(call(x)) for _ in range(3)])
    eager, graph = found
    assert not torch.equal(graph[0], graph[1]), "a replay draws the same numbers again"
    assert all(torch.equal(a, b) for a, b in zip(eager, graph)), "graph and eager draw other numbers"
    return "ok"


@road()
def graph_of_a_module() -> Any:
    """nn.Graph with an optimizer, as OneFlow's programs have it."""
    flow = package()
    nn = flow.nn
    flow.manual_seed(0)
    model = nn.Linear(8, 3).to(DEVICE)
    optimizer = flow.optim.SGD(model.parameters(), lr=0.1)

    class Step(nn.Graph):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.model = model
            self.add_optimizer(optimizer)

        def build(self, x: Any) -> Any:
            loss = self.model(x).square().mean()
            loss.backward()
            return loss

    step, x = Step(), ours(torch.randn(16, 8))
    losses = [step(x).item() for _ in range(5)]
    assert losses == sorted(losses, reverse=True), losses
    return losses


@road(real=True)
def capture_by_torch() -> Any:
    """Ops of ours while torch records a graph on its own stream: what happens is said, not silent."""
    flow = package()
    x = ours(torch.randn(1000))
    y = x + 1
    flow.cuda.synchronize()
    t = torch.zeros(1000, device=DEVICE)
    try:
        with torch.cuda.graph(torch.cuda.CUDAGraph()):
            t.add_(1)
            y = x * 2
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:120]}"
    return f"no error; {close(y, 2 * host(x), 1e-6)}"

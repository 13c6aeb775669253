"""SciPy's assignment in a compiled training step, in the manner of DETR: boxes are assigned to queries by their costs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy
import pytest
from scipy.optimize import linear_sum_assignment

import tritonflow as flow
from tritonflow.mock_torch.scipy_functions import assignment

pytestmark = pytest.mark.filterwarnings("ignore:.*is captured for each of some sizes")
SOURCE = """
    import torch
    from scipy.optimize import linear_sum_assignment
    from torch import nn

    class Matcher(nn.Module):
        @torch.no_grad()
        def forward(self, boxes, targets):
            cost = torch.cdist(boxes.flatten(0, 1), torch.cat([t["boxes"] for t in targets]), p=1)
            cost = cost.view(*boxes.shape[:2], -1).cpu()
            sizes = [len(t["boxes"]) for t in targets]
            found = [linear_sum_assignment(c[i]) for i, c in enumerate(cost.split(sizes, -1))]
            return [(torch.as_tensor(i, dtype=torch.int64), torch.as_tensor(j, dtype=torch.int64)) for i, j in found]

    class Detector(nn.Module):
        def __init__(self):
            super().__init__()
            self.body = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 4))
            self.matcher = Matcher()

        def forward(self, x, targets):
            boxes = self.body(x)
            indices = self.matcher(boxes, targets)
            count = torch.as_tensor([sum(len(t["boxes"]) for t in targets)], dtype=torch.float)
            count = torch.clamp(count, min=1).item()
            batch = torch.cat([torch.full_like(i, k) for k, (i, _) in enumerate(indices)])
            chosen = boxes[batch, torch.cat([i for i, _ in indices])]
            wanted = torch.cat([t["boxes"][j] for t, (_, j) in zip(targets, indices)])
            return (chosen - wanted).abs().sum() / count

    def largest(cost):
        return linear_sum_assignment(cost, maximize=True)
"""


@pytest.fixture
def detection(write: Callable) -> Iterator[ModuleType]:
    write(mt_detection=SOURCE)
    with flow.mock_torch.enable():
        import mt_detection
    yield mt_detection


def batch(seed: int, *boxes: int, queries: int = 7) -> tuple[Any, Any]:
    random = numpy.random.default_rng(seed)
    x = flow.tensor(random.standard_normal((len(boxes), queries, 6)).astype(numpy.float32))
    return x, [{"boxes": flow.tensor(random.random((n, 4)).astype(numpy.float32))} for n in boxes]


def step(model: Any, call: Any, arguments: Any) -> Any:
    loss = call(*arguments)
    loss.backward()
    grads = [p.grad.clone() for p in model.parameters()]
    model.zero_grad()
    return loss.item(), grads


def test_a_step_is_a_program_for_all_numbers_of_boxes(detection: ModuleType) -> None:
    model = detection.Detector()
    compiled = flow.compile(model)
    for seed, boxes in enumerate([(2, 3), (3, 2), (4, 6), (5, 2), (2, 2), (6, 5), (3, 3), (2, 3), (4, 6), (5, 6)]):
        expected, right = step(model, model, batch(seed, *boxes))
        found, grads = step(model, compiled, batch(seed, *boxes))
        assert abs(found - expected) < 1e-5 * abs(expected)
        assert all(flow.allclose(a, b, atol=1e-6) for a, b in zip(grads, right))
    assert not compiled._captured._refused
    made = {id(captured.template): captured for captured in compiled.captures()}
    assert len(made) <= 4  # of (2, 3), of all, and of equal numbers


@pytest.mark.parametrize("boxes", [(0, 0), (0, 3), (1, 1), (7, 7), (9, 2), (12, 10)])
def test_few_and_many_boxes(detection: ModuleType, boxes: tuple[int, ...]) -> None:
    model = detection.Detector()
    compiled = flow.compile(model)
    for seed in range(3):
        expected, right = step(model, model, batch(seed, *boxes))
        found, grads = step(model, compiled, batch(seed, *boxes))
        assert abs(found - expected) <= 1e-5 * abs(expected)
        assert all(flow.allclose(a, b, atol=1e-6) for a, b in zip(grads, right))


def test_the_weights_change_the_assignment(detection: ModuleType) -> None:
    model = detection.Detector()
    compiled, arguments = flow.compile(model), batch(0, 3, 4)
    losses = []
    for _ in range(6):
        losses.append(step(model, compiled, arguments)[0])
        assert abs(losses[-1] - step(model, model, arguments)[0]) < 1e-5
        with flow.no_grad():
            for p in model.parameters():
                p.add_(flow.randn(p.shape) * 0.3)
    assert len(set(losses)) == 6 and len(compiled.captures()) == 1


def test_modes(detection: ModuleType) -> None:
    model = detection.Detector()
    compiled, arguments = flow.compile(model), batch(0, 3, 4)
    with flow.no_grad():
        assert abs(compiled(*arguments).item() - model(*arguments).item()) < 1e-5
    loss = compiled(*arguments)
    loss.backward(retain_graph=True)
    loss.backward()
    twice = [p.grad.clone() for p in model.parameters()]
    model.zero_grad()
    _, once = step(model, model, arguments)
    assert all(flow.allclose(a, b * 2, atol=1e-6) for a, b in zip(twice, once))


def test_what_scipy_refuses(detection: ModuleType) -> None:
    model = detection.Detector()
    compiled = flow.compile(model)
    x, targets = batch(0, 3, 4)
    compiled(x, targets)
    for _ in range(2):
        with pytest.raises(ValueError, match="invalid numeric entries"):  # SciPy's own error
            compiled(x * float("nan"), targets)
    assert abs(compiled(x, targets).item() - model(x, targets).item()) < 1e-5
    largest = flow.compile(detection.largest)
    with pytest.raises(ValueError, match="expected a matrix"), pytest.warns(UserWarning, match="eager mode"):
        largest(flow.ones(3))


@pytest.mark.parametrize("dtype", ("float32", "float64", "float16", "int64", "int32", "uint8", "bool"))
def test_largest_sums_of_every_dtype(detection: ModuleType, dtype: str) -> None:
    random, largest = numpy.random.default_rng(0), flow.compile(detection.largest)
    for shape in ((4, 6), (6, 4), (5, 5)):
        cost = (random.random(shape) * 5).astype(dtype)
        found, right = largest(flow.tensor(cost)), linear_sum_assignment(cost, maximize=True)
        assert [[*map(int, each)] for each in found] == [each.tolist() for each in right]


def test_outside_of_a_capture_it_is_scipy(detection: ModuleType) -> None:
    assert all(isinstance(each, numpy.ndarray) for each in detection.largest(flow.ones(2, 3)))
    assert all(isinstance(each, numpy.ndarray) for each in detection.largest([[1.0, 2.0]]))


def test_threads(detection: ModuleType) -> None:
    solve = flow.compile(assignment)
    costs = [numpy.random.default_rng(k).random((3 + k, 9)).astype(numpy.float32) for k in range(4)]
    wrong: list[int] = []

    def run(k: int) -> None:
        for _ in range(20):
            if [each.tolist() for each in solve(flow.tensor(costs[k]))] != [e.tolist() for e in linear_sum_assignment(costs[k])]:
                wrong.append(k)

    threads = [threading.Thread(target=run, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong

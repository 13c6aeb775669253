"""Promise 3: torch is memory. Training works while every ATen operator that computes raises.

Allowed are allocation, views and copies between equal dtypes: what docs/design/promises_and_tests.md lists. Everything else that torch would compute
inside a call of tritonflow is an error here.
"""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

import tritonflow as flow

ALLOCATIONS = {"empty", "empty_strided", "empty_like", "new_empty", "set_", "frombuffer", "from_file", "resize_"}
VIEWS = {
    "as_strided", "view", "_unsafe_view", "detach", "alias", "lift_fresh", "slice", "select", "t", "transpose", "permute", "expand",
    "unsqueeze", "squeeze", "_reshape_alias", "view_as",
}  # fmt: skip
COPIES = {"copy_", "clone", "_to_copy"}


class MemoryOnly(TorchDispatchMode):
    """Raises at every operator that is no allocation, view or plain copy."""

    def __init__(self) -> None:
        super().__init__()
        self.used: set[str] = set()

    def __torch_dispatch__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = function.overloadpacket.__name__
        self.used.add(name)
        if name in COPIES:
            dtypes = {a.dtype for a in args if isinstance(a, torch.Tensor)} | {(kwargs or {}).get("dtype") or args[0].dtype}
            if len(dtypes) > 1:
                raise AssertionError(f"torch was asked to cast: {function} {dtypes}")
        elif name not in ALLOCATIONS | VIEWS:
            raise AssertionError(f"torch was asked to compute {function}")
        return function(*args, **(kwargs or {}))


@pytest.fixture
def digits() -> tuple[numpy.ndarray, numpy.ndarray]:
    """Three classes of noisy 8x8 images."""
    rng = numpy.random.default_rng(0)
    patterns = rng.standard_normal((3, 1, 8, 8))
    labels = rng.integers(0, 3, 96)
    return (patterns[labels] + 0.3 * rng.standard_normal((96, 1, 8, 8))).astype(numpy.float32), labels


def _train(images: numpy.ndarray, labels: numpy.ndarray, mixed: bool = False) -> tuple[float, float]:
    """The first and the last loss of some epochs; in mixed precision with a scaled loss, clipping and a schedule."""
    nn = flow.nn
    model = nn.Sequential(
        nn.Conv2d(1, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(128, 32), nn.GELU(),
        nn.LayerNorm(32), nn.Dropout(0.1), nn.Linear(32, 3),
    )  # fmt: skip
    optimizer = flow.optim.Adam(model.parameters(), lr=0.01)
    scaler = flow.amp.GradScaler(enabled=mixed)
    schedule = flow.optim.lr_scheduler.CosineAnnealingLR(optimizer, 24)
    losses = []
    for _ in range(4):
        for start in range(0, len(images), 32):
            x, y = flow.from_numpy(images[start : start + 32]), flow.from_numpy(labels[start : start + 32])
            with flow.autocast("cpu", enabled=mixed):
                loss = nn.functional.cross_entropy(model(x), y)
            optimizer.zero_grad()
            scaler.scale(loss).backward()
            if mixed:
                scaler.unscale_(optimizer)
                nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            scaler.step(optimizer)
            scaler.update()
            schedule.step()
            losses.append(loss.item())
    model.eval()
    with flow.no_grad():
        predicted = model(flow.from_numpy(images)).argmax(1)
        accuracy = (predicted == flow.from_numpy(labels)).float().mean().item()
    assert accuracy > 0.9
    return losses[0], losses[-1]


@pytest.mark.parametrize("mixed", [False, True])
def test_training_without_atens_arithmetic(digits: tuple[numpy.ndarray, numpy.ndarray], mixed: bool) -> None:
    with MemoryOnly():
        first, last = _train(*digits, mixed)
    assert last < first / 3


def test_everyday_calls_without_atens_arithmetic() -> None:
    with MemoryOnly():
        x = flow.randn(4, 5, requires_grad=True)
        y = ((x * 2 + 1).exp() @ flow.ones(5, 3)).softmax(-1) + 0
        y[:, 0] = 0.5
        (y.sum() + x[[0, 2]].mean() + x[x > 0].sum()).backward()
        x.grad.cpu().numpy()
        x.half().bfloat16().long().float().tolist()
        repr(x), x.to(dtype=flow.float64), flow.cat([x, x]), x.sort(), x.nonzero(), flow.arange(5), flow.eye(3), x.max(), x.var()


def test_the_mode_itself_catches_arithmetic() -> None:
    with MemoryOnly(), pytest.raises(AssertionError, match="torch was asked to compute"):
        torch.ones(2) + 1
    with MemoryOnly(), pytest.raises(AssertionError):
        torch.empty(2).copy_(torch.empty(2, dtype=torch.float64))

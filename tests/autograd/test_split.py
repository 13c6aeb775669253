"""split, chunk and unbind share one node: gradients as torch's, parts unused, written in place or differentiated twice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

import tritonflow as flow
from tritonflow.interpreter.gradient_ops import gradient_ops

CUTS: dict[str, Callable[[Any], Any]] = {
    "split": lambda x: x.split(2),
    "uneven": lambda x: x.split(3, 1),
    "sections": lambda x: x.split([1, 0, 3, 1]),
    "chunk": lambda x: x.chunk(2, -1),
    "one part": lambda x: x.split(9),
    "unbind": lambda x: x.unbind(0),
    "unbind columns": lambda x: x.unbind(1),
    "rows": lambda x: tuple(x),
}
# What is made of the parts; {k} stands for a part.
LOSSES: dict[str, Callable[[Any], Any]] = {
    "all": lambda parts: sum((part * part).sum() * (k + 1) for k, part in enumerate(parts)),
    "first": lambda parts: (parts[0] * 3).sum(),
    "last": lambda parts: parts[-1].exp().sum(),
    "ends": lambda parts: (parts[0] * parts[0]).sum() + parts[-1].sum(),
    "twice": lambda parts: (parts[0] * 2).sum() + (parts[0] * parts[0]).sum(),
}


def _values() -> torch.Tensor:
    return torch.linspace(-2, 3, 20, dtype=torch.float64).reshape(5, 4)


@pytest.mark.sampled
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("cut", CUTS)
def test_gradients(cut: str, loss: str) -> None:
    grads = []
    for x in (flow.from_numpy(_values().numpy()), _values()):
        x.requires_grad_()
        LOSSES[loss](CUTS[cut](x * 1)).backward()
        grads.append(torch.from_numpy(x.grad.numpy()))
    torch.testing.assert_close(*grads, rtol=1e-15, atol=0)  # exp is not rounded alike


@pytest.mark.parametrize("cut", CUTS)
def test_gradients_of_gradients(cut: str) -> None:
    def function(x: flow.Tensor) -> flow.Tensor:
        parts = CUTS[cut](x)
        return parts[0].exp() * (parts[-1].sum() ** 2)

    x = flow.from_numpy(_values().numpy()).requires_grad_()
    assert flow.autograd.gradcheck(function, (x,))
    assert flow.autograd.gradgradcheck(function, (x,))


@pytest.mark.parametrize("write", ["a.mul_(2)", "a.mul_(c)", "a.zero_()", "p.mul_(3)", "q.mul_(c[0, 0])", "p.mul_(3); q.zero_()"])
def test_parts_of_what_is_written(write: str) -> None:
    """After a write a part has the history that a slice made by itself has. torch refuses to use parts then."""
    grads = []
    for slices in (False, True):
        x = flow.from_numpy(_values().numpy()).requires_grad_()
        a, c = x * 1, x * 2
        p, q = (a.narrow(0, 0, 3), a.narrow(0, 3, 2)) if slices else a.split(3)
        exec(write, {"a": a, "c": c, "p": p, "q": q})
        ((a * a).sum() + p.sum() * (q * q).sum()).backward()
        grads.append(x.grad.tolist())
    assert grads[0] == grads[1]


def test_writing_a_part_reaches_the_whole() -> None:
    """torch refuses this where it knows several parts of one memory; here each part is a view like any other."""
    x = flow.ones(4, 3, requires_grad=True)
    y = x * 1
    first, second = y.split(2)
    second.mul_(5)
    assert second.grad_fn is not first.grad_fn
    (y.sum() + first.sum() + second.sum()).backward()
    assert x.grad.tolist() == [[2.0] * 3] * 2 + [[10.0] * 3] * 2


def test_one_node_for_all_parts() -> None:
    x = flow.ones(6, 2, requires_grad=True)
    parts = (x * 1).split(2)
    assert len({part.grad_fn for part in parts}) == 1 and repr(parts[2].grad_fn) == "<split_backward>"
    assert repr(x.unbind()[0].grad_fn) == "<unbind_backward>"


def test_hooks_see_a_part() -> None:
    x = flow.ones(4, requires_grad=True)
    first, second = x.split(2)
    second.register_hook(lambda grad: grad * 10)
    second.retain_grad()
    (first.sum() + second.sum()).backward()
    assert x.grad.tolist() == [1.0, 1.0, 10.0, 10.0] and second.grad.tolist() == [10.0, 10.0]


@pytest.mark.parametrize("cut", ["split", "unbind"])
def test_backward_writes_the_whole_once(cut: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One node that joins the parts, however many: nothing is padded to the whole and added."""
    calls = dict.fromkeys(("cat", "add", "zeros"), 0)

    def counted(name: str, hook: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any) -> Any:
            calls[name] += 1
            return hook(*args)

        return call

    for name in calls:
        monkeypatch.setattr(gradient_ops, name, counted(name, getattr(gradient_ops, name)))
    x = flow.ones(64, 8, requires_grad=True)
    parts = x.split(1) if cut == "split" else x.unbind()
    used = parts[8:16] + parts[20:]
    flow.autograd.backward(used, [flow.ones(part.shape) for part in used])
    assert calls == {"cat": 1, "add": 0, "zeros": 2}
    assert x.grad.sum(1).tolist() == [0.0] * 8 + [8.0] * 8 + [0.0] * 4 + [8.0] * 44

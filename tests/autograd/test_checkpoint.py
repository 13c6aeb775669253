"""utils.checkpoint: the same gradients, less memory, the same random numbers."""

from __future__ import annotations

import contextlib
import gc
import weakref
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tests import where
from tritonflow import nn
from tritonflow.testing import assert_close
from tritonflow.utils.checkpoint import CheckpointError, checkpoint, checkpoint_sequential, set_checkpoint_early_stop

F = nn.functional


class Net(nn.Module):
    """Blocks with dropout and a nested list of weights, which are checkpointed or not."""

    def __init__(self, how: Any) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(4, 8), nn.Linear(8, 4)
        self.norm, self.how = nn.LayerNorm(4), how

    def block(self, x: Any) -> Any:
        return self.norm(x + self.second(F.dropout(F.gelu(self.first(x)), 0.5)))

    def forward(self, x: Any) -> Any:
        for _ in range(2):
            x = self.block(x) if self.how is None else checkpoint(self.block, x, **self.how)
        return x


def gradients(how: Any, autocast: bool = False, compiled: bool = False) -> list[Any]:
    flow.manual_seed(0)
    net = Net(how)
    x = flow.randn(5, 4, requires_grad=True)

    def loss(x: Any) -> Any:
        with flow.autocast(where.device, flow.bfloat16, enabled=autocast):
            y = net(x)
        return (y.float() ** 2).sum()

    flow.manual_seed(1)
    (flow.compile(loss) if compiled else loss)(x).backward()
    after = flow.rand(3)  # the generator is where it would be without checkpoints
    return [x.grad, *[p.grad for p in net.parameters()], after]


@pytest.mark.parametrize("autocast", [False, True])
@pytest.mark.parametrize(
    "how",
    [{"use_reentrant": True}, {"use_reentrant": False}, {"use_reentrant": False, "early_stop": False, "determinism_check": "none"}],
)
def test_the_same_gradients(how: Any, autocast: bool) -> None:
    for a, b in zip(gradients(None, autocast), gradients(how, autocast)):
        if autocast and how["use_reentrant"]:  # gradients of the two blocks are added in float32, not in bfloat16
            numpy.testing.assert_allclose(b.numpy(), a.numpy(), rtol=2e-2, atol=1e-7)
        else:
            assert flow.equal(a, b)


@pytest.mark.parametrize("use_reentrant", [True, False])
def test_in_a_compiled_function(use_reentrant: bool) -> None:
    for a, b in zip(gradients(None, compiled=True), gradients({"use_reentrant": use_reentrant}, compiled=True)):
        assert_close(a, b)


def test_other_random_numbers_without_the_state() -> None:
    x = flow.ones(1000, requires_grad=True)
    y = checkpoint(lambda x: F.dropout(x * x) * x, x, use_reentrant=False, preserve_rng_state=False)
    zeros = y == 0
    y.sum().backward()
    assert not flow.equal(zeros, x.grad == 0)


@pytest.mark.parametrize("use_reentrant", [True, False])
def test_nothing_is_kept(use_reentrant: bool) -> None:
    seen: list[Any] = []

    def function(x: Any) -> Any:
        y = x * 2
        seen.append(weakref.ref(y.impl))
        return (y * y).exp()

    x = flow.tensor([0.1, 0.2], requires_grad=True)
    z = checkpoint(function, x, use_reentrant=use_reentrant)
    gc.collect()
    assert seen[0]() is None
    z.sum().backward()
    assert len(seen) == 2
    assert_close(x.grad, 8 * x.detach() * (4 * x.detach() ** 2).exp())
    gc.collect()
    assert seen[1]() is None


def test_nothing_is_kept_when_a_pass_that_retains_the_graph_ends() -> None:
    seen: list[Any] = []

    def function(x: Any) -> Any:
        y = x * 2
        seen.append(weakref.ref(y.impl))
        return (y * y).exp()

    x = flow.tensor([0.1, 0.2], requires_grad=True)
    z = checkpoint(function, x, use_reentrant=False).sum()
    first = flow.autograd.grad(z, x, retain_graph=True)
    assert [reference() for reference in seen] == [None, None]
    assert_close(flow.autograd.grad(z, x), first)
    assert len(seen) == 3


def test_the_second_run_ends_early() -> None:
    ended: list[bool] = []

    def function(x: Any) -> Any:
        y = x.exp()
        ended.append(True)
        return y + 1

    x = flow.ones(2, requires_grad=True)
    checkpoint(function, x, use_reentrant=False).sum().backward()
    assert len(ended) == 1
    with set_checkpoint_early_stop(False):
        y = checkpoint(function, x, use_reentrant=False)
    y.sum().backward()
    assert len(ended) == 3


def test_nested_and_retained() -> None:
    x = flow.tensor([0.3, -0.2], requires_grad=True)
    runs = {"inner": 0, "outer": 0}

    def inner(x: Any, scale: float = 1.0) -> Any:
        runs["inner"] += 1
        return (x * x * scale).exp()

    def outer(x: Any) -> Any:
        runs["outer"] += 1
        return checkpoint(inner, x.sin(), use_reentrant=False, scale=2.0) * x

    y = checkpoint(outer, x, use_reentrant=False).sum()
    y.backward(retain_graph=True)
    first, x.grad = x.grad, None
    y.backward()
    outer(x).sum().backward()
    assert_close(x.grad, 2 * first)


def test_a_second_derivative_and_grad() -> None:
    x = flow.tensor([0.3, -0.2], dtype=flow.float64, requires_grad=True)
    found = []
    for function in (lambda x: (x**3).exp(), lambda x: checkpoint(lambda x: (x**3).exp(), x, use_reentrant=False)):
        (first,) = flow.autograd.grad(function(x).sum(), x, create_graph=True)
        found.append(flow.autograd.grad(first.sum(), x)[0])
    assert_close(found[0], found[1])
    with pytest.raises(RuntimeError, match="is incompatible with .grad()"):
        flow.autograd.grad(checkpoint(lambda x: x * x, x, use_reentrant=True).sum(), x)


def test_contexts_of_both_runs() -> None:
    seen: list[str] = []

    @contextlib.contextmanager
    def note(name: str) -> Any:
        seen.append(name)
        yield

    x = flow.ones(1, requires_grad=True)
    y = checkpoint(lambda x: x.exp(), x, use_reentrant=False, context_fn=lambda: (note("forward"), note("again")))
    assert seen == ["forward"]
    y.backward()
    assert seen == ["forward", "again"]


def test_several_outputs_and_what_needs_no_gradient() -> None:
    x, mask = flow.ones(2, requires_grad=True), flow.tensor([True, False])

    def function(x: Any, mask: Any, number: float) -> Any:
        return x * mask, number, (x * 2).detach()

    for use_reentrant in (True, False):
        x.grad = None
        y, number, z = checkpoint(function, x, mask, 3.0, use_reentrant=use_reentrant)
        assert number == 3.0
        (y * 2).sum().backward()
        assert x.grad.tolist() == [2.0, 0.0]
    with flow.no_grad():
        assert not checkpoint(lambda x: x * 2, x, use_reentrant=False).requires_grad


@pytest.mark.parametrize("segments", [1, 2, 3])
def test_sequences(segments: int) -> None:
    flow.manual_seed(0)
    net = nn.Sequential(*[nn.Linear(3, 3) for _ in range(5)])
    x = flow.randn(2, 3, requires_grad=True)
    net(x).sum().backward()
    expected, x.grad = x.grad, None
    checkpoint_sequential(net, segments, x, use_reentrant=False).sum().backward()
    assert_close(x.grad, expected)


def test_errors() -> None:
    x, calls = flow.ones(2, requires_grad=True), []

    def changing(x: Any) -> Any:
        calls.append(1)
        return (x.exp() if len(calls) == 1 else x[:1].exp()).sum()

    with pytest.raises(CheckpointError, match="have different metadata"):
        checkpoint(changing, x, use_reentrant=False).backward()

    def shrinking(x: Any) -> Any:
        calls.append(1)
        return x.exp().exp().sum() if len(calls) == 3 else (x * 1).sum()

    with pytest.raises(CheckpointError, match="A different number of tensors was saved"):
        checkpoint(shrinking, x, use_reentrant=False).backward()
    with pytest.raises(ValueError, match="Unexpected keyword arguments: scale"):
        checkpoint(lambda x, scale: x * scale, x, use_reentrant=True, scale=2)
    with pytest.raises(ValueError, match="only supported when use_reentrant=False"):
        checkpoint(lambda x: x, x, use_reentrant=True, debug=True)
    with pytest.warns(UserWarning, match="None of the inputs have requires_grad=True"):
        checkpoint(lambda x: x * 1, flow.ones(1), use_reentrant=True)
    with pytest.warns(UserWarning, match="should be passed explicitly"):
        checkpoint(lambda x: x * 1, x)
    y = x * 1
    z = checkpoint(lambda y: y.exp(), y, use_reentrant=False)
    y.mul_(2)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.sum().backward()


def test_random_ops_of_the_meta_device_are_no_hindrance() -> None:
    """A module that was made there has drawn from its generator, whose state is saved with the others."""
    flow.nn.Linear(2, 2, device="meta")
    x = flow.tensor([1.0, 2.0], requires_grad=True)
    checkpoint(lambda x: x * x, x, use_reentrant=False).sum().backward()
    assert x.grad.tolist() == [2.0, 4.0]
    assert flow.Generator("meta").manual_seed(3).get_state() == (3, 0)


@pytest.mark.parametrize("reentrant", [True, False])
def test_a_checkpoint_in_which_numbers_over_a_placement_are_drawn_first(reentrant: bool) -> None:
    """The generator was made inside of it, so its state was not remembered, and the backward drew another mask."""

    def f() -> Any:
        placement = flow.placement("cpu", range(2))
        x = flow.ones(8, 6, placement=placement, sbp=flow.sbp.split(0)).requires_grad_()
        y = flow.utils.checkpoint.checkpoint(lambda x: nn.functional.dropout(x, 0.5) ** 2, x, use_reentrant=reentrant)
        y.sum().backward()
        return (x.grad.full() / 2 == y.detach().full()).all().item()

    assert flow.testing.simulate(2)(f)() == [True, True]

"""GradScaler against torch.amp.GradScaler: whole runs with overflows, state dictionaries, the order of calls."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import tritonflow as flow
from tests import where
from tritonflow.framework.tensor import Tensor

KINDS: list[tuple[str, dict[str, Any]]] = [
    ("SGD", {"lr": 0.1}),
    ("SGD", {"lr": 0.1, "momentum": 0.9, "nesterov": True}),
    ("SGD", {"lr": 0.1, "momentum": 0.9, "dampening": 0.5}),
    ("Adam", {"lr": 0.1, "amsgrad": True}),
    ("AdamW", {"lr": 0.1}),
]
OPTIONS = {"init_scale": 16.0, "growth_factor": 4.0, "backoff_factor": 0.25, "growth_interval": 2}


class Run:
    """The same little training on one side: parameters whose gradients are given, some of them not finite."""

    def __init__(self, library: Any, kind: str, options: dict[str, Any], dtype: str = "float32") -> None:
        self.library = library
        self.parameters = [library.ones(*s, dtype=getattr(library, dtype), requires_grad=True) for s in ((3,), (2, 2))]
        self.optimizer = getattr(library.optim, kind)(self.parameters, **options)
        device = ("cpu",) if library is torch else ()
        self.scaler = library.amp.GradScaler(*device, **OPTIONS)

    def step(self, factor: float, clip: bool = False) -> None:
        self.optimizer.zero_grad()
        p, q = self.parameters
        loss = (p * p).sum() + (q * factor).sum()
        self.scaler.scale(loss).backward()
        if clip:
            self.scaler.unscale_(self.optimizer)
            self.library.nn.utils.clip_grad_norm_(self.parameters, 1.0)
        self.scaler.step(self.optimizer)
        self.scaler.update()

    def state(self) -> tuple[list[Any], dict[str, Any]]:
        return [p.detach().numpy().copy() for p in self.parameters], self.scaler.state_dict()


@settings(max_examples=30, deadline=None)
@given(
    st.sampled_from(KINDS),
    st.lists(st.tuples(st.sampled_from([0.5, -2.0, float("inf"), float("nan"), 3e38]), st.booleans()), max_size=7),
)
def test_runs_with_overflows(kind: tuple[str, dict[str, Any]], steps: list[tuple[float, bool]]) -> None:
    overflows = any(factor == 3e38 for factor, _ in steps)  # in float32, not in float64
    theirs, mine = Run(torch, *kind, "float32" if overflows else "float64"), Run(flow, *kind)
    for factor, clip in steps:
        theirs.step(factor, clip)
        mine.step(factor, clip)
        (expected, expected_state), (got, got_state) = theirs.state(), mine.state()
        assert got_state == expected_state
        for a, b in zip(expected, got):
            numpy.testing.assert_allclose(b, a, rtol=1e-5, atol=1e-6)
    expected_state, got_state = theirs.optimizer.state_dict()["state"], mine.optimizer.state_dict()["state"]
    for number, values in expected_state.items():
        for key, value in values.items():
            if value is not None:
                numpy.testing.assert_allclose(got_state[number][key].numpy(), value.numpy(), rtol=1e-5, atol=1e-6)


def test_nothing_is_read_by_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    """A step, its clipping and the update of the scale wait for no number."""
    run = Run(flow, "AdamW", {"lr": 0.1})
    run.step(0.5, clip=True)
    for method in ("item", "numpy", "tolist", "__bool__", "__float__", "__int__"):
        monkeypatch.setattr(Tensor, method, lambda *a: pytest.fail("the host waits"))
    run.step(float("inf"), clip=True)
    run.step(0.5)


def test_a_foreign_optimizer_is_not_called() -> None:
    class Foreign(flow.optim.Optimizer):
        steps = 0

        def _update(self, group: Any, parameters: list[Any]) -> None:
            self.steps += 1

    p = flow.ones(2, requires_grad=True)
    optimizer, scaler = Foreign([p], {}), flow.amp.GradScaler(init_scale=4.0)
    for factor in (float("inf"), 1.0):
        optimizer.zero_grad()
        scaler.scale((p * factor).sum()).backward()
        scaler.step(optimizer)
        scaler.update()
    assert optimizer.steps == 1 and scaler.get_scale() == 2.0
    assert optimizer.found_inf is None


def test_two_optimizers_share_a_scale() -> None:
    a, b = flow.ones(2, requires_grad=True), flow.ones(2, requires_grad=True)
    first, second = flow.optim.SGD([a], lr=1.0), flow.optim.SGD([b], lr=1.0)
    scaler = flow.amp.GradScaler(init_scale=4.0)
    scaler.scale(a.sum() + (b * float("inf")).sum()).backward()
    scaler.step(first)
    scaler.step(second)
    scaler.update()
    assert a.tolist() == [0, 0] and b.tolist() == [1, 1] and scaler.get_scale() == 2.0


def test_outputs_in_structures() -> None:
    scaler = flow.amp.GradScaler(init_scale=4.0)
    x = flow.ones(2)
    scaled = scaler.scale([x, (x, x)])
    assert type(scaled) is list and type(scaled[1]) is tuple and scaled[1][1].tolist() == [4, 4]
    assert [t.tolist() for t in scaler.scale(t for t in (x, x))] == [[4, 4], [4, 4]]
    with pytest.raises(ValueError, match="iterable of Tensors"):
        scaler.scale(3)


def test_state_dict_goes_both_ways() -> None:
    theirs, mine = Run(torch, "SGD", {"lr": 0.1}), Run(flow, "SGD", {"lr": 0.1})
    for factor in (0.5, float("inf"), 0.5):
        theirs.step(factor)
    mine.scaler.load_state_dict(theirs.scaler.state_dict())
    assert mine.scaler.state_dict() == theirs.scaler.state_dict()
    mine.step(0.5)
    theirs.step(0.5)
    assert mine.scaler.state_dict() == theirs.scaler.state_dict()
    other = torch.amp.GradScaler("cpu")
    other.load_state_dict(mine.scaler.state_dict())
    assert other.state_dict() == mine.scaler.state_dict()
    with pytest.raises(RuntimeError, match="is empty"):
        mine.scaler.load_state_dict({})
    for copied in (pickle.loads(pickle.dumps(mine.scaler)), copy.deepcopy(mine.scaler)):
        assert copied.state_dict() == mine.scaler.state_dict()


def test_not_enabled() -> None:
    p = flow.ones(2, requires_grad=True)
    optimizer, scaler = flow.optim.SGD([p], lr=0.5), flow.amp.GradScaler(enabled=False)
    loss = p.sum()
    assert scaler.scale(loss) is loss
    loss.backward()
    scaler.unscale_(optimizer)
    scaler.step(optimizer)
    scaler.update()
    assert p.tolist() == [0.5, 0.5]
    assert (scaler.get_scale(), scaler.state_dict(), scaler.is_enabled()) == (1.0, {}, False)


def test_a_new_scale() -> None:
    scaler = flow.amp.GradScaler(init_scale=4.0)
    scaler.scale(flow.ones(1))
    scaler.update(8.0)
    assert scaler.get_scale() == 8.0
    scaler.update(flow.tensor([16.0]))
    assert scaler.get_scale() == 16.0
    with pytest.raises(TypeError, match="1-element"):
        scaler.update(flow.ones(2))
    assert scaler.get_scale() == 16.0


def test_a_static_scale() -> None:
    p = flow.ones(2, requires_grad=True)
    optimizer, scaler = flow.optim.SGD([p], lr=0.5), flow.amp.StaticGradScaler(8.0)
    for _ in range(2):
        optimizer.zero_grad()
        scaler.scale(p.sum()).backward()
        scaler.step(optimizer)
        scaler.update()
    assert p.tolist() == [0, 0] and p.grad.tolist() == [1, 1] and scaler.get_scale() == 8
    with pytest.raises(ValueError, match=r"must be > 0\.0"):
        flow.amp.StaticGradScaler(0.0)


def test_errors() -> None:
    p = flow.ones(2, requires_grad=True)
    optimizer, scaler = flow.optim.SGD([p], lr=0.5), flow.amp.GradScaler(init_scale=4.0)
    for call in (lambda: scaler.step(optimizer), lambda: scaler.unscale_(optimizer), scaler.update):
        with pytest.raises(RuntimeError, match="there is no scale yet"):
            call()
    loss = scaler.scale(p.sum())
    with pytest.raises(RuntimeError, match="none of its parameters has a gradient"):
        scaler.step(optimizer)
    scaler = flow.amp.GradScaler(init_scale=4.0)
    loss = scaler.scale(p.sum())
    with pytest.raises(RuntimeError, match="No inf checks"):
        scaler.update()
    loss.backward()
    with pytest.raises(RuntimeError, match="Closure use"):
        scaler.step(optimizer, lambda: 1)
    scaler.unscale_(optimizer)
    with pytest.raises(RuntimeError, match="already been called on this optimizer"):
        scaler.unscale_(optimizer)
    with pytest.raises(RuntimeError, match="may only be pickled"):
        pickle.dumps(scaler)
    scaler.step(optimizer)
    with pytest.raises(RuntimeError, match="being called after step"):
        scaler.unscale_(optimizer)
    with pytest.raises(RuntimeError, match=r"step\(\) has already been called"):
        scaler.step(optimizer)
    for options in ({"growth_factor": 1.0}, {"backoff_factor": 1.0}):
        with pytest.raises(ValueError, match="factor must be"):
            flow.amp.GradScaler(**options)


def test_float16_gradients_are_refused() -> None:
    p = flow.ones(2, dtype=flow.float16, requires_grad=True)
    scaler = flow.amp.GradScaler(init_scale=4.0)
    scaler.scale(p.float().sum()).backward()
    with pytest.raises(ValueError, match="FP16 gradients"):
        scaler.step(flow.optim.SGD([p], lr=0.5))
    assert p.grad.tolist() == [4, 4]


@pytest.mark.skipif(where.device == "cuda" or torch.cuda.is_available(), reason="says what happens without a GPU")
def test_without_a_gpu() -> None:
    with pytest.warns(UserWarning, match="CUDA is not available"):
        assert not flow.amp.GradScaler("cuda").is_enabled()

"""Modes of `__torch_function__`: the same programs on torch's functions and ours."""

from __future__ import annotations

import threading
from typing import Any

import pytest
import torch

import tritonflow as flow
from tritonflow.errors import ArgumentTypeError, CaptureError
from tritonflow.thread_state import thread_state

# Names that torch has for the same functions.
NAMES = {"__neg__": "neg", "__pow__": "pow", "getitem": "__getitem__", "setitem": "__setitem__", "fft": "fft_fft"}


def logging_mode(library: Any, mark: str = "") -> tuple[Any, list[str]]:
    log: list[str] = []

    class Logging(library.overrides.TorchFunctionMode):
        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            log.append(mark + NAMES.get(func.__name__, func.__name__))
            return func(*args, **(kwargs or {}))

    return Logging, log


def program(m: Any) -> list[Any]:
    """Functions, operators, methods, properties, functions that make tensors, layers, gradients."""
    F, net = m.nn.functional, m.nn.Sequential(m.nn.Linear(2, 3), m.nn.ReLU(), m.nn.LayerNorm(3))
    x = m.ones(2, 2)
    Logging, log = logging_mode(m)
    with Logging():
        _, z, w = m.zeros(2, 3), net(x), x + 1
        found = [w, 1 + x, x @ x, -x, 1 - x, x / 2, 2 / x, x**2, x == x, x > 0, x[0]]
        w += 1
        w[0] = 1
        found += [x.shape, x.dtype, x.T, x.grad, x.requires_grad, len(x), float(x.sum()), bool(x.sum()), x.tolist(), x.size()]
        found += [m.cat([x, x]), m.stack([x, x]), m.add(x, x, alpha=2), x.add(x), m.einsum("ij,jk->ik", x, x), m.fft.fft(x)]
        found += [F.softmax(x, -1), F.cross_entropy(x, m.tensor([0, 1])), F.scaled_dot_product_attention(x[None], x[None], x[None])]
        found += [m.arange(3), x.double(), x.to(m.float64), x.view(-1), x.unsqueeze(0), x.masked_fill(x > 0, 0), x.clone().detach()]
        m.nn.init.normal_(w)
        z.sum().backward()
        repr(x)
    assert len(found) > 30
    count = len(log)
    _ = x + x
    assert len(log) == count  # behind the block nobody is asked
    return log


def test_what_a_mode_is_asked_for() -> None:
    assert program(flow) == program(torch)


def test_the_code_of_functions_is_their_own_behind_the_block() -> None:
    functions = [flow.relu, flow.zeros, flow.Tensor.add, flow.Tensor.__add__, flow.Tensor.shape.fget, flow.Tensor.half]
    before = [f.__code__ for f in functions]
    Logging, _ = logging_mode(flow)
    with Logging():
        with Logging():
            pass
        assert all(f.__code__ is not code for f, code in zip(functions, before))
    with pytest.raises(ValueError, match="mine"), Logging():
        raise ValueError("mine")
    assert [f.__code__ for f in functions] == before and thread_state.function_modes == () and not thread_state.uncaptured


@pytest.mark.parametrize("m", [torch, flow], ids=["torch", "flow"])
def test_a_mode_changes_what_functions_give(m: Any) -> None:
    relu = m.relu

    class Changing(m.overrides.TorchFunctionMode):
        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            if func is m.nn.functional.scaled_dot_product_attention:
                return args[2] * 2
            if func is m.relu:
                return "relu"
            if func is m.zeros:
                func = m.ones
            return func(*args, **(kwargs or {}))

    x = m.full((1, 2, 2), 3.0)
    with Changing() as mode:
        assert isinstance(mode, Changing)
        assert relu(x) == "relu" and m.zeros(2).tolist() == [1, 1]  # a name that was imported before, too
        assert m.nn.functional.scaled_dot_product_attention(x, x, x).flatten().tolist() == [6.0] * 4
    assert relu(x).sum().item() == 12


@pytest.mark.parametrize("m", [torch, flow], ids=["torch", "flow"])
def test_modes_are_asked_from_the_innermost_outwards(m: Any) -> None:
    Inner, log = logging_mode(m, "inner ")
    Outer, outer_log = logging_mode(m, "outer ")

    class Named(m.Tensor):
        @classmethod
        def __torch_function__(cls: Any, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            log.append("class " + NAMES.get(func.__name__, func.__name__))
            return super().__torch_function__(func, types, args, kwargs or {})

    named = m.ones(2).as_subclass(Named)
    with Outer(), Inner():
        m.add(named, named)
    assert log == ["inner add", "class add"] and outer_log == ["outer add"]


@pytest.mark.parametrize("m", [torch, flow], ids=["torch", "flow"])
def test_what_a_mode_does_not_implement(m: Any) -> None:
    class Nothing(m.overrides.TorchFunctionMode):
        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            return NotImplemented

    x = m.ones(2)
    with Nothing(), pytest.raises(TypeError, match="Multiple dispatch failed for '.*relu'"):
        m.relu(x)
    with m.overrides.TorchFunctionMode(), pytest.raises(NotImplementedError):
        m.relu(x)
    assert (x + x).tolist() == [2, 2]


def test_other_threads_are_not_asked_for() -> None:
    Logging, log = logging_mode(flow)
    results: list[Any] = []
    with Logging():
        thread = threading.Thread(target=lambda: results.append((flow.ones(2) + 1).tolist()))
        thread.start()
        thread.join()
    assert results == [[2, 2]] and log == []


def test_captured_functions_run_in_eager_mode_in_the_block() -> None:
    compiled = flow.compile(lambda x: flow.relu(x) * 2, fullgraph=True)
    x = flow.ones(3)
    assert compiled(x).tolist() == [2, 2, 2]
    Logging, log = logging_mode(flow)
    with Logging():
        assert compiled(x).tolist() == [2, 2, 2]
    assert log[-3:-1] == ["relu", "mul"] and log.count("relu") == 1

    def inside(x: Any) -> Any:
        with Logging():
            return flow.relu(x)

    with pytest.raises(CaptureError, match="a mode of __torch_function__ cannot be entered"):
        flow.compile(inside, fullgraph=True)(x)
    assert thread_state.function_modes == () and inside(x).tolist() == [1, 1, 1]


def test_errors_name_the_function() -> None:
    Logging, _ = logging_mode(flow)
    with Logging(), pytest.raises(ArgumentTypeError, match=r"relu\(\): got an unexpected keyword argument 'colour'"):
        flow.relu(flow.ones(1), colour=1)

"""Runs a situation in eager mode and compiled, and compares all that can be seen of the two."""

from __future__ import annotations

import random
import re
import warnings
from collections.abc import Iterator, Mapping, Set
from contextlib import contextmanager
from dataclasses import dataclass, field, is_dataclass
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy

import tritonflow as flow
from tests.graph.situations.situation import Situation
from tritonflow import compilations
from tritonflow.graph.watch.slots import attributes_of

FELL_BACK = " is not compiled, but runs in eager mode: "


@dataclass
class Outcome:
    """How a situation went.

    Attributes:
        difference: the first that there is between eager mode and flow.compile, else "".
        raised: whether the difference is an error of flow.compile.
        captures: how many programs were captured.
        reasons: why calls fell back to eager mode.
    """

    difference: str = ""
    raised: bool = False
    captures: int = 0
    reasons: list[str] = field(default_factory=list)

    @property
    def right(self) -> bool:
        return not self.difference

    @property
    def compiled(self) -> bool:
        """Whether a program was captured, and no call fell back."""
        return self.captures > 0 and not self.reasons


def outcome(situation: Situation) -> Outcome:
    """The situation in eager mode and compiled."""
    eager = _facts(situation, lambda function: function)
    with warnings.catch_warnings(record=True) as warned, _captures() as captured:
        warnings.simplefilter("always")
        try:
            difference, raised = _difference(eager, _facts(situation, compiled_alone)), False
        except Exception as error:
            difference, raised = f"flow.compile raises {type(error).__name__}: {error}", True
    reasons = [text.partition(FELL_BACK)[2] for text in (str(w.message) for w in warned) if FELL_BACK in text]
    return Outcome(difference, raised, len(captured), reasons)


def compiled_alone(function: Any) -> Any:
    """flow.compile without fusion, which has tests of its own, rounds otherwise and has many kernels."""
    compiled = flow.compile(function)
    config = getattr(compiled, "_captured", compiled).config
    config.allow_fuse_pointwise(False)
    config.allow_fuse_add_to_output(False)
    config.allow_fuse_prologues(False)
    config.allow_fuse_attention(False)
    config.allow_fuse_reductions(False)
    return compiled


@contextmanager
def _captures() -> Iterator[list[str]]:
    """The names of the functions that a block captures."""
    captured: list[str] = []

    def note(found: compilations.Compilation) -> None:
        if found.kind == "capture":
            captured.append(found.name)

    compilations.listeners.append(note)
    try:
        yield captured
    finally:
        compilations.listeners.remove(note)


def _facts(situation: Situation, wrap: Any) -> dict[str, Any]:
    random.seed(0)
    numpy.random.seed(0)
    flow.manual_seed(0)
    facts: dict[str, Any] = {}
    _Describe(facts).add("result", situation.program(wrap))
    return facts


class _Describe:
    """Writes down what can be seen of a value: facts, by the path to them."""

    def __init__(self, facts: dict[str, Any]) -> None:
        self.facts = facts
        self.paths: dict[int, str] = {}  # by the id of an object: where it was first
        self.memories: dict[int, str] = {}  # by the address of a storage: the tensor that was there first
        self.alive: list[Any] = []

    def add(self, path: str, value: Any) -> None:
        if value is None or isinstance(value, (bool, int, float, complex, str, bytes, range, slice)):
            self.facts[path] = re.sub(r"0x[0-9a-f]+", "0x", f"{type(value).__name__} {value!r}")
        elif isinstance(value, (type, FunctionType, MethodType, BuiltinFunctionType, ModuleType, flow.dtype, flow.device)):
            self.facts[path] = getattr(value, "__qualname__", repr(value))
        elif id(value) in self.paths and not isinstance(value, tuple):
            self.facts[path] = f"the same object as {self.paths[id(value)]}"
        else:
            self.alive.append(value)
            self.paths[id(value)] = path
            self.facts[path] = type(value).__qualname__
            self._contents(path, value)

    def _contents(self, path: str, value: Any) -> None:
        if isinstance(value, flow.Tensor):
            self._tensor(path, value)
        elif isinstance(value, (numpy.ndarray, numpy.generic)):
            self.facts[f"{path}.dtype"] = str(value.dtype)
            self.facts[f"{path}.values"] = numpy.array(value)
        elif isinstance(value, flow.nn.Module):
            self.add(f"{path}.training", value.training)
            for name, tensor in (*value.named_parameters(), *value.named_buffers()):
                self.add(f"{path}.{name}", tensor)
            self._attributes(path, {k: v for k, v in vars(value).items() if not k.startswith("_")})
        elif isinstance(value, BaseException):
            self.add(f"{path}.args", value.args)
        elif isinstance(value, Mapping):
            self.facts[f"{path}.keys"] = [str(key) for key in value]
            for key in value:
                self.add(f"{path}[{key!r}]", value[key])
        elif isinstance(value, Set):
            self.facts[f"{path}.items"] = sorted(map(str, value))
        elif isinstance(value, (list, tuple)) or hasattr(value, "popleft"):
            self.facts[f"{path}.length"] = len(value)
            for k, each in enumerate(value):
                self.add(f"{path}[{k}]", each)
        elif is_dataclass(value) or hasattr(value, "__dict__"):
            self._attributes(path, attributes_of(value))
        elif isinstance(value, Iterator):
            self.add(f"{path}.items", list(value))

    def _attributes(self, path: str, attributes: Mapping[str, Any]) -> None:
        self.facts[f"{path}.names"] = sorted(attributes)
        for name, each in attributes.items():
            self.add(f"{path}.{name}", each)

    def _tensor(self, path: str, tensor: flow.Tensor) -> None:
        detached = tensor.detach()
        self.facts[f"{path}.dtype"] = tensor.dtype
        self.facts[f"{path}.shape"] = tuple(tensor.shape)
        self.facts[f"{path}.requires_grad"] = tensor.requires_grad, tensor.is_leaf
        wide = detached.float() if tensor.dtype in (flow.float16, flow.bfloat16) else detached
        self.facts[f"{path}.values"] = wide.cpu().numpy().copy()
        if tensor.numel():
            first = self.memories.setdefault(detached.untyped_storage().data_ptr(), path)
            self.facts[f"{path}.memory"] = "" if first == path else f"that of {first}"


def _difference(eager: dict[str, Any], compiled: dict[str, Any]) -> str:
    for path in (*eager, *compiled):
        a, b = eager.get(path, "nothing"), compiled.get(path, "nothing")
        if not _equal(a, b):
            return f"{path}: eager mode has {_shown(a)}, flow.compile {_shown(b)}"
    return ""


def _equal(a: Any, b: Any) -> bool:
    """Bit for bit: without fusion, a program runs eager mode's kernels."""
    if isinstance(a, numpy.ndarray) and isinstance(b, numpy.ndarray):
        return a.shape == b.shape and a.dtype == b.dtype and bool(((a == b) | ((a != a) & (b != b))).all())
    return type(a) is type(b) and bool(a == b)


def _shown(fact: Any) -> Any:
    return fact.tolist() if isinstance(fact, numpy.ndarray) else fact

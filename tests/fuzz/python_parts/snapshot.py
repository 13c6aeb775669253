"""Everything that a program of Python has, as plain values by path: `me.n_1`, `outs[2]['y']`, `f_3.__closure__[0]`.

An object that is found a second time is `is` its first path. A tensor has its numbers, its kind, and which of its elements lie in
memory of tensors that were found before it.
"""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import functools
import itertools
import operator
import types
from collections.abc import Iterator
from typing import Any

import numpy

import tritonflow as flow
from tritonflow.errors import BatchedValueError, InplaceError, TritonflowError
from tritonflow.graph.api.compiled_module import CompiledModule
from tritonflow.graph.api.function import CapturedFunction
from tritonflow.optim.lr_scheduler import LRScheduler

_SIMPLE = (type(None), bool, int, float, complex, str, bytes, range, slice, type(Ellipsis), numpy.generic, flow.dtype, flow.device)
_MODULE_NAMES = set(vars(flow.nn.Module()))
_DEEPEST = 14


@dataclasses.dataclass(frozen=True)
class Value:
    """One thing.

    Attributes:
        kind: what has to be equal, as a text: a type, a length, a dtype and shape, or `is` and a path.
        numbers: what may differ by rounding, or None.
        memory: of a tensor's elements, by the order in which they were first found.
    """

    kind: str
    numbers: Any = None
    memory: tuple[int, ...] = ()


WRITTEN_VIEW = Value("a view that a function gave and that was written: eager mode refuses to tell its history")


class Snapshot:
    """Walks over what names lead to.

    Args:
        program: the name of the program's module, whose classes and functions are looked into.
        shared: whether `.grad` counts, and which memory is the same: not of a graph, which has its own.
    """

    def __init__(self, program: str, shared: bool) -> None:
        self.program, self.shared = program, shared
        self.found: dict[str, Value] = {}
        self._paths: dict[int, str] = {}
        self._alive: list[Any] = []  # an id is an object's while it lives
        self._elements: dict[int, int] = {}

    def add(self, path: str, value: Any, depth: int = 0) -> None:
        while isinstance(value, (CapturedFunction, CompiledModule)):
            value = value._captured.function if isinstance(value, CompiledModule) else value.function
        if isinstance(value, _SIMPLE) or isinstance(value, type) and not self._is_own(value):
            self.found[path] = _simple(value)
            return
        if not isinstance(value, tuple):
            if id(value) in self._paths:
                self.found[path] = Value(f"is {self._paths[id(value)]}")
                return
            self._paths[id(value)] = path
        self._alive.append(value)
        if depth > _DEEPEST:
            self.found[path] = Value(type(value).__name__)
        elif isinstance(value, flow.Tensor):
            self._add_tensor(path, value)
        elif isinstance(value, numpy.ndarray):
            self.found[path] = Value(f"{value.dtype}{list(value.shape)}", value.copy(), self._memory(value.ctypes.data, value.shape, value.strides, 1))
        else:
            children = list(self._children(value))
            self.found[path] = Value(f"{type(value).__name__}{_size(value)}")
            for step, child in children:
                self.add(path + step, child, depth + 1)

    def _add_tensor(self, path: str, t: Any) -> None:
        kind = f"{t.dtype} {list(t.shape)}"
        if self.shared:
            try:
                kind += " requires grad" * t.requires_grad + " leaf" * t.is_leaf
            except InplaceError:  # of a function's output that is a view, and was written
                self.found[path] = WRITTEN_VIEW
                return
        numbers = _numbers(t)
        if isinstance(numbers, str):
            self.found[path] = Value(numbers)
            return
        memory = self._memory(t.ptr, t.shape, t.stride(), t.element_size()) if t.numel() else ()
        self.found[path] = Value(f"{type(t).__name__} {kind}", numbers, memory)
        if self.shared and t.is_leaf:
            grad = t.grad
            self.found[f"{path}.grad"] = Value("None") if grad is None else Value(f"{grad.dtype} {list(grad.shape)}", _numbers(grad))
        for key, child in getattr(t, "__dict__", {}).items():
            if not key.startswith("_"):
                self.add(f"{path}.{key}", child, _DEEPEST)

    def _memory(self, start: int, shape: Any, strides: Any, itemsize: int) -> tuple[int, ...]:
        """The elements' places, in the order of their indices."""
        if not self.shared:
            return ()
        places = [start + itemsize * sum(map(operator.mul, index, strides)) for index in itertools.product(*map(range, shape))]
        return tuple(self._elements.setdefault(place, len(self._elements)) for place in places)

    def _children(self, value: Any) -> Iterator[tuple[str, Any]]:
        """What something leads to, without calling anything of the program."""
        if isinstance(value, flow.nn.Module):
            yield from _children_of_module(value)
        elif isinstance(value, flow.optim.Optimizer):
            yield from _children_of_optimizer(value)
        elif isinstance(value, (LRScheduler, flow.amp.GradScaler)):
            state: dict[str, Any] = {}
            with contextlib.suppress(BatchedValueError):  # of a step inside of vmap
                state = value.state_dict()
            for name, child in state.items():
                if isinstance(child, (*_SIMPLE, list)):
                    yield f".{name}", child
        elif isinstance(value, dict):
            for number, (key, child) in enumerate(dict.items(value)):
                yield (f"[{key!r}]" if isinstance(key, (str, int, float, bool, tuple)) else f"<{number}>"), child
        elif isinstance(value, (list, tuple, collections.deque)):
            iterate = {list: list.__iter__, tuple: tuple.__iter__, collections.deque: collections.deque.__iter__}
            yield from ((f"[{k}]", child) for k, child in enumerate(next(it for t, it in iterate.items() if isinstance(value, t))(value)))
        elif isinstance(value, functools.partial):
            yield from ((".func", value.func), (".args", value.args), (".keywords", value.keywords))
        elif isinstance(value, types.MethodType):
            yield from ((".__self__", value.__self__), (".__func__", value.__func__))
        elif isinstance(value, functools._lru_cache_wrapper):
            yield ".cache_info()", tuple(value.cache_info())
        yield from self._own_children(value)

    def _own_children(self, value: Any) -> Iterator[tuple[str, Any]]:
        """The attributes of the program's functions, classes, and objects."""
        if isinstance(value, types.FunctionType) and value.__module__ == self.program:
            for number, cell in enumerate(value.__closure__ or ()):
                try:
                    yield f".__closure__[{number}].cell_contents", cell.cell_contents
                except ValueError:
                    continue
            yield from ((".__defaults__", value.__defaults__), (".__kwdefaults__", value.__kwdefaults__), (".__dict__", value.__dict__))
        elif isinstance(value, type):
            for name, child in list(vars(value).items()):
                if not (name.startswith("__") or name == "_abc_impl"):
                    yield f".{name}", child
        elif isinstance(value, (flow.nn.Module, flow.optim.Optimizer)):
            return
        elif isinstance(value, (types.SimpleNamespace, types.ModuleType)) or self._is_own(type(value)):
            for name, child in list(_attributes(value).items()):
                if not name.startswith("__"):
                    yield f".{name}", child
            for name in [n for t in type(value).__mro__ if self._is_own(t) for n in _slots(t)]:
                if isinstance(vars(type(value)).get(name), types.MemberDescriptorType) and hasattr(value, name):
                    yield f".{name}", getattr(value, name)

    def _is_own(self, kind: type) -> bool:
        return getattr(kind, "__module__", "") == self.program


def _attributes(value: Any) -> dict[str, Any]:
    """The attributes that are stored in an object, without its `__getattribute__`."""
    try:
        return object.__getattribute__(value, "__dict__")
    except AttributeError:
        return {}


def _numbers(t: Any) -> Any:
    """The values of a tensor, or that it has none: it is of a capture, and was left behind. Nobody notices: no memory is lent."""
    try:
        values = numpy.array(t.detach().tolist())
        return values.astype(numpy.float64) if t.dtype.is_floating_point else values
    except TritonflowError:
        return "a tensor without a value"


def _slots(kind: type) -> tuple[str, ...]:
    slots = vars(kind).get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


def _simple(value: Any) -> Value:
    if isinstance(value, (float, complex, numpy.floating)):
        return Value(type(value).__name__, numpy.asarray(value))
    return Value(f"{type(value).__name__} {value!r}")


def _size(value: Any) -> str:
    """Lengths, and the items of sets."""
    if isinstance(value, (set, frozenset)):
        return f" of {sorted(map(repr, value))}"
    if isinstance(value, dict):
        keys = [k if isinstance(k, (str, int, float, bool, tuple)) else type(k).__name__ for k in dict.keys(value)]
        return f" of {keys}"
    if isinstance(value, (list, tuple, collections.deque)):
        return f" of {tuple.__len__(value) if isinstance(value, tuple) else list.__len__(value) if isinstance(value, list) else len(value)}"
    if isinstance(value, BaseException):
        return f" {value.args!r}"
    return ""


def _children_of_module(module: Any) -> Iterator[tuple[str, Any]]:
    yield ".training", module.training
    for kind in ("_parameters", "_buffers", "_modules"):
        for name, child in vars(module)[kind].items():
            yield f".{name}", child
    for name, child in list(vars(module).items()):
        if name not in _MODULE_NAMES and not name.startswith("_"):
            yield f".{name}", child


def _children_of_optimizer(optimizer: Any) -> Iterator[tuple[str, Any]]:
    for number, group in enumerate(optimizer.param_groups):
        for name, child in group.items():
            yield f".param_groups[{number}][{name!r}]", child
        for k, parameter in enumerate(group["params"]):
            state = optimizer.state.get(parameter, {})
            for name in sorted(state):
                child = state[name]
                yield f".state[{number}, {k}][{name!r}]", _numbers(child) if isinstance(child, flow.Tensor) else child

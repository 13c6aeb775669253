"""The casts that autocast inserts: which arguments of a function, to which dtype.

The registry gives a function a rule (`autocast: lower`, `float32`, `float32_result`, `widest`). For such a function `with_casts`
makes a second functor, which casts first. While some thread has autocast on, the names by which the binding calls functors stand
for the second ones (`bind_casts`). So a function without a rule never asks for autocast, and no function does while it is off.

Casts are ordinary ops: differentiable, and captured in graphs like any other. float64 and integers are never cast.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from tritonflow.dtypes import DType, bfloat16, float16, float32, float64, promote_types
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.dispatch import dispatch1
from tritonflow.thread_state import thread_state

DEFAULT_DTYPES: Mapping[str, DType] = {"cpu": bfloat16, "cuda": float16}

_cast = op_expr("cast")
Rule = Callable[["AutocastState", list[Tensor]], list[Tensor]]


class CachedCast(NamedTuple):
    """The cast of a parameter, right while the parameter has this version."""

    parameter: Tensor
    version: int
    cast: Tensor


@dataclass(frozen=True)
class AutocastState:
    """What autocast does in a thread.

    Args:
        enabled: the types of device on which it is on.
        dtypes: for each type of device the dtype of the ops that are computed in lower precision.
        cache_enabled: whether a parameter is cast once instead of at each use.
        cache: the casts of parameters by what they depend on, shared by nested regions.
    """

    enabled: frozenset[str] = frozenset()
    dtypes: Mapping[str, DType] = field(default_factory=lambda: DEFAULT_DTYPES)
    cache_enabled: bool = True
    cache: dict[Any, CachedCast] = field(default_factory=dict)


def without_casts(state: AutocastState | None) -> AutocastState | None:
    """The same switches, with a cache of its own: for what outlives a region, whose casts and parameters it would keep."""
    return None if state is None else replace(state, cache={})


class _Names(NamedTuple):
    """The names of a namespace that autocast changes, with their functors.

    Attributes:
        namespace: the dictionary of a module.
        plain: what the names stand for.
        casting: what they stand for while some thread has autocast on.
    """

    namespace: dict[str, Any]
    plain: dict[str, Any]
    casting: dict[str, Any]


class _Binding:
    """The namespaces in which functors have names, and how many threads have autocast on."""

    def __init__(self) -> None:
        self.threads = 0
        self.names: list[_Names] = []
        self.lock = threading.Lock()

    def count(self, change: int) -> None:
        """Note that as many threads more have autocast on; the first and the last one switch the names."""
        with self.lock:
            before, self.threads = self.threads, self.threads + change
            if bool(before) != bool(self.threads):
                for names in self.names:
                    names.namespace.update(names.casting if self.threads else names.plain)


binding = _Binding()


def bind_casts(namespace: dict[str, Any], casting: Mapping[str, Any]) -> None:
    """Let those names of a namespace that `casting` has stand for its functors while some thread has autocast on."""
    names = namespace.keys() & casting.keys()
    binding.names.append(_Names(namespace, {n: namespace[n] for n in names}, {n: casting[n] for n in names}))


def set_state(state: AutocastState | None) -> None:
    """Change what autocast does in this thread."""
    before = thread_state.autocast
    thread_state.autocast = state
    binding.count(_is_on(state) - _is_on(before))


def is_on() -> bool:
    """Whether autocast is on in this thread, for any type of device."""
    return _is_on(thread_state.autocast)


def _is_on(state: AutocastState | None) -> bool:
    return state is not None and bool(state.enabled)


def with_casts(functor: Callable[..., Any], rule: str) -> Callable[..., Any]:
    """A functor that casts its tensor arguments by a rule where autocast is on, unless it overwrites one of them.

    Args:
        rule: "lower", "float32", "float32_result" or "widest".
    """
    if rule == "float32_result":
        return _with_float32_result(functor)
    cast = _RULES[rule]
    parameters = functor.__code__.co_varnames[: functor.__code__.co_argcount]
    inplace = parameters.index("inplace") if "inplace" in parameters else None

    @functools.wraps(functor)
    def casting(*args: Any, **options: Any) -> Any:
        state = thread_state.autocast
        overwrites = options.get("inplace") or (inplace is not None and any(args[inplace : inplace + 1]))
        if state is None or not state.enabled or overwrites:
            return functor(*args, **options)
        tensors = [t for value in (*args, *options.values()) for t in _tensors(value) if _is_eligible(state, t)]
        found = {id(t): c for t, c in zip(tensors, cast(state, tensors))}
        return functor(
            *[_replaced(value, found) for value in args], **{k: _replaced(value, found) for k, value in options.items()}
        )

    return casting


def _with_float32_result(functor: Callable[..., Any]) -> Callable[..., Any]:
    """A functor that is given dtype=float32 where autocast would cast an argument to it."""

    @functools.wraps(functor)
    def casting(*args: Any, **options: Any) -> Any:
        state = thread_state.autocast
        if state is not None and state.enabled:
            tensors = [t for value in (*args, *options.values()) for t in _tensors(value) if _is_eligible(state, t)]
            if any(t.meta.dtype is not float32 for t in tensors):
                options["dtype"] = float32
        return functor(*args, **options)

    return casting


def _tensors(value: Any) -> list[Tensor]:
    if isinstance(value, Tensor):
        return [value]
    return [t for t in value if isinstance(t, Tensor)] if isinstance(value, (tuple, list)) else []


def _replaced(value: Any, found: dict[int, Tensor]) -> Any:
    if isinstance(value, (tuple, list)) and any(id(v) in found for v in value):
        return type(value)([found.get(id(v), v) for v in value])
    return found.get(id(value), value)


def _is_eligible(state: AutocastState, x: Tensor) -> bool:
    dtype = x.meta.dtype
    return dtype.is_floating_point and dtype is not float64 and x.meta.device.type in state.enabled


def _lower(state: AutocastState, tensors: list[Tensor]) -> list[Tensor]:
    return [_cast_to(state, x, state.dtypes[x.meta.device.type]) for x in tensors]


def _float32(state: AutocastState, tensors: list[Tensor]) -> list[Tensor]:
    return [_cast_to(state, x, float32) for x in tensors]


def _widest(state: AutocastState, tensors: list[Tensor]) -> list[Tensor]:
    dtypes = {x.meta.dtype for x in tensors}
    return tensors if len(dtypes) < 2 else [_cast_to(state, x, functools.reduce(promote_types, dtypes)) for x in tensors]


_RULES: dict[str, Rule] = {"lower": _lower, "float32": _float32, "widest": _widest}


def _cast_to(state: AutocastState, x: Tensor, dtype: DType) -> Tensor:
    meta = x.meta
    if meta.dtype is dtype:
        return x
    is_parameter = meta.dtype is float32 and x.requires_grad and x.is_leaf and x._view is None
    if not (is_parameter and state.cache_enabled and dtype in (float16, bfloat16)):
        return dispatch1(_cast, x, (dtype,))
    # A cast is shared neither by regions that record and that do not, nor by eager mode and a capture, nor by two captures.
    cache = thread_state.observer.casts_beside(state.cache)
    key = id(x), dtype, thread_state.grad_enabled
    version = x.impl.version
    found = cache.get(key)
    if found is None or found.version != version:
        found = cache[key] = CachedCast(x, version, dispatch1(_cast, x, (dtype,)))
    return found.cast

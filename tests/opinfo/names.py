"""From an OpInfo of torch to the same op here."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any

import tritonflow as flow

REFUSED = ("to_sparse", "sparse.mm", "sparse.sampled_addmm")  # of sparse tensors, which tests/sparse compares


def named(path: str) -> Any | None:
    """What stands at a dotted path under `flow`, or None."""
    found: Any = flow
    for part in path.split("."):
        found = getattr(found, part, None)
        if found is None:
            return None
    return found


def written_here(function: Callable[..., Any]) -> Callable[..., Any]:
    """A Python function of torch's tests, with `flow` wherever its source says `torch`."""
    if not isinstance(function, types.FunctionType):
        return function
    scope = {**function.__globals__, "torch": flow}
    copy = types.FunctionType(function.__code__, scope, function.__name__, function.__defaults__, function.__closure__)
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy


def op_of(info: Any) -> Callable[..., Any] | None:
    """The function here that stands for an OpInfo, or None where the name is missing."""
    path = info.name.removeprefix("torch.")
    if path in REFUSED:
        return None
    direct = named(path)
    exists = callable(direct) and not isinstance(direct, (flow.dtype, type))
    if getattr(info.op, "__name__", "") == "<lambda>":  # it puts the samples' arguments in order
        return written_here(info.op) if exists or _is_method(path) or _is_method(f"{path}_") else None
    if exists:
        return direct
    if path.startswith("_") and isinstance(info.op, types.BuiltinFunctionType):  # the function has another name than the info
        return named(info.op.__name__)
    method = getattr(flow.Tensor, path, None)
    return method if callable(method) else None


def _is_method(path: str) -> bool:
    return path.startswith("__") or getattr(flow.Tensor, path.lstrip("_"), None) is not None


def inplace_of(info: Any) -> Callable[..., Any] | None:
    """The in-place form here of an OpInfo that has one."""
    inplace = info.get_inplace()
    if inplace is None:
        return None
    if isinstance(inplace, functools.partial):  # a function of torch.nn.functional with inplace=True
        function = op_of(info)
        return functools.partial(function, **inplace.keywords) if function is not None else None
    if isinstance(inplace, types.FunctionType):
        return written_here(inplace)
    return getattr(flow.Tensor, inplace.__name__, None)

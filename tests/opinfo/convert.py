"""Samples of torch as arguments of ours, and results side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import torch

import tritonflow as flow


class NotHere(Exception):
    """A sample has something that does not exist here, a dtype for instance."""


def _dtype(value: torch.dtype) -> Any:
    found = getattr(flow, str(value).removeprefix("torch."), None)
    if found is None:
        raise NotHere(str(value))
    return found


def _tensor(value: torch.Tensor) -> Any:
    if value.layout is not torch.strided:
        raise NotHere(str(value.layout))
    dtype = _dtype(value.dtype)
    if value.is_meta:
        return flow.empty_strided(tuple(value.shape), value.stride(), dtype=dtype, device="meta", requires_grad=value.requires_grad)
    mine = flow.from_torch(_own_memory(value))
    return mine.requires_grad_(True) if value.requires_grad else mine


def _own_memory(value: torch.Tensor) -> torch.Tensor:
    """The same values, strides and offset in memory of its own."""
    value = value.detach().resolve_conj().resolve_neg()
    size = (
        value.storage_offset() + sum((n - 1) * s for n, s in zip(value.shape, value.stride())) + 1
        if value.numel()
        else 0
    )
    memory = torch.empty(size, dtype=value.dtype)
    copy = memory.as_strided(value.shape, value.stride(), value.storage_offset() if size else 0)
    if size:
        memory.copy_(value.as_strided((size,), (1,), 0) if value.untyped_storage().nbytes() else memory)
    return copy


def mapped(tree: Any, leaf: Callable[[Any], Any]) -> Any:
    """The same tree of tuples, lists, dicts and slices with other leaves."""
    if isinstance(tree, (torch.Size, flow.Size)):
        return tuple(leaf(n) for n in tree)
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return type(tree)(*(mapped(v, leaf) for v in tree))
    if isinstance(tree, (tuple, list)):
        return type(tree)(mapped(v, leaf) for v in tree)
    if isinstance(tree, Mapping):
        return {k: mapped(v, leaf) for k, v in tree.items()}
    if isinstance(tree, slice):
        return slice(mapped(tree.start, leaf), mapped(tree.stop, leaf), mapped(tree.step, leaf))
    return leaf(tree)


def ours(tree: Any) -> Any:
    """Arguments for `flow`, in memory of their own."""

    def leaf(value: Any) -> Any:
        if isinstance(value, torch.Tensor):
            return _tensor(value)
        if isinstance(value, torch.dtype):
            return _dtype(value)
        if isinstance(value, torch.device):
            return flow.device(str(value))
        if isinstance(value, (torch.memory_format, torch.layout)):
            name = str(value).removeprefix("torch.")
            if not hasattr(flow, name):
                raise NotHere(str(value))
            return getattr(flow, name)
        if isinstance(value, torch.nn.Module):
            return getattr(flow.nn, type(value).__name__)()
        if isinstance(value, torch.Generator):
            raise NotHere("a generator")
        return value

    return mapped(tree, leaf)


def theirs(tree: Any) -> Any:
    """Arguments for torch, in memory of their own."""

    def leaf(value: Any) -> Any:
        if isinstance(value, torch.Tensor) and value.layout is torch.strided and not value.is_meta:
            return _own_memory(value).requires_grad_(value.requires_grad)
        return value

    return mapped(tree, leaf)


def tensors(tree: Any) -> list[Any]:
    """The tensors of a tree, from left to right."""
    found: list[Any] = []
    mapped(tree, lambda v: found.append(v) if isinstance(v, (torch.Tensor, flow.Tensor)) else None)
    return found


def leaves(tree: Any) -> list[Any]:
    found: list[Any] = []
    mapped(tree, found.append)
    return found


def as_torch(value: Any) -> Any:
    return flow.to_torch(value.detach()) if isinstance(value, flow.Tensor) else value

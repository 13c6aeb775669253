"""Functors of memory formats: a tensor laid out as contiguous or as channels-last, by a copy where it does not lie so."""

from __future__ import annotations

from tritonflow.binding.library import functor
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.memory_format import (
    MemoryFormat,
    channels_last,
    channels_last_3d,
    check_rank,
    contiguous_format,
    first_order,
    last_order,
    lies_in,
    preserve_format,
    suggested_format,
)
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.view import unshared
from tritonflow.functions.view_orders import permute
from tritonflow.interpreter.dispatch import dispatch1

_contiguous = op_expr("contiguous_copy")


@functor("Contiguous")
def contiguous_in(input: Tensor, memory_format: MemoryFormat | None = None) -> Tensor:
    if memory_format is None or memory_format is contiguous_format:
        meta = input.meta
        alike = meta.lies_contiguous() if meta.is_local else meta.on_one_rank.is_contiguous
        return input if alike else dispatch1(_contiguous, input)
    if memory_format is preserve_format:
        return input
    check_rank(memory_format, input.meta.ndim)
    return input if lies_in(input.meta.on_one_rank, memory_format) else copied(input, memory_format)


def in_format(input: Tensor, memory_format: MemoryFormat | None) -> Tensor:
    """The tensor in a format, as `Tensor.to` gives it: itself where its strides speak for that format already."""
    if memory_format is None or memory_format is preserve_format:
        return input
    check_rank(memory_format, input.meta.ndim)
    meta = input.meta.on_one_rank
    alike = lies_in(meta, memory_format) and suggested_format(meta) is memory_format
    return input if alike else copied(input, memory_format)


def copied(input: Tensor, memory_format: MemoryFormat) -> Tensor:
    """A copy in a format."""
    check_rank(memory_format, input.meta.ndim)
    if memory_format is contiguous_format:
        return dispatch1(_contiguous, input)  # type: ignore[no-any-return]
    copy = dispatch1(_contiguous, permute(input, last_order(input.meta.ndim)))
    return unshared(permute(copy, first_order(input.meta.ndim)))


def format_like(like: Tensor, memory_format: MemoryFormat | None) -> MemoryFormat:
    """The format of a new tensor beside another one: the format given, else that of the other one."""
    if memory_format is not None and memory_format is not preserve_format:
        return memory_format
    meta = like.meta.on_one_rank
    return (
        channels_last if meta.is_channels_last else channels_last_3d if meta.is_channels_last_3d else contiguous_format
    )

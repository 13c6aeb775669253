"""Sequences of tensors, which are lists."""

from __future__ import annotations

from typing import Any

import tritonflow as flow
from tritonflow.onnx.reading.table import op
from tritonflow.onnx.reading.values import as_list, as_number, known, positive


@op("SequenceEmpty")
def _empty(node: Any) -> Any:
    return []


@op("SequenceConstruct")
def _construct(node: Any, *values: Any) -> Any:
    return list(values)


@op("SequenceInsert", numbers=(2,))
def _insert(node: Any, values: Any, value: Any, position: Any = None) -> Any:
    at = int(as_number(position, len(values)))
    if not -len(values) <= at <= len(values):
        raise IndexError(f"position {at} is out of range for a sequence of {len(values)}")
    return [*values[:at], value, *values[at:]]


@op("SequenceErase", numbers=(1,))
def _erase(node: Any, values: Any, position: Any = None) -> Any:
    at = positive(int(as_number(position, -1)), len(values))
    return [*values[:at], *values[at + 1 :]]


@op("SequenceAt", numbers=(1,))
def _at(node: Any, values: Any, position: Any) -> Any:
    return values[positive(int(as_number(position)), len(values))]


@op("SequenceLength")
def _length(node: Any, values: Any) -> Any:
    return known(len(values))


@op("ConcatFromSequence")
def _concat(node: Any, values: Any) -> Any:
    return flow.stack(values, node.get("axis")) if node.get("new_axis", 0) else flow.cat(values, node.get("axis"))


@op("SplitToSequence", numbers=(1,))
def _split(node: Any, x: Any, sizes: Any = None) -> Any:
    axis = node.get("axis", 0)
    if sizes is None:
        parts = list(flow.split(x, 1, axis))
        return parts if node.get("keepdims", 1) else [flow.squeeze(part, axis) for part in parts]
    whole = sizes.rank == 0 if hasattr(sizes, "rank") else sizes.ndim == 0
    return list(flow.split(x, as_number(sizes) if whole else as_list(sizes), axis))

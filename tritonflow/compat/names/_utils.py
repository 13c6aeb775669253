"""OneFlow's `_utils`: the functions that it took from torch's."""

from __future__ import annotations

from typing import Any

import tritonflow as flow


def _flatten_dense_tensors(tensors: Any) -> Any:
    return flow.cat([tensor.reshape(-1) for tensor in tensors])


def _unflatten_dense_tensors(flat: Any, tensors: Any) -> tuple[Any, ...]:
    parts = flow.split(flat, [tensor.numel() for tensor in tensors])
    return tuple(part.view(tensor.shape) for part, tensor in zip(parts, tensors))


__all__ = ["_flatten_dense_tensors", "_unflatten_dense_tensors"]

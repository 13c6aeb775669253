"""`torch.utils._foreach_utils`: how optimizers that others write group their tensors."""

from __future__ import annotations

from typing import Any


def _get_foreach_kernels_supported_devices() -> list[str]:
    return ["cpu", "cuda"]


def _get_fused_kernels_supported_devices() -> list[str]:
    return ["cpu", "cuda"]


def _has_foreach_support(tensors: Any, device: Any) -> bool:
    return True


def _group_tensors_by_device_and_dtype(
    tensorlistlist: Any, with_indices: bool = False
) -> dict[tuple[Any, Any], tuple[list[list[Any]], list[int]]]:
    """By device and dtype of the first list's tensors: the lists of those, and their positions."""
    found: dict[tuple[Any, Any], tuple[list[list[Any]], list[int]]] = {}
    for index, each in enumerate(zip(*[values or [None] * len(tensorlistlist[0]) for values in tensorlistlist])):
        lists, indices = found.setdefault((each[0].device, each[0].dtype), ([[] for _ in tensorlistlist], []))
        indices.append(index)
        for values, value in zip(lists, each):
            values.append(value)
    return found

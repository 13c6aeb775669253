"""From a list of samples to a batch: each leaf of the samples' structure becomes one tensor with a batch dimension."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy

from tritonflow import _C
from tritonflow.binding import data_exchange, new_tensors
from tritonflow.device.torch_exchange import is_tensor
from tritonflow.framework.tensor import Tensor


def default_collate(batch: Sequence[Any]) -> Any:
    """Stack samples: tensors and arrays along a new first dimension, numbers into a vector.

    Mappings, tuples and lists are gone through, texts stay lists. Ints become int64, floats float64, as with torch.

    Raises:
        TypeError: a leaf of another kind.
        RuntimeError: leaves of different shapes, or sequences of different lengths.

    Source: torch.utils.data.default_collate.

    Example:
        >>> from tritonflow.utils.data import default_collate
        >>> x, y = default_collate([([1.0, 2.0], 0), ([3.0, 4.0], 1)])
        >>> y.tolist()
        [0, 1]
    """
    first = batch[0]
    if isinstance(first, Tensor):
        return _stack_tensors(batch)
    if is_tensor(first):
        return _stack_tensors([data_exchange.from_torch(t) for t in batch])
    if isinstance(first, numpy.ndarray):
        if first.dtype.kind in "SUOMm":
            raise TypeError(f"default_collate: arrays of dtype {first.dtype} have no tensor")
        return data_exchange.from_numpy(_stack_arrays(batch))
    if isinstance(first, (str, bytes)):
        return list(batch)
    if isinstance(first, (bool, numpy.bool_)):
        return data_exchange.from_numpy(numpy.array(batch, dtype=numpy.bool_))
    if isinstance(first, numpy.generic):
        return data_exchange.from_numpy(numpy.array(batch))
    if isinstance(first, float):
        return data_exchange.from_numpy(numpy.array(batch, dtype=numpy.float64))
    if isinstance(first, int):
        return new_tensors.tensor(list(batch))  # floats may follow the first int
    if isinstance(first, Mapping):
        return _rebuild_mapping(first, {key: default_collate([sample[key] for sample in batch]) for key in first})
    if isinstance(first, Sequence):
        if any(len(sample) != len(first) for sample in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        columns = [default_collate(column) for column in zip(*batch)]
        return type(first)(*columns) if hasattr(first, "_fields") else columns
    raise TypeError(
        "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; "
        f"found {type(first)}. help: give the DataLoader a collate_fn"
    )


def default_convert(data: Any) -> Any:
    """One sample without a batch dimension: arrays and torch tensors become tensors of ours."""
    return map_leaves(data, _convert)


def map_leaves(data: Any, function: Callable[[Any], Any]) -> Any:
    """Apply a function to every leaf of nested mappings, tuples and lists."""
    if isinstance(data, Mapping):
        return _rebuild_mapping(data, {key: map_leaves(value, function) for key, value in data.items()})
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return type(data)(*(map_leaves(value, function) for value in data))
    if isinstance(data, (list, tuple)):
        return type(data)(map_leaves(value, function) for value in data)
    return function(data)


def _convert(leaf: Any) -> Any:
    if is_tensor(leaf):
        return data_exchange.from_torch(leaf)
    if isinstance(leaf, (numpy.ndarray, numpy.generic)) and leaf.dtype.kind not in "SUOMmV":
        return data_exchange.from_numpy(numpy.array(leaf))
    return leaf


def _rebuild_mapping(like: Mapping[Any, Any], values: dict[str, Any]) -> Any:
    try:
        return type(like)(values)  # type: ignore[call-arg]
    except TypeError:  # a mapping that is not made from a dict
        return values


def _stack_tensors(batch: Sequence[Tensor]) -> Tensor:
    by_numpy = all(t.device.type == "cpu" and t.dtype.has_numpy and not t.requires_grad for t in batch)
    if not by_numpy:
        return _C.stack(list(batch), 0)
    return data_exchange.from_numpy(_stack_arrays([t.numpy() for t in batch]))


def _stack_arrays(arrays: Sequence[numpy.ndarray]) -> numpy.ndarray:
    for i, array in enumerate(arrays):
        if array.shape != arrays[0].shape:
            raise RuntimeError(
                f"stack expects each tensor to be equal size, but got {list(arrays[0].shape)} at entry 0 "
                f"and {list(array.shape)} at entry {i}"
            )
    return numpy.stack(arrays)

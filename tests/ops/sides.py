"""One call on both sides: the same values in the same memory layout, given to torch and to us, and what came back compared."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy
import torch

import tritonflow as flow
from tests import where
from tritonflow.device.torch_exchange import from_torch_dtype
from tritonflow.testing import assert_close


def twin(t: torch.Tensor) -> torch.Tensor:
    """The same values, strides and offset in a storage of its own."""
    storage = t.untyped_storage().clone()
    return torch.empty(0, dtype=t.dtype).set_(storage, t.storage_offset(), t.shape, t.stride())


def twins(value: Any) -> Any:
    """Arguments for torch."""
    return convert(value, twin, lambda dtype: dtype)


def ours(value: Any) -> Any:
    """Arguments for us."""
    return convert(value, lambda t: where.there(twin(t)), from_torch_dtype)


def convert(value: Any, tensor: Callable[[torch.Tensor], Any], dtype: Callable[[torch.dtype], Any]) -> Any:
    """Nested arguments with their tensors and dtypes replaced."""
    if isinstance(value, torch.Tensor):
        return tensor(value)
    if isinstance(value, torch.dtype):
        return dtype(value)
    if isinstance(value, (list, tuple)):
        return type(value)(convert(v, tensor, dtype) for v in value)
    if isinstance(value, dict):
        return {k: convert(v, tensor, dtype) for k, v in value.items()}
    return value


def attempt(function: Callable[..., Any], args: Any, kwargs: Any) -> tuple[Any, Exception | None]:
    """The result, or the error."""
    try:
        with warnings.catch_warnings(), numpy.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            result = function(*args, **kwargs)
            if where.device != "cpu":  # which finds a bad index behind the call
                flow.sync()
            return result, None
    except Exception as error:
        return None, error


def is_unsupported(error: Exception) -> bool:
    """Whether torch says that it has no kernel for the dtype."""
    text = str(error)
    needles = ("not implemented for", "not supported", "unsupported dtype", "Expected dtype", "only supports", "does not support")
    return isinstance(error, (RuntimeError, NotImplementedError)) and any(needle in text for needle in needles)


def compare_with_exact(actual: Any, exact: Any, own: Any, dtype: torch.dtype, op_class: str, context: str) -> None:
    """Shapes and dtypes are those of `own`, torch's result in `dtype`; values are those of `exact`, computed in float64.

    What torch's own arithmetic in `dtype` makes infinite or NaN on the way may be so here: both have the dtype's range.
    """
    if isinstance(own, (tuple, list)):
        assert isinstance(actual, (tuple, list)) and len(actual) == len(own), f"{context}: got {actual!r}, torch gives {len(own)} values"
        for parts in zip(actual, exact, own):
            compare_with_exact(*parts, dtype, op_class, context)
        return
    if not isinstance(own, torch.Tensor) or own.dtype not in WIDER or not own.dtype.is_floating_point:
        compare(actual, own, op_class, context)
        return
    assert isinstance(actual, flow.Tensor), f"{context}: got {type(actual).__name__}, torch gives a tensor"
    found = flow.to_torch(actual).cpu()
    assert (found.shape, found.dtype) == (own.shape, own.dtype), f"{context}: got {found.shape}, {found.dtype}, not {own.shape}, {own.dtype}"
    expected = exact.to(own.dtype)
    overflowed = ~own.isfinite() & ((found == own) | (found.isnan() & own.isnan()))
    compare(flow.from_torch(torch.where(overflowed, expected, found)), expected, op_class, context)


def compare(actual: Any, expected: Any, op_class: str, context: str) -> None:
    """Same nesting, shapes, dtypes, values; two NaNs are equal."""
    if isinstance(expected, torch.Tensor):
        assert isinstance(actual, flow.Tensor), f"{context}: got {type(actual).__name__}, torch gives a tensor"
        try:
            assert_close(flow.to_torch(actual).cpu(), expected, op_class=op_class, equal_nan=True)
        except AssertionError as error:
            raise AssertionError(f"{context}\n{error}") from None
    elif isinstance(expected, (tuple, list)):
        assert isinstance(actual, (tuple, list)), f"{context}: got {type(actual).__name__}, torch gives {len(expected)} values"
        assert len(actual) == len(expected), f"{context}: got {len(actual)} values, torch gives {len(expected)}"
        for a, e in zip(actual, expected):
            compare(a, e, op_class, context)
    else:
        assert actual == expected, f"{context}: got {actual!r}, torch gives {expected!r}"


WIDER = dict.fromkeys((torch.float16, torch.bfloat16, torch.float32), torch.float64)


def widened(value: Any, dtype: torch.dtype) -> Any:
    """The same arguments in float64, strides and offsets too: what the result is without torch's own rounding."""
    wide = WIDER[dtype]

    def tensor(t: torch.Tensor) -> torch.Tensor:
        if t.dtype != dtype:
            return twin(t)
        storage = t.untyped_storage()
        memory = torch.empty(0, dtype=dtype).set_(storage, 0, (storage.nbytes() // t.itemsize,), (1,))
        return memory.to(wide).as_strided(t.shape, t.stride(), t.storage_offset())

    return convert(value, tensor, lambda d: wide if d == dtype else d)


def narrowed(value: Any, dtype: torch.dtype) -> Any:
    """A result computed in the wider dtype back in `dtype`."""
    return convert(value, lambda t: t.to(dtype) if t.dtype == WIDER[dtype] else t, lambda d: d)

"""Conditions on arguments, with the words that OneFlow has for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow.errors import ArgumentTypeError, InvalidArgumentError
from tritonflow.framework.tensor import Tensor


def require(condition: bool, text: str) -> None:
    """Raises RuntimeError with the text unless the condition holds."""
    if not condition:
        raise InvalidArgumentError(text)


def require_type(condition: bool, text: str) -> None:
    """Raises TypeError with the text unless the condition holds."""
    if not condition:
        raise ArgumentTypeError(text)


def is_integer(x: Tensor) -> bool:
    """Whether a tensor holds int32 or int64, as an index does."""
    return str(x.dtype).rpartition(".")[2] in ("int32", "int64")


def same_dtype(a: Tensor, b: Tensor, names: str) -> None:
    """Raises TypeError unless both have one dtype; `names` such as "label and prediction"."""
    require_type(a.dtype == b.dtype, f"{names} are expected to have the same dtype, but found {a.dtype} and {b.dtype}")


def numbers(value: Any) -> Sequence[int]:
    """A sequence of ints, of one or several."""
    return (value,) if isinstance(value, int) else tuple(value)

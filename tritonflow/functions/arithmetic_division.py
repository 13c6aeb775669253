"""Functors of divisions that round."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import functor
from tritonflow.binding.target import beside
from tritonflow.errors import InvalidArgumentError
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.creation import full
from tritonflow.functions.elementwise import scalar_floor_divide, scalar_trunc_divide
from tritonflow.functions.generated import div, floor_divide, scalar_div, trunc_divide

Number = int | float | bool


@functor("DivRounded")
def div_rounded(input: Tensor, other: Tensor, rounding_mode: str | None = None) -> Any:
    if rounding_mode is None:
        return div(input, other)
    return _rounding(rounding_mode, floor_divide, trunc_divide)(input, other)


@functor("ScalarDivRounded")
def scalar_div_rounded(input: Tensor, other: Number, rounding_mode: str | None = None) -> Any:
    if rounding_mode is None:
        return scalar_div(input, other)
    return _rounding(rounding_mode, scalar_floor_divide, scalar_trunc_divide)(input, other)


@functor("ScalarDivRoundedReversed")
def scalar_div_rounded_reversed(input: Number, other: Tensor, rounding_mode: str | None = None) -> Any:
    return div_rounded(full((), input, **beside(other)), other, rounding_mode)


def _rounding(mode: str, floor: Any, trunc: Any) -> Any:
    """The division that rounds as asked."""
    if mode not in ("floor", "trunc"):
        raise InvalidArgumentError(f"div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '{mode}'")
    return floor if mode == "floor" else trunc

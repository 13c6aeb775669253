"""The functor of pad."""

from __future__ import annotations

from typing import Any

from tritonflow.errors import NotYetImplementedError, ShapeError
from tritonflow.framework.meta import contiguous_stride
from tritonflow.framework.tensor import Tensor
from tritonflow.functional.functors.cast import copy_
from tritonflow.functional.functors.creation import full
from tritonflow.functional.functors.view import as_strided, narrow
from tritonflow.functional.functors.view_gradients import set_region
from tritonflow.functional.library import functor
from tritonflow.functional.target import beside


@functor("Pad")
def pad(input: Tensor, pad: Any, mode: str = "constant", value: Any = 0) -> Tensor:
    """`value` around the last dimensions: pad = (before, after) of the last one, then of the one before, ...; negative cuts."""
    if mode != "constant":
        what = "Pad mode is {}, but only constant, reflect and replicate are valid." if mode not in ("reflect", "replicate") else (
            "pad(): mode {} is not supported yet, only constant"
        )
        raise NotYetImplementedError(what.format(mode))
    if len(pad) > 2 * input.meta.ndim:
        raise ShapeError(f"Pad size should less than or equal to input axes * 2. But got {len(pad)}")
    if len(pad) % 2:
        raise ShapeError(f"Length of pad must be even but instead it equals {len(pad)}")
    shape, start = list(input.meta.shape), [0] * input.meta.ndim
    for position in range(len(pad) // 2):
        dim = input.meta.ndim - 1 - position
        before, after = pad[2 * position : 2 * position + 2]
        n = input.meta.shape[dim]
        if n + before + after < 0:
            raise ShapeError(f"The input size {n}, plus negative padding {before} and {after}, resulted in a negative size")
        cut = max(-before, 0)
        length = n - cut - max(-after, 0)
        if length < 0:
            raise ShapeError("narrow(): length must be non-negative.")
        input = narrow(input, dim, cut, length)
        shape[dim], start[dim] = n + before + after, max(before, 0)
    stride = contiguous_stride(tuple(shape))
    elements = sum(s * step for s, step in zip(start, stride))
    if not value:
        return set_region(input, tuple(shape), stride, elements)
    result = full(tuple(shape), value, dtype=input.dtype, **beside(input))
    copy_(as_strided(result, input.meta.shape, stride, elements), input)
    return result  # type: ignore[no-any-return]

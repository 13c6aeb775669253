"""Products with weights of few bits under torch's names, which are private there.

torch packs codes of 4 bits in an order of its own, which it does not say; here it is that of `pack_codes`.
"""

from __future__ import annotations

from tritonflow import _C
from tritonflow.dtypes import int32, uint8
from tritonflow.errors import DTypeError, ShapeError
from tritonflow.framework.tensor import Tensor
from tritonflow.quantization.codes import pack_codes

_int_mm = _C.int_mm


def _weight_int8pack_mm(input: Tensor, mat2: Tensor, scales: Tensor) -> Tensor:
    """`input @ (mat2 * scales[:, None]).T`, of int8 (out, in) with a scale for each row."""
    return _C.quantized_linear(input, mat2, scales.reshape(-1, 1))


def _convert_weight_to_int4pack(input: Tensor, inner_k_tiles: int) -> Tensor:
    """Codes of 0 to 15 for `_weight_int4pack_mm`: bytes (out, in / 2), whose first one is in the upper bits."""
    if input.ndim != 2 or input.dtype is not uint8:
        raise DTypeError(
            f"_convert_weight_to_int4pack(): expected a matrix of uint8, but got {list(input.shape)} of {input.dtype}"
        )
    codes = _C.stack([input.to(int32) >> 4, input.to(int32) & 15], -1).reshape(input.shape[0], -1)
    return pack_codes(codes - 8)


def _convert_weight_to_int4pack_for_cpu(input: Tensor, inner_k_tiles: int) -> Tensor:
    """Codes of 0 to 15 for `_weight_int4pack_mm_for_cpu`: int32, (out, in)."""
    if input.ndim != 2 or input.dtype is not int32:
        raise DTypeError(
            f"_convert_weight_to_int4pack_for_cpu(): expected a matrix of int32, but got {list(input.shape)} of {input.dtype}"
        )
    return pack_codes(input - 8)


def _weight_int4pack_mm(input: Tensor, mat2: Tensor, group_size: int, scales_and_zeros: Tensor) -> Tensor:
    """`input @ W.T` with `W = (code - 8) * scale + zero`; scales and zeros are (groups, out, 2)."""
    if scales_and_zeros.ndim != 3 or scales_and_zeros.shape[-1] != 2:
        raise ShapeError(
            f"_weight_int4pack_mm(): expected scales and zeros of [groups, out, 2], but got {list(scales_and_zeros.shape)}"
        )
    scales, zeros = scales_and_zeros.select(2, 0).t(), scales_and_zeros.select(2, 1).t()
    return _C.quantized_linear(input, mat2, scales, zeros, form="int4", group=group_size)


_weight_int4pack_mm_for_cpu = _weight_int4pack_mm

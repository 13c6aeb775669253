"""Functors of products of int8, and of weights of few bits."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import functor
from tritonflow.dtypes import DType, bfloat16, float8_e4m3fn, float16, float32, int8, int32
from tritonflow.errors import DTypeError, InvalidArgumentError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.join_constant_pad import constant_pad_nd
from tritonflow.functions.matmul import check_product
from tritonflow.functions.view import contiguous, reshape, unshared
from tritonflow.interpreter.dispatch import dispatch, dispatch1, dispatch2

_quantized_linear = op_expr("quantized_linear")
_dequantize = op_expr("dequantize_weight")
_int_mm = op_expr("int_mm")
_scaled_int_mm = op_expr("scaled_int_mm")
_quantize_rows = op_expr("quantize_rows")
_scaled_mm_blocks = op_expr("scaled_mm_blocks")

HALVES_AND_SINGLES = (float32, float16, bfloat16)
FORMS = ("int8", "float8", "int4", "nf4")
BYTES = {"int8": int8, "float8": float8_e4m3fn}  # forms whose codes are bytes; of others words hold eight
CHUNK, WORDS = 256, 32  # elements of a row in so many words
BLOCK = 128  # columns, and rows, that share a scale in `scaled_mm_blocks`


@functor("IntMm")
def int_mm(input: Tensor, mat2: Tensor) -> Any:
    _check_bytes("int_mm", input, mat2)
    return dispatch2(_int_mm, input, mat2)


@functor("ScaledIntMm")
def scaled_int_mm(
    input: Tensor, mat2: Tensor, scale_a: Tensor, scale_b: Tensor, bias: Tensor | None = None, out_dtype: DType | None = None
) -> Any:
    _check_bytes("scaled_int_mm", input, mat2)
    dtype, (m, n) = out_dtype or float32, (input.meta.shape[0], mat2.meta.shape[1])
    if dtype not in HALVES_AND_SINGLES:
        raise DTypeError(f"scaled_int_mm(): out_dtype must be float32, float16 or bfloat16, but got {dtype}")
    for name, tensor, shape in (("scale_a", scale_a, (m, 1)), ("scale_b", scale_b, (1, n)), ("bias", bias, (n,))):
        if tensor is not None and tensor.meta.shape != shape:
            raise ShapeError(f"scaled_int_mm(): {name} must have the shape {list(shape)}, but got {list(tensor.meta.shape)}")
        if tensor is not None and tensor.meta.dtype not in HALVES_AND_SINGLES:
            raise DTypeError(f"scaled_int_mm(): {name} must be of float32, float16 or bfloat16, but got {tensor.meta.dtype}")
    return dispatch(_scaled_int_mm, (input, mat2, scale_a, scale_b, bias), (dtype,))


def _check_bytes(name: str, input: Tensor, mat2: Tensor) -> None:
    """Raises RuntimeError unless these are int8 matrices that can be multiplied."""
    for which, tensor in (("self", input), ("mat2", mat2)):
        if tensor.meta.ndim != 2:
            raise ShapeError(f"{name}(): expected {which} to be of dimension 2 but got {tensor.meta.ndim}")
        if tensor.meta.dtype is not int8:
            raise DTypeError(f"{name}(): expected {which} to be of dtype int8 but got {tensor.meta.dtype}")
    check_product(input.meta.shape, mat2.meta.shape, False, False)


@functor("ScaledMmBlocks")
def scaled_mm_blocks(
    input: Tensor, mat2: Tensor, scale_a: Tensor, scale_b: Tensor, bias: Tensor | None = None, out_dtype: DType | None = None
) -> Any:
    a, b, dtype = input.meta, mat2.meta, out_dtype or bfloat16
    for which, meta in (("input", a), ("mat2", b)):
        if meta.ndim != 2 or meta.dtype is not float8_e4m3fn:
            raise DTypeError(f"scaled_mm_blocks(): {which} must be a matrix of {float8_e4m3fn}, but is {meta}")
    check_product(a.shape, b.shape, False, False)
    if dtype not in HALVES_AND_SINGLES:
        raise DTypeError(f"scaled_mm_blocks(): out_dtype must be float32, float16 or bfloat16, but got {dtype}")
    (m, k), n = a.shape, b.shape[1]
    blocks = -(-k // BLOCK)
    for which, scale, shape in (("scale_a", scale_a, (m, blocks)), ("scale_b", scale_b, (blocks, -(-n // BLOCK)))):
        if scale.meta.shape != shape or scale.meta.dtype is not float32:
            raise ShapeError(f"scaled_mm_blocks(): {which} must be {list(shape)} numbers of float32, but is {scale.meta}")
    if bias is not None and (bias.meta.shape != (n,) or bias.meta.dtype not in HALVES_AND_SINGLES):
        raise ShapeError(f"scaled_mm_blocks(): bias must be {[n]} numbers of float32, float16 or bfloat16, but is {bias.meta}")
    return dispatch(_scaled_mm_blocks, (input, mat2, scale_a, scale_b, bias), (dtype,))


@functor("QuantizeRows")
def quantize_rows(input: Tensor, dtype: DType | None = None, group: int = 0) -> Any:
    if input.meta.ndim != 2:
        raise ShapeError(f"quantize_rows(): input must be a matrix, but has {input.meta.ndim} dimensions")
    if input.meta.dtype not in HALVES_AND_SINGLES:
        raise DTypeError(f"quantize_rows(): input must be of float32, float16 or bfloat16, but got {input.meta.dtype}")
    dtype = dtype or int8
    if dtype not in BYTES.values():
        raise DTypeError(f"quantize_rows(): dtype must be {int8} or {float8_e4m3fn}, but got {dtype}")
    if group < 0:
        raise InvalidArgumentError(f"quantize_rows(): group must not be negative, but got {group}")
    rows, columns = input.meta.shape
    if not group:
        return dispatch1(_quantize_rows, input, (dtype,))
    groups = -(-columns // group)
    if columns % group:
        input = constant_pad_nd(input, (0, groups * group - columns))
    codes, scales = dispatch1(_quantize_rows, reshape(input, (rows * groups, group)), (dtype,))
    codes = reshape(codes, (rows, groups * group))
    return unshared(codes if columns % group == 0 else contiguous(codes[:, :columns])), unshared(reshape(scales, (rows, groups)))


@functor("QuantizedLinear")
def quantized_linear(
    input: Tensor, weight: Tensor, scales: Tensor, zeros: Tensor | None = None, bias: Tensor | None = None,
    form: str = "int8", group: int = 0,
) -> Any:  # fmt: skip
    x = input.meta
    if x.dtype not in HALVES_AND_SINGLES:
        raise DTypeError(f"quantized_linear(): input must be of float32, float16 or bfloat16, but got {x.dtype}")
    if x.ndim == 0:
        raise ShapeError("quantized_linear(): input must have a dimension, got one without")
    _check_codes("quantized_linear", weight, scales, zeros, form, group, x.shape[-1])
    n = weight.meta.shape[0]
    if bias is not None and bias.meta.shape != (n,):
        raise ShapeError(f"quantized_linear(): bias must have the shape [{n}], but got {list(bias.meta.shape)}")
    rows = input if x.ndim == 2 else reshape(input, (x.numel // max(x.shape[-1], 1), x.shape[-1]))
    out = dispatch(_quantized_linear, (rows, weight, scales, zeros, bias), (form, group))
    return out if x.ndim == 2 else unshared(reshape(out, (*x.shape[:-1], n)))


@functor("DequantizeWeight")
def dequantize_weight(
    weight: Tensor, scales: Tensor, zeros: Tensor | None = None, form: str = "int8", group: int = 0,
    in_features: int | None = None, dtype: DType | None = None,
) -> Any:  # fmt: skip
    if in_features is None:
        if form in BYTES or not group:
            in_features = weight.meta.shape[-1]
        else:
            in_features = min(weight.meta.shape[-1] // WORDS * CHUNK, scales.meta.shape[-1] * group)
    _check_codes("dequantize_weight", weight, scales, zeros, form, group, in_features)
    return dispatch(_dequantize, (weight, scales, zeros), (form, group, in_features, dtype or scales.meta.dtype))


def _check_codes(
    name: str, weight: Tensor, scales: Tensor, zeros: Tensor | None, form: str, group: int, columns: int
) -> None:
    """Raises RuntimeError unless codes, scales and zeros are those of a weight with so many columns."""
    w = weight.meta
    _check_group(name, form, group)
    wanted, dtype = (columns, BYTES[form]) if form in BYTES else (-(-columns // CHUNK) * WORDS, int32)
    if w.dtype is not dtype:
        raise DTypeError(f"{name}(): a weight of {form} has codes of {dtype}, but got {w.dtype}")
    if w.ndim != 2 or w.shape[1] != wanted:
        raise ShapeError(
            f"{name}(): a weight of {form} for {columns} columns has the shape [out, {wanted}], but got {list(w.shape)}"
        )
    groups = -(-columns // group) if group else 1
    for what, tensor in (("scales", scales), ("zeros", zeros)):
        if tensor is None:
            continue
        if tensor.meta.shape != (w.shape[0], groups):
            shape = [w.shape[0], groups]
            raise ShapeError(f"{name}(): {what} must have the shape {shape}, but got {list(tensor.meta.shape)}")
        if tensor.meta.dtype not in HALVES_AND_SINGLES:
            raise DTypeError(f"{name}(): {what} must be of float32, float16 or bfloat16, but got {tensor.meta.dtype}")
        if tensor.requires_grad:
            raise InvalidArgumentError(f"{name}(): {what} are constants, and have no gradient; detach them")
    if zeros is not None and not group:
        raise InvalidArgumentError(f"{name}(): zeros are of groups, but group is 0")


def _check_group(name: str, form: str, group: int) -> None:
    if form not in FORMS:
        raise InvalidArgumentError(f"{name}(): form must be one of {', '.join(FORMS)}, but got {form!r}")
    if group % 32 or group < 0 or (group < 256 and group & (group - 1)) or (group > 256 and group % 256):
        raise InvalidArgumentError(f"{name}(): group must be 32, 64, 128 or a multiple of 256, but got {group}")
    if form not in BYTES and not group:
        raise InvalidArgumentError(f"{name}(): {form} has a scale for each group of columns, but group is 0")

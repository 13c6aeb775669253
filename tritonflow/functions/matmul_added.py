"""Functors of products that are added to something, or scaled: of float8 and int8, and with weights of few bits."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import function, functor
from tritonflow.binding.target import beside
from tritonflow.dtypes import INTEGER, DType, bfloat16, bool_, float16, float32, int8, int32, result_type
from tritonflow.errors import DTypeError, InvalidArgumentError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.arithmetic import add
from tritonflow.functions.cast import cast, copy_
from tritonflow.functions.creation import ones
from tritonflow.functions.generated import add_unrounded, scalar_mul
from tritonflow.functions.index_masks import masked_fill
from tritonflow.functions.matmul import (
    HALVES,
    check_batches,
    check_matrices,
    check_product,
    check_same_dtype,
    unrounded_product,
)
from tritonflow.functions.view import expand, reshape, unshared
from tritonflow.interpreter.dispatch import dispatch, dispatch1, dispatch2
from tritonflow.interpreter.recording import wants_gradient

_scaled_mm = op_expr("scaled_mm")
_quantized_linear = op_expr("quantized_linear")
_dequantize = op_expr("dequantize_weight")
_int_mm = op_expr("int_mm")
_scaled_int_mm = op_expr("scaled_int_mm")
_quantize_rows = op_expr("quantize_rows")

HALVES_AND_SINGLES = (float32, float16, bfloat16)
FORMS = ("int8", "int4", "nf4")
CHUNK, WORDS = 256, 32  # elements of a row in so many words


def add_product(input: Tensor, product: Tensor, beta: Any, alpha: Any, inplace: bool) -> Any:
    """beta * input + alpha * product, of the product's shape. An input times 0 is not read: its infinities and NaN go.

    Raises:
        RuntimeError: the input does not broadcast to the product.
    """
    own = input.meta.shape
    if inplace and own != product.meta.shape:
        raise ShapeError(f"The input tensor {list(own)} must have the shape of the product {list(product.meta.shape)}")
    broad = input if own == product.meta.shape else expand(input, product.meta.shape)
    if product.meta.dtype is float32 and input.meta.dtype in HALVES and beta != 0:
        out = add_unrounded(broad, product, beta, alpha)
        return copy_(input, out) if inplace else out
    if product.meta.dtype.category == INTEGER:  # of which torch cuts the fractions off
        beta, alpha = int(beta), int(alpha)
    if beta == 0:
        dtype = input.meta.dtype
        if dtype not in HALVES:
            dtype = result_type([(dtype, input.meta.ndim), (product.meta.dtype, product.meta.ndim)])
        out = cast(product if alpha == 1 else scalar_mul(product, alpha), dtype)
        if wants_gradient(input):  # its gradient is 0, not none
            out = add(masked_fill(broad, ones((), dtype=bool_, **beside(input)), 0), out)
    else:
        out = add(broad if beta == 1 else scalar_mul(broad, beta), product, alpha=alpha)
    return copy_(input, out) if inplace else out


@function(
    "Tensor (Tensor input, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, Bool inplace=False)",
    "Tensor (Tensor input, Tensor mat1, Tensor mat2, Scalar alpha, Scalar beta) => AddMmScaled",
    methods=("addmm", "addmm_"), samples="addmm", tolerance="matmul", autocast="lower",
)
def addmm(input: Tensor, mat1: Tensor, mat2: Tensor, beta: Any = 1, alpha: Any = 1, inplace: bool = False) -> Any:
    """beta * input + alpha * mat1 @ mat2.

    `out = beta * input + alpha * (mat1 @ mat2)`. With beta = 0 NaN of the input is ignored.

    Overloads:
        - `addmm(input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: Scalar = 1, alpha: Scalar = 1) -> Tensor`
        - `addmm(input: Tensor, mat1: Tensor, mat2: Tensor, alpha: Scalar, beta: Scalar) -> Tensor`

    Args:
        input: what is added, broadcast to the product.
        mat1: the left matrix.
        mat2: the right matrix.
        beta: the factor of `input`.
        alpha: the factor of the product.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        input, mat1 (m, k), mat2 (k, n) -> (m, n).

    Under `flow.autocast` it computes in its dtype. Methods: `Tensor.addmm` and `Tensor.addmm_`.

    Raises:
        RuntimeError: not two matrices; sizes or dtypes that differ.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.addmm.

    Example:
        >>> import tritonflow as flow
        >>> flow.addmm(flow.ones(2, 2), flow.eye(2), flow.eye(2), beta=2, alpha=3)
        tensor([[5., 2.],
                [2., 5.]])
    """
    check_matrices(mat1, mat2)
    check_same_dtype(input, mat1)
    product = unrounded_product(mat1, mat2)
    return add_product(input, product, beta, alpha, inplace)


@functor("AddMmScaled")
def addmm_scaled(input: Tensor, mat1: Tensor, mat2: Tensor, alpha: Any, beta: Any) -> Any:
    """OneFlow's order, alpha first."""
    return addmm(input, mat1, mat2, beta, alpha)


@function(
    "Tensor (Tensor input, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1, Bool inplace=False)",
    methods=("baddbmm", "baddbmm_"), samples="baddbmm", tolerance="matmul", autocast="lower",
)
def baddbmm(input: Tensor, batch1: Tensor, batch2: Tensor, beta: Any = 1, alpha: Any = 1, inplace: bool = False) -> Any:
    """beta * input + alpha * batch1 @ batch2.

    `out = beta * input + alpha * (batch1 @ batch2)`. With beta = 0 NaN of the input is ignored.

    Args:
        input: what is added, broadcast to the products.
        batch1: the left matrices.
        batch2: the right matrices.
        beta: the factor of `input`.
        alpha: the factor of the products.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        input, batch1 (b, m, k), batch2 (b, k, n) -> (b, m, n).

    Under `flow.autocast` it computes in its dtype. Methods: `Tensor.baddbmm` and `Tensor.baddbmm_`.

    Raises:
        RuntimeError: not two batches; sizes or dtypes that differ.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.baddbmm.

    Example:
        >>> import tritonflow as flow
        >>> flow.baddbmm(flow.ones(1), flow.ones(2, 1, 3), flow.ones(2, 3, 1)).flatten()
        tensor([4., 4.])
    """
    check_batches(batch1, batch2)
    check_same_dtype(input, batch1)
    product = unrounded_product(batch1, batch2)
    return add_product(input, product, beta, alpha, inplace)


@functor("ScaledMm")
def scaled_mm(
    input: Tensor,
    mat2: Tensor,
    scale_a: Tensor,
    scale_b: Tensor,
    bias: Tensor | None = None,
    out_dtype: DType | None = None,
) -> Any:
    a, b, dtype = input.meta, mat2.meta, out_dtype or bfloat16
    for name, meta in (("mat1", a), ("mat2", b)):
        if meta.ndim != 2:
            raise ShapeError(f"{name} must be a matrix")
        if not meta.dtype.is_storage:
            raise DTypeError(f"Expected both mat1 and mat2 to be float8 matrices, but {name} is of {meta.dtype}")
    check_product(a.shape, b.shape, False, False)
    if dtype not in (float32, float16, bfloat16):
        raise DTypeError(f"Only bf16, fp16 and fp32 output types are supported by scaled_mm, not {dtype}")
    m, n = a.shape[0], b.shape[1]
    if bias is not None and (bias.meta.shape != (n,) or bias.meta.dtype not in (dtype, float32)):
        came = f"{list(bias.meta.shape)}, {bias.meta.dtype}"
        raise ShapeError(f"Bias must be a vector of size {n} in {dtype} or float32, but got {came}")
    scales = _scales(scale_a, scale_b, m, n)
    return dispatch(_scaled_mm, (input, mat2, *scales, bias), (dtype,))


def _scales(scale_a: Tensor, scale_b: Tensor, m: int, n: int) -> tuple[Tensor, Tensor]:
    """Scales as matrices: one for each operand, or one for each row of the first and each column of the second.

    Raises:
        RuntimeError: they are neither, or not float32.
    """
    a, b = scale_a.meta, scale_b.meta
    if a.dtype is float32 and b.dtype is float32:
        if a.numel == b.numel == 1:
            return reshape(scale_a, (1, 1)), reshape(scale_b, (1, 1))
        if a.shape == (m, 1) and b.shape == (1, n):
            return scale_a, scale_b
    raise DTypeError(
        f"Invalid scaling configuration: scale_a and scale_b should be float32, and of one element each, or ({m}, 1) and"
        f" (1, {n}), but are {a.dtype} {list(a.shape)} and {b.dtype} {list(b.shape)}"
    )


# ---------------------------------------------------------------------------------------------------- codes of few bits


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


@functor("QuantizeRows")
def quantize_rows(input: Tensor) -> Any:
    if input.meta.ndim != 2:
        raise ShapeError(f"quantize_rows(): input must be a matrix, but has {input.meta.ndim} dimensions")
    if input.meta.dtype not in HALVES_AND_SINGLES:
        raise DTypeError(f"quantize_rows(): input must be of float32, float16 or bfloat16, but got {input.meta.dtype}")
    return dispatch1(_quantize_rows, input)


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
        if form == "int8" or not group:
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
    wanted, dtype = (columns, int8) if form == "int8" else (-(-columns // CHUNK) * WORDS, int32)
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
    if form != "int8" and not group:
        raise InvalidArgumentError(f"{name}(): {form} has a scale for each group of columns, but group is 0")

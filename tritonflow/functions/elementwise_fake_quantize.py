"""Functions that round numbers to those that codes stand for, as training for few bits does."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import function
from tritonflow.dtypes import bfloat16, float16, float32, float64
from tritonflow.errors import DTypeError, InvalidArgumentError, ShapeError
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.cast import cast
from tritonflow.functions.creation import full
from tritonflow.functions.generated import fake_quantize
from tritonflow.functions.view import reshape


@function(
    "Tensor (Tensor input, Tensor scale, Tensor zero_point, Int32 quant_min, Int32 quant_max)",
    "Tensor (Tensor input, Double scale, Int32 zero_point, Int32 quant_min, Int32 quant_max)",
    samples={"none": "codes have a range: tests/ops/test_fake_quantize.py"}, reference="none", tolerance="pointwise",
)
def fake_quantize_per_tensor_affine(input: Tensor, scale: Any, zero_point: Any, quant_min: int, quant_max: int) -> Any:
    """The numbers that codes of one scale stand for.

        out = (clamp(round(input / scale) + zero_point, quant_min, quant_max) - zero_point) * scale

    Halves are rounded to even codes. The gradient is that of the output where the code is in the range, and 0 elsewhere.

    Args:
        input: of a floating dtype.
        scale: the size of a step, a number or a tensor of one.
        zero_point: the code of 0, a whole number or a tensor of one.
        quant_min: the least code.
        quant_max: the greatest code.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (*) -> (*).

    Raises:
        RuntimeError: another dtype, an empty range, or a zero point outside it; a scale that wants a gradient.

    Source: torch.fake_quantize_per_tensor_affine

    Example:
        >>> import tritonflow as flow
        >>> x = flow.tensor([0.3, 1.25, -9.0], requires_grad=True)
        >>> y = flow.fake_quantize_per_tensor_affine(x, 0.5, 0, -8, 7)
        >>> y.sum().backward()
        >>> y.tolist(), x.grad.tolist()
        ([0.5, 1.0, -4.0], [1.0, 1.0, 0.0])
    """
    name = "fake_quantize_per_tensor_affine"
    if not isinstance(scale, Tensor) and isinstance(zero_point, int) and not quant_min <= zero_point <= quant_max:
        raise InvalidArgumentError("`zero_point` must be between `quant_min` and `quant_max`.")
    scales, zeros = (x if isinstance(x, Tensor) else full((), x, dtype=float32, device=input.device) for x in (scale, zero_point))
    for what, tensor in (("scale", scales), ("zero_point", zeros)):
        if tensor.meta.numel != 1:
            raise ShapeError(f"{name}: expected {what} to be one number, but got {list(tensor.meta.shape)}")
    return _quantized(name, input, reshape(scales, ()), reshape(zeros, ()), quant_min, quant_max)


@function(
    "Tensor (Tensor input, Tensor scale, Tensor zero_point, Int32 axis, Int32 quant_min, Int32 quant_max)",
    samples={"none": "codes have a range: tests/ops/test_fake_quantize.py"}, reference="none", tolerance="pointwise",
)
def fake_quantize_per_channel_affine(
    input: Tensor, scale: Tensor, zero_point: Tensor, axis: int, quant_min: int, quant_max: int
) -> Any:
    """The numbers that codes stand for, with a scale for each index of a dimension.

        out = (clamp(round(input / scale[c]) + zero_point[c], quant_min, quant_max) - zero_point[c]) * scale[c]

    with c the index in the dimension `axis`. Halves are rounded to even codes. The gradient is that of the output where the code is
    in the range, and 0 elsewhere.

    Args:
        input: of a floating dtype.
        scale: the sizes of steps.
        zero_point: the codes of 0.
        axis: the dimension of the channels.
        quant_min: the least code.
        quant_max: the greatest code.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (*, C, *), (C), (C) -> (*, C, *).

    Raises:
        RuntimeError: other dtypes, an empty range, other numbers of scales or zero points; scales that want a gradient.
        IndexError: no such dimension.

    Source: torch.fake_quantize_per_channel_affine

    Example:
        >>> import tritonflow as flow
        >>> x = flow.tensor([[0.3, 1.25], [0.3, 1.25]])
        >>> flow.fake_quantize_per_channel_affine(x, flow.tensor([0.5, 1.0]), flow.tensor([0, 1]), 0, -8, 7)
        tensor([[0.5000, 1.0000],
                [0.0000, 1.0000]])
    """
    name, ndim = "fake_quantize_per_channel_affine", input.meta.ndim
    if not 0 <= axis < ndim:
        raise InvalidArgumentError("`axis` must be between 0 and number of dimensions of input")
    channels = input.meta.shape[axis]
    for what, tensor in (("scale", scale), ("zero_point", zero_point)):
        if tensor.meta.shape != (channels,):
            raise ShapeError(f"{name}: expected {what} to be [{channels}] numbers, but got {list(tensor.meta.shape)}")
    shape = tuple([channels if dim == axis else 1 for dim in range(ndim)])
    return _quantized(name, input, reshape(scale, shape), reshape(zero_point, shape), quant_min, quant_max)


def _quantized(name: str, input: Tensor, scale: Tensor, zero_point: Tensor, least: int, greatest: int) -> Any:
    """Computed in float32, or in the float64 of the input."""
    dtype = input.meta.dtype
    if dtype not in (float32, float64, float16, bfloat16):
        raise DTypeError(f"{name}: expected an input of a floating dtype, but got {dtype}")
    if not scale.meta.dtype.is_floating_point or zero_point.meta.dtype.is_complex:
        raise DTypeError(f"{name}: expected scales of a floating dtype, and real zero points")
    if least > greatest:
        raise InvalidArgumentError("`quant_min` should be less than or equal to `quant_max`.")
    if scale.requires_grad or zero_point.requires_grad:
        raise InvalidArgumentError(f"{name}: scales and zero points are constants, and have no gradient; detach them")
    wide = float64 if dtype is float64 else float32
    return cast(fake_quantize(cast(input, wide), cast(scale, wide), cast(zero_point, wide), least, greatest), dtype)

"""Functors of interpolation: a dimension after the other, the one that shrinks most first."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy

from tritonflow.binding.library import function, functor
from tritonflow.dtypes import FLOATING, DType, float32, uint8
from tritonflow.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    InvalidArgumentError,
    NotYetImplementedError,
    ShapeError,
    type_name,
)  # fmt: skip
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.memory_format import contiguous_format, suggested_format
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.cast import clone
from tritonflow.functions.pool import adaptive_avg_pool1d, adaptive_avg_pool2d
from tritonflow.functions.pool_3d import adaptive_avg_pool3d
from tritonflow.functions.view import unshared
from tritonflow.functions.view_orders import permute
from tritonflow.interpreter.dispatch import dispatch
from tritonflow.ops.dtype_rules import require
from tritonflow.ops.resample import scalars_of, weight_bits

_resample = op_expr("resample")
_resample_grad = op_expr("resample_grad")
_resample_bytes = op_expr("resample_bytes")

ALONG = {  # the dimensions that a mode takes, and what it is along one of them
    "linear": (1, "linear"), "bilinear": (2, "linear"), "trilinear": (3, "linear"), "bicubic": (2, "cubic"),
    "lanczos": (2, "lanczos"),
}  # fmt: skip


@functor("Resample")
def resample(input: Tensor, dim: int, size: int, mode: str, aligned: bool, scale: float, dtype: DType) -> Any:
    return dispatch(_resample, (input,), (dim, size, mode, aligned, scale, dtype), scalars_of(mode, aligned, scale))


@functor("ResampleGrad")
def resample_grad(grad: Tensor, dim: int, size: int, mode: str, aligned: bool, scale: float, dtype: DType) -> Any:
    return dispatch(_resample_grad, (grad,), (dim, size, mode, aligned, scale, dtype), scalars_of(mode, aligned, scale))


@functor("ResampleBytes")
def resample_bytes(input: Tensor, dim: int, size: int, mode: str, aligned: bool, scale: float) -> Any:
    bits = weight_bits(int(input.meta.shape[dim]), int(size), mode, aligned, scale)
    scalars = (*scalars_of(mode, aligned, scale)[:3], bits)
    return dispatch(_resample_bytes, (input,), (dim, size, mode, aligned, scale), scalars)


@function(
    "Tensor (Tensor input, PyObject size=None, PyObject scale_factor=None, String mode='nearest', Bool align_corners=None, "
    "Bool recompute_scale_factor=None, Bool antialias=False)",
    export="nn.functional", reference="torch.nn.functional.interpolate", samples="interpolate", tolerance="norm",
)
def interpolate(
    input: Tensor, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None, antialias: bool = False,
) -> Any:  # fmt: skip
    """Images at another resolution.

    Output x of a dimension is the input at (x + 0.5) * scale - 0.5, or at x * scale with align_corners,
    between the elements that are there. Modes:

    - "nearest": the element at floor(x * scale); "nearest-exact": at floor((x + 0.5) * scale)
    - "linear", "bilinear", "trilinear": weighted by the distance, along one, two or three dimensions
    - "bicubic": of four elements along each of two dimensions, with a = -0.75, or -0.5 with antialias
    - "lanczos": of two dimensions, with antialias
    - "area": adaptive_avg_pool

    The scale is input size / output size, (input size - 1) / (output size - 1) with align_corners, or 1
    / scale_factor.

    Pictures of bytes are resized by "bilinear", "bicubic" and "lanczos" in integers, as torch does it on CPUs:
    weights have 16 bits, the last dimension comes first, and bytes lie between the two.

    Args:
        input: the input.
        size: the sizes of the result, an integer for all dimensions or one for each.
        scale_factor: how many times larger it is instead, a number for all dimensions or one for each.
        mode: "nearest", "nearest-exact", "linear", "bilinear", "trilinear", "bicubic", "lanczos" or "area".
        align_corners: whether the first and the last elements stay where they are; default False.
        recompute_scale_factor: whether the scale follows from the sizes although a scale_factor is given.
        antialias: whether all elements are weighted that an output covers where the image shrinks;
            bilinear, bicubic and lanczos.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C, ...) with 1 to 3 dimensions ... -> (N, C, new sizes).

    Raises:
        ValueError: neither or both of size and scale_factor, or options that the mode does not have.
        NotImplementedError: another mode, or dimensions that it does not take.
        RuntimeError: an empty input or result.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.interpolate.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> image = flow.tensor([[[1.0, 2.0, 3.0]]])
        >>> F.interpolate(image, scale_factor=2)
        tensor([[[1., 1., 2., 2., 3., 3.]]])
        >>> F.interpolate(image, size=5, mode="linear", align_corners=True)
        tensor([[[1.0000, 1.5000, 2.0000, 2.5000, 3.0000]]])
    """
    _check_mode(mode, align_corners)
    dims = input.meta.ndim - 2
    sizes, factors = _wanted(input, size, scale_factor, recompute_scale_factor, mode)
    if antialias and not (mode in ("bilinear", "bicubic", "lanczos") and dims == 2):
        raise ArgumentValueError(
            "Anti-alias option is restricted to bilinear, bicubic, and lanczos modes and requires a 4-D tensor as input"
        )
    if dims not in (1, 2, 3):
        raise NotYetImplementedError(
            f"Input Error: Only 3D, 4D and 5D input Tensors supported (got {dims + 2}D) for the modes: nearest | linear | bilinear"
            f" | bicubic | trilinear | lanczos | area | nearest-exact (got {mode})"
        )
    if mode == "area":
        return (adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d)[dims - 1](input, tuple(sizes))
    along = _along(mode, dims, antialias, bool(align_corners))
    _check_sizes(input, sizes, along)
    if suggested_format(input.meta) is contiguous_format:
        return _each_dimension(input, sizes, factors, along, bool(align_corners))
    last = permute(input, (0, *range(2, dims + 2), 1))  # contiguous, whose result is channels-last again
    found = _each_dimension(last, sizes, factors, along, bool(align_corners), 1)
    return unshared(permute(found, (0, dims + 1, *range(1, dims + 1))))


def _each_dimension(
    input: Tensor, sizes: Sequence[int], factors: Sequence[float | None], along: str, aligned: bool, first: int = 2
) -> Any:
    """Between two dimensions half types are float32."""
    steps = []
    for dim, (m, factor) in enumerate(zip(sizes, factors), first):
        n = input.meta.shape[dim]
        scale = _scale(n, m, factor, aligned)
        if n != m or (scale != 1 and not _stays(along, len(sizes))):
            steps.append((m / n, dim, m, scale))
    if not steps:
        return clone(input)
    dtype = input.meta.dtype
    if dtype is uint8 and along not in ("nearest", "nearest-exact"):
        return _bytes(input, [step for step in reversed(steps) if step[0] != 1], along, aligned)
    exact = (
        float32
        if dtype.itemsize == 2 and dtype.category == FLOATING and along not in ("nearest", "nearest-exact")
        else dtype
    )
    steps.sort()
    for _, dim, m, scale in steps:
        result = dtype if dim == steps[-1][1] else exact
        input = resample(input, dim, m, along, aligned, scale, result)
    return input


def _bytes(input: Tensor, steps: Sequence[tuple[float, int, int, float]], along: str, aligned: bool) -> Any:
    """The last dimension first. One whose size stays the same is as it was, whatever its factor."""
    for _, dim, m, scale in steps:
        input = resample_bytes(input, dim, m, along, aligned, scale)
    return input if steps else clone(input)


def _stays(along: str, dims: int) -> bool:
    """Whether a dimension whose size stays the same is as it was, whatever its factor: torch's rule, by mode."""
    return along == "linear" or along.startswith("smooth") or (along == "nearest" and dims == 2)


def _scale(n: int, m: int, factor: float | None, aligned: bool) -> float:
    """How many inputs an output is apart from the next."""
    if aligned:
        return (n - 1) / (m - 1) if m > 1 else 0.0
    return 1.0 / factor if factor else n / m


def _check_mode(mode: str, align_corners: bool | None) -> None:
    if mode in ("nearest", "area", "nearest-exact") and align_corners is not None:
        raise ArgumentValueError(
            "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | trilinear"
        )


def _along(mode: str, dims: int, antialias: bool, aligned: bool) -> str:
    """The mode along one dimension."""
    if mode in ("nearest", "nearest-exact"):
        return mode
    if mode not in ALONG:
        raise NotYetImplementedError(f"interpolate: unknown mode '{mode}'")
    wanted, along = ALONG[mode]
    if wanted != dims:
        raise NotYetImplementedError(f"Got {dims + 2}D input, but {mode} mode needs {wanted + 2}D input")
    if mode == "lanczos" and aligned:
        raise ArgumentValueError("Lanczos mode does not support align_corners=True")
    if mode == "lanczos" and not antialias:
        raise ArgumentValueError("Lanczos mode requires antialias=True")
    return f"smooth {along}" if antialias else along


def _numbers(name: str, value: Any, dims: int, shape: Sequence[int]) -> list[Any]:
    """One number for each dimension."""
    if isinstance(value, numpy.number):
        value = value.item()
    if isinstance(value, (int, float)):
        return [value] * dims
    if not isinstance(value, Sequence) or not all(hasattr(each, "__float__") for each in value):
        raise ArgumentTypeError(
            f"interpolate(): argument '{name}' must be a number or a sequence of them, not {type_name(value)}"
        )
    if len(value) != dims:
        raise ArgumentValueError(
            f"Input and {name} must have the same number of spatial dimensions, but got input with spatial dimensions of"
            f" {list(shape[2:])} and {name} of {list(value)}."
        )
    return list(value)


def _wanted(
    input: Tensor, size: Any, scale_factor: Any, recompute: bool | None, mode: str
) -> tuple[list[int], list[float | None]]:
    """(sizes, factors): the factors that decide the scales, None where sizes do."""
    shape = input.meta.shape
    dims = len(shape) - 2
    if size is not None and scale_factor is not None:
        raise ArgumentValueError("only one of size or scale_factor should be defined")
    if size is not None:
        if recompute:
            raise ArgumentValueError("recompute_scale_factor is not meaningful with an explicit size.")
        return [int(s) for s in _numbers("output_size", size, dims, shape)], [None] * dims
    if scale_factor is None:
        raise ArgumentValueError("either size or scale_factor should be defined")
    factors = [float(f) for f in _numbers("scale_factor", scale_factor, dims, shape)]
    if not all(math.isfinite(f) for f in factors):
        raise InvalidArgumentError(f"scale_factor must be finite, got {scale_factor}")
    sizes = [_scaled(n, f) for n, f in zip(shape[2:], factors)]
    return sizes, [None] * dims if recompute or mode == "area" else list(factors)


def _scaled(n: Any, factor: float) -> Any:
    """floor(n * factor), which is one of integers where the product is exact."""
    over, under = factor.as_integer_ratio()
    return n * over // under if max(over, under) < 1 << 16 else math.floor(float(n) * factor)


def _check_sizes(input: Tensor, sizes: Sequence[int], along: str) -> None:
    shape, dtype = input.meta.shape, input.meta.dtype
    bytes_too = along in ("nearest", "nearest-exact") or len(sizes) == 2
    require("interpolate", "floating|uint8" if bytes_too else "floating", dtype, "input")
    if min(shape[1:]) < 1:
        raise ShapeError(f"Non-empty {len(shape)}D data tensor expected but got a tensor with sizes {list(shape)}")
    if any(n < 1 for n in sizes):
        raise ShapeError(
            f"Input and output sizes should be greater than 0, but got input {list(shape[2:])} output {list(sizes)}"
        )


@function(
    "Tensor (Tensor input, PyObject size=None, PyObject scale_factor=None, String mode='nearest', Bool align_corners=None)",
    export="nn.functional", samples={"none": "interpolate has them"},
)
def upsample(
    input: Tensor, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: bool | None = None
) -> Any:
    """Interpolate under torch's older name.

    Args:
        input: the input.
        size: the sizes of the result, an integer for all dimensions or one for each.
        scale_factor: how many times larger it is instead, a number for all dimensions or one for each.
        mode: as of `interpolate`.
        align_corners: whether the first and the last elements stay where they are; default False.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C, ...) with 1 to 3 dimensions ... -> (N, C, new sizes).

    Raises:
        ValueError: neither or both of size and scale_factor, or options that the mode does not have.
        NotImplementedError: another mode, or dimensions that it does not take.
        RuntimeError: an empty input or result.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.upsample.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.upsample(flow.tensor([[[1.0, 2.0]]]), scale_factor=2)
        tensor([[[1., 1., 2., 2.]]])
    """
    return interpolate(input, size, scale_factor, mode, align_corners)


@function(
    "Tensor (Tensor input, PyObject size=None, PyObject scale_factor=None)",
    export="nn.functional", samples={"none": "interpolate has them"},
)
def upsample_nearest(input: Tensor, size: Any = None, scale_factor: Any = None) -> Any:
    """Interpolate by the nearest element.

    The same as interpolate with mode="nearest".

    Args:
        input: the input.
        size: the sizes of the result, an integer for all dimensions or one for each.
        scale_factor: how many times larger it is instead, a number for all dimensions or one for each.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C, ...) with 1 to 3 dimensions ... -> (N, C, new sizes).

    Raises:
        ValueError: neither or both of size and scale_factor.
        RuntimeError: an empty input or result.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.upsample_nearest.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.upsample_nearest(flow.tensor([[[1.0, 2.0]]]), scale_factor=2)
        tensor([[[1., 1., 2., 2.]]])
    """
    return interpolate(input, size, scale_factor, "nearest")


@function(
    "Tensor (Tensor input, PyObject size=None, PyObject scale_factor=None)",
    export="nn.functional", samples={"none": "interpolate has them"},
)
def upsample_bilinear(input: Tensor, size: Any = None, scale_factor: Any = None) -> Any:
    """Interpolate linearly, with the corners aligned.

    The same as interpolate with mode="bilinear" and align_corners=True.

    Args:
        input: the input.
        size: the sizes of the result, an integer for both dimensions or one for each.
        scale_factor: how many times larger it is instead, a number for both dimensions or one for each.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C, H, W) -> (N, C, H', W').

    Raises:
        ValueError: neither or both of size and scale_factor.
        NotImplementedError: other than 4 dimensions.
        RuntimeError: an empty input or result.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.upsample_bilinear.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.upsample_bilinear(flow.tensor([[[[1.0, 3.0]]]]), size=(1, 3))
        tensor([[[[1., 2., 3.]]]])
    """
    return interpolate(input, size, scale_factor, "bilinear", True)

"""Functors of pooling: arguments become pairs, sizes are checked as torch does, 1-d is 2-d with a height of 1."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from tritonflow.binding.library import function, functor
from tritonflow.errors import ArgumentTypeError, ArgumentValueError, InvalidArgumentError, ShapeError, type_name
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.conv import each_dim
from tritonflow.functions.index_gather import gather_grad
from tritonflow.functions.reduction import mean
from tritonflow.functions.view import reshape, squeeze, unshared, unsqueeze
from tritonflow.interpreter.dispatch import dispatch, dispatch1, dispatch2
from tritonflow.ops.dtype_rules import require
from tritonflow.ops.kernel_modules import KernelModule

pool_kernels = KernelModule("pool")

_max_pool2d = op_expr("max_pool2d")
_max_pool_grad = op_expr("max_pool_grad")
_max_pool_grad_grad = op_expr("max_pool_grad_grad")
_avg_pool2d = op_expr("avg_pool2d")
_avg_pool_grad = op_expr("avg_pool_grad")
_adaptive_avg_pool2d = op_expr("adaptive_avg_pool2d")
_adaptive_avg_pool_grad = op_expr("adaptive_avg_pool_grad")

Ints = tuple[int, ...]
One = (1, 1)


def _window(op: str, kernel_size: Ints, stride: Ints | None, padding: Ints, dims: int = 2) -> tuple[Ints, Ints, Ints]:
    """(kernel size, stride, padding) for each dimension; without a stride windows lie side by side."""
    kernel = each_dim(op, "kernel_size", kernel_size, dims)
    step = each_dim(op, "stride", stride, dims) if stride else kernel
    return kernel, step, each_dim(op, "padding", padding, dims)


def _check(name: str, x: Tensor, kernel: Ints, stride: Ints, padding: Ints, dilation: Ints, ceil_mode: bool) -> None:
    shape = x.meta.shape
    if len(shape) != 4 or 0 in shape[1:]:
        raise ShapeError(
            f"{name}(): Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input, but got: {list(shape)}"
        )
    if min(kernel) < 1:
        raise InvalidArgumentError("kernel size should be greater than zero, but got kH: {} kW: {}".format(*kernel))
    if min(stride) < 1:
        raise InvalidArgumentError("stride should be greater than zero, but got dH: {} dW: {}".format(*stride))
    if min(dilation) < 1:
        raise InvalidArgumentError("dilation should be greater than zero, but got dilationH: {} dilationW: {}".format(*dilation))
    extents = [d * (k - 1) + 1 for d, k in zip(dilation, kernel)]
    if min(padding) < 0:
        raise InvalidArgumentError(f"pad must be non-negative, but got pad: {min(padding)}")
    if any(2 * p > e for p, e in zip(padding, extents)):
        raise ShapeError(
            f"pad should be at most half of effective kernel size, but got pad={max(padding)},"
            f" kernel_size={max(kernel)} and dilation={max(dilation)}"
        )
    sizes = [pool_kernels.output_size(*g, ceil_mode) for g in zip(shape[2:], kernel, stride, padding, dilation)]
    if any(n < 1 for n in sizes):
        image = "x".join(str(s) for s in shape[1:])
        result = "x".join(str(s) for s in (shape[1], *sizes))
        raise ShapeError(f"Given input size: ({image}). Calculated output size: ({result}). Output size is too small")


@functor("MaxPool2d")
def max_pool2d(
    input: Tensor,
    kernel_size: Ints,
    stride: Ints | None = None,
    padding: Ints = (0,),
    dilation: Ints = (1,),
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    if input.meta.ndim == 3:
        rest = (kernel_size, stride, padding, dilation, ceil_mode, return_indices)
        found = max_pool2d(unsqueeze(input, 0), *rest)
        return tuple(unshared(squeeze(t, (0,))) for t in found) if return_indices else unshared(squeeze(found, (0,)))
    attrs = (*_window("max_pool2d", kernel_size, stride, padding), each_dim("max_pool2d", "dilation", dilation), ceil_mode)
    _check("max_pool2d", input, *attrs)
    found = dispatch(_max_pool2d, (input,), (*attrs, return_indices))
    return found if return_indices else found[0]


@function(
    "Any (Tensor input, Int32List[1] kernel_size, Int32List[1] stride=None, Int32List[1] padding=0, Int32List[1] "
    "dilation=1, Bool ceil_mode=False, Bool return_indices=False)",
    export=("flow", "nn.functional"), reference="torch.nn.functional.max_pool1d", samples="pool1d",
)
def max_pool1d(
    input: Tensor,
    kernel_size: Ints,
    stride: Ints | None = None,
    padding: Ints = (0,),
    dilation: Ints = (1,),
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """The maximum of every window.

        out[n, c, x] = max over j of input[n, c, x * s - p + j * d]
        L' = floor((L + 2 * p - d * (k - 1) - 1) / s) + 1; ceil instead of floor with ceil_mode

    The padding never is the maximum. A NaN in a window is its maximum.

    Args:
        input: the input.
        kernel_size: the size of the window: an int for all dimensions, or one for each.
        stride: the step of the window; `kernel_size` unless given.
        padding: how far windows reach over both ends, at most half of their size.
        dilation: the step between elements of the window.
        ceil_mode: whether a last window may reach over the end.
        return_indices: whether the position of each maximum is returned as well.

    Shape:
        (N, C, L) -> (N, C, L'), also without N.

    Raises:
        RuntimeError: other dimensions, sizes that are not positive, a padding over half of the window, or
            an empty result.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.max_pool1d.

    Example:
        >>> import tritonflow as flow
        >>> flow.max_pool1d(flow.tensor([[1.0, 3.0, 2.0, 0.0]]), 2)
        tensor([[3., 2.]])
        >>> flow.max_pool1d(flow.tensor([[1.0, 3.0, 2.0, 0.0]]), 2, stride=1, return_indices=True)
        (tensor([[3., 3., 2.]]), tensor([[1, 1, 2]]))
    """
    require("max_pool1d", "numeric", input.meta.dtype, "input")
    kernel, step, amount = _window("max_pool1d", kernel_size, stride, padding, 1)
    gap = each_dim("max_pool1d", "dilation", dilation, 1)
    rest = ((1, *kernel), (1, *step), (0, *amount), (1, *gap), ceil_mode, return_indices)
    found = max_pool2d(unsqueeze(input, -2 + input.meta.ndim + 1), *rest)
    return (
        tuple(unshared(squeeze(t, (t.meta.ndim - 2,))) for t in found)
        if return_indices
        else unshared(squeeze(found, (found.meta.ndim - 2,)))
    )


@functor("MaxPoolGrad")
def max_pool_grad(
    grad: Tensor, indices: Tensor, shape: Ints, kernel_size: Ints, stride: Ints, padding: Ints, dilation: Ints
) -> Any:
    attrs = (tuple(shape), tuple(kernel_size), tuple(stride), tuple(padding), tuple(dilation))
    return dispatch2(_max_pool_grad, grad, indices, attrs)


@functor("MaxPoolGradGrad")
def max_pool_grad_grad(x: Tensor, indices: Tensor) -> Any:
    return dispatch2(_max_pool_grad_grad, x, indices)


@function("Tensor (Tensor dy, Tensor indices, Shape shape)", bind_python=False)
def max_pool_pick_grad(dy: Tensor, indices: Tensor, shape: tuple[int, ...]) -> Any:
    """Zeros with dy added at the positions that `max_pool_grad_grad` read, which count the elements of an image."""
    rows, images = (*dy.meta.shape[:2], prod(dy.meta.shape[2:])), (*shape[:2], prod(shape[2:]))
    return reshape(gather_grad(reshape(dy, rows), 2, reshape(indices, rows), images), shape)


@functor("AvgPool2d")
def avg_pool2d(
    input: Tensor,
    kernel_size: Ints,
    stride: Ints | None = None,
    padding: Ints = (0,),
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Any:
    if input.meta.ndim == 3:
        rest = (kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
        return unshared(squeeze(avg_pool2d(unsqueeze(input, 0), *rest), (0,)))
    kernel, step, amounts = _window("avg_pool2d", kernel_size, stride, padding)
    _check("avg_pool2d", input, kernel, step, amounts, One, ceil_mode)
    if divisor_override == 0:
        raise InvalidArgumentError("divisor must be not zero")
    return dispatch1(_avg_pool2d, input, (kernel, step, amounts, ceil_mode, count_include_pad, divisor_override))


@function(
    "Tensor (Tensor input, Int32List[1] kernel_size, Int32List[1] stride=None, Int32List[1] padding=0, Bool "
    "ceil_mode=False, Bool count_include_pad=True)",
    export=("flow", "nn.functional"), reference="torch.nn.functional.avg_pool1d", samples="pool1d", tolerance="reduction",
)
def avg_pool1d(
    input: Tensor,
    kernel_size: Ints,
    stride: Ints | None = None,
    padding: Ints = (0,),
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Any:
    """The mean of every window.

        out[n, c, x] = sum over j of input[n, c, x * s - p + j] / k
        L' = floor((L + 2 * p - k) / s) + 1; ceil instead of floor with ceil_mode

    Args:
        input: the input.
        kernel_size: the size of the window: an int for all dimensions, or one for each.
        stride: the step of the window; `kernel_size` unless given.
        padding: zeros at both ends, at most half of the window.
        ceil_mode: whether a last window may reach over the end.
        count_include_pad: whether the zeros of the padding count as elements of a mean.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C, L) -> (N, C, L'), also without N.

    Raises:
        RuntimeError: other dimensions, sizes that are not positive, a padding over half of the window, or
            an empty result.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.avg_pool1d.

    Example:
        >>> import tritonflow as flow
        >>> flow.avg_pool1d(flow.tensor([[1.0, 3.0, 2.0, 0.0]]), 2)
        tensor([[2., 1.]])
        >>> flow.avg_pool1d(flow.tensor([[1.0, 3.0, 2.0, 0.0]]), 2, stride=1)
        tensor([[2.0000, 2.5000, 1.0000]])
    """
    require("avg_pool1d", "int64|floating", input.meta.dtype, "input")
    kernel, step, amount = _window("avg_pool1d", kernel_size, stride, padding, 1)
    rest = ((1, *kernel), (1, *step), (0, *amount), ceil_mode, count_include_pad)
    found = avg_pool2d(unsqueeze(input, input.meta.ndim - 1), *rest)
    return unshared(squeeze(found, (found.meta.ndim - 2,)))


@functor("AvgPoolGrad")
def avg_pool_grad(
    grad: Tensor,
    shape: Ints,
    kernel_size: Ints,
    stride: Ints,
    padding: Ints,
    ceil_mode: bool,
    count_include_pad: bool,
    divisor_override: int | None,
) -> Any:
    attrs = (tuple(shape), tuple(kernel_size), tuple(stride), tuple(padding))
    return dispatch1(_avg_pool_grad, grad, (*attrs, ceil_mode, count_include_pad, divisor_override))


@functor("AdaptiveAvgPool2d")
def adaptive_avg_pool2d(input: Tensor, output_size: int | Sequence[int | None]) -> Any:
    shape = input.meta.shape
    if len(shape) not in (3, 4):
        if isinstance(output_size, (tuple, list)) and len(shape) <= len(output_size):
            raise ArgumentValueError(f"Input dimension should be at least {len(output_size) + 1}")
        raise ShapeError(f"adaptive_avg_pool2d(): Expected 3D or 4D tensor, but got {list(shape)}")
    if 0 in shape[-2:]:
        raise ShapeError(
            "adaptive_avg_pool2d(): Expected input to have non-zero size for non-batch dimensions, but input has sizes"
            f" {list(shape)} with dimension {len(shape) - 2 + list(shape[-2:]).index(0)} being empty"
        )
    wanted = (output_size,) * 2 if isinstance(output_size, int) else output_size
    if not isinstance(wanted, (tuple, list)) or not all(o is None or isinstance(o, int) for o in wanted):
        raise ArgumentTypeError(
            "adaptive_avg_pool2d(): argument 'output_size' must be int, or a tuple of two ints or None, not"
            f" {type_name(output_size)}"
        )
    if len(wanted) != 2:
        raise ShapeError(f"adaptive_avg_pool2d: output_size must be 2, but got {len(wanted)} sizes")
    out = tuple([size if o is None else o for size, o in zip(shape[-2:], wanted)])
    if min(out) < 0:
        raise ShapeError(
            f"adaptive_avg_pool2d: elements of output_size must be greater than or equal to 0 but received {out}"
        )
    if out == One:
        require("adaptive_avg_pool2d", "floating", input.meta.dtype, "input")

        return mean(input, (-2, -1), True)
    if len(shape) == 3:
        return unshared(squeeze(dispatch1(_adaptive_avg_pool2d, unsqueeze(input, 0), (out,)), (0,)))
    return dispatch1(_adaptive_avg_pool2d, input, (out,))


@function(
    "Tensor (Tensor input, Int64List[1] output_size)",
    export=("flow", "nn.functional"), reference="torch.nn.functional.adaptive_avg_pool1d", samples="adaptive_pool1d",
    tolerance="reduction",
)
def adaptive_avg_pool1d(input: Tensor, output_size: Ints) -> Any:
    """Means of windows that cover the signal, as many as asked for.

    Window i has the elements from floor(i * L / L') up to ceil((i + 1) * L / L').

    Args:
        input: the input.
        output_size: L', how many windows.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C, L) -> (N, C, L'), also without N.

    Raises:
        RuntimeError: other dimensions, an empty signal, or a negative size.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.adaptive_avg_pool1d.

    Example:
        >>> import tritonflow as flow
        >>> flow.adaptive_avg_pool1d(flow.arange(6.0).reshape(1, 6), 3)
        tensor([[0.5000, 2.5000, 4.5000]])
    """
    require("adaptive_avg_pool1d", "floating", input.meta.dtype, "input")
    if len(output_size) != 1:
        raise ShapeError(f"adaptive_avg_pool1d: output_size must be 1, but got {len(output_size)} sizes")
    found = adaptive_avg_pool2d(unsqueeze(input, input.meta.ndim - 1), (1, output_size[0]))
    return unshared(squeeze(found, (found.meta.ndim - 2,)))


@functor("AdaptiveAvgPoolGrad")
def adaptive_avg_pool_grad(grad: Tensor, shape: Ints) -> Any:
    return dispatch1(_adaptive_avg_pool_grad, grad, (tuple(shape),))

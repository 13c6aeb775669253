"""Functors of convolutions: shapes are checked as torch does; 1-d is 2-d with a height of 1, transposed is a gradient."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from tritonflow.binding.library import function, functor
from tritonflow.dtypes import DType, bool_
from tritonflow.errors import ArgumentValueError, DTypeError, DTypeNotImplementedError, InvalidArgumentError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.tensor import Tensor
from tritonflow.functions import reduction
from tritonflow.functions.arithmetic import add
from tritonflow.functions.join_pad import pad
from tritonflow.functions.matmul import HALVES
from tritonflow.functions.view import reshape, squeeze, unshared, unsqueeze
from tritonflow.interpreter.dispatch import dispatch, dispatch2, dispatch3

_conv2d = op_expr("conv2d")
_conv_data_grad = op_expr("conv_data_grad")
_conv_transpose_biased = op_expr("conv_transpose_biased")
_conv_filter_grad = op_expr("conv_filter_grad")

Ints = tuple[int, ...]


@lru_cache(maxsize=1024)
def each_dim(op: str, argument: str, values: tuple[int, ...], dims: int = 2) -> tuple[int, ...]:
    """An argument's integers for the dimensions of an image; one stands for all.

    Raises:
        RuntimeError: there is another number of them.
        ValueError: one does not fit int64.
    """
    if len(values) not in (1, dims):
        expected = "one integer" if dims == 1 else f"one integer or {dims} of them"
        raise ShapeError(f"{op}(): argument '{argument}' must be {expected}, but got {list(values)}")
    for value in values:
        if not -(1 << 63) <= value < 1 << 63:
            raise ArgumentValueError(f"{op}(): argument '{argument}' must fit int64, but got {value}")
    return values * dims if len(values) == 1 else values


@functor("Conv2d")
def conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Ints = (1,),
    padding: Ints = (0,),
    dilation: Ints = (1,),
    groups: int = 1,
) -> Any:
    return _convolve("conv2d", 2, input, weight, bias, stride, padding, dilation, groups)


def _convolve(
    name: str, dims: int, input: Tensor, weight: Tensor, bias: Tensor | None, stride: Ints, padding: Ints,
    dilation: Ints, groups: int,
) -> Any:  # fmt: skip
    """The convolution over the last `dims` dimensions, with a batch or without."""
    if input.meta.ndim == dims + 1:
        batch = unsqueeze(input, 0)
        return unshared(squeeze(_convolve(name, dims, batch, weight, bias, stride, padding, dilation, groups), (0,)))
    bias_meta = None if bias is None else bias.meta
    attrs = _attributes(name, dims, input.meta, weight.meta, bias_meta, stride, padding, dilation, groups)
    if dims == 2:
        return dispatch(_conv2d, (input, weight, bias), attrs)
    return unshared(squeeze(dispatch(_conv2d, (unsqueeze(input, 2), unsqueeze(weight, 2), bias), attrs), (2,)))


@lru_cache(maxsize=1024)
def _attributes(
    name: str, dims: int, input: TensorMeta, weight: TensorMeta, bias: TensorMeta | None, stride: Ints, padding: Ints,
    dilation: Ints, groups: int,
) -> tuple[Any, ...]:  # fmt: skip
    """The attributes of the op for a convolution over `dims` dimensions that is right: a program asks for few, many times."""
    steps, amounts = each_dim(name, "stride", stride, dims), each_dim(name, "padding", padding, dims)
    spread = each_dim(name, "dilation", dilation, dims)
    check_convolution(name, dims, input, weight, bias, steps, amounts, spread, groups)
    if dims == 2:
        return steps, amounts, spread, groups
    return (1, *steps), (0, *amounts), (1, *spread), groups


@functor("Conv2dNamedPadding")
def conv2d_named_padding(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Ints = (1,),
    padding: str = "valid",
    dilation: Ints = (1,),
    groups: int = 1,
) -> Any:
    """padding "valid" is none, "same" what keeps the image's size; an odd total puts one more at the end."""
    steps, spread = each_dim("conv2d", "stride", stride), each_dim("conv2d", "dilation", dilation)
    input, amounts = _named_padding(input, weight, steps, padding, spread, 2)
    return conv2d(input, weight, bias, stride, amounts, dilation, groups)


def _named_padding(
    input: Tensor, weight: Tensor, stride: Ints, padding: str, dilation: Ints, dims: int
) -> tuple[Tensor, tuple[int, ...]]:
    if padding == "valid":
        return input, (0,) * dims
    if padding != "same":
        raise ArgumentValueError(f"Invalid padding string: '{padding}'")
    if any(s != 1 for s in stride):
        raise InvalidArgumentError("padding='same' is not supported for strided convolutions")
    totals = [d * (k - 1) for d, k in zip(dilation, weight.meta.shape[2:])]
    if any(t % 2 for t in totals):
        uneven = [amount for t in reversed(totals) for amount in (0, t % 2)]
        input = pad(input, tuple(uneven))
    return input, tuple([t // 2 for t in totals])


@function(
    "Tensor (Tensor input, Tensor weight, Tensor bias=None, Int32List[1] stride=1, Int32List[1] padding=0, Int32List[1] "
    "dilation=1, Int32 groups=1)",
    "Tensor (Tensor input, Tensor weight, Tensor bias=None, Int32List[1] stride=1, String padding='valid', Int32List[1] "
    "dilation=1, Int32 groups=1) => Conv1dNamedPadding",
    export=("flow", "nn.functional"), reference="torch.nn.functional.conv1d", samples="conv1d", tolerance="matmul",
    autocast="lower",
)
def conv1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Ints = (1,),
    padding: Ints = (0,),
    dilation: Ints = (1,),
    groups: int = 1,
) -> Any:
    """1-d convolution (cross-correlation) of signals with filters.

        out[n, o, x] = bias[o] + sum over c, j of weight[o, c, j] * input[n, c, x * s - p + j * d]
        L' = floor((L + 2 * p - d * (k - 1) - 1) / s) + 1

    The input counts as 0 outside the signal.

    Args:
        input: signals, with a batch dimension or without.
        weight: the filters.
        bias: a number for each output channel.
        stride: the distance s of windows.
        padding: zeros p on both sides; "valid" is none, "same" keeps the signal's length and wants a stride
            of 1.
        dilation: the distance d of a window's elements.
        groups: how many groups of channels are convolved by themselves.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C_in, L), (C_out, C_in / groups, k) -> (N, C_out, L'), also without N.

    Under `flow.autocast` it computes in its dtype.

    Raises:
        RuntimeError: sizes, groups or dtypes that do not fit, a window greater than the padded signal, or
            "same" with a stride.
        ValueError: another name of a padding.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.conv1d.

    Example:
        >>> import tritonflow as flow
        >>> signal, difference = flow.tensor([[1.0, 4.0, 9.0]]), flow.tensor([[[-1.0, 1.0]]])
        >>> flow.conv1d(signal, difference)
        tensor([[3., 5.]])
        >>> flow.conv1d(signal, difference, padding=1)
        tensor([[ 1.,  3.,  5., -9.]])
    """
    return _convolve("conv1d", 1, input, weight, bias, stride, padding, dilation, groups)


@functor("Conv1dNamedPadding")
def conv1d_named_padding(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Ints = (1,),
    padding: str = "valid",
    dilation: Ints = (1,),
    groups: int = 1,
) -> Any:
    input, amounts = _named_padding(input, weight, stride, padding, dilation, 1)
    return conv1d(input, weight, bias, stride, amounts, dilation, groups)


@function(
    "Tensor (Tensor input, Tensor weight, Tensor bias=None, Int32List[2] stride=1, Int32List[2] padding=0, Int32List[2] "
    "output_padding=0, Int32 groups=1, Int32List[2] dilation=1)",
    export=("flow", "nn.functional"), reference="torch.nn.functional.conv_transpose2d", samples="conv_transpose2d",
    tolerance="matmul", autocast="lower",
)
def conv_transpose2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Ints = (1,),
    padding: Ints = (0,),
    output_padding: Ints = (0,),
    groups: int = 1,
    dilation: Ints = (1,),
) -> Any:
    """The gradient of conv2d as an op, also called deconvolution.

    Each input element adds input * weight to a window of the output:

        H' = (H - 1) * sH - 2 * pH + dH * (kH - 1) + output_padding_H + 1, and W' alike

    It is the gradient of conv2d with the same weight, by conv2d's input.

    Args:
        input: images, with a batch dimension or without.
        weight: the filters, with the input's channels first.
        bias: a number for each output channel.
        stride: the distance (sH, sW) of windows in the output.
        padding: how much (pH, pW) is cut off on both sides of the output.
        output_padding: how much larger the output is at its end; less than the stride or the dilation.
        groups: how many groups of channels are convolved by themselves.
        dilation: the distance (dH, dW) of a window's elements.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C_in, H, W), (C_in, C_out / groups, kH, kW) -> (N, C_out, H', W'), also without N.

    Under `flow.autocast` it computes in its dtype.

    Raises:
        RuntimeError: sizes, groups or dtypes that do not fit, or an output_padding that is too large.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.conv_transpose2d.

    Example:
        >>> import tritonflow as flow
        >>> image = flow.tensor([[[[1.0, 2.0]]]])
        >>> flow.conv_transpose2d(image, flow.ones(1, 1, 2, 2))[0, 0]
        tensor([[1., 3., 2.],
                [1., 3., 2.]])
        >>> flow.conv_transpose2d(image, flow.ones(1, 1, 2, 2), stride=2)[0, 0]
        tensor([[1., 1., 2., 2.],
                [1., 1., 2., 2.]])
    """
    # The gradient of a convolution with the same weight: weight is (in, out / groups, kh, kw).
    if input.meta.ndim == 3:
        rest = (weight, bias, stride, padding, output_padding, groups, dilation)
        return unshared(squeeze(conv_transpose2d(unsqueeze(input, 0), *rest), (0,)))
    x, w = input.meta, weight.meta
    name = "conv_transpose2d"
    steps, amounts = each_dim(name, "stride", stride), each_dim(name, "padding", padding)
    extra, spread = each_dim(name, "output_padding", output_padding), each_dim(name, "dilation", dilation)
    check_transposed(name, 2, x, w, None if bias is None else bias.meta, steps, amounts, spread, groups)
    check_output_padding(extra, steps, spread)
    image = [
        (size - 1) * s - 2 * p + d * (k - 1) + o + 1
        for size, s, p, d, k, o in zip(x.shape[2:], steps, amounts, spread, w.shape[2:], extra)
    ]
    if min(image) < 1:
        given, made = (" x ".join(map(str, sizes)) for sizes in (x.shape[2:], image))
        raise ShapeError(
            f"Given input size per channel: ({given}). Calculated output size per channel: ({made}). Output size is too small"
        )
    shape = (x.shape[0], w.shape[1] * groups, *image)
    missing = [more // step for more, step in zip(extra, steps)]
    if any(missing):  # a convolution of an image of that size has so many more outputs, whose gradient is 0
        input = pad(input, (0, missing[1], 0, missing[0]))
    attrs = (shape, steps, amounts, spread, groups)
    if bias is not None and x.dtype in HALVES:
        return conv_transpose_biased(input, weight, bias, *attrs)
    out = dispatch2(_conv_data_grad, input, weight, attrs)
    return out if bias is None else add(out, reshape(bias, (1, -1, 1, 1)))


def check_output_padding(extra: Ints, stride: Ints, dilation: Ints) -> None:
    """Raises RuntimeError unless it is less than the stride or the dilation."""
    if min(extra) < 0:
        raise InvalidArgumentError("negative output_padding is not supported")
    if any(more >= max(step, gap) for more, step, gap in zip(extra, stride, dilation)):
        raise InvalidArgumentError(
            f"output padding must be smaller than either stride or dilation, but got output_padding: {list(extra)}"
            f" stride: {list(stride)} dilation: {list(dilation)}"
        )


def check_transposed(
    name: str, dims: int, input: TensorMeta, weight: TensorMeta, bias: TensorMeta | None, stride: Ints, padding: Ints,
    dilation: Ints, groups: int,
) -> None:  # fmt: skip
    """Raises where a transposed convolution over `dims` dimensions cannot be."""
    _check_rank(name, dims, input, weight)
    _check_dtypes(input, weight, bias)
    _check_window(stride, padding, dilation, groups, weight)
    x, w = input.shape, weight.shape
    if x[1] != w[0]:
        raise ShapeError(
            f"Given transposed=1, weight of size {list(w)}, expected input{list(x)} to have {w[0]} channels, but got {x[1]}"
            " channels instead"
        )
    if bias is not None and bias.shape != (w[1] * groups,):
        raise ShapeError(
            f"Given transposed=1, weight of size {list(w)}, expected bias to be 1-dimensional with {w[1] * groups} elements,"
            f" but got bias of size {list(bias.shape)} instead"
        )
    if 0 in x[2:]:
        raise ShapeError(f"Only zero batch or zero channel inputs are supported, but got input shape: {list(x)}")


@functor("ConvDataGrad")
def conv_data_grad(
    grad: Tensor, weight: Tensor, shape: Ints, stride: Ints, padding: Ints, dilation: Ints, groups: int
) -> Any:
    attrs = (tuple(shape), tuple(stride), tuple(padding), tuple(dilation), groups)
    return dispatch2(_conv_data_grad, grad, weight, attrs)


@functor("ConvTransposeBiased")
def conv_transpose_biased(
    grad: Tensor, weight: Tensor, bias: Tensor, shape: Ints, stride: Ints, padding: Ints, dilation: Ints, groups: int
) -> Any:
    attrs = (tuple(shape), tuple(stride), tuple(padding), tuple(dilation), groups)
    return dispatch3(_conv_transpose_biased, grad, weight, bias, attrs)


@functor("ConvFilterGrad")
def conv_filter_grad(
    grad: Tensor, x: Tensor, shape: Ints, stride: Ints, padding: Ints, dilation: Ints, groups: int
) -> Any:
    attrs = (tuple(shape), tuple(stride), tuple(padding), tuple(dilation), groups)
    return dispatch2(_conv_filter_grad, grad, x, attrs)


@function("Tensor (Tensor grad)", bind_python=False)
def conv_bias_grad(grad: Tensor) -> Any:
    """The sum over all dimensions but the channels."""
    return reduction.sum(grad, (0, *range(2, grad.meta.ndim)))


def check_convolution(
    name: str, dims: int, input: TensorMeta, weight: TensorMeta, bias: TensorMeta | None, stride: Ints, padding: Ints,
    dilation: Ints, groups: int,
) -> None:  # fmt: skip
    """Raises where a convolution over `dims` dimensions cannot be."""
    _check_rank(name, dims, input, weight)
    _check_dtypes(input, weight, bias)
    _check_window(stride, padding, dilation, groups, weight)
    x, w = input.shape, weight.shape
    if x[1] != w[1] * groups:
        raise ShapeError(
            f"Given groups={groups}, weight of size {list(w)}, expected input{list(x)} to have {w[1] * groups} channels,"
            f" but got {x[1]} channels instead"
        )
    if bias is not None and bias.shape != (w[0],):
        raise ShapeError(
            f"Given weight of size {list(w)}, expected bias to be 1-dimensional with {w[0]} elements, but got bias of size"
            f" {list(bias.shape)} instead"
        )
    padded = [size + 2 * p for size, p in zip(x[2:], padding)]
    kernel = [d * (k - 1) + 1 for d, k in zip(dilation, w[2:])]
    if any(k > size for k, size in zip(kernel, padded)):
        raise ShapeError(
            f"Calculated padded input size per channel: ({' x '.join(map(str, padded))}). Kernel size:"
            f" ({' x '.join(map(str, kernel))}). Kernel size can't be greater than actual input size"
        )


def _check_window(stride: Ints, padding: Ints, dilation: Ints, groups: int, weight: TensorMeta) -> None:
    w = weight.shape
    if min(stride) < 1:
        raise InvalidArgumentError("non-positive stride is not supported")
    if min(padding) < 0:
        raise InvalidArgumentError("negative padding is not supported")
    if min(dilation) < 1:
        raise InvalidArgumentError("dilation should be greater than zero")
    if groups < 1:
        raise InvalidArgumentError("non-positive groups is not supported")
    if w[0] < groups:
        raise ShapeError(
            f"Given groups={groups}, expected weight to be at least {groups} at dimension 0, but got weight of size"
            f" {list(w)} instead"
        )
    if w[0] % groups:
        raise ShapeError(
            f"Given groups={groups}, expected weight to be divisible by {groups} at dimension 0, but got weight of size"
            f" {list(w)} instead"
        )


def _check_rank(name: str, dims: int, input: TensorMeta, weight: TensorMeta) -> None:
    if input.ndim != dims + 2:
        raise ShapeError(
            f"Expected {dims + 1}D (unbatched) or {dims + 2}D (batched) input to {name}, but got input of size:"
            f" {list(input.shape)}"
        )
    if weight.ndim != dims + 2:
        raise ShapeError(
            f"Expected {dims + 2}-dimensional weight for {name}, but got weight of size: {list(weight.shape)}"
        )


def _check_dtypes(input: TensorMeta, weight: TensorMeta, bias: TensorMeta | None) -> None:
    x = input.dtype
    for name, tensor in (("weight", weight), ("bias", bias)):
        if tensor is not None and tensor.dtype is not x:
            raise DTypeError(f"Input type ({_name(x)}) and {name} type ({_name(tensor.dtype)}) should be the same")
    if x is bool_:
        raise DTypeNotImplementedError("\"slow_conv2d_cpu\" not implemented for 'Bool'")


def _name(dtype: DType) -> str:
    return {"float32": "float", "float64": "double", "float16": "c10::Half", "bfloat16": "c10::BFloat16"}.get(
        dtype.name, dtype.name
    )

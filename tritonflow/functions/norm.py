"""Functors of normalisations. The gradients of their gradients are compositions, recorded op by op."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from tritonflow.binding.library import function, functor
from tritonflow.dtypes import DType, finfo
from tritonflow.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    InvalidArgumentError,
    NotYetImplementedError,
    ShapeError,
)
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions import reduction
from tritonflow.functions.arithmetic import add, scalar_add, sub
from tritonflow.functions.arithmetic_powers import scalar_pow
from tritonflow.functions.cast import clone
from tritonflow.functions.generated import mul
from tritonflow.functions.reduction import mean, sum_to
from tritonflow.functions.view import reshape, unshared
from tritonflow.interpreter.dispatch import dispatch, dispatch_first
from tritonflow.interpreter.grad_mode import is_grad_enabled
from tritonflow.interpreter.recording import wants_gradient
from tritonflow.ops.dtype_rules import require
from tritonflow.ops.norm import read_once

_layer_norm = op_expr("layer_norm")
_layer_norm_grad = op_expr("layer_norm_grad")
_add_layer_norm = op_expr("add_layer_norm")
_add_layer_norm_grad = op_expr("add_layer_norm_grad")
_layer_norm_gradients = op_expr("layer_norm_gradients")
_layer_norm_param_grad = op_expr("layer_norm_param_grad")
_batch_norm = op_expr("batch_norm")
_batch_norm_eval = op_expr("batch_norm_eval")
_batch_norm_grad = op_expr("batch_norm_grad")


def check_normalized_shape(input: Tensor, shape: tuple[int, ...], weight: Tensor | None, bias: Tensor | None) -> None:
    if (
        not shape
        or input.meta.shape[-len(shape) :] != shape
        or (weight is not None and weight.meta.shape != shape)
        or (bias is not None and bias.meta.shape != shape)
    ):
        raise _normalized_shape_error(input, shape, weight=weight, bias=bias)


def _normalized_shape_error(input: Tensor, shape: tuple[int, ...], **parameters: Tensor | None) -> ShapeError:
    if not shape:
        return ShapeError(
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got"
            f" normalized_shape = {list(shape)}"
        )
    for name, tensor in parameters.items():
        if tensor is not None and tensor.meta.shape != shape:
            return ShapeError(
                f"Expected {name} to be of same shape as normalized_shape, but got {name} of shape"
                f" {list(tensor.meta.shape)} and normalized_shape = {list(shape)}"
            )
    expected = "".join(f", {n}" for n in shape)
    return ShapeError(
        f"Given normalized_shape={list(shape)}, expected input with shape [*{expected}], but got input of size"
        f"{list(input.meta.shape)}"
    )


def require_floating(name: str, **tensors: Tensor | None) -> None:
    """What an op that is made of others takes: the error names it and not one of those."""
    for argument, tensor in tensors.items():
        if tensor is not None and not tensor.meta.dtype.is_floating_point:
            require(name, "floating", tensor.meta.dtype, argument)


@functor("LayerNorm")
def layer_norm(
    input: Tensor,
    normalized_shape: Sequence[int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Any:
    shape = tuple(normalized_shape)
    check_normalized_shape(input, shape, weight, bias)
    return dispatch_first(_layer_norm, (input, weight, bias), (len(shape), True), (float(eps),))


@function(
    "Tensor (Tensor input, Shape normalized_shape, Tensor weight=None, Double eps=None)",
    "Tensor (Tensor x, Tensor weight=None, Shape normalized_shape=None, Double epsilon=1e-6) => RmsNormAfterWeight",
    export=("flow", "nn.functional"), reference="torch.nn.functional.rms_norm", samples="rms_norm", tolerance="norm",
)
def rms_norm(
    input: Tensor, normalized_shape: Sequence[int], weight: Tensor | None = None, eps: float | None = None
) -> Any:
    """input / sqrt(mean(input ** 2) + eps) * weight over the last dimensions.

    After Zhang and Sennrich, Root mean square layer normalization, 2019. OneFlow's order of arguments is taken
    as well.

    Overloads:
        - `rms_norm(input: Tensor, normalized_shape: Sequence[int], weight: Tensor | None = None, eps: float | None = None)
          -> Tensor`
        - `rms_norm(x: Tensor, weight: Tensor | None, normalized_shape: Sequence[int], epsilon: float = 1e-6) -> Tensor`

    Args:
        x: the input, under OneFlow's name.
        epsilon: eps, under OneFlow's name.
        input: the input.
        normalized_shape: the last sizes of the input, over which it is normalised.
        weight: a factor for each element, of that shape.
        eps: what is added to the mean; default that of float32, in float64 of float64.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., normalized_shape) -> the same.

    Raises:
        RuntimeError: the input does not end with normalized_shape, or a weight of another shape.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.rms_norm.

    Example:
        >>> import tritonflow as flow
        >>> flow.rms_norm(flow.tensor([[3.0, -3.0], [1.0, 7.0]]), (2,))
        tensor([[ 1.0000, -1.0000],
                [ 0.2000,  1.4000]])
    """
    shape = tuple(normalized_shape)
    check_normalized_shape(input, shape, weight, None)
    require_floating("rms_norm", input=input, weight=weight)
    if eps is None:
        eps = finfo(input.meta.dtype.compute).eps
    return dispatch_first(_layer_norm, (input, weight, None), (len(shape), False), (float(eps),))


@functor("RmsNormAfterWeight")
def rms_norm_after_weight(
    x: Tensor, weight: Tensor | None = None, normalized_shape: Sequence[int] | None = None, epsilon: float = 1e-6
) -> Any:
    """OneFlow's order of arguments."""
    if normalized_shape is None:
        raise ArgumentTypeError("rms_norm() missing 1 required argument: 'normalized_shape'")
    return rms_norm(x, normalized_shape, weight, epsilon)


@functor("AddLayerNorm")
def add_layer_norm(
    input: Tensor, residual: Tensor, normalized_shape: Sequence[int], weight: Tensor | None = None, bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Any:  # fmt: skip
    return _normalized_sum("add_layer_norm", input, residual, tuple(normalized_shape), weight, bias, eps, True)


@function(
    "TensorTuple[normed, sum] (Tensor input, Tensor residual, Shape normalized_shape, Tensor weight=None, Double eps=None)",
    export="nn.functional", reference="op_references.add_rms_norm", samples="add_rms_norm", tolerance="norm",
)
def add_rms_norm(
    input: Tensor, residual: Tensor, normalized_shape: Sequence[int], weight: Tensor | None = None, eps: float | None = None
) -> Any:
    """rms_norm of input + residual, and the sum: what stands between two layers of a transformer.

    The sum is rounded to its dtype, and what is normalised is that; sums over a row are in float32, of
    float64 in float64. Both results are made in one pass, and so is the gradient of the sum.

    Args:
        input: what a layer has made.
        residual: what it is added to, of the same shape and dtype.
        normalized_shape: the last sizes of the input, over which it is normalised.
        weight: a factor for each element, of that shape.
        eps: what is added to the mean of squares; default that of float32, in float64 of float64.
        out: a tuple of tensors that the results are written into; not while gradients are recorded.

    Shape:
        (..., normalized_shape), the same -> the same, the same.

    Raises:
        RuntimeError: the input does not end with normalized_shape, a weight of another shape, or a residual
            of another shape or dtype.
        NotImplementedError: a dtype that is not floating.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: oneflow._C.skip_rms_norm.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> normed, total = F.add_rms_norm(flow.tensor([[1.0, -2.0]]), flow.tensor([[2.0, -1.0]]), (2,), eps=0.0)
        >>> normed, total
        (tensor([[ 1., -1.]]), tensor([[ 3., -3.]]))
    """
    require_floating("add_rms_norm", input=input)
    if eps is None:
        eps = finfo(input.meta.dtype.compute).eps
    return _normalized_sum("add_rms_norm", input, residual, tuple(normalized_shape), weight, None, eps, False)


def _normalized_sum(
    name: str, input: Tensor, residual: Tensor, shape: tuple[int, ...], weight: Tensor | None, bias: Tensor | None, eps: float,
    center: bool,
) -> Any:  # fmt: skip
    """(the sum normalised, the sum)"""
    x, other = input.meta, residual.meta
    require_floating(name, input=input, residual=residual, weight=weight, bias=bias)
    if other.shape != x.shape or other.dtype is not x.dtype:
        raise ShapeError(
            f"{name}(): expected a residual of the input's shape {list(x.shape)} and dtype {x.dtype}, but got {list(other.shape)},"
            f" {other.dtype}"
        )
    check_normalized_shape(input, shape, weight, bias)
    return dispatch(_add_layer_norm, (input, residual, weight, bias), (len(shape), center), (float(eps),))[:2]


@function(
    "TensorTuple (Tensor grad, Tensor added, Tensor x, Tensor mean, Tensor rstd, Tensor weight=None, Int32 dims=1, "
    "DataType dtype=None, Bool center=True, Double eps=1e-5, Bool of_input=True, Bool of_parameters=True)",
    export=(), samples={"none": "add_layer_norm is tested"},
)
def add_layer_norm_gradients(
    grad: Tensor, added: Tensor, x: Tensor, mean: Tensor, rstd: Tensor, weight: Tensor | None, dims: int, dtype: DType,
    center: bool, eps: float, of_input: bool, of_parameters: bool,
) -> Any:  # fmt: skip
    """All gradients of add_layer_norm, of which those of both addends are one tensor."""
    if of_input and of_parameters and _read_once(x, dims):
        dx, *others = dispatch(_layer_norm_gradients, (grad, x, mean, rstd, weight, added), (dims, center, dtype))
    elif not of_input or is_grad_enabled():
        dx, *others = layer_norm_gradients(grad, x, mean, rstd, weight, dims, dtype, center, eps, of_input, of_parameters)
        dx = add(dx, added) if of_input else None
    else:
        dx = dispatch(_add_layer_norm_grad, (grad, x, mean, rstd, weight, added), (dims, center))
        others = layer_norm_param_grad(grad, x, mean, rstd, dims, dtype, center, eps) if of_parameters else (None, None)
    return dx, dx, *others


@function(
    "Tensor (Tensor input, Int32 num_groups, Tensor weight=None, Tensor bias=None, Double eps=1e-5)",
    export=("flow", "nn.functional"), reference="torch.nn.functional.group_norm", samples="group_norm", tolerance="norm",
    autocast="float32",
)
def group_norm(
    input: Tensor, num_groups: int, weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-5
) -> Any:
    """Layer normalisation of groups of channels.

    Each sample's channels fall into num_groups neighbouring groups, each normalised by its mean and
    variance; weight and bias are by channel. After Wu and He, Group normalization, 2018.

    Args:
        input: the input.
        num_groups: how many groups.
        weight: a factor for each channel.
        bias: an addend for each channel.
        eps: a small number that keeps a divisor away from 0.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C, ...) -> the same.

    Under `flow.autocast` it computes in float32.

    Raises:
        RuntimeError: fewer than 2 dimensions, or channels that num_groups does not divide.
        ValueError: one sample whose groups have one value.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.group_norm.

    Example:
        >>> import tritonflow as flow
        >>> flow.group_norm(flow.tensor([[1.0, 3.0, 10.0, 30.0]]), 2)
        tensor([[-1.0000,  1.0000, -1.0000,  1.0000]])
    """
    # Layer normalisation of each group of channels, then scale and shift by channel.
    shape = input.meta.shape
    if len(shape) < 2:
        raise ShapeError(f"Expected at least 2 dimensions for input tensor but received {len(shape)}")
    if num_groups < 1 or shape[1] % num_groups:
        raise ShapeError(
            "Expected number of channels in input to be divisible by num_groups, but got input of shape"
            f" {list(shape)} and num_groups={num_groups}"
        )
    require_floating("group_norm", input=input, weight=weight, bias=bias)
    if prod(shape) == num_groups:  # torch's count takes a batch's groups together
        raise ArgumentValueError(f"Expected more than 1 value per channel when training, got input size {list(shape)}")
    rows = (shape[0] * num_groups, prod(shape[1:]) // num_groups)
    normal = dispatch_first(_layer_norm, (reshape(input, rows), None, None), (1, True), (float(eps),))
    out = unshared(reshape(normal, shape))
    by_channel = (1, shape[1], *[1] * (len(shape) - 2))
    if weight is not None:
        out = mul(out, reshape(weight, by_channel))
    return out if bias is None else add(out, reshape(bias, by_channel))


@functor("LayerNormGrad")
def layer_norm_grad(
    grad: Tensor, x: Tensor, mean: Tensor, rstd: Tensor, weight: Tensor | None, dims: int, center: bool, eps: float
) -> Any:
    if not is_grad_enabled():
        return dispatch(_layer_norm_grad, (grad, x, mean, rstd, weight), (dims, center))
    over = tuple(range(-dims, 0))
    scaled = grad if weight is None else mul(grad, weight)
    return _input_gradient(scaled, *normalized(x, over, eps, center), over, center)


def _read_once(x: Tensor, dims: int) -> bool:
    """Whether one kernel makes all gradients, of which no second ones are wanted."""
    return read_once(x.meta, dims) and x.meta.is_local and not is_grad_enabled()


@functor("LayerNormGradients")
def layer_norm_gradients(
    grad: Tensor,
    x: Tensor,
    mean: Tensor,
    rstd: Tensor,
    weight: Tensor | None,
    dims: int,
    dtype: DType,
    center: bool,
    eps: float,
    of_input: bool,
    of_parameters: bool,
) -> Any:
    if of_input and of_parameters and _read_once(x, dims):
        return dispatch(_layer_norm_gradients, (grad, x, mean, rstd, weight, None), (dims, center, dtype))
    dx = layer_norm_grad(grad, x, mean, rstd, weight, dims, center, eps) if of_input else None
    of_rows = layer_norm_param_grad(grad, x, mean, rstd, dims, dtype, center, eps) if of_parameters else (None, None)
    return dx, *of_rows


@functor("LayerNormParamGrad")
def layer_norm_param_grad(
    grad: Tensor, x: Tensor, mean: Tensor, rstd: Tensor, dims: int, dtype: DType, center: bool, eps: float
) -> Any:
    if not is_grad_enabled():
        return dispatch(_layer_norm_param_grad, (grad, x, mean, rstd), (dims, dtype))
    xhat, _ = normalized(x, tuple(range(-dims, 0)), eps, center)
    shape = x.meta.shape[x.meta.ndim - dims :]
    return sum_to(mul(grad, xhat), shape), sum_to(grad, shape)


def normalized(x: Tensor, over: tuple[int, ...], eps: float, center: bool) -> tuple[Tensor, Tensor]:
    """(xhat, rstd), recorded."""
    centered = sub(x, mean(x, over, True)) if center else x
    rstd = scalar_pow(scalar_add(mean(mul(centered, centered), over, True), eps), -0.5)
    return mul(centered, rstd), rstd


def _input_gradient(grad: Tensor, xhat: Tensor, rstd: Tensor, over: tuple[int, ...], center: bool) -> Tensor:
    """rstd * (g - mean(g) - xhat * mean(g * xhat)), recorded."""
    inner = sub(grad, mul(xhat, mean(mul(grad, xhat), over, True)))
    if center:
        inner = sub(inner, mean(grad, over, True))
    return mul(rstd, inner)  # type: ignore[no-any-return]


@functor("BatchNorm")
def batch_norm(
    input: Tensor,
    running_mean: Tensor | None = None,
    running_var: Tensor | None = None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Any:
    if input.meta.ndim == 1 and input.meta.numel == 0:
        return clone(input)
    return dispatch_first(*batch_norm_call(input, running_mean, running_var, weight, bias, training, momentum, eps))


Call = tuple[Any, tuple[Tensor | None, ...], tuple[Any, ...], tuple[float, ...]]


def batch_norm_call(
    input: Tensor, running_mean: Tensor | None, running_var: Tensor | None, weight: Tensor | None, bias: Tensor | None,
    training: bool, momentum: float, eps: float,
) -> Call:  # fmt: skip
    """The op, its inputs, attributes and scalars.

    Raises:
        ShapeError, ArgumentValueError, InvalidArgumentError: shapes that do not fit, or no statistics.
    """
    x = input.meta
    if x.ndim < 2:
        raise ShapeError(f"batch_norm: expected at least 2 dimensions, but got input of size {list(x.shape)}")
    parameters = {"running_mean": running_mean, "running_var": running_var, "weight": weight, "bias": bias}
    for name, tensor in parameters.items():
        if tensor is not None and tensor.meta.shape != (x.shape[1],):
            raise ShapeError(f"{name} should contain {x.shape[1]} elements not {tensor.meta.numel}")
    if training:
        if not eps > 0:
            raise ArgumentValueError(f"batch_norm eps must be positive during training, but got {eps}")
        if x.numel // max(x.shape[1], 1) == 1:
            raise ArgumentValueError(
                f"Expected more than 1 value per channel when training, got input size {list(x.shape)}"
            )
        for name, tensor in (("running_mean", running_mean), ("running_var", running_var)):  # which are written: refused before
            if tensor is not None and wants_gradient(tensor) and is_grad_enabled():
                raise NotYetImplementedError(f"the derivative for '{name}' is not implemented (batch_norm)")
        scalars = (float(momentum), float(eps))
        if not x.numel:  # an empty batch leaves the running statistics as they are
            running_mean = running_var = None
        return _batch_norm, (input, weight, bias, running_mean, running_var), (), scalars
    if running_mean is None or running_var is None:
        raise InvalidArgumentError(
            f"Expected running_{'mean' if running_mean is None else 'var'} to be defined when training=False"
        )
    return _batch_norm_eval, (input, weight, bias, running_mean, running_var), (), (float(eps),)


@functor("BatchNormGrad")
def batch_norm_grad(
    grad: Tensor, x: Tensor, mean: Tensor, rstd: Tensor, weight: Tensor | None, training: bool, eps: float
) -> Any:
    if not is_grad_enabled():
        return dispatch(_batch_norm_grad, (grad, x, mean, rstd, weight), (training,))
    over = (0, *range(2, x.meta.ndim))
    by_channel = (1, -1, *[1] * (x.meta.ndim - 2))
    scaled = grad if weight is None else mul(grad, reshape(weight, by_channel))
    if training:
        xhat, deviation = normalized(x, over, eps, True)
        dx = _input_gradient(scaled, xhat, deviation, over, True)
    else:
        deviation = reshape(rstd, by_channel)
        xhat = mul(sub(x, reshape(mean, by_channel)), deviation)
        dx = mul(scaled, deviation)
    return dx, reduction.sum(mul(grad, xhat), over), reduction.sum(grad, over)

"""Functors of activations made of others: gates, random slopes."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import function, functor
from tritonflow.errors import InvalidArgumentError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor, wrap_dim
from tritonflow.functions.activation import hardtanh
from tritonflow.functions.arithmetic import sub
from tritonflow.functions.creation_like import empty_like, zeros_like
from tritonflow.functions.generated import (
    exp,
    gated_by_gelu,
    gated_by_gelu_tanh,
    gated_by_silu,
    leaky_relu,
    mul,
    normal_cdf,
    scalar_gt,
    sigmoid,
    sigmoid_gate,
    silu,
    tanh,
    where,
)
from tritonflow.functions.random_in_place import uniform_
from tritonflow.functions.view import narrow, reshape
from tritonflow.functions.view_parts import split
from tritonflow.interpreter.dispatch import dispatch
from tritonflow.interpreter.grad_mode import is_grad_enabled, no_grad
from tritonflow.ops.dtype_rules import require

_gated_gradients = op_expr("gated_gradients")


@function(
    "Tensor (Tensor input, Int32 dim=-1)",
    export="nn.functional", reference="torch.nn.functional.glu", samples="glu", tolerance="transcendental",
)
def glu(input: Tensor, dim: int = -1) -> Any:
    """The first half of a dimension times sigmoid of the second.

    The gated linear unit: `out = a * sigmoid(b)`, where a and b are the halves of the dimension. After
    Dauphin et al., 2017.

    Args:
        input: the input.
        dim: the dimension that is halved; its size is even.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., 2 n, ...) -> (..., n, ...).

    Raises:
        RuntimeError: the size is odd.
        NotImplementedError: a dtype that is not floating.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.glu.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.glu(flow.tensor([2.0, 4.0, 0.0, 0.0]))
        tensor([1., 2.])
    """
    require("glu", "floating", input.meta.dtype, "input")
    if not input.meta.ndim:
        raise ShapeError(
            "glu does not support 0-dimensional tensors: glu does not support scalars because halving size must be even"
        )
    dim = wrap_dim(dim, input.meta.ndim)
    size = input.meta.shape[dim]
    if size % 2:
        raise ShapeError(f"Halving dimension must be even, but dimension {dim} is size {size}")
    return sigmoid_gate(narrow(input, dim, 0, size // 2), narrow(input, dim, size // 2, size // 2))


@function(
    "Tensor (Tensor x, Tensor y=None)",
    export="nn.functional", reference="op_references.swiglu", samples="gated", tolerance="transcendental",
)
def swiglu(x: Tensor, y: Tensor | None = None) -> Any:
    """silu(x) * y, the gated unit of LLaMA's layers; without y both are halves of x.

    Its gradients are computed from x and y again: nothing else is saved. After Shazeer, GLU variants
    improve transformer, 2020.

    Args:
        x: what silu is applied to; or both, one behind the other along the last dimension.
        y: what it is multiplied by; both broadcast.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (...), (...) -> (...); or (..., 2 n) -> (..., n).

    Raises:
        RuntimeError: the last size is odd, and there is no y.
        NotImplementedError: a dtype that is not floating.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: oneflow._C.fused_glu.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.swiglu(flow.tensor([0.0, 2.0]), flow.tensor([3.0, 10.0]))
        tensor([ 0.0000, 17.6159])
    """
    return gated_by_silu(*_halves("swiglu", x, y))


@function(
    "Tensor (Tensor x, Tensor y=None, *, String approximate='none')",
    export="nn.functional", reference="op_references.geglu", samples="gated", tolerance="transcendental",
)
def geglu(x: Tensor, y: Tensor | None = None, approximate: str = "none") -> Any:
    """gelu(x) * y, the gated unit of Gemma's layers; without y both are halves of x.

    Its gradients are computed from x and y again: nothing else is saved. After Shazeer, GLU variants
    improve transformer, 2020.

    Args:
        x: what gelu is applied to; or both, one behind the other along the last dimension.
        y: what it is multiplied by; both broadcast.
        approximate: `"none"`, or `"tanh"` for gelu's approximation by tanh.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (...), (...) -> (...); or (..., 2 n) -> (..., n).

    Raises:
        RuntimeError: an unknown approximation; the last size is odd, and there is no y.
        NotImplementedError: a dtype that is not floating.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: oneflow._C.fused_glu.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.geglu(flow.tensor([0.0, 2.0, 3.0, 10.0]))
        tensor([ 0.0000, 19.5450])
    """
    if approximate not in ("none", "tanh"):
        raise InvalidArgumentError("approximate argument must be either none or tanh.")
    gate = gated_by_gelu if approximate == "none" else gated_by_gelu_tanh
    return gate(*_halves("geglu", x, y))


def _halves(name: str, x: Tensor, y: Tensor | None) -> tuple[Any, Any]:
    """Both operands of a gate."""
    require(name, "floating", x.meta.dtype, "x")
    if y is not None:
        return x, y
    if not x.meta.ndim or x.meta.shape[-1] % 2:
        raise ShapeError(f"{name}(): without y the last size must be even, but x is {list(x.meta.shape)}")
    n = x.meta.shape[-1] // 2
    return tuple(split(x, n, -1)) if n else (x, x)  # type: ignore[return-value]


@functor("GatedGradients")
def gated_gradients(grad: Tensor, x: Tensor, y: Tensor, by: str) -> Any:
    if not is_grad_enabled():
        return dispatch(_gated_gradients, (grad, x, y), (by,))
    value, slope = _GATES[by](x)
    return mul(mul(grad, y), slope), mul(grad, value)


def _silu(x: Tensor) -> tuple[Any, Any]:
    """silu and its slope, recorded."""
    gate = sigmoid(x)
    return silu(x), gate * (1 + x * sigmoid(-x))


def _gelu(x: Tensor) -> tuple[Any, Any]:
    share = normal_cdf(x)
    return mul(x, share), share + x * (exp(x * x * -0.5) * 0.3989422804014327)


def _gelu_tanh(x: Tensor) -> tuple[Any, Any]:
    turned = (x + x * x * x * 0.044715) * 1.5957691216057308
    share, slope = sigmoid(turned), (1 + x * x * 0.134145) * 1.5957691216057308
    return mul(x, share), share * (1 + x * slope * sigmoid(-turned))


_GATES = {"silu": _silu, "gelu": _gelu, "gelu_tanh": _gelu_tanh}


@function(
    "Tensor (Tensor input, Double lower=0.125, Double upper=0.3333333333333333, Bool training=False, Bool inplace=False)",
    export=("flow", "nn.functional"), reference="torch.nn.functional.rrelu", samples="real", tolerance="pointwise",
)
def rrelu(input: Tensor, lower: float = 1.0 / 8, upper: float = 1.0 / 3, training: bool = False, inplace: bool = False) -> Any:
    """x where positive, otherwise x times a slope, drawn while training.

    `out = x if x > 0 else slope * x`. While training a slope is drawn for each element between `lower`
    and `upper`, otherwise it is the mean of both. After Xu et al., 2015.

    Args:
        input: the input.
        lower: the least slope.
        upper: the largest slope.
        training: whether slopes are drawn.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Raises:
        RuntimeError: `lower` is above `upper`.
        NotImplementedError: a dtype that is not floating.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.rrelu.

    Example:
        >>> import tritonflow as flow
        >>> flow.rrelu(flow.tensor([-4.0, 4.0]), 0.2, 0.3)
        tensor([-1.,  4.])
    """
    # A slope drawn for each element while training, otherwise the mean one.
    require("rrelu", "floating", input.meta.dtype, "input")
    if lower > upper:
        raise InvalidArgumentError(f"Lower bound should be less than or equal to the upper bound, but got {lower} and {upper}")
    if not training:
        return leaky_relu(input, (lower + upper) / 2, inplace)
    with no_grad():
        slopes = uniform_(empty_like(input), lower, upper)
        slopes = where(scalar_gt(input, 0), zeros_like(slopes) + 1, slopes)
    return mul(input, slopes, inplace)


@function(
    "Tensor (Tensor input)",
    export="nn.functional", reference="torch.nn.functional.tanhshrink", samples="real", tolerance="norm",
)
def tanhshrink(input: Tensor) -> Any:
    """x - tanh(x).

    `out = x - tanh(x)`.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.tanhshrink.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.tanhshrink(flow.tensor([0.0, 2.0]))
        tensor([0.0000, 1.0360])
    """
    return sub(input, tanh(input))


@function(
    "Tensor (Tensor input, Bool inplace=False)",
    export="nn.functional", reference="torch.nn.functional.relu6", samples="real",
)
def relu6(input: Tensor, inplace: bool = False) -> Any:
    """`min(max(x, 0), 6)`.

    Args:
        input: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.relu6.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.functional.relu6(flow.tensor([-1.0, 3.0, 9.0]))
        tensor([0., 3., 6.])
    """
    return hardtanh(input, 0.0, 6.0, inplace)


@function(
    "Tensor (Tensor input, Tensor weight)",
    methods="prelu", export=("flow", "nn.functional"), reference="torch.nn.functional.prelu",
    samples={"none": "a weight a channel: tests/nn/test_layers.py and tests/ops/test_dtypes.py"},
)
def prelu(input: Tensor, weight: Tensor) -> Any:
    """`x` where x > 0, otherwise `weight * x`; one weight for all, or one for each channel (dimension 1).

    Args:
        input: the input.
        weight: the slope of negative numbers (He et al., 2015).
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C, ...), (1) or (C) -> (N, C, ...).

    Raises:
        RuntimeError: another number of weights, a dtype that is not floating.

    Source: torch.nn.functional.prelu.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.functional.prelu(flow.tensor([-2.0, 3.0]), flow.tensor([0.5])).tolist()
        [-1.0, 3.0]
    """
    for argument, tensor in (("input", input), ("weight", weight)):
        require("prelu", "floating", tensor.meta.dtype, argument)
    shape, count = input.meta.shape, weight.meta.numel
    if weight.meta.ndim > 1:
        raise ShapeError(f"prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {weight.meta.ndim}")
    channels = shape[1] if len(shape) > 1 else 1
    if count not in (1, channels):
        raise ShapeError(
            f"Mismatch of parameter numbers and input channel size. Found parameter numbers = {count} "
            f"and channel size = {channels}. num_parameters in prelu must be 1 or {channels}."
        )
    if count > 1:
        weight = reshape(weight, (count,) + (1,) * (len(shape) - 2))
    elif not shape:
        weight = reshape(weight, ())
    return where(scalar_gt(input, 0), input, mul(input, weight))

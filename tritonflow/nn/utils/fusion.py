"""Batch normalisation folded into the layer before it, for evaluation."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from tritonflow import _C
from tritonflow.nn.parameter import Parameter

__all__ = ["fuse_conv_bn_eval", "fuse_conv_bn_weights", "fuse_linear_bn_eval", "fuse_linear_bn_weights"]


def fuse_conv_bn_eval(conv: Any, bn: Any, transpose: bool = False) -> Any:
    """A convolution that computes what a convolution and a batch normalisation behind it compute in evaluation.

    Args:
        conv, bn: in evaluation mode.
        transpose: the convolution is a transposed one.

    Raises:
        AssertionError: a layer is in training mode, or there are no running statistics.

    Source: https://pytorch.org/docs/stable/generated/torch.nn.utils.fuse_conv_bn_eval.html

    Example:
        >>> import tritonflow as flow
        >>> conv, bn = flow.nn.Conv2d(2, 3, 1).eval(), flow.nn.BatchNorm2d(3).eval()
        >>> x = flow.ones(1, 2, 2, 2)
        >>> flow.allclose(flow.nn.utils.fuse_conv_bn_eval(conv, bn)(x), bn(conv(x)), atol=1e-6)
        True
    """
    _check(conv, bn)
    fused = deepcopy(conv)
    fused.weight, fused.bias = fuse_conv_bn_weights(
        fused.weight, fused.bias, bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias, transpose
    )
    return fused


def fuse_conv_bn_weights(
    conv_w: Any, conv_b: Any, bn_rm: Any, bn_rv: Any, bn_eps: float, bn_w: Any, bn_b: Any, transpose: bool = False
) -> tuple[Parameter, Parameter]:
    """(weight, bias) of the fused convolution, from the tensors of both layers.

    Args:
        conv_w, conv_b: weight and bias of the convolution; the bias may be None.
        bn_rm, bn_rv, bn_eps: running mean and variance, and eps, of the normalisation.
        bn_w, bn_b: its weight and bias, which may be None.
        transpose: the convolution is a transposed one.

    Source: torch.nn.utils.fuse_conv_bn_weights.

    Example:
        >>> import tritonflow as flow
        >>> zeros, ones = flow.zeros(1), flow.ones(1)
        >>> weight, bias = flow.nn.utils.fuse_conv_bn_weights(flow.ones(1, 1, 1, 1), None, ones, ones, 0.0, 2 * ones, zeros)
        >>> weight.item(), bias.item()
        (2.0, -2.0)
    """
    bias_dtype = conv_w.dtype if conv_b is None else conv_b.dtype
    conv_b = _C.zeros_like(bn_rm) if conv_b is None else conv_b
    scale = (bn_rv + bn_eps).rsqrt()
    scale = scale if bn_w is None else scale * bn_w
    shape = [1, -1] if transpose else [-1, 1]
    weight = conv_w * scale.reshape(tuple(shape + [1] * (conv_w.ndim - 2)))
    return _fused(conv_w, weight, conv_b, (conv_b - bn_rm) * scale, bn_b, bias_dtype)


def fuse_linear_bn_eval(linear: Any, bn: Any) -> Any:
    """A linear layer that computes what a linear layer and a batch normalisation behind it compute in evaluation.

    Args:
        linear, bn: in evaluation mode.

    Raises:
        AssertionError: a layer is in training mode, there are no running statistics, or the features differ.

    Source: https://pytorch.org/docs/stable/generated/torch.nn.utils.fuse_linear_bn_eval.html

    Example:
        >>> import tritonflow as flow
        >>> linear, bn = flow.nn.Linear(2, 3).eval(), flow.nn.BatchNorm1d(3).eval()
        >>> flow.allclose(flow.nn.utils.fuse_linear_bn_eval(linear, bn)(flow.ones(1, 2)), bn(linear(flow.ones(1, 2))), atol=1e-6)
        True
    """
    _check(linear, bn)
    if linear.out_features != bn.num_features and bn.num_features != 1:
        raise AssertionError("To fuse, linear.out_features == bn.num_features or bn.num_features == 1")
    fused = deepcopy(linear)
    fused.weight, fused.bias = fuse_linear_bn_weights(
        fused.weight, fused.bias, bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias
    )
    return fused


def fuse_linear_bn_weights(
    linear_w: Any, linear_b: Any, bn_rm: Any, bn_rv: Any, bn_eps: float, bn_w: Any, bn_b: Any
) -> tuple[Parameter, Parameter]:
    """(weight, bias) of the fused layer, from the tensors of both layers.

    Args:
        linear_w, linear_b: weight and bias of the linear layer; the bias may be None.
        bn_rm, bn_rv, bn_eps: running mean and variance, and eps, of the normalisation.
        bn_w, bn_b: its weight and bias.

    Source: torch.nn.utils.fuse_linear_bn_weights.

    Example:
        >>> import tritonflow as flow
        >>> zeros, ones = flow.zeros(1), flow.ones(1)
        >>> weight, bias = flow.nn.utils.fuse_linear_bn_weights(flow.ones(1, 1), None, ones, ones, 0.0, 2 * ones, zeros)
        >>> weight.item(), bias.item()
        (2.0, -2.0)
    """
    bias_dtype = linear_w.dtype if linear_b is None else linear_b.dtype
    linear_b = _C.zeros_like(bn_rm) if linear_b is None else linear_b
    scale = bn_w * (bn_rv + bn_eps).rsqrt()
    return _fused(linear_w, linear_w * scale.unsqueeze(-1), linear_b, (linear_b - bn_rm) * scale, bn_b, bias_dtype)


def _check(layer: Any, bn: Any) -> None:
    if layer.training or bn.training:
        raise AssertionError("Fusion only for eval!")
    if bn.running_mean is None or bn.running_var is None:
        raise AssertionError("bn.running_mean and bn.running_var must not be None")


def _fused(old: Any, weight: Any, old_bias: Any, bias: Any, shift: Any, dtype: Any) -> tuple[Parameter, Parameter]:
    bias = bias if shift is None else bias + shift
    return (
        Parameter(weight.detach().to(old.dtype), old.requires_grad),
        Parameter(bias.detach().to(dtype), old_bias.requires_grad),
    )

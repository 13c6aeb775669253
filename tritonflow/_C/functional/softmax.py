"""Functions of the binding: softmax.

Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow.dtypes import DType as _DType
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.binding.arguments import Binding as _Binding
from tritonflow.functions.softmax import (log_softmax as _log_softmax, log_softmax_grad as _log_softmax_grad, softmax as _softmax,
        softmax_grad as _softmax_grad, gumbel_softmax as _gumbel_softmax, softmin as _softmin)
from tritonflow.binding.library import publish as _publish
from tritonflow.binding.prototype import MISSING as _missing

_softmax_slow = _Binding("softmax", "Tensor (Tensor x, Int32 dim=None, DataType dtype=None)", _softmax, methods="softmax",
        autocast="float32")
def softmax(x=_missing, dim=None, dtype=None, *extra, **unknown):
    """exp(x) / sum(exp(x)) along a dimension.

    `out[i] = exp(x[i]) / sum over j of exp(x[j])`, computed without overflow: the largest element is
    subtracted first. The results are positive and add up to 1 along the dimension. Without a dimension
    it is 0 of tensors with 0, 1 or 3 dimensions and 1 of others, with a warning.

    Args:
        x: the input.
        dim: the dimension along which the results add up to 1.
        dtype: of the result; the input is cast to it first.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        the result has the shape of `x`.

    Differentiable. Under `flow.autocast` it computes in float32. Method: `Tensor.softmax`.

    Raises:
        NotImplementedError: integers or bool without a floating `dtype`.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.softmax.

    Example:
        >>> import tritonflow as flow
        >>> flow.softmax(flow.tensor([[0.0, 0.0], [1.0, 2.0]]), dim=1)
        tensor([[0.5000, 0.5000],
                [0.2689, 0.7311]])
    """
    if (x.__class__ is _Tensor and (dim is None or dim.__class__ is int) and (dtype is None or dtype.__class__ is _DType) and
            not extra and not unknown):
        return _softmax(x, dim, dtype)
    return _softmax_slow((x, dim, dtype), extra, unknown)

_softmax_grad_slow = _Binding("softmax_grad", "Tensor (Tensor grad, Tensor y, Int32 dim)", _softmax_grad)
def softmax_grad(grad=_missing, y=_missing, dim=_missing, *extra, **unknown):
    """y * (grad - sum(grad * y))"""
    if grad.__class__ is _Tensor and y.__class__ is _Tensor and dim.__class__ is int and not extra and not unknown:
        return _softmax_grad(grad, y, dim)
    return _softmax_grad_slow((grad, y, dim), extra, unknown)

_log_softmax_slow = _Binding("log_softmax", "Tensor (Tensor x, Int32 dim=None, DataType dtype=None)", _log_softmax,
        methods="log_softmax", autocast="float32")
def log_softmax(x=_missing, dim=None, dtype=None, *extra, **unknown):
    """x - log(sum(exp(x))) along a dimension.

    `out[i] = x[i] - log(sum over j of exp(x[j]))`, computed without overflow. Without a dimension it is
    chosen as by `flow.softmax`.

    Args:
        x: the input.
        dim: the dimension along which the exponentials add up to 1.
        dtype: of the result; the input is cast to it first.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        the result has the shape of `x`.

    Differentiable. Under `flow.autocast` it computes in float32. Method: `Tensor.log_softmax`.

    Raises:
        NotImplementedError: integers or bool without a floating `dtype`.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.log_softmax.

    Example:
        >>> import tritonflow as flow
        >>> flow.log_softmax(flow.tensor([[0.0, 0.0], [1.0, 2.0]]), dim=1)
        tensor([[-0.6931, -0.6931],
                [-1.3133, -0.3133]])
    """
    if (x.__class__ is _Tensor and (dim is None or dim.__class__ is int) and (dtype is None or dtype.__class__ is _DType) and
            not extra and not unknown):
        return _log_softmax(x, dim, dtype)
    return _log_softmax_slow((x, dim, dtype), extra, unknown)

_log_softmax_grad_slow = _Binding("log_softmax_grad", "Tensor (Tensor grad, Tensor y, Int32 dim)", _log_softmax_grad)
def log_softmax_grad(grad=_missing, y=_missing, dim=_missing, *extra, **unknown):
    """grad - exp(y) * sum(grad)"""
    if grad.__class__ is _Tensor and y.__class__ is _Tensor and dim.__class__ is int and not extra and not unknown:
        return _log_softmax_grad(grad, y, dim)
    return _log_softmax_grad_slow((grad, y, dim), extra, unknown)

_gumbel_softmax_slow = _Binding("gumbel_softmax",
        "Tensor (Tensor logits, Double tau=1, Bool hard=False, Double eps=1e-10, Int32 dim=-1)", _gumbel_softmax)
def gumbel_softmax(logits=_missing, tau=1.0, hard=False, eps=1e-10, dim=-1, *extra, **unknown):
    if (logits.__class__ is _Tensor and tau.__class__ is float and (hard is False or hard is True) and eps.__class__ is float and
            dim.__class__ is int and not extra and not unknown):
        return _gumbel_softmax(logits, tau, hard, eps, dim)
    return _gumbel_softmax_slow((logits, tau, hard, eps, dim), extra, unknown)

_softmin_slow = _Binding("softmin", "Tensor (Tensor input, Int32 dim=None, DataType dtype=None)", _softmin, autocast="float32")
def softmin(input=_missing, dim=None, dtype=None, *extra, **unknown):
    if (input.__class__ is _Tensor and (dim is None or dim.__class__ is int) and (dtype is None or dtype.__class__ is _DType) and
            not extra and not unknown):
        return _softmin(input, dim, dtype)
    return _softmin_slow((input, dim, dtype), extra, unknown)

_methods = _publish(globals())

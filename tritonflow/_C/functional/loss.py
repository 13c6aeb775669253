"""Functions of the binding: loss.

Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow.framework.tensor import Size as _Size
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.functional.arguments import Binding as _Binding, all_ints as _all_ints
from tritonflow.functional.functors.loss import (cross_entropy as _cross_entropy, cross_entropy_grad as _cross_entropy_grad,
        mse_loss as _mse_loss, nll_loss as _nll_loss, nll_loss_grad as _nll_loss_grad)
from tritonflow.functional.library import publish as _publish
from tritonflow.functional.prototype import MISSING as _missing

_cross_entropy_slow = _Binding("cross_entropy",
        "Tensor (Tensor input, Tensor target, Tensor weight=None, Int64 ignore_index=-100, String reduction='mean', Double label_smoothing=0.0)",
        _cross_entropy, autocast="float32_result")
def cross_entropy(input=_missing, target=_missing, weight=None, ignore_index=-100, reduction='mean', label_smoothing=0.0, *extra,
        **unknown):
    """the cross entropy of logits and class indices or class probabilities"""
    if (input.__class__ is _Tensor and target.__class__ is _Tensor and (weight is None or weight.__class__ is _Tensor) and
            ignore_index.__class__ is int and reduction.__class__ is str and label_smoothing.__class__ is float and not extra and
            not unknown):
        return _cross_entropy(input, target, weight, ignore_index, reduction, label_smoothing)
    return _cross_entropy_slow((input, target, weight, ignore_index, reduction, label_smoothing), extra, unknown)

_cross_entropy_grad_slow = _Binding("cross_entropy_grad",
        "Tensor (Tensor grad, Tensor input, Tensor target, Tensor lse, Tensor totals, Tensor weight=None, String reduction='mean', Int64 ignore_index=-100, Bool smooth=False, Double label_smoothing=0.0)",
        _cross_entropy_grad)
def cross_entropy_grad(grad=_missing, input=_missing, target=_missing, lse=_missing, totals=_missing, weight=None,
        reduction='mean', ignore_index=-100, smooth=False, label_smoothing=0.0, *extra, **unknown):
    """the gradient of cross_entropy with class indices"""
    if (grad.__class__ is _Tensor and input.__class__ is _Tensor and target.__class__ is _Tensor and lse.__class__ is _Tensor and
            totals.__class__ is _Tensor and (weight is None or weight.__class__ is _Tensor) and reduction.__class__ is str and
            ignore_index.__class__ is int and (smooth is False or smooth is True) and label_smoothing.__class__ is float and
            not extra and not unknown):
        return _cross_entropy_grad(grad, input, target, lse, totals, weight, reduction, ignore_index, smooth, label_smoothing)
    return _cross_entropy_grad_slow((grad, input, target, lse, totals, weight, reduction, ignore_index, smooth, label_smoothing),
            extra, unknown)

_nll_loss_slow = _Binding("nll_loss",
        "Tensor (Tensor input, Tensor target, Tensor weight=None, Int64 ignore_index=-100, String reduction='mean')", _nll_loss,
        autocast="float32")
def nll_loss(input=_missing, target=_missing, weight=None, ignore_index=-100, reduction='mean', *extra, **unknown):
    """the negative log-likelihood of class indices"""
    if (input.__class__ is _Tensor and target.__class__ is _Tensor and (weight is None or weight.__class__ is _Tensor) and
            ignore_index.__class__ is int and reduction.__class__ is str and not extra and not unknown):
        return _nll_loss(input, target, weight, ignore_index, reduction)
    return _nll_loss_slow((input, target, weight, ignore_index, reduction), extra, unknown)

_nll_loss_grad_slow = _Binding("nll_loss_grad",
        "Tensor (Tensor grad, Tensor target, Tensor totals, Tensor weight=None, Shape shape=(), String reduction='mean', Int64 ignore_index=-100)",
        _nll_loss_grad)
def nll_loss_grad(grad=_missing, target=_missing, totals=_missing, weight=None, shape=(), reduction='mean', ignore_index=-100,
        *extra, **unknown):
    """the gradient of nll_loss"""
    if (grad.__class__ is _Tensor and target.__class__ is _Tensor and totals.__class__ is _Tensor and
            (weight is None or weight.__class__ is _Tensor) and (shape.__class__ is _Size or shape.__class__ is tuple and
            _all_ints(shape)) and reduction.__class__ is str and ignore_index.__class__ is int and not extra and not unknown):
        return _nll_loss_grad(grad, target, totals, weight, shape, reduction, ignore_index)
    return _nll_loss_grad_slow((grad, target, totals, weight, shape, reduction, ignore_index), extra, unknown)

_mse_loss_slow = _Binding("mse_loss", "Tensor (Tensor input, Tensor target, String reduction='mean')", _mse_loss,
        autocast="float32")
def mse_loss(input=_missing, target=_missing, reduction='mean', *extra, **unknown):
    """(input - target) ** 2"""
    if input.__class__ is _Tensor and target.__class__ is _Tensor and reduction.__class__ is str and not extra and not unknown:
        return _mse_loss(input, target, reduction)
    return _mse_loss_slow((input, target, reduction), extra, unknown)

_methods = _publish(globals())

"""Functions of the binding: conv.

Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow.framework.tensor import Size as _Size
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.functional.arguments import Binding as _Binding, all_ints as _all_ints
from tritonflow.functional.functors.conv import (conv1d as _conv1d, conv1d_named_padding as _conv1d_named_padding,
        conv2d as _conv2d, conv2d_named_padding as _conv2d_named_padding, conv_bias_grad as _conv_bias_grad,
        conv_data_grad as _conv_data_grad, conv_filter_grad as _conv_filter_grad, conv_transpose2d as _conv_transpose2d)
from tritonflow.functional.library import publish as _publish
from tritonflow.functional.prototype import MISSING as _missing

_conv2d_slow = _Binding("conv2d",
        "Tensor (Tensor input, Tensor weight, Tensor bias=None, Int32List[2] stride=1, Int32List[2] padding=0, Int32List[2] dilation=1, Int32 groups=1)",
        _conv2d,
        "Tensor (Tensor input, Tensor weight, Tensor bias=None, Int32List[2] stride=1, String padding='valid', Int32List[2] dilation=1, Int32 groups=1)",
        _conv2d_named_padding, autocast="lower")
def conv2d(input=_missing, weight=_missing, bias=None, stride=(1, 1), padding=_missing, dilation=(1, 1), groups=1, *extra,
        **unknown):
    """2-d convolution (cross-correlation) of images with filters"""
    if (input.__class__ is _Tensor and weight.__class__ is _Tensor and (bias is None or bias.__class__ is _Tensor) and
            (stride.__class__ is int or stride.__class__ is _Size or stride.__class__ is tuple and _all_ints(stride)) and
            padding is _missing and (dilation.__class__ is int or dilation.__class__ is _Size or dilation.__class__ is tuple and
            _all_ints(dilation)) and groups.__class__ is int and not extra and not unknown):
        return _conv2d(input, weight, bias, (stride,) * 2 if stride.__class__ is int else stride, (0, 0), (dilation,) * 2 if
                dilation.__class__ is int else dilation, groups)
    return _conv2d_slow((input, weight, bias, stride, padding, dilation, groups), extra, unknown)

_conv1d_slow = _Binding("conv1d",
        "Tensor (Tensor input, Tensor weight, Tensor bias=None, Int32List[1] stride=1, Int32List[1] padding=0, Int32List[1] dilation=1, Int32 groups=1)",
        _conv1d,
        "Tensor (Tensor input, Tensor weight, Tensor bias=None, Int32List[1] stride=1, String padding='valid', Int32List[1] dilation=1, Int32 groups=1)",
        _conv1d_named_padding, autocast="lower")
def conv1d(input=_missing, weight=_missing, bias=None, stride=(1,), padding=_missing, dilation=(1,), groups=1, *extra, **unknown):
    """1-d convolution (cross-correlation) of signals with filters"""
    if (input.__class__ is _Tensor and weight.__class__ is _Tensor and (bias is None or bias.__class__ is _Tensor) and
            (stride.__class__ is int or stride.__class__ is _Size or stride.__class__ is tuple and _all_ints(stride)) and
            padding is _missing and (dilation.__class__ is int or dilation.__class__ is _Size or dilation.__class__ is tuple and
            _all_ints(dilation)) and groups.__class__ is int and not extra and not unknown):
        return _conv1d(input, weight, bias, (stride,) if stride.__class__ is int else stride, (0,), (dilation,) if
                dilation.__class__ is int else dilation, groups)
    return _conv1d_slow((input, weight, bias, stride, padding, dilation, groups), extra, unknown)

_conv_transpose2d_slow = _Binding("conv_transpose2d",
        "Tensor (Tensor input, Tensor weight, Tensor bias=None, Int32List[2] stride=1, Int32List[2] padding=0, Int32List[2] output_padding=0, Int32 groups=1, Int32List[2] dilation=1)",
        _conv_transpose2d, autocast="lower")
def conv_transpose2d(input=_missing, weight=_missing, bias=None, stride=(1, 1), padding=(0, 0), output_padding=(0, 0), groups=1,
        dilation=(1, 1), *extra, **unknown):
    """the gradient of conv2d as an op, also called deconvolution"""
    if (input.__class__ is _Tensor and weight.__class__ is _Tensor and (bias is None or bias.__class__ is _Tensor) and
            (stride.__class__ is int or stride.__class__ is _Size or stride.__class__ is tuple and _all_ints(stride)) and
            (padding.__class__ is int or padding.__class__ is _Size or padding.__class__ is tuple and _all_ints(padding)) and
            (output_padding.__class__ is int or output_padding.__class__ is _Size or output_padding.__class__ is tuple and
            _all_ints(output_padding)) and groups.__class__ is int and
            (dilation.__class__ is int or dilation.__class__ is _Size or dilation.__class__ is tuple and _all_ints(dilation)) and
            not extra and not unknown):
        return _conv_transpose2d(input, weight, bias, (stride,) * 2 if stride.__class__ is int else stride, (padding,) * 2 if
                padding.__class__ is int else padding, (output_padding,) * 2 if output_padding.__class__ is int else
                output_padding, groups, (dilation,) * 2 if dilation.__class__ is int else dilation)
    return _conv_transpose2d_slow((input, weight, bias, stride, padding, output_padding, groups, dilation), extra, unknown)

_conv_data_grad_slow = _Binding("conv_data_grad",
        "Tensor (Tensor grad, Tensor weight, Shape shape, Int32List stride, Int32List padding, Int32List dilation, Int32 groups)",
        _conv_data_grad)
def conv_data_grad(grad=_missing, weight=_missing, shape=_missing, stride=_missing, padding=_missing, dilation=_missing,
        groups=_missing, *extra, **unknown):
    """the gradient of conv2d's input"""
    if (grad.__class__ is _Tensor and weight.__class__ is _Tensor and (shape.__class__ is _Size or shape.__class__ is tuple and
            _all_ints(shape)) and (stride.__class__ is _Size or stride.__class__ is tuple and _all_ints(stride)) and
            (padding.__class__ is _Size or padding.__class__ is tuple and _all_ints(padding)) and
            (dilation.__class__ is _Size or dilation.__class__ is tuple and _all_ints(dilation)) and groups.__class__ is int and
            not extra and not unknown):
        return _conv_data_grad(grad, weight, shape, stride, padding, dilation, groups)
    return _conv_data_grad_slow((grad, weight, shape, stride, padding, dilation, groups), extra, unknown)

_conv_filter_grad_slow = _Binding("conv_filter_grad",
        "Tensor (Tensor grad, Tensor x, Shape shape, Int32List stride, Int32List padding, Int32List dilation, Int32 groups)",
        _conv_filter_grad)
def conv_filter_grad(grad=_missing, x=_missing, shape=_missing, stride=_missing, padding=_missing, dilation=_missing,
        groups=_missing, *extra, **unknown):
    """the gradient of conv2d's weight"""
    if (grad.__class__ is _Tensor and x.__class__ is _Tensor and (shape.__class__ is _Size or shape.__class__ is tuple and
            _all_ints(shape)) and (stride.__class__ is _Size or stride.__class__ is tuple and _all_ints(stride)) and
            (padding.__class__ is _Size or padding.__class__ is tuple and _all_ints(padding)) and
            (dilation.__class__ is _Size or dilation.__class__ is tuple and _all_ints(dilation)) and groups.__class__ is int and
            not extra and not unknown):
        return _conv_filter_grad(grad, x, shape, stride, padding, dilation, groups)
    return _conv_filter_grad_slow((grad, x, shape, stride, padding, dilation, groups), extra, unknown)

_conv_bias_grad_slow = _Binding("conv_bias_grad", "Tensor (Tensor grad)", _conv_bias_grad)
def conv_bias_grad(grad=_missing, *extra, **unknown):
    """the sum over all dimensions but the channels"""
    if grad.__class__ is _Tensor and not extra and not unknown:
        return _conv_bias_grad(grad)
    return _conv_bias_grad_slow((grad,), extra, unknown)

_methods = _publish(globals())

"""Functions of the binding: pool.

Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow.framework.tensor import Size as _Size
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.functional.arguments import Binding as _Binding, all_ints as _all_ints
from tritonflow.functional.functors.pool import (adaptive_avg_pool1d as _adaptive_avg_pool1d,
        adaptive_avg_pool2d as _adaptive_avg_pool2d, adaptive_avg_pool_grad as _adaptive_avg_pool_grad, avg_pool1d as _avg_pool1d,
        avg_pool2d as _avg_pool2d, avg_pool_grad as _avg_pool_grad, max_pool1d as _max_pool1d, max_pool2d as _max_pool2d,
        max_pool_grad as _max_pool_grad, max_pool_grad_grad as _max_pool_grad_grad)
from tritonflow.functional.library import publish as _publish
from tritonflow.functional.prototype import MISSING as _missing

_max_pool2d_slow = _Binding("max_pool2d",
        "Any (Tensor input, Int32List[2] kernel_size, Int32List[2] stride=None, Int32List[2] padding=0, Int32List[2] dilation=1, Bool ceil_mode=False, Bool return_indices=False)",
        _max_pool2d)
def max_pool2d(input=_missing, kernel_size=_missing, stride=None, padding=(0, 0), dilation=(1, 1), ceil_mode=False,
        return_indices=False, *extra, **unknown):
    """the maximum of every window"""
    if (input.__class__ is _Tensor and
            (kernel_size.__class__ is int or kernel_size.__class__ is _Size or kernel_size.__class__ is tuple and
            _all_ints(kernel_size)) and
            (stride is None or stride.__class__ is int or stride.__class__ is _Size or stride.__class__ is tuple and
            _all_ints(stride)) and (padding.__class__ is int or padding.__class__ is _Size or padding.__class__ is tuple and
            _all_ints(padding)) and (dilation.__class__ is int or dilation.__class__ is _Size or dilation.__class__ is tuple and
            _all_ints(dilation)) and (ceil_mode is False or ceil_mode is True) and
            (return_indices is False or return_indices is True) and not extra and not unknown):
        return _max_pool2d(input, (kernel_size,) * 2 if kernel_size.__class__ is int else kernel_size, (stride,) * 2 if
                stride.__class__ is int else stride, (padding,) * 2 if padding.__class__ is int else padding, (dilation,) * 2 if
                dilation.__class__ is int else dilation, ceil_mode, return_indices)
    return _max_pool2d_slow((input, kernel_size, stride, padding, dilation, ceil_mode, return_indices), extra, unknown)

_max_pool1d_slow = _Binding("max_pool1d",
        "Any (Tensor input, Int32List[1] kernel_size, Int32List[1] stride=None, Int32List[1] padding=0, Int32List[1] dilation=1, Bool ceil_mode=False, Bool return_indices=False)",
        _max_pool1d)
def max_pool1d(input=_missing, kernel_size=_missing, stride=None, padding=(0,), dilation=(1,), ceil_mode=False,
        return_indices=False, *extra, **unknown):
    """the maximum of every window"""
    if (input.__class__ is _Tensor and
            (kernel_size.__class__ is int or kernel_size.__class__ is _Size or kernel_size.__class__ is tuple and
            _all_ints(kernel_size)) and
            (stride is None or stride.__class__ is int or stride.__class__ is _Size or stride.__class__ is tuple and
            _all_ints(stride)) and (padding.__class__ is int or padding.__class__ is _Size or padding.__class__ is tuple and
            _all_ints(padding)) and (dilation.__class__ is int or dilation.__class__ is _Size or dilation.__class__ is tuple and
            _all_ints(dilation)) and (ceil_mode is False or ceil_mode is True) and
            (return_indices is False or return_indices is True) and not extra and not unknown):
        return _max_pool1d(input, (kernel_size,) if kernel_size.__class__ is int else kernel_size, (stride,) if
                stride.__class__ is int else stride, (padding,) if padding.__class__ is int else padding, (dilation,) if
                dilation.__class__ is int else dilation, ceil_mode, return_indices)
    return _max_pool1d_slow((input, kernel_size, stride, padding, dilation, ceil_mode, return_indices), extra, unknown)

_max_pool_grad_slow = _Binding("max_pool_grad",
        "Tensor (Tensor grad, Tensor indices, Shape shape, Int32List kernel_size, Int32List stride, Int32List padding, Int32List dilation)",
        _max_pool_grad)
def max_pool_grad(grad=_missing, indices=_missing, shape=_missing, kernel_size=_missing, stride=_missing, padding=_missing,
        dilation=_missing, *extra, **unknown):
    """the gradient of max_pool2d"""
    if (grad.__class__ is _Tensor and indices.__class__ is _Tensor and (shape.__class__ is _Size or shape.__class__ is tuple and
            _all_ints(shape)) and (kernel_size.__class__ is _Size or kernel_size.__class__ is tuple and _all_ints(kernel_size))
            and (stride.__class__ is _Size or stride.__class__ is tuple and _all_ints(stride)) and
            (padding.__class__ is _Size or padding.__class__ is tuple and _all_ints(padding)) and
            (dilation.__class__ is _Size or dilation.__class__ is tuple and _all_ints(dilation)) and not extra and not unknown):
        return _max_pool_grad(grad, indices, shape, kernel_size, stride, padding, dilation)
    return _max_pool_grad_slow((grad, indices, shape, kernel_size, stride, padding, dilation), extra, unknown)

_max_pool_grad_grad_slow = _Binding("max_pool_grad_grad", "Tensor (Tensor x, Tensor indices)", _max_pool_grad_grad)
def max_pool_grad_grad(x=_missing, indices=_missing, *extra, **unknown):
    """x at the positions of the maxima"""
    if x.__class__ is _Tensor and indices.__class__ is _Tensor and not extra and not unknown:
        return _max_pool_grad_grad(x, indices)
    return _max_pool_grad_grad_slow((x, indices), extra, unknown)

_avg_pool2d_slow = _Binding("avg_pool2d",
        "Tensor (Tensor input, Int32List[2] kernel_size, Int32List[2] stride=None, Int32List[2] padding=0, Bool ceil_mode=False, Bool count_include_pad=True, Int64 divisor_override=None)",
        _avg_pool2d)
def avg_pool2d(input=_missing, kernel_size=_missing, stride=None, padding=(0, 0), ceil_mode=False, count_include_pad=True,
        divisor_override=None, *extra, **unknown):
    """the mean of every window"""
    if (input.__class__ is _Tensor and
            (kernel_size.__class__ is int or kernel_size.__class__ is _Size or kernel_size.__class__ is tuple and
            _all_ints(kernel_size)) and
            (stride is None or stride.__class__ is int or stride.__class__ is _Size or stride.__class__ is tuple and
            _all_ints(stride)) and (padding.__class__ is int or padding.__class__ is _Size or padding.__class__ is tuple and
            _all_ints(padding)) and (ceil_mode is False or ceil_mode is True) and
            (count_include_pad is True or count_include_pad is False) and
            (divisor_override is None or divisor_override.__class__ is int) and not extra and not unknown):
        return _avg_pool2d(input, (kernel_size,) * 2 if kernel_size.__class__ is int else kernel_size, (stride,) * 2 if
                stride.__class__ is int else stride, (padding,) * 2 if padding.__class__ is int else padding, ceil_mode,
                count_include_pad, divisor_override)
    return _avg_pool2d_slow((input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override), extra, unknown)

_avg_pool1d_slow = _Binding("avg_pool1d",
        "Tensor (Tensor input, Int32List[1] kernel_size, Int32List[1] stride=None, Int32List[1] padding=0, Bool ceil_mode=False, Bool count_include_pad=True)",
        _avg_pool1d)
def avg_pool1d(input=_missing, kernel_size=_missing, stride=None, padding=(0,), ceil_mode=False, count_include_pad=True, *extra,
        **unknown):
    """the mean of every window"""
    if (input.__class__ is _Tensor and
            (kernel_size.__class__ is int or kernel_size.__class__ is _Size or kernel_size.__class__ is tuple and
            _all_ints(kernel_size)) and
            (stride is None or stride.__class__ is int or stride.__class__ is _Size or stride.__class__ is tuple and
            _all_ints(stride)) and (padding.__class__ is int or padding.__class__ is _Size or padding.__class__ is tuple and
            _all_ints(padding)) and (ceil_mode is False or ceil_mode is True) and
            (count_include_pad is True or count_include_pad is False) and not extra and not unknown):
        return _avg_pool1d(input, (kernel_size,) if kernel_size.__class__ is int else kernel_size, (stride,) if
                stride.__class__ is int else stride, (padding,) if padding.__class__ is int else padding, ceil_mode,
                count_include_pad)
    return _avg_pool1d_slow((input, kernel_size, stride, padding, ceil_mode, count_include_pad), extra, unknown)

_avg_pool_grad_slow = _Binding("avg_pool_grad",
        "Tensor (Tensor grad, Shape shape, Int32List kernel_size, Int32List stride, Int32List padding, Bool ceil_mode, Bool count_include_pad, Int64 divisor_override=None)",
        _avg_pool_grad)
def avg_pool_grad(grad=_missing, shape=_missing, kernel_size=_missing, stride=_missing, padding=_missing, ceil_mode=_missing,
        count_include_pad=_missing, divisor_override=None, *extra, **unknown):
    """the gradient of avg_pool2d"""
    if (grad.__class__ is _Tensor and (shape.__class__ is _Size or shape.__class__ is tuple and _all_ints(shape)) and
            (kernel_size.__class__ is _Size or kernel_size.__class__ is tuple and _all_ints(kernel_size)) and
            (stride.__class__ is _Size or stride.__class__ is tuple and _all_ints(stride)) and
            (padding.__class__ is _Size or padding.__class__ is tuple and _all_ints(padding)) and
            (ceil_mode is False or ceil_mode is True) and (count_include_pad is False or count_include_pad is True) and
            (divisor_override is None or divisor_override.__class__ is int) and not extra and not unknown):
        return _avg_pool_grad(grad, shape, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
    return _avg_pool_grad_slow((grad, shape, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override), extra,
            unknown)

_adaptive_avg_pool2d_slow = _Binding("adaptive_avg_pool2d", "Tensor (Tensor input, PyObject output_size)", _adaptive_avg_pool2d)
def adaptive_avg_pool2d(input=_missing, output_size=_missing, *extra, **unknown):
    """means of windows that cover the image, as many as asked for"""
    if input.__class__ is _Tensor and output_size is not _missing and not extra and not unknown:
        return _adaptive_avg_pool2d(input, output_size)
    return _adaptive_avg_pool2d_slow((input, output_size), extra, unknown)

_adaptive_avg_pool1d_slow = _Binding("adaptive_avg_pool1d", "Tensor (Tensor input, Int64List[1] output_size)",
        _adaptive_avg_pool1d)
def adaptive_avg_pool1d(input=_missing, output_size=_missing, *extra, **unknown):
    """means of windows that cover the signal, as many as asked for"""
    if (input.__class__ is _Tensor and
            (output_size.__class__ is int or output_size.__class__ is _Size or output_size.__class__ is tuple and
            _all_ints(output_size)) and not extra and not unknown):
        return _adaptive_avg_pool1d(input, (output_size,) if output_size.__class__ is int else output_size)
    return _adaptive_avg_pool1d_slow((input, output_size), extra, unknown)

_adaptive_avg_pool_grad_slow = _Binding("adaptive_avg_pool_grad", "Tensor (Tensor grad, Shape shape)", _adaptive_avg_pool_grad)
def adaptive_avg_pool_grad(grad=_missing, shape=_missing, *extra, **unknown):
    """the gradient of adaptive_avg_pool2d"""
    if (grad.__class__ is _Tensor and (shape.__class__ is _Size or shape.__class__ is tuple and _all_ints(shape)) and not extra
            and not unknown):
        return _adaptive_avg_pool_grad(grad, shape)
    return _adaptive_avg_pool_grad_slow((grad, shape), extra, unknown)

_methods = _publish(globals())

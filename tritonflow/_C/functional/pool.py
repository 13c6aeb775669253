"""Functions of the binding: pool.

Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow.dtypes import DType as _DType
from tritonflow.framework.size import Size as _Size
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.binding.arguments import Binding as _Binding, all_ints as _all_ints
from tritonflow.functions.pool import (adaptive_avg_pool2d as _adaptive_avg_pool2d,
        adaptive_avg_pool_grad as _adaptive_avg_pool_grad, avg_pool2d as _avg_pool2d, avg_pool_grad as _avg_pool_grad,
        max_pool2d as _max_pool2d, max_pool_grad as _max_pool_grad, max_pool_grad_grad as _max_pool_grad_grad,
        adaptive_avg_pool1d as _adaptive_avg_pool1d, avg_pool1d as _avg_pool1d, max_pool1d as _max_pool1d,
        max_pool_pick_grad as _max_pool_pick_grad)
from tritonflow.functions.pool_3d import (adaptive_avg_pool3d as _adaptive_avg_pool3d, avg_pool3d as _avg_pool3d,
        lp_pool1d as _lp_pool1d, lp_pool2d as _lp_pool2d, lp_pool3d as _lp_pool3d, max_pool3d as _max_pool3d)
from tritonflow.functions.pool_resample import (resample as _resample, resample_bytes as _resample_bytes,
        resample_grad as _resample_grad, interpolate as _interpolate, upsample as _upsample,
        upsample_bilinear as _upsample_bilinear, upsample_nearest as _upsample_nearest)
from tritonflow.functions.pool_select import (adaptive_max_pool2d as _adaptive_max_pool2d,
        adaptive_max_pool_grad as _adaptive_max_pool_grad, adaptive_max_pool1d as _adaptive_max_pool1d,
        adaptive_max_pool3d as _adaptive_max_pool3d, fractional_max_pool2d as _fractional_max_pool2d,
        fractional_max_pool3d as _fractional_max_pool3d, max_unpool1d as _max_unpool1d, max_unpool2d as _max_unpool2d,
        max_unpool3d as _max_unpool3d)
from tritonflow.binding.library import publish as _publish
from tritonflow.binding.prototype import MISSING as _missing

_max_pool2d_slow = _Binding("max_pool2d",
        "Any (Tensor input, Int32List[2] kernel_size, Int32List[2] stride=None, Int32List[2] padding=0, Int32List[2] dilation=1, Bool ceil_mode=False, Bool return_indices=False)",
        _max_pool2d)
def max_pool2d(input=_missing, kernel_size=_missing, stride=None, padding=(0, 0), dilation=(1, 1), ceil_mode=False,
        return_indices=False, *extra, **unknown):
    """The maximum of every window.

        out[n, c, y, x] = max over i, j of input[n, c, y * sH - pH + i * dH, x * sW - pW + j * dW]
        H' = floor((H + 2 * pH - dH * (kH - 1) - 1) / sH) + 1, and W' alike; ceil instead of floor with ceil_mode

    The padding never is the maximum. A NaN in a window is its maximum. The gradient goes to the first
    of equal maxima.

    Args:
        input: the input.
        kernel_size: the size of the window: an int for all dimensions, or one for each.
        stride: the step of the window; `kernel_size` unless given.
        padding: how far windows reach over both ends, at most half of their size.
        dilation: the step between elements of the window.
        ceil_mode: whether a last window may reach over the end.
        return_indices: whether the position of each maximum in its plane H x W is returned as well.

    Shape:
        (N, C, H, W) -> (N, C, H', W'), also without N.

    Dtypes:
        The input is real, and not bool.

    Differentiable.

    Raises:
        RuntimeError: other dimensions, sizes that are not positive, a padding over half of the window, or
            an empty result.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.max_pool2d.

    Example:
        >>> import tritonflow as flow
        >>> image = flow.arange(16.0).reshape(1, 4, 4)
        >>> flow.max_pool2d(image, 2)
        tensor([[[ 5.,  7.],
                 [13., 15.]]])
        >>> values, indices = flow.max_pool2d(image, 3, stride=1, return_indices=True)
        >>> indices
        tensor([[[10, 11],
                 [14, 15]]])
    """
    if (input.__class__ is _Tensor and
            (kernel_size.__class__ is int or kernel_size.__class__ is _Size or (kernel_size.__class__ is tuple or kernel_size.__class__ is list)
            and _all_ints(kernel_size)) and
            (stride is None or stride.__class__ is int or stride.__class__ is _Size or (stride.__class__ is tuple or stride.__class__ is list)
            and _all_ints(stride)) and
            (padding.__class__ is int or padding.__class__ is _Size or (padding.__class__ is tuple or padding.__class__ is list)
            and _all_ints(padding)) and
            (dilation.__class__ is int or dilation.__class__ is _Size or (dilation.__class__ is tuple or dilation.__class__ is list)
            and _all_ints(dilation)) and (ceil_mode is False or ceil_mode is True) and
            (return_indices is False or return_indices is True) and not extra and not unknown):
        return _max_pool2d(input, (kernel_size,) * 2 if kernel_size.__class__ is int else tuple(kernel_size) if
                kernel_size.__class__ is list else kernel_size, (stride,) * 2 if stride.__class__ is int else tuple(stride) if
                stride.__class__ is list else stride, (padding,) * 2 if padding.__class__ is int else tuple(padding) if
                padding.__class__ is list else padding, (dilation,) * 2 if dilation.__class__ is int else tuple(dilation) if
                dilation.__class__ is list else dilation, ceil_mode, return_indices)
    return _max_pool2d_slow((input, kernel_size, stride, padding, dilation, ceil_mode, return_indices), extra, unknown)

_max_pool_grad_slow = _Binding("max_pool_grad",
        "Tensor (Tensor grad, Tensor indices, Shape shape, Int32List kernel_size, Int32List stride, Int32List padding, Int32List dilation)",
        _max_pool_grad)
def max_pool_grad(grad=_missing, indices=_missing, shape=_missing, kernel_size=_missing, stride=_missing, padding=_missing,
        dilation=_missing, *extra, **unknown):
    """the gradient of max_pool2d"""
    if (grad.__class__ is _Tensor and indices.__class__ is _Tensor and
            (shape.__class__ is _Size or (shape.__class__ is tuple or shape.__class__ is list) and _all_ints(shape)) and
            (kernel_size.__class__ is _Size or (kernel_size.__class__ is tuple or kernel_size.__class__ is list) and
            _all_ints(kernel_size)) and (stride.__class__ is _Size or (stride.__class__ is tuple or stride.__class__ is list) and
            _all_ints(stride)) and (padding.__class__ is _Size or (padding.__class__ is tuple or padding.__class__ is list) and
            _all_ints(padding)) and (dilation.__class__ is _Size or (dilation.__class__ is tuple or dilation.__class__ is list)
            and _all_ints(dilation)) and not extra and not unknown):
        return _max_pool_grad(grad, indices, tuple(shape) if shape.__class__ is list else shape, tuple(kernel_size) if
                kernel_size.__class__ is list else kernel_size, tuple(stride) if stride.__class__ is list else stride,
                tuple(padding) if padding.__class__ is list else padding, tuple(dilation) if dilation.__class__ is list else
                dilation)
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
    """The mean of every window.

        out[n, c, y, x] = sum over i, j of input[n, c, y * sH - pH + i, x * sW - pW + j] / divisor
        H' = floor((H + 2 * pH - kH) / sH) + 1, and W' alike; ceil instead of floor with ceil_mode

    The divisor is the size of the window. What a last window of ceil_mode has beyond the padding does
    not count.

    Args:
        input: the input.
        kernel_size: the size of the window: an int for all dimensions, or one for each.
        stride: the step of the window; `kernel_size` unless given.
        padding: zeros at both ends, at most half of the window.
        ceil_mode: whether a last window may reach over the end.
        count_include_pad: whether the zeros of the padding count as elements of a mean.
        divisor_override: the divisor, if not the number of elements.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C, H, W) -> (N, C, H', W'), also without N.

    Dtypes:
        The input is int64, floating.

    Differentiable.

    Raises:
        RuntimeError: other dimensions, sizes that are not positive, a padding over half of the window, a
            divisor of 0, or an empty result.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.avg_pool2d.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.avg_pool2d(flow.arange(16.0).reshape(1, 4, 4), 2)
        tensor([[[ 2.5000,  4.5000],
                 [10.5000, 12.5000]]])
        >>> F.avg_pool2d(flow.ones(1, 2, 2), 2, padding=1, count_include_pad=False)
        tensor([[[1., 1.],
                 [1., 1.]]])
    """
    if (input.__class__ is _Tensor and
            (kernel_size.__class__ is int or kernel_size.__class__ is _Size or (kernel_size.__class__ is tuple or kernel_size.__class__ is list)
            and _all_ints(kernel_size)) and
            (stride is None or stride.__class__ is int or stride.__class__ is _Size or (stride.__class__ is tuple or stride.__class__ is list)
            and _all_ints(stride)) and
            (padding.__class__ is int or padding.__class__ is _Size or (padding.__class__ is tuple or padding.__class__ is list)
            and _all_ints(padding)) and (ceil_mode is False or ceil_mode is True) and
            (count_include_pad is True or count_include_pad is False) and
            (divisor_override is None or divisor_override.__class__ is int) and not extra and not unknown):
        return _avg_pool2d(input, (kernel_size,) * 2 if kernel_size.__class__ is int else tuple(kernel_size) if
                kernel_size.__class__ is list else kernel_size, (stride,) * 2 if stride.__class__ is int else tuple(stride) if
                stride.__class__ is list else stride, (padding,) * 2 if padding.__class__ is int else tuple(padding) if
                padding.__class__ is list else padding, ceil_mode, count_include_pad, divisor_override)
    return _avg_pool2d_slow((input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override), extra, unknown)

_avg_pool_grad_slow = _Binding("avg_pool_grad",
        "Tensor (Tensor grad, Shape shape, Int32List kernel_size, Int32List stride, Int32List padding, Bool ceil_mode, Bool count_include_pad, Int64 divisor_override=None)",
        _avg_pool_grad)
def avg_pool_grad(grad=_missing, shape=_missing, kernel_size=_missing, stride=_missing, padding=_missing, ceil_mode=_missing,
        count_include_pad=_missing, divisor_override=None, *extra, **unknown):
    """the gradient of avg_pool2d"""
    if (grad.__class__ is _Tensor and (shape.__class__ is _Size or (shape.__class__ is tuple or shape.__class__ is list) and
            _all_ints(shape)) and
            (kernel_size.__class__ is _Size or (kernel_size.__class__ is tuple or kernel_size.__class__ is list) and
            _all_ints(kernel_size)) and (stride.__class__ is _Size or (stride.__class__ is tuple or stride.__class__ is list) and
            _all_ints(stride)) and (padding.__class__ is _Size or (padding.__class__ is tuple or padding.__class__ is list) and
            _all_ints(padding)) and (ceil_mode is False or ceil_mode is True) and
            (count_include_pad is False or count_include_pad is True) and
            (divisor_override is None or divisor_override.__class__ is int) and not extra and not unknown):
        return _avg_pool_grad(grad, tuple(shape) if shape.__class__ is list else shape, tuple(kernel_size) if
                kernel_size.__class__ is list else kernel_size, tuple(stride) if stride.__class__ is list else stride,
                tuple(padding) if padding.__class__ is list else padding, ceil_mode, count_include_pad, divisor_override)
    return _avg_pool_grad_slow((grad, shape, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override), extra,
            unknown)

_adaptive_avg_pool2d_slow = _Binding("adaptive_avg_pool2d", "Tensor (Tensor input, PyObject output_size)", _adaptive_avg_pool2d)
def adaptive_avg_pool2d(input=_missing, output_size=_missing, *extra, **unknown):
    """Means of windows that cover the image, as many as asked for.

    Window i of a dimension has the elements from floor(i * H / H') up to ceil((i + 1) * H / H'). With
    output_size=1 it is the mean of the image.

    Args:
        input: the input.
        output_size: (H', W'), or one number for both; None keeps the size of the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C, H, W) -> (N, C, H', W'), also without N.

    Dtypes:
        The input is floating.

    Differentiable.

    Raises:
        RuntimeError: other dimensions, an empty image, or a negative size.
        TypeError: sizes that are no integers; an argument has the wrong type, or there is no such argument.
        NotImplementedError: a dtype that is not taken.

    Source: torch.nn.functional.adaptive_avg_pool2d.

    Example:
        >>> import tritonflow as flow
        >>> flow.adaptive_avg_pool2d(flow.arange(16.0).reshape(1, 4, 4), 2)
        tensor([[[ 2.5000,  4.5000],
                 [10.5000, 12.5000]]])
    """
    if input.__class__ is _Tensor and output_size is not _missing and not extra and not unknown:
        return _adaptive_avg_pool2d(input, output_size)
    return _adaptive_avg_pool2d_slow((input, output_size), extra, unknown)

_adaptive_avg_pool_grad_slow = _Binding("adaptive_avg_pool_grad", "Tensor (Tensor grad, Shape shape)", _adaptive_avg_pool_grad)
def adaptive_avg_pool_grad(grad=_missing, shape=_missing, *extra, **unknown):
    """the gradient of adaptive_avg_pool2d"""
    if (grad.__class__ is _Tensor and (shape.__class__ is _Size or (shape.__class__ is tuple or shape.__class__ is list) and
            _all_ints(shape)) and not extra and not unknown):
        return _adaptive_avg_pool_grad(grad, tuple(shape) if shape.__class__ is list else shape)
    return _adaptive_avg_pool_grad_slow((grad, shape), extra, unknown)

_adaptive_max_pool2d_slow = _Binding("adaptive_max_pool2d", "Any (Tensor input, PyObject output_size, Bool return_indices=False)",
        _adaptive_max_pool2d)
def adaptive_max_pool2d(input=_missing, output_size=_missing, return_indices=False, *extra, **unknown):
    """Maxima of windows that cover the input, as many as asked for.

    Window i of a dimension has the elements from floor(i * H / H') up to ceil((i + 1) * H / H').

    Args:
        input: the input.
        output_size: (H', W'), or one number for both; None keeps the size of the input.
        return_indices: whether the position of each maximum in its plane H x W is returned as well.

    Shape:
        (N, C, H, W) -> (N, C, H', W'), also without N.

    Dtypes:
        The input is floating.

    Differentiable.

    Raises:
        RuntimeError: other dimensions, an empty image, or a negative size.
        TypeError: sizes that are no integers; an argument has the wrong type, or there is no such argument.
        NotImplementedError: a dtype that is not taken.

    Source: torch.nn.functional.adaptive_max_pool2d.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.adaptive_max_pool2d(flow.arange(16.0).reshape(1, 4, 4), (2, 1))
        tensor([[[ 7.],
                 [15.]]])
    """
    if (input.__class__ is _Tensor and output_size is not _missing and (return_indices is False or return_indices is True) and
            not extra and not unknown):
        return _adaptive_max_pool2d(input, output_size, return_indices)
    return _adaptive_max_pool2d_slow((input, output_size, return_indices), extra, unknown)

_adaptive_max_pool_grad_slow = _Binding("adaptive_max_pool_grad", "Tensor (Tensor grad, Tensor indices, Shape shape)",
        _adaptive_max_pool_grad)
def adaptive_max_pool_grad(grad=_missing, indices=_missing, shape=_missing, *extra, **unknown):
    """the gradient of adaptive_max_pool2d"""
    if (grad.__class__ is _Tensor and indices.__class__ is _Tensor and
            (shape.__class__ is _Size or (shape.__class__ is tuple or shape.__class__ is list) and _all_ints(shape)) and not extra
            and not unknown):
        return _adaptive_max_pool_grad(grad, indices, tuple(shape) if shape.__class__ is list else shape)
    return _adaptive_max_pool_grad_slow((grad, indices, shape), extra, unknown)

_resample_slow = _Binding("resample",
        "Tensor (Tensor input, Int64 dim, Int64 size, String mode, Bool aligned, Double scale, DataType dtype)", _resample)
def resample(input=_missing, dim=_missing, size=_missing, mode=_missing, aligned=_missing, scale=_missing, dtype=_missing, *extra,
        **unknown):
    """one dimension at another resolution"""
    if (input.__class__ is _Tensor and dim.__class__ is int and size.__class__ is int and mode.__class__ is str and
            (aligned is False or aligned is True) and scale.__class__ is float and dtype.__class__ is _DType and not extra and
            not unknown):
        return _resample(input, dim, size, mode, aligned, scale, dtype)
    return _resample_slow((input, dim, size, mode, aligned, scale, dtype), extra, unknown)

_resample_bytes_slow = _Binding("resample_bytes",
        "Tensor (Tensor input, Int64 dim, Int64 size, String mode, Bool aligned, Double scale)", _resample_bytes)
def resample_bytes(input=_missing, dim=_missing, size=_missing, mode=_missing, aligned=_missing, scale=_missing, *extra,
        **unknown):
    """one dimension of a picture of bytes at another resolution, by weights that are integers"""
    if (input.__class__ is _Tensor and dim.__class__ is int and size.__class__ is int and mode.__class__ is str and
            (aligned is False or aligned is True) and scale.__class__ is float and not extra and not unknown):
        return _resample_bytes(input, dim, size, mode, aligned, scale)
    return _resample_bytes_slow((input, dim, size, mode, aligned, scale), extra, unknown)

_resample_grad_slow = _Binding("resample_grad",
        "Tensor (Tensor grad, Int64 dim, Int64 size, String mode, Bool aligned, Double scale, DataType dtype)", _resample_grad)
def resample_grad(grad=_missing, dim=_missing, size=_missing, mode=_missing, aligned=_missing, scale=_missing, dtype=_missing,
        *extra, **unknown):
    """the gradient of resample"""
    if (grad.__class__ is _Tensor and dim.__class__ is int and size.__class__ is int and mode.__class__ is str and
            (aligned is False or aligned is True) and scale.__class__ is float and dtype.__class__ is _DType and not extra and
            not unknown):
        return _resample_grad(grad, dim, size, mode, aligned, scale, dtype)
    return _resample_grad_slow((grad, dim, size, mode, aligned, scale, dtype), extra, unknown)

_max_pool1d_slow = _Binding("max_pool1d",
        "Any (Tensor input, Int32List[1] kernel_size, Int32List[1] stride=None, Int32List[1] padding=0, Int32List[1] dilation=1, Bool ceil_mode=False, Bool return_indices=False)",
        _max_pool1d)
def max_pool1d(input=_missing, kernel_size=_missing, stride=None, padding=(0,), dilation=(1,), ceil_mode=False,
        return_indices=False, *extra, **unknown):
    if (input.__class__ is _Tensor and
            (kernel_size.__class__ is int or kernel_size.__class__ is _Size or (kernel_size.__class__ is tuple or kernel_size.__class__ is list)
            and _all_ints(kernel_size)) and
            (stride is None or stride.__class__ is int or stride.__class__ is _Size or (stride.__class__ is tuple or stride.__class__ is list)
            and _all_ints(stride)) and
            (padding.__class__ is int or padding.__class__ is _Size or (padding.__class__ is tuple or padding.__class__ is list)
            and _all_ints(padding)) and
            (dilation.__class__ is int or dilation.__class__ is _Size or (dilation.__class__ is tuple or dilation.__class__ is list)
            and _all_ints(dilation)) and (ceil_mode is False or ceil_mode is True) and
            (return_indices is False or return_indices is True) and not extra and not unknown):
        return _max_pool1d(input, (kernel_size,) if kernel_size.__class__ is int else tuple(kernel_size) if
                kernel_size.__class__ is list else kernel_size, (stride,) if stride.__class__ is int else tuple(stride) if
                stride.__class__ is list else stride, (padding,) if padding.__class__ is int else tuple(padding) if
                padding.__class__ is list else padding, (dilation,) if dilation.__class__ is int else tuple(dilation) if
                dilation.__class__ is list else dilation, ceil_mode, return_indices)
    return _max_pool1d_slow((input, kernel_size, stride, padding, dilation, ceil_mode, return_indices), extra, unknown)

_max_pool_pick_grad_slow = _Binding("max_pool_pick_grad", "Tensor (Tensor dy, Tensor indices, Shape shape)", _max_pool_pick_grad)
def max_pool_pick_grad(dy=_missing, indices=_missing, shape=_missing, *extra, **unknown):
    if (dy.__class__ is _Tensor and indices.__class__ is _Tensor and
            (shape.__class__ is _Size or (shape.__class__ is tuple or shape.__class__ is list) and _all_ints(shape)) and not extra
            and not unknown):
        return _max_pool_pick_grad(dy, indices, tuple(shape) if shape.__class__ is list else shape)
    return _max_pool_pick_grad_slow((dy, indices, shape), extra, unknown)

_avg_pool1d_slow = _Binding("avg_pool1d",
        "Tensor (Tensor input, Int32List[1] kernel_size, Int32List[1] stride=None, Int32List[1] padding=0, Bool ceil_mode=False, Bool count_include_pad=True)",
        _avg_pool1d)
def avg_pool1d(input=_missing, kernel_size=_missing, stride=None, padding=(0,), ceil_mode=False, count_include_pad=True, *extra,
        **unknown):
    if (input.__class__ is _Tensor and
            (kernel_size.__class__ is int or kernel_size.__class__ is _Size or (kernel_size.__class__ is tuple or kernel_size.__class__ is list)
            and _all_ints(kernel_size)) and
            (stride is None or stride.__class__ is int or stride.__class__ is _Size or (stride.__class__ is tuple or stride.__class__ is list)
            and _all_ints(stride)) and
            (padding.__class__ is int or padding.__class__ is _Size or (padding.__class__ is tuple or padding.__class__ is list)
            and _all_ints(padding)) and (ceil_mode is False or ceil_mode is True) and
            (count_include_pad is True or count_include_pad is False) and not extra and not unknown):
        return _avg_pool1d(input, (kernel_size,) if kernel_size.__class__ is int else tuple(kernel_size) if
                kernel_size.__class__ is list else kernel_size, (stride,) if stride.__class__ is int else tuple(stride) if
                stride.__class__ is list else stride, (padding,) if padding.__class__ is int else tuple(padding) if
                padding.__class__ is list else padding, ceil_mode, count_include_pad)
    return _avg_pool1d_slow((input, kernel_size, stride, padding, ceil_mode, count_include_pad), extra, unknown)

_adaptive_avg_pool1d_slow = _Binding("adaptive_avg_pool1d", "Tensor (Tensor input, Int64List[1] output_size)",
        _adaptive_avg_pool1d)
def adaptive_avg_pool1d(input=_missing, output_size=_missing, *extra, **unknown):
    if (input.__class__ is _Tensor and
            (output_size.__class__ is int or output_size.__class__ is _Size or (output_size.__class__ is tuple or output_size.__class__ is list)
            and _all_ints(output_size)) and not extra and not unknown):
        return _adaptive_avg_pool1d(input, (output_size,) if output_size.__class__ is int else tuple(output_size) if
                output_size.__class__ is list else output_size)
    return _adaptive_avg_pool1d_slow((input, output_size), extra, unknown)

_max_pool3d_slow = _Binding("max_pool3d",
        "Any (Tensor input, Int32List[3] kernel_size, Int32List[3] stride=None, Int32List[3] padding=0, Int32List[3] dilation=1, Bool ceil_mode=False, Bool return_indices=False)",
        _max_pool3d)
def max_pool3d(input=_missing, kernel_size=_missing, stride=None, padding=(0, 0, 0), dilation=(1, 1, 1), ceil_mode=False,
        return_indices=False, *extra, **unknown):
    if (input.__class__ is _Tensor and
            (kernel_size.__class__ is int or kernel_size.__class__ is _Size or (kernel_size.__class__ is tuple or kernel_size.__class__ is list)
            and _all_ints(kernel_size)) and
            (stride is None or stride.__class__ is int or stride.__class__ is _Size or (stride.__class__ is tuple or stride.__class__ is list)
            and _all_ints(stride)) and
            (padding.__class__ is int or padding.__class__ is _Size or (padding.__class__ is tuple or padding.__class__ is list)
            and _all_ints(padding)) and
            (dilation.__class__ is int or dilation.__class__ is _Size or (dilation.__class__ is tuple or dilation.__class__ is list)
            and _all_ints(dilation)) and (ceil_mode is False or ceil_mode is True) and
            (return_indices is False or return_indices is True) and not extra and not unknown):
        return _max_pool3d(input, (kernel_size,) * 3 if kernel_size.__class__ is int else tuple(kernel_size) if
                kernel_size.__class__ is list else kernel_size, (stride,) * 3 if stride.__class__ is int else tuple(stride) if
                stride.__class__ is list else stride, (padding,) * 3 if padding.__class__ is int else tuple(padding) if
                padding.__class__ is list else padding, (dilation,) * 3 if dilation.__class__ is int else tuple(dilation) if
                dilation.__class__ is list else dilation, ceil_mode, return_indices)
    return _max_pool3d_slow((input, kernel_size, stride, padding, dilation, ceil_mode, return_indices), extra, unknown)

_avg_pool3d_slow = _Binding("avg_pool3d",
        "Tensor (Tensor input, Int32List[3] kernel_size, Int32List[3] stride=None, Int32List[3] padding=0, Bool ceil_mode=False, Bool count_include_pad=True, Int64 divisor_override=None)",
        _avg_pool3d)
def avg_pool3d(input=_missing, kernel_size=_missing, stride=None, padding=(0, 0, 0), ceil_mode=False, count_include_pad=True,
        divisor_override=None, *extra, **unknown):
    if (input.__class__ is _Tensor and
            (kernel_size.__class__ is int or kernel_size.__class__ is _Size or (kernel_size.__class__ is tuple or kernel_size.__class__ is list)
            and _all_ints(kernel_size)) and
            (stride is None or stride.__class__ is int or stride.__class__ is _Size or (stride.__class__ is tuple or stride.__class__ is list)
            and _all_ints(stride)) and
            (padding.__class__ is int or padding.__class__ is _Size or (padding.__class__ is tuple or padding.__class__ is list)
            and _all_ints(padding)) and (ceil_mode is False or ceil_mode is True) and
            (count_include_pad is True or count_include_pad is False) and
            (divisor_override is None or divisor_override.__class__ is int) and not extra and not unknown):
        return _avg_pool3d(input, (kernel_size,) * 3 if kernel_size.__class__ is int else tuple(kernel_size) if
                kernel_size.__class__ is list else kernel_size, (stride,) * 3 if stride.__class__ is int else tuple(stride) if
                stride.__class__ is list else stride, (padding,) * 3 if padding.__class__ is int else tuple(padding) if
                padding.__class__ is list else padding, ceil_mode, count_include_pad, divisor_override)
    return _avg_pool3d_slow((input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override), extra, unknown)

_adaptive_avg_pool3d_slow = _Binding("adaptive_avg_pool3d", "Tensor (Tensor input, PyObject output_size)", _adaptive_avg_pool3d)
def adaptive_avg_pool3d(input=_missing, output_size=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and output_size is not _missing and not extra and not unknown:
        return _adaptive_avg_pool3d(input, output_size)
    return _adaptive_avg_pool3d_slow((input, output_size), extra, unknown)

_lp_pool1d_slow = _Binding("lp_pool1d",
        "Tensor (Tensor input, Double norm_type, Int32List[1] kernel_size, Int32List[1] stride=None, Bool ceil_mode=False)",
        _lp_pool1d)
def lp_pool1d(input=_missing, norm_type=_missing, kernel_size=_missing, stride=None, ceil_mode=False, *extra, **unknown):
    if (input.__class__ is _Tensor and norm_type.__class__ is float and
            (kernel_size.__class__ is int or kernel_size.__class__ is _Size or (kernel_size.__class__ is tuple or kernel_size.__class__ is list)
            and _all_ints(kernel_size)) and
            (stride is None or stride.__class__ is int or stride.__class__ is _Size or (stride.__class__ is tuple or stride.__class__ is list)
            and _all_ints(stride)) and (ceil_mode is False or ceil_mode is True) and not extra and not unknown):
        return _lp_pool1d(input, norm_type, (kernel_size,) if kernel_size.__class__ is int else tuple(kernel_size) if
                kernel_size.__class__ is list else kernel_size, (stride,) if stride.__class__ is int else tuple(stride) if
                stride.__class__ is list else stride, ceil_mode)
    return _lp_pool1d_slow((input, norm_type, kernel_size, stride, ceil_mode), extra, unknown)

_lp_pool2d_slow = _Binding("lp_pool2d",
        "Tensor (Tensor input, Double norm_type, Int32List[2] kernel_size, Int32List[2] stride=None, Bool ceil_mode=False)",
        _lp_pool2d)
def lp_pool2d(input=_missing, norm_type=_missing, kernel_size=_missing, stride=None, ceil_mode=False, *extra, **unknown):
    if (input.__class__ is _Tensor and norm_type.__class__ is float and
            (kernel_size.__class__ is int or kernel_size.__class__ is _Size or (kernel_size.__class__ is tuple or kernel_size.__class__ is list)
            and _all_ints(kernel_size)) and
            (stride is None or stride.__class__ is int or stride.__class__ is _Size or (stride.__class__ is tuple or stride.__class__ is list)
            and _all_ints(stride)) and (ceil_mode is False or ceil_mode is True) and not extra and not unknown):
        return _lp_pool2d(input, norm_type, (kernel_size,) * 2 if kernel_size.__class__ is int else tuple(kernel_size) if
                kernel_size.__class__ is list else kernel_size, (stride,) * 2 if stride.__class__ is int else tuple(stride) if
                stride.__class__ is list else stride, ceil_mode)
    return _lp_pool2d_slow((input, norm_type, kernel_size, stride, ceil_mode), extra, unknown)

_lp_pool3d_slow = _Binding("lp_pool3d",
        "Tensor (Tensor input, Double norm_type, Int32List[3] kernel_size, Int32List[3] stride=None, Bool ceil_mode=False)",
        _lp_pool3d)
def lp_pool3d(input=_missing, norm_type=_missing, kernel_size=_missing, stride=None, ceil_mode=False, *extra, **unknown):
    if (input.__class__ is _Tensor and norm_type.__class__ is float and
            (kernel_size.__class__ is int or kernel_size.__class__ is _Size or (kernel_size.__class__ is tuple or kernel_size.__class__ is list)
            and _all_ints(kernel_size)) and
            (stride is None or stride.__class__ is int or stride.__class__ is _Size or (stride.__class__ is tuple or stride.__class__ is list)
            and _all_ints(stride)) and (ceil_mode is False or ceil_mode is True) and not extra and not unknown):
        return _lp_pool3d(input, norm_type, (kernel_size,) * 3 if kernel_size.__class__ is int else tuple(kernel_size) if
                kernel_size.__class__ is list else kernel_size, (stride,) * 3 if stride.__class__ is int else tuple(stride) if
                stride.__class__ is list else stride, ceil_mode)
    return _lp_pool3d_slow((input, norm_type, kernel_size, stride, ceil_mode), extra, unknown)

_interpolate_slow = _Binding("interpolate",
        "Tensor (Tensor input, PyObject size=None, PyObject scale_factor=None, String mode='nearest', Bool align_corners=None, Bool recompute_scale_factor=None, Bool antialias=False)",
        _interpolate)
def interpolate(input=_missing, size=None, scale_factor=None, mode='nearest', align_corners=None, recompute_scale_factor=None,
        antialias=False, *extra, **unknown):
    if (input.__class__ is _Tensor and size is None and scale_factor is None and mode.__class__ is str and
            (align_corners is None or align_corners is False or align_corners is True) and
            (recompute_scale_factor is None or recompute_scale_factor is False or recompute_scale_factor is True) and
            (antialias is False or antialias is True) and not extra and not unknown):
        return _interpolate(input, size, scale_factor, mode, align_corners, recompute_scale_factor, antialias)
    return _interpolate_slow((input, size, scale_factor, mode, align_corners, recompute_scale_factor, antialias), extra, unknown)

_upsample_slow = _Binding("upsample",
        "Tensor (Tensor input, PyObject size=None, PyObject scale_factor=None, String mode='nearest', Bool align_corners=None)",
        _upsample)
def upsample(input=_missing, size=None, scale_factor=None, mode='nearest', align_corners=None, *extra, **unknown):
    if (input.__class__ is _Tensor and size is None and scale_factor is None and mode.__class__ is str and
            (align_corners is None or align_corners is False or align_corners is True) and not extra and not unknown):
        return _upsample(input, size, scale_factor, mode, align_corners)
    return _upsample_slow((input, size, scale_factor, mode, align_corners), extra, unknown)

_upsample_nearest_slow = _Binding("upsample_nearest", "Tensor (Tensor input, PyObject size=None, PyObject scale_factor=None)",
        _upsample_nearest)
def upsample_nearest(input=_missing, size=None, scale_factor=None, *extra, **unknown):
    if input.__class__ is _Tensor and size is None and scale_factor is None and not extra and not unknown:
        return _upsample_nearest(input, size, scale_factor)
    return _upsample_nearest_slow((input, size, scale_factor), extra, unknown)

_upsample_bilinear_slow = _Binding("upsample_bilinear", "Tensor (Tensor input, PyObject size=None, PyObject scale_factor=None)",
        _upsample_bilinear)
def upsample_bilinear(input=_missing, size=None, scale_factor=None, *extra, **unknown):
    if input.__class__ is _Tensor and size is None and scale_factor is None and not extra and not unknown:
        return _upsample_bilinear(input, size, scale_factor)
    return _upsample_bilinear_slow((input, size, scale_factor), extra, unknown)

_adaptive_max_pool1d_slow = _Binding("adaptive_max_pool1d", "Any (Tensor input, PyObject output_size, Bool return_indices=False)",
        _adaptive_max_pool1d)
def adaptive_max_pool1d(input=_missing, output_size=_missing, return_indices=False, *extra, **unknown):
    if (input.__class__ is _Tensor and output_size is not _missing and (return_indices is False or return_indices is True) and
            not extra and not unknown):
        return _adaptive_max_pool1d(input, output_size, return_indices)
    return _adaptive_max_pool1d_slow((input, output_size, return_indices), extra, unknown)

_adaptive_max_pool3d_slow = _Binding("adaptive_max_pool3d", "Any (Tensor input, PyObject output_size, Bool return_indices=False)",
        _adaptive_max_pool3d)
def adaptive_max_pool3d(input=_missing, output_size=_missing, return_indices=False, *extra, **unknown):
    if (input.__class__ is _Tensor and output_size is not _missing and (return_indices is False or return_indices is True) and
            not extra and not unknown):
        return _adaptive_max_pool3d(input, output_size, return_indices)
    return _adaptive_max_pool3d_slow((input, output_size, return_indices), extra, unknown)

_fractional_max_pool2d_slow = _Binding("fractional_max_pool2d",
        "Any (Tensor input, PyObject kernel_size, PyObject output_size=None, PyObject output_ratio=None, Bool return_indices=False, Tensor random_samples=None)",
        _fractional_max_pool2d)
def fractional_max_pool2d(input=_missing, kernel_size=_missing, output_size=None, output_ratio=None, return_indices=False,
        random_samples=None, *extra, **unknown):
    if (input.__class__ is _Tensor and kernel_size is not _missing and output_size is None and output_ratio is None and
            (return_indices is False or return_indices is True) and
            (random_samples is None or random_samples.__class__ is _Tensor) and not extra and not unknown):
        return _fractional_max_pool2d(input, kernel_size, output_size, output_ratio, return_indices, random_samples)
    return _fractional_max_pool2d_slow((input, kernel_size, output_size, output_ratio, return_indices, random_samples), extra,
            unknown)

_fractional_max_pool3d_slow = _Binding("fractional_max_pool3d",
        "Any (Tensor input, PyObject kernel_size, PyObject output_size=None, PyObject output_ratio=None, Bool return_indices=False, Tensor random_samples=None)",
        _fractional_max_pool3d)
def fractional_max_pool3d(input=_missing, kernel_size=_missing, output_size=None, output_ratio=None, return_indices=False,
        random_samples=None, *extra, **unknown):
    if (input.__class__ is _Tensor and kernel_size is not _missing and output_size is None and output_ratio is None and
            (return_indices is False or return_indices is True) and
            (random_samples is None or random_samples.__class__ is _Tensor) and not extra and not unknown):
        return _fractional_max_pool3d(input, kernel_size, output_size, output_ratio, return_indices, random_samples)
    return _fractional_max_pool3d_slow((input, kernel_size, output_size, output_ratio, return_indices, random_samples), extra,
            unknown)

_max_unpool1d_slow = _Binding("max_unpool1d",
        "Tensor (Tensor input, Tensor indices, Int64List[1] kernel_size, Int64List[1] stride=None, Int64List[1] padding=0, PyObject output_size=None)",
        _max_unpool1d)
def max_unpool1d(input=_missing, indices=_missing, kernel_size=_missing, stride=None, padding=(0,), output_size=None, *extra,
        **unknown):
    if (input.__class__ is _Tensor and indices.__class__ is _Tensor and
            (kernel_size.__class__ is int or kernel_size.__class__ is _Size or (kernel_size.__class__ is tuple or kernel_size.__class__ is list)
            and _all_ints(kernel_size)) and
            (stride is None or stride.__class__ is int or stride.__class__ is _Size or (stride.__class__ is tuple or stride.__class__ is list)
            and _all_ints(stride)) and
            (padding.__class__ is int or padding.__class__ is _Size or (padding.__class__ is tuple or padding.__class__ is list)
            and _all_ints(padding)) and output_size is None and not extra and not unknown):
        return _max_unpool1d(input, indices, (kernel_size,) if kernel_size.__class__ is int else tuple(kernel_size) if
                kernel_size.__class__ is list else kernel_size, (stride,) if stride.__class__ is int else tuple(stride) if
                stride.__class__ is list else stride, (padding,) if padding.__class__ is int else tuple(padding) if
                padding.__class__ is list else padding, output_size)
    return _max_unpool1d_slow((input, indices, kernel_size, stride, padding, output_size), extra, unknown)

_max_unpool2d_slow = _Binding("max_unpool2d",
        "Tensor (Tensor input, Tensor indices, Int64List[2] kernel_size, Int64List[2] stride=None, Int64List[2] padding=0, PyObject output_size=None)",
        _max_unpool2d)
def max_unpool2d(input=_missing, indices=_missing, kernel_size=_missing, stride=None, padding=(0, 0), output_size=None, *extra,
        **unknown):
    if (input.__class__ is _Tensor and indices.__class__ is _Tensor and
            (kernel_size.__class__ is int or kernel_size.__class__ is _Size or (kernel_size.__class__ is tuple or kernel_size.__class__ is list)
            and _all_ints(kernel_size)) and
            (stride is None or stride.__class__ is int or stride.__class__ is _Size or (stride.__class__ is tuple or stride.__class__ is list)
            and _all_ints(stride)) and
            (padding.__class__ is int or padding.__class__ is _Size or (padding.__class__ is tuple or padding.__class__ is list)
            and _all_ints(padding)) and output_size is None and not extra and not unknown):
        return _max_unpool2d(input, indices, (kernel_size,) * 2 if kernel_size.__class__ is int else tuple(kernel_size) if
                kernel_size.__class__ is list else kernel_size, (stride,) * 2 if stride.__class__ is int else tuple(stride) if
                stride.__class__ is list else stride, (padding,) * 2 if padding.__class__ is int else tuple(padding) if
                padding.__class__ is list else padding, output_size)
    return _max_unpool2d_slow((input, indices, kernel_size, stride, padding, output_size), extra, unknown)

_max_unpool3d_slow = _Binding("max_unpool3d",
        "Tensor (Tensor input, Tensor indices, Int64List[3] kernel_size, Int64List[3] stride=None, Int64List[3] padding=0, PyObject output_size=None)",
        _max_unpool3d)
def max_unpool3d(input=_missing, indices=_missing, kernel_size=_missing, stride=None, padding=(0, 0, 0), output_size=None, *extra,
        **unknown):
    if (input.__class__ is _Tensor and indices.__class__ is _Tensor and
            (kernel_size.__class__ is int or kernel_size.__class__ is _Size or (kernel_size.__class__ is tuple or kernel_size.__class__ is list)
            and _all_ints(kernel_size)) and
            (stride is None or stride.__class__ is int or stride.__class__ is _Size or (stride.__class__ is tuple or stride.__class__ is list)
            and _all_ints(stride)) and
            (padding.__class__ is int or padding.__class__ is _Size or (padding.__class__ is tuple or padding.__class__ is list)
            and _all_ints(padding)) and output_size is None and not extra and not unknown):
        return _max_unpool3d(input, indices, (kernel_size,) * 3 if kernel_size.__class__ is int else tuple(kernel_size) if
                kernel_size.__class__ is list else kernel_size, (stride,) * 3 if stride.__class__ is int else tuple(stride) if
                stride.__class__ is list else stride, (padding,) * 3 if padding.__class__ is int else tuple(padding) if
                padding.__class__ is list else padding, output_size)
    return _max_unpool3d_slow((input, indices, kernel_size, stride, padding, output_size), extra, unknown)

_methods = _publish(globals())

"""Functions of the binding: conv.

Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow.framework.size import Size as _Size
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.binding.arguments import Binding as _Binding, all_ints as _all_ints
from tritonflow.functions.conv import (conv1d_named_padding as _conv1d_named_padding, conv2d as _conv2d,
        conv2d_named_padding as _conv2d_named_padding, conv_data_grad as _conv_data_grad, conv_filter_grad as _conv_filter_grad,
        conv_transpose_biased as _conv_transpose_biased, conv1d as _conv1d, conv_bias_grad as _conv_bias_grad,
        conv_transpose2d as _conv_transpose2d)
from tritonflow.functions.conv_3d import (conv3d_named_padding as _conv3d_named_padding, conv3d as _conv3d, conv_tbc as _conv_tbc,
        conv_transpose1d as _conv_transpose1d, conv_transpose3d as _conv_transpose3d)
from tritonflow.functions.conv_columns import (columns as _columns, columns_sum as _columns_sum,
        pixel_shuffle_of_both as _pixel_shuffle_of_both, channel_shuffle as _channel_shuffle, fold as _fold,
        pixel_shuffle as _pixel_shuffle, pixel_unshuffle as _pixel_unshuffle, unfold as _unfold)
from tritonflow.functions.conv_spectrograms import (istft as _istft, stft as _stft)
from tritonflow.binding.library import publish as _publish
from tritonflow.binding.prototype import MISSING as _missing

_conv2d_slow = _Binding("conv2d",
        "Tensor (Tensor input, Tensor weight, Tensor bias=None, Int32List[2] stride=1, Int32List[2] padding=0, Int32List[2] dilation=1, Int32 groups=1)",
        _conv2d,
        "Tensor (Tensor input, Tensor weight, Tensor bias=None, Int32List[2] stride=1, String padding='valid', Int32List[2] dilation=1, Int32 groups=1)",
        _conv2d_named_padding, autocast="lower")
def conv2d(input=_missing, weight=_missing, bias=None, stride=(1, 1), padding=_missing, dilation=(1, 1), groups=1, *extra,
        **unknown):
    """2-d convolution (cross-correlation) of images with filters.

    Each output is the sum over a window of input times weight, plus bias:

        out[n, o, y, x] = bias[o] + sum over c, i, j of weight[o, c, i, j] * input[n, c, y * sH - pH + i * dH, x * sW - pW + j * dW]
        H' = floor((H + 2 * pH - dH * (kH - 1) - 1) / sH) + 1, and W' alike

    The input counts as 0 outside the image. One integer for stride, padding or dilation stands for both
    dimensions.

    Args:
        input: images, with a batch dimension or without.
        weight: the filters.
        bias: a number for each output channel.
        stride: the distance (sH, sW) of windows.
        padding: zeros (pH, pW) on both sides; "valid" is none, "same" keeps the image's size and wants a
            stride of 1.
        dilation: the distance (dH, dW) of a window's elements.
        groups: how many groups of channels are convolved by themselves.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C_in, H, W), (C_out, C_in / groups, kH, kW) -> (N, C_out, H', W'), also without N.

    Differentiable. Under `flow.autocast` it computes in its dtype.

    Raises:
        RuntimeError: sizes, groups or dtypes that do not fit, a window greater than the padded image, or
            "same" with a stride.
        ValueError: another name of a padding.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.conv2d.

    Example:
        >>> import tritonflow as flow
        >>> image, ones = flow.arange(9.0).reshape(1, 1, 3, 3), flow.ones(1, 1, 2, 2)
        >>> flow.conv2d(image, ones)[0, 0]
        tensor([[ 8., 12.],
                [20., 24.]])
        >>> flow.conv2d(image, ones, stride=2, padding=1).shape
        tritonflow.Size([1, 1, 2, 2])
    """
    if (input.__class__ is _Tensor and weight.__class__ is _Tensor and (bias is None or bias.__class__ is _Tensor) and
            (stride.__class__ is int or stride.__class__ is _Size or (stride.__class__ is tuple or stride.__class__ is list) and
            _all_ints(stride)) and padding is _missing and
            (dilation.__class__ is int or dilation.__class__ is _Size or (dilation.__class__ is tuple or dilation.__class__ is list)
            and _all_ints(dilation)) and groups.__class__ is int and not extra and not unknown):
        return _conv2d(input, weight, bias, (stride,) * 2 if stride.__class__ is int else tuple(stride) if
                stride.__class__ is list else stride, (0, 0), (dilation,) * 2 if dilation.__class__ is int else tuple(dilation) if
                dilation.__class__ is list else dilation, groups)
    return _conv2d_slow((input, weight, bias, stride, padding, dilation, groups), extra, unknown)

_conv_transpose_biased_slow = _Binding("conv_transpose_biased",
        "Tensor (Tensor grad, Tensor weight, Tensor bias, Shape shape, Int32List stride, Int32List padding, Int32List dilation, Int32 groups)",
        _conv_transpose_biased)
def conv_transpose_biased(grad=_missing, weight=_missing, bias=_missing, shape=_missing, stride=_missing, padding=_missing,
        dilation=_missing, groups=_missing, *extra, **unknown):
    """the gradient of conv2d's input plus a bias, rounded once"""
    if (grad.__class__ is _Tensor and weight.__class__ is _Tensor and bias.__class__ is _Tensor and
            (shape.__class__ is _Size or (shape.__class__ is tuple or shape.__class__ is list) and _all_ints(shape)) and
            (stride.__class__ is _Size or (stride.__class__ is tuple or stride.__class__ is list) and _all_ints(stride)) and
            (padding.__class__ is _Size or (padding.__class__ is tuple or padding.__class__ is list) and _all_ints(padding)) and
            (dilation.__class__ is _Size or (dilation.__class__ is tuple or dilation.__class__ is list) and _all_ints(dilation))
            and groups.__class__ is int and not extra and not unknown):
        return _conv_transpose_biased(grad, weight, bias, tuple(shape) if shape.__class__ is list else shape, tuple(stride) if
                stride.__class__ is list else stride, tuple(padding) if padding.__class__ is list else padding, tuple(dilation) if
                dilation.__class__ is list else dilation, groups)
    return _conv_transpose_biased_slow((grad, weight, bias, shape, stride, padding, dilation, groups), extra, unknown)

_conv_data_grad_slow = _Binding("conv_data_grad",
        "Tensor (Tensor grad, Tensor weight, Shape shape, Int32List stride, Int32List padding, Int32List dilation, Int32 groups)",
        _conv_data_grad)
def conv_data_grad(grad=_missing, weight=_missing, shape=_missing, stride=_missing, padding=_missing, dilation=_missing,
        groups=_missing, *extra, **unknown):
    """the gradient of conv2d's input"""
    if (grad.__class__ is _Tensor and weight.__class__ is _Tensor and
            (shape.__class__ is _Size or (shape.__class__ is tuple or shape.__class__ is list) and _all_ints(shape)) and
            (stride.__class__ is _Size or (stride.__class__ is tuple or stride.__class__ is list) and _all_ints(stride)) and
            (padding.__class__ is _Size or (padding.__class__ is tuple or padding.__class__ is list) and _all_ints(padding)) and
            (dilation.__class__ is _Size or (dilation.__class__ is tuple or dilation.__class__ is list) and _all_ints(dilation))
            and groups.__class__ is int and not extra and not unknown):
        return _conv_data_grad(grad, weight, tuple(shape) if shape.__class__ is list else shape, tuple(stride) if
                stride.__class__ is list else stride, tuple(padding) if padding.__class__ is list else padding, tuple(dilation) if
                dilation.__class__ is list else dilation, groups)
    return _conv_data_grad_slow((grad, weight, shape, stride, padding, dilation, groups), extra, unknown)

_conv_filter_grad_slow = _Binding("conv_filter_grad",
        "Tensor (Tensor grad, Tensor x, Shape shape, Int32List stride, Int32List padding, Int32List dilation, Int32 groups)",
        _conv_filter_grad)
def conv_filter_grad(grad=_missing, x=_missing, shape=_missing, stride=_missing, padding=_missing, dilation=_missing,
        groups=_missing, *extra, **unknown):
    """the gradient of conv2d's weight"""
    if (grad.__class__ is _Tensor and x.__class__ is _Tensor and
            (shape.__class__ is _Size or (shape.__class__ is tuple or shape.__class__ is list) and _all_ints(shape)) and
            (stride.__class__ is _Size or (stride.__class__ is tuple or stride.__class__ is list) and _all_ints(stride)) and
            (padding.__class__ is _Size or (padding.__class__ is tuple or padding.__class__ is list) and _all_ints(padding)) and
            (dilation.__class__ is _Size or (dilation.__class__ is tuple or dilation.__class__ is list) and _all_ints(dilation))
            and groups.__class__ is int and not extra and not unknown):
        return _conv_filter_grad(grad, x, tuple(shape) if shape.__class__ is list else shape, tuple(stride) if
                stride.__class__ is list else stride, tuple(padding) if padding.__class__ is list else padding, tuple(dilation) if
                dilation.__class__ is list else dilation, groups)
    return _conv_filter_grad_slow((grad, x, shape, stride, padding, dilation, groups), extra, unknown)

_columns_slow = _Binding("columns",
        "Tensor (Tensor input, Int32List kernel_size, Int32List stride, Int32List padding, Int32List dilation)", _columns)
def columns(input=_missing, kernel_size=_missing, stride=_missing, padding=_missing, dilation=_missing, *extra, **unknown):
    """what every window of an image sees"""
    if (input.__class__ is _Tensor and
            (kernel_size.__class__ is _Size or (kernel_size.__class__ is tuple or kernel_size.__class__ is list) and
            _all_ints(kernel_size)) and (stride.__class__ is _Size or (stride.__class__ is tuple or stride.__class__ is list) and
            _all_ints(stride)) and (padding.__class__ is _Size or (padding.__class__ is tuple or padding.__class__ is list) and
            _all_ints(padding)) and (dilation.__class__ is _Size or (dilation.__class__ is tuple or dilation.__class__ is list)
            and _all_ints(dilation)) and not extra and not unknown):
        return _columns(input, tuple(kernel_size) if kernel_size.__class__ is list else kernel_size, tuple(stride) if
                stride.__class__ is list else stride, tuple(padding) if padding.__class__ is list else padding, tuple(dilation) if
                dilation.__class__ is list else dilation)
    return _columns_slow((input, kernel_size, stride, padding, dilation), extra, unknown)

_columns_sum_slow = _Binding("columns_sum",
        "Tensor (Tensor input, Shape image, Int32List kernel_size, Int32List stride, Int32List padding, Int32List dilation)",
        _columns_sum)
def columns_sum(input=_missing, image=_missing, kernel_size=_missing, stride=_missing, padding=_missing, dilation=_missing,
        *extra, **unknown):
    """the sum of what windows say of each pixel"""
    if (input.__class__ is _Tensor and (image.__class__ is _Size or (image.__class__ is tuple or image.__class__ is list) and
            _all_ints(image)) and
            (kernel_size.__class__ is _Size or (kernel_size.__class__ is tuple or kernel_size.__class__ is list) and
            _all_ints(kernel_size)) and (stride.__class__ is _Size or (stride.__class__ is tuple or stride.__class__ is list) and
            _all_ints(stride)) and (padding.__class__ is _Size or (padding.__class__ is tuple or padding.__class__ is list) and
            _all_ints(padding)) and (dilation.__class__ is _Size or (dilation.__class__ is tuple or dilation.__class__ is list)
            and _all_ints(dilation)) and not extra and not unknown):
        return _columns_sum(input, tuple(image) if image.__class__ is list else image, tuple(kernel_size) if
                kernel_size.__class__ is list else kernel_size, tuple(stride) if stride.__class__ is list else stride,
                tuple(padding) if padding.__class__ is list else padding, tuple(dilation) if dilation.__class__ is list else
                dilation)
    return _columns_sum_slow((input, image, kernel_size, stride, padding, dilation), extra, unknown)

_conv1d_slow = _Binding("conv1d",
        "Tensor (Tensor input, Tensor weight, Tensor bias=None, Int32List[1] stride=1, Int32List[1] padding=0, Int32List[1] dilation=1, Int32 groups=1)",
        _conv1d,
        "Tensor (Tensor input, Tensor weight, Tensor bias=None, Int32List[1] stride=1, String padding='valid', Int32List[1] dilation=1, Int32 groups=1)",
        _conv1d_named_padding, autocast="lower")
def conv1d(input=_missing, weight=_missing, bias=None, stride=(1,), padding=_missing, dilation=(1,), groups=1, *extra, **unknown):
    if (input.__class__ is _Tensor and weight.__class__ is _Tensor and (bias is None or bias.__class__ is _Tensor) and
            (stride.__class__ is int or stride.__class__ is _Size or (stride.__class__ is tuple or stride.__class__ is list) and
            _all_ints(stride)) and padding is _missing and
            (dilation.__class__ is int or dilation.__class__ is _Size or (dilation.__class__ is tuple or dilation.__class__ is list)
            and _all_ints(dilation)) and groups.__class__ is int and not extra and not unknown):
        return _conv1d(input, weight, bias, (stride,) if stride.__class__ is int else tuple(stride) if stride.__class__ is list
                else stride, (0,), (dilation,) if dilation.__class__ is int else tuple(dilation) if dilation.__class__ is list
                else dilation, groups)
    return _conv1d_slow((input, weight, bias, stride, padding, dilation, groups), extra, unknown)

_conv_transpose2d_slow = _Binding("conv_transpose2d",
        "Tensor (Tensor input, Tensor weight, Tensor bias=None, Int32List[2] stride=1, Int32List[2] padding=0, Int32List[2] output_padding=0, Int32 groups=1, Int32List[2] dilation=1)",
        _conv_transpose2d, autocast="lower")
def conv_transpose2d(input=_missing, weight=_missing, bias=None, stride=(1, 1), padding=(0, 0), output_padding=(0, 0), groups=1,
        dilation=(1, 1), *extra, **unknown):
    if (input.__class__ is _Tensor and weight.__class__ is _Tensor and (bias is None or bias.__class__ is _Tensor) and
            (stride.__class__ is int or stride.__class__ is _Size or (stride.__class__ is tuple or stride.__class__ is list) and
            _all_ints(stride)) and
            (padding.__class__ is int or padding.__class__ is _Size or (padding.__class__ is tuple or padding.__class__ is list)
            and _all_ints(padding)) and
            (output_padding.__class__ is int or output_padding.__class__ is _Size or (output_padding.__class__ is tuple or output_padding.__class__ is list)
            and _all_ints(output_padding)) and groups.__class__ is int and
            (dilation.__class__ is int or dilation.__class__ is _Size or (dilation.__class__ is tuple or dilation.__class__ is list)
            and _all_ints(dilation)) and not extra and not unknown):
        return _conv_transpose2d(input, weight, bias, (stride,) * 2 if stride.__class__ is int else tuple(stride) if
                stride.__class__ is list else stride, (padding,) * 2 if padding.__class__ is int else tuple(padding) if
                padding.__class__ is list else padding, (output_padding,) * 2 if output_padding.__class__ is int else
                tuple(output_padding) if output_padding.__class__ is list else output_padding, groups, (dilation,) * 2 if
                dilation.__class__ is int else tuple(dilation) if dilation.__class__ is list else dilation)
    return _conv_transpose2d_slow((input, weight, bias, stride, padding, output_padding, groups, dilation), extra, unknown)

_conv_bias_grad_slow = _Binding("conv_bias_grad", "Tensor (Tensor grad)", _conv_bias_grad)
def conv_bias_grad(grad=_missing, *extra, **unknown):
    if grad.__class__ is _Tensor and not extra and not unknown:
        return _conv_bias_grad(grad)
    return _conv_bias_grad_slow((grad,), extra, unknown)

_conv3d_slow = _Binding("conv3d",
        "Tensor (Tensor input, Tensor weight, Tensor bias=None, Int32List[3] stride=1, Int32List[3] padding=0, Int32List[3] dilation=1, Int32 groups=1)",
        _conv3d,
        "Tensor (Tensor input, Tensor weight, Tensor bias=None, Int32List[3] stride=1, String padding='valid', Int32List[3] dilation=1, Int32 groups=1)",
        _conv3d_named_padding, autocast="lower")
def conv3d(input=_missing, weight=_missing, bias=None, stride=(1, 1, 1), padding=_missing, dilation=(1, 1, 1), groups=1, *extra,
        **unknown):
    if (input.__class__ is _Tensor and weight.__class__ is _Tensor and (bias is None or bias.__class__ is _Tensor) and
            (stride.__class__ is int or stride.__class__ is _Size or (stride.__class__ is tuple or stride.__class__ is list) and
            _all_ints(stride)) and padding is _missing and
            (dilation.__class__ is int or dilation.__class__ is _Size or (dilation.__class__ is tuple or dilation.__class__ is list)
            and _all_ints(dilation)) and groups.__class__ is int and not extra and not unknown):
        return _conv3d(input, weight, bias, (stride,) * 3 if stride.__class__ is int else tuple(stride) if
                stride.__class__ is list else stride, (0, 0, 0), (dilation,) * 3 if dilation.__class__ is int else tuple(dilation)
                if dilation.__class__ is list else dilation, groups)
    return _conv3d_slow((input, weight, bias, stride, padding, dilation, groups), extra, unknown)

_conv_transpose1d_slow = _Binding("conv_transpose1d",
        "Tensor (Tensor input, Tensor weight, Tensor bias=None, Int32List[1] stride=1, Int32List[1] padding=0, Int32List[1] output_padding=0, Int32 groups=1, Int32List[1] dilation=1)",
        _conv_transpose1d, autocast="lower")
def conv_transpose1d(input=_missing, weight=_missing, bias=None, stride=(1,), padding=(0,), output_padding=(0,), groups=1,
        dilation=(1,), *extra, **unknown):
    if (input.__class__ is _Tensor and weight.__class__ is _Tensor and (bias is None or bias.__class__ is _Tensor) and
            (stride.__class__ is int or stride.__class__ is _Size or (stride.__class__ is tuple or stride.__class__ is list) and
            _all_ints(stride)) and
            (padding.__class__ is int or padding.__class__ is _Size or (padding.__class__ is tuple or padding.__class__ is list)
            and _all_ints(padding)) and
            (output_padding.__class__ is int or output_padding.__class__ is _Size or (output_padding.__class__ is tuple or output_padding.__class__ is list)
            and _all_ints(output_padding)) and groups.__class__ is int and
            (dilation.__class__ is int or dilation.__class__ is _Size or (dilation.__class__ is tuple or dilation.__class__ is list)
            and _all_ints(dilation)) and not extra and not unknown):
        return _conv_transpose1d(input, weight, bias, (stride,) if stride.__class__ is int else tuple(stride) if
                stride.__class__ is list else stride, (padding,) if padding.__class__ is int else tuple(padding) if
                padding.__class__ is list else padding, (output_padding,) if output_padding.__class__ is int else
                tuple(output_padding) if output_padding.__class__ is list else output_padding, groups, (dilation,) if
                dilation.__class__ is int else tuple(dilation) if dilation.__class__ is list else dilation)
    return _conv_transpose1d_slow((input, weight, bias, stride, padding, output_padding, groups, dilation), extra, unknown)

_conv_transpose3d_slow = _Binding("conv_transpose3d",
        "Tensor (Tensor input, Tensor weight, Tensor bias=None, Int32List[3] stride=1, Int32List[3] padding=0, Int32List[3] output_padding=0, Int32 groups=1, Int32List[3] dilation=1)",
        _conv_transpose3d, autocast="lower")
def conv_transpose3d(input=_missing, weight=_missing, bias=None, stride=(1, 1, 1), padding=(0, 0, 0), output_padding=(0, 0, 0),
        groups=1, dilation=(1, 1, 1), *extra, **unknown):
    if (input.__class__ is _Tensor and weight.__class__ is _Tensor and (bias is None or bias.__class__ is _Tensor) and
            (stride.__class__ is int or stride.__class__ is _Size or (stride.__class__ is tuple or stride.__class__ is list) and
            _all_ints(stride)) and
            (padding.__class__ is int or padding.__class__ is _Size or (padding.__class__ is tuple or padding.__class__ is list)
            and _all_ints(padding)) and
            (output_padding.__class__ is int or output_padding.__class__ is _Size or (output_padding.__class__ is tuple or output_padding.__class__ is list)
            and _all_ints(output_padding)) and groups.__class__ is int and
            (dilation.__class__ is int or dilation.__class__ is _Size or (dilation.__class__ is tuple or dilation.__class__ is list)
            and _all_ints(dilation)) and not extra and not unknown):
        return _conv_transpose3d(input, weight, bias, (stride,) * 3 if stride.__class__ is int else tuple(stride) if
                stride.__class__ is list else stride, (padding,) * 3 if padding.__class__ is int else tuple(padding) if
                padding.__class__ is list else padding, (output_padding,) * 3 if output_padding.__class__ is int else
                tuple(output_padding) if output_padding.__class__ is list else output_padding, groups, (dilation,) * 3 if
                dilation.__class__ is int else tuple(dilation) if dilation.__class__ is list else dilation)
    return _conv_transpose3d_slow((input, weight, bias, stride, padding, output_padding, groups, dilation), extra, unknown)

_conv_tbc_slow = _Binding("conv_tbc", "Tensor (Tensor input, Tensor weight, Tensor bias, Int32 pad=0)", _conv_tbc,
        autocast="lower")
def conv_tbc(input=_missing, weight=_missing, bias=_missing, pad=0, *extra, **unknown):
    if (input.__class__ is _Tensor and weight.__class__ is _Tensor and bias.__class__ is _Tensor and pad.__class__ is int and
            not extra and not unknown):
        return _conv_tbc(input, weight, bias, pad)
    return _conv_tbc_slow((input, weight, bias, pad), extra, unknown)

_unfold_slow = _Binding("unfold",
        "Tensor (Tensor input, Int32List[2] kernel_size, Int32List[2] dilation=1, Int32List[2] padding=0, Int32List[2] stride=1)",
        _unfold)
def unfold(input=_missing, kernel_size=_missing, dilation=(1, 1), padding=(0, 0), stride=(1, 1), *extra, **unknown):
    if (input.__class__ is _Tensor and
            (kernel_size.__class__ is int or kernel_size.__class__ is _Size or (kernel_size.__class__ is tuple or kernel_size.__class__ is list)
            and _all_ints(kernel_size)) and
            (dilation.__class__ is int or dilation.__class__ is _Size or (dilation.__class__ is tuple or dilation.__class__ is list)
            and _all_ints(dilation)) and
            (padding.__class__ is int or padding.__class__ is _Size or (padding.__class__ is tuple or padding.__class__ is list)
            and _all_ints(padding)) and
            (stride.__class__ is int or stride.__class__ is _Size or (stride.__class__ is tuple or stride.__class__ is list) and
            _all_ints(stride)) and not extra and not unknown):
        return _unfold(input, (kernel_size,) * 2 if kernel_size.__class__ is int else tuple(kernel_size) if
                kernel_size.__class__ is list else kernel_size, (dilation,) * 2 if dilation.__class__ is int else tuple(dilation)
                if dilation.__class__ is list else dilation, (padding,) * 2 if padding.__class__ is int else tuple(padding) if
                padding.__class__ is list else padding, (stride,) * 2 if stride.__class__ is int else tuple(stride) if
                stride.__class__ is list else stride)
    return _unfold_slow((input, kernel_size, dilation, padding, stride), extra, unknown)

_fold_slow = _Binding("fold",
        "Tensor (Tensor input, Int32List[2] output_size, Int32List[2] kernel_size, Int32List[2] dilation=1, Int32List[2] padding=0, Int32List[2] stride=1)",
        _fold)
def fold(input=_missing, output_size=_missing, kernel_size=_missing, dilation=(1, 1), padding=(0, 0), stride=(1, 1), *extra,
        **unknown):
    if (input.__class__ is _Tensor and
            (output_size.__class__ is int or output_size.__class__ is _Size or (output_size.__class__ is tuple or output_size.__class__ is list)
            and _all_ints(output_size)) and
            (kernel_size.__class__ is int or kernel_size.__class__ is _Size or (kernel_size.__class__ is tuple or kernel_size.__class__ is list)
            and _all_ints(kernel_size)) and
            (dilation.__class__ is int or dilation.__class__ is _Size or (dilation.__class__ is tuple or dilation.__class__ is list)
            and _all_ints(dilation)) and
            (padding.__class__ is int or padding.__class__ is _Size or (padding.__class__ is tuple or padding.__class__ is list)
            and _all_ints(padding)) and
            (stride.__class__ is int or stride.__class__ is _Size or (stride.__class__ is tuple or stride.__class__ is list) and
            _all_ints(stride)) and not extra and not unknown):
        return _fold(input, (output_size,) * 2 if output_size.__class__ is int else tuple(output_size) if
                output_size.__class__ is list else output_size, (kernel_size,) * 2 if kernel_size.__class__ is int else
                tuple(kernel_size) if kernel_size.__class__ is list else kernel_size, (dilation,) * 2 if dilation.__class__ is int
                else tuple(dilation) if dilation.__class__ is list else dilation, (padding,) * 2 if padding.__class__ is int else
                tuple(padding) if padding.__class__ is list else padding, (stride,) * 2 if stride.__class__ is int else
                tuple(stride) if stride.__class__ is list else stride)
    return _fold_slow((input, output_size, kernel_size, dilation, padding, stride), extra, unknown)

_pixel_shuffle_slow = _Binding("pixel_shuffle", "Tensor (Tensor input, Int32 upscale_factor)", _pixel_shuffle,
        "Tensor (Tensor input, Int32 h_upscale_factor, Int32 w_upscale_factor)", _pixel_shuffle_of_both)
def pixel_shuffle(input=_missing, h_upscale_factor=_missing, w_upscale_factor=_missing, *extra, upscale_factor=_missing,
        **unknown):
    if (input.__class__ is _Tensor and h_upscale_factor.__class__ is int and w_upscale_factor is _missing and
            upscale_factor is _missing and not extra and not unknown):
        return _pixel_shuffle(input, h_upscale_factor)
    if (input.__class__ is _Tensor and h_upscale_factor.__class__ is int and w_upscale_factor.__class__ is int and
            upscale_factor is _missing and not extra and not unknown):
        return _pixel_shuffle_of_both(input, h_upscale_factor, w_upscale_factor)
    return _pixel_shuffle_slow((input, h_upscale_factor, w_upscale_factor, upscale_factor), extra, unknown)

_pixel_unshuffle_slow = _Binding("pixel_unshuffle", "Tensor (Tensor input, Int32 downscale_factor)", _pixel_unshuffle)
def pixel_unshuffle(input=_missing, downscale_factor=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and downscale_factor.__class__ is int and not extra and not unknown:
        return _pixel_unshuffle(input, downscale_factor)
    return _pixel_unshuffle_slow((input, downscale_factor), extra, unknown)

_channel_shuffle_slow = _Binding("channel_shuffle", "Tensor (Tensor input, Int32 groups)", _channel_shuffle)
def channel_shuffle(input=_missing, groups=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and groups.__class__ is int and not extra and not unknown:
        return _channel_shuffle(input, groups)
    return _channel_shuffle_slow((input, groups), extra, unknown)

_native_channel_shuffle_slow = _Binding("native_channel_shuffle", "Tensor (Tensor input, Int32 groups)", _channel_shuffle,
        like="channel_shuffle")
def native_channel_shuffle(input=_missing, groups=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and groups.__class__ is int and not extra and not unknown:
        return _channel_shuffle(input, groups)
    return _native_channel_shuffle_slow((input, groups), extra, unknown)

_stft_slow = _Binding("stft",
        "Tensor (Tensor input, Int64 n_fft, Int64 hop_length=None, Int64 win_length=None, Tensor window=None, Bool center=True, String pad_mode=\"reflect\", Bool normalized=False, Bool onesided=None, Bool return_complex=None, Bool align_to_window=None)",
        _stft, methods="stft")
def stft(input=_missing, n_fft=_missing, hop_length=None, win_length=None, window=None, center=True, pad_mode='reflect',
        normalized=False, onesided=None, return_complex=None, align_to_window=None, *extra, **unknown):
    if (input.__class__ is _Tensor and n_fft.__class__ is int and (hop_length is None or hop_length.__class__ is int) and
            (win_length is None or win_length.__class__ is int) and (window is None or window.__class__ is _Tensor) and
            (center is True or center is False) and pad_mode.__class__ is str and (normalized is False or normalized is True) and
            (onesided is None or onesided is False or onesided is True) and
            (return_complex is None or return_complex is False or return_complex is True) and
            (align_to_window is None or align_to_window is False or align_to_window is True) and not extra and not unknown):
        return _stft(input, n_fft, hop_length, win_length, window, center, pad_mode, normalized, onesided, return_complex,
                align_to_window)
    return _stft_slow((input, n_fft, hop_length, win_length, window, center, pad_mode, normalized, onesided, return_complex,
            align_to_window), extra, unknown)

_istft_slow = _Binding("istft",
        "Tensor (Tensor input, Int64 n_fft, Int64 hop_length=None, Int64 win_length=None, Tensor window=None, Bool center=True, Bool normalized=False, Bool onesided=None, Int64 length=None, Bool return_complex=False)",
        _istft, methods="istft")
def istft(input=_missing, n_fft=_missing, hop_length=None, win_length=None, window=None, center=True, normalized=False,
        onesided=None, length=None, return_complex=False, *extra, **unknown):
    if (input.__class__ is _Tensor and n_fft.__class__ is int and (hop_length is None or hop_length.__class__ is int) and
            (win_length is None or win_length.__class__ is int) and (window is None or window.__class__ is _Tensor) and
            (center is True or center is False) and (normalized is False or normalized is True) and
            (onesided is None or onesided is False or onesided is True) and (length is None or length.__class__ is int) and
            (return_complex is False or return_complex is True) and not extra and not unknown):
        return _istft(input, n_fft, hop_length, win_length, window, center, normalized, onesided, length, return_complex)
    return _istft_slow((input, n_fft, hop_length, win_length, window, center, normalized, onesided, length, return_complex),
            extra, unknown)

_methods = _publish(globals())

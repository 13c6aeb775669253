"""OneFlow's quantization while training: numbers are rounded to those that a few bits can hold, and stay floating.

A *scale* and a *zero point* say which numbers these are. Observers find them from the least and the greatest element. Of the
formula "cambricon" the scale is the exponent of a power of two, and numbers are symmetric about 0.
"""

from __future__ import annotations

from typing import Any

from tritonflow import _C, nn
from tritonflow.autograd.function import Function
from tritonflow.compat.checks import require
from tritonflow.dtypes import int64
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.grad_mode import no_grad
from tritonflow.nn import functional as F

_FORMULAS, _SCHEMES = ("google", "cambricon"), ("symmetric", "affine")


def _check(formula: str, bits: int, scheme: str) -> None:
    require(formula in _FORMULAS, f"quantization_formula must be google or cambricon, but got {formula}")
    require(scheme in _SCHEMES, f"quantization_scheme must be symmetric or affine, but got {scheme}")
    require(2 <= bits <= 8, f"quantization_bit must be between 2 and 8, but got {bits}")


def _is_affine(formula: str, scheme: str) -> bool:
    return formula == "google" and scheme == "affine"


def _scale(least: Tensor, greatest: Tensor, formula: str, bits: int, scheme: str) -> tuple[Any, Any]:
    """The scale and the zero point of numbers from `least` to `greatest`; the latter is the greatest magnitude where symmetric."""
    if formula == "cambricon":
        return _C.floor(_C.log2(greatest)) - (bits - 2), _C.zeros_like(greatest)
    if scheme == "symmetric":
        return greatest / (2 ** (bits - 1) - 1), _C.zeros_like(greatest)
    scale = (greatest - least) / (2**bits - 1)
    return scale, -_C.round(least / scale)


def min_max_observer(
    input: Tensor, quantization_formula: str, quantization_bit: int, quantization_scheme: str, per_layer_quantization: bool
) -> tuple[Any, Any]:
    """The scale and the zero point of a tensor: of one element each, or per_layer_quantization=False of one for each `input[i]`."""
    _check(quantization_formula, quantization_bit, quantization_scheme)
    require(
        per_layer_quantization or quantization_formula == "google", "per-channel mode is not supported in cambricon scheme"
    )
    rows = input.detach().reshape((1 if per_layer_quantization else input.shape[0], -1))
    affine = _is_affine(quantization_formula, quantization_scheme)
    greatest = _C.amax(rows if affine else rows.abs(), 1)
    least = _C.amin(rows, 1) if affine else greatest
    return _scale(least, greatest, quantization_formula, quantization_bit, quantization_scheme)


def moving_average_min_max_observer(
    input: Tensor, current_train_step: Tensor, moving_max: Tensor, moving_min: Tensor, training: bool,
    stop_update_after_iters: int, quantization_formula: str, quantization_bit: int, quantization_scheme: str, momentum: float,
) -> tuple[Any, Any]:  # fmt: skip
    """The scale and the zero point of moving averages, which are written while training, up to a step. From 0 they begin anew."""
    _check(quantization_formula, quantization_bit, quantization_scheme)
    affine = _is_affine(quantization_formula, quantization_scheme)
    if training:
        with no_grad():
            value = input if affine else input.abs()
            may_update = current_train_step <= stop_update_after_iters
            greatest = _moved(moving_max, value.amax(), momentum, may_update)
            least = _moved(moving_min, value.amin(), momentum, may_update) if affine else greatest
            moving_max.copy_(greatest)
            moving_min.copy_(least)
    return _scale(moving_min.clone(), moving_max.clone(), quantization_formula, quantization_bit, quantization_scheme)


def _moved(average: Tensor, value: Tensor, momentum: float, may_update: Tensor) -> Any:
    moved = _C.where(average == 0, value, average * momentum + value * (1 - momentum))
    return _C.where(may_update, moved, average)


def quantization(
    input: Tensor, scale: Tensor, zero_point: Tensor, quantization_formula: str, quantization_bit: int, quantization_scheme: str
) -> Any:
    """round(input / scale + zero_point), clamped to what the bits can hold."""
    _check(quantization_formula, quantization_bit, quantization_scheme)
    step, zero, least, greatest = _steps(
        input, scale, zero_point, quantization_formula, quantization_bit, quantization_scheme
    )
    return _C.clamp(_C.round(input / step + zero), least, greatest)


def fake_quantization(
    input: Tensor, scale: Tensor, zero_point: Tensor, quantization_formula: str, quantization_bit: int, quantization_scheme: str
) -> Any:
    """(quantization(input) - zero_point) * scale, with the gradient of the input itself (Bengio et al., 2013)."""
    _check(quantization_formula, quantization_bit, quantization_scheme)
    settings = (quantization_formula, quantization_bit, quantization_scheme)
    return RoundedStraightThrough.apply(input, scale.detach(), zero_point.detach(), settings)


class RoundedStraightThrough(Function):
    """Numbers that are rounded; their gradient is the input's."""

    @staticmethod
    def forward(ctx: Any, input: Tensor, scale: Tensor, zero_point: Tensor, settings: tuple[str, int, str]) -> Any:
        step, zero, _, _ = _steps(input, scale, zero_point, *settings)
        return (quantization(input, scale, zero_point, *settings) - zero) * step

    @staticmethod
    def backward(ctx: Any, dy: Tensor) -> Any:
        return dy, None, None, None


def _steps(
    input: Tensor, scale: Tensor, zero_point: Tensor, formula: str, bits: int, scheme: str
) -> tuple[Tensor, Any, int, int]:
    """The step from a number to the next, the zero point, and the least and the greatest number."""
    count = scale.numel()
    require(
        count == 1 or input.ndim > 0 and count == input.shape[0],
        f"scale must have one element, or one for each of the input's first dimension: {count}, {tuple(input.shape)}",
    )
    shape = (count, *[1] * (input.ndim - 1)) if count > 1 else ()
    step = _C.exp2(scale.trunc()) if formula == "cambricon" else scale
    step = step.reshape(shape)
    if not _is_affine(formula, scheme):
        greatest = 2 ** (bits - 1) - 1
        return step, 0, -greatest - 1, greatest
    return step, _C.round(zero_point).reshape(shape), 0, 2**bits - 1


class _Quantizer(nn.Module):
    """A layer with the settings of a quantization."""

    def __init__(
        self, quantization_formula: str = "google", quantization_bit: int = 8, quantization_scheme: str = "symmetric"
    ) -> None:
        super().__init__()
        _check(quantization_formula, quantization_bit, quantization_scheme)
        self.quantization_formula = quantization_formula
        self.quantization_bit = quantization_bit
        self.quantization_scheme = quantization_scheme

    @property
    def _settings(self) -> tuple[str, int, str]:
        return self.quantization_formula, self.quantization_bit, self.quantization_scheme

    def extra_repr(self) -> str:
        formula, bits, scheme = self._settings
        return f"quantization_formula={formula}, quantization_bit={bits}, quantization_scheme={scheme}"


class MinMaxObserver(_Quantizer):
    """The scale and the zero point that quantize a tensor: scale = max(|x|) / (2^(bits - 1) - 1), zero point 0.

    Args:
        quantization_formula: "google", or "cambricon": floor(log2(max(|x|))) - (bits - 2), of a scale that is a power of two.
        quantization_bit: the bits of a number, 2 to 8.
        quantization_scheme: "symmetric", or "affine": scale = (max(x) - min(x)) / (2^bits - 1), zero point -round(min(x) / scale).
        per_layer_quantization: one scale for the tensor; otherwise one for each `x[i]`.

    Shape:
        any shape -> (1), (1); or (n), (n) of the input's first dimension.

    Raises:
        RuntimeError: an unknown formula or scheme, or other numbers of bits.

    Source: oneflow.nn.MinMaxObserver.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.MinMaxObserver(quantization_bit=3)(flow.tensor([-6.0, 3.0]))
        (tensor([2.]), tensor([0.]))
    """

    def __init__(
        self, quantization_formula: str = "google", quantization_bit: int = 8, quantization_scheme: str = "symmetric",
        per_layer_quantization: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(quantization_formula, quantization_bit, quantization_scheme)
        self.per_layer_quantization = per_layer_quantization

    def forward(self, input: Tensor) -> Any:
        return min_max_observer(input, *self._settings, self.per_layer_quantization)


class MovingAverageMinMaxObserver(_Quantizer):
    """`MinMaxObserver` of moving averages of the least and the greatest element.

    Args:
        stop_update_after_iters: the averages are no longer written behind this step of training.
        quantization_formula, quantization_bit, quantization_scheme: as of `MinMaxObserver`.
        momentum: the weight of the old average.

    Shape:
        any shape, and the step as an int64 tensor of one element -> (1), (1).

    Raises:
        RuntimeError: an unknown formula or scheme, or other numbers of bits.

    Source: oneflow.nn.MovingAverageMinMaxObserver.

    Example:
        >>> import tritonflow as flow
        >>> observer = flow.nn.MovingAverageMinMaxObserver(quantization_bit=3, momentum=0.5)
        >>> step = flow.zeros(1, dtype=flow.int64)
        >>> _ = observer(flow.tensor([-6.0, 3.0]), step)
        >>> observer(flow.tensor([-12.0, 3.0]), step)[0]
        tensor([3.])
    """

    moving_max: Tensor
    moving_min: Tensor

    def __init__(
        self, stop_update_after_iters: int = 1, quantization_formula: str = "google", quantization_bit: int = 8,
        quantization_scheme: str = "symmetric", momentum: float = 0.95,
    ) -> None:  # fmt: skip
        super().__init__(quantization_formula, quantization_bit, quantization_scheme)
        self.stop_update_after_iters, self.momentum = stop_update_after_iters, momentum
        self.register_buffer("moving_max", _C.zeros((1,)))
        self.register_buffer("moving_min", _C.zeros((1,)))

    def reset_running_stats(self) -> None:
        """Begin anew."""
        self.moving_max.fill_(0)
        self.moving_min.fill_(0)

    def forward(self, input: Tensor, current_train_step: Tensor) -> Any:
        return moving_average_min_max_observer(
            input, current_train_step, self.moving_max, self.moving_min, self.training, self.stop_update_after_iters,
            *self._settings, self.momentum,
        )  # fmt: skip


class Quantization(_Quantizer):
    """clamp(round(x / scale + zero_point)) to what the bits can hold; without the zero point where symmetric.

    Args:
        quantization_formula, quantization_bit, quantization_scheme: as of `MinMaxObserver`.

    Shape:
        any shape, and what an observer returns -> the same.

    Raises:
        RuntimeError: an unknown formula or scheme, other numbers of bits, or of scales.

    Source: oneflow.nn.Quantization.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.Quantization(quantization_bit=3)(flow.tensor([-6.0, 3.5]), flow.tensor([2.0]), flow.tensor([0.0]))
        tensor([-3.,  2.])
    """

    def forward(self, input: Tensor, scale: Tensor, zero_point: Tensor) -> Any:
        return quantization(input, scale, zero_point, *self._settings)


class FakeQuantization(_Quantizer):
    """`Quantization` and back, (q - zero_point) * scale, with the gradient of the input itself.

    Args:
        quantization_formula, quantization_bit, quantization_scheme: as of `MinMaxObserver`.

    Shape:
        any shape, and what an observer returns -> the same.

    Raises:
        RuntimeError: an unknown formula or scheme, other numbers of bits, or of scales.

    Source: oneflow.nn.FakeQuantization; Bengio et al., https://arxiv.org/abs/1308.3432

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.FakeQuantization(quantization_bit=3)(flow.tensor([-6.0, 3.5]), flow.tensor([2.0]), flow.tensor([0.0]))
        tensor([-6.,  4.])
    """

    def forward(self, input: Tensor, scale: Tensor, zero_point: Tensor) -> Any:
        return fake_quantization(input, scale, zero_point, *self._settings)


class _QatConv(nn.Module):
    """A convolution whose input and weight are quantized and back."""

    convolution: Any
    current_train_step: Tensor

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
        groups: int = 1, bias: bool = True, padding_mode: str = "zeros", quantization_formula: str = "google",
        quantization_bit: int = 8, quantization_scheme: str = "symmetric", weight_quant_per_layer: bool = True,
        input_quant_momentum: float = 0.95,
    ) -> None:  # fmt: skip
        super().__init__(  # type: ignore[call-arg]
            in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias, padding_mode  # type: ignore[arg-type]
        )
        settings = quantization_formula, quantization_bit, quantization_scheme
        self.input_min_max_observer = MovingAverageMinMaxObserver(1, *settings, input_quant_momentum)
        self.register_buffer("current_train_step", _C.zeros((1,), dtype=int64))
        self.weight_min_max_observer = MinMaxObserver(*settings, weight_quant_per_layer)
        self.fake_quantizer = FakeQuantization(*settings)

    def forward(self, input: Tensor) -> Any:
        weight: Any = self.weight
        observed = self.input_min_max_observer(input, self.current_train_step)
        input = self.fake_quantizer(input, *observed)
        weight = self.fake_quantizer(weight, *self.weight_min_max_observer(weight))
        return self._convolve(type(self).convolution, input, weight)


class QatConv1d(_QatConv, nn.Conv1d):
    """`Conv1d` of a quantized input and a quantized weight, for training that is aware of quantization.

    Args:
        in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias, padding_mode: as of `Conv1d`.
        quantization_formula, quantization_bit, quantization_scheme: as of `MinMaxObserver`.
        weight_quant_per_layer: one scale for the weight; otherwise one for each output channel.
        input_quant_momentum: of the `MovingAverageMinMaxObserver` of the input.

    Shape:
        (n, c, l) -> (n, out_channels, l'), as of `Conv1d`.

    Source: oneflow.nn.QatConv1d.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.QatConv1d(2, 4, 3)(flow.ones(1, 2, 8)).shape
        tritonflow.Size([1, 4, 6])
    """

    convolution = staticmethod(F.conv1d)


class QatConv2d(_QatConv, nn.Conv2d):
    """`Conv2d` of a quantized input and a quantized weight, for training that is aware of quantization.

    Args:
        in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias, padding_mode: as of `Conv2d`.
        quantization_formula, quantization_bit, quantization_scheme: as of `MinMaxObserver`.
        weight_quant_per_layer: one scale for the weight; otherwise one for each output channel.
        input_quant_momentum: of the `MovingAverageMinMaxObserver` of the input.

    Shape:
        (n, c, h, w) -> (n, out_channels, h', w'), as of `Conv2d`.

    Source: oneflow.nn.QatConv2d.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.QatConv2d(2, 4, 3)(flow.ones(1, 2, 8, 8)).shape
        tritonflow.Size([1, 4, 6, 6])
    """

    convolution = staticmethod(F.conv2d)


class QatConv3d(_QatConv, nn.Conv3d):
    """`Conv3d` of a quantized input and a quantized weight, for training that is aware of quantization.

    Args:
        in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias, padding_mode: as of `Conv3d`.
        quantization_formula, quantization_bit, quantization_scheme: as of `MinMaxObserver`.
        weight_quant_per_layer: one scale for the weight; otherwise one for each output channel.
        input_quant_momentum: of the `MovingAverageMinMaxObserver` of the input.

    Shape:
        (n, c, d, h, w) -> (n, out_channels, d', h', w'), as of `Conv3d`.

    Source: oneflow.nn.QatConv3d.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.QatConv3d(2, 4, 3)(flow.ones(1, 2, 4, 4, 4)).shape
        tritonflow.Size([1, 4, 2, 2, 2])
    """

    convolution = staticmethod(F.conv3d)


__all__ = [
    "FakeQuantization", "MinMaxObserver", "MovingAverageMinMaxObserver", "QatConv1d", "QatConv2d", "QatConv3d", "Quantization",
]  # fmt: skip

"""OneFlow's forms of functions that torch has, too: its order of arguments, its words for wrong ones."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import functor
from tritonflow.dtypes import bool_, int8, int32, int64, uint8
from tritonflow.errors import ArgumentTypeError, DTypeError, InvalidArgumentError, ShapeError
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.cast import cast
from tritonflow.functions.columns import pixel_shuffle_by
from tritonflow.functions.ctc import ctc_loss
from tritonflow.functions.index import one_hot
from tritonflow.functions.loss import cross_entropy, mse_loss
from tritonflow.functions.loss_elements import l1_loss, smooth_l1_loss
from tritonflow.functions.normalize import normalize
from tritonflow.functions.selection import where_scalars


@functor("CrossEntropyOrdered")
def cross_entropy_ordered(
    input: Tensor, target: Tensor, weight: Tensor | None, ignore_index: int, reduction: str, label_smoothing: float = 0.0,
) -> Any:  # fmt: skip
    return cross_entropy(input, target, weight, None, ignore_index, None, reduction, label_smoothing)


@functor("MseLossReduced")
def mse_loss_reduced(input: Tensor, target: Tensor, reduction: str) -> Any:
    return mse_loss(input, target, None, None, reduction)


@functor("L1LossReduced")
def l1_loss_reduced(input: Tensor, target: Tensor, reduction: str) -> Any:
    return l1_loss(input, target, None, None, reduction)


@functor("SmoothL1LossReduced")
def smooth_l1_loss_reduced(input: Tensor, target: Tensor, beta: float, reduction: str) -> Any:
    if input.meta.dtype is not target.meta.dtype:
        raise ArgumentTypeError(
            "input and target are expected to have the same dtype, but found"
            f" {input.meta.dtype} and {target.meta.dtype}"
        )
    if input.meta.shape != target.meta.shape:
        raise ShapeError(f"The size of input {input.meta.shape} must match the size of target {target.meta.shape}")
    if beta < 0:
        raise InvalidArgumentError(f"beta must be greater than or equal to 0, but got {beta}")
    return smooth_l1_loss(input, target, None, None, reduction, beta)


@functor("CtcLossOrdered")
def ctc_loss_ordered(
    log_probs: Tensor, targets: Tensor, input_lengths: Any, target_lengths: Any, max_target_length: int, blank: int,
    zero_infinity: bool, reduction: str,
) -> Any:  # fmt: skip
    """The longest target is not asked for: the lengths say it."""
    return ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, reduction, zero_infinity)


@functor("PixelShuffleOfBoth")
def pixel_shuffle_of_both(input: Tensor, h_upscale_factor: int, w_upscale_factor: int) -> Any:
    """A factor for the height, and one for the width."""
    if input.meta.ndim != 4:
        raise ShapeError("Only Accept 4D Tensor")
    if min(h_upscale_factor, w_upscale_factor) <= 0:
        raise InvalidArgumentError(
            f"pixel_shuffle expects positive upscale factors, but got {h_upscale_factor} and {w_upscale_factor}"
        )
    if input.meta.shape[1] % (h_upscale_factor * w_upscale_factor):
        raise ShapeError(
            "The channels of input tensor must be divisible by (upscale_factor * upscale_factor) or"
            " (h_upscale_factor * w_upscale_factor)"
        )
    return pixel_shuffle_by(input, h_upscale_factor, w_upscale_factor)


@functor("OneHotValues")
def one_hot_values(input: Tensor, num_classes: int = -1, on_value: Any = 1, off_value: Any = 0) -> Any:
    """Numbers for a label's place and for the others; floating if one of them is."""
    if input.meta.dtype not in (int8, uint8, int32, int64):
        raise DTypeError("one_hot is only applicable to index tensor.")
    return where_scalars(cast(one_hot(cast(input, int64), num_classes), bool_), on_value, off_value)


@functor("NormalizeChosen")
def normalize_chosen(
    input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12, use_l2_norm_kernel: bool = True
) -> Any:
    """OneFlow's choice between two kernels, of which there is one here."""
    ndim = input.meta.ndim
    axis = dim + ndim if dim < 0 else dim
    if axis < 0:
        raise InvalidArgumentError(f"Axis should >=0 but axis is {axis} now.")
    if axis >= ndim:
        raise InvalidArgumentError(f"Axis should < {ndim} but axis is {axis} now.")
    return normalize(input, p, (axis,), eps)

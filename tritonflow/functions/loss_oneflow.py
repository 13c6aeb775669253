"""OneFlow's forms of losses that torch has, too: its order of arguments, its words for wrong ones."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import functor
from tritonflow.errors import ArgumentTypeError, InvalidArgumentError, ShapeError
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.loss import cross_entropy, mse_loss
from tritonflow.functions.loss_ctc import ctc_loss
from tritonflow.functions.loss_elements import l1_loss, smooth_l1_loss


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

"""Functors of losses of pairs of elements: a pointwise op, a weight where one is given, and a reduction."""

from __future__ import annotations

import math
import warnings
from typing import Any

from tritonflow.binding.library import function, functor
from tritonflow.dtypes import promote_types
from tritonflow.errors import ArgumentTypeError, ArgumentValueError, InvalidArgumentError, ShapeError, type_name
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.arithmetic import add, scalar_add, scalar_sub_reversed, sub
from tritonflow.functions.creation_like import full_like
from tritonflow.functions.elementwise import clamp_min
from tritonflow.functions.elementwise_selection import where_scalar_x, where_scalar_y
from tritonflow.functions.generated import abs as abs_of
from tritonflow.functions.generated import div, exp, log, logical_and, mul, scalar_ge, scalar_gt, scalar_le, scalar_mul
from tritonflow.functions.loss import check_reduction, check_weight, named_reduction, reduced, warn_of_sizes, weighted
from tritonflow.functions.reduction import any as any_of
from tritonflow.functions.reduction import sum as total_of
from tritonflow.functions.reduction_statistics import aminmax
from tritonflow.functions.value_checks import require_all
from tritonflow.functions.view import expand, unsqueeze
from tritonflow.interpreter.choice import all_examples
from tritonflow.interpreter.dispatch import dispatch, dispatch2
from tritonflow.interpreter.grad_mode import no_grad
from tritonflow.ops.dtype_rules import require
from tritonflow.ops.elementwise import broadcast_shapes

_l1_distance = op_expr("l1_distance")
_smooth_l1_distance = op_expr("smooth_l1_distance")
_huber_distance = op_expr("huber_distance")
_binary_entropy = op_expr("binary_entropy")
_binary_entropy_of_logits = op_expr("binary_entropy_of_logits")
_weighted_binary_entropy_of_logits = op_expr("weighted_binary_entropy_of_logits")
_divergence = op_expr("divergence")
_divergence_of_logarithm = op_expr("divergence_of_logarithm")
_soft_margin = op_expr("soft_margin")


def _require_floating(name: str, input: Tensor, target: Tensor) -> None:
    require(name, "floating", promote_types(input.meta.dtype, target.meta.dtype), "input", "target")


@functor("L1Loss")
def l1_loss(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean",
    weight: Tensor | None = None,
) -> Any:  # fmt: skip
    reduction = named_reduction(size_average, reduce, reduction)
    warn_of_sizes(input, target)
    if input.meta.dtype.is_complex or target.meta.dtype.is_complex:
        return weighted(abs_of(sub(input, target)), input, weight, reduction)
    return weighted(dispatch2(_l1_distance, input, target), input, weight, reduction)


@functor("SmoothL1Loss")
def smooth_l1_loss(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean",
    beta: float = 1.0,
) -> Any:  # fmt: skip
    reduction = named_reduction(size_average, reduce, reduction)
    warn_of_sizes(input, target)
    _require_floating("smooth_l1_loss", input, target)
    if beta < 0:
        raise InvalidArgumentError("smooth_l1_loss does not support negative values for beta.")
    if beta == 0:
        return reduced(dispatch2(_l1_distance, input, target), reduction)
    return reduced(dispatch(_smooth_l1_distance, (input, target), (), (float(beta),)), reduction)


@functor("HuberLoss")
def huber_loss(
    input: Tensor, target: Tensor, reduction: str = "mean", delta: float = 1.0, weight: Tensor | None = None
) -> Any:
    check_reduction(reduction)
    warn_of_sizes(input, target)
    _require_floating("huber_loss", input, target)
    if delta <= 0:
        raise InvalidArgumentError("huber_loss does not support non-positive values for delta.")
    loss = dispatch(_huber_distance, (input, target), (), (float(delta),))
    if weight is None:
        return reduced(loss, reduction)
    check_weight(input, weight)
    return reduced(mul(loss, weight), reduction)


@functor("BinaryCrossEntropy")
def binary_cross_entropy(
    input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: bool | None = None, reduce: bool | None = None,
    reduction: str = "mean",
) -> Any:  # fmt: skip
    """Outside [0, 1] a number is refused on CPUs; where nobody may wait for the numbers, the loss is NaN."""
    reduction = named_reduction(size_average, reduce, reduction)
    if input.meta.shape != target.meta.shape:
        raise ArgumentValueError(
            f"Using a target size ({target.shape}) that is different to the input size ({input.shape}) is deprecated. Please ensure"
            " they have the same size."
        )
    _refuse_outside("input", input)
    _refuse_outside("target", target)
    loss = dispatch2(_binary_entropy, input, target)
    if weight is not None:
        loss = mul(loss, expand(weight, broadcast_shapes([weight.meta.shape, target.meta.shape])))
    return reduced(loss, reduction)


def _refuse_outside(name: str, x: Tensor) -> None:
    """Refuse probabilities outside [0, 1], as torch does on CPUs."""
    if not x.meta.is_local or x.meta.device.type != "cpu" or not x.meta.numel:
        return
    with no_grad():
        least, most = aminmax(all_examples(x))
        inside = logical_and(scalar_ge(least, 0), scalar_le(most, 1))
        require_all(inside, InvalidArgumentError(f"all elements of {name} should be between 0 and 1"))


@functor("BinaryCrossEntropyWithLogits")
def binary_cross_entropy_with_logits(
    input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: bool | None = None, reduce: bool | None = None,
    reduction: str = "mean", pos_weight: Tensor | None = None,
) -> Any:  # fmt: skip
    reduction = named_reduction(size_average, reduce, reduction)
    if input.meta.shape != target.meta.shape:
        raise ArgumentValueError(f"Target size ({target.shape}) must be the same as input size ({input.shape})")
    if pos_weight is None:
        loss = dispatch2(_binary_entropy_of_logits, input, target)
    else:
        loss = dispatch(_weighted_binary_entropy_of_logits, (input, target, pos_weight))
    return reduced(loss if weight is None else mul(loss, weight), reduction)


@functor("KlDiv")
def kl_div(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean",
    log_target: bool = False,
) -> Any:  # fmt: skip
    """'batchmean' divides the sum by the first size, which is what the divergence is defined as."""
    reduction = named_reduction(size_average, reduce, reduction, "batchmean")
    if reduction == "mean":
        warnings.warn(
            "reduction: 'mean' divides the total loss by both the batch size and the support size.'batchmean' divides only by the"
            " batch size, and aligns with the KL div math definition.'mean' will be changed to behave the same as 'batchmean' in"
            " the next major release.",
            stacklevel=4,
        )
    loss = dispatch2(_divergence_of_logarithm if log_target else _divergence, input, target)
    if reduction == "batchmean":
        total = total_of(loss)
        if not input.meta.ndim:
            return total
        return scalar_mul(total, 1.0 / input.meta.shape[0] if input.meta.shape[0] else math.nan)
    return reduced(loss, reduction)


@function(
    "Tensor (Tensor input, Tensor target, Bool log_input=True, Bool full=False, Bool size_average=None, Double eps=1e-8, "
    "Bool reduce=None, String reduction='mean')",
    export="nn.functional", reference="torch.nn.functional.poisson_nll_loss", samples="poisson_nll_loss", tolerance="norm",
    autocast="float32",
)
def poisson_nll_loss(
    input: Tensor, target: Tensor, log_input: bool = True, full: bool = False, size_average: bool | None = None,
    eps: float = 1e-8, reduce: bool | None = None, reduction: str = "mean",
) -> Any:  # fmt: skip
    """exp(input) - target * input, or input - target * log(input + eps), with Stirling's formula if full.

    The negative log-likelihood of a Poisson distribution without its constant log(target!), which full
    approximates for targets greater than 1: target * log(target) - target + 0.5 * log(2 * pi * target).

    Args:
        input: the rate, or its logarithm.
        target: the counts.
        log_input: whether the input is the logarithm of the rate.
        full: whether the approximation of the constant is added.
        size_average: deprecated, see `reduction`.
        eps: what is added to a rate before its logarithm.
        reduce: deprecated, see `reduction`.
        reduction: `"mean"` or `"sum"` of the elements, or `"none"`.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape, the same -> (); the same with reduction="none".

    Under `flow.autocast` it computes in float32.

    Raises:
        ValueError: another reduction.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.poisson_nll_loss.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.poisson_nll_loss(flow.tensor([0.0]), flow.tensor([2.0]))
        tensor(1.)
        >>> F.poisson_nll_loss(flow.tensor([3.0]), flow.tensor([2.0]), log_input=False)
        tensor(0.8028)
    """
    # full: with Stirling's approximation of log(target!) for targets greater than 1.
    reduction = named_reduction(size_average, reduce, reduction)
    if log_input:
        loss = sub(exp(input), mul(target, input))
    else:
        loss = sub(input, mul(target, log(scalar_add(input, eps))))
    if full:
        stirling = add(sub(mul(target, log(target)), target), scalar_mul(log(scalar_mul(target, 2 * math.pi)), 0.5))
        loss = add(loss, where_scalar_x(scalar_le(target, 1), 0.0, stirling))
    return reduced(loss, reduction)


@function(
    "Tensor (Tensor input, Tensor target, PyObject var, Bool full=False, Double eps=1e-6, String reduction='mean')",
    export="nn.functional", reference="torch.nn.functional.gaussian_nll_loss", samples="gaussian_nll_loss", tolerance="norm",
)
def gaussian_nll_loss(
    input: Tensor, target: Tensor, var: Any, full: bool = False, eps: float = 1e-6, reduction: str = "mean"
) -> Any:
    """0.5 * (log(var) + (input - target) ** 2 / var), a variance counts as eps at least.

    The negative log-likelihood of normal distributions, without 0.5 * log(2 * pi) unless full. The
    gradient of a variance below eps is that of eps.

    Args:
        input: the means.
        target: of the input's shape.
        var: the variances: a tensor of the input's shape, with 1 as last size or without the last
            dimension; or a number.
        full: whether 0.5 * log(2 * pi) is added.
        eps: the least variance.
        reduction: `"mean"` or `"sum"` of the elements, or `"none"`.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape, the same, the same -> (); the same with reduction="none".

    Raises:
        ValueError: another reduction, a negative variance, or variances of a shape that does not fit.
        TypeError: var is neither a tensor nor a float; an argument has the wrong type, or there is no such
            argument.

    Source: torch.nn.functional.gaussian_nll_loss.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> x, y = flow.tensor([0.0, 0.0]), flow.tensor([1.0, 2.0])
        >>> F.gaussian_nll_loss(x, y, flow.tensor([1.0, 4.0]), reduction="none")
        tensor([0.5000, 1.1931])
    """
    # The gradient of a variance below eps is that of eps.
    require("gaussian_nll_loss", "floating", input.meta.dtype, "input")
    if isinstance(var, float):
        if var < 0:
            raise ArgumentValueError("var has negative entry/entries")
        var = full_like(input, var)
    elif not isinstance(var, Tensor):
        raise ArgumentTypeError(
            f"gaussian_nll_loss(): argument 'var' must be a tensor or a float, not {type_name(var)}"
        )
    elif any_of(scalar_gt(scalar_mul(var, -1), 0)).item():
        raise ArgumentValueError("var has negative entry/entries")
    check_reduction(reduction)
    var = _beside(var, input.meta.shape)
    with no_grad():
        raised = sub(clamp_min(var, eps), var)
    var = add(var, raised)
    difference = sub(input, target)
    loss = scalar_mul(add(log(var), div(mul(difference, difference), var)), 0.5)
    return reduced(scalar_add(loss, 0.5 * math.log(2 * math.pi)) if full else loss, reduction)


def _beside(var: Tensor, shape: tuple[int, ...]) -> Tensor:
    """A variance for each element, or one for each but the last dimension, so that it broadcasts."""
    given = var.meta.shape
    if given == shape:
        return var
    if given == shape[:-1]:
        return unsqueeze(var, -1)
    if len(given) == len(shape) and sum(v for s, v in zip(shape, given) if s != v) == 1:
        return var
    raise ArgumentValueError("var is of incorrect size")


@function(
    "Tensor (Tensor input, Tensor target, Double margin=1.0, Bool size_average=None, Bool reduce=None, String "
    "reduction='mean')",
    export="nn.functional", reference="torch.nn.functional.hinge_embedding_loss", samples="signed_loss",
    tolerance="reduction", autocast="float32",
)
def hinge_embedding_loss(
    input: Tensor, target: Tensor, margin: float = 1.0, size_average: bool | None = None, reduce: bool | None = None,
    reduction: str = "mean",
) -> Any:  # fmt: skip
    """input where target is 1, max(margin - input, 0) where it is -1.

    For distances of pairs that should be near (1) or apart (-1).

    Args:
        input: distances.
        target: 1 or -1 for each.
        margin: from which distance on a pair is far enough apart.
        size_average: deprecated, see `reduction`.
        reduce: deprecated, see `reduction`.
        reduction: `"mean"` or `"sum"` of the elements, or `"none"`.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape, the same -> (); the same with reduction="none".

    Under `flow.autocast` it computes in float32.

    Raises:
        ValueError: another reduction.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.hinge_embedding_loss.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.hinge_embedding_loss(flow.tensor([0.5, 0.5]), flow.tensor([1.0, -1.0]), margin=2.0, reduction="none")
        tensor([0.5000, 1.5000])
    """
    reduction = named_reduction(size_average, reduce, reduction)
    require("hinge_embedding_loss", "floating", input.meta.dtype, "input")
    hinge = clamp_min(scalar_sub_reversed(margin, input), 0)
    apart = where_scalar_y(target != 1, hinge, 0)
    near = where_scalar_y(target != -1, input, 0)
    return reduced(add(apart, near), reduction)


@functor("SoftMarginLoss")
def soft_margin_loss(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean"
) -> Any:
    reduction = named_reduction(size_average, reduce, reduction)
    return reduced(dispatch2(_soft_margin, input, target), reduction)


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

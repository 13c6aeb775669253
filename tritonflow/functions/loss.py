"""Functors of losses: cross entropy and nll_loss of class indices, mean squared error.

Class indices go to one fused kernel each. Class probabilities, and the second derivative of cross entropy, are written as
compositions, which autograd records op by op.
"""

from __future__ import annotations

import warnings
from typing import Any

from tritonflow.binding.library import function, functor
from tritonflow.dtypes import DType, int64, promote_types, uint8
from tritonflow.errors import ArgumentValueError, DTypeError, InvalidArgumentError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.arithmetic import scalar_add, sub
from tritonflow.functions.cast import cast
from tritonflow.functions.elementwise_selection import where_scalar_y
from tritonflow.functions.generated import div, mul, scalar_div, scalar_mul, scalar_ne
from tritonflow.functions.reduction import mean
from tritonflow.functions.reduction import sum as total_of
from tritonflow.functions.softmax import log_softmax, log_softmax_grad
from tritonflow.functions.unary import negative
from tritonflow.functions.view import expand, reshape, select, unsqueeze
from tritonflow.interpreter.dispatch import dispatch
from tritonflow.interpreter.grad_mode import is_grad_enabled
from tritonflow.ops.dtype_rules import require
from tritonflow.ops.loss import REDUCTIONS

_cross_entropy = op_expr("cross_entropy")
_cross_entropy_grad = op_expr("cross_entropy_grad")
_nll_loss = op_expr("nll_loss")
_nll_loss_grad = op_expr("nll_loss_grad")


def check_reduction(reduction: str) -> None:
    """Raises ValueError unless it is none, mean or sum."""
    if reduction not in REDUCTIONS:
        raise ArgumentValueError(
            f"{reduction} is not a valid value for reduction. Reduction should be none, sum or mean."
        )


def named_reduction(size_average: bool | None, reduce: bool | None, reduction: str, *others: str) -> str:
    """The reduction that is asked for, or that torch's older arguments mean; `others` are known besides none, mean and sum."""
    if size_average is not None or reduce is not None:
        reduction = "none" if reduce is False else "sum" if size_average is False else "mean"
        warnings.warn(
            f"size_average and reduce args will be deprecated, please use reduction='{reduction}' instead.",
            stacklevel=4,
        )
    if reduction not in others:
        check_reduction(reduction)
    return reduction


def reduced(loss: Tensor, reduction: str) -> Any:
    """The loss per element, its mean, or its sum."""
    if reduction == "none":
        return loss
    return mean(loss) if reduction == "mean" else total_of(loss)


def warn_of_sizes(input: Tensor, target: Tensor) -> None:
    """torch's warning where the two broadcast."""
    if input.meta.shape != target.meta.shape:
        warnings.warn(
            f"Using a target size ({target.shape}) that is different to the input size ({input.shape}). This will likely lead to"
            " incorrect results due to broadcasting. Please ensure they have the same size.",
            stacklevel=4,
        )


def check_weight(input: Tensor, weight: Tensor) -> None:
    """Raises ValueError unless it has the input's shape."""
    if weight.meta.shape != input.meta.shape:
        raise ArgumentValueError("Weights and input must have the same size.")


def weighted(loss: Tensor, input: Tensor, weight: Tensor | None, reduction: str) -> Any:
    """The reduced loss; with weights the mean divides by their sum."""
    if weight is None:
        return reduced(loss, reduction)
    check_weight(input, weight)
    loss = mul(loss, weight)
    return div(total_of(loss), total_of(weight)) if reduction == "mean" else reduced(loss, reduction)


def as_classes(target: Tensor) -> Any:
    """Bytes as numbers that may also be negative, as those are that are ignored."""
    return cast(target, int64) if target.meta.dtype is uint8 else target


def check_classes(input: Tensor, target: Tensor, weight: Tensor | None) -> None:
    x, t = input.meta, target.meta
    if t.dtype.is_floating_point or (t.dtype.itemsize < 4 and t.dtype is not uint8):
        raise DTypeError(f"expected scalar type Long but found {t.dtype.name.capitalize()}")
    if x.ndim == 0:
        raise ShapeError("input should have at least one dimension")
    if x.ndim == 1:
        if t.ndim != 0:
            raise ShapeError(f"For 1D input, 1D or 0D target is expected, but got {t.ndim}D target")
        return
    if t.ndim == 0 or x.shape[0] != t.shape[0]:
        batch = t.shape[0] if t.ndim else 1
        raise ArgumentValueError(f"Expected input batch_size ({x.shape[0]}) to match target batch_size ({batch}).")
    if t.shape[1:] != x.shape[2:]:
        expected = (x.shape[0], *x.shape[2:])
        raise ShapeError(f"Expected target size {list(expected)}, got {list(t.shape)}")
    if weight is not None and weight.meta.shape != (x.shape[1],):
        raise ShapeError(
            f"weight tensor should be defined either for all {x.shape[1]} classes or no classes but got weight tensor of"
            f" shape: {list(weight.meta.shape)}"
        )


def _batched(input: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
    """A single sample as a batch of one."""
    if input.meta.ndim > 1:
        return input, target
    return unsqueeze(input, 0), reshape(target, (1,))


def _single(loss: Tensor, input: Tensor) -> Any:
    return reshape(loss, ()) if input.meta.ndim == 1 and loss.meta.ndim else loss


def _widened(x: Tensor | None, dtype: DType | None) -> Any:
    """A tensor of a half type in a wider dtype, if one is given."""
    return x if x is None or dtype is None or x.meta.dtype.itemsize >= dtype.itemsize else cast(x, dtype)


def check_ignored(op: str, ignore_index: int) -> None:
    if not -(1 << 63) <= ignore_index < 1 << 63:
        raise ArgumentValueError(f"{op}(): argument 'ignore_index' must fit int64, but got {ignore_index}")


@functor("NLLLoss")
def nll_loss(
    input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: bool | None = None, ignore_index: int = -100,
    reduce: bool | None = None, reduction: str = "mean",
) -> Any:  # fmt: skip
    reduction = named_reduction(size_average, reduce, reduction)
    check_classes(input, target, weight)
    x, t = _batched(input, as_classes(target))
    check_ignored("nll_loss", ignore_index)
    return _single(dispatch(_nll_loss, (x, t, weight), (reduction, ignore_index))[0], input)


@functor("NLLLossGrad")
def nll_loss_grad(
    grad: Tensor,
    target: Tensor,
    totals: Tensor,
    weight: Tensor | None,
    shape: tuple[int, ...],
    reduction: str,
    ignore_index: int,
) -> Any:
    return dispatch(_nll_loss_grad, (grad, target, totals, weight), (shape, reduction, ignore_index))


@functor("CrossEntropy")
def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    ignore_index: int = -100,
    reduce: bool | None = None,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
    dtype: DType | None = None,
) -> Any:
    """dtype: of the result, where the input's is a half type; the kernel computes in float32 anyway."""
    reduction = named_reduction(size_average, reduce, reduction)
    if not 0.0 <= label_smoothing <= 1.0:
        raise ArgumentValueError(f"label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing}")
    if target.meta.dtype.is_floating_point:
        input, target, weight = (_widened(x, dtype) for x in (input, target, weight))
        return _cross_entropy_of_probabilities(input, target, weight, reduction, label_smoothing)
    check_classes(input, target, weight)
    x, t = _batched(input, as_classes(target))
    check_ignored("cross_entropy", ignore_index)
    result = dtype if dtype is not None and input.meta.dtype.itemsize < dtype.itemsize else None
    attrs = (reduction, ignore_index, label_smoothing > 0, result)
    return _single(dispatch(_cross_entropy, (x, t, weight), attrs, (float(label_smoothing),))[0], input)


def _cross_entropy_of_probabilities(
    input: Tensor, target: Tensor, weight: Tensor | None, reduction: str, smoothing: float
) -> Any:
    """-sum_c w[c] target[c] log_softmax(input)[c]; `mean` divides by the number of samples."""
    if input.meta.shape != target.meta.shape:
        raise InvalidArgumentError(
            "Expected floating point type for target with class probabilities, with the shape of the input,"
            f" {list(input.meta.shape)}, but got a target of dtype {target.meta.dtype.name} and shape {list(target.meta.shape)}:"
            " class indices are int64"
        )
    dim = 0 if input.meta.ndim == 1 else 1
    classes = input.meta.shape[dim]
    if smoothing > 0:
        target = scalar_add(scalar_mul(target, 1 - smoothing), smoothing / classes)
    product = mul(log_softmax(input, dim), target)
    if weight is not None:
        product = mul(product, reshape(weight, _class_shape(input, dim)))
    if reduction == "none":
        return negative(total_of(product, (dim,)))
    total = negative(total_of(product))
    return total if reduction == "sum" else scalar_div(total, input.meta.numel // max(classes, 1))


def _class_shape(input: Tensor, dim: int) -> tuple[int, ...]:
    return tuple(-1 if d == dim else 1 for d in range(input.meta.ndim))


@functor("CrossEntropyGrad")
def cross_entropy_grad(
    grad: Tensor,
    input: Tensor,
    target: Tensor,
    largest: Tensor,
    log_sum: Tensor,
    totals: Tensor,
    weight: Tensor | None,
    reduction: str,
    ignore_index: int,
    smooth: bool,
    label_smoothing: float,
) -> Any:
    if not is_grad_enabled():
        attrs = (reduction, ignore_index, smooth)
        inputs = (grad, input, target, largest, log_sum, totals, weight)
        return dispatch(_cross_entropy_grad, inputs, attrs, (label_smoothing,))
    return recorded_gradient(grad, input, target, totals, weight, reduction, ignore_index, label_smoothing)


def recorded_gradient(
    grad: Tensor,
    input: Tensor,
    target: Tensor,
    totals: Tensor,
    weight: Tensor | None,
    reduction: str,
    ignore_index: int,
    smoothing: float,
) -> Any:
    """The same gradient as a composition that can be differentiated again: through nll_loss, then log_softmax."""
    input = _widened(input, grad.meta.dtype)
    logp = log_softmax(input, 1)
    d_logp = nll_loss_grad(grad, target, totals, weight, input.meta.shape, reduction, ignore_index)
    if smoothing > 0:
        per_row = div(grad, select(totals, 0, 1)) if reduction == "mean" else grad
        counted = scalar_ne(target, ignore_index)
        spread = unsqueeze(where_scalar_y(counted, expand(per_row, target.meta.shape), 0.0), 1)
        if weight is not None:
            spread = mul(spread, reshape(weight, _class_shape(input, 1)))
        share = smoothing / input.meta.shape[1]
        d_logp = sub(scalar_mul(d_logp, 1 - smoothing), scalar_mul(spread, share))
    return log_softmax_grad(d_logp, logp, 1)


@function(
    "Tensor (Tensor input, Tensor target, Bool size_average=None, Bool reduce=None, String reduction='mean', Tensor "
    "weight=None)",
    "Tensor (Tensor input, Tensor target, String reduction) => MseLossReduced",
    export="nn.functional", reference="torch.nn.functional.mse_loss", samples="loss", tolerance="reduction",
    autocast="float32",
)
def mse_loss(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean",
    weight: Tensor | None = None,
) -> Any:  # fmt: skip
    """(input - target) ** 2.

    The mean of squared errors; with weights the sum of weight * error ** 2 over the sum of the weights.
    A warning says that the two shapes broadcast, where they differ.

    Overloads:
        - `mse_loss(input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None,
          reduction: str = 'mean', weight: Tensor | None = None) -> Tensor`
        - `mse_loss(input: Tensor, target: Tensor, reduction: str) -> Tensor`

    Args:
        input: the input.
        target: of the input's shape.
        size_average: deprecated, see `reduction`.
        reduce: deprecated, see `reduction`.
        reduction: `"mean"` or `"sum"` of the elements, or `"none"`.
        weight: a factor for each element, of the input's shape.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape, the same -> (); the same with reduction="none".

    Under `flow.autocast` it computes in float32.

    Raises:
        ValueError: another reduction, or weights of another shape.
        RuntimeError: both are integers.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.mse_loss.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> x, y = flow.tensor([1.0, 2.0]), flow.tensor([1.0, 4.0])
        >>> F.mse_loss(x, y), F.mse_loss(x, y, reduction="sum")
        (tensor(2.), tensor(4.))
    """
    reduction = named_reduction(size_average, reduce, reduction)
    warn_of_sizes(input, target)
    if not (input.meta.dtype.is_floating_point or target.meta.dtype.is_floating_point):
        require("mse_loss", "floating", promote_types(input.meta.dtype, target.meta.dtype), "input", "target")
    difference = sub(input, target)
    return weighted(mul(difference, difference), input, weight, reduction)


@functor("CrossEntropyOrdered")
def cross_entropy_ordered(
    input: Tensor, target: Tensor, weight: Tensor | None, ignore_index: int, reduction: str, label_smoothing: float = 0.0,
) -> Any:  # fmt: skip
    return cross_entropy(input, target, weight, None, ignore_index, None, reduction, label_smoothing)


@functor("MseLossReduced")
def mse_loss_reduced(input: Tensor, target: Tensor, reduction: str) -> Any:
    return mse_loss(input, target, None, None, reduction)

"""Functors of the cross entropy of a linear map: in chunks of rows, or as a composition.

Class indices of a matrix go to ops that never hold all logits. Class probabilities and weights with more than two dimensions are
compositions, and so is the gradient where a second one is wanted.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from tritonflow.binding.library import function, functor
from tritonflow.dtypes import float32, float64
from tritonflow.errors import ArgumentValueError, InvalidArgumentError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.arithmetic import add, scalar_rsub
from tritonflow.functions.cast import cast
from tritonflow.functions.elementwise_selection import where_scalar_y
from tritonflow.functions.generated import (
    div,
    mean_of_losses,
    mul,
    scalar_div,
    scalar_mul,
    scalar_ne,
    tanh,
)
from tritonflow.functions.loss import (
    as_classes,
    check_classes,
    check_ignored,
    check_reduction,
    cross_entropy,
    recorded_gradient,
    reduced,
)
from tritonflow.functions.matmul import HALVES, check_same_dtype, linear, matmul
from tritonflow.functions.reduction import logsumexp
from tritonflow.functions.reduction import sum as total_of
from tritonflow.functions.softmax import softmax
from tritonflow.functions.view import expand, reshape, select, unsqueeze
from tritonflow.interpreter import autocast
from tritonflow.interpreter.dispatch import dispatch
from tritonflow.interpreter.engine import current_backward
from tritonflow.interpreter.grad_mode import is_grad_enabled
from tritonflow.interpreter.recording import wants_gradient
from tritonflow.thread_state import thread_state

_chunked = op_expr("chunked_cross_entropy")
_chunked_grad = op_expr("chunked_cross_entropy_grad")


class _Row(NamedTuple):
    """What the loss of a row is made of.

    Attributes:
        weight: of the classes.
        ignore_index: a class that does not count.
        smoothing: how much of the target is spread over all classes.
        softcap: the bound of logits, 0.0 for none.
        square: the scale of the z-loss.
    """

    weight: Tensor | None
    ignore_index: int
    smoothing: float
    softcap: float
    square: float

    @property
    def flags(self) -> tuple[bool, bool, bool]:
        """Whether it is smoothed, capped, and has a z-loss."""
        return self.smoothing > 0, self.softcap != 0, self.square != 0

    @property
    def numbers(self) -> tuple[float, float, float]:
        """As the kernels take them."""
        return float(self.smoothing), float(self.softcap), float(self.square)


def _as_they_are(input: Tensor, linear_weight: Tensor, linear_bias: Tensor | None) -> Any:
    return input, linear_weight, linear_bias


_lowered = autocast.with_casts(_as_they_are, "lower")


@function(
    "Any (Tensor input, Tensor linear_weight, Tensor target, *, Tensor linear_bias=None, Tensor weight=None, String "
    "reduction='mean', Int64 ignore_index=None, Double label_smoothing=0.0, PyObject options=None, Double softcap=None, "
    "Double lse_square_scale=0.0, Bool return_z_loss=False, PyObject num_items_in_batch=None)",
    export="nn.functional", reference="torch.nn.functional.linear_cross_entropy", samples="linear_cross_entropy",
    tolerance="matmul",
)
def linear_cross_entropy(
    input: Tensor, linear_weight: Tensor, target: Tensor, linear_bias: Tensor | None = None, weight: Tensor | None = None,
    reduction: str = "mean", ignore_index: int | None = None, label_smoothing: float = 0.0, options: Any = None,
    softcap: float | None = None, lse_square_scale: float = 0.0, return_z_loss: bool = False, num_items_in_batch: Any = None,
) -> Any:  # fmt: skip
    """The cross entropy of linear(input, linear_weight).

    The last layer of a classifier and its loss in one call. With class indices the logits of a chunk of rows
    are made, used and overwritten, one chunk after the other: (N, C) numbers are never held. With "mean" and
    "sum" the gradients are made in the same pass. Sums are in float32 for half types.

        x = softcap * tanh(logits / softcap)
        loss of a row = cross entropy of x + lse_square_scale * logsumexp(x) ** 2

    Args:
        input: features.
        linear_weight: (classes, features), or (classes, d1, ..., features).
        target: class indices, or class probabilities.
        linear_bias: a number for each row of the weight.
        weight: a factor for each class.
        reduction: `"mean"` or `"sum"` of the elements, or `"none"`.
        ignore_index: a class index whose samples do not count; default -100.
        label_smoothing: how much of the target is spread evenly over all classes, 0 to 1.
        options: how torch splits the work; here a rule does, and they change nothing.
        softcap: a bound that logits approach, as in Gemma 2.
        lse_square_scale: the factor of the z-loss, as in PaLM; a mean divides that by the number of samples.
        return_z_loss: whether the z-loss is returned beside the loss, without a gradient.
        num_items_in_batch: by what a mean divides, a number or a tensor, as where a batch is accumulated.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, D), (C, D), (N) -> (); (N) with reduction="none".

    Raises:
        ValueError: another reduction, a label_smoothing outside 0 to 1, a softcap that is not above 0, or
            num_items_in_batch without a mean.
        RuntimeError: shapes that do not fit, or ignore_index with class probabilities.
        IndexError: a class index that is neither in 0 to C - 1 nor ignore_index.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.linear_cross_entropy.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> x, weight = flow.tensor([[1.0, 2.0]]), flow.eye(2)
        >>> F.linear_cross_entropy(x, weight, flow.tensor([1]))
        tensor(0.3133)
        >>> F.cross_entropy(F.linear(x, weight), flow.tensor([1]))
        tensor(0.3133)
        >>> F.linear_cross_entropy(x, weight, flow.tensor([1]), softcap=1.0, lse_square_scale=0.1, return_z_loss=True)
        (tensor(0.8407), tensor(0.2437))
    """
    check_reduction(reduction)
    if not 0.0 <= label_smoothing <= 1.0:
        raise ArgumentValueError(f"label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing}")
    if softcap is not None and not softcap > 0:
        raise ArgumentValueError(f"linear_cross_entropy(): softcap must be above 0, but got {softcap}")
    if num_items_in_batch is not None and reduction != "mean":
        raise ArgumentValueError(f"linear_cross_entropy(): num_items_in_batch is for a mean, not for reduction '{reduction}'")
    _check_shapes(input, linear_weight, target, ignore_index)
    check_ignored("linear_cross_entropy", -100 if ignore_index is None else ignore_index)
    input, linear_weight, linear_bias = _lowered(input, linear_weight, linear_bias)
    dtype = float32 if autocast.is_on() and input.meta.dtype in HALVES else input.meta.dtype
    row = _Row(weight, -100 if ignore_index is None else ignore_index, label_smoothing, softcap or 0.0, lse_square_scale)
    kind = "sum" if num_items_in_batch is not None else reduction
    loss_of = _of_chunks if _is_matrix(input, linear_weight, target, linear_bias, weight) else _composed
    losses = loss_of(input, linear_weight, target, linear_bias, row, kind)
    if num_items_in_batch is not None:
        divide = div if isinstance(num_items_in_batch, Tensor) else scalar_div
        losses = [divide(each, num_items_in_batch) for each in losses]
    loss, z_loss = [cast(each, dtype) for each in losses]
    return (loss, z_loss.detach()) if return_z_loss else loss


def _check_shapes(input: Tensor, linear_weight: Tensor, target: Tensor, ignore_index: int | None) -> None:
    if ignore_index is not None and target.meta.dtype.is_floating_point:
        raise InvalidArgumentError("ignore_index cannot be specified when target contains probabilities")
    if linear_weight.meta.ndim < 2:
        raise ShapeError(f"linear_weight must have at least 2 dimensions, but got shape {list(linear_weight.meta.shape)}")
    if linear_weight.meta.ndim > 2 and input.meta.ndim != 2:
        raise ShapeError(
            f"K-dimensional loss defined by linear_weight shape {list(linear_weight.meta.shape)} requires batched input,"
            f" (N, {linear_weight.meta.shape[-1]}), got input shape {list(input.meta.shape)}"
        )


def _is_matrix(x: Tensor, linear_weight: Tensor, target: Tensor, bias: Tensor | None, weight: Tensor | None) -> bool:
    """Whether the loss is of classes of the rows of a matrix, or of one row: the composition says what is wrong with others."""
    a, w, t = x.meta, linear_weight.meta, target.meta
    if w.ndim != 2 or a.ndim not in (1, 2) or a.shape[-1:] != w.shape[1:] or t.dtype.is_floating_point:
        return False
    dtype, floats = a.dtype, [each.meta.dtype for each in (linear_weight, bias) if each is not None]
    fits = t.shape == a.shape[:-1] and (bias is None or bias.meta.shape == w.shape[:1])
    weighted = weight is None or weight.meta.dtype in (*HALVES, float32, float64)
    return bool(
        fits and weighted and all(each is dtype for each in floats) and dtype in (*HALVES, float32, float64) and a.numel and w.numel
    )


def _of_chunks(x: Tensor, linear_weight: Tensor, target: Tensor, bias: Tensor | None, row: _Row, reduction: str) -> Any:
    """(loss, z-loss) without the logits of all rows."""
    single = x.meta.ndim == 1
    if single:
        x, target = unsqueeze(x, 0), reshape(target, (1,))
    target = as_classes(target)
    check_classes(x, target, None)
    if row.weight is not None and row.weight.meta.shape != linear_weight.meta.shape[:1]:
        classes, given = linear_weight.meta.shape[0], list(row.weight.meta.shape)
        raise ShapeError(
            f"weight tensor should be defined either for all {classes} classes or no classes but got weight tensor of"
            f" shape: {given}"
        )
    loss, z_loss, totals, *_ = chunked_cross_entropy(
        x, linear_weight, target, bias, row.weight, reduction, row.ignore_index, row.smoothing, row.softcap, row.square
    )
    if not row.square:
        z_loss = scalar_mul(loss.detach(), 0.0)
    if reduction == "mean":
        weights, count = select(totals, 0, 0), select(totals, 0, 1)
        loss, z_loss = mean_of_losses(loss, weights, count), mean_of_losses(z_loss, weights, count)
    return [reshape(each, ()) for each in (loss, z_loss)] if single else [loss, z_loss]


@functor("ChunkedCrossEntropy")
def chunked_cross_entropy(
    input: Tensor,
    linear_weight: Tensor,
    target: Tensor,
    linear_bias: Tensor | None,
    weight: Tensor | None,
    reduction: str,
    ignore_index: int,
    label_smoothing: float,
    softcap: float,
    lse_square_scale: float,
) -> Any:
    row = _Row(weight, ignore_index, label_smoothing, softcap, lse_square_scale)
    # Hooks may hold what is saved, or drop it, as checkpoints do: then the gradients are made in backward.
    recorded = reduction != "none" and is_grad_enabled() and not thread_state.saved_hooks
    wanted = [recorded and each is not None and wants_gradient(each) for each in (input, linear_weight, linear_bias)]
    inputs = (input, linear_weight, target, linear_bias, weight)
    return dispatch(_chunked, inputs, (reduction, ignore_index, *row.flags, *wanted), row.numbers)


@functor("ChunkedCrossEntropyGrad")
def chunked_cross_entropy_grad(
    grad: Tensor,
    input: Tensor,
    linear_weight: Tensor,
    target: Tensor,
    linear_bias: Tensor | None,
    weight: Tensor | None,
    input_grads: Tensor,
    weight_grads: Tensor,
    bias_grads: Tensor,
    totals: Tensor,
    reduction: str,
    ignore_index: int,
    smooth: bool,
    capped: bool,
    squared: bool,
    of_input: bool,
    of_weight: bool,
    of_bias: bool,
    label_smoothing: float,
    softcap: float,
    lse_square_scale: float,
) -> Any:
    wanted = (of_input, of_weight, of_bias)
    row = _Row(weight, ignore_index, label_smoothing, softcap, lse_square_scale)
    if is_grad_enabled():
        return _recorded_gradients(grad, input, linear_weight, target, linear_bias, row, totals, reduction, wanted)
    found = (input_grads, weight_grads, bias_grads)
    if all(each.meta.numel for each, want in zip(found, wanted) if want):
        return [_scaled(each, grad) if want else None for each, want in zip(found, wanted)]
    rows = grad if reduction == "none" else expand(grad, target.meta.shape)
    inputs = (rows, input, linear_weight, target, linear_bias, weight, _factor(row, totals, reduction))
    made = dispatch(_chunked_grad, inputs, (ignore_index, *row.flags, *wanted), row.numbers)
    return [each if want else None for each, want in zip(made, wanted)]


def _factor(row: _Row, totals: Tensor, reduction: str) -> Any:
    """By which z-losses are scaled, so that a division by the sum of weights makes the mean of them; None for 1."""
    scales = row.square and reduction == "mean" and row.weight is not None
    return div(select(totals, 0, 0), select(totals, 0, 1)) if scales else None


def _scaled(saved: Tensor, factor: Tensor) -> Any:
    """A saved gradient times a number: where it lies, if the node gives it up behind this backward."""
    run = current_backward()
    if run is None or run.retain_graph:
        return mul(saved, factor)
    result = mul(saved, factor, inplace=True)
    result._is_exposed = False
    return result


def _recorded_gradients(
    grad: Tensor,
    x: Tensor,
    linear_weight: Tensor,
    target: Tensor,
    bias: Tensor | None,
    row: _Row,
    totals: Tensor,
    reduction: str,
    wanted: tuple[bool, ...],
) -> Any:
    """The gradients by way of all logits, which can be differentiated again."""
    compute = grad.meta.dtype
    x, w = cast(x, compute), cast(linear_weight, compute)
    logits, slope = _capped(linear(x, w, None if bias is None else cast(bias, compute)), row.softcap)
    of_rows = expand(grad, target.meta.shape)
    d = recorded_gradient(of_rows, logits, target, totals, row.weight, "none", row.ignore_index, row.smoothing)
    if row.square:
        scale = _factor(row, totals, reduction)
        of_rows = of_rows if scale is None else mul(of_rows, scale)
        counted = where_scalar_y(scalar_ne(target, row.ignore_index), of_rows, 0.0)
        factor = mul(scalar_mul(counted, 2 * row.square), logsumexp(logits, (1,)))
        d = add(d, mul(softmax(logits, 1), unsqueeze(factor, 1)))
    if slope is not None:
        d = mul(d, slope)
    of_x, of_weight, of_bias = wanted
    return matmul(d, w) if of_x else None, matmul(d, x, True) if of_weight else None, total_of(d, (0,)) if of_bias else None


def _capped(logits: Tensor, softcap: float) -> tuple[Tensor, Tensor | None]:
    """The logits below their bound, and their derivative by those given."""
    if not softcap:
        return logits, None
    t = tanh(scalar_div(logits, softcap))
    return scalar_mul(t, softcap), scalar_rsub(mul(t, t), 1)


def _composed(x: Tensor, linear_weight: Tensor, target: Tensor, bias: Tensor | None, row: _Row, reduction: str) -> Any:
    """(loss, z-loss) by way of all logits; the weight is (classes, d1, ..., features), the logits (n, classes, d1, ...)."""
    *sizes, features = linear_weight.meta.shape
    flat = reshape(linear_weight, (-1, features)) if len(sizes) > 1 else linear_weight
    check_same_dtype(x, flat)
    logits = linear(x, flat, bias if bias is None or bias.meta.ndim == 1 else reshape(bias, (-1,)))
    if len(sizes) > 1:
        logits = reshape(logits, (*x.meta.shape[:-1], *sizes))
    logits, _ = _capped(logits, row.softcap)
    wide = logits.meta.dtype.compute
    loss = cross_entropy(logits, target, row.weight, None, row.ignore_index, None, reduction, row.smoothing, wide)
    if not row.square:
        return loss, scalar_mul(loss.detach(), 0.0)
    log_sum = logsumexp(cast(logits, wide), (0 if logits.meta.ndim == 1 else 1,))
    z = scalar_mul(mul(log_sum, log_sum), row.square)
    if target.meta.dtype.is_floating_point:
        z = reduced(z, reduction)
        return add(loss, z), z
    counted = scalar_ne(target, row.ignore_index)
    z = where_scalar_y(counted, z, 0.0)
    if reduction != "none":
        z = total_of(z)
    if reduction == "mean":
        z = div(z, total_of(cast(counted, wide)))
    return add(loss, z), z

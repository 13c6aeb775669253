"""The functor of ctc_loss: it checks lengths, and lays the targets into a matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow.binding.library import functor
from tritonflow.binding.new_tensors import tensor
from tritonflow.binding.target import beside
from tritonflow.dtypes import float32, float64, int32, int64
from tritonflow.errors import ArgumentTypeError, DTypeNotImplementedError, InvalidArgumentError, ShapeError, type_name
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.generated import div
from tritonflow.functions.index import index_select
from tritonflow.functions.loss import check_reduction, reduced
from tritonflow.functions.view import narrow, reshape, unsqueeze
from tritonflow.interpreter.dispatch import dispatch

_ctc_loss = op_expr("ctc_loss")


@functor("CtcLoss")
def ctc_loss(
    log_probs: Tensor, targets: Tensor, input_lengths: Any, target_lengths: Any, blank: int = 0, reduction: str = "mean",
    zero_infinity: bool = False,
) -> Any:  # fmt: skip
    check_reduction(reduction)
    if log_probs.meta.dtype not in (float32, float64):
        raise DTypeNotImplementedError(f"\"ctc_loss_cpu\" not implemented for '{log_probs.meta.dtype.name}'")
    if targets.meta.dtype not in (int32, int64):
        raise InvalidArgumentError(
            f"ctc_loss: expected targets of dtype int32 or int64, but got {targets.meta.dtype.name}"
        )
    if log_probs.meta.ndim == 2:
        batch = (unsqueeze(log_probs, 1), unsqueeze(targets, 0) if targets.meta.ndim == 1 else targets)
        return _single(_of_batch(*batch, input_lengths, target_lengths, blank, reduction, zero_infinity))
    if log_probs.meta.ndim != 3:
        raise ShapeError(f"ctc_loss: log_probs must have 2 or 3 dimensions, but got {log_probs.meta.ndim}")
    return _of_batch(log_probs, targets, input_lengths, target_lengths, blank, reduction, zero_infinity)


def _single(loss: Tensor) -> Any:
    return reshape(loss, ()) if loss.meta.ndim else loss


def _of_batch(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Any,
    target_lengths: Any,
    blank: int,
    reduction: str,
    zero_infinity: bool,
) -> Any:
    steps, samples, classes = log_probs.meta.shape
    if not 0 <= blank < classes:
        raise InvalidArgumentError("blank must be in label range")
    times = _lengths("input_lengths", input_lengths, samples, steps)
    counts = _lengths("target_lengths", target_lengths, samples, None)
    labels = _padded(targets, counts)
    place = beside(log_probs)
    time, count = (tensor(list(values), dtype=int64, **place) for values in (times, counts))
    loss = dispatch(_ctc_loss, (log_probs, labels, time, count), (blank, bool(zero_infinity)))[0]
    if reduction == "mean":
        loss = div(loss, tensor([max(n, 1) for n in counts], dtype=loss.meta.dtype, **place))
    return reduced(loss, reduction)


def _lengths(name: str, lengths: Any, samples: int, limit: int | None) -> tuple[int, ...]:
    """One length for each sample, as integers: the recursion needs the longest."""
    values = lengths.tolist() if isinstance(lengths, Tensor) else lengths
    values = [values] if isinstance(values, int) else values
    if not isinstance(values, Sequence) or not all(isinstance(v, int) for v in values):
        raise ArgumentTypeError(
            f"ctc_loss(): argument '{name}' must be a tensor or a tuple of ints, not {type_name(lengths)}"
        )
    if len(values) != samples:
        raise InvalidArgumentError(f"{name} must be of size batch_size")
    for index, value in enumerate(values):
        if value < 0:
            raise InvalidArgumentError(
                f"Expected {name} to have value at least 0, but got value {value} (while checking batch {index})"
            )
        if limit is not None and value > limit:
            raise InvalidArgumentError(
                f"Expected {name} to have value at most {limit}, but got value {value} (while checking batch {index})"
            )
    return tuple(values)


def _padded(targets: Tensor, counts: tuple[int, ...]) -> Tensor:
    """Targets as (samples, longest): a matrix as it is, or the parts of one vector."""
    longest = max(counts, default=0)
    if targets.meta.ndim == 2:
        if targets.meta.shape[0] != len(counts) or targets.meta.shape[1] < longest:
            raise InvalidArgumentError(
                f"Expected tensor to have size at least {longest} at dimension 1, but got size {targets.meta.shape[-1]}"
            )
        return targets if targets.meta.shape[1] == longest else narrow(targets, 1, 0, longest)
    if targets.meta.ndim != 1 or targets.meta.numel != sum(counts):
        raise InvalidArgumentError(
            f"Expected targets to be of size {sum(counts)}, the sum of target_lengths, but got {list(targets.meta.shape)}"
        )
    first = [sum(counts[:n]) for n in range(len(counts))]
    positions = [[begin + min(i, max(count - 1, 0)) for i in range(longest)] for begin, count in zip(first, counts)]
    if not longest:
        return reshape(targets, (len(counts), 0))
    last = targets.meta.numel - 1
    at = tensor([[min(p, last) for p in row] for row in positions], dtype=int64, **beside(targets))
    return reshape(index_select(targets, 0, reshape(at, (-1,))), (len(counts), longest))


@functor("CtcLossOrdered")
def ctc_loss_ordered(
    log_probs: Tensor, targets: Tensor, input_lengths: Any, target_lengths: Any, max_target_length: int, blank: int,
    zero_infinity: bool, reduction: str,
) -> Any:  # fmt: skip
    """The longest target is not asked for: the lengths say it."""
    return ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, reduction, zero_infinity)

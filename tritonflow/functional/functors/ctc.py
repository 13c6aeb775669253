"""The functor of ctc_loss: the forward recursion of Graves et al., 2006, over all samples at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow.dtypes import float32, float64, int32, int64
from tritonflow.errors import ArgumentTypeError, DTypeNotImplementedError, InvalidArgumentError, ShapeError, type_name
from tritonflow.framework.tensor import Tensor
from tritonflow.functional.data_exchange import tensor
from tritonflow.functional.functors.arithmetic import add, sub
from tritonflow.functional.functors.cast import cast
from tritonflow.functional.functors.creation import arange_end, full, zeros_like
from tritonflow.functional.functors.generated import div, exp, log, scalar_gt, scalar_mul, where
from tritonflow.functional.functors.index import gather, index_select
from tritonflow.functional.functors.join import cat, stack
from tritonflow.functional.functors.loss import check_reduction, reduced
from tritonflow.functional.functors.pointwise import clamp_min, negative
from tritonflow.functional.functors.reduction import amax
from tritonflow.functional.functors.reduction import sum as total_of
from tritonflow.functional.functors.selection import where_scalar_x, where_scalar_y
from tritonflow.functional.functors.view import expand, narrow, reshape, select, unsqueeze
from tritonflow.functional.library import functor
from tritonflow.functional.target import beside

IMPOSSIBLE = -1e30  # the logarithm of 0: finite, so that differences of two of them are no NaN


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
    alpha, spread = _forward(log_probs, labels, time, count, blank)
    loss = _total(alpha, count)
    loss = add(loss, sub(spread, spread.detach()))
    infinite = scalar_gt(loss, -IMPOSSIBLE / 2)
    loss = where_scalar_x(infinite, 0.0 if zero_infinity else float("inf"), loss)
    if reduction == "mean":
        loss = div(loss, clamp_min(cast(count, loss.meta.dtype), 1))
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
        return cast(narrow(targets, 1, 0, longest), int64)
    if targets.meta.ndim != 1 or targets.meta.numel != sum(counts):
        raise InvalidArgumentError(
            f"Expected targets to be of size {sum(counts)}, the sum of target_lengths, but got {list(targets.meta.shape)}"
        )
    first = [sum(counts[:n]) for n in range(len(counts))]
    positions = [[begin + min(i, max(count - 1, 0)) for i in range(longest)] for begin, count in zip(first, counts)]
    if not longest:
        return reshape(cast(targets, int64), (len(counts), 0))
    last = targets.meta.numel - 1
    at = tensor([[min(p, last) for p in row] for row in positions], dtype=int64, **beside(targets))
    return reshape(cast(index_select(targets, 0, reshape(at, (-1,))), int64), (len(counts), longest))


def _forward(log_probs: Tensor, labels: Tensor, time: Tensor, count: Tensor, blank: int) -> tuple[Tensor, Tensor]:
    """alpha at each sample's last step, (samples, states); and the sum of its probabilities, whose gradient torch's loss has.

    States are the labels with blanks between them and around: state 2 i + 1 is label i.
    """
    steps, samples, classes = log_probs.meta.shape
    longest = labels.meta.shape[1]
    place = beside(log_probs)
    between = full((samples, longest), blank, dtype=int64, **place)
    valid = unsqueeze(arange_end(longest, **place), 0) < unsqueeze(count, 1) if longest else None
    known = where_scalar_y(valid, labels, blank) if valid is not None else labels
    states = reshape(stack([between, known], 2), (samples, 2 * longest))
    states = cat([states, full((samples, 1), blank, dtype=int64, **place)], 1)
    size = 2 * longest + 1
    emitted = gather(clamp_min(log_probs, IMPOSSIBLE), 2, expand(unsqueeze(states, 0), (steps, samples, size)))
    alpha = full((samples, size), IMPOSSIBLE, dtype=log_probs.meta.dtype, **place)
    first = arange_end(size, **place) < 2
    skips = _skips(states, blank)
    start = where(expand(unsqueeze(first, 0), (samples, size)), select(emitted, 0, 0), alpha) if steps else alpha
    alpha = where(unsqueeze(scalar_gt(time, 0), 1), start, where(first, zeros_like(alpha), alpha))
    for step in range(1, steps):
        moved = _step(alpha, skips)
        moved = clamp_min(add(moved, select(emitted, 0, step)), 2 * IMPOSSIBLE)
        alpha = where(unsqueeze(scalar_gt(time, step), 1), moved, alpha)
    running = unsqueeze(unsqueeze(arange_end(steps, **place), 1) < unsqueeze(time, 0), 2)
    spread = total_of(where_scalar_y(running, exp(log_probs), 0.0), (0, 2))
    return alpha, spread


def _skips(states: Tensor, blank: int) -> Tensor:
    """0 where a state is reached from two before it: a label that differs from the one before; IMPOSSIBLE elsewhere."""
    samples, size = states.meta.shape
    if size < 3:
        return full((samples, size), IMPOSSIBLE, dtype=float32, **beside(states))
    here, before = narrow(states, 1, 2, size - 2), narrow(states, 1, 0, size - 2)
    zero = full((samples, size - 2), 0.0, dtype=float32, **beside(states))
    allowed = where_scalar_y((here != blank) & (here != before), zero, IMPOSSIBLE)
    return cat([full((samples, 2), IMPOSSIBLE, dtype=float32, **beside(states)), allowed], 1)


def _shifted(alpha: Tensor, by: int) -> Tensor:
    samples, size = alpha.meta.shape
    none = full((samples, min(by, size)), IMPOSSIBLE, dtype=alpha.meta.dtype, **beside(alpha))
    return cat([none, narrow(alpha, 1, 0, size - by)], 1) if size > by else none


def _step(alpha: Tensor, skips: Tensor) -> Tensor:
    """log(exp(stay) + exp(from one before) + exp(from two before))."""
    ways = stack(
        [alpha, _shifted(alpha, 1), clamp_min(add(_shifted(alpha, 2), cast(skips, alpha.meta.dtype)), IMPOSSIBLE)], 0
    )
    return _log_of_sum(ways)


def _log_of_sum(ways: Tensor) -> Tensor:
    largest = amax(ways.detach(), (0,), True)
    return add(log(total_of(exp(sub(ways, largest)), (0,))), select(largest, 0, 0))


def _total(alpha: Tensor, count: Tensor) -> Tensor:
    """-log(alpha of the last label + alpha of the blank behind it)."""
    end = scalar_mul(count, 2)
    at = stack([end, clamp_min(sub(end, cast(scalar_gt(end, 0), int64)), 0)], 1)
    both = gather(alpha, 1, at)
    last, label = select(both, 1, 0), select(both, 1, 1)
    label = where_scalar_y(scalar_gt(end, 0), label, IMPOSSIBLE)
    return negative(_log_of_sum(stack([last, label], 0)))

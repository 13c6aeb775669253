"""The mean loss of all tokens of all ranks, where each rank has another number of them."""

from __future__ import annotations

from typing import Any

from tritonflow import _C
from tritonflow.comm.checks import check_tensor
from tritonflow.comm.collectives import all_reduce
from tritonflow.comm.groups import GroupLike, members
from tritonflow.dtypes import float32, int64
from tritonflow.errors import ArgumentTypeError, ArgumentValueError, type_name
from tritonflow.framework.tensor import Tensor


def global_mean(loss_sum: Tensor, count: int | Tensor, *, ranks: GroupLike = None) -> Any:
    """The loss whose gradients, averaged over the ranks, are those of the mean over all elements of all ranks.

        loss = n loss_sum / (sum of count over the n ranks)

    The mean of the ranks' own means is another number where they have different counts: an element of a short batch would
    weigh more. The mean over the ranks of what this returns is the mean of all elements.

    Over several accumulated backwards `count` is that of the whole step, in each of them.

    Args:
        loss_sum: the sum of this rank's losses, a local tensor.
        count: how many elements this rank's step has, a number or a tensor of one. Zero on some ranks is fine; on all it gives NaN.
        ranks: who takes part, as of `flow.comm.all_reduce`. All of them call it.

    Returns:
        A tensor of the shape of `loss_sum`. The host waits for nothing.

    Raises:
        TypeError: the count is no number and no tensor.
        ValueError: it is negative, or a tensor of several elements.
        LocalityError: a tensor is consistent; its mean is one over all ranks already.

    Example:
        >>> import tritonflow as flow
        >>> logits, labels = flow.zeros(4, 2), flow.tensor([0, 1, -100, 1])
        >>> total = flow.nn.functional.cross_entropy(logits, labels, reduction="sum")
        >>> flow.distributed.global_mean(total, (labels != -100).sum())  # in a world of one rank
        tensor(0.6931)
    """
    group = members("global_mean", ranks)
    check_tensor("global_mean", "loss_sum", loss_sum)
    total = all_reduce(_count(count, loss_sum), ranks=group)
    return _C.mul(loss_sum, _C.div(float(len(group)), _C.cast(total, float32)))


def _count(count: Any, loss_sum: Tensor) -> Tensor:
    """The count as a new tensor beside the loss."""
    if isinstance(count, Tensor):
        check_tensor("global_mean", "count", count)
        if count.meta.numel != 1:
            size = list(count.meta.shape)
            raise ArgumentValueError(f"global_mean(): expected one number in 'count', got a tensor of size {size}")
        return _C.clone(_C.cast(count.detach().to(loss_sum.device), int64).reshape(()))
    if isinstance(count, bool) or not isinstance(count, int):
        raise ArgumentTypeError(f"global_mean(): argument 'count' must be int or Tensor, not {type_name(count)}")
    if count < 0:
        raise ArgumentValueError(f"global_mean(): expected count >= 0, got {count}")
    return _C.full((), count, dtype=int64, device=loss_sum.device)  # type: ignore[no-any-return]

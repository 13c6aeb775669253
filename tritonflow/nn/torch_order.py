"""Functions that torch has twice, in its main namespace with another order of parameters than in `nn.functional`."""

from __future__ import annotations

from tritonflow import _C
from tritonflow.framework.tensor import Tensor


def embedding(
    weight: Tensor, indices: Tensor, padding_idx: int = -1, scale_grad_by_freq: bool = False, sparse: bool = False
) -> Tensor:
    """The rows of `weight` at `indices`; `nn.functional.embedding` with the weight first.

    Args:
        weight: (rows, columns).
        indices: integers of any shape.
        padding_idx: the row that gets no gradient; -1 for none.
        scale_grad_by_freq, sparse: as in `nn.functional.embedding`.

    Shape:
        (rows, D), any shape -> (..., D).

    Raises:
        IndexError: a row that does not exist.
        RuntimeError: a weight of other than 2 dimensions, or indices of another dtype.

    Source: torch.embedding.

    Example:
        >>> import tritonflow as flow
        >>> flow.embedding(flow.eye(3), flow.tensor([2]))
        tensor([[0., 0., 1.]])
    """
    return _C.embedding(
        indices,
        weight,
        padding_idx=None if padding_idx == -1 else padding_idx,
        scale_grad_by_freq=scale_grad_by_freq,
        sparse=sparse,
    )


def batch_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    training: bool,
    momentum: float,
    eps: float,
    cudnn_enabled: bool,
) -> Tensor:
    """`nn.functional.batch_norm` with weight and bias before the running statistics.

    Args:
        input: (N, C, ...).
        weight, bias: a factor and an addend for each channel.
        running_mean, running_var: the statistics of each channel, used unless training.
        training: whether the batch's statistics are used.
        momentum: how far the running statistics move.
        eps: what is added to the variance.
        cudnn_enabled: torch's; nothing here.

    Shape:
        (N, C, ...) -> the same.

    Raises:
        RuntimeError: shapes that do not fit, or no running statistics outside of training.
        ValueError: a single value for each channel in training.

    Source: torch.batch_norm.

    Example:
        >>> import tritonflow as flow
        >>> flow.batch_norm(flow.tensor([[1.0], [3.0]]), None, None, None, None, True, 0.1, 1e-30, False).tolist()
        [[-1.0], [1.0]]
    """
    return _C.batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)

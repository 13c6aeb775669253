"""OneFlow's functions that read and write by indices, or shape a tensor like another; each is made of ops of the registry."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from tritonflow import _C
from tritonflow.compat.checks import is_integer, numbers, require, require_type
from tritonflow.dtypes import float32, float64, int64
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.view import check_bounds

Numbers = Sequence[int]


def batch_gather(input: Tensor, indices: Tensor) -> Any:
    """Rows of `input` at `indices`, for each element of a batch.

    Args:
        input: rows.
        indices: which ones, int32 or int64.

    Shape:
        (*b, n, *r), (*b, m) -> (*b, m, *r).

    Raises:
        RuntimeError: the shapes do not fit.
        TypeError: `indices` are not int32 or int64.

    Source: oneflow.batch_gather

    Example:
        >>> import tritonflow as flow
        >>> flow.batch_gather(flow.tensor([[10, 11], [20, 21]]), flow.tensor([[1], [0]]))
        tensor([[11],
                [20]])
    """
    require(input.ndim > 0, f"The dimension of the input tensor should be greater than zero, but got {input.ndim}")
    require(indices.ndim > 0, f"The dimension of the indices tensor should be greater than zero, but got {indices.ndim}")
    require(
        input.ndim >= indices.ndim,
        "The dimension of the input tensor should be greater than or equal to the dimension of the indices tensor, but found"
        f" {input.ndim} and {indices.ndim}",
    )
    require_type(is_integer(indices), f"The dtype of the indices tensor must be int32 or int64, but found {indices.dtype}")
    for dim in range(indices.ndim - 1):
        require(
            input.shape[dim] == indices.shape[dim],
            f"The size of indices tensor must match the size of input tensor at dimension {dim}, but found"
            f" {indices.shape[dim]} and {input.shape[dim]}",
        )
    dim = indices.ndim - 1
    rest = input.shape[dim + 1 :]
    index = indices.reshape((*indices.shape, *[1] * len(rest))).expand((*indices.shape, *rest))
    return _C.gather(input, dim, index)


def gather_nd(params: Tensor, indices: Tensor) -> Any:
    """The parts of `params` at coordinates, which are the last dimension of `indices`.

    Args:
        params: any tensor.
        indices: coordinates of its first dimensions, integers.

    Shape:
        (n1, ..., nk, *r), (*b, k) -> (*b, *r).

    Raises:
        RuntimeError: more coordinates than dimensions, or none.
        IndexError: coordinates outside of the tensor.

    Source: oneflow.gather_nd

    Example:
        >>> import tritonflow as flow
        >>> flow.gather_nd(flow.tensor([[1, 2], [3, 4]]), flow.tensor([[0, 1], [1, 0]]))
        tensor([2, 3])
    """
    return params[_coordinates(params, indices)]


def scatter_nd(index: Tensor, update: Tensor, shape: Sequence[int]) -> Any:
    """Zeros of a shape with `update` added at coordinates, which are the last dimension of `index`.

    Args:
        index: coordinates of the first dimensions of the shape, integers.
        update: what is added, all where coordinates are the same.
        shape: of the result.

    Shape:
        (*b, k), (*b, *r) -> shape, which is (n1, ..., nk, *r).

    Raises:
        RuntimeError: more coordinates than dimensions, none, or an update that does not fit.
        IndexError: coordinates outside of the shape.

    Source: oneflow.scatter_nd

    Example:
        >>> import tritonflow as flow
        >>> flow.scatter_nd(flow.tensor([[1], [3]]), flow.tensor([5.0, 6.0]), [5])
        tensor([0., 5., 0., 6., 0.])
    """
    zeros = update.new_zeros(tuple(shape))
    return zeros.index_put(_coordinates(zeros, index), update, accumulate=True)


def tensor_scatter_nd_update(tensor: Tensor, indices: Tensor, updates: Tensor, inplace: bool = False) -> Any:
    """`tensor` with `updates` at coordinates, which are the last dimension of `indices`.

    Args:
        tensor: any tensor.
        indices: coordinates of its first dimensions, integers.
        updates: what is written.
        inplace: whether it is written over the tensor.

    Shape:
        (n1, ..., nk, *r), (*b, k), (*b, *r) -> (n1, ..., nk, *r).

    Raises:
        RuntimeError: `updates` have another dtype, or coordinates do not fit.
        IndexError: coordinates outside of the tensor.

    Source: oneflow.tensor_scatter_nd_update

    Example:
        >>> import tritonflow as flow
        >>> flow.tensor_scatter_nd_update(flow.arange(4), flow.tensor([[1], [3]]), flow.tensor([-1, -2]))
        tensor([ 0, -1,  2, -2])
    """
    require(tensor.dtype == updates.dtype, "The dtype of tensor and updates must be same.")
    put = tensor.index_put_ if inplace else tensor.index_put
    return put(_coordinates(tensor, indices), updates)


def _coordinates(x: Tensor, indices: Tensor) -> tuple[Tensor, ...]:
    require(
        indices.ndim > 0 and 0 < indices.shape[-1] <= x.ndim,
        f"the last dimension of indices must have 1 to {x.ndim} coordinates, but its shape is {tuple(indices.shape)}",
    )
    return tuple(indices.to(int64).unbind(-1))


def in_top_k(targets: Tensor, predictions: Tensor, k: int) -> Any:
    """Whether the prediction for a target is among the k largest of its row; False where a number of the row is not finite.

    Args:
        targets: integers of shape (n,).
        predictions: numbers of shape (n, classes).
        k: how many of a row count.

    Raises:
        RuntimeError: the shapes are others.

    Source: oneflow.in_top_k

    Example:
        >>> import tritonflow as flow
        >>> flow.in_top_k(flow.tensor([3, 1]), flow.tensor([[0.0, 1, 2, 3], [3.0, 2, 1, 0]]), 1)
        tensor([ True, False])
    """
    require(targets.shape[0] == predictions.shape[0], "The num of targets must equal the num of predictions")
    require(targets.ndim == 1, "The dimension of targets must be 1")
    require(predictions.ndim == 2, "The dimension of predictions must be 2")
    classes = predictions.shape[1]
    known = (targets >= 0) & (targets < classes)
    picked = predictions.gather(1, targets.to(int64).clamp(0, classes - 1).unsqueeze(1))
    return ((predictions > picked).sum(1) < k) & predictions.isfinite().all(1) & known


def slice_update(input: Tensor, update: Tensor, slice_tup_list: Sequence[Any]) -> Any:
    """`input[start:stop:step, ...] = update`, with a (start, stop, step) for each of the first dimensions. Returns `input`.

    Args:
        input: what is written to.
        update: what is written, cast to the input's dtype.
        slice_tup_list: the bounds.

    Raises:
        RuntimeError: an update that does not fit, or a step below 1.

    Source: oneflow.slice_update

    Example:
        >>> import tritonflow as flow
        >>> flow.slice_update(flow.ones(5), flow.tensor([2.0, 3.0, 4.0]), [[1, 4, 1]])
        tensor([1., 2., 3., 4., 1.])
    """
    input[tuple(slice(*bounds) for bounds in slice_tup_list)] = update.to(input.dtype)
    return input


def slice_update_from(ref: Tensor, value: Tensor, start: Numbers, stop: Numbers, step: Numbers, inplace: bool = False) -> Any:
    """`ref` with a value in a slice of its first dimensions: `_C.slice_update`."""
    require_type(ref.dtype == value.dtype, "Tensors ref and value must have same type")
    check_bounds(start, stop, step)
    for dim, (first, last, stride) in enumerate(zip(start, stop, step)):
        require(
            dim < ref.ndim and len(range(first, last, stride)) == value.shape[dim],
            f"The size of slice tuple must be equal to the size of value tensor at dimension {dim}",
        )
    target = ref if inplace else ref.clone()
    target[tuple(slice(*bounds) for bounds in zip(start, stop, step))] = value
    return target


def broadcast_like(x: Tensor, like: Tensor, broadcast_axes: Numbers = ()) -> Any:
    """`x` expanded to the shape of `like`.

    Args:
        x: the tensor.
        like: has the shape.
        broadcast_axes: the dimensions of `like` that `x` lacks, or has with size 1; the first ones unless given.

    Raises:
        RuntimeError: the shapes do not fit.

    Source: oneflow.broadcast_like

    Example:
        >>> import tritonflow as flow
        >>> flow.broadcast_like(flow.ones(3), flow.ones(3, 2), [1]).shape
        tritonflow.Size([3, 2])
    """
    require(
        x.ndim <= like.ndim,
        f"The number of sizes provided ({like.ndim}) must be greater or equal to the number of dimensions in the tensor ({x.ndim})",
    )
    if x.ndim < like.ndim:
        for dim in sorted(axis % like.ndim for axis in numbers(broadcast_axes)):
            x = x.unsqueeze(dim) if x.ndim < like.ndim else x
    return x.expand(tuple(like.shape))


def reduce_sum_like(input: Tensor, like: Tensor, axis: Numbers = ()) -> Any:
    """The sum over dimensions, in the shape of `like`: the gradient of `broadcast_like`."""
    require_type(input.dtype == like.dtype, "Tensors x and like must have the same type")
    if not numbers(axis):
        require(
            input.shape == like.shape,
            "The shape of the x tensor must be consistent to the shape of the like tensor, but got"
            f" {tuple(input.shape)} and {tuple(like.shape)}",
        )
        return input
    return input.sum(numbers(axis)).reshape(tuple(like.shape))


def reshape_like(input: Tensor, like: Tensor) -> Any:
    """`input` in the shape of `like`."""
    require(
        input.numel() == like.numel(),
        "The element number of the in tensor must be equal to the element number of the like tensor, but got"
        f" {input.numel()} and {like.numel()}",
    )
    return input.reshape(tuple(like.shape))


def split_like(x: Tensor, like: Sequence[Tensor], axis: int) -> Any:
    """Pieces of `x` along a dimension, as large as those of `like`."""
    require(len(like) >= 1, "The number of like should be greater than or equal to 1")
    ndim = like[0].ndim
    require(ndim <= x.ndim, f"The dimension of like ({ndim}) should be less than or equal to input ({x.ndim})")
    require(axis < ndim, f"The axis ({axis}) should be less than the dimension of like ({ndim})")
    for other in like:
        require(other.ndim == ndim, f"The dimension of like_i ({other.ndim}) must match the dimension of the first like ({ndim})")
        for dim in range(ndim):
            require(
                dim == axis or x.shape[dim] == other.shape[dim],
                f"The size of input ({x.shape[dim]}) must match the size of like_i ({other.shape[dim]}) at dimension {dim}",
            )
    sizes = [other.shape[axis] for other in like]
    require(
        sum(sizes) == x.shape[axis],
        f"In non-dynamic shape situation, the total size of like ({sum(sizes)}) should be equal to the size of input"
        f" ({x.shape[axis]}) at dimension {axis}",
    )
    return list(x.split(sizes, axis))


def arg_sort(input: Tensor, direction: str) -> Any:
    """The order of the last dimension, "ASCENDING" or "DESCENDING"."""
    require(
        direction in ("ASCENDING", "DESCENDING"),
        f'expected the input direction parameter value is "ASCENDING" or "DESCENDING", but found the value is "{direction}"',
    )
    return input.argsort(-1, direction == "DESCENDING")


def roc_auc_score(label: Tensor, pred: Tensor) -> Any:
    """The area under the receiver operating characteristic, of shape (1,) in float32; ties count half.

    Args:
        label: 0 or 1 for each example.
        pred: its score.

    Raises:
        RuntimeError: the sizes differ; there are no examples of one of both labels.

    Source: oneflow.roc_auc_score

    Example:
        >>> import tritonflow as flow
        >>> flow.roc_auc_score(flow.tensor([0, 0, 1, 1]), flow.tensor([0.1, 0.4, 0.35, 0.8]))
        tensor([0.7500])
    """
    require(label.numel() == pred.numel(), f"label and pred differ in size: {label.numel()} and {pred.numel()}")
    positive = label.reshape(-1) > 0.5
    scores = pred.detach().reshape(-1).to(float64)
    count = int(positive.sum().item())
    others = label.numel() - count
    require(count > 0 and others > 0, "roc_auc_score needs examples with label 0 and with label 1")
    values, order = scores.sort()
    below, up_to = _C.searchsorted(values, values), _C.searchsorted(values, values, right=True)
    ranks = (below + up_to + 1).to(float64) / 2  # ties share the mean of their ranks
    total = ranks[positive[order]].sum() - count * (count + 1) / 2
    return (total / math.prod((count, others))).to(float32).reshape(1)

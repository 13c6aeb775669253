"""Functors of dimensions in another order."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import also, function, functor
from tritonflow.errors import InvalidArgumentError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.tensor import Tensor, wrap_dim
from tritonflow.interpreter.dispatch import dispatch_view

_permute = op_expr("permute")


@functor("Permute")
def permute(input: Tensor, dims: tuple[int, ...]) -> Tensor:
    return dispatch_view(_permute, input, (dims,), _permute_attributes)


def _permute_attributes(meta: TensorMeta, dims: tuple[int, ...]) -> tuple[Any, ...]:
    ndim = meta.ndim
    if len(dims) != ndim:
        raise ShapeError(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired"
            f" ordering of dimensions i.e. input.dim() = {ndim} is not equal to len(dims) = {len(dims)}"
        )
    order = tuple([wrap_dim(d, ndim) for d in dims])
    if len(set(order)) != ndim:
        raise InvalidArgumentError("permute(): duplicate dims are not allowed.")
    return (order,)


@function("Tensor (Tensor input, Int32List dims)", bind_python=False)
def permute_inverse(input: Tensor, dims: tuple[int, ...]) -> Tensor:
    """The permutation that undoes `permute`."""
    order = [0] * len(dims)
    for position, dim in enumerate(dims):
        order[dim] = position
    return dispatch_view(_permute, input, (tuple(order),))


@function("Tensor (Tensor input, Int32 dim0, Int32 dim1)", methods=("transpose", "swapaxes", "swapdims"), samples="transpose")
@also("swapaxes", reference="torch.transpose")
@also("swapdims", reference="torch.transpose")
def transpose(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """Two dimensions exchanged: a view.

    Args:
        input: the input.
        dim0: one of the two dimensions; a negative one counts from the end.
        dim1: one of the two dimensions; a negative one counts from the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., a, ..., b, ...) -> (..., b, ..., a, ...).

    Methods: `Tensor.transpose`, `Tensor.swapaxes` and `Tensor.swapdims`.

    Raises:
        IndexError: there is no such dimension.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.transpose.

    Example:
        >>> import tritonflow as flow
        >>> flow.transpose(flow.tensor([[1, 2, 3], [4, 5, 6]]), 0, 1)
        tensor([[1, 4],
                [2, 5],
                [3, 6]])
    """
    return dispatch_view(_permute, input, (dim0, dim1), _transpose_attributes)


def _transpose_attributes(meta: TensorMeta, dim0: int, dim1: int) -> tuple[Any, ...]:
    ndim = meta.ndim
    first, second = wrap_dim(dim0, ndim), wrap_dim(dim1, ndim)
    order = list(range(ndim))
    if ndim:
        order[first], order[second] = second, first
    return (tuple(order),)


@function("Tensor (Tensor input)", name="t", methods="t", samples="matrix")
def matrix_transpose(input: Tensor) -> Tensor:
    """A matrix transposed: a view.

    Tensors of fewer than 2 dimensions are as they are.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (M, N) -> (N, M).

    Method: `Tensor.t`.

    Raises:
        RuntimeError: more than 2 dimensions.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.t.

    Example:
        >>> import tritonflow as flow
        >>> flow.t(flow.tensor([[1, 2, 3], [4, 5, 6]]))
        tensor([[1, 4],
                [2, 5],
                [3, 6]])
    """
    if input.meta.ndim > 2:
        raise ShapeError(f"t() expects a tensor with <= 2 dimensions, but self is {input.meta.ndim}D")
    return reversed_dims(input)


def reversed_dims(input: Tensor) -> Tensor:
    """A tensor with its dimensions in reverse: a view."""
    return dispatch_view(_permute, input, (), _reversed_attributes)


def _reversed_attributes(meta: TensorMeta) -> tuple[Any, ...]:
    return (tuple(range(meta.ndim))[::-1],)


@function("Tensor (Tensor input, Int32List[1] source, Int32List[1] destination)", methods="movedim", samples="movedim")
@also("moveaxis", methods="moveaxis")
def movedim(input: Tensor, source: Any, destination: Any) -> Tensor:
    """Dimensions moved to other places, the others in their order: a view.

    Args:
        input: the input.
        source: which dimensions, one or several.
        destination: the places that they have in the result.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        sizes -> the sizes in the new order.

    Method: `Tensor.movedim`.

    Raises:
        RuntimeError: different numbers of both, or a dimension twice.
        IndexError: there is no such dimension.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.movedim.

    Example:
        >>> import tritonflow as flow
        >>> flow.movedim(flow.zeros(2, 3, 4), 0, -1).shape
        tritonflow.Size([3, 4, 2])
    """
    return dispatch_view(_permute, input, (tuple(source), tuple(destination)), _movedim_attributes)


def _movedim_attributes(meta: TensorMeta, source: tuple[int, ...], destination: tuple[int, ...]) -> tuple[Any, ...]:
    ndim = meta.ndim
    sources = [wrap_dim(d, ndim) for d in source]
    targets = [wrap_dim(d, ndim) for d in destination]
    if len(sources) != len(targets):
        raise InvalidArgumentError(
            f"movedim: Invalid source or destination dims: source ({list(source)} dims) should contain the same number of"
            f" dims as destination ({list(destination)} dims)"
        )
    if len(set(sources)) != len(sources) or len(set(targets)) != len(targets):
        raise InvalidArgumentError("movedim: repeated dim in `source` or `destination`")
    if not ndim:
        return ((),)
    order = [-1] * ndim
    for s, t in zip(sources, targets):
        order[t] = s
    rest = iter(d for d in range(ndim) if d not in sources)
    return (tuple(next(rest) if d < 0 else d for d in order),)

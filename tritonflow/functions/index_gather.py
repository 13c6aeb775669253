"""Functors of gather and scatter: one element for each index."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import function, functor
from tritonflow.binding.target import beside
from tritonflow.dtypes import INTEGER, int64
from tritonflow.errors import DTypeError, InvalidArgumentError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor, wrap_dim
from tritonflow.functions.cast import cast
from tritonflow.functions.creation import full, zeros
from tritonflow.functions.index import at_least_1d, check_index, refuse_elements_of_empty
from tritonflow.functions.join import cat
from tritonflow.functions.view import expand, narrow, reshape, unshared
from tritonflow.interpreter.dispatch import dispatch
from tritonflow.ops.cast import scalar_of

_gather = op_expr("gather")
_scatter = op_expr("scatter")
_scatter_fold = op_expr("scatter_fold")


def _check_gathered(x: Tensor, dim: int, index: Tensor) -> None:
    if x.meta.ndim != index.meta.ndim:
        raise ShapeError("Index tensor must have the same number of dimensions as input tensor")
    for d, (n, limit) in enumerate(zip(index.meta.shape, x.meta.shape)):
        if d != dim and n > limit:
            raise ShapeError(
                f"Size does not match at dimension {d} expected index {list(index.meta.shape)} to be no larger than self"
                f" {list(x.meta.shape)} apart from dimension {dim}"
            )


def _check_scattered(x: Tensor, dim: int, index: Tensor, src: Tensor) -> None:
    for name, other in (("self", x), ("src", src)):
        if other.meta.ndim != index.meta.ndim:
            raise ShapeError(f"Index tensor must have the same number of dimensions as {name} tensor")
    sizes = zip(index.meta.shape, x.meta.shape, src.meta.shape)
    if any(n > given or (n > own and d != dim) for d, (n, own, given) in enumerate(sizes)):
        raise ShapeError(
            f"Expected index {list(index.meta.shape)} to be no larger than self {list(x.meta.shape)} apart from dimension {dim}"
            f" and to be no larger size than src {list(src.meta.shape)}"
        )


@functor("Gather")
def gather(input: Tensor, dim: int, index: Tensor, sparse_grad: bool = False) -> Tensor:
    dim = wrap_dim(dim, input.meta.ndim)
    if index.meta.numel:
        check_index("gather", index)
    else:
        index = cast(index, int64)
        if index.meta.ndim != input.meta.ndim:  # which torch does not look at, where nothing is read
            nothing = narrow(reshape(input, (input.meta.numel,)), 0, 0, 0)
            return unshared(reshape(nothing, index.meta.shape))
    x, at = at_least_1d(input), at_least_1d(index)
    _check_gathered(x, dim, at)
    refuse_elements_of_empty(x, dim, at)
    y = dispatch(_gather, (x, at), (dim,))
    return y if index.meta.ndim else unshared(reshape(y, ()))


def checked_scatter(name: str, x: Tensor, dim: int, index: Tensor, src: Tensor) -> int:
    """The dimension counted from the front.

    Raises:
        RuntimeError: dtypes or shapes do not fit.
    """
    dim = wrap_dim(dim, x.meta.ndim)
    check_index(name, index)
    if src.meta.dtype is not x.meta.dtype:
        raise DTypeError(f"{name}(): Expected self.dtype to be equal to src.dtype")
    _check_scattered(at_least_1d(x), dim, at_least_1d(index), at_least_1d(src))
    return dim


def _scattered(name: str, x: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, inplace: bool) -> Tensor:
    dim = checked_scatter(name, x, dim, index, src)
    whole, index, src = at_least_1d(x), at_least_1d(index), at_least_1d(src)
    refuse_elements_of_empty(whole, dim, index)
    out = whole if inplace else None
    if reduce == "multiply":
        y = dispatch(_scatter_fold, (whole, src, index), (dim, "mul", True, inplace), (), out)
    else:
        y = dispatch(_scatter, (whole, src, index), (dim, reduce == "add", inplace), (), out)
    return x if inplace else y if x.meta.ndim else unshared(reshape(y, ()))


@functor("Scatter")
def scatter(input: Tensor, dim: int, index: Tensor, src: Tensor, reduce: Any = None, inplace: bool = False) -> Tensor:
    if reduce not in (None, "add", "multiply"):
        raise InvalidArgumentError(f"reduce argument must be either add or multiply, got {reduce!r}")
    return _scattered("scatter", input, dim, index, src, reduce or "", inplace)


@functor("ScatterScalar")
def scatter_scalar(
    input: Tensor, dim: int, index: Tensor, value: Any, reduce: Any = None, inplace: bool = False
) -> Tensor:
    if input.meta.dtype.category == INTEGER:
        scalar_of(value, input.meta.dtype)
    src = expand(full((), value, dtype=input.dtype, **beside(input)), index.meta.shape)
    return scatter(input, dim, index, src, reduce, inplace)


@function(
    "Tensor (Tensor input, Int32 dim, Tensor index, Tensor src, *, Bool inplace=False)",
    methods=("scatter_add", "scatter_add_"), samples="scatter_add", tolerance="reduction", autocast="widest",
)
def scatter_add(input: Tensor, dim: int, index: Tensor, src: Tensor, inplace: bool = False) -> Tensor:
    """input with input[index[i][j]][j] += src[i][j] for dim 0.

    A copy. Where several elements go to one place, all are added.

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        index: positions along dim, int32 or int64.
        src: what is added, at least as large as index.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...), (..., k, ...), (..., k, ...) -> the shape of input.

    Under `flow.autocast` it computes in the widest dtype of its operands. Methods: `Tensor.scatter_add`
    and `Tensor.scatter_add_`.

    Raises:
        IndexError: an index outside of the dimension; `dim` is out of range.
        RuntimeError: dtypes or shapes that do not fit.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.scatter_add.

    Example:
        >>> import tritonflow as flow
        >>> flow.scatter_add(flow.zeros(3), 0, flow.tensor([0, 2, 0]), flow.tensor([1.0, 2.0, 3.0]))
        tensor([4., 0., 2.])
    """
    return _scattered("scatter_add", input, dim, index, src, "add", inplace)


@function("Tensor (Tensor dy, Int32 dim, Tensor index, Shape shape)", bind_python=False)
def gather_grad(dy: Tensor, dim: int, index: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Zeros with dy added where gather read."""
    return scatter_add(zeros(shape, dtype=dy.dtype, **beside(dy)), dim, index, dy)


@function("Tensor (Tensor dy, Int32 dim, Tensor index, Bool accumulate)", bind_python=False)
def scatter_grad(dy: Tensor, dim: int, index: Tensor, accumulate: bool) -> Tensor:
    """The gradient of the tensor scattered into: dy if values were added, else dy with zeros where values were replaced."""
    return dy if accumulate else scatter_scalar(dy, dim, index, 0)


@function("Tensor (Tensor dy, Int32 dim, Tensor index, Shape shape)", bind_python=False)
def scatter_source_grad(dy: Tensor, dim: int, index: Tensor, shape: tuple[int, ...]) -> Tensor:
    """The gradient of the source; zero where it is larger than the index."""
    return padded(dispatch(_gather, (dy, index), (dim,)), shape)


def padded(x: Tensor, shape: tuple[int, ...]) -> Tensor:
    """x with zeros behind it along each dimension that is smaller."""
    for d, n in enumerate(shape):
        missing = n - x.meta.shape[d]
        if missing:
            rest = (*x.meta.shape[:d], missing, *x.meta.shape[d + 1 :])
            x = cat([x, zeros(rest, dtype=x.dtype, **beside(x))], d)
    return x


def front(x: Tensor, shape: tuple[int, ...]) -> Tensor:
    """The first elements along each dimension."""
    for d, n in enumerate(shape):
        if x.meta.shape[d] != n:
            x = narrow(x, d, 0, n)
    return x

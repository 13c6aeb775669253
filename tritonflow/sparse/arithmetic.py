"""Sums, products and functions of the elements of sparse tensors; reductions and softmax; parts of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tritonflow import _C
from tritonflow.dtypes import int64
from tritonflow.errors import InvalidArgumentError, ShapeError
from tritonflow.framework.tensor import Tensor, wrap_dim
from tritonflow.interpreter.grad_mode import no_grad
from tritonflow.members.torch_names import sparse_coo
from tritonflow.sparse.conversions import (
    added,
    coalesce,
    elements_at,
    keys_of,
    sparse_sizes,
    to_dense,
    to_sparse,
)  # fmt: skip
from tritonflow.sparse.tensor import SparseTensor, refusal, refuse_capture


def is_number(x: Any) -> bool:
    """Whether something is a number, or a dense tensor of no dimension."""
    return not isinstance(x, SparseTensor) and (not isinstance(x, Tensor) or x.ndim == 0)


def _same_shape(name: str, a: Any, b: Any) -> None:
    if tuple(a.shape) != tuple(b.shape):
        raise ShapeError(
            f"{name}(): sparse tensors do not broadcast: expected equal shapes, got {list(a.shape)} and {list(b.shape)}"
        )
    if a.device != b.device:
        raise InvalidArgumentError(f"{name}(): expected tensors on one device, got {a.device} and {b.device}")


def add(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    """The sum of two sparse tensors, or of a dense and a sparse one, which is dense."""
    if not isinstance(input, SparseTensor) and isinstance(input, Tensor) and isinstance(other, SparseTensor):
        _same_shape("add", input, other)
        dense = to_dense(other)
        return _C.add(input, dense if alpha == 1 else dense * alpha)
    if not isinstance(input, SparseTensor) or not isinstance(other, SparseTensor):
        raise InvalidArgumentError("add(sparse, dense) is not supported. Use add(dense, sparse) instead.")
    _same_shape("add", input, other)
    if input.layout is not other.layout:
        raise InvalidArgumentError(
            f"add(): expected sparse tensors of one layout, got {input.layout!r} and {other.layout!r}; help: to_sparse()"
        )
    if not input.is_sparse:
        return to_sparse(add(to_sparse(input), to_sparse(other), alpha=alpha), layout=input.layout)
    if input.sparse_dim() != other.sparse_dim():
        raise ShapeError(f"add(): expected equal sparse dimensions, got {input.sparse_dim()} and {other.sparse_dim()}")
    index = _C.cat([input.index[0], other.index[0]], 1)
    entries = _C.cat([input.entries, other.entries if alpha == 1 else other.entries * alpha], 0)
    total = SparseTensor.make(sparse_coo, (index,), entries, input.meta.shape)
    return coalesce(total) if input.coalesced and other.coalesced else total


def sub(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    """The difference of two sparse tensors, or of a dense and a sparse one."""
    return add(input, other, alpha=-alpha)


def mul(input: Any, other: Any) -> Any:
    """A sparse tensor times a number, a dense tensor that broadcasts to it, or a sparse one of its shape. The result is sparse."""
    if not isinstance(input, SparseTensor):
        input, other = other, input
    if is_number(other):
        return input.with_entries(input.entries * other)
    if not isinstance(other, SparseTensor):
        return input.with_entries(input.entries * elements_at(_broadcast(other, input), input))
    _same_shape("mul", input, other)
    if input.layout is not other.layout:
        raise InvalidArgumentError(
            f"mul(): expected sparse tensors of one layout, got {input.layout!r} and {other.layout!r}; help: to_sparse()"
        )
    if not input.is_sparse:
        return to_sparse(mul(to_sparse(input), to_sparse(other)), layout=input.layout)
    return _common(coalesce(input), coalesce(other))


def _broadcast(dense: Any, x: SparseTensor) -> Any:
    try:
        return dense.expand(tuple(x.shape))
    except RuntimeError:
        raise ShapeError(
            f"mul(): expected a dense tensor that broadcasts to {list(x.shape)}, got one of shape {list(dense.shape)}"
        ) from None


def _common(a: SparseTensor, b: SparseTensor) -> SparseTensor:
    """The products at positions that both have."""
    refuse_capture()
    if a.sparse_dim() != b.sparse_dim():
        raise ShapeError(f"mul(): expected equal sparse dimensions, got {a.sparse_dim()} and {b.sparse_dim()}")
    sizes = sparse_sizes(a)
    if not a._nnz() or not b._nnz():
        return SparseTensor.make(sparse_coo, (a.index[0][:, :0],), a.entries[:0] * b.entries[:0], a.meta.shape, True)
    in_a, in_b = keys_of(a.index[0], sizes), keys_of(b.index[0], sizes)
    at = _C.searchsorted(in_b, in_a).clamp(max=b._nnz() - 1)
    of_a = _C.nonzero(_C.index_select(in_b, 0, at) == in_a).reshape(-1)
    entries = _C.index_select(a.entries, 0, of_a) * _C.index_select(b.entries, 0, _C.index_select(at, 0, of_a))
    return SparseTensor.make(sparse_coo, (_C.index_select(a.index[0], 1, of_a),), entries, a.meta.shape, True)


def div(input: Any, other: Any, *, rounding_mode: str | None = None) -> Any:
    """A sparse tensor divided by a number."""
    if not isinstance(input, SparseTensor) or not is_number(other):
        shape = list(other.shape) if isinstance(other, Tensor) else "none"
        raise InvalidArgumentError(
            f"Sparse division requires a scalar or zero-dim dense tensor divisor (got shape {shape} for divisor)"
        )
    if rounding_mode is not None:
        input = coalesce(input) if input.is_sparse else input
    return input.with_entries(_C.div(input.entries, other, rounding_mode=rounding_mode))


def pow(input: Any, exponent: Any) -> Any:
    """A power of the elements; of a positive exponent."""
    if not isinstance(input, SparseTensor) or not isinstance(exponent, (int, float)) or not exponent > 0:
        raise InvalidArgumentError("pow(): expected a sparse tensor and a positive number; help: x.to_dense()")
    return elementwise(lambda x: _C.pow(x, exponent))(input)


def elementwise(function: Callable[[Any], Any]) -> Callable[..., Any]:
    """A function of the elements that makes 0 of 0, for sparse tensors."""

    def apply(input: SparseTensor, *others: Any, **options: Any) -> SparseTensor:
        if any(others) or any(options.values()):
            raise refusal("a function of the elements with further arguments", input.layout)
        input = coalesce(input) if input.is_sparse else input
        return input.with_entries(function(input.entries))

    return apply


# ------------------------------------------------------------------------------------------------- reductions


def sum(input: Any, dim: Any = None, dtype: Any = None, keepdim: bool = False) -> Any:
    """The sum of the elements, or along dimensions. It is sparse where a sparse dimension is left.

    Args:
        input: a sparse tensor of layout COO; without `dim` of any.
        dim: a dimension, or several; all unless given.
        dtype: of the sum.
        keepdim: not taken: must be False.

    Raises:
        RuntimeError: a dense tensor, or a dimension named twice.
        NotImplementedError: keepdim, or another layout with `dim`.

    Source: torch.sparse.sum.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.sparse_coo_tensor([[0, 1, 1], [2, 0, 2]], [3.0, 4.0, 5.0], (2, 3))
        >>> flow.sparse.sum(x), flow.sparse.sum(x, 0).to_dense()
        (tensor(12.), tensor([4., 0., 8.]))
    """
    if not isinstance(input, SparseTensor):
        raise InvalidArgumentError("sum(): expected a sparse tensor, got a dense one; help: x.sum()")
    if keepdim:
        raise refusal("sum with keepdim=True", input.layout)
    entries = input.entries if dtype is None else input.entries.to(dtype)
    if dim is None or dim == ():
        return entries.sum()
    dims = {wrap_dim(d, input.ndim) for d in ([dim] if isinstance(dim, int) else dim)}
    if not isinstance(dim, int) and len(dims) != len(dim):
        raise InvalidArgumentError("sum(): dim appears multiple times in the list of dims")
    if not input.is_sparse:
        raise refusal("sum along a dimension", input.layout)
    sparse = input.sparse_dim()
    inside = [d - sparse + 1 for d in sorted(dims) if d >= sparse]
    entries = entries.sum(inside) if inside else entries
    left = [d for d in range(sparse) if d not in dims]
    shape = tuple(n for d, n in enumerate(input.shape) if d not in dims)
    if not left:
        return entries.sum(0)
    coalesced = input.coalesced and len(left) == sparse
    return coalesce(SparseTensor.make(sparse_coo, (input.index[0][left],), entries, shape, coalesced))


def softmax(input: Any, dim: int, *, dtype: Any = None) -> Any:
    """Softmax along a dimension, over the entries alone: what has no entry counts as minus infinity.

    Args:
        input: a sparse tensor of layout COO.
        dim: along which dimension.
        dtype: to which the values are cast before.

    Raises:
        RuntimeError: another layout.

    Source: torch.sparse.softmax.

    Example:
        >>> import tritonflow as flow
        >>> flow.sparse.softmax(flow.eye(2).to_sparse(), 1).to_dense()
        tensor([[1., 0.],
                [0., 1.]])
    """
    return _softmax("softmax", input, dim, dtype, False)


def log_softmax(input: Any, dim: int, *, dtype: Any = None) -> Any:
    """The logarithm of softmax along a dimension, over the entries alone.

    Args:
        input: a sparse tensor of layout COO.
        dim: along which dimension.
        dtype: to which the values are cast before.

    Raises:
        RuntimeError: another layout.

    Source: torch.sparse.log_softmax.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.sparse_coo_tensor([[0, 0], [0, 2]], [1.0, 1.0], (1, 3))
        >>> flow.sparse.log_softmax(x, 1).values()
        tensor([-0.6931, -0.6931])
    """
    return _softmax("log_softmax", input, dim, dtype, True)


def _softmax(name: str, x: Any, dim: int, dtype: Any, log: bool) -> Any:
    if not isinstance(x, SparseTensor) or not x.is_sparse:
        raise InvalidArgumentError(f"{name}(): expected a sparse tensor of layout COO; help: x.to_sparse()")
    x = coalesce(x)
    entries: Any = x.entries if dtype is None else x.entries.to(dtype)
    dim, sparse = wrap_dim(dim, x.ndim), x.sparse_dim()
    if dim >= sparse:
        return x.with_entries((_C.log_softmax if log else _C.softmax)(entries, dim - sparse + 1))
    if not x._nnz():
        return x.with_entries(entries)
    sizes, rest = sparse_sizes(x), [d for d in range(sparse) if d != dim]
    keys = keys_of(x.index[0][rest], tuple(sizes[d] for d in rest)) if rest else x.index[0][0] * 0
    pools, of = _C.unique(keys, return_inverse=True)
    with no_grad():
        wide = of.reshape(-1, *[1] * (entries.ndim - 1)).expand(entries.shape)
        least = _C.zeros((pools.shape[0], *entries.shape[1:]), dtype=entries.dtype, device=entries.device)
        most = least.scatter_reduce(0, wide, entries.detach(), "amax", include_self=False)
    shifted = entries - _C.index_select(most, 0, of)
    exps = _C.exp(shifted)
    total = _C.index_select(added(exps, of, pools.shape[0]), 0, of)
    return x.with_entries(shifted - _C.log(total) if log else exps / total)


def norm(input: SparseTensor, p: Any = "fro", dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Any:
    """The norm of all elements."""
    if dim is not None or keepdim or (isinstance(p, (int, float)) and p <= 0):
        raise refusal("norm along dimensions, or of an order that is not positive", input.layout)
    entries: Any = (coalesce(input) if input.is_sparse else input).entries
    return _C.norm(entries.reshape(-1) if dtype is None else entries.reshape(-1).to(dtype), 2 if p in ("fro", None) else p)


# ------------------------------------------------------------------------------------------------- parts


def index_select(input: SparseTensor, dim: int, index: Any) -> Any:
    """The slices at `index` along a dimension, of a COO tensor; one may be named more than once."""
    if not isinstance(input, SparseTensor) or not input.is_sparse:
        raise refusal("index_select", sparse_coo if not isinstance(input, SparseTensor) else input.layout)
    dim, sparse, count = wrap_dim(dim, input.ndim), input.sparse_dim(), index.numel()
    index = index.to(int64)
    if index.ndim > 1:
        raise ShapeError(f"index_select(): expected an index of one dimension, got {index.ndim}")
    if count and (int(index.min()) < 0 or int(index.max()) >= input.shape[dim]):
        raise IndexError(f"index_select(): index out of range for dimension {dim} with size {input.shape[dim]}")
    shape = (*input.shape[:dim], count, *input.shape[dim + 1:])
    if dim >= sparse:
        return input.with_entries(_C.index_select(input.entries, dim - sparse + 1, index), shape)
    refuse_capture()
    source, index = coalesce(input), index.reshape(-1)
    matches = _C.nonzero(source.index[0][dim].unsqueeze(1) == index) if count * source._nnz() < 1 << 22 else None
    of, where = (matches[:, 0], matches[:, 1]) if matches is not None else _matches(source.index[0][dim], index)
    at = list(_C.index_select(source.index[0], 1, of).unbind(0))
    at[dim] = where
    return coalesce(SparseTensor.make(sparse_coo, (_C.stack(at),), _C.index_select(source.entries, 0, of), shape))


def _matches(have: Any, wanted: Any) -> tuple[Any, Any]:
    """All pairs (entry, number in wanted) of equal numbers."""
    order = _C.argsort(wanted)
    ordered = _C.index_select(wanted, 0, order)
    begin, end = _C.searchsorted(ordered, have), _C.searchsorted(ordered, have, right=True)
    counts = end - begin
    of = _C.repeat_interleave(_C.arange(have.shape[0], device=have.device), counts)
    rank = _C.arange(of.shape[0], device=have.device) - _C.index_select(_C.cumsum(counts, 0) - counts, 0, of)
    return of, _C.index_select(order, 0, _C.index_select(begin, 0, of) + rank)


def select(input: SparseTensor, dim: int, index: int) -> Any:
    """The slice at a number along a dimension; dense where no sparse dimension is left."""
    dim = wrap_dim(dim, input.ndim)
    if not -input.shape[dim] <= index < input.shape[dim]:
        raise IndexError(f"select(): index {index} out of range for tensor of size {list(input.shape)} at dimension {dim}")
    at = _C.full((1,), index % input.shape[dim], dtype=int64, device=input.entries.device)
    part = index_select(input, dim, at)
    shape = (*input.shape[:dim], *input.shape[dim + 1:])
    sparse = input.sparse_dim()
    if dim >= sparse:
        return part.with_entries(part.entries.squeeze(dim - sparse + 1), shape)
    if sparse == 1:
        return part.entries.sum(0)
    rows = [d for d in range(sparse) if d != dim]
    return SparseTensor.make(sparse_coo, (part.index[0][rows],), part.entries, shape, True)


def cat(tensors: Any, dim: int = 0) -> Any:
    """COO tensors joined along a dimension."""
    if not isinstance(tensors, (list, tuple)) or not all(isinstance(x, SparseTensor) and x.is_sparse for x in tensors):
        raise InvalidArgumentError("Concatenating sparse tensors, but a dense tensor, or one of another layout, was found")
    first = tensors[0]
    dim, sparse = wrap_dim(dim, first.ndim), first.sparse_dim()
    for x in tensors:
        if (*x.shape[:dim], *x.shape[dim + 1:], x.sparse_dim()) != (*first.shape[:dim], *first.shape[dim + 1:], sparse):
            raise ShapeError(f"cat(): expected tensors that fit along dimension {dim}, got {list(first.shape)} and {list(x.shape)}")
    if dim >= sparse:
        raise refusal("cat along a dense dimension", sparse_coo)
    index, start = [], 0
    for x in tensors:
        shift = _C.zeros(sparse, 1, dtype=int64, device=x.entries.device)
        shift[dim] = start
        index.append(x.index[0] + shift)
        start += x.shape[dim]
    shape = (*first.shape[:dim], start, *first.shape[dim + 1:])
    made = SparseTensor.make(sparse_coo, (_C.cat(index, 1),), _C.cat([x.entries for x in tensors], 0), shape)
    return coalesce(made) if all(x.coalesced for x in tensors) else made


def unsqueeze(input: SparseTensor, dim: int) -> SparseTensor:
    """The COO tensor with another dimension of size 1."""
    dim = wrap_dim(dim, input.ndim + 1)
    if not input.is_sparse:
        raise refusal("unsqueeze", input.layout)
    shape, sparse = (*input.shape[:dim], 1, *input.shape[dim:]), input.sparse_dim()
    if dim > sparse:
        return input.with_entries(input.entries.unsqueeze(dim - sparse + 1), shape)
    row = _C.zeros(1, input._nnz(), dtype=int64, device=input.entries.device)
    index = _C.cat([input.index[0][:dim], row, input.index[0][dim:]], 0)
    return SparseTensor.make(sparse_coo, (index,), input.entries, shape, input.coalesced)


def spdiags(diagonals: Any, offsets: Any, shape: Any, layout: Any = None) -> Any:
    """A sparse matrix from its diagonals: row k of `diagonals` is that at `offsets[k]`, and its element j is in column j.

    Args:
        diagonals: (diagonals, length), or one alone.
        offsets: (diagonals), integers: above the main diagonal where positive; none twice.
        shape: (rows, columns).
        layout: `flow.sparse_coo`, `sparse_csr` or `sparse_csc`; COO unless given.

    Raises:
        RuntimeError: arguments that do not fit, or an offset twice.

    Source: torch.sparse.spdiags.

    Example:
        >>> import tritonflow as flow
        >>> flow.sparse.spdiags(flow.tensor([[1.0, 2.0, 3.0]]), flow.tensor([1]), (3, 3)).to_dense()
        tensor([[0., 2., 0.],
                [0., 0., 3.],
                [0., 0., 0.]])
    """
    refuse_capture()
    if diagonals.ndim == 1:
        diagonals = diagonals.unsqueeze(0)
    shifts = offsets.reshape(-1).tolist()
    if diagonals.ndim != 2 or len(shifts) != diagonals.shape[0]:
        raise ShapeError(f"spdiags(): expected an offset for each of {diagonals.shape[0]} diagonals, got {len(shifts)}")
    if len(set(shifts)) != len(shifts):
        raise InvalidArgumentError("spdiags(): Offset tensor contains duplicate values")
    rows, columns = shape
    column = _C.arange(diagonals.shape[1], device=diagonals.device).expand(diagonals.shape).reshape(-1)
    row = column - offsets.to(int64).reshape(-1, 1).expand(diagonals.shape).reshape(-1)
    inside = _C.nonzero((row >= 0) & (row < rows) & (column < columns)).reshape(-1)
    index = _C.index_select(_C.stack([row, column]), 1, inside)
    entries = _C.index_select(diagonals.reshape(-1), 0, inside)
    made = SparseTensor.make(sparse_coo, (index,), entries, (rows, columns))
    return coalesce(made) if layout is None else to_sparse(coalesce(made), layout=layout)

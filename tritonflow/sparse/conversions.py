"""From one layout to another, and to dense tensors and back.

Words: the *key* of an entry is its position as one number, in row-major order of the sparse dimensions. A *line* of a compressed
matrix is a row of CSR, or a column of CSC.
"""

from __future__ import annotations

from math import prod
from typing import Any

from tritonflow import _C
from tritonflow.dtypes import bool_, int64
from tritonflow.errors import InvalidArgumentError, ShapeError
from tritonflow.framework.tensor import Tensor
from tritonflow.members.torch_names import StorageLayout, sparse_coo, sparse_csc, sparse_csr, strided
from tritonflow.sparse.tensor import SparseTensor, refusal, refuse_capture


def keys_of(index: Any, sizes: tuple[int, ...]) -> Any:
    """The keys of entries at `index` (sparse dimensions, entries) in an array of such sizes."""
    if not sizes:
        return _C.zeros(index.shape[1], dtype=int64, device=index.device)
    keys = index[0]
    for k in range(1, len(sizes)):
        keys = keys * sizes[k] + index[k]
    return keys


def positions_of(keys: Any, sizes: tuple[int, ...]) -> Any:
    """The inverse of `keys_of`."""
    rows = []
    for size in reversed(sizes):
        rows.append(keys % max(size, 1))
        keys = _C.div(keys, max(size, 1), rounding_mode="floor")
    return _C.stack(rows[::-1]) if rows else _C.zeros(0, keys.shape[0], dtype=int64, device=keys.device)


def lines_of(compressed: Any, count: int) -> Any:
    """The line of each entry, by where lines begin."""
    entries = _C.arange(count, dtype=compressed.dtype, device=compressed.device)
    return _C.searchsorted(compressed[1:].contiguous(), entries, right=True).to(compressed.dtype)


def starts_of(lines: Any, count: int) -> Any:
    """Where lines begin among entries that are sorted by line, and where the last one ends."""
    return _C.searchsorted(lines, _C.arange(count + 1, dtype=lines.dtype, device=lines.device)).to(lines.dtype)


def matrix_index(x: SparseTensor) -> tuple[Any, Any]:
    """The rows and the columns of the entries of a matrix of any layout."""
    if x.is_sparse:
        if x.sparse_dim() != 2 or x.dense_dim():
            raise ShapeError(
                f"expected a sparse matrix of two sparse dimensions, got {x.sparse_dim()} sparse and {x.dense_dim()} dense ones"
            )
        return x.index[0][0], x.index[0][1]
    lines = lines_of(x.index[0], x._nnz())
    return (lines, x.index[1]) if x.layout is sparse_csr else (x.index[1], lines)


def sparse_sizes(x: SparseTensor) -> tuple[int, ...]:
    """The sizes of the sparse dimensions."""
    return tuple(x.meta.shape[: x.sparse_dim()])


def first_of_each(x: SparseTensor) -> SparseTensor:
    """The first entry of each position, in order. Entries at one position have equal values here."""
    if x.coalesced:
        return x
    keys = keys_of(x.index[0], sparse_sizes(x))
    unique, inverse = _C.unique(keys, return_inverse=True)
    at = _C.arange(keys.shape[0], device=keys.device)
    first = _C.full(tuple(unique.shape), keys.shape[0], dtype=int64, device=keys.device)
    first = first.scatter_reduce(0, inverse, at, "amin")
    entries = _C.index_select(x.entries, 0, first)
    return SparseTensor.make(sparse_coo, (positions_of(unique, sparse_sizes(x)),), entries, x.meta.shape, True)


def coalesce(self: SparseTensor) -> SparseTensor:
    """A COO tensor whose entries are sorted by where they are; those at one position are added. Itself where that is so already."""
    self._require("coalesce", sparse_coo)
    if self.coalesced:
        return self
    refuse_capture()
    sizes, entries = sparse_sizes(self), self.entries
    unique, inverse = _C.unique(keys_of(self.index[0], sizes), return_inverse=True)
    total = added(entries, inverse, unique.shape[0])
    return SparseTensor.make(sparse_coo, (positions_of(unique, sizes),), total, self.meta.shape, True)


def added(entries: Any, where: Any, count: int) -> Any:
    """The entries, added to `count` sums, of which `where` tells each one's."""
    if entries.dtype is bool_:
        return added(entries.to(int64), where, count) > 0
    start = _C.zeros((count, *entries.shape[1:]), dtype=entries.dtype, device=entries.device)
    return start.index_add(0, where, entries) if entries.shape[0] else start


def to_dense(self: SparseTensor, dtype: Any = None, *, masked_grad: bool | None = None) -> Any:
    """The dense tensor: zeros where there is no entry."""
    shape = tuple(self.meta.shape)
    if self.is_sparse:
        sizes, index = sparse_sizes(self), self.index[0]
    else:
        rows, columns = matrix_index(self)
        sizes, index = shape, (rows.to(int64), columns.to(int64))
    dense = added(self.entries, keys_of(index, sizes), prod(sizes)).reshape(shape)
    return dense if dtype is None else dense.to(dtype)


def to_sparse(
    self: Any, sparse_dim: int | None = None, *, layout: StorageLayout | None = None, blocksize: Any = None,
    dense_dim: int | None = None,
) -> Any:  # fmt: skip
    """The tensor in a sparse layout, COO unless another is given.

    Args:
        sparse_dim: how many of the first dimensions are sparse; all unless given.
        layout: the layout.
        blocksize: refused: there are no layouts of blocks.
        dense_dim: how many of the last dimensions are dense, in place of sparse_dim.

    Raises:
        RuntimeError: a layout that the tensor cannot have.
        NotImplementedError: a layout that does not exist here.

    Source: torch.Tensor.to_sparse.

    Example:
        >>> import tritonflow as flow
        >>> flow.eye(2).to_sparse()
        tensor(indices=tensor([[0, 1],
                               [0, 1]]),
               values=tensor([1., 1.]),
               size=(2, 2), nnz=2, layout=tritonflow.sparse_coo)
    """
    if isinstance(sparse_dim, StorageLayout):
        sparse_dim, layout = None, sparse_dim
    layout = layout or sparse_coo
    if layout in (sparse_csr, sparse_csc):
        return to_compressed(self, layout, dense_dim)
    if layout is strided:
        return self.to_dense()
    if layout is not sparse_coo or blocksize is not None:
        raise refusal("to_sparse", layout)
    if isinstance(self, SparseTensor):
        return _to_coo(self)
    if sparse_dim is None:
        sparse_dim = self.ndim - (dense_dim or 0)
    if not 0 <= sparse_dim <= self.ndim or (sparse_dim == 0 and self.ndim):
        raise InvalidArgumentError(f"to_sparse(): expected sparse_dim from 1 to {self.ndim}, got {sparse_dim}")
    return _entries_of(self, sparse_dim)


def _entries_of(x: Any, sparse_dim: int) -> SparseTensor:
    """The elements of a dense tensor that are not zero."""
    refuse_capture()
    sizes, rest = tuple(x.shape[:sparse_dim]), tuple(x.shape[sparse_dim:])
    slices = x.detach().reshape(prod(sizes), prod(rest)) != 0
    keys = _C.nonzero(slices.any(1)).reshape(-1)
    entries = _C.index_select(x.reshape(prod(sizes), *rest), 0, keys)
    return SparseTensor.make(sparse_coo, (positions_of(keys, sizes),), entries, tuple(x.shape), True)


def _to_coo(x: SparseTensor) -> SparseTensor:
    if x.is_sparse:
        return x
    rows, columns = matrix_index(x)
    index = _C.stack([rows.to(int64), columns.to(int64)])
    made = SparseTensor.make(sparse_coo, (index,), x.entries, x.meta.shape, True)
    return made if x.layout is sparse_csr else _sorted(made)


def _sorted(x: SparseTensor) -> SparseTensor:
    """A COO tensor of different positions, sorted."""
    order = _C.argsort(keys_of(x.index[0], sparse_sizes(x)))
    index, entries = _C.index_select(x.index[0], 1, order), _C.index_select(x.entries, 0, order)
    return SparseTensor.make(sparse_coo, (index,), entries, x.meta.shape, True)


def to_compressed(x: Any, layout: StorageLayout, dense_dim: int | None = None) -> Any:
    """A matrix in layout CSR or CSC, whose elements are numbers: no dimension is dense."""
    if dense_dim:
        raise InvalidArgumentError(f"to_{layout.name}(): dense_dim argument must be in [0,0] range, but {dense_dim} is given")
    if x.ndim != 2:
        raise InvalidArgumentError(
            f"to_{layout.name}(): expected a matrix, got a tensor of {x.ndim} dimensions; help: batches are not implemented"
        )
    if x.layout is layout:
        return x
    coo = _to_coo(x) if isinstance(x, SparseTensor) else _entries_of(x, 2)
    matrix_index(coo)  # two sparse dimensions
    coo = coalesce(coo) if layout is sparse_csr else coalesce(transposed(coo))
    lines, plain = coo.index[0]
    return SparseTensor.make(layout, (starts_of(lines, coo.shape[0]), plain), coo.entries, tuple(x.shape), True)


def transposed(x: SparseTensor, dim0: int = 0, dim1: int = 1) -> SparseTensor:
    """The tensor with two dimensions swapped: both sparse, or both dense."""
    shape = list(x.shape)
    shape[dim0], shape[dim1] = shape[dim1], shape[dim0]
    if not x.is_sparse:
        layout = sparse_csc if x.layout is sparse_csr else sparse_csr
        return SparseTensor.make(layout, x.index, x.entries, tuple(shape), True) if dim0 != dim1 else x
    sparse = x.sparse_dim()
    if (dim0 < sparse) is not (dim1 < sparse):
        raise InvalidArgumentError("transpose(): cannot transpose a sparse dimension with a dense one")
    if dim0 >= sparse:
        return x.with_entries(x.entries.transpose(dim0 - sparse + 1, dim1 - sparse + 1), tuple(shape))
    order = list(range(sparse))
    order[dim0], order[dim1] = order[dim1], order[dim0]
    index = x.index[0][order] if dim0 != dim1 else x.index[0]
    return SparseTensor.make(sparse_coo, (index,), x.entries, tuple(shape), dim0 == dim1 and x.coalesced)


def sparse_mask(self: Tensor, mask: SparseTensor) -> Any:
    """The elements of a tensor where `mask` has entries, as a sparse tensor of its layout.

    Args:
        mask: a sparse tensor of the same shape; its values do not matter.

    Raises:
        RuntimeError: another shape, or a mask that is dense.

    Source: torch.Tensor.sparse_mask.

    Example:
        >>> import tritonflow as flow
        >>> flow.tensor([[1.0, 2.0], [3.0, 4.0]]).sparse_mask(flow.eye(2).to_sparse()).values()
        tensor([1., 4.])
    """
    if not isinstance(mask, SparseTensor):
        raise InvalidArgumentError("sparse_mask(): expected a mask of a sparse layout, got a dense tensor; help: mask.to_sparse()")
    if tuple(self.shape) != tuple(mask.shape):
        raise ShapeError(
            f"sparse_mask(): operands have incompatible sizes; self has size {list(self.shape)} but mask has size"
            f" {list(mask.shape)}"
        )
    mask = coalesce(mask) if mask.is_sparse else mask
    dense = to_dense(self) if isinstance(self, SparseTensor) else self
    return mask.with_entries(elements_at(dense, mask))


def elements_at(dense: Any, x: SparseTensor) -> Any:
    """The elements of a dense tensor of the same shape where a sparse one has entries."""
    sizes = sparse_sizes(x)
    index = x.index[0] if x.is_sparse else [part.to(int64) for part in matrix_index(x)]
    return _C.index_select(dense.reshape(prod(sizes), *x.shape[len(sizes):]), 0, keys_of(index, sizes))

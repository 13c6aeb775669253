"""Sparse tensors from indices and values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow import _C
from tritonflow.binding.new_tensors import tensor
from tritonflow.dtypes import int32, int64
from tritonflow.errors import ArgumentTypeError, InvalidArgumentError, type_name
from tritonflow.framework.tensor import Tensor
from tritonflow.members.torch_names import StorageLayout, sparse_coo, sparse_csc, sparse_csr
from tritonflow.sparse import invariants
from tritonflow.sparse.tensor import COMPRESSED, SparseTensor, refusal


def sparse_coo_tensor(
    indices: Any = None, values: Any = None, size: Sequence[int] | None = None, *, dtype: Any = None, device: Any = None,
    pin_memory: bool = False, requires_grad: bool = False, check_invariants: bool | None = None, is_coalesced: bool | None = None,
) -> SparseTensor:  # fmt: skip
    """A sparse tensor of layout COO: entry k is `values[k]` at `indices[:, k]`. Values at one position are added.

    `sparse_coo_tensor(size)` is one without entries.

    Args:
        indices: (sparse dimensions, entries), integers; they become int64.
        values: (entries, *dense dimensions). Gradients flow to a tensor that requires one, unless `requires_grad` is given.
        size: the shape; the smallest that has all entries unless given.
        dtype, device: those of the values unless given.
        pin_memory: accepted and ignored.
        requires_grad: whether the sparse tensor is a leaf whose gradient is wanted.
        check_invariants: whether it is checked that `is_coalesced` is true. Shapes and bounds are checked in any case.
        is_coalesced: whether entries are sorted by position, none twice; not so unless given.

    Raises:
        RuntimeError: parts that do not fit, or an index outside of size.
        TypeError: neither indices and values nor a size.

    Source: torch.sparse_coo_tensor.

    Example:
        >>> import tritonflow as flow
        >>> flow.sparse_coo_tensor([[0, 1, 1], [2, 0, 2]], [3.0, 4.0, 5.0], (2, 3)).to_dense()
        tensor([[0., 0., 3.],
                [4., 0., 5.]])
    """
    if values is None:
        shape = _shape(size if size is not None else indices)
        indices, values = _C.zeros(len(shape), 0, dtype=int64), _C.zeros(0, dtype=dtype)
        size, is_coalesced = shape, True
    at, entries = _parts((indices,), values, dtype, device, requires_grad)
    index = at[0].to(int64)
    invariants.check_coo_parts(index, entries)
    if size is None:
        size = (*invariants.smallest_size(index), *entries.shape[1:])
    shape = _shape(size)
    invariants.check_coo(index, entries, shape, bool(is_coalesced) and invariants.are_checked(check_invariants))
    coalesced = bool(is_coalesced) or is_coalesced is None and not index.shape[1]
    return SparseTensor.make(sparse_coo, (index,), entries, shape, coalesced, requires_grad)


def sparse_compressed_tensor(
    compressed_indices: Any, plain_indices: Any, values: Any, size: Sequence[int] | None = None, *, dtype: Any = None,
    layout: StorageLayout | None = None, device: Any = None, pin_memory: bool = False, requires_grad: bool = False,
    check_invariants: bool | None = None,
) -> SparseTensor:  # fmt: skip
    """A sparse matrix of layout CSR or CSC.

    Args:
        compressed_indices: where the rows (of CSR; columns of CSC) begin among the entries, and where the last one ends.
        plain_indices: the columns (rows) of the entries; ascending in each row (column), none twice.
        values: (entries).
        size: the shape; the smallest that has all entries unless given.
        dtype, device: those of the values unless given.
        layout: `flow.sparse_csr` or `flow.sparse_csc`.
        pin_memory: accepted and ignored.
        requires_grad: whether the sparse tensor is a leaf whose gradient is wanted.
        check_invariants: whether it is checked that indices ascend. Shapes and bounds are checked in any case.

    Raises:
        RuntimeError: parts that do not fit, or an index outside of size.
        NotImplementedError: batches of matrices, blocks, or values of more dimensions.

    Source: torch.sparse_compressed_tensor.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.sparse_compressed_tensor([0, 1, 3], [2, 0, 2], [3.0, 4.0, 5.0], (2, 3), layout=flow.sparse_csr)
        >>> x.to_dense()
        tensor([[0., 0., 3.],
                [4., 0., 5.]])
    """
    name = f"{layout.name}_tensor" if layout is not None else "sparse_compressed_tensor"
    if layout not in COMPRESSED:
        if layout is None:
            raise InvalidArgumentError("sparse_compressed_tensor expected sparse compressed tensor layout but got None")
        raise refusal("sparse_compressed_tensor", layout)
    (compressed, plain), entries = _parts((compressed_indices, plain_indices), values, dtype, device, requires_grad)
    invariants.check_compressed_parts(name, compressed, plain, entries)
    if size is None:
        size = (len(compressed) - 1, int(plain.max()) + 1 if len(plain) else 0)
        size = size if layout is sparse_csr else size[::-1]
    shape = _shape(size)
    count = shape if layout is sparse_csr else shape[::-1]
    invariants.check_compressed(name, compressed, plain, count, invariants.are_checked(check_invariants))
    return SparseTensor.make(layout, (compressed, plain), entries, shape, True, requires_grad)


def sparse_csr_tensor(crow_indices: Any, col_indices: Any, values: Any, size: Any = None, **options: Any) -> SparseTensor:
    """A sparse matrix of layout CSR: row i has the entries `crow_indices[i]` to `crow_indices[i + 1]`.

    Args:
        crow_indices: (rows + 1), integers.
        col_indices: (entries), integers.
        values: (entries).
        size: (rows, columns); the smallest that has all entries unless given.
        options: as of `sparse_compressed_tensor`.

    Raises:
        RuntimeError: parts that do not fit, or an index outside of size.
        NotImplementedError: batches of matrices.

    Source: torch.sparse_csr_tensor.

    Example:
        >>> import tritonflow as flow
        >>> flow.sparse_csr_tensor([0, 1, 3], [2, 0, 2], [3.0, 4.0, 5.0], (2, 3)) @ flow.ones(3, 1)
        tensor([[3.],
                [9.]])
    """
    return sparse_compressed_tensor(crow_indices, col_indices, values, size, **{**options, "layout": sparse_csr})


def sparse_csc_tensor(ccol_indices: Any, row_indices: Any, values: Any, size: Any = None, **options: Any) -> SparseTensor:
    """A sparse matrix of layout CSC: column j has the entries `ccol_indices[j]` to `ccol_indices[j + 1]`.

    Args:
        ccol_indices: (columns + 1), integers.
        row_indices: (entries), integers.
        values: (entries).
        size: (rows, columns); the smallest that has all entries unless given.
        options: as of `sparse_compressed_tensor`.

    Raises:
        RuntimeError: parts that do not fit, or an index outside of size.
        NotImplementedError: batches of matrices.

    Source: torch.sparse_csc_tensor.

    Example:
        >>> import tritonflow as flow
        >>> flow.sparse_csc_tensor([0, 1, 2], [1, 0], [3.0, 4.0], (2, 2)).to_dense()
        tensor([[0., 4.],
                [3., 0.]])
    """
    return sparse_compressed_tensor(ccol_indices, row_indices, values, size, **{**options, "layout": sparse_csc})


def _shape(size: Any) -> tuple[int, ...]:
    if not isinstance(size, Sequence):
        raise ArgumentTypeError(f"sparse tensors: expected a size, a sequence of integers, got {type_name(size)}")
    shape = tuple(int(n) for n in size)
    if any(n < 0 for n in shape):
        raise InvalidArgumentError(f"sparse tensors: expected sizes that are not negative, got {list(shape)}")
    return shape


def _parts(index: tuple[Any, ...], values: Any, dtype: Any, device: Any, requires_grad: bool) -> tuple[tuple[Any, ...], Any]:
    """The parts as dense tensors on one device; values without their history where the sparse tensor is a leaf."""
    entries: Any = values if isinstance(values, Tensor) else tensor(values, dtype=dtype)
    if getattr(entries, "_is_sparse_tensor", False):
        raise InvalidArgumentError("sparse tensors: expected dense values, got a sparse tensor; help: its to_dense()")
    entries = entries.to(device=device or entries.device, dtype=dtype or entries.dtype)
    if requires_grad:
        entries = entries.detach().requires_grad_()
    found = []
    for part in index:
        part = part if isinstance(part, Tensor) else tensor(part)
        if part.dtype not in (int32, int64) and not (part.numel() and part.dtype.has_gradient):
            part = part.to(int64)
        if part.dtype.has_gradient:
            raise InvalidArgumentError(f"sparse tensors: expected indices of an integer dtype, got {part.dtype!r}")
        found.append(part.detach().to(device=entries.device))
    return tuple(found), entries

"""Products of sparse matrices: with dense matrices, vectors, and each other."""

from __future__ import annotations

from typing import Any

from tritonflow import _C
from tritonflow.dtypes import int64
from tritonflow.errors import DTypeError, InvalidArgumentError, ShapeError
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.grad_mode import no_grad
from tritonflow.members.torch_names import sparse_coo, sparse_csr
from tritonflow.sparse.conversions import (
    added,
    coalesce,
    matrix_index,
    to_compressed,
    to_sparse,
    transposed,
)  # fmt: skip
from tritonflow.sparse.tensor import SparseTensor, refusal, refuse_capture

_REDUCES = {"sum": "sum", "mean": "mean", "amax": "amax", "amin": "amin", "max": "amax", "min": "amin"}


def mm(sparse: Any, dense: Any, reduce: str = "sum") -> Any:
    """The product of two matrices, one of which is sparse at least; that of two sparse ones is sparse.

    Gradients flow to the values of the sparse matrix, and to the dense one.

    Args:
        sparse: (n, m).
        dense: (m, p).
        reduce: what is done with the products that make one element: "sum", or of a sparse and a dense matrix "mean", "amax", or
            "amin" (also "max", "min") over the entries of a row; 0 for a row without entries.

    Raises:
        RuntimeError: matrices that do not fit, of different dtypes, or another reduce.

    Source: torch.sparse.mm.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.sparse_coo_tensor([[0, 1, 1], [2, 0, 2]], [3.0, 4.0, 5.0], (2, 3))
        >>> flow.sparse.mm(x, flow.ones(3, 2))
        tensor([[3., 3.],
                [9., 9.]])
    """
    if reduce not in _REDUCES:
        raise InvalidArgumentError(f"mm(): expected reduce to be sum, mean, amax or amin, got {reduce!r}")
    _check("mm", sparse, dense, 2)
    if not isinstance(sparse, SparseTensor):
        if not isinstance(dense, SparseTensor):
            return _C.mm(sparse, dense)
        if reduce != "sum":
            raise InvalidArgumentError(f"mm(): reduce {reduce!r} is that of a sparse matrix with a dense one")
        return mm(transposed(dense), sparse.t()).t()
    if isinstance(dense, SparseTensor):
        if reduce != "sum":
            raise InvalidArgumentError(f"mm(): reduce {reduce!r} is that of a sparse matrix with a dense one")
        return _sparse_product(sparse, dense)
    rows, columns = matrix_index(sparse)
    terms = sparse.entries.unsqueeze(1) * _C.index_select(dense, 0, columns)
    if reduce == "sum":
        return added(terms, rows, sparse.shape[0])
    return _reduced(terms, rows, sparse.shape[0], _REDUCES[reduce])


def _reduced(terms: Any, rows: Any, count: int, reduce: str) -> Any:
    """The mean or the extremes of the terms of each row. A gradient of an extreme goes to its first term alone, as in torch."""
    rows = rows.to(int64)
    if reduce == "mean":
        ones = _C.ones(rows.shape[0], dtype=terms.dtype, device=terms.device)
        return added(terms, rows, count) / added(ones, rows, count).clamp(min=1).unsqueeze(1)
    wide = rows.unsqueeze(1).expand(terms.shape)
    zeros = _C.zeros(count, terms.shape[1], dtype=terms.dtype, device=terms.device)
    if not terms.numel():
        return zeros
    with no_grad():
        best = zeros.scatter_reduce(0, wide, terms.detach(), reduce, include_self=False)
        number = _C.arange(terms.shape[0], device=terms.device).unsqueeze(1).expand(terms.shape)
        reached = terms.detach() == _C.index_select(best, 0, rows)
        none = _C.full(tuple(zeros.shape), terms.shape[0], dtype=int64, device=terms.device)
        first = none.scatter_reduce(0, wide, _C.where(reached, number, terms.shape[0]), "amin")
    found = _C.gather(terms, 0, first.clamp(max=terms.shape[0] - 1))
    return _C.where(first < terms.shape[0], found, best)  # `best` of rows without entries, or with a NaN


def _sparse_product(a: SparseTensor, b: SparseTensor) -> Any:
    """The product of two sparse matrices: each entry (i, k) of `a` meets the entries of row k of `b`."""
    refuse_capture()
    layout = a.layout if a.layout is b.layout else sparse_csr
    other = to_compressed(b, sparse_csr)
    starts, columns = (part.to(int64) for part in other.index)
    rows, inner = (part.to(int64) for part in matrix_index(a))
    begin = _C.index_select(starts, 0, inner)
    counts = _C.index_select(starts, 0, inner + 1) - begin
    of_a = _C.repeat_interleave(_C.arange(a._nnz(), device=counts.device), counts)
    rank = _C.arange(of_a.shape[0], device=counts.device) - _C.index_select(_C.cumsum(counts, 0) - counts, 0, of_a)
    of_b = _C.index_select(begin, 0, of_a) + rank
    index = _C.stack([_C.index_select(rows, 0, of_a), _C.index_select(columns, 0, of_b)])
    terms = _C.index_select(a.entries, 0, of_a) * _C.index_select(other.entries, 0, of_b)
    product = SparseTensor.make(sparse_coo, (index,), terms, (a.shape[0], b.shape[1]))
    return to_sparse(coalesce(product), layout=layout)


def _check(name: str, a: Any, b: Any, ndim: int) -> None:
    for x in (a, b):
        if not isinstance(x, Tensor):
            raise InvalidArgumentError(f"{name}(): expected tensors, got {type(x).__name__}")
    if a.ndim != 2 or b.ndim != ndim:
        raise ShapeError(
            f"{name}(): expected a matrix and a {'matrix' if ndim == 2 else 'vector'}, got {a.ndim} and {b.ndim} dimensions;"
            " help: batches of sparse matrices are not implemented: multiply them one by one"
        )
    if a.shape[1] != b.shape[0]:
        raise ShapeError(f"{name}(): expected sizes that fit, got {list(a.shape)} and {list(b.shape)}")
    if a.dtype is not b.dtype:
        raise DTypeError(f"{name}(): expected tensors of one dtype, got {a.dtype!r} and {b.dtype!r}")
    if a.device != b.device:
        raise InvalidArgumentError(f"{name}(): expected tensors on one device, got {a.device} and {b.device}")


def mv(input: Any, vec: Any) -> Any:
    """A sparse matrix times a dense vector."""
    _check("mv", input, vec, 1)
    if isinstance(vec, SparseTensor):
        raise refusal("mv of a sparse vector", vec.layout)
    return mm(input, vec.unsqueeze(1)).squeeze(1)


def matmul(input: Any, other: Any) -> Any:
    """`@`: of matrices, or of a matrix and a vector."""
    if isinstance(input, Tensor) and isinstance(other, Tensor) and input.ndim == 2 and other.ndim == 1:
        return mv(input, other)
    if isinstance(input, Tensor) and isinstance(other, Tensor) and input.ndim == 1 and other.ndim == 2:
        return mv(transposed(other), input)  # type: ignore[arg-type]
    return mm(input, other)


def addmm(mat: Any, mat1: Any, mat2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """beta mat + alpha mat1 mat2, where mat1 or mat2 is sparse, and mat dense or of the layout of the product.

    Args:
        mat: (n, p), or what broadcasts to that.
        mat1: (n, m).
        mat2: (m, p).
        beta, alpha: factors.

    Raises:
        RuntimeError: matrices that do not fit, or of different dtypes.

    Source: torch.sparse.addmm.

    Example:
        >>> import tritonflow as flow
        >>> flow.sparse.addmm(flow.ones(2, 1), flow.eye(2).to_sparse(), flow.ones(2, 1), beta=3.0)
        tensor([[4.],
                [4.]])
    """
    product = mm(mat1, mat2)
    if mat.dtype is not product.dtype:
        raise DTypeError(f"addmm(): expected tensors of one dtype, got {mat.dtype!r} and {product.dtype!r}")
    product = product if alpha == 1 else product * alpha
    if beta == 0:
        return product
    added_to = mat if beta == 1 else mat * beta
    if isinstance(added_to, SparseTensor) and not isinstance(product, SparseTensor):
        raise refusal("addmm of a sparse matrix and a dense product", added_to.layout)
    return added_to + product


def sampled_addmm(input: Any, mat1: Any, mat2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """beta input + alpha (mat1 mat2 where `input` has entries): products of dense matrices, of which few elements are computed.

    Args:
        input: a sparse matrix (n, p).
        mat1: dense, (n, m).
        mat2: dense, (m, p).
        beta, alpha: factors.

    Raises:
        RuntimeError: matrices that do not fit, or of different dtypes.

    Source: torch.sparse.sampled_addmm.

    Example:
        >>> import tritonflow as flow
        >>> pattern = flow.eye(2).to_sparse_csr()
        >>> flow.sparse.sampled_addmm(pattern, flow.ones(2, 3), flow.ones(3, 2)).values()
        tensor([4., 4.])
    """
    if not isinstance(input, SparseTensor):
        raise InvalidArgumentError("sampled_addmm(): expected input to be a sparse matrix, got a dense tensor")
    _check("sampled_addmm", mat1, mat2, 2)
    if (mat1.shape[0], mat2.shape[1]) != tuple(input.shape) or input.dtype is not mat1.dtype:
        raise ShapeError(
            f"sampled_addmm(): expected input of shape {[mat1.shape[0], mat2.shape[1]]} and {mat1.dtype!r}, got"
            f" {list(input.shape)} and {input.dtype!r}"
        )
    input = coalesce(input) if input.is_sparse else input
    rows, columns = matrix_index(input)
    sampled = (_C.index_select(mat1, 0, rows) * _C.index_select(mat2.t(), 0, columns)).sum(1)
    return input.with_entries(beta * input.entries + alpha * sampled if beta != 0 else alpha * sampled)

"""Methods of torch's tensors that ask for sparse, quantized or other layouts, of dense tensors.

Questions have the answers of a dense tensor in torch. Conversions to sparse layouts are those of the room `sparse`, which is
imported with the first; those to layouts that do not exist here raise an error that tells what to do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from tritonflow.dtypes import DType
from tritonflow.errors import InvalidArgumentError, NotYetImplementedError
from tritonflow.first_use import at_first_use
from tritonflow.framework.tensor import Tensor
from tritonflow.members.torch_names import sparse_csc, sparse_csr

_CONVERSIONS = (
    "to_sparse_bsc", "to_sparse_bsr", "to_mkldnn", "sparse_resize_", "sparse_resize_and_clear_", "to_padded_tensor",
)  # fmt: skip
# By the method, the layout that torch's error names.
_PARTS = {
    "indices": "sparse coordinate", "coalesce": "sparse coordinate", "_indices": "sparse coordinate", "_nnz": "sparse coordinate",
    "values": "sparse", "_values": "sparse", "crow_indices": "sparse row compressed", "col_indices": "sparse row compressed",
    "ccol_indices": "sparse column compressed", "row_indices": "sparse column compressed",
}  # fmt: skip


def _refused_conversion(name: str) -> Callable[..., Any]:
    def method(self: Tensor, *args: Any, **options: Any) -> NoReturn:
        raise NotYetImplementedError(
            f"{name}(): there is no such layout here; help: keep the tensor dense, with zeros or a mask, or make it sparse by"
            " to_sparse() or to_sparse_csr()"
        )

    method.__name__ = name
    method.__doc__ = f"""Refused: there is no such layout.

    Args:
        args, options: those of torch.

    Raises:
        NotImplementedError: always.

    Source: torch.Tensor.{name}.
    """
    return method


def _refused_part(name: str, layout: str) -> Callable[..., Any]:
    def method(self: Tensor) -> Any:
        raise InvalidArgumentError(f"{name} expected {layout} tensor layout but got Strided")

    method.__name__ = name
    method.__doc__ = f"""Refused, as of a dense tensor in torch.

    Raises:
        RuntimeError: always.

    Source: torch.Tensor.{name}.
    """
    return method


_sparse = at_first_use(__name__, {"to_sparse": "sparse.conversions.to_sparse", "sparse_mask": "sparse.conversions.sparse_mask"})


def to_sparse(self: Tensor, *args: Any, **options: Any) -> Any:
    """The tensor in a sparse layout, COO unless another is given: the elements that are not zero.

    Args:
        args, options: sparse_dim, how many of the first dimensions are sparse; layout; as of torch.

    Raises:
        RuntimeError: a layout that the tensor cannot have.
        NotImplementedError: a layout that does not exist here.

    Source: torch.Tensor.to_sparse.

    Example:
        >>> import tritonflow as flow
        >>> flow.eye(2).to_sparse().indices()
        tensor([[0, 1],
                [0, 1]])
    """
    return _sparse("to_sparse")(self, *args, **options)


def to_sparse_csr(self: Tensor, dense_dim: int | None = None) -> Any:
    """A matrix in layout CSR: the elements that are not zero, row by row.

    Args:
        dense_dim: how many dimensions are dense; None or 0, for a matrix has no more.

    Raises:
        RuntimeError: the tensor is no matrix, or `dense_dim` is another number.

    Source: torch.Tensor.to_sparse_csr.

    Example:
        >>> import tritonflow as flow
        >>> flow.eye(2).to_sparse_csr().crow_indices()
        tensor([0, 1, 2])
    """
    return _sparse("to_sparse")(self, layout=sparse_csr, dense_dim=dense_dim)


def to_sparse_csc(self: Tensor, dense_dim: int | None = None) -> Any:
    """A matrix in layout CSC: the elements that are not zero, column by column.

    Args:
        dense_dim: how many dimensions are dense; None or 0, for a matrix has no more.

    Raises:
        RuntimeError: the tensor is no matrix, or `dense_dim` is another number.

    Source: torch.Tensor.to_sparse_csc.

    Example:
        >>> import tritonflow as flow
        >>> flow.eye(2).to_sparse_csc().ccol_indices()
        tensor([0, 1, 2])
    """
    return _sparse("to_sparse")(self, layout=sparse_csc, dense_dim=dense_dim)


def sparse_mask(self: Tensor, mask: Tensor) -> Any:
    """The elements where a sparse tensor of the same shape has entries, as a tensor of its layout.

    Args:
        mask: the sparse tensor.

    Raises:
        RuntimeError: another shape, or a dense mask.

    Source: torch.Tensor.sparse_mask.

    Example:
        >>> import tritonflow as flow
        >>> flow.tensor([[1.0, 2.0], [3.0, 4.0]]).sparse_mask(flow.eye(2).to_sparse()).values()
        tensor([1., 4.])
    """
    return _sparse("sparse_mask")(self, mask)


def to_dense(self: Tensor, dtype: DType | None = None, *, masked_grad: bool | None = None) -> Tensor:
    """The tensor, which is dense, in another dtype if one is given.

    Args:
        dtype: of the result; its own unless given.
        masked_grad: torch's, of sparse tensors; nothing here.

    Source: torch.Tensor.to_dense, torch.Tensor.dequantize.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.ones(2)
        >>> x.to_dense() is x
        True
    """
    return self if dtype is None else self.to(dtype)  # type: ignore[attr-defined]


def sparse_dim(self: Tensor) -> int:
    """How many dimensions are sparse: none.

    Source: torch.Tensor.sparse_dim.

    Example:
        >>> import tritonflow as flow
        >>> flow.ones(2, 3).sparse_dim()
        0
    """
    return 0


def dense_dim(self: Tensor) -> int:
    """How many dimensions are dense: all.

    Source: torch.Tensor.dense_dim.

    Example:
        >>> import tritonflow as flow
        >>> flow.ones(2, 3).dense_dim()
        2
    """
    return self.meta.ndim


def dim_order(self: Tensor) -> tuple[int, ...]:
    """The dimensions in the order in which they lie in memory, the one with the largest stride first.

    Example:
        >>> import tritonflow as flow
        >>> flow.ones(2, 3).T.dim_order()
        (1, 0)
    """
    return tuple(sorted(range(self.meta.ndim), key=lambda dim: -self.meta.on_one_rank.stride[dim]))


def is_set_to(self: Tensor, tensor: Tensor) -> bool:
    """Whether both are the same elements of the same memory in the same shape.

    Args:
        tensor: the other one.

    Source: torch.Tensor.is_set_to.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.ones(2, 3)
        >>> x.is_set_to(x.view(2, 3)), x.is_set_to(x.view(3, 2))
        (True, False)
    """
    return (self.ptr, self.meta.shape, self.meta.stride) == (tensor.ptr, tensor.meta.shape, tensor.meta.stride)


def const_data_ptr(self: Tensor) -> int:
    """The address of the first element, which the caller only reads; see `data_ptr`.

    Source: ATen's Tensor::const_data_ptr.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.ones(2)
        >>> x.const_data_ptr() == x.data_ptr()
        True
    """
    return int(self.data_ptr())


def make_subclass(cls: type, data: Tensor, require_grad: bool = False, **options: Any) -> Any:
    """A tensor of a subclass over the memory of `data`, without its history."""
    return data.detach().as_subclass(cls).requires_grad_(require_grad)  # type: ignore[attr-defined]


METHODS: dict[str, Any] = {
    **{name: _refused_conversion(name) for name in _CONVERSIONS},
    **{name: _refused_part(name, layout) for name, layout in _PARTS.items()},
    "to_sparse": to_sparse,
    "to_sparse_coo": to_sparse,
    "to_sparse_csr": to_sparse_csr,
    "to_sparse_csc": to_sparse_csc,
    "sparse_mask": sparse_mask,
    "to_dense": to_dense,
    "dequantize": to_dense,
    "sparse_dim": sparse_dim,
    "dense_dim": dense_dim,
    "dim_order": dim_order,
    "is_set_to": is_set_to,
    "const_data_ptr": const_data_ptr,
    "_make_subclass": staticmethod(make_subclass),
}

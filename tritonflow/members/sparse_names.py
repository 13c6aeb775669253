"""Methods of torch's tensors that ask for sparse, quantized or other layouts: every tensor here is dense, and says so.

Questions have the answers of a dense tensor in torch. Conversions to other layouts raise an error that tells what to do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from tritonflow.dtypes import DType
from tritonflow.errors import InvalidArgumentError, NotYetImplementedError
from tritonflow.framework.tensor import Tensor

_CONVERSIONS = (
    "to_sparse", "to_sparse_bsc", "to_sparse_bsr", "to_sparse_coo", "to_sparse_csc", "to_sparse_csr", "to_mkldnn", "sparse_mask",
    "sparse_resize_", "sparse_resize_and_clear_", "to_padded_tensor",
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
            f"{name}(): tritonflow has dense tensors alone; help: keep the tensor dense, with zeros or a mask,"
            " or hold indices and values as two tensors"
        )

    method.__name__ = name
    method.__doc__ = f"""Refused: every tensor is dense.

    Args:
        args, options: those of torch.

    Raises:
        NotImplementedError: always.

    Source: torch.Tensor.{name}.
    """
    return method


def _refused_part(name: str, layout: str) -> Callable[..., Any]:
    def method(self: Tensor) -> NoReturn:
        raise InvalidArgumentError(f"{name} expected {layout} tensor layout but got Strided")

    method.__name__ = name
    method.__doc__ = f"""Refused, as of a dense tensor in torch.

    Raises:
        RuntimeError: always.

    Source: torch.Tensor.{name}.
    """
    return method


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
    "to_dense": to_dense,
    "dequantize": to_dense,
    "sparse_dim": sparse_dim,
    "dense_dim": dense_dim,
    "dim_order": dim_order,
    "is_set_to": is_set_to,
    "const_data_ptr": const_data_ptr,
    "_make_subclass": staticmethod(make_subclass),
}

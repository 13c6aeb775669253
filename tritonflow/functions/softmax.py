"""Functors of softmax and log_softmax: the dimension is found and checked, integers are refused."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import functor
from tritonflow.dtypes import DType, torch_name
from tritonflow.errors import DTypeNotImplementedError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor, wrap_dim
from tritonflow.functions.cast import cast
from tritonflow.interpreter.dispatch import dispatch1, dispatch2

_softmax = op_expr("softmax")
_softmax_grad = op_expr("softmax_grad")
_log_softmax = op_expr("log_softmax")
_log_softmax_grad = op_expr("log_softmax_grad")


@functor("Softmax")
def softmax(x: Tensor, dim: int | None = None, dtype: DType | None = None) -> Any:
    return dispatch1(_softmax, *_prepare("softmax_lastdim_kernel_impl", x, dim, dtype))


@functor("LogSoftmax")
def log_softmax(x: Tensor, dim: int | None = None, dtype: DType | None = None) -> Any:
    return dispatch1(_log_softmax, *_prepare("log_softmax_lastdim_kernel_impl", x, dim, dtype))


def _prepare(kernel: str, x: Tensor, dim: int | None, dtype: DType | None) -> tuple[Tensor, tuple[Any, ...]]:
    """The input in a floating dtype, and the attributes. Without `dim` it is 0 for ranks 0, 1 and 3, otherwise 1."""
    meta = x.meta
    if dim is None:
        dim = 0 if meta.ndim in (0, 1, 3) else 1
    dim = wrap_dim(dim, meta.ndim)
    if dtype is not None and dtype is not meta.dtype:
        x, meta = cast(x, dtype), meta.with_dtype(dtype)
    if not meta.dtype.is_floating_point:
        raise DTypeNotImplementedError(f"\"{kernel}\" not implemented for '{torch_name(meta.dtype)}'")
    return x, (dim, None)


@functor("SoftmaxGrad")
def softmax_grad(grad: Tensor, y: Tensor, dim: int) -> Any:
    return dispatch2(_softmax_grad, grad, y, (dim if dim >= 0 else wrap_dim(dim, y.meta.ndim),))


@functor("LogSoftmaxGrad")
def log_softmax_grad(grad: Tensor, y: Tensor, dim: int) -> Any:
    return dispatch2(_log_softmax_grad, grad, y, (dim if dim >= 0 else wrap_dim(dim, y.meta.ndim),))

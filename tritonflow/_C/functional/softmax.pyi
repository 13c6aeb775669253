# Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit.
# fmt: off
# ruff: noqa: I001
from collections.abc import Callable
from typing import Any
from tritonflow.dtypes import DType
from tritonflow.framework.tensor import Tensor


_methods: dict[str, Callable[..., Any]]


def softmax(x: Tensor, dim: int | None = ..., *, dtype: DType | None = ...) -> Tensor: ...
def softmax_grad(grad: Tensor, y: Tensor, dim: int) -> Tensor: ...
def log_softmax(x: Tensor, dim: int | None = ..., *, dtype: DType | None = ...) -> Tensor: ...
def log_softmax_grad(grad: Tensor, y: Tensor, dim: int) -> Tensor: ...

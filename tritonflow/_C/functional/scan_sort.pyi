# Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit.
# fmt: off
# ruff: noqa: I001
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, overload
from tritonflow.dtypes import DType
from tritonflow.framework.tensor import Tensor


_methods: dict[str, Callable[..., Any]]

class sort_result(NamedTuple):
    values: Tensor
    indices: Tensor

class topk_result(NamedTuple):
    values: Tensor
    indices: Tensor

class median_result(NamedTuple):
    values: Tensor
    indices: Tensor

def cumsum(input: Tensor, dim: int, *, dtype: DType | None = ...) -> Tensor: ...
def reversed_cumsum(dy: Tensor, dim: int, reverse: bool) -> Tensor: ...
def cumprod(input: Tensor, dim: int, *, dtype: DType | None = ...) -> Tensor: ...
def cumprod_grad(dy: Tensor, x: Tensor, y: Tensor, dim: int) -> Tensor: ...
@overload
def sort(input: Tensor, dim: int = ..., descending: bool = ...) -> sort_result: ...
@overload
def sort(input: Tensor, *, stable: bool, dim: int = ..., descending: bool = ...) -> sort_result: ...
def sorted_grad(dy: Tensor, indices: Tensor, shape: Sequence[int], dim: int) -> Tensor: ...
def argsort(input: Tensor, dim: int = ..., descending: bool = ...) -> Tensor: ...
def topk(input: Tensor, k: int, dim: int = ..., largest: bool = ..., sorted: bool = ...) -> topk_result: ...
@overload
def median(input: Tensor) -> Tensor: ...
@overload
def median(input: Tensor, dim: int, keepdim: bool = ...) -> median_result: ...

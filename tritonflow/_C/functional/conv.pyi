# Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit.
# fmt: off
# ruff: noqa: I001
from collections.abc import Callable, Sequence
from typing import Any, overload
from tritonflow.framework.tensor import Tensor


_methods: dict[str, Callable[..., Any]]


@overload
def conv2d(input: Tensor, weight: Tensor, bias: Tensor | None = ..., stride: int | Sequence[int] = ...,
        padding: int | Sequence[int] = ..., dilation: int | Sequence[int] = ..., groups: int = ...) -> Tensor: ...
@overload
def conv2d(input: Tensor, weight: Tensor, bias: Tensor | None = ..., stride: int | Sequence[int] = ..., padding: str = ...,
        dilation: int | Sequence[int] = ..., groups: int = ...) -> Tensor: ...
@overload
def conv1d(input: Tensor, weight: Tensor, bias: Tensor | None = ..., stride: int | Sequence[int] = ...,
        padding: int | Sequence[int] = ..., dilation: int | Sequence[int] = ..., groups: int = ...) -> Tensor: ...
@overload
def conv1d(input: Tensor, weight: Tensor, bias: Tensor | None = ..., stride: int | Sequence[int] = ..., padding: str = ...,
        dilation: int | Sequence[int] = ..., groups: int = ...) -> Tensor: ...
def conv_transpose2d(input: Tensor, weight: Tensor, bias: Tensor | None = ..., stride: int | Sequence[int] = ...,
        padding: int | Sequence[int] = ..., output_padding: int | Sequence[int] = ..., groups: int = ...,
        dilation: int | Sequence[int] = ...) -> Tensor: ...
def conv_data_grad(grad: Tensor, weight: Tensor, shape: Sequence[int], stride: Sequence[int], padding: Sequence[int],
        dilation: Sequence[int], groups: int) -> Tensor: ...
def conv_filter_grad(grad: Tensor, x: Tensor, shape: Sequence[int], stride: Sequence[int], padding: Sequence[int],
        dilation: Sequence[int], groups: int) -> Tensor: ...
def conv_bias_grad(grad: Tensor) -> Tensor: ...

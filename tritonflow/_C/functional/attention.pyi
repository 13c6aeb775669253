# Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit.
# fmt: off
# ruff: noqa: I001
from collections.abc import Callable
from typing import Any
from tritonflow.framework.tensor import Tensor


_methods: dict[str, Callable[..., Any]]


def scaled_dot_product_attention(query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None = ...,
        dropout_p: float = ..., is_causal: bool = ..., *, scale: float | None = ..., enable_gqa: bool = ...) -> Tensor: ...
def attention_grad(grad: Tensor, query: Tensor, key: Tensor, value: Tensor, out: Tensor, rows: Tensor, mask: Tensor | None = ...,
        drawn: Tensor | None = ..., is_causal: bool = ..., scale: float = ..., rate: float = ...,
        factor: float = ...) -> tuple[Tensor, ...]: ...
def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = ...) -> Tensor: ...
def grouped_mm(mat_a: Tensor, mat_b: Tensor, *, offs: Tensor | None = ..., bias: Tensor | None = ...,
        out_dtype: Any = ...) -> Tensor: ...

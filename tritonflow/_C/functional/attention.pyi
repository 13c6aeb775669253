# Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
# fmt: off
# ruff: noqa: I001
from collections.abc import Callable, Sequence
from typing import Any, overload
from tritonflow.dtypes import DType
from tritonflow.framework.tensor import Tensor

_methods: dict[str, Callable[..., Any]]

def scaled_dot_product_attention(query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None = None,
        dropout_p: float = 0.0, is_causal: bool = False, *, scale: float | None = None, enable_gqa: bool = False,
        out: Tensor | None = None) -> Tensor: ...
def attention_grad(grad: Tensor, query: Tensor, key: Tensor, value: Tensor, out: Tensor, rows: Tensor, mask: Tensor | None = None,
        drawn: Tensor | None = None, is_causal: bool = False, scale: float = 1.0, rate: float = 0.0,
        factor: float = 1.0) -> tuple[Tensor, ...]: ...
def flash_attention(query: Tensor, key: Tensor, value: Tensor, q_starts: Tensor | None = None, k_starts: Tensor | None = None,
        used: Tensor | None = None, table: Tensor | None = None, sinks: Tensor | None = None,
        lists: Sequence[Tensor] | None = None, reads: Sequence[Tensor] | None = None, edit: Any = None, window: Any = None,
        most: Any = None, block: Any = None, single: bool = False, scale: float = 1.0, cap: float = 0.0, *,
        out: Sequence[Tensor] | None = None) -> tuple[Tensor, ...]: ...
def flash_attention_grad(grad: Tensor, dlse: Tensor, query: Tensor, key: Tensor, value: Tensor, out: Tensor, rows: Tensor,
        q_starts: Tensor | None = None, k_starts: Tensor | None = None, lists: Any = None, reads: Any = None, edit: Any = None,
        window: Any = None, most: Any = None, block: Any = None, single: bool = False, scale: float = 1.0,
        cap: float = 0.0) -> tuple[Tensor, ...]: ...
def rotary(x: Tensor, cos: Tensor, sin: Tensor, order: Sequence[int], interleaved: bool, starts: bool, sign: float,
        positions: Tensor | None = None, *, out: Tensor | None = None) -> Tensor: ...
def rotary_pair(query: Tensor, key: Tensor, cos: Tensor, sin: Tensor, order: Sequence[int], interleaved: bool, starts: bool,
        sign: float, positions: Tensor | None = None, *, out: Sequence[Tensor] | None = None) -> tuple[Tensor, ...]: ...
def rotary_pair_inplace(query: Tensor, key: Tensor, cos: Tensor, sin: Tensor, order: Sequence[int], interleaved: bool,
        starts: bool, sign: float, positions: Tensor | None = None) -> None: ...
def grouped_product(mat_a: Tensor, mat_b: Tensor, offs: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def flash_sinks_grad(grad: Tensor, dlse: Tensor, out: Tensor, lse: Tensor, sinks: Tensor, query: Tensor) -> Tensor: ...
def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None, *,
        out: Tensor | None = None) -> Tensor: ...
def grouped_mm(mat_a: Tensor, mat_b: Tensor, *, offs: Tensor | None = None, bias: Tensor | None = None,
        out_dtype: DType | None = None, out: Tensor | None = None) -> Tensor: ...
@overload
def apply_rotary_emb(x: Tensor, cos: Tensor, sin: Tensor, interleaved: bool = False, inplace: bool = False,
        seqlen_offsets: Any = None, cu_seqlens: Tensor | None = None, max_seqlen: int | None = None, *,
        positions: Tensor | None = None, tensor_format: str = 'bshd', out: Tensor | None = None) -> Tensor: ...
@overload
def apply_rotary_emb(x: Sequence[Tensor], cos: Tensor, sin: Tensor, interleaved: bool = False, inplace: bool = False,
        seqlen_offsets: Any = None, cu_seqlens: Tensor | None = None, max_seqlen: int | None = None, *,
        positions: Tensor | None = None, tensor_format: str = 'bshd',
        out: Sequence[Tensor] | None = None) -> tuple[Tensor, ...]: ...

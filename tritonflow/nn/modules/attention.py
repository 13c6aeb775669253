"""Attention with several heads."""

from __future__ import annotations

from tritonflow.binding.annotations import DeviceLike
from tritonflow.dtypes import DType
from tritonflow.framework.tensor import Tensor
from tritonflow.nn import functional as F
from tritonflow.nn import init
from tritonflow.nn.modules.linear import Linear
from tritonflow.nn.modules.module import Module
from tritonflow.nn.parameter import empty_parameter


class NonDynamicallyQuantizableLinear(Linear):
    """`Linear` under the name that torch's attention shows for its last projection."""


class MultiheadAttention(Module):
    """`softmax(q k' / sqrt(width) + mask) v` for several heads of projected queries, keys and values, projected once more.

    Args:
        embed_dim: E, which the heads share.
        num_heads: how many.
        dropout: the probability by which weights are dropped while training.
        bias: whether projections have biases.
        add_bias_kv: whether to learn a key and a value that are added to each sequence.
        add_zero_attn: whether a key and a value of zeros are added.
        kdim, vdim: widths of keys and values; E unless given.
        batch_first: whether the batch is dimension 0 instead of 1.
        device, dtype: of the parameters.

    Shape:
        query: `(L, N, E)`, or `(N, L, E)` if batch_first, or `(L, E)`; key, value: the same with S and their widths.
        attn_mask: `(L, S)` or `(N * heads, L, S)`; key_padding_mask: `(N, S)`. True, or -inf, masks.
        The result has the query's shape; weights are `(N, L, S)`, `(N, heads, L, S)` unless averaged, None unless wanted.

    Without weights (`need_weights=False`) the fused attention kernel runs.

    Source: Vaswani et al., 2017; torch.nn.MultiheadAttention.

    Example:
        >>> import tritonflow as flow
        >>> m = flow.nn.MultiheadAttention(8, 2, batch_first=True)
        >>> x = flow.ones(3, 5, 8)
        >>> y, weights = m(x, x, x)
        >>> y.shape, weights.shape
        (tritonflow.Size([3, 5, 8]), tritonflow.Size([3, 5, 5]))
    """

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: int | None = None,
        vdim: int | None = None,
        batch_first: bool = False,
        device: DeviceLike | None = None,
        dtype: DType | None = None,
    ) -> None:
        if embed_dim <= 0 or num_heads <= 0:
            raise ValueError(
                f"embed_dim and num_heads must be greater than 0, got embed_dim={embed_dim} and num_heads={num_heads} instead"
            )
        super().__init__()
        self.embed_dim = embed_dim
        self.kdim = kdim if kdim is not None else embed_dim
        self.vdim = vdim if vdim is not None else embed_dim
        self._qkv_same_embed_dim = self.kdim == embed_dim and self.vdim == embed_dim
        self.num_heads = num_heads
        self.dropout = dropout
        self.batch_first = batch_first
        self.head_dim = embed_dim // num_heads
        if self.head_dim * num_heads != embed_dim:
            raise AssertionError("embed_dim must be divisible by num_heads")
        widths = {"q_proj_weight": embed_dim, "k_proj_weight": self.kdim, "v_proj_weight": self.vdim}
        for name, width in widths.items():
            wanted = not self._qkv_same_embed_dim
            self.register_parameter(name, empty_parameter((embed_dim, width), device, dtype) if wanted else None)
        packed = empty_parameter((3 * embed_dim, embed_dim), device, dtype) if self._qkv_same_embed_dim else None
        self.register_parameter("in_proj_weight", packed)
        self.register_parameter("in_proj_bias", empty_parameter((3 * embed_dim,), device, dtype) if bias else None)
        self.out_proj = NonDynamicallyQuantizableLinear(embed_dim, embed_dim, bias=bias, device=device, dtype=dtype)
        for name in ("bias_k", "bias_v"):
            self.register_parameter(name, empty_parameter((1, 1, embed_dim), device, dtype) if add_bias_kv else None)
        self.add_zero_attn = add_zero_attn
        self._reset_parameters()

    def _reset_parameters(self) -> None:
        """Xavier's uniform weights; biases 0; added keys and values Xavier's normal."""
        for weight in (self.in_proj_weight, self.q_proj_weight, self.k_proj_weight, self.v_proj_weight):
            if weight is not None:
                init.xavier_uniform_(weight)
        if self.in_proj_bias is not None:
            init.zeros_(self.in_proj_bias)
            init.zeros_(self.out_proj.bias)
        for bias in (self.bias_k, self.bias_v):
            if bias is not None:
                init.xavier_normal_(bias)

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        key_padding_mask: Tensor | None = None,
        need_weights: bool = True,
        attn_mask: Tensor | None = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        """The attended values, and the weights where they are wanted."""
        turned = self.batch_first and query.ndim == 3
        if turned:
            same_key, same_value = key is query, value is key
            query = query.transpose(0, 1)
            key = query if same_key else key.transpose(0, 1)
            value = key if same_value else value.transpose(0, 1)
        output, weights = F.multi_head_attention_forward(
            query, key, value, self.embed_dim, self.num_heads, self.in_proj_weight, self.in_proj_bias, self.bias_k,
            self.bias_v, self.add_zero_attn, self.dropout, self.out_proj.weight, self.out_proj.bias, self.training,
            key_padding_mask, need_weights, attn_mask, not self._qkv_same_embed_dim, self.q_proj_weight, self.k_proj_weight,
            self.v_proj_weight, average_attn_weights=average_attn_weights, is_causal=is_causal,
        )  # fmt: skip
        return (output.transpose(0, 1) if turned else output), weights

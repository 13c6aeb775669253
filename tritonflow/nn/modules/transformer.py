"""The Transformer of Vaswani et al., 2017: layers of attention and of two linear maps, in an encoder and a decoder."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from tritonflow import _C
from tritonflow.binding.annotations import DeviceLike
from tritonflow.dtypes import DType
from tritonflow.framework.tensor import Tensor
from tritonflow.nn import functional as F
from tritonflow.nn import init
from tritonflow.nn.modules.attention import MultiheadAttention
from tritonflow.nn.modules.container import ModuleList
from tritonflow.nn.modules.dropout import Dropout
from tritonflow.nn.modules.linear import Linear
from tritonflow.nn.modules.module import Module
from tritonflow.nn.modules.normalization import LayerNorm

Activation = str | Callable[[Tensor], Tensor]


def _activation(activation: Activation) -> Callable[[Tensor], Tensor]:
    if not isinstance(activation, str):
        return activation
    if activation not in ("relu", "gelu"):
        raise RuntimeError(f"activation should be relu/gelu, not {activation}")
    return F.relu if activation == "relu" else F.gelu


def _causal_mask(size: int, device: DeviceLike | None = None, dtype: DType | None = None) -> Tensor:
    """-inf above the diagonal, otherwise 0."""
    return _C.triu(_C.full((size, size), float("-inf"), dtype=dtype, device=device), 1)


def _is_causal(mask: Tensor | None, is_causal: bool | None) -> bool:
    """What is said, or whether the mask is the causal one."""
    if is_causal is not None or mask is None:
        return bool(is_causal)
    if mask.ndim != 2 or mask.shape[0] != mask.shape[1]:
        return False
    if not mask.dtype.is_floating_point:
        return False
    same = (mask == _causal_mask(mask.shape[0], mask.device, mask.dtype)).all()
    if same.is_lazy or same.is_meta:
        return False  # the numbers are not known, and the mask says the same as the hint
    return bool(same.item())


def _clones(module: Module, count: int) -> ModuleList:
    return ModuleList([copy.deepcopy(module) for _ in range(count)])


class TransformerEncoderLayer(Module):
    """Self-attention, then two linear maps with an activation between them, each with dropout, a residual and a norm.

    Args:
        d_model: E, the width.
        nhead: heads of the attention.
        dim_feedforward: the width between the linear maps.
        dropout: the probability everywhere.
        activation: 'relu', 'gelu', or a function.
        layer_norm_eps: of the norms.
        batch_first: whether the batch is dimension 0 instead of 1.
        norm_first: whether norms come before attention and maps instead of behind them.
        bias: whether maps and norms have biases.
        device, dtype: of the parameters.

    Source: Vaswani et al., 2017; torch.nn.TransformerEncoderLayer.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)(flow.ones(3, 5, 8)).shape
        tritonflow.Size([3, 5, 8])
    """

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Activation = F.relu,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: DeviceLike | None = None,
        dtype: DType | None = None,
    ) -> None:
        super().__init__()
        where: dict[str, Any] = {"device": device, "dtype": dtype}
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, bias=bias, batch_first=batch_first, **where)
        self.linear1 = Linear(d_model, dim_feedforward, bias=bias, **where)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias=bias, **where)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **where)
        self.norm2 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **where)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.activation = _activation(activation)

    def forward(
        self,
        src: Tensor,
        src_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool = False,
    ) -> Tensor:
        """`(S, N, E)` to the same shape; masks as of `MultiheadAttention`."""
        x = src
        if self.norm_first:
            x = x + self._attend(self.norm1(x), src_mask, src_key_padding_mask, is_causal)
            return x + self._feed_forward(self.norm2(x))
        x = self.norm1(x + self._attend(x, src_mask, src_key_padding_mask, is_causal))
        return self.norm2(x + self._feed_forward(x))

    def _attend(self, x: Tensor, mask: Tensor | None, padding: Tensor | None, is_causal: bool) -> Tensor:
        found = self.self_attn(x, x, x, padding, need_weights=False, attn_mask=mask, is_causal=is_causal)[0]
        return self.dropout1(found)

    def _feed_forward(self, x: Tensor) -> Tensor:
        return self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(x)))))


class TransformerDecoderLayer(Module):
    """Self-attention, attention to an encoder's output, two linear maps; each with dropout, a residual and a norm.

    Args: as of `TransformerEncoderLayer`.

    Source: Vaswani et al., 2017; torch.nn.TransformerDecoderLayer.

    Example:
        >>> import tritonflow as flow
        >>> layer = flow.nn.TransformerDecoderLayer(8, 2, 16, batch_first=True)
        >>> layer(flow.ones(3, 4, 8), flow.ones(3, 5, 8)).shape
        tritonflow.Size([3, 4, 8])
    """

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Activation = F.relu,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: DeviceLike | None = None,
        dtype: DType | None = None,
    ) -> None:
        super().__init__()
        where: dict[str, Any] = {"device": device, "dtype": dtype}
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, bias=bias, batch_first=batch_first, **where)
        self.multihead_attn = MultiheadAttention(d_model, nhead, dropout, bias=bias, batch_first=batch_first, **where)
        self.linear1 = Linear(d_model, dim_feedforward, bias=bias, **where)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias=bias, **where)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **where)
        self.norm2 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **where)
        self.norm3 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **where)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.dropout3 = Dropout(dropout)
        self.activation = _activation(activation)

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool = False,
        memory_is_causal: bool = False,
    ) -> Tensor:
        """`(T, N, E)` and a memory `(S, N, E)` to `(T, N, E)`; masks as of `MultiheadAttention`."""
        own = (tgt_mask, tgt_key_padding_mask, tgt_is_causal)
        other = (memory_mask, memory_key_padding_mask, memory_is_causal)
        x = tgt
        if self.norm_first:
            x = x + self._attend(self.norm1(x), *own)
            x = x + self._look_up(self.norm2(x), memory, *other)
            return x + self._feed_forward(self.norm3(x))
        x = self.norm1(x + self._attend(x, *own))
        x = self.norm2(x + self._look_up(x, memory, *other))
        return self.norm3(x + self._feed_forward(x))

    def _attend(self, x: Tensor, mask: Tensor | None, padding: Tensor | None, is_causal: bool) -> Tensor:
        found = self.self_attn(x, x, x, padding, need_weights=False, attn_mask=mask, is_causal=is_causal)[0]
        return self.dropout1(found)

    def _look_up(
        self, x: Tensor, memory: Tensor, mask: Tensor | None, padding: Tensor | None, is_causal: bool
    ) -> Tensor:
        found = self.multihead_attn(x, memory, memory, padding, need_weights=False, attn_mask=mask, is_causal=is_causal)[0]
        return self.dropout2(found)

    def _feed_forward(self, x: Tensor) -> Tensor:
        return self.dropout3(self.linear2(self.dropout(self.activation(self.linear1(x)))))


class TransformerEncoder(Module):
    """A stack of copies of an encoder layer, and a last norm.

    Args:
        encoder_layer: what is copied.
        num_layers: how often.
        norm: applied to the result, if given.
        enable_nested_tensor, mask_check: of torch's fast path; without effect.

    Source: torch.nn.TransformerEncoder.

    Example:
        >>> import tritonflow as flow
        >>> encoder = flow.nn.TransformerEncoder(flow.nn.TransformerEncoderLayer(8, 2, 16), num_layers=2)
        >>> encoder(flow.ones(5, 3, 8)).shape
        tritonflow.Size([5, 3, 8])
    """

    def __init__(
        self,
        encoder_layer: Module,
        num_layers: int,
        norm: Module | None = None,
        enable_nested_tensor: bool = True,
        mask_check: bool = True,
    ) -> None:
        super().__init__()
        self.layers = _clones(encoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm
        self.enable_nested_tensor = enable_nested_tensor
        self.mask_check = mask_check

    def forward(
        self,
        src: Tensor,
        mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool | None = None,
    ) -> Tensor:
        """`(S, N, E)` to the same shape."""
        causal = _is_causal(mask, is_causal)
        for layer in self.layers:
            src = layer(src, src_mask=mask, is_causal=causal, src_key_padding_mask=src_key_padding_mask)
        return src if self.norm is None else self.norm(src)


class TransformerDecoder(Module):
    """A stack of copies of a decoder layer, and a last norm.

    Args:
        decoder_layer: what is copied.
        num_layers: how often.
        norm: applied to the result, if given.

    Source: torch.nn.TransformerDecoder.

    Example:
        >>> import tritonflow as flow
        >>> decoder = flow.nn.TransformerDecoder(flow.nn.TransformerDecoderLayer(8, 2, 16), num_layers=2)
        >>> decoder(flow.ones(4, 3, 8), flow.ones(5, 3, 8)).shape
        tritonflow.Size([4, 3, 8])
    """

    def __init__(self, decoder_layer: Module, num_layers: int, norm: Module | None = None) -> None:
        super().__init__()
        self.layers = _clones(decoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Tensor:
        """`(T, N, E)` and a memory `(S, N, E)` to `(T, N, E)`."""
        causal = _is_causal(tgt_mask, tgt_is_causal)
        for layer in self.layers:
            tgt = layer(
                tgt, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask, causal, memory_is_causal
            )
        return tgt if self.norm is None else self.norm(tgt)


class Transformer(Module):
    """An encoder of the source and a decoder of the target, which attends to the encoded source.

    Args:
        d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias: of the layers.
        num_encoder_layers, num_decoder_layers: how many there are.
        custom_encoder, custom_decoder: modules in place of them.
        device, dtype: of the parameters.

    Source: Vaswani et al., 2017; torch.nn.Transformer.

    Example:
        >>> import tritonflow as flow
        >>> model = flow.nn.Transformer(8, 2, 1, 1, 16)
        >>> model(flow.ones(5, 3, 8), flow.ones(4, 3, 8)).shape
        tritonflow.Size([4, 3, 8])
    """

    def __init__(
        self,
        d_model: int = 512,
        nhead: int = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Activation = F.relu,
        custom_encoder: Any = None,
        custom_decoder: Any = None,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: DeviceLike | None = None,
        dtype: DType | None = None,
    ) -> None:
        super().__init__()
        where: dict[str, Any] = {"device": device, "dtype": dtype}
        sizes = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias)
        if custom_encoder is not None:
            self.encoder = custom_encoder
        else:
            norm = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **where)
            self.encoder = TransformerEncoder(TransformerEncoderLayer(*sizes, **where), num_encoder_layers, norm)
        if custom_decoder is not None:
            self.decoder = custom_decoder
        else:
            norm = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **where)
            self.decoder = TransformerDecoder(TransformerDecoderLayer(*sizes, **where), num_decoder_layers, norm)
        self._reset_parameters()
        self.d_model = d_model
        self.nhead = nhead
        self.batch_first = batch_first

    def _reset_parameters(self) -> None:
        """Xavier's uniform weights; biases and norms as their layers have them."""
        for p in self.parameters():
            if p.ndim > 1:
                init.xavier_uniform_(p)

    def forward(
        self,
        src: Tensor,
        tgt: Tensor,
        src_mask: Tensor | None = None,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        src_is_causal: bool | None = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Tensor:
        """`(S, N, E)` and `(T, N, E)` to `(T, N, E)`; with batch_first the batch comes first."""
        batch = 0 if self.batch_first else 1
        if src.ndim == 3 and src.shape[batch] != tgt.shape[batch]:
            raise RuntimeError("the batch number of src and tgt must be equal")
        if src.shape[-1] != self.d_model or tgt.shape[-1] != self.d_model:
            raise RuntimeError("the feature number of src and tgt must be equal to d_model")
        memory = self.encoder(src, src_mask, src_key_padding_mask, src_is_causal)
        return self.decoder(
            tgt, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask, tgt_is_causal, memory_is_causal
        )

    @staticmethod
    def generate_square_subsequent_mask(sz: int, device: DeviceLike | None = None, dtype: DType | None = None) -> Tensor:
        """`(sz, sz)`: -inf above the diagonal, otherwise 0."""
        return _causal_mask(sz, device, dtype)

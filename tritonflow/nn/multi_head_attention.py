"""Attention with several heads over projections of query, key and value: what `nn.MultiheadAttention` computes."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from tritonflow import _C
from tritonflow._C.nn_functional_names import dropout, linear, pad, scaled_dot_product_attention, softmax
from tritonflow.binding.target import beside
from tritonflow.dtypes import bool_
from tritonflow.errors import InvalidArgumentError, ShapeError
from tritonflow.framework.tensor import Tensor


class Heads(NamedTuple):
    """Queries, keys and values as (batch * heads, length, width), and what was decided on the way."""

    q: Tensor
    k: Tensor
    v: Tensor
    mask: Tensor | None
    padding: Tensor | None
    samples: int


def canonical_mask(mask: Tensor | None, name: str, like: Tensor) -> Any:
    """A mask to be added: of truth values -inf where it is true.

    Raises:
        AssertionError: a mask that is neither bool nor floating.
    """
    if mask is None:
        return None
    if mask.dtype != bool_ and not mask.dtype.is_floating_point:
        raise AssertionError(f"only bool and floating types of {name} are supported")
    if mask.dtype != bool_:
        return mask
    return _C.masked_fill(_C.zeros(tuple(mask.shape), dtype=like.dtype, **beside(mask)), mask, float("-inf"))


def _check(query: Tensor, key: Tensor, value: Tensor, padding: Tensor | None, mask: Tensor | None, heads: int) -> bool:
    """Whether there is a batch."""
    if query.ndim not in (2, 3):
        raise AssertionError(f"query should be unbatched 2D or batched 3D tensor but received {query.ndim}-D query tensor")
    if key.ndim != query.ndim or value.ndim != query.ndim:
        raise AssertionError(
            f"For {'un' if query.ndim == 2 else ''}batched ({query.ndim}-D) `query`, expected `key` and `value` to be"
            f" {query.ndim}-D but found {key.ndim}-D and {value.ndim}-D tensors respectively"
        )
    if padding is not None and padding.ndim != query.ndim - 1:
        raise AssertionError(f"expected `key_padding_mask` to be {query.ndim - 1}-D but found {padding.ndim}-D tensor instead")
    if mask is not None and mask.ndim not in (2, 3):
        raise AssertionError(f"expected `attn_mask` to be `None`, 2-D or 3-D but found {mask.ndim}-D tensor instead")
    if mask is not None and mask.ndim == 3 and query.ndim == 2:
        expected = (heads, query.shape[0], key.shape[0])
        if tuple(mask.shape) != expected:
            raise AssertionError(f"Expected `attn_mask` shape to be {expected} but got {tuple(mask.shape)}")
    return query.ndim == 3


def in_projection_packed(q: Tensor, k: Tensor, v: Tensor, w: Tensor, b: Tensor | None) -> list[Tensor]:
    """The projections of a weight (3 E, E): one product where the three are one, two where keys are values."""
    width = q.shape[-1]
    if k is v and q is k:
        return list(linear(q, w, b).chunk(3, -1))
    if k is v:
        wq, wkv = w[:width], w[width:]
        bq, bkv = (None, None) if b is None else (b[:width], b[width:])
        return [linear(q, wq, bq), *linear(k, wkv, bkv).chunk(2, -1)]
    biases = (None,) * 3 if b is None else b.chunk(3)
    return [linear(x, part, bias) for x, part, bias in zip((q, k, v), w.chunk(3), biases)]


def _in_heads(x: Tensor, samples: int, heads: int) -> Tensor:
    """(length, batch, width) as (batch * heads, length, width / heads)."""
    return x.reshape(x.shape[0], samples * heads, x.shape[-1] // heads).transpose(0, 1)


def _static(x: Tensor, name: str, rows: int, width: int) -> Tensor:
    if x.shape[0] != rows or x.shape[2] != width:
        raise AssertionError(f"expecting {name}.size(0) of {rows} and size(2) of {width}, but got {tuple(x.shape)}")
    return x


def _appended(mask: Tensor | None) -> Tensor | None:
    """A mask for one more key, which is not masked."""
    return None if mask is None else pad(mask, (0, 1))


def _merged(mask: Tensor | None, padding: Tensor | None, samples: int, heads: int, keys: int) -> Tensor | None:
    """Both masks as one that is added."""
    if padding is None:
        return mask
    if tuple(padding.shape) != (samples, keys):
        raise AssertionError(f"expecting key_padding_mask shape of {(samples, keys)}, but got {tuple(padding.shape)}")
    by_head = padding.reshape(samples, 1, 1, keys).expand(samples, heads, 1, keys).reshape(samples * heads, 1, keys)
    return by_head if mask is None else mask + by_head


def multi_head_attention_forward(
    query: Tensor, key: Tensor, value: Tensor, embed_dim_to_check: int, num_heads: int, in_proj_weight: Tensor | None,
    in_proj_bias: Tensor | None, bias_k: Tensor | None, bias_v: Tensor | None, add_zero_attn: bool, dropout_p: float,
    out_proj_weight: Tensor, out_proj_bias: Tensor | None, training: bool = True, key_padding_mask: Tensor | None = None,
    need_weights: bool = True, attn_mask: Tensor | None = None, use_separate_proj_weight: bool = False,
    q_proj_weight: Tensor | None = None, k_proj_weight: Tensor | None = None, v_proj_weight: Tensor | None = None,
    static_k: Tensor | None = None, static_v: Tensor | None = None, average_attn_weights: bool = True, is_causal: bool = False,
) -> tuple[Tensor, Tensor | None]:  # fmt: skip
    """Attention of several heads: `softmax(q k' / sqrt(width) + mask) v`, of projections, projected once more.

    Args:
        query, key, value: sequences; see the shapes.
        embed_dim_to_check: E, which the query must have.
        num_heads: how many heads; it divides E.
        in_proj_weight, in_proj_bias: the projections of query, key and value in one, (3 * E, E) and (3 * E).
        bias_k, bias_v: one more key and value, (1, 1, E), or None.
        add_zero_attn: whether one more key and value of zeros are added.
        dropout_p: with which probability a weight is dropped in training.
        out_proj_weight, out_proj_bias: the last projection, (E, E) and (E).
        training: whether weights are dropped.
        key_padding_mask: True, or -inf, at keys that do not count.
        need_weights: whether the weights are returned.
        attn_mask: True, or -inf, where a query must not attend to a key; other numbers are added to the scores.
        use_separate_proj_weight: whether the three projections have weights of their own: the next three.
        q_proj_weight, k_proj_weight, v_proj_weight: (E, E), (E, Ek) and (E, Ev).
        static_k, static_v: keys and values that are projected already, (N * heads, S, E / heads).
        average_attn_weights: whether the weights returned are the mean over heads.
        is_causal: a hint that attn_mask is causal.

    Shape:
        query: `(L, N, E)` or `(L, E)`; key: `(S, N, Ek)`; value: `(S, N, Ev)`; the result: `(L, N, E)`, and the weights
        `(N, L, S)` if `average_attn_weights`, otherwise `(N, heads, L, S)`; None unless `need_weights`.
        attn_mask: `(L, S)` or `(N * heads, L, S)`; key_padding_mask: `(N, S)`. True, or -inf, masks.

    Raises:
        AssertionError: shapes that do not fit.
        RuntimeError: is_causal without attn_mask.

    Source: Vaswani et al., 2017; torch.nn.functional.multi_head_attention_forward.

    Example:
        >>> import tritonflow as flow
        >>> m = flow.nn.MultiheadAttention(4, 2)
        >>> x = flow.ones(3, 1, 4)
        >>> y, weights = flow.nn.functional.multi_head_attention_forward(x, x, x, 4, 2, m.in_proj_weight, m.in_proj_bias,
        ...     None, None, False, 0.0, m.out_proj.weight, m.out_proj.bias)
        >>> y.shape, weights.shape
        (tritonflow.Size([3, 1, 4]), tritonflow.Size([1, 3, 3]))
    """
    batched = _check(query, key, value, key_padding_mask, attn_mask, num_heads)
    if not batched:
        same_key, same_value = key is query, value is key
        query = query.unsqueeze(1)
        key = query if same_key else key.unsqueeze(1)
        value = key if same_value else value.unsqueeze(1)
        key_padding_mask = None if key_padding_mask is None else key_padding_mask.unsqueeze(0)
    length, samples, width = query.shape
    if width != embed_dim_to_check:
        raise AssertionError(f"was expecting embedding dimension of {embed_dim_to_check}, but got {width}")
    if width % num_heads:
        raise AssertionError(f"embed_dim {width} not divisible by num_heads {num_heads}")
    if is_causal and attn_mask is None:
        raise InvalidArgumentError("Need attn_mask if specifying the is_causal hint.")
    padding = canonical_mask(key_padding_mask, "key_padding_mask", query)
    if is_causal and key_padding_mask is None and not need_weights:
        mask = None
    else:
        mask = canonical_mask(attn_mask, "attn_mask", query)
        is_causal = is_causal and key_padding_mask is None and not need_weights
    if use_separate_proj_weight:
        q, k, v = _separate(query, key, value, (q_proj_weight, k_proj_weight, v_proj_weight), in_proj_bias)
    else:
        if in_proj_weight is None:
            raise AssertionError("use_separate_proj_weight is False but in_proj_weight is None")
        if tuple(key.shape) != tuple(value.shape):
            raise AssertionError(f"key shape {tuple(key.shape)} does not match value shape {tuple(value.shape)}")
        q, k, v = in_projection_packed(query, key, value, in_proj_weight, in_proj_bias)
    mask = _mask_of_heads(mask, length, key.shape[0], samples * num_heads)
    parts = _heads(q, k, v, mask, padding, num_heads, (bias_k, bias_v), (static_k, static_v), add_zero_attn)
    probability = dropout_p if training else 0.0
    output, weights = _attend(parts, num_heads, probability, need_weights, is_causal)
    output = linear(output, out_proj_weight, out_proj_bias).reshape(length, samples, out_proj_weight.shape[0])
    if weights is not None:
        weights = weights.reshape(samples, num_heads, length, parts.k.shape[1])
        weights = weights.mean(1) if average_attn_weights else weights
    if batched:
        return output, weights
    return output.squeeze(1), None if weights is None else weights.squeeze(0)


def _separate(query: Tensor, key: Tensor, value: Tensor, weights: Any, bias: Tensor | None) -> list[Tensor]:
    for name, weight in zip(("q", "k", "v"), weights):
        if weight is None:
            raise AssertionError(f"use_separate_proj_weight is True but {name}_proj_weight is None")
    biases = (None,) * 3 if bias is None else bias.chunk(3)
    return [linear(x, w, b) for x, w, b in zip((query, key, value), weights, biases)]


def _mask_of_heads(mask: Tensor | None, length: int, keys: int, rows: int) -> Tensor | None:
    if mask is None:
        return None
    expected = (length, keys) if mask.ndim == 2 else (rows, length, keys)
    if tuple(mask.shape) != expected:
        raise ShapeError(f"The shape of the {mask.ndim}D attn_mask is {tuple(mask.shape)}, but should be {expected}.")
    return mask.unsqueeze(0) if mask.ndim == 2 else mask


def _heads(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, padding: Tensor | None, heads: int, biases: Any, static: Any, zero: bool
) -> Heads:
    """Heads apart; with keys and values added by biases, and by zeros where `zero`."""
    samples = q.shape[1]
    if biases[0] is not None and biases[1] is not None:
        if static[0] is not None or static[1] is not None:
            raise AssertionError("bias cannot be added to static key or value.")
        k, v = (_C.cat([x, b.repeat((1, samples, 1))]) for x, b in zip((k, v), biases))
        mask, padding = _appended(mask), _appended(padding)
    rows, width = samples * heads, q.shape[-1] // heads
    query = _in_heads(q, samples, heads)
    found = [
        _in_heads(x, samples, heads) if given is None else _static(given, name, rows, width)
        for x, given, name in zip((k, v), static, ("static_k", "static_v"))
    ]
    if zero:
        found = [_C.cat([x, _C.zeros((rows, 1, width), dtype=x.dtype, **beside(x))], 1) for x in found]
        mask, padding = _appended(mask), _appended(padding)
    merged = _merged(mask, padding, samples, heads, found[0].shape[1])
    return Heads(query, found[0], found[1], merged, padding, samples)


def _attend(
    parts: Heads, heads: int, probability: float, need_weights: bool, is_causal: bool
) -> tuple[Tensor, Tensor | None]:
    """(length * batch, width) and, where they are wanted, the weights (batch * heads, length, keys)."""
    q, k, v, mask, _, samples = parts
    length, width = q.shape[1], q.shape[2]
    if need_weights:
        scores = _C.matmul(q * (1.0 / math.sqrt(width)), k.transpose(1, 2))
        weights = softmax(scores if mask is None else scores + mask, -1)
        weights = dropout(weights, probability) if probability else weights
        attended = _C.matmul(weights, v)
        return attended.transpose(0, 1).reshape(length * samples, heads * width), weights
    q, k, v = (x.reshape(samples, heads, x.shape[1], width) for x in (q, k, v))
    if mask is not None:
        mask = mask.unsqueeze(0) if mask.shape[0] == 1 else mask.reshape(samples, heads, -1, k.shape[2])
    attended = scaled_dot_product_attention(q, k, v, mask, probability, is_causal)
    return attended.permute(2, 0, 1, 3).reshape(length * samples, heads * width), None

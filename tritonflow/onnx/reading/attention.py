"""Attention and rotary embeddings, of operator set 23 on."""

from __future__ import annotations

from typing import Any

import tritonflow as flow
from tritonflow.nn import functional as F
from tritonflow.onnx.reading.dtypes import flow_dtype
from tritonflow.onnx.reading.table import op


def _heads(x: Any, heads: int | None) -> Any:
    """(batch, heads, length, size) of that, or of (batch, length, heads * size)."""
    if x.ndim == 4:
        return x
    if heads is None:
        raise ValueError("Attention of tensors of 3 dimensions needs q_num_heads and kv_num_heads")
    batch, length, width = x.shape
    return flow.transpose(flow.reshape(x, (batch, length, heads, width // heads)), 1, 2)


@op("Attention")
def _attention(
    node: Any, q: Any, k: Any, v: Any, mask: Any = None, past_key: Any = None, past_value: Any = None, lengths: Any = None
) -> Any:
    """softmax(q k^T * scale, with mask and caps) v, with what `past_key` and `past_value` hold in front."""
    flat = q.ndim == 3
    q = _heads(q, node.get("q_num_heads"))
    k, v = _heads(k, node.get("kv_num_heads")), _heads(v, node.get("kv_num_heads"))
    past = 0 if past_key is None else past_key.shape[2]
    if past_key is not None:
        k, v = flow.cat([past_key, k], 2), flow.cat([past_value, v], 2)
    result, scores = _attend(node, q, k, v, _allowed(node, q, k, mask, past, lengths))
    if flat:
        batch, heads, length, size = result.shape
        result = flow.reshape(flow.transpose(result, 1, 2), (batch, length, heads * size))
    return result, k, v, scores


def _allowed(node: Any, q: Any, k: Any, mask: Any, past: Any, lengths: Any) -> Any:
    """The mask of all: bools of where to look, or numbers to add. None where everything is seen."""
    rows, columns = q.shape[2], k.shape[2]
    if mask is not None:
        mask = _wide_enough(mask, columns)
    positions = flow.arange(columns, device=q.device)
    seen = None
    if node.get("is_causal", 0):
        offset = past
        if lengths is not None:  # rows are the last ones of what is there
            offset = flow.reshape(lengths, (-1, 1, 1, 1)) - rows
        seen = positions <= flow.arange(rows, device=q.device).unsqueeze(1) + offset
    if lengths is not None:
        inside = positions < flow.reshape(lengths, (-1, 1, 1, 1))
        seen = inside if seen is None else seen & inside
    if seen is None or mask is None:
        return mask if seen is None else seen
    if mask.dtype is flow.bool:
        return mask & seen
    return flow.where(seen, mask, float("-inf"))


def _wide_enough(mask: Any, columns: Any) -> Any:
    missing = columns - mask.shape[-1]
    if missing <= 0:
        return mask
    return F.pad(mask, [0, missing], value=False if mask.dtype is flow.bool else float("-inf"))


def _attend(node: Any, q: Any, k: Any, v: Any, mask: Any) -> tuple[Any, Any]:
    cap, scale = node.get("softcap", 0.0), node.get("scale")
    grouped = q.shape[1] != k.shape[1]
    if not cap and not node.wants(3) and "softmax_precision" not in node.attributes and q.dtype is v.dtype:
        if mask is not None and mask.dtype is not flow.bool:
            mask = mask.to(q.dtype)
        return F.scaled_dot_product_attention(q, k, v, mask, scale=scale, enable_gqa=grouped), None
    return _step_by_step(node, q, k, v, mask, cap, q.shape[-1] ** -0.5 if scale is None else scale)


def _step_by_step(node: Any, q: Any, k: Any, v: Any, mask: Any, cap: float, scale: float) -> tuple[Any, Any]:
    """With the scores at hand, which a model may ask for at four points."""
    repeats = q.shape[1] // k.shape[1]
    if repeats != 1:
        k, v = flow.repeat_interleave(k, repeats, 1), flow.repeat_interleave(v, repeats, 1)
    scores = flow.matmul(q * scale**0.5, flow.transpose(k * scale**0.5, -1, -2))
    capped = cap * flow.tanh(scores / cap) if cap else scores
    masked = _masked(capped, mask)
    precision = node.get("softmax_precision")
    weights = F.softmax(masked if precision is None else masked.to(flow_dtype(precision)), -1)
    weights = flow.where(flow.isnan(weights), 0, weights).to(q.dtype)  # rows that see nothing
    points = (scores, capped, masked, weights)
    return flow.matmul(weights, v.to(weights.dtype)).to(v.dtype), points[node.get("qk_matmul_output_mode", 0)]


def _masked(scores: Any, mask: Any) -> Any:
    if mask is None:
        return scores
    if mask.dtype is flow.bool:
        return flow.where(mask, scores, float("-inf"))
    return scores + mask.to(scores.dtype)


@op("RotaryEmbedding")
def _rotary(node: Any, x: Any, cosine: Any, sine: Any, positions: Any = None) -> Any:
    """Each pair of features turned by the angle of its position."""
    flat, interleaved = x.ndim == 3, node.get("interleaved", 0)
    x = _heads(x, node.get("num_heads") or None)
    batch, heads, length, size = x.shape
    turned = node.get("rotary_embedding_dim", 0) or size
    if positions is not None:
        cosine, sine = F.embedding(positions, cosine), F.embedding(positions, sine)
    cosine, sine = (flow.unsqueeze(each[..., : turned // 2], 1) for each in (cosine, sine))
    part, rest = x[..., :turned], x[..., turned:]
    if interleaved:
        a, b = part[..., 0::2], part[..., 1::2]
    else:
        a, b = part[..., : turned // 2], part[..., turned // 2 :]
    real, imaginary = cosine * a - sine * b, sine * a + cosine * b
    pair = flow.stack([real, imaginary], -1) if interleaved else flow.stack([real, imaginary], -2)
    result = flow.cat([flow.reshape(pair, part.shape), rest], -1) if turned != size else flow.reshape(pair, part.shape)
    return flow.reshape(flow.transpose(result, 1, 2), (batch, length, heads * size)) if flat else result

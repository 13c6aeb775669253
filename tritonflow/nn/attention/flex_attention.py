"""Attention whose scores and mask are functions of a user: `flex_attention`, with torch's masks of blocks."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from tritonflow import _C, dtypes
from tritonflow.binding.target import beside
from tritonflow.errors import ArgumentValueError, ShapeError
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.attention_flash import flash_attention
from tritonflow.interpreter.grad_mode import is_grad_enabled
from tritonflow.nn import functional as F
from tritonflow.nn.attention.block_mask import (
    BlockMask,
    and_masks,
    create_block_mask,
    create_mask,
    noop_mask,
    or_masks,
    positions,
    spread,
)
from tritonflow.nn.attention.edited_scores import edited_scores
from tritonflow.ops.attention import widest_head

__all__ = [
    "AuxOutput", "AuxRequest", "BlockMask", "and_masks", "create_block_mask", "create_mask", "flex_attention", "noop_mask",
    "or_masks",
]  # fmt: skip


SIDES = (16, 32, 64, 128)  # of blocks that tiles of kernels make up, and multiples of the last


class AuxRequest(NamedTuple):
    """Which of the numbers beside the output are wanted: the logarithms of the sums of exponentials, the largest scores."""

    lse: bool = False
    max_scores: bool = False


class AuxOutput(NamedTuple):
    """Numbers beside the output, (B, Hq, L), None for those not asked for."""

    lse: Tensor | None = None
    max_scores: Tensor | None = None


def flex_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    score_mod: Callable[..., Any] | None = None,
    block_mask: BlockMask | None = None,
    scale: float | None = None,
    enable_gqa: bool = False,
    return_lse: bool = False,
    kernel_options: Any = None,
    *,
    return_aux: AuxRequest | None = None,
) -> Any:
    """softmax(score_mod(scale query keyᵀ, b, h, q, k)) value, over the keys that `block_mask` allows.

    One kernel, which calls `score_mod` and the mask's rule on its tiles, and its backward: neither scores nor mask are a tensor.
    The functions may compute with elements, and read tensors by positions, as in `table[h, q - k]`. Of others, or where such a
    tensor wants a gradient, scores are computed as one tensor, in float32 at least. A query that attends to no key gives zeros.

    Args:
        query: (B, Hq, L, E).
        key, value: (B, Hkv, S, E) and (B, Hkv, S, Ev); of one batch where `block_mask` has more.
        score_mod: a function of (score, batch, head, query, key). It is called once, with all scores and indices that
            broadcast to their shape, and must treat each score by itself.
        block_mask: what `create_block_mask` made.
        scale: of the scores; 1 / sqrt(E) if None.
        enable_gqa: whether each head of key and value serves Hq / Hkv heads of the query.
        return_lse: whether to return the logarithms of the sums of exponentials too, (B, Hq, L).
        kernel_options: torch's choices of its kernel; not needed here.
        return_aux: which numbers to return beside the output.

    Returns:
        (B, Hq, L, Ev); with `return_lse` a pair, with `return_aux` a pair with an `AuxOutput`.

    Raises:
        ValueError: heads, batches or lengths do not fit.

    Source: torch.nn.attention.flex_attention.flex_attention.

    Example:
        >>> import tritonflow as flow
        >>> from tritonflow.nn.attention.flex_attention import flex_attention
        >>> q = flow.ones(1, 2, 3, 4)
        >>> flex_attention(q, q, q, score_mod=lambda score, b, h, q, k: score - (q - k).abs()).shape
        tritonflow.Size([1, 2, 3, 4])
    """
    _check(query, key, value, block_mask, enable_gqa)
    wanted = AuxRequest(lse=True) if return_lse and return_aux is None else return_aux
    if score_mod is None and wanted is None and block_mask is None:
        return F.scaled_dot_product_attention(query, key, value, scale=scale, enable_gqa=enable_gqa)
    found = _fused(query, key, value, score_mod, block_mask, scale, wanted)
    if found is None:
        found = _composed(query, key, value, score_mod, block_mask, scale, wanted)
    output, aux = found
    if wanted is None:
        return output
    return (output, aux) if return_aux is not None else (output, aux.lse)


def _fused(
    query: Tensor, key: Tensor, value: Tensor, score_mod: Callable[..., Any] | None, block_mask: BlockMask | None, scale: Any,
    wanted: AuxRequest | None,
) -> tuple[Tensor, AuxOutput] | None:  # fmt: skip
    """By one kernel, whose scores never are a tensor; None where that cannot be."""
    if not (query.is_local and query.dtype is key.dtype is value.dtype and query.dtype.is_floating_point):
        return None
    if max(query.shape[-1], value.shape[-1]) > widest_head(query.dtype) or (wanted is not None and wanted.max_scores):
        return None
    batch, heads, lines = query.meta.shape[:3]
    trains = is_grad_enabled() and any(x.requires_grad for x in (query, key, value))
    block: tuple[int, ...] = ()
    lists, mask_mod = None, None
    if block_mask is not None:
        block = tuple(block_mask.BLOCK_SIZE)
        if not all(side in SIDES or side % max(SIDES) == 0 for side in block):
            return None
        found = block_mask.lists(of_columns=trains)  # the backward's
        lists = [None if x is None else _C.expand(x, (batch, heads, *x.shape[2:])) for x in found]
        mask_mod = None if block_mask.mask_mod is noop_mask else block_mask.mask_mod
    edit: Any = ()
    reads: tuple[Tensor, ...] = ()
    if score_mod is not None or mask_mod is not None:
        shape = (batch, heads, lines, key.meta.shape[2])
        dtype = dtypes.float64 if query.dtype is dtypes.float64 else dtypes.float32
        edited = edited_scores(score_mod, mask_mod, shape, dtype, query.device, trains and score_mod is not None)
        if edited is None:
            return None
        edit, reads = edited
    if key.shape[0] != batch:
        key, value = (_C.expand(x, (batch, *x.shape[1:])) for x in (key, value))
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    output, lse = flash_attention(query, key, value, None, None, None, None, None, lists, reads, edit, (), (), block, False, scale)
    return output, AuxOutput(lse if wanted is not None and wanted.lse else None)


def _composed(
    query: Tensor, key: Tensor, value: Tensor, score_mod: Callable[..., Any] | None, block_mask: BlockMask | None, scale: Any,
    wanted: AuxRequest | None,
) -> tuple[Tensor, AuxOutput]:  # fmt: skip
    """Op by op, with the scores as a tensor."""
    mask = None if block_mask is None else block_mask.elements()
    output, scores = _by_scores(query, key, value, score_mod, mask, scale)
    if wanted is None:
        return output, AuxOutput()
    lse = _C.logsumexp(scores, -1) if wanted.lse else None
    return output, AuxOutput(lse, _C.amax(scores, -1) if wanted.max_scores else None)


def _by_scores(
    query: Tensor, key: Tensor, value: Tensor, score_mod: Callable[..., Any] | None, mask: Tensor | None, scale: Any
) -> tuple[Tensor, Tensor]:
    """The output and the scores, -inf where a key is not attended to."""
    shared = query.shape[1] // key.shape[1]
    if shared > 1:
        key, value = (_C.repeat_interleave(x, shared, 1) for x in (key, value))
    scores = _C.matmul(query, _C.transpose(key, -2, -1)) * (1 / math.sqrt(query.shape[-1]) if scale is None else scale)
    scores = scores.to(dtypes.float64 if scores.dtype is dtypes.float64 else dtypes.float32)
    shape = tuple(scores.shape)
    if score_mod is not None:
        scores = spread(score_mod(scores, *positions(shape, **beside(scores))), shape, "score_mod").to(scores.dtype)
    allowed = scores != -math.inf
    if mask is not None:
        scores = _C.masked_fill(scores, ~mask, -math.inf)
        allowed = allowed & mask
    some = _C.any(allowed, -1, keepdim=True)
    weights = _C.softmax(_C.where(some, scores, 0.0), -1)
    weights = _C.where(some, weights, 0.0)
    return _C.matmul(weights.to(query.dtype), value), scores


def _check(query: Tensor, key: Tensor, value: Tensor, mask: BlockMask | None, enable_gqa: bool) -> None:
    if not query.ndim == key.ndim == value.ndim == 4:
        raise ShapeError("query, key, and value must be 4D tensors")
    heads, others = query.shape[1], key.shape[1]
    if not enable_gqa and heads != others:
        raise ArgumentValueError(
            f"Expect query and key/value to have the same number of heads but got Hq={heads} and Hkv={others}."
            " Try setting enable_gqa=True for GQA."
        )
    if enable_gqa and heads % others:
        raise ArgumentValueError(
            f"Expect number of query heads to be a multiple of kv heads for GQA but got Hq={heads} and Hkv={others}."
        )
    batches = query.shape[0], key.shape[0]
    if batches[0] != batches[1] and (mask is None or batches[1] != 1):
        raise ArgumentValueError(
            f"Expect query and key/value to have the same batch size, or non-none block_mask, but got block_mask={mask},"
            f" Bq={batches[0]}, and Bkv={batches[1]}."
        )
    if mask is None:
        return
    lengths = (query.shape[-2], key.shape[-2])
    if tuple(mask.seq_lengths) != lengths:
        raise ArgumentValueError(
            f"block_mask was created for block_mask.shape={mask.shape} but got q_len={lengths[0]} and kv_len={lengths[1]}:"
            " create a block mask of these lengths"
        )
    for name, size, wanted in (("batch", mask.shape[0], batches[0]), ("head", mask.shape[1], heads)):
        if size not in (1, wanted):
            raise ArgumentValueError(f"block_mask has {size} in its {name} dimension, and the query {wanted}")

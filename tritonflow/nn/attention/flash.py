"""Attention under the names of the package flash-attn: windows, soft caps, slopes, sinks, sequences of several lengths, caches.

Layouts are that package's: (batch, length, heads, size), or (all tokens, heads, size) of sequences one behind the other. Where keys
are more than queries, the last query goes with the last key. Every function is one op, behind the writes into a cache.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from tritonflow import _C, dtypes
from tritonflow.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    AutogradError,
    DTypeError,
    ShapeError,
)
from tritonflow.framework.runtime_scalar import as_float, index_of
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.attention_flash import flash_attention
from tritonflow.functions.index import index_put
from tritonflow.functions.random import factor_of, reserve
from tritonflow.interpreter.grad_mode import is_grad_enabled, no_grad
from tritonflow.ops.attention import widest_head

INTEGERS = (dtypes.int32, dtypes.int64)

__all__ = ["flash_attn_func", "flash_attn_varlen_func", "flash_attn_with_kvcache"]


def flash_attn_func(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    dropout_p: float = 0.0,
    softmax_scale: float | None = None,
    causal: bool = False,
    window_size: tuple[int, int] = (-1, -1),
    softcap: float = 0.0,
    alibi_slopes: Tensor | None = None,
    deterministic: bool = False,
    return_attn_probs: bool = False,
    *,
    sinks: Tensor | None = None,
) -> Any:
    """softmax(cap(softmax_scale q kᵀ) - slope |i - j|) v, over the keys of a window.

    Query i attends to key j if `i + S - L - left <= j <= i + S - L + right`. A query that attends to no key gives 0.

    Args:
        q: (B, L, Hq, D).
        k, v: (B, S, Hkv, D) and (B, S, Hkv, Dv); each head serves Hq / Hkv heads of the query.
        dropout_p: with which probability a weight is dropped, always: there is no training mode. Others are multiplied by
            1 / (1 - dropout_p). lse is that of all weights.
        softmax_scale: of the scores; 1 / sqrt(D) if None.
        causal: whether a query attends to no key behind its own: the window's right side is 0.
        window_size: (left, right), how many keys before and behind a query's own it attends to; -1 for all.
        softcap: scores become `softcap * tanh(score / softcap)`; 0 for none.
        alibi_slopes: float32, (Hq) or (B, Hq); they get no gradient.
        deterministic: gradients always are.
        return_attn_probs: whether to return (out, lse, None).
        sinks: (Hq), a score to which no value belongs, that takes a part of each row's weights.

    Returns:
        (B, L, Hq, Dv); the logarithms of the sums of exponentials are (B, Hq, L), float32, and have gradients.

    Raises:
        ValueError, RuntimeError: shapes, dtypes or numbers do not fit.

    Source: flash_attn.flash_attn_func.

    Example:
        >>> import tritonflow as flow
        >>> from tritonflow.nn.attention.flash import flash_attn_func
        >>> q = flow.ones(1, 4, 2, 8)
        >>> flash_attn_func(q, q, q, causal=True, window_size=(1, 0)).shape
        tritonflow.Size([1, 4, 2, 8])
    """
    _check_options(dropout_p, softcap)
    _check(q, k, v, 4, "(batch, length, heads, size)")
    if q.shape[0] != k.shape[0]:
        raise ShapeError(f"flash_attn_func: q has {q.shape[0]} batches, and k {k.shape[0]}")
    scores = _scores(q, q.shape[0], softmax_scale, _window(causal, window_size), softcap, alibi_slopes, sinks)
    q, k, v = (_C.transpose(x, 1, 2) for x in (q, k, v))
    out, lse = _attend(q, k, v, scores, dropout=dropout_p)
    out = _C.transpose(out, 1, 2)
    return (out, lse, None) if return_attn_probs else out


def flash_attn_varlen_func(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    cu_seqlens_q: Tensor,
    cu_seqlens_k: Tensor | None,
    max_seqlen_q: int,
    max_seqlen_k: int,
    dropout_p: float = 0.0,
    softmax_scale: float | None = None,
    causal: bool = False,
    window_size: tuple[int, int] = (-1, -1),
    softcap: float = 0.0,
    alibi_slopes: Tensor | None = None,
    deterministic: bool = False,
    return_attn_probs: bool = False,
    block_table: Tensor | None = None,
    *,
    seqused_k: Tensor | None = None,
    sinks: Tensor | None = None,
    num_splits: int = 0,
) -> Any:
    """`flash_attn_func` for each of several sequences, that lie one behind the other.

    The numbers of `cu_seqlens` stay on the device: nobody waits for them. Rows behind the last sequence give 0.

    Args:
        q: (all queries, Hq, D).
        k, v: (all keys, Hkv, D) and (all keys, Hkv, Dv); with `block_table` (pages, rows of a page, Hkv, D).
        cu_seqlens_q, cu_seqlens_k: int32 or int64, (sequences + 1): 0, and where each sequence ends. None for keys in pages.
        max_seqlen_q, max_seqlen_k: the most queries and keys of a sequence.
        block_table: int32, (sequences, pages of the longest): the pages of each sequence in order. Without gradients.
        seqused_k: int32, (sequences): how many of its keys a sequence uses. Without gradients.
        num_splits: 1 walks over the keys of a sequence in one piece: then its bits depend on no other sequence. 0 chooses.
        others: as in `flash_attn_func`.

    Returns:
        (all queries, Hq, Dv); lse is (Hq, all queries).

    Raises:
        ValueError, RuntimeError: shapes, dtypes or numbers do not fit.
        IndexError: starts do not rise, are no rows, or a sequence is longer than the most; a page is not there.

    Source: flash_attn.flash_attn_varlen_func.

    Example:
        >>> import tritonflow as flow
        >>> from tritonflow.nn.attention.flash import flash_attn_varlen_func
        >>> q, ends = flow.ones(5, 2, 8), flow.tensor([0, 3, 5], dtype=flow.int32)
        >>> flash_attn_varlen_func(q, q, q, ends, ends, 3, 3, causal=True).shape
        tritonflow.Size([5, 2, 8])
    """
    _check_options(dropout_p, softcap)
    _check(q, k, v, 4 if block_table is not None else 3, "(tokens, heads, size)", of_query=3)
    sequences = _check_starts(cu_seqlens_q, "cu_seqlens_q", None)
    if block_table is None and cu_seqlens_k is None:
        raise ArgumentValueError("flash_attn_varlen_func: cu_seqlens_k is None, which keys in pages may have")
    if block_table is not None:
        cu_seqlens_k = None
        _check_table(block_table, sequences)
        if seqused_k is None:
            raise ArgumentValueError("flash_attn_varlen_func: block_table needs seqused_k, the keys of each sequence")
        k, v = _C.transpose(k, 1, 2), _C.transpose(v, 1, 2)
    else:
        _check_starts(cu_seqlens_k, "cu_seqlens_k", sequences)
        k, v = (_C.unsqueeze(_C.transpose(x, 0, 1), 0) for x in (k, v))
    if seqused_k is not None:
        _check_used(seqused_k, "seqused_k", sequences)
    _check_inference(q, k, v, cached=seqused_k is not None or block_table is not None)
    scores = _scores(q, sequences, softmax_scale, _window(causal, window_size), softcap, alibi_slopes, sinks)
    out, lse = _attend(
        _C.unsqueeze(_C.transpose(q, 0, 1), 0), k, v, scores,
        starts=(cu_seqlens_q, cu_seqlens_k), used=seqused_k, table=block_table,
        most=(index_of(max_seqlen_q), index_of(max_seqlen_k)), splits=num_splits, dropout=dropout_p,
    )  # fmt: skip
    out, lse = _C.transpose(_C.squeeze(out, 0), 0, 1), _C.squeeze(lse, 0)
    return (out, lse, None) if return_attn_probs else out


def flash_attn_with_kvcache(
    q: Tensor,
    k_cache: Tensor,
    v_cache: Tensor,
    k: Tensor | None = None,
    v: Tensor | None = None,
    rotary_cos: Tensor | None = None,
    rotary_sin: Tensor | None = None,
    cache_seqlens: Tensor | int | None = None,
    cache_batch_idx: Tensor | None = None,
    block_table: Tensor | None = None,
    softmax_scale: float | None = None,
    causal: bool = False,
    window_size: tuple[int, int] = (-1, -1),
    softcap: float = 0.0,
    rotary_interleaved: bool = True,
    alibi_slopes: Tensor | None = None,
    num_splits: int = 0,
    return_softmax_lse: bool = False,
    *,
    sinks: Tensor | None = None,
) -> Any:
    """Attention of new queries to a cache of keys and values, to which new ones are appended first, in place.

    Without gradients.

    Args:
        q: (B, L, Hq, D).
        k_cache, v_cache: (B, S, Hkv, D), more batches with `cache_batch_idx`; with `block_table` (pages, rows of a page, Hkv, D).
        k, v: (B, new, Hkv, D), written behind the keys in use; or None.
        rotary_cos, rotary_sin: (positions, r / 2): q and the new keys are turned by their positions first, which begin at
            `cache_seqlens`; without `causal` or a window, all of q by the first one.
        cache_seqlens: keys in use of each batch before, int32 (B), or one number; None for all of the cache.
        cache_batch_idx: int32, (B): which batch of the cache each one has.
        block_table: int32, (B, pages of the longest).
        rotary_interleaved: whether neighbours are turned, and not elements of two halves.
        num_splits: 1 walks over the keys in one piece; 0 chooses, by sizes alone.
        return_softmax_lse: whether to return (out, lse).
        others: as in `flash_attn_func`.

    Returns:
        (B, L, Hq, Dv); lse is (B, Hq, L).

    Raises:
        ValueError, RuntimeError: shapes, dtypes or numbers do not fit, or something requires a gradient.
        IndexError: more keys in use than the cache has, or a page is not there.

    Source: flash_attn.flash_attn_with_kvcache.

    Example:
        >>> import tritonflow as flow
        >>> from tritonflow.nn.attention.flash import flash_attn_with_kvcache
        >>> cache, new = flow.zeros(1, 16, 2, 8), flow.ones(1, 1, 2, 8)
        >>> flash_attn_with_kvcache(new, cache, cache.clone(), new, new, cache_seqlens=3).shape
        tritonflow.Size([1, 1, 2, 8])
    """
    _check_options(0.0, softcap)
    _check(q, k_cache, v_cache, 4, "(batch, length, heads, size)")
    _check_inference(q, k_cache, v_cache, *[x for x in (k, v) if x is not None], cached=True)
    batch = q.shape[0]
    scores = _scores(q, batch, softmax_scale, _window(causal, window_size), softcap, alibi_slopes, sinks)
    if cache_batch_idx is not None:
        if block_table is not None:
            raise ArgumentValueError("flash_attn_with_kvcache: cache_batch_idx and block_table exclude each other")
        _check_used(cache_batch_idx, "cache_batch_idx", batch)
        block_table = _C.unsqueeze(cache_batch_idx, 1).to(dtypes.int32)  # a batch of the cache is a page
    if block_table is None and k_cache.shape[0] != batch:
        raise ShapeError(f"flash_attn_with_kvcache: q has {batch} batches, and k_cache {k_cache.shape[0]}")
    if block_table is not None:
        _check_table(block_table, batch)
    used = cache_seqlens
    if isinstance(used, int):
        if used < 0:
            raise ArgumentValueError(f"flash_attn_with_kvcache: cache_seqlens must not be negative, as {used} is")
        used = _C.full((batch,), used, dtype=dtypes.int32, device=q.device)
    if used is not None:
        _check_used(used, "cache_seqlens", batch)
    if k is not None or v is not None:
        if k is None or v is None or used is None:
            raise ArgumentValueError("flash_attn_with_kvcache: k and v are appended together, behind cache_seqlens")
        if rotary_cos is not None and rotary_sin is not None:
            ordered = causal or tuple(window_size) != (-1, -1)
            q, k = _turned(q, k, rotary_cos, rotary_sin, rotary_interleaved, used, ordered)
        used = _append(k_cache, v_cache, k, v, used, block_table)
    elif used is None and block_table is not None:
        used = _C.full((batch,), block_table.shape[1] * k_cache.shape[1], dtype=dtypes.int32, device=q.device)
    if rotary_cos is not None and k is None:
        raise ArgumentValueError("flash_attn_with_kvcache: rotary_cos and rotary_sin turn new keys, but k is None")
    q, keys, values = (_C.transpose(x, 1, 2) for x in (q, k_cache, v_cache))
    out, lse = _attend(q, keys, values, scores, used=used, table=block_table, splits=num_splits)
    out = _C.transpose(out, 1, 2)
    return (out, lse) if return_softmax_lse else out


def _turned(
    q: Tensor, k: Tensor, cos: Tensor, sin: Tensor, interleaved: bool, used: Tensor, ordered: bool
) -> tuple[Tensor, Tensor]:
    """Queries and new keys, turned by the positions behind those in use."""
    if ordered:
        q, k = _C.apply_rotary_emb((q, k), cos, sin, interleaved, seqlen_offsets=used)
        return q, k
    flat = _C.reshape(q, (q.shape[0], 1, -1, q.shape[-1]))  # every query at one position
    turned = _C.apply_rotary_emb(flat, cos, sin, interleaved, seqlen_offsets=used)
    return _C.reshape(turned, q.shape), _C.apply_rotary_emb(k, cos, sin, interleaved, seqlen_offsets=used)


def _append(k_cache: Tensor, v_cache: Tensor, k: Tensor, v: Tensor, used: Tensor, table: Tensor | None) -> Tensor:
    """Write new keys and values behind those in use; the number of those in use then."""
    for name, new, cache in (("k", k, k_cache), ("v", v, v_cache)):
        if new.ndim != 4 or (new.shape[0], *new.shape[2:]) != (used.shape[0], *cache.shape[2:]) or new.shape[1] != k.shape[1]:
            raise ShapeError(f"flash_attn_with_kvcache: {name} is {list(new.shape)}, for a cache of {list(cache.shape)}")
        if new.dtype is not cache.dtype:
            raise DTypeError(f"flash_attn_with_kvcache: {name} is {new.dtype}, and the cache {cache.dtype}")
    count, size = k.shape[1], k_cache.shape[1]
    at = _C.unsqueeze(used.to(dtypes.int64), 1) + _C.arange(count, device=used.device)
    if table is None:
        batch = _C.unsqueeze(_C.arange(used.shape[0], device=used.device), 1)
    else:
        batch = _C.gather(table.to(dtypes.int64), 1, _C.floor_divide(at, size))
        at = _C.remainder(at, size)
    batch, at = _C.broadcast_tensors([batch, at])
    with no_grad():
        for cache, new in ((k_cache, k), (v_cache, v)):
            index_put(cache, new, (batch, at), 0, wrap=False, inplace=True)  # a page or row below 0 is none of the last ones
    return used + count


class _Scores(NamedTuple):
    """What becomes of scores; slopes are (batch, heads)."""

    scale: float
    window: tuple[int, ...]
    cap: float
    slopes: Tensor | None
    sinks: Tensor | None


def _scores(
    q: Tensor, batch: int, scale: float | None, window: tuple[int, ...], cap: float, slopes: Tensor | None, sinks: Tensor | None
) -> _Scores:
    """Of a query (..., heads, size). It is checked before a cache is written to."""
    heads, size = q.shape[-2:]
    if sinks is not None and (tuple(sinks.shape) != (heads,) or not sinks.dtype.is_floating_point):
        raise ShapeError(f"attention: sinks must be ({heads},), a number for each head, not {list(sinks.shape)} of {sinks.dtype}")
    scale = 1 / math.sqrt(size) if scale is None else as_float(scale)
    return _Scores(scale, window, cap, None if slopes is None else _slopes(slopes, batch, heads), sinks)


def _attend(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    scores: _Scores,
    *,
    starts: tuple[Tensor | None, Tensor | None] = (None, None),
    used: Tensor | None = None,
    table: Tensor | None = None,
    most: tuple[int, ...] = (),
    splits: int = 0,
    dropout: float = 0.0,
) -> Any:
    """(out, lse) of (batch, heads, rows, size)."""
    scale, window, cap, slopes, sinks = scores
    drawn = reserve(q, count) if dropout and (count := _weights(q, k, starts[0], table, most)) else None
    edit = (*(("cap",) if cap else ()), *(("slope",) if slopes is not None else ()))
    reads = () if slopes is None else (slopes,)
    return flash_attention(
        q, k, v, *starts, used, table, sinks, None, reads, edit, window, most if starts[0] is not None else (), (), splits == 1,
        scale, cap, drawn, float(dropout), factor_of(dropout),
    )  # fmt: skip


def _weights(q: Tensor, k: Tensor, starts: Tensor | None, table: Tensor | None, most: tuple[int, ...]) -> int:
    """How many weights are numbered: each sequence has as many as the longest one, used or not."""
    batch, heads, rows = q.shape[:3]
    if starts is not None:
        batch, rows = starts.shape[0] - 1, most[0]
    columns = k.shape[2] if table is None and starts is None else most[1] if table is None else table.shape[1] * k.shape[2]
    return batch * heads * rows * columns  # type: ignore[no-any-return]


def _slopes(slopes: Tensor, batch: int, heads: int) -> Tensor:
    if slopes.requires_grad and is_grad_enabled():
        raise AutogradError("attention: alibi_slopes get no gradient: detach() them")
    if tuple(slopes.shape) not in ((heads,), (batch, heads)) or not slopes.dtype.is_floating_point:
        raise ShapeError(
            f"attention: alibi_slopes must be ({heads},) or ({batch}, {heads}), not {list(slopes.shape)} of {slopes.dtype}"
        )
    return _C.expand(slopes, (batch, heads))  # type: ignore[no-any-return]


def _window(causal: bool, window: tuple[int, int]) -> tuple[int, ...]:
    """() where all keys are attended to, or (left, right), -1 for no edge."""
    if not isinstance(window, (tuple, list)) or len(window) != 2 or not all(isinstance(n, int) for n in window):
        raise ArgumentTypeError(f"window_size must be two integers, not {window!r}")
    left, right = (max(n, -1) for n in window)
    right = 0 if causal else right
    return () if left == right == -1 else (left, right)


def _check_options(dropout: float, cap: float) -> None:
    if not 0.0 <= dropout <= 1.0:
        raise ArgumentValueError(f"dropout probability has to be between 0 and 1, but got {dropout}")
    if cap < 0:
        raise ArgumentValueError(f"softcap must not be negative, as {cap} is")


def _check(q: Tensor, k: Tensor, v: Tensor, ndim: int, layout: str, of_query: int = 4) -> None:
    for name, x, wanted in (("q", q, of_query), ("k", k, ndim), ("v", v, ndim)):
        if not isinstance(x, Tensor):
            raise ArgumentTypeError(f"flash attention: {name} must be a tensor, not {type(x).__name__}")
        if x.ndim != wanted:
            raise ShapeError(f"flash attention: {name} must have {wanted} dimensions, {layout}, not the shape {list(x.shape)}")
    if not q.dtype is k.dtype is v.dtype or not q.dtype.is_floating_point:
        raise DTypeError(f"flash attention: q, k and v must be of one floating dtype, not {q.dtype}, {k.dtype} and {v.dtype}")
    if q.shape[-1] != k.shape[-1] or k.shape[:-1] != v.shape[:-1]:
        raise ShapeError(f"flash attention: q {list(q.shape)}, k {list(k.shape)} and v {list(v.shape)} do not fit together")
    if not k.shape[-2] or q.shape[-2] % k.shape[-2]:
        raise ShapeError(f"flash attention: {q.shape[-2]} heads of q cannot share {k.shape[-2]} heads of k")
    if max(q.shape[-1], v.shape[-1]) > widest_head(q.dtype):
        raise ShapeError(f"flash attention: heads of {q.dtype} have at most the size {widest_head(q.dtype)}, not {q.shape[-1]}")


def _check_starts(starts: Any, name: str, sequences: int | None) -> int:
    """How many sequences there are."""
    if not isinstance(starts, Tensor) or starts.ndim != 1 or not starts.shape[0] or starts.dtype not in INTEGERS:
        raise ArgumentValueError(f"flash attention: {name} must be int32 or int64, (sequences + 1)")
    if sequences is not None and starts.shape[0] - 1 != sequences:
        raise ShapeError(f"flash attention: {name} has {starts.shape[0] - 1} sequences, and cu_seqlens_q {sequences}")
    return starts.shape[0] - 1


def _check_used(used: Any, name: str, batch: int) -> None:
    if not isinstance(used, Tensor) or tuple(used.shape) != (batch,) or used.dtype not in INTEGERS:
        raise ArgumentValueError(f"flash attention: {name} must be int32 or int64, ({batch},)")


def _check_table(table: Any, batch: int) -> None:
    if (
        not isinstance(table, Tensor)
        or table.ndim != 2
        or table.shape[0] != batch
        or table.dtype not in INTEGERS
        or (table.shape[1] > 1 and table.stride(1) != 1)
    ):
        raise ArgumentValueError(f"flash attention: block_table must be int32 or int64, ({batch}, pages), contiguous")


def _check_inference(*given: Tensor, cached: bool) -> None:
    if cached and is_grad_enabled() and any(x.requires_grad for x in given):
        raise AutogradError("flash attention over a cache has no gradients: call it under no_grad()")

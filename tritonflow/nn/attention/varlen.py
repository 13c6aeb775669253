"""Attention of sequences of several lengths under torch's name."""

from __future__ import annotations

from typing import Any, NamedTuple

from tritonflow.errors import ArgumentValueError
from tritonflow.framework.tensor import Tensor
from tritonflow.nn.attention.flash import flash_attn_varlen_func

__all__ = ["varlen_attn", "AuxRequest"]


class AuxRequest(NamedTuple):
    """Whether the logarithms of the sums of exponentials are wanted, too.

    Source: torch.nn.attention.varlen.AuxRequest.
    """

    lse: bool = False


def varlen_attn(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    cu_seq_q: Tensor,
    cu_seq_k: Tensor | None,
    max_q: int,
    max_k: int,
    *,
    return_aux: AuxRequest | None = None,
    scale: float | None = None,
    window_size: tuple[int, int] = (-1, -1),
    enable_gqa: bool = False,
    seqused_k: Tensor | None = None,
    block_table: Tensor | None = None,
    num_splits: int | None = None,
) -> Any:
    """Attention within each of several sequences, that lie one behind the other: softmax(scale query keyᵀ) value.

    Args:
        query: (all queries, Hq, D).
        key, value: (all keys, Hkv, D); with `block_table` (pages, rows of a page, Hkv, D).
        cu_seq_q, cu_seq_k: int32, (sequences + 1): 0, and where each sequence ends.
        max_q, max_k: the most queries and keys of a sequence.
        return_aux: whether to return (out, lse), lse of (Hq, all queries).
        scale: of the scores; 1 / sqrt(D) if None.
        window_size: (left, right): the keys before and behind a query's own that it attends to, -1 for all. (-1, 0) is causal. The
            last query's own key is the last one.
        enable_gqa: whether a head of key and value serves Hq / Hkv heads of the query.
        seqused_k: int32, (sequences): the keys in use. Without gradients.
        block_table: int32, (sequences, pages of the longest). Without gradients.
        num_splits: 1 walks over the keys of a sequence in one piece: then its bits depend on no other sequence.

    Returns:
        (all queries, Hq, D).

    Raises:
        ValueError, RuntimeError: shapes, dtypes or numbers do not fit.
        IndexError: starts do not rise, are no rows, or a sequence is longer than the most; a page is not there.

    Source: torch.nn.attention.varlen.varlen_attn.

    Example:
        >>> import tritonflow as flow
        >>> from tritonflow.nn.attention.varlen import varlen_attn
        >>> q, ends = flow.ones(5, 2, 8), flow.tensor([0, 3, 5], dtype=flow.int32)
        >>> varlen_attn(q, q, q, ends, ends, 3, 3, window_size=(-1, 0)).shape
        tritonflow.Size([5, 2, 8])
    """
    if not enable_gqa and query.shape[-2] != key.shape[-2]:
        raise ArgumentValueError(
            f"Expect query and key/value to have the same number of heads but got Hq={query.shape[-2]} and Hkv={key.shape[-2]}."
            " Try setting enable_gqa=True for GQA."
        )
    out, lse, _ = flash_attn_varlen_func(
        query, key, value, cu_seq_q, cu_seq_k, max_q, max_k, softmax_scale=scale, window_size=window_size,
        return_attn_probs=True, block_table=block_table, seqused_k=seqused_k,
        num_splits=num_splits or 0,
    )  # fmt: skip
    return (out, lse) if return_aux is not None and return_aux.lse else out

"""What a model is given beside its tokens: where their keys and values belong, and which of them are to be continued."""

from __future__ import annotations

from typing import Any

from tritonflow.framework.tensor import Tensor
from tritonflow.functions.attention_paged import paged_append
from tritonflow.generation.pages import PagedCache
from tritonflow.nn.attention.flash import flash_attn_varlen_func


class PackedTokens:
    """The tokens of several sequences one behind the other, and their cache: the third argument of a model that `Engine` serves.

    Such a model is a module or function `model(tokens, positions, packed) -> logits`. Tokens and positions are (T,), int64. Each
    attention calls `attend`, and what stands before the product with the vocabulary calls `wanted`. Logits are (rows, vocabulary).

    Args:
        cache: the pages.
        slots: (T,) the rows of the cache that the keys and values of the tokens are written to.
        starts: (sequences + 1,) where the tokens of each sequence begin.
        used: (sequences,) the tokens of each sequence, those of this step among them.
        table: (sequences, pages) the pages of each.
        most: the most tokens of a sequence in this step.
        rows: which tokens' logits are wanted; all of them if None.
        positions: (T,) the number of each token in its sequence, for rotary embeddings.
    """

    def __init__(
        self, cache: PagedCache, slots: Tensor, starts: Tensor, used: Tensor, table: Tensor, most: int, rows: Tensor | None,
        positions: Tensor | None = None,
    ) -> None:  # fmt: skip
        self._cache, self._slots, self._starts, self._used, self._table = cache, slots, starts, used, table
        self._most, self._rows, self._positions = most, rows, positions

    def attend(
        self, layer: int, q: Tensor, k: Tensor, v: Tensor, *, rotary: tuple[Tensor, Tensor] | None = None,
        interleaved: bool = False, **options: Any,
    ) -> Tensor:  # fmt: skip
        """Write keys and values into the cache, and let each query attend to its sequence up to its own token.

        Both caches are written in one launch, in which queries and keys are turned by their positions if `rotary` is given.

        Args:
            layer: its number.
            q: (T, heads, size).
            k, v: (T, heads of the cache, size).
            rotary: (cos, sin), each (positions, r / 2), as of `nn.functional.apply_rotary_emb`.
            interleaved: whether neighbours are turned, and not elements of two halves.
            options: of `nn.attention.flash.flash_attn_varlen_func`: softmax_scale, window_size, softcap, alibi_slopes, sinks.

        Returns:
            (T, heads, size).
        """
        keys, values = self._cache.keys[layer], self._cache.values[layer]
        if rotary is None:
            paged_append(k, v, self._slots, keys, values)
        else:
            q = paged_append(k, v, self._slots, keys, values, q, *rotary, self._positions, interleaved)
        most = self._table.shape[1] * self._cache.page_size
        return flash_attn_varlen_func(  # type: ignore[no-any-return]
            q, keys, values, self._starts, None, self._most, most, causal=True, block_table=self._table, seqused_k=self._used,
            num_splits=1, **options,
        )  # fmt: skip

    def wanted(self, x: Tensor) -> Tensor:
        """The rows of x, (T, ...), whose logits are wanted."""
        return x if self._rows is None else x.index_select(0, self._rows)

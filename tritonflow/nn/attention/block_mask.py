"""Which blocks of an attention's scores are computed: `BlockMask`, and the functions that make one of a rule for elements."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from math import prod
from typing import Any

from tritonflow import _C, dtypes
from tritonflow.binding.annotations import DeviceLike
from tritonflow.errors import ArgumentValueError, InvalidArgumentError
from tritonflow.framework.tensor import Tensor

DEFAULT_BLOCK = 128


def noop_mask(batch: Tensor, head: Tensor, token_q: Tensor, token_kv: Tensor) -> Tensor:
    """The rule that lets every query attend to every key."""
    return _C.ones((), dtype=dtypes.bool_, device=batch.device)  # type: ignore[no-any-return]


def and_masks(*mask_mods: Callable[..., Any]) -> Callable[..., Any]:
    """The rule that allows what all of these allow.

    Raises:
        RuntimeError: one of them is no function.
    """
    return _combined(mask_mods, _C.logical_and)


def or_masks(*mask_mods: Callable[..., Any]) -> Callable[..., Any]:
    """The rule that allows what one of these allows.

    Raises:
        RuntimeError: one of them is no function.
    """
    return _combined(mask_mods, _C.logical_or)


def _combined(mask_mods: tuple[Callable[..., Any], ...], join: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    if not all(callable(mod) for mod in mask_mods):
        raise InvalidArgumentError(f"All inputs should be callable mask_mods: {mask_mods}")

    def rule(b: Tensor, h: Tensor, q: Tensor, k: Tensor) -> Any:
        return reduce(join, [mod(b, h, q, k) for mod in mask_mods])

    return rule


def positions(shape: tuple[int, ...], **where: Any) -> list[Tensor]:
    """The index along each dimension, of a shape that broadcasts with the others, on a device or over a placement."""
    return [
        _C.reshape(_C.arange(n, **where), tuple([n if k == d else 1 for k in range(len(shape))]))
        for d, n in enumerate(shape)
    ]


def spread(result: Any, shape: tuple[int, ...], what: str) -> Tensor:
    """What a rule gave for all elements at once, in their shape.

    Raises:
        ValueError: it does not depend on the elements one by one.
    """
    if not isinstance(result, Tensor) or result.ndim > len(shape):
        raise ArgumentValueError(
            f"{what} must return one element for each score: it is called once, with indices that broadcast to {list(shape)}."
            " Index a table of several dimensions by all of them together: table[b, h], not table[b][h]"
        )
    return _C.expand(result, shape)  # type: ignore[no-any-return]


def create_mask(
    mod_fn: Callable[..., Any], B: int | None, H: int | None, Q_LEN: int, KV_LEN: int, device: DeviceLike | None = None
) -> Tensor:
    """The rule for every element, or what a `score_mod` makes of scores of 0.

    Args:
        mod_fn: of (batch, head, query, key), or of a score and these.
        B, H: batches and heads, None for one.
        Q_LEN, KV_LEN: queries and keys.
        device: where the result lies.

    Returns:
        (B, H, Q_LEN, KV_LEN).

    Source: torch.nn.attention.flex_attention.create_mask.

    Example:
        >>> import tritonflow as flow
        >>> from tritonflow.nn.attention.flex_attention import create_mask
        >>> create_mask(lambda b, h, q, k: q >= k, None, None, 2, 2).tolist()
        [[[[True, False], [True, True]]]]
    """
    shape = (B or 1, H or 1, Q_LEN, KV_LEN)
    where = positions(shape, device=device)
    required = [p for p in inspect.signature(mod_fn).parameters.values() if p.default is p.empty]
    if len(required) == 5:
        return spread(mod_fn(_C.zeros(shape, device=device), *where), shape, "score_mod")
    if len(required) != 4:
        raise ArgumentValueError("mod_fn must take (b, h, q_idx, kv_idx), or a score before these")
    return spread(mod_fn(*where), shape, "mask_mod")


@dataclass(eq=False, repr=False)
class BlockMask:
    """Which blocks of scores are computed, row by row of blocks, and the rule within those that are not full.

    Row i computes the blocks `kv_indices[..., i, : kv_num_blocks[..., i]]`, whose elements `mask_mod` chooses, and the blocks
    of `full_kv_indices` whole. The tensors of names with `q_` say the same column by column.

    Args:
        seq_lengths: how many queries and keys there are.
        kv_num_blocks, kv_indices: int32, (B, H, rows) and (B, H, rows, columns).
        full_kv_num_blocks, full_kv_indices: the same of full blocks, or None.
        q_num_blocks, q_indices, full_q_num_blocks, full_q_indices: by columns.
        BLOCK_SIZE: queries and keys of a block.
        mask_mod: a function of (batch, head, query, key).

    Source: torch.nn.attention.flex_attention.BlockMask.

    Example:
        >>> from tritonflow.nn.attention.flex_attention import create_block_mask
        >>> mask = create_block_mask(lambda b, h, q, k: q >= k, None, None, 256, 256)
        >>> mask.shape, mask.sparsity()
        ((1, 1, 256, 256), 25.0)
    """

    seq_lengths: tuple[int, int]
    kv_num_blocks: Tensor
    kv_indices: Tensor
    full_kv_num_blocks: Tensor | None
    full_kv_indices: Tensor | None
    q_num_blocks: Tensor | None
    q_indices: Tensor | None
    full_q_num_blocks: Tensor | None
    full_q_indices: Tensor | None
    BLOCK_SIZE: tuple[int, int] = (DEFAULT_BLOCK, DEFAULT_BLOCK)
    mask_mod: Callable[..., Any] = noop_mask

    @classmethod
    def from_kv_blocks(
        cls,
        kv_num_blocks: Tensor,
        kv_indices: Tensor,
        full_kv_num_blocks: Tensor | None = None,
        full_kv_indices: Tensor | None = None,
        BLOCK_SIZE: int | tuple[int, int] = DEFAULT_BLOCK,
        mask_mod: Callable[..., Any] | None = None,
        seq_lengths: tuple[int, int] | None = None,
        compute_q_blocks: bool = True,
    ) -> BlockMask:
        """A mask of the blocks of every row.

        Raises:
            RuntimeError: the indices have less than two dimensions.
        """
        if kv_indices.ndim < 2:
            raise InvalidArgumentError("BlockMask must have at least 2 dimensions")
        block = (BLOCK_SIZE, BLOCK_SIZE) if isinstance(BLOCK_SIZE, int) else BLOCK_SIZE
        rows = (kv_num_blocks, kv_indices, full_kv_num_blocks, full_kv_indices)
        columns = (*_by_columns(*rows[:2]), *_by_columns(*rows[2:])) if compute_q_blocks else (None,) * 4
        if seq_lengths is None:
            seq_lengths = (kv_indices.shape[-2] * block[0], kv_indices.shape[-1] * block[1])
        return cls(seq_lengths, *(*rows, *columns, block, mask_mod or noop_mask))

    @property
    def shape(self) -> tuple[int, ...]:
        """Batches, heads, queries and keys."""
        return (*self.kv_indices.shape[:-2], *self.seq_lengths)

    def numel(self) -> int:
        """How many scores there are."""
        return prod(self.shape)

    def sparsity(self) -> float:
        """The share of scores that are not computed, in percent; negative where blocks reach beyond the last query or key."""
        blocks = self.kv_num_blocks.sum().item()
        if self.full_kv_num_blocks is not None:
            blocks += self.full_kv_num_blocks.sum().item()
        return 100 * (1 - blocks * prod(self.BLOCK_SIZE) / self.numel())

    def as_tuple(self, flatten: bool = True) -> tuple[Any, ...]:
        """The attributes; with `flatten`, lengths and sizes of blocks one by one."""
        lengths, size = (self.seq_lengths, self.BLOCK_SIZE) if flatten else ((self.seq_lengths,), (self.BLOCK_SIZE,))
        return (*lengths, *self._tensors(), *size, self.mask_mod)

    def to_dense(self) -> Tensor:
        """1 for every block that is computed, (B, H, rows, columns), int32."""
        dense = _dense(self.kv_num_blocks, self.kv_indices)
        if self.full_kv_num_blocks is None:
            return dense
        return _C.bitwise_or(dense, _dense(self.full_kv_num_blocks, self.full_kv_indices))  # type: ignore[no-any-return]

    def elements(self) -> Tensor:
        """Which scores are computed: bool, (B, H, queries, keys)."""
        device = self.kv_indices.device
        allowed = _each(self, _dense(self.kv_num_blocks, self.kv_indices))
        if self.mask_mod is not noop_mask:
            allowed = _C.logical_and(allowed, spread(self.mask_mod(*positions(self.shape, device=device)), self.shape, "mask_mod"))
        if self.full_kv_num_blocks is None:
            return allowed
        full = _each(self, _dense(self.full_kv_num_blocks, self.full_kv_indices))
        return _C.logical_or(allowed, full)  # type: ignore[no-any-return]

    def lists(self, of_columns: bool = True) -> tuple[Tensor | None, ...]:
        """(counts, entries) by rows of blocks, and by columns: int32. An entry is a block's number times 2, plus 1 if full."""
        partial, full = _dense(self.kv_num_blocks, self.kv_indices), None
        if self.full_kv_num_blocks is not None:
            full = _dense(self.full_kv_num_blocks, self.full_kv_indices)
        kinds = partial if full is None else _C.maximum(partial, full * 2)
        return (*_listed(kinds), *(_listed(_C.transpose(kinds, -2, -1)) if of_columns else (None, None)))

    def to(self, device: Any) -> BlockMask:
        """The same on another device."""
        moved: list[Any] = [None if x is None else x.to(device) for x in self._tensors()]
        return BlockMask(self.seq_lengths, *(*moved, self.BLOCK_SIZE, self.mask_mod))

    def _adjust(self, new_q_len: int, new_kv_len: int) -> BlockMask:
        """The same rule for fewer queries and keys."""
        rows, columns = (-(-n // size) for n, size in zip((new_q_len, new_kv_len), self.BLOCK_SIZE))

        def fewer(count: Tensor | None, indices: Tensor | None) -> tuple[Any, Any]:
            return (None, None) if count is None else _in_order(_dense(count, indices)[..., :rows, :columns])

        partial = fewer(self.kv_num_blocks, self.kv_indices)
        full = fewer(self.full_kv_num_blocks, self.full_kv_indices)
        return BlockMask.from_kv_blocks(*partial, *full, self.BLOCK_SIZE, self.mask_mod, (new_q_len, new_kv_len))

    def __getitem__(self, index: Any) -> BlockMask:
        """Of some batches, heads and rows of blocks. It has no rule: the positions would be others."""
        index = index if isinstance(index, tuple) else (index,)
        index = tuple([slice(k, k + 1 or None) if isinstance(k, int) else k for k in index])
        rows: list[Any] = [None if x is None else x[index] for x in self._tensors()[:4]]
        return BlockMask.from_kv_blocks(*(*rows, self.BLOCK_SIZE, _rule_of_a_part, self.seq_lengths))

    def _tensors(self) -> tuple[Any, ...]:
        by_row = self.kv_num_blocks, self.kv_indices, self.full_kv_num_blocks, self.full_kv_indices
        return (*by_row, self.q_num_blocks, self.q_indices, self.full_q_num_blocks, self.full_q_indices)

    def __repr__(self) -> str:
        return f"BlockMask(shape={self.shape}, sparsity={self.sparsity():.2f}%, mask_mod={self.mask_mod.__name__})"


def create_block_mask(
    mask_mod: Callable[..., Any],
    B: int | None,
    H: int | None,
    Q_LEN: int,
    KV_LEN: int,
    device: DeviceLike | None = None,
    BLOCK_SIZE: int | tuple[int, int] = DEFAULT_BLOCK,
    _compile: bool = False,
    separate_full_blocks: bool = True,
) -> BlockMask:
    """The blocks in which a rule allows anything.

    Args:
        mask_mod: whether a query attends to a key, a function of (batch, head, query, key). It is called once, with
            indices that broadcast, and gives bools.
        B, H: batches and heads, None where the rule is the same for all.
        Q_LEN, KV_LEN: queries and keys.
        device: where the mask lies.
        BLOCK_SIZE: queries and keys of a block.
        separate_full_blocks: whether blocks in which the rule allows everything are kept apart.

    Raises:
        ValueError: `mask_mod` is no such function.

    Source: torch.nn.attention.flex_attention.create_block_mask.

    Example:
        >>> from tritonflow.nn.attention.flex_attention import create_block_mask
        >>> create_block_mask(lambda b, h, q, k: q >= k, None, None, 256, 384).to_dense().tolist()
        [[[[1, 0, 0], [1, 1, 0]]]]
    """
    if not callable(mask_mod):
        raise ArgumentValueError(f"mask_mod must be a function of (b, h, q_idx, kv_idx), not {type(mask_mod).__name__}")
    block = (BLOCK_SIZE, BLOCK_SIZE) if isinstance(BLOCK_SIZE, int) else BLOCK_SIZE
    mask = create_mask(mask_mod, B, H, Q_LEN, KV_LEN, device)
    if mask.dtype is not dtypes.bool_:
        raise ArgumentValueError(f"mask_mod must give bools, not {mask.dtype}")
    rows, columns = -(-Q_LEN // block[0]), -(-KV_LEN // block[1])
    mask = _C.pad(mask, (0, columns * block[1] - KV_LEN, 0, rows * block[0] - Q_LEN))
    counts = _C.reshape(mask, (*mask.shape[:2], rows, block[0], columns, block[1])).sum((-3, -1))
    full = counts == prod(block) if separate_full_blocks else None
    partial = counts > 0 if full is None else (counts > 0) & ~full
    whole: tuple[Any, Any] = (None, None) if full is None else _in_order(full)
    return BlockMask.from_kv_blocks(*_in_order(partial), *whole, block, mask_mod, (Q_LEN, KV_LEN))


def _rule_of_a_part(batch: Tensor, head: Tensor, token_q: Tensor, token_kv: Tensor) -> Tensor:
    raise InvalidArgumentError(
        "a part of a BlockMask has no mask_mod, as its positions are others: set `mask_mod` to a function of the part's own"
    )


def _in_order(blocks: Tensor) -> tuple[Tensor, Tensor]:
    """How many blocks each row has, and which: first those that it has, in their order."""
    blocks = blocks.to(dtypes.int32)
    order = _C.argsort(blocks, dim=-1, descending=True, stable=True)
    return blocks.sum(-1).to(dtypes.int32), order.to(dtypes.int32)


def _listed(kinds: Tensor) -> tuple[Tensor, Tensor]:
    """How many blocks each row has, and which, in order; of kinds 0 where there is none, 1, and 2 of a full one."""
    counts, order = _in_order(kinds != 0)
    full = _C.gather(kinds, -1, order.to(dtypes.int64)) == 2
    return counts, order * 2 + full.to(dtypes.int32)


def _dense(count: Tensor, indices: Any) -> Tensor:
    """1 for each block, (B, H, rows, columns), int32."""
    columns = indices.shape[-1]
    there = _C.arange(columns, device=indices.device) < _C.unsqueeze(count, -1)
    empty = _C.zeros(tuple(indices.shape), dtype=dtypes.int32, device=indices.device)
    return _C.scatter(empty, -1, indices.to(dtypes.int64), there.to(dtypes.int32))  # type: ignore[no-any-return]


def _by_columns(count: Tensor | None, indices: Tensor | None) -> tuple[Any, Any]:
    return (None, None) if count is None else _in_order(_C.transpose(_dense(count, indices), -2, -1))


def _each(mask: BlockMask, blocks: Tensor) -> Tensor:
    """Blocks as bools for their elements."""
    for d, size in ((-2, mask.BLOCK_SIZE[0]), (-1, mask.BLOCK_SIZE[1])):
        blocks = _C.repeat_interleave(blocks, size, d)
    return blocks[..., : mask.seq_lengths[0], : mask.seq_lengths[1]] != 0

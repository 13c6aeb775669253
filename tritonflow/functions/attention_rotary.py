"""The functors of rotary embeddings: what a call says of layouts, positions and sequences, and which of the ops it is."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from tritonflow.binding.library import function, functor
from tritonflow.binding.target import beside
from tritonflow.dtypes import int32, int64
from tritonflow.errors import ArgumentTypeError, ArgumentValueError, DTypeError, ShapeError, type_name
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.meta import Shape, TensorMeta
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.arithmetic import sub
from tritonflow.functions.cast import cast, clone
from tritonflow.functions.creation import arange_end
from tritonflow.functions.index_search import searchsorted
from tritonflow.functions.view import narrow, unsqueeze
from tritonflow.interpreter.dispatch import dispatch
from tritonflow.interpreter.grad_mode import is_grad_enabled, no_grad
from tritonflow.interpreter.inplace import Overlap, overlap_of, refuse_overlap
from tritonflow.interpreter.recording import edges_of, refuse_gradients, wants_gradient
from tritonflow.ops.dtype_rules import require

_rotary = op_expr("rotary")
_rotary_pair = op_expr("rotary_pair")
_rotary_pair_inplace = op_expr("rotary_pair_inplace")

_ORDERS: dict[str, Shape] = {"bshd": (0, 1, 2), "bhsd": (0, 2, 1), "sbhd": (1, 0, 2)}


@function(
    "Tensor (Tensor x, Tensor cos, Tensor sin, Bool interleaved=False, Bool inplace=False, PyObject seqlen_offsets=None, "
    "Tensor cu_seqlens=None, Int64 max_seqlen=None, *, Tensor positions=None, String tensor_format='bshd')",
    "TensorTuple (TensorTuple x, Tensor cos, Tensor sin, Bool interleaved=False, Bool inplace=False, PyObject seqlen_offsets=None, "
    "Tensor cu_seqlens=None, Int64 max_seqlen=None, *, Tensor positions=None, String tensor_format='bshd') => ApplyRotaryEmbPair",
    export="nn.functional", reference="op_references.apply_rotary_emb", samples="rotary", tolerance="pointwise",
)
def apply_rotary_emb(
    x: Tensor, cos: Tensor, sin: Tensor, interleaved: bool = False, inplace: bool = False, seqlen_offsets: Any = None,
    cu_seqlens: Tensor | None = None, max_seqlen: int | None = None, positions: Tensor | None = None,
    tensor_format: str = "bshd",
) -> Any:  # fmt: skip
    """Rotary position embedding: pairs of a head's elements are turned by an angle of their position.

    With the row of cos and sin of an element's position,

        (a, b) -> (a * cos - b * sin, b * cos + a * sin)

    The pairs are the first and second half of a head's first r elements (GPT-NeoX, LLaMA), or neighbours
    (GPT-J). Elements behind the first r stay as they are. It is computed in float32, in float64 of float64.
    Queries and keys may be given as a pair of tensors; they are turned in one launch. After Su et al.,
    RoFormer, 2021.

    Overloads:
        - `apply_rotary_emb(x: Tensor, cos: Tensor, sin: Tensor, interleaved: bool = False, inplace: bool = False,
          seqlen_offsets: int | Tensor | None = None, cu_seqlens: Tensor | None = None, max_seqlen: int | None = None, *,
          positions: Tensor | None = None, tensor_format: str = "bshd") -> Tensor`
        - `apply_rotary_emb(x: tuple[Tensor, Tensor], cos: Tensor, sin: Tensor, ...) -> tuple[Tensor, Tensor]`

    Args:
        x: queries or keys, or a tuple of both, with any strides; they may differ in their number of heads.
        cos: the cosines of positions, of any floating dtype; or those of each batch.
        sin: the sines.
        interleaved: whether pairs are neighbours, and not elements of two halves.
        inplace: whether the result is written over x.
        seqlen_offsets: the position of the first row, 0 unless given; a tensor has one for each batch.
        cu_seqlens: where sequences begin, and the last one's end; rows of all sequences are then one dimension.
        max_seqlen: the length of the longest of these; it is not needed.
        positions: the position of each row, int32 or int64, instead of its number.
        tensor_format: the dimensions of x, of batch, sequence, head and element: "bshd", "bhsd" or "sbhd".
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (B, S, H, D), (T, r / 2) or (B, T, r / 2), the same -> (B, S, H, D), with positions of (S) or (B, S);
        with cu_seqlens (total, H, D) -> the same.

    Raises:
        RuntimeError: shapes that do not fit, or a table with too few rows; dtypes that differ.
        IndexError: a position that the tables do not have.
        ValueError: an unknown format, or several ways to say positions.
        NotImplementedError: dtypes that are not floating; gradients of cos and sin.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: oneflow._C.fused_apply_rotary_emb; the arguments are those of flash_attn.layers.rotary.apply_rotary_emb.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> x = flow.tensor([1.0, 0.0]).expand(1, 3, 1, 2)  # 3 positions, one head of 2
        >>> angles = flow.tensor([[0.0], [0.5], [1.0]])
        >>> F.apply_rotary_emb(x, angles.cos(), angles.sin()).squeeze()
        tensor([[1.0000, 0.0000],
                [0.8776, 0.4794],
                [0.5403, 0.8415]])
    """
    call = RotaryCall(cos, sin, seqlen_offsets, cu_seqlens, positions, tensor_format)
    return call.turned((x,), interleaved, inplace)[0]


@functor("ApplyRotaryEmbPair")
def apply_rotary_emb_pair(
    x: Sequence[Tensor], cos: Tensor, sin: Tensor, interleaved: bool = False, inplace: bool = False, seqlen_offsets: Any = None,
    cu_seqlens: Tensor | None = None, max_seqlen: int | None = None, positions: Tensor | None = None,
    tensor_format: str = "bshd",
) -> Any:  # fmt: skip
    if len(x) != 2:
        raise ArgumentValueError(f"apply_rotary_emb(): expected a tensor, or a pair of queries and keys, but got {len(x)} tensors")
    call = RotaryCall(cos, sin, seqlen_offsets, cu_seqlens, positions, tensor_format)
    return call.turned(tuple(x), interleaved, inplace)


@functor("Rotary")
def rotary(
    x: Tensor, cos: Tensor, sin: Tensor, order: Shape, interleaved: bool, starts: bool, sign: float, positions: Tensor | None = None
) -> Any:
    """The op as its derivative calls it."""
    return dispatch(_rotary, (x, cos, sin, positions), (tuple(order), interleaved, starts, False), (sign,))


@functor("RotaryPair")
def rotary_pair(
    query: Tensor, key: Tensor, cos: Tensor, sin: Tensor, order: Shape, interleaved: bool, starts: bool, sign: float,
    positions: Tensor | None = None,
) -> Any:  # fmt: skip
    """The op as its derivative calls it."""
    return dispatch(_rotary_pair, (query, key, cos, sin, positions), (tuple(order), interleaved, starts), (sign,))


class RotaryCall:
    """What a call says of positions."""

    def __init__(
        self, cos: Tensor, sin: Tensor, offsets: Any, cu_seqlens: Tensor | None, positions: Tensor | None, tensor_format: str
    ) -> None:
        if tensor_format not in _ORDERS:
            raise ArgumentValueError(
                f"apply_rotary_emb(): expected tensor_format to be one of {', '.join(_ORDERS)}, but got {tensor_format!r}"
            )
        offsets = 0 if offsets is None else offsets
        if not isinstance(offsets, (int, Tensor)):
            raise ArgumentTypeError(
                f"apply_rotary_emb(): argument 'seqlen_offsets' must be int or tensor, not {type_name(offsets)}"
            )
        if positions is not None and (cu_seqlens is not None or isinstance(offsets, Tensor) or offsets):
            raise ArgumentValueError("apply_rotary_emb(): positions say all: seqlen_offsets and cu_seqlens do not go with them")
        if cu_seqlens is not None and tensor_format != "bshd":
            raise ArgumentValueError("apply_rotary_emb(): with cu_seqlens x is (total, heads, size), of no other format")
        self.cos, self.sin, self.positions = cos, sin, positions
        self.offsets, self.cu_seqlens, self.order = offsets, cu_seqlens, _ORDERS[tensor_format]
        self.starts = False

    def turned(self, xs: tuple[Tensor, ...], interleaved: bool, inplace: bool) -> tuple[Any, ...]:
        """Each tensor turned, in the order in which they are given."""
        flat = self.cu_seqlens is not None
        metas = [x.meta for x in xs]
        _check(tuple(metas), self.cos.meta, self.sin.meta, self.order, 3 if flat else 4)
        if not self.cos.meta.shape[-1]:
            if is_grad_enabled():
                refuse_gradients(_rotary, edges_of((xs[0], self.cos, self.sin)))
            return xs if inplace else tuple([clone(x) for x in xs])
        length = metas[0].shape[0 if flat else self.order[1]]
        self._find_positions(metas[0], length)
        if self.positions is None:
            _check_rows(self.cos.meta, length)
        given = tuple([unsqueeze(x, 0) for x in xs]) if flat else xs
        tables = (self.cos, self.sin, self.positions)
        found = _dispatch(given, tables, (self.order, bool(interleaved), self.starts), 1.0, inplace)
        return xs if inplace else tuple([x.squeeze(0) for x in found]) if flat else found

    def _find_positions(self, x: TensorMeta, length: int) -> None:
        """From offsets and lengths: a number takes rows off the tables, whose views cost nothing."""
        offsets = self.offsets
        if self.cu_seqlens is not None:
            self.positions = _within(self.cu_seqlens, length, offsets)
        elif isinstance(offsets, Tensor):
            _check_offsets(offsets, x.shape[self.order[0]])
            _check_rows(self.cos.meta, length)
            self.positions, self.starts = offsets, True
        elif offsets:
            _check_rows(self.cos.meta, length, offsets)
            self.cos, self.sin = (narrow(t, t.meta.ndim - 2, offsets, length) for t in (self.cos, self.sin))
        elif self.positions is not None:
            _check_positions(self.positions.meta, x.shape[self.order[0]], length)


def _within(cu_seqlens: Tensor, total: int, offsets: Any) -> Tensor:
    """The position of each row in its sequence."""
    require("apply_rotary_emb", "int32|int64", cu_seqlens.meta.dtype, "cu_seqlens")
    if cu_seqlens.meta.ndim != 1 or cu_seqlens.meta.shape[0] < 2:
        raise ShapeError(f"apply_rotary_emb(): expected cu_seqlens to be (sequences + 1), but got {list(cu_seqlens.meta.shape)}")
    with no_grad():
        ends = cast(cu_seqlens, int64)
        rows = arange_end(total, dtype=int64, **beside(cu_seqlens))
        sequence = searchsorted(narrow(ends, 0, 1, ends.meta.shape[0] - 1), rows, right=True)
        found = sub(rows, ends[sequence])
        if isinstance(offsets, Tensor):
            _check_offsets(offsets, ends.meta.shape[0] - 1)
            return found + offsets[sequence]  # type: ignore[no-any-return]
        return found + offsets if offsets else found  # type: ignore[no-any-return]


def _dispatch(xs: tuple[Tensor, ...], tables: tuple[Any, ...], attrs: tuple[Any, ...], sign: float, inplace: bool) -> Any:
    if not inplace:
        if len(xs) == 1:
            return (dispatch(_rotary, (*xs, *tables), (*attrs, False), (sign,)),)
        return dispatch(_rotary_pair, (*xs, *tables), attrs, (sign,))
    if len(xs) == 2 and not (is_grad_enabled() and any(wants_gradient(x) for x in xs)) and _are_apart(*xs):
        dispatch(_rotary_pair_inplace, (*xs, *tables), attrs, (sign,))
        return xs
    return tuple([dispatch(_rotary, (x, *tables), (*attrs, True), (sign,), x) for x in xs])


def _are_apart(query: Tensor, key: Tensor) -> bool:
    """Whether one launch may write both: they share no element."""
    refuse_overlap(query.meta)
    refuse_overlap(key.meta)
    return query.impl is not key.impl or overlap_of(query, key) is Overlap.NONE


# ------------------------------------------------------------------------------------------------------------- checks


@lru_cache(maxsize=1024)
def _check(xs: tuple[TensorMeta, ...], cos: TensorMeta, sin: TensorMeta, order: Shape, ndim: int) -> None:
    """Raise for operands that do not fit together: a program asks for few combinations, many times."""
    name = "apply_rotary_emb"
    for argument, meta in (*[("x", x) for x in xs], ("cos", cos), ("sin", sin)):
        require(name, "floating", meta.dtype, argument)
    first = xs[0]
    batch, length, heads = (None, 0, 1) if ndim == 3 else order
    for x in xs:
        if x.ndim != ndim:
            what = "(total, heads, size), with cu_seqlens" if ndim == 3 else "of 4 dimensions"
            raise ShapeError(f"{name}(): expected x to be {what}, but got {list(x.shape)}")
        if x.dtype is not first.dtype:
            raise DTypeError(f"{name}(): expected queries and keys of one dtype, but got {first.dtype} and {x.dtype}")
        if any(x.shape[d] != first.shape[d] for d in range(ndim) if d != heads):
            raise ShapeError(
                f"{name}(): queries and keys may differ in their heads only, but got {list(first.shape)} and {list(x.shape)}"
            )
    if cos.shape != sin.shape or cos.ndim not in ((2,) if batch is None else (2, 3)):
        raise ShapeError(
            f"{name}(): expected cos and sin to be (positions, r / 2) or (batch, positions, r / 2), but got {list(cos.shape)} and"
            f" {list(sin.shape)}"
        )
    if cos.ndim == 3 and batch is not None and cos.shape[0] != first.shape[batch]:
        raise ShapeError(f"{name}(): cos has {cos.shape[0]} batches, x {first.shape[batch]}")
    if 2 * cos.shape[-1] > first.shape[-1]:
        raise ShapeError(f"{name}(): heads of {first.shape[-1]} elements have no {cos.shape[-1]} pairs, as many as cos has columns")


def _check_rows(cos: TensorMeta, length: int, first: int = 0) -> None:
    rows = cos.shape[-2]
    if first < 0 or first + length > rows:
        raise ShapeError(
            f"apply_rotary_emb(): cos and sin have {rows} rows, but x has {length} positions"
            + (f", from {first} on" if first else "")
        )


def _check_offsets(offsets: Tensor, batch: int) -> None:
    if offsets.meta.dtype not in (int32, int64) or offsets.meta.shape != (batch,):
        raise ShapeError(
            f"apply_rotary_emb(): expected seqlen_offsets to be ({batch},), int32 or int64, but got {list(offsets.meta.shape)},"
            f" {offsets.meta.dtype}"
        )


def _check_positions(positions: TensorMeta, batch: int, length: int) -> None:
    require("apply_rotary_emb", "int32|int64", positions.dtype, "positions")
    if positions.shape not in ((length,), (batch, length), (1, length)):
        raise ShapeError(
            f"apply_rotary_emb(): expected positions to be ({length},) or ({batch}, {length}), but got {list(positions.shape)}"
        )

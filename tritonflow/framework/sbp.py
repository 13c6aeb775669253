"""Sbp: how a consistent tensor lies over one dimension of a placement: split, broadcast or partial.

The names are OneFlow's. An nd-sbp is a tuple of them, one for each dimension of the placement, the outermost first: (Pmax, P) is
the maximum over rows of the sums of their ranks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow.errors import ArgumentTypeError, InvalidArgumentError, PlacementError, type_name

PARTIAL_OPS = ("sum", "max", "min")
MAX_SPLIT_DIM = 6  # OneFlow's


class Sbp:
    """One of `split(dim)`, `broadcast`, `partial_sum`, `partial_max`, `partial_min`; equal ones are the same object.

    Attributes:
        kind: "split", "broadcast" or "partial".
        dim: which dimension of the tensor is split, else None.
        op: what makes one tensor of the shares of a partial one: "sum", "max" or "min"; else None.

    Example:
        >>> import tritonflow as flow
        >>> flow.sbp.split(0)
        tritonflow.sbp.split(dim=0)
        >>> flow.sbp.broadcast is flow.sbp.broadcast()
        True
    """

    __slots__ = ("kind", "dim", "op")
    _known: dict[tuple[str, int | None, str | None], Sbp] = {}

    kind: str
    dim: int | None
    op: str | None

    def __new__(cls, kind: str, dim: int | None = None, op: str | None = None) -> Sbp:
        key = kind, dim, op
        sbp = cls._known.get(key)
        if sbp is None:
            sbp = super().__new__(cls)
            sbp.kind, sbp.dim, sbp.op = key
            sbp = cls._known.setdefault(key, sbp)
        return sbp

    @property
    def is_split(self) -> bool:
        """Whether every rank holds a piece of a dimension."""
        return self.kind == "split"

    @property
    def is_broadcast(self) -> bool:
        """Whether every rank holds all of it."""
        return self.kind == "broadcast"

    @property
    def is_partial(self) -> bool:
        """Whether every rank holds a share of every element."""
        return self.kind == "partial"

    def __call__(self) -> Sbp:
        """Itself: OneFlow's programs write both `sbp.broadcast` and `sbp.broadcast()`."""
        return self

    def __str__(self) -> str:
        """S0, B, P, Pmax or Pmin, as in explanations and errors."""
        if self.kind == "split":
            return f"S{self.dim}"
        return "B" if self.kind == "broadcast" else "P" if self.op == "sum" else f"P{self.op}"

    def __repr__(self) -> str:
        if self.kind == "split":
            return f"tritonflow.sbp.split(dim={self.dim})"
        return "tritonflow.sbp.broadcast" if self.kind == "broadcast" else f"tritonflow.sbp.partial_{self.op}"

    def __reduce__(self) -> tuple[Any, ...]:
        return (Sbp, (self.kind, self.dim, self.op))

    def __copy__(self) -> Sbp:
        return self

    def __deepcopy__(self, memo: Any) -> Sbp:
        return self


NdSbp = tuple[Sbp, ...]

broadcast = Sbp("broadcast")
partial_sum = Sbp("partial", op="sum")
partial_max = Sbp("partial", op="max")
partial_min = Sbp("partial", op="min")


def split(dim: int) -> Sbp:
    """Every rank holds a piece of dimension `dim`; the first n % ranks pieces have one element more.

    Args:
        dim: a dimension of the tensor, counted from the front.

    Raises:
        InvalidArgumentError: `dim` is negative, or as large as no program of OneFlow may use it.
    """
    if isinstance(dim, bool) or not isinstance(dim, int):
        raise ArgumentTypeError(f"split(): argument 'dim' must be int, not {type_name(dim)}")
    if dim < 0:
        raise InvalidArgumentError(f"Split axis must not be negative, but got {dim}!")
    if dim >= MAX_SPLIT_DIM:
        raise InvalidArgumentError(
            f"Expected split axis to be less than the supported maximum axis ({MAX_SPLIT_DIM}), but got {dim}!"
        )
    return Sbp("split", dim)


def partial(op: str) -> Sbp:
    """Every rank holds a share of every element; `op`, one of sum, max and min, makes one of them."""
    if op not in PARTIAL_OPS:
        raise InvalidArgumentError(f"partial(): expected one of {', '.join(PARTIAL_OPS)}, got {op!r}")
    return Sbp("partial", op=op)


def nd_sbp(where: str, sbp: Sbp | Sequence[Sbp], mesh_ndim: int, ndim: int) -> NdSbp:
    """The sbp that a user gave, one for each dimension of the placement.

    Raises:
        PlacementError: there are more or fewer than the placement has dimensions, or a tensor with `ndim` dimensions has no such
            dimension.
    """
    given = (sbp,) if isinstance(sbp, Sbp) else tuple(sbp)
    for one in given:
        if not isinstance(one, Sbp):
            raise ArgumentTypeError(f"{where}(): argument 'sbp' must be sbp or a sequence of sbp, not {type_name(one)}")
    if len(given) != mesh_ndim:
        raise PlacementError(
            f"{where}(): expected {mesh_ndim} sbp, one for each dimension of the placement, got {len(given)}: {nd_text(given)}"
        )
    for one in given:
        if one.dim is not None and one.dim >= ndim:
            raise PlacementError(
                f"{where}(): Split axis out of range (expected to be in range of [0, {ndim}), but got {one.dim}!)"
            )
    return given


def nd_text(sbp: Sequence[Sbp]) -> str:
    """`S0`, or `(S0, B)` over a placement with several dimensions."""
    return str(sbp[0]) if len(sbp) == 1 else f"({', '.join(map(str, sbp))})"


def plain(sbp: NdSbp, mesh: tuple[int, ...]) -> NdSbp:
    """The same with broadcast along mesh dimensions of one rank: what a single rank has is the piece, the share and the whole.

    Example:
        >>> import tritonflow as flow
        >>> plain((flow.sbp.split(0), flow.sbp.partial_sum), (4, 1))
        (tritonflow.sbp.split(dim=0), tritonflow.sbp.broadcast)
    """
    return tuple([broadcast if size == 1 else one for one, size in zip(sbp, mesh)]) if 1 in mesh else sbp

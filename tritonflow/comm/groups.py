"""Groups: which ranks take part in a collective."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from tritonflow.errors import ArgumentTypeError, InvalidArgumentError, type_name
from tritonflow.framework.placement import Placement, check_ranks, placement_of
from tritonflow.wire.record import Ranks
from tritonflow.wire.world import this_rank

if TYPE_CHECKING:
    from tritonflow.distributed.mesh import DeviceMesh


def everyone() -> Ranks:
    """All ranks of the world."""
    return tuple(range(this_rank().world_size))


class ProcessGroup:
    """Ranks that call collectives together, in ascending order. To make one moves nothing: ranks connect at first use.

    Args:
        ranks: of the world; all of them where None.
    """

    def __init__(self, ranks: Ranks | None = None) -> None:
        self._ranks = ranks

    @property
    def ranks(self) -> Ranks:
        """Their numbers in the world."""
        return everyone() if self._ranks is None else self._ranks

    @property
    def group_name(self) -> str:
        """The ranks as a word."""
        return "ranks " + ",".join(map(str, self.ranks))

    def size(self) -> int:
        """How many they are."""
        return len(self.ranks)

    def rank(self) -> int:
        """The number of the calling rank among them; -1 if it is none of them."""
        me, ranks = this_rank().index, self.ranks
        return ranks.index(me) if me in ranks else -1

    def __repr__(self) -> str:
        return f"ProcessGroup({list(self.ranks)})"


GroupLike: TypeAlias = "ProcessGroup | Sequence[int] | Placement | DeviceMesh | None"


def new_group(ranks: GroupLike = None) -> ProcessGroup:
    """A group of some ranks, for the argument `ranks` of collectives.

    Nobody has to call it besides those that use it, and the same ranks make the same group.

    Args:
        ranks: numbers in the world in any order, or a mesh with one dimension; all of them where None.

    Raises:
        RuntimeError: a rank occurs twice, or the world has no such rank.
        TypeError: other things than numbers.

    Source: torch.distributed.new_group.

    Example:
        >>> import tritonflow as flow
        >>> flow.distributed.new_group([0])
        ProcessGroup([0])
    """
    return ranks if isinstance(ranks, ProcessGroup) else ProcessGroup(ranks_of("new_group", ranks))


def members(function: str, ranks: GroupLike) -> Ranks:
    """The ranks that take part in a collective, ascending, of which the calling rank is one.

    Raises:
        InvalidArgumentError: it is not; or as of `ranks_of`.
    """
    found, me = ranks_of(function, ranks), this_rank().index
    if me not in found:
        raise InvalidArgumentError(f"{function}(): rank {me} calls it for ranks {list(found)}, and is none of them")
    return found


def ranks_of(function: str, ranks: GroupLike) -> Ranks:
    """The ranks of a group, ascending.

    Raises:
        ArgumentTypeError: they are no group, no numbers and no mesh.
        InvalidArgumentError: there is none, one occurs twice, the world has no such rank, or the mesh has several dimensions.
    """
    if ranks is None:
        return everyone()
    if isinstance(ranks, ProcessGroup):
        return ranks.ranks
    placement = placement_of(ranks)
    if placement is not None:
        if placement.ndim != 1:
            raise InvalidArgumentError(
                f"{function}(): expected a mesh with one dimension in 'ranks', got one of shape {placement.shape};"
                ' help: mesh["name"] is the line of one of its dimensions'
            )
        return tuple(sorted(placement.order))
    return _checked(function, ranks)


def _checked(function: str, ranks: Any) -> Ranks:
    if not isinstance(ranks, (Sequence, range)) or isinstance(ranks, str) or not all(type(rank) is int for rank in ranks):
        given = [type_name(rank) for rank in ranks] if isinstance(ranks, (list, tuple)) else type_name(ranks)
        raise ArgumentTypeError(f"{function}(): argument 'ranks' must be ints, a group or a mesh, not {given}")
    if not ranks:
        raise InvalidArgumentError(f"{function}(): expected at least one rank in 'ranks'")
    check_ranks(function, ranks)
    return tuple(sorted(ranks))

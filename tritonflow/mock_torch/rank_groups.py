"""Groups of `torch.distributed`: whether it is initialized, which ranks a group has, and who is who in it."""

from __future__ import annotations

import datetime
import functools
import inspect
import os
import socket
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, TypeVar

from tritonflow.comm.groups import ProcessGroup, everyone, members, new_group
from tritonflow.device.side_stream import beside
from tritonflow.errors import InvalidArgumentError
from tritonflow.framework.tensor import Tensor
from tritonflow.mock_torch.torch_names import real_value
from tritonflow.settings import settings
from tritonflow.wire.record import Ranks
from tritonflow.wire.world import SimulatedRank, join_world, rank_local, this_rank

F = TypeVar("F", bound=Callable[..., Any])
BACKENDS = ("gloo", "nccl")
WORLD = ProcessGroup()
NON_GROUP_MEMBER = -100
_MEETING = "tritonflow/meeting"


class DistributedState:
    """What a rank has told `torch.distributed`.

    Attributes:
        initialized: whether `init_process_group` was called.
        backend: what it was given.
        store: what it was given; the file of a FileStore is removed with it.
        groups: those that were made, besides that of all ranks, and are not destroyed.
        destroyed: those that are.
    """

    def __init__(self) -> None:
        self.initialized = False
        self.backend = "gloo"
        self.store: Any = None
        self.groups: list[ProcessGroup] = []
        self.destroyed: list[ProcessGroup] = []


def state() -> DistributedState:
    """That of the calling rank."""
    found: DistributedState = rank_local().setdefault(DistributedState, DistributedState())
    return found


def start(
    backend: str | None, timeout: Any, world_size: int, rank: int, init_method: str | None = None, store: Any = None
) -> None:
    """Note that the program begins to use its ranks. Where no launcher has numbered them, they are numbered as the program says.

    Raises:
        ValueError: there is no such backend.
        RuntimeError: `rank` or `world_size` say something else than the launcher.
    """
    names = [name.rpartition(":")[2] for name in str(backend or "gloo").lower().split(",")]
    if not set(names) <= {*BACKENDS, "undefined"}:
        raise ValueError(f"init_process_group(backend={backend!r}): expected one of {', '.join(BACKENDS)}")
    found = this_rank()
    if min(rank, world_size) >= 0 and "RANK" not in os.environ and not isinstance(found, SimulatedRank) and (
        _is_met(init_method) or _has_met_by(store or _store_of(init_method, world_size), rank)
    ):
        found = join_world(rank, world_size)
    if world_size not in (-1, found.world_size) or rank not in (-1, found.index):
        raise RuntimeError(
            f"init_process_group(rank={rank}, world_size={world_size}): this is rank {found.index} of {found.world_size};"
            " help: start ranks by torchrun or `python -m tritonflow.distributed.launch`,"
            " or say where they meet: MASTER_ADDR and MASTER_PORT, or init_method='tcp://...'"
        )
    if timeout is not None:
        settings.comm_timeout = timeout.total_seconds() if isinstance(timeout, datetime.timedelta) else float(timeout)
    mine = state()
    mine.initialized, mine.backend, mine.store = True, names[-1], store


def _is_met(init_method: str | None) -> bool:
    """Whether it is known where ranks meet: MASTER_ADDR and MASTER_PORT, which are set to an address in `init_method`."""
    if init_method is not None and init_method.startswith("tcp://"):
        address, _, port = init_method.removeprefix("tcp://").partition("?")[0].rstrip("/").rpartition(":")
        os.environ.update(MASTER_ADDR=address, MASTER_PORT=port)
    return {"MASTER_ADDR", "MASTER_PORT"} <= set(os.environ)


def _store_of(init_method: str | None, world_size: int) -> Any:
    """The store in the file that "file:///a/path" names; None of other methods."""
    if init_method is None or not init_method.startswith("file://"):
        return None
    return real_value("torch.distributed", "FileStore")(init_method.removeprefix("file://"), world_size)


def _has_met_by(store: Any, rank: int) -> bool:
    """Whether there is a store: rank 0 tells the others by it where they meet."""
    if store is None:
        return False
    if rank == 0:
        with socket.socket() as free:
            free.bind(("", 0))
            store.set(_MEETING, f"{getattr(store, 'host', '127.0.0.1')}:{free.getsockname()[1]}")
    address, _, port = store.get(_MEETING).decode().rpartition(":")
    os.environ.update(MASTER_ADDR=address, MASTER_PORT=port)
    return True


def destroy(group: Any) -> None:
    """Note that a group, or `torch.distributed` as a whole, is no longer used."""
    mine = state()
    if group in (None, WORLD):
        mine.initialized, mine.groups = False, []
    elif group != NON_GROUP_MEMBER:
        require_known(group)
        mine.groups = [each for each in mine.groups if each is not group]
        mine.destroyed.append(group)


def make_group(ranks: Sequence[int] | None) -> Any:
    """A group of some ranks; NON_GROUP_MEMBER where this rank is none of them.

    Raises:
        ValueError: a rank occurs twice, or the world has no such rank.
    """
    require_initialized()
    size = this_rank().world_size
    if ranks is not None:
        ranks = sorted(int(rank) for rank in ranks)
        if len(set(ranks)) != len(ranks):
            raise ValueError(f"ranks list must not contain duplicate entries, got {ranks}")
        for rank in ranks:
            if not 0 <= rank < size:
                raise ValueError(f"Rank {rank} is out of range. Valid ranks are 0 to {size - 1} (world_size={size})")
        if this_rank().index not in ranks:
            return NON_GROUP_MEMBER
    made = new_group(ranks)
    state().groups.append(made)
    return made


def require_initialized() -> None:
    """Raise a ValueError unless `init_process_group` was called."""
    if not state().initialized:
        raise ValueError("Default process group has not been initialized, please make sure to call init_process_group.")


def require_known(group: Any) -> None:
    """Raise a ValueError for what is no group, or one that was destroyed."""
    if not isinstance(group, ProcessGroup) or group in state().destroyed:
        raise ValueError(f"Invalid process group specified: {group!r}")


def ranks_of(group: Any) -> Ranks:
    """The ranks of a group, ascending; of all where it is None."""
    require_initialized()
    if group in (None, WORLD):
        return everyone()
    require_known(group)
    ranks: Ranks = group.ranks
    return ranks


def collective(function: F) -> F:
    """A function that gets the ranks of a group as its argument `group`.

    A rank to which `new_group` gave NON_GROUP_MEMBER is warned and does nothing, as with torch. With `async_op` it holds up no op
    that does not need its results.
    """
    signature = inspect.signature(function)

    @functools.wraps(function)
    def called(*args: Any, **options: Any) -> Any:
        given = signature.bind(*args, **options)
        group = given.arguments.get("group")
        if group == NON_GROUP_MEMBER:
            warnings.warn(
                f"Running {function.__name__} on global rank {this_rank().index} which does not belong to the given group.",
                stacklevel=2,
            )
            return None
        given.arguments["group"] = members(function.__name__, ranks_of(group))
        with _stream(given.arguments):
            return function(*given.args, **given.kwargs)

    return called  # type: ignore[return-value]


def _stream(arguments: Mapping[str, Any]) -> AbstractContextManager[Any]:
    """Where the ops of a collective go: with `async_op`, where nothing waits behind them."""
    if not arguments.get("async_op"):
        return nullcontext()
    given = [x for value in arguments.values() for x in (value if isinstance(value, (list, tuple)) else (value,))]
    tensor = next((x for x in given if isinstance(x, Tensor)), None)
    return nullcontext() if tensor is None else beside(tensor.device)


def global_rank(rank: int | None, group_rank: int | None, group: Ranks, default: int | None = None) -> int:
    """The number in the world of a rank that is given by it, or by the number in its group.

    Raises:
        ValueError: none or both are given, or the group has no such rank.
        RuntimeError: the world has no such rank.
    """
    if rank is None and group_rank is None:
        rank = default
    if rank is None and group_rank is None:
        raise ValueError("Must specify global_rank or group_rank")
    if rank is not None and group_rank is not None:
        raise ValueError("Can't specify both group_rank and global_rank")
    if group_rank is not None:
        if not 0 <= group_rank < len(group):
            raise ValueError(f"Group rank {group_rank} is not part of group {list(group)}")
        return group[group_rank]
    assert rank is not None
    size = this_rank().world_size
    if not 0 <= rank < size:
        raise InvalidArgumentError(f"torch.distributed: rank {rank} is not among the {size} ranks")
    if rank not in group:
        raise ValueError(f"Global rank {rank} is not part of group {list(group)}")
    return int(rank)


# ------------------------------------------------------------------------------------------------------- who is who


def get_rank(group: Any = None) -> int:
    """The number of this rank in a group; -1 where it is outside."""
    if group == NON_GROUP_MEMBER:
        return -1
    ranks, me = ranks_of(group), this_rank().index
    return ranks.index(me) if me in ranks else -1


def get_world_size(group: Any = None) -> int:
    """How many ranks a group has; -1 where this rank is outside."""
    return -1 if group == NON_GROUP_MEMBER else len(ranks_of(group))


def get_process_group_ranks(group: Any = None) -> list[int]:
    """The numbers in the world of the ranks of a group."""
    return list(ranks_of(group))


def get_global_rank(group: Any, group_rank: int) -> int:
    """The number in the world of the rank that has this number in a group."""
    return global_rank(None, group_rank, ranks_of(group))


def get_group_rank(group: Any, global_rank: int) -> int:
    """The number in a group of the rank that has this number in the world."""
    ranks = ranks_of(group)
    if global_rank not in ranks:
        raise ValueError(f"Global rank {global_rank} is not part of group {group}")
    return ranks.index(global_rank)


def new_subgroups_by_enumeration(ranks_per_subgroup_list: Sequence[Sequence[int]], **options: Any) -> tuple[Any, list[Any]]:
    """A group for each list of ranks: this rank's, or None, and all of them."""
    if not ranks_per_subgroup_list:
        raise ValueError("The arg 'ranks_per_subgroup_list' cannot be empty")
    owner: dict[int, Sequence[int]] = {}
    for ranks in ranks_per_subgroup_list:
        for rank in ranks:
            if rank in owner:
                raise ValueError(f"Rank {rank} has appeared in both subgroup {owner[rank]} and {ranks}")
            owner[rank] = ranks
    groups = [make_group(ranks) for ranks in ranks_per_subgroup_list]
    return next((each for each in groups if each != NON_GROUP_MEMBER), None), groups


def new_subgroups(group_size: int | None = None, group: Any = None, **options: Any) -> tuple[Any, list[Any]]:
    """Groups of so many neighbouring ranks, as many as a node has unless given: this rank's, and all of them."""
    ranks, size = ranks_of(group), group_size or this_rank().local_size
    if size < 0 or len(ranks) % size:
        raise ValueError(f"The world size ({len(ranks)}) must be divisible by 'group_size={size}'")
    return new_subgroups_by_enumeration([ranks[k : k + size] for k in range(0, len(ranks), size)])

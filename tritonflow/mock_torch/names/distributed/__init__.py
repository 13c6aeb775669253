"""`torch.distributed`: the ranks of this program, groups of them, and collectives of `flow.comm`. One rank needs nothing of it.

Ranks are started by torchrun or `python -m tritonflow.distributed.launch`.
"""

from __future__ import annotations

import datetime
import os
from typing import Any

import tritonflow as flow
from tritonflow.comm.groups import ProcessGroup  # noqa: F401
from tritonflow.mock_torch import rank_groups
from tritonflow.mock_torch.names.distributed.device_mesh import DeviceMesh, init_device_mesh  # noqa: F401
from tritonflow.mock_torch.rank_collectives import (  # noqa: F401
    ReduceOp,
    all_gather,
    all_gather_into_tensor,
    all_reduce,
    all_reduce_coalesced,
    all_to_all,
    all_to_all_single,
    barrier,
    broadcast,
    gather,
    monitored_barrier,
    reduce,
    reduce_op,
    reduce_scatter,
    reduce_scatter_tensor,
    scatter,
)
from tritonflow.mock_torch.rank_groups import (  # noqa: F401
    get_global_rank,
    get_group_rank,
    get_process_group_ranks,
    get_rank,
    get_world_size,
    new_subgroups,
    new_subgroups_by_enumeration,
)
from tritonflow.mock_torch.rank_messages import (  # noqa: F401
    P2POp,
    batch_isend_irecv,
    irecv,
    isend,
    recv,
    recv_object_list,
    send,
    send_object_list,
)
from tritonflow.mock_torch.rank_objects import (  # noqa: F401
    all_gather_object,
    broadcast_object_list,
    gather_object,
    scatter_object_list,
)
from tritonflow.mock_torch.rank_work import Work  # noqa: F401
from tritonflow.mock_torch.torch_names import shared_module
from tritonflow.nn.parallel.reducer import GradBucket  # noqa: F401
from tritonflow.wire.world import this_rank

# Keys and bytes that processes share: torch's own.
_stores: Any = shared_module("torch.distributed")
Store, FileStore, HashStore, PrefixStore, TCPStore = (
    _stores.Store, _stores.FileStore, _stores.HashStore, _stores.PrefixStore, _stores.TCPStore
)  # fmt: skip
default_pg_timeout = datetime.timedelta(minutes=30)


class GroupMember:
    """The group of all ranks, and what stands for a group that this rank is not in."""

    WORLD = rank_groups.WORLD
    NON_GROUP_MEMBER = rank_groups.NON_GROUP_MEMBER


group = GroupMember


def is_available() -> bool:
    """Yes."""
    return True


def is_initialized() -> bool:
    """Whether `init_process_group` was called."""
    return rank_groups.state().initialized


def init_process_group(
    backend: str | None = None, init_method: str | None = None, timeout: Any = None, world_size: int = -1, rank: int = -1,
    store: Any = None, group_name: str = "", pg_options: Any = None, device_id: Any = None,
) -> None:  # fmt: skip
    """Note that the program begins to use its ranks, which the launcher's environment variables tell, whatever `init_method` is.

    Where no launcher has set RANK, `rank` and `world_size` count, with MASTER_ADDR and MASTER_PORT, "tcp://address:port",
    "file:///a/path", or a store.

    Args:
        backend: gloo, nccl, or both by device; bytes between CPUs go by Gloo, and between GPUs by NCCL, in any case.
        timeout: how long a rank waits for others; default `TRITONFLOW_COMM_TIMEOUT`.
        world_size, rank: as the launcher says.

    Raises:
        ValueError: it was called before, or there is no such backend.
        RuntimeError: `rank` or `world_size` say something else than the launcher.
    """
    if is_initialized():
        raise ValueError("trying to initialize the default process group twice!")
    rank_groups.start(backend, timeout, world_size, rank, init_method, store)


def destroy_process_group(group: Any = None) -> None:
    """Note that a group is no longer used; without one, that the program's ranks are not."""
    rank_groups.destroy(group)


def new_group(
    ranks: Any = None, timeout: Any = None, backend: Any = None, pg_options: Any = None, use_local_synchronization: bool = False,
    group_desc: str | None = None, device_id: Any = None,
) -> Any:  # fmt: skip
    """The group of some ranks, or of all; `GroupMember.NON_GROUP_MEMBER` on the others. Nobody waits for anybody.

    Raises:
        ValueError: a rank occurs twice, or the world has no such rank.
    """
    return rank_groups.make_group(ranks)


def get_backend(group: Any = None) -> str:
    """What `init_process_group` was given."""
    rank_groups.ranks_of(group)
    return rank_groups.state().backend


def get_node_local_rank(fallback_rank: int | None = None) -> int:
    """The number of this rank on its node."""
    if "LOCAL_RANK" not in os.environ and fallback_rank is not None:
        return int(fallback_rank)
    return this_rank().local_index


def is_torchelastic_launched() -> bool:
    """Whether torchrun started this process."""
    return "TORCHELASTIC_RUN_ID" in os.environ


def is_nccl_available() -> bool:
    """Whether there is a GPU."""
    return flow.cuda.is_available()


def is_gloo_available() -> bool:
    """Yes."""
    return True


def is_mpi_available() -> bool:
    """No."""
    return False


def is_ucc_available() -> bool:
    """No."""
    return False


def is_xccl_available() -> bool:
    """No."""
    return False


def is_backend_available(backend: str) -> bool:
    """Whether there is one of this name."""
    return backend == "gloo" or (backend == "nccl" and is_nccl_available())


# ------------------------------------------------------------------------------------------------- backends and errors


class Backend(str):
    """The name of a backend, in small letters."""

    UNDEFINED, GLOO, NCCL, MPI, UCC, XCCL = "undefined", "gloo", "nccl", "mpi", "ucc", "xccl"
    default_device_backend_map = {"cpu": GLOO, "cuda": NCCL}

    def __new__(cls, name: str) -> Backend:
        if not isinstance(name, str):
            raise ValueError(f"Backend constructor parameter must be string-ish: {name}")
        return super().__new__(cls, name.lower())


class DistError(RuntimeError):
    """An error of ranks."""


class DistBackendError(DistError):
    """An error of a backend."""


class DistNetworkError(DistError):
    """An error of the network."""


class DistStoreError(DistError):
    """An error of a store."""


class DebugLevel:
    """What is logged of collectives."""

    OFF, INFO, DETAIL = 0, 1, 2


def get_debug_level() -> int:
    """Nothing is logged: collectives of ranks are always compared (`flow.comm`)."""
    return DebugLevel.OFF


def get_default_backend_for_device(device: Any) -> str:
    """The backend of a kind of device."""
    kind = flow.device(device).type
    if kind not in ("cpu", "cuda"):
        raise ValueError(f"Default backend not registered for device : {device}")
    return "gloo" if kind == "cpu" else "nccl"


def get_pg_count() -> int:
    """How many groups there are, that of all ranks among them."""
    return int(is_initialized()) + len(rank_groups.state().groups)


def supports_complex(reduceOp: Any) -> bool:
    """Whether a reduction takes complex numbers."""
    return reduceOp in (ReduceOp.SUM, ReduceOp.AVG, ReduceOp.PRODUCT)

"""`torch.distributed`: the ranks of this program, and collectives of `flow.comm`. A program on one rank needs nothing of it.

Ranks are started by torchrun or `python -m tritonflow.distributed.launch`. There is one group, that of all ranks.
"""

from __future__ import annotations

import datetime
import os
from typing import Any

import tritonflow as flow
from tritonflow.errors import InvalidArgumentError, NotYetImplementedError
from tritonflow.mock_torch.names.distributed.device_mesh import DeviceMesh, init_device_mesh  # noqa: F401
from tritonflow.mock_torch.rank_collectives import exchange_rows, is_alone, objects_of_ranks, reduce_over_ranks
from tritonflow.wire.world import this_rank

default_pg_timeout = datetime.timedelta(minutes=30)
_state = {"initialized": False, "backend": "gloo"}


class ReduceOp:
    """What a reduction computes."""

    SUM, AVG, PRODUCT, MIN, MAX = "sum", "avg", "product", "min", "max"
    BAND, BOR, BXOR, PREMUL_SUM = "band", "bor", "bxor", "premul_sum"


reduce_op = ReduceOp


class ProcessGroup:
    """The group of all ranks."""

    def rank(self) -> int:
        """The number of this rank."""
        return this_rank().index

    def size(self) -> int:
        """How many ranks there are."""
        return this_rank().world_size


class Work:
    """A collective that is done."""

    def wait(self, timeout: Any = None) -> bool:
        """It is done."""
        return True

    def is_completed(self) -> bool:
        """It is."""
        return True

    def is_success(self) -> bool:
        """It is."""
        return True


_world = ProcessGroup()


class GroupMember:
    """The group of all ranks, and what stands for a group that this rank is not in."""

    WORLD = _world
    NON_GROUP_MEMBER = -100


group = GroupMember


def is_available() -> bool:
    """Yes."""
    return True


def is_initialized() -> bool:
    """Whether `init_process_group` was called."""
    return bool(_state["initialized"])


def init_process_group(
    backend: str | None = None, init_method: str | None = None, timeout: Any = None, world_size: int = -1, rank: int = -1,
    store: Any = None, group_name: str = "", pg_options: Any = None, device_id: Any = None,
) -> None:  # fmt: skip
    """Note that the program begins to use its ranks, which the launcher's environment variables tell.

    Raises:
        ValueError: it was called before.
        RuntimeError: `rank` or `world_size` say something else than the launcher.
    """
    if is_initialized():
        raise ValueError("trying to initialize the default process group twice!")
    found = this_rank()
    if (world_size, rank) not in ((-1, -1), (found.world_size, found.index)):
        raise RuntimeError(
            f"init_process_group(rank={rank}, world_size={world_size}): this is rank {found.index} of {found.world_size};"
            " help: start ranks by torchrun or `python -m tritonflow.distributed.launch`"
        )
    _state.update(initialized=True, backend=str(backend or "gloo").rpartition(":")[2])


def destroy_process_group(group: Any = None) -> None:
    """Note that the program's ranks are no longer used."""
    _state["initialized"] = False


def _ready() -> None:
    if not is_initialized():
        raise ValueError("Default process group has not been initialized, please make sure to call init_process_group.")


def _is_world(chosen: Any) -> None:
    _ready()
    if chosen not in (None, _world):
        raise NotYetImplementedError("torch.distributed: groups other than that of all ranks; help: flow.placement")


def get_rank(group: Any = None) -> int:
    """The number of this rank."""
    _is_world(group)
    return this_rank().index


def get_world_size(group: Any = None) -> int:
    """How many ranks there are."""
    _is_world(group)
    return this_rank().world_size


def get_backend(group: Any = None) -> str:
    """What `init_process_group` was given."""
    _is_world(group)
    return str(_state["backend"])


def get_node_local_rank(fallback_rank: int | None = None) -> int:
    """The number of this rank on its node."""
    if "LOCAL_RANK" not in os.environ and fallback_rank is not None:
        return int(fallback_rank)
    return this_rank().local_index


def new_group(ranks: Any = None, *args: Any, **options: Any) -> ProcessGroup:
    """The group of all ranks."""
    _ready()
    if ranks is not None and sorted(ranks) != list(range(this_rank().world_size)):
        raise NotYetImplementedError(f"new_group({ranks}): groups other than that of all ranks; help: flow.placement")
    return _world


def get_process_group_ranks(group: Any = None) -> list[int]:
    """All."""
    _is_world(group)
    return list(range(this_rank().world_size))


def get_global_rank(group: Any, group_rank: int) -> int:
    """The number of a rank: there is one group."""
    _is_world(group)
    return group_rank


def get_group_rank(group: Any, global_rank: int) -> int:
    """The number of a rank: there is one group."""
    _is_world(group)
    return global_rank


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


# ------------------------------------------------------------------------------------------------- collectives


def _done(async_op: bool) -> Work | None:
    return Work() if async_op else None


def _rank(rank: Any, group_rank: Any) -> int:
    """The number of a rank, which is given as that in the program or in its group: there is one group."""
    found = int(rank if rank is not None else group_rank if group_rank is not None else 0)
    if not 0 <= found < this_rank().world_size:
        raise InvalidArgumentError(f"torch.distributed: rank {found} is not among the {this_rank().world_size} ranks")
    return found


def all_reduce(tensor: Any, op: Any = ReduceOp.SUM, group: Any = None, async_op: bool = False) -> Work | None:
    """Every rank's tensor becomes the sum, mean, product, minimum or maximum of all, or what their bits have in common."""
    _is_world(group)
    reduce_over_ranks(tensor, op)
    return _done(async_op)


def all_reduce_coalesced(tensors: Any, op: Any = ReduceOp.SUM, group: Any = None, async_op: bool = False) -> Work | None:
    """`all_reduce` of each tensor."""
    for tensor in tensors:
        all_reduce(tensor, op, group)
    return _done(async_op)


def reduce(
    tensor: Any, dst: int | None = None, op: Any = ReduceOp.SUM, group: Any = None, async_op: bool = False, group_dst: Any = None
) -> Work | None:
    """The tensor of rank `dst` becomes the sum of all; those of other ranks stay what they are."""
    _is_world(group)
    target, result = _rank(dst, group_dst), tensor.detach().clone()
    reduce_over_ranks(result, op)
    if this_rank().index == target:
        with flow.no_grad():
            tensor.copy_(result)
    return _done(async_op)


def broadcast(
    tensor: Any, src: int | None = None, group: Any = None, async_op: bool = False, group_src: int | None = None
) -> Work | None:
    """Every rank's tensor becomes that of rank `src`."""
    _is_world(group)
    source = _rank(src, group_src)
    if not is_alone():
        with flow.no_grad():
            flow.comm.broadcast(tensor, source)
    return _done(async_op)


def all_gather(tensor_list: Any, tensor: Any, group: Any = None, async_op: bool = False) -> Work | None:
    """Every rank gets the tensors of all."""
    _is_world(group)
    with flow.no_grad():
        if is_alone():
            tensor_list[0].copy_(tensor)
        else:
            flow.comm.all_gather(tensor_list, tensor)
    return _done(async_op)


def all_gather_into_tensor(
    output_tensor: Any, input_tensor: Any, group: Any = None, async_op: bool = False
) -> Work | None:
    """Every rank gets the tensors of all, one behind the other."""
    _is_world(group)
    with flow.no_grad():
        if is_alone():
            output_tensor.copy_(input_tensor.reshape(output_tensor.shape))
        else:
            flow.comm.all_gather_into_tensor(output_tensor, input_tensor)
    return _done(async_op)


def gather(
    tensor: Any, gather_list: Any = None, dst: int | None = None, group: Any = None, async_op: bool = False, group_dst: Any = None
) -> Work | None:
    """Rank `dst` gets the tensors of all."""
    _is_world(group)
    target = _rank(dst, group_dst)
    if (this_rank().index == target) != bool(gather_list):
        raise ValueError("gather(): argument 'gather_list' is a list of tensors on the rank `dst`, and None on the others")
    with flow.no_grad():
        if is_alone():
            gather_list[0].copy_(tensor)
        else:
            flow.comm.gather(tensor, gather_list or None, target)
    return _done(async_op)


def scatter(
    tensor: Any, scatter_list: Any = None, src: int | None = None, group: Any = None, async_op: bool = False, group_src: Any = None
) -> Work | None:
    """Each rank gets its tensor of the list that rank `src` has."""
    _is_world(group)
    source = _rank(src, group_src)
    if (this_rank().index == source) != bool(scatter_list):
        raise ValueError("scatter(): argument 'scatter_list' is a list of tensors on the rank `src`, and None on the others")
    with flow.no_grad():
        if is_alone():
            tensor.copy_(scatter_list[0])
        else:
            flow.comm.scatter(tensor, scatter_list or None, source)
    return _done(async_op)


def reduce_scatter(output: Any, input_list: Any, op: Any = ReduceOp.SUM, group: Any = None, async_op: bool = False) -> Work | None:
    """Rank k gets the sum of all ranks' k-th tensors."""
    _is_world(group)
    if op not in (ReduceOp.SUM, ReduceOp.AVG):
        raise NotYetImplementedError(f"reduce_scatter(op={op!r}): sums and means alone; help: all_reduce takes the others")
    with flow.no_grad():
        if is_alone():
            output.copy_(input_list[0])
        else:
            flow.comm.reduce_scatter(output, list(input_list))
            if op == ReduceOp.AVG:
                output.div_(this_rank().world_size)
    return _done(async_op)


def reduce_scatter_tensor(
    output: Any, input: Any, op: Any = ReduceOp.SUM, group: Any = None, async_op: bool = False
) -> Work | None:
    """Rank k gets the k-th piece of the sum of all ranks' inputs."""
    pieces = input.reshape(this_rank().world_size, *output.shape).unbind(0)
    return reduce_scatter(output, list(pieces), op, group, async_op)


def all_to_all(output_tensor_list: Any, input_tensor_list: Any, group: Any = None, async_op: bool = False) -> Work | None:
    """Rank k gets the k-th tensor of every rank."""
    _is_world(group)
    with flow.no_grad():
        if is_alone():
            output_tensor_list[0].copy_(input_tensor_list[0])
        else:
            flow.comm.all_to_all(output_tensor_list, input_tensor_list)
    return _done(async_op)


def all_to_all_single(
    output: Any, input: Any, output_split_sizes: Any = None, input_split_sizes: Any = None, group: Any = None,
    async_op: bool = False,
) -> Work | None:  # fmt: skip
    """Rank k gets the k-th share of every rank's rows; all shares are of one size."""
    _is_world(group)
    exchange_rows(output, input, output_split_sizes, input_split_sizes)
    return _done(async_op)


def barrier(group: Any = None, async_op: bool = False, device_ids: Any = None) -> Work | None:
    """Wait for all ranks."""
    _is_world(group)
    if not is_alone():
        flow.comm.barrier()
    return _done(async_op)


monitored_barrier = barrier


def send(tensor: Any, dst: int | None = None, group: Any = None, tag: int = 0, group_dst: int | None = None) -> None:
    """Send a tensor to another rank, which calls `recv`."""
    _is_world(group)
    flow.comm.send(tensor, _rank(dst, group_dst), send_meta=False)


def recv(tensor: Any, src: int | None = None, group: Any = None, tag: int = 0, group_src: int | None = None) -> int:
    """Write the tensor that another rank sends; the number of that rank, which must be given."""
    _is_world(group)
    if src is None and group_src is None:
        raise NotYetImplementedError("torch.distributed.recv() from any rank; help: give `src`")
    source = _rank(src, group_src)
    with flow.no_grad():
        flow.comm.recv(source, tensor.shape, tensor.dtype, tensor.device, out=tensor)
    return source


# ------------------------------------------------------------------------------------------------- objects


def all_gather_object(object_list: Any, obj: Any, group: Any = None) -> None:
    """Every rank gets the objects of all. They are pickled: trust the other ranks."""
    _is_world(group)
    object_list[:] = objects_of_ranks(obj)


def gather_object(
    obj: Any, object_gather_list: Any = None, dst: Any = None, group: Any = None, group_dst: Any = None
) -> None:
    """Rank `dst` gets the objects of all."""
    _is_world(group)
    is_target = this_rank().index == _rank(dst, group_dst)
    if is_target != bool(object_gather_list):
        raise ValueError("gather_object(): argument 'object_gather_list' is a list on the rank `dst`, and None on the others")
    found = objects_of_ranks(obj)
    if is_target:
        object_gather_list[:] = found


def broadcast_object_list(
    object_list: Any, src: int | None = None, group: Any = None, device: Any = None, group_src: Any = None
) -> None:
    """Every rank's list gets the objects of rank `src`."""
    _is_world(group)
    source = _rank(src, group_src)
    if not is_alone():
        object_list[:] = objects_of_ranks(list(object_list) if this_rank().index == source else None)[source]


def scatter_object_list(
    scatter_object_output_list: Any, scatter_object_input_list: Any = None, src: int | None = None, group: Any = None,
    group_src: Any = None,
) -> None:  # fmt: skip
    """Each rank gets its object of the list that rank `src` has."""
    _is_world(group)
    source, this = _rank(src, group_src), this_rank()
    if this.index == source and len(scatter_object_input_list or ()) != this.world_size:
        raise ValueError(f"scatter_object_list(): expected an object for each of {this.world_size} ranks on rank {source}")
    found = objects_of_ranks(scatter_object_input_list if this.index == source else None)[source]
    scatter_object_output_list[0] = found[this.index]


# ------------------------------------------------------------------------------------------------- backends and errors


class Backend(str):
    """The name of a backend, in small letters."""

    UNDEFINED, GLOO, NCCL, MPI, UCC, XCCL = "undefined", "gloo", "nccl", "mpi", "ucc", "xccl"

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
    """One group, after `init_process_group`."""
    return int(is_initialized())


def supports_complex(reduceOp: Any) -> bool:
    """Whether a reduction takes complex numbers."""
    return reduceOp in (ReduceOp.SUM, ReduceOp.AVG, ReduceOp.PRODUCT)

"""Messages of `torch.distributed` between two ranks: alone, and in batches whose order is no matter."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from typing import Any

import tritonflow as flow
from tritonflow.device.side_stream import beside
from tritonflow.errors import NotYetImplementedError
from tritonflow.mock_torch.rank_groups import collective, global_rank
from tritonflow.mock_torch.rank_objects import bytes_of, tensor_of
from tritonflow.mock_torch.rank_work import Work
from tritonflow.wire.world import this_rank


@collective
def isend(tensor: Any, dst: int | None = None, group: Any = None, tag: int = 0, group_dst: int | None = None) -> Work:
    """Send a tensor to another rank, which calls `recv` or `irecv` with the same tag.

    Messages between two ranks come in the order in which they are sent, so another tag is an error there.
    """
    with beside(tensor.device):
        flow.comm.send(tensor, global_rank(dst, group_dst, group), send_meta=False, tag=tag)
    return Work([tensor])


@collective
def irecv(tensor: Any, src: int | None = None, group: Any = None, tag: int = 0, group_src: int | None = None) -> Work:
    """Write the tensor that another rank sends with the same tag; which rank must be given."""
    if src is None and group_src is None:
        raise NotYetImplementedError("torch.distributed.recv() from any rank; help: give `src`")
    source = global_rank(src, group_src, group)
    with flow.no_grad(), beside(tensor.device):
        flow.comm.recv(source, tensor.shape, tensor.dtype, tensor.device, out=tensor, tag=tag)
    return Work([tensor])


def send(tensor: Any, dst: int | None = None, group: Any = None, tag: int = 0, group_dst: int | None = None) -> None:
    """Send a tensor to another rank, which calls `recv` with the same tag. The tensor may be written at once."""
    isend(tensor, dst, group, tag, group_dst)


def recv(tensor: Any, src: int | None = None, group: Any = None, tag: int = 0, group_src: int | None = None) -> int:
    """Write the tensor that another rank sends; the number of that rank, or -1 outside of the group."""
    return -1 if irecv(tensor, src, group, tag, group_src) is None else _source(src, group=group, group_src=group_src)


@collective
def _source(src: int | None, group: Any = None, group_src: int | None = None) -> int:
    return global_rank(src, group_src, group)


class P2POp:
    """A message of a batch.

    Args:
        op: `isend` or `irecv`.
        tensor: that is sent, or written.
        peer: the other rank, by its number in the world; or `group_peer`, by that in the group.
        group: both are of it.
        tag: the same on both ranks.
    """

    def __init__(
        self, op: Callable[..., Any], tensor: Any, peer: int | None = None, group: Any = None, tag: int = 0,
        group_peer: int | None = None,
    ) -> None:  # fmt: skip
        if op not in (isend, irecv):
            raise ValueError(
                "Invalid ``op``. Expected ``op`` to be of type ``torch.distributed.isend`` or ``torch.distributed.irecv``."
            )
        if not isinstance(tensor, flow.Tensor):
            raise TypeError(f"Invalid function argument. Expected parameter `tensor` of type torch.Tensor but got {type(tensor)}")
        self.op, self.tensor, self.group, self.tag = op, tensor, group, tag
        self.peer = _source(peer, group=group, group_src=group_peer)  # None outside of the group

    def _order(self) -> tuple[int, int, int]:
        """Where it comes among the messages of all ranks: by the pair, then by the sender."""
        me = this_rank().index
        return min(me, self.peer), max(me, self.peer), me if self.op is isend else self.peer


def batch_isend_irecv(p2p_op_list: Sequence[P2POp]) -> list[Work]:
    """Messages whose order is no matter, but for those from one rank to another one.

    All ranks issue them in one order, that of pairs of ranks. So none waits for what comes behind it.
    """
    if not isinstance(p2p_op_list, list) or not all(isinstance(one, P2POp) for one in p2p_op_list):
        raise ValueError("Invalid ``p2p_op_list``. Each op is expected to to be of type ``torch.distributed.P2POp``.")
    if any(one.group is not p2p_op_list[0].group for one in p2p_op_list):
        raise ValueError("All ops need to use the same group.")
    ops = [one for one in p2p_op_list if one.peer is not None]
    _copy_own(ops)
    works: dict[int, Work] = {}
    for k, one in sorted(enumerate(ops), key=lambda entry: entry[1]._order()):
        own = one.peer == this_rank().index
        works[k] = Work([one.tensor]) if own else one.op(one.tensor, one.peer, one.group, one.tag)
    return [works[k] for k in range(len(ops))]


@flow.no_grad()
def _copy_own(ops: Sequence[P2POp]) -> None:
    """What this rank sends to itself."""
    own = [one for one in ops if one.peer == this_rank().index]
    sent, received = ([one for one in own if one.op is op] for op in (isend, irecv))
    if [one.tag for one in sent] != [one.tag for one in received]:
        counts = f"{len(sent)} tensors and receives {len(received)}"
        raise ValueError(f"batch_isend_irecv(): rank {this_rank().index} sends itself {counts}, or other tags")
    for source, target in zip([one.tensor.clone() for one in sent], received):
        target.tensor.copy_(source)


def send_object_list(
    object_list: Sequence[Any], dst: int | None = None, group: Any = None, device: Any = None, group_dst: int | None = None,
    use_batch: bool = False,
) -> None:  # fmt: skip
    """Send objects to another rank, which calls `recv_object_list`. They are pickled."""
    target = _source(dst, group=group, group_src=group_dst)
    if target is not None:
        flow.comm.send(tensor_of(pickle.dumps(list(object_list))), target)


def recv_object_list(
    object_list: list[Any], src: int | None = None, group: Any = None, device: Any = None, group_src: int | None = None,
    use_batch: bool = False,
) -> int:  # fmt: skip
    """Write the objects that another rank sends; its number, or -1 outside of the group. They are pickled: trust that rank."""
    source = _source(src, group=group, group_src=group_src)
    if source is None:
        return -1
    objects = pickle.loads(bytes_of(flow.comm.recv(source)))
    if len(objects) != len(object_list):
        raise ValueError(f"recv_object_list(): rank {source} sends {len(objects)} objects, but there are {len(object_list)} places")
    object_list[:] = objects
    return source

"""OneFlow's functional names of the collectives over local tensors: `flow.comm` under other names and signatures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tritonflow import comm
from tritonflow.framework.tensor import Tensor


def local_all_reduce(x: Tensor, inplace: bool = False) -> Tensor:
    """The sum of all ranks' tensors, on every rank."""
    return comm.all_reduce(x if inplace else x.clone())  # type: ignore[attr-defined]


def local_reduce(x: Tensor, *, dst: int = 0, inplace: bool = True) -> Tensor:
    """The sum of all ranks' tensors, on rank `dst`; the others get their own tensor."""
    y = x if inplace else x.clone()  # type: ignore[attr-defined]
    comm.reduce(y, dst)
    return y


def comm_broadcast(x: Any, *, src_rank: int = 0, inplace: bool = True) -> Any:
    """The tensor, or the list of tensors, of rank `src_rank`, on every rank."""
    if not isinstance(x, Tensor):
        return [comm_broadcast(one, src_rank=src_rank, inplace=inplace) for one in x]
    return comm.broadcast(x if inplace else x.clone(), src_rank)  # type: ignore[attr-defined]


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "comm_broadcast": comm_broadcast,
    "local_all_gather": comm.all_gather_into_tensor,
    "local_all_reduce": local_all_reduce,
    "local_reduce": local_reduce,
    "local_reduce_scatter": comm.reduce_scatter_tensor,
    "recv": comm.recv,
    "select_top_n": comm.select_top_n,
    "send": comm.send,
}

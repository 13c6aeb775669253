"""OneFlow's functional names of the collectives over local tensors: `flow.comm` under other names and signatures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tritonflow as flow  # whose `comm` is imported at its first use
from tritonflow.framework.tensor import Tensor


def local_all_reduce(x: Tensor, inplace: bool = False) -> Tensor:
    """The sum of all ranks' tensors, on every rank."""
    return flow.comm.all_reduce(x if inplace else x.clone())  # type: ignore[attr-defined]


def local_reduce(x: Tensor, *, dst: int = 0, inplace: bool = True) -> Tensor:
    """The sum of all ranks' tensors, on rank `dst`; the others get their own tensor."""
    y = x if inplace else x.clone()  # type: ignore[attr-defined]
    flow.comm.reduce(y, dst)
    return y


def comm_broadcast(x: Any, *, src_rank: int = 0, inplace: bool = True) -> Any:
    """The tensor, or the list of tensors, of rank `src_rank`, on every rank."""
    if not isinstance(x, Tensor):
        return [comm_broadcast(one, src_rank=src_rank, inplace=inplace) for one in x]
    return flow.comm.broadcast(x if inplace else x.clone(), src_rank)  # type: ignore[attr-defined]


def _same(name: str) -> Callable[..., Any]:
    def call(*args: Any, **options: Any) -> Any:
        return getattr(flow.comm, name)(*args, **options)

    return call


local_all_gather = _same("all_gather_into_tensor")
local_reduce_scatter = _same("reduce_scatter_tensor")
recv = _same("recv")
select_top_n = _same("select_top_n")
send = _same("send")

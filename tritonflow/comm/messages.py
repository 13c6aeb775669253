"""Messages from one rank to another."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from tritonflow import _C
from tritonflow.boxing.routes import route
from tritonflow.boxing.steps import run_route
from tritonflow.comm.checks import check_like, check_rank, check_tensor, check_written
from tritonflow.comm.movement import alone
from tritonflow.device.device import Device
from tritonflow.dtypes import DType, from_name
from tritonflow.errors import InvalidArgumentError
from tritonflow.framework.tensor import Tensor
from tritonflow.wire.verbs import control_gather
from tritonflow.wire.world import this_rank


def send(input: Tensor, dst: int, send_meta: bool = True, *, tag: int = 0) -> None:
    """Send a tensor to rank `dst`, which calls `recv`. Not recorded for backward.

    Args:
        input: a local tensor.
        dst: another rank.
        send_meta: whether shape and dtype go ahead; without, `recv` is told them.
        tag: that of the `recv`. Messages between two ranks come in the order in which they are sent: another tag is an error.
    """
    check_tensor("send", "input", input)
    rank, shape, type = _peer("send", "dst", dst), input.meta.shape, input.device.type
    source = this_rank().index
    if send_meta:
        control_gather((source, rank), json.dumps([shape, input.dtype.name, type]).encode(), "meta of a message")
    x = input.detach().contiguous()
    run_route(route(alone(shape, type, source), alone(shape, type, rank), x.dtype), x, _what(tag))


def recv(
    src: int,
    shape: Sequence[int] | None = None,
    dtype: DType | None = None,
    device: Any = None,
    *,
    out: Tensor | None = None,
    tag: int = 0,
) -> Tensor:
    """The tensor that rank `src` sends to this one.

    Args:
        src: another rank.
        shape, dtype, device: of the tensor; where `src` calls `send(..., send_meta=False)` all three, else none of them.
        out: is written in place, and returned.
        tag: that of the `send`.

    Raises:
        InvalidArgumentError: some of shape, dtype and device are given, not all.
        ShapeError, DTypeError: `out` is another one than the tensor that comes.
    """
    rank, this = _peer("recv", "src", src), this_rank().index
    if out is not None:
        check_written("recv", "out", out)
    if shape is None and dtype is None and device is None:
        meta = json.loads(control_gather((rank, this), b"", "meta of a message")[0])
        shape, dtype, type = meta[0], from_name(meta[1]), meta[2]
    elif shape is None or dtype is None or device is None:
        raise InvalidArgumentError("recv(): expected shape, dtype and device together, or none of them")
    else:
        type = Device(device).type
    sizes = tuple(shape)
    nothing = _C.empty((0,), dtype=dtype, device=Device(type))
    came = run_route(route(alone(sizes, type, rank), alone(sizes, type, this), dtype), nothing, _what(tag))
    if out is None:
        return came
    check_like("recv", "out", out, came)
    return out.copy_(came)


def _what(tag: int) -> str:
    return f"send with tag {tag}" if tag else "send"


def _peer(function: str, name: str, rank: Any) -> int:
    check_rank(function, name, rank)
    if rank == this_rank().index:
        raise InvalidArgumentError(f"{function}(): {name}={rank} is this rank itself")
    return rank

"""The memory that messages lie in: of a device, or of the host where they are staged."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, cast

from tritonflow.device import torch_memory
from tritonflow.device.device import Device
from tritonflow.device.memory import Block
from tritonflow.device.provider import get_provider
from tritonflow.wire.record import Message

CPU = Device("cpu")


def device_of(block: Block) -> Device:
    """Whose memory a block is: its pool's, or that of foreign memory."""
    pooled: Any = getattr(block.free, "stream", None)
    if pooled is not None:
        return cast(Device, pooled.device)
    device: Any = getattr(block.storage, "device", CPU)
    return CPU if device.type == "cpu" else Device(device.type, device.index)


def bytes_of(message: Message) -> Any:
    """The memory of a message as torch sees it."""
    return get_provider(message.device).share(message.address, message.nbytes, None)


def copy_bytes(target: Message, source: Message) -> None:
    """Copy what one message has to another one's memory, and wait until it is there."""
    if target.device is CPU and source.device is CPU:
        ctypes.memmove(target.address, source.address, source.nbytes)
        return
    bytes_of(target).copy_(bytes_of(source))
    for device in {target.device, source.device}:
        get_provider(device).wait()


def copy_own(me: int, sends: Sequence[Message], receives: Sequence[Message]) -> None:
    """Copy what a rank sends to itself."""
    for received in receives:
        if received.peer == me and received.nbytes:
            for sent in sends:
                if sent.peer == me and sent.address != received.address:
                    copy_bytes(received, sent)


def on_host(message: Message) -> tuple[Message, Any]:
    """A message of as many bytes in memory of the host, and that memory."""
    storage = torch_memory.host_storage(message.nbytes)
    return Message(message.peer, storage.data_ptr(), message.nbytes, CPU), storage

"""What tritonflow asks of torch's memory: storage on the host, and bytes of a storage as torch copies them.

Only `torch_memory`, `torch_cuda` and `torch_exchange` import torch, and what pyproject.toml names beside them.
"""

from __future__ import annotations

import ctypes
from typing import Any

import torch


def host_storage(nbytes: int) -> torch.UntypedStorage:
    """Host memory."""
    return torch.UntypedStorage(nbytes)


def host_bytes(address: int, nbytes: int, owner: Any) -> torch.Tensor:
    """A tensor of bytes over host memory, which keeps `owner` alive as long as it lives itself."""
    if nbytes == 0:
        return torch.empty(0, dtype=torch.uint8)
    buffer = (ctypes.c_char * nbytes).from_address(address)
    buffer._owner = owner  # type: ignore[attr-defined]
    return torch.frombuffer(buffer, dtype=torch.uint8)


def array_bytes(array: Any) -> torch.Tensor:
    """A tensor of bytes over a ctypes array or a bytearray."""
    return torch.frombuffer(array, dtype=torch.uint8)


def storage_bytes(storage: Any, offset: int, nbytes: int) -> torch.Tensor:
    """A tensor of bytes over a part of a storage."""
    view = torch.empty(0, dtype=torch.uint8, device=storage.device)
    return view.set_(storage, offset, (nbytes,), (1,))


def words(storage: Any, count: int) -> torch.Tensor:
    """A tensor of int32 over the start of a storage."""
    return storage_bytes(storage, 0, 4 * count).view(torch.int32)


def zero_words(count: int) -> torch.Tensor:
    """A tensor of int32 on the host, all 0."""
    return array_bytes(bytearray(4 * count)).view(torch.int32)

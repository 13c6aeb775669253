"""Files of a checkpoint: written durably, tensor by tensor; folders that become visible whole or not at all.

A shard is a safetensors file. It is written as a stream, so that no more than one tensor is in memory beside the pieces of a rank.
"""

from __future__ import annotations

import glob
import json
import os
import shutil
import struct
from collections.abc import Iterable, Mapping
from hashlib import sha256
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

import numpy

from tritonflow import dtypes
from tritonflow.binding import data_exchange
from tritonflow.dtypes import DType
from tritonflow.errors import CheckpointFolderError
from tritonflow.framework.shards import Shape
from tritonflow.framework.tensor import Tensor

# safetensors' names of the dtypes that are also ours
CODES = {
    "bool": "BOOL", "int8": "I8", "uint8": "U8", "int16": "I16", "int32": "I32", "int64": "I64", "float16": "F16",
    "bfloat16": "BF16", "float32": "F32", "float64": "F64", "float8_e4m3fn": "F8_E4M3", "float8_e5m2": "F8_E5M2",
    "complex64": "C64", "uint16": "U16", "uint32": "U32", "uint64": "U64",
}  # fmt: skip
NAMES = {code: name for name, code in CODES.items()}
BITS: dict[int, DType] = {1: dtypes.uint8, 2: dtypes.int16, 4: dtypes.int32, 8: dtypes.int64}
_CHUNK = 1 << 20  # bytes that are hashed and written at a time


class WrittenFile(NamedTuple):
    """A file that is on the disk."""

    size: int
    sha256: str


class StoredTensor(NamedTuple):
    """What a header says of a tensor: its dtype in safetensors' words, and its shape."""

    code: str
    shape: Shape

    @property
    def nbytes(self) -> int:
        return prod(self.shape) * dtypes.from_name(NAMES[self.code]).itemsize


def code_of(name: str, dtype: str) -> str:
    """safetensors' word for a dtype.

    Raises:
        CheckpointFolderError: it has none.
    """
    if dtype not in CODES:
        raise CheckpointFolderError(f"{name!r} has dtype {dtype}, which safetensors files cannot hold")
    return CODES[dtype]


def bits_of(x: Tensor) -> numpy.ndarray[Any, Any]:
    """The bits of a contiguous local tensor in host memory, as integers; they share its memory."""
    return data_exchange.numpy_of(data_exchange.with_dtype(x, BITS[x.meta.dtype.itemsize]))


# ---------------------------------------------------------------------------------------------------------- writing


def write_safetensors(
    path: Path, tensors: Mapping[str, StoredTensor], data: Iterable[numpy.ndarray[Any, Any]], metadata: dict[str, str]
) -> WrittenFile:
    """Write a safetensors file, and wait until it is on the disk.

    Args:
        path: of the file.
        tensors: by name.
        data: the elements of each tensor, in the order of `tensors`.
        metadata: texts for the header.
    """
    header: dict[str, Any] = {"__metadata__": metadata}
    end = 0
    for name, tensor in tensors.items():
        header[name] = {"dtype": tensor.code, "shape": list(tensor.shape), "data_offsets": [end, end + tensor.nbytes]}
        end += tensor.nbytes
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    text = text.ljust(-(-len(text) // 8) * 8)  # so that elements are aligned in a file that is mapped
    return _write(path, [struct.pack("<Q", len(text)) + text], map(_bytes, data))


def write_text(path: Path, text: str) -> WrittenFile:
    """Write a text, and wait until it is on the disk."""
    return _write(path, [text.encode()])


def _bytes(array: numpy.ndarray[Any, Any]) -> memoryview:
    flat: Any = array.reshape(-1).view(numpy.uint8)
    return memoryview(flat)


def _write(path: Path, *parts: Iterable[bytes | memoryview]) -> WrittenFile:
    digest, size = sha256(), 0
    with open(path, "wb", buffering=0) as file:
        for part in parts:
            for data in part:
                view = memoryview(data)
                for start in range(0, len(view), _CHUNK):
                    chunk = view[start : start + _CHUNK]
                    digest.update(chunk)
                    write_all(file, chunk)
                size += len(view)
        os.fsync(file.fileno())
    return WrittenFile(size, digest.hexdigest())


def write_all(file: Any, data: memoryview) -> None:
    """Write all bytes; a call of the system may write some."""
    while data:
        data = data[file.write(data) :]


# ---------------------------------------------------------------------------------------------------------- reading


def digest_of(path: Path) -> WrittenFile:
    """Size and digest of a file that is there."""
    digest, size = sha256(), 0
    with open(path, "rb", buffering=0) as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
            size += len(chunk)
    return WrittenFile(size, digest.hexdigest())


# ---------------------------------------------------------------------------------------------------------- folders


def sync_folder(folder: Path) -> None:
    """Wait until the names of a folder are on the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def temporary_of(folder: Path, token: str) -> Path:
    """Where a checkpoint is written that is to become `folder`."""
    return folder.with_name(f".{folder.name}.{token}.partial")


def _replaced(folder: Path) -> Path:
    """Where the checkpoint that `folder` was before lies, while a new one takes its name."""
    return folder.with_name(f".{folder.name}.replaced")


def existing(folder: Path) -> Path:
    """Where a checkpoint lies: in its folder, or beside it where a save was killed between two renames."""
    replaced = _replaced(folder)
    return replaced if not folder.exists() and replaced.exists() else folder


def publish(temporary: Path, folder: Path) -> None:
    """Give a complete folder its name; what had the name before goes when that is on the disk. At each moment one is whole."""
    replaced = _replaced(folder)
    sync_folder(temporary)
    if folder.exists():
        shutil.rmtree(replaced, ignore_errors=True)
        os.rename(folder, replaced)
    os.rename(temporary, folder)
    sync_folder(folder.parent)
    shutil.rmtree(replaced, ignore_errors=True)


def remove_partial(folder: Path) -> None:
    """Remove what saves of this name left that were killed."""
    for left in folder.parent.glob(f".{glob.escape(folder.name)}.*.partial"):
        shutil.rmtree(left, ignore_errors=True)

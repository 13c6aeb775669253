"""The folder of an exported program: files, and the text that says what they are and has their digests.

    program.txt            what the program is; its last line is the digest of all lines above
    weights.safetensors    parameters, buffers and constants
    kernels-avx2.so ...    the kernels for a kind of CPU

`program.txt` names every other file with its bytes and its SHA-256. So its own digest covers all.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import shutil
import struct
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tritonflow.errors import ExportError

PROGRAM, WEIGHTS = "program.txt", "weights.safetensors"
VERSION = 1
_DTYPES = {
    "float64": "F64", "float32": "F32", "float16": "F16", "bfloat16": "BF16", "int64": "I64", "int32": "I32", "int16": "I16",
    "int8": "I8", "uint8": "U8", "bool": "BOOL",
}  # fmt: skip


class Weight:
    """A block of memory that a program reads, or keeps from run to run.

    Args:
        impl: the block.
        parts: offsets and metas of what programs take for parts of it.
        tensors: those that lie in it.
        names: what tensors are called, by their identities.

    Attributes:
        name: what it is called; empty where nothing has its name.
        nbytes: what its tensors take.
    """

    def __init__(self, impl: Any, parts: Iterable[tuple[int, Any]], tensors: Sequence[Any], names: Mapping[int, str]) -> None:
        self.impl = impl
        own = [(tensor.ptr - impl.block.ptr, tensor.meta) for tensor in tensors]
        self.nbytes = max((offset + _extent(meta) for offset, meta in (*own, *parts)), default=impl.block.nbytes)
        self.name, self.dtype, self.shape = "", "U8", [self.nbytes]
        for tensor in tensors:
            meta = tensor.meta
            whole = tensor.ptr == impl.block.ptr and meta.is_contiguous and meta.nbytes == self.nbytes
            if whole and meta.dtype.name in _DTYPES and (not self.name or id(tensor) in names):
                self.name = names.get(id(tensor), self.name)
                self.dtype, self.shape = _DTYPES[meta.dtype.name], list(meta.shape)

    def read(self) -> bytes:
        """What is in it now."""
        return ctypes.string_at(self.impl.block.ptr, self.nbytes) if self.nbytes else b""


def _extent(meta: Any) -> int:
    if 0 in meta.shape:
        return 0
    return int((1 + sum([(n - 1) * stride for n, stride in zip(meta.shape, meta.stride)])) * meta.dtype.itemsize)


def weights_file(weights: Sequence[Weight]) -> tuple[bytes, list[str], list[int]]:
    """A safetensors file of blocks, the name of each in it, and where its bytes begin in the file."""
    header: dict[str, Any] = {}
    names, offsets, at, content = list[str](), list[int](), 0, list[bytes]()
    for number, weight in enumerate(weights):
        name = weight.name if weight.name and weight.name not in header else f"state{number}"
        data = weight.read()
        header[name] = {"dtype": weight.dtype, "shape": weight.shape, "data_offsets": [at, at + len(data)]}
        names.append(name)
        offsets.append(at)
        content.append(data)
        at += len(data)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    begin = 8 + len(text)
    return struct.pack("<Q", len(text)) + text + b"".join(content), names, [begin + offset for offset in offsets]


def described(lines: Sequence[str]) -> tuple[bytes, str]:
    """The text of `program.txt`, and its digest."""
    text = "\n".join(lines) + "\n"
    digest = hashlib.sha256(text.encode()).hexdigest()
    return f"{text}digest {digest}\n".encode(), digest


def file_line(name: str, data: bytes) -> str:
    """What `program.txt` says of another file."""
    return f"file {name} {len(data)} {hashlib.sha256(data).hexdigest()}"


@contextmanager
def writing(path: str | os.PathLike[str], files: Mapping[str, bytes], overwrite: bool) -> Iterator[Path]:
    """A block with a new folder of these files, which behind it takes its name as a whole; none if the block raises.

    Raises:
        ExportError: there is something at the path that is no exported program, or is not to be overwritten.
    """
    folder = Path(path)
    check_path(folder, overwrite)
    folder.parent.mkdir(parents=True, exist_ok=True)
    new = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        for name, data in files.items():
            (new / name).write_bytes(data)
        os.chmod(new, 0o755)
        yield new
        if folder.exists():
            shutil.rmtree(folder)
        os.rename(new, folder)
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise


def check_path(folder: Path, overwrite: bool) -> None:
    """Refuse a path at which there is something else.

    Raises:
        ExportError: there is something that is no exported program, or is not to be overwritten.
    """
    if folder.exists() and not (overwrite and (folder / PROGRAM).is_file()):
        hint = "overwrite=True replaces it" if (folder / PROGRAM).is_file() else "it is no exported program"
        raise ExportError(f"export(): there is a {str(folder)!r} already: {hint}")

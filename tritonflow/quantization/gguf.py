"""Whole files of GGUF, the format of llama.cpp: metadata, and tensors by name.

    "GGUF" | version | tensors | entries | metadata | infos of tensors | zeros up to a multiple of the alignment | data

Numbers are little-endian. Whatever a file says of sizes is compared with its length before it is read.

Source: https://github.com/ggml-org/ggml, its page on GGUF
"""

from __future__ import annotations

import math
import mmap
import os
import struct
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy

from tritonflow.binding.annotations import DeviceLike
from tritonflow.binding.new_tensors import tensor
from tritonflow.dtypes import DType
from tritonflow.errors import FileFormatError, NotYetImplementedError
from tritonflow.framework.tensor import Tensor
from tritonflow.quantization.checkpoints import from_gguf
from tritonflow.quantization.gguf_blocks import KINDS, Kind
from tritonflow.quantization.modules import QuantizedLinear

_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9
_MAX_DIMENSIONS, _MAX_DEPTH = 4, 4


class TensorInfo(NamedTuple):
    """What a file says of a tensor.

    Attributes:
        name: of the tensor.
        shape: the last dimension is that of the rows in memory, as in torch; a file has them the other way round.
        kind: how its numbers are stored, such as "q4_0", "f16".
        start, nbytes: of its data in the file.
    """

    name: str
    shape: tuple[int, ...]
    kind: str
    start: int
    nbytes: int


class _Cursor:
    """A cursor in a file's bytes, which goes no further than they do."""

    def __init__(self, path: str, data: Any) -> None:
        self.path, self.data, self.position = path, data, 0

    def fail(self, reason: str) -> FileFormatError:
        return FileFormatError(self.path, reason)

    def take(self, count: int, what: str) -> bytes:
        if count > len(self.data) - self.position:
            raise self.fail(f"it ends at byte {len(self.data)}, within {what}")
        self.position += count
        return bytes(self.data[self.position - count : self.position])

    def number(self, code: str, what: str) -> Any:
        return struct.unpack("<" + code, self.take(struct.calcsize("<" + code), what))[0]

    def string(self, what: str) -> str:
        """Bytes that are no UTF-8 become lone surrogates, so that none are lost."""
        return self.take(self.number("Q", what), what).decode("utf-8", "surrogateescape")

    def value(self, kind: int, what: str, depth: int = 0) -> Any:
        """A value of metadata: a number, a string, or a list."""
        if kind in _SCALARS:
            return self.number(_SCALARS[kind], what)
        if kind == _STRING:
            return self.string(what)
        if kind != _ARRAY or depth == _MAX_DEPTH:
            raise self.fail(f"{what} is of type {kind}, which there is not" if kind != _ARRAY else f"{what} is nested too deeply")
        item, count = self.number("I", what), self.number("Q", what)
        if item in _SCALARS:
            code = _SCALARS[item]
            return list(struct.unpack(f"<{count}{code}", self.take(count * struct.calcsize("<" + code), what)))
        self.check_count(count, 8, what)
        return [self.value(item, what, depth + 1) for _ in range(count)]

    def check_count(self, count: int, least: int, what: str) -> None:
        """Refuse a number of things, each of so many bytes at least, for which there is no room."""
        if count * least > len(self.data) - self.position:
            raise self.fail(f"it says that it has {count} {what}, for which it is too short")


class GGUFFile(Mapping[str, Tensor]):
    """A file of GGUF: a mapping from the names of its tensors to their numbers, which are read when they are asked for.

    Args:
        path: of the file, which stays open as long as this is used.
        device: where tensors go.

    Attributes:
        metadata: what the file says of the model, by keys such as "general.architecture".
        infos: a `TensorInfo` for each tensor.

    Plain numbers have their dtype. Those in blocks (q4_0, q4_1, q5_0, q5_1, q8_0, q4_k, q5_k, q6_k) become float32.

    Raises:
        RuntimeError: a file that is damaged, cut off, or of another format.
        NotImplementedError: a tensor of another type is asked for; the error has its name.

    Source: https://github.com/ggml-org/ggml, its page on GGUF
    """

    def __init__(self, path: str | os.PathLike[str], device: DeviceLike | None = None) -> None:
        self.path, self._device = os.fspath(path), device
        with Path(path).open("rb") as file:
            if os.fstat(file.fileno()).st_size < 24:
                raise FileFormatError(str(self.path), "it is too short for a file of GGUF")
            self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        reader = _Cursor(str(self.path), self._data)
        counts = _head(reader)
        self.metadata: Mapping[str, Any] = MappingProxyType(_metadata(reader, counts[1]))
        self.infos: Mapping[str, TensorInfo] = MappingProxyType(_infos(reader, counts[0], self.metadata))

    def __getitem__(self, name: str) -> Tensor:
        kind, rows = self._kind(name), self.data(name)
        if isinstance(kind.numbers, DType):
            return rows.view(kind.numbers).reshape(self.infos[name].shape)
        assert kind.numbers is not None
        blocks = rows.reshape(self.infos[name].nbytes // kind.nbytes, kind.nbytes)
        return kind.numbers(blocks).reshape(self.infos[name].shape)  # type: ignore[no-any-return]

    def __iter__(self) -> Iterator[str]:
        return iter(self.infos)

    def __len__(self) -> int:
        return len(self.infos)

    def _kind(self, name: str) -> Kind:
        """That of a tensor, if its numbers can be read."""
        kind = next(kind for kind in KINDS.values() if kind.name == self.infos[name].kind)
        if kind.numbers is None:
            raise NotYetImplementedError(f"tensor {name!r} of {self.path!r} is of type {kind.name}, which is not read")
        return kind

    def data(self, name: str) -> Tensor:
        """The bytes of a tensor, a row for each of its rows: what `from_gguf` takes."""
        info = self.infos[name]
        held = numpy.frombuffer(self._data, numpy.uint8, info.nbytes, info.start)
        rows = math.prod(info.shape[:-1])
        return tensor(held, device=self._device).reshape(rows, info.nbytes // max(rows, 1))

    def linear(self, name: str, bias: Any = None) -> QuantizedLinear:
        """The linear layer of a tensor, with its codes as they are: of q4_0, q8_0 or q4_k.

        Raises:
            RuntimeError: it is of another type.
        """
        return from_gguf(self.data(name), self.infos[name].kind, bias)

    def __repr__(self) -> str:
        return f"GGUFFile({self.path!r}, {len(self)} tensors)"


def load_gguf(path: str | os.PathLike[str], device: DeviceLike | None = None) -> GGUFFile:
    """A file of GGUF, opened: its metadata, and its tensors by name.

    Args:
        path: of the file.
        device: where tensors go.

    Raises:
        FileNotFoundError: there is none.
        RuntimeError: a file that is damaged, cut off, or of another format; the error names it.

    Source: https://github.com/ggml-org/ggml, its page on GGUF

    Example:
        >>> import struct, tempfile
        >>> import tritonflow as flow
        >>> info = struct.pack("<Q1sIQIQ", 1, b"w", 1, 2, 0, 0)                     # "w", one dimension of 2, of type f32, at 0
        >>> head = b"GGUF" + struct.pack("<IQQ", 3, 1, 0) + info
        >>> with tempfile.NamedTemporaryFile(suffix=".gguf") as file:
        ...     _ = file.write(head + bytes(-len(head) % 32) + struct.pack("<2f", 1.0, 2.5))
        ...     file.flush()
        ...     model = flow.load_gguf(file.name)
        >>> model.infos["w"].kind, model["w"]
        ('f32', tensor([1.0000, 2.5000]))
    """
    return GGUFFile(path, device)


def _head(reader: _Cursor) -> tuple[int, int]:
    """How many tensors and entries of metadata there are."""
    if reader.take(4, "its head") != b"GGUF":
        raise reader.fail("it does not begin with GGUF")
    version = reader.number("I", "its head")
    if version not in (2, 3):
        swapped = int.from_bytes(version.to_bytes(4, "little"), "big")
        said = f"is big-endian (version {swapped})" if swapped in (2, 3) else f"has version {version}"
        raise reader.fail(f"it {said}, but versions 2 and 3, little-endian, are read")
    tensors, entries = reader.number("Q", "its head"), reader.number("Q", "its head")
    reader.check_count(entries, 13, "entries of metadata")
    reader.check_count(tensors, 24, "tensors")
    return tensors, entries


def _metadata(reader: _Cursor, count: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for _ in range(count):
        key = reader.string("its metadata")
        if key in found:
            raise reader.fail(f"it has the key {key!r} twice")
        found[key] = reader.value(reader.number("I", f"the value of {key!r}"), f"the value of {key!r}")
    return found


def _infos(reader: _Cursor, count: int, metadata: Mapping[str, Any]) -> dict[str, TensorInfo]:
    alignment = metadata.get("general.alignment", 32)
    if not isinstance(alignment, int) or alignment <= 0 or alignment % 8:
        raise reader.fail(f"general.alignment is {alignment!r}, but must be a multiple of 8")
    described = [_described(reader) for _ in range(count)]
    start = -(-reader.position // alignment) * alignment
    found: dict[str, TensorInfo] = {}
    for info in described:
        if info.name in found:
            raise reader.fail(f"it has the tensor {info.name!r} twice")
        if info.start % alignment:
            raise reader.fail(f"tensor {info.name!r} lies at {info.start}, which is no multiple of {alignment}")
        if start + info.start + info.nbytes > len(reader.data):
            raise reader.fail(f"tensor {info.name!r} ends at byte {start + info.start + info.nbytes} of {len(reader.data)}")
        found[info.name] = info._replace(start=start + info.start)
    return found


def _described(reader: _Cursor) -> TensorInfo:
    """A tensor, with its start behind that of all data."""
    name = reader.string("the name of a tensor")
    what = f"what it says of tensor {name!r}"
    dimensions = reader.number("I", what)
    if dimensions > _MAX_DIMENSIONS:
        raise reader.fail(f"tensor {name!r} has {dimensions} dimensions, but there are {_MAX_DIMENSIONS} at most")
    shape = tuple([reader.number("Q", what) for _ in range(dimensions)])[::-1]
    number, start = reader.number("I", what), reader.number("Q", what)
    if number not in KINDS:
        raise reader.fail(f"tensor {name!r} is of type {number}, which is not known")
    kind, columns = KINDS[number], shape[-1] if shape else 1
    if columns % kind.elements:
        raise reader.fail(f"tensor {name!r} has rows of {columns} numbers, but blocks of {kind.name} have {kind.elements}")
    return TensorInfo(name, shape, kind.name, start, math.prod(shape) // kind.elements * kind.nbytes)

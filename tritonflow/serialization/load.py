"""Reading files: our own, plain safetensors files, and weights saved by torch. Nothing in a file is run."""

from __future__ import annotations

import contextlib
import io
import json
import math
import os
import pickle
import struct
import zipfile
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import safetensors
import safetensors.torch

from tritonflow import _C
from tritonflow.binding import data_exchange
from tritonflow.device import torch_exchange
from tritonflow.device.device import Device
from tritonflow.errors import DeviceError, FileFormatError, PickleRefusedError
from tritonflow.framework.tensor import Tensor
from tritonflow.nn.parameter import Parameter
from tritonflow.serialization.one_rank import check_rank, load_on
from tritonflow.serialization.save import FILE_IN_DIRECTORY, FORMAT_VERSION, METADATA_KEY
from tritonflow.serialization.structure import Decoder, numbered

if TYPE_CHECKING:
    from torch import Tensor as TorchTensor

MapLocation = str | Device | Mapping[str, str] | Callable[[Tensor, str], Tensor | None] | None
_LONGEST_HEADER = 100_000_000  # bytes, as safetensors has it
_LARGEST = (1 << 63) - 1  # of sizes, strides, offsets and numbers of elements
_ZIP, _PICKLE, _TAR = b"PK\x03\x04", b"\x80", b"ustar"


def load(
    f: str | os.PathLike[str] | BinaryIO,
    map_location: MapLocation = None,
    *,
    allow_pickle: bool = False,
    global_src_rank: int | None = None,
    weights_only: bool = True,
) -> Any:
    """Load what `save` wrote, a safetensors file, or weights that torch saved.

    A torch file is read by torch's restricted unpickler: tensors and plain containers, nothing that could run code.

    Args:
        f: a path to a file or to a directory that `save` was given, or a file opened for reading bytes.
        map_location: where the tensors go: a device for all; a dict from the device that a tensor was saved on to
            another; a function called with each tensor (in host memory) and its device's name, which returns the tensor
            to use, or None to leave it to the device saved; None: the devices that they were saved on.
        allow_pickle: whether objects that were pickled with `save(..., allow_pickle=True)` may be unpickled. Unpickling
            runs whatever the file's author wrote: only for files that you trust.
        global_src_rank: the rank that reads the file. The tensors are consistent then, over that rank alone; a module's
            `load_state_dict` moves them to where its own lie. Every rank of the world calls this.

        weights_only: torch's word; False is `allow_pickle=True`.

    Raises:
        FileNotFoundError: there is no such file.
        FileFormatError: a file that is corrupt, cut short, or of another kind; the text names it.
        DeviceError: a device that is not there.

    Source: torch.load; safetensors; oneflow.load.

    Example:
        >>> import io
        >>> import tritonflow as flow
        >>> file = io.BytesIO()
        >>> flow.save({"x": flow.ones(2)}, file)
        >>> _ = file.seek(0)
        >>> flow.load(file)
        {'x': tensor([1., 1.])}
    """
    allow_pickle = allow_pickle or not weights_only
    if global_src_rank is not None:
        source = check_rank("load", "global_src_rank", global_src_rank)
        return load_on(source, str(f), lambda: load(f, map_location, allow_pickle=allow_pickle), allow_pickle)
    name = str(getattr(f, "name", "<bytes>")) if hasattr(f, "read") else os.fspath(f)
    place = _Placement(map_location, name)
    if hasattr(f, "read"):
        data = f.read()
        if not isinstance(data, bytes):
            raise TypeError(
                f"load(): argument 'f' must be a file opened for reading bytes, its read() gave {type(data).__name__}"
            )
        return _load_bytes(data, name, place, allow_pickle)
    path = Path(name)
    if path.is_dir():
        if not (path / FILE_IN_DIRECTORY).is_file():
            raise FileFormatError(str(path), f"the directory has no {FILE_IN_DIRECTORY}")
        path = path / FILE_IN_DIRECTORY
    with open(path, "rb") as file:
        head, size = file.read(512), path.stat().st_size
        file.seek(0)
        if _is_torch(head):
            return _load_torch(file, size, str(path), place)
        header = _read_header(head, size, str(path), file.read)
    pieces = _read_pieces(lambda: safetensors.torch.load_file(path), str(path))
    return _assemble(header, pieces, str(path), place, allow_pickle)


def _load_bytes(data: bytes, name: str, place: _Placement, allow_pickle: bool) -> Any:
    if _is_torch(data[:512]):
        return _load_torch(io.BytesIO(data), len(data), name, place)
    header = _read_header(data[:512], len(data), name, lambda n: data[:n])
    return _assemble(header, _read_pieces(lambda: safetensors.torch.load(data), name), name, place, allow_pickle)


@contextlib.contextmanager
def _reading(name: str, what: str) -> Iterator[None]:
    """Exceptions raised inside become errors that say that the file is damaged. Only what reads a file's bytes belongs there."""
    try:
        yield
    except (FileFormatError, MemoryError):
        raise
    except Exception as e:
        raise FileFormatError(name, f"{what} ({type(e).__name__}: {_brief(e)})") from e


def _brief(error: Exception) -> str:
    """The first line of an error's text, which may repeat what a file says."""
    return next(iter(str(error).splitlines()), "").strip()[:300]


# ---------------------------------------------------------------------------------------------- safetensors


def _read_header(head: bytes, size: int, name: str, read: Callable[[int], bytes]) -> dict[str, Any]:
    """The JSON header: 8 bytes of its length, then itself."""
    if size < 8:
        raise FileFormatError(name, f"it has {size} bytes, too few for any known format")
    (length,) = struct.unpack("<Q", head[:8])
    if head[8:9] != b"{":
        raise FileFormatError(name, "it is neither a safetensors file nor one that torch saved")
    if 8 + length > size:
        raise FileFormatError(name, f"it is cut short: the header should have {length} bytes, the file has {size}")
    if length > _LONGEST_HEADER:
        raise FileFormatError(name, f"its header has {length} bytes, more than the {_LONGEST_HEADER} of safetensors")
    with _reading(name, "its header is damaged"):
        header = json.loads(read(8 + length)[8:], object_pairs_hook=_unique)
        ends = [int(entry["data_offsets"][1]) for key, entry in header.items() if key != "__metadata__"]
    expected = 8 + length + max(ends, default=0)
    if size < expected:
        raise FileFormatError(name, f"it is cut short: {expected} bytes expected, {size} found")
    return header


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON whose keys all differ. If two were the same, readers could take different ones."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("an object has a key twice")
    return found


def _read_pieces(read: Callable[[], dict[str, TorchTensor]], name: str) -> dict[str, Tensor]:
    """The tensors of the file by name, in host memory."""
    try:
        with _reading(name, "its tensors cannot be read"):
            return {key: data_exchange.from_torch(piece) for key, piece in read().items()}
    except FileFormatError as e:
        if isinstance(e.__cause__, safetensors.SafetensorError):
            raise FileFormatError(name, _brief(e.__cause__)) from None
        raise


def _assemble(
    header: dict[str, Any], pieces: dict[str, Tensor], name: str, place: _Placement, allow_pickle: bool
) -> Any:
    text = (header.get("__metadata__") or {}).get(METADATA_KEY)
    if text is None:  # written by somebody else: the tensors by name
        return OrderedDict((key, place(piece, "cpu")) for key, piece in pieces.items())
    damaged = "its structure is damaged"
    with _reading(name, damaged):
        record = json.loads(text, object_pairs_hook=_unique)
        if record["version"] > FORMAT_VERSION:
            raise FileFormatError(name, f"it has format version {record['version']}; this is {FORMAT_VERSION}")
        structure, references = record["structure"], [_Reference.read(each, pieces) for each in record["tensors"]]
    placed: dict[str, Tensor] = {}
    for reference in references:  # tensors that shared memory share it again
        if reference.piece not in placed:
            placed[reference.piece] = place(pieces[reference.piece], reference.device)
    tensors = [reference.make(placed[reference.piece]) for reference in references]
    try:
        with _reading(name, damaged):
            return Decoder(numbered(tensors), allow_pickle).decode(structure)
    except FileFormatError as e:
        if isinstance(e.__cause__, PickleRefusedError):
            raise FileFormatError(name, str(e.__cause__)) from None
        raise


class _Reference(NamedTuple):
    """How a tensor lies in a piece of the file."""

    piece: str
    device: str
    shape: tuple[int, ...]
    stride: tuple[int, ...]
    offset: int
    requires_grad: bool
    is_parameter: bool

    @classmethod
    def read(cls, fields: dict[str, Any], pieces: dict[str, Tensor]) -> _Reference:
        """From what a file says.

        Raises:
            Exception: what is no reference into these pieces.
        """
        piece, device = pieces[fields["piece"]], fields["device"]
        if type(device) is not str:
            raise TypeError(f"{device!r} is no device")
        shape = _sizes(fields["shape"])
        stride, offset = _row_major(shape), 0
        if "stride" in fields:
            stride, (offset,) = _sizes(fields["stride"]), _sizes([fields["offset"]])
        flags = bool(fields.get("requires_grad")), bool(fields.get("parameter"))
        reference = cls(fields["piece"], device, shape, stride, offset, *flags)
        last = offset + sum((n - 1) * s for n, s in zip(shape, stride)) if 0 not in shape else -1
        if len(stride) != len(shape) or last >= piece.numel() or math.prod(shape) > _LARGEST:
            raise ValueError(f"a tensor of shape {shape}, strides {stride} and offset {offset} is not in its piece")
        if reference.requires_grad and not piece.dtype.is_floating_point:
            raise ValueError(f"a tensor of {piece.dtype} cannot require grad")
        return reference

    def make(self, piece: Tensor) -> Tensor:
        """The tensor, an object of its own."""
        if self.offset == 0 and tuple(piece.shape) == self.shape and tuple(piece.stride()) == self.stride:
            tensor = piece.detach()
        else:
            tensor = _C.as_strided(piece, self.shape, self.stride, self.offset)
        if self.is_parameter:
            return Parameter(tensor, self.requires_grad)
        return tensor.requires_grad_() if self.requires_grad else tensor


def _sizes(values: Any) -> tuple[int, ...]:
    """Sizes, strides or an offset.

    Raises:
        ValueError: some are none.
    """
    if not isinstance(values, list) or not all(type(n) is int and 0 <= n <= _LARGEST for n in values):
        raise ValueError(f"{values!r} are no sizes")
    return tuple(values)


def _row_major(shape: tuple[int, ...]) -> tuple[int, ...]:
    stride, strides = 1, []
    for n in reversed(shape):
        strides.append(stride)
        stride *= max(n, 1)
    return tuple(reversed(strides))


# ---------------------------------------------------------------------------------------------- torch's files


def _is_torch(head: bytes) -> bool:
    if head[8:9] == b"{" and not any(head[4:8]):  # a safetensors header of a plausible length
        return False
    return head[:4] == _ZIP or head[:1] == _PICKLE or head[257:262] == _TAR


def _load_torch(f: BinaryIO, size: int, name: str, place: _Placement) -> Any:
    devices: dict[int, str] = {}

    def remember(storage: Any, location: str) -> Any:
        devices[storage.data_ptr()] = location
        return storage

    with _reading(name, "torch cannot read it"):
        _check_records(f, size)
        try:
            data = torch_exchange.load_file(f, remember)
        except pickle.UnpicklingError as e:
            raise FileFormatError(
                name,
                f"it is damaged, or has objects other than tensors and plain containers, which could run code ({_brief(e)}). "
                "help: save a state_dict() with torch.save",
            ) from None
        data = _rebuilt(data, lambda leaf: _TorchTensor.read(leaf, devices, size))
    placed: dict[Any, Tensor] = {}

    def made(leaf: Any) -> Any:
        if not isinstance(leaf, _TorchTensor):
            return leaf
        if leaf.memory not in placed:
            placed[leaf.memory] = place(leaf.tensor, leaf.device)
        result = placed[leaf.memory].detach()
        if leaf.is_parameter:
            return Parameter(result, leaf.requires_grad)
        return result.requires_grad_() if leaf.requires_grad else result

    return _rebuilt(data, made)


@dataclass
class _TorchTensor:
    """A tensor of torch as one of tritonflow, with a key that is equal for two that share memory."""

    tensor: Tensor
    device: str
    memory: Any
    requires_grad: bool
    is_parameter: bool

    @classmethod
    def read(cls, leaf: Any, devices: dict[int, str], size: int) -> Any:
        """From a leaf of what torch loaded; others are returned as they are.

        Raises:
            Exception: a tensor that we have not, or one that is larger than the file: torch leaves its rest as memory was.
        """
        if not torch_exchange.is_tensor(leaf):
            return leaf
        tensor, storage = data_exchange.from_torch(leaf.detach()), leaf.untyped_storage()
        if storage.nbytes() > size:
            raise ValueError(f"a tensor has {storage.nbytes()} bytes, the file has {size}")
        memory = (leaf.data_ptr(), tuple(leaf.shape), leaf.stride(), leaf.dtype)
        device = devices.get(storage.data_ptr(), "cpu")
        if type(device) is not str:
            raise ValueError(f"{device!r} is no device")
        return cls(tensor, device, memory, leaf.requires_grad, torch_exchange.is_parameter(leaf))


def _check_records(f: BinaryIO, size: int) -> None:
    """Refuse a zip file whose records are larger than itself: torch stores them as they are."""
    if f.read(4) == _ZIP:
        records = sum(record.file_size for record in zipfile.ZipFile(f).infolist())
        if records > size:
            raise ValueError(f"its records have {records} bytes, the file has {size}")
    f.seek(0)


def _rebuilt(data: Any, leaf: Callable[[Any], Any]) -> Any:
    """Nested containers with other leaves. Each container is gone through once, so that shared ones stay shared.

    Raises:
        ValueError: a container contains itself.
    """
    return _rebuilt_once(data, leaf, {})


def _rebuilt_once(data: Any, leaf: Callable[[Any], Any], made: dict[int, Any]) -> Any:
    """The same, where `made` has the containers that are done, by their ids."""
    if not isinstance(data, (dict, list, tuple)):
        return leaf(data)
    if id(data) not in made:
        made[id(data)] = made  # as long as it is open
        if isinstance(data, dict):
            made[id(data)] = type(data)({key: _rebuilt_once(value, leaf, made) for key, value in data.items()})
        else:
            made[id(data)] = type(data)([_rebuilt_once(value, leaf, made) for value in data])
    elif made[id(data)] is made:
        raise ValueError("a container contains itself")
    return made[id(data)]


# ---------------------------------------------------------------------------------------------- devices


class _Placement:
    """Puts a tensor, in host memory, where `map_location` says."""

    def __init__(self, map_location: MapLocation, name: str) -> None:
        self.name = name
        if map_location is not None and not isinstance(map_location, (str, Device, Mapping)):
            if not callable(map_location):
                raise TypeError(
                    f"load(): argument 'map_location' must be a device, a dict or a function, not {type(map_location)}"
                )
        self.map_location = map_location

    def __call__(self, tensor: Tensor, saved_on: str) -> Tensor:
        where: Any = self.map_location
        if where is None:
            where = saved_on
        elif isinstance(where, Mapping):
            where = where.get(saved_on, saved_on)
        elif not isinstance(where, (str, Device)):
            chosen = where(tensor, saved_on)
            if chosen is not None:
                return chosen
            where = saved_on
        if where == "cpu":
            return tensor
        try:
            return tensor.to(device=where)
        except RuntimeError as e:
            raise DeviceError(
                f"cannot load {self.name!r}: its tensors were saved on {saved_on}, and {where} cannot be used: {e}\n"
                "help: load with map_location='cpu'"
            ) from e

"""Reading: our files, plain safetensors files, and weights saved by torch; never by running what is in them."""

from __future__ import annotations

import json
import os
import pickle
import struct
from collections import OrderedDict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import safetensors
import safetensors.torch
import torch

from tritonflow import _C
from tritonflow.device.device import Device
from tritonflow.errors import DeviceError, FileFormatError
from tritonflow.framework.tensor import Tensor
from tritonflow.functional import convert
from tritonflow.nn.parameter import Parameter
from tritonflow.serialization.save import FILE_IN_DIRECTORY, FORMAT_VERSION, METADATA_KEY
from tritonflow.serialization.structure import Decoder
from tritonflow.utils.data.collate import map_leaves

MapLocation = str | Device | Mapping[str, str] | Callable[[Tensor, str], Tensor | None] | None
_ZIP, _PICKLE, _TAR = b"PK\x03\x04", b"\x80", b"ustar"


def load(f: str | os.PathLike[str] | BinaryIO, map_location: MapLocation = None, *, allow_pickle: bool = False) -> Any:
    """Load what `save` wrote, a safetensors file, or weights that torch saved.

    A torch file is read by torch's restricted unpickler: tensors and plain containers, nothing that could run code.

    Args:
        f: a path to a file or to a directory that `save` was given, or a file opened for reading bytes.
        map_location: where the tensors go: a device for all; a dict from the device that a tensor was saved on to
            another; a function called with each tensor (in host memory) and its device's name, which returns the tensor
            to use, or None to leave it to the device saved; None: the devices that they were saved on.
        allow_pickle: whether objects that were pickled with `save(..., allow_pickle=True)` may be unpickled. Unpickling
            runs whatever the file's author wrote: only for files that you trust.

    Raises:
        FileNotFoundError: there is no such file.
        FileFormatError: a file that is corrupt, cut short, or of another kind; the text names it.
        DeviceError: a device that is not there.

    Source: torch.load; safetensors.
    """
    name = str(getattr(f, "name", "<bytes>")) if hasattr(f, "read") else os.fspath(f)
    place = _Placement(map_location, name)
    if hasattr(f, "read"):
        return _load_bytes(f.read(), name, place, allow_pickle)
    path = Path(name)
    if path.is_dir():
        if not (path / FILE_IN_DIRECTORY).is_file():
            raise FileFormatError(str(path), f"the directory has no {FILE_IN_DIRECTORY}")
        path = path / FILE_IN_DIRECTORY
    with open(path, "rb") as file:
        head = file.read(512)
        if _is_torch(head):
            file.seek(0)
            return _load_torch(file, str(path), place)
    header = _read_header(head, path.stat().st_size, str(path), lambda n: path.open("rb").read(8 + n))
    pieces = _read_pieces(lambda: safetensors.torch.load_file(path), str(path))
    return _assemble(header, pieces, str(path), place, allow_pickle)


def _load_bytes(data: bytes, name: str, place: _Placement, allow_pickle: bool) -> Any:
    if _is_torch(data[:512]):
        import io

        return _load_torch(io.BytesIO(data), name, place)
    header = _read_header(data[:512], len(data), name, lambda n: data[: 8 + n])
    return _assemble(header, _read_pieces(lambda: safetensors.torch.load(data), name), name, place, allow_pickle)


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
    try:
        header = json.loads(read(length)[8:])
        ends = [int(entry["data_offsets"][1]) for key, entry in header.items() if key != "__metadata__"]
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as e:
        raise FileFormatError(name, f"its header is damaged ({e})") from None
    expected = 8 + length + max(ends, default=0)
    if size < expected:
        raise FileFormatError(name, f"it is cut short: {expected} bytes expected, {size} found")
    return header


def _read_pieces(read: Callable[[], dict[str, torch.Tensor]], name: str) -> dict[str, torch.Tensor]:
    try:
        return read()
    except safetensors.SafetensorError as e:
        raise FileFormatError(name, str(e)) from None


def _assemble(
    header: dict[str, Any], pieces: dict[str, torch.Tensor], name: str, place: _Placement, allow_pickle: bool
) -> Any:
    text = header.get("__metadata__", {}).get(METADATA_KEY)
    if text is None:  # written by somebody else: the tensors by name
        return OrderedDict((key, place(convert.from_torch(piece), "cpu")) for key, piece in pieces.items())
    try:
        record = json.loads(text)
        if record["version"] > FORMAT_VERSION:
            raise FileFormatError(name, f"it has format version {record['version']}; this is {FORMAT_VERSION}")
        tensors = _References(record["tensors"], pieces, place)
        return Decoder(tensors.get, allow_pickle).decode(record["structure"])
    except PermissionError as e:
        raise FileFormatError(name, str(e)) from None
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, RecursionError) as e:
        raise FileFormatError(name, f"its structure is damaged ({type(e).__name__}: {e})") from e


class _References:
    """Tensors made from references; each piece is placed once, so tensors that shared memory share it again."""

    def __init__(self, references: list[dict], pieces: dict[str, torch.Tensor], place: _Placement) -> None:
        self._references = references
        self._pieces = pieces
        self._place = place
        self._placed: dict[str, Tensor] = {}
        self._made: dict[int, Tensor] = {}

    def get(self, number: int) -> Tensor:
        if number not in self._made:
            self._made[number] = self._make(self._references[number])
        return self._made[number]

    def _make(self, reference: dict) -> Tensor:
        name = reference["piece"]
        if name not in self._placed:
            self._placed[name] = self._place(convert.from_torch(self._pieces[name]), reference["device"])
        tensor, shape = self._placed[name], tuple(reference["shape"])
        if "stride" in reference:
            tensor = _view(tensor, shape, tuple(reference["stride"]), reference["offset"])
        elif tuple(tensor.shape) != shape:
            tensor = _view(tensor, shape, _row_major(shape), 0)
        else:
            tensor = tensor.detach()  # an object of its own
        if reference.get("parameter"):
            return Parameter(tensor, bool(reference.get("requires_grad")))
        if reference.get("requires_grad"):
            tensor.requires_grad_()
        return tensor


def _view(piece: Tensor, shape: tuple[int, ...], stride: tuple[int, ...], offset: int) -> Tensor:
    last = offset + sum((n - 1) * s for n, s in zip(shape, stride, strict=True)) if 0 not in shape else -1
    if min((offset, *shape, *stride)) < 0 or last >= piece.numel():
        raise ValueError(f"a tensor of shape {shape}, strides {stride} and offset {offset} is not in its piece")
    return _C.as_strided(piece, shape, stride, offset)


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


def _load_torch(f: Any, name: str, place: _Placement) -> Any:
    devices: dict[int, str] = {}

    def remember(storage: Any, location: str) -> Any:
        devices[storage.data_ptr()] = location
        return storage

    try:
        data = torch.load(f, map_location=remember, weights_only=True)
    except pickle.UnpicklingError as e:
        reason = str(e).splitlines()[0].strip()
        raise FileFormatError(
            name,
            f"it is damaged, or has objects other than tensors and plain containers, which could run code ({reason}). "
            "help: save a state_dict() with torch.save",
        ) from None
    except (RuntimeError, EOFError, ValueError, KeyError, OSError) as e:
        raise FileFormatError(name, f"torch cannot read it ({str(e).splitlines()[0] if str(e) else e!r})") from None

    placed: dict[tuple, Tensor] = {}

    def from_leaf(leaf: Any) -> Any:
        if not isinstance(leaf, torch.Tensor):
            return leaf
        tensor = convert.from_torch(leaf.detach())
        device = devices.get(leaf.untyped_storage().data_ptr(), "cpu")
        key = (leaf.data_ptr(), tuple(leaf.shape), leaf.stride(), leaf.dtype)
        if key not in placed:
            placed[key] = place(tensor, device)
        result = placed[key].detach()
        if isinstance(leaf, torch.nn.Parameter):
            return Parameter(result, leaf.requires_grad)
        return result.requires_grad_() if leaf.requires_grad else result

    return map_leaves(data, from_leaf)


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

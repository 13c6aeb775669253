"""Writing files: the tensors' memory, each piece once, and the structure around them."""

from __future__ import annotations

import contextlib
import io
import json
import os
import struct
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import safetensors.torch

from tritonflow import _C
from tritonflow.binding import data_exchange
from tritonflow.errors import LocalityError
from tritonflow.framework.tensor import Tensor
from tritonflow.nn.parameter import Parameter
from tritonflow.serialization.one_rank import check_rank
from tritonflow.serialization.structure import Encoder, to_json
from tritonflow.wire.world import this_rank

if TYPE_CHECKING:
    from torch import Tensor as TorchTensor

FILE_IN_DIRECTORY = "data.safetensors"
METADATA_KEY = "tritonflow"
FORMAT_VERSION = 1


def save(
    obj: Any, f: str | os.PathLike[str] | BinaryIO, *, allow_pickle: bool = False, global_dst_rank: int | None = None
) -> None:
    """Save tensors in any nesting of dicts, lists, tuples and sets, with numbers, texts, None, dtypes and the like.

    Tensors that share memory share it again after loading, and a tensor that occurs twice is one object again. A write
    is complete or does not happen: a file is replaced only when the new one is whole.

    Args:
        obj: what to save, such as a `state_dict()`.
        f: a path, an existing directory (the file inside is `data.safetensors`), or a file opened for writing bytes.
        allow_pickle: whether objects of other kinds may be pickled into the file; the reader has to allow it as well.
        global_dst_rank: the rank that writes the file, with whole tensors for consistent ones. Every rank of the world calls
            this.

    Raises:
        TypeError: an object of another kind, named by where it stands.
        ValueError: a container that contains itself.
        LocalityError: there are consistent tensors, and no `global_dst_rank`.

    Source: torch.save; safetensors; oneflow.save.

    Example:
        >>> import io
        >>> import tritonflow as flow
        >>> file = io.BytesIO()
        >>> flow.save({"weight": flow.ones(2), 3: (True, None)}, file)
        >>> _ = file.seek(0)
        >>> flow.load(file)[3]
        (True, None)
    """
    if global_dst_rank is not None:
        check_rank("save", "global_dst_rank", global_dst_rank)
    table = TensorTable(global_dst_rank is not None)
    structure = Encoder(table.add, allow_pickle).encode(obj)
    if global_dst_rank is not None and this_rank().index != global_dst_rank:
        return
    tensors, references = table.finish()
    record = {"version": FORMAT_VERSION, "structure": structure, "tensors": references}
    metadata = {METADATA_KEY: to_json(record), "format": "pt"}
    if hasattr(f, "write"):
        file = io.BytesIO(safetensors.torch.save(tensors, metadata))
        _order_metadata(file)
        f.write(file.getbuffer())
        return
    path = Path(os.fspath(f))
    _write(path / FILE_IN_DIRECTORY if path.is_dir() else path, tensors, metadata)


def _write(path: Path, tensors: dict[str, TorchTensor], metadata: dict[str, str]) -> None:
    descriptor, temporary = tempfile.mkstemp(prefix=path.name + ".", dir=path.parent)
    os.close(descriptor)
    try:
        safetensors.torch.save_file(tensors, temporary, metadata)
        with open(temporary, "r+b") as file:
            _order_metadata(file)
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise


def _order_metadata(file: BinaryIO) -> None:
    """Sort the metadata in place: safetensors writes it in the order of a hash table, another one each time."""
    (length,) = struct.unpack("<Q", file.read(8))
    header = json.loads(file.read(length))
    header["__metadata__"] = dict(sorted(header["__metadata__"].items()))
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    file.seek(8)
    file.write(text.ljust(length))


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


class TensorTable:
    """The tensors of one file.

    Tensors of one memory block are written as one piece: the block's bytes from the first that any of them uses to the
    last. A piece used by one contiguous tensor is a tensor of that shape in the file; others are flat, and each tensor
    is a reference with shape, strides and offset.

    Args:
        gathers: whether a consistent tensor is written as a whole, which every rank of the world then takes part in.
    """

    def __init__(self, gathers: bool = False) -> None:
        self._gathers = gathers
        self._tensors: list[Tensor] = []
        self._paths: list[str] = []
        self._known: dict[int, int] = {}

    def add(self, tensor: Tensor, path: str) -> int:
        """Take a tensor; its number in the file."""
        if not tensor.meta.is_local and not self._gathers:
            raise LocalityError(
                f"save(): expected a local tensor, but got a global (consistent) one of size {list(tensor.shape)} as"
                f" {path or 'the object'!r}. help: give global_dst_rank, the rank that writes whole tensors"
            )
        if id(tensor) not in self._known:
            self._known[id(tensor)] = len(self._tensors)
            self._tensors.append(tensor if tensor.meta.is_local else _gathered(tensor))
            self._paths.append(path or "tensor")
        return self._known[id(tensor)]

    def finish(self) -> tuple[dict[str, TorchTensor], list[dict[str, Any]]]:
        """The pieces by name, and one reference for each tensor."""
        blocks: dict[Any, list[int]] = {}
        for i, tensor in enumerate(self._tensors):
            blocks.setdefault((id(tensor.impl.block), tensor.dtype.name) if tensor.numel() else i, []).append(i)
        pieces: dict[str, TorchTensor] = {}
        references: list[dict[str, Any]] = [{} for _ in self._tensors]
        for members in blocks.values():
            name = self._unused(self._paths[members[0]], pieces)
            pieces[name] = self._piece([self._tensors[i] for i in members])
            first = min(_start(self._tensors[i]) for i in members)
            for i in members:
                references[i] = _reference(self._tensors[i], name, _start(self._tensors[i]) - first)
        return pieces, references

    @staticmethod
    def _piece(members: list[Tensor]) -> TorchTensor:
        (tensor, *others) = members
        alike = all(t.meta is tensor.meta and t.ptr == tensor.ptr for t in others)
        if alike and tensor.is_contiguous():
            return _to_host(tensor.detach())
        first = min(_start(t) for t in members)
        end = max(_start(t) + _extent(t) for t in members)
        return _to_host(_C.as_strided(tensor.detach(), (end - first,), (1,), first))

    @staticmethod
    def _unused(path: str, taken: dict[str, TorchTensor]) -> str:
        name, n = path, 1
        while name in taken or name == "__metadata__":
            n += 1
            name = f"{path}#{n}"
        return name


def _gathered(tensor: Tensor) -> Tensor:
    """A consistent tensor as a local one, parameter or not as it is."""
    data = data_exchange.whole(tensor)
    if type(tensor) is Parameter:
        return Parameter(data, tensor.requires_grad)
    return data.requires_grad_() if tensor.requires_grad else data


def _reference(tensor: Tensor, piece: str, offset: int) -> dict[str, Any]:
    reference: dict[str, Any] = {"piece": piece, "device": _device_name(tensor)}
    if offset or not tensor.is_contiguous():
        reference["stride"] = list(tensor.stride())
        reference["offset"] = offset
    reference["shape"] = list(tensor.shape)
    if tensor.requires_grad:
        reference["requires_grad"] = True
    if type(tensor) is Parameter:
        reference["parameter"] = True
    return reference


def _device_name(tensor: Tensor) -> str:
    return "cpu" if tensor.device.type == "cpu" else str(tensor.device)


def _start(tensor: Tensor) -> int:
    return tensor.storage_offset()


def _extent(tensor: Tensor) -> int:
    """The number of elements from a tensor's first to its last, both included."""
    return 1 + sum((n - 1) * s for n, s in zip(tensor.shape, tensor.stride())) if tensor.numel() else 0


def _to_host(tensor: Tensor) -> TorchTensor:
    return data_exchange.to_torch(tensor if tensor.device.type == "cpu" else tensor.to(device="cpu"))

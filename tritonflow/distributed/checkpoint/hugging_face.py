"""Folders of safetensors files as Hugging Face and torch have them: their catalog and index, and shards merged to whole tensors."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy
from safetensors import SafetensorError, safe_open

from tritonflow.binding import data_exchange
from tritonflow.distributed.checkpoint import files
from tritonflow.distributed.checkpoint.catalog import Catalog, SavedPiece, StoredName, require_whole
from tritonflow.distributed.checkpoint.files import StoredTensor
from tritonflow.errors import CheckpointFolderError
from tritonflow.framework.shards import Box

INDEX = "model.safetensors.index.json"
_SHARDING = "DCP_SHARDING_INFO"  # torch's key in a header: where the tensors of a file begin in whole ones
_LARGEST = 5 << 30  # bytes of a merged file, as Hugging Face has it


def read_catalog(folder: Path) -> Catalog:
    """The catalog of a folder by the headers of its files: those of its index, or all.

    Raises:
        CheckpointFolderError: it has no such files, or one is damaged; two have the same elements, or some are missing.
    """
    names = _files(folder)
    if not names:
        raise CheckpointFolderError(f"{str(folder)!r} is no checkpoint: it has no tritonflow.json and no safetensors files")
    pieces: dict[str, list[SavedPiece]] = defaultdict(list)
    dtypes: dict[str, str] = {}
    for file in names:
        for name, dtype, box in _header(folder / file):
            pieces[name].append(SavedPiece(file, box))
            if dtypes.setdefault(name, dtype) != dtype:
                raise CheckpointFolderError(f"{name!r} has different dtypes in {str(folder)!r}: {dtypes[name]} and {dtype}")
    tensors = {}
    for name, found in pieces.items():
        shape = tuple([max(stop for _, stop in ranges) for ranges in zip(*[piece.box for piece in found])])
        tensors[name] = StoredName(dtypes[name], shape, tuple(found))
    require_whole(folder, tensors)
    return Catalog(None, tensors, {})


def _files(folder: Path) -> list[str]:
    try:
        index = json.loads((folder / INDEX).read_bytes())
        names = sorted(set(index["weight_map"].values()))
    except FileNotFoundError:
        return sorted(path.name for path in folder.glob("*.safetensors"))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CheckpointFolderError(f"{str(folder / INDEX)!r} is damaged: {type(error).__name__}: {error}") from error
    missing = [name for name in names if Path(name).name != name or not (folder / name).is_file()]
    if missing:
        raise CheckpointFolderError(f"the checkpoint {str(folder)!r} is not complete: {', '.join(missing)} is missing")
    return names


def _header(path: Path) -> Iterator[tuple[str, str, Box]]:
    """Name, dtype and box of each tensor in a file."""
    try:
        with safe_open(path, framework="pt") as file:
            sharding = json.loads((file.metadata() or {}).get(_SHARDING, "{}"))
            for name in file.keys():
                view = file.get_slice(name)
                shape = view.get_shape()
                offsets = sharding.get(name, {}).get("saved_offsets", [0] * len(shape))
                box = tuple([(at, at + n) for at, n in zip(offsets, shape, strict=True)])
                yield name, _dtype(path, name, view.get_dtype()), box
    except (SafetensorError, ValueError, TypeError, AttributeError) as error:
        raise CheckpointFolderError(f"{str(path)!r} is damaged: {error}") from error


def _dtype(path: Path, name: str, code: str) -> str:
    if code not in files.NAMES:
        raise CheckpointFolderError(f"{name!r} in {str(path)!r} has dtype {code}, which tritonflow does not have")
    return files.NAMES[code]


def weight_map(tensors: Mapping[str, StoredName]) -> str:
    """The index of a folder: which file has which tensor, and of one in pieces which has the first."""
    size = sum(each.nbytes for each in tensors.values())
    file_of = {name: each.pieces[0].file for name, each in tensors.items()}
    return json.dumps({"metadata": {"total_size": size}, "weight_map": file_of}, indent=2)


# ----------------------------------------------------------------------------------------------------------- merging


def merged_files(tensors: Mapping[str, StoredName]) -> dict[str, list[str]]:
    """The files of whole tensors that a checkpoint becomes, in the order of names: at most 5 GB each, if a tensor is not larger."""
    groups: list[list[str]] = [[]]
    size = 0
    for name in sorted(tensors):
        nbytes = tensors[name].nbytes
        if groups[-1] and size + nbytes > _LARGEST:
            groups.append([])
            size = 0
        groups[-1].append(name)
        size += nbytes
    if len(groups) == 1:
        return {"model.safetensors": groups[0]}
    return {f"model-{k + 1:05d}-of-{len(groups):05d}.safetensors": group for k, group in enumerate(groups)}


def merge(folder: Path, tensors: Mapping[str, StoredName], names: list[str], target: Path) -> None:
    """Write a file of whole tensors, one after the other: no more than one is in memory."""
    stored = {name: StoredTensor(files.CODES[tensors[name].dtype], tensors[name].shape) for name in names}
    target.parent.mkdir(parents=True, exist_ok=True)
    files.write_safetensors(target, stored, _whole(folder, tensors, names), {"format": "pt"})


def _whole(folder: Path, tensors: Mapping[str, StoredName], names: Iterable[str]) -> Iterator[numpy.ndarray[Any, Any]]:
    for name in names:
        tensor = tensors[name]
        whole: Any = None
        for piece in tensor.pieces:
            with safe_open(folder / piece.file, framework="pt") as file:
                bits = files.bits_of(data_exchange.from_torch(file.get_tensor(name)))
                if len(tensor.pieces) == 1:
                    whole = bits
                else:
                    whole = numpy.empty(tensor.shape, bits.dtype) if whole is None else whole
                    whole[tuple([slice(*each) for each in piece.box])] = bits
        yield whole

"""Reads a checkpoint of torch's own format: the program of a process that has torch and nothing of tritonflow.

    python dcp_reader.py SOURCE FOLDER REST

`.metadata` and what is no tensor are pickles, which run what their author wrote. FOLDER gets safetensors files, and REST is a file
that torch's restricted unpickler reads: the path of each name, and the values that are no tensors.
"""

from __future__ import annotations

import sys
from typing import Any

import torch
from safetensors.torch import save_file
from torch.distributed.checkpoint import FileSystemReader, load
from torch.distributed.checkpoint.metadata import TensorStorageMetadata

LARGEST = 1 << 30  # bytes in a file, if a tensor is not larger


def main(source: str, folder: str, rest: str) -> None:
    """Write the files; the tensors of one are in memory at a time."""
    metadata = FileSystemReader(source).read_metadata()
    stored: dict[str, Any] = metadata.state_dict_metadata
    groups = grouped({name: each for name, each in stored.items() if isinstance(each, TensorStorageMetadata)})
    for k, group in enumerate(groups):
        state = {name: torch.empty(each.size, dtype=each.properties.dtype) for name, each in group.items()}
        read(source, state)
        save_file(state, f"{folder}/model-{k + 1:05d}-of-{len(groups):05d}.safetensors", {"format": "pt"})
    values: dict[str, Any] = {name: None for name, each in stored.items() if not isinstance(each, TensorStorageMetadata)}
    read(source, values)
    paths: Any = metadata.planner_data or {}
    torch.save({"paths": {name: list(paths.get(name, (name,))) for name in stored}, "values": values}, rest)


def read(source: str, state: dict[str, Any]) -> None:
    """Fill a flat state."""
    if state:
        load(state, storage_reader=FileSystemReader(source), no_dist=True)


def grouped(tensors: dict[str, Any]) -> list[dict[str, Any]]:
    """The tensors of each file."""
    groups: list[dict[str, Any]] = []
    size = LARGEST
    for name, each in tensors.items():
        nbytes = each.size.numel() * each.properties.dtype.itemsize
        if size + nbytes > LARGEST:
            groups.append({})
            size = 0
        groups[-1][name] = each
        size += nbytes
    return groups


if __name__ == "__main__":
    main(*sys.argv[1:])

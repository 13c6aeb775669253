"""`torch.distributed.checkpoint`: checkpoints of `flow.distributed`, whatever writer is asked for; none in torch's own format.

As in torch, `load` reads what the state asks for, and what the checkpoint has besides is left alone.
"""

from __future__ import annotations

import os
from concurrent.futures import Future
from typing import Any

from tritonflow.distributed import checkpoint as ours
from tritonflow.distributed.checkpoint.load import load_names
from tritonflow.errors import CheckpointFolderError, InvalidArgumentError, NotYetImplementedError
from tritonflow.mock_torch.names.distributed.checkpoint.stateful import Stateful  # noqa: F401
from tritonflow.wire.world import this_rank

CheckpointException = CheckpointFolderError


class _Storage:
    """Where a checkpoint is; options of torch's writers and readers are about its own format, and change nothing."""

    def __init__(self, path: str | os.PathLike[str], *args: Any, **options: Any) -> None:
        self.path = os.fspath(path)
        self.consolidate = bool(options.get("enable_consolidation"))


class FileSystemWriter(_Storage):
    """torch's name for a folder that is written."""


class FileSystemReader(_Storage):
    """torch's name for a folder that is read."""


class HuggingFaceStorageWriter(_Storage):
    """torch's name for a folder of safetensors files that is written."""


class HuggingFaceStorageReader(_Storage):
    """torch's name for a folder of safetensors files that is read."""


def save(
    state_dict: dict[str, Any],
    *,
    checkpoint_id: str | os.PathLike[str] | None = None,
    storage_writer: Any = None,
    planner: Any = None,
    process_group: Any = None,
    no_dist: bool = False,
    use_collectives: bool = True,
) -> None:
    """`flow.distributed.checkpoint.save`."""
    _check("save", planner, process_group, no_dist)
    folder, consolidate = _folder("save", checkpoint_id, storage_writer)
    ours.save(state_dict, checkpoint_id=folder, consolidate=consolidate)


def async_save(
    state_dict: dict[str, Any],
    *,
    checkpoint_id: str | os.PathLike[str] | None = None,
    storage_writer: Any = None,
    planner: Any = None,
    process_group: Any = None,
    async_checkpointer_type: Any = None,
    async_stager: Any = None,
    no_dist: bool = False,
    use_collectives: bool = True,
) -> Future[None]:
    """`flow.distributed.checkpoint.async_save`."""
    _check("async_save", planner, process_group, no_dist)
    folder, consolidate = _folder("async_save", checkpoint_id, storage_writer)
    return ours.async_save(state_dict, checkpoint_id=folder, consolidate=consolidate)


def load(
    state_dict: dict[str, Any],
    *,
    checkpoint_id: str | os.PathLike[str] | None = None,
    storage_reader: Any = None,
    planner: Any = None,
    process_group: Any = None,
    no_dist: bool = False,
) -> None:
    """`flow.distributed.checkpoint.load`."""
    _check("load", planner, process_group, no_dist)
    load_names(state_dict, _folder("load", checkpoint_id, storage_reader)[0], missing=True, left_over=False)


def save_state_dict(state_dict: dict[str, Any], storage_writer: Any, process_group: Any = None, **options: Any) -> None:
    """torch's old name of `save`."""
    save(state_dict, storage_writer=storage_writer, process_group=process_group, planner=options.get("planner"))


def load_state_dict(state_dict: dict[str, Any], storage_reader: Any, process_group: Any = None, **options: Any) -> None:
    """torch's old name of `load`."""
    load(state_dict, storage_reader=storage_reader, process_group=process_group, planner=options.get("planner"))


def _folder(function: str, checkpoint_id: Any, storage: Any) -> tuple[Any, bool]:
    if storage is not None and not isinstance(storage, _Storage):
        raise NotYetImplementedError(f"torch.distributed.checkpoint.{function}(): storage of the program's own, {storage!r}")
    folder = storage.path if checkpoint_id is None and storage is not None else checkpoint_id
    if folder is None:
        raise InvalidArgumentError(f"torch.distributed.checkpoint.{function}(): expected 'checkpoint_id', or where it is stored")
    return folder, storage is not None and storage.consolidate


def _check(function: str, planner: Any, process_group: Any, no_dist: bool) -> None:
    world = this_rank().world_size
    if planner is not None:
        raise NotYetImplementedError(f"torch.distributed.checkpoint.{function}(): a planner; help: all ranks plan alike")
    if (process_group is not None and process_group.size() < world) or (no_dist and world > 1):
        raise NotYetImplementedError(f"torch.distributed.checkpoint.{function}(): of some ranks only; help: call it on all {world}")

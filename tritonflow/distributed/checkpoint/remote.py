"""Checkpoints in remote folders, by fsspec: copies of complete local ones.

Object stores have no rename. So `tritonflow.json` is copied last: a remote folder without it is no checkpoint.
"""

from __future__ import annotations

import shutil
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tritonflow.distributed.checkpoint import catalog as catalogs
from tritonflow.distributed.checkpoint.plan import agreed
from tritonflow.errors import CheckpointFolderError
from tritonflow.wire.world import this_rank


def is_remote(folder: Any) -> bool:
    """Whether a folder is the URL of one that fsspec reaches."""
    return isinstance(folder, str) and "://" in folder


def _system(url: str) -> tuple[Any, str]:
    """fsspec's file system, and the path there.

    Raises:
        CheckpointFolderError: fsspec, or what it needs for such a URL, is not installed.
    """
    try:
        from fsspec.core import url_to_fs

        system, path = url_to_fs(url)
    except (ImportError, ValueError) as error:
        raise CheckpointFolderError(f"{url!r} cannot be reached: {error}. help: pip install fsspec, and what it names") from error
    return system, str(path).rstrip("/")


def put(folder: Path, name: str, url: str) -> None:
    """Copy a file of a folder to a remote one."""
    system, path = _system(url)
    system.makedirs(path, exist_ok=True)
    system.put_file(str(folder / name), f"{path}/{name}")


def names_of(url: str) -> list[str]:
    """The names in a remote folder; none if it is not there."""
    system, path = _system(url)
    system.invalidate_cache()
    return [each.rstrip("/").rpartition("/")[2] for each in system.ls(path, detail=False)] if system.exists(path) else []


def is_complete(url: str) -> bool:
    """Whether a remote folder is a checkpoint that was copied to its end."""
    return catalogs.NAME in names_of(url)


def remove(url: str) -> None:
    """Remove a remote folder: first what makes it a checkpoint."""
    system, path = _system(url)
    if is_complete(url):
        system.rm_file(f"{path}/{catalogs.NAME}")
    if system.exists(path):
        system.rm(path, recursive=True)


@contextmanager
def fetched(folder: Any) -> Iterator[Any]:
    """A folder; of a remote one a copy, which one rank of each node makes and removes. Every rank of the world calls this.

    Raises:
        CheckpointFolderError: on all ranks, if on any: it cannot be copied.
    """
    if not is_remote(folder):
        yield folder
        return
    first = this_rank().local_index == 0
    (token, *_) = agreed(lambda: uuid.uuid4().hex, "checkpoint.load")
    copy = Path(tempfile.gettempdir()) / f"tritonflow-checkpoint-{token}"
    try:
        agreed(lambda: _get(folder, copy) if first else None, f"checkpoint.load: {folder!r}")
        yield copy
    finally:
        if first:
            shutil.rmtree(copy, ignore_errors=True)


def _get(url: str, copy: Path) -> None:
    system, path = _system(url)
    names = [name for name in names_of(url) if system.isfile(f"{path}/{name}")]
    if not names:
        raise CheckpointFolderError(f"{url!r} is no checkpoint: there is no such folder")
    copy.mkdir(mode=0o700)
    for name in names:
        system.get_file(f"{path}/{name}", str(copy / name))

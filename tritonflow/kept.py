"""Files kept between processes: found by kind and key, checked against their own digest, and replaced whole.

A file that is damaged, or is another's under this name, counts as one that is not there. A disk that refuses costs only the
next start. The files of a kind lie in 256 folders, by their keys; one write in 32 looks at its folder and lets the least
recently used go, so that a kind takes `settings.cache_size` bytes at most, and no one ever reads all folders.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tritonflow.settings import settings

_MAGIC = b"tritonflow-2\n"
_HEAD = len(_MAGIC) + 32
_FOLDERS = 256
_WRITES = 32  # of which one looks at its folder: 5 ms for a thousand files, where a kernel's compilation takes 100


def read(kind: str, key: str) -> bytes | None:
    """What is stored under `key`, a hexadecimal digest, or None."""
    path = _path(kind, key)
    try:
        data = path.read_bytes()
    except OSError:
        return None
    body = data[_HEAD:]
    if data[:_HEAD] != _head(key, body):
        return None
    _used(path)
    return body


def write(kind: str, key: str, body: bytes) -> None:
    """Store under `key`."""
    with contextlib.suppress(OSError):
        path = _path(kind, key)
        _store(path, key, _head(key, body) + body)


def source(kind: str, key: str, name: str, text: str) -> Path:
    """A file of this name with this text, which other programs may read.

    Raises:
        OSError: the disk refuses.
    """
    path = settings.cache_dir / kind / key[:2] / name
    if path.exists() and path.read_text() == text:
        _used(path)
    else:
        _store(path, key, text.encode())
    return path


def trim(folder: Path, most: int) -> None:
    """Let the least recently used files of a folder go, until it has `most` bytes; one that others remove is no error."""
    size = 0
    for file, found in sorted(files(folder), key=lambda each: each[1].st_mtime_ns, reverse=True):
        size += found.st_size
        if size > most:
            with contextlib.suppress(OSError):
                os.unlink(file)


def files(folder: Path) -> Iterator[tuple[str, os.stat_result]]:
    """The files below a folder, but those that another process removes meanwhile."""
    for path, _, names in os.walk(folder):
        for name in names:
            file = os.path.join(path, name)
            with contextlib.suppress(OSError):
                yield file, os.stat(file)


def _store(path: Path, key: str, data: bytes) -> None:
    """Let a file have this content, and now and then others of its folder go."""
    _replace(path, data)
    if settings.cache_size and int(key[-8:], 16) % _WRITES == 0:
        trim(path.parent, settings.cache_size // _FOLDERS)


def _used(path: Path) -> None:
    with contextlib.suppress(OSError):
        os.utime(path)


def _replace(path: Path, data: bytes) -> None:
    """Let a file have this content, which nobody sees half written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(name, path)
    except OSError:
        os.unlink(name)
        raise


def _path(kind: str, key: str) -> Path:
    return settings.cache_dir / kind / key[:2] / key[2:]


def _head(key: str, body: bytes) -> bytes:
    return _MAGIC + hashlib.sha256(key.encode() + body).digest()

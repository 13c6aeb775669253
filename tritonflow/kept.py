"""Files kept between processes: found by kind and key, checked against their own digest, and replaced whole.

A file that is damaged, or is another's under this name, counts as one that is not there. A disk that refuses costs only the
next start.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from pathlib import Path

from tritonflow.settings import settings

_MAGIC = b"tritonflow-2\n"
_HEAD = len(_MAGIC) + 32


def read(kind: str, key: str) -> bytes | None:
    """What is stored under `key`, a hexadecimal digest, or None."""
    try:
        data = _path(kind, key).read_bytes()
    except OSError:
        return None
    body = data[_HEAD:]
    return body if data[:_HEAD] == _head(key, body) else None


def write(kind: str, key: str, body: bytes) -> None:
    """Store under `key`."""
    with contextlib.suppress(OSError):
        replace(_path(kind, key), _head(key, body) + body)


def replace(path: Path, data: bytes) -> None:
    """Let a file have this content, which nobody sees half written.

    Raises:
        OSError: the disk refuses.
    """
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

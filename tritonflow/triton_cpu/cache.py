"""Compiled code on disk. A file is checked against its own digest; one that does not match is made again."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite

from ..settings import settings
from .target import resolve

_MAGIC = b"tritonflow-cpu-1\n"


def directory() -> Path:
    return settings.cache_dir / "cpu"


@functools.cache
def source_key() -> str:
    """Changes with this package and with the libraries that make the code."""
    from .. import triton_compat

    digest = hashlib.sha256(f"{'.'.join(map(str, triton_compat.version()))} {llvmlite.__version__}".encode())
    package = Path(__file__).parent
    for path in [*sorted(package.rglob("*.py")), package.parent / "triton_compat.py"]:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def digest(*parts: str) -> str:
    return hashlib.sha256("\0".join((source_key(), *parts)).encode()).hexdigest()


def _path(key: str) -> Path:
    return directory() / key[:2] / key[2:]


def read(key: str) -> tuple[dict[str, Any], bytes] | None:
    """The metadata and object code stored under `key`, or None."""
    try:
        data = _path(key).read_bytes()
    except OSError:
        return None
    body = data[len(_MAGIC) + 32 :]
    if not data.startswith(_MAGIC) or hashlib.sha256(body).digest() != data[len(_MAGIC) : len(_MAGIC) + 32]:
        return None
    size = int.from_bytes(body[:8], "little")
    return json.loads(body[8 : 8 + size]), body[8 + size :]


def write(key: str, meta: dict[str, Any], code: bytes) -> None:
    """Store, by renaming a finished file; a disk that refuses costs only the next start."""
    text = json.dumps(meta).encode()
    body = len(text).to_bytes(8, "little") + text + code
    path = _path(key)
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_MAGIC + hashlib.sha256(body).digest() + body)
            os.replace(name, path)
        except OSError:
            os.unlink(name)


def stored_bytes(kind: str, text: str, make: Callable[[], bytes]) -> bytes:
    """Object code that depends on `text` and the host only."""
    key = digest(kind, text, resolve("host").key)
    found = read(key)
    if found is not None:
        return found[1]
    code = make()
    write(key, {"kind": kind}, code)
    return code

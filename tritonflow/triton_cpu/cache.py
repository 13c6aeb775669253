"""Compiled code on disk. `disk_cache` checks its files, and damaged ones are compiled again."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite

from tritonflow import disk_cache, versions

from .target import resolve

_KIND = "cpu"


@functools.cache
def source_key() -> str:
    """Changes with this package and with the libraries that make the code."""
    digest = hashlib.sha256(f"{versions.installed('triton')} {llvmlite.__version__}".encode())
    package = Path(__file__).parent
    for path in [*sorted(package.rglob("*.py")), *sorted((package.parent / "triton_compat").rglob("*.py"))]:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def digest(*parts: str) -> str:
    return hashlib.sha256("\0".join((source_key(), *parts)).encode()).hexdigest()


def read(key: str) -> tuple[dict[str, Any], bytes] | None:
    """The metadata and object code stored under `key`, or None."""
    return disk_cache.read_described(_KIND, key)


def write(key: str, meta: dict[str, Any], code: bytes) -> None:
    """Store metadata and object code."""
    disk_cache.write_described(_KIND, key, meta, code)


def stored_bytes(kind: str, text: str, make: Callable[[], bytes]) -> bytes:
    """Object code that depends on `text` and the host only."""
    key = digest(kind, text, resolve("host").key)
    found = read(key)
    if found is not None:
        return found[1]
    code = make()
    write(key, {"kind": kind}, code)
    return code

"""Triton's cache on disk, checked: damaged code counts as missing, and so does a folder that others may write.

Triton loads the code of a file as it lies there. So each group of files with code has a digest beside it.
"""

from __future__ import annotations

import atexit
import functools
import hashlib
import logging
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tritonflow import ownership

from .internals import FileCacheManager, knobs

log = logging.getLogger("tritonflow.triton")


def use_checked_cache() -> None:
    """From now on, this process uses Triton's cache on disk with checks."""
    files = knobs.cache.manager_class or FileCacheManager
    if not getattr(files, "checks_code", False):
        knobs.cache.manager_class = _checked_class(files)


def _checked_class(files: type) -> type:
    """Triton's class for its cache on disk, with checks.

    A folder that cannot be written, or that other users may write, is replaced by one of this process.
    """

    class CheckedFiles(files):
        checks_code = True

        def __init__(self, key: str, override: bool = False, dump: bool = False) -> None:
            self._request = key, override, dump
            try:
                if knobs.cache.dir.startswith("~/.triton"):
                    raise OSError("this user has no home directory")
                super().__init__(*self._request)
                weakness = ownership.weakness(getattr(self, "cache_dir", "/"))
                if weakness is not None:
                    raise PermissionError(weakness)
            except OSError as error:
                self._replace_folder(error)

        def _replace_folder(self, error: OSError) -> None:
            if knobs.cache.dir == _own_folder():
                raise error
            log.warning(
                "%s: Triton's cache %s is not used, and kernels are compiled again in every process. "
                "help: set TRITON_CACHE_DIR to a folder that only you may write",
                error, knobs.cache.dir,
            )  # fmt: skip
            knobs.cache.dir = _own_folder()
            super().__init__(*self._request)

        def put(self, data: Any, filename: str, binary: bool = True) -> str:
            try:
                return str(super().put(data, filename, binary))
            except OSError as error:
                self._replace_folder(error)
                return str(super().put(data, filename, binary))

        def put_group(self, filename: str, group: dict[str, str]) -> Any:
            if _has_code(group):
                self.put(_digest(group), f"__digest__{filename}")
            return super().put_group(filename, group)

        def get_group(self, filename: str) -> dict[str, str] | None:
            try:
                group: dict[str, str] | None = super().get_group(filename)
                digest = self.get_file(f"__digest__{filename}")
                if digest is not None:
                    return group if group and Path(digest).read_bytes() == _digest(group) else None
            except (OSError, ValueError):  # a file is gone, or the list of files is no JSON
                return None
            return None if _has_code(group or {}) else group

    return CheckedFiles


@functools.cache
def _own_folder() -> str:
    folder = tempfile.mkdtemp(prefix="tritonflow_triton_")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _has_code(group: Mapping[str, str]) -> bool:
    return any(name.endswith((".obj", ".cubin")) for name in group)


def _digest(group: Mapping[str, str]) -> bytes:
    digest = hashlib.sha256()
    for name in sorted(group):
        content = Path(group[name]).read_bytes()
        digest.update(f"{name} {len(content)} ".encode() + content)
    return digest.hexdigest().encode()

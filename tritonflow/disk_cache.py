"""The disk cache: files that processes share, found by kind and key, each checked against its own digest.

A damaged file counts as missing. So does one that other users could have written (`ownership`), because its content is executed.
If no folder can be used, nothing is stored: the next start compiles again, and the log says so once. The files of a kind lie in
256 folders, by their keys. One write in 32 removes the least recently used files of its folder, so that a kind takes at most
`settings.cache_size` bytes and nobody reads all folders. The design is in docs/design/disk_caches.md.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import stat
import tempfile
from collections.abc import Iterator
from typing import Any

from tritonflow import ownership
from tritonflow.settings import settings

log = logging.getLogger("tritonflow.disk_cache")

_MAGIC = b"tritonflow-2\n"
_HEAD = len(_MAGIC) + 32
_FOLDERS = 256
_WRITES = 32  # of which one looks at its folder: 5 ms for a thousand files, where a kernel's compilation takes 100

_private: set[str] = set()  # folders that others cannot write
_warned: set[object] = set()


def read(kind: str, key: str) -> bytes | None:
    """What is stored under `key`, a hexadecimal digest, or None."""
    try:
        path = os.path.join(_folder(kind, key), key[2:])
        data = _content(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        _warn_once(error)
        return None
    body = checked(key, data)
    if body is not None:
        _used(path)
    return body


def checked(key: str, file: bytes) -> bytes | None:
    """What the content of a file has under `key`; None if it is damaged, or another key's."""
    body = file[_HEAD:]
    return body if file[:_HEAD] == _head(key, body) else None


def headed(key: str, body: bytes) -> bytes:
    """The content of the file under `key`."""
    return _head(key, body) + body


def write(kind: str, key: str, body: bytes) -> None:
    """Store under `key`."""
    try:
        _store(os.path.join(_made_folder(kind, key), key[2:]), key, headed(key, body))
    except OSError as error:
        _warn_once(error)


def read_described(kind: str, key: str) -> tuple[dict[str, Any], bytes] | None:
    """The description and the bytes that `write_described` has stored, or None."""
    return described(read(kind, key))


def described(body: bytes | None) -> tuple[dict[str, Any], bytes] | None:
    """What `read_described` returns, of what `read` does."""
    if body is None:
        return None
    size = int.from_bytes(body[:8], "little")
    return json.loads(body[8 : 8 + size]), body[8 + size :]


def write_described(kind: str, key: str, description: dict[str, Any], content: bytes) -> None:
    """Store bytes with a description, which JSON can express."""
    text = json.dumps(description).encode()
    write(kind, key, len(text).to_bytes(8, "little") + text + content)


def source(kind: str, key: str, name: str, text: str) -> str:
    """The path of a file of this name with this text, for people who look for it; where the disk refuses, no such file is there."""
    if settings.cache_dir is None:
        return f"<{name}>"
    path, data = os.path.join(_path(kind, key), name), text.encode()
    try:
        _made_folder(kind, key)
        if os.path.isfile(path) and _content(path) == data:
            _used(path)
        else:
            _store(path, key, data)
    except OSError as error:
        _warn_once(error)
    return path


def trouble() -> str | None:
    """Why nothing is stored, found by writing a file; None if that works."""
    key = hashlib.sha256(str(os.getpid()).encode()).hexdigest()
    try:
        path = os.path.join(_made_folder("cpu", key), key[2:])
        _replace(path, bytes(4096))
        os.unlink(path)
    except OSError as error:
        return str(error)
    return None


def trim(folder: str | os.PathLike[str], most: int) -> None:
    """Remove the least recently used files of a folder until it has `most` bytes; a file that others remove is no error."""
    size = 0
    for file, found in sorted(files(folder), key=lambda each: each[1].st_mtime_ns, reverse=True):
        size += found.st_size
        if size > most:
            with contextlib.suppress(OSError):
                os.unlink(file)


def files(folder: str | os.PathLike[str]) -> Iterator[tuple[str, os.stat_result]]:
    """The files below a folder, but those that another process removes meanwhile."""
    for path, _, names in os.walk(folder):
        for name in names:
            file = os.path.join(path, name)
            with contextlib.suppress(OSError):
                yield file, os.stat(file)


# ---------------------------------------------------------------------------------------------------------------- folders


def _path(kind: str, key: str) -> str:
    """The folder of a key's file, whether or not it is there."""
    base = settings.cache_dir
    if base is None:
        raise OSError("this user has no home directory")
    return os.path.join(os.getcwd(), base, kind, key[:2])


def _folder(kind: str, key: str) -> str:
    """The folder of a key's file.

    Raises:
        OSError: it is not there, or cannot be used.
    """
    folder = _path(kind, key)
    if folder not in _private:
        weakness = ownership.weakness(folder)
        if weakness is not None:
            raise PermissionError(f"{weakness}, so that {settings.cache_dir} is not used")
        _private.add(folder)
    return folder


def _made_folder(kind: str, key: str) -> str:
    """As `_folder`, which is made if it is not there."""
    with contextlib.suppress(FileNotFoundError):
        _folder(kind, key)  # refuses before anything is made
    _make(_path(kind, key))
    return _folder(kind, key)


def _make(folder: str) -> None:
    """Make a folder and those above it that are not there, for this user alone."""
    try:
        os.mkdir(folder, 0o700)
    except FileExistsError:
        return
    except FileNotFoundError:
        _make(os.path.dirname(folder))
        with contextlib.suppress(FileExistsError):
            os.mkdir(folder, 0o700)


def _warn_once(error: OSError) -> None:
    """Say once in the log why nothing is stored."""
    reason = settings.cache_dir, error.errno or type(error)
    if reason not in _warned:
        _warned.add(reason)
        log.warning(
            "%s: nothing is kept for the next process, which compiles again. "
            "help: set TRITONFLOW_CACHE_DIR to a folder that only you may write",
            error,
        )


# ------------------------------------------------------------------------------------------------------------------ files


def _content(path: str) -> bytes:
    """What is in a regular file that others could not have written.

    Raises:
        OSError: there is no such file.
    """
    with open(os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK), "rb") as file:  # a pipe would be waited for
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode) or not ownership.is_private(found):
            raise PermissionError(f"{path} is no file of this user's")
        return file.read()


def _store(path: str, key: str, data: bytes) -> None:
    """Write a file; in one write of 32, trim its folder."""
    _replace(path, data)
    if settings.cache_size and int(key[-8:], 16) % _WRITES == 0:
        trim(os.path.dirname(path), settings.cache_size // _FOLDERS)


def _used(path: str) -> None:
    with contextlib.suppress(OSError):
        os.utime(path)


def _replace(path: str, data: bytes) -> None:
    """Replace the content of a file; no reader sees half of it."""
    handle, name = tempfile.mkstemp(dir=os.path.dirname(path))
    try:
        with open(handle, "wb") as file:
            file.write(data)
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):  # trimmed meanwhile
            os.unlink(name)
        raise


def _head(key: str, body: bytes) -> bytes:
    return _MAGIC + hashlib.sha256(key.encode() + body).digest()

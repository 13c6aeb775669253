"""Kernels that come ready with the package, in an archive for each level of CPUs: a second, read-only layer of the disk cache.

`make release` writes the archives (release/ready.py); a checkout has none. An entry is a file of the disk cache, under the key that
a kernel compiled for that level has there: of sources, versions, types, constants. So one of another release is never found.

An archive has only kernels whose LLVM IR is the same for every CPU of its level, whatever this has besides (`is_shared`).
A kernel that multiplies bf16 by instructions that some have is compiled at the spot.
"""

from __future__ import annotations

import functools
import io
import logging
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from tritonflow import disk_cache
from tritonflow.settings import settings

from . import cache
from .target import Target, reaches, resolve

FOLDER = Path(__file__).parent.parent / "ready"
LEVELS = ("avx512", "avx2")
"""From the best on; a kernel for one uses no instruction beyond."""
_DATE = (1980, 1, 1, 0, 0, 0)  # of all entries: equal kernels are an equal archive
log = logging.getLogger("tritonflow.disk_cache")


def find(target: Target, *parts: str) -> tuple[dict[str, Any], bytes] | None:
    """The metadata and object code of a kernel for a CPU, or None.

    Args:
        parts: what it depends on besides the CPU.
    """
    level = level_of(target)
    archive = None if level is None or settings.cpu_dump else _archive(FOLDER / f"{level}.zip")
    if level is None or archive is None:
        return None
    key = cache.digest(*parts, resolve(level).key)
    try:
        return disk_cache.described(disk_cache.checked(key, archive.read(key)))
    except KeyError:
        return None
    except (zipfile.BadZipFile, zlib.error, OSError, ValueError, NotImplementedError) as error:
        log.warning("%s is damaged and compiled again: %s", key, error)
        return None


def level_of(target: Target) -> str | None:
    """The level whose kernels a CPU runs, lowered as its own are; None if there is none."""
    return next((level for level in LEVELS if reaches(level) and _lowered_by(resolve(level)) == _lowered_by(target)), None)


def _lowered_by(target: Target) -> tuple[object, ...]:
    return target.triple, target.native_f16, target.fma, target.vector_bits, target.codegen


def cpus_of(level: str) -> list[Target]:
    """What the lowering is told of the CPUs of a level."""
    least = resolve(level)
    dots = [(False, False, False), (False, True, False), (True, False, False), (True, True, False)]
    tiles = [(True, True, True), (False, True, True)] if least.vector_bits == 512 else []
    return [replace(least, bf16_dot=bf16, int8_dot=int8, amx=amx) for bf16, int8, amx in dots + tiles]


def is_shared(kernel: Any, level: str) -> bool:
    """Whether a kernel, compiled in this process, is lowered to one text for all CPUs of a level."""
    from .lower.kernel import lower  # all of the lowering, for who makes archives

    lowered = [lower(kernel.asm["ttir"], cpu, False) for cpu in cpus_of(level)]
    return len({(each.text, each.scratch, each.cost) for each in lowered}) == 1


def write(level: str, keys: Iterable[str]) -> Path:
    """Write the archive of a level with these entries of the disk cache."""
    FOLDER.mkdir(exist_ok=True)
    path = FOLDER / f"{level}.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for key in sorted(set(keys)):
            body = disk_cache.read("cpu", key)
            assert body is not None, f"the disk cache has no {key}"
            archive.writestr(zipfile.ZipInfo(key, _DATE), disk_cache.headed(key, body), zipfile.ZIP_DEFLATED)
    return path


@functools.cache
def _archive(path: Path) -> zipfile.ZipFile | None:
    """An archive, in memory: an open file would have one position for all forked processes."""
    try:
        return zipfile.ZipFile(io.BytesIO(path.read_bytes()))
    except FileNotFoundError:
        return None
    except (zipfile.BadZipFile, OSError) as error:
        log.warning("%s is not used: %s", path, error)
        return None

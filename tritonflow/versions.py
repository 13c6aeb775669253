"""The oldest torch and Triton that tritonflow runs on, the error for a release that it does not run on, and what is installed.

torch is checked when `tritonflow` is imported (`device/torch_exchange.py`); Triton, which takes a while to import, before the
first kernel.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import importlib.util
import os
import platform
import sys
from importlib import metadata

from tritonflow.errors import CompileError, UnsupportedVersionError

_PYTHON = (3, 10)
_NEEDED = ("numpy", "torch", "triton")  # llvmlite only by the first kernel for a CPU
MINIMUM = {"torch": (2, 11), "triton": (3, 6)}
_KNOWN = {"torch": "2.11.0 and 2.13.0", "triton": "3.6.0, 3.7.1 and 3.9.0"}


def numbers(version: str) -> tuple[int, int, int]:
    """The three numbers of a release: `2.13.0+cpu` is (2, 13, 0)."""
    parts = version.split("+")[0].split(".")[:3]
    digits = ["".join(c for c in part if c.isdigit()) or "0" for part in parts] + ["0", "0"]
    return int(digits[0]), int(digits[1]), int(digits[2])


def unsupported(package: str, version: str, reason: object) -> UnsupportedVersionError:
    """The error to raise; that the release is too old is a better reason than what is missing in it."""
    minimum = ".".join(map(str, MINIMUM[package]))
    if numbers(version) < MINIMUM[package]:
        reason = f"it is older than {minimum}"
    return UnsupportedVersionError(
        f"{package} {version} is not supported: {reason}\n"
        f"help: install {package}>={minimum} ({_KNOWN[package]} are known to work), or report this version"
    )


def check(package: str, version: str) -> None:
    """Raise if a release is too old."""
    if numbers(version) < MINIMUM[package]:
        raise unsupported(package, version, "")


@functools.cache
def installed(package: str) -> str:
    """A package's version; it is imported only where it says that nowhere else."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return str(importlib.import_module(package).__version__)


def _llvmlite() -> str:
    """Its version; what runs on GPUs alone does without it."""
    try:
        return installed("llvmlite")
    except ModuleNotFoundError:
        return "none"


@functools.cache
def fingerprint() -> str:
    """Changes with every source file of this package, with Python, and with the compilers.

    7 ms for 2.5 MB. Sizes and times of the files would take 1, and may be the same for others where an installer sets them.
    """
    digest = hashlib.sha256(f"{platform.python_version()} {installed('triton')} {_llvmlite()}".encode())
    root = os.path.dirname(__file__)  # texts: making and taking apart a Path costs as much as reading the file
    for folder, folders, names in os.walk(root, followlinks=True):
        folders[:] = sorted(set(folders) - {"__pycache__"})
        for name in sorted(names):
            if name.endswith(".py"):
                with open(f"{folder}/{name}", "rb") as file:
                    digest.update(f"\0{folder[len(root) :]}/{name}\0".encode() + file.read())
    return digest.hexdigest()


def _refuse_incomplete() -> None:
    """Raise where this Python is too old or lacks a package that all need, or where Triton would compile nothing."""
    if sys.version_info < _PYTHON:
        wanted = ".".join(map(str, _PYTHON))
        raise UnsupportedVersionError(f"tritonflow needs Python {wanted} or newer, and this is Python {platform.python_version()}")
    for package in _NEEDED:
        if package not in sys.modules and importlib.util.find_spec(package) is None:
            raise UnsupportedVersionError(f"tritonflow needs {package}, which is not installed: help: pip install {package}")
    if os.environ.get("TRITON_INTERPRET", "").lower() in ("1", "true", "on", "yes", "y"):
        raise CompileError(
            "tritonflow compiles its kernels, and TRITON_INTERPRET=1 has Triton interpret all: help: unset it, and look into"
            " a kernel with tl.device_print or TRITONFLOW_CPU_CHECK=1 (docs/debugging_kernels.md)"
        )


_refuse_incomplete()

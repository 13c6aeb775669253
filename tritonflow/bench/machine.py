"""What figures are of: versions, the processor, its clocks and load."""

from __future__ import annotations

import ctypes
import importlib.metadata
import os
import platform
import statistics
import subprocess
import time
from pathlib import Path
from typing import Any

import torch

import tritonflow as flow
from tritonflow.bench.timing import last_cache_bytes

PACKAGES = ("torch", "triton", "llvmlite", "numpy")
VECTOR_FLAGS = ("sse4_2", "avx", "avx2", "fma", "f16c", "avx512", "avx_vnni", "amx", "asimd", "sve", "neon", "bf16", "i8mm")
CPUS = Path("/sys/devices/system/cpu")


def about(device: str = "cpu") -> dict[str, Any]:
    """What stands at the head of results.

    Example:
        >>> from tritonflow.bench.machine import about
        >>> sorted(about())[:4]
        ['cache_bytes', 'commit', 'cores', 'cpu']
    """
    found = {
        "date": time.strftime("%Y-%m-%d %H:%M"), "tritonflow": flow.__version__, "commit": commit(), **versions(),
        "python": platform.python_version(), "system": platform.platform(), "cpu": processor(), "cpu_flags": flags(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "threads": flow.get_num_threads(), "cache_bytes": last_cache_bytes(), "governor": governor(), "mhz": megahertz(),
        "load": load(), "device": device,
    }  # fmt: skip
    if device != "cpu":
        found["gpu"] = torch.cuda.get_device_name(device)
    return found


def key(head: dict[str, Any]) -> tuple[Any, ...]:
    """What two results must have in common to be compared without a word."""
    return tuple(head.get(name) for name in ("cpu", "gpu", "device", "threads"))


def versions() -> dict[str, str]:
    """Of the packages that compute."""
    found = {}
    for package in PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            found[package] = ""
    return found


def commit() -> str:
    """Of the checkout that the package is in, with a + where it was changed; "" outside of one."""
    root = Path(flow.__file__).resolve().parents[1]
    if not (root / ".git").exists():
        return ""
    try:
        name = _git(root, "rev-parse", "--short", "HEAD")
        return name + ("+" if _git(root, "status", "--porcelain", "--untracked-files=no") else "")
    except (OSError, subprocess.CalledProcessError):
        return ""


def _git(root: Path, *command: str) -> str:
    done = subprocess.run(["git", "-C", str(root), *command], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def _cpuinfo(*names: str) -> str:
    """The first value of a line of /proc/cpuinfo; "" where there is none."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return ""
    return next((line.partition(":")[2].strip() for line in lines if line.partition("\t")[0] in names), "")


def processor() -> str:
    """The CPU's model."""
    return _cpuinfo("model name") or platform.processor() or platform.machine()


def flags() -> list[str]:
    """The CPU's vector instructions."""
    return [f for f in _cpuinfo("flags", "Features").split() if f.startswith(VECTOR_FLAGS)]


def governor() -> str:
    """How the kernel sets the clock; "" where it does not say."""
    try:
        return (CPUS / "cpu0/cpufreq/scaling_governor").read_text().strip()
    except OSError:
        return ""


def megahertz() -> float | None:
    """The mean clock of the cores now; None where nobody knows."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return None
    clocks = [float(line.partition(":")[2]) for line in lines if line.startswith("cpu MHz")]
    return round(statistics.mean(clocks)) if clocks else None


def load() -> float:
    """How many threads wanted a core in the last minute."""
    return round(os.getloadavg()[0], 1)


def keep_freed_memory() -> None:
    """Have glibc hold large blocks that are freed, as our pool does: else torch alone pays for page faults."""
    try:
        libc = ctypes.CDLL(None)
        libc.mallopt(-4, 0)  # M_MMAP_MAX
        libc.mallopt(-1, ctypes.c_int(2**31 - 1))  # M_TRIM_THRESHOLD
    except (OSError, AttributeError):  # another C library
        return

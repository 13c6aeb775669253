"""What a machine is and has, as a line of JSON: `python -m gpu.machine`. It needs nothing of the project."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import platform
import resource
import shutil
import subprocess
import sys
import sysconfig
import time
from pathlib import Path
from typing import Any

PACKAGES = """torch triton numpy llvmlite safetensors opt-einsum scipy hypothesis sortedcontainers pytest pytest-xdist
pytest-timeout pyyaml matplotlib tqdm expecttest liger-kernel flag-gems tensorboardX""".split()
TOOLS = "gcc cc g++ make git nvcc ptxas cuobjdump nvdisasm ncu compute-sanitizer cuda-gdb nvidia-smi xz tar".split()
ASKED = """name driver_version memory.total memory.free clocks.sm clocks.max.sm clocks.mem power.draw power.limit temperature.gpu
compute_mode mig.mode.current ecc.mode.current""".split()
SOURCES = ("tritonflow", "kernels", "tests", "gpu", "bench", "op_registry.yaml")


def about() -> dict[str, Any]:
    """Everything; what cannot be found out is None or empty."""
    return {
        "at": time.strftime("%Y-%m-%d %H:%M:%S"), "python": platform.python_version(), "executable": sys.executable,
        "system": platform.platform(), "cpu": _cpu(), "cpus": len(os.sched_getaffinity(0)),
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        "disk_free_gb": _free("."), "shared_memory_free_gb": _free("/dev/shm"), "gpu": _gpu(),
        "packages": {name: _version(name) for name in PACKAGES}, "tools": {name: shutil.which(name) for name in TOOLS},
        "python_h": (Path(sysconfig.get_paths()["include"]) / "Python.h").exists(),
        "libcuda": [line.strip() for line in _said("/sbin/ldconfig", "-p").splitlines() if "libcuda.so" in line],
        "home": os.environ.get("HOME"), "user": os.getuid(), "open_files": resource.getrlimit(resource.RLIMIT_NOFILE)[0],
        "commit": _said("git", "rev-parse", "--short", "HEAD") if Path(".git").exists() else "", "sources": sources(Path(".")),
    }  # fmt: skip


def sources(root: Path) -> str:
    """A digest of the sources: which they were, where there is no git. `python -m gpu.machine --sources` prints a checkout's."""
    found = hashlib.sha256()
    for name in SOURCES:
        path = root / name
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.suffix in (".py", ".c", ".h", ".yaml") and "__pycache__" not in file.parts:
                found.update(f"{file.relative_to(root)} ".encode() + file.read_bytes())
    return found.hexdigest()[:16]


def _said(*command: str) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=8).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""


def _gpu() -> dict[str, str]:
    said = _said("nvidia-smi", f"--query-gpu={','.join(ASKED)}", "--format=csv,noheader").partition("\n")[0]
    return dict(zip(ASKED, [value.strip() for value in said.split(",")])) if said else {}


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return ""
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _free(folder: str) -> float | None:
    return round(shutil.disk_usage(folder).free / 2**30, 1) if Path(folder).exists() else None


if __name__ == "__main__":
    print(sources(Path(".")) if "--sources" in sys.argv else json.dumps({"machine": about()}))

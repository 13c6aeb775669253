"""`python -m tritonflow --doctor`: what this installation is made of, and whether a kernel compiles and runs.

`python -m tritonflow from_dcp SOURCE TARGET` converts a checkpoint of `torch.distributed.checkpoint`.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import os
import platform
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tritonflow import disk_cache, ownership
from tritonflow.device import torch_cuda
from tritonflow.settings import settings


def main(arguments: list[str] | None = None) -> int:
    """Run the command; its exit status is 0 unless the doctor found a fault."""
    parser = argparse.ArgumentParser(prog="python -m tritonflow", description="tritonflow, a deep learning runtime")
    parser.add_argument(
        "--doctor", action="store_true", help="report versions, devices, settings and caches; run a kernel"
    )
    parser.add_argument("--version", action="store_true", help="print the version")
    commands = parser.add_subparsers(dest="command")
    convert = commands.add_parser(
        "from_dcp",
        help="convert a checkpoint that torch.distributed.checkpoint.save saved",
        description="Convert a checkpoint of torch, whose pickles can run any code: only for checkpoints that you trust.",
    )
    convert.add_argument("source", type=Path, help="its folder")
    convert.add_argument("target", type=Path, help="the folder to be made")
    options = parser.parse_args(arguments)
    if options.command == "from_dcp":
        return from_dcp(options.source, options.target)
    if options.version:
        print(_version("tritonflow"))
        return 0
    if options.doctor:
        return doctor()
    parser.print_help()
    return 0


def doctor() -> int:
    """Print the report; 1 if a part of it failed."""
    healthy = True
    for title, section in _SECTIONS.items():
        print(title)
        try:
            for line in section():
                print("  " + line)
        except Exception as e:
            healthy = False
            print(f"  FAILED: {type(e).__name__}: {e}")
    print("healthy" if healthy else "something is wrong: see FAILED above")
    return 0 if healthy else 1


def from_dcp(source: Path, target: Path) -> int:
    """Convert a checkpoint; 1 if it cannot be."""
    from tritonflow.errors import CheckpointFolderError

    converter = importlib.import_module("tritonflow.distributed.checkpoint.from_dcp")  # no other thread imports its package
    try:
        converter.convert(source, target)
    except CheckpointFolderError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _versions() -> Iterator[str]:
    yield f"python      {platform.python_version()} ({sys.executable})"
    yield f"platform    {platform.platform()}"
    for package in ("tritonflow", "torch", "triton", "llvmlite", "numpy", "safetensors"):
        yield f"{package:<12}{_version(package)}"


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "in a source tree, not installed" if package == "tritonflow" else "not installed"


def _devices() -> Iterator[str]:
    yield f"cpu         {_cpu_model()}, {settings.num_threads} threads"
    runtime = torch_cuda.runtime
    if runtime.why_unavailable() is not None:
        yield "cuda        none: " + ("no driver or no GPU" if runtime.is_built() else "torch is a CPU build")
        return
    for i in range(runtime.device_count()):
        p = runtime.properties(i)
        yield f"cuda:{i}      {p.name}, sm_{p.major}{p.minor}, {p.total_memory / 2**30:.1f} GiB"


def _cpu_model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def _settings() -> Iterator[str]:
    for name, setting in settings.declared().items():
        source = "environment" if os.environ.get(setting.variable) else "default"
        value = getattr(settings, name)
        shown = ", ".join(sorted(value)) or "nothing" if isinstance(value, frozenset) else str(value)
        yield f"{setting.variable:<32}{shown:<27} {source:<13}{setting.help}"
    for variable, near in settings.unknown().items():
        yield f"{variable:<32}unknown" + (f"; do you mean {near}?" if near else "")


def _caches() -> Iterator[str]:
    triton = _triton_cache()
    for title, path, trouble, variable in (
        ("tritonflow", settings.cache_dir, disk_cache.trouble(), "TRITONFLOW_CACHE_DIR"),
        ("triton", triton, _triton_trouble(triton), "TRITON_CACHE_DIR"),
    ):
        yield f"{title:<12}{path}: {_contents(path) if path is not None and os.path.isdir(path) else 'nothing yet'}"
        if trouble is not None:
            yield f"{'':<12}NOTHING NEW IS KEPT there, so that every process compiles again: {trouble}"
            yield f"{'':<12}help: set {variable} to a folder that only you may write"


def _contents(path: Path, seconds: float = 1.0) -> str:
    """How many files and bytes; of hundreds of thousands on a slow disk, what can be counted in so many seconds."""
    count, size, end = 0, 0, time.perf_counter() + seconds
    for _, found in disk_cache.files(path):
        count, size = count + 1, size + found.st_size
        if time.perf_counter() > end:
            return f"more than {count:,} files, {size / 2**20:,.1f} MiB"
    return f"{count:,} files, {size / 2**20:,.1f} MiB"


def _folders() -> Iterator[str]:
    """Where else files are written.

    Raises:
        PermissionError: behind the lines, if something cannot be.
    """
    refused = []
    for title, folder in _written_folders():
        trouble = _write_trouble(folder)
        yield f"{title:<32}{folder}: " + ("can be written" if trouble is None else f"CANNOT BE WRITTEN: {trouble}")
        if trouble is not None:
            refused.append(title)
    if refused:
        raise PermissionError(f"cannot be written: {', '.join(refused)}. help: give another path, or unset the variable")


def _written_folders() -> Iterator[tuple[str, Path]]:
    yield "TMPDIR", Path(os.environ.get("TMPDIR") or tempfile.gettempdir())
    if settings.cpu_dump is not None:
        yield "TRITONFLOW_CPU_DUMP", settings.cpu_dump
    if settings.vm_timeline is not None:
        yield "TRITONFLOW_VM_TIMELINE", settings.vm_timeline.parent
    if settings.debug_mode:
        yield "TRITONFLOW_DEBUG_MODE", Path("log")


def _write_trouble(folder: Path) -> str | None:
    """Why no file can be written to a folder, which may have to be made first; None if one can."""
    existing = folder.absolute()
    try:
        while not existing.exists():
            existing = existing.parent
        with tempfile.TemporaryFile(dir=existing) as file:
            file.write(bytes(4096))
    except OSError as error:
        return f"{existing}: {error.strerror}"
    return None


def _triton_cache() -> Path:
    home = os.environ.get("TRITON_HOME") or os.path.expanduser("~")
    return Path(os.environ.get("TRITON_CACHE_DIR") or f"{home}/.triton/cache")


def _triton_trouble(path: Path) -> str | None:
    try:
        weakness = ownership.weakness(str(path))
    except FileNotFoundError:
        weakness = None
    except OSError as error:
        return str(error)
    return weakness or _write_trouble(path)


def _kernel() -> Iterator[str]:
    import tritonflow as flow

    devices = ["cpu"] + [f"cuda:{i}" for i in range(torch_cuda.runtime.device_count())]
    for device in devices:
        values = [-2.0, -1.0, 0.0, 1.0, 2.0]
        start = time.perf_counter()
        x = flow.tensor(values, device=device, requires_grad=True)
        y = x.relu()
        y.sum().backward()
        first = time.perf_counter() - start
        grad = [] if x.grad is None else x.grad.tolist()
        if y.tolist() != [0.0, 0.0, 0.0, 1.0, 2.0] or grad != [0.0, 0.0, 0.0, 1.0, 1.0]:
            raise ArithmeticError(f"relu on {device} gave {y.tolist()}, its gradient {grad}")
        yield f"{device:<12}relu, sum and their gradient compile and run: {first * 1e3:.0f} ms"


_SECTIONS: dict[str, Callable[[], Iterator[str]]] = {
    "versions": _versions,
    "devices": _devices,
    "settings": _settings,
    "caches": _caches,
    "other folders that are written": _folders,
    "kernels": _kernel,
}

if __name__ == "__main__":
    sys.exit(main())

"""What `make release` does: builds a wheel and a source archive, looks into them, installs the wheel in a clean environment of each
Python, and runs release/smoke.py there, outside of the sources.

    python release/check.py --torch torch==2.13.0+cpu --torch-index https://download.pytorch.org/whl/cpu

A Python, or a torch for it, that cannot be had is skipped with a line. What is built and fails is an error.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DIST, BUILD = ROOT / "dist", ROOT / "build" / "release"
PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
DATA = (".pyi", ".c", ".h", ".css", ".js", "py.typed")
NOT_FOR_USERS = ("tests", "docs", "bench", "examples", "gpu", "release", "build", "kernels")  # first folders of paths


def run(*command: str | Path, cwd: Path = ROOT) -> None:
    """Runs a command; shows what it printed if it fails."""
    done = subprocess.run([*map(str, command)], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}")


def build() -> tuple[Path, Path]:
    """The wheel and the source archive, new in dist/, after twine has read them."""
    python = BUILD / "tools" / "bin" / "python"
    if not python.exists():
        run(sys.executable, "-m", "venv", BUILD / "tools")
        run(python, "-m", "pip", "install", "--quiet", "build", "twine")
    for old in (*DIST.glob("tritonflow-*"), ROOT / "build" / "lib"):
        shutil.rmtree(old) if old.is_dir() else old.unlink(missing_ok=True)
    run(python, "-m", "build", "--outdir", DIST)
    (wheel,), (sources,) = DIST.glob("*.whl"), DIST.glob("*.tar.gz")
    run(python, "-m", "twine", "check", "--strict", wheel, sources)
    return wheel, sources


def faults(wheel: Path, sources: Path) -> list[str]:
    """What the archives lack, and what should not be in them."""
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
    with tarfile.open(sources) as archive:
        unpacked = {name.partition("/")[2] for name in archive.getnames()}
    wanted = set(of_the_package())
    found = [f"{wheel.name} lacks {name}" for name in sorted(wanted - packed)]
    found += [f"{wheel.name} has {name}" for name in sorted(packed - wanted)]
    found += [f"{sources.name} lacks {name}" for name in sorted(wanted - unpacked)]
    return found + [f"{sources.name} has {name}" for name in sorted(unpacked) if name.partition("/")[0] in NOT_FOR_USERS]


def of_the_package() -> Iterator[str]:
    """The files of the packages that git has, and the ready kernels; its folder kernels/ is a link in a checkout."""
    command = ["git", "ls-files", "tritonflow", "tritonflow_program", "kernels"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    for name in listed.stdout.splitlines():
        if name.endswith((".py", *DATA)):
            yield f"tritonflow/{name}" if name.startswith("kernels/") else name
    for archive in ROOT.glob("tritonflow/ready/*.zip"):  # of release/ready.py; git has none
        yield str(archive.relative_to(ROOT))


def interpreter(version: str) -> str | None:
    """A Python of this version: on the path, or of pyenv or uv."""
    for path in (shutil.which(f"python{version}"), *sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))):
        if path and subprocess.run([path, "-c", "import venv"], capture_output=True).returncode == 0:
            return str(path)
    if uv := shutil.which("uv"):
        found = subprocess.run([uv, "python", "find", "--no-python-downloads", version], capture_output=True, text=True)
        return found.stdout.strip() or None
    return None


def environment(python: str, version: str, torch: list[str]) -> Path | None:
    """A new environment with torch, without which there is none."""
    folder = BUILD / version
    shutil.rmtree(folder, ignore_errors=True)
    run(python, "-m", "venv", folder)
    options = ["--disable-pip-version-check", "install", "--quiet", "--only-binary=:all:", "--retries=1"]
    pip = [str(folder / "bin" / "python"), "-m", "pip", *options]
    for requirement in (torch[:1], torch):  # where an index is out of reach, pip asks it for minutes
        if subprocess.run([*pip, *requirement], capture_output=True).returncode == 0:
            return folder / "bin" / "python"
    shutil.rmtree(folder)
    return None


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--torch", default="torch==2.13.0+cpu", help="what pip is asked for")
    options.add_argument("--torch-index", default="https://download.pytorch.org/whl/cpu", help="where it is looked for, too")
    options.add_argument("--python", nargs="*", default=PYTHONS, help="versions of Python")
    given = options.parse_args()
    wheel, sources = build()
    if found := faults(wheel, sources):
        sys.exit("\n".join(found))
    print(f"{wheel.name}, {sources.name}: complete, and read by twine", flush=True)
    for version in given.python:
        print(f"Python {version}: {tried(version, wheel, [given.torch, '--extra-index-url', given.torch_index])}", flush=True)


def tried(version: str, wheel: Path, torch: list[str]) -> str:
    """What came of a version of Python, in a few words."""
    python = interpreter(version)
    if python is None:
        return "skipped, there is none on this machine"
    there = environment(python, version, torch)
    if there is None:
        return f"skipped, {torch[0]} cannot be had for it"
    run(there, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", wheel)
    with tempfile.TemporaryDirectory() as outside:
        shutil.copy(ROOT / "release" / "smoke.py", outside)
        run(there, "smoke.py", cwd=Path(outside))
        run(there, "-m", "tritonflow", "--doctor", cwd=Path(outside))
    shutil.rmtree(BUILD / version)  # torch is large
    return "installed from the wheel; trained, compiled, saved and ran a kernel"


if __name__ == "__main__":
    main()

"""What was carried to the machine beside the sources: packages that it lacks, packed by `make gpu-bundle`."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import tarfile
from pathlib import Path

PACKED = Path("build/gpu-site.tar.xz")


def unpack(state: Path) -> None:
    """Unpack the packages that the machine has not got itself into `site`, which is on the path of all processes."""
    site = state / "site"
    if site.exists() or not PACKED.exists():
        return
    partial = state / "site.part"
    with tarfile.open(PACKED) as tar:
        members = [member for member in tar if _is_wanted(member.name)]
        for member in members:
            member.name = member.name.partition("/")[2]
        tar.extractall(partial, [member for member in members if member.name], filter="data")
    partial.replace(site)


def _is_wanted(path: str) -> bool:
    """Whether a file of `site/` belongs to a module, or to the description of a package, that the machine has not."""
    top = path.split("/")[1] if "/" in path else ""
    if top.endswith(".dist-info"):
        return not any(importlib.metadata.distributions(name=top.partition("-")[0]))
    try:
        return bool(top) and importlib.util.find_spec(top.partition(".")[0]) is None
    except (ImportError, ValueError):
        return True


def mend_link() -> None:
    """tritonflow/kernels is a link to kernels/; a copy of the tree may have a file in its stead."""
    link = Path("tritonflow/kernels")
    if not link.is_dir():
        link.unlink(missing_ok=True)
        link.symlink_to("../kernels")

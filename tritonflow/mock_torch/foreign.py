"""Which packages are loaded for foreign programs once more, with tritonflow as their torch, and which are shared."""

from __future__ import annotations

import functools
import importlib.util
import os
import re
import sys
import sysconfig
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec
from pathlib import Path

TORCH = "torch"
# Shared by all. Some of these ask whether torch is there, in corners that no program for torch needs.
_SHARED = frozenset({
    "IPython", "PIL", "_pytest", "cffi", "cupy", "cv2", "cython", "dill", "fsspec", "google", "h5py", "hypothesis", "jax", "jaxlib",
    "jinja2", "joblib", "llvmlite", "matplotlib", "mpl_toolkits", "mpmath", "mypy", "networkx", "numba", "numpy", "pandas",
    "pip", "pkg_resources", "pluggy", "plotly", "polars", "psutil", "pyarrow", "pydantic", "pydantic_core", "pytest", "scipy",
    "sentencepiece", "setuptools", "sklearn", "skimage", "sympy", "tensorflow", "tokenizers", "torchgen", "triton", "tritonflow",
    "xarray", "yaml", "zmq",
})  # fmt: skip
_USES_TORCH = re.compile(rb"^\s*(?:import|from)\s+torch\b|[\"']torch[\"'.]", re.MULTILINE)


def is_torch(name: str) -> bool:
    """Whether a full name is torch's, or of a module of it."""
    return name == TORCH or name.startswith("torch.")


_decided: dict[str, bool] = {}


def is_foreign(root: str) -> bool:
    """Whether a top-level package or module is foreign: a program's own, or an installed package that uses torch."""
    found = _decided.get(root)
    if found is not None:
        return found
    if root in _SHARED or root in sys.stdlib_module_names or root in sys.builtin_module_names:
        return False
    spec = _find(root)
    if spec is None:  # it may come later: sys.path grows
        return False
    _decided[root] = _is_foreign(spec)
    return _decided[root]


def _is_foreign(spec: ModuleSpec) -> bool:
    if not _is_python(spec):
        return False
    folders = [Path(folder) for folder in spec.submodule_search_locations or ()]
    files = [Path(spec.origin)] if spec.origin and not folders else []
    if not any(_is_installed(path) for path in (*folders, *files)):
        return True
    return any(_uses_torch(file) for folder in folders for file in folder.rglob("*.py")) or any(map(_uses_torch, files))


def _find(root: str) -> ModuleSpec | None:
    try:
        return importlib.util.find_spec(root)
    except (ImportError, ValueError):  # ValueError: a module that was made by hand
        return None


def _is_python(spec: ModuleSpec) -> bool:
    """Whether it is read from Python files: not frozen, not an extension."""
    if spec.submodule_search_locations is not None:
        return True
    return bool(spec.has_location) and not str(spec.origin).endswith(tuple(EXTENSION_SUFFIXES))


@functools.cache
def _installed_folders() -> tuple[str, ...]:
    paths = sysconfig.get_paths()
    return tuple({os.path.realpath(paths[key]) for key in ("purelib", "platlib", "stdlib", "platstdlib")})


def _is_installed(path: Path) -> bool:
    real = os.path.realpath(path)
    if "site-packages" in real or "dist-packages" in real or real.startswith(_installed_folders()):
        return True
    return _has_distributions(path.parent)


@functools.cache
def _has_distributions(folder: Path) -> bool:
    """Whether packages were installed into this folder, as `pip install --target` does."""
    return next(folder.glob("*.dist-info"), None) is not None


def _uses_torch(file: Path) -> bool:
    try:
        return _USES_TORCH.search(file.read_bytes()) is not None
    except OSError:
        return False

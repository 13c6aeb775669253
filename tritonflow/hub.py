"""`flow.hub`: entry points of folders with a `hubconf.py`, and files of weights from addresses.

Source: torch.hub. A hubconf that says `import torch` gets tritonflow (`flow.mock_torch`).
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import shutil
import sys
import tempfile
import urllib.parse
import urllib.request
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from tritonflow.errors import ArgumentValueError, InvalidArgumentError
from tritonflow.mock_torch.facades import install_facades
from tritonflow.mock_torch.importer import importer
from tritonflow.serialization import load as load_file

__all__ = ["download_url_to_file", "get_dir", "help", "list", "load", "load_state_dict_from_url", "set_dir"]

_HASH = re.compile(r"-([a-f0-9]*)\.")
_chosen: str | None = None


def get_dir() -> str:
    """Where downloads are stored: what `set_dir` chose, else `$TORCH_HOME/hub`, else `~/.cache/torch/hub`."""
    if _chosen is not None:
        return _chosen
    cache = os.environ.get("XDG_CACHE_HOME", "~/.cache")
    return os.path.join(os.path.expanduser(os.environ.get("TORCH_HOME", os.path.join(cache, "torch"))), "hub")


def set_dir(d: str | os.PathLike[str]) -> None:
    """Choose where downloads are stored."""
    global _chosen
    _chosen = os.path.expanduser(os.fspath(d))


def load(
    repo_or_dir: str,
    model: str,
    *args: Any,
    source: str = "github",
    trust_repo: Any = None,
    force_reload: bool = False,
    verbose: bool = True,
    skip_validation: bool = False,
    **kwargs: Any,
) -> Any:
    """Call an entry point of a `hubconf.py`. Its code is run: only for sources that you trust.

    Args:
        repo_or_dir: "owner/name" or "owner/name:branch" on GitHub, or with `source="local"` a folder.
        model: the name of a function in `hubconf.py`; `args` and `kwargs` are given to it.
        trust_repo: True says that code may be downloaded and run; a repository that is stored already needs none.
        force_reload: whether a repository that is stored is downloaded again.

    Raises:
        ValueError: another source than "github" and "local"; a repository that is not trusted.
        RuntimeError: no such entry point; a package that `hubconf.py` depends on is not installed.
    """
    return _entry(_hubconf(repo_or_dir, source, trust_repo, force_reload, verbose), model)(*args, **kwargs)


def list(
    github: str, force_reload: bool = False, skip_validation: bool = False, trust_repo: Any = None, verbose: bool = True,
    source: str = "github",
) -> Any:  # fmt: skip
    """The names of the entry points of a repository, or of a folder with `source="local"`."""
    module = _hubconf(github, source, trust_repo, force_reload, verbose)
    return [name for name, value in vars(module).items() if callable(value) and not name.startswith("_")]


def help(
    github: str, model: str, force_reload: bool = False, skip_validation: bool = False, trust_repo: Any = None,
    source: str = "github",
) -> str | None:  # fmt: skip
    """The docstring of an entry point."""
    return _entry(_hubconf(github, source, trust_repo, force_reload, True), model).__doc__


def _hubconf(repo: str, source: str, trust: Any, reload: bool, verbose: bool) -> ModuleType:
    if source not in ("github", "local"):
        raise ArgumentValueError(f'Unknown source: "{source}". Allowed values: "github" | "local".')
    folder = Path(repo) if source == "local" else _repository(repo, trust, reload, verbose)
    file = folder / "hubconf.py"
    if not file.is_file():
        raise FileNotFoundError(f"hub: there is no {file}")
    install_facades(importer)
    spec = importlib.util.spec_from_file_location("hubconf", file)
    assert spec is not None and spec.loader is not None
    module = importer.module_of(spec)
    sys.path.insert(0, str(folder))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(folder))
    lacking = [name for name in getattr(module, "dependencies", ()) if _absent(name)]
    if lacking:
        raise InvalidArgumentError(f"Missing dependencies: {', '.join(lacking)}")
    return module


def _absent(name: str) -> bool:
    return name != "torch" and importlib.util.find_spec(name) is None


def _entry(module: ModuleType, name: str) -> Callable[..., Any]:
    function = getattr(module, name, None)
    if not callable(function):
        raise InvalidArgumentError(f"Cannot find callable {name} in hubconf")
    return function  # type: ignore[no-any-return]


def _repository(repo: str, trust: Any, reload: bool, verbose: bool) -> Path:
    """The folder with the sources of "owner/name:branch", which are downloaded if they are not there."""
    path, _, branch = repo.partition(":")
    if path.count("/") != 1:
        raise ArgumentValueError(f"hub: expected 'owner/name' or 'owner/name:branch', but got {repo!r}")
    branch = branch or "main"
    folder = Path(get_dir()) / f"{path}_{branch}".replace("/", "_")
    if folder.is_dir() and not reload:
        if verbose:
            print(f"Using cache found in {folder}", file=sys.stderr)
        return folder
    if trust is not True and trust != "check":
        raise ArgumentValueError(
            f"hub: {repo!r} would be downloaded and run; help: trust_repo=True says that you trust it"
        )
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as place:
        archive = os.path.join(place, "sources.zip")
        download_url_to_file(f"https://github.com/{path}/zipball/{branch}", archive, progress=False)
        with zipfile.ZipFile(archive) as sources:
            sources.extractall(place)
        (top,) = [each for each in Path(place).iterdir() if each.is_dir()]
        shutil.rmtree(folder, ignore_errors=True)
        shutil.move(str(top), folder)
    return folder


def download_url_to_file(url: str, dst: str, hash_prefix: str | None = None, progress: bool = True) -> None:
    """Download a file. It is written beside its name first, so that a broken download leaves nothing.

    Args:
        hash_prefix: what the file's SHA-256 has to begin with.
        progress: accepted; nothing is drawn.

    Raises:
        RuntimeError: the file's hash is another one.
    """
    request = urllib.request.Request(url, headers={"User-Agent": "tritonflow.hub"})
    digest, part = hashlib.sha256(), f"{os.path.expanduser(dst)}.{os.getpid()}.partial"
    try:
        with urllib.request.urlopen(request) as answer, open(part, "wb") as file:
            while chunk := answer.read(1 << 20):
                digest.update(chunk)
                file.write(chunk)
        if hash_prefix and not digest.hexdigest().startswith(hash_prefix):
            raise InvalidArgumentError(f'invalid hash value (expected "{hash_prefix}", got "{digest.hexdigest()}")')
        os.replace(part, os.path.expanduser(dst))
    finally:
        if os.path.exists(part):
            os.remove(part)


def load_state_dict_from_url(
    url: str,
    model_dir: str | None = None,
    map_location: Any = None,
    progress: bool = True,
    check_hash: bool = False,
    file_name: str | None = None,
    weights_only: bool = False,
) -> Any:
    """Download a file of weights, unless it is stored already, and load it with `flow.load`.

    Args:
        url: its address; "file:" addresses are read as well.
        model_dir: where it is stored; by default `get_dir()/checkpoints`.
        map_location: as of `flow.load`.
        check_hash: whether the file's name ends with the beginning of its SHA-256, as in `resnet18-f37072fd.pth`.
        file_name: its name on disk.
        weights_only: accepted; nothing in a file is ever run.
    """
    folder = Path(model_dir or os.path.join(get_dir(), "checkpoints"))
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / (file_name or os.path.basename(urllib.parse.urlparse(url).path))
    if not path.exists():
        match = _HASH.search(path.name) if check_hash else None
        if check_hash and match is None:
            warnings.warn(f"hub: {path.name} has no hash in its name; its contents are not checked", stacklevel=2)
        print(f'Downloading: "{url}" to {path}', file=sys.stderr)
        download_url_to_file(url, str(path), match[1] if match else None, progress)
    return load_file(path, map_location)

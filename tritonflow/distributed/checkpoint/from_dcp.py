"""Checkpoints of torch's own format, which are pickles, as ours: `python -m tritonflow from_dcp SOURCE TARGET`."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import uuid
from pathlib import Path
from typing import Any

from tritonflow import _C
from tritonflow.distributed.checkpoint import files, hugging_face
from tritonflow.distributed.checkpoint.catalog import Catalog
from tritonflow.errors import CheckpointFolderError, FileFormatError
from tritonflow.framework.tensor import Tensor
from tritonflow.serialization.load import load
from tritonflow.serialization.structure import Encoder

_READER = Path(__file__).with_name("dcp_reader.py")


def convert(source: Path, target: Path) -> None:
    """Write what `torch.distributed.checkpoint.save` saved as a checkpoint that `flow.distributed.checkpoint.load` reads.

    A process of torch reads it. Its pickles can run any code there: only for checkpoints that you trust.

    Args:
        source: the folder with `.metadata`.
        target: the new folder.

    Raises:
        CheckpointFolderError: torch cannot read it, it has objects other than tensors and plain containers, or the target exists.
    """
    if not (source / ".metadata").is_file():
        raise CheckpointFolderError(f"{str(source)!r} is no checkpoint of torch's own format: it has no .metadata")
    if target.exists():
        raise CheckpointFolderError(f"{str(target)!r} exists already")
    target = target.absolute()
    temporary = files.temporary_of(target, uuid.uuid4().hex[:12])
    temporary.mkdir(parents=True)
    try:
        with tempfile.TemporaryDirectory() as folder:
            rest = Path(folder) / "rest.pt"
            command = [sys.executable, str(_READER), str(source), str(temporary), str(rest)]
            ran = subprocess.run(command, capture_output=True, text=True)
            if ran.returncode:
                raise CheckpointFolderError(f"torch cannot read {str(source)!r}: {(ran.stderr.strip().splitlines() or ['?'])[-1]}")
            _write_catalog(temporary, _loaded(rest))
        files.publish(temporary, target)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _loaded(rest: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = load(rest)
    except FileFormatError as error:
        raise CheckpointFolderError(f"objects other than tensors and plain containers are in it: {error.reason}") from error
    return found


def _write_catalog(folder: Path, rest: dict[str, Any]) -> None:
    """Add to the files of tensors what makes them a checkpoint.

    Raises:
        CheckpointFolderError: a value has tensors inside.
    """
    tensors = hugging_face.read_catalog(folder).tensors if any(folder.iterdir()) else {}
    stand_in = _C.zeros((0,))

    def add(tensor: Tensor, path: str) -> str:
        if tensor is not stand_in or path not in tensors:
            raise CheckpointFolderError(f"{path!r} has tensors in a value that torch has pickled")
        return path

    state: dict[str, Any] = {}
    for name, path in rest["paths"].items():
        _set(state, path, rest["values"].get(name, stand_in))
    tree = Encoder(add, allow_pickle=False).encode(_plain(state))
    written = {path.name: files.digest_of(path) for path in sorted(folder.iterdir())}
    files.write_text(folder / hugging_face.INDEX, hugging_face.weight_map(tensors))
    Catalog(tree, tensors, written).write(folder)


def _set(state: dict[Any, Any], path: list[Any], value: Any) -> None:
    """Put a value where a path leads: numbers are of lists, which are dicts here."""
    for key in path[:-1]:
        state = state.setdefault(key, {})
    state[path[-1]] = value


def _plain(node: Any) -> Any:
    """A state whose dicts by numbers are lists. The states of an optimizer have numbers of parameters for keys, as ours have."""
    if type(node) is not dict:
        return node
    made = {key: _plain(value) for key, value in node.items()}
    if made and all(type(key) is int for key in made):
        return [made[key] for key in sorted(made)]
    if "param_groups" in made and isinstance(made.get("state"), dict):
        made["state"] = {int(key) if key.isdigit() else key: value for key, value in made["state"].items()}
    return made

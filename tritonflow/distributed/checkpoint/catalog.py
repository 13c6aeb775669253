"""The catalog of a checkpoint, `tritonflow.json`: what each tensor is, which files have its pieces, and all that is no tensor.

    {"version": 1,
     "tree": {"model": {"weight": {"$tensor": "model.weight"}}, "step": 100},
     "tensors": {"model.weight": {"dtype": "float32", "shape": [10, 3], "pieces": [["shard-00001-...", [[0, 5], [0, 3]]]]}},
     "files": {"shard-00001-model-00001-of-00001.safetensors": {"size": 184, "sha256": "..."}},
     "sha256": "..."}

The tree is as `flow.save` has it (`serialization/structure.py`). A folder of another program has no such file: its catalog is made
of the headers of its safetensors files, and has no tree (`hugging_face.py`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from tritonflow.boxing.pieces import box_numel
from tritonflow.distributed.checkpoint import files
from tritonflow.distributed.checkpoint.files import WrittenFile
from tritonflow.dtypes import from_name
from tritonflow.errors import CheckpointFolderError
from tritonflow.framework.meta import numel_of
from tritonflow.framework.shards import Box, Shape
from tritonflow.serialization.structure import to_json

NAME = "tritonflow.json"
VERSION = 1


class SavedPiece(NamedTuple):
    """A box of a tensor, and the file that has it under the tensor's name."""

    file: str
    box: Box


class StoredName(NamedTuple):
    """A tensor of a checkpoint.

    Attributes:
        dtype: its name.
        shape: of the whole tensor.
        pieces: boxes that together have each element once.
    """

    dtype: str
    shape: Shape
    pieces: tuple[SavedPiece, ...]

    @property
    def nbytes(self) -> int:
        """Of the whole tensor."""
        return numel_of(self.shape) * from_name(self.dtype).itemsize


class Catalog(NamedTuple):
    """What a checkpoint has.

    Attributes:
        tree: everything that is no tensor, with a reference where one stands; None of a folder of another program.
        tensors: by name.
        files: sizes and digests; empty of a folder of another program.
    """

    tree: Any
    tensors: dict[str, StoredName]
    files: dict[str, WrittenFile]

    def write(self, folder: Path) -> None:
        """Write it to a folder, and wait until it is on the disk."""
        tensors = {
            name: {"dtype": each.dtype, "shape": each.shape, "pieces": each.pieces} for name, each in self.tensors.items()
        }
        record = {
            "version": VERSION,
            "tree": self.tree,
            "tensors": tensors,
            "files": {name: file._asdict() for name, file in self.files.items()},
        }
        files.write_text(folder / NAME, to_json({**record, "sha256": _digest(record)}))

    @staticmethod
    def read(folder: Path) -> Catalog:
        """The one that a folder has.

        Raises:
            CheckpointFolderError: it is damaged, or from a newer version; a file of it is missing or has another size.
        """
        try:
            record = json.loads((folder / NAME).read_bytes())
            if record["version"] > VERSION:
                raise CheckpointFolderError(f"{str(folder)!r} has version {record['version']}; this program reads {VERSION}")
            if record.pop("sha256") != _digest(record):
                raise ValueError("its bytes are not those that were written")
            tensors = {name: _tensor(each) for name, each in record["tensors"].items()}
            catalog = Catalog(record["tree"], tensors, {name: WrittenFile(**each) for name, each in record["files"].items()})
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise CheckpointFolderError(f"{str(folder / NAME)!r} is damaged: {type(error).__name__}: {error}") from error
        catalog._require_files(folder)
        require_whole(folder, catalog.tensors)
        return catalog

    def _require_files(self, folder: Path) -> None:
        used = {piece.file for tensor in self.tensors.values() for piece in tensor.pieces}
        wrong = [f"{name} is not among its files" for name in sorted(used - self.files.keys())]
        for name, file in self.files.items():
            path = folder / name
            if Path(name).name != name or not path.is_file():
                wrong.append(f"{name} is missing")
            elif path.stat().st_size != file.size:
                wrong.append(f"{name} has {path.stat().st_size} bytes, not {file.size}")
        if wrong:
            raise CheckpointFolderError(f"the checkpoint {str(folder)!r} is not complete: " + "; ".join(wrong))

    def require_digest(self, folder: Path, name: str) -> None:
        """Read a file, and compare it with its digest.

        Raises:
            CheckpointFolderError: it has other bytes than when it was written.
        """
        if files.digest_of(folder / name) != self.files[name]:
            raise CheckpointFolderError(f"{str(folder / name)!r} is damaged: its bytes are not those that were written")


def _digest(record: Mapping[str, Any]) -> str:
    return sha256(to_json(record).encode()).hexdigest()


def _tensor(record: Mapping[str, Any]) -> StoredName:
    pieces = [SavedPiece(str(file), tuple([(int(a), int(b)) for a, b in box])) for file, box in record["pieces"]]
    return StoredName(from_name(record["dtype"]).name, tuple(map(int, record["shape"])), tuple(pieces))


def require_whole(folder: Path, tensors: Mapping[str, StoredName]) -> None:
    """Refuse tensors of which some elements are in no file, or in two.

    Raises:
        CheckpointFolderError: there are such.
    """
    wrong = [name for name, each in tensors.items() if sum(box_numel(p.box) for p in each.pieces) != numel_of(each.shape)]
    if wrong:
        raise CheckpointFolderError(f"the checkpoint {str(folder)!r} does not have all elements of {', '.join(wrong[:10])}")

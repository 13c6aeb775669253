"""Loading: every rank reads the slices that it has of each tensor, whatever ranks and layout they were saved by.

1. Rank 0 reads the catalog, and tells it to all. Each rank compares it with its state; what does not fit is one error on all ranks.
2. The files are compared with their digests, each by one rank. Until then nothing is changed.
3. Each rank reads slices into its own pieces. Nothing is gathered, and no more than a slice is in memory beside them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from safetensors import safe_open

from tritonflow import _C
from tritonflow.binding import data_exchange
from tritonflow.device.device import Device
from tritonflow.distributed.checkpoint import catalog as catalogs
from tritonflow.distributed.checkpoint import files, hugging_face, remote
from tritonflow.distributed.checkpoint.catalog import Catalog
from tritonflow.distributed.checkpoint.fit import Fit, TensorName
from tritonflow.distributed.checkpoint.plan import agreed
from tritonflow.distributed.checkpoint.save import Folder
from tritonflow.distributed.checkpoint.state_dict import is_optimizer, set_model_state_dict
from tritonflow.dtypes import from_name
from tritonflow.errors import CheckpointFolderError
from tritonflow.execution.transfer import allocate
from tritonflow.framework.consistent_meta import ConsistentTensorMeta
from tritonflow.framework.meta import contiguous_meta
from tritonflow.framework.shards import intersection
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.grad_mode import no_grad
from tritonflow.interpreter.shard import from_local, local_shard
from tritonflow.wire.world import this_rank

_WHAT = "checkpoint.load"


def load(state_dict: Mapping[str, Any], *, checkpoint_id: Folder, strict: bool = True) -> None:
    """Load a checkpoint into a state, in place. Every rank of the world calls this.

    The number of ranks, placements and sbp may be others than when it was saved: each rank reads the slices that it has.
    Floating dtypes may be others as well. The folder may also be of Hugging Face or of torch's `HuggingFaceStorageWriter`, which
    has the names of tensors only.

    What the state does not ask for at all is not read, such as "optimizer" for `{"model": model}`.

    Args:
        state_dict: as of `save`. Tensors are written in place, other values are replaced in their dict or list. A module or another
            object with `load_state_dict` is given what was saved of it.
        checkpoint_id: the folder, or the URL of one that fsspec reaches.
        strict: whether names that only one side has are errors. Without, they are left alone.

    Raises:
        CheckpointFolderError: on all ranks, if on any: the folder is no checkpoint, or is damaged; names are missing or left over,
            shapes or dtypes differ, all of which the text has. Nothing is changed then.

    Source: torch.distributed.checkpoint.load.

    Example:
        >>> import tempfile, tritonflow as flow
        >>> folder = tempfile.mkdtemp() + "/weights"
        >>> flow.distributed.checkpoint.save({"w": flow.ones(2, 2)}, checkpoint_id=folder)
        >>> w = flow.zeros(2, 2, placement=flow.placement("cpu", [0]), sbp=flow.sbp.split(1))
        >>> flow.distributed.checkpoint.load({"w": w}, checkpoint_id=folder)
        >>> w.tolist()
        [[1.0, 1.0], [1.0, 1.0]]
    """
    load_names(state_dict, checkpoint_id, missing=strict, left_over=strict)


def load_names(state_dict: Mapping[str, Any], checkpoint_id: Folder, *, missing: bool, left_over: bool) -> None:
    """As `load`, which says separately whether names that only the state has, or only the checkpoint, are errors."""
    with remote.fetched(checkpoint_id) as local, ExitStack() as opened:
        found: Any = agreed(lambda: _found(local) if this_rank().index == 0 else None, _WHAT)[0]
        folder, catalog = found
        fits: list[Fit] = []
        agreed(lambda: fits.append(Fit(state_dict, catalog, folder, missing, left_over)), _WHAT)
        agreed(lambda: _verify(folder, catalog), _WHAT)
        agreed(lambda: _fill(fits[0], _SliceReader(folder, catalog, opened)), _WHAT)


def _found(checkpoint_id: Folder) -> tuple[Path, Catalog]:
    """Where a checkpoint is, and what it has.

    Raises:
        CheckpointFolderError: it is none.
    """
    folder = files.existing(Path(os.fspath(checkpoint_id)).absolute())
    if not folder.is_dir():
        raise CheckpointFolderError(f"{str(folder)!r} is no checkpoint: there is no such folder")
    if (folder / catalogs.NAME).is_file():
        return folder, Catalog.read(folder)
    if (folder / ".metadata").is_file():
        raise CheckpointFolderError(
            f"{str(folder)!r} is a checkpoint of torch's own format, a pickle."
            f" help: `python -m tritonflow from_dcp {folder} NEW_FOLDER` converts it"
        )
    return folder, hugging_face.read_catalog(folder)


def _verify(folder: Path, catalog: Catalog) -> None:
    """Compare the files that this rank is dealt with their digests."""
    rank = this_rank()
    for name in sorted(catalog.files)[rank.index :: rank.world_size]:
        catalog.require_digest(folder, name)


def _fill(fit: Fit, read: _SliceReader) -> None:
    """Parts first: one that refuses what was saved leaves the rest as it was."""
    with no_grad():
        for part, saved in fit.parts:
            part.load_state_dict(_of_optimizer(part, saved, read) if is_optimizer(part) else _filled(saved, read.local))
        for name, tensor in fit.tensors.items():
            read.into(tensor, name)
    for leaf, value in fit.values:
        leaf.container[leaf.key] = value
    for module, state in fit.modules:
        set_model_state_dict(module, state)


class _SliceReader:
    """Reads slices of a checkpoint's tensors.

    Args:
        folder, catalog: the checkpoint.
        opened: closes the files.
    """

    def __init__(self, folder: Path, catalog: Catalog, opened: ExitStack) -> None:
        self._folder, self._catalog, self._opened = folder, catalog, opened
        self._files: dict[str, Any] = {}

    def into(self, target: Tensor, name: str) -> None:
        """Write a saved tensor over one of its shape: on each rank over what it has of it."""
        meta: Any = target.meta
        whole = tuple([(0, n) for n in meta.shape])
        box, shard = (whole, target) if meta.is_local else (meta.box, local_shard(target))
        if box is None:
            return
        for piece in self._catalog.tensors[name].pieces:
            common = intersection(box, piece.box)
            if common is not None:
                there = tuple([slice(a - at, b - at) for (a, b), (at, _) in zip(common, piece.box)])
                here = tuple([slice(a - at, b - at) for (a, b), (at, _) in zip(common, box)])
                slices = self._file(piece.file).get_slice(name)[there]
                _C.copy_(shard[here] if here else shard, data_exchange.from_torch(slices))

    def _file(self, name: str) -> Any:
        found = self._files.get(name)
        if found is None:
            found = self._files[name] = self._opened.enter_context(safe_open(self._folder / name, framework="pt"))
        return found

    def local(self, name: str) -> Tensor:
        """A saved tensor as a whole, in host memory."""
        saved = self._catalog.tensors[name]
        return self._new(allocate(contiguous_meta(saved.shape, from_name(saved.dtype), Device("cpu"))), name)

    def like(self, other: Tensor, name: str) -> Tensor:
        """A saved tensor that lies over ranks as another one does, if that has its shape; otherwise a local one."""
        saved, meta = self._catalog.tensors[name], other.meta
        if meta.is_local or meta.shape != saved.shape:
            return self.local(name)
        new = ConsistentTensorMeta.get(saved.shape, from_name(saved.dtype), meta.placement, meta.sbp)
        return self._new(from_local(allocate(new.local), new), name)

    def _new(self, x: Tensor, name: str) -> Tensor:
        self.into(x, name)
        return x


def _filled(saved: Any, tensor_of: Callable[[str], Tensor]) -> Any:
    """A saved structure with tensors in place of their names."""
    if isinstance(saved, TensorName):
        return tensor_of(saved)
    if isinstance(saved, dict):
        return type(saved)({key: _filled(value, tensor_of) for key, value in saved.items()})
    return type(saved)([_filled(value, tensor_of) for value in saved]) if isinstance(saved, (list, tuple)) else saved


def _of_optimizer(optimizer: Any, saved: Any, read: _SliceReader) -> dict[str, Any]:
    """The state of an optimizer. That of a parameter is read when it is asked for, and lies over ranks as the parameter does."""
    groups = zip(saved["param_groups"], optimizer.param_groups)
    tensors = {number: p for old, own in groups for number, p in zip(old["params"], own["params"])}
    return {**saved, "state": _StatesOnDemand(saved["state"], tensors, read)}


class _StatesOnDemand(Mapping[Any, Any]):
    """The states of an optimizer's parameters by number, each of which is read when it is asked for."""

    def __init__(self, saved: Mapping[Any, Any], parameters: Mapping[Any, Tensor], read: _SliceReader) -> None:
        self._saved, self._parameters, self._read = saved, parameters, read

    def __getitem__(self, number: Any) -> Any:
        p = self._parameters.get(number)
        return _filled(self._saved[number], self._read.local if p is None else lambda name: self._read.like(p, name))

    def __iter__(self) -> Iterator[Any]:
        return iter(self._saved)

    def __len__(self) -> int:
        return len(self._saved)

"""Saving: every rank writes its boxes, and rank 0 makes the folder visible when all have written.

1. The ranks compare what they save, and compute who writes what (`plan.py`). Pieces are copied to host memory.
2. A thread of each rank writes its shard to a temporary folder, waits until it is on the disk, and posts the digest on a board.
3. The thread of rank 0 waits for all digests, writes both indexes, and renames the folder. Then it says on the board that it has.
"""

from __future__ import annotations

import json
import os
import shutil
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future, wait
from hashlib import blake2b
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

from tritonflow import _C
from tritonflow.binding import data_exchange
from tritonflow.distributed.checkpoint import files, hugging_face, remote
from tritonflow.distributed.checkpoint.catalog import NAME, Catalog, SavedPiece, StoredName
from tritonflow.distributed.checkpoint.files import StoredTensor, WrittenFile
from tritonflow.distributed.checkpoint.plan import SavedBox, SavedTensor, agreed, deal, holders_of
from tritonflow.distributed.checkpoint.state_dict import states_of
from tritonflow.errors import CheckpointFolderError
from tritonflow.framework.shards import Box, box_shape
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.grad_mode import no_grad
from tritonflow.interpreter.shard import local_shard
from tritonflow.serialization.structure import Encoder, to_json
from tritonflow.wire.board import Board
from tritonflow.wire.world import rank_local, this_rank

Folder = str | os.PathLike[str]


def save(
    state_dict: Mapping[str, Any], *, checkpoint_id: Folder, consolidate: bool = False, upload: str | None = None
) -> None:
    """Save a state: each rank writes what it has of it. Every rank of the world calls this, and it returns when all is on the disk.

    A global tensor is written in pieces, each box of it by one rank that has it. A local tensor or a value is taken to be the
    same on all ranks: the lowest rank that saves it writes it. The folder is visible when it is complete; one of this name is
    replaced then, and whole until then. No rank has more than its own pieces in memory.

    Files:
        shard-00001-model-00001-of-00001.safetensors: of each rank that writes something, with what torch's readers ask for.
        model.safetensors.index.json: which file has which tensor, as Hugging Face has it.
        tritonflow.json: pieces of tensors, everything else of the state, and the files' digests. Nothing is pickled.

    Args:
        state_dict: nested dicts and lists of tensors, numbers, texts and the like. A value may be an object with `state_dict`,
            such as a module, an optimizer or a sampler.
        checkpoint_id: the folder, which all ranks see.
        consolidate: whether the folder gets another one, `consolidated`, behind the commit: whole tensors in as few files as
            Hugging Face's libraries expect. The files are dealt out to the ranks, which write them tensor by tensor.
        upload: the URL of a folder that fsspec reaches, such as "s3://bucket/run/100", to which the complete checkpoint is copied.

    Raises:
        CheckpointFolderError: on all ranks, if on any: ranks save to different folders, tensors of one name differ, an object of
            another kind, a partial tensor; a file could not be written. The checkpoint that was there is untouched.

    Source: torch.distributed.checkpoint.save.

    Example:
        >>> import tempfile, tritonflow as flow
        >>> folder = tempfile.mkdtemp() + "/step_100"
        >>> model = flow.nn.Linear(2, 1)
        >>> flow.distributed.checkpoint.save({"model": model, "step": 100}, checkpoint_id=folder)
        >>> state = {"model": flow.nn.Linear(2, 1), "step": 0}
        >>> flow.distributed.checkpoint.load(state, checkpoint_id=folder)
        >>> state["step"], bool((state["model"].weight == model.weight).all())
        (100, True)
    """
    async_save(state_dict, checkpoint_id=checkpoint_id, consolidate=consolidate, upload=upload).result()


def async_save(
    state_dict: Mapping[str, Any], *, checkpoint_id: Folder, consolidate: bool = False, upload: str | None = None
) -> Future[None]:
    """As `save`, but it returns when this rank's pieces are copied to host memory: training goes on while a thread writes.

    One save is on its way at a time: the next one waits for it.

    Args:
        state_dict, checkpoint_id, consolidate, upload: as of `save`.

    Returns:
        What is done when all that was asked for is on the disk and uploaded; its `result()` raises as `save` does.

    Raises:
        CheckpointFolderError: as `save` does, for what can be said before anything is written.

    Source: torch.distributed.checkpoint.async_save.

    Example:
        >>> import tempfile, tritonflow as flow
        >>> folder = tempfile.mkdtemp() + "/step_100"
        >>> saving = flow.distributed.checkpoint.async_save({"w": flow.ones(2)}, checkpoint_id=folder)
        >>> saving.result()
    """
    return begin(state_dict, checkpoint_id, consolidate, upload, None)


def begin(
    state_dict: Mapping[str, Any], checkpoint_id: Folder, consolidate: bool, upload: str | None, then: Callable[[], None] | None
) -> Future[None]:
    """As `async_save`; `then` is called in the thread of rank 0, behind all else."""
    before: Future[None] | None = rank_local().get(async_save)
    if before is not None:
        wait([before])
    job, done = _prepared(state_dict, checkpoint_id, consolidate, upload, then), Future[None]()
    rank_local()[async_save] = done
    Thread(target=_run, args=(job, done), name=f"tritonflow checkpoint of rank {job.rank}").start()
    return done


def _run(job: _Job, done: Future[None]) -> None:
    """What the thread does."""
    try:
        done.set_result(job.run())
    except BaseException as error:
        done.set_exception(error)


# --------------------------------------------------------------------------------------------------- in the program


class _StateToSave(NamedTuple):
    """What a rank is about to save."""

    folder: str
    tree: Any
    tensors: dict[str, Tensor]
    metas: list[SavedTensor]


class _Told(NamedTuple):
    """What the ranks compare: the folder, the temporary one (rank 0's counts), and a digest of all names and metas."""

    folder: str
    token: str
    digest: str


def _prepared(
    state_dict: Mapping[str, Any], checkpoint_id: Folder, consolidate: bool, upload: str | None, then: Callable[[], None] | None
) -> _Job:
    states: list[_StateToSave] = []

    def look() -> _Told:
        states.append(_state(state_dict, checkpoint_id))
        digest = blake2b(repr([states[0].metas, _shape_of(states[0].tree)]).encode(), digest_size=16)
        return _Told(states[0].folder, uuid.uuid4().hex[:12], digest.hexdigest())

    told = agreed(look, "checkpoint.save")
    state, world = states[0], this_rank().world_size
    _require_one_folder(told)
    if len({each.digest for each in told}) == 1:
        holders, trees = {meta: tuple(range(world)) for meta in state.metas}, [state.tree]
    else:
        lists = agreed(lambda: (state.metas, state.tree), "checkpoint.save: different names on the ranks")
        holders, trees = holders_of([metas for metas, _ in lists]), [tree for _, tree in lists]
    boxes = deal(holders)
    folder, me = Path(state.folder).absolute(), this_rank().index
    pieces, failure = _tried(lambda: _on_host(state.tensors, [box for box in boxes if box.rank == me]))
    return _Job(
        rank=me,
        folder=folder,
        temporary=files.temporary_of(folder, told[0].token),
        board=Board(f"checkpoint {told[0].token}"),
        pieces=pieces or {},
        failure=failure,
        tree=_merged(trees),
        stored=_stored(holders, boxes),
        world=world,
        consolidate=consolidate,
        upload=upload,
        then=then,
    )


def _state(state_dict: Mapping[str, Any], checkpoint_id: Folder) -> _StateToSave:
    folder = os.fspath(checkpoint_id)
    if not isinstance(folder, str) or remote.is_remote(folder):
        raise CheckpointFolderError(f"a checkpoint is saved to a local folder, not {folder!r}. help: upload={folder!r} copies it")
    tensors: dict[str, Tensor] = {}
    metas: list[SavedTensor] = []

    def add(tensor: Tensor, path: str) -> str:
        if path in tensors:
            raise CheckpointFolderError(f"two tensors of the state have the name {path!r}")
        tensors[path] = tensor
        metas.append(SavedTensor.of(path, tensor))
        files.code_of(path, tensor.dtype.name)
        return path

    tree = Encoder(add, allow_pickle=False).encode(states_of(state_dict))
    return _StateToSave(folder, tree, tensors, sorted(metas, key=lambda meta: meta.name))


def _shape_of(node: Any) -> Any:
    """What a tree has besides its values, which may differ between ranks."""
    if isinstance(node, dict):
        return {key: _shape_of(value) for key, value in node.items()}
    return [_shape_of(value) for value in node] if isinstance(node, list) else None


def _merged(trees: list[Any]) -> Any:
    """One tree of all: what several ranks have is that of the lowest."""
    first = trees[0]
    for tree in trees[1:]:
        first = _with(first, tree)
    return first


def _with(a: Any, b: Any) -> Any:
    """A tree, and what only another one has."""
    if not isinstance(a, dict) or not isinstance(b, dict):
        return a
    tag = next((key for key in ("$dict", "$ordered_dict", "$state_dict") if key in a and key in b), None)
    if tag is not None:
        own, other = [{to_json(key): (key, value) for key, value in tree[tag]} for tree in (a, b)]
        both = {**other, **{text: (key, _with(value, other.get(text, (key, value))[1])) for text, (key, value) in own.items()}}
        return {**a, tag: list(map(list, both.values()))}
    if any(key.startswith("$") for key in (*a, *b)):
        return a
    return {**b, **{key: _with(value, b.get(key, value)) for key, value in a.items()}}


def _require_one_folder(told: list[_Told]) -> None:
    for rank, each in enumerate(told):
        if each.folder != told[0].folder:
            folders = f"rank 0 to {told[0].folder!r}, rank {rank} to {each.folder!r}"
            raise CheckpointFolderError(f"ranks save to different folders: {folders}")


def _stored(tensors: Iterable[SavedTensor], boxes: list[SavedBox]) -> dict[str, StoredName]:
    """All tensors of a checkpoint, with the files of their pieces."""
    pieces: dict[str, list[SavedPiece]] = defaultdict(list)
    for name, box, rank in boxes:
        pieces[name].append(SavedPiece(shard_name(rank), box))
    return {x.name: StoredName(x.dtype, x.shape, tuple(pieces[x.name])) for x in sorted(tensors, key=lambda x: x.name)}


def _on_host(tensors: Mapping[str, Tensor], boxes: list[SavedBox]) -> dict[str, tuple[Box, Tensor]]:
    """Copies of this rank's pieces in host memory, which the pool gives to the next save again. They are done on return."""
    pieces = {}
    with no_grad():
        for box in boxes:
            x = tensors[box.name].detach()
            x = (x if x.meta.is_local else local_shard(x)).reshape(box_shape(box.box))  # shards of no elements have other shapes
            if x.device.type != "cpu":
                x = x.contiguous().to(device="cpu")
            else:
                x = _C.clone(x) if x.is_contiguous() else x.contiguous()
            pieces[box.name] = box.box, x
    for _, piece in pieces.values():
        data_exchange.read(data_exchange.with_dtype(piece, files.BITS[piece.meta.dtype.itemsize]))
    return pieces


# ------------------------------------------------------------------------------------------------------ in the thread


class _Job(NamedTuple):
    """A save of one rank, ready to be written.

    Attributes:
        rank, world: who this is, and of how many.
        folder, temporary: the checkpoint's name, and where it is written.
        board: where the ranks of this save tell each other what they have done.
        pieces: this rank's, by name, with their boxes.
        failure: what went wrong when they were copied.
        tree, stored: the state, and all its tensors with the files of their pieces.
        consolidate, upload, then: as of `begin`.
    """

    rank: int
    world: int
    folder: Path
    temporary: Path
    board: Board
    pieces: dict[str, tuple[Box, Tensor]]
    failure: Exception | None
    tree: Any
    stored: dict[str, StoredName]
    consolidate: bool
    upload: str | None
    then: Callable[[], None] | None

    def run(self) -> None:
        """Write, and wait until the checkpoint is complete.

        Raises:
            CheckpointFolderError: a rank could not write.
            RankError: a rank is gone.
        """
        self._step("write", self._write_shard, self._commit)
        if self.consolidate:
            self._step("merge", self._write_merged, self._publish_merged)
        if self.upload is not None:
            self._step("upload", self._upload_shard, self._upload_rest)
        if self.then is not None:
            self._step("tidy", self.then if self.rank == 0 else _nothing, _nothing)

    def _step(self, name: str, write: Callable[[], Any], finish: Callable[[list[Any]], None]) -> None:
        """What each rank does for itself, and what rank 0 does when all have: with what they returned."""
        wrote, failure = _tried(write)
        self.board.post(f"{name} {self.rank}", json.dumps([wrote, _text(failure)]))
        if self.rank == 0:
            keys = [f"{name} {rank}" for rank in range(self.world)]
            told = [json.loads(fact) for fact in self.board.wait(keys)]
            self.board.remove(keys)
            _, refused = _tried(lambda: self._finish(name, told, finish))
            self.board.post(f"{name}: outcome", _text(refused))
        (outcome,) = self.board.wait([f"{name}: outcome"])
        if outcome:
            raise CheckpointFolderError(outcome) from failure

    def _finish(self, name: str, told: list[Any], finish: Callable[[list[Any]], None]) -> None:
        try:
            failures = [f"rank {rank}, {name}: {failure}" for rank, (_, failure) in enumerate(told) if failure]
            if failures:
                raise CheckpointFolderError(f"cannot save {str(self.folder)!r}: " + "\n".join(failures))
            finish([wrote for wrote, _ in told])
        except BaseException:
            shutil.rmtree(self.temporary, ignore_errors=True)
            raise

    def _write_shard(self) -> WrittenFile | None:
        """This rank's file; none if it writes nothing."""
        if self.failure is not None:
            raise self.failure
        if not self.pieces:
            return None
        stored = {name: StoredTensor(files.CODES[x.dtype.name], tuple(x.shape)) for name, (_, x) in self.pieces.items()}
        offsets = {name: {"saved_offsets": [start for start, _ in box]} for name, (box, _) in self.pieces.items()}
        metadata = {"DCP_SHARDING_INFO": json.dumps(offsets), "DCP_VERSION": "1.0", "format": "pt"}
        self.temporary.mkdir(parents=True, exist_ok=True)
        data = (files.bits_of(x) for _, x in self.pieces.values())
        return files.write_safetensors(self.temporary / shard_name(self.rank), stored, data, metadata)

    def _commit(self, wrote: list[Any]) -> None:
        """Give the folder its name.

        Raises:
            CheckpointFolderError: this rank does not see a file that another one has written.
        """
        written = {shard_name(rank): WrittenFile(*file) for rank, file in enumerate(wrote) if file}
        self._require_files(written)
        self.temporary.mkdir(parents=True, exist_ok=True)
        catalog = Catalog(self.tree, self.stored, written)
        files.write_text(self.temporary / hugging_face.INDEX, hugging_face.weight_map(catalog.tensors))
        catalog.write(self.temporary)
        files.publish(self.temporary, self.folder)
        files.remove_partial(self.folder)

    def _require_files(self, written: Mapping[str, WrittenFile]) -> None:
        for name, file in written.items():
            path = self.temporary / name
            if not path.is_file() or path.stat().st_size != file.size:
                raise CheckpointFolderError(f"rank 0 does not see {str(path)!r} as it was written. help: a folder that all share")

    def _write_merged(self) -> None:
        merged = list(hugging_face.merged_files(self.stored).items())
        for file, names in merged[self.rank :: self.world]:
            hugging_face.merge(self.folder, self.stored, names, self.temporary / file)

    def _publish_merged(self, wrote: list[Any]) -> None:
        merged = hugging_face.merged_files(self.stored).items()
        index = {name: self.stored[name]._replace(pieces=(SavedPiece(file, ()),)) for file, names in merged for name in names}
        self.temporary.mkdir(parents=True, exist_ok=True)
        files.write_text(self.temporary / hugging_face.INDEX, hugging_face.weight_map(index))
        files.publish(self.temporary, self.folder / "consolidated")

    def _upload_shard(self) -> None:
        if self.pieces and self.upload is not None:
            remote.put(self.folder, shard_name(self.rank), self.upload)

    def _upload_rest(self, wrote: list[Any]) -> None:
        for name in (hugging_face.INDEX, NAME):  # the last one makes it a checkpoint
            remote.put(self.folder, name, self.upload or "")


def _tried(call: Callable[[], Any]) -> tuple[Any, Exception | None]:
    try:
        return call(), None
    except Exception as error:
        return None, error


def _text(error: Exception | None) -> str:
    """What an error says; nothing of none."""
    if error is None:
        return ""
    return str(error) if isinstance(error, CheckpointFolderError) else f"{type(error).__name__}: {error}"


def _nothing(*told: Any) -> None:
    """What there is to do for a rank that has nothing to do."""


def shard_name(rank: int) -> str:
    """The file of a rank, as torch names them."""
    return f"shard-{rank + 1:05d}-model-00001-of-00001.safetensors"

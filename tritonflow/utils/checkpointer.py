"""Checkpointer: saves a training every so many steps, and goes on where the last complete checkpoint was made."""

from __future__ import annotations

import os
import re
import shutil
from concurrent.futures import Future
from hashlib import blake2b
from pathlib import Path
from typing import Any

from tritonflow.distributed.checkpoint import files, remote
from tritonflow.distributed.checkpoint.load import load
from tritonflow.distributed.checkpoint.plan import agreed
from tritonflow.distributed.checkpoint.save import begin
from tritonflow.distributed.checkpoint.state_dict import is_part
from tritonflow.errors import ArgumentTypeError, ArgumentValueError, type_name
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.random_generator import (
    DefaultStates,
    Generator,
    default_states,
    set_default_states,
)
from tritonflow.wire.world import this_rank

_OWN = ("step", "generators")  # what a checkpoint has besides the parts
_NAME = re.compile(r"step_(\d+)")
State = tuple[int, int]


class Checkpointer:
    """Saves parts of a training every `every` steps, and resumes behind a restart.

    Parts are anything with `state_dict` and `load_state_dict`: modules, optimizers, schedulers, a GradScaler, samplers, loaders;
    also generators, tensors, and dicts of tensors, numbers and texts. The default generators belong to every checkpoint.

    On the same number of ranks training goes on with the same bits. On another number, generators of local tensors begin anew from
    (seed, rank, step).

    Args:
        folder: has a folder for each checkpoint, `step_00000100`. All ranks see it.
        every: how many steps lie between two checkpoints.
        keep: how many of the last checkpoints stay. Older ones are removed when a new one is complete on the disk.
        asynchronous: whether `save` returns when the pieces of this rank are copied to host memory.
        consolidate: whether each checkpoint is merged to whole tensors as well.
        upload: the URL of a remote folder for fsspec, to which each complete checkpoint is copied; `resume` looks there if there is
            none here.

    Raises:
        ArgumentTypeError: `every` or `keep` is no int; a part of `save` or `resume` is a value.
        ArgumentValueError: one of them is less than 1.

    Example:
        >>> import tempfile, tritonflow as flow
        >>> model = flow.nn.Linear(2, 1)
        >>> parts = {"model": model, "optimizer": flow.optim.SGD(model.parameters(), lr=0.1)}
        >>> checkpointer = flow.utils.Checkpointer(tempfile.mkdtemp(), every=2)
        >>> for step in range(checkpointer.resume(**parts), 4):
        ...     _ = checkpointer.save(step + 1, **parts)  # behind step + 1 steps
        >>> checkpointer.wait()
        >>> checkpointer.resume(**parts)
        4
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        *,
        every: int,
        keep: int = 2,
        asynchronous: bool = True,
        consolidate: bool = False,
        upload: str | None = None,
    ) -> None:
        for name, value in (("every", every), ("keep", keep)):
            if type(value) is not int:
                raise ArgumentTypeError(f"Checkpointer(): argument '{name}' must be int, not {type(value).__name__}")
            if value < 1:
                raise ArgumentValueError(f"Checkpointer(): expected at least 1 as {name}, got {value}")
        self.folder = Path(folder).absolute()
        self.every, self.keep, self.asynchronous, self.consolidate = every, keep, asynchronous, consolidate
        self.upload = upload.rstrip("/") if upload is not None else None
        self._last: Future[None] | None = None

    def save(self, step: int, **parts: Any) -> bool:
        """Save if `step` is a multiple of `every`; every rank of the world calls this.

        Args:
            step: how many steps are done.
            parts: by names, which `resume` is given again.

        Returns:
            Whether it saved.

        Raises:
            CheckpointFolderError: as of `flow.distributed.checkpoint.save`; the save before, in its thread, failed.
        """
        _check(parts)
        if step % self.every:
            return False
        self.wait()
        target = self.folder / f"step_{step:08d}"
        upload = None if self.upload is None else f"{self.upload}/{target.name}"
        self._last = begin(_state_of(step, parts), str(target), self.consolidate, upload, self._remove_older)
        if not self.asynchronous:
            self.wait()
        return True

    def wait(self) -> None:
        """Wait until the last save is complete.

        Raises:
            CheckpointFolderError: it failed.
        """
        last, self._last = self._last, None
        if last is not None:
            last.result()

    def resume(self, **parts: Any) -> int:
        """Load the last complete checkpoint into the parts; every rank of the world calls this. What killed saves left is removed.

        Returns:
            How many steps were done; 0 if there is no checkpoint.

        Raises:
            CheckpointFolderError: as of `flow.distributed.checkpoint.load`.
        """
        _check(parts)
        self.wait()
        found = agreed(lambda: self._newest() if this_rank().index == 0 else None, "Checkpointer.resume")[0]
        if found is None:
            return 0
        own: dict[str, Any] = {name: {"by_rank": []} if isinstance(part, Generator) else part for name, part in parts.items()}
        own |= {"step": 0, "generators": {"by_rank": []}}
        load(own, checkpoint_id=found)
        step, states = own["step"], own["generators"]["by_rank"]
        _go_on(states, step)
        for name, part in parts.items():
            if isinstance(part, Generator):
                part.set_state(_of_this_rank(own[name]["by_rank"], step))
        return int(step)

    def _newest(self) -> str | None:
        """Where the last complete checkpoint is. Rank 0 alone calls this."""
        if self.folder.is_dir():
            for each in self.folder.glob(".step_*.partial"):
                shutil.rmtree(each, ignore_errors=True)
            steps = self._steps()
            if steps:
                return str(self.folder / steps[-1])
        if self.upload is not None:
            names = sorted(name for name in remote.names_of(self.upload) if _NAME.fullmatch(name))
            return next((url for name in reversed(names) if remote.is_complete(url := f"{self.upload}/{name}")), None)
        return None

    def _steps(self) -> list[str]:
        """The names of the checkpoints that are complete, in the order of steps."""
        names = {path.name.removeprefix(".").removesuffix(".replaced") for path in self.folder.glob("*step_*")}
        found = [name for name in names if _NAME.fullmatch(name) and files.existing(self.folder / name).is_dir()]
        return sorted(found, key=lambda name: int(name.removeprefix("step_")))

    def _remove_older(self) -> None:
        """Remove all but the last checkpoints, here and in the remote folder."""
        for name in self._steps()[: -self.keep]:
            shutil.rmtree(self.folder / name, ignore_errors=True)
        if self.upload is not None:
            names = sorted(name for name in remote.names_of(self.upload) if _NAME.fullmatch(name))
            for name in names[: -self.keep]:
                remote.remove(f"{self.upload}/{name}")


def _check(parts: dict[str, Any]) -> None:
    for name, part in parts.items():
        if name in _OWN:
            raise ArgumentValueError(f"Checkpointer: a part cannot have the name {name!r}, which each checkpoint has for itself")
        if not (is_part(part) or isinstance(part, (Generator, Tensor, dict))):
            raise ArgumentTypeError(
                f"Checkpointer: {name!r} is {type_name(part)}, into which nothing can be loaded. help: give a dict that has it"
            )


def _state_of(step: int, parts: dict[str, Any]) -> dict[str, Any]:
    generators = {name: part for name, part in parts.items() if isinstance(part, Generator)}
    told = agreed(lambda: (tuple(default_states()), {name: g.get_state() for name, g in generators.items()}), "Checkpointer.save")
    state = {**parts, "step": step, "generators": {"by_rank": [list(states) for states, _ in told]}}
    return state | {name: {"by_rank": [own[name] for _, own in told]} for name in generators}


def _go_on(states: list[Any], step: int) -> None:
    """Set the default generators: as they were on this rank; in a world of another size those of local tensors begin anew."""
    own, rank = this_rank(), this_rank().index
    seed, local, over_ranks = DefaultStates(*states[rank if len(states) == own.world_size else 0])
    if len(states) == own.world_size:
        set_default_states(DefaultStates(seed, local, over_ranks))
        return
    before, now = tuple(range(len(states))), tuple(range(own.world_size))
    over_all = [(type, now, state) for type, ranks, state in over_ranks if tuple(ranks) == before]
    set_default_states(DefaultStates(seed, [(device, (_mixed(s, rank, step), 0)) for device, (s, _) in local], over_all))


def _of_this_rank(states: list[State], step: int) -> State:
    """The state of a generator of this rank."""
    rank = this_rank()
    if len(states) == rank.world_size:
        return states[rank.index]
    return _mixed(states[0][0], rank.index, step), 0


def _mixed(seed: int, rank: int, step: int) -> int:
    """A seed of 63 bits that differs for each rank and step."""
    return int.from_bytes(blake2b(f"{seed} {rank} {step}".encode(), digest_size=8).digest(), "little") >> 1

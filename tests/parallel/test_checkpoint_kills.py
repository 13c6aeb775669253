"""Saves that are killed: at each call that writes, renames or removes there is a complete checkpoint, which loads."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import tritonflow as flow
from tests.consistent.pool import Pool, RankFailure
from tritonflow.distributed import checkpoint
from tritonflow.distributed.checkpoint import files
from tritonflow.errors import CheckpointFolderError
from tritonflow.wire.world import this_rank

CALLS = (
    (files, "write_all"), (os, "fsync"), (os, "rename"), (os, "mkdir"), (os, "unlink"), (os, "rmdir"), (shutil, "rmtree"),
)  # fmt: skip


class KillAt:
    """Ends this process at the k-th of the calls, in the middle of a write, and in front of the others.

    Attributes:
        done: the calls so far.
    """

    def __init__(self, k: int) -> None:
        self.k, self.done = k, []

    def __enter__(self) -> KillAt:
        self.before = [(module, name, getattr(module, name)) for module, name in CALLS]
        for module, name, call in self.before:
            setattr(module, name, self.counted(name, call))
        return self

    def __exit__(self, *error: Any) -> None:
        for module, name, call in self.before:
            setattr(module, name, call)

    def counted(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*args: Any, **kwargs: Any) -> Any:
            self.done.append(name)
            if len(self.done) == self.k:
                if name == "write_all":
                    args[0].write(args[1][: len(args[1]) // 2])
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*args, **kwargs)

        return counted


def state(n: int) -> dict[str, Any]:
    return {"x": flow.full((4, 3), float(n)), "y": flow.full((2,), n), "n": n}


def save(folder: Path, n: int) -> None:
    checkpoint.save(state(n), checkpoint_id=folder)


def loaded(folder: Path) -> int:
    """Which state a folder has, all of it."""
    found = state(-1)
    checkpoint.load(found, checkpoint_id=folder)
    n: int = found["n"]
    assert found["x"].tolist() == [[n] * 3] * 4 and found["y"].tolist() == [n] * 2
    return n


def in_child(call: Callable[[], None]) -> bool:
    """Run in a forked process; whether it came to its end."""
    child = os.fork()
    if child == 0:
        try:
            call()
            os._exit(0)
        finally:
            os._exit(1)
    status = os.waitpid(child, 0)[1]
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
    return not os.WIFSIGNALED(status)


def killed(k: int, call: Callable[[], None]) -> None:
    with KillAt(k):
        call()


def test_killed_at_each_write_of_a_save(tmp_path: Path) -> None:
    """The folder has one of two states: the one before until the new one is durable, and then that."""
    folder = tmp_path / "last"
    save(folder, 1)
    found, k = [1], 0
    while True:
        k += 1
        whole = in_child(partial(killed, k, partial(save, folder, k + 1)))
        found.append(loaded(folder))
        assert found[-1] in (found[-2], k + 1), "the one that was there, or the new one"
        if whole:
            break
    assert k > 15 and found[-1] == k + 1 and len(set(found)) > 2
    assert os.listdir(tmp_path) == ["last"], "what was killed left nothing behind"


def test_killed_at_each_write_of_a_checkpointer(tmp_path: Path) -> None:
    """Steps in folders of their own: the last complete one is found, and two stay."""

    def saved(step: int) -> None:
        checkpointer = flow.utils.Checkpointer(tmp_path, every=1)
        checkpointer.save(step, state=state(step))
        checkpointer.wait()

    saved(1)
    saved(2)
    last, step, k = 2, 2, 0
    while True:
        k, step = k + 1, step + 1
        whole = in_child(partial(killed, k, partial(saved, step)))
        own = state(-1)
        resumed = flow.utils.Checkpointer(tmp_path, every=1).resume(state=own)
        assert resumed in (last, step) and own["n"] == resumed and own["x"].tolist() == [[resumed] * 3] * 4
        last = resumed
        if whole:
            break
    assert k > 15 and last == step and len(os.listdir(tmp_path)) == 2


def test_what_is_named_is_on_the_disk_before(tmp_path: Path) -> None:
    """Each file is written and synced before the folder is, which is before it is renamed, and the old one goes behind that."""
    save(tmp_path / "a", 1)
    with KillAt(-1) as calls:
        save(tmp_path / "a", 2)
    done = [name for name in calls.done if name in ("write_all", "fsync", "rename", "rmtree")]
    order = [name for k, name in enumerate(done) if name != "write_all" or done[k - 1] != "write_all"]
    assert order[:6] == ["write_all", "fsync"] * 3 and order[6:] == ["fsync", "rmtree", "rename", "rename", "fsync", "rmtree"]


def dies_while_writing(folder: str, how: str) -> None:
    """Rank 1 is killed, or its disk is full, in the middle of its shard."""
    rank = this_rank()
    placement = flow.placement("cpu", range(rank.world_size))
    x = flow.ones(64, 8).to_global(placement, flow.sbp.broadcast).to_global(placement, flow.sbp.split(0))
    if rank.index == 1:
        files.write_all = kill if how == "kill" else refuse
    checkpoint.save({"x": x}, checkpoint_id=folder)


def kill(file: Any, data: memoryview) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def refuse(file: Any, data: memoryview) -> None:
    files.write_all = WRITE_ALL
    raise OSError(28, "No space left on device")


WRITE_ALL = files.write_all


@pytest.mark.parametrize("how", ["full", "kill"])
def test_a_rank_that_cannot_write_is_an_error_on_all(how: str, ranks2: Pool, tmp_path: Path) -> None:
    save(tmp_path / "a", 1)
    with pytest.raises(RankFailure) as caught:
        ranks2.run(dies_while_writing, str(tmp_path / "a"), how)
    assert loaded(tmp_path / "a") == 1, "what was there is as it was"
    if how == "full":
        assert all(isinstance(error, CheckpointFolderError) for error in caught.value.errors.values()) and len(caught.value.errors) == 2
        assert "rank 1, write: OSError: [Errno 28] No space left on device" in str(caught.value.errors[0])
        assert os.listdir(tmp_path) == ["a"]
    else:
        assert "rank 1" in str(caught.value.errors[0]) and caught.value.seconds[0] < 10

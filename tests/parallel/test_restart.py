"""Restarts: a training that is killed and resumed has the numbers of one that was not; on another number of ranks nearly so."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import tritonflow as flow
from tests.consistent.pool import ROOT, Pool
from tests.parallel.restarted_program import main
from tritonflow.errors import ArgumentTypeError, ArgumentValueError, CheckpointFolderError
from tritonflow.wire.world import this_rank

PROGRAM = Path(__file__).with_name("restarted_program.py")


def under_torchrun(folder: Path, ranks: int, steps: int, dropout: float, kills: list[str]) -> str:
    """Run the program with as many restarts as there are kills; what it printed."""
    folder.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--monitor-interval", "0.1"]
    command += ["--nproc-per-node", str(ranks), "--max-restarts", str(len(kills))]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "TRITONFLOW_NUM_THREADS": "1"}
    ran = subprocess.run(
        [*command, str(PROGRAM), str(folder), str(steps), str(dropout), ",".join(kills)],
        cwd=ROOT, env=environment, capture_output=True, timeout=100 + 60 * len(kills),
    )  # fmt: skip
    printed = ran.stdout.decode() + ran.stderr.decode()
    assert ran.returncode == 0, printed
    return printed


def losses(folder: Path) -> dict[int, float]:
    """The loss of each step, which must be the same as often as it was made."""
    found: dict[int, float] = {}
    for line in (folder / "losses").read_text().splitlines():
        step, loss = line.split()
        assert found.setdefault(int(step), float.fromhex(loss)) == float.fromhex(loss), f"step {step} differs when it is made again"
    return found


def new(folder: Path) -> Path:
    folder.mkdir()
    return folder


def test_killed_and_resumed_bit_for_bit(ranks2: Pool, tmp_path: Path) -> None:
    ranks2.run(main, new(tmp_path / "whole"), 7, 0.2, [])
    under_torchrun(tmp_path / "killed", 2, 7, 0.2, ["1:3:0"])
    assert losses(tmp_path / "killed") == losses(tmp_path / "whole")
    assert (tmp_path / "killed" / "end").read_text() == (tmp_path / "whole" / "end").read_text()


@pytest.mark.long
@pytest.mark.timeout(1500)
def test_killed_at_a_random_step_20_times(ranks2: Pool, tmp_path: Path) -> None:
    """Also while a checkpoint is written, and before there is one."""
    rng = random.Random(0)
    ranks2.run(main, new(tmp_path / "whole"), 90, 0.2, [])
    kills = [f"{rng.randrange(2)}:{rng.randint(1, 4)}:{rng.choice((0, 1, 3, 10, 30))}" for _ in range(20)]
    printed = under_torchrun(tmp_path / "killed", 2, 90, 0.2, kills)
    assert printed.count("exitcode: -9") >= 20
    assert losses(tmp_path / "killed") == losses(tmp_path / "whole")
    assert (tmp_path / "killed" / "end").read_text() == (tmp_path / "whole" / "end").read_text()


def test_another_number_of_ranks(ranks2: Pool, tmp_path: Path) -> None:
    """The batch of all ranks is the same, so the losses are, but for the order of sums."""
    main(new(tmp_path / "whole"), 8, 0.0, [])
    ranks2.run(main, new(tmp_path / "changed"), 4, 0.0, [])
    main(tmp_path / "changed", 6, 0.0, [])
    ranks2.run(main, tmp_path / "changed", 8, 0.0, [])
    expected = losses(tmp_path / "whole")
    for step, loss in losses(tmp_path / "changed").items():
        assert loss == pytest.approx(expected[step], rel=1e-5), step


@pytest.mark.long
def test_from_four_ranks_to_three_and_one(ranks4: Pool, tmp_path: Path) -> None:
    main(new(tmp_path / "whole"), 12, 0.0, [])
    ranks4.run(main, new(tmp_path / "changed"), 4, 0.0, [])
    under_torchrun(tmp_path / "changed", 3, 8, 0.0, [])
    main(tmp_path / "changed", 12, 0.0, [])
    expected = losses(tmp_path / "whole")
    for step, loss in losses(tmp_path / "changed").items():
        assert loss == pytest.approx(expected[step], rel=1e-5), step


# ------------------------------------------------------------------------------------------------------- Checkpointer


def steps_of(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_every_so_many_steps_and_the_last_two_stay(tmp_path: Path) -> None:
    x = flow.zeros(3)
    checkpointer = flow.utils.Checkpointer(tmp_path, every=3)
    assert checkpointer.resume(state={"x": x, "n": 0}) == 0
    saved = [step for step in range(1, 14) if checkpointer.save(step, state={"x": x.fill_(step), "n": step})]
    checkpointer.wait()
    assert saved == [3, 6, 9, 12] and steps_of(tmp_path) == ["step_00000009", "step_00000012"]
    state = {"x": flow.zeros(3), "n": 0}
    assert flow.utils.Checkpointer(tmp_path, every=3).resume(state=state) == 12
    assert state["x"].tolist() == [12.0] * 3 and state["n"] == 12


def test_what_killed_saves_left_is_removed(tmp_path: Path) -> None:
    checkpointer = flow.utils.Checkpointer(tmp_path, every=1, asynchronous=False)
    checkpointer.save(1, state={"n": 1})
    (tmp_path / ".step_00000002.abc.partial").mkdir()
    (tmp_path / "step_00000001").rename(tmp_path / ".step_00000001.replaced")
    assert checkpointer.resume(state={"n": 0}) == 1
    assert steps_of(tmp_path) == [".step_00000001.replaced"]


def generators(folder: Path, seed: int) -> list[float]:
    """What the default generators and one of its own draw behind a checkpoint, which is made or loaded."""
    flow.manual_seed(seed)
    rank, own = this_rank(), flow.Generator()
    placement = flow.placement("cpu", range(rank.world_size))
    checkpointer = flow.utils.Checkpointer(folder, every=1)
    if seed == 1:
        own.manual_seed(rank.index)
        flow.rand(rank.index + 1)
        flow.rand(2, placement=placement, sbp=flow.sbp.broadcast)
        checkpointer.save(1, own=own)
        checkpointer.wait()
    else:
        assert checkpointer.resume(own=own) == 1
    over = flow.rand(1, placement=placement, sbp=flow.sbp.broadcast).item()
    return [flow.rand(1).item(), flow.rand(1, generator=own).item(), over]


def test_generators_go_on_by_rank_and_begin_anew_on_other_ranks(tmp_path: Path) -> None:
    before = flow.testing.simulate(2)(generators)(tmp_path, 1)
    assert len({tuple(drawn) for drawn in before}) == 2
    assert flow.testing.simulate(2)(generators)(tmp_path, 2) == before
    after = flow.testing.simulate(3)(generators)(tmp_path, 2)
    assert flow.testing.simulate(3)(generators)(tmp_path, 3) == after, "of (seed, rank, step) alone"
    assert len({drawn[0] for drawn in after}) == 3 and len({drawn[1] for drawn in after}) == 3
    assert {drawn[2] for drawn in after} == {drawn[2] for drawn in before}, "over all ranks numbers are of positions"


def test_remote_folders(tmp_path: Path) -> None:
    url = f"memory://{tmp_path.name}/run"
    x = flow.ones(4)
    checkpointer = flow.utils.Checkpointer(tmp_path / "here", every=1, upload=url)
    for step in range(1, 4):
        checkpointer.save(step, state={"x": x.fill_(step)})
    checkpointer.wait()
    state = {"x": flow.zeros(4)}
    for elsewhere in (1, 2):  # here is nothing, so it is fetched
        there = flow.utils.Checkpointer(tmp_path / "there", every=1, upload=url)
        found = flow.testing.simulate(elsewhere)(there.resume)(state=state)
        assert found == [3] * elsewhere and state["x"].tolist() == [3.0] * 4
    from tritonflow.distributed.checkpoint import remote

    assert remote.names_of(url) == ["step_00000002", "step_00000003"]
    with pytest.raises(CheckpointFolderError, match="cannot be reached"):
        checkpointer = flow.utils.Checkpointer(tmp_path / "here", every=1, upload="nosuch://a")
        checkpointer.save(4, state={"x": x})
        checkpointer.wait()


def test_wrong_arguments(tmp_path: Path) -> None:
    for options in ({"every": 0}, {"every": 1, "keep": 0}):
        with pytest.raises(ArgumentValueError, match="expected at least 1"):
            flow.utils.Checkpointer(tmp_path, **options)
    with pytest.raises(ArgumentTypeError, match="'every' must be int"):
        flow.utils.Checkpointer(tmp_path, every=1.5)
    checkpointer: Any = flow.utils.Checkpointer(tmp_path, every=1)
    with pytest.raises(ArgumentTypeError, match="'n' is int, into which nothing can be loaded"):
        checkpointer.save(1, n=3)
    with pytest.raises(ArgumentValueError, match="cannot have the name 'step'"):
        checkpointer.resume(step={})

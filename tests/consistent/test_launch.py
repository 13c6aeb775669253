"""`python -m tritonflow.distributed.launch`: OneFlow's flags become torchrun's, and a program runs on its ranks."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.consistent.pool import ROOT
from tritonflow.distributed.launch import torchrun_arguments

PROGRAM = """
import sys
import tritonflow as flow
from tritonflow.wire import verbs
from tritonflow.wire.world import this_rank
rank = this_rank()
x = flow.tensor([float(rank.index == 1)])
verbs.broadcast(tuple(range(rank.world_size)), verbs.Buffer(x.impl.block, 0), 4, 1, "a number")
print("rank", rank.index, "of", rank.world_size, "has", x.item(), sys.argv[1:])
"""


def test_flags() -> None:
    assert torchrun_arguments(["--nproc_per_node", "2", "a.py", "--lr", "1"]) == [
        "--nnodes", "1", "--nproc-per-node", "2", "--standalone", "a.py", "--lr", "1",
    ]  # fmt: skip
    assert torchrun_arguments(["--nnodes=2", "--node_rank=1", "--master_addr", "a", "--module", "m", "-x"]) == [
        "--nnodes", "2", "--nproc-per-node", "1", "--node-rank", "1", "--master-addr", "a", "--master-port", "29500", "--module",
        "m", "-x",
    ]  # fmt: skip
    assert torchrun_arguments(["--no_python", "--redirect_stdout_and_stderr", "--logdir", "x", "ls"])[5:] == [
        "--no-python", "--redirects", "3", "--log-dir", "x", "ls",
    ]  # fmt: skip


def test_an_unknown_flag_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        torchrun_arguments(["--nprocs", "2", "a.py"])
    assert "usage: python -m tritonflow.distributed.launch" in capsys.readouterr().err


@pytest.mark.ranks
def test_a_program_runs_on_its_ranks(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    command = [
        sys.executable,
        "-m",
        "tritonflow.distributed.launch",
        "--nproc_per_node",
        "2",
        "--logdir",
        str(tmp_path / "log"),
    ]
    ran = subprocess.run(
        [*command, "--redirect_stdout_and_stderr", str(program), "--lr", "1"],
        cwd=ROOT,
        capture_output=True,
        timeout=120,
    )
    assert ran.returncode == 0, ran.stderr.decode()
    printed = sorted(path.read_text() for path in (tmp_path / "log").rglob("stdout.log"))
    assert printed == [f"rank {k} of 2 has 1.0 ['--lr', '1']\n" for k in range(2)]

"""Processes that programs start by torch's launchers: torchrun, `elastic_launch`, `torch.multiprocessing.spawn`, and their stores."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import tritonflow as flow
from tritonflow.mock_torch.child_programs import in_torchs_place
from tritonflow.mock_torch.torch_modules import torch_module

PROGRAM = """
import argparse, sys
import torch
import torch.distributed as dist
from torch.distributed.elastic.multiprocessing.errors import record

parser = argparse.ArgumentParser()
parser.add_argument("--local-rank", type=int, default=-1)
parser.add_argument("folder")
given = parser.parse_args()

@record
def main():
    dist.init_process_group("gloo")
    x = torch.ones(1) * (dist.get_rank() + 1)
    dist.all_reduce(x)
    with open(f"{given.folder}/{dist.get_rank()}", "w") as file:
        print(torch.__version__.endswith("+tritonflow"), x.item(), given.local_rank, file=file, end="")

main()
"""


@pytest.mark.parametrize(("launcher", "numbers"), [("run", (-1, -1)), ("launch", (0, 1))])
def test_ranks_of_torchrun_have_tritonflow(launcher: str, numbers: tuple[int, int], tmp_path: Path) -> None:
    (tmp_path / "mt_ranks.py").write_text(PROGRAM)
    words = ["-m", "tritonflow.mock_torch", "-m", f"torch.distributed.{launcher}", "--nproc-per-node", "2", "mt_ranks.py", "."]
    done = subprocess.run([sys.executable, *words], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert [(tmp_path / str(rank)).read_text() for rank in (0, 1)] == [f"True 3.0 {each}" for each in numbers]


def test_launchers_that_programs_start_are_run_in_torchs_place() -> None:
    command = [sys.executable, "-m", "tritonflow.mock_torch", "-m", "torch.distributed.run", "a.py"]
    assert in_torchs_place(["torchrun", "a.py"]) == command
    assert in_torchs_place([sys.executable, "-m", "torch.distributed.run", "a.py"]) == command
    other = [sys.executable, "-m", "torch.utils.collect_env"]
    assert in_torchs_place(other) == other


def test_functions_are_launched(tmp_path: Path) -> None:
    assert flow.env.get_world_size() == 1  # of this process, which has asked before it forks
    launcher = torch_module("torch.distributed.launcher.api")

    def work(folder: str) -> str:
        dist = torch_module("torch.distributed")
        dist.init_process_group("gloo")
        x = flow.ones(1) * (dist.get_rank() + 1)
        dist.all_reduce(x)
        dist.barrier()
        return f"{folder} {x.item()}"

    options = {"rdzv_backend": "c10d", "rdzv_endpoint": "localhost:0", "run_id": "mt", "start_method": "fork", "monitor_interval": 0.1}
    config = launcher.LaunchConfig(min_nodes=1, max_nodes=1, nproc_per_node=2, **options)
    assert launcher.elastic_launch(config, work)("done") == {0: "done 3.0", 1: "done 3.0"}


def _fails(index: int) -> None:
    if index == 1:
        raise KeyError("what is wrong")
    time.sleep(100)


def test_a_process_that_fails_ends_the_others_and_tells_why() -> None:
    spawn = torch_module("torch.multiprocessing.spawn")
    began = time.perf_counter()
    with pytest.raises(spawn.ProcessRaisedException, match="KeyError: 'what is wrong'") as raised:
        torch_module("torch.multiprocessing").spawn(_fails, nprocs=2)
    assert raised.value.error_index == 1 and time.perf_counter() - began < 60


def _meet(rank: int, how: str, folder: str) -> None:
    dist = torch_module("torch.distributed")
    for name in ("RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"):
        os.environ.pop(name, None)
    where = {"store": dist.FileStore(f"{folder}/store", 2)} if how == "store" else {"init_method": f"file://{folder}/file"}
    dist.init_process_group("gloo", rank=rank, world_size=2, **where)
    x = flow.ones(1) * (rank + 1)
    dist.all_reduce(x)
    Path(folder, str(rank)).write_text(str(x.item()))
    dist.barrier()


@pytest.mark.parametrize("how", ["store", "file"])
def test_ranks_meet_by_a_store(how: str, tmp_path: Path) -> None:
    torch_module("torch.multiprocessing").spawn(_meet, (how, str(tmp_path)), nprocs=2)
    assert [(tmp_path / str(rank)).read_text() for rank in (0, 1)] == ["3.0", "3.0"]


def test_a_process_without_a_gpu_can_be_forked() -> None:
    assert torch_module("torch.cuda")._is_in_bad_fork() is False

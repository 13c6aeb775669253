"""Workers of torch's DataLoader under mock_torch: what they draw, however they start."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]

PROGRAM = """
import json, random, sys
import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset, IterableDataset, get_worker_info


class Drawn(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, i):
        kind = type(torch.rand(1)).__module__
        return torch.rand(1).item(), np.random.rand(), random.random(), get_worker_info().seed, kind


class Stream(IterableDataset):
    def __iter__(self):
        return iter([torch.rand(2) for _ in range(2)])


def init(worker):
    torch.manual_seed(100 + worker)


def run(method):
    torch.manual_seed(3)
    loader = DataLoader(Drawn(), batch_size=None, num_workers=2, multiprocessing_context=method, persistent_workers=True)
    passes = [list(loader), list(loader)]
    options = {"num_workers": 2, "multiprocessing_context": method, "worker_init_fn": init}
    return passes, [x.tolist() for x in DataLoader(Stream(), batch_size=None, **options)]


if __name__ == "__main__":
    print(json.dumps([run(method) for method in sys.argv[1:]]))
"""


def output(folder: Path, *command: str) -> Any:
    done = subprocess.run(
        [sys.executable, *command], cwd=folder, capture_output=True, text=True, timeout=300,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(folder)])},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("run", [["mt_drawn.py"], pytest.param(["-m", "mt_drawn"], marks=pytest.mark.long)], ids=["file", "module"])
def test_workers_draw_the_same_however_they_start(run: list[str], tmp_path: Path) -> None:
    (tmp_path / "mt_drawn.py").write_text(PROGRAM)
    found = output(tmp_path, "-m", "tritonflow.mock_torch", *run, "fork", "spawn", "forkserver")
    (first, second), stream = found[0]
    assert found[1] == found[2] == found[0]
    assert all(kind == "tritonflow.framework.tensor" for *_, kind in first + second)
    for column in range(3):
        assert len({row[column] for row in first + second}) == 8
    assert [row[3] - first[0][3] for row in first] == [0, 1, 0, 1]
    (tmp_path / "mt_seeded.py").write_text(
        "import json, torch\n"
        "print(json.dumps([(torch.manual_seed(100 + worker), torch.rand(2).tolist())[1] for worker in (0, 1)]))\n"
    )
    assert stream[:2] == output(tmp_path, "-m", "tritonflow.mock_torch", "mt_seeded.py")


def test_a_program_with_a_block_of_its_own(tmp_path: Path) -> None:
    """A program that enters `enable()` is imported anew by its workers, and enters it there."""
    imports = PROGRAM.replace(
        "import torch\nfrom torch.utils.data import",
        "import tritonflow as flow\nwith flow.mock_torch.enable():\n    import torch\n    from torch.utils.data import",
    )
    (tmp_path / "mt_own_block.py").write_text(imports)
    found = output(tmp_path, "mt_own_block.py", "fork", "spawn")
    assert found[1] == found[0] and found[0][0][0][0][-1] == "tritonflow.framework.tensor"


def test_other_processes_have_the_program_too(tmp_path: Path) -> None:
    (tmp_path / "mt_child.py").write_text(
        """
import json, multiprocessing, sys
import torch

def work(queue, x):
    queue.put((torch.__version__, (x + 1).tolist(), sys.argv[1:], __name__))

if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    queue = context.SimpleQueue()
    process = context.Process(target=work, args=(queue, torch.ones(2)))
    process.start()
    process.join(120)
    print(json.dumps([torch.__version__, process.exitcode, queue.get()]))
"""
    )
    version, code, child = output(tmp_path, "-m", "tritonflow.mock_torch", "mt_child.py", "--given")
    assert code == 0 and child == [version, [2.0, 2.0], ["--given"], "__mp_main__"] and version.endswith("+tritonflow")

"""Threads and processes that compile and launch at once: no wrong result, and nobody waits for ever."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import triton
import triton.language as tl

from tests.triton_cpu.support import run  # noqa: F401  (for the programs below)


@triton.jit
def polynomial_kernel(x, o, n, K: tl.constexpr, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + i, mask=i < n)
    r = v * 0
    for k in tl.static_range(K):
        r = r * v + k
    tl.store(o + i, r, mask=i < n)


def program(text: str, folder: Path, timeout: int = 120, **environment: str) -> str:
    """Run a program with these tests importable and a cache of its own; returns what it prints."""
    path = os.pathsep.join(p for p in sys.path if p)
    environment = {**os.environ, "PYTHONPATH": path, "TRITONFLOW_CACHE_DIR": str(folder), "TRITONFLOW_NUM_THREADS": "2", **environment}
    done = subprocess.run(
        [sys.executable, "-c", COMMON + text], env=environment, capture_output=True, text=True, timeout=timeout
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


COMMON = """
import os, sys, threading, torch
from tests.triton_cpu.support import run
from tests.triton_cpu.test_processes import polynomial_kernel

def check(degree, n=3000):
    x = torch.randint(-3, 4, (n,))
    o = torch.zeros_like(x)
    run(polynomial_kernel, (-(-n // 64),), x, o, n, K=degree, B=64)
    want = torch.zeros_like(x)
    for k in range(degree):
        want = want * x + k
    assert torch.equal(o, want), degree
"""

THREADS = """
errors, start = [], threading.Barrier(8)

def work(number):
    try:
        start.wait()
        for degree in (1, 2, 3, 3 + number, 3 + number):
            check(degree)
    except BaseException as error:
        errors.append(error)

threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert not errors, errors[0]
from tritonflow import triton_cpu
print(triton_cpu.compile_count())
"""


def test_threads_compile_and_launch_at_once(tmp_path: Path) -> None:
    """A kernel that several want is made once."""
    assert int(program(THREADS, tmp_path)) == 10
    assert int(program(THREADS, tmp_path)) == 10


FORK = """
check(2)
stop = threading.Event()

def compile_more():
    degree = 3
    while not stop.is_set():
        check(degree, 10)
        degree += 1

thread = threading.Thread(target=compile_more)
thread.start()
codes = []
for child in range(6):
    pid = os.fork()
    if pid == 0:
        check(2)
        check(40 + child)
        os._exit(0)
    codes.append(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
stop.set()
thread.join()
assert codes == [0] * 6, codes
"""


@pytest.mark.long
def test_a_fork_while_a_thread_compiles(tmp_path: Path) -> None:
    """The child must not inherit a lock that a thread of its parent holds."""
    program(FORK, tmp_path)


LOADER = """
class Kernels(torch.utils.data.Dataset):
    def __len__(self):
        return 12

    def __getitem__(self, k):
        check(k % 4 + 1)
        return torch.tensor(k)

check(2)  # a parallel region of the parent comes first
torch.randn(500, 500) @ torch.randn(500, 500)
loader = torch.utils.data.DataLoader(Kernels(), batch_size=3, num_workers=2, multiprocessing_context="fork")
assert torch.cat(list(loader)).tolist() == list(range(12))
check(2)
"""


def test_workers_of_a_data_loader_launch(tmp_path: Path) -> None:
    program(LOADER, tmp_path)


FILL = """
for degree in range(1, 7):
    check(degree)
"""


@pytest.mark.parametrize("damage", ["none", *(pytest.param(x, marks=pytest.mark.long) for x in ("garbage", "cut"))])
@pytest.mark.long
def test_processes_that_fill_and_read_one_cache(tmp_path: Path, damage: str) -> None:
    path = os.pathsep.join(p for p in sys.path if p)
    environment = {**os.environ, "PYTHONPATH": path, "TRITONFLOW_CACHE_DIR": str(tmp_path)}
    if damage != "none":
        program(FILL, tmp_path)
        for file in [p for p in tmp_path.rglob("*") if p.is_file()]:
            file.write_bytes(file.read_bytes()[:-100] if damage == "cut" else os.urandom(5000))
    running = [subprocess.Popen([sys.executable, "-c", COMMON + FILL], env=environment) for _ in range(2)]
    assert [process.wait(timeout=120) for process in running] == [0, 0]
    assert not list(tmp_path.rglob("tmp*")), "nothing half written is left"
    sizes = {p: p.stat().st_size for p in tmp_path.rglob("*") if p.is_file()}
    program(FILL, tmp_path)
    assert sizes == {p: p.stat().st_size for p in tmp_path.rglob("*") if p.is_file()}, "all was read"


@pytest.mark.long
def test_a_cache_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    program(FILL, tmp_path / "file" / "below")


LIBRARIES = """
torch.randn(700, 700) @ torch.randn(700, 700)
check(3, 200_000)
libraries = {line.split()[-1] for line in open("/proc/self/maps") if "libgomp" in line}
before = len(os.listdir("/proc/self/task"))
for _ in range(5):
    torch.randn(300_000).exp()
    check(3, 200_000)
assert len(os.listdir("/proc/self/task")) == before, "more threads each time"
print(len(libraries))
"""


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="Linux tells what is mapped")
def test_one_openmp_with_torch(tmp_path: Path) -> None:
    """Our programs run on the threads of torch's libgomp: a second one would fight it for the cores."""
    assert program(LIBRARIES, tmp_path, OMP_NUM_THREADS="2").strip() == "1"


COUNTS = """
import tritonflow as flow
from tritonflow import triton_cpu
flow.set_num_threads(3)
assert triton_cpu.get_num_threads() == 3
flow.ones(10).relu()
assert triton_cpu.get_num_threads() == 3, "the first op leaves it"
check(3)
"""


@pytest.mark.long
def test_threads_follow_set_num_threads(tmp_path: Path) -> None:
    program(COUNTS, tmp_path)

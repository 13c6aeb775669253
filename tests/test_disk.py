"""What disks, kills and other users can do to the cache: a program computes the same, and what is damaged is made again.

A scenario is a fork of one process that has imported everything and run nothing. To the caches it is a new process, and it takes a
fraction of a second.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

FORKS = """
import errno, importlib, json, os, resource, signal, sys, tempfile, time, traceback
import tritonflow as flow
from tritonflow import triton_compat, triton_cpu
from tritonflow.graph.api import function as graph_function
for module in ("launcher", "lower.kernel"):
    importlib.import_module("tritonflow.triton_cpu." + module)
for module in ("elementwise", "reduce", "matmul", "multi_tensor"):
    importlib.import_module("tritonflow.kernels." + module)

def program():
    x = flow.arange(12, dtype=flow.float32).reshape(3, 4) / 8
    w = (x + 0.25).clone().requires_grad_()
    optimizer = flow.optim.SGD([w], lr=0.1)

    def step(x):
        loss = (flow.relu(x @ w.t() - 0.3) * 0.7).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss

    step = flow.compile(step)
    print([step(x).item().hex() for _ in range(3)], w.tolist())

def nothing_is_made():
    def made(*_, **__):
        raise AssertionError("something was made")
    sys.modules["tritonflow.triton_cpu.jit"].compile_object = graph_function.optimize = made

def refuse(*_, **__):
    raise OSError(errno.EROFS, os.strerror(errno.EROFS))

def read_only():
    tempfile.mkstemp = os.mkdir = os.utime = os.replace = os.unlink = refuse

def no_home():
    import pwd
    for name in ("HOME", "XDG_CACHE_HOME", "TRITONFLOW_CACHE_DIR"):
        os.environ.pop(name, None)
    def unknown(key):
        raise KeyError(key)
    pwd.getpwuid = pwd.getpwnam = unknown

def child(request, out, err):
    os.environ["TRITONFLOW_CACHE_DIR"] = request["cache"]
    os.dup2(out, 1)
    os.dup2(err, 2)
    try:
        exec(request["before"], globals())
        program()
        sys.stdout.flush()
        code = 0
    except BaseException:
        traceback.print_exc()
        code = 1
    sys.stderr.flush()
    os._exit(code)

def run(request):
    children = []
    for _ in range(request["count"]):
        out, err = os.pipe(), os.pipe()
        pid = os.fork()
        if pid == 0:
            child(request, out[1], err[1])
        os.close(out[1]), os.close(err[1])
        children.append((pid, open(out[0]), open(err[0])))
    if request["seconds"] is not None:
        time.sleep(request["seconds"])
        for pid, *_ in children:
            os.kill(pid, signal.SIGKILL)
    texts = [(out.read(), err.read()) for _, out, err in children]
    return [(os.waitpid(pid, 0)[1], *each) for (pid, *_), each in zip(children, texts)]

for line in sys.stdin:
    print(json.dumps(run(json.loads(line))), flush=True)
"""


class Done(NamedTuple):
    """How a fork ended, and what it said."""

    status: int
    out: str
    err: str


class Forks:
    """Runs the program in forks of a process of its own."""

    def __init__(self) -> None:
        path = os.pathsep.join(p for p in sys.path if p)
        environment = {**os.environ, "PYTHONPATH": path, "TRITONFLOW_NUM_THREADS": "1", "TRITONFLOW_KEEP_PLANS": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-c", FORKS], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(self, cache: Path, before: str = "", count: int = 1, seconds: float | None = None) -> list[Done]:
        """Run `before` and the program in so many forks at once; they are killed after so many seconds."""
        assert self.process.stdin is not None and self.process.stdout is not None
        request = {"cache": str(cache), "before": before, "count": count, "seconds": seconds}
        print(json.dumps(request), file=self.process.stdin, flush=True)
        return [Done(*each) for each in json.loads(self.process.stdout.readline())]

    def says(self, cache: Path, before: str = "") -> Done:
        """What one fork says, which must succeed."""
        (done,) = self.run(cache, before)
        assert done.status == 0, done.err[-3000:]
        return done


@pytest.fixture(scope="module")
def forks() -> Iterator[Forks]:
    made = Forks()
    yield made
    made.process.kill()
    made.process.wait()


@pytest.fixture(scope="module")
def warm(forks: Forks, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A cache that has everything, and what the program says."""
    cache = tmp_path_factory.mktemp("warm") / "above" / "cache"
    said = forks.says(cache)
    assert said.err == "" and {path.name for path in cache.iterdir()} == {"cpu", "fused", "inferred", "plans"}
    assert forks.says(cache, "nothing_is_made()") == said
    return cache, said.out


@pytest.fixture
def cache(warm: tuple[Path, str], tmp_path: Path) -> Path:
    """A copy of the warm cache."""
    return Path(shutil.copytree(warm[0], tmp_path / "cache"))


def contents(cache: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in sorted(cache.rglob("*")) if path.is_file()}


# --------------------------------------------------------------------------------------------------------------- damage


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) * 2 // 3] ^= 0x80
    path.write_bytes(data)


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size * 2 // 3)


def empty(path: Path) -> None:
    os.truncate(path, 0)


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


DAMAGES = (flip, cut, empty, folder, pipe)


def check_damaged(forks: Forks, cache: Path, said: str, damage: Callable[[Path], None], paths: list[Path]) -> None:
    whole = contents(cache)
    for path in paths:
        damage(path)
    assert forks.says(cache).out == said
    if damage is not folder:  # which nobody removes
        if contents(cache) != whole:  # a run that finds a plan reads fewer kernels
            for kind in ("plans", "inferred"):
                shutil.rmtree(cache / kind)
            assert forks.says(cache).out == said
        assert contents(cache) == whole
        assert forks.says(cache, "nothing_is_made()").out == said


@pytest.mark.parametrize("damage", DAMAGES)
def test_all_files_are_damaged(forks: Forks, warm: tuple[Path, str], cache: Path, damage: Callable[[Path], None]) -> None:
    check_damaged(forks, cache, warm[1], damage, list(contents(cache)))


@pytest.mark.long
@pytest.mark.parametrize("damage", DAMAGES)
def test_each_file_is_damaged(forks: Forks, warm: tuple[Path, str], cache: Path, damage: Callable[[Path], None]) -> None:
    for path in contents(cache):
        check_damaged(forks, cache, warm[1], damage, [path])
        if damage is folder:
            path.rmdir()


@pytest.mark.hours
def test_every_tenth_bit_is_flipped(forks: Forks, warm: tuple[Path, str], cache: Path) -> None:
    """Of the files that are no kernels, and of one kernel."""
    chosen = [path for path in contents(cache) if path.parts[-3] != "cpu"]
    chosen.append(next(path for path in contents(cache) if path.parts[-3] == "cpu"))
    for path in chosen:
        whole = path.read_bytes()
        for bit in range(0, 8 * len(whole), 10 if len(whole) < 4000 else 1000):
            data = bytearray(whole)
            data[bit // 8] ^= 1 << bit % 8
            path.write_bytes(data)
            assert forks.says(cache).out == warm[1], (path, bit)


# ------------------------------------------------------------------------------------------- disks that refuse, no home


@pytest.mark.parametrize("nbytes", [0, 700])
def test_a_full_disk(forks: Forks, warm: tuple[Path, str], tmp_path: Path, nbytes: int) -> None:
    """Files end behind so many bytes; what fits is kept, and nothing half written."""
    said = forks.says(tmp_path / "cache", f"resource.setrlimit(resource.RLIMIT_FSIZE, ({nbytes}, {nbytes}))")
    assert said.out == warm[1]
    assert said.err.count("nothing is kept for the next process") == 1
    found = contents(tmp_path / "cache")
    assert bool(found) == bool(nbytes) and not [path for path in found if path.name.startswith("tmp")]
    assert forks.says(tmp_path / "cache") == (0, warm[1], "")


def test_a_cache_that_can_be_read_only(forks: Forks, warm: tuple[Path, str], cache: Path) -> None:
    assert forks.says(cache, "read_only(); nothing_is_made()") == (0, warm[1], "")
    for path in contents(cache / "plans"):
        path.unlink()
    said = forks.says(cache, "read_only()")
    assert said.out == warm[1] and said.err.count("Read-only file system") == 1
    assert contents(cache / "plans") == {}


def test_a_cache_below_a_file(forks: Forks, warm: tuple[Path, str], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    said = forks.says(tmp_path / "file" / "cache")
    assert said.out == warm[1] and said.err.count("Not a directory") == 1


def test_no_home_and_no_name(forks: Forks, warm: tuple[Path, str], tmp_path: Path) -> None:
    """As in a container that runs under a number nobody knows."""
    said = forks.says(tmp_path / "cache", f"no_home(); os.chdir({str(tmp_path)!r})")
    assert said.out == warm[1] and said.err.count("this user has no home directory") == 1
    assert list(tmp_path.iterdir()) == []


# ------------------------------------------------------------------------------------------------------ other users, kills


def test_folders_are_for_this_user_alone(warm: tuple[Path, str]) -> None:
    made = [warm[0].parent, warm[0], *(path for path in warm[0].rglob("*") if path.is_dir())]
    assert {stat.S_IMODE(path.stat().st_mode) for path in made} == {0o700}
    assert {stat.S_IMODE(path.stat().st_mode) for path in contents(warm[0])} == {0o600}


@pytest.mark.parametrize("which", ["cache", "above", "kind"])
def test_a_cache_that_others_may_write(forks: Forks, warm: tuple[Path, str], tmp_path: Path, which: str) -> None:
    """Nothing of it is used, and nothing is written there."""
    cache = Path(shutil.copytree(warm[0], tmp_path / "above" / "cache"))
    (cache if which == "cache" else cache.parent if which == "above" else cache / "cpu").chmod(0o777)
    whole = contents(cache)
    for path in contents(cache / "cpu"):
        path.write_bytes(b"code")
    said = forks.says(cache)
    assert said.out == warm[1] and said.err.count("other users may write to") == 1
    assert contents(cache / "cpu") == dict.fromkeys(contents(cache / "cpu"), b"code")
    assert contents(cache).keys() == whole.keys()


@pytest.mark.long
def test_processes_that_compile_at_once(forks: Forks, warm: tuple[Path, str], tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    assert [done[:2] for done in forks.run(cache, count=4)] == [(0, warm[1])] * 4
    assert len(contents(cache)) == len(contents(warm[0]))
    assert forks.says(cache, "nothing_is_made()").out == warm[1]


def check_killed(forks: Forks, said: str, cache: Path, times: int, chance: random.Random) -> None:
    for _ in range(times):
        forks.run(cache, count=2, seconds=chance.uniform(0.0, 1.0))
    assert forks.says(cache) == (0, said, "")
    assert forks.says(cache, "nothing_is_made()").out == said


@pytest.mark.long
def test_killed_at_any_time(forks: Forks, warm: tuple[Path, str], tmp_path: Path, seed: int) -> None:
    check_killed(forks, warm[1], tmp_path / "cache", 1, random.Random(seed))


@pytest.mark.hours
def test_killed_many_times(forks: Forks, warm: tuple[Path, str], tmp_path: Path, seed: int) -> None:
    for number in range(100):
        check_killed(forks, warm[1], tmp_path / str(number), 4, random.Random(seed + number))

"""What is compiled is told: a line of the log, a listener, a status line on a terminal."""

from __future__ import annotations

import io
import os
import re
import threading
import time
import types
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
import triton
import triton.language as tl

import tritonflow as flow
from tritonflow import compilations, status_line, triton_compat, triton_cpu
from tritonflow.compilations import Compilation
from tritonflow.settings import settings

compiler = import_module("tritonflow.triton_cpu.compile")
SIGNATURE = {"x": "*fp32", "o": "*fp32", "n": "i32", "F": "constexpr", "B": "constexpr"}
TOLD = r"(\d+\.\d{3}) s"


@triton.jit
def halved(v):
    return v * 0.5


@triton.jit
def told_kernel(x, o, n, F: tl.constexpr, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, F(tl.load(x + i, mask=i < n)), mask=i < n)


@pytest.fixture
def told() -> Iterator[list[Compilation]]:
    found: list[Compilation] = []
    compilations.listeners.append(found.append)
    yield found
    compilations.listeners.pop()


def test_kernels_for_cpus(
    told: list[Compilation], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Compiled, then found on disk by its key and by its reference, then in memory, of which nothing is told."""
    monkeypatch.setenv("TRITONFLOW_LOG", "compile")
    with settings.override(cache_dir=tmp_path / "cache"):
        for forgets in (False, True, False):
            if forgets:
                monkeypatch.setattr(compiler, "_kernels", {})
            kernel = triton_cpu.compile(told_kernel, SIGNATURE, {"F": halved, "B": 8})
        monkeypatch.setattr(compiler, "_kernels", {})
        assert triton_cpu.load(kernel.reference) is not None
    lines = capsys.readouterr().err.splitlines()
    kernel_text = re.escape("told_kernel[halved](*fp32, *fp32, i32)")
    assert len(lines) == 3 and re.fullmatch(f"tritonflow compile {kernel_text}: compiled, {TOLD}", lines[0])
    assert all(re.fullmatch(f"tritonflow load {kernel_text}: from the disk cache, {TOLD}", line) for line in lines[1:])
    assert [found.kind for found in told] == ["compile", "load", "load"] and all(found.seconds > 0 for found in told)
    assert all(found.thread == threading.current_thread().name for found in told)


def test_kernels_for_gpus(told: list[Compilation], capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        triton_compat.compile_cuda(told_kernel, SIGNATURE, {"F": halved, "B": 32}, None, 80)
    first, second = told
    assert first.kind in ("compile", "load") and (second.kind, second.origin) == ("load", "from Triton's cache")
    assert second.name == "told_kernel[halved]" and second.types == "*fp32, *fp32, i32"
    assert capsys.readouterr().err == "", "nothing is written unless TRITONFLOW_LOG asks for it"


def test_kernels_that_programs_launch(told: list[Compilation]) -> None:
    """Triton compiles them, and its listener tells."""
    x, y = flow.full((8,), 3.0), flow.empty(8)
    told.clear()
    told_kernel[(1,)](x, y, 8, halved, 8)
    (found,) = told
    assert found.kind in ("compile", "load") and found.name == "told_kernel[halved]" and y.tolist() == [1.5] * 8
    assert found.types.startswith("*fp32, *fp32")


def test_graphs(told: list[Compilation]) -> None:
    x = flow.ones(3)
    f = flow.compile(lambda x: flow.relu(x))
    f(x)
    f(x)
    graphs = [(found.kind, found.name.rpartition(".")[2]) for found in told if found.kind in ("capture", "plan")]
    assert graphs == [("capture", "<lambda>"), ("plan", "<lambda>")]


def test_what_fails_is_not_told(told: list[Compilation]) -> None:
    with pytest.raises(ZeroDivisionError):
        with compilations.running("compile", "a"):
            assert compilations.innermost() is not None
            1 / 0
    assert not told and compilations.innermost() is None


def test_a_wrong_subject(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRITONFLOW_LOG", "compile,weather")
    with pytest.raises(ValueError, match="TRITONFLOW_LOG='compile,weather': expected a list, with commas, of compile"):
        settings.log
    monkeypatch.setenv("TRITONFLOW_LOG", " Compile , ")
    assert settings.log == {"compile"}


# ---- the status line


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True

    def take(self) -> str:
        """What was written since the last call."""
        text = self.getvalue()
        self.seek(0)
        self.truncate()
        return text


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Where the line appears after a twentieth of a second."""
    screen = Terminal()
    monkeypatch.setattr(status_line, "sys", types.SimpleNamespace(stderr=screen))
    monkeypatch.setattr(status_line, "SECONDS", 0.05)
    monkeypatch.setattr(status_line, "_ended", 0.0)
    return screen


def work(name: str, seconds: float = 0.0) -> None:
    with compilations.running("compile", name):
        time.sleep(seconds)


ERASED = "\r\x1b[K"


def test_a_long_compilation_is_shown_and_erased(terminal: Terminal) -> None:
    work("quick", 0.001)
    assert terminal.take() == ""
    work("slow", 0.2)
    assert re.fullmatch(re.escape(ERASED) + r"compiling slow \(2 so far, 0 s\)" + re.escape(ERASED), terminal.take())
    work("the next", 0.0)  # shown at once: the second is over
    assert terminal.take() == f"{ERASED}compiling the next (3 so far, 0 s){ERASED}"
    time.sleep(0.1)
    work("much later")
    assert terminal.take() == ""


def test_what_runs_inside_is_named(terminal: Terminal) -> None:
    with compilations.running("capture", "graph"):
        time.sleep(0.2)
        work("kernel")
    shown = re.findall(r"compiling (\w+) ", terminal.take())
    assert shown == ["graph", "kernel"]


def test_nothing_is_shown_elsewhere(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    with settings.override(status=False):
        work("slow", 0.1)
    monkeypatch.setenv("LOCAL_RANK", "1")  # the first rank of this machine has the terminal
    work("slow", 0.1)
    monkeypatch.delenv("LOCAL_RANK")
    monkeypatch.setattr(Terminal, "isatty", lambda self: False)
    work("slow", 0.1)
    monkeypatch.undo()
    assert terminal.take() == ""


def test_a_long_name_fits(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    work("a" * 100, 0.1)
    assert len(terminal.take()) == 29 + 2 * len(ERASED)


@pytest.mark.parametrize("stream", ["none", "closed"])
def test_a_log_that_cannot_be_written_stops_nothing(
    stream: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    closed = io.StringIO()
    closed.close()
    with settings.override(log=("compile",)):
        monkeypatch.setattr("sys.stderr", None if stream == "none" else closed)
        with compilations.running("compile", "unheard"):
            pass
    assert capsys.readouterr().out == ""


def test_a_fork_inside_of_a_compilation() -> None:
    with compilations.running("capture", "forking"):
        child = os.fork()
        if child == 0:
            try:
                status_line.end("forking")
            except BaseException:
                os._exit(1)
            os._exit(0)
    assert os.waitpid(child, 0)[1] == 0

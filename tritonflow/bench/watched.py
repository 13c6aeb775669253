"""Measuring in a process that is watched: a case that never ends, crashes or spoils the device's context costs itself alone.

`WatchedSession` is the side that watches. Run as `python -m tritonflow.bench.watched REQUEST`, this file is the other one: a
line on stdin is the key of a case, a line of JSON on stdout is its row.
"""

from __future__ import annotations

import ctypes
import faulthandler
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Mapping
from dataclasses import asdict
from types import TracebackType
from typing import Any

from tritonflow.bench import machine
from tritonflow.bench.case import Case, Context
from tritonflow.bench.discover import Request, find
from tritonflow.bench.record import key_of
from tritonflow.bench.session import BenchOptions, Row, Session, row_of, use_threads
from tritonflow.bench.timing import Effort
from tritonflow.errors import TritonflowError

START_SECONDS = 180.0  # for imports, the device, and its roof
LAST_WORDS = 0.5  # seconds for the stack of a process that is ended
PR_SET_PDEATHSIG = 1


class WatchedSession:
    """Measures cases in another process, and begins a new one where that ends.

    Args:
        options: how to measure.
        threads: of a CPU.
        seconds: that a case may take without a row; then its process is ended.

    Raises:
        RuntimeError: the first process does not come up.
    """

    survives = True

    def __init__(self, options: BenchOptions, threads: int | None, seconds: float) -> None:
        self.options = options
        self._request = {**asdict(options), "threads": threads}
        self._seconds = seconds
        self._roof: dict[str, Any] = {}
        self._process: _Process | None = None
        self._head = self._running()

    def __enter__(self) -> WatchedSession:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._process is not None:
            self._process.close()

    def head(self) -> dict[str, Any]:
        """What stands at the head of results."""
        return self._head

    def roof_now(self) -> dict[str, Any]:
        """The roof as it is known by now."""
        return self._roof

    def measure(self, case: Case) -> Row | None:
        """A row, as of `Session.measure`; None where the case has no call of ours.

        Where its process hung, crashed or lost the context, the row has `problem` and `lost`.
        """
        try:
            self._running()
            assert self._process is not None
            answer = self._process.ask(key_of({"case": case.name, "params": case.params}), self._seconds)
        except ProcessLookupError as error:
            self._process = None
            return {**row_of(case), "problem": str(error).partition("\n")[0][:300], "trace": str(error)[-4000:], "lost": True}
        self._roof = answer["roof"]
        row: Row | None = answer["row"]
        if row is not None and row.get("lost"):
            self._process.end()
            self._process = None
        return row

    def _running(self) -> dict[str, Any]:
        """Begin a process where there is none; the head of its results."""
        if self._process is None:
            process = _Process(self._request)
            try:
                self._head = process.answer(START_SECONDS)
            except ProcessLookupError as error:
                raise TritonflowError(f"the process that measures does not come up: {error}") from None
            self._roof, self._process = self._head["roof"], process
        return self._head


class _Process:
    """The process that measures."""

    def __init__(self, request: Mapping[str, Any]) -> None:
        self._log = tempfile.TemporaryFile("w+")
        command = [sys.executable, "-m", "tritonflow.bench.watched", json.dumps(request)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log, start_new_session=True
        )
        self._read = b""

    def ask(self, key: str, seconds: float) -> dict[str, Any]:
        """The answer to a line.

        Raises:
            ProcessLookupError: none came, and the process has ended.
        """
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(key.encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            self._give_up("ended")
        return self.answer(seconds)

    def answer(self, seconds: float) -> dict[str, Any]:
        """The next line that the process writes."""
        assert self._process.stdout is not None
        until = time.monotonic() + seconds
        while b"\n" not in self._read:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self._process.stdout], [], [], left)[0]:
                self._give_up(f"no result for {seconds:g} s")
            more = os.read(self._process.stdout.fileno(), 1 << 16)
            if not more:
                self._give_up("ended")
            self._read += more
        line, _, self._read = self._read.partition(b"\n")
        found: dict[str, Any] = json.loads(line)
        return found

    def _give_up(self, why: str) -> None:
        if why == "ended":
            status = self._process.wait()
            why = f"the process was ended by {signal.Signals(-status).name}" if status < 0 else f"the process ended with {status}"
        else:
            os.killpg(self._process.pid, signal.SIGUSR1)  # it says where it is
            time.sleep(LAST_WORDS)
        self.end()
        self._log.seek(0)
        said = self._log.read().strip()[-3000:]
        self._log.close()
        raise ProcessLookupError(f"{why}\n{said}" if said else why)

    def end(self) -> None:
        """End the process, and what it has begun."""
        with_group = self._process.poll() is None
        if with_group:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        assert self._process.stdin is not None and self._process.stdout is not None
        for pipe in (self._process.stdout, self._process.stdin):
            try:
                pipe.close()
            except BrokenPipeError:  # what it has not read
                continue

    def close(self) -> None:
        """Let the process end by itself, for a while."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self._log.close()


# ---- the other side


def serve(request: dict[str, Any]) -> None:
    """Measure what stdin names, until it ends."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # nobody would read the rows
    faulthandler.register(signal.SIGUSR1, all_threads=True)
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # cases print, too
    warnings.simplefilter("ignore")  # of torch, about its own ways
    machine.keep_freed_memory()
    use_threads(request.pop("threads"))
    parts = {"context": Context, "effort": Effort, "request": Request}
    options = BenchOptions(**{name: parts[name](**value) if name in parts else value for name, value in request.items()})
    cases = {key_of({"case": case.name, "params": case.params}): case for case in find(options.request)}
    with Session(options) as session:
        _say(answers, session.head())
        for line in sys.stdin:
            row = session.measure(cases[line.rstrip("\n")])
            _say(answers, {"row": row, "roof": session.roof_now()})


def _say(answers: Any, value: Any) -> None:
    print(json.dumps(value, default=str), file=answers, flush=True)


if __name__ == "__main__":
    serve(json.loads(sys.argv[1]))

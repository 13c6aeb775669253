"""Another commit of this checkout as a rival: its kernels and ops in a process of their own, timed in turn with ours."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any

import tritonflow as flow
from tritonflow.errors import ArgumentValueError

WORKER = Path(__file__).with_name("worker.py")


class CommitProcess:
    """A process in which `import tritonflow` is another commit, and `tritonflow.bench` this one.

    Args:
        name: of the commit, as git takes it.
        request: what the worker finds the same cases by.

    Raises:
        ValueError: there is no checkout, or no such commit.
    """

    def __init__(self, name: str, request: dict[str, Any]) -> None:
        self._root = Path(flow.__file__).resolve().parents[1]
        if not (self._root / ".git").exists():
            raise ArgumentValueError(f"--vs commit:{name}: tritonflow is installed, not a git checkout")
        self._folder = tempfile.TemporaryDirectory(prefix="tritonflow-commit-")
        self._tree = Path(self._folder.name) / "tree"
        done = self._git("worktree", "add", "--detach", str(self._tree), name)
        if done.returncode:
            self._folder.cleanup()
            raise ArgumentValueError(f"--vs commit:{name}: {done.stderr.strip().splitlines()[-1]}")
        self._log = open(Path(self._folder.name) / "log", "w+")
        command = [sys.executable, str(WORKER), str(self._tree), json.dumps(request)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log, text=True)

    def _git(self, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(["git", "-C", str(self._root), *command], capture_output=True, text=True)

    def build(self, label: str) -> bool:
        """Prepare a case; whether that commit has it.

        Raises:
            RuntimeError: it fails there.
        """
        return bool(self._ask({"build": label}))

    def burst(self, count: int) -> float:
        """Seconds of a call of the case that was prepared."""
        return float(self._ask({"count": count}))

    def _ask(self, message: dict[str, Any]) -> Any:
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            self._log.seek(0)
            raise RuntimeError(f"the process of the other commit ended: {self._log.read().strip()[-300:]}")
        answer = json.loads(line)
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer["value"]

    def close(self) -> None:
        """End the process, and take its tree away."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()
        self._log.close()
        self._git("worktree", "remove", "--force", str(self._tree))
        self._folder.cleanup()

    def __enter__(self) -> CommitProcess:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

"""`torch.utils.benchmark`: torch's own, whose statements see tritonflow as `torch` and run with as many threads of tritonflow."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import tritonflow as flow
from tritonflow.mock_torch.torch_names import shared_module
from tritonflow.settings import settings

_behind = vars(shared_module("torch.utils.benchmark"))
globals().update((name, value) for name, value in _behind.items() if not name.startswith("__"))


_TorchTimer: Any = _behind["Timer"]


@contextlib.contextmanager
def set_torch_threads(n: int) -> Iterator[None]:
    """A block with so many threads of tritonflow."""
    before = flow.get_num_threads()
    with settings.override(num_threads=n):
        flow.set_num_threads(n)
        try:
            yield
        finally:
            flow.set_num_threads(before)


class Timer(_TorchTimer):  # type: ignore[misc]
    """torch's `Timer` of a statement in Python.

    Raises:
        NotImplementedError: a statement in C++, or counts of instructions.
    """

    def __init__(self, stmt: str = "pass", setup: str = "pass", global_setup: str = "", *args: Any, **options: Any) -> None:
        from tritonflow.mock_torch.torch_modules import torch_module

        if global_setup or str(options.get("language", "python")).lower().rpartition(".")[2] not in ("python", "py"):
            raise NotImplementedError("Timer(): statements in C++ are not in tritonflow; help: time a statement in Python")
        names = dict(options.pop("globals", None) or {})
        names.setdefault("torch", torch_module("torch"))
        super().__init__(stmt, setup, global_setup, *args, globals=names, **options)

    def timeit(self, number: int = 1000000) -> Any:
        """The mean time of so many runs."""
        with set_torch_threads(self._task_spec.num_threads):
            return super().timeit(number)

    def blocked_autorange(self, *args: Any, **options: Any) -> Any:
        """Times of blocks of runs, for at least `min_run_time` seconds."""
        with set_torch_threads(self._task_spec.num_threads):
            return super().blocked_autorange(*args, **options)

    def adaptive_autorange(self, *args: Any, **options: Any) -> Any:
        """Times until their spread is small."""
        with set_torch_threads(self._task_spec.num_threads):
            return super().adaptive_autorange(*args, **options)

    def collect_callgrind(self, *args: Any, **options: Any) -> Any:
        """Refused."""
        text = "Timer.collect_callgrind(): instructions are not counted; help: blocked_autorange() measures time"
        raise NotImplementedError(text)

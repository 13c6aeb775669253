"""Error words on a GPU: who set one is found out at the next synchronisation, without waiting before.

Every op that checks indices or divisors has a word of its own, cut from one piece of memory; a program has a piece with a word for
each of its checks, the same in every run. At a synchronisation all of them are read; the first that is set names the op
and the line that issued it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from tritonflow.device import torch_cuda, torch_memory
from tritonflow.device.program import Check

if TYPE_CHECKING:
    from torch import Tensor as TorchTensor

_WORDS = 4096


class DeviceErrorWords:
    """The error words of one GPU.

    Args:
        index: which GPU.
        stream: the compute stream; the words are read behind what was launched on it. wait: waits for every stream.
    """

    deferred = True

    def __init__(self, index: int, stream: Any, wait: Callable[[], None]) -> None:
        self._index = index
        self._stream = stream
        self._wait = wait
        self._words: TorchTensor | None = None
        self._pending: list[Check] = []
        self._programs: dict[CudaProgramErrorWords, None] = {}

    @property
    def ptr(self) -> int:
        """The address of the word of the op that is being launched."""
        if self._words is None:
            self._words = self.allocate(_WORDS)
        return self._words.data_ptr() + 4 * len(self._pending)

    def note(self, message: str, source_line: Callable[[], str], error: type[Exception]) -> None:
        """An op that may set the current word was launched; the next op has the next word."""
        self._pending.append(Check(message, error, source_line))
        if len(self._pending) == _WORDS:
            self.raise_pending()

    def note_program(self, program: CudaProgramErrorWords) -> None:
        """A program that may set its words was launched."""
        self._programs[program] = None

    def take(self) -> int:
        """Nothing is known before a synchronisation."""
        return 0

    def raise_pending(self) -> None:
        """Wait for what was noted so far, and raise for the first whose word is set: of ops, then of programs."""
        noted = [(program.words, program.checks) for program in self._programs]
        if self._pending and self._words is not None:  # ops on empty tensors launch nothing
            noted.insert(0, (self._words, self._pending))
        self._pending, self._programs = [], {}
        if noted:
            self._wait()
        failed = [check for words, checks in noted for check in self._take(words, checks)]
        if failed:
            raise failed[0].failure()

    def _take(self, words: TorchTensor, checks: Sequence[Check]) -> list[Check]:
        """The checks whose words are set, which are 0 afterwards."""
        with torch_cuda.runtime.on_stream(self._stream):
            values = words[: len(checks)].cpu().tolist()
            if any(values):
                words.copy_(torch_memory.zero_words(len(words)))
        return [check for value, check in zip(values, checks) if value]

    def allocate(self, count: int) -> TorchTensor:
        """Words, all 0."""
        storage = torch_cuda.runtime.storage(4 * count, self._index)
        words = torch_memory.words(storage, count)
        with torch_cuda.runtime.on_stream(self._stream):
            words.copy_(torch_memory.zero_words(count))
        return words


class CudaProgramErrorWords:
    """The error words of a program, at the same addresses in every run."""

    def __init__(self, device: DeviceErrorWords, checks: Sequence[Check]) -> None:
        self.checks = checks
        self.words = device.allocate(max(len(checks), 1))
        self.ptr = self.words.data_ptr()
        self._device = device

    def look(self) -> None:
        """Let the next synchronisation look."""
        if self.checks:
            self._device.note_program(self)

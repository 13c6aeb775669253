"""Error words on a GPU: who set one is found out at the next synchronisation, without waiting before.

Every op that checks indices or divisors has a word of its own, cut from pieces of memory, of which there are more where nobody
synchronises for long. A program has a piece with a word for each of its checks, the same in every run. At a synchronisation those
of what was launched are read; the first that is set names the op and the line that issued it.

A thread has a word to itself from the moment it asks for its address until it notes the op that was launched with it.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from tritonflow.device import torch_cuda, torch_memory
from tritonflow.device.program import Check

if TYPE_CHECKING:
    from torch import Tensor as TorchTensor

_WORDS = 4096  # of a piece
_PIECES = 64  # the most that there are: behind so many checked ops the host waits
Pieces = list[tuple[int, int]]  # of device memory: address and bytes


class Noted(NamedTuple):
    """Words of one piece of memory that launches may have set.

    Attributes:
        words: the piece.
        checks: by the number of the word in it, what it means that it is set.
        first: the number of the piece's first word among those of ops; None for a program's.
    """

    words: TorchTensor
    checks: Sequence[tuple[int, Check]]
    first: int | None = None

    @property
    def range(self) -> tuple[int, int]:
        """The first of the numbers, and the one behind the last."""
        numbers = [number for number, _ in self.checks]
        return min(numbers), max(numbers) + 1

    def piece(self) -> tuple[int, int]:
        """The memory that the words are in."""
        first, end = self.range
        return self.words.data_ptr() + 4 * first, 4 * (end - first)

    def failed(self, values: bytes) -> list[tuple[int, Check]]:
        """Those whose words are set, if the memory of `piece` has these bytes."""
        if values.count(0) == len(values):
            return []
        first, _ = self.range
        found = memoryview(values).cast("i")
        return [(number, check) for number, check in self.checks if found[number - first]]


class _OwnWord(threading.local):
    """The number of the word that a thread has to itself."""

    number: int | None = None


class DeviceErrorWords:
    """The error words of one GPU.

    Args:
        index: which GPU.
        stream: on which words are set to 0; the host waits for it, so it has little to do.
        fetch: waits for everything launched on the device, and returns the bytes of pieces of its memory.
    """

    deferred = True

    def __init__(self, index: int, stream: Any, fetch: Callable[[Pieces], list[bytes]]) -> None:
        self._index = index
        self._stream = stream
        self._fetch = fetch
        self._lock = threading.RLock()  # a finalizer that computes may run while it is held
        self._pieces: list[TorchTensor] = []  # word k is in piece k // _WORDS
        self._addresses: list[int] = []  # of these
        self._own = _OwnWord()
        self._free: deque[int] = deque()  # those used longest ago first, so that those of ops in a row lie in a row
        self._pending: list[tuple[int, Check]] = []
        self._programs: dict[CudaProgramErrorWords, None] = {}

    @property
    def ptr(self) -> int:
        """The address of the word of the op that this thread launches."""
        number = self._own.number
        if number is None:
            number = self._own.number = self._take_word()
        piece, word = divmod(number, _WORDS)
        return self._addresses[piece] + 4 * word

    def _take_word(self) -> int:
        while True:
            try:
                return self._free.popleft()
            except IndexError:
                if not self._grow():
                    self.raise_pending()

    def _grow(self) -> bool:
        """Make a piece more; False if there are as many as there may be."""
        with self._lock:
            if self._free:  # another thread made one
                return True
            if len(self._pieces) == _PIECES:
                return False
            words = self.allocate(_WORDS)
            first = _WORDS * len(self._pieces)  # a finalizer may have made one meanwhile
            self._pieces.append(words)
            self._addresses.append(words.data_ptr())
            self._free.extend(range(first, first + _WORDS))
            return True

    def note(self, message: str, source_line: Callable[[], str], error: type[Exception]) -> None:
        """An op that may set this thread's word was launched; the next op has another word."""
        number = self._own.number
        if number is None:  # it launched nothing, as an op on empty tensors
            return
        self._own.number = None
        with self._lock:
            self._pending.append((number, Check(message, error, source_line)))
        if not self._free and len(self._pieces) == _PIECES:
            self.raise_pending()

    def note_program(self, program: CudaProgramErrorWords) -> None:
        """A program that may set its words was launched."""
        with self._lock:
            self._programs[program] = None

    def take(self) -> int:
        """Nothing is known before a synchronisation."""
        return 0

    def raise_pending(self) -> None:
        """Wait for what was noted so far, and raise for the first whose word is set: of ops, then of programs."""
        noted = self.collect()
        if noted:
            self.finish(noted, self._fetch([each.piece() for each in noted]))

    def collect(self) -> list[Noted]:
        """What was noted so far, which is for the caller to `finish`."""
        if not self._pending and not self._programs:
            return []
        with self._lock:
            pending, programs, self._pending, self._programs = self._pending, self._programs, [], {}
        noted = [Noted(program.words, program.checks) for program in programs]
        ops = []  # in order: who failed first is told of
        for piece, group in groupby(pending, lambda each: each[0] // _WORDS):
            first = _WORDS * piece
            ops.append(Noted(self._pieces[piece], [(number - first, check) for number, check in group], first))
        return ops + noted

    def finish(self, noted: list[Noted], values: list[bytes]) -> None:
        """Raise for the first word that is set, if the memory of what was noted has these bytes. The words are free again."""
        failed = [found for each, read in zip(noted, values) for found in self._failed(each, read)]
        for each in noted:
            if each.first is not None:
                self._free.extend(each.first + number for number, _ in each.checks)
        if failed:
            raise failed[0].failure()

    def _failed(self, noted: Noted, values: bytes) -> list[Check]:
        """The checks whose words are set, which are 0 afterwards."""
        failed = noted.failed(values)
        for number, _ in failed:
            with torch_cuda.runtime.on_stream(self._stream):
                torch_cuda.runtime.copy(noted.words[number : number + 1], torch_memory.zero_words(1))
        return [check for _, check in failed]

    def allocate(self, count: int) -> TorchTensor:
        """Words, all 0 when this returns: launches on any stream may set them."""
        runtime = torch_cuda.runtime
        with runtime.on_stream(self._stream):
            words = torch_memory.words(runtime.storage(4 * count, self._index), count)
            runtime.clear(words)
            cleared = runtime.event()
            cleared.record(self._stream)
        cleared.synchronize()
        return words


class CudaProgramErrorWords:
    """The error words of a program, at the same addresses in every run."""

    deferred = True

    def __init__(self, device: DeviceErrorWords, checks: Sequence[Check]) -> None:
        self.checks = list(enumerate(checks))
        self.words = device.allocate(max(len(checks), 1))
        self.ptr = self.words.data_ptr()
        self._device = device

    def look(self) -> None:
        """Let the next synchronisation look."""
        if self.checks:
            self._device.note_program(self)

"""Error words on a GPU: who set one is found out at the next synchronisation, without waiting before.

Every op that checks indices or divisors has a word of its own, cut from one piece of memory. At a synchronisation all of them are
read at once; the first that is set names the op and the line that issued it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from tritonflow.device import torch_cuda

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
        self._words: torch.Tensor | None = None
        self._pending: list[tuple[str, Callable[[], str], type[Exception]]] = []

    @property
    def ptr(self) -> int:
        """The address of the word of the op that is being launched."""
        if self._words is None:
            self._words = self._allocate()
        return self._words.data_ptr() + 4 * len(self._pending)

    def note(self, message: str, place: Callable[[], str], error: type[Exception]) -> None:
        """An op that may set the current word was launched; the next op has the next word."""
        self._pending.append((message, place, error))
        if len(self._pending) == _WORDS:
            self.raise_pending()

    def take(self) -> int:
        """Nothing is known before a synchronisation."""
        return 0

    def raise_pending(self) -> None:
        """Wait for the ops noted so far, and raise for the first whose word is set."""
        pending, self._pending = self._pending, []
        if not pending or self._words is None:  # ops on empty tensors launch nothing
            return
        self._wait()
        with torch_cuda.runtime.on_stream(self._stream):
            values = self._words[: len(pending)].cpu().tolist()
            if any(values):
                self._words.copy_(_zeros())
        for value, (message, place, error) in zip(values, pending):
            if value:
                raise error(f"{message} (in an op issued at {place()})")

    def _allocate(self) -> torch.Tensor:
        storage = torch_cuda.runtime.storage(4 * _WORDS, self._index)
        words = torch.empty(0, dtype=torch.int32, device=storage.device).set_(storage, 0, (_WORDS,))
        with torch_cuda.runtime.on_stream(self._stream):
            words.copy_(_zeros())
        return words


def _zeros() -> torch.Tensor:
    return torch.frombuffer(bytearray(4 * _WORDS), dtype=torch.int32)

"""Futures of `torch.futures`: values that come later."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import GenericAlias
from typing import Any


class Future:
    """A value that somebody sets.

    What a collective gives is set at once: its tensors may be used, since what reads them waits for them.
    """

    __class_getitem__: Any = classmethod(GenericAlias)  # programs annotate `Future[Tensor]`

    def __init__(self, *, devices: Any = None) -> None:
        self._changed = threading.Condition()
        self._done = False
        self._value: Any = None
        self._error: BaseException | None = None
        self._callbacks: list[Callable[[Future], Any]] = []

    def done(self) -> bool:
        """Whether there is a value or an exception."""
        return self._done

    def wait(self) -> Any:
        """The value, when it has come; or its exception is raised."""
        with self._changed:
            self._changed.wait_for(self.done)
        return self.value()

    def value(self) -> Any:
        """The value, which has come; or its exception is raised."""
        if not self._done:
            raise RuntimeError("the future has no value yet; help: wait()")
        if self._error is not None:
            raise self._error
        return self._value

    def set_result(self, result: Any) -> None:
        """Give it its value, once."""
        self._set(result, None)

    def set_exception(self, result: BaseException) -> None:
        """Give it an exception in place of a value."""
        self._set(None, result)

    def then(self, callback: Callable[[Future], Any]) -> Future:
        """A future of what the callback makes of this one, when it is done."""
        later = Future()

        def run(done: Future) -> None:
            try:
                later.set_result(callback(done))
            except Exception as error:
                later.set_exception(error)

        self.add_done_callback(run)
        return later

    def add_done_callback(self, callback: Callable[[Future], None]) -> None:
        """Call a function with this future when it is done, or now if it is."""
        with self._changed:
            if not self._done:
                self._callbacks.append(callback)
                return
        callback(self)

    def _set(self, value: Any, error: BaseException | None) -> None:
        with self._changed:
            if self._done:
                raise RuntimeError("the future has a value already")
            self._value, self._error, self._done = value, error, True
            self._changed.notify_all()
        for callback in self._callbacks:
            callback(self)


def collect_all(futures: list[Future]) -> Future:
    """A future of the list of futures, when all are done."""
    together = Future()
    left = [len(futures)]
    lock = threading.Lock()

    def count(done: Future) -> None:
        with lock:
            left[0] -= 1
            last = not left[0]
        if last:
            together.set_result(futures)

    for future in futures:
        future.add_done_callback(count)
    if not futures:
        together.set_result(futures)
    return together


def wait_all(futures: list[Future]) -> list[Any]:
    """The values of all, when they have come."""
    return [future.wait() for future in futures]

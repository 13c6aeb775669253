"""Couriers: threads that sit in calls which nothing can interrupt, for threads that must be able to leave.

A call into gloo ends when its peer answers, or never, unless its connections can be cut. So the program's thread makes none. It
hands the call to a courier and waits for a gate. The courier opens it behind the call, the sentinel when the world has failed.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any


class Errand:
    """One call, and who waits for it."""

    __slots__ = ("call", "done", "result", "error", "_gate", "_over")

    def __init__(self, call: Callable[[], Any]) -> None:
        self.call: Callable[[], Any] | None = call
        self.done = False
        self.result: Any = None
        self.error: BaseException | None = None
        self._over = threading.Event()
        self._gate = threading.Lock()
        self._gate.acquire()

    def open(self) -> None:
        """Let who waits go on. Any thread may call it, several times."""
        with contextlib.suppress(RuntimeError):  # it is open
            self._gate.release()

    def wait(self) -> bool:
        """Wait for the call or the sentinel; whether the call has ended. Ctrl-C ends the wait."""
        self._gate.acquire()
        return self.done

    def ended(self, seconds: float) -> bool:
        """Wait for the call alone, for a while; whether it has ended."""
        return self._over.wait(seconds)

    def run(self) -> None:
        """Make the call, in the courier."""
        assert self.call is not None
        try:
            self.result = self.call()
        except BaseException as error:
            self.error = error
        self.call = None
        self.done = True
        self._over.set()
        self.open()


class Courier:
    """A thread that makes calls, one after another.

    Args:
        name: for people.
    """

    def __init__(self, name: str) -> None:
        self._errands: SimpleQueue[Errand | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._main, name=name, daemon=True)
        self._thread.start()

    def send(self, call: Callable[[], Any]) -> Errand:
        """Have a call made."""
        errand = Errand(call)
        self._errands.put(errand)
        return errand

    def stop(self) -> bool:
        """Let the thread end behind what it was given; whether it has."""
        self._errands.put(None)
        self._thread.join(1)
        return not self._thread.is_alive()

    def _main(self) -> None:
        while (errand := self._errands.get()) is not None:
            errand.run()
            del errand

"""Memory as the host reads and writes it: for the time of one access, or from now on, as `numpy()` and DLPack do."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import perf_counter_ns
from typing import Any, TypeVar
from weakref import WeakKeyDictionary, ref

from tritonflow.device.stream import Lane
from tritonflow.thread_state import slow_path
from tritonflow.vm.dependence import TrackedBlock, settle
from tritonflow.vm.engine import Blocks, Engine
from tritonflow.vm.instruction import Instruction

T = TypeVar("T")


class HostAccess:
    """The part of Machine that deals with accesses from the host."""

    engine: Engine
    forking: bool
    _shared: WeakKeyDictionary[TrackedBlock, ref[Any]]
    _sharing: bool
    _tickets: set[Lane]
    _let_fork: Callable[[], None]
    _wait: Callable[[dict[Lane, int], str], None]

    def access(
        self, const: Blocks, mut: Blocks, callback: Callable[[], T], *, name: str = "access", atomic: bool = False
    ) -> T:
        """Run a callback in this thread, with the memory of some blocks to itself: to read or write it from the host.

        Waits until the blocks may be accessed; returns what the callback returns.

        Args:
            const: blocks whose memory is read.
            mut: blocks whose memory is overwritten (in part: give them in `const` too).
            atomic: whether the callback holds the interpreter's lock from start to end, or nobody else can know the
                blocks yet. (ctypes' functions and numpy's copies let go of it.)

        Raises:
            the exception of the instruction that was to write one of `const` and failed.
        """
        if atomic and not slow_path.count:
            for block in (*const, *mut):
                owner = block.stream
                if owner is None or owner.asynchronous or not owner.immediate:
                    break  # a block fresh from the pool may still be in use by what is queued on its stream
            else:
                return callback()
        return self._access(const, mut, callback, name)

    def _access(self, const: Blocks, mut: Blocks, callback: Callable[[], T], name: str) -> T:
        if self.forking:
            self._let_fork()
        engine = self.engine
        timeline = engine.timeline
        issued_at = perf_counter_ns() if timeline is not None else 0
        ticket = Lane()
        waits: dict[Lane, int] = {}
        try:
            with engine.lock:
                self._tickets.add(ticket)
                waits = engine.collect(ticket, const, mut)
                engine.enter(ticket, const, mut)
            self._wait(waits, name)
            failure = engine.poison(const)
            if failure is not None:
                failure.throw()
            start = perf_counter_ns() if timeline is not None else 0
            result = callback()
            for block in mut:
                block.dependence.failure = None
            if timeline is not None:
                timeline.add(None, name, issued_at, start)
            return result
        finally:
            # An access that was given up still stands for what it was waiting for, until that is over.
            with engine.lock:
                engine.start(Instruction(None, partial(self._end_access, ticket, (*const, *mut)), waits, name))

    def _end_access(self, ticket: Lane, blocks: Blocks) -> None:
        """End an access from the host: those that wait for it are notified."""
        ticket.reached = 1
        self._tickets.discard(ticket)
        if ticket.waiters:
            self.engine.notify(ticket)
        for block in blocks:
            dependence = block.dependence
            if dependence is not None:
                if dependence.readers:
                    dependence.readers.pop(ticket, None)
                settle(block)

    def is_over(self, blocks: Blocks) -> bool:
        """Whether all that was issued with some blocks has run, on its device as well. Nothing waits."""
        with self.engine.lock:
            waits = self.engine.collect(Lane(), (), blocks)
            for block in blocks:
                if block.dependence is not None:
                    settle(block)
        return not waits

    def share(self, block: TrackedBlock, owner: Any = None) -> None:
        """From now on the host sees this block (`numpy()`, DLPack) and may write it. So what uses it is over when `issue` returns.

        Reads by a device are not waited for: its driver copies host memory before the launch returns.

        Args:
            owner: what the host holds as long as it sees the block, which is then reused; the block itself if None.
        """
        if not self._sees((block,)):
            self._shared[block] = ref(block if owner is None else owner)
            self._sharing = True

    def sees(self, block: TrackedBlock) -> bool:
        """Whether the host sees a block, and so may write it at any time."""
        return self._sees((block,))

    def _sees(self, blocks: Blocks) -> bool:
        """Whether the host sees one of these."""
        shared = self._shared
        return any((owner := shared.get(block)) is not None and owner() is not None for block in blocks)

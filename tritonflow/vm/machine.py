"""The virtual machine as its callers see it: issue instructions, access memory from the host, release it, wait.

There is no scheduler thread. The thread that issues an instruction finds out what it must wait for. If that is nothing, the
thread runs it. Otherwise the instruction goes to its stream's queue, and a worker runs it. If every operand belongs to the
stream, and the stream has nothing queued, `issue` is a loop over the operands and the call.

An operand in `const` is read, one in `mut` or `mut2` is overwritten. An operand that is read and written (an in-place op), or
written in part, is in both.
"""

from __future__ import annotations

import atexit
import threading
from collections.abc import Callable
from time import perf_counter_ns
from typing import Any
from weakref import WeakKeyDictionary, ref

from tritonflow import compilations
from tritonflow.device.provider import active_providers
from tritonflow.device.stream import AsyncStream, Lane, Stream, all_streams
from tritonflow.errors import ForkError
from tritonflow.settings import settings
from tritonflow.thread_state import enter_slow_path, leave_slow_path, slow_path
from tritonflow.vm import process
from tritonflow.vm.dependence import TrackedBlock, claimed, is_covered, is_over, settle, tail
from tritonflow.vm.engine import Blocks, Engine
from tritonflow.vm.failure import add_note, caller
from tritonflow.vm.host_access import HostAccess
from tritonflow.vm.instruction import FINISHED, Instruction
from tritonflow.vm.timeline import Timeline
from tritonflow.vm.waiting import lock_stream, wait
from tritonflow.vm.worker import Worker, working

Compute = Callable[[], Any]


class Mark:
    """A point in the order of a stream, made by `Machine.record`."""

    __slots__ = ("stream", "number")

    def __init__(self, stream: Stream, number: int) -> None:
        self.stream = stream
        self.number = number


class Machine(HostAccess):
    """A virtual machine. There is one, `machine`; tests make their own.

    Args:
        sync: run everything, and wait for it, at the call.
        watchdog: seconds without progress after which a waiting thread raises; 0: never.
        max_in_flight: queued instructions of one stream at which issuing waits until half of them are done.
        adopts: whether asynchronous streams that have seen nothing but the fast path are this machine's.
    """

    def __init__(
        self,
        *,
        sync: bool | None = None,
        watchdog: float | None = None,
        max_in_flight: int | None = None,
        adopts: bool = False,
    ) -> None:
        self.engine = Engine(self._wake)
        self.watchdog = settings.vm_watchdog if watchdog is None else watchdog
        self.max_in_flight = settings.vm_max_in_flight if max_in_flight is None else max_in_flight
        self._adopts = adopts
        self.alone = False  # no threads: every instruction runs, to its end, where it is issued
        self._closed = False
        self._forked = False
        self._sync = False
        self.fork_lock, self.forking = threading.RLock(), False  # held, and true, while a thread forks
        self._shared: WeakKeyDictionary[TrackedBlock, ref[Any]] = WeakKeyDictionary()  # as long as the other object lives
        self._sharing = False  # whether there is or was any
        self._tickets: set[Lane] = set()  # accesses from the host that are not over
        self.set_sync(settings.sync if sync is None else sync)
        process.machines.add(self)

    # -------------------------------------------------------------------------------------- issuing

    def issue(
        self,
        stream: Stream,
        compute: Compute | None,
        const: Blocks = (),
        mut: Blocks = (),
        mut2: Blocks = (),
        *,
        name: str = "",
        atomic: bool = True,
    ) -> Instruction:
        """Run `compute()` on a stream once its operands allow it: now if possible.

        Args:
            stream: the stream whose order it takes part in.
            compute: called without arguments. What it raises now comes out of this call; what it raises later poisons
                the written blocks, and is raised by the next synchronisation.
            const: blocks that are read.
            mut: blocks that are overwritten.
            mut2: blocks that are overwritten, with a shape that is known only afterwards.
            name: for the timeline and for error texts.
            atomic: whether it holds the interpreter's lock from start to end (or only launches).

        Returns:
            The instruction; `FINISHED` if it has run already.
        """
        if atomic and stream.immediate and not slow_path.count and compute is not None:
            for block in const:
                if block.stream is not stream:
                    break
            else:
                for block in mut:
                    if block.stream is not stream:
                        break
                else:
                    for block in mut2:
                        if block.stream is not stream:
                            break
                    else:
                        compute()
                        return FINISHED
        written = (*mut, *mut2) if mut2 else mut
        if not slow_path.count and compute is not None and self._run_unqueued(stream, compute, const, written, atomic):
            return FINISHED
        return self._issue(stream, compute, const, written, name, atomic, {})

    def run_now(self, stream: Stream, compute: Compute, const: Blocks, mut: Blocks) -> bool:
        """Run an instruction in this thread if it need not wait for anything; whether it has run. It need not be atomic."""
        if slow_path.count or stream.asynchronous or not stream.immediate:
            return False
        for block in (*const, *mut):
            if block.stream is None:
                with self.engine.lock:
                    if block.dependence is not None:
                        settle(block)
        return self._run_claiming(stream, compute, const, mut)

    def _run_unqueued(self, stream: Stream, compute: Compute, const: Blocks, mut: Blocks, atomic: bool) -> bool:
        """Run an instruction at once, without the queue, if no other stream has its operands: it is atomic, or it claims them."""
        if stream.asynchronous or stream.queue:
            return False
        if not atomic:
            return stream.immediate and self._run_claiming(stream, compute, const, mut)
        if stream.claim is None:
            return False
        for block in (*const, *mut):
            if block.stream is not stream or claimed(stream, block) is not None:
                return False
        compute()
        return True

    def _run_claiming(self, stream: Stream, compute: Compute, const: Blocks, mut: Blocks) -> bool:
        """Run an instruction that is not atomic, if its stream is free and no other stream has its operands."""
        if self.forking or not stream.lock.acquire(False):
            return False
        engine, nested = self.engine, stream.claim
        stream.machine = self
        try:
            with engine.lock:
                mine = engine.claim(stream, const, mut)
            if mine:
                compute()
            return mine
        finally:
            if stream.claim is not nested:
                with engine.lock:
                    engine.unclaim(stream)
                    if engine.released:
                        engine.drain()
            stream.lock.release()

    def _issue(
        self,
        stream: Stream,
        compute: Compute | None,
        const: Blocks,
        mut: Blocks,
        name: str,
        atomic: bool,
        extra: dict[Lane, int],
    ) -> Instruction:
        """`issue` where something is unsettled, large, or watched."""
        if stream.machine is not self:
            stream.machine = self
        if self._forked and stream.asynchronous:
            raise ForkError(
                "Cannot re-initialize CUDA in forked subprocess; start processes with 'spawn' to use CUDA there"
            )
        if self.forking:
            self._let_fork()
        issued_at = perf_counter_ns() if self.engine.timeline is not None else 0
        why = name or "issuing an instruction"
        instruction = None
        while instruction is None:
            if not self.alone and (stream.queue or not stream.inline):
                with self.engine.lock:
                    waits = self._collect(stream, const, mut, extra)
                    instruction = self._enqueue(stream, compute, const, mut, waits, name, issued_at)
                break
            if not stream.lock.acquire(False):
                lock_stream(stream, self.watchdog)
            try:
                waits, instruction = self._attempt(stream, compute, const, mut, name, atomic, extra, issued_at)
            finally:
                stream.lock.release()
            if instruction is FINISHED:
                return FINISHED
            if instruction is None:
                self._wait(waits, why)
        if stream.issued - stream.reached > self.max_in_flight and working.stream is None:
            self._wait({stream: stream.issued - self.max_in_flight // 2}, f"{why} (too many instructions in flight)")
        if self._sharing and (self._sees(mut) or not stream.asynchronous and self._sees(const)):
            self._wait({stream: instruction.number}, f"{why} (it uses memory that the host sees)")
        return instruction

    def _attempt(
        self,
        stream: Stream,
        compute: Compute | None,
        const: Blocks,
        mut: Blocks,
        name: str,
        atomic: bool,
        extra: dict[Lane, int],
        issued_at: int,
    ) -> tuple[dict[Lane, int], Instruction | None]:
        """Run an instruction in this thread, which holds the stream's lock, or queue it if it has to wait.

        Alone there is no queue: if another thread is using an operand just now, the caller has to wait and try again.
        If others can run meanwhile, the operands are `marked` as in use, so that they miss the fast path. Inside of
        another instruction of the same stream (a finalizer that computes) they are not: its marks are still up.
        """
        engine = self.engine
        marked = runs = done = False
        try:
            with engine.lock:  # from finding what it waits for to entering its accesses
                waits = self._collect(stream, const, mut, extra)
                if stream.queue or not engine.startable(stream, waits):
                    if self.alone:
                        return waits, None
                    return waits, self._enqueue(stream, compute, const, mut, waits, name, issued_at)
                marked = (stream.asynchronous or not atomic) and stream.reached == stream.issued
                runs = engine.begin(stream, const, mut, waits, marked)
            if runs:
                start = perf_counter_ns() if issued_at else 0
                if compute is not None:
                    compute()
                if self._sync and isinstance(stream, AsyncStream):
                    stream.record().synchronize()
                if issued_at and engine.timeline is not None:
                    engine.timeline.add(stream, name, issued_at, start)
                done = True
            return waits, FINISHED
        finally:
            if marked or runs:
                with engine.lock:
                    engine.end(stream, const, mut, marked, done)
                    if engine.released:
                        engine.drain()

    def _let_fork(self) -> None:
        """Another thread is about to fork: wait until it has. Workers finish what they have begun."""
        if working.stream is None:
            with self.fork_lock:
                pass

    def _collect(self, stream: Stream, const: Blocks, mut: Blocks, extra: dict[Lane, int]) -> dict[Lane, int]:
        """What an instruction must wait for. `extra` has waits that come from no operand."""
        waits = self.engine.collect(stream, const, mut)
        if not extra:
            return waits
        for lane, number in extra.items():
            if lane is not stream and waits.get(lane, 0) < number and not is_covered(lane, number, stream):
                waits[lane] = number
        return waits

    def _enqueue(
        self,
        stream: Stream,
        compute: Compute | None,
        const: Blocks,
        mut: Blocks,
        waits: dict[Lane, int],
        name: str,
        issued_at: int,
    ) -> Instruction:
        """Put an instruction into the stream's queue, for its worker. The engine's lock is held."""
        engine = self.engine
        instruction = engine.enqueue(
            stream, compute, const, mut, waits=waits, name=name, source_line=caller(4), issued_at=issued_at
        )
        if stream.worker is None:
            stream.worker = Worker(engine, stream)
        else:
            stream.worker.wake()
        if engine.released:
            engine.drain()
        return instruction

    # -------------------------------------------------------------------------------------- memory

    def release(self, block: TrackedBlock) -> None:
        """Bring a block back to its free list once nothing uses it any more.

        For destructors: called from any thread, from garbage collection in the middle of anything, while the
        interpreter shuts down; never waits.
        """
        engine = self.engine
        engine.released.append(block)
        if engine.lock.acquire(False):
            try:
                engine.drain()
            finally:
                engine.lock.release()

    def reclaim(self) -> None:
        """Bring back the blocks whose last access is over by now, before more memory is asked for."""
        with self.engine.lock:
            self.engine.drain()

    def allocate(self, stream: Stream, block: TrackedBlock) -> Instruction:
        """Make a block usable on a stream, behind its users on other streams."""
        return self.issue(stream, None, (), (block,), name="allocate")

    # -------------------------------------------------------------------------------------- order

    def record(self, stream: Stream) -> Mark:
        """Mark the point that a stream has come to by what was issued so far."""
        with self.engine.lock:
            number = tail(stream)
            if isinstance(stream, AsyncStream) and stream.reached >= number:
                stream.event_after(number)
            return Mark(stream, number)

    def wait(self, stream: Stream, mark: Mark) -> Instruction:
        """Order everything issued on a stream from now on behind a mark."""
        return self._issue(stream, None, (), (), "wait", True, {mark.stream: mark.number})

    def issue_behind(
        self, mark: Mark, stream: Stream, compute: Compute, const: Blocks = (), mut: Blocks = (), *, name: str = ""
    ) -> Instruction:
        """`issue` an instruction that is not atomic, which waits for a mark besides its operands."""
        return self._issue(stream, compute, const, mut, name, False, {mark.stream: mark.number})

    def synchronize(self, mark: Mark) -> None:
        """Wait, in this thread, until a mark is passed, on the device too."""
        if not is_over(mark.stream, mark.number):
            self._wait({mark.stream: mark.number}, "synchronize()")

    def barrier(self, *streams: Stream) -> None:
        """Order everything issued from now on, on these streams, behind everything issued on them before.

        Without arguments: on all streams. Returns at once.
        """
        chosen = streams or tuple(self.streams())
        with self.engine.lock:
            tails: dict[Lane, int] = {stream: tail(stream) for stream in chosen}
        for stream in chosen:
            self._issue(stream, None, (), (), "barrier", True, tails)

    def run_lazy_job(
        self, stream: Stream, job: Compute, const: Blocks, mut: Blocks, name: str = "job", atomic: bool = False
    ) -> Instruction:
        """Run a graph's executable as one instruction; `atomic` as in `issue`."""
        return self.issue(stream, job, const, mut, name=name, atomic=atomic)

    # -------------------------------------------------------------------------------------- waiting

    def _wake(self, stream: Stream) -> None:
        worker = stream.worker
        if worker is not None:
            worker.wake()

    def streams(self) -> list[Stream]:
        """The streams of this machine that may have something outstanding."""
        adopts = self._adopts
        return [s for s in all_streams() if s.machine is self or (adopts and s.machine is None and s.asynchronous)]

    def sync(self) -> None:
        """Wait until everything issued so far is over, and raise the first failure that nobody has been told of."""
        self.drain("sync()", self.streams())
        failures, self.engine.failures = self.engine.failures, []
        untold = [failure for failure in failures if not failure.told]
        for failure in untold:
            failure.told = True
        if untold:
            if len(untold) > 1:
                add_note(untold[0].error, f"(the first of {len(untold)} failures since the last synchronisation)")
            untold[0].throw()

    def global_sync(self, meet: Callable[[], None] | None = None) -> None:
        """Wait for everything here, then `meet` the other ranks (a barrier of the process group)."""
        self.sync()
        if meet is not None:
            meet()

    def _wait(self, waits: dict[Lane, int], why: str) -> None:
        if waits:
            wait(self.engine, self.streams, waits, self.watchdog, why)

    def drain(self, why: str, streams: list[Stream]) -> None:
        """Wait until everything issued on some streams so far is over. Failures stay for `sync`."""
        with self.engine.lock:
            tails: dict[Lane, int] = {stream: tail(stream) for stream in streams}
        self._wait({lane: number for lane, number in tails.items() if not is_over(lane, number)}, why)
        self.reclaim()

    # -------------------------------------------------------------------------------------- modes

    def set_sync(self, sync: bool) -> None:
        """Run everything, and wait for it, at the call that issues it; or no longer."""
        if sync == self._sync:
            return
        if sync:
            self.drain("set_sync()", self.streams())
            enter_slow_path()
        else:
            leave_slow_path()
        self._sync = sync
        self.alone = sync or self._closed

    def start_timeline(self) -> Timeline:
        """Record every instruction from now on."""
        if self.engine.timeline is None:
            self.engine.timeline = Timeline()
            compilations.listeners.append(self.engine.timeline.compiled)
            enter_slow_path()
        return self.engine.timeline

    def stop_timeline(self) -> Timeline:
        """Record no longer; returns what was recorded, once it is complete."""
        self.drain("stop_timeline()", self.streams())
        timeline = self.engine.timeline
        if timeline is None:
            raise RuntimeError("stop_timeline(): no timeline is being recorded; call start_timeline() first")
        self.engine.timeline = None
        compilations.listeners.remove(timeline.compiled)
        leave_slow_path()
        return timeline

    def close(self) -> None:
        """Let what is queued finish and the threads end; later instructions run where they are issued."""
        if self._closed:
            return
        hosts = [stream for stream in self.streams() if not stream.asynchronous or stream.queue]
        self.drain("exit", [stream for stream in hosts if not stream.asynchronous])
        self._closed = self.alone = True
        for stream in hosts:
            worker = stream.worker
            if worker is not None:
                worker.stop()

    def restart(self) -> None:
        """For a forked child, which has only the thread that forked: that thread runs everything. Unfinished work is dropped."""
        self.engine.lock = threading.RLock()
        self.fork_lock, self.forking = threading.RLock(), False
        self.alone = self._closed = self._forked = True
        for stream in self.streams():
            stream.restart()
        for ticket in self._tickets:
            ticket.reached = ticket.issued
        self._tickets.clear()
        self.engine.reset()


machine = Machine(adopts=True)


def _at_exit() -> None:
    path = settings.vm_timeline
    machine.close()
    if path is not None and machine.engine.timeline is not None:
        machine.stop_timeline().export(path)
    process.report(machine.engine.failures)
    if not machine._forked:
        process.report_unread([provider.error_word.raise_pending for provider in active_providers()])


if settings.vm_timeline is not None:
    machine.start_timeline()
atexit.register(_at_exit)

"""What may run: queues, waits, releases. No threads here; whoever runs instructions calls, and the tests do so by hand.

    instruction = engine.enqueue(stream, compute, const, mut)   enters its accesses, puts it at the end of the queue
    engine.ready(instruction)                                   at the head of its queue: may it run now?
    engine.run(instruction)                                     computes; or skips it and passes the poison on
    engine.finish(instruction)                                  takes it from the queue, pokes who waited for it

`lock` guards the queues and the dependences. It is reentrant: the garbage collector may run a finalizer that issues
instructions in the middle of any of this. Hence numbers are taken last, see `enter`.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, cast

from tritonflow.device.stream import AsyncStream, Claim, Event, Lane, Stream
from tritonflow.vm.dependence import TrackedBlock, claimed, has_run, is_over, settle, track
from tritonflow.vm.failure import Failure, SourceLine
from tritonflow.vm.instruction import Instruction
from tritonflow.vm.timeline import Timeline

Blocks = Sequence[TrackedBlock]
_FAILURES_KEPT = 100


class Engine:
    """The state of a VM.

    Args:
        wake: called with a stream whose queue has an instruction that may have become ready.
    """

    def __init__(self, wake: Callable[[Stream], None] = lambda stream: None) -> None:
        self.lock = threading.RLock()
        self.wake = wake
        self.failures: list[Failure] = []
        self.timeline: Timeline | None = None
        self.released: deque[TrackedBlock] = deque()
        self._polled: list[tuple[Instruction, list[Event]]] = []

    # -------------------------------------------------------------------------------------- order

    def collect(self, lane: Lane, const: Blocks, mut: Blocks) -> dict[Lane, int]:
        """What an access on `lane` must wait for, besides the lane's own order: the last number of each other lane."""
        waits: dict[Lane, int] = {}
        waited = lane.waited if isinstance(lane, AsyncStream) else waits
        for blocks, writes in ((const, False), (mut, True)):
            for block in blocks:
                owner = block.stream
                if owner is lane:
                    continue
                if owner is None and block.dependence is None:
                    continue
                if owner is not None and not owner.asynchronous and claimed(owner, block) is None:
                    continue
                for other, number in track(block, lane).accesses(readers=writes):
                    if other is lane or waits.get(other, 0) >= number or waited.get(other, 0) >= number:
                        continue
                    if not is_over(other, number):
                        waits[other] = number
        return waits

    def startable(self, stream: Stream, waits: dict[Lane, int]) -> bool:
        """Whether an instruction with these waits can start now, at most making the device wait."""
        for lane, number in waits.items():
            if not has_run(lane, number) or (lane.asynchronous and not stream.asynchronous):
                return False
        return True

    def enter(self, lane: Lane, const: Blocks, mut: Blocks) -> None:
        """Enter the next instruction of `lane` as a user of its operands, and take its number.

        The number is taken at the very end, in a statement that neither a signal nor another thread can split. An
        interrupt before that leaves accesses with a number that nobody has, which count as over (`has_run`).
        """
        while True:
            number = lane.issued + 1
            for block in const:
                (block.dependence or track(block, lane)).read(lane, number)
            for block in mut:
                (block.dependence or track(block, lane)).write(lane, number)
            if lane.issued == number - 1:  # else a finalizer has issued something here in the meantime
                lane.issued = number
                return

    def enqueue(
        self,
        stream: Stream,
        compute: Callable[[], Any] | None,
        const: Blocks = (),
        mut: Blocks = (),
        *,
        waits: dict[Lane, int] | None = None,
        name: str = "",
        source_line: SourceLine | None = None,
        issued_at: int = 0,
    ) -> Instruction:
        """Put an instruction at the end of a stream's queue."""
        if waits is None:
            waits = self.collect(stream, const, mut)
        instruction = Instruction(stream, compute, waits, name, source_line)
        instruction.issued_at = issued_at
        instruction.reads = reads = tuple([block.dependence or track(block, stream) for block in const])
        instruction.writes = writes = tuple([block.dependence or track(block, stream) for block in mut])
        append = stream.queue.append
        while True:
            instruction.number = number = stream.issued + 1
            for dependence in reads:
                dependence.read(stream, number)
            for dependence in writes:
                dependence.write(stream, number)
            if stream.issued == number - 1:  # as in `enter`
                break
        stream.immediate = False
        stream.issued = number
        append(instruction)
        return instruction

    def begin(self, stream: Stream, const: Blocks, mut: Blocks, waits: dict[Lane, int], marked: bool) -> bool:
        """Start an instruction in the issuing thread; False if an operand is poisoned, and with it what it writes."""
        if waits and isinstance(stream, AsyncStream):
            for lane, number in waits.items():
                assert isinstance(lane, AsyncStream)  # startable
                stream.wait_for(lane, number)
        for block in const:
            dependence = block.dependence
            if dependence is not None and dependence.failure is not None:
                for written in mut:
                    track(written, stream).failure = dependence.failure
                return False
        if marked:
            self.enter(stream, const, mut)
        return True

    def end(self, stream: Stream, const: Blocks, mut: Blocks, marked: bool, done: bool) -> None:
        """It has run: count it, heal what it overwrote, and give its operands back to the fast path."""
        if marked:
            self._reach(stream)
        for block in mut:
            dependence = block.dependence
            if dependence is not None:
                if done:
                    dependence.failure = None
                settle(block)
        for block in const:
            if block.dependence is not None:
                settle(block)

    def poison(self, blocks: Blocks) -> Failure | None:
        """The failure that left one of these blocks without a value."""
        for block in blocks:
            dependence = block.dependence
            if dependence is not None and dependence.failure is not None:
                return cast(Failure, dependence.failure)
        return None

    def claim(self, stream: Stream, const: Blocks, mut: Blocks) -> bool:
        """Enter the next instruction of a stream as the user of blocks, if it has all of them alone.

        This does for all what `enter` does for each, at a tenth of the price: a training step has hundreds.
        """
        if not stream.immediate:
            return False
        for blocks in (const, mut):
            for block in blocks:
                if block.stream is not stream:
                    return False
        while True:
            number = stream.issued + 1
            stream.claim = Claim(number, const, mut)
            stream.immediate = False
            if stream.issued == number - 1:  # as in `enter`
                stream.issued = number
                return True

    def unclaim(self, stream: Stream) -> None:
        """It has run."""
        stream.claim = None
        stream.immediate = not stream.queue
        self._reach(stream)

    def _reach(self, stream: Stream) -> None:
        """Count what has run in the issuing thread: all that is not queued."""
        stream.reached = stream.queue[0].number - 1 if stream.queue else stream.issued
        if stream.waiters:
            self.notify(stream)

    # -------------------------------------------------------------------------------------- running

    def ready(self, instruction: Instruction) -> bool:
        """Whether everything it waits for has run. If not it is entered as a waiter, and will be poked."""
        waits = instruction.waits
        while waits:
            lane, number = waits[-1]
            if not has_run(lane, number):
                entry = (number, instruction)
                if entry not in lane.waiters:
                    lane.waiters.append(entry)
                if not has_run(lane, number):  # else the lane has gone on before it could see the waiter
                    return False
            waits.pop()
        return True

    def order_device(self, instruction: Instruction) -> list[Event]:
        """Make an asynchronous stream wait on its device; for others, the events that the host must wait for."""
        events: list[Event] = []
        for lane, number in instruction.behind:
            assert isinstance(lane, AsyncStream)
            if isinstance(instruction.stream, AsyncStream):
                instruction.stream.wait_for(lane, number)
            elif not is_over(lane, number):
                events.append(lane.event_after(number))
        instruction.behind = []
        return events

    def run(self, instruction: Instruction) -> None:
        """Compute, unless an operand that it reads is poisoned; whatever goes wrong poisons what it writes."""
        failure: Failure | None = None
        for dependence in instruction.reads:
            if dependence.failure is not None:
                failure = dependence.failure
                break
        else:
            compute = instruction.compute
            if compute is not None:
                try:
                    compute()
                except BaseException as error:
                    failure = Failure(error, instruction.name, instruction.source_line)
                    self._keep(failure)
        for dependence in instruction.writes:
            dependence.failure = failure

    def _keep(self, failure: Failure) -> None:
        """Remember a failure until somebody is told, but only the first so many: each keeps frames alive."""
        untold = [kept for kept in self.failures if not kept.told]
        self.failures = [*untold, failure][:_FAILURES_KEPT]

    def finish(self, instruction: Instruction) -> None:
        """Take the head of a queue off and notify its waiters.

        Where nobody else may run what is next (a worker's stream), this goes without the lock.
        """
        stream = instruction.stream
        assert stream is not None
        instruction.drop()
        if stream.inline:
            with self.lock:
                stream.reached = instruction.number
                stream.queue.popleft()
                stream.immediate = not stream.queue and stream.claim is None
        else:
            stream.reached = instruction.number
            stream.queue.popleft()
        if stream.waiters:
            with self.lock:
                self.notify(stream)

    def notify(self, lane: Lane) -> None:
        """Notify the waiters of a lane whose number has been reached."""
        waiters, lane.waiters = lane.waiters, []
        for number, instruction in waiters:
            if not has_run(lane, number):
                lane.waiters.append((number, instruction))
            elif instruction.stream is not None:
                self.wake(instruction.stream)
            else:
                self.start(instruction)

    def start(self, instruction: Instruction) -> None:
        """Run an instruction that has no stream as soon as it may: now, when it is notified, or when it is polled."""
        if not self.ready(instruction):
            return
        events = self.order_device(instruction)
        if events:
            self._polled.append((instruction, events))
            return
        compute, instruction.compute = instruction.compute, None
        if compute is not None:
            compute()

    def poll(self) -> None:
        """Look whether the device has come to where instructions without a stream wait for it."""
        if not self._polled:
            return
        polled, self._polled = self._polled, []
        for instruction, events in polled:
            if all(event.query() for event in events):
                self.start(instruction)
            else:
                self._polled.append((instruction, events))

    # -------------------------------------------------------------------------------------- release

    def drain(self) -> None:
        """Bring released blocks back to their free lists, those whose last access is over."""
        self.poll()
        while self.released:
            self._release(self.released.popleft())

    def _release(self, block: TrackedBlock) -> None:
        home = getattr(block.free, "stream", None)
        owner, waits = block.stream, {}
        if block.dependence is not None or (owner is not None and owner is not home and owner.asynchronous):
            for lane, number in track(block, Lane()).accesses():
                if not _is_reusable(lane, number, home):
                    waits[lane] = number
        if not waits:
            _give_back(block, home)
            return
        release = Instruction(None, partial(_give_back, block, home), waits, "release")
        release.behind = [wait for wait in release.behind if wait[0] is not home]
        self.start(release)

    def reset(self) -> None:
        """Forget everything that is under way: it belongs to threads that this process does not have."""
        polled, self._polled = self._polled, []
        for instruction, _ in polled:
            if instruction.compute is not None:
                instruction.compute()


def _is_reusable(lane: Lane, number: int, home: Lane | None) -> bool:
    """Whether the next user of a block, on its home stream, will run behind this access."""
    if lane is home:
        return (isinstance(lane, Stream) and not lane.inline) or has_run(lane, number)
    return is_over(lane, number)


def _give_back(block: TrackedBlock, home: Stream | None) -> None:
    """Append a block to its free list.

    What a worker's stream has queued for it may be outstanding: that is entered anew, because the failure of an
    instruction of the block's old life must not poison its new one.
    """
    old = block.dependence
    block.dependence = None
    block.stream = home
    if old is not None and isinstance(home, Stream) and not home.inline:
        pending = [number for lane, number in old.accesses() if lane is home and not has_run(lane, number)]
        if pending:
            track(block, Lane()).write(home, max(pending))
    block.free.append(block)

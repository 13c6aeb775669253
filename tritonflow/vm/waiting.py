"""How a thread of Python waits for instructions: it can be interrupted, and a watchdog ends a wait without progress."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from tritonflow.device.stream import Event, Lane, Stream
from tritonflow.errors import WatchdogError
from tritonflow.vm.dependence import has_run
from tritonflow.vm.engine import Engine
from tritonflow.vm.instruction import Instruction
from tritonflow.vm.worker import working

_SHOWN = 100  # instructions that the watchdog names
_SPIN_SECONDS = 200e-6


def wait(
    engine: Engine, streams: Callable[[], list[Stream]], waits: dict[Lane, int], watchdog: float, why: str
) -> None:
    """Wait until instructions are over, on the host and on their devices.

    Ctrl-C ends the wait and changes nothing else.

    Args:
        streams: all streams of the VM, to see whether anything moves and to name what does not.
        watchdog: seconds without progress after which this raises; 0: never.
        why: for people, as in "sync()".

    Raises:
        WatchdogError: nothing moved for that long.
    """
    own = working.stream
    if own is not None and waits.get(own, 0) > own.reached:
        raise RuntimeError(f"{why} inside an instruction of {own!r} would wait for that instruction itself")
    gate = threading.Lock()
    gate.acquire()
    waiter = Instruction(None, gate.release, waits, why)
    behind, waiter.behind = waiter.behind, []
    with engine.lock:
        engine.start(waiter)
    moved = None
    while not gate.acquire(timeout=watchdog / 2 or -1):
        now = sum(stream.reached for stream in streams())
        if now == moved:
            raise WatchdogError(_stuck(watchdog, why, streams(), waiter))
        moved = now
    for lane, number in behind:
        with engine.lock:
            event = lane.event_after(number)  # type: ignore[attr-defined]  # `behind` has asynchronous streams only
        _wait_for_device(event, watchdog, f"{why} waits for the device to finish what was launched on {lane!r}")


def lock_stream(stream: Stream, watchdog: float) -> None:
    """Acquire the lock of a stream whose instruction another thread is running, with the same watchdog."""
    while not stream.lock.acquire(timeout=watchdog or -1):
        raise WatchdogError(f"another thread has been running an instruction on {stream!r} for {watchdog:g} seconds")


def _wait_for_device(event: Event, watchdog: float, what: str) -> None:
    """Ask the device again and again, at first without a pause: a wait inside the driver could not be interrupted."""
    start = time.monotonic()
    pause = 0.0
    while not event.query():
        waited = time.monotonic() - start
        if waited > _SPIN_SECONDS:
            pause = min(max(2 * pause, 20e-6), 1e-3)
        if watchdog and waited > watchdog:
            raise WatchdogError(f"no progress for {watchdog:g} seconds: {what}")
        time.sleep(pause)


def _stuck(watchdog: float, why: str, streams: list[Stream], waiter: Instruction) -> str:
    lines = [f"no progress for {watchdog:g} seconds: {why} waits for"]
    lines += [f"  number {number} on {lane!r}" for lane, number in waiter.waits]
    queued = [instruction for stream in streams for instruction in list(stream.queue)]
    lines.append(f"instructions in flight ({len(queued)}):")
    for instruction in queued[:_SHOWN]:
        blocking = [(lane, number) for lane, number in list(instruction.waits) if not has_run(lane, number)]
        state = "waits for " + ", ".join(f"number {n} on {lane!r}" for lane, n in blocking) if blocking else "may run"
        stream = instruction.stream
        if not blocking and stream is not None and stream.queue and stream.queue[0] is instruction:
            state = "running"
        lines.append(f"  {instruction!r}: {state}")
    if len(queued) > _SHOWN:
        lines.append(f"  and {len(queued) - _SHOWN} more")
    return "\n".join(lines)

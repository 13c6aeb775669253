"""Taking times so that they can be compared: the rivals take turns in short bursts, and each round has one of each.

What else the machine does changes from second to second. A ratio of two bursts of the same round hardly sees it; a ratio of two
times that were taken one after the other does.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import torch

import tritonflow as flow

Burst = Callable[[int], float]  # runs so many calls; gives the seconds of one
CLOCKS: dict[str, Callable[[], float]] = {"wall": time.perf_counter, "cpu": time.process_time, "thread": time.thread_time}
MAX_CALLS = 1 << 20


@dataclass(frozen=True)
class Effort:
    """How much time a case gets.

    Attributes:
        rounds: rounds at most, and at least `least` of them.
        burst: seconds of one burst.
        calls: of one burst at least; with a burst of 0 seconds so many, whatever they take.
        limit: seconds of a case, after which no further round begins.
        cold: calls that begin with a cold cache.
    """

    rounds: int = 21
    least: int = 7
    burst: float = 0.01
    calls: int = 1
    limit: float = 4.0
    cold: int = 7


QUICK = Effort(rounds=9, least=6, burst=0.002, limit=0.5, cold=0)
TRIED = Effort(rounds=1, least=1, burst=0.0, limit=0.0, cold=0)


def alternate(bursts: Mapping[str, Burst], effort: Effort = Effort()) -> dict[str, list[float]]:
    """Seconds of a call for each rival, one for each round. The order of the rivals turns from round to round.

    Example:
        >>> from tritonflow.bench.timing import QUICK, alternate, burst_of
        >>> times = alternate({"sum": burst_of(lambda: sum(range(99))), "max": burst_of(lambda: max(range(99)))}, QUICK)
        >>> len(times["sum"]) == len(times["max"]) >= 6
        True
    """
    counts = {name: max(effort.calls, _calls_for(burst, effort.burst)) for name, burst in bursts.items()}
    times: dict[str, list[float]] = {name: [] for name in bursts}
    order, done, start = list(bursts), 0, time.perf_counter()
    while done < effort.rounds and (done < effort.least or time.perf_counter() - start < effort.limit):
        for name in order:
            times[name].append(bursts[name](counts[name]))
        order = order[1:] + order[:1]
        done += 1
    return times


def _calls_for(burst: Burst, seconds: float) -> int:
    """How many calls take so many seconds; found by longer and longer bursts, as a short one has costs of its own."""
    burst(1)  # which may compile
    count, taken = 1, burst(1)
    while count < MAX_CALLS and taken * count < seconds / 4:
        count = min(count * 4, MAX_CALLS)
        taken = burst(count)
    return min(max(1, round(seconds / max(taken, 1e-9))), MAX_CALLS)


def burst_of(call: Callable[[], Any], finish: Callable[[], Any] | None = None, clock: str = "wall") -> Burst:
    """A burst of consecutive calls on a CPU.

    Args:
        finish: waits until all is done, within the time.
        clock: "wall", or the time of this process, "cpu", or of this thread, "thread".
    """
    now = CLOCKS[clock]

    def burst(count: int) -> float:
        start = now()
        for _ in range(count):
            call()
        if finish is not None:
            finish()
        return (now() - start) / count

    return burst


def warm(burst: Burst) -> Burst:
    """A burst behind a call that is not counted: it finds the caches and threads as others left them."""

    def warmed(count: int) -> float:
        burst(1)
        return burst(count)

    return warmed


def burst_of_steps(step: Callable[[], Any]) -> Burst:
    """A warm burst of training steps, each of which gives its loss; within the time the last loss is waited for."""
    losses: deque[Any] = deque(maxlen=1)
    return warm(burst_of(lambda: losses.append(step()), lambda: losses[0].item()))


def device_burst_of(call: Callable[[], Any]) -> Burst:
    """A burst between two events of torch's current stream on a GPU."""

    def burst(count: int) -> float:
        before, after = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        before.record()
        for _ in range(count):
            call()
        after.record()
        torch.cuda.synchronize()
        return float(before.elapsed_time(after)) * 1e-3 / count

    return burst


def host_burst_of(call: Callable[[], Any], most: int = 200) -> Burst:
    """A burst of what the host does for calls that a device carries out later; few enough of them to fill no queue."""

    def burst(count: int) -> float:
        total = 0.0
        for begin in range(0, count, most):
            flow.sync()
            calls = min(most, count - begin)
            start = time.perf_counter()
            for _ in range(calls):
                call()
            total += time.perf_counter() - start
        return total / count

    return burst


def cold_times(bursts: Mapping[str, Burst], device: str, count: int) -> dict[str, list[float]]:
    """Seconds of single calls, before each of which other bytes fill the caches."""
    times: dict[str, list[float]] = {name: [] for name in bursts}
    if not count:
        return times
    filler = torch.zeros(_filler_bytes(device) // 4, device=device)
    for _ in range(count):
        for name, burst in bursts.items():
            filler.add_(1.0)
            times[name].append(burst(1))
    return times


@lru_cache(maxsize=4)
def _filler_bytes(device: str) -> int:
    """Twice what the largest cache holds, but 256 MiB at most on a CPU."""
    return 256 << 20 if device != "cpu" else min(max(2 * last_cache_bytes(), 32 << 20), 256 << 20)


def last_cache_bytes() -> int:
    """Of the CPU's last cache, by Linux; 0 where it does not say."""
    sizes = []
    for file in Path("/sys/devices/system/cpu/cpu0/cache").glob("index*/size"):
        text = file.read_text().strip()
        if text[:-1].isdigit() and text[-1] in "KMG":
            sizes.append(int(text[:-1]) << {"K": 10, "M": 20, "G": 30}[text[-1]])
    return max(sizes, default=0)

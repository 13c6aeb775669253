"""What the VM costs: issuing, waiting, handing over, with an empty instruction of three operands.

    python bench/vm.py [--json bench/results/vm.json]

- `settled`: every operand belongs to the inline stream. Bar: 300 ns. (Ops on the fast path of the interpreter skip even
this.)
- `large`: the same for a kernel that lets go of the interpreter's lock: operands are marked, and unmarked afterwards.
- `launch_across`: two asynchronous streams in turn, each waiting for the other's event.
- `worker`: issued to a worker and run there, in bulk; `worker_ping_pong`: two workers that wait for each other in turn.
- `put_and_wait`: one instruction to a parked worker, and waiting for its result.
- `access`, `access_large`: an access from the host to settled memory, without and with the interpreter's lock held
throughout.
- `release`: the slow path of a destructor for a settled block.

Nanoseconds per instruction, the empty call and the loop subtracted; quantiles over rounds. No GPU needed: the
asynchronous streams are stubs whose events have always passed.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tritonflow.bench import machine
from tritonflow.bench.timing import Burst, Effort, alternate
from tritonflow.bench.verdict import Quantiles
from tritonflow.device.device import Device
from tritonflow.device.stream import AsyncStream, Event, InlineStream, Stream, WorkerStream
from tritonflow.vm.machine import Machine

EFFORT = Effort(rounds=21, least=21, burst=0.002)
CPU = Device("cpu")
nothing = [].clear  # a builtin that does nothing


class FreeList(list[Any]):
    """Where blocks of a stream are released to."""

    def __init__(self, stream: Stream) -> None:
        super().__init__()
        self.stream = stream


class Block:
    """What the VM sees of a block of memory."""

    __slots__ = ("stream", "dependence", "free", "__weakref__")

    def __init__(self, stream: Stream) -> None:
        self.stream: Any = stream
        self.dependence: Any = None
        self.free = FreeList(stream)


class Passed(Event):
    """An event that has passed."""

    def query(self) -> bool:
        return True

    def synchronize(self) -> None:
        pass


class Stub(AsyncStream):
    """A device's stream without a device."""

    def record(self) -> Event:
        return Passed()

    def wait(self, event: Event) -> None:
        pass


def cases(vm: Machine) -> dict[str, tuple[Callable[[int], None], int]]:
    """Each case runs n rounds of its body; with the number of instructions in one."""
    home, s, t = InlineStream(CPU, "compute"), WorkerStream(CPU, "s"), WorkerStream(CPU, "t")
    left, right = Stub(CPU, "left"), Stub(CPU, "right")
    a, b, c = Block(home), Block(home), Block(home)
    x, y, z = Block(s), Block(t), Block(s)
    p, q, r = Block(left), Block(right), Block(left)
    issue, access = vm.issue, vm.access

    def settled(n: int) -> None:
        for _ in range(n):
            issue(home, nothing, (a, b), (c,))

    def large(n: int) -> None:
        for _ in range(n):
            issue(home, nothing, (a, b), (c,), atomic=False)

    def launch_across(n: int) -> None:
        for _ in range(n):
            issue(left, nothing, (p, r), (q,))
            issue(right, nothing, (q, r), (p,))

    def worker(n: int) -> None:
        for _ in range(n):
            issue(s, nothing, (x, z), (y,))
        vm.sync()

    def worker_ping_pong(n: int) -> None:
        for _ in range(n):
            issue(s, nothing, (x, z), (y,))
            issue(t, nothing, (y, z), (x,))
        vm.sync()

    def put_and_wait(n: int) -> None:
        for _ in range(n):
            issue(s, nothing, (), (x,))
            access((x,), (), nothing)

    def access_settled(n: int) -> None:
        for _ in range(n):
            access((a,), (), nothing, atomic=True)

    def access_large(n: int) -> None:
        for _ in range(n):
            access((a,), (), nothing)

    def release(n: int) -> None:
        for _ in range(n):
            vm.release(a)
        a.free.clear()

    return {
        "settled": (settled, 1),
        "large": (large, 1),
        "launch_across": (launch_across, 2),
        "worker": (worker, 1),
        "worker_ping_pong": (worker_ping_pong, 2),
        "put_and_wait": (put_and_wait, 1),
        "access": (access_settled, 1),
        "access_large": (access_large, 1),
        "release": (release, 1),
    }


def burst_of(body: Callable[[int], None], each: int) -> Burst:
    """A burst of so many rounds of a body; gives the seconds of one instruction."""

    def burst(count: int) -> float:
        start = time.perf_counter()
        body(count)
        return (time.perf_counter() - start) / count / each

    return burst


def _nanoseconds(seconds: list[float]) -> dict[str, int]:
    return {name: round(1e9 * value) for name, value in Quantiles.of(seconds).as_dict().items()}


def main() -> None:
    """Measure everything; print it, and write it down if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()

    def loop(n: int) -> None:
        for _ in range(n):
            nothing()

    vm = Machine(sync=False)
    bursts = {"loop": burst_of(loop, 1), **{name: burst_of(body, each) for name, (body, each) in cases(vm).items()}}
    times = alternate(bursts, EFFORT)
    vm.close()
    empty = Quantiles.of(times.pop("loop")).p50
    results = {name: _nanoseconds([t - empty for t in found]) for name, found in times.items()}
    for name, row in results.items():
        print(f"{name:18}" + "".join(f"{key} {value:8,.0f} ns   " for key, value in row.items()))
    if arguments.json:
        header = {"about": machine.about(), "unit": "ns per instruction"}
        arguments.json.parent.mkdir(exist_ok=True)
        arguments.json.write_text(json.dumps({**header, "results": results}, indent=1) + "\n")


if __name__ == "__main__":
    main()

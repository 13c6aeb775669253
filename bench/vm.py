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

from typing import Any

from tritonflow.bench.script import script_parser, write_results
from tritonflow.bench.timing import Burst, Effort, alternate, burst_of
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


def cases(vm: Machine) -> dict[str, Burst]:
    """The bursts of each case; the seconds are of one instruction."""
    home, s, t = InlineStream(CPU, "compute"), WorkerStream(CPU, "s"), WorkerStream(CPU, "t")
    left, right = Stub(CPU, "left"), Stub(CPU, "right")
    a, b, c = Block(home), Block(home), Block(home)
    x, y, z = Block(s), Block(t), Block(s)
    p, q, r = Block(left), Block(right), Block(left)
    issue, access = vm.issue, vm.access

    def launch_across() -> None:
        issue(left, nothing, (p, r), (q,))
        issue(right, nothing, (q, r), (p,))

    def worker_ping_pong() -> None:
        issue(s, nothing, (x, z), (y,))
        issue(t, nothing, (y, z), (x,))

    def put_and_wait() -> None:
        issue(s, nothing, (), (x,))
        access((x,), (), nothing)

    return {
        "settled": burst_of(lambda: issue(home, nothing, (a, b), (c,))),
        "large": burst_of(lambda: issue(home, nothing, (a, b), (c,), atomic=False)),
        "launch_across": halved(burst_of(launch_across)),
        "worker": burst_of(lambda: issue(s, nothing, (x, z), (y,)), vm.sync),
        "worker_ping_pong": halved(burst_of(worker_ping_pong, vm.sync)),
        "put_and_wait": burst_of(put_and_wait),
        "access": burst_of(lambda: access((a,), (), nothing, atomic=True)),
        "access_large": burst_of(lambda: access((a,), (), nothing)),
        "release": burst_of(lambda: vm.release(a), a.free.clear),
    }


def halved(burst: Burst) -> Burst:
    """A burst of calls with two instructions each."""
    return lambda count: burst(count) / 2


def _nanoseconds(seconds: list[float]) -> dict[str, int]:
    return {name: round(1e9 * value) for name, value in Quantiles.of(seconds).as_dict().items()}


def main() -> None:
    """Measure everything; print it, and write it down if asked."""
    arguments = script_parser(__doc__).parse_args()
    vm = Machine(sync=False)
    times = alternate({"loop": burst_of(lambda: nothing()), **cases(vm)}, EFFORT)
    vm.close()
    empty = Quantiles.of(times.pop("loop")).p50
    results = {name: _nanoseconds([t - empty for t in found]) for name, found in times.items()}
    for name, row in results.items():
        print(f"{name:18}" + "".join(f"{key} {value:8,.0f} ns   " for key, value in row.items()))
    write_results(arguments.json, {"unit": "ns per instruction", "results": results})


if __name__ == "__main__":
    main()

"""Order: what touches the same memory gives the bits of the serial order, whatever the streams."""

from __future__ import annotations

import time
from dataclasses import dataclass

from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from tests.vm.fakes import FakeAsyncStream, FakeBlock, FakeGpu, inline, worker
from tritonflow.vm.machine import Machine

BLOCKS = 4
KINDS = ["op", "op", "op", "in-place", "access", "write", "replace", "barrier", "mark", "sync"]


@dataclass(frozen=True)
class Step:
    """One line of a random program. `kind` says how the blocks numbered in `reads` and `writes` are used."""

    kind: str
    stream: int
    reads: tuple[int, ...]
    writes: tuple[int, ...]
    pause: int
    atomic: bool


steps = st.builds(
    Step,
    kind=st.sampled_from(KINDS),
    stream=st.integers(0, 4),
    reads=st.lists(st.integers(0, BLOCKS - 1), max_size=3, unique=True).map(tuple),
    writes=st.lists(st.integers(0, BLOCKS - 1), min_size=1, max_size=2, unique=True).map(tuple),
    pause=st.sampled_from([0, 0, 1, 50]),
    atomic=st.booleans(),
)


def value_of(number, inputs):
    return hash((number, tuple(inputs)))


def serial(program):
    values, seen = list(range(BLOCKS)), []
    for number, step in enumerate(program):
        reads = step.reads + (step.writes if step.kind == "in-place" else ())
        if step.kind in ("op", "in-place", "write"):
            new = value_of(number, [values[i] for i in reads])
            for i in step.writes:
                values[i] = new + i
        elif step.kind == "access":
            seen.append([values[i] for i in step.reads])
        elif step.kind == "replace":
            values[step.writes[0]] = number
    return values, seen


class Runner:
    """Runs a program on a machine with one inline, two worker and two asynchronous streams."""

    def __init__(self, seed):
        self.vm = Machine(watchdog=20.0, sync=False)
        self.gpu = FakeGpu(seed)
        self.streams = [
            inline(),
            worker("a"),
            worker("b"),
            FakeAsyncStream(self.gpu, "c"),
            FakeAsyncStream(self.gpu, "d", inline=False),
        ]
        self.made = [FakeBlock(self.streams[i % 2 * 3], i) for i in range(BLOCKS)]
        self.blocks = list(self.made)
        self.overlaps = 0

    def body(self, number, reads, writes, pause):
        """The kernel: takes its inputs, lets others run, and only then writes."""

        def run():
            for block in reads:
                block.begin(False)
            for block in writes:
                if block not in reads:
                    block.begin(True)
            new = value_of(number, [block.value for block in reads])
            if pause and not self.gpu.lock.locked():
                time.sleep(pause * 1e-6)
            for block in reads:
                block.end(False)
            for block in writes:
                if block not in reads:
                    block.end(True)
                block.value = new + self.names[block]
            return [block.value for block in reads]

        return run

    def run(self, program):
        self.names = {block: i for i, block in enumerate(self.blocks)}
        seen = []
        for number, step in enumerate(program):
            stream = self.streams[step.stream]
            reads = [self.blocks[i] for i in step.reads]
            writes = [self.blocks[i] for i in step.writes]
            if step.kind in ("op", "in-place"):
                const = reads + (writes if step.kind == "in-place" else [])
                const = list(dict.fromkeys(const)) if step.kind == "op" else const
                run = self.body(number, const, writes, step.pause)
                compute = (lambda s=stream, r=run: s.launch(r)) if stream.asynchronous else run
                self.vm.issue(stream, compute, const, writes, name=f"step {number}", atomic=step.atomic)
            elif step.kind == "write":
                self.vm.access(reads, writes, self.body(number, reads, writes, 0))
            elif step.kind == "access":
                seen.append(self.vm.access(reads, (), lambda r=reads: [block.value for block in r]))
            elif step.kind == "replace":
                self.replace(step.writes[0], number)
            elif step.kind == "barrier":
                self.vm.barrier()
            elif step.kind == "mark":
                self.vm.wait(stream, self.vm.record(self.streams[step.reads[0] if step.reads else 0]))
            else:
                self.vm.sync()
        final = self.vm.access(self.blocks, (), lambda: [block.value for block in self.blocks])
        self.vm.close()
        return final, seen

    def replace(self, i, number):
        """Release the block and take one from its free list, or a new one: a tensor dies, another is born."""
        old = self.blocks[i]
        self.vm.release(old)
        new = old.free.pop() if old.free else FakeBlock(old.free.stream)
        if new is not old:
            self.made.append(new)
            self.names[new] = i
        self.blocks[i] = new
        stream = new.free.stream

        def fill():
            new.begin(True)
            new.value = number
            new.end(True)

        self.vm.issue(stream, (lambda: stream.launch(fill)) if stream.asynchronous else fill, (), (new,))


# Whether a wrong order shows depends on the threads, so that shrinking a failure would take minutes and lead nowhere.
@hypothesis_settings(
    max_examples=150, deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.explicit, Phase.generate]
)
@given(st.lists(steps, max_size=30), st.integers(0, 2**32))
def test_random_programs_give_the_serial_result(program, seed):
    runner = Runner(seed)
    assert runner.run(program) == serial(program)
    assert sum(block.overlaps for block in runner.made) == 0


def pair(vm, gate, first, second):
    """Issue two instructions on two workers, the first standing at a gate; says in which order they ran."""
    order = []
    s, t = worker("s"), worker("t")

    def slow():
        gate()
        order.append("first")

    vm.issue(s, slow, *first)
    instruction = vm.issue(t, lambda: order.append("second"), *second)
    assert gate.reached.wait(10)
    time.sleep(0.02)
    assert not instruction.done and order == []
    gate.open()
    vm.sync()
    return order


def test_read_after_write(vm, gate):
    x = FakeBlock(inline())
    assert pair(vm, gate, ((), (x,)), ((x,), ())) == ["first", "second"]


def test_write_after_read(vm, gate):
    x = FakeBlock(inline())
    assert pair(vm, gate, ((x,), ()), ((), (x,))) == ["first", "second"]


def test_write_after_write(vm, gate):
    x = FakeBlock(inline())
    assert pair(vm, gate, ((), (x,)), ((), (x,))) == ["first", "second"]


def test_write_with_a_shape_known_later_is_a_write(vm, gate):
    x = FakeBlock(inline())
    assert pair(vm, gate, ((), (), (x,)), ((x,), ())) == ["first", "second"]


def test_views_share_the_block(vm, gate):
    """A view has no block of its own: a write through it and a read of its base name the same one."""
    base = FakeBlock(inline())
    view = base
    assert pair(vm, gate, ((), (view,)), ((base,), ())) == ["first", "second"]


def test_an_inline_stream_does_not_wait_for_a_worker(vm, gate):
    """What depends on a worker is deferred, and so is what follows it; the issuer goes on."""
    s, t = inline(), worker()
    x, y, z = FakeBlock(s), FakeBlock(s), FakeBlock(s)
    vm.issue(t, gate, (), (x,))
    ran = []
    vm.issue(s, lambda: ran.append("y"), (x,), (y,))
    vm.issue(s, lambda: ran.append("z"), (), (z,))
    assert ran == [] and not s.immediate
    gate.open()
    vm.sync()
    assert ran == ["y", "z"] and s.immediate


def test_operands_come_back_to_the_fast_path(vm, gate):
    s, t = inline(), worker()
    x, y = FakeBlock(s), FakeBlock(s)
    vm.issue(t, gate, (), (x,))
    gate.open()
    vm.sync()
    assert x.stream is None
    vm.issue(s, lambda: None, (x,), (y,))
    assert x.stream is y.stream is s and x.dependence is None


def test_a_block_reused_on_another_stream_waits(vm, gate):
    home, other = worker("home"), worker("other")
    x = FakeBlock(home)
    order = []

    def slow():
        gate()
        order.append("old")

    vm.issue(home, slow, (), (x,))
    vm.release(x)
    reused = x.free.pop()
    vm.issue(other, lambda: order.append("new"), (), (reused,))
    assert gate.reached.wait(10)
    time.sleep(0.02)
    assert order == []
    gate.open()
    vm.sync()
    assert order == ["old", "new"]


def test_marks_order_streams(vm, gate):
    s, t = worker("s"), worker("t")
    order = []

    def slow():
        gate()
        order.append("s")

    vm.issue(s, slow)
    mark = vm.record(s)
    later = vm.issue(s, lambda: order.append("later"))
    vm.wait(t, mark)
    vm.issue(t, lambda: order.append("t"))
    assert order == []
    gate.open()
    vm.sync()
    assert later.done and order.index("s") < order.index("t")


def test_barrier_orders_everything_and_returns_at_once(vm, gate):
    streams = [inline(), worker("s"), worker("t")]
    order = []
    vm.issue(streams[1], lambda: (gate(), order.append("before")))
    for stream in streams:
        vm.issue(stream, lambda: None)
    vm.barrier(*streams)
    for stream in streams:
        vm.issue(stream, lambda name=stream.name: order.append(name))
    assert order == []
    gate.open()
    vm.sync()
    assert order[0] == "before" and sorted(order[1:]) == ["compute", "s", "t"]


def test_a_device_waits_on_the_device(vm):
    gpu = FakeGpu()
    s, t = FakeAsyncStream(gpu, "s"), FakeAsyncStream(gpu, "t")
    x, y = FakeBlock(s), FakeBlock(t)
    gpu.held = True
    order = []
    vm.issue(s, lambda: s.launch(lambda: order.append("s")), (), (x,))
    vm.issue(t, lambda: t.launch(lambda: order.append("t")), (x,), (y,))
    vm.issue(t, lambda: t.launch(lambda: order.append("t2")), (x,), (y,))
    assert (s.events, t.waits) == (1, 1), "the second read of x is covered by the first wait"
    assert s.immediate and t.immediate, "the host has waited for nothing"
    gpu.held = False
    vm.sync()
    assert order == ["s", "t", "t2"]


def test_the_host_waits_for_the_device(vm):
    gpu = FakeGpu()
    s = FakeAsyncStream(gpu, "s")
    x = FakeBlock(s)

    def fill():
        x.value = 7

    vm.issue(s, lambda: s.launch(fill), (), (x,))
    assert vm.access((x,), (), lambda: x.value) == 7


def test_what_the_host_computes_from_the_device_is_deferred(vm):
    gpu = FakeGpu()
    s, cpu = FakeAsyncStream(gpu, "d2h"), inline()
    x, y = FakeBlock(s), FakeBlock(cpu)
    gpu.held = True

    def fill():
        x.value = 7

    def compute():
        y.value = x.value + 1

    vm.issue(s, lambda: s.launch(fill), (), (x,))
    assert not vm.issue(cpu, compute, (x,), (y,)).done
    gpu.held = False
    assert vm.access((y,), (), lambda: y.value) == 8

"""An executable: a graph's schedule bound to memory, as one program, which the VM runs as one instruction."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import Any

from tritonflow import errors
from tritonflow.device.program import Check, LaunchLoop, Live, ProgramLaunch
from tritonflow.device.provider import get_provider
from tritonflow.device.stream import current_stream
from tritonflow.framework.tensor import Tensor
from tritonflow.framework.tensor_impl import EagerLocalTensorImpl
from tritonflow.graph.ir import Graph
from tritonflow.graph.ir.canonical import scalars_of
from tritonflow.graph.ir.cost import flops_of
from tritonflow.graph.ir.numbers import Numbers
from tritonflow.graph.plan.memory import plan_memory
from tritonflow.graph.plan.memory_kind import MemoryKind
from tritonflow.graph.plan.schedule import (
    Number,
    Schedule,
    ScheduledCheck,
    ScheduledOperand,
    ScheduledStep,
    schedule_of,
)
from tritonflow.thread_state import slow_path
from tritonflow.vm.failure import describe
from tritonflow.vm.machine import machine

MOST_UNDONE = 1 << 16
"""Bytes that a run copies, so that they can be put back if it fails."""
_NOTHING: list[bytes] = []


class SharedArena:
    """The arena of all executables of one program: runs that have a block in common are done one after the other.

    It grows by a quarter at least. What was bound to a smaller one keeps that.
    """

    def __init__(self) -> None:
        self._impl: EagerLocalTensorImpl | None = None
        self._nbytes = 0

    def of(self, nbytes: int, provider: Any) -> EagerLocalTensorImpl:
        """Memory of so many bytes, or more."""
        if self._impl is None or self._nbytes < nbytes:
            self._nbytes = max(nbytes, self._nbytes * 5 // 4)
            self._impl = EagerLocalTensorImpl(provider.pool.allocate(self._nbytes, provider.stream))
        return self._impl


class Executable:
    """A graph, compiled and bound to memory; run as often as you like.

    Args:
        graph: what to run; it is not changed.
        device: where.
        schedule: how, where that was decided before, in terms of this graph.
        numbers: of a run, where the graph is for many sizes, and the schedule for those among them.
        arena: where its arena lies; memory of its own unless given.

    Attributes:
        launches: how many kernels a run launches.
        arena_bytes: the memory for what is neither input, output nor state.
        schedule, step_launches: its steps, and the launches of each.
    """

    def __init__(
        self,
        graph: Graph,
        device: Any,
        schedule: Schedule | None = None,
        numbers: Sequence[Any] = (),
        arena: SharedArena | None = None,
    ) -> None:
        self.provider = get_provider(device)
        self.schedule = schedule = schedule or schedule_of(plan_memory(graph), graph, self.provider)
        self.states = [state.impl for state in graph.states]
        self._at = Numbers(numbers)
        self._metas = [self._at.meta(value.meta).allocated() for value in graph.outputs]
        self._inputs = len(graph.inputs)
        self._scalars = [scalar.evaluate for scalar in scalars_of(graph)]
        self._tables: list[EagerLocalTensorImpl] = []
        self._written = [self.states[number] for number in schedule.written]
        self.arena_bytes = schedule.arena
        self._arena = (arena or SharedArena()).of(schedule.arena, self.provider)
        checks = [step.check for step in schedule.steps if step.check is not None]
        self._words = self.provider.error_words([_bound(check, graph) for check in checks])
        words = iter(range(self._words.ptr, self._words.ptr + 4 * len(checks), 4))
        self.step_launches = [self._launches(step, next(words) if step.check else 0) for step in schedule.steps]
        launches = [launch for step in self.step_launches for launch in step]
        self.launches = len(launches)
        self._program = self.provider.program(launches)
        self._singles: list[Any] | None = None
        self._undone = None if self._words.deferred else self._written_early(graph)
        self._graph = graph
        self._const = [impl.block for impl in self.states]
        self._mut = [impl.block for impl in (*self._written, *self._tables, self._arena)]

    @cached_property
    def flops(self) -> int:
        """The floating-point operations of a run, as the graph was captured."""
        return int(self._at.of(sum(flops_of(op) for node in self._graph.nodes for op in node.ops())))

    def run(self, inputs: Sequence[Tensor], numbers: Sequence[Any] = (), scalars: Sequence[Any] | None = None) -> list[Tensor]:
        """Run with these inputs, which have the metas of the graph's, and these numbers.

        Args:
            scalars: what its run-time scalars are; computed of the numbers unless given.

        Returns:
            New tensors.
        """
        try:
            return self.issue(self.execute, inputs, numbers, scalars)
        except errors.TritonflowError as error:
            if error.changed_nothing:
                for impl in self._written:
                    impl.version -= 1
            raise

    def issue(
        self,
        job: Callable[[list[Any]], None],
        inputs: Sequence[Tensor],
        numbers: Sequence[Any],
        scalars: Sequence[Any] | None = None,
    ) -> list[Tensor]:
        """Let the VM run `job` with the program's live numbers in place of the program."""
        provider = self.provider
        stream = current_stream(provider.device) if slow_path.count else provider.stream
        blocks = [provider.pool.allocate(meta.nbytes, stream) for meta in self._metas]
        live = [tensor.ptr for tensor in inputs]
        live += [block.ptr for block in blocks]
        live += [evaluate(numbers) for evaluate in self._scalars] if scalars is None else scalars
        outputs = [Tensor(meta, EagerLocalTensorImpl(block), block.ptr) for meta, block in zip(self._metas, blocks)]
        const = [*[tensor.impl.block for tensor in inputs], *self._const]
        for impl in self._written:
            impl.version += 1
        atomic = self._program.atomic
        compute: Callable[[], None] = partial(job, live)
        timeline = machine.engine.timeline if slow_path.count else None
        if timeline is not None:
            compute = timeline.described(compute, inputs, sum([meta.nbytes for meta in self._metas]), self.flops)
        machine.run_lazy_job(stream, compute, const, blocks + self._mut, "graph", atomic)
        return outputs

    def execute(self, live: list[Any]) -> None:
        """Run the program with these live numbers; raises what its kernels found wrong."""
        timeline, before = machine.engine.timeline, _NOTHING
        if self._undone:
            before = [ctypes.string_at(ptr, nbytes) for ptr, nbytes in self._undone]
        if timeline is None:
            self._program.run(live)
        else:
            timeline.run(self._one_by_one(), (live,))
        try:
            self._words.look()
        except errors.TritonflowError as error:
            if self._undone is not None:
                for (ptr, nbytes), content in zip(self._undone, before):
                    ctypes.memmove(ptr, content, nbytes)
                error.changed_nothing = True
            raise

    def _written_early(self, graph: Graph) -> list[tuple[int, int]] | None:
        """The addresses and bytes of what a run that fails may have written; None if that is too much to be copied in each run."""
        states = [(graph.states[number].value.meta.nbytes, number) for number in self.schedule.written_early]
        if sum([nbytes for nbytes, _ in states]) > MOST_UNDONE:
            return None
        return [(self.states[number].block.ptr, nbytes) for nbytes, number in states]

    def _one_by_one(self) -> list[Any]:
        """Every launch by itself, for a timeline."""
        if self._singles is None:
            named = [launch for step in self.schedule.steps for launch in step.launches]
            loops = [LaunchLoop([launch]).run for step in self.step_launches for launch in step]
            self._singles = list(zip(named, loops))
        return self._singles

    def _launches(self, step: ScheduledStep, word: int) -> list[ProgramLaunch]:
        table = 0 if step.table is None else self._table(step.table)

        def number(value: Number) -> Any:
            return self._address(value, word, table) if isinstance(value, ScheduledOperand) else value

        return [
            ProgramLaunch(each.kernel, each.grid, tuple(map(number, each.arguments)), each.sizes, step.inline, word)
            for each in step.launches
        ]

    def _table(self, rows: Sequence[Number]) -> int:
        """The address of a table."""
        values: list[Any] = [
            self._address(value, 0, 0) if isinstance(value, ScheduledOperand) else value for value in rows
        ]
        block = self.provider.pool.own(8 * len(values), self.provider.stream)
        self.provider.write_host(block.ptr, (ctypes.c_int64 * len(values))(*values))
        self._tables.append(EagerLocalTensorImpl(block))
        return block.ptr

    def _address(self, operand: ScheduledOperand, word: int, table: int) -> Any:
        kind, number, offset = operand
        if kind is MemoryKind.ARENA:
            return self._arena.block.ptr + offset
        if kind is MemoryKind.STATE:
            return self.states[number].block.ptr + offset
        if kind is MemoryKind.TABLE:
            return table + offset
        if kind is MemoryKind.ERROR_WORD:
            return word
        if kind is MemoryKind.SCALAR:
            return Live(self._inputs + len(self._metas) + number)
        return Live(number + (self._inputs if kind is MemoryKind.OUTPUT else 0), offset)


def _bound(check: ScheduledCheck, graph: Graph) -> Check:
    source_line = graph.nodes[check.node].source_line
    assert source_line is not None
    return Check(check.message, getattr(errors, check.error), partial(describe, source_line))

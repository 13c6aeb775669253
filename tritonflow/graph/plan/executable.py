"""An executable: a graph's schedule bound to memory, as one program, which the VM runs as one instruction."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from typing import Any

from tritonflow import errors
from tritonflow.device.program import Gap, LaunchLoop, ProgramLaunch
from tritonflow.device.program_family import ProgramFamily
from tritonflow.device.provider import get_provider
from tritonflow.device.stream import current_stream
from tritonflow.framework.runtime_scalar import values_of
from tritonflow.framework.tensor import Tensor
from tritonflow.framework.tensor_impl import EagerLocalTensorImpl
from tritonflow.graph.ir import Graph
from tritonflow.graph.ir.cost import flops_of
from tritonflow.graph.ir.numbers import Numbers
from tritonflow.graph.plan.binding import BoundSchedule
from tritonflow.graph.plan.folding import FoldedValues
from tritonflow.graph.plan.memory import plan_memory
from tritonflow.graph.plan.schedule import Schedule, schedule_of
from tritonflow.thread_state import slow_path, thread_state
from tritonflow.vm.machine import machine

_OBJECTS = 16 << 10
"""About how many bytes the Python objects of an executable take, besides its tables."""
_LAUNCH = 1 << 10
"""About how many bytes a launch takes that is no row of a table."""
MOST_UNDONE = 1 << 16
"""Bytes that a run copies, so that they can be put back if it fails."""
_NOTHING: list[bytes] = []


class SharedArena:
    """The arena of all executables of one program: runs that have a block in common are done one after the other.

    It grows by a quarter at least. What was bound to a smaller one keeps that.

    Attributes:
        family: what else they share.
    """

    def __init__(self) -> None:
        self.family = ProgramFamily()
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

    Attributes:
        launches: how many kernels a run launches.
        arena_bytes: the memory for what is neither input, output nor state.
        states: of the graph.
        communicates: whether other ranks run it, too.
    """

    def __init__(self, graph: Graph, device: Any, schedule: Schedule | None = None) -> None:
        provider = get_provider(device)
        self._fill(BoundSchedule(graph, provider, schedule or schedule_of(plan_memory(graph), graph, provider)), (), SharedArena())

    @classmethod
    def for_numbers(cls, binding: BoundSchedule, numbers: Sequence[Any], arena: SharedArena) -> Executable:
        """That of a program for many sizes, for those among the numbers of a run; its arena lies in this one."""
        made = cls.__new__(cls)
        made._fill(binding, numbers, arena)
        return made

    def _fill(self, binding: BoundSchedule, numbers: Sequence[Any], arena: SharedArena) -> None:
        self.provider = provider = binding.provider
        self._binding, self._numbers = binding, numbers
        at = Numbers(numbers)
        self.states = binding.states
        self._metas = [at.meta(meta).allocated() for meta in binding.outputs]
        self.folds = FoldedValues(binding.folds) if binding.schedule.folded else None
        self._inputs, self._scalars, self._written = binding.inputs, binding.scalars, binding.written
        self.arena_bytes, self._offsets = binding.arena(numbers)
        self._arena = arena.of(self.arena_bytes, provider)
        self._folded_memory: EagerLocalTensorImpl | None = None
        if self.folds is not None:
            self._folded_memory = EagerLocalTensorImpl(provider.pool.own(binding.schedule.folded, provider.stream))
        self._words = provider.error_words(binding.checks(at))
        self._tables = [EagerLocalTensorImpl(provider.pool.own(8 * len(rows), provider.stream)) for rows in binding.tables]
        values = self._values()
        for rows, table in zip(binding.tables, self._tables):
            addresses = [values[row.number] if row.__class__ is Gap else row for row in rows]
            provider.write_host(table.block.ptr, (ctypes.c_int64 * len(rows))(*addresses))
        self.launches = sum(map(len, binding.steps))
        self._program: Any = binding.program(values, arena.family, self._words.look)
        self._short: Any = binding.short_program(values, arena.family) if self.folds else None
        self._singles: list[Any] | None = None
        self._undone = None if self._words.deferred else self._written_early()
        self.communicates = binding.communicates
        self._const = [impl.block for impl in self.states]
        own = [*self._written, *self._tables, self._arena, *([self._folded_memory] if self._folded_memory else [])]
        self._mut = [impl.block for impl in own]

    def _values(self) -> list[Any]:
        """What the gaps of the binding are here."""
        tables = [table.block.ptr for table in self._tables]
        folded = 0 if self._folded_memory is None else self._folded_memory.block.ptr
        return self._binding.values(self._numbers, self._words.ptr, self._arena.block.ptr, self._offsets, tables, folded)

    @property
    def step_launches(self) -> list[list[ProgramLaunch]]:
        """The launches of each step."""
        values = self._values()
        return [[launch.filled(values) for launch in launches] for launches in self._binding.steps]

    @property
    def lasting_launches(self) -> list[list[ProgramLaunch]]:
        """The launches of each step that no run leaves out."""
        folded = [[launch.folded for launch in step.launches] for step in self.schedule.steps]
        pairs = zip(self.step_launches, folded)
        return [[launch for launch, out in zip(launches, left_out) if not out] for launches, left_out in pairs]

    @property
    def schedule(self) -> Schedule:
        """What a run does."""
        schedule = self._binding.schedule
        return schedule.at(self._numbers, self.arena_bytes, self._offsets) if self._binding.is_sized else schedule

    @property
    def nbytes(self) -> int:
        """About how much memory of the host it takes that no other executable of its binding has, too."""
        program = getattr(self._program, "nbytes", _LAUNCH * self.launches)
        return int(_OBJECTS + program + sum([8 * len(rows) for rows in self._binding.tables]))

    @cached_property
    def flops(self) -> int:
        """The floating-point operations of a run, as the graph was captured."""
        return int(Numbers(self._numbers).of(sum(flops_of(op) for node in self._binding.graph.nodes for op in node.ops())))

    def _ops(self) -> Iterator[tuple[Any, ...]]:
        """The ops of a run: the definition, the metas of inputs and outputs, the attributes."""
        numbers = Numbers(self._numbers)
        for node in self._binding.graph.nodes:
            for op in node.ops():
                inputs = [None if value is None else numbers.meta(value.meta) for value in op.inputs]
                yield op.op.definition, inputs, [numbers.meta(value.meta) for value in op.outputs], numbers.of(op.attrs)

    def run(self, inputs: Sequence[Tensor], numbers: Sequence[Any] = (), scalars: Sequence[Any] | None = None) -> list[Tensor]:
        """Run with these inputs, which have the metas of the graph's, and these numbers.

        Args:
            scalars: what its run-time scalars are; computed of the numbers unless given.

        Returns:
            New tensors.
        """
        job = self.execute if self.folds is None else partial(self.execute, versions=self.folds.versions())
        try:
            return self.issue(job, inputs, numbers, scalars)
        except errors.TritonflowError as error:
            if error.changed_nothing:
                FoldedValues.failures += 1
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
        outputs = [Tensor(meta, EagerLocalTensorImpl(block), block.ptr) for meta, block in zip(self._metas, blocks)]
        const = [*[tensor.impl.block for tensor in inputs], *self._const]
        for impl in self._written:
            impl.version += 1
        live += values_of(self._scalars, numbers) if scalars is None else scalars
        atomic = self._program.atomic
        compute: Callable[[], None] = partial(job, live)
        timeline = machine.engine.timeline if slow_path.count else None
        if timeline is not None:
            compute = timeline.described(compute, inputs, sum([meta.nbytes for meta in self._metas]), self.flops)
        if slow_path.count:
            thread_state.observer.run_graph(self._ops())
        mut = blocks + self._mut
        if not self.communicates:
            machine.run_lazy_job(stream, compute, const, mut, "graph", atomic)
            return outputs
        live.append(self._program.reserve("a graph", (*const, *mut)))
        if thread_state.rank is None:
            self._program.issue(stream, compute, const, mut)
        else:  # simulated ranks share the stream, and would wait for one another in it
            machine.access(const, mut, compute, name="graph")
        return outputs

    def execute(self, live: list[Any], versions: list[int] | None = None) -> None:
        """Run the program with these live numbers; raises what its kernels found wrong.

        Args:
            versions: of the states that folded values are computed of, when the run was issued; None: they are computed.
        """
        timeline, before, folds = machine.engine.timeline, _NOTHING, self.folds
        is_short = folds is not None and versions is not None and versions == folds.filled
        if folds is not None:
            folds.filled = None
        if self._undone:
            before = [ctypes.string_at(ptr, nbytes) for ptr, nbytes in self._undone]
        if timeline is None:
            (self._short if is_short else self._program).run(live)
        else:
            timeline.run(self._one_by_one(is_short), (live,))
        try:
            self._words.look()
        except errors.TritonflowError as error:
            if self._undone is not None:
                for (ptr, nbytes), content in zip(self._undone, before):
                    ctypes.memmove(ptr, content, nbytes)
                error.changed_nothing = True
            raise
        if folds is not None:
            folds.filled = versions

    def _written_early(self) -> list[tuple[int, int]] | None:
        """The addresses and bytes of what a run that fails may have written; None if that is too much to be copied in each run."""
        binding = self._binding
        states = [(binding.graph.states[number].value.meta.nbytes, number) for number in binding.schedule.written_early]
        if sum([nbytes for nbytes, _ in states]) > MOST_UNDONE:
            return None
        return [(self.states[number].block.ptr, nbytes) for nbytes, number in states]

    def _one_by_one(self, is_short: bool) -> list[Any]:
        """Every launch by itself, for a timeline; of a short run those that write no folded values."""
        if self._singles is None:
            self._singles = []
            wire = iter(self._program.wire if self.communicates else ())
            for step, launches in zip(self.schedule.steps, self.step_launches):
                self._singles += [(named, LaunchLoop([one]).run) for named, one in zip(step.launches, launches)]
                if step.flight is not None:
                    self._singles.append((step.flight, next(wire).run))
        return [single for single in self._singles if not getattr(single[0], "folded", False)] if is_short else self._singles

"""An executable: a graph's steps as one program, which the VM runs as one instruction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from tritonflow.device.program import Check, LaunchLoop, Live, ProgramLaunch
from tritonflow.device.provider import get_provider
from tritonflow.device.stream import current_stream
from tritonflow.framework.runtime_scalar import RuntimeScalar
from tritonflow.framework.tensor import Tensor
from tritonflow.framework.tensor_impl import EagerLocalTensorImpl
from tritonflow.graph.ir import Graph
from tritonflow.graph.memory import Location, Step, plan_memory
from tritonflow.graph.progress import Progress
from tritonflow.ops.plan import compile_all
from tritonflow.thread_state import exotic
from tritonflow.vm.failure import describe
from tritonflow.vm.machine import machine


class Executable:
    """A graph, compiled and bound to memory; run as often as you like.

    Args:
        graph: what to run; it is not changed.
        device: where.

    Attributes:
        launches: how many kernels a run launches.
        arena_bytes: the memory for what is neither input, output nor state.
        layout, step_launches: its steps, and the launches of each.
    """

    def __init__(self, graph: Graph, device: Any) -> None:
        self.provider = get_provider(device)
        self.states = [state.impl for state in graph.states]
        self._metas = [value.meta.contiguous() for value in graph.outputs]
        self._inputs = len(graph.inputs)
        self._scalars: list[Any] = []  # what the live numbers behind inputs and outputs are computed by
        self._tables: list[EagerLocalTensorImpl] = []
        self.layout = layout = plan_memory(graph)
        compile_all([step.plan for step in layout.steps], self.provider, Progress())
        self._written = [self.states[number] for number in sorted(layout.written)]
        self.arena_bytes = layout.arena
        self._arena = EagerLocalTensorImpl(self.provider.pool.allocate(layout.arena, self.provider.stream))
        checked = [step for step in layout.steps if step.plan.index_check is not None]
        self._words = self.provider.error_words([_check(step) for step in checked])
        words = {id(step): self._words.ptr + 4 * number for number, step in enumerate(checked)}
        self.step_launches = [self._launches(step, words.get(id(step), 0)) for step in layout.steps]
        launches = [launch for step in self.step_launches for launch in step]
        self.launches = len(launches)
        self._program = self.provider.program(launches)
        self._singles: list[Any] | None = None
        self._const = [impl.block for impl in (*self.states, *self._tables)]
        self._mut = [*[impl.block for impl in self._written], self._arena.block]

    def run(self, inputs: Sequence[Tensor], numbers: Sequence[Any] = ()) -> list[Tensor]:
        """Run with these inputs, which have the metas of the graph's, and these numbers for its run-time scalars.

        Returns:
            New tensors.
        """
        return self.issue(self.execute, inputs, numbers)

    def issue(self, job: Callable[[list[Any]], None], inputs: Sequence[Tensor], numbers: Sequence[Any]) -> list[Tensor]:
        """Let the VM run `job` with the program's live numbers in place of the program."""
        provider = self.provider
        stream = current_stream(provider.device) if exotic.count else provider.stream
        blocks = [provider.pool.allocate(meta.nbytes, stream) for meta in self._metas]
        live = [tensor.ptr for tensor in inputs]
        live += [block.ptr for block in blocks]
        live += [evaluate(numbers) for evaluate in self._scalars]
        outputs = [Tensor(meta, EagerLocalTensorImpl(block), block.ptr) for meta, block in zip(self._metas, blocks)]
        const = [*[tensor.impl.block for tensor in inputs], *self._const]
        for impl in self._written:
            impl.version += 1
        atomic = self._program.atomic
        machine.run_lazy_job(stream, lambda: job(live), const, blocks + self._mut, "graph", atomic)
        return outputs

    def execute(self, live: list[Any]) -> None:
        """Run the program with these live numbers; raises what its kernels found wrong."""
        timeline = machine.engine.timeline
        if timeline is None:
            self._program.run(live)
        else:
            timeline.run(self._one_by_one(), (live,))
        self._words.look()

    def _one_by_one(self) -> list[Any]:
        """Every launch by itself, for a timeline."""
        if self._singles is None:
            given = [launch for step in self.layout.steps for launch in step.plan.launches if 0 not in launch.grid]
            loops = [LaunchLoop([launch]).run for step in self.step_launches for launch in step]
            self._singles = list(zip(given, loops))
        return self._singles

    def _launches(self, step: Step, word: int) -> list[ProgramLaunch]:
        plan = step.plan
        program = plan.program(self.provider.device)
        operands = [self._address(place) for place in step.locations]
        tensors = len(plan.inputs) + len(plan.outputs)
        fixed = plan.fixed_workspaces(tuple(operands[: len(plan.inputs)]))
        if fixed is not None:
            self._tables.append(EagerLocalTensorImpl(fixed[0]))
            operands[tensors:] = fixed[1]
        operands += [self._scalar(value) for value in step.dynamic]
        launches = []
        for kernel, grid, leading, sizes in program:
            arguments = tuple([word if k < 0 else _moved(operands[k], by) for k, by in leading])
            launches.append(ProgramLaunch(kernel, grid, arguments, sizes, plan.inline, word))
        return launches

    def _address(self, place: Location | None) -> Any:
        if place is None:
            return 0
        buffer = place.buffer
        if buffer.kind == "arena":
            return self._arena.block.ptr + buffer.number + place.offset
        if buffer.kind == "state":
            return self.states[buffer.number].block.ptr + place.offset
        return Live(buffer.number + (self._inputs if buffer.kind == "output" else 0), place.offset)

    def _scalar(self, value: Any) -> Any:
        if not isinstance(value, RuntimeScalar):
            return value
        self._scalars.append(value.evaluate)
        return Live(self._inputs + len(self._metas) + len(self._scalars) - 1)


def _check(step: Step) -> Check:
    message, node = step.plan.index_check, step.node
    assert message is not None and node is not None and node.place is not None
    return Check(message, step.plan.check_error, partial(describe, node.place))


def _moved(operand: Any, by: int) -> Any:
    if not by:
        return operand
    return Live(operand.number, operand.offset + by) if isinstance(operand, Live) else operand + by



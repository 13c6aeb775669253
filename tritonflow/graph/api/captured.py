"""A kind of call that was captured: its executable, and the guards under which it is right."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from tritonflow.autograd import no_grad
from tritonflow.errors import TritonflowError
from tritonflow.framework.module_version import module_version
from tritonflow.framework.size_guards import Condition
from tritonflow.framework.tensor import Tensor
from tritonflow.graph.api.backward import Backward
from tritonflow.graph.api.compiled_graph import CompiledGraph
from tritonflow.graph.api.reading_graph import LaterBackward
from tritonflow.graph.capture.capture import Capture
from tritonflow.graph.capture.guards import ArgumentGuard, Guards
from tritonflow.graph.capture.layout_guards import LayoutGuard
from tritonflow.graph.capture.leaf_gradients import LeftGradients
from tritonflow.graph.capture.shards import from_shard, globals_among
from tritonflow.graph.capture.stepping import OptimizerGuard
from tritonflow.graph.ir import Graph
from tritonflow.graph.path.program import PathProgram, Walk
from tritonflow.graph.watch.contents import alike
from tritonflow.graph.watch.guards import PythonGuards
from tritonflow.graph.watch.makers import Maker, OutputMaker, Run
from tritonflow.graph.watch.slots import StateSlot
from tritonflow.graph.watch.stores import Stores
from tritonflow.graph.watch.user_code import is_library_class
from tritonflow.interpreter.grad_node import leaf_state
from tritonflow.optim.counted import optimizer_version

if TYPE_CHECKING:
    from tritonflow.graph.api.call import Call
    from tritonflow.graph.api.template import ProgramTemplate
    from tritonflow.graph.capture.over_ranks import OverRanks


class UndoneError(Exception):
    """A run has raised an error that depends on numbers of tensors, and has changed nothing."""


class Recorded(NamedTuple):
    """What a program returned while it was captured.

    Attributes:
        make: what makes the result of a run.
        stores: what else it sets.
        results: the tensors that it outputs for these, and behind them the gradients that it leaves.
        left: the gradients that it needs and leaves.
        unrecorded: the positions of the arguments whose history the program leaves as it was.
        are_distinct: whether no container among the arguments of a call is another one, too; None where there are no two.
    """

    make: Maker
    stores: Stores
    results: list[Tensor]
    left: LeftGradients
    unrecorded: set[int]
    are_distinct: Callable[[Any], bool] | None


class Captured:
    """A program with what it was captured for.

    Args:
        capture: what captured it.
        compiled: it itself.
        backward: what gives its results their history; None if they have none.
        recorded: what it returns and leaves.
        call: the call that it was captured with.
        lifted: the slots that are arguments of it.
        python: the guards on what it has read of Python.
        history: whether a tensor that has come to require grad makes it another program.
        sizes: how many of the call's last numbers are sizes.

    Attributes:
        metas: of the tensors among the arguments.
        lifted, lifted_key: the slots that are arguments, too, and what kind of values they hold.
        ints: by their positions, ints among the arguments that it is made for.
        template: makes such programs for other sizes, if it is one for some.
        path: the program itself, if it looks at numbers.
        as_captured: makes of it and its call the same with boxings where they were captured; until ranks have agreed about these.
        over_ranks: what was captured of tensors over ranks, if anything.
    """

    def __init__(
        self,
        capture: Capture,
        compiled: CompiledGraph | PathProgram,
        backward: Backward | LaterBackward | None,
        recorded: Recorded,
        call: Call,
        lifted: Sequence[StateSlot],
        python: PythonGuards,
        history: bool,
        sizes: int,
    ) -> None:
        self.template: ProgramTemplate | None = None
        self.as_captured: Callable[[Captured, Call], Captured] | None = None
        self._sizes = call.numbers[len(call.numbers) - sizes :]
        self.ints: dict[int, int] = {}
        self.compiled, self.backward, self.left = compiled, backward, recorded.left
        self.executable: Any = compiled.executable
        self.path = compiled if isinstance(compiled, PathProgram) else None
        self._has_gradients = bool(recorded.left)  # few programs need or leave any
        self._make = recorded.make
        self._single: int | None = None  # the number of the output, of a program that returns one tensor and sets nothing
        if isinstance(recorded.make, OutputMaker) and not recorded.stores:
            self._single = recorded.make.number
        self._are_distinct = recorded.are_distinct
        self._stores = recorded.stores or None  # few programs set anything
        self.numbers = call.numbers
        self.metas = [tensor.meta for tensor in call.given]
        self.lifted, self.lifted_key = lifted, call.lifted_key
        self._guards = [(scalar.evaluate, scalar.value) for scalar in capture.guards.scalars]
        self._tensors = capture.states.met()
        self._overwritten = capture.overwritten_inputs
        self.over_ranks: OverRanks | None = capture.over_ranks if capture.lies_over_ranks else None
        self._global = globals_among([*recorded.results, *capture.overwritten()])
        self._unrecorded = recorded.unrecorded
        self._differentiable = capture.written_back is None
        states = compiled.before.states if isinstance(compiled, PathProgram) else compiled.states
        self._written = {s.impl.block.ptr for s in states if s.result is not s.value}
        self._blocks = {impl.block.ptr for impl in self.executable.states}
        self._arguments: list[LayoutGuard | ArgumentGuard] = [*capture.guards.layouts, *capture.guards.arguments]
        self._objects = [(guard.read, guard.expected) for guard in capture.guards.objects]
        self.python = python
        self._optimizers = [OptimizerGuard(o, program, is_library_class(type(o))) for o, program in capture.stepped.items()]
        self._optimizers_compared_at = -1  # the count of changes of optimizers when these were compared last
        self._leaves = [(tensor, leaf_state(tensor)) for tensor, _, _ in self._tensors]
        self._constant = [t for t in capture.states.constants() if t.meta.dtype.is_floating_point] if history else []
        self._compared_at = -1  # the count of module changes when guards were compared last

    @property
    def before(self) -> Graph:
        """The program as it was captured."""
        return self.compiled.before

    @property
    def graph(self) -> Graph:
        """The program behind the passes."""
        return self.compiled.graph

    @property
    def is_of_one_moment(self) -> bool:
        """Whether a second call with the same arguments may be another program: it sets or reads variables, or leaves gradients."""
        return self._stores is not None or self._has_gradients or self.python.reads_variables

    def call_of(self, call: Call) -> Call | None:
        """The call as one of this program; None if the lifted slots hold other kinds of values."""
        own = self.with_lifted(call)
        if own is None or own.lifted_key != self.lifted_key:
            return None
        return own.with_sizes(self._sizes) if self._sizes else own

    def with_lifted(self, call: Call) -> Call | None:
        """The call with the values of the lifted slots; None if containers among these or its arguments are one."""
        own = call.with_lifted(self.lifted, self._differentiable) if self.lifted else call
        return None if self._are_distinct is not None and not self._are_distinct(own.held) else own

    def follows(self, walk: Walk, call: Call) -> bool:
        """Whether a run that has come so far, on another path, is on the one of this program, too."""
        return self.path is not None and self.path.follows(walk, call.numbers)

    def guard_ints(self, ints: dict[int, int], guards: Sequence[Condition]) -> None:
        """Note the ints among the arguments that it is made for, and what else was asked of them."""
        self.ints = ints
        self._guards += [(guard.holds, True) for guard in guards]

    def settled(self, fits: bool, call: Call) -> Captured:
        """What it becomes when ranks know whether they can move boxings as it does."""
        as_captured, self.as_captured = self.as_captured, None
        return self if fits or as_captured is None else as_captured(self, call)

    def for_sizes(
        self,
        sizes: list[int],
        ints: dict[int, int],
        call: Call,
        compiled: CompiledGraph | PathProgram,
        backward: Backward | LaterBackward | None,
        pins: Guards,
    ) -> Captured:
        """The same program for other sizes.

        Args:
            sizes, ints, call: these, the ints among the arguments that it is made for, and a call that has them.
            compiled, backward: what runs.
            pins: the numbers for which that is right.
        """
        other = self.with_programs(compiled, backward, pins)
        other.ints = ints
        other._sizes, other.numbers, other.metas = sizes, call.numbers, [tensor.meta for tensor in call.given]
        other.lifted_key = call.lifted_key
        return other

    def with_programs(
        self, compiled: CompiledGraph | PathProgram, backward: Backward | LaterBackward | None, pins: Guards
    ) -> Captured:
        """The same with other programs, which are right for the numbers of `pins`."""
        other = copy.copy(self)
        other.compiled, other.backward, other.executable = compiled, backward, compiled.executable
        other._blocks = {impl.block.ptr for impl in other.executable.states}
        other._guards = [*self._guards, *[(scalar.evaluate, scalar.value) for scalar in pins.scalars]]
        return other

    def run(self, call: Call, walk: Walk | None = None) -> Any:
        """What the program returns.

        Args:
            call: what `call_of` gave.
            walk: what has been done of it, on another path that has come to this one.

        Raises:
            UndoneError: what the function does is not known: it may catch the error of the run.
            OtherWayError: a number that is read decides otherwise.
        """
        tensors, numbers, given = call.tensors, call.numbers, call.given
        left = self.left
        if self._has_gradients:
            gradients = left.given(given)
            given, tensors = [*given, *gradients], [*tensors, *map(plain, gradients)]
        try:
            if self.path is None:
                left.drop(given)
                outputs = self.executable.run(tensors, numbers)
            else:
                done = self.path.run(tensors, numbers, walk, None if self.backward is None else self.backward.at)
                outputs, numbers = done.results, done.numbers
        except TritonflowError as error:
            if error.changed_nothing:
                raise UndoneError(str(error)) from error
            raise
        for number, meta in self._global:
            outputs[number] = from_shard(outputs[number], meta)
        if self.backward is not None:
            self.backward.record(outputs, tensors, numbers, given)
        for position in reversed(self._overwritten):
            _write(given[position], outputs.pop(), position in self._unrecorded)
        if self._has_gradients:
            left.leave(given, outputs)
        if self._single is not None:
            return outputs[self._single]
        run = Run(outputs, given, numbers, call.held)
        result = self._make(run)
        if self._stores is not None:
            before = module_version.latest
            self._stores.apply(run)
            self.python.own_change(before, self._stores.of_modules)
        return result

    def difference(self, numbers: Sequence[Any], given: Sequence[Tensor], for_other_sizes: bool = False) -> str:
        """What is not as it was captured, in words; empty if a run with these numbers does what the captured program would do."""
        for position, integer in () if for_other_sizes else self.ints.items():
            if numbers[position] != integer:
                return f"an int among the arguments that is a size: {integer} became {numbers[position]}"
        try:
            for evaluate, value in self._guards:
                if ((now := evaluate(numbers)) != value or not now) and not alike(now, value):
                    return f"a number that control flow used: {value!r} became {now!r}"
        except ArithmeticError as error:
            return f"a number that control flow used: it is not defined any more ({error})"
        if self._has_gradients and not self.left.hold(given):
            return "which gradients there are before the call"
        if self._arguments and not all(guard.holds(given) for guard in self._arguments):
            return "how an argument lies in memory, its class, or an attribute of it"
        for read, expected in self._objects:
            if read() != expected:
                return "a scaler's settings, a gradient, or a number in a tensor"
        if self._optimizers and self._optimizers_compared_at != optimizer_version.latest:
            latest = optimizer_version.latest
            if not all(guard.holds() for guard in self._optimizers):
                return "the settings or the state of an optimizer"
            self._optimizers_compared_at = latest
        for tensor, impl, meta in self._tensors:
            if tensor.impl is not impl or tensor.meta is not meta:
                return "where a parameter or buffer is, or what it is"
        for tensor in self._constant:
            if tensor._node is not None:
                return "whether a tensor requires grad"
        if given and (self._overwritten or self._written) and self.is_aliased(given):
            return "which arguments share memory with one another or with a parameter"
        if changed := self.python.changed():
            return changed
        return "" if self._compared_at == module_version.latest else self._change()

    def is_aliased(self, given: Sequence[Tensor]) -> bool:
        """Whether the program writes something that has memory of what it takes for another tensor."""
        if self._has_gradients and any(grad.impl.block.ptr in self._blocks for grad in self.left.given(given)):
            return True
        if not given or not (self._overwritten or self._written):
            return False
        written = self._written
        for tensor in given:
            if tensor.impl.block.ptr in written:
                return True
        if not self._overwritten:
            return False
        blocks = [tensor.impl.block.ptr for tensor in given]
        own = [blocks[k] for k in self._overwritten if k < len(blocks)]  # gradients, which lie behind the arguments, are left out
        return any(blocks.count(block) > 1 or block in self._blocks for block in own)

    def _change(self) -> str:
        """Whether tensors have other hooks, or another `requires_grad`."""
        latest, self._compared_at = module_version.latest, -1
        if any(leaf_state(tensor) != state for tensor, state in self._leaves):
            return "a parameter's hooks or its requires_grad"
        self._compared_at = latest
        return ""


def plain(tensor: Tensor) -> Tensor:
    """The tensor, or its shard, as an input, without history: one that is not contiguous as a vector of all memory from its first
    element on."""
    meta = tensor.meta.local
    return Tensor(meta if meta.is_contiguous else meta.as_vector(), tensor.impl, tensor.ptr)


def _write(x: Tensor, value: Tensor, unrecorded: bool) -> None:
    """Write an argument that the program has written; of some writes the history of the argument knows nothing."""
    if unrecorded:
        with no_grad():
            x.detach().copy_(value)
    else:
        x.copy_(value)

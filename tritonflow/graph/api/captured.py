"""A kind of call that was captured: its executable, and the guards under which it is right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from tritonflow import _C
from tritonflow.errors import CaptureError
from tritonflow.framework.module_version import module_version
from tritonflow.framework.runtime_scalar import RuntimeScalar
from tritonflow.framework.tensor import Tensor
from tritonflow.graph.api.backward import Backward
from tritonflow.graph.api.compiled_graph import CompiledGraph
from tritonflow.graph.capture.capture import Capture
from tritonflow.graph.capture.leaf_gradients import LeftGradients
from tritonflow.graph.capture.module_guards import ModuleGuards
from tritonflow.graph.capture.pytree import unflatten
from tritonflow.graph.capture.variable_guards import VariableGuards
from tritonflow.graph.ir import Graph
from tritonflow.interpreter.grad_node import leaf_state


class Recorded(NamedTuple):
    """What a program returned while it was captured.

    Attributes:
        structure: the pytree of what it returns.
        numbers: the numbers in it.
        results: its tensors, and behind them the gradients that it leaves.
        left: the gradients that it needs and leaves.
    """

    structure: Any
    numbers: Sequence[Any]
    results: list[Tensor]
    left: LeftGradients


class Captured:
    """A program with what it was captured for.

    Args:
        capture: what captured it.
        compiled: it itself.
        backward: what gives its results their history; None if they have none.
        recorded: what it returns and leaves.
        numbers: those of the call that it was captured with.
        modules: the guards on what it has read of modules.
        variables: the guards on what it has read of plain Python.
        history: whether a tensor that has come to require grad makes it another program.
    """

    def __init__(
        self,
        capture: Capture,
        compiled: CompiledGraph,
        backward: Backward | None,
        recorded: Recorded,
        numbers: Sequence[Any],
        modules: ModuleGuards,
        variables: VariableGuards,
        history: bool,
    ) -> None:
        self.compiled, self.backward, self.left = compiled, backward, recorded.left
        self.executable = compiled.executable
        self._has_gradients = bool(recorded.left)  # few programs need or leave any
        self._structure = recorded.structure
        self._returned = recorded.numbers
        self.numbers = numbers
        self._guards = [(scalar.evaluate, scalar.value) for scalar in capture.guards.scalars]
        self._tensors = capture.states.met()
        self._overwritten = capture.overwritten_inputs
        self._layouts = capture.guards.layouts
        self._objects = [(guard.read, guard.expected) for guard in capture.guards.objects]
        self._modules = modules
        self._variables = variables or None  # few programs read any
        self._leaves = [(met.tensor, leaf_state(met.tensor)) for met in self._tensors]
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

    def run(self, tensors: Sequence[Tensor], numbers: Sequence[Any], given: Sequence[Tensor]) -> Any:
        """What the program returns.

        Args:
            tensors: the inputs as the executable takes them.
            numbers: those of the call.
            given: the inputs themselves, of which the program may overwrite some.
        """
        left = self.left
        if self._has_gradients:
            gradients = left.given(given)
            given, tensors = [*given, *gradients], [*tensors, *map(plain, gradients)]
        for position in self._overwritten:
            _refuse_shared(given, position)
        outputs = self.executable.run(tensors, numbers)
        if self.backward is not None:
            self.backward.record(outputs, tensors, numbers, given)
        for position in reversed(self._overwritten):
            given[position].copy_(outputs.pop())
        if self._has_gradients:
            left.leave(given, outputs)
        returned = [n.evaluate(numbers) if isinstance(n, RuntimeScalar) else n for n in self._returned]
        return unflatten(self._structure, iter(outputs), iter(returned))

    def difference(self, numbers: Sequence[Any], given: Sequence[Tensor]) -> str:
        """What is not as it was captured, in words; empty if a run with these numbers does what the captured program would do."""
        for evaluate, value in self._guards:
            if (now := evaluate(numbers)) != value:
                return f"a number that control flow used: {value!r} became {now!r}"
        if self._has_gradients and not self.left.hold(given):
            return "which gradients there are before the call"
        if self._layouts and not all(guard.holds(given) for guard in self._layouts):
            return "how an argument lies in memory"
        for read, expected in self._objects:
            if read() != expected:
                return "an optimizer's or scaler's settings, a gradient, or a number in a tensor"
        for met in self._tensors:
            tensor = met.tensor
            if tensor.impl is not met.impl or tensor.meta is not met.meta:
                return "where a parameter or buffer is, or what it is"
        for tensor in self._constant:
            if tensor._node is not None:
                return "whether a tensor requires grad"
        if self._variables is not None and (name := self._variables.changed()):
            return f"'{name}', which it reads of a global variable, a closure or an object"
        if name := self._modules.changed_inside():
            return f"the attribute '{name}' of a module"
        return "" if self._compared_at == module_version.latest else self._change()

    def _change(self) -> str:
        """What has changed of what modules have that the program read, or of the tensors' hooks and `requires_grad`."""
        latest, self._compared_at = module_version.latest, -1
        if name := self._modules.changed():
            return f"the attribute '{name}' of a module"
        if any(leaf_state(tensor) != state for tensor, state in self._leaves):
            return "a parameter's hooks or its requires_grad"
        self._compared_at = latest
        return ""


def plain(tensor: Tensor) -> Tensor:
    """The tensor as an input: contiguous, without history."""
    bare = Tensor(tensor.meta, tensor.impl, tensor.ptr)
    return bare if bare.meta.is_contiguous else _C.contiguous(bare)  # type: ignore[no-any-return]


def _refuse_shared(given: Sequence[Tensor], position: int) -> None:
    """Refuse to overwrite an input of which another one is a view, or the other way round.

    Raises:
        RuntimeError: naming the way out.
    """
    if sum(tensor.impl is given[position].impl for tensor in given) > 1:
        raise CaptureError(
            f"input {position} is written in place, and shares memory with another input, which a captured program takes for"
            " another tensor: pass one of them, and make the other from it inside"
        )

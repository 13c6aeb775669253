"""What a captured call leaves to autograd: one node, whose backward is the backward program."""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from tritonflow.errors import AutogradError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.runtime_scalar import RuntimeScalar
from tritonflow.framework.tensor import Tensor
from tritonflow.graph.api.compiled_graph import CompiledGraph
from tritonflow.graph.api.differentiate import CallGradients
from tritonflow.graph.api.some_gradients import SomeGradients
from tritonflow.graph.capture.guards import Guards
from tritonflow.graph.capture.shards import from_shard, to_layout
from tritonflow.graph.ir.concrete import OtherProgramError
from tritonflow.graph.watch.contents import alike
from tritonflow.interpreter.dispatch import dispatch1
from tritonflow.interpreter.grad_node import Edge, GradNode, raise_released
from tritonflow.interpreter.gradient_ops import gradient_ops
from tritonflow.interpreter.recording import edges_of
from tritonflow.interpreter.saved_tensors import pack_by_hooks, unpack
from tritonflow.ops.precision import fixed
from tritonflow.thread_state import saved_hooks, thread_state


class Partial(NamedTuple):
    """A backward program where some results have no gradient.

    Attributes:
        compiled: the program.
        inputs: which inputs of the whole backward it takes.
        pins: the numbers for which alone it is right.
    """

    compiled: Any
    inputs: list[int]
    pins: Guards


class Backward:
    """Gives the results of each call their history. It refers weakly to eager tensors, which may have that history themselves: the
    captured call keeps them.

    Args:
        gradients: how they depend on what requires grad.
        compiled: the backward program; None if there is none.
        some: makes others for the results that get a gradient, where some do not.
        visible: how many of the forward's outputs are results; the others are saved only.
        retained: the positions of results that keep their gradient.

    Attributes:
        compiled, visible: these.
        metas, results: of the grad node's outputs, and where their sources' gradients are among the program's outputs.
        asked: of these, the tangents that each depends on.
    """

    def __init__(
        self,
        gradients: CallGradients,
        compiled: CompiledGraph | None,
        some: SomeGradients | None,
        visible: int,
        retained: Sequence[int],
    ) -> None:
        self.compiled = compiled
        self._some = some
        self._made: dict[frozenset[int], Partial] = {}
        self.visible = visible
        self._retained = retained
        self._sources = [s if isinstance(s, int) else weakref.ref(s) for s in gradients.sources]
        self._written = [weakref.ref(tensor) for tensor in gradients.written]
        self._states = [(tensor.meta, tensor.impl, tensor.ptr) for tensor in gradients.states]
        self._saved = [(value.is_input, value.number) for value in gradients.saved]
        self._histories = [(k, number) for k, number in enumerate(gradients.numbers) if number is not None]
        self._reads, self._contents = gradients.reads, gradients.contents
        self._errors, self._failing, self._leaves = gradients.errors, gradients.failing, gradients.leaves
        self.metas = gradients.metas
        self.results = gradients.gradients
        self.asked = gradients.asked
        self._over_ranks = gradients.over_ranks
        self._above = gradients.above
        self._watchers = gradients.watchers

    def record(
        self, outputs: list[Tensor], tensors: Sequence[Tensor], numbers: Sequence[Any], given: Sequence[Tensor]
    ) -> None:
        """Record a run: the history of its outputs, of which those that were only saved are taken away.

        Args:
            outputs: of the forward program.
            tensors, numbers, given: the call's inputs, as the executable took them and as they came.
        """
        results: list[Any] = outputs[: self.visible]
        if self._written:
            results += [written() for written in self._written]
        sources = tuple([given[source] if isinstance(source, int) else source() for source in self._sources])
        edges = edges_of(sources)
        if self.compiled is not None:
            saved: Any = [_parts((tensors if is_input else outputs)[number]) for is_input, number in self._saved]
            if saved_hooks.count:
                saved = pack_by_hooks(saved)
            versions = [impl.version for _, impl, _ in self._states]
            node = CompiledFunctionNode(edges, self, saved, versions, numbers)
            for begin, note, tangents in self._watchers:
                node.begins += ((begin(), tangents),)
                if note is not None:
                    note()(node)  # type: ignore[misc]
            for position, number in self._histories:
                result = results[position]
                result._node = node
                result._output_nr = number
        for position, error in self._errors.items():
            below = tuple([edges[number] for number in self._failing[position]])
            results[position]._node, results[position]._output_nr = FailingNode(below, error, results[position].meta), 0
        for position in self._leaves:
            results[position].requires_grad_()
        for position in self._retained:
            results[position].retain_grad()
        del outputs[self.visible :]

    def at(self, numbers: Sequence[Any]) -> Backward:
        """The backward for the numbers of a run: it is right for all that the forward is right for."""
        return self

    def of(self, given: frozenset[int], numbers: Sequence[Any]) -> Partial:
        """The program where these results have a gradient.

        Args:
            numbers: of the call.
        """
        assert self.compiled is not None and self._some is not None
        if given not in self._made:
            programs, inputs = self._some.of(given)
            guards = Guards()
            try:
                with fixed(self.compiled.policy):
                    self._made[given] = Partial(programs.at(numbers, guards), inputs, guards)
            except OtherProgramError:
                self._made[given] = self._whole()
        found = self._made[given]
        holds = all(scalar.evaluate(numbers) == scalar.value for scalar in found.pins.scalars)
        return found if holds else self._whole()

    def _whole(self) -> Partial:
        """The program for all results: where some have no gradient, zeros."""
        return Partial(self.compiled, [*range(len(self._saved) + len(self.metas))], Guards())

    def run(self, compiled: CompiledGraph, inputs: Sequence[Tensor], numbers: Sequence[Any]) -> list[Tensor]:
        """The outputs of its program, or of one for some of the results."""
        made = compiled.executable.run(inputs, numbers)
        for number, meta in self._over_ranks:
            made[number] = from_shard(made[number], meta)
        return made  # type: ignore[no-any-return]

    @property
    def reads_states(self) -> bool:
        """Whether the backward reads tensors from outside where they are."""
        return bool(self._states)

    def refuse_writes(self, node: CompiledFunctionNode, versions: Sequence[int]) -> None:
        """Refuse eager tensors that were written since a forward run.

        Raises:
            RuntimeError: as eager mode does.
        """
        for (meta, impl, ptr), version in zip(self._states, versions):
            if impl.version != version:
                unpack((meta, impl, ptr, version, None, -1), node)

    def require_whole(self, grads: Sequence[Any], asked: Iterable[int]) -> None:
        """Refuse to tell the gradient of an output of which another one is computed that has a gradient, too.

        Raises:
            RuntimeError: that part comes about in the program.
        """
        if any(grads[other] is not None for number in asked for other in self._above.get(number, ())):
            raise AutogradError(
                "the gradient of a result of a compiled function is asked for, by a hook, retain_grad() or autograd.grad(), and"
                " another result, which is computed of it, has a gradient: only the function knows that part. Ask for it inside of"
                " the function, or do not compile it"
            )

    def refuse_changes(self, numbers: Sequence[Any]) -> None:
        """Refuse to run where what its user code has read of Python is not what it was.

        Args:
            numbers: of the call.

        Raises:
            RuntimeError: eager mode would read it now.
        """
        changed = ""
        for slot, value in self._reads:
            expected = value.evaluate(numbers) if type(value) is RuntimeScalar else value
            if not alike(slot.get(), expected):
                changed = slot.name
        if not changed and not all(content.holds() for content in self._contents):
            changed = "a container"
        if changed:
            raise AutogradError(
                f"the backward of a compiled function reads '{changed}', which was changed between the call and backward():"
                " change it before the call, or call backward() inside of the function"
            )


class CompiledFunctionNode(GradNode):
    """The backward of one call of a captured function.

    Attributes:
        begins: what is called before it runs, where one of these results has a gradient.
    """

    __slots__ = ("recipe", "_saved", "versions", "numbers", "begins")

    def __init__(
        self, edges: tuple[Edge, ...], recipe: Backward, saved: Any, versions: Sequence[int], numbers: Sequence[Any]
    ) -> None:
        super().__init__(edges)
        self.recipe = recipe
        self._saved = saved
        self.versions = versions
        self.numbers = numbers
        self.begins: tuple[tuple[Any, frozenset[int]], ...] = ()

    @property
    def output_count(self) -> int:  # type: ignore[override]
        """How many results require grad."""
        return len(self.recipe.metas)

    def name(self) -> str:
        """What torch calls it."""
        return "CompiledFunctionBackward"

    def output_meta(self, output_nr: int) -> TensorMeta:
        return self.recipe.metas[output_nr]

    def require_whole(self, grads: list[Any], asked: Iterable[int]) -> None:
        self.recipe.require_whole(grads, asked)

    def apply(self, grads: list[Any]) -> Any:
        """The gradients of the sources.

        Raises:
            RuntimeError: the node was released; what it saved was written; the backward is to be recorded, or captured.
        """
        recipe = self.recipe
        if self._saved is None:
            raise_released(self)
        thread_state.observer.forbid(
            "backward() in a captured function reaches a call of a compiled function that was made outside of it: call"
            " backward() outside, or compile both together"
        )
        if thread_state.grad_enabled:
            raise AutogradError(
                "create_graph=True: the backward of a compiled function cannot be differentiated again. Compute the first"
                " gradient inside of the compiled function, with autograd.grad(..., create_graph=True), or do not compile it"
            )
        recipe.refuse_changes(self.numbers)
        recipe.refuse_writes(self, self.versions)
        assert recipe.compiled is not None
        given = frozenset([number for number, grad in enumerate(grads) if grad is not None])
        for begin, asking in self.begins:
            if not given.isdisjoint(asking):
                begin()
        if len(given) == len(grads):
            saved = [unpack(parts, self) for parts in self._saved]
            tangents = [_tangent(grad, meta) for grad, meta in zip(grads, recipe.metas)]
            made = recipe.run(recipe.compiled, [*saved, *tangents], self.numbers)
            return tuple([None if number is None else made[number] for number in recipe.results])
        partial, count = recipe.of(given, self.numbers), len(self._saved)
        inputs = [
            unpack(self._saved[k], self) if k < count else _tangent(grads[k - count], recipe.metas[k - count])
            for k in partial.inputs
        ]
        made = recipe.run(partial.compiled, inputs, self.numbers)
        return tuple([None if n is None or given.isdisjoint(recipe.asked[n]) else made[n] for n in recipe.results])

    def release(self) -> None:
        if self._saved or self.recipe.reads_states:
            self._saved = None

    @property
    def is_released(self) -> bool:
        return self._saved is None


class FailingNode(GradNode):
    """The history of a result whose backward could not be captured: it raises what capturing raised."""

    __slots__ = ("error", "meta")

    def __init__(self, edges: tuple[Edge, ...], error: Exception, meta: TensorMeta) -> None:
        super().__init__(edges)
        self.error = error
        self.meta = meta

    def name(self) -> str:
        """As of those that run."""
        return "CompiledFunctionBackward"

    def output_meta(self, output_nr: int) -> TensorMeta:
        return self.meta

    def apply(self, grads: list[Any]) -> Any:
        raise _again(self.error) from self.error.__cause__


def _again(error: Exception) -> Exception:
    """An error to raise that others of its kind follow: one that was raised refers to the frames that it came through."""
    made = error.__class__.__new__(error.__class__, *error.args)
    made.__dict__.update(error.__dict__)
    return made.with_traceback(error.__traceback__)


def _parts(tensor: Tensor) -> tuple[Any, ...]:
    """A tensor to save, for `unpack`, without its history."""
    return tensor.meta, tensor.impl, tensor.ptr, tensor.impl.version, None, -1


def _tangent(grad: Any, meta: TensorMeta) -> Tensor:
    """The gradient of a result as the program takes it; zeros where none arrived."""
    if grad is None:
        return gradient_ops.zeros(meta)
    if not meta.is_local:
        grad = to_layout(grad, meta)
    return grad if grad.meta is meta else dispatch1(op_expr("contiguous_copy"), grad)  # type: ignore[no-any-return]

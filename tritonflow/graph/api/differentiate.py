"""The backward of a captured call, as a second program.

Behind the function, in the same capture, the engine goes from the results that require grad to the inputs and eager tensors that
do. The joint graph is then cut: the forward program ends with the results and with what the backward reads of its values; the
backward program takes these and the gradients of the results (tangents).

    forward(input0):                       backward(saved0, tangent0):
      %1 = view state0                       %1 = view state0          # a parameter is read where it is
      %2 = matmul(input0, %1)                %2 = relu_backward(tangent0, saved0)
      %3 = relu(%2)                          %3 = matmul(%2, %1)
      return %3                              return %3
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple
from weakref import WeakMethod

from tritonflow.autograd.function import FunctionNode
from tritonflow.errors import CaptureError
from tritonflow.framework.consistent_meta import ConsistentTensorMeta
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.sbp import broadcast
from tritonflow.framework.tensor import Tensor
from tritonflow.graph.api.some_gradients import decides
from tritonflow.graph.capture.capture import Capture
from tritonflow.graph.capture.shards import globals_among
from tritonflow.graph.ir import Graph, Late, Node, State, Value, View, constant, root
from tritonflow.graph.passes.checkpoint import checkpoint
from tritonflow.graph.ranks.regather import regather
from tritonflow.graph.watch.contents import Content
from tritonflow.graph.watch.slots import StateSlot
from tritonflow.interpreter.engine import history_of, run_backward
from tritonflow.interpreter.grad_node import AccumulateGrad, Edge, GradNode, released_error
from tritonflow.interpreter.recording import edges_of
from tritonflow.nn.parallel.reducer import WatchedOutputs, Watcher
from tritonflow.tracebacks import chain


class InputNode(GradNode):
    """Stands for the history of an input that was computed outside of the program."""

    __slots__ = ("meta",)

    def __init__(self, meta: TensorMeta) -> None:
        super().__init__(())
        self.meta = meta

    def output_meta(self, output_nr: int) -> TensorMeta:
        return self.meta

    def apply(self, grads: list[Any]) -> Any:
        raise CaptureError(
            "backward() in a captured function reaches an input that was computed outside of it, where its gradient would be lost:"
            " call backward() outside, or pass input.detach()"
        )


@dataclass(frozen=True)
class Saved:
    """What a backward program is given of a forward run: its input, or its output (a result or a further one), of this number."""

    is_input: bool
    number: int


class Watched(NamedTuple):
    """Outputs of a forward in a program, which are watched by an object that the program does not keep alive.

    Attributes:
        begin, note: the watcher's methods.
        tangents: the numbers of those from which a backward comes by the outputs.
    """

    begin: WeakMethod[Callable[[], None]]
    note: WeakMethod[Callable[[GradNode], None]] | None
    tangents: frozenset[int]


@dataclass
class CallGradients:
    """How the results of a captured call depend on what requires grad outside.

    Attributes:
        numbers: for each result, input written in place and tensor of `written` the number of the grad node's output, None without
            gradient.
        leaves: the positions of results that are leaves themselves.
        errors: by the positions of results that have no backward, what it raises where it is called; others have one.
        failing: by the same positions the numbers of the sources that they depend on.
        sources: the positions of inputs and the eager tensors whose gradients are computed.
        graph: the backward program: saved tensors and tangents in, gradients out.
        saved: what its first inputs are.
        states: the eager tensors that it reads where they are, which must not be written in between.
        over_ranks: of the outputs of `graph` that are shards, which ones, and the metas of the global tensors.
        gradients: for each source the number of its gradient among the outputs, None if the results do not depend on it.
        metas: of the grad node's outputs.
        written: the eager tensors that the forward writes, whose history is the call from then on.
        asked: for each output of `graph` the numbers of the tangents that it depends on, be it by zeros.
        above: by the numbers of the grad node's outputs those that are computed of them.
        watchers: who is told that the backward begins.
        reads, contents: the slots that user code in the backward has read, and what they held; and the containers.
    """

    numbers: list[int | None] = field(default_factory=list)
    metas: list[TensorMeta] = field(default_factory=list)
    leaves: list[int] = field(default_factory=list)
    errors: dict[int, Exception] = field(default_factory=dict)
    failing: dict[int, list[int]] = field(default_factory=dict)
    sources: list[int | Tensor] = field(default_factory=list)
    graph: Graph | None = None
    saved: list[Saved] = field(default_factory=list)
    states: list[Tensor] = field(default_factory=list)
    gradients: list[int | None] = field(default_factory=list)
    over_ranks: list[tuple[int, Any]] = field(default_factory=list)
    written: list[Tensor] = field(default_factory=list)
    asked: list[frozenset[int]] = field(default_factory=list)
    above: dict[int, list[int]] = field(default_factory=dict)
    watchers: list[Watched] = field(default_factory=list)
    reads: list[tuple[StateSlot, Any]] = field(default_factory=list)
    contents: list[Content] = field(default_factory=list)


def differentiate(capture: Capture, results: Sequence[Tensor], inputs: Sequence[tuple[int, Edge]]) -> CallGradients | None:
    """Capture the backward of a program that is finished, and cut it off; `capture.graph` becomes the forward program.

    Args:
        results: what the function returned.
        inputs: the positions of the inputs that require grad, and their edges.

    Returns:
        None if no result requires grad.

    Raises:
        RuntimeError: a leaf that requires grad is made in the program, and returned together with what is computed of it.
    """
    written = [tensor for tensor, _ in capture.states.rewritten()]
    results = [*results, *capture.overwritten()]
    edges = edges_of((*results, *written))
    sources: dict[Edge, int | Tensor] = {edge: position for position, edge in inputs}
    sources.update((edge, tensor) for tensor, edge in capture.states.histories())
    leaves = [k for k, edge in enumerate(edges) if edge and isinstance(edge[0], AccumulateGrad) and edge not in sources]
    _refuse_new_leaves(edges, leaves)
    found = CallGradients(leaves=leaves, sources=list(sources.values()), written=written)
    wanted = []
    for k, edge in enumerate(edges):
        if edge is not None and k not in leaves:
            if any(node.is_released for node in history_of([edge[0]])):
                found.errors[k] = released_error(edge[0])
            else:
                wanted.append(k)
    _refuse_lost_leaves([edges[k][0] for k in wanted], sources)  # type: ignore[index]
    metas = [_tangent_meta(tensor.meta) for tensor in (*results, *written)]
    while wanted:
        found.numbers = [wanted.index(k) if k in wanted else None for k in range(len(edges))]
        found.metas = [metas[k] for k in wanted]
        found.above = _above([edges[k][0] for k in wanted])  # type: ignore[index]
        found.watchers = _watchers([edges[k][0] for k in wanted])  # type: ignore[index]
        try:
            _Differentiation(capture, found).run([edges[k] for k in wanted], list(sources))
            _ask_for_zeros(found, [edges[k][0] for k in wanted], list(sources))  # type: ignore[index]
            break
        except _BackwardError as error:  # eager mode would raise it in backward, if that is ever called
            if isinstance(error.cause, CaptureError):
                raise error.cause from None
            errors = _errors(capture, {k: (edges[k], metas[k]) for k in wanted}, list(sources), error.cause)
            found.errors.update((k, _without_locals(each)) for k, each in errors.items())
            wanted = [k for k in wanted if k not in errors]
            found.numbers = []
    for k in found.errors:
        below = set(history_of([edges[k][0]]))  # type: ignore[index]
        found.failing[k] = [number for number, edge in enumerate(sources) if edge[0] in below]  # type: ignore[index]
    return found if found.graph or found.errors or leaves else None


def _tangent_meta(meta: Any) -> TensorMeta:
    """Of the gradient of a result, as the backward takes it: what has a share of a sum gets the gradient of the sum."""
    if meta.is_local:
        return meta.contiguous()  # type: ignore[no-any-return]
    sbp = tuple([broadcast if one.is_partial else one for one in meta.sbp])
    return ConsistentTensorMeta.get(meta.shape, meta.dtype, meta.placement, sbp)


def _errors(
    capture: Capture, roots: dict[int, tuple[Any, TensorMeta]], targets: list[Edge], error: Exception
) -> dict[int, Exception]:
    """By the positions of results what the backward of each raises; all raise this one where user code would run once for each."""
    nodes = history_of([edge[0] for edge, _ in roots.values()])
    errors: dict[int, Exception] = {}
    if not any(map(_runs_user_code, nodes)):
        for k, (edge, meta) in roots.items():
            try:
                run_backward([(edge, capture.input(meta))], targets, True, False, stop=True)
            except Exception as raised:
                errors[k] = raised
    return errors or dict.fromkeys(roots, error)


def _runs_user_code(node: GradNode) -> bool:
    extras = node.extras
    has_hooks = extras is not None and (extras.tensor_hooks or extras.retains or extras.hooks or extras.pre_hooks)
    return isinstance(node, FunctionNode) or bool(has_hooks)


def _above(nodes: list[GradNode]) -> dict[int, list[int]]:
    """By the positions of nodes those that are computed of them, where there are any."""
    found: dict[int, list[int]] = {}
    if set(nodes).isdisjoint(_below(nodes)):
        return found
    for position, node in enumerate(nodes):
        below = _below([node])
        for other, lower in enumerate(nodes):
            if lower in below:
                found.setdefault(other, []).append(position)
    return found


def _watchers(nodes: list[GradNode]) -> list[Watched]:
    """What is watched in the histories of nodes, in the order of a backward of all."""
    found: dict[Watcher, list[int]] = {}
    for node in history_of(nodes):
        if isinstance(node, FunctionNode) and node.function is WatchedOutputs:
            found.setdefault(node.ctx.watcher, [])  # type: ignore[attr-defined]
    for position, above in enumerate(nodes if found else ()):
        for node in history_of([above]):
            if isinstance(node, FunctionNode) and node.function is WatchedOutputs:
                found[node.ctx.watcher].append(position)  # type: ignore[attr-defined]
    return [
        Watched(WeakMethod(begin), None if note is None else WeakMethod(note), frozenset(positions))
        for (begin, note), positions in found.items()
    ]


def _below(nodes: list[GradNode]) -> set[GradNode]:
    return set(history_of([edge[0] for node in nodes for edge in node.edges if edge is not None]))


def _refuse_new_leaves(edges: Sequence[Edge], leaves: list[int]) -> None:
    new = {edges[k][0] for k in leaves}  # type: ignore[index]
    others = [edge[0] for k, edge in enumerate(edges) if edge is not None and k not in leaves]
    if new and not new.isdisjoint(history_of(others)):
        raise CaptureError(
            "a result of a captured function is a leaf that requires grad, made in it, of which another result is computed: make"
            " the leaf outside, and pass it"
        )


def _refuse_lost_leaves(nodes: list[GradNode], sources: dict[Edge, int | Tensor]) -> None:
    """Refuse results of what was a leaf from outside when it was used, and is so no more, or anew.

    Raises:
        CaptureError: its gradient would not reach it.
    """
    for node in history_of(nodes):
        leaf = node.tensor() if isinstance(node, AccumulateGrad) and (node, 0) not in sources else None
        if leaf is not None and not leaf.is_lazy:
            raise CaptureError(
                "the function uses a tensor from outside, and then sets whether it requires grad: set it outside, or use detach()"
            )


def _without_locals(error: Exception) -> Exception:
    """An error to keep: its frames have no variables any more, which refer to the capture and to tensors of the call."""
    for raised in chain(error):
        traceback.clear_frames(raised.__traceback__)
    return error


def _asked(graph: Graph, tangents: Sequence[Value]) -> list[frozenset[int]]:
    """For each output of a backward program the numbers of the tangents that it depends on."""
    reached = {value: frozenset((number,)) for number, value in enumerate(tangents)}
    nothing: frozenset[int] = frozenset()
    for node in graph.nodes:
        found = nothing.union(*[reached.get(value, nothing) for value in decides(node)])
        reached.update((value, found) for value in node.outputs)
    return [reached.get(value, nothing) for value in graph.outputs]


def _ask_for_zeros(found: CallGradients, nodes: list[GradNode], sources: list[Edge]) -> None:
    """Note where gradients come from that are zeros whatever arrives, as that of `floor`: the program says no more."""
    for tangent, node in enumerate(nodes):
        reached = _given_gradients(node)
        for edge, number in zip(sources, found.gradients):
            if number is not None and edge is not None and edge[0] in reached:
                found.asked[number] |= {tangent}


def _given_gradients(root: GradNode) -> set[GradNode]:
    """The nodes that get a gradient for sure if a node does: a user's `Function` may give None."""
    found, waiting = {root}, [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, FunctionNode) or (node.extras is not None and node.extras.only_tangents):
            continue
        for edge in node.edges:
            if edge is not None and edge[0] not in found:
                found.add(edge[0])
                waiting.append(edge[0])
    return found


class _BackwardError(Exception):
    """The program's backward cannot be captured."""

    def __init__(self, cause: Exception) -> None:
        super().__init__()
        self.cause = cause


class _Differentiation:
    def __init__(self, capture: Capture, found: CallGradients) -> None:
        self.capture, self.found, self.forward = capture, found, capture.graph

    def run(self, roots: list[Any], targets: list[Edge]) -> None:
        """Capture the backward, and cut it off.

        Raises:
            _BackwardError: the program is as it was.
        """
        capture, forward = self.capture, self.forward
        tangents = [capture.input(meta) for meta in self.found.metas]
        given = [tangent.impl.value for tangent in tangents]
        try:
            gradients = run_backward(list(zip(roots, tangents)), targets, True, False, stop=True)
            values = [None if gradient is None else capture.read(gradient) for gradient in gradients]
            self.found.over_ranks = globals_among([each for each in gradients if each is not None])
        except Exception as error:
            raise _BackwardError(error) from error
        results = [*forward.outputs, *[state.result for state in forward.states], *[v for v in values if v is not None]]
        joint = self._joint(results)
        changed = dict(zip(results, joint.outputs))
        self.forward = forward = self._first_of(joint)
        cut = _Cut(replace(forward, segments=()), joint.states, self.found, given, capture.overwritten_inputs)
        cut.move(checkpoint(regather(joint)).alive())
        capture.graph = cut.finish([None if value is None else changed[value] for value in values])
        impls = cut.read_live()
        self.found.states = list({impl: tensor for tensor, impl, _ in capture.states.met() if impl in impls}.values())

    def _joint(self, results: Sequence[Value]) -> Graph:
        """Forward and backward as one graph, behind choices of what moves: readers in the backward have a say in that."""
        end = len(self.forward.nodes)
        joint = self.capture.recorded(results)
        joint = replace(joint, segments=[segment.before(end) for segment in joint.segments], phases=[end])
        if not self.capture.lies_over_ranks:
            return joint
        from tritonflow.graph.ranks.decide import choose  # programs on one rank need no boxing

        return choose(joint, without=("regather",))  # which only the backward does

    def _first_of(self, joint: Graph) -> Graph:
        """The forward of it."""
        forward, count = self.forward, len(self.forward.outputs)
        states = [replace(state, result=result) for state, result in zip(forward.states, joint.outputs[count:])]
        return replace(forward, nodes=joint.nodes[: joint.phases[0]], states=states, outputs=joint.outputs[:count], phases=())


class _Cut:
    """Moves the backward's nodes to a graph of their own, and adds to the forward's outputs what they read of it.

    Args:
        forward: the program without its backward.
        states: as they are behind the backward.
        found: gets the backward program.
        tangents: values of the joint graph.
        overwritten: positions of inputs that the caller writes behind the forward.
    """

    def __init__(
        self, forward: Graph, states: Sequence[State], found: CallGradients, tangents: list[Value], overwritten: list[int]
    ) -> None:
        self.forward, self.found, self.tangents = forward, found, tangents
        self.made = set(forward.producers())  # the values that the forward makes
        self.own: dict[Value, Value] = {value: value for value in tangents}
        self.nodes: list[Node] = []
        self.flattened: list[View] = []  # views that are added to the forward
        self.positions = {value: k for k, value in enumerate(forward.inputs) if k not in overwritten}
        before = {state.impl: state for state in forward.states}
        self.live: dict[Value, State] = {}  # values that lie in their states' memory while the backward runs
        self.changed: set[Any] = set()  # memory that the backward itself writes
        for state in states:
            result = before[state.impl].result if state.impl in before else state.value
            if state.result is not result:
                self.changed.add(state.impl)
            if state.impl in self.changed or result is state.value:
                self.live[result] = state
        self.used: dict[Any, State] = {}
        self.results = list(forward.outputs)
        self.outputs = {value: number for number, value in reversed(list(enumerate(forward.outputs)))}
        self.saved: list[Value] = []

    def move(self, nodes: Iterable[Node]) -> None:
        """Take over those of the joint graph's nodes that are the backward's."""
        for node in nodes:
            if not self.made.isdisjoint(node.outputs):
                continue
            if isinstance(node, Late) and node.inputs[1] not in self.own:  # what it waits for is made by the forward
                self.own[node.outputs[0]] = self.value(node.inputs[0])  # type: ignore[arg-type]
                continue
            own = node.reading(self.value)
            self.nodes.append(own)
            self.own.update(zip(node.outputs, own.outputs))

    def finish(self, gradients: Sequence[Value | None]) -> Graph:
        """Give the backward program its outputs; returns the forward program."""
        outputs: list[Value] = []
        for gradient in gradients:
            self.found.gradients.append(None if gradient is None else len(outputs))
            if gradient is not None:
                outputs.append(self.value(gradient))
        for value, state in self.live.items():
            if state.impl in self.changed:
                self.used[state.impl] = replace(self.state(value), result=self.value(state.result))
        inputs = [*self.saved, *self.tangents]
        self.found.graph = graph = Graph(inputs, list(self.used.values()), self.nodes, outputs)
        self.found.asked = _asked(graph, inputs[len(self.saved) :])
        return replace(self.forward, nodes=[*self.forward.nodes, *self.flattened], outputs=self.results)

    def read_live(self) -> set[Any]:
        """The memory that the backward reads where it is, and does not write."""
        return set(self.used) - self.changed

    def value(self, value: Value) -> Value:
        """A value of the joint graph as the backward has it."""
        if value not in self.own:
            self.own[value] = self.found_again(value)
        return self.own[value]

    def found_again(self, value: Value) -> Value:
        base = root(value)
        if value is base or base in self.own or self.is_there(base):
            definition = value.definition
            if isinstance(definition, View):
                return self.node(definition.again((self.value(definition.base),)))
            if value in self.live:
                return self.state(value).value
            if value in self.positions:
                return self.given(Saved(True, self.positions[value]), value.meta)
            if definition is not None and constant(value) is not None:
                return self.node(definition.again(definition.inputs))
        return self.save(value)

    def is_there(self, base: Value) -> bool:
        """Whether views of a value are made again of it; of a state's value that is overwritten, they are saved themselves."""
        return base in self.made or base in self.live or base in self.positions

    def save(self, value: Value) -> Value:
        """A value that the forward program hands over: as a result, or as a further output."""
        whole = value if value.meta.is_contiguous else self.flat(value)
        if whole not in self.outputs:
            self.outputs[whole] = len(self.results)
            self.results.append(whole)
        given = self.given(Saved(False, self.outputs[whole]), whole.meta.contiguous())
        return given if given.meta is value.meta else self.node(View(given, value.meta, 0))

    def flat(self, value: Value) -> Value:
        """The memory of a value with other strides, gaps included, as a vector."""
        view = View(value, value.meta.as_vector(), 0)
        self.flattened.append(view)
        return view.outputs[0]

    def given(self, saved: Saved, meta: TensorMeta) -> Value:
        self.found.saved.append(saved)
        self.saved.append(Value(meta, name=f"saved{len(self.saved)}"))
        return self.saved[-1]

    def state(self, value: Value) -> State:
        known = self.live[value]
        if known.impl not in self.used:
            own = Value(known.value.meta, name=f"state{len(self.used)}")
            self.used[known.impl] = State(known.impl, own, own)
        return self.used[known.impl]

    def node(self, node: Node) -> Value:
        self.nodes.append(node)
        return node.outputs[0]

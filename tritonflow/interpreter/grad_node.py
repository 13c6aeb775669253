"""The autograd graph: a node per recorded op, an accumulator per leaf, and what they save.

An edge is (node, number of the node's output). A node saves a tensor as a `SavedTensor`, not as the Tensor: a node and its saved
output would refer to each other, and only the garbage collector frees a cycle.
"""

from __future__ import annotations

import os
import threading
import traceback
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from tritonflow.errors import AutogradError, NotYetImplementedError, VersionError, type_name
from tritonflow.framework.hooks import HookTable, RemovableHandle, add_hook
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.gradient_ops import gradient_ops
from tritonflow.thread_state import thread_state
from tritonflow.vm.failure import SourceLine, caller

Edge = tuple[Any, int] | None
# Meta, impl, address, version, edge, and the number of the output, -1 for others. A plain tuple, as every recorded op makes some.
SavedTensor = tuple[TensorMeta, Any, int, int, Edge, int]

_lock = threading.Lock()
_RELEASED: Any = ("released",)
_PACKAGE = os.path.dirname(os.path.dirname(__file__)) + os.sep


class Anomaly:
    """Anomaly mode: nodes remember the forward line, backward checks for NaN. While a graph is captured they remember it, too.

    Attributes:
        scopes: how many captures, and scopes that record for tangents alone, there are in all threads.
        remembers: whether nodes remember anything.
    """

    __slots__ = ("enabled", "check_nan", "scopes", "remembers")

    def __init__(self) -> None:
        self.scopes = 0
        self.set(False, True)

    def set(self, enabled: bool, check_nan: bool) -> None:
        """Switch anomaly mode."""
        self.enabled, self.check_nan = enabled, check_nan
        self.remembers = enabled or self.scopes > 0

    def count_scope(self, change: int) -> None:
        """A capture, or a scope that records for tangents alone, begins (1) or ends (-1)."""
        with _lock:
            self.scopes += change
            self.remembers = self.enabled or self.scopes > 0


anomaly = Anomaly()


class NodeExtras:
    """What few nodes have: hooks, tensors that keep their gradient, the forward traceback.

    `tensor_hooks` maps an output's number to hooks on its gradient, `retains` to the tensors that keep it; `hooks` are called
    with (gradients of the inputs, gradients of the outputs) after the node, `pre_hooks` with the latter before it. `stack` and
    `source_line` are where the forward op was called. `only_tangents` says that this was under `no_grad`: a gradient ends here.
    """

    __slots__ = ("tensor_hooks", "retains", "hooks", "pre_hooks", "stack", "source_line", "only_tangents")

    def __init__(self) -> None:
        self.tensor_hooks: dict[int, HookTable] = {}
        self.retains: dict[int, list[Any]] = {}
        self.hooks = HookTable()
        self.pre_hooks = HookTable()
        self.stack: list[str] = []
        self.source_line: SourceLine | None = None
        self.only_tangents = False


class GradNode:
    """Base of the graph's nodes: edges to where the gradients of its inputs go, and extras where there are any."""

    __slots__ = ("edges", "extras", "__weakref__")
    output_count = 1

    edges: tuple[Edge, ...]
    extras: NodeExtras | None

    def __init__(self, edges: tuple[Edge, ...]) -> None:
        self.edges = edges
        self.extras = None
        if anomaly.remembers:
            self.remember_forward()

    def extra(self) -> NodeExtras:
        """The extras, made at their first use."""
        if self.extras is None:
            self.extras = NodeExtras()
        return self.extras

    def remember_forward(self) -> None:
        """Keep the line of the op's call; in anomaly mode the traceback, without the frames of this package.

        Also that the op is recorded for tangents alone.
        """
        if thread_state.only_tangents:
            self.extra().only_tangents = True
        if thread_state.observer.is_capturing:
            self.extra().source_line = caller(2)
        if not anomaly.enabled:
            return
        frames = [f for f in traceback.extract_stack() if not f.filename.startswith(_PACKAGE)]
        self.extra().stack = traceback.format_list(frames)

    def name(self) -> str:
        """What the node is called in messages."""
        return type(self).__name__

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        """The nodes and output numbers that the gradients go to."""
        return tuple((None, 0) if edge is None else edge for edge in self.edges)

    def register_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(grad_inputs, grad_outputs)` after the node has run; it may return other gradients of the inputs."""
        return add_hook(self.extra().hooks, hook)

    def register_prehook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(grad_outputs)` before the node runs; it may return other gradients."""
        return add_hook(self.extra().pre_hooks, hook)

    def add_tensor_hook(self, output_nr: int, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(grad)` when the gradient of an output is complete; it may return another."""
        return add_hook(self.extra().tensor_hooks.setdefault(output_nr, HookTable()), hook)

    def retain(self, output_nr: int, tensor: Tensor) -> None:
        """Keep the gradient of an output in `tensor.grad`."""
        self.extra().retains.setdefault(output_nr, []).append(weakref.ref(tensor))

    def cease_to_retain(self, output_nr: int, tensor: Tensor) -> None:
        """Undo `retain`."""
        retains = self.extra().retains
        retains[output_nr] = [reference for reference in retains.get(output_nr, ()) if reference() is not tensor]

    def output_meta(self, output_nr: int) -> TensorMeta:
        """What the gradient of an output must look like."""
        raise NotImplementedError

    def apply(self, grads: list[Any]) -> Any:
        """The gradients of the inputs from those of the outputs."""
        raise NotImplementedError

    def require_whole(self, grads: list[Any], asked: Iterable[int]) -> None:
        """Refuse where somebody asks for the gradient of an output, and a part of it comes about in this node only.

        Args:
            grads: of the outputs, as they came.
            asked: the numbers of outputs that have hooks, keep their gradients or are differentiated by.

        Raises:
            RuntimeError: one of them is computed of another, as only the node of a whole function has them.
        """

    def twin(self) -> GradNode:
        """A node that computes the same and is released by itself: for a node that is a part of another.

        What it has saved of its outputs refers to the twin, so that a second backward, which goes there, does not depend on
        which of the two ran first.
        """
        return self

    def release(self) -> None:
        """Forget what was saved."""

    @property
    def is_released(self) -> bool:
        """Whether what was saved is forgotten, so that the node cannot run again."""
        return False

    def __repr__(self) -> str:
        return f"<{self.name()}>"


def has_repeats(meta: TensorMeta) -> bool:
    """Whether several elements have one address, as in an expanded tensor."""
    meta = meta.on_one_rank
    return meta.numel > 0 and any(step == 0 and n > 1 for n, step in zip(meta.shape, meta.stride))


def replace_history(tensor: Tensor, node: GradNode | None, output_nr: int = 0) -> None:
    """Make an output of a node the history of a tensor whose memory was written.

    Hooks stay with the value that they were registered on. The gradient that `retain_grad` stores is that of the tensor as it is.
    """
    if tensor._retains_grad:
        if tensor._node is not None:
            tensor._node.cease_to_retain(tensor._output_nr, tensor)
        if node is not None:
            node.retain(output_nr, tensor)
    tensor._node, tensor._output_nr = node, output_nr


class AccumulateGrad(GradNode):
    """The sink of a leaf that requires grad: adds what arrives to `tensor.grad`."""

    __slots__ = ("tensor", "meta", "post_hooks")

    def __init__(self, tensor: Tensor) -> None:
        super().__init__(())
        self.tensor = weakref.ref(tensor)
        self.meta = tensor.meta
        self.post_hooks: HookTable | None = None

    def output_meta(self, output_nr: int) -> TensorMeta:
        tensor = self.tensor()
        return self.meta if tensor is None else tensor.meta


def leaf_state(tensor: Tensor) -> Any:
    """What a backward does with a tensor that no recorded op has made: None for nothing, else the numbers of its hooks."""
    node = tensor._node
    if not isinstance(node, AccumulateGrad):
        return None
    return tuple(node.post_hooks or ()), tuple(node.extras.tensor_hooks.get(0, ())) if node.extras else ()


class OpNode(GradNode):
    """The backward of one op: `<op>_backward`. What its derivative reads is on it."""

    __slots__ = ("op", "attrs", "dynamic", "metas", "out_metas", "_saved")

    def __init__(
        self,
        op: Any,
        edges: tuple[Edge, ...],
        metas: tuple[TensorMeta | None, ...],
        out_metas: tuple[TensorMeta, ...],
        attrs: tuple[Any, ...],
        dynamic: tuple[Any, ...],
        saved: Any,
    ) -> None:
        self.edges = edges
        self.extras = None
        self.op = op
        self.metas = metas
        self.out_metas = out_metas
        self.attrs = attrs
        self.dynamic = dynamic
        self._saved = saved
        if anomaly.remembers:
            self.remember_forward()

    @property
    def derivative(self) -> Any:
        """The function from the gradients of the outputs to those of the inputs; None if the op has none."""
        return self.op.rule("derivative")

    @property
    def output_count(self) -> int:  # type: ignore[override]
        """How many outputs the op has."""
        return len(self.out_metas)

    def name(self) -> str:
        """The op's name with _backward."""
        return f"{self.op.name}_backward"

    @property
    def needs(self) -> tuple[bool, ...]:
        """Which inputs want a gradient: of those with a history, in `autograd.grad`, the ones that lead to what was asked for."""
        backward = thread_state.backward
        if backward is None or backward.needed is None:
            return tuple([edge is not None for edge in self.edges])
        return tuple([edge is not None and edge[0] in backward.needed for edge in self.edges])

    def output_meta(self, output_nr: int) -> TensorMeta:
        return self.out_metas[output_nr]

    def saved(self, k: int) -> Any:
        """The k-th saved tensor.

        Raises:
            RuntimeError: the node was released, or the tensor was written in place since.
        """
        if self._saved is _RELEASED:
            raise_released(self)
        return unpack(self._saved[k], self)

    def saved_list(self, k: int) -> list[Any]:
        """The k-th saved name, a variadic input, as a list."""
        if self._saved is _RELEASED:
            raise_released(self)
        return [unpack(saved, self) for saved in self._saved[k]]

    def zeros(self, k: int) -> Tensor:
        """A gradient of zeros for output k, where none arrived."""
        return gradient_ops.zeros(self.out_metas[k])

    def apply(self, grads: list[Any]) -> Any:
        if self._saved is _RELEASED:
            raise_released(self)
        derivative = self.derivative
        if derivative is None:
            raise NotYetImplementedError(f"derivative for {self.op.name} is not implemented")
        return derivative(self, *grads)

    def twin(self) -> OpNode:
        return type(self)(self.op, self.edges, self.metas, self.out_metas, self.attrs, self.dynamic, self._saved)

    def release(self) -> None:
        for saved in self._saved:  # what has saved nothing can be used again, as the cast of a parameter that two losses share
            if saved is not None:
                self._saved = _RELEASED
                return

    @property
    def is_released(self) -> bool:
        return self._saved is _RELEASED


class InplaceOpNode(OpNode):
    """The backward of an in-place op whose derivative differs from the ordinary form's."""

    __slots__ = ()

    @property
    def derivative(self) -> Any:
        return self.op.rule("inplace_derivative")


class ViewAgain(OpNode):
    """The backward of a view whose history was looked up again, behind a write: as torch's `as_strided`, it gives a gradient that
    has memory for each element.
    """

    __slots__ = ()

    def apply(self, grads: list[Any]) -> Any:
        (grad,) = super().apply(grads)
        return (gradient_ops.clone(grad) if grad is not None and has_repeats(grad.meta) else grad,)


class ZeroEdges(GradNode):
    """What a gradient has that does not vary with an op's inputs: it goes on as it is, and zeros go to these inputs.

    torch's second derivatives of relu, of maxima of windows and the like are such zeros. An optimizer skips a parameter without a
    gradient, but not one whose gradient is zero.
    """

    __slots__ = ("meta",)

    def __init__(self, grad: Tensor, edges: tuple[Edge, ...]) -> None:
        own: Edge = None if grad._node is None else (grad._node, grad._output_nr)
        super().__init__((own, *edges))
        self.meta = grad.meta

    def output_meta(self, output_nr: int) -> TensorMeta:
        return self.meta

    def apply(self, grads: list[Any]) -> Any:
        followed = [edge and gradient_ops.zeros(edge[0].output_meta(edge[1])) for edge in self.edges[1:]]
        return (grads[0], *followed)


class OnlyTangents(GradNode):
    """What stands before the history of a tensor that an op recorded for tangents alone has saved: a gradient ends here."""

    __slots__ = ("meta",)

    def __init__(self, edge: Edge, meta: TensorMeta) -> None:
        super().__init__((edge,))
        self.extra().only_tangents = True
        self.meta = meta

    def output_meta(self, output_nr: int) -> TensorMeta:
        return self.meta

    def apply(self, grads: list[Any]) -> Any:
        return (grads[0],)


def add_zero_edges(results: tuple[Tensor | None, ...], node: OpNode) -> None:
    """Make the gradients that a node has given depend on its inputs, or on its output if that is what it reads: their own
    gradients there are zeros."""
    edges: tuple[Edge, ...] = ((node, 0),) if _reads_output(node) else node.edges
    for grad in results:
        if grad is not None and grad._view is None:
            grad._node, grad._output_nr = ZeroEdges(grad, edges), 0


def _reads_output(node: OpNode) -> bool:
    """Whether the derivative reads the op's first output."""
    definition = node.op.definition
    saved = definition.inplace_saved if isinstance(node, InplaceOpNode) else definition.saved
    return definition.outputs[0] in saved


@contextmanager
def every_gradient() -> Iterator[None]:
    """A block in which nodes compute the gradients of all inputs with a history.

    For a node that is a part of another: the engine has followed the other's edges, and cannot tell which of these lead anywhere.
    """
    backward = thread_state.backward
    if backward is None:
        yield
        return
    needed, backward.needed = backward.needed, None
    try:
        yield
    finally:
        backward.needed = needed


def raise_released(node: GradNode) -> None:
    """Say that a node was used a second time."""
    raise released_error(node)


def released_error(node: GradNode) -> AutogradError:
    """That a node was used a second time."""
    return AutogradError(
        f"This FunctionNode with name `{node.name()}` has been released. Maybe you try to backward through the node a second"
        " time. Specify retain_graph=True when calling .backward() or autograd.grad() the first time."
    )


def pack(tensor: Tensor, version: int, edge: Edge, is_output: bool) -> SavedTensor:
    """A tensor to save."""
    return (tensor.meta, tensor.impl, tensor.ptr, version, edge, tensor._output_nr if is_output else -1)


class HookedTensor:
    """A saved tensor in the form that a hook has packed it (`autograd.graph.saved_tensors_hooks`)."""

    __slots__ = ("packed", "unpack_hook", "edge", "output_nr")

    def __init__(self, saved: SavedTensor, hooks: Any) -> None:
        meta, impl, ptr, version, self.edge, self.output_nr = saved
        pack_hook, self.unpack_hook = hooks
        tensor = Tensor(meta, impl, ptr)
        tensor._is_exposed = True
        if self.edge is not None:
            tensor._node, tensor._output_nr = self.edge
        self.packed = pack_hook(tensor)
        if impl.version != version:
            raise AutogradError(
                "A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack hook can not be"
                " modified by in-place operations as this can lead to unexpected side-effects. Please open an issue if you need"
                " to perform in-place operations on the input to a pack hook."
            )

    def unpack(self, node: GradNode) -> Tensor:
        """The tensor that the hook gives back, with the history of the one that was saved."""
        given = self.unpack_hook(self.packed)
        if not isinstance(given, Tensor):
            raise TypeError(f"Output of saved tensor unpack_hook expected to be a Tensor but got result of type {type_name(given)}")
        tensor = Tensor(given.meta, given.impl, given.ptr)
        tensor._is_exposed = True
        edge = (node, self.output_nr) if self.output_nr >= 0 else self.edge
        if edge is not None:
            if node.extras is not None and node.extras.only_tangents:
                edge = (OnlyTangents(edge, given.meta), 0)
            tensor._node, tensor._output_nr = edge
        return tensor


def pack_by_hooks(saved: Any) -> Any:
    """What a node saves, packed by the hooks of this thread, if there are any; an entry may be a list of tensors itself.

    What the op itself has overwritten stays: to read it is an error.
    """
    stack = thread_state.saved_hooks
    if not stack:
        return saved
    before = thread_state.grad_enabled
    thread_state.grad_enabled = False
    try:
        return tuple([_pack_one(entry, stack[-1]) for entry in saved])
    finally:
        thread_state.grad_enabled = before


def _pack_one(entry: Any, hooks: Any) -> Any:
    if entry is None:
        return None
    if not entry or entry[0] is None or entry[0].__class__ is tuple:
        return tuple([_pack_one(one, hooks) for one in entry])
    if entry[3] != entry[1].version:
        return entry
    return HookedTensor(entry, hooks)


def unpack(saved: Any, node: GradNode) -> Any:
    """The saved tensor as a Tensor, with its edge."""
    if saved is None:
        return None
    if saved.__class__ is HookedTensor:
        return saved.unpack(node)
    meta, impl, ptr, version, edge, output_nr = saved
    if impl.version != version:
        raise VersionError(
            "one of the variables needed for gradient computation has been modified by an inplace operation:"
            f" [{meta.dtype}, shape {list(meta.shape)}], which is {'an output' if output_nr >= 0 else 'an input'} of"
            f" {node.name()}, is at version {impl.version}; expected version {version} instead."
            " Hint: enable anomaly detection to find the forward operation: flow.autograd.set_detect_anomaly(True)."
        )
    tensor = Tensor(meta, impl, ptr)
    if output_nr >= 0:
        edge = (node, output_nr)
    if edge is not None:
        if node.extras is not None and node.extras.only_tangents:
            edge = (OnlyTangents(edge, meta), 0)
        tensor._node = edge[0]
        if edge[1]:
            tensor._output_nr = edge[1]
    else:
        tensor._is_exposed = True  # a derivative that returns it as a gradient does not give it away
    return tensor

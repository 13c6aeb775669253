"""The autograd graph: a node per recorded op (`op_node.py`), an accumulator per leaf. An edge is (node, number of its output)."""

from __future__ import annotations

import os
import threading
import traceback
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from tritonflow.errors import AutogradError
from tritonflow.framework.hooks import HookTable, RemovableHandle, add_hook
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.tensor import Tensor
from tritonflow.thread_state import thread_state
from tritonflow.vm.failure import SourceLine, caller

Edge = tuple[Any, int] | None

_lock = threading.Lock()
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

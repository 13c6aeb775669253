"""The backward engine: from the roots on, runs each node when all its gradients have arrived.

One engine serves `backward`, `autograd.grad`, eager and capture. It runs in the calling thread; the order is fixed by the graph
(latest node of a depth-first search first), so that sums of gradients have the same bits in every run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

from tritonflow.errors import AutogradError, LocalityError
from tritonflow.framework.locality import locality
from tritonflow.framework.memory_format import channels_last, contiguous_format
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.grad_mode import set_grad_enabled
from tritonflow.interpreter.grad_node import AccumulateGrad, Edge, GradNode, NodeExtras, anomaly
from tritonflow.interpreter.gradient_ops import gradient_ops
from tritonflow.interpreter.op_node import OpNode, add_zero_edges
from tritonflow.thread_state import slow_path, thread_state
from tritonflow.vm.failure import add_note


def run_backward(
    roots: Sequence[tuple[Edge, Tensor]],
    targets: Sequence[Edge] | None,
    retain_graph: bool,
    create_graph: bool,
    stop: bool = False,
) -> list[Tensor | None]:
    """Propagate gradients.

    Args:
        roots: the edges to start at with their gradients.
        targets: the edges whose gradients are wanted; None accumulates into the leaves instead.
        retain_graph: keep what the nodes saved.
        create_graph: record the backward itself.
        stop: end at the targets: neither their hooks nor what leads to them runs. For a program whose gradients are handed on.

    Returns:
        The gradients of `targets`, None for those not reached.
    """
    before = thread_state.grad_enabled, thread_state.autocast, thread_state.backward
    thread_state.grad_enabled, thread_state.autocast = create_graph, None  # in the dtypes of the forward pass
    thread_state.backward = run = BackwardPass(roots, targets, retain_graph, create_graph, stop)
    try:
        if not stop:
            thread_state.observer.reach(run.order, not retain_graph)
        return run.run()
    finally:
        thread_state.grad_enabled, thread_state.autocast, thread_state.backward = before
        thread_state.observer.note_line(None)


def current_backward() -> Any:
    """The backward pass that runs in this thread; None outside of one."""
    return thread_state.backward


class BackwardPass:
    """One backward pass.

    Attributes:
        targets: the edges whose gradients are wanted; None where gradients are accumulated.
        at_end: functions that are called when all gradients are accumulated.
    """

    def __init__(
        self,
        roots: Sequence[tuple[Edge, Tensor]],
        targets: Sequence[Edge] | None,
        retain_graph: bool,
        create_graph: bool,
        stop: bool,
    ) -> None:
        self.stop = stop
        self.retain_graph = retain_graph
        self.create_graph = create_graph
        self.targets = targets
        self.at_end: list[Callable[[], None]] = []
        self.captured: dict[Any, Tensor] = {}
        self.wanted = {edge for edge in targets if edge is not None} if targets is not None else set()
        self.buffers: dict[GradNode, list[Any]] = {}
        self.passed_on: set[GradNode] = set()  # leaves whose gradients other buffers may hold as well
        self.partial: set[GradNode] = set()  # nodes to which a partial gradient has come
        self.roots = roots
        nodes = history_of([edge[0] for edge, _ in roots if edge is not None])
        self.order = nodes
        self.needed = None if targets is None else _leads_to(nodes, {edge[0] for edge in self.wanted})

    @cached_property
    def notes(self) -> WeakKeyDictionary[Any, Any]:
        """What hooks keep during the pass, by the object whose it is.

        These objects are held by the graph. If one kept a gradient with a history itself, that would be a cycle.
        """
        return WeakKeyDictionary()

    def run(self) -> list[Tensor | None]:
        """Run the nodes and return the targets' gradients."""
        for edge, grad in self.roots:
            _base(grad)._is_exposed = True
            if edge is not None:
                self._arrive(*edge, grad)
        for node in self.order:
            grads = self.buffers.pop(node, None)
            if grads is not None:
                self._visit(node, grads)
        if self.targets is None:
            for function in self.at_end:
                function()
            return []
        return [None if edge is None else self.captured.get(edge) for edge in self.targets]

    def _arrive(self, node: GradNode, number: int, grad: Tensor) -> bool:
        """Add a gradient of a node's output to its buffer; whether it is the first of that node."""
        if self.needed is not None and node not in self.needed:
            return False
        buffer = self.buffers.get(node)
        if buffer is None:
            count = node.output_count
            buffer = self.buffers[node] = [None] * (count if number < count else number + 1)
            buffer[number] = grad
            return True
        present = buffer[number]
        if present is None:
            buffer[number] = grad
        else:
            buffer[number] = gradient_ops.add(present, grad)
            self.passed_on.discard(node)
        return False

    def _visit(self, node: GradNode, grads: list[Any]) -> None:
        if self.stop and self._capture(node, grads):
            return
        if node.extras is not None:
            if node.extras.only_tangents and not thread_state.forward_mode:
                return
            node.require_whole(grads, (*node.extras.tensor_hooks, *node.extras.retains))
            _run_output_hooks(node.extras, grads)
        if self.wanted:
            self._capture(node, grads)
        if type(node) is AccumulateGrad:
            if self.targets is None:
                grad = grads.pop()
                shared = grad._is_exposed or node in self.passed_on and self._is_held(grad)
                accumulate(node, grad, self.create_graph, shared)
            return
        if self.needed is not None and not any(e is not None and e[0] in self.needed for e in node.edges):
            return
        if self.partial and node in self.partial:
            self._combine_shares(node, grads)
        results = self._apply(node, grads)
        if not self.retain_graph:
            node.release()
        for edge, grad in zip(node.edges, results):
            if edge is not None and grad is not None:
                target, number = edge
                meta = target.output_meta(number)
                if grad.meta is not meta:
                    grad = fit(grad, meta, node)
                if not meta.is_local and _is_partial(grad):  # on every rank, whether or not its shard lies as that of the output
                    self.partial.add(target)
                is_first = self._arrive(target, number, grad)
                if is_first and type(target) is AccumulateGrad and _is_passed_on(grad, grads, results):
                    self.passed_on.add(target)

    def _is_held(self, grad: Tensor) -> bool:
        """Whether a buffer holds a gradient or a view of it."""
        return any(_base(other) is grad for buffer in self.buffers.values() for other in buffer if other is not None)

    def _combine_shares(self, node: GradNode, grads: list[Any]) -> None:
        """Combine partial gradients of consistent tensors before a node that makes larger ones of them: those would be, later."""
        followed = [edge for edge in node.edges if edge is not None and (self.needed is None or edge[0] in self.needed)]
        made = sum([target.output_meta(number).numel for target, number in followed])
        partial = [k for k, grad in enumerate(grads) if grad is not None and _is_partial(grad)]
        if made > sum([grads[k].meta.numel for k in partial]):
            for k in partial:
                grads[k] = gradient_ops.lay_out(grads[k], node.output_meta(k))

    def _capture(self, node: GradNode, grads: list[Any]) -> bool:
        """Note the gradients of a node's outputs that are wanted; whether there are any."""
        asked = [number for number in range(len(grads)) if (node, number) in self.wanted]
        if asked:
            node.require_whole(grads, asked)
        found = [number for number in asked if grads[number] is not None]
        for number in found:
            self.captured[node, number] = grads[number]
        return bool(found)

    def _apply(self, node: GradNode, grads: list[Any]) -> Any:
        if anomaly.remembers:
            thread_state.observer.note_line(None if node.extras is None else node.extras.source_line)
        try:
            results = node.apply(grads)
        except Exception as error:
            if node.extras is not None and node.extras.stack:
                add_note(error, forward_trace(node))
            raise
        if type(results) is not tuple:
            results = (results,)
        if self.create_graph and isinstance(node, OpNode) and node.op.definition.zero_second_derivative:
            add_zero_edges(results, node)
        if anomaly.enabled and anomaly.check_nan and not self.stop:
            _check_nan(node, results)
        if node.extras is not None:
            for hook in list(node.extras.hooks.values()):
                expose([*results, *grads])
                changed = hook(results, tuple(grads))
                if changed is not None:
                    results = changed if isinstance(changed, tuple) else (changed,)
                    expose(results)
        return results


def history_of(roots: list[Any]) -> list[GradNode]:
    """The nodes below the roots, these included, each before those that its gradients go to."""
    order: list[GradNode] = []
    seen: set[GradNode] = set()
    for root in roots:
        if root in seen:
            continue
        seen.add(root)
        stack = [(root, iter(root.edges))]
        while stack:
            node, edges = stack[-1]
            for edge in edges:  # an iterator: it goes on where it stopped
                if edge is not None and (child := edge[0]) not in seen:
                    seen.add(child)
                    if child.edges:
                        stack.append((child, iter(child.edges)))
                        break
                    order.append(child)
            else:
                order.append(node)
                stack.pop()
    order.reverse()
    return order


def _leads_to(order: list[GradNode], targets: set[GradNode]) -> set[GradNode]:
    """The nodes from which a target can be reached, targets included."""
    found = set()
    for node in reversed(order):
        if node in targets or any(edge is not None and edge[0] in found for edge in node.edges):
            found.add(node)
    return found


def _is_partial(grad: Tensor) -> bool:
    meta: Any = grad.meta
    return not meta.is_local and any(sbp.is_partial for sbp in meta.sbp)


def _base(grad: Tensor) -> Tensor:
    """The gradient itself, or what it is a view of."""
    while grad._view is not None:
        grad = grad._view[0]
    return grad


def _is_passed_on(grad: Tensor, grads: Sequence[Any], results: Sequence[Any]) -> bool:
    """Whether a node's result `grad` may be held by others than one edge: it is one of `grads`, or twice in `results`."""
    for other in grads:
        if other is grad:
            return True
    count = 0
    for other in results:
        if other is grad:
            count += 1
        elif other is not None and other._view is not None:
            return True
    return count > 1


def expose(grads: Iterable[Any]) -> None:
    """Note of gradients that code outside of the engine may refer to them, or to what they are views of."""
    for grad in grads:
        if grad is not None:
            _base(grad)._is_exposed = True


def _run_output_hooks(extras: NodeExtras, grads: list[Any]) -> None:
    if extras.tensor_hooks or extras.pre_hooks or extras.retains:
        expose(grads)
    for number, hooks in extras.tensor_hooks.items():
        for hook in list(hooks.values()):
            if grads[number] is not None:
                changed = hook(grads[number])
                if changed is not None:
                    grads[number] = changed
                    expose((changed,))
    for hook in list(extras.pre_hooks.values()):
        changed = hook(tuple(grads))
        if changed is not None:
            grads[:] = changed if isinstance(changed, (tuple, list)) else [changed]
            expose(grads)
    for number, references in extras.retains.items():
        grad = grads[number]
        for reference in references:
            tensor = reference()
            if tensor is not None and grad is not None:
                present = tensor._grad
                tensor._grad = grad if present is None else gradient_ops.add(present, grad)


def fit(grad: Tensor, meta: TensorMeta, node: GradNode) -> Tensor:
    """Sum a gradient over the dimensions that were broadcast and cast it, so that it looks like `meta`.

    Raises:
        AutogradError: the shapes do not fit.
        LocalityError: one of them is consistent and the other local.
    """
    if grad.meta.is_local is not meta.is_local:
        raise LocalityError(
            f"Function {node.name()} returned an invalid gradient: expected a {locality(meta)} tensor,"
            f" got a {locality(grad.meta)} one"
        )
    if grad.meta.ndim != meta.ndim or grad.meta.shape != meta.shape:
        if not _expands(meta.shape, grad.meta.shape):
            raise AutogradError(
                f"Function {node.name()} returned an invalid gradient: expected shape {list(meta.shape)},"
                f" got {list(grad.meta.shape)}"
            )
        grad = gradient_ops.sum_to(grad, meta.shape)
    if grad.meta.dtype is not meta.dtype:
        grad = gradient_ops.cast(grad, meta.dtype)
    if not meta.is_local:
        return grad if grad.placement is meta.placement else gradient_ops.lay_out(grad, meta)  # type: ignore[attr-defined]
    if grad.meta.device is not meta.device:
        grad = gradient_ops.to_device(grad, meta.device)
    return grad


def _expands(small: tuple[int, ...], large: tuple[int, ...]) -> bool:
    if len(small) > len(large):
        return False
    return all(a in (b, 1) for a, b in zip(reversed(small), reversed(large)))


def accumulate(node: AccumulateGrad, grad: Tensor, create_graph: bool, shared: bool) -> None:
    """Add a gradient to the leaf's `.grad`; that of a consistent leaf is laid out as the leaf.

    The gradient itself becomes `.grad` if nothing else can refer to its memory. `shared` says that something can: a buffer of
    another node, or code outside of the engine. A view and a tensor with a history are shared as well.
    """
    tensor = node.tensor()
    if tensor is None or tensor._node is None:  # it may have been said since that it requires no grad
        return
    if slow_path.count:
        thread_state.observer.read_gradient(tensor)
    if tensor.meta.is_local:
        _add(tensor, grad, create_graph, shared)
    else:
        with gradient_ops.beside(grad, tensor.meta):
            laid_out = gradient_ops.lay_out(grad, tensor.meta)
            _add(tensor, laid_out, create_graph, shared and laid_out.impl is grad.impl)
    if node.post_hooks is not None:
        for hook in list(node.post_hooks.values()):
            hook(tensor)


def _add(tensor: Tensor, grad: Tensor, create_graph: bool, shared: bool) -> None:
    present = tensor._grad
    if present is None:
        if not create_graph and (
            shared or grad._node is not None or grad._view is not None or not _lies_as(grad, tensor)
        ):
            grad = _copied(grad, tensor)
        tensor._grad = grad
    elif create_graph:
        tensor._grad = gradient_ops.add(present, grad)
    else:
        tensor._grad = gradient_ops.add_(present, grad)  # another one where a sparse gradient becomes dense


def _lies_as(grad: Tensor, leaf: Tensor) -> bool:
    """Whether a gradient is channels-last where its leaf is, and contiguous where that is not."""
    return grad.meta.is_channels_last if leaf.meta.is_channels_last else grad.meta.is_contiguous


def _copied(grad: Tensor, leaf: Tensor) -> Tensor:
    """A copy of a gradient that lies as its leaf."""
    if leaf.meta.is_channels_last:
        return gradient_ops.clone(grad, channels_last)
    last = grad.meta.is_channels_last or grad.meta.is_channels_last_3d
    return gradient_ops.clone(grad, contiguous_format) if last else gradient_ops.clone(grad)


def forward_trace(node: GradNode) -> str:
    """Where the forward op of a node was called, as a text."""
    return f"Error detected in {node.name()}. Traceback of forward call that caused the error:\n" + "".join(node.extra().stack)


def _check_nan(node: GradNode, results: Sequence[Any]) -> None:
    with set_grad_enabled(False):
        for position, grad in enumerate(results):
            if grad is not None and grad.meta.dtype.has_gradient and gradient_ops.has_nan(grad):
                raise AutogradError(
                    f"Function '{node.name()}' returned nan values in its {position}th output.\n" + forward_trace(node)
                )

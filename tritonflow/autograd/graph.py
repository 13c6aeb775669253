"""The graph that autograd records: its nodes and edges, and hooks on what it saves and on several gradients at once."""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from tritonflow.errors import ArgumentTypeError, ArgumentValueError, AutogradError, type_name
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.engine import current_backward
from tritonflow.interpreter.grad_node import GradNode
from tritonflow.interpreter.recording import edges_of
from tritonflow.thread_state import enter_saved_hooks, leave_saved_hooks, thread_state

Node = GradNode

__all__ = [
    "GradientEdge", "Node", "allow_mutation_on_saved_tensors", "disable_saved_tensors_hooks", "get_gradient_edge",
    "increment_version", "register_multi_grad_hook", "save_on_cpu", "saved_tensors_hooks",
    "set_warn_on_accumulate_grad_stream_mismatch",
]  # fmt: skip


class GradientEdge(NamedTuple):
    """Where the gradient of a tensor goes: to an output of a node. `autograd.grad` takes it in place of the tensor.

    Attributes:
        node: the grad node.
        output_nr: the number of its output.
        ownership_token: keeps alive what the node refers to weakly.
    """

    node: Node
    output_nr: int
    ownership_token: Any = None


def get_gradient_edge(tensor: Tensor) -> GradientEdge:
    """The edge that the gradient of a tensor takes.

    Raises:
        RuntimeError: the tensor requires no grad.

    Source: https://pytorch.org/docs/stable/generated/torch.autograd.graph.get_gradient_edge.html

    Example:
        >>> import tritonflow as flow
        >>> x = flow.ones(2, requires_grad=True)
        >>> y = x * 3
        >>> edge = flow.autograd.graph.get_gradient_edge(y)
        >>> flow.autograd.grad((y * y).sum(), edge)[0].tolist()
        [6.0, 6.0]
    """
    (edge,) = edges_of((tensor,))
    if edge is None:
        raise AutogradError("It is not possible to get the gradient edge for a Tensor that does not require gradients")
    return GradientEdge(edge[0], edge[1], tensor)


class saved_tensors_hooks:
    """A scope whose ops save for backward what `pack_hook(tensor)` returns; backward reads `unpack_hook(packed)`.

    Of nested scopes the innermost counts. Compiled functions save without hooks.

    Args:
        pack_hook: from a tensor to anything; called without recording. It must not write the tensor.
        unpack_hook: from that to a tensor with the same values.

    Raises:
        RuntimeError: a hook writes its argument, or hooks are disabled.
        TypeError: `unpack_hook` returns no tensor.

    Source: https://pytorch.org/docs/stable/autograd.html#torch.autograd.graph.saved_tensors_hooks

    Example:
        >>> import tritonflow as flow
        >>> x = flow.tensor([3.0], requires_grad=True)
        >>> with flow.autograd.graph.saved_tensors_hooks(lambda t: t.to(flow.bfloat16), lambda t: t.to(flow.float32)):
        ...     y = x * x
        >>> y.backward()
        >>> x.grad.tolist()
        [6.0]
    """

    def __init__(self, pack_hook: Callable[[Any], Any], unpack_hook: Callable[[Any], Any]) -> None:
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook

    def __enter__(self) -> None:
        if thread_state.saved_hooks_refused is not None:
            raise AutogradError(thread_state.saved_hooks_refused)
        enter_saved_hooks((self.pack_hook, self.unpack_hook))

    def __exit__(self, *error: object) -> None:
        leave_saved_hooks()


class save_on_cpu(saved_tensors_hooks):
    """A scope whose ops save tensors for backward in the memory of the CPU.

    Args:
        pin_memory: accepted and ignored.
        device_type: the kind of device whose tensors are moved.

    Source: https://pytorch.org/docs/stable/autograd.html#torch.autograd.graph.save_on_cpu

    Example:
        >>> import tritonflow as flow
        >>> x = flow.tensor([3.0], requires_grad=True)
        >>> with flow.autograd.graph.save_on_cpu():
        ...     y = x * x
        >>> y.backward()
        >>> x.grad.tolist()
        [6.0]
    """

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None:
        def pack(tensor: Any) -> Any:
            return tensor.device, tensor.detach().to("cpu", copy=True)

        def unpack(packed: Any) -> Any:
            device, tensor = packed
            return tensor.to(device)

        super().__init__(pack, unpack)


@contextlib.contextmanager
def disable_saved_tensors_hooks(error_message: str) -> Iterator[None]:
    """A scope in which `saved_tensors_hooks` raises a RuntimeError with this message.

    Raises:
        RuntimeError: hooks are active already.

    Source: https://pytorch.org/docs/stable/autograd.html#torch.autograd.graph.disable_saved_tensors_hooks

    Example:
        >>> import tritonflow as flow
        >>> with flow.autograd.graph.disable_saved_tensors_hooks("not here"):
        ...     with flow.autograd.graph.save_on_cpu():
        ...         pass
        Traceback (most recent call last):
        tritonflow.errors.AutogradError: not here
    """
    if thread_state.saved_hooks:
        raise AutogradError(error_message)
    before = thread_state.saved_hooks_refused
    thread_state.saved_hooks_refused = error_message
    try:
        yield
    finally:
        thread_state.saved_hooks_refused = before


class MultiHandle:
    """Takes several hooks away at once."""

    def __init__(self, handles: Sequence[Any]) -> None:
        self.handles = tuple(handles)

    def remove(self) -> None:
        """Take the hooks away."""
        for handle in self.handles:
            handle.remove()

    def __enter__(self) -> MultiHandle:
        return self

    def __exit__(self, *error: object) -> None:
        self.remove()


def register_multi_grad_hook(tensors: Sequence[Any], fn: Callable[[Any], None], *, mode: str = "all") -> MultiHandle:
    """Call a function in each backward when gradients of several tensors are there.

    Args:
        tensors: tensors that require grad.
        fn: with mode "all" it gets a list, a gradient or None for each tensor, when the last one has come. With mode "any" it
            gets the first gradient that comes.
        mode: "all" or "any".

    Returns:
        A handle, whose `remove` takes the hook away.

    Raises:
        ValueError: an unknown mode.

    Source: https://pytorch.org/docs/stable/autograd.html#torch.autograd.graph.register_multi_grad_hook

    Example:
        >>> import tritonflow as flow
        >>> x, y = flow.ones(1, requires_grad=True), flow.ones(1, requires_grad=True)
        >>> handle = flow.autograd.graph.register_multi_grad_hook([x, y], lambda grads: print([g.item() for g in grads]))
        >>> (2 * x + 3 * y).backward()
        [2.0, 3.0]
    """
    if mode not in ("all", "any"):
        raise ArgumentValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")
    gather = _Gather(edges_of(tuple(tensors)), fn, mode == "any")

    def hook_of(position: int) -> Callable[[Any], None]:
        return lambda grad: gather.arrive(position, grad)

    return MultiHandle([tensor.register_hook(hook_of(position)) for position, tensor in enumerate(tensors)])


class _Gather:
    """Gathers the gradients of several tensors in each backward pass. It is a part of hooks on nodes, which it refers to weakly."""

    def __init__(self, edges: Sequence[Any], fn: Callable[[Any], None], first_only: bool) -> None:
        self.nodes = [None if edge is None else weakref.ref(edge[0]) for edge in edges]
        self.fn = fn
        self.first_only = first_only

    def arrive(self, position: int, grad: Any) -> None:
        """A gradient has come."""
        run = current_backward()
        is_first = self not in run.notes
        if is_first:
            run.notes[self] = {}, self._count_reached(run)
        came, count = run.notes[self]
        came[position] = grad
        if self.first_only:
            if is_first:
                self.fn(grad)
        elif len(came) == count:
            self.fn([came.get(k) for k in range(len(self.nodes))])

    def _count_reached(self, run: Any) -> int:
        """How many of the gradients a backward pass computes."""
        reached = set(run.order) if run.needed is None else run.needed
        return sum([node is not None and node() in reached for node in self.nodes])


class _Mutations:
    """What `allow_mutation_on_saved_tensors` gives: whether its scope is active."""

    def __init__(self) -> None:
        self.active = True

    def clear(self) -> None:
        """Nothing is kept beside the graph."""


@contextlib.contextmanager
def allow_mutation_on_saved_tensors() -> Iterator[_Mutations]:
    """A scope in which tensors that were saved for backward may be written: ops save copies. Backward must run inside.

    Source: https://pytorch.org/docs/stable/autograd.html#torch.autograd.graph.allow_mutation_on_saved_tensors

    Example:
        >>> import tritonflow as flow
        >>> x = flow.tensor([3.0], requires_grad=True)
        >>> with flow.autograd.graph.allow_mutation_on_saved_tensors():
        ...     y = x.clone()
        ...     z = (y * y).sum()
        ...     _ = y.zero_()
        ...     z.backward()
        >>> x.grad.tolist()
        [6.0]
    """
    state = _Mutations()

    def unpack(copy: Any) -> Any:
        if not state.active:
            raise AssertionError(
                "Trying to backward outside of the 'allow_mutation_on_saved_tensors' context in which the graph was originally"
                " recorded."
            )
        return copy

    try:
        with saved_tensors_hooks(lambda tensor: tensor.detach().clone(), unpack):
            yield state
    finally:
        state.active = False


def increment_version(tensor: Tensor | Iterable[Tensor]) -> None:
    """Count a write of a tensor, or of several: backward then refuses what was saved before.

    Raises:
        TypeError: an argument is no tensor.
    """
    for one in (tensor,) if isinstance(tensor, Tensor) else tuple(tensor):
        if not isinstance(one, Tensor):
            raise ArgumentTypeError(
                f"increment_version expects each element of tensor to be a tensor, not {type_name(one)}"
            )
        one.impl.version += 1


def set_warn_on_accumulate_grad_stream_mismatch(enabled: bool) -> None:
    """Accepted and ignored: gradients are accumulated on the stream of the caller."""

"""Forward mode: a tangent that goes with a tensor through the ops of a program.

A dual tensor is a tensor of its own that requires grad, with its tangent beside it. The tangent of a result is computed where it is
asked for: the backward of the backward from the result to the dual tensors is linear, and its product with their tangents is the
tangent. So forward mode is there for every op that has a second derivative, and needs no rule of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from tritonflow import _C
from tritonflow.autograd.backward import grad
from tritonflow.errors import AutogradError
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.engine import history_of
from tritonflow.interpreter.grad_mode import enable_grad, for_tangents, set_grad_enabled
from tritonflow.interpreter.grad_node import AccumulateGrad
from tritonflow.interpreter.recording import edges_of
from tritonflow.thread_state import thread_state

__all__ = ["UnpackedDualTensor", "dual_level", "enter_dual_level", "exit_dual_level", "make_dual", "unpack_dual"]


class UnpackedDualTensor(NamedTuple):
    """What `unpack_dual` gives: the tensor, and its tangent or None."""

    primal: Any
    tangent: Any


class _Level:
    """The dual tensors of one level, their tangents, and the grad nodes that are theirs alone."""

    def __init__(self) -> None:
        self.duals: list[Any] = []
        self.tangents: list[Any] = []
        self.nodes: set[Any] = set()
        self.recording = for_tangents()


class dual_level:
    """A block in which tensors can be given tangents. Levels do not nest, as in torch.

    Inside of the block ops are recorded, whatever the grad mode is: tangents are computed from what was recorded. What is computed
    under `no_grad` has tangents, and no gradient goes through it.

    Example:
        >>> import tritonflow as flow
        >>> from tritonflow.autograd import forward_ad
        >>> with forward_ad.dual_level():
        ...     x = forward_ad.make_dual(flow.tensor([1.0, 2.0]), flow.tensor([1.0, 0.0]))
        ...     forward_ad.unpack_dual(x * x).tangent.tolist()
        [2.0, 0.0]

    Source: https://pytorch.org/docs/stable/generated/torch.autograd.forward_ad.dual_level.html
    """

    def __enter__(self) -> int:
        return enter_dual_level()

    def __exit__(self, *error: object) -> None:
        exit_dual_level()


def enter_dual_level() -> int:
    """Begin a block as `dual_level` does; gives its number, 0.

    Raises:
        RuntimeError: there is one already.
    """
    if thread_state.dual_level is not None:
        raise AutogradError("Nested forward mode AD is not supported at the moment")
    thread_state.dual_level = _Level()
    thread_state.dual_level.recording.__enter__()
    return 0


def exit_dual_level(*, level: int | None = None) -> None:
    """End the block: its tensors keep no tangents.

    Raises:
        RuntimeError: there is none.
    """
    current = thread_state.dual_level
    if current is None or level not in (None, 0):
        raise AutogradError("Trying to exit a forward AD level that was not the last one that was created. This is not supported.")
    current.recording.__exit__()
    thread_state.dual_level = None


def make_dual(tensor: Tensor, tangent: Tensor, *, level: int | None = None) -> Tensor:
    """A tensor on the same memory with a tangent.

    Args:
        tensor: of a floating dtype.
        tangent: of its shape and dtype.
        level: accepted: there is one level.

    Raises:
        RuntimeError: there is no level, or shapes differ.
        ValueError: the tensor or its tangent has no floating dtype.

    Source: https://pytorch.org/docs/stable/generated/torch.autograd.forward_ad.make_dual.html
    """
    current = _current("Trying to create a dual Tensor for forward AD but no level exists, make sure to enter_dual_level() first.")
    for name, x in (("primal", tensor), ("tangent", tangent)):
        if not x.is_floating_point():
            raise ValueError(f"Expected {name} to be floating point or complex, but got: {x.dtype}")
    if tensor.shape != tangent.shape:
        raise AutogradError(
            f"Expected tangent to have the same shape as the primal, but got {tangent.shape} for a primal of {tensor.shape}"
        )
    if tensor.dtype is not tangent.dtype:
        raise AutogradError(f"Expected tangent to have the dtype of the primal, {tensor.dtype}, but got {tangent.dtype}")
    with enable_grad():
        if edges_of((tensor,))[0] is not None:
            dual = tensor.view(tuple(tensor.shape))
        else:
            dual = tensor.detach().requires_grad_(True)
            current.nodes.add(dual._node)
    current.duals.append(dual)
    current.tangents.append(tangent)
    return dual


def unpack_dual(tensor: Any, *, level: int | None = None) -> UnpackedDualTensor:
    """The tensor without its tangent, and the tangent; None where no dual tensor is in its history.

    Source: https://pytorch.org/docs/stable/generated/torch.autograd.forward_ad.unpack_dual.html
    """
    current = thread_state.dual_level
    if current is None:
        return UnpackedDualTensor(tensor, None)
    for dual, tangent in zip(current.duals, current.tangents):
        if tensor is dual:
            return UnpackedDualTensor(_primal(tensor, current), tangent)
    return UnpackedDualTensor(_primal(tensor, current), _tangent(tensor, current))


def _current(message: str) -> Any:
    if thread_state.dual_level is None:
        raise AutogradError(message)
    return thread_state.dual_level


def _primal(tensor: Any, level: _Level) -> Any:
    """The tensor, with a history if tensors outside of the level are in it."""
    return tensor if _reaches_others(tensor, level) else tensor.detach()


def _reaches_others(tensor: Any, level: _Level) -> bool:
    edge = edges_of((tensor,))[0]
    nodes = history_of([edge[0]] if edge is not None else [])
    return any(isinstance(node, AccumulateGrad) and node not in level.nodes for node in nodes)


def _tangent(tensor: Any, level: _Level) -> Any:
    if not isinstance(tensor, Tensor) or not tensor.requires_grad:  # type: ignore[attr-defined]
        return None
    keep = _reaches_others(tensor, level) or any(edges_of((t,))[0] is not None for t in level.tangents)
    return tangents_of([tensor], level.duals, level.tangents, keep)[0]


def tangents_of(outputs: list[Any], inputs: list[Any], tangents: list[Any], create_graph: bool) -> list[Any]:
    """The products of the Jacobian of recorded outputs by inputs with tangents; None where an output reaches no input."""
    with enable_grad():
        # Not zeros: a formula may have a slope of its own there, as that of logcumsumexp by logarithms.
        cotangents = [_C.ones_like(out.detach()).requires_grad_(True) for out in outputs]
        first = in_forward_mode(lambda: grad(outputs, inputs, cotangents, True, True, allow_unused=True))
    live = [k for k, g in enumerate(first) if g is not None]
    reached = [k for k in live if first[k].requires_grad]
    if not reached:
        return [_C.zeros_like(out.detach()) if live else None for out in outputs]
    with set_grad_enabled(True):
        given = [tangents[k] for k in reached]
        found = grad([first[k] for k in reached], cotangents, given, True, create_graph, allow_unused=True)
    return [_C.zeros_like(out.detach()) if t is None else t for t, out in zip(found, outputs)]


def in_forward_mode(backward: Callable[[], Any]) -> Any:
    """A backward of which the backward gives tangents: each `autograd.Function` with a `jvp` is represented by that."""
    before, thread_state.forward_mode = thread_state.forward_mode, True
    try:
        return backward()
    finally:
        thread_state.forward_mode = before

"""`backward` and `grad`: from outputs to gradients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow import _C
from tritonflow.errors import AutogradError, ShapeError, foreign_hint, type_name
from tritonflow.framework.locality import require_same_locality
from tritonflow.framework.tensor import Tensor
from tritonflow.functional.library import attach_methods
from tritonflow.interpreter.engine import run_backward
from tritonflow.interpreter.grad_mode import no_grad
from tritonflow.interpreter.recording import edges_of
from tritonflow.thread_state import thread_state

Tensors = Tensor | Sequence[Tensor]


def backward(
    tensors: Tensors,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Tensors | None = None,
) -> None:
    """Add d(tensors)/d(leaf) to the `.grad` of every leaf that requires grad.

    Args:
        tensors: the outputs.
        grad_tensors: the gradient of something scalar by each output, of its shape; may be None for scalar outputs.
        retain_graph: keep the graph for another backward; default `create_graph`.
        create_graph: record the backward, for derivatives of higher order.
        inputs: accumulate into these leaves only.

    Raises:
        RuntimeError: an output has no history, or is not scalar and has no gradient given.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.ones(2, requires_grad=True)
        >>> flow.autograd.backward((x * 3).sum())
        >>> x.grad.tolist()
        [3.0, 3.0]
    """
    roots = _roots(_listed(tensors), _listed(grad_tensors), create_graph)
    _tell_capture()
    if grad_tensors is None and thread_state.lazy is not None:
        for scale in thread_state.lazy.gradient_scales:
            roots = [(edge, scale(grad)) for edge, grad in roots]
    retain = create_graph if retain_graph is None else retain_graph
    wanted = _listed(inputs)
    if inputs is not None and not wanted:
        raise AutogradError("'inputs' argument to backward() cannot be empty.")
    found = run_backward(roots, edges_of(tuple(wanted)) if wanted else None, retain, create_graph)
    for tensor, gradient in zip(wanted, found):
        if gradient is not None:
            if thread_state.lazy is not None:
                thread_state.lazy.read_gradient(tensor)
            tensor._grad = gradient if tensor._grad is None else _C.add(tensor._grad, gradient)
    if thread_state.lazy is not None:
        thread_state.lazy.leave_backward()


def grad(
    outputs: Tensors,
    inputs: Tensors,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    allow_unused: bool = False,
) -> tuple[Tensor | None, ...]:
    """d(outputs)/d(inputs) as new tensors; no `.grad` is touched.

    Args:
        outputs, grad_outputs, retain_graph, create_graph: as for `backward`.
        inputs: the tensors to differentiate by, leaves or not.
        allow_unused: return None for an input that the outputs do not depend on, instead of raising.

    Raises:
        RuntimeError: an input does not require grad or, without `allow_unused`, was not used.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.ones(2, requires_grad=True)
        >>> flow.autograd.grad((x * x).sum(), x)[0].tolist()
        [2.0, 2.0]
    """
    wanted = _listed(inputs)
    edges = edges_of(tuple(wanted))
    if any(edge is None for edge in edges):
        raise AutogradError("One of the differentiated Tensors does not require grad")
    roots = _roots(_listed(outputs), _listed(grad_outputs), create_graph)
    _tell_capture()
    found = run_backward(roots, edges, create_graph if retain_graph is None else retain_graph, create_graph)
    if not allow_unused and any(g is None for g in found):
        raise AutogradError(
            "One of the differentiated Tensors appears to not have been used in the graph."
            " Set allow_unused=True if this is the desired behavior."
        )
    return tuple(found)


def tensor_backward(
    self: Tensor,
    gradient: Tensor | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Any = None,
) -> None:
    """Add d(self)/d(leaf) to the `.grad` of every leaf that requires grad; see `flow.autograd.backward`.

    Args:
        gradient: d(something scalar)/d(self), of this tensor's shape; may be left out if it has one element.
        retain_graph, create_graph, inputs: as there.
    """
    backward(self, gradient, retain_graph, create_graph, inputs)


attach_methods(Tensor, {"backward": tensor_backward})


def _tell_capture() -> None:
    if thread_state.lazy is not None:
        thread_state.lazy.enter_backward()


def _listed(tensors: Any) -> list[Any]:
    if tensors is None:
        return []
    one = isinstance(tensors, Tensor) or hasattr(tensors, "__array__")  # a tensor, be it torch's
    return [tensors] if one else list(tensors)


def _roots(outputs: list[Tensor], grads: list[Any], create_graph: bool) -> list[tuple[Any, Tensor]]:
    if grads and len(grads) != len(outputs):
        raise AutogradError(f"got {len(outputs)} tensors and {len(grads)} gradients")
    roots = []
    for position, (output, edge) in enumerate(zip(outputs, edges_of(tuple(outputs)))):
        if edge is None:
            raise AutogradError(
                f"element {position} of tensors does not require grad and does not have a grad_fn"
            )
        roots.append((edge, _root_gradient(output, grads[position] if grads else None)))
    return roots


def _root_gradient(output: Tensor, given: Any) -> Tensor:
    if given is None:
        if output.meta.numel != 1:
            raise AutogradError("Grad can be implicitly created only for scalar outputs")
        with no_grad():
            return _C.ones_like(output)
    if not isinstance(given, Tensor):
        raise TypeError(f"gradients can be either Tensors or None, but got {type_name(given)}{foreign_hint(given)}")
    if given.meta.shape != output.meta.shape:
        raise ShapeError(
            f"Mismatch in shape: grad_output has a shape of {given.shape} and output has a shape of {output.shape}."
        )
    require_same_locality("grad_output", given.meta, output.meta)
    return given

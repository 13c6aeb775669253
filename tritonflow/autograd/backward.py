"""`backward` and `grad`: from outputs to gradients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias, overload

from tritonflow import _C
from tritonflow.autograd.graph import GradientEdge
from tritonflow.errors import ArgumentValueError, AutogradError, ShapeError, foreign_hint, type_name
from tritonflow.framework.locality import require_same_locality
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.engine import run_backward
from tritonflow.interpreter.grad_mode import no_grad
from tritonflow.interpreter.gradient_ops import gradient_ops
from tritonflow.interpreter.recording import edges_of
from tritonflow.thread_state import thread_state

Tensors: TypeAlias = "Tensor | GradientEdge | Sequence[Tensor | GradientEdge]"


def backward(
    tensors: Tensors,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Any = None,
    inputs: Tensors | None = None,
) -> None:
    """Add d(tensors)/d(leaf) to the `.grad` of every leaf that requires grad.

    Args:
        tensors: the outputs.
        grad_tensors: the gradient of something scalar by each output, of its shape; may be None for scalar outputs.
        retain_graph: keep the graph for another backward; default `create_graph`.
        create_graph: record the backward, for derivatives of higher order.
        grad_variables: an old name of grad_tensors.
        inputs: accumulate into these only. Those that are no leaves retain their gradients from now on, as by `retain_grad()`.

    Raises:
        RuntimeError: an output has no history, or is not scalar and has no gradient given.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.ones(2, requires_grad=True)
        >>> flow.autograd.backward((x * 3).sum())
        >>> x.grad.tolist()
        [3.0, 3.0]
    """
    if thread_state.batch_levels:
        raise AutogradError(
            "backward() called inside a functorch transform. This is not supported, please use functorch.grad or functorch.vjp"
            " instead or call backward() outside of functorch transforms."
        )
    if grad_variables is not None:
        if grad_tensors is not None:
            raise AutogradError(
                "`grad_tensors` and `grad_variables` (deprecated) arguments both passed to `backward()`. Please only use"
                " `grad_tensors`."
            )
        grad_tensors = grad_variables
    roots = _roots(_listed(tensors), _listed(grad_tensors), create_graph)
    thread_state.observer.enter_backward()
    if grad_tensors is None:
        for scale in thread_state.observer.gradient_scales:
            roots = [(edge, scale(grad)) for edge, grad in roots]
    retain = create_graph if retain_graph is None else retain_graph
    wanted = _listed(inputs)
    if inputs is not None and not wanted:
        raise AutogradError("'inputs' argument to backward() cannot be empty.")
    for each in wanted:
        if not isinstance(each, GradientEdge):
            each.retain_grad()
    run_backward(roots, _edges(wanted) if wanted else None, retain, create_graph, accumulates=True)
    thread_state.observer.leave_backward()


@overload
def grad(
    outputs: Tensors,
    inputs: Tensors,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    allow_unused: Literal[False] | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> tuple[Tensor, ...]: ...
@overload
def grad(
    outputs: Tensors,
    inputs: Tensors,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> tuple[Tensor | None, ...]: ...
def grad(
    outputs: Tensors,
    inputs: Tensors,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> tuple[Tensor | None, ...]:
    """d(outputs)/d(inputs) as new tensors; no `.grad` is touched.

    Args:
        outputs, grad_outputs, retain_graph, create_graph: as for `backward`.
        inputs: the tensors to differentiate by, leaves or not.
        allow_unused: return None for an input that the outputs do not depend on, instead of raising.
        is_grads_batched: the first dimension of `grad_outputs` is one of several backward passes; the results have it, too.
        materialize_grads: return zeros instead of None.

    Raises:
        RuntimeError: an input does not require grad or, without `allow_unused`, was not used.
        ValueError: allow_unused=False and materialize_grads=True.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.ones(2, requires_grad=True)
        >>> flow.autograd.grad((x * x).sum(), x)[0].tolist()
        [2.0, 2.0]
    """
    if materialize_grads and allow_unused is False:
        raise ArgumentValueError("Expected allow_unused to be True or not passed when materialize_grads=True, but got: False.")
    wanted, given = _listed(inputs), _listed(grad_outputs)
    edges = _edges(wanted)
    if any(edge is None for edge in edges):
        raise AutogradError("One of the differentiated Tensors does not require grad")
    retain = create_graph if retain_graph is None else retain_graph
    if is_grads_batched:
        found = _batched(_listed(outputs), given, edges, retain, create_graph)
    else:
        roots = _roots(_listed(outputs), given, create_graph)
        thread_state.observer.enter_backward()
        found = run_backward(roots, edges, retain, create_graph)
    if materialize_grads:
        metas = [edge[0].output_meta(edge[1]) for edge in edges if edge is not None]
        found = [gradient_ops.zeros(meta) if g is None else g for g, meta in zip(found, metas)]
    elif not allow_unused and any(g is None for g in found):
        raise AutogradError(
            "One of the differentiated Tensors appears to not have been used in the graph."
            " Set allow_unused=True if this is the desired behavior."
        )
    sparse = [getattr(t, "_is_sparse_tensor", False) for t in wanted]
    if any(sparse):
        found = [t.with_entries(g) if s and g is not None else g for t, g, s in zip(wanted, found, sparse)]
    return tuple(found)


def _batched(outputs: list[Any], grads: list[Any], edges: tuple[Any, ...], retain: bool, create_graph: bool) -> list[Any]:
    """The gradients of one backward pass for each entry of the first dimension of `grads`, stacked."""
    counts = {g.shape[0] for g in grads if g is not None}
    if len(counts) != 1:
        raise AutogradError("is_grads_batched=True: grad_outputs must be given, and agree in the size of the first dimension")
    (count,) = counts
    rows = []
    for k in range(count):
        roots = _roots(outputs, [None if g is None else _C.select(g, 0, k) for g in grads], create_graph)
        thread_state.observer.enter_backward()
        rows.append(run_backward(roots, edges, retain or k < count - 1, create_graph))
    metas = [edge[0].output_meta(edge[1]) for edge in edges]
    if not rows:
        return [gradient_ops.zeros(meta.new((0, *meta.shape))) for meta in metas]
    columns = []
    for meta, column in zip(metas, zip(*rows)):
        pieces = [gradient_ops.zeros(meta) if g is None else g for g in column]
        columns.append(None if all(g is None for g in column) else _C.stack(pieces))
    return columns


def _edges(tensors: list[Any]) -> tuple[Any, ...]:
    """The edges of tensors, of which some may be given as edges. That of a sparse tensor is its values'."""
    dense = [t.entries if getattr(t, "_is_sparse_tensor", False) else t for t in tensors]
    return tuple([(t.node, t.output_nr) if isinstance(t, GradientEdge) else edges_of((t,))[0] for t in dense])


def _listed(tensors: Any) -> list[Any]:
    if tensors is None:
        return []
    one = isinstance(tensors, (Tensor, GradientEdge)) or hasattr(tensors, "__array__")  # a tensor, be it torch's
    return [tensors] if one else list(tensors)


def _roots(outputs: list[Tensor], grads: list[Any], create_graph: bool) -> list[tuple[Any, Tensor]]:
    if grads and len(grads) != len(outputs):
        raise AutogradError(f"got {len(outputs)} tensors and {len(grads)} gradients")
    roots = []
    for position, (output, edge) in enumerate(zip(outputs, _edges(outputs))):
        if edge is None:
            raise AutogradError(
                f"element {position} of tensors does not require grad and does not have a grad_fn"
            )
        given = grads[position] if grads else None
        if isinstance(output, GradientEdge):
            output = gradient_ops.zeros(edge[0].output_meta(edge[1]))  # stands for the tensor: only its meta is asked for
        roots.append((edge, _root_gradient(output, given)))
    return roots


def _root_gradient(output: Tensor, given: Any) -> Tensor:
    if given is None:
        if output.meta.numel != 1:
            raise AutogradError("Grad can be implicitly created only for scalar outputs")
        if output.meta.dtype.is_complex:
            raise AutogradError(
                f"grad can be implicitly created only for real scalar outputs but got {output.meta.dtype}: help: give backward a"
                " gradient, or take real() or abs() of the output"
            )
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

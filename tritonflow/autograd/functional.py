"""Jacobians, Hessians, and their products with vectors, of functions of tensors: `torch.autograd.functional`.

All are made of backward passes. A product of the Jacobian with a vector takes two: the first one is linear in the gradient of the
outputs, and its own backward by that gradient is the product.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tritonflow import _C
from tritonflow.autograd.backward import grad
from tritonflow.autograd.batching import stacked_units, vmap
from tritonflow.autograd.forward_ad import in_forward_mode
from tritonflow.errors import AutogradError
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.grad_mode import enable_grad, for_tangents, is_grad_enabled, set_grad_enabled

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]

Function = Callable[..., Any]
STRATEGIES = ("forward-mode", "reverse-mode")


def vjp(
    func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """(func(*inputs), v J): the product of a vector with the Jacobian, by one backward pass.

    Args:
        func: from tensors to a tensor or a tuple of them.
        inputs: a tensor or a tuple of them.
        v: of the shapes of the outputs; may be None where that is one number.
        create_graph: the results can be differentiated again.
        strict: raise where an output does not depend on an input; else the product is 0 there.

    Raises:
        RuntimeError: `v` does not fit; or, if strict, an output is independent of an input.
        TypeError: inputs or outputs are no tensors.

    Source: https://pytorch.org/docs/stable/generated/torch.autograd.functional.vjp.html

    Example:
        >>> import tritonflow as flow
        >>> flow.autograd.functional.vjp(lambda x: x * x, flow.tensor([1.0, 2.0]), flow.ones(2))
        (tensor([1., 4.]), tensor([2., 4.]))
    """
    with enable_grad():
        is_tuple, given = _as_tuple(inputs, "inputs", "vjp")
        given = _prepared(given, create_graph, True)
        outputs_are_tuple, outputs = _outputs(func, given, "vjp", strict)
        if v is None and (len(outputs) != 1 or outputs[0].numel() != 1):
            raise AutogradError(
                "The vector v can only be None if the user-provided function returns a single Tensor with a single element."
            )
        v = _vector(v, outputs, outputs_are_tuple, "vjp", create_graph)
    with set_grad_enabled(create_graph or is_grad_enabled()):
        found = _filled(_gradients(outputs, given, v, create_graph), given, strict, create_graph, "jacobian", "input")
    return _results(outputs, outputs_are_tuple, create_graph), _results(found, is_tuple, create_graph)


def jvp(
    func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """(func(*inputs), J v): the product of the Jacobian with a vector, by two backward passes.

    Args:
        func: from tensors to a tensor or a tuple of them.
        inputs: a tensor or a tuple of them.
        v: of the shapes of the inputs; may be None where that is one number.
        create_graph: the results can be differentiated again.
        strict: raise where an output does not depend on an input; else the product is 0 there.

    Raises:
        RuntimeError: `v` does not fit; or, if strict, an output is independent of an input.
        TypeError: inputs or outputs are no tensors.

    Source: https://pytorch.org/docs/stable/generated/torch.autograd.functional.jvp.html

    Example:
        >>> import tritonflow as flow
        >>> flow.autograd.functional.jvp(lambda x: x.sum() * x, flow.tensor([1.0, 2.0]), flow.tensor([1.0, 0.0]))
        (tensor([3., 6.]), tensor([4., 2.]))
    """
    with enable_grad():
        is_tuple, given = _as_tuple(inputs, "inputs", "jvp")
        given = _prepared(given, create_graph, True)
        v = _vector_of_inputs(v, given, is_tuple, "jvp", create_graph)
        outputs_are_tuple, outputs = _outputs(func, given, "jvp", strict)
        cotangents = _zeros_like(outputs)
        first = _gradients(outputs, given, cotangents, True)
        _require_history(first, "grad_inputs", strict)
    with set_grad_enabled(create_graph):
        second = _gradients(first, cotangents, v, create_graph)
        found = _filled(second, outputs, strict, create_graph, "jacobian", "entry")
    return _results(outputs, outputs_are_tuple, create_graph), _results(found, outputs_are_tuple, create_graph)


def vhp(
    func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """(func(*inputs), v H): the product of a vector with the Hessian of a function to one number, by two backward passes.

    Args:
        func: from tensors to a tensor of one number.
        inputs: a tensor or a tuple of them.
        v: of the shapes of the inputs; may be None where that is one number.
        create_graph: the results can be differentiated again.
        strict: raise where the gradient does not depend on an input; else the product is 0 there.

    Raises:
        RuntimeError: `v` does not fit, or the function does not return one number.
        TypeError: inputs or outputs are no tensors.

    Source: https://pytorch.org/docs/stable/generated/torch.autograd.functional.vhp.html

    Example:
        >>> import tritonflow as flow
        >>> flow.autograd.functional.vhp(lambda x: (x**3).sum(), flow.tensor([1.0, 2.0]), flow.ones(2))
        (tensor(9.), tensor([ 6., 12.]))
    """
    with enable_grad():
        is_tuple, given, v, outputs, first = _first_of_hessian(func, inputs, v, create_graph, strict, "vhp")
    with set_grad_enabled(create_graph or is_grad_enabled()):
        found = _filled(_gradients(first, given, v, create_graph), given, strict, create_graph, "hessian", "input")
    return _results(outputs, False, create_graph), _results(found, is_tuple, create_graph)


def hvp(
    func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """(func(*inputs), H v): the product of the Hessian of a function to one number with a vector, by three backward passes.

    Where the Hessian is symmetric, `vhp` computes the same by two.

    Args:
        func: from tensors to a tensor of one number.
        inputs: a tensor or a tuple of them.
        v: of the shapes of the inputs; may be None where that is one number.
        create_graph: the results can be differentiated again.
        strict: raise where the gradient does not depend on an input; else the product is 0 there.

    Raises:
        RuntimeError: `v` does not fit, or the function does not return one number.
        TypeError: inputs or outputs are no tensors.

    Source: https://pytorch.org/docs/stable/generated/torch.autograd.functional.hvp.html

    Example:
        >>> import tritonflow as flow
        >>> flow.autograd.functional.hvp(lambda x: (x**3).sum(), flow.tensor([1.0, 2.0]), flow.ones(2))
        (tensor(9.), tensor([ 6., 12.]))
    """
    with enable_grad():
        is_tuple, given, v, outputs, first = _first_of_hessian(func, inputs, v, create_graph, strict, "hvp")
        cotangents = _zeros_like(given)
        second = _gradients(first, given, cotangents, True)
    with set_grad_enabled(create_graph or is_grad_enabled()):
        third = _gradients(second, cotangents, v, create_graph)
        found = _filled(third, given, strict, create_graph, "hessian", "entry")
    return _results(outputs, False, create_graph), _results(found, is_tuple, create_graph)


def jacobian(
    func: Function,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """The Jacobian: for each output and input a tensor of shape (*output, *input), by one backward pass for each output element.

    Args:
        func: from tensors to a tensor or a tuple of them.
        inputs: a tensor or a tuple of them.
        create_graph: the result can be differentiated again.
        strict: raise where an output does not depend on an input; else the Jacobian is 0 there.
        vectorize: one pass for all elements, by `vmap`, in place of one after the other.
        strategy: "reverse-mode", or "forward-mode", for which one product with a vector is computed for each input element.

    Returns:
        A tensor, or a tuple over the outputs, over the inputs, or over both, where these are tuples.

    Raises:
        RuntimeError: if strict, an output is independent of an input.
        TypeError: inputs or outputs are no tensors.

    Source: https://pytorch.org/docs/stable/generated/torch.autograd.functional.jacobian.html

    Example:
        >>> import tritonflow as flow
        >>> flow.autograd.functional.jacobian(lambda x: x * x.sum(), flow.tensor([1.0, 2.0]))
        tensor([[4., 1.],
                [2., 5.]])
    """
    if strategy not in STRATEGIES:
        raise AssertionError(
            'Expected strategy to be either "forward-mode" or "reverse-mode". Hint: If your function has more outputs than'
            ' inputs, "forward-mode" tends to be more performant. Otherwise, prefer to use "reverse-mode".'
        )
    if strategy == "forward-mode" and create_graph:
        raise NotImplementedError(
            'jacobian: `create_graph=True` and `strategy="forward-mode"` are not supported together (yet). Please either set'
            ' `create_graph=False` or `strategy="reverse-mode"`.'
        )
    if strict and vectorize:
        raise AutogradError("jacobian: `strict=True` and `vectorized=True` are not supported together.")
    with for_tangents() if strategy == "forward-mode" else enable_grad():
        is_tuple, given = _as_tuple(inputs, "inputs", "jacobian")
        given = _prepared(given, create_graph, True)
        outputs_are_tuple, outputs = _outputs(func, given, "jacobian", strict)
        if strategy == "forward-mode":
            rows = _by_columns(outputs, given)
        elif vectorize:
            rows = _all_rows(outputs, given, create_graph)
        else:
            rows = [_rows_of(k, out, given, strict, create_graph) for k, out in enumerate(outputs)]
    found = [_results(row, is_tuple, create_graph) for row in rows]
    return tuple(found) if outputs_are_tuple else found[0]


def hessian(
    func: Function,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """The Hessian of a function to one number: for each pair of inputs a tensor of shape (*input, *other input).

    Args:
        func: from tensors to a tensor of one number.
        inputs: a tensor or a tuple of them.
        create_graph: the result can be differentiated again.
        strict: raise where the gradient does not depend on an input; else the Hessian is 0 there.
        vectorize: one pass for all elements, by `vmap`, in place of one after the other.
        outer_jacobian_strategy: "reverse-mode" or "forward-mode", as the strategy of `jacobian`.

    Returns:
        A tensor, or a tuple of tuples over the inputs, where these are a tuple.

    Raises:
        RuntimeError: the function does not return one number.

    Source: https://pytorch.org/docs/stable/generated/torch.autograd.functional.hessian.html

    Example:
        >>> import tritonflow as flow
        >>> flow.autograd.functional.hessian(lambda x: (x**3).sum(), flow.tensor([1.0, 2.0]))
        tensor([[ 6.,  0.],
                [ 0., 12.]])
    """
    is_tuple, given = _as_tuple(inputs, "inputs", "hessian")
    if outer_jacobian_strategy not in STRATEGIES:
        raise AssertionError('Expected strategy to be either "forward-mode" or "reverse-mode".')

    def number(*values: Any) -> Any:
        out = func(*values)
        _require_number(out, "hessian")
        return out.squeeze()

    def gradient(*values: Any) -> Any:
        if outer_jacobian_strategy == "forward-mode":
            values = tuple([value.requires_grad_(True) for value in values])
        found = jacobian(number, values, create_graph=True, strict=False)
        if strict:
            _require_history(found, "jacobian", True)
        return found

    found = jacobian(gradient, given, create_graph, strict, vectorize, outer_jacobian_strategy)
    return found if is_tuple else found[0][0]


# --------------------------------------------------------------------------------------------------------------- parts


def _rows_of(number: int, out: Any, inputs: Sequence[Any], strict: bool, create_graph: bool) -> tuple[Any, ...]:
    """The Jacobian of one output by all inputs, by a backward pass for each of its elements."""
    rows: list[list[Any]] = [[] for _ in inputs]
    flat = out.reshape((-1,))
    for element in range(flat.numel()):
        for k, found in enumerate(_gradients((flat[element],), inputs, None, create_graph, retain_graph=True)):
            if found is None and strict:
                raise AutogradError(
                    f"Output {number} of the user-provided function is independent of input {k}."
                    " This is not allowed in strict mode."
                )
            if strict and create_graph and not found.requires_grad:
                raise AutogradError(
                    f"The jacobian of the user-provided function is independent of input {number}. This is not allowed in strict"
                    " mode when create_graph=True."
                )
            rows[k].append(_C.zeros_like(inputs[k]) if found is None else found)
    shape = tuple(out.shape)
    return tuple([
        _C.reshape(_C.stack(row), (*shape, *x.shape)) if row else _C.new_zeros(x, (*shape, *x.shape))
        for row, x in zip(rows, inputs)
    ])  # fmt: skip


def _all_rows(outputs: Sequence[Any], inputs: Sequence[Any], create_graph: bool) -> list[tuple[Any, ...]]:
    """The Jacobians of all outputs by all inputs, by one batched backward pass."""

    def backward(*units: Any) -> Any:
        found = _gradients(outputs, inputs, units, create_graph, retain_graph=True)
        return tuple([_C.zeros_like(x.detach()) if g is None else g for g, x in zip(found, inputs)])

    counts = [out.meta.numel for out in outputs]
    if not sum(counts):
        return [tuple([_C.new_zeros(x, (*out.shape, *x.shape)) for x in inputs]) for out in outputs]
    columns = [_C.split(column, counts, 0) for column in vmap(backward)(*stacked_units(outputs))]
    return [
        tuple([_C.reshape(part, (*out.shape, *x.shape)) for part, x in zip(parts, inputs)])
        for out, parts in zip(outputs, zip(*columns))
    ]


def _by_columns(outputs: Sequence[Any], inputs: Sequence[Any]) -> list[tuple[Any, ...]]:
    """The Jacobian by a product with each unit vector of the inputs."""
    cotangents = _zeros_like(outputs)
    first = in_forward_mode(lambda: _gradients(outputs, inputs, cotangents, True))
    columns: list[list[Any]] = [[] for _ in outputs]
    for k, x in enumerate(inputs):
        pieces: list[list[Any]] = [[] for _ in outputs]
        for element in range(x.numel()):
            unit = _C.zeros_like(x.detach()).reshape((-1,))
            with set_grad_enabled(False):
                unit[element] = 1
            found: Any = (None,) * len(outputs)
            if first[k] is not None:
                found = _gradients((first[k],), cotangents, (unit.reshape(tuple(x.shape)),), False, retain_graph=True)
            for rows, column, out in zip(pieces, found, outputs):
                rows.append(_C.zeros_like(out.detach()) if column is None else column)
        for rows, column, out in zip(pieces, columns, outputs):
            shape = (*out.shape, *x.shape)
            stacked = _C.stack(rows, -1) if rows else _C.new_zeros(x, shape)
            column.append(_C.reshape(stacked, shape))
    return [tuple(column) for column in columns]


def _first_of_hessian(
    func: Function, inputs: Any, v: Any, create_graph: bool, strict: bool, name: str
) -> tuple[bool, Any, Any, Any, Any]:
    """What products with a Hessian begin with: (inputs are a tuple, inputs, vector, output, gradients)."""
    is_tuple, given = _as_tuple(inputs, "inputs", name)
    given = _prepared(given, create_graph, True)
    v = _vector_of_inputs(v, given, is_tuple, name, create_graph)
    is_several, outputs = _outputs(func, given, name, strict)
    _require_number(tuple(outputs) if is_several else outputs[0], name)
    first = _gradients(outputs, given, None, True)
    _require_history(first, "jacobian", strict)
    return is_tuple, given, v, outputs, first


def _as_tuple(value: Any, what: str, name: str) -> tuple[bool, tuple[Any, ...]]:
    """(whether it was a tuple, its tensors)."""
    is_tuple = isinstance(value, (tuple, list)) and not isinstance(value, Tensor)
    found = tuple(value) if is_tuple else (value,)
    for position, tensor in enumerate(found):
        if not isinstance(tensor, Tensor):
            where = f" at index {position}" if is_tuple else ""
            raise TypeError(
                f"The {what} given to {name} must be either a Tensor or a tuple of Tensors but the value{where} has type"
                f" {type(tensor)}."
            )
    return is_tuple, found


def _prepared(tensors: Sequence[Any], create_graph: bool, requires_grad: bool) -> tuple[Any, ...]:
    """Tensors of our own for the function, with the history of those given only if it is to be differentiated."""
    return tuple([
        x.view(tuple(x.shape)) if create_graph and x.requires_grad else x.detach().requires_grad_(requires_grad)
        for x in tensors
    ])  # fmt: skip


def _outputs(func: Function, inputs: Sequence[Any], name: str, strict: bool) -> tuple[bool, tuple[Any, ...]]:
    is_tuple, outputs = _as_tuple(func(*inputs), "outputs of the user-provided function", name)
    _require_history(outputs, "outputs", strict)
    return is_tuple, outputs


def _vector(v: Any, others: Sequence[Any], is_tuple: bool, name: str, create_graph: bool) -> Any:
    """The vector as a tuple, checked against what it is multiplied with."""
    if v is None:
        return None
    _, v = _as_tuple(v, "v", name)
    v = _prepared(v, create_graph, False)
    if len(v) != len(others):
        raise AutogradError(
            f"v is a tuple of invalid length: should be {len(others)} but got {len(v)}."
            if is_tuple
            else "The given v should contain a single Tensor."
        )
    for position, (mine, other) in enumerate(zip(v, others)):
        if mine.shape != other.shape:
            where = f"Entry {position} in " if is_tuple else ""
            raise AutogradError(f"{where}v has invalid size: should be {other.shape} but got {mine.shape}.")
    return v


def _vector_of_inputs(v: Any, inputs: Sequence[Any], is_tuple: bool, name: str, create_graph: bool) -> Any:
    if v is None and (len(inputs) != 1 or inputs[0].numel() != 1):
        raise AutogradError(
            "The vector v can only be None if the input to the user-provided function is a single Tensor with a single element."
        )
    return _vector(v, inputs, is_tuple, name, create_graph)


def _gradients(
    outputs: Sequence[Any], inputs: Sequence[Any], grads: Any, create_graph: bool, retain_graph: bool | None = None
) -> tuple[Any, ...]:
    """`grad` from those outputs that require grad; None for inputs that are not reached."""
    chosen = [k for k, out in enumerate(outputs) if out is not None and out.requires_grad]
    if not chosen:
        return (None,) * len(inputs)
    given = None if grads is None else [grads[k] for k in chosen]
    return grad([outputs[k] for k in chosen], list(inputs), given, retain_graph, create_graph, allow_unused=True)


def _zeros_like(tensors: Sequence[Any]) -> tuple[Any, ...]:
    """Zeros that require grad: what a first backward pass is given, where the second one is by it."""
    return tuple([_C.zeros_like(x.detach()).requires_grad_(True) for x in tensors])


def _require_number(out: Any, name: str) -> None:
    if not isinstance(out, Tensor):
        raise AutogradError(f"The function given to {name} should return a single Tensor")
    if out.meta.numel != 1:
        raise AutogradError(f"The Tensor returned by the function given to {name} should contain a single element")


_INDEPENDENT = {
    "outputs": "Output {0} of the user-provided function does not require gradients. The outputs must be computed in a"
    " differentiable manner from the input when running in strict mode.",
    "grad_inputs": "The gradient with respect to input {0} is independent of the inputs of the user-provided function. This is"
    " not allowed in strict mode.",
    "jacobian": "While computing the hessian, found that the jacobian of the user-provided function with respect to input {0} is"
    " independent of the input. This is not allowed in strict mode.",
}  # fmt: skip


def _require_history(tensors: Sequence[Any], kind: str, strict: bool) -> None:
    """In strict mode, raise unless all tensors are there and require grad."""
    for position, tensor in enumerate(tensors if strict else ()):
        if tensor is None:
            raise AutogradError(
                f"The output of the user-provided function is independent of input {position}. This is not allowed in strict mode."
            )
        if not tensor.requires_grad:
            raise AutogradError(_INDEPENDENT[kind].format(position))


def _filled(
    grads: Sequence[Any], like: Sequence[Any], strict: bool, create_graph: bool, what: str, of: str
) -> tuple[Any, ...]:
    """Zeros where no gradient has come, which in strict mode is an error."""
    for position, found in enumerate(grads if strict else ()):
        if found is None or (create_graph and not found.requires_grad):
            raise AutogradError(
                f"The {what} of the user-provided function is independent of {of} {position}. This is not allowed in strict mode"
                f"{' when create_graph=True' if found is not None else ''}."
            )
    return tuple([_C.zeros_like(x.detach()) if g is None else g for g, x in zip(grads, like)])


def _results(tensors: Sequence[Any], is_tuple: bool, create_graph: bool) -> Any:
    found = tuple(tensors) if create_graph else tuple([x.detach() for x in tensors])
    return found if is_tuple else found[0]

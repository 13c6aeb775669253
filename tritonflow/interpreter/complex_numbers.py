"""Ops that meet complex numbers: they are put together from ops of the real and the imaginary parts, above autograd.

Views are made as of any dtype, and factorisations of matrices have kernels that take pairs; every other op has a form among
`rules`, which its record names (docs/design/complex_numbers.md). The road is behind the cached plans, which no op with a form has.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tritonflow.dtypes import DType, torch_name
from tritonflow.errors import DTypeError, DTypeNotImplementedError
from tritonflow.execution.op_expr import OpExpr, op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.recording import wants_gradient
from tritonflow.ops.op_def import OWN_KERNEL
from tritonflow.ops.rule import find_rule
from tritonflow.thread_state import thread_state

Inputs = tuple[Tensor | None, ...]
Form = Callable[[OpExpr, Inputs, tuple[Any, ...], tuple[Any, ...]], Any]  # of an op, inputs, static attributes, dynamic scalars

_NO_OP: Any = None


def wants_form(op: OpExpr, inputs: Inputs, attrs: tuple[Any, ...], dynamic: tuple[Any, ...] = ()) -> bool:
    """Whether an op has to do with complex numbers, those of a tensor, a scalar, or the dtype wanted, and its kernel cannot."""
    if op.definition.complex == OWN_KERNEL:
        return False
    for tensor in inputs:
        if tensor is not None and tensor.meta.dtype.is_complex:
            return True
    for value in attrs:
        if value.__class__ is DType and value.is_complex:
            return True
    return complex in [value.__class__ for value in dynamic] if dynamic else False


def apply(op: OpExpr, inputs: Inputs, attrs: tuple[Any, ...], dynamic: tuple[Any, ...] = ()) -> Any:
    """The outputs of an op, by its form.

    Raises:
        NotImplementedError: it has none.
    """
    form: Form | None = op.rule("complex")
    if form is None:
        raise no_form(op, inputs, attrs)
    return form(op, inputs, attrs, dynamic)


def apply_named(name: str, x: Tensor) -> Any:
    """The result of a form that is no op's, "file.function" under rules/complex."""
    return find_rule("complex", name)(_NO_OP, (x,), (), ())


def apply_over(op: OpExpr, inputs: Inputs, attrs: tuple[Any, ...], dynamic: tuple[Any, ...], out: Tensor) -> Tensor:
    """The output of an op, written over a complex tensor."""
    if op.name == "abs":
        raise DTypeError("In-place abs is not supported for complex tensors.")
    write_over = find_rule("complex", "movement.write_over")
    if op.name == "copy_":
        return write_over(out, inputs[1])
    wanted = thread_state.grad_enabled and any(t is not None and wants_gradient(t) for t in inputs)
    if wanted:  # what the formula saves is not written
        inputs = tuple([apply(op_expr("clone"), (t,), ()) if t is out else t for t in inputs])
    return write_over(out, apply(op, inputs, attrs, dynamic))


def no_form(op: OpExpr, inputs: Inputs, attrs: tuple[Any, ...]) -> DTypeNotImplementedError:
    """The error of an op that takes no complex numbers; torch's words."""
    kinds = [t.meta.dtype for t in inputs if t is not None] + [v for v in attrs if v.__class__ is DType]
    dtype = next((k for k in kinds if k.is_complex), None)
    name = op.definition.function or op.name
    return DTypeNotImplementedError(
        f"\"{name}\" not implemented for '{torch_name(dtype) if dtype is not None else 'complex numbers'}'"
    )

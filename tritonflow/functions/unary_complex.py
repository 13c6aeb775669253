"""Functors of the parts of complex tensors, and of tensors made of parts."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import functor
from tritonflow.dtypes import torch_name
from tritonflow.errors import DTypeError, ShapeError
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.cast import copy_
from tritonflow.functions.generated import cos, mul, sin
from tritonflow.functions.unary import negative
from tritonflow.functions.view import expand, select, transpose
from tritonflow.functions.view_complex import PARTS, as_real, made_of
from tritonflow.interpreter.dispatch import dispatch_view
from tritonflow.ops.elementwise import broadcast_shapes


@functor("Real")
def real(input: Tensor) -> Tensor:
    return select(dispatch_view(as_real, input), -1, 0) if input.meta.dtype.is_complex else input


@functor("Imag")
def imag(input: Tensor) -> Tensor:
    if not input.meta.dtype.is_complex:
        raise DTypeError("imag is not implemented for tensors with non-complex dtypes.")
    return select(dispatch_view(as_real, input), -1, 1)


@functor("Itself")
def itself(input: Tensor) -> Tensor:
    return input


@functor("ConjPhysical")
def conj_physical(input: Tensor, inplace: bool = False) -> Any:
    if not input.meta.dtype.is_complex:
        return input
    if inplace:
        part = imag(input)
        copy_(part, negative(part))
        return input
    return made_of(real(input), negative(imag(input)))


@functor("Adjoint")
def adjoint(input: Tensor) -> Any:
    if input.meta.ndim == 1:
        raise ShapeError("tensor.adjoint() is only supported on matrices or batches of matrices. Got 1-D tensor.")
    return conj_physical(transpose(input, -2, -1)) if input.meta.ndim else conj_physical(input)


@functor("ComplexOf")
def complex_of(real: Tensor, imag: Tensor) -> Tensor:
    return made_of(*_parts("complex", "real", "imag", real, imag))


@functor("Polar")
def polar(abs: Tensor, angle: Tensor) -> Tensor:
    length, turned = _parts("polar", "abs", "angle", abs, angle)
    return made_of(mul(length, cos(turned)), mul(length, sin(turned)))


def _parts(name: str, first: str, second: str, a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    """Two real tensors, broadcast.

    Raises:
        RuntimeError: they are of no floating dtype, or of two.
    """
    for tensor in (a, b):
        if tensor.meta.dtype not in PARTS:
            raise DTypeError(
                "Expected both inputs to be Half, Float or Double tensors but got"
                f" {torch_name(a.meta.dtype)} and {torch_name(b.meta.dtype)}"
            )
    if a.meta.dtype is not b.meta.dtype:
        raise DTypeError(
            f"Expected object of scalar type {torch_name(a.meta.dtype)} but got scalar type {torch_name(b.meta.dtype)} for"
            f" second argument"
        )
    if a.meta.shape == b.meta.shape:
        return a, b
    shape = broadcast_shapes([a.meta.shape, b.meta.shape])
    return expand(a, shape), expand(b, shape)

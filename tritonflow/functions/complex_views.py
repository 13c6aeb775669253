"""Functors between complex tensors and their parts: views of them, and tensors made of parts."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import functor
from tritonflow.dtypes import float16, float32, float64, torch_name
from tritonflow.errors import DTypeError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.cast import cast, copy_
from tritonflow.functions.generated import cos, mul, sin
from tritonflow.functions.join import cat
from tritonflow.functions.pointwise import negative
from tritonflow.functions.view import contiguous, expand, select, transpose, unshared, unsqueeze
from tritonflow.interpreter.dispatch import dispatch_view
from tritonflow.ops.elementwise import broadcast_shapes

_as_real = op_expr("view_as_real")
_as_complex = op_expr("view_as_complex")

_PARTS = (float16, float32, float64)


@functor("ViewAsReal")
def view_as_real(input: Tensor) -> Tensor:
    if not input.meta.dtype.is_complex:
        raise DTypeError(f"view_as_real is only supported for complex tensors, but got {torch_name(input.meta.dtype)}")
    return dispatch_view(_as_real, input)


@functor("ViewAsComplex")
def view_as_complex(input: Tensor) -> Tensor:
    meta = input.meta
    if meta.dtype not in _PARTS:
        raise DTypeError(
            "view_as_complex is only supported for half, float and double tensors, but got a tensor of scalar type:"
            f" {torch_name(meta.dtype)}"
        )
    if not meta.ndim:
        raise ShapeError("Input tensor must have one or more dimensions")
    if meta.shape[-1] != 2:
        raise ShapeError("Tensor must have a last dimension of size 2")
    local = meta.on_one_rank
    if local.stride[-1] != 1:
        raise ShapeError("Tensor must have a last dimension with stride 1")
    for dim in range(meta.ndim - 2, -1, -1):
        if local.stride[dim] % 2:
            raise ShapeError(f"Tensor must have a stride divisible by 2 for dimension {dim}")
    if _starts_within_pair(input):
        raise ShapeError("Tensor must have a storage_offset divisible by 2")
    return dispatch_view(_as_complex, input)


@functor("ComplexOfPairs")
def complex_of_pairs(input: Tensor) -> Tensor:
    """Complex numbers of pairs that are laid out anyhow; a view where they are neighbours in memory."""
    stride = input.meta.on_one_rank.stride
    if stride[-1] != 1 or any(s % 2 for s in stride[:-1]) or _starts_within_pair(input):
        input = _dense(input)
    return dispatch_view(_as_complex, input)


def _starts_within_pair(x: Tensor) -> bool:
    """Whether an odd number of elements lies before the first one; values of a graph begin at address 0."""
    if not x.meta.is_local:
        return False
    before = x.ptr // x.meta.dtype.itemsize if x.is_lazy else x.storage_offset()
    return before % 2 == 1


def _dense(pairs: Tensor) -> Tensor:
    """A copy with neighbours in pairs. A tensor of one pair counts as contiguous whatever its strides are."""
    copied = contiguous(pairs)
    stride = copied.meta.on_one_rank.stride
    if copied is pairs or stride[-1] != 1 or any(s % 2 for s in stride[:-1]):
        parts = [unsqueeze(select(pairs, -1, k), -1) for k in (0, 1)]
        copied = cat(parts, -1)
    return copied


@functor("PairsOfComplex")
def pairs_of_complex(input: Tensor) -> Tensor:
    """The pairs of complex numbers: a view, or of real numbers new pairs."""
    if input.meta.dtype.is_complex:
        return dispatch_view(_as_real, input)
    return dispatch_view(_as_real, cast(input, input.meta.dtype.to_complex()))


def made_of(real: Tensor, imag: Tensor) -> Tensor:
    """Complex numbers of parts of one dtype and one shape; no view of anything."""
    return unshared(dispatch_view(_as_complex, cat([unsqueeze(real, -1), unsqueeze(imag, -1)], -1)))


@functor("Real")
def real(input: Tensor) -> Tensor:
    return select(dispatch_view(_as_real, input), -1, 0) if input.meta.dtype.is_complex else input


@functor("Imag")
def imag(input: Tensor) -> Tensor:
    if not input.meta.dtype.is_complex:
        raise DTypeError("imag is not implemented for tensors with non-complex dtypes.")
    return select(dispatch_view(_as_real, input), -1, 1)


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
        if tensor.meta.dtype not in _PARTS:
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

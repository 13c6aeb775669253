"""Functors of views between complex numbers and pairs of real ones."""

from __future__ import annotations

from tritonflow.binding.library import function, functor
from tritonflow.dtypes import float16, float32, float64, torch_name
from tritonflow.errors import DTypeError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.cast import cast
from tritonflow.functions.join import cat
from tritonflow.functions.view import contiguous, select, unshared, unsqueeze
from tritonflow.interpreter.dispatch import dispatch_view

as_real = op_expr("view_as_real")
PARTS = (float16, float32, float64)
_as_complex = op_expr("view_as_complex")


@functor("ViewAsReal")
def view_as_real(input: Tensor) -> Tensor:
    if not input.meta.dtype.is_complex:
        raise DTypeError(f"view_as_real is only supported for complex tensors, but got {torch_name(input.meta.dtype)}")
    return dispatch_view(as_real, input)


@functor("ViewAsComplex")
def view_as_complex(input: Tensor) -> Tensor:
    meta = input.meta
    if meta.dtype not in PARTS:
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


@function(
    "Tensor (Tensor input)",
    export=(), samples={"none": "a part of the derivative of view_as_real: tests/ops/test_complex.py"},
)
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


@function(
    "Tensor (Tensor input)",
    export=(), samples={"none": "a part of the derivative of view_as_complex: tests/ops/test_complex.py"},
)
def pairs_of_complex(input: Tensor) -> Tensor:
    """The pairs of complex numbers: a view, or of real numbers new pairs."""
    if input.meta.dtype.is_complex:
        return dispatch_view(as_real, input)
    return dispatch_view(as_real, cast(input, input.meta.dtype.to_complex()))


def made_of(real: Tensor, imag: Tensor) -> Tensor:
    """Complex numbers of parts of one dtype and one shape; no view of anything."""
    return unshared(dispatch_view(_as_complex, cat([unsqueeze(real, -1), unsqueeze(imag, -1)], -1)))

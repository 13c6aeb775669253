"""Functors of the parts of complex tensors, and of tensors made of parts."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import also, function
from tritonflow.dtypes import torch_name
from tritonflow.errors import DTypeError, ShapeError
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.cast import copy_
from tritonflow.functions.generated import cos, mul, sin
from tritonflow.functions.unary import negative
from tritonflow.functions.view import expand, select
from tritonflow.functions.view_complex import PARTS, as_real, made_of
from tritonflow.functions.view_orders import transpose
from tritonflow.interpreter.dispatch import dispatch_view
from tritonflow.ops.elementwise import broadcast_shapes


@function("Tensor (Tensor input)", samples="real")
def real(input: Tensor) -> Tensor:
    """The real part, a view; of real tensors the input itself.

    Writing into the view of a complex tensor writes its real parts.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.real.

    Example:
        >>> import tritonflow as flow
        >>> flow.real(flow.tensor([1 + 2j, 3.0]))
        tensor([1., 3.])
    """
    return select(dispatch_view(as_real, input), -1, 0) if input.meta.dtype.is_complex else input


@function("Tensor (Tensor input)", samples={"none": "of complex numbers: tests/ops/test_complex.py"})
def imag(input: Tensor) -> Tensor:
    """The imaginary part, a view; real tensors have none.

    Writing into the view writes the imaginary parts.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Raises:
        RuntimeError: a real tensor.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.imag.

    Example:
        >>> import tritonflow as flow
        >>> flow.imag(flow.tensor([1 + 2j, 3.0]))
        tensor([2., 0.])
    """
    if not input.meta.dtype.is_complex:
        raise DTypeError("imag is not implemented for tensors with non-complex dtypes.")
    return select(dispatch_view(as_real, input), -1, 1)


@function("Tensor (Tensor input)", methods="resolve_conj", samples={"none": "the input itself: tests/ops/test_special.py"})
def resolve_conj(input: Tensor) -> Tensor:
    """The input itself, whose conjugation is never put off.

    Torch puts conjugation off until it is needed; here it never is, so that nothing is left to do.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result is the input.

    Method: `Tensor.resolve_conj`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.resolve_conj.

    Example:
        >>> import tritonflow as flow
        >>> flow.resolve_conj(flow.tensor([1 + 2j]))
        tensor([1.+2.j])
    """
    return input


@function("Tensor (Tensor input)", methods="resolve_neg", samples={"none": "the input itself: tests/ops/test_special.py"})
def resolve_neg(input: Tensor) -> Tensor:
    """The input itself, whose negation is never put off.

    Torch puts negation off until it is needed; here it never is, so that nothing is left to do.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result is the input.

    Method: `Tensor.resolve_neg`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.resolve_neg.

    Example:
        >>> import tritonflow as flow
        >>> flow.resolve_neg(flow.tensor([1.0]))
        tensor([1.])
    """
    return input


@function(
    "Tensor (Tensor input, *, Bool inplace=False)",
    methods=("conj_physical", "conj_physical_"), samples={"none": "of complex numbers: tests/ops/test_complex.py"},
)
@also("conj", "Tensor (Tensor input)", methods="conj")
def conj_physical(input: Tensor, inplace: bool = False) -> Any:
    """The conjugate, which of real numbers is the input itself.

    `out = re - im * j`.

    Args:
        input: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Methods: `Tensor.conj_physical` and `Tensor.conj_physical_`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.conj_physical.

    Example:
        >>> import tritonflow as flow
        >>> flow.conj_physical(flow.tensor([1 + 2j]))
        tensor([1.-2.j])
    """
    if not input.meta.dtype.is_complex:
        return input
    if inplace:
        part = imag(input)
        copy_(part, negative(part))
        return input
    return made_of(real(input), negative(imag(input)))


@function("Tensor (Tensor input)", methods="adjoint", samples={"none": "of complex numbers: tests/ops/test_complex.py"})
def adjoint(input: Tensor) -> Any:
    """The matrices transposed, and conjugated where they are complex.

    A view for real matrices: `out = conj(transpose(input, -2, -1))`.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n) -> (..., n, m).

    Method: `Tensor.adjoint`.

    Raises:
        RuntimeError: a tensor with one dimension.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.adjoint.

    Example:
        >>> import tritonflow as flow
        >>> flow.adjoint(flow.tensor([[1.0, 2.0], [3.0, 4.0]]))
        tensor([[1., 3.],
                [2., 4.]])
    """
    if input.meta.ndim == 1:
        raise ShapeError("tensor.adjoint() is only supported on matrices or batches of matrices. Got 1-D tensor.")
    return conj_physical(transpose(input, -2, -1)) if input.meta.ndim else conj_physical(input)


@function(
    "Tensor (Tensor real, Tensor imag)",
    name="complex", samples={"none": "gives complex numbers: tests/ops/test_complex.py"},
)
def complex_of(real: Tensor, imag: Tensor) -> Tensor:
    """Complex numbers of their real and imaginary parts.

    `out = real + imag * j`: float32 gives complex64, float64 complex128, float16 complex32.

    Args:
        real: the real parts, of a floating dtype.
        imag: the imaginary parts, of the same dtype.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `real` and `imag` are broadcast together; the result has their common shape.

    Raises:
        RuntimeError: other or different dtypes.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.complex.

    Example:
        >>> import tritonflow as flow
        >>> flow.complex(flow.tensor([1.0, 0.0]), flow.tensor([2.0, -1.0]))
        tensor([1.+2.j, 0.-1.j])
    """
    return made_of(*_parts("complex", "real", "imag", real, imag))


@function("Tensor (Tensor abs, Tensor angle)", samples={"none": "gives complex numbers: tests/ops/test_complex.py"})
def polar(abs: Tensor, angle: Tensor) -> Tensor:
    """Complex numbers of their absolute values and angles.

    `out = abs * cos(angle) + abs * sin(angle) * j`.

    Args:
        abs: the absolute values, of a floating dtype.
        angle: the angles in radians, of the same dtype.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `abs` and `angle` are broadcast together; the result has their common shape.

    Raises:
        RuntimeError: other or different dtypes.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.polar.

    Example:
        >>> import tritonflow as flow
        >>> flow.polar(flow.tensor([2.0]), flow.tensor([1.0]))
        tensor([1.0806+1.6829j])
    """
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

"""Checks of matrices, in torch's words, and errors of factorisations that were not possible."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tritonflow.binding import data_exchange
from tritonflow.device.device import META
from tritonflow.dtypes import DType, torch_name
from tritonflow.errors import DTypeError, LinAlgError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.view import expand
from tritonflow.functions.view_orders import transpose
from tritonflow.interpreter.choice import all_examples
from tritonflow.interpreter.dispatch import dispatch
from tritonflow.ops.elementwise import broadcast_shapes

_checked = op_expr("linalg_checked")

_CPP_NAMES = {"float16": "Half", "bfloat16": "BFloat16", "int64": "Long", "int32": "Int", "int16": "Short", "int8": "Char",
              "uint8": "Byte", "bool": "Bool", "complex32": "ComplexHalf"}  # fmt: skip


def _cpp_name(dtype: DType) -> str:
    name = torch_name(dtype).removeprefix("torch.")
    return _CPP_NAMES.get(name, name)


def check_floating(function: str, x: Tensor, low: bool = False) -> None:
    """float32 or float64, or complex numbers of these; half types where `low`.

    Raises:
        RuntimeError: another dtype.
    """
    dtype = x.meta.dtype.to_real()
    if not dtype.is_floating_point:
        raise DTypeError(f"{function}: Expected a floating point or complex tensor as input. Got {_cpp_name(dtype)}")
    if dtype.itemsize < 4 and not low:
        raise DTypeError(f"{function}: Low precision dtypes not supported. Got {_cpp_name(x.meta.dtype)}")


def check_matrix(function: str, x: Tensor, name: str = "A") -> None:
    if x.meta.ndim < 2:
        raise ShapeError(f"{function}: The input tensor {name} must have at least 2 dimensions.")


def check_square(function: str, x: Tensor, name: str = "A") -> None:
    """A batch of square matrices.

    Raises:
        RuntimeError: too few dimensions, or of different sizes.
    """
    check_matrix(function, x, name)
    rows, columns = x.meta.shape[-2:]
    if rows != columns:
        raise ShapeError(f"{function}: {name} must be batches of square matrices, but they are {rows} by {columns} matrices")


def check_system(function: str, a: Tensor, b: Tensor, left: bool, names: tuple[str, str] = ("A", "B")) -> None:
    """Equations a x = b, or x a = b, of square a and matrices b of one dtype."""
    check_same_dtype(function, a, b, names)
    check_square(function, a, names[0])
    check_matrix(function, b, names[1])
    rows = b.meta.shape[-2 if left else -1]
    if a.meta.shape[-1] != rows:
        sizes = [f"{t.meta.shape[-2]}x{t.meta.shape[-1]}" for t in (a, b)]
        form = "AX = B" if left else "XA = B"
        raise ShapeError(
            f"{function}: Incompatible shapes of {names[0]} and {names[1]} for the equation {form} ({sizes[0]} and {sizes[1]})"
        )


def check_same_dtype(function: str, a: Tensor, b: Tensor, names: tuple[str, str] = ("A", "B")) -> None:
    if a.meta.dtype is not b.meta.dtype:
        came = [_cpp_name(t.meta.dtype) for t in (a, b)]
        raise DTypeError(
            f"{function}: Expected {names[0]} and {names[1]} to have the same dtype, but found {names[0]} of type {came[0]}"
            f" and {names[1]} of type {came[1]} instead"
        )


def transposed(x: Tensor) -> Tensor:
    """The matrices transposed: a view."""
    return transpose(x, -2, -1)


def broadcast_batches(a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    """Both with the batch dimensions that theirs broadcast to."""
    own, other = a.meta.shape, b.meta.shape
    if own[:-2] == other[:-2]:
        return a, b
    batch = tuple(broadcast_shapes([own[:-2], other[:-2]]))
    return expand(a, (*batch, *own[-2:])), expand(b, (*batch, *other[-2:]))


def epsilon(x: Tensor) -> float:
    """The distance from 1 to the next number, of the parts of x."""
    return 2.0**-52 if x.meta.dtype.to_real().itemsize == 8 else 2.0**-23


Reason = Callable[[int], str]


def checked(x: Tensor, info: Tensor, function: str, reason: Reason) -> Any:
    """x, if every info is 0. In a graph the error comes from the op that gives x.

    Raises:
        LinAlgError: a factorisation was not possible; which one, and where it stopped.
    """
    if x.meta.device is META or not info.meta.numel:
        return x
    if x.is_lazy:
        return dispatch(_checked, (x, info), (f"{function}: {reason(0)}",))
    numbers = data_exchange.tolist(all_examples(info).detach().reshape((-1,)))
    for position, number in enumerate(numbers):
        if number:
            which = f"(Batch element {position}): " if info.meta.ndim else ""
            raise LinAlgError(f"{function}: {which}{reason(number)}")
    return x


def not_positive(order: int) -> str:
    where = f" (the leading minor of order {order} is not positive-definite)" if order else ""
    return f"The factorization could not be completed because the input is not positive-definite{where}."


def singular(order: int) -> str:
    return "The solver failed because the input matrix is singular."


def not_invertible(order: int) -> str:
    where = f"The diagonal element {order} is zero, the" if order else "The"
    return f"{where} inversion could not be completed because the input matrix is singular."


def zero_pivot(order: int) -> str:
    where = f"U[{order},{order}]" if order else "A diagonal element of U"
    return (
        f"{where} is zero and using it on lu_solve would result in a division by zero. If you still want to perform the"
        " factorization, consider calling linalg.lu(A, pivot) or linalg.lu_factor_ex(A, pivot)"
    )


def zero_block(order: int) -> str:
    where = f"D[{order},{order}]" if order else "A diagonal element of D"
    return f"{where} is zero, and ldl_solve would divide by it. help: ldl_factor_ex gives the factors of such a matrix"


def no_eigenvalues(code: int) -> str:
    return (
        "The algorithm failed to converge because the input matrix is ill-conditioned or has too many repeated eigenvalues"
        f" (error code: {code})."
    )


def no_singular_values(code: int) -> str:
    return "The algorithm failed to converge because the input matrix contained non-finite values."

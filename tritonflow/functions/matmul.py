"""Functors of matrix products: ranks, shapes and dtypes are checked here, and vectors become matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tritonflow.binding.library import also, function, functor
from tritonflow.dtypes import DType, bfloat16, bool_, float16
from tritonflow.errors import DTypeError, DTypeNotImplementedError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.arithmetic import add
from tritonflow.functions.generated import scalar_mul
from tritonflow.functions.view import expand, reshape, squeeze, unshared, unsqueeze
from tritonflow.functions.view_orders import matrix_transpose, transpose
from tritonflow.functions.view_shapes import flatten
from tritonflow.interpreter.dispatch import dispatch, dispatch2, dispatch3
from tritonflow.ops.elementwise import broadcast_shapes

_matmul = op_expr("matmul")
_linear = op_expr("linear")
_unrounded_product = op_expr("unrounded_product")

HALVES = (float16, bfloat16)

_CPP_NAMES = {
    "float32": "float", "float64": "double", "float16": "c10::Half", "bfloat16": "c10::BFloat16", "int64": "long",
    "int32": "int", "int16": "short", "int8": "signed char", "uint8": "unsigned char", "bool": "bool",
}  # fmt: skip


def check_same_dtype(a: Tensor, b: Tensor) -> None:
    """A product promotes nothing.

    Raises:
        RuntimeError: the dtypes differ, or are bool.
    """
    x, y = a.meta.dtype, b.meta.dtype
    if x is bool_ and y is bool_:
        raise DTypeNotImplementedError("\"addmm_impl_cpu_\" not implemented for 'Bool'")
    if x is not y:
        raise DTypeError(f"expected m1 and m2 to have the same dtype, but got: {_cpp_name(x)} != {_cpp_name(y)}")


def _cpp_name(dtype: DType) -> str:
    return _CPP_NAMES.get(dtype.name.removesuffix("_"), dtype.name)


@functor("MatMul")
def matmul(input: Tensor, other: Tensor, transpose_a: bool = False, transpose_b: bool = False, alpha: float = 1.0) -> Any:
    a, b = input.meta, other.meta
    if alpha != 1.0:
        return scalar_mul(matmul(input, other, transpose_a, transpose_b), alpha)
    if a.ndim == 2 and b.ndim == 2:
        check_same_dtype(input, other)
        check_product(a.shape, b.shape, transpose_a, transpose_b)
        return dispatch2(_matmul, input, other, (transpose_a, transpose_b))
    if a.ndim == 0 or b.ndim == 0:
        raise ShapeError(
            f"both arguments to matmul need to be at least 1D, but they are {a.ndim}D and {b.ndim}D:"
            f" Tensor {'b' if a.ndim else 'a'}'s dim should >= 1"
        )
    check_same_dtype(input, other)
    if a.ndim == 1 or b.ndim == 1:
        return _with_vector(input, other, transpose_a, transpose_b)
    if b.ndim == 2 and not transpose_a:
        check_product((a.numel // max(a.shape[-1], 1), a.shape[-1]), b.shape, False, transpose_b)
        if not a.is_local and (dims := _split_dims_of_rows(input)) not in ([], [0]):
            if len(dims) == 1:
                return _with_dim_in_front(dims[0], input, lambda x: matmul(x, other, False, transpose_b))
            return dispatch2(_matmul, input, other, (False, transpose_b))
        rows = reshape(input, (-1 if a.numel else _rows(a.shape), a.shape[-1]))
        out = dispatch2(_matmul, rows, other, (False, transpose_b))
        return unshared(reshape(out, (*a.shape[:-1], b.shape[-2 if transpose_b else -1])))
    batch = broadcast_shapes([a.shape[:-2], b.shape[:-2]])
    inner, outer = a.shape[-2 if transpose_a else -1], b.shape[-1 if transpose_b else -2]
    if inner != outer:
        width = b.shape[-2 if transpose_b else -1]
        count = 1
        for size in batch:
            count *= size
        raise ShapeError(
            f"Expected size for first two dimensions of batch2 tensor to be: [{count}, {inner}] but got:"
            f" [{count}, {outer}]." + ("" if width else "")
        )
    return dispatch2(_matmul, input, other, (transpose_a, transpose_b))


def _split_dims_of_rows(x: Tensor) -> list[int]:
    """The dimensions besides the last one that ranks split. All but the first cannot be folded without a message."""
    return sorted({s.dim for s in x.sbp if s.dim is not None and s.dim < x.meta.ndim - 1})


def _with_dim_in_front(dim: int, x: Tensor, product: Callable[[Tensor], Any]) -> Any:
    return unshared(transpose(product(transpose(x, dim, 0)), dim, 0))


def _rows(shape: tuple[int, ...]) -> int:
    rows = 1
    for size in shape[:-1]:
        rows *= size
    return rows


def check_product(a: tuple[int, ...], b: tuple[int, ...], transpose_a: bool, transpose_b: bool) -> None:
    m, k = a[::-1] if transpose_a else a
    rows, n = b[::-1] if transpose_b else b
    if k != rows:
        raise ShapeError(f"mat1 and mat2 shapes cannot be multiplied ({m}x{k} and {rows}x{n})")


def _with_vector(a: Tensor, b: Tensor, transpose_a: bool, transpose_b: bool) -> Any:
    """A vector on the left is a row, one on the right a column; their dimension of size 1 is dropped again."""
    left, right = a.meta.ndim == 1, b.meta.ndim == 1
    k, rows = a.meta.shape[-2 if transpose_a and not left else -1], b.meta.shape[-1 if right or transpose_b else -2]
    if k != rows:
        raise ShapeError(_vector_error(a.meta.shape, b.meta.shape))
    out = matmul(
        unsqueeze(a, 0) if left else a,
        unsqueeze(b, 1) if right else b,
        transpose_a and not left,
        transpose_b and not right,
    )
    if left and right:
        return unshared(reshape(out, ()))
    return unshared(squeeze(out, (-2 if left else -1,)))


def _vector_error(a: tuple[int, ...], b: tuple[int, ...]) -> str:
    if len(a) == 1 and len(b) == 1:
        return (
            f"inconsistent tensor size, expected tensor [{a[0]}] and src [{b[0]}] to have the same number of elements,"
            f" but got {a[0]} and {b[0]} elements respectively"
        )
    if len(b) == 1:
        rows = _rows(a)
        return f"size mismatch, got input ({rows}), mat ({rows}x{a[-1]}), vec ({b[0]})"
    return f"mat1 and mat2 shapes cannot be multiplied (1x{a[0]} and {b[-2]}x{b[-1]})"


def check_matrices(input: Tensor, mat2: Tensor) -> None:
    """Raises RuntimeError unless these are matrices that can be multiplied."""
    for name, tensor in (("self", input), ("mat2", mat2)):
        if tensor.meta.ndim != 2:
            raise ShapeError(f"{name} must be a matrix")
    check_same_dtype(input, mat2)
    check_product(input.meta.shape, mat2.meta.shape, False, False)


@function("Tensor (Tensor input, Tensor mat2)", methods="mm", samples="mm", tolerance="matmul", autocast="lower")
def mm(input: Tensor, mat2: Tensor) -> Any:
    """The product of two matrices.

    `flow.matmul` that takes matrices only; nothing is broadcast.

    Args:
        input: the left matrix.
        mat2: the right matrix.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (m, k), (k, n) -> (m, n).

    Under `flow.autocast` it computes in its dtype. Method: `Tensor.mm`.

    Raises:
        RuntimeError: not two matrices; inner sizes or dtypes that differ.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.mm.

    Example:
        >>> import tritonflow as flow
        >>> flow.mm(flow.eye(2), flow.tensor([[1.0, 2.0], [3.0, 4.0]]))
        tensor([[1., 2.],
                [3., 4.]])
    """
    check_matrices(input, mat2)
    return dispatch2(_matmul, input, mat2, (False, False))


@functor("UnroundedProduct")
def unrounded_product(input: Tensor, other: Tensor) -> Any:
    """The product of matrices, or of two batches of them. That of half types is in float32: a sum with it is rounded once."""
    check_same_dtype(input, other)
    if input.meta.dtype in HALVES:
        return dispatch2(_unrounded_product, input, other)
    return dispatch2(_matmul, input, other, (False, False))


def check_batches(a: Tensor, b: Tensor, transpose_a: bool = False, transpose_b: bool = False) -> None:
    """Raises RuntimeError unless these are batches of matrices that can be multiplied."""
    for i, tensor in enumerate((a, b), 1):
        if tensor.meta.ndim != 3:
            raise ShapeError(
                f"batch{i} must be a 3D tensor: Expected 3-dimensional tensor, but got {tensor.meta.ndim}-dimensional tensor"
                f" for argument #{i}"
            )
    x, y = a.meta.shape, b.meta.shape
    k, rows = x[1 if transpose_a else 2], y[2 if transpose_b else 1]
    if x[0] != y[0] or k != rows:
        raise ShapeError(
            f"Expected size for first two dimensions of batch2 tensor to be: [{x[0]}, {k}] but got: [{y[0]}, {rows}]."
        )
    check_same_dtype(a, b)


@function(
    "Tensor (Tensor a, Tensor b, Bool transpose_a=False, Bool transpose_b=False)",
    reference="torch.bmm", samples="bmm", tolerance="matmul", autocast="lower",
)
def batch_matmul(a: Tensor, b: Tensor, transpose_a: bool = False, transpose_b: bool = False) -> Any:
    """The products of two batches of matrices.

    `flow.bmm` with matrices that may be transposed.

    Args:
        a: the left matrices.
        b: the right matrices.
        transpose_a: whether the last two dimensions of `a` are exchanged first.
        transpose_b: whether the last two dimensions of `b` are exchanged first.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (b, m, k), (b, k, n) -> (b, m, n).

    Under `flow.autocast` it computes in its dtype.

    Raises:
        RuntimeError: sizes or dtypes that differ.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: oneflow.batch_matmul.

    Example:
        >>> import tritonflow as flow
        >>> flow.batch_matmul(flow.ones(2, 1, 3), flow.ones(2, 3, 1)).flatten()
        tensor([3., 3.])
    """
    check_batches(a, b, transpose_a, transpose_b)
    return dispatch2(_matmul, a, b, (transpose_a, transpose_b))


@function("Tensor (Tensor input, Tensor mat2)", methods="bmm", samples="bmm", tolerance="matmul", autocast="lower")
def bmm(input: Tensor, mat2: Tensor) -> Any:
    """The products of two batches of matrices.

    `flow.matmul` that takes batches of matrices only; nothing is broadcast.

    Args:
        input: the left matrices.
        mat2: the right matrices.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (b, m, k), (b, k, n) -> (b, m, n).

    Under `flow.autocast` it computes in its dtype. Method: `Tensor.bmm`.

    Raises:
        RuntimeError: not two batches; sizes or dtypes that differ.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.bmm.

    Example:
        >>> import tritonflow as flow
        >>> flow.bmm(flow.ones(2, 1, 3), flow.ones(2, 3, 1)).flatten()
        tensor([3., 3.])
    """
    return batch_matmul(input, mat2)


@function("Tensor (Tensor input, Tensor vec)", methods="mv", samples="mv", tolerance="matmul", autocast="lower")
@also("matrix_vector_product", reference="torch.mv")
def mv(input: Tensor, vec: Tensor) -> Any:
    """The product of a matrix and a vector.

    `out[i] = sum over j of input[i, j] * vec[j]`.

    Args:
        input: the matrix.
        vec: the vector.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (m, n), (n) -> (m).

    Under `flow.autocast` it computes in its dtype. Method: `Tensor.mv`.

    Raises:
        RuntimeError: not a matrix and a vector; sizes or dtypes that differ.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.mv.

    Example:
        >>> import tritonflow as flow
        >>> flow.mv(flow.tensor([[1.0, 2.0], [3.0, 4.0]]), flow.tensor([1.0, 1.0]))
        tensor([3., 7.])
    """
    if input.meta.ndim != 2 or vec.meta.ndim != 1:
        raise ShapeError(f"vector + matrix @ vector expected, got 1, {input.meta.ndim}, {vec.meta.ndim}")
    return matmul(input, vec)


@function("Tensor (Tensor input, Tensor other)", methods="dot", samples="dot", tolerance="matmul", autocast="widest")
def dot(input: Tensor, other: Tensor) -> Any:
    """The inner product of two vectors.

    `out = sum of input[i] * other[i]`. Complex numbers are not conjugated: see `flow.vdot`.

    Args:
        input: the input.
        other: a vector of the same size and dtype.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (n), (n) -> a tensor without dimensions.

    Under `flow.autocast` it computes in the widest dtype of its operands. Method: `Tensor.dot`.

    Raises:
        RuntimeError: not two vectors; sizes or dtypes that differ.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.dot.

    Example:
        >>> import tritonflow as flow
        >>> flow.dot(flow.tensor([1.0, 2.0]), flow.tensor([3.0, 4.0]))
        tensor(11.)
    """
    if input.meta.ndim != 1 or other.meta.ndim != 1:
        raise ShapeError(f"1D tensors expected, but got {input.meta.ndim}D and {other.meta.ndim}D tensors")
    if input.meta.dtype is not other.meta.dtype:
        names = [t.meta.dtype.name.capitalize() for t in (input, other)]
        raise DTypeError(f"dot : expected both vectors to have same dtype, but found {names[0]} and {names[1]}")
    return matmul(input, other)


@functor("Linear")
def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Any:
    x, w = input.meta, weight.meta
    if x.ndim == 0 or w.ndim != 2 or (bias is not None and bias.meta.ndim != 1):
        return _general_linear(input, weight, bias)
    check_same_dtype(input, weight)
    if bias is not None:
        check_same_dtype(input, bias)
    if x.shape[-1] != w.shape[1]:
        raise ShapeError(
            f"mat1 and mat2 shapes cannot be multiplied ({_rows(x.shape)}x{x.shape[-1]} and {w.shape[1]}x{w.shape[0]})"
        )
    if bias is not None and bias.meta.shape[0] != w.shape[0]:
        if bias.meta.shape[0] != 1:
            raise ShapeError(
                f"The expanded size of the tensor ({w.shape[0]}) must match the existing size ({bias.meta.shape[0]}) at"
                f" non-singleton dimension 1.  Target sizes: [{_rows(x.shape)}, {w.shape[0]}].  Tensor sizes:"
                f" [{bias.meta.shape[0]}]"
            )
        bias = expand(bias, (w.shape[0],))
    if x.ndim == 2:
        return _linear_of_rows(input, weight, bias)
    if not x.is_local and (dims := _split_dims_of_rows(input)) not in ([], [0]):
        if len(dims) == 1:
            return _with_dim_in_front(dims[0], input, lambda x: linear(x, weight, bias))
        return _general_linear(input, weight, bias)
    rows = reshape(input, (_rows(x.shape), x.shape[-1]))
    return unshared(reshape(_linear_of_rows(rows, weight, bias), (*x.shape[:-1], w.shape[0])))


def _linear_of_rows(rows: Tensor, weight: Tensor, bias: Tensor | None) -> Any:
    return dispatch(_linear, (rows, weight, None)) if bias is None else dispatch3(_linear, rows, weight, bias)


def _general_linear(input: Tensor, weight: Tensor, bias: Tensor | None) -> Any:
    """A weight of rank one, or a bias that broadcasts."""
    if weight.meta.ndim not in (1, 2):
        raise ShapeError(f"linear: weight must have one or two dimensions, but got {weight.meta.ndim}D")
    out = matmul(input, weight if weight.meta.ndim == 1 else matrix_transpose(weight))
    return out if bias is None else add(out, bias)


__all__ = ["batch_matmul", "dot", "flatten", "linear", "matmul", "mm", "mv"]

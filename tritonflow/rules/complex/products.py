"""Products of complex numbers along dimensions, moments and norms, and products of matrices, each as one real product."""

from __future__ import annotations

from math import prod as product_of
from typing import Any

from tritonflow.binding.target import beside
from tritonflow.execution.op_expr import OpExpr, op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions import matmul as matrices
from tritonflow.functions.arithmetic import add, sub
from tritonflow.functions.cast import clone, user_cast
from tritonflow.functions.creation import ones
from tritonflow.functions.generated import abs as absolute
from tritonflow.functions.generated import mul, sqrt
from tritonflow.functions.join import cat, stack
from tritonflow.functions.reduction import mean
from tritonflow.functions.unary import negative
from tritonflow.functions.unary_complex import imag, real
from tritonflow.functions.view import contiguous, narrow, reshape, select
from tritonflow.functions.view_complex import pairs_of_complex
from tritonflow.functions.view_orders import permute, transpose
from tritonflow.interpreter.dispatch import dispatch, dispatch1, dispatch3
from tritonflow.rules.complex.movement import as_numbers

_var = op_expr("var")

Inputs = tuple[Any, ...]
Values = tuple[Any, ...]


def prod(op: OpExpr, inputs: Inputs, attrs: Values, dynamic: Values) -> Any:
    """Halves times halves, until one number is left; attributes (dims, keepdim, dtype)."""
    (x,), (dims, keepdim, dtype) = inputs, attrs
    if dtype is not None:
        x = user_cast(x, dtype)
        if not dtype.is_complex:
            return dispatch1(op, x, (dims, keepdim, None))
    shape = x.meta.shape
    kept = [d for d in range(len(shape)) if d not in dims]
    result = tuple([1 if d in dims else n for d, n in enumerate(shape)]) if keepdim else tuple([shape[d] for d in kept])
    count = product_of([shape[d] for d in dims])
    if not count:
        return ones(result, dtype=x.meta.dtype, **beside(x))
    x = reshape(permute(x, (*kept, *dims)), (*[shape[d] for d in kept], count))
    last = len(kept)
    while count > 1:
        half = count // 2
        halves = mul(narrow(x, last, 0, half), narrow(x, last, half, half))
        x = cat([halves, narrow(x, last, 2 * half, 1)], last) if count % 2 else halves
        count = half + count % 2
    return clone(reshape(x, result))


def cumprod(op: OpExpr, inputs: Inputs, attrs: Values, dynamic: Values) -> Any:
    """Products of 1, 2, 4 ... numbers, each of two halves; attributes (dim, dtype)."""
    (x,), (dim, dtype) = inputs, attrs
    if dtype is not None:
        x = user_cast(x, dtype)
        if not dtype.is_complex:
            return dispatch1(op, x, (dim, None))
    if not x.meta.ndim:
        return clone(x)
    size, width = x.meta.shape[dim], 1
    x = clone(x)
    while width < size:
        longer = mul(narrow(x, dim, width, size - width), narrow(x, dim, 0, size - width))
        x = cat([narrow(x, dim, 0, width), longer], dim)
        width *= 2
    return x


def var(op: OpExpr, inputs: Inputs, attrs: Values, dynamic: Values) -> Any:
    """The sum of the parts' variances."""
    (x,) = inputs
    return add(dispatch1(op, real(x), attrs), dispatch1(op, imag(x), attrs))


def std(op: OpExpr, inputs: Inputs, attrs: Values, dynamic: Values) -> Any:
    return sqrt(var(_var, inputs, attrs, dynamic))


def var_mean(op: OpExpr, inputs: Inputs, attrs: Values, dynamic: Values) -> Any:
    dims, _, keepdim = attrs
    return var(_var, inputs, attrs, dynamic), mean(inputs[0], dims, keepdim)


def norm(op: OpExpr, inputs: Inputs, attrs: Values, dynamic: Values) -> Any:
    return dispatch1(op, absolute(inputs[0]), attrs)


def product(a: Tensor, b: Tensor) -> Tensor:
    """a @ b of complex matrices: rows of pairs times a real matrix, in which each number of b is [[re, im], [-im, re]]."""
    pairs = pairs_of_complex(b)
    turned = stack([negative(select(pairs, -1, 1)), select(pairs, -1, 0)], -1)  # i b
    *batch, inner, columns = b.meta.shape
    both = stack([pairs, turned], pairs.meta.ndim - 2)  # (..., inner, 2, columns, 2)
    right = reshape(both, (*batch, 2 * inner, 2 * columns))
    left = reshape(pairs_of_complex(a), (*a.meta.shape[:-1], 2 * inner))
    found = matrices.matmul(left, right)
    return as_numbers(reshape(found, (*found.meta.shape[:-1], columns, 2)))


def matmul(op: OpExpr, inputs: Inputs, attrs: Values, dynamic: Values) -> Any:
    a, b = inputs
    transpose_a, transpose_b = attrs if attrs else (False, False)
    return product(transpose(a, -2, -1) if transpose_a else a, transpose(b, -2, -1) if transpose_b else b)


def grouped_product(op: OpExpr, inputs: Inputs, attrs: Values, dynamic: Values) -> Any:
    a, b, ends = inputs
    (a_re, a_im), (b_re, b_im) = (real(a), imag(a)), (real(b), imag(b))

    def part(x: Tensor, y: Tensor) -> Any:
        return dispatch3(op, x, y, ends)

    pair = sub(part(a_re, b_re), part(a_im, b_im)), add(part(a_re, b_im), part(a_im, b_re))
    return as_numbers(stack(list(pair), -1))


def linear(op: OpExpr, inputs: Inputs, attrs: Values, dynamic: Values) -> Any:
    x, weight, bias = inputs
    found = product(x, transpose(weight, -2, -1))
    return found if bias is None else add(found, bias)


def cross(op: OpExpr, inputs: Inputs, attrs: Values, dynamic: Values) -> Any:
    (a, b), (dim,) = inputs, attrs

    def part(x: Tensor, index: int) -> Tensor:
        return narrow(x, dim, index % 3, 1)

    parts = [sub(mul(part(a, i + 1), part(b, i + 2)), mul(part(a, i + 2), part(b, i + 1))) for i in range(3)]
    return cat(parts, dim)


def _of_pairs(x: Tensor) -> Tensor:
    """Images of complex channels as images of twice as many real ones, a number's parts beside each other."""
    pairs = pairs_of_complex(x)
    last = pairs.meta.ndim - 1
    n, channels, *image = x.meta.shape
    return reshape(permute(pairs, (0, 1, last, *range(2, last))), (n, 2 * channels, *image))  # type: ignore[no-any-return]


def _as_complex_images(x: Tensor) -> Tensor:
    n, channels, *image = x.meta.shape
    last = len(image) + 2
    pairs = permute(reshape(x, (n, channels // 2, 2, *image)), (0, 1, *range(3, last + 1), 2))
    return as_numbers(contiguous(pairs))


def _filters(weight: Tensor, transposed: bool) -> Tensor:
    """Filters (o, i, ...) as real ones (2 o, 2 i, ...): each number is [[re, -im], [im, re]], or the transpose of that."""
    re, im = real(weight), imag(weight)
    other = negative(im)
    rows = [stack(pair, 2) for pair in (([re, im], [other, re]) if transposed else ([re, other], [im, re]))]
    both = stack(rows, 1)  # (o, 2, i, 2, ...)
    o, i, *kernel = weight.meta.shape
    return reshape(both, (2 * o, 2 * i, *kernel))  # type: ignore[no-any-return]


def conv2d(op: OpExpr, inputs: Inputs, attrs: Values, dynamic: Values) -> Any:
    x, weight, bias = inputs
    parts = None if bias is None else reshape(pairs_of_complex(bias), (2 * bias.meta.shape[0],))
    return _as_complex_images(dispatch(op, (_of_pairs(x), _filters(weight, False), parts), attrs))


def conv_data_grad(op: OpExpr, inputs: Inputs, attrs: Values, dynamic: Values) -> Any:
    (grad, weight), ((n, channels, *image), *rest) = inputs, attrs
    attrs = ((n, 2 * channels, *image), *rest)
    return _as_complex_images(dispatch(op, (_of_pairs(grad), _filters(weight, True)), attrs))

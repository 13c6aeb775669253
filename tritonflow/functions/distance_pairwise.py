"""Functors of the distances of all pairs of rows."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import function, functor
from tritonflow.binding.target import beside
from tritonflow.dtypes import int64, result_type, torch_name
from tritonflow.errors import ArgumentValueError, DTypeError, InvalidArgumentError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.arithmetic import add, sub
from tritonflow.functions.arithmetic_powers import scalar_pow
from tritonflow.functions.cast import cast, widened
from tritonflow.functions.creation_sequences import triangle_indices
from tritonflow.functions.elementwise_selection import where_scalar_y
from tritonflow.functions.generated import abs, div, eq, mul, scalar_mul, scalar_ne, sign
from tritonflow.functions.index import index_get
from tritonflow.functions.matmul import matmul
from tritonflow.functions.reduction import mean, norm, sum
from tritonflow.functions.unary import negative
from tritonflow.functions.view import expand, narrow, reshape, select, unsqueeze
from tritonflow.interpreter.dispatch import dispatch
from tritonflow.interpreter.grad_mode import no_grad
from tritonflow.ops.elementwise import broadcast_shapes

_cdist = op_expr("cdist")

_MODES = ("use_mm_for_euclid_dist_if_necessary", "use_mm_for_euclid_dist", "donot_use_mm_for_euclid_dist")


@functor("CDist")
def cdist(x1: Tensor, x2: Tensor, p: float = 2.0, compute_mode: Any = None) -> Any:
    """The distance of every row of x1 from every row of x2. It is always made of differences: `compute_mode` chooses nothing."""
    if compute_mode not in (None, 0, 1, 2, *_MODES):
        raise ArgumentValueError(f"{compute_mode} is not a valid value for compute_mode")
    for name, x in (("X1", x1), ("X2", x2)):
        if not x.meta.dtype.is_floating_point:
            raise DTypeError(f"cdist only supports floating-point dtypes, {name} got: {torch_name(x.meta.dtype)}")
        if x.meta.ndim < 2:
            raise ShapeError(f"cdist only supports at least 2D tensors, {name} got: {x.meta.ndim}D")
    if x1.meta.shape[-1] != x2.meta.shape[-1]:
        raise ShapeError(
            f"X1 and X2 must have the same number of columns. X1: {x1.meta.shape[-1]} X2: {x2.meta.shape[-1]}"
        )
    if not p >= 0:
        raise InvalidArgumentError("cdist only supports non-negative p values")
    dtype = result_type([(x.meta.dtype, x.meta.ndim) for x in (x1, x2)])
    batch = broadcast_shapes([x1.meta.shape[:-2], x2.meta.shape[:-2]])
    rows = [expand(cast(x, dtype), (*batch, *x.meta.shape[-2:])) for x in (x1, x2)]
    order = int(p) if p in (0, 1, 2) else "max" if p == float("inf") else "any"
    return dispatch(_cdist, tuple(rows), (order,), (float(p),))


@function(
    "Tensor (Tensor input, Double p=2.0)",
    export=("flow", "nn.functional"), reference="torch.nn.functional.pdist", samples="pdist", tolerance="norm",
    autocast="float32",
)
def pdist(input: Tensor, p: float = 2.0) -> Any:
    """The p-norms of the differences of every two rows.

    The pairs (i, j) with i < j, by i and then by j: the triangle above the diagonal of cdist(input,
    input).

    Args:
        input: the input.
        p: which norm, at least 0.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, D) -> (N * (N - 1) / 2).

    Under `flow.autocast` it computes in float32.

    Raises:
        RuntimeError: other than 2 dimensions, a negative p, or integers.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.pdist.

    Example:
        >>> import tritonflow as flow
        >>> flow.pdist(flow.tensor([[0.0, 0.0], [3.0, 4.0], [0.0, 1.0]]), p=1)
        tensor([7., 1., 6.])
    """
    # The distances of rows i < j, by i and then by j.
    if input.meta.ndim != 2:
        raise ShapeError("pdist only supports 2D tensors, got: " + str(input.meta.ndim) + "D")
    if p < 0:
        raise InvalidArgumentError("pdist only supports non-negative p values")
    if not input.meta.dtype.is_floating_point:
        raise DTypeError("pdist only supports floating-point dtypes")
    own = input.meta.dtype
    if own.itemsize == 2:  # a row's gradient is a sum of two sums, rounded once
        return cast(pdist(widened(input), p), own)
    rows = input.meta.shape[0]
    if rows < 2:
        return norm(narrow(input, 0, 0, 0), p, (1,))
    pairs = triangle_indices(rows, rows, 1, False, int64, **beside(input))
    at = add(scalar_mul(select(pairs, 0, 0), rows), select(pairs, 0, 1))
    return index_get(reshape(cdist(input, input, p), (-1,)), [at], 0, False)


@function("TensorTuple (Tensor dy, Tensor x1, Tensor x2, Tensor y, PyObject order, Double p)", bind_python=False)
def cdist_grad(dy: Tensor, x1: Tensor, x2: Tensor, y: Tensor, order: Any, p: float) -> tuple[Any, Any]:
    """Each pair's gradient points along the difference of its rows; where a distance is 0 it is 0."""
    own = x1.meta.dtype
    if own.itemsize == 2:  # a distance that was rounded is not the largest difference, and rounded products do not cancel
        x1, x2 = widened(x1), widened(x2)
        found = _cdist_grad(widened(dy), x1, x2, dispatch(_cdist, (x1, x2), (order,), (p,)), order, p)
        return cast(found[0], own), cast(found[1], own)
    return _cdist_grad(dy, x1, x2, y, order, p)


def _cdist_grad(dy: Tensor, x1: Tensor, x2: Tensor, y: Tensor, order: Any, p: float) -> tuple[Any, Any]:
    far = scalar_ne(y, 0)
    y = where_scalar_y(far, y, 1.0)  # the derivatives of dy / y are numbers, too
    if order == 2:  # weight * (x1 - x2) as two products, of rows around their mean, which distances do not depend on
        weight = where_scalar_y(far, div(dy, y), 0.0)
        a, b = x1, x2
        if x1.meta.numel:
            with no_grad():
                middle = mean(x1, (-2,), True)
            a, b = sub(x1, middle), sub(x2, middle)
        dx1 = sub(mul(a, sum(weight, (-1,), True)), matmul(weight, b))
        return dx1, sub(mul(b, unsqueeze(sum(weight, (-2,)), -1)), matmul(weight, a, True))
    difference = sub(unsqueeze(x1, -2), unsqueeze(x2, -3))
    weight = unsqueeze(dy, -1)
    if order == 0:
        slope = scalar_mul(difference, 0.0)
    elif order == 1:
        slope = sign(difference)
    elif order == "max":
        slope = mul(sign(difference), cast(eq(abs(difference), unsqueeze(y, -1)), dy.dtype))
    else:
        size = abs(difference)
        apart = scalar_ne(size, 0)
        power = where_scalar_y(apart, scalar_pow(where_scalar_y(apart, size, 1.0), p - 1), 0.0)
        slope = mul(sign(difference), power)
        weight = unsqueeze(where_scalar_y(far, div(dy, scalar_pow(y, p - 1)), 0.0), -1)
    moved = mul(weight, slope)
    return sum(moved, (-2,)), negative(sum(moved, (-3,)))

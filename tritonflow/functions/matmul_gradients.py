"""Products without one factor, by multiplications alone: what gradients of products are where they are differentiated again.

A division by the factor gives the same number unless the factor is 0, and another derivative.
"""

from __future__ import annotations

from tritonflow.framework.tensor import Tensor, wrap_dim
from tritonflow.functions.arithmetic import add
from tritonflow.functions.arithmetic_powers import scalar_pow
from tritonflow.functions.creation_like import ones_like, zeros_like
from tritonflow.functions.generated import mul
from tritonflow.functions.join import cat, stack
from tritonflow.functions.view import narrow, reshape, select
from tritonflow.functions.view_orders import movedim, permute, permute_inverse
from tritonflow.interpreter.recording import wants_gradient
from tritonflow.thread_state import thread_state


def is_differentiated_again(x: Tensor) -> bool:
    """Whether a gradient that is being computed is recorded for a derivative by x."""
    return thread_state.grad_enabled and wants_gradient(x)


def product_of_others(x: Tensor, dims: tuple[int, ...] | None) -> Tensor:
    """For each element the product of the others along some dimensions, or of all others."""
    ndim = x.meta.ndim
    if ndim == 0:
        return ones_like(x)
    reduced = range(ndim) if not dims else sorted({wrap_dim(d, ndim) for d in dims})
    order = (*[d for d in range(ndim) if d not in reduced], *reduced)
    moved = permute(x, order)
    kept = moved.meta.shape[: ndim - len(reduced)]
    count = 1
    for n in moved.meta.shape[len(kept) :]:
        count *= n
    if count == 1:
        return scalar_pow(x, 0)  # ones that have a derivative: zeros
    rows = _without_own(reshape(moved, (*kept, count))) if x.meta.numel else moved
    return permute_inverse(reshape(rows, moved.meta.shape), order)


def _without_own(x: Tensor) -> Tensor:
    """Along the last dimension: a pair's factor from outside, times its partner; the factors from outside by pairs again."""
    count = x.meta.shape[-1]
    if count == 1:
        return ones_like(x)
    even = x if count % 2 == 0 else cat([x, ones_like(narrow(x, -1, 0, 1))], -1)
    pairs = reshape(even, (*even.meta.shape[:-1], even.meta.shape[-1] // 2, 2))
    left, right = select(pairs, -1, 0), select(pairs, -1, 1)
    outside = _without_own(mul(left, right))
    both = reshape(stack([mul(outside, right), mul(outside, left)], -1), even.meta.shape)
    return both if even is x else narrow(both, -1, 0, count)


def cumulative_product_gradient(dy: Tensor, x: Tensor, before: Tensor, dim: int) -> Tensor:
    """before_i * r_i with r_i = dy_i + x_(i+1) r_(i+1), where `before` has the products of all elements before each.

    The recurrence is solved in log2(n) steps: after each, r_i has twice as many terms.
    """
    dim = wrap_dim(dim, x.meta.ndim)
    dy, x, before = [movedim(t, (dim,), (-1,)) for t in (dy, x, before)]
    count, step = x.meta.shape[-1], 1
    sums, factors = dy, _shifted(x, 1)
    while step < count:
        sums = add(sums, mul(factors, _shifted(sums, step)))
        factors = mul(factors, _shifted(factors, step))
        step *= 2
    return movedim(mul(before, sums), (-1,), (dim,))


def shifted_right(x: Tensor, dim: int) -> Tensor:
    """The elements one position later along a dimension, with a 1 in front."""
    last = narrow(x, dim, 0, x.meta.shape[dim] - 1)
    return cat([ones_like(narrow(x, dim, 0, 1)), last], dim)


def _shifted(x: Tensor, by: int) -> Tensor:
    """The elements `by` positions earlier along the last dimension, with zeros behind."""
    count = x.meta.shape[-1]
    if by >= count:
        return zeros_like(x)
    return cat([narrow(x, -1, by, count - by), zeros_like(narrow(x, -1, 0, by))], -1)

"""The functor of scaled dot product attention.

The fused kernels take any lengths, strides and masks, and drop weights. Some cases are a composition of matmul and softmax instead,
recorded op by op:

- a mask that wants a gradient, and the gradient of the gradient;
- very wide heads;
- weights that are dropped, if the values have more batches than the weights.

Kernels and composition draw the same numbers.
"""

from __future__ import annotations

from functools import lru_cache
from math import inf, prod, sqrt
from typing import Any

from tritonflow.binding.library import functor
from tritonflow.binding.target import beside
from tritonflow.dtypes import bool_, float64
from tritonflow.errors import ArgumentValueError, DimensionError, DTypeError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.meta import Shape, TensorMeta
from tritonflow.framework.runtime_scalar import as_float, calculated
from tritonflow.framework.tensor import Tensor
from tritonflow.functions import reduction
from tritonflow.functions.arithmetic import add
from tritonflow.functions.cast import cast, clone
from tritonflow.functions.creation import arange_end, zeros
from tritonflow.functions.creation_like import ones_like
from tritonflow.functions.elementwise_selection import where_scalar_y
from tritonflow.functions.generated import ge, logical_and, logical_not, mul, scalar_mul, scalar_ne
from tritonflow.functions.index_masks import masked_fill
from tritonflow.functions.matmul import matmul
from tritonflow.functions.random import factor_of, reserve
from tritonflow.functions.random_bernoulli import dropout
from tritonflow.functions.softmax import softmax, softmax_grad
from tritonflow.functions.view import expand, reshape, unshared, unsqueeze
from tritonflow.interpreter.autocast import with_casts
from tritonflow.interpreter.dispatch import dispatch, dispatch_first
from tritonflow.interpreter.grad_mode import is_grad_enabled
from tritonflow.interpreter.recording import wants_gradient
from tritonflow.ops.attention import widest_head
from tritonflow.ops.elementwise import broadcast_shapes

# The composition follows autocast op by op: each is cast by its own rule.
_matmul = with_casts(matmul, "lower")
_softmax = with_casts(softmax, "float32")

_attention = op_expr("scaled_dot_product_attention")
_attention_grad = op_expr("attention_grad")
_dropout = op_expr("random_dropout")


@functor("ScaledDotProductAttention")
def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Any:
    _check(query.meta, key.meta, value.meta, None if attn_mask is None else attn_mask.meta, is_causal)
    if attn_mask is not None and is_causal:
        attn_mask, is_causal = _causal(attn_mask, query.meta.shape[-2], key.meta.shape[-2]), False
    if not 0.0 <= dropout_p <= 1.0:
        raise ArgumentValueError(f"dropout probability has to be between 0 and 1, but got {dropout_p}")
    group = 1
    if enable_gqa:
        group, key, value = _shared_heads(query, key, value)
    q, k, v = query.meta.shape, key.meta.shape, value.meta.shape
    batch, are_planes, is_narrow, has_own_values = _layout(query.meta, key.meta, value.meta, group)
    if scale is None:
        scale = _by_root(q[-1]) if q[-1] else 0.0
    masks_gradient = attn_mask is not None and is_grad_enabled() and wants_gradient(attn_mask)
    if (dropout_p > 0 and not has_own_values) or masks_gradient or not is_narrow:
        key, value = _repeated_heads(key, group), _repeated_heads(value, group)
        out = _composition(query, key, value, attn_mask, dropout_p, is_causal, scale)
        return unshared(expand(out, (*batch, q[-2], v[-1])))
    if query.meta.dtype is float64 and attn_mask is not None:
        attn_mask = _additive(attn_mask)
    planes = (query, key, value)
    if not are_planes:
        of_keys = (*batch[:-1], batch[-1] // group) if group > 1 else batch
        planes = _planes(query, batch), _planes(key, of_keys), _planes(value, of_keys)
    mask = None if attn_mask is None else _planes(_expanded_rows(attn_mask, q[-2], k[-2]), batch)
    count = prod(batch) * q[-2] * k[-2] if dropout_p > 0 else 0
    drawn = reserve(query, count) if count else None
    scalars = (as_float(scale), -inf, 0.0, float(dropout_p), factor_of(dropout_p), 0)
    out = dispatch_first(_attention, (*planes, mask, drawn), (is_causal,), scalars)
    return out if len(batch) == 2 else unshared(reshape(out, (*batch, q[-2], v[-1])))


def _by_root(width: int) -> Any:
    """The default scale. Of a symbolic width it is a number of each run."""
    return 1 / sqrt(width) if type(width) is int else calculated(lambda number: 1 / sqrt(number), width)


@lru_cache(maxsize=1024)
def _layout(q: TensorMeta, k: TensorMeta, v: TensorMeta, group: int) -> tuple[Shape, bool, bool, bool]:
    """The dimensions before the last two, broadcast, with the query's heads.

    And whether all three have two of these, whether a kernel takes heads so wide, and whether weights have all batches of values.
    """
    wide = [(*x.shape[:-3], x.shape[-3] * group) if group > 1 else x.shape[:-2] for x in (k, v)]
    batches = [q.shape[:-2], *wide]
    batch = broadcast_shapes(batches)
    are_planes = len(batch) == 2 and all(own == batch for own in batches)
    return batch, are_planes, max(q.shape[-1], v.shape[-1]) <= widest_head(q.dtype), broadcast_shapes(batches[:2]) == batch


@lru_cache(maxsize=1024)
def _check(q: TensorMeta, k: TensorMeta, v: TensorMeta, mask: TensorMeta | None, is_causal: bool) -> None:
    """Raise for what torch refuses: a program asks for few combinations, many times."""
    if min(q.ndim, k.ndim, v.ndim) < 2:
        raise ShapeError(
            "scaled_dot_product_attention: Expected query, key, and value to all be at least 2 dimensional, but got"
            f" query.dim(): {q.ndim}, key.dim(): {k.ndim} and value.dim(): {v.ndim} instead."
        )
    if not (q.dtype is k.dtype is v.dtype):
        raise DTypeError(
            "Expected query, key, and value to have the same dtype, but got"
            f" query.dtype: {q.dtype} key.dtype: {k.dtype} and value.dtype: {v.dtype} instead."
        )
    if not q.dtype.is_floating_point:
        raise DTypeError(f"scaled_dot_product_attention is not implemented for {q.dtype}")
    if q.shape[-1] != k.shape[-1] or k.shape[-2] != v.shape[-2]:
        raise ShapeError(
            "scaled_dot_product_attention: query and key must agree in their last dimension, key and value in the one"
            f" before, but got query {list(q.shape)}, key {list(k.shape)}, value {list(v.shape)}"
        )
    if mask is None:
        return
    if mask.dtype is not bool_ and mask.dtype is not q.dtype and not mask.dtype.is_floating_point:
        raise DTypeError(
            "Expected attn_mask dtype to be bool or float or to match query dtype, but got"
            f" attn_mask.dtype: {mask.dtype} and  query.dtype: {q.dtype} instead."
        )


def _check_heads(query: Tensor, key: Tensor, value: Tensor) -> None:
    if min(t.meta.ndim for t in (query, key, value)) < 3:
        raise DimensionError(
            "scaled_dot_product_attention: enable_gqa expects query, key and value of at least 3 dimensions, the third last of"
            f" heads, but got query.dim(): {query.meta.ndim}, key.dim(): {key.meta.ndim} and value.dim(): {value.meta.ndim}"
        )


def _shared_heads(query: Tensor, key: Tensor, value: Tensor) -> tuple[int, Tensor, Tensor]:
    """How many heads of the query a head of key and value serves, and these: repeated if kernels want as many as queries have."""
    _check_heads(query, key, value)
    heads, own = query.meta.shape[-3], [x.meta.shape[-3] for x in (key, value)]
    for count in own:
        if not count or heads % count:
            raise ShapeError(f"enable_gqa: {heads} query heads cannot share {count} key or value heads")
    if own[0] == own[1] and heads and type(heads) is type(own[0]) is int:
        return heads // own[0], key, value
    return 1, _repeated_heads(key, heads // own[0]), _repeated_heads(value, heads // own[1])


def _repeated_heads(x: Tensor, group: int) -> Tensor:
    """Every head of x as often as a group has heads."""
    shape = x.meta.shape
    if group == 1:
        return x
    wide = expand(unsqueeze(x, -3 + x.meta.ndim + 1), (*shape[:-2], group, *shape[-2:]))
    return reshape(wide, (*shape[:-3], shape[-3] * group, *shape[-2:]))


def _planes(x: Tensor, batch: tuple[int, ...]) -> Tensor:
    """x as (batch, heads, rows, columns), without a copy where its strides allow."""
    shape = x.meta.shape
    last = shape[-2:]
    if shape[:-2] != batch:
        x = expand(x, (*batch, *last))
    if len(batch) == 2:
        return x
    if len(batch) < 2:
        for _ in range(2 - len(batch)):
            x = unsqueeze(x, 0)
        return x
    return reshape(x, (prod(batch[:-1]), batch[-1], *last))


def _additive(mask: Tensor) -> Tensor:
    """The mask as float64: Triton 3.6 fails to compile a float64 dot for GPUs whose operand depends on narrower memory."""
    if mask.meta.dtype is bool_:
        additive = zeros(mask.meta.shape, dtype=float64, **beside(mask))
        return masked_fill(additive, logical_not(mask), -float("inf"))  # type: ignore[no-any-return]
    return cast(mask, float64)  # type: ignore[no-any-return]


def _expanded_rows(mask: Tensor, rows: int, columns: int) -> Tensor:
    """The mask with as many rows and columns as there are queries and keys."""
    shape = mask.meta.shape
    return expand(mask, (*shape[:-2], rows, columns)) if shape[-2:] != (rows, columns) else mask


def _composition(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, dropout_p: float, is_causal: bool, scale: float
) -> Tensor:
    """softmax(scale query key' + mask) value, op by op; rows that may attend to nothing give 0."""
    weights = _weights(query, key, mask, is_causal, scale)
    if dropout_p > 0:
        weights = dropout(weights, dropout_p, True)
    return _matmul(weights, value)  # type: ignore[no-any-return]


def _causal(mask: Tensor, rows: int, columns: int) -> Any:
    """The mask, without the keys behind a query's position."""
    where = beside(mask)
    before = ge(unsqueeze(arange_end(rows, **where), 1), arange_end(columns, **where))
    return logical_and(mask, before) if mask.meta.dtype is bool_ else where_scalar_y(before, mask, -float("inf"))


def _weights(query: Tensor, key: Tensor, mask: Tensor | None, is_causal: bool, scale: float) -> Tensor:
    scores = scalar_mul(_matmul(query, key, False, True), scale)
    if is_causal:
        rows, columns = scores.meta.shape[-2:]
        where = beside(query)
        mask = ge(unsqueeze(arange_end(rows, **where), 1), arange_end(columns, **where))
    if mask is None:
        return _softmax(scores, -1)  # type: ignore[no-any-return]
    allowed = mask
    if mask.meta.dtype is not bool_:
        scores, allowed = add(scores, mask), scalar_ne(mask, -float("inf"))
    weights = _softmax(where_scalar_y(allowed, scores, -float("inf")), -1)
    return where_scalar_y(reduction.any(allowed, (-1,), True), weights, 0.0)  # type: ignore[no-any-return]


@functor("AttentionGrad")
def attention_grad(
    grad: Tensor,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    out: Tensor,
    rows: Tensor,
    mask: Tensor | None,
    drawn: Tensor | None,
    is_causal: bool,
    scale: float,
    rate: float,
    factor: float,
) -> Any:
    if not is_grad_enabled():
        inputs = (grad, query, key, value, out, rows, mask, drawn)
        return dispatch(_attention_grad, inputs, (is_causal,), (scale, -inf, rate, factor, 0))
    group = query.meta.shape[1] // key.meta.shape[1] if key.meta.shape[1] else 1
    wide_key, wide_value = _repeated_heads(key, group), _repeated_heads(value, group)
    weights = dropped = _weights(query, wide_key, mask, is_causal, scale)
    d_weights = _matmul(grad, wide_value, False, True)
    if drawn is not None:
        factors = dispatch(_dropout, (ones_like(weights), clone(drawn)), (), (rate, factor))[0]
        dropped, d_weights = mul(weights, factors), mul(d_weights, factors)
    d_scores = scalar_mul(softmax_grad(d_weights, weights, weights.meta.ndim - 1), scale)
    dq = _matmul(d_scores, wide_key)
    return dq, _summed_heads(_matmul(d_scores, query, True), group), _summed_heads(_matmul(dropped, grad, True), group)


def _summed_heads(x: Tensor, group: int) -> Tensor:
    """The sums over the heads of each group."""
    if group == 1:
        return x
    batch, heads, *rest = x.meta.shape
    return reduction.sum(reshape(x, (batch, heads // group, group, *rest)), (2,))  # type: ignore[no-any-return]

"""The functor of writes into the pages of a cache: what must fit before anything is written."""

from __future__ import annotations

from functools import lru_cache

from tritonflow.binding.library import functor
from tritonflow.dtypes import int32, int64
from tritonflow.errors import ArgumentValueError, AutogradError, DTypeError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.dispatch import dispatch
from tritonflow.interpreter.grad_mode import is_grad_enabled
from tritonflow.interpreter.recording import wants_gradient
from tritonflow.ops.dtype_rules import require

_paged_append = op_expr("paged_append")


@functor("PagedAppend")
def paged_append(
    key: Tensor, value: Tensor, slots: Tensor, key_cache: Tensor, value_cache: Tensor, query: Tensor | None = None,
    cos: Tensor | None = None, sin: Tensor | None = None, positions: Tensor | None = None, interleaved: bool = False,
) -> Tensor:  # fmt: skip
    """Write keys and values into the rows of a cache that `slots` name, each into a different one, in one launch.

    With queries, cos, sin and positions, queries and keys are turned as by `apply_rotary_emb`.

    Args:
        key, value: (tokens, heads, size).
        slots: integers, (tokens).
        key_cache, value_cache: (pages, rows of a page, heads, size), whose pages follow each other.
        query: (tokens, heads, size).
        cos, sin: (positions, r / 2).
        positions: integers, (tokens).
        interleaved: whether neighbours are turned, and not elements of two halves.

    Returns:
        The queries, turned; an empty tensor without tables.
    """
    given = [key, value, slots, key_cache, value_cache, query, cos, sin, positions]
    if is_grad_enabled() and any(x is not None and wants_gradient(x) for x in given):
        raise AutogradError("attention over a cache has no gradients: call it under no_grad()")
    if len({x is None for x in (query, cos, sin, positions)}) > 1:
        raise ArgumentValueError("paged append: query, cos, sin and positions are given together, or none of them")
    _check(*[None if x is None else x.meta for x in given])
    return dispatch(_paged_append, tuple(given), (bool(interleaved),), ())  # type: ignore[no-any-return]


@lru_cache(maxsize=1024)
def _check(
    key: TensorMeta, value: TensorMeta, slots: TensorMeta, keys: TensorMeta, values: TensorMeta, query: TensorMeta | None,
    cos: TensorMeta | None, sin: TensorMeta | None, positions: TensorMeta | None,
) -> None:  # fmt: skip
    """Raise for operands that do not fit together."""
    for name, new, cache in (("key", key, keys), ("value", value, values)):
        if new.ndim != 3 or cache.ndim != 4 or new.shape[0] != key.shape[0] or new.shape[1:] != cache.shape[2:]:
            raise ShapeError(
                f"paged append: expected a {name} of (tokens, heads, size) for a cache of {list(cache.shape)},"
                f" but got {list(new.shape)}"
            )
        if new.dtype is not cache.dtype:
            raise DTypeError(f"paged append: expected a {name} of the dtype of the cache, {cache.dtype}, but got {new.dtype}")
        if cache.shape[0] > 1 and cache.stride[0] != cache.shape[1] * cache.stride[1]:
            raise ShapeError(f"paged append: pages of the {name} cache do not follow each other: strides are {list(cache.stride)}")
    if keys.shape[:2] != values.shape[:2]:
        raise ShapeError(f"paged append: caches have other pages: {list(keys.shape)} and {list(values.shape)}")
    for name, numbers in (("slots", slots), ("positions", positions)):
        if numbers is not None and (numbers.shape != key.shape[:1] or numbers.dtype not in (int32, int64)):
            raise ShapeError(
                f"paged append: expected {name} of {list(key.shape[:1])}, integers, but got {list(numbers.shape)}, {numbers.dtype}"
            )
    if query is not None and cos is not None and sin is not None:
        _check_turned(key, query, cos, sin)


def _check_turned(key: TensorMeta, query: TensorMeta, cos: TensorMeta, sin: TensorMeta) -> None:
    require("paged append", "floating", query.dtype, "query")
    if query.ndim != 3 or query.shape[0] != key.shape[0] or query.shape[2] != key.shape[2]:
        raise ShapeError(f"paged append: queries are {list(query.shape)}, and keys {list(key.shape)}")
    if query.dtype is not key.dtype:
        raise DTypeError(f"paged append: queries are {query.dtype}, and keys {key.dtype}")
    if cos.ndim != 2 or cos.shape != sin.shape or 2 * cos.shape[1] > key.shape[2]:
        raise ShapeError(f"paged append: cos and sin are {list(cos.shape)} and {list(sin.shape)}, for heads of {key.shape[2]}")
    for name, table in (("cos", cos), ("sin", sin)):
        require("paged append", "floating", table.dtype, name)

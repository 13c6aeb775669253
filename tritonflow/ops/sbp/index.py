"""Rules of reads and writes by index tensors.

Indices count in the whole tensor, and each rank checks all that it has. Where an indexed dimension is split, a rank reads or
writes what it has: what is read is a partial sum. The dimensions of the index tensors may be split, where each index makes
elements of its own. Where indices add into the same elements, the result is a partial sum.
"""

from __future__ import annotations

from typing import Any

from tritonflow.dtypes import bool_
from tritonflow.framework.meta import Shape, TensorMeta
from tritonflow.framework.sbp import Sbp, broadcast, partial_sum, split
from tritonflow.framework.shards import Box, box_shape
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.sbp.build import partials
from tritonflow.ops.sbp.factors import rule_of
from tritonflow.ops.sbp.signature import Local, Metas, SbpSignature, Shards, localizer


class _Dims:
    """The dimensions of advanced indexing: those of the index tensors, alike in shape, replace as many dimensions from `dim` on.

    Attributes:
        others: pairs (dimension of the indexed tensor, dimension of the values) of what is not indexed.
        indices: pairs (dimension of the index tensors, dimension of the values).
        indexed: the dimensions that indices are for.
    """

    def __init__(self, ndim: int, indices: tuple[TensorMeta, ...], dim: int) -> None:
        count, common = len(indices), indices[0].ndim
        before = [(d, d) for d in range(dim)]
        self.others = before + [(d, d - count + common) for d in range(dim + count, ndim)]
        self.indices = [(d, dim + d) for d in range(common)]
        self.indexed = range(dim, dim + count)
        self.whole: tuple[Sbp, ...] = (broadcast,) * count

    def split(self, dim: int) -> tuple[Sbp, ...]:
        """Every index tensor split."""
        return (split(dim),) * len(self.whole)


def index_get(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """(x, indices): the values are what x has there. Attributes: (dim, wrap)."""
    x, *indices = metas
    assert x is not None
    dims = _Dims(x.ndim, tuple(indices), attrs[0])  # type: ignore[arg-type]
    found = [SbpSignature((split(i), *dims.whole), (split(j),)) for i, j in dims.others]
    found += [SbpSignature((broadcast, *dims.split(i)), (split(j),)) for i, j in dims.indices]
    found += [SbpSignature((p, *dims.whole), (p,)) for p in partials(x.dtype)]
    return found + [SbpSignature((split(d), *dims.whole), (partial_sum,)) for d in dims.indexed if x.dtype is not bool_]


@localizer(index_get)
def _read_of_shard(op: OpDef, attrs: tuple[Any, ...], dynamic: tuple[Any, ...], shards: Shards) -> Local:
    count = len(shards.inputs) - 1
    x, box = shards.metas[0], shards.inputs[0]
    assert x is not None and box is not None
    return Local((*attrs, *_own(x.shape, box, attrs[0], count)), dynamic)


def _own(shape: Shape, box: Box, dim: int, count: int) -> list[Any]:
    """The attribute that says which indices of the `count` indexed dimensions from `dim` on a shard has; none if it has all.

    A shard that is empty has the attribute, too: its indices are checked although it neither reads nor writes.
    """
    ranges = [(n, start) for n, (start, _) in zip(shape, box)][dim : dim + count]
    whole = all(box[d] == (0, shape[d]) for d in range(dim, dim + count))
    empty = 0 in box_shape(box)
    return [] if 0 in shape or whole and not empty else [tuple(ranges)]


def index_get_grad(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """(values, indices): zeros to which the values are added. Attributes: (shape, dim, wrap)."""
    _, *indices = metas
    shape, dim, _ = attrs
    dims = _Dims(len(shape), tuple(indices), dim)  # type: ignore[arg-type]
    found = [SbpSignature((split(j), *dims.whole), (split(i),)) for i, j in dims.others]
    found += [SbpSignature((split(j), *dims.split(i)), (partial_sum,)) for i, j in dims.indices]
    found.append(SbpSignature((partial_sum, *dims.whole), (partial_sum,)))
    return found + [SbpSignature((broadcast, *dims.whole), (split(d),)) for d in dims.indexed]


@localizer(index_get_grad)
def _sum_in_shard(op: OpDef, attrs: tuple[Any, ...], dynamic: tuple[Any, ...], shards: Shards) -> Local:
    shape, dim, _ = attrs
    box = shards.outputs[0]
    return Local((box_shape(box), *attrs[1:], *_own(shape, box, dim, len(shards.inputs) - 1)), dynamic)


def embedding_sum(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """(tokens, weight, places, positions): columns are apart, and tokens: along the last dimension where each has a position."""
    tokens, *_, positions = metas
    assert tokens is not None
    length = "t" if positions is not None else "t!"
    text = f"... {length}, v! c, p! c, {'... ' if positions is None or positions.ndim > 1 else ''}{length} -> ... {length} c | 1+2"
    return list(rule_of(text)(op, metas, attrs))


def index_put(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """(x, values, indices): x with the values written or added there. Attributes: (dim, accumulate, wrap, inplace)."""
    x, _, *indices = metas
    assert x is not None
    dim, accumulate, *_ = attrs
    dims = _Dims(x.ndim, tuple(indices), dim)  # type: ignore[arg-type]
    found = [SbpSignature((split(i), split(j), *dims.whole), (split(i),)) for i, j in dims.others]
    found += [SbpSignature((split(d), broadcast, *dims.whole), (split(d),)) for d in dims.indexed]
    if not accumulate:
        return found + [SbpSignature((p, p, *dims.whole), (p,)) for p in partials(x.dtype)]
    if x.dtype is bool_:
        return found
    found += [SbpSignature((partial_sum, split(j), *dims.split(i)), (partial_sum,)) for i, j in dims.indices]
    return [*found, SbpSignature((partial_sum, partial_sum, *dims.whole), (partial_sum,))]


@localizer(index_put)
def _write_to_shard(op: OpDef, attrs: tuple[Any, ...], dynamic: tuple[Any, ...], shards: Shards) -> Local:
    x = shards.metas[0]
    assert x is not None
    return Local((*attrs, *_own(x.shape, shards.outputs[0], attrs[0], len(shards.inputs) - 2)), dynamic)


def gather(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """(x, index): y[i][j] = x[index[i][j]][j] for dim 0. Attributes: (dim,)."""
    x, index = metas
    (dim,) = attrs
    assert x is not None and index is not None
    found = [
        SbpSignature((split(d), split(d)), (split(d),)) for d in range(x.ndim) if d != dim and x.shape[d] == index.shape[d]
    ]
    found.append(SbpSignature((broadcast, split(dim)), (split(dim),)))
    if x.dtype is not bool_:
        found.append(SbpSignature((split(dim), broadcast), (partial_sum,)))
    return found + [SbpSignature((p, broadcast), (p,)) for p in partials(x.dtype)]


@localizer(gather)
def _gather_of_shard(op: OpDef, attrs: tuple[Any, ...], dynamic: tuple[Any, ...], shards: Shards) -> Local:
    x, box = shards.metas[0], shards.inputs[0]
    assert x is not None and box is not None
    return Local((*attrs, *_own(x.shape, box, attrs[0], 1)), dynamic)


def scatter(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """(x, src, index): x with x[index[i][j]][j] = (or +=) src[i][j] for dim 0. Attributes: (dim, accumulate, inplace)."""
    x, src, index = metas
    dim, accumulate, _ = attrs
    assert x is not None and src is not None and index is not None
    equal = [d for d in range(x.ndim) if src.shape[d] == index.shape[d]]
    found = [SbpSignature((split(d),) * 3, (split(d),)) for d in equal if d != dim and x.shape[d] == index.shape[d]]
    found.append(SbpSignature((split(dim), broadcast, broadcast), (split(dim),)))
    if not accumulate:
        return found + [SbpSignature((p, p, broadcast), (p,)) for p in partials(x.dtype)]
    if x.dtype is bool_:
        return found
    if dim in equal:
        found.append(SbpSignature((partial_sum, split(dim), split(dim)), (partial_sum,)))
    return [*found, SbpSignature((partial_sum, partial_sum, broadcast), (partial_sum,))]


@localizer(scatter)
def _scatter_to_shard(op: OpDef, attrs: tuple[Any, ...], dynamic: tuple[Any, ...], shards: Shards) -> Local:
    x = shards.metas[0]
    assert x is not None
    return Local((*attrs, *_own(x.shape, shards.outputs[0], attrs[0], 1)), dynamic)


def scatter_fold(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """(x, src, index): as scatter, with a product, a maximum or a minimum. Attributes: (dim, fold, include_self, inplace)."""
    x, src, index = metas
    dim = attrs[0]
    assert x is not None and src is not None and index is not None
    equal = [d for d in range(x.ndim) if d != dim and x.shape[d] == src.shape[d] == index.shape[d]]
    return [SbpSignature((split(d),) * 3, (split(d),)) for d in equal] + [
        SbpSignature((split(dim), broadcast, broadcast), (split(dim),))
    ]


@localizer(scatter_fold)
def _fold_in_shard(op: OpDef, attrs: tuple[Any, ...], dynamic: tuple[Any, ...], shards: Shards) -> Local:
    return _scatter_to_shard(op, attrs, dynamic, shards)


def searchsorted(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """(sorted rows, values): rows are apart; values that share a row are apart, too."""
    rows, values = metas
    assert rows is not None and values is not None
    if rows.ndim == 1:
        return [SbpSignature((broadcast, split(d)), (split(d),)) for d in range(values.ndim)]
    own = [SbpSignature((broadcast, split(values.ndim - 1)), (split(values.ndim - 1),))]
    return [SbpSignature((split(d), split(d)), (split(d),)) for d in range(rows.ndim - 1)] + own

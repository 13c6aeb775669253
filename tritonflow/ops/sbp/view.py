"""Rules of views. A rank's view of its shard must be its shard of the view: boxes say where that is so.

Views only say where elements are, so partial tensors pass through them.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd, prod
from typing import Any

from tritonflow.framework.meta import Shape
from tritonflow.framework.sbp import broadcast, partial_sum, split
from tritonflow.framework.shards import box_shape
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.sbp.build import moved, passed
from tritonflow.ops.sbp.signature import Local, Metas, SbpSignature, Shards, localizer

Dims = list[int]


def view(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """The same elements in another shape.

    Dimensions are grouped by equal products: 4, 6, 5 as 8, 3, 5 is (4, 6) as (8, 3), and 5 as 5. Of a group the first dimensions
    may be split. Their pieces must be of one size, unless both are alone in their group.
    """
    (meta,), (shape,) = metas, attrs
    assert meta is not None
    return [*_grouped(meta.shape, shape), *passed(metas)]


def _grouped(old: Shape, new: Shape) -> Iterator[SbpSignature]:
    for before, after in groups(old, new):
        i, j = before[0], after[0]
        even = 0 if len(before) == len(after) == 1 else gcd(old[i], new[j])
        yield SbpSignature((split(i),), (split(j),), even=even)


def groups(old: Shape, new: Shape) -> Iterator[tuple[Dims, Dims]]:
    """The dimensions of both shapes in the smallest groups of equal products, without those of size 1; none of empty tensors."""
    if prod(old) == 0:
        return
    olds, news = [[d for d, n in enumerate(shape) if n != 1] for shape in (old, new)]
    while olds:
        before, after = [olds.pop(0)], [news.pop(0)]
        a, b = old[before[0]], new[after[0]]
        while a != b:
            if a < b:
                before.append(olds.pop(0))
                a *= old[before[-1]]
            else:
                after.append(news.pop(0))
                b *= new[after[-1]]
        yield before, after


@localizer(view)
def _shape_of_shard(op: OpDef, attrs: tuple[Any, ...], dynamic: tuple[Any, ...], shards: Shards) -> Local:
    return Local((box_shape(shards.outputs[0]),), dynamic)


def expand(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """Dimensions that are not repeated may be split; of those that are, every rank makes as many as it has."""
    (meta,), (shape,) = metas, attrs
    assert meta is not None
    new = len(shape) - meta.ndim
    old = (None,) * new + meta.shape
    found = [
        SbpSignature((split(dim - new) if old[dim] == n else broadcast,), (split(dim),)) for dim, n in enumerate(shape)
    ]
    return [*found, *passed(metas)]


localizer(expand)(_shape_of_shard)


def permute(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """Every dimension may be split."""
    (dims,) = attrs
    return [*moved((i, j) for j, i in enumerate(dims)), *passed(metas)]


def squeeze(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """The dimensions that stay may be split."""
    (meta,), (dims,) = metas, attrs
    assert meta is not None
    return [*_left([d for d in range(meta.ndim) if d not in dims or meta.shape[d] != 1]), *passed(metas)]


@localizer(squeeze)
def _squeezed(op: OpDef, attrs: tuple[Any, ...], dynamic: tuple[Any, ...], shards: Shards) -> Local:
    """A dimension that only the shard has one index of stays. A number has none, and the dimension 0 nevertheless."""
    (meta, *_), (dims,) = shards.metas, attrs
    assert meta is not None
    return Local((tuple([d for d in dims if meta.ndim == 0 or meta.shape[d] == 1]),), dynamic)


def unsqueeze(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """Every old dimension may be split."""
    (meta,), (new,) = metas, attrs
    assert meta is not None
    return [*moved((d, d + (d >= new)) for d in range(meta.ndim)), *passed(metas)]


def select(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """The dimensions that stay may be split; of the other one the rank that has the index sends what is there to all."""
    (meta,), (dim, _) = metas, attrs
    assert meta is not None
    found = [*_left([d for d in range(meta.ndim) if d != dim]), *passed(metas)]
    return [*found, SbpSignature((split(dim),), (broadcast,), decomposed=True)] if meta.numel else found


def slice(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """The other dimensions may be split; the sliced one where every rank's slice of its piece is its piece of the slice.

    Otherwise ranks exchange what they have of the slice, and no more.
    """
    (meta,), (dim, start, length, step) = metas, attrs
    assert meta is not None
    found = moved((d, d) for d in range(meta.ndim) if d != dim)
    if length == meta.shape[dim]:
        found += moved([(dim, dim)])
    elif start < step and length * step == meta.shape[dim]:
        found.append(SbpSignature((split(dim),), (split(dim),), even=length))
    if meta.numel and 0 < length < meta.shape[dim]:
        found.append(SbpSignature((split(dim),), (split(dim),), decomposed=True))
    return [*found, *passed(metas)]


@localizer(slice)
def _sliced(op: OpDef, attrs: tuple[Any, ...], dynamic: tuple[Any, ...], shards: Shards) -> Local:
    dim, start, _, step = attrs
    return Local((dim, start, box_shape(shards.outputs[0])[dim], step), dynamic)


def diagonal(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """The dimensions besides the two may be split."""
    (meta,), (_, dim1, dim2) = metas, attrs
    assert meta is not None
    return [*_left([d for d in range(meta.ndim) if d not in (dim1, dim2)]), *passed(metas)]


def unfold(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """The other dimensions may be split; the one with windows where none crosses into another rank's piece."""
    (meta,), (dim, size, step) = metas, attrs
    assert meta is not None
    if meta.ndim == 0:
        return passed(metas)
    found = moved((d, d) for d in range(meta.ndim) if d != dim)
    windows = meta.shape[dim] // step
    if size <= step and windows * step == meta.shape[dim]:
        found.append(SbpSignature((split(dim),), (split(dim),), even=windows))
    return [*found, *passed(metas)]


def as_strided(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """Any elements of the memory, so every rank has all of it."""
    return passed(metas)


def _left(dims: Dims) -> list[SbpSignature]:
    """Of an op that keeps these dimensions of the input, in their order and before all others of its output."""
    return moved((i, j) for j, i in enumerate(dims))


def view_as_real(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """Every dimension of the complex numbers may be split."""
    (meta,) = metas
    assert meta is not None
    return [*moved((d, d) for d in range(meta.ndim)), *passed(metas)]


def view_as_complex(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """Every dimension but that of the pairs may be split, and sums are passed on: complex numbers have no maximum."""
    (meta,) = metas
    assert meta is not None
    return [*moved((d, d) for d in range(meta.ndim - 1)), SbpSignature((partial_sum,), (partial_sum,))]

"""Rules of ops that copy elements elsewhere: contiguous copies, casts, cat, fills, and the gradients of views."""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

from tritonflow.dtypes import DType
from tritonflow.framework.meta import Shape, contiguous_stride
from tritonflow.framework.sbp import Sbp, broadcast, partial_max, partial_min, partial_sum, split
from tritonflow.framework.shards import Cut, box_shape
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.sbp.build import moved, partials, passed
from tritonflow.ops.sbp.signature import Local, Metas, SbpSignature, Shards, localizer


def same(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """The elements of the input, one for one."""
    (meta,) = metas
    assert meta is not None
    return [*moved((d, d) for d in range(meta.ndim)), *passed(metas)]


def flip(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """The dimensions that keep their order may be split; attributes: (dims,)."""
    (meta,), (dims,) = metas, attrs
    assert meta is not None
    return [*moved((d, d) for d in range(meta.ndim) if d not in dims), *passed(metas)]


def cat(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """The other dimensions may be split. Of the joined one ranks exchange what they have: its pieces are no piece of the whole."""
    dim, _ = attrs
    first = metas[0]
    assert first is not None
    found = [SbpSignature((split(d),) * len(metas), (split(d),)) for d in range(first.ndim) if d != dim]
    found += passed(metas)
    return [*found, SbpSignature((split(dim),) * len(metas), (split(dim),), decomposed=True)] if _have_elements(metas) else found


def _have_elements(metas: Metas) -> bool:
    return all(meta is not None and meta.numel for meta in metas)


def cast(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """Every dimension may be split; shares may be cast where the cast of the whole would not differ."""
    (meta,), (dtype,) = metas, attrs
    assert meta is not None
    found = moved((d, d) for d in range(meta.ndim))
    return found + [SbpSignature((p,), (p,)) for p in cast_partials(meta.dtype, dtype)]


def cast_partials(source: DType, target: DType) -> tuple[Sbp, ...]:
    """What partial tensors may be cast share by share: casts to floats keep the order, but a sum is rounded before it is cast."""
    if target is source:
        return partials(source)
    return (partial_max, partial_min) if target.is_floating_point and not target.is_storage else ()


def copy(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """(target, source): the source is broadcast to the target, whose old elements do not matter."""
    target, source = metas
    assert target is not None and source is not None
    found = []
    for dim in range(target.ndim):
        own = dim - target.ndim + source.ndim
        whole = own < 0 or source.shape[own] != target.shape[dim]
        found.append(SbpSignature((split(dim), broadcast if whole else split(own)), (split(dim),)))
    return found + [SbpSignature((p, p), (p,)) for p in cast_partials(source.dtype, target.dtype)]


def fill(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """One number everywhere; of a sum the first rank has it, and the others 0."""
    return same(op, metas, attrs)


@localizer(fill)
def _filled(op: OpDef, attrs: tuple[Any, ...], dynamic: tuple[Any, ...], shards: Shards) -> Local:
    return Local(attrs, dynamic if has_numbers(shards) else zeros(dynamic))


def has_numbers(shards: Shards) -> bool:
    """Whether a rank makes the numbers of an output: of a sum one rank does, of all other tensors every rank."""
    return all(k == 0 for one, k in zip(shards.signature.outputs[0], shards.coordinate) if one is partial_sum)


def zeros(dynamic: tuple[Any, ...]) -> tuple[Any, ...]:
    """Zeros of the same classes."""
    return tuple([value.__class__(0) for value in dynamic])


# ------------------------------------------------------------------------------------------------- gradients of views


class Region(NamedTuple):
    """Where the elements of a region lie in a tensor.

    Attributes:
        start: the index of the first, in each dimension of the tensor.
        steps: for each dimension of the region, how far one step goes in each dimension of the tensor.
    """

    start: Shape
    steps: tuple[Shape, ...]

    def at(self, shape: Shape) -> tuple[Shape, int]:
        """The strides of the region and the elements before it, in a contiguous tensor of this shape."""
        strides = contiguous_stride(shape)
        return tuple([_dot(step, strides) for step in self.steps]), _dot(self.start, strides)


def region_grad(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """A dimension that the region goes through from end to end may be split; of a slice the sliced one, too, by an exchange."""
    (dy,), (shape, *_) = metas, attrs
    assert dy is not None
    found = _region(dy.shape, *attrs)
    dims = [] if found is None else _whole_dims(found, dy.shape, shape)
    cut = slice_of_region(dy.shape, *attrs)
    exchanged = [] if cut is None else [SbpSignature((split(cut.dim),), (split(cut.dim),), decomposed=True)]
    return [*moved(dims), *passed(metas), *exchanged]


@localizer(region_grad)
def _region_of_shard(op: OpDef, attrs: tuple[Any, ...], dynamic: tuple[Any, ...], shards: Shards) -> Local:
    meta = shards.metas[0]
    assert meta is not None
    shape = box_shape(shards.outputs[0])
    if shape == attrs[0]:
        return Local(attrs, dynamic)
    found = _region(meta.shape, *attrs)
    assert found is not None
    return Local((shape, *found.at(shape)), dynamic)


def slice_of_region(sizes: Shape, shape: Shape, strides: Shape, elements: int) -> Cut | None:
    """The slice of one dimension that a region is; None if it is no such slice, or is one index."""
    region = _region(sizes, shape, strides, elements)
    if region is None or len(sizes) != len(shape):
        return None
    dims = [d for d, n in enumerate(shape) if sizes[d] != n]
    if len(dims) != 1 or sizes[dims[0]] == 1:
        return None
    (dim,) = dims
    step = region.steps[dim][dim]
    along = [tuple([(step if k == dim else 1) * (j == k and n > 1) for j in range(len(shape))]) for k, n in enumerate(sizes)]
    if list(region.steps) != along or any(start for d, start in enumerate(region.start) if d != dim):
        return None
    return Cut(dim, shape[dim], region.start[dim], step)


def _region(sizes: Shape, shape: Shape, strides: Shape, elements: int) -> Region | None:
    """The region of these sizes and strides; None where it is no grid within the dimensions of the tensor."""
    if prod(sizes) == 0:
        return None
    start = _digits(elements, shape)
    steps = tuple([_digits(stride, shape) if n > 1 else (0,) * len(shape) for n, stride in zip(sizes, strides)])
    for dim, n in enumerate(shape):
        last = start[dim] + sum((size - 1) * step[dim] for size, step in zip(sizes, steps))
        if last >= n:
            return None
    return Region(start, steps)


def _whole_dims(region: Region, sizes: Shape, shape: Shape) -> list[tuple[int, int]]:
    """Pairs (dimension of the region, dimension of the tensor) that are the same from end to end."""
    found = []
    for dim, n in enumerate(shape):
        through = [k for k, step in enumerate(region.steps) if step[dim]]
        if len(through) == 1:
            (k,) = through
            alone = sum(region.steps[k]) == region.steps[k][dim] == 1
            if alone and sizes[k] == n:
                found.append((k, dim))
    return found


def _digits(elements: int, shape: Shape) -> Shape:
    """How many elements of a contiguous tensor are, as an index."""
    index = []
    for stride in contiguous_stride(shape):
        digit, elements = divmod(elements, stride)
        index.append(digit)
    return tuple(index)


def _dot(index: Shape, strides: Shape) -> int:
    return sum([i * stride for i, stride in zip(index, strides)])

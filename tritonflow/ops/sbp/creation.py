"""Rules of tensors made from nothing, and of what depends on an element's position: a rank makes its piece of the whole.

The attributes of such an op on a shard say which piece; the numbers are those that the whole would have there, bit for bit.
Of a sum the first rank has the numbers and the others have 0; of a maximum or minimum every rank has them.
"""

from __future__ import annotations

from typing import Any

from tritonflow.dtypes import DType
from tritonflow.framework.shards import box_shape
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.sbp.build import made, moved, partials, passed
from tritonflow.ops.sbp.region import has_numbers, zeros
from tritonflow.ops.sbp.signature import Local, Metas, SbpSignature, Shards, localizer


def _anything(ndim: int, dtype: DType) -> list[SbpSignature]:
    return made(ndim) + [SbpSignature((), (p,)) for p in partials(dtype)]


def constant(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """empty and full: attributes: (shape, dtype, device)."""
    return _anything(len(attrs[0]), attrs[1])


@localizer(constant)
def _constant(op: OpDef, attrs: tuple[Any, ...], dynamic: tuple[Any, ...], shards: Shards) -> Local:
    return Local((box_shape(shards.outputs[0]), *attrs[1:]), dynamic if has_numbers(shards) else zeros(dynamic))


def ramp(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """arange and linspace: attributes: (n, dtype, device)."""
    return _anything(1, attrs[1])


@localizer(ramp)
def _ramp(op: OpDef, attrs: tuple[Any, ...], dynamic: tuple[Any, ...], shards: Shards) -> Local:
    n, *rest = attrs
    ((start, stop),) = shards.outputs[0]
    dynamic = dynamic if has_numbers(shards) else zeros(dynamic)
    if stop - start == n:
        return Local(attrs, dynamic)
    return Local((stop - start, *rest, n), dynamic, (start,))


def eye(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """Attributes: (shape, dtype, device)."""
    return _anything(2, attrs[1])


@localizer(eye)
def _eye(op: OpDef, attrs: tuple[Any, ...], dynamic: tuple[Any, ...], shards: Shards) -> Local:
    (rows, columns), *rest = attrs
    box = shards.outputs[0]
    diagonal = box[0][0] - box[1][0] if has_numbers(shards) else rows + columns
    return Local((box_shape(box), *rest, diagonal), dynamic)


def triangle(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """tril and triu: attributes: (diagonal,)."""
    (meta,) = metas
    assert meta is not None
    return [*moved((d, d) for d in range(meta.ndim)), *passed(metas)]


@localizer(triangle)
def _triangle(op: OpDef, attrs: tuple[Any, ...], dynamic: tuple[Any, ...], shards: Shards) -> Local:
    (row, _), (column, _) = shards.outputs[0][-2:]
    return Local((attrs[0] + row - column,), dynamic)


def one_hot(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """The dimensions of the labels may be split."""
    (labels,) = metas
    assert labels is not None
    return moved((d, d) for d in range(labels.ndim))

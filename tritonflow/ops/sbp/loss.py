"""Rules of the losses of class indices: (n, classes, ...) against (n, ...).

Samples are apart. A sum of losses is a sum of pieces' sums. A mean is a ratio of two sums, of losses and of weights, and no mean of
pieces' means: it is put together from those sums. Where classes are split, a decomposition adds up the pieces of a row.
"""

from __future__ import annotations

from typing import Any

from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.sbp import Sbp, broadcast, partial_sum, split
from tritonflow.framework.shards import box_shape
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.sbp.factors import linear
from tritonflow.ops.sbp.signature import Local, Metas, SbpSignature, Shards, localizer


def cross_entropy(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """(input, target, weight) -> (out, largest, log_sum, totals); attributes: (reduction, ...)."""
    return _losses(op, metas, attrs[0])


def chunked_cross_entropy(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """(input, linear_weight, target, linear_bias, weight) -> (out, z_loss, totals, three gradients): rows are apart.

    Attributes: (reduction, ignore_index, smooth, capped, squared, ...). The z-losses of a mean are scaled by numbers of all rows.
    """
    reduction, _, _, _, squared, *wanted = attrs
    if squared and reduction == "mean" and metas[4] is not None:
        return []
    inputs = (split(0), broadcast, split(0), _weight(metas[3]), _weight(metas[4]))
    out = split(0) if reduction == "none" else partial_sum
    grads = _of_wanted(wanted)
    return [SbpSignature(inputs, (out, out if squared else broadcast, broadcast if reduction == "none" else partial_sum, *grads))]


def chunked_cross_entropy_grad(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """(grad, input, linear_weight, target, linear_bias, weight, factor) -> gradients of input, weight and bias."""
    inputs = (split(0), split(0), broadcast, split(0), *map(_weight, metas[4:]))
    return [SbpSignature(inputs, _of_wanted(attrs[4:]))]


def _of_wanted(wanted: Any) -> tuple[Sbp, ...]:
    """Of the gradients of input, weight and bias; those that are not wanted have no elements."""
    found: tuple[Sbp, ...] = (split(0), partial_sum, partial_sum)
    return tuple([one if want else broadcast for one, want in zip(found, wanted)])


def nll_loss(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """(input, target, weight) -> (out, totals), linear in the input unless it is a mean; attributes: (reduction, ...)."""
    return _losses(op, metas, attrs[0])


def cross_entropy_grad(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """(grad, input, target, largest, log_sum, totals, weight) -> dx, linear in grad; attributes: (reduction, ...)."""
    x = _at(metas, 1)
    found = []
    for dim in _samples(x):
        behind = split(_row_dim(dim))
        grad = behind if attrs[0] == "none" else broadcast
        inputs = (grad, split(dim), behind, behind, behind, broadcast, _weight(metas[6]))
        found.append(SbpSignature(inputs, (split(dim),)))
    of_classes = (broadcast, split(1), broadcast, broadcast, broadcast, broadcast, _weight(metas[6]))
    classes = [SbpSignature(of_classes, (split(1),), decomposed=True)] if x.numel else []
    return [*found, *linear([frozenset([0])], metas, 1), *classes]


def nll_loss_grad(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """(grad, target, totals, weight) -> dx, linear in grad; attributes: (shape of dx, reduction, ...)."""
    shape, reduction, _ = attrs
    found = []
    for dim in [d for d in range(len(shape)) if d != 1]:
        behind = split(_row_dim(dim))
        grad = behind if reduction == "none" else broadcast
        found.append(SbpSignature((grad, behind, broadcast, _weight(metas[3])), (split(dim),)))
    return [*found, *linear([frozenset([0])], metas, 1)]


@localizer(nll_loss_grad)
def _shape_of_shard(op: OpDef, attrs: tuple[Any, ...], dynamic: tuple[Any, ...], shards: Shards) -> Local:
    return Local((box_shape(shards.outputs[0]), *attrs[1:]), dynamic)


def _losses(op: OpDef, metas: Metas, reduction: str) -> list[SbpSignature]:
    x = _at(metas, 0)
    found = []
    for dim in _samples(x):
        behind = split(_row_dim(dim))
        inputs = (split(dim), behind, _weight(metas[2]))
        out, totals = (behind, broadcast) if reduction == "none" else (partial_sum, partial_sum)
        rows = (behind,) * (len(op.outputs) - 2)
        found.append(SbpSignature(inputs, (out, *rows, totals), decomposed=reduction == "mean"))
    classes = SbpSignature((split(1), broadcast, _weight(metas[2])), (broadcast,) * len(op.outputs), decomposed=True)
    return [*found, *([classes] if x.numel else [])]


def _samples(x: TensorMeta) -> list[int]:
    """The dimensions of the input that are not its classes."""
    return [d for d in range(x.ndim) if d != 1]


def _row_dim(dim: int) -> int:
    """Which dimension of (n, ...) a dimension of (n, classes, ...) is."""
    return dim if dim == 0 else dim - 1


def _weight(meta: TensorMeta | None) -> Sbp | None:
    return None if meta is None else broadcast


def _at(metas: Metas, position: int) -> TensorMeta:
    meta = metas[position]
    assert meta is not None
    return meta

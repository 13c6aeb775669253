"""Rules of products: matmul, convolutions and their gradients. A summed dimension that is split gives partial sums."""

from __future__ import annotations

from typing import Any

from tritonflow.framework.sbp import split
from tritonflow.framework.shards import box_shape
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.sbp.factors import rule_of
from tritonflow.ops.sbp.signature import Local, Metas, SbpSignature, Shards, localizer


def matmul(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """attributes: (transpose_a, transpose_b)"""
    transpose_a, transpose_b = attrs
    a, b = "k m" if transpose_a else "m k", "n k" if transpose_b else "k n"
    return list(rule_of(f"... {a}, ... {b} -> ... m n | 0, 1")(op, metas, attrs))


_GROUPED = {
    (2, 3): "m! k, g! k n, h! -> m! n | 0, 1",
    (3, 2): "g! m k, k n!, h! -> m n! | 0, 1",
    (2, 2): "m k!, k! n, h! -> h! m n | 0, 1",
}


def grouped_product(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """No piece has the groups, or the dimension that they divide: their ends count in all of it."""
    a, b, _ = metas
    assert a is not None and b is not None
    return list(rule_of(_GROUPED[a.ndim, b.ndim])(op, metas, attrs))


# --------------------------------------------------------------------------------------------------- convolutions

# Factors where there is one group; pixels are not split, as windows overlap.
_ONE_GROUP = {
    "conv2d": "n c h! w!, o c r! s!, +o? -> n o p! q! | 0+2, 1+2",
    "conv_data_grad": "n o p! q!, o c r! s! -> n c h! w! | 0, 1",
    "conv_transpose_biased": "n o p! q!, o c r! s!, +c -> n c h! w! | 0+2, 1+2",
    "conv_filter_grad": "n o p! q!, n c h! w! -> o c r! s! | 0, 1",
}
# Which dimensions of inputs and outputs have the groups, where there are several.
_GROUPS = {
    "conv2d": ((1, 0, 0), 1),
    "conv_data_grad": ((1, 0), 1),
    "conv_transpose_biased": ((1, 0, 0), 1),
    "conv_filter_grad": ((1, 1), 0),
}


def conv(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """conv2d and its gradients; the last attribute is the number of groups, the gradients' first one the shape of the result."""
    groups = attrs[-1]
    if groups == 1:
        return list(rule_of(_ONE_GROUP[op.name])(op, metas, attrs))
    together = _ONE_GROUP[op.name].replace("o c", "o! c!")
    dims, result = _GROUPS[op.name]
    by_group = tuple([None if m is None else split(d) for m, d in zip(metas, dims)])
    return [*rule_of(together)(op, metas, attrs), SbpSignature(by_group, (split(result),), even=groups)]


@localizer(conv)
def _local_conv(op: OpDef, attrs: tuple[Any, ...], dynamic: tuple[Any, ...], shards: Shards) -> Local:
    """The shape and the groups of a shard: as many groups as it has output channels for."""
    shape = () if op.name == "conv2d" else (box_shape(shards.outputs[0]),)
    rest = attrs[len(shape) : -1]
    return Local((*shape, *rest, _local_groups(op, attrs, shards)), dynamic)


def _local_groups(op: OpDef, attrs: tuple[Any, ...], shards: Shards) -> int:
    groups: int = attrs[-1]
    if groups == 1:
        return 1
    position = _GROUPS[op.name][0][0]
    meta, box = shards.metas[0], shards.inputs[0]
    assert meta is not None and box is not None
    start, stop = box[position]
    return (stop - start) * groups // meta.shape[position]



"""Rules of pools: images and channels may be split; windows overlap, so pixels are not."""

from __future__ import annotations

from typing import Any

from tritonflow.framework.shards import box_shape
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.sbp.factors import rule_of
from tritonflow.ops.sbp.signature import Local, Metas, SbpSignature, Shards, localizer


def gradient(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """The gradients of pools, of (grad) or of (grad, positions in a plane); attributes: (shape of the result, ...)."""
    inputs = ", ".join(["... h! w!"] * len(metas))
    return list(rule_of(f"{inputs} -> ... p! q! | 0")(op, metas, attrs))


@localizer(gradient)
def _shape_of_shard(op: OpDef, attrs: tuple[Any, ...], dynamic: tuple[Any, ...], shards: Shards) -> Local:
    return Local((box_shape(shards.outputs[0]), *attrs[1:]), dynamic)

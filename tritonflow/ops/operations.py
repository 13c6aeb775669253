"""How many floating-point operations an op takes, by the registry's formulas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow.framework.meta import TensorMeta
from tritonflow.ops.flops import FLOPS
from tritonflow.ops.op_def import OpDef


def operations(op: OpDef, inputs: Sequence[TensorMeta | None], outputs: Sequence[TensorMeta], attrs: tuple[Any, ...]) -> int:
    """Of an op on tensors of these metas: a pointwise op takes one for each element of its result, whatever its function."""
    formula = FLOPS.get(op.name)
    if formula is None:
        return outputs[0].numel if op.kind == "pointwise" else 0
    return formula(inputs, outputs, attrs)

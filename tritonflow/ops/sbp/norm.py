"""Rules of normalisations: rows, or channels, are apart; where one is split, a decomposition adds up its pieces."""

from __future__ import annotations

from typing import Any

from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.sbp import Sbp, broadcast, partial_sum, split
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.sbp.factors import linear, rule_of
from tritonflow.ops.sbp.signature import Metas, SbpSignature

# ---------------------------------------------------------------------------------------------------- layer norm


def layer_norm(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """(input, weight, bias) -> (y, mean, rstd); attributes: (number of normalised dimensions, center)."""
    x = _at(metas, 0)
    rows, columns = _rows(x, attrs[0]), _columns(x, attrs[0])
    whole = [_inputs(metas, {0: split(d)}) for d in rows]
    found = [SbpSignature(inputs, (split(d),) * 3) for d, inputs in zip(rows, whole)]
    return [*found, *[_decomposed(op, metas, {0: d, **_parameters(metas, (1, 2), d, columns)}) for d in columns if x.numel]]


def add_layer_norm(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """(x, residual, weight, bias) -> (y, sum, mean, rstd); attributes: (number of normalised dimensions, center)."""
    x = _at(metas, 0)
    rows, columns = _rows(x, attrs[0]), _columns(x, attrs[0])
    found = [SbpSignature(_inputs(metas, {0: split(d), 1: split(d)}), (split(d),) * 4) for d in rows]
    return [*found, *[_decomposed(op, metas, {0: d, 1: d, **_parameters(metas, (2, 3), d, columns)}) for d in columns if x.numel]]


def add_layer_norm_grad(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """(grad, x, mean, rstd, weight, added) -> dx; attributes: (number of normalised dimensions, center)."""
    x = _at(metas, 1)
    found = [SbpSignature(_inputs(metas, dict.fromkeys((0, 1, 2, 3, 5), split(d))), (split(d),)) for d in _rows(x, attrs[0])]
    return [*found, *linear([frozenset([0, 5])], metas, 1)]


def layer_norm_grad(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """(grad, x, mean, rstd, weight) -> dx; attributes: (number of normalised dimensions, center)."""
    x = _at(metas, 1)
    rows, columns = _rows(x, attrs[0]), _columns(x, attrs[0])
    found = [SbpSignature(_inputs(metas, dict.fromkeys(range(4), split(d))), (split(d),)) for d in rows]
    cut = [_decomposed(op, metas, {0: d, 1: d, **_parameters(metas, (4,), d, columns)}) for d in columns if x.numel]
    return [*found, *linear([frozenset([0])], metas, 1), *cut]


def layer_norm_param_grad(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """(grad, x, mean, rstd) -> (dweight, dbias), sums over rows; attributes: (number of normalised dimensions, dtype)."""
    x = _at(metas, 1)
    rows, columns = _rows(x, attrs[0]), _columns(x, attrs[0])
    found = [SbpSignature((split(d),) * 4, (partial_sum,) * 2) for d in rows]
    of_columns = [
        SbpSignature((split(d), split(d), broadcast, broadcast), (split(d - columns.start),) * 2) for d in columns
    ]
    return [*found, *of_columns, *linear([frozenset([0])], metas, 2)]


def _rows(x: TensorMeta, dims: int) -> range:
    return range(x.ndim - dims)


def _columns(x: TensorMeta, dims: int) -> range:
    return range(x.ndim - dims, x.ndim)


def _parameters(metas: Metas, positions: tuple[int, ...], dim: int, columns: range) -> dict[int, int]:
    """By which dimension parameters of the shape of a row are split."""
    return {k: dim - columns.start for k in positions if metas[k] is not None}


# ---------------------------------------------------------------------------------------------------- batch norm


def batch_norm(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """(input, weight, bias, running mean, running variance) -> (y, mean, rstd), with the statistics of the batch."""
    found = rule_of("n! c ...!, c?, c?, c?, c? -> n! c ...!, c, c")(op, metas, attrs)
    return [*found, *_over_batch(op, metas, (0,))]


def batch_norm_eval(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """(input, weight, bias, running mean, running variance) -> (y, rstd)."""
    found = rule_of("n! c ...!, c?, c?, c, c -> n! c ...!, c")(op, metas, attrs)
    return [*found, *[SbpSignature(_inputs(metas, {0: split(d)}), (split(d), broadcast)) for d in _batch(_at(metas, 0))]]


def batch_norm_statistics(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """(input, running mean, running variance) -> (mean, rstd)."""
    return [*rule_of("n! c ...!, c?, c? -> c, c")(op, metas, attrs), *_over_batch(op, metas, (0,))]


def batch_norm_grad(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """(grad, x, mean, rstd, weight) -> (dx, dweight, dbias); attributes: (training,)."""
    (training,) = attrs
    found = rule_of("n! c ...!, n! c ...!, c, c, c? -> n! c ...!, c, c | 0")(op, metas, attrs)
    if training:
        return [*found, *_over_batch(op, metas, (0, 1))]
    sums = (partial_sum, partial_sum)
    apart = [SbpSignature(_inputs(metas, {0: split(d), 1: split(d)}), (split(d), *sums)) for d in _batch(_at(metas, 1))]
    return [*found, *apart]


def _batch(x: TensorMeta) -> list[int]:
    """The dimensions over which statistics are taken."""
    return [d for d in range(x.ndim) if d != 1]


def _over_batch(op: OpDef, metas: Metas, positions: tuple[int, ...]) -> list[SbpSignature]:
    """The batch split, in all inputs that have one: statistics are those of all pieces, as of the whole."""
    x = _at(metas, positions[0])
    return [_decomposed(op, metas, dict.fromkeys(positions, d)) for d in _batch(x) if x.numel]


# ---------------------------------------------------------------------------------------------------- parts


def _at(metas: Metas, position: int) -> TensorMeta:
    meta = metas[position]
    assert meta is not None
    return meta


def _inputs(metas: Metas, sbp: dict[int, Sbp]) -> tuple[Sbp | None, ...]:
    """The sbp of some inputs by position; the others are broadcast."""
    return tuple([None if m is None else sbp.get(k, broadcast) for k, m in enumerate(metas)])


def _decomposed(op: OpDef, metas: Metas, dims: dict[int, int]) -> SbpSignature:
    inputs = _inputs(metas, {k: split(d) for k, d in dims.items()})
    return SbpSignature(inputs, (broadcast,) * len(op.outputs), decomposed=True)

"""The rule simulator: an op's signatures, tried out in one process without ranks.

For a recorded call of an op and one of its signatures over a mesh, `check` cuts the logical inputs into shards. It runs the
localized op on the shards of each coordinate, joins the results and compares them with those of the whole op.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce
from itertools import product
from typing import Any

import numpy
import torch

import tritonflow as flow
from tritonflow.execution import eager_local, found_views
from tritonflow.execution.context import OpContext
from tritonflow.execution.op_expr import OpExpr
from tritonflow.framework.meta import TensorMeta, contiguous_meta
from tritonflow.framework.sbp import NdSbp, nd_text
from tritonflow.framework.shards import Box, Shape, box_of, box_shape, share_of
from tritonflow.functions import creation
from tritonflow.ops.sbp.signature import Local, NdSignature, Shards, localize, nd_signatures
from tritonflow.testing import TOLERANCES, Reference, assert_close

HALVES = (torch.float16, torch.bfloat16)
Arrays = list["torch.Tensor | None"]
ROADS = (  # the short ones, which no call of `apply` sees
    *((eager_local, name) for name in ("apply1", "apply2", "apply3", "apply_number", "apply_found")),
    *((found_views, name) for name in ("view1", "split1")), (creation, "dispatch_new"),
)  # fmt: skip
OWN_ROUNDINGS = 8  # of a share, by the op that makes it


@dataclass
class OpCall:
    """One call of an op: what it was given, as torch tensors in row-major order.

    `updates` says that the op writes some elements of its first input, in place.
    """

    op: OpExpr
    inputs: Arrays
    attrs: tuple[Any, ...]
    dynamic: tuple[Any, ...]
    updates: bool = False

    @property
    def key(self) -> Any:
        """Equal for calls that the same signatures and local ops are for."""
        shapes = tuple([None if x is None else (x.shape, x.dtype) for x in self.inputs])
        return self.op.name, shapes, self.attrs, tuple(map(type, self.dynamic)), self.updates

    @property
    def metas(self) -> tuple[TensorMeta | None, ...]:
        """The logical metas of the inputs."""
        return tuple([None if x is None else _meta_of(x) for x in self.inputs])

    def __str__(self) -> str:
        inputs = ["None" if x is None else f"{str(x.dtype).removeprefix('torch.')}{list(x.shape)}" for x in self.inputs]
        return f"{self.op.name}({', '.join(inputs)}; {self.attrs}, {self.dynamic})"


@contextmanager
def recorded(calls: list[OpCall]) -> Iterator[None]:
    """Add every call of an op that succeeds to `calls`; the fast paths of the eager interpreter are closed."""
    whole, view = eager_local.apply, eager_local.apply_view
    closed = [(module, name, getattr(module, name)) for module, name in ROADS]

    def apply(op: OpExpr, inputs: tuple[Any, ...], context: OpContext) -> Any:
        given = [None if x is None else _array(x) for x in inputs]
        result = whole(op, inputs, context)
        calls.append(OpCall(op, given, context.attrs, context.dynamic, op.updates and context.out is not None))
        return result

    def apply_view(op: OpExpr, x: Any, context: OpContext) -> Any:
        given = _array(x)
        result = view(op, x, context)
        calls.append(OpCall(op, [given], context.attrs, ()))
        return result

    eager_local.apply, eager_local.apply_view = apply, apply_view
    for module, name, _ in closed:
        setattr(module, name, lambda *_: None)
    try:
        yield
    finally:
        eager_local.apply, eager_local.apply_view = whole, view
        for module, name, function in closed:
            setattr(module, name, function)


def record(function: Callable[[], Any]) -> list[OpCall]:
    """The calls of ops that `function` makes, one of each key."""
    calls: list[OpCall] = []
    with recorded(calls):
        function()
    return list({call.key: call for call in calls}.values())


def check(call: OpCall, mesh: Shape, rng: numpy.random.Generator) -> int:
    """Try out every signature of a call over a mesh; how many there are that run the op itself.

    Raises:
        AssertionError: a signature is wrong; names it, and the coordinate.
    """
    whole = results_of(call, call.inputs, call.attrs, call.dynamic)
    tried, runs = 0, Runs(call)
    signatures = nd_signatures(call.op.definition, call.metas, call.attrs, mesh)
    _check_order(signatures)
    for signature in signatures:
        if not signature.decomposed and not (call.updates and signature.inputs[0] != signature.outputs[0]):
            _check_signature(runs, signature, mesh, whole, rng)
            tried += 1
    return tried


def _check_order(signatures: list[NdSignature]) -> None:
    """Tensors that every rank has make tensors that every rank has: anything else would have to be gathered again."""
    for signature in signatures:
        if any(s is not None for s in signature.inputs) and _is_whole(signature.inputs):
            assert _is_whole(signature.outputs), f"{text_of(signature)} comes before the one with broadcast only"
            return


def _is_whole(side: tuple[NdSbp | None, ...]) -> bool:
    return all(one.is_broadcast for sbp in side for one in sbp or ())


class Runs:
    """What the op gives on pieces of the inputs of a call. Ranks and signatures with the same pieces share a run."""

    def __init__(self, call: OpCall) -> None:
        self.call = call
        self._found: dict[Any, tuple[list[torch.Tensor], Arrays]] = {}

    def of(self, tensors: Arrays, boxes: tuple[Box | None, ...], local: Local) -> list[torch.Tensor]:
        """The results for the pieces in these boxes of tensors: an input, or a share of one."""
        scalars = (*local.dynamic, *local.more)
        key = (tuple(map(id, tensors)), boxes, local.attrs, repr(scalars))
        if key not in self._found:
            pieces = [None if x is None else cut(x, box) for x, box in zip(tensors, boxes)]
            self._found[key] = results_of(self.call, pieces, local.attrs, scalars), tensors  # held, so that ids stay theirs
        return self._found[key][0]


def _check_signature(runs: Runs, signature: NdSignature, mesh: Shape, whole: list[torch.Tensor], rng: numpy.random.Generator) -> None:
    call = runs.call
    where = f"{call} over {mesh}: {text_of(signature)}"
    assert len(signature.inputs) == len(call.inputs), f"{where}: {len(call.inputs)} inputs"
    laid_out = [*signature.outputs, *[signature.inputs[k] for k in call.op.written(tuple(call.inputs), call.attrs)]]
    assert len(laid_out) == len(whole), f"{where}: {len(whole)} outputs"
    shares = [None if x is None else partial_shares(x, mesh, _sbp(s), rng) for x, s in zip(call.inputs, signature.inputs)]
    found: dict[tuple[int, ...], list[torch.Tensor]] = {}
    for coordinate in product(*map(range, mesh)):
        boxes = [
            None if x is None else box_of(tuple(x.shape), mesh, _sbp(s), coordinate) for x, s in zip(call.inputs, signature.inputs)
        ]
        outputs = [box_of(tuple(y.shape), mesh, _sbp(s), coordinate) for y, s in zip(whole, laid_out)]
        shards = Shards(call.metas, tuple(boxes), tuple(outputs[: len(signature.outputs)]), signature, coordinate)
        try:
            local = localize(call.op.definition, call.attrs, call.dynamic, shards)
            results = runs.of([None if share is None else share[coordinate] for share in shares], tuple(boxes), local)
        except Exception as error:
            raise AssertionError(f"{where}: coordinate {coordinate}: {type(error).__name__}: {error}") from error
        for number, (y, box) in enumerate(zip(results, outputs)):
            expected = box_shape(box)
            assert tuple(y.shape) == expected, f"{where}: coordinate {coordinate}: output {number} is {tuple(y.shape)}, not {expected}"
        found[coordinate] = results
    for number, (y, sbp) in enumerate(zip(whole, laid_out)):
        pieces_of_output = {c: results[number] for c, results in found.items()}
        try:
            joined = join(y, pieces_of_output, mesh, _sbp(sbp))
        except AssertionError as error:
            raise AssertionError(f"{where}: output {number}: {error}") from None
        compare(call, signature, y, joined, f"{where}: output {number}", _rounded(y, pieces_of_output, mesh, _sbp(sbp)))


def _rounded(y: torch.Tensor, pieces: dict[tuple[int, ...], torch.Tensor], mesh: Shape, sbp: NdSbp) -> numpy.ndarray | float:
    """By how much a sum of shares may differ: shares of both signs are rounded, and so is each of their sums."""
    shares = math.prod([count for one, count in zip(sbp, mesh) if one.op == "sum"])
    if shares == 1 or not (y.is_floating_point() or y.is_complex()):
        return 0.0
    sizes = join(y, {c: piece.abs() for c, piece in pieces.items()}, mesh, sbp)
    return numpy.nan_to_num(sizes.abs().double().numpy(), posinf=0.0) * (shares + OWN_ROUNDINGS) * torch.finfo(y.dtype).eps


def _sbp(sbp: NdSbp | None) -> NdSbp:
    assert sbp is not None, "a tensor that is there has no sbp"
    return sbp


def text_of(signature: NdSignature) -> str:
    """(S0, B) -> (S0)"""
    inputs, outputs = [["-" if s is None else nd_text(s) for s in side] for side in (signature.inputs, signature.outputs)]
    return f"({', '.join(inputs)}) -> ({', '.join(outputs)})"


# ------------------------------------------------------------------------------------------- running ops on arrays


def results_of(call: OpCall, inputs: Any, attrs: tuple[Any, ...], dynamic: tuple[Any, ...]) -> list[torch.Tensor]:
    """The outputs of the op, and behind them the inputs that it writes."""
    tensors = tuple([None if x is None else flow.from_torch(x.clone()) for x in inputs])
    if call.op.is_view:
        return [_array(eager_local.apply_view(call.op, tensors[0], OpContext(attrs)))]  # type: ignore[arg-type]
    out = flow.from_torch(inputs[0].clone()) if call.updates else None
    results = eager_local.apply(call.op, tensors, OpContext(attrs, dynamic, out))
    outputs = [results] if call.op.single_output else list(results)
    return [_array(y) for y in [*outputs, *[tensors[k] for k in call.op.written(tensors, attrs)]]]


def _array(x: Any) -> torch.Tensor:
    return flow.to_torch(x.detach()).clone(memory_format=torch.contiguous_format)


def _meta_of(x: torch.Tensor) -> TensorMeta:
    return contiguous_meta(tuple(x.shape), flow.from_torch(x).meta.dtype, flow.device("cpu"))


# -------------------------------------------------------------------------------------------------- cutting, joining


def cut(x: torch.Tensor, box: Box | None) -> torch.Tensor:
    """The piece of a logical tensor in a box."""
    assert box is not None
    return x[tuple([slice(*each) for each in box])].contiguous()


def partial_shares(x: torch.Tensor, mesh: Shape, sbp: NdSbp, rng: numpy.random.Generator) -> dict[tuple[int, ...], torch.Tensor]:
    """For each coordinate the whole tensor, or its share of it where a mesh dimension is partial."""
    shares: dict[tuple[int, ...], torch.Tensor] = {(): x}  # by the position along each partial mesh dimension
    for one, count in zip(sbp, mesh):
        if one.op is not None:
            pieces = {c: _random_shares(value, one.op, count, rng) for c, value in shares.items()}
            shares = {(*c, k): piece for c, own in pieces.items() for k, piece in enumerate(own)}
    return {c: shares[share_of(sbp, mesh, c)] for c in product(*map(range, mesh))}


def _random_shares(x: torch.Tensor, op: str, count: int, rng: numpy.random.Generator) -> list[torch.Tensor]:
    """`count` tensors whose sum, maximum or minimum is x."""

    def noise() -> torch.Tensor:
        return torch.from_numpy(numpy.asarray(rng.integers(0, 16, tuple(x.shape)))).to(x.dtype)

    holder = torch.from_numpy(numpy.asarray(rng.integers(0, count, tuple(x.shape))))
    if op == "sum" and x.dtype in HALVES:  # products of larger shares would round by these, not by x
        return [torch.where(holder == k, x, torch.zeros_like(x)) for k in range(count)]
    if op == "sum":
        assert x.dtype != torch.bool, "partial sums of truth values"
        moderate = torch.ones_like(x, dtype=torch.bool)
        if x.dtype.is_floating_point:  # beside a share of 1 a tiny number would be rounded away, and 1 beside a huge one
            moderate = (x == 0) | (x.abs() > 2.0**-20) & (x.abs() < 2.0**20)
        others = [(noise() - noise()) * moderate for _ in range(count - 1)]
        return [x - sum(others, torch.zeros_like(x)), *others]
    return [torch.where(holder == k, x, _further(x, op, noise())) for k in range(count)]


def _further(x: torch.Tensor, op: str, noise: torch.Tensor) -> torch.Tensor:
    """Values that change nothing of the maximum, or minimum, with x."""
    if x.dtype == torch.bool:
        return x & noise if op == "max" else x | noise
    moved = x - noise if op == "max" else x + noise
    wrapped = moved > x if op == "max" else moved < x
    return torch.where(wrapped, x, moved)


def join(y: torch.Tensor, pieces: dict[tuple[int, ...], torch.Tensor], mesh: Shape, sbp: NdSbp) -> torch.Tensor:
    """The logical tensor, of the shape and dtype of `y`, whose shards are `pieces`.

    Raises:
        AssertionError: shards that should hold the same bits do not.
    """
    result = torch.empty_like(y)
    split = [k for k, one in enumerate(sbp) if one.is_split]
    for corner in product(*[range(mesh[k]) for k in split]):
        chosen = {c: p for c, p in pieces.items() if tuple([c[k] for k in split]) == corner}
        box = box_of(tuple(y.shape), mesh, sbp, next(iter(chosen)))
        result[tuple([slice(*each) for each in box])] = _joined(chosen, sbp, 0)
    return result


def _joined(pieces: dict[tuple[int, ...], torch.Tensor], sbp: NdSbp, axis: int) -> torch.Tensor:
    """What shards of one box make: copies are compared, shares are combined in the order of their coordinates."""
    if axis == len(sbp):
        (piece,) = pieces.values()
        return piece
    numbers = sorted({c[axis] for c in pieces})
    values = [_joined({c: p for c, p in pieces.items() if c[axis] == k}, sbp, axis + 1) for k in numbers]
    if sbp[axis].op is None:
        for value in values[1:]:
            assert torch.equal(_bits(value), _bits(values[0])), f"copies along mesh dimension {axis} differ"
        return values[0]
    combine = {"sum": torch.add, "max": torch.maximum, "min": torch.minimum}[sbp[axis].op]
    return reduce(combine, values)


def _bits(x: torch.Tensor) -> torch.Tensor:
    return x.contiguous().view(torch.uint8) if x.ndim else x.reshape(1).view(torch.uint8)


def compare(
    call: OpCall, signature: NdSignature, expected: torch.Tensor, actual: torch.Tensor, where: str, slack: numpy.ndarray | float = 0.0
) -> None:
    """Within the tolerance of the op; that of sums, where shares are added. `slack`: by how much roundings of shares move it.

    What overflows, or nearly does, may be NaN or infinite: shares have both signs, and are larger than their sum.
    """
    partial = any(one.is_partial for sbp in (*signature.inputs, *signature.outputs) for one in sbp or ())
    if partial and expected.is_floating_point():
        overflowed = ~(expected.abs() < torch.finfo(expected.dtype).max / 2**20) & ~actual.isfinite()
        expected, actual = torch.where(overflowed, 0, expected), torch.where(overflowed, 0, actual)
    wanted: Any = expected
    if numpy.any(slack):
        wide = torch.complex128 if expected.is_complex() else torch.float64
        wanted = Reference(expected.to(wide).numpy(), str(expected.dtype).removeprefix("torch."), slack)
    op_class = max(call.op.definition.tolerance, "reduction" if partial else "exact", key=list(TOLERANCES).index)
    assert_close(actual, wanted, op_class=op_class, equal_nan=True, msg=lambda text: f"{where}\n{text}")

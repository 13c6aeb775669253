"""tt.dot_scaled: operands in microscaling formats are decoded to f32, scaled and multiplied."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tritonflow.triton_cpu.errors import UnsupportedError
from tritonflow.triton_cpu.ir import Op, Value
from tritonflow.triton_cpu.types import FP8, Type

from . import convert, fp8, memory
from .lanes import Index, LaneBuilder, Lanes, uniform
from .lowering import Lowering
from .memory import StackBuffer
from .roots import RULES, lowers

_BODY = re.compile(r"(\S+?)( scale \S+?)?, (\S+?)( scale \S+?)?, (\S+) lhs = (\w+) rhs = (\w+)$")
_FORMATS = {"e2m1": "i8", "e4m3": "f8E4M3FN", "e5m2": "f8E5M2", "bf16": "bf16", "fp16": "f16"}


@dataclass(frozen=True, slots=True)
class _Operand:
    """One side.

    `k` is the dimension summed over. Two e2m1 numbers share a byte along `packed`, if any.
    """

    value: Value
    scale: Value | None  # [..., other dimension, k / group]
    k: int
    packed: int | None

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(2 * n if d == self.packed else n for d, n in enumerate(self.value.type.dims))

    @property
    def group(self) -> int:
        """Neighbours along k that share a scale."""
        assert self.scale is not None
        return self.shape[self.k] // self.scale.type.dims[-1]


@lowers("tt.dot_scaled")
def _dot_scaled(low: Lowering, op: Op) -> None:
    match = _BODY.match(op.attrs["body"])
    if match is None:
        raise UnsupportedError("a layout of tt.dot_scaled")
    operands = iter(op.operands)
    sides = []
    for name, scaled, format_ in (("lhs", match.group(2), match.group(6)), ("rhs", match.group(4), match.group(7))):
        value, scale = next(operands), next(operands) if scaled else None
        sides.append(_side(op, name, value, scale, format_))
    product = Op("tt.dot", op.block, op.line, op.text, source=op.source)
    product.operands = [*(_decoded(low, side, op) for side in sides), next(operands)]
    product.results = op.results
    RULES["tt.dot"](low, product)


def _side(op: Op, name: str, value: Value, scale: Value | None, format_: str) -> _Operand:
    if _FORMATS.get(format_) != value.type.elem:
        raise UnsupportedError(f"the format {format_} of {value.type.elem}")
    rank = len(value.type.dims)
    k, other = (rank - 1, rank - 2) if name == "lhs" else (rank - 2, rank - 1)
    if format_ != "e2m1":
        return _Operand(value, scale, k, None)
    along_k = op.attrs.get(f"{name}_k_pack", "true") == "true"
    return _Operand(value, scale, k, k if along_k else other)


def _decoded(low: Lowering, side: _Operand, op: Op) -> Value:
    """The operand in f32, scaled, in a buffer."""
    lb, shape = low.lb, side.value.type.dims
    result = Value("decoded", Type(side.shape, "f32"), op.block)
    buffer = low.values.buffers[result] = low.new_buffer(result.type)
    scales = low.buffer_of(side.scale) if side.scale is not None else None
    pending = low.prepare([side.value], shape)

    def put(index: Index, number: Lanes, width: int) -> None:
        if scales is not None:
            factor = _scale(lb, scales, side, index, width)
            number = lb.op("fmul", [number, factor], "f32", width)
        memory.write_buffer(lb, buffer, index, number, width)

    def body(index: Index, width: int) -> None:
        value = low.lazy.eval(side.value, index, width)
        if side.packed is None:
            put(index, convert.as_compute(lb, value, width), width)
            return
        code, packed = lb.cast("zext", value, "i32", width), side.packed
        for half in range(2):
            at = lb.add(lb.mul(index[packed], uniform("i32", 2), "i32", width), uniform("i32", half), "i32", width)
            nibble = lb.op("lshr", [code, uniform("i32", 4 * half)], "i32", width)
            put((*index[:packed], at, *index[packed + 1 :]), fp8.widen_e2m1(lb, nibble, width), width)

    low.loops.run([side.value], shape, body, pending)
    return result


def _scale(lb: LaneBuilder, scales: StackBuffer, side: _Operand, index: Index, width: int) -> Lanes:
    """A power of two as its biased exponent (e8m0), 255 for NaN; or an fp8 number."""
    group = lb.op("lshr", [index[side.k], uniform("i32", side.group.bit_length() - 1)], "i32", width)
    rest = [i for d, i in enumerate(index) if d != side.k]
    scale = memory.read_buffer(lb, scales, (*rest, group), width)
    if scale.elem in FP8:
        return convert.widen(lb, scale, width)
    exponent = lb.cast("zext", scale, "i32", width)
    bits = lb.op("shl", [exponent, uniform("i32", 23)], "i32", width)
    # The smallest, 2**-127, is a denormal number.
    bits = lb.intrinsic("umax", [bits, uniform("i32", 0x00400000)], "i32", width)
    nan = lb.op("icmp eq", [exponent, uniform("i32", 255)], "i1", width)
    return lb.bitcast(lb.select(nan, uniform("i32", 0x7FC00000), bits, "i32", width), "f32", width)

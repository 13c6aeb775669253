"""TTIR types, and how each element type is held in LLVM IR.

Half types live in LLVM as `i16` and fp8 types as `i8`: conversions are explicit (see `lower/convert.py`), so nothing
depends on how well a target legalises `half` and `bfloat`. Pointers are opaque, predicates are `i1` in registers and
one byte in memory.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from math import prod

FLOAT_BITS = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}
FP8_TYPES = ("f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f8E5M2FNUZ", "f8E4M3B11FNUZ")
INT_BITS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64}
_LLVM = {"f16": "i16", "bf16": "i16", "f32": "float", "f64": "double", **{name: "i8" for name in FP8_TYPES}}
_POINTER = re.compile(r"!tt\.ptr<(.*?)(?:, (?:\d+|\"[^\"]*\"))?>$")


@dataclass(frozen=True, slots=True)
class Type:
    """`shape` is None for scalars; `elem` is the MLIR spelling of the element type."""

    shape: tuple[int, ...] | None
    elem: str

    @property
    def is_tensor(self) -> bool:
        return self.shape is not None

    @property
    def dims(self) -> tuple[int, ...]:
        return self.shape or ()

    @property
    def size(self) -> int:
        return prod(self.dims)

    def __str__(self) -> str:
        return "x".join(map(str, self.dims)) + ("x" if self.dims else "") + self.elem


def is_pointer(elem: str) -> bool:
    return elem.startswith("!tt.ptr")


def pointee(elem: str) -> str:
    match = _POINTER.match(elem)
    if match is None:
        raise ValueError(f"{elem} is not a pointer")
    return match.group(1)


def pointer_to(elem: str) -> str:
    return f"!tt.ptr<{elem}>"


def is_float(elem: str) -> bool:
    return elem in FLOAT_BITS


def is_half(elem: str) -> bool:
    return elem in ("f16", "bf16")


def is_int(elem: str) -> bool:
    return elem in INT_BITS


def is_known(elem: str) -> bool:
    return is_float(elem) or is_int(elem) or elem in FP8_TYPES or (is_pointer(elem) and is_known(pointee(elem)))


def llvm_type(elem: str) -> str:
    return "ptr" if is_pointer(elem) else _LLVM.get(elem, elem)


def size_of(elem: str) -> int:
    """Bytes of one element in memory."""
    if is_pointer(elem):
        return 8
    if elem in FP8_TYPES:
        return 1
    return max(1, (FLOAT_BITS.get(elem) or INT_BITS[elem]) // 8)


def bits_of(elem: str) -> int:
    return FLOAT_BITS.get(elem) or INT_BITS.get(elem) or size_of(elem) * 8


def float_literal(elem: str, value: float) -> str:
    """`value` rounded to `elem`, as an LLVM constant."""
    if elem == "f64":
        return _hex_double(value)
    if elem == "f32":
        return _hex_double(_round_f32(value))
    if elem == "f16":
        return str(struct.unpack("<H", _pack_half(value))[0])
    if elem == "bf16":
        return str(_bf16_bits(value))
    raise ValueError(f"{elem} is not a float type")


def literal(elem: str, text: str) -> str:
    """An MLIR literal as an LLVM constant: `1.0`, `0x7F800000`, `-3`, `true`."""
    if is_pointer(elem):
        return "null"
    if not is_float(elem):
        return {"true": "1", "false": "0"}.get(text, text)
    if not text.startswith("0x"):
        return float_literal(elem, float(text))
    bits = int(text, 16)
    if is_half(elem):
        return str(bits)
    if elem == "f64":
        return f"0x{bits:016X}"
    return _hex_double(struct.unpack("<f", struct.pack("<I", bits))[0])


def zero(elem: str) -> str:
    if is_pointer(elem):
        return "null"
    return "0.0" if llvm_type(elem) in ("float", "double") else "0"


def _hex_double(value: float) -> str:
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


def _round_f32(value: float) -> float:
    try:
        return float(struct.unpack("<f", struct.pack("<f", value))[0])
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def _pack_half(value: float) -> bytes:
    try:
        return struct.pack("<e", value)
    except OverflowError:
        return struct.pack("<e", float("inf") if value > 0 else float("-inf"))


def _bf16_bits(value: float) -> int:
    bits: int = struct.unpack("<I", struct.pack("<f", _round_f32(value)))[0]
    if value != value:
        return (bits >> 16) | 0x40
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16) & 0xFFFF

"""TTIR types, and how each element type is held in LLVM IR.

Halves are `i16` in LLVM and fp8 types `i8`. Conversions are explicit (`lower/convert.py`), so
nothing depends on how well a target legalises `half` and `bfloat`. Pointers are opaque. Predicates
are `i1` in registers and one byte in memory.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from math import prod


@dataclass(frozen=True, slots=True)
class Fp8:
    """A format of 8 bits.

    Without a sign of zero ("FNUZ"), 0x80 is the only NaN and there are no infinities.
    """

    mantissa: int  # bits
    bias: int
    largest: int  # the code of the largest finite number
    nan: int
    signed_zero: bool = True

    @property
    def has_infinity(self) -> bool:
        return self.largest < 0x7E


FP8 = {
    "f8E4M3FN": Fp8(3, 7, 0x7E, 0x7F),
    "f8E5M2": Fp8(2, 15, 0x7B, 0x7F),
    "f8E4M3FNUZ": Fp8(3, 8, 0x7F, 0x80, signed_zero=False),
    "f8E5M2FNUZ": Fp8(2, 16, 0x7F, 0x80, signed_zero=False),
}
FLOAT_BITS = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64, **dict.fromkeys(FP8, 8)}
INT_BITS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64}
_LLVM = {"f16": "i16", "bf16": "i16", "f32": "float", "f64": "double", **dict.fromkeys(FP8, "i8")}
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


def is_small(elem: str) -> bool:
    """Float types that are computed in f32: halves and fp8."""
    return is_half(elem) or elem in FP8


def is_int(elem: str) -> bool:
    return elem in INT_BITS


def is_known(elem: str) -> bool:
    return is_float(elem) or is_int(elem) or (is_pointer(elem) and is_known(pointee(elem)))


def llvm_type(elem: str) -> str:
    return "ptr" if is_pointer(elem) else _LLVM.get(elem, elem)


def size_of(elem: str) -> int:
    """Bytes of one element in memory."""
    if is_pointer(elem):
        return 8
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
    if elem in FP8:
        return str(_fp8_code(FP8[elem], value))
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
    if is_small(elem):
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


def fp8_value(format_: Fp8, code: int) -> float:
    """The number of the lower seven bits of `code`, which is at most the largest code."""
    exponent, mantissa = code >> format_.mantissa, code & ((1 << format_.mantissa) - 1)
    if exponent == 0:
        return float(mantissa * 2.0 ** (1 - format_.bias - format_.mantissa))
    return float((1 + mantissa / (1 << format_.mantissa)) * 2.0 ** (exponent - format_.bias))


def _fp8_code(format_: Fp8, value: float) -> int:
    """To the nearest, ties to even; what is too large becomes the largest, infinities, too."""
    if value != value:
        return format_.nan
    distance = {c: abs(fp8_value(format_, c) - min(abs(value), 1e6)) for c in range(format_.largest + 1)}
    code = min(distance, key=lambda c: (distance[c], c & 1))
    negative = struct.pack(">d", value)[0] >> 7
    return code | (0x80 if negative and (code or format_.signed_zero) else 0)

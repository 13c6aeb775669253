"""Conversion of a launcher's Python arguments to the 8-byte slots that a kernel reads."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from .errors import CompileError
from .lower import convert
from .lower.builder import Builder
from .lower.lanes import LaneBuilder, uniform
from .types import float_literal, is_pointer

# i: signed, u: unsigned, x: either (where only the TTIR is known)
_BITS = {f"{kind}{bits}": bits for kind in "iux" for bits in (8, 16, 32)}
_FLOATS = {"fp16": "f16", "bf16": "bf16", "fp32": "f32", "fp64": "f64", "f16": "f16", "f32": "f32", "f64": "f64"}
_PACK = {"i8": "b", "i16": "h", "i32": "i", "i64": "q", "u8": "B", "u16": "H", "u32": "I", "u64": "Q", "i1": "?", "u1": "?"}
_PACK |= {"fp32": "f", "f32": "f", "fp64": "d", "f64": "d"}


def flatten(signature: Any) -> list[str]:
    """The run-time arguments of a signature, in order: tuples are taken apart, constexprs left out."""
    if isinstance(signature, str):
        return [] if signature == "constexpr" else [signature]
    items = signature.values() if isinstance(signature, dict) else signature
    return [leaf for item in items for leaf in flatten(item)]


def pack(types: Sequence[str], values: Sequence[Any]) -> bytes:
    """The slots of arguments that are bound ahead of a launch, in Python."""
    slots, halves = _slots(tuple(types))
    if halves:
        values = list(values)
        for position, elem in halves:
            values[position] = int(float_literal(elem, values[position]))
    return slots.pack(*values)


@lru_cache(maxsize=4096)
def _slots(types: tuple[str, ...]) -> tuple[struct.Struct, tuple[tuple[int, str], ...]]:
    """The layout of slots, and those of 16-bit floats as (position, element type): `struct` gets their bits."""
    layout, halves = "<", []
    for position, type_ in enumerate(types):
        code = "Q" if type_.startswith("*") else _PACK.get(type_, "")
        if not code and type_ in _FLOATS:
            halves.append((position, _FLOATS[type_]))
            code = "H"
        if not code:
            raise CompileError(f"an argument of type {type_!r} is not supported")
        layout += f"{code}{8 - struct.calcsize('<' + code)}x"
    return struct.Struct(layout), tuple(halves)


def from_elements(elems: Sequence[str]) -> list[str]:
    """Argument types where only the element types of the TTIR are known."""
    types = {"i1": "i1", "i8": "x8", "i16": "x16", "i32": "x32", "i64": "x64"}
    return ["*" if is_pointer(elem) else types.get(elem, elem) for elem in elems]


class ArgumentReader:
    """Emits the conversion of arguments; what may have failed is asked about once, by `check`."""

    def __init__(self, b: Builder, native_f16: bool) -> None:
        self.b = b
        self.lb = LaneBuilder(b, native_f16)
        self.suspect = b.alloca("i1")
        b.line(f"store i1 false, ptr {self.suspect}")

    def doubt(self, condition: str) -> None:
        before = self.b.inst(f"load i1, ptr {self.suspect}")
        self.b.line(f"store i1 {self.b.inst(f'or i1 {before}, {condition}')}, ptr {self.suspect}")

    def object_at(self, position: int) -> str:
        at = self.b.inst(f"getelementptr ptr, ptr %args, i64 {position}")
        return self.b.inst(f"load ptr, ptr {at}")

    def integer(self, position: int, function: str = "PyLong_AsLongLong") -> str:
        value = self.b.inst(f"call i64 @{function}(ptr {self.object_at(position)})")
        self.doubt(self.b.inst(f"icmp eq i64 {value}, -1"))
        return value

    def store(self, position: int, slot: int, type_: str) -> None:
        """Python argument `position` into slot `slot` of %area."""
        value = self.converted(position, type_)
        at = self.b.inst(f"getelementptr i64, ptr %area, i64 {slot}")
        self.b.line(f"store {value}, ptr {at}")

    def converted(self, position: int, type_: str) -> str:
        b = self.b
        if type_ == "x64":
            return f"i64 {self.integer(position, 'PyLong_AsUnsignedLongLongMask')}"
        if type_.startswith("*") or type_ in ("u64", "i64"):
            return (
                f"i64 {self.integer(position, 'PyLong_AsLongLong' if type_ == 'i64' else 'PyLong_AsUnsignedLongLong')}"
            )
        if type_ in _BITS:
            return self.narrow(position, type_)
        if type_ in ("i1", "u1"):
            truth = b.inst(f"call i32 @PyObject_IsTrue(ptr {self.object_at(position)})")
            self.doubt(b.inst(f"icmp eq i32 {truth}, -1"))
            return f"i8 {b.inst(f'trunc i32 {truth} to i8')}"
        if type_ not in _FLOATS:
            raise CompileError(f"an argument of type {type_!r} is not supported")
        elem = _FLOATS[type_]
        value = b.inst(f"call double @PyFloat_AsDouble(ptr {self.object_at(position)})")
        self.doubt(b.inst(f"fcmp oeq double {value}, -1.0"))
        lane = convert.float_to_float(self.lb, uniform("f64", value), elem, 1)
        return f"{ {'f64': 'double', 'f32': 'float'}.get(elem, 'i16') } {lane.value}"

    def narrow(self, position: int, type_: str) -> str:
        b, bits = self.b, _BITS[type_]
        value = self.integer(position)
        low = 0 if type_[0] == "u" else -(1 << (bits - 1))
        high = (1 << bits - 1) if type_[0] == "i" else 1 << bits
        fits = b.inst(f"icmp ult i64 {b.sub('i64', value, str(low))}, {high - low}")

        def refuse() -> None:
            pending = b.inst("call ptr @PyErr_Occurred()")

            def raise_() -> None:
                b.inst(f"call ptr @tf_out_of_range(i64 {position + 1})")

            b.if_else(b.inst(f"icmp eq ptr {pending}, null"), raise_)
            b.line("ret ptr null")
            b.place(b.label("unreached"))

        b.if_else(b.inst(f"xor i1 {fits}, true"), refuse)
        return f"i{bits} {b.inst(f'trunc i64 {value} to i{bits}')}"

    def check(self) -> None:
        """Return with the error if a conversion failed."""
        b = self.b

        def ask() -> None:
            pending = b.inst("call ptr @PyErr_Occurred()")

            def failed() -> None:
                b.line("ret ptr null")
                b.place(b.label("unreached"))

            b.if_else(b.inst(f"icmp ne ptr {pending}, null"), failed)

        b.if_else(b.inst(f"load i1, ptr {self.suspect}"), ask)

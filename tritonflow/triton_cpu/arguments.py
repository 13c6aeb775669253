"""A launcher's Python arguments, and the 8-byte slots that a kernel reads them from."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from tritonflow.errors import CompileError, NumberRangeError

from .types import float_literal, is_pointer

FLOATS = {"fp16": "f16", "bf16": "bf16", "fp32": "f32", "fp64": "f64", "f16": "f16", "f32": "f32", "f64": "f64"}
# i: signed, u: unsigned, x: either (where only the TTIR is known)
BITS = {f"{kind}{bits}": bits for kind in "iux" for bits in (8, 16, 32)}
# The kinds of arguments, by number for launchers, which ask for pointers first.
KINDS = ("*", "i64", "u64", "x64", "i1", "u1", *BITS, *FLOATS)
_PACK = {
    "i8": "b",
    "i16": "h",
    "i32": "i",
    "i64": "q",
    "u8": "B",
    "u16": "H",
    "u32": "I",
    "u64": "Q",
    "i1": "?",
    "u1": "?",
}
_SINGLES = ("fp32", "f32")
_PACK |= {"fp32": "f", "f32": "f", "fp64": "d", "f64": "d"}


def flatten(signature: Any) -> list[str]:
    """The run-time arguments of a signature, in order: without constexprs, and tuples flattened."""
    if isinstance(signature, str):
        return [] if signature == "constexpr" else [signature]
    items = signature.values() if isinstance(signature, dict) else signature
    return [leaf for item in items for leaf in flatten(item)]


def kinds(types: Sequence[str]) -> bytes:
    """The numbers of the kinds of arguments."""
    for type_ in types:
        if not type_.startswith("*") and type_ not in KINDS:
            raise CompileError(f"an argument of type {type_!r} is not supported")
    return bytes(KINDS.index("*" if type_.startswith("*") else type_) for type_ in types)


def pack(types: Sequence[str], values: Sequence[Any]) -> bytes:
    """The slots of arguments that are bound ahead of a launch, in Python.

    A number beyond float32 is infinite there, as the launcher in C casts it; `struct` refuses it.
    """
    slots, halves = _slots(tuple(types))
    if halves:
        values = list(values)
        for position, elem in halves:
            values[position] = int(float_literal(elem, values[position]))
    try:
        return slots.pack(*values)
    except (struct.error, OverflowError):
        pass
    try:
        return slots.pack(*[ctypes.c_float(v).value if t in _SINGLES else v for t, v in zip(types, values)])
    except (struct.error, OverflowError, TypeError):
        raise NumberRangeError(f"a number does not fit into its type: {list(values)} as {', '.join(types)}") from None


@lru_cache(maxsize=4096)
def _slots(types: tuple[str, ...]) -> tuple[struct.Struct, tuple[tuple[int, str], ...]]:
    """The slots' format for `struct`, and the 16-bit floats
    among them as (position, element type).
    """
    layout, halves = "<", []
    for position, type_ in enumerate(types):
        code = "Q" if type_.startswith("*") else _PACK.get(type_, "")
        if not code and type_ in FLOATS:
            halves.append((position, FLOATS[type_]))
            code = "H"
        if not code:
            raise CompileError(f"an argument of type {type_!r} is not supported")
        layout += f"{code}{8 - struct.calcsize('<' + code)}x"
    return struct.Struct(layout), tuple(halves)


def from_elements(elems: Sequence[str]) -> list[str]:
    """Argument types where only the element types of the TTIR are known."""
    types = {"i1": "i1", "i8": "x8", "i16": "x16", "i32": "x32", "i64": "x64"}
    return ["*" if is_pointer(elem) else types.get(elem, elem) for elem in elems]

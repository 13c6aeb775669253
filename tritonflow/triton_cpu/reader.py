"""The code that converts a launcher's Python arguments to the 8-byte slots that a kernel reads."""

from __future__ import annotations

from .arguments import FLOATS
from .errors import CompileError
from .lower import convert
from .lower.builder import Builder
from .lower.lanes import LaneBuilder, uniform

# i: signed, u: unsigned, x: either (where only the TTIR is known)
_BITS = {f"{kind}{bits}": bits for kind in "iux" for bits in (8, 16, 32)}


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
        if type_ not in FLOATS:
            raise CompileError(f"an argument of type {type_!r} is not supported")
        elem = FLOATS[type_]
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

"""The values of a chunk of up to 32 elements, and arithmetic on them.

A lane value is *uniform* (one scalar for all lanes), *affine* (a scalar base plus a constant offset per lane; bytes for
pointers) or a *vector*. Addresses stay affine, so most loads and stores are plain vector accesses.
"""

from __future__ import annotations

from dataclasses import dataclass

from tritonflow.triton_cpu.types import is_pointer, llvm_type, pointee, size_of

from .builder import Builder, is_literal, wrap

# An affine factor beyond this could wrap around inside one chunk.
_MAX_FACTOR = 1 << 16


@dataclass(frozen=True, slots=True)
class Lanes:
    elem: str
    value: str
    offsets: tuple[int, ...] | None = None
    vector: bool = False
    multiple: int = 0  # an affine value's base is at least 0 and divisible by it, where that is known

    @property
    def uniform(self) -> bool:
        return self.offsets is None and not self.vector

    @property
    def affine(self) -> bool:
        return self.offsets is not None

    @property
    def literal(self) -> bool:
        return self.uniform and is_literal(self.value)


def uniform(elem: str, value: str | int) -> Lanes:
    return Lanes(elem, str(value))


def affine(elem: str, base: str, offsets: tuple[int, ...], multiple: int = 0) -> Lanes:
    """Normal form: the first lane's offset may be anything, equal offsets make a uniform value only when all are 0."""
    return Lanes(elem, base, offsets if any(offsets) else None, False, multiple)


def vector_type(elem: str, width: int) -> str:
    return llvm_type(elem) if width == 1 else f"<{width} x {llvm_type(elem)}>"


def made(elem: str, value: str, width: int) -> Lanes:
    """The lane value of an SSA name of type `vector_type(elem, width)`."""
    return Lanes(elem, value, None, width > 1)


def splat_text(type_: str, value: str) -> str:
    return f"splat ({type_} {value})"


class LaneBuilder:
    """Arithmetic on lane values."""

    def __init__(self, builder: Builder, native_f16: bool = True, fma: bool = True, avx512: bool = False) -> None:
        self.b = builder
        self.native_f16, self.fma, self.avx512 = native_f16, fma, avx512
        self.in_order = False  # affine integers are evaluated for one who asks apart whether they wrap around

    def vec(self, x: Lanes, width: int) -> str:
        """The value as `<width x T>` (as T for one lane)."""
        if x.vector or width == 1:
            return x.value if x.offsets is None else self.at(x, 0).value
        type_ = llvm_type(x.elem)
        if x.offsets is None:
            return self.splat(type_, x.value, width)
        if is_pointer(x.elem):
            steps = "<" + ", ".join(f"i64 {k}" for k in x.offsets) + ">"
            return self.b.inst(f"getelementptr i8, ptr {x.value}, <{width} x i64> {steps}")
        steps = "<" + ", ".join(f"{type_} {k}" for k in x.offsets) + ">"
        if x.value == "0":
            return steps
        return self.b.inst(f"add <{width} x {type_}> {self.splat(type_, x.value, width)}, {steps}")

    def splat(self, type_: str, value: str, width: int) -> str:
        if width == 1:
            return value
        if not value.startswith("%"):
            return splat_text(type_, value)
        full = f"<{width} x {type_}>"
        one = self.b.inst(f"insertelement {full} poison, {type_} {value}, i64 0")
        return self.b.inst(f"shufflevector {full} {one}, {full} poison, <{width} x i32> zeroinitializer")

    def at(self, x: Lanes, lane: int) -> Lanes:
        """One lane of an affine or uniform value, as a uniform value."""
        if x.offsets is None:
            return x
        if is_pointer(x.elem):
            return uniform(x.elem, self.b.offset(x.value, str(x.offsets[lane])))
        return uniform(x.elem, self.b.add(llvm_type(x.elem), x.value, str(x.offsets[lane])))

    def op(self, text: str, args: list[Lanes], elem: str, width: int) -> Lanes:
        """`text` is an instruction's name with flags; operands have one type, the result has `elem`."""
        if all(a.uniform for a in args):
            width = 1
        values = ", ".join(self.vec(a, width) for a in args)
        return made(elem, self.b.inst(f"{text} {vector_type(args[0].elem, width)} {values}"), width)

    def cast(self, text: str, a: Lanes, elem: str, width: int) -> Lanes:
        if a.uniform:
            width = 1
        source, target = vector_type(a.elem, width), vector_type(elem, width)
        return made(elem, self.b.inst(f"{text} {source} {self.vec(a, width)} to {target}"), width)

    def bitcast(self, a: Lanes, elem: str, width: int) -> Lanes:
        if llvm_type(a.elem) == llvm_type(elem):
            return Lanes(elem, a.value, a.offsets, a.vector)
        if is_pointer(elem) or is_pointer(a.elem):
            raise ValueError("pointers are not bitcast to integers")
        return self.cast("bitcast", a, elem, width)

    def intrinsic(self, name: str, args: list[Lanes], elem: str, width: int) -> Lanes:
        """`llvm.<name>` overloaded on the type of its operands, which is the type of the result."""
        if all(a.uniform for a in args):
            width = 1
        type_ = vector_type(elem, width)
        function = f"@llvm.{name}.{mangled(elem, width)}"
        self.b.declare(f"{type_} {function}({', '.join([type_] * len(args))})")
        values = ", ".join(f"{type_} {self.vec(a, width)}" for a in args)
        return made(elem, self.b.inst(f"call {type_} {function}({values})"), width)

    def select(self, condition: Lanes, a: Lanes, b: Lanes, elem: str, width: int) -> Lanes:
        if condition.literal:
            return b if condition.value == "0" else a
        if condition.uniform and a.uniform and b.uniform:
            width = 1
        type_ = vector_type(elem, width)
        if condition.uniform:
            choose = f"i1 {condition.value}"
        else:
            choose = f"{vector_type('i1', width)} {self.vec(condition, width)}"
        return made(
            elem, self.b.inst(f"select {choose}, {type_} {self.vec(a, width)}, {type_} {self.vec(b, width)}"), width
        )

    # ---- integers

    def add(self, a: Lanes, b: Lanes, elem: str, width: int, sign: int = 1) -> Lanes:
        if a.vector or b.vector or elem == "i1":
            return self.op("add" if sign == 1 else "sub", [a, b], elem, width)
        type_ = llvm_type(elem)
        fold = self.b.add if sign == 1 else self.b.sub
        base = fold(type_, a.value, b.value)
        if a.offsets is None and b.offsets is None:
            return uniform(elem, base)
        n = len(a.offsets or b.offsets or ())
        left, right = a.offsets or (0,) * n, b.offsets or (0,) * n
        keeps = sign == 1 and b.literal and a.multiple and int(b.value) >= 0 and int(b.value) % a.multiple == 0
        return affine(
            elem, base, tuple(x + sign * y for x, y in zip(left, right, strict=True)), a.multiple if keeps else 0
        )

    def quotient(self, a: Lanes, divisor: int, elem: str) -> Lanes | None:
        """a // divisor for a power of two that the lanes' common base is a multiple of, or that the lanes do not cross."""
        return self._split(a, divisor, elem, True)

    def remainder(self, a: Lanes, divisor: int, elem: str) -> Lanes | None:
        return self._split(a, divisor, elem, False)

    def _split(self, a: Lanes, divisor: int, elem: str, quotient: bool) -> Lanes | None:
        offsets, known = a.offsets, a.multiple
        if offsets is None or not known or divisor & (divisor - 1) or min(offsets) < 0:
            return None
        if known % divisor == 0:
            base = self._of_base(a.value, divisor, elem) if quotient else "0"
            rest = tuple(x // divisor if quotient else x % divisor for x in offsets)
            return affine(elem, base, rest, known // divisor if quotient else known)
        if divisor % known == 0 and max(offsets) < known:
            if quotient:
                return uniform(elem, self._of_base(a.value, divisor, elem))
            masked = str(int(a.value) % divisor) if is_literal(a.value) else self.b.inst(f"and {elem} {a.value}, {divisor - 1}")
            return affine(elem, masked, offsets, known)
        return None

    def _of_base(self, base: str, divisor: int, elem: str) -> str:
        if is_literal(base):
            return str(int(base) // divisor)
        return self.b.inst(f"lshr {elem} {base}, {divisor.bit_length() - 1}")

    def mul(self, a: Lanes, b: Lanes, elem: str, width: int) -> Lanes:
        if b.affine:
            a, b = b, a
        if elem == "i1" or a.vector or b.vector or b.affine:
            return self.op("mul", [a, b], elem, width)
        if a.offsets is None:
            return uniform(elem, self.b.mul(llvm_type(elem), a.value, b.value))
        if not b.literal or abs(int(b.value)) > _MAX_FACTOR:
            return self.op("mul", [a, b], elem, width)
        offsets = tuple(x * int(b.value) for x in a.offsets)
        if any(wrap(x, elem) != x for x in offsets):
            return self.op("mul", [a, b], elem, width)
        return affine(elem, self.b.mul(llvm_type(elem), a.value, b.value), offsets)

    def keeps_order(self, a: Lanes) -> bool:
        """Whether no lane of an affine value can be beyond the end of its type: a base's multiple is far from it."""
        offsets = a.offsets or (0,)
        if is_literal(a.value):
            return all(wrap(int(a.value) + x, a.elem) == int(a.value) + x for x in offsets)
        return min(offsets) >= 0 and max(offsets) < a.multiple and not a.multiple & (a.multiple - 1)

    def sext(self, a: Lanes, elem: str, width: int) -> Lanes:
        """Sign extension; an affine value stays affine (its lanes are close together and do not wrap)."""
        if a.vector or a.elem == "i1":
            return self.cast("sext", a, elem, width)
        if is_literal(a.value):
            return Lanes(elem, a.value, a.offsets)
        return Lanes(elem, self.b.inst(f"sext {llvm_type(a.elem)} {a.value} to {llvm_type(elem)}"), a.offsets)

    def addptr(self, pointer: Lanes, offset: Lanes, elem: str, width: int) -> Lanes:
        size = size_of(pointee(elem))
        if pointer.vector or offset.vector:
            wide = self.vec(self.sext(offset, "i64", width) if offset.elem != "i64" else offset, width)
            scaled = self.b.inst(f"mul <{width} x i64> {wide}, splat (i64 {size})") if size > 1 else wide
            base = f"ptr {pointer.value}" if pointer.uniform else f"<{width} x ptr> {self.vec(pointer, width)}"
            return made(elem, self.b.inst(f"getelementptr i8, {base}, <{width} x i64> {scaled}"), width)
        if offset.elem != "i64":
            offset = self.sext(offset, "i64", width)
        base = self.b.offset(pointer.value, self.b.mul("i64", offset.value, str(size)))
        if pointer.offsets is None and offset.offsets is None:
            return uniform(elem, base)
        n = len(pointer.offsets or offset.offsets or ())
        left, right = pointer.offsets or (0,) * n, offset.offsets or (0,) * n
        return affine(elem, base, tuple(x + y * size for x, y in zip(left, right, strict=True)))


def mangled(elem: str, width: int) -> str:
    """The suffix of an overloaded intrinsic: `v16f32`."""
    type_ = llvm_type(elem)
    short = {"float": "f32", "double": "f64", "ptr": "p0"}.get(type_, type_)
    return short if width == 1 else f"v{width}{short}"

"""The values of a chunk of up to 32 elements, and arithmetic on them.

A lane value is one of three. *Uniform* is one scalar for all lanes. *Affine* is a scalar base and a
constant offset for each lane, in bytes for pointers. The third is a *vector*. Addresses stay
affine, so most loads and stores are plain vector accesses.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tritonflow.triton_cpu.types import is_pointer, llvm_type, pointee, size_of

from .builder import Builder, is_literal, wrap

# Multiplied by more than this, an affine value could wrap around inside one chunk.
_MAX_FACTOR = 1 << 16


@dataclass(frozen=True, slots=True)
class Lanes:
    """The value of one tensor or index on a chunk.

    Attributes:
        elem: the element type, as TTIR names it.
        value: an SSA name or a literal: of the scalar, of an affine value's base, or of the vector.
        offsets: of an affine value, the offset of each lane from the base; bytes for pointers.
        vector: whether `value` is a vector.
        multiple: a number that divides an affine value's base, which is then 0 or more; or 0.
    """

    elem: str
    value: str
    offsets: tuple[int, ...] | None = None
    vector: bool = False
    multiple: int = 0

    @property
    def uniform(self) -> bool:
        """Whether it is one scalar for all lanes."""
        return self.offsets is None and not self.vector

    @property
    def affine(self) -> bool:
        """Whether it is a base and an offset for each lane."""
        return self.offsets is not None

    @property
    def literal(self) -> bool:
        """Whether it is an integer that is known now."""
        return self.uniform and is_literal(self.value)


# For each dimension of a tensor, the lanes' positions along it.
Index = tuple[Lanes, ...]


def uniform(elem: str, value: str | int) -> Lanes:
    """One scalar for all lanes."""
    return Lanes(elem, str(value))


def affine(elem: str, base: str, offsets: tuple[int, ...], multiple: int = 0) -> Lanes:
    """A base and an offset for each lane. It is uniform only if all offsets are 0."""
    return Lanes(elem, base, offsets if any(offsets) else None, False, multiple)


def vector_type(elem: str, width: int) -> str:
    """LLVM's type of `width` lanes: of one lane, the element's type."""
    return llvm_type(elem) if width == 1 else f"<{width} x {llvm_type(elem)}>"


def made(elem: str, value: str, width: int) -> Lanes:
    """The lane value of an SSA name of type `vector_type(elem, width)`."""
    return Lanes(elem, value, None, width > 1)


def splat_text(type_: str, value: str) -> str:
    """A vector constant whose lanes are all `value`."""
    return f"splat ({type_} {value})"


class LaneBuilder:
    """Arithmetic on lane values.

    Attributes:
        b: where it is emitted.
        native_f16: whether the CPU converts between f16 and f32.
        fma: whether the CPU has fused multiplication and addition.
        avx512: whether vectors have 512 bits.
        in_order: whether the caller tests that integers do not wrap around (`ordered`).
    """

    def __init__(self, builder: Builder, native_f16: bool = True, fma: bool = True, avx512: bool = False) -> None:
        self.b = builder
        self.native_f16, self.fma, self.avx512 = native_f16, fma, avx512
        self.in_order = False

    @contextmanager
    def ordered(self) -> Iterator[None]:
        """Around evaluation: integers stay affine, and the caller
        tests that they do not wrap around.
        """
        self.in_order = True
        try:
            yield
        finally:
            self.in_order = False

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
        """A scalar as `<width x T>`."""
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
        """An instruction by its name and flags. Operands have one type, the result has `elem`."""
        if all(a.uniform for a in args):
            width = 1
        values = ", ".join(self.vec(a, width) for a in args)
        return made(elem, self.b.inst(f"{text} {vector_type(args[0].elem, width)} {values}"), width)

    def cast(self, text: str, a: Lanes, elem: str, width: int) -> Lanes:
        """`text` is the name of an instruction that changes the type to `elem`."""
        if a.uniform:
            width = 1
        source, target = vector_type(a.elem, width), vector_type(elem, width)
        return made(elem, self.b.inst(f"{text} {source} {self.vec(a, width)} to {target}"), width)

    def bitcast(self, a: Lanes, elem: str, width: int) -> Lanes:
        """The same bits as another type of the same size."""
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
        """`a` where the condition is true, `b` elsewhere."""
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
        """a + b of integers, or a - b for sign -1. Affine values stay affine."""
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
        """a // divisor as an affine value, or None.

        The divisor is a power of two. It divides the base, or all lanes lie between two multiples
        of it.
        """
        return self._split(a, divisor, elem, True)

    def remainder(self, a: Lanes, divisor: int, elem: str) -> Lanes | None:
        """a % divisor as an affine value, under the conditions of `quotient`, or None."""
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
            masked = (
                str(int(a.value) % divisor)
                if is_literal(a.value)
                else self.b.inst(f"and {elem} {a.value}, {divisor - 1}")
            )
            return affine(elem, masked, offsets, known)
        return None

    def _of_base(self, base: str, divisor: int, elem: str) -> str:
        if is_literal(base):
            return str(int(base) // divisor)
        return self.b.inst(f"lshr {elem} {base}, {divisor.bit_length() - 1}")

    def mul(self, a: Lanes, b: Lanes, elem: str, width: int) -> Lanes:
        """a * b of integers. An affine value by a small literal stays affine."""
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
        """Whether no lane of an affine value can wrap around.

        A base that is a multiple of a power of two is at least that power away from the largest
        number.
        """
        offsets = a.offsets or (0,)
        if is_literal(a.value):
            return all(wrap(int(a.value) + x, a.elem) == int(a.value) + x for x in offsets)
        return min(offsets) >= 0 and max(offsets) < a.multiple and not a.multiple & (a.multiple - 1)

    def sext(self, a: Lanes, elem: str, width: int) -> Lanes:
        """Sign extension.

        An affine value stays affine: its lanes are close together and do not wrap.
        """
        if a.vector or a.elem == "i1":
            return self.cast("sext", a, elem, width)
        if is_literal(a.value):
            return Lanes(elem, a.value, a.offsets)
        return Lanes(elem, self.b.inst(f"sext {llvm_type(a.elem)} {a.value} to {llvm_type(elem)}"), a.offsets)

    def addptr(self, pointer: Lanes, offset: Lanes, elem: str, width: int) -> Lanes:
        """A pointer plus `offset` elements."""
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

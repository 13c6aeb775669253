"""Arithmetic on lanes of one float type, and steps that functions share: rounding, scaling
and splitting.

A function is written once for all targets. `mad` is for sums whose rounding does not matter: it is
fused if the target can. `fma` is for error terms: it is rounded once on every target.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tritonflow.triton_cpu.lower.lanes import LaneBuilder, Lanes, made, uniform, vector_type
from tritonflow.triton_cpu.types import float_literal, llvm_type


@dataclass(frozen=True, slots=True)
class Format:
    """A float type.

    Attributes:
        integer: the integer type of the same size.
        mantissa: bits after the point.
        bias: what is added to the exponent.
        rounding: 1.5 * 2**mantissa. Adding it leaves a rounded integer in the low bits.
    """

    integer: str
    mantissa: int
    bias: int
    rounding: float

    @property
    def bits(self) -> int:
        return int(self.integer[1:])

    @property
    def least_normal(self) -> float:
        return 2.0 ** (1 - self.bias)


FORMATS = {"f32": Format("i32", 23, 127, 1.5 * 2.0**23), "f64": Format("i64", 52, 1023, 1.5 * 2.0**52)}


class Whole(NamedTuple):
    """A whole number as a float, and a float whose lowest bits are that number plus the bias."""

    value: Lanes
    shifted: Lanes


class Floats:
    """Arithmetic on `width` lanes of one float type. Python numbers serve as constants."""

    def __init__(self, lb: LaneBuilder, elem: str, width: int) -> None:
        self.lb, self.elem, self.width = lb, elem, width
        self.format = FORMATS[elem]

    # ---- operations

    def c(self, value: float) -> Lanes:
        """A constant."""
        return uniform(self.elem, float_literal(self.elem, value))

    def op(self, name: str, *args: Lanes) -> Lanes:
        return self.lb.op(name, list(args), self.elem, self.width)

    def add(self, a: Lanes, b: Lanes | float) -> Lanes:
        return self.op("fadd", a, self.lane(b))

    def sub(self, a: Lanes | float, b: Lanes | float) -> Lanes:
        return self.op("fsub", self.lane(a), self.lane(b))

    def mul(self, a: Lanes, b: Lanes | float) -> Lanes:
        return self.op("fmul", a, self.lane(b))

    def div(self, a: Lanes | float, b: Lanes | float) -> Lanes:
        return self.op("fdiv", self.lane(a), self.lane(b))

    def lane(self, value: Lanes | float) -> Lanes:
        """A value, or a number as a constant."""
        return value if isinstance(value, Lanes) else self.c(value)

    def intrinsic(self, name: str, *args: Lanes) -> Lanes:
        return self.lb.intrinsic(name, list(args), self.elem, self.width)

    def abs(self, a: Lanes) -> Lanes:
        return self.intrinsic("fabs", a)

    def neg(self, a: Lanes) -> Lanes:
        return self.op("fneg", a)

    def sqrt(self, a: Lanes) -> Lanes:
        return self.intrinsic("sqrt", a)

    def copysign(self, a: Lanes, sign: Lanes) -> Lanes:
        return self.intrinsic("copysign", a, sign)

    def mad(self, a: Lanes | float, b: Lanes | float, c: Lanes | float) -> Lanes:
        """a * b + c, rounded once or twice."""
        a, b, c = self.lane(a), self.lane(b), self.lane(c)
        return self.intrinsic("fma", a, b, c) if self.lb.fma else self.op("fadd", self.op("fmul", a, b), c)

    def fma(self, a: Lanes | float, b: Lanes | float, c: Lanes | float) -> Lanes:
        """a * b + c, rounded once.

        In f64 the product of f32 numbers is exact, and so is an error term.
        """
        a, b, c = self.lane(a), self.lane(b), self.lane(c)
        if self.lb.fma or self.elem == "f64":
            return self.intrinsic("fma", a, b, c)
        w = self.wide()
        product = w.mul(self.widened(a), self.widened(b))
        return self.narrowed(w.add(product, self.widened(c)))

    def horner(self, x: Lanes, coefficients: Sequence[float]) -> Lanes:
        """The polynomial with these coefficients, the highest power's first."""
        result = self.c(coefficients[0])
        for k in coefficients[1:]:
            result = self.mad(result, x, k)
        return result

    # ---- comparison and choice

    def test(self, predicate: str, a: Lanes, b: Lanes | float) -> Lanes:
        """A comparison, by its LLVM predicate."""
        return self.lb.op(f"fcmp {predicate}", [a, self.lane(b)], "i1", self.width)

    def both(self, a: Lanes, b: Lanes) -> Lanes:
        return self.lb.op("and", [a, b], "i1", self.width)

    def either(self, a: Lanes, b: Lanes) -> Lanes:
        return self.lb.op("or", [a, b], "i1", self.width)

    def pick(self, condition: Lanes, a: Lanes | float, b: Lanes | float) -> Lanes:
        """`a` where the condition is true, `b` elsewhere."""
        return self.lb.select(condition, self.lane(a), self.lane(b), self.elem, self.width)

    def at_most(self, x: Lanes, high: float) -> Lanes:
        """NaN stays NaN: one instruction on x86, whose minimum returns its second operand then."""
        return self.pick(self.test("ogt", x, high), high, x)

    def at_least(self, x: Lanes, low: float) -> Lanes:
        return self.pick(self.test("olt", x, low), low, x)

    def rarely(self, condition: Lanes, slow: Callable[[], Lanes], fast: Callable[[], Lanes]) -> Lanes:
        """`slow` for the whole chunk if the condition holds in any lane."""
        b, type_ = self.lb.b, vector_type(self.elem, self.width if condition.vector else 1)
        any_ = condition.value
        if condition.vector:
            mask = b.inst(f"bitcast <{self.width} x i1> {condition.value} to i{self.width}")
            any_ = b.inst(f"icmp ne i{self.width} {mask}, 0")
        cell = b.alloca(type_)
        costs = [b.cost]

        def arm(emit: Callable[[], Lanes]) -> Callable[[], None]:
            def into_cell() -> None:
                b.line(f"store {type_} {emit().value}, ptr {cell}")
                costs.append(b.cost)

            return into_cell

        b.if_else(any_, arm(slow), arm(fast))
        b.cost = costs[0] + 2 * (costs[2] - costs[1])  # the slow arm is not expected; each was counted by half
        return made(self.elem, b.inst(f"load {type_}, ptr {cell}"), self.width if condition.vector else 1)

    # ---- bits

    def i(self, name: str, a: Lanes, b: Lanes | int) -> Lanes:
        """An instruction on integers of the same size."""
        integer = self.format.integer
        return self.lb.op(name, [a, uniform(integer, b) if isinstance(b, int) else b], integer, self.width)

    def bits(self, a: Lanes) -> Lanes:
        """The bits as integers."""
        return self.lb.bitcast(a, self.format.integer, self.width)

    def real(self, a: Lanes) -> Lanes:
        """The float that has these bits."""
        return self.lb.bitcast(a, self.elem, self.width)

    def bit(self, a: Lanes, which: int) -> Lanes:
        """Whether a bit of an integer is set."""
        zero = uniform(self.format.integer, 0)
        return self.lb.op("icmp ne", [self.i("and", a, 1 << which), zero], "i1", self.width)

    def sign_bit(self, a: Lanes) -> Lanes:
        return self.i("and", self.bits(a), -(1 << (self.format.bits - 1)))

    # ---- f32 through f64

    def wide(self) -> Floats:
        """The same arithmetic in f64."""
        return Floats(self.lb, "f64", self.width)

    def widened(self, a: Lanes) -> Lanes:
        """To f64."""
        return self.lb.cast("fpext", a, "f64", self.width)

    def narrowed(self, a: Lanes) -> Lanes:
        """To f32."""
        return self.lb.cast("fptrunc", a, "f32", self.width)

    # ---- powers of 2

    def nearest(self, x: Lanes, factor: float = 1.0) -> Whole:
        """x * factor rounded, for results below 2**(mantissa - 1)."""
        magic = self.format.rounding + self.format.bias
        shifted = self.mad(x, factor, magic) if factor != 1.0 else self.add(x, magic)
        return Whole(self.sub(shifted, magic), shifted)

    def power_of_2(self, n: Whole) -> Lanes:
        """2**n where that is a normal number."""
        return self.real(self.i("shl", self.bits(n.shifted), self.format.mantissa))

    def moved_power_of_2(self, n: Whole, by: int) -> Lanes:
        """2**(n + by)"""
        return self.power_of_2(Whole(n.value, self.real(self.i("add", self.bits(n.shifted), by))))

    def scaled(self, x: Lanes, n: Whole) -> Lanes:
        """x * 2**n rounded once, for x near 1; the result may be denormal or overflow."""
        if self.in_registers:
            return self._avx512("scalef", [x, n.value])
        half = self.mad(n.value, 0.5, self.format.rounding + self.format.bias)
        rest = self.i("add", self.i("sub", self.bits(n.shifted), self.bits(half)), self.format.bias)
        x = self.mul(x, self.power_of_2(Whole(half, half)))
        return self.mul(x, self.real(self.i("shl", rest, self.format.mantissa)))

    def split(self, x: Lanes) -> tuple[Lanes, Lanes]:
        """m and e with x = m * 2**e, 0.75 <= m < 1.5, for positive finite x.

        `edges_of_log` knows of the others.
        """
        if self.in_registers:
            # Interval 3 is [0.75, 1.5); sign control 3 makes NaN of what is negative.
            m = self._avx512("getmant", [x], ["i32 15"])
            return m, self.sub(self._avx512("getexp", [x]), self._avx512("getexp", [m]))
        form = self.format
        tiny = self.test("olt", x, form.least_normal)
        bits = self.bits(self.pick(tiny, self.mul(x, 2.0**form.mantissa), x))
        from_three_quarters = self.i("add", bits, (form.bias << form.mantissa) - _three_quarters(form))
        exponent = self.i("lshr", from_three_quarters, form.mantissa)
        m = self.real(
            self.i("add", self.i("sub", bits, self.i("shl", exponent, form.mantissa)), form.bias << form.mantissa)
        )
        return m, self.sub(self._counted(exponent), self.pick(tiny, form.bias + form.mantissa, form.bias))

    def _counted(self, exponent: Lanes) -> Lanes:
        """A small positive integer as a float.

        Without AVX-512 there is no conversion from i64: the bits of 2**52 + k.
        """
        if self.elem == "f32":
            return self.lb.cast("sitofp", exponent, "f32", self.width)
        return self.sub(self.real(self.i("or", exponent, 0x433 << 52)), 2.0**52)

    def edges_of_log(self, x: Lanes, result: Lanes) -> Lanes:
        """log of 0, infinity, negative numbers and NaN, where `split` was not made for them."""
        if self.in_registers:
            return result
        result = self.pick(self.test("olt", x, float("inf")), result, x)
        result = self.pick(self.test("oeq", x, 0.0), -float("inf"), result)
        return self.pick(self.test("olt", x, 0.0), float("nan"), result)

    @property
    def in_registers(self) -> bool:
        """Whether a chunk is made of whole 512-bit registers, for
        which there are instructions for all this.
        """
        return self.lb.avx512 and self.width * self.format.bits % 512 == 0

    def look_up(self, table: Sequence[float], index: Lanes) -> Lanes:
        """The entry of 16 that the low bits of an f32 lane are the number of; with AVX-512 only."""
        if self.width < 16:
            found = Floats(self.lb, "f32", 16).look_up(table, self._padded(index))
            return self._first_lanes(found)
        type_, bits = vector_type("f32", 16), self.bits(index)
        function = "@llvm.x86.avx512.permvar.sf.512"
        self.lb.b.declare(f"{type_} {function}({type_}, <16 x i32>)")
        entries = f"{type_} <" + ", ".join(f"float {float_literal('f32', v)}" for v in table) + ">"
        return self._each_register([bits], lambda part: f"call {type_} {function}({entries}, <16 x i32> {part})")

    def _padded(self, x: Lanes) -> Lanes:
        """16 f32 lanes, of which these are the first."""
        type_, value = vector_type("f32", self.width), self.lb.vec(x, self.width)
        if self.width == 1:
            return made("f32", self.lb.b.inst(f"insertelement <16 x float> poison, float {value}, i64 0"), 16)
        steps = ", ".join(f"i32 {k}" if k < self.width else "i32 poison" for k in range(16))
        return made("f32", self.lb.b.inst(f"shufflevector {type_} {value}, {type_} poison, <16 x i32> <{steps}>"), 16)

    def _first_lanes(self, x: Lanes) -> Lanes:
        if self.width == 1:
            return made("f32", self.lb.b.inst(f"extractelement <16 x float> {x.value}, i64 0"), 1)
        steps = ", ".join(f"i32 {k}" for k in range(self.width))
        text = f"shufflevector <16 x float> {x.value}, <16 x float> poison, <{self.width} x i32> <{steps}>"
        return made("f32", self.lb.b.inst(text), self.width)

    def _avx512(self, name: str, args: list[Lanes], immediate: Sequence[str] = ()) -> Lanes:
        """scalef, getexp or getmant of each register of the chunk."""
        b, lanes, suffix = self.lb.b, 512 // self.format.bits, {"f32": "ps", "f64": "pd"}[self.elem]
        type_, mask = vector_type(self.elem, lanes), f"i{lanes}"
        function = f"@llvm.x86.avx512.mask.{name}.{suffix}.512"
        tail = [f"{type_} zeroinitializer", f"{mask} -1", "i32 4"]  # no masking, the current rounding mode
        declared = [type_] * len(args) + ["i32 immarg"] * len(immediate) + [type_, mask, "i32 immarg"]
        b.declare(f"{type_} {function}({', '.join(declared)})")

        def call(*parts: str) -> str:
            return f"call {type_} {function}({', '.join([*[f'{type_} {part}' for part in parts], *immediate, *tail])})"

        return self._each_register(args, call)

    def _each_register(self, args: list[Lanes], call: Callable[..., str]) -> Lanes:
        """An instruction on 512 bits of each operand at a time."""
        b, lanes = self.lb.b, 512 // self.format.bits
        values = [(vector_type(a.elem, self.width), self.lb.vec(a, self.width)) for a in args]
        parts = []
        for k in range(self.width // lanes):
            steps = ", ".join(f"i32 {k * lanes + j}" for j in range(lanes))
            own = [b.inst(f"shufflevector {full} {v}, {full} poison, <{lanes} x i32> <{steps}>") for full, v in values]
            parts.append(b.inst(call(*own)))
        return made(self.elem, self._joined(parts, lanes), self.width)

    def _joined(self, parts: list[str], lanes: int) -> str:
        type_ = llvm_type(self.elem)
        while len(parts) > 1:
            half, lanes = f"<{lanes} x {type_}>", 2 * lanes
            steps = ", ".join(f"i32 {j}" for j in range(lanes))
            parts = [
                self.lb.b.inst(f"shufflevector {half} {a}, {half} {b}, <{lanes} x i32> <{steps}>")
                for a, b in zip(parts[::2], parts[1::2], strict=True)
            ]
        return parts[0]


def _three_quarters(form: Format) -> int:
    """The bits of 0.75."""
    return ((form.bias - 1) << form.mantissa) + (1 << (form.mantissa - 1))


def floats(lb: LaneBuilder, args: Sequence[Lanes], width: int) -> Floats:
    """Arithmetic on the first argument's type. It is that of one lane if all arguments are uniform."""
    return Floats(lb, args[0].elem, 1 if all(a.uniform for a in args) else width)

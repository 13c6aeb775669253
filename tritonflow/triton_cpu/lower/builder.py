"""Emission of LLVM IR text for one function: instructions, loops, branches, stack slots, an estimate of the work."""

from __future__ import annotations

from collections.abc import Callable

_UNKNOWN_TRIPS = 16.0


class Builder:
    def __init__(self) -> None:
        self.lines: list[str] = []
        self.allocas: list[str] = []
        self.declarations: set[str] = set()
        self.streams = False  # whether stores past the caches were emitted
        self.cost = 0.0
        self.weight = 1.0
        self._count = 0

    # ---- names and lines

    def name(self) -> str:
        self._count += 1
        return f"%t{self._count}"

    def label(self, prefix: str = "b") -> str:
        self._count += 1
        return f"{prefix}{self._count}"

    def line(self, text: str) -> None:
        self.cost += self.weight
        self.lines.append("  " + text)

    def inst(self, text: str) -> str:
        name = self.name()
        self.line(f"{name} = {text}")
        return name

    def place(self, label: str) -> None:
        self.lines.append(f"{label}:")

    def jump(self, label: str) -> None:
        self.lines.append(f"  br label %{label}")

    def branch(self, condition: str, then: str, otherwise: str) -> None:
        self.line(f"br i1 {condition}, label %{then}, label %{otherwise}")

    def alloca(self, type_: str) -> str:
        name = self.name()
        self.allocas.append(f"  {name} = alloca {type_}, align 64")
        return name

    def declare(self, text: str) -> None:
        self.declarations.add(f"declare {text}")

    # ---- structured control flow

    def loop(
        self,
        low: str,
        high: str,
        step: str,
        body: Callable[[str], None],
        type_: str = "i32",
        unsigned: bool = False,
        trips: float | None = None,
    ) -> None:
        """`for (i = low; i < high; i += step) body(i)`; `trips` is an estimate for the cost."""
        counter = self.alloca(type_)
        self.line(f"store {type_} {low}, ptr {counter}")
        head, inside, done = self.label("head"), self.label("body"), self.label("done")
        self.jump(head)
        self.place(head)
        i = self.inst(f"load {type_}, ptr {counter}")
        more = self.inst(f"icmp {'ult' if unsigned else 'slt'} {type_} {i}, {high}")
        self.branch(more, inside, done)
        self.place(inside)
        weight = self.weight
        self.weight *= _trips(low, high, step) if trips is None else trips
        body(i)
        self.weight = weight
        following = self.inst(f"add {type_} {i}, {step}")
        self.line(f"store {type_} {following}, ptr {counter}")
        self.jump(head)
        self.place(done)

    def if_else(self, condition: str, then: Callable[[], None], otherwise: Callable[[], None] | None = None) -> None:
        yes, no, done = self.label("then"), self.label("else"), self.label("done")
        self.branch(condition, yes, no if otherwise else done)
        weight = self.weight
        self.weight *= 0.5 if otherwise else 1.0
        self.place(yes)
        then()
        self.jump(done)
        if otherwise:
            self.place(no)
            otherwise()
            self.jump(done)
        self.weight = weight
        self.place(done)

    # ---- integers, folded where both sides are literals

    def add(self, type_: str, a: str, b: str) -> str:
        if a == "0":
            return b
        if b == "0":
            return a
        if is_literal(a) and is_literal(b):
            return str(wrap(int(a) + int(b), type_))
        return self.inst(f"add {type_} {a}, {b}")

    def sub(self, type_: str, a: str, b: str) -> str:
        if b == "0":
            return a
        if is_literal(a) and is_literal(b):
            return str(wrap(int(a) - int(b), type_))
        return self.inst(f"sub {type_} {a}, {b}")

    def mul(self, type_: str, a: str, b: str) -> str:
        if "0" in (a, b):
            return "0"
        if a == "1":
            return b
        if b == "1":
            return a
        if is_literal(a) and is_literal(b):
            return str(wrap(int(a) * int(b), type_))
        return self.inst(f"mul {type_} {a}, {b}")

    def sext64(self, type_: str, value: str) -> str:
        if type_ == "i64" or is_literal(value):
            return value
        return self.inst(f"sext {type_} {value} to i64")

    def fits(self, value: str, type_: str) -> str:
        """Whether an i64 is a number of a signed integer type."""
        if is_literal(value):
            return str(int(wrap(int(value), type_) == int(value)))
        short = self.inst(f"trunc i64 {value} to {type_}")
        return self.inst(f"icmp eq i64 {value}, {self.inst(f'sext {type_} {short} to i64')}")

    # ---- conditions, folded where they are literals

    def both(self, a: str, b: str) -> str:
        if "0" in (a, b):
            return "0"
        if a == "1":
            return b
        return a if b == "1" else self.inst(f"and i1 {a}, {b}")

    def choose(self, condition: str, type_: str, yes: str, no: str) -> str:
        if is_literal(condition) or yes == no:
            return no if condition == "0" else yes
        return self.inst(f"select i1 {condition}, {type_} {yes}, {type_} {no}")

    def offset(self, pointer: str, byte_offset: str) -> str:
        return pointer if byte_offset == "0" else self.inst(f"getelementptr i8, ptr {pointer}, i64 {byte_offset}")


def is_literal(value: str) -> bool:
    return value[0] != "%" and value.lstrip("-").isdigit()


def wrap(value: int, type_: str) -> int:
    bits = int(type_[1:])
    value &= (1 << bits) - 1
    return value - (1 << bits) if bits > 1 and value >> (bits - 1) else value


def _trips(low: str, high: str, step: str) -> float:
    if is_literal(low) and is_literal(high) and is_literal(step) and int(step) > 0:
        return max(0.0, -(-(int(high) - int(low)) // int(step)))
    return _UNKNOWN_TRIPS

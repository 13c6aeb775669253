"""Emission of LLVM IR text for one function, and an estimate of the work it does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

_UNKNOWN_TRIPS = 16.0


class Builder:
    """The text of a function so far.

    Attributes:
        lines: instructions and labels, in order.
        allocas: stack slots, which belong in the entry block.
        declarations: functions and constants of the module that the lines use.
        streams: whether stores past the caches were emitted.
        cost: an estimate of the instructions that one program instance executes.
        weight: how often the code under emission runs, as far as loops and branches tell.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.allocas: list[str] = []
        self.declarations: set[str] = set()
        self.streams = False
        self.cost = 0.0
        self.weight = 1.0
        self._count = 0

    # ---- names and lines

    def name(self) -> str:
        """A new SSA name."""
        self._count += 1
        return f"%t{self._count}"

    def label(self, prefix: str = "b") -> str:
        """A new label, for `begin_block`."""
        self._count += 1
        return f"{prefix}{self._count}"

    def line(self, text: str) -> None:
        """Emit an instruction without a result."""
        self.cost += self.weight
        self.lines.append("  " + text)

    def inst(self, text: str) -> str:
        """Emit an instruction, and give the name of its result."""
        name = self.name()
        self.line(f"{name} = {text}")
        return name

    def begin_block(self, label: str) -> None:
        """What follows belongs to the basic block of this label."""
        self.lines.append(f"{label}:")

    def jump(self, label: str) -> None:
        """End the basic block by a jump."""
        self.lines.append(f"  br label %{label}")

    def branch(self, condition: str, then: str, otherwise: str) -> None:
        """End the basic block by a jump to one of two labels."""
        self.line(f"br i1 {condition}, label %{then}, label %{otherwise}")

    def alloca(self, type_: str) -> str:
        """A stack slot of a type, by its address."""
        name = self.name()
        self.allocas.append(f"  {name} = alloca {type_}, align 64")
        return name

    def declare(self, text: str) -> None:
        """Declare a function that a call names."""
        self.declarations.add(f"declare {text}")

    @contextmanager
    def taken_back(self) -> Iterator[Callable[[], list[str]]]:
        """Around code that is emitted for trial: its end removes it.

        The given function returns its lines.
        """
        lines, allocas, declarations, cost = len(self.lines), len(self.allocas), set(self.declarations), self.cost
        try:
            yield lambda: self.lines[lines:]
        finally:
            del self.lines[lines:], self.allocas[allocas:]
            self.declarations, self.cost = declarations, cost

    @contextmanager
    def weighted(self, factor: float) -> Iterator[None]:
        """Around code that runs `factor` times as often as the code around it."""
        outer = self.weight
        self.weight *= factor
        try:
            yield
        finally:
            self.weight = outer

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
        self.begin_block(head)
        i = self.inst(f"load {type_}, ptr {counter}")
        more = self.inst(f"icmp {'ult' if unsigned else 'slt'} {type_} {i}, {high}")
        self.branch(more, inside, done)
        self.begin_block(inside)
        with self.weighted(_trips(low, high, step) if trips is None else trips):
            body(i)
        following = self.inst(f"add {type_} {i}, {step}")
        self.line(f"store {type_} {following}, ptr {counter}")
        self.jump(head)
        self.begin_block(done)

    def if_else(self, condition: str, then: Callable[[], None], otherwise: Callable[[], None] | None = None) -> None:
        """`if (condition) then() else otherwise()`."""
        yes, no, done = self.label("then"), self.label("else"), self.label("done")
        self.branch(condition, yes, no if otherwise else done)
        with self.weighted(0.5 if otherwise else 1.0):
            self.begin_block(yes)
            then()
            self.jump(done)
            if otherwise:
                self.begin_block(no)
                otherwise()
                self.jump(done)
        self.begin_block(done)

    # ---- integers, folded where both sides are literals

    def add(self, type_: str, a: str, b: str) -> str:
        """`a + b`."""
        if a == "0":
            return b
        if b == "0":
            return a
        if is_literal(a) and is_literal(b):
            return str(wrap(int(a) + int(b), type_))
        return self.inst(f"add {type_} {a}, {b}")

    def sub(self, type_: str, a: str, b: str) -> str:
        """`a - b`."""
        if b == "0":
            return a
        if is_literal(a) and is_literal(b):
            return str(wrap(int(a) - int(b), type_))
        return self.inst(f"sub {type_} {a}, {b}")

    def mul(self, type_: str, a: str, b: str) -> str:
        """`a * b`."""
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
        """A signed integer as an i64."""
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
        """`a && b`."""
        if "0" in (a, b):
            return "0"
        if a == "1":
            return b
        return a if b == "1" else self.inst(f"and i1 {a}, {b}")

    def choose(self, condition: str, type_: str, yes: str, no: str) -> str:
        """`condition ? yes : no`."""
        if is_literal(condition) or yes == no:
            return no if condition == "0" else yes
        return self.inst(f"select i1 {condition}, {type_} {yes}, {type_} {no}")

    def offset(self, pointer: str, byte_offset: str) -> str:
        """An address `byte_offset` bytes behind a pointer."""
        return pointer if byte_offset == "0" else self.inst(f"getelementptr i8, ptr {pointer}, i64 {byte_offset}")


def is_literal(value: str) -> bool:
    """Whether a value is an integer that is known now, not an SSA name."""
    return value[0] != "%" and value.lstrip("-").isdigit()


def wrap(value: int, type_: str) -> int:
    """An integer as a signed number of `type_`, which wraps around."""
    bits = int(type_[1:])
    value &= (1 << bits) - 1
    return value - (1 << bits) if bits > 1 and value >> (bits - 1) else value


def _trips(low: str, high: str, step: str) -> float:
    if is_literal(low) and is_literal(high) and is_literal(step) and int(step) > 0:
        return max(0.0, -(-(int(high) - int(low)) // int(step)))
    return _UNKNOWN_TRIPS

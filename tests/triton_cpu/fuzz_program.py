"""Random Triton kernels as text, with a bound on the rounding error of everything that they store.

Integers and most floats are exact: inputs are small multiples of 1/4, and a float value whose numerator fits into the
mantissa has no error, in whatever order it is summed and whether or not products are fused. Only exact values are
compared or converted to integers, so no branch hangs on a rounding.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import prod

INPUT_SIZE = 4096
INTEGERS = ("i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64")
FLOATS = ("f16", "f32", "f64")
MANTISSA = {"f16": 11, "f32": 24, "f64": 53, "bf16": 8}
LARGEST = {"f16": 2.0**14, "f32": 2.0**100, "f64": 2.0**500}
SHAPES = ((1,), (8,), (32,), (64,), (128,), (8, 8), (4, 32), (16, 16), (32, 16), (64, 2), (1, 64), (2, 4, 8), (4, 2, 32))
SCALAR: tuple[int, ...] = ()


def width(dtype: str) -> int:
    return int(dtype.lstrip("iubf"))


def triton_type(dtype: str) -> str:
    return "tl." + {"i": "int", "u": "uint", "f": "float", "b": "bfloat"}[dtype[0]] + dtype.lstrip("iubf")


@dataclass(frozen=True)
class Value:
    """`|v| <= largest`; a float is a multiple of `grain` where `error` is 0, and off by at most `error` otherwise."""

    name: str
    dtype: str
    shape: tuple[int, ...] = SCALAR
    largest: float = 0.0
    grain: float = 1.0
    error: float = 0.0

    @property
    def exact(self) -> bool:
        return self.error == 0

    @property
    def is_float(self) -> bool:
        return self.dtype in FLOATS

    @property
    def is_integer(self) -> bool:
        return self.dtype in INTEGERS


@dataclass(eq=False)
class Statement:
    """Lines that define values; a compound statement has (header, body, last lines) for each of its blocks."""

    defines: tuple[Value, ...]
    lines: list[str] = field(default_factory=list)
    blocks: list[tuple[str, list[Statement], list[str]]] = field(default_factory=list)

    def text(self) -> Iterator[str]:
        yield from self.lines
        for header, body, last in self.blocks:
            yield header
            inner = [line for statement in body for line in statement.text()] + last
            yield from ("    " + line for line in inner or ["pass"])


@dataclass
class Program:
    seed: int
    statements: list[Statement]
    outputs: dict[str, Value]
    grid: tuple[int, int]

    def source(self) -> str:
        body = [line for statement in self.statements for line in statement.text()]
        text = "\n".join("    " + line for line in body) or "    pass"
        helpers = [helper for name, helper in HELPERS.items() if name in text]
        kernel = f"@triton.jit\ndef kernel({', '.join(self.arguments(text))}):\n{text}\n"
        return "\n\n".join(["import triton\nimport triton.language as tl\n", *helpers, kernel])

    def arguments(self, text: str) -> list[str]:
        """The arguments that `text` mentions: `x_<dtype>`, `o_<value>`, `counts`, `n`, `k`."""
        names = [f"x_{dtype}" for dtype in (*INTEGERS, *FLOATS, "bf16")] + [f"o_{name}" for name in self.outputs]
        return [name for name in (*names, "counts", "n", "k") if re.search(rf"\b{name}\b", text)]


HELPERS = {
    "affine": """@triton.jit
def affine(x, y):
    return x * 3 + y
""",
    "apart": """@triton.jit(noinline=True)
def apart(x, y):
    if y > 3:
        return x + y
    return x - y
""",
    "larger": """@triton.jit
def larger(a, b):
    return tl.where(a > b, a, b)
""",
}


def integer(name: str, dtype: str, shape: tuple[int, ...]) -> Value:
    return Value(name, dtype, shape, 2.0 ** width(dtype))


def real(name: str, dtype: str, shape: tuple[int, ...], largest: float, grain: float, error: float) -> Value:
    """A float that was computed with `error` and rounded to `dtype`."""
    if error == 0 and largest <= grain * 2 ** MANTISSA[dtype]:
        return Value(name, dtype, shape, largest, grain)
    return Value(name, dtype, shape, largest, 0.0, error + largest * 2.0 ** -(MANTISSA[dtype] - 1))


class Writer:
    """A program under construction: its statements, and the values that can be used next."""

    def __init__(self, seed: int) -> None:
        self.seed, self.random = seed, random.Random(seed)
        self.count = 0
        self.depth = 0
        self.values: list[Value] = []
        self.statements: list[Statement] = []
        self.outputs: dict[str, Value] = {}
        self.grid = self.random.choice(((1, 1), (3, 1), (2, 2)))

    def name(self) -> str:
        self.count += 1
        return f"v{self.count}"

    def emit(self, value: Value, text: str) -> Value:
        self.statements.append(Statement((value,), [f"{value.name} = {text}"]))
        self.values.append(value)
        return value

    def effect(self, *lines: str) -> None:
        self.statements.append(Statement((), list(lines)))

    def pick(self, fits: Callable[[Value], bool]) -> Value | None:
        """Some value, one of the last rather than of the first."""
        found = [v for v in self.values if fits(v)]
        return self.random.choice(found[-6:] if self.random.random() < 0.7 else found) if found else None

    def tensor(self, fits: Callable[[Value], bool] = lambda v: True) -> Value | None:
        return self.pick(lambda v: bool(v.shape) and fits(v))

    def fitted(self, value: Value, shape: tuple[int, ...]) -> str | None:
        """`value` as an expression that broadcasts to `shape`, or None."""
        if value.shape in (SCALAR, shape):
            return value.name
        if len(value.shape) == len(shape):
            fits = all(a in (1, b) for a, b in zip(value.shape, shape, strict=True))
            return value.name if fits else None
        if len(value.shape) == 1:
            axes = [d for d, extent in enumerate(shape) if extent == value.shape[0]]
            if axes:
                axis = self.random.choice(axes)
                return f"{value.name}[{', '.join(':' if d == axis else 'None' for d in range(len(shape)))}]"
        return None

    def partner(self, shape: tuple[int, ...], fits: Callable[[Value], bool]) -> tuple[Value, str] | None:
        found = self.pick(lambda v: fits(v) and self.fitted(v, shape) is not None)
        if found is None:
            return None
        text = self.fitted(found, shape)
        assert text is not None
        return found, text


def axis_of(d: int, shape: tuple[int, ...]) -> str:
    """The subscript that makes a vector the axis `d` of a tensor."""
    return f"[{', '.join(':' if e == d else 'None' for e in range(len(shape)))}]" if len(shape) > 1 else ""


def positions(shape: tuple[int, ...]) -> str:
    """The row-major position of each element."""
    terms = [f"tl.arange(0, {n}){axis_of(d, shape)} * {prod(shape[d + 1 :])}" for d, n in enumerate(shape)]
    return " + ".join(terms)

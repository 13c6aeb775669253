"""Calls of the C library's mathematical functions, one per lane."""

from __future__ import annotations

from tritonflow.triton_cpu.types import llvm_type

from .lanes import LaneBuilder, Lanes, made, vector_type

# glibc has each of these for f64, and with the suffix `f` for f32.
FUNCTIONS = frozenset(
    "sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp exp2 exp10 expm1 log log2 log10 log1p logb "
    "pow hypot cbrt erf erfc lgamma tgamma fmod remainder nextafter fdim j0 j1 y0 y1".split()
)


def symbol(name: str, elem: str) -> str:
    """A function's name in the C library, for f32 or f64."""
    return name + ("f" if elem == "f32" else "")


def call(lb: LaneBuilder, name: str, args: list[Lanes], elem: str, width: int) -> Lanes:
    """`name` of f32 or f64 lanes; the loop over the lanes is in the generated code."""
    function, type_ = "@" + symbol(name, elem), llvm_type(elem)
    lb.b.declare(f"{type_} {function}({', '.join([type_] * len(args))}) nounwind willreturn memory(none)")
    lb.b.cost += 30 * lb.b.weight * width
    if all(a.uniform for a in args):
        values = ", ".join(f"{type_} {a.value}" for a in args)
        return made(elem, lb.b.inst(f"call {type_} {function}({values})"), 1)
    cells = []
    for a in args:
        cell = lb.b.alloca(vector_type(elem, width))
        lb.b.line(f"store {vector_type(elem, width)} {lb.vec(a, width)}, ptr {cell}")
        cells.append(cell)
    out = lb.b.alloca(vector_type(elem, width))

    def one(i: str) -> None:
        values = []
        for cell in cells:
            at = lb.b.inst(f"getelementptr {type_}, ptr {cell}, i32 {i}")
            values.append(f"{type_} {lb.b.inst(f'load {type_}, ptr {at}')}")
        result = lb.b.inst(f"call {type_} {function}({', '.join(values)})")
        at = lb.b.inst(f"getelementptr {type_}, ptr {out}, i32 {i}")
        lb.b.line(f"store {type_} {result}, ptr {at}")

    lb.b.loop("0", str(width), "1", one)
    return made(elem, lb.b.inst(f"load {vector_type(elem, width)}, ptr {out}"), width)

"""tt.print, which writes to the standard output, and tt.assert, an error of the launch."""

from __future__ import annotations

from tritonflow.triton_cpu.ir import Op, Value
from tritonflow.triton_cpu.types import bits_of, is_float, is_pointer, is_small

from . import convert
from .builder import Builder
from .lanes import Index, Lanes
from .lowering import Lowering
from .roots import lowers

# ---- print: one line an element, in the format of Triton's GPU backends


@lowers("tt.print")
def _print(low: Lowering, op: Op) -> None:
    prefix = op.attrs["text"].replace("%", "%%")
    signed = [flag.strip() == "1" for flag in op.attrs["isSigned"].partition(":")[2].rstrip(">").split(",")]
    for number, value in enumerate(op.operands):
        which = f"(operand {number}) " if len(op.operands) > 1 else ""
        _print_value(low, value, prefix + which, op.attrs["hex"] == "true", signed[number])
    if not op.operands:
        _call_printf(low.b, f"pid (%u, %u, %u){prefix}\n", [])
    low.b.declare("i32 @fflush(ptr)")
    low.b.inst("call i32 @fflush(ptr null)")  # Python's own output must not overtake it


def _print_value(low: Lowering, value: Value, text: str, hexadecimal: bool, signed: bool) -> None:
    shape = value.type.dims
    # As wide as the largest index of the dimension, which is what ceil(log10) of its size gives.
    specifiers = ", ".join(f"%{len(str(extent - 1)) if extent > 1 else 0}u" for extent in shape)

    def element(index: Index, width: int) -> None:
        specifier, argument = _argument(low, low.lazy.eval(value, index, 1), hexadecimal, signed)
        head = f"pid (%u, %u, %u) idx ({specifiers})"
        _call_printf(low.b, f"{head}{text}{specifier}\n", [*(f"i32 {i.value}" for i in index), argument])

    if not shape:
        element((), 1)
        return
    pending = low.prepare([value], shape)
    low.loops.run([value], shape, element, pending, width=1)


def _argument(low: Lowering, x: Lanes, hexadecimal: bool, signed: bool) -> tuple[str, str]:
    """printf's specifier for a value, and the value as C passes it."""
    lb, bits = low.lb, bits_of(x.elem)
    if is_pointer(x.elem):
        return "%p", f"ptr {x.value}"
    if hexadecimal and is_float(x.elem):
        x = Lanes(f"i{bits}", x.value) if is_small(x.elem) else lb.bitcast(x, f"i{bits}", 1)
    if is_float(x.elem):
        return "%f", f"double {convert.float_to_float(lb, x, 'f64', 1).value}"
    wide = "i64" if bits == 64 else "i32"
    if x.elem != wide:
        x = lb.cast("sext" if signed and not hexadecimal else "zext", x, wide, 1)
    if hexadecimal:
        return f"0x%0{max(1, bits // 4)}{'ll' if bits == 64 else ''}x", f"{wide} {x.value}"
    return f"%{'ll' if bits == 64 else ''}{'i' if signed else 'u'}", f"{wide} {x.value}"


def _call_printf(b: Builder, text: str, arguments: list[str]) -> None:
    b.declare("i32 @printf(ptr, ...)")
    everything = ", ".join(["i32 %pid_x", "i32 %pid_y", "i32 %pid_z", *arguments])
    b.inst(f"call i32 (ptr, ...) @printf(ptr {constant_text(b, text)}, {everything})")


# ---- assert


@lowers("tt.assert")
def _assert(low: Lowering, op: Op) -> None:
    """A program instance whose condition is false ends.

    The launch raises the first one's message.
    """
    condition = op.operands[0]
    low.can_fail = True
    message = f"{low.name}, {op.source}: device assertion failed"
    text = constant_text(low.b, f"{message}: {op.attrs['text']}" if op.attrs["text"] else message)

    def check(index: Index, width: int) -> None:
        holds = low.lazy.eval(condition, index, width)
        value = holds.value
        if holds.vector:
            lanes = low.b.inst(f"bitcast <{width} x i1> {value} to i{width}")
            value = low.b.inst(f"icmp eq i{width} {lanes}, -1")
        low.b.if_else(value, lambda: None, lambda: _fail(low, text))

    if not condition.type.is_tensor:
        check((), 1)
        return
    pending = low.prepare([condition], condition.type.dims)
    low.loops.run([condition], condition.type.dims, check, pending)


def _fail(low: Lowering, text: str) -> None:
    """Write message and program to the launch's record, unless
    another was first, and end the program.
    """
    b = low.b
    pair = b.inst(f"cmpxchg ptr %failure, ptr null, ptr {text} seq_cst seq_cst")

    def first() -> None:
        b.line(f"store i64 %program, ptr {b.offset('%failure', '8')}")

    b.if_else(b.inst(f"extractvalue {{ ptr, i1 }} {pair}, 1"), first)
    b.jump(low.frames[0].exit_label)
    b.begin_block(b.label("unreached"))


def constant_text(b: Builder, text: str) -> str:
    """A C string in the module."""
    data = text.encode() + b"\0"
    name = f"@text{b.name()[1:]}"
    escaped = "".join(chr(c) if 32 <= c < 127 and c not in b'"\\' else f"\\{c:02X}" for c in data)
    b.declarations.add(f'{name} = private constant [{len(data)} x i8] c"{escaped}"')
    return name

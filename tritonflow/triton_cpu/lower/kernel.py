"""One kernel: its native function, which runs a range of program instances."""

from __future__ import annotations

from dataclasses import dataclass

from tritonflow.errors import CompileError
from tritonflow.triton_cpu.launch import ENTRY
from tritonflow.triton_cpu.parser import parse
from tritonflow.triton_cpu.target import Target
from tritonflow.triton_cpu.types import llvm_type

from . import atomic, control, debug, dot, map, rearrange, reduce, scaled, scan  # noqa: F401  (they register their rules)
from .analysis import written_arguments
from .control import lower_function
from .lanes import uniform
from .lowering import Lowering

# Buffers up to this size in all live on the stack of the thread that runs the program.
STACK_LIMIT = 64 * 1024


@dataclass(frozen=True, slots=True)
class LoweredKernel:
    """The LLVM IR of a kernel.

    Attributes:
        name: the kernel's name.
        text: `void @kernel(i64 begin, i64 end, i32 gx, i32 gy, i32 gz, ptr args, ptr scratch)`.
            `args` has 8 bytes for each argument, and then the address of a record: message and
            program instance of the first failed assertion.
        declarations: what the text refers to.
        arguments: their element types, in order.
        scratch: bytes of scratch memory that a thread needs.
        cost: an estimate of the instructions of one program instance.
        written: of each argument, whether the kernel may write the memory that it points to.
    """

    name: str
    text: str
    declarations: frozenset[str]
    arguments: tuple[str, ...]
    scratch: int
    cost: float
    written: tuple[bool, ...]


def lower(ttir: str, target: Target, checked: bool = False) -> LoweredKernel:
    """LLVM IR of a module's kernel. If `checked`, it looks addresses up before it uses them."""
    functions = parse(ttir)
    public = [f for f in functions.values() if f.public]
    if len(public) != 1:
        raise CompileError(f"a module with {len(public)} public functions")
    function = public[0]
    low = Lowering(function.name, functions, target, checked)
    head = []
    for k, arg in enumerate(function.args):
        type_ = llvm_type(arg.type.elem)
        head.append(f"  %p{k} = getelementptr i8, ptr %args, i64 {8 * k}")
        head.append(f"  %a{k} = load {type_}, ptr %p{k}, align 8")
        low.values.scalars[arg] = uniform(arg.type.elem, f"%a{k}")
    with function.locations.named():
        lower_function(low, function, [], "next")
    if low.can_fail:
        head.append(f"  %failure_at = getelementptr i8, ptr %args, i64 {8 * len(function.args)}")
        head.append("  %failure = load ptr, ptr %failure_at, align 8")
    buffers, scratch = _allocate(low.buffers)
    end = [_FOOTER, *_fence(low, target), "  ret void\n}", *(["!0 = !{i32 1}"] if low.b.streams else [])]
    text = "\n".join([_HEADER, *head, *buffers, *low.b.allocas, _LOOP, *low.b.lines, *end])
    arguments = tuple(arg.type.elem for arg in function.args)
    declarations, written = frozenset(low.b.declarations), written_arguments(function)
    return LoweredKernel(function.name, text, declarations, arguments, scratch, low.b.cost, written)


def _fence(low: Lowering, target: Target) -> list[str]:
    """A fence behind stores past the caches, which x86 does not order with other stores."""
    if not low.b.streams or not target.triple.startswith("x86_64"):
        return []
    low.b.declare("void @llvm.x86.sse.sfence()")
    return ["  call void @llvm.x86.sse.sfence()"]


def _allocate(buffers: list[tuple[str, int]]) -> tuple[list[str], int]:
    """The buffers on the stack, or in scratch memory, and the bytes of scratch that they take."""
    total = sum(size for _, size in buffers)
    if total <= STACK_LIMIT:
        return [f"  {name} = alloca [{size} x i8], align 64" for name, size in buffers], 0
    lines, offset = [], 0
    for name, size in buffers:
        lines.append(f"  {name} = getelementptr i8, ptr %scratch, i64 {offset}")
        offset += size
    return lines, offset


_HEADER = f"""define void @{ENTRY}(i64 %begin, i64 %end, i32 %gx, i32 %gy, i32 %gz, ptr noalias readonly %args,\
 ptr noalias %scratch) #0 {{
entry:"""

# The position in the grid is divided out once for a range of program instances, and counted from
# there. A division costs as much as streaming 256 bytes.
_LOOP = """  %gx64 = zext i32 %gx to i64
  %gy64 = zext i32 %gy to i64
  %row = udiv i64 %begin, %gx64
  %first_x64 = urem i64 %begin, %gx64
  %first_y64 = urem i64 %row, %gy64
  %first_z64 = udiv i64 %row, %gy64
  %first_x = trunc i64 %first_x64 to i32
  %first_y = trunc i64 %first_y64 to i32
  %first_z = trunc i64 %first_z64 to i32
  br label %programs
programs:
  %program = phi i64 [ %begin, %entry ], [ %program_next, %next ]
  %pid_x = phi i32 [ %first_x, %entry ], [ %next_x, %next ]
  %pid_y = phi i32 [ %first_y, %entry ], [ %next_y, %next ]
  %pid_z = phi i32 [ %first_z, %entry ], [ %next_z, %next ]
  %more = icmp slt i64 %program, %end
  br i1 %more, label %run, label %finished
run:"""

_FOOTER = """next:
  %program_next = add i64 %program, 1
  %beside = add i32 %pid_x, 1
  %row_ends = icmp eq i32 %beside, %gx
  %next_x = select i1 %row_ends, i32 0, i32 %beside
  %carry_y = zext i1 %row_ends to i32
  %below = add i32 %pid_y, %carry_y
  %plane_ends = icmp eq i32 %below, %gy
  %next_y = select i1 %plane_ends, i32 0, i32 %below
  %carry_z = zext i1 %plane_ends to i32
  %next_z = add i32 %pid_z, %carry_z
  br label %programs
finished:"""

"""Checked kernels: every address that a mask lets through is looked up before it is used."""

from __future__ import annotations

from dataclasses import dataclass

from tritonflow.triton_cpu.ir import Op
from tritonflow.triton_cpu.types import size_of

from . import memory
from .lanes import LaneBuilder, Lanes, made

_DECLARATION = "void @tf_check(ptr, ptr, i32, i64, i1, ptr, i32, i32, i32)"


@dataclass(frozen=True, slots=True)
class AddressCheck:
    """Emits the calls that look addresses up.

    Attributes:
        lb: where they are emitted.
        enabled: whether the kernel is checked. If not, nothing is emitted.
        anywhere: whether the kernel computes pointers from integers, so that any address may be
            meant.
    """

    lb: LaneBuilder
    enabled: bool
    anywhere: bool

    def inside(self, op: Op, pointer: Lanes, mask: Lanes | None, elem: str, width: int) -> Lanes | None:
        """`mask` without the lanes whose address lies outside of all known memory.

        The first such lane becomes the launch's failure.
        """
        if not self.enabled or (mask is not None and mask.literal and mask.value == "0"):
            return mask
        b, lb = self.lb.b, self.lb
        if pointer.uniform and (mask is None or mask.uniform):
            width = 1
        addresses, lanes = b.alloca(f"[{width} x ptr]"), b.alloca(f"[{width} x i8]")
        pointers = lb.vec(pointer, width)
        b.line(f"store {'ptr' if width == 1 else f'<{width} x ptr>'} {pointers}, ptr {addresses}")
        wanted = lb.vec(mask, width) if mask is not None else lb.splat("i1", "true", width)
        bits, bytes_ = ("i1", "i8") if width == 1 else (f"<{width} x i1>", f"<{width} x i8>")
        b.line(f"store {bytes_} {b.inst(f'zext {bits} {wanted} to {bytes_}')}, ptr {lanes}")
        b.declare(_DECLARATION)
        b.line(
            f"call void @tf_check(ptr {addresses}, ptr {lanes}, i32 {width}, i64 {size_of(memory.stored(elem))}, "
            f"i1 {int(self.anywhere)}, ptr {self._site(op)}, i32 %pid_x, i32 %pid_y, i32 %pid_z)"
        )
        left = b.inst(f"load {bytes_}, ptr {lanes}")
        return made("i1", b.inst(f"trunc {bytes_} {left} to {bits}"), width)

    def _site(self, op: Op) -> str:
        """A constant text that says which operation it is."""
        text = f"{op.name} at {op.source or f'TTIR line {op.line}'}".encode("ascii", "replace")
        escaped = "".join(chr(c) if chr(c).isalnum() or chr(c) in " ./:,_-" else f"\\{c:02x}" for c in text)
        name = f"@site{op.line}"
        self.lb.b.declarations.add(f'{name} = private constant [{len(text) + 1} x i8] c"{escaped}\\00"')
        return name

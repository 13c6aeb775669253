"""The state of lowering one kernel, which every root's rule is given."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tritonflow.triton_cpu.ir import Block, Function, Op, Value
from tritonflow.triton_cpu.target import Target
from tritonflow.triton_cpu.types import Type, size_of

from . import memory, views
from .analysis import walk
from .builder import Builder
from .check import AddressCheck
from .evaluate import LazyEvaluator
from .lanes import Index, LaneBuilder
from .memory import StackBuffer
from .nest import LoopNests


@dataclass(frozen=True, slots=True)
class ValueSlot:
    """Memory for a value that crosses control flow: `cell` for a scalar, `buffer` for a tensor."""

    type: Type
    cell: str = ""
    buffer: StackBuffer | None = None


@dataclass(frozen=True, slots=True)
class Frame:
    """Where the jumps and returns of a function under lowering go.

    Attributes:
        results: where it leaves its results.
        exit_label: where control goes behind it.
        labels: the label of each of its blocks but the first.
        slots: where each of these blocks finds its arguments.
    """

    results: list[ValueSlot]
    exit_label: str
    labels: dict[str, str]
    slots: dict[str, list[ValueSlot]]


class Lowering:
    """One kernel on its way to LLVM IR.

    Attributes:
        name: the kernel's name.
        functions: the functions of its module, by name.
        target: the CPU that code is made for.
        b: where code is emitted.
        lb: arithmetic on lanes, emitted there.
        lazy: evaluates lazy values.
        values: how values that are known are read.
        loops: emits the loop nests of roots.
        buffers: name and bytes of every buffer.
        block: the block under lowering.
        frames: the functions under lowering, from the kernel inwards.
        stores_at: for each store of tensors, the stores that are done where it stands.
        product_stores: the stores that a product leads to.
        dot_updates: loop-carried tensors whose buffer a product may add to, and that product.
        can_fail: whether an assertion may leave a message for the launch.
    """

    def __init__(self, name: str, functions: dict[str, Function], target: Target, checked: bool = False) -> None:
        self.name, self.functions, self.target = name, functions, target
        self.b = Builder()
        self.lb = LaneBuilder(self.b, target.native_f16, target.fma, target.vector_bits == 512)
        anywhere = "tt.int_to_ptr" in {op.name for f in functions.values() for op in walk(f.blocks)}
        self.lazy = LazyEvaluator(self.lb, AddressCheck(self.lb, checked, anywhere))
        self.values = self.lazy.values
        self.loops = LoopNests(self.lazy)
        self.buffers: list[tuple[str, int]] = []
        self.block: Block | None = None
        self.frames: list[Frame] = []
        self.stores_at: dict[Op, tuple[Op, ...]] = {}
        self.product_stores: set[Op] = set()
        self.dot_updates: dict[Value, Op] = {}
        self.can_fail = False

    # ---- scopes

    @contextmanager
    def within(self, block: Block) -> Iterator[None]:
        """Around the lowering of a block, or of a part of it."""
        outer = self.block
        self.block = block
        try:
            with self.lazy.memo_scope():
                yield
        finally:
            self.block = outer

    @contextmanager
    def function(self, frame: Frame) -> Iterator[None]:
        """Around the lowering of a function's blocks."""
        self.frames.append(frame)
        try:
            yield
        finally:
            self.frames.pop()

    # ---- buffers

    def new_buffer(self, type_: Type) -> StackBuffer:
        """Memory for a tensor, which lasts as long as the program instance."""
        name = self.b.name()
        bytes_ = type_.size * size_of(memory.stored(type_.elem))
        self.buffers.append((name, (bytes_ + 127) // 64 * 64))
        return StackBuffer(name, type_.dims, type_.elem)

    def buffer_of(self, value: Value) -> StackBuffer:
        """The buffer of a tensor, which is evaluated into one if it has none."""
        return self.values.buffers.get(value) or self.materialise(value)

    def materialise(self, value: Value, into: StackBuffer | None = None) -> StackBuffer:
        """Evaluate a tensor into a buffer: one of its own, which later uses read, or `into`."""
        shape = value.type.dims
        pending = self.prepare([value], shape, value)
        buffer = into or self.new_buffer(value.type)

        def write(index: Index, width: int) -> None:
            memory.write_buffer(self.lb, buffer, index, self.lazy.eval(value, index, width), width)

        self.loops.run([value], shape, write, pending)
        if into is None:
            self.values.buffers[value] = buffer
        return buffer

    def prepare(
        self, values: Iterable[Value], shape: tuple[int, ...], root: Value | None = None
    ) -> dict[Value, StackBuffer]:
        """Buffers for the chosen values that a root over `shape` evaluates on the way to `values`.

        The ones that it evaluates at its own index are pending: their buffers are returned, and the
        root's loops fill them. The others are materialised now.

        Args:
            root: the value that is materialised, if the root is that.
        """
        identity: views.Symbolic = tuple(range(len(shape)))
        while True:
            reached = views.reached_at(self.values, values, identity)
            chosen = {v: at for v, at in reached.items() if v in self.values.chosen and v is not root}
            apart = [
                v for v, at in chosen.items() if at != {identity} or v.type.dims != shape or v.block is not self.block
            ]
            if not apart:
                return {v: self.new_buffer(v.type) for v in chosen}
            self.materialise(apart[0])

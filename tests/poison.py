"""Poison: memory that a kernel is given holds NaN or large numbers, so that an element left unwritten or stale is seen.

Inside of `poisoned()` a block is overwritten when it goes back to its free list and when it leaves it, a new one when it is cut,
and a graph's arena before each of its runs. `pytest --poison` does that to every test, the fixture `poison` to one.
Only the host's memory is poisoned.
"""

from __future__ import annotations

import ctypes
import random
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from tritonflow.device import memory, torch_cuda
from tritonflow.device.memory import Block, FreeList, MemoryPool
from tritonflow.device.provider import active_providers
from tritonflow.graph.plan.executable import Executable
from tritonflow.graph.watch.user_code import take_for_library
from tritonflow.vm.machine import machine

# In turns that are not those of the program. As floats the first is NaN and the second large; as integers -1 and large.
PATTERNS = (0xFF, 0x7B)
take_for_library(__file__)  # what it draws and writes is no part of the program
_turns = random.Random(0)
_memset = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t)(("memset", ctypes.CDLL(None)))


def fill(block: Block) -> None:
    """Overwrite a block that nobody uses, without giving up the interpreter's lock."""
    if block.storage.device.type != "cpu":
        return
    write = partial(_memset, block.ptr, _turns.choice(PATTERNS), block.nbytes)
    stream = getattr(block.free, "stream", None) or block.stream
    if stream is not None and stream.asynchronous:  # of the stand-in for a GPU: behind what it has to do
        torch_cuda.runtime.do(write, stream.handle)
    else:
        write()


class PoisonedFreeList(FreeList):
    """A free list of poisoned blocks. What is still queued on their stream comes first."""

    __slots__ = ()

    def append(self, block: Block) -> None:
        if self.stream.immediate:
            fill(block)
        super().append(block)

    def pop(self, *position: Any) -> Block:
        return _handed_out(super().pop(*position))


def _handed_out(block: Block) -> Block:
    stream = block.stream or block.free.stream
    if stream.immediate and block.dependence is None:
        fill(block)
    else:
        machine.issue(stream, lambda: fill(block), (), (block,), name="poison")
    return block


@contextmanager
def poisoned() -> Iterator[None]:
    """A stretch of the program in which memory is poisoned; one inside another changes nothing."""
    if memory.FreeList is PoisonedFreeList:
        yield
        return
    new_block, execute = MemoryPool.new_block, Executable.execute

    def new_poisoned_block(self: MemoryPool, free: FreeList) -> Block:
        return _handed_out(new_block(self, free))

    def execute_poisoned(self: Executable, live: list[Any], versions: list[int] | None = None) -> None:
        fill(self._arena.block)
        if self._folded_memory is not None and self.folds is not None and (versions is None or versions != self.folds.filled):
            fill(self._folded_memory.block)
        execute(self, live, versions)

    MemoryPool.new_block, Executable.execute = new_poisoned_block, execute_poisoned  # type: ignore[method-assign]
    _set_class(PoisonedFreeList)
    try:
        yield
    finally:
        MemoryPool.new_block, Executable.execute = new_block, execute  # type: ignore[method-assign]
        _set_class(FreeList)


def _set_class(kind: type[FreeList]) -> None:
    """Of the free lists to come, and of those that there are, which plans hold."""
    memory.FreeList = kind  # type: ignore[misc]
    for provider in active_providers():
        for free in provider.pool._free.values():
            free.__class__ = kind

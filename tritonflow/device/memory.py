"""The memory pool: blocks over torch's storage, reused in stream order.

`torch.empty` costs about 0.9 us, a block from a free list about 0.1 us. Sizes are rounded up to classes (an eighth
apart), a free list holds the blocks of one class last used on one stream, and small blocks are cut from slabs. Where much is
reserved, a free block of up to twice the size serves before the device is asked. A block
released while its last kernel is still queued may be handed out again at once, because the next user is queued behind
it on the same stream.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from typing import Any, Protocol

from tritonflow.errors import OutOfMemoryError
from tritonflow.settings import settings

ALIGNMENT = 512
SLAB = 2 << 20
_SMALL = 64 << 10
_SPARE = 256 << 20  # bytes that a pool may hold whatever is in use
_SURPLUS = 3  # times what ever was in use: what a bounded pool may hold in free blocks beyond that


class Storage(Protocol):
    """Memory of a device: torch's object, which gives it back when it dies."""

    def data_ptr(self) -> int:
        """Its address."""

    def nbytes(self) -> int:
        """Its size."""


class Block:
    """A piece of device memory and what the VM knows about its use.

    `stream` is the stream that orders every outstanding access; None means that `dependence` tracks them one by one.
    `free` is what the block is appended to when its last tensor dies.
    """

    __slots__ = ("ptr", "nbytes", "free", "stream", "dependence", "storage", "offset", "__weakref__")

    def __init__(
        self, ptr: int, nbytes: int, free: Any, stream: Any, storage: Storage, offset: int
    ) -> None:
        self.ptr = ptr
        self.nbytes = nbytes
        self.free = free
        self.stream = stream
        self.dependence: Any = None
        self.storage = storage
        self.offset = offset


class FreeList(list[Block]):
    """The free blocks of one size class on one stream."""

    __slots__ = ("nbytes", "stream")

    def __init__(self, nbytes: int, stream: Any) -> None:
        super().__init__()
        self.nbytes = nbytes
        self.stream = stream


class Discard:
    """Where blocks of foreign memory go: nowhere, the storage is dropped with the block."""

    def append(self, block: Block) -> None:
        """Forget the block."""


DISCARD = Discard()

reclaim_hooks: list[Callable[[], None]] = []
"""Called before a pool asks its device for memory: they bring back blocks whose last use on other streams is over."""


def size_class(nbytes: int) -> int:
    """Round up to a multiple of 512 bytes and, above 4 KiB, to an eighth of the power of two below."""
    nbytes = max(nbytes, 1)
    step = ALIGNMENT
    if nbytes > 8 * ALIGNMENT:
        step = max(ALIGNMENT, 1 << ((nbytes - 1).bit_length() - 4))
    return -(-nbytes // step) * step


settle_hooks: list[Callable[[], None]] = []
"""Called before a pool gives memory back to its device: they wait until everything issued and queued is over."""


class Tracker(Protocol):
    """Who wants to know what memory there is."""

    def made(self, block: Block) -> None:
        """A block is there: until `gone`, or if it is foreign (`free` is DISCARD) for as long as it lives."""

    def gone(self, block: Block) -> None:
        """Its memory goes back to the device."""


class MemoryPool:
    """The blocks of one device.

    Args:
        name: of the device, for errors.
        allocate_storage: asks the device for bytes that are first used on a stream; may raise `MemoryError` or torch's
            out-of-memory error.
        synchronize: waits until everything queued on the device is done.
        trim: returns memory that the layer below has kept to the device.
        capacity: the size of the device's memory, for errors.
        is_bounded: whether free blocks are given back when they have three times the bytes that ever were in use. That is for
            devices that promise more memory than there is, as a CPU does; others refuse, and are asked again behind `empty_cache`.
        tracker: told of each block. Blocks then have exactly the bytes that were asked for, in storage of their own,
            so that whatever is read or written beside them can be noticed.
    """

    def __init__(
        self,
        name: str,
        allocate_storage: Callable[[int, Any], Storage],
        synchronize: Callable[[], None],
        trim: Callable[[], None] | None = None,
        capacity: Callable[[], int] | None = None,
        is_bounded: bool = False,
        tracker: Tracker | None = None,
    ) -> None:
        self.name = name
        self._is_bounded = is_bounded
        self._most_in_use = 0
        self._tracker = tracker
        self._allocate_storage = allocate_storage
        self._synchronize = synchronize
        self._trim = trim
        self._capacity = capacity
        self._free: dict[tuple[Any, int], FreeList] = {}
        self._slabs: dict[Any, list[Any]] = {}
        self._lock = threading.RLock()
        self._reserved = 0
        self._peak_reserved = 0
        self._blocks = 0
        self._limit = settings.memory_limit

    def free_list(self, nbytes: int, stream: Any) -> FreeList:
        """The free list that blocks for `nbytes` on `stream` come from and return to."""
        key = (stream, max(nbytes, 1) if self._tracker else size_class(nbytes))
        found = self._free.get(key)
        if found is None:
            with self._lock:
                found = self._free.setdefault(key, FreeList(key[1], stream))
        return found

    def allocate(self, nbytes: int, stream: Any) -> Block:
        """A block of at least `nbytes`, whose first use must be on `stream`."""
        free = self.free_list(nbytes, stream)
        try:
            return free.pop()
        except IndexError:
            return self.new_block(free)

    def new_block(self, free: FreeList) -> Block:
        """A block that no free list had: cut from a slab if small, from the device otherwise."""
        for reclaim in reclaim_hooks:
            reclaim()
        if free:
            return free.pop()
        with self._lock:
            if free.nbytes <= _SMALL and self._tracker is None:
                block = self._cut(free)
            else:
                if self._reserved > _SPARE and self._tracker is None:
                    larger = self._larger(free)
                    if larger is not None:
                        return larger
                    if self._is_bounded:
                        self._give_back_surplus(free.nbytes)
                storage = self._reserve(free.nbytes + ALIGNMENT, free.stream)
                offset = -storage.data_ptr() % ALIGNMENT
                block = Block(storage.data_ptr() + offset, free.nbytes, free, free.stream, storage, offset)
                self._tracked(block)
            self._blocks += 1
            return block

    def own(self, nbytes: int, stream: Any) -> Block:
        """Memory that no free list has had or will get: for what the host writes while the stream is running.

        A block of a free list may still be in use by what is queued on its stream.
        """
        storage = self._ask(nbytes + ALIGNMENT, stream)
        offset = -storage.data_ptr() % ALIGNMENT
        return self._tracked(Block(storage.data_ptr() + offset, nbytes, DISCARD, stream, storage, offset))

    def adopt(self, storage: Storage, stream: Any) -> Block:
        """Foreign memory, which goes where it came from with its last tensor."""
        return self._tracked(Block(storage.data_ptr(), storage.nbytes(), DISCARD, stream, storage, 0))

    def _tracked(self, block: Block) -> Block:
        if self._tracker is not None:
            self._tracker.made(block)
        return block

    def _cut(self, free: FreeList) -> Block:
        slab = self._slabs.get(free.stream)
        if slab is None or slab[1] + free.nbytes > SLAB:
            storage = self._reserve(SLAB + ALIGNMENT, free.stream)
            slab = self._slabs[free.stream] = [storage, 0, -storage.data_ptr() % ALIGNMENT]
        storage, used, base = slab
        slab[1] = used + free.nbytes
        return Block(storage.data_ptr() + base + used, free.nbytes, free, free.stream, storage, base + used)

    def _reserve(self, nbytes: int, stream: Any) -> Storage:
        try:
            storage = self._ask(nbytes, stream)
        except (MemoryError, RuntimeError):
            self.empty_cache()
            try:
                storage = self._ask(nbytes, stream)
            except (MemoryError, RuntimeError) as error:
                stats = self.stats()
                in_use, held = stats["allocated_bytes"], stats["cached_bytes"]
                capacity = self._limit or (self._capacity() if self._capacity is not None else None)
                raise OutOfMemoryError(self.name, nbytes, in_use, held, capacity) from error
        self._reserved += nbytes
        self._peak_reserved = max(self._peak_reserved, self._reserved)
        return storage

    def _ask(self, nbytes: int, stream: Any) -> Storage:
        if nbytes >= 2**63:
            raise MemoryError(f"{nbytes} bytes are more than can be addressed")
        if self._limit and self._reserved + nbytes > self._limit:
            raise MemoryError(f"TRITONFLOW_MEMORY_LIMIT is {self._limit} bytes")
        return self._allocate_storage(nbytes, stream)

    def _larger(self, free: FreeList) -> Block | None:
        """A free block of up to twice the bytes, which returns to its own list."""
        nbytes = free.nbytes
        while nbytes < 2 * free.nbytes:
            nbytes = size_class(nbytes + 1)
            blocks = self._free.get((free.stream, nbytes))
            if blocks:
                with contextlib.suppress(IndexError):  # another thread was quicker
                    return blocks.pop()
        return None

    def _give_back_surplus(self, wanted: int) -> None:
        """Before `wanted` bytes are asked for: free blocks go if there are too many.

        Otherwise shapes that grow leave blocks of every size class behind: 12 times what is in use (tests/device/test_memory.py).
        """
        free = sum([len(blocks) * blocks.nbytes for blocks in self._free.values()])
        self._most_in_use = max(self._most_in_use, self._reserved - free + wanted)
        if free > _SURPLUS * self._most_in_use:
            taken = self._take_free()
            if any(getattr(block.free.stream, "queue", ()) for block in taken):  # what is queued may still use them
                self._return(taken)
            else:
                self._give_back(taken)

    def empty_cache(self) -> None:
        """Give every free block that is not part of a slab back to the device."""
        for reclaim in reclaim_hooks:
            reclaim()
        taken = self._take_free()  # first, so that what is free behind the wait, and may be in use, is not among them
        try:
            for settle in settle_hooks:
                settle()
            self._synchronize()
        except BaseException:
            self._return(taken)
            raise
        self._give_back(taken)
        del taken
        if self._trim is not None:
            self._trim()

    def _take_free(self) -> list[Block]:
        """The free blocks that are not part of a slab; nobody is handed them any more."""
        taken: list[Block] = []
        with self._lock:
            for free in self._free.values():
                if free.nbytes > _SMALL or self._tracker is not None:
                    with contextlib.suppress(IndexError):  # it is empty
                        while True:
                            taken.append(free.pop())
        return taken

    @staticmethod
    def _return(taken: list[Block]) -> None:
        for block in taken:
            block.free.append(block)

    def _give_back(self, taken: list[Block]) -> None:
        with self._lock:
            for block in taken:
                if self._tracker is not None:
                    self._tracker.gone(block)
                self._reserved -= block.nbytes + ALIGNMENT
                self._blocks -= 1
            taken.clear()

    def stats(self) -> dict[str, int]:
        """Bytes reserved from the device, in use, cached, and the number of blocks."""
        with self._lock:
            cached = sum(len(free) * free.nbytes for free in self._free.values())
            cached += sum(SLAB - slab[1] for slab in self._slabs.values())
            return {
                "allocated_bytes": self._reserved - cached,
                "cached_bytes": cached,
                "reserved_bytes": self._reserved,
                "peak_reserved_bytes": self._peak_reserved,
                "blocks": self._blocks,
                "free_blocks": sum(len(free) for free in self._free.values()),
            }


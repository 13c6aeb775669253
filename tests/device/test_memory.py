"""The memory pool: reuse in stream order, slabs, a full device."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

import tritonflow as flow
from tests.device.fake_cuda import FakeCuda
from tritonflow.device import memory
from tritonflow.device.device import Device
from tritonflow.device.memory import ALIGNMENT, SLAB, MemoryPool, size_class
from tritonflow.device.provider import get_provider
from tritonflow.errors import OutOfMemoryError
from tritonflow.settings import settings

MIB = 1 << 20


@pytest.fixture
def device() -> FakeCuda:
    return FakeCuda(total=16 * MIB)


def pool_of(device: FakeCuda) -> MemoryPool:
    return MemoryPool(
        "cuda:0",
        lambda nbytes, stream: device.storage(nbytes, 0),
        lambda: device.synchronize(0),
        trim=device.empty_cache,
        capacity=lambda: device.total,
    )


def give_back(*blocks: Any) -> None:
    for block in blocks:
        block.free.append(block)


@pytest.mark.parametrize("nbytes", [0, 1, 511, 512, 513, 4096, 4097, 65536, 65537, MIB, MIB + 1, 3 * MIB + 17])
def test_size_classes(nbytes: int) -> None:
    size = size_class(nbytes)
    assert size >= nbytes and size % ALIGNMENT == 0
    assert size_class(size) == size
    assert size - nbytes <= max(ALIGNMENT, nbytes // 8)


def test_blocks_are_aligned_and_do_not_overlap(device: FakeCuda) -> None:
    pool = pool_of(device)
    blocks = [pool.allocate(n, "s") for n in (1, 1000, 70000, 3, MIB, 40000, 5)]
    assert all(block.ptr % ALIGNMENT == 0 for block in blocks)
    blocks.sort(key=lambda block: block.ptr)
    assert all(a.ptr + a.nbytes <= b.ptr for a, b in zip(blocks, blocks[1:]))


def test_large_blocks_of_the_cpu_ask_for_huge_pages() -> None:
    try:
        areas = Path("/proc/self/smaps").read_text
        modes = Path("/sys/kernel/mm/transparent_hugepage/enabled").read_text()
    except OSError:
        pytest.skip("not a Linux with huge pages")
    if "[never]" in modes or not areas():
        pytest.skip("huge pages are switched off")
    x = flow.zeros(8 * MIB)
    middle = torch.from_dlpack(x).data_ptr() + 16 * MIB
    flags = ""
    for line in areas().splitlines():
        first = line.split()[0]
        if "-" in first and not first.endswith(":"):
            low, high = (int(end, 16) for end in first.split("-"))
            inside = low <= middle < high
        elif first == "VmFlags:" and inside:
            flags = line
    assert " hg" in flags


def test_a_block_is_reused_on_its_stream_only(device: FakeCuda) -> None:
    pool = pool_of(device)
    block = pool.allocate(MIB, "a")
    give_back(block)
    assert pool.allocate(MIB, "b") is not block
    assert pool.allocate(MIB - 100, "a") is block


def test_small_blocks_share_a_slab(device: FakeCuda) -> None:
    pool = pool_of(device)
    for _ in range(100):
        pool.allocate(1000, "s")
    assert device.sizes == [SLAB + ALIGNMENT]


def test_stats(device: FakeCuda) -> None:
    pool = pool_of(device)
    block = pool.allocate(2 * MIB, "s")
    reserved = 2 * MIB + ALIGNMENT
    assert pool.stats() == {
        "allocated_bytes": reserved, "cached_bytes": 0, "reserved_bytes": reserved, "peak_reserved_bytes": reserved,
        "blocks": 1, "free_blocks": 0,
    }  # fmt: skip
    give_back(block)
    stats = pool.stats()
    assert (stats["cached_bytes"], stats["free_blocks"]) == (2 * MIB, 1)


def test_empty_cache_gives_free_blocks_back(device: FakeCuda) -> None:
    pool = pool_of(device)
    kept, free = pool.allocate(2 * MIB, "s"), pool.allocate(2 * MIB, "s")
    give_back(free)
    del free
    pool.empty_cache()
    assert device.used == 2 * MIB + ALIGNMENT == pool.stats()["reserved_bytes"]
    assert device.log == [("device", 0), ("trim",)], "first wait, then give back"
    assert kept.nbytes == 2 * MIB


def test_a_full_device_is_flushed_and_asked_again(device: FakeCuda) -> None:
    pool = pool_of(device)
    give_back(*[pool.allocate(n * MIB, "s") for n in (3, 4, 5)])
    block = pool.allocate(12 * MIB, "s")
    assert block.nbytes == 12 * MIB
    assert device.log == [("device", 0), ("trim",)]
    assert device.sizes[-2:] == [12 * MIB + ALIGNMENT] * 2


class Storage:
    """Memory that nobody touches."""

    def __init__(self, nbytes: int) -> None:
        self.nbytes = nbytes

    def data_ptr(self) -> int:
        return ALIGNMENT


def growing(chance: random.Random, number: int) -> int:
    return (1 + number // 8 % 4096) * 3072


SIZES: dict[str, Callable[[random.Random, int], int]] = {
    "uniform": lambda chance, number: chance.randrange(4, 64 * MIB),
    "by powers": lambda chance, number: int(2 ** chance.uniform(2, 26)),
    "growing": growing,
}


@pytest.mark.parametrize("live", [1, 8, 50])
@pytest.mark.parametrize("sizes", SIZES)
def test_varying_shapes(sizes: str, live: int, seed: int) -> None:
    """Blocks of 100,000 sizes, so many of them at once: the pool holds at most four times what is in use, and hardly ever asks anew."""
    asked: list[int] = []

    def storage(nbytes: int, stream: Any) -> Any:
        asked.append(nbytes)
        return Storage(nbytes)

    pool = MemoryPool("cpu", storage, lambda: None, is_bounded=True)
    chance, blocks, in_use, most, wanted = random.Random(seed), [], 0, 0, 0
    for number in range(100_000):
        block = pool.allocate(SIZES[sizes](chance, number), "s")
        blocks.append(block)
        in_use, wanted = in_use + block.nbytes, wanted + block.nbytes
        most = max(most, in_use)
        if len(blocks) > live:
            block = blocks.pop(chance.randrange(len(blocks)))
            in_use -= block.nbytes
            give_back(block)
    assert pool.stats()["peak_reserved_bytes"] <= 4 * most + memory._SPARE + 64 * MIB
    assert sum(asked) < 0.15 * wanted
    pool.empty_cache()
    assert pool.stats()["reserved_bytes"] < in_use + live * ALIGNMENT + 64 * MIB, "what is free goes"


def test_a_larger_block_serves_where_much_is_reserved(device: FakeCuda) -> None:
    device.total = 1024 * MIB
    pool = pool_of(device)
    small, free = pool.allocate(30 * MIB, "s"), [pool.allocate(n * MIB, "s") for n in (32, 300)]
    give_back(*free)
    assert pool.allocate(16 * MIB, "other") not in free
    first = pool.allocate(16 * MIB, "s")
    assert first is free[0] and first.nbytes == 32 * MIB, "twice as large"
    assert pool.allocate(140 * MIB, "s") is not free[1], "more than twice"
    give_back(first)
    assert pool.allocate(32 * MIB, "s") is first and small.nbytes == 30 * MIB, "it returned to its own list"


def test_out_of_memory_names_the_sizes(device: FakeCuda) -> None:
    pool = pool_of(device)
    kept = pool.allocate(12 * MIB, "s")
    give_back(pool.allocate(2 * MIB, "s"))
    with pytest.raises(OutOfMemoryError, match=r"cuda:0 out of memory: tried to allocate 8\.00 MiB") as caught:
        pool.allocate(8 * MIB, "s")
    error = caught.value
    assert (error.in_use, error.held, error.capacity) == (12 * MIB + ALIGNMENT, 0, 16 * MIB)
    assert "in use 12.00 MiB of 16.00 MiB" in str(error)
    give_back(kept)
    del kept
    assert pool.allocate(8 * MIB, "s").nbytes == 8 * MIB, "nothing was lost by the failure"


def test_a_limit(device: FakeCuda) -> None:
    with settings.override(memory_limit=4 * MIB):
        pool = pool_of(device)
    pool.allocate(3 * MIB, "s")
    with pytest.raises(OutOfMemoryError, match=r"of 4\.00 MiB"):
        pool.allocate(2 * MIB, "s")


def test_blocks_in_use_elsewhere_are_asked_for_before_new_memory(
    device: FakeCuda, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = pool_of(device)
    block = pool.allocate(MIB, "s")
    monkeypatch.setattr(memory, "reclaim_hooks", [lambda: give_back(block)])
    assert pool.allocate(MIB, "s") is block


def test_a_full_gpu(cuda: FakeCuda) -> None:
    cuda.total = 24 * MIB
    x = flow.empty(4 * MIB, device="cuda")
    with pytest.raises(RuntimeError, match="out of memory: tried to allocate 32"):
        flow.empty(8 * MIB, device="cuda")
    assert x.numel() == 4 * MIB
    del x
    assert flow.empty(5 * MIB, device="cuda").numel() == 5 * MIB


QUEUED = """
import tritonflow as flow
x = flow.ones(1 << 24)  # more than what the C library holds back
flow.exp(x)
for _ in range(3):
    results = [flow.exp(x) for _ in range(3)]
    del results
    flow.empty_cache()
flow.sync()
assert flow.memory_stats()["free_blocks"] == 0 and x[-1].item() == 1.0
"""


def test_memory_that_queued_instructions_use_is_not_given_back() -> None:
    """In the threaded VM a block is free as soon as its tensor dies: its next user is queued behind the last. The device is not."""
    environment = {**os.environ, "TRITONFLOW_VM_MODE": "threaded", "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    done = subprocess.run([sys.executable, "-c", QUEUED], env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def test_blocks_of_a_busy_stream_are_no_surplus() -> None:
    class Stream:
        queue: list[str] = []

    with_work, most = Stream(), 0
    pool = MemoryPool("cpu", lambda nbytes, stream: Storage(nbytes), lambda: None, is_bounded=True)  # type: ignore[arg-type, return-value]
    for number in range(1, 200):
        with_work.queue = ["an instruction"]
        give_back(pool.allocate(number * MIB, with_work))
        most = pool.stats()["reserved_bytes"]
    assert most > 10 * 200 * MIB
    with_work.queue = []
    give_back(pool.allocate(400 * MIB, with_work))
    assert pool.stats()["reserved_bytes"] < 500 * MIB


def test_memory_of_a_gpu(cuda: FakeCuda) -> None:
    assert flow.cuda.memory_allocated() == 0
    x = flow.empty(MIB, device="cuda")
    assert flow.cuda.memory_allocated() >= 4 * MIB
    assert flow.cuda.memory_reserved() == flow.cuda.max_memory_reserved() >= 4 * MIB
    del x
    assert flow.cuda.memory_allocated() <= ALIGNMENT
    flow.cuda.empty_cache()
    assert flow.cuda.memory_reserved() == 0 == cuda.used
    assert flow.memory_stats("cuda")["reserved_bytes"] == 0
    assert get_provider(Device("cuda")).pool.name == "cuda:0"

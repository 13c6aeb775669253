"""What only a GPU shows: real streams, copies, memory that ends, large sizes, forks."""

from __future__ import annotations

import gc
import os
import threading

import pytest
import torch

import tritonflow as flow
from tritonflow.errors import OutOfMemoryError

pytestmark = pytest.mark.cuda


def same(x: flow.Tensor, expected: torch.Tensor) -> bool:
    return torch.equal(flow.to_torch(x).cpu(), expected)


@pytest.mark.parametrize("count", [0, 1, 1000, 300_001, 5_000_000])
def test_copies(count: int) -> None:
    """Small ones go through pinned memory, large ones do not."""
    for dtype in (torch.float32, torch.bfloat16):
        t = torch.randn(count).to(dtype)
        x = flow.from_torch(t.clone()).to("cuda")
        assert same(x.to("cpu"), t) and same(x + 0, t)


def test_streams_wait_for_each_other() -> None:
    t = torch.randint(-8, 8, (1 << 22,)).float()
    x = flow.from_torch(t.cuda())
    with flow.cuda.stream(flow.cuda.Stream()):
        y = x * 2
        for _ in range(20):
            y = y + x
    assert same(y + 1, t * 22 + 1)


def test_a_stream_of_torchs() -> None:
    """Memory is shared; who issues on a stream of torch's own waits for the default stream."""
    t = torch.randint(-8, 8, (1 << 22,)).float()
    x = flow.from_torch(t.cuda()) + 1
    with torch.cuda.stream(torch.cuda.Stream()):
        torch.cuda.current_stream().wait_stream(torch.cuda.default_stream())
        tripled = flow.to_torch(x) * 3
        torch.cuda.default_stream().wait_stream(torch.cuda.current_stream())
    assert same(flow.from_torch(tripled) + 1, (t + 1) * 3 + 1)


def test_threads_that_had_no_context() -> None:
    t = torch.randint(-4, 4, (256, 256)).float()
    x, expected, wrong = flow.from_torch(t.cuda()), torch.relu(t @ t), []

    def work() -> None:
        try:
            wrong.extend(k for k in range(50) if not same(flow.relu(x @ x), expected))
        except Exception as error:
            wrong.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_memory_that_ends() -> None:
    """An error with sizes, and work goes on."""
    total = torch.cuda.get_device_properties(0).total_memory
    held = flow.empty(total // 8, device="cuda")
    with pytest.raises(OutOfMemoryError):
        flow.empty(total, device="cuda")
    del held
    gc.collect()
    assert (flow.ones(5, device="cuda") + 1).tolist() == [2.0] * 5


def test_more_than_32_bits_of_elements() -> None:
    count = (1 << 31) + 12345
    x = flow.ones(count, dtype=flow.int8, device="cuda")
    found = flow.to_torch(x + x)
    assert int(found[-1]) == int(found[1 << 31]) == 2 and int(found.sum(dtype=torch.int64)) == 2 * count


def test_random_numbers_are_those_of_the_cpu() -> None:
    flow.manual_seed(3)
    there = flow.rand(100_003, device="cuda").cpu()
    flow.manual_seed(3)
    assert there.tolist() == flow.rand(100_003, device="cpu").tolist()


def test_a_forked_child_is_told() -> None:
    flow.ones(2, device="cuda")
    read, write = os.pipe()
    if os.fork() == 0:
        try:
            flow.ones(2, device="cuda")
            text = "no error"
        except BaseException as error:
            text = type(error).__name__
        os.write(write, text.encode())
        os._exit(0)
    os.wait()
    assert os.read(read, 100).decode() == "ForkError"

"""The eager runtime on a GPU: copies, ops, sharing with torch, errors that surface later. The GPU is a stand-in."""

from __future__ import annotations

import ctypes
import gc
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import pytest
import torch

import tritonflow as flow
from tests.device.fake_cuda import FakeCuda, FakeStream
from tritonflow.binding.data_exchange import from_torch, to_torch
from tritonflow.device import cuda_errors
from tritonflow.device.cuda_kernel import CudaKernel
from tritonflow.device.cuda_stream import LaunchTarget
from tritonflow.device.device import Device
from tritonflow.device.provider import get_provider

ROOT = Path(__file__).resolve().parents[2]


def foreign(values: Any) -> tuple[torch.Tensor, flow.Tensor]:
    """A torch tensor, and an import of it as if it were on the GPU (the stand-in's memory is host memory)."""
    from tritonflow.framework.meta import TensorMeta
    from tritonflow.framework.tensor import Tensor

    theirs = torch.tensor(values)
    ours = from_torch(theirs)
    meta = ours.meta
    moved = TensorMeta.get(meta.shape, meta.stride, meta.dtype, Device("cuda"), meta.aligned)
    ours.impl.block.stream = get_provider(Device("cuda")).torch_stream()  # type: ignore[attr-defined]
    return theirs, Tensor(meta=moved, impl=ours.impl, ptr=ours.ptr)


def test_there_and_back(cuda: FakeCuda) -> None:
    x = flow.tensor([[1.0, -2.0], [3.0, -4.0]], device="cuda")
    assert x.device == "cuda:0" and x.is_cuda
    assert x.tolist() == [[1.0, -2.0], [3.0, -4.0]]
    assert numpy.array_equal(x.numpy(), [[1.0, -2.0], [3.0, -4.0]])


def test_an_op(cuda: FakeCuda) -> None:
    x = flow.tensor([1.0, -2.0, 3.0], device="cuda")
    y = flow.relu(x) + x
    assert y.device is Device("cuda:0")
    assert y.tolist() == [2.0, -2.0, 6.0]


def test_backward(cuda: FakeCuda) -> None:
    x = flow.tensor([1.0, -2.0, 3.0], device="cuda", requires_grad=True)
    flow.relu(x * x * x).sum().backward()
    assert x.grad.device is Device("cuda:0")
    assert x.grad.tolist() == [3.0, 0.0, 27.0]


def test_one_stream_needs_no_events(cuda: FakeCuda) -> None:
    x = flow.tensor([1.0, -2.0, 3.0], device="cuda")
    before = len(cuda.log)
    for _ in range(10):
        x = flow.relu(x)
    assert cuda.log[before:] == []


def test_small_copies_are_staged_in_pinned_memory(cuda: FakeCuda) -> None:
    flow.tensor([1.0, 2.0], device="cuda")
    assert cuda.staged == 1


def test_large_copies_have_streams_of_their_own(cuda: FakeCuda) -> None:
    provider: Any = get_provider(Device("cuda"))
    host = flow.from_numpy(numpy.arange(1 << 19, dtype=numpy.float32))
    x = host.to("cuda")
    assert cuda.staged == 0
    assert ("on", provider.h2d.handle) in cuda.log
    y = x.to("cpu")
    assert ("on", provider.d2h.handle) in cuda.log
    assert numpy.array_equal(y.numpy(), host.numpy())


def test_compute_waits_for_a_large_copy_on_the_device(cuda: FakeCuda) -> None:
    provider: Any = get_provider(Device("cuda"))
    host = flow.from_numpy(numpy.arange(1 << 19, dtype=numpy.float32))
    cuda.held = True
    x = host.to("cuda")
    before = len(cuda.log)
    y = flow.relu(x)
    records = [e for e in cuda.log[before:] if e[0] == "record"]
    waits = [e for e in cuda.log[before:] if e[0] == "wait"]
    assert [e[1] for e in records] == [provider.h2d.handle]
    assert waits == [("wait", provider.stream.handle, records[0][2])]
    cuda.held = False
    cuda.finish()
    assert y.numpy()[-1] == float((1 << 19) - 1)


def test_a_second_wait_is_not_made(cuda: FakeCuda) -> None:
    host = flow.from_numpy(numpy.arange(1 << 19, dtype=numpy.float32))
    cuda.held = True
    x = host.to("cuda")
    flow.relu(x)
    before = len(cuda.log)
    flow.relu(x)
    assert [e for e in cuda.log[before:] if e[0] in ("record", "wait")] == []


def test_a_host_write_waits_for_the_copy(cuda: FakeCuda) -> None:
    """The source of a copy that is still running must not be overwritten."""
    array = numpy.arange(1 << 19, dtype=numpy.float32)
    host = flow.from_numpy(array)
    provider: Any = get_provider(Device("cuda"))
    cuda.held = True
    host.to("cuda")
    host.add_(1.0)
    assert host.numpy()[0] == 1.0
    (number,) = [e[2] for e in cuda.log if e[:2] == ("record", provider.h2d.handle)]
    assert [e.passed for e in cuda.events if e.number == number] == [True]


# ------------------------------------------------------------------------------------------------- user streams


def test_ops_of_another_stream(cuda: FakeCuda) -> None:
    x = flow.tensor([1.0, -2.0], device="cuda")
    s = flow.cuda.Stream()
    with flow.cuda.stream(s):
        assert flow.cuda.current_stream() == s
        y = flow.relu(x)
    assert flow.cuda.current_stream() == flow.cuda.default_stream() != s
    before = len(cuda.log)
    z = flow.relu(y)
    default = flow.cuda.default_stream().cuda_stream
    assert [e[:2] for e in cuda.log[before:]] == [("record", s.cuda_stream), ("wait", default)]
    assert z.tolist() == [1.0, 0.0]


def test_events(cuda: FakeCuda) -> None:
    s = flow.cuda.Stream()
    cuda.held = True
    start, end = flow.cuda.Event(enable_timing=True), flow.cuda.Event(enable_timing=True)
    start.record(s)
    end.record(s)
    assert not end.query()
    flow.cuda.default_stream().wait_event(end)
    assert cuda.log[-1][:2] == ("wait", flow.cuda.default_stream().cuda_stream)
    end.synchronize()
    assert end.query()
    assert start.elapsed_time(end) > 0
    with pytest.raises(RuntimeError, match="enable_timing"):
        flow.cuda.Event().elapsed_time(end)


def test_streams_wait_for_each_other(cuda: FakeCuda) -> None:
    a, b = flow.cuda.Stream(), flow.cuda.Stream()
    cuda.held = True
    a.wait_stream(b)
    assert [e[:2] for e in cuda.log[-2:]] == [("record", b.cuda_stream), ("wait", a.cuda_stream)]
    assert not b.query()
    b.synchronize()
    cuda.held = False
    assert b.query()


def test_launches_ask_for_stream_and_device_only_when_there_are_several(cuda: FakeCuda) -> None:
    provider: Any = get_provider(Device("cuda"))
    assert provider.launch_target.plain
    flow.cuda.Stream()
    assert not provider.launch_target.plain
    assert provider.launch_target.stream() == provider.stream.handle


def test_launches_keep_the_device_that_is_current(cuda: FakeCuda) -> None:
    """A launch on another device makes it current meanwhile only; torch's "cuda" means the same one afterwards."""
    target = LaunchTarget(Device("cuda:1"), 0x50)
    loaded = _Loaded(cuda)
    run = CudaKernel.bind(_kernel(loaded, target), 4, 1, 1, (7,))
    run(0x1000)
    loaded.call = ""  # as for a kernel that wants scratch memory
    CudaKernel.bind(_kernel(loaded, target), 4, 1, 1, (7,))(0x1000)
    assert loaded.devices == [1, 1] and cuda.device == 0
    loaded.fails = True
    with pytest.raises(RuntimeError, match="refused"):
        run(0x1000)
    assert cuda.device == 0
    cuda.device = 1
    loaded.fails = False
    run(0x1000)
    assert loaded.devices[-1] == 1 and cuda.device == 1


class _Loaded:
    """A loaded kernel that notes which device is current when it is launched."""

    name, types, call, values, scratch = "noted", ("*fp32", "i32"), "gx, gy, gz, stream, a0, a1", {}, 0

    def __init__(self, cuda: FakeCuda) -> None:
        self.cuda, self.devices, self.fails = cuda, list[int](), False

    def c_launch(self, *arguments: Any) -> None:
        self.devices.append(self.cuda.device)
        if self.fails:
            raise RuntimeError("refused")

    def launch(self, grid: Any, stream: int, arguments: Any, scratch: Any) -> None:
        self.c_launch()


def _kernel(loaded: Any, target: LaunchTarget) -> Any:
    kernel: Any = object.__new__(CudaKernel)
    kernel.target, kernel._loaded = target, loaded
    return kernel


def test_a_second_gpu_ends_the_plain_mode(cuda: FakeCuda) -> None:
    first: Any = get_provider(Device("cuda:0"))
    x = flow.tensor([1.0, -2.0], device="cuda:1")
    assert not first.launch_target.plain
    assert x.to("cuda:0").tolist() == [1.0, -2.0]


# ------------------------------------------------------------------------------------------------------ with torch


def test_export_shares_memory_and_keeps_it_alive(cuda: FakeCuda) -> None:
    x = flow.tensor([1.0, -2.0, 3.0], device="cuda")
    shared = to_torch(x)
    x.add_(1.0)
    assert shared.tolist() == [2.0, -1.0, 4.0]
    address, free = x.ptr, x.impl.block.free
    count = len(free)
    del x
    gc.collect()
    assert len(free) == count, "the block is in use: torch has it"
    assert shared.tolist() == [2.0, -1.0, 4.0]
    view = shared[1:]
    del shared
    gc.collect()
    assert len(free) == count
    del view
    gc.collect()
    assert [block.ptr for block in free[count:]] == [address]


def test_export_of_a_view(cuda: FakeCuda) -> None:
    x = flow.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], device="cuda")
    shared = to_torch(x.transpose(0, 1))
    assert shared.tolist() == [[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]
    assert to_torch(flow.empty(0, 3, device="cuda")).shape == (0, 3)


def test_export_to_another_stream_of_torch_waits_there(cuda: FakeCuda) -> None:
    x = flow.tensor([1.0, -2.0], device="cuda")
    cuda.current[0] = FakeStream(cuda, 0x9000)
    to_torch(x)
    default = flow.cuda.default_stream().cuda_stream
    assert [e[:2] for e in cuda.log[-2:]] == [("record", default), ("wait", 0x9000)]
    flow.relu(x)
    assert [e[:2] for e in cuda.log[-2:]] == [("record", 0x9000), ("wait", default)]


def test_import_from_another_stream_of_torch(cuda: FakeCuda) -> None:
    cuda.current[0] = FakeStream(cuda, 0x9000)
    theirs, ours = foreign([1.0, -2.0])
    assert flow.relu(ours).tolist() == [1.0, 0.0]
    assert ("wait", flow.cuda.default_stream().cuda_stream) in [e[:2] for e in cuda.log]


# -------------------------------------------------------------------------------------------------------- errors


def _gather(index: list[int]) -> flow.Tensor:
    x = flow.tensor([1.0, 2.0, 3.0], device="cuda")
    return flow.gather(x, 0, flow.tensor(index, dtype=flow.int64, device="cuda"))


def test_a_bad_index_is_told_at_the_next_synchronisation(cuda: FakeCuda) -> None:
    _gather([0, 1])
    bad = _gather([0, 7])
    _gather([2, 2])
    with pytest.raises(IndexError, match=r"test_runtime\.py:\d+, in _gather"):
        flow.cuda.synchronize()
    flow.cuda.synchronize()
    assert _gather([2]).tolist() == [3.0]
    del bad


def test_a_bad_index_is_told_when_the_result_is_read(cuda: FakeCuda) -> None:
    with pytest.raises(IndexError, match="issued at"):
        _gather([7]).tolist()
    flow.sync()


def test_an_op_that_launches_nothing_sets_no_word(cuda: FakeCuda) -> None:
    _gather([])
    flow.sync()


def test_sync_tells_of_bad_indices(cuda: FakeCuda) -> None:
    _gather([3])
    with pytest.raises(IndexError):
        flow.sync()


def test_more_index_ops_than_error_words(cuda: FakeCuda, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda_errors, "_WORDS", 2)
    monkeypatch.setattr(cuda_errors, "_PIECES", 2)
    with pytest.raises(IndexError):
        for _ in range(4):
            _gather([5])


def test_many_checked_ops_wait_for_nothing(cuda: FakeCuda, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda_errors, "_WORDS", 4)
    _gather([1])
    words: Any = get_provider(Device("cuda")).error_word
    waits, pieces = cuda.waits, len(words._pieces)
    kept = [_gather([2 + 5 * (k == 17), 1]) for k in range(40)]
    assert cuda.waits - waits == len(words._pieces) - pieces, "only for new words, on a stream that has nothing else to do"
    assert len(kept) == 40
    with pytest.raises(IndexError, match="issued at"):
        flow.sync()
    flow.sync()
    assert _gather([2]).tolist() == [3.0]


def test_memory_of_a_stream_is_asked_for_on_the_stream(cuda: FakeCuda) -> None:
    """torch's allocator gives what other work on the current stream has just left, in order with that stream alone."""
    provider: Any = get_provider(Device("cuda"))
    provider.error_word.allocate(8)
    assert cuda.allocated_on[-1] == provider.h2d.handle
    side = flow.cuda.Stream()
    with flow.cuda.stream(side):
        chosen = provider.launch_target.stream()
    provider.launch_target.scratch(chosen, 4096)
    assert cuda.allocated_on[-1] == chosen != provider.stream.handle


def test_a_bad_index_that_nobody_waits_for_is_told_at_the_end() -> None:
    code = """
from tests.device import fake_cuda
fake_cuda.install_for_good()
import tritonflow as flow
x = flow.ones(3, device="cuda")[flow.tensor([7], device="cuda")]
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0 and "nobody has waited for its result:\nIndexOutOfRangeError: " in done.stderr


def test_threads_have_their_own_error_words(cuda: FakeCuda) -> None:
    """Two threads launch before either notes its op: the one whose word is set is told of."""
    words: Any = get_provider(Device("cuda")).error_word
    addresses: list[int] = []
    met = threading.Barrier(2)

    def launch(number: int) -> None:
        address = words.ptr
        addresses.append(address)
        met.wait()
        if number == 0:
            ctypes.c_int32.from_address(address).value = 1
        else:
            words.note("op 1", lambda: "line 1", IndexError)
        met.wait()
        if number == 0:
            words.raise_pending()  # knows nothing yet of the op of this thread
            words.note("op 0", lambda: "line 0", IndexError)

    threads = [threading.Thread(target=launch, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(addresses)) == 2
    with pytest.raises(IndexError, match="op 0 .*line 0"):
        words.raise_pending()
    words.raise_pending()


def test_many_threads_and_few_error_words(cuda: FakeCuda, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda_errors, "_WORDS", 3)
    monkeypatch.setattr(cuda_errors, "_PIECES", 2)
    words: Any = get_provider(Device("cuda")).error_word
    failures: list[str] = []

    def tried(step: Callable[[], Any]) -> Any:
        """Whichever thread waits for a word is told of what another one launched."""
        while True:
            try:
                return step()
            except IndexError as error:
                failures.append(str(error))

    def launch(number: int) -> None:
        for k in range(50):
            address = tried(lambda: words.ptr)
            bad = k == number
            if bad:
                ctypes.c_int32.from_address(address).value = 1
            tried(lambda: words.note("bad" if bad else "good", str, IndexError))  # noqa: B023 (it is called at once)

    threads = [threading.Thread(target=launch, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    tried(words.raise_pending)
    assert failures and all(text.startswith("bad") for text in failures)


def test_threads_have_their_own_streams(cuda: FakeCuda) -> None:
    s = flow.cuda.Stream()
    seen: list[Any] = []
    with flow.cuda.stream(s):
        thread = threading.Thread(target=lambda: seen.append(flow.cuda.current_stream()))
        thread.start()
        thread.join()
    assert seen == [flow.cuda.default_stream()]


# ----------------------------------------------------------------------------------------------------- flow.cuda


def test_what_there_is(cuda: FakeCuda) -> None:
    assert flow.cuda.is_available() and flow.cuda.device_count() == 2
    assert flow.cuda.get_device_name() == "Fake" and flow.cuda.get_device_capability() == (9, 0)
    assert flow.cuda.mem_get_info()[1] == cuda.total
    with pytest.raises(RuntimeError, match="cuda:2"):
        flow.cuda.set_device(2)
    with pytest.raises(ValueError, match="expected a CUDA device"):
        flow.cuda.synchronize("cpu")


def test_the_device_that_cuda_means(cuda: FakeCuda) -> None:
    assert flow.cuda.current_device() == 0
    with flow.cuda.device(1):
        assert flow.device("cuda") == "cuda:1"
        assert flow.tensor([1.0], device="cuda").device.index == 1
    assert flow.device("cuda") == "cuda:0"
    flow.cuda.set_device("cuda:1")
    assert cuda.device == 1


# ------------------------------------------------------------------------------------------------------ training


def _train(device: str) -> list[Any]:
    generator = numpy.random.default_rng(3)
    x = flow.tensor(generator.standard_normal((8, 5)), dtype=flow.float32, device=device)
    target = flow.tensor(generator.integers(0, 3, 8), device=device)
    model = flow.nn.Sequential(flow.nn.Linear(5, 7), flow.nn.ReLU(), flow.nn.Linear(7, 3))
    for p in model.parameters():
        with flow.no_grad():
            p.copy_(flow.tensor(generator.standard_normal(tuple(p.shape)), dtype=flow.float32))
    model = model.to(device)
    optimizer = flow.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    losses = []
    for _ in range(5):
        loss = flow.nn.functional.cross_entropy(model(x), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert str(next(iter(model.parameters())).device) == ("cuda:0" if device == "cuda" else "cpu")
    return losses


def test_training(cuda: FakeCuda) -> None:
    losses = _train("cuda")
    assert losses[-1] < losses[0]
    assert numpy.allclose(losses, _train("cpu"), rtol=1e-4)


def test_a_number_in_host_memory_goes_with_a_gpus_tensors(cuda: FakeCuda) -> None:
    """And each has its gradient where it is; the second call is as the first."""
    for _ in range(2):
        x = flow.tensor([1.0, 2.0], device="cuda", requires_grad=True)
        number = flow.tensor(3.0, requires_grad=True)
        y = x * number
        y.add_(flow.tensor(1.0))
        (y.sum() * flow.tensor(2.0)).backward()
        assert (y.tolist(), y.device.type) == ([4.0, 7.0], "cuda")
        assert (x.grad.tolist(), x.grad.device.type) == ([6.0, 6.0], "cuda")
        assert (number.grad.item(), number.grad.device.type) == (6.0, "cpu")
    with pytest.raises(RuntimeError, match="Expected all tensors to be on the same device"):
        x + flow.tensor([3.0])
    with pytest.raises(RuntimeError, match="Expected all tensors to be on the same device"):
        flow.tensor(1.0).add_(flow.tensor(1.0, device="cuda"))


@pytest.mark.parametrize("count", [100, 1 << 19])
def test_pinned_memory_may_be_written_behind_a_copy(late: FakeCuda, count: int) -> None:
    """The copy has read it, or read a copy of it, when the call returns: torch's own copies do not return before."""
    pinned = late.pinned(4 * count).view(torch.float32)
    pinned.fill_(1.0)
    x = flow.from_torch(pinned).to("cuda")
    pinned.zero_()
    assert x.sum().item() == count


def test_pageable_memory_may_be_written_behind_a_copy(late: FakeCuda) -> None:
    for count in (100, 1 << 19):
        host = torch.ones(count)
        x = flow.from_torch(host).to("cuda")
        host.zero_()
        assert x.sum().item() == count

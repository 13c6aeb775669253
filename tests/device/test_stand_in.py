"""Tests with `--device cuda`, on a machine without a GPU: the numbers of a GPU's plans, computed on the host."""

from __future__ import annotations

import ctypes
import datetime
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch

import tritonflow as flow
from gpu.options import TESTS
from tests.device import host_wall
from tests.device.device_tensor import on_device
from tests.device.fake_cuda import FakeCuda, device_of, forget_gpus, on_stand_in
from tests.device.tf32 import cut
from tritonflow.binding.data_exchange import from_torch, to_torch
from tritonflow.device import torch_cuda
from tritonflow.device.cuda_stream import CudaStream
from tritonflow.errors import DeviceError
from tritonflow.ops import plan
from tritonflow.ops.precision import change, policy

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("amp", "autograd", "device", "graph", "kernels", "nn", "ops", "optim", "vm")
QUICK = tuple(name for name in FOLDERS if name != "kernels")  # whose tests compile for GPUs, whatever the device


def of_today(parts: int) -> list[str]:
    """The option for one of several parts of the tests, another one each day."""
    return ["--share", f"{datetime.date.today().timetuple().tm_yday % parts + 1}/{parts}"]


def test_tensors_on_the_device_refuse_those_on_the_host(cuda: FakeCuda) -> None:
    cuda.tells = True
    x, host = to_torch(flow.ones(2, 3, device="cuda")), torch.ones(2, 3)
    assert (x.device.type, x.is_cuda, x.is_cpu, x.sum().device.type, x[0].device.type) == ("cuda", True, False, "cuda", "cuda")
    for mix in (lambda: x + host, lambda: host.mul_(x), lambda: torch.cat([x, host]), lambda: torch.equal(x, host), lambda: x @ host.t()):
        with pytest.raises(RuntimeError, match="Expected all tensors to be on the same device"):
            mix()
    with pytest.raises(TypeError, match="can't convert cuda:0 device type tensor to numpy"):
        x.numpy()
    assert torch.equal(x.cpu() + host, 2 * host) and x.cpu().data_ptr() != x.data_ptr()
    assert torch.equal(host.copy_(x * 2), torch.full((2, 3), 2.0)) and (x + torch.tensor(1.0)).is_cuda
    assert from_torch(x).device == "cuda:0" and from_torch(on_device(host)).is_cuda


def test_what_waits_for_nothing_comes_too_late(late: FakeCuda, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stream that does not wait for another one reads what was there before; the same with the wait is right."""
    side, x = flow.cuda.Stream(), flow.zeros(3, device="cuda")

    def double_behind_a_sum() -> list[float]:
        with flow.cuda.stream(side):
            x.add_(1.0)
        return (x * 2).tolist()

    assert double_behind_a_sum() == [2.0] * 3
    monkeypatch.setattr(CudaStream, "wait", lambda self, event: None)
    assert double_behind_a_sum() == [2.0] * 3, "x is 1 yet"
    late.finish()
    assert x.tolist() == [2.0] * 3


def test_a_write_that_overtakes_a_read_is_seen(late: FakeCuda, monkeypatch: pytest.MonkeyPatch) -> None:
    side, x = flow.cuda.Stream(), flow.zeros(3, device="cuda")
    flow.cuda.synchronize()
    monkeypatch.setattr(CudaStream, "wait", lambda self, event: None)
    with flow.cuda.stream(side):
        y = x + 0
    x.fill_(7.0)
    assert x.tolist() == [7.0] * 3
    late.finish()
    assert y.tolist() == [7.0] * 3


def test_memory_stays_until_what_uses_it_is_done(late: FakeCuda) -> None:
    memory = torch_cuda.runtime.storage(4, 0)
    memory.fill_(1)
    found, address = ctypes.create_string_buffer(4), memory.data_ptr()
    late.driver.read(ctypes.addressof(found), address, 4, 7)
    del memory
    again = [late.storage(4, 0) for _ in range(50)]
    assert late.late.freed and address not in [each.data_ptr() for each in again]
    late.driver.wait(7)
    assert found.raw == bytes([1] * 4) and not late.late.freed


@pytest.mark.parametrize("program", ["eager", "graph"])
def test_kernels_refuse_addresses_of_other_memory(cuda: FakeCuda, program: str) -> None:
    double = flow.compile(lambda x: x * 2, fullgraph=True) if program == "graph" else lambda x: x * 2
    on_host, on_other = on_stand_in(flow.ones(3)), flow.ones(3, device="cuda:1")
    wrong = flow.Tensor(on_host.meta, on_other.impl, on_other.ptr)
    cuda.tells = True
    assert double(flow.ones(3, device="cuda")).tolist() == [2.0] * 3
    for x in (on_host, wrong):
        with pytest.raises(DeviceError, match="illegal memory access: .* is not an address of cuda:0"):
            double(x)


def test_products_in_tf32_have_11_bits_of_each_operand(cuda: FakeCuda) -> None:
    """1 + 2^-11 becomes 1, 1 + 2^-10 stays; in three products both stay."""
    x = flow.tensor([1 + 2.0**-11, 1 + 2.0**-10], device="cuda").diag()
    ones = flow.ones(2, 2, device="cuda")
    before = policy()
    found = {}
    for kind in ("tf32", "tf32x3", "ieee"):
        change(matmul=kind)
        found[kind] = (x @ ones)[:, 0].tolist()
    change(matmul=before.matmul)
    assert found == {"tf32": [1.0, 1 + 2.0**-10], "tf32x3": [1 + 2.0**-11, 1 + 2.0**-10], "ieee": [1 + 2.0**-11, 1 + 2.0**-10]}


def test_other_products_are_not_cut() -> None:
    text = "%z = tt.dot %x, %y, %c, inputPrecision = {} : tensor<16x16x{}> * tensor<16x16x{}> -> tensor<16x16xf32> loc(#loc)"
    for precision, dtype in (("tf32x3", "f32"), ("ieee", "f32"), ("tf32", "f16"), ("tf32", "bf16")):
        line = text.format(precision, dtype, dtype)
        assert cut(line) == line
    assert cut(text.format("tf32", "f32", "f32")).count("arith.andi") == 2


@pytest.mark.cpu_only  # it would run itself
@pytest.mark.skipif(torch.cuda.is_available(), reason="the tests themselves run on the GPU")
@pytest.mark.timeout(7200)
@pytest.mark.parametrize(
    ("folders", "options"),
    [
        pytest.param(QUICK, of_today(150), id="today"),
        *[pytest.param((name,), [], id=name, marks=pytest.mark.long) for name in QUICK if name != "ops"],
        pytest.param(("ops",), of_today(10), id="ops today", marks=pytest.mark.long),
        *[pytest.param((name,), [], id=f"all of {name}", marks=pytest.mark.hours) for name in ("ops", "kernels")],
    ],
)
def test_plans_of_a_gpu(folders: tuple[str, ...], options: list[str]) -> None:
    """Numbers do not depend on how code is made for the host: it is made quickly."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--device", "cuda", "-m", "not long and not hours"]
    done = subprocess.run(
        [*command, *options, *[f"tests/{name}" for name in folders]], cwd=ROOT, env={**environment, "TRITONFLOW_CPU_CODEGEN": "0"},
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]


def test_the_folders_are_those_that_run_on_a_gpu() -> None:
    assert sorted(TESTS) == [f"tests/{name}" for name in FOLDERS]


def test_the_host_does_not_reach_memory_of_the_device(cuda: FakeCuda, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a kernel, by a program of kernels, or by reading; its own memory it reaches."""
    host_wall.build(device_of, monkeypatch.setattr)
    monkeypatch.setattr(plan, "_kernels", {})
    forget_gpus()
    on_gpu, mine = flow.ones(3, device="cuda"), flow.ones(3, device="cpu")
    wrong = flow.Tensor(mine.meta, on_gpu.impl, on_gpu.ptr)
    double = flow.compile(lambda x: x * 2, fullgraph=True)
    for use in (lambda x: (x * 2).sum().item(), lambda x: double(x).sum().item(), lambda x: sum(x.tolist(), 3.0)):
        assert use(mine) == 6.0
        with pytest.raises(DeviceError, match="the host does not reach .*, an address of cuda:0"):
            use(wrong)


def test_an_error_leaves_the_stream_and_the_device(cuda: FakeCuda) -> None:
    with pytest.raises(KeyError), cuda.on_stream(cuda.new_stream(0)), cuda.on_device(1):
        raise KeyError
    assert (cuda.entered, cuda.device) == (None, 0)

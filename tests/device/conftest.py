"""A CUDA device without a GPU: `cuda` has host memory for device memory, and runs kernels compiled for the host."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any

import pytest

from tests.device.fake_cuda import FakeCuda, compile_for_host, forget_gpus
from tritonflow.device import cuda_driver, cuda_stream, torch_cuda
from tritonflow.device.cuda import CudaProvider
from tritonflow.device.device import Device
from tritonflow.vm.machine import machine


@pytest.fixture
def cuda(monkeypatch: pytest.MonkeyPatch, products_of_float32: None) -> Iterator[FakeCuda]:
    fake = FakeCuda(count=2)
    monkeypatch.setattr(torch_cuda, "runtime", fake)
    monkeypatch.setattr(cuda_driver, "driver", fake.driver)
    monkeypatch.setattr(cuda_stream, "_several", False)
    monkeypatch.setattr(cuda_stream, "_targets", [])
    monkeypatch.setattr(Device, "default_cuda", 0)
    monkeypatch.setattr(CudaProvider, "kernel", compile_for_host)
    forget_gpus()
    yield fake
    fake.held = False
    fake.finish()
    machine.sync()
    forget_gpus()
    gc.collect()  # errors that tests caught hold streams in cycles; who waits for every stream finds no fake to ask later on


@pytest.fixture
def late(cuda: FakeCuda) -> FakeCuda:
    """A GPU that does everything as late as it may."""
    cuda.is_late = True
    return cuda


@pytest.fixture
def compiled(cuda: FakeCuda, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the kernels that the GPU compiles."""
    names: list[str] = []
    original = CudaProvider.kernel

    def kernel(self: Any, fn: Any, *rest: Any, **options: Any) -> Any:
        names.append(fn.__name__)
        return original(self, fn, *rest, **options)

    monkeypatch.setattr(CudaProvider, "kernel", kernel)
    return names

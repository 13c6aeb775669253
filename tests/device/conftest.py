"""A CUDA device without a GPU: `cuda` has host memory for device memory, and runs kernels compiled for the host."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from device.fake_cuda import FakeCuda
from tritonflow import triton_cpu
from tritonflow.device import cuda_stream, torch_cuda
from tritonflow.device import provider as providers
from tritonflow.device.cuda import CudaProvider
from tritonflow.device.device import Device
from tritonflow.interpreter.op_expr import all_op_exprs
from tritonflow.ops import plan as plans
from tritonflow.vm.machine import machine


def _forget_gpus() -> None:
    for expr in all_op_exprs():
        expr.clear_plans()
    for device in [d for d in providers._providers if d.type == "cuda"]:
        del providers._providers[device]
    for key in [k for k in plans._kernels if k[0].type == "cuda"]:
        del plans._kernels[key]


@pytest.fixture
def cuda(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeCuda]:
    fake = FakeCuda(count=2)
    monkeypatch.setattr(torch_cuda, "runtime", fake)
    monkeypatch.setattr(cuda_stream, "_several", False)
    monkeypatch.setattr(cuda_stream, "_targets", [])
    monkeypatch.setattr(Device, "default_cuda", 0)

    def compile_for_host(self: Any, fn: Any, signature: Any, constexprs: Any, attrs: Any, **options: Any) -> Any:
        return triton_cpu.compile(fn, signature, constexprs, attrs)

    monkeypatch.setattr(CudaProvider, "kernel", compile_for_host)
    _forget_gpus()
    yield fake
    fake.held = False
    fake.finish()
    machine.sync()
    _forget_gpus()

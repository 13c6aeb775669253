"""Without a GPU, or in a forked process, a wrong use says why at once; asking is always allowed."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import tritonflow as flow
from tests import where
from tritonflow.device import torch_cuda
from tritonflow.errors import DeviceError, ForkError

without_gpu = pytest.mark.skipif(where.device == "cuda" or torch.cuda.is_available(), reason="there is a GPU")


@without_gpu
def test_the_reason_is_named() -> None:
    with pytest.raises(DeviceError, match=r"device 'cuda:0' cannot be used: .*(CUDA|driver|GPU)"):
        flow.empty(2, device="cuda")


@without_gpu
def test_asking_is_allowed() -> None:
    assert not flow.cuda.is_available()
    assert flow.cuda.device_count() == 0
    assert flow.device("cuda").index == flow.cuda.current_device() == 0
    flow.cuda.empty_cache()


@pytest.mark.parametrize(
    "cuda_version, error, text",
    [
        (None, None, "the installed torch is a build without CUDA"),
        ("12.8", RuntimeError("Found no NVIDIA driver on your system.\nMore."), r"Found no NVIDIA driver on your system\.$"),
        ("12.8", None, "no NVIDIA GPU is visible"),
    ],
)
def test_reasons(monkeypatch: pytest.MonkeyPatch, cuda_version: Any, error: Any, text: str) -> None:
    def init() -> None:
        if error is not None:
            raise error

    monkeypatch.setattr(torch.version, "cuda", cuda_version)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.cuda, "init", init)
    monkeypatch.setattr(torch.cuda, "_is_in_bad_fork", lambda: False)
    with pytest.raises(DeviceError, match=text):
        torch_cuda.TorchCuda().require(0)


def test_too_high_an_index(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.version, "cuda", "12.8")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    torch_cuda.TorchCuda().require(1)
    with pytest.raises(DeviceError, match="no device 'cuda:2': 2 NVIDIA GPUs are visible"):
        torch_cuda.TorchCuda().require(2)


def test_a_forked_process_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "_is_in_bad_fork", lambda: True)
    with pytest.raises(ForkError, match="forked process.*spawn"):
        torch_cuda.TorchCuda().require(0)

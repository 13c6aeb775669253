"""How Triton's launcher calls its C function is seen by watching it; what is not understood is refused."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
import triton

from tests.device.fake_cuda import FakeCuda, FakeDriver
from tritonflow.device import cuda_driver, torch_cuda
from tritonflow.device.cuda_kernel import CudaKernel
from tritonflow.device.cuda_stream import LaunchTarget
from tritonflow.device.device import Device
from tritonflow.errors import UnsupportedVersionError


class OneByOne:
    """As in 3.6: scratch memory before the metadata, arguments one by one."""

    global_scratch_size = profile_scratch_size = 0

    def __init__(self) -> None:
        self.launched: list[Any] = []
        self.launch: Any = lambda *values: self.launched.append(values)

    def __call__(self, gx: Any, gy: Any, gz: Any, stream: Any, function: Any, *rest: Any) -> None:
        self.launch(gx, gy, gz, stream, function, False, True, None, None, *rest)


class Tuple(OneByOne):
    """As since 3.7: annotations, then the arguments as one tuple."""

    def __call__(self, gx: Any, gy: Any, gz: Any, stream: Any, function: Any, *rest: Any) -> None:
        *head, a, b, c = rest
        self.launch(gx, gy, gz, stream, function, False, True, *head, None, None, ["?"], b"sig", (a, b, c))


class Reordered(OneByOne):
    def __call__(self, gx: Any, gy: Any, gz: Any, stream: Any, function: Any, *rest: Any) -> None:
        self.launch(stream, function, (gz, gy, gx), *rest)


class Unknown(OneByOne):
    """Hands over something made from the arguments."""

    def __call__(self, gx: Any, gy: Any, gz: Any, stream: Any, function: Any, *rest: Any) -> None:
        self.launch(gx, gy, gz, stream, function, bytes(len(rest)))


class Narrow(OneByOne):
    def __call__(self, grid: Any, stream: Any) -> None:  # type: ignore[override]
        self.launch(grid, stream)


def kernel_with(launcher: Any) -> CudaKernel:
    source = SimpleNamespace(fn=None, signature={"p": ("*fp32", "constexpr"), "a": "fp32", "n": "i32", "B": "constexpr"})
    compiled = SimpleNamespace(
        src=source, run=launcher, function=77, packed_metadata=(4, 1, 0), metadata=SimpleNamespace(name="kernel", num_ctas=1)
    )
    return CudaKernel(compiled, LaunchTarget(Device("cuda"), 0x5000))


@pytest.fixture(autouse=True)
def _fake(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch_cuda, "runtime", FakeCuda())
    monkeypatch.delitem(triton.backends.backends, "cpu", raising=False)  # a test that launched on the CPU has left it


@pytest.mark.parametrize(
    "launcher, expected",
    [
        (OneByOne, (2, 3, 4, 0x5000, 77, False, True, None, None, (4, 1, 0), None, None, None, 640, 0.5, 9)),
        (Tuple, (2, 3, 4, 0x5000, 77, False, True, (4, 1, 0), None, None, None, None, None, ["?"], b"sig", (640, 0.5, 9))),
        (Reordered, (0x5000, 77, (4, 3, 2), (4, 1, 0), None, None, None, 640, 0.5, 9)),
    ],
)
def test_known_layouts(launcher: Any, expected: tuple[Any, ...]) -> None:
    launcher = launcher()
    run = kernel_with(launcher).bind(2, 3, 4, (9,))
    assert launcher.launched == []
    run(640, 0.5)
    assert launcher.launched == [expected]


@pytest.mark.parametrize("launcher", [Unknown, Narrow])
def test_unknown_layouts_are_refused(launcher: Any) -> None:
    with pytest.raises(UnsupportedVersionError, match=f"triton {triton.__version__} is not supported"):
        kernel_with(launcher()).bind(1, 1, 1, (9,))


def test_bind_checks_arguments_and_grid() -> None:
    kernel = kernel_with(OneByOne())
    with pytest.raises(TypeError, match="4 constants for a kernel of 3 arguments"):
        kernel.bind(1, 1, 1, (1, 2, 3, 4))
    for grid in ((1, 65536, 1), (1, 1, 65536), (2**31, 1, 1), (65536, 32768, 1)):
        with pytest.raises(ValueError, match="too large"):
            kernel.bind(*grid, (9,))


def test_the_stand_in_has_what_torch_has() -> None:
    """FakeCuda and FakeDriver answer to every call that TorchCuda and CudaDriver do, with the same arguments."""
    import inspect

    for real, fake in ((torch_cuda.TorchCuda, FakeCuda), (cuda_driver.CudaDriver, FakeDriver)):
        for name, function in vars(real).items():
            if not name.startswith("_"):
                other = vars(fake).get(name)
                assert other is not None, name
                wrapped = inspect.unwrap(other)
                assert list(inspect.signature(wrapped).parameters) == list(inspect.signature(function).parameters), name

"""Every kernel that the registry's ops launch on a GPU, found by calling the ops.

The ops run, forward, in place and backward, on a stand-in for a GPU whose kernels do nothing: what their plans ask to be
compiled is written down, and the tests compile it for real architectures.
"""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy
import torch

import tritonflow as flow
from tests.device.fake_cuda import GPUS, FakeCuda, forget_gpus, on_stand_in
from tests.kernels.op_calls import Call, calls_of, large_calls, more_calls
from tests.ops.sides import twin
from tritonflow import triton_compat
from tritonflow.device import cuda_driver, torch_cuda
from tritonflow.device import provider as providers
from tritonflow.device.cuda import CudaProvider
from tritonflow.device.device import Device
from tritonflow.kernels.facts import DeviceFacts

GPU = Device("cuda")


@dataclass(eq=False)
class Request:
    """A kernel that a plan wants compiled."""

    fn: Any
    signature: dict[str, Any]
    constexprs: dict[Any, Any]
    attrs: dict[Any, Any]
    options: dict[str, Any]

    def compile(self, arch: int) -> Any:
        """The kernel for sm_<arch>."""
        return triton_compat.compile_cuda(
            self.fn, self.signature, self.constexprs, self.attrs, arch, **self.options
        )  # fmt: skip

    @property
    def name(self) -> str:
        """The kernel's, with its module's: "matmul.matmul"."""
        return f"{self.fn.__module__.rpartition('.')[2]}.{self.fn.__name__}"

    def __str__(self) -> str:
        chosen = {k: getattr(v, "__name__", v) for k, v in self.constexprs.items()}
        types = [t for t in self.signature.values() if t != "constexpr"]
        return f"{self.name}{types} {chosen} {self.options}"


@dataclass
class Launched:
    """A launch: a kernel, its number of programs in each dimension, and the sizes and strides that it is given."""

    request: Request
    grid: tuple[int, int, int]
    sizes: tuple[Any, ...] = ()


@dataclass
class Sweep:
    """What was asked for and launched so far; `problems` has the calls that failed on the GPU and not on the CPU."""

    requests: list[Request] = field(default_factory=list)
    launches: list[Launched] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


class _IdleKernel:
    """Writes its launches down, and does nothing else."""

    reference = None  # it is on no disk

    def __init__(self, request: Request, launches: list[Launched]) -> None:
        self.request, self.launches = request, launches

    def runs_inline(self, gx: int, gy: int, gz: int) -> bool:
        return True

    is_brief = runs_inline

    def node(self, grid: tuple[int, int, int]) -> None:
        """A program launches it by itself."""

    def bind(
        self, gx: int, gy: int, gz: int, constants: Any = (), inline: Any = None, brief: Any = False
    ) -> Callable[..., None]:
        return lambda *leading: self.launches.append(Launched(self.request, (gx, gy, gz), tuple(constants)))


class _LargeCuda(FakeCuda):
    """A stand-in of any size: its memory has zeros, and takes none of the host's."""

    def __init__(self, arch: int) -> None:
        super().__init__(total=1 << 60)
        self.arch = arch

    def capability(self, index: int) -> int:
        return self.arch

    def facts(self, index: int) -> DeviceFacts:
        return GPUS[self.arch]

    def storage(self, nbytes: int, index: int) -> torch.UntypedStorage:
        return torch.from_numpy(numpy.zeros(nbytes, numpy.uint8)).untyped_storage()

    def on_host(self, memory: torch.Tensor) -> bool:
        return True


@contextmanager
def sweep(arch: int = 90) -> Iterator[Sweep]:
    """A block in which device "cuda" is a stand-in that writes down what is to be compiled."""
    found = Sweep()

    class Recorder(CudaProvider):
        def kernel(self, fn: Any, signature: Any, constexprs: Any, attrs: Any, **options: Any) -> Any:
            request = Request(fn, signature, constexprs, attrs, options)
            found.requests.append(request)
            return _IdleKernel(request, found.launches)

        def copy(self, stream: Any, target: tuple[Any, int], source: tuple[Any, int], nbytes: int) -> None:
            """Zeros: what idle kernels leave in memory is not to decide a shape."""
            ctypes.memset(target[1], 0, nbytes)

    before = torch_cuda.runtime, cuda_driver.driver
    fake = _LargeCuda(arch)
    torch_cuda.runtime, cuda_driver.driver = fake, fake.driver  # type: ignore[assignment]
    forget_gpus()
    providers._providers[GPU] = Recorder(GPU)
    try:
        yield found
        gc.collect()  # what lies in cycles gives its memory back while the stand-in is there
        flow.sync()
    finally:
        forget_gpus()
        torch_cuda.runtime, cuda_driver.driver = before
        gc.collect()  # errors that calls raised hold streams in cycles; who waits for every stream finds no stand-in later


def on_gpu(x: torch.Tensor) -> flow.Tensor:
    """A tensor of the stand-in with the same shape, strides and alignment."""
    return on_stand_in(flow.from_torch(twin(x)))


def call_op(
    found: Sweep, entry: Any, dtype: torch.dtype, rng: numpy.random.Generator, thorough: bool, limit: int
) -> None:
    """Call an op with its samples: forward and backward, and its in-place method."""
    for call in calls_of(entry, dtype, rng, thorough, limit, "cuda"):
        try:
            call.run(on_gpu)
        except Exception as error:
            if type(_error_on_cpu(call)) is not type(error):
                found.problems.append(f"{call.name}: {type(error).__name__}: {error}")


def _error_on_cpu(call: Call) -> Exception | None:
    try:
        call.run(lambda x: flow.from_torch(twin(x)))
    except Exception as error:
        return error
    return None


def _calls_of_gpus() -> dict[str, Callable[[], Any]]:
    """Calls for kernels that a GPU alone launches."""
    F = flow.nn.functional

    def new(*shape: int, dtype: Any = flow.float32, grad: bool = False) -> flow.Tensor:
        return flow.empty(shape, dtype=dtype, device=GPU, requires_grad=grad)

    def normed() -> None:
        F.layer_norm(new(4096, 64, dtype=flow.float64, grad=True), (64,), *[new(64, dtype=flow.float64, grad=True)] * 2).sum().backward()

    def stem() -> None:
        F.conv2d(new(8, 3, 64, 64, dtype=flow.bfloat16), new(64, 3, 7, 7, dtype=flow.bfloat16, grad=True), stride=2).sum().backward()

    return {
        "more than 2^31 elements": lambda: flow.relu(new(1 << 31, dtype=flow.int8)),
        "product of many tiles": lambda: new(8192, 1024, dtype=flow.bfloat16) @ new(1024, 8192, dtype=flow.bfloat16),
        "product of few tiles": lambda: new(16384, 3072, dtype=flow.bfloat16).mT @ new(16384, 768, dtype=flow.bfloat16),
        "convolution of few channels": stem,
        "casts of several": lambda: flow.compile(lambda *xs: [x.bfloat16() for x in xs], fullgraph=True)(new(5000), new(3, 4)),
        "few of long rows": lambda: flow.topk(new(32, 128256), 64),
        "gradients of many rows in float64": normed,
        "pooling of channels-last images": lambda: F.max_pool2d(new(2, 8, 8, 16, grad=True).permute(0, 3, 1, 2), 2).sum().backward(),
    }


def call_more(found: Sweep) -> None:
    """Calls for kernels that the samples do not reach."""
    calls = {**more_calls(GPU, on_gpu), **large_calls(GPU, on_gpu), **_calls_of_gpus()}
    for name, function in calls.items():
        try:
            function()
        except Exception as error:
            found.problems.append(f"{name}: {type(error).__name__}: {error}")

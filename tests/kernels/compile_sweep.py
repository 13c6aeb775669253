"""Every kernel that the registry's ops launch on a GPU, found by calling the ops.

The ops run, forward, in place and backward, on a stand-in for a GPU whose kernels do nothing: what their plans ask to be
compiled is written down, and the tests compile it for real architectures. An op that is added to the registry is here by itself.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy
import torch
from triton.runtime.jit import JITFunction

import tritonflow as flow
from device.fake_cuda import FakeCuda, forget_gpus
from op_samples import samples_of
from ops.allowed import CONSTANT_INPUTS
from ops.sides import convert, twin
from tritonflow import _C, dtypes, triton_compat
from tritonflow.device import provider as providers
from tritonflow.device import torch_cuda
from tritonflow.device.cuda import CudaProvider
from tritonflow.device.device import Device
from tritonflow.framework.meta import TensorMeta

GPU = Device("cuda")


@dataclass
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

    def __str__(self) -> str:
        chosen = {k: getattr(v, "__name__", v) for k, v in self.constexprs.items()}
        types = [t for t in self.signature.values() if t != "constexpr"]
        return f"{self.fn.__module__.rpartition('.')[2]}.{self.fn.__name__}{types} {chosen} {self.options}"


@dataclass
class Sweep:
    """What was asked for so far; `problems` has the calls that failed on the GPU and not on the CPU."""

    requests: list[Request] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


class _IdleKernel:
    """Launches nothing."""

    def runs_inline(self, gx: int, gy: int, gz: int) -> bool:
        return True

    is_brief = runs_inline

    def bind(self, gx: int, gy: int, gz: int, constants: Any = (), inline: Any = None, brief: Any = False) -> Callable[..., None]:
        return lambda *leading: None


@contextmanager
def sweep(arch: int = 90) -> Iterator[Sweep]:
    """A block in which device "cuda" is a stand-in that writes down what is to be compiled."""
    found = Sweep()

    class Recorder(CudaProvider):
        def kernel(self, fn: Any, signature: Any, constexprs: Any, attrs: Any, **options: Any) -> Any:
            found.requests.append(Request(fn, signature, constexprs, attrs, options))
            return _IdleKernel()

    before = torch_cuda.runtime
    fake = torch_cuda.runtime = FakeCuda(total=1 << 34)
    fake.capability = lambda index: arch  # type: ignore[method-assign]
    forget_gpus()
    providers._providers[GPU] = Recorder(GPU)
    try:
        yield found
        flow.sync()
    finally:
        forget_gpus()
        torch_cuda.runtime = before


def on_gpu(x: torch.Tensor) -> flow.Tensor:
    """A tensor of the stand-in with the same shape, strides and alignment."""
    ours = flow.from_torch(twin(x))
    meta = ours.meta
    moved = TensorMeta.get(meta.shape, meta.stride, meta.dtype, GPU, meta.aligned)
    ours.impl.block.stream = providers.get_provider(GPU).stream
    return flow.Tensor(moved, ours.impl, ours.ptr)


def call_op(found: Sweep, entry: Any, dtype: torch.dtype, rng: numpy.random.Generator, thorough: bool, limit: int) -> None:
    """Call an op with its samples: forward and backward, and its in-place method."""
    method = next((m for m in entry.methods if m.endswith("_") and not m.startswith("_")), None)
    for number, sample in enumerate(samples_of(entry, dtype, rng, thorough)):
        if number == limit:
            break
        if not _tensors_of_torch((sample.args, sample.kwargs)) and _takes_device(entry):
            sample.kwargs.setdefault("device", "cuda")
        calls: list[tuple[str, Any]] = [(entry.name, getattr(_C, entry.name))]
        if method is not None and sample.args and isinstance(sample.args[0], torch.Tensor):
            calls.append((method, lambda x, *args, **kwargs: getattr(x, method)(*args, **kwargs)))
        for name, function in calls:
            order = 0 if name.endswith("_") else 1 if number else 2
            _call(found, f"{name}{sample}", function, sample, order)


def _takes_device(entry: Any) -> bool:
    return any(p.name == "device" for signature in entry.signatures for p in signature.parameters)


def _tensors_of_torch(value: Any) -> bool:
    if isinstance(value, dict):
        value = list(value.values())
    return isinstance(value, torch.Tensor) or (isinstance(value, (list, tuple)) and any(map(_tensors_of_torch, value)))


def call_more(found: Sweep) -> None:
    """Calls for kernels that the samples do not reach: random numbers, and sizes that need another kernel."""
    for name, function in _MORE.items():
        try:
            function()
        except Exception as error:
            found.problems.append(f"{name}: {type(error).__name__}: {error}")


def _parameter(*shape: int) -> flow.Tensor:
    return on_gpu(torch.ones(shape)).requires_grad_()


def _backward(y: flow.Tensor) -> None:
    flow.autograd.backward([y], [flow.ones_like(y)])


_FLOATS = (flow.float32, flow.float16, flow.bfloat16, flow.float64)
_MORE: dict[str, Callable[[], Any]] = {
    "rand": lambda: [flow.rand(100, dtype=d, device=GPU) for d in _FLOATS],
    "randn": lambda: [flow.randn(100, dtype=d, device=GPU) for d in _FLOATS],
    "randint": lambda: flow.randint(0, 10, (100,), device=GPU),
    "wide randint": lambda: flow.randint(0, 1 << 40, (100,), device=GPU),
    "randperm": lambda: flow.randperm(100, device=GPU),
    "exponential_": lambda: flow.ones(100, device=GPU).exponential_(),
    "bernoulli": lambda: flow.bernoulli(flow.ones(100, device=GPU)),
    "dropout": lambda: _backward(flow.nn.functional.dropout(_parameter(100), 0.5, True)),
    "long sort": lambda: flow.sort(flow.ones(3, 5000, device=GPU), 1),
    "many rows of a loss": lambda: [
        _backward(flow.nn.functional.cross_entropy(_parameter(5000, 10), flow.zeros(5000, dtype=flow.int64, device=GPU))),
        _backward(flow.nn.functional.nll_loss(_parameter(5000, 10), flow.zeros(5000, dtype=flow.int64, device=GPU))),
    ],
    "depthwise convolution": lambda: _backward(
        flow.nn.functional.conv2d(_parameter(2, 8, 16, 16), _parameter(8, 1, 3, 3), groups=8)
    ),
    "large matrices": lambda: _backward(flow.matmul(_parameter(1024, 1024), _parameter(1024, 1024))),
    "long reductions": lambda: [flow.ones(1 << 20, device=GPU).sum(), flow.ones(2, 1 << 18, device=GPU).argmax(1)],
    "wide rows": lambda: _backward(flow.softmax(_parameter(4, 40000), 1)),
    "more than 2^31 elements": lambda: flow.relu(flow.empty(1 << 31, dtype=flow.int8, device=GPU)),
}


def _call(found: Sweep, name: str, function: Any, sample: Any, order: int) -> None:
    try:
        _run(function, sample, on_gpu, order)
    except Exception as error:
        try:
            _run(function, sample, lambda x: flow.from_torch(twin(x)), order)
        except Exception as expected:
            if type(expected) is type(error):
                return
        found.problems.append(f"{name}: {type(error).__name__}: {error}")


def _run(function: Any, sample: Any, tensor: Any, order: int) -> None:
    """A call, and its derivatives up to an order."""
    args = convert(sample.args, tensor, dtypes.from_torch)
    kwargs = convert(sample.kwargs, tensor, dtypes.from_torch)
    wanted = _differentiated(function, args)
    leaves = [x for x in _tensors((wanted, list(kwargs.values()))) if order and x.dtype.is_floating_point]
    for x in leaves:
        x.requires_grad = True
    outputs = _tensors(function(*args, **kwargs))
    for _ in range(order):
        outputs = [y for y in outputs if y is not None and y.requires_grad and y.grad_fn is not None]
        if outputs:
            ones = [flow.ones_like(y).requires_grad_() for y in outputs]
            outputs = list(flow.autograd.grad(outputs, leaves, ones, create_graph=order > 1, allow_unused=True))
            leaves += ones


def _differentiated(function: Any, args: Any) -> list[Any]:
    """The arguments without those that the function does not differentiate by."""
    constant = CONSTANT_INPUTS.get(getattr(function, "__name__", ""), ())
    names = list(inspect.signature(function).parameters) if constant else []
    return [a for k, a in enumerate(args) if k >= len(names) or names[k] not in constant]


def _tensors(value: Any) -> list[Any]:
    if isinstance(value, flow.Tensor):
        return [value]
    return [t for v in value for t in _tensors(v)] if isinstance(value, (list, tuple)) else []


# ------------------------------------------------------------------------------------------------ what kernels/ has


def jit_functions(module: Any) -> list[JITFunction]:
    """The functions decorated with `triton.jit` in a module."""
    return [v for v in vars(module).values() if isinstance(v, JITFunction) and v.fn.__module__ == module.__name__]

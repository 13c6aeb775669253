"""What models launch, compiled for GPUs of five architectures: matrix instructions of each, shared memory that it has, no spills.

A GPT-2's products, products of float32, attention with its gradients, ResNet's convolutions and a product of float8. The ordinary run
takes a few for each architecture, the long one all.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Any

import pytest

import tritonflow as flow
from tests.device.fake_cuda import GPUS
from tests.kernels.compile_sweep import GPU, Request, sweep
from tests.kernels.gpu_code import code_of

F = flow.nn.functional
TENSOR_MEMORY = 512  # columns, of a multiprocessor
MULTIPLYING = ("matmul", "matmul_persistent", "attention", "attention_gradients", "conv")  # modules of kernels
# Of each architecture, and what multiplies float8 and float32 there: TF32 by matrix units of a third of float32's rate pays nothing.
INSTRUCTIONS = {
    80: ("HMMA", "HMMA", "HMMA"), 89: ("HMMA", "QMMA", "FFMA"), 90: ("HGMMA", "QGMMA", "HGMMA"),
    100: ("UTCHMMA", "UTCQMMA", "UTCHMMA"), 120: ("HMMA", "QMMA", "FFMA"),
}  # fmt: skip


def _new(*shape: int, dtype: Any = flow.bfloat16, grad: bool = False) -> flow.Tensor:
    return flow.empty(shape, dtype=dtype, device=GPU, requires_grad=grad)


def _linear(rows: int, inputs: int, outputs: int, dtype: Any = flow.bfloat16) -> Callable[[], None]:
    """A layer and its gradients; one of bfloat16 has a bias."""

    def call() -> None:
        x, w = _new(rows, inputs, dtype=dtype, grad=True), _new(outputs, inputs, dtype=dtype, grad=True)
        bias = _new(outputs, grad=True) if dtype is flow.bfloat16 else None
        F.linear(x, w, bias).backward(_new(rows, outputs, dtype=dtype))

    return call


def _attention(d: int, dtype: Any) -> Callable[[], None]:
    def call() -> None:
        q, k, v = (_new(2, 4, 1024, d, dtype=dtype, grad=True) for _ in range(3))
        F.scaled_dot_product_attention(q, k, v, is_causal=True).backward(_new(2, 4, 1024, d, dtype=dtype))

    return call


def _convolution(channels: int, side: int, outputs: int, kernel: int, step: int) -> Callable[[], None]:
    """Of 128 channels-last images; those of 3 channels are a model's input, and have no gradient."""

    def call() -> None:
        x = _new(128, side, side, channels, grad=channels > 3).permute(0, 3, 1, 2)
        y = F.conv2d(x, _new(outputs, channels, kernel, kernel, grad=True), None, stride=step, padding=kernel // 2)
        y.backward(flow.empty_like(y))

    return call


def _float8() -> None:
    x, w = (_new(4096, 4096, dtype=flow.float8_e4m3fn) for _ in range(2))
    one = flow.empty((), device=GPU)
    F.scaled_mm(x, w.t(), one, one, out_dtype=flow.bfloat16)


CALLS: dict[str, Callable[[], None]] = {
    "float8": _float8,
    "linear 768 2304": _linear(16384, 768, 2304),
    "linear 768 768": _linear(16384, 768, 768),
    "linear 768 3072": _linear(16384, 768, 3072),
    "linear 3072 768": _linear(16384, 3072, 768),
    "linear 768 50304": _linear(16384, 768, 50304),
    "linear float32 4096 4096": _linear(4096, 4096, 4096, flow.float32),
    "linear float32 768 768": _linear(4096, 768, 768, flow.float32),
    **{f"attention bfloat16 {d}": _attention(d, flow.bfloat16) for d in (64, 128)},
    **{f"attention float32 {d}": _attention(d, flow.float32) for d in (64, 128)},
    "conv 3@224 7x7 64": _convolution(3, 224, 64, 7, 2),
    "conv 64@56 3x3 64": _convolution(64, 56, 64, 3, 1),
    "conv 64@56 1x1 256": _convolution(64, 56, 256, 1, 1),
    "conv 256@56 1x1 64": _convolution(256, 56, 64, 1, 1),
    "conv 128@56 3x3 128": _convolution(128, 56, 128, 3, 2),
    "conv 256@14 3x3 256": _convolution(256, 14, 256, 3, 1),
    "conv 512@7 3x3 512": _convolution(512, 7, 512, 3, 1),
}
# In the ordinary run: what was wrong for one of them.
SAMPLED = {("linear 768 3072", 90), ("linear 768 2304", 100), ("attention float32 128", 120), ("attention float32 64", 89)}

# Its compiler gives this kernel 96 registers, and spills one of them before the loop.
SPILLED = {("conv 64@56 3x3 64", 100, "input_gradient"): 8}


def requests_of(name: str, arch: int) -> list[Request]:
    """The kernels that a call launches, each once."""
    with sweep(arch) as found:
        CALLS[name]()
    return list({f"{r} {r.signature} {r.attrs}": r for r in found.requests}.values())


def check(request: Request, arch: int, wanted: str, spilled: int) -> None:
    compiled = request.compile(arch)
    code = code_of(compiled, arch)
    assert code.stack <= spilled, f"{request}: {code.stack} bytes of stack"
    assert code.shared <= GPUS[arch].shared_memory, f"{request}: {code.shared} bytes of shared memory"
    assert (getattr(compiled.metadata, "tmem_size", 0) or 0) <= TENSOR_MEMORY, str(request)
    if "BLOCK_K" in request.constexprs or request.fn.__name__ in ("key_gradients", "query_gradient"):
        assert code.count(wanted) > 0, f"{request} has no {wanted}: {dict(code.instructions)}"


def _cases() -> list[Any]:
    pairs = chain.from_iterable([(name, arch) for arch in GPUS] for name in CALLS)
    return [pytest.param(n, a, marks=() if (n, a) in SAMPLED else pytest.mark.long) for n, a in pairs]


@pytest.mark.parametrize(("name", "arch"), _cases())
def test_code_of_models(name: str, arch: int) -> None:
    number = 1 if name == "float8" else 2 if "float32" in name else 0
    wanted = INSTRUCTIONS[arch][number]
    if name == "attention float32 128" and arch in (90, 100):
        wanted = "HMMA"  # tiles of 32 rows, which are too few for the units of a group
    for request in requests_of(name, arch):
        if request.name.split(".")[0] in MULTIPLYING:
            check(request, arch, wanted, SPILLED.get((name, arch, request.fn.__name__), 0))

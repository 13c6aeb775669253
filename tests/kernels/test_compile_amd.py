"""Kernels compile for a GPU of AMD, as far as a compiler can say: an MI300X (gfx942), for which there is no provider yet."""

from __future__ import annotations

import re
from typing import Any

import numpy
import pytest
import torch
import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

import tritonflow as flow
from tests.device.fake_cuda import GPUS
from tests.kernels.compile_sweep import GPU, Request, call_more, call_op, sweep
from tests.kernels.op_calls import name_of
from tests.op_samples import tested_entries
from tritonflow.kernels.facts import DeviceFacts

MI300X = DeviceFacts("gpu", lanes=64, processors=304, shared_memory=64 << 10, cache=4 << 20)
TARGET = GPUTarget("hip", "gfx942", 64)
MATRIX = {"attention.forward", "attention_gradients.key_gradients", "attention_gradients.query_gradient", "conv.forward", "matmul.matmul"}


def compile_for_amd(request: Request) -> Any:
    if "amd" not in triton.backends.backends:
        pytest.skip("this release of Triton brings no backend for AMD")
    source = ASTSource(request.fn, dict(request.signature), dict(request.constexprs), dict(request.attrs or {}))
    return triton.compile(source, target=TARGET, options=dict(request.options))


def requests(monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...] = ()) -> list[Request]:
    """The first request of each kernel, of ops of these names or of all, in float32, for which plans have 64 KiB of shared memory."""
    monkeypatch.setitem(GPUS, 0, MI300X)
    with sweep(0) as found:
        for entry in tested_entries():
            if not names or entry.name in names:
                call_op(found, entry, torch.float32, numpy.random.default_rng(0), False, 1)
        if not names:
            call_more(found)
    assert not found.problems, found.problems[:5]
    first: dict[str, Request] = {}
    for request in found.requests:
        first.setdefault(name_of(request.fn), request)
    return list(first.values())


def check(request: Request) -> None:
    """It fits on chip, and multiplies in matrix units, which AMD's has for float32."""
    compiled = compile_for_amd(request)
    text = compiled.asm["amdgcn"]
    assert compiled.metadata.shared <= MI300X.shared_memory and "s_endpgm" in text
    assert re.search(r"\.vgpr_spill_count:\s*0\b", text), f"{request} spills"
    if request.name in MATRIX and request.constexprs.get("DOT", True):
        assert "v_mfma_" in text, str(request)


@pytest.mark.parametrize("name", ["softmax", "matmul"])
def test_ops_for_amd(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = requests(monkeypatch, (name,))
    assert found
    for request in found:
        check(request)


FUNCTIONS = ("asin", "acos", "atan", "asinh", "acosh", "atanh", "sin", "cos", "erf", "erfc", "erfinv", "lgamma", "log1p", "expm1", "exp2")


@pytest.mark.long
def test_functions_of_a_library_for_amd(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that Triton takes from the vendor's library, in both precisions."""
    monkeypatch.setitem(GPUS, 0, MI300X)
    with sweep(0) as found:
        for dtype in (flow.float32, flow.float64):
            x = flow.empty(64, dtype=dtype, device=GPU)
            flow.atan2(x, x), flow.hypot(x, x), flow.special.ndtri(x), flow.special.bessel_j0(x), flow.special.bessel_y1(x)
            for name in FUNCTIONS:
                getattr(flow, name)(x)
    assert len({request.constexprs["FN"].__name__ for request in found.requests}) >= len(FUNCTIONS) + 5
    for request in found.requests:
        assert "s_endpgm" in compile_for_amd(request).asm["amdgcn"], str(request)


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("part", range(4))
def test_every_kernel_for_amd(part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each kernel that an op or a special call launches, once."""
    for request in requests(monkeypatch)[part::4]:
        check(request)

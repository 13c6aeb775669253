"""Every kernel that an op launches compiles for a CPU that is not there: 64-bit Arm, and the least x86-64.

Objects for Arm are made and thrown away; nothing here runs them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy
import pytest
import torch

from tests.kernels.compile_sweep import Request, call_more, call_op, sweep
from tests.kernels.op_calls import FAMILIES
from tests.op_samples import entries
from tests.op_samples import tested_entries as entries_with_samples
from tritonflow import triton_compat
from tritonflow.triton_cpu import CompileError, arguments, jit, launcher
from tritonflow.triton_cpu.lower.kernel import lower
from tritonflow.triton_cpu.target import Target, foreign, resolve

ARM = "aarch64-unknown-linux-gnu"


@pytest.fixture(scope="module")
def arm() -> Target:
    try:
        return foreign(ARM)
    except CompileError as error:
        pytest.skip(str(error))


def requests_of(name: str, dtypes: tuple[torch.dtype, ...], rng: numpy.random.Generator) -> Iterator[Request]:
    """What an op asks to be compiled, each kernel once."""
    with sweep() as found:
        for dtype in dtypes:
            call_op(found, entries()[name], dtype, rng, False, 2)
    yield from {str(request): request for request in found.requests}.values()


def llvm_text(request: Request, target: Target) -> str | None:
    """LLVM IR for a request; None where the front end itself rejects it, which the op's own tests see."""
    try:
        ttir = triton_compat.lower_to_ttir(request.fn, request.signature, request.constexprs)
    except Exception:
        return None
    types = arguments.flatten(request.signature)
    return launcher.module_text(lower(ttir, target), types)


def check(request: Request, target: Target) -> bool:
    """Whether there was something to compile."""
    text = llvm_text(request, target)
    if text is None:
        return False
    assert "llvm.x86" not in text, str(request)
    data = jit.compile_object(text, target)
    assert data[:4] == b"\x7fELF" and int.from_bytes(data[18:20], "little") == 183  # EM_AARCH64
    return True


@pytest.mark.parametrize("name", [n if k % 6 == 0 else pytest.param(n, marks=pytest.mark.long) for k, n in enumerate(FAMILIES)])
def test_a_kernel_of_each_family_compiles_for_arm(name: str, arm: Target, rng: numpy.random.Generator) -> None:
    requests = requests_of(name, (torch.float32,), rng)
    assert any(check(request, arm) for request in requests)


@pytest.mark.hours
@pytest.mark.parametrize("name", [entry.name for entry in entries_with_samples()])
def test_every_kernel_of_an_op_compiles_for_arm(name: str, arm: Target, rng: numpy.random.Generator) -> None:
    for request in requests_of(name, (torch.float32, torch.bfloat16, torch.float16, torch.int64), rng):
        check(request, arm)


@pytest.mark.hours
def test_kernels_of_special_sizes_compile_for_arm(arm: Target) -> None:
    with sweep() as found:
        call_more(found)
    for request in {str(request): request for request in found.requests}.values():
        check(request, arm)


@pytest.mark.parametrize(("level", "absent"), [pytest.param("baseline", r"\b[yz]mm\d|vfmadd", marks=pytest.mark.long), ("avx2", r"\bzmm\d|vdpbf16ps")])
@pytest.mark.long
def test_no_feature_is_assumed(level: str, absent: str, rng: numpy.random.Generator) -> None:
    """The code for a lower target has no instruction that it lacks, whatever this machine has."""
    try:
        target = resolve(level)
    except CompileError as error:
        pytest.skip(str(error))
    for name in ("gelu", "matmul", "layer_norm"):
        for request in list(requests_of(name, (torch.float32, torch.bfloat16), rng))[:3]:
            text = llvm_text(request, target)
            assert text is not None
            found = re.search(absent, jit.assembly(text, target))
            assert found is None, f"{request}: {found}"


def test_names_of_targets() -> None:
    with pytest.raises(CompileError, match="this LLVM has no code generator for pdp11"):
        foreign("pdp11-unknown-none")
    assert foreign(ARM) is foreign(ARM)

"""Every candidate of tuning compiles for GPUs, and fits on them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import triton
import triton.language as tl

import tritonflow as flow
from tests.kernels.compile_sweep import GPU, Request, sweep
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.meta import contiguous_meta
from tritonflow.ops.prologue import Prologues
from tritonflow.ops.tuning import ask

SHARED = {80: 163 << 10, 90: 227 << 10}  # bytes a program: CUDA programming guide, "compute capabilities"
IMAGES, ATTRS = (8, 64, 28, 28), ((1, 1), (1, 1), (1, 1), 1)
WINDOW, Q, MASK = (128, 64, 3, 3), (2, 4, 256, 64), (2, 4, 256, 256)
# Inputs of ops as (shape or None, ...), attributes
CASES: dict[str, tuple[str, tuple[Any, ...], tuple[Any, ...]]] = {
    "matmul": ("matmul", ((512, 512), (512, 512)), (False, True)),
    "conv": ("conv2d", (IMAGES, WINDOW, None), ATTRS),
    "data_grad": ("conv_data_grad", ((8, 128, 28, 28), WINDOW), (IMAGES, *ATTRS)),
    "filter_grad": ("conv_filter_grad", ((8, 128, 28, 28), IMAGES), (WINDOW, *ATTRS)),
    "attention": ("scaled_dot_product_attention", (Q, Q, Q, MASK, None), (False,)),
    "attention_grad": ("attention_grad", (Q, Q, Q, Q, Q, (2, 4, 256, 2), None, None), (True,)),
}


@triton.jit
def to_half(x):
    return x.to(tl.float16)


def requests(name: str, dtype: Any, arch: int, front: Any = None) -> Iterator[Request]:
    """The kernels of each candidate's plan, each once; `front` is the dtype of what a prologue casts."""
    op, shapes, attrs = CASES[name]
    metas = tuple([None if shape is None else contiguous_meta(shape, front or dtype, GPU) for shape in shapes])
    context: dict[str, Any] = {}
    if front is not None:
        context["prologues"] = Prologues(to_half, to_half, dtype)
    with sweep(arch) as found:
        _, candidates = ask(lambda: op_expr(op).plan(metas, attrs, **context))
        assert 2 <= len(candidates) <= 8, name
        for number in range(len(candidates)):
            ask(lambda number=number: op_expr(op).plan(metas, attrs, **context), number)[0].prepare(GPU)  # type: ignore[misc]
    yield from {str(request): request for request in found.requests}.values()


def check(request: Request, arch: int) -> None:
    compiled = request.compile(arch)
    assert compiled.asm["cubin"]
    assert compiled.metadata.shared <= SHARED[arch], f"{request} needs {compiled.metadata.shared} bytes on sm_{arch}"


@pytest.mark.parametrize("arch", SHARED)
def test_the_largest_tiles_fit(arch: int) -> None:
    largest = max(requests("matmul", flow.bfloat16, arch), key=lambda r: r.constexprs["BLOCK_M"] * r.constexprs["BLOCK_N"])
    check(largest, arch)


@pytest.mark.long
@pytest.mark.parametrize("arch", SHARED)
@pytest.mark.parametrize("dtype", [flow.float32, flow.bfloat16], ids=str)
@pytest.mark.parametrize("name", CASES)
def test_every_candidate_fits(name: str, dtype: Any, arch: int) -> None:
    for request in requests(name, dtype, arch):
        check(request, arch)


@pytest.mark.long
@pytest.mark.parametrize("arch", SHARED)
@pytest.mark.parametrize("name", ["matmul", "conv"])
def test_every_candidate_fits_with_casts_in_front(name: str, arch: int) -> None:
    for request in requests(name, flow.float16, arch, flow.float32):
        check(request, arch)

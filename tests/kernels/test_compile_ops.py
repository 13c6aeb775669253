"""Every kernel that an op launches on a GPU compiles for its architectures, for sm_90 without spills, and none of kernels/ is forgotten.

What is compiled comes from `compile_sweep`. The ordinary run compiles a sample: each kernel once, every other one for sm_90, the
rest for others in turn; `-m long` compiles what each op asks for in float32 and, for each architecture, in three of the other
dtypes; `-m hours` compiles all of it for both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy
import pytest
import torch
from triton.runtime.jit import JITFunction

import tritonflow as flow
from tests.device.fake_cuda import GPUS
from tests.kernels.compile_sweep import GPU, Request, Sweep, call_more, call_op, sweep
from tests.kernels.gpu_code import spilled, stack_of
from tests.kernels.op_calls import attend, name_of, templates
from tests.op_samples import DTYPES, entries
from tests.op_samples import tested_entries as entries_with_samples
from tests.sampling import by_turn
from tritonflow import triton_compat
from tritonflow.nn.attention.flash import flash_attn_varlen_func, flash_attn_with_kvcache
from tritonflow.nn.attention.flex_attention import BlockMask, flex_attention

QUICK_DTYPES = (torch.float32, torch.bfloat16, torch.int64)


@pytest.fixture(scope="module")
def everything() -> Sweep:
    """A few samples of every op in a few dtypes."""
    with sweep() as found:
        for entry in entries_with_samples():
            for dtype in QUICK_DTYPES:
                call_op(found, entry, dtype, numpy.random.default_rng(0), False, 2)
        call_more(found)
    return found


def compile_for(request: Request, arch: int) -> None:
    """Compile, for sm_90 without spills; what the front end itself rejects is not about GPUs, and the op's own tests see it on the CPU."""
    try:
        compiled = request.compile(arch)
    except Exception as error:
        try:
            triton_compat.lower_to_ttir(request.fn, request.signature, request.constexprs, request.attrs)
        except Exception:
            return
        pytest.fail(f"{request} does not compile for sm_{arch}: {error}")
    assert compiled.metadata.shared <= GPUS[arch].shared_memory, f"{request}: {compiled.metadata.shared} bytes of shared memory"
    if arch == 90 and stack_of(compiled):
        assert not spilled(compiled), f"{request} spills {spilled(compiled)} bytes"


def test_ops_run_on_a_gpu(everything: Sweep) -> None:
    """What runs on the CPU is planned for a GPU without an error."""
    assert not everything.problems, "\n".join(everything.problems[:20])


# One element after the other; sums that a GPU computes with the gradient of queries; rows that a GPU multiplies in tiles; sums in a cache.
FOR_CPUS = {
    "radix_sort.radix_sort", "conv_last.forward", "depthwise_rows.forward_rows", "matmul_panels.matmul_panels",
    "attention_gradients.row_products", "matmul.few_rows", "norm.strip_gradients",
}  # fmt: skip


def test_no_kernel_is_forgotten(everything: Sweep) -> None:
    launched = {name_of(request.fn) for request in everything.requests}
    launched |= {
        name_of(v) for request in everything.requests for v in request.constexprs.values() if isinstance(v, JITFunction)
    }
    missing = sorted(set(templates()) - launched - FOR_CPUS)
    assert not missing, f"no call launches {missing}: add a sample to an op, or a call to op_calls.more_calls"


def sample_of(requests: list[Request]) -> Iterator[tuple[Request, int]]:
    """The first request of each kernel, for the architectures in turn; tiles of kernels with descriptors fit on sm_90 alone."""
    first: dict[str, Request] = {}
    for request in requests:
        first.setdefault(name_of(request.fn), request)
    for number, name in enumerate(sorted(first)):
        described = name.startswith(("matmul_persistent.", "matmul_stream_k."))
        yield first[name], 90 if described else (80, 90, 120, 90, 89, 90, 100, 90)[number % 8]


@pytest.mark.sampled(most=2)
@pytest.mark.parametrize("part", range(4))
def test_a_sample_compiles(everything: Sweep, part: int) -> None:
    for request, arch in list(sample_of(everything.requests))[part::4]:
        compile_for(request, arch)


@pytest.mark.long
@pytest.mark.parametrize("arch", (80, 90))
def test_kernels_of_special_sizes(arch: int) -> None:
    with sweep(arch) as found:
        call_more(found)
    for request in found.requests:
        compile_for(request, arch)


@pytest.mark.long
@pytest.mark.parametrize("name", [entry.name for entry in entries_with_samples() if entry.ops])
def test_every_kernel_of_an_op(name: str, rng: numpy.random.Generator) -> None:
    """A few samples in float32, and one or two in three other dtypes, on one architecture: for each op others."""
    (arch,) = by_turn(name, (80, 90), 1)
    with sweep(arch) as found:
        call_op(found, entries()[name], torch.float32, rng, False, 4)
        for dtype in by_turn(name, DTYPES[1:], 3):
            call_op(found, entries()[name], dtype, rng, False, 2)
    for request in found.requests:
        compile_for(request, arch)


@pytest.mark.hours
@pytest.mark.parametrize("arch", (80, 90))
@pytest.mark.parametrize("name", [entry.name for entry in entries_with_samples()])
def test_every_kernel_of_every_sample(name: str, arch: int, rng: numpy.random.Generator) -> None:
    """A few samples in every dtype, and in float32 every sample; in every layout on one of the architectures."""
    with sweep(arch) as found:
        for dtype in DTYPES:
            everything = dtype is torch.float32
            call_op(found, entries()[name], dtype, rng, everything and arch == 90, 1000 if everything else 4)
    for request in found.requests:
        compile_for(request, arch)


F = flow.nn.functional


def _new(*shape: int, dtype: Any = flow.float32) -> flow.Tensor:
    return flow.empty(shape, dtype=dtype, device=GPU, requires_grad=dtype.is_floating_point)


def _layer_norm(columns: int) -> None:
    weight, bias = _new(columns, dtype=flow.float64), _new(columns, dtype=flow.float64)
    F.layer_norm(_new(4096, columns, dtype=flow.float64), (columns,), weight, bias).sum().backward()


def _special(dtype: Any) -> list[Any]:
    x = flow.empty(64, dtype=dtype, device=GPU)
    return [flow.special.airy_ai(x), flow.special.bessel_j1(x), flow.special.bessel_y0(x), flow.special.zeta(x, x)]


def _masked(rows: int, columns: int, width: int, kind: Any, dropout: float) -> None:
    q, k, v = (_new(2, 3, n, width) for n in (rows, columns, columns))
    mask = flow.empty(2, 3, rows, columns, dtype=kind, device=GPU)
    F.scaled_dot_product_attention(q, k, v, mask, dropout).sum().backward()


def _of_sequences(size: int, dtype: Any, dropout: float = 0.0) -> None:
    q, k, v = (_new(4096, heads, size, dtype=dtype).requires_grad_() for heads in (8, 2, 2))
    starts = _new(9, dtype=flow.int32)
    flash_attn_varlen_func(q, k, v, starts, starts, 1024, 1024, dropout, causal=True, window_size=(256, 0)).sum().backward()


@flow.no_grad()
def _paged(size: int) -> None:
    pages = [_new(99, 16, 2, size, dtype=flow.bfloat16)] * 2
    used, table = _new(4, dtype=flow.int32), _new(4, 64, dtype=flow.int32)
    flash_attn_with_kvcache(_new(4, 1, 8, size, dtype=flow.bfloat16), *pages, cache_seqlens=used, block_table=table)


def _edited(size: int) -> None:
    q, k, v = (_new(2, 8, 1024, size, dtype=flow.bfloat16).requires_grad_() for _ in range(3))
    counts, blocks, slopes = _new(1, 1, 8, dtype=flow.int32), _new(1, 1, 8, 8, dtype=flow.int32), _new(8)
    mask = BlockMask.from_kv_blocks(counts, blocks, counts, blocks, 128, lambda b, h, m, n: m >= n)
    flex_attention(q, k, v, lambda s, b, h, m, n: 30 * flow.tanh(s / 30) - slopes[h] * (m - n), mask).sum().backward()


SPILLED: dict[str, Callable[[], Any]] = {
    "losses of few classes": lambda: [F.cross_entropy(_new(8192, n), _new(8192, dtype=flow.int64)).backward() for n in (2, 10)],
    "gradients of float64": lambda: [_layer_norm(n) for n in (64, 512)],
    "a product of few rows": lambda: F.linear(_new(8, 4096, dtype=flow.bfloat16), _new(14336, 4096, dtype=flow.bfloat16)),
    "a product of few elements": lambda: _new(4, 5) @ _new(5, 6),
    "eigenvectors": lambda: [flow.linalg.eig(_new(n, n, dtype=dtype)) for n in (8, 20) for dtype in (flow.float32, flow.complex64)],
    "complex matrices": lambda: [
        call(_new(8, 8, dtype=flow.complex64))
        for call in (flow.linalg.inv, flow.linalg.det, flow.linalg.cholesky, flow.linalg.qr, flow.linalg.eigh, flow.linalg.svd, flow.linalg.pinv)
    ],
    "a small matrix's rows and columns": lambda: [flow.linalg.svd(_new(8, 8)), flow.linalg.qr(_new(8, 8))],
    "a query to many keys": lambda: [
        F.scaled_dot_product_attention(_new(1, 8, 1, 64, dtype=dtype), *[_new(1, 2, 8192, 64, dtype=dtype)] * 2, enable_gqa=True)
        for dtype in (flow.bfloat16, flow.float32)
    ],
    "attention of sequences": lambda: [_of_sequences(d, dtype) for d, dtype in ((64, flow.bfloat16), (128, flow.bfloat16), (64, flow.float32))],
    "attention of sequences with dropout": lambda: [
        _of_sequences(d, dtype, 0.1) for d, dtype in ((64, flow.bfloat16), (128, flow.bfloat16), (64, flow.float32))
    ],
    "attention to pages": lambda: [_paged(d) for d in (64, 128)],
    "functions of scores": lambda: [_edited(d) for d in (64, 128)],
    "dropout in short attention": lambda: [attend(_new(1, 8, n, 8, dtype=flow.float16)) for n in (20, 21)],
    "depthwise convolution of few channels": lambda: F.conv2d(
        _new(2, 16, 16, 8).permute(0, 3, 1, 2), _new(8, 1, 3, 3), padding=1, groups=8
    ).sum().backward(),
    "incomplete gamma functions": lambda: flow.special.gammainc(_new(64), _new(64)),
    "Airy, Bessel and zeta functions": lambda: [_special(dtype) for dtype in (flow.float64, flow.int8)],
    "gradients of acos in float64, and of sinc": lambda: [
        flow.autograd.grad(flow.acos(x := _new(64, dtype=flow.float64)).sum(), x),
        flow.autograd.grad(flow.sinc(x := _new(64)).sum(), x, create_graph=True),
    ],
    "masks and dropout in attention of float32": lambda: [
        _masked(5, 5, 8, flow.float32, 0.1), _masked(16, 30, 64, flow.bool, 0.1), _masked(5, 100, 64, flow.bool, 0.0),
        _masked(64, 200, 64, flow.float32, 0.0), _masked(64, 200, 64, flow.bool, 0.1), _masked(200, 64, 128, flow.bool, 0.0),
    ],
}


@pytest.mark.parametrize("name", [n if k % 3 == 0 else pytest.param(n, marks=pytest.mark.long) for k, n in enumerate(SPILLED)])
def test_what_spilled_does_not(name: str) -> None:
    """Calls of usual sizes, beside the small ones of samples."""
    with sweep(90) as found:
        SPILLED[name]()
    for request in {f"{r} {r.signature} {r.attrs}": r for r in found.requests}.values():
        compile_for(request, 90)

"""Matrix products: dtypes, transposed operands, accumulators, batches, shapes down to one."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
import triton
import triton.language as tl

from tests.triton_cpu.support import run
from tritonflow.settings import settings
from tritonflow.triton_cpu.target import resolve


@triton.jit
def matmul_kernel(
    a, b, c, M, N, K, sam, sak, sbk, sbn, scm, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, ACC: tl.constexpr
):
    m, n, k = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN), tl.arange(0, BK)
    ap = a + m[:, None] * sam + k[None, :] * sak
    bp = b + k[:, None] * sbk + n[None, :] * sbn
    acc = tl.zeros((BM, BN), dtype=ACC)
    for start in range(0, K, BK):
        left = K - start
        x = tl.load(ap, mask=(m[:, None] < M) & (k[None, :] < left), other=0)
        y = tl.load(bp, mask=(k[:, None] < left) & (n[None, :] < N), other=0)
        acc = tl.dot(x, y, acc, out_dtype=ACC)
        ap += BK * sak
        bp += BK * sbk
    tl.store(c + m[:, None] * scm + n[None, :], acc, mask=(m[:, None] < M) & (n[None, :] < N))


CASES = [
    (torch.float32, torch.float32, tl.float32), (torch.float64, torch.float64, tl.float64),
    (torch.float16, torch.float32, tl.float32), (torch.bfloat16, torch.float32, tl.float32),
    (torch.float16, torch.float16, tl.float16), (torch.int8, torch.int32, tl.int32),
]  # fmt: skip


@pytest.mark.sampled
@pytest.mark.parametrize("transposed", [(False, False), (True, False), (False, True), (True, True)])
@pytest.mark.parametrize(("dtype", "out", "acc"), CASES)
@pytest.mark.parametrize("shape", [(64, 64, 64), (70, 45, 100), (20, 45, 100), (1, 33, 5)])
def test_matmul(
    shape: tuple[int, int, int], dtype: torch.dtype, out: torch.dtype, acc: tl.dtype, transposed: tuple[bool, bool]
) -> None:
    m, n, k = shape
    make = (
        (lambda *s: torch.randint(-100, 100, s, dtype=dtype))
        if dtype == torch.int8
        else (lambda *s: torch.randn(*s).to(dtype))
    )
    a = make(k, m).t() if transposed[0] else make(m, k)
    b = make(n, k).t() if transposed[1] else make(k, n)
    c = torch.zeros(m, n, dtype=out)
    run(
        matmul_kernel, (triton.cdiv(m, 32), triton.cdiv(n, 32)), a, b, c, m, n, k, *a.stride(), *b.stride(), c.stride(0),
        BM=32, BN=32, BK=32, ACC=acc,
    )  # fmt: skip
    want = a.double() @ b.double()
    if dtype == torch.int8:
        assert torch.equal(c, want.to(out))
    else:
        tolerance = {torch.float32: 1e-4, torch.float64: 1e-12, torch.float16: 0.3}[out]
        torch.testing.assert_close(c.double(), want, rtol=1e-3 if out == torch.float16 else 1e-5, atol=tolerance)


@pytest.mark.parametrize("transposed", [(False, False), (True, False), (False, True), (True, True)])
@pytest.mark.parametrize("shape", [(64, 64, 64), (37, 51, 70), (3, 200, 33), (1, 33, 257)])
def test_bytes_four_at_a_time(shape: tuple[int, int, int], transposed: tuple[bool, bool]) -> None:
    """int8 in blocks that `vpdpbusd` takes where the CPU has it, with -128, which has no positive partner, and rows of 127."""
    m, n, k = shape
    a, b = (torch.randint(-128, 128, s, dtype=torch.int8) for s in ((m, k), (k, n)))
    a[0], b[:, 0], b[:, -1] = -128, -128, 127
    a, b = (x.t().contiguous().t() if turned else x for x, turned in zip((a, b), transposed))
    c = torch.zeros(m, n, dtype=torch.int32)
    grid = (triton.cdiv(m, 32), triton.cdiv(n, 64))
    run(matmul_kernel, grid, a, b, c, m, n, k, *a.stride(), *b.stride(), c.stride(0), BM=32, BN=64, BK=64, ACC=tl.int32)
    assert torch.equal(c.long(), a.long() @ b.long())


def test_the_instruction_for_bytes_is_used(tmp_path: Path) -> None:
    """On a CPU that has it, and not for one that has not."""
    if not resolve("host").int8_dot:
        pytest.skip("this CPU multiplies no bytes four at a time")
    x, c = torch.ones(64, 64, dtype=torch.int8), torch.zeros(64, 64, dtype=torch.int32)
    for cpu, used in (("host", True), ("avx2", False)):
        c.zero_()
        with settings.override(cpu_dump=tmp_path / cpu):
            blocks = {"BM": 64, "BN": 64, "BK": 64, "ACC": tl.int32}
            run(matmul_kernel, (1, 1), x, x, c, 64, 64, 64, 64, 1, 64, 1, 64, cpu=cpu, **blocks)
        texts = [path.read_text() for path in (tmp_path / cpu).glob("*.s")]
        instruction = "tdpbssd" if resolve("host").amx else "vpdpbusd"
        assert texts and any(instruction in text for text in texts) is used and c.unique().tolist() == [64]


@triton.jit
def contiguous_kernel(a, b, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, TA: tl.constexpr, TB: tl.constexpr):
    m, n, k = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    if TA:
        x = tl.trans(tl.load(a + k[:, None] * M + m[None, :]))
    else:
        x = tl.load(a + m[:, None] * K + k[None, :])
    if TB:
        y = tl.trans(tl.load(b + n[:, None] * K + k[None, :]))
    else:
        y = tl.load(b + k[:, None] * N + n[None, :])
    p = m[:, None] * N + n[None, :]
    tl.store(c + p, tl.dot(tl.exp(x), y, tl.load(c + p), input_precision="ieee"))


@pytest.mark.sampled
@pytest.mark.parametrize("transposed", [(False, False), (True, False), (False, True), (True, True)])
@pytest.mark.parametrize(
    "shape", [(16, 16, 16), (32, 64, 128), (8, 128, 32), (1, 16, 64), (16, 1, 64), (64, 32, 1), (4, 4, 4)]
)
@pytest.mark.parametrize("cpu", [None, "avx2", "baseline"])
def test_one_block(shape: tuple[int, int, int], transposed: tuple[bool, bool], cpu: str | None) -> None:
    m, n, k = shape
    a, b, c = torch.randn(m, k), torch.randn(k, n), torch.randn(m, n)
    want = c.double() + a.double().exp() @ b.double()
    x = a.t().contiguous() if transposed[0] else a
    y = b.t().contiguous() if transposed[1] else b
    run(contiguous_kernel, (1,), x, y, c, M=m, N=n, K=k, TA=transposed[0], TB=transposed[1], cpu=cpu)
    torch.testing.assert_close(c.double(), want, rtol=1e-5, atol=1e-4)


@triton.jit
def partly_masked_kernel(a, b, c, k_a, k_b, rows, stride, OTHER: tl.constexpr, B: tl.constexpr):
    i, k = tl.arange(0, B)[:, None], tl.arange(0, B)[None, :]
    x = tl.load(a + i * stride + k, mask=(k < k_a) & (i < rows), other=0)
    y = tl.load(b + i * B + k, mask=i < k_b, other=OTHER)
    tl.store(c + i * B + k, tl.dot(x, y, input_precision="ieee"))


@pytest.mark.sampled
@pytest.mark.parametrize(("k_a", "k_b"), [(0, 0), (1, 5), (32, 9), (20, 32), (-3, 2)])
@pytest.mark.parametrize("rows", [32, 20])
@pytest.mark.parametrize("other", [0, 2])
def test_what_masks_leave_out_of_the_reduction(k_a: int, k_b: int, rows: int, other: int) -> None:
    a, b, c = torch.randn(32, 40), torch.randn(32, 32), torch.zeros(32, 32)
    run(partly_masked_kernel, (1,), a, b, c, k_a, k_b, rows, 40, OTHER=other, B=32)
    i = torch.arange(32)
    x = torch.where((i < k_a)[None, :] & (i < rows)[:, None], a[:, :32], 0.0)
    y = torch.where((i < k_b)[:, None], b, float(other))
    torch.testing.assert_close(c.double(), x.double() @ y.double(), rtol=1e-5, atol=1e-4)


@triton.jit
def batched_kernel(a, b, c, H: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    h, m, n, k = tl.arange(0, H)[:, None, None], tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    x = tl.load(a + (h * M + m[None, :, None]) * K + k[None, None, :])
    y = tl.load(b + (h * K + k[None, :, None]) * N + n[None, None, :])
    tl.store(c + (h * M + m[None, :, None]) * N + n[None, None, :], tl.dot(x, y))


@triton.jit
def looked_at_kernel(a, b, c, other, sums, M, N, K, rows, columns, B: tl.constexpr, OTHER: tl.constexpr, SUMS: tl.constexpr):
    """A product under masks that is stored under the same ones, under others, and summed without any."""
    m, n = tl.arange(0, B)[:, None], tl.arange(0, B)[None, :]
    acc = tl.zeros((B, B), dtype=tl.float32)
    for start in range(0, K, 16):
        k = start + tl.arange(0, 16)
        x = tl.load(a + m * K + k[None, :], mask=(m < M) & (k[None, :] < K), other=0)
        y = tl.load(b + k[:, None] * N + n, mask=(k[:, None] < K) & (n < N), other=0)
        acc = tl.dot(x, y, acc, input_precision="ieee")
    tl.store(c + m * B + n, acc * 2, mask=(m < M) & (n < N))
    if OTHER:
        tl.store(other + m * B + n, acc, mask=(m < rows) & (n < columns))
    if SUMS:
        tl.store(sums + tl.arange(0, B), tl.sum(acc, axis=1))


@pytest.mark.sampled
@pytest.mark.parametrize("looks", [(False, False), (True, False), (False, True), (True, True)])
@pytest.mark.parametrize(("m", "n"), [(64, 64), (1, 1), (9, 33), (40, 64), (64, 20)])
@pytest.mark.parametrize("cpu", [None, "avx2", "baseline"])
def test_what_nobody_looks_at_may_be_left_out(m: int, n: int, looks: tuple[bool, bool], cpu: str | None) -> None:
    """Rows of zeros times infinity are NaN wherever they can be seen."""
    a, b = torch.zeros(64, 40), torch.zeros(40, 64)
    a[:m], b[:, :n] = torch.randn(m, 40), torch.randn(40, n)
    b[3, n // 2] = torch.inf
    want = (a.double() @ b.double()).float()
    c, other, sums = torch.full((64, 64), 7.0), torch.full((64, 64), 7.0), torch.zeros(64)
    run(
        looked_at_kernel, (1,), a[:m].contiguous(), b[:, :n].contiguous(), c, other, sums, m, n, 40, 50, 60,
        cpu=cpu, B=64, OTHER=looks[0], SUMS=looks[1],
    )  # fmt: skip
    near = {"rtol": 1e-4, "atol": 1e-4, "equal_nan": True}
    torch.testing.assert_close(c[:m, :n], 2 * want[:m, :n], **near)
    assert (c[m:] == 7).all() and (c[:, n:] == 7).all()
    if looks[0]:
        torch.testing.assert_close(other[:50, :60], want[:50, :60], **near)
    if looks[1]:
        torch.testing.assert_close(sums, want.double().sum(1).float(), **near)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_three_dimensions(dtype: torch.dtype) -> None:
    a, b, c = torch.randn(4, 16, 32).to(dtype), torch.randn(4, 32, 64).to(dtype), torch.zeros(4, 16, 64)
    run(batched_kernel, (1,), a, b, c, H=4, M=16, N=64, K=32)
    torch.testing.assert_close(c.double(), a.double() @ b.double(), rtol=1e-5, atol=1e-4)


@triton.jit
def attention_kernel(q, k, v, o, S, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr, CAUSAL: tl.constexpr):
    base = tl.program_id(1) * S * D
    om, d, n0 = tl.program_id(0) * BM + tl.arange(0, BM), tl.arange(0, D), tl.arange(0, BN)
    qq = tl.load(q + base + om[:, None] * D + d[None, :], mask=om[:, None] < S, other=0.0) * scale
    m_i, l_i = tl.full((BM,), -float("inf"), tl.float32), tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    hi = S
    if CAUSAL:
        hi = tl.minimum(S, (tl.program_id(0) + 1) * BM)
    for n in range(0, hi, BN):
        on = n + n0
        kk = tl.load(k + base + on[:, None] * D + d[None, :], mask=on[:, None] < S, other=0.0)
        vv = tl.load(v + base + on[:, None] * D + d[None, :], mask=on[:, None] < S, other=0.0)
        s = tl.dot(qq, tl.trans(kk), input_precision="ieee")
        ok = on[None, :] < S
        if CAUSAL:
            ok = ok & (on[None, :] <= om[:, None])
        s = tl.where(ok, s, -1e30)
        m_n = tl.maximum(m_i, tl.max(s, 1))
        p = tl.exp(s - m_n[:, None])
        al = tl.exp(m_i - m_n)
        l_i = l_i * al + tl.sum(p, 1)
        acc = tl.dot(p, vv, acc * al[:, None], input_precision="ieee")
        m_i = m_n
    tl.store(o + base + om[:, None] * D + d[None, :], acc / l_i[:, None], mask=om[:, None] < S)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("s", [64, 100])
def test_attention(causal: bool, s: int) -> None:
    q, k, v = (torch.randn(1, 3, s, 32) for _ in range(3))
    o = torch.zeros_like(q)
    run(attention_kernel, (triton.cdiv(s, 32), 3), q, k, v, o, s, 32**-0.5, BM=32, BN=32, D=32, CAUSAL=causal)
    want = torch.nn.functional.scaled_dot_product_attention(q.double(), k.double(), v.double(), is_causal=causal)
    torch.testing.assert_close(o.double(), want, rtol=1e-5, atol=1e-5)

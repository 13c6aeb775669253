"""tl.dot_scaled: every format on either side, packed either way, with and without scales."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl

from tests.triton_cpu.support import run

M, N, K = 16, 32, 64
_E2M1 = torch.tensor([0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0])
_E2M1 = torch.cat([_E2M1, -_E2M1])
_TORCH = {"e4m3": torch.float8_e4m3fn, "e5m2": torch.float8_e5m2, "bf16": torch.bfloat16, "fp16": torch.float16}
_TRITON = {"e4m3": "*fp8e4nv", "e5m2": "*fp8e5", "bf16": "*bf16", "fp16": "*fp16", "e2m1": "*u8"}


@triton.jit
def dot_kernel(
    a, b, sa, sb, c, o, A: tl.constexpr, B: tl.constexpr, A_SCALED: tl.constexpr, B_SCALED: tl.constexpr, GROUP: tl.constexpr,
    A_ROWS: tl.constexpr, A_COLUMNS: tl.constexpr, B_ROWS: tl.constexpr, B_COLUMNS: tl.constexpr, A_ALONG_K: tl.constexpr,
    B_ALONG_K: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr,
):  # fmt: skip
    x = tl.load(a + tl.arange(0, A_ROWS)[:, None] * A_COLUMNS + tl.arange(0, A_COLUMNS)[None, :])
    y = tl.load(b + tl.arange(0, B_ROWS)[:, None] * B_COLUMNS + tl.arange(0, B_COLUMNS)[None, :])
    G: tl.constexpr = K // GROUP
    s = tl.load(sa + tl.arange(0, M)[:, None] * G + tl.arange(0, G)[None, :]) if A_SCALED else None
    t = tl.load(sb + tl.arange(0, N)[:, None] * G + tl.arange(0, G)[None, :]) if B_SCALED else None
    p = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    r = tl.dot_scaled(
        x, s, A, y, t, B, acc=tl.load(c + p), lhs_k_pack=A_ALONG_K, rhs_k_pack=B_ALONG_K, out_dtype=tl.float32
    )
    tl.store(o + p, r)


def operand(format_: str, shape: tuple[int, int], packed: int) -> tuple[torch.Tensor, torch.Tensor]:
    """What the kernel is given, and its numbers; two of e2m1 share a byte along `packed`."""
    if format_ != "e2m1":
        data = torch.randn(shape).to(_TORCH[format_])
        return data.view(torch.uint8) if data.itemsize == 1 else data, data.float()
    codes = torch.randint(0, 16, shape)
    pairs = codes.unflatten(packed, (-1, 2))
    low, high = pairs.select(packed + 1, 0), pairs.select(packed + 1, 1)
    return (low + 16 * high).to(torch.uint8).contiguous(), _E2M1[codes]


def scale(rows: int, group: int, fp8: bool) -> tuple[torch.Tensor, torch.Tensor]:
    shape = (rows, K // group)
    if fp8:
        data = (torch.rand(shape) * 4).to(torch.float8_e4m3fn)
        return data.view(torch.uint8), data.float().repeat_interleave(group, 1)
    data = torch.randint(120, 134, shape, dtype=torch.int64)
    return data.to(torch.uint8), torch.exp2(data.double() - 127).float().repeat_interleave(group, 1)


def check(
    a_format: str, b_format: str, scaled: str, along_k: tuple[bool, bool] = (True, True), group: int = 32
) -> None:
    a, x = operand(a_format, (M, K), 1 if along_k[0] else 0)
    b, y = operand(b_format, (K, N), 0 if along_k[1] else 1)
    sa, s = scale(M, group, group == 16)
    sb, t = scale(N, group, group == 16)
    c, o = torch.randn(M, N), torch.zeros(M, N)
    scale_type = "*fp8e4nv" if group == 16 else "*u8"
    types = {"a": _TRITON[a_format], "b": _TRITON[b_format], "sa": scale_type, "sb": scale_type}
    run(
        dot_kernel, (1,), a, b, sa, sb, c, o, types=types, A=a_format, B=b_format, A_SCALED="a" in scaled, B_SCALED="b" in scaled,
        GROUP=group, A_ROWS=a.shape[0], A_COLUMNS=a.shape[1], B_ROWS=b.shape[0], B_COLUMNS=b.shape[1], A_ALONG_K=along_k[0],
        B_ALONG_K=along_k[1], M=M, N=N, K=K,
    )  # fmt: skip
    x = x * s if "a" in scaled else x
    y = y * t.t() if "b" in scaled else y
    want = (c.double() + x.double() @ y.double()).float()
    torch.testing.assert_close(o, want, rtol=1e-5, atol=1e-4 * float(want.abs().mean()))


@pytest.mark.sampled
@pytest.mark.parametrize("b_format", ["e2m1", "e4m3", "e5m2"])
@pytest.mark.parametrize("a_format", ["e2m1", "e4m3", "e5m2", "bf16", "fp16"])
def test_formats(a_format: str, b_format: str) -> None:
    check(a_format, b_format, "b" if a_format in ("bf16", "fp16") else "ab")


@pytest.mark.parametrize("scaled", ["", "a", "b"])
def test_without_scales(scaled: str) -> None:
    check("e2m1", "e4m3", scaled)


@pytest.mark.parametrize("along_k", [(True, False), (False, True), (False, False)])
def test_packed_along_the_other_dimension(along_k: tuple[bool, bool]) -> None:
    check("e2m1", "e2m1", "ab", along_k)


def test_scales_of_fp8_for_sixteen_numbers() -> None:
    check("e2m1", "e2m1", "ab", group=16)


def test_extreme_scales() -> None:
    a, b = torch.full((M, K), 0x38, dtype=torch.uint8), torch.full((K, N), 0x38, dtype=torch.uint8)  # ones
    sa, sb = torch.full((M, 2), 127, dtype=torch.uint8), torch.full((N, 2), 127, dtype=torch.uint8)
    sa[0], sa[1], sb[:] = 0, 255, 127
    c, o = torch.zeros(M, N), torch.zeros(M, N)
    run(
        dot_kernel, (1,), a, b, sa, sb, c, o, types={"a": "*fp8e4nv", "b": "*fp8e4nv"}, A="e4m3", B="e4m3", A_SCALED=True,
        B_SCALED=True, GROUP=32, A_ROWS=M, A_COLUMNS=K, B_ROWS=K, B_COLUMNS=N, A_ALONG_K=True, B_ALONG_K=True, M=M, N=N, K=K,
    )  # fmt: skip
    assert (o[0] == K * 2.0**-127).all() and torch.isnan(o[1]).all() and (o[2:] == K).all()

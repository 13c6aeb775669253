"""Products of float8_e4m3fn with scales for blocks: 128 neighbours of a row of the left matrix, 128 x 128 of the right one.

    y[i, j] = sum over b of scale_a[i, b] * scale_b[b, j // 128] * (sum over k in block b of a[i, k] * b[k, j]) + bias[j]

Source: DeepSeek-V3, https://arxiv.org/abs/2412.19437 (section 3.3).
"""

import triton
import triton.language as tl

from .block_sizes import shape_class
from .facts import DeviceFacts
from .functions.memory import cast

BLOCK = 128


@triton.jit
def operand(pointer, mask, CAST: tl.constexpr):
    """A tile of float8, or of what CAST makes of its bytes."""
    value = tl.load(pointer, mask=mask, other=0.0)
    if CAST is None:
        return value
    else:
        return CAST(value)


@triton.jit
def product(
    a, b, scale_a, scale_b, bias, y, M, N, K, a_strides, b_strides, sa_strides, sb_strides, y_strides,
    CAST: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, SIZE: tl.constexpr,
):  # fmt: skip
    """A tile of y, whose columns lie in one block. Grid: (tiles of M, tiles of N)."""
    m = tl.program_id(0).to(N.dtype) * BLOCK_M + tl.arange(0, BLOCK_M)
    start_n = tl.program_id(1).to(N.dtype) * BLOCK_N
    n, k = start_n + tl.arange(0, BLOCK_N), tl.arange(0, BLOCK_K)
    row = tl.minimum(m, M - 1)
    scale_b += (start_n // SIZE) * sb_strides[1]
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for start in range(0, K, SIZE):
        part = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
        for offset in tl.static_range(0, SIZE, BLOCK_K):
            at = start + offset + k
            left = a + (m[:, None] * a_strides[0] + at[None, :] * a_strides[1])
            right = b + (at[:, None] * b_strides[0] + n[None, :] * b_strides[1])
            x = operand(left, (m[:, None] < M) & (at[None, :] < K), CAST)
            w = operand(right, (at[:, None] < K) & (n[None, :] < N), CAST)
            part = tl.dot(x, w, part, input_precision="ieee")
        block = start // SIZE
        scale = tl.load(scale_a + row * sa_strides[0] + block * sa_strides[1]) * tl.load(scale_b + block * sb_strides[0])
        acc += part * scale[:, None]
    if bias is not None:
        acc += tl.load(bias + tl.minimum(n, N - 1)).to(tl.float32)[None, :]
    to = y + (m[:, None] * y_strides[0] + n[None, :] * y_strides[1])
    tl.store(to, cast(acc, y.dtype.element_ty), mask=(m[:, None] < M) & (n[None, :] < N))


def config(facts: DeviceFacts, m: int) -> dict:
    """Constexprs and launch options."""
    block_m = shape_class(m, (16, 32, 64, 128))
    blocks = {"BLOCK_M": block_m if facts.kind == "cpu" else min(block_m, 64), "BLOCK_N": 128, "BLOCK_K": 128, "SIZE": BLOCK}
    if facts.kind == "gpu" and block_m == 16:
        blocks["BLOCK_N"] = 32  # more programs, as few rows wait for memory
    return {"constexprs": blocks, "num_warps": 4 if block_m < 64 else 8, "num_stages": 3}

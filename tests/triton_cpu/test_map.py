"""tl.map_elementwise: functions of scalars with branches and loops, in packs, with several results."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl

from tests.triton_cpu.support import run

pytestmark = pytest.mark.skipif(
    not hasattr(tl, "map_elementwise"), reason="this release of Triton has no map_elementwise"
)


@triton.jit
def steps_to_one(x, limit):
    if x < 1:
        return -1
    steps = 0
    while (x != 1) & (steps < limit):
        x = tl.where(x % 2 == 0, x // 2, 3 * x + 1)
        steps += 1
    return steps


@triton.jit
def branches_kernel(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.map_elementwise(steps_to_one, tl.load(x + i, mask=i < n, other=0), tl.full((B,), 100, tl.int32)))


def test_control_flow() -> None:
    x, o = torch.arange(100, dtype=torch.int32), torch.zeros(128, dtype=torch.int32)
    run(branches_kernel, (1,), x, o, 100, B=128)

    def steps(value: int) -> int:
        return 0 if value == 1 else 1 + steps(value // 2 if value % 2 == 0 else 3 * value + 1)

    assert o.tolist() == [min(steps(v), 100) if 1 <= v < 100 else -1 for v in range(128)]


@triton.jit
def ordered(a0, a1, b0, b1):
    swap = a0 > a1
    return tl.where(swap, a1, a0), tl.where(swap, a0, a1), swap | (b0 > 0), swap | (b1 > 0)


@triton.jit
def packed_kernel(x, y, o, flags, A: tl.constexpr, B: tl.constexpr):
    p = tl.arange(0, A)[:, None] * B + tl.arange(0, B)[None, :]
    values, swapped = tl.map_elementwise(ordered, tl.load(x + p), tl.load(y + p), pack=2)
    tl.store(o + p, values * 2)
    tl.store(flags + p, swapped)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.int64])
def test_packs_and_several_results(dtype: torch.dtype) -> None:
    x, y = (torch.randint(-9, 9, (8, 16)).to(d) for d in (dtype, torch.int8))
    o, flags = torch.zeros(8, 16, dtype=dtype), torch.zeros(8, 16, dtype=torch.bool)
    run(packed_kernel, (1,), x, y, o, flags, A=8, B=16)
    pairs = x.view(8, 8, 2)
    assert torch.equal(o, pairs.sort(2).values.view(8, 16) * 2)
    swapped = (pairs[..., :1] > pairs[..., 1:]).expand(8, 8, 2).reshape(8, 16)
    assert torch.equal(flags, swapped | (y > 0))

"""tl.rand and friends: Philox 4x32 with ten rounds, bit for bit."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl

from tests.triton_cpu.support import run

_WORD = 2**32 - 1


def philox(seed: int, counter: int) -> list[int]:
    """Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011."""
    c0, c1, c2, c3 = counter & _WORD, 0, 0, 0
    k0, k1 = seed & _WORD, seed >> 32
    for _ in range(10):
        a, b = c0 * 0xD2511F53, c2 * 0xCD9E8D57
        c0, c1, c2, c3 = b >> 32 ^ c1 ^ k0, b & _WORD, a >> 32 ^ c3 ^ k1, a & _WORD
        k0, k1 = k0 + 0x9E3779B9 & _WORD, k1 + 0xBB67AE85 & _WORD
    return [c0, c1, c2, c3]


@triton.jit
def random_kernel(o, u, seed, start, B: tl.constexpr):
    i = tl.arange(0, B)
    a, b, c, d = tl.randint4x(seed, start + i)
    tl.store(o + i, a)
    tl.store(o + B + i, b)
    tl.store(o + 2 * B + i, c)
    tl.store(o + 3 * B + i, d)
    tl.store(u + i, tl.rand(seed, start + i))
    tl.store(u + B, tl.rand(seed, start))


@pytest.mark.parametrize("key", [0, 1, 2**31 + 5, 2**40 + 12345])
def test_philox(key: int) -> None:
    assert philox(0, 0) == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]  # the authors' test vector
    o, u = torch.zeros(4, 256, dtype=torch.int32), torch.zeros(257)
    run(random_kernel, (1,), o, u, key, 1000, types={"seed": "i64"}, B=256)
    want = [philox(key, 1000 + k) for k in range(256)]
    assert [[v & _WORD for v in row] for row in o.t().tolist()] == want
    signed = [row[0] - 2**32 if row[0] >> 31 else row[0] for row in want]
    scaled = torch.tensor([v if v >= 0 else -v - 1 for v in signed]).float() * 4.6566127342e-10
    assert torch.equal(u[:256], scaled) and u[256] == scaled[0]

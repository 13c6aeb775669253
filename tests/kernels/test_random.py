"""Random numbers: the counter convention, distributions, and the same bits for every block size."""

from __future__ import annotations

import math

import pytest
import torch
import triton.language as tl
from harness import BACKENDS, Scalar, compile_for, kernels, run

random = kernels("random")
SEED, OFFSET = 123456789012345, 2**32 - 3


def reference_words(n):
    """Philox 4x32-10 in plain Python: word i % 4 of counter OFFSET + i // 4."""
    words = []
    for i in range(n):
        counter = OFFSET + i // 4
        a, b, c, d = counter & 0xFFFFFFFF, counter >> 32, 0, 0
        key_a, key_b = SEED & 0xFFFFFFFF, SEED >> 32
        for _ in range(10):
            p, q = a * 0xD2511F53, c * 0xCD9E8D57
            a, b, c, d = (q >> 32) ^ b ^ key_a, q & 0xFFFFFFFF, (p >> 32) ^ d ^ key_b, p & 0xFFFFFFFF
            key_a, key_b = (key_a + 0x9E3779B9) & 0xFFFFFFFF, (key_b + 0xBB67AE85) & 0xFFFFFFFF
        words.append((a, b, c, d)[i % 4])
    return words


def generate(backend, spread, fn, xs, outs, scalars, block=64, compute=tl.float32):
    n = outs[0].numel()
    state = torch.tensor([SEED, OFFSET])
    run(
        backend,
        random.generate,
        (-(-n // block),),
        (xs, outs, state, scalars, n),
        {"SPREAD": spread, "FN": fn, "COMPUTE": compute, "BLOCK": block},
    )
    return outs


@pytest.mark.parametrize("backend", BACKENDS)
def test_uniform_follows_the_convention(backend):
    (out,) = generate(backend, random.uniforms, random.uniform, (), (torch.empty(70),), (0.0, 1.0))
    assert out.tolist() == [(w >> 8) / 2**24 for w in reference_words(70)]
    (out,) = generate(
        backend,
        random.uniforms,
        random.uniform,
        (),
        (torch.empty(70, dtype=torch.float64),),
        (Scalar(0.0, "fp64"), Scalar(1.0, "fp64")),
        compute=tl.float64,
    )
    assert out.tolist() == [w / 2**32 for w in reference_words(70)]


@pytest.mark.parametrize("backend", BACKENDS)
def test_normal(backend):
    (out,) = generate(backend, random.normals, random.normal, (), (torch.empty(70),), (1.0, 2.0))
    w = reference_words(72)
    for i in range(0, 70, 2):
        r = math.sqrt(-2 * math.log(1 - (w[i] >> 8) / 2**24))
        angle = 2 * math.pi * (w[i + 1] >> 8) / 2**24
        assert math.isclose(out[i], 1 + 2 * r * math.cos(angle), rel_tol=1e-4, abs_tol=1e-5)
        assert math.isclose(out[i + 1], 1 + 2 * r * math.sin(angle), rel_tol=1e-4, abs_tol=1e-5)


@pytest.mark.parametrize("backend", BACKENDS)
def test_integers(backend):
    (out,) = generate(
        backend,
        random.words,
        random.integer,
        (),
        (torch.empty(70, dtype=torch.int64),),
        (Scalar(-3, "i64"), Scalar(10, "i64")),
        compute=tl.int64,
    )
    assert out.tolist() == [-3 + (w * 10 >> 32) for w in reference_words(70)]


@pytest.mark.parametrize("backend", BACKENDS)
def test_wide_integers(backend):
    out = torch.empty(70, dtype=torch.int64)
    size = 10**15
    run(
        backend,
        random.wide_integers,
        (2,),
        (out, torch.tensor([SEED, OFFSET]), Scalar(-5, "i64"), Scalar(size, "i64"), 70),
        {"BLOCK": 64},
    )
    assert out.min() >= -5 and out.max() < size - 5
    assert out.max() > size // 2 and len(set(out.tolist())) == 70


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16], ids=str)
def test_dropout(backend, dtype):
    x = torch.randn(70).to(dtype)
    out, mask = generate(
        backend,
        random.uniforms,
        random.dropout,
        (x,),
        (torch.empty_like(x), torch.empty(70, dtype=torch.bool)),
        (0.25, 1 / 0.75),
    )
    assert mask.tolist() == [w / 2**32 >= 0.25 for w in reference_words(70)]
    torch.testing.assert_close(out, torch.where(mask, x.float() / 0.75, 0).to(dtype))


@pytest.mark.parametrize("backend", BACKENDS)
def test_bernoulli_of_a_tensor(backend):
    p = torch.rand(70)
    (out,) = generate(backend, random.uniforms, random.bernoulli, (p,), (torch.empty(70),), ())
    assert out.tolist() == [float((w >> 8) / 2**24 < q) for w, q in zip(reference_words(70), p)]


def test_same_bits_for_any_block():
    a, b = (
        generate("cpu", random.normals, random.normal, (), (torch.empty(1001),), (0.0, 1.0), block)[0]
        for block in (16, 256)
    )
    assert torch.equal(a, b)


def test_statistics():
    (u,) = generate("cpu", random.uniforms, random.uniform, (), (torch.empty(100_000),), (0.0, 1.0), 1024)
    assert 0 <= u.min() and u.max() < 1 and abs(u.mean() - 0.5) < 5e-3 and abs(u.var() - 1 / 12) < 2e-3
    (z,) = generate("cpu", random.normals, random.normal, (), (torch.empty(100_000),), (0.0, 1.0), 1024)
    assert abs(z.mean()) < 0.02 and abs(z.std() - 1) < 0.02 and abs((z**4).mean() - 3) < 0.15


@pytest.mark.parametrize("backend", BACKENDS)
def test_advance(backend):
    state = torch.tensor([SEED, OFFSET])
    run(backend, random.advance, (1,), (state, 25), {})
    assert state.tolist() == [SEED, OFFSET + 25]


@pytest.mark.parametrize("arch", [80, 90])
def test_compiles_for_gpu(arch):
    x, mask, state = torch.empty(9), torch.empty(9, dtype=torch.bool), torch.tensor([1, 2])
    constants = {"SPREAD": random.uniforms, "FN": random.dropout, "COMPUTE": tl.float32, "BLOCK": 1024}
    compile_for(arch, random.generate, ((x,), (x, mask), state, (0.5, 2.0), 9), constants)
    compile_for(
        arch,
        random.generate,
        ((), (x,), state, (0.5, 2.0), 9),
        {**constants, "SPREAD": random.normals, "FN": random.normal},
    )
    compile_for(
        arch, random.wide_integers, (torch.tensor([1]), state, Scalar(0, "i64"), Scalar(1, "i64"), 9), {"BLOCK": 1024}
    )

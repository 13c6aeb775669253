"""Random numbers: the counter convention, distributions, and the same bits for every block size."""

from __future__ import annotations

import math

import pytest
import torch

from tests.kernels.harness import BACKENDS, Scalar, compile_for, kernels, run, stride
from tritonflow.testing import assert_close, in_float64

random = kernels("random")
words = kernels("functions.random")
elementwise = kernels("elementwise")
SEED, OFFSET = 123456789012345, 2**32 - 3


def reference_words(n, first=0, stream=0):
    """Philox 4x32-10 in plain Python: word i % 4 of counter OFFSET + i // 4, of n elements from the first on."""
    words = []
    for i in range(first, first + n):
        counter = OFFSET + i // 4
        a, b, c, d = counter & 0xFFFFFFFF, counter >> 32, stream, 0
        key_a, key_b = SEED & 0xFFFFFFFF, SEED >> 32
        for _ in range(10):
            p, q = a * 0xD2511F53, c * 0xCD9E8D57
            a, b, c, d = (q >> 32) ^ b ^ key_a, q & 0xFFFFFFFF, (p >> 32) ^ d ^ key_b, p & 0xFFFFFFFF
            key_a, key_b = (key_a + 0x9E3779B9) & 0xFFFFFFFF, (key_b + 0xBB67AE85) & 0xFFFFFFFF
        words.append((a, b, c, d)[i % 4])
    return words


def generator(*first):
    """A generator among a kernel's operands, and maybe how many counters behind its offset the numbers begin."""
    return (torch.tensor([SEED, OFFSET - sum(first)]), *[Scalar(n, "i64") for n in first])


def draw(backend, fn, xs, outs, block=64):
    """outs = fn(*xs) by the flat template."""
    n = outs[0].numel()
    constants = {"FN": fn, "COMPUTE": None, "BLOCK": block, "CACHE": ""}
    run(backend, elementwise.flat, (-(-n // block),), (xs, outs, n), constants)
    return outs


def draw_normal(backend, out, mean, std, block=64):
    n = out.numel()
    run(backend, random.normal, (-(-n // block),), (out, torch.tensor([SEED, OFFSET]), mean, std, n), {"BLOCK": block})
    return out


@pytest.mark.parametrize("backend", BACKENDS)
def test_uniform_follows_the_convention(backend):
    (out,) = draw(backend, words.uniform, (generator(), 0.0, 1.0), (torch.empty(70),))
    assert out.tolist() == [(w >> 8) / 2**24 for w in reference_words(70)]
    xs = (generator(), Scalar(0.0, "fp64"), Scalar(1.0, "fp64"))
    (out,) = draw(backend, words.uniform, xs, (torch.empty(70, dtype=torch.float64),))
    assert out.tolist() == [w / 2**32 for w in reference_words(70)]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32], ids=str)
def test_what_rounding_makes_the_upper_bound_is_the_lower_one(backend, dtype):
    name = {torch.float16: "uniform_half", torch.bfloat16: "uniform_bfloat"}.get(dtype, "uniform")
    low, high = 1024.0, 1024 + 2048 * torch.finfo(dtype).eps
    (out,) = draw(backend, getattr(words, name), (generator(), low, high), (torch.empty(70, dtype=dtype),))
    bits = {torch.float16: 11, torch.bfloat16: 8}.get(dtype, 24)
    exact = torch.tensor([low + (w >> (32 - bits)) / 2**bits * (high - low) for w in reference_words(70)], dtype=torch.float64)
    rounded = exact.to(torch.float32).to(dtype)
    assert (rounded == high).any() and out.tolist() == [low if x == high else x for x in rounded.tolist()]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", ["exponential", "exponential_half"])
def test_no_exponential_number_is_zero(backend, name):
    words_of_none = torch.tensor([0, 2**31], dtype=torch.int64)  # an operand in the place of a generator's words
    (out,) = draw(backend, getattr(words, name), (words_of_none, 2.0), (torch.empty(2),))
    assert out[0] == (2.0**-24 if name == "exponential_half" else 2.0**-25)
    assert math.isclose(out[1], math.log(2) / 2, rel_tol=1e-6)


@pytest.mark.parametrize("backend", BACKENDS)
def test_normal(backend):
    out = draw_normal(backend, torch.empty(70), 1.0, 2.0)
    w = reference_words(72)
    for i in range(0, 70, 2):
        r = math.sqrt(-2 * math.log(1 - (w[i] >> 8) / 2**24))
        angle = 2 * math.pi * (w[i + 1] >> 8) / 2**24
        assert math.isclose(out[i], 1 + 2 * r * math.cos(angle), rel_tol=1e-4, abs_tol=1e-5)
        assert math.isclose(out[i + 1], 1 + 2 * r * math.sin(angle), rel_tol=1e-4, abs_tol=1e-5)


@pytest.mark.parametrize("backend", BACKENDS)
def test_integers(backend):
    xs = (generator(), Scalar(-3, "i64"), Scalar(10, "i64"))
    (out,) = draw(backend, words.integer, xs, (torch.empty(70, dtype=torch.int64),))
    assert out.tolist() == [-3 + (w * 10 >> 32) for w in reference_words(70)]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("size", [10**15, 2**25 + 1, 3 * 2**61, 2**63 - 1])
def test_wide_integers(backend, size):
    out = torch.empty(70, dtype=torch.int64)
    run(
        backend,
        random.wide_integers,
        (2,),
        (out, torch.tensor([SEED, OFFSET]), Scalar(-5, "i64"), Scalar(size, "i64"), 70),
        {"BLOCK": 64},
    )
    digits = [reference_words(70, 0, stream) for stream in range(3)]
    assert out.tolist() == [-5 + ((((u << 32) | m) << 32 | v) * size >> 96) for u, m, v in zip(*digits)]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16], ids=str)
def test_dropout(backend, dtype):
    x = torch.randn(70).to(dtype)
    outs = (torch.empty_like(x), torch.empty(70, dtype=torch.bool))
    out, mask = draw(backend, words.dropout, (x, generator(), 0.25, 1 / 0.75), outs)
    assert mask.tolist() == [w / 2**32 >= 0.25 for w in reference_words(70)]
    assert_close(out, in_float64(torch.where(mask, x.double() / 0.75, 0), dtype))


@pytest.mark.parametrize("backend", BACKENDS)
def test_words_of_tiles(backend):
    """Rows of a strided result, which begin anywhere, from some counters behind the generator's offset on."""
    view = torch.zeros(10, 16)[::2, :12]
    xs = (generator(7), 0.0, 1.0)
    strides = ((stride(12), stride(1)), (0, 0), (0, 0))
    constants = {"FN": words.uniform, "COMPUTE": None, "ROWS": 2, "COLS": 8, "CACHE": "", "BY_ROW": True}
    run(backend, elementwise.strided, (6,), (xs, (view,), 5, (5, 12), strides, ((32, stride(1)),)), constants)
    assert view.flatten().tolist() == [(w >> 8) / 2**24 for w in reference_words(60)]


@pytest.mark.parametrize("backend", BACKENDS)
def test_words_of_shards(backend):
    """Columns 3 to 7 of 9: rows that begin at any element, of which each computes a counter of its own."""
    out = torch.empty(6, 5)
    xs = ((Scalar(3, "i64"), torch.tensor([SEED, OFFSET])), 0.0, 1.0)
    strides = ((stride(9), stride(1)), (0, 0), (0, 0))
    constants = {"FN": words.uniform, "COMPUTE": None, "ROWS": 2, "COLS": 8, "CACHE": "", "BY_ROW": True}
    run(backend, elementwise.strided, (3,), (xs, (out,), 6, (6, 5), strides, ((stride(5), stride(1)),)), constants)
    whole = torch.tensor([(w >> 8) / 2**24 for w in reference_words(54)]).reshape(6, 9)
    assert torch.equal(out, whole[:, 3:8])


def shard_of_draws(backend, kernel, out, scalars, first, sizes, strides, unit=1):
    arguments = (out, torch.tensor([SEED, OFFSET]), *scalars, Scalar(first, "i64"), out.numel(), sizes, strides)
    run(backend, kernel, (1,), arguments, {"UNIT": unit, "BLOCK": 64})
    return out


@pytest.mark.parametrize("backend", BACKENDS)
def test_normal_and_wide_integers_of_shards(backend):
    """The same columns; and 20 elements from counter 5 on."""
    columns, numbers = ((6, 5), (stride(9), stride(1))), (Scalar(-5, "i64"), Scalar(10**15, "i64"))
    whole = draw_normal(backend, torch.empty(54), 0.5, 2.0)
    found = shard_of_draws(backend, random.normal_shard, torch.empty(6, 5), (0.5, 2.0), 3, *columns)
    assert torch.equal(found, whole.reshape(6, 9)[:, 3:8])
    found = shard_of_draws(backend, random.normal_shard, torch.empty(20), (0.5, 2.0), 5, (20,), (stride(1),), 4)
    assert torch.equal(found, whole[20:40])
    behind = torch.empty(20)
    generator = (torch.tensor([SEED, OFFSET]), Scalar(5, "i64"))
    run(backend, random.normal, (1,), (behind, generator, 0.5, 2.0, 20), {"BLOCK": 64})
    assert torch.equal(behind, whole[20:40])
    whole = torch.empty(54, dtype=torch.int64)
    run(backend, random.wide_integers, (1,), (whole, torch.tensor([SEED, OFFSET]), *numbers, 54), {"BLOCK": 64})
    found = shard_of_draws(backend, random.wide_integers_shard, torch.empty(6, 5, dtype=torch.int64), numbers, 3, *columns)
    assert torch.equal(found, whole.reshape(6, 9)[:, 3:8])


@pytest.mark.parametrize("backend", BACKENDS)
def test_bernoulli_of_a_tensor(backend):
    p = torch.rand(70)
    (out,) = draw(backend, words.bernoulli_of, (p, generator()), (torch.empty(70),))
    assert out.tolist() == [float((w >> 8) / 2**24 < q) for w, q in zip(reference_words(70), p)]


def test_same_bits_for_any_block():
    a, b = (draw_normal("cpu", torch.empty(1001), 0.0, 1.0, block) for block in (16, 256))
    assert torch.equal(a, b)
    a, b = (draw("cpu", words.uniform, (generator(), 0.0, 1.0), (torch.empty(1001),), block)[0] for block in (16, 256))
    assert torch.equal(a, b)


def test_statistics():
    (u,) = draw("cpu", words.uniform, (generator(), 0.0, 1.0), (torch.empty(100_000),), 1024)
    assert 0 <= u.min() and u.max() < 1 and abs(u.mean() - 0.5) < 5e-3 and abs(u.var() - 1 / 12) < 2e-3
    z = draw_normal("cpu", torch.empty(100_000), 0.0, 1.0, 1024)
    assert abs(z.mean()) < 0.02 and abs(z.std() - 1) < 0.02 and abs((z**4).mean() - 3) < 0.15


@pytest.mark.parametrize("backend", BACKENDS)
def test_advance(backend):
    state = torch.tensor([SEED, OFFSET])
    run(backend, random.advance, (1,), (state, 25), {})
    assert state.tolist() == [SEED, OFFSET + 25]


@pytest.mark.parametrize("arch", [80, 90])
@pytest.mark.sampled(most=1)
def test_compiles_for_gpu(arch):
    x, mask, state = torch.empty(9), torch.empty(9, dtype=torch.bool), torch.tensor([1, 2])
    constants = {"FN": words.dropout, "COMPUTE": None, "BLOCK": 1024, "CACHE": ""}
    compile_for(arch, elementwise.flat, ((x, (state,), 0.5, 2.0), (x, mask), 9), constants)
    compile_for(arch, elementwise.flat, ((x, (Scalar(3, "i64"), state), 0.5, 2.0), (x, mask), 9), constants)
    compile_for(arch, random.normal, (x, state, 0.0, 1.0, 9), {"BLOCK": 1024})
    compile_for(arch, random.normal, (x, (state, Scalar(1, "i64")), 0.0, 1.0, 9), {"BLOCK": 1024})
    shard = (Scalar(3, "i64"), 9, (3, 3), (stride(5), stride(1)))
    compile_for(arch, random.normal_shard, (x, state, 0.0, 1.0, *shard), {"UNIT": 1, "BLOCK": 1024})
    whole = (torch.tensor([1]), state, Scalar(0, "i64"), Scalar(1, "i64"))
    compile_for(arch, random.wide_integers_shard, (*whole, *shard), {"UNIT": 4, "BLOCK": 1024})
    compile_for(
        arch, random.wide_integers, (torch.tensor([1]), state, Scalar(0, "i64"), Scalar(1, "i64"), 9), {"BLOCK": 1024}
    )

"""The bounds of `lower/functions/table.py` hold over all floats, on every target."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import triton
import triton.language as tl

from tests.triton_cpu.precision import ARITY, REFERENCE, errors, evaluate, every, tuples, worst
from tests.triton_cpu.support import run
from tritonflow.triton_cpu.lower.functions.table import FUNCTIONS

TARGETS = [None, "avx2", "baseline"]
QUICK, LONG = 4099, 61  # the first tests a million floats a function, the second 70 million
CORRECTLY_ROUNDED = 0.5


SLOW = {"erfinv": 16}  # references that take microseconds a number: so many fewer of them


def bound(name: str) -> float:
    return FUNCTIONS[name].f32 if name in FUNCTIONS else CORRECTLY_ROUNDED


def check(name: str, step: int, cpu: str | None) -> None:
    step *= SLOW.get(name, 1)
    pieces = tuples(2**30 // step, ARITY[name]) if name in ARITY else ([x] for x in every(step))
    greatest, where = worst(name, pieces, cpu)
    assert greatest <= bound(name), f"{name} is {greatest:.3f} ulp off at {where}"


@pytest.mark.sampled
@pytest.mark.parametrize("cpu", TARGETS)
@pytest.mark.parametrize("name", REFERENCE)
def test_bounds(name: str, cpu: str | None) -> None:
    check(name, QUICK, cpu)


@pytest.mark.hours
@pytest.mark.parametrize("cpu", TARGETS)
@pytest.mark.parametrize("name", REFERENCE)
def test_bounds_closely(name: str, cpu: str | None) -> None:
    check(name, LONG, cpu)


def test_every_function_is_measured() -> None:
    assert set(FUNCTIONS) <= set(REFERENCE)


def test_no_bound_is_beyond_two() -> None:
    assert all(f.f32 <= 2 for f in FUNCTIONS.values())


@pytest.mark.sampled
@pytest.mark.parametrize("cpu", TARGETS)
@pytest.mark.parametrize("name", sorted(n for n, f in FUNCTIONS.items() if f.f64 is not None))
def test_float64(name: str, cpu: str | None) -> None:
    """Against 40 digits of mpmath, in units in the last place of float64."""
    mpmath = pytest.importorskip("mpmath")
    exact_function = {
        "exp": mpmath.exp, "exp2": lambda v: mpmath.mpf(2) ** v, "log": mpmath.log, "log2": lambda v: mpmath.log(v, 2),
        "rsqrt": lambda v: 1 / mpmath.sqrt(v), "rcbrt": lambda v: mpmath.sign(v) / mpmath.cbrt(abs(v)),
    }[name]  # fmt: skip
    rng = np.random.default_rng(0)
    size = rng.uniform(0.5, 2, 1000), np.exp(rng.uniform(-700, 700, 1000)), np.exp(rng.uniform(-744, -708, 100))
    x = np.concatenate([*size, 1 + rng.normal(size=500) * 2.0 ** rng.integers(-40, -4, 500)])
    if "log" not in name and name != "rsqrt":
        x = np.concatenate([x, rng.uniform(-700, 700, 1000), rng.uniform(-1075, -1020, 300), rng.uniform(-745, -700, 300)])
    x = np.resize(x, 4096)
    got = evaluate(name, [x], cpu)
    with mpmath.workdps(40):
        for a, b in zip(x, got, strict=True):
            exact = exact_function(mpmath.mpf(float(a)))
            if abs(exact) >= mpmath.mpf(2) ** 1024:
                assert np.isinf(b), (a, b)
                continue
            step = np.spacing(min(float(abs(exact)), 1.7976931348623157e308))
            assert abs(mpmath.mpf(float(b)) - exact) <= FUNCTIONS[name].f64 * step, (a, b)


@pytest.mark.sampled
@pytest.mark.parametrize("cpu", TARGETS)
@pytest.mark.parametrize("name", sorted(n for n, f in FUNCTIONS.items() if f.f64 is not None))
def test_float64_special_values(name: str, cpu: str | None) -> None:
    x = np.resize([0.0, -0.0, np.inf, -np.inf, np.nan, -1.0, 1.0, 5e-324, 1.7976931348623157e308], 4096)
    got = evaluate(name, [x], cpu)
    with np.errstate(all="ignore"):
        want = REFERENCE[name](x)
    torch.testing.assert_close(torch.from_numpy(got), torch.from_numpy(want), rtol=1e-15, atol=0, equal_nan=True)
    assert np.array_equal(np.signbit(got[got == 0]), np.signbit(want[got == 0]))


@triton.jit
def one_lane_kernel(x, o, n, F: tl.constexpr):
    for k in range(n):
        tl.store(o + k, F(tl.load(x + k)))


@pytest.mark.parametrize("name", ["exp", "log", "sin", "erf"])
def test_scalars_are_computed_as_vectors_are(name: str) -> None:
    x = np.resize(np.concatenate([piece[::97] for piece in every(4099)]), 8192)
    x[:5] = np.inf, np.nan, 0, -np.inf, 1e-40
    lanes = evaluate(name, [x])
    one = torch.empty(len(x))
    run(one_lane_kernel, (1,), torch.from_numpy(x), one, len(x), F=getattr(tl, name))
    assert np.array_equal(one.numpy(), lanes, equal_nan=True)


def test_the_measure_sees_errors() -> None:
    exact = np.array([1.0, 1.0, 0.0, np.nan, np.inf, 3.5e38, 1e-45])
    got = np.array([1.0, 1.0 + 2.0**-22, -0.0, 1.0, 3.4028235e38, np.inf, 0.0], np.float32)
    assert errors(got, exact).round(3).tolist() == [0.0, 2.0, np.inf, np.inf, np.inf, 0.0, 0.714]

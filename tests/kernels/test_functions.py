"""Every scalar function against torch, special values included."""

from __future__ import annotations

import math
import pkgutil
import re

import pytest
import torch
import torch.nn.functional as F
import triton.language as tl

from tests.kernels.harness import BACKENDS, Scalar, compile_for, computed_in_float64, kernels, run
from tests.op_references import reference_of
from tests.op_samples import entries
from tritonflow.testing import assert_close, reference

elementwise = kernels("elementwise")
NAMES = [m.name for m in pkgutil.iter_modules(kernels("functions").__path__) if m.name not in ("float8", "generated", "memory", "random", "rows")]
FAMILIES = {name: kernels(f"functions.{name}") for name in NAMES}

SPECIAL = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    1.5,
    2.5,
    -2.5,
    3.0,
    1e-6,
    -1e-6,
    40.0,
    -40.0,
    math.inf,
    -math.inf,
    math.nan,
]
BITWISE = {
    "bitwise_and": torch.bitwise_and,
    "bitwise_or": torch.bitwise_or,
    "bitwise_xor": torch.bitwise_xor,
    "bitwise_not": torch.bitwise_not,
}


def ops_of_one_function():
    """(op, function, reference) of every op of the registry that is one scalar function of its tensors."""
    for entry in entries().values():
        for op in entry.ops:
            call = f"({', '.join(op.input_names)})"
            if op.kind == "pointwise" and not op.dynamic and re.fullmatch(r"\w+" + re.escape(call), op.target):
                yield op, op.target.removesuffix(call), reference_of(entry)


# torch's own is exact to 5e-4 only: tests/distributions/test_gamma_draws.py has another reference
ELSEWHERE = {"gamma_slope"}
# Of integers alone; and of a number's neighbours, which no wider dtype has: they have tests of their own.
DIVISORS = {"gcd": torch.gcd, "lcm": torch.lcm}
SHIFTS = {"bitwise_left_shift": torch.bitwise_left_shift, "bitwise_right_shift": torch.bitwise_right_shift}
NEIGHBOURS = {"nextafter": torch.float32, "nextafter_float16": torch.float16, "nextafter_bfloat16": torch.bfloat16}


def of_scipy(name, *leading):
    """A function that torch lacks, or has less exactly."""

    def function(*xs):
        special = pytest.importorskip("scipy.special")
        return torch.from_numpy(getattr(special, name)(*leading, *[x.numpy() for x in xs]))

    return function


def of_mpmath(function):
    """A function in 50 digits, given as one of mpmath and a number, for what cancels in float64; NaN of NaN and infinities."""

    def each(x):
        mpmath = pytest.importorskip("mpmath")
        with mpmath.workdps(50):
            return torch.tensor([float(function(mpmath, v)) if math.isfinite(v) else math.nan for v in x.tolist()], dtype=x.dtype)

    return each


def sinc_slope(mpmath, x):
    z = mpmath.pi * x
    return (z * mpmath.cos(z) - mpmath.sin(z)) / (z * x) if x else 0


def scaled_bessel_slope(order):
    """Of exp(-abs(x)) times the modified Bessel function of this order; of large x by the first terms of its expansion."""

    def at(mp, x):
        size, sign = abs(mp.mpf(x)), mp.sign(x) if order == 0 else 1
        if size == 0:
            return order / 2
        if size > 5000:
            terms = 1 + 3 * (1 - 4 * order) / (8 * size) + 5 * (9 - 24 * order) / (128 * size**2)
            return -sign * terms / (2 * mp.sqrt(2 * mp.pi * size**3))
        of_0, of_1 = mp.besseli(0, size), mp.besseli(1, size)
        return sign * mp.exp(-size) * (of_0 - of_1 - of_1 / size if order else of_1 - of_0)

    return lambda x: torch.where(x.isinf(), 0.0, of_mpmath(at)(x))


def erfcx_slope(x):
    finite = of_mpmath(lambda mp, v: 2 * v * mp.exp(mp.mpf(v) ** 2) * mp.erfc(v) - 2 / mp.sqrt(mp.pi))(x)
    return torch.where(x.isinf(), x.clamp(max=0), finite)


def references(count):
    others = {*BITWISE, *ELSEWHERE, *DIVISORS, *SHIFTS, *NEIGHBOURS}
    return {f: reference for op, f, reference in ops_of_one_function() if len(op.inputs) == count and f not in others}


# Scalar functions with their references: those that are an op by themselves come from the registry, the others stand here.
UNARY = {
    **references(1),
    "identity": torch.clone,
    "gelu": F.gelu,
    "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"),
    "sinc_slope": of_mpmath(sinc_slope),
    "bessel_i1_slope": of_scipy("ivp", 1),
    "bessel_i0e_slope": scaled_bessel_slope(0),
    "bessel_i1e_slope": scaled_bessel_slope(1),
    "erfcx_slope": erfcx_slope, "normal_cdf": torch.special.ndtr,
    "frexp_mantissa": lambda x: torch.frexp(x)[0],
    "frexp_exponent": lambda x: torch.frexp(x)[1].to(x.dtype),
    "sin_pi": of_mpmath(lambda mpmath, x: mpmath.sinpi(x)),
    "cos_pi": of_mpmath(lambda mpmath, x: mpmath.cospi(x)),
}
BINARY = {
    **references(2),
    "add": torch.add,
    "sub": torch.sub,
    "mul": torch.mul,
    "div": torch.div,
    "clamp_min": torch.maximum,
    "clamp_max": torch.minimum,
    "gammainc": of_scipy("gammainc"),
    "gammaincc": of_scipy("gammaincc"),
}
WITH_SCALARS = {
    "add_scaled": (2, (0.5,), lambda x, y, a: x + a * y),
    "sub_scaled": (2, (0.5,), lambda x, y, a: x - a * y),
    "addcmul": (3, (0.5,), lambda x, y, z, a: torch.addcmul(x, y, z, value=a)),
    "addcdiv": (3, (0.5,), lambda x, y, z, a: torch.addcdiv(x, y, z, value=a)),
    "lerp": (2, (0.25,), torch.lerp),
    "leaky_relu": (1, (0.125,), F.leaky_relu),
    "elu": (1, (1.5,), F.elu),
    "celu": (1, (1.5,), F.celu),
    "softplus": (1, (2.0, 20.0), F.softplus),
    "threshold": (1, (0.5, -3.0), F.threshold),
    "hardshrink": (1, (0.5,), F.hardshrink),
    "softshrink": (1, (0.5,), F.softshrink),
    "where": (3, (), lambda c, x, y: torch.where(c != 0, x, y)),
    "masked_fill": (2, (1.5,), lambda x, m, v: x.masked_fill(m != 0, v)),
    "clamp": (1, (-0.5, 2.0), torch.clamp),
    "inside": (1, (-0.5, 2.0), lambda x, a, b: (x >= a) & (x <= b)),
    "isclose": (2, (1e-5, 1e-8), torch.isclose),
    "isclose_or_nan": (2, (1e-5, 1e-8), lambda x, y, r, a: torch.isclose(x, y, r, a, equal_nan=True)),
}
INTEGER = [
    "add",
    "sub",
    "mul",
    "negative",
    "abs",
    "sign",
    "square",
    "maximum",
    "minimum",
    "fmod",
    "remainder",
    "floor_divide",
    "trunc_divide",
    "pow",
    "eq",
    "lt",
    "logical_and",
    "logical_xor",
    "floor",
    "round",
    "isnan",
    "isinf",
    "isfinite",
    "signbit",
    "heaviside",
    "isposinf",
    *DIVISORS,
    *SHIFTS,
    *BITWISE,
]
TRUTH = {f for op, f, _ in ops_of_one_function() if op.result == "bool"} | {"inside", "isclose", "isclose_or_nan"}
# Limits at infinity, which torch's own formulas miss in places, and polynomials of NaN, for which torch returns memory that
# nothing was written to: these are compared at finite points.
FINITE_ONLY = {
    "gelu_tanh",
    "gelu",
    "hardswish",
    "mish",
    "quick_gelu",
    "silu",
    "sin",
    "cos",
    "tan",
    "addcdiv",
    "addcmul",
    "lerp",
    "frac",
    "softsign",
    "logsigmoid",
    "zeta",
    *[name for name in BINARY if "_polynomial_" in name],
}

# Sums of rounded products: roundings of the operands move them beyond the tolerance.
CANCELS = {"addcdiv", "addcmul", "add_scaled", "sub_scaled", "lerp"}


def function(name):
    return next(
        getattr(m, name) for m in FAMILIES.values() if name in vars(m) and getattr(m, name).fn.__module__ == m.__name__
    )


def call(backend, name, xs, scalars, compute):
    kind = {tl.float64: "fp64", tl.float32: "fp32"}.get(compute, "i64")
    out = torch.empty(xs[0].shape, dtype=torch.bool if name in TRUTH else xs[0].dtype)
    args = (*xs, *(Scalar(v, kind) for v in scalars))
    run(
        backend,
        elementwise.flat,
        (-(-out.numel() // 256),),
        (args, (out,), out.numel()),
        {"FN": function(name), "COMPUTE": compute, "BLOCK": 256, "CACHE": ""},
    )
    return out


def operands(count, dtype, finite):
    special = torch.tensor([v for v in SPECIAL if math.isfinite(v) or not finite], dtype=dtype)
    grid = torch.cartesian_prod(*[special] * count).reshape(-1, count)
    noise = torch.cat([torch.randn(100, count, dtype=dtype) * s for s in (0.1, 1, 8)])
    return [c.contiguous() for c in torch.cat([grid, noise]).unbind(1)]


def compare(backend, name, count, scalars, expected_of, dtype):
    xs = operands(count, dtype, name in FINITE_ONLY)
    got = call(backend, name, xs, scalars, tl.float64 if dtype is torch.float64 else tl.float32)
    # The interpreter turns run-time scalars into float32.
    tight = dtype is torch.float64 and not (backend == "interpreter" and scalars)
    tolerance = {"rtol": 1e-12, "atol": 1e-14} if tight else {"rtol": 3e-6, "atol": 1e-7}
    if "gelu" in name and not tight:  # 1 + erf(x) cancels in torch as it does here
        tolerance["atol"] = 2e-6
    if name in CANCELS:
        expected = reference(expected_of, *xs, *scalars, dtype=dtype)
    else:
        expected = computed_in_float64(expected_of, *xs, *scalars)
    assert_close(got, expected, equal_nan=True, **tolerance)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
@pytest.mark.parametrize("name", UNARY)
def test_unary(backend, name, dtype):
    compare(backend, name, 1, (), UNARY[name], dtype)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
@pytest.mark.parametrize("name", BINARY)
def test_binary(backend, name, dtype):
    compare(backend, name, 2, (), BINARY[name], dtype)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
@pytest.mark.parametrize("name", WITH_SCALARS)
def test_with_scalars(backend, name, dtype):
    count, scalars, reference = WITH_SCALARS[name]
    compare(backend, name, count, scalars, reference, dtype)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", [torch.int64, torch.int32, torch.int8, torch.uint8], ids=str)
@pytest.mark.parametrize("name", INTEGER)
def test_integers(backend, name, dtype):
    if backend == "interpreter" and name == "bitwise_not" and dtype is torch.uint8:
        pytest.skip("Triton's interpreter has no unsigned ~")
    reference = {**UNARY, **BINARY, **BITWISE, **DIVISORS, **SHIFTS}[name]
    count = 1 if name in UNARY or name == "bitwise_not" else 2
    values = torch.tensor([0, 1, 2, 3, 5, 7, 100, 127] + ([] if dtype is torch.uint8 else [-1, -2, -3, -7, -128]))
    xs = [c.contiguous().to(dtype) for c in torch.cartesian_prod(*[values] * count).reshape(-1, count).unbind(1)]
    if name in ("fmod", "remainder", "floor_divide", "trunc_divide"):
        xs = [x[xs[1] != 0] for x in xs]
    if name == "pow":
        xs = [x[xs[1] >= 0] for x in xs]
    compute = {torch.int64: tl.int64, torch.int32: tl.int32, torch.int8: tl.int8, torch.uint8: tl.uint8}[dtype]
    torch.testing.assert_close(call(backend, name, xs, (), compute), reference(*xs), rtol=0, atol=0)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", NEIGHBOURS)
def test_neighbours(backend, name):
    """Exactly, in the dtype itself; subnormal numbers and the largest ones too."""
    dtype = NEIGHBOURS[name]
    info = torch.finfo(dtype)
    values = torch.tensor([*SPECIAL, info.tiny, -info.tiny, info.smallest_normal / 2, info.max, -info.max], dtype=dtype)
    xs = [c.contiguous() for c in torch.cartesian_prod(values, values).unbind(1)]
    torch.testing.assert_close(call(backend, name, xs, (), tl.float32), torch.nextafter(*xs), rtol=0, atol=0, equal_nan=True)
    if dtype is torch.float32:
        wide = [x.double() for x in xs]
        torch.testing.assert_close(call(backend, name, wide, (), tl.float64), torch.nextafter(*wide), rtol=0, atol=0, equal_nan=True)


@pytest.mark.parametrize("name", ["fmod", "remainder", "floor_divide", "trunc_divide"])
def test_integer_division_by_zero_does_not_trap(name):
    x = torch.tensor([5, -5, -(2**63)])
    got = call("cpu", name, (x, torch.zeros_like(x)), (), tl.int64)
    assert got.tolist() == [0, 0, 0]
    call("cpu", name, (x, torch.full_like(x, -1)), (), tl.int64)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("dtype", "limit"), [(torch.float32, 5e-7), (torch.float64, 1e-15)], ids=str)
def test_erfinv_up_to_its_poles(backend, dtype, limit):
    """Relative errors where the result is steep, between the polynomials' pieces, and at the last number below 1."""
    eps = torch.finfo(dtype).eps
    below = 1 - torch.logspace(-0.01, math.log10(eps), 500, dtype=torch.float64).to(dtype)
    small = torch.logspace(-30, -1, 100, dtype=torch.float64).to(dtype)
    x = torch.cat([below, -below, small, torch.linspace(-0.95, 0.95, 999, dtype=dtype), torch.tensor([1 - eps / 2], dtype=dtype)])
    x = x[(x.abs() < 1) & (x != 0)]
    expected = torch.erfinv(x.double())
    got = call(backend, "erfinv", (x,), (), tl.float64 if dtype is torch.float64 else tl.float32)
    assert ((got.double() - expected).abs() / expected.abs()).max() < limit


@pytest.mark.parametrize("backend", BACKENDS)
def test_signs_of_zero(backend):
    x = torch.tensor([0.0, -0.0, -0.25, 0.25])
    for name in ("negative", "round", "trunc", "ceil"):
        got = call(backend, name, (x,), (), tl.float32)
        expected = UNARY[name](x)
        zeros = expected == 0
        assert torch.signbit(got)[zeros].tolist() == torch.signbit(expected)[zeros].tolist(), name


@pytest.mark.long
@pytest.mark.parametrize("compute", [tl.float32, tl.float64], ids=str)
def test_all_compile_for_gpu(compute):
    dtype = torch.float64 if compute is tl.float64 else torch.float32
    kind = "fp64" if compute is tl.float64 else "fp32"
    x = torch.empty(1, dtype=dtype)
    arities = (
        {name: (1, ()) for name in UNARY}
        | {name: (2, ()) for name in BINARY}
        | {k: v[:2] for k, v in WITH_SCALARS.items()}
    )
    for name, (count, scalars) in arities.items():
        args = (*[x] * count, *(Scalar(v, kind) for v in scalars))
        compile_for(90, elementwise.flat, (args, (x,), 300), {"FN": function(name), "COMPUTE": compute, "BLOCK": 1024, "CACHE": ""})


def test_names_are_unique():
    names = [
        n
        for m in FAMILIES.values()
        for n, f in vars(m).items()
        if getattr(getattr(f, "fn", None), "__module__", "") == m.__name__
    ]
    assert len(names) == len(set(names))

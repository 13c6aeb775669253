"""Complex numbers: their memory, dtypes, forms and gradients, beside torch."""

from __future__ import annotations

import cmath
import copy
import itertools
import math
import pickle
import warnings
from collections.abc import Callable
from typing import Any

import numpy
import pytest
import torch

import tritonflow as flow
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.meta import contiguous_meta
from tritonflow.ops.op_def import OWN_KERNEL
from tritonflow.ops.registry import OPS

NUMBERS = torch.complex(torch.tensor([[0.3, -1.2, 2.0], [-0.7, 0.9, -2.5]]), torch.tensor([[1.1, 0.4, -0.6], [-1.3, 2.2, 0.8]])).to(
    torch.complex128
)
OTHERS = NUMBERS.flip(1) * (0.5 - 0.25j) + 0.125


def ours(x: torch.Tensor) -> Any:
    return flow.tensor(x.resolve_conj().numpy())


def theirs(x: Any) -> torch.Tensor:
    return flow.to_torch(x.detach().cpu())


def agree(mine: Any, right: torch.Tensor) -> None:
    mine, right = theirs(mine), right.detach().resolve_conj()
    assert mine.dtype is right.dtype
    torch.testing.assert_close(mine, right, equal_nan=True)


def same(function: Callable[..., Any], *tensors: torch.Tensor) -> None:
    """A function of a package and tensors gives the same in both, and has the same gradients."""
    right = [t.clone().requires_grad_() for t in tensors]
    mine = [ours(t).requires_grad_() for t in tensors]
    expected, found = function(torch, *right), function(flow, *mine)
    agree(found, expected)
    weight = torch.linspace(-1, 1, expected.numel(), dtype=torch.float64).reshape(expected.shape).to(expected.dtype)
    if expected.is_complex():
        weight = weight * (1 - 2j)
    wanted = torch.autograd.grad(expected, right, weight)
    for got, want in zip(flow.autograd.grad(found, mine, ours(weight)), wanted):
        agree(got, want)


# ------------------------------------------------------------------------------------------------------- memory, dtypes


@pytest.mark.cpu_only
def test_memory_is_shared_with_torch() -> None:
    x = torch.zeros(2, 2, dtype=torch.complex64)
    y = flow.from_torch(x)
    flow.view_as_real(y)[0, 1, 1] = 3.0
    y.real[1] = 2.0
    y.imag.mul_(2)
    assert x.tolist() == [[0, 6j], [2, 2]] == y.tolist()
    assert flow.view_as_complex(flow.view_as_real(y)).data_ptr() == y.data_ptr()
    assert y.numpy().dtype == "complex64" and y[0, 1].item() == 6j == complex(y[0, 1])


def test_writes_reach_what_a_view_shows() -> None:
    x = ours(NUMBERS)
    right = NUMBERS.clone()
    for tensor in (x, right):
        part = tensor.t()[1:]
        part += 2j
        part[0] = 1 - 1j
        tensor[:, 0].mul_(tensor[:, 2])
        tensor.conj_physical_()
    agree(x, right)


def test_gradients_pass_writes_through_views() -> None:
    def function(package: Any, x: Any) -> Any:
        y = x * 1
        package.view_as_real(y)[..., 0].mul_(3.0)
        y.imag.add_(y.real)
        return y * y

    same(function, NUMBERS)


def test_result_types_are_torchs() -> None:
    names = ("bool", "int64", "float16", "bfloat16", "float32", "float64", "complex64", "complex128")
    for a, b in itertools.product(names, names):
        for dims in itertools.product((0, 1), (0, 1)):
            made = [[p.empty((2,) * n, dtype=getattr(p, t), device="meta") for t, n in zip((a, b), dims)] for p in (torch, flow)]
            assert str(torch.result_type(*made[0]))[6:] == flow.result_type(*made[1]).name, (a, b, dims)
        right = torch.result_type(torch.empty(2, dtype=getattr(torch, a)), 1j)
        assert flow.result_type(flow.empty(2, dtype=getattr(flow, a)), 1j).name == str(right)[6:]
    assert flow.finfo(flow.complex128).eps == 2.0**-52 and flow.complex64.to_real() is flow.float32


def test_what_prints_and_what_is_saved() -> None:
    x = ours(NUMBERS).to(flow.complex64)
    assert repr(flow.tensor([1 + 2j, 3 - 1j]).cpu()) == repr(torch.tensor([1 + 2j, 3 - 1j]))
    for other in (pickle.loads(pickle.dumps(x)), copy.deepcopy(x), x.clone(), x.cpu()):
        assert other.dtype is flow.complex64 and flow.equal(x.cpu(), other.cpu())
    assert flow.randn(3, dtype=flow.complex64).imag.abs().min() > 0
    assert flow.tensor([1j], dtype=flow.complex32).tolist() == [1j]


# ---------------------------------------------------------------------------------------------------------------- forms

UNARY = ("exp", "log", "sqrt", "tanh", "abs", "angle", "sgn", "conj")
MORE = (
    "reciprocal", "sin", "square", "sigmoid",
    "expm1", "log1p", "log2", "log10", "exp2", "rsqrt", "cos", "tan", "sinh", "cosh", "asin", "acos", "atan", "asinh", "acosh",
    "atanh", "sinc", "neg", "positive",
)  # fmt: skip


@pytest.mark.parametrize("name", [*UNARY, *[pytest.param(name, marks=pytest.mark.long) for name in MORE]])
def test_functions_of_one_number(name: str) -> None:
    same(lambda package, x: getattr(package, name)(x), NUMBERS)


BINARY: dict[str, Callable[..., Any]] = {
    "add": lambda p, a, b: p.add(a, b, alpha=2j) + 1j,
    "sub": lambda p, a, b: 2 - (a - b),
    "mul": lambda p, a, b: a * b * 2j,
    "div": lambda p, a, b: a / b + 1j / a,
    "pow": lambda p, a, b: a**b,
    "powers": lambda p, a, b: a**2 + b**-1 + a ** (1 + 1j) + 2**b,
    "real": lambda p, a, b: a.real * b + (a * b.imag),
    "matmul": lambda p, a, b: a @ b.mH,
    "products": lambda p, a, b: p.vdot(a[0], b[1]) * p.einsum("ij,kj->ik", a, b) + p.nn.functional.linear(a, b),
    "moves": lambda p, a, b: p.cat([a.t(), b.t()[1:]]).flip(0)[[0, 2, 2]] + p.stack([a, b], 2)[0],
    "choices": lambda p, a, b: p.where(a.real > 0, a, b).masked_fill(b.imag > 0, 2j).tril(),
    "indices": lambda p, a, b: a.gather(1, p.argsort(b.real, 1)).index_add(0, p.argsort(a.real[:, 0]), b),
    "sums": lambda p, a, b: a.sum(0) * b.mean() + a.cumsum(1) + b.prod(0) * a.cumprod(1),
    "norms": lambda p, a, b: a.norm() + p.linalg.vector_norm(b, 1, dim=1).sum() * a.var() + b.std(),
}


@pytest.mark.parametrize("name", BINARY)
def test_functions_of_two_tensors(name: str) -> None:
    same(BINARY[name], NUMBERS, OTHERS)


def test_logarithms_of_added_exponentials() -> None:
    a = torch.tensor([1 + 1j, 100 - 100j, complex(float("-inf"), 0), -2j, 0, 3000], dtype=torch.complex128)
    b = torch.tensor([1j, 100 + 1j, float("-inf"), 1, 1e3 + 3j, 3000 + 1j], dtype=torch.complex128)
    agree(flow.logaddexp(ours(a), ours(b)), torch.logaddexp(a, b))
    same(lambda lib, x: lib.logaddexp(x, x * 1j), NUMBERS)


def test_second_gradients() -> None:
    def function(package: Any, x: Any) -> Any:
        (slope,) = package.autograd.grad((x * x.exp()).abs().sum(), x, create_graph=True)
        return slope

    same(function, NUMBERS)


def test_edges_of_numbers() -> None:
    numbers = torch.tensor([0, -4, 4, 1e200j, complex("nan"), complex(float("inf"), 1), -0.0j], dtype=torch.complex128)
    for name in ("sqrt", "abs", "sgn", "isnan", "isinf", "isfinite", "angle", "logical_not"):
        agree(getattr(flow, name)(ours(numbers)), getattr(torch, name)(numbers))
    big = torch.tensor([1e200 + 1e200j, 3j], dtype=torch.complex128)
    agree(ours(big) / ours(big), big / big)
    agree(ours(NUMBERS[:0]).sum(0), NUMBERS[:0].sum(0))
    agree(ours(NUMBERS[0, 0]) ** 0, NUMBERS[0, 0] ** 0)
    assert (ours(NUMBERS) == ours(NUMBERS)).all() and flow.allclose(ours(NUMBERS), ours(NUMBERS) + 1e-12j)
    assert not flow.isclose(ours(NUMBERS), ours(NUMBERS) + 1j).any()


# ------------------------------------------------------------------------------------------------------------- refusals


INF, NAN = float("inf"), float("nan")
EDGES = (0.0, -0.0, 1.0, -0.3, INF, -INF, NAN, 1e30, -1e25, 30.0, -200.0)
GRID = torch.tensor([complex(x, y) for x in EDGES for y in EDGES], dtype=torch.complex64)


@pytest.mark.parametrize("name", "exp sinh cosh tanh sin cos tan asin acos atan asinh acosh atanh sqrt log".split())
def test_infinite_numbers(name: str) -> None:
    """Functions of infinities, NaN and large numbers are torch's. An infinity beside a NaN may have either sign."""
    found, right = torch.view_as_real(theirs(getattr(flow, name)(ours(GRID)))), torch.view_as_real(getattr(torch, name)(GRID))
    unsettled = right.isinf() & right.flip(-1).isnan()
    found, right = (torch.where(unsettled, x.abs(), x) for x in (found, right))
    torch.testing.assert_close(found, right, rtol=1e-5, atol=1e-6, equal_nan=True)


@pytest.mark.parametrize(
    "name, x, right",
    [
        ("expm1", complex(INF, 0), complex(INF, 0)), ("expm1", complex(-INF, INF), complex(-1, 0)),
        ("expm1", complex(INF, NAN), complex(INF, NAN)), ("expm1", complex(NAN, 0), complex(NAN, 0)),
        ("log1p", complex(-INF, NAN), complex(INF, NAN)), ("log1p", complex(1e20, 1e20), complex(46.39828, math.pi / 4)),
        ("sigmoid", complex(-200, 1), 0j), ("sigmoid", complex(200, 1), 1 + 0j), ("sigmoid", complex(-INF, 0), 0j),
        ("atanh", complex(0.5e20, 0), complex(2e-20, math.pi / 2)),
    ],
)  # fmt: skip
def test_infinite_numbers_that_torch_has_not(name: str, x: complex, right: complex) -> None:
    found = getattr(flow, name)(flow.tensor(x, dtype=flow.complex64)).item()
    for part in ("real", "imag"):
        assert getattr(found, part) == pytest.approx(getattr(right, part), rel=1e-6, abs=1e-25, nan_ok=True)


def _quotient_of_the_standard(a: complex, b: complex) -> complex:
    """What remains of Annex G where NumPy has NaN in both parts: of infinities by finite numbers, and the other way round."""

    def corner(z: complex) -> tuple[float, float]:
        parts = (math.copysign(math.isinf(p), p) for p in (z.real, z.imag))
        return tuple(parts) if cmath.isinf(z) else (z.real, z.imag)  # type: ignore[return-value]

    if cmath.isinf(a) and cmath.isfinite(b):
        scale = INF
    elif cmath.isfinite(a) and cmath.isinf(b):
        scale = 0.0
    else:
        return complex(NAN, NAN)
    (x, y), (u, v) = corner(a), corner(b)
    return complex(scale * (x * u + y * v), scale * (y * u - x * v))


PARTS = (0.0, -0.0, 1.0, -2.5, INF, -INF, NAN)
POINTS = [complex(x, y) for x in PARTS for y in PARTS]


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_quotients_of_special_numbers(dtype: str) -> None:
    """NumPy's and torch's, and those of the C standard."""
    a, b = (numpy.array(column, dtype=dtype) for column in zip(*[(a, b) for a in POINTS for b in POINTS]))
    with numpy.errstate(all="ignore"):
        right = a / b
    lost = numpy.isnan(right.real) & numpy.isnan(right.imag)
    right[lost] = [_quotient_of_the_standard(complex(x), complex(y)) for x, y in zip(a[lost], b[lost])]
    numpy.testing.assert_allclose((flow.tensor(a) / flow.tensor(b)).numpy(), right, rtol=1e-6)
    one = a == 1
    numpy.testing.assert_allclose(flow.reciprocal(flow.tensor(b[one])).numpy(), right[one], rtol=1e-6)
    numpy.testing.assert_allclose((1 / flow.tensor(b[one])).numpy(), right[one], rtol=1e-6)
    for number in (0j, complex(INF, 0), complex(INF, -INF), 2.5 - 1j):
        chosen = numpy.array(POINTS, dtype=dtype)
        by_number, by_tensor = flow.tensor(chosen) / number, flow.tensor(chosen) / flow.full((len(chosen),), number, dtype=getattr(flow, dtype))
        finite = numpy.isfinite(chosen)  # a number by which the product of its inverse is taken, and a quotient
        numpy.testing.assert_allclose(by_number.numpy()[finite], by_tensor.numpy()[finite], rtol=1e-6)


def test_roots_and_powers_of_special_numbers_that_are_quotients() -> None:
    z = torch.tensor([0j, complex(-0.0, 0), 4j, complex(INF, 0), complex(-INF, 0), complex(NAN, 1)], dtype=torch.complex128)
    one_by_one = [torch.stack([f(x) for x in z]) for f in (torch.rsqrt, torch.reciprocal)]  # torch's vectors have other NaNs
    agree(flow.rsqrt(ours(z)), one_by_one[0])
    agree(ours(z) ** -0.5, one_by_one[0])
    agree(ours(z) ** -1, one_by_one[1])
    agree(ours(z) ** 0, z**0)
    assert flow.rsqrt(flow.tensor(complex(0, INF))).item() == 0


def test_derivatives_of_quotients() -> None:
    z = torch.tensor([1.5 - 2j, -0.25 + 3j, 2 + 0.5j], dtype=torch.complex128)
    for function in (lambda lib, x: x / (x * x + 1j), lambda lib, x: (2 - 1j) / x, lambda lib, x: lib.reciprocal(x), lambda lib, x: 1.5 / x):
        same(function, z)
        x = ours(z).requires_grad_()
        assert flow.autograd.gradgradcheck(lambda x, function=function: function(flow, x), (x,))


def test_a_zero_beside_nan_has_its_sign() -> None:
    for zero in (0.0, -0.0):
        assert math.copysign(1, flow.asinh(flow.tensor(complex(NAN, zero))).item().imag) == math.copysign(1, zero)


@pytest.mark.parametrize("name", "exp expm1 sinh cosh tanh sin cos tan asin asinh atan atanh log1p sigmoid".split())
def test_gradients_on_the_axes(name: str) -> None:
    """Where a part is 0, a formula has no branch of its own."""
    same(lambda lib, x: getattr(lib, name)(x), torch.tensor([0j, 0.5, -0.25, 0.5j, -0.75j], dtype=torch.complex128))


SINGULAR: dict[str, Any] = {
    "sqrt": lambda lib, x: lib.sqrt(x),
    "log": lambda lib, x: lib.log(x),
    "log2": lambda lib, x: lib.log2(x),
    "log10": lambda lib, x: lib.log10(x),
    "log1p": lambda lib, x: lib.log1p(x - 1),
    "sgn": lambda lib, x: lib.sgn(x),
    "abs": lambda lib, x: lib.abs(x),
    "angle": lambda lib, x: lib.angle(x),
    "reciprocal": lambda lib, x: lib.reciprocal(x),
    "quotient by 0": lambda lib, x: (x + 1 - 2j) / lib.zeros_like(x),
}


@pytest.mark.parametrize("name", SINGULAR)
def test_gradients_at_zero(name: str) -> None:
    """They are infinite where the derivative is."""
    gradients = []
    for lib in (torch, flow):
        x = lib.zeros(3, dtype=lib.complex128, requires_grad=True)
        y = SINGULAR[name](lib, x)
        weights = lib.tensor([1 + 2j, -1 + 0.5j, 3 - 2j], dtype=lib.complex128)
        loss = lib.view_as_real(y) * lib.view_as_real(weights) if y.is_complex() else y * weights.real
        gradients.append(torch.tensor(lib.autograd.grad(loss.sum(), x)[0].tolist()))
    torch.testing.assert_close(gradients[1], gradients[0], rtol=0, atol=0, equal_nan=True)


@pytest.mark.parametrize("name", "log log2 log10 log1p angle atan tan tanh sinh cosh atanh sigmoid sqrt rsqrt".split())
def test_gradients_of_far_and_near_numbers_in_single_precision(name: str) -> None:
    """No square, and no cosh, overflows or underflows on the way: they are those of double precision."""
    parts = [0.5, -1.0, -20.0, 50.0, 95.0, -100.0, 1e4, 1e10, -1e-10, 1e-25, 0.0]
    grid = torch.tensor([complex(x, y) for x in parts for y in parts] + [1 + 1e-25j, -1 - 1e-25j, 1e-25 + 1j], dtype=torch.complex64)
    found = []
    for lib, x in ((torch, grid.to(torch.complex128)), (flow, ours(grid))):
        x = x.detach().requires_grad_()
        y = getattr(lib, name)(x)
        loss = (y.real + 2 * y.imag).sum() if y.is_complex() else y.sum()
        found.append(torch.tensor(lib.autograd.grad(loss, x)[0].tolist(), dtype=torch.complex128))
    right = found[0].to(torch.complex64)
    finite = right.isfinite() & (grid != 0)
    torch.testing.assert_close(found[1].to(torch.complex64)[finite], right[finite], rtol=1e-3, atol=1e-6)


def test_ops_without_a_form_refuse() -> None:
    """Every op of the registry: none plans a kernel for complex numbers."""
    meta = contiguous_meta((2, 2), flow.complex64, flow.device("cpu"))
    for name, definition in OPS.items():
        if definition.kind in ("view", "consistent") or not definition.inputs or definition.complex == OWN_KERNEL:
            continue
        with pytest.raises((NotImplementedError, RuntimeError), match="not implemented|must have|expected"):
            op_expr(name).plan((meta,) * len(definition.inputs), (None,) * len(definition.attrs))


REFUSED = [
    ("x < x", NotImplementedError), ("x.max()", NotImplementedError), ("x.relu()", NotImplementedError),
    ("x.sign()", NotImplementedError), ("x.abs_()", RuntimeError), ("r.add_(x)", RuntimeError), ("r.mul_(1j)", RuntimeError),
    ("float(x[0, 0])", RuntimeError), ("flow.full((2,), 1j, dtype=flow.float32)", RuntimeError), ("r.imag", RuntimeError),
    ("flow.view_as_complex(r)", RuntimeError), ("flow.view_as_real(r)", RuntimeError), ("flow.complex(r, r.double())", RuntimeError),
    ("flow.arange(3, dtype=flow.complex64)", NotImplementedError), ("flow.add(r, r, out=x) and flow.add(x, x, out=r)", RuntimeError),
    ("x.softmax(0)", NotImplementedError), ("flow.amax(r * 1j)", NotImplementedError),
]  # fmt: skip


@pytest.mark.parametrize(("source", "error"), REFUSED, ids=[source for source, _ in REFUSED])
def test_what_is_refused(source: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        eval(source, {"flow": flow, "x": ours(NUMBERS), "r": flow.ones(2, 3)})


def test_casts_to_real_numbers_warn() -> None:
    x = ours(NUMBERS)
    with pytest.warns(UserWarning, match="discards the imaginary part"):
        agree(x.to(flow.float32), NUMBERS.real.float())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        agree(x.to(flow.bool), torch.ones(2, 3, dtype=torch.bool))


# -------------------------------------------------------------------------------------------------- graphs and ranks


def test_captured_programs() -> None:
    def program(x: Any, w: Any) -> Any:
        y = (x * w).exp() / (w + 2j)
        y.imag.add_(1.0)
        return y.abs().sum(), y.t(), flow.view_as_real(y)

    x, w = ours(NUMBERS).to(flow.complex64), ours(OTHERS).to(flow.complex64)
    compiled = flow.compile(program)
    for _ in range(2):
        for found, expected in zip(compiled(x, w), program(x, w)):
            assert flow.allclose(found, expected)


def test_numbers_over_ranks() -> None:
    def function() -> Any:
        placement = flow.placement.all("cpu")
        x = ours(NUMBERS.t()).cpu().to_global(placement, flow.sbp.broadcast).to_global(placement, flow.sbp.split(0))
        return ((x * 2j).exp() + x.conj()).sum(0).to_global(placement, flow.sbp.broadcast).to_local().tolist()

    x = NUMBERS.t()
    expected = ((x * 2j).exp() + x.conj()).sum(0)
    for found in flow.testing.simulate(2)(function)():
        torch.testing.assert_close(torch.tensor(found, dtype=torch.complex128), expected)


def test_gradients_pass_products_in_place() -> None:
    def function(package: Any, x: Any) -> Any:
        y = x.clone()
        y.mul_(x * 2)
        return y.div_(x + 3)

    same(function, NUMBERS)


CONVOLUTIONS: list[Any] = [
    lambda lib, x, w, b: lib.nn.functional.conv1d(x, w, b, stride=2, padding=1, groups=2),
    lambda lib, x, w, b: lib.nn.functional.conv_transpose1d(x, w.reshape(4, 1, 3), b[:2], stride=2, groups=2),
]


@pytest.mark.parametrize("number", range(len(CONVOLUTIONS)))
def test_convolutions(number: int) -> None:
    x = torch.linspace(-1, 1, 40, dtype=torch.float64).reshape(2, 4, 5)
    w = torch.linspace(0.5, -1, 24, dtype=torch.float64).reshape(4, 2, 3)[:, :1 + (number == 0)].contiguous()
    same(CONVOLUTIONS[number], torch.complex(x, x * x), torch.complex(w.square(), w), torch.complex(w[:, 0, 0], w[:, 0, 1]))


def test_random_numbers_over_complex_ones() -> None:
    x = flow.zeros(2000, dtype=flow.complex128)
    assert x.normal_(2, 3) is x
    for part in (x.real, x.imag):
        assert abs(part.mean().item() - 2) < 0.3 and abs(part.std().item() - 3 / 2**0.5) < 0.2
    x.uniform_(1, 2)
    assert (x.real >= 1).all() and (x.imag < 2).all() and not flow.equal(x.real, x.imag)


CALLS = ["isin(x, x)", "isin(1j, x.real)", "unique_consecutive(x)", "nn.functional.pdist(x)", "where(x, x, x)", "where(x, 1.0, 2.0)"]


@pytest.mark.parametrize("call", CALLS)
def test_complex_numbers_are_refused(call: str) -> None:
    for lib, x in ((torch, NUMBERS), (flow, ours(NUMBERS))):
        with pytest.raises((RuntimeError, NotImplementedError), match="Complex|floating-point"):
            eval(f"lib.{call}", {"lib": lib, "x": x})


def test_windows_of_images() -> None:
    images = torch.stack([NUMBERS, OTHERS, NUMBERS]).reshape(1, 2, 3, 3)
    same(lambda lib, x: lib.nn.functional.fold(lib.nn.functional.unfold(x, 2), (3, 3), 2), images)


def test_complex_numbers_are_not_written_into_real_tensors() -> None:
    x = flow.zeros(2)
    for index in (0, flow.tensor([0]), flow.tensor([True, False]), slice(None)):
        with pytest.raises(RuntimeError, match="overflow|can't be cast"):
            x[index] = 1j
    with pytest.raises(TypeError, match="complex"):
        flow.tensor([1j], dtype=flow.float32)
    y = flow.zeros(2, dtype=flow.complex64)
    y[0], y[flow.tensor([False, True])] = 1j, 2j
    assert x.tolist() == [0, 0] and y.tolist() == [1j, 2j]


EXPONENTS = [-1.2 - 0.3j, -1, -0.5 + 1j, 1j, 0.5, 0.5 + 1j, 2, 2 + 1j, 3.5]


@pytest.mark.parametrize("compiled", [False, True])
def test_gradients_of_powers_of_zero(compiled: bool) -> None:
    """NaN where torch's are; a tensor to 1 has the gradient that a number 1 has, which torch gives alone."""
    wrap = flow.compile if compiled else lambda function: function
    powers = {"both": lambda a, b: a**b, "base": lambda a, b: a ** b.detach(), "exponent": lambda a, b: a.detach() ** b}
    cases = [(powers[name], name, base) for name in powers for base in (0j, 1 - 2j)]
    cases += [(lambda a, b: 0 * a + 0j**b, "number", 0j), (lambda a, b, e=0.3 + 1j: a**e + 0 * b, "number of an exponent", 0j)]
    for function, name, base in cases:
        found = []
        for m in (flow, torch):
            a = m.full((len(EXPONENTS),), base, dtype=m.complex128).requires_grad_()
            b = m.tensor(EXPONENTS, dtype=m.complex128).requires_grad_()
            y = (wrap if m is flow else lambda f: f)(function)(a, b)
            y.backward(m.full_like(y, 1 + 0.5j))
            found.append([m.zeros_like(x) if x.grad is None else x.grad for x in (a, b)])
        for mine, theirs in zip(*found):
            torch.testing.assert_close(flow.to_torch(mine), theirs, rtol=1e-13, atol=1e-13, equal_nan=True, msg=lambda m, n=name: f"{n}: {m}")


def test_powers_of_zero_have_second_derivatives() -> None:
    """a ** 2 is twice differentiable, a ** 1 once: other elements and masks leave no NaN."""
    a = flow.zeros(3, dtype=flow.complex128).requires_grad_()
    exponents = flow.tensor([1, 2, 3], dtype=flow.complex128)
    (first,) = flow.autograd.grad((a**exponents).real.sum(), a, create_graph=True)
    assert first.tolist() == [1, 0, 0]
    (second,) = flow.autograd.grad(first.real.sum(), a)
    assert second.tolist() == [0, 2, 0]


@pytest.mark.parametrize("compiled", [False, True])
def test_negative_and_imaginary_powers_of_zero_are_no_zeros(compiled: bool) -> None:
    exponents = torch.tensor([-1.2 - 0.3j, -1, -0.5 + 1j, 1j, 0.5, 2 + 1j], dtype=torch.complex128)
    zeros = torch.zeros_like(exponents)
    wrap = flow.compile if compiled else lambda function: function
    for mine, theirs in (
        (wrap(lambda a, b: a**b)(flow.from_torch(zeros), flow.from_torch(exponents)), zeros**exponents),
        (wrap(lambda a, b: a**b)(flow.from_torch(zeros.real), flow.from_torch(exponents)), zeros.real**exponents),
        (wrap(lambda b: 0j**b)(flow.from_torch(exponents)), 0j**exponents),
        *[(wrap(lambda a, e=e: a**e)(flow.from_torch(zeros)), zeros**e) for e in (-1.5, 0.3, 1j, -1 - 1j, 1 + 1j)],
    ):
        torch.testing.assert_close(flow.to_torch(mine), theirs, rtol=0, atol=0, equal_nan=True)

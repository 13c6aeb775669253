"""Names that are other names' functions, and what the samples of the registry do not reach: errors, in-place writes, edges."""

from __future__ import annotations

import operator

import pytest
import torch

import tritonflow as flow

UNARY = {
    "arccos": "acos", "arcsin": "asin", "arctan": "atan", "arccosh": "acosh", "arcsinh": "asinh", "arctanh": "atanh",
    "fix": "trunc", "absolute": "abs", "conj_physical": "positive",
}  # fmt: skip
BINARY = {
    "arctan2": "atan2", "multiply": "mul", "subtract": "sub", "divide": "div", "true_divide": "div", "greater": "gt",
    "greater_equal": "ge", "less": "lt", "less_equal": "le", "not_equal": "ne",
}  # fmt: skip


@pytest.mark.parametrize("name", UNARY)
def test_other_names_of_one_operand(name: str) -> None:
    x = flow.tensor([0.25, 0.5, 0.75]) + (1 if name == "arccosh" else 0)
    expected = getattr(flow, UNARY[name])(x).tolist()
    assert getattr(flow, name)(x).tolist() == expected
    assert getattr(x, name)().tolist() == expected
    y = x.clone()
    assert getattr(y, f"{name}_")() is y
    assert y.tolist() == expected


@pytest.mark.parametrize("name", BINARY)
def test_other_names_of_two_operands(name: str) -> None:
    x, y = flow.tensor([0.25, 0.5, 0.75]), flow.tensor([1.0, 0.5, -2.0])
    expected = getattr(flow, BINARY[name])(x, y).tolist()
    assert getattr(flow, name)(x, y).tolist() == expected
    assert getattr(x, name)(y).tolist() == expected


def test_trapz() -> None:
    y = flow.tensor([1.0, 2.0, 4.0])
    assert flow.trapz(y).item() == flow.trapezoid(y).item() == 4.5


def test_real_tensors_are_their_own_conjugates() -> None:
    x = flow.tensor([1.0, -2.0])
    assert all(f(x) is x for f in (flow.real, flow.conj, flow.resolve_conj, flow.resolve_neg, flow.positive))
    with pytest.raises(RuntimeError, match="imag is not implemented for tensors with non-complex dtypes"):
        flow.imag(x)


def test_divide_rounds_as_div() -> None:
    x, y = flow.tensor([7.0, -7.0]), flow.tensor([2.0, 2.0])
    assert flow.divide(x, y, rounding_mode="floor").tolist() == [3.0, -4.0]


@pytest.mark.parametrize("dtype", ("float16", "bfloat16", "float32", "float64"))
def test_frexp_and_nextafter_of_every_size(dtype: str) -> None:
    info = torch.finfo(getattr(torch, dtype))
    values = [0.0, -0.0, info.max, info.tiny, info.tiny / 2, -1.5, 3.0, float("inf"), float("nan")]
    x = torch.tensor(values, dtype=getattr(torch, dtype))
    mantissa, exponent = flow.frexp(flow.from_torch(x))
    expected = torch.frexp(x)
    torch.testing.assert_close(flow.to_torch(mantissa), expected.mantissa, rtol=0, atol=0, equal_nan=True)
    torch.testing.assert_close(flow.to_torch(exponent), expected.exponent)
    for towards in (float("inf"), -1.0, 0.0):
        y = torch.full_like(x, towards)
        after = flow.nextafter(flow.from_torch(x), flow.from_torch(y))
        torch.testing.assert_close(flow.to_torch(after), torch.nextafter(x, y), rtol=0, atol=0, equal_nan=True)


def test_the_second_derivative_of_sinc_at_zero() -> None:
    """It is -pi^2 / 3; torch's is NaN."""
    x = flow.zeros(1, dtype=flow.float64, requires_grad=True)
    (slope,) = flow.autograd.grad(flow.sinc(x), x, create_graph=True)
    (bend,) = flow.autograd.grad(slope, x)
    assert slope.item() == 0
    assert bend.item() == pytest.approx(-3.289868133696453, rel=1e-15)


def test_the_running_maximum_beside_nan() -> None:
    x = torch.tensor([[1.0, 1.0, float("nan"), 2.0, float("nan")], [3.0, -1.0, 3.0, 4.0, 0.0]])
    for name in ("cummax", "cummin"):
        values, indices = getattr(flow, name)(flow.from_torch(x), 1)
        expected = getattr(torch, name)(x, 1)
        torch.testing.assert_close(flow.to_torch(values), expected.values, equal_nan=True)
        assert flow.to_torch(indices).tolist() == expected.indices.tolist()


@pytest.mark.parametrize("name", ("cummax", "cummin", "logcumsumexp"))
def test_scans_of_long_rows(name: str) -> None:
    x = torch.randn(3, 40000, dtype=torch.float64)
    ours, theirs = getattr(flow, name)(flow.from_torch(x), 1), getattr(torch, name)(x, 1)
    pairs = [(ours, theirs)] if name == "logcumsumexp" else zip(ours, theirs)
    for mine, expected in pairs:
        torch.testing.assert_close(flow.to_torch(mine), expected)


def test_float_power_writes_float64_only() -> None:
    x = flow.tensor([2.0, 3.0])
    with pytest.raises(RuntimeError, match="has dtype Float but the operation's result requires dtype Double"):
        x.float_power_(2)
    y = x.double()
    assert y.float_power_(2) is y
    assert y.tolist() == [4.0, 9.0]


def test_statistics_inside_a_captured_program() -> None:
    def program(x: flow.Tensor) -> tuple[flow.Tensor, ...]:
        shares = flow.quantile(x, flow.tensor([0.25, 0.5]), dim=1)
        return shares, flow.nanmean(x, 1), flow.histc(x, 4), flow.cov(x), flow.cummax(x, 1)[1], flow.mode(x, 1)[0]

    x = flow.from_torch(torch.randn(3, 7))
    for captured, eager in zip(flow.compile(program)(x), program(x)):
        torch.testing.assert_close(flow.to_torch(captured), flow.to_torch(eager))


def test_names_of_special() -> None:
    missing = [name for name in torch.special.__all__ if not hasattr(flow.special, name)]
    assert not missing
    x, y = flow.tensor([0.5, 2.0]), flow.tensor([1.0, 3.0])
    assert flow.special.gammainc(x, y).tolist() == flow.igamma(x, y).tolist()
    assert flow.special.gammaincc(x, y).tolist() == flow.igammac(x, y).tolist()
    assert flow.special.multigammaln(y, 1).tolist() == flow.mvlgamma(y, 1).tolist() == flow.lgamma(y).tolist()
    assert y.polygamma(2).tolist() == flow.polygamma(2, y).tolist()


@pytest.mark.parametrize("name", ("gammainc", "gammaincc"))
def test_incomplete_gamma_functions_against_scipy(name: str) -> None:
    """Small and large parameters, far apart and near; from 1e6 on scipy's own error is larger, and so is torch's."""
    special = pytest.importorskip("scipy.special")
    parameter = torch.logspace(-3, 5, 60, dtype=torch.float64)[:, None]
    x = parameter * torch.tensor([0.01, 0.5, 0.97, 1.0, 1.02, 2.0, 20.0], dtype=torch.float64)
    found = getattr(flow.special, name)(flow.from_torch(parameter), flow.from_torch(x))
    expected = torch.from_numpy(getattr(special, name)(parameter.numpy(), x.numpy()))
    torch.testing.assert_close(flow.to_torch(found), expected, rtol=1e-9, atol=1e-300)


def test_the_uniform_expansion_of_incomplete_gamma_functions() -> None:
    """By mpmath's power series with 40 digits, which takes it a minute."""
    parameters = flow.tensor([6539308.366858519, 4208669.746498463], dtype=flow.float64)
    x = flow.tensor([6527033.3889576765, 4198915.149182483], dtype=flow.float64)
    expected = [7.814263460072514e-07, 9.75826779937491e-07]
    assert flow.special.gammainc(parameters, x).tolist() == pytest.approx(expected, rel=1e-12)
    assert flow.special.gammaincc(parameters, x).tolist() == pytest.approx([1 - e for e in expected], rel=1e-15)


@pytest.mark.parametrize("decimals", (0, 2, -1))
def test_round_to_decimals(decimals: int) -> None:
    x = torch.tensor([1.005, -2.345, 25.0, 15.0, float("nan"), float("inf")], dtype=torch.float64)
    rounded = flow.round(flow.from_torch(x), decimals=decimals)
    torch.testing.assert_close(flow.to_torch(rounded), torch.round(x, decimals=decimals), equal_nan=True)


def test_forms_with_tensors_and_methods() -> None:
    x, bound = flow.tensor([1.0, -2.0, 3.0]), flow.tensor([0.0, 0.0, 2.0])
    assert x.where(x > 0, 0.5).tolist() == x.where(x > 0, flow.full((3,), 0.5)).tolist() == [1.0, 0.5, 3.0]
    assert flow.clamp_min(x, bound).tolist() == [1.0, 0.0, 3.0]
    assert flow.clamp_max(x, bound).tolist() == [0.0, -2.0, 2.0]
    assert flow.argsort(flow.tensor([2, 1, 2, 1]), stable=True).tolist() == [1, 3, 0, 2]


def test_a_histogram_needs_a_range_that_is_finite() -> None:
    with pytest.raises(RuntimeError, match="is not finite"):
        flow.histc(flow.tensor([1.0, float("inf")]), 3)


@pytest.mark.parametrize("p", (2, 3))
def test_the_gamma_function_of_several_dimensions(p: int) -> None:
    x = torch.tensor([1.5, 2.0, 9.25], dtype=torch.float64)
    torch.testing.assert_close(flow.to_torch(flow.mvlgamma(flow.from_torch(x), p)), torch.mvlgamma(x, p))


@pytest.mark.parametrize("name", ("chebyshev_polynomial_t", "hermite_polynomial_h", "laguerre_polynomial_l", "legendre_polynomial_p"))
def test_a_degree_that_would_take_years_is_nan(name: str) -> None:
    polynomial = getattr(flow.special, name)
    for degree in (1e17, 65_537, flow.full((3,), 10**15)):
        assert polynomial(flow.tensor([0.5, 1.0, -0.25]), degree).isnan().all()
    assert polynomial(flow.ones(2), flow.tensor([3.0, 1e17])).isnan().tolist() == [False, True]


TINY, LARGEST = 2.0**-1024, 1.7976931348623157e308
# By mpmath with 40 digits and more.
TRUE = {
    "sinc": [(5e-324, 1.0), (-5e-324, 1.0), (0.9999999999999999, 1.1102230246251565e-16), (3.0, 0.0)],
    "digamma": [
        (1.5707963267948966, 0.10067337642740233), (-1.5707963267948966, 0.026807238089907193), (-0.5, 0.03648997397857652),
        (1.5, 0.03648997397857652), (-0.9999999999999999, -9007199254740992.0), (5e-324, -float("inf")),
    ],
    "special.airy_ai": [(1.5707963267948966, 0.06512049371219305), (11.0, 4.226275864960359e-12), (100.0, 2.6344821520881846e-291)],
    "special.ndtr": [(-3.0, 0.0013498980316300946), (-7.3, 1.4388386381575877e-13), (-11.0, 1.9106595744986757e-28)],
    "special.erfcx": [(2.0**31, 2.627212477604655e-10), (LARGEST, 3.138408733985445e-309)],
    "igamma": [
        ((TINY, 1e-4), 1.0), ((5e-324, 0.5), 1.0), ((LARGEST, 88.5), 0.0), ((40.0, 0.1), 1.1116958145183259e-88),
        ((16777217.0, 16777217.0), 0.5000324660049352),
    ],
    "igammac": [
        ((TINY, 3.0), 7.2584029171346e-311), ((LARGEST, 2049.0), 1.0), ((1e-4, 1.5707963267948966), 9.009479944634113e-06),
        ((0.1, 100.0), 6.142676307812301e-47),
    ],
    "special.zeta": [
        ((3.0, -88.5), 6.312135088072804e-05), ((11.0, -1000.5), 9.9005025204439603e-32), ((1.5, LARGEST), 1.4916681462400413e-154),
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", TRUE)
def test_true_values_at_the_ends_and_near_roots(name: str) -> None:
    function = operator.attrgetter(name)(flow)
    for arguments, true in TRUE[name]:
        tensors = [flow.tensor([x], dtype=flow.float64) for x in (arguments if isinstance(arguments, tuple) else (arguments,))]
        assert function(*tensors).item() == pytest.approx(true, rel=2e-15, abs=5e-321), arguments


@pytest.mark.parametrize("name", ("legendre_polynomial_p", "laguerre_polynomial_l", "chebyshev_polynomial_w", "shifted_chebyshev_polynomial_w"))
def test_polynomials_of_nan(name: str) -> None:
    """NaN from degree 1 on: torch's have any number there."""
    found = getattr(flow.special, name)(float("nan"), flow.tensor([-1.0, 0.0, 1.0, 2.0, 2.5, 3.0]))
    assert found.isnan().tolist() == [False, False, True, True, True, True]

"""The ends of the domains against torch: nothing to reduce, NaN, infinities, zeros of both signs, numbers that do not fit."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy
import pytest
import torch

import tritonflow as flow
from tests.ops.sides import attempt
from tests.torch_release import since
from tritonflow.testing import assert_close

NAN, INF = math.nan, math.inf
VALUES = [NAN, INF, -INF, 0.0, -0.0, 1.0, -1.0, 2.5, -2.5, 3.0, 65504.0, 2.0**-23, NAN, INF]


class Wide:
    """torch, whose float32 is float64."""

    float32 = torch.float64

    def __getattr__(self, name: str) -> Any:
        return getattr(torch, name)


def in_float64(call: Callable[[Any], Any]) -> Any:
    """What torch gives in float64."""
    torch.set_default_dtype(torch.float64)
    try:
        return attempt(call, (Wide(),), {})[0]
    finally:
        torch.set_default_dtype(torch.float32)


def assert_same(call: Callable[[Any], Any], rtol: float = 2e-6, signs: bool = True) -> None:
    """Both sides give the same dtypes and signs of zeros, and the values of float64; or both refuse."""
    (expected, torch_error), (actual, error) = attempt(call, (torch,), {}), attempt(call, (flow,), {})
    if torch_error is not None:
        assert isinstance(error, (RuntimeError, IndexError)), f"torch: {torch_error}; we return {actual} or raise {error!r}"
        return
    assert error is None, f"{type(error).__name__}: {error}"
    expected, exact, actual = ((r,) if hasattr(r, "dtype") else tuple(r) for r in (expected, in_float64(call), actual))
    assert len(expected) == len(actual)
    for a, b, e in zip(actual, expected, exact):
        ours = flow.to_torch(a.detach())
        assert_close(ours, e.detach().to(b.dtype) if b.is_floating_point() else b, rtol=rtol, atol=0, equal_nan=True)
        if signs and b.is_floating_point():
            zeros = b == 0
            assert torch.equal(torch.signbit(ours)[zeros], torch.signbit(b)[zeros]), f"signs of zero: {ours}, torch has {b}"


ALONG = ("softmax", "log_softmax", "cumsum", "cumprod", "sort", "argsort", "logsumexp")
OVER = ("sum", "mean", "prod", "amax", "amin", "max", "min", "argmax", "argmin", "any", "all", "nansum", "median", "norm", "var", "std")
NOTHING = [(shape, dim) for shape in ((0,), (3, 0), (0, 3), (2, 0, 3)) for dim in (None, *range(len(shape)))]


@pytest.mark.sampled
@pytest.mark.parametrize("dtype", ["float32", "int64", "uint8"])
@pytest.mark.parametrize("name", OVER + ALONG)
def test_nothing_to_reduce(name: str, dtype: str) -> None:
    if dtype != "float32" and name in ("softmax", "log_softmax"):
        pytest.skip("torch has no kernel, but returns zero-size tensors (ops/allowed.py)")
    for shape, dim in NOTHING:
        if dim is None and name in ALONG:
            continue
        rest = () if dim is None else (2.0, dim) if name == "norm" else (dim,)
        assert_same(lambda lib, shape=shape, rest=rest: getattr(lib, name)(lib.zeros(*shape, dtype=getattr(lib, dtype)), *rest))


GRADED = {
    "prod": lambda lib, x: lib.prod(x),
    "prod along": lambda lib, x: lib.prod(x, -1),
    "median": lambda lib, x: lib.median(x),
    "nanmedian": lambda lib, x: lib.nanmedian(x),
    "cumprod": lambda lib, x: lib.cumprod(x, 0),
    "logcumsumexp": lambda lib, x: lib.logcumsumexp(x, -1),
    "norm": lambda lib, x: lib.norm(x),
    "var": lambda lib, x: lib.var(x),
    "max": lambda lib, x: lib.max(x, 0)[0],
    "amin": lambda lib, x: lib.amin(x, (0,)),
    "cummax": lambda lib, x: lib.cummax(x, 0)[0],
    "logsumexp": lambda lib, x: lib.logsumexp(x, -1),
    "nanmean": lambda lib, x: lib.nanmean(x),
    "quantile": lambda lib, x: lib.quantile(x, 0.5, 0),
}
FEW = [torch.zeros(0), torch.zeros(3, 0), torch.zeros(2, 0, 3), torch.zeros(()), torch.zeros(2, 3), torch.tensor([[0.0, 0, 3], [0, 1, 2]])]


def both_gradients(lib: Any, function: Any, x: Any) -> list[Any] | None:
    """The first and the second gradient, None for one that does not require grad; or None for what is refused."""
    try:
        y = function(lib, x)
    except (RuntimeError, IndexError):
        return None
    (first,) = lib.autograd.grad((y * lib.arange(1, y.numel() + 1).reshape(y.shape)).sum(), x, create_graph=True)
    weights = lib.arange(1, first.numel() + 1).reshape(first.shape)
    second = lib.autograd.grad((first * first * weights).sum(), x)[0] if first.requires_grad else None
    return [first.detach(), second]


@pytest.mark.parametrize("name", GRADED)
def test_gradients_of_nothing_and_of_zeros(name: str) -> None:
    for x in FEW:
        x = x.double()
        expected = both_gradients(torch, GRADED[name], x.clone().requires_grad_())
        found = both_gradients(flow, GRADED[name], flow.tensor(x.numpy()).requires_grad_())
        assert (found is None) == (expected is None), tuple(x.shape)
        for mine, right in zip(found or (), expected or ()):
            if mine is not None and right is not None:
                torch.testing.assert_close(flow.to_torch(mine), right, equal_nan=True)


@pytest.mark.parametrize(("rows", "columns"), [(0, 4), (4, 0), (0, 1)])
def test_products_without_elements(rows: int, columns: int) -> None:
    """So long a sum would be split, for want of tiles."""
    a, b = flow.ones(rows, 9000, requires_grad=True), flow.ones(9000, columns, requires_grad=True)
    y = a @ b
    y.sum().backward()
    assert y.shape == (rows, columns)
    assert not a.grad.any() and not b.grad.any()


@pytest.mark.parametrize("name", OVER + ALONG + ("topk",))
def test_reductions_of_special_values(name: str, rng: numpy.random.Generator) -> None:
    for count in (14, 9, 4, 2, 1):
        values = [VALUES[k] for k in rng.permutation(len(VALUES))[:count]]
        rest = (0,) if name in ALONG else (1,) if name == "topk" else ()
        assert_same(lambda lib, values=values, rest=rest: getattr(lib, name)(lib.tensor(values), *rest), rtol=1e-5, signs=False)


ONE_NAN = since("2.13", "numbers clamped by one bound that is NaN are NaN")
BOUNDS = [
    (-1, 1), (NAN, 1.0), (-1.0, NAN), *[pytest.param(each, marks=ONE_NAN) for each in ((None, NAN), (NAN, None))], (INF, None), (None, -INF), (2, -2),
    (-INF, INF),
]  # fmt: skip


@pytest.mark.parametrize("bounds", BOUNDS, ids=str)
def test_clamp(bounds: tuple[float | None, float | None]) -> None:
    assert_same(lambda lib: lib.clamp(lib.tensor(VALUES), *bounds))
    tensors = [b for b in bounds if b is not None]
    if len(tensors) == 2:
        assert_same(lambda lib: lib.clamp(lib.tensor(VALUES), *[lib.tensor(float(b)) for b in tensors]))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("exponent", [0, 1, 2, 3, -1, -2, -3, 0.5, -0.5, 1.5, 2.5, INF, -INF, NAN, 10, -0.0], ids=str)
def test_powers(exponent: float, dtype: str) -> None:
    assert_same(lambda lib: lib.tensor(VALUES, dtype=getattr(lib, dtype)) ** exponent)
    assert_same(lambda lib: exponent ** lib.tensor(VALUES, dtype=getattr(lib, dtype)))
    assert_same(lambda lib: lib.tensor(VALUES, dtype=getattr(lib, dtype)) ** lib.tensor(float(exponent), dtype=getattr(lib, dtype)))


@pytest.mark.parametrize("exponent", [2, 2.0, 0.5, -0.5, -1, 3], ids=str)
def test_powers_and_their_derivatives(exponent: float) -> None:
    def twice(lib: Any) -> Any:
        x = lib.tensor([0.5, 1.0, 3.0], requires_grad=True)
        (first,) = lib.autograd.grad((x**exponent).sum(), x, create_graph=True)
        return first, lib.autograd.grad(first.sum(), x)[0]

    assert_same(twice)
    assert_same(lambda lib: lib.tensor([1, 2, 5]) ** float(exponent))


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int32", "int64"])
def test_powers_of_integers(dtype: str) -> None:
    for exponent in (0, 1, 2, 7, 300, -1, -2, 0.5, -1.0):
        assert_same(lambda lib, e=exponent: lib.tensor([0, 1, 2, 3, 5, 127], dtype=getattr(lib, dtype)) ** e)


UNARY = ("abs", "sign", "square", "sqrt", "rsqrt", "reciprocal", "exp", "expm1", "log1p", "tanh", "sinh", "sigmoid", "erf", "floor")
UNARY += ("ceil", "trunc", "round", "frac", "relu")


@pytest.mark.parametrize("name", UNARY)
def test_special_values(name: str) -> None:
    assert_same(lambda lib: getattr(lib, name)(lib.tensor(VALUES)), rtol=5e-6)


@pytest.mark.parametrize("name", ["relu", "relu6", "hardtanh", "elu", "celu", "selu", "leaky_relu"])
def test_gradients_at_special_values(name: str) -> None:
    """NaN counts as positive: its gradient is that of the line, and an infinite gradient of a dead unit is 0.

    torch takes one number at a time: its vectorised relu6 and hardtanh, unlike its others, count NaN as outside of the limits.
    """

    def gradient(lib: Any) -> Any:
        numbers = [VALUES] if lib is flow else [[value] for value in VALUES]
        xs = [lib.tensor(values, requires_grad=True) for values in numbers]
        y = lib.cat([getattr(lib.nn.functional, name)(x) for x in xs])
        return lib.cat(lib.autograd.grad(y, xs, lib.tensor([1.0, 2.0] * 7)))

    assert_same(gradient, signs=False)
    x = flow.tensor([-1.0, 1.0], requires_grad=True)
    (dx,) = flow.autograd.grad(flow.relu(x), x, flow.tensor([INF, INF]))
    assert dx.tolist() == [0, INF]


@pytest.mark.parametrize("name", ["elu", "celu"])
def test_unusual_parameters(name: str) -> None:
    for alpha in (-1.0, INF):  # a zero is neither's to scale
        assert_same(lambda lib, alpha=alpha: getattr(lib.nn.functional, name)(lib.tensor(VALUES), alpha))


def test_limits_that_are_not_numbers() -> None:
    for limits in ((0.0, NAN), (NAN, 0.0)):
        assert_same(lambda lib, limits=limits: lib.nn.functional.hardtanh(lib.tensor(VALUES), *limits))


FRACTIONS: dict[str, Callable[[Any, Any], Any]] = {
    "threshold": lambda lib, x: lib.nn.functional.threshold(x, 3, 1e-30),
    "threshold and value": lambda lib, x: lib.nn.functional.threshold(x, 3.7, -2.5),
    "hardtanh": lambda lib, x: lib.nn.functional.hardtanh(x, -2.5, 2147483646.0),
    "masked_fill": lambda lib, x: x.masked_fill(x == 3, 2.5),
}


@pytest.mark.parametrize("name", FRACTIONS)
def test_fractions_among_integers(name: str) -> None:
    """Among integers that float32 does not have."""
    assert_same(lambda lib: FRACTIONS[name](lib, lib.tensor([2147483645, 4, 3, -5], dtype=lib.int32)))


@pytest.mark.parametrize("p", [INF, -INF, -1.0], ids=str)
def test_norms_of_nothing_that_have_no_identity(p: float) -> None:
    for shape, dim in (((0,), None), ((2, 0), None), ((2, 0), 1), ((2, 0), 0)):
        assert_same(lambda lib, shape=shape, dim=dim: lib.norm(lib.zeros(shape), p, dim))


def test_isclose_at_infinity() -> None:
    near = [INF, -INF, INF, 3e38, NAN, 0.0]
    far = [3e38, -3e38, INF, -3e38, INF, 0.0]
    assert_same(lambda lib: lib.isclose(lib.tensor(near), lib.tensor(far), rtol=2.0))
    whole = [2**53, 2**53 + 1, -5]
    assert_same(lambda lib: lib.isclose(lib.tensor(whole), lib.tensor(whole[::-1]), rtol=0, atol=0))


def test_powers_of_float64() -> None:
    """To the last bits, however large the exponent is."""
    bases, exponents = [1.5707963267948966, -2.5, 0.999999, 1.4142, 0.7072, 1e-300], [1000.5, -100.0, 1e6, -1500.25, 1800.75, 1.01]
    powers = flow.tensor(bases, dtype=flow.float64) ** flow.tensor(exponents, dtype=flow.float64)
    for base, exponent, power in zip(bases, exponents, powers.tolist()):
        assert abs(power - base**exponent) <= 2 * math.ulp(base**exponent)


def test_log1p_of_the_smallest_numbers() -> None:
    for dtype, smallest in ((flow.float32, 2.0**-149), (flow.float64, 5e-324)):
        assert flow.log1p(flow.tensor([smallest, -smallest], dtype=dtype)).tolist() == [smallest, -smallest]


NARROW: dict[str, Callable[[Any, Any], Any]] = {
    "clamp": lambda lib, x: x.clamp(0, 300),
    "clamp from below": lambda lib, x: x.clamp(-300, None),
    "clamp by floats": lambda lib, x: x.clamp(0.5, 300.5),
    "masked_fill": lambda lib, x: x.masked_fill(x == 1, 300),
    "masked_fill with NaN": lambda lib, x: x.masked_fill(x == 1, NAN),
    "where": lambda lib, x: lib.where(x == 1, x, 300),
    "where, number first": lambda lib, x: lib.where(x == 1, -300, x),
    "add": lambda lib, x: lib.add(x, x, alpha=300),
    "sub": lambda lib, x: lib.sub(x, x, alpha=300),
    "addcmul": lambda lib, x: lib.addcmul(x, x, x, value=300),
    "scatter": lambda lib, x: lib.scatter(x, 0, lib.tensor([0]), 300),
    "threshold": lambda lib, x: lib.nn.functional.threshold(x, 50.0, 300.0),
    "threshold within": lambda lib, x: lib.nn.functional.threshold(x, 50.0, 2.5),
    "threshold, one below zero": lambda lib, x: lib.nn.functional.threshold(x, 50, -1),
    "threshold, a fraction below zero": lambda lib, x: lib.nn.functional.threshold(x, 50, -0.5),
    "threshold, a fraction above": lambda lib, x: lib.nn.functional.threshold(x, 50, 127.5),
    "hardtanh": lambda lib, x: lib.nn.functional.hardtanh(x, 0.0, 300.0),
    "hardtanh, a fraction below zero": lambda lib, x: lib.nn.functional.hardtanh(x, -0.5, 50.5),
    "hardtanh without a limit": lambda lib, x: lib.nn.functional.hardtanh(x, 0.0, INF),
    "plus a number": lambda lib, x: x + 300,
    "compared": lambda lib, x: x < 300,
}


@pytest.mark.parametrize("dtype", ["uint8", "int8"])
@pytest.mark.parametrize("name", NARROW)
def test_numbers_that_do_not_fit(name: str, dtype: str) -> None:
    assert_same(lambda lib: NARROW[name](lib, lib.tensor([1, 44, 100], dtype=getattr(lib, dtype))))


def test_a_number_and_a_scaled_tensor_are_added_as_their_sum() -> None:
    """In the dtype of the result, without an overflow on the way."""
    lowest = [-(2**31), 5]
    assert_same(lambda lib: lib.add(-0.0, lib.tensor(lowest, dtype=lib.int32), alpha=-1))
    assert_same(lambda lib: lib.sub(-0.0, lib.tensor(lowest, dtype=lib.int32), alpha=-1))
    assert_same(lambda lib: lib.add(2, lib.tensor(lowest, dtype=lib.int32), alpha=3))
    assert_same(lambda lib: [lib.add(v, lib.tensor([True, False]), alpha=v) for v in (True, False)])


def test_powers_of_truth_values() -> None:
    assert flow.pow(flow.tensor([True, False]), 2).tolist() == [1, 0]
    with pytest.raises(RuntimeError, match="Integers to negative integer powers"):
        flow.pow(flow.tensor([True]), -1)


def test_truth_of_bytes_is_a_byte() -> None:
    for name in ("any", "all"):
        assert_same(lambda lib, name=name: getattr(lib, name)(lib.tensor([[0, 1], [2, 255]], dtype=lib.uint8), 1))


@pytest.mark.parametrize("mode, antialias", [("bilinear", False), ("bicubic", False), ("bilinear", True)])
def test_gradient_of_one_row_made_larger_with_aligned_corners(mode: str, antialias: bool) -> None:
    """There is no step from one source to the next: every element of the result reads the one row."""
    x, weights = torch.ones(1, 1, 1, 2, dtype=torch.float64, requires_grad=True), torch.arange(12.0, dtype=torch.float64).reshape(1, 1, 4, 3)
    ours = flow.tensor(x.tolist(), dtype=flow.float64, requires_grad=True)
    options = {"mode": mode, "antialias": antialias, "align_corners": True}
    torch.nn.functional.interpolate(x, (4, 3), **options).backward(weights)
    flow.nn.functional.interpolate(ours, (4, 3), **options).backward(flow.tensor(weights.tolist(), dtype=flow.float64))
    torch.testing.assert_close(flow.to_torch(ours.grad).cpu(), x.grad)


@pytest.mark.parametrize("mode, antialias", [("nearest", False), ("bilinear", False), ("bicubic", False), ("bilinear", True)])
def test_factor_of_a_size_that_stays(mode: str, antialias: bool) -> None:
    """Three rows times 1.3 are three rows: the same ones in torch, but for bicubic."""
    x = torch.arange(12.0, dtype=torch.float64).reshape(1, 1, 3, 4)
    options = {"scale_factor": 1.3, "mode": mode, "antialias": antialias}
    expected = torch.nn.functional.interpolate(x, **options)
    result = flow.nn.functional.interpolate(flow.tensor(x.tolist(), dtype=flow.float64), **options)
    torch.testing.assert_close(flow.to_torch(result).cpu(), expected)


def test_batchmean_of_no_batch() -> None:
    loss = flow.nn.functional.kl_div(flow.zeros(0, 2), flow.zeros(0, 2), reduction="batchmean")
    assert math.isnan(loss.item())


def test_where_takes_a_complex_number_beside_a_real_tensor() -> None:
    condition = [True, False]
    for values, dtype in (([1, 2], "int64"), ([True, False], "bool"), ([1.0, 2.0], "float32"), ([1.0, 2.0], "float64")):
        for swapped in (False, True):
            found = []
            for lib in (flow, torch):
                pair = [lib.tensor(values, dtype=getattr(lib, dtype)), 2j]
                y = lib.where(lib.tensor(condition), *(pair[::-1] if swapped else pair))
                found.append((str(y.dtype).split(".")[-1], y.tolist()))
            assert found[0] == found[1]


@pytest.mark.parametrize("name", ["nll_loss", "cross_entropy"])
def test_classes_may_be_bytes(name: str) -> None:
    for reduction in ("mean", "none"):
        found = []
        for lib in (flow, torch):
            x = lib.tensor([[-1.0, -2.0], [-3.0, -0.5]], requires_grad=True)
            y = getattr(lib.nn.functional, name)(x, lib.tensor([0, 1], dtype=lib.uint8), reduction=reduction)
            y.sum().backward()
            found.append((y.detach(), x.grad))
        for mine, right in zip(*found):
            assert_close(mine.cpu(), right, op_class="transcendental")


@pytest.mark.parametrize("reduction", ["mean", "none", "sum"])
def test_l1_loss_of_complex_numbers(reduction: str) -> None:
    found = []
    for lib in (flow, torch):
        x = lib.tensor([1 + 1j, 2.0], requires_grad=True)
        y = lib.nn.functional.l1_loss(x, lib.tensor([0j, 1j]), reduction=reduction)
        y.sum().backward()
        found.append((y.tolist(), x.grad.tolist()))
    assert numpy.allclose(found[0][0], found[1][0]) and numpy.allclose(found[0][1], found[1][1])


def test_an_expanded_tensor_is_filled() -> None:
    x = flow.zeros(2, 1)
    wide = x.expand(2, 3)
    assert wide.fill_(1.5) is wide and x.tolist() == [[1.5], [1.5]]
    wide.zero_()
    assert x.tolist() == [[0.0], [0.0]]
    with pytest.raises(RuntimeError, match="more than one element"):
        wide.mul_(2)


def test_frequencies_of_nothing() -> None:
    for lib in (flow, torch):
        assert lib.fft.fftfreq(0).tolist() == []
        (only,) = lib.fft.rfftfreq(0).tolist()
        assert math.isnan(only)


def test_a_mask_of_attention_beside_a_causal_one() -> None:
    masks = ([[True, True, False, True]] * 4, [[0.0, -1.0, 2.0, 0.5]] * 4)
    for mask in masks:
        found = []
        for lib in (flow, torch):
            q = (lib.arange(8.0).reshape(1, 1, 4, 2) / 8).requires_grad_()
            y = lib.nn.functional.scaled_dot_product_attention(q, q, q, attn_mask=lib.tensor(mask), is_causal=True)
            y.sum().backward()
            found.append((y.detach(), q.grad))
        for mine, right in zip(*found):
            assert_close(mine.cpu(), right, op_class="matmul")


def test_group_norm_of_one_value_is_refused() -> None:
    for lib in (flow, torch):
        for shape in ((1, 2), (1, 2, 1)):
            with pytest.raises(ValueError, match="Expected more than 1 value per channel"):
                lib.nn.functional.group_norm(lib.ones(shape), 2)
        assert lib.nn.functional.group_norm(lib.ones(2, 2), 2).tolist() == [[0.0, 0.0]] * 2


def test_cholesky_inverse_of_a_singular_factor_is_refused() -> None:
    for lib in (flow, torch):
        with pytest.raises(lib.linalg.LinAlgError, match="cholesky_inverse: The diagonal element 2 is zero"):
            lib.cholesky_inverse(lib.tensor([[1.0, 0.0], [2.0, 0.0]]))
        with pytest.raises(lib.linalg.LinAlgError, match=r"\(Batch element 1\): The diagonal element 1 is zero"):
            lib.cholesky_inverse(lib.stack([lib.eye(2), lib.zeros(2, 2)]))
    assert flow.cholesky_inverse(flow.zeros(0, 0)).shape == (0, 0)

"""gradcheck finds wrong, irreproducible and misshapen gradients."""

from __future__ import annotations

import pytest

import tritonflow as flow
from tritonflow.autograd import Function, gradcheck, gradgradcheck


def inputs(*values: float) -> flow.Tensor:
    return flow.tensor(list(values), dtype=flow.float64, requires_grad=True)


class WrongGradient(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, dy):
        return dy * ctx.saved_tensors[0]


class Irreproducible(Function):
    calls = 0

    @staticmethod
    def forward(ctx, x):
        return x * 1

    @staticmethod
    def backward(ctx, dy):
        Irreproducible.calls += 1
        return dy * (1 + 1e-7 * Irreproducible.calls)


class WrongSecondDerivative(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, dy):
        return dy * 2 * ctx.saved_tensors[0].detach()


@pytest.mark.parametrize("fast", [False, True])
def test_right_gradients(fast: bool) -> None:
    assert gradcheck(lambda x, y: (x * y, x.exp()), (inputs(0.5, 1.5), inputs(2.0, 3.0)), fast_mode=fast)
    assert gradgradcheck(lambda x, y: x * y * x, (inputs(0.5, 1.5), inputs(2.0, 3.0)), fast_mode=fast)


@pytest.mark.parametrize("fast", [False, True])
def test_wrong_gradient(fast: bool) -> None:
    with pytest.raises(RuntimeError, match="(?s)Jacobian mismatch for output 0 with respect to input 0.*numerical.*analytical"):
        gradcheck(WrongGradient.apply, inputs(0.5, 1.5), fast_mode=fast)
    assert gradcheck(WrongGradient.apply, inputs(0.5, 1.5), raise_exception=False, fast_mode=fast) is False


@pytest.mark.parametrize("fast", [False, True])
def test_irreproducible_gradient(fast: bool) -> None:
    with pytest.raises(RuntimeError, match="not reentrant"):
        gradcheck(Irreproducible.apply, inputs(0.5, 1.5), fast_mode=fast)
    assert gradcheck(Irreproducible.apply, inputs(0.5, 1.5), nondet_tol=1e-4, fast_mode=fast)


def test_wrong_second_derivative() -> None:
    assert gradcheck(WrongSecondDerivative.apply, inputs(0.5, 1.5))
    with pytest.raises(RuntimeError, match="Jacobian mismatch"):
        gradgradcheck(WrongSecondDerivative.apply, inputs(0.5, 1.5))


def test_inputs_that_require_no_grad_are_constants() -> None:
    assert gradcheck(lambda x, y, n: x * y * n, (inputs(1.0, 2.0), flow.tensor([3.0, 4.0], dtype=flow.float64), 5))
    with pytest.raises(ValueError, match="at least one input tensor to require gradient"):
        gradcheck(lambda x: x, flow.tensor([1.0]))


def test_unused_inputs_and_empty_ones() -> None:
    assert gradcheck(lambda x, y: x * 2, (inputs(1.0), inputs(2.0)))
    empty = flow.tensor([], dtype=flow.float64, requires_grad=True)
    assert gradcheck(lambda x: x * 2, empty)


def test_own_grad_outputs() -> None:
    assert gradgradcheck(lambda x: x * x, inputs(1.0, 2.0), flow.tensor([0.5, 2.0], dtype=flow.float64, requires_grad=True))


class OfComplex(Function):
    """(2 + i) x, whose gradient is (2 - i) dy; its imaginary part times `factor`."""

    factor = 1.0

    @staticmethod
    def forward(ctx, x):
        return x * (2 + 1j)

    @staticmethod
    def backward(ctx, dy):
        right = dy * (2 - 1j)
        return flow.complex(right.real, right.imag * OfComplex.factor)


def numbers(*values: complex) -> flow.Tensor:
    return flow.tensor(list(values), dtype=flow.complex128, requires_grad=True)


@pytest.mark.parametrize("fast", [False, True])
def test_both_parts_of_complex_gradients_are_compared(fast: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    assert gradcheck(OfComplex.apply, numbers(1 + 2j, 0.5 - 1j), fast_mode=fast)
    monkeypatch.setattr(OfComplex, "factor", 1.5)
    with pytest.raises(RuntimeError, match="Jacobian mismatch for output 0"):
        gradcheck(OfComplex.apply, numbers(1 + 2j, 0.5 - 1j), fast_mode=fast)


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize(
    "function",
    [
        lambda z, x: z.abs(),
        lambda z, x: z.conj(),
        lambda z, x: (z * x, z.real * x),
        lambda z, x: flow.complex(x, x * x) * z[0],
        lambda z, x: flow.linalg.inv(z[:, None] * x + flow.eye(2)),
    ],
)
def test_complex_functions(function, fast: bool) -> None:
    point = numbers(1 + 2j, 0.5 - 1j), inputs(0.5, 1.5)
    assert gradcheck(function, point, fast_mode=fast, check_forward_ad=True, check_batched_grad=True)
    assert gradgradcheck(function, point, fast_mode=fast)
    single = flow.tensor(1 + 2j, dtype=flow.complex128, requires_grad=True)
    assert gradcheck(lambda z: z.exp(), single, fast_mode=fast)

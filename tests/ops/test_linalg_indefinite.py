"""Factors of symmetric and Hermitian matrices that are not definite, and equations with them, against torch."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import tritonflow as flow

DTYPES = [torch.float64, torch.complex128]


def _random(*shape: int, dtype: torch.dtype, seed: int = 0) -> torch.Tensor:
    return torch.randn(shape, dtype=dtype, generator=torch.Generator().manual_seed(seed))


def _whole(a: torch.Tensor, hermitian: bool) -> torch.Tensor:
    """The matrix of which LAPACK reads the lower triangle."""
    below = a.tril(-1)
    diagonal = a.diagonal(dim1=-2, dim2=-1)
    if hermitian and a.is_complex():
        return below + below.mH + torch.diag_embed(diagonal.real).to(a.dtype)
    return below + below.mT + torch.diag_embed(diagonal)


def _close(found: Any, expected: torch.Tensor, bound: float = 1e-12) -> None:
    torch.testing.assert_close(flow.to_torch(found), expected, rtol=bound, atol=bound * max(1, float(expected.abs().max())))


@pytest.mark.parametrize("hermitian", [False, True])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [1, 2, 3, 7, 18, pytest.param(70, marks=pytest.mark.long)])
def test_factors_and_equations(n: int, dtype: torch.dtype, hermitian: bool) -> None:
    a, b = _random(4, n, n, dtype=dtype), _random(4, n, 3, dtype=dtype, seed=1)
    a[2:].diagonal(dim1=-2, dim2=-1).zero_()  # blocks of two rows
    a[0, -1, 0] *= 100  # an exchange
    if n == 1:
        a[2:] = 1
    factors, pivots, info = flow.linalg.ldl_factor_ex(flow.from_torch(a), hermitian=hermitian)
    theirs = torch.linalg.ldl_factor_ex(a, hermitian=hermitian)
    assert torch.equal(flow.to_torch(pivots), theirs[1]) and info.tolist() == [0] * 4
    _close(factors, theirs[0], 1e-11)
    x = flow.linalg.ldl_solve(factors, pivots, flow.from_torch(b), hermitian=hermitian)
    _close(flow.from_torch(_whole(a, hermitian) @ flow.to_torch(x)), b, 1e-10)


@pytest.mark.parametrize("hermitian", [False, True])
@pytest.mark.parametrize("dtype", DTYPES)
def test_the_gradient_of_the_right_sides(dtype: torch.dtype, hermitian: bool) -> None:
    a, b = _random(2, 4, 4, dtype=dtype), _random(2, 4, 2, dtype=dtype, seed=1)
    factors, pivots = flow.linalg.ldl_factor(flow.from_torch(a), hermitian=hermitian)
    sides = flow.from_torch(b).requires_grad_()
    weights = _random(2, 4, 2, dtype=dtype, seed=2)

    def loss(m: Any, x: Any, w: Any) -> Any:
        y = x * w
        return (m.view_as_real(y) if dtype.is_complex else y).sum() + (x.abs() ** 2).sum()

    loss(flow, flow.linalg.ldl_solve(factors, pivots, sides, hermitian=hermitian), flow.from_torch(weights)).backward()
    reference = b.clone().requires_grad_()
    loss(torch, torch.linalg.solve(_whole(a, hermitian), reference), weights).backward()
    _close(sides.grad, reference.grad, 1e-10)
    assert flow.autograd.gradgradcheck(lambda x: flow.linalg.ldl_solve(factors, pivots, x, hermitian=hermitian), (sides,))


def test_factors_have_no_gradient_as_in_torch() -> None:
    a = flow.from_torch(_random(3, 3, dtype=torch.float64)).requires_grad_()
    factors, pivots = flow.linalg.ldl_factor(a)
    with pytest.raises(NotImplementedError, match="derivative for linalg_ldl_factor_ex is not implemented"):
        factors.sum().backward()
    own = factors.detach().requires_grad_()
    with pytest.raises(NotImplementedError, match="derivative for linalg_ldl_solve with respect to LD is not implemented"):
        flow.linalg.ldl_solve(own, pivots, flow.ones(3, 1, dtype=flow.float64)).sum().backward()


def test_batches_strides_pivots_and_nothing() -> None:
    a, b = _random(3, 4, 4, dtype=torch.float64), _random(2, 1, 4, 2, dtype=torch.float64, seed=1)
    factors, pivots = flow.linalg.ldl_factor(flow.from_torch(a).mT)
    x = flow.linalg.ldl_solve(factors, pivots.long(), flow.from_torch(b))
    assert x.shape == (2, 3, 4, 2)
    _close(x, torch.linalg.solve(_whole(a.mT, False), b), 1e-10)
    one = flow.linalg.ldl_solve(factors[0], pivots[0], flow.from_torch(b))
    assert one.shape == (2, 1, 4, 2)
    _close(one[:, 0], torch.linalg.solve(_whole(a.mT, False)[0], b)[:, 0], 1e-10)
    for shape in ((0, 0), (2, 0, 0), (0, 3, 3)):
        empty = flow.zeros(shape)
        factors, pivots = flow.linalg.ldl_factor(empty)
        assert factors.shape == shape and pivots.shape == shape[:-1] and pivots.dtype is flow.int32
        assert flow.linalg.ldl_solve(factors, pivots, flow.zeros(*shape[:-1], 2)).shape == (*shape[:-1], 2)


def test_a_zero_block_is_an_error_or_an_info() -> None:
    a = flow.tensor([[[2.0, 0.0], [0.0, 3.0]], [[1.0, 1.0], [1.0, 1.0]]])
    factors, pivots, info = flow.linalg.ldl_factor_ex(a)
    theirs = torch.linalg.ldl_factor_ex(flow.to_torch(a))
    assert info.tolist() == theirs[2].tolist() == [0, 2]
    assert factors.tolist() == theirs[0].tolist() and pivots.tolist() == theirs[1].tolist()
    for call in (flow.linalg.ldl_factor, lambda x: flow.linalg.ldl_factor_ex(x, check_errors=True)):
        with pytest.raises(flow.linalg.LinAlgError, match=r"\(Batch element 1\): D\[2,2\] is zero"):
            call(a)


def _square() -> tuple[Any, Any]:
    return flow.linalg.ldl_factor(flow.tensor([[0.0, 2.0], [2.0, 0.0]]))


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: flow.linalg.ldl_factor(flow.ones(2, 3)), "ldl_factor_ex: A must be batches of square matrices"),
        (lambda: flow.linalg.ldl_factor(flow.ones(2)), "must have at least 2 dimensions"),
        (lambda: flow.linalg.ldl_factor(flow.ones(2, 2, dtype=flow.int32)), "Expected a floating point or complex tensor"),
        (lambda: flow.linalg.ldl_solve(*_square(), flow.ones(3, 1)), "each A matrix is 2 by 2 but each b matrix is 3 by 1"),
        (lambda: flow.linalg.ldl_solve(*_square(), flow.ones(2)), "B must have at least 2 dimensions"),
        (lambda: flow.linalg.ldl_solve(*_square(), flow.ones(2, 1, dtype=flow.float64)), "to have the same dtype"),
        (lambda: flow.linalg.ldl_solve(_square()[0], _square()[1][:1], flow.ones(2, 1)), "to be the same, but got pivots"),
        (lambda: flow.linalg.ldl_solve(_square()[0], _square()[1].float(), flow.ones(2, 1)), "pivots to be integers"),
        (lambda: flow.linalg.ldl_solve(_square()[0], _square()[1] * 2, flow.ones(2, 1)), "pivots must name rows"),
        (lambda: flow.linalg.ldl_solve(_square()[0], _square()[1] * 0, flow.ones(2, 1)), "pivots must name rows"),
    ],
)
def test_errors(call: Any, words: str) -> None:
    with pytest.raises(RuntimeError, match=words):
        call()


def test_pivots_that_do_not_pair_stay_inside_the_matrix() -> None:
    """A block of two rows that begins in the last row, or ends in the first one, is no block."""
    factors = flow.eye(3, dtype=flow.float64)
    for pivots in ([1, 2, -3], [-1, 2, 3]):
        assert flow.linalg.ldl_solve(factors, flow.tensor(pivots, dtype=flow.int32), flow.ones(3, 1, dtype=flow.float64)).shape == (3, 1)


def test_in_a_graph_and_by_vmap() -> None:
    a, b = (flow.from_torch(_random(2, 3, 3, dtype=torch.complex128, seed=s)) for s in (0, 1))

    def solved(a: Any, b: Any) -> Any:
        factors, pivots, _ = flow.linalg.ldl_factor_ex(a, hermitian=True)
        return flow.linalg.ldl_solve(factors, pivots, b, hermitian=True)

    expected = flow.to_torch(solved(a, b))
    _close(flow.compile(solved, fullgraph=True)(a, b), expected)
    _close(flow.vmap(solved)(a, b), expected)

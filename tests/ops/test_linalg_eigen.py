"""Eigenvalues and eigenvectors of matrices that need not be symmetric: their order and phases are free."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import tritonflow as flow
from tests import where


def _random(*shape: int, dtype: torch.dtype = torch.float64) -> torch.Tensor:
    return torch.randn(shape, dtype=dtype, generator=torch.Generator().manual_seed(0))


def _assert_same_values(found: torch.Tensor, expected: torch.Tensor, tolerance: float) -> None:
    """Each value is near one of the others, both ways."""
    assert found.shape == expected.shape and found.dtype is expected.dtype
    apart = (found.unsqueeze(-1) - expected.unsqueeze(-2)).abs()
    assert max(float(apart.amin(-1).max()), float(apart.amin(-2).max())) <= tolerance


def _assert_eigen(a: torch.Tensor, tolerance: float = 1e-13) -> None:
    """A v = v value, v of length 1, torch's values, and a real matrix's second of a pair exactly conjugate to the first."""
    values, vectors = (flow.to_torch(x) for x in flow.linalg.eig(flow.from_torch(a)))
    size = max(float(a.abs().max()), 1)
    close = {"rtol": 0.0, "atol": tolerance * a.shape[-1] * size}
    torch.testing.assert_close(a.to(values.dtype) @ vectors, vectors * values.unsqueeze(-2), **close)
    torch.testing.assert_close(vectors.norm(dim=-2), torch.ones(values.shape, dtype=a.dtype.to_real()))
    _assert_same_values(values, torch.linalg.eigvals(a), close["atol"])
    if a.is_complex():
        return
    for matrix_values, matrix_vectors in zip(values.reshape(-1, a.shape[-1]), vectors.reshape(-1, *a.shape[-2:])):
        for first in (matrix_values.imag > 0).nonzero().flatten().tolist():
            assert matrix_values[first].conj() == matrix_values[first + 1]
            assert torch.equal(matrix_vectors[:, first].conj().resolve_conj(), matrix_vectors[:, first + 1])


@pytest.mark.parametrize("n", [1, 2, 5, 20, pytest.param(90, marks=pytest.mark.long), pytest.param(256, marks=pytest.mark.hours)])
def test_random_matrices(n: int) -> None:
    _assert_eigen(_random(2, n, n))
    _assert_eigen(_random(2, n, n).float(), 2e-6)


@pytest.mark.parametrize("n", [1, 2, 5, 20, pytest.param(90, marks=pytest.mark.long)])
def test_random_complex_matrices(n: int) -> None:
    a = _random(2, n, n, dtype=torch.complex128)
    _assert_eigen(a)
    _assert_eigen(a.to(torch.complex64), 2e-6)
    values = flow.to_torch(flow.linalg.eigvals(flow.from_torch(a).mH))
    _assert_same_values(values, torch.linalg.eigvals(a.mH.resolve_conj()), 1e-12 * n)


def _beside(n: int) -> torch.Tensor:
    return torch.diag(torch.ones(n - 1, dtype=torch.float64), 1)


SPECIAL = {
    "zero": torch.zeros(3, 3).double(),
    "a turn": torch.tensor([[0.0, 1.0], [-1.0, 0.0]]).double(),
    "a cycle, which only exceptional shifts move": torch.roll(torch.eye(8).double(), 1, 0),
    "triangular": _random(5, 5).triu(),
    "lower": _random(5, 5).tril(),
    "defective": torch.tensor([[1.0, 1.0], [0.0, 1.0]]).double(),
    "one long chain": _beside(40) + torch.eye(40).double(),
    "ones": torch.ones(7, 7).double(),
    "small": _random(4, 4) * 1e-300,
    "large": _random(4, 4) * 1e300,
}


@pytest.mark.parametrize("name", SPECIAL)
def test_special_matrices(name: str) -> None:
    _assert_eigen(SPECIAL[name])
    _assert_eigen(SPECIAL[name] * 1j)
    _assert_eigen(SPECIAL[name] * (0.6 - 0.8j))


def test_values_of_tiny_and_huge_matrices_are_scaled() -> None:
    a = _random(4, 4)
    for b in (a, a * (1 + 2j)):
        for scale in (1e-300, 1e300):
            found = flow.to_torch(flow.linalg.eigvals(flow.from_torch(b * scale)))
            _assert_same_values(found / scale, torch.linalg.eigvals(b), 1e-13)


@pytest.mark.parametrize("shape", [(0, 0), (3, 0, 0), (0, 3, 3)])
def test_nothing(shape: tuple[int, ...]) -> None:
    for dtype in (flow.float32, flow.complex64):
        values, vectors = flow.linalg.eig(flow.zeros(shape, dtype=dtype))
        assert (tuple(values.shape), tuple(vectors.shape)) == (shape[:-1], shape) and values.dtype is flow.complex64


def test_gradients() -> None:
    x = flow.from_torch(_random(2, 4, 4)).requires_grad_()

    def eig(x: Any) -> Any:
        values, vectors = flow.linalg.eig(x)
        return values, vectors.abs()

    for function in (flow.linalg.eigvals, eig):
        assert flow.autograd.gradcheck(function, x)
        assert flow.autograd.gradgradcheck(function, x)


def test_gradients_of_complex_matrices() -> None:
    a = _random(2, 4, 4, dtype=torch.complex128)
    found = []
    for module, x in ((torch, a), (flow, flow.from_torch(a))):
        x = x.clone().detach().requires_grad_()  # type: ignore[attr-defined]
        values, vectors = module.linalg.eig(x)
        near, shares = (values - (2 + 1j)).abs(), vectors.abs().square()  # neither order nor phases matter
        loss = (near**3).sum() + (shares @ near.unsqueeze(-1)).square().sum()
        (first,) = module.autograd.grad(loss, x, create_graph=True)
        found.append((first, *module.autograd.grad(first.abs().square().sum(), x)))
    for right, mine in zip(*found):
        torch.testing.assert_close(flow.to_torch(mine.detach()), right.detach(), rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("diagonal", [(1.0, 1.0), (1.0, 1.0, 2.0), (0.0, 0.0), (3.0, 3.0, 3.0, 3.0)])
def test_gradients_of_equal_values(diagonal: tuple[float, ...]) -> None:
    """They divide by no gap: that of a symmetric function of them is the gradient of a trace."""
    for values_of in (flow.linalg.eigvals, lambda x: flow.linalg.eig(x)[0]):
        x = flow.diag(flow.tensor(diagonal, dtype=flow.float64)).requires_grad_()
        values = values_of(x)
        (found,) = flow.autograd.grad((values * values).sum().real + values.sum().real, x)
        expected = 2 * x.detach().t() + flow.eye(len(diagonal), dtype=flow.float64)
        assert flow.allclose(found, expected, rtol=0, atol=1e-14)


def test_gradients_of_vectors_of_equal_values_are_none() -> None:
    x = flow.eye(2).requires_grad_()
    (flow.linalg.eig(x)[1].real + 1).square().sum().backward()
    assert not x.grad.isfinite().all()


def test_a_loss_that_depends_on_the_phase_of_a_vector_has_no_gradient() -> None:
    x = flow.from_torch(torch.tensor([[0.0, 2.0], [-1.0, 0.5]])).requires_grad_()
    y = torch.tensor([[0.0, 2.0], [-1.0, 0.5]], requires_grad=True)
    for module, a in ((torch, y), (flow, x), (flow, x * 1j)):
        with pytest.raises(RuntimeError, match=r"specified up to multiplication by e\^\{i phi\}"):
            module.linalg.eig(a)[1][0, 0].imag.backward()


@pytest.mark.parametrize("name", ["eig", "eigvals"])
def test_errors(name: str) -> None:
    for module in (torch, flow):
        function = getattr(module.linalg, name)
        if (module, name) != (torch, "eigvals"):  # torch's ends the process
            with pytest.raises(RuntimeError, match="should not contain infs or NaNs"):
                function(module.tensor([[1.0, float("nan")], [0.0, 1.0]]))
        with pytest.raises(RuntimeError, match="must be batches of square matrices"):
            function(module.ones(2, 3))
        with pytest.raises(RuntimeError, match="Long"):
            function(module.ones((2, 2), dtype=module.int64))


def test_in_a_graph() -> None:
    a = _random(3, 3)

    @flow.compile
    def largest(x: Any) -> Any:
        return flow.linalg.eigvals(x).abs().max()

    x, y = flow.from_torch(a.clone()).requires_grad_(), a.clone().requires_grad_()
    found, exact = largest(x), torch.linalg.eigvals(y).abs().max()
    found.backward()
    exact.backward()
    torch.testing.assert_close(flow.to_torch(found.detach()), exact.detach())
    torch.testing.assert_close(flow.to_torch(x.grad), y.grad)
    with pytest.raises(flow.linalg.LinAlgError, match="infs or NaNs"):
        largest(flow.from_torch(a * float("inf")))
        where.settle()

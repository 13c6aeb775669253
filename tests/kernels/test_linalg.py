"""kernels/linalg_*.py against torch."""

import pytest
import torch

from tests.kernels.harness import BACKENDS, kernels, run

factor, reflect, spectral, eigen = (kernels(f"linalg_{name}") for name in ("factor", "reflect", "spectral", "eigen"))
indefinite = kernels("linalg_indefinite")
eigen_complex = kernels("linalg_eigen_complex")
TILE = {"TILE": 16}
REAL = {"PARTS": 1, **TILE}


def matrices(n: int) -> torch.Tensor:
    return torch.randn(2, n, n, dtype=torch.float64)


@pytest.mark.parametrize("backend", BACKENDS)
def test_triangular_factors(backend):
    a = matrices(18)
    positive = a @ a.mT + 18 * torch.eye(18, dtype=torch.float64)
    lower, info = positive.clone(), torch.ones(2, dtype=torch.int32)
    run(backend, factor.cholesky, (2,), (lower, info, 18), REAL)
    torch.testing.assert_close(lower, torch.linalg.cholesky(positive), rtol=1e-12, atol=1e-12)
    factors, pivots, infos = a.clone(), torch.zeros(2, 18, dtype=torch.int32), torch.ones(2, dtype=torch.int32)
    run(backend, factor.lu, (2,), (factors, pivots, infos, 18, 18), REAL)
    expected = torch.linalg.lu_factor(a)
    torch.testing.assert_close(factors, expected[0], rtol=1e-11, atol=1e-11)
    assert torch.equal(pivots, expected[1]) and info.tolist() == infos.tolist() == [0, 0]


@pytest.mark.parametrize("backend", BACKENDS)
def test_reflections(backend):
    a = matrices(5)
    factors, taus = a.clone(), torch.zeros(2, 5, dtype=torch.float64)
    run(backend, reflect.reflect_columns, (2,), (factors, taus, 5, 5, 5), REAL)
    for found, expected in zip((factors, taus), torch.geqrf(a)):
        torch.testing.assert_close(found, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("backend", BACKENDS)
def test_eigenvalues(backend):
    n = 5
    a = matrices(n)
    a = a + a.mT
    rows, diagonal, beside = a.clone(), torch.zeros(2, n, dtype=torch.float64), torch.zeros(2, n, dtype=torch.float64)
    taus, info = torch.zeros(2, n - 1, dtype=torch.float64), torch.ones(2, dtype=torch.int32)
    spare = torch.zeros(2, n, dtype=torch.float64)
    run(backend, spectral.tridiagonal, (2,), (rows, taus, diagonal, beside, spare, n), REAL)
    vectors = torch.eye(n, dtype=torch.float64).repeat(2, 1, 1)
    run(backend, spectral.diagonalise, (2,), (diagonal, beside, vectors, info, n, n, 50), TILE)
    torch.testing.assert_close(diagonal.sort()[0], torch.linalg.eigvalsh(a), rtol=1e-12, atol=1e-12)
    assert info.tolist() == [0, 0]


@pytest.mark.parametrize("backend", BACKENDS)
def test_singular_values(backend):
    a = torch.randn(2, 3, 5, dtype=torch.float64)
    rows, turned = a.clone(), torch.eye(3, dtype=torch.float64).repeat(2, 1, 1)
    lengths, info = torch.zeros(2, 3, dtype=torch.float64), torch.ones(2, dtype=torch.int32)
    run(backend, spectral.jacobi, (2,), (rows, turned, lengths, info, 3, 5, 60), REAL)
    torch.testing.assert_close(lengths.sort(descending=True)[0], torch.linalg.svdvals(a), rtol=1e-12, atol=1e-12)
    torch.testing.assert_close(turned.mT @ rows, a, rtol=1e-12, atol=1e-12)
    assert info.tolist() == [0, 0]


@pytest.mark.parametrize("backend", BACKENDS)
def test_values_and_vectors_of_any_matrix(backend):
    n = 5
    a = matrices(n)
    h, q, spare = a.clone(), torch.eye(n, dtype=torch.float64).repeat(2, 1, 1), torch.zeros(2, n + 1, dtype=torch.float64)
    values, info = torch.zeros(2, n, 2, dtype=torch.float64), torch.ones(2, dtype=torch.int32)
    run(backend, eigen.hessenberg, (2,), (h, q, spare, n), REAL)
    torch.testing.assert_close(q.mT @ h @ q * spare[:, -1:, None], a, rtol=1e-12, atol=1e-12)
    run(backend, eigen.schur, (2,), (h, q, spare, values, info, n, 50), TILE)
    torch.testing.assert_close(q.mT @ h @ q * spare[:, -1:, None], a, rtol=1e-12, atol=1e-12)
    x, found, vectors = torch.zeros(2, n, 2, n, dtype=torch.float64), torch.zeros_like(values), torch.zeros(2, n, n, 2, dtype=torch.float64)
    run(backend, eigen.eigenvectors, (2, n), (h, q, spare, values, x, found, vectors, n), TILE)
    found, vectors = torch.view_as_complex(found), torch.view_as_complex(vectors)
    torch.testing.assert_close(a.to(found.dtype) @ vectors, vectors * found.unsqueeze(-2), rtol=1e-12, atol=1e-12)
    assert info.tolist() == [0, 0]


@pytest.mark.parametrize("backend", BACKENDS)
def test_values_and_vectors_of_any_complex_matrix(backend):
    n, pairs = 5, torch.view_as_real
    a = torch.randn(2, n, n, dtype=torch.complex128)
    h, q, spare = a.clone(), torch.eye(n, dtype=a.dtype).repeat(2, 1, 1), torch.zeros(2, 2 * n + 1, dtype=torch.float64)
    values, info = torch.zeros(2, n, dtype=a.dtype), torch.ones(2, dtype=torch.int32)
    run(backend, eigen.hessenberg, (2,), (pairs(h), pairs(q), spare, n), {"PARTS": 2, **TILE})
    torch.testing.assert_close(q.mH @ h @ q * spare[:, -1:, None], a, rtol=1e-12, atol=1e-12)
    assert torch.equal(h.tril(-2), torch.zeros_like(h))
    run(backend, eigen_complex.schur, (2,), (pairs(h), pairs(q), spare, pairs(values), info, n, 50), TILE)
    torch.testing.assert_close(q.mH @ h @ q * spare[:, -1:, None], a, rtol=1e-12, atol=1e-12)
    x, found, vectors = torch.zeros(2, n, 2, n, dtype=torch.float64), torch.zeros_like(values), torch.zeros_like(a)
    args = (pairs(h), pairs(q), spare, pairs(values), x, pairs(found), pairs(vectors), n)
    run(backend, eigen_complex.eigenvectors, (2, n), args, TILE)
    torch.testing.assert_close(a @ vectors, vectors * found.unsqueeze(-2), rtol=1e-12, atol=1e-12)
    assert info.tolist() == [0, 0]


@pytest.mark.parametrize("backend", BACKENDS)
def test_complex_factors(backend):
    pairs, complex_ = torch.view_as_real, {"PARTS": 2, **TILE}
    a = torch.randn(2, 18, 18, dtype=torch.complex128)
    positive = a @ a.mH + 18 * torch.eye(18, dtype=a.dtype)
    lower, info = positive.clone(), torch.ones(2, dtype=torch.int32)
    run(backend, factor.cholesky, (2,), (pairs(lower), info, 18), complex_)
    torch.testing.assert_close(lower, torch.linalg.cholesky(positive), rtol=1e-12, atol=1e-12)
    factors, pivots, infos = a.clone(), torch.zeros(2, 18, dtype=torch.int32), torch.ones(2, dtype=torch.int32)
    run(backend, factor.lu, (2,), (pairs(factors), pivots, infos, 18, 18), complex_)
    expected = torch.linalg.lu_factor(a)
    torch.testing.assert_close(factors, expected[0], rtol=1e-11, atol=1e-11)
    assert torch.equal(pivots, expected[1]) and info.tolist() == infos.tolist() == [0, 0]
    small = a[:, :5, :5].contiguous()
    reflected, taus = small.clone(), torch.zeros(2, 5, dtype=a.dtype)
    run(backend, reflect.reflect_columns, (2,), (pairs(reflected), pairs(taus), 5, 5, 5), complex_)
    for found, right in zip((reflected, taus), torch.geqrf(small)):
        torch.testing.assert_close(found, right, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("hermitian", [False, True])
@pytest.mark.parametrize("backend", BACKENDS)
def test_indefinite_factors(backend, hermitian):
    n = 18
    pairs, options = torch.view_as_real, {"HERMITIAN": hermitian, "PARTS": 2, **TILE}
    a = torch.randn(2, n, n, dtype=torch.complex128)
    a[1].diagonal().zero_()  # blocks of two rows
    factors, pivots, info = a.clone(), torch.zeros(2, n, dtype=torch.int32), torch.ones(2, dtype=torch.int32)
    run(backend, indefinite.factorise, (2,), (pairs(factors), pivots, info, n), options)
    expected = torch.linalg.ldl_factor(a, hermitian=hermitian)
    torch.testing.assert_close(factors, expected[0], rtol=1e-11, atol=1e-11)
    assert torch.equal(pivots, expected[1]) and info.tolist() == [0, 0]
    sides = torch.randn(2, n, 3, dtype=a.dtype)
    x = sides.clone()
    run(backend, indefinite.solve, (2, 1), (pairs(factors), pivots, pairs(x), n, 3), options)
    torch.testing.assert_close(x, torch.linalg.ldl_solve(*expected, sides, hermitian=hermitian), rtol=1e-10, atol=1e-10)

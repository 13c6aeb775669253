"""Linear algebra beside what the registry's samples cover: free signs, errors, larger matrices, graphs, singular matrices."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import tritonflow as flow
from tests import where
from tritonflow.errors import CaptureError


def _random(*shape: int, seed: int = 0) -> torch.Tensor:
    return torch.randn(shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


def _torch(x: Any) -> torch.Tensor:
    return flow.to_torch(x.detach().cpu())


def _assert_close(found: Any, expected: torch.Tensor, size: int = 1) -> None:
    """Up to a rounding error for each element of a row."""
    torch.testing.assert_close(_torch(found), expected, rtol=0, atol=1e-14 * max(size, 10) * max(float(expected.abs().max()), 1))


def _assert_orthonormal(columns: Any) -> None:
    x = _torch(columns)
    one = torch.eye(x.shape[-1], dtype=x.dtype).expand(*x.shape[:-2], -1, -1)
    torch.testing.assert_close(x.mT @ x, one, rtol=0, atol=1e-14 * max(x.shape[-2], 10))


@pytest.mark.parametrize("n", [1, 5, pytest.param(128, marks=pytest.mark.long), pytest.param(256, marks=pytest.mark.hours)])
def test_eigenvectors(n: int) -> None:
    a = _random(2, n, n)
    a = a + a.mT
    values, vectors = flow.linalg.eigh(flow.from_torch(a))
    _assert_close(values, torch.linalg.eigvalsh(a), n)
    _assert_orthonormal(vectors)
    _assert_close((vectors * values.unsqueeze(-2)) @ vectors.transpose(-2, -1), a, n)


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("shape", [(5, 3), (2, 3, 5), (4, 0), pytest.param((130, 120), marks=pytest.mark.long)])
def test_singular_vectors(shape: tuple[int, ...], full: bool) -> None:
    a = _random(*shape)
    u, s, vh = flow.linalg.svd(flow.from_torch(a), full_matrices=full)
    theirs = torch.linalg.svd(a, full_matrices=full)
    assert [tuple(x.shape) for x in (u, s, vh)] == [tuple(x.shape) for x in theirs]
    k = s.shape[-1]
    _assert_orthonormal(u)
    _assert_orthonormal(vh.transpose(-2, -1))
    if k:
        _assert_close(s, theirs[1], max(shape))
        _assert_close((u[..., :k] * s.unsqueeze(-2)) @ vh[..., :k, :], a, max(shape))


def test_singular_values_of_a_matrix_with_a_rank_of_two() -> None:
    a = _random(6, 2) @ _random(2, 5, seed=1)
    u, s, vh = flow.linalg.svd(flow.from_torch(a))
    _assert_orthonormal(u)
    _assert_orthonormal(vh.transpose(0, 1))
    _assert_close(s, torch.linalg.svdvals(a))
    assert flow.linalg.matrix_rank(flow.from_torch(a)).item() == 2
    zero_u, zero_s, _ = flow.linalg.svd(flow.zeros(3, 3, dtype=flow.float64))
    _assert_orthonormal(zero_u)
    assert zero_s.sum().item() == 0
    _assert_close(flow.linalg.pinv(flow.from_torch(a)), torch.linalg.pinv(a))


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_extreme_sizes(scale: float) -> None:
    a = _random(4, 4)
    a = (a + a.mT) * scale
    for name in ("svdvals", "eigvalsh"):
        found = _torch(getattr(flow.linalg, name)(flow.from_torch(a)))
        torch.testing.assert_close(found / scale, getattr(torch.linalg, name)(a / scale), rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_no_number_comes_out_of_none(bad: float) -> None:
    """In the results of the matrix that has such an element, and in no other's."""
    a = _random(4, 5, 5)
    a = a + a.mT
    spoilt = a.clone()
    for matrix, (row, column) in enumerate([(0, 0), (4, 4), (3, 1)], 1):
        spoilt[matrix, row, column] = spoilt[matrix, column, row] = bad
    x, whole = flow.from_torch(spoilt), torch.linalg.eigvalsh(a[0])
    values, vectors = (_torch(y) for y in flow.linalg.eigh(x))
    for found in (values, vectors, _torch(flow.linalg.eigvalsh(x))):
        assert found[0].isfinite().all() and found[1:].isnan().all()
    torch.testing.assert_close(values[0], whole)
    q, r = (_torch(y) for y in flow.linalg.qr(x))
    assert q[0].isfinite().all() and r[0].isfinite().all()
    for found, spot in ((q, (1, 0)), (r, (0, 1)), (r, (4, 4))):
        assert not found[(slice(1, None, 2), *spot)].isfinite().any()
    assert not r[3, 1, 1].isfinite() and not _torch(flow.geqrf(x)[0])[3, 1, 1].isfinite()


def _symmetric(f: Any) -> Any:
    return lambda x: f(x + x.transpose(-2, -1))


GRADIENTS = {
    "cholesky": lambda x: flow.linalg.cholesky(x @ x.transpose(-2, -1) + 1),
    "eigvalsh": _symmetric(lambda x: flow.linalg.eigvalsh(x)),
    "eigh": _symmetric(lambda x: flow.linalg.eigh(x)[1].square() @ flow.linalg.eigh(x)[0]),
    "svd": lambda x: flow.linalg.svd(x)[0].square() @ flow.linalg.svd(x)[1],
    "svd, tall": lambda x: flow.linalg.svd(x[:, :2], full_matrices=False)[0].square() @ flow.linalg.svdvals(x[:, :2]),
}


@pytest.mark.parametrize("name", GRADIENTS)
def test_gradients(name: str) -> None:
    x = flow.from_torch(_random(3, 3, seed=4)).requires_grad_()
    assert flow.autograd.gradcheck(GRADIENTS[name], x)
    assert flow.autograd.gradgradcheck(GRADIENTS[name], x)


def test_the_gradient_of_a_singular_determinant() -> None:
    """The cofactors; of torch's LU, whose last pivot rounding decides, zeros come on some CPUs."""
    a = _random(3, 3)
    a[0] = a[1]
    x = flow.from_torch(a.clone()).requires_grad_()
    flow.linalg.det(x).backward()
    minors = [[a[[r for r in range(3) if r != i]][:, [c for c in range(3) if c != j]] for j in range(3)] for i in range(3)]
    cofactors = [[(-1) ** (i + j) * torch.linalg.det(minors[i][j]) for j in range(3)] for i in range(3)]
    _assert_close(x.grad, torch.tensor(cofactors, dtype=torch.float64))


_Q = torch.linalg.qr(_random(3, 3)).Q
_MATRICES = {
    "a rotation": _Q,
    "equal singular values": 2 * torch.eye(3, dtype=torch.float64),
    "nearly equal ones": _Q @ torch.diag(torch.tensor([1.0, 1 + 1e-9, 2], dtype=torch.float64)) @ _Q.mT,
    "rank two": _Q @ torch.diag(torch.tensor([1.0, 2, 0], dtype=torch.float64)),
    "nearly rank two": _Q @ torch.diag(torch.tensor([1.0, 2, 1e-14], dtype=torch.float64)),
    "rank one": torch.ones(3, 3, dtype=torch.float64),
    "zero": torch.zeros(3, 3, dtype=torch.float64),
}


@pytest.mark.parametrize("name", _MATRICES)
def test_second_derivatives_of_a_determinant_of_any_rank(name: str) -> None:
    """Those of three by three are elements with a sign: e_ikp e_jlq a_pq."""
    a = _MATRICES[name]
    sign = torch.zeros(3, 3, 3, dtype=torch.float64)
    sign[[0, 1, 2], [1, 2, 0], [2, 0, 1]] = 1
    sign[[0, 1, 2], [2, 0, 1], [1, 2, 0]] = -1
    exact = torch.einsum("ikp,jlq,pq->ijkl", sign, sign, a)
    x = flow.from_torch(a)
    _assert_close(flow.func.hessian(flow.linalg.det)(x), exact)
    _assert_close(flow.func.jacfwd(flow.func.jacfwd(flow.linalg.det))(x), exact)
    if name == "zero":
        batch = flow.stack([x, flow.eye(3, dtype=flow.float64)])
        _assert_close(flow.compile(flow.vmap(flow.func.hessian(flow.linalg.det)))(batch)[0], exact)


@pytest.mark.parametrize("p", [1, -1, float("inf"), -float("inf"), "fro", "nuc"])
def test_the_condition_of_a_singular_matrix_is_infinite(p: Any) -> None:
    matrices = flow.stack([flow.zeros(2, 2), flow.ones(2, 2), 2 * flow.eye(2)])
    right = flow.linalg.cond(matrices[2], p).item()
    assert flow.linalg.cond(matrices, p).tolist() == [float("inf"), float("inf"), right]
    assert [flow.linalg.cond(matrix, p).item() for matrix in matrices] == [float("inf"), float("inf"), right]
    assert right == pytest.approx({"fro": 2, "nuc": 4}.get(p, 1))


def test_third_derivatives_of_a_determinant() -> None:
    def second(x: Any) -> Any:
        (gradient,) = flow.autograd.grad(flow.linalg.det(x).sum(), x, create_graph=True)
        return flow.autograd.grad((gradient**2).sum(), x, create_graph=True)[0]

    assert flow.autograd.gradcheck(second, (flow.from_torch(_random(2, 3, 3)).requires_grad_(),))


ERRORS = {
    "cholesky": (lambda m, x: m.linalg.cholesky(-x), "linalg.cholesky: .*leading minor of order 1 is not positive-definite"),
    "batch": (
        lambda m, x: m.linalg.cholesky(m.stack([x, -x])),
        r"linalg.cholesky: \(Batch element 1\): .*leading minor of order 1",
    ),
    "inv": (lambda m, x: m.linalg.inv(x * 0), "linalg.inv: The diagonal element 1 is zero"),
    "solve": (lambda m, x: m.linalg.solve(x * 0, x), "solver failed because the input matrix is singular"),
    "lu_factor": (lambda m, x: m.linalg.lu_factor(x * 0), r"linalg.lu_factor: U\[1,1\] is zero"),
    "svd": (lambda m, x: m.linalg.svd(x / 0), "linalg.svd: .*non-finite values"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors(name: str) -> None:
    call, text = ERRORS[name]
    for module in (torch, flow):
        error = RuntimeError if name == "lu_factor" else module.linalg.LinAlgError  # as torch's
        with pytest.raises(error, match=text):
            call(module, module.eye(2))


def test_in_a_graph() -> None:
    a = _random(3, 3)
    positive = a @ a.mT + torch.eye(3, dtype=torch.float64)

    @flow.compile
    def program(x: Any) -> Any:
        factor = flow.linalg.cholesky(x)
        return flow.linalg.solve(x, factor).sum() + flow.logdet(x) + flow.matrix_exp(x).mean()

    x = flow.from_torch(positive).requires_grad_()
    result = program(x)
    result.backward()
    y = positive.clone().requires_grad_()
    exact = torch.linalg.solve(y, torch.linalg.cholesky(y)).sum() + torch.logdet(y) + torch.matrix_exp(y).mean()
    exact.backward()
    _assert_close(result, exact.detach())
    _assert_close(x.grad, y.grad)
    with pytest.raises(flow.linalg.LinAlgError, match="not positive-definite"):
        program(flow.from_torch(-positive))
        where.settle()


def test_infos_of_broadcast_matrices() -> None:
    a, b = _random(3, 1, 2, 2), _random(4, 2, 5)
    a[1] = 0
    result, info = flow.linalg.solve_ex(flow.from_torch(a), flow.from_torch(b))
    theirs, their_info = torch.linalg.solve_ex(a, b)
    assert info.tolist() == their_info.tolist() == [[0], [1], [0]]
    _assert_close(result[0], theirs[0])


def test_no_graph_captures_residuals_whose_shape_depends_on_values() -> None:
    least = flow.compile(lambda a, b: flow.linalg.lstsq(a, b, driver="gelsd")[1], fullgraph=True)
    with pytest.raises(CaptureError, match="lstsq"):
        least(flow.ones(3, 2), flow.ones(3, 1))
    assert flow.linalg.lstsq(flow.ones(3, 2), flow.ones(3, 1), driver="gelsd")[1].shape == (0,)


@pytest.mark.parametrize("pivots", [[[[5, 1]], [[1, 2]]], [[[1, 0]], [[1, 2]]], [[[1, -7]], [[1, 2]]]])
def test_pivots_that_name_no_row_are_refused(pivots: Any) -> None:
    """Rows lie in memory where they say: nothing is read or written there."""
    factors, wrong = flow.ones(2, 1, 2, 2), flow.tensor(pivots, dtype=flow.int32)
    for call in (lambda: flow.lu_unpack(factors, wrong), lambda: flow.linalg.lu_solve(factors, wrong, flow.ones(2, 1, 2, 3))):
        with pytest.raises(RuntimeError, match="pivots must be between 1 and the number of rows"):
            call()
            flow.sync()


def test_pivots_of_another_shape_are_refused() -> None:
    with pytest.raises(RuntimeError, match="but got pivots of shape \\[4\\]"):
        flow.lu_unpack(flow.ones(2, 1, 3, 2), flow.tensor([1, 2, 2, 2], dtype=flow.int32))

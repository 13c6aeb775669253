"""Factorisations of complex matrices beside torch: values where nothing is free, gradients, views, graphs, errors, sizes of 0."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

import tritonflow as flow
from tests import where


def _random(*shape: int, seed: int = 0, dtype: torch.dtype = torch.complex128) -> torch.Tensor:
    return torch.randn(shape, dtype=dtype, generator=torch.Generator().manual_seed(seed))


def _torch(x: Any) -> torch.Tensor:
    return flow.to_torch(x.detach().cpu())


def _leaves(x: Any) -> list[Any]:
    return [leaf for each in x for leaf in _leaves(each)] if isinstance(x, (tuple, list)) else [x]


def _assert_close(found: Any, expected: Any, tolerance: float = 1e-12) -> None:
    for mine, right in zip(_leaves(found), _leaves(expected), strict=True):
        right = right.detach().resolve_conj()
        torch.testing.assert_close(_torch(mine), right, rtol=tolerance, atol=tolerance * max(1, float(right.abs().max())))


def _definite(m: Any, a: Any) -> Any:
    return a @ a.mH + m.eye(a.shape[-1], dtype=a.dtype)


Call = Callable[[Any, Any, Any], Any]

UNIQUE: dict[str, Call] = {  # of square matrices a and right sides b
    "solve": lambda m, a, b: m.linalg.solve(a, b),
    "solve, vectors": lambda m, a, b: m.linalg.solve(a, b[..., 0]),
    "solve from the right": lambda m, a, b: m.linalg.solve(a, b.mT, left=False),
    "solve_ex": lambda m, a, b: tuple(m.linalg.solve_ex(a, b)),
    "solve, one matrix": lambda m, a, b: m.linalg.solve(a[0], b),
    "inv": lambda m, a, b: m.linalg.inv(a),
    "inv of the adjoint": lambda m, a, b: m.linalg.inv(a.mH),
    "inv_ex": lambda m, a, b: tuple(m.linalg.inv_ex(a)),
    "det": lambda m, a, b: m.linalg.det(a),
    "slogdet": lambda m, a, b: tuple(m.linalg.slogdet(a)),
    "logdet": lambda m, a, b: m.logdet(a),
    "cholesky": lambda m, a, b: m.linalg.cholesky(_definite(m, a)),
    "cholesky, upper": lambda m, a, b: m.linalg.cholesky(_definite(m, a), upper=True),
    "cholesky_solve": lambda m, a, b: m.cholesky_solve(b, m.linalg.cholesky(_definite(m, a))),
    "cholesky_solve, upper": lambda m, a, b: m.cholesky_solve(b, m.linalg.cholesky(_definite(m, a), upper=True), True),
    "cholesky_inverse": lambda m, a, b: m.cholesky_inverse(m.linalg.cholesky(_definite(m, a))),
    "lu": lambda m, a, b: tuple(m.linalg.lu(a)),
    "lu, tall": lambda m, a, b: tuple(m.linalg.lu(b)),
    "lu, wide": lambda m, a, b: m.linalg.lu_factor(b.mH)[0],
    "lu_solve": lambda m, a, b: m.linalg.lu_solve(*m.linalg.lu_factor(a), b),
    "lu_solve, adjoint": lambda m, a, b: m.linalg.lu_solve(*m.linalg.lu_factor(a), b, adjoint=True),
    "lu_solve from the right": lambda m, a, b: m.linalg.lu_solve(*m.linalg.lu_factor(a), b.mT, left=False),
    "lu_solve, both": lambda m, a, b: m.linalg.lu_solve(*m.linalg.lu_factor(a), b.mT, left=False, adjoint=True),
    "solve_triangular": lambda m, a, b: m.linalg.solve_triangular(a, b, upper=True),
    "solve_triangular, lower, right": lambda m, a, b: m.linalg.solve_triangular(a, b.mT, upper=False, left=False),
    "solve_triangular, ones": lambda m, a, b: m.linalg.solve_triangular(a, b, upper=False, unitriangular=True),
    "triangular_solve, transposed": lambda m, a, b: m.triangular_solve(b, a, transpose=True)[0],
    "qr": lambda m, a, b: tuple(m.linalg.qr(a)),
    "qr, tall": lambda m, a, b: tuple(m.linalg.qr(b)),
    "qr, wide": lambda m, a, b: tuple(m.linalg.qr(b.mH)),
    "householder": lambda m, a, b: m.linalg.householder_product(*m.geqrf(b)) if not b.requires_grad else b.sum(),
    "ormqr": lambda m, a, b: m.ormqr(b, b[..., 0, :], b, transpose=True),
    "ormqr from the right": lambda m, a, b: m.ormqr(b, b[..., 0, :], b.mT, left=False),
    "eigvalsh": lambda m, a, b: m.linalg.eigvalsh(a),
    "eigvalsh, upper": lambda m, a, b: m.linalg.eigvalsh(a, "U"),
    "svdvals": lambda m, a, b: m.linalg.svdvals(b),
    "pinv": lambda m, a, b: m.linalg.pinv(b),
    "pinv, wide": lambda m, a, b: m.linalg.pinv(b.mH),
    "pinv of Hermitian matrices": lambda m, a, b: m.linalg.pinv(a + a.mH, hermitian=True),
    "pinv, a tolerance each": lambda m, a, b: m.linalg.pinv(b, rtol=m.full((2,), 1e-9, dtype=m.float64)),
    "lstsq": lambda m, a, b: m.linalg.lstsq(b, a)[0],
    "matrix_power": lambda m, a, b: m.linalg.matrix_power(a, -3),
    "matrix_exp": lambda m, a, b: m.linalg.matrix_exp(a),
    "cond": lambda m, a, b: m.linalg.cond(a),
    "cond, 1": lambda m, a, b: m.linalg.cond(a, 1),
    "norms": lambda m, a, b: [m.linalg.matrix_norm(b, order) for order in (2, -2, "nuc", "fro", 1)],
}


@pytest.mark.parametrize("name", UNIQUE)
def test_values_and_gradients(name: str) -> None:
    call = UNIQUE[name]
    a, b = _random(2, 4, 4), _random(2, 4, 3, seed=1)
    x, y = a.clone().requires_grad_(), b.clone().requires_grad_()
    mine = flow.from_torch(a.clone()).requires_grad_(), flow.from_torch(b.clone()).requires_grad_()
    expected, found = call(torch, x, y), call(flow, *mine)
    _assert_close(found, expected)
    if name == "cond, 1":  # whose gradient torch refuses, as it writes over the inverse
        return
    got, right = zip(*[pair for pair in zip(_leaves(found), _leaves(expected)) if pair[1].requires_grad])
    weights = [_random(*t.shape, seed=k, dtype=t.dtype) for k, t in enumerate(right)]
    theirs = torch.autograd.grad(right, (x, y), weights, allow_unused=True)
    ours = flow.autograd.grad(got, mine, [flow.from_torch(w) for w in weights], allow_unused=True)
    for gradient, wanted, of in zip(ours, theirs, (a, b), strict=True):
        zero = torch.zeros_like(of)
        _assert_close(flow.from_torch(zero) if gradient is None else gradient, zero if wanted is None else wanted, 1e-10)


@pytest.mark.parametrize("name", ["solve", "det", "qr, tall", "svdvals", "inv", "matrix_exp"])
def test_complex64(name: str) -> None:
    a, b = (_random(2, 4, 4), _random(2, 4, 3, seed=1))
    exact = UNIQUE[name](torch, a, b)
    found = UNIQUE[name](flow, flow.from_torch(a.to(torch.complex64)), flow.from_torch(b.to(torch.complex64)))
    for mine, right in zip(_leaves(found), _leaves(exact), strict=True):
        half = torch.complex64 if right.dtype.is_complex else torch.float32
        assert _torch(mine).dtype is half
        torch.testing.assert_close(_torch(mine).to(right.dtype), right, rtol=1e-4, atol=1e-4)


SQUARE: dict[str, Callable[[Any], Any]] = {
    "solve": lambda x: flow.linalg.solve(x, x.mH),
    "det": lambda x: flow.linalg.det(x),
    "slogdet": lambda x: flow.linalg.slogdet(x)[0] * flow.linalg.slogdet(x)[1],
    "cholesky": lambda x: flow.linalg.cholesky(_definite(flow, x)),
    "cholesky, upper": lambda x: flow.linalg.cholesky(_definite(flow, x), upper=True),
    "lu": lambda x: flow.linalg.lu_factor(x)[0],
    "qr": lambda x: flow.linalg.qr(x)[0] @ flow.linalg.qr(x)[1].mH,
    "eigh": lambda x: flow.linalg.eigh(x + x.mH)[1].abs() @ flow.linalg.eigh(x + x.mH)[0],
    "svd": lambda x: flow.linalg.svd(x)[0].abs() @ flow.linalg.svd(x)[1],
    "svd, both": lambda x: (lambda u, s, vh: u @ vh)(*flow.linalg.svd(x)),
    "svd, tall": lambda x: (lambda u, s, vh: (u * s.sqrt()) @ vh)(*flow.linalg.svd(x[:, :2], full_matrices=False)),
    "svd, wide": lambda x: (lambda u, s, vh: (u * s.sqrt()) @ vh)(*flow.linalg.svd(x[:2], full_matrices=False)),
    "pinv": lambda x: flow.linalg.pinv(x[:, :2]),
}


@pytest.mark.parametrize("name", SQUARE)
def test_gradients_of_any_order(name: str) -> None:
    """By both parts of every number: the functions of pairs are real."""

    def of_pairs(pairs: Any) -> Any:
        result = SQUARE[name](flow.view_as_complex(pairs))
        return flow.view_as_real(result) if result.is_complex() else result

    x = flow.view_as_real(flow.from_torch(_random(3, 3, seed=4))).clone().requires_grad_()
    assert flow.autograd.gradcheck(of_pairs, x)
    assert flow.autograd.gradgradcheck(of_pairs, x)


def test_second_derivatives_of_a_singular_determinant() -> None:
    """Those of three by three are elements with a sign: e_ikp e_jlq a_pq. The gradient is its conjugate."""
    a = _random(3, 1) @ _random(1, 3, seed=1) + _random(3, 1, seed=2) @ _random(1, 3, seed=3)
    direction, weight = _random(3, 3, seed=5), 2 - 1j
    sign = torch.zeros(3, 3, 3, dtype=torch.complex128)
    sign[[0, 1, 2], [1, 2, 0], [2, 0, 1]] = 1
    sign[[0, 1, 2], [2, 0, 1], [1, 2, 0]] = -1
    second = torch.einsum("ikp,jlq,pq->ijkl", sign, sign, a)
    x = flow.from_torch(a).requires_grad_()
    (first,) = flow.autograd.grad(flow.linalg.det(x), x, flow.tensor(weight, dtype=flow.complex128), create_graph=True)
    (found,) = flow.autograd.grad(first, x, flow.from_torch(direction))
    # Re sum conj(d) w conj(C) = Re sum d conj(w) C, of which H[d conj(w)] is the derivative by a
    _assert_close(found, torch.einsum("ijkl,ij->kl", second, direction * weight.conjugate()).conj(), 1e-11)


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("shape", [(5, 3), (2, 3, 5), (4, 4), (4, 0), (0, 3, 3), (40, 33)])
def test_singular_vectors(shape: tuple[int, ...], full: bool) -> None:
    a = _random(*shape)
    u, s, vh = (_torch(x) for x in flow.linalg.svd(flow.from_torch(a), full_matrices=full))
    theirs = torch.linalg.svd(a, full_matrices=full)
    assert [(x.shape, x.dtype) for x in (u, s, vh)] == [(x.shape, x.dtype) for x in theirs]
    k = s.shape[-1]
    for columns in (u, vh.mH):
        one = torch.eye(columns.shape[-1], dtype=a.dtype).expand(*columns.shape[:-2], -1, -1)
        torch.testing.assert_close(columns.mH @ columns, one, rtol=0, atol=1e-13)
    torch.testing.assert_close(s, theirs[1], rtol=1e-12, atol=1e-12)
    torch.testing.assert_close((u[..., :k] * s.unsqueeze(-2)) @ vh[..., :k, :], a, rtol=0, atol=1e-12)


@pytest.mark.parametrize("n", [1, 2, 5, 35])
def test_eigenvectors_of_hermitian_matrices(n: int) -> None:
    """One triangle is read, and no imaginary part of the diagonal."""
    a = _random(2, n, n)
    for triangle in "LU":
        half = a.tril(-1) if triangle == "L" else a.triu(1)
        whole = half + half.mH + torch.diag_embed(a.diagonal(dim1=-2, dim2=-1).real).to(a.dtype)
        values, vectors = (_torch(x) for x in flow.linalg.eigh(flow.from_torch(a), triangle))
        torch.testing.assert_close(values, torch.linalg.eigvalsh(whole), rtol=0, atol=1e-12 * n)
        torch.testing.assert_close((vectors * values.unsqueeze(-2)) @ vectors.mH, whole, rtol=0, atol=1e-12 * n)
        torch.testing.assert_close(vectors.mH @ vectors, torch.eye(n, dtype=a.dtype).expand(2, n, n), rtol=0, atol=1e-12)


def test_a_matrix_of_rank_two() -> None:
    a = _random(6, 2) @ _random(2, 5, seed=1)
    x = flow.from_torch(a)
    u, s, vh = (_torch(y) for y in flow.linalg.svd(x))
    torch.testing.assert_close(u.mH @ u, torch.eye(6, dtype=a.dtype), rtol=0, atol=1e-13)
    torch.testing.assert_close(vh @ vh.mH, torch.eye(5, dtype=a.dtype), rtol=0, atol=1e-13)
    assert flow.linalg.matrix_rank(x).item() == 2
    assert flow.linalg.matrix_rank(x.to(flow.complex64)).item() == 2
    _assert_close(flow.linalg.pinv(x), torch.linalg.pinv(a))


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_extreme_sizes(scale: float) -> None:
    a = _random(4, 4)
    for name in ("svdvals", "eigvalsh"):
        found = _torch(getattr(flow.linalg, name)(flow.from_torch(a * scale)))
        torch.testing.assert_close(found / scale, getattr(torch.linalg, name)(a), rtol=1e-12, atol=1e-13)
    x = flow.from_torch(a * scale)
    _assert_close(flow.linalg.solve(x, x @ flow.ones(4, 1, dtype=x.dtype)), torch.ones(4, 1, dtype=a.dtype), 1e-11)
    torch.testing.assert_close(_torch(flow.linalg.qr(x)[1]) / scale, torch.linalg.qr(a)[1], rtol=1e-12, atol=1e-12)


def test_lstsq_residuals_are_real() -> None:
    a, b = _random(2, 5, 3), _random(2, 5, 2, seed=1)
    found = flow.linalg.lstsq(flow.from_torch(a), flow.from_torch(b), driver="gelsd")
    _assert_close(list(found), list(torch.linalg.lstsq(a, b, driver="gelsd")), 1e-11)


@pytest.mark.parametrize("name", ["solve", "inv", "det", "slogdet", "cholesky", "lu_solve", "qr", "eigvalsh", "cond", "matrix_exp"])
@pytest.mark.parametrize("shape", [(0, 3), (2, 0)])
def test_nothing(name: str, shape: tuple[int, int]) -> None:
    batch, n = shape
    a, b = _random(batch, n, n), _random(batch, n, 2)
    found, expected = UNIQUE[name](flow, flow.from_torch(a), flow.from_torch(b)), UNIQUE[name](torch, a, b)
    for mine, right in zip(_leaves(found), _leaves(expected), strict=True):
        assert (tuple(mine.shape), str(mine.dtype)[11:]) == (tuple(right.shape), str(right.dtype)[6:])
        assert torch.equal(_torch(mine), right)


def test_conjugated_and_strided_views() -> None:
    a = _random(6, 8)
    for view in (lambda x: x[:, :6].mH, lambda x: x[::2, 1:7:2], lambda x: x[1:4, 2:5].conj(), lambda x: x.mT[1:7].conj()):
        x, y = view(flow.from_torch(a)), view(a)
        for call in ("inv", "det", "svdvals", "eigvalsh"):
            _assert_close(getattr(flow.linalg, call)(x), getattr(torch.linalg, call)(y), 1e-10)
        _assert_close(list(flow.linalg.qr(x)), list(torch.linalg.qr(y)))


def test_out() -> None:
    a, b = _random(3, 3), _random(3, 2, seed=1)
    x, y = flow.from_torch(a), flow.from_torch(b)
    out = flow.empty(3, 2, dtype=flow.complex128)
    assert flow.linalg.solve(x, y, out=out) is out
    _assert_close(out, torch.linalg.solve(a, b))
    strided = flow.zeros(3, 6, dtype=flow.complex128)
    flow.linalg.inv(x, out=strided[:, ::2])
    _assert_close(strided[:, ::2], torch.linalg.inv(a))
    with pytest.raises(RuntimeError):
        flow.linalg.inv(x, out=flow.empty(3, 3, dtype=flow.float64))


def test_in_a_graph() -> None:
    a = _random(3, 3)

    @flow.compile
    def program(x: Any) -> Any:
        factor = flow.linalg.cholesky(_definite(flow, x))
        values, vectors = flow.linalg.eigh(x + x.mH)
        total = flow.linalg.solve(x, factor).sum() + flow.linalg.det(x) + (vectors.abs() @ values).sum() + flow.linalg.inv(x).sum()
        return total + flow.linalg.svdvals(x).sum() + flow.linalg.slogdet(x)[1] + flow.linalg.qr(x)[1].sum()

    def theirs(x: Any) -> Any:
        factor = torch.linalg.cholesky(_definite(torch, x))
        values, vectors = torch.linalg.eigh(x + x.mH)
        total = torch.linalg.solve(x, factor).sum() + torch.linalg.det(x) + (vectors.abs() @ values).sum() + torch.linalg.inv(x).sum()
        return total + torch.linalg.svdvals(x).sum() + torch.linalg.slogdet(x)[1] + torch.linalg.qr(x)[1].sum()

    for seed in (0, 1):  # the second call runs what the first one captured
        a = _random(3, 3, seed=seed)
        x, y = flow.from_torch(a.clone()).requires_grad_(), a.clone().requires_grad_()
        found, expected = program(x), theirs(y)
        found.backward(flow.tensor(1 - 2j, dtype=flow.complex128))
        expected.backward(torch.tensor(1 - 2j, dtype=torch.complex128))
        _assert_close(found, expected)
        _assert_close(x.grad, y.grad, 1e-10)


def test_errors_in_a_graph() -> None:
    program = flow.compile(lambda x: flow.linalg.cholesky(x))
    x = flow.eye(2, dtype=flow.complex128)
    _assert_close(program(x), torch.eye(2, dtype=torch.complex128))
    with pytest.raises(flow.linalg.LinAlgError, match="not positive-definite"):
        program(-x)
        where.settle()


def test_vmap_and_forward_derivatives() -> None:
    a, d = _random(3, 2, 2), _random(3, 2, 2, seed=1)
    x, tangent = flow.from_torch(a), flow.from_torch(d)
    for name in ("inv", "det"):
        mine, theirs = getattr(flow.linalg, name), getattr(torch.linalg, name)
        _assert_close(flow.vmap(mine)(x), theirs(a))
        found, expected = flow.func.jvp(mine, (x,), (tangent,)), torch.func.jvp(theirs, (a,), (d,))
        _assert_close(list(found), list(expected))


ERRORS: dict[str, tuple[Call, str]] = {
    "cholesky": (lambda m, x, _: m.linalg.cholesky(-x), "linalg.cholesky: .*leading minor of order 1 is not positive-definite"),
    "inv": (lambda m, x, _: m.linalg.inv(x * 0), "linalg.inv: The diagonal element 1 is zero"),
    "solve": (lambda m, x, _: m.linalg.solve(x * 0, x), "solver failed because the input matrix is singular"),
    "svd": (lambda m, x, _: m.linalg.svd(x * float("nan")), "linalg.svd: .*non-finite values"),
    "dtypes": (lambda m, x, _: m.linalg.solve(x, x.real), "Expected A and B to have the same dtype"),
    "half": (lambda m, x, _: m.linalg.inv(x.to(m.complex32)), "Low precision dtypes not supported. Got ComplexHalf"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors(name: str) -> None:
    call, text = ERRORS[name]
    for module in (torch, flow):
        with pytest.raises(RuntimeError, match=text):
            call(module, module.eye(2, dtype=module.complex128), None)


def test_a_zero_diagonal_of_real_parts_is_invertible() -> None:
    """Pivots are compared by both parts."""
    a = torch.tensor([[1j, 2], [3j, 4]])
    _assert_close(flow.linalg.inv(flow.from_torch(a)), torch.linalg.inv(a), 1e-5)
    assert flow.linalg.inv_ex(flow.from_torch(a)).info.item() == 0


@pytest.mark.parametrize("call", [lambda x: flow.linalg.eigh(x + x.mH)[1], lambda x: flow.linalg.svd(x)[0], lambda x: flow.linalg.svd(x)[2]])
def test_a_loss_that_depends_on_phases_is_an_error(call: Any) -> None:
    x = flow.from_torch(_random(3, 3)).requires_grad_()
    with pytest.raises(RuntimeError, match="specified up to multiplication by e"):
        call(x).sum().imag.backward()


@pytest.mark.parametrize("name", ["lu", "qr"])
def test_compiled_wide_matrices_have_gradients(name: str) -> None:
    """The gradient reads blocks of rows with gaps between them, which a kernel wants without."""

    def parts(m: Any, a: Any) -> tuple[Any, ...]:
        return tuple(getattr(m.linalg, name)(a))[-2:]

    a, compiled = _random(2, 5), flow.compile(lambda a: parts(flow, a))
    expected = a.clone().requires_grad_()
    sum(part.abs().square().sum() * k for k, part in enumerate(parts(torch, expected), 1)).backward()
    for _ in range(2):
        x = flow.from_torch(a).requires_grad_()
        sum(part.abs().square().sum() * k for k, part in enumerate(compiled(x), 1)).backward()
        _assert_close(x.grad, expected.grad)

"""Functions of the binding: linalg.

Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow._C import return_types as _return_types
from tritonflow.dtypes import DType as _DType
from tritonflow.framework.size import Size as _Size
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.binding.arguments import Binding as _Binding, all_ints as _all_ints, all_tensors as _all_tensors
from tritonflow.functions.generated import (checked as _checked, eigen as _eigen, linalg_cofactors as _linalg_cofactors,
        linalg_determinant as _linalg_determinant, linalg_log_determinant as _linalg_log_determinant,
        linalg_second_cofactors as _linalg_second_cofactors, pseudoinverse as _pseudoinverse)
from tritonflow.functions.linalg import (cholesky_ex as _cholesky_ex, exchange_rows as _exchange_rows,
        ldl_factor_ex as _ldl_factor_ex, ldl_solve as _ldl_solve, lu_factor_ex as _lu_factor_ex, cholesky as _cholesky,
        ldl_factor as _ldl_factor, ldl_factors_grad as _ldl_factors_grad, ldl_solve_grad as _ldl_solve_grad,
        linalg_cholesky as _linalg_cholesky, linalg_lu as _linalg_lu, lu_factor as _lu_factor, lu_unpack as _lu_unpack,
        old_lu as _old_lu)
from tritonflow.functions.linalg_determinants import (det as _det, linalg_det as _linalg_det, linalg_slogdet as _linalg_slogdet,
        logdet as _logdet, slogdet as _slogdet)
from tritonflow.functions.linalg_eigen import (eig_grad as _eig_grad, linalg_eig as _linalg_eig,
        linalg_eigvals as _linalg_eigvals)
from tritonflow.functions.linalg_forms import (linalg_cond as _linalg_cond, linalg_multi_dot as _linalg_multi_dot,
        matrix_exp as _matrix_exp, matrix_power as _matrix_power)
from tritonflow.functions.linalg_gradients import (cholesky_grad as _cholesky_grad, det_grad as _det_grad,
        eigh_grad as _eigh_grad, lu_factor_grad as _lu_factor_grad, pinv_grad as _pinv_grad, qr_grad as _qr_grad,
        second_cofactors as _second_cofactors, slogdet_grad as _slogdet_grad, solve_grad as _solve_grad, svd_grad as _svd_grad,
        third_cofactors as _third_cofactors, triangular_grad as _triangular_grad)
from tritonflow.functions.linalg_low_rank import (pca_lowrank as _pca_lowrank, svd_lowrank as _svd_lowrank)
from tritonflow.functions.linalg_orthogonal import (geqrf as _ge_qrf, householder_product as _householder_product,
        linalg_qr as _qr, old_qr as _old_qr, ormqr as _ormqr)
from tritonflow.functions.linalg_products import (linalg_cross as _linalg_cross, linalg_diagonal as _linalg_diagonal,
        linalg_matmul as _linalg_matmul, linalg_tensorinv as _linalg_tensorinv, linalg_tensorsolve as _linalg_tensorsolve,
        linalg_vander as _linalg_vander, linalg_vecdot as _linalg_vecdot)
from tritonflow.functions.linalg_pseudoinverse import (linalg_matrix_rank_tol as _matrix_rank_tol,
        linalg_pinv_rcond as _pinv_rcond, linalg_lstsq as _linalg_lstsq, linalg_matrix_rank as _linalg_matrix_rank,
        linalg_pinv as _linalg_pinv, pinverse as _pinverse)
from tritonflow.functions.linalg_solve import (linalg_solve_ex as _solve_ex, cholesky_inverse as _cholesky_inverse,
        cholesky_solve as _cholesky_solve, inverse as _inverse, linalg_inv as _linalg_inv, linalg_inv_ex as _linalg_inv_ex,
        linalg_lu_solve as _linalg_lu_solve, linalg_solve as _linalg_solve, lu_solve as _lu_solve)
from tritonflow.functions.linalg_spectra import (linalg_eigh as _eigh, linalg_svd as _linalg_svd,
        linalg_eigvalsh as _linalg_eigvalsh, linalg_svdvals as _linalg_svdvals, svd as _svd)
from tritonflow.functions.linalg_triangular import (triangular as _triangular,
        linalg_solve_triangular as _linalg_solve_triangular, triangular_solve as _triangular_solve)
from tritonflow.binding.library import publish as _publish
from tritonflow.binding.prototype import MISSING as _missing

_linalg_cholesky_ex_slow = _Binding("linalg_cholesky_ex",
        "TensorTuple[L, info] (Tensor input, *, Bool upper=False, Bool check_errors=False)", _cholesky_ex, autocast="float32",
        result=_return_types.linalg_cholesky_ex)
def linalg_cholesky_ex(input=_missing, *extra, upper=False, check_errors=False, **unknown):
    """The lower triangular L with A = L L^T, and whether there is one.

    A matrix without such a factor is no error: its `info` is the order of the first leading minor that
    is not positive definite, and 0 where the factor exists. Only the lower triangle of the input is
    read.

    Args:
        input: the input.
        upper: whether the upper triangular U with A = U^T U is given instead; the upper triangle is read
            then.
        check_errors: whether a matrix without a factor is an error.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n) -> L (..., n, n), info (...).

    Returns:
        A named tuple `(L, info)`.

    Differentiable. Under `flow.autocast` it computes in float32.

    Raises:
        LinAlgError: check_errors is True, and a matrix is not positive definite.
        RuntimeError: the matrices are not square, or neither float32 nor float64, nor complex of these.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.cholesky_ex.

    Example:
        >>> import tritonflow as flow
        >>> A = flow.tensor([[4.0, 2.0], [2.0, 5.0]])
        >>> L, info = flow.linalg.cholesky_ex(A)
        >>> L.tolist(), info.item()
        ([[2.0, 0.0], [1.0, 2.0]], 0)
        >>> flow.linalg.cholesky_ex(-A).info.item()
        1
    """
    if (input.__class__ is _Tensor and (upper is False or upper is True) and (check_errors is False or check_errors is True) and
            not extra and not unknown):
        return _return_types.linalg_cholesky_ex(*_cholesky_ex(input, upper, check_errors))
    return _linalg_cholesky_ex_slow((input, upper, check_errors), extra, unknown)

_triangular_slow = _Binding("triangular",
        "Tensor (Tensor t, Tensor b, Bool upper, Bool adjoint=False, Bool left=True, Bool unit=False)", _triangular)
def triangular(t=_missing, b=_missing, upper=_missing, adjoint=False, left=True, unit=False, *extra, **unknown):
    """x with t x = b or x t = b, for a triangle of t"""
    if (t.__class__ is _Tensor and b.__class__ is _Tensor and (upper is False or upper is True) and
            (adjoint is False or adjoint is True) and (left is True or left is False) and (unit is False or unit is True) and
            not extra and not unknown):
        return _triangular(t, b, upper, adjoint, left, unit)
    return _triangular_slow((t, b, upper, adjoint, left, unit), extra, unknown)

_linalg_solve_ex_slow = _Binding("linalg_solve_ex",
        "TensorTuple[result, info] (Tensor A, Tensor B, *, Bool left=True, Bool check_errors=False)", _solve_ex,
        autocast="float32", result=_return_types.linalg_solve_ex)
def linalg_solve_ex(A=_missing, B=_missing, *extra, left=True, check_errors=False, **unknown):
    """x with A x = B, and whether A is invertible.

    A singular matrix is no error: its `info` is the number of the first zero pivot, from 1, and 0 where
    there is none.

    Args:
        A: the input.
        B: the right sides: matrices, or a vector for each matrix.
        left: whether A stands left of x, as in A x = B; otherwise x A = B.
        check_errors: whether a singular matrix is an error.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n), (..., n, k) or (..., n) -> result as B, info (...).

    Returns:
        A named tuple `(result, info)`.

    Differentiable. Under `flow.autocast` it computes in float32.

    Raises:
        LinAlgError: check_errors is True, and a matrix is singular.
        RuntimeError: A is not square, or sizes or dtypes differ.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.solve_ex.

    Example:
        >>> import tritonflow as flow
        >>> A = flow.tensor([[2.0, 0.0], [0.0, 4.0]])
        >>> flow.linalg.solve_ex(A, flow.tensor([2.0, 8.0]))
        tritonflow.return_types.linalg_solve_ex(
        result=tensor([1., 2.]),
        info=tensor(0, dtype=tritonflow.int32))
        >>> flow.linalg.solve_ex(flow.zeros(2, 2), flow.ones(2)).info.item()
        1
    """
    if (A.__class__ is _Tensor and B.__class__ is _Tensor and (left is True or left is False) and
            (check_errors is False or check_errors is True) and not extra and not unknown):
        return _return_types.linalg_solve_ex(*_solve_ex(A, B, left, check_errors))
    return _linalg_solve_ex_slow((A, B, left, check_errors), extra, unknown)

_linalg_determinant_slow = _Binding("linalg_determinant", "TensorTuple (Tensor a)", _linalg_determinant)
def linalg_determinant(a=_missing, *extra, **unknown):
    """sign, logarithm and value of the determinant, with the gradient of the value"""
    if a.__class__ is _Tensor and not extra and not unknown:
        return _linalg_determinant(a)
    return _linalg_determinant_slow((a,), extra, unknown)

_linalg_log_determinant_slow = _Binding("linalg_log_determinant", "TensorTuple (Tensor a)", _linalg_log_determinant)
def linalg_log_determinant(a=_missing, *extra, **unknown):
    """as linalg_determinant, with the gradient of the logarithm"""
    if a.__class__ is _Tensor and not extra and not unknown:
        return _linalg_log_determinant(a)
    return _linalg_log_determinant_slow((a,), extra, unknown)

_linalg_cofactors_slow = _Binding("linalg_cofactors", "Tensor (Tensor value, Tensor a)", _linalg_cofactors)
def linalg_cofactors(value=_missing, a=_missing, *extra, **unknown):
    """the cofactors of a matrix, the gradient of its determinant, given as `value`, with a derivative that singular matrices have"""
    if value.__class__ is _Tensor and a.__class__ is _Tensor and not extra and not unknown:
        return _linalg_cofactors(value, a)
    return _linalg_cofactors_slow((value, a), extra, unknown)

_linalg_second_cofactors_slow = _Binding("linalg_second_cofactors", "Tensor (Tensor value, Tensor direction, Tensor a)",
        _linalg_second_cofactors)
def linalg_second_cofactors(value=_missing, direction=_missing, a=_missing, *extra, **unknown):
    """the second derivative of the determinant in one direction, given as `value`"""
    if value.__class__ is _Tensor and direction.__class__ is _Tensor and a.__class__ is _Tensor and not extra and not unknown:
        return _linalg_second_cofactors(value, direction, a)
    return _linalg_second_cofactors_slow((value, direction, a), extra, unknown)

_linalg_lu_factor_ex_slow = _Binding("linalg_lu_factor_ex",
        "TensorTuple[LU, pivots, info] (Tensor A, *, Bool pivot=True, Bool check_errors=False)", _lu_factor_ex,
        autocast="float32", result=_return_types.linalg_lu_factor_ex)
def linalg_lu_factor_ex(A=_missing, *extra, pivot=True, check_errors=False, **unknown):
    """A = P L U with L and U in one matrix, P as exchanges of rows, and the first zero on U's diagonal.

    L has ones on its diagonal, which are not stored. Row i was exchanged with row pivots[i] - 1, in the
    order of i.

    Args:
        A: matrices of any size.
        pivot: whether rows are exchanged; only True is implemented.
        check_errors: whether a zero on the diagonal of U is an error.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n) -> LU (..., m, n), pivots (..., min(m, n)), info (...).

    Returns:
        A named tuple `(LU, pivots, info)`.

    Differentiable. Under `flow.autocast` it computes in float32.

    Raises:
        LinAlgError: check_errors is True, and the diagonal of U has a zero.
        RuntimeError: pivot=False, fewer than 2 dimensions, or neither float32 nor float64, nor complex of
            these.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.lu_factor_ex.

    Example:
        >>> import tritonflow as flow
        >>> flow.linalg.lu_factor_ex(flow.tensor([[1.0, 2.0], [4.0, 4.0]]))
        tritonflow.return_types.linalg_lu_factor_ex(
        LU=tensor([[4.0000, 4.0000],
                [0.2500, 1.0000]]),
        pivots=tensor([2, 2], dtype=tritonflow.int32),
        info=tensor(0, dtype=tritonflow.int32))
    """
    if (A.__class__ is _Tensor and (pivot is True or pivot is False) and (check_errors is False or check_errors is True) and
            not extra and not unknown):
        return _return_types.linalg_lu_factor_ex(*_lu_factor_ex(A, pivot, check_errors))
    return _linalg_lu_factor_ex_slow((A, pivot, check_errors), extra, unknown)

_linalg_ldl_factor_ex_slow = _Binding("linalg_ldl_factor_ex",
        "TensorTuple[LD, pivots, info] (Tensor A, *, Bool hermitian=False, Bool check_errors=False)", _ldl_factor_ex,
        autocast="float32", result=_return_types.linalg_ldl_factor_ex)
def linalg_ldl_factor_ex(A=_missing, *extra, hermitian=False, check_errors=False, **unknown):
    """A = L D L^T with L and D in one matrix, exchanges of rows and columns, and the first zero on D's diagonal.

    A is symmetric or Hermitian, and need not be definite. Only its lower triangle is read. D has blocks
    of one number and of two rows. L has ones on its diagonal, which are not stored. Row k was exchanged
    with row pivots[k] - 1; of a block of two, it was the second one with row -pivots[k] - 1. It is
    LAPACK's form, by the exchanges of Bunch and Kaufman.

    Args:
        A: the matrices.
        hermitian: whether A is Hermitian, otherwise symmetric; of real matrices it is the same.
        check_errors: whether a zero on the diagonal of D is an error.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n) -> LD (..., n, n), pivots (..., n), info (...).

    Returns:
        A named tuple `(LD, pivots, info)`.

    Under `flow.autocast` it computes in float32.

    Raises:
        LinAlgError: check_errors is True, and the diagonal of D has a zero.
        RuntimeError: the matrices are not square, or neither float32 nor float64, nor complex of these.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.ldl_factor_ex.

    Example:
        >>> import tritonflow as flow
        >>> flow.linalg.ldl_factor_ex(flow.tensor([[0.0, 2.0], [2.0, 0.0]]))
        tritonflow.return_types.linalg_ldl_factor_ex(
        LD=tensor([[0., 0.],
                [2., 0.]]),
        pivots=tensor([-2, -2], dtype=tritonflow.int32),
        info=tensor(0, dtype=tritonflow.int32))
    """
    if (A.__class__ is _Tensor and (hermitian is False or hermitian is True) and (check_errors is False or check_errors is True)
            and not extra and not unknown):
        return _return_types.linalg_ldl_factor_ex(*_ldl_factor_ex(A, hermitian, check_errors))
    return _linalg_ldl_factor_ex_slow((A, hermitian, check_errors), extra, unknown)

_linalg_ldl_solve_slow = _Binding("linalg_ldl_solve", "Tensor (Tensor LD, Tensor pivots, Tensor B, *, Bool hermitian=False)",
        _ldl_solve, autocast="float32")
def linalg_ldl_solve(LD=_missing, pivots=_missing, B=_missing, *extra, hermitian=False, **unknown):
    """x with A x = B, from the factors of a symmetric or Hermitian A.

    The factors come from `flow.linalg.ldl_factor`. There is a gradient of B, and none of the factors.

    Args:
        LD: L and D in one matrix.
        pivots: the exchanges of rows, integers.
        B: the right sides.
        hermitian: whether A is Hermitian, as the factors were made.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n), (..., n), (..., n, k) -> (..., n, k).

    Differentiable. Under `flow.autocast` it computes in float32.

    Raises:
        RuntimeError: the factors are not square, sizes or dtypes differ, or the pivots name no rows.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.ldl_solve.

    Example:
        >>> import tritonflow as flow
        >>> LD, pivots = flow.linalg.ldl_factor(flow.tensor([[0.0, 2.0], [2.0, 0.0]]))
        >>> flow.linalg.ldl_solve(LD, pivots, flow.tensor([[2.0], [4.0]])).tolist()
        [[2.0], [1.0]]
    """
    if (LD.__class__ is _Tensor and pivots.__class__ is _Tensor and B.__class__ is _Tensor and
            (hermitian is False or hermitian is True) and not extra and not unknown):
        return _ldl_solve(LD, pivots, B, hermitian)
    return _linalg_ldl_solve_slow((LD, pivots, B, hermitian), extra, unknown)

_exchange_rows_slow = _Binding("exchange_rows", "Tensor (Tensor b, Tensor pivots, Bool undo)", _exchange_rows)
def exchange_rows(b=_missing, pivots=_missing, undo=_missing, *extra, **unknown):
    """rows exchanged as LU did, or back"""
    if b.__class__ is _Tensor and pivots.__class__ is _Tensor and (undo is False or undo is True) and not extra and not unknown:
        return _exchange_rows(b, pivots, undo)
    return _exchange_rows_slow((b, pivots, undo), extra, unknown)

_linalg_qr_slow = _Binding("linalg_qr", "TensorTuple[Q, R] (Tensor A, String mode='reduced')", _qr, autocast="float32",
        result=_return_types.linalg_qr)
def linalg_qr(A=_missing, mode='reduced', *extra, **unknown):
    """A = Q R with orthonormal columns of Q and an upper triangular R.

    It uses Householder's reflections. The signs of the diagonal of R are free.

    Args:
        A: matrices of any size.
        mode: "reduced": k = min(m, n) columns of Q; "complete": all m; "r": R only, and Q is empty.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n) -> Q (..., m, k), R (..., k, n) with k = min(m, n), or m if complete.

    Returns:
        A named tuple `(Q, R)`.

    Differentiable. Under `flow.autocast` it computes in float32.

    Raises:
        RuntimeError: another mode, fewer than 2 dimensions, or neither float32 nor float64, nor complex of
            these.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.qr.

    Example:
        >>> import tritonflow as flow
        >>> A = flow.tensor([[3.0, 1.0], [4.0, 2.0], [0.0, 2.0]])
        >>> Q, R = flow.linalg.qr(A)
        >>> Q.shape, R.shape
        (tritonflow.Size([3, 2]), tritonflow.Size([2, 2]))
        >>> flow.allclose(Q @ R, A, atol=1e-5), flow.allclose(Q.T @ Q, flow.eye(2), atol=1e-5)
        (True, True)
    """
    if A.__class__ is _Tensor and mode.__class__ is str and not extra and not unknown:
        return _return_types.linalg_qr(*_qr(A, mode))
    return _linalg_qr_slow((A, mode), extra, unknown)

_geqrf_slow = _Binding("geqrf", "TensorTuple[a, tau] (Tensor input)", _ge_qrf, methods="geqrf", autocast="float32",
        result=_return_types.geqrf)
def geqrf(input=_missing, *extra, **unknown):
    """R, with the vectors of Householder's reflections below it, and their factors.

    Reflection i is H_i = 1 - tau_i v_i v_i^T, where v_i is 0 above row i, 1 there, and column i of `a`
    below it. Q is the product H_0 H_1 ... of them, which `flow.linalg.householder_product` makes. There
    is no gradient; `flow.linalg.qr` has one.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n) -> a (..., m, n), tau (..., min(m, n)).

    Returns:
        A named tuple `(a, tau)`.

    Under `flow.autocast` it computes in float32. Method: `Tensor.geqrf`.

    Raises:
        RuntimeError: fewer than 2 dimensions, or neither float32 nor float64, nor complex of these.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.geqrf.

    Example:
        >>> import tritonflow as flow
        >>> A = flow.tensor([[3.0, 1.0], [4.0, 2.0]])
        >>> a, tau = flow.geqrf(A)
        >>> flow.allclose(flow.linalg.householder_product(a, tau) @ flow.triu(a), A, atol=1e-5)
        True
    """
    if input.__class__ is _Tensor and not extra and not unknown:
        return _return_types.geqrf(*_ge_qrf(input))
    return _geqrf_slow((input,), extra, unknown)

_linalg_householder_product_slow = _Binding("linalg_householder_product", "Tensor (Tensor input, Tensor tau)",
        _householder_product, autocast="float32")
def linalg_householder_product(input=_missing, tau=_missing, *extra, **unknown):
    """The first columns of a product of Householder's reflections.

    It is the n first columns of H_0 H_1 ... H_(k-1) with H_i = 1 - tau_i v_i v_i^T. The vector v_i is 0
    above row i, 1 there, and column i of the input below it, as `flow.geqrf` gives them.

    Args:
        input: the vectors below the diagonal; the rest is not read.
        tau: the factor of each reflection.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n), (..., k) with m >= n >= k -> (..., m, n).

    Under `flow.autocast` it computes in float32.

    Raises:
        RuntimeError: m < n, n < k, other dtypes, or batch dimensions that differ.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.householder_product.

    Example:
        >>> import tritonflow as flow
        >>> a, tau = flow.geqrf(flow.tensor([[3.0, 1.0], [4.0, 2.0]]))
        >>> Q = flow.linalg.householder_product(a, tau)
        >>> flow.allclose(Q.T @ Q, flow.eye(2), atol=1e-5)
        True
    """
    if input.__class__ is _Tensor and tau.__class__ is _Tensor and not extra and not unknown:
        return _householder_product(input, tau)
    return _linalg_householder_product_slow((input, tau), extra, unknown)

_orgqr_slow = _Binding("orgqr", "Tensor (Tensor input, Tensor tau)", _householder_product, methods="orgqr", autocast="float32",
        like="linalg_householder_product")
def orgqr(input=_missing, tau=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and tau.__class__ is _Tensor and not extra and not unknown:
        return _householder_product(input, tau)
    return _orgqr_slow((input, tau), extra, unknown)

_linalg_eigh_slow = _Binding("linalg_eigh", "TensorTuple[eigenvalues, eigenvectors] (Tensor input, String UPLO='L')", _eigh,
        autocast="float32", result=_return_types.linalg_eigh)
def linalg_eigh(input=_missing, UPLO='L', *extra, **unknown):
    """The eigenvalues of symmetric matrices, and eigenvectors.

    A = V diag(w) V^T with orthonormal columns of V. The eigenvalues w rise. One triangle is read, and
    taken for the other one too. The signs of the vectors are free.

    Args:
        input: the input.
        UPLO: which triangle is read: "L" or "U".
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n) -> eigenvalues (..., n), eigenvectors (..., n, n).

    Returns:
        A named tuple `(eigenvalues, eigenvectors)`.

    Differentiable. Under `flow.autocast` it computes in float32.

    Raises:
        LinAlgError: the iteration did not converge.
        ValueError: another UPLO.
        RuntimeError: the matrices are not square, or neither float32 nor float64, nor complex of these.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.eigh.

    Example:
        >>> import tritonflow as flow
        >>> A = flow.tensor([[2.0, 1.0], [1.0, 2.0]])
        >>> w, V = flow.linalg.eigh(A)
        >>> flow.allclose(w, flow.tensor([1.0, 3.0]))
        True
        >>> flow.allclose(V @ flow.diag(w) @ V.T, A, atol=1e-5)
        True
    """
    if input.__class__ is _Tensor and UPLO.__class__ is str and not extra and not unknown:
        return _return_types.linalg_eigh(*_eigh(input, UPLO))
    return _linalg_eigh_slow((input, UPLO), extra, unknown)

_linalg_eigen_slow = _Binding("linalg_eigen", "TensorTuple (Tensor a)", _eigen)
def linalg_eigen(a=_missing, *extra, **unknown):
    """the eigenvalues of square matrices, and eigenvectors, as pairs of real numbers"""
    if a.__class__ is _Tensor and not extra and not unknown:
        return _eigen(a)
    return _linalg_eigen_slow((a,), extra, unknown)

_linalg_svd_slow = _Binding("linalg_svd", "TensorTuple[U, S, Vh] (Tensor A, Bool full_matrices=True, *, String driver=None)",
        _linalg_svd, autocast="float32", result=_return_types.linalg_svd)
def linalg_svd(A=_missing, full_matrices=True, *extra, driver=None, **unknown):
    """A = U diag(S) Vh, with orthonormal columns of U and rows of Vh.

    The singular values S fall and are at least 0. The signs of the vectors are free. The gradient is
    finite only where the singular values differ.

    Args:
        A: matrices of any size.
        full_matrices: whether U and Vh are square; otherwise they have k = min(m, n) columns and rows.
        driver: None; another one is refused, because it names algorithms of CUDA.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n) -> U (..., m, m or k), S (..., k), Vh (..., n or k, n).

    Returns:
        A named tuple `(U, S, Vh)`.

    Differentiable. Under `flow.autocast` it computes in float32.

    Raises:
        LinAlgError: a number is not finite.
        RuntimeError: a driver, fewer than 2 dimensions, or neither float32 nor float64, nor complex of
            these.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.svd.

    Example:
        >>> import tritonflow as flow
        >>> A = flow.tensor([[3.0, 0.0], [0.0, 4.0], [0.0, 0.0]])
        >>> U, S, Vh = flow.linalg.svd(A, full_matrices=False)
        >>> S
        tensor([4., 3.])
        >>> flow.allclose(U @ flow.diag(S) @ Vh, A, atol=1e-5)
        True
    """
    if (A.__class__ is _Tensor and (full_matrices is True or full_matrices is False) and
            (driver is None or driver.__class__ is str) and not extra and not unknown):
        return _return_types.linalg_svd(*_linalg_svd(A, full_matrices, driver))
    return _linalg_svd_slow((A, full_matrices, driver), extra, unknown)

_linalg_pseudoinverse_slow = _Binding("linalg_pseudoinverse", "TensorTuple (Tensor a, Bool symmetric, Double atol, Double rtol)",
        _pseudoinverse)
def linalg_pseudoinverse(a=_missing, symmetric=_missing, atol=_missing, rtol=_missing, *extra, **unknown):
    """the pseudoinverse where singular values up to max(atol, rtol * the largest) count as 0"""
    if (a.__class__ is _Tensor and (symmetric is False or symmetric is True) and atol.__class__ is float and
            rtol.__class__ is float and not extra and not unknown):
        return _pseudoinverse(a, symmetric, atol, rtol)
    return _linalg_pseudoinverse_slow((a, symmetric, atol, rtol), extra, unknown)

_linalg_checked_slow = _Binding("linalg_checked", "Tensor (Tensor x, Tensor info, String message)", _checked)
def linalg_checked(x=_missing, info=_missing, message=_missing, *extra, **unknown):
    """a tensor, and an error where a factorisation was not possible"""
    if x.__class__ is _Tensor and info.__class__ is _Tensor and message.__class__ is str and not extra and not unknown:
        return _checked(x, info, message)
    return _linalg_checked_slow((x, info, message), extra, unknown)

_linalg_cholesky_slow = _Binding("linalg_cholesky", "Tensor (Tensor input, *, Bool upper=False)", _linalg_cholesky,
        autocast="float32")
def linalg_cholesky(input=_missing, *extra, upper=False, **unknown):
    if input.__class__ is _Tensor and (upper is False or upper is True) and not extra and not unknown:
        return _linalg_cholesky(input, upper)
    return _linalg_cholesky_slow((input, upper), extra, unknown)

_cholesky_slow = _Binding("cholesky", "Tensor (Tensor input, Bool upper=False)", _cholesky, methods="cholesky",
        autocast="float32")
def cholesky(input=_missing, upper=False, *extra, **unknown):
    if input.__class__ is _Tensor and (upper is False or upper is True) and not extra and not unknown:
        return _cholesky(input, upper)
    return _cholesky_slow((input, upper), extra, unknown)

_linalg_lu_factor_slow = _Binding("linalg_lu_factor", "TensorTuple[LU, pivots] (Tensor A, *, Bool pivot=True)", _lu_factor,
        autocast="float32", result=_return_types.linalg_lu_factor)
def linalg_lu_factor(A=_missing, *extra, pivot=True, **unknown):
    if A.__class__ is _Tensor and (pivot is True or pivot is False) and not extra and not unknown:
        return _return_types.linalg_lu_factor(*_lu_factor(A, pivot))
    return _linalg_lu_factor_slow((A, pivot), extra, unknown)

_lu_slow = _Binding("lu", "Any (Tensor A, Bool pivot=True, Bool get_infos=False)", _old_lu, methods="lu", autocast="float32")
def lu(A=_missing, pivot=True, get_infos=False, *extra, **unknown):
    if (A.__class__ is _Tensor and (pivot is True or pivot is False) and (get_infos is False or get_infos is True) and not extra
            and not unknown):
        return _old_lu(A, pivot, get_infos)
    return _lu_slow((A, pivot, get_infos), extra, unknown)

_linalg_lu_slow = _Binding("linalg_lu", "TensorTuple[P, L, U] (Tensor A, *, Bool pivot=True)", _linalg_lu, autocast="float32",
        result=_return_types.linalg_lu)
def linalg_lu(A=_missing, *extra, pivot=True, **unknown):
    if A.__class__ is _Tensor and (pivot is True or pivot is False) and not extra and not unknown:
        return _return_types.linalg_lu(*_linalg_lu(A, pivot))
    return _linalg_lu_slow((A, pivot), extra, unknown)

_lu_unpack_slow = _Binding("lu_unpack",
        "TensorTuple[P, L, U] (Tensor LU_data, Tensor LU_pivots, Bool unpack_data=True, Bool unpack_pivots=True)", _lu_unpack,
        autocast="float32", result=_return_types.lu_unpack)
def lu_unpack(LU_data=_missing, LU_pivots=_missing, unpack_data=True, unpack_pivots=True, *extra, **unknown):
    if (LU_data.__class__ is _Tensor and LU_pivots.__class__ is _Tensor and (unpack_data is True or unpack_data is False) and
            (unpack_pivots is True or unpack_pivots is False) and not extra and not unknown):
        return _return_types.lu_unpack(*_lu_unpack(LU_data, LU_pivots, unpack_data, unpack_pivots))
    return _lu_unpack_slow((LU_data, LU_pivots, unpack_data, unpack_pivots), extra, unknown)

_linalg_ldl_factor_slow = _Binding("linalg_ldl_factor", "TensorTuple[LD, pivots] (Tensor A, *, Bool hermitian=False)",
        _ldl_factor, autocast="float32", result=_return_types.linalg_ldl_factor)
def linalg_ldl_factor(A=_missing, *extra, hermitian=False, **unknown):
    if A.__class__ is _Tensor and (hermitian is False or hermitian is True) and not extra and not unknown:
        return _return_types.linalg_ldl_factor(*_ldl_factor(A, hermitian))
    return _linalg_ldl_factor_slow((A, hermitian), extra, unknown)

_ldl_solve_grad_slow = _Binding("ldl_solve_grad", "Tensor (Tensor dx, Tensor LD, Tensor pivots, Bool hermitian)", _ldl_solve_grad)
def ldl_solve_grad(dx=_missing, LD=_missing, pivots=_missing, hermitian=_missing, *extra, **unknown):
    if (dx.__class__ is _Tensor and LD.__class__ is _Tensor and pivots.__class__ is _Tensor and
            (hermitian is False or hermitian is True) and not extra and not unknown):
        return _ldl_solve_grad(dx, LD, pivots, hermitian)
    return _ldl_solve_grad_slow((dx, LD, pivots, hermitian), extra, unknown)

_ldl_factors_grad_slow = _Binding("ldl_factors_grad", "Tensor (Tensor LD)", _ldl_factors_grad)
def ldl_factors_grad(LD=_missing, *extra, **unknown):
    if LD.__class__ is _Tensor and not extra and not unknown:
        return _ldl_factors_grad(LD)
    return _ldl_factors_grad_slow((LD,), extra, unknown)

_linalg_det_slow = _Binding("linalg_det", "Tensor (Tensor A)", _linalg_det, autocast="float32")
def linalg_det(A=_missing, *extra, **unknown):
    if A.__class__ is _Tensor and not extra and not unknown:
        return _linalg_det(A)
    return _linalg_det_slow((A,), extra, unknown)

_det_slow = _Binding("det", "Tensor (Tensor input)", _det, methods="det", autocast="float32")
def det(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _det(input)
    return _det_slow((input,), extra, unknown)

_linalg_slogdet_slow = _Binding("linalg_slogdet", "TensorTuple[sign, logabsdet] (Tensor A)", _linalg_slogdet, autocast="float32",
        result=_return_types.linalg_slogdet)
def linalg_slogdet(A=_missing, *extra, **unknown):
    if A.__class__ is _Tensor and not extra and not unknown:
        return _return_types.linalg_slogdet(*_linalg_slogdet(A))
    return _linalg_slogdet_slow((A,), extra, unknown)

_slogdet_slow = _Binding("slogdet", "TensorTuple[sign, logabsdet] (Tensor input)", _slogdet, methods="slogdet",
        autocast="float32", result=_return_types.slogdet)
def slogdet(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _return_types.slogdet(*_slogdet(input))
    return _slogdet_slow((input,), extra, unknown)

_logdet_slow = _Binding("logdet", "Tensor (Tensor input)", _logdet, methods="logdet", autocast="float32")
def logdet(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _logdet(input)
    return _logdet_slow((input,), extra, unknown)

_linalg_eig_slow = _Binding("linalg_eig", "TensorTuple[eigenvalues, eigenvectors] (Tensor input)", _linalg_eig,
        autocast="float32", result=_return_types.linalg_eig)
def linalg_eig(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _return_types.linalg_eig(*_linalg_eig(input))
    return _linalg_eig_slow((input,), extra, unknown)

_linalg_eigvals_slow = _Binding("linalg_eigvals", "Tensor (Tensor input)", _linalg_eigvals, autocast="float32")
def linalg_eigvals(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _linalg_eigvals(input)
    return _linalg_eigvals_slow((input,), extra, unknown)

_eig_grad_slow = _Binding("eig_grad", "Tensor (Tensor dvalues, Tensor dvectors, Tensor values, Tensor vectors, DataType dtype)",
        _eig_grad)
def eig_grad(dvalues=_missing, dvectors=_missing, values=_missing, vectors=_missing, dtype=_missing, *extra, **unknown):
    if (dvalues.__class__ is _Tensor and dvectors.__class__ is _Tensor and values.__class__ is _Tensor and
            vectors.__class__ is _Tensor and dtype.__class__ is _DType and not extra and not unknown):
        return _eig_grad(dvalues, dvectors, values, vectors, dtype)
    return _eig_grad_slow((dvalues, dvectors, values, vectors, dtype), extra, unknown)

_matrix_power_slow = _Binding("matrix_power", "Tensor (Tensor input, Int64 n)", _matrix_power, methods="matrix_power",
        autocast="lower")
def matrix_power(input=_missing, n=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and n.__class__ is int and not extra and not unknown:
        return _matrix_power(input, n)
    return _matrix_power_slow((input, n), extra, unknown)

_linalg_matrix_power_slow = _Binding("linalg_matrix_power", "Tensor (Tensor input, Int64 n)", _matrix_power, autocast="lower",
        like="matrix_power")
def linalg_matrix_power(input=_missing, n=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and n.__class__ is int and not extra and not unknown:
        return _matrix_power(input, n)
    return _linalg_matrix_power_slow((input, n), extra, unknown)

_matrix_exp_slow = _Binding("matrix_exp", "Tensor (Tensor input)", _matrix_exp, methods="matrix_exp", autocast="float32")
def matrix_exp(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _matrix_exp(input)
    return _matrix_exp_slow((input,), extra, unknown)

_linalg_matrix_exp_slow = _Binding("linalg_matrix_exp", "Tensor (Tensor input)", _matrix_exp, autocast="float32",
        like="matrix_exp")
def linalg_matrix_exp(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _matrix_exp(input)
    return _linalg_matrix_exp_slow((input,), extra, unknown)

_linalg_cond_slow = _Binding("linalg_cond", "Tensor (Tensor input, Scalar p=None)", _linalg_cond,
        "Tensor (Tensor input, String p)", _linalg_cond, autocast="float32")
def linalg_cond(input=_missing, p=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and p is _missing and not extra and not unknown:
        return _linalg_cond(input, None)
    if input.__class__ is _Tensor and p.__class__ is str and not extra and not unknown:
        return _linalg_cond(input, p)
    return _linalg_cond_slow((input, p), extra, unknown)

_linalg_multi_dot_slow = _Binding("linalg_multi_dot", "Tensor (TensorTuple tensors)", _linalg_multi_dot, autocast="lower")
def linalg_multi_dot(tensors=_missing, *extra, **unknown):
    if tensors.__class__ is tuple and not extra and not unknown and _all_tensors(tensors):
        return _linalg_multi_dot(tensors)
    if tensors.__class__ is _Tensor and not unknown and _all_tensors(extra):
        return _linalg_multi_dot((tensors, *extra))
    return _linalg_multi_dot_slow((tensors,), extra, unknown)

_cholesky_grad_slow = _Binding("cholesky_grad", "Tensor (Tensor dL, Tensor L)", _cholesky_grad)
def cholesky_grad(dL=_missing, L=_missing, *extra, **unknown):
    if dL.__class__ is _Tensor and L.__class__ is _Tensor and not extra and not unknown:
        return _cholesky_grad(dL, L)
    return _cholesky_grad_slow((dL, L), extra, unknown)

_triangular_grad_slow = _Binding("triangular_grad",
        "Tensor (Tensor db, Tensor x, Bool upper, Bool adjoint, Bool left, Bool unit)", _triangular_grad)
def triangular_grad(db=_missing, x=_missing, upper=_missing, adjoint=_missing, left=_missing, unit=_missing, *extra, **unknown):
    if (db.__class__ is _Tensor and x.__class__ is _Tensor and (upper is False or upper is True) and
            (adjoint is False or adjoint is True) and (left is False or left is True) and (unit is False or unit is True) and
            not extra and not unknown):
        return _triangular_grad(db, x, upper, adjoint, left, unit)
    return _triangular_grad_slow((db, x, upper, adjoint, left, unit), extra, unknown)

_solve_grad_slow = _Binding("solve_grad", "Tensor (Tensor dx, Tensor a, Tensor factors, Tensor pivots)", _solve_grad)
def solve_grad(dx=_missing, a=_missing, factors=_missing, pivots=_missing, *extra, **unknown):
    if (dx.__class__ is _Tensor and a.__class__ is _Tensor and factors.__class__ is _Tensor and pivots.__class__ is _Tensor and
            not extra and not unknown):
        return _solve_grad(dx, a, factors, pivots)
    return _solve_grad_slow((dx, a, factors, pivots), extra, unknown)

_det_grad_slow = _Binding("det_grad", "Tensor (Tensor dy, Tensor det, Tensor a, Tensor factors, Tensor pivots)", _det_grad)
def det_grad(dy=_missing, det=_missing, a=_missing, factors=_missing, pivots=_missing, *extra, **unknown):
    if (dy.__class__ is _Tensor and det.__class__ is _Tensor and a.__class__ is _Tensor and factors.__class__ is _Tensor and
            pivots.__class__ is _Tensor and not extra and not unknown):
        return _det_grad(dy, det, a, factors, pivots)
    return _det_grad_slow((dy, det, a, factors, pivots), extra, unknown)

_second_cofactors_slow = _Binding("second_cofactors", "Tensor (Tensor direction, Tensor a)", _second_cofactors)
def second_cofactors(direction=_missing, a=_missing, *extra, **unknown):
    if direction.__class__ is _Tensor and a.__class__ is _Tensor and not extra and not unknown:
        return _second_cofactors(direction, a)
    return _second_cofactors_slow((direction, a), extra, unknown)

_third_cofactors_slow = _Binding("third_cofactors", "Tensor (Tensor dout, Tensor direction, Tensor a)", _third_cofactors)
def third_cofactors(dout=_missing, direction=_missing, a=_missing, *extra, **unknown):
    if dout.__class__ is _Tensor and direction.__class__ is _Tensor and a.__class__ is _Tensor and not extra and not unknown:
        return _third_cofactors(dout, direction, a)
    return _third_cofactors_slow((dout, direction, a), extra, unknown)

_slogdet_grad_slow = _Binding("slogdet_grad",
        "Tensor (Tensor dsign, Tensor dmagnitude, Tensor sign, Tensor a, Tensor factors, Tensor pivots)", _slogdet_grad)
def slogdet_grad(dsign=_missing, dmagnitude=_missing, sign=_missing, a=_missing, factors=_missing, pivots=_missing, *extra,
        **unknown):
    if (dsign.__class__ is _Tensor and dmagnitude.__class__ is _Tensor and sign.__class__ is _Tensor and a.__class__ is _Tensor
            and factors.__class__ is _Tensor and pivots.__class__ is _Tensor and not extra and not unknown):
        return _slogdet_grad(dsign, dmagnitude, sign, a, factors, pivots)
    return _slogdet_grad_slow((dsign, dmagnitude, sign, a, factors, pivots), extra, unknown)

_lu_factor_grad_slow = _Binding("lu_factor_grad", "Tensor (Tensor dfactors, Tensor factors, Tensor pivots)", _lu_factor_grad)
def lu_factor_grad(dfactors=_missing, factors=_missing, pivots=_missing, *extra, **unknown):
    if (dfactors.__class__ is _Tensor and factors.__class__ is _Tensor and pivots.__class__ is _Tensor and not extra and
            not unknown):
        return _lu_factor_grad(dfactors, factors, pivots)
    return _lu_factor_grad_slow((dfactors, factors, pivots), extra, unknown)

_qr_grad_slow = _Binding("qr_grad", "Tensor (Tensor dq, Tensor dr, Tensor q, Tensor r, String mode)", _qr_grad)
def qr_grad(dq=_missing, dr=_missing, q=_missing, r=_missing, mode=_missing, *extra, **unknown):
    if (dq.__class__ is _Tensor and dr.__class__ is _Tensor and q.__class__ is _Tensor and r.__class__ is _Tensor and
            mode.__class__ is str and not extra and not unknown):
        return _qr_grad(dq, dr, q, r, mode)
    return _qr_grad_slow((dq, dr, q, r, mode), extra, unknown)

_eigh_grad_slow = _Binding("eigh_grad", "Tensor (Tensor dvalues, Tensor dvectors, Tensor values, Tensor vectors)", _eigh_grad)
def eigh_grad(dvalues=_missing, dvectors=_missing, values=_missing, vectors=_missing, *extra, **unknown):
    if (dvalues.__class__ is _Tensor and dvectors.__class__ is _Tensor and values.__class__ is _Tensor and
            vectors.__class__ is _Tensor and not extra and not unknown):
        return _eigh_grad(dvalues, dvectors, values, vectors)
    return _eigh_grad_slow((dvalues, dvectors, values, vectors), extra, unknown)

_svd_grad_slow = _Binding("svd_grad", "Tensor (Tensor du, Tensor ds, Tensor dvh, Tensor u, Tensor s, Tensor vh, Bool full)",
        _svd_grad)
def svd_grad(du=_missing, ds=_missing, dvh=_missing, u=_missing, s=_missing, vh=_missing, full=_missing, *extra, **unknown):
    if (du.__class__ is _Tensor and ds.__class__ is _Tensor and dvh.__class__ is _Tensor and u.__class__ is _Tensor and
            s.__class__ is _Tensor and vh.__class__ is _Tensor and (full is False or full is True) and not extra and not unknown):
        return _svd_grad(du, ds, dvh, u, s, vh, full)
    return _svd_grad_slow((du, ds, dvh, u, s, vh, full), extra, unknown)

_pinv_grad_slow = _Binding("pinv_grad", "Tensor (Tensor dp, Tensor p, Tensor a)", _pinv_grad)
def pinv_grad(dp=_missing, p=_missing, a=_missing, *extra, **unknown):
    if dp.__class__ is _Tensor and p.__class__ is _Tensor and a.__class__ is _Tensor and not extra and not unknown:
        return _pinv_grad(dp, p, a)
    return _pinv_grad_slow((dp, p, a), extra, unknown)

_svd_lowrank_slow = _Binding("svd_lowrank", "TensorTuple (Tensor A, Int32 q=6, Int32 niter=2, Tensor M=None)", _svd_lowrank,
        autocast="float32")
def svd_lowrank(A=_missing, q=6, niter=2, M=None, *extra, **unknown):
    if (A.__class__ is _Tensor and q.__class__ is int and niter.__class__ is int and (M is None or M.__class__ is _Tensor) and
            not extra and not unknown):
        return _svd_lowrank(A, q, niter, M)
    return _svd_lowrank_slow((A, q, niter, M), extra, unknown)

_pca_lowrank_slow = _Binding("pca_lowrank", "TensorTuple (Tensor A, Int32 q=None, Bool center=True, Int32 niter=2)", _pca_lowrank,
        autocast="float32")
def pca_lowrank(A=_missing, q=None, center=True, niter=2, *extra, **unknown):
    if (A.__class__ is _Tensor and (q is None or q.__class__ is int) and (center is True or center is False) and
            niter.__class__ is int and not extra and not unknown):
        return _pca_lowrank(A, q, center, niter)
    return _pca_lowrank_slow((A, q, center, niter), extra, unknown)

_qr_slow = _Binding("qr", "TensorTuple[Q, R] (Tensor input, Bool some=True)", _old_qr, methods="qr", autocast="float32",
        result=_return_types.qr)
def qr(input=_missing, some=True, *extra, **unknown):
    if input.__class__ is _Tensor and (some is True or some is False) and not extra and not unknown:
        return _return_types.qr(*_old_qr(input, some))
    return _qr_slow((input, some), extra, unknown)

_ormqr_slow = _Binding("ormqr", "Tensor (Tensor input, Tensor tau, Tensor other, Bool left=True, Bool transpose=False)", _ormqr,
        methods="ormqr", autocast="float32")
def ormqr(input=_missing, tau=_missing, other=_missing, left=True, transpose=False, *extra, **unknown):
    if (input.__class__ is _Tensor and tau.__class__ is _Tensor and other.__class__ is _Tensor and (left is True or left is False)
            and (transpose is False or transpose is True) and not extra and not unknown):
        return _ormqr(input, tau, other, left, transpose)
    return _ormqr_slow((input, tau, other, left, transpose), extra, unknown)

_linalg_vecdot_slow = _Binding("linalg_vecdot", "Tensor (Tensor x, Tensor y, *, Int32 dim=-1)", _linalg_vecdot, autocast="lower")
def linalg_vecdot(x=_missing, y=_missing, *extra, dim=-1, **unknown):
    if x.__class__ is _Tensor and y.__class__ is _Tensor and dim.__class__ is int and not extra and not unknown:
        return _linalg_vecdot(x, y, dim)
    return _linalg_vecdot_slow((x, y, dim), extra, unknown)

_linalg_cross_slow = _Binding("linalg_cross", "Tensor (Tensor input, Tensor other, *, Int32 dim=-1)", _linalg_cross)
def linalg_cross(input=_missing, other=_missing, *extra, dim=-1, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and dim.__class__ is int and not extra and not unknown:
        return _linalg_cross(input, other, dim)
    return _linalg_cross_slow((input, other, dim), extra, unknown)

_linalg_diagonal_slow = _Binding("linalg_diagonal", "Tensor (Tensor A, *, Int64 offset=0, Int32 dim1=-2, Int32 dim2=-1)",
        _linalg_diagonal)
def linalg_diagonal(A=_missing, *extra, offset=0, dim1=-2, dim2=-1, **unknown):
    if (A.__class__ is _Tensor and offset.__class__ is int and dim1.__class__ is int and dim2.__class__ is int and not extra and
            not unknown):
        return _linalg_diagonal(A, offset, dim1, dim2)
    return _linalg_diagonal_slow((A, offset, dim1, dim2), extra, unknown)

_linalg_vander_slow = _Binding("linalg_vander", "Tensor (Tensor x, *, Int64 N=None)", _linalg_vander)
def linalg_vander(x=_missing, *extra, N=None, **unknown):
    if x.__class__ is _Tensor and (N is None or N.__class__ is int) and not extra and not unknown:
        return _linalg_vander(x, N)
    return _linalg_vander_slow((x, N), extra, unknown)

_linalg_tensorinv_slow = _Binding("linalg_tensorinv", "Tensor (Tensor input, Int64 ind=2)", _linalg_tensorinv, autocast="float32")
def linalg_tensorinv(input=_missing, ind=2, *extra, **unknown):
    if input.__class__ is _Tensor and ind.__class__ is int and not extra and not unknown:
        return _linalg_tensorinv(input, ind)
    return _linalg_tensorinv_slow((input, ind), extra, unknown)

_linalg_tensorsolve_slow = _Binding("linalg_tensorsolve", "Tensor (Tensor input, Tensor other, Int32List[1] dims=None)",
        _linalg_tensorsolve, autocast="float32")
def linalg_tensorsolve(input=_missing, other=_missing, dims=None, *extra, **unknown):
    if (input.__class__ is _Tensor and other.__class__ is _Tensor and
            (dims is None or dims.__class__ is int or dims.__class__ is _Size or (dims.__class__ is tuple or dims.__class__ is list)
            and _all_ints(dims)) and not extra and not unknown):
        return _linalg_tensorsolve(input, other, (dims,) if dims.__class__ is int else tuple(dims) if dims.__class__ is list else
                dims)
    return _linalg_tensorsolve_slow((input, other, dims), extra, unknown)

_linalg_matmul_slow = _Binding("linalg_matmul", "Tensor (Tensor input, Tensor other)", _linalg_matmul, autocast="lower")
def linalg_matmul(input=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _linalg_matmul(input, other)
    return _linalg_matmul_slow((input, other), extra, unknown)

_linalg_lstsq_slow = _Binding("linalg_lstsq",
        "TensorTuple[solution, residuals, rank, singular_values] (Tensor input, Tensor b, Double rcond=None, *, String driver=None)",
        _linalg_lstsq, autocast="float32", result=_return_types.linalg_lstsq)
def linalg_lstsq(input=_missing, b=_missing, rcond=None, *extra, driver=None, **unknown):
    if (input.__class__ is _Tensor and b.__class__ is _Tensor and (rcond is None or rcond.__class__ is float) and
            (driver is None or driver.__class__ is str) and not extra and not unknown):
        return _return_types.linalg_lstsq(*_linalg_lstsq(input, b, rcond, driver))
    return _linalg_lstsq_slow((input, b, rcond, driver), extra, unknown)

_linalg_pinv_slow = _Binding("linalg_pinv", "Tensor (Tensor input, *, Double atol=None, Double rtol=None, Bool hermitian=False)",
        _linalg_pinv, "Tensor (Tensor input, *, Tensor atol=None, Tensor rtol=None, Bool hermitian=False)", _linalg_pinv,
        "Tensor (Tensor input, Double rcond, Bool hermitian=False)", _pinv_rcond,
        "Tensor (Tensor input, Tensor rcond, Bool hermitian=False)", _pinv_rcond, autocast="float32")
def linalg_pinv(input=_missing, rcond=_missing, hermitian=False, *extra, atol=None, rtol=None, **unknown):
    if (input.__class__ is _Tensor and (atol is None or atol.__class__ is float) and (rtol is None or rtol.__class__ is float) and
            hermitian is False and rcond is _missing and not extra and not unknown):
        return _linalg_pinv(input, atol, rtol, hermitian)
    if (input.__class__ is _Tensor and rcond.__class__ is float and (hermitian is False or hermitian is True) and atol is None and
            rtol is None and not extra and not unknown):
        return _pinv_rcond(input, rcond, hermitian)
    return _linalg_pinv_slow((input, rcond, hermitian, atol, rtol), extra, unknown)

_pinverse_slow = _Binding("pinverse", "Tensor (Tensor input, Double rcond=1e-15)", _pinverse, methods="pinverse",
        autocast="float32")
def pinverse(input=_missing, rcond=1e-15, *extra, **unknown):
    if input.__class__ is _Tensor and rcond.__class__ is float and not extra and not unknown:
        return _pinverse(input, rcond)
    return _pinverse_slow((input, rcond), extra, unknown)

_linalg_matrix_rank_slow = _Binding("linalg_matrix_rank",
        "Tensor (Tensor input, *, Double atol=None, Double rtol=None, Bool hermitian=False)", _linalg_matrix_rank,
        "Tensor (Tensor input, *, Tensor atol=None, Tensor rtol=None, Bool hermitian=False)", _linalg_matrix_rank,
        "Tensor (Tensor input, Double tol, Bool hermitian=False)", _matrix_rank_tol,
        "Tensor (Tensor input, Tensor tol, Bool hermitian=False)", _matrix_rank_tol, autocast="float32")
def linalg_matrix_rank(input=_missing, tol=_missing, hermitian=False, *extra, atol=None, rtol=None, **unknown):
    if (input.__class__ is _Tensor and (atol is None or atol.__class__ is float) and (rtol is None or rtol.__class__ is float) and
            hermitian is False and tol is _missing and not extra and not unknown):
        return _linalg_matrix_rank(input, atol, rtol, hermitian)
    if (input.__class__ is _Tensor and tol.__class__ is float and (hermitian is False or hermitian is True) and atol is None and
            rtol is None and not extra and not unknown):
        return _matrix_rank_tol(input, tol, hermitian)
    return _linalg_matrix_rank_slow((input, tol, hermitian, atol, rtol), extra, unknown)

_linalg_solve_slow = _Binding("linalg_solve", "Tensor (Tensor A, Tensor B, *, Bool left=True)", _linalg_solve, autocast="float32")
def linalg_solve(A=_missing, B=_missing, *extra, left=True, **unknown):
    if A.__class__ is _Tensor and B.__class__ is _Tensor and (left is True or left is False) and not extra and not unknown:
        return _linalg_solve(A, B, left)
    return _linalg_solve_slow((A, B, left), extra, unknown)

_linalg_lu_solve_slow = _Binding("linalg_lu_solve",
        "Tensor (Tensor LU, Tensor pivots, Tensor B, *, Bool left=True, Bool adjoint=False)", _linalg_lu_solve,
        autocast="float32")
def linalg_lu_solve(LU=_missing, pivots=_missing, B=_missing, *extra, left=True, adjoint=False, **unknown):
    if (LU.__class__ is _Tensor and pivots.__class__ is _Tensor and B.__class__ is _Tensor and (left is True or left is False) and
            (adjoint is False or adjoint is True) and not extra and not unknown):
        return _linalg_lu_solve(LU, pivots, B, left, adjoint)
    return _linalg_lu_solve_slow((LU, pivots, B, left, adjoint), extra, unknown)

_lu_solve_slow = _Binding("lu_solve", "Tensor (Tensor input, Tensor LU_data, Tensor LU_pivots)", _lu_solve, methods="lu_solve",
        autocast="float32")
def lu_solve(input=_missing, LU_data=_missing, LU_pivots=_missing, *extra, **unknown):
    if (input.__class__ is _Tensor and LU_data.__class__ is _Tensor and LU_pivots.__class__ is _Tensor and not extra and
            not unknown):
        return _lu_solve(input, LU_data, LU_pivots)
    return _lu_solve_slow((input, LU_data, LU_pivots), extra, unknown)

_cholesky_solve_slow = _Binding("cholesky_solve", "Tensor (Tensor input, Tensor input2, Bool upper=False)", _cholesky_solve,
        methods="cholesky_solve", autocast="float32")
def cholesky_solve(input=_missing, input2=_missing, upper=False, *extra, **unknown):
    if (input.__class__ is _Tensor and input2.__class__ is _Tensor and (upper is False or upper is True) and not extra and
            not unknown):
        return _cholesky_solve(input, input2, upper)
    return _cholesky_solve_slow((input, input2, upper), extra, unknown)

_cholesky_inverse_slow = _Binding("cholesky_inverse", "Tensor (Tensor input, Bool upper=False)", _cholesky_inverse,
        methods="cholesky_inverse", autocast="float32")
def cholesky_inverse(input=_missing, upper=False, *extra, **unknown):
    if input.__class__ is _Tensor and (upper is False or upper is True) and not extra and not unknown:
        return _cholesky_inverse(input, upper)
    return _cholesky_inverse_slow((input, upper), extra, unknown)

_linalg_inv_ex_slow = _Binding("linalg_inv_ex", "TensorTuple[inverse, info] (Tensor A, *, Bool check_errors=False)",
        _linalg_inv_ex, autocast="float32", result=_return_types.linalg_inv_ex)
def linalg_inv_ex(A=_missing, *extra, check_errors=False, **unknown):
    if A.__class__ is _Tensor and (check_errors is False or check_errors is True) and not extra and not unknown:
        return _return_types.linalg_inv_ex(*_linalg_inv_ex(A, check_errors))
    return _linalg_inv_ex_slow((A, check_errors), extra, unknown)

_linalg_inv_slow = _Binding("linalg_inv", "Tensor (Tensor A)", _linalg_inv, autocast="float32")
def linalg_inv(A=_missing, *extra, **unknown):
    if A.__class__ is _Tensor and not extra and not unknown:
        return _linalg_inv(A)
    return _linalg_inv_slow((A,), extra, unknown)

_inverse_slow = _Binding("inverse", "Tensor (Tensor input)", _inverse, methods="inverse", autocast="float32")
def inverse(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _inverse(input)
    return _inverse_slow((input,), extra, unknown)

_linalg_eigvalsh_slow = _Binding("linalg_eigvalsh", "Tensor (Tensor input, String UPLO='L')", _linalg_eigvalsh,
        autocast="float32")
def linalg_eigvalsh(input=_missing, UPLO='L', *extra, **unknown):
    if input.__class__ is _Tensor and UPLO.__class__ is str and not extra and not unknown:
        return _linalg_eigvalsh(input, UPLO)
    return _linalg_eigvalsh_slow((input, UPLO), extra, unknown)

_linalg_svdvals_slow = _Binding("linalg_svdvals", "Tensor (Tensor A, *, String driver=None)", _linalg_svdvals, autocast="float32")
def linalg_svdvals(A=_missing, *extra, driver=None, **unknown):
    if A.__class__ is _Tensor and (driver is None or driver.__class__ is str) and not extra and not unknown:
        return _linalg_svdvals(A, driver)
    return _linalg_svdvals_slow((A, driver), extra, unknown)

_svd_slow = _Binding("svd", "TensorTuple[U, S, V] (Tensor input, Bool some=True, Bool compute_uv=True)", _svd, methods="svd",
        autocast="float32", result=_return_types.svd)
def svd(input=_missing, some=True, compute_uv=True, *extra, **unknown):
    if (input.__class__ is _Tensor and (some is True or some is False) and (compute_uv is True or compute_uv is False) and
            not extra and not unknown):
        return _return_types.svd(*_svd(input, some, compute_uv))
    return _svd_slow((input, some, compute_uv), extra, unknown)

_linalg_solve_triangular_slow = _Binding("linalg_solve_triangular",
        "Tensor (Tensor input, Tensor B, *, Bool upper, Bool left=True, Bool unitriangular=False)", _linalg_solve_triangular,
        autocast="float32")
def linalg_solve_triangular(input=_missing, B=_missing, *extra, upper=_missing, left=True, unitriangular=False, **unknown):
    if (input.__class__ is _Tensor and B.__class__ is _Tensor and (upper is False or upper is True) and
            (left is True or left is False) and (unitriangular is False or unitriangular is True) and not extra and not unknown):
        return _linalg_solve_triangular(input, B, upper, left, unitriangular)
    return _linalg_solve_triangular_slow((input, B, upper, left, unitriangular), extra, unknown)

_triangular_solve_slow = _Binding("triangular_solve",
        "TensorTuple[solution, cloned_coefficient] (Tensor input, Tensor A, Bool upper=True, Bool transpose=False, Bool unitriangular=False)",
        _triangular_solve, methods="triangular_solve", autocast="float32", result=_return_types.triangular_solve)
def triangular_solve(input=_missing, A=_missing, upper=True, transpose=False, unitriangular=False, *extra, **unknown):
    if (input.__class__ is _Tensor and A.__class__ is _Tensor and (upper is True or upper is False) and
            (transpose is False or transpose is True) and (unitriangular is False or unitriangular is True) and not extra and
            not unknown):
        return _return_types.triangular_solve(*_triangular_solve(input, A, upper, transpose, unitriangular))
    return _triangular_solve_slow((input, A, upper, transpose, unitriangular), extra, unknown)

_methods = _publish(globals())

"""Functions of the binding: linalg.

Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow._C import return_types as _return_types
from tritonflow.framework.tensor import Size as _Size
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.binding.arguments import Binding as _Binding, all_ints as _all_ints, all_tensors as _all_tensors
from tritonflow.functions.generated import (checked as _checked, eigen as _eigen, linalg_cofactors as _linalg_cofactors,
        linalg_determinant as _linalg_determinant, linalg_log_determinant as _linalg_log_determinant,
        linalg_second_cofactors as _linalg_second_cofactors, pseudoinverse as _pseudoinverse)
from tritonflow.functions.linalg import (cholesky as _cholesky, cholesky_ex as _cholesky_ex, linalg_eigh as _eigh,
        linalg_eigvalsh as _eigvals_h, exchange_rows as _exchange_rows, geqrf as _ge_qrf,
        householder_product as _householder_product, linalg_cholesky as _linalg_cholesky, linalg_lu as _linalg_lu,
        linalg_svd as _linalg_svd, lu_factor as _lu_factor, lu_factor_ex as _lu_factor_ex, lu_unpack as _lu_unpack,
        old_lu as _old_lu, old_qr as _old_qr, ormqr as _orm_qr, linalg_qr as _qr, svd as _svd, linalg_svdvals as _svd_vals)
from tritonflow.functions.linalg_eigen import (linalg_eig as _eig, eig_grad as _eig_grad, linalg_eigvals as _eig_vals)
from tritonflow.functions.linalg_forms import (linalg_cond as _cond, linalg_cross as _linalg_cross,
        linalg_diagonal as _linalg_diagonal, linalg_matmul as _linalg_mat_mul, linalg_vander as _linalg_vander,
        matrix_exp as _matrix_exp, matrix_power as _matrix_power, linalg_multi_dot as _multi_dot, linalg_tensorinv as _tensor_inv,
        linalg_tensorsolve as _tensor_solve, linalg_vecdot as _vec_dot)
from tritonflow.functions.linalg_gradients import (cholesky_grad as _cholesky_grad, det_grad as _det_grad,
        eigh_grad as _eigh_grad, lu_factor_grad as _lu_factor_grad, pinv_grad as _pinv_grad, qr_grad as _qr_grad,
        slogdet_grad as _s_log_det_grad, second_cofactors as _second_cofactors, solve_grad as _solve_grad, svd_grad as _svd_grad,
        third_cofactors as _third_cofactors, triangular_grad as _triangular_grad)
from tritonflow.functions.linalg_low_rank import (pca_lowrank as _pca_low_rank, svd_lowrank as _svd_low_rank)
from tritonflow.functions.linalg_solve import (cholesky_inverse as _cholesky_inverse, cholesky_solve as _cholesky_solve,
        linalg_det as _det, linalg_inv as _inv, linalg_inv_ex as _inv_ex, linalg_lu_solve as _linalg_lu_solve, logdet as _log_det,
        linalg_lstsq as _lst_sq, lu_solve as _lu_solve, linalg_matrix_rank as _matrix_rank,
        linalg_matrix_rank_tol as _matrix_rank_tol, pinverse as _p_inverse, linalg_pinv as _pinv,
        linalg_pinv_rcond as _pinv_rcond, linalg_slogdet as _s_log_det, linalg_solve as _solve, linalg_solve_ex as _solve_ex,
        linalg_solve_triangular as _solve_triangular, triangular as _triangular, triangular_solve as _triangular_solve)
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
        RuntimeError: the matrices are not square, or neither float32 nor float64.
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

_cholesky_grad_slow = _Binding("cholesky_grad", "Tensor (Tensor dL, Tensor L)", _cholesky_grad)
def cholesky_grad(dL=_missing, L=_missing, *extra, **unknown):
    """the gradient of cholesky"""
    if dL.__class__ is _Tensor and L.__class__ is _Tensor and not extra and not unknown:
        return _cholesky_grad(dL, L)
    return _cholesky_grad_slow((dL, L), extra, unknown)

_linalg_cholesky_slow = _Binding("linalg_cholesky", "Tensor (Tensor input, *, Bool upper=False)", _linalg_cholesky,
        autocast="float32")
def linalg_cholesky(input=_missing, *extra, upper=False, **unknown):
    """The lower triangular L with A = L L^T.

    L has a positive diagonal. Only the lower triangle of each matrix is read; that it is symmetric is
    not checked.

    Args:
        input: the input.
        upper: whether the upper triangular U with A = U^T U is given instead; the upper triangle is read
            then.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n) -> (..., n, n).

    Under `flow.autocast` it computes in float32.

    Raises:
        LinAlgError: a matrix is not positive definite.
        RuntimeError: the matrices are not square, or neither float32 nor float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.cholesky.

    Example:
        >>> import tritonflow as flow
        >>> A = flow.tensor([[4.0, 2.0], [2.0, 5.0]])
        >>> L = flow.linalg.cholesky(A)
        >>> L
        tensor([[2., 0.],
                [1., 2.]])
        >>> L @ L.T
        tensor([[4., 2.],
                [2., 5.]])
    """
    if input.__class__ is _Tensor and (upper is False or upper is True) and not extra and not unknown:
        return _linalg_cholesky(input, upper)
    return _linalg_cholesky_slow((input, upper), extra, unknown)

_cholesky_slow = _Binding("cholesky", "Tensor (Tensor input, Bool upper=False)", _cholesky, methods="cholesky",
        autocast="float32")
def cholesky(input=_missing, upper=False, *extra, **unknown):
    """The lower triangular L with A = L L^T.

    L has a positive diagonal. Only the lower triangle of each matrix is read; that it is symmetric is
    not checked.

    Args:
        input: the input.
        upper: whether the upper triangular U with A = U^T U is given instead; the upper triangle is read
            then.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n) -> (..., n, n).

    Under `flow.autocast` it computes in float32. Method: `Tensor.cholesky`.

    Raises:
        LinAlgError: a matrix is not positive definite.
        RuntimeError: the matrices are not square, or neither float32 nor float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.cholesky.

    Example:
        >>> import tritonflow as flow
        >>> A = flow.tensor([[4.0, 2.0], [2.0, 5.0]])
        >>> L = flow.cholesky(A)
        >>> L
        tensor([[2., 0.],
                [1., 2.]])
        >>> L @ L.T
        tensor([[4., 2.],
                [2., 5.]])
    """
    if input.__class__ is _Tensor and (upper is False or upper is True) and not extra and not unknown:
        return _cholesky(input, upper)
    return _cholesky_slow((input, upper), extra, unknown)

_cholesky_solve_slow = _Binding("cholesky_solve", "Tensor (Tensor input, Tensor input2, Bool upper=False)", _cholesky_solve,
        methods="cholesky_solve", autocast="float32")
def cholesky_solve(input=_missing, input2=_missing, upper=False, *extra, **unknown):
    """x with A x = b, from the triangular factor of A.

    A is L L^T, and `input2` is L as `flow.linalg.cholesky` gives it. The batch dimensions of both
    broadcast.

    Args:
        input: b, the right sides.
        input2: the factor L, or U.
        upper: whether the factor is U with A = U^T U.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, k), (..., n, n) -> (..., n, k).

    Under `flow.autocast` it computes in float32. Method: `Tensor.cholesky_solve`.

    Raises:
        RuntimeError: the factor is not square, the sizes or dtypes differ, or b has fewer than 2
            dimensions.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.cholesky_solve.

    Example:
        >>> import tritonflow as flow
        >>> A = flow.tensor([[4.0, 2.0], [2.0, 5.0]])
        >>> b = flow.tensor([[2.0], [5.0]])
        >>> flow.cholesky_solve(b, flow.linalg.cholesky(A)).tolist()
        [[0.0], [1.0]]
    """
    if (input.__class__ is _Tensor and input2.__class__ is _Tensor and (upper is False or upper is True) and not extra and
            not unknown):
        return _cholesky_solve(input, input2, upper)
    return _cholesky_solve_slow((input, input2, upper), extra, unknown)

_cholesky_inverse_slow = _Binding("cholesky_inverse", "Tensor (Tensor input, Bool upper=False)", _cholesky_inverse,
        methods="cholesky_inverse", autocast="float32")
def cholesky_inverse(input=_missing, upper=False, *extra, **unknown):
    """The inverse of A, from its triangular factor.

    A is L L^T; L comes from `flow.linalg.cholesky`.

    Args:
        input: the factor L, or U.
        upper: whether the factor is U with A = U^T U.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n) -> (..., n, n).

    Under `flow.autocast` it computes in float32. Method: `Tensor.cholesky_inverse`.

    Raises:
        RuntimeError: the factor is not square, or neither float32 nor float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.cholesky_inverse.

    Example:
        >>> import tritonflow as flow
        >>> L = flow.tensor([[2.0, 0.0], [0.0, 4.0]])
        >>> flow.cholesky_inverse(L)
        tensor([[0.2500, 0.0000],
                [0.0000, 0.0625]])
    """
    if input.__class__ is _Tensor and (upper is False or upper is True) and not extra and not unknown:
        return _cholesky_inverse(input, upper)
    return _cholesky_inverse_slow((input, upper), extra, unknown)

_triangular_slow = _Binding("triangular",
        "Tensor (Tensor t, Tensor b, Bool upper, Bool transposed=False, Bool left=True, Bool unit=False)", _triangular)
def triangular(t=_missing, b=_missing, upper=_missing, transposed=False, left=True, unit=False, *extra, **unknown):
    """x with t x = b or x t = b, for a triangle of t"""
    if (t.__class__ is _Tensor and b.__class__ is _Tensor and (upper is False or upper is True) and
            (transposed is False or transposed is True) and (left is True or left is False) and (unit is False or unit is True)
            and not extra and not unknown):
        return _triangular(t, b, upper, transposed, left, unit)
    return _triangular_slow((t, b, upper, transposed, left, unit), extra, unknown)

_triangular_grad_slow = _Binding("triangular_grad",
        "Tensor (Tensor db, Tensor x, Bool upper, Bool transposed, Bool left, Bool unit)", _triangular_grad)
def triangular_grad(db=_missing, x=_missing, upper=_missing, transposed=_missing, left=_missing, unit=_missing, *extra,
        **unknown):
    """the gradient of a triangular equation by its matrix"""
    if (db.__class__ is _Tensor and x.__class__ is _Tensor and (upper is False or upper is True) and
            (transposed is False or transposed is True) and (left is False or left is True) and (unit is False or unit is True)
            and not extra and not unknown):
        return _triangular_grad(db, x, upper, transposed, left, unit)
    return _triangular_grad_slow((db, x, upper, transposed, left, unit), extra, unknown)

_linalg_solve_triangular_slow = _Binding("linalg_solve_triangular",
        "Tensor (Tensor input, Tensor B, *, Bool upper, Bool left=True, Bool unitriangular=False)", _solve_triangular,
        autocast="float32")
def linalg_solve_triangular(input=_missing, B=_missing, *extra, upper=_missing, left=True, unitriangular=False, **unknown):
    """x with A x = B, or x A = B, for a triangle of A.

    The other triangle of A is not read. A zero on the diagonal is no error: the result has infinities
    or NaN.

    Args:
        input: the input.
        B: the right sides.
        upper: whether the upper triangle is used, otherwise the lower one.
        left: whether A stands left of x, as in A x = B.
        unitriangular: whether the diagonal counts as ones and is not read.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n), (..., n, k) -> (..., n, k); with left=False (..., n, n), (..., k, n) -> (..., k, n).

    Under `flow.autocast` it computes in float32.

    Raises:
        RuntimeError: A is not square, or sizes or dtypes differ.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.solve_triangular.

    Example:
        >>> import tritonflow as flow
        >>> A = flow.tensor([[2.0, 0.0], [1.0, 4.0]])
        >>> b = flow.tensor([[2.0], [9.0]])
        >>> flow.linalg.solve_triangular(A, b, upper=False).tolist()
        [[1.0], [2.0]]
    """
    if (input.__class__ is _Tensor and B.__class__ is _Tensor and (upper is False or upper is True) and
            (left is True or left is False) and (unitriangular is False or unitriangular is True) and not extra and not unknown):
        return _solve_triangular(input, B, upper, left, unitriangular)
    return _linalg_solve_triangular_slow((input, B, upper, left, unitriangular), extra, unknown)

_triangular_solve_slow = _Binding("triangular_solve",
        "TensorTuple[solution, cloned_coefficient] (Tensor input, Tensor A, Bool upper=True, Bool transpose=False, Bool unitriangular=False)",
        _triangular_solve, methods="triangular_solve", autocast="float32", result=_return_types.triangular_solve)
def triangular_solve(input=_missing, A=_missing, upper=True, transpose=False, unitriangular=False, *extra, **unknown):
    """x with A x = b for a triangle of A, and a copy of A.

    The older name of `flow.linalg.solve_triangular`; the right sides come first.

    Args:
        input: b, the right sides.
        A: square matrices, of which one triangle is read.
        upper: whether the upper triangle is used, otherwise the lower one.
        transpose: whether A^T x = b is solved.
        unitriangular: whether the diagonal counts as ones and is not read.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, k), (..., n, n) -> solution (..., n, k), cloned_coefficient (..., n, n).

    Returns:
        A named tuple `(solution, cloned_coefficient)`.

    Under `flow.autocast` it computes in float32. Method: `Tensor.triangular_solve`.

    Raises:
        RuntimeError: A is not square, sizes or dtypes differ, or a tensor has fewer than 2 dimensions.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.triangular_solve.

    Example:
        >>> import tritonflow as flow
        >>> A = flow.tensor([[2.0, 1.0], [0.0, 4.0]])
        >>> b = flow.tensor([[4.0], [8.0]])
        >>> flow.triangular_solve(b, A).solution.tolist()
        [[1.0], [2.0]]
    """
    if (input.__class__ is _Tensor and A.__class__ is _Tensor and (upper is True or upper is False) and
            (transpose is False or transpose is True) and (unitriangular is False or unitriangular is True) and not extra and
            not unknown):
        return _return_types.triangular_solve(*_triangular_solve(input, A, upper, transpose, unitriangular))
    return _triangular_solve_slow((input, A, upper, transpose, unitriangular), extra, unknown)

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

_solve_grad_slow = _Binding("solve_grad", "Tensor (Tensor dx, Tensor a, Tensor factors, Tensor pivots)", _solve_grad)
def solve_grad(dx=_missing, a=_missing, factors=_missing, pivots=_missing, *extra, **unknown):
    """the gradient of an equation by its right side"""
    if (dx.__class__ is _Tensor and a.__class__ is _Tensor and factors.__class__ is _Tensor and pivots.__class__ is _Tensor and
            not extra and not unknown):
        return _solve_grad(dx, a, factors, pivots)
    return _solve_grad_slow((dx, a, factors, pivots), extra, unknown)

_linalg_solve_slow = _Binding("linalg_solve", "Tensor (Tensor A, Tensor B, *, Bool left=True)", _solve, autocast="float32")
def linalg_solve(A=_missing, B=_missing, *extra, left=True, **unknown):
    """x with A x = B, or x A = B.

    It factors A by LU with exchanges of rows. B has a matrix of right sides, or one vector, for each
    matrix A; batch dimensions broadcast.

    Args:
        A: the input.
        B: the right sides: matrices, or a vector for each matrix.
        left: whether A stands left of x, as in A x = B; otherwise x A = B.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n), (..., n, k) or (..., n) -> as B.

    Under `flow.autocast` it computes in float32.

    Raises:
        LinAlgError: a matrix is singular.
        RuntimeError: A is not square, sizes or dtypes differ, or vectors with left=False.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.solve.

    Example:
        >>> import tritonflow as flow
        >>> A = flow.tensor([[3.0, 1.0], [1.0, 2.0]])
        >>> b = flow.tensor([9.0, 8.0])
        >>> x = flow.linalg.solve(A, b)
        >>> flow.allclose(x, flow.tensor([2.0, 3.0]))
        True
    """
    if A.__class__ is _Tensor and B.__class__ is _Tensor and (left is True or left is False) and not extra and not unknown:
        return _solve(A, B, left)
    return _linalg_solve_slow((A, B, left), extra, unknown)

_linalg_inv_ex_slow = _Binding("linalg_inv_ex", "TensorTuple[inverse, info] (Tensor A, *, Bool check_errors=False)", _inv_ex,
        autocast="float32", result=_return_types.linalg_inv_ex)
def linalg_inv_ex(A=_missing, *extra, check_errors=False, **unknown):
    """The inverse, and whether there is one.

    A singular matrix is no error: its `info` is the number of the first zero pivot, from 1, and 0 where
    there is none.

    Args:
        A: square matrices.
        check_errors: whether a singular matrix is an error.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n) -> inverse (..., n, n), info (...).

    Returns:
        A named tuple `(inverse, info)`.

    Under `flow.autocast` it computes in float32.

    Raises:
        LinAlgError: check_errors is True, and a matrix is singular.
        RuntimeError: the matrices are not square, or neither float32 nor float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.inv_ex.

    Example:
        >>> import tritonflow as flow
        >>> flow.linalg.inv_ex(flow.tensor([[2.0, 0.0], [0.0, 4.0]])).inverse
        tensor([[0.5000, 0.0000],
                [0.0000, 0.2500]])
        >>> flow.linalg.inv_ex(flow.zeros(2, 2)).info.item()
        1
    """
    if A.__class__ is _Tensor and (check_errors is False or check_errors is True) and not extra and not unknown:
        return _return_types.linalg_inv_ex(*_inv_ex(A, check_errors))
    return _linalg_inv_ex_slow((A, check_errors), extra, unknown)

_linalg_inv_slow = _Binding("linalg_inv", "Tensor (Tensor A)", _inv, autocast="float32")
def linalg_inv(A=_missing, *extra, **unknown):
    """The inverse.

    It solves A X = I; `flow.linalg.solve(A, B)` is faster and more accurate than a product with an
    inverse.

    Args:
        A: square matrices.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n) -> (..., n, n).

    Under `flow.autocast` it computes in float32.

    Raises:
        LinAlgError: a matrix is singular.
        RuntimeError: the matrices are not square, or neither float32 nor float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.inv.

    Example:
        >>> import tritonflow as flow
        >>> flow.linalg.inv(flow.tensor([[2.0, 0.0], [0.0, 4.0]]))
        tensor([[0.5000, 0.0000],
                [0.0000, 0.2500]])
    """
    if A.__class__ is _Tensor and not extra and not unknown:
        return _inv(A)
    return _linalg_inv_slow((A,), extra, unknown)

_inverse_slow = _Binding("inverse", "Tensor (Tensor input)", _inv, methods="inverse", autocast="float32")
def inverse(input=_missing, *extra, **unknown):
    """The inverse.

    It solves A X = I; `flow.linalg.solve(A, B)` is faster and more accurate than a product with an
    inverse.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n) -> (..., n, n).

    Under `flow.autocast` it computes in float32. Method: `Tensor.inverse`.

    Raises:
        LinAlgError: a matrix is singular.
        RuntimeError: the matrices are not square, or neither float32 nor float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.inverse.

    Example:
        >>> import tritonflow as flow
        >>> flow.inverse(flow.tensor([[2.0, 0.0], [0.0, 4.0]]))
        tensor([[0.5000, 0.0000],
                [0.0000, 0.2500]])
    """
    if input.__class__ is _Tensor and not extra and not unknown:
        return _inv(input)
    return _inverse_slow((input,), extra, unknown)

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

_second_cofactors_slow = _Binding("second_cofactors", "Tensor (Tensor direction, Tensor a)", _second_cofactors)
def second_cofactors(direction=_missing, a=_missing, *extra, **unknown):
    """the second derivative of the determinant in one direction"""
    if direction.__class__ is _Tensor and a.__class__ is _Tensor and not extra and not unknown:
        return _second_cofactors(direction, a)
    return _second_cofactors_slow((direction, a), extra, unknown)

_third_cofactors_slow = _Binding("third_cofactors", "Tensor (Tensor dout, Tensor direction, Tensor a)", _third_cofactors)
def third_cofactors(dout=_missing, direction=_missing, a=_missing, *extra, **unknown):
    """the third derivative of the determinant in two directions"""
    if dout.__class__ is _Tensor and direction.__class__ is _Tensor and a.__class__ is _Tensor and not extra and not unknown:
        return _third_cofactors(dout, direction, a)
    return _third_cofactors_slow((dout, direction, a), extra, unknown)

_det_grad_slow = _Binding("det_grad", "Tensor (Tensor dy, Tensor det, Tensor a, Tensor factors, Tensor pivots)", _det_grad)
def det_grad(dy=_missing, det=_missing, a=_missing, factors=_missing, pivots=_missing, *extra, **unknown):
    """the gradient of det"""
    if (dy.__class__ is _Tensor and det.__class__ is _Tensor and a.__class__ is _Tensor and factors.__class__ is _Tensor and
            pivots.__class__ is _Tensor and not extra and not unknown):
        return _det_grad(dy, det, a, factors, pivots)
    return _det_grad_slow((dy, det, a, factors, pivots), extra, unknown)

_slogdet_grad_slow = _Binding("slogdet_grad", "Tensor (Tensor dy, Tensor a, Tensor factors, Tensor pivots)", _s_log_det_grad)
def slogdet_grad(dy=_missing, a=_missing, factors=_missing, pivots=_missing, *extra, **unknown):
    """the gradient of logdet"""
    if (dy.__class__ is _Tensor and a.__class__ is _Tensor and factors.__class__ is _Tensor and pivots.__class__ is _Tensor and
            not extra and not unknown):
        return _s_log_det_grad(dy, a, factors, pivots)
    return _slogdet_grad_slow((dy, a, factors, pivots), extra, unknown)

_linalg_det_slow = _Binding("linalg_det", "Tensor (Tensor A)", _det, autocast="float32")
def linalg_det(A=_missing, *extra, **unknown):
    """The determinant.

    It is the product of the pivots of A = P L U, with the sign of P. A singular matrix has 0.

    Args:
        A: square matrices.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n) -> (...).

    Under `flow.autocast` it computes in float32.

    Raises:
        RuntimeError: the matrices are not square, or neither float32 nor float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.det.

    Example:
        >>> import tritonflow as flow
        >>> flow.linalg.det(flow.tensor([[2.0, 0.0], [0.0, 4.0]]))
        tensor(8.)
    """
    if A.__class__ is _Tensor and not extra and not unknown:
        return _det(A)
    return _linalg_det_slow((A,), extra, unknown)

_det_slow = _Binding("det", "Tensor (Tensor input)", _det, methods="det", autocast="float32")
def det(input=_missing, *extra, **unknown):
    """The determinant.

    It is the product of the pivots of A = P L U, with the sign of P. A singular matrix has 0.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n) -> (...).

    Under `flow.autocast` it computes in float32. Method: `Tensor.det`.

    Raises:
        RuntimeError: the matrices are not square, or neither float32 nor float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.det.

    Example:
        >>> import tritonflow as flow
        >>> flow.det(flow.tensor([[2.0, 0.0], [0.0, 4.0]]))
        tensor(8.)
    """
    if input.__class__ is _Tensor and not extra and not unknown:
        return _det(input)
    return _det_slow((input,), extra, unknown)

_linalg_slogdet_slow = _Binding("linalg_slogdet", "TensorTuple[sign, logabsdet] (Tensor A)", _s_log_det, autocast="float32",
        result=_return_types.linalg_slogdet)
def linalg_slogdet(A=_missing, *extra, **unknown):
    """The sign of the determinant, and the logarithm of its magnitude.

    The determinant is sign * exp(logabsdet). A singular matrix has the sign 0 and the logarithm -inf.
    It does not overflow where the determinant itself would.

    Args:
        A: square matrices.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n) -> sign (...), logabsdet (...).

    Returns:
        A named tuple `(sign, logabsdet)`.

    Under `flow.autocast` it computes in float32.

    Raises:
        RuntimeError: the matrices are not square, or neither float32 nor float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.slogdet.

    Example:
        >>> import tritonflow as flow
        >>> sign, logabsdet = flow.linalg.slogdet(1e30 * flow.eye(2))
        >>> sign.item(), round(logabsdet.item(), 3)
        (1.0, 138.155)
    """
    if A.__class__ is _Tensor and not extra and not unknown:
        return _return_types.linalg_slogdet(*_s_log_det(A))
    return _linalg_slogdet_slow((A,), extra, unknown)

_slogdet_slow = _Binding("slogdet", "TensorTuple[sign, logabsdet] (Tensor input)", _s_log_det, methods="slogdet",
        autocast="float32", result=_return_types.slogdet)
def slogdet(input=_missing, *extra, **unknown):
    """The sign of the determinant, and the logarithm of its magnitude.

    The determinant is sign * exp(logabsdet). A singular matrix has the sign 0 and the logarithm -inf.
    It does not overflow where the determinant itself would.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n) -> sign (...), logabsdet (...).

    Returns:
        A named tuple `(sign, logabsdet)`.

    Under `flow.autocast` it computes in float32. Method: `Tensor.slogdet`.

    Raises:
        RuntimeError: the matrices are not square, or neither float32 nor float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.slogdet.

    Example:
        >>> import tritonflow as flow
        >>> sign, logabsdet = flow.slogdet(1e30 * flow.eye(2))
        >>> sign.item(), round(logabsdet.item(), 3)
        (1.0, 138.155)
    """
    if input.__class__ is _Tensor and not extra and not unknown:
        return _return_types.slogdet(*_s_log_det(input))
    return _slogdet_slow((input,), extra, unknown)

_logdet_slow = _Binding("logdet", "Tensor (Tensor input)", _log_det, methods="logdet", autocast="float32")
def logdet(input=_missing, *extra, **unknown):
    """The logarithm of the determinant.

    It is NaN where the determinant is negative, and -inf where it is 0.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n) -> (...).

    Under `flow.autocast` it computes in float32. Method: `Tensor.logdet`.

    Raises:
        RuntimeError: the matrices are not square, or neither float32 nor float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.logdet.

    Example:
        >>> import tritonflow as flow
        >>> flow.logdet(flow.eye(3))
        tensor(0.)
        >>> flow.logdet(-flow.eye(3))
        tensor(nan)
    """
    if input.__class__ is _Tensor and not extra and not unknown:
        return _log_det(input)
    return _logdet_slow((input,), extra, unknown)

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
        RuntimeError: pivot=False, fewer than 2 dimensions, or neither float32 nor float64.
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

_lu_factor_grad_slow = _Binding("lu_factor_grad", "Tensor (Tensor dfactors, Tensor factors, Tensor pivots)", _lu_factor_grad)
def lu_factor_grad(dfactors=_missing, factors=_missing, pivots=_missing, *extra, **unknown):
    """the gradient of lu_factor"""
    if (dfactors.__class__ is _Tensor and factors.__class__ is _Tensor and pivots.__class__ is _Tensor and not extra and
            not unknown):
        return _lu_factor_grad(dfactors, factors, pivots)
    return _lu_factor_grad_slow((dfactors, factors, pivots), extra, unknown)

_linalg_lu_factor_slow = _Binding("linalg_lu_factor", "TensorTuple[LU, pivots] (Tensor A, *, Bool pivot=True)", _lu_factor,
        autocast="float32", result=_return_types.linalg_lu_factor)
def linalg_lu_factor(A=_missing, *extra, pivot=True, **unknown):
    """A = P L U with L and U in one matrix, and P as exchanges of rows.

    L has ones on its diagonal, which are not stored. Row i was exchanged with row pivots[i] - 1, in the
    order of i. `flow.linalg.lu_solve` solves equations with the two results.

    Args:
        A: matrices of any size.
        pivot: whether rows are exchanged; only True is implemented.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n) -> LU (..., m, n), pivots (..., min(m, n)).

    Returns:
        A named tuple `(LU, pivots)`.

    Under `flow.autocast` it computes in float32.

    Raises:
        LinAlgError: the diagonal of U has a zero.
        RuntimeError: pivot=False, fewer than 2 dimensions, or neither float32 nor float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.lu_factor.

    Example:
        >>> import tritonflow as flow
        >>> LU, pivots = flow.linalg.lu_factor(flow.tensor([[1.0, 2.0], [4.0, 4.0]]))
        >>> LU
        tensor([[4.0000, 4.0000],
                [0.2500, 1.0000]])
        >>> pivots.tolist()
        [2, 2]
    """
    if A.__class__ is _Tensor and (pivot is True or pivot is False) and not extra and not unknown:
        return _return_types.linalg_lu_factor(*_lu_factor(A, pivot))
    return _linalg_lu_factor_slow((A, pivot), extra, unknown)

_linalg_lu_slow = _Binding("linalg_lu", "TensorTuple[P, L, U] (Tensor A, *, Bool pivot=True)", _linalg_lu, autocast="float32",
        result=_return_types.linalg_lu)
def linalg_lu(A=_missing, *extra, pivot=True, **unknown):
    """A = P L U.

    P is a permutation matrix, L is lower triangular with ones on its diagonal, U is upper triangular.

    Args:
        A: matrices of any size.
        pivot: whether rows are exchanged; only True is implemented.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n) -> P (..., m, m), L (..., m, k), U (..., k, n) with k = min(m, n).

    Returns:
        A named tuple `(P, L, U)`.

    Under `flow.autocast` it computes in float32.

    Raises:
        RuntimeError: pivot=False, fewer than 2 dimensions, or neither float32 nor float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.lu.

    Example:
        >>> import tritonflow as flow
        >>> A = flow.tensor([[1.0, 2.0], [4.0, 4.0]])
        >>> P, L, U = flow.linalg.lu(A)
        >>> P
        tensor([[0., 1.],
                [1., 0.]])
        >>> flow.equal(P @ L @ U, A)
        True
    """
    if A.__class__ is _Tensor and (pivot is True or pivot is False) and not extra and not unknown:
        return _return_types.linalg_lu(*_linalg_lu(A, pivot))
    return _linalg_lu_slow((A, pivot), extra, unknown)

_lu_slow = _Binding("lu", "Any (Tensor A, Bool pivot=True, Bool get_infos=False)", _old_lu, methods="lu", autocast="float32")
def lu(A=_missing, pivot=True, get_infos=False, *extra, **unknown):
    """lu_factor, with get_infos lu_factor_ex.

    The older name of `flow.linalg.lu_factor`: A = P L U, with L and U in one matrix.

    Args:
        A: matrices of any size.
        pivot: whether rows are exchanged; only True is implemented.
        get_infos: whether the third result says where the diagonal of U has its first zero.

    Shape:
        (..., m, n) -> (..., m, n), (..., min(m, n)), and (...) with get_infos.

    Under `flow.autocast` it computes in float32. Method: `Tensor.lu`.

    Raises:
        LinAlgError: the diagonal of U has a zero, without get_infos.
        RuntimeError: pivot=False, fewer than 2 dimensions, or neither float32 nor float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.lu.

    Example:
        >>> import tritonflow as flow
        >>> LU, pivots, info = flow.lu(flow.tensor([[1.0, 2.0], [4.0, 4.0]]), get_infos=True)
        >>> pivots.tolist(), info.item()
        ([2, 2], 0)
    """
    if (A.__class__ is _Tensor and (pivot is True or pivot is False) and (get_infos is False or get_infos is True) and not extra
            and not unknown):
        return _old_lu(A, pivot, get_infos)
    return _lu_slow((A, pivot, get_infos), extra, unknown)

_lu_unpack_slow = _Binding("lu_unpack",
        "TensorTuple[P, L, U] (Tensor LU_data, Tensor LU_pivots, Bool unpack_data=True, Bool unpack_pivots=True)", _lu_unpack,
        autocast="float32", result=_return_types.lu_unpack)
def lu_unpack(LU_data=_missing, LU_pivots=_missing, unpack_data=True, unpack_pivots=True, *extra, **unknown):
    """P, L and U of lu_factor.

    Args:
        LU_data: L and U in one matrix, as `flow.linalg.lu_factor` gives them.
        LU_pivots: the exchanges of rows, int32.
        unpack_data: whether L and U are made; without it they are empty.
        unpack_pivots: whether P is made; without it it is empty.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n), (..., min(m, n)) -> P (..., m, m), L (..., m, k), U (..., k, n) with k = min(m, n).

    Returns:
        A named tuple `(P, L, U)`.

    Under `flow.autocast` it computes in float32.

    Raises:
        RuntimeError: the pivots are not int32.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.lu_unpack.

    Example:
        >>> import tritonflow as flow
        >>> A = flow.tensor([[1.0, 2.0], [4.0, 4.0]])
        >>> P, L, U = flow.lu_unpack(*flow.linalg.lu_factor(A))
        >>> flow.equal(P @ L @ U, A)
        True
    """
    if (LU_data.__class__ is _Tensor and LU_pivots.__class__ is _Tensor and (unpack_data is True or unpack_data is False) and
            (unpack_pivots is True or unpack_pivots is False) and not extra and not unknown):
        return _return_types.lu_unpack(*_lu_unpack(LU_data, LU_pivots, unpack_data, unpack_pivots))
    return _lu_unpack_slow((LU_data, LU_pivots, unpack_data, unpack_pivots), extra, unknown)

_exchange_rows_slow = _Binding("exchange_rows", "Tensor (Tensor b, Tensor pivots, Bool undo)", _exchange_rows)
def exchange_rows(b=_missing, pivots=_missing, undo=_missing, *extra, **unknown):
    """rows exchanged as LU did, or back"""
    if b.__class__ is _Tensor and pivots.__class__ is _Tensor and (undo is False or undo is True) and not extra and not unknown:
        return _exchange_rows(b, pivots, undo)
    return _exchange_rows_slow((b, pivots, undo), extra, unknown)

_linalg_lu_solve_slow = _Binding("linalg_lu_solve",
        "Tensor (Tensor LU, Tensor pivots, Tensor B, *, Bool left=True, Bool adjoint=False)", _linalg_lu_solve,
        autocast="float32")
def linalg_lu_solve(LU=_missing, pivots=_missing, B=_missing, *extra, left=True, adjoint=False, **unknown):
    """x with A x = B, from the factors of A.

    The factors come from `flow.linalg.lu_factor`; several systems of one matrix share them.

    Args:
        LU: L and U in one matrix.
        pivots: the exchanges of rows, int32.
        B: the right sides.
        left: whether A stands left of x, as in A x = B; otherwise x A = B.
        adjoint: whether A^T stands for A.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n), (..., n), (..., n, k) -> (..., n, k).

    Under `flow.autocast` it computes in float32.

    Raises:
        RuntimeError: the factors are not square, sizes or dtypes differ, or the pivots are not int32.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.lu_solve.

    Example:
        >>> import tritonflow as flow
        >>> factors = flow.linalg.lu_factor(flow.tensor([[2.0, 0.0], [0.0, 4.0]]))
        >>> flow.linalg.lu_solve(*factors, flow.tensor([[2.0], [8.0]])).tolist()
        [[1.0], [2.0]]
    """
    if (LU.__class__ is _Tensor and pivots.__class__ is _Tensor and B.__class__ is _Tensor and (left is True or left is False) and
            (adjoint is False or adjoint is True) and not extra and not unknown):
        return _linalg_lu_solve(LU, pivots, B, left, adjoint)
    return _linalg_lu_solve_slow((LU, pivots, B, left, adjoint), extra, unknown)

_lu_solve_slow = _Binding("lu_solve", "Tensor (Tensor input, Tensor LU_data, Tensor LU_pivots)", _lu_solve, methods="lu_solve",
        autocast="float32")
def lu_solve(input=_missing, LU_data=_missing, LU_pivots=_missing, *extra, **unknown):
    """x with A x = b, from the factors of A.

    The older name of `flow.linalg.lu_solve`; the right sides come first.

    Args:
        input: b, the right sides.
        LU_data: L and U in one matrix, as `flow.linalg.lu_factor` gives them.
        LU_pivots: the exchanges of rows, int32.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, k), (..., n, n), (..., n) -> (..., n, k).

    Under `flow.autocast` it computes in float32. Method: `Tensor.lu_solve`.

    Raises:
        RuntimeError: the factors are not square, sizes or dtypes differ, or the pivots are not int32.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.lu_solve.

    Example:
        >>> import tritonflow as flow
        >>> factors = flow.linalg.lu_factor(flow.tensor([[2.0, 0.0], [0.0, 4.0]]))
        >>> flow.lu_solve(flow.tensor([[2.0], [8.0]]), *factors).tolist()
        [[1.0], [2.0]]
    """
    if (input.__class__ is _Tensor and LU_data.__class__ is _Tensor and LU_pivots.__class__ is _Tensor and not extra and
            not unknown):
        return _lu_solve(input, LU_data, LU_pivots)
    return _lu_solve_slow((input, LU_data, LU_pivots), extra, unknown)

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
        RuntimeError: another mode, fewer than 2 dimensions, or neither float32 nor float64.
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

_qr_grad_slow = _Binding("qr_grad", "Tensor (Tensor dq, Tensor dr, Tensor q, Tensor r, String mode)", _qr_grad)
def qr_grad(dq=_missing, dr=_missing, q=_missing, r=_missing, mode=_missing, *extra, **unknown):
    """the gradient of qr"""
    if (dq.__class__ is _Tensor and dr.__class__ is _Tensor and q.__class__ is _Tensor and r.__class__ is _Tensor and
            mode.__class__ is str and not extra and not unknown):
        return _qr_grad(dq, dr, q, r, mode)
    return _qr_grad_slow((dq, dr, q, r, mode), extra, unknown)

_qr_slow = _Binding("qr", "TensorTuple[Q, R] (Tensor input, Bool some=True)", _old_qr, methods="qr", autocast="float32",
        result=_return_types.qr)
def qr(input=_missing, some=True, *extra, **unknown):
    """A = Q R with orthonormal columns of Q and an upper triangular R.

    The older name of `flow.linalg.qr`.

    Args:
        input: the input.
        some: whether Q has min(m, n) columns, otherwise all m.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n) -> Q (..., m, k), R (..., k, n) with k = min(m, n), or m without some.

    Returns:
        A named tuple `(Q, R)`.

    Under `flow.autocast` it computes in float32. Method: `Tensor.qr`.

    Raises:
        RuntimeError: fewer than 2 dimensions, or neither float32 nor float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.qr.

    Example:
        >>> import tritonflow as flow
        >>> Q, R = flow.qr(flow.tensor([[3.0], [4.0]]), some=False)
        >>> Q.shape, R.shape, abs(R[0, 0]).item()
        (tritonflow.Size([2, 2]), tritonflow.Size([2, 1]), 5.0)
    """
    if input.__class__ is _Tensor and (some is True or some is False) and not extra and not unknown:
        return _return_types.qr(*_old_qr(input, some))
    return _qr_slow((input, some), extra, unknown)

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
        RuntimeError: fewer than 2 dimensions, or neither float32 nor float64.
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

_orgqr_slow = _Binding("orgqr", "Tensor (Tensor input, Tensor tau)", _householder_product, methods="orgqr", autocast="float32")
def orgqr(input=_missing, tau=_missing, *extra, **unknown):
    """The first columns of a product of Householder's reflections.

    It is the n first columns of H_0 H_1 ... H_(k-1) with H_i = 1 - tau_i v_i v_i^T. The vector v_i is 0
    above row i, 1 there, and column i of the input below it, as `flow.geqrf` gives them.

    Args:
        input: the vectors below the diagonal; the rest is not read.
        tau: the factor of each reflection.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n), (..., k) with m >= n >= k -> (..., m, n).

    Under `flow.autocast` it computes in float32. Method: `Tensor.orgqr`.

    Raises:
        RuntimeError: m < n, n < k, other dtypes, or batch dimensions that differ.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.orgqr.

    Example:
        >>> import tritonflow as flow
        >>> a, tau = flow.geqrf(flow.tensor([[3.0, 1.0], [4.0, 2.0]]))
        >>> Q = flow.orgqr(a, tau)
        >>> flow.allclose(Q.T @ Q, flow.eye(2), atol=1e-5)
        True
    """
    if input.__class__ is _Tensor and tau.__class__ is _Tensor and not extra and not unknown:
        return _householder_product(input, tau)
    return _orgqr_slow((input, tau), extra, unknown)

_ormqr_slow = _Binding("ormqr", "Tensor (Tensor input, Tensor tau, Tensor other, Bool left=True, Bool transpose=False)", _orm_qr,
        methods="ormqr", autocast="float32")
def ormqr(input=_missing, tau=_missing, other=_missing, left=True, transpose=False, *extra, **unknown):
    """A product with the whole product of Householder's reflections.

    It gives Q C, Q^T C, C Q or C Q^T, where Q = H_0 H_1 ... is the m x m matrix of the reflections; Q
    itself is never made.

    Args:
        input: the vectors of the reflections below the diagonal, as `flow.geqrf` gives them.
        tau: the factor of each reflection.
        other: the matrix C.
        left: whether Q stands left of C.
        transpose: whether Q^T stands for Q.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n), (..., k), (..., m, p) -> (..., m, p); with left=False C is (..., p, m).

    Under `flow.autocast` it computes in float32. Method: `Tensor.ormqr`.

    Raises:
        RuntimeError: fewer than 2 dimensions, or a size of C that is not m.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.ormqr.

    Example:
        >>> import tritonflow as flow
        >>> A = flow.tensor([[3.0, 1.0], [4.0, 2.0]])
        >>> a, tau = flow.geqrf(A)
        >>> flow.allclose(flow.ormqr(a, tau, A, transpose=True), flow.triu(a), atol=1e-5)  # Q^T A is R
        True
    """
    if (input.__class__ is _Tensor and tau.__class__ is _Tensor and other.__class__ is _Tensor and (left is True or left is False)
            and (transpose is False or transpose is True) and not extra and not unknown):
        return _orm_qr(input, tau, other, left, transpose)
    return _ormqr_slow((input, tau, other, left, transpose), extra, unknown)

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
        RuntimeError: the matrices are not square, or neither float32 nor float64.
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

_eigh_grad_slow = _Binding("eigh_grad", "Tensor (Tensor dvalues, Tensor dvectors, Tensor values, Tensor vectors)", _eigh_grad)
def eigh_grad(dvalues=_missing, dvectors=_missing, values=_missing, vectors=_missing, *extra, **unknown):
    """the gradient of eigh"""
    if (dvalues.__class__ is _Tensor and dvectors.__class__ is _Tensor and values.__class__ is _Tensor and
            vectors.__class__ is _Tensor and not extra and not unknown):
        return _eigh_grad(dvalues, dvectors, values, vectors)
    return _eigh_grad_slow((dvalues, dvectors, values, vectors), extra, unknown)

_linalg_eigvalsh_slow = _Binding("linalg_eigvalsh", "Tensor (Tensor input, String UPLO='L')", _eigvals_h, autocast="float32")
def linalg_eigvalsh(input=_missing, UPLO='L', *extra, **unknown):
    """The eigenvalues of symmetric matrices.

    They rise. One triangle is read, and taken for the other one too.

    Args:
        input: the input.
        UPLO: which triangle is read: "L" or "U".
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n) -> (..., n).

    Under `flow.autocast` it computes in float32.

    Raises:
        LinAlgError: the iteration did not converge.
        ValueError: another UPLO.
        RuntimeError: the matrices are not square, or neither float32 nor float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.eigvalsh.

    Example:
        >>> import tritonflow as flow
        >>> w = flow.linalg.eigvalsh(flow.tensor([[2.0, 1.0], [1.0, 2.0]]))
        >>> flow.allclose(w, flow.tensor([1.0, 3.0]))
        True
    """
    if input.__class__ is _Tensor and UPLO.__class__ is str and not extra and not unknown:
        return _eigvals_h(input, UPLO)
    return _linalg_eigvalsh_slow((input, UPLO), extra, unknown)

_linalg_eigen_slow = _Binding("linalg_eigen", "TensorTuple (Tensor a)", _eigen)
def linalg_eigen(a=_missing, *extra, **unknown):
    """the eigenvalues of square matrices, and eigenvectors, as pairs of real numbers"""
    if a.__class__ is _Tensor and not extra and not unknown:
        return _eigen(a)
    return _linalg_eigen_slow((a,), extra, unknown)

_eig_grad_slow = _Binding("eig_grad", "Tensor (Tensor dvalues, Tensor dvectors, Tensor values, Tensor vectors)", _eig_grad)
def eig_grad(dvalues=_missing, dvectors=_missing, values=_missing, vectors=_missing, *extra, **unknown):
    """the gradient of eigenvalues and eigenvectors"""
    if (dvalues.__class__ is _Tensor and dvectors.__class__ is _Tensor and values.__class__ is _Tensor and
            vectors.__class__ is _Tensor and not extra and not unknown):
        return _eig_grad(dvalues, dvectors, values, vectors)
    return _eig_grad_slow((dvalues, dvectors, values, vectors), extra, unknown)

_linalg_eig_slow = _Binding("linalg_eig", "TensorTuple[eigenvalues, eigenvectors] (Tensor input)", _eig, autocast="float32",
        result=_return_types.linalg_eig)
def linalg_eig(input=_missing, *extra, **unknown):
    """The eigenvalues of square matrices, and eigenvectors, which are complex.

    A v = w v for each eigenvalue w and its column v, which has the norm 1. The order of the eigenvalues
    and the phases of the vectors are free. The gradient is that of a loss that does not depend on the
    phases.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n) -> eigenvalues (..., n), eigenvectors (..., n, n), complex.

    Returns:
        A named tuple `(eigenvalues, eigenvectors)`.

    Under `flow.autocast` it computes in float32.

    Raises:
        LinAlgError: a number is not finite, or the iteration did not converge.
        RuntimeError: the matrices are not square, or neither float32 nor float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.eig.

    Example:
        >>> import tritonflow as flow
        >>> w, V = flow.linalg.eig(flow.tensor([[0.0, -1.0], [1.0, 0.0]]))  # a rotation
        >>> flow.allclose(w.imag.sort().values, flow.tensor([-1.0, 1.0]))
        True
    """
    if input.__class__ is _Tensor and not extra and not unknown:
        return _return_types.linalg_eig(*_eig(input))
    return _linalg_eig_slow((input,), extra, unknown)

_linalg_eigvals_slow = _Binding("linalg_eigvals", "Tensor (Tensor input)", _eig_vals, autocast="float32")
def linalg_eigvals(input=_missing, *extra, **unknown):
    """The eigenvalues of square matrices, which are complex.

    Their order is free.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n) -> (..., n), complex.

    Under `flow.autocast` it computes in float32.

    Raises:
        LinAlgError: a number is not finite, or the iteration did not converge.
        RuntimeError: the matrices are not square, or neither float32 nor float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.eigvals.

    Example:
        >>> import tritonflow as flow
        >>> w = flow.linalg.eigvals(flow.tensor([[0.0, -1.0], [1.0, 0.0]]))
        >>> w.dtype, flow.allclose(abs(w), flow.ones(2))
        (tritonflow.complex64, True)
    """
    if input.__class__ is _Tensor and not extra and not unknown:
        return _eig_vals(input)
    return _linalg_eigvals_slow((input,), extra, unknown)

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
        RuntimeError: a driver, fewer than 2 dimensions, or neither float32 nor float64.
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

_svd_grad_slow = _Binding("svd_grad", "Tensor (Tensor du, Tensor ds, Tensor dvh, Tensor u, Tensor s, Tensor vh, Bool full)",
        _svd_grad)
def svd_grad(du=_missing, ds=_missing, dvh=_missing, u=_missing, s=_missing, vh=_missing, full=_missing, *extra, **unknown):
    """the gradient of svd"""
    if (du.__class__ is _Tensor and ds.__class__ is _Tensor and dvh.__class__ is _Tensor and u.__class__ is _Tensor and
            s.__class__ is _Tensor and vh.__class__ is _Tensor and (full is False or full is True) and not extra and not unknown):
        return _svd_grad(du, ds, dvh, u, s, vh, full)
    return _svd_grad_slow((du, ds, dvh, u, s, vh, full), extra, unknown)

_linalg_svdvals_slow = _Binding("linalg_svdvals", "Tensor (Tensor A, *, String driver=None)", _svd_vals, autocast="float32")
def linalg_svdvals(A=_missing, *extra, driver=None, **unknown):
    """The singular values.

    They fall, and are at least 0: the square roots of the eigenvalues of A^T A.

    Args:
        A: matrices of any size.
        driver: None; another one is refused, because it names algorithms of CUDA.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n) -> (..., min(m, n)).

    Under `flow.autocast` it computes in float32.

    Raises:
        LinAlgError: a number is not finite.
        RuntimeError: a driver, fewer than 2 dimensions, or neither float32 nor float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.svdvals.

    Example:
        >>> import tritonflow as flow
        >>> flow.linalg.svdvals(flow.tensor([[3.0, 0.0], [0.0, 4.0]]))
        tensor([4., 3.])
    """
    if A.__class__ is _Tensor and (driver is None or driver.__class__ is str) and not extra and not unknown:
        return _svd_vals(A, driver)
    return _linalg_svdvals_slow((A, driver), extra, unknown)

_svd_slow = _Binding("svd", "TensorTuple[U, S, V] (Tensor input, Bool some=True, Bool compute_uv=True)", _svd, methods="svd",
        autocast="float32", result=_return_types.svd)
def svd(input=_missing, some=True, compute_uv=True, *extra, **unknown):
    """U, S and V with A = U diag(S) V^T.

    The older name of `flow.linalg.svd`, which gives V^T instead.

    Args:
        input: the input.
        some: whether U and V have min(m, n) columns, otherwise all.
        compute_uv: whether U and V are made; otherwise they are zeros.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n) -> U (..., m, k or m), S (..., k), V (..., n, k or n) with k = min(m, n).

    Returns:
        A named tuple `(U, S, V)`.

    Under `flow.autocast` it computes in float32. Method: `Tensor.svd`.

    Raises:
        LinAlgError: a number is not finite.
        RuntimeError: fewer than 2 dimensions, or neither float32 nor float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.svd.

    Example:
        >>> import tritonflow as flow
        >>> A = flow.tensor([[3.0, 0.0], [0.0, 4.0], [0.0, 0.0]])
        >>> U, S, V = flow.svd(A)
        >>> flow.allclose(U @ flow.diag(S) @ V.T, A, atol=1e-5)
        True
    """
    if (input.__class__ is _Tensor and (some is True or some is False) and (compute_uv is True or compute_uv is False) and
            not extra and not unknown):
        return _return_types.svd(*_svd(input, some, compute_uv))
    return _svd_slow((input, some, compute_uv), extra, unknown)

_svd_lowrank_slow = _Binding("svd_lowrank", "TensorTuple (Tensor A, Int32 q=6, Int32 niter=2, Tensor M=None)", _svd_low_rank,
        autocast="float32")
def svd_lowrank(A=_missing, q=6, niter=2, M=None, *extra, **unknown):
    """The q largest singular values of A - M with their vectors U, S and V, by a random basis.

    A - M is about U diag(S) V^T. The basis of the range is random: `flow.manual_seed` makes it the
    same. After Halko, Martinsson and Tropp, Finding structure with randomness, 2009, algorithm 5.1.

    Args:
        A: matrices of any size.
        q: how many singular values, a little more than the rank that is expected.
        niter: how many power iterations make the basis better.
        M: what is taken off A first, broadcast to it.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n) -> U (..., m, q), S (..., q), V (..., n, q).

    Under `flow.autocast` it computes in float32.

    Raises:
        ValueError: q or niter is negative.
        RuntimeError: fewer than 2 dimensions, or neither float32 nor float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.svd_lowrank.

    Example:
        >>> import tritonflow as flow
        >>> A = flow.ones(5, 1) @ flow.ones(1, 4)  # of rank 1
        >>> U, S, V = flow.svd_lowrank(A, q=2)
        >>> flow.allclose(U @ flow.diag(S) @ V.T, A, atol=1e-4)
        True
    """
    if (A.__class__ is _Tensor and q.__class__ is int and niter.__class__ is int and (M is None or M.__class__ is _Tensor) and
            not extra and not unknown):
        return _svd_low_rank(A, q, niter, M)
    return _svd_lowrank_slow((A, q, niter, M), extra, unknown)

_pca_lowrank_slow = _Binding("pca_lowrank", "TensorTuple (Tensor A, Int32 q=None, Bool center=True, Int32 niter=2)",
        _pca_low_rank, autocast="float32")
def pca_lowrank(A=_missing, q=None, center=True, niter=2, *extra, **unknown):
    """The q first principal components of rows as U, S and V, by a random basis.

    The columns of V are the directions of the greatest variance, A V[:, :k] are the first k components
    of the rows. The basis is random: `flow.manual_seed` makes it the same.

    Args:
        A: a row for each sample.
        q: how many components; default min(6, m, n).
        center: whether the mean row is taken off first.
        niter: how many power iterations make the basis better.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n) -> U (..., m, q), S (..., q), V (..., n, q).

    Under `flow.autocast` it computes in float32.

    Raises:
        ValueError: q is negative or greater than min(m, n), or niter is negative.
        RuntimeError: fewer than 2 dimensions, or neither float32 nor float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.pca_lowrank.

    Example:
        >>> import tritonflow as flow
        >>> A = flow.tensor([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]])
        >>> U, S, V = flow.pca_lowrank(A, q=1)
        >>> flow.allclose(abs(V), flow.full((2, 1), 0.5**0.5), atol=1e-4)  # along the diagonal
        True
    """
    if (A.__class__ is _Tensor and (q is None or q.__class__ is int) and (center is True or center is False) and
            niter.__class__ is int and not extra and not unknown):
        return _pca_low_rank(A, q, center, niter)
    return _pca_lowrank_slow((A, q, center, niter), extra, unknown)

_linalg_pseudoinverse_slow = _Binding("linalg_pseudoinverse", "TensorTuple (Tensor a, Bool symmetric, Double atol, Double rtol)",
        _pseudoinverse)
def linalg_pseudoinverse(a=_missing, symmetric=_missing, atol=_missing, rtol=_missing, *extra, **unknown):
    """the pseudoinverse where singular values up to max(atol, rtol * the largest) count as 0"""
    if (a.__class__ is _Tensor and (symmetric is False or symmetric is True) and atol.__class__ is float and
            rtol.__class__ is float and not extra and not unknown):
        return _pseudoinverse(a, symmetric, atol, rtol)
    return _linalg_pseudoinverse_slow((a, symmetric, atol, rtol), extra, unknown)

_pinv_grad_slow = _Binding("pinv_grad", "Tensor (Tensor dp, Tensor p, Tensor a)", _pinv_grad)
def pinv_grad(dp=_missing, p=_missing, a=_missing, *extra, **unknown):
    """the gradient of pinv"""
    if dp.__class__ is _Tensor and p.__class__ is _Tensor and a.__class__ is _Tensor and not extra and not unknown:
        return _pinv_grad(dp, p, a)
    return _pinv_grad_slow((dp, p, a), extra, unknown)

_linalg_pinv_slow = _Binding("linalg_pinv", "Tensor (Tensor input, *, Double atol=None, Double rtol=None, Bool hermitian=False)",
        _pinv, "Tensor (Tensor input, *, Tensor atol=None, Tensor rtol=None, Bool hermitian=False)", _pinv,
        "Tensor (Tensor input, Double rcond, Bool hermitian=False)", _pinv_rcond,
        "Tensor (Tensor input, Tensor rcond, Bool hermitian=False)", _pinv_rcond, autocast="float32")
def linalg_pinv(input=_missing, rcond=_missing, hermitian=False, *extra, atol=None, rtol=None, **unknown):
    """The pseudoinverse of Moore and Penrose.

    It is V diag(1/S) U^T of the singular value decomposition. Singular values up to max(atol, rtol *
    the largest) count as 0. The default of rtol is eps * max(m, n), or 0 where a positive atol is
    given.

    Overloads:
        - `pinv(input: Tensor, *, atol: float | None = None, rtol: float | None = None, hermitian: bool = False) -> Tensor`
        - `pinv(input: Tensor, *, atol: Tensor | None = None, rtol: Tensor | None = None, hermitian: bool = False) -> Tensor`
        - `pinv(input: Tensor, rcond: float, hermitian: bool = False) -> Tensor`
        - `pinv(input: Tensor, rcond: Tensor, hermitian: bool = False) -> Tensor`

    Args:
        input: the input.
        atol: the absolute tolerance, a number or one for each matrix.
        rtol: the relative tolerance, a number or one for each matrix.
        hermitian: whether the matrices are symmetric: eigenvalues are used then, and only the lower
            triangle is read.
        rcond: the older name of rtol.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n) -> (..., n, m).

    Under `flow.autocast` it computes in float32.

    Raises:
        LinAlgError: a number is not finite.
        RuntimeError: fewer than 2 dimensions, hermitian matrices that are not square, or neither float32
            nor float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.pinv.

    Example:
        >>> import tritonflow as flow
        >>> flow.linalg.pinv(flow.tensor([[2.0, 0.0], [0.0, 4.0], [0.0, 0.0]]))
        tensor([[0.5000, 0.0000, 0.0000],
                [0.0000, 0.2500, 0.0000]])
    """
    if (input.__class__ is _Tensor and (atol is None or atol.__class__ is float) and (rtol is None or rtol.__class__ is float) and
            hermitian is False and rcond is _missing and not extra and not unknown):
        return _pinv(input, atol, rtol, hermitian)
    if (input.__class__ is _Tensor and rcond.__class__ is float and (hermitian is False or hermitian is True) and atol is None and
            rtol is None and not extra and not unknown):
        return _pinv_rcond(input, rcond, hermitian)
    return _linalg_pinv_slow((input, rcond, hermitian, atol, rtol), extra, unknown)

_pinverse_slow = _Binding("pinverse", "Tensor (Tensor input, Double rcond=1e-15)", _p_inverse, methods="pinverse",
        autocast="float32")
def pinverse(input=_missing, rcond=1e-15, *extra, **unknown):
    """The pseudoinverse of Moore and Penrose.

    The older name of `flow.linalg.pinv`.

    Args:
        input: the input.
        rcond: singular values up to rcond * the largest count as 0.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n) -> (..., n, m).

    Under `flow.autocast` it computes in float32. Method: `Tensor.pinverse`.

    Raises:
        LinAlgError: a number is not finite.
        RuntimeError: fewer than 2 dimensions, or neither float32 nor float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.pinverse.

    Example:
        >>> import tritonflow as flow
        >>> flow.pinverse(flow.tensor([[2.0], [0.0]]))
        tensor([[0.5000, 0.0000]])
    """
    if input.__class__ is _Tensor and rcond.__class__ is float and not extra and not unknown:
        return _p_inverse(input, rcond)
    return _pinverse_slow((input, rcond), extra, unknown)

_linalg_matrix_rank_slow = _Binding("linalg_matrix_rank",
        "Tensor (Tensor input, *, Double atol=None, Double rtol=None, Bool hermitian=False)", _matrix_rank,
        "Tensor (Tensor input, *, Tensor atol=None, Tensor rtol=None, Bool hermitian=False)", _matrix_rank,
        "Tensor (Tensor input, Double tol, Bool hermitian=False)", _matrix_rank_tol,
        "Tensor (Tensor input, Tensor tol, Bool hermitian=False)", _matrix_rank_tol, autocast="float32")
def linalg_matrix_rank(input=_missing, tol=_missing, hermitian=False, *extra, atol=None, rtol=None, **unknown):
    """How many singular values are larger than a tolerance.

    The tolerance is max(atol, rtol * the largest singular value). The default of rtol is eps * max(m,
    n), or 0 where a positive atol is given.

    Overloads:
        - `matrix_rank(input: Tensor, *, atol: float | None = None, rtol: float | None = None, hermitian: bool = False) -> Tensor`
        - `matrix_rank(input: Tensor, *, atol: Tensor | None = None, rtol: Tensor | None = None, hermitian: bool = False) -> Tensor`
        - `matrix_rank(input: Tensor, tol: float, hermitian: bool = False) -> Tensor`
        - `matrix_rank(input: Tensor, tol: Tensor, hermitian: bool = False) -> Tensor`

    Args:
        input: the input.
        atol: the absolute tolerance, a number or one for each matrix.
        rtol: the relative tolerance, a number or one for each matrix.
        hermitian: whether the matrices are symmetric: eigenvalues are used then, and only the lower
            triangle is read.
        tol: the older name of atol; rtol is 0 then.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n) -> (...), int64.

    Not differentiable: counts. Under `flow.autocast` it computes in float32.

    Raises:
        RuntimeError: fewer than 2 dimensions, hermitian matrices that are not square, or neither float32
            nor float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.matrix_rank.

    Example:
        >>> import tritonflow as flow
        >>> flow.linalg.matrix_rank(flow.tensor([[1.0, 2.0], [2.0, 4.0]]))
        tensor(1)
    """
    if (input.__class__ is _Tensor and (atol is None or atol.__class__ is float) and (rtol is None or rtol.__class__ is float) and
            hermitian is False and tol is _missing and not extra and not unknown):
        return _matrix_rank(input, atol, rtol, hermitian)
    if (input.__class__ is _Tensor and tol.__class__ is float and (hermitian is False or hermitian is True) and atol is None and
            rtol is None and not extra and not unknown):
        return _matrix_rank_tol(input, tol, hermitian)
    return _linalg_matrix_rank_slow((input, tol, hermitian, atol, rtol), extra, unknown)

_linalg_lstsq_slow = _Binding("linalg_lstsq",
        "TensorTuple[solution, residuals, rank, singular_values] (Tensor input, Tensor b, Double rcond=None, *, String driver=None)",
        _lst_sq, autocast="float32", result=_return_types.linalg_lstsq)
def linalg_lstsq(input=_missing, b=_missing, rcond=None, *extra, driver=None, **unknown):
    """The x with the least norm of A x - B, residuals, ranks and singular values.

    Where several x have the least norm of A x - B, it is the one with the least norm of its own. All
    drivers give the solution by singular values; they differ in what else is returned.

    Args:
        input: A.
        b: B, matrices or a vector for each matrix.
        rcond: singular values up to rcond * the largest count as 0; default eps * max(m, n).
        driver: "gelsy" (default), "gels", "gelsd" or "gelss": residuals are for m > n and not gelsy, ranks
            not for gels, singular values for gelsd and gelss; what is not given is empty.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n), (..., m, k) or (..., m) -> solution (..., n, k) or (..., n), residuals (..., k), rank
        (...), singular_values.

    Returns:
        A named tuple `(solution, residuals, rank, singular_values)`.

    Under `flow.autocast` it computes in float32.

    Raises:
        RuntimeError: another driver, sizes or dtypes that differ, or neither float32 nor float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.lstsq.

    Example:
        >>> import tritonflow as flow
        >>> A = flow.tensor([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]])
        >>> line = flow.linalg.lstsq(A, flow.tensor([1.0, 3.0, 5.0])).solution  # through (0, 1), (1, 3), (2, 5)
        >>> flow.allclose(line, flow.tensor([1.0, 2.0]), atol=1e-5)
        True
    """
    if (input.__class__ is _Tensor and b.__class__ is _Tensor and (rcond is None or rcond.__class__ is float) and
            (driver is None or driver.__class__ is str) and not extra and not unknown):
        return _return_types.linalg_lstsq(*_lst_sq(input, b, rcond, driver))
    return _linalg_lstsq_slow((input, b, rcond, driver), extra, unknown)

_linalg_matrix_power_slow = _Binding("linalg_matrix_power", "Tensor (Tensor input, Int64 n)", _matrix_power, autocast="lower")
def linalg_matrix_power(input=_missing, n=_missing, *extra, **unknown):
    """The n-th power of matrices.

    It multiplies by repeated squaring. The power 0 is the identity, a negative one is that of the
    inverse.

    Args:
        input: the input.
        n: the power, a whole number.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, m) -> (..., m, m).

    Under `flow.autocast` it computes in its dtype.

    Raises:
        RuntimeError: the matrices are not square.
        LinAlgError: n is negative, and a matrix is singular.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.matrix_power.

    Example:
        >>> import tritonflow as flow
        >>> flow.linalg.matrix_power(flow.tensor([[1.0, 1.0], [0.0, 1.0]]), 3)
        tensor([[1., 3.],
                [0., 1.]])
    """
    if input.__class__ is _Tensor and n.__class__ is int and not extra and not unknown:
        return _matrix_power(input, n)
    return _linalg_matrix_power_slow((input, n), extra, unknown)

_matrix_power_slow = _Binding("matrix_power", "Tensor (Tensor input, Int64 n)", _matrix_power, methods="matrix_power",
        autocast="lower")
def matrix_power(input=_missing, n=_missing, *extra, **unknown):
    """The n-th power of matrices.

    It multiplies by repeated squaring. The power 0 is the identity, a negative one is that of the
    inverse.

    Args:
        input: the input.
        n: the power, a whole number.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, m) -> (..., m, m).

    Under `flow.autocast` it computes in its dtype. Method: `Tensor.matrix_power`.

    Raises:
        RuntimeError: the matrices are not square.
        LinAlgError: n is negative, and a matrix is singular.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.matrix_power.

    Example:
        >>> import tritonflow as flow
        >>> flow.matrix_power(flow.tensor([[1.0, 1.0], [0.0, 1.0]]), 3)
        tensor([[1., 3.],
                [0., 1.]])
    """
    if input.__class__ is _Tensor and n.__class__ is int and not extra and not unknown:
        return _matrix_power(input, n)
    return _matrix_power_slow((input, n), extra, unknown)

_linalg_matrix_exp_slow = _Binding("linalg_matrix_exp", "Tensor (Tensor input)", _matrix_exp, autocast="float32")
def linalg_matrix_exp(input=_missing, *extra, **unknown):
    """The exponential of matrices.

    exp(A) = 1 + A + A^2 / 2! + A^3 / 3! + ..., by Taylor's polynomial of degree 16 of A / 2^s, squared
    s times. After Moler and Van Loan, Nineteen dubious ways to compute the exponential of a matrix,
    2003. A graph takes norms up to 2048.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n) -> (..., n, n).

    Under `flow.autocast` it computes in float32.

    Raises:
        RuntimeError: the matrices are not square, or not of a floating dtype.
        LinAlgError: the norm of a matrix is greater than 2048 in a graph.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.matrix_exp.

    Example:
        >>> import tritonflow as flow
        >>> flow.linalg.matrix_exp(flow.tensor([[0.0, 1.0], [0.0, 0.0]]))
        tensor([[1., 1.],
                [0., 1.]])
    """
    if input.__class__ is _Tensor and not extra and not unknown:
        return _matrix_exp(input)
    return _linalg_matrix_exp_slow((input,), extra, unknown)

_matrix_exp_slow = _Binding("matrix_exp", "Tensor (Tensor input)", _matrix_exp, methods="matrix_exp", autocast="float32")
def matrix_exp(input=_missing, *extra, **unknown):
    """The exponential of matrices.

    exp(A) = 1 + A + A^2 / 2! + A^3 / 3! + ..., by Taylor's polynomial of degree 16 of A / 2^s, squared
    s times. After Moler and Van Loan, Nineteen dubious ways to compute the exponential of a matrix,
    2003. A graph takes norms up to 2048.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n) -> (..., n, n).

    Under `flow.autocast` it computes in float32. Method: `Tensor.matrix_exp`.

    Raises:
        RuntimeError: the matrices are not square, or not of a floating dtype.
        LinAlgError: the norm of a matrix is greater than 2048 in a graph.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.matrix_exp.

    Example:
        >>> import tritonflow as flow
        >>> flow.matrix_exp(flow.tensor([[0.0, 1.0], [0.0, 0.0]]))
        tensor([[1., 1.],
                [0., 1.]])
    """
    if input.__class__ is _Tensor and not extra and not unknown:
        return _matrix_exp(input)
    return _matrix_exp_slow((input,), extra, unknown)

_linalg_cond_slow = _Binding("linalg_cond", "Tensor (Tensor input, Scalar p=None)", _cond, "Tensor (Tensor input, String p)",
        _cond, autocast="float32")
def linalg_cond(input=_missing, p=_missing, *extra, **unknown):
    """The condition number.

    It is norm(A, p) * norm(inverse of A, p); for p of None and 2 it is the largest singular value over
    the least, for -2 the other way round. A singular matrix has infinity.

    Args:
        input: the input.
        p: None, 2, -2, 1, -1, inf, -inf, "fro" or "nuc"; all but None, 2 and -2 want square matrices.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n) -> (...).

    Under `flow.autocast` it computes in float32.

    Raises:
        RuntimeError: another p, matrices that are not square where p wants it, or neither float32 nor
            float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.cond.

    Example:
        >>> import tritonflow as flow
        >>> flow.linalg.cond(flow.tensor([[2.0, 0.0], [0.0, 8.0]]))
        tensor(4.)
    """
    if input.__class__ is _Tensor and p is _missing and not extra and not unknown:
        return _cond(input, None)
    if input.__class__ is _Tensor and p.__class__ is str and not extra and not unknown:
        return _cond(input, p)
    return _linalg_cond_slow((input, p), extra, unknown)

_linalg_multi_dot_slow = _Binding("linalg_multi_dot", "Tensor (TensorTuple tensors)", _multi_dot, autocast="lower")
def linalg_multi_dot(tensors=_missing, *extra, **unknown):
    """The product of matrices, in the order that multiplies least; the first and last may be vectors.

    Args:
        tensors: two or more matrices; the first may be a vector and counts as a row, the last as a column.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (a, b), (b, c), ..., (y, z) -> (a, z); without a or z where the first or the last is a vector.

    Under `flow.autocast` it computes in its dtype.

    Raises:
        RuntimeError: fewer than two tensors, other dimensions, or sizes or dtypes that differ.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.multi_dot.

    Example:
        >>> import tritonflow as flow
        >>> a, b, c = flow.ones(2, 100), flow.ones(100, 3), flow.ones(3)
        >>> flow.linalg.multi_dot([a, b, c])
        tensor([300., 300.])
    """
    if tensors.__class__ is tuple and not extra and not unknown and _all_tensors(tensors):
        return _multi_dot(tensors)
    if tensors.__class__ is _Tensor and not unknown and _all_tensors(extra):
        return _multi_dot((tensors, *extra))
    return _linalg_multi_dot_slow((tensors,), extra, unknown)

_linalg_tensorinv_slow = _Binding("linalg_tensorinv", "Tensor (Tensor input, Int64 ind=2)", _tensor_inv, autocast="float32")
def linalg_tensorinv(input=_missing, ind=2, *extra, **unknown):
    """The inverse of a tensor as a map from its last dimensions to its first.

    With it, tensordot(tensorinv(A, ind), B, ind) is tensorsolve(A, B).

    Args:
        input: the input.
        ind: how many of the first dimensions are one side of the matrix.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (first ..., last ...) with equal products of both -> (last ..., first ...).

    Under `flow.autocast` it computes in float32.

    Raises:
        RuntimeError: ind is not positive, or the products differ.
        LinAlgError: the matrix is singular.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.tensorinv.

    Example:
        >>> import tritonflow as flow
        >>> A = flow.eye(6).reshape(2, 3, 6)
        >>> flow.linalg.tensorinv(A).shape
        tritonflow.Size([6, 2, 3])
    """
    if input.__class__ is _Tensor and ind.__class__ is int and not extra and not unknown:
        return _tensor_inv(input, ind)
    return _linalg_tensorinv_slow((input, ind), extra, unknown)

_linalg_tensorsolve_slow = _Binding("linalg_tensorsolve", "Tensor (Tensor input, Tensor other, Int32List[1] dims=None)",
        _tensor_solve, autocast="float32")
def linalg_tensorsolve(input=_missing, other=_missing, dims=None, *extra, **unknown):
    """x with tensordot(A, x, x.ndim) = B.

    Args:
        input: A.
        other: B.
        dims: dimensions of A that are moved to its end first.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (B's shape ..., x's shape ...), B's shape -> x's shape.

    Under `flow.autocast` it computes in float32.

    Raises:
        RuntimeError: the products of both shapes differ.
        LinAlgError: the matrix is singular.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.tensorsolve.

    Example:
        >>> import tritonflow as flow
        >>> A = 2 * flow.eye(6).reshape(2, 3, 6)
        >>> flow.linalg.tensorsolve(A, flow.ones(2, 3))
        tensor([0.5000, 0.5000, 0.5000, 0.5000, 0.5000, 0.5000])
    """
    if (input.__class__ is _Tensor and other.__class__ is _Tensor and
            (dims is None or dims.__class__ is int or dims.__class__ is _Size or dims.__class__ is tuple and _all_ints(dims)) and
            not extra and not unknown):
        return _tensor_solve(input, other, (dims,) if dims.__class__ is int else dims)
    return _linalg_tensorsolve_slow((input, other, dims), extra, unknown)

_linalg_vander_slow = _Binding("linalg_vander", "Tensor (Tensor x, *, Int64 N=None)", _linalg_vander)
def linalg_vander(x=_missing, *extra, N=None, **unknown):
    """Rows of rising powers.

    Row i is 1, x_i, x_i^2, ..., x_i^(N - 1); the matrix of Vandermonde. `flow.vander` has falling
    powers.

    Args:
        x: numbers; one without dimensions counts as a vector of one.
        N: how many powers; default as many as x has numbers.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n) -> (..., n, N).

    Raises:
        RuntimeError: N is 1 or less, or a bool or half dtype.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.vander.

    Example:
        >>> import tritonflow as flow
        >>> flow.linalg.vander(flow.tensor([2, 3]), N=4)
        tensor([[ 1,  2,  4,  8],
                [ 1,  3,  9, 27]])
    """
    if x.__class__ is _Tensor and (N is None or N.__class__ is int) and not extra and not unknown:
        return _linalg_vander(x, N)
    return _linalg_vander_slow((x, N), extra, unknown)

_linalg_vecdot_slow = _Binding("linalg_vecdot", "Tensor (Tensor x, Tensor y, *, Int32 dim=-1)", _vec_dot, autocast="lower")
def linalg_vecdot(x=_missing, y=_missing, *extra, dim=-1, **unknown):
    """The inner products of vectors along a dimension.

    It is sum(conj(x) * y); both broadcast first.

    Args:
        x: vectors; complex ones are conjugated.
        y: vectors.
        dim: the dimension; a negative one counts from the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...), (..., n, ...) -> (..., ...).

    Under `flow.autocast` it computes in its dtype.

    Raises:
        RuntimeError: real tensors that are not floating.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.vecdot.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> flow.linalg.vecdot(x, x)
        tensor([ 5., 25.])
    """
    if x.__class__ is _Tensor and y.__class__ is _Tensor and dim.__class__ is int and not extra and not unknown:
        return _vec_dot(x, y, dim)
    return _linalg_vecdot_slow((x, y, dim), extra, unknown)

_linalg_cross_slow = _Binding("linalg_cross", "Tensor (Tensor input, Tensor other, *, Int32 dim=-1)", _linalg_cross)
def linalg_cross(input=_missing, other=_missing, *extra, dim=-1, **unknown):
    """The vector product along a dimension of size 3.

    Element i is x_j y_k - x_k y_j with j = i + 1 and k = i + 2 modulo 3. Both broadcast first.
    `flow.cross` without dim takes the first dimension of size 3 instead.

    Args:
        input: the input.
        other: a tensor.
        dim: the dimension; a negative one counts from the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., 3, ...), (..., 3, ...) -> (..., 3, ...).

    Raises:
        RuntimeError: the dimension has another size, or the numbers of dimensions differ.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.cross.

    Example:
        >>> import tritonflow as flow
        >>> x, y = flow.tensor([1.0, 0.0, 0.0]), flow.tensor([0.0, 1.0, 0.0])
        >>> flow.linalg.cross(x, y)
        tensor([0., 0., 1.])
    """
    if input.__class__ is _Tensor and other.__class__ is _Tensor and dim.__class__ is int and not extra and not unknown:
        return _linalg_cross(input, other, dim)
    return _linalg_cross_slow((input, other, dim), extra, unknown)

_linalg_diagonal_slow = _Binding("linalg_diagonal", "Tensor (Tensor A, *, Int64 offset=0, Int32 dim1=-2, Int32 dim2=-1)",
        _linalg_diagonal)
def linalg_diagonal(A=_missing, *extra, offset=0, dim1=-2, dim2=-1, **unknown):
    """The diagonals of matrices.

    A view: it shares the memory of A. `flow.diagonal` has the first two dimensions as default.

    Args:
        A: matrices, or any two dimensions of a tensor.
        offset: which diagonal: above the main one if positive, below it if negative.
        dim1: the dimension of rows.
        dim2: the dimension of columns.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n) -> (..., length of the diagonal).

    Raises:
        IndexError: there is no such dimension.
        RuntimeError: dim1 and dim2 are the same.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.diagonal.

    Example:
        >>> import tritonflow as flow
        >>> flow.linalg.diagonal(flow.tensor([[1, 2], [3, 4]]))
        tensor([1, 4])
    """
    if (A.__class__ is _Tensor and offset.__class__ is int and dim1.__class__ is int and dim2.__class__ is int and not extra and
            not unknown):
        return _linalg_diagonal(A, offset, dim1, dim2)
    return _linalg_diagonal_slow((A, offset, dim1, dim2), extra, unknown)

_linalg_matmul_slow = _Binding("linalg_matmul", "Tensor (Tensor input, Tensor other)", _linalg_mat_mul, autocast="lower")
def linalg_matmul(input=_missing, other=_missing, *extra, **unknown):
    """The matrix product of the last two dimensions, broadcast over the others.

    The same as `flow.matmul`.

    Args:
        input: the input.
        other: a tensor.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, k), (..., k, n) -> (..., m, n); a vector counts as a row on the left and a column on the
        right.

    Under `flow.autocast` it computes in its dtype.

    Raises:
        RuntimeError: sizes or dtypes do not fit.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.matmul.

    Example:
        >>> import tritonflow as flow
        >>> flow.linalg.matmul(flow.ones(2, 3), flow.ones(3, 2))
        tensor([[3., 3.],
                [3., 3.]])
    """
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _linalg_mat_mul(input, other)
    return _linalg_matmul_slow((input, other), extra, unknown)

_linalg_checked_slow = _Binding("linalg_checked", "Tensor (Tensor x, Tensor info, String message)", _checked)
def linalg_checked(x=_missing, info=_missing, message=_missing, *extra, **unknown):
    """a tensor, and an error where a factorisation was not possible"""
    if x.__class__ is _Tensor and info.__class__ is _Tensor and message.__class__ is str and not extra and not unknown:
        return _checked(x, info, message)
    return _linalg_checked_slow((x, info, message), extra, unknown)

_methods = _publish(globals())

"""The functions of the binding that are names of `tritonflow.linalg`.

Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
# ruff: noqa: F401
from tritonflow._C.functional.linalg import (linalg_cholesky_ex as cholesky_ex, linalg_solve_ex as solve_ex,
        linalg_lu_factor_ex as lu_factor_ex, linalg_ldl_factor_ex as ldl_factor_ex, linalg_ldl_solve as ldl_solve,
        linalg_qr as qr, linalg_householder_product as householder_product, linalg_eigh as eigh, linalg_svd as svd,
        linalg_cholesky as cholesky, linalg_lu_factor as lu_factor, linalg_lu as lu, linalg_ldl_factor as ldl_factor,
        linalg_det as det, linalg_slogdet as slogdet, linalg_eig as eig, linalg_eigvals as eigvals,
        linalg_matrix_power as matrix_power, linalg_matrix_exp as matrix_exp, linalg_cond as cond, linalg_multi_dot as multi_dot,
        linalg_vecdot as vecdot, linalg_cross as cross, linalg_diagonal as diagonal, linalg_vander as vander,
        linalg_tensorinv as tensorinv, linalg_tensorsolve as tensorsolve, linalg_matmul as matmul, linalg_lstsq as lstsq,
        linalg_pinv as pinv, linalg_matrix_rank as matrix_rank, linalg_solve as solve, linalg_lu_solve as lu_solve,
        linalg_inv_ex as inv_ex, linalg_inv as inv, linalg_eigvalsh as eigvalsh, linalg_svdvals as svdvals,
        linalg_solve_triangular as solve_triangular)
from tritonflow._C.functional.reduction import (linalg_vector_norm as vector_norm, linalg_matrix_norm as matrix_norm,
        linalg_norm as norm)

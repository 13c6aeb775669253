"""Named tuples that ops with several named outputs return.

Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit.
"""

from collections import namedtuple

frexp = namedtuple("frexp", ["mantissa", "exponent"], module="tritonflow._C.return_types")
max = namedtuple("max", ["values", "indices"], module="tritonflow._C.return_types")
min = namedtuple("min", ["values", "indices"], module="tritonflow._C.return_types")
aminmax = namedtuple("aminmax", ["min", "max"], module="tritonflow._C.return_types")
histogram = namedtuple("histogram", ["hist", "bin_edges"], module="tritonflow._C.return_types")
sort = namedtuple("sort", ["values", "indices"], module="tritonflow._C.return_types")
topk = namedtuple("topk", ["values", "indices"], module="tritonflow._C.return_types")
median = namedtuple("median", ["values", "indices"], module="tritonflow._C.return_types")
cummax = namedtuple("cummax", ["values", "indices"], module="tritonflow._C.return_types")
cummin = namedtuple("cummin", ["values", "indices"], module="tritonflow._C.return_types")
kthvalue = namedtuple("kthvalue", ["values", "indices"], module="tritonflow._C.return_types")
mode = namedtuple("mode", ["values", "indices"], module="tritonflow._C.return_types")
nanmedian = namedtuple("nanmedian", ["values", "indices"], module="tritonflow._C.return_types")
linalg_cholesky_ex = namedtuple("linalg_cholesky_ex", ["L", "info"], module="tritonflow._C.return_types")
triangular_solve = namedtuple(
    "triangular_solve", ["solution", "cloned_coefficient"], module="tritonflow._C.return_types"
)
linalg_solve_ex = namedtuple("linalg_solve_ex", ["result", "info"], module="tritonflow._C.return_types")
linalg_inv_ex = namedtuple("linalg_inv_ex", ["inverse", "info"], module="tritonflow._C.return_types")
linalg_slogdet = namedtuple("linalg_slogdet", ["sign", "logabsdet"], module="tritonflow._C.return_types")
slogdet = namedtuple("slogdet", ["sign", "logabsdet"], module="tritonflow._C.return_types")
linalg_lu_factor_ex = namedtuple("linalg_lu_factor_ex", ["LU", "pivots", "info"], module="tritonflow._C.return_types")
linalg_lu_factor = namedtuple("linalg_lu_factor", ["LU", "pivots"], module="tritonflow._C.return_types")
linalg_lu = namedtuple("linalg_lu", ["P", "L", "U"], module="tritonflow._C.return_types")
lu_unpack = namedtuple("lu_unpack", ["P", "L", "U"], module="tritonflow._C.return_types")
linalg_qr = namedtuple("linalg_qr", ["Q", "R"], module="tritonflow._C.return_types")
qr = namedtuple("qr", ["Q", "R"], module="tritonflow._C.return_types")
geqrf = namedtuple("geqrf", ["a", "tau"], module="tritonflow._C.return_types")
linalg_eigh = namedtuple("linalg_eigh", ["eigenvalues", "eigenvectors"], module="tritonflow._C.return_types")
linalg_eig = namedtuple("linalg_eig", ["eigenvalues", "eigenvectors"], module="tritonflow._C.return_types")
linalg_svd = namedtuple("linalg_svd", ["U", "S", "Vh"], module="tritonflow._C.return_types")
svd = namedtuple("svd", ["U", "S", "V"], module="tritonflow._C.return_types")
linalg_lstsq = namedtuple(
    "linalg_lstsq", ["solution", "residuals", "rank", "singular_values"], module="tritonflow._C.return_types"
)

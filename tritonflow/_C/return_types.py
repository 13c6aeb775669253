"""Named tuples that ops with several named outputs return.

Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
"""

from tritonflow.binding.return_type import return_type

frexp = return_type("frexp", ["mantissa", "exponent"])
max = return_type("max", ["values", "indices"])
min = return_type("min", ["values", "indices"])
sort = return_type("sort", ["values", "indices"])
cummax = return_type("cummax", ["values", "indices"])
cummin = return_type("cummin", ["values", "indices"])
linalg_cholesky_ex = return_type("linalg_cholesky_ex", ["L", "info"])
linalg_solve_ex = return_type("linalg_solve_ex", ["result", "info"])
linalg_lu_factor_ex = return_type("linalg_lu_factor_ex", ["LU", "pivots", "info"])
linalg_qr = return_type("linalg_qr", ["Q", "R"])
geqrf = return_type("geqrf", ["a", "tau"])
linalg_eigh = return_type("linalg_eigh", ["eigenvalues", "eigenvectors"])
linalg_svd = return_type("linalg_svd", ["U", "S", "Vh"])
linalg_lu_factor = return_type("linalg_lu_factor", ["LU", "pivots"])
linalg_lu = return_type("linalg_lu", ["P", "L", "U"])
lu_unpack = return_type("lu_unpack", ["P", "L", "U"])
linalg_slogdet = return_type("linalg_slogdet", ["sign", "logabsdet"])
slogdet = return_type("slogdet", ["sign", "logabsdet"])
linalg_eig = return_type("linalg_eig", ["eigenvalues", "eigenvectors"])
qr = return_type("qr", ["Q", "R"])
linalg_lstsq = return_type("linalg_lstsq", ["solution", "residuals", "rank", "singular_values"])
linalg_inv_ex = return_type("linalg_inv_ex", ["inverse", "info"])
svd = return_type("svd", ["U", "S", "V"])
triangular_solve = return_type("triangular_solve", ["solution", "cloned_coefficient"])
histogram = return_type("histogram", ["hist", "bin_edges"])
aminmax = return_type("aminmax", ["min", "max"])
topk = return_type("topk", ["values", "indices"])
median = return_type("median", ["values", "indices"])
kthvalue = return_type("kthvalue", ["values", "indices"])
mode = return_type("mode", ["values", "indices"])
nanmedian = return_type("nanmedian", ["values", "indices"])

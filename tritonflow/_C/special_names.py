"""The functions of the binding that are names of `tritonflow.special`.

Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
# ruff: noqa: F401
from tritonflow._C.functional.elementwise import (xlogy)
from tritonflow._C.functional.unary import (sinc, erfc, logit)
from tritonflow._C.functional.special import (special_xlog1py as xlog1py, special_zeta as zeta, special_gammainc as gammainc,
        special_gammaincc as gammaincc, i0, special_i0e as i0e, special_i1 as i1, special_i1e as i1e, special_entr as entr,
        special_erfcx as erfcx, special_ndtr as ndtr, special_ndtri as ndtri, special_log_ndtr as log_ndtr,
        special_bessel_j0 as bessel_j0, special_bessel_j1 as bessel_j1, special_bessel_y0 as bessel_y0,
        special_bessel_y1 as bessel_y1, special_modified_bessel_i0 as modified_bessel_i0,
        special_modified_bessel_i1 as modified_bessel_i1, special_modified_bessel_k0 as modified_bessel_k0,
        special_modified_bessel_k1 as modified_bessel_k1, special_scaled_modified_bessel_k0 as scaled_modified_bessel_k0,
        special_scaled_modified_bessel_k1 as scaled_modified_bessel_k1, special_spherical_bessel_j0 as spherical_bessel_j0,
        special_airy_ai as airy_ai, special_chebyshev_polynomial_t as chebyshev_polynomial_t,
        special_chebyshev_polynomial_u as chebyshev_polynomial_u, special_chebyshev_polynomial_v as chebyshev_polynomial_v,
        special_chebyshev_polynomial_w as chebyshev_polynomial_w,
        special_shifted_chebyshev_polynomial_t as shifted_chebyshev_polynomial_t,
        special_shifted_chebyshev_polynomial_u as shifted_chebyshev_polynomial_u,
        special_shifted_chebyshev_polynomial_v as shifted_chebyshev_polynomial_v,
        special_shifted_chebyshev_polynomial_w as shifted_chebyshev_polynomial_w,
        special_hermite_polynomial_h as hermite_polynomial_h, special_hermite_polynomial_he as hermite_polynomial_he,
        special_laguerre_polynomial_l as laguerre_polynomial_l, special_legendre_polynomial_p as legendre_polynomial_p, polygamma,
        special_multigammaln as multigammaln)

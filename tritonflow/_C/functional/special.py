"""Functions of the binding: special.

Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.binding.arguments import Binding as _Binding
from tritonflow.functions.generated import (digamma as _digamma, i0 as _i0, igamma as _igamma, igammac as _igammac,
        inverse_mills_ratio as _inverse_mills_ratio, lgamma as _lgamma, normal_cdf as _normal_cdf,
        scalar_special_chebyshev_polynomial_t as _scalar_special_chebyshev_polynomial_t,
        scalar_special_chebyshev_polynomial_t_reversed as _scalar_special_chebyshev_polynomial_t_reversed,
        scalar_special_chebyshev_polynomial_u as _scalar_special_chebyshev_polynomial_u,
        scalar_special_chebyshev_polynomial_u_reversed as _scalar_special_chebyshev_polynomial_u_reversed,
        scalar_special_chebyshev_polynomial_v as _scalar_special_chebyshev_polynomial_v,
        scalar_special_chebyshev_polynomial_v_reversed as _scalar_special_chebyshev_polynomial_v_reversed,
        scalar_special_chebyshev_polynomial_w as _scalar_special_chebyshev_polynomial_w,
        scalar_special_chebyshev_polynomial_w_reversed as _scalar_special_chebyshev_polynomial_w_reversed,
        scalar_special_hermite_polynomial_h as _scalar_special_hermite_polynomial_h,
        scalar_special_hermite_polynomial_h_reversed as _scalar_special_hermite_polynomial_h_reversed,
        scalar_special_hermite_polynomial_he as _scalar_special_hermite_polynomial_he,
        scalar_special_hermite_polynomial_he_reversed as _scalar_special_hermite_polynomial_he_reversed,
        scalar_special_laguerre_polynomial_l as _scalar_special_laguerre_polynomial_l,
        scalar_special_laguerre_polynomial_l_reversed as _scalar_special_laguerre_polynomial_l_reversed,
        scalar_special_legendre_polynomial_p as _scalar_special_legendre_polynomial_p,
        scalar_special_legendre_polynomial_p_reversed as _scalar_special_legendre_polynomial_p_reversed,
        scalar_special_shifted_chebyshev_polynomial_t as _scalar_special_shifted_chebyshev_polynomial_t,
        scalar_special_shifted_chebyshev_polynomial_t_reversed as _scalar_special_shifted_chebyshev_polynomial_t_reversed,
        scalar_special_shifted_chebyshev_polynomial_u as _scalar_special_shifted_chebyshev_polynomial_u,
        scalar_special_shifted_chebyshev_polynomial_u_reversed as _scalar_special_shifted_chebyshev_polynomial_u_reversed,
        scalar_special_shifted_chebyshev_polynomial_v as _scalar_special_shifted_chebyshev_polynomial_v,
        scalar_special_shifted_chebyshev_polynomial_v_reversed as _scalar_special_shifted_chebyshev_polynomial_v_reversed,
        scalar_special_shifted_chebyshev_polynomial_w as _scalar_special_shifted_chebyshev_polynomial_w,
        scalar_special_shifted_chebyshev_polynomial_w_reversed as _scalar_special_shifted_chebyshev_polynomial_w_reversed,
        scalar_special_xlog1py as _scalar_special_xlog1py, scalar_special_xlog1py_reversed as _scalar_special_xlog1py_reversed,
        scalar_special_zeta as _scalar_special_zeta, scalar_special_zeta_reversed as _scalar_special_zeta_reversed,
        special_airy_ai as _special_airy_ai, special_bessel_j0 as _special_bessel_j0, special_bessel_j1 as _special_bessel_j1,
        special_bessel_y0 as _special_bessel_y0, special_bessel_y1 as _special_bessel_y1,
        special_chebyshev_polynomial_t as _special_chebyshev_polynomial_t,
        special_chebyshev_polynomial_u as _special_chebyshev_polynomial_u,
        special_chebyshev_polynomial_v as _special_chebyshev_polynomial_v,
        special_chebyshev_polynomial_w as _special_chebyshev_polynomial_w, special_entr as _special_entr,
        special_erfcx as _special_erfcx, special_erfcx_slope as _special_erfcx_slope,
        special_hermite_polynomial_h as _special_hermite_polynomial_h,
        special_hermite_polynomial_he as _special_hermite_polynomial_he, special_i0e as _special_i0e,
        special_i0e_slope as _special_i0e_slope, special_i1 as _special_i1, special_i1_slope as _special_i1_slope,
        special_i1e as _special_i1e, special_i1e_slope as _special_i1e_slope,
        special_laguerre_polynomial_l as _special_laguerre_polynomial_l,
        special_legendre_polynomial_p as _special_legendre_polynomial_p, special_log_ndtr as _special_log_ndtr,
        special_modified_bessel_i0 as _special_modified_bessel_i0, special_modified_bessel_i1 as _special_modified_bessel_i1,
        special_modified_bessel_k0 as _special_modified_bessel_k0, special_modified_bessel_k1 as _special_modified_bessel_k1,
        special_ndtr as _special_ndtr, special_ndtri as _special_ndtri,
        special_scaled_modified_bessel_k0 as _special_scaled_modified_bessel_k0,
        special_scaled_modified_bessel_k1 as _special_scaled_modified_bessel_k1,
        special_shifted_chebyshev_polynomial_t as _special_shifted_chebyshev_polynomial_t,
        special_shifted_chebyshev_polynomial_u as _special_shifted_chebyshev_polynomial_u,
        special_shifted_chebyshev_polynomial_v as _special_shifted_chebyshev_polynomial_v,
        special_shifted_chebyshev_polynomial_w as _special_shifted_chebyshev_polynomial_w,
        special_spherical_bessel_j0 as _special_spherical_bessel_j0, special_xlog1py as _special_xlog1py,
        special_zeta as _special_zeta, trigamma as _trigamma)
from tritonflow.functions.special import (polygamma_of as _poly_gamma_of, missing_derivative as _missing_derivative,
        mvlgamma as _mvlgamma, polygamma as _polygamma)
from tritonflow.binding.library import publish as _publish
from tritonflow.binding.prototype import MISSING as _missing

_lgamma_slow = _Binding("lgamma", "Tensor (Tensor input, *, Bool inplace=False)", _lgamma, methods="lgamma")
def lgamma(input=_missing, *extra, inplace=False, **unknown):
    """log(abs(gamma(input))).

    Infinite at 0 and at negative whole numbers. `flow.special.gammaln` is another name.

    Args:
        input: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Dtypes:
        Complex numbers are refused. The result has the dtype of the input; integers and bool give the
        default dtype.

    Differentiable in `input`. Methods: `Tensor.lgamma` and `Tensor.lgamma_`.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.lgamma.

    Example:
        >>> import tritonflow as flow
        >>> flow.lgamma(flow.tensor([1.0, 5.0]))
        tensor([0.0000, 3.1781])
    """
    if input.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _lgamma(input, inplace)
    return _lgamma_slow((input, inplace), extra, unknown)

_lgamma__slow = _Binding("lgamma_", "Tensor (Tensor input)", _lgamma, methods="lgamma_", inplace=True)
def lgamma_(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _lgamma(input, inplace=True)
    return _lgamma__slow((input,), extra, unknown)

_digamma_slow = _Binding("digamma", "Tensor (Tensor input, *, Bool inplace=False)", _digamma, methods="digamma")
def digamma(input=_missing, *extra, inplace=False, **unknown):
    """The derivative of lgamma.

    `out = gamma'(input) / gamma(input)`. `flow.special.psi` is another name.

    Args:
        input: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Dtypes:
        Complex numbers are refused. The result has the dtype of the input; integers and bool give the
        default dtype.

    Differentiable in `input`. Methods: `Tensor.digamma` and `Tensor.digamma_`.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.digamma.

    Example:
        >>> import tritonflow as flow
        >>> flow.digamma(flow.tensor([1.0, 2.0]))
        tensor([-0.5772,  0.4228])
    """
    if input.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _digamma(input, inplace)
    return _digamma_slow((input, inplace), extra, unknown)

_digamma__slow = _Binding("digamma_", "Tensor (Tensor input)", _digamma, methods="digamma_", inplace=True)
def digamma_(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _digamma(input, inplace=True)
    return _digamma__slow((input,), extra, unknown)

_trigamma_slow = _Binding("trigamma", "Tensor (Tensor input)", _trigamma)
def trigamma(input=_missing, *extra, **unknown):
    """the derivative of digamma"""
    if input.__class__ is _Tensor and not extra and not unknown:
        return _trigamma(input)
    return _trigamma_slow((input,), extra, unknown)

_polygamma_of_slow = _Binding("polygamma_of", "Tensor (Tensor input, Int32 n)", _poly_gamma_of, methods="polygamma")
def polygamma_of(input=_missing, n=_missing, *extra, **unknown):
    """The n-th derivative of digamma.

    `flow.polygamma` as a method, the tensor first.

    Args:
        input: the input.
        n: how many times digamma is differentiated; not negative.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Dtypes:
        Complex numbers are refused. The result has the dtype of the input; integers and bool give the
        default dtype.

    Differentiable in `input`. Method: `Tensor.polygamma`.

    Raises:
        RuntimeError: `n` is negative.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.Tensor.polygamma.

    Example:
        >>> import tritonflow as flow
        >>> flow.tensor([1.0, 2.0]).polygamma(1)
        tensor([1.6449, 0.6449])
    """
    if input.__class__ is _Tensor and n.__class__ is int and not extra and not unknown:
        return _poly_gamma_of(input, n)
    return _polygamma_of_slow((input, n), extra, unknown)

_special_xlog1py_slow = _Binding("special_xlog1py", "Tensor (Tensor input, Tensor other)", _special_xlog1py,
        "Tensor (Tensor input, Scalar other)", _scalar_special_xlog1py, "Tensor (Scalar input, Tensor other)",
        _scalar_special_xlog1py_reversed)
def special_xlog1py(input=_missing, other=_missing, *extra, **unknown):
    """input * log(1 + other), and 0 where input is.

    `out = input * log(1 + other)`, NaN where `other` is.

    Args:
        input: a tensor or a number.
        other: a tensor or a number.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has their common shape.

    Dtypes:
        Complex numbers are refused. The result has the dtype that they promote to; integers and bool give
        the default dtype.

    Differentiable in `input` and `other`.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.special.xlog1py.

    Example:
        >>> import tritonflow as flow
        >>> flow.special.xlog1py(flow.tensor([0.0, 2.0]), flow.tensor([-1.0, 1.0]))
        tensor([0.0000, 1.3863])
    """
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _special_xlog1py(input, other)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_special_xlog1py(input, other)
    if (input.__class__ is float or input.__class__ is int) and other.__class__ is _Tensor and not extra and not unknown:
        return _scalar_special_xlog1py_reversed(input, other)
    return _special_xlog1py_slow((input, other), extra, unknown)

_special_zeta_slow = _Binding("special_zeta", "Tensor (Tensor input, Tensor other)", _special_zeta,
        "Tensor (Tensor input, Scalar other)", _scalar_special_zeta, "Tensor (Scalar input, Tensor other)",
        _scalar_special_zeta_reversed)
def special_zeta(input=_missing, other=_missing, *extra, **unknown):
    """The sum of (other + k) ** -input over k = 0, 1, ....

    The Hurwitz zeta function; with `other` = 1 it is Riemann's.

    Args:
        input: the exponents, larger than 1.
        other: where the sum begins, a tensor or a number.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has their common shape.

    Dtypes:
        Complex numbers are refused. The result has the dtype that they promote to; integers and bool give
        the default dtype.

    Differentiable in `other`.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.special.zeta.

    Example:
        >>> import tritonflow as flow
        >>> flow.special.zeta(flow.tensor([2.0, 4.0]), 1.0)
        tensor([1.6449, 1.0823])
    """
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _special_zeta(input, other)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_special_zeta(input, other)
    if (input.__class__ is float or input.__class__ is int) and other.__class__ is _Tensor and not extra and not unknown:
        return _scalar_special_zeta_reversed(input, other)
    return _special_zeta_slow((input, other), extra, unknown)

_igamma_slow = _Binding("igamma", "Tensor (Tensor input, Tensor other, *, Bool inplace=False)", _igamma, methods="igamma")
def igamma(input=_missing, other=_missing, *extra, inplace=False, **unknown):
    """The regularized lower incomplete gamma function of other with the parameter input.

    The integral of `t ** (input - 1) * exp(-t)` from 0 to `other`, divided by gamma(input).
    `flow.special.gammainc` is another name.

    Args:
        input: the parameter, positive.
        other: the upper limit of the integral, not negative.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has their common shape.

    Dtypes:
        The operands are floating. The result has the dtype that they promote to.

    Differentiable in `other`. Methods: `Tensor.igamma` and `Tensor.igamma_`.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.igamma.

    Example:
        >>> import tritonflow as flow
        >>> flow.igamma(flow.tensor([1.0, 2.0]), flow.tensor([1.0, 1.0]))
        tensor([0.6321, 0.2642])
    """
    if (input.__class__ is _Tensor and other.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _igamma(input, other, inplace)
    return _igamma_slow((input, other, inplace), extra, unknown)

_igamma__slow = _Binding("igamma_", "Tensor (Tensor input, Tensor other)", _igamma, methods="igamma_", inplace=True)
def igamma_(input=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _igamma(input, other, inplace=True)
    return _igamma__slow((input, other), extra, unknown)

_special_gammainc_slow = _Binding("special_gammainc", "Tensor (Tensor input, Tensor other, *, Bool inplace=False)", _igamma,
        like="igamma")
def special_gammainc(input=_missing, other=_missing, *extra, inplace=False, **unknown):
    if (input.__class__ is _Tensor and other.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _igamma(input, other, inplace)
    return _special_gammainc_slow((input, other, inplace), extra, unknown)

_igammac_slow = _Binding("igammac", "Tensor (Tensor input, Tensor other, *, Bool inplace=False)", _igammac, methods="igammac")
def igammac(input=_missing, other=_missing, *extra, inplace=False, **unknown):
    """The regularized upper incomplete gamma function, 1 - igamma.

    The integral of `t ** (input - 1) * exp(-t)` from `other` to infinity, divided by gamma(input).
    `flow.special.gammaincc` is another name.

    Args:
        input: the parameter, positive.
        other: the lower limit of the integral, not negative.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has their common shape.

    Dtypes:
        The operands are floating. The result has the dtype that they promote to.

    Differentiable in `other`. Methods: `Tensor.igammac` and `Tensor.igammac_`.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.igammac.

    Example:
        >>> import tritonflow as flow
        >>> flow.igammac(flow.tensor([1.0, 2.0]), flow.tensor([1.0, 1.0]))
        tensor([0.3679, 0.7358])
    """
    if (input.__class__ is _Tensor and other.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _igammac(input, other, inplace)
    return _igammac_slow((input, other, inplace), extra, unknown)

_igammac__slow = _Binding("igammac_", "Tensor (Tensor input, Tensor other)", _igammac, methods="igammac_", inplace=True)
def igammac_(input=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _igammac(input, other, inplace=True)
    return _igammac__slow((input, other), extra, unknown)

_special_gammaincc_slow = _Binding("special_gammaincc", "Tensor (Tensor input, Tensor other, *, Bool inplace=False)", _igammac,
        like="igammac")
def special_gammaincc(input=_missing, other=_missing, *extra, inplace=False, **unknown):
    if (input.__class__ is _Tensor and other.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _igammac(input, other, inplace)
    return _special_gammaincc_slow((input, other, inplace), extra, unknown)

_i0_slow = _Binding("i0", "Tensor (Tensor input, *, Bool inplace=False)", _i0, methods="i0")
def i0(input=_missing, *extra, inplace=False, **unknown):
    """The modified Bessel function of the first kind and order 0.

    The sum of `(input ** 2 / 4) ** k / k! ** 2` over k = 0, 1, ... .

    Args:
        input: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Dtypes:
        Complex numbers are refused. The result has the dtype of the input; integers and bool give the
        default dtype.

    Differentiable in `input`. Methods: `Tensor.i0` and `Tensor.i0_`.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.i0.

    Example:
        >>> import tritonflow as flow
        >>> flow.i0(flow.tensor([0.0, 1.0]))
        tensor([1.0000, 1.2661])
    """
    if input.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _i0(input, inplace)
    return _i0_slow((input, inplace), extra, unknown)

_i0__slow = _Binding("i0_", "Tensor (Tensor input)", _i0, methods="i0_", inplace=True)
def i0_(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _i0(input, inplace=True)
    return _i0__slow((input,), extra, unknown)

_special_i0e_slow = _Binding("special_i0e", "Tensor (Tensor input)", _special_i0e)
def special_i0e(input=_missing, *extra, **unknown):
    """exp(-abs(input)) * i0(input).

    Scaled so that it does not overflow.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Dtypes:
        Complex numbers are refused. The result has the dtype of the input; integers and bool give the
        default dtype.

    Differentiable in `input`.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.special.i0e.

    Example:
        >>> import tritonflow as flow
        >>> flow.special.i0e(flow.tensor([0.0, 1.0, 100.0]))
        tensor([1.0000, 0.4658, 0.0399])
    """
    if input.__class__ is _Tensor and not extra and not unknown:
        return _special_i0e(input)
    return _special_i0e_slow((input,), extra, unknown)

_special_i0e_slope_slow = _Binding("special_i0e_slope", "Tensor (Tensor input)", _special_i0e_slope)
def special_i0e_slope(input=_missing, *extra, **unknown):
    """the derivative of special_i0e"""
    if input.__class__ is _Tensor and not extra and not unknown:
        return _special_i0e_slope(input)
    return _special_i0e_slope_slow((input,), extra, unknown)

_special_i1_slow = _Binding("special_i1", "Tensor (Tensor input)", _special_i1)
def special_i1(input=_missing, *extra, **unknown):
    """The modified Bessel function of the first kind and order 1.

    The derivative of `flow.special.i0`.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Dtypes:
        Complex numbers are refused. The result has the dtype of the input; integers and bool give the
        default dtype.

    Differentiable in `input`.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.special.i1.

    Example:
        >>> import tritonflow as flow
        >>> flow.special.i1(flow.tensor([0.0, 1.0]))
        tensor([0.0000, 0.5652])
    """
    if input.__class__ is _Tensor and not extra and not unknown:
        return _special_i1(input)
    return _special_i1_slow((input,), extra, unknown)

_special_i1_slope_slow = _Binding("special_i1_slope", "Tensor (Tensor input)", _special_i1_slope)
def special_i1_slope(input=_missing, *extra, **unknown):
    """the derivative of special_i1"""
    if input.__class__ is _Tensor and not extra and not unknown:
        return _special_i1_slope(input)
    return _special_i1_slope_slow((input,), extra, unknown)

_special_i1e_slow = _Binding("special_i1e", "Tensor (Tensor input)", _special_i1e)
def special_i1e(input=_missing, *extra, **unknown):
    """exp(-abs(input)) * special_i1(input).

    Scaled so that it does not overflow.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Dtypes:
        Complex numbers are refused. The result has the dtype of the input; integers and bool give the
        default dtype.

    Differentiable in `input`.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.special.i1e.

    Example:
        >>> import tritonflow as flow
        >>> flow.special.i1e(flow.tensor([0.0, 1.0, 100.0]))
        tensor([0.0000, 0.2079, 0.0397])
    """
    if input.__class__ is _Tensor and not extra and not unknown:
        return _special_i1e(input)
    return _special_i1e_slow((input,), extra, unknown)

_special_i1e_slope_slow = _Binding("special_i1e_slope", "Tensor (Tensor input)", _special_i1e_slope)
def special_i1e_slope(input=_missing, *extra, **unknown):
    """the derivative of special_i1e"""
    if input.__class__ is _Tensor and not extra and not unknown:
        return _special_i1e_slope(input)
    return _special_i1e_slope_slow((input,), extra, unknown)

_special_entr_slow = _Binding("special_entr", "Tensor (Tensor input)", _special_entr)
def special_entr(input=_missing, *extra, **unknown):
    """-input * log(input), 0 at 0.

    -inf of negative numbers. Its sum over probabilities is their entropy.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Dtypes:
        Complex numbers are refused. The result has the dtype of the input; integers and bool give the
        default dtype.

    Differentiable in `input`.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.special.entr.

    Example:
        >>> import tritonflow as flow
        >>> flow.special.entr(flow.tensor([0.0, 0.5, 1.0]))
        tensor([0.0000, 0.3466, 0.0000])
    """
    if input.__class__ is _Tensor and not extra and not unknown:
        return _special_entr(input)
    return _special_entr_slow((input,), extra, unknown)

_special_erfcx_slow = _Binding("special_erfcx", "Tensor (Tensor input)", _special_erfcx)
def special_erfcx(input=_missing, *extra, **unknown):
    """exp(input ** 2) * erfc(input).

    Scaled so that it does not underflow where the input is large.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Dtypes:
        Complex numbers are refused. The result has the dtype of the input; integers and bool give the
        default dtype.

    Differentiable in `input`.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.special.erfcx.

    Example:
        >>> import tritonflow as flow
        >>> flow.special.erfcx(flow.tensor([0.0, 10.0]))
        tensor([1.0000, 0.0561])
    """
    if input.__class__ is _Tensor and not extra and not unknown:
        return _special_erfcx(input)
    return _special_erfcx_slow((input,), extra, unknown)

_special_erfcx_slope_slow = _Binding("special_erfcx_slope", "Tensor (Tensor input)", _special_erfcx_slope)
def special_erfcx_slope(input=_missing, *extra, **unknown):
    """the derivative of special_erfcx"""
    if input.__class__ is _Tensor and not extra and not unknown:
        return _special_erfcx_slope(input)
    return _special_erfcx_slope_slow((input,), extra, unknown)

_normal_cdf_slow = _Binding("normal_cdf", "Tensor (Tensor input)", _normal_cdf)
def normal_cdf(input=_missing, *extra, **unknown):
    """the normal distribution function in the derivative of gelu, to 1e-7"""
    if input.__class__ is _Tensor and not extra and not unknown:
        return _normal_cdf(input)
    return _normal_cdf_slow((input,), extra, unknown)

_special_ndtr_slow = _Binding("special_ndtr", "Tensor (Tensor input)", _special_ndtr)
def special_ndtr(input=_missing, *extra, **unknown):
    """The normal distribution function.

    The probability that a standard normal variable is at most the input: `out = erfc(-input / sqrt(2))
    / 2`.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Dtypes:
        Complex numbers are refused. The result has the dtype of the input; integers and bool give the
        default dtype.

    Differentiable in `input`.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.special.ndtr.

    Example:
        >>> import tritonflow as flow
        >>> flow.special.ndtr(flow.tensor([0.0, 1.96]))
        tensor([0.5000, 0.9750])
    """
    if input.__class__ is _Tensor and not extra and not unknown:
        return _special_ndtr(input)
    return _special_ndtr_slow((input,), extra, unknown)

_special_ndtri_slow = _Binding("special_ndtri", "Tensor (Tensor input)", _special_ndtri)
def special_ndtri(input=_missing, *extra, **unknown):
    """The inverse of ndtr.

    The quantile of the standard normal distribution: infinite at 0 and 1, NaN outside.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Dtypes:
        Complex numbers are refused. The result has the dtype of the input; integers and bool give the
        default dtype.

    Differentiable in `input`.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.special.ndtri.

    Example:
        >>> import tritonflow as flow
        >>> flow.special.ndtri(flow.tensor([0.5, 0.975]))
        tensor([0.0000, 1.9600])
    """
    if input.__class__ is _Tensor and not extra and not unknown:
        return _special_ndtri(input)
    return _special_ndtri_slow((input,), extra, unknown)

_inverse_mills_ratio_slow = _Binding("inverse_mills_ratio", "Tensor (Tensor x)", _inverse_mills_ratio)
def inverse_mills_ratio(x=_missing, *extra, **unknown):
    """the normal density over the normal distribution function, in the derivative of log_ndtr; in its own, nothing overflows"""
    if x.__class__ is _Tensor and not extra and not unknown:
        return _inverse_mills_ratio(x)
    return _inverse_mills_ratio_slow((x,), extra, unknown)

_special_log_ndtr_slow = _Binding("special_log_ndtr", "Tensor (Tensor input)", _special_log_ndtr)
def special_log_ndtr(input=_missing, *extra, **unknown):
    """log(ndtr(input)).

    With all digits where `ndtr` underflows.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Dtypes:
        Complex numbers are refused. The result has the dtype of the input; integers and bool give the
        default dtype.

    Differentiable in `input`.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.special.log_ndtr.

    Example:
        >>> import tritonflow as flow
        >>> flow.special.log_ndtr(flow.tensor([0.0, -20.0]))
        tensor([  -0.6931, -203.9172])
    """
    if input.__class__ is _Tensor and not extra and not unknown:
        return _special_log_ndtr(input)
    return _special_log_ndtr_slow((input,), extra, unknown)

_special_bessel_j0_slow = _Binding("special_bessel_j0", "Tensor (Tensor input)", _special_bessel_j0)
def special_bessel_j0(input=_missing, *extra, **unknown):
    """The Bessel function of the first kind and order 0.

    The solution J0 of `x ** 2 y'' + x y' + x ** 2 y = 0` that is 1 at 0.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Dtypes:
        Complex numbers are refused. The result has the dtype of the input; integers and bool give the
        default dtype.

    Not differentiable.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.special.bessel_j0.

    Example:
        >>> import tritonflow as flow
        >>> flow.special.bessel_j0(flow.tensor([0.0, 1.0]))
        tensor([1.0000, 0.7652])
    """
    if input.__class__ is _Tensor and not extra and not unknown:
        return _special_bessel_j0(input)
    return _special_bessel_j0_slow((input,), extra, unknown)

_special_bessel_j1_slow = _Binding("special_bessel_j1", "Tensor (Tensor input)", _special_bessel_j1)
def special_bessel_j1(input=_missing, *extra, **unknown):
    """The Bessel function of the first kind and order 1.

    The solution J1 of `x ** 2 y'' + x y' + (x ** 2 - 1) y = 0` that is finite at 0.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Dtypes:
        Complex numbers are refused. The result has the dtype of the input; integers and bool give the
        default dtype.

    Not differentiable.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.special.bessel_j1.

    Example:
        >>> import tritonflow as flow
        >>> flow.special.bessel_j1(flow.tensor([0.0, 1.0]))
        tensor([0.0000, 0.4401])
    """
    if input.__class__ is _Tensor and not extra and not unknown:
        return _special_bessel_j1(input)
    return _special_bessel_j1_slow((input,), extra, unknown)

_special_bessel_y0_slow = _Binding("special_bessel_y0", "Tensor (Tensor input)", _special_bessel_y0)
def special_bessel_y0(input=_missing, *extra, **unknown):
    """The Bessel function of the second kind and order 0.

    -inf at 0, NaN of negative numbers.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Dtypes:
        Complex numbers are refused. The result has the dtype of the input; integers and bool give the
        default dtype.

    Not differentiable.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.special.bessel_y0.

    Example:
        >>> import tritonflow as flow
        >>> flow.special.bessel_y0(flow.tensor([1.0, 2.0]))
        tensor([0.0883, 0.5104])
    """
    if input.__class__ is _Tensor and not extra and not unknown:
        return _special_bessel_y0(input)
    return _special_bessel_y0_slow((input,), extra, unknown)

_special_bessel_y1_slow = _Binding("special_bessel_y1", "Tensor (Tensor input)", _special_bessel_y1)
def special_bessel_y1(input=_missing, *extra, **unknown):
    """The Bessel function of the second kind and order 1.

    -inf at 0, NaN of negative numbers.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Dtypes:
        Complex numbers are refused. The result has the dtype of the input; integers and bool give the
        default dtype.

    Not differentiable.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.special.bessel_y1.

    Example:
        >>> import tritonflow as flow
        >>> flow.special.bessel_y1(flow.tensor([1.0, 2.0]))
        tensor([-0.7812, -0.1070])
    """
    if input.__class__ is _Tensor and not extra and not unknown:
        return _special_bessel_y1(input)
    return _special_bessel_y1_slow((input,), extra, unknown)

_special_modified_bessel_i0_slow = _Binding("special_modified_bessel_i0", "Tensor (Tensor input)", _special_modified_bessel_i0)
def special_modified_bessel_i0(input=_missing, *extra, **unknown):
    """The modified Bessel function of the first kind and order 0.

    The same function as `flow.special.i0`.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Dtypes:
        Complex numbers are refused. The result has the dtype of the input; integers and bool give the
        default dtype.

    Not differentiable.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.special.modified_bessel_i0.

    Example:
        >>> import tritonflow as flow
        >>> flow.special.modified_bessel_i0(flow.tensor([0.0, 1.0]))
        tensor([1.0000, 1.2661])
    """
    if input.__class__ is _Tensor and not extra and not unknown:
        return _special_modified_bessel_i0(input)
    return _special_modified_bessel_i0_slow((input,), extra, unknown)

_special_modified_bessel_i1_slow = _Binding("special_modified_bessel_i1", "Tensor (Tensor input)", _special_modified_bessel_i1)
def special_modified_bessel_i1(input=_missing, *extra, **unknown):
    """The modified Bessel function of the first kind and order 1.

    The same function as `flow.special.i1`.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Dtypes:
        Complex numbers are refused. The result has the dtype of the input; integers and bool give the
        default dtype.

    Not differentiable.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.special.modified_bessel_i1.

    Example:
        >>> import tritonflow as flow
        >>> flow.special.modified_bessel_i1(flow.tensor([0.0, 1.0]))
        tensor([0.0000, 0.5652])
    """
    if input.__class__ is _Tensor and not extra and not unknown:
        return _special_modified_bessel_i1(input)
    return _special_modified_bessel_i1_slow((input,), extra, unknown)

_special_modified_bessel_k0_slow = _Binding("special_modified_bessel_k0", "Tensor (Tensor input)", _special_modified_bessel_k0)
def special_modified_bessel_k0(input=_missing, *extra, **unknown):
    """The modified Bessel function of the second kind and order 0.

    Infinite at 0, NaN of negative numbers; it falls as `exp(-input)`.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Dtypes:
        Complex numbers are refused. The result has the dtype of the input; integers and bool give the
        default dtype.

    Not differentiable.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.special.modified_bessel_k0.

    Example:
        >>> import tritonflow as flow
        >>> flow.special.modified_bessel_k0(flow.tensor([1.0, 2.0]))
        tensor([0.4210, 0.1139])
    """
    if input.__class__ is _Tensor and not extra and not unknown:
        return _special_modified_bessel_k0(input)
    return _special_modified_bessel_k0_slow((input,), extra, unknown)

_special_modified_bessel_k1_slow = _Binding("special_modified_bessel_k1", "Tensor (Tensor input)", _special_modified_bessel_k1)
def special_modified_bessel_k1(input=_missing, *extra, **unknown):
    """The modified Bessel function of the second kind and order 1.

    Infinite at 0, NaN of negative numbers; it falls as `exp(-input)`.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Dtypes:
        Complex numbers are refused. The result has the dtype of the input; integers and bool give the
        default dtype.

    Not differentiable.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.special.modified_bessel_k1.

    Example:
        >>> import tritonflow as flow
        >>> flow.special.modified_bessel_k1(flow.tensor([1.0, 2.0]))
        tensor([0.6019, 0.1399])
    """
    if input.__class__ is _Tensor and not extra and not unknown:
        return _special_modified_bessel_k1(input)
    return _special_modified_bessel_k1_slow((input,), extra, unknown)

_special_scaled_modified_bessel_k0_slow = _Binding("special_scaled_modified_bessel_k0", "Tensor (Tensor input)",
        _special_scaled_modified_bessel_k0)
def special_scaled_modified_bessel_k0(input=_missing, *extra, **unknown):
    """exp(input) * modified_bessel_k0(input).

    Scaled so that it does not underflow.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Dtypes:
        Complex numbers are refused. The result has the dtype of the input; integers and bool give the
        default dtype.

    Not differentiable.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.special.scaled_modified_bessel_k0.

    Example:
        >>> import tritonflow as flow
        >>> flow.special.scaled_modified_bessel_k0(flow.tensor([1.0, 100.0]))
        tensor([1.1445, 0.1252])
    """
    if input.__class__ is _Tensor and not extra and not unknown:
        return _special_scaled_modified_bessel_k0(input)
    return _special_scaled_modified_bessel_k0_slow((input,), extra, unknown)

_special_scaled_modified_bessel_k1_slow = _Binding("special_scaled_modified_bessel_k1", "Tensor (Tensor input)",
        _special_scaled_modified_bessel_k1)
def special_scaled_modified_bessel_k1(input=_missing, *extra, **unknown):
    """exp(input) * modified_bessel_k1(input).

    Scaled so that it does not underflow.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Dtypes:
        Complex numbers are refused. The result has the dtype of the input; integers and bool give the
        default dtype.

    Not differentiable.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.special.scaled_modified_bessel_k1.

    Example:
        >>> import tritonflow as flow
        >>> flow.special.scaled_modified_bessel_k1(flow.tensor([1.0, 100.0]))
        tensor([1.6362, 0.1258])
    """
    if input.__class__ is _Tensor and not extra and not unknown:
        return _special_scaled_modified_bessel_k1(input)
    return _special_scaled_modified_bessel_k1_slow((input,), extra, unknown)

_special_spherical_bessel_j0_slow = _Binding("special_spherical_bessel_j0", "Tensor (Tensor input)", _special_spherical_bessel_j0)
def special_spherical_bessel_j0(input=_missing, *extra, **unknown):
    """sin(input) / input, and 1 at 0.

    The spherical Bessel function of the first kind and order 0.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Dtypes:
        Complex numbers are refused. The result has the dtype of the input; integers and bool give the
        default dtype.

    Not differentiable.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.special.spherical_bessel_j0.

    Example:
        >>> import tritonflow as flow
        >>> flow.special.spherical_bessel_j0(flow.tensor([0.0, 1.0]))
        tensor([1.0000, 0.8415])
    """
    if input.__class__ is _Tensor and not extra and not unknown:
        return _special_spherical_bessel_j0(input)
    return _special_spherical_bessel_j0_slow((input,), extra, unknown)

_special_airy_ai_slow = _Binding("special_airy_ai", "Tensor (Tensor input)", _special_airy_ai)
def special_airy_ai(input=_missing, *extra, **unknown):
    """The Airy function Ai.

    The solution of `y'' = x y` that falls to 0 for large x, and oscillates for negative ones.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Dtypes:
        Complex numbers are refused. The result has the dtype of the input; integers and bool give the
        default dtype.

    Not differentiable.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.special.airy_ai.

    Example:
        >>> import tritonflow as flow
        >>> flow.special.airy_ai(flow.tensor([0.0, 1.0]))
        tensor([0.3550, 0.1353])
    """
    if input.__class__ is _Tensor and not extra and not unknown:
        return _special_airy_ai(input)
    return _special_airy_ai_slow((input,), extra, unknown)

_special_chebyshev_polynomial_t_slow = _Binding("special_chebyshev_polynomial_t", "Tensor (Tensor x, Tensor n)",
        _special_chebyshev_polynomial_t, "Tensor (Tensor x, Scalar n)", _scalar_special_chebyshev_polynomial_t,
        "Tensor (Scalar x, Tensor n)", _scalar_special_chebyshev_polynomial_t_reversed)
def special_chebyshev_polynomial_t(x=_missing, n=_missing, *extra, **unknown):
    """Chebyshev's polynomial of the first kind, of degree n at x.

    `T_n(cos(t)) = cos(n t)`.

    Args:
        x: the points, a tensor or a number.
        n: the degrees, a tensor or a number; 0 of negative ones.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` and `n` are broadcast together; the result has their common shape.

    Dtypes:
        Complex numbers are refused. The result has the dtype that they promote to; integers and bool give
        the default dtype.

    Not differentiable.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.special.chebyshev_polynomial_t.

    Example:
        >>> import tritonflow as flow
        >>> flow.special.chebyshev_polynomial_t(flow.tensor([0.5, 2.0]), 2)
        tensor([-0.5000,  7.0000])
    """
    if x.__class__ is _Tensor and n.__class__ is _Tensor and not extra and not unknown:
        return _special_chebyshev_polynomial_t(x, n)
    if x.__class__ is _Tensor and (n.__class__ is float or n.__class__ is int) and not extra and not unknown:
        return _scalar_special_chebyshev_polynomial_t(x, n)
    if (x.__class__ is float or x.__class__ is int) and n.__class__ is _Tensor and not extra and not unknown:
        return _scalar_special_chebyshev_polynomial_t_reversed(x, n)
    return _special_chebyshev_polynomial_t_slow((x, n), extra, unknown)

_special_chebyshev_polynomial_u_slow = _Binding("special_chebyshev_polynomial_u", "Tensor (Tensor x, Tensor n)",
        _special_chebyshev_polynomial_u, "Tensor (Tensor x, Scalar n)", _scalar_special_chebyshev_polynomial_u,
        "Tensor (Scalar x, Tensor n)", _scalar_special_chebyshev_polynomial_u_reversed)
def special_chebyshev_polynomial_u(x=_missing, n=_missing, *extra, **unknown):
    """Chebyshev's polynomial of the second kind, of degree n at x.

    `U_n(cos(t)) = sin((n + 1) t) / sin(t)`.

    Args:
        x: the points, a tensor or a number.
        n: the degrees, a tensor or a number; 0 of negative ones.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` and `n` are broadcast together; the result has their common shape.

    Dtypes:
        Complex numbers are refused. The result has the dtype that they promote to; integers and bool give
        the default dtype.

    Not differentiable.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.special.chebyshev_polynomial_u.

    Example:
        >>> import tritonflow as flow
        >>> flow.special.chebyshev_polynomial_u(flow.tensor([0.5, 2.0]), 2)
        tensor([ 0., 15.])
    """
    if x.__class__ is _Tensor and n.__class__ is _Tensor and not extra and not unknown:
        return _special_chebyshev_polynomial_u(x, n)
    if x.__class__ is _Tensor and (n.__class__ is float or n.__class__ is int) and not extra and not unknown:
        return _scalar_special_chebyshev_polynomial_u(x, n)
    if (x.__class__ is float or x.__class__ is int) and n.__class__ is _Tensor and not extra and not unknown:
        return _scalar_special_chebyshev_polynomial_u_reversed(x, n)
    return _special_chebyshev_polynomial_u_slow((x, n), extra, unknown)

_special_chebyshev_polynomial_v_slow = _Binding("special_chebyshev_polynomial_v", "Tensor (Tensor x, Tensor n)",
        _special_chebyshev_polynomial_v, "Tensor (Tensor x, Scalar n)", _scalar_special_chebyshev_polynomial_v,
        "Tensor (Scalar x, Tensor n)", _scalar_special_chebyshev_polynomial_v_reversed)
def special_chebyshev_polynomial_v(x=_missing, n=_missing, *extra, **unknown):
    """Chebyshev's polynomial of the third kind, of degree n at x.

    `V_n(cos(t)) = cos((n + 1/2) t) / cos(t / 2)`.

    Args:
        x: the points, a tensor or a number.
        n: the degrees, a tensor or a number; 0 of negative ones.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` and `n` are broadcast together; the result has their common shape.

    Dtypes:
        Complex numbers are refused. The result has the dtype that they promote to; integers and bool give
        the default dtype.

    Not differentiable.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.special.chebyshev_polynomial_v.

    Example:
        >>> import tritonflow as flow
        >>> flow.special.chebyshev_polynomial_v(flow.tensor([0.5, 2.0]), 2)
        tensor([-1., 11.])
    """
    if x.__class__ is _Tensor and n.__class__ is _Tensor and not extra and not unknown:
        return _special_chebyshev_polynomial_v(x, n)
    if x.__class__ is _Tensor and (n.__class__ is float or n.__class__ is int) and not extra and not unknown:
        return _scalar_special_chebyshev_polynomial_v(x, n)
    if (x.__class__ is float or x.__class__ is int) and n.__class__ is _Tensor and not extra and not unknown:
        return _scalar_special_chebyshev_polynomial_v_reversed(x, n)
    return _special_chebyshev_polynomial_v_slow((x, n), extra, unknown)

_special_chebyshev_polynomial_w_slow = _Binding("special_chebyshev_polynomial_w", "Tensor (Tensor x, Tensor n)",
        _special_chebyshev_polynomial_w, "Tensor (Tensor x, Scalar n)", _scalar_special_chebyshev_polynomial_w,
        "Tensor (Scalar x, Tensor n)", _scalar_special_chebyshev_polynomial_w_reversed)
def special_chebyshev_polynomial_w(x=_missing, n=_missing, *extra, **unknown):
    """Chebyshev's polynomial of the fourth kind, of degree n at x.

    `W_n(cos(t)) = sin((n + 1/2) t) / sin(t / 2)`.

    Args:
        x: the points, a tensor or a number.
        n: the degrees, a tensor or a number; 0 of negative ones.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` and `n` are broadcast together; the result has their common shape.

    Dtypes:
        Complex numbers are refused. The result has the dtype that they promote to; integers and bool give
        the default dtype.

    Not differentiable.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.special.chebyshev_polynomial_w.

    Example:
        >>> import tritonflow as flow
        >>> flow.special.chebyshev_polynomial_w(flow.tensor([0.5, 2.0]), 2)
        tensor([ 1., 19.])
    """
    if x.__class__ is _Tensor and n.__class__ is _Tensor and not extra and not unknown:
        return _special_chebyshev_polynomial_w(x, n)
    if x.__class__ is _Tensor and (n.__class__ is float or n.__class__ is int) and not extra and not unknown:
        return _scalar_special_chebyshev_polynomial_w(x, n)
    if (x.__class__ is float or x.__class__ is int) and n.__class__ is _Tensor and not extra and not unknown:
        return _scalar_special_chebyshev_polynomial_w_reversed(x, n)
    return _special_chebyshev_polynomial_w_slow((x, n), extra, unknown)

_special_shifted_chebyshev_polynomial_t_slow = _Binding("special_shifted_chebyshev_polynomial_t", "Tensor (Tensor x, Tensor n)",
        _special_shifted_chebyshev_polynomial_t, "Tensor (Tensor x, Scalar n)", _scalar_special_shifted_chebyshev_polynomial_t,
        "Tensor (Scalar x, Tensor n)", _scalar_special_shifted_chebyshev_polynomial_t_reversed)
def special_shifted_chebyshev_polynomial_t(x=_missing, n=_missing, *extra, **unknown):
    """Chebyshev's polynomial of the first kind at 2 x - 1, of degree n at x.

    `T_n(2 x - 1)`, for x in [0, 1]; see `flow.special.chebyshev_polynomial_t`.

    Args:
        x: the points, a tensor or a number.
        n: the degrees, a tensor or a number; 0 of negative ones.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` and `n` are broadcast together; the result has their common shape.

    Dtypes:
        Complex numbers are refused. The result has the dtype that they promote to; integers and bool give
        the default dtype.

    Not differentiable.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.special.shifted_chebyshev_polynomial_t.

    Example:
        >>> import tritonflow as flow
        >>> flow.special.shifted_chebyshev_polynomial_t(flow.tensor([0.5, 1.0]), 2)
        tensor([-1.,  1.])
    """
    if x.__class__ is _Tensor and n.__class__ is _Tensor and not extra and not unknown:
        return _special_shifted_chebyshev_polynomial_t(x, n)
    if x.__class__ is _Tensor and (n.__class__ is float or n.__class__ is int) and not extra and not unknown:
        return _scalar_special_shifted_chebyshev_polynomial_t(x, n)
    if (x.__class__ is float or x.__class__ is int) and n.__class__ is _Tensor and not extra and not unknown:
        return _scalar_special_shifted_chebyshev_polynomial_t_reversed(x, n)
    return _special_shifted_chebyshev_polynomial_t_slow((x, n), extra, unknown)

_special_shifted_chebyshev_polynomial_u_slow = _Binding("special_shifted_chebyshev_polynomial_u", "Tensor (Tensor x, Tensor n)",
        _special_shifted_chebyshev_polynomial_u, "Tensor (Tensor x, Scalar n)", _scalar_special_shifted_chebyshev_polynomial_u,
        "Tensor (Scalar x, Tensor n)", _scalar_special_shifted_chebyshev_polynomial_u_reversed)
def special_shifted_chebyshev_polynomial_u(x=_missing, n=_missing, *extra, **unknown):
    """Chebyshev's polynomial of the second kind at 2 x - 1, of degree n at x.

    `U_n(2 x - 1)`, for x in [0, 1]; see `flow.special.chebyshev_polynomial_u`.

    Args:
        x: the points, a tensor or a number.
        n: the degrees, a tensor or a number; 0 of negative ones.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` and `n` are broadcast together; the result has their common shape.

    Dtypes:
        Complex numbers are refused. The result has the dtype that they promote to; integers and bool give
        the default dtype.

    Not differentiable.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.special.shifted_chebyshev_polynomial_u.

    Example:
        >>> import tritonflow as flow
        >>> flow.special.shifted_chebyshev_polynomial_u(flow.tensor([0.5, 1.0]), 2)
        tensor([-1.,  3.])
    """
    if x.__class__ is _Tensor and n.__class__ is _Tensor and not extra and not unknown:
        return _special_shifted_chebyshev_polynomial_u(x, n)
    if x.__class__ is _Tensor and (n.__class__ is float or n.__class__ is int) and not extra and not unknown:
        return _scalar_special_shifted_chebyshev_polynomial_u(x, n)
    if (x.__class__ is float or x.__class__ is int) and n.__class__ is _Tensor and not extra and not unknown:
        return _scalar_special_shifted_chebyshev_polynomial_u_reversed(x, n)
    return _special_shifted_chebyshev_polynomial_u_slow((x, n), extra, unknown)

_special_shifted_chebyshev_polynomial_v_slow = _Binding("special_shifted_chebyshev_polynomial_v", "Tensor (Tensor x, Tensor n)",
        _special_shifted_chebyshev_polynomial_v, "Tensor (Tensor x, Scalar n)", _scalar_special_shifted_chebyshev_polynomial_v,
        "Tensor (Scalar x, Tensor n)", _scalar_special_shifted_chebyshev_polynomial_v_reversed)
def special_shifted_chebyshev_polynomial_v(x=_missing, n=_missing, *extra, **unknown):
    """Chebyshev's polynomial of the third kind at 2 x - 1, of degree n at x.

    `V_n(2 x - 1)`, for x in [0, 1]; see `flow.special.chebyshev_polynomial_v`.

    Args:
        x: the points, a tensor or a number.
        n: the degrees, a tensor or a number; 0 of negative ones.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` and `n` are broadcast together; the result has their common shape.

    Dtypes:
        Complex numbers are refused. The result has the dtype that they promote to; integers and bool give
        the default dtype.

    Not differentiable.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.special.shifted_chebyshev_polynomial_v.

    Example:
        >>> import tritonflow as flow
        >>> flow.special.shifted_chebyshev_polynomial_v(flow.tensor([0.5, 1.0]), 2)
        tensor([-1.,  1.])
    """
    if x.__class__ is _Tensor and n.__class__ is _Tensor and not extra and not unknown:
        return _special_shifted_chebyshev_polynomial_v(x, n)
    if x.__class__ is _Tensor and (n.__class__ is float or n.__class__ is int) and not extra and not unknown:
        return _scalar_special_shifted_chebyshev_polynomial_v(x, n)
    if (x.__class__ is float or x.__class__ is int) and n.__class__ is _Tensor and not extra and not unknown:
        return _scalar_special_shifted_chebyshev_polynomial_v_reversed(x, n)
    return _special_shifted_chebyshev_polynomial_v_slow((x, n), extra, unknown)

_special_shifted_chebyshev_polynomial_w_slow = _Binding("special_shifted_chebyshev_polynomial_w", "Tensor (Tensor x, Tensor n)",
        _special_shifted_chebyshev_polynomial_w, "Tensor (Tensor x, Scalar n)", _scalar_special_shifted_chebyshev_polynomial_w,
        "Tensor (Scalar x, Tensor n)", _scalar_special_shifted_chebyshev_polynomial_w_reversed)
def special_shifted_chebyshev_polynomial_w(x=_missing, n=_missing, *extra, **unknown):
    """Chebyshev's polynomial of the fourth kind at 2 x - 1, of degree n at x.

    `W_n(2 x - 1)`, for x in [0, 1]; see `flow.special.chebyshev_polynomial_w`.

    Args:
        x: the points, a tensor or a number.
        n: the degrees, a tensor or a number; 0 of negative ones.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` and `n` are broadcast together; the result has their common shape.

    Dtypes:
        Complex numbers are refused. The result has the dtype that they promote to; integers and bool give
        the default dtype.

    Not differentiable.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.special.shifted_chebyshev_polynomial_w.

    Example:
        >>> import tritonflow as flow
        >>> flow.special.shifted_chebyshev_polynomial_w(flow.tensor([0.5, 1.0]), 2)
        tensor([-1.,  5.])
    """
    if x.__class__ is _Tensor and n.__class__ is _Tensor and not extra and not unknown:
        return _special_shifted_chebyshev_polynomial_w(x, n)
    if x.__class__ is _Tensor and (n.__class__ is float or n.__class__ is int) and not extra and not unknown:
        return _scalar_special_shifted_chebyshev_polynomial_w(x, n)
    if (x.__class__ is float or x.__class__ is int) and n.__class__ is _Tensor and not extra and not unknown:
        return _scalar_special_shifted_chebyshev_polynomial_w_reversed(x, n)
    return _special_shifted_chebyshev_polynomial_w_slow((x, n), extra, unknown)

_special_hermite_polynomial_h_slow = _Binding("special_hermite_polynomial_h", "Tensor (Tensor x, Tensor n)",
        _special_hermite_polynomial_h, "Tensor (Tensor x, Scalar n)", _scalar_special_hermite_polynomial_h,
        "Tensor (Scalar x, Tensor n)", _scalar_special_hermite_polynomial_h_reversed)
def special_hermite_polynomial_h(x=_missing, n=_missing, *extra, **unknown):
    """Hermite's polynomial of physics, of degree n at x.

    `H_(n+1)(x) = 2 x H_n(x) - 2 n H_(n-1)(x)`, with `H_0 = 1` and `H_1 = 2 x`.

    Args:
        x: the points, a tensor or a number.
        n: the degrees, a tensor or a number; 0 of negative ones.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` and `n` are broadcast together; the result has their common shape.

    Dtypes:
        Complex numbers are refused. The result has the dtype that they promote to; integers and bool give
        the default dtype.

    Not differentiable.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.special.hermite_polynomial_h.

    Example:
        >>> import tritonflow as flow
        >>> flow.special.hermite_polynomial_h(flow.tensor([0.5, 2.0]), 2)
        tensor([-1., 14.])
    """
    if x.__class__ is _Tensor and n.__class__ is _Tensor and not extra and not unknown:
        return _special_hermite_polynomial_h(x, n)
    if x.__class__ is _Tensor and (n.__class__ is float or n.__class__ is int) and not extra and not unknown:
        return _scalar_special_hermite_polynomial_h(x, n)
    if (x.__class__ is float or x.__class__ is int) and n.__class__ is _Tensor and not extra and not unknown:
        return _scalar_special_hermite_polynomial_h_reversed(x, n)
    return _special_hermite_polynomial_h_slow((x, n), extra, unknown)

_special_hermite_polynomial_he_slow = _Binding("special_hermite_polynomial_he", "Tensor (Tensor x, Tensor n)",
        _special_hermite_polynomial_he, "Tensor (Tensor x, Scalar n)", _scalar_special_hermite_polynomial_he,
        "Tensor (Scalar x, Tensor n)", _scalar_special_hermite_polynomial_he_reversed)
def special_hermite_polynomial_he(x=_missing, n=_missing, *extra, **unknown):
    """Hermite's polynomial of probability, of degree n at x.

    `He_(n+1)(x) = x He_n(x) - n He_(n-1)(x)`, with `He_0 = 1` and `He_1 = x`.

    Args:
        x: the points, a tensor or a number.
        n: the degrees, a tensor or a number; 0 of negative ones.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` and `n` are broadcast together; the result has their common shape.

    Dtypes:
        Complex numbers are refused. The result has the dtype that they promote to; integers and bool give
        the default dtype.

    Not differentiable.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.special.hermite_polynomial_he.

    Example:
        >>> import tritonflow as flow
        >>> flow.special.hermite_polynomial_he(flow.tensor([0.5, 2.0]), 2)
        tensor([-0.7500,  3.0000])
    """
    if x.__class__ is _Tensor and n.__class__ is _Tensor and not extra and not unknown:
        return _special_hermite_polynomial_he(x, n)
    if x.__class__ is _Tensor and (n.__class__ is float or n.__class__ is int) and not extra and not unknown:
        return _scalar_special_hermite_polynomial_he(x, n)
    if (x.__class__ is float or x.__class__ is int) and n.__class__ is _Tensor and not extra and not unknown:
        return _scalar_special_hermite_polynomial_he_reversed(x, n)
    return _special_hermite_polynomial_he_slow((x, n), extra, unknown)

_special_laguerre_polynomial_l_slow = _Binding("special_laguerre_polynomial_l", "Tensor (Tensor x, Tensor n)",
        _special_laguerre_polynomial_l, "Tensor (Tensor x, Scalar n)", _scalar_special_laguerre_polynomial_l,
        "Tensor (Scalar x, Tensor n)", _scalar_special_laguerre_polynomial_l_reversed)
def special_laguerre_polynomial_l(x=_missing, n=_missing, *extra, **unknown):
    """Laguerre's polynomial, of degree n at x.

    `(n + 1) L_(n+1)(x) = (2 n + 1 - x) L_n(x) - n L_(n-1)(x)`, with `L_0 = 1` and `L_1 = 1 - x`.

    Args:
        x: the points, a tensor or a number.
        n: the degrees, a tensor or a number; 0 of negative ones.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` and `n` are broadcast together; the result has their common shape.

    Dtypes:
        Complex numbers are refused. The result has the dtype that they promote to; integers and bool give
        the default dtype.

    Not differentiable.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.special.laguerre_polynomial_l.

    Example:
        >>> import tritonflow as flow
        >>> flow.special.laguerre_polynomial_l(flow.tensor([0.5, 2.0]), 2)
        tensor([ 0.1250, -1.0000])
    """
    if x.__class__ is _Tensor and n.__class__ is _Tensor and not extra and not unknown:
        return _special_laguerre_polynomial_l(x, n)
    if x.__class__ is _Tensor and (n.__class__ is float or n.__class__ is int) and not extra and not unknown:
        return _scalar_special_laguerre_polynomial_l(x, n)
    if (x.__class__ is float or x.__class__ is int) and n.__class__ is _Tensor and not extra and not unknown:
        return _scalar_special_laguerre_polynomial_l_reversed(x, n)
    return _special_laguerre_polynomial_l_slow((x, n), extra, unknown)

_special_legendre_polynomial_p_slow = _Binding("special_legendre_polynomial_p", "Tensor (Tensor x, Tensor n)",
        _special_legendre_polynomial_p, "Tensor (Tensor x, Scalar n)", _scalar_special_legendre_polynomial_p,
        "Tensor (Scalar x, Tensor n)", _scalar_special_legendre_polynomial_p_reversed)
def special_legendre_polynomial_p(x=_missing, n=_missing, *extra, **unknown):
    """Legendre's polynomial, of degree n at x.

    `(n + 1) P_(n+1)(x) = (2 n + 1) x P_n(x) - n P_(n-1)(x)`, with `P_0 = 1` and `P_1 = x`.

    Args:
        x: the points, a tensor or a number.
        n: the degrees, a tensor or a number; 0 of negative ones.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` and `n` are broadcast together; the result has their common shape.

    Dtypes:
        Complex numbers are refused. The result has the dtype that they promote to; integers and bool give
        the default dtype.

    Not differentiable.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.special.legendre_polynomial_p.

    Example:
        >>> import tritonflow as flow
        >>> flow.special.legendre_polynomial_p(flow.tensor([0.5, 2.0]), 2)
        tensor([-0.1250,  5.5000])
    """
    if x.__class__ is _Tensor and n.__class__ is _Tensor and not extra and not unknown:
        return _special_legendre_polynomial_p(x, n)
    if x.__class__ is _Tensor and (n.__class__ is float or n.__class__ is int) and not extra and not unknown:
        return _scalar_special_legendre_polynomial_p(x, n)
    if (x.__class__ is float or x.__class__ is int) and n.__class__ is _Tensor and not extra and not unknown:
        return _scalar_special_legendre_polynomial_p_reversed(x, n)
    return _special_legendre_polynomial_p_slow((x, n), extra, unknown)

_polygamma_slow = _Binding("polygamma", "Tensor (Int32 n, Tensor input)", _polygamma)
def polygamma(n=_missing, input=_missing, *extra, **unknown):
    if n.__class__ is int and input.__class__ is _Tensor and not extra and not unknown:
        return _polygamma(n, input)
    return _polygamma_slow((n, input), extra, unknown)

_mvlgamma_slow = _Binding("mvlgamma", "Tensor (Tensor input, Int32 p, *, Bool inplace=False)", _mvlgamma, methods="mvlgamma")
def mvlgamma(input=_missing, p=_missing, *extra, inplace=False, **unknown):
    if input.__class__ is _Tensor and p.__class__ is int and (inplace is False or inplace is True) and not extra and not unknown:
        return _mvlgamma(input, p, inplace)
    return _mvlgamma_slow((input, p, inplace), extra, unknown)

_mvlgamma__slow = _Binding("mvlgamma_", "Tensor (Tensor input, Int32 p)", _mvlgamma, methods="mvlgamma_", inplace=True)
def mvlgamma_(input=_missing, p=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and p.__class__ is int and not extra and not unknown:
        return _mvlgamma(input, p, inplace=True)
    return _mvlgamma__slow((input, p), extra, unknown)

_special_multigammaln_slow = _Binding("special_multigammaln", "Tensor (Tensor input, Int32 p)", _mvlgamma, like="mvlgamma")
def special_multigammaln(input=_missing, p=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and p.__class__ is int and not extra and not unknown:
        return _mvlgamma(input, p)
    return _special_multigammaln_slow((input, p), extra, unknown)

_missing_derivative_slow = _Binding("missing_derivative", "Tensor (Tensor dy, String of)", _missing_derivative)
def missing_derivative(dy=_missing, of=_missing, *extra, **unknown):
    if dy.__class__ is _Tensor and of.__class__ is str and not extra and not unknown:
        return _missing_derivative(dy, of)
    return _missing_derivative_slow((dy, of), extra, unknown)

_methods = _publish(globals())

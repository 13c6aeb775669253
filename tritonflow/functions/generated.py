"""Default functors: an op's inputs and attributes, straight to dispatch.

Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
"""
# fmt: off

from tritonflow.execution.op_expr import op_expr
from tritonflow.interpreter.dispatch import dispatch, dispatch1, dispatch2, dispatch3, dispatch_number

_abs = op_expr("abs")
_acos = op_expr("acos")
_acosh = op_expr("acosh")
_add_layer_norm_grad = op_expr("add_layer_norm_grad")
_add_unrounded = op_expr("add_unrounded")
_addcdiv = op_expr("addcdiv")
_angle = op_expr("angle")
_asin = op_expr("asin")
_asinh = op_expr("asinh")
_atan = op_expr("atan")
_atan2 = op_expr("atan2")
_atanh = op_expr("atanh")
_batch_norm_statistics = op_expr("batch_norm_statistics")
_batch_norm_sums = op_expr("batch_norm_sums")
_binary_entropy_slope = op_expr("binary_entropy_slope")
_bitwise_and = op_expr("bitwise_and")
_bitwise_left_shift = op_expr("bitwise_left_shift")
_bitwise_or = op_expr("bitwise_or")
_bitwise_right_shift = op_expr("bitwise_right_shift")
_bitwise_xor = op_expr("bitwise_xor")
_cast_together = op_expr("cast_together")
_ceil = op_expr("ceil")
_cheapest_columns = op_expr("cheapest_columns")
_combine_shares = op_expr("combine_shares")
_copy_sign = op_expr("copy_sign")
_cos = op_expr("cos")
_cosh = op_expr("cosh")
_ctc_loss_grad = op_expr("ctc_loss_grad")
_deg2rad = op_expr("deg2rad")
_digamma = op_expr("digamma")
_div = op_expr("div")
_elu = op_expr("elu")
_eq = op_expr("eq")
_erf = op_expr("erf")
_erfc = op_expr("erfc")
_erfinv = op_expr("erfinv")
_exp = op_expr("exp")
_exp2 = op_expr("exp2")
_expm1 = op_expr("expm1")
_fake_quantize = op_expr("fake_quantize")
_floor = op_expr("floor")
_floor_divide = op_expr("floor_divide")
_fmax = op_expr("fmax")
_fmin = op_expr("fmin")
_fmod = op_expr("fmod")
_frac = op_expr("frac")
_gated_by_gelu = op_expr("gated_by_gelu")
_gated_by_gelu_tanh = op_expr("gated_by_gelu_tanh")
_gated_by_silu = op_expr("gated_by_silu")
_gcd = op_expr("gcd")
_ge = op_expr("ge")
_gt = op_expr("gt")
_hardshrink = op_expr("hardshrink")
_hardsigmoid = op_expr("hardsigmoid")
_hardswish = op_expr("hardswish")
_hypot = op_expr("hypot")
_i0 = op_expr("i0")
_igamma = op_expr("igamma")
_igammac = op_expr("igammac")
_inverse_mills_ratio = op_expr("inverse_mills_ratio")
_isfinite = op_expr("isfinite")
_isinf = op_expr("isinf")
_isnan = op_expr("isnan")
_isneginf = op_expr("isneginf")
_isposinf = op_expr("isposinf")
_jensen_shannon = op_expr("jensen_shannon")
_lcm = op_expr("lcm")
_le = op_expr("le")
_leaky_relu = op_expr("leaky_relu")
_lgamma = op_expr("lgamma")
_linalg_checked = op_expr("linalg_checked")
_linalg_cofactors = op_expr("linalg_cofactors")
_linalg_determinant = op_expr("linalg_determinant")
_linalg_eigen = op_expr("linalg_eigen")
_linalg_log_determinant = op_expr("linalg_log_determinant")
_linalg_pseudoinverse = op_expr("linalg_pseudoinverse")
_linalg_second_cofactors = op_expr("linalg_second_cofactors")
_log = op_expr("log")
_log10 = op_expr("log10")
_log1p = op_expr("log1p")
_log2 = op_expr("log2")
_log_of_sum = op_expr("log_of_sum")
_logaddexp = op_expr("logaddexp")
_logaddexp2 = op_expr("logaddexp2")
_logical_and = op_expr("logical_and")
_logical_not = op_expr("logical_not")
_logical_or = op_expr("logical_or")
_logical_xor = op_expr("logical_xor")
_logistic = op_expr("logistic")
_logsigmoid = op_expr("logsigmoid")
_lt = op_expr("lt")
_matmul_with_sums = op_expr("matmul_with_sums")
_maximum = op_expr("maximum")
_mean_of_losses = op_expr("mean_of_losses")
_minimum = op_expr("minimum")
_mish = op_expr("mish")
_mish_gate = op_expr("mish_gate")
_moe_combine = op_expr("moe_combine")
_moe_dots = op_expr("moe_dots")
_moe_positions = op_expr("moe_positions")
_moe_route = op_expr("moe_route")
_moe_spread = op_expr("moe_spread")
_mul = op_expr("mul")
_ne = op_expr("ne")
_normal_cdf = op_expr("normal_cdf")
_pow = op_expr("pow")
_quick_gelu = op_expr("quick_gelu")
_quotient_im = op_expr("quotient_im")
_quotient_re = op_expr("quotient_re")
_rad2deg = op_expr("rad2deg")
_random_bernoulli = op_expr("random_bernoulli")
_random_bernoulli_of = op_expr("random_bernoulli_of")
_random_binomial = op_expr("random_binomial")
_random_dropout = op_expr("random_dropout")
_random_exponential = op_expr("random_exponential")
_random_gamma = op_expr("random_gamma")
_random_integers = op_expr("random_integers")
_random_normal = op_expr("random_normal")
_random_poisson = op_expr("random_poisson")
_random_reserve = op_expr("random_reserve")
_random_uniform = op_expr("random_uniform")
_reciprocal = op_expr("reciprocal")
_reciprocal_im = op_expr("reciprocal_im")
_reciprocal_re = op_expr("reciprocal_re")
_region_grad = op_expr("region_grad")
_relu = op_expr("relu")
_remainder = op_expr("remainder")
_rotary_pair_inplace = op_expr("rotary_pair_inplace")
_round = op_expr("round")
_rsqrt = op_expr("rsqrt")
_scalar_bitwise_and = op_expr("scalar_bitwise_and")
_scalar_bitwise_and_reversed = op_expr("scalar_bitwise_and_reversed")
_scalar_bitwise_left_shift = op_expr("scalar_bitwise_left_shift")
_scalar_bitwise_left_shift_reversed = op_expr("scalar_bitwise_left_shift_reversed")
_scalar_bitwise_or = op_expr("scalar_bitwise_or")
_scalar_bitwise_or_reversed = op_expr("scalar_bitwise_or_reversed")
_scalar_bitwise_right_shift = op_expr("scalar_bitwise_right_shift")
_scalar_bitwise_right_shift_reversed = op_expr("scalar_bitwise_right_shift_reversed")
_scalar_bitwise_xor = op_expr("scalar_bitwise_xor")
_scalar_bitwise_xor_reversed = op_expr("scalar_bitwise_xor_reversed")
_scalar_copy_sign = op_expr("scalar_copy_sign")
_scalar_div = op_expr("scalar_div")
_scalar_eq = op_expr("scalar_eq")
_scalar_floor_divide_reversed = op_expr("scalar_floor_divide_reversed")
_scalar_ge = op_expr("scalar_ge")
_scalar_gt = op_expr("scalar_gt")
_scalar_le = op_expr("scalar_le")
_scalar_lerp = op_expr("scalar_lerp")
_scalar_logical_and = op_expr("scalar_logical_and")
_scalar_logical_or = op_expr("scalar_logical_or")
_scalar_logical_xor = op_expr("scalar_logical_xor")
_scalar_lt = op_expr("scalar_lt")
_scalar_mul = op_expr("scalar_mul")
_scalar_ne = op_expr("scalar_ne")
_scalar_remainder_reversed = op_expr("scalar_remainder_reversed")
_scalar_special_chebyshev_polynomial_t = op_expr("scalar_special_chebyshev_polynomial_t")
_scalar_special_chebyshev_polynomial_t_reversed = op_expr("scalar_special_chebyshev_polynomial_t_reversed")
_scalar_special_chebyshev_polynomial_u = op_expr("scalar_special_chebyshev_polynomial_u")
_scalar_special_chebyshev_polynomial_u_reversed = op_expr("scalar_special_chebyshev_polynomial_u_reversed")
_scalar_special_chebyshev_polynomial_v = op_expr("scalar_special_chebyshev_polynomial_v")
_scalar_special_chebyshev_polynomial_v_reversed = op_expr("scalar_special_chebyshev_polynomial_v_reversed")
_scalar_special_chebyshev_polynomial_w = op_expr("scalar_special_chebyshev_polynomial_w")
_scalar_special_chebyshev_polynomial_w_reversed = op_expr("scalar_special_chebyshev_polynomial_w_reversed")
_scalar_special_hermite_polynomial_h = op_expr("scalar_special_hermite_polynomial_h")
_scalar_special_hermite_polynomial_h_reversed = op_expr("scalar_special_hermite_polynomial_h_reversed")
_scalar_special_hermite_polynomial_he = op_expr("scalar_special_hermite_polynomial_he")
_scalar_special_hermite_polynomial_he_reversed = op_expr("scalar_special_hermite_polynomial_he_reversed")
_scalar_special_laguerre_polynomial_l = op_expr("scalar_special_laguerre_polynomial_l")
_scalar_special_laguerre_polynomial_l_reversed = op_expr("scalar_special_laguerre_polynomial_l_reversed")
_scalar_special_legendre_polynomial_p = op_expr("scalar_special_legendre_polynomial_p")
_scalar_special_legendre_polynomial_p_reversed = op_expr("scalar_special_legendre_polynomial_p_reversed")
_scalar_special_shifted_chebyshev_polynomial_t = op_expr("scalar_special_shifted_chebyshev_polynomial_t")
_scalar_special_shifted_chebyshev_polynomial_t_reversed = op_expr("scalar_special_shifted_chebyshev_polynomial_t_reversed")
_scalar_special_shifted_chebyshev_polynomial_u = op_expr("scalar_special_shifted_chebyshev_polynomial_u")
_scalar_special_shifted_chebyshev_polynomial_u_reversed = op_expr("scalar_special_shifted_chebyshev_polynomial_u_reversed")
_scalar_special_shifted_chebyshev_polynomial_v = op_expr("scalar_special_shifted_chebyshev_polynomial_v")
_scalar_special_shifted_chebyshev_polynomial_v_reversed = op_expr("scalar_special_shifted_chebyshev_polynomial_v_reversed")
_scalar_special_shifted_chebyshev_polynomial_w = op_expr("scalar_special_shifted_chebyshev_polynomial_w")
_scalar_special_shifted_chebyshev_polynomial_w_reversed = op_expr("scalar_special_shifted_chebyshev_polynomial_w_reversed")
_scalar_special_xlog1py = op_expr("scalar_special_xlog1py")
_scalar_special_xlog1py_reversed = op_expr("scalar_special_xlog1py_reversed")
_scalar_special_zeta = op_expr("scalar_special_zeta")
_scalar_special_zeta_reversed = op_expr("scalar_special_zeta_reversed")
_scalar_x_log_y = op_expr("scalar_x_log_y")
_scalar_x_log_y_reversed = op_expr("scalar_x_log_y_reversed")
_selu = op_expr("selu")
_sigmoid = op_expr("sigmoid")
_sigmoid_gate = op_expr("sigmoid_gate")
_sign = op_expr("sign")
_signbit = op_expr("signbit")
_silu = op_expr("silu")
_sin = op_expr("sin")
_sinc = op_expr("sinc")
_sinc_slope = op_expr("sinc_slope")
_sinh = op_expr("sinh")
_softplus = op_expr("softplus")
_softsign = op_expr("softsign")
_special_airy_ai = op_expr("special_airy_ai")
_special_bessel_j0 = op_expr("special_bessel_j0")
_special_bessel_j1 = op_expr("special_bessel_j1")
_special_bessel_y0 = op_expr("special_bessel_y0")
_special_bessel_y1 = op_expr("special_bessel_y1")
_special_chebyshev_polynomial_t = op_expr("special_chebyshev_polynomial_t")
_special_chebyshev_polynomial_u = op_expr("special_chebyshev_polynomial_u")
_special_chebyshev_polynomial_v = op_expr("special_chebyshev_polynomial_v")
_special_chebyshev_polynomial_w = op_expr("special_chebyshev_polynomial_w")
_special_entr = op_expr("special_entr")
_special_erfcx = op_expr("special_erfcx")
_special_erfcx_slope = op_expr("special_erfcx_slope")
_special_hermite_polynomial_h = op_expr("special_hermite_polynomial_h")
_special_hermite_polynomial_he = op_expr("special_hermite_polynomial_he")
_special_i0e = op_expr("special_i0e")
_special_i0e_slope = op_expr("special_i0e_slope")
_special_i1 = op_expr("special_i1")
_special_i1_slope = op_expr("special_i1_slope")
_special_i1e = op_expr("special_i1e")
_special_i1e_slope = op_expr("special_i1e_slope")
_special_laguerre_polynomial_l = op_expr("special_laguerre_polynomial_l")
_special_legendre_polynomial_p = op_expr("special_legendre_polynomial_p")
_special_log_ndtr = op_expr("special_log_ndtr")
_special_modified_bessel_i0 = op_expr("special_modified_bessel_i0")
_special_modified_bessel_i1 = op_expr("special_modified_bessel_i1")
_special_modified_bessel_k0 = op_expr("special_modified_bessel_k0")
_special_modified_bessel_k1 = op_expr("special_modified_bessel_k1")
_special_ndtr = op_expr("special_ndtr")
_special_ndtri = op_expr("special_ndtri")
_special_scaled_modified_bessel_k0 = op_expr("special_scaled_modified_bessel_k0")
_special_scaled_modified_bessel_k1 = op_expr("special_scaled_modified_bessel_k1")
_special_shifted_chebyshev_polynomial_t = op_expr("special_shifted_chebyshev_polynomial_t")
_special_shifted_chebyshev_polynomial_u = op_expr("special_shifted_chebyshev_polynomial_u")
_special_shifted_chebyshev_polynomial_v = op_expr("special_shifted_chebyshev_polynomial_v")
_special_shifted_chebyshev_polynomial_w = op_expr("special_shifted_chebyshev_polynomial_w")
_special_spherical_bessel_j0 = op_expr("special_spherical_bessel_j0")
_special_xlog1py = op_expr("special_xlog1py")
_special_zeta = op_expr("special_zeta")
_sqrt = op_expr("sqrt")
_standard_gamma_grad = op_expr("standard_gamma_grad")
_tan = op_expr("tan")
_tanh = op_expr("tanh")
_trigamma = op_expr("trigamma")
_trunc = op_expr("trunc")
_trunc_divide = op_expr("trunc_divide")
_where = op_expr("where")
_x_log_y = op_expr("x_log_y")
_zero_power_im = op_expr("zero_power_im")
_zero_power_re = op_expr("zero_power_re")

def mul(input, other, inplace=False):
    if inplace:
        return dispatch(_mul, (input, other), out=input)
    return dispatch2(_mul, input, other)

def scalar_mul(input, other, inplace=False):
    if inplace:
        return dispatch(_scalar_mul, (input,), (), (other,), out=input)
    return dispatch_number(_scalar_mul, input, other)

def div(input, other, inplace=False):
    if inplace:
        return dispatch(_div, (input, other), out=input)
    return dispatch2(_div, input, other)

def scalar_div(input, other, inplace=False):
    if inplace:
        return dispatch(_scalar_div, (input,), (), (other,), out=input)
    return dispatch_number(_scalar_div, input, other)

def pow(input, exponent):
    return dispatch2(_pow, input, exponent)

def reciprocal_re(u, v):
    return dispatch2(_reciprocal_re, u, v)

def reciprocal_im(u, v):
    return dispatch2(_reciprocal_im, u, v)

def quotient_re(x, y, u, v):
    return dispatch(_quotient_re, (x, y, u, v))

def quotient_im(x, y, u, v):
    return dispatch(_quotient_im, (x, y, u, v))

def zero_power_re(u, v, p, q):
    return dispatch(_zero_power_re, (u, v, p, q))

def zero_power_im(u, v, p, q):
    return dispatch(_zero_power_im, (u, v, p, q))

def eq(input, other):
    return dispatch2(_eq, input, other)

def scalar_eq(input, other):
    return dispatch_number(_scalar_eq, input, other)

def ne(input, other):
    return dispatch2(_ne, input, other)

def scalar_ne(input, other):
    return dispatch_number(_scalar_ne, input, other)

def lt(input, other):
    return dispatch2(_lt, input, other)

def scalar_lt(input, other):
    return dispatch_number(_scalar_lt, input, other)

def le(input, other):
    return dispatch2(_le, input, other)

def scalar_le(input, other):
    return dispatch_number(_scalar_le, input, other)

def gt(input, other):
    return dispatch2(_gt, input, other)

def scalar_gt(input, other):
    return dispatch_number(_scalar_gt, input, other)

def ge(input, other):
    return dispatch2(_ge, input, other)

def scalar_ge(input, other):
    return dispatch_number(_scalar_ge, input, other)

def logical_and(input, other):
    return dispatch2(_logical_and, input, other)

def scalar_logical_and(input, other):
    return dispatch_number(_scalar_logical_and, input, other)

def logical_or(input, other):
    return dispatch2(_logical_or, input, other)

def scalar_logical_or(input, other):
    return dispatch_number(_scalar_logical_or, input, other)

def logical_xor(input, other):
    return dispatch2(_logical_xor, input, other)

def scalar_logical_xor(input, other):
    return dispatch_number(_scalar_logical_xor, input, other)

def logical_not(input):
    return dispatch1(_logical_not, input)

def is_nan(input):
    return dispatch1(_isnan, input)

def is_inf(input):
    return dispatch1(_isinf, input)

def is_finite(input):
    return dispatch1(_isfinite, input)

def where(condition, x, y):
    return dispatch3(_where, condition, x, y)

def maximum(input, other):
    return dispatch2(_maximum, input, other)

def minimum(input, other):
    return dispatch2(_minimum, input, other)

def fmax(input, other):
    return dispatch2(_fmax, input, other)

def fmin(input, other):
    return dispatch2(_fmin, input, other)

def fmod(input, other, inplace=False):
    if inplace:
        return dispatch(_fmod, (input, other), out=input)
    return dispatch2(_fmod, input, other)

def remainder(input, other, inplace=False):
    if inplace:
        return dispatch(_remainder, (input, other), out=input)
    return dispatch2(_remainder, input, other)

def scalar_remainder_reversed(input, other):
    return dispatch_number(_scalar_remainder_reversed, other, input)

def floor_divide(input, other, inplace=False):
    if inplace:
        return dispatch(_floor_divide, (input, other), out=input)
    return dispatch2(_floor_divide, input, other)

def scalar_floor_divide_reversed(input, other):
    return dispatch_number(_scalar_floor_divide_reversed, other, input)

def trunc_divide(input, other):
    return dispatch2(_trunc_divide, input, other)

def bitwise_and(input, other):
    return dispatch2(_bitwise_and, input, other)

def scalar_bitwise_and(input, other):
    return dispatch_number(_scalar_bitwise_and, input, other)

def scalar_bitwise_and_reversed(input, other):
    return dispatch_number(_scalar_bitwise_and_reversed, other, input)

def bitwise_or(input, other):
    return dispatch2(_bitwise_or, input, other)

def scalar_bitwise_or(input, other):
    return dispatch_number(_scalar_bitwise_or, input, other)

def scalar_bitwise_or_reversed(input, other):
    return dispatch_number(_scalar_bitwise_or_reversed, other, input)

def bitwise_xor(input, other):
    return dispatch2(_bitwise_xor, input, other)

def scalar_bitwise_xor(input, other):
    return dispatch_number(_scalar_bitwise_xor, input, other)

def scalar_bitwise_xor_reversed(input, other):
    return dispatch_number(_scalar_bitwise_xor_reversed, other, input)

def add_c_div(input, tensor1, tensor2, value=1, inplace=False):
    if inplace:
        return dispatch(_addcdiv, (input, tensor1, tensor2), (), (value,), out=input)
    return dispatch(_addcdiv, (input, tensor1, tensor2), (), (value,))

def scalar_lerp(start, end, weight, inplace=False):
    if inplace:
        return dispatch(_scalar_lerp, (start, end), (), (weight,), out=start)
    return dispatch(_scalar_lerp, (start, end), (), (weight,))

def atan2(input, other, inplace=False):
    if inplace:
        return dispatch(_atan2, (input, other), out=input)
    return dispatch2(_atan2, input, other)

def logaddexp(input, other):
    return dispatch2(_logaddexp, input, other)

def logaddexp2(input, other):
    return dispatch2(_logaddexp2, input, other)

def hypot(input, other, inplace=False):
    if inplace:
        return dispatch(_hypot, (input, other), out=input)
    return dispatch2(_hypot, input, other)

def gcd(input, other, inplace=False):
    if inplace:
        return dispatch(_gcd, (input, other), out=input)
    return dispatch2(_gcd, input, other)

def lcm(input, other, inplace=False):
    if inplace:
        return dispatch(_lcm, (input, other), out=input)
    return dispatch2(_lcm, input, other)

def copy_sign(input, other, inplace=False):
    if inplace:
        return dispatch(_copy_sign, (input, other), out=input)
    return dispatch2(_copy_sign, input, other)

def scalar_copy_sign(input, other, inplace=False):
    if inplace:
        return dispatch(_scalar_copy_sign, (input,), (), (other,), out=input)
    return dispatch_number(_scalar_copy_sign, input, other)

def x_log_y(input, other, inplace=False):
    if inplace:
        return dispatch(_x_log_y, (input, other), out=input)
    return dispatch2(_x_log_y, input, other)

def scalar_x_log_y(input, other, inplace=False):
    if inplace:
        return dispatch(_scalar_x_log_y, (input,), (), (other,), out=input)
    return dispatch_number(_scalar_x_log_y, input, other)

def scalar_x_log_y_reversed(input, other):
    return dispatch_number(_scalar_x_log_y_reversed, other, input)

def bitwise_left_shift(input, other, inplace=False):
    if inplace:
        return dispatch(_bitwise_left_shift, (input, other), out=input)
    return dispatch2(_bitwise_left_shift, input, other)

def scalar_bitwise_left_shift(input, other, inplace=False):
    if inplace:
        return dispatch(_scalar_bitwise_left_shift, (input,), (), (other,), out=input)
    return dispatch_number(_scalar_bitwise_left_shift, input, other)

def scalar_bitwise_left_shift_reversed(input, other):
    return dispatch_number(_scalar_bitwise_left_shift_reversed, other, input)

def bitwise_right_shift(input, other, inplace=False):
    if inplace:
        return dispatch(_bitwise_right_shift, (input, other), out=input)
    return dispatch2(_bitwise_right_shift, input, other)

def scalar_bitwise_right_shift(input, other, inplace=False):
    if inplace:
        return dispatch(_scalar_bitwise_right_shift, (input,), (), (other,), out=input)
    return dispatch_number(_scalar_bitwise_right_shift, input, other)

def scalar_bitwise_right_shift_reversed(input, other):
    return dispatch_number(_scalar_bitwise_right_shift_reversed, other, input)

def fake_quantize(input, scale, zero_point, quant_min, quant_max):
    return dispatch(_fake_quantize, (input, scale, zero_point), (), (quant_min, quant_max))

def exp(x, inplace=False):
    if inplace:
        return dispatch(_exp, (x,), out=x)
    return dispatch1(_exp, x)

def exp2(x, inplace=False):
    if inplace:
        return dispatch(_exp2, (x,), out=x)
    return dispatch1(_exp2, x)

def expm1(x, inplace=False):
    if inplace:
        return dispatch(_expm1, (x,), out=x)
    return dispatch1(_expm1, x)

def log(x, inplace=False):
    if inplace:
        return dispatch(_log, (x,), out=x)
    return dispatch1(_log, x)

def log2(x, inplace=False):
    if inplace:
        return dispatch(_log2, (x,), out=x)
    return dispatch1(_log2, x)

def log10(x, inplace=False):
    if inplace:
        return dispatch(_log10, (x,), out=x)
    return dispatch1(_log10, x)

def log1p(x, inplace=False):
    if inplace:
        return dispatch(_log1p, (x,), out=x)
    return dispatch1(_log1p, x)

def sin(x, inplace=False):
    if inplace:
        return dispatch(_sin, (x,), out=x)
    return dispatch1(_sin, x)

def cos(x, inplace=False):
    if inplace:
        return dispatch(_cos, (x,), out=x)
    return dispatch1(_cos, x)

def tan(x, inplace=False):
    if inplace:
        return dispatch(_tan, (x,), out=x)
    return dispatch1(_tan, x)

def sinh(x, inplace=False):
    if inplace:
        return dispatch(_sinh, (x,), out=x)
    return dispatch1(_sinh, x)

def cosh(x, inplace=False):
    if inplace:
        return dispatch(_cosh, (x,), out=x)
    return dispatch1(_cosh, x)

def sqrt(x, inplace=False):
    if inplace:
        return dispatch(_sqrt, (x,), out=x)
    return dispatch1(_sqrt, x)

def rsqrt(x, inplace=False):
    if inplace:
        return dispatch(_rsqrt, (x,), out=x)
    return dispatch1(_rsqrt, x)

def reciprocal(x, inplace=False):
    if inplace:
        return dispatch(_reciprocal, (x,), out=x)
    return dispatch1(_reciprocal, x)

def erf(x, inplace=False):
    if inplace:
        return dispatch(_erf, (x,), out=x)
    return dispatch1(_erf, x)

def erfinv(x, inplace=False):
    if inplace:
        return dispatch(_erfinv, (x,), out=x)
    return dispatch1(_erfinv, x)

def abs(x, inplace=False):
    if inplace:
        return dispatch(_abs, (x,), out=x)
    return dispatch1(_abs, x)

def sign(x, inplace=False):
    if inplace:
        return dispatch(_sign, (x,), out=x)
    return dispatch1(_sign, x)

def floor(x, inplace=False):
    if inplace:
        return dispatch(_floor, (x,), out=x)
    return dispatch1(_floor, x)

def ceil(x, inplace=False):
    if inplace:
        return dispatch(_ceil, (x,), out=x)
    return dispatch1(_ceil, x)

def trunc(x, inplace=False):
    if inplace:
        return dispatch(_trunc, (x,), out=x)
    return dispatch1(_trunc, x)

def frac(x, inplace=False):
    if inplace:
        return dispatch(_frac, (x,), out=x)
    return dispatch1(_frac, x)

def round(x, inplace=False):
    if inplace:
        return dispatch(_round, (x,), out=x)
    return dispatch1(_round, x)

def acos(input, inplace=False):
    if inplace:
        return dispatch(_acos, (input,), out=input)
    return dispatch1(_acos, input)

def asin(input, inplace=False):
    if inplace:
        return dispatch(_asin, (input,), out=input)
    return dispatch1(_asin, input)

def atan(input, inplace=False):
    if inplace:
        return dispatch(_atan, (input,), out=input)
    return dispatch1(_atan, input)

def acosh(input, inplace=False):
    if inplace:
        return dispatch(_acosh, (input,), out=input)
    return dispatch1(_acosh, input)

def asinh(input, inplace=False):
    if inplace:
        return dispatch(_asinh, (input,), out=input)
    return dispatch1(_asinh, input)

def atanh(input, inplace=False):
    if inplace:
        return dispatch(_atanh, (input,), out=input)
    return dispatch1(_atanh, input)

def sinc(input, inplace=False):
    if inplace:
        return dispatch(_sinc, (input,), out=input)
    return dispatch1(_sinc, input)

def sinc_slope(input):
    return dispatch1(_sinc_slope, input)

def erfc(input, inplace=False):
    if inplace:
        return dispatch(_erfc, (input,), out=input)
    return dispatch1(_erfc, input)

def signbit(input):
    return dispatch1(_signbit, input)

def isposinf(input):
    return dispatch1(_isposinf, input)

def isneginf(input):
    return dispatch1(_isneginf, input)

def angle(input):
    return dispatch1(_angle, input)

def deg2rad(input, inplace=False):
    if inplace:
        return dispatch(_deg2rad, (input,), out=input)
    return dispatch1(_deg2rad, input)

def rad2deg(input, inplace=False):
    if inplace:
        return dispatch(_rad2deg, (input,), out=input)
    return dispatch1(_rad2deg, input)

def lgamma(input, inplace=False):
    if inplace:
        return dispatch(_lgamma, (input,), out=input)
    return dispatch1(_lgamma, input)

def digamma(input, inplace=False):
    if inplace:
        return dispatch(_digamma, (input,), out=input)
    return dispatch1(_digamma, input)

def trigamma(input):
    return dispatch1(_trigamma, input)

def special_xlog1py(input, other):
    return dispatch2(_special_xlog1py, input, other)

def scalar_special_xlog1py(input, other):
    return dispatch_number(_scalar_special_xlog1py, input, other)

def scalar_special_xlog1py_reversed(input, other):
    return dispatch_number(_scalar_special_xlog1py_reversed, other, input)

def special_zeta(input, other):
    return dispatch2(_special_zeta, input, other)

def scalar_special_zeta(input, other):
    return dispatch_number(_scalar_special_zeta, input, other)

def scalar_special_zeta_reversed(input, other):
    return dispatch_number(_scalar_special_zeta_reversed, other, input)

def igamma(input, other, inplace=False):
    if inplace:
        return dispatch(_igamma, (input, other), out=input)
    return dispatch2(_igamma, input, other)

def igammac(input, other, inplace=False):
    if inplace:
        return dispatch(_igammac, (input, other), out=input)
    return dispatch2(_igammac, input, other)

def i0(input, inplace=False):
    if inplace:
        return dispatch(_i0, (input,), out=input)
    return dispatch1(_i0, input)

def special_i0e(input):
    return dispatch1(_special_i0e, input)

def special_i0e_slope(input):
    return dispatch1(_special_i0e_slope, input)

def special_i1(input):
    return dispatch1(_special_i1, input)

def special_i1_slope(input):
    return dispatch1(_special_i1_slope, input)

def special_i1e(input):
    return dispatch1(_special_i1e, input)

def special_i1e_slope(input):
    return dispatch1(_special_i1e_slope, input)

def special_entr(input):
    return dispatch1(_special_entr, input)

def special_erfcx(input):
    return dispatch1(_special_erfcx, input)

def special_erfcx_slope(input):
    return dispatch1(_special_erfcx_slope, input)

def normal_cdf(input):
    return dispatch1(_normal_cdf, input)

def special_ndtr(input):
    return dispatch1(_special_ndtr, input)

def special_ndtri(input):
    return dispatch1(_special_ndtri, input)

def inverse_mills_ratio(x):
    return dispatch1(_inverse_mills_ratio, x)

def special_log_ndtr(input):
    return dispatch1(_special_log_ndtr, input)

def special_bessel_j0(input):
    return dispatch1(_special_bessel_j0, input)

def special_bessel_j1(input):
    return dispatch1(_special_bessel_j1, input)

def special_bessel_y0(input):
    return dispatch1(_special_bessel_y0, input)

def special_bessel_y1(input):
    return dispatch1(_special_bessel_y1, input)

def special_modified_bessel_i0(input):
    return dispatch1(_special_modified_bessel_i0, input)

def special_modified_bessel_i1(input):
    return dispatch1(_special_modified_bessel_i1, input)

def special_modified_bessel_k0(input):
    return dispatch1(_special_modified_bessel_k0, input)

def special_modified_bessel_k1(input):
    return dispatch1(_special_modified_bessel_k1, input)

def special_scaled_modified_bessel_k0(input):
    return dispatch1(_special_scaled_modified_bessel_k0, input)

def special_scaled_modified_bessel_k1(input):
    return dispatch1(_special_scaled_modified_bessel_k1, input)

def special_spherical_bessel_j0(input):
    return dispatch1(_special_spherical_bessel_j0, input)

def special_airy_ai(input):
    return dispatch1(_special_airy_ai, input)

def special_chebyshev_polynomial_t(x, n):
    return dispatch2(_special_chebyshev_polynomial_t, x, n)

def scalar_special_chebyshev_polynomial_t(x, n):
    return dispatch_number(_scalar_special_chebyshev_polynomial_t, x, n)

def scalar_special_chebyshev_polynomial_t_reversed(x, n):
    return dispatch_number(_scalar_special_chebyshev_polynomial_t_reversed, n, x)

def special_chebyshev_polynomial_u(x, n):
    return dispatch2(_special_chebyshev_polynomial_u, x, n)

def scalar_special_chebyshev_polynomial_u(x, n):
    return dispatch_number(_scalar_special_chebyshev_polynomial_u, x, n)

def scalar_special_chebyshev_polynomial_u_reversed(x, n):
    return dispatch_number(_scalar_special_chebyshev_polynomial_u_reversed, n, x)

def special_chebyshev_polynomial_v(x, n):
    return dispatch2(_special_chebyshev_polynomial_v, x, n)

def scalar_special_chebyshev_polynomial_v(x, n):
    return dispatch_number(_scalar_special_chebyshev_polynomial_v, x, n)

def scalar_special_chebyshev_polynomial_v_reversed(x, n):
    return dispatch_number(_scalar_special_chebyshev_polynomial_v_reversed, n, x)

def special_chebyshev_polynomial_w(x, n):
    return dispatch2(_special_chebyshev_polynomial_w, x, n)

def scalar_special_chebyshev_polynomial_w(x, n):
    return dispatch_number(_scalar_special_chebyshev_polynomial_w, x, n)

def scalar_special_chebyshev_polynomial_w_reversed(x, n):
    return dispatch_number(_scalar_special_chebyshev_polynomial_w_reversed, n, x)

def special_shifted_chebyshev_polynomial_t(x, n):
    return dispatch2(_special_shifted_chebyshev_polynomial_t, x, n)

def scalar_special_shifted_chebyshev_polynomial_t(x, n):
    return dispatch_number(_scalar_special_shifted_chebyshev_polynomial_t, x, n)

def scalar_special_shifted_chebyshev_polynomial_t_reversed(x, n):
    return dispatch_number(_scalar_special_shifted_chebyshev_polynomial_t_reversed, n, x)

def special_shifted_chebyshev_polynomial_u(x, n):
    return dispatch2(_special_shifted_chebyshev_polynomial_u, x, n)

def scalar_special_shifted_chebyshev_polynomial_u(x, n):
    return dispatch_number(_scalar_special_shifted_chebyshev_polynomial_u, x, n)

def scalar_special_shifted_chebyshev_polynomial_u_reversed(x, n):
    return dispatch_number(_scalar_special_shifted_chebyshev_polynomial_u_reversed, n, x)

def special_shifted_chebyshev_polynomial_v(x, n):
    return dispatch2(_special_shifted_chebyshev_polynomial_v, x, n)

def scalar_special_shifted_chebyshev_polynomial_v(x, n):
    return dispatch_number(_scalar_special_shifted_chebyshev_polynomial_v, x, n)

def scalar_special_shifted_chebyshev_polynomial_v_reversed(x, n):
    return dispatch_number(_scalar_special_shifted_chebyshev_polynomial_v_reversed, n, x)

def special_shifted_chebyshev_polynomial_w(x, n):
    return dispatch2(_special_shifted_chebyshev_polynomial_w, x, n)

def scalar_special_shifted_chebyshev_polynomial_w(x, n):
    return dispatch_number(_scalar_special_shifted_chebyshev_polynomial_w, x, n)

def scalar_special_shifted_chebyshev_polynomial_w_reversed(x, n):
    return dispatch_number(_scalar_special_shifted_chebyshev_polynomial_w_reversed, n, x)

def special_hermite_polynomial_h(x, n):
    return dispatch2(_special_hermite_polynomial_h, x, n)

def scalar_special_hermite_polynomial_h(x, n):
    return dispatch_number(_scalar_special_hermite_polynomial_h, x, n)

def scalar_special_hermite_polynomial_h_reversed(x, n):
    return dispatch_number(_scalar_special_hermite_polynomial_h_reversed, n, x)

def special_hermite_polynomial_he(x, n):
    return dispatch2(_special_hermite_polynomial_he, x, n)

def scalar_special_hermite_polynomial_he(x, n):
    return dispatch_number(_scalar_special_hermite_polynomial_he, x, n)

def scalar_special_hermite_polynomial_he_reversed(x, n):
    return dispatch_number(_scalar_special_hermite_polynomial_he_reversed, n, x)

def special_laguerre_polynomial_l(x, n):
    return dispatch2(_special_laguerre_polynomial_l, x, n)

def scalar_special_laguerre_polynomial_l(x, n):
    return dispatch_number(_scalar_special_laguerre_polynomial_l, x, n)

def scalar_special_laguerre_polynomial_l_reversed(x, n):
    return dispatch_number(_scalar_special_laguerre_polynomial_l_reversed, n, x)

def special_legendre_polynomial_p(x, n):
    return dispatch2(_special_legendre_polynomial_p, x, n)

def scalar_special_legendre_polynomial_p(x, n):
    return dispatch_number(_scalar_special_legendre_polynomial_p, x, n)

def scalar_special_legendre_polynomial_p_reversed(x, n):
    return dispatch_number(_scalar_special_legendre_polynomial_p_reversed, n, x)

def tanh(x, inplace=False):
    if inplace:
        return dispatch(_tanh, (x,), out=x)
    return dispatch1(_tanh, x)

def sigmoid(x, inplace=False):
    if inplace:
        return dispatch(_sigmoid, (x,), out=x)
    return dispatch1(_sigmoid, x)

def logistic(x):
    return dispatch1(_logistic, x)

def mish_gate(x):
    return dispatch1(_mish_gate, x)

def logsigmoid(x):
    return dispatch1(_logsigmoid, x)

def relu(x, inplace=False):
    if inplace:
        return dispatch(_relu, (x,), out=x)
    return dispatch1(_relu, x)

def leaky_relu(x, alpha=0.01, inplace=False):
    if inplace:
        return dispatch(_leaky_relu, (x,), (), (alpha,), out=x)
    return dispatch_number(_leaky_relu, x, alpha)

def elu(x, alpha=1.0, inplace=False):
    if inplace:
        return dispatch(_elu, (x,), (), (alpha,), out=x)
    return dispatch_number(_elu, x, alpha)

def selu(x, inplace=False):
    if inplace:
        return dispatch(_selu, (x,), out=x)
    return dispatch1(_selu, x)

def softplus(x, beta=1.0, threshold=20.0):
    return dispatch(_softplus, (x,), (), (beta, threshold))

def softsign(x):
    return dispatch1(_softsign, x)

def silu(x, inplace=False):
    if inplace:
        return dispatch(_silu, (x,), out=x)
    return dispatch1(_silu, x)

def mish(x, inplace=False):
    if inplace:
        return dispatch(_mish, (x,), out=x)
    return dispatch1(_mish, x)

def hardsigmoid(x, inplace=False):
    if inplace:
        return dispatch(_hardsigmoid, (x,), out=x)
    return dispatch1(_hardsigmoid, x)

def hardswish(x, inplace=False):
    if inplace:
        return dispatch(_hardswish, (x,), out=x)
    return dispatch1(_hardswish, x)

def hardshrink(x, lambd=0.5, inplace=False):
    if inplace:
        return dispatch(_hardshrink, (x,), (), (lambd,), out=x)
    return dispatch_number(_hardshrink, x, lambd)

def quick_gelu(x):
    return dispatch1(_quick_gelu, x)

def sigmoid_gate(a, gate):
    return dispatch2(_sigmoid_gate, a, gate)

def gated_by_silu(x, y):
    return dispatch2(_gated_by_silu, x, y)

def gated_by_gelu(x, y):
    return dispatch2(_gated_by_gelu, x, y)

def gated_by_gelu_tanh(x, y):
    return dispatch2(_gated_by_gelu_tanh, x, y)

def combine_shares(input, kind):
    return dispatch1(_combine_shares, input, (kind,))

def log_of_sum(x):
    return dispatch1(_log_of_sum, x)

def matmul_with_sums(a, b):
    return dispatch(_matmul_with_sums, (a, b))

def add_unrounded(input, product, beta, alpha):
    return dispatch(_add_unrounded, (input, product), (), (beta, alpha))

def linalg_determinant(a):
    return dispatch(_linalg_determinant, (a,))

def linalg_log_determinant(a):
    return dispatch(_linalg_log_determinant, (a,))

def linalg_cofactors(value, a):
    return dispatch2(_linalg_cofactors, value, a)

def linalg_second_cofactors(value, direction, a):
    return dispatch3(_linalg_second_cofactors, value, direction, a)

def eigen(a):
    return dispatch(_linalg_eigen, (a,))

def pseudoinverse(a, symmetric, atol, rtol):
    return dispatch(_linalg_pseudoinverse, (a,), (symmetric,), (atol, rtol))

def checked(x, info, message):
    return dispatch2(_linalg_checked, x, info, (message,))

def mean_of_losses(total, weights, count):
    return dispatch3(_mean_of_losses, total, weights, count)

def binary_entropy_slope(input, target):
    return dispatch2(_binary_entropy_slope, input, target)

def jensen_shannon(input, target, beta, rest, log_beta, log_rest):
    return dispatch(_jensen_shannon, (input, target), (), (beta, rest, log_beta, log_rest))

def ctc_loss_grad(grad, log_probs, labels, time, count, alpha, blank, zero_infinity):
    return dispatch(_ctc_loss_grad, (grad, log_probs, labels, time, count, alpha), (blank, zero_infinity))

def add_layer_norm_grad(grad, x, mean, rstd, weight, added, dims, center):
    return dispatch(_add_layer_norm_grad, (grad, x, mean, rstd, weight, added), (dims, center))

def batch_norm_statistics(input, running_mean=None, running_var=None, momentum=0.1, eps=1e-05):
    return dispatch(_batch_norm_statistics, (input, running_mean, running_var), (), (momentum, eps))

def batch_norm_sums(grad, x, mean, rstd):
    return dispatch(_batch_norm_sums, (grad, x, mean, rstd))

def rotary_pair_inplace(query, key, cos, sin, order, interleaved, starts, sign, positions=None):
    return dispatch(_rotary_pair_inplace, (query, key, cos, sin, positions), (order, interleaved, starts), (sign,))

def moe_route(logits, bias=None, k=1, score='softmax', normed=False, groups=1, chosen=1, scale=1.0):
    return dispatch(_moe_route, (logits, bias), (k, score, normed, groups, chosen), (scale,))

def moe_positions(indices, num_experts):
    return dispatch(_moe_positions, (indices,), (num_experts,))

def moe_spread(x, positions, weights=None):
    return dispatch(_moe_spread, (x, positions, weights))

def moe_combine(rows, positions, weights=None, given=False):
    return dispatch(_moe_combine, (rows, positions, weights), (given,))

def moe_dots(x, rows, positions):
    return dispatch3(_moe_dots, x, rows, positions)

def region_grad(dy, shape, region_stride, elements):
    return dispatch1(_region_grad, dy, (shape, region_stride, elements))

def cast_together(tensors, dtype):
    return dispatch(_cast_together, (*tensors,), (dtype,))

def cheapest_columns(cost):
    return dispatch1(_cheapest_columns, cost)

def random_uniform(state, shape, dtype, low, high):
    return dispatch(_random_uniform, (state,), (shape, dtype), (low, high))

def random_normal(state, shape, dtype, mean, std):
    return dispatch(_random_normal, (state,), (shape, dtype), (mean, std))

def random_exponential(state, shape, dtype, rate):
    return dispatch(_random_exponential, (state,), (shape, dtype), (rate,))

def random_bernoulli(state, shape, dtype, p):
    return dispatch(_random_bernoulli, (state,), (shape, dtype), (p,))

def random_bernoulli_of(p, state):
    return dispatch2(_random_bernoulli_of, p, state)

def random_poisson(rate, state):
    return dispatch2(_random_poisson, rate, state)

def random_binomial(count, prob, state):
    return dispatch3(_random_binomial, count, prob, state)

def random_gamma(concentration, state):
    return dispatch2(_random_gamma, concentration, state)

def random_integers(state, shape, dtype, wide, low, size):
    return dispatch(_random_integers, (state,), (shape, dtype, wide), (low, size))

def random_dropout(x, state, p, scale):
    return dispatch(_random_dropout, (x, state), (), (p, scale))

def random_reserve(state, count):
    return dispatch1(_random_reserve, state, (count,))

def standard_gamma_grad(input, drawn):
    return dispatch2(_standard_gamma_grad, input, drawn)

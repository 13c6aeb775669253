"""Derivatives: formulas over `_C`, and one kernel each where grad mode is off.

Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
"""
# fmt: off
from tritonflow import _C
from tritonflow.execution.op_expr import op_expr
from tritonflow.interpreter.dispatch import dispatch, dispatch2, dispatch3, dispatch_number
from tritonflow.interpreter.grad_mode import is_grad_enabled

_abs_backward_x = op_expr("abs_backward_x")
_acos_backward_input = op_expr("acos_backward_input")
_acosh_backward_input = op_expr("acosh_backward_input")
_addcdiv_backward_tensor1 = op_expr("addcdiv_backward_tensor1")
_addcdiv_backward_tensor2 = op_expr("addcdiv_backward_tensor2")
_addcmul_backward_tensor1 = op_expr("addcmul_backward_tensor1")
_addcmul_backward_tensor2 = op_expr("addcmul_backward_tensor2")
_asin_backward_input = op_expr("asin_backward_input")
_asinh_backward_input = op_expr("asinh_backward_input")
_atan2_backward_input = op_expr("atan2_backward_input")
_atan2_backward_other = op_expr("atan2_backward_other")
_atan_backward_input = op_expr("atan_backward_input")
_atanh_backward_input = op_expr("atanh_backward_input")
_binary_entropy_backward_input = op_expr("binary_entropy_backward_input")
_binary_entropy_backward_target = op_expr("binary_entropy_backward_target")
_binary_entropy_of_logits_backward_input = op_expr("binary_entropy_of_logits_backward_input")
_binary_entropy_of_logits_backward_target = op_expr("binary_entropy_of_logits_backward_target")
_binary_entropy_slope_backward_input = op_expr("binary_entropy_slope_backward_input")
_celu_backward_x = op_expr("celu_backward_x")
_clamp_both_backward_input = op_expr("clamp_both_backward_input")
_clamp_high_backward_input = op_expr("clamp_high_backward_input")
_clamp_high_tensor_backward_high = op_expr("clamp_high_tensor_backward_high")
_clamp_high_tensor_backward_input = op_expr("clamp_high_tensor_backward_input")
_clamp_low_backward_input = op_expr("clamp_low_backward_input")
_clamp_low_tensor_backward_input = op_expr("clamp_low_tensor_backward_input")
_clamp_low_tensor_backward_low = op_expr("clamp_low_tensor_backward_low")
_clamp_tensors_backward_high = op_expr("clamp_tensors_backward_high")
_clamp_tensors_backward_input = op_expr("clamp_tensors_backward_input")
_clamp_tensors_backward_low = op_expr("clamp_tensors_backward_low")
_copy_sign_backward_input = op_expr("copy_sign_backward_input")
_cos_backward_x = op_expr("cos_backward_x")
_cosh_backward_x = op_expr("cosh_backward_x")
_cosine_similarity_backward_x1 = op_expr("cosine_similarity_backward_x1")
_cosine_similarity_backward_x2 = op_expr("cosine_similarity_backward_x2")
_digamma_backward_input = op_expr("digamma_backward_input")
_div_backward_other = op_expr("div_backward_other")
_divergence_backward_input = op_expr("divergence_backward_input")
_divergence_backward_target = op_expr("divergence_backward_target")
_divergence_of_logarithm_backward_input = op_expr("divergence_of_logarithm_backward_input")
_divergence_of_logarithm_backward_target = op_expr("divergence_of_logarithm_backward_target")
_elu_backward_x = op_expr("elu_backward_x")
_erf_backward_x = op_expr("erf_backward_x")
_erfc_backward_input = op_expr("erfc_backward_input")
_erfinv_backward_x = op_expr("erfinv_backward_x")
_exp2_backward_x = op_expr("exp2_backward_x")
_expm1_backward_x = op_expr("expm1_backward_x")
_fake_quantize_backward_input = op_expr("fake_quantize_backward_input")
_fmax_backward_input = op_expr("fmax_backward_input")
_fmax_backward_other = op_expr("fmax_backward_other")
_fmin_backward_input = op_expr("fmin_backward_input")
_fmin_backward_other = op_expr("fmin_backward_other")
_fmod_backward_other = op_expr("fmod_backward_other")
_gelu_by_tanh_backward_x = op_expr("gelu_by_tanh_backward_x")
_gelu_exact_backward_x = op_expr("gelu_exact_backward_x")
_hardshrink_backward_x = op_expr("hardshrink_backward_x")
_hardsigmoid_backward_x = op_expr("hardsigmoid_backward_x")
_hardswish_backward_x = op_expr("hardswish_backward_x")
_hardtanh_backward_x = op_expr("hardtanh_backward_x")
_hardtanh_inplace_backward_x = op_expr("hardtanh_inplace_backward_x")
_huber_distance_backward_input = op_expr("huber_distance_backward_input")
_huber_distance_backward_target = op_expr("huber_distance_backward_target")
_hypot_backward_input = op_expr("hypot_backward_input")
_hypot_backward_other = op_expr("hypot_backward_other")
_i0_backward_input = op_expr("i0_backward_input")
_igamma_backward_other = op_expr("igamma_backward_other")
_igammac_backward_other = op_expr("igammac_backward_other")
_inverse_mills_ratio_backward_x = op_expr("inverse_mills_ratio_backward_x")
_l1_distance_backward_input = op_expr("l1_distance_backward_input")
_l1_distance_backward_target = op_expr("l1_distance_backward_target")
_leaky_relu_backward_x = op_expr("leaky_relu_backward_x")
_leaky_relu_inplace_backward_x = op_expr("leaky_relu_inplace_backward_x")
_lerp_backward_start = op_expr("lerp_backward_start")
_lerp_backward_weight = op_expr("lerp_backward_weight")
_lgamma_backward_input = op_expr("lgamma_backward_input")
_log10_backward_x = op_expr("log10_backward_x")
_log1p_backward_x = op_expr("log1p_backward_x")
_log2_backward_x = op_expr("log2_backward_x")
_log_of_sum_backward_x = op_expr("log_of_sum_backward_x")
_logaddexp2_backward_input = op_expr("logaddexp2_backward_input")
_logaddexp2_backward_other = op_expr("logaddexp2_backward_other")
_logaddexp_backward_input = op_expr("logaddexp_backward_input")
_logaddexp_backward_other = op_expr("logaddexp_backward_other")
_logistic_backward_x = op_expr("logistic_backward_x")
_logit_backward_input = op_expr("logit_backward_input")
_logit_clamped_backward_input = op_expr("logit_clamped_backward_input")
_logsigmoid_backward_x = op_expr("logsigmoid_backward_x")
_maximum_backward_input = op_expr("maximum_backward_input")
_maximum_backward_other = op_expr("maximum_backward_other")
_mean_of_losses_backward_total = op_expr("mean_of_losses_backward_total")
_minimum_backward_input = op_expr("minimum_backward_input")
_minimum_backward_other = op_expr("minimum_backward_other")
_mish_backward_x = op_expr("mish_backward_x")
_mish_gate_backward_x = op_expr("mish_gate_backward_x")
_nan_to_num_backward_input = op_expr("nan_to_num_backward_input")
_next_after_backward_input = op_expr("next_after_backward_input")
_next_after_backward_other = op_expr("next_after_backward_other")
_next_after_bfloat16_backward_input = op_expr("next_after_bfloat16_backward_input")
_next_after_bfloat16_backward_other = op_expr("next_after_bfloat16_backward_other")
_next_after_float16_backward_input = op_expr("next_after_float16_backward_input")
_next_after_float16_backward_other = op_expr("next_after_float16_backward_other")
_normal_cdf_backward_input = op_expr("normal_cdf_backward_input")
_poly_gamma_backward_input = op_expr("poly_gamma_backward_input")
_pow_backward_exponent = op_expr("pow_backward_exponent")
_pow_backward_input = op_expr("pow_backward_input")
_quick_gelu_backward_x = op_expr("quick_gelu_backward_x")
_quotient_im_backward_u = op_expr("quotient_im_backward_u")
_quotient_im_backward_v = op_expr("quotient_im_backward_v")
_quotient_im_backward_x = op_expr("quotient_im_backward_x")
_quotient_im_backward_y = op_expr("quotient_im_backward_y")
_quotient_re_backward_u = op_expr("quotient_re_backward_u")
_quotient_re_backward_v = op_expr("quotient_re_backward_v")
_quotient_re_backward_x = op_expr("quotient_re_backward_x")
_quotient_re_backward_y = op_expr("quotient_re_backward_y")
_random_dropout_backward_x = op_expr("random_dropout_backward_x")
_random_gamma_backward_concentration = op_expr("random_gamma_backward_concentration")
_reciprocal_backward_x = op_expr("reciprocal_backward_x")
_reciprocal_im_backward_u = op_expr("reciprocal_im_backward_u")
_reciprocal_im_backward_v = op_expr("reciprocal_im_backward_v")
_reciprocal_re_backward_u = op_expr("reciprocal_re_backward_u")
_reciprocal_re_backward_v = op_expr("reciprocal_re_backward_v")
_relu_backward_x = op_expr("relu_backward_x")
_remainder_backward_other = op_expr("remainder_backward_other")
_rsqrt_backward_x = op_expr("rsqrt_backward_x")
_scalar_copy_sign_backward_input = op_expr("scalar_copy_sign_backward_input")
_scalar_div_reversed_backward_other = op_expr("scalar_div_reversed_backward_other")
_scalar_lerp_backward_start = op_expr("scalar_lerp_backward_start")
_scalar_pow_backward_input = op_expr("scalar_pow_backward_input")
_scalar_pow_reversed_backward_exponent = op_expr("scalar_pow_reversed_backward_exponent")
_scalar_remainder_reversed_backward_other = op_expr("scalar_remainder_reversed_backward_other")
_scalar_special_xlog1py_backward_input = op_expr("scalar_special_xlog1py_backward_input")
_scalar_special_xlog1py_reversed_backward_other = op_expr("scalar_special_xlog1py_reversed_backward_other")
_scalar_special_zeta_reversed_backward_other = op_expr("scalar_special_zeta_reversed_backward_other")
_scalar_sub_reversed_backward_input = op_expr("scalar_sub_reversed_backward_input")
_scalar_x_log_y_backward_input = op_expr("scalar_x_log_y_backward_input")
_scalar_x_log_y_reversed_backward_other = op_expr("scalar_x_log_y_reversed_backward_other")
_selu_backward_x = op_expr("selu_backward_x")
_sigmoid_backward_x = op_expr("sigmoid_backward_x")
_sigmoid_gate_backward_a = op_expr("sigmoid_gate_backward_a")
_sigmoid_gate_backward_gate = op_expr("sigmoid_gate_backward_gate")
_silu_backward_x = op_expr("silu_backward_x")
_sin_backward_x = op_expr("sin_backward_x")
_sinc_backward_input = op_expr("sinc_backward_input")
_sinc_slope_backward_input = op_expr("sinc_slope_backward_input")
_sinh_backward_x = op_expr("sinh_backward_x")
_smooth_l1_distance_backward_input = op_expr("smooth_l1_distance_backward_input")
_smooth_l1_distance_backward_target = op_expr("smooth_l1_distance_backward_target")
_soft_margin_backward_input = op_expr("soft_margin_backward_input")
_soft_margin_backward_target = op_expr("soft_margin_backward_target")
_softplus_backward_x = op_expr("softplus_backward_x")
_softshrink_backward_x = op_expr("softshrink_backward_x")
_softsign_backward_x = op_expr("softsign_backward_x")
_special_entr_backward_input = op_expr("special_entr_backward_input")
_special_erfcx_backward_input = op_expr("special_erfcx_backward_input")
_special_erfcx_slope_backward_input = op_expr("special_erfcx_slope_backward_input")
_special_i0e_backward_input = op_expr("special_i0e_backward_input")
_special_i1_backward_input = op_expr("special_i1_backward_input")
_special_i1_slope_backward_input = op_expr("special_i1_slope_backward_input")
_special_i1e_backward_input = op_expr("special_i1e_backward_input")
_special_log_ndtr_backward_input = op_expr("special_log_ndtr_backward_input")
_special_ndtr_backward_input = op_expr("special_ndtr_backward_input")
_special_ndtri_backward_input = op_expr("special_ndtri_backward_input")
_special_xlog1py_backward_input = op_expr("special_xlog1py_backward_input")
_special_xlog1py_backward_other = op_expr("special_xlog1py_backward_other")
_special_zeta_backward_other = op_expr("special_zeta_backward_other")
_sqrt_backward_x = op_expr("sqrt_backward_x")
_square_backward_x = op_expr("square_backward_x")
_sub_scaled_backward_other = op_expr("sub_scaled_backward_other")
_tan_backward_x = op_expr("tan_backward_x")
_tanh_backward_x = op_expr("tanh_backward_x")
_threshold_backward_x = op_expr("threshold_backward_x")
_trigamma_backward_input = op_expr("trigamma_backward_input")
_weighted_binary_entropy_of_logits_backward_input = op_expr("weighted_binary_entropy_of_logits_backward_input")
_weighted_binary_entropy_of_logits_backward_pos_weight = op_expr("weighted_binary_entropy_of_logits_backward_pos_weight")
_weighted_binary_entropy_of_logits_backward_target = op_expr("weighted_binary_entropy_of_logits_backward_target")
_x_log_y_backward_input = op_expr("x_log_y_backward_input")
_x_log_y_backward_other = op_expr("x_log_y_backward_other")
_zero_power_im_backward_p = op_expr("zero_power_im_backward_p")
_zero_power_im_backward_q = op_expr("zero_power_im_backward_q")
_zero_power_im_backward_u = op_expr("zero_power_im_backward_u")
_zero_power_im_backward_v = op_expr("zero_power_im_backward_v")
_zero_power_re_backward_p = op_expr("zero_power_re_backward_p")
_zero_power_re_backward_q = op_expr("zero_power_re_backward_q")
_zero_power_re_backward_u = op_expr("zero_power_re_backward_u")
_zero_power_re_backward_v = op_expr("zero_power_re_backward_v")

def add_backward(node, dout):
    needs = node.needs
    dinput = dother = None
    if needs[0]:
        dinput = dout
    if needs[1]:
        dother = dout
    return (dinput, dother)

def add_scaled_backward(node, dout):
    alpha = node.dynamic[0]
    needs = node.needs
    dinput = dother = None
    if needs[0]:
        dinput = dout
    if needs[1]:
        dother = dout * alpha
    return (dinput, dother)

def scalar_add_backward(node, dout):
    return (dout,)

def scalar_add_reversed_backward(node, dout):
    alpha = node.dynamic[1]
    return (dout * alpha,)

def sub_backward(node, dout):
    needs = node.needs
    dinput = dother = None
    if needs[0]:
        dinput = dout
    if needs[1]:
        dother = -dout
    return (dinput, dother)

def sub_scaled_backward(node, dout):
    alpha = node.dynamic[0]
    needs = node.needs
    dinput = dother = None
    if needs[0]:
        dinput = dout
    if needs[1]:
        if is_grad_enabled():
            dother = -dout * alpha
        else:
            dother = dispatch_number(_sub_scaled_backward_other, dout, alpha)
    return (dinput, dother)

def scalar_sub_backward(node, dout):
    return (dout,)

def scalar_sub_reversed_backward(node, dout):
    alpha = node.dynamic[1]
    if is_grad_enabled():
        dinput = -dout * alpha
    else:
        dinput = dispatch_number(_scalar_sub_reversed_backward_input, dout, alpha)
    return (dinput,)

def mul_backward(node, dout):
    needs = node.needs
    dinput = dother = None
    if needs[0]:
        other = node.saved(1)
        dinput = dout * other
    if needs[1]:
        input = node.saved(0)
        dother = dout * input
    return (dinput, dother)

def scalar_mul_backward(node, dout):
    other = node.dynamic[0]
    return (dout * other,)

def div_backward(node, dout):
    needs = node.needs
    dinput = dother = None
    if needs[0]:
        other = node.saved(1)
        dinput = dout / other
    if needs[1]:
        input = node.saved(0)
        other = node.saved(1)
        if is_grad_enabled():
            dother = -dout * (input / other) / other
        else:
            dother = dispatch3(_div_backward_other, dout, input, other)
    return (dinput, dother)

def scalar_div_backward(node, dout):
    other = node.dynamic[0]
    return (dout / other,)

def scalar_div_reversed_backward(node, dout):
    input = node.dynamic[0]
    other = node.saved(0)
    if is_grad_enabled():
        dother = -dout * (input / other) / other
    else:
        dother = dispatch(_scalar_div_reversed_backward_other, (dout, other), (), (input,))
    return (dother,)

def pow_backward(node, dout):
    needs = node.needs
    dinput = dexponent = None
    if needs[0]:
        input = node.saved(0)
        exponent = node.saved(1)
        if is_grad_enabled():
            dinput = dout * _C.where(exponent == 0, 0, exponent * input ** (exponent - 1))
        else:
            dinput = dispatch3(_pow_backward_input, dout, input, exponent)
    if needs[1]:
        input = node.saved(0)
        exponent = node.saved(1)
        out = node.saved(2)
        if is_grad_enabled():
            dexponent = dout * _C.where((input == 0) & (exponent >= 0), 0, out * _C.log(input))
        else:
            dexponent = dispatch(_pow_backward_exponent, (dout, input, exponent, out))
    return (dinput, dexponent)

def scalar_pow_backward(node, dout):
    exponent = node.dynamic[0]
    input = node.saved(0)
    if is_grad_enabled():
        dinput = dout * (0 if exponent == 0 else exponent * input ** (exponent - 1))
    else:
        dinput = dispatch(_scalar_pow_backward_input, (dout, input), (), (exponent,))
    return (dinput,)

def scalar_pow_reversed_backward(node, dout):
    input = node.dynamic[0]
    exponent = node.saved(0)
    out = node.saved(1)
    if is_grad_enabled():
        dexponent = dout * _C.where((input == 0) & (exponent >= 0), 0, out * _C.log(input + 0 * exponent))
    else:
        dexponent = dispatch(_scalar_pow_reversed_backward_exponent, (dout, exponent, out), (), (input,))
    return (dexponent,)

def reciprocal_re_backward(node, dout):
    needs = node.needs
    du = dv = None
    if needs[0]:
        u = node.saved(0)
        v = node.saved(1)
        if is_grad_enabled():
            du = dout * (_C.square(_C.reciprocal_im(u, v)) - _C.square(_C.reciprocal_re(u, v)))
        else:
            du = dispatch3(_reciprocal_re_backward_u, dout, u, v)
    if needs[1]:
        u = node.saved(0)
        v = node.saved(1)
        if is_grad_enabled():
            dv = 2 * dout * _C.reciprocal_re(u, v) * _C.reciprocal_im(u, v)
        else:
            dv = dispatch3(_reciprocal_re_backward_v, dout, u, v)
    return (du, dv)

def reciprocal_im_backward(node, dout):
    needs = node.needs
    du = dv = None
    if needs[0]:
        u = node.saved(0)
        v = node.saved(1)
        if is_grad_enabled():
            du = -2 * dout * _C.reciprocal_re(u, v) * _C.reciprocal_im(u, v)
        else:
            du = dispatch3(_reciprocal_im_backward_u, dout, u, v)
    if needs[1]:
        u = node.saved(0)
        v = node.saved(1)
        if is_grad_enabled():
            dv = dout * (_C.square(_C.reciprocal_im(u, v)) - _C.square(_C.reciprocal_re(u, v)))
        else:
            dv = dispatch3(_reciprocal_im_backward_v, dout, u, v)
    return (du, dv)

def quotient_re_backward(node, dout):
    needs = node.needs
    dx = dy = du = dv = None
    if needs[0]:
        u = node.saved(2)
        v = node.saved(3)
        if is_grad_enabled():
            dx = dout * _C.reciprocal_re(u, v)
        else:
            dx = dispatch3(_quotient_re_backward_x, dout, u, v)
    if needs[1]:
        u = node.saved(2)
        v = node.saved(3)
        if is_grad_enabled():
            dy = -dout * _C.where((u == 0) & (v == 0), 0, _C.reciprocal_im(u, v))
        else:
            dy = dispatch3(_quotient_re_backward_y, dout, u, v)
    if needs[2]:
        x = node.saved(0)
        y = node.saved(1)
        u = node.saved(2)
        v = node.saved(3)
        if is_grad_enabled():
            du = dout * (_C.quotient_im(x, y, u, v) * _C.reciprocal_im(u, v) - _C.quotient_re(x, y, u, v) * _C.reciprocal_re(u,
                    v))
        else:
            du = dispatch(_quotient_re_backward_u, (dout, x, y, u, v))
    if needs[3]:
        x = node.saved(0)
        y = node.saved(1)
        u = node.saved(2)
        v = node.saved(3)
        if is_grad_enabled():
            dv = dout * (_C.quotient_re(x, y, u, v) * _C.reciprocal_im(u, v) + _C.quotient_im(x, y, u, v) * _C.reciprocal_re(u,
                    v))
        else:
            dv = dispatch(_quotient_re_backward_v, (dout, x, y, u, v))
    return (dx, dy, du, dv)

def quotient_im_backward(node, dout):
    needs = node.needs
    dx = dy = du = dv = None
    if needs[0]:
        u = node.saved(2)
        v = node.saved(3)
        if is_grad_enabled():
            dx = dout * _C.where((u == 0) & (v == 0), 0, _C.reciprocal_im(u, v))
        else:
            dx = dispatch3(_quotient_im_backward_x, dout, u, v)
    if needs[1]:
        u = node.saved(2)
        v = node.saved(3)
        if is_grad_enabled():
            dy = dout * _C.reciprocal_re(u, v)
        else:
            dy = dispatch3(_quotient_im_backward_y, dout, u, v)
    if needs[2]:
        x = node.saved(0)
        y = node.saved(1)
        u = node.saved(2)
        v = node.saved(3)
        if is_grad_enabled():
            du = -dout * (_C.quotient_re(x, y, u, v) * _C.reciprocal_im(u, v) + _C.quotient_im(x, y, u, v) * _C.reciprocal_re(u,
                    v))
        else:
            du = dispatch(_quotient_im_backward_u, (dout, x, y, u, v))
    if needs[3]:
        x = node.saved(0)
        y = node.saved(1)
        u = node.saved(2)
        v = node.saved(3)
        if is_grad_enabled():
            dv = dout * (_C.quotient_im(x, y, u, v) * _C.reciprocal_im(u, v) - _C.quotient_re(x, y, u, v) * _C.reciprocal_re(u,
                    v))
        else:
            dv = dispatch(_quotient_im_backward_v, (dout, x, y, u, v))
    return (dx, dy, du, dv)

def zero_power_re_backward(node, dout):
    needs = node.needs
    du = dv = dp = dq = None
    if needs[0]:
        u = node.saved(0)
        v = node.saved(1)
        p = node.saved(2)
        q = node.saved(3)
        if is_grad_enabled():
            du = dout * _C.where((p == 0) & (q == 0), 0, p * _C.zero_power_re(u, v, p - 1, q) - q * _C.zero_power_im(u, v, p - 1,
                    q))
        else:
            du = dispatch(_zero_power_re_backward_u, (dout, u, v, p, q))
    if needs[1]:
        u = node.saved(0)
        v = node.saved(1)
        p = node.saved(2)
        q = node.saved(3)
        if is_grad_enabled():
            dv = dout * _C.where((p == 0) & (q == 0), 0, -p * _C.zero_power_im(u, v, p - 1, q) - q * _C.zero_power_re(u, v, p - 1,
                    q))
        else:
            dv = dispatch(_zero_power_re_backward_v, (dout, u, v, p, q))
    if needs[2]:
        u = node.saved(0)
        v = node.saved(1)
        p = node.saved(2)
        q = node.saved(3)
        if is_grad_enabled():
            dp = dout * _C.where((q == 0) & (p >= 0), 0, _C.zero_power_im(u, v, 0 * p - 1, q))
        else:
            dp = dispatch(_zero_power_re_backward_p, (dout, u, v, p, q))
    if needs[3]:
        u = node.saved(0)
        v = node.saved(1)
        p = node.saved(2)
        q = node.saved(3)
        if is_grad_enabled():
            dq = dout * _C.where((q == 0) & (p >= 0), 0, _C.zero_power_im(u, v, 0 * p - 1, q))
        else:
            dq = dispatch(_zero_power_re_backward_q, (dout, u, v, p, q))
    return (du, dv, dp, dq)

def zero_power_im_backward(node, dout):
    needs = node.needs
    du = dv = dp = dq = None
    if needs[0]:
        u = node.saved(0)
        v = node.saved(1)
        p = node.saved(2)
        q = node.saved(3)
        if is_grad_enabled():
            du = dout * _C.where((p == 0) & (q == 0), 0, p * _C.zero_power_im(u, v, p - 1, q) + q * _C.zero_power_re(u, v, p - 1,
                    q))
        else:
            du = dispatch(_zero_power_im_backward_u, (dout, u, v, p, q))
    if needs[1]:
        u = node.saved(0)
        v = node.saved(1)
        p = node.saved(2)
        q = node.saved(3)
        if is_grad_enabled():
            dv = dout * _C.where((p == 0) & (q == 0), 0, p * _C.zero_power_re(u, v, p - 1, q) - q * _C.zero_power_im(u, v, p - 1,
                    q))
        else:
            dv = dispatch(_zero_power_im_backward_v, (dout, u, v, p, q))
    if needs[2]:
        u = node.saved(0)
        v = node.saved(1)
        p = node.saved(2)
        q = node.saved(3)
        if is_grad_enabled():
            dp = dout * _C.where((q == 0) & (p >= 0), 0, _C.zero_power_im(u, v, 0 * p - 1, q))
        else:
            dp = dispatch(_zero_power_im_backward_p, (dout, u, v, p, q))
    if needs[3]:
        u = node.saved(0)
        v = node.saved(1)
        p = node.saved(2)
        q = node.saved(3)
        if is_grad_enabled():
            dq = dout * _C.where((q == 0) & (p >= 0), 0, _C.zero_power_im(u, v, 0 * p - 1, q))
        else:
            dq = dispatch(_zero_power_im_backward_q, (dout, u, v, p, q))
    return (du, dv, dp, dq)

def where_backward(node, dout):
    needs = node.needs
    dx = dy = None
    if needs[1]:
        condition = node.saved(0)
        dx = _C.where(condition, dout, 0)
    if needs[2]:
        condition = node.saved(0)
        dy = _C.where(condition, 0, dout)
    return (None, dx, dy)

def where_scalar_x_backward(node, dout):
    needs = node.needs
    dy = None
    if needs[1]:
        condition = node.saved(0)
        dy = _C.where(condition, 0, dout)
    return (None, dy)

def where_scalar_y_backward(node, dout):
    needs = node.needs
    dx = None
    if needs[1]:
        condition = node.saved(0)
        dx = _C.where(condition, dout, 0)
    return (None, dx)

def maximum_backward(node, dout):
    needs = node.needs
    dinput = dother = None
    if needs[0]:
        input = node.saved(0)
        other = node.saved(1)
        if is_grad_enabled():
            dinput = _C.where(input == other, dout / 2, _C.where(input < other, 0, dout))
        else:
            dinput = dispatch3(_maximum_backward_input, dout, input, other)
    if needs[1]:
        input = node.saved(0)
        other = node.saved(1)
        if is_grad_enabled():
            dother = _C.where(input == other, dout / 2, _C.where(input > other, 0, dout))
        else:
            dother = dispatch3(_maximum_backward_other, dout, input, other)
    return (dinput, dother)

def minimum_backward(node, dout):
    needs = node.needs
    dinput = dother = None
    if needs[0]:
        input = node.saved(0)
        other = node.saved(1)
        if is_grad_enabled():
            dinput = _C.where(input == other, dout / 2, _C.where(input > other, 0, dout))
        else:
            dinput = dispatch3(_minimum_backward_input, dout, input, other)
    if needs[1]:
        input = node.saved(0)
        other = node.saved(1)
        if is_grad_enabled():
            dother = _C.where(input == other, dout / 2, _C.where(input < other, 0, dout))
        else:
            dother = dispatch3(_minimum_backward_other, dout, input, other)
    return (dinput, dother)

def fmax_backward(node, dout):
    needs = node.needs
    dinput = dother = None
    if needs[0]:
        input = node.saved(0)
        other = node.saved(1)
        if is_grad_enabled():
            dinput = _C.where((input >= other) | _C.isnan(other), dout, 0)
        else:
            dinput = dispatch3(_fmax_backward_input, dout, input, other)
    if needs[1]:
        input = node.saved(0)
        other = node.saved(1)
        if is_grad_enabled():
            dother = _C.where((input >= other) | _C.isnan(other), 0, dout)
        else:
            dother = dispatch3(_fmax_backward_other, dout, input, other)
    return (dinput, dother)

def fmin_backward(node, dout):
    needs = node.needs
    dinput = dother = None
    if needs[0]:
        input = node.saved(0)
        other = node.saved(1)
        if is_grad_enabled():
            dinput = _C.where((input <= other) | _C.isnan(other), dout, 0)
        else:
            dinput = dispatch3(_fmin_backward_input, dout, input, other)
    if needs[1]:
        input = node.saved(0)
        other = node.saved(1)
        if is_grad_enabled():
            dother = _C.where((input <= other) | _C.isnan(other), 0, dout)
        else:
            dother = dispatch3(_fmin_backward_other, dout, input, other)
    return (dinput, dother)

def fmod_backward(node, dout):
    needs = node.needs
    dinput = dother = None
    if needs[0]:
        dinput = dout
    if needs[1]:
        input = node.saved(0)
        other = node.saved(1)
        if is_grad_enabled():
            dother = -dout * _C.trunc(input / other)
        else:
            dother = dispatch3(_fmod_backward_other, dout, input, other)
    return (dinput, dother)

def scalar_fmod_backward(node, dout):
    return (dout,)

def remainder_backward(node, dout):
    needs = node.needs
    dinput = dother = None
    if needs[0]:
        dinput = dout
    if needs[1]:
        input = node.saved(0)
        other = node.saved(1)
        if is_grad_enabled():
            dother = -dout * _C.floor_divide(input, other)
        else:
            dother = dispatch3(_remainder_backward_other, dout, input, other)
    return (dinput, dother)

def scalar_remainder_backward(node, dout):
    return (dout,)

def scalar_remainder_reversed_backward(node, dout):
    input = node.dynamic[0]
    other = node.saved(0)
    if is_grad_enabled():
        dother = -dout * _C.floor_divide(input, other)
    else:
        dother = dispatch(_scalar_remainder_reversed_backward_other, (dout, other), (), (input,))
    return (dother,)

def floor_divide_backward(node, dout):
    needs = node.needs
    dinput = dother = None
    if needs[0]:
        dinput = _C.zeros_like(dout)
    if needs[1]:
        dother = _C.zeros_like(dout)
    return (dinput, dother)

def scalar_floor_divide_backward(node, dout):
    return (_C.zeros_like(dout),)

def scalar_floor_divide_reversed_backward(node, dout):
    return (_C.zeros_like(dout),)

def trunc_divide_backward(node, dout):
    needs = node.needs
    dinput = dother = None
    if needs[0]:
        dinput = _C.zeros_like(dout)
    if needs[1]:
        dother = _C.zeros_like(dout)
    return (dinput, dother)

def scalar_trunc_divide_backward(node, dout):
    return (_C.zeros_like(dout),)

def addcmul_backward(node, dout):
    value = node.dynamic[0]
    needs = node.needs
    dinput = dtensor1 = dtensor2 = None
    if needs[0]:
        dinput = dout
    if needs[1]:
        tensor2 = node.saved(1)
        if is_grad_enabled():
            dtensor1 = dout * tensor2 * value
        else:
            dtensor1 = dispatch(_addcmul_backward_tensor1, (dout, tensor2), (), (value,))
    if needs[2]:
        tensor1 = node.saved(0)
        if is_grad_enabled():
            dtensor2 = dout * tensor1 * value
        else:
            dtensor2 = dispatch(_addcmul_backward_tensor2, (dout, tensor1), (), (value,))
    return (dinput, dtensor1, dtensor2)

def addcdiv_backward(node, dout):
    value = node.dynamic[0]
    needs = node.needs
    dinput = dtensor1 = dtensor2 = None
    if needs[0]:
        dinput = dout
    if needs[1]:
        tensor2 = node.saved(1)
        if is_grad_enabled():
            dtensor1 = dout * value / tensor2
        else:
            dtensor1 = dispatch(_addcdiv_backward_tensor1, (dout, tensor2), (), (value,))
    if needs[2]:
        tensor1 = node.saved(0)
        tensor2 = node.saved(1)
        if is_grad_enabled():
            dtensor2 = -dout * value * tensor1 / (tensor2 * tensor2)
        else:
            dtensor2 = dispatch(_addcdiv_backward_tensor2, (dout, tensor1, tensor2), (), (value,))
    return (dinput, dtensor1, dtensor2)

def lerp_backward(node, dout):
    needs = node.needs
    dstart = dend = dweight = None
    if needs[0]:
        weight = node.saved(2)
        if is_grad_enabled():
            dstart = dout * (1 - weight)
        else:
            dstart = dispatch2(_lerp_backward_start, dout, weight)
    if needs[1]:
        weight = node.saved(2)
        dend = dout * weight
    if needs[2]:
        start = node.saved(0)
        end = node.saved(1)
        if is_grad_enabled():
            dweight = dout * (end - start)
        else:
            dweight = dispatch3(_lerp_backward_weight, dout, start, end)
    return (dstart, dend, dweight)

def scalar_lerp_backward(node, dout):
    weight = node.dynamic[0]
    needs = node.needs
    dstart = dend = None
    if needs[0]:
        if is_grad_enabled():
            dstart = dout * (1 - weight)
        else:
            dstart = dispatch_number(_scalar_lerp_backward_start, dout, weight)
    if needs[1]:
        dend = dout * weight
    return (dstart, dend)

def clamp_both_backward(node, dout):
    low = node.dynamic[0]
    high = node.dynamic[1]
    input = node.saved(0)
    if is_grad_enabled():
        dinput = _C.where((input >= low) & (input <= high), dout, 0)
    else:
        dinput = dispatch(_clamp_both_backward_input, (dout, input), (), (low, high))
    return (dinput,)

def clamp_low_backward(node, dout):
    low = node.dynamic[0]
    input = node.saved(0)
    if is_grad_enabled():
        dinput = _C.where(input >= low, dout, 0)
    else:
        dinput = dispatch(_clamp_low_backward_input, (dout, input), (), (low,))
    return (dinput,)

def clamp_high_backward(node, dout):
    high = node.dynamic[0]
    input = node.saved(0)
    if is_grad_enabled():
        dinput = _C.where(input <= high, dout, 0)
    else:
        dinput = dispatch(_clamp_high_backward_input, (dout, input), (), (high,))
    return (dinput,)

def clamp_tensors_backward(node, dout):
    needs = node.needs
    dinput = dlow = dhigh = None
    if needs[0]:
        input = node.saved(0)
        low = node.saved(1)
        high = node.saved(2)
        if is_grad_enabled():
            dinput = _C.where((input >= low) & (input <= high), dout, 0)
        else:
            dinput = dispatch(_clamp_tensors_backward_input, (dout, input, low, high))
    if needs[1]:
        input = node.saved(0)
        low = node.saved(1)
        high = node.saved(2)
        if is_grad_enabled():
            dlow = _C.where((input < low) & (low < high), dout, 0)
        else:
            dlow = dispatch(_clamp_tensors_backward_low, (dout, input, low, high))
    if needs[2]:
        input = node.saved(0)
        low = node.saved(1)
        high = node.saved(2)
        if is_grad_enabled():
            dhigh = _C.where((input > high) | (low > high), dout, 0)
        else:
            dhigh = dispatch(_clamp_tensors_backward_high, (dout, input, low, high))
    return (dinput, dlow, dhigh)

def clamp_low_tensor_backward(node, dout):
    needs = node.needs
    dinput = dlow = None
    if needs[0]:
        input = node.saved(0)
        low = node.saved(1)
        if is_grad_enabled():
            dinput = _C.where(input >= low, dout, 0)
        else:
            dinput = dispatch3(_clamp_low_tensor_backward_input, dout, input, low)
    if needs[1]:
        input = node.saved(0)
        low = node.saved(1)
        if is_grad_enabled():
            dlow = _C.where(input < low, dout, 0)
        else:
            dlow = dispatch3(_clamp_low_tensor_backward_low, dout, input, low)
    return (dinput, dlow)

def clamp_high_tensor_backward(node, dout):
    needs = node.needs
    dinput = dhigh = None
    if needs[0]:
        input = node.saved(0)
        high = node.saved(1)
        if is_grad_enabled():
            dinput = _C.where(input <= high, dout, 0)
        else:
            dinput = dispatch3(_clamp_high_tensor_backward_input, dout, input, high)
    if needs[1]:
        input = node.saved(0)
        high = node.saved(1)
        if is_grad_enabled():
            dhigh = _C.where(input > high, dout, 0)
        else:
            dhigh = dispatch3(_clamp_high_tensor_backward_high, dout, input, high)
    return (dinput, dhigh)

def atan2_backward(node, dout):
    needs = node.needs
    dinput = dother = None
    if needs[0]:
        input = node.saved(0)
        other = node.saved(1)
        if is_grad_enabled():
            dinput = dout * (other / _C.hypot(_C.where((input == 0) & (other == 0), 1, input), other)) / _C.hypot(_C.where((input
                    == 0) & (other == 0), 1, input), other)
        else:
            dinput = dispatch3(_atan2_backward_input, dout, input, other)
    if needs[1]:
        input = node.saved(0)
        other = node.saved(1)
        if is_grad_enabled():
            dother = -dout * (input / _C.hypot(_C.where((input == 0) & (other == 0), 1, input), other)) / _C.hypot(_C.where((input
                    == 0) & (other == 0), 1, input), other)
        else:
            dother = dispatch3(_atan2_backward_other, dout, input, other)
    return (dinput, dother)

def logaddexp_backward(node, dout):
    needs = node.needs
    dinput = dother = None
    if needs[0]:
        input = node.saved(0)
        other = node.saved(1)
        if is_grad_enabled():
            dinput = _C.where(_C.isneginf(_C.maximum(input, other)), 0, dout) * _C.logistic(_C.where(_C.isneginf(_C.maximum(input,
                    other)), 0, input - other))
        else:
            dinput = dispatch3(_logaddexp_backward_input, dout, input, other)
    if needs[1]:
        input = node.saved(0)
        other = node.saved(1)
        if is_grad_enabled():
            dother = _C.where(_C.isneginf(_C.maximum(input, other)), 0, dout) * _C.logistic(_C.where(_C.isneginf(_C.maximum(input,
                    other)), 0, other - input))
        else:
            dother = dispatch3(_logaddexp_backward_other, dout, input, other)
    return (dinput, dother)

def logaddexp2_backward(node, dout):
    needs = node.needs
    dinput = dother = None
    if needs[0]:
        input = node.saved(0)
        other = node.saved(1)
        if is_grad_enabled():
            dinput = _C.where(_C.isneginf(_C.maximum(input, other)), 0, dout) * _C.logistic(_C.where(_C.isneginf(_C.maximum(input,
                    other)), 0, (input - other) * 0.6931471805599453))
        else:
            dinput = dispatch3(_logaddexp2_backward_input, dout, input, other)
    if needs[1]:
        input = node.saved(0)
        other = node.saved(1)
        if is_grad_enabled():
            dother = _C.where(_C.isneginf(_C.maximum(input, other)), 0, dout) * _C.logistic(_C.where(_C.isneginf(_C.maximum(input,
                    other)), 0, (other - input) * 0.6931471805599453))
        else:
            dother = dispatch3(_logaddexp2_backward_other, dout, input, other)
    return (dinput, dother)

def hypot_backward(node, dout):
    needs = node.needs
    dinput = dother = None
    if needs[0]:
        input = node.saved(0)
        out = node.saved(2)
        if is_grad_enabled():
            dinput = dout * (input / out)
        else:
            dinput = dispatch3(_hypot_backward_input, dout, input, out)
    if needs[1]:
        other = node.saved(1)
        out = node.saved(2)
        if is_grad_enabled():
            dother = dout * (other / out)
        else:
            dother = dispatch3(_hypot_backward_other, dout, other, out)
    return (dinput, dother)

def copy_sign_backward(node, dout):
    needs = node.needs
    dinput = dother = None
    if needs[0]:
        input = node.saved(0)
        out = node.saved(1)
        if is_grad_enabled():
            dinput = dout * _C.sign(input) * _C.sign(out)
        else:
            dinput = dispatch3(_copy_sign_backward_input, dout, input, out)
    if needs[1]:
        dother = _C.zeros_like(dout)
    return (dinput, dother)

def scalar_copy_sign_backward(node, dout):
    input = node.saved(0)
    out = node.saved(1)
    if is_grad_enabled():
        dinput = dout * _C.sign(input) * _C.sign(out)
    else:
        dinput = dispatch3(_scalar_copy_sign_backward_input, dout, input, out)
    return (dinput,)

def next_after_backward(node, dout):
    needs = node.needs
    dinput = dother = None
    if needs[0]:
        input = node.saved(0)
        other = node.saved(1)
        if is_grad_enabled():
            dinput = _C.where(input == other, 0, dout)
        else:
            dinput = dispatch3(_next_after_backward_input, dout, input, other)
    if needs[1]:
        input = node.saved(0)
        other = node.saved(1)
        if is_grad_enabled():
            dother = _C.where(input == other, dout, 0)
        else:
            dother = dispatch3(_next_after_backward_other, dout, input, other)
    return (dinput, dother)

def next_after_float16_backward(node, dout):
    needs = node.needs
    dinput = dother = None
    if needs[0]:
        input = node.saved(0)
        other = node.saved(1)
        if is_grad_enabled():
            dinput = _C.where(input == other, 0, dout)
        else:
            dinput = dispatch3(_next_after_float16_backward_input, dout, input, other)
    if needs[1]:
        input = node.saved(0)
        other = node.saved(1)
        if is_grad_enabled():
            dother = _C.where(input == other, dout, 0)
        else:
            dother = dispatch3(_next_after_float16_backward_other, dout, input, other)
    return (dinput, dother)

def next_after_bfloat16_backward(node, dout):
    needs = node.needs
    dinput = dother = None
    if needs[0]:
        input = node.saved(0)
        other = node.saved(1)
        if is_grad_enabled():
            dinput = _C.where(input == other, 0, dout)
        else:
            dinput = dispatch3(_next_after_bfloat16_backward_input, dout, input, other)
    if needs[1]:
        input = node.saved(0)
        other = node.saved(1)
        if is_grad_enabled():
            dother = _C.where(input == other, dout, 0)
        else:
            dother = dispatch3(_next_after_bfloat16_backward_other, dout, input, other)
    return (dinput, dother)

def x_log_y_backward(node, dout):
    needs = node.needs
    dinput = dother = None
    if needs[0]:
        input = node.saved(0)
        other = node.saved(1)
        if is_grad_enabled():
            dinput = _C.where((input == 0) & (other <= 0), 0, _C.xlogy(dout, other))
        else:
            dinput = dispatch3(_x_log_y_backward_input, dout, input, other)
    if needs[1]:
        input = node.saved(0)
        other = node.saved(1)
        if is_grad_enabled():
            dother = dout * input / other
        else:
            dother = dispatch3(_x_log_y_backward_other, dout, input, other)
    return (dinput, dother)

def scalar_x_log_y_backward(node, dout):
    other = node.dynamic[0]
    input = node.saved(0)
    if is_grad_enabled():
        dinput = _C.where((input == 0) & (other <= 0), 0, _C.xlogy(dout, other))
    else:
        dinput = dispatch(_scalar_x_log_y_backward_input, (dout, input), (), (other,))
    return (dinput,)

def scalar_x_log_y_reversed_backward(node, dout):
    input = node.dynamic[0]
    other = node.saved(0)
    if is_grad_enabled():
        dother = dout * input / other
    else:
        dother = dispatch(_scalar_x_log_y_reversed_backward_other, (dout, other), (), (input,))
    return (dother,)

def fake_quantize_backward(node, dout):
    quant_min = node.dynamic[0]
    quant_max = node.dynamic[1]
    needs = node.needs
    dinput = None
    if needs[0]:
        input = node.saved(0)
        scale = node.saved(1)
        zero_point = node.saved(2)
        if is_grad_enabled():
            dinput = _C.where(_C.round(input * (1 / scale)) + zero_point < quant_min, 0, _C.where(_C.round(input * (1 / scale)) +
                    zero_point > quant_max, 0, dout))
        else:
            dinput = dispatch(_fake_quantize_backward_input, (dout, input, scale, zero_point), (), (quant_min, quant_max))
    return (dinput, None, None)

def exp_backward(node, dy):
    y = node.saved(0)
    return (dy * y,)

def exp2_backward(node, dy):
    y = node.saved(0)
    if is_grad_enabled():
        dx = dy * y * 0.6931471805599453
    else:
        dx = dispatch2(_exp2_backward_x, dy, y)
    return (dx,)

def expm1_backward(node, dy):
    y = node.saved(0)
    if is_grad_enabled():
        dx = dy * (y + 1)
    else:
        dx = dispatch2(_expm1_backward_x, dy, y)
    return (dx,)

def log_backward(node, dy):
    x = node.saved(0)
    return (dy / x,)

def log2_backward(node, dy):
    x = node.saved(0)
    if is_grad_enabled():
        dx = dy / (x * 0.6931471805599453)
    else:
        dx = dispatch2(_log2_backward_x, dy, x)
    return (dx,)

def log10_backward(node, dy):
    x = node.saved(0)
    if is_grad_enabled():
        dx = dy / (x * 2.302585092994046)
    else:
        dx = dispatch2(_log10_backward_x, dy, x)
    return (dx,)

def log1p_backward(node, dy):
    x = node.saved(0)
    if is_grad_enabled():
        dx = dy / (x + 1)
    else:
        dx = dispatch2(_log1p_backward_x, dy, x)
    return (dx,)

def sin_backward(node, dy):
    x = node.saved(0)
    if is_grad_enabled():
        dx = dy * _C.cos(x)
    else:
        dx = dispatch2(_sin_backward_x, dy, x)
    return (dx,)

def cos_backward(node, dy):
    x = node.saved(0)
    if is_grad_enabled():
        dx = -dy * _C.sin(x)
    else:
        dx = dispatch2(_cos_backward_x, dy, x)
    return (dx,)

def tan_backward(node, dy):
    y = node.saved(0)
    if is_grad_enabled():
        dx = dy * (1 + y * y)
    else:
        dx = dispatch2(_tan_backward_x, dy, y)
    return (dx,)

def sinh_backward(node, dy):
    x = node.saved(0)
    if is_grad_enabled():
        dx = dy * _C.cosh(x)
    else:
        dx = dispatch2(_sinh_backward_x, dy, x)
    return (dx,)

def cosh_backward(node, dy):
    x = node.saved(0)
    if is_grad_enabled():
        dx = dy * _C.sinh(x)
    else:
        dx = dispatch2(_cosh_backward_x, dy, x)
    return (dx,)

def sqrt_backward(node, dy):
    y = node.saved(0)
    if is_grad_enabled():
        dx = dy / (2 * y)
    else:
        dx = dispatch2(_sqrt_backward_x, dy, y)
    return (dx,)

def rsqrt_backward(node, dy):
    y = node.saved(0)
    if is_grad_enabled():
        dx = -0.5 * dy * y * y * y
    else:
        dx = dispatch2(_rsqrt_backward_x, dy, y)
    return (dx,)

def reciprocal_backward(node, dy):
    y = node.saved(0)
    if is_grad_enabled():
        dx = -dy * y * y
    else:
        dx = dispatch2(_reciprocal_backward_x, dy, y)
    return (dx,)

def erf_backward(node, dy):
    x = node.saved(0)
    if is_grad_enabled():
        dx = dy * 1.1283791670955126 * _C.exp(-x * x)
    else:
        dx = dispatch2(_erf_backward_x, dy, x)
    return (dx,)

def erfinv_backward(node, dy):
    x = node.saved(0)
    if is_grad_enabled():
        dx = dy * 0.886226925452758 * _C.exp(_C.square(_C.erfinv(x)))
    else:
        dx = dispatch2(_erfinv_backward_x, dy, x)
    return (dx,)

def negative_backward(node, dy):
    return (-dy,)

def abs_backward(node, dy):
    x = node.saved(0)
    if is_grad_enabled():
        dx = dy * _C.sign(x)
    else:
        dx = dispatch2(_abs_backward_x, dy, x)
    return (dx,)

def sign_backward(node, dy):
    return (_C.zeros_like(dy),)

def square_backward(node, dy):
    x = node.saved(0)
    if is_grad_enabled():
        dx = 2 * dy * x
    else:
        dx = dispatch2(_square_backward_x, dy, x)
    return (dx,)

def floor_backward(node, dy):
    return (_C.zeros_like(dy),)

def ceil_backward(node, dy):
    return (_C.zeros_like(dy),)

def trunc_backward(node, dy):
    return (_C.zeros_like(dy),)

def frac_backward(node, dy):
    return (dy,)

def round_backward(node, dy):
    return (_C.zeros_like(dy),)

def round_to_parts_backward(node, dout):
    return (_C.zeros_like(dout),)

def round_to_multiples_backward(node, dout):
    return (_C.zeros_like(dout),)

def acos_backward(node, dout):
    input = node.saved(0)
    if is_grad_enabled():
        dinput = -dout * _C.rsqrt(1 - input * input)
    else:
        dinput = dispatch2(_acos_backward_input, dout, input)
    return (dinput,)

def asin_backward(node, dout):
    input = node.saved(0)
    if is_grad_enabled():
        dinput = dout * _C.rsqrt(1 - input * input)
    else:
        dinput = dispatch2(_asin_backward_input, dout, input)
    return (dinput,)

def atan_backward(node, dout):
    input = node.saved(0)
    if is_grad_enabled():
        dinput = dout / (input * input + 1)
    else:
        dinput = dispatch2(_atan_backward_input, dout, input)
    return (dinput,)

def acosh_backward(node, dout):
    input = node.saved(0)
    if is_grad_enabled():
        dinput = dout * _C.rsqrt(_C.abs(input) - 1) * _C.rsqrt(_C.abs(input) + 1)
    else:
        dinput = dispatch2(_acosh_backward_input, dout, input)
    return (dinput,)

def asinh_backward(node, dout):
    input = node.saved(0)
    if is_grad_enabled():
        dinput = _C.where(_C.abs(input) > 1000000000.0, dout / _C.where(input == 0, 1, _C.abs(input)), dout * _C.rsqrt(input *
                input + 1))
    else:
        dinput = dispatch2(_asinh_backward_input, dout, input)
    return (dinput,)

def atanh_backward(node, dout):
    input = node.saved(0)
    if is_grad_enabled():
        dinput = dout / (1 - input * input)
    else:
        dinput = dispatch2(_atanh_backward_input, dout, input)
    return (dinput,)

def sinc_backward(node, dout):
    input = node.saved(0)
    if is_grad_enabled():
        dinput = dout * _C.sinc_slope(input)
    else:
        dinput = dispatch2(_sinc_backward_input, dout, input)
    return (dinput,)

def sinc_slope_backward(node, dout):
    input = node.saved(0)
    if is_grad_enabled():
        dinput = dout * _C.where(input == 0, -3.289868133696453, -9.869604401089358 * _C.sinc(input) - 2 * _C.sinc_slope(input) /
                _C.where(input == 0, 1, input))
    else:
        dinput = dispatch2(_sinc_slope_backward_input, dout, input)
    return (dinput,)

def erfc_backward(node, dout):
    input = node.saved(0)
    if is_grad_enabled():
        dinput = dout * -1.1283791670955126 * _C.exp(-input * input)
    else:
        dinput = dispatch2(_erfc_backward_input, dout, input)
    return (dinput,)

def logit_backward(node, dout):
    input = node.saved(0)
    if is_grad_enabled():
        dinput = dout / _C.square(_C.sqrt(input * (1 - input)))
    else:
        dinput = dispatch2(_logit_backward_input, dout, input)
    return (dinput,)

def logit_clamped_backward(node, dout):
    eps = node.dynamic[0]
    input = node.saved(0)
    if is_grad_enabled():
        dinput = _C.where((input < eps) | (input > 1 - eps), 0, dout / (input * (1 - input)))
    else:
        dinput = dispatch(_logit_clamped_backward_input, (dout, input), (), (eps,))
    return (dinput,)

def nan_to_num_backward(node, dout):
    input = node.saved(0)
    if is_grad_enabled():
        dinput = _C.where(_C.isfinite(input), dout, 0)
    else:
        dinput = dispatch2(_nan_to_num_backward_input, dout, input)
    return (dinput,)

def angle_backward(node, dout):
    return (_C.zeros_like(dout),)

def deg2rad_backward(node, dout):
    return (dout * 0.017453292519943295,)

def rad2deg_backward(node, dout):
    return (dout * 57.29577951308232,)

def frexp_mantissa_backward(node, dout):
    input = node.saved(0)
    return (dout * _C.exp2(-_C.frexp_exponent(input)),)

def lgamma_backward(node, dout):
    input = node.saved(0)
    if is_grad_enabled():
        dinput = dout * _C.digamma(input)
    else:
        dinput = dispatch2(_lgamma_backward_input, dout, input)
    return (dinput,)

def digamma_backward(node, dout):
    input = node.saved(0)
    if is_grad_enabled():
        dinput = dout * _C.trigamma(input)
    else:
        dinput = dispatch2(_digamma_backward_input, dout, input)
    return (dinput,)

def trigamma_backward(node, dout):
    input = node.saved(0)
    if is_grad_enabled():
        dinput = dout * _C.polygamma_of(input, 2)
    else:
        dinput = dispatch2(_trigamma_backward_input, dout, input)
    return (dinput,)

def poly_gamma_backward(node, dout):
    n = node.dynamic[0]
    input = node.saved(0)
    if is_grad_enabled():
        dinput = dout * _C.polygamma_of(input, n + 1)
    else:
        dinput = dispatch(_poly_gamma_backward_input, (dout, input), (), (n,))
    return (dinput,)

def special_xlog1py_backward(node, dout):
    needs = node.needs
    dinput = dother = None
    if needs[0]:
        input = node.saved(0)
        other = node.saved(1)
        if is_grad_enabled():
            dinput = _C.where((input == 0) & (other <= -1), 0, _C.special_xlog1py(dout, other))
        else:
            dinput = dispatch3(_special_xlog1py_backward_input, dout, input, other)
    if needs[1]:
        input = node.saved(0)
        other = node.saved(1)
        if is_grad_enabled():
            dother = dout * input / (other + 1)
        else:
            dother = dispatch3(_special_xlog1py_backward_other, dout, input, other)
    return (dinput, dother)

def scalar_special_xlog1py_backward(node, dout):
    other = node.dynamic[0]
    input = node.saved(0)
    if is_grad_enabled():
        dinput = _C.where((input == 0) & (other <= -1), 0, _C.special_xlog1py(dout, other))
    else:
        dinput = dispatch(_scalar_special_xlog1py_backward_input, (dout, input), (), (other,))
    return (dinput,)

def scalar_special_xlog1py_reversed_backward(node, dout):
    input = node.dynamic[0]
    other = node.saved(0)
    if is_grad_enabled():
        dother = dout * input / (other + 1)
    else:
        dother = dispatch(_scalar_special_xlog1py_reversed_backward_other, (dout, other), (), (input,))
    return (dother,)

def special_zeta_backward(node, dout):
    needs = node.needs
    dinput = dother = None
    if needs[0]:
        dinput = _C.missing_derivative(dout, 'special_zeta: self')
    if needs[1]:
        input = node.saved(0)
        other = node.saved(1)
        if is_grad_enabled():
            dother = dout * -input * _C.special_zeta(input + 1, other)
        else:
            dother = dispatch3(_special_zeta_backward_other, dout, input, other)
    return (dinput, dother)

def scalar_special_zeta_backward(node, dout):
    return (_C.missing_derivative(dout, 'special_zeta: self'),)

def scalar_special_zeta_reversed_backward(node, dout):
    input = node.dynamic[0]
    other = node.saved(0)
    if is_grad_enabled():
        dother = dout * -input * _C.special_zeta(input + 1, other)
    else:
        dother = dispatch(_scalar_special_zeta_reversed_backward_other, (dout, other), (), (input,))
    return (dother,)

def igamma_backward(node, dout):
    needs = node.needs
    dinput = dother = None
    if needs[0]:
        dinput = _C.missing_derivative(dout, 'igamma: input')
    if needs[1]:
        input = node.saved(0)
        other = node.saved(1)
        if is_grad_enabled():
            dother = dout * _C.exp((input - 1) * _C.log(other) - other - _C.lgamma(input))
        else:
            dother = dispatch3(_igamma_backward_other, dout, input, other)
    return (dinput, dother)

def igammac_backward(node, dout):
    needs = node.needs
    dinput = dother = None
    if needs[0]:
        dinput = _C.missing_derivative(dout, 'igammac: input')
    if needs[1]:
        input = node.saved(0)
        other = node.saved(1)
        if is_grad_enabled():
            dother = -dout * _C.exp((input - 1) * _C.log(other) - other - _C.lgamma(input))
        else:
            dother = dispatch3(_igammac_backward_other, dout, input, other)
    return (dinput, dother)

def i0_backward(node, dout):
    input = node.saved(0)
    if is_grad_enabled():
        dinput = dout * _C.special_i1(input)
    else:
        dinput = dispatch2(_i0_backward_input, dout, input)
    return (dinput,)

def special_i0e_backward(node, dout):
    input = node.saved(0)
    if is_grad_enabled():
        dinput = dout * _C.special_i0e_slope(input)
    else:
        dinput = dispatch2(_special_i0e_backward_input, dout, input)
    return (dinput,)

def special_i0e_slope_backward(node, dout):
    input = node.saved(0)
    return (dout * (_C.special_i1e_slope(input) - _C.sgn(input) * _C.special_i0e_slope(input)),)

def special_i1_backward(node, dout):
    input = node.saved(0)
    if is_grad_enabled():
        dinput = dout * _C.special_i1_slope(input)
    else:
        dinput = dispatch2(_special_i1_backward_input, dout, input)
    return (dinput,)

def special_i1_slope_backward(node, dout):
    input = node.saved(0)
    if is_grad_enabled():
        dinput = dout * _C.where(input == 0, 0, _C.special_i1(input) + (_C.special_i1(input) / _C.where(input == 0, 1, input) -
                _C.special_i1_slope(input)) / _C.where(input == 0, 1, input))
    else:
        dinput = dispatch2(_special_i1_slope_backward_input, dout, input)
    return (dinput,)

def special_i1e_backward(node, dout):
    input = node.saved(0)
    if is_grad_enabled():
        dinput = dout * _C.special_i1e_slope(input)
    else:
        dinput = dispatch2(_special_i1e_backward_input, dout, input)
    return (dinput,)

def special_i1e_slope_backward(node, dout):
    input = node.saved(0)
    return (dout * (_C.special_i0e_slope(input) - _C.sgn(input) * _C.special_i1e_slope(input) + _C.where(input == 0, 0,
            (_C.special_i1e(input) / _C.where(input == 0, 1, input) - _C.special_i1e_slope(input)) / _C.where(input == 0, 1,
            input))),)

def special_entr_backward(node, dout):
    input = node.saved(0)
    if is_grad_enabled():
        dinput = dout * -(1 + _C.log(input))
    else:
        dinput = dispatch2(_special_entr_backward_input, dout, input)
    return (dinput,)

def special_erfcx_backward(node, dout):
    input = node.saved(0)
    if is_grad_enabled():
        dinput = dout * _C.special_erfcx_slope(input)
    else:
        dinput = dispatch2(_special_erfcx_backward_input, dout, input)
    return (dinput,)

def special_erfcx_slope_backward(node, dout):
    input = node.saved(0)
    if is_grad_enabled():
        dinput = dout * 2 * (_C.special_erfcx(input) + input * _C.special_erfcx_slope(input))
    else:
        dinput = dispatch2(_special_erfcx_slope_backward_input, dout, input)
    return (dinput,)

def normal_cdf_backward(node, dout):
    input = node.saved(0)
    if is_grad_enabled():
        dinput = dout * 0.3989422804014327 * _C.exp(-0.5 * input * input)
    else:
        dinput = dispatch2(_normal_cdf_backward_input, dout, input)
    return (dinput,)

def special_ndtr_backward(node, dout):
    input = node.saved(0)
    if is_grad_enabled():
        dinput = dout * 0.3989422804014327 * _C.exp(-0.5 * input * input)
    else:
        dinput = dispatch2(_special_ndtr_backward_input, dout, input)
    return (dinput,)

def special_ndtri_backward(node, dout):
    out = node.saved(0)
    if is_grad_enabled():
        dinput = dout * 2.5066282746310002 * _C.exp(0.5 * out * out)
    else:
        dinput = dispatch2(_special_ndtri_backward_input, dout, out)
    return (dinput,)

def inverse_mills_ratio_backward(node, dy):
    x = node.saved(0)
    y = node.saved(1)
    if is_grad_enabled():
        dx = -dy * y * (x + y)
    else:
        dx = dispatch3(_inverse_mills_ratio_backward_x, dy, x, y)
    return (dx,)

def special_log_ndtr_backward(node, dout):
    input = node.saved(0)
    if is_grad_enabled():
        dinput = dout * _C.inverse_mills_ratio(input)
    else:
        dinput = dispatch2(_special_log_ndtr_backward_input, dout, input)
    return (dinput,)

def tanh_backward(node, dy):
    y = node.saved(0)
    if is_grad_enabled():
        dx = dy * (1 - y * y)
    else:
        dx = dispatch2(_tanh_backward_x, dy, y)
    return (dx,)

def sigmoid_backward(node, dy):
    y = node.saved(0)
    if is_grad_enabled():
        dx = dy * y * (1 - y)
    else:
        dx = dispatch2(_sigmoid_backward_x, dy, y)
    return (dx,)

def logistic_backward(node, dy):
    x = node.saved(0)
    if is_grad_enabled():
        dx = dy * _C.logistic(x) * _C.logistic(-x)
    else:
        dx = dispatch2(_logistic_backward_x, dy, x)
    return (dx,)

def mish_gate_backward(node, dy):
    x = node.saved(0)
    if is_grad_enabled():
        dx = dy * 4 * _C.logistic(x) * _C.square(_C.logistic(-x) / (1 + _C.square(_C.logistic(-x))))
    else:
        dx = dispatch2(_mish_gate_backward_x, dy, x)
    return (dx,)

def logsigmoid_backward(node, dy):
    x = node.saved(0)
    if is_grad_enabled():
        dx = dy * _C.logistic(-x)
    else:
        dx = dispatch2(_logsigmoid_backward_x, dy, x)
    return (dx,)

def relu_backward(node, dy):
    y = node.saved(0)
    if is_grad_enabled():
        dx = _C.where(y <= 0, 0, dy)
    else:
        dx = dispatch2(_relu_backward_x, dy, y)
    return (dx,)

def leaky_relu_backward(node, dy):
    alpha = node.dynamic[0]
    x = node.saved(0)
    if is_grad_enabled():
        dx = _C.where(x > 0, dy, dy * alpha)
    else:
        dx = dispatch(_leaky_relu_backward_x, (dy, x), (), (alpha,))
    return (dx,)

def elu_backward(node, dy):
    alpha = node.dynamic[0]
    x = node.saved(0)
    if is_grad_enabled():
        dx = _C.where(x <= 0, dy * (alpha * _C.exp(_C.where(x < 0, x, 0))), dy)
    else:
        dx = dispatch(_elu_backward_x, (dy, x), (), (alpha,))
    return (dx,)

def celu_backward(node, dy):
    alpha = node.dynamic[0]
    x = node.saved(0)
    if is_grad_enabled():
        dx = _C.where(x <= 0, dy * _C.exp(_C.where(x < 0, x, 0) / alpha), dy)
    else:
        dx = dispatch(_celu_backward_x, (dy, x), (), (alpha,))
    return (dx,)

def selu_backward(node, dy):
    x = node.saved(0)
    if is_grad_enabled():
        dx = _C.where(x <= 0, dy * (1.7580993408473766 * _C.exp(_C.where(x < 0, x, 0))), dy * 1.0507009873554805)
    else:
        dx = dispatch2(_selu_backward_x, dy, x)
    return (dx,)

def softplus_backward(node, dy):
    beta = node.dynamic[0]
    threshold = node.dynamic[1]
    x = node.saved(0)
    if is_grad_enabled():
        dx = _C.where(x * beta > threshold, dy, dy * _C.logistic(x * beta))
    else:
        dx = dispatch(_softplus_backward_x, (dy, x), (), (beta, threshold))
    return (dx,)

def softsign_backward(node, dy):
    x = node.saved(0)
    if is_grad_enabled():
        dx = dy / ((1 + _C.abs(x)) * (1 + _C.abs(x)))
    else:
        dx = dispatch2(_softsign_backward_x, dy, x)
    return (dx,)

def silu_backward(node, dy):
    x = node.saved(0)
    if is_grad_enabled():
        dx = dy * _C.logistic(x) * (1 + x * _C.logistic(-x))
    else:
        dx = dispatch2(_silu_backward_x, dy, x)
    return (dx,)

def mish_backward(node, dy):
    x = node.saved(0)
    if is_grad_enabled():
        dx = dy * (_C.mish_gate(x) + 4 * x * _C.logistic(x) * _C.square(_C.logistic(-x) / (1 + _C.square(_C.logistic(-x)))))
    else:
        dx = dispatch2(_mish_backward_x, dy, x)
    return (dx,)

def hardsigmoid_backward(node, dy):
    x = node.saved(0)
    if is_grad_enabled():
        dx = _C.where((x > -3) & (x < 3), dy / 6, 0)
    else:
        dx = dispatch2(_hardsigmoid_backward_x, dy, x)
    return (dx,)

def hardswish_backward(node, dy):
    x = node.saved(0)
    if is_grad_enabled():
        dx = _C.where(x <= -3, 0, _C.where(x < 3, dy * (x / 3 + 0.5), dy))
    else:
        dx = dispatch2(_hardswish_backward_x, dy, x)
    return (dx,)

def hardtanh_backward(node, dy):
    min_val = node.dynamic[0]
    max_val = node.dynamic[1]
    x = node.saved(0)
    if is_grad_enabled():
        dx = _C.where((x <= min_val) | (x >= max_val), 0, dy)
    else:
        dx = dispatch(_hardtanh_backward_x, (dy, x), (), (min_val, max_val))
    return (dx,)

def threshold_backward(node, dy):
    threshold = node.dynamic[0]
    x = node.saved(0)
    if is_grad_enabled():
        dx = _C.where(x <= threshold, 0, dy)
    else:
        dx = dispatch(_threshold_backward_x, (dy, x), (), (threshold,))
    return (dx,)

def hardshrink_backward(node, dy):
    lambd = node.dynamic[0]
    x = node.saved(0)
    if is_grad_enabled():
        dx = _C.where((x >= -lambd) & (x <= lambd), 0, dy)
    else:
        dx = dispatch(_hardshrink_backward_x, (dy, x), (), (lambd,))
    return (dx,)

def softshrink_backward(node, dy):
    lambd = node.dynamic[0]
    x = node.saved(0)
    if is_grad_enabled():
        dx = _C.where((x >= -lambd) & (x <= lambd), 0, dy)
    else:
        dx = dispatch(_softshrink_backward_x, (dy, x), (), (lambd,))
    return (dx,)

def quick_gelu_backward(node, dy):
    x = node.saved(0)
    if is_grad_enabled():
        dx = dy * _C.logistic(1.702 * x) * (1 + 1.702 * x * _C.logistic(-1.702 * x))
    else:
        dx = dispatch2(_quick_gelu_backward_x, dy, x)
    return (dx,)

def gelu_exact_backward(node, dy):
    x = node.saved(0)
    if is_grad_enabled():
        dx = dy * (_C.normal_cdf(x) + x * 0.3989422804014327 * _C.exp(-0.5 * x * x))
    else:
        dx = dispatch2(_gelu_exact_backward_x, dy, x)
    return (dx,)

def gelu_by_tanh_backward(node, dy):
    x = node.saved(0)
    if is_grad_enabled():
        dx = dy * _C.logistic(1.5957691216057308 * (x + 0.044715 * x * x * x)) * (1 + x * _C.logistic(-1.5957691216057308 * (x +
                0.044715 * x * x * x)) * (1.5957691216057308 + 0.21406444881780073 * x * x))
    else:
        dx = dispatch2(_gelu_by_tanh_backward_x, dy, x)
    return (dx,)

def sigmoid_gate_backward(node, dout):
    needs = node.needs
    da = dgate = None
    if needs[0]:
        gate = node.saved(1)
        if is_grad_enabled():
            da = dout * _C.sigmoid(gate)
        else:
            da = dispatch2(_sigmoid_gate_backward_a, dout, gate)
    if needs[1]:
        a = node.saved(0)
        gate = node.saved(1)
        if is_grad_enabled():
            dgate = dout * a * (_C.sigmoid(gate) * _C.sigmoid(-gate))
        else:
            dgate = dispatch3(_sigmoid_gate_backward_gate, dout, a, gate)
    return (da, dgate)

def gated_by_silu_backward(node, dout):
    needs = node.needs
    dx = dy = None
    if needs[0] or needs[1]:
        x = node.saved(0)
        y = node.saved(1)
        dx, dy = _C.gated_gradients(dout, x, y, 'silu')
    return (dx, dy)

def gated_by_gelu_backward(node, dout):
    needs = node.needs
    dx = dy = None
    if needs[0] or needs[1]:
        x = node.saved(0)
        y = node.saved(1)
        dx, dy = _C.gated_gradients(dout, x, y, 'gelu')
    return (dx, dy)

def gated_by_gelu_tanh_backward(node, dout):
    needs = node.needs
    dx = dy = None
    if needs[0] or needs[1]:
        x = node.saved(0)
        y = node.saved(1)
        dx, dy = _C.gated_gradients(dout, x, y, 'gelu_tanh')
    return (dx, dy)

def sum_backward(node, dout):
    dim = node.attrs[0]
    keepdim = node.attrs[1]
    return (_C.cast(_C.expand_reduced(dout, node.metas[0].shape, dim, keepdim), node.metas[0].dtype),)

def nansum_backward(node, dout):
    dim = node.attrs[0]
    keepdim = node.attrs[1]
    input = node.saved(0)
    return (_C.cast(_C.expand_reduced(dout, node.metas[0].shape, dim, keepdim), node.metas[0].dtype) *
            _C.cast(_C.logical_not(_C.isnan(input)), node.metas[0].dtype),)

def mean_backward(node, dout):
    dim = node.attrs[0]
    keepdim = node.attrs[1]
    return (_C.cast(_C.mean_grad(dout, node.metas[0].shape, dim, keepdim), node.metas[0].dtype),)

def prod_backward(node, dout):
    dim = node.attrs[0]
    keepdim = node.attrs[1]
    input = node.saved(0)
    out = node.saved(1)
    return (_C.cast(_C.prod_grad(dout, input, out, dim, keepdim), node.metas[0].dtype),)

def amax_backward(node, dout):
    dim = node.attrs[0]
    keepdim = node.attrs[1]
    input = node.saved(0)
    out = node.saved(1)
    return (_C.extremum_grad(dout, input, out, dim, keepdim),)

def amin_backward(node, dout):
    dim = node.attrs[0]
    keepdim = node.attrs[1]
    input = node.saved(0)
    out = node.saved(1)
    return (_C.extremum_grad(dout, input, out, dim, keepdim),)

def max_all_backward(node, dout):
    dim = node.attrs[0]
    keepdim = node.attrs[1]
    input = node.saved(0)
    out = node.saved(1)
    return (_C.equals_grad(dout, input, out, dim, keepdim),)

def max_dim_backward(node, dvalues, dindices):
    if dvalues is None:
        return (None,)
    if dvalues is None:
        dvalues = node.zeros(0)
    dim = node.attrs[0]
    keepdim = node.attrs[1]
    indices = node.saved(0)
    return (_C.indexed_extremum_grad(dvalues, indices, node.metas[0].shape, dim, keepdim),)

def min_all_backward(node, dout):
    dim = node.attrs[0]
    keepdim = node.attrs[1]
    input = node.saved(0)
    out = node.saved(1)
    return (_C.equals_grad(dout, input, out, dim, keepdim),)

def min_dim_backward(node, dvalues, dindices):
    if dvalues is None:
        return (None,)
    if dvalues is None:
        dvalues = node.zeros(0)
    dim = node.attrs[0]
    keepdim = node.attrs[1]
    indices = node.saved(0)
    return (_C.indexed_extremum_grad(dvalues, indices, node.metas[0].shape, dim, keepdim),)

def var_backward(node, dout):
    dim = node.attrs[0]
    correction = node.attrs[1]
    keepdim = node.attrs[2]
    input = node.saved(0)
    return (_C.var_grad(dout, input, dim, correction, keepdim),)

def std_backward(node, dout):
    dim = node.attrs[0]
    correction = node.attrs[1]
    keepdim = node.attrs[2]
    input = node.saved(0)
    out = node.saved(1)
    return (_C.var_grad(_C.where(out == 0, 0, dout / (2 * out)), input, dim, correction, keepdim),)

def var_mean_backward(node, dvar, dmean):
    if dvar is None and dmean is None:
        return (None,)
    if dvar is None:
        dvar = node.zeros(0)
    if dmean is None:
        dmean = node.zeros(1)
    dim = node.attrs[0]
    correction = node.attrs[1]
    keepdim = node.attrs[2]
    input = node.saved(0)
    return (_C.var_grad(dvar, input, dim, correction, keepdim) + _C.mean_grad(dmean, node.metas[0].shape, dim, keepdim),)

def norm_backward(node, dout):
    order = node.attrs[0]
    dim = node.attrs[1]
    keepdim = node.attrs[2]
    input = node.saved(0)
    out = node.saved(1)
    return (_C.norm_grad(dout, input, out, order, dim, keepdim),)

def log_of_sum_backward(node, dout):
    x = node.saved(0)
    if is_grad_enabled():
        dx = _C.where(x == 0, 0, dout) / _C.where(x == 0, 1, x)
    else:
        dx = dispatch2(_log_of_sum_backward_x, dout, x)
    return (dx,)

def cumsum_backward(node, dout):
    dim = node.attrs[0]
    reverse = node.attrs[2]
    return (_C.cast(_C.reversed_cumsum(dout, dim, reverse), node.metas[0].dtype),)

def cumprod_backward(node, dout):
    dim = node.attrs[0]
    input = node.saved(0)
    out = node.saved(1)
    return (_C.cast(_C.cumprod_grad(dout, input, out, dim), node.metas[0].dtype),)

def sort_backward(node, dvalues, dindices):
    if dvalues is None:
        return (None,)
    if dvalues is None:
        dvalues = node.zeros(0)
    dim = node.attrs[0]
    indices = node.saved(0)
    return (_C.sorted_grad(dvalues, indices, node.metas[0].shape, dim),)

def logcumsumexp_backward(node, dout):
    dim = node.attrs[0]
    reverse = node.attrs[1]
    input = node.saved(0)
    out = node.saved(1)
    return (_C.logcumsumexp_grad(dout, input, out, dim, reverse),)

def matmul_backward(node, dout):
    transpose_a = node.attrs[0]
    transpose_b = node.attrs[1]
    needs = node.needs
    dinput = dother = None
    if needs[0]:
        other = node.saved(1)
        dinput = _C.matmul(other, dout, transpose_b, True) if transpose_a else _C.matmul(dout, other, False, not transpose_b)
    if needs[1]:
        input = node.saved(0)
        dother = _C.matmul(dout, input, True, transpose_a) if transpose_b else _C.matmul(input, dout, not transpose_a, False)
    return (dinput, dother)

def linear_backward(node, dout):
    needs = node.needs
    dinput = dweight = dbias = None
    if needs[0]:
        weight = node.saved(1)
        dinput = _C.matmul(dout, weight)
    if needs[1]:
        input = node.saved(0)
        dweight = _C.matmul(dout, input, True, False)
    if needs[2]:
        dbias = dout
    return (dinput, dweight, dbias)

def unrounded_product_backward(node, dout):
    needs = node.needs
    dinput = dother = None
    if needs[0]:
        other = node.saved(1)
        dinput = _C.matmul(_C.cast(dout, node.metas[0].dtype), other, False, True)
    if needs[1]:
        input = node.saved(0)
        dother = _C.matmul(input, _C.cast(dout, node.metas[1].dtype), True, False)
    return (dinput, dother)

def add_unrounded_backward(node, dout):
    beta = node.dynamic[0]
    alpha = node.dynamic[1]
    needs = node.needs
    dinput = dproduct = None
    if needs[0]:
        dinput = dout * beta
    if needs[1]:
        dproduct = dout * alpha
    return (dinput, dproduct)

def quantized_linear_backward(node, dout):
    form = node.attrs[0]
    group = node.attrs[1]
    needs = node.needs
    dinput = dbias = None
    if needs[0]:
        weight = node.saved(0)
        scales = node.saved(1)
        zeros = node.saved(2)
        dinput = _C.matmul(dout, _C.dequantize_weight(weight, scales, zeros, form=form, group=group,
                in_features=node.metas[0].shape[-1], dtype=dout.meta.dtype))
    if needs[4]:
        dbias = dout
    return (dinput, None, None, None, dbias)

def cross_backward(node, dout):
    dim = node.attrs[0]
    needs = node.needs
    dinput = dother = None
    if needs[0]:
        other = node.saved(1)
        dinput = _C.cross(other, dout, dim)
    if needs[1]:
        input = node.saved(0)
        dother = _C.cross(dout, input, dim)
    return (dinput, dother)

def linalg_cholesky_ex_backward(node, dL, dinfo):
    if dL is None:
        return (None,)
    if dL is None:
        dL = node.zeros(0)
    L = node.saved(0)
    return (_C.cholesky_grad(dL, L),)

def triangular_backward(node, dout):
    upper = node.attrs[0]
    adjoint = node.attrs[1]
    left = node.attrs[2]
    unit = node.attrs[3]
    needs = node.needs
    dt = db = None
    if needs[0]:
        t = node.saved(0)
        out = node.saved(1)
        dt = _C.triangular_grad(_C.triangular(t, dout, upper, not adjoint, left, unit), out, upper, adjoint, left, unit)
    if needs[1]:
        t = node.saved(0)
        db = _C.triangular(t, dout, upper, not adjoint, left, unit)
    return (dt, db)

def linalg_solve_ex_backward(node, dx, dfactors, dpivots, dinfo):
    if dx is None:
        return (None, None)
    if dx is None:
        dx = node.zeros(0)
    needs = node.needs
    dA = dB = None
    if needs[0]:
        A = node.saved(0)
        x = node.saved(1)
        factors = node.saved(2)
        pivots = node.saved(3)
        dA = -_C.matmul(_C.solve_grad(dx, A, factors, pivots), _C.conj_physical(x), False, True)
    if needs[1]:
        A = node.saved(0)
        factors = node.saved(2)
        pivots = node.saved(3)
        dB = _C.solve_grad(dx, A, factors, pivots)
    return (dA, dB)

def linalg_determinant_backward(node, dsign, dmagnitude, ddet, dfactors, dpivots):
    if ddet is None:
        return (None,)
    if ddet is None:
        ddet = node.zeros(2)
    a = node.saved(0)
    det = node.saved(1)
    factors = node.saved(2)
    pivots = node.saved(3)
    return (_C.det_grad(ddet, det, a, factors, pivots),)

def linalg_log_determinant_backward(node, dsign, dmagnitude, ddet, dfactors, dpivots):
    if dsign is None and dmagnitude is None:
        return (None,)
    if dsign is None:
        dsign = node.zeros(0)
    if dmagnitude is None:
        dmagnitude = node.zeros(1)
    a = node.saved(0)
    sign = node.saved(1)
    factors = node.saved(2)
    pivots = node.saved(3)
    return (_C.slogdet_grad(dsign, dmagnitude, sign, a, factors, pivots),)

def linalg_cofactors_backward(node, dout):
    needs = node.needs
    da = None
    if needs[1]:
        a = node.saved(0)
        da = _C.second_cofactors(dout, a)
    return (None, da)

def linalg_second_cofactors_backward(node, dout):
    needs = node.needs
    ddirection = da = None
    if needs[1]:
        a = node.saved(1)
        ddirection = _C.second_cofactors(dout, a)
    if needs[2]:
        direction = node.saved(0)
        a = node.saved(1)
        da = _C.third_cofactors(dout, direction, a)
    return (None, ddirection, da)

def linalg_lu_factor_ex_backward(node, dLU, dpivots, dinfo):
    if dLU is None:
        return (None,)
    if dLU is None:
        dLU = node.zeros(0)
    LU = node.saved(0)
    pivots = node.saved(1)
    return (_C.lu_factor_grad(dLU, LU, pivots),)

def linalg_ldl_solve_backward(node, dout):
    hermitian = node.attrs[0]
    needs = node.needs
    dLD = dB = None
    if needs[0]:
        LD = node.saved(0)
        dLD = _C.ldl_factors_grad(LD)
    if needs[2]:
        LD = node.saved(0)
        pivots = node.saved(1)
        dB = _C.ldl_solve_grad(dout, LD, pivots, hermitian)
    return (dLD, None, dB)

def exchange_rows_backward(node, dout):
    undo = node.attrs[0]
    needs = node.needs
    db = None
    if needs[0]:
        pivots = node.saved(0)
        db = _C.exchange_rows(dout, pivots, not undo)
    return (db, None)

def linalg_qr_backward(node, dQ, dR):
    if dQ is None and dR is None:
        return (None,)
    if dQ is None:
        dQ = node.zeros(0)
    if dR is None:
        dR = node.zeros(1)
    mode = node.attrs[1]
    Q = node.saved(0)
    R = node.saved(1)
    return (_C.qr_grad(dQ, dR, Q, R, mode),)

def linalg_eigh_backward(node, dvalues, dvectors, dinfo):
    if dvalues is None and dvectors is None:
        return (None,)
    if dvalues is None:
        dvalues = node.zeros(0)
    if dvectors is None:
        dvectors = node.zeros(1)
    values = node.saved(0)
    vectors = node.saved(1)
    return (_C.eigh_grad(dvalues, dvectors, values, vectors),)

def linalg_eigen_backward(node, dvalues, dvectors, dinfo):
    if dvalues is None and dvectors is None:
        return (None,)
    if dvalues is None:
        dvalues = node.zeros(0)
    if dvectors is None:
        dvectors = node.zeros(1)
    values = node.saved(0)
    vectors = node.saved(1)
    return (_C.eig_grad(dvalues, dvectors, values, vectors, node.metas[0].dtype),)

def linalg_svd_backward(node, dU, dS, dVh, dinfo):
    if dU is None and dS is None and dVh is None:
        return (None,)
    if dU is None:
        dU = node.zeros(0)
    if dS is None:
        dS = node.zeros(1)
    if dVh is None:
        dVh = node.zeros(2)
    full = node.attrs[0]
    U = node.saved(0)
    S = node.saved(1)
    Vh = node.saved(2)
    return (_C.svd_grad(dU, dS, dVh, U, S, Vh, full),)

def linalg_pseudoinverse_backward(node, dinverse, dinfo):
    if dinverse is None:
        return (None,)
    if dinverse is None:
        dinverse = node.zeros(0)
    a = node.saved(0)
    inverse = node.saved(1)
    return (_C.pinv_grad(dinverse, inverse, a),)

def linalg_checked_backward(node, dout):
    needs = node.needs
    dx = None
    if needs[0]:
        dx = dout
    return (dx, None)

def softmax_backward(node, dy):
    dim = node.attrs[0]
    y = node.saved(0)
    return (_C.softmax_grad(dy, y, dim),)

def softmax_grad_backward(node, ddx):
    dim = node.attrs[0]
    needs = node.needs
    dgrad = dy = None
    if needs[0]:
        y = node.saved(1)
        dgrad = _C.softmax_grad(ddx, y, dim)
    if needs[1]:
        grad = node.saved(0)
        y = node.saved(1)
        dy = ddx * (grad - _C.sum(grad * y, dim, True)) - grad * _C.sum(ddx * y, dim, True)
    return (dgrad, dy)

def log_softmax_backward(node, dy):
    dim = node.attrs[0]
    y = node.saved(0)
    return (_C.log_softmax_grad(dy, y, dim),)

def log_softmax_grad_backward(node, ddx):
    dim = node.attrs[0]
    needs = node.needs
    dgrad = dy = None
    if needs[0]:
        y = node.saved(1)
        dgrad = ddx - _C.sum(ddx * _C.exp(y), dim, True)
    if needs[1]:
        grad = node.saved(0)
        y = node.saved(1)
        dy = -ddx * _C.exp(y) * _C.sum(grad, dim, True)
    return (dgrad, dy)

def cross_entropy_backward(node, dout, dlargest, dlog_sum, dtotals):
    if dout is None:
        return (None, None, None)
    if dout is None:
        dout = node.zeros(0)
    reduction = node.attrs[0]
    ignore_index = node.attrs[1]
    smooth = node.attrs[2]
    label_smoothing = node.dynamic[0]
    needs = node.needs
    dinput = None
    if needs[0]:
        input = node.saved(0)
        target = node.saved(1)
        weight = node.saved(2)
        largest = node.saved(3)
        log_sum = node.saved(4)
        totals = node.saved(5)
        dinput = _C.cross_entropy_grad(dout, input, target, largest, log_sum, totals, weight, reduction, ignore_index, smooth,
                label_smoothing)
    return (dinput, None, None)

def chunked_cross_entropy_backward(node, dout, dz_loss, dtotals, dinput_grads, dweight_grads, dbias_grads):
    if dout is None:
        return (None, None, None, None, None)
    if dout is None:
        dout = node.zeros(0)
    reduction = node.attrs[0]
    ignore_index = node.attrs[1]
    smooth = node.attrs[2]
    capped = node.attrs[3]
    squared = node.attrs[4]
    label_smoothing = node.dynamic[0]
    softcap = node.dynamic[1]
    lse_square_scale = node.dynamic[2]
    needs = node.needs
    dinput = dlinear_weight = dlinear_bias = None
    if needs[0] or needs[1] or needs[3]:
        input = node.saved(0)
        linear_weight = node.saved(1)
        target = node.saved(2)
        linear_bias = node.saved(3)
        weight = node.saved(4)
        totals = node.saved(5)
        input_grads = node.saved(6)
        weight_grads = node.saved(7)
        bias_grads = node.saved(8)
        dinput, dlinear_weight, dlinear_bias = _C.chunked_cross_entropy_grad(dout, input, linear_weight, target, linear_bias,
                weight, input_grads, weight_grads, bias_grads, totals, reduction, ignore_index, smooth, capped, squared,
                node.needs[0], node.needs[1], node.needs[3], label_smoothing, softcap, lse_square_scale)
    return (dinput, dlinear_weight, None, dlinear_bias, None)

def mean_of_losses_backward(node, dout):
    needs = node.needs
    dtotal = None
    if needs[0]:
        weights = node.saved(0)
        count = node.saved(1)
        if is_grad_enabled():
            dtotal = dout / (weights + (count == 0))
        else:
            dtotal = dispatch3(_mean_of_losses_backward_total, dout, weights, count)
    return (dtotal, None, None)

def nll_loss_backward(node, dout, dtotals):
    if dout is None:
        return (None, None, None)
    if dout is None:
        dout = node.zeros(0)
    reduction = node.attrs[0]
    ignore_index = node.attrs[1]
    needs = node.needs
    dinput = None
    if needs[0]:
        target = node.saved(0)
        weight = node.saved(1)
        totals = node.saved(2)
        dinput = _C.nll_loss_grad(dout, target, totals, weight, node.metas[0].shape, reduction, ignore_index)
    return (dinput, None, None)

def nll_loss_grad_backward(node, ddx):
    reduction = node.attrs[1]
    ignore_index = node.attrs[2]
    needs = node.needs
    dgrad = None
    if needs[0]:
        target = node.saved(0)
        weight = node.saved(1)
        dgrad = _C.nll_loss(ddx, target, weight, None, ignore_index, None, reduction)
    return (dgrad, None, None, None)

def l1_distance_backward(node, dout):
    needs = node.needs
    dinput = dtarget = None
    if needs[0]:
        input = node.saved(0)
        target = node.saved(1)
        if is_grad_enabled():
            dinput = dout * _C.sign(input - target)
        else:
            dinput = dispatch3(_l1_distance_backward_input, dout, input, target)
    if needs[1]:
        input = node.saved(0)
        target = node.saved(1)
        if is_grad_enabled():
            dtarget = -dout * _C.sign(input - target)
        else:
            dtarget = dispatch3(_l1_distance_backward_target, dout, input, target)
    return (dinput, dtarget)

def smooth_l1_distance_backward(node, dout):
    beta = node.dynamic[0]
    needs = node.needs
    dinput = dtarget = None
    if needs[0]:
        input = node.saved(0)
        target = node.saved(1)
        if is_grad_enabled():
            dinput = dout * _C.where(_C.abs(input - target) >= beta, _C.sign(input - target), (input - target) / beta)
        else:
            dinput = dispatch(_smooth_l1_distance_backward_input, (dout, input, target), (), (beta,))
    if needs[1]:
        input = node.saved(0)
        target = node.saved(1)
        if is_grad_enabled():
            dtarget = -dout * _C.where(_C.abs(input - target) >= beta, _C.sign(input - target), (input - target) / beta)
        else:
            dtarget = dispatch(_smooth_l1_distance_backward_target, (dout, input, target), (), (beta,))
    return (dinput, dtarget)

def huber_distance_backward(node, dout):
    delta = node.dynamic[0]
    needs = node.needs
    dinput = dtarget = None
    if needs[0]:
        input = node.saved(0)
        target = node.saved(1)
        if is_grad_enabled():
            dinput = dout * _C.where(_C.abs(input - target) >= delta, delta * _C.sign(input - target), input - target)
        else:
            dinput = dispatch(_huber_distance_backward_input, (dout, input, target), (), (delta,))
    if needs[1]:
        input = node.saved(0)
        target = node.saved(1)
        if is_grad_enabled():
            dtarget = -dout * _C.where(_C.abs(input - target) >= delta, delta * _C.sign(input - target), input - target)
        else:
            dtarget = dispatch(_huber_distance_backward_target, (dout, input, target), (), (delta,))
    return (dinput, dtarget)

def binary_entropy_slope_backward(node, dout):
    needs = node.needs
    dinput = dtarget = None
    if needs[0]:
        input = node.saved(0)
        target = node.saved(1)
        if is_grad_enabled():
            dinput = dout * (target * _C.square((1 - input) / ((input + 1e-12) * (1 - input + 1e-12))) + (1 - target) *
                    _C.square(input / ((input + 1e-12) * (1 - input + 1e-12))))
        else:
            dinput = dispatch3(_binary_entropy_slope_backward_input, dout, input, target)
    if needs[1]:
        input = node.saved(0)
        dtarget = -dout / _C.clamp_min((1 - input) * input, 1e-12)
    return (dinput, dtarget)

def binary_entropy_backward(node, dout):
    needs = node.needs
    dinput = dtarget = None
    if needs[0]:
        input = node.saved(0)
        target = node.saved(1)
        if is_grad_enabled():
            dinput = dout * _C.binary_entropy_slope(input, target)
        else:
            dinput = dispatch3(_binary_entropy_backward_input, dout, input, target)
    if needs[1]:
        input = node.saved(0)
        if is_grad_enabled():
            dtarget = dout * (_C.log1p(-input) - _C.log(input))
        else:
            dtarget = dispatch2(_binary_entropy_backward_target, dout, input)
    return (dinput, dtarget)

def binary_entropy_of_logits_backward(node, dout):
    needs = node.needs
    dinput = dtarget = None
    if needs[0]:
        input = node.saved(0)
        target = node.saved(1)
        if is_grad_enabled():
            dinput = dout * ((1 - target) * _C.logistic(input) - target * _C.logistic(-input))
        else:
            dinput = dispatch3(_binary_entropy_of_logits_backward_input, dout, input, target)
    if needs[1]:
        input = node.saved(0)
        if is_grad_enabled():
            dtarget = -dout * input
        else:
            dtarget = dispatch2(_binary_entropy_of_logits_backward_target, dout, input)
    return (dinput, dtarget)

def weighted_binary_entropy_of_logits_backward(node, dout):
    needs = node.needs
    dinput = dtarget = dpos_weight = None
    if needs[0]:
        input = node.saved(0)
        target = node.saved(1)
        pos_weight = node.saved(2)
        if is_grad_enabled():
            dinput = dout * ((1 - target) * _C.logistic(input) - pos_weight * target * _C.logistic(-input))
        else:
            dinput = dispatch(_weighted_binary_entropy_of_logits_backward_input, (dout, input, target, pos_weight))
    if needs[1]:
        input = node.saved(0)
        pos_weight = node.saved(2)
        if is_grad_enabled():
            dtarget = dout * (_C.logsigmoid(-input) - pos_weight * _C.logsigmoid(input))
        else:
            dtarget = dispatch3(_weighted_binary_entropy_of_logits_backward_target, dout, input, pos_weight)
    if needs[2]:
        input = node.saved(0)
        target = node.saved(1)
        if is_grad_enabled():
            dpos_weight = -dout * target * _C.logsigmoid(input)
        else:
            dpos_weight = dispatch3(_weighted_binary_entropy_of_logits_backward_pos_weight, dout, input, target)
    return (dinput, dtarget, dpos_weight)

def jensen_shannon_backward(node, dout):
    beta = node.dynamic[0]
    rest = node.dynamic[1]
    log_beta = node.dynamic[2]
    log_rest = node.dynamic[3]
    needs = node.needs
    dinput = dtarget = None
    if needs[0]:
        input = node.saved(0)
        target = node.saved(1)
        dinput = dout * rest * _C.exp(input) * (_C.clamp_min(input, -10000.0) - _C.logaddexp(_C.clamp_min(target, -10000.0) +
                log_beta, _C.clamp_min(input, -10000.0) + log_rest))
    if needs[1]:
        input = node.saved(0)
        target = node.saved(1)
        dtarget = dout * beta * _C.exp(target) * (_C.clamp_min(target, -10000.0) - _C.logaddexp(_C.clamp_min(target, -10000.0) +
                log_beta, _C.clamp_min(input, -10000.0) + log_rest))
    return (dinput, dtarget)

def divergence_backward(node, dout):
    needs = node.needs
    dinput = dtarget = None
    if needs[0]:
        target = node.saved(1)
        if is_grad_enabled():
            dinput = -dout * target
        else:
            dinput = dispatch2(_divergence_backward_input, dout, target)
    if needs[1]:
        input = node.saved(0)
        target = node.saved(1)
        if is_grad_enabled():
            dtarget = _C.where(target == 0, 0, dout * (_C.log(target) + 1)) - dout * input
        else:
            dtarget = dispatch3(_divergence_backward_target, dout, input, target)
    return (dinput, dtarget)

def divergence_of_logarithm_backward(node, dout):
    needs = node.needs
    dinput = dtarget = None
    if needs[0]:
        target = node.saved(1)
        if is_grad_enabled():
            dinput = -dout * _C.exp(target)
        else:
            dinput = dispatch2(_divergence_of_logarithm_backward_input, dout, target)
    if needs[1]:
        input = node.saved(0)
        target = node.saved(1)
        if is_grad_enabled():
            dtarget = dout * _C.exp(target) * (target - input + 1)
        else:
            dtarget = dispatch3(_divergence_of_logarithm_backward_target, dout, input, target)
    return (dinput, dtarget)

def soft_margin_backward(node, dout):
    needs = node.needs
    dinput = dtarget = None
    if needs[0]:
        input = node.saved(0)
        target = node.saved(1)
        if is_grad_enabled():
            dinput = -dout * target * _C.logistic(-target * input)
        else:
            dinput = dispatch3(_soft_margin_backward_input, dout, input, target)
    if needs[1]:
        input = node.saved(0)
        target = node.saved(1)
        if is_grad_enabled():
            dtarget = -dout * input * _C.logistic(-target * input)
        else:
            dtarget = dispatch3(_soft_margin_backward_target, dout, input, target)
    return (dinput, dtarget)

def ctc_loss_backward(node, dloss, dalpha):
    if dloss is None:
        return (None, None, None, None)
    if dloss is None:
        dloss = node.zeros(0)
    blank = node.attrs[0]
    zero_infinity = node.attrs[1]
    needs = node.needs
    dlog_probs = None
    if needs[0]:
        log_probs = node.saved(0)
        labels = node.saved(1)
        time = node.saved(2)
        count = node.saved(3)
        alpha = node.saved(4)
        dlog_probs = _C.ctc_loss_grad(dloss, log_probs, labels, time, count, alpha, blank, zero_infinity)
    return (dlog_probs, None, None, None)

def ctc_loss_grad_backward(node, ddx):
    needs = node.needs
    dgrad = dlog_probs = None
    if needs[0] or needs[1]:
        dgrad, dlog_probs = _C.missing_derivative(ddx, 'aten::_ctc_loss_backward')
    return (dgrad, dlog_probs, None, None, None, None)

def cosine_similarity_backward(node, dout, dproduct, dnorm1, dnorm2):
    if dout is None and dproduct is None and dnorm1 is None and dnorm2 is None:
        return (None, None)
    if dout is None:
        dout = node.zeros(0)
    if dproduct is None:
        dproduct = node.zeros(1)
    if dnorm1 is None:
        dnorm1 = node.zeros(2)
    if dnorm2 is None:
        dnorm2 = node.zeros(3)
    eps = node.dynamic[0]
    needs = node.needs
    dx1 = dx2 = None
    if needs[0]:
        x1 = node.saved(0)
        x2 = node.saved(1)
        product = node.saved(2)
        norm1 = node.saved(3)
        norm2 = node.saved(4)
        if is_grad_enabled():
            dx1 = (dproduct + dout / (norm1 * norm2)) * x2 + _C.where(norm1 > eps, (dnorm1 - dout * (product / (norm1 * norm2)) /
                    norm1) * (x1 / norm1), 0)
        else:
            dx1 = dispatch(_cosine_similarity_backward_x1, (dout, dproduct, dnorm1, x1, x2, product, norm1, norm2), (), (eps,))
    if needs[1]:
        x1 = node.saved(0)
        x2 = node.saved(1)
        product = node.saved(2)
        norm1 = node.saved(3)
        norm2 = node.saved(4)
        if is_grad_enabled():
            dx2 = (dproduct + dout / (norm1 * norm2)) * x1 + _C.where(norm2 > eps, (dnorm2 - dout * (product / (norm1 * norm2)) /
                    norm2) * (x2 / norm2), 0)
        else:
            dx2 = dispatch(_cosine_similarity_backward_x2, (dout, dproduct, dnorm2, x1, x2, product, norm1, norm2), (), (eps,))
    return (dx1, dx2)

def cdist_backward(node, dout):
    order = node.attrs[0]
    p = node.dynamic[0]
    needs = node.needs
    dx1 = dx2 = None
    if needs[0] or needs[1]:
        x1 = node.saved(0)
        x2 = node.saved(1)
        out = node.saved(2)
        dx1, dx2 = _C.cdist_grad(dout, x1, x2, out, order, p)
    return (dx1, dx2)

def conv2d_backward(node, dout):
    stride = node.attrs[0]
    padding = node.attrs[1]
    dilation = node.attrs[2]
    groups = node.attrs[3]
    needs = node.needs
    dinput = dweight = dbias = None
    if needs[0]:
        weight = node.saved(1)
        dinput = _C.conv_data_grad(dout, weight, node.metas[0].shape, stride, padding, dilation, groups)
    if needs[1]:
        input = node.saved(0)
        dweight = _C.conv_filter_grad(dout, input, node.metas[1].shape, stride, padding, dilation, groups)
    if needs[2]:
        dbias = _C.conv_bias_grad(dout)
    return (dinput, dweight, dbias)

def conv_transpose_biased_backward(node, ddx):
    stride = node.attrs[1]
    padding = node.attrs[2]
    dilation = node.attrs[3]
    groups = node.attrs[4]
    needs = node.needs
    dgrad = dweight = dbias = None
    if needs[0]:
        weight = node.saved(1)
        dgrad = _C.conv2d(ddx, weight, None, stride, padding, dilation, groups)
    if needs[1]:
        grad = node.saved(0)
        dweight = _C.conv_filter_grad(grad, ddx, node.metas[1].shape, stride, padding, dilation, groups)
    if needs[2]:
        dbias = _C.conv_bias_grad(ddx)
    return (dgrad, dweight, dbias)

def conv_data_grad_backward(node, ddx):
    stride = node.attrs[1]
    padding = node.attrs[2]
    dilation = node.attrs[3]
    groups = node.attrs[4]
    needs = node.needs
    dgrad = dweight = None
    if needs[0]:
        weight = node.saved(1)
        dgrad = _C.conv2d(ddx, weight, None, stride, padding, dilation, groups)
    if needs[1]:
        grad = node.saved(0)
        dweight = _C.conv_filter_grad(grad, ddx, node.metas[1].shape, stride, padding, dilation, groups)
    return (dgrad, dweight)

def conv_filter_grad_backward(node, ddw):
    stride = node.attrs[1]
    padding = node.attrs[2]
    dilation = node.attrs[3]
    groups = node.attrs[4]
    needs = node.needs
    dgrad = dx = None
    if needs[0]:
        x = node.saved(1)
        dgrad = _C.conv2d(x, ddw, None, stride, padding, dilation, groups)
    if needs[1]:
        grad = node.saved(0)
        dx = _C.conv_data_grad(grad, ddw, node.metas[1].shape, stride, padding, dilation, groups)
    return (dgrad, dx)

def columns_backward(node, dout):
    kernel_size = node.attrs[0]
    stride = node.attrs[1]
    padding = node.attrs[2]
    dilation = node.attrs[3]
    return (_C.columns_sum(dout, node.metas[0].shape[2:], kernel_size, stride, padding, dilation),)

def columns_sum_backward(node, dout):
    kernel_size = node.attrs[1]
    stride = node.attrs[2]
    padding = node.attrs[3]
    dilation = node.attrs[4]
    return (_C.columns(dout, kernel_size, stride, padding, dilation),)

def max_pool2d_backward(node, dy, dindices):
    if dy is None:
        return (None,)
    if dy is None:
        dy = node.zeros(0)
    kernel_size = node.attrs[0]
    stride = node.attrs[1]
    padding = node.attrs[2]
    dilation = node.attrs[3]
    indices = node.saved(0)
    return (_C.max_pool_grad(dy, indices, node.metas[0].shape, kernel_size, stride, padding, dilation),)

def max_pool_grad_backward(node, ddx):
    needs = node.needs
    dgrad = None
    if needs[0]:
        indices = node.saved(0)
        dgrad = _C.max_pool_grad_grad(ddx, indices)
    return (dgrad, None)

def max_pool_grad_grad_backward(node, dy):
    needs = node.needs
    dx = None
    if needs[0]:
        indices = node.saved(0)
        dx = _C.max_pool_pick_grad(dy, indices, node.metas[0].shape)
    return (dx, None)

def avg_pool2d_backward(node, dy):
    kernel_size = node.attrs[0]
    stride = node.attrs[1]
    padding = node.attrs[2]
    ceil_mode = node.attrs[3]
    count_include_pad = node.attrs[4]
    divisor_override = node.attrs[5]
    return (_C.avg_pool_grad(dy, node.metas[0].shape, kernel_size, stride, padding, ceil_mode, count_include_pad,
            divisor_override),)

def avg_pool_grad_backward(node, ddx):
    kernel_size = node.attrs[1]
    stride = node.attrs[2]
    padding = node.attrs[3]
    ceil_mode = node.attrs[4]
    count_include_pad = node.attrs[5]
    divisor_override = node.attrs[6]
    return (_C.avg_pool2d(ddx, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override),)

def adaptive_avg_pool2d_backward(node, dy):
    return (_C.adaptive_avg_pool_grad(dy, node.metas[0].shape),)

def adaptive_avg_pool_grad_backward(node, ddx):
    return (_C.adaptive_avg_pool2d(ddx, node.metas[0].shape[2:]),)

def adaptive_max_pool2d_backward(node, dy, dindices):
    if dy is None:
        return (None,)
    if dy is None:
        dy = node.zeros(0)
    indices = node.saved(0)
    return (_C.adaptive_max_pool_grad(dy, indices, node.metas[0].shape),)

def adaptive_max_pool_grad_backward(node, ddx):
    needs = node.needs
    dgrad = None
    if needs[0]:
        indices = node.saved(0)
        dgrad = _C.max_pool_grad_grad(ddx, indices)
    return (dgrad, None)

def resample_backward(node, dout):
    dim = node.attrs[0]
    mode = node.attrs[2]
    aligned = node.attrs[3]
    scale = node.attrs[4]
    return (_C.resample_grad(dout, dim, node.metas[0].shape[dim], mode, aligned, scale, node.metas[0].dtype),)

def resample_grad_backward(node, ddx):
    dim = node.attrs[0]
    mode = node.attrs[2]
    aligned = node.attrs[3]
    scale = node.attrs[4]
    return (_C.resample(ddx, dim, node.metas[0].shape[dim], mode, aligned, scale, node.metas[0].dtype),)

def layer_norm_backward(node, dy, dmean, drstd):
    if dy is None:
        return (None, None, None)
    if dy is None:
        dy = node.zeros(0)
    dims = node.attrs[0]
    center = node.attrs[1]
    eps = node.dynamic[0]
    needs = node.needs
    dinput = dweight = dbias = None
    if needs[0] or needs[1] or needs[2]:
        input = node.saved(0)
        weight = node.saved(1)
        mean = node.saved(2)
        rstd = node.saved(3)
        dinput, dweight, dbias = _C.layer_norm_gradients(dy, input, mean, rstd, weight, dims, node.metas[0].dtype, center, eps,
                node.needs[0], node.needs[1] or node.needs[2])
    return (dinput, dweight, dbias)

def add_layer_norm_backward(node, dy, dtotal, dmean, drstd):
    if dy is None and dtotal is None:
        return (None, None, None, None)
    if dy is None:
        dy = node.zeros(0)
    if dtotal is None:
        dtotal = node.zeros(1)
    dims = node.attrs[0]
    center = node.attrs[1]
    eps = node.dynamic[0]
    needs = node.needs
    dx = dresidual = dweight = dbias = None
    if needs[0] or needs[1] or needs[2] or needs[3]:
        weight = node.saved(0)
        total = node.saved(1)
        mean = node.saved(2)
        rstd = node.saved(3)
        dx, dresidual, dweight, dbias = _C.add_layer_norm_gradients(dy, dtotal, total, mean, rstd, weight, dims,
                node.metas[0].dtype, center, eps, node.needs[0] or node.needs[1], node.needs[2] or node.needs[3])
    return (dx, dresidual, dweight, dbias)

def batch_norm_backward(node, dy, dmean, drstd):
    if dy is None:
        return (None, None, None, None, None)
    if dy is None:
        dy = node.zeros(0)
    eps = node.dynamic[1]
    needs = node.needs
    dinput = dweight = dbias = None
    if needs[0] or needs[1] or needs[2]:
        input = node.saved(0)
        weight = node.saved(1)
        mean = node.saved(2)
        rstd = node.saved(3)
        dinput, dweight, dbias = _C.batch_norm_grad(dy, input, mean, rstd, weight, True, eps)
    return (dinput, dweight, dbias, None, None)

def batch_norm_eval_backward(node, dy, drstd):
    if dy is None:
        return (None, None, None, None, None)
    if dy is None:
        dy = node.zeros(0)
    eps = node.dynamic[0]
    needs = node.needs
    dinput = dweight = dbias = None
    if needs[0] or needs[1] or needs[2]:
        input = node.saved(0)
        weight = node.saved(1)
        running_mean = node.saved(2)
        rstd = node.saved(3)
        dinput, dweight, dbias = _C.batch_norm_grad(dy, input, running_mean, rstd, weight, False, eps)
    return (dinput, dweight, dbias, None, None)

def scaled_dot_product_attention_backward(node, dout, drows):
    if dout is None:
        return (None, None, None, None, None)
    if dout is None:
        dout = node.zeros(0)
    is_causal = node.attrs[0]
    scale = node.dynamic[0]
    rate = node.dynamic[3]
    factor = node.dynamic[4]
    needs = node.needs
    dquery = dkey = dvalue = None
    if needs[0] or needs[1] or needs[2]:
        query = node.saved(0)
        key = node.saved(1)
        value = node.saved(2)
        attn_mask = node.saved(3)
        drawn = node.saved(4)
        out = node.saved(5)
        rows = node.saved(6)
        dquery, dkey, dvalue = _C.attention_grad(dout, query, key, value, out, rows, attn_mask, drawn, is_causal, scale, rate,
                factor)
    return (dquery, dkey, dvalue, None, None)

def flash_attention_backward(node, dout, dlse, drows):
    if dout is None and dlse is None:
        return (None,) * len(node.metas)
    if dout is None:
        dout = node.zeros(0)
    if dlse is None:
        dlse = node.zeros(1)
    edit = node.attrs[0]
    window = node.attrs[1]
    most = node.attrs[2]
    block = node.attrs[3]
    single = node.attrs[4]
    scale = node.dynamic[0]
    cap = node.dynamic[3]
    rate = node.dynamic[4]
    factor = node.dynamic[5]
    needs = node.needs
    dquery = dkey = dvalue = dsinks = None
    if needs[0] or needs[1] or needs[2]:
        query = node.saved(0)
        key = node.saved(1)
        value = node.saved(2)
        q_starts = node.saved(3)
        k_starts = node.saved(4)
        row_counts = node.saved(6)
        row_blocks = node.saved(7)
        column_counts = node.saved(8)
        column_blocks = node.saved(9)
        drawn = node.saved(10)
        reads = node.saved_list(11)
        out = node.saved(12)
        rows = node.saved(14)
        dquery, dkey, dvalue = _C.flash_attention_grad(dout, dlse, query, key, value, out, rows, q_starts, k_starts, (row_counts,
                row_blocks, column_counts, column_blocks), reads, edit, window, most, block, single, scale, cap, drawn, rate,
                factor)
    if needs[7]:
        query = node.saved(0)
        sinks = node.saved(5)
        out = node.saved(12)
        lse = node.saved(13)
        dsinks = _C.flash_sinks_grad(dout, dlse, out, lse, sinks, query)
    return (dquery, dkey, dvalue, None, None, None, None, dsinks, None, None, None, None, None, *(None,) * (len(node.metas) - 13))

def rotary_backward(node, dout):
    order = node.attrs[0]
    interleaved = node.attrs[1]
    starts = node.attrs[2]
    sign = node.dynamic[0]
    needs = node.needs
    dx = None
    if needs[0]:
        cos = node.saved(0)
        sin = node.saved(1)
        positions = node.saved(2)
        dx = _C.rotary(dout, cos, sin, order, interleaved, starts, -sign, positions)
    return (dx, None, None, None)

def rotary_pair_backward(node, dq, dk):
    if dq is None and dk is None:
        return (None, None, None, None, None)
    if dq is None:
        dq = node.zeros(0)
    if dk is None:
        dk = node.zeros(1)
    order = node.attrs[0]
    interleaved = node.attrs[1]
    starts = node.attrs[2]
    sign = node.dynamic[0]
    needs = node.needs
    dquery = dkey = None
    if needs[0] or needs[1]:
        cos = node.saved(0)
        sin = node.saved(1)
        positions = node.saved(2)
        dquery, dkey = _C.rotary_pair(dq, dk, cos, sin, order, interleaved, starts, -sign, positions)
    return (dquery, dkey, None, None, None)

def grouped_product_backward(node, dout):
    needs = node.needs
    dmat_a = dmat_b = None
    if needs[0]:
        mat_b = node.saved(1)
        offs = node.saved(2)
        dmat_a = _C.grouped_product(dout, _C.transpose(mat_b, -2, -1), offs)
    if needs[1]:
        mat_a = node.saved(0)
        offs = node.saved(2)
        dmat_b = _C.grouped_product(_C.transpose(mat_a, -2, -1), dout, offs)
    return (dmat_a, dmat_b, None)

def moe_spread_backward(node, dy):
    needs = node.needs
    dx = dweights = None
    if needs[0]:
        positions = node.saved(1)
        weights = node.saved(2)
        dx = _C.moe_combine(dy, positions, weights)
    if needs[2]:
        x = node.saved(0)
        positions = node.saved(1)
        dweights = _C.moe_dots(x, dy, positions)
    return (dx, None, dweights)

def moe_combine_backward(node, dy):
    needs = node.needs
    drows = dweights = None
    if needs[0]:
        positions = node.saved(1)
        weights = node.saved(2)
        drows = _C.moe_spread(dy, positions, weights)
    if needs[2]:
        rows = node.saved(0)
        positions = node.saved(1)
        dweights = _C.moe_dots(dy, rows, positions)
    return (drows, None, dweights)

def moe_dots_backward(node, dy):
    needs = node.needs
    dx = drows = None
    if needs[0]:
        rows = node.saved(1)
        positions = node.saved(2)
        dx = _C.moe_combine(rows, positions, dy)
    if needs[1]:
        x = node.saved(0)
        positions = node.saved(2)
        drows = _C.moe_spread(x, positions, dy)
    return (dx, drows, None)

def view_backward(node, dy):
    return (_C.reshape(dy, node.metas[0].shape),)

def permute_backward(node, dout):
    dims = node.attrs[0]
    return (_C.permute_inverse(dout, dims),)

def expand_backward(node, dout):
    return (_C.sum_to(dout, node.metas[0].shape),)

def squeeze_backward(node, dout):
    return (_C.reshape(dout, node.metas[0].shape),)

def unsqueeze_backward(node, dout):
    dim = node.attrs[0]
    return (_C.squeeze(dout, (dim,)),)

def select_backward(node, dout):
    dim = node.attrs[0]
    index = node.attrs[1]
    return (_C.select_grad(dout, node.metas[0].shape, dim, index),)

def slice_backward(node, dy):
    dim = node.attrs[0]
    start = node.attrs[1]
    length = node.attrs[2]
    step = node.attrs[3]
    return (_C.slice_grad(dy, node.metas[0].shape, dim, start, length, step),)

def region_grad_backward(node, ddx):
    region_stride = node.attrs[1]
    elements = node.attrs[2]
    return (_C.region(ddx, node.metas[0].shape, region_stride, elements),)

def as_strided_backward(node, dout):
    size = node.attrs[0]
    stride = node.attrs[1]
    elements = node.attrs[2]
    return (_C.as_strided_grad(dout, node.metas[0].shape, node.metas[0].stride, size, stride, elements),)

def diagonal_backward(node, dout):
    offset = node.attrs[0]
    dim1 = node.attrs[1]
    dim2 = node.attrs[2]
    return (_C.diagonal_grad(dout, node.metas[0].shape, offset, dim1, dim2),)

def unfold_tensor_backward(node, dy):
    dim = node.attrs[0]
    size = node.attrs[1]
    step = node.attrs[2]
    return (_C.unfold_tensor_grad(dy, node.metas[0].shape, dim, size, step),)

def flip_backward(node, dout):
    dims = node.attrs[0]
    return (_C.flip(dout, dims),)

def view_as_real_backward(node, dout):
    return (_C.complex_of_pairs(dout),)

def view_as_complex_backward(node, dout):
    return (_C.pairs_of_complex(dout),)

def contiguous_copy_backward(node, dout):
    return (dout,)

def cat_backward(node, dout):
    dim = node.attrs[0]
    sizes = node.attrs[1]
    dtensors = _C.split(dout, sizes, dim)
    return (*dtensors,)

def pad_edges_backward(node, dout):
    dim = node.attrs[0]
    before = node.attrs[1]
    after = node.attrs[2]
    mode = node.attrs[3]
    return (_C.pad_edges_grad(dout, dim, before, after, mode),)

def pad_edges_grad_backward(node, ddx):
    dim = node.attrs[0]
    before = node.attrs[1]
    after = node.attrs[2]
    mode = node.attrs[3]
    return (_C.pad_edges(ddx, dim, before, after, mode),)

def cast_backward(node, dy):
    return (_C.cast(dy, node.metas[0].dtype),)

def clone_backward(node, dout):
    return (dout,)

def copy__backward(node, dout):
    needs = node.needs
    dinput = dother = None
    if needs[0]:
        dinput = _C.zeros_like(dout)
    if needs[1]:
        dother = _C.cast(_C.sum_to(dout, node.metas[1].shape), node.metas[1].dtype)
    return (dinput, dother)

def fill__backward(node, dout):
    return (_C.zeros_like(dout),)

def masked_fill_backward(node, dout):
    needs = node.needs
    dinput = None
    if needs[0]:
        mask = node.saved(0)
        dinput = _C.where(mask, 0, dout)
    return (dinput, None)

def index_get_backward(node, dout):
    dim = node.attrs[0]
    wrap = node.attrs[1]
    needs = node.needs
    dinput = None
    if needs[0]:
        indices = node.saved_list(0)
        dinput = _C.index_get_grad(dout, indices, node.metas[0].shape, dim, wrap, node.metas[0].sbp)
    return (dinput, *(None,) * (len(node.metas) - 1))

def index_get_grad_backward(node, ddx):
    dim = node.attrs[1]
    wrap = node.attrs[2]
    needs = node.needs
    ddy = None
    if needs[0]:
        indices = node.saved_list(0)
        ddy = _C.index_get(ddx, indices, dim, wrap)
    return (ddy, *(None,) * (len(node.metas) - 1))

def embedding_sum_backward(node, dout):
    padding = node.attrs[0]
    scale = node.dynamic[0]
    needs = node.needs
    dweight = dplaces = None
    if needs[1]:
        tokens = node.saved(0)
        dweight = _C.embedding_sum_grad_weight(dout, tokens, node.metas[1].shape, padding, scale, node.metas[1].sbp)
    if needs[2]:
        tokens = node.saved(0)
        positions = node.saved(1)
        dplaces = _C.embedding_sum_grad_positions(dout, tokens, node.metas[2].shape, node.metas[2].sbp, positions)
    return (None, dweight, dplaces, None)

def index_put_backward(node, dout):
    dim = node.attrs[0]
    accumulate = node.attrs[1]
    wrap = node.attrs[2]
    needs = node.needs
    dinput = dvalue = None
    if needs[0]:
        indices = node.saved_list(0)
        dinput = _C.index_put_grad(dout, indices, dim, accumulate)
    if needs[1]:
        indices = node.saved_list(0)
        dvalue = _C.index_get(dout, indices, dim, wrap)
    return (dinput, dvalue, *(None,) * (len(node.metas) - 2))

def gather_backward(node, dout):
    dim = node.attrs[0]
    needs = node.needs
    dinput = None
    if needs[0]:
        index = node.saved(0)
        dinput = _C.gather_grad(dout, dim, index, node.metas[0].shape)
    return (dinput, None)

def scatter_backward(node, dout):
    dim = node.attrs[0]
    accumulate = node.attrs[1]
    needs = node.needs
    dinput = dsrc = None
    if needs[0]:
        index = node.saved(0)
        dinput = _C.scatter_grad(dout, dim, index, accumulate)
    if needs[1]:
        index = node.saved(0)
        dsrc = _C.scatter_source_grad(dout, dim, index, node.metas[1].shape)
    return (dinput, dsrc, None)

def scatter_fold_backward(node, dout):
    dim = node.attrs[0]
    fold = node.attrs[1]
    include_self = node.attrs[2]
    needs = node.needs
    dinput = dsrc = None
    if needs[0] or needs[1]:
        input = node.saved(0)
        src = node.saved(1)
        index = node.saved(2)
        out = node.saved(3)
        dinput, dsrc = _C.scatter_fold_grad(dout, input, src, index, out, dim, fold, include_self)
    return (dinput, dsrc, None)

def grid_sample_points_backward(node, dy):
    image = node.attrs[0]
    mode = node.attrs[1]
    padding = node.attrs[2]
    aligned = node.attrs[3]
    orders = node.attrs[4]
    needs = node.needs
    dx = dgrid = None
    if needs[0]:
        grid = node.saved(1)
        dx = _C.grid_sample_spread(dy, grid, image, mode, padding, aligned, orders)
    if needs[1]:
        x = node.saved(0)
        grid = node.saved(1)
        dgrid = _C.grid_sample_slopes(dy, x, grid, image, mode, padding, aligned, orders)
    return (dx, dgrid)

def grid_sample_spread_backward(node, ddx):
    image = node.attrs[0]
    mode = node.attrs[1]
    padding = node.attrs[2]
    aligned = node.attrs[3]
    orders = node.attrs[4]
    needs = node.needs
    dgrad = dgrid = None
    if needs[0]:
        grid = node.saved(1)
        dgrad = _C.grid_sample_points(ddx, grid, image, mode, padding, aligned, orders)
    if needs[1]:
        grad = node.saved(0)
        grid = node.saved(1)
        dgrid = _C.grid_sample_slopes(grad, ddx, grid, image, mode, padding, aligned, orders)
    return (dgrad, dgrid)

def grid_sample_slopes_backward(node, dslopes):
    image = node.attrs[0]
    mode = node.attrs[1]
    padding = node.attrs[2]
    aligned = node.attrs[3]
    orders = node.attrs[4]
    needs = node.needs
    dgrad = dx = dgrid = None
    if needs[0] or needs[1] or needs[2]:
        grad = node.saved(0)
        x = node.saved(1)
        grid = node.saved(2)
        dgrad, dx, dgrid = _C.grid_sample_slopes_grad(dslopes, grad, x, grid, image, mode, padding, aligned, orders,
                node.needs[0], node.needs[1], node.needs[2])
    return (dgrad, dx, dgrid)

def tril_backward(node, dout):
    diagonal = node.attrs[0]
    return (_C.tril(dout, diagonal),)

def triu_backward(node, dout):
    diagonal = node.attrs[0]
    return (_C.triu(dout, diagonal),)

def random_gamma_backward(node, dout):
    needs = node.needs
    dconcentration = None
    if needs[0]:
        concentration = node.saved(0)
        out = node.saved(1)
        if is_grad_enabled():
            dconcentration = dout * _C.standard_gamma_grad(concentration, out)
        else:
            dconcentration = dispatch3(_random_gamma_backward_concentration, dout, concentration, out)
    return (dconcentration, None)

def random_dropout_backward(node, dy, dkept):
    if dy is None:
        return (None, None)
    if dy is None:
        dy = node.zeros(0)
    scale = node.dynamic[1]
    needs = node.needs
    dx = None
    if needs[0]:
        kept = node.saved(0)
        if is_grad_enabled():
            dx = dy * kept * scale
        else:
            dx = dispatch(_random_dropout_backward_x, (dy, kept), (), (scale,))
    return (dx, None)

def cast_to_consistent_backward(node, dout):
    placement = node.attrs[0]
    through = node.attrs[2]
    grad_sbp = node.attrs[3]
    return (_C.to_local(_C.to_global(_C.to_global(dout, placement, through), placement, grad_sbp)),)

def consistent_to_consistent_backward(node, dout):
    grad_placement = node.attrs[2]
    grad_sbp = node.attrs[3]
    return (_C.to_global(dout, grad_placement, grad_sbp),)

def cast_from_consistent_backward(node, dout):
    shape = node.attrs[0]
    placement = node.attrs[1]
    grad_sbp = node.attrs[2]
    return (_C.local_to_global(dout, placement, grad_sbp, shape),)

def leaky_relu_inplace_backward(node, dy):
    alpha = node.dynamic[0]
    y = node.saved(0)
    if is_grad_enabled():
        dx = _C.where(y > 0, dy, dy * alpha)
    else:
        dx = dispatch(_leaky_relu_inplace_backward_x, (dy, y), (), (alpha,))
    return (dx,)

def hardtanh_inplace_backward(node, dy):
    min_val = node.dynamic[0]
    max_val = node.dynamic[1]
    y = node.saved(0)
    if is_grad_enabled():
        dx = _C.where((y <= min_val) | (y >= max_val), 0, dy)
    else:
        dx = dispatch(_hardtanh_inplace_backward_x, (dy, y), (), (min_val, max_val))
    return (dx,)

"""Derivatives: formulas over `_C`, and one kernel each where grad mode is off.

Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit.
"""

from tritonflow import _C
from tritonflow.functional.derivatives import Derivative
from tritonflow.interpreter.dispatch import dispatch, dispatch2
from tritonflow.interpreter.grad_mode import is_grad_enabled
from tritonflow.interpreter.op_expr import op_expr

_div_backward_other = op_expr("div_backward_other")
_pow_backward_exponent = op_expr("pow_backward_exponent")
_pow_backward_input = op_expr("pow_backward_input")
_random_dropout_backward_x = op_expr("random_dropout_backward_x")
_relu_backward_x = op_expr("relu_backward_x")
_scalar_div_reversed_backward_other = op_expr("scalar_div_reversed_backward_other")
_scalar_pow_backward_input = op_expr("scalar_pow_backward_input")
_scalar_pow_reversed_backward_exponent = op_expr("scalar_pow_reversed_backward_exponent")
_scalar_sub_reversed_backward_input = op_expr("scalar_sub_reversed_backward_input")
_sub_scaled_backward_other = op_expr("sub_scaled_backward_other")


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
            dother = dispatch(_sub_scaled_backward_other, (dout,), (), (alpha,))
    return (dinput, dother)


def scalar_sub_backward(node, dout):
    return (dout,)


def scalar_sub_reversed_backward(node, dout):
    alpha = node.dynamic[1]
    if is_grad_enabled():
        dinput = -dout * alpha
    else:
        dinput = dispatch(_scalar_sub_reversed_backward_input, (dout,), (), (alpha,))
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
        other = node.saved(0)
        dinput = dout / other
    if needs[1]:
        other = node.saved(0)
        out = node.saved(1)
        if is_grad_enabled():
            dother = -dout * out / other
        else:
            dother = dispatch(_div_backward_other, (dout, other, out))
    return (dinput, dother)


def scalar_div_backward(node, dout):
    other = node.dynamic[0]
    return (dout / other,)


def scalar_div_reversed_backward(node, dout):
    other = node.saved(0)
    out = node.saved(1)
    if is_grad_enabled():
        dother = -dout * out / other
    else:
        dother = dispatch(_scalar_div_reversed_backward_other, (dout, other, out))
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
            dinput = dispatch(_pow_backward_input, (dout, input, exponent))
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


def exp_backward(node, dy):
    y = node.saved(0)
    return (dy * y,)


def log_backward(node, dy):
    x = node.saved(0)
    return (dy / x,)


def relu_backward(node, dy):
    y = node.saved(0)
    if is_grad_enabled():
        dx = dy * (y > 0)
    else:
        dx = dispatch2(_relu_backward_x, dy, y)
    return (dx,)


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


def matmul_backward(node, dout):
    transpose_a = node.attrs[0]
    transpose_b = node.attrs[1]
    needs = node.needs
    dinput = dother = None
    if needs[0]:
        other = node.saved(1)
        dinput = (
            _C.matmul(other, dout, transpose_b, True) if transpose_a else _C.matmul(dout, other, False, not transpose_b)
        )
    if needs[1]:
        input = node.saved(0)
        dother = (
            _C.matmul(dout, input, True, transpose_a) if transpose_b else _C.matmul(input, dout, not transpose_a, False)
        )
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


def cross_entropy_backward(node, dout, dlse, dparts):
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
        lse = node.saved(3)
        parts = node.saved(4)
        dinput = _C.cross_entropy_grad(
            dout, input, target, lse, parts, weight, reduction, ignore_index, smooth, label_smoothing
        )
    return (dinput, None, None)


def nll_loss_backward(node, dout, dparts):
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
        parts = node.saved(2)
        dinput = _C.nll_loss_grad(dout, target, parts, weight, node.metas[0].shape, reduction, ignore_index)
    return (dinput, None, None)


def nll_loss_grad_backward(node, ddx):
    reduction = node.attrs[1]
    ignore_index = node.attrs[2]
    needs = node.needs
    dgrad = None
    if needs[0]:
        target = node.saved(0)
        weight = node.saved(1)
        dgrad = _C.nll_loss(ddx, target, weight, ignore_index, reduction)
    return (dgrad, None, None, None)


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


def avg_pool2d_backward(node, dy):
    kernel_size = node.attrs[0]
    stride = node.attrs[1]
    padding = node.attrs[2]
    ceil_mode = node.attrs[3]
    count_include_pad = node.attrs[4]
    divisor_override = node.attrs[5]
    return (
        _C.avg_pool_grad(
            dy, node.metas[0].shape, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override
        ),
    )


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
    if needs[0]:
        input = node.saved(0)
        weight = node.saved(1)
        mean = node.saved(2)
        rstd = node.saved(3)
        dinput = _C.layer_norm_grad(dy, input, mean, rstd, weight, dims, center, eps)
    if needs[1] or needs[2]:
        input = node.saved(0)
        mean = node.saved(2)
        rstd = node.saved(3)
        dweight, dbias = _C.layer_norm_param_grad(dy, input, mean, rstd, dims, node.metas[0].dtype, center, eps)
    return (dinput, dweight, dbias)


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


def index_put_backward(node, dout):
    dim = node.attrs[0]
    accumulate = node.attrs[1]
    needs = node.needs
    dinput = dvalue = None
    if needs[0]:
        indices = node.saved_list(0)
        dinput = _C.index_put_grad(dout, indices, dim, accumulate)
    if needs[1]:
        indices = node.saved_list(0)
        dvalue = _C.index_get(dout, indices, dim)
    return (dinput, dvalue, *(None,) * (len(node.metas) - 2))


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
    return (_C.reshape(dout, node.metas[0].shape),)


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
    return (_C.as_strided_grad(dout, node.metas[0].shape, size, stride, elements),)


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


def contiguous_copy_backward(node, dout):
    return (dout,)


def cat_backward(node, dout):
    dim = node.attrs[0]
    sizes = node.attrs[1]
    dtensors = _C.split(dout, sizes, dim)
    return (*dtensors,)


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


def sum_backward(node, dout):
    dim = node.attrs[0]
    keepdim = node.attrs[1]
    return (_C.cast(_C.expand_reduced(dout, node.metas[0].shape, dim, keepdim), node.metas[0].dtype),)


def nansum_backward(node, dout):
    dim = node.attrs[0]
    keepdim = node.attrs[1]
    input = node.saved(0)
    return (
        _C.cast(_C.expand_reduced(dout, node.metas[0].shape, dim, keepdim), node.metas[0].dtype)
        * _C.cast(_C.logical_not(_C.isnan(input)), node.metas[0].dtype),
    )


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


def max_dim_backward(node, dvalues, dindices):
    if dvalues is None:
        return (None,)
    if dvalues is None:
        dvalues = node.zeros(0)
    dim = node.attrs[0]
    keepdim = node.attrs[1]
    indices = node.saved(0)
    return (_C.indexed_extremum_grad(dvalues, indices, node.metas[0].shape, dim, keepdim),)


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
    return (
        _C.var_grad(dvar, input, dim, correction, keepdim) + _C.mean_grad(dmean, node.metas[0].shape, dim, keepdim),
    )


def norm_backward(node, dout):
    order = node.attrs[0]
    dim = node.attrs[1]
    keepdim = node.attrs[2]
    input = node.saved(0)
    out = node.saved(1)
    return (_C.norm_grad(dout, input, out, order, dim, keepdim),)


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
        dinput = _C.index_get_grad(dout, indices, node.metas[0].shape, dim, wrap)
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


DERIVATIVES: dict[str, Derivative] = {
    "add": add_backward,
    "add_scaled": add_scaled_backward,
    "scalar_add": scalar_add_backward,
    "sub": sub_backward,
    "sub_scaled": sub_scaled_backward,
    "scalar_sub": scalar_sub_backward,
    "scalar_sub_reversed": scalar_sub_reversed_backward,
    "mul": mul_backward,
    "scalar_mul": scalar_mul_backward,
    "div": div_backward,
    "scalar_div": scalar_div_backward,
    "scalar_div_reversed": scalar_div_reversed_backward,
    "pow": pow_backward,
    "scalar_pow": scalar_pow_backward,
    "scalar_pow_reversed": scalar_pow_reversed_backward,
    "exp": exp_backward,
    "log": log_backward,
    "relu": relu_backward,
    "where": where_backward,
    "where_scalar_x": where_scalar_x_backward,
    "where_scalar_y": where_scalar_y_backward,
    "matmul": matmul_backward,
    "linear": linear_backward,
    "softmax": softmax_backward,
    "softmax_grad": softmax_grad_backward,
    "log_softmax": log_softmax_backward,
    "log_softmax_grad": log_softmax_grad_backward,
    "cross_entropy": cross_entropy_backward,
    "nll_loss": nll_loss_backward,
    "nll_loss_grad": nll_loss_grad_backward,
    "conv2d": conv2d_backward,
    "conv_data_grad": conv_data_grad_backward,
    "conv_filter_grad": conv_filter_grad_backward,
    "max_pool2d": max_pool2d_backward,
    "max_pool_grad": max_pool_grad_backward,
    "avg_pool2d": avg_pool2d_backward,
    "avg_pool_grad": avg_pool_grad_backward,
    "adaptive_avg_pool2d": adaptive_avg_pool2d_backward,
    "adaptive_avg_pool_grad": adaptive_avg_pool_grad_backward,
    "layer_norm": layer_norm_backward,
    "batch_norm": batch_norm_backward,
    "batch_norm_eval": batch_norm_eval_backward,
    "index_put": index_put_backward,
    "view": view_backward,
    "permute": permute_backward,
    "expand": expand_backward,
    "squeeze": squeeze_backward,
    "unsqueeze": unsqueeze_backward,
    "select": select_backward,
    "slice": slice_backward,
    "region_grad": region_grad_backward,
    "as_strided": as_strided_backward,
    "diagonal": diagonal_backward,
    "unfold_tensor": unfold_tensor_backward,
    "contiguous_copy": contiguous_copy_backward,
    "cat": cat_backward,
    "cast": cast_backward,
    "clone": clone_backward,
    "copy_": copy__backward,
    "fill_": fill__backward,
    "sum": sum_backward,
    "nansum": nansum_backward,
    "mean": mean_backward,
    "prod": prod_backward,
    "amax": amax_backward,
    "amin": amin_backward,
    "max_dim": max_dim_backward,
    "min_dim": min_dim_backward,
    "var": var_backward,
    "std": std_backward,
    "var_mean": var_mean_backward,
    "norm": norm_backward,
    "masked_fill": masked_fill_backward,
    "index_get": index_get_backward,
    "index_get_grad": index_get_grad_backward,
    "gather": gather_backward,
    "scatter": scatter_backward,
    "random_dropout": random_dropout_backward,
}

INPLACE_DERIVATIVES: dict[str, Derivative] = {}

"""What composite ops are made of: formulas over `_C`, None where there are none.

Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
"""

from tritonflow import _C


def batch_norm(inputs, attrs, dynamic):
    input = inputs[0]
    weight = inputs[1]
    bias = inputs[2]
    running_mean = inputs[3]
    running_var = inputs[4]
    momentum = dynamic[0]
    eps = dynamic[1]
    by_channel = [1, -1] + [1] * (input.meta.ndim - 2)
    mean, rstd = _C.batch_norm_statistics(input, running_mean, running_var, momentum, eps)
    deviation = _C.expand(_C.reshape(rstd, by_channel), input.meta.shape)
    scale = deviation if weight is None else deviation * _C.reshape(weight, by_channel)
    scaled = (input - _C.reshape(mean, by_channel)) * scale
    y = _C.cast(scaled if bias is None else scaled + _C.reshape(bias, by_channel), input.meta.dtype)
    return (y, mean, rstd)


def batch_norm_eval(inputs, attrs, dynamic):
    input = inputs[0]
    weight = inputs[1]
    bias = inputs[2]
    running_mean = inputs[3]
    running_var = inputs[4]
    eps = dynamic[0]
    by_channel = [1, -1] + [1] * (input.meta.ndim - 2)
    rstd = _C.rsqrt(running_var + eps)
    scale = rstd if weight is None else rstd * weight
    scaled = (input - _C.reshape(running_mean, by_channel)) * _C.reshape(scale, by_channel)
    y = _C.cast(scaled if bias is None else scaled + _C.reshape(bias, by_channel), input.meta.dtype)
    return (y, rstd)


def batch_norm_grad(inputs, attrs, dynamic):
    grad = inputs[0]
    x = inputs[1]
    mean = inputs[2]
    rstd = inputs[3]
    weight = inputs[4]
    training = attrs[0]
    if not (training):
        return None
    by_channel = [1, -1] + [1] * (x.meta.ndim - 2)
    product, total = _C.batch_norm_sums(grad, x, mean, rstd)
    deviation = _C.expand(_C.reshape(rstd, by_channel), x.meta.shape)
    scale = deviation if weight is None else deviation * _C.reshape(weight, by_channel)
    xhat = (x - _C.reshape(mean, by_channel)) * deviation
    share = (_C.reshape(total, by_channel) + xhat * _C.reshape(product, by_channel)) / (x.meta.numel // x.meta.shape[1])
    dx = _C.cast((grad - share) * scale, x.meta.dtype)
    dweight = product if weight is None else _C.cast(product, weight.meta.dtype)
    dbias = total if weight is None else _C.cast(total, weight.meta.dtype)
    return (dx, dweight, dbias)


def copy_(inputs, attrs, dynamic):
    input = inputs[0]
    other = inputs[1]
    out = _C.clone(_C.cast(_C.expand(other, input.meta.shape), input.meta.dtype))
    return (out,)

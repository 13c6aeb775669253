"""Functions of the binding: norm.

Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow._C import return_types as _return_types
from tritonflow.dtypes import DType as _DType
from tritonflow.framework.size import Size as _Size
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.binding.arguments import Binding as _Binding, all_ints as _all_ints
from tritonflow.functions.generated import (add_layer_norm_grad as _add_layer_norm_grad,
        batch_norm_statistics as _batch_norm_statistics, batch_norm_sums as _batch_norm_sums)
from tritonflow.functions.norm import (add_layer_norm as _add_layer_norm, batch_norm as _batch_norm,
        batch_norm_grad as _batch_norm_grad, layer_norm as _layer_norm, layer_norm_grad as _layer_norm_grad,
        layer_norm_gradients as _layer_norm_gradients, layer_norm_param_grad as _layer_norm_param_grad,
        rms_norm_after_weight as _rms_norm_after_weight, add_layer_norm_gradients as _add_layer_norm_gradients,
        add_rms_norm as _add_rms_norm, group_norm as _group_norm, rms_norm as _rms_norm)
from tritonflow.functions.norm_native import (native_batch_norm as _native_batch_norm, native_group_norm as _native_group_norm,
        native_layer_norm as _native_layer_norm)
from tritonflow.functions.norm_vectors import (normalize_chosen as _normalize_chosen, instance_norm as _instance_norm,
        local_response_norm as _local_response_norm, normalize as _normalize)
from tritonflow.binding.library import publish as _publish
from tritonflow.binding.prototype import MISSING as _missing

_layer_norm_slow = _Binding("layer_norm",
        "Tensor (Tensor input, Shape normalized_shape, Tensor weight=None, Tensor bias=None, Double eps=1e-5)", _layer_norm,
        autocast="float32")
def layer_norm(input=_missing, normalized_shape=_missing, weight=None, bias=None, eps=1e-05, *extra, **unknown):
    """(input - mean) / sqrt(var + eps) * weight + bias over the last dimensions.

    Mean and variance are those of each sample over the dimensions of normalized_shape; the variance is
    not corrected. After Ba, Kiros and Hinton, Layer normalization, 2016.

    Args:
        input: the input.
        normalized_shape: the last sizes of the input, over which it is normalised.
        weight: a factor for each element, of that shape.
        bias: an addend for each element, of that shape.
        eps: a small number that keeps a divisor away from 0.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., normalized_shape) -> the same.

    Dtypes:
        The operands are floating.

    Differentiable. Under `flow.autocast` it computes in float32.

    Raises:
        RuntimeError: the input does not end with normalized_shape, or a weight or bias of another shape.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.layer_norm.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.tensor([[1.0, 3.0], [10.0, 30.0]])
        >>> flow.layer_norm(x, (2,))
        tensor([[-1.0000,  1.0000],
                [-1.0000,  1.0000]])
        >>> flow.layer_norm(x, (2,), weight=flow.tensor([1.0, 2.0]), bias=5 * flow.ones(2))
        tensor([[4.0000, 7.0000],
                [4.0000, 7.0000]])
    """
    if (input.__class__ is _Tensor and
            (normalized_shape.__class__ is _Size or (normalized_shape.__class__ is tuple or normalized_shape.__class__ is list)
            and _all_ints(normalized_shape)) and (weight is None or weight.__class__ is _Tensor) and
            (bias is None or bias.__class__ is _Tensor) and eps.__class__ is float and not extra and not unknown):
        return _layer_norm(input, tuple(normalized_shape) if normalized_shape.__class__ is list else normalized_shape, weight,
                bias, eps)
    return _layer_norm_slow((input, normalized_shape, weight, bias, eps), extra, unknown)

_layer_norm_grad_slow = _Binding("layer_norm_grad",
        "Tensor (Tensor grad, Tensor x, Tensor mean, Tensor rstd, Tensor weight=None, Int32 dims=1, Bool center=True, Double eps=1e-5)",
        _layer_norm_grad)
def layer_norm_grad(grad=_missing, x=_missing, mean=_missing, rstd=_missing, weight=None, dims=1, center=True, eps=1e-05, *extra,
        **unknown):
    """the gradient of layer_norm's input"""
    if (grad.__class__ is _Tensor and x.__class__ is _Tensor and mean.__class__ is _Tensor and rstd.__class__ is _Tensor and
            (weight is None or weight.__class__ is _Tensor) and dims.__class__ is int and (center is True or center is False) and
            eps.__class__ is float and not extra and not unknown):
        return _layer_norm_grad(grad, x, mean, rstd, weight, dims, center, eps)
    return _layer_norm_grad_slow((grad, x, mean, rstd, weight, dims, center, eps), extra, unknown)

_layer_norm_gradients_slow = _Binding("layer_norm_gradients",
        "TensorTuple (Tensor grad, Tensor x, Tensor mean, Tensor rstd, Tensor weight=None, Int32 dims=1, DataType dtype=None, Bool center=True, Double eps=1e-5, Bool of_input=True, Bool of_parameters=True)",
        _layer_norm_gradients)
def layer_norm_gradients(grad=_missing, x=_missing, mean=_missing, rstd=_missing, weight=None, dims=1, dtype=None, center=True,
        eps=1e-05, of_input=True, of_parameters=True, *extra, **unknown):
    """all gradients of layer_norm by one op, which reads dy and input once; what is added belongs to that of the input"""
    if (grad.__class__ is _Tensor and x.__class__ is _Tensor and mean.__class__ is _Tensor and rstd.__class__ is _Tensor and
            (weight is None or weight.__class__ is _Tensor) and dims.__class__ is int and
            (dtype is None or dtype.__class__ is _DType) and (center is True or center is False) and eps.__class__ is float and
            (of_input is True or of_input is False) and (of_parameters is True or of_parameters is False) and not extra and
            not unknown):
        return _layer_norm_gradients(grad, x, mean, rstd, weight, dims, dtype, center, eps, of_input, of_parameters)
    return _layer_norm_gradients_slow((grad, x, mean, rstd, weight, dims, dtype, center, eps, of_input, of_parameters), extra,
            unknown)

_layer_norm_param_grad_slow = _Binding("layer_norm_param_grad",
        "TensorTuple (Tensor grad, Tensor x, Tensor mean, Tensor rstd, Int32 dims, DataType dtype, Bool center=True, Double eps=1e-5)",
        _layer_norm_param_grad)
def layer_norm_param_grad(grad=_missing, x=_missing, mean=_missing, rstd=_missing, dims=_missing, dtype=_missing, center=True,
        eps=1e-05, *extra, **unknown):
    """the gradients of layer_norm's weight and bias"""
    if (grad.__class__ is _Tensor and x.__class__ is _Tensor and mean.__class__ is _Tensor and rstd.__class__ is _Tensor and
            dims.__class__ is int and dtype.__class__ is _DType and (center is True or center is False) and eps.__class__ is float
            and not extra and not unknown):
        return _layer_norm_param_grad(grad, x, mean, rstd, dims, dtype, center, eps)
    return _layer_norm_param_grad_slow((grad, x, mean, rstd, dims, dtype, center, eps), extra, unknown)

_add_layer_norm_slow = _Binding("add_layer_norm",
        "TensorTuple[normed, sum] (Tensor input, Tensor residual, Shape normalized_shape, Tensor weight=None, Tensor bias=None, Double eps=1e-5)",
        _add_layer_norm, result=_return_types.add_layer_norm)
def add_layer_norm(input=_missing, residual=_missing, normalized_shape=_missing, weight=None, bias=None, eps=1e-05, *extra,
        **unknown):
    """layer_norm of input + residual, and the sum: what stands between two layers of a transformer.

    The sum is rounded to its dtype, and what is normalised is that; sums over a row are in float32, of
    float64 in float64. Both results are made in one pass, and so is the gradient of the sum.

    Args:
        input: what a layer has made.
        residual: what it is added to, of the same shape and dtype.
        normalized_shape: the last sizes of the input, over which it is normalised.
        weight: a factor for each element, of that shape.
        bias: an addend for each element, of that shape.
        eps: a small number that keeps a divisor away from 0.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., normalized_shape), the same -> the same, the same.

    Dtypes:
        `residual`, `weight` and `bias`: floating.

    Returns:
        A named tuple `(normed, sum)`.

    Differentiable.

    Raises:
        RuntimeError: the input does not end with normalized_shape, a weight or bias of another shape, or a
            residual of another shape or dtype.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: oneflow._C.skip_layer_norm.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> normed, total = F.add_layer_norm(flow.tensor([[1.0, 20.0]]), flow.tensor([[0.0, 10.0]]), (2,))
        >>> normed, total
        (tensor([[-1.0000,  1.0000]]), tensor([[ 1., 30.]]))
    """
    if (input.__class__ is _Tensor and residual.__class__ is _Tensor and
            (normalized_shape.__class__ is _Size or (normalized_shape.__class__ is tuple or normalized_shape.__class__ is list)
            and _all_ints(normalized_shape)) and (weight is None or weight.__class__ is _Tensor) and
            (bias is None or bias.__class__ is _Tensor) and eps.__class__ is float and not extra and not unknown):
        return _return_types.add_layer_norm(*_add_layer_norm(input, residual, tuple(normalized_shape) if
                normalized_shape.__class__ is list else normalized_shape, weight, bias, eps))
    return _add_layer_norm_slow((input, residual, normalized_shape, weight, bias, eps), extra, unknown)

_add_layer_norm_grad_slow = _Binding("add_layer_norm_grad",
        "Tensor (Tensor grad, Tensor x, Tensor mean, Tensor rstd, Tensor weight, Tensor added, Int32 dims, Bool center)",
        _add_layer_norm_grad)
def add_layer_norm_grad(grad=_missing, x=_missing, mean=_missing, rstd=_missing, weight=_missing, added=_missing, dims=_missing,
        center=_missing, *extra, **unknown):
    """the gradient of a sum that add_layer_norm makes"""
    if (grad.__class__ is _Tensor and x.__class__ is _Tensor and mean.__class__ is _Tensor and rstd.__class__ is _Tensor and
            weight.__class__ is _Tensor and added.__class__ is _Tensor and dims.__class__ is int and
            (center is False or center is True) and not extra and not unknown):
        return _add_layer_norm_grad(grad, x, mean, rstd, weight, added, dims, center)
    return _add_layer_norm_grad_slow((grad, x, mean, rstd, weight, added, dims, center), extra, unknown)

_batch_norm_slow = _Binding("batch_norm",
        "Tensor (Tensor input, Tensor running_mean=None, Tensor running_var=None, Tensor weight=None, Tensor bias=None, Bool training=False, Double momentum=0.1, Double eps=1e-5)",
        _batch_norm)
def batch_norm(input=_missing, running_mean=None, running_var=None, weight=None, bias=None, training=False, momentum=0.1,
        eps=1e-05, *extra, **unknown):
    """(input - mean) / sqrt(var + eps) * weight + bias by channel, with the batch's statistics or running ones.

    In training mean and variance are those of each channel over the batch and all positions, and the
    running ones move, in place:

        running = (1 - momentum) * running + momentum * batch

    The running variance takes the corrected one of the batch, divided by n - 1. After Ioffe and
    Szegedy, Batch normalization, 2015.

    Args:
        input: the input.
        running_mean: the mean of each channel, used unless training.
        running_var: the variance of each channel, used unless training.
        weight: a factor for each channel.
        bias: an addend for each channel.
        training: whether the batch's statistics are used.
        momentum: how far the running statistics move.
        eps: a small number that keeps a divisor away from 0.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C, ...) -> the same.

    Dtypes:
        `input`, `weight`, `bias`, `running_mean` and `running_var`: floating.

    Differentiable.

    Raises:
        RuntimeError: fewer than 2 dimensions, tensors that are not (C), or no running statistics outside of
            training.
        ValueError: a single value for each channel in training, or an eps in training that is not positive.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.batch_norm.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> x, mean, var = flow.tensor([[1.0], [3.0]]), flow.zeros(1), flow.ones(1)
        >>> F.batch_norm(x, mean, var, training=True)
        tensor([[-1.0000],
                [ 1.0000]])
        >>> mean, var  # moved by a tenth towards 2 and 2
        (tensor([0.2000]), tensor([1.1000]))
    """
    if (input.__class__ is _Tensor and (running_mean is None or running_mean.__class__ is _Tensor) and
            (running_var is None or running_var.__class__ is _Tensor) and (weight is None or weight.__class__ is _Tensor) and
            (bias is None or bias.__class__ is _Tensor) and (training is False or training is True) and
            momentum.__class__ is float and eps.__class__ is float and not extra and not unknown):
        return _batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)
    return _batch_norm_slow((input, running_mean, running_var, weight, bias, training, momentum, eps), extra, unknown)

_batch_norm_statistics_slow = _Binding("batch_norm_statistics",
        "TensorTuple (Tensor input, Tensor running_mean=None, Tensor running_var=None, Double momentum=0.1, Double eps=1e-5)",
        _batch_norm_statistics)
def batch_norm_statistics(input=_missing, running_mean=None, running_var=None, momentum=0.1, eps=1e-05, *extra, **unknown):
    """mean and 1 / sqrt(var + eps) by channel of a batch; running statistics move by `momentum`"""
    if (input.__class__ is _Tensor and (running_mean is None or running_mean.__class__ is _Tensor) and
            (running_var is None or running_var.__class__ is _Tensor) and momentum.__class__ is float and eps.__class__ is float
            and not extra and not unknown):
        return _batch_norm_statistics(input, running_mean, running_var, momentum, eps)
    return _batch_norm_statistics_slow((input, running_mean, running_var, momentum, eps), extra, unknown)

_batch_norm_grad_slow = _Binding("batch_norm_grad",
        "TensorTuple (Tensor grad, Tensor x, Tensor mean, Tensor rstd, Tensor weight=None, Bool training=True, Double eps=1e-5)",
        _batch_norm_grad)
def batch_norm_grad(grad=_missing, x=_missing, mean=_missing, rstd=_missing, weight=None, training=True, eps=1e-05, *extra,
        **unknown):
    """the gradients of batch_norm's input, weight and bias"""
    if (grad.__class__ is _Tensor and x.__class__ is _Tensor and mean.__class__ is _Tensor and rstd.__class__ is _Tensor and
            (weight is None or weight.__class__ is _Tensor) and (training is True or training is False) and eps.__class__ is float
            and not extra and not unknown):
        return _batch_norm_grad(grad, x, mean, rstd, weight, training, eps)
    return _batch_norm_grad_slow((grad, x, mean, rstd, weight, training, eps), extra, unknown)

_batch_norm_sums_slow = _Binding("batch_norm_sums", "TensorTuple (Tensor grad, Tensor x, Tensor mean, Tensor rstd)",
        _batch_norm_sums)
def batch_norm_sums(grad=_missing, x=_missing, mean=_missing, rstd=_missing, *extra, **unknown):
    """the sums of grad * (x - mean) * rstd and of grad by channel"""
    if (grad.__class__ is _Tensor and x.__class__ is _Tensor and mean.__class__ is _Tensor and rstd.__class__ is _Tensor and
            not extra and not unknown):
        return _batch_norm_sums(grad, x, mean, rstd)
    return _batch_norm_sums_slow((grad, x, mean, rstd), extra, unknown)

_rms_norm_slow = _Binding("rms_norm", "Tensor (Tensor input, Shape normalized_shape, Tensor weight=None, Double eps=None)",
        _rms_norm, "Tensor (Tensor x, Tensor weight=None, Shape normalized_shape=None, Double epsilon=1e-6)",
        _rms_norm_after_weight)
def rms_norm(input=_missing, normalized_shape=_missing, weight=_missing, eps=_missing, *extra, x=_missing, epsilon=1e-06,
        **unknown):
    if (input.__class__ is _Tensor and
            (normalized_shape.__class__ is _Size or (normalized_shape.__class__ is tuple or normalized_shape.__class__ is list)
            and _all_ints(normalized_shape)) and weight is _missing and eps is _missing and x is _missing and
            epsilon.__class__ is float and epsilon == 1e-06 and not extra and not unknown):
        return _rms_norm(input, tuple(normalized_shape) if normalized_shape.__class__ is list else normalized_shape, None, None)
    return _rms_norm_slow((input, normalized_shape, weight, eps, x, epsilon), extra, unknown)

_add_rms_norm_slow = _Binding("add_rms_norm",
        "TensorTuple[normed, sum] (Tensor input, Tensor residual, Shape normalized_shape, Tensor weight=None, Double eps=None)",
        _add_rms_norm, result=_return_types.add_rms_norm)
def add_rms_norm(input=_missing, residual=_missing, normalized_shape=_missing, weight=None, eps=None, *extra, **unknown):
    if (input.__class__ is _Tensor and residual.__class__ is _Tensor and
            (normalized_shape.__class__ is _Size or (normalized_shape.__class__ is tuple or normalized_shape.__class__ is list)
            and _all_ints(normalized_shape)) and (weight is None or weight.__class__ is _Tensor) and
            (eps is None or eps.__class__ is float) and not extra and not unknown):
        return _return_types.add_rms_norm(*_add_rms_norm(input, residual, tuple(normalized_shape) if
                normalized_shape.__class__ is list else normalized_shape, weight, eps))
    return _add_rms_norm_slow((input, residual, normalized_shape, weight, eps), extra, unknown)

_add_layer_norm_gradients_slow = _Binding("add_layer_norm_gradients",
        "TensorTuple (Tensor grad, Tensor added, Tensor x, Tensor mean, Tensor rstd, Tensor weight=None, Int32 dims=1, DataType dtype=None, Bool center=True, Double eps=1e-5, Bool of_input=True, Bool of_parameters=True)",
        _add_layer_norm_gradients)
def add_layer_norm_gradients(grad=_missing, added=_missing, x=_missing, mean=_missing, rstd=_missing, weight=None, dims=1,
        dtype=None, center=True, eps=1e-05, of_input=True, of_parameters=True, *extra, **unknown):
    if (grad.__class__ is _Tensor and added.__class__ is _Tensor and x.__class__ is _Tensor and mean.__class__ is _Tensor and
            rstd.__class__ is _Tensor and (weight is None or weight.__class__ is _Tensor) and dims.__class__ is int and
            (dtype is None or dtype.__class__ is _DType) and (center is True or center is False) and eps.__class__ is float and
            (of_input is True or of_input is False) and (of_parameters is True or of_parameters is False) and not extra and
            not unknown):
        return _add_layer_norm_gradients(grad, added, x, mean, rstd, weight, dims, dtype, center, eps, of_input, of_parameters)
    return _add_layer_norm_gradients_slow((grad, added, x, mean, rstd, weight, dims, dtype, center, eps, of_input, of_parameters),
            extra, unknown)

_group_norm_slow = _Binding("group_norm",
        "Tensor (Tensor input, Int32 num_groups, Tensor weight=None, Tensor bias=None, Double eps=1e-5)", _group_norm,
        autocast="float32")
def group_norm(input=_missing, num_groups=_missing, weight=None, bias=None, eps=1e-05, *extra, **unknown):
    if (input.__class__ is _Tensor and num_groups.__class__ is int and (weight is None or weight.__class__ is _Tensor) and
            (bias is None or bias.__class__ is _Tensor) and eps.__class__ is float and not extra and not unknown):
        return _group_norm(input, num_groups, weight, bias, eps)
    return _group_norm_slow((input, num_groups, weight, bias, eps), extra, unknown)

_native_layer_norm_slow = _Binding("native_layer_norm",
        "TensorTuple (Tensor input, Shape normalized_shape, Tensor weight=None, Tensor bias=None, Double eps=1e-5)",
        _native_layer_norm, autocast="float32")
def native_layer_norm(input=_missing, normalized_shape=_missing, weight=None, bias=None, eps=1e-05, *extra, **unknown):
    if (input.__class__ is _Tensor and
            (normalized_shape.__class__ is _Size or (normalized_shape.__class__ is tuple or normalized_shape.__class__ is list)
            and _all_ints(normalized_shape)) and (weight is None or weight.__class__ is _Tensor) and
            (bias is None or bias.__class__ is _Tensor) and eps.__class__ is float and not extra and not unknown):
        return _native_layer_norm(input, tuple(normalized_shape) if normalized_shape.__class__ is list else normalized_shape,
                weight, bias, eps)
    return _native_layer_norm_slow((input, normalized_shape, weight, bias, eps), extra, unknown)

_native_group_norm_slow = _Binding("native_group_norm",
        "TensorTuple (Tensor input, Tensor weight=None, Tensor bias=None, Int32 N=None, Int32 C=None, Int32 HxW=None, Int32 group=1, Double eps=1e-5)",
        _native_group_norm, autocast="float32")
def native_group_norm(input=_missing, weight=None, bias=None, N=None, C=None, HxW=None, group=1, eps=1e-05, *extra, **unknown):
    if (input.__class__ is _Tensor and (weight is None or weight.__class__ is _Tensor) and
            (bias is None or bias.__class__ is _Tensor) and (N is None or N.__class__ is int) and
            (C is None or C.__class__ is int) and (HxW is None or HxW.__class__ is int) and group.__class__ is int and
            eps.__class__ is float and not extra and not unknown):
        return _native_group_norm(input, weight, bias, N, C, HxW, group, eps)
    return _native_group_norm_slow((input, weight, bias, N, C, HxW, group, eps), extra, unknown)

_native_batch_norm_slow = _Binding("native_batch_norm",
        "TensorTuple (Tensor input, Tensor weight=None, Tensor bias=None, Tensor running_mean=None, Tensor running_var=None, Bool training=False, Double momentum=0.1, Double eps=1e-5)",
        _native_batch_norm)
def native_batch_norm(input=_missing, weight=None, bias=None, running_mean=None, running_var=None, training=False, momentum=0.1,
        eps=1e-05, *extra, **unknown):
    if (input.__class__ is _Tensor and (weight is None or weight.__class__ is _Tensor) and
            (bias is None or bias.__class__ is _Tensor) and (running_mean is None or running_mean.__class__ is _Tensor) and
            (running_var is None or running_var.__class__ is _Tensor) and (training is False or training is True) and
            momentum.__class__ is float and eps.__class__ is float and not extra and not unknown):
        return _native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps)
    return _native_batch_norm_slow((input, weight, bias, running_mean, running_var, training, momentum, eps), extra, unknown)

_normalize_slow = _Binding("normalize",
        "Tensor (Tensor input, Double p=2.0, Int32List[1] dim=1, Double eps=1e-12, Tensor out=None)", _normalize,
        "Tensor (Tensor input, Double p=2.0, Int32 dim=1, Double eps=1e-12, *, Bool use_l2_norm_kernel)", _normalize_chosen)
def normalize(input=_missing, p=2.0, dim=_missing, eps=1e-12, out=None, *extra, use_l2_norm_kernel=_missing, **unknown):
    if (input.__class__ is _Tensor and p.__class__ is float and dim is _missing and eps.__class__ is float and
            (out is None or out.__class__ is _Tensor) and use_l2_norm_kernel is _missing and not extra and not unknown):
        return _normalize(input, p, (1,), eps, out)
    return _normalize_slow((input, p, dim, eps, out, use_l2_norm_kernel), extra, unknown)

_local_response_norm_slow = _Binding("local_response_norm",
        "Tensor (Tensor input, Int32 size, Double alpha=1e-4, Double beta=0.75, Double k=1.0)", _local_response_norm)
def local_response_norm(input=_missing, size=_missing, alpha=0.0001, beta=0.75, k=1.0, *extra, **unknown):
    if (input.__class__ is _Tensor and size.__class__ is int and alpha.__class__ is float and beta.__class__ is float and
            k.__class__ is float and not extra and not unknown):
        return _local_response_norm(input, size, alpha, beta, k)
    return _local_response_norm_slow((input, size, alpha, beta, k), extra, unknown)

_instance_norm_slow = _Binding("instance_norm",
        "Tensor (Tensor input, Tensor running_mean=None, Tensor running_var=None, Tensor weight=None, Tensor bias=None, Bool use_input_stats=True, Double momentum=0.1, Double eps=1e-5)",
        _instance_norm, autocast="float32")
def instance_norm(input=_missing, running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True, momentum=0.1,
        eps=1e-05, *extra, **unknown):
    if (input.__class__ is _Tensor and (running_mean is None or running_mean.__class__ is _Tensor) and
            (running_var is None or running_var.__class__ is _Tensor) and (weight is None or weight.__class__ is _Tensor) and
            (bias is None or bias.__class__ is _Tensor) and (use_input_stats is True or use_input_stats is False) and
            momentum.__class__ is float and eps.__class__ is float and not extra and not unknown):
        return _instance_norm(input, running_mean, running_var, weight, bias, use_input_stats, momentum, eps)
    return _instance_norm_slow((input, running_mean, running_var, weight, bias, use_input_stats, momentum, eps), extra, unknown)

_methods = _publish(globals())

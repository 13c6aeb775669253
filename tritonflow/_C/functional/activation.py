"""Functions of the binding: activation.

Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.binding.arguments import Binding as _Binding
from tritonflow.functions.activation import (celu as _celu, gelu as _gelu, hardtanh as _hardtanh, softshrink as _softshrink,
        threshold as _threshold)
from tritonflow.functions.activation_gates import (gated_gradients as _gated_gradients, geglu as _geglu, glu as _glu,
        prelu as _prelu, relu6 as _relu6, rrelu as _rrelu, swiglu as _swiglu, tanhshrink as _tanhshrink)
from tritonflow.functions.generated import (elu as _elu, gated_by_gelu as _gated_by_gelu,
        gated_by_gelu_tanh as _gated_by_gelu_tanh, gated_by_silu as _gated_by_silu, hardshrink as _hardshrink,
        hardsigmoid as _hardsigmoid, hardswish as _hardswish, leaky_relu as _leaky_relu, logistic as _logistic,
        logsigmoid as _logsigmoid, mish as _mish, mish_gate as _mish_gate, quick_gelu as _quick_gelu, relu as _relu,
        selu as _selu, sigmoid as _sigmoid, sigmoid_gate as _sigmoid_gate, silu as _silu, softplus as _softplus,
        softsign as _softsign, tanh as _tanh)
from tritonflow.binding.library import publish as _publish
from tritonflow.binding.prototype import MISSING as _missing

_tanh_slow = _Binding("tanh", "Tensor (Tensor x, Bool inplace=False)", _tanh, methods="tanh")
def tanh(x=_missing, inplace=False, *extra, **unknown):
    """The hyperbolic tangent.

    `out = (exp(x) - exp(-x)) / (exp(x) + exp(-x))`, in (-1, 1).

    Args:
        x: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        The result has the dtype of the input; integers and bool give the default dtype.

    Differentiable in `x`. Methods: `Tensor.tanh` and `Tensor.tanh_`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.tanh.

    Example:
        >>> import tritonflow as flow
        >>> flow.tanh(flow.tensor([0.0, 1.0]))
        tensor([0.0000, 0.7616])
    """
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _tanh(x, inplace)
    return _tanh_slow((x, inplace), extra, unknown)

_tanh__slow = _Binding("tanh_", "Tensor (Tensor x)", _tanh, methods="tanh_", inplace=True)
def tanh_(x=_missing, *extra, **unknown):
    if x.__class__ is _Tensor and not extra and not unknown:
        return _tanh(x, inplace=True)
    return _tanh__slow((x,), extra, unknown)

_sigmoid_slow = _Binding("sigmoid", "Tensor (Tensor x, Bool inplace=False)", _sigmoid, methods="sigmoid")
def sigmoid(x=_missing, inplace=False, *extra, **unknown):
    """1 / (1 + exp(-x)).

    The logistic function, in (0, 1). `flow.special.expit` is another name.

    Args:
        x: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        The result has the dtype of the input; integers and bool give the default dtype.

    Differentiable in `x`. Methods: `Tensor.sigmoid` and `Tensor.sigmoid_`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.sigmoid.

    Example:
        >>> import tritonflow as flow
        >>> flow.sigmoid(flow.tensor([0.0, 2.0]))
        tensor([0.5000, 0.8808])
    """
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _sigmoid(x, inplace)
    return _sigmoid_slow((x, inplace), extra, unknown)

_sigmoid__slow = _Binding("sigmoid_", "Tensor (Tensor x)", _sigmoid, methods="sigmoid_", inplace=True)
def sigmoid_(x=_missing, *extra, **unknown):
    if x.__class__ is _Tensor and not extra and not unknown:
        return _sigmoid(x, inplace=True)
    return _sigmoid__slow((x,), extra, unknown)

_logistic_slow = _Binding("logistic", "Tensor (Tensor x)", _logistic)
def logistic(x=_missing, *extra, **unknown):
    """the sigmoid in formulas of derivatives; it saves its input, so that its own derivative does not cancel where it is nearly 1"""
    if x.__class__ is _Tensor and not extra and not unknown:
        return _logistic(x)
    return _logistic_slow((x,), extra, unknown)

_mish_gate_slow = _Binding("mish_gate", "Tensor (Tensor x)", _mish_gate)
def mish_gate(x=_missing, *extra, **unknown):
    """tanh(softplus(x)) in the derivative of mish; its own derivative does not cancel where it is nearly 1"""
    if x.__class__ is _Tensor and not extra and not unknown:
        return _mish_gate(x)
    return _mish_gate_slow((x,), extra, unknown)

_logsigmoid_slow = _Binding("logsigmoid", "Tensor (Tensor x)", _logsigmoid)
def logsigmoid(x=_missing, *extra, **unknown):
    """log(sigmoid(x)).

    `out = -log(1 + exp(-x))`, without overflow.

    Args:
        x: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        The input is floating. The result has the dtype of the input.

    Differentiable in `x`.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.logsigmoid.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.logsigmoid(flow.tensor([0.0, -100.0]))
        tensor([  -0.6931, -100.0000])
    """
    if x.__class__ is _Tensor and not extra and not unknown:
        return _logsigmoid(x)
    return _logsigmoid_slow((x,), extra, unknown)

_relu_slow = _Binding("relu", "Tensor (Tensor x, Bool inplace=False)", _relu, methods="relu")
def relu(x=_missing, inplace=False, *extra, **unknown):
    """max(x, 0).

    The rectified linear unit: negative elements become 0, NaN stays NaN. The gradient at 0 is 0.

    Args:
        x: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        The input is real, and not bool. The result has the dtype of the input.

    Differentiable in `x`. Methods: `Tensor.relu` and `Tensor.relu_`.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.relu.

    Example:
        >>> import tritonflow as flow
        >>> flow.relu(flow.tensor([-1.0, 0.0, 2.0]))
        tensor([0., 0., 2.])
    """
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _relu(x, inplace)
    return _relu_slow((x, inplace), extra, unknown)

_relu__slow = _Binding("relu_", "Tensor (Tensor x)", _relu, methods="relu_", inplace=True)
def relu_(x=_missing, *extra, **unknown):
    if x.__class__ is _Tensor and not extra and not unknown:
        return _relu(x, inplace=True)
    return _relu__slow((x,), extra, unknown)

_leaky_relu_slow = _Binding("leaky_relu", "Tensor (Tensor x, Float alpha=0.01, Bool inplace=False)", _leaky_relu)
def leaky_relu(x=_missing, alpha=0.01, inplace=False, *extra, **unknown):
    """x where positive, otherwise alpha * x.

    `out = x if x > 0 else alpha * x`.

    Args:
        x: the input.
        alpha: the slope of negative elements; `negative_slope` is another name of it.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        The input is floating. The result has the dtype of the input.

    Differentiable in `x`.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.leaky_relu.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.leaky_relu(flow.tensor([-1.0, 2.0]), 0.1)
        tensor([-0.1000,  2.0000])
    """
    if (x.__class__ is _Tensor and alpha.__class__ is float and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _leaky_relu(x, alpha, inplace)
    return _leaky_relu_slow((x, alpha, inplace), extra, unknown)

_elu_slow = _Binding("elu", "Tensor (Tensor x, Float alpha=1.0, Bool inplace=False)", _elu)
def elu(x=_missing, alpha=1.0, inplace=False, *extra, **unknown):
    """x where positive, otherwise alpha * (exp(x) - 1).

    The exponential linear unit: `out = x if x > 0 else alpha * (exp(x) - 1)`. After Clevert,
    Unterthiner and Hochreiter, 2015.

    Args:
        x: the input.
        alpha: the limit of very negative elements is -alpha.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        The input is floating. The result has the dtype of the input.

    Differentiable in `x`.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.elu.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.elu(flow.tensor([-1.0, 2.0]))
        tensor([-0.6321,  2.0000])
    """
    if (x.__class__ is _Tensor and alpha.__class__ is float and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _elu(x, alpha, inplace)
    return _elu_slow((x, alpha, inplace), extra, unknown)

_celu_slow = _Binding("celu", "Tensor (Tensor x, Float alpha=1.0, Bool inplace=False)", _celu)
def celu(x=_missing, alpha=1.0, inplace=False, *extra, **unknown):
    """x where positive, otherwise alpha * (exp(x / alpha) - 1).

    The continuously differentiable exponential linear unit: `out = max(x, 0) + min(0, alpha * (exp(x /
    alpha) - 1))`. After Barron, 2017.

    Args:
        x: the input.
        alpha: the limit of very negative elements is -alpha; not 0.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        The input is floating. The result has the dtype of the input.

    Differentiable in `x`.

    Raises:
        RuntimeError: `alpha` is 0.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.celu.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.celu(flow.tensor([-1.0, 2.0]), 0.5)
        tensor([-0.4323,  2.0000])
    """
    if (x.__class__ is _Tensor and alpha.__class__ is float and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _celu(x, alpha, inplace)
    return _celu_slow((x, alpha, inplace), extra, unknown)

_selu_slow = _Binding("selu", "Tensor (Tensor x, Bool inplace=False)", _selu, methods="selu")
def selu(x=_missing, inplace=False, *extra, **unknown):
    """Scaled exponential linear unit (Klambauer et al., 2017).

    `out = scale * (x if x > 0 else alpha * (exp(x) - 1))` with `alpha = 1.6733` and `scale = 1.0507`,
    which keep mean 0 and variance 1 from layer to layer.

    Args:
        x: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        The input is floating. The result has the dtype of the input.

    Differentiable in `x`. Method: `Tensor.selu`.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.selu.

    Example:
        >>> import tritonflow as flow
        >>> flow.selu(flow.tensor([-1.0, 2.0]))
        tensor([-1.1113,  2.1014])
    """
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _selu(x, inplace)
    return _selu_slow((x, inplace), extra, unknown)

_softplus_slow = _Binding("softplus", "Tensor (Tensor x, Float beta=1.0, Float threshold=20.0)", _softplus, methods="softplus",
        autocast="float32")
def softplus(x=_missing, beta=1.0, threshold=20.0, *extra, **unknown):
    """log(1 + exp(beta * x)) / beta.

    A smooth form of `flow.relu`. Where `beta * x` is above the threshold it is x.

    Args:
        x: the input.
        beta: how sharply it bends.
        threshold: above it the function is linear.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        The input is floating. The result has the dtype of the input.

    Differentiable in `x`. Under `flow.autocast` it computes in float32. Method: `Tensor.softplus`.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.softplus.

    Example:
        >>> import tritonflow as flow
        >>> flow.softplus(flow.tensor([-1.0, 0.0, 30.0]))
        tensor([ 0.3133,  0.6931, 30.0000])
    """
    if x.__class__ is _Tensor and beta.__class__ is float and threshold.__class__ is float and not extra and not unknown:
        return _softplus(x, beta, threshold)
    return _softplus_slow((x, beta, threshold), extra, unknown)

_softsign_slow = _Binding("softsign", "Tensor (Tensor x)", _softsign, methods="softsign")
def softsign(x=_missing, *extra, **unknown):
    """x / (1 + abs(x)).

    In (-1, 1), with tails that fall slower than those of `flow.tanh`.

    Args:
        x: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        The input is real, and not bool. The result has the dtype of the input; integers and bool give the
        default dtype.

    Differentiable in `x`. Method: `Tensor.softsign`.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.softsign.

    Example:
        >>> import tritonflow as flow
        >>> flow.softsign(flow.tensor([-1.0, 3.0]))
        tensor([-0.5000,  0.7500])
    """
    if x.__class__ is _Tensor and not extra and not unknown:
        return _softsign(x)
    return _softsign_slow((x,), extra, unknown)

_silu_slow = _Binding("silu", "Tensor (Tensor x, Bool inplace=False)", _silu, methods="silu")
def silu(x=_missing, inplace=False, *extra, **unknown):
    """x * sigmoid(x).

    The sigmoid linear unit, also called swish.

    Args:
        x: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        The input is floating or complex. The result has the dtype of the input.

    Differentiable in `x`. Method: `Tensor.silu`.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.silu.

    Example:
        >>> import tritonflow as flow
        >>> flow.silu(flow.tensor([-1.0, 2.0]))
        tensor([-0.2689,  1.7616])
    """
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _silu(x, inplace)
    return _silu_slow((x, inplace), extra, unknown)

_mish_slow = _Binding("mish", "Tensor (Tensor x, Bool inplace=False)", _mish, methods="mish")
def mish(x=_missing, inplace=False, *extra, **unknown):
    """x * tanh(log(1 + exp(x))).

    `out = x * tanh(softplus(x))`. After Misra, 2019.

    Args:
        x: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        The input is floating. The result has the dtype of the input.

    Differentiable in `x`. Method: `Tensor.mish`.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.mish.

    Example:
        >>> import tritonflow as flow
        >>> flow.mish(flow.tensor([-1.0, 2.0]))
        tensor([-0.3034,  1.9440])
    """
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _mish(x, inplace)
    return _mish_slow((x, inplace), extra, unknown)

_hardsigmoid_slow = _Binding("hardsigmoid", "Tensor (Tensor x, Bool inplace=False)", _hardsigmoid)
def hardsigmoid(x=_missing, inplace=False, *extra, **unknown):
    """min(max(x + 3, 0), 6) / 6.

    A sigmoid made of lines: 0 below -3, 1 above 3.

    Args:
        x: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        The input is floating. The result has the dtype of the input.

    Differentiable in `x`.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.hardsigmoid.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.hardsigmoid(flow.tensor([-4.0, 0.0, 1.5]))
        tensor([0.0000, 0.5000, 0.7500])
    """
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _hardsigmoid(x, inplace)
    return _hardsigmoid_slow((x, inplace), extra, unknown)

_hardswish_slow = _Binding("hardswish", "Tensor (Tensor x, Bool inplace=False)", _hardswish)
def hardswish(x=_missing, inplace=False, *extra, **unknown):
    """x * hardsigmoid(x).

    `out = x * min(max(x + 3, 0), 6) / 6`. After Howard et al., 2019.

    Args:
        x: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        The input is floating. The result has the dtype of the input.

    Differentiable in `x`.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.hardswish.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.hardswish(flow.tensor([-1.0, 1.0, 4.0]))
        tensor([-0.3333,  0.6667,  4.0000])
    """
    if x.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _hardswish(x, inplace)
    return _hardswish_slow((x, inplace), extra, unknown)

_hardtanh_slow = _Binding("hardtanh", "Tensor (Tensor x, Float min_val=-1.0, Float max_val=1.0, Bool inplace=False)", _hardtanh)
def hardtanh(x=_missing, min_val=-1.0, max_val=1.0, inplace=False, *extra, **unknown):
    """x within [min_val, max_val].

    `out = min(max(x, min_val), max_val)`. The gradient at the limits is 0.

    Args:
        x: the input.
        min_val: the lower limit.
        max_val: the upper limit.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        The input is real, and not bool. The result has the dtype of `x`.

    Differentiable in `x`.

    Raises:
        ValueError: `min_val` is above `max_val`.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.hardtanh.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.hardtanh(flow.tensor([-2.0, 0.5, 3.0]))
        tensor([-1.0000,  0.5000,  1.0000])
    """
    if (x.__class__ is _Tensor and min_val.__class__ is float and max_val.__class__ is float and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _hardtanh(x, min_val, max_val, inplace)
    return _hardtanh_slow((x, min_val, max_val, inplace), extra, unknown)

_threshold_slow = _Binding("threshold", "Tensor (Tensor x, Scalar threshold, Scalar value, Bool inplace=False)", _threshold)
def threshold(x=_missing, threshold=_missing, value=_missing, inplace=False, *extra, **unknown):
    """x where above the limit, otherwise a value.

    `out = x if x > threshold else value`.

    Args:
        x: the input.
        threshold: the limit.
        value: what stands for elements that are not above it.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        The input is real, and not bool. The result has the dtype of `x`.

    Differentiable in `x`.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.threshold.

    Example:
        >>> import tritonflow as flow
        >>> flow.threshold(flow.tensor([-1.0, 0.5, 2.0]), 1.0, 20.0)
        tensor([20., 20.,  2.])
    """
    if (x.__class__ is _Tensor and (threshold.__class__ is float or threshold.__class__ is int) and
            (value.__class__ is float or value.__class__ is int) and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _threshold(x, threshold, value, inplace)
    return _threshold_slow((x, threshold, value, inplace), extra, unknown)

_hardshrink_slow = _Binding("hardshrink", "Tensor (Tensor x, Float lambd=0.5, Bool inplace=False)", _hardshrink,
        methods="hardshrink")
def hardshrink(x=_missing, lambd=0.5, inplace=False, *extra, **unknown):
    """x where abs(x) > lambd, otherwise 0.

    `out = x if abs(x) > lambd else 0`.

    Args:
        x: the input.
        lambd: the limit.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        The input is floating. The result has the dtype of the input.

    Differentiable in `x`. Method: `Tensor.hardshrink`.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.hardshrink.

    Example:
        >>> import tritonflow as flow
        >>> flow.hardshrink(flow.tensor([-1.0, 0.3, 2.0]))
        tensor([-1.,  0.,  2.])
    """
    if (x.__class__ is _Tensor and lambd.__class__ is float and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _hardshrink(x, lambd, inplace)
    return _hardshrink_slow((x, lambd, inplace), extra, unknown)

_softshrink_slow = _Binding("softshrink", "Tensor (Tensor x, Float lambd=0.5, Bool inplace=False)", _softshrink,
        methods="softshrink")
def softshrink(x=_missing, lambd=0.5, inplace=False, *extra, **unknown):
    """x moved towards 0 by lambd.

    `out = x - lambd` above lambd, `x + lambd` below -lambd, and 0 between.

    Args:
        x: the input.
        lambd: how far elements are moved; not negative.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        The input is floating. The result has the dtype of the input.

    Differentiable in `x`. Method: `Tensor.softshrink`.

    Raises:
        RuntimeError: `lambd` is negative.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.softshrink.

    Example:
        >>> import tritonflow as flow
        >>> flow.softshrink(flow.tensor([-1.0, 0.3, 2.0]))
        tensor([-0.5000,  0.0000,  1.5000])
    """
    if (x.__class__ is _Tensor and lambd.__class__ is float and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _softshrink(x, lambd, inplace)
    return _softshrink_slow((x, lambd, inplace), extra, unknown)

_quick_gelu_slow = _Binding("quick_gelu", "Tensor (Tensor x)", _quick_gelu)
def quick_gelu(x=_missing, *extra, **unknown):
    """x * sigmoid(1.702 * x).

    An approximation of `flow.gelu` by one sigmoid. After Hendrycks and Gimpel, 2016.

    Args:
        x: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        Complex numbers are refused. The result has the dtype of the input; integers and bool give the
        default dtype.

    Differentiable in `x`.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: oneflow.nn.functional.quick_gelu.

    Example:
        >>> import tritonflow as flow
        >>> flow.quick_gelu(flow.tensor([-1.0, 2.0]))
        tensor([-0.1542,  1.9357])
    """
    if x.__class__ is _Tensor and not extra and not unknown:
        return _quick_gelu(x)
    return _quick_gelu_slow((x,), extra, unknown)

_gelu_slow = _Binding("gelu", "Tensor (Tensor x, *, String approximate='none')", _gelu, methods="gelu")
def gelu(x=_missing, *extra, approximate='none', **unknown):
    """x times the normal distribution function of x, or its approximation by tanh.

    The Gaussian error linear unit: `out = x * (1 + erf(x / sqrt(2))) / 2`; with `approximate="tanh"`
    `out = x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x ** 3))) / 2`. After Hendrycks and Gimpel,
    2016.

    Args:
        x: the input.
        approximate: `"none"` or `"tanh"`.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `x` has any shape; the result has the same.

    Dtypes:
        The input is floating. The result has the dtype of the input.

    Differentiable in `x`. Method: `Tensor.gelu`.

    Raises:
        RuntimeError: another word for `approximate`.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.gelu.

    Example:
        >>> import tritonflow as flow
        >>> flow.gelu(flow.tensor([-1.0, 2.0]))
        tensor([-0.1587,  1.9545])
        >>> flow.gelu(flow.tensor([-1.0, 2.0]), approximate="tanh")
        tensor([-0.1588,  1.9546])
    """
    if x.__class__ is _Tensor and approximate.__class__ is str and not extra and not unknown:
        return _gelu(x, approximate)
    return _gelu_slow((x, approximate), extra, unknown)

_sigmoid_gate_slow = _Binding("sigmoid_gate", "Tensor (Tensor a, Tensor gate)", _sigmoid_gate)
def sigmoid_gate(a=_missing, gate=_missing, *extra, **unknown):
    """a times sigmoid(gate), what glu makes of its halves"""
    if a.__class__ is _Tensor and gate.__class__ is _Tensor and not extra and not unknown:
        return _sigmoid_gate(a, gate)
    return _sigmoid_gate_slow((a, gate), extra, unknown)

_gated_by_silu_slow = _Binding("gated_by_silu", "Tensor (Tensor x, Tensor y)", _gated_by_silu)
def gated_by_silu(x=_missing, y=_missing, *extra, **unknown):
    """silu of x, times y"""
    if x.__class__ is _Tensor and y.__class__ is _Tensor and not extra and not unknown:
        return _gated_by_silu(x, y)
    return _gated_by_silu_slow((x, y), extra, unknown)

_gated_by_gelu_slow = _Binding("gated_by_gelu", "Tensor (Tensor x, Tensor y)", _gated_by_gelu)
def gated_by_gelu(x=_missing, y=_missing, *extra, **unknown):
    """gelu of x, times y"""
    if x.__class__ is _Tensor and y.__class__ is _Tensor and not extra and not unknown:
        return _gated_by_gelu(x, y)
    return _gated_by_gelu_slow((x, y), extra, unknown)

_gated_by_gelu_tanh_slow = _Binding("gated_by_gelu_tanh", "Tensor (Tensor x, Tensor y)", _gated_by_gelu_tanh)
def gated_by_gelu_tanh(x=_missing, y=_missing, *extra, **unknown):
    """gelu by tanh of x, times y"""
    if x.__class__ is _Tensor and y.__class__ is _Tensor and not extra and not unknown:
        return _gated_by_gelu_tanh(x, y)
    return _gated_by_gelu_tanh_slow((x, y), extra, unknown)

_gated_gradients_slow = _Binding("gated_gradients", "TensorTuple (Tensor grad, Tensor x, Tensor y, String by)", _gated_gradients)
def gated_gradients(grad=_missing, x=_missing, y=_missing, by=_missing, *extra, **unknown):
    """the gradients of both operands of a gate, which are computed from them again, in one pass"""
    if (grad.__class__ is _Tensor and x.__class__ is _Tensor and y.__class__ is _Tensor and by.__class__ is str and not extra and
            not unknown):
        return _gated_gradients(grad, x, y, by)
    return _gated_gradients_slow((grad, x, y, by), extra, unknown)

_glu_slow = _Binding("glu", "Tensor (Tensor input, Int32 dim=-1)", _glu)
def glu(input=_missing, dim=-1, *extra, **unknown):
    if input.__class__ is _Tensor and dim.__class__ is int and not extra and not unknown:
        return _glu(input, dim)
    return _glu_slow((input, dim), extra, unknown)

_swiglu_slow = _Binding("swiglu", "Tensor (Tensor x, Tensor y=None)", _swiglu)
def swiglu(x=_missing, y=None, *extra, **unknown):
    if x.__class__ is _Tensor and (y is None or y.__class__ is _Tensor) and not extra and not unknown:
        return _swiglu(x, y)
    return _swiglu_slow((x, y), extra, unknown)

_geglu_slow = _Binding("geglu", "Tensor (Tensor x, Tensor y=None, *, String approximate='none')", _geglu)
def geglu(x=_missing, y=None, *extra, approximate='none', **unknown):
    if (x.__class__ is _Tensor and (y is None or y.__class__ is _Tensor) and approximate.__class__ is str and not extra and
            not unknown):
        return _geglu(x, y, approximate)
    return _geglu_slow((x, y, approximate), extra, unknown)

_rrelu_slow = _Binding("rrelu",
        "Tensor (Tensor input, Double lower=0.125, Double upper=0.3333333333333333, Bool training=False, Bool inplace=False)",
        _rrelu)
def rrelu(input=_missing, lower=0.125, upper=0.3333333333333333, training=False, inplace=False, *extra, **unknown):
    if (input.__class__ is _Tensor and lower.__class__ is float and upper.__class__ is float and
            (training is False or training is True) and (inplace is False or inplace is True) and not extra and not unknown):
        return _rrelu(input, lower, upper, training, inplace)
    return _rrelu_slow((input, lower, upper, training, inplace), extra, unknown)

_tanhshrink_slow = _Binding("tanhshrink", "Tensor (Tensor input)", _tanhshrink)
def tanhshrink(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _tanhshrink(input)
    return _tanhshrink_slow((input,), extra, unknown)

_relu6_slow = _Binding("relu6", "Tensor (Tensor input, Bool inplace=False)", _relu6)
def relu6(input=_missing, inplace=False, *extra, **unknown):
    if input.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _relu6(input, inplace)
    return _relu6_slow((input, inplace), extra, unknown)

_prelu_slow = _Binding("prelu", "Tensor (Tensor input, Tensor weight)", _prelu, methods="prelu")
def prelu(input=_missing, weight=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and weight.__class__ is _Tensor and not extra and not unknown:
        return _prelu(input, weight)
    return _prelu_slow((input, weight), extra, unknown)

_methods = _publish(globals())

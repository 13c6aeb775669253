"""Functions of the binding: loss.

Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow.framework.size import Size as _Size
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.binding.arguments import Binding as _Binding, all_ints as _all_ints
from tritonflow.functions.generated import (binary_entropy_slope as _binary_entropy_slope, ctc_loss_grad as _ctc_loss_grad,
        jensen_shannon as _jensen_shannon, mean_of_losses as _mean_of_losses)
from tritonflow.functions.loss import (cross_entropy as _cross_entropy, cross_entropy_grad as _cross_entropy_grad,
        cross_entropy_ordered as _cross_entropy_ordered, mse_loss_reduced as _mse_loss_reduced, nll_loss as _nll_loss,
        nll_loss_grad as _nll_loss_grad, mse_loss as _mse_loss)
from tritonflow.functions.loss_ctc import (ctc_loss as _ctc_loss, ctc_loss_ordered as _ctc_loss_ordered)
from tritonflow.functions.loss_elements import (binary_cross_entropy as _binary_cross_entropy,
        binary_cross_entropy_with_logits as _binary_cross_entropy_with_logits, huber_loss as _huber_loss, kl_div as _kl_div,
        l1_loss as _l1_loss, l1_loss_reduced as _l1_loss_reduced, smooth_l1_loss as _smooth_l1_loss,
        smooth_l1_loss_reduced as _smooth_l1_loss_reduced, soft_margin_loss as _soft_margin_loss,
        gaussian_nll_loss as _gaussian_nll_loss, hinge_embedding_loss as _hinge_embedding_loss,
        poisson_nll_loss as _poisson_nll_loss)
from tritonflow.functions.loss_linear import (chunked_cross_entropy as _chunked_cross_entropy,
        chunked_cross_entropy_grad as _chunked_cross_entropy_grad, linear_cross_entropy as _linear_cross_entropy)
from tritonflow.functions.loss_margins import (cosine_embedding_loss as _cosine_embedding_loss,
        margin_ranking_loss as _margin_ranking_loss, multi_margin_loss as _multi_margin_loss,
        multilabel_margin_loss as _multilabel_margin_loss, multilabel_soft_margin_loss as _multilabel_soft_margin_loss,
        triplet_margin_loss as _triplet_margin_loss, triplet_margin_with_distance_loss as _triplet_margin_with_distance_loss)
from tritonflow.functions.loss_preferences import (dpo_loss as _dpo_loss, generalized_jsd_loss as _generalized_jsd_loss,
        grpo_loss as _grpo_loss, kto_loss as _kto_loss, linear_selective_log_softmax as _linear_selective_log_softmax,
        orpo_loss as _orpo_loss, selective_log_softmax as _selective_log_softmax)
from tritonflow.binding.library import publish as _publish
from tritonflow.binding.prototype import MISSING as _missing

_cross_entropy_slow = _Binding("cross_entropy",
        "Tensor (Tensor input, Tensor target, Tensor weight=None, Bool size_average=None, Int64 ignore_index=-100, Bool reduce=None, String reduction='mean', Double label_smoothing=0.0)",
        _cross_entropy,
        "Tensor (Tensor input, Tensor target, Tensor weight=None, Int64 ignore_index=-100, String reduction='mean', Double label_smoothing=0.0)",
        _cross_entropy_ordered, autocast="float32_result")
def cross_entropy(input=_missing, target=_missing, weight=None, size_average=_missing, ignore_index=_missing, reduce=_missing,
        reduction=_missing, label_smoothing=_missing, *extra, **unknown):
    """The cross entropy of logits and class indices or class probabilities.

    With class indices y the loss of a sample is

        l_n = -w[y_n] * log(softmax(x_n)[y_n])

    and `mean` divides the sum by the sum of the weights w[y_n]. With class probabilities t (a floating
    target) it is -sum over c of w[c] * t[c] * log(softmax(x)[c]), and `mean` divides by the number of
    samples. Classes are dimension 1, or dimension 0 of a single sample.

    Overloads:
        - `cross_entropy(input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: bool | None = None, ignore_index: int = -100, reduce: bool | None = None, reduction: str = 'mean', label_smoothing: float = 0.0) -> Tensor`
        - `cross_entropy(input: Tensor, target: Tensor, weight: Tensor | None = None, ignore_index: int = -100, reduction: str = 'mean', label_smoothing: float = 0.0) -> Tensor`

    Args:
        input: logits, which need not be normalised.
        target: class indices (int32 or int64), or class probabilities of the input's shape.
        weight: a factor for each class.
        size_average: deprecated, see `reduction`.
        ignore_index: a class index whose samples do not count.
        reduce: deprecated, see `reduction`.
        reduction: `"mean"` or `"sum"` of the elements, or `"none"`.
        label_smoothing: how much of the target is spread evenly over all classes, 0 to 1.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C, ...), (N, ...) or (N, C, ...) -> (); (N, ...) with reduction="none".

    Dtypes:
        `input` and `weight`: floating. `target`: int32, int64.

    Differentiable. Under `flow.autocast` it computes in float32.

    Raises:
        ValueError: another reduction, a label_smoothing outside 0 to 1, or batch sizes that differ.
        RuntimeError: shapes that do not fit, or indices of another dtype.
        IndexError: a class index that is neither in 0 to C - 1 nor ignore_index.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.cross_entropy.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> logits = flow.tensor([[2.0, 0.0], [0.0, 3.0]])
        >>> F.cross_entropy(logits, flow.tensor([0, 1]), reduction="none")
        tensor([0.1269, 0.0486])
        >>> F.cross_entropy(logits, flow.tensor([0, -100]))  # the second sample does not count
        tensor(0.1269)
    """
    if (input.__class__ is _Tensor and target.__class__ is _Tensor and (weight is None or weight.__class__ is _Tensor) and
            size_average is _missing and ignore_index is _missing and reduce is _missing and reduction is _missing and
            label_smoothing is _missing and not extra and not unknown):
        return _cross_entropy(input, target, weight, None, -100, None, 'mean', 0.0)
    return _cross_entropy_slow((input, target, weight, size_average, ignore_index, reduce, reduction, label_smoothing), extra,
            unknown)

_cross_entropy_grad_slow = _Binding("cross_entropy_grad",
        "Tensor (Tensor grad, Tensor input, Tensor target, Tensor largest, Tensor log_sum, Tensor totals, Tensor weight=None, String reduction='mean', Int64 ignore_index=-100, Bool smooth=False, Double label_smoothing=0.0)",
        _cross_entropy_grad)
def cross_entropy_grad(grad=_missing, input=_missing, target=_missing, largest=_missing, log_sum=_missing, totals=_missing,
        weight=None, reduction='mean', ignore_index=-100, smooth=False, label_smoothing=0.0, *extra, **unknown):
    """the gradient of cross_entropy with class indices"""
    if (grad.__class__ is _Tensor and input.__class__ is _Tensor and target.__class__ is _Tensor and largest.__class__ is _Tensor
            and log_sum.__class__ is _Tensor and totals.__class__ is _Tensor and (weight is None or weight.__class__ is _Tensor)
            and reduction.__class__ is str and ignore_index.__class__ is int and (smooth is False or smooth is True) and
            label_smoothing.__class__ is float and not extra and not unknown):
        return _cross_entropy_grad(grad, input, target, largest, log_sum, totals, weight, reduction, ignore_index, smooth,
                label_smoothing)
    return _cross_entropy_grad_slow((grad, input, target, largest, log_sum, totals, weight, reduction, ignore_index, smooth,
            label_smoothing), extra, unknown)

_chunked_cross_entropy_slow = _Binding("chunked_cross_entropy",
        "TensorTuple (Tensor input, Tensor linear_weight, Tensor target, Tensor linear_bias=None, Tensor weight=None, String reduction='mean', Int64 ignore_index=-100, Double label_smoothing=0.0, Double softcap=0.0, Double lse_square_scale=0.0)",
        _chunked_cross_entropy)
def chunked_cross_entropy(input=_missing, linear_weight=_missing, target=_missing, linear_bias=None, weight=None,
        reduction='mean', ignore_index=-100, label_smoothing=0.0, softcap=0.0, lse_square_scale=0.0, *extra, **unknown):
    """cross entropy of linear(input, linear_weight), a chunk of rows after the other, and the gradients of its sum"""
    if (input.__class__ is _Tensor and linear_weight.__class__ is _Tensor and target.__class__ is _Tensor and
            (linear_bias is None or linear_bias.__class__ is _Tensor) and (weight is None or weight.__class__ is _Tensor) and
            reduction.__class__ is str and ignore_index.__class__ is int and label_smoothing.__class__ is float and
            softcap.__class__ is float and lse_square_scale.__class__ is float and not extra and not unknown):
        return _chunked_cross_entropy(input, linear_weight, target, linear_bias, weight, reduction, ignore_index, label_smoothing,
                softcap, lse_square_scale)
    return _chunked_cross_entropy_slow((input, linear_weight, target, linear_bias, weight, reduction, ignore_index,
            label_smoothing, softcap, lse_square_scale), extra, unknown)

_chunked_cross_entropy_grad_slow = _Binding("chunked_cross_entropy_grad",
        "TensorTuple (Tensor grad, Tensor input, Tensor linear_weight, Tensor target, Tensor linear_bias=None, Tensor weight=None, Tensor input_grads=None, Tensor weight_grads=None, Tensor bias_grads=None, Tensor totals=None, String reduction='mean', Int64 ignore_index=-100, Bool smooth=False, Bool capped=False, Bool squared=False, Bool of_input=True, Bool of_weight=True, Bool of_bias=True, Double label_smoothing=0.0, Double softcap=0.0, Double lse_square_scale=0.0)",
        _chunked_cross_entropy_grad)
def chunked_cross_entropy_grad(grad=_missing, input=_missing, linear_weight=_missing, target=_missing, linear_bias=None,
        weight=None, input_grads=None, weight_grads=None, bias_grads=None, totals=None, reduction='mean', ignore_index=-100,
        smooth=False, capped=False, squared=False, of_input=True, of_weight=True, of_bias=True, label_smoothing=0.0, softcap=0.0,
        lse_square_scale=0.0, *extra, **unknown):
    """the gradients of chunked_cross_entropy, which the sum of losses has already; of single losses a chunk after the other"""
    if (grad.__class__ is _Tensor and input.__class__ is _Tensor and linear_weight.__class__ is _Tensor and
            target.__class__ is _Tensor and (linear_bias is None or linear_bias.__class__ is _Tensor) and
            (weight is None or weight.__class__ is _Tensor) and (input_grads is None or input_grads.__class__ is _Tensor) and
            (weight_grads is None or weight_grads.__class__ is _Tensor) and
            (bias_grads is None or bias_grads.__class__ is _Tensor) and (totals is None or totals.__class__ is _Tensor) and
            reduction.__class__ is str and ignore_index.__class__ is int and (smooth is False or smooth is True) and
            (capped is False or capped is True) and (squared is False or squared is True) and
            (of_input is True or of_input is False) and (of_weight is True or of_weight is False) and
            (of_bias is True or of_bias is False) and label_smoothing.__class__ is float and softcap.__class__ is float and
            lse_square_scale.__class__ is float and not extra and not unknown):
        return _chunked_cross_entropy_grad(grad, input, linear_weight, target, linear_bias, weight, input_grads, weight_grads,
                bias_grads, totals, reduction, ignore_index, smooth, capped, squared, of_input, of_weight, of_bias,
                label_smoothing, softcap, lse_square_scale)
    return _chunked_cross_entropy_grad_slow((grad, input, linear_weight, target, linear_bias, weight, input_grads, weight_grads,
            bias_grads, totals, reduction, ignore_index, smooth, capped, squared, of_input, of_weight, of_bias, label_smoothing,
            softcap, lse_square_scale), extra, unknown)

_mean_of_losses_slow = _Binding("mean_of_losses", "Tensor (Tensor total, Tensor weights, Tensor count)", _mean_of_losses)
def mean_of_losses(total=_missing, weights=_missing, count=_missing, *extra, **unknown):
    """total / weights, NaN where the weights add up to 0; its gradient is 1 / 1 where no row counts"""
    if total.__class__ is _Tensor and weights.__class__ is _Tensor and count.__class__ is _Tensor and not extra and not unknown:
        return _mean_of_losses(total, weights, count)
    return _mean_of_losses_slow((total, weights, count), extra, unknown)

_nll_loss_slow = _Binding("nll_loss",
        "Tensor (Tensor input, Tensor target, Tensor weight=None, Bool size_average=None, Int64 ignore_index=-100, Bool reduce=None, String reduction='mean')",
        _nll_loss, autocast="float32")
def nll_loss(input=_missing, target=_missing, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean',
        *extra, **unknown):
    """The negative log-likelihood of class indices.

    The loss of a sample is -w[y_n] * x_n[y_n], where x are log-probabilities; `mean` divides the sum by
    the sum of the weights w[y_n]. `cross_entropy` takes logits instead.

    Args:
        input: log-probabilities, as log_softmax gives them; classes are dimension 1, or dimension 0 of a
            single sample.
        target: class indices, int32 or int64.
        weight: a factor for each class.
        size_average: deprecated, see `reduction`.
        ignore_index: a class index whose samples do not count.
        reduce: deprecated, see `reduction`.
        reduction: `"mean"` or `"sum"` of the elements, or `"none"`.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C, ...), (N, ...) -> (); (N, ...) with reduction="none".

    Dtypes:
        `input` and `weight`: floating. `target`: int32, int64.

    Differentiable. Under `flow.autocast` it computes in float32.

    Raises:
        ValueError: another reduction, or batch sizes that differ.
        RuntimeError: shapes that do not fit, or indices of another dtype.
        IndexError: a class index that is neither in 0 to C - 1 nor ignore_index.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.nll_loss.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> log_probabilities = flow.log_softmax(flow.tensor([[2.0, 0.0], [0.0, 3.0]]), 1)
        >>> F.nll_loss(log_probabilities, flow.tensor([0, 1]), reduction="none")
        tensor([0.1269, 0.0486])
    """
    if (input.__class__ is _Tensor and target.__class__ is _Tensor and (weight is None or weight.__class__ is _Tensor) and
            (size_average is None or size_average is False or size_average is True) and ignore_index.__class__ is int and
            (reduce is None or reduce is False or reduce is True) and reduction.__class__ is str and not extra and not unknown):
        return _nll_loss(input, target, weight, size_average, ignore_index, reduce, reduction)
    return _nll_loss_slow((input, target, weight, size_average, ignore_index, reduce, reduction), extra, unknown)

_nll_loss_grad_slow = _Binding("nll_loss_grad",
        "Tensor (Tensor grad, Tensor target, Tensor totals, Tensor weight=None, Shape shape=(), String reduction='mean', Int64 ignore_index=-100)",
        _nll_loss_grad)
def nll_loss_grad(grad=_missing, target=_missing, totals=_missing, weight=None, shape=(), reduction='mean', ignore_index=-100,
        *extra, **unknown):
    """the gradient of nll_loss"""
    if (grad.__class__ is _Tensor and target.__class__ is _Tensor and totals.__class__ is _Tensor and
            (weight is None or weight.__class__ is _Tensor) and
            (shape.__class__ is _Size or (shape.__class__ is tuple or shape.__class__ is list) and _all_ints(shape)) and
            reduction.__class__ is str and ignore_index.__class__ is int and not extra and not unknown):
        return _nll_loss_grad(grad, target, totals, weight, tuple(shape) if shape.__class__ is list else shape, reduction,
                ignore_index)
    return _nll_loss_grad_slow((grad, target, totals, weight, shape, reduction, ignore_index), extra, unknown)

_l1_loss_slow = _Binding("l1_loss",
        "Tensor (Tensor input, Tensor target, Bool size_average=None, Bool reduce=None, String reduction='mean', Tensor weight=None)",
        _l1_loss, "Tensor (Tensor input, Tensor target, String reduction)", _l1_loss_reduced, autocast="float32")
def l1_loss(input=_missing, target=_missing, size_average=_missing, reduce=None, reduction=_missing, weight=None, *extra,
        **unknown):
    """abs(input - target).

    The mean of absolute errors; with weights the sum of weight * error over the sum of the weights. A
    warning says that the two shapes broadcast, where they differ.

    Overloads:
        - `l1_loss(input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None, reduction: str = 'mean', weight: Tensor | None = None) -> Tensor`
        - `l1_loss(input: Tensor, target: Tensor, reduction: str) -> Tensor`

    Args:
        input: the input.
        target: of the input's shape.
        size_average: deprecated, see `reduction`.
        reduce: deprecated, see `reduction`.
        reduction: `"mean"` or `"sum"` of the elements, or `"none"`.
        weight: a factor for each element, of the input's shape.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape, the same -> (); the same with reduction="none".

    Dtypes:
        The operands are of any dtype but bool. The result has the dtype that they promote to; of complex
        numbers it is real.

    Differentiable in `input` and `target`. Under `flow.autocast` it computes in float32.

    Raises:
        ValueError: another reduction, or weights of another shape.
        RuntimeError: the shapes cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.l1_loss.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> x, y = flow.tensor([1.0, 2.0]), flow.tensor([1.0, 4.0])
        >>> F.l1_loss(x, y), F.l1_loss(x, y, reduction="none")
        (tensor(1.), tensor([0., 2.]))
    """
    if (input.__class__ is _Tensor and target.__class__ is _Tensor and size_average is _missing and
            (reduce is None or reduce is False or reduce is True) and reduction is _missing and
            (weight is None or weight.__class__ is _Tensor) and not extra and not unknown):
        return _l1_loss(input, target, None, reduce, 'mean', weight)
    if (input.__class__ is _Tensor and target.__class__ is _Tensor and size_average.__class__ is str and reduce is None and
            reduction is _missing and weight is None and not extra and not unknown):
        return _l1_loss_reduced(input, target, size_average)
    return _l1_loss_slow((input, target, size_average, reduce, reduction, weight), extra, unknown)

_smooth_l1_loss_slow = _Binding("smooth_l1_loss",
        "Tensor (Tensor input, Tensor target, Bool size_average=None, Bool reduce=None, String reduction='mean', Double beta=1.0)",
        _smooth_l1_loss, "Tensor (Tensor input, Tensor target, Double beta, String reduction)", _smooth_l1_loss_reduced,
        autocast="float32")
def smooth_l1_loss(input=_missing, target=_missing, size_average=_missing, reduce=_missing, reduction=_missing, beta=_missing,
        *extra, **unknown):
    """0.5 * (input - target) ** 2 / beta where abs(input - target) < beta, otherwise abs(input - target) - 0.5 * beta.

    It is `huber_loss` divided by beta; beta = 0 gives `l1_loss`. After Girshick, Fast R-CNN, 2015.

    Overloads:
        - `smooth_l1_loss(input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None, reduction: str = 'mean', beta: float = 1.0) -> Tensor`
        - `smooth_l1_loss(input: Tensor, target: Tensor, beta: float, reduction: str) -> Tensor`

    Args:
        input: the input.
        target: of the input's shape.
        size_average: deprecated, see `reduction`.
        reduce: deprecated, see `reduction`.
        reduction: `"mean"` or `"sum"` of the elements, or `"none"`.
        beta: from which error on the loss is linear.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape, the same -> (); the same with reduction="none".

    Dtypes:
        The operands are floating. The result has the dtype that they promote to.

    Differentiable in `input` and `target`. Under `flow.autocast` it computes in float32.

    Raises:
        ValueError: another reduction.
        RuntimeError: beta is negative, or both are integers; the shapes cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.smooth_l1_loss.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> x, y = flow.tensor([0.0, 0.0]), flow.tensor([0.5, 3.0])
        >>> F.smooth_l1_loss(x, y, reduction="none")
        tensor([0.1250, 2.5000])
    """
    if (input.__class__ is _Tensor and target.__class__ is _Tensor and size_average is _missing and reduce is _missing and
            reduction is _missing and beta is _missing and not extra and not unknown):
        return _smooth_l1_loss(input, target, None, None, 'mean', 1.0)
    if (input.__class__ is _Tensor and target.__class__ is _Tensor and size_average.__class__ is float and reduce.__class__ is str
            and reduction is _missing and beta is _missing and not extra and not unknown):
        return _smooth_l1_loss_reduced(input, target, size_average, reduce)
    return _smooth_l1_loss_slow((input, target, size_average, reduce, reduction, beta), extra, unknown)

_huber_loss_slow = _Binding("huber_loss",
        "Tensor (Tensor input, Tensor target, String reduction='mean', Double delta=1.0, Tensor weight=None)", _huber_loss,
        autocast="float32")
def huber_loss(input=_missing, target=_missing, reduction='mean', delta=1.0, weight=None, *extra, **unknown):
    """0.5 * (input - target) ** 2 where abs(input - target) < delta, otherwise delta * (abs(input - target) - 0.5 * delta).

    After Huber, Robust estimation of a location parameter, 1964.

    Args:
        input: the input.
        target: of the input's shape.
        reduction: `"mean"` or `"sum"` of the elements, or `"none"`.
        delta: from which error on the loss is linear.
        weight: a factor for each element, of the input's shape; `mean` divides by the number of elements
            nevertheless.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape, the same -> (); the same with reduction="none".

    Dtypes:
        The operands are floating. The result has the dtype that they promote to.

    Differentiable in `input` and `target`. Under `flow.autocast` it computes in float32.

    Raises:
        ValueError: another reduction, or weights of another shape.
        RuntimeError: delta is not positive, or both are integers; the shapes cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.huber_loss.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> x, y = flow.tensor([0.0, 0.0]), flow.tensor([0.5, 3.0])
        >>> F.huber_loss(x, y, reduction="none", delta=2.0)
        tensor([0.1250, 4.0000])
    """
    if (input.__class__ is _Tensor and target.__class__ is _Tensor and reduction.__class__ is str and delta.__class__ is float and
            (weight is None or weight.__class__ is _Tensor) and not extra and not unknown):
        return _huber_loss(input, target, reduction, delta, weight)
    return _huber_loss_slow((input, target, reduction, delta, weight), extra, unknown)

_binary_entropy_slope_slow = _Binding("binary_entropy_slope", "Tensor (Tensor input, Tensor target)", _binary_entropy_slope)
def binary_entropy_slope(input=_missing, target=_missing, *extra, **unknown):
    """(input - target) / (input * (1 - input)), the derivative of binary_cross_entropy, bounded where input is 0 or 1"""
    if input.__class__ is _Tensor and target.__class__ is _Tensor and not extra and not unknown:
        return _binary_entropy_slope(input, target)
    return _binary_entropy_slope_slow((input, target), extra, unknown)

_binary_cross_entropy_slow = _Binding("binary_cross_entropy",
        "Tensor (Tensor input, Tensor target, Tensor weight=None, Bool size_average=None, Bool reduce=None, String reduction='mean')",
        _binary_cross_entropy)
def binary_cross_entropy(input=_missing, target=_missing, weight=None, size_average=None, reduce=None, reduction='mean', *extra,
        **unknown):
    """-target * log(input) - (1 - target) * log(1 - input), a logarithm counts as -100 at least.

    Args:
        input: probabilities.
        target: probabilities, of the input's shape.
        weight: a factor for each element.
        size_average: deprecated, see `reduction`.
        reduce: deprecated, see `reduction`.
        reduction: `"mean"` or `"sum"` of the elements, or `"none"`.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape, the same -> (); the same with reduction="none".

    Dtypes:
        The operands are floating. The result has the dtype that they promote to.

    Differentiable in `input` and `target`.

    Raises:
        ValueError: another reduction, or shapes that differ.
        RuntimeError: a probability outside 0 to 1, on a CPU; on a GPU and in a graph its loss is NaN; the
            shapes cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.binary_cross_entropy.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.binary_cross_entropy(flow.tensor([0.5, 0.9]), flow.tensor([1.0, 1.0]), reduction="none")
        tensor([0.6931, 0.1054])
    """
    if (input.__class__ is _Tensor and target.__class__ is _Tensor and (weight is None or weight.__class__ is _Tensor) and
            (size_average is None or size_average is False or size_average is True) and
            (reduce is None or reduce is False or reduce is True) and reduction.__class__ is str and not extra and not unknown):
        return _binary_cross_entropy(input, target, weight, size_average, reduce, reduction)
    return _binary_cross_entropy_slow((input, target, weight, size_average, reduce, reduction), extra, unknown)

_binary_cross_entropy_with_logits_slow = _Binding("binary_cross_entropy_with_logits",
        "Tensor (Tensor input, Tensor target, Tensor weight=None, Bool size_average=None, Bool reduce=None, String reduction='mean', Tensor pos_weight=None)",
        _binary_cross_entropy_with_logits, autocast="float32")
def binary_cross_entropy_with_logits(input=_missing, target=_missing, weight=None, size_average=None, reduce=None,
        reduction='mean', pos_weight=None, *extra, **unknown):
    """Binary cross entropy of sigmoid(input).

    Its formula does not overflow, as binary_cross_entropy(sigmoid(x), target) may:

        max(x, 0) - x * target + log(1 + exp(-abs(x)))

    Args:
        input: logits.
        target: probabilities, of the input's shape.
        weight: a factor for each element.
        size_average: deprecated, see `reduction`.
        reduce: deprecated, see `reduction`.
        reduction: `"mean"` or `"sum"` of the elements, or `"none"`.
        pos_weight: a factor for the part of the loss that is from target = 1, for example for each class.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape, the same -> (); the same with reduction="none".

    Dtypes:
        The operands are floating. The result has the dtype that they promote to.

    Differentiable in `input`, `target` and `pos_weight`. Under `flow.autocast` it computes in float32.

    Raises:
        ValueError: another reduction, or shapes that differ.
        RuntimeError: the shapes cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.binary_cross_entropy_with_logits.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> logits, target = flow.tensor([0.0, 200.0]), flow.tensor([1.0, 0.0])
        >>> F.binary_cross_entropy_with_logits(logits, target, reduction="none")
        tensor([  0.6931, 200.0000])
    """
    if (input.__class__ is _Tensor and target.__class__ is _Tensor and (weight is None or weight.__class__ is _Tensor) and
            (size_average is None or size_average is False or size_average is True) and
            (reduce is None or reduce is False or reduce is True) and reduction.__class__ is str and
            (pos_weight is None or pos_weight.__class__ is _Tensor) and not extra and not unknown):
        return _binary_cross_entropy_with_logits(input, target, weight, size_average, reduce, reduction, pos_weight)
    return _binary_cross_entropy_with_logits_slow((input, target, weight, size_average, reduce, reduction, pos_weight), extra,
            unknown)

_jensen_shannon_slow = _Binding("jensen_shannon",
        "Tensor (Tensor input, Tensor target, Double beta, Double rest, Double log_beta, Double log_rest)", _jensen_shannon)
def jensen_shannon(input=_missing, target=_missing, beta=_missing, rest=_missing, log_beta=_missing, log_rest=_missing, *extra,
        **unknown):
    """beta exp(target) (target - m) + (1 - beta) exp(input) (input - m), m the logarithm of the mixture of both"""
    if (input.__class__ is _Tensor and target.__class__ is _Tensor and beta.__class__ is float and rest.__class__ is float and
            log_beta.__class__ is float and log_rest.__class__ is float and not extra and not unknown):
        return _jensen_shannon(input, target, beta, rest, log_beta, log_rest)
    return _jensen_shannon_slow((input, target, beta, rest, log_beta, log_rest), extra, unknown)

_kl_div_slow = _Binding("kl_div",
        "Tensor (Tensor input, Tensor target, Bool size_average=None, Bool reduce=None, String reduction='mean', Bool log_target=False)",
        _kl_div, autocast="float32")
def kl_div(input=_missing, target=_missing, size_average=None, reduce=None, reduction='mean', log_target=False, *extra,
        **unknown):
    """target * (log(target) - input), of log-probabilities `input`.

    The divergence of Kullback and Leibler of the distribution `target` from `exp(input)`. "batchmean"
    divides the sum by the first size, which is what the divergence is defined as; "mean" divides by the
    number of elements, and warns of that. Where the target is 0 the loss is 0.

    Args:
        input: log-probabilities.
        target: probabilities, or log-probabilities with log_target.
        size_average: deprecated, see `reduction`.
        reduce: deprecated, see `reduction`.
        reduction: "batchmean", "mean", "sum" or "none".
        log_target: whether the target is given as logarithms.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape, the same -> (); the same with reduction="none".

    Dtypes:
        The operands are floating. The result has the dtype that they promote to.

    Differentiable in `input` and `target`. Under `flow.autocast` it computes in float32.

    Raises:
        ValueError: another reduction.
        RuntimeError: the shapes cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.kl_div.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> p, q = flow.tensor([[0.5, 0.5]]), flow.tensor([[0.25, 0.75]])
        >>> F.kl_div(q.log(), p, reduction="batchmean")
        tensor(0.1438)
        >>> F.kl_div(p.log(), p, reduction="batchmean")
        tensor(0.)
    """
    if (input.__class__ is _Tensor and target.__class__ is _Tensor and
            (size_average is None or size_average is False or size_average is True) and
            (reduce is None or reduce is False or reduce is True) and reduction.__class__ is str and
            (log_target is False or log_target is True) and not extra and not unknown):
        return _kl_div(input, target, size_average, reduce, reduction, log_target)
    return _kl_div_slow((input, target, size_average, reduce, reduction, log_target), extra, unknown)

_soft_margin_loss_slow = _Binding("soft_margin_loss",
        "Tensor (Tensor input, Tensor target, Bool size_average=None, Bool reduce=None, String reduction='mean')",
        _soft_margin_loss, autocast="float32")
def soft_margin_loss(input=_missing, target=_missing, size_average=None, reduce=None, reduction='mean', *extra, **unknown):
    """log(1 + exp(-target * input)).

    The logistic loss of classes 1 and -1.

    Args:
        input: scores.
        target: 1 or -1 for each.
        size_average: deprecated, see `reduction`.
        reduce: deprecated, see `reduction`.
        reduction: `"mean"` or `"sum"` of the elements, or `"none"`.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape, the same -> (); the same with reduction="none".

    Dtypes:
        The operands are floating. The result has the dtype that they promote to.

    Differentiable in `input` and `target`. Under `flow.autocast` it computes in float32.

    Raises:
        ValueError: another reduction.
        RuntimeError: the shapes cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.soft_margin_loss.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.soft_margin_loss(flow.tensor([0.0, 4.0]), flow.tensor([1.0, -1.0]), reduction="none")
        tensor([0.6931, 4.0181])
    """
    if (input.__class__ is _Tensor and target.__class__ is _Tensor and
            (size_average is None or size_average is False or size_average is True) and
            (reduce is None or reduce is False or reduce is True) and reduction.__class__ is str and not extra and not unknown):
        return _soft_margin_loss(input, target, size_average, reduce, reduction)
    return _soft_margin_loss_slow((input, target, size_average, reduce, reduction), extra, unknown)

_ctc_loss_slow = _Binding("ctc_loss",
        "Tensor (Tensor log_probs, Tensor targets, PyObject input_lengths, PyObject target_lengths, Int64 blank=0, String reduction='mean', Bool zero_infinity=False)",
        _ctc_loss,
        "Tensor (Tensor log_probs, Tensor targets, PyObject input_lengths, PyObject target_lengths, Int64 max_target_length, Int64 blank, Bool zero_infinity, String reduction)",
        _ctc_loss_ordered, autocast="float32")
def ctc_loss(log_probs=_missing, targets=_missing, input_lengths=_missing, target_lengths=_missing, max_target_length=_missing,
        blank=_missing, zero_infinity=_missing, reduction=_missing, *extra, **unknown):
    """-log of the probability of the targets over all alignments (Graves et al., 2006).

    Connectionist temporal classification: an alignment gives a label or a blank at every time, repeated
    labels count once, and blanks are left out. "mean" divides each loss by the length of its target
    first. A target that is too long for its input has an infinite loss.

    Overloads:
        - `ctc_loss(log_probs: Tensor, targets: Tensor, input_lengths: Tensor | Sequence[int], target_lengths: Tensor | Sequence[int], blank: int = 0, reduction: str = 'mean', zero_infinity: bool = False) -> Tensor`
        - `ctc_loss(log_probs: Tensor, targets: Tensor, input_lengths: Tensor | Sequence[int], target_lengths: Tensor | Sequence[int], max_target_length: int, blank: int, zero_infinity: bool, reduction: str) -> Tensor`

    Args:
        log_probs: log-probabilities of the labels at every time.
        targets: labels (int32 or int64), as a matrix or one after the other.
        input_lengths: how many times each sample has, a tensor or a tuple.
        target_lengths: how many labels each sample has, a tensor or a tuple.
        blank: which label is the blank.
        reduction: `"mean"` or `"sum"` of the elements, or `"none"`.
        zero_infinity: whether infinite losses count as 0, and so do their gradients.
        max_target_length: the longest target, which is taken from target_lengths.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (T, N, C), (N, S) or (sum of target_lengths), (N), (N) -> (); (N) with reduction="none"; without N
        for one sample.

    Dtypes:
        `log_probs`: float32, float64. The operands are int32, int64. The operands are int64.

    Differentiable. Under `flow.autocast` it computes in float32.

    Raises:
        ValueError: another reduction.
        RuntimeError: lengths that do not fit, or a blank that is no label.
        TypeError: lengths that are neither a tensor nor integers; an argument has the wrong type, or there
            is no such argument.
        NotImplementedError: a dtype that is not taken.

    Source: torch.nn.functional.ctc_loss.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> log_probs = flow.log_softmax(flow.zeros(2, 1, 2), 2)  # two times, a blank and one label, each 1/2
        >>> loss = F.ctc_loss(log_probs, flow.tensor([[1]]), (2,), (1,))  # -1, 1- and 11 of four alignments
        >>> flow.exp(-loss)
        tensor(0.7500)
    """
    if (log_probs.__class__ is _Tensor and targets.__class__ is _Tensor and input_lengths is not _missing and
            target_lengths is not _missing and max_target_length is _missing and blank is _missing and zero_infinity is _missing
            and reduction is _missing and not extra and not unknown):
        return _ctc_loss(log_probs, targets, input_lengths, target_lengths, 0, 'mean', False)
    if (log_probs.__class__ is _Tensor and targets.__class__ is _Tensor and input_lengths is not _missing and
            target_lengths is not _missing and max_target_length.__class__ is int and blank.__class__ is int and
            (zero_infinity is False or zero_infinity is True) and reduction.__class__ is str and not extra and not unknown):
        return _ctc_loss_ordered(log_probs, targets, input_lengths, target_lengths, max_target_length, blank, zero_infinity,
                reduction)
    return _ctc_loss_slow((log_probs, targets, input_lengths, target_lengths, max_target_length, blank, zero_infinity, reduction),
            extra, unknown)

_ctc_loss_grad_slow = _Binding("ctc_loss_grad",
        "Tensor (Tensor grad, Tensor log_probs, Tensor labels, Tensor time, Tensor count, Tensor alpha, Int64 blank, Bool zero_infinity)",
        _ctc_loss_grad)
def ctc_loss_grad(grad=_missing, log_probs=_missing, labels=_missing, time=_missing, count=_missing, alpha=_missing,
        blank=_missing, zero_infinity=_missing, *extra, **unknown):
    """the gradient of ctc_loss"""
    if (grad.__class__ is _Tensor and log_probs.__class__ is _Tensor and labels.__class__ is _Tensor and time.__class__ is _Tensor
            and count.__class__ is _Tensor and alpha.__class__ is _Tensor and blank.__class__ is int and
            (zero_infinity is False or zero_infinity is True) and not extra and not unknown):
        return _ctc_loss_grad(grad, log_probs, labels, time, count, alpha, blank, zero_infinity)
    return _ctc_loss_grad_slow((grad, log_probs, labels, time, count, alpha, blank, zero_infinity), extra, unknown)

_mse_loss_slow = _Binding("mse_loss",
        "Tensor (Tensor input, Tensor target, Bool size_average=None, Bool reduce=None, String reduction='mean', Tensor weight=None)",
        _mse_loss, "Tensor (Tensor input, Tensor target, String reduction)", _mse_loss_reduced, autocast="float32")
def mse_loss(input=_missing, target=_missing, size_average=_missing, reduce=None, reduction=_missing, weight=None, *extra,
        **unknown):
    if (input.__class__ is _Tensor and target.__class__ is _Tensor and size_average is _missing and
            (reduce is None or reduce is False or reduce is True) and reduction is _missing and
            (weight is None or weight.__class__ is _Tensor) and not extra and not unknown):
        return _mse_loss(input, target, None, reduce, 'mean', weight)
    if (input.__class__ is _Tensor and target.__class__ is _Tensor and size_average.__class__ is str and reduce is None and
            reduction is _missing and weight is None and not extra and not unknown):
        return _mse_loss_reduced(input, target, size_average)
    return _mse_loss_slow((input, target, size_average, reduce, reduction, weight), extra, unknown)

_poisson_nll_loss_slow = _Binding("poisson_nll_loss",
        "Tensor (Tensor input, Tensor target, Bool log_input=True, Bool full=False, Bool size_average=None, Double eps=1e-8, Bool reduce=None, String reduction='mean')",
        _poisson_nll_loss, autocast="float32")
def poisson_nll_loss(input=_missing, target=_missing, log_input=True, full=False, size_average=None, eps=1e-08, reduce=None,
        reduction='mean', *extra, **unknown):
    if (input.__class__ is _Tensor and target.__class__ is _Tensor and (log_input is True or log_input is False) and
            (full is False or full is True) and (size_average is None or size_average is False or size_average is True) and
            eps.__class__ is float and (reduce is None or reduce is False or reduce is True) and reduction.__class__ is str and
            not extra and not unknown):
        return _poisson_nll_loss(input, target, log_input, full, size_average, eps, reduce, reduction)
    return _poisson_nll_loss_slow((input, target, log_input, full, size_average, eps, reduce, reduction), extra, unknown)

_gaussian_nll_loss_slow = _Binding("gaussian_nll_loss",
        "Tensor (Tensor input, Tensor target, PyObject var, Bool full=False, Double eps=1e-6, String reduction='mean')",
        _gaussian_nll_loss)
def gaussian_nll_loss(input=_missing, target=_missing, var=_missing, full=False, eps=1e-06, reduction='mean', *extra, **unknown):
    if (input.__class__ is _Tensor and target.__class__ is _Tensor and var is not _missing and (full is False or full is True) and
            eps.__class__ is float and reduction.__class__ is str and not extra and not unknown):
        return _gaussian_nll_loss(input, target, var, full, eps, reduction)
    return _gaussian_nll_loss_slow((input, target, var, full, eps, reduction), extra, unknown)

_hinge_embedding_loss_slow = _Binding("hinge_embedding_loss",
        "Tensor (Tensor input, Tensor target, Double margin=1.0, Bool size_average=None, Bool reduce=None, String reduction='mean')",
        _hinge_embedding_loss, autocast="float32")
def hinge_embedding_loss(input=_missing, target=_missing, margin=1.0, size_average=None, reduce=None, reduction='mean', *extra,
        **unknown):
    if (input.__class__ is _Tensor and target.__class__ is _Tensor and margin.__class__ is float and
            (size_average is None or size_average is False or size_average is True) and
            (reduce is None or reduce is False or reduce is True) and reduction.__class__ is str and not extra and not unknown):
        return _hinge_embedding_loss(input, target, margin, size_average, reduce, reduction)
    return _hinge_embedding_loss_slow((input, target, margin, size_average, reduce, reduction), extra, unknown)

_linear_cross_entropy_slow = _Binding("linear_cross_entropy",
        "Any (Tensor input, Tensor linear_weight, Tensor target, *, Tensor linear_bias=None, Tensor weight=None, String reduction='mean', Int64 ignore_index=None, Double label_smoothing=0.0, PyObject options=None, Double softcap=None, Double lse_square_scale=0.0, Bool return_z_loss=False, PyObject num_items_in_batch=None)",
        _linear_cross_entropy)
def linear_cross_entropy(input=_missing, linear_weight=_missing, target=_missing, *extra, linear_bias=None, weight=None,
        reduction='mean', ignore_index=None, label_smoothing=0.0, options=None, softcap=None, lse_square_scale=0.0,
        return_z_loss=False, num_items_in_batch=None, **unknown):
    if (input.__class__ is _Tensor and linear_weight.__class__ is _Tensor and target.__class__ is _Tensor and
            (linear_bias is None or linear_bias.__class__ is _Tensor) and (weight is None or weight.__class__ is _Tensor) and
            reduction.__class__ is str and (ignore_index is None or ignore_index.__class__ is int) and
            label_smoothing.__class__ is float and options is None and (softcap is None or softcap.__class__ is float) and
            lse_square_scale.__class__ is float and (return_z_loss is False or return_z_loss is True) and
            num_items_in_batch is None and not extra and not unknown):
        return _linear_cross_entropy(input, linear_weight, target, linear_bias, weight, reduction, ignore_index, label_smoothing,
                options, softcap, lse_square_scale, return_z_loss, num_items_in_batch)
    return _linear_cross_entropy_slow((input, linear_weight, target, linear_bias, weight, reduction, ignore_index,
            label_smoothing, options, softcap, lse_square_scale, return_z_loss, num_items_in_batch), extra, unknown)

_margin_ranking_loss_slow = _Binding("margin_ranking_loss",
        "Tensor (Tensor input1, Tensor input2, Tensor target, Double margin=0, Bool size_average=None, Bool reduce=None, String reduction='mean')",
        _margin_ranking_loss, autocast="float32")
def margin_ranking_loss(input1=_missing, input2=_missing, target=_missing, margin=0.0, size_average=None, reduce=None,
        reduction='mean', *extra, **unknown):
    if (input1.__class__ is _Tensor and input2.__class__ is _Tensor and target.__class__ is _Tensor and margin.__class__ is float
            and (size_average is None or size_average is False or size_average is True) and
            (reduce is None or reduce is False or reduce is True) and reduction.__class__ is str and not extra and not unknown):
        return _margin_ranking_loss(input1, input2, target, margin, size_average, reduce, reduction)
    return _margin_ranking_loss_slow((input1, input2, target, margin, size_average, reduce, reduction), extra, unknown)

_cosine_embedding_loss_slow = _Binding("cosine_embedding_loss",
        "Tensor (Tensor input1, Tensor input2, Tensor target, Double margin=0, Bool size_average=None, Bool reduce=None, String reduction='mean')",
        _cosine_embedding_loss, autocast="float32")
def cosine_embedding_loss(input1=_missing, input2=_missing, target=_missing, margin=0.0, size_average=None, reduce=None,
        reduction='mean', *extra, **unknown):
    if (input1.__class__ is _Tensor and input2.__class__ is _Tensor and target.__class__ is _Tensor and margin.__class__ is float
            and (size_average is None or size_average is False or size_average is True) and
            (reduce is None or reduce is False or reduce is True) and reduction.__class__ is str and not extra and not unknown):
        return _cosine_embedding_loss(input1, input2, target, margin, size_average, reduce, reduction)
    return _cosine_embedding_loss_slow((input1, input2, target, margin, size_average, reduce, reduction), extra, unknown)

_triplet_margin_loss_slow = _Binding("triplet_margin_loss",
        "Tensor (Tensor anchor, Tensor positive, Tensor negative, Double margin=1.0, Double p=2, Double eps=1e-6, Bool swap=False, Bool size_average=None, Bool reduce=None, String reduction='mean')",
        _triplet_margin_loss, autocast="float32")
def triplet_margin_loss(anchor=_missing, positive=_missing, negative=_missing, margin=1.0, p=2.0, eps=1e-06, swap=False,
        size_average=None, reduce=None, reduction='mean', *extra, **unknown):
    if (anchor.__class__ is _Tensor and positive.__class__ is _Tensor and negative.__class__ is _Tensor and
            margin.__class__ is float and p.__class__ is float and eps.__class__ is float and (swap is False or swap is True) and
            (size_average is None or size_average is False or size_average is True) and
            (reduce is None or reduce is False or reduce is True) and reduction.__class__ is str and not extra and not unknown):
        return _triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap, size_average, reduce, reduction)
    return _triplet_margin_loss_slow((anchor, positive, negative, margin, p, eps, swap, size_average, reduce, reduction), extra,
            unknown)

_multilabel_soft_margin_loss_slow = _Binding("multilabel_soft_margin_loss",
        "Tensor (Tensor input, Tensor target, Tensor weight=None, Bool size_average=None, Bool reduce=None, String reduction='mean')",
        _multilabel_soft_margin_loss)
def multilabel_soft_margin_loss(input=_missing, target=_missing, weight=None, size_average=None, reduce=None, reduction='mean',
        *extra, **unknown):
    if (input.__class__ is _Tensor and target.__class__ is _Tensor and (weight is None or weight.__class__ is _Tensor) and
            (size_average is None or size_average is False or size_average is True) and
            (reduce is None or reduce is False or reduce is True) and reduction.__class__ is str and not extra and not unknown):
        return _multilabel_soft_margin_loss(input, target, weight, size_average, reduce, reduction)
    return _multilabel_soft_margin_loss_slow((input, target, weight, size_average, reduce, reduction), extra, unknown)

_multi_margin_loss_slow = _Binding("multi_margin_loss",
        "Tensor (Tensor input, Tensor target, Scalar p=1, Scalar margin=1.0, Tensor weight=None, Bool size_average=None, Bool reduce=None, String reduction='mean')",
        _multi_margin_loss, autocast="float32")
def multi_margin_loss(input=_missing, target=_missing, p=1, margin=1.0, weight=None, size_average=None, reduce=None,
        reduction='mean', *extra, **unknown):
    if (input.__class__ is _Tensor and target.__class__ is _Tensor and (p.__class__ is int or p.__class__ is float) and
            (margin.__class__ is float or margin.__class__ is int) and (weight is None or weight.__class__ is _Tensor) and
            (size_average is None or size_average is False or size_average is True) and
            (reduce is None or reduce is False or reduce is True) and reduction.__class__ is str and not extra and not unknown):
        return _multi_margin_loss(input, target, p, margin, weight, size_average, reduce, reduction)
    return _multi_margin_loss_slow((input, target, p, margin, weight, size_average, reduce, reduction), extra, unknown)

_multilabel_margin_loss_slow = _Binding("multilabel_margin_loss",
        "Tensor (Tensor input, Tensor target, Bool size_average=None, Bool reduce=None, String reduction='mean')",
        _multilabel_margin_loss, autocast="float32")
def multilabel_margin_loss(input=_missing, target=_missing, size_average=None, reduce=None, reduction='mean', *extra, **unknown):
    if (input.__class__ is _Tensor and target.__class__ is _Tensor and
            (size_average is None or size_average is False or size_average is True) and
            (reduce is None or reduce is False or reduce is True) and reduction.__class__ is str and not extra and not unknown):
        return _multilabel_margin_loss(input, target, size_average, reduce, reduction)
    return _multilabel_margin_loss_slow((input, target, size_average, reduce, reduction), extra, unknown)

_triplet_margin_with_distance_loss_slow = _Binding("triplet_margin_with_distance_loss",
        "Tensor (Tensor anchor, Tensor positive, Tensor negative, *, PyObject distance_function=None, Double margin=1.0, Bool swap=False, String reduction='mean')",
        _triplet_margin_with_distance_loss)
def triplet_margin_with_distance_loss(anchor=_missing, positive=_missing, negative=_missing, *extra, distance_function=None,
        margin=1.0, swap=False, reduction='mean', **unknown):
    if (anchor.__class__ is _Tensor and positive.__class__ is _Tensor and negative.__class__ is _Tensor and
            distance_function is None and margin.__class__ is float and (swap is False or swap is True) and
            reduction.__class__ is str and not extra and not unknown):
        return _triplet_margin_with_distance_loss(anchor, positive, negative, distance_function, margin, swap, reduction)
    return _triplet_margin_with_distance_loss_slow((anchor, positive, negative, distance_function, margin, swap, reduction),
            extra, unknown)

_selective_log_softmax_slow = _Binding("selective_log_softmax", "Tensor (Tensor logits, Tensor index, Double temperature=1.0)",
        _selective_log_softmax, autocast="float32")
def selective_log_softmax(logits=_missing, index=_missing, temperature=1.0, *extra, **unknown):
    if (logits.__class__ is _Tensor and index.__class__ is _Tensor and temperature.__class__ is float and not extra and
            not unknown):
        return _selective_log_softmax(logits, index, temperature)
    return _selective_log_softmax_slow((logits, index, temperature), extra, unknown)

_linear_selective_log_softmax_slow = _Binding("linear_selective_log_softmax",
        "Tensor (Tensor input, Tensor weight, Tensor index, Tensor bias=None, Double temperature=1.0)",
        _linear_selective_log_softmax)
def linear_selective_log_softmax(input=_missing, weight=_missing, index=_missing, bias=None, temperature=1.0, *extra, **unknown):
    if (input.__class__ is _Tensor and weight.__class__ is _Tensor and index.__class__ is _Tensor and
            (bias is None or bias.__class__ is _Tensor) and temperature.__class__ is float and not extra and not unknown):
        return _linear_selective_log_softmax(input, weight, index, bias, temperature)
    return _linear_selective_log_softmax_slow((input, weight, index, bias, temperature), extra, unknown)

_generalized_jsd_loss_slow = _Binding("generalized_jsd_loss",
        "Tensor (Tensor input, Tensor target, Double beta=0.5, *, Tensor labels=None, Int64 ignore_index=-100, String reduction='batchmean')",
        _generalized_jsd_loss, autocast="float32")
def generalized_jsd_loss(input=_missing, target=_missing, beta=0.5, *extra, labels=None, ignore_index=-100, reduction='batchmean',
        **unknown):
    if (input.__class__ is _Tensor and target.__class__ is _Tensor and beta.__class__ is float and
            (labels is None or labels.__class__ is _Tensor) and ignore_index.__class__ is int and reduction.__class__ is str and
            not extra and not unknown):
        return _generalized_jsd_loss(input, target, beta, labels, ignore_index, reduction)
    return _generalized_jsd_loss_slow((input, target, beta, labels, ignore_index, reduction), extra, unknown)

_dpo_loss_slow = _Binding("dpo_loss",
        "Tensor (Tensor chosen_logps, Tensor rejected_logps, Tensor ref_chosen_logps=None, Tensor ref_rejected_logps=None, *, Double beta=0.1, String loss_type='sigmoid', Double label_smoothing=0.0, String reduction='mean')",
        _dpo_loss, autocast="float32")
def dpo_loss(chosen_logps=_missing, rejected_logps=_missing, ref_chosen_logps=None, ref_rejected_logps=None, *extra, beta=0.1,
        loss_type='sigmoid', label_smoothing=0.0, reduction='mean', **unknown):
    if (chosen_logps.__class__ is _Tensor and rejected_logps.__class__ is _Tensor and
            (ref_chosen_logps is None or ref_chosen_logps.__class__ is _Tensor) and
            (ref_rejected_logps is None or ref_rejected_logps.__class__ is _Tensor) and beta.__class__ is float and
            loss_type.__class__ is str and label_smoothing.__class__ is float and reduction.__class__ is str and not extra and
            not unknown):
        return _dpo_loss(chosen_logps, rejected_logps, ref_chosen_logps, ref_rejected_logps, beta, loss_type, label_smoothing,
                reduction)
    return _dpo_loss_slow((chosen_logps, rejected_logps, ref_chosen_logps, ref_rejected_logps, beta, loss_type, label_smoothing,
            reduction), extra, unknown)

_orpo_loss_slow = _Binding("orpo_loss",
        "Tensor (Tensor chosen_logps, Tensor rejected_logps, *, Double beta=0.1, String reduction='mean')", _orpo_loss,
        autocast="float32")
def orpo_loss(chosen_logps=_missing, rejected_logps=_missing, *extra, beta=0.1, reduction='mean', **unknown):
    if (chosen_logps.__class__ is _Tensor and rejected_logps.__class__ is _Tensor and beta.__class__ is float and
            reduction.__class__ is str and not extra and not unknown):
        return _orpo_loss(chosen_logps, rejected_logps, beta, reduction)
    return _orpo_loss_slow((chosen_logps, rejected_logps, beta, reduction), extra, unknown)

_kto_loss_slow = _Binding("kto_loss",
        "Tensor (Tensor logps, Tensor labels, Tensor ref_logps=None, Tensor kl=None, *, Double beta=0.1, String reduction='mean')",
        _kto_loss, autocast="float32")
def kto_loss(logps=_missing, labels=_missing, ref_logps=None, kl=None, *extra, beta=0.1, reduction='mean', **unknown):
    if (logps.__class__ is _Tensor and labels.__class__ is _Tensor and (ref_logps is None or ref_logps.__class__ is _Tensor) and
            (kl is None or kl.__class__ is _Tensor) and beta.__class__ is float and reduction.__class__ is str and not extra and
            not unknown):
        return _kto_loss(logps, labels, ref_logps, kl, beta, reduction)
    return _kto_loss_slow((logps, labels, ref_logps, kl, beta, reduction), extra, unknown)

_grpo_loss_slow = _Binding("grpo_loss",
        "Tensor (Tensor logps, Tensor advantages, Tensor mask, Tensor old_logps=None, Tensor ref_logps=None, *, Double beta=0.04, Double epsilon_low=0.2, Double epsilon_high=0.2, Double delta=None, String loss_type='dapo', String importance_sampling_level='token', Int64 max_completion_length=None, PyObject num_items_in_batch=None)",
        _grpo_loss, autocast="float32")
def grpo_loss(logps=_missing, advantages=_missing, mask=_missing, old_logps=None, ref_logps=None, *extra, beta=0.04,
        epsilon_low=0.2, epsilon_high=0.2, delta=None, loss_type='dapo', importance_sampling_level='token',
        max_completion_length=None, num_items_in_batch=None, **unknown):
    if (logps.__class__ is _Tensor and advantages.__class__ is _Tensor and mask.__class__ is _Tensor and
            (old_logps is None or old_logps.__class__ is _Tensor) and (ref_logps is None or ref_logps.__class__ is _Tensor) and
            beta.__class__ is float and epsilon_low.__class__ is float and epsilon_high.__class__ is float and
            (delta is None or delta.__class__ is float) and loss_type.__class__ is str and
            importance_sampling_level.__class__ is str and
            (max_completion_length is None or max_completion_length.__class__ is int) and num_items_in_batch is None and not extra
            and not unknown):
        return _grpo_loss(logps, advantages, mask, old_logps, ref_logps, beta, epsilon_low, epsilon_high, delta, loss_type,
                importance_sampling_level, max_completion_length, num_items_in_batch)
    return _grpo_loss_slow((logps, advantages, mask, old_logps, ref_logps, beta, epsilon_low, epsilon_high, delta, loss_type,
            importance_sampling_level, max_completion_length, num_items_in_batch), extra, unknown)

_methods = _publish(globals())

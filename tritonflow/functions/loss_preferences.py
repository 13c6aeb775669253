"""Functors of what language models are tuned by: log-probabilities of tokens, and losses over these.

`linear_selective_log_softmax` gives the log-probabilities without the logits of all tokens, so each loss of this file has a form
that never holds them. The losses themselves are of one number for each token or text.
"""

from __future__ import annotations

import math
from typing import Any

from tritonflow.binding.library import function
from tritonflow.errors import ArgumentValueError, ShapeError
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.arithmetic import add, scalar_rsub, scalar_sub, sub
from tritonflow.functions.cast import cast
from tritonflow.functions.elementwise import clamp, clamp_max, clamp_min
from tritonflow.functions.elementwise_selection import where_scalar_y, where_scalars
from tritonflow.functions.generated import (
    div,
    exp,
    jensen_shannon,
    log1p,
    logsigmoid,
    minimum,
    mul,
    relu,
    scalar_div,
    scalar_mul,
    scalar_ne,
    sigmoid,
)
from tritonflow.functions.index_gather import gather
from tritonflow.functions.loss import check_reduction, cross_entropy, reduced
from tritonflow.functions.loss_elements import kl_div
from tritonflow.functions.loss_linear import linear_cross_entropy
from tritonflow.functions.reduction import logsumexp
from tritonflow.functions.reduction import sum as total_of
from tritonflow.functions.unary import negative
from tritonflow.functions.view import reshape, unsqueeze

_NONE_IGNORED = -(1 << 63)  # an index that no class has


@function(
    "Tensor (Tensor logits, Tensor index, Double temperature=1.0)",
    export="nn.functional", samples={"none": "torch has no such function: tests/ops/test_preference_losses.py"},
    tolerance="norm", autocast="float32",
)
def selective_log_softmax(logits: Tensor, index: Tensor, temperature: float = 1.0) -> Any:
    """The log-probabilities of chosen classes: log_softmax(logits / temperature) at `index`.

    The log-probabilities of other classes are not held. With one class for each row it is one kernel, and so is
    its gradient.

    Args:
        logits: which need not be normalised; classes are the last dimension.
        index: a class for each row, or several.
        temperature: by which logits are divided.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., C), (...) -> (...), or (..., C), (..., K) -> (..., K).

    Under `flow.autocast` it computes in float32.

    Raises:
        RuntimeError: shapes that do not fit.
        ValueError: a temperature that is not above 0.
        IndexError: an index outside of the classes.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: trl.trainer.utils.selective_log_softmax.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.selective_log_softmax(flow.tensor([[0.0, 0.0], [1.0, 2.0]]), flow.tensor([0, 1]))
        tensor([-0.6931, -0.3133])
    """
    _check_temperature("selective_log_softmax", temperature)
    x, i = logits.meta, index.meta
    if x.ndim == 0 or (i.shape != x.shape[:-1] and i.shape[:-1] != x.shape[:-1]):
        raise ShapeError(
            f"selective_log_softmax(): index must be {list(x.shape[:-1])}, with one more dimension for several classes, but got"
            f" {list(i.shape)}"
        )
    if temperature != 1:
        logits = scalar_div(logits, temperature)
    if i.shape != x.shape[:-1]:
        return sub(gather(logits, x.ndim - 1, index), logsumexp(logits, (x.ndim - 1,), True))
    losses = cross_entropy(reshape(logits, (-1, x.shape[-1])), reshape(index, (-1,)), None, None, _NONE_IGNORED, None, "none")
    return negative(reshape(losses, i.shape))


@function(
    "Tensor (Tensor input, Tensor weight, Tensor index, Tensor bias=None, Double temperature=1.0)",
    export="nn.functional", samples={"none": "torch has no such function: tests/ops/test_preference_losses.py"},
    tolerance="matmul",
)
def linear_selective_log_softmax(
    input: Tensor, weight: Tensor, index: Tensor, bias: Tensor | None = None, temperature: float = 1.0
) -> Any:
    """The log-probabilities of one class for each row of linear(input, weight, bias), in chunks of rows.

    What `selective_log_softmax` gives, and no logits of all rows: `linear_cross_entropy` says how. Losses of
    preferences are functions of it.

    Args:
        input: features.
        weight: (classes, features).
        index: a class for each row.
        bias: a number for each class.
        temperature: by which logits are divided.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., D), (C, D), (...) -> (...).

    Raises:
        RuntimeError: shapes that do not fit.
        ValueError: a temperature that is not above 0.
        IndexError: an index outside of the classes.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: liger_kernel.chunked_loss.LigerFusedLinearGRPOLoss.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.linear_selective_log_softmax(flow.tensor([[1.0, 2.0]]), flow.eye(2), flow.tensor([1]))
        tensor([-0.3133])
    """
    _check_temperature("linear_selective_log_softmax", temperature)
    x, i = input.meta, index.meta
    if x.ndim == 0 or i.shape != x.shape[:-1]:
        raise ShapeError(f"linear_selective_log_softmax(): index must be {list(x.shape[:-1])}, but got {list(i.shape)}")
    if temperature != 1:
        input, bias = scalar_div(input, temperature), bias if bias is None else scalar_div(bias, temperature)
    rows = reshape(input, (-1, x.shape[-1]))
    losses = linear_cross_entropy(rows, weight, reshape(index, (-1,)), bias, None, "none", _NONE_IGNORED)
    return negative(reshape(losses, i.shape))


def _check_temperature(name: str, temperature: float) -> None:
    if not temperature > 0:
        raise ArgumentValueError(f"{name}(): temperature must be above 0, but got {temperature}")


@function(
    "Tensor (Tensor input, Tensor target, Double beta=0.5, *, Tensor labels=None, Int64 ignore_index=-100, String "
    "reduction='batchmean')",
    export="nn.functional", samples={"none": "torch has no such function: tests/ops/test_preference_losses.py"},
    tolerance="norm", autocast="float32",
)
def generalized_jsd_loss(
    input: Tensor, target: Tensor, beta: float = 0.5, labels: Tensor | None = None, ignore_index: int = -100,
    reduction: str = "batchmean",
) -> Any:  # fmt: skip
    """The generalised divergence of Jensen and Shannon of two distributions, given by their logarithms.

        loss = beta KL(P || M) + (1 - beta) KL(Q || M),   M = beta P + (1 - beta) Q

    Q = exp(input) is the student, P = exp(target) the teacher. beta = 0 is KL(P || Q), and beta = 1 is KL(Q || P), as in
    Liger. A class without probability adds 0. After Agarwal et al., On-policy distillation, 2024.

    Args:
        input: log-probabilities of the student; classes are the last dimension.
        target: log-probabilities of the teacher.
        beta: 0 to 1.
        labels: a class for each row; rows with `ignore_index` do not count.
        ignore_index: see `labels`.
        reduction: `"batchmean"` divides the sum by the rows that count; or `"mean"`, `"sum"`, `"none"` of the elements.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., C), (..., C), labels (...) -> (), or (..., C) with reduction="none".

    Under `flow.autocast` it computes in float32.

    Raises:
        RuntimeError: shapes that differ.
        ValueError: another reduction, or a beta outside 0 to 1.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: liger_kernel.transformers.functional.liger_jsd.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> q, p = flow.tensor([[0.5, 0.5]]).log(), flow.tensor([[1.0, 0.0]]).log()
        >>> F.generalized_jsd_loss(q, p)
        tensor(0.2158)
    """
    if reduction != "batchmean":
        check_reduction(reduction)
    if not 0.0 <= beta <= 1.0:
        raise ArgumentValueError(f"generalized_jsd_loss(): beta must be in 0 to 1, but got {beta}")
    x, y = input.meta.shape, target.meta.shape
    if not x or x != y or (labels is not None and labels.meta.shape != x[:-1]):
        own = "" if labels is None else f" and labels {list(labels.meta.shape)}"
        raise ShapeError(f"generalized_jsd_loss(): shapes {list(x)}, {list(y)}{own} do not fit")
    if 0.0 < beta < 1.0:
        losses = jensen_shannon(input, target, beta, 1 - beta, math.log(beta), math.log1p(-beta))
    else:
        p, q = (target, input) if beta == 0 else (input, target)
        losses = kl_div(clamp_min(q, -1e4), clamp_min(p, -1e4), None, None, "none", True)
    if labels is not None:
        counted = scalar_ne(labels, ignore_index)
        losses = where_scalar_y(unsqueeze(counted, -1), losses, 0.0)
    if reduction != "batchmean":
        return reduced(losses, reduction)
    total = total_of(losses)
    if labels is not None:
        return div(total, clamp_min(total_of(cast(counted, total.meta.dtype)), 1))
    return scalar_div(total, max(input.meta.numel // max(x[-1], 1), 1))


@function(
    "Tensor (Tensor chosen_logps, Tensor rejected_logps, Tensor ref_chosen_logps=None, Tensor ref_rejected_logps=None, *, Double "
    "beta=0.1, String loss_type='sigmoid', Double label_smoothing=0.0, String reduction='mean')",
    export="nn.functional", samples={"none": "torch has no such function: tests/ops/test_preference_losses.py"},
    tolerance="norm", autocast="float32",
)
def dpo_loss(
    chosen_logps: Tensor, rejected_logps: Tensor, ref_chosen_logps: Tensor | None = None,
    ref_rejected_logps: Tensor | None = None, beta: float = 0.1, loss_type: str = "sigmoid", label_smoothing: float = 0.0,
    reduction: str = "mean",
) -> Any:  # fmt: skip
    """Direct preference optimisation, of the log-probabilities of pairs of texts.

        d = beta ((chosen - ref_chosen) - (rejected - ref_rejected))
        sigmoid  -(1 - e) logsigmoid(d) - e logsigmoid(-d)          e: label_smoothing
        robust   (-(1 - e) logsigmoid(d) + e logsigmoid(-d)) / (1 - 2 e)
        hinge    relu(1 - d)
        ipo      (d / beta - 1 / (2 beta))^2, of log-probabilities divided by lengths

    After Rafailov et al., 2023.

    Args:
        chosen_logps: of the chosen text of each pair, by the model.
        rejected_logps: of the other one.
        ref_chosen_logps: the same by the reference model; without it, 0.
        ref_rejected_logps: the same.
        beta: how strongly the model is held near the reference.
        loss_type: "sigmoid", "robust", "hinge" or "ipo".
        label_smoothing: the share of pairs that are taken to be the wrong way round.
        reduction: `"mean"` or `"sum"` of the pairs, or `"none"`.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N), (N) -> (), or (N) with reduction="none".

    Under `flow.autocast` it computes in float32.

    Raises:
        ValueError: another loss_type or reduction, or a label_smoothing outside 0 to 0.5.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: liger_kernel.chunked_loss.LigerFusedLinearDPOLoss.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.dpo_loss(flow.tensor([-1.0]), flow.tensor([-3.0]), beta=0.5)
        tensor(0.3133)
    """
    check_reduction(reduction)
    if not 0.0 <= label_smoothing < 0.5:
        raise ArgumentValueError(f"dpo_loss(): label_smoothing must be in 0 to 0.5, but got {label_smoothing}")
    if ref_chosen_logps is not None:
        chosen_logps = sub(chosen_logps, ref_chosen_logps)
    if ref_rejected_logps is not None:
        rejected_logps = sub(rejected_logps, ref_rejected_logps)
    ratio = sub(chosen_logps, rejected_logps)
    d = scalar_mul(ratio, beta)
    if loss_type == "hinge":
        losses = relu(scalar_rsub(d, 1))
    elif loss_type == "ipo":
        gap = scalar_sub(ratio, 1 / (2 * beta))
        losses = mul(gap, gap)
    elif loss_type in ("sigmoid", "robust"):
        kept, swapped = scalar_mul(logsigmoid(d), label_smoothing - 1), scalar_mul(logsigmoid(negative(d)), label_smoothing)
        robust = loss_type == "robust"
        losses = scalar_div(add(kept, swapped), 1 - 2 * label_smoothing) if robust else sub(kept, swapped)
    else:
        raise ArgumentValueError(f"dpo_loss(): loss_type must be 'sigmoid', 'robust', 'hinge' or 'ipo', but got '{loss_type}'")
    return reduced(losses, reduction)


@function(
    "Tensor (Tensor chosen_logps, Tensor rejected_logps, *, Double beta=0.1, String reduction='mean')",
    export="nn.functional", samples={"none": "torch has no such function: tests/ops/test_preference_losses.py"},
    tolerance="norm", autocast="float32",
)
def orpo_loss(chosen_logps: Tensor, rejected_logps: Tensor, beta: float = 0.1, reduction: str = "mean") -> Any:
    """The odds ratio of pairs of texts: -beta logsigmoid(log odds(chosen) - log odds(rejected)).

    odds(p) = p / (1 - p), of mean log-probabilities of a text's tokens. A loss of the chosen text is added to it. After
    Hong et al., 2024.

    Args:
        chosen_logps: of the chosen text of each pair, divided by its length.
        rejected_logps: of the other one.
        beta: the factor of the loss.
        reduction: `"mean"` or `"sum"` of the pairs, or `"none"`.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N), (N) -> (), or (N) with reduction="none".

    Under `flow.autocast` it computes in float32.

    Raises:
        ValueError: another reduction.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: liger_kernel.chunked_loss.LigerFusedLinearORPOLoss.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.orpo_loss(flow.tensor([-1.0]), flow.tensor([-1.0]), beta=1.0)
        tensor(0.6931)
    """
    check_reduction(reduction)
    rests = [log1p(negative(exp(each))) for each in (chosen_logps, rejected_logps)]
    odds = sub(sub(chosen_logps, rejected_logps), sub(*rests))
    return reduced(scalar_mul(logsigmoid(odds), -beta), reduction)


@function(
    "Tensor (Tensor logps, Tensor labels, Tensor ref_logps=None, Tensor kl=None, *, Double beta=0.1, String reduction='mean')",
    export="nn.functional", samples={"none": "torch has no such function: tests/ops/test_preference_losses.py"},
    tolerance="norm", autocast="float32",
)
def kto_loss(
    logps: Tensor, labels: Tensor, ref_logps: Tensor | None = None, kl: Tensor | None = None, beta: float = 0.1,
    reduction: str = "mean",
) -> Any:  # fmt: skip
    """Texts that are good or bad, without pairs: 1 - sigmoid(beta (logps - ref_logps - kl)), with the other sign for bad ones.

    After Ethayarajh et al., 2024.

    Args:
        logps: of each text, by the model.
        labels: bool, whether the text is good.
        ref_logps: the same by the reference model; without it, 0.
        kl: the divergence of the model from the reference.
        beta: how strongly the model is held near the reference.
        reduction: `"mean"` or `"sum"` of the texts, or `"none"`.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N), (N) -> (), or (N) with reduction="none".

    Under `flow.autocast` it computes in float32.

    Raises:
        ValueError: another reduction.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: liger_kernel.chunked_loss.LigerFusedLinearKTOLoss.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.kto_loss(flow.tensor([0.0, 0.0]), flow.tensor([True, False]))
        tensor(0.5000)
    """
    check_reduction(reduction)
    for other in (ref_logps, kl):
        logps = logps if other is None else sub(logps, other)
    signed = mul(scalar_mul(logps, beta), cast(where_scalars(labels, 1.0, -1.0), logps.meta.dtype))
    return reduced(scalar_rsub(sigmoid(signed), 1), reduction)


@function(
    "Tensor (Tensor logps, Tensor advantages, Tensor mask, Tensor old_logps=None, Tensor ref_logps=None, *, Double beta=0.04, "
    "Double epsilon_low=0.2, Double epsilon_high=0.2, Double delta=None, String loss_type='dapo', String "
    "importance_sampling_level='token', Int64 max_completion_length=None, PyObject num_items_in_batch=None)",
    export="nn.functional", samples={"none": "torch has no such function: tests/ops/test_preference_losses.py"},
    tolerance="norm", autocast="float32",
)
def grpo_loss(
    logps: Tensor, advantages: Tensor, mask: Tensor, old_logps: Tensor | None = None, ref_logps: Tensor | None = None,
    beta: float = 0.04, epsilon_low: float = 0.2, epsilon_high: float = 0.2, delta: float | None = None, loss_type: str = "dapo",
    importance_sampling_level: str = "token", max_completion_length: int | None = None, num_items_in_batch: Any = None,
) -> Any:  # fmt: skip
    """Group relative policy optimisation, of the log-probabilities of the tokens of texts.

        r = exp(logps - old_logps)
        loss of a token = -min(r A, clamp(r, 1 - epsilon_low, 1 + epsilon_high) A) + beta (exp(s) - s - 1),   s = ref_logps - logps

    "grpo" is the mean over texts of the means of their tokens; "bnpo" the mean over all tokens; "dr_grpo" divides by texts
    times `max_completion_length`; "dapo" by `num_items_in_batch`, or as "bnpo". After Shao et al., 2024.

    Args:
        logps: of each token, by the model.
        advantages: of each text.
        mask: which tokens count, as 0 and 1 or bool.
        old_logps: by the model that drew the tokens; without it the model itself, and r is 1.
        ref_logps: by the reference model; without it the model itself, and s is 0.
        beta: the factor of the divergence from the reference.
        epsilon_low: how far below 1 the ratio counts.
        epsilon_high: how far above.
        delta: a bound of the ratio that is not clamped.
        loss_type: "grpo", "bnpo", "dr_grpo" or "dapo".
        importance_sampling_level: "token", or "sequence" for the mean of a text's log-ratios, as GSPO.
        max_completion_length: of "dr_grpo".
        num_items_in_batch: of "dapo": the tokens of the whole batch, a number or a tensor.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (B, T), (B), (B, T) -> ().

    Under `flow.autocast` it computes in float32.

    Raises:
        RuntimeError: shapes that do not fit.
        ValueError: another loss_type or level, or "dr_grpo" without max_completion_length.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: liger_kernel.chunked_loss.LigerFusedLinearGRPOLoss.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.grpo_loss(flow.tensor([[-1.0, -2.0]]), flow.tensor([3.0]), flow.ones(1, 2))
        tensor(-3.)
    """
    shape = logps.meta.shape
    if len(shape) != 2 or mask.meta.shape != shape or advantages.meta.shape != shape[:1]:
        raise ShapeError(
            f"grpo_loss(): expected logps and mask (B, T) and advantages (B), but got {list(shape)}, {list(mask.meta.shape)} and"
            f" {list(advantages.meta.shape)}"
        )
    if loss_type not in ("grpo", "bnpo", "dr_grpo", "dapo"):
        raise ArgumentValueError(f"grpo_loss(): loss_type must be 'grpo', 'bnpo', 'dr_grpo' or 'dapo', but got '{loss_type}'")
    if importance_sampling_level not in ("token", "sequence"):
        raise ArgumentValueError(
            f"grpo_loss(): importance_sampling_level must be 'token' or 'sequence', but got '{importance_sampling_level}'"
        )
    if loss_type == "dr_grpo" and max_completion_length is None:
        raise ArgumentValueError("grpo_loss(): loss_type 'dr_grpo' needs max_completion_length")
    counted = cast(mask, logps.meta.dtype)
    lengths = clamp_min(total_of(counted, (1,)), 1)
    log_ratio = sub(logps, logps.detach() if old_logps is None else old_logps)
    if importance_sampling_level == "sequence":
        log_ratio = unsqueeze(div(total_of(mul(log_ratio, counted), (1,)), lengths), 1)
    ratio, each = exp(log_ratio), unsqueeze(advantages, 1)
    clipped = clamp(ratio, 1 - epsilon_low, 1 + epsilon_high)
    bounded = ratio if delta is None else clamp_max(ratio, delta)
    losses = negative(minimum(mul(bounded, each), mul(clipped, each)))
    if beta:
        gap = sub(logps.detach() if ref_logps is None else ref_logps, logps)
        losses = add(losses, scalar_mul(scalar_sub(sub(exp(gap), gap), 1), beta))
    losses = mul(losses, counted)
    if loss_type == "grpo":
        return scalar_div(total_of(div(total_of(losses, (1,)), lengths)), max(shape[0], 1))
    total = total_of(losses)
    if loss_type == "dr_grpo":
        return scalar_div(total, max(shape[0] * (max_completion_length or 1), 1))
    if loss_type == "dapo" and num_items_in_batch is not None:
        return (div if isinstance(num_items_in_batch, Tensor) else scalar_div)(total, num_items_in_batch)
    return div(total, clamp_min(total_of(counted), 1))

"""OneFlow's losses beside torch's, and functions of lists of boxes and labels; each is made of ops of the registry."""

from __future__ import annotations

import math
from typing import Any

from tritonflow import _C
from tritonflow.binding.new_tensors import tensor
from tritonflow.compat.checks import is_integer, require, require_type, same_dtype
from tritonflow.dtypes import bool_, int64
from tritonflow.framework.tensor import Tensor


def softmax_cross_entropy(logits: Tensor, label: Tensor) -> Any:
    """-sum(label * log(softmax(logits))) along the last dimension, with probabilities as labels."""
    _as_prediction(logits, "prediction")
    require(
        label.shape == logits.shape,
        f"The size of label {_text(label)} must match the size of prediction {_text(logits)}",
    )
    same_dtype(label, logits, "label and prediction")
    return -(label * _C.log_softmax(logits, -1)).sum(-1)


def softmax_cross_entropy_grad(dy: Tensor, label: Tensor, prob: Tensor) -> Any:
    """The gradient of `softmax_cross_entropy` by its logits, from their softmax `prob`; a label's row sums to 1."""
    _as_prediction(prob, "prob")
    require(
        dy.ndim == prob.ndim - 1,
        f"The dimension of dy is expected to be less than that of prob by 1, but found {dy.ndim} and {prob.ndim - 1}",
    )
    _same_sizes(dy, "dy", label, "label")
    require(label.shape == prob.shape, f"The size of label {_text(label)} must match the size of prob {_text(prob)}")
    same_dtype(label, prob, "label and prob")
    same_dtype(dy, prob, "dy and prob")
    return dy.unsqueeze(-1) * (prob - label)


def sparse_softmax_cross_entropy(logits: Tensor, labels: Tensor) -> Any:
    """-log(softmax(logits)[label]) along the last dimension, an element for each label.

    Args:
        logits: of shape (*d, classes).
        labels: int32 or int64 of shape (*d).

    Raises:
        RuntimeError: the shapes do not fit.
        TypeError: labels are no integers.

    Source: oneflow.nn.functional.sparse_softmax_cross_entropy

    Example:
        >>> import tritonflow as flow
        >>> logits = flow.tensor([[2.0, -5.0, 0.5, -0.1], [0.0, 0.0, 1.9, 1.4]])
        >>> flow.nn.functional.sparse_softmax_cross_entropy(logits, flow.tensor([0, 3]))
        tensor([0.2975, 1.1448])
    """
    _as_prediction(logits, "prediction")
    _as_label(labels, logits)
    return -_C.log_softmax(logits, -1).gather(-1, labels.to(int64).unsqueeze(-1)).squeeze(-1)


def sparse_cross_entropy(prediction: Tensor, label: Tensor, depth: int) -> Any:
    """-log(prediction[label]) along the last dimension, of probabilities; 0 where a label is outside."""
    _as_prediction(prediction, "prediction")
    _as_label(label, prediction)
    inside = (label >= 0) & (label < depth)
    picked = prediction.gather(-1, label.to(int64).clamp(0, prediction.shape[-1] - 1).unsqueeze(-1)).squeeze(-1)
    return _C.where(inside, -picked.log(), 0.0)


def _as_prediction(x: Tensor, name: str) -> None:
    require(x.ndim >= 2, f"The dimension of {name} must be greater than or equal to 2, but found {x.ndim}")


def _as_label(label: Tensor, prediction: Tensor) -> None:
    require(
        label.ndim == prediction.ndim - 1,
        "The dimension of label is expected to be less than that of prediction by 1, but found"
        f" {label.ndim} and {prediction.ndim - 1}",
    )
    _same_sizes(prediction, "prediction", label, "label", label.ndim)
    require_type(is_integer(label), f"The dtype of label must be integer, but found {label.dtype}")


def _same_sizes(a: Tensor, name: str, b: Tensor, other: str, ndim: int | None = None) -> None:
    for dim in range(a.ndim if ndim is None else ndim):
        require(
            a.shape[dim] == b.shape[dim],
            f"The size of {name} ({a.shape[dim]}) must match the size of {other} ({b.shape[dim]}) at dimension {dim}",
        )


def _text(x: Tensor) -> str:
    return "(" + ",".join(str(size) for size in x.shape) + ("," if x.ndim == 1 else "") + ")"


def combined_margin_loss(x: Tensor, label: Tensor, m1: float, m2: float, m3: float) -> Any:
    """Cosines with that of the label moved by margins: cos(m1 * acos(x) + m2) - m3 (Deng et al., 2019).

    Args:
        x: cosines of shape (n, classes).
        label: integers of shape (n,).
    """
    classes = x.shape[1]
    picked = _C.one_hot(label.to(int64).reshape(-1), classes).to(bool_)
    if m1 == 1.0 and m2 == 0.0:
        return x - picked.to(x.dtype) * m3 if m3 else x
    cosines = x.gather(1, label.to(int64).reshape(-1, 1))
    moved = (cosines.acos() * m1 + m2).cos() - m3
    return x + picked.to(x.dtype) * (moved - cosines)


def ctc_greedy_decoder(log_probs: Tensor, input_lengths: Tensor, merge_repeated: bool = True) -> Any:
    """The likeliest class of each step, without blanks (the last class) and, if asked, without repetitions.

    Args:
        log_probs: of shape (steps, batch, classes).
        input_lengths: the steps of each sequence.
        merge_repeated: whether a class that follows itself counts once; a blank between them parts them.

    Returns:
        The classes of shape (batch, steps), zeros behind; the sums of the negative largest `log_probs`, of shape (batch, 1).

    Source: oneflow.nn.functional.ctc_greedy_decoder

    Example:
        >>> import tritonflow as flow
        >>> scores = flow.tensor([[[0.1, 0.8, 0.1]], [[0.1, 0.8, 0.1]], [[0.7, 0.2, 0.1]]]).log()
        >>> flow.nn.functional.ctc_greedy_decoder(scores, flow.tensor([3]))[0]
        tensor([[1, 0, 0]])
    """
    steps, batch, classes = log_probs.shape
    values, best = log_probs.max(-1)
    inside = _C.arange(steps, device=log_probs.device).unsqueeze(1) < input_lengths.unsqueeze(0)
    emitted = inside & (best != classes - 1)
    if merge_repeated and steps > 1:
        repeats = _C.cat([emitted.new_zeros((1, batch)), best[1:] == best[:-1]], 0)
        emitted = emitted & ~repeats
    position = _C.where(emitted, emitted.to(int64).cumsum(0) - 1, steps)  # what is not emitted goes to a last column, which is cut
    decoded = best.new_zeros((steps + 1, batch)).scatter(0, position, best)[:steps]
    return decoded.transpose(0, 1).to(input_lengths.dtype), -_C.where(inside, values, 0.0).sum(0).unsqueeze(1)


# --------------------------------------------------------------------- boxes (Zheng et al., Distance-IoU loss, 2020)


def fused_get_boundding_boxes_coord(
    x1: Tensor, y1: Tensor, w1: Tensor, h1: Tensor, x2: Tensor, y2: Tensor, w2: Tensor, h2: Tensor
) -> list[Any]:
    """The edges of two lists of boxes from centers and sizes: x1, x2, y1, y2 of the first boxes, then of the second."""
    first = [x1 - w1 / 2, x1 + w1 / 2, y1 - h1 / 2, y1 + h1 / 2]
    return [*first, x2 - w2 / 2, x2 + w2 / 2, y2 - h2 / 2, y2 + h2 / 2]


def fused_get_intersection_area(
    b1_x1: Tensor, b1_x2: Tensor, b2_x1: Tensor, b2_x2: Tensor, b1_y1: Tensor, b1_y2: Tensor, b2_y1: Tensor, b2_y2: Tensor
) -> Any:
    """The areas in which boxes overlap."""
    width = (b1_x2.minimum(b2_x2) - b1_x1.maximum(b2_x1)).clamp(min=0)
    return width * (b1_y2.minimum(b2_y2) - b1_y1.maximum(b2_y1)).clamp(min=0)


def fused_get_iou(w1: Tensor, h1: Tensor, w2: Tensor, h2: Tensor, inter: Tensor, eps: float) -> Any:
    """Intersection over union."""
    return inter / (w1 * h1 + w2 * h2 - inter + eps)


def fused_get_convex_diagonal_squared(
    b1_x1: Tensor, b1_x2: Tensor, b2_x1: Tensor, b2_x2: Tensor, b1_y1: Tensor, b1_y2: Tensor, b2_y1: Tensor, b2_y2: Tensor,
    eps: float,
) -> Any:  # fmt: skip
    """The squared diagonals of the smallest boxes around both."""
    width = b1_x2.maximum(b2_x2) - b1_x1.minimum(b2_x1)
    height = b1_y2.maximum(b2_y2) - b1_y1.minimum(b2_y1)
    return width**2 + height**2 + eps


def fused_get_center_dist(
    b1_x1: Tensor, b1_x2: Tensor, b2_x1: Tensor, b2_x2: Tensor, b1_y1: Tensor, b1_y2: Tensor, b2_y1: Tensor, b2_y2: Tensor
) -> Any:
    """The squared distances of the centers."""
    return ((b2_x1 + b2_x2 - b1_x1 - b1_x2) ** 2 + (b2_y1 + b2_y2 - b1_y1 - b1_y2) ** 2) / 4


def fused_get_ciou_diagonal_angle(w1: Tensor, h1: Tensor, w2: Tensor, h2: Tensor, eps: float) -> Any:
    """How far the aspect ratios differ: (4 / pi^2) (atan(w2 / h2) - atan(w1 / h1))^2."""
    return (4 / math.pi**2) * ((w2 / (h2 + eps)).atan() - (w1 / (h1 + eps)).atan()) ** 2


def fused_get_ciou_result(v: Tensor, iou: Tensor, rho2: Tensor, c2: Tensor, eps: float) -> tuple[Any, Any]:
    """Complete intersection over union, and the weight of the aspect ratio, which is a constant to derivatives."""
    weight = (v / (v - iou + (1 + eps))).detach()
    return iou - (rho2 / c2 + v * weight), weight


def nms(boxes: Tensor, scores: Tensor, iou_threshold: float) -> Any:
    """The boxes that remain when each, from the highest score on, removes those that overlap it too much.

    Args:
        boxes: of shape (n, 4): x1, y1, x2, y2.
        scores: of shape (n,).
        iou_threshold: the largest intersection over union that is no overlap.

    Returns:
        Their numbers, int64, by falling score.

    Source: oneflow.nms, torchvision.ops.nms

    Example:
        >>> import tritonflow as flow
        >>> boxes = flow.tensor([[0.0, 0, 2, 2], [0.1, 0, 2, 2], [3.0, 3, 4, 4]])
        >>> flow.nms(boxes, flow.tensor([0.9, 0.8, 0.7]), 0.5)
        tensor([0, 2])
    """
    order = scores.argsort(0, True)
    return order[nms_sorted(boxes[order], iou_threshold)]


def nms_sorted(x: Tensor, iou_threshold: float, keep_n: int = -1) -> Any:
    """Whether each box remains, of boxes by falling score: `_C.nms`. The last step runs through them one by one."""
    corner = x[:, None, :2].maximum(x[None, :, :2]), x[:, None, 2:].minimum(x[None, :, 2:])
    inter = (corner[1] - corner[0]).clamp(min=0).prod(-1)
    area = (x[:, 2] - x[:, 0]) * (x[:, 3] - x[:, 1])
    overlaps = (inter / (area[:, None] + area[None, :] - inter) > iou_threshold).tolist()
    removed = [False] * len(overlaps)
    keep: list[bool] = []
    for number, row in enumerate(overlaps):
        keep.append(not removed[number] and (keep_n < 0 or sum(keep) < keep_n))
        if keep[-1]:
            removed = [was or now for was, now in zip(removed, row)]
    return tensor(keep, dtype=bool_, device=x.device)

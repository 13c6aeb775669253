"""Distillation between two linear maps: the divergence of their distributions, some rows at a time."""

from __future__ import annotations

from typing import Any

from tritonflow import _C
from tritonflow.autograd import no_grad
from tritonflow.dtypes import float32
from tritonflow.errors import ArgumentValueError, ShapeError
from tritonflow.framework.tensor import Tensor

_ELEMENTS = 1 << 22  # of the logits of some rows: 16 MB of float32


def linear_jsd_loss(
    student_input: Tensor,
    student_weight: Tensor,
    teacher_input: Tensor,
    teacher_weight: Tensor,
    labels: Tensor | None = None,
    beta: float = 0.5,
    *,
    student_bias: Tensor | None = None,
    teacher_bias: Tensor | None = None,
    ignore_index: int = -100,
    temperature: float = 1.0,
) -> Any:
    """The generalised divergence of Jensen and Shannon between the distributions of two linear maps.

        loss = generalized_jsd_loss(log_softmax(student / T), log_softmax(teacher / T), beta, labels=labels)

    with student = student_input @ student_weight.T + student_bias, and the teacher so. beta = 0 is KL(teacher || student), and
    beta = 1 is KL(student || teacher). Logits are there for some rows at a time, and backward computes the student's again.
    Logarithms are in float32, also of halves. Gradients go to the student alone.

    Args:
        student_input, teacher_input: the rows that the maps are given; their widths may differ.
        student_weight, teacher_weight: a row for each class.
        labels: a class for each row; rows with `ignore_index` do not count.
        beta: 0 to 1.
        student_bias, teacher_bias: an addend for each class.
        ignore_index: see `labels`.
        temperature: T, above 0.

    Shape:
        (..., H), (C, H), (..., G), (C, G), labels (...) -> (), the sum over classes and rows by the number of rows that count.

    Raises:
        RuntimeError: shapes that do not fit.
        ValueError: a temperature that is not above 0, or a beta outside 0 to 1.

    Source: liger_kernel.transformers.LigerFusedLinearJSD.

    Example:
        >>> import tritonflow as flow
        >>> x, weight = flow.tensor([[1.0, 0.0]]), flow.tensor([[0.0, 0.0], [0.0, 0.0]])
        >>> flow.nn.functional.linear_jsd_loss(x, weight, x, weight)
        tensor(0.)
    """
    if not temperature > 0:
        raise ArgumentValueError(f"linear_jsd_loss(): temperature must be above 0, but got {temperature}")
    if not 0.0 <= beta <= 1.0:
        raise ArgumentValueError(f"linear_jsd_loss(): beta must be in 0 to 1, but got {beta}")
    _check(student_input, student_weight, teacher_input, teacher_weight, labels)
    from tritonflow.utils.checkpoint import checkpoint  # is above the functions of layers, of which this is one

    classes = student_weight.shape[0]
    student, teacher = _C.flatten(student_input, 0, -2), _C.flatten(teacher_input, 0, -2).detach()
    flat = None if labels is None else _C.flatten(labels)
    rows, step = student.shape[0], max(_ELEMENTS // max(classes, 1), 16)

    def part(x: Tensor, weight: Tensor, bias: Tensor | None, y: Tensor, own: Tensor | None) -> Any:
        q = _log_softmax(x, weight, bias, temperature)
        with no_grad():
            p = _log_softmax(y, teacher_weight, teacher_bias, temperature)
        return _C.generalized_jsd_loss(q, p, beta, labels=own, ignore_index=ignore_index, reduction="sum")

    total: Any = None
    for first in range(0, max(rows, 1), step):
        x, y = student[first : first + step], teacher[first : first + step]
        own = None if flat is None else flat[first : first + step]
        loss = checkpoint(part, x, student_weight, student_bias, y, own, use_reentrant=False)
        total = loss if total is None else total + loss
    counted = max(rows, 1) if flat is None else _C.clamp_min((flat != ignore_index).sum(), 1)
    return total / counted


def _log_softmax(x: Tensor, weight: Tensor, bias: Tensor | None, temperature: float) -> Tensor:
    logits = _C.linear(x, weight, bias)
    scaled = logits if temperature == 1 else logits.to(_wide(logits)) / temperature
    found: Tensor = _C.log_softmax(scaled, -1, dtype=_wide(logits))
    return found


def _wide(logits: Tensor) -> Any:
    """float32 for halves."""
    return float32 if logits.dtype.itemsize == 2 else logits.dtype


def _check(student: Tensor, weight: Tensor, teacher: Tensor, teacher_weight: Tensor, labels: Tensor | None) -> None:
    shapes = [list(each.shape) for each in (student, weight, teacher, teacher_weight)]
    fit = weight.ndim == teacher_weight.ndim == 2 and student.ndim > 1 and student.shape[:-1] == teacher.shape[:-1]
    if not fit or weight.shape[0] != teacher_weight.shape[0]:
        raise ShapeError(
            f"linear_jsd_loss(): shapes {', '.join(map(str, shapes))} do not fit: expected rows of as many elements as the weights"
            " have columns, as many of the teacher as of the student, and as many classes"
        )
    if labels is not None and labels.shape != student.shape[:-1]:
        raise ShapeError(f"linear_jsd_loss(): labels must be of shape {shapes[0][:-1]}, but got {list(labels.shape)}")

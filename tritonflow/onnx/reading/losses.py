"""Losses."""

from __future__ import annotations

from typing import Any

from tritonflow.nn import functional as F
from tritonflow.onnx.reading.table import op


def _nll(node: Any, logarithms: Any, target: Any, weight: Any) -> Any:
    ignored = node.get("ignore_index", -100)
    return F.nll_loss(logarithms, target.long(), weight, ignore_index=ignored, reduction=node.get("reduction", "mean"))


@op("NegativeLogLikelihoodLoss")
def _negative_log_likelihood(node: Any, logarithms: Any, target: Any, weight: Any = None) -> Any:
    return _nll(node, logarithms, target, weight)


@op("SoftmaxCrossEntropyLoss")
def _cross_entropy(node: Any, scores: Any, target: Any, weight: Any = None) -> Any:
    logarithms = F.log_softmax(scores, 1)
    return _nll(node, logarithms, target, weight), logarithms

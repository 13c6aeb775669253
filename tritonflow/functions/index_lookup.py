"""What embeddings may do beside looking up rows: keep rows short, and divide gradients by how often rows are seen."""

from __future__ import annotations

from tritonflow.framework.tensor import Tensor
from tritonflow.functions.cast import cast, widened
from tritonflow.functions.creation_like import new_zeros, ones_like
from tritonflow.functions.generated import where
from tritonflow.functions.reduction import norm
from tritonflow.functions.view import reshape, unsqueeze
from tritonflow.interpreter.grad_mode import no_grad


def shorten_rows(weight: Tensor, indices: Tensor, max_norm: float, norm_type: float) -> None:
    """In place: the rows that are looked up get no longer than max_norm."""
    with no_grad():
        at = reshape(indices, (-1,))
        rows = weight.detach()[at]
        lengths = norm(rows, norm_type, (1,), True)
        factors = where(lengths > max_norm, max_norm / (lengths + 1e-7), ones_like(lengths))
        weight[at] = rows * factors


def by_frequency(rows: Tensor, indices: Tensor, count: int) -> Tensor:
    """The same rows, whose gradients are divided by how often each is looked up."""
    with no_grad():
        at = reshape(indices, (-1,))
        often = new_zeros(at, (count,)).index_add(0, at, ones_like(at))[indices]
        still = rows.detach()
    return still + cast(widened(rows - still) / unsqueeze(often, -1), rows.meta.dtype)

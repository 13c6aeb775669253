"""Reductions and normalisations that leave masked elements out: torch.masked's functions.

Each function takes `mask=`, booleans that broadcast to the input: True where an element counts. An element that does not is
replaced by the identity of the operation, such as 0 for a sum. There are no masked tensors here (`torch.masked.MaskedTensor`).

Shapes: a reduction over `dim` (a number, several, or None for all) removes these dimensions, or leaves them with size 1 where
`keepdim=True`. Other functions keep the shape. The result has the dtype `dtype`, by default that of the input; sums and products of
whole numbers are int64.

Errors: IndexError if the mask has more dimensions than the input, or `dim` is out of range; RuntimeError if the mask does not
broadcast, or a dimension is named twice; ValueError for a mean of whole numbers.

Source: torch.masked.

Example:
    >>> import tritonflow as flow
    >>> x, mask = flow.tensor([[1.0, 2.0], [3.0, 4.0]]), flow.tensor([[True, False], [True, True]])
    >>> flow.masked.sum(x, 1, mask=mask)
    tensor([1., 7.])
    >>> flow.masked.softmax(x, 1, mask=mask)
    tensor([[1.0000, 0.0000],
            [0.2689, 0.7311]])
"""

from tritonflow.masked.exponentials import log_softmax, logaddexp, logsumexp, softmax, softmin
from tritonflow.masked.extremes import amax, amin, argmax, argmin
from tritonflow.masked.norms import norm, normalize
from tritonflow.masked.statistics import mean, median, std, var
from tritonflow.masked.totals import cumprod, cumsum, prod, sum

__all__ = (
    "amax", "amin", "argmax", "argmin", "cumprod", "cumsum", "log_softmax", "logaddexp", "logsumexp", "mean", "median", "norm",
    "normalize", "prod", "softmax", "softmin", "std", "sum", "var",
)  # fmt: skip

"""Special functions under torch's names: `flow.special.gammaln(x)`.

The functions that the registry exports to `special` are here as they are. docs/ops.md lists them with their formulas.

Example:
    >>> import tritonflow as flow
    >>> flow.special.expit(flow.tensor([0.0])).tolist()
    [0.5]
"""

from __future__ import annotations

from tritonflow._C import (
    digamma,
    erf,
    erfinv,
    exp2,
    expm1,
    lgamma,
    log1p,
    log_softmax,
    logsumexp,
    round,
    sigmoid,
    softmax,
)
from tritonflow._C.special_names import *  # noqa: F403 (these functions, and nothing else)

expit = sigmoid
gammaln = lgamma
psi = digamma

__all__ = [  # noqa: PLE0604
    "digamma", "erf", "erfinv", "exp2", "expit", "expm1", "gammaln", "log1p", "log_softmax", "logsumexp", "psi", "round", "softmax",
    *(name for name in vars() if name not in ("annotations",) and not name.startswith("_")),
]  # fmt: skip

"""What an op on a consistent tensor costs on the host beside the same op on its shard: 16 elements, nothing is boxed.

    python -m tritonflow.bench bench/consistent_overhead.py --vs local

One rank is enough: what an op does without boxing does not depend on how many there are. Bar: `local / ours` is at least 0.95.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tritonflow as flow

Call = Callable[[], Any]


def calls(x: Any, w: Any, b: Any) -> dict[str, Call]:
    """Ops with one, two and three inputs, in place, as views, with a scalar, and recorded for backward."""
    y, leaf = x.clone(), x.clone().requires_grad_()
    return {
        "relu": lambda: flow.relu(x),
        "add": lambda: x + b,
        "add a scalar": lambda: x + 1.0,
        "add in place": lambda: y.add_(b),
        "matmul": lambda: x @ w,
        "linear": lambda: flow.nn.functional.linear(x, w, b),
        "layer_norm": lambda: flow.nn.functional.layer_norm(x, (4,)),
        "softmax": lambda: flow.softmax(x, 1),
        "transpose": lambda: x.permute(1, 0),
        "sum of rows": lambda: x.sum(1),
        "relu, recorded": lambda: flow.relu(leaf),
        "add, recorded": lambda: leaf + b,
    }


NAMES = list(calls(flow.ones(4, 4), flow.ones(4, 4), flow.ones(4)))


@flow.bench.case(op=NAMES)
def consistent(op: str) -> flow.bench.Timed:
    """An op on a consistent tensor, and on its shard. That they compute the same, tests/consistent says."""
    placement = flow.placement("cpu", ranks=[0])
    x, w, b = flow.randn(4, 4), flow.randn(4, 4), flow.randn(4)
    split, whole = flow.sbp.split(0), flow.sbp.broadcast
    laid_out = [t.to_global(placement=placement, sbp=s) for t, s in ((x, split), (w, whole), (b, whole))]
    return flow.bench.Timed(calls(*laid_out)[op], vs={"local": calls(x, w, b)[op]}, checked=False, host=True)

"""The functors of attention beyond a mask: what `nn.attention` has of flash attention's and of torch's functions."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any

from tritonflow.binding.library import function, functor
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.runtime_scalar import as_float
from tritonflow.framework.tensor import Tensor
from tritonflow.functions import reduction
from tritonflow.functions.arithmetic import sub
from tritonflow.functions.elementwise_selection import where_scalar_x
from tritonflow.functions.generated import exp, mul, scalar_eq, scalar_mul
from tritonflow.functions.view import reshape
from tritonflow.interpreter.dispatch import dispatch

_attention = op_expr("flash_attention")
_attention_grad = op_expr("flash_attention_grad")


@functor("FlashAttention")
def flash_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    q_starts: Tensor | None = None,
    k_starts: Tensor | None = None,
    used: Tensor | None = None,
    table: Tensor | None = None,
    sinks: Tensor | None = None,
    lists: Sequence[Tensor | None] | None = None,
    reads: Sequence[Tensor] | None = None,
    edit: Any = (),
    window: Any = (),
    most: Any = (),
    block: Any = (),
    single: bool = False,
    scale: float = 1.0,
    cap: float = 0.0,
    drawn: Tensor | None = None,
    rate: float = 0.0,
    factor: float = 1.0,
) -> Any:
    inputs = (query, key, value, q_starts, k_starts, used, table, sinks, *(lists or (None,) * 4), drawn, *(reads or ()))
    scalars = (as_float(scale), -inf, 0.0, as_float(cap), rate, factor, 0)
    return dispatch(_attention, inputs, (edit, window, most, block, single), scalars)[:2]


@functor("FlashAttentionGrad")
def flash_attention_grad(
    grad: Tensor,
    dlse: Tensor,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    out: Tensor,
    rows: Tensor,
    q_starts: Tensor | None,
    k_starts: Tensor | None,
    lists: Sequence[Tensor | None],
    reads: Sequence[Tensor],
    edit: Any,
    window: Any,
    most: Any,
    block: Any,
    single: bool,
    scale: float,
    cap: float,
    drawn: Tensor | None,
    rate: float,
    factor: float,
) -> Any:
    inputs = (grad, query, key, value, out, rows, dlse, q_starts, k_starts, None, None, None, *lists, drawn, *reads)
    return dispatch(_attention_grad, inputs, (edit, window, most, block, single), (scale, -inf, cap, rate, factor, 0))


@function("Tensor (Tensor grad, Tensor dlse, Tensor out, Tensor lse, Tensor sinks, Tensor query)", bind_python=False)
def flash_sinks_grad(grad: Tensor, dlse: Tensor, out: Tensor, lse: Tensor, sinks: Tensor, query: Tensor) -> Tensor:
    """-sum over the rows of exp(sink - lse) (rowsum(grad out) - dlse); rows of no sequence have none."""
    delta = sub(reduction.sum(mul(grad, out), (-1,)), dlse)
    weight = exp(sub(reshape(sinks, (1, -1, 1)), lse))
    weight = where_scalar_x(scalar_eq(lse, -inf), 0.0, weight)
    return scalar_mul(reduction.sum(mul(weight, delta), (0, 2)), -1.0)  # type: ignore[no-any-return]

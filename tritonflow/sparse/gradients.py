"""Gradients of a sparse layout: of tables of which few rows are looked up."""

from __future__ import annotations

from functools import cache
from math import prod
from typing import Any

from tritonflow.autograd.function import Function
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.gradient_ops import gradient_ops
from tritonflow.members.torch_names import sparse_coo
from tritonflow.sparse import arithmetic
from tritonflow.sparse.conversions import to_dense
from tritonflow.sparse.operations import clone
from tritonflow.sparse.tensor import SparseTensor


class LookedUpRows(Function):
    """Rows of a table, whose gradient has entries in these rows alone."""

    @staticmethod
    def forward(ctx: Any, table: Any, indices: Any, padding_row: int | None) -> Any:
        ctx.indices, ctx.padding_row, ctx.shape = indices.detach(), padding_row, tuple(table.shape)
        return table.detach()[indices]

    @staticmethod
    def backward(ctx: Any, dy: Any) -> Any:
        take_sparse_gradients()
        count = prod(ctx.indices.shape)
        index, entries = ctx.indices.reshape(count).long(), dy.reshape(count, *ctx.shape[1:])
        if ctx.padding_row is not None:
            rows = (index != ctx.padding_row).nonzero().reshape(-1)
            index, entries = index[rows], entries[rows]
        return SparseTensor.make(sparse_coo, (index.unsqueeze(0),), entries, ctx.shape), None, None


def looked_up_rows(table: Tensor, indices: Tensor, padding_row: int | None) -> Any:
    """Rows of a table, whose gradient is sparse; that of `padding_row` has no entry."""
    return LookedUpRows.apply(table, indices, padding_row)


@cache
def take_sparse_gradients() -> None:
    """Let the backward engine add and copy sparse gradients, from the first one on. A sum with a dense one is dense."""
    dense_add, dense_add_, dense_clone = gradient_ops.add, gradient_ops.add_, gradient_ops.clone

    def total(plain: Any, present: Tensor, grad: Tensor) -> Any:
        if isinstance(present, SparseTensor):
            if isinstance(grad, SparseTensor):
                return arithmetic.add(present, grad)
            return dense_add(to_dense(present), grad)
        return plain(present, to_dense(grad) if isinstance(grad, SparseTensor) else grad)

    def add(present: Tensor, grad: Tensor) -> Any:
        return total(dense_add, present, grad)

    def add_(present: Tensor, grad: Tensor) -> Any:
        found = total(dense_add_, present, grad)
        return present.become(found) if isinstance(present, SparseTensor) and isinstance(found, SparseTensor) else found

    def copied(grad: Tensor, *memory_format: Any) -> Any:
        return clone(grad) if isinstance(grad, SparseTensor) else dense_clone(grad, *memory_format)

    gradient_ops.add, gradient_ops.add_, gradient_ops.clone = add, add_, copied

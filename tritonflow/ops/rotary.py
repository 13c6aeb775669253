"""Planners of rotary embeddings: one launch for the queries and the keys of attention, written over them or not.

The attribute `order` says which dimensions of an operand are batch, length and heads; the size of a head is the last one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow.device.provider import facts_of
from tritonflow.framework.meta import Shape, TensorMeta, contiguous_meta
from tritonflow.ops.index import check_indices
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.loss import sized_message
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.operands import ERROR_WORD, Input, LaunchOperand, Output, Scalar, optional
from tritonflow.ops.plan import Launch, Plan, stride

kernels = KernelModule("rotary")

Metas = tuple[TensorMeta | None, ...]


def rotary(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """x turned, from (x, cos, sin, positions); attributes: (order, interleaved, starts, inplace); dynamic: (sign,)."""
    x, *_ = inputs
    assert x is not None
    *_, inplace = attrs
    return _plan(inputs, [x], attrs[:3], [x if inplace else contiguous_meta(x.shape, x.dtype, x.device)], inplace)


def rotary_pair(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """Two tensors turned, from (query, key, cos, sin, positions); attributes: (order, interleaved, starts)."""
    pair = [x for x in inputs[:2] if x is not None]
    return _plan(inputs, pair, attrs, [contiguous_meta(x.shape, x.dtype, x.device) for x in pair], False)


def rotary_pair_inplace(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """The same, written over them; the output is empty."""
    pair = [x for x in inputs[:2] if x is not None]
    return _plan(inputs, pair, attrs, [], True)


def _plan(inputs: Metas, xs: list[TensorMeta], attrs: tuple[Any, ...], outputs: list[TensorMeta], inplace: bool) -> Plan:
    order, interleaved, starts = attrs
    count, device = len(xs), xs[0].device
    cos, sin, positions = inputs[count:]
    assert cos is not None and sin is not None
    sources = Input.several(count)
    targets: Sequence[LaunchOperand] = Output.several(count) if outputs else sources
    launches = []
    limit = cos.shape[-2] - (xs[0].shape[order[1]] - 1 if starts else 0)
    message = None
    if positions is not None:
        message = sized_message("rotary embedding: a position is out of bounds for tables of {} rows", cos.shape[-2])
        if inplace:
            launches.append(check_indices((positions,), (Input(count + 2),), (limit,), xs[0].numel, False))
    metas = outputs or xs
    turned = _Turn(order, interleaved, starts, xs, metas, cos, sin, positions)
    operands = (
        sources, Input(count), Input(count + 1), optional(positions, Input(count + 2)), tuple(targets), ERROR_WORD,
        Scalar(0, xs[0].dtype.compute),
    )  # fmt: skip
    launches.append(turned.launch(operands, inplace))
    made = outputs or [contiguous_meta((0,), xs[0].dtype, device)]
    return Plan(inputs, made, launches, index_check=message, validate=1 if inplace and message else 0)


class _Turn:
    """The sizes and strides of a call, and its launch."""

    def __init__(
        self, order: Shape, interleaved: bool, starts: bool, xs: list[TensorMeta], outs: list[TensorMeta],
        cos: TensorMeta, sin: TensorMeta, positions: TensorMeta | None,
    ) -> None:  # fmt: skip
        self.order, self.xs, self.outs, self.cos, self.sin = (*order, 3), xs, outs, cos, sin
        self.flags = {"INTERLEAVED": interleaved, "STARTS": starts}
        self.batch, self.length, _, self.size = (xs[0].shape[d] for d in self.order)
        self.half = cos.shape[-1]
        self.heads = tuple([x.shape[order[2]] for x in xs])
        steps: Shape = (0, 0)
        if positions is not None:
            steps = positions.stride if positions.ndim == 2 else (*positions.stride, 0) if starts else (0, *positions.stride)
        self.position_strides = steps

    def launch(self, operands: Sequence[Any], inplace: bool) -> Launch:
        facts = facts_of(self.xs[0].device)
        rows, rest = self.batch * self.length, 0 if inplace else self.size - 2 * self.half
        of_heads, of_rows = self.xs[0].stride[self.order[2]], self.xs[0].stride[self.order[1]]
        nbytes = 0 if inplace else 2 * sum(x.nbytes for x in self.xs)
        every = (*self.xs, *self.outs)
        words = self.flags["INTERLEAVED"] and all(x.dtype.itemsize == 2 and x.stride[-1] == 1 for x in every)
        words = words and facts.kind == "cpu"
        config = kernels.config(facts, rows, sum(self.heads), self.half, rest, of_heads < of_rows, nbytes, words)
        blocks, per_program = config["blocks"], config["per_program"]
        grid = (-(-rows // blocks["ROWS"]), -(-sum(self.heads) // per_program))
        sizes = (
            rows, self.length, self.half, rest, self.heads, per_program, self.cos.shape[-2], self._strides(self.xs),
            *[_marked((table.stride[0] if table.ndim == 3 else 0, *table.stride[-2:])) for table in (self.cos, self.sin)],
            self.position_strides, self._strides(self.outs),
        )  # fmt: skip
        constexprs = {**self.flags, "WORDS": words, **blocks, "CACHE": config["cache"]}
        return Launch(kernels.rotate, grid, operands, sizes, constexprs, num_warps=config["num_warps"])

    def _strides(self, metas: Sequence[TensorMeta]) -> tuple[Any, ...]:
        return tuple([_marked([meta.stride[d] for d in self.order]) for meta in metas])


def _marked(strides: Sequence[int]) -> tuple[int, ...]:
    """The step from element to element is a constant of the kernel where it is 1."""
    return (*strides[:-1], stride(strides[-1]))

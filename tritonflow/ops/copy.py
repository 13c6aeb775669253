"""Copies: into one tensor from several (cat), into part of zeros (gradients of slices), into row-major order (contiguous).

All of them are launches of the elementwise template with the identity.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow.framework.meta import TensorMeta, contiguous_meta
from tritonflow.ops.elementwise import launch, scalar_function
from tritonflow.ops.images import images_like, laid_out_like
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.operands import Input, LaunchOperand, Output
from tritonflow.ops.plan import Launch, Plan


def contiguous_copy(
    op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...], outputs: Sequence[TensorMeta] = ()
) -> Plan:
    """The elements of the input in row-major order, or where `outputs` has them."""
    (x,) = inputs
    (y,) = outputs or [x.contiguous()]
    return Plan(inputs, (y,), [copy(x, Input(0), y, Output(0))])


def clone(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """The elements of the input, channels-last where they are, else in row-major order."""
    (x,) = inputs
    y = laid_out_like(x)
    return Plan(inputs, (y,), [copy(x, Input(0), y, Output(0))])


def cat(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """The inputs one behind the other along a dimension, all of one dtype; attributes: (dim, the inputs' sizes there)."""
    dim, sizes = attrs
    first = inputs[0]
    shape = (*first.shape[:dim], sum(sizes), *first.shape[dim + 1 :])
    plain = contiguous_meta(shape, first.dtype, first.device)
    y = images_like(first, shape, first.dtype) if all(x.is_channels_last for x in inputs) else plain
    launches = []
    start = 0
    for position, x in enumerate(inputs):
        part = TensorMeta.get(x.shape, y.stride, y.dtype, y.device)
        launches.append(copy(x, Input(position), part, Output(0).plus(start * y.stride[dim] * y.dtype.itemsize)))
        start += x.shape[dim]
    return Plan(inputs, (y,), launches)


def flip(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """The input with dimensions walked through from their ends; attributes: (dims,)."""
    (x,), (dims,) = inputs, attrs
    y = x.contiguous()
    last = sum([(x.shape[d] - 1) * x.stride[d] for d in dims]) if x.numel else 0
    backwards = tuple([-s if d in dims else s for d, s in enumerate(x.stride)])
    source = TensorMeta.get(x.shape, backwards, x.dtype, x.device)
    return Plan(inputs, (y,), [copy(source, Input(0).plus(last * x.dtype.itemsize), y, Output(0))])


def region_grad(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """Zeros with the input copied into a region; attributes: (shape, stride of the region, elements before it).

    The gradient of a slice, a select or a diagonal: the region is what the view showed of a contiguous tensor of `shape`.
    """
    (dy,), (shape, region_stride, elements) = inputs, attrs
    dx = contiguous_meta(shape, dy.dtype, dy.device)
    region = TensorMeta.get(dy.shape, region_stride, dy.dtype, dy.device)
    return Plan(inputs, (dx,), [zeros(dx), copy(dy, Input(0), region, Output(0).plus(elements * dy.dtype.itemsize))])


def zeros(y: TensorMeta, to: LaunchOperand | None = None) -> Launch:
    """The launch that fills an address, output 0 unless it is given, with zeros laid out as y."""
    to = Output(0) if to is None else to
    return launch(scalar_function("arithmetic.zero"), y.dtype, y.shape, (y,), (y,), (to,), (to,))


def copy(x: TensorMeta, source: LaunchOperand, y: TensorMeta, target: LaunchOperand, function: Any = None) -> Launch:
    """The launch that copies x at one address to y at another, casting, or doing what a function of elements does.

    Complex numbers are copied as pairs, to complex ones.
    """
    if x.dtype.is_complex:
        x, y = x.as_pairs(), y.as_pairs()
    compute = y.dtype if function is None else None
    function = function or scalar_function("arithmetic.identity")
    return launch(function, compute, y.shape, (x,), (y,), (source,), (target,))

"""Batching rules of ops that broadcast, and of ops along dimensions: the dimensions of an example move by one."""

from __future__ import annotations

from typing import Any

from tritonflow.dtypes import BOOL, DType, result_type
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.cast import cast
from tritonflow.functions.view import reshape
from tritonflow.interpreter.batched import BatchedCall
from tritonflow.interpreter.dispatch import dispatch
from tritonflow.rules.batch.examples import aligned, all_of, every, folded, unfolded, widened


def pointwise(call: BatchedCall) -> Any:
    """Examples have as many dimensions as the widest one, and others broadcast as they are."""
    ndim = max([meta.ndim for meta in call.metas if meta is not None], default=0)
    if call.out is not None:
        ndim = call.out.meta.ndim - 1
    inputs = _as_promoted(call, [aligned(call, k, ndim) for k in range(len(call.inputs))])
    return dispatch(call.op, tuple(inputs), call.attrs, call.dynamic, call.out)


def _as_promoted(call: BatchedCall, inputs: list[Any]) -> list[Any]:
    """Inputs that promote as single examples do, where a number without dimensions counts less than a tensor."""
    names, rule = call.op.definition.inputs, call.op.definition.result
    operands = [k for k, meta in enumerate(call.metas) if meta is not None and meta.dtype.category != BOOL]
    metas: Any = call.metas
    if len({metas[k].dtype for k in operands}) < 2 or rule in names:
        return inputs
    wanted = result_type([(metas[k].dtype, metas[k].ndim) for k in operands])
    found = result_type([(inputs[k].meta.dtype, inputs[k].meta.ndim) for k in operands])
    if wanted is found:
        return inputs
    return [_converted(x, wanted) if k in operands else x for k, x in enumerate(inputs)]


def _converted(x: Tensor, dtype: DType) -> Any:
    return cast(x, dtype)


def along(call: BatchedCall) -> Any:
    """An op along dimensions that its attributes `dim`, `dims`, name."""
    ndim = max([meta.ndim for meta in call.metas if meta is not None])
    inputs = [None if x is None else widened(x, max(ndim, 1)) for x in all_of(call)]
    if call.out is not None:
        inputs = [call.out if mine is call.out else x for x, mine in zip(inputs, call.inputs)]
    names = call.op.definition.attrs
    attrs = [_moved(value, ndim) if name in ("dim", "dims") else value for name, value in zip(names, call.attrs)]
    found = dispatch(call.op, tuple(inputs), tuple(attrs), call.dynamic, call.out)
    if ndim or call.out is not None:
        return found
    if call.op.single_output:
        return reshape(found, (call.size,))
    return tuple([reshape(x, (call.size,)) for x in found])


def _moved(dim: Any, ndim: int) -> Any:
    """A dimension of an example as one of all examples; a number without dimensions counts as having one."""
    if not ndim:
        return 1 if isinstance(dim, int) else (1,)
    if isinstance(dim, int):
        return dim % ndim + 1
    return None if dim is None else tuple([d % ndim + 1 for d in dim])


def leading(call: BatchedCall) -> Any:
    """An op that takes any dimensions in front of those that it works on."""
    ndim = max([meta.ndim for meta in call.metas if meta is not None])
    inputs = [None if x is None else widened(x, ndim) for x in all_of(call)]
    return dispatch(call.op, tuple(inputs), call.attrs, call.dynamic)


def rows(call: BatchedCall) -> Any:
    """An op of images, whose examples are further images; of its attribute `shape` the first dimension counts them."""
    inputs = [None if x is None else folded(x) for x in all_of(call)]
    names, size = call.op.definition.attrs, call.size
    attrs = [(size * value[0], *value[1:]) if name == "shape" else value for name, value in zip(names, call.attrs)]
    found = dispatch(call.op, tuple(inputs), tuple(attrs), call.dynamic)
    if call.op.single_output:
        return unfolded(found, size)
    return tuple([unfolded(x, size) for x in found])


def region_grad(call: BatchedCall) -> Any:
    """Zeros with a gradient where a view lay: each example has zeros of its own."""
    shape, stride, elements = call.attrs
    step = 1
    for n in shape:
        step *= n
    return dispatch(call.op, (every(call, 0),), ((call.size, *shape), (step, *stride), elements))


def fill(call: BatchedCall) -> Any:
    """A number written over all examples."""
    return dispatch(call.op, (call.out,), call.attrs, call.dynamic, call.out)

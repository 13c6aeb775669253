"""The interpreter of batched tensors, which `vmap` gives to its function: an op on examples becomes one op on all of them.

```
inside of the function      x: shape (3,), impl BatchedTensorImpl ── whole: shape (batch, 3), an ordinary tensor
an op of batched tensors    the rule that it names: ops on the wholes, through autograd and every interpreter below
a view of a batched tensor  another meta and byte offset over the same impl, as of any tensor
```

The whole has the examples along its first dimension. The meta of a batched tensor has the whole's other dimensions, sizes and
strides, so that functors, planners of views and autograd see one example. Levels nest: the whole of one may be batched itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tritonflow.errors import BatchingError, NotYetImplementedError
from tritonflow.execution import eager_local
from tritonflow.execution.context import OpContext
from tritonflow.execution.op_expr import OpExpr
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.tensor import Tensor
from tritonflow.framework.tensor_impl import BatchedTensorImpl
from tritonflow.interpreter.recording import has_outer_history, wants_gradient
from tritonflow.ops.rule import find_rule
from tritonflow.thread_state import thread_state

apply_view = eager_local.apply_view


class Level:
    """One call of `vmap`.

    Attributes:
        size: the number of examples.
        randomness: "error", "different" or "same".
        depth: how many calls are around it.
    """

    __slots__ = ("size", "randomness", "depth")

    def __init__(self, size: int, randomness: str, depth: int) -> None:
        self.size = size
        self.randomness = randomness
        self.depth = depth


class BatchedCall:
    """An op on batched tensors, as a rule sees it.

    Attributes:
        op, attrs, dynamic: as of any call.
        inputs: the wholes of batched inputs, others as they are, None for absent ones.
        batched: which inputs are wholes.
        metas: what the function sees: the metas of single examples.
        out: the whole of the tensor that the result is written over, or None.
        level: the call of `vmap`.
    """

    __slots__ = ("op", "inputs", "batched", "metas", "attrs", "dynamic", "out", "level")

    def __init__(self, op: OpExpr, inputs: Any, context: OpContext, level: Level) -> None:
        self.op = op
        self.batched = tuple([_is_of(t, level) for t in inputs])
        self.metas = tuple([None if t is None else t.meta for t in inputs])
        self.attrs = context.attrs
        self.dynamic = context.dynamic
        self.out = None if context.out is None else whole_of(context.out)
        self.inputs: tuple[Any, ...] = tuple([
            t if not mine else self.out if t is context.out else whole_of(t) for t, mine in zip(inputs, self.batched)
        ])  # fmt: skip
        self.level = level

    @property
    def size(self) -> int:
        """The number of examples."""
        return self.level.size


class Alike:
    """The output of a rule that all examples share: it has no batch."""

    __slots__ = ("tensor",)

    def __init__(self, tensor: Tensor) -> None:
        self.tensor = tensor


def apply(op: OpExpr, inputs: tuple[Tensor | None, ...], context: OpContext) -> Any:
    """Any op, at the innermost level of its tensors.

    Raises:
        RuntimeError: a tensor is of a call of `vmap` that is over; examples are written over a tensor that has none.
    """
    out = context.out
    level = _innermost(inputs if out is None else (*inputs, out))
    if out is not None and not _is_of(out, level):
        raise _written_without_batch(op)
    call = BatchedCall(op, inputs, context, level)
    rule = op.rule("batch")
    with inside_of(level.depth):
        wholes = rule(call)
    if out is not None:
        return out
    if op.single_output:
        return batched(wholes, level)
    return tuple([batched(whole, level) for whole in wholes])


@contextmanager
def inside_of(depth: int) -> Iterator[None]:
    """A block in which only the outer `depth` calls of `vmap` are seen."""
    before = thread_state.batch_levels
    thread_state.batch_levels = before[:depth]
    try:
        yield
    finally:
        thread_state.batch_levels = before


def batched(whole: Any, level: Level) -> Tensor:
    """What the function sees of a tensor whose first dimension has the examples, or of one that they share."""
    if whole.__class__ is Alike:
        return whole.tensor
    meta = whole.meta
    own = TensorMeta.get(meta.shape[1:], meta.stride[1:], meta.dtype, meta.device, meta.aligned)
    return Tensor(own, BatchedTensorImpl(whole, level), 0)


def whole_of(x: Tensor) -> Tensor:
    """All examples of a batched tensor; of a view of one, a view of its whole."""
    impl, meta = x.impl, x.meta
    whole: Tensor = impl.whole
    if impl.is_state:
        return whole
    all_of = whole.meta
    if not x.ptr and meta.shape == all_of.shape[1:] and meta.stride == all_of.stride[1:] and meta.dtype is all_of.dtype:
        return whole
    size, step, itemsize = all_of.shape[0], all_of.stride[0], all_of.dtype.itemsize
    if meta.dtype is not all_of.dtype:
        return _reinterpreted(x, whole)
    return find_rule("batch", "examples.by_strides")(whole, (size, *meta.shape), (step, *meta.stride), x.ptr // itemsize)


def joined(x: Tensor, sources: tuple[Tensor, ...]) -> Tensor:
    """A tensor that is to be written with parts of batched ones, with an element for each of their examples; itself if it has."""
    missing = [source.impl.level for source in _levels_of(sources) if not _has_level(x, source.impl.level)]
    if not missing:
        return x
    level = min(missing, key=lambda one: one.depth)
    if x.impl.__class__ is BatchedTensorImpl and x.impl.level.depth > level.depth:
        with inside_of(x.impl.level.depth):
            x = batched(joined(whole_of(x), sources), x.impl.level)
    else:
        with inside_of(level.depth):
            x = batched(find_rule("batch", "examples.repeated")(x, level.size), level)
    return joined(x, sources)


def _levels_of(tensors: tuple[Tensor, ...]) -> list[Tensor]:
    """The batched tensors among some, and their wholes that are batched themselves."""
    found = []
    for tensor in tensors:
        while tensor.impl.__class__ is BatchedTensorImpl:
            found.append(tensor)
            tensor = tensor.impl.whole
    return found


def _has_level(x: Tensor, level: Level) -> bool:
    return any(one.impl.level is level for one in _levels_of((x,)))


def _reinterpreted(x: Tensor, whole: Tensor) -> Tensor:
    """The bits of the examples as elements of another dtype.

    Raises:
        NotYetImplementedError: the examples have a history, which would be lost.
    """
    if wants_gradient(whole):
        raise NotYetImplementedError("vmap: the derivative of a view with another dtype is not implemented")
    meta, all_of = x.meta, whole.meta
    step = all_of.stride[0] * all_of.dtype.itemsize // meta.dtype.itemsize
    shape, stride = (all_of.shape[0], *meta.shape), (step, *meta.stride)
    return Tensor(TensorMeta.get(shape, stride, meta.dtype, meta.device, meta.aligned), whole.impl, whole.ptr + x.ptr)


def own_history(x: Tensor) -> Tensor:
    """The same tensor without the history that it has at its own level; of its examples outside it keeps theirs."""
    return Tensor(x.meta, x.impl, x.ptr)


def detached(x: Tensor) -> Tensor:
    """A batched tensor on the same memory without any history."""
    if not has_outer_history(x):
        return own_history(x)
    impl = BatchedTensorImpl(_detached_whole(x.impl.whole), x.impl.level)
    return Tensor(x.meta, impl, x.ptr)


def _detached_whole(whole: Tensor) -> Tensor:
    if whole.impl.__class__ is BatchedTensorImpl:
        return detached(whole)
    return Tensor(whole.meta, whole.impl, whole.ptr)


def marked_state(state: Tensor) -> Tensor:
    """A generator's state as the innermost call of `vmap` sees it."""
    levels = thread_state.batch_levels
    if not levels:
        return state
    return Tensor(state.meta, BatchedTensorImpl(state, levels[-1], is_state=True), 0)


def _is_of(x: Tensor | None, level: Level) -> bool:
    return x is not None and x.impl.__class__ is BatchedTensorImpl and x.impl.level is level


def _innermost(tensors: tuple[Tensor | None, ...]) -> Level:
    found: Level | None = None
    for tensor in tensors:
        if tensor is not None and tensor.impl.__class__ is BatchedTensorImpl:
            level = tensor.impl.level
            if found is None or level.depth > found.depth:
                found = level
    assert found is not None
    levels = thread_state.batch_levels
    if found.depth >= len(levels) or levels[found.depth] is not found:
        raise BatchingError("a tensor of a call of vmap is used outside of it: return it from the function")
    return found


def _written_without_batch(op: OpExpr) -> BatchingError:
    return BatchingError(
        f"vmap: inplace arithmetic(self, *extra_args) is not possible because there exists a Tensor `other` in extra_args that"
        f" has more elements than `self`. This happened due to `other` being vmapped over but `self` not being vmapped over in a"
        f" vmap. Please try to use out-of-place operators instead of {op.name}_ arithmetic. If said operator is being called"
        " inside the framework, please file a bug report instead."
    )


def without_batch(name: str) -> BatchingError:
    """For an op that cannot be batched."""
    return BatchingError(
        f"vmap: {name}: the shape of the result depends on the values, which differ from example to example. Please write the"
        " function with ops whose results have a fixed shape, such as where()."
    )

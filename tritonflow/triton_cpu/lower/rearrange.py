"""Operations that only rearrange: each element of the result is an element of an operand."""

from __future__ import annotations

from tritonflow.triton_cpu.ir import Op, Value

from .analysis import cut_to_split, trivial_reshape
from .evaluate import LazyEvaluator, evaluates
from .lanes import Index, Lanes, uniform
from .views import permutation


@evaluates("tt.splat")
def _splat(lazy: LazyEvaluator, op: Op, value: Value, index: Index, width: int) -> Lanes:
    return lazy.values.scalars[op.operands[0]]


@evaluates("tt.make_range")
def _range(lazy: LazyEvaluator, op: Op, value: Value, index: Index, width: int) -> Lanes:
    return lazy.lb.add(index[0], uniform("i32", op.attrs["start"]), "i32", width)


@evaluates("tt.expand_dims")
def _expand(lazy: LazyEvaluator, op: Op, value: Value, index: Index, width: int) -> Lanes:
    axis = int(op.attrs["axis"])
    return lazy.eval(op.operands[0], index[:axis] + index[axis + 1 :], width)


@evaluates("tt.broadcast")
def _broadcast(lazy: LazyEvaluator, op: Op, value: Value, index: Index, width: int) -> Lanes:
    dims = zip(op.operands[0].type.dims, value.type.dims, index, strict=True)
    at = tuple(uniform("i32", 0) if old == 1 and new != 1 else i for old, new, i in dims)
    return lazy.eval(op.operands[0], at, width)


@evaluates("tt.trans")
def _transpose(lazy: LazyEvaluator, op: Op, value: Value, index: Index, width: int) -> Lanes:
    at = list(index)
    for k, d in enumerate(permutation(op)):
        at[d] = index[k]
    return lazy.eval(op.operands[0], tuple(at), width)


@evaluates("tt.reshape")
def _reshape(lazy: LazyEvaluator, op: Op, value: Value, index: Index, width: int) -> Lanes:
    if not trivial_reshape(op):
        return _cut(lazy, op, value, index, width)
    wide = iter([i for i, extent in zip(index, value.type.dims, strict=True) if extent > 1])
    at = tuple(next(wide) if extent > 1 else uniform("i32", 0) for extent in op.operands[0].type.dims)
    return lazy.eval(op.operands[0], at, width)


def _cut(lazy: LazyEvaluator, op: Op, value: Value, index: Index, width: int) -> Lanes:
    """A last dimension that is cut: the indices of the pieces are the digits of its index."""
    assert cut_to_split(op)
    outer = len(op.operands[0].type.dims) - 1
    last = uniform("i32", 0)
    for extent, digit in zip(value.type.dims[outer:], index[outer:], strict=True):
        last = lazy.lb.add(lazy.lb.mul(last, uniform("i32", extent), "i32", width), digit, "i32", width)
    return lazy.eval(op.operands[0], (*index[:outer], last), width)


@evaluates("tt.join")
def _join(lazy: LazyEvaluator, op: Op, value: Value, index: Index, width: int) -> Lanes:
    left, right = (lazy.eval(operand, index[:-1], width) for operand in op.operands)
    first = lazy.lb.op("icmp eq", [index[-1], uniform("i32", 0)], "i1", width)
    return lazy.lb.select(first, left, right, value.type.elem, width)


@evaluates("tt.split")
def _split(lazy: LazyEvaluator, op: Op, value: Value, index: Index, width: int) -> Lanes:
    return lazy.eval(op.operands[0], (*index, uniform("i32", value.index)), width)

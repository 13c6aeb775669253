"""Evaluation of lazy values: the lanes of a tensor at an
index, and what need not be evaluated again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from tritonflow.triton_cpu.errors import UnsupportedError
from tritonflow.triton_cpu.ir import Op, Value
from tritonflow.triton_cpu.types import is_pointer, literal, llvm_type, zero

from . import elementwise, memory
from .check import AddressCheck
from .lanes import Index, LaneBuilder, Lanes, uniform
from .masks import DecidedMasks, MaskUse
from .state import KnownValues

Rule = Callable[["LazyEvaluator", Op, Value, Index, int], Lanes]
RULES: dict[str, Rule] = {}


def evaluates(*names: str) -> Callable[[Rule], Rule]:
    """Register the rule of an operation whose lanes are not a
    function of its operands' lanes at the same index.
    """

    def register(rule: Rule) -> Rule:
        for name in names:
            RULES[name] = rule
        return rule

    return register


class MemoScope:
    """The scope of `LazyEvaluator.memo`: empty at its begin and behind its end.

    Every operation and every chunk enters one. As a generator it took 5 % of the lowering's time.
    """

    __slots__ = ("_lazy",)

    def __init__(self, lazy: LazyEvaluator) -> None:
        self._lazy = lazy

    def __enter__(self) -> None:
        self._lazy.memo = {}

    def __exit__(self, *error: object) -> None:
        self._lazy.memo = {}


class LazyEvaluator:
    """Emits the code of lazy values.

    Attributes:
        b: where code is emitted.
        lb: arithmetic on lanes, emitted there.
        values: how values that are known are read.
        check: the lookup of addresses in checked kernels.
        masks: the masks that are decided for the chunk under emission.
        memo: lanes evaluated since the current `memo_scope` began. Their SSA names are valid no
            longer than it.
        hoisted: lanes evaluated ahead of the loop under emission, valid all through it.
    """

    def __init__(self, lb: LaneBuilder, check: AddressCheck) -> None:
        self.b, self.lb, self.check = lb.b, lb, check
        self.values = KnownValues()
        self.masks = DecidedMasks()
        self.memo: dict[tuple[Value, Index, int], Lanes] = {}
        self.hoisted: dict[tuple[Value, Index], Lanes] = {}
        self._memo_scope = MemoScope(self)

    # ---- scopes

    def memo_scope(self) -> MemoScope:
        """Around a stretch of code whose values are evaluated once, and anew outside of it."""
        return self._memo_scope

    @contextmanager
    def assuming(self, uses: Iterable[MaskUse], truth: bool, index: Index) -> Iterator[None]:
        """Around the code of a chunk on which masks are known to be all true, or all false."""
        outer = self.masks
        self.masks = outer.with_decided(uses, truth, index)
        try:
            yield
        finally:
            self.masks = outer

    @contextmanager
    def trial(self) -> Iterator[Callable[[], list[str]]]:
        """Around an evaluation for trial: its code is removed.

        The given function returns its lines.
        """
        memo, pending = self.memo, self.values.pending
        self.memo, self.values.pending = {}, {}
        try:
            with self.b.taken_back() as emitted:
                yield emitted
        finally:
            self.memo, self.values.pending = memo, pending

    # ---- values

    def eval(self, value: Value, index: Index, width: int) -> Lanes:
        """`width` lanes of a value at an index, which is a lane value for each dimension.

        Scalars have one value.
        """
        if not value.type.is_tensor:
            return self.values.scalars[value]
        if self.masks.index.get(value) == index:  # a mask that is used as a value, too
            return uniform("i1", 1 if value in self.masks.true else 0)
        if (value, index) in self.hoisted:
            return self.hoisted[value, index]
        key = (value, index, width)
        found = self.memo.get(key)
        if found is None:
            found = self.memo[key] = self._eval(value, index, width)
        return found

    def at_zero(self, value: Value) -> Lanes:
        """The value of a tensor whose elements are all equal."""
        with self.memo_scope():
            return self.eval(value, tuple(uniform("i32", 0) for _ in value.type.dims), 1)

    def _eval(self, value: Value, index: Index, width: int) -> Lanes:
        known = self.values
        if value in known.buffers:
            return memory.read_buffer(self.lb, known.buffers[value], index, width)
        if value in known.inductions:
            return self._eval_induction(value, index, width)
        op = value.op
        if op is None:
            raise UnsupportedError(f"the block argument {value}")
        result = self._eval_op(op, value, index, width)
        if value in known.pending:
            memory.write_buffer(self.lb, known.pending[value], index, result, width)
        return result

    def _eval_op(self, op: Op, value: Value, index: Index, width: int) -> Lanes:
        rule = RULES.get(op.name)
        if rule is not None:
            return rule(self, op, value, index, width)
        operands = [self.eval(operand, index, width) for operand in op.operands]
        return elementwise.evaluate(self.lb, op, operands, value.type.elem, width)

    def _eval_induction(self, value: Value, index: Index, width: int) -> Lanes:
        induction, elem = self.values.inductions[value], value.type.elem
        initial = self.eval(induction.initial, index, width)
        offset = self.b.inst(f"load i64, ptr {induction.cell}")
        if is_pointer(elem):
            return self.lb.addptr(initial, uniform("i64", offset), elem, width)
        if elem != "i64":
            offset = self.b.inst(f"trunc i64 {offset} to {llvm_type(elem)}")
        return self.lb.add(initial, uniform(elem, offset), elem, width)


@evaluates("arith.constant")
def _constant(lazy: LazyEvaluator, op: Op, value: Value, index: Index, width: int) -> Lanes:
    elem = value.type.elem
    return uniform(elem, literal(elem, op.attrs["value"]))


@evaluates("tt.load")
def _load(lazy: LazyEvaluator, op: Op, value: Value, index: Index, width: int) -> Lanes:
    if "boundaryCheck" in op.attrs or "padding" in op.attrs:
        raise UnsupportedError("a load through a block pointer", op.line, op.text)
    elem = value.type.elem
    pointer = lazy.eval(op.operands[0], index, width)
    mask = other = None
    if len(op.operands) > 1:
        if len(op.operands) > 2:  # also where the mask is true: a pending value may be in it
            other = lazy.eval(op.operands[2], index, width)
        if op.operands[1] in lazy.masks.false:
            return other if other is not None else uniform(elem, zero(elem))
        if op.operands[1] not in lazy.masks.true:
            mask = lazy.eval(op.operands[1], index, width)
    mask = lazy.check.inside(op, pointer, mask, elem, width)
    return memory.load(lazy.lb, pointer, mask, other, elem, width)

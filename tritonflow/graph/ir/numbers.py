"""The numbers of a run in a program for many sizes: what its symbolic integers are, and which guards hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow.framework.expression import SizeExpression
from tritonflow.framework.meta import TensorMeta, contiguous_stride
from tritonflow.framework.runtime_scalar import RuntimeScalar
from tritonflow.framework.size_guards import Condition
from tritonflow.framework.symbolic_int import SymbolicInt, is_symbolic


def has_symbols(meta: Any) -> bool:
    """Whether a meta has sizes that differ from run to run."""
    return meta is not None and meta.is_local and is_symbolic((meta.shape, meta.stride))


class Numbers:
    """What symbolic integers are in a run.

    Args:
        numbers: of the run.

    Example:
        >>> from tritonflow.framework.size_context import SizeContext
        >>> from tritonflow.graph.ir.numbers import Numbers
        >>> n = SizeContext([12]).symbol("n", 0)
        >>> Numbers([20]).of((n, 2 * n + 1, "a", 3))
        (20, 41, 'a', 3)
    """

    def __init__(self, numbers: Sequence[Any]) -> None:
        self._numbers = numbers
        self._integers: dict[SizeExpression, int] = {}
        self._metas: dict[TensorMeta | None, TensorMeta | None] = {None: None}

    def integer(self, value: Any) -> int:
        """What a symbolic integer is."""
        found = self._integers.get(value.expression)
        if found is None:
            found = self._integers[value.expression] = value.evaluate(self._numbers)
        return found

    def of(self, value: Any) -> Any:
        """A value with its numbers: an attribute of an op, or something nested in it."""
        kind = type(value)
        if kind is SymbolicInt:
            return self.integer(value)
        if kind is RuntimeScalar:
            return value.evaluate(self._numbers) if value.of_sizes else value
        if kind is tuple or kind is list:
            return kind([self.of(item) for item in value])
        if kind is slice:
            return slice(self.of(value.start), self.of(value.stop), self.of(value.step))
        if isinstance(value, tuple):
            return kind(*[self.of(item) for item in value]) if hasattr(kind, "_fields") else kind([self.of(item) for item in value])
        return value

    def meta(self, meta: Any) -> Any:
        """A meta with its numbers."""
        found = self._metas.get(meta)
        if found is None and meta is not None:
            found = meta
            if has_symbols(meta):
                shape, stride = self.of(meta.shape), self.of(meta.stride)
                if 0 in shape and meta.is_contiguous:
                    stride = contiguous_stride(shape)
                found = TensorMeta.get(shape, stride, meta.dtype, meta.device, meta.aligned)
            self._metas[meta] = found
        return found


class Outcomes:
    """Which guards hold for the numbers of a run; each is asked once.

    Args:
        numbers: of the run.
    """

    def __init__(self, numbers: Sequence[Any]) -> None:
        self._numbers = numbers
        self._known: dict[Any, Any] = {}

    def hold(self, guards: dict[Any, Condition]) -> bool:
        """Whether all of them do."""
        known = self._known
        for question, guard in guards.items():
            outcome = known.get(question, known)
            if outcome is known:
                outcome = known[question] = guard.asked(self._numbers)
            if outcome != guard.outcome:
                return False
        return True

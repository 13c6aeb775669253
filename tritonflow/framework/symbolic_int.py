"""Symbolic integers: sizes of a program that is captured once for many sizes.

A symbolic integer has an expression, and a hint: its number in the call that is captured. Arithmetic makes other ones. A comparison
is decided by what the expressions are, else by their ranges, and else by the hint: then its outcome is a guard of the program. What
needs the number itself, as `range()` does, pins the integer: it is its hint in every run of the program.

It is no subclass of int: C code reads the value of such an object without asking. Its `__class__` is `int`, so that it counts as
one.
Users see a `RuntimeScalar` in its stead, whose hash pins; the hash of a symbolic integer does not, as metas are found by it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import ceil, floor, isfinite
from typing import TYPE_CHECKING, Any

from tritonflow.framework.expression import ManyTermsError, SizeExpression, extreme, number
from tritonflow.framework.size_guards import COMPARED

if TYPE_CHECKING:
    from tritonflow.framework.size_context import SizeContext

MOST = 1 << 48
"""No size is larger."""

DECIDED: dict[str, Callable[[int, int], bool | None]] = {  # by the range of the difference of the two sides
    "==": lambda low, high: False if low > 0 or high < 0 else True if low == high == 0 else None,
    "<": lambda low, high: True if high < 0 else False if low >= 0 else None,
    "<=": lambda low, high: True if high <= 0 else False if low > 0 else None,
}


def _calculated(function: Callable[[SizeExpression, SizeExpression], SizeExpression], divides: bool = False) -> tuple[Any, Any]:
    """The method for an operator, and that of the right side."""
    plain: Callable[[Any, Any], Any] = getattr(operator, function.__name__)

    def calculate(context: SizeContext, left: Any, right: Any) -> Any:
        if divides and not context.is_exact(_expression(left), _expression(right)):
            if context.ask(_expression(right), "==", exactly=True):
                raise ZeroDivisionError("integer modulo by zero")
        try:
            return context.integer(context.calculate(function, _expression(left), _expression(right)))
        except ManyTermsError:
            return plain(int(left), int(right))

    def method(self: SymbolicInt, other: Any) -> Any:
        if not _is_integer(other):
            return plain(self.scalar, other) if isinstance(other, float) else NotImplemented
        return calculate(self.context, self, other)

    def reflected(self: SymbolicInt, other: Any) -> Any:
        if not _is_integer(other):
            return plain(other, self.scalar) if isinstance(other, float) else NotImplemented
        return calculate(self.context, other, self)

    return method, reflected


def _compared(comparison: str, swapped: bool, outcome: bool = True) -> Any:
    def method(self: SymbolicInt, other: Any) -> Any:
        if not _is_integer(other):
            if not isinstance(other, float) or not hasattr(other, "is_integer"):
                return NotImplemented
            if not isfinite(other) or (comparison == "==" and not other.is_integer()):
                compare: Callable[[Any, Any], bool] = COMPARED[comparison]
                return (compare(other, 0) if swapped else compare(0, other)) is outcome
            other = ceil(other) if (comparison == "<") is not swapped else floor(other)
        if comparison == "==" and type(other) is SymbolicInt and other.context is not self.context:
            return self is other is outcome
        sides = (_expression(other), self.expression) if swapped else (self.expression, _expression(other))
        return self.context.ask(self.context.calculate(operator.sub, *sides), comparison) is outcome

    return method


class SymbolicInt:
    """An integer that differs from run to run, and has an expression.

    Args:
        context: to which it belongs.
        expression: what it is.
    """

    __slots__ = ("context", "expression", "_hash", "_hints", "_hint", "__weakref__")
    scalar: Any  # the run-time scalar of the same number, which `runtime_scalar.py` gives it

    def __init__(self, context: SizeContext, expression: SizeExpression) -> None:
        self.context = context
        self.expression = expression
        self._hash = hash((id(context), expression))
        self._hints: Any = None
        self._hint = 0

    @property
    def hint(self) -> int:
        """Its number now: in the call that is captured, or that plans are made for."""
        if self._hints is not self.context.hints:
            self._hint, self._hints = self.expression.evaluate(self.context.hints), self.context.hints
        return self._hint

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return int

    def pin(self) -> int:
        """The number, which the program now depends on."""
        return self.context.pin(self)

    @property
    def of_sizes(self) -> bool:
        """Whether it is computed of sizes of tensors alone."""
        return self.expression.symbols().isdisjoint(self.context.numbers)

    def evaluate(self, numbers: Sequence[Any]) -> int:
        """What it is in a run."""
        return self.expression.evaluate(numbers)

    __add__, __radd__ = _calculated(operator.add)
    __sub__, __rsub__ = _calculated(operator.sub)
    __mul__, __rmul__ = _calculated(operator.mul)
    __floordiv__, __rfloordiv__ = _calculated(operator.floordiv, divides=True)
    __mod__, __rmod__ = _calculated(operator.mod, divides=True)
    __eq__ = _compared("==", False)
    __ne__ = _compared("==", False, outcome=False)
    __lt__, __gt__ = _compared("<", False), _compared("<", True)
    __le__, __ge__ = _compared("<=", False), _compared("<=", True)

    def __neg__(self) -> Any:
        return self.context.integer(-self.expression)

    def __pos__(self) -> SymbolicInt:
        return self

    def __abs__(self) -> Any:
        return -self if self < 0 else self

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> Any:
        return other // self, other % self

    def __pow__(self, exponent: Any, modulus: Any = None) -> Any:
        if type(exponent) is not int or not 0 <= exponent <= 4 or modulus is not None:
            return pow(self.scalar, exponent, modulus)
        result: Any = 1
        for _ in range(exponent):
            result = result * self
        return result

    def __rpow__(self, base: Any) -> Any:
        return base**self.scalar

    def __truediv__(self, other: Any) -> Any:
        return self.scalar / other

    def __rtruediv__(self, other: Any) -> Any:
        return other / self.scalar

    def __lshift__(self, other: int) -> Any:
        return self * (1 << operator.index(other))

    def __rshift__(self, other: int) -> Any:
        return self // (1 << operator.index(other))

    def __bool__(self) -> bool:
        return not self.context.ask(self.expression, "==")

    def __hash__(self) -> int:
        return self._hash

    def __int__(self) -> int:
        return self.pin()

    def __index__(self) -> int:
        return self.pin()

    def __trunc__(self) -> int:
        return self.pin()

    def __floor__(self) -> SymbolicInt:
        return self

    def __ceil__(self) -> SymbolicInt:
        return self

    def __round__(self, digits: int | None = None) -> SymbolicInt:
        return self

    def __float__(self) -> float:
        return float(self.pin())

    def __and__(self, other: Any) -> Any:
        return self.pin() & operator.index(other)

    def __or__(self, other: Any) -> Any:
        return self.pin() | operator.index(other)

    def __xor__(self, other: Any) -> Any:
        return self.pin() ^ operator.index(other)

    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__

    def bit_length(self) -> int:
        """Of the number. It is one for many numbers, which the program depends on."""
        found: int = self.context.rule(int.bit_length, (self,), {})
        return found

    def __format__(self, spec: str) -> str:
        return format(self.pin(), spec)

    def __str__(self) -> str:
        return str(self.pin())

    def __repr__(self) -> str:
        return repr(self.expression) if self.context.guards is None else repr(self.pin())


def _is_integer(value: Any) -> bool:
    return type(value) is SymbolicInt or type(value) is int or type(value) is bool or (
        isinstance(value, int) and not hasattr(type(value), "pin")
    )  # fmt: skip


def _expression(value: Any) -> SizeExpression:
    return value.expression if type(value) is SymbolicInt else number(operator.index(value))


def hint(value: Any) -> int:
    """The number of an integer in the call that is captured; for what may be one or the other without a difference to results."""
    number: int = value.hint if type(value) is SymbolicInt else value
    return number


def how_many(count: Any) -> int:
    """An integer as a number of things in Python, such as the parts of a tensor.

    The program is for this number of things; the sizes of which a symbolic one is computed stay symbols.
    """
    if type(count) is not SymbolicInt:
        return int(count)
    if set(count.expression.symbols()) == {atom for monomial in count.expression.terms for atom in monomial}:
        return count.pin()  # it is a size itself, so that nothing stays
    count.context.ask(count.expression - count.hint, "==")
    return count.hint


_EXTREMES: dict[Any, Any] = {function: partial(extreme, function) for function in (min, max)}


def extreme_of(function: Callable[..., int], a: Any, b: Any) -> Any:
    """`min` or `max` of two integers. Nothing is asked of symbolic ones."""
    context = context_of((a, b))
    if context is None:
        return function(a, b)
    return context.integer(context.calculate(_EXTREMES[function], _expression(a), _expression(b)))


def known_equal(a: Any, b: Any) -> bool:
    """Whether two integers are equal in all runs; no guard is asked for."""
    if type(a) is not SymbolicInt and type(b) is not SymbolicInt:
        return bool(a == b)
    return a is b or DECIDED["=="](*(_expression(a) - _expression(b)).range) is True


def at_numbers(value: Any, numbers: Sequence[Any]) -> Any:
    """A value, or a nested one, with the numbers that its symbolic integers are in a run."""
    kind = type(value)
    if kind is SymbolicInt:
        return value.evaluate(numbers)
    if isinstance(value, tuple):
        items = [at_numbers(item, numbers) for item in value]
        return kind(*items) if hasattr(kind, "_fields") else kind(items)
    if kind is list:
        return [at_numbers(item, numbers) for item in value]
    if kind is dict:
        return {key: at_numbers(item, numbers) for key, item in value.items()}
    return value


class Evaluated:
    """What `at_numbers` gives for a value, by a function that is written for it at the first call.

    Example:
        >>> from tritonflow.framework.size_context import SizeContext
        >>> from tritonflow.framework.symbolic_int import Evaluated
        >>> n = SizeContext([12]).symbol("n", 0)
        >>> Evaluated((n, [2 * n + 1, "a"]))([20])
        (20, [41, 'a'])
    """

    def __init__(self, value: Any) -> None:
        self._value = value
        self._function: Callable[[Sequence[Any]], Any] | None = None

    def __call__(self, numbers: Sequence[Any]) -> Any:
        if self._function is None:
            constants: list[Any] = []
            self._function = eval(f"lambda n: {_source(self._value, constants)}", {"c": constants})
        return self._function(numbers)


def _source(value: Any, constants: list[Any]) -> str:
    """What a value is, as Python, where `n` are the numbers of a run, and `c` are constants."""
    kind = type(value)
    if kind is SymbolicInt:
        return f"({value.expression.source})"
    if not is_symbolic(value):
        constants.append(value)
        return f"c[{len(constants) - 1}]"
    if kind is dict:
        return f"{{{', '.join([f'{_source(k, constants)}: {_source(v, constants)}' for k, v in value.items()])}}}"
    items = "".join([f"{_source(item, constants)}, " for item in value])
    if kind is list:
        return f"[{items}]"
    if kind is tuple:
        return f"({items})"
    constants.append(kind)
    return f"c[{len(constants) - 1}]({items if hasattr(kind, '_fields') else f'({items})'})"


def is_symbolic(value: Any) -> bool:
    """Whether there is a symbolic integer in a value."""
    return context_of(value) is not None


def integers_in(value: Any) -> Iterator[SymbolicInt]:
    """The symbolic integers in a value."""
    kind = type(value)
    if kind is SymbolicInt:
        yield value
    elif kind is slice:
        yield from integers_in((value.start, value.stop, value.step))
    elif isinstance(value, (tuple, list)) or kind is dict:
        for item in value.values() if kind is dict else value:
            if type(item) is not int:
                yield from integers_in(item)


def sizes_in(value: Any) -> list[SizeExpression]:
    """The expressions of the symbolic integers in a value."""
    return [found.expression for found in integers_in(value)]


def context_of(value: Any) -> SizeContext | None:
    """The symbols that a value is computed of, if any."""
    return next((found.context for found in integers_in(value)), None)


def key_of(value: Any) -> Any:
    """Something hashable that stands for a value."""
    if isinstance(value, (tuple, list)):
        return (type(value), *map(key_of, value))
    if type(value) is dict:
        return key_of(tuple(value.items()))
    return value if _is_hashable(value) else id(value)


def _is_hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True

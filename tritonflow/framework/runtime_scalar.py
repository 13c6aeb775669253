"""Run-time scalars: Python numbers that each run of a graph is given anew, such as learning rates and numbers among its inputs.

Arithmetic on a run-time scalar makes another one, which remembers how it is computed. Some code needs the number itself: a shape, a
static attribute, a text. It gets the number of the capture, and the graph is guarded by that number. A comparison guards only its
outcome.

A size of a program for many sizes is a run-time scalar, too, behind which is a symbolic integer.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from math import ceil, floor, trunc
from typing import Any

import numpy

from tritonflow.errors import NumberRangeError, nothing_changed
from tritonflow.framework.expression import Atom
from tritonflow.framework.symbolic_int import SymbolicInt, extreme_of
from tritonflow.thread_state import thread_state

Evaluate = Callable[[Sequence[Any]], Any]


class PinError(BaseException):
    """The program asks for what only a plain number has: the numbers among the arguments are to be what they are."""


class _Float(float):
    """What `isinstance` sees of a run-time float: a `float`. Exact tests of the class, such as the binding's, fail."""


class _Int(int):
    """The same for an int."""


class RuntimeScalar:
    """A number that differs from run to run; for `isinstance` the int or float that it is.

    Args:
        value: what it is while the graph is captured.
        evaluate: what it is in a run, from the numbers that the run is given.
        size: the symbolic integer that it is, if it is one.
        of_sizes: whether it depends on sizes only.
        symbols: the sizes that it depends on.
    """

    __slots__ = ("value", "evaluate", "size", "of_sizes", "symbols")

    def __init__(
        self,
        value: Any,
        evaluate: Evaluate,
        size: SymbolicInt | None = None,
        of_sizes: bool = False,
        symbols: frozenset[Atom] = frozenset(),
    ) -> None:
        self.symbols = symbols
        self.value = value
        self.evaluate = evaluate
        self.size = size
        self.of_sizes = of_sizes

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return _Float if isinstance(self.value, float) else _Int

    def pin(self) -> Any:
        """The number at capture, which the graph now depends on."""
        if self.size is not None:
            return self.size.pin()
        thread_state.observer.guard(self)
        return self.value

    def __float__(self) -> float:
        return float(self.pin())

    def __int__(self) -> int:
        if isinstance(self.value, float):  # what follows depends on the whole part alone
            return int(checked(int, self).pin())
        return int(self.pin())

    def __index__(self) -> int:
        return operator.index(self.pin())

    def __bool__(self) -> bool:
        outcome: bool = bool(self.size) if self.size is not None else _unary(bool)(self).pin()
        return outcome

    def __hash__(self) -> int:
        return hash(self.pin())

    def __round__(self, digits: int | None = None) -> Any:
        return self._whole(round) if digits is None else checked(lambda number: round(number, digits), self)

    def __trunc__(self) -> Any:
        return self._whole(trunc)

    def __floor__(self) -> Any:
        return self._whole(floor)

    def __ceil__(self) -> Any:
        return self._whole(ceil)

    def _whole(self, function: Callable[[Any], int]) -> Any:
        """What a function of finite numbers makes of it."""
        return self if isinstance(self.value, int) else checked(function, self)

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> Any:
        return other // self, other % self

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        return numpy.array(self.pin(), *args, **kwargs)

    def __str__(self) -> str:
        return str(self.pin())

    def __format__(self, spec: str) -> str:
        return format(self.pin(), spec)

    def __repr__(self) -> str:
        return repr(self.pin())


class NumpyScalar(RuntimeScalar):
    """A number of NumPy's that differs from run to run. An op takes it as the Python number that it is.

    Anything else that Python does with it gives what NumPy's class gives, as `numpy.int8(127) + 1` does. So it is for this number
    only that the program is right: it raises `PinError`.

    Args:
        number: the Python number that stands for it.
        kind: NumPy's class.
    """

    __slots__ = ("_number", "_kind")

    def __init__(self, number: RuntimeScalar, kind: type) -> None:
        super().__init__(number.value, number.evaluate)
        self._number = number
        self._kind = kind

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return self._kind

    def item(self) -> RuntimeScalar:
        """The Python number."""
        return self._number


def as_float(value: Any) -> Any:
    """A number as a float; a run-time scalar stays as it is."""
    return value if isinstance(value, RuntimeScalar) else float(value)


def calculated(function: Callable[[Any], Any], number: Any) -> Any:
    """What a function gives for a number; of a run-time scalar or a symbolic integer another run-time scalar."""
    if type(number) is SymbolicInt:
        number = for_user(number)
    if not isinstance(number, RuntimeScalar):
        return function(number)
    inner = number.evaluate
    return RuntimeScalar(function(number.value), lambda live: function(inner(live)), None, number.of_sizes, number.symbols)


def checked(function: Callable[[Any], Any], number: Any) -> Any:
    """As `calculated`, of a function that may raise. Whether it does, and what, is guarded."""
    guard_error(calculated(_error_of(function), number))
    return calculated(function, number)


def guard_error(error: Any) -> None:
    """Guard what `_error_of` has given."""
    if type(error) is RuntimeScalar:
        thread_state.observer.guard(error)


def _error_of(function: Callable[..., Any]) -> Callable[..., Any]:
    """What a function raises for some numbers, as a text; True where it raises nothing."""

    def error_of(*numbers: Any) -> Any:
        try:
            function(*numbers)
        except (ArithmeticError, ValueError) as error:
            return f"{type(error).__name__}: {error}"
        return True

    return error_of


def values_of(scalars: Sequence[Evaluate], numbers: Sequence[Any]) -> list[Any]:
    """What run-time scalars are in a run that is about to begin.

    Raises:
        NumberRangeError: Python's numbers have no such value, as where an int is too large for a float.
    """
    try:
        return [evaluate(numbers) for evaluate in scalars]
    except ArithmeticError as error:
        raise nothing_changed(NumberRangeError(str(error))) from error


def for_user(number: Any) -> Any:
    """An integer of the package's as users get it: a symbolic one as a run-time scalar."""
    if type(number) is not SymbolicInt:
        return number
    return RuntimeScalar(number.hint, number.evaluate, number, number.of_sizes, symbols_in(number))


def symbols_in(*values: Any) -> frozenset[Atom]:
    """The sizes that numbers depend on."""
    found: frozenset[Atom] = frozenset()
    for value in values:
        if type(value) is SymbolicInt:
            found |= value.expression.symbols()
        elif isinstance(value, RuntimeScalar):
            found |= value.symbols
    return found


SymbolicInt.scalar = property(for_user)


def index_of(value: Any) -> Any:
    """A user's index as the package has it: a plain integer, or the symbolic one behind a size."""
    if type(value) is int:
        return value
    if type(value) is RuntimeScalar and value.size is not None:
        return value.size
    return value if type(value) is SymbolicInt else operator.index(value)


def _evaluator(value: Any) -> Evaluate:
    return value.evaluate if hasattr(type(value), "evaluate") else lambda live: value


def _value(value: Any) -> Any:
    if type(value) is SymbolicInt:
        return value.hint
    return value.value if isinstance(value, RuntimeScalar) else value


def _size(value: Any) -> Any:
    """The integer that an operand is, symbolic or not; None if it is none of these."""
    if isinstance(value, RuntimeScalar):
        return value.size
    return value if type(value) in (int, SymbolicInt) else None


def _of_sizes(value: Any) -> bool:
    return value.of_sizes if isinstance(value, RuntimeScalar) else True


_OF_INTEGERS = (operator.add, operator.sub, operator.mul, operator.floordiv, operator.mod)
_MAY_RAISE = (operator.pow, operator.lshift, operator.rshift)  # for large numbers, or negative ones


def _binary(function: Callable[[Any, Any], Any], swapped: bool, divides: bool = False) -> Callable[[RuntimeScalar, Any], Any]:
    def method(self: RuntimeScalar, other: Any) -> Any:
        if not isinstance(other, (int, float, RuntimeScalar)):
            return NotImplemented
        a, b = (other, self) if swapped else (self, other)
        if function in _OF_INTEGERS and self.size is not None and _size(other) is not None:
            return for_user(function(_size(a), _size(b)))
        if divides and isinstance(b, RuntimeScalar):
            bool(b)  # guards that it is not 0, where Python raises
        if function is operator.pow:
            _guard_kind_of_power(a, b)
        if function in _MAY_RAISE:
            guard_error(_of_two(_error_of(function), a, b))
        return _of_two(function, a, b)

    return method


def _of_two(function: Callable[[Any, Any], Any], a: Any, b: Any) -> RuntimeScalar:
    left, right = _evaluator(a), _evaluator(b)
    evaluate = lambda live: function(left(live), right(live))  # noqa: E731
    return RuntimeScalar(function(_value(a), _value(b)), evaluate, None, _of_sizes(a) and _of_sizes(b), symbols_in(a, b))


def extreme_number(function: Callable[..., Any], a: Any, b: Any) -> Any:
    """`min` or `max` of two numbers, one of which stands for a number of each run: so does the result, if both are of one class."""
    if NumpyScalar in (type(a), type(b)) or {type(_value(a)), type(_value(b))} not in ({int}, {float}):
        return function(a, b)
    sizes = _size(a), _size(b)
    return _of_two(function, a, b) if None in sizes else for_user(extreme_of(function, *sizes))


def _guard_kind_of_power(base: Any, exponent: Any) -> None:
    """Guard what decides whether a power is an int, a float or a complex number, or raises."""
    if isinstance(exponent, RuntimeScalar):
        bool(exponent < 0)  # type: ignore[operator]
    if isinstance(base, RuntimeScalar) and not isinstance(_value(exponent), int):
        bool(base < 0)  # type: ignore[operator]
    if isinstance(base, RuntimeScalar) and _value(exponent) < 0:
        bool(base)


def _unary(function: Callable[[Any], Any]) -> Callable[[RuntimeScalar], RuntimeScalar]:
    def method(self: RuntimeScalar) -> RuntimeScalar:
        if self.size is not None and function in (operator.neg, operator.pos, operator.abs):
            return for_user(function(self.size))
        inner = self.evaluate
        return RuntimeScalar(function(self.value), lambda live: function(inner(live)), None, self.of_sizes, self.symbols)

    return method


def _comparison(function: Callable[[Any, Any], bool]) -> Callable[[RuntimeScalar, Any], Any]:
    def method(self: RuntimeScalar, other: Any) -> Any:
        if not isinstance(other, (int, float, RuntimeScalar)):
            return NotImplemented
        if self.size is not None and _size(other) is not None:
            return function(self.size, _size(other))
        left, right = self.evaluate, _evaluator(other)
        outcome = RuntimeScalar(function(self.value, _value(other)), lambda live: function(left(live), right(live)))
        return bool(outcome.pin())

    return method


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "lshift", "rshift", "and_", "or_", "xor"):
    _method = _name.strip("_")
    _divides = _name in ("truediv", "floordiv", "mod")
    setattr(RuntimeScalar, f"__{_method}__", _binary(getattr(operator, _name), False, _divides))
    setattr(RuntimeScalar, f"__r{_method}__", _binary(getattr(operator, _name), True, _divides))
for _name in ("neg", "pos", "abs", "invert"):
    setattr(RuntimeScalar, f"__{_name}__", _unary(getattr(operator, _name)))
for _name in ("lt", "le", "eq", "ne", "gt", "ge"):
    setattr(RuntimeScalar, f"__{_name}__", _comparison(getattr(operator, _name)))


def _pinned(*_: Any, **__: Any) -> Any:
    raise PinError


for _name in [name for name, member in vars(RuntimeScalar).items() if name.startswith("__") and callable(member)]:
    if _name not in ("__init__", "__new__", "__getattribute__"):
        setattr(NumpyScalar, _name, _pinned)

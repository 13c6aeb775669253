"""Checking and converting arguments at run time: what generated functions do with all but the usual calls.

A generated function handles the calls whose arguments have the exact types. Every other call comes to `Binding`. It tries the
signatures in order (`overload.py`) and converts (`converters.py`: NumPy scalars, zero-dim tensors, lists, device names ...). If
none fits, it raises an error that says what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import Any

import numpy

from tritonflow.binding.converters import (
    default_value,
    describe,
    has_unread_numbers,
    reading_lazy_numbers,
    refuse_batched_numbers,
)
from tritonflow.binding.overload import Mismatch, Overload
from tritonflow.binding.prototype import MISSING, prototype, same_default
from tritonflow.binding.signature import Signature, parse_signature
from tritonflow.binding.torch_calls import call_into, known_keywords, other_names
from tritonflow.errors import ArgumentTypeError, foreign_hint
from tritonflow.first_use import did_you_mean
from tritonflow.framework.function_overrides import adopted, call, overriding
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.autocast import with_casts


def all_ints(values: Sequence[Any]) -> bool:
    """Whether every element is a plain int."""
    for value in values:
        if value.__class__ is not int:
            return False
    return True


def all_tensors(values: tuple[Any, ...]) -> bool:
    """Whether every element is a plain Tensor."""
    for value in values:
        if value.__class__ is not Tensor:
            return False
    return True


# What an operator finds beside a tensor that is neither a tensor nor a number.
FOREIGN = (numpy.ndarray, list, tuple, str, bytes, bytearray, range)


def with_foreign(method: str, function: Callable[..., Any], x: Tensor, other: Any) -> Any:
    """An operator of a tensor and one of `FOREIGN` (operands.py)."""
    return import_module("tritonflow.binding.operands").operate(method, function, x, other)


# Two numbers are a call of these, as in torch's python_arg_parser.cpp (should_allow_numbers_as_tensors).
_OF_NUMBERS = frozenset({"add", "sub", "subtract", "mul", "multiply", "div", "divide", "true_divide", "floor_divide"})
_NUMBERS = (bool, int, float, numpy.number, numpy.bool_)
_NEW_TENSORS = "tritonflow.binding.new_tensors"


class Binding:
    """The overloads of one functional name, tried in order. Signatures are parsed at the first call.

    Args:
        name: the function's name, for errors.
        overloads: signatures as in the registry, each with its functor behind it.
        methods: the Tensor methods that the function is.
        is_method: whether the name is also a Tensor method, if `methods` does not say so.
        inplace: whether the functors are called with inplace=True.
        result: the class of results whose signature names them.
        autocast: by which rule autocast casts the arguments first.
        like: the function that this is another name of.
    """

    def __init__(
        self,
        name: str,
        *overloads: Any,
        methods: str = "",
        is_method: bool = False,
        inplace: bool = False,
        result: Callable[..., Any] | None = None,
        autocast: str = "",
        like: str = "",
    ) -> None:
        self.name = name
        self.signatures: tuple[str, ...] = overloads[::2]
        self.functors: tuple[Callable[..., Any], ...] = overloads[1::2]
        self.methods = methods.split()
        self.is_method = is_method or bool(methods)
        self.inplace = inplace
        self.result = result
        self.like = like
        self.casting = {f: with_casts(f, autocast) for f in self.functors} if autocast else {}
        self.function: Callable[..., Any] | None = None  # the generated function, which `publish` sets
        self._overloads: list[Overload] = []

    def __call__(self, values: tuple[Any, ...], extra: tuple[Any, ...], unknown: dict[str, Any]) -> Any:
        """Call the functor of the first signature that fits.

        Args:
            values: the values of the generated function's parameters, in order.
            extra: further positional arguments.
            unknown: keywords that no signature has.

        Raises:
            TypeError: no signature fits.
        """
        if not self._overloads:
            self._prepare()
        if adopted.any:
            found = overriding((*values, *extra, *unknown.values()))
            if found:
                return call(self.function or self, found, *self._undo(values, extra, unknown))
        if unknown:
            return self._with_keywords(values, extra, unknown)
        if not extra and self._by_position(values):
            for overload in self._overloads:
                arguments = overload.take(values)
                if arguments is not None:
                    return overload.functor(*arguments)
        return self._call_or_explain(*self._undo(values, extra, unknown))

    def _with_keywords(self, values: tuple[Any, ...], extra: tuple[Any, ...], unknown: dict[str, Any]) -> Any:
        """A call with keywords that no signature has: other names of parameters, and `out=`."""
        out = unknown.pop("out", None) if not self.inplace else None
        found, rest = list(values), {}
        for name, value in known_keywords(self.name, unknown, self._slots, self._first).items():
            slot = self._slots.get(name)
            if slot is None:
                rest[name] = value
            elif same_default(found[slot], self._defaults[slot]):
                found[slot] = value
            else:
                raise ArgumentTypeError(f"{self.name}(): got multiple values for argument '{name}'")
        if rest:
            return self._call_or_explain(*self._undo(tuple(found), extra, rest))
        if out is None:
            return self._call_again(found, extra)
        return call_into(self.name, out, partial(self._call_again, extra=extra), found, extra, self._slots)

    def _call_again(self, values: list[Any], extra: tuple[Any, ...]) -> Any:
        """The call with other values for the parameters, from its beginning."""
        if self.function is None:
            return self(tuple(values), extra, {})
        count = len(self._positional)
        keywords = {name: value for (name, _), value in zip(self._keyword_only, values[count:])}
        return self.function(*values[:count], *extra, **keywords)

    def _by_position(self, values: tuple[Any, ...]) -> bool:
        """Whether the arguments may be read by position: none is left out before one that is given."""
        if len(self._overloads) == 1:
            return True
        if self._keyword_or_positional:
            return False
        given = [v is not MISSING for v in values[: len(self._positional)]]
        return given == sorted(given, reverse=True)

    def _call_or_explain(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        readings = [(args, kwargs)]
        if self._keyword_or_positional and len(args) <= len(self._positional):
            names = [name for name, _ in self._positional]
            readings.append(((), dict(zip(names, args)) | kwargs))
        found = self._matched(readings)
        if type(found) is str and any(map(has_unread_numbers, (*args, *kwargs.values()))):
            with reading_lazy_numbers():
                found = self._matched(readings)
        if type(found) is not str:
            functor, converted = found
            return functor(*converted)
        if self.name in _OF_NUMBERS and len(args) == 2 and all(isinstance(v, _NUMBERS) for v in args):
            numbers = [v.item() if isinstance(v, numpy.generic) else v for v in args]
            return self._call_or_explain((import_module(_NEW_TENSORS).tensor(numbers[0]), numbers[1]), kwargs)
        for value in (*args, *kwargs.values()):
            refuse_batched_numbers(value)
        taking_over = overriding((*args, *kwargs.values()))  # of classes that are no tensors
        if taking_over:
            return call(self.function or self, taking_over, args, kwargs)
        if len(self._overloads) == 1:
            raise ArgumentTypeError(f"{self.name}(): {found}{self._meant(kwargs)}")
        raise ArgumentTypeError(self._explain(*readings[0]) + self._meant(kwargs))

    def _meant(self, kwargs: dict[str, Any]) -> str:
        """Which parameter an unknown keyword may mean."""
        unknown = next((name for name in kwargs if name not in self._slots), None)
        return "" if unknown is None else did_you_mean(unknown, [*self._slots, *other_names(self._slots)])

    def _matched(self, readings: list[tuple[tuple[Any, ...], dict[str, Any]]]) -> Any:
        """The functor of the first signature that fits, and what it is called with; a text that says why none fits."""
        reason = ""
        for args, kwargs in readings:
            for overload in self._overloads:
                try:
                    return overload.functor, overload.match(args, kwargs)
                except Mismatch as error:
                    reason = str(error)
        return reason

    def _prepare(self) -> None:
        signatures = [parse_signature(self.name, f"{text} => {self.name}") for text in self.signatures]
        shape = prototype(signatures, self.is_method)
        self._positional = [(s.name, default_value(s.default)) for s in shape.positional]
        self._keyword_only = [(s.name, default_value(s.default)) for s in shape.keyword_only]
        slots = (*self._positional, *self._keyword_only)
        self._slots = {name: k for k, (name, _) in enumerate(slots)}
        self._defaults = [default for _, default in slots]
        self._first = next((s.parameters[0].name for s in signatures if _starts_with_tensors(s)), None)
        # A parameter that is keyword-only in one signature and not in another: a value may be read either way.
        keyword_only = {p.name for s in signatures for p in s.parameters if p.keyword_only}
        self._keyword_or_positional = any(s.name in keyword_only for s in shape.positional)
        functors = [self._functor(s, f) for s, f in zip(signatures, self.functors)]
        overloads = [Overload(s, f, v) for s, f, v in zip(signatures, functors, shape.varargs)]
        for overload in overloads:
            overload.locate(shape)
        self._overloads = overloads

    def _functor(self, signature: Signature, functor: Callable[..., Any]) -> Callable[..., Any]:
        """The functor as it is called: it casts, overwrites and names its results, where this function does."""
        functor = self.casting.get(functor, functor)
        if self.inplace:
            functor = partial(functor, inplace=True)
        return _named(functor, self.result) if self.result and signature.return_names else functor

    def _undo(
        self, values: tuple[Any, ...], extra: tuple[Any, ...], unknown: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The call's positional and keyword arguments, without those that equal their default."""
        count = len(self._positional)
        kwargs = {n: v for (n, default), v in zip(self._keyword_only, values[count:]) if not same_default(v, default)}
        kwargs.update(unknown)
        given = values[:count]
        if extra:
            return (*given, *extra), kwargs
        while given and same_default(given[-1], self._positional[len(given) - 1][1]):
            given = given[:-1]
        for i, value in enumerate(given):
            if value is MISSING:
                rest = list(zip(self._positional, given))[i:]
                kwargs.update({n: v for (n, default), v in rest if not same_default(v, default)})
                return given[:i], kwargs
        return given, kwargs

    def _explain(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
        lines = [f"\n\t*{i}: {o.signature}" for i, o in enumerate(self._overloads)]
        given = [describe(v) for v in args] + [f"{k}={describe(v)}" for k, v in kwargs.items()]
        return (
            f"{self.name}(): received an invalid combination of arguments. The valid signatures are:{''.join(lines)}"
            f"\nbut the arguments were: ({', '.join(given)}){foreign_hint(*args, *kwargs.values())}"
        )


def _starts_with_tensors(signature: Signature) -> bool:
    return bool(signature.parameters) and "Tensor" in signature.parameters[0].type.name


def _named(functor: Callable[..., Any], result: Callable[..., Any]) -> Callable[..., Any]:
    """A functor whose tuple of outputs is returned as a named tuple."""
    return lambda *args: result(*functor(*args))

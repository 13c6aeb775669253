"""One signature: whether the arguments of a call fit it, and what its functor is called with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

from tritonflow.binding.converters import REJECTED, converter, default_value, describe
from tritonflow.binding.prototype import MISSING, Prototype, same_default
from tritonflow.binding.signature import Signature
from tritonflow.errors import foreign_hint

_SEQUENCES = (tuple, list, numpy.ndarray)


class Mismatch(Exception):
    """Why the arguments do not fit a signature."""


class Overload:
    """A signature with its converters and its functor."""

    def __init__(self, signature: Signature, functor: Callable[..., Any], varargs: int) -> None:
        self.signature = signature
        self.functor = functor
        self.varargs = varargs
        self.positional = len(signature.positional)
        self.parameters = [(p, converter(p), default_value(p.default)) for p in signature.parameters]

    def locate(self, shape: Prototype) -> None:
        """Say where in the generated function's parameters this signature's are, when given by position."""
        slots = [s.name for s in shape.slots]
        where = [i if i < self.positional else slots.index(p.name) for i, (p, _, _) in enumerate(self.parameters)]
        self._slots = [
            (i, convert, MISSING if p.required else default) for i, (p, convert, default) in zip(where, self.parameters)
        ]
        self._unused = [(i, default_value(s.default)) for i, s in enumerate(shape.slots) if i not in where]

    def take(self, values: tuple[Any, ...]) -> list[Any] | None:
        """The converted arguments from the generated function's parameters; None if they do not fit."""
        for i, default in self._unused:
            if not same_default(values[i], default):
                return None
        arguments = []
        for i, convert, default in self._slots:
            value = values[i]
            if value is not MISSING:
                value = convert(value)
                if value is REJECTED:
                    return None
            elif default is MISSING:
                return None
            else:
                value = default
            arguments.append(value)
        return arguments

    def match(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        """The converted arguments in the order of the parameters.

        Raises:
            Mismatch: they do not fit.
        """
        args = self._gather(args)
        if len(args) > self.positional:
            raise Mismatch(f"takes {self.positional} positional arguments but {len(args)} were given")
        values = []
        used = 0
        for i, (parameter, convert, default) in enumerate(self.parameters):
            if i < len(args):
                value = args[i]
                if parameter.name in kwargs:
                    raise Mismatch(f"got multiple values for argument '{parameter.name}'")
            elif parameter.name in kwargs:
                value = kwargs[parameter.name]
                used += 1
            elif parameter.required:
                raise Mismatch(f"missing required argument {parameter.name}")
            else:
                values.append(default)
                continue
            converted = convert(value)
            if converted is REJECTED:
                hint = foreign_hint(value) if "Tensor" in (parameter.type.name, parameter.type.element) else ""
                raise Mismatch(
                    f"argument '{parameter.name}' must be {parameter.type.text}, not {describe(value, parameter)}{hint}"
                )
            values.append(converted)
        if used < len(kwargs):
            unknown = next(name for name in kwargs if self.signature.parameter(name) is None)
            raise Mismatch(f"got an unexpected keyword argument '{unknown}'")
        return values

    def _gather(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """Make one list of the positions that a lone list parameter takes."""
        at = self.varargs
        if at < 0 or len(args) <= at:
            return args
        one_is_enough = self.parameters[at][0].size is not None
        if len(args) == at + 1 and (one_is_enough or args[at] is None or isinstance(args[at], _SEQUENCES)):
            return args
        return (*args[:at], args[at:])

"""The decorator that makes cases of functions."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tritonflow.bench.case import OURS, Case, Context, Timed
from tritonflow.bench.libraries import in_float64, library_of, maker
from tritonflow.errors import ArgumentTypeError, ArgumentValueError

GIVEN = ("lib", "make", "device", "tiny")  # parameters of a case's function that the harness gives


@dataclass(frozen=True)
class CaseFunction:
    """A function with the values that its parameters take.

    Calling it calls the function.
    """

    function: Callable[..., Any]
    name: str
    values: Mapping[str, tuple[Any, ...]]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.function(*args, **kwargs)

    def cases(self, group: str = "") -> list[Case]:
        """A case for each combination of the values."""
        names, group = list(self.values), group or self.function.__module__
        settings = [dict(zip(names, chosen)) for chosen in itertools.product(*self.values.values())]
        return [Case(self.name, group, params, _builder(self.function, params)) for params in settings]


def case(function: Callable[..., Any] | None = None, *, name: str | None = None, **values: Iterable[Any]) -> Any:
    """Make cases of a function, one for each combination of the values of its parameters.

    The function prepares data and returns the call to be timed, or a `Timed`, which also says what the call moves and computes.
    A parameter `lib` makes a case for several libraries: the function is called with tritonflow, and with torch for `--vs torch`.
    `make(*shape, dtype="float32", grad=False, high=None)` then gives each of them the same random numbers, or integers below
    `high`. `device` and `tiny` are what the command line says.

    Args:
        name: what the table shows; the function's own name unless given.
        values: for each other parameter the values that it takes, a list or any iterable.

    Raises:
        TypeError: a parameter has neither values nor a default, or values are given for none of the parameters.
        ValueError: a parameter has no values at all.

    Example:
        >>> import tritonflow as flow
        >>> @flow.bench.case(n=[1024, 4096])
        ... def doubled(n):
        ...     x = flow.ones(n)
        ...     return flow.bench.Timed(lambda: x * 2, bytes=2 * x.nbytes, flops=n)
        >>> [case.label for case in doubled.cases()]
        ['doubled n=1024', 'doubled n=4096']
    """
    if function is None:
        return lambda wrapped: case(wrapped, name=name, **values)
    name = name or function.__name__
    parameters = inspect.signature(function).parameters
    takes_any = any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters.values())
    unknown = [key for key in values if key not in parameters and not takes_any]
    if unknown:
        taken = ", ".join(parameters) or "nothing"
        raise ArgumentTypeError(f"case {name}: values for {unknown[0]!r}, but the function takes {taken}")
    missing = [
        key
        for key, p in parameters.items()
        if key not in values and key not in GIVEN and p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
    ]
    if missing:
        raise ArgumentTypeError(f"case {name}: no values for {missing[0]!r}; help: @flow.bench.case({missing[0]}=[...])")
    swept = {key: _values_of(name, key, given) for key, given in values.items()}
    return CaseFunction(function, name, swept)


def _values_of(name: str, key: str, given: Any) -> tuple[Any, ...]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise ArgumentTypeError(f"case {name}: {key} takes a list of values, not {given!r}; help: {key}=[{given!r}]")
    found = tuple(given)
    if not found:
        raise ArgumentValueError(f"case {name}: {key} has no values")
    return found


def _builder(function: Callable[..., Any], params: Mapping[str, Any]) -> Callable[[str, Context], Timed | None]:
    """How a setting of the function is built in a library; without a parameter `lib` it is ours alone."""
    wanted = inspect.signature(function).parameters

    def called(lib: Any, make: Any, context: Context) -> Timed:
        given = {"lib": lib, "make": make, "device": context.device, "tiny": context.tiny}
        return timed_of(function(**{key: value for key, value in given.items() if key in wanted}, **params))

    def build(library: str, context: Context) -> Timed | None:
        if library != OURS and (library != "torch" or "lib" not in wanted):
            return None
        timed = called(library_of(library), maker(library, context), context)
        if "lib" in wanted and timed.reference is None:
            timed.reference = lambda: called(library_of("torch"), in_float64(maker("torch", context)), context).call()
        return timed

    return build


def timed_of(value: Any) -> Timed:
    """What a case's function returned, as a `Timed`.

    Raises:
        TypeError: it is neither a call nor a `Timed`.
    """
    if isinstance(value, Timed):
        return value
    if callable(value):
        return Timed(value)
    raise ArgumentTypeError(
        f"a case's function returns the call to be timed, or flow.bench.Timed(call, ...), not {type(value).__name__};"
        " help: return lambda: ..."
    )

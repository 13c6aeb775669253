"""Checking and converting arguments at run time: what generated functions do with all but the usual calls.

A generated function handles the calls whose arguments have the exact types. Every other call comes to `Binding`. It tries the
signatures in order and converts (NumPy scalars, zero-dim tensors, lists, device names ...). If none fits, it raises an error that
says what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

import numpy

from tritonflow.binding.prototype import MISSING, Prototype, prototype, same_default
from tritonflow.binding.signature import DataTypeName, Parameter, Signature, parse_signature
from tritonflow.binding.torch_calls import call_into, known_keywords
from tritonflow.device.device import Device
from tritonflow.dtypes import DType
from tritonflow.dtypes import from_name as _dtype_from_name
from tritonflow.dtypes import from_python as _dtype_from_python
from tritonflow.errors import ArgumentTypeError, foreign_hint, type_name
from tritonflow.framework.capture_errors import value_unknown
from tritonflow.framework.runtime_scalar import RuntimeScalar
from tritonflow.framework.tensor import Tensor
from tritonflow.framework.tensor_impl import BatchedTensorImpl
from tritonflow.interpreter.autocast import with_casts

REJECTED: Any = type("Rejected", (), {"__repr__": lambda self: "<rejected>"})()

Converter = Callable[[Any], Any]


# ---------------------------------------------------------------------------------------------- one value


def all_ints(values: tuple[Any, ...]) -> bool:
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


def _scalar_of(value: Any) -> Any:
    """A Python number for a NumPy scalar or a zero-dim tensor; other values as they are."""
    if isinstance(value, Tensor) and value.ndim == 0 and not value.is_lazy and not _is_batched(value):
        return value.item()  # type: ignore[attr-defined]
    if isinstance(value, numpy.generic) or (isinstance(value, numpy.ndarray) and value.ndim == 0):
        return value.item()
    return value


def _is_batched(value: Tensor) -> bool:
    """Whether a tensor has a value for each example of a `vmap`: no number, but an operand where an overload takes a tensor."""
    return value.impl.__class__ is BatchedTensorImpl


def _refuse_unknown_numbers(value: Any) -> None:
    """Raise where numbers are wanted and a tensor, or a list, has some that are not known in a capture, or inside of `vmap`."""
    is_list = isinstance(value, (list, tuple))
    for x in value if is_list else (value,):
        if isinstance(x, Tensor) and x.ndim == 0:
            if _is_batched(x):
                x.item()  # type: ignore[attr-defined]
            if is_list and x.is_lazy:
                raise value_unknown()


def _convert_scalar(value: Any) -> Any:
    if value.__class__ is float or value.__class__ is int:
        return value
    if isinstance(value, Tensor) and value.requires_grad:  # whose gradient a number would lose
        return REJECTED
    value = _scalar_of(value)
    return value if isinstance(value, (int, float, complex, RuntimeScalar)) else REJECTED


def _convert_int(value: Any) -> Any:
    if value.__class__ is int:
        return value
    value = _scalar_of(value)
    if isinstance(value, RuntimeScalar):  # sizes, dimensions and the like decide what a graph looks like
        value = value.pin()
    return int(value) if isinstance(value, int) else REJECTED


def _convert_float(value: Any) -> Any:
    if value.__class__ is float:
        return value
    value = _scalar_of(value)
    if isinstance(value, RuntimeScalar):
        return value
    return float(value) if isinstance(value, (int, float)) else REJECTED


def _convert_bool(value: Any) -> Any:
    if value is True or value is False:
        return value
    value = _scalar_of(value)
    return bool(value) if isinstance(value, int) else REJECTED


def _convert_complex(value: Any) -> Any:
    value = _scalar_of(value)
    return complex(value) if isinstance(value, (int, float, complex)) else REJECTED


def _convert_string(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.decode()
    return value if isinstance(value, str) else REJECTED


def _convert_tensor(value: Any) -> Any:
    return value if isinstance(value, Tensor) else REJECTED


def _convert_dtype(value: Any) -> Any:
    if isinstance(value, DType):
        return value
    value = _dtype_from_python(value)
    return value if isinstance(value, DType) else REJECTED


def _convert_device(value: Any) -> Any:
    return Device(value) if isinstance(value, (str, Device)) else REJECTED


def _convert_object(value: Any) -> Any:
    return value


def _instance_of(module: str, name: str) -> Converter:
    """Accept instances of a class whose room is imported only when a value is checked."""
    found: list[type] = []

    def convert(value: Any) -> Any:
        if not found:
            found.append(getattr(import_module(module), name))
        return value if isinstance(value, found[0]) else REJECTED

    return convert


_CONVERTERS: dict[str, Converter] = {
    "Tensor": _convert_tensor,
    "Scalar": _convert_scalar,
    **dict.fromkeys(("Int", "Int32", "Int64"), _convert_int),
    **dict.fromkeys(("Float", "Double"), _convert_float),
    "Bool": _convert_bool,
    "Complex": _convert_complex,
    "String": _convert_string,
    "DataType": _convert_dtype,
    "Device": _convert_device,
    "Generator": _instance_of("tritonflow.functions.random_generator", "Generator"),
    "MemoryFormat": _instance_of("tritonflow.framework.memory_format", "MemoryFormat"),
    "Placement": _instance_of("tritonflow.framework.placement", "Placement"),
    "Sbp": _instance_of("tritonflow.framework.sbp", "Sbp"),
    **dict.fromkeys(("TensorIndex", "PyObject", "Layout"), _convert_object),
}


def converter(parameter: Parameter) -> Converter:
    """A function that converts a value for `parameter`, or returns REJECTED."""
    kind = parameter.type
    if kind.element is None:
        convert = _CONVERTERS[kind.name]
    elif kind.element == "Shape":
        convert = _list_converter(_list_converter(_convert_int, None), None)
    else:
        size = 1 if kind.name == "SbpList" and parameter.size is None else parameter.size
        convert = _list_converter(_CONVERTERS[kind.element], size)
    if not parameter.optional:
        return convert
    return lambda value: None if value is None else convert(value)


def _list_converter(element: Converter, size: int | None) -> Converter:
    """Lists, tuples and 1-D NumPy arrays to a tuple; one element is repeated `size` times where a size is given."""

    def convert(value: Any) -> Any:
        if isinstance(value, (tuple, list)):
            result = tuple([element(v) for v in value])
            for v in result:
                if v is REJECTED:
                    return REJECTED
            return result
        if isinstance(value, numpy.ndarray) and value.ndim == 1:
            return convert(value.tolist())
        if size is None:
            return REJECTED
        one = element(value)
        return REJECTED if one is REJECTED else (one,) * size

    return convert


def default_value(value: Any) -> Any:
    """The run-time value of a default of the schema."""
    return _dtype_from_name(value.name.rstrip("_")) if isinstance(value, DataTypeName) else value


# ---------------------------------------------------------------------------------------------- one signature


_SEQUENCES = (tuple, list, numpy.ndarray)


class _Mismatch(Exception):
    """Why the arguments do not fit a signature."""


class _Overload:
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
            _Mismatch: they do not fit.
        """
        args = self._gather(args)
        if len(args) > self.positional:
            raise _Mismatch(f"takes {self.positional} positional arguments but {len(args)} were given")
        values = []
        used = 0
        for i, (parameter, convert, default) in enumerate(self.parameters):
            if i < len(args):
                value = args[i]
                if parameter.name in kwargs:
                    raise _Mismatch(f"got multiple values for argument '{parameter.name}'")
            elif parameter.name in kwargs:
                value = kwargs[parameter.name]
                used += 1
            elif parameter.required:
                raise _Mismatch(f"missing required argument {parameter.name}")
            else:
                values.append(default)
                continue
            converted = convert(value)
            if converted is REJECTED:
                hint = foreign_hint(value) if "Tensor" in (parameter.type.name, parameter.type.element) else ""
                raise _Mismatch(
                    f"argument '{parameter.name}' must be {parameter.type.text}, not {describe(value, parameter)}{hint}"
                )
            values.append(converted)
        if used < len(kwargs):
            unknown = next(name for name in kwargs if self.signature.parameter(name) is None)
            raise _Mismatch(f"got an unexpected keyword argument '{unknown}'")
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


def describe(value: Any, parameter: Parameter | None = None) -> str:
    """The type of a value for an error; for lists also the type of the first element that does not fit."""
    name = type_name(value)
    if parameter is not None and parameter.type.element and isinstance(value, (tuple, list)):
        element = _CONVERTERS.get(parameter.type.element)
        wrong = [v for v in value if element is not None and element(v) is REJECTED]
        if wrong:
            return f"{name} of {type_name(wrong[0])}"
    return name


# ---------------------------------------------------------------------------------------------- all signatures


# Two numbers are a call of these, as in torch's python_arg_parser.cpp (should_allow_numbers_as_tensors).
_OF_NUMBERS = frozenset({"add", "sub", "subtract", "mul", "multiply", "div", "divide", "true_divide", "floor_divide"})
_DATA_EXCHANGE = "tritonflow.binding.data_exchange"


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
        self._overloads: list[_Overload] = []

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
        for args, kwargs in readings:
            for overload in self._overloads:
                try:
                    converted = overload.match(args, kwargs)
                except _Mismatch as error:
                    reason = str(error)
                    continue
                return overload.functor(*converted)
        if self.name in _OF_NUMBERS and len(args) == 2 and all(type(v) in (bool, int, float) for v in args):
            return self._call_or_explain((import_module(_DATA_EXCHANGE).tensor(args[0]), args[1]), kwargs)
        for value in (*args, *kwargs.values()):
            _refuse_unknown_numbers(value)
        if len(self._overloads) == 1:
            raise ArgumentTypeError(f"{self.name}(): {reason}")
        raise ArgumentTypeError(self._explain(*readings[0]))

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
        overloads = [_Overload(s, f, v) for s, f, v in zip(signatures, functors, shape.varargs)]
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

"""The language of signatures, such as `Tensor (Tensor x, Bool inplace=False) => Relu`: parsed and checked.

`schema.py` reads the rest of the registry. A program that binds calls needs only this file.
"""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tritonflow.binding.argument_types import ARGUMENT_TYPES, DATA_TYPES, RETURN_TYPES, ArgumentType


class SchemaError(ValueError):
    """Something in the registry that cannot be understood; the text names the entry.

    Args:
        text: entry, field, what was expected and what came.
        missing: the functional name that a formula calls and no entry has, if that is what is wrong.
    """

    def __init__(self, text: str, missing: str = "") -> None:
        super().__init__(text)
        self.missing = missing


@dataclass(frozen=True)
class DataTypeName:
    """A dtype as a default, by its name in `tritonflow.dtypes`."""

    name: str


@dataclass(frozen=True)
class Parameter:
    """One parameter of a signature, such as `Int32List[2] stride=1`."""

    type: ArgumentType
    name: str
    default: Any = None
    required: bool = True
    keyword_only: bool = False
    size: int | None = None
    default_text: str = ""

    @property
    def optional(self) -> bool:
        """Whether None is accepted."""
        return not self.required and self.default is None

    def __str__(self) -> str:
        size = f"[{self.size}]" if self.size is not None else ""
        return f"{self.type.name}{size} {self.name}" + ("" if self.required else f"={self.default_text}")


@dataclass(frozen=True)
class Signature:
    """`Tensor (Tensor x, Bool inplace=False) => Relu`."""

    name: str
    returns: str
    return_names: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    functor: str

    @property
    def positional(self) -> tuple[Parameter, ...]:
        """The parameters that may be given by position."""
        return tuple(p for p in self.parameters if not p.keyword_only)

    @property
    def inplace(self) -> bool:
        """Whether the signature has an in-place form."""
        return any(p.name == "inplace" for p in self.parameters)

    def parameter(self, name: str) -> Parameter | None:
        """The parameter called `name`, if there is one."""
        return next((p for p in self.parameters if p.name == name), None)

    def __str__(self) -> str:
        parts: list[str] = []
        for p in self.parameters:
            if p.keyword_only and "*" not in parts:
                parts.append("*")
            parts.append(str(p))
        names = f"[{', '.join(self.return_names)}]" if self.return_names else ""
        return f"{self.returns}{names} ({', '.join(parts)})"


_SIGNATURE = re.compile(r"^\s*(\w+)\s*(?:\[([\w\s,]*)\])?\s*\((.*)\)\s*=>\s*(\w+)\s*$", re.DOTALL)
_PARAMETER = re.compile(r"^(\w+)(?:\[(\d+)\])?\s+(\w+)\s*(?:=\s*(.+))?$", re.DOTALL)
RESERVED_NAMES = {"extra", "unknown", "node"}  # names that generated functions use themselves


def parse_signature(name: str, text: str) -> Signature:
    """Parse one signature of the entry `name`.

    Raises:
        SchemaError: the text is not in the language; the error names entry, signature and what is wrong.
    """
    match = _SIGNATURE.match(text)
    if match is None:
        raise SchemaError(f"{name}: {text!r} is not of the form 'Type (Type name=default, ...) => Functor'")
    returns, return_names, parameters, functor = match.groups()
    if returns not in RETURN_TYPES:
        raise SchemaError(f"{name}: unknown return type {returns!r} in {text!r}")
    names = tuple(n.strip() for n in return_names.split(",")) if return_names else ()
    try:
        return Signature(name, returns, names, tuple(_parse_parameters(parameters)), functor)
    except SchemaError as error:
        raise SchemaError(f"{name}: {error} in {text!r}") from None


def _parse_parameters(text: str) -> Iterator[Parameter]:
    seen: set[str] = set()
    keyword_only = defaults = False
    for part in _split(text):
        if part == "*":
            keyword_only = True
            continue
        parameter = _parse_parameter(part, keyword_only)
        if parameter.name in seen:
            raise SchemaError(f"parameter {parameter.name!r} occurs twice")
        if defaults and parameter.required and not keyword_only:
            raise SchemaError(f"parameter {parameter.name!r} without a default follows one with a default")
        defaults = defaults or not parameter.required
        seen.add(parameter.name)
        yield parameter


def _parse_parameter(text: str, keyword_only: bool) -> Parameter:
    match = _PARAMETER.match(text)
    if match is None:
        raise SchemaError(f"{text!r} is not a parameter ('Type name' or 'Type name=default')")
    type_name, size_text, name, default_text = match.groups()
    if type_name not in ARGUMENT_TYPES:
        raise SchemaError(f"unknown type {type_name!r}")
    if keyword.iskeyword(name) or name in RESERVED_NAMES or name.startswith("_"):
        raise SchemaError(f"{name!r} cannot be the name of a parameter")
    kind = ARGUMENT_TYPES[type_name]
    if size_text and not kind.is_list:
        raise SchemaError(f"{type_name} takes no size, only lists do")
    size = int(size_text) if size_text else None
    if default_text is None:
        return Parameter(kind, name, None, True, keyword_only, size)
    value = _parse_default(kind, default_text.strip(), size)
    return Parameter(kind, name, value, False, keyword_only, size, default_text.strip())


def _parse_default(kind: ArgumentType, text: str, size: int | None) -> Any:
    if kind.name == "DataType" and text in DATA_TYPES:
        return DataTypeName(DATA_TYPES[text])
    try:
        value: Any = float(text) if text.lstrip("-") in ("inf", "nan") else ast.literal_eval(text)
    except (ValueError, SyntaxError):
        raise SchemaError(f"the default {text!r} is neither a literal nor a dtype such as kFloat") from None
    if value is None:
        return None
    if kind.is_list:
        value = tuple(value) if isinstance(value, (list, tuple)) else (value,) * (size or 1)
        classes = _DEFAULT_CLASSES.get(kind.element or "", ())
        if not all(type(v) in classes for v in value):
            raise SchemaError(f"the default {text!r} does not fit {kind.name}")
        return value
    if type(value) not in _DEFAULT_CLASSES.get(kind.name, ()):
        raise SchemaError(f"the default {text!r} does not fit {kind.name}")
    return float(value) if kind.name in ("Float", "Double") else value


_DEFAULT_CLASSES: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("Int", "Int32", "Int64"), (int,)),
    **dict.fromkeys(("Float", "Double"), (int, float)),
    "Scalar": (int, float, bool),
    "Bool": (bool,),
    "String": (str,),
    "Device": (str,),
}


def _split(text: str) -> list[str]:
    """Split at commas outside brackets and strings."""
    parts, depth, quote, start = [], 0, "", 0
    for i, char in enumerate(text):
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char in "([":
            depth += 1
        elif char in ")]":
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    parts.append(text[start:].strip())
    return [] if parts == [""] else parts


def snake(name: str) -> str:
    """`ScalarAdd` to `scalar_add`, `BCELoss2D` to `bce_loss2d`."""
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z][a-z])|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name)
    return name.lower()

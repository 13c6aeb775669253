"""One Python signature that admits every overload of a name.

Python matches positions and keywords to the parameters of a generated function. It cannot say which overload was meant. `Prototype`
is that function's parameter list. The generator writes it, and `arguments` undoes it to try the overloads one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tritonflow.binding.signature import DataTypeName, Parameter, SchemaError, Signature

_LITERALS = (int, float, str, DataTypeName)


class Missing:
    """The default of a parameter that was not given."""

    def __repr__(self) -> str:
        return "<required>"

    def __reduce__(self) -> str:
        return "MISSING"


MISSING = Missing()


@dataclass(frozen=True)
class Slot:
    """A parameter of the generated function; its default is MISSING unless all overloads agree on one."""

    name: str
    default: Any = MISSING


@dataclass(frozen=True)
class Prototype:
    """The parameter list of a generated function.

    Args:
        positional: parameters that may be given by position.
        keyword_only: parameters that may not.
        varargs: per signature, the position of a lone list parameter that takes all positions from there on, or -1.
    """

    positional: tuple[Slot, ...]
    keyword_only: tuple[Slot, ...]
    varargs: tuple[int, ...]

    @property
    def slots(self) -> tuple[Slot, ...]:
        """All parameters in the order in which the generated function has them."""
        return self.positional + self.keyword_only


def prototype(signatures: Sequence[Signature], is_method: bool) -> Prototype:
    """The prototype of the signatures of one name.

    Args:
        is_method: whether the function is also a Tensor method, so that a lone list may follow self.
    """
    longest = max(signatures, key=lambda s: len(s.positional))
    positional = [p.name for p in longest.positional]
    names = dict.fromkeys(p.name for s in signatures for p in s.parameters)
    keyword_only = [n for n in names if n not in positional]
    first = signatures[0].positional
    if is_method and (not first or first[0].type.name != "Tensor"):
        raise SchemaError(f"{signatures[0].name}: the first parameter of a method must be a Tensor")
    return Prototype(
        tuple(Slot(n, _common_default(signatures, n, i)) for i, n in enumerate(positional)),
        tuple(Slot(n, _common_default(signatures, n, None)) for n in keyword_only),
        tuple(_varargs_position(s, is_method) for s in signatures),
    )


def _common_default(signatures: Sequence[Signature], name: str, position: int | None) -> Any:
    found: list[Parameter] = []
    for signature in signatures:
        positional = signature.positional
        if position is not None and position < len(positional) and positional[position].name != name:
            return MISSING
        parameter = signature.parameter(name)
        if parameter is None:
            continue
        if position is not None and parameter in positional and positional.index(parameter) != position:
            return MISSING
        found.append(parameter)
    first = found[0]
    if all(not p.required and same_default(p.default, first.default) for p in found):
        return first.default
    return MISSING


def same_default(a: Any, b: Any) -> bool:
    """Whether two values are the same literal of the same class; tensors and other objects only if identical."""
    if a is b:
        return True
    if a.__class__ is not b.__class__:
        return False
    if a.__class__ is tuple:
        return len(a) == len(b) and all(same_default(x, y) for x, y in zip(a, b))
    return isinstance(a, _LITERALS) and bool(a == b)


def _varargs_position(signature: Signature, is_method: bool) -> int:
    positional = signature.positional
    last = len(positional) - 1
    if last < 0 or not positional[last].type.is_list or positional[last].type.name == "SbpList":
        return -1
    alone = last == 0
    after_self = last == 1 and is_method and positional[0].type.name == "Tensor"
    after_text = last == 1 and positional[0].type.name == "String" and positional[1].type.name == "TensorTuple"  # an equation's
    return last if alone or after_self or after_text else -1

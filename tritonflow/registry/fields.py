"""Reading fields of what YAML gives: texts, names, flags, words of a vocabulary; every error names the entry."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from tritonflow.binding.signature import SchemaError


def text_at(where: str, raw: Mapping[str, Any], key: str) -> str:
    """A text, without the blanks at its ends."""
    value = raw.get(key, "")
    if not isinstance(value, str):
        raise SchemaError(f"{where}: {key} {value!r}: expected a text; quote what has a colon")
    return value.strip()


def word_at(where: str, raw: Mapping[str, Any], key: str, default: str, allowed: Sequence[str]) -> str:
    """The value of a key that has a fixed vocabulary."""
    if key not in raw:
        return default
    check_word(where, key, raw[key], allowed)
    return str(raw[key])


def reason_without_derivative(where: str, raw: Mapping[str, Any]) -> str:
    """Why there is no derivative: `derivative: {none: "..."}`."""
    formulas = raw.get("derivative")
    if not isinstance(formulas, Mapping) or set(formulas) != {"none"}:
        return ""
    if not isinstance(formulas["none"], str) or not formulas["none"]:
        raise SchemaError(f"{where}: derivative {dict(formulas)!r}: expected the reason why there is none, a text")
    return str(formulas["none"])


def flag_at(where: str, raw: Mapping[str, Any], key: str, default: bool) -> bool:
    """True or false, `default` where nothing is said."""
    value = raw.get(key, default)
    if not isinstance(value, bool):
        raise SchemaError(f"{where}: {key} {value!r}: expected true or false")
    return value


def whole_number_at(where: str, raw: Mapping[str, Any], key: str) -> int | None:
    """A whole number, or None where nothing is said."""
    value = raw.get(key)
    if value is not None and type(value) is not int:
        raise SchemaError(f"{where}: {key} {value!r}: expected a whole number")
    return value


def check_word(where: str, key: str, value: Any, allowed: Sequence[str]) -> None:
    """Refuse a word that is not of a vocabulary."""
    if value not in allowed:
        raise SchemaError(f"{where}: {key} {value!r}: expected one of {', '.join(allowed)}{nearest(value, allowed)}")


def nearest(word: Any, allowed: Collection[str]) -> str:
    """The end of a message about a word that is not allowed: which one may have been meant."""
    found = difflib.get_close_matches(str(word), allowed, 1)
    return f"; did you mean {found[0]!r}?" if found else ""


def check_keys(where: str, raw: Mapping[str, Any], allowed: set[str]) -> None:
    """Refuse keys that nobody reads."""
    for key in raw:
        if key not in allowed:
            raise SchemaError(f"{where}: unknown key {key!r}; the keys are {', '.join(sorted(allowed))}{nearest(key, allowed)}")


def names_at(where: str, raw: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """Names, of which one may stand alone."""
    value = raw.get(key) or []
    value = [value] if isinstance(value, str) else list(value) if isinstance(value, tuple) else value
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        raise SchemaError(f"{where}: {key!r} must be a list of names, not {value!r}")
    return tuple(value)


def mapping_at(where: str, raw: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """A mapping, which is there."""
    value = raw[key]
    if not isinstance(value, Mapping):
        raise SchemaError(f"{where}: {key!r} must be a mapping, not {value!r}")
    return value

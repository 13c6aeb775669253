"""The named tuples that ops with several named outputs return: they print as torch's do, an output a line."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Sequence
from typing import Any


def return_type(name: str, fields: Sequence[str]) -> Any:
    """A class of named tuples, which `tritonflow._C.return_types` has under this name.

    Example:
        >>> import tritonflow as flow
        >>> flow.tensor([1.0, 3.0]).max(0)
        tritonflow.return_types.max(
        values=tensor(3.),
        indices=tensor(1))
    """
    base: Any = namedtuple(name, fields)  # type: ignore[misc]
    body = {"__slots__": (), "__module__": "tritonflow._C.return_types", "__repr__": _representation}
    return type(name, (base,), body)


def _representation(self: Any) -> str:
    inside = ",\n".join(f"{name}={getattr(self, name)!r}" for name in self._fields)
    return f"tritonflow.return_types.{type(self).__name__}(\n{inside})"

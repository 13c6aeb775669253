"""References for entries that torch has under no name, or with other arguments; they win over `reference:` in the registry."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from op_samples import EXCEPTIONS, entries
from tritonflow.functional.schema import Entry

REFERENCES: dict[str, Callable[..., Any]] = {
    "contiguous": lambda x: x.contiguous(),
    "view_as": lambda x, other: x.view_as(other),
    "expand_as": lambda x, other: x.expand_as(other),
    "reshape_as": lambda x, other: x.reshape_as(other),
    "batch_matmul": torch.bmm,
    "matrix_vector_product": torch.mv,
    "expand_dims": torch.unsqueeze,
    "log_softmax": lambda x, dim: torch.log_softmax(x, dim),
    "cast": lambda x, dtype: x.to(dtype),
    "copy_": lambda x, source: x.copy_(source),
    "fill_": lambda x, value: x.fill_(value),
    "zero_": lambda x: x.zero_(),
    "to": lambda x, dtype: x.to(dtype),
    "type_as": lambda x, other: x.type_as(other),
    "new_zeros": lambda x, size, dtype=None: x.new_zeros(size, dtype=dtype),
    "new_ones": lambda x, size, dtype=None: x.new_ones(size, dtype=dtype),
    "new_full": lambda x, size, value, dtype=None: x.new_full(size, value, dtype=dtype),
    "quick_gelu": lambda x: x * torch.sigmoid(1.702 * x),
    "trunc_divide": lambda x, other: torch.div(x, other, rounding_mode="trunc"),
}


def reference_of(entry: Entry) -> Callable[..., Any] | None:
    """The function that an entry is compared with; None if it has none."""
    if entry.name in REFERENCES:
        return REFERENCES[entry.name]
    if entry.reference == "none":
        return None
    found: Any = torch
    for part in entry.reference.split(".")[1:]:
        found = getattr(found, part, None)
    return found


def without_reference() -> list[str]:
    """Entries whose `reference:` names nothing in torch."""
    named = [e for e in entries().values() if e.bind_python and e.reference != "none" and e.name not in EXCEPTIONS]
    return [e.name for e in named if reference_of(e) is None]

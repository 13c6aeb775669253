"""References of the registry's entries: what `reference:` names, in torch or, for what torch lacks, in this file.

A function stands here only where no name of torch computes the same from the same arguments.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import torch

from tritonflow.functional.schema import Entry


def quick_gelu(x: torch.Tensor) -> torch.Tensor:
    """Only transformers have it."""
    return x * torch.sigmoid(1.702 * x)


def trunc_divide(input: Any, other: Any) -> torch.Tensor:
    """torch has it as a rounding mode."""
    return torch.div(input, other, rounding_mode="trunc")


ROOTS = {"torch": torch, "op_references": sys.modules[__name__]}


def reference_of(entry: Entry) -> Callable[..., Any] | None:
    """The function that an entry is compared with; None if its `reference:` names nothing."""
    root, *path = entry.reference.split(".")
    found: Any = ROOTS.get(root)
    for part in path:
        found = getattr(found, part, None)
    return found

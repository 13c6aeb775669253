"""References of the registry's entries: what `reference:` names, in torch or, for what torch lacks, in this file.

A function stands here only where no name of torch computes the same from the same arguments.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy
import torch

from tritonflow.functional.schema import Entry


def quick_gelu(x: torch.Tensor) -> torch.Tensor:
    """Only transformers have it."""
    return x * torch.sigmoid(1.702 * x)


def trunc_divide(input: Any, other: Any) -> torch.Tensor:
    """torch has it as a rounding mode. The lowest integer by -1 ends its process; it wraps around here."""
    dtype = torch.result_type(input, other)
    if dtype.is_floating_point:
        return torch.div(input, other, rounding_mode="trunc")
    other = torch.as_tensor(other).to(dtype)
    negates = (other < 0) & (other == -1)
    quotient = torch.div(input, torch.where(negates, torch.ones_like(other), other), rounding_mode="trunc")
    return torch.where(negates, -quotient, quotient)


def fmod(input: Any, other: Any) -> torch.Tensor:
    """torch's vectorised one gives NaN for float64 quotients that are large; NumPy's is the C library's."""
    return _in_float64(numpy.fmod, torch.fmod(input, other), input, other)


def remainder(input: Any, other: Any) -> torch.Tensor:
    """As fmod."""
    return _in_float64(numpy.remainder, torch.remainder(input, other), input, other)


def _in_float64(function: Callable[..., Any], expected: torch.Tensor, *operands: Any) -> torch.Tensor:
    if expected.dtype != torch.float64:
        return expected
    with numpy.errstate(invalid="ignore"):
        result = torch.from_numpy(numpy.asarray(function(*[numpy.asarray(x) for x in operands])))
    return torch.where(result == 0, torch.copysign(result, expected), result)  # of a zero NumPy has the divisor's sign


def hardswish(x: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    """x from 3 on; torch's multiplies by 6 first, which overflows."""
    return torch.where(x >= 3, x, torch.nn.functional.hardswish(x, inplace))


def median(input: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
    """torch's along a dimension of an expanded tensor is wrong: it selects within memory that the rows share."""
    return torch.median(input.contiguous(), *args, **kwargs)


ROOTS = {"torch": torch, "op_references": sys.modules[__name__]}


def reference_of(entry: Entry) -> Callable[..., Any] | None:
    """The function that an entry is compared with; None if its `reference:` names nothing."""
    root, *path = entry.reference.split(".")
    found: Any = ROOTS.get(root)
    for part in path:
        found = getattr(found, part, None)
    return found

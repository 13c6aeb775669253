"""The functor of `where` with a condition alone."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import functor
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.index import nonzero


@functor("WhereNonZero")
def where_nonzero(condition: Tensor) -> Any:
    """The coordinates of the true elements, a vector per dimension."""
    return nonzero(condition, True)

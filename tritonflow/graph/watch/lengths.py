"""`len` of tensors of a program, and `min` and `max` of its sizes, in modules that have builtins of their own.

Python's `len` gives a plain int. In a captured function that would be the size of one call, and each other size another program.
`min` asks which number is less, and each answer is another program. The code of installed packages is not rewritten as user code
is. But modules that a program for torch imports have a table of builtins. While a program is captured, its `len` gives the first
size of such a tensor, as `x.shape[0]` does, and its `min` and `max` give sizes.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tritonflow.framework.tensor import Tensor
from tritonflow.graph.watch.number_functions import EXTREMES

tables: list[dict[str, Any]] = []
"""Such tables of builtins."""


@contextmanager
def sizes_for_lengths() -> Iterator[None]:
    """A block in which the `len` of these tables gives sizes of a program. There is one at a time."""
    for table in tables:
        table.update(len=length, **EXTREMES)
    try:
        yield
    finally:
        for table in tables:
            table.update(len=builtins.len, min=builtins.min, max=builtins.max)


def length(value: Any, /) -> Any:
    """The length of a value; of a tensor of a program, its first size."""
    if isinstance(value, Tensor) and value.is_lazy and value.meta.ndim:
        return value.shape[0]
    return len(value)

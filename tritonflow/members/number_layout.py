"""The numbers of an array as text: torch's choice of digits, notation, widths, line breaks and left-out middles.

All numbers of a tensor have one `NumberFormat`. Of a complex tensor the real and the imaginary parts have one each.
Where the middle is left out, the numbers that are shown decide alone.
"""

from __future__ import annotations

import math
from typing import Any

import numpy

from tritonflow.members.print_options import PRINT_OPTS

Array = numpy.ndarray[Any, Any]


class NumberFormat:
    """How each number of a tensor is written.

    Attributes:
        is_floating: whether they are floating-point numbers.
        are_whole: whether all of them are whole: then they end with a point, and have no digits behind it.
        is_scientific: whether they have an exponent.
        width: characters of the longest.
    """

    def __init__(self, values: list[Any], is_floating: bool) -> None:
        self.is_floating = is_floating
        self.are_whole, self.is_scientific, self.width = True, False, 1
        if not is_floating:
            self.width = max((len(str(value)) for value in values), default=1)
            return
        counted = [value for value in values if value != 0 and math.isfinite(value)]
        if counted:
            self.are_whole = all(value.is_integer() for value in counted)
            self.is_scientific = _has_wide_range(counted) if PRINT_OPTS.sci_mode is None else PRINT_OPTS.sci_mode
            self.width = max(len(self._text(value)) for value in counted)

    def _text(self, value: Any) -> str:
        if not self.is_floating:
            return str(value)
        if self.is_scientific:
            return f"{value:.{PRINT_OPTS.precision}e}"
        if self.are_whole:
            return f"{value:.0f}" + ("." if math.isfinite(value) else "")
        return f"{value:.{PRINT_OPTS.precision}f}"

    def text(self, value: Any) -> str:
        """A number, with spaces before it."""
        return self._text(value).rjust(self.width)


def _has_wide_range(values: list[float]) -> bool:
    smallest, largest = min(map(abs, values)), max(map(abs, values))
    return largest / smallest > 1000.0 or largest > 1.0e8 or smallest < 1.0e-4


class _Layout:
    """The formats of one tensor's numbers, and which of its dimensions leave their middle out.

    Attributes:
        real: the format of the numbers, or of their real parts.
        imag: the format of imaginary parts, or None.
        elided: by dimension, whether only its ends are shown.
    """

    def __init__(self, shown: Array, elided: list[bool]) -> None:
        is_complex, is_floating = shown.dtype.kind == "c", shown.dtype.kind in "fc"
        flat = shown.reshape(-1)
        self.real = NumberFormat((flat.real if is_complex else flat).tolist(), is_floating)
        self.imag = NumberFormat(flat.imag.tolist(), is_floating) if is_complex else None
        self.elided = elided

    def number(self, value: Any) -> str:
        """One element."""
        if self.imag is None:
            return self.real.text(value)
        imaginary = self.imag.text(value.imag).lstrip() + "j"
        return self.real.text(value.real) + ("" if imaginary[0] in "+-" else "+") + imaginary

    def block(self, values: Any, dim: int, indent: int) -> str:
        """The numbers from a dimension on, in brackets; the text begins at the column `indent`."""
        if dim == len(self.elided):
            return self.number(values)
        is_row = dim == len(self.elided) - 1
        items = [self.number(each) if is_row else self.block(each, dim + 1, indent + 1) for each in values]
        if self.elided[dim]:
            items.insert(len(items) // 2, " ..." if is_row and items else "...")
        next_line = "\n" + " " * (indent + 1)
        if not is_row:
            return "[" + ("," + "\n" * (len(self.elided) - dim - 2) + next_line).join(items) + "]"
        count = self._numbers_in_a_line(indent)
        lines = [", ".join(items[k : k + count]) for k in range(0, len(items), count)]
        return "[" + ("," + next_line).join(lines) + "]"

    def _numbers_in_a_line(self, indent: int) -> int:
        width = self.real.width + 2 + (0 if self.imag is None else self.imag.width + 1)
        return max(1, (PRINT_OPTS.linewidth - indent) // width)


def numbers_text(array: Array, indent: int) -> str:
    """The numbers of an array in brackets; the text begins at the column `indent`."""
    if array.size == 0:
        return "[]"
    edge = PRINT_OPTS.edgeitems
    elided = [array.size > PRINT_OPTS.threshold and n > 2 * edge for n in array.shape]
    if any(elided) and edge == 0:
        shown = numpy.empty([0] * array.ndim, array.dtype)
    elif any(elided):
        ends = [[*range(edge), *range(n - edge, n)] if middle else range(n) for n, middle in zip(array.shape, elided)]
        shown = array[numpy.ix_(*ends)]
    else:
        shown = array
    return _Layout(shown, elided).block(shown.tolist(), 0, indent)

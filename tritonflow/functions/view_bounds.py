"""The bounds of OneFlow's slices, which are refused where Python's would be counted from the end."""

from __future__ import annotations

from collections.abc import Sequence

from tritonflow.errors import InvalidArgumentError


def check_bounds(start: Sequence[int], stop: Sequence[int], step: Sequence[int]) -> None:
    """Raises RuntimeError unless they are bounds of OneFlow's slices: none is negative, no step 0."""
    for number, (first, last, stride) in enumerate(zip(start, stop, step)):
        if stride <= 0:
            raise InvalidArgumentError(f"The step list elements must be greater than 0, but got {stride} at index {number}")
        for name, bound in (("start", first), ("stop", last)):
            if bound < 0:
                raise InvalidArgumentError(
                    f"The {name} list elements must be greater than or equal to 0, but got {bound} at index {number}"
                )
        if first > last:
            raise InvalidArgumentError(
                f"The element in start list must be less than or equal to the element in stop list at index {number}, but got"
                f" {first} and {last}"
            )

"""Types that the annotations of public functions name."""

from __future__ import annotations

from typing import TypeAlias, Union

Scalar: TypeAlias = Union[bool, int, float, complex]  # noqa: UP007 (a name in documents, where `|` would be unfolded)
Number: TypeAlias = Union[int, float]  # noqa: UP007 (what `item()` gives; of a complex tensor it is a complex number)

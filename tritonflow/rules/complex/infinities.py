"""What the formulas of complex functions need where a part is infinite or no number.

Annex G of the C standard says what functions of such numbers are. A formula such as exp(x) cos(y) gives NaN where an
infinite factor meets a zero, and where an infinite angle has no cosine. Here such factors and angles are replaced, and
others stay as they are, with their gradients.
"""

from __future__ import annotations

from typing import Any

from tritonflow.framework.tensor import Tensor
from tritonflow.functions.elementwise_selection import where_scalar_x
from tritonflow.functions.generated import is_finite, is_inf, where


def factor(length: Tensor, y: Tensor) -> Any:
    """What the sine of y is multiplied by: length, and 0 where y is 0 and length is infinite or NaN."""
    return where_scalar_x((y == 0) & ~is_finite(length), 0.0, length)


def angle_unless(unasked: Tensor, y: Tensor) -> Any:
    """The angle y, and 0 where it has no sine and `unasked` holds: the result is the same for all angles."""
    return where_scalar_x(unasked & ~is_finite(y), 0.0, y)


def infinite(x: Tensor, y: Tensor) -> Any:
    """Whether x + iy is infinite: a part is, whatever the other one is."""
    return is_inf(x) | is_inf(y)


def chosen(condition: Tensor, value: Any, otherwise: Tensor) -> Any:
    """A value, a number or a tensor, where a condition holds."""
    if isinstance(value, Tensor):
        return where(condition, value, otherwise)
    return where_scalar_x(condition, value, otherwise)

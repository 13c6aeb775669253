"""What users say of sizes: which differ from call to call, and which do not."""

from __future__ import annotations

from typing import NamedTuple

from tritonflow.errors import ArgumentValueError
from tritonflow.framework.symbolic_int import MOST
from tritonflow.framework.tensor import Tensor, wrap_dim


class SizeMark(NamedTuple):
    """What is said of a dimension: whether its size differs from call to call, and from what to what."""

    is_dynamic: bool
    low: int = 1
    high: int = MOST


def marks_of(tensor: Tensor) -> dict[int, SizeMark]:
    """What is said of the dimensions of a tensor."""
    found: dict[int, SizeMark] = tensor.__dict__.get("_size_marks", {})
    return found


def mark_dynamic(x: Tensor, dim: int | tuple[int, ...], *, min: int = 1, max: int | None = None) -> None:
    """Say that a size of a tensor differs from call to call: a compiled function that gets it is captured for many sizes at once.

    Without a mark, `flow.compile` finds out by itself: the first call is captured for its sizes, and the second, where some
    differ, for all sizes. With it, the first call is; and it is an error if the function needs the number itself.

    Args:
        x: the tensor, which is given to a compiled function.
        dim: which dimension, or several.
        min, max: the range of the size. Calls outside of it have programs of their own.

    Raises:
        ValueError: the range is empty, begins below 1, or does not hold the present size.
        IndexError: there is no such dimension.

    Source: torch._dynamo.mark_dynamic.

    Example:
        >>> import tritonflow as flow
        >>> f = flow.compile(lambda x: (x * 2).sum(1))
        >>> x = flow.ones(2, 5)
        >>> flow.mark_dynamic(x, 1)
        >>> f(x).tolist(), f(flow.ones(2, 7)).tolist()
        ([10.0, 10.0], [14.0, 14.0])
    """
    most = MOST if max is None else max
    for each in (dim,) if isinstance(dim, int) else dim:
        size = x.meta.shape[wrap_dim(each, x.meta.ndim)]
        if not 1 <= min <= most or not min <= size <= most:
            raise ArgumentValueError(
                f"mark_dynamic(): a size is between min, which is at least 1, and max: dimension {each} is {size}, and the range"
                f" is {min} to {max}"
            )
        _mark(x, each, SizeMark(True, min, most))


def mark_static(x: Tensor, dim: int | tuple[int, ...] | None = None) -> None:
    """Say that sizes of a tensor are few: a compiled function that gets it is captured for each.

    Args:
        x: the tensor, which is given to a compiled function.
        dim: which dimension, or several; all of them unless given.

    Raises:
        IndexError: there is no such dimension.

    Source: torch._dynamo.mark_static.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.ones(2, 5)
        >>> flow.mark_static(x, 0)
    """
    dims = range(x.meta.ndim) if dim is None else (dim,) if isinstance(dim, int) else dim
    for each in dims:
        _mark(x, each, SizeMark(False))


def _mark(x: Tensor, dim: int, mark: SizeMark) -> None:
    x.__dict__.setdefault("_size_marks", {})[wrap_dim(dim, x.meta.ndim)] = mark

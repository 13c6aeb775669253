"""`torch._higher_order_ops.associative_scan`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tritonflow as flow


def associative_scan(
    combine_fn: Callable[..., Any], xs: Any, dim: int, reverse: bool = False, combine_mode: str = "pointwise",
    additional_inputs: Sequence[Any] = (),
) -> Any:  # fmt: skip
    """`flow.associative_scan`, with what `combine_fn` takes besides."""
    if not additional_inputs:
        return flow.associative_scan(combine_fn, xs, dim, reverse, combine_mode)
    return flow.associative_scan(lambda a, b: combine_fn(a, b, *additional_inputs), xs, dim, reverse, combine_mode)

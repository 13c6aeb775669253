"""The libraries that a case may be written for at once, and the same random numbers for each of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import torch

import tritonflow as flow
from tritonflow.bench.case import OURS, Context

Make = Callable[..., Any]
TINY = 48  # the largest dimension of a case that is only tried out


def library_of(name: str) -> Any:
    """The module of "tritonflow" or "torch"."""
    return flow if name == OURS else torch


def maker(library: str, context: Context) -> Make:
    """make(*shape, dtype="float32", grad=False, high=None): random numbers, or with `high` integers below it.

    The n-th call of each maker gives the same numbers, in memory of its own.
    """
    generator = torch.Generator(context.device).manual_seed(0)

    def make(*shape: int, dtype: str = "float32", grad: bool = False, high: int | None = None) -> Any:
        if context.tiny:
            shape, high = tuple(min(size, TINY) for size in shape), high and min(high, TINY)
        options: dict[str, Any] = {"device": context.device, "generator": generator}
        if high is None:
            x = torch.randn(shape, **options).to(getattr(torch, dtype))
        else:
            x = torch.randint(0, high, shape, **options)
        return (flow.from_torch(x) if library == OURS else x).requires_grad_(grad)

    return make


def in_float64(make: Make) -> Make:
    """The numbers of a maker of torch, in float64."""

    def wide(*shape: int, grad: bool = False, **options: Any) -> Any:
        x = make(*shape, **options)
        return (x.double() if x.is_floating_point() else x).requires_grad_(grad)

    return wide


def gradient_numbers(shape: Any) -> torch.Tensor:
    """The gradient of a result of this shape, in float32: the same numbers for each library."""
    return torch.empty(tuple(shape)).uniform_(0.5, 1.5, generator=torch.Generator().manual_seed(1))


def timed_once(call: Callable[[], Any]) -> tuple[Any, float]:
    """A call's result, and the seconds until it was there."""
    start = time.perf_counter()
    result = call()
    flow.sync()
    return result, time.perf_counter() - start


def leaves(value: Any) -> Iterator[Any]:
    """The tensors of arguments or of a result."""
    if isinstance(value, (torch.Tensor, flow.Tensor)):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from leaves(item)
    elif isinstance(value, dict):
        yield from leaves(list(value.values()))


def mapped(function: Callable[[Any], Any], value: Any) -> Any:
    """Arguments with the function's value in the place of each leaf."""
    if isinstance(value, (list, tuple)):
        return value.__class__(mapped(function, item) for item in value)
    return {key: mapped(function, item) for key, item in value.items()} if isinstance(value, dict) else function(value)

"""Gradient accumulation: `build` is captured once for each micro-batch, and its results are put together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tritonflow import _C
from tritonflow.errors import CaptureError, ShapeError
from tritonflow.framework.tensor import Tensor
from tritonflow.graph.capture.pytree import flatten, unflatten
from tritonflow.interpreter.grad_mode import no_grad


def accumulate(build: Callable[..., Any], steps: int, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What `build` returns for each of `steps` equal parts of the inputs along dim 0, put together along dim 0.

    Results without dimensions are stacked. What is no tensor is given to every call, and returned as by the last.

    Raises:
        RuntimeError: an input cannot be divided so, or the calls return different structures.
    """
    inputs: list[Tensor] = []
    numbers: list[Any] = []
    structure = flatten((args, kwargs), inputs, numbers)
    micro_batches = zip(*[_divided(tensor, steps) for tensor in inputs]) if inputs else [()] * steps
    shapes: list[Any] = []
    results: list[list[Tensor]] = []
    for parts in micro_batches:
        part_args, part_kwargs = unflatten(structure, iter(parts), iter(numbers))
        found: list[Tensor] = []
        returned: list[Any] = []
        shapes.append(flatten(build(*part_args, **part_kwargs), found, returned))
        results.append(found)
    if any(shape != shapes[0] for shape in shapes):
        raise CaptureError("build() returned different structures for the micro-batches of set_gradient_accumulation_steps()")
    return unflatten(shapes[0], iter([_together(pieces) for pieces in zip(*results)]), iter(returned))


def _divided(tensor: Tensor, steps: int) -> list[Tensor]:
    shape = tuple(tensor.shape)
    if not shape or shape[0] % steps:
        raise ShapeError(
            f"set_gradient_accumulation_steps({steps}): every input is divided into {steps} micro-batches along dim 0, which a"
            f" tensor of shape {shape} cannot be"
        )
    size = shape[0] // steps
    return [_C.narrow(tensor, 0, k * size, size) for k in range(steps)]


def _together(pieces: tuple[Tensor, ...]) -> Tensor:
    with no_grad():
        joined: Tensor = _C.cat(pieces, 0) if pieces[0].ndim else _C.stack(pieces, 0)
    return joined

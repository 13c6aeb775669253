"""Whether a call's result is right: its distance from the reference, by the tolerances of `flow.testing`."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch

import tritonflow as flow
from tritonflow.bench.case import Timed
from tritonflow.testing import tolerance

TF32 = 2e-3  # of products whose operands have ten bits


@dataclass(frozen=True)
class Correctness:
    """How far a result is from its reference.

    Attributes:
        status: "right", "wrong" or "unchecked".
        error: |result - reference| / |reference| in Euclidean norms, the largest of all tensors; of integers the share of elements
            that differ. None where nothing was compared.
        why: nothing was compared, or what is wrong.
    """

    status: str
    error: float | None = None
    why: str = ""


def check(timed: Timed, result: Any, precision: str = "") -> Correctness:
    """Compare a result with the call's reference; where it has none, with the first rival's result.

    Args:
        precision: in which matrix products were computed.
    """
    if not timed.checked:
        return Correctness("unchecked", why="its results differ from call to call")
    reference = timed.reference or next(iter(timed.vs.values()), None)
    if reference is None:
        return Correctness("unchecked", why="it has no reference")
    try:
        expected = reference()
    except Exception as error:  # of float64, by torch
        return Correctness("unchecked", why=f"no reference: {type(error).__name__}: {str(error).partition(chr(10))[0]}")
    return compared(result, expected, timed.op_class, precision)


def compared(result: Any, expected: Any, op_class: str = "pointwise", precision: str = "") -> Correctness:
    """The distance of a result, of tensors in any nesting.

    Example:
        >>> import tritonflow as flow
        >>> from tritonflow.bench.check import compared
        >>> compared(flow.tensor([1.0, 2.0]), flow.tensor([1.0, 3.0])).status
        'wrong'
    """
    ours, theirs = list(_items(result)), list(_items(expected))
    if len(ours) != len(theirs):
        return Correctness("wrong", why=f"{len(ours)} results, not {len(theirs)}")
    worst = 0.0
    for a, b in zip(ours, theirs):
        if a is None or b is None:  # a gradient that one of the two does not give
            continue
        x, y = _as_torch(a), _as_torch(b)
        if x.shape != y.shape:
            return Correctness("wrong", why=f"shape {tuple(x.shape)}, not {tuple(y.shape)}")
        error, allowed = _distance(x, y), _allowed(x, y, op_class, precision)
        worst = max(worst, error)
        if not error <= allowed:
            return Correctness("wrong", error, f"the error is {error:.1e}, of {allowed:.1e} at most")
    return Correctness("right", worst)


def _items(value: Any) -> Iterator[Any]:
    """The tensors, numbers, lists of numbers, and None of a result."""
    if isinstance(value, (list, tuple)) and not all(isinstance(item, (int, float)) for item in value):
        for item in value:
            yield from _items(item)
    elif isinstance(value, dict):
        yield from _items(list(value.values()))
    else:
        yield value


def _as_torch(value: Any) -> torch.Tensor:
    return flow.to_torch(value.detach()) if isinstance(value, flow.Tensor) else torch.as_tensor(value).detach()


def _allowed(x: torch.Tensor, y: torch.Tensor, op_class: str, precision: str) -> float:
    floating = [t.dtype for t in (x, y) if t.is_floating_point()]
    if not floating:
        return tolerance("float32" if x.is_complex() or y.is_complex() else "int64", op_class).rtol
    coarse = max(floating, key=lambda dtype: torch.finfo(dtype).eps)
    rtol = tolerance(str(coarse).removeprefix("torch."), op_class).rtol
    return max(rtol, TF32) if precision == "tf32" else rtol


def _distance(x: torch.Tensor, y: torch.Tensor) -> float:
    exact = not (x.is_floating_point() or y.is_floating_point() or x.is_complex() or y.is_complex())
    if exact:
        return float((x != y.to(x.device)).double().mean()) if x.numel() else 0.0
    wide = torch.complex128 if x.is_complex() or y.is_complex() else torch.float64
    a, b = x.to(wide), y.to(x.device, wide)
    same = (a == b) | (a.isnan() & b.isnan())  # infinities, too
    if bool((~same & ~(a.isfinite() & b.isfinite())).any()):
        return math.inf
    a, b = a[~same], b[~same]
    size = float(y.to(wide)[y.isfinite()].norm()) if y.numel() else 0.0
    return float((a - b).norm()) / max(size, 1e-30) if a.numel() else 0.0

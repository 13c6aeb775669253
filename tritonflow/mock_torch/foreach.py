"""`torch._foreach_*`: an op for each tensor of a list. Optimizers that others write call them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tritonflow as flow

PREFIX = "_foreach_"


def _norm(x: Any, ord: Any = 2, dtype: Any = None) -> Any:
    return flow.norm(x if dtype is None else x.to(dtype), ord)


def _with_value(name: str) -> Callable[..., Any]:
    def ternary(x: Any, a: Any, b: Any, value: Any = 1, **options: Any) -> Any:
        return getattr(flow, name)(x, a, b, value=options.get("scalars", value))

    return ternary


def _extreme(name: str, bound: str) -> Callable[..., Any]:
    def extreme(x: Any, other: Any) -> Any:
        return getattr(flow, name)(x, other) if isinstance(other, flow.Tensor) else flow.clamp(x, **{bound: other})

    return extreme


_SPECIAL: dict[str, Callable[..., Any]] = {
    "addcdiv": _with_value("addcdiv"),
    "addcmul": _with_value("addcmul"),
    "clamp_max": _extreme("minimum", "max"),
    "clamp_min": _extreme("maximum", "min"),
    "copy": lambda x, source, non_blocking=False: source,
    "max": lambda x: flow.max(x),
    "maximum": _extreme("maximum", "min"),
    "minimum": _extreme("minimum", "max"),
    "norm": _norm,
    "zero": lambda x: flow.zeros_like(x),
}


def foreach(name: str) -> Callable[..., Any] | None:
    """The function that a name such as `_foreach_add_` has in torch; None if there is no such op here."""
    op, in_place = name.removeprefix(PREFIX).rstrip("_"), name.endswith("_")
    function = _SPECIAL.get(op) or getattr(flow, op, None)
    if function is None:
        return None

    def apply(tensors: Any, *args: Any, **options: Any) -> Any:
        if not isinstance(tensors, (list, tuple)):  # _foreach_pow(2.0, exponents)
            return [function(tensors, each) for each in args[0]]
        _check(name, len(tensors), (*args, *options.values()))
        values = []
        for index, tensor in enumerate(tensors):
            given = {key: _item(value, index) for key, value in options.items()}
            values.append(function(tensor, *[_item(value, index) for value in args], **given))
        if not in_place:
            return tuple(values)
        for tensor, value in zip(tensors, values):
            tensor.copy_(value)
        return None

    apply.__name__ = apply.__qualname__ = name
    return apply


def _item(value: Any, index: int) -> Any:
    return value[index] if isinstance(value, (list, tuple)) else value


def _check(name: str, count: int, values: tuple[Any, ...]) -> None:
    for value in values:
        if isinstance(value, (list, tuple)) and len(value) != count:
            raise RuntimeError(f"{name}: Tensor lists must have the same number of tensors, got {count} and {len(value)}")

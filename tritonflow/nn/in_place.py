"""The in-place forms of functions that are no Tensor methods, such as `flow.nn.functional.celu_`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tritonflow import _C
from tritonflow.framework.tensor import Tensor


def _in_place(name: str) -> Callable[..., Tensor]:
    function = getattr(_C, name)

    def overwrite(input: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        return function(input, *args, inplace=True, **kwargs)  # type: ignore[no-any-return]

    overwrite.__name__ = overwrite.__qualname__ = f"{name}_"
    overwrite.__doc__ = f"`{name}`, written over the input."
    return overwrite


celu_ = _in_place("celu")
elu_ = _in_place("elu")
hardtanh_ = _in_place("hardtanh")
leaky_relu_ = _in_place("leaky_relu")
rrelu_ = _in_place("rrelu")
selu_ = _in_place("selu")
threshold_ = _in_place("threshold")


def alpha_dropout_(input: Tensor, p: float, train: bool) -> Tensor:
    """`alpha_dropout`, written over the input."""
    return _C.alpha_dropout(input, p, train, True)


def feature_alpha_dropout_(input: Tensor, p: float, train: bool) -> Tensor:
    """`feature_alpha_dropout`, written over the input."""
    return _C.feature_alpha_dropout(input, p, train, True)


def feature_dropout_(input: Tensor, p: float, train: bool) -> Tensor:
    """`feature_dropout`, written over the input."""
    return _C.feature_dropout(input, p, train, inplace=True)


def dropout_(input: Tensor, p: float, train: bool) -> Tensor:
    """`dropout`, written over the input."""
    return _C.dropout(input, p, train, True)

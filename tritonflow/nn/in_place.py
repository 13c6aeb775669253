"""The in-place forms of functions that are no Tensor methods, such as `flow.nn.functional.celu_`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tritonflow import _C
from tritonflow.framework.tensor import Tensor


def _in_place(name: str, arguments: str = "") -> Callable[..., Tensor]:
    """The in-place form of a function; `arguments`: those of an example behind the input, each with a comma before it."""
    function = getattr(_C, name)

    def overwrite(*args: Any, **kwargs: Any) -> Tensor:
        return function(*args, inplace=True, **kwargs)  # type: ignore[no-any-return]

    overwrite.__name__ = overwrite.__qualname__ = f"{name}_"
    overwrite.__signature__ = function.__signature__.of_inplace()  # type: ignore[attr-defined]
    overwrite.__doc__ = f"""`{name}`, written over the input.

    Args:
        input: what is overwritten.
        args, kwargs: those of `{name}`.

    Raises:
        RuntimeError: the input is a leaf that requires grad, or what `{name}` refuses.

    Source: torch.nn.functional.{name}_.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.tensor([-1.0, 2.0])
        >>> flow.nn.functional.{name}_(x{arguments}) is x
        True
    """
    return overwrite


celu_ = _in_place("celu")
elu_ = _in_place("elu")
hardtanh_ = _in_place("hardtanh")
leaky_relu_ = _in_place("leaky_relu")
rrelu_ = _in_place("rrelu")
selu_ = _in_place("selu")
threshold_ = _in_place("threshold", ", 0.0, 1.0")


def alpha_dropout_(input: Tensor, p: float, train: bool) -> Tensor:
    """`alpha_dropout`, written over the input.

    Args:
        input: what is overwritten.
        p: the probability that an element is dropped.
        train: whether elements are dropped.

    Raises:
        ValueError: a probability outside 0 to 1.

    Source: torch.alpha_dropout_.

    Example:
        >>> import tritonflow as flow
        >>> flow.alpha_dropout_(flow.ones(2), 0.5, False)
        tensor([1., 1.])
    """
    return _C.alpha_dropout(input, p, train, True)


def feature_alpha_dropout_(input: Tensor, p: float, train: bool) -> Tensor:
    """`feature_alpha_dropout`, written over the input.

    Args:
        input: (N, C, ...), what is overwritten.
        p: the probability that a channel is dropped.
        train: whether channels are dropped.

    Raises:
        ValueError: a probability outside 0 to 1.
        RuntimeError: fewer than 2 dimensions.

    Source: torch.feature_alpha_dropout_.

    Example:
        >>> import tritonflow as flow
        >>> flow.feature_alpha_dropout_(flow.ones(1, 2), 0.5, False)
        tensor([[1., 1.]])
    """
    return _C.feature_alpha_dropout(input, p, train, True)


def feature_dropout_(input: Tensor, p: float, train: bool) -> Tensor:
    """`feature_dropout`, written over the input.

    Args:
        input: (N, C, ...), what is overwritten.
        p: the probability that a channel is zeroed.
        train: whether channels are dropped.

    Raises:
        ValueError: a probability outside 0 to 1.
        RuntimeError: fewer than 2 dimensions.

    Source: torch.feature_dropout_.

    Example:
        >>> import tritonflow as flow
        >>> flow.feature_dropout_(flow.ones(1, 2), 1.0, True)
        tensor([[0., 0.]])
    """
    return _C.feature_dropout(input, p, train, inplace=True)


def dropout_(input: Tensor, p: float, train: bool) -> Tensor:
    """`dropout`, written over the input.

    Args:
        input: what is overwritten.
        p: the probability that an element is zeroed.
        train: whether elements are dropped.

    Raises:
        ValueError: a probability outside 0 to 1.

    Source: torch.dropout_.

    Example:
        >>> import tritonflow as flow
        >>> flow.dropout_(flow.ones(2), 1.0, True)
        tensor([0., 0.])
    """
    return _C.dropout(input, p, train, True)

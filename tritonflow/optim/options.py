"""The options of optimizers: what must hold of their values, and what an error says.

Each argument of an optimizer's `__init__` is an option of its groups, but those that `NO_OPTIONS` names. Its name and its default
are in the signature. What must hold of its values is a row of `CHECKS`, or of a table of the class's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from tritonflow.errors import ArgumentValueError, NotYetImplementedError
from tritonflow.framework.tensor import Tensor


class OptionCheck(NamedTuple):
    """What must hold of an option.

    Attributes:
        option: its name.
        holds: tells of a value whether it is allowed.
        words: of the error, where `{}` is the value.
        error: what is raised.
    """

    option: str
    holds: Callable[[Any], Any]
    words: str
    error: type[Exception] = ArgumentValueError


def not_negative(value: Any) -> Any:
    """Also a tensor of one number has an order."""
    return value >= 0.0


def is_one_number(value: Any) -> bool:
    """A number, or a tensor of one."""
    return not isinstance(value, Tensor) or value.meta.numel == 1


# In this order.
CHECKS = (
    OptionCheck("lr", is_one_number, "Tensor lr must be 1-element"),
    OptionCheck("lr", not_negative, "Invalid learning rate: {}"),
    OptionCheck("lr_decay", not_negative, "Invalid lr_decay value: {}"),
    OptionCheck("rho", lambda rho: 0.0 <= rho <= 1.0, "Invalid rho value: {}"),
    OptionCheck("eps", not_negative, "Invalid epsilon value: {}"),
    OptionCheck("betas", lambda betas: 0.0 <= betas[0] < 1.0, "Invalid beta parameter at index 0: {0[0]}"),
    OptionCheck("betas", lambda betas: 0.0 <= betas[1] < 1.0, "Invalid beta parameter at index 1: {0[1]}"),
    OptionCheck("etas", lambda etas: 0.0 < etas[0] < 1.0 < etas[1], "Invalid eta values: {0[0]}, {0[1]}"),
    OptionCheck("momentum", not_negative, "Invalid momentum value: {}"),
    OptionCheck("weight_decay", not_negative, "Invalid weight_decay value: {}"),
    OptionCheck("momentum_decay", not_negative, "Invalid momentum_decay value: {}"),
    OptionCheck("initial_accumulator_value", not_negative, "Invalid initial_accumulator_value value: {}"),
    OptionCheck("lambda1", not_negative, "Invalid lambda1 value: {}"),
    OptionCheck("lambda2", not_negative, "Invalid lambda2 value: {}"),
    # Steps are written in place, and no gradient goes through them.
    OptionCheck("differentiable", lambda on: not on, "differentiable optimizers are not implemented", NotYetImplementedError),
)
NO_OPTIONS = ("self", "params", "__class__", "contiguous_params")


def checked(arguments: dict[str, Any], checks: Iterable[OptionCheck] = CHECKS) -> dict[str, Any]:
    """The options among the arguments of an optimizer's `__init__`, which are its `locals()`.

    Raises:
        ValueError: a check does not hold.
    """
    for option, holds, words, error in checks:
        if option in arguments and not holds(arguments[option]):
            raise error(words.format(arguments[option]))
    return {name: value for name, value in arguments.items() if name not in NO_OPTIONS}

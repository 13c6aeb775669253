"""Schedulers whose factors are functions of the user's own."""

from __future__ import annotations

import types
from collections.abc import Callable, Sequence
from typing import Any

from tritonflow.errors import ArgumentTypeError
from tritonflow.optim.lr_scheduler.scheduler import ClosedFormLR, LRScheduler, check_optimizer, for_each_group
from tritonflow.optim.optimizer import Optimizer

Function = Callable[[int], float]


class _ByFunction(LRScheduler):
    """Holds a function per group. Those that are objects have their attributes in the state dictionary; plain functions do not."""

    def __init__(
        self, optimizer: Optimizer, lr_lambda: Function | Sequence[Function], last_epoch: int = -1, verbose: bool = False
    ) -> None:
        check_optimizer(optimizer)
        self.lr_lambdas: list[Function] = for_each_group("lr_lambdas", optimizer, lr_lambda)
        for function in self.lr_lambdas:
            if not callable(function):
                raise ArgumentTypeError(f"lr_lambda should be a function, but got {type(function).__name__}")
        super().__init__(optimizer, last_epoch, verbose)

    def state_dict(self) -> dict[str, Any]:
        """Everything but the optimizer and plain functions."""
        attributes = [None if isinstance(f, types.FunctionType) else dict(vars(f)) for f in self.lr_lambdas]
        return {**super().state_dict(), "lr_lambdas": attributes}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` gave."""
        super().load_state_dict({k: v for k, v in state_dict.items() if k != "lr_lambdas"})
        for function, attributes in zip(self.lr_lambdas, state_dict["lr_lambdas"]):
            if attributes is not None:
                vars(function).update(attributes)


class LambdaLR(_ByFunction, ClosedFormLR):
    """lr = initial lr * lr_lambda(step).

    Args:
        optimizer: whose lrs are set.
        lr_lambda: a function of the step, or a list with one for each group.
        last_epoch, verbose: as `LRScheduler`.

    Raises:
        ValueError: there are more or fewer functions than groups.
        TypeError: one is no function.

    Source: https://pytorch.org/docs/stable/generated/torch.optim.lr_scheduler.LambdaLR.html

    Example:
        >>> import tritonflow as flow
        >>> optimizer = flow.optim.SGD([flow.zeros(1, requires_grad=True)], lr=1.0)
        >>> flow.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1 / (1 + step)).lr_at(3)
        [0.25]
    """

    def lr_at(self, step: int) -> list[float]:
        """The lr of each group at a step."""
        return [base_lr * function(step) for base_lr, function in zip(self.base_lrs, self.lr_lambdas)]

    def _advanced(self, lrs: list[float], step: int) -> list[float]:
        return self.lr_at(step)


class MultiplicativeLR(_ByFunction):
    """lr = the lr of the step before * lr_lambda(step).

    Args:
        optimizer: whose lrs are set.
        lr_lambda: a function of the step, or a list with one for each group.
        last_epoch, verbose: as `LRScheduler`.

    Raises:
        ValueError: there are more or fewer functions than groups.
        TypeError: one is no function.

    Source: https://pytorch.org/docs/stable/generated/torch.optim.lr_scheduler.MultiplicativeLR.html

    Example:
        >>> import tritonflow as flow
        >>> optimizer = flow.optim.SGD([flow.zeros(1, requires_grad=True)], lr=1.0)
        >>> flow.optim.lr_scheduler.MultiplicativeLR(optimizer, lambda step: 0.5).lr_at(3)
        [0.125]
    """

    def lr_at(self, step: int) -> list[float]:
        """The lr of each group at a step: the product of all factors up to it."""
        lrs = self.base_lrs
        for number in range(1, step + 1):
            lrs = [lr * function(number) for lr, function in zip(lrs, self.lr_lambdas)]
        return lrs

    def _advanced(self, lrs: list[float], step: int) -> list[float]:
        return lrs if self._is_initial else [lr * function(step) for lr, function in zip(lrs, self.lr_lambdas)]

    def _first(self, lrs: list[float]) -> list[float]:
        return lrs

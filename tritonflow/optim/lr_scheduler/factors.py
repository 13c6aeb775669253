"""Schedulers that multiply the initial lr by a factor of the step."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable

from tritonflow.errors import ArgumentValueError
from tritonflow.optim.lr_scheduler.scheduler import ClosedFormLR
from tritonflow.optim.optimizer import Optimizer


class FactorLR(ClosedFormLR):
    """lr = initial lr * scale_at(step): base class."""

    def scale_at(self, step: int) -> float:
        """The factor at a step."""
        raise NotImplementedError

    def _lr(self, base_lr: float, step: int) -> float:
        return base_lr * self.scale_at(step)

    def _next(self, lr: float, base_lr: float, step: int) -> float:
        before, now = 1.0 if step == 0 else self.scale_at(step - 1), self.scale_at(step)
        if before == now:
            return lr
        return lr * (now / before) if before else self._lr(base_lr, step)


class StepLR(FactorLR):
    """lr = initial lr * gamma^(step // step_size).

    Args:
        optimizer: whose lrs are set.
        step_size: how many steps an lr lasts.
        gamma: the factor from one to the next.
        last_epoch, verbose: as `LRScheduler`.

    Source: https://pytorch.org/docs/stable/generated/torch.optim.lr_scheduler.StepLR.html

    Example:
        >>> import tritonflow as flow
        >>> optimizer = flow.optim.SGD([flow.zeros(1, requires_grad=True)], lr=1.0)
        >>> [flow.optim.lr_scheduler.StepLR(optimizer, 2, gamma=0.5).lr_at(step)[0] for step in range(5)]
        [1.0, 1.0, 0.5, 0.5, 0.25]
    """

    def __init__(
        self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_epoch: int = -1, verbose: bool = False
    ) -> None:
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch, verbose)

    def scale_at(self, step: int) -> float:
        """gamma^(step // step_size)"""
        return self.gamma ** (step // self.step_size)


class MultiStepLR(FactorLR):
    """lr = initial lr * gamma^n, n being how many of the milestones are reached.

    Args:
        optimizer: whose lrs are set.
        milestones: steps, one of them several times if so wished.
        gamma: the factor at each.
        last_epoch, verbose: as `LRScheduler`.

    Source: https://pytorch.org/docs/stable/generated/torch.optim.lr_scheduler.MultiStepLR.html

    Example:
        >>> import tritonflow as flow
        >>> optimizer = flow.optim.SGD([flow.zeros(1, requires_grad=True)], lr=1.0)
        >>> [flow.optim.lr_scheduler.MultiStepLR(optimizer, [1, 3], gamma=0.5).lr_at(step)[0] for step in range(5)]
        [1.0, 0.5, 0.5, 0.25, 0.25]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        milestones: Iterable[int],
        gamma: float = 0.1,
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        self.milestones, self.gamma = Counter(milestones), gamma
        super().__init__(optimizer, last_epoch, verbose)

    def scale_at(self, step: int) -> float:
        """gamma^n"""
        return self.gamma ** bisect_right(sorted(self.milestones.elements()), step)


class ConstantLR(FactorLR):
    """lr = initial lr * factor for the first `total_iters` steps, then the initial lr.

    Args:
        optimizer: whose lrs are set.
        factor: between 0 and 1.
        total_iters: how many steps it lasts.
        last_epoch, verbose: as `LRScheduler`.

    Raises:
        ValueError: the factor is not between 0 and 1.

    Source: https://pytorch.org/docs/stable/generated/torch.optim.lr_scheduler.ConstantLR.html

    Example:
        >>> import tritonflow as flow
        >>> optimizer = flow.optim.SGD([flow.zeros(1, requires_grad=True)], lr=1.0)
        >>> [flow.optim.lr_scheduler.ConstantLR(optimizer, 0.5, 2).lr_at(step)[0] for step in range(4)]
        [0.5, 0.5, 1.0, 1.0]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        factor: float = 1.0 / 3,
        total_iters: int = 5,
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        if not 0 <= factor <= 1:
            raise ArgumentValueError(
                f"Constant multiplicative factor expected to be between 0 and 1, but is {factor}."
            )
        self.factor, self.total_iters = factor, total_iters
        super().__init__(optimizer, last_epoch, verbose)

    def scale_at(self, step: int) -> float:
        """The factor, then 1."""
        return self.factor if step < self.total_iters else 1.0


class LinearLR(FactorLR):
    """lr = initial lr * a factor that goes from start_factor to end_factor in `total_iters` steps, along a line.

    Args:
        optimizer: whose lrs are set.
        start_factor: above 0, at most 1.
        end_factor: between 0 and 1.
        total_iters: how many steps it takes.
        last_epoch, verbose: as `LRScheduler`.

    Raises:
        ValueError: a factor is out of its bounds.

    Source: https://pytorch.org/docs/stable/generated/torch.optim.lr_scheduler.LinearLR.html

    Example:
        >>> import tritonflow as flow
        >>> optimizer = flow.optim.SGD([flow.zeros(1, requires_grad=True)], lr=1.0)
        >>> [flow.optim.lr_scheduler.LinearLR(optimizer, 0.5, total_iters=2).lr_at(step)[0] for step in range(4)]
        [0.5, 0.75, 1.0, 1.0]
    """

    _keeps_resumed = True

    def __init__(
        self,
        optimizer: Optimizer,
        start_factor: float = 1.0 / 3,
        end_factor: float = 1.0,
        total_iters: int = 5,
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        if not 0 < start_factor <= 1:
            raise ArgumentValueError(
                f"Starting multiplicative factor expected to be greater than 0 and less or equal to 1, but is {start_factor}."
            )
        if not 0 <= end_factor <= 1:
            raise ArgumentValueError(f"Ending multiplicative factor expected to be between 0 and 1, but is {end_factor}.")
        self.start_factor, self.end_factor, self.total_iters = start_factor, end_factor, total_iters
        super().__init__(optimizer, last_epoch, verbose)

    def scale_at(self, step: int) -> float:
        """The point of the line."""
        done = min(self.total_iters, step) / self.total_iters if self.total_iters else 1.0
        return self.start_factor + (self.end_factor - self.start_factor) * done


class ExponentialLR(FactorLR):
    """lr = initial lr * gamma^step.

    Args:
        optimizer: whose lrs are set.
        gamma: the factor of each step.
        last_epoch, verbose: as `LRScheduler`.

    Source: https://pytorch.org/docs/stable/generated/torch.optim.lr_scheduler.ExponentialLR.html

    Example:
        >>> import tritonflow as flow
        >>> optimizer = flow.optim.SGD([flow.zeros(1, requires_grad=True)], lr=1.0)
        >>> [flow.optim.lr_scheduler.ExponentialLR(optimizer, 0.5).lr_at(step)[0] for step in range(4)]
        [1.0, 0.5, 0.25, 0.125]
    """

    _keeps_resumed = True

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1, verbose: bool = False) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch, verbose)

    def scale_at(self, step: int) -> float:
        """gamma^step"""
        return self.gamma**step


class PolynomialLR(FactorLR):
    """lr = (initial lr - end lr) * (1 - min(step, total_iters) / total_iters)^power + end lr; the end lr is 0 in torch.

    Args:
        optimizer: whose lrs are set.
        total_iters: how many steps it takes to the end.
        power: 1 is a line.
        last_epoch: as `LRScheduler`.
        oneflow: with a fourth value by position they are OneFlow's: decay_batch, end_learning_rate, power, cycle.
        decay_batch: OneFlow's name of `total_iters`; with it the end lr is `end_learning_rate`.
        end_learning_rate: the end lr.
        cycle: at the end go on as if `total_iters` were the next multiple of it; step 0 is as step 1, as in OneFlow.
        verbose: as `LRScheduler`.

    Raises:
        ValueError: the number of steps is not above 0.

    Source: https://pytorch.org/docs/stable/generated/torch.optim.lr_scheduler.PolynomialLR.html; OneFlow's of the same name

    Example:
        >>> import tritonflow as flow
        >>> optimizer = flow.optim.SGD([flow.zeros(1, requires_grad=True)], lr=1.0)
        >>> [flow.optim.lr_scheduler.PolynomialLR(optimizer, 4, power=2).lr_at(step)[0] for step in (0, 1, 2, 4, 9)]
        [1.0, 0.5625, 0.25, 0.0, 0.0]
    """

    _keeps_resumed = True
    end_learning_rate, cycle = 0.0, False

    def __init__(
        self,
        optimizer: Optimizer,
        total_iters: int = 5,
        power: float = 1.0,
        last_epoch: int = -1,
        *oneflow: bool,
        decay_batch: int | None = None,
        end_learning_rate: float = 0.0001,
        cycle: bool = False,
        verbose: bool = False,
    ) -> None:
        if oneflow:
            decay_batch, end_learning_rate, power, cycle, last_epoch = total_iters, power, float(last_epoch), oneflow[0], -1
        self.total_iters, self.power = total_iters if decay_batch is None else decay_batch, power
        if self.total_iters <= 0:
            raise ArgumentValueError(f"the number of steps must be greater than zero, but is {self.total_iters}")
        if decay_batch is not None:
            self.end_learning_rate, self.cycle = end_learning_rate, cycle
        super().__init__(optimizer, last_epoch, verbose)

    def scale_at(self, step: int) -> float:
        """How much of the way is left, to the power."""
        step = max(step, 1) if self.cycle else step
        total = self.total_iters * (math.ceil(step / self.total_iters) if self.cycle else 1)
        return (1 - min(step, total) / total) ** self.power

    def _lr(self, base_lr: float, step: int) -> float:
        return (base_lr - self.end_learning_rate) * self.scale_at(step) + self.end_learning_rate

    def _next(self, lr: float, base_lr: float, step: int) -> float:
        return self._lr(base_lr, step) if self.end_learning_rate or self.cycle else super()._next(lr, base_lr, step)

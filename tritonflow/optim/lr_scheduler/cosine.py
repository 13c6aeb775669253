"""Schedulers along a cosine (Loshchilov and Hutter, 2017)."""

from __future__ import annotations

import math

from tritonflow.errors import ArgumentValueError
from tritonflow.optim.lr_scheduler.factors import FactorLR
from tritonflow.optim.lr_scheduler.scheduler import ClosedFormLR, LRScheduler, check_optimizer
from tritonflow.optim.optimizer import Optimizer


def half_cosine(done: float) -> float:
    """From 1 at 0 to 0 at 1, and back: (1 + cos(pi done)) / 2."""
    return (1 + math.cos(math.pi * done)) / 2


class CosineAnnealingLR(ClosedFormLR):
    """lr = eta_min + (initial lr - eta_min) (1 + cos(pi step / T_max)) / 2: down in T_max steps, up again in as many.

    Args:
        optimizer: whose lrs are set.
        T_max: how many steps it takes down.
        eta_min: the lowest lr.
        last_epoch, verbose: as `LRScheduler`.

    Source: https://pytorch.org/docs/stable/generated/torch.optim.lr_scheduler.CosineAnnealingLR.html

    Example:
        >>> import tritonflow as flow
        >>> optimizer = flow.optim.SGD([flow.zeros(1, requires_grad=True)], lr=1.0)
        >>> [round(flow.optim.lr_scheduler.CosineAnnealingLR(optimizer, 2).lr_at(step)[0], 4) for step in range(5)]
        [1.0, 0.5, 0.0, 0.5, 1.0]
    """

    _keeps_resumed = True

    def __init__(
        self, optimizer: Optimizer, T_max: int, eta_min: float = 0.0, last_epoch: int = -1, verbose: bool = False
    ) -> None:
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch, verbose)

    def _lr(self, base_lr: float, step: int) -> float:
        return self.eta_min + (base_lr - self.eta_min) * half_cosine(step / self.T_max)

    def _next(self, lr: float, base_lr: float, step: int) -> float:
        if step == 0:
            return lr
        if (step - 1 - self.T_max) % (2 * self.T_max) == 0:  # from the lowest point, where a ratio says nothing
            return lr + (base_lr - self.eta_min) * (1 - half_cosine(1 / self.T_max))
        ratio = half_cosine(step / self.T_max) / half_cosine((step - 1) / self.T_max)
        return ratio * (lr - self.eta_min) + self.eta_min


class CosineDecayLR(FactorLR):
    """lr = initial lr * ((1 - alpha) (1 + cos(pi step / decay_steps)) / 2 + alpha), and alpha * initial lr from decay_steps on.

    Args:
        optimizer: whose lrs are set.
        decay_steps: how many steps it takes, above 0.
        alpha: the factor at the end.
        last_epoch, verbose: as `LRScheduler`.

    Raises:
        ValueError: `decay_steps` is not above 0.

    Source: oneflow.optim.lr_scheduler.CosineDecayLR

    Example:
        >>> import tritonflow as flow
        >>> optimizer = flow.optim.SGD([flow.zeros(1, requires_grad=True)], lr=1.0)
        >>> [round(flow.optim.lr_scheduler.CosineDecayLR(optimizer, 2, 0.1).lr_at(step)[0], 4) for step in range(4)]
        [1.0, 0.55, 0.1, 0.1]
    """

    def __init__(
        self, optimizer: Optimizer, decay_steps: int, alpha: float = 0.0, last_epoch: int = -1, verbose: bool = False
    ) -> None:
        if decay_steps <= 0:
            raise ArgumentValueError(f"decay_steps must greater than zero, but got {decay_steps}")
        self.decay_steps, self.alpha = decay_steps, alpha
        super().__init__(optimizer, last_epoch, verbose)

    def scale_at(self, step: int) -> float:
        """The cosine, then alpha."""
        return (1 - self.alpha) * half_cosine(min(step, self.decay_steps) / self.decay_steps) + self.alpha


class CosineAnnealingWarmRestarts(LRScheduler):
    """lr = eta_min + (initial lr - eta_min) (1 + cos(pi T_cur / T_i)) / 2, and at once up again after T_i steps.

    Args:
        optimizer: whose lrs are set.
        T_0: T_i of the first period.
        T_mult: by what T_i grows from period to period.
        eta_min: the lowest lr.
        last_epoch, verbose: as `LRScheduler`.
        decay_rate: by what the highest lr is multiplied from period to period.
        restart_limit: after how many periods the lr stays at eta_min; 0 for never. Both are OneFlow's.

    Raises:
        ValueError: T_0 or T_mult is no integer above 0; `step` is given a negative epoch.

    Source: https://pytorch.org/docs/stable/generated/torch.optim.lr_scheduler.CosineAnnealingWarmRestarts.html

    Example:
        >>> import tritonflow as flow
        >>> optimizer = flow.optim.SGD([flow.zeros(1, requires_grad=True)], lr=1.0)
        >>> [round(flow.optim.lr_scheduler.CosineAnnealingWarmRestarts(optimizer, 2).lr_at(step)[0], 4) for step in range(4)]
        [1.0, 0.5, 1.0, 0.5]
    """

    decay_rate, restart_limit = 1.0, 0

    def __init__(
        self,
        optimizer: Optimizer,
        T_0: int,
        T_mult: int = 1,
        eta_min: float = 0.0,
        last_epoch: int = -1,
        verbose: bool = False,
        *,
        decay_rate: float = 1.0,
        restart_limit: int = 0,
    ) -> None:
        check_optimizer(optimizer)
        if T_0 <= 0 or not isinstance(T_0, int):
            raise ArgumentValueError(f"Expected positive integer T_0, but got {T_0}")
        if T_mult < 1 or not isinstance(T_mult, int):
            raise ArgumentValueError(f"Expected integer T_mult >= 1, but got {T_mult}")
        self.T_0 = self.T_i = T_0
        self.T_mult, self.eta_min = T_mult, eta_min
        self.T_cur: float = last_epoch
        if decay_rate != 1:
            self.decay_rate = decay_rate
        if restart_limit:
            self.restart_limit = restart_limit
        super().__init__(optimizer, last_epoch, verbose)

    def lr_at(self, step: float) -> list[float]:  # type: ignore[override]
        """The lr of each group at a step, or between two."""
        return self._lrs(*self._position(step))

    def _lrs(self, current: float, period: int, number: int) -> list[float]:
        scale, highest = half_cosine(current / period), self.decay_rate**number
        if self.restart_limit and number >= self.restart_limit:
            return [self.eta_min] * len(self.base_lrs)
        return [self.eta_min + (base_lr * highest - self.eta_min) * scale for base_lr in self.base_lrs]

    def _position(self, step: float) -> tuple[float, int, int]:
        """T_cur and T_i at a step, and the number of the period."""
        if self.T_mult == 1:
            return step % self.T_0, self.T_0, int(step // self.T_0)
        period, number = self.T_0, 0
        while step >= period:
            step, period, number = step - period, period * self.T_mult, number + 1
        return step, period, number

    def _advanced(self, lrs: list[float], step: int) -> list[float]:
        number = self._position(self.last_epoch)[2]
        return self._lrs(self.T_cur, self.T_i, number)

    def step(self, epoch: float | None = None) -> None:  # type: ignore[override]
        """Go on by a step, or to any point: `scheduler.step(epoch + batch / batches)`.

        Raises:
            ValueError: the epoch is negative.
        """
        if epoch is not None and epoch < 0:
            raise ArgumentValueError(f"Expected non-negative epoch, but got {epoch}")
        if epoch is None and self.last_epoch < 0:
            epoch = 0
        if epoch is None:
            self.T_cur, next_epoch = self.T_cur + 1, self.last_epoch + 1
            if self.T_cur >= self.T_i:
                self.T_cur, self.T_i = self.T_cur % self.T_i, self.T_i * self.T_mult
        else:
            (self.T_cur, self.T_i, _), next_epoch = self._position(epoch), math.floor(epoch)
        self.last_epoch = next_epoch
        self._set_lrs(self._lrs_of_step())

    def _go_to(self, step: int) -> None:
        self.last_epoch = step
        self.T_cur, self.T_i, _ = self._position(step)



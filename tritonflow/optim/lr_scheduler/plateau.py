"""A scheduler that lowers the lr when a metric stops improving."""

from __future__ import annotations

import math
import warnings
from typing import Any

from tritonflow.errors import ArgumentValueError
from tritonflow.optim.lr_scheduler.scheduler import (
    EPOCH_WARNING,
    LRScheduler,
    check_optimizer,
    for_each_group,
    present_lrs,
)
from tritonflow.optim.optimizer import Optimizer


class ReduceLROnPlateau(LRScheduler):
    """lr *= factor after more than `patience` steps in which a metric did not get better.

    Better than the best so far is: below best * (1 - threshold) or best - threshold in mode "min" and threshold_mode "rel" or
    "abs"; above best * (1 + threshold) or best + threshold in mode "max".

    Args:
        optimizer: whose lrs are set.
        mode: "min" or "max".
        factor: below 1.
        patience: how many steps without progress are accepted.
        threshold, threshold_mode: how much better counts.
        cooldown: how many steps after a change are not looked at.
        min_lr: the lowest lr, or a list with one for each group.
        eps: smaller changes of the lr are not made.
        verbose: print each lr that is set.

    Raises:
        ValueError: a mode is unknown, the factor is not below 1, `min_lr` has another length than there are groups.

    Source: https://pytorch.org/docs/stable/generated/torch.optim.lr_scheduler.ReduceLROnPlateau.html

    Example:
        >>> import tritonflow as flow
        >>> optimizer = flow.optim.SGD([flow.zeros(1, requires_grad=True)], lr=1.0)
        >>> scheduler = flow.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=1)
        >>> for loss in (3.0, 2.0, 2.0, 2.0):
        ...     scheduler.step(loss)
        >>> scheduler.get_last_lr()
        [0.5]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        mode: str = "min",
        factor: float = 0.1,
        patience: int = 10,
        threshold: float = 1e-4,
        threshold_mode: str = "rel",
        cooldown: int = 0,
        min_lr: float | list[float] = 0,
        eps: float = 1e-8,
        verbose: bool = False,
    ) -> None:
        check_optimizer(optimizer)
        if factor >= 1.0:
            raise ArgumentValueError(f"Factor should be < 1.0, but is {factor}.")
        if mode not in ("min", "max"):
            raise ArgumentValueError(f"mode {mode} is unknown!")
        if threshold_mode not in ("rel", "abs"):
            raise ArgumentValueError(f"threshold mode {threshold_mode} is unknown!")
        self.optimizer = optimizer
        self.min_lrs = for_each_group("min_lrs", optimizer, min_lr)
        self.default_min_lr = None if isinstance(min_lr, (list, tuple)) else min_lr
        self.factor, self.patience, self.cooldown, self.eps = factor, patience, cooldown, eps
        self.mode, self.threshold, self.threshold_mode = mode, threshold, threshold_mode
        self.mode_worse = math.inf if mode == "min" else -math.inf
        if verbose:
            self.verbose = True
        self.last_epoch = 0
        self._last_lr = present_lrs(optimizer)
        self._reset()

    def _reset(self) -> None:
        """Forget the best metric and all counts."""
        self.best = self.mode_worse
        self.cooldown_counter = self.num_bad_epochs = 0

    @property
    def in_cooldown(self) -> bool:
        """Whether metrics are ignored because the lr was changed a short time ago."""
        return self.cooldown_counter > 0

    def step(self, metrics: Any, epoch: int | None = None) -> None:  # type: ignore[override]
        """Take a metric, a number or a tensor with one, which the host waits for."""
        current = float(metrics)
        if epoch is not None:
            warnings.warn(EPOCH_WARNING, stacklevel=4)
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        if self._is_better(current):
            self.best, self.num_bad_epochs = current, 0
        else:
            self.num_bad_epochs += 1
        if self.in_cooldown:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            self._set_lrs(self._reduced())
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0
        self._last_lr = present_lrs(self.optimizer)

    def _is_better(self, current: float) -> bool:
        sign = -1 if self.mode == "min" else 1
        margin = self.best * (1 + sign * self.threshold) if self.threshold_mode == "rel" else self.best + sign * self.threshold
        return sign * current > sign * margin

    def _reduced(self) -> list[float]:
        groups = self.optimizer.param_groups
        if len(groups) != len(self.min_lrs):  # groups were added
            if self.default_min_lr is None:
                raise RuntimeError(
                    f"the optimizer has {len(groups)} param groups now, but had {len(self.min_lrs)} when ReduceLROnPlateau was"
                    " made: help: set its min_lrs to a list of as many"
                )
            self.min_lrs = [self.default_min_lr] * len(groups)
        lrs = [(group["lr"], max(group["lr"] * self.factor, low)) for group, low in zip(groups, self.min_lrs)]
        return [new if old - new > self.eps else old for old, new in lrs]

"""Schedulers made of others: one after the other, all at once, or after a warm-up."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

from tritonflow.errors import ArgumentTypeError, ArgumentValueError
from tritonflow.optim.lr_scheduler.plateau import ReduceLROnPlateau
from tritonflow.optim.lr_scheduler.scheduler import ClosedFormLR, LRScheduler, check_optimizer, present_lrs, set_lr
from tritonflow.optim.optimizer import Optimizer


class _Composed(LRScheduler):
    """Holds schedulers of one optimizer; their states are in its own."""

    _schedulers: list[LRScheduler]

    @property
    def schedulers(self) -> list[LRScheduler]:
        """What it is made of."""
        return self._schedulers

    def state_dict(self) -> dict[str, Any]:
        """Everything but the optimizer, the schedulers by their state dictionaries."""
        return {**super().state_dict(), "_schedulers": [s.state_dict() for s in self._schedulers]}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` gave, for the schedulers as well."""
        super().load_state_dict({k: v for k, v in state_dict.items() if k != "_schedulers"})
        for scheduler, state in zip(self._schedulers, state_dict["_schedulers"]):
            scheduler.load_state_dict(state)


def _check(name: str, optimizer: Any, schedulers: Sequence[Any]) -> None:
    if not schedulers:
        raise ArgumentValueError(f"{name} expects at least one scheduler, but got no scheduler.")
    for number, scheduler in enumerate(schedulers):
        if not hasattr(scheduler, "optimizer"):
            raise ArgumentTypeError(f"{name} at index {number} should have `optimizer` as its attribute.")
        if isinstance(scheduler, ReduceLROnPlateau):
            raise ArgumentValueError(
                f"{name} does not support `ReduceLROnPlateau`, whose `step` takes a metric, but got one at index {number}"
            )
        if scheduler.optimizer is not optimizer:
            raise ArgumentValueError(
                f"{name} expects all schedulers to belong to the same optimizer, but got scheduler"
                f" {type(scheduler).__name__} at index {number} of another one"
            )


class SequentialLR(_Composed):
    """Schedulers one after the other: the next one begins at each milestone.

    Args:
        optimizer: whose lrs are set.
        schedulers: of that optimizer.
        milestones: the steps at which the second, third ... begin.
        last_epoch: as `LRScheduler`.
        interval_rescaling: whether the steps of each scheduler but the first are counted from its milestone, as in torch, or from
            the beginning; OneFlow's default is False. For all, or a list with one for each milestone.
        verbose: as `LRScheduler`.

    Raises:
        ValueError: the schedulers are not one more than the milestones, are of another optimizer, or not functions of the step.
        TypeError: one of them is no scheduler.

    Source: https://pytorch.org/docs/stable/generated/torch.optim.lr_scheduler.SequentialLR.html

    Example:
        >>> import tritonflow as flow
        >>> optimizer = flow.optim.SGD([flow.zeros(1, requires_grad=True)], lr=1.0)
        >>> first = flow.optim.lr_scheduler.ConstantLR(optimizer, 0.5, total_iters=9)
        >>> second = flow.optim.lr_scheduler.ExponentialLR(optimizer, 0.5)
        >>> scheduler = flow.optim.lr_scheduler.SequentialLR(optimizer, [first, second], milestones=[2])
        >>> [scheduler.lr_at(step)[0] for step in range(5)]
        [0.5, 0.5, 1.0, 0.5, 0.25]
    """

    _interval_rescaling: list[bool] | None = None

    def __init__(
        self,
        optimizer: Optimizer,
        schedulers: Sequence[LRScheduler],
        milestones: Sequence[int],
        last_epoch: int = -1,
        *,
        interval_rescaling: bool | Sequence[bool] | None = None,
        verbose: bool = False,
    ) -> None:
        check_optimizer(optimizer)
        _check("SequentialLR", optimizer, schedulers)
        if len(milestones) != len(schedulers) - 1:
            raise ArgumentValueError(
                "Sequential Schedulers expects number of schedulers provided to be one more than the number of milestone points,"
                f" but got number of schedulers {len(schedulers)} and the number of milestones to be equal to {len(milestones)}"
            )
        if interval_rescaling is not None:
            given = interval_rescaling if isinstance(interval_rescaling, Sequence) else [interval_rescaling] * len(milestones)
            if len(given) != len(milestones):
                raise ArgumentValueError(f"interval_rescaling expects {len(milestones)} values, but got {len(given)}")
            self._interval_rescaling = list(given)
        self._schedulers, self._milestones = list(schedulers), list(milestones)
        self.last_epoch = last_epoch + 1
        self.optimizer = optimizer
        if verbose:
            self.verbose = True
        for group in optimizer.param_groups:
            set_lr(group, group["initial_lr"])
        for inner in self._schedulers:
            _undo_first_step(inner)
        self._begin()

    def _initial_step(self) -> None:
        self.last_epoch += 1
        self._begin()

    def _begin(self) -> None:
        scheduler = self._schedulers[bisect_right(self._milestones, 0)]
        scheduler._initial_step()
        self._last_lr = scheduler.get_last_lr()

    def _go_to(self, step: int) -> None:
        self.last_epoch = step
        scheduler, own_step = self._place(step)
        scheduler._go_to(own_step)

    def _get_closed_form_lr(self) -> list[float]:
        return self.lr_at(self.last_epoch)

    def _place(self, step: int) -> tuple[LRScheduler, int]:
        """The scheduler of a step, and the step's number there."""
        number = bisect_right(self._milestones, step)
        return self._schedulers[number], step - self._milestones[number - 1] if self._restarts(number) else step

    def _restarts(self, number: int) -> bool:
        return number > 0 and (self._interval_rescaling is None or self._interval_rescaling[number - 1])

    def step(self) -> None:  # type: ignore[override]
        """Go on by a step: call it after `optimizer.step()`."""
        self.last_epoch += 1
        number = bisect_right(self._milestones, self.last_epoch)
        scheduler, step = self._place(self.last_epoch)
        if number > 0 and (step == 0 or not self._restarts(number)):
            scheduler._update_lr(step)
        else:
            scheduler.step()
        self._last_lr = scheduler.get_last_lr()

    def lr_at(self, step: int) -> list[float]:
        """The lr of each group at a step; where a scheduler goes on from another's lr, all steps up to it are gone through."""
        scheduler, own_step = self._place(step)
        if hasattr(scheduler, "_get_closed_form_lr") or scheduler is self._schedulers[0] or step == 0:
            return scheduler.lr_at(own_step)
        return scheduler._advanced(self.lr_at(step - 1), own_step)

    def options_at(self, step: int) -> list[dict[str, Any]]:
        """All options that the step's scheduler sets in each group."""
        scheduler, own_step = self._place(step)
        return [{**o, "lr": lr} for o, lr in zip(scheduler.options_at(own_step), self.lr_at(step))]

    def _advanced(self, lrs: list[float], step: int) -> list[float]:
        scheduler, own_step = self._place(step)
        entered = own_step == 0 and hasattr(scheduler, "_get_closed_form_lr")
        return scheduler.lr_at(0) if entered else scheduler._advanced(lrs, own_step)


def _undo_first_step(scheduler: LRScheduler) -> None:
    """Take back the step 0 that the constructors of the schedulers inside have done."""
    if isinstance(scheduler, (SequentialLR, ChainedScheduler)):
        for inner in scheduler._schedulers:
            _undo_first_step(inner)
    if not isinstance(scheduler, ChainedScheduler):  # a chain counts no steps itself
        scheduler.last_epoch -= 1


class ChainedScheduler(_Composed):
    """Schedulers all at once: each changes the lrs that the one before it has made.

    Args:
        schedulers: of one optimizer.
        optimizer: that optimizer.

    Raises:
        ValueError: no schedulers, or of several optimizers, or one that is no function of the step.
        TypeError: one of them is no scheduler.

    Source: https://pytorch.org/docs/stable/generated/torch.optim.lr_scheduler.ChainedScheduler.html

    Example:
        >>> import tritonflow as flow
        >>> optimizer = flow.optim.SGD([flow.zeros(1, requires_grad=True)], lr=1.0)
        >>> halved = flow.optim.lr_scheduler.ConstantLR(optimizer, 0.5, total_iters=2)
        >>> decaying = flow.optim.lr_scheduler.ExponentialLR(optimizer, 0.5)
        >>> scheduler = flow.optim.lr_scheduler.ChainedScheduler([halved, decaying])
        >>> [scheduler.lr_at(step)[0] for step in range(4)]
        [0.5, 0.25, 0.25, 0.125]
    """

    def __init__(self, schedulers: Sequence[LRScheduler], optimizer: Optimizer | None = None) -> None:
        if optimizer is None and schedulers:
            optimizer = getattr(schedulers[0], "optimizer", None)
        _check("ChainedScheduler", optimizer, schedulers)
        assert optimizer is not None
        self._schedulers, self.optimizer = list(schedulers), optimizer
        self._last_lr = present_lrs(optimizer)

    def _initial_step(self) -> None:
        for scheduler in self._schedulers:
            scheduler._initial_step()
        self._last_lr = present_lrs(self.optimizer)

    def step(self) -> None:  # type: ignore[override]
        """Go on by a step: call it after `optimizer.step()`."""
        for scheduler in self._schedulers:
            scheduler.step()
        self._last_lr = present_lrs(self.optimizer)

    def _update_lr(self, epoch: int | None = None) -> None:
        assert epoch is not None, "its schedulers count the steps"
        self._go_to(epoch)
        self._set_lrs(self.lr_at(epoch))

    def _go_to(self, step: int) -> None:
        for scheduler in self._schedulers:
            scheduler._go_to(step)

    def lr_at(self, step: int) -> list[float]:
        """The lr of each group at a step, by going through all steps up to it."""
        lrs = self._first([group["initial_lr"] for group in self.optimizer.param_groups])
        for number in range(1, step + 1):
            lrs = self._advanced(lrs, number)
        return lrs

    _get_closed_form_lr = lr_at  # by this name a sequence knows that the lr of the scheduler before does not matter

    def _first(self, lrs: list[float]) -> list[float]:
        for scheduler in self._schedulers:
            lrs = scheduler._first(lrs)
        return lrs

    def _advanced(self, lrs: list[float], step: int) -> list[float]:
        for scheduler in self._schedulers:
            lrs = scheduler._advanced(lrs, step)
        return lrs


class WarmUpLR(ClosedFormLR, _Composed):
    """Begins with small lrs, for the first `warmup_iters` steps.

    The factor of the initial lr goes along a line from warmup_factor to where the scheduler is at step warmup_iters (to 1 without
    one), or is warmup_factor. Afterwards the lr is the scheduler's, or the initial one.

    Args:
        scheduler_or_optimizer: a scheduler, or an optimizer whose lrs are constant afterwards.
        warmup_factor: the factor to begin with.
        warmup_iters: how many steps it takes.
        warmup_method: "linear" or "constant".
        warmup_prefix: let the scheduler begin with its step 0 after the warm-up, which then goes up to the initial lr.
        last_epoch, verbose: as `LRScheduler`.

    Raises:
        ValueError: neither scheduler nor optimizer, an unknown method, no steps for an optimizer.

    Source: oneflow.optim.lr_scheduler.WarmUpLR

    Example:
        >>> import tritonflow as flow
        >>> optimizer = flow.optim.SGD([flow.zeros(1, requires_grad=True)], lr=1.0)
        >>> [flow.optim.lr_scheduler.WarmUpLR(optimizer, 0.5, warmup_iters=2).lr_at(step)[0] for step in range(4)]
        [0.5, 0.75, 1.0, 1.0]
    """

    def __init__(
        self,
        scheduler_or_optimizer: LRScheduler | Optimizer,
        warmup_factor: float = 1.0 / 3,
        warmup_iters: int = 5,
        warmup_method: str = "linear",
        warmup_prefix: bool = False,
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        if not isinstance(scheduler_or_optimizer, (LRScheduler, Optimizer)):
            raise ArgumentValueError(
                f"'scheduler_or_optimizer' must be a LRScheduler or an Optimizer, but got {type(scheduler_or_optimizer)}"
            )
        if warmup_method not in ("linear", "constant"):
            raise ArgumentValueError(f"'warmup_method' must be 'linear' or 'constant', but got {warmup_method}")
        is_scheduler = isinstance(scheduler_or_optimizer, LRScheduler)
        if warmup_iters == 0 and not is_scheduler:
            raise ArgumentValueError(
                "When 'scheduler_or_optimizer' is an optimizer warmup_iters can't be equal to 0"
            )
        self._schedulers = [scheduler_or_optimizer] if isinstance(scheduler_or_optimizer, LRScheduler) else []
        _check_functions(self._schedulers)
        self.warmup_factor, self.warmup_iters = warmup_factor, warmup_iters
        self.warmup_method, self.warmup_prefix = warmup_method, warmup_prefix
        optimizer = scheduler_or_optimizer.optimizer if is_scheduler else scheduler_or_optimizer  # type: ignore[union-attr]
        super().__init__(optimizer, last_epoch, verbose)  # type: ignore[arg-type]

    def _after(self, step: int) -> list[float]:
        """The lrs of a step behind the warm-up."""
        if not self._schedulers:
            return self.base_lrs
        return self._schedulers[0].lr_at(step - self.warmup_iters if self.warmup_prefix else step)

    def lr_at(self, step: int) -> list[float]:
        """The lr of each group at a step."""
        if step >= self.warmup_iters:
            return self._after(step)
        if self.warmup_method == "constant":
            return [base_lr * self.warmup_factor for base_lr in self.base_lrs]
        done, ends = step / self.warmup_iters, self._after(self.warmup_iters)
        starts = [base_lr * self.warmup_factor for base_lr in self.base_lrs]
        return [start + (end - start) * done for start, end in zip(starts, ends)]

    def _advanced(self, lrs: list[float], step: int) -> list[float]:
        return self.lr_at(step)

    def _go_to(self, step: int) -> None:
        self.last_epoch = step
        for scheduler in self._schedulers:
            scheduler._go_to(max(step - self.warmup_iters, 0) if self.warmup_prefix else step)


def _check_functions(schedulers: list[LRScheduler]) -> None:
    for scheduler in schedulers:
        if isinstance(scheduler, ReduceLROnPlateau):
            raise ArgumentValueError("WarmUpLR does not support `ReduceLROnPlateau`, whose lr is no function of the step")

"""The base of learning rate schedulers: it counts steps, and sets the lr of each group of an optimizer."""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable
from typing import Any

from tritonflow.errors import ArgumentTypeError
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.grad_mode import no_grad
from tritonflow.optim.optimizer import Optimizer
from tritonflow.thread_state import thread_state

EPOCH_WARNING = (
    "The epoch parameter in `scheduler.step()` was not necessary and is being deprecated where possible. Please use"
    " `scheduler.step()` to step the scheduler."
)


def _outside(step: Callable[..., None]) -> Callable[..., None]:
    """A `step` that happens behind each run of a program that is being captured."""

    @functools.wraps(step)
    def call(self: LRScheduler, *args: Any, **kwargs: Any) -> None:
        thread_state.observer.step_schedule(step, self, args, kwargs)

    return call


class LRScheduler:
    """Base class: `step()`, called after the optimizer's, sets the lr of each parameter group.

    A subclass implements `lr_at(step)`, the lrs as a function of the step, where that exists; or as in torch `get_lr()`, which may
    read `last_epoch` and the groups; or as in OneFlow `get_lr(base_lr, step)`.

    Args:
        optimizer: whose groups get lrs. Their present lr is kept as their option "initial_lr".
        last_epoch: the number of the last step, when training is resumed: the groups must have "initial_lr" then.
        verbose: print each lr that is set.

    Attributes:
        base_lrs: the initial lr of each group.
        last_epoch, last_step: the number of steps done; the constructor does step 0.

    Raises:
        TypeError: `optimizer` is none.
        KeyError: training is resumed, and a group lacks "initial_lr".

    Source: https://pytorch.org/docs/stable/generated/torch.optim.lr_scheduler.LRScheduler.html; oneflow.nn.optimizer.lr_scheduler

    Example:
        >>> import tritonflow as flow
        >>> class Halving(flow.optim.lr_scheduler.LRScheduler):
        ...     def lr_at(self, step):
        ...         return [lr / 2**step for lr in self.base_lrs]
        >>> optimizer = flow.optim.SGD([flow.zeros(1, requires_grad=True)], lr=1.0)
        >>> scheduler = Halving(optimizer)
        >>> optimizer.step()
        >>> scheduler.step()
        >>> scheduler.get_last_lr(), scheduler.lr_at(3)
        ([0.5], [0.125])
    """

    _get_lr_called_within_step = False
    _is_initial = False
    verbose = False

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "step" in cls.__dict__:
            cls.step = _outside(cls.step)  # type: ignore[method-assign]

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1, verbose: bool = False) -> None:
        check_optimizer(optimizer)
        if last_epoch == -1:
            for group in optimizer.param_groups:
                group.setdefault("initial_lr", own(group["lr"]))
        for number, group in enumerate(optimizer.param_groups):
            if "initial_lr" not in group:
                raise KeyError(
                    f"param 'initial_lr' is not specified in param_groups[{number}] when resuming an optimizer: help: load the"
                    " optimizer's state before, or leave last_epoch out"
                )
        self.optimizer = optimizer
        self.base_lrs: list[float] = [own(group["initial_lr"]) for group in optimizer.param_groups]
        self.last_epoch = last_epoch
        if verbose:
            self.verbose = True
        self._initial_step()

    def _initial_step(self) -> None:
        self._step_count = 0
        self._is_initial = True
        try:
            self.step()
        finally:
            self._is_initial = False

    @property
    def last_step(self) -> int:
        """OneFlow's name of `last_epoch`."""
        return self.last_epoch

    @last_step.setter
    def last_step(self, step: int) -> None:
        self.last_epoch = step

    # ---------------------------------------------------------------------------------------- as a function of the step

    def lr_at(self, step: int) -> list[float]:
        """The lr of each group at a step, step 0 being the first, as a function that reads and changes no state of training.

        Raises:
            NotImplementedError: the lr depends on more than the step.
        """
        if _wants_step(type(self).get_lr):
            return [self.get_lr(base_lr, step) for base_lr in self.base_lrs]
        raise NotImplementedError(f"the lr of {type(self).__name__} is no function of the step: it implements no lr_at")

    def options_at(self, step: int) -> list[dict[str, Any]]:
        """All options that the scheduler sets in each group at a step: "lr", and with some schedulers "momentum" or "betas"."""
        return [{"lr": lr} for lr in self.lr_at(step)]

    def _advanced(self, lrs: list[float], step: int) -> list[float]:
        """The lrs of a step from those of the step before, which someone else may have changed."""
        return self.lr_at(step)

    def _first(self, lrs: list[float]) -> list[float]:
        """The lrs of step 0 from the initial ones, at the beginning of training."""
        return self._advanced(lrs, 0)

    # --------------------------------------------------------------------------------------------------------- stepping

    def get_lr(self, *args: Any) -> Any:
        """The lrs of step `last_epoch`: what `step` calls. To see the present ones, call `get_last_lr`."""
        if not self._get_lr_called_within_step:
            warnings.warn(
                "To get the last learning rate computed by the scheduler, please use `get_last_lr()`.", stacklevel=2
            )
        lrs = [group["lr"] for group in self.optimizer.param_groups]
        begins = self._is_initial and self.last_epoch == 0
        return self._first(lrs) if begins else self._advanced(lrs, self.last_epoch)

    def get_last_lr(self) -> list[float]:
        """The lr of each group as the last step set it."""
        return self._last_lr

    @_outside
    def step(self, epoch: int | None = None) -> None:
        """Advance by one step: call it after `optimizer.step()`.

        Args:
            epoch: go to this step instead; deprecated.
        """
        if self._step_count == 1 and not self.optimizer._opt_called:
            warnings.warn(
                "Detected call of `lr_scheduler.step()` before `optimizer.step()`: the first value of the learning rate schedule"
                " is skipped. help: call `optimizer.step()` before `lr_scheduler.step()`",
                stacklevel=4,
            )
        self._step_count += 1
        if epoch is not None:
            warnings.warn(EPOCH_WARNING, stacklevel=4)
        self._update_lr(epoch)

    def _update_lr(self, epoch: int | None = None) -> None:
        """Set the lrs of the next step, or of a given one."""
        self._go_to(self.last_epoch + 1 if epoch is None else epoch)
        closed = None if epoch is None else getattr(self, "_get_closed_form_lr", None)
        self._set_lrs(self._lrs_of_step() if closed is None else closed())

    def _go_to(self, step: int) -> None:
        """Note which step it is."""
        self.last_epoch = step

    def _lrs_of_step(self) -> list[float]:
        self._get_lr_called_within_step = True
        try:
            if _wants_step(type(self).get_lr):
                return [self.get_lr(base_lr, self.last_epoch) for base_lr in self.base_lrs]
            return self.get_lr()  # type: ignore[no-any-return]
        finally:
            self._get_lr_called_within_step = False

    def _set_lrs(self, lrs: list[float]) -> None:
        for number, (group, lr) in enumerate(zip(self.optimizer.param_groups, lrs)):
            set_lr(group, lr)
            if self.verbose:
                print(f"Last step {self.last_epoch} of {type(self)} adjusting learning rate of param_groups[{number}] to {lr:.5f}")
        self._last_lr = present_lrs(self.optimizer)

    # ------------------------------------------------------------------------------------------------------ checkpoints

    def state_dict(self) -> dict[str, Any]:
        """Everything but the optimizer, under torch's names."""
        return {key: value for key, value in self.__dict__.items() if key != "optimizer"}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` gave, here or in torch."""
        self.__dict__.update(state_dict)


class _LRScheduler(LRScheduler):
    """The name that the base class had in torch, and has in OneFlow."""


class ClosedFormLR(LRScheduler):
    """A scheduler whose lr is a formula of the initial lr and the step: `_lr(base_lr, step)`.

    `_next` is the same schedule as a change of the present lr, for lrs that another scheduler or the user changed as well.
    """

    _keeps_resumed = False  # whether the first lr after resuming is that of the optimizer's state

    def _lr(self, base_lr: float, step: int) -> float:
        raise NotImplementedError

    def _next(self, lr: float, base_lr: float, step: int) -> float:
        return self._lr(base_lr, step)

    def lr_at(self, step: int) -> list[float]:
        """The lr of each group at a step."""
        return [self._lr(base_lr, step) for base_lr in self.base_lrs]

    def _advanced(self, lrs: list[float], step: int) -> list[float]:
        if self._is_initial and self._keeps_resumed and step > 0:
            return lrs
        return [self._next(lr, base_lr, step) for lr, base_lr in zip(lrs, self.base_lrs)]

    def _get_closed_form_lr(self) -> list[float]:
        return self.lr_at(self.last_epoch)


def set_lr(group: dict[str, Any], lr: Any) -> None:
    """Set a group's lr. One that is a tensor stays the same tensor, which others may hold, with another value."""
    present = group["lr"]
    if not isinstance(present, Tensor):
        group["lr"] = lr
    elif present is not lr:
        with no_grad():
            present.copy_(lr) if isinstance(lr, Tensor) else present.fill_(lr)  # type: ignore[attr-defined]


def own(lr: Any) -> Any:
    """An lr that does not change with the optimizer's."""
    return lr.detach().clone() if isinstance(lr, Tensor) else lr


def present_lrs(optimizer: Optimizer) -> list[Any]:
    """The lr of each group."""
    return [own(group["lr"]) for group in optimizer.param_groups]


def check_optimizer(optimizer: Any) -> None:
    """Raises TypeError unless it is one."""
    if not isinstance(optimizer, Optimizer):
        raise ArgumentTypeError(f"{type(optimizer).__name__} is not an Optimizer object")


def for_each_group(name: str, optimizer: Optimizer, value: Any) -> list[Any]:
    """One value per group, from a list of them or one for all.

    Raises:
        ValueError: the list is of another length.
    """
    count = len(optimizer.param_groups)
    if not isinstance(value, (list, tuple)):
        return [value] * count
    if len(value) != count:
        raise ValueError(f"Expected {count} {name}, one for each of the optimizer's param_groups, but got {len(value)}")
    return list(value)


@functools.cache
def _wants_step(get_lr: Callable[..., Any]) -> bool:
    """Whether `get_lr` is of OneFlow's kind, with the parameters base_lr and step."""
    parameters = list(inspect.signature(get_lr).parameters.values())
    return len([p for p in parameters if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD]) == 3

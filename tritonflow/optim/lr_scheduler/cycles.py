"""Schedulers that cycle the lr, and the momentum the other way (Smith, 2015; Smith and Topin, 2017)."""

from __future__ import annotations

import math
import types
from collections.abc import Callable
from typing import Any

from tritonflow.errors import ArgumentValueError
from tritonflow.optim.lr_scheduler.cosine import half_cosine
from tritonflow.optim.lr_scheduler.scheduler import LRScheduler, check_optimizer, for_each_group, own, set_lr
from tritonflow.optim.optimizer import Group, Optimizer


class _Cycle(LRScheduler):
    """An lr and, with `cycle_momentum`, a momentum: "momentum" of a group, or the first of its "betas"."""

    cycle_momentum: bool
    use_beta1: bool

    def _begin_momentum(self, optimizer: Optimizer, base: Any, largest: Any, last_epoch: int) -> None:
        """Check and note the bounds; a new training begins with the largest."""
        if "momentum" not in optimizer.defaults and "betas" not in optimizer.defaults:
            raise ArgumentValueError("optimizer must support momentum or beta1 with `cycle_momentum` option enabled")
        self.use_beta1 = "betas" in optimizer.defaults
        if last_epoch == -1:
            for group, low, high in zip(optimizer.param_groups, base, largest):
                group.update(self._momentum(group, high), max_momentum=high, base_momentum=low)

    def _momentum(self, group: Group, value: float) -> dict[str, Any]:
        return {"betas": (value, *group["betas"][1:])} if self.use_beta1 else {"momentum": value}

    def _momenta_at(self, step: int) -> list[float]:
        raise NotImplementedError

    def options_at(self, step: int) -> list[dict[str, Any]]:
        """The lr, and the momentum or betas, of each group at a step."""
        options = super().options_at(step)
        if self.cycle_momentum:
            for group, given, value in zip(self.optimizer.param_groups, options, self._momenta_at(step)):
                given.update(self._momentum(group, value))
        return options

    def _update_lr(self, epoch: int | None = None) -> None:
        super()._update_lr(epoch)
        for group, options in zip(self.optimizer.param_groups, self.options_at(self.last_epoch)):
            group.update({key: value for key, value in options.items() if key != "lr"})


class CyclicLR(_Cycle):
    """The lr goes from base_lr to max_lr in step_size_up steps and back in step_size_down, again and again.

    Args:
        optimizer: whose lrs are set.
        base_lr, max_lr: the bounds, or a list with one for each group.
        step_size_up, step_size_down: how many steps it takes; as many down as up unless given.
        mode: "triangular", "triangular2" (the height is halved each cycle) or "exp_range" (the height is scaled by gamma^step).
        gamma: for "exp_range".
        scale_fn: a function by which the height is scaled instead.
        scale_mode: whether scale_fn is given the number of the "cycle", or of the step ("iterations").
        cycle_momentum: let the momentum go from max_momentum to base_momentum while the lr rises.
        base_momentum, max_momentum: its bounds, or a list with one for each group.
        last_epoch, verbose: as `LRScheduler`.

    Raises:
        ValueError: an unknown mode, a list of another length than there are groups, an optimizer without momentum.

    Source: https://pytorch.org/docs/stable/generated/torch.optim.lr_scheduler.CyclicLR.html

    Example:
        >>> import tritonflow as flow
        >>> optimizer = flow.optim.SGD([flow.zeros(1, requires_grad=True)], lr=1.0, momentum=0.9)
        >>> scheduler = flow.optim.lr_scheduler.CyclicLR(optimizer, 1.0, 2.0, step_size_up=2)
        >>> [scheduler.lr_at(step)[0] for step in range(5)]
        [1.0, 1.5, 2.0, 1.5, 1.0]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        base_lr: float | list[float],
        max_lr: float | list[float],
        step_size_up: int = 2000,
        step_size_down: int | None = None,
        mode: str = "triangular",
        gamma: float = 1.0,
        scale_fn: Callable[[float], float] | None = None,
        scale_mode: str = "cycle",
        cycle_momentum: bool = True,
        base_momentum: float | list[float] = 0.8,
        max_momentum: float | list[float] = 0.9,
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        check_optimizer(optimizer)
        if mode not in ("triangular", "triangular2", "exp_range") and scale_fn is None:
            raise ArgumentValueError(f"mode is invalid and scale_fn is None: {mode!r}")
        base_lrs = for_each_group("base_lr", optimizer, base_lr)
        self.max_lrs = for_each_group("max_lr", optimizer, max_lr)
        up = float(step_size_up)
        self.total_size = up + (up if step_size_down is None else float(step_size_down))
        self.step_ratio = up / self.total_size
        self.mode, self.gamma, self._scale_fn_custom = mode, gamma, scale_fn
        self.scale_mode = scale_mode if scale_fn else "iterations" if mode == "exp_range" else "cycle"
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self.base_momentums = for_each_group("base_momentum", optimizer, base_momentum)
            self.max_momentums = for_each_group("max_momentum", optimizer, max_momentum)
            self._begin_momentum(optimizer, self.base_momentums, self.max_momentums, last_epoch)
        if last_epoch == -1:
            for group, lr in zip(optimizer.param_groups, base_lrs):
                set_lr(group, lr)
                group["initial_lr"] = own(group["lr"])
        super().__init__(optimizer, last_epoch, verbose)
        self.base_lrs = base_lrs

    def scale_fn(self, x: float) -> float:
        """The factor of the height of a cycle, or of a step."""
        if self._scale_fn_custom is not None:
            return self._scale_fn_custom(x)
        return {"triangular": 1.0, "triangular2": 1 / 2.0 ** (x - 1), "exp_range": self.gamma**x}[self.mode]

    def _height(self, step: int) -> float:
        """The height between the bounds: 0 at the lower, 1 at the upper."""
        cycle = math.floor(1 + step / self.total_size)
        x = 1.0 + step / self.total_size - cycle
        height = x / self.step_ratio if x <= self.step_ratio else (x - 1) / (self.step_ratio - 1)
        return height * self.scale_fn(cycle if self.scale_mode == "cycle" else step)

    def lr_at(self, step: int) -> list[float]:
        """The lr of each group at a step."""
        height = self._height(step)
        return [low + (high - low) * height for low, high in zip(self.base_lrs, self.max_lrs)]

    def _momenta_at(self, step: int) -> list[float]:
        height = self._height(step)
        return [high - (high - low) * height for low, high in zip(self.base_momentums, self.max_momentums)]

    def state_dict(self) -> dict[str, Any]:
        """Everything but the optimizer; of `scale_fn` its attributes, if it is an object and not a plain function."""
        function = self._scale_fn_custom
        kept = None if function is None or isinstance(function, types.FunctionType) else dict(vars(function))
        return {**super().state_dict(), "_scale_fn_custom": kept}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` gave; `scale_fn` stays, and gets its attributes back."""
        super().load_state_dict({k: v for k, v in state_dict.items() if k != "_scale_fn_custom"})
        if state_dict["_scale_fn_custom"] is not None:
            vars(self._scale_fn_custom).update(state_dict["_scale_fn_custom"])


class OneCycleLR(_Cycle):
    """One cycle for the whole training: from max_lr / div_factor up to max_lr, and down to the first lr / final_div_factor.

    Args:
        optimizer: whose lrs are set.
        max_lr: the highest lr, or a list with one for each group.
        total_steps: the number of steps; or `epochs` and `steps_per_epoch`, whose product it is.
        pct_start: the part of the steps that it takes up.
        anneal_strategy: "cos" or "linear".
        cycle_momentum: let the momentum go from max_momentum to base_momentum while the lr rises, and back.
        base_momentum, max_momentum: its bounds, or a list with one for each group.
        div_factor, final_div_factor: see above.
        three_phase: go back to the first lr in as many steps as it took up, and then to the last.
        last_epoch, verbose: as `LRScheduler`.

    Raises:
        ValueError: an argument is out of its bounds; or more steps are made than there are.

    Source: https://pytorch.org/docs/stable/generated/torch.optim.lr_scheduler.OneCycleLR.html

    Example:
        >>> import tritonflow as flow
        >>> optimizer = flow.optim.SGD([flow.zeros(1, requires_grad=True)], lr=1.0, momentum=0.9)
        >>> scheduler = flow.optim.lr_scheduler.OneCycleLR(optimizer, 1.0, total_steps=10, div_factor=10.0)
        >>> [round(scheduler.lr_at(step)[0], 4) for step in (0, 1, 2, 9)]
        [0.1, 0.55, 1.0, 0.0]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        max_lr: float | list[float],
        total_steps: int | None = None,
        epochs: int | None = None,
        steps_per_epoch: int | None = None,
        pct_start: float = 0.3,
        anneal_strategy: str = "cos",
        cycle_momentum: bool = True,
        base_momentum: float | list[float] = 0.85,
        max_momentum: float | list[float] = 0.95,
        div_factor: float = 25.0,
        final_div_factor: float = 1e4,
        three_phase: bool = False,
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        check_optimizer(optimizer)
        self.total_steps = _total_steps(total_steps, epochs, steps_per_epoch)
        if not isinstance(pct_start, float) or not 0 <= pct_start <= 1:
            raise ArgumentValueError(f"Expected float between 0 and 1 pct_start, but got {pct_start}")
        if anneal_strategy not in ("cos", "linear"):
            raise ArgumentValueError(
                f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}"
            )
        self._anneal_func_type = anneal_strategy
        self._schedule_phases = _phases(pct_start, self.total_steps, three_phase)
        highest = for_each_group("max_lr", optimizer, max_lr)
        base = for_each_group("base_momentum", optimizer, base_momentum)
        largest = for_each_group("max_momentum", optimizer, max_momentum)
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self._begin_momentum(optimizer, base, largest, last_epoch)
        if last_epoch == -1:
            for group, lr in zip(optimizer.param_groups, highest):
                first = lr / div_factor
                group.update(initial_lr=first, max_lr=lr, min_lr=first / final_div_factor)
        super().__init__(optimizer, last_epoch, verbose)

    def _between(self, start: float, end: float, done: float) -> float:
        if self._anneal_func_type == "linear":
            return (end - start) * done + start
        return end + (start - end) * half_cosine(done)

    def _at(self, step: int, kind: str) -> list[float]:
        """The "lr" or "momentum" of each group."""
        if step > self.total_steps:
            raise ArgumentValueError(
                f"Tried to step {step} times. The specified number of total steps is {self.total_steps}"
            )
        start_step = 0.0
        for phase in self._schedule_phases:
            end_step = phase["end_step"]
            if step <= end_step or phase is self._schedule_phases[-1]:
                break
            start_step = end_step
        done = (step - start_step) / (end_step - start_step)
        start, end = phase[f"start_{kind}"], phase[f"end_{kind}"]
        return [self._between(group[start], group[end], done) for group in self.optimizer.param_groups]

    def lr_at(self, step: int) -> list[float]:
        """The lr of each group at a step.

        Raises:
            ValueError: there are not so many steps.
        """
        return self._at(step, "lr")

    def _momenta_at(self, step: int) -> list[float]:
        return self._at(step, "momentum")


def _total_steps(total_steps: int | None, epochs: int | None, steps_per_epoch: int | None) -> int:
    given = {"total_steps": total_steps} if total_steps is not None else {"epochs": epochs, "steps_per_epoch": steps_per_epoch}
    product = 1
    for name, value in given.items():
        if value is None:
            raise ArgumentValueError("You must define either total_steps OR (epochs AND steps_per_epoch)")
        if not isinstance(value, int) or value <= 0:
            raise ArgumentValueError(f"Expected positive integer {name}, but got {value}")
        product *= value
    return product


def _phases(up: float, steps: int, three: bool) -> list[dict[str, Any]]:
    """For each phase its last step, and the options of a group that it starts and ends with."""

    def phase(end: float, start_lr: str, end_lr: str, start_momentum: str, end_momentum: str) -> dict[str, Any]:
        lrs = {"end_step": end, "start_lr": f"{start_lr}_lr", "end_lr": f"{end_lr}_lr"}
        return {**lrs, "start_momentum": f"{start_momentum}_momentum", "end_momentum": f"{end_momentum}_momentum"}

    rise = phase(up * steps - 1, "initial", "max", "max", "base")
    if not three:
        return [rise, phase(steps - 1, "max", "min", "base", "max")]
    back = phase(2 * up * steps - 2, "max", "initial", "base", "max")
    return [rise, back, phase(steps - 1, "initial", "min", "max", "max")]

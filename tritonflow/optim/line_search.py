"""The line search of L-BFGS: a step that satisfies the strong Wolfe conditions (Nocedal and Wright, 2006, section 3.5)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tritonflow.framework.tensor import Tensor

DECREASE, CURVATURE = 1e-4, 0.9  # c1 and c2 of the Wolfe conditions


@dataclass
class Trial:
    """A step that was tried: its length, the loss there, the gradient, and the gradient along the direction."""

    t: float
    loss: float
    gradient: Tensor
    slope: float


def cubic_minimum(a: Trial, b: Trial, bounds: tuple[float, float] | None = None) -> float:
    """Where the cubic through two trials, with their slopes, is smallest, inside of bounds; else the middle of them."""
    low, high = bounds or ((a.t, b.t) if a.t <= b.t else (b.t, a.t))
    if a.t == b.t:
        return (low + high) / 2
    d1 = a.slope + b.slope - 3 * (a.loss - b.loss) / (a.t - b.t)
    square = d1 * d1 - a.slope * b.slope
    if not square >= 0:
        return (low + high) / 2
    left, right = (a, b) if a.t <= b.t else (b, a)
    d2 = math.sqrt(square)
    below = right.slope - left.slope + 2 * d2
    if below == 0:
        return (low + high) / 2
    minimum = right.t - (right.t - left.t) * ((right.slope + d2 - d1) / below)
    return min(max(minimum, low), high)


class StrongWolfe:
    """One search from a point along a direction.

    Args:
        evaluate: (loss, gradient) at a step's length.
        direction: the direction, which the gradients are multiplied with.
        start: the trial of length 0.
        max_trials: how many trials there may be, besides the first.
        smallest: the width of a bracket, in the largest element of the step, at which the search ends.
    """

    def __init__(
        self,
        evaluate: Callable[[float], tuple[float, Tensor]],
        direction: Any,
        start: Trial,
        max_trials: int,
        smallest: float,
    ) -> None:
        self.evaluate, self.direction, self.start = evaluate, direction, start
        self.max_trials, self.smallest = max_trials, smallest
        self.evaluations = self.iterations = 0

    def search(self, t: float) -> Trial:
        """The trial to go to; `t` is the first length that is tried."""
        bracket = self._bracket(t)
        return bracket[0] if len(bracket) == 1 else self._zoom(*bracket)

    def _try(self, t: float) -> Trial:
        loss, gradient = self.evaluate(t)
        self.evaluations += 1
        return Trial(t, loss, gradient, gradient.dot(self.direction).item())  # type: ignore[attr-defined]

    def _descends(self, trial: Trial) -> bool:
        """The first condition: the loss has become smaller in proportion to the step."""
        return not trial.loss > self.start.loss + DECREASE * trial.t * self.start.slope

    def _is_flat(self, trial: Trial) -> bool:
        """The second one: the slope has become small."""
        return abs(trial.slope) <= -CURVATURE * self.start.slope

    def _bracket(self, t: float) -> list[Trial]:
        """Two trials with a point between them that satisfies both conditions, or one that does."""
        last, trial = self.start, self._try(t)
        while self.iterations < self.max_trials:
            if not self._descends(trial) or (self.iterations > 1 and trial.loss >= last.loss):
                return [last, trial]
            if self._is_flat(trial):
                return [trial]
            if trial.slope >= 0:
                return [last, trial]
            bounds = trial.t + 0.01 * (trial.t - last.t), trial.t * 10
            last, trial = trial, self._try(cubic_minimum(last, trial, bounds))
            self.iterations += 1
        return [self.start, trial]

    def _zoom(self, first: Trial, second: Trial) -> Trial:
        """Narrow a bracket until a trial in it satisfies both conditions."""
        low, high = (first, second) if first.loss <= second.loss else (second, first)
        length = self.direction.abs().max().item()
        stalled = False
        while self.iterations < self.max_trials and abs(high.t - low.t) * length >= self.smallest:
            t, stalled = self._next(low, high, stalled)
            trial = self._try(t)
            self.iterations += 1
            if not self._descends(trial) or trial.loss >= low.loss:
                high = trial
                if high.loss < low.loss:
                    low, high = high, low
                continue
            if self._is_flat(trial):
                return trial
            if trial.slope * (high.t - low.t) >= 0:
                high = low
            low = trial
        return low

    def _next(self, low: Trial, high: Trial, stalled: bool) -> tuple[float, bool]:
        """The next length, and whether it is close to an end of the bracket, from which a second one is moved away."""
        left, right = min(low.t, high.t), max(low.t, high.t)
        t, margin = cubic_minimum(low, high), 0.1 * (right - left)
        if min(right - t, t - left) >= margin:
            return t, False
        if stalled or t >= right or t <= left:
            return (right - margin if abs(t - right) < abs(t - left) else left + margin), False
        return t, True

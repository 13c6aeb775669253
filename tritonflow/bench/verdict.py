"""Which of two is faster, or that nobody can tell.

A median has a confidence interval that needs no assumption about the noise: between the k-th smallest and the k-th largest of n
times it lies unless fewer than k of them are on one side of it, as likely as so few heads of n coins.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any

CONFIDENCE = 0.95
THRESHOLD = 0.05  # a difference of less is none
SLOWED = 0.85  # of the machine's best arithmetic: with less, others had it


class Verdict(str, Enum):
    """What a comparison says of ours, or of the new times."""

    FASTER = "faster"
    SLOWER = "slower"
    SAME = "same"
    UNEVEN = "too uneven to tell"


@dataclass(frozen=True)
class Quantiles:
    """The 20th, 50th and 80th percentile."""

    p20: float
    p50: float
    p80: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Quantiles:
        """Of at least one value.

        Example:
            >>> from tritonflow.bench.verdict import Quantiles
            >>> Quantiles.of([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
            Quantiles(p20=2.0, p50=3.5, p80=5.0)
        """
        ordered = sorted(values)

        def at(share: float) -> float:
            exact = share * (len(ordered) - 1)
            below = int(exact)
            above = min(below + 1, len(ordered) - 1)
            return ordered[below] + (ordered[above] - ordered[below]) * (exact - below)

        return cls(at(0.2), statistics.median(ordered), at(0.8))

    @classmethod
    def of_ratios(cls, times: Sequence[float], others: Sequence[float]) -> Quantiles:
        """Of the ratios of two that took turns, times by others, round by round."""
        return cls.of([a / b for a, b in zip(times, others)])

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Between which the median lies, with a confidence of 95 %; from 0 to infinity where the values are too few for that.

    Example:
        >>> from tritonflow.bench.verdict import interval
        >>> interval([5.0, 1.0, 3.0, 2.0, 4.0, 6.0]), interval([1.0, 2.0])
        ((1.0, 6.0), (0.0, inf))
    """
    ordered, n = sorted(values), len(values)
    k, below = 0, 0.0
    while k < n // 2:
        below += math.comb(n, k) / 2**n  # at most k of n on one side
        if 2 * below > 1 - CONFIDENCE:
            break
        k += 1
    return (ordered[k - 1], ordered[n - k]) if k else (0.0, math.inf)


def judged(median: float, low: float, high: float, threshold: float = THRESHOLD) -> Verdict:
    """The verdict of a ratio, the other's time by ours, and its interval: above 1 ours is faster.

    Faster or slower: the median differs by the threshold, and the whole interval is on its side of 1. The same: the whole interval
    is within the threshold.
    """
    if low > 1.0 and median >= 1 + threshold:
        return Verdict.FASTER
    if high < 1.0 and median <= 1 / (1 + threshold):
        return Verdict.SLOWER
    return Verdict.SAME if 1 / (1 + threshold) <= low and high <= 1 + threshold else Verdict.UNEVEN


def verdict_of_rounds(ours: Sequence[float], theirs: Sequence[float], alone: bool = True) -> tuple[Quantiles, Verdict]:
    """The ratios of the rounds, the other's time by ours, and the verdict of them.

    Args:
        alone: whether the machine was ours. A call on several threads waits for the one that others hold up, so that there is no
            verdict where it was not.
    """
    ratios = [b / a for a, b in zip(ours, theirs)]
    quantiles = Quantiles.of(ratios)
    return quantiles, judged(quantiles.p50, *interval(ratios)) if alone else Verdict.UNEVEN


def verdict_of_runs(
    new: Sequence[float], old: Sequence[float], control: float = 1.0, threshold: float = 2 * THRESHOLD
) -> tuple[float, Verdict]:
    """The ratio of the medians of two runs, old by new, and its verdict.

    Args:
        control: how much faster than in the old run a loop of arithmetic was in the new one. What that explains is no difference.
        threshold: twice that of rivals which took turns.
    """
    (new_low, new_high), (old_low, old_high) = interval(new), interval(old)
    if 0.0 in (new_low, old_low):
        return statistics.median(old) / statistics.median(new), Verdict.UNEVEN
    ratio = statistics.median(old) / statistics.median(new)
    slack = max(control, 1 / control)
    return ratio, judged(ratio, old_low / new_high / slack, old_high / new_low * slack, threshold)

"""Verdicts about synthetic times: what is known of the noise decides what they say."""

from __future__ import annotations

import math
import random

import pytest

from tritonflow.bench.verdict import Quantiles, Verdict, interval, judged, verdict_of_rounds, verdict_of_runs


def noisy(mean: float, spread: float, count: int, seed: int) -> list[float]:
    """Times that are never below their mean by more than the spread, and now and then far above, as real ones are."""
    draw = random.Random(seed)
    return [mean * (1 + spread * draw.uniform(-1, 1) + (0.8 if draw.random() < 0.1 else 0)) for _ in range(count)]


def test_quantiles_are_of_sorted_values() -> None:
    assert Quantiles.of([3.0, 1.0, 2.0]) == Quantiles(1.4, 2.0, 2.6)
    assert Quantiles.of([5.0]) == Quantiles(5.0, 5.0, 5.0)


@pytest.mark.parametrize("count", (6, 9, 21, 60))
def test_an_interval_has_the_median_as_often_as_it_says(count: int) -> None:
    hits = 0
    for seed in range(400):
        draw = random.Random(seed)
        low, high = interval([draw.expovariate(1.0) for _ in range(count)])
        hits += low <= math.log(2) <= high
    assert 0.93 <= hits / 400 <= 1.0  # 95 %, and what 400 draws are off by


def test_five_times_are_too_few() -> None:
    assert interval([1.0, 1.1, 1.2, 1.3, 1.4]) == (0.0, math.inf)
    assert verdict_of_rounds([1.0] * 5, [9.0] * 5)[1] is Verdict.UNEVEN


@pytest.mark.parametrize("ratio, verdict", ((1.3, Verdict.FASTER), (1 / 1.3, Verdict.SLOWER), (1.0, Verdict.SAME)))
def test_rounds_that_drift_together_are_told_apart(ratio: float, verdict: Verdict) -> None:
    """The machine is three times slower in the second half, and both sides see it."""
    drift = [1.0] * 10 + [3.0] * 11
    ours = [a * b for a, b in zip(noisy(1e-3, 0.01, 21, 1), drift)]
    theirs = [a * b for a, b in zip(noisy(ratio * 1e-3, 0.01, 21, 2), drift)]
    quantiles, found = verdict_of_rounds(ours, theirs)
    assert found is verdict and abs(quantiles.p50 / ratio - 1) < 0.03


def test_noise_hides_a_small_difference() -> None:
    assert verdict_of_rounds(noisy(1.0, 0.4, 21, 3), noisy(1.06, 0.4, 21, 4))[1] is Verdict.UNEVEN


def test_equal_sides_are_never_told_apart() -> None:
    """Of many pairs from one distribution, hardly one has a verdict of a difference."""
    for spread, same in ((0.02, 190), (0.3, 0)):
        rounds = [[noisy(1.0, spread, 21, 2 * k + side) for side in (0, 1)] for k in range(200)]
        found = [verdict_of_rounds(*sides)[1] for sides in rounds]
        assert sum(verdict in (Verdict.FASTER, Verdict.SLOWER) for verdict in found) <= 8
        assert found.count(Verdict.SAME) >= same


def test_a_machine_that_others_use_gives_no_verdict() -> None:
    ours, theirs = noisy(1.0, 0.01, 21, 5), noisy(2.0, 0.01, 21, 6)
    assert verdict_of_rounds(ours, theirs)[1] is Verdict.FASTER
    assert verdict_of_rounds(ours, theirs, alone=False)[1] is Verdict.UNEVEN


def test_a_difference_below_the_threshold_is_no_verdict() -> None:
    assert judged(1.04, 1.03, 1.045) is Verdict.SAME
    assert judged(1.04, 1.03, 1.06) is Verdict.UNEVEN
    assert judged(1.06, 0.99, 1.10) is Verdict.UNEVEN


def test_runs_are_compared_with_the_speed_of_their_machines() -> None:
    new, old = noisy(1.0, 0.02, 21, 7), noisy(1.3, 0.02, 21, 8)
    assert verdict_of_runs(new, old)[1] is Verdict.FASTER
    assert verdict_of_runs(old, new)[1] is Verdict.SLOWER
    assert verdict_of_runs(new, noisy(1.0, 0.02, 21, 9))[1] is Verdict.SAME
    assert verdict_of_runs(new, old, control=1.3)[1] is Verdict.UNEVEN  # the whole machine was so much slower then
    assert verdict_of_runs(new, [1.3])[1] is Verdict.UNEVEN  # a result that has no times of its rounds

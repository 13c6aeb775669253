"""flow.optim.lr_scheduler against torch's, step by step; lr_at against what the steps set; OneFlow's schedulers by their formulas."""

from __future__ import annotations

import copy
import math
import pickle
import warnings
from collections.abc import Callable
from typing import Any

import numpy
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import tritonflow as flow

STEPS = 14
Make = Callable[[Any, Any], Any]
unit = st.floats(0.05, 1.0)
counts = st.integers(1, 8)


class Cosine:
    """A function with state."""

    def __init__(self, rate: float = 0.3) -> None:
        self.rate = rate

    def __call__(self, step: int) -> float:
        return 1 + 0.5 * math.cos(self.rate * step)


def built(name: str, *args: Any, **options: Any) -> Make:
    """A scheduler of either library, the optimizer first."""

    def make(library: Any, optimizer: Any) -> Any:
        return getattr(library.optim.lr_scheduler, name)(optimizer, *args, **options)

    make.__name__ = f"{name}{args}{options}"
    return make


SIMPLE = st.one_of(
    st.builds(lambda n, g: built("StepLR", n, gamma=g), counts, unit),
    st.builds(lambda m, g: built("MultiStepLR", m, gamma=g), st.lists(counts, max_size=4), unit),
    st.builds(lambda f, n: built("ConstantLR", f, n), unit, counts),
    st.builds(lambda a, b, n: built("LinearLR", a, b, n), unit, unit, counts),
    st.builds(lambda g: built("ExponentialLR", g), unit),
    st.builds(lambda n, p: built("PolynomialLR", n, p), counts, st.floats(0.5, 3)),
    st.builds(lambda n: built("CosineAnnealingLR", n), counts),
    st.builds(lambda r: built("LambdaLR", Cosine(r)), unit),
    st.builds(lambda r: built("MultiplicativeLR", [Cosine(r), lambda step: 0.9]), unit),
)
OTHERS = st.one_of(
    st.builds(lambda n, e: built("CosineAnnealingLR", n, eta_min=e), counts, st.floats(0, 0.5)),
    st.builds(lambda t, m, e: built("CosineAnnealingWarmRestarts", t, m, e), counts, st.integers(1, 3), st.floats(0, 0.5)),
    st.builds(
        lambda up, down, mode, g, m: built("CyclicLR", [0.1, 0.2], 0.9, up, down, mode, g, cycle_momentum=m),
        counts, st.none() | counts, st.sampled_from(["triangular", "triangular2", "exp_range"]), unit, st.booleans(),
    ),
    st.builds(lambda f, mode: built("CyclicLR", 0.1, [0.5, 0.9], 3, scale_fn=f, scale_mode=mode), st.just(Cosine()),
              st.sampled_from(["cycle", "iterations"])),
    st.builds(
        lambda n, pct, how, m, three: built(
            "OneCycleLR", [0.5, 0.9], n, pct_start=pct, anneal_strategy=how, cycle_momentum=m, three_phase=three
        ),
        st.integers(STEPS + 2, 40), st.floats(0.2, 0.45), st.sampled_from(["cos", "linear"]), st.booleans(), st.booleans(),
    ),
)  # fmt: skip


def sequence(makes: list[Make], gaps: list[int]) -> Make:
    milestones = [sum(gaps[: i + 1]) for i in range(len(makes) - 1)]

    def make(library: Any, optimizer: Any) -> Any:
        made = [m(library, optimizer) for m in makes]
        return library.optim.lr_scheduler.SequentialLR(optimizer, made, milestones)

    return make


def chain(makes: list[Make]) -> Make:
    def make(library: Any, optimizer: Any) -> Any:
        return library.optim.lr_scheduler.ChainedScheduler([m(library, optimizer) for m in makes])

    return make


SEQUENCES = st.builds(sequence, st.lists(SIMPLE, min_size=1, max_size=3), st.lists(st.integers(1, 5), min_size=3, max_size=3))
CHAINS = st.builds(chain, st.lists(SIMPLE, min_size=1, max_size=3))


def optimizers(kind: str = "SGD", **options: Any) -> tuple[Any, Any]:
    """torch's and ours, with two groups."""
    found = []
    for library in (torch, flow):
        groups = [{"params": [library.ones(1, requires_grad=True)]}, {"params": [library.ones(1, requires_grad=True)], "lr": 0.25}]
        optimizer = getattr(library.optim, kind)(groups, lr=1.0, **({"momentum": 0.9} if kind == "SGD" else {}), **options)
        optimizer.step()
        found.append(optimizer)
    return found[0], found[1]


def close(a: Any, b: Any) -> None:
    numpy.testing.assert_allclose(b, a, rtol=1e-9, atol=1e-12)


def lrs(optimizer: Any) -> list[float]:
    return [group["lr"] for group in optimizer.param_groups]


def momenta(optimizer: Any) -> list[Any]:
    return [group.get("momentum", group.get("betas")) for group in optimizer.param_groups]


@pytest.fixture(autouse=True)
def no_warnings() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def run_both(make: Make, kind: str = "SGD") -> tuple[Any, Any]:
    theirs, mine = optimizers(kind)
    reference, scheduler = make(torch, theirs), make(flow, mine)
    for step in range(STEPS):
        close(lrs(theirs), lrs(mine))
        close(reference.get_last_lr(), scheduler.get_last_lr())
        close(momenta(theirs), momenta(mine))
        before = lrs(mine), momenta(mine)
        close(lrs(mine), scheduler.lr_at(step))
        scheduler.lr_at(step + 5 if step + 5 < STEPS else 0)
        assert before == (lrs(mine), momenta(mine))
        for group, options in zip(mine.param_groups, scheduler.options_at(step)):
            for key, value in options.items():
                close(value, group[key])
        for optimizer, each in ((theirs, reference), (mine, scheduler)):
            optimizer.step()
            each.step()
    return reference, scheduler


@settings(max_examples=120, deadline=None)
@given(SIMPLE | OTHERS)
def test_steps_are_those_of_torch(make: Make) -> None:
    reference, scheduler = run_both(make)
    assert_same_state(reference.state_dict(), scheduler.state_dict())


@settings(max_examples=60, deadline=None)
@given(SEQUENCES)
def test_sequences_are_those_of_torch(make: Make) -> None:
    reference, scheduler = run_both(make)
    assert_same_state(reference.state_dict(), scheduler.state_dict())


@settings(max_examples=60, deadline=None)
@given(CHAINS)
def test_chains_are_those_of_torch(make: Make) -> None:
    reference, scheduler = run_both(make)
    assert_same_state(reference.state_dict(), scheduler.state_dict())


@pytest.mark.parametrize("make", [built("CyclicLR", 0.1, 0.9, 3), built("OneCycleLR", 0.9, 30)])
def test_momentum_of_adam(make: Make) -> None:
    run_both(make, "AdamW")


def assert_same_state(expected: Any, got: Any) -> None:
    if isinstance(expected, dict):
        assert got.keys() == expected.keys()
        for key in expected:
            assert_same_state(expected[key], got[key])
    elif isinstance(expected, (list, tuple)) and not all(isinstance(v, (int, float)) for v in expected):
        assert len(got) == len(expected)
        for a, b in zip(expected, got):
            assert_same_state(a, b)
    elif isinstance(expected, (str, type(None))):
        assert got == expected
    else:
        close(expected, got)


@settings(max_examples=80, deadline=None)
@given(SIMPLE | OTHERS | SEQUENCES | CHAINS, st.integers(0, 6))
def test_states_go_both_ways(make: Make, steps: int) -> None:
    """Training goes on with a state of the other library's, and with a pickled one of the own."""
    theirs, mine = optimizers()
    reference, scheduler = make(torch, theirs), make(flow, mine)
    for _ in range(steps):
        theirs.step()
        reference.step()
    new = make(flow, mine)
    new.load_state_dict(copy.deepcopy(reference.state_dict()))
    for group, other in zip(mine.param_groups, theirs.param_groups):
        group.update({k: v for k, v in other.items() if k != "params"})
    back_theirs, _ = optimizers()
    back = make(torch, back_theirs)
    for group, other in zip(back_theirs.param_groups, theirs.param_groups):
        group.update({k: v for k, v in other.items() if k != "params"})
    back.load_state_dict(copy.deepcopy(new.state_dict()))
    for _ in range(4):
        for optimizer, each in ((theirs, reference), (mine, new), (back_theirs, back)):
            optimizer.step()
            each.step()
        close(lrs(theirs), lrs(mine))
        close(lrs(theirs), lrs(back_theirs))
        close(momenta(theirs), momenta(mine))
    assert scheduler.get_last_lr() is not None


@settings(max_examples=60, deadline=None)
@given(SIMPLE | OTHERS, st.integers(1, 6))
def test_resumed_by_last_epoch(make: Make, epoch: int) -> None:
    """As torch: the groups have what the optimizer's state says, and the scheduler is made with last_epoch."""
    theirs, mine = optimizers()
    first = make(torch, theirs)
    for _ in range(epoch + 1):
        theirs.step()
        first.step()
    for group, other in zip(mine.param_groups, theirs.param_groups):
        group.update({k: v for k, v in other.items() if k != "params"})
    reference, scheduler = [resumed(make, library, o, epoch) for library, o in ((torch, theirs), (flow, mine))]
    for _ in range(4):
        close(lrs(theirs), lrs(mine))
        assert reference.last_epoch == scheduler.last_epoch
        for optimizer, each in ((theirs, reference), (mine, scheduler)):
            optimizer.step()
            each.step()


def resumed(make: Make, library: Any, optimizer: Any, epoch: int) -> Any:
    class Namespace:
        """The library, whose schedulers get last_epoch."""

        class optim:
            class lr_scheduler:
                pass

    for name in library.optim.lr_scheduler.__all__:
        kind = getattr(library.optim.lr_scheduler, name)
        setattr(
            Namespace.optim.lr_scheduler, name, staticmethod(lambda *a, kind=kind, **k: kind(*a, last_epoch=epoch, **k))
        )
    return make(Namespace, optimizer)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["min", "max"]), st.sampled_from(["rel", "abs"]), st.integers(0, 3), st.integers(0, 3),
    st.lists(st.floats(-2, 2), min_size=20, max_size=40),
)  # fmt: skip
def test_plateaus(mode: str, threshold_mode: str, patience: int, cooldown: int, metrics: list[float]) -> None:
    theirs, mine = optimizers()
    options = {"mode": mode, "factor": 0.5, "patience": patience, "threshold": 0.1, "threshold_mode": threshold_mode}
    make = built("ReduceLROnPlateau", **options, cooldown=cooldown, min_lr=[0.1, 0.01])
    reference, scheduler = make(torch, theirs), make(flow, mine)
    for metric in metrics:
        reference.step(torch.tensor(metric))
        scheduler.step(flow.tensor(metric))
        close(lrs(theirs), lrs(mine))
        assert_same_state(reference.state_dict(), scheduler.state_dict())
    with pytest.raises(NotImplementedError, match="no function of the step"):
        scheduler.lr_at(3)


def test_a_plateau_scheduler_and_added_groups() -> None:
    optimizer = flow.optim.SGD([flow.ones(1, requires_grad=True)], lr=1.0)
    one, several = (flow.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=0, min_lr=m) for m in (0.01, [0.01]))
    optimizer.add_param_group({"params": [flow.ones(1, requires_grad=True)]})
    one.step(1.0)
    one.step(1.0)
    close(one.get_last_lr(), [0.1, 0.1])
    several.step(1.0)
    with pytest.raises(RuntimeError, match="2 param groups now, but had 1"):
        several.step(1.0)


def test_an_lr_that_the_user_changes() -> None:
    theirs, mine = optimizers()
    make = built("ExponentialLR", 0.5)
    reference, scheduler = make(torch, theirs), make(flow, mine)
    for optimizer, each in ((theirs, reference), (mine, scheduler)):
        optimizer.step()
        optimizer.param_groups[0]["lr"] = 3.0
        each.step()
    close(lrs(theirs), lrs(mine))


def test_fractional_epochs_of_warm_restarts() -> None:
    theirs, mine = optimizers()
    make = built("CosineAnnealingWarmRestarts", 3, 2)
    reference, scheduler = make(torch, theirs), make(flow, mine)
    for epoch in [x / 4 for x in range(60)]:
        reference.step(epoch)
        scheduler.step(epoch)
        close(lrs(theirs), lrs(mine))
        close(lrs(theirs), scheduler.lr_at(epoch))
        assert reference.last_epoch == scheduler.last_epoch
    with pytest.raises(ValueError, match="non-negative"):
        scheduler.step(-1)


def test_compositions_within_compositions() -> None:
    _, mine = optimizers()
    module = flow.optim.lr_scheduler
    inner = module.SequentialLR(
        mine, [module.ConstantLR(mine, 0.5, 9), module.MultiplicativeLR(mine, lambda step: 0.9)], milestones=[2]
    )
    chained = module.ChainedScheduler([module.ExponentialLR(mine, 0.9), module.StepLR(mine, 2, 0.5)])
    warm = module.WarmUpLR(module.CosineAnnealingLR(mine, 6), 0.1, 3)
    scheduler = module.SequentialLR(mine, [inner, chained, warm], milestones=[4, 8])
    for step in range(15):
        close(scheduler.lr_at(step), lrs(mine))
        mine.step()
        scheduler.step()
    state = pickle.loads(pickle.dumps(chained.state_dict()))
    chained.load_state_dict(state)


# ------------------------------------------------------------------------------------------------------------- OneFlow


def follow(scheduler: Any, optimizer: Any, expected: Callable[[int], float], steps: int = STEPS) -> None:
    for step in range(steps):
        close([expected(step), 0.25 * expected(step)], scheduler.lr_at(step))
        close(scheduler.lr_at(step), lrs(optimizer))
        assert scheduler.last_step == scheduler.last_epoch == step
        optimizer.step()
        scheduler.step()


def test_cosine_decay() -> None:
    _, mine = optimizers()
    scheduler = flow.optim.lr_scheduler.CosineDecayLR(mine, 6, alpha=0.2)
    follow(scheduler, mine, lambda s: 0.8 * (1 + math.cos(math.pi * min(s, 6) / 6)) / 2 + 0.2)


@pytest.mark.parametrize("cycle", [False, True])
def test_polynomials_of_oneflow(cycle: bool) -> None:
    _, mine = optimizers()
    scheduler = flow.optim.lr_scheduler.PolynomialLR(mine, decay_batch=5, end_learning_rate=0.1, power=2.0, cycle=cycle)
    by_position = flow.optim.lr_scheduler.PolynomialLR(optimizers()[1], 5, 0.1, 2.0, cycle)
    assert by_position.lr_at(7) == scheduler.lr_at(7)

    def expected(base_lr: float, step: int) -> float:
        step = max(step, 1) if cycle else step
        total = 5 * math.ceil(step / 5) if cycle else 5
        return (base_lr - 0.1) * (1 - min(step, total) / total) ** 2 + 0.1

    for step in range(STEPS):
        close([expected(1.0, step), expected(0.25, step)], lrs(mine))
        mine.step()
        scheduler.step()


def test_warm_restarts_of_oneflow() -> None:
    _, mine = optimizers()
    make = flow.optim.lr_scheduler.CosineAnnealingWarmRestarts
    scheduler = make(mine, 2, 2, decay_rate=0.5, restart_limit=2)
    starts = {0: (0, 2), 1: (0, 2), 2: (2, 4), 3: (2, 4), 4: (2, 4), 5: (2, 4)}

    def expected(step: int) -> float:
        if step >= 6:
            return 0.0
        begin, period = starts[step]
        return (0.5 if begin else 1.0) * (1 + math.cos(math.pi * (step - begin) / period)) / 2

    follow(scheduler, mine, expected)


def test_warm_up_of_an_optimizer() -> None:
    for method, expected in (("linear", lambda s: min(0.5 + 0.1 * s, 1.0)), ("constant", lambda s: 0.5 if s < 5 else 1.0)):
        _, mine = optimizers()
        follow(flow.optim.lr_scheduler.WarmUpLR(mine, 0.5, 5, method), mine, expected)


@pytest.mark.parametrize("method", ["linear", "constant"])
@pytest.mark.parametrize("prefix", [False, True])
def test_warm_up_of_a_scheduler(method: str, prefix: bool) -> None:
    _, mine = optimizers()
    inner = flow.optim.lr_scheduler.ExponentialLR(mine, 0.9)
    scheduler = flow.optim.lr_scheduler.WarmupLR(inner, 0.5, 4, method, warmup_prefix=prefix)

    def expected(step: int) -> float:
        if step >= 4:
            return 0.9 ** (step - 4 if prefix else step)
        return 0.5 if method == "constant" else 0.5 + ((1.0 if prefix else 0.9**4) - 0.5) * step / 4

    follow(scheduler, mine, expected)
    assert flow.optim.lr_scheduler.WarmUpLR is flow.optim.lr_scheduler.WarmupLR


def test_sequences_on_one_count_of_steps() -> None:
    _, mine = optimizers()
    module = flow.optim.lr_scheduler
    schedulers = [module.ConstantLR(mine, 0.1, 9), module.ExponentialLR(mine, 0.9)]
    follow(
        module.SequentialLR(mine, schedulers, [2], interval_rescaling=False), mine, lambda s: 0.1 if s < 2 else 0.9**s
    )


def test_subclasses_of_both_kinds() -> None:
    class OneFlows(flow.optim.lr_scheduler._LRScheduler):
        def __init__(self, optimizer: Any, last_step: int = -1, verbose: bool = False) -> None:
            super().__init__(optimizer, last_step, verbose)

        def get_lr(self, base_lr: float, step: int) -> float:
            return base_lr / (1 + step)

    class Torchs(flow.optim.lr_scheduler.LRScheduler):
        def get_lr(self) -> list[float]:
            return [lr / (1 + self.last_epoch) for lr in self.base_lrs]

    for kind in (OneFlows, Torchs):
        _, mine = optimizers()
        scheduler = kind(mine)
        for step in range(5):
            close([1 / (1 + step), 0.25 / (1 + step)], lrs(mine))
            mine.step()
            scheduler.step()
    close(OneFlows(optimizers()[1]).lr_at(3), [0.25, 0.0625])
    with pytest.raises(NotImplementedError, match="Torchs"):
        Torchs(optimizers()[1]).lr_at(3)


def test_verbose(capsys: pytest.CaptureFixture[str]) -> None:
    flow.optim.lr_scheduler.StepLR(optimizers()[1], 3, verbose=True)
    assert "adjusting learning rate of param_groups[1] to 0.25000" in capsys.readouterr().out


# -------------------------------------------------------------------------------------------------- warnings and errors


@pytest.mark.filterwarnings("default")
def test_the_order_of_steps() -> None:
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        optimizer = flow.optim.SGD([flow.ones(1, requires_grad=True)], lr=1.0)
        scheduler = flow.optim.lr_scheduler.StepLR(optimizer, 2)
        scheduler.step()
        assert "before `optimizer.step()`" in str(seen[-1].message) and seen[-1].filename == __file__
        seen.clear()
        optimizer.step()
        other = flow.optim.lr_scheduler.StepLR(optimizer, 2)
        other.step()
        assert not seen
        other.step(7)
        assert "epoch parameter" in str(seen[-1].message) and other.last_epoch == 7
        other.get_lr()
        assert "get_last_lr" in str(seen[-1].message)


def test_errors() -> None:
    module = flow.optim.lr_scheduler
    optimizer, another = optimizers()[1], optimizers()[1]
    for make in (lambda: module.StepLR("x", 3), lambda: module.CyclicLR("x", 0.1, 0.2), lambda: module.ReduceLROnPlateau("x")):
        with pytest.raises(TypeError, match="str is not an Optimizer"):
            make()
    with pytest.raises(KeyError, match=r"initial_lr.*param_groups\[0\]"):
        module.StepLR(another, 3, last_epoch=2)
    assert "initial_lr" not in another.param_groups[0]
    good = module.StepLR(optimizer, 3)
    state = [dict(group) for group in optimizer.param_groups]
    wrong: list[tuple[Callable[[], Any], type[Exception], str]] = [
        (lambda: module.LambdaLR(optimizer, [abs]), ValueError, "Expected 2 lr_lambdas"),
        (lambda: module.MultiplicativeLR(optimizer, 3), TypeError, "should be a function"),
        (lambda: module.ConstantLR(optimizer, 1.5), ValueError, "between 0 and 1"),
        (lambda: module.LinearLR(optimizer, 0.0), ValueError, "greater than 0"),
        (lambda: module.LinearLR(optimizer, 0.5, 1.5), ValueError, "between 0 and 1"),
        (lambda: module.PolynomialLR(optimizer, 0), ValueError, "greater than zero"),
        (lambda: module.CosineDecayLR(optimizer, 0), ValueError, "greater than zero"),
        (lambda: module.CosineAnnealingWarmRestarts(optimizer, 0), ValueError, "positive integer T_0"),
        (lambda: module.CosineAnnealingWarmRestarts(optimizer, 2, 0), ValueError, "T_mult >= 1"),
        (lambda: module.CyclicLR(optimizer, 0.1, [0.2]), ValueError, "Expected 2 max_lr"),
        (lambda: module.CyclicLR(optimizer, 0.1, 0.2, mode="square"), ValueError, "mode is invalid"),
        (lambda: module.OneCycleLR(optimizer, 0.1), ValueError, "either total_steps OR"),
        (lambda: module.OneCycleLR(optimizer, 0.1, epochs=2, steps_per_epoch=0), ValueError, "positive integer steps_per_epoch"),
        (lambda: module.OneCycleLR(optimizer, 0.1, 5, pct_start=2), ValueError, "pct_start"),
        (lambda: module.OneCycleLR(optimizer, 0.1, 5, anneal_strategy="x"), ValueError, "anneal_strategy"),
        (lambda: module.ReduceLROnPlateau(optimizer, factor=1.0), ValueError, "Factor should be < 1.0"),
        (lambda: module.ReduceLROnPlateau(optimizer, mode="x"), ValueError, "mode x is unknown"),
        (lambda: module.ReduceLROnPlateau(optimizer, threshold_mode="x"), ValueError, "threshold mode x is unknown"),
        (lambda: module.ReduceLROnPlateau(optimizer, min_lr=[0.1]), ValueError, "Expected 2 min_lrs"),
        (lambda: module.SequentialLR(optimizer, [], []), ValueError, "at least one scheduler"),
        (lambda: module.SequentialLR(optimizer, [3], []), TypeError, "at index 0 should have `optimizer`"),
        (lambda: module.SequentialLR(optimizer, [good], [3]), ValueError, "one more than the number of milestone"),
        (lambda: module.SequentialLR(another, [good], []), ValueError, "belong to the same optimizer"),
        (lambda: module.SequentialLR(optimizer, [good], [], interval_rescaling=[True]), ValueError, "interval_rescaling"),
        (lambda: module.ChainedScheduler([]), ValueError, "at least one scheduler"),
        (lambda: module.ChainedScheduler([module.ReduceLROnPlateau(optimizer)]), ValueError, "ReduceLROnPlateau"),
        (lambda: module.WarmUpLR(3), ValueError, "LRScheduler or an Optimizer"),
        (lambda: module.WarmUpLR(optimizer, warmup_method="x"), ValueError, "'linear' or 'constant'"),
        (lambda: module.WarmUpLR(optimizer, warmup_iters=0), ValueError, "can't be equal to 0"),
        (lambda: module.WarmUpLR(module.ReduceLROnPlateau(optimizer)), ValueError, "ReduceLROnPlateau"),
    ]  # fmt: skip
    for call, kind, text in wrong:
        with pytest.raises(kind, match=text):
            call()
        assert [dict(group) for group in optimizer.param_groups] == state, text
    plain = flow.optim.SGD([flow.ones(1, requires_grad=True)], lr=1.0)
    plain.defaults.pop("momentum")
    with pytest.raises(ValueError, match="support momentum or beta1"):
        module.CyclicLR(plain, 0.1, 0.2)
    assert plain.param_groups[0]["lr"] == 1.0


def test_more_steps_than_a_cycle_has() -> None:
    _, mine = optimizers()
    scheduler = flow.optim.lr_scheduler.OneCycleLR(mine, 0.5, 3)
    for _ in range(3):
        mine.step()
        scheduler.step()
    before = lrs(mine)
    with pytest.raises(ValueError, match="Tried to step 4 times"):
        scheduler.step()
    assert lrs(mine) == before


@pytest.mark.parametrize(
    "make",
    [
        lambda s, o: s.OneCycleLR(o, 0.1, 10),
        lambda s, o: s.CyclicLR(o, 0.01, 0.1),
        lambda s, o: s.StepLR(o, 1),
        lambda s, o: s.ReduceLROnPlateau(o, patience=0),
        lambda s, o: s.CosineAnnealingLR(o, 5),
        lambda s, o: s.SequentialLR(o, [s.StepLR(o, 1), s.ExponentialLR(o, 0.5)], [1]),
        lambda s, o: s.ChainedScheduler([s.StepLR(o, 1), s.ExponentialLR(o, 0.5)]),
    ],
)
def test_a_tensor_stays_the_lr(make: Any) -> None:
    """Others may hold it: it gets the values, and what was read of it before keeps its own."""
    seen = []
    for module in (flow, torch):
        p, lr = module.ones(1, requires_grad=True), module.tensor(0.5, dtype=module.float64)
        optimizer = module.optim.SGD([p], lr=lr, momentum=0.5)
        scheduler = make(module.optim.lr_scheduler, optimizer)
        rates, read = [], []
        for _ in range(3):
            p.grad = module.ones(1)
            optimizer.step()
            scheduler.step(*([1.0] if type(scheduler).__name__ == "ReduceLROnPlateau" else []))
            assert optimizer.param_groups[0]["lr"] is lr
            rates.append(lr.item())
            read.append(scheduler.get_last_lr()[0])
        assert [float(rate) for rate in read] == rates
        seen.append(rates)
    assert seen[0] == pytest.approx(seen[1], rel=1e-6)

"""Passes that are resumed: in the same order with the same bits, on other numbers of ranks, and whatever was fetched ahead."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

import tritonflow as flow
from tritonflow.errors import ArgumentTypeError, ArgumentValueError
from tritonflow.utils.data import (
    BatchSampler,
    DataLoader,
    DistributedSampler,
    IterableDataset,
    RandomSampler,
    SequentialSampler,
    SubsetRandomSampler,
    WeightedRandomSampler,
)
from tritonflow.wire.world import this_rank

N = 24


class Numbers:
    """Sample i is i."""

    def __init__(self, n: int = N) -> None:
        self.n = n

    def __len__(self) -> int:
        return self.n

    def __getitem__(self, i: int) -> int:
        return i


def through_json(state: Any) -> Any:
    return json.loads(json.dumps(state))


SAMPLERS: dict[str, Callable[[Any], Any]] = {
    "random": lambda g: RandomSampler(range(N), generator=g),
    "some": lambda g: RandomSampler(range(10), num_samples=N, generator=g),
    "again": lambda g: RandomSampler(range(5), replacement=True, num_samples=N, generator=g),
    "subset": lambda g: SubsetRandomSampler(range(N), generator=g),
    "weighted": lambda g: WeightedRandomSampler([1.0, 2.0, 3.0], N, generator=g),
    "in order": lambda g: SequentialSampler(range(N)),
}


@pytest.mark.parametrize("own", [False, True])
@pytest.mark.parametrize("name", SAMPLERS)
def test_samplers_go_on(name: str, own: bool) -> None:
    make = SAMPLERS[name]
    expected_of = make(flow.Generator().manual_seed(5) if own else None)
    flow.manual_seed(1)
    expected = [list(expected_of) for _ in range(3)]
    for taken in (0, 1, 7, N - 1, N):
        flow.manual_seed(1)
        first = make(flow.Generator().manual_seed(5) if own else None)
        found = [list(first)]
        found.append([index for _, index in zip(range(taken), iter(first))])
        random, state = flow.get_rng_state(), through_json(first.state_dict())
        flow.manual_seed(2)
        again = make(flow.Generator().manual_seed(9) if own else None)
        again.load_state_dict(state)
        flow.set_rng_state(random)
        found[1] += list(again)
        found.append(list(again))
        assert found == expected, taken


def test_a_state_over_another_dataset_is_refused() -> None:
    for make in (lambda n: RandomSampler(range(n)), lambda n: DistributedSampler(range(n), 1, 0)):
        with pytest.raises(ArgumentValueError, match="the state is of a pass over 4 samples, and this one has 5"):
            make(5).load_state_dict(make(4).state_dict())


# ------------------------------------------------------------------------------------------------------------- loaders


def batches_of(loader: DataLoader) -> list[list[int]]:
    return [batch.tolist() for batch in loader]


@pytest.mark.parametrize("workers", [0, 2])
@pytest.mark.parametrize("options", [{"shuffle": True}, {}, {"shuffle": True, "drop_last": True}, {"batch_size": None}])
def test_loaders_go_on(options: dict[str, Any], workers: int) -> None:
    """Batches that workers have fetched ahead are handed out again, and later passes are the same."""

    def made() -> DataLoader:
        return DataLoader(Numbers(), **{"batch_size": 5, "num_workers": workers, "collate_fn": flow.tensor, **options})

    flow.manual_seed(1)
    reference = made()
    expected = [batches_of(reference) for _ in range(2)]
    for taken in (1, 3, len(expected[0])):
        flow.manual_seed(1)
        loader = made()
        passing = iter(loader)
        found = [next(passing).tolist() for _ in range(taken)]
        random, state = flow.get_rng_state(), through_json(loader.state_dict())
        del passing
        flow.manual_seed(7)
        again = made()
        again.load_state_dict(state)
        flow.set_rng_state(random)
        assert found + batches_of(again) == expected[0]
        assert batches_of(again) == expected[1]


class Stream(IterableDataset[int]):
    def __iter__(self) -> Any:
        return iter(range(3))


def test_loaders_without_a_state_say_so() -> None:
    class Own(BatchSampler):
        pass

    for loader in (
        DataLoader(Stream()),
        DataLoader(Numbers(), sampler=[1, 2]),
        DataLoader(Numbers(), batch_sampler=Own(RandomSampler(range(N)), 2, False)),
    ):
        with pytest.raises(ArgumentTypeError, match="which has no state"):
            loader.state_dict()


# --------------------------------------------------------------------------------------------------------------- ranks


def part(state: Any, epoch: int, batch: int, steps: int | None, options: dict[str, Any]) -> Any:
    """What this rank sees of a pass in so many steps, and the state behind them."""
    sampler = DistributedSampler(Numbers(options.pop("n", N)), seed=3, **options)
    loader = DataLoader(sampler.dataset, batch, sampler=sampler, collate_fn=flow.tensor)
    if state is not None:
        loader.load_state_dict(state)
    sampler.set_epoch(epoch)
    seen = []
    for k, numbers in enumerate(loader):
        seen += numbers.tolist()
        if k + 1 == steps:
            break
    return seen, through_json(loader.state_dict())


def seen_on(ranks: int, *arguments: Any, **options: Any) -> tuple[list[int], Any]:
    found = flow.testing.simulate(ranks)(lambda: part(*arguments, dict(options)))()
    assert all(state == found[0][1] for _, state in found), "the state is the same on all ranks"
    assert len({len(seen) for seen, _ in found}) == 1, "all ranks make as many steps"
    return [i for seen, _ in found for i in seen], found[0][1]


@pytest.mark.parametrize("shuffle", [True, False])
@pytest.mark.parametrize("before", [1, 2, 3, 4])
def test_each_sample_once_per_epoch_on_any_number_of_ranks(before: int, shuffle: bool) -> None:
    for now in (1, 2, 3, 4):
        first, state = seen_on(before, None, 0, 12 // before, 1, shuffle=shuffle)
        rest, end = seen_on(now, state, 0, 12 // now, None, shuffle=shuffle)
        assert sorted(first + rest) == list(range(N)), (before, now)
        assert end["sampler"]["consumed"] == N
        whole, _ = seen_on(now, end, 1, 2, None, shuffle=shuffle)
        assert sorted(whole) == list(range(N)), "the next epoch is a whole one"


def test_three_times_another_world() -> None:
    """48 samples: 4 on 4 ranks, 6 on 3, 10 on 2, the rest on 1."""
    seen, state = [], None
    for ranks, batch, steps in ((4, 1, 1), (3, 2, 1), (2, 5, 1), (1, 7, None)):
        more, state = seen_on(ranks, state, 0, batch, steps, n=48)
        seen += more
    assert sorted(seen) == list(range(48))


@pytest.mark.parametrize("drop_last", [False, True])
def test_uneven_rests_are_padded_or_dropped_as_whole_epochs_are(drop_last: bool) -> None:
    first, state = seen_on(2, None, 0, 3, 1, n=23, drop_last=drop_last)
    rest, _ = seen_on(4, state, 0, 2, None, n=23, drop_last=drop_last)
    counts = Counter(first + rest)
    if drop_last:
        assert len(counts) == 6 + 16 and set(counts.values()) == {1}
    else:
        assert len(counts) == 23 and sum(counts.values()) == 6 + 20


def test_the_world_is_that_of_the_program() -> None:
    assert flow.testing.simulate(2)(lambda: list(DistributedSampler(range(4), shuffle=False)))() == [[0, 2], [1, 3]]
    assert flow.testing.simulate(2)(lambda: this_rank().index == DistributedSampler(range(4)).rank)() == [True, True]


# ---------------------------------------------------------------------------------------------------- moments of saving

MOMENTS = ["before", "began", "mid", "last", "after"]


def states_of_ranks(make: Any, world: int, moment: str) -> tuple[list[int], list[dict[str, Any]]]:
    """What the ranks have seen of the second pass when each of them saves, and the states; the first pass is behind them."""
    seen: list[int] = []
    states = []
    for rank in range(world):
        loader = make(world, rank)
        set_epoch(loader, 0)
        for _ in loader:
            pass
        if moment != "before":
            set_epoch(loader, 1)
            batches = iter(loader)
            for _ in range({"began": 0, "mid": 2}.get(moment, len(loader))):
                seen += next(batches).tolist()
            if moment == "after":
                assert next(batches, None) is None
        states.append(loader.state_dict())
    return seen, states


def set_epoch(loader: Any, epoch: int) -> None:
    if isinstance(loader.sampler, DistributedSampler):
        loader.sampler.set_epoch(epoch)


@pytest.mark.parametrize("workers", [0, 2])
@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize("moment", MOMENTS)
def test_every_moment_of_saving(moment: str, shuffle: bool, workers: int) -> None:
    """What is left of the pass comes, or a whole new one where it was at its end; each sample once in a pass."""
    data = Numbers()

    def make(world: int, rank: int) -> Any:
        return DataLoader(data, batch_size=4, shuffle=shuffle, num_workers=workers)

    seen, (state,) = states_of_ranks(make, 1, moment)
    loader = make(1, 0)
    loader.load_state_dict(state)
    passes = [[i for batch in loader for i in batch.tolist()] for _ in range(2)]
    if moment in ("before", "after"):
        assert sorted(passes[0]) == list(range(24))
    else:
        assert sorted(seen + passes[0]) == list(range(24))
    assert sorted(passes[1]) == list(range(24))


@pytest.mark.parametrize("after", [1, 2, 3, 4])
@pytest.mark.parametrize("before", [1, 2, 3, 4])
@pytest.mark.parametrize("moment", MOMENTS)
def test_every_moment_on_other_ranks(moment: str, before: int, after: int) -> None:
    data = Numbers()

    def make(world: int, rank: int) -> Any:
        return DataLoader(data, batch_size=1, sampler=DistributedSampler(data, world, rank))

    seen, states = states_of_ranks(make, before, moment)
    assert all(state == {**states[0], "base_seed": state["base_seed"]} for state in states)
    came: list[int] = []
    new: list[int] = []
    for rank in range(after):
        loader = make(after, rank)
        loader.load_state_dict(states[0])
        if moment != "after":  # the loop of the second pass goes on
            set_epoch(loader, 1)
            came += [i for batch in loader for i in batch.tolist()]
        set_epoch(loader, 2)
        new += [i for batch in loader for i in batch.tolist()]
    assert sorted(new) == list(range(24)) and (moment == "after" or set(seen + came) == set(range(24)))
    if (24 - len(seen)) % after == 0:
        assert sorted(seen + came) == list(range(24))

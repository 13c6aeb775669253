"""DataLoader: batches equal torch's, from this process and from workers."""

from __future__ import annotations

import collections
import random

import numpy
import pytest
import torch

import tritonflow as flow
from tritonflow.utils.data import (
    BatchSampler,
    ConcatDataset,
    DataLoader,
    Dataset,
    IterableDataset,
    RandomSampler,
    SequentialSampler,
    Subset,
    SubsetRandomSampler,
    TensorDataset,
    WeightedRandomSampler,
    default_collate,
    default_convert,
    get_worker_info,
    random_split,
)

Point = collections.namedtuple("Point", ["x", "y"])


class Squares(Dataset):
    """Sample i is an array, a number and a text."""

    def __init__(self, n: int = 10) -> None:
        self.n = n

    def __len__(self) -> int:
        return self.n

    def __getitem__(self, i: int):
        if i >= self.n:
            raise IndexError(i)
        return {"array": numpy.full((2, 3), i, numpy.float32), "number": i * i, "text": f"sample {i}"}


class Stream(IterableDataset):
    def __iter__(self):
        info = get_worker_info()
        start, step = (0, 1) if info is None else (info.id, info.num_workers)
        return iter(range(start, 7, step))


class Draws(Dataset):
    """Each sample is drawn: by tritonflow, NumPy and Python; and the seed of the worker that drew it."""

    def __len__(self) -> int:
        return 6

    def __getitem__(self, i: int):
        info = get_worker_info()
        ours = flow.rand(1).item(), flow.randint(1 << 30, (1,)).item()
        dropped = flow.nn.functional.dropout(flow.ones(64), 0.5).nonzero().sum().item()
        drawn = (*ours, dropped, numpy.random.rand(), random.random())
        return drawn, i, flow.initial_seed(), flow.initial_seed() if info is None else info.seed


class DrawnStream(IterableDataset):
    def __iter__(self):
        return (flow.rand(1).item() for _ in range(3))


class Shuffled(Draws):
    """Draws while it is asked, from whichever generator the process has."""

    def __getitem__(self, i: int):
        flow.rand(3)
        return i


def add_to_seed(worker: int) -> None:
    flow.manual_seed(1000 + worker)


class Failing(Squares):
    def __getitem__(self, i: int):
        if i == 5:
            raise ValueError("sample 5 is bad")
        return super().__getitem__(i)


class Ours(Dataset):
    """Samples are computed with tritonflow, in whichever process asks."""

    def __len__(self) -> int:
        return 6

    def __getitem__(self, i: int):
        return flow.ones(3) * i + 1


def values(batches):
    return [{k: v if isinstance(v, list) else v.tolist() for k, v in b.items()} for b in batches]


@pytest.mark.parametrize("workers", [0, 2])
@pytest.mark.parametrize("options", [{}, {"batch_size": 4}, {"batch_size": 4, "drop_last": True}])
def test_batches_are_torchs(workers, options):
    ours = list(DataLoader(Squares(), num_workers=workers, **options))
    theirs = list(torch.utils.data.DataLoader(Squares(), **options))
    assert values(ours) == values(theirs)
    assert all(isinstance(b["array"], flow.Tensor) and isinstance(b["number"], flow.Tensor) for b in ours)
    assert ours[0]["array"].dtype == flow.float32 and ours[0]["number"].dtype == flow.int64


@pytest.mark.parametrize("workers", [0, 2])
def test_shuffling_depends_on_the_seed_alone(workers):
    def order():
        flow.manual_seed(3)
        loader = DataLoader(Squares(32), batch_size=8, shuffle=True, num_workers=workers)
        return [[n for b in loader for n in b["number"].tolist()] for _ in range(2)]

    first, second = order()
    assert first != second and sorted(first) == sorted(second) == [i * i for i in range(32)]
    assert order() == [first, second]


@pytest.mark.parametrize("workers", [0, 2])
def test_without_batches(workers):
    out = list(DataLoader(Squares(3), batch_size=None, num_workers=workers))
    assert [tuple(b["array"].shape) for b in out] == [(2, 3)] * 3 and out[2]["number"] == 4


@pytest.mark.parametrize("workers", [0, 2])
def test_iterable(workers):
    out = [x for b in DataLoader(Stream(), batch_size=2, num_workers=workers) for x in b.tolist()]
    assert sorted(out) == list(range(7))


@pytest.mark.parametrize("workers", [0, 1])
def test_an_error_in_a_sample_is_raised(workers):
    with pytest.raises(ValueError, match="sample 5 is bad"):
        list(DataLoader(Failing(), batch_size=2, num_workers=workers))


def test_workers_compute_with_tritonflow():
    (flow.ones(100, 100) + 1).sum().item()  # the parent has used its threads before the fork
    loader = DataLoader(Ours(), batch_size=3, num_workers=2, persistent_workers=True)
    for _ in range(2):
        assert [b[:, 0].tolist() for b in loader] == [[1, 2, 3], [4, 5, 6]]


def passes(n: int, **options):
    """The batches of n passes, each of the default seed 7."""
    flow.manual_seed(7)
    loader = DataLoader(Draws(), batch_size=None, **options)
    return [[(tuple(drawn), i, initial, seed) for drawn, i, initial, seed in loader] for _ in range(n)]


def test_each_worker_draws_numbers_of_its_own():
    first, second = passes(2, num_workers=2)
    for column in (0, 1, 2, 3, 4):
        assert len({row[0][column] for row in first + second}) == 12
    assert [row[2] for row in first] == [row[3] for row in first]  # the worker's seed is the generator's
    base = first[0][3]
    assert [row[3] - base for row in first] == [0, 1] * 3  # the base seed + the worker's number
    assert second[0][3] != base
    assert passes(2, num_workers=2) == [first, second]
    flow.manual_seed(8)
    assert next(iter(DataLoader(Draws(), batch_size=None, num_workers=1)))[3] != base


def test_a_worker_draws_what_its_seed_gives():
    for drawn, _, _, seed in passes(1, num_workers=2)[0][:2]:
        flow.manual_seed(seed)
        assert drawn[0] == flow.rand(1).item() and drawn[-1] == random.Random(seed).random()


class OthersDraws(Dataset):
    """What NumPy and Python draw."""

    def __len__(self) -> int:
        return 6

    def __getitem__(self, i: int):
        return numpy.random.rand(), random.random(), get_worker_info().seed


def test_numpy_and_python_draw_what_torchs_workers_draw():
    loader = DataLoader(OthersDraws(), batch_size=None, num_workers=2)
    for _ in range(2):
        ours = list(loader)
        source = torch.Generator().manual_seed(loader._base_seed)
        theirs = torch.utils.data.DataLoader(OthersDraws(), batch_size=None, num_workers=2, generator=source)
        assert ours == [tuple(drawn) for drawn in theirs]


@pytest.mark.filterwarnings("ignore:'pin_memory' argument is set as true")
@pytest.mark.parametrize("data", [Ours(), Stream()], ids=["samples", "stream"])
def test_pinned_batches(data):
    def batches(**options):
        return [batch.tolist() for batch in DataLoader(data, batch_size=2, num_workers=2, **options)]

    assert batches(pin_memory=True) == batches()


@pytest.mark.parametrize("start", ["spawn", "forkserver"])
def test_however_workers_start(start):
    assert passes(1, num_workers=2, multiprocessing_context=start) == passes(1, num_workers=2)


def test_persistent_workers_go_on_drawing():
    first, second = passes(2, num_workers=2, persistent_workers=True)
    assert first == passes(1, num_workers=2)[0]
    assert len({row[0][0] for row in first + second}) == 12 and [row[3] for row in first] == [row[3] for row in second]


def test_streams_draw_alone():
    out = [x for b in DataLoader(DrawnStream(), batch_size=1, num_workers=2) for x in b.tolist()]
    assert len(out) == len(set(out)) == 6


def test_a_generator_gives_order_and_seeds():
    def run(seed):
        flow.manual_seed(seed)
        own = flow.Generator().manual_seed(5)
        loader = DataLoader(Draws(), batch_size=None, shuffle=True, num_workers=2, generator=own)
        assert loader.generator is own
        return [(tuple(drawn), i, seed) for drawn, i, _, seed in loader]

    assert run(0) == run(1)


def test_worker_init_fn_comes_after_the_seed():
    loader = DataLoader(Draws(), batch_size=None, num_workers=2, worker_init_fn=add_to_seed)
    assert [row[2] for row in loader] == [1000, 1001] * 3
    loader.worker_init_fn = None  # a program may set it later
    assert all(row[2] == row[3] for row in loader)


@pytest.mark.parametrize("generator", [None, 4])
@pytest.mark.parametrize(
    "make",
    [
        lambda g: {"shuffle": True},
        lambda g: {"sampler": RandomSampler(range(6), replacement=True, num_samples=5000, generator=g)},
        lambda g: {"sampler": RandomSampler(range(6), num_samples=15, generator=g)},
        lambda g: {"sampler": WeightedRandomSampler([1.0] * 6, 1500, generator=g)},
        lambda g: {"sampler": SubsetRandomSampler(range(6), generator=g)},
    ],
)
def test_an_order_does_not_depend_on_the_number_of_workers(make, generator):
    def order(workers, **options):
        flow.manual_seed(2)
        own = None if generator is None else flow.Generator().manual_seed(generator)
        options = {"batch_size": 50, "num_workers": workers, "generator": own, **make(own), **options}
        plain, drawing = (DataLoader(data, **options) for data in (range(6), Shuffled()))
        return [[i for batch in loader for i in batch.tolist()] for loader in (plain, plain, drawing)]

    assert order(0) == order(2) == order(1, persistent_workers=True)


def test_received_tensors_are_ordinary():
    (batch,) = DataLoader(Squares(4), batch_size=4, num_workers=1)
    batch["array"] += 1
    assert (batch["array"] * 2).sum().item() == 2 * 6 * (1 + 2 + 3 + 4)


def test_own_collate_and_samplers():
    loader = DataLoader(Squares(), batch_sampler=BatchSampler(SequentialSampler(range(5)), 2, False), collate_fn=len)
    assert list(loader) == [2, 2, 1] and len(loader) == 3
    assert [b["number"].item() for b in DataLoader(Squares(), sampler=[3, 1])] == [9, 1]


@pytest.mark.parametrize(
    "options",
    [
        {"num_workers": -1},
        {"batch_size": 0},
        {"shuffle": True, "sampler": [1]},
        {"shuffle": True, "batch_sampler": [[1]]},
        {"batch_size": None, "drop_last": True},
        {"timeout": -1},
        {"prefetch_factor": 2},
        {"persistent_workers": True},
    ],
)
def test_bad_options(options):
    with pytest.raises(ValueError):
        DataLoader(Squares(), **options)
    with pytest.raises(TypeError):
        DataLoader(Squares(), batchsize=3)


def test_tensor_dataset_and_split():
    data = TensorDataset(flow.ones(5, 2), flow.tensor([0, 1, 2, 3, 4]))
    assert len(data) == 5 and data[3][1].item() == 3 and data[-1][1].item() == 4
    with pytest.raises(AssertionError, match="Size mismatch between tensors"):
        TensorDataset(flow.ones(5), flow.ones(4))
    with pytest.raises(IndexError):
        data[5]
    parts = random_split(data, [0.5, 0.3, 0.2])
    assert [len(p) for p in parts] == [3, 1, 1]
    assert sorted(int(p[i][1].item()) for p in parts for i in range(len(p))) == [0, 1, 2, 3, 4]
    with pytest.raises(ValueError, match="Sum of input lengths"):
        random_split(data, [3, 3])
    with pytest.raises(ValueError):
        random_split(data, [1.5, -0.5])
    assert len(ConcatDataset([data, Subset(data, [0, 1])])) == 7


def test_samplers():
    assert sorted(RandomSampler(range(7))) == list(range(7)) and len(RandomSampler(range(7))) == 7
    assert len(list(RandomSampler(range(3), num_samples=8))) == 8
    drawn = list(RandomSampler(range(3), replacement=True, num_samples=50))
    assert len(drawn) == 50 and set(drawn) == {0, 1, 2}
    assert list(RandomSampler([])) == []
    assert sorted(SubsetRandomSampler([4, 9, 2])) == [2, 4, 9]
    for arguments in ({"replacement": 3}, {"num_samples": 0}, {"num_samples": -1}):
        with pytest.raises((TypeError, ValueError)):
            RandomSampler(range(3), **arguments)


def test_weighted_sampler():
    drawn = list(WeightedRandomSampler([0.0, 1.0, 3.0], 4000))
    assert set(drawn) == {1, 2} and 2.5 < drawn.count(2) / drawn.count(1) < 3.6
    assert sorted(WeightedRandomSampler([1.0, 0.0, 2.0, 5.0], 3, replacement=False)) == [0, 2, 3]
    for arguments in (([], 1), ([-1.0], 1), ([1.0], 0), ([0.0], 1), ([1.0, 0.0], 2, False)):
        with pytest.raises(ValueError):
            WeightedRandomSampler(*arguments)


def test_distributed_sampler():
    for n in (10, 11, 3):
        for drop in (False, True):
            ours = [flow.utils.data.DistributedSampler(range(n), 4, r, shuffle=False, drop_last=drop) for r in range(4)]
            theirs = [
                torch.utils.data.DistributedSampler(range(n), 4, r, shuffle=False, drop_last=drop) for r in range(4)
            ]
            assert [list(s) for s in ours] == [list(s) for s in theirs] and len(ours[0]) == len(theirs[0])
    shuffled = [flow.utils.data.DistributedSampler(range(8), 2, r) for r in range(2)]
    first = [list(s) for s in shuffled]
    assert sorted(first[0] + first[1]) == list(range(8))
    for s in shuffled:
        s.set_epoch(1)
    assert [list(s) for s in shuffled] != first
    with pytest.raises(ValueError, match="Invalid rank 2"):
        flow.utils.data.DistributedSampler(range(8), 2, 2)


# ---------------------------------------------------------------------------------------------- collation


@pytest.mark.parametrize(
    "batch",
    [
        [1, 2],
        [1.5, 2.5],
        [True, False],
        [numpy.float32(1), numpy.float32(2)],
        [numpy.zeros(2, numpy.int32), numpy.ones(2, numpy.int32)],
        [(1, numpy.ones(2)), (2, numpy.zeros(2))],
        [{"a": 1, "b": [1, 2]}, {"a": 2, "b": [3, 4]}],
        [Point(1, 2.0), Point(3, 4.0)],
        ["a", "b"],
    ],
)
def test_collate_is_torchs(batch):
    def show(value):
        if isinstance(value, (flow.Tensor, torch.Tensor)):
            return str(value.dtype).split(".")[-1], value.tolist()
        if isinstance(value, dict):
            return {k: show(v) for k, v in value.items()}
        return (type(value).__name__, [show(v) for v in value]) if isinstance(value, (list, tuple)) else value

    assert show(default_collate(batch)) == show(torch.utils.data.default_collate(batch))


def test_collate_tensors():
    for make in (flow.ones, torch.ones):
        out = default_collate([make(2, 3), make(2, 3) * 2])
        assert isinstance(out, flow.Tensor) and out.shape == (2, 2, 3) and out[1, 0, 0].item() == 2
    half = default_collate([flow.ones(2, dtype=flow.bfloat16)] * 3)
    assert half.dtype == flow.bfloat16 and half.shape == (3, 2)
    x = flow.ones(2, requires_grad=True)
    default_collate([x, x]).sum().backward()
    assert x.grad.tolist() == [2, 2]


def test_bad_collation():
    with pytest.raises(RuntimeError, match=r"equal size, but got \[2\] at entry 0 and \[3\] at entry 1"):
        default_collate([numpy.ones(2), numpy.ones(3)])
    with pytest.raises(RuntimeError, match="should be of equal size"):
        default_collate([[1], [1, 2]])
    with pytest.raises(TypeError, match="found <class 'object'>"):
        default_collate([object(), object()])
    with pytest.raises(TypeError, match="dtype"):
        default_collate([numpy.array(["a"]), numpy.array(["b"])])


def test_convert():
    out = default_convert({"a": numpy.ones(2), "b": "text", "c": [torch.ones(1), 3]})
    assert isinstance(out["a"], flow.Tensor) and isinstance(out["c"][0], flow.Tensor) and out["c"][1] == 3

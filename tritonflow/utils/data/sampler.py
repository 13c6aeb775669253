"""Samplers: in which order a dataset's indices are visited. Random ones draw from tritonflow's generator."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Sized
from typing import Any

from tritonflow import _C, dtypes
from tritonflow.binding import new_tensors
from tritonflow.functions.random_generator import Generator
from tritonflow.utils.data.torch_classes import Sampler


def drawn_by(generator: Generator | None) -> dict[str, Any]:
    """Options of a function that draws: on the generator's device, which need not be the default one; without one, none."""
    return {} if generator is None else {"generator": generator, "device": generator.device}


def stream_of_pass(generator: Generator | None) -> Generator:
    """What one pass draws from: the given generator, or a new one that the default generator seeds.

    So what a program draws between two batches, or how many batches workers fetch ahead, does not change an order.
    """
    if generator is not None:
        return generator
    return Generator().manual_seed(int(_C.randint(0, 2**31 - 1, (1,)).item()))


def permutation(n: int, generator: Generator | None = None) -> list[int]:
    """The numbers 0 to n - 1 in random order."""
    return _C.randperm(n, **drawn_by(generator)).tolist()


class RandomSampler(Sampler[int]):
    """All indices in random order, or `num_samples` draws with replacement.

    Args:
        data_source: the dataset.
        replacement: whether an index may come twice.
        num_samples: how many to draw; the dataset's size if None.
        generator: where randomness comes from; the default generator if None.

    Raises:
        TypeError: `replacement` is no bool.
        ValueError: `num_samples` is not positive.

    Source: torch.utils.data.RandomSampler.

    Example:
        >>> from tritonflow.utils.data import RandomSampler
        >>> sorted(RandomSampler(range(5)))
        [0, 1, 2, 3, 4]
    """

    def __init__(
        self, data_source: Sized, replacement: bool = False, num_samples: int | None = None, generator: Generator | None = None
    ) -> None:
        if not isinstance(replacement, bool):
            raise TypeError(f"replacement should be a boolean value, but got replacement={replacement}")
        if num_samples is not None and (not isinstance(num_samples, int) or num_samples <= 0):
            raise ValueError(f"num_samples should be a positive integer value, but got num_samples={num_samples}")
        self.data_source = data_source
        self.replacement = replacement
        self.generator = generator
        self._num_samples = num_samples

    @property
    def num_samples(self) -> int:
        """How many indices one pass yields."""
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __len__(self) -> int:
        return self.num_samples

    def __iter__(self) -> Iterator[int]:
        n, left = len(self.data_source), self.num_samples
        source = drawn_by(stream_of_pass(self.generator))
        while left > 0 and n > 0:
            if self.replacement:
                drawn = _C.randint(0, n, (min(left, 4096),), **source).tolist()
            else:
                drawn = _C.randperm(n, **source).tolist()[:left]
            yield from drawn
            left -= len(drawn)


class SubsetRandomSampler(Sampler[int]):
    """Given indices in random order.

    Source: torch.utils.data.SubsetRandomSampler.
    """

    def __init__(self, indices: Sequence[int], generator: Generator | None = None) -> None:
        self.indices = indices
        self.generator = generator

    def __iter__(self) -> Iterator[int]:
        for i in permutation(len(self.indices), self.generator):
            yield self.indices[i]

    def __len__(self) -> int:
        return len(self.indices)


class WeightedRandomSampler(Sampler[int]):
    """Indices drawn with probabilities in proportion to their weights.

    With replacement an index is where the weights' running sum passes a uniform draw. Without, it is by the exponential
    race: the smallest of `-log(u) / w` come first.

    Args:
        weights: one for each index, not negative.
        num_samples: how many to draw.
        replacement: whether an index may come twice.
        generator: where randomness comes from.

    Raises:
        ValueError: `num_samples` is not positive, weights that are no vector of numbers from 0.

    Source: torch.utils.data.WeightedRandomSampler.
    """

    def __init__(
        self, weights: Sequence[float], num_samples: int, replacement: bool = True, generator: Generator | None = None
    ) -> None:
        if not isinstance(num_samples, int) or isinstance(num_samples, bool) or num_samples <= 0:
            raise ValueError(f"num_samples should be a positive integer value, but got num_samples={num_samples}")
        if not isinstance(replacement, bool):
            raise ValueError(f"replacement should be a boolean value, but got replacement={replacement}")
        self.weights = [float(w) for w in weights]
        if not self.weights or min(self.weights) < 0 or sum(self.weights) <= 0:
            raise ValueError("weights should be numbers of at least 0, one of them positive")
        if not replacement and num_samples > sum(w > 0 for w in self.weights):
            raise ValueError("num_samples is more than there are positive weights; draw with replacement")
        self.num_samples = num_samples
        self.replacement = replacement
        self.generator = generator

    def __len__(self) -> int:
        return self.num_samples

    def __iter__(self) -> Iterator[int]:
        source = drawn_by(stream_of_pass(self.generator))
        weights = new_tensors.tensor(self.weights, dtype=dtypes.float64, device=source["device"])
        if not self.replacement:
            race = -_C.rand((len(self.weights),), dtype=dtypes.float64, **source).log() / weights
            yield from race.argsort().tolist()[: self.num_samples]
            return
        sums = weights.cumsum(0)
        for start in range(0, self.num_samples, 1024):
            count = min(1024, self.num_samples - start)
            drawn = _C.rand((count, 1), dtype=dtypes.float64, **source) * sums[-1]
            yield from (drawn >= sums.unsqueeze(0)).sum(1).tolist()

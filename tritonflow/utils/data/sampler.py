"""Samplers: in which order a dataset's indices are visited. Random ones draw from tritonflow's generator.

A pass can be resumed: a sampler's state is what the pass draws from, and how many samples of it are consumed. What a loader has
fetched ahead does not count: it says how many samples it has handed out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Sized
from itertools import islice
from typing import Any

from tritonflow import _C, dtypes
from tritonflow.binding import new_tensors
from tritonflow.errors import ArgumentValueError
from tritonflow.functions.random_generator import Generator
from tritonflow.utils.data.torch_classes import Sampler
from tritonflow.utils.data.torch_classes import SequentialSampler as TorchSequentialSampler


def drawn_by(generator: Generator | None) -> dict[str, Any]:
    """Options of a function that draws: on the generator's device, which need not be the default one; without one, none."""
    return {} if generator is None else {"generator": generator, "device": generator.device}


def permutation(n: int, generator: Generator | None = None) -> list[int]:
    """The numbers 0 to n - 1 in random order."""
    return _C.randperm(n, **drawn_by(generator)).tolist()


class CountedSampler(Sampler[int]):
    """A sampler that knows how many samples of the current pass all ranks have consumed, and can begin a pass behind them.

    A subclass has `_begin`, `_rest` and `_length`.
    """

    _consumed = 0
    _resumes = False  # whether the next pass is the rest of one
    _has_begun = False  # whether the next iterator is of a pass that has begun
    _has_ended = False  # whether the last pass has come to its end, so that nothing of it is to be resumed
    _at_once = 1  # samples that the ranks consume together where this one consumes one
    counts_itself = True  # a loader counts what it hands out, and not what it asks for

    def _begin(self) -> None:
        """Begin a pass that is not the rest of one."""

    def _rest(self, consumed: int) -> Iterable[int]:
        """The indices for this rank behind so many samples of the current pass."""
        raise NotImplementedError

    def _length(self) -> int:
        """How many samples a pass has for all ranks."""
        raise NotImplementedError

    def begin_pass(self) -> None:
        """Begin the pass of the next iterator now, not with its first index: a state that is taken in between is of that pass."""
        if not self._resumes:
            self._consumed = 0
            self._begin()
        self._resumes = self._has_ended = False
        self._has_begun = True

    def end_pass(self) -> None:
        """Say that a loader has handed out all."""
        self._has_ended = True

    def __iter__(self) -> Iterator[int]:
        if not self._has_begun:
            self.begin_pass()
        self._has_begun = False
        consumed = self._consumed
        for index in self._rest(consumed):
            consumed += self._at_once
            if self.counts_itself:
                self._consumed = consumed
            yield index
        if self.counts_itself:
            self.end_pass()

    def hand_out(self, samples: int) -> None:
        """Count samples that a loader has handed out on this rank, and so on the others."""
        self._consumed = min(self._consumed + samples * self._at_once, self._length())

    def _count(self) -> dict[str, Any]:
        """How much of the pass is consumed, for `_take_count`."""
        return {"consumed": self._consumed, "length": self._length(), "ended": self._has_ended}

    def _take_count(self, state: dict[str, Any]) -> None:
        """Take over how many samples are consumed. Behind the end of a pass the next one is a new one.

        Raises:
            ArgumentValueError: it was a pass over another number of samples.
        """
        length, own = state["length"], self._length()
        if length != own:
            raise ArgumentValueError(
                f"{type(self).__name__}.load_state_dict(): the state is of a pass over {length} samples, and this one has {own}"
            )
        self._consumed, self._has_ended, self._has_begun = int(state["consumed"]), bool(state.get("ended")), False
        self._resumes = not self._has_ended


class ResumableSampler(CountedSampler):
    """A sampler for one rank, or for ranks that have the same samples. A subclass has `_order`, and a length.

    What one pass draws from is the given generator, or a new one that the default generator seeds. So what a program draws
    between two batches, or how many batches workers fetch ahead, does not change an order.

    Attributes:
        generator: where randomness comes from; the default generator if None.
    """

    generator: Generator | None = None
    _epoch = 0  # passes begun
    _began: tuple[int, int] = 0, 0  # the state of the generator when the last one began
    _is_random = True

    def _order(self, stream: dict[str, Any]) -> Iterator[int]:
        """The indices of a pass, given the options of functions that draw."""
        raise NotImplementedError

    def _begin(self) -> None:
        self._epoch += 1
        if not self._is_random:
            return
        if self.generator is not None:
            self._began = Generator.get_state(self.generator)  # the pair, whatever a subclass gives
        else:
            self._began = int(_C.randint(0, 2**31 - 1, (1,)).item()), 0

    def _rest(self, consumed: int) -> Iterable[int]:
        if not self._is_random:
            return islice(self._order({}), consumed, None)
        stream = Generator() if self.generator is None else self.generator
        stream.set_state(self._began)
        return islice(self._order(drawn_by(stream)), consumed, None)

    def _length(self) -> int:
        return len(self)  # type: ignore[arg-type]

    def state_dict(self) -> dict[str, Any]:
        """The current pass: (epoch, seed, consumed samples), how many there are in all, and whether it has ended.

        Example:
            >>> from tritonflow.utils.data import RandomSampler
            >>> sampler = RandomSampler(range(100))
            >>> first = [index for _, index in zip(range(60), sampler)]
            >>> again = RandomSampler(range(100))
            >>> again.load_state_dict(sampler.state_dict())
            >>> sorted(first + list(again)) == list(range(100))
            True
        """
        return {"epoch": self._epoch, "seed": self._began, **self._count()}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Go on with a pass: the next one has the samples that were not consumed.

        Raises:
            ArgumentValueError: it was a pass over another number of samples.
        """
        self._take_count(state_dict)
        seed, offset = state_dict["seed"]
        self._epoch, self._began = int(state_dict["epoch"]), (int(seed), int(offset))
        self._resumes &= self._epoch > 0
        if self._has_ended and self.generator is not None:
            for _ in self._rest(0):  # which moves the generator to where the pass has left it
                pass


class SequentialSampler(ResumableSampler, TorchSequentialSampler):
    """All indices in order.

    Source: torch.utils.data.SequentialSampler.
    """

    def _order(self, stream: dict[str, Any]) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    _is_random = False


class RandomSampler(ResumableSampler):
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

    def _order(self, stream: dict[str, Any]) -> Iterator[int]:
        n, left = len(self.data_source), self.num_samples
        while left > 0 and n > 0:
            if self.replacement:
                drawn = _C.randint(0, n, (min(left, 4096),), **stream).tolist()
            else:
                drawn = _C.randperm(n, **stream).tolist()[:left]
            yield from drawn
            left -= len(drawn)


class SubsetRandomSampler(ResumableSampler):
    """Given indices in random order.

    Source: torch.utils.data.SubsetRandomSampler.
    """

    def __init__(self, indices: Sequence[int], generator: Generator | None = None) -> None:
        self.indices = indices
        self.generator = generator

    def _order(self, stream: dict[str, Any]) -> Iterator[int]:
        for i in permutation(len(self.indices), stream["generator"]):
            yield self.indices[i]

    def __len__(self) -> int:
        return len(self.indices)


class WeightedRandomSampler(ResumableSampler):
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

    def _order(self, stream: dict[str, Any]) -> Iterator[int]:
        weights = new_tensors.tensor(self.weights, dtype=dtypes.float64, device=stream["device"])
        if not self.replacement:
            race = -_C.rand((len(self.weights),), dtype=dtypes.float64, **stream).log() / weights
            yield from race.argsort().tolist()[: self.num_samples]
            return
        sums = weights.cumsum(0)
        for start in range(0, self.num_samples, 1024):
            count = min(1024, self.num_samples - start)
            drawn = _C.rand((count, 1), dtype=dtypes.float64, **stream) * sums[-1]
            yield from (drawn >= sums.unsqueeze(0)).sum(1).tolist()

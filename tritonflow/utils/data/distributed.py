"""The share of each rank in a dataset."""

from __future__ import annotations

import math
from collections.abc import Sized
from typing import Any

from tritonflow.functions.random_generator import Generator
from tritonflow.utils.data.sampler import CountedSampler, permutation
from tritonflow.utils.data.torch_classes import process_group


class DistributedSampler(CountedSampler):
    """Every `num_replicas`-th index from `rank` on, of an order that all ranks draw alike.

    Its state is (seed, epoch, samples consumed by all ranks). It may be loaded on another number of ranks: what is left of the pass
    is dealt out to them, and no sample is lost or comes twice.

    Args:
        dataset: the dataset.
        num_replicas, rank: of how many processes this is which; of the world if None.
        shuffle: whether to draw a new order for each epoch, set by `set_epoch`.
        seed: of the order.
        drop_last: drop indices that don't fill a round; otherwise the first ones come again.

    Raises:
        ValueError: `rank` is not below `num_replicas`.

    Source: torch.utils.data.DistributedSampler.

    Example:
        >>> from tritonflow.utils.data import DistributedSampler
        >>> list(DistributedSampler(range(5), num_replicas=2, rank=1, shuffle=False))
        [1, 3, 0]
    """

    def __init__(
        self,
        dataset: Sized,
        num_replicas: int | None = None,
        rank: int | None = None,
        shuffle: bool = True,
        seed: int = 0,
        drop_last: bool = False,
    ) -> None:
        if num_replicas is None or rank is None:
            world, own = process_group()
            num_replicas = world if num_replicas is None else num_replicas
            rank = own if rank is None else rank
        if not 0 <= rank < num_replicas:
            raise ValueError(f"Invalid rank {rank}, rank should be in the interval [0, {num_replicas - 1}]")
        self.dataset = dataset
        self.num_replicas = num_replicas
        self.rank = rank
        self.shuffle = shuffle
        self.seed = seed
        self.drop_last = drop_last
        self.epoch = 0
        self._at_once = num_replicas
        rounds = len(dataset) / num_replicas
        self.num_samples = math.floor(rounds) if drop_last else math.ceil(rounds)
        self.total_size = self.num_samples * num_replicas

    def _rest(self, consumed: int) -> list[int]:
        """What is left for this rank of an order, behind what all ranks have consumed of it."""
        n = len(self.dataset)
        order = permutation(n, Generator().manual_seed(self.seed + self.epoch)) if self.shuffle else list(range(n))
        left = max(n - consumed, 0)
        total = (left if self.drop_last else left + self.num_replicas - 1) // self.num_replicas * self.num_replicas
        rest = order[consumed:]
        while order and len(rest) < total:
            rest += order[: total - len(rest)]
        return rest[self.rank : total : self.num_replicas]

    def _length(self) -> int:
        return len(self.dataset)

    def __len__(self) -> int:
        return self.num_samples

    def set_epoch(self, epoch: int) -> None:
        """Say which epoch comes, so that it has an order of its own. That of a state that was loaded goes on where it was."""
        if epoch != self.epoch:
            self._resumes = self._has_ended = False
            self._consumed = 0
        self.epoch = epoch

    def state_dict(self) -> dict[str, Any]:
        """The current pass.

        Example:
            >>> from tritonflow.utils.data import DistributedSampler
            >>> first = DistributedSampler(range(12), num_replicas=3, rank=0)
            >>> half = [index for _, index in zip(range(2), first)]  # and so do the others
            >>> rest = [DistributedSampler(range(12), num_replicas=2, rank=rank) for rank in range(2)]
            >>> for sampler in rest:
            ...     sampler.load_state_dict(first.state_dict())
            >>> [len(list(sampler)) for sampler in rest]
            [3, 3]
        """
        return {"seed": self.seed, "epoch": self.epoch, **self._count()}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Go on with a pass: the next one has this rank's part of the samples that were not consumed.

        Raises:
            ArgumentValueError: the dataset has another number of samples.
        """
        self._take_count(state_dict)
        self.seed, self.epoch = int(state_dict["seed"]), int(state_dict["epoch"])

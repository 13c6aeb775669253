"""The share of each rank in a dataset."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sized

from tritonflow.functions.random_generator import Generator
from tritonflow.utils.data.sampler import permutation
from tritonflow.utils.data.torch_classes import Sampler, process_group


class DistributedSampler(Sampler[int]):
    """Every `num_replicas`-th index from `rank` on, of an order that all ranks draw alike.

    Args:
        dataset: the dataset.
        num_replicas, rank: of how many processes this is which; of the process group if None.
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
        rounds = len(dataset) / num_replicas
        self.num_samples = math.floor(rounds) if drop_last else math.ceil(rounds)
        self.total_size = self.num_samples * num_replicas

    def __iter__(self) -> Iterator[int]:
        order = list(range(len(self.dataset)))
        if self.shuffle:
            order = permutation(len(order), Generator().manual_seed(self.seed + self.epoch))
        while order and len(order) < self.total_size:
            order += order[: self.total_size - len(order)]
        return iter(order[self.rank : self.total_size : self.num_replicas])

    def __len__(self) -> int:
        return self.num_samples

    def set_epoch(self, epoch: int) -> None:
        """Say which epoch comes, so that it has an order of its own."""
        self.epoch = epoch

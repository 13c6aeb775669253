"""What tritonflow's datasets, samplers and loader take from torch.utils.data: its classes, its worker processes."""

from __future__ import annotations

from typing import Any

import torch
from torch.utils.data import (
    BatchSampler,
    ChainDataset,
    ConcatDataset,
    DataLoader,
    Dataset,
    IterableDataset,
    Sampler,
    SequentialSampler,
    StackDataset,
    Subset,
    _DatasetKind,
    get_worker_info,
)
from torch.utils.data.dataloader import _MultiProcessingDataLoaderIter

from tritonflow.wire.world import this_rank

__all__ = [
    "BatchSampler",
    "ChainDataset",
    "ConcatDataset",
    "DataLoader",
    "Dataset",
    "IterableDataset",
    "Sampler",
    "SequentialSampler",
    "StackDataset",
    "Subset",
    "fetcher",
    "get_worker_info",
    "process_group",
    "seed_source",
    "worker_batches",
]


def fetcher(loader: Any) -> Any:
    """What fetches a loader's batches in the calling thread."""
    return _DatasetKind.create_fetcher(
        loader._dataset_kind, loader.dataset, loader._auto_collation, loader.collate_fn, loader.drop_last
    )


def seed_source(seed: int) -> Any:
    """torch's generator, of which torch's iterator draws the base seed of the workers."""
    return torch.Generator().manual_seed(seed)


def worker_batches(loader: Any) -> Any:
    """Start a loader's workers: torch's iterator over what they send."""
    return _MultiProcessingDataLoaderIter(loader)


def process_group() -> tuple[int, int]:
    """How many processes there are, and which of them this one is: those of torch's process group, if the program has one."""
    group = torch.distributed
    if group.is_available() and group.is_initialized():
        return group.get_world_size(), group.get_rank()
    return this_rank().world_size, this_rank().index

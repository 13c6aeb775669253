"""Datasets, samplers and the loader: torch's interfaces and worker processes, with tritonflow's tensors.

`Dataset`, `Subset` and the like are torch's own classes, so datasets written for torch work unchanged. Shuffling draws from
tritonflow's generator, and batches are tritonflow's tensors.
"""

from tritonflow.utils.data.collate import default_collate, default_convert
from tritonflow.utils.data.dataset import TensorDataset, random_split
from tritonflow.utils.data.distributed import DistributedSampler
from tritonflow.utils.data.loader import DataLoader
from tritonflow.utils.data.sampler import RandomSampler, SequentialSampler, SubsetRandomSampler, WeightedRandomSampler
from tritonflow.utils.data.torch_classes import (
    BatchSampler,
    ChainDataset,
    ConcatDataset,
    Dataset,
    IterableDataset,
    Sampler,
    StackDataset,
    Subset,
    get_worker_info,
)

__all__ = [
    "BatchSampler",
    "ChainDataset",
    "ConcatDataset",
    "DataLoader",
    "Dataset",
    "DistributedSampler",
    "IterableDataset",
    "RandomSampler",
    "Sampler",
    "SequentialSampler",
    "StackDataset",
    "Subset",
    "SubsetRandomSampler",
    "TensorDataset",
    "WeightedRandomSampler",
    "default_collate",
    "default_convert",
    "get_worker_info",
    "random_split",
]

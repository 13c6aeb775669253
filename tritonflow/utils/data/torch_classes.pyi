"""The classes of torch.utils.data to checkers, which need not read torch for them."""

from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from typing import Any, Generic, Protocol, TypeVar

T_co = TypeVar("T_co", covariant=True)

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
]

class Source(Protocol[T_co]):
    """What samples are taken from by number: a dataset of ours or torch's, a list."""

    def __getitem__(self, index: int, /) -> T_co: ...

class SizedSource(Source[T_co], Protocol[T_co]):
    """The same, with a length."""

    def __len__(self) -> int: ...

class Dataset(Generic[T_co]):
    def __getitem__(self, index: Any) -> T_co: ...
    def __add__(self, other: Dataset[T_co]) -> ConcatDataset[T_co]: ...

class IterableDataset(Dataset[T_co], Iterable[T_co]):
    def __iter__(self) -> Iterator[T_co]: ...

class StackDataset(Dataset[Any]):
    datasets: Any
    def __init__(self, *args: SizedSource[Any], **kwargs: SizedSource[Any]) -> None: ...
    def __len__(self) -> int: ...

class ConcatDataset(Dataset[T_co]):
    datasets: list[Any]
    cumulative_sizes: list[int]
    def __init__(self, datasets: Iterable[Source[T_co]]) -> None: ...
    def __len__(self) -> int: ...

class ChainDataset(IterableDataset[Any]):
    datasets: Iterable[Any]
    def __init__(self, datasets: Iterable[Iterable[Any]]) -> None: ...
    def __len__(self) -> int: ...

class Subset(Dataset[T_co]):
    dataset: Any
    indices: Sequence[int]
    def __init__(self, dataset: Source[T_co], indices: Sequence[int]) -> None: ...
    def __len__(self) -> int: ...

class Sampler(Generic[T_co]):
    def __init__(self, data_source: Sized | None = None) -> None: ...
    def __iter__(self) -> Iterator[T_co]: ...

class SequentialSampler(Sampler[int]):
    data_source: Sized
    def __init__(self, data_source: Sized) -> None: ...
    def __len__(self) -> int: ...

class BatchSampler(Sampler[list[int]]):
    sampler: Iterable[int]
    batch_size: int
    drop_last: bool
    def __init__(self, sampler: Iterable[int], batch_size: int, drop_last: bool) -> None: ...
    def __len__(self) -> int: ...

class DataLoader(Generic[T_co]):
    dataset: Any
    batch_size: int | None
    num_workers: int
    pin_memory: bool
    drop_last: bool
    timeout: float
    sampler: Any
    batch_sampler: Any
    collate_fn: Callable[..., Any]
    generator: Any
    prefetch_factor: int | None
    persistent_workers: bool
    def __init__(self, *args: Any, **options: Any) -> None: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[T_co]: ...
    @property
    def _index_sampler(self) -> Iterable[Any]: ...

class WorkerInfo:
    id: int
    num_workers: int
    seed: int
    dataset: Any

def get_worker_info() -> WorkerInfo | None: ...
def fetcher(loader: DataLoader[Any]) -> Any: ...
def seed_source() -> Any: ...
def process_group() -> tuple[int, int]: ...

_DatasetKind: Any

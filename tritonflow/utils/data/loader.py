"""DataLoader: torch's loader with tritonflow's samplers and collation. Batches are tritonflow's tensors.

Without workers, samples are fetched in the calling thread. Workers are torch's processes. They send torch tensors in shared memory,
and the receiving side makes tensors over the same memory, without copying.

Each pass draws a base seed. Worker i starts with the seed base + i: torch seeds its own generator, NumPy's and Python's with it,
and we seed tritonflow's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from tritonflow import _C
from tritonflow.binding import data_exchange
from tritonflow.errors import ArgumentTypeError, type_name
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.random_generator import manual_seed
from tritonflow.utils.data.collate import default_collate, default_convert, map_leaves
from tritonflow.utils.data.sampler import CountedSampler, RandomSampler, SequentialSampler, drawn_by
from tritonflow.utils.data.torch_classes import (
    BatchSampler,
    IterableDataset,
    fetcher,
    get_worker_info,
    seed_source,
    worker_batches,
)
from tritonflow.utils.data.torch_classes import DataLoader as TorchDataLoader

if TYPE_CHECKING:
    from torch import Tensor as TorchTensor


class StatelessLoader(TorchDataLoader[Any]):
    """Batches of a dataset; see `DataLoader`. It has no state, as torch's: libraries take one with `state_dict` for torchdata's."""

    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Any = None,
        batch_sampler: Any = None,
        num_workers: int = 0,
        collate_fn: Callable[..., Any] | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0,
        worker_init_fn: Callable[[int], None] | None = None,
        multiprocessing_context: Any = None,
        generator: Any = None,
        **options: Any,
    ) -> None:
        if sampler is None and shuffle and not isinstance(dataset, IterableDataset):
            if batch_sampler is not None:
                raise ValueError(
                    "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last"
                )
            sampler, shuffle = RandomSampler(dataset, generator=generator), None
        elif sampler is None and batch_sampler is None and not shuffle and not isinstance(dataset, IterableDataset):
            sampler, shuffle = SequentialSampler(dataset), None
        if collate_fn is None:
            collate_fn = default_convert if batch_size is None and batch_sampler is None else default_collate
        super().__init__(
            dataset,
            batch_size,
            shuffle,
            sampler,
            batch_sampler,
            num_workers,
            collate_fn,
            pin_memory,
            drop_last,
            timeout,
            worker_init_fn,
            multiprocessing_context,
            generator,
            **options,
        )
        batches: Any = self.batch_sampler
        self._is_plain = type(batches) is BatchSampler
        sampler = self.sampler if batches is None else batches.sampler if self._is_plain else None
        self._counted = sampler if isinstance(sampler, CountedSampler) else None
        self._batch_length = 1 if batches is None else batches.batch_size if self._is_plain else 0
        if self._counted is not None:
            self._counted.counts_itself = False

    def __iter__(self) -> Iterator[Any]:  # type: ignore[override]
        # also where no worker starts: the order of a shuffle depends neither on their number nor on whether they persist
        if self._resumes:
            self._resumes = False
        else:
            self._base_seed = int(_C.randint(0, 2**31 - 1, (1,), **drawn_by(self.generator)).item())
        if self._counted is not None:
            self._counted.begin_pass()
        batches = super().__iter__()
        return _Pass(self, _received(batches) if self.num_workers > 0 else batches)

    _resumes = False  # whether the next pass is the rest of one
    _base_seed: int | None = None  # of the last pass

    def _get_iterator(self) -> Any:
        return worker_batches(_WithWorkers(self, self._base_seed)) if self.num_workers > 0 else PassInProcess(self)


class DataLoader(StatelessLoader):
    """Batches of a dataset, in order or shuffled, in this process or from worker processes.

    Args:
        dataset: map-style (`__getitem__`, `__len__`) or an IterableDataset.
        batch_size: samples in a batch; None: samples as they are.
        shuffle: whether to visit the samples in a new random order in each pass.
        sampler, batch_sampler: orders of your own.
        num_workers: processes that fetch; 0: none.
        collate_fn: from a list of samples to a batch; `default_collate` unless given.
        pin_memory: whether batches from workers are put into pinned host memory, for faster copies to a GPU.
        drop_last: leave out a last batch that is not full.
        timeout: seconds to wait for a worker; 0: for ever.
        worker_init_fn: called in each worker with its number, after the worker's generators were seeded.
        multiprocessing_context: how workers start, 'fork', 'spawn' or 'forkserver'.
        generator: of the shuffling and of the workers' seeds; the default generator if None.
        prefetch_factor: batches fetched ahead by each worker.
        persistent_workers: keep the workers for the next pass.

    Source: torch.utils.data.DataLoader.

    Example:
        >>> import tritonflow as flow
        >>> data = flow.utils.data.TensorDataset(flow.ones(5, 2), flow.tensor([0, 1, 2, 3, 4]))
        >>> for x, y in flow.utils.data.DataLoader(data, batch_size=2):
        ...     print(tuple(x.shape), y.tolist())
        (2, 2) [0, 1]
        (2, 2) [2, 3]
        (1, 2) [4]
    """

    def state_dict(self) -> dict[str, Any]:
        """The current pass: the state of the sampler behind the batches that were handed out, and the seed of workers.

        Batches that were fetched ahead do not count. What workers draw for themselves begins anew where a pass is resumed.

        Raises:
            ArgumentTypeError: the sampler has no state, as that of an IterableDataset.

        Example:
            >>> import tritonflow as flow
            >>> loader = flow.utils.data.DataLoader(flow.utils.data.TensorDataset(flow.arange(6)), batch_size=2)
            >>> first = next(iter(loader))
            >>> state = loader.state_dict()
            >>> loader.load_state_dict(state)
            >>> [batch[0].tolist() for batch in loader]
            [[2, 3], [4, 5]]
        """
        return {"sampler": self._resumable("state_dict").state_dict(), "base_seed": self._base_seed}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Go on with a pass: the next one has the batches that were not handed out. Batches may have another size then.

        A state behind the end of a pass, where a loop over it has ended, is followed by a whole new one.

        Raises:
            ArgumentTypeError: as of `state_dict`.
            ArgumentValueError: the dataset has another number of samples.
        """
        self._resumable("load_state_dict").load_state_dict(state_dict["sampler"])
        self._base_seed = state_dict["base_seed"]
        self._resumes = self._base_seed is not None and not state_dict["sampler"].get("ended")

    def _resumable(self, called: str) -> CountedSampler:
        """The sampler that is counted.

        Raises:
            ArgumentTypeError: there is none.
        """
        if self._counted is None:
            kind = type_name(self.sampler if self.batch_sampler is None or self._is_plain else self.batch_sampler)
            raise ArgumentTypeError(f"DataLoader.{called}(): the order is of a {kind}, which has no state")
        return self._counted


class _WithWorkers:
    """A loader as torch's iterator sees it, which starts the workers.

    Attributes:
        generator: torch's, of which the iterator draws the base seed.
        worker_init_fn: what a worker calls first.
        collate_fn: from a list of samples to what a worker sends.
    """

    def __init__(self, loader: Any, base_seed: int) -> None:
        self._loader = loader
        self.generator = seed_source(base_seed)
        self.worker_init_fn = _Seeding(loader.worker_init_fn)
        self.collate_fn = _Sending(loader.collate_fn)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)


class PassInProcess:
    """One pass in the calling thread, over any object that torch's passes take for a loader."""

    def __init__(self, loader: Any) -> None:
        self._indices = iter(loader._index_sampler)
        self._fetcher = fetcher(loader)

    def __iter__(self) -> PassInProcess:
        return self

    def __next__(self) -> Any:
        return self._fetcher.fetch(next(self._indices))


class _Pass:
    """One pass, which tells a sampler with a state how many samples it has handed out."""

    def __init__(self, loader: StatelessLoader, batches: Iterator[Any]) -> None:
        self._batches, self._sampler, self._samples = batches, loader._counted, loader._batch_length

    def __iter__(self) -> _Pass:
        return self

    def __next__(self) -> Any:
        try:
            batch = next(self._batches)
        except StopIteration:
            if self._sampler is not None:
                self._sampler.end_pass()
            raise
        if self._sampler is not None:
            self._sampler.hand_out(self._samples)
        return batch


def pass_with_workers(loader: Any, base_seed: int) -> Iterator[Any]:
    """One pass over what workers of any such object send."""
    return _received(worker_batches(_WithWorkers(loader, base_seed)))


def _received(batches: Iterator[Any]) -> Iterator[Any]:
    """What workers send."""
    for batch in batches:
        yield map_leaves(batch, lambda leaf: leaf.receive() if isinstance(leaf, _Parcel) else leaf)


class _Seeding:
    """A worker's first call: tritonflow's generators get the seed that torch gave to its own."""

    def __init__(self, then: Callable[[int], None] | None) -> None:
        self.then = then

    def __call__(self, worker: int) -> None:
        info = get_worker_info()
        assert info is not None  # this is a worker
        manual_seed(info.seed)
        if self.then is not None:
            self.then(worker)


class _Sending:
    """A collate function as a worker runs it: tensors of ours leave as torch tensors."""

    def __init__(self, collate_fn: Callable[..., Any]) -> None:
        self.collate_fn = collate_fn

    def __call__(self, samples: Any) -> Any:
        batch = self.collate_fn(samples)
        return map_leaves(batch, lambda leaf: _Parcel(_on_host(leaf)) if isinstance(leaf, Tensor) else leaf)


class _Parcel:
    """A tensor on its way from a worker; torch moves the memory."""

    def __init__(self, tensor: TorchTensor) -> None:
        self.tensor = tensor

    def pin_memory(self, device: Any = None) -> _Parcel:
        return _Parcel(self.tensor.pin_memory())

    def receive(self) -> Tensor:
        return data_exchange.from_torch(self.tensor)


def _on_host(tensor: Tensor) -> TorchTensor:
    if tensor.device.type != "cpu":
        raise RuntimeError("a DataLoader's worker made a tensor on a GPU. help: move batches in the main process")
    # a copy of its own: sending moves a torch tensor's memory, which must not happen to the pool's
    return data_exchange.to_torch(tensor.detach()).clone()

"""`torch.utils.data.dataloader`: passes over a loader, as libraries with loaders of their own make them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tritonflow import _C
from tritonflow.utils.data.loader import PassInProcess as _SingleProcessDataLoaderIter  # noqa: F401
from tritonflow.utils.data.loader import StatelessLoader as DataLoader  # noqa: F401
from tritonflow.utils.data.loader import pass_with_workers
from tritonflow.utils.data.torch_classes import _DatasetKind  # noqa: F401


class _MultiProcessingDataLoaderIter:
    """A pass over what workers send, which have a base seed of the default generator."""

    def __init__(self, loader: Any) -> None:
        self._batches = pass_with_workers(loader, int(_C.randint(0, 2**31 - 1, (1,)).item()))

    def __iter__(self) -> Iterator[Any]:
        return self._batches

    def __next__(self) -> Any:
        return next(self._batches)

"""`torch.utils.data`: its loader has no state. There are data pipes, but not those that torch has ready: some know its tensors."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from tritonflow.mock_torch.torch_names import shared_module
from tritonflow.utils.data.loader import StatelessLoader as DataLoader  # noqa: F401

_torch = shared_module("torch.utils.data")


class _Functional:
    """What both classes of pipes do with the methods that `functional_datapipe` gives them."""

    functions: dict[str, Callable[..., Any]]

    def __getattr__(self, name: str) -> Any:
        if name in self.functions:
            return functools.partial(self.functions[name], self)
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")


class IterDataPipe(_Functional, _torch.IterDataPipe):  # type: ignore[misc, name-defined]
    """A pipe whose samples come one after another."""

    functions: dict[str, Callable[..., Any]] = {}


class MapDataPipe(_Functional, _torch.MapDataPipe):  # type: ignore[misc, name-defined]
    """A pipe whose samples have keys."""

    functions: dict[str, Callable[..., Any]] = {}


class functional_datapipe:
    """Makes a class of pipes a method of all others: `pipe.name(...)` is `cls(pipe, ...)`."""

    def __init__(self, name: str, enable_df_api_tracing: bool = False) -> None:
        self.name = name

    def __call__(self, cls: Any) -> Any:
        for base in (IterDataPipe, MapDataPipe):
            if issubclass(cls, base):
                base.register_datapipe_as_function(self.name, cls)
        return cls

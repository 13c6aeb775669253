"""`SummaryWriter`: logs for TensorBoard, written by the package tensorboardX, or by torch and the package tensorboard."""

from __future__ import annotations

import functools
from importlib import import_module
from types import FunctionType
from typing import Any

from tritonflow.framework.tensor import Tensor

__all__ = ["SummaryWriter"]


class SummaryWriter:
    """Writes scalars, histograms, images and the rest to a log folder: the ecosystem's writer, which is given arrays for tensors.

    That is tensorboardX's where it is installed, else torch's, which needs the package tensorboard. Tensors of dtypes that NumPy
    lacks, such as bfloat16, are given as float32.

    Args:
        args, kwargs: of that writer, such as `log_dir`.

    Raises:
        ImportError: neither package is installed.

    Source: https://pytorch.org/docs/stable/tensorboard.html

    Example:
        >>> import tritonflow as flow
        >>> from tritonflow.utils.tensorboard import SummaryWriter
        >>> with SummaryWriter("runs/1") as writer:  # doctest: +SKIP
        ...     writer.add_scalar("loss", flow.tensor(0.5), 0)
        ...     writer.add_histogram("weight", model.weight, 0)
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._writer = _writer_class()(*args, **kwargs)

    def add_graph(self, *args: Any, **kwargs: Any) -> None:
        """Not here: the other writers trace modules of torch.

        Raises:
            NotImplementedError: says how to draw a graph.
        """
        raise NotImplementedError(
            "SummaryWriter.add_graph(): graphs are not written to TensorBoard; help: flow.compile(model) and, behind a call, "
            "explain().save('graph.html') draw it"
        )

    def __getattr__(self, name: str) -> Any:
        if name == "_writer":
            raise AttributeError(name)
        value = getattr(self._writer, name)
        return _given_arrays(value) if callable(value) else value

    def __enter__(self) -> SummaryWriter:
        return self

    def __exit__(self, *error: object) -> None:
        self._writer.close()


def _writer_class() -> Any:
    try:
        return import_module("tensorboardX").SummaryWriter
    except ImportError:
        pass
    try:
        from torch.utils.tensorboard import SummaryWriter as Theirs
    except ImportError:
        raise ImportError(
            "SummaryWriter needs the package tensorboardX, or tensorboard. help: pip install tensorboardX"
        ) from None
    return Theirs


def summary_function(name: str) -> Any:
    """A function of the writer's package that makes what is written, such as `hparams`; None if it has none of this name."""
    package = _writer_class().__module__.rpartition(".")[0]
    found = getattr(import_module(f"{package}.summary"), name, None)
    return _given_arrays(found) if isinstance(found, FunctionType) else found


def _given_arrays(function: Any) -> Any:
    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        return function(*_arrays(args), **_arrays(kwargs))

    return call


def _arrays(value: Any) -> Any:
    """The same structure with NumPy arrays for tensors."""
    if isinstance(value, Tensor):
        x: Any = value.detach().cpu()  # type: ignore[attr-defined]
        return (x if x.dtype.has_numpy else x.float()).numpy()
    if isinstance(value, dict):
        return {key: _arrays(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        items = [_arrays(each) for each in value]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    return value

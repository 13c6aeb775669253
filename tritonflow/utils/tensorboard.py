"""`SummaryWriter`: logs for TensorBoard, written by the package tensorboardX."""

from __future__ import annotations

import functools
from importlib import import_module
from typing import Any

from tritonflow.framework.tensor import Tensor

__all__ = ["SummaryWriter"]


class SummaryWriter:
    """Writes scalars, histograms, images and the rest to a log folder: tensorboardX's writer, which is given arrays for tensors.

    Args:
        args, kwargs: of `tensorboardX.SummaryWriter`, such as `log_dir`.

    Raises:
        ImportError: tensorboardX is not installed.

    Source: https://pytorch.org/docs/stable/tensorboard.html

    Example:
        >>> import tritonflow as flow
        >>> from tritonflow.utils.tensorboard import SummaryWriter
        >>> with SummaryWriter("runs/1") as writer:  # doctest: +SKIP
        ...     writer.add_scalar("loss", flow.tensor(0.5), 0)
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        try:
            package = import_module("tensorboardX")
        except ImportError:
            raise ImportError("SummaryWriter needs the package tensorboardX. help: pip install tensorboardX") from None
        self._writer = package.SummaryWriter(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        if name == "_writer":
            raise AttributeError(name)
        value = getattr(self._writer, name)
        if not callable(value):
            return value

        @functools.wraps(value)
        def call(*args: Any, **kwargs: Any) -> Any:
            return value(*_arrays(args), **_arrays(kwargs))

        return call

    def __enter__(self) -> SummaryWriter:
        return self

    def __exit__(self, *error: object) -> None:
        self._writer.close()


def _arrays(value: Any) -> Any:
    """The same structure with NumPy arrays for tensors."""
    if isinstance(value, Tensor):
        return value.detach().cpu().numpy()  # type: ignore[attr-defined]
    if isinstance(value, dict):
        return {key: _arrays(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)([_arrays(each) for each in value])
    return value

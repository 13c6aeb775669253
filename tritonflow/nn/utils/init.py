"""Modules without initial values."""

from __future__ import annotations

import inspect
from typing import Any

from tritonflow.nn.init.without_grad import skipped
from tritonflow.nn.modules.module import Module

__all__ = ["skip_init"]


def skip_init(module_cls: Any, *args: Any, **kwargs: Any) -> Any:
    """A module whose parameters are not initialised, for one that is given values at once.

    Args:
        module_cls: a class of modules, whose constructor takes `device`.
        args, kwargs: of its constructor.

    Raises:
        RuntimeError: it is no class of modules, or takes no device.

    Source: https://pytorch.org/docs/stable/generated/torch.nn.utils.skip_init.html

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.utils.skip_init(flow.nn.Linear, 2, 3).weight.shape
        tritonflow.Size([3, 2])
    """
    if not (isinstance(module_cls, type) and issubclass(module_cls, Module)):
        raise RuntimeError(f"Expected a Module; got {module_cls}")
    if "device" not in inspect.signature(module_cls).parameters:
        raise RuntimeError("Module must support a 'device' arg to skip initialization")
    with skipped():
        return module_cls(*args, **kwargs)

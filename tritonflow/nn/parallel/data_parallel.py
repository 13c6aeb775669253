"""DataParallel: torch's wrapper for several GPUs of one process, which here runs on one device."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow.errors import InvalidArgumentError
from tritonflow.nn.modules.module import Module


class DataParallel(Module):
    """The module itself, under torch's name and with torch's `module.` prefix in state dicts.

    Args:
        module: what is called.
        device_ids: one device at most; `DistributedDataParallel` has a rank for each.
        output_device, dim: torch's, without a meaning for one device.

    Raises:
        RuntimeError: several devices.

    Source: torch.nn.DataParallel.

    Example:
        >>> import tritonflow as flow
        >>> model = flow.nn.parallel.DataParallel(flow.nn.Linear(2, 1))
        >>> list(model.state_dict())
        ['module.weight', 'module.bias']
    """

    def __init__(
        self, module: Module, device_ids: Sequence[Any] | None = None, output_device: Any = None, dim: int = 0
    ) -> None:
        super().__init__()
        if device_ids is not None and len(device_ids) > 1:
            raise InvalidArgumentError(
                f"DataParallel: one device of a process is used, but device_ids has {len(device_ids)};"
                " nn.parallel.DistributedDataParallel trains on several"
            )
        self.dim = dim
        self.module = module
        self.device_ids = list(device_ids) if device_ids is not None else []
        self.output_device = output_device

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """What the module returns."""
        return self.module(*inputs, **kwargs)


def data_parallel(
    module: Module,
    inputs: Any,
    device_ids: Sequence[Any] | None = None,
    output_device: Any = None,
    dim: int = 0,
    module_kwargs: dict[str, Any] | None = None,
) -> Any:
    """`module(*inputs, **module_kwargs)` on one device."""
    arguments = inputs if isinstance(inputs, tuple) else (inputs,)
    return DataParallel(module, device_ids, output_device, dim)(*arguments, **(module_kwargs or {}))

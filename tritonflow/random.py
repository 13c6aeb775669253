"""`flow.random`: seeds and states of the default generators."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from typing import Any

from tritonflow.device.device import Device
from tritonflow.functions.random_generator import (
    default_generator as _default_generator,
)
from tritonflow.functions.random_generator import (
    get_rng_state,
    initial_seed,
    manual_seed,
    seed,
    set_rng_state,
)

__all__ = ["default_generator", "fork_rng", "get_rng_state", "initial_seed", "manual_seed", "seed", "set_rng_state"]

default_generator = _default_generator(Device("cpu"))


@contextlib.contextmanager
def fork_rng(
    devices: Iterable[Any] | None = None,
    enabled: bool = True,
    _caller: str = "fork_rng",
    _devices_kw: str = "devices",
    device_type: str = "cuda",
) -> Iterator[None]:
    """A block behind which the default generators go on where they stood before it.

    Args:
        devices: the GPUs whose generators are meant, beside the CPU's, as numbers or devices; None: all.
        enabled: whether the block does anything.
        device_type: the type of `devices` that are numbers.

    Source: torch.random.fork_rng.

    Example:
        >>> import tritonflow as flow
        >>> _ = flow.manual_seed(0)
        >>> with flow.random.fork_rng():
        ...     a = flow.rand(2)
        >>> bool((a == flow.rand(2)).all())
        True
    """
    if not enabled:
        yield
        return
    chosen = [default_generator, *[_default_generator(device) for device in _devices(devices, device_type)]]
    before = [(generator, generator.get_state()) for generator in chosen]
    try:
        yield
    finally:
        for generator, state in before:
            generator.set_state(state)


def _devices(devices: Iterable[Any] | None, device_type: str) -> list[Device]:
    if devices is None:
        from tritonflow import cuda

        devices = range(cuda.device_count() if device_type == "cuda" else 0)  # of `flow.cuda`, which counts its own
    return [Device(device_type, each) if isinstance(each, int) else Device(each) for each in devices]

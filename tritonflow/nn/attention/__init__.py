"""Which kernel attention runs with, under torch's names. There is one fused kernel here, and every choice means it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from enum import IntEnum


class SDPBackend(IntEnum):
    """torch's kernels of attention. All of them are the one kernel of `F.scaled_dot_product_attention` here.

    Source: torch.nn.attention.SDPBackend.

    Example:
        >>> SDPBackend.MATH.name
        'MATH'
    """

    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2
    CUDNN_ATTENTION = 3
    OVERRIDEABLE = 4


@contextmanager
def sdpa_kernel(backends: SDPBackend | Iterable[SDPBackend], set_priority: bool = False) -> Iterator[None]:
    """A context that says which kernels attention may use: as there is one, it checks its argument only.

    Raises:
        AssertionError: something else than kernels, or none.

    Source: torch.nn.attention.sdpa_kernel.

    Example:
        >>> with sdpa_kernel(SDPBackend.FLASH_ATTENTION):
        ...     pass
    """
    wanted = [backends] if isinstance(backends, SDPBackend) else list(backends)
    if not wanted or not all(isinstance(backend, SDPBackend) for backend in wanted):
        raise AssertionError("Backend must be an instance of SDPBackend or a list of SDPBackend instances")
    yield

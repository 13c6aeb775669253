"""Lists of tensors for kernels that work on many tensors in one launch: sorted by dtype and device, and made contiguous."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from tritonflow import _C
from tritonflow.framework.sbp import broadcast
from tritonflow.framework.tensor import Tensor


def batches(tensors: Iterable[Tensor], key: Callable[[Tensor], Any]) -> list[list[Tensor]]:
    """The tensors that one launch can work on together: those of one `key`, in their order."""
    found: dict[Any, list[Tensor]] = {}
    for tensor in tensors:
        found.setdefault(key(tensor), []).append(tensor)
    return list(found.values())


def layout_and_dtype(tensor: Tensor) -> Any:
    """The key of tensors that share a launch: those on one device, or over one placement with the same sbp."""
    return layout_and_dtype_of(tensor.meta)


@lru_cache(maxsize=1024)
def layout_and_dtype_of(meta: Any) -> Any:
    """The key of tensors with this meta."""
    return (meta.device if meta.is_local else (meta.placement, meta.sbp)), meta.dtype


def beside(number: Tensor, tensor: Tensor) -> Tensor:
    """A number where a launch on `tensor` can read it: on the same device, or broadcast over the same placement."""
    meta: Any = tensor.meta
    if meta.is_local:
        where: Any = number.meta
        if not where.is_local:
            number = number.to_global(where.placement, (broadcast,) * where.placement.ndim).to_local()
        return number.to(meta.device)  # type: ignore[no-any-return]
    return number.to_global(meta.placement, (broadcast,) * meta.placement.ndim)  # type: ignore[no-any-return]


def as_real(tensor: Tensor) -> Tensor:
    """A tensor, and of complex numbers their parts, which are elements of their own to optimizers."""
    return _C.view_as_real(tensor) if tensor.meta.dtype.is_complex else tensor  # type: ignore[no-any-return]


class InPlace:
    """Contiguous stand-ins for tensors that a launch wants contiguous, copied back afterwards; parts of complex numbers."""

    def __init__(self) -> None:
        self._copies: list[tuple[Tensor, Tensor]] = []

    def __enter__(self) -> InPlace:
        return self

    def written(self, tensors: list[Tensor]) -> tuple[Tensor, ...]:
        """Tensors that the launch reads and writes."""
        return tuple([t if t.meta.is_contiguous else self._stand_in(t) for t in map(as_real, tensors)])

    def read(self, tensors: list[Tensor]) -> tuple[Tensor, ...]:
        """Tensors that the launch only reads."""
        return tuple([t if t.meta.is_contiguous else _C.contiguous(t) for t in map(as_real, tensors)])

    def _stand_in(self, tensor: Tensor) -> Tensor:
        copy = _C.contiguous(tensor)
        self._copies.append((tensor, copy))
        return copy  # type: ignore[no-any-return]

    def __exit__(self, *error: object) -> None:
        for tensor, copy in self._copies:
            _C.copy_(tensor, copy)

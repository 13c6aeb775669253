"""What the autograd engine, a room above, needs of the functional one: set once, when the package is imported."""

from __future__ import annotations

from tritonflow import _C
from tritonflow.device.device import Device
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.tensor import Tensor
from tritonflow.functional import convert
from tritonflow.interpreter.grad_node import functional_hooks


def _zeros(meta: TensorMeta) -> Tensor:
    return _C.zeros(meta.shape, dtype=meta.dtype, device=meta.device)  # type: ignore[no-any-return]


def _to_device(x: Tensor, device: Device) -> Tensor:
    return convert.to_device(x, device)


def _has_nan(x: Tensor) -> bool:
    return bool(_C.any(_C.isnan(x)))


def install() -> None:
    """Fill the engine's hooks."""
    functional_hooks.update(
        zeros=_zeros,
        to_device=_to_device,
        has_nan=_has_nan,
        sum_to=_C.sum_to,
        cast=_C.cast,
        clone=_C.clone,
        copy=_C.copy_,
        fill=_C.fill_,
        add=_C.add,
        add_=_C.add_,
        cat=_C.cat,
        unsqueeze=_C.unsqueeze,
    )

"""The functions that the backward engine, a room below, calls. They are registered once, when the package is imported."""

from __future__ import annotations

from functools import partial
from typing import Any

from tritonflow.device.device import Device
from tritonflow.framework.tensor import Tensor
from tritonflow.functional import data_exchange
from tritonflow.functional.functors import reduction
from tritonflow.functional.functors.arithmetic import add
from tritonflow.functional.functors.cast import cast, clone, copy_, fill_
from tritonflow.functional.functors.creation import zeros
from tritonflow.functional.functors.generated import is_nan
from tritonflow.functional.functors.join import cat
from tritonflow.functional.functors.placement import to_global, whole
from tritonflow.functional.functors.view import unsqueeze
from tritonflow.interpreter.grad_node import functional_hooks


def _zeros(meta: Any) -> Tensor:
    if meta.is_local:
        return zeros(meta.shape, dtype=meta.dtype, device=meta.device)  # type: ignore[no-any-return]
    return zeros(meta.shape, dtype=meta.dtype, placement=meta.placement, sbp=whole(meta.sbp))  # type: ignore[no-any-return]


def _lay_out(grad: Tensor, meta: Any) -> Tensor:
    """A gradient as a consistent tensor of that meta lies, with broadcast for partial; itself if it lies so."""
    return to_global(grad, meta.placement, whole(meta.sbp))  # type: ignore[no-any-return]


def _to_device(x: Tensor, device: Device) -> Tensor:
    return data_exchange.to_device(x, device)


def _has_nan(x: Tensor) -> bool:
    return bool(reduction.any(is_nan(x)))


def install() -> None:
    """Fill the engine's hooks."""
    functional_hooks.update(
        zeros=_zeros,
        to_device=_to_device,
        lay_out=_lay_out,
        has_nan=_has_nan,
        sum_to=reduction.sum_to,
        cast=cast,
        clone=clone,
        copy=copy_,
        fill=fill_,
        add=add,
        add_=partial(add, inplace=True),
        cat=cat,
        unsqueeze=unsqueeze,
    )

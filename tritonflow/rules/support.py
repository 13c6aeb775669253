"""Sets the ops that the interpreter, a room below, calls in backward."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any

from tritonflow.binding import data_exchange
from tritonflow.device.device import Device
from tritonflow.device.side_stream import beside
from tritonflow.dtypes import DType
from tritonflow.framework.tensor import Tensor
from tritonflow.functions import reduction
from tritonflow.functions.arithmetic import add
from tritonflow.functions.cast import cast, clone, copy_, fill_
from tritonflow.functions.creation import zeros
from tritonflow.functions.generated import is_nan
from tritonflow.functions.join import cat
from tritonflow.functions.placement import to_global, whole
from tritonflow.functions.unary_complex import real
from tritonflow.functions.view import unsqueeze
from tritonflow.interpreter.gradient_ops import gradient_ops


def _zeros(meta: Any) -> Tensor:
    if meta.is_local:
        return zeros(meta.shape, dtype=meta.dtype, device=meta.device)  # type: ignore[no-any-return]
    return zeros(meta.shape, dtype=meta.dtype, placement=meta.placement, sbp=whole(meta.sbp))  # type: ignore[no-any-return]


def _lay_out(grad: Tensor, meta: Any) -> Tensor:
    """A gradient as a consistent tensor of that meta lies, with broadcast for partial; itself if it lies so."""
    return to_global(grad, meta.placement, whole(meta.sbp))  # type: ignore[no-any-return]


def _beside(grad: Any, meta: Any) -> AbstractContextManager[Any]:
    """On a stream of its own, if it moves between ranks."""
    if grad.meta.sbp == whole(meta.sbp) and grad.meta.placement is meta.placement:
        return nullcontext()
    return beside(grad.meta.device, grad.meta.nbytes)


def _to_device(x: Tensor, device: Device) -> Tensor:
    return data_exchange.to_device(x, device)


def _has_nan(x: Tensor) -> bool:
    return bool(reduction.any(is_nan(x)))


def _cast(grad: Tensor, dtype: DType) -> Tensor:
    """A gradient in another dtype; of a complex one by a real number, the real part."""
    return cast(real(grad) if grad.meta.dtype.is_complex and not dtype.is_complex else grad, dtype)  # type: ignore[no-any-return]


def install() -> None:
    """Set the ops of backward."""
    gradient_ops.zeros = _zeros
    gradient_ops.to_device = _to_device
    gradient_ops.lay_out = _lay_out
    gradient_ops.beside = _beside
    gradient_ops.has_nan = _has_nan
    gradient_ops.sum_to = reduction.sum_to
    gradient_ops.cast = _cast
    gradient_ops.clone = clone
    gradient_ops.copy = copy_
    gradient_ops.fill = fill_
    gradient_ops.add = add
    gradient_ops.add_ = partial(add, inplace=True)
    gradient_ops.cat = cat
    gradient_ops.unsqueeze = unsqueeze

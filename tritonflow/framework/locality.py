"""Whether tensors are local or consistent, which their metas say, and the errors where they are the wrong ones."""

from __future__ import annotations

from tritonflow.device.device import Device
from tritonflow.errors import LocalityError
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.tensor import Tensor


def locality(meta: TensorMeta) -> str:
    """The word for it in errors, OneFlow's."""
    return "local" if meta.is_local else "global"


def require_same_locality(what: str, came: TensorMeta, expected: TensorMeta) -> None:
    """Refuse a gradient that is local where the tensor is consistent, or the other way round.

    Raises:
        LocalityError: names `what` came.
    """
    if came.is_local is not expected.is_local:
        raise LocalityError(f"{what}: expected a {locality(expected)} tensor, but got a {locality(came)} one")


def require_local(function: str, x: Tensor) -> None:
    """Refuse a consistent tensor: `function` reads or writes memory of this process, or makes a local tensor.

    Raises:
        LocalityError: names the function and the tensor's size.
    """
    if not x.meta.is_local:
        raise LocalityError(
            f"{function}(): expected a local tensor, but got a global (consistent) one of size {list(x.meta.shape)}"
        )


def local_device(function: str, x: Tensor, device: Device | None = None) -> Device:
    """The device of what `function` makes like `x`: the given one, or that of x.

    Raises:
        LocalityError: x is a consistent tensor.
    """
    if not x.meta.is_local:
        require_local(function, x)
    return device or x.meta.device

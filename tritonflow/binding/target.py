"""Where a new tensor lies: on a device, or over a placement. The functions that make tensors ask here."""

from __future__ import annotations

from typing import Any, NamedTuple

from tritonflow.binding.annotations import PlacementLike
from tritonflow.device.device import Device, get_default_device
from tritonflow.errors import ArgumentTypeError, type_name
from tritonflow.framework.placement import Placement, placement_of
from tritonflow.framework.sbp import NdSbp, Sbp, broadcast, nd_sbp
from tritonflow.framework.tensor import Tensor
from tritonflow.thread_state import default_devices, slow_path, thread_state

SbpList = tuple[Sbp, ...]
CPU = Device("cpu")


class Destination(NamedTuple):
    """Where a new tensor lies: on a device; or over a placement, on whose device of this rank its shard is."""

    device: Device
    placement: Placement | None = None
    sbp: NdSbp | None = None


_ON_CPU = Destination(CPU)
_targets: dict[Device, Destination] = {}


def _on(device: Device) -> Destination:
    found = _targets.get(device)
    if found is None:
        found = _targets[device] = Destination(device)
    return found


def target(
    function: str, ndim: int, device: Device | None, placement: PlacementLike | None, sbp: SbpList | None
) -> Destination:
    """Where a tensor with `ndim` dimensions lies that is made of nothing.

    Raises:
        TypeError: a device is given beside a placement, only one of placement and sbp, or no placement as such.
        PlacementError: the sbp does not fit.
    """
    if placement is None and sbp is None:
        mode = thread_state.global_mode if slow_path.count else None
        if mode is None:
            if device is None and not default_devices.used:
                return _ON_CPU
            return _on(device or get_default_device())
        placement, sbp = mode.placement_for(device), mode.sbp
    elif device is not None:
        raise ArgumentTypeError(f"{function}(): takes a 'device', or a 'placement' and 'sbp', but not all of them")
    if placement is None or sbp is None:
        missing, given = ("placement", "sbp") if placement is None else ("sbp", "placement")
        raise ArgumentTypeError(f"{function}(): missing required argument '{missing}': '{given}' is given")
    found = placement_of(placement)
    if found is None:
        raise ArgumentTypeError(f"{function}(): argument 'placement' must be placement, not {type_name(placement)}")
    return Destination(found.device(), found, nd_sbp(function, sbp, found.ndim, ndim))


def target_like(
    function: str,
    like: Tensor,
    ndim: int,
    device: Device | None = None,
    placement: PlacementLike | None = None,
    sbp: SbpList | None = None,
) -> Destination:
    """Where a tensor with `ndim` dimensions lies that is made like another one, unless something is given.

    Of a consistent one, it has the placement and the sbp, with broadcast for partial.
    """
    meta: Any = like.meta
    if placement is not None or sbp is not None:
        return target(function, ndim, device, placement, sbp)
    if meta.is_local:
        return _on(device or meta.device)
    same = meta.placement if device is None else meta.placement.on(device)
    sbp = tuple([broadcast if one.is_partial or one.is_split and one.dim >= ndim else one for one in meta.sbp])
    return Destination(same.device(), same, sbp)


def beside(x: Tensor) -> dict[str, Any]:
    """The keywords with which functions make a tensor on the device of x; over its placement, broadcast, if x is consistent."""
    meta: Any = x.meta
    if meta.is_local:
        return {"device": meta.device}
    return {"placement": meta.placement, "sbp": (broadcast,) * meta.placement.ndim}

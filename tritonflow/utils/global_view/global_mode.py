"""global_mode: inside of it, functions that make tensors make consistent ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow.binding.annotations import PlacementLike
from tritonflow.device.device import Device
from tritonflow.errors import ArgumentTypeError, type_name
from tritonflow.framework.placement import Placement, placement_of
from tritonflow.framework.sbp import Sbp
from tritonflow.thread_state import enter_slow_path, leave_slow_path, thread_state


class global_mode:
    """In a `with` block, functions that make tensors without a placement make them over this one.

    `to_global` without a placement or sbp takes these as well, and `x.device` of a consistent tensor is its type of device.

    Args:
        enabled: with False, the block is as outside of any mode.
        placement: over which ranks. A `device` given to a function replaces its type.
        sbp: how.

    Raises:
        TypeError: it is enabled without a placement or an sbp.

    Source: oneflow.utils.global_view.global_mode.

    Example:
        >>> import tritonflow as flow
        >>> from tritonflow.utils.global_view import global_mode
        >>> with global_mode(True, placement=flow.placement.all("cpu"), sbp=flow.sbp.broadcast):
        ...     flow.ones(2).is_global
        True
    """

    def __init__(self, enabled: bool, placement: PlacementLike | None = None, sbp: Sbp | Sequence[Sbp] | None = None) -> None:
        self.mode: _Mode | None = None
        self._outer: list[_Mode | None] = []
        if enabled:
            self.mode = _Mode(placement, sbp)

    def __enter__(self) -> global_mode:
        self._outer.append(thread_state.global_mode)
        thread_state.global_mode = self.mode
        enter_slow_path()
        return self

    def __exit__(self, *error: object) -> None:
        thread_state.global_mode = self._outer.pop()
        leave_slow_path()


class _Mode:
    """A placement and an sbp, for tensors made without them."""

    def __init__(self, placement: Any, sbp: Any) -> None:
        found = placement_of(placement)
        if found is None:
            raise ArgumentTypeError(f"global_mode(): argument 'placement' must be placement, not {type_name(placement)}")
        self.placement = found
        self.sbp: tuple[Sbp, ...] = (sbp,) if isinstance(sbp, Sbp) else tuple(sbp or ())
        if len(self.sbp) != found.ndim or not all(isinstance(one, Sbp) for one in self.sbp):
            raise ArgumentTypeError(
                f"global_mode(): argument 'sbp' must be sbp or a list of them, one for each of the {found.ndim} dimensions of"
                f" the placement, not {type_name(sbp)}"
            )

    def placement_for(self, device: Device | None) -> Placement:
        """The placement of a tensor for which a device is given, or none."""
        return self.placement if device is None else self.placement.on(device)


class current_global_mode:
    """The mode of this thread.

    Attributes:
        is_enabled: whether there is one.
        placement, sbp: of it; None without one.

    Source: oneflow.utils.global_view.current_global_mode.
    """

    def __init__(self) -> None:
        mode = thread_state.global_mode
        self.is_enabled = mode is not None
        self.placement = None if mode is None else mode.placement
        self.sbp = None if mode is None else mode.sbp

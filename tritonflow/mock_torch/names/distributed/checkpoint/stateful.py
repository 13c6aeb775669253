"""`torch.distributed.checkpoint.stateful`: objects that have a state of their own."""

from __future__ import annotations

from typing import Any, Protocol, TypeVar, runtime_checkable


@runtime_checkable
class Stateful(Protocol):
    """What `save` asks for a state, and `load` gives it back to."""

    def state_dict(self) -> dict[str, Any]:
        """The state."""

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take it back."""


StatefulT = TypeVar("StatefulT", bound=Stateful)

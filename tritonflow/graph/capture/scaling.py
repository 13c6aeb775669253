"""What gradient scalers do in a program: whole iterations, from the first `unscale_` or `step` to `update`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tritonflow.amp import GradScaler
    from tritonflow.graph.capture.capture import Capture

_WHOLE = (
    "whose tensors belong to one side alone: call scale(), unscale_(), step() and update() all in it, or unscale_(), step() and"
    " update() all outside"
)


class Scaling:
    """The iterations of gradient scalers in a capture.

    Args:
        capture: the capture.
    """

    def __init__(self, capture: Capture) -> None:
        self._capture = capture
        self._iterations: dict[GradScaler, dict[int, Any]] = {}

    def iteration_of(self, scaler: GradScaler) -> dict[int, Any]:
        """What a scaler has done in the program since its last update there."""
        if scaler not in self._iterations:
            self._iterations[scaler] = {}
            self._capture.read_state(scaler.is_amid_iteration)
            if scaler.is_amid_iteration():
                self._capture.forbid(f"{{program}} goes on with an iteration of a GradScaler, {_WHOLE}")
        return self._iterations[scaler]

    def refuse_open(self) -> None:
        """Refuse a program in which a scaler has unscaled gradients, or stepped, since its last update.

        Raises:
            CaptureError: what it found in the gradients would be needed behind the run.
        """
        if any(self._iterations.values()):
            self._capture.forbid(f"{{program}} leaves an iteration of a GradScaler unfinished, {_WHOLE}")

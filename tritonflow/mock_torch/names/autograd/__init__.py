"""`torch.autograd`."""

from __future__ import annotations

from tritonflow.profiler.profile import running


def _profiler_enabled() -> bool:
    """Whether a profile is recording."""
    return bool(running)


def _disable_profiler() -> None:
    """End the profile that is recording; RuntimeError if none is."""
    if not running:
        raise RuntimeError("no profile is recording")
    running[-1].stop()

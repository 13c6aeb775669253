"""`torch.backends.mps`: there is none."""

from tritonflow.mock_torch.absent_backend import *  # noqa: F403 (all of it)


def is_macos13_or_newer(minor: int = 0) -> bool:
    """No."""
    return False


def is_macos_or_newer(major: int, minor: int) -> bool:
    """No."""
    return False

"""`torch.fx._symbolic_trace`."""

from tritonflow.mock_torch.names.fx import wrap  # noqa: F401


def is_fx_tracing() -> bool:
    """No."""
    return False


def is_fx_symbolic_tracing() -> bool:
    """No."""
    return False

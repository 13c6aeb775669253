"""Anomaly mode: an error or a NaN in backward names the line of the forward op."""

from __future__ import annotations

from tritonflow.interpreter.grad_node import anomaly


class set_detect_anomaly:
    """Switch anomaly mode; takes effect at once, and is undone when used as a scope.

    Args:
        mode: whether nodes remember their forward line.
        check_nan: whether backward raises at the first NaN.

    Example:
        >>> import tritonflow as flow
        >>> with flow.autograd.set_detect_anomaly(True):
        ...     pass
    """

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        self._before = anomaly.enabled, anomaly.check_nan
        anomaly.set(bool(mode), bool(check_nan))

    def __enter__(self) -> None:
        pass

    def __exit__(self, *error: object) -> None:
        anomaly.set(*self._before)


class detect_anomaly(set_detect_anomaly):
    """A scope in anomaly mode."""

    def __init__(self, check_nan: bool = True) -> None:
        super().__init__(True, check_nan)


def is_anomaly_enabled() -> bool:
    """Whether anomaly mode is on.

    Source: torch.is_anomaly_enabled.

    Example:
        >>> import tritonflow as flow
        >>> with flow.autograd.detect_anomaly():
        ...     flow.is_anomaly_enabled()
        True
    """
    return anomaly.enabled


def is_anomaly_check_nan_enabled() -> bool:
    """Whether backward raises at the first NaN in anomaly mode.

    Source: torch.is_anomaly_check_nan_enabled.

    Example:
        >>> import tritonflow as flow
        >>> with flow.autograd.detect_anomaly(check_nan=False):
        ...     flow.is_anomaly_check_nan_enabled()
        False
    """
    return anomaly.check_nan


def set_anomaly_enabled(enabled: bool, check_nan: bool = True) -> None:
    """Switch anomaly mode.

    Args:
        enabled: whether nodes remember their forward line.
        check_nan: whether backward raises at the first NaN.

    Source: torch.set_anomaly_enabled.

    Example:
        >>> import tritonflow as flow
        >>> flow.set_anomaly_enabled(True)
        >>> flow.is_anomaly_enabled()
        True
        >>> flow.set_anomaly_enabled(False)
    """
    anomaly.set(bool(enabled), bool(check_nan))

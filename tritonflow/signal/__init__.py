"""Signals, as torch.signal: window functions."""

from tritonflow.signal import windows

__all__ = ["windows"]

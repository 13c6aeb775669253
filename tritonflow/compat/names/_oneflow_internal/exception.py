"""The class of errors."""

from builtins import Exception

__all__ = ["Exception"]

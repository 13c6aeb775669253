"""Local and consistent (global) tensors in nested structures, and a mode in which new tensors are consistent."""

from tritonflow.utils.global_view.global_mode import current_global_mode, global_mode
from tritonflow.utils.global_view.nested import to_global, to_local

__all__ = ["current_global_mode", "global_mode", "to_global", "to_local"]

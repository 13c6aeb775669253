# Generated from the assembled package by `python tritonflow/registry/generate.py`; do not edit.
# fmt: off
# ruff: noqa: I001
"""For programs written for OneFlow."""
from tritonflow.compat import (AsyncThread as Thread, on_thread as thread)


__all__ = ["Thread", "thread"]

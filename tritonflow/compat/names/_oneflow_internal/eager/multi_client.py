"""Waiting for what was issued, under its older name."""

from tritonflow import sync as Sync

__all__ = ["Sync"]

"""Waiting for what was issued."""

from importlib import import_module

from tritonflow import sync as Sync

multi_client = import_module(f"{__name__}.multi_client")

__all__ = ["Sync", "multi_client"]

"""Beside the modules of `tritonflow.nn`."""

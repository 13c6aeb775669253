"""Beside the modules of `tritonflow.framework`."""

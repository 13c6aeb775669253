"""Beside `tritonflow.nn.graph`."""

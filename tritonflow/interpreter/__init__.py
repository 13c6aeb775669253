"""Interpreters: from an op and its inputs to outputs. Eager local, consistent, lazy, and autograd around each."""

"""Interpreters: dispatch, the choice of an interpreter, consistent ops, and autograd around each."""

"""Devices: memory, streams and compiled kernels behind one provider interface."""

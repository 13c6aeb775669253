"""Ops: for every op, inference and the choice of kernels (planners), one file a family, named as its kernel file is."""

"""Discrete Fourier transforms: products with matrices of roots of unity, in steps; see `transform` and `plans`."""

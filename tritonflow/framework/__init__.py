"""Tensors: what they look like (meta), where their data is (impl), what faces Python (tensor)."""

"""Tensors: their metas (shape, dtype and the like), their impls (where the data is), and the class that Python sees."""

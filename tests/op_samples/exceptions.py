"""Entries of the registry that no sample can compare, each with the reason; and entries that share another's samples."""

from __future__ import annotations

# Not compared with a reference: why, and where it is tested instead.
EXCEPTIONS: dict[str, str] = {
    "view": "fails where no view exists: tests/framework/test_views.py compares both sides",
    "detach": "the same tensor without history: tests/autograd/test_backward.py",
    "slice": "OneFlow's slice, which torch has not: tests/framework/test_indexing.py reaches the op through x[a:b:c]",
}

# Samples of entries whose registry line does not name them.
KIND_OF: dict[str, str] = {
    "broadcast_to": "expand",
    "expand_as": "pair_of_shapes",
    "expand_dims": "unsqueeze",
    "reshape_as": "pair_of_shapes",
    "view_as": "pair_of_shapes",
    "unfold_tensor": "unfold",
    "contiguous": "copy_of",
    "pow": "power",
    "div": "pairs_nonzero",
    "log": "positive",
    "sum": "reduction",
    "nonzero": "any_real",
    "batch_matmul": "bmm",
    "matrix_vector_product": "mv",
    "softmax": "along_dim",
    "log_softmax": "along_dim",
}

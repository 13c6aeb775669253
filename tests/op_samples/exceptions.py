"""Entries of the registry that no sample can compare, each with the reason; and entries that share another's samples."""

from __future__ import annotations

# Not compared with a reference: why, and where it is tested instead.
EXCEPTIONS: dict[str, str] = {
    "view": "fails where no view exists: tests/framework/test_views.py compares both sides",
    "detach": "the same tensor without history: tests/autograd/test_backward.py",
    **dict.fromkeys(
        ("rand", "randn", "rand_like", "randn_like", "randint", "randint_like", "randperm", "normal", "normal_", "uniform_"),
        "random: tests/ops/test_random.py looks at distributions, seeds and dtypes",
    ),
    **dict.fromkeys(
        ("exponential_", "random_", "bernoulli", "bernoulli_", "dropout"),
        "random: tests/ops/test_random.py looks at distributions, seeds and dtypes",
    ),
    **dict.fromkeys(("empty", "empty_like", "new_empty"), "nothing is said about the values: tests/ops/test_random.py looks at shapes"),
    **dict.fromkeys(
        ("multi_tensor_sgd_update", "multi_tensor_adam_update"),
        "writes many tensors in place: tests/kernels/test_optimizer.py and the tests of optim compare with torch.optim",
    ),
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
    "max_pool1d": "pool1d",
    "avg_pool1d": "pool1d",
    "adaptive_avg_pool1d": "adaptive_pool1d",
    "argwhere": "any_real",
    "to": "cast",
    "type_as": "type_as",
    "clone": "copy_of",
    "copy_": "copy",
    "fill_": "fill",
    "zero_": "zero",
    "full_like": "like_fill",
    "new_zeros": "new",
    "new_ones": "new",
    "new_full": "new_full",
    "var_mean": "var",
    "median": "along_dim",
    "neg": "real",
    "clamp_min": "real",
    "clamp_max": "real",
    "equal": "equal",
    "allclose": "isclose",
}

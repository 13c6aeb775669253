"""Where we differ from torch on purpose, each with the reason. A difference that is not here fails a test."""

from __future__ import annotations

from tests.op_samples.maker import LAYOUTS

# Ops that raise NotImplementedError for dtypes that torch computes.
_INTEGERS = ("uint8", "int8", "int16", "int32", "int64")
_INTEGRAL = ("bool", *_INTEGERS)
MISSING_DTYPES: dict[str, tuple[str, ...]] = {
    # torch has no kernel either, but returns zero-size tensors
    **dict.fromkeys(("matmul", "mm", "bmm", "batch_matmul", "mv", "matrix_vector_product", "addmm", "baddbmm", "addmv", "chain_matmul", "einsum", "linear", "qkv_linear", "inner"), ("bool",)),
    **dict.fromkeys(("softmax", "log_softmax", "softmin"), _INTEGRAL),
    **dict.fromkeys(("lp_pool1d", "lp_pool2d", "lp_pool3d"), _INTEGRAL),  # torch's root is a float of sums that were cut off
    "gaussian_nll_loss": _INTEGERS,  # a variance is no integer
    "hinge_embedding_loss": _INTEGERS,  # a margin is no integer
    "avg_pool3d": ("int64",),  # the mean of slices' means, which are no integers
    **dict.fromkeys(("conv1d", "conv2d"), ("bool",)),
}

# Ops that compute dtypes for which torch's CPU has no kernel. Half types, which every floating op computes, are not listed.
MORE_DTYPES: dict[str, tuple[str, ...]] = {
    "index_reduce": ("bool",),  # torch takes it but for vectors
    "pad": ("bool",),  # torch replicates no truth values
    "max_pool1d": _INTEGERS,  # as max_pool2d, of which it is a case; torch's takes them where a gradient may be wanted
    # exact as int64; torch takes them in some convolutions, and not in transposed and dilated ones
    **dict.fromkeys(
        ("conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d"), ("uint8", "int8", "int16", "int32")
    ),
}

# (op, label of the sample): torch raises, we compute.
MORE_THAN_TORCH: dict[tuple[str, str], str] = {
    (op, label): "OneFlow takes a number as the second operand"
    for op in ("logical_and", "logical_or", "logical_xor")
    for label in ("scalar", "scalar, zero-dim", "scalar first")
} | dict.fromkeys((("addcdiv", label) for label in ("", "broadcast", *LAYOUTS)), "true division of integers, which torch announces")

# Inputs that an op does not differentiate by, as in torch.
CONSTANT_INPUTS: dict[str, tuple[str, ...]] = {
    "apply_rotary_emb": ("cos", "sin"),
    "nll_loss": ("weight",),
    "cross_entropy": ("weight",),
    **dict.fromkeys(("batch_norm", "native_batch_norm"), ("running_mean", "running_var")),
    **dict.fromkeys(("igamma", "igammac", "special_zeta"), ("input",)),  # whose gradient raises
    "linalg_ldl_solve": ("LD",),  # the same
}

# Not checked by finite differences at all.
NO_GRADCHECK: dict[str, str] = {
    "cast": "to narrower dtypes the result is a staircase; compared with torch's backward instead",
    **dict.fromkeys(("to", "type_as"), "as cast"),
    "ctc_loss": "torch's gradient has exp(log_probs) beside the derivative, which log_softmax's gradient takes away",
    **dict.fromkeys(("unique", "unique_consecutive"), "equal elements are different ones after a step"),
    **dict.fromkeys(
        ("cholesky", "linalg_cholesky", "linalg_cholesky_ex", "linalg_eigvalsh"),
        "the gradient is that of a symmetric matrix, of which a triangle is read: tests/ops/test_linalg.py",
    ),
}

# Ops with ties: in an expanded tensor, whose elements are repeated, they have no derivative and any choice is right.
TIES = ("amax", "amin", "max", "min", "median", "nanmedian", "aminmax", "mode", "msort")

# (op, label of the sample): torch's own backward raises.
TORCH_BACKWARD_FAILS: dict[tuple[str, str], str] = {
    ("pow", "scalar first"): "an internal assertion for the base True",
    ("vander", ""): "it writes over what it has saved",
    ("scatter", ""): "the gradient of a source that is larger than the index has the index's shape",
    **{("index_fill", f"{layout}, a tensor"): "of a negative index" for layout in ("transposed", "strided", "offset")},
    **{("narrow_copy", layout): "of a negative start" for layout in ("", "transposed", "strided", "offset", "expanded")},
    ("linalg_cond", "by the inverse"): "it writes over what it has saved",
    ("scatter", "add"): "it has none for reduce=",
    ("scatter", "multiply"): "it has none for reduce=",
}

# Ops whose results require grad in torch, whose backward then raises.
TORCH_HAS_NO_DERIVATIVE: dict[str, str] = {
    "floor_divide": "ours is 0, as torch's of div(rounding_mode='floor')",
    **dict.fromkeys(("unique", "unique_consecutive"), "ours is that of the elements which are the first of their kind"),
    "bincount": "ours is that of a sum of weights",
    "linalg_ldl_solve": "ours is that of the right sides; tests/ops/test_linalg_indefinite.py compares it",
}

# Ops whose results are not written in place before backward, where torch's may be for some arguments.
SAVED_RESULTS: dict[str, str] = {
    **dict.fromkeys(("lp_pool1d", "lp_pool2d", "lp_pool3d"), "x ** 0.5 is sqrt here, whose gradient reads its result"),
    "scaled_dot_product_attention": "torch's fused kernel saves its result like ours; its plain one, for few dimensions, does not",
}

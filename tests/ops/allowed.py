"""Where we differ from torch on purpose, each with the reason. A difference that is not here fails a test."""

from __future__ import annotations

from tests.op_samples.maker import LAYOUTS

# Ops that raise NotImplementedError for dtypes that torch computes.
_INTEGERS = ("uint8", "int8", "int16", "int32", "int64")
_INTEGRAL = ("bool", *_INTEGERS)
MISSING_DTYPES: dict[str, tuple[str, ...]] = {
    # torch has no kernel either, but returns zero-size tensors
    **dict.fromkeys(("softmax", "log_softmax"), _INTEGRAL),
    **dict.fromkeys(("matmul", "mm", "bmm", "batch_matmul", "mv", "matrix_vector_product", "addmm", "baddbmm", "linear"), ("bool",)),
    **dict.fromkeys(("conv1d", "conv2d"), ("bool",)),
}

# Ops that compute dtypes for which torch's CPU has no kernel. Half types, which every floating op computes, are not listed.
MORE_DTYPES: dict[str, tuple[str, ...]] = {
    "max_pool1d": _INTEGERS,  # as max_pool2d, of which it is a case; torch's takes them where a gradient may be wanted
    # exact as int64; torch takes them in some convolutions, and not in transposed and dilated ones
    **dict.fromkeys(("conv1d", "conv2d", "conv_transpose2d"), ("uint8", "int8", "int16", "int32")),
}

# (op, label of the sample): torch raises, we compute.
MORE_THAN_TORCH: dict[tuple[str, str], str] = {
    (op, label): "OneFlow takes a number as the second operand"
    for op in ("logical_and", "logical_or", "logical_xor")
    for label in ("scalar", "scalar, zero-dim", "scalar first")
} | dict.fromkeys((("addcdiv", label) for label in ("", "broadcast", *LAYOUTS)), "true division of integers, which torch announces")

# Inputs that an op does not differentiate by, as in torch.
CONSTANT_INPUTS: dict[str, tuple[str, ...]] = {
    "nll_loss": ("weight",),
    "cross_entropy": ("weight",),
    "batch_norm": ("running_mean", "running_var"),
}

# Not checked by finite differences at all.
NO_GRADCHECK: dict[str, str] = {
    "cast": "to narrower dtypes the result is a staircase; compared with torch's backward instead",
    **dict.fromkeys(("to", "type_as"), "as cast"),
}

# Ops with ties: in an expanded tensor, whose elements are repeated, they have no derivative and any choice is right.
TIES = ("amax", "amin", "max", "min", "median")

# (op, label of the sample): torch's own backward raises.
TORCH_BACKWARD_FAILS: dict[tuple[str, str], str] = {
    ("pow", "scalar first"): "an internal assertion for the base True",
    ("scatter", ""): "the gradient of a source that is larger than the index has the index's shape",
}

# Ops whose results require grad in torch, whose backward then raises.
TORCH_HAS_NO_DERIVATIVE: dict[str, str] = {"floor_divide": "ours is 0, as torch's of div(rounding_mode='floor')"}

# Ops whose results are not written in place before backward, where torch's may be for some arguments.
SAVED_RESULTS: dict[str, str] = {
    "scaled_dot_product_attention": "torch's fused kernel saves its result like ours; its plain one, for few dimensions, does not",
}

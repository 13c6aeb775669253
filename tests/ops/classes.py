"""Which class of the tolerance table (`tritonflow.testing.TOLERANCES`) an op is compared in."""

from __future__ import annotations

import re

from tritonflow.functional.schema import Entry

# By the file of the op's planner.
_BY_FILE = {
    "view": "exact", "copy": "exact", "index": "exact", "random": "exact", "create": "exact", "creation": "exact", "sort": "exact",
    "scan_sort": "reduction", "reduce": "reduction", "scan": "reduction", "softmax": "norm", "norm": "norm", "batch_norm": "norm",
    "layer_norm": "norm", "matmul": "matmul", "conv": "matmul", "attention": "matmul", "loss": "norm", "pool": "reduction",
    "optimizer": "pointwise",
}  # fmt: skip

# Scalar functions made of a few roundings; all others count as transcendental.
_PLAIN = {
    "where", "relu", "maximum", "minimum", "abs", "neg", "sign", "floor", "ceil", "round", "trunc", "clamp", "identity", "zero",
    "add_scaled", "sub_scaled", "sqrt", "square", "reciprocal",
}  # fmt: skip

# Composite entries (no op of their own) and special cases: why they are in that class.
_BY_NAME = {
    "mean": "reduction", "var": "reduction", "std": "reduction", "norm": "reduction", "linear": "matmul", "addmm": "matmul",
    "baddbmm": "matmul", "cross_entropy": "norm", "nll_loss": "norm", "mse_loss": "reduction", "l1_loss": "reduction",
    "smooth_l1_loss": "reduction", "binary_cross_entropy": "norm", "binary_cross_entropy_with_logits": "norm", "kl_div": "norm",
    "mm": "matmul", "bmm": "matmul", "batch_matmul": "matmul", "mv": "matmul", "matrix_vector_product": "matmul", "dot": "matmul",
    "scaled_dot_product_attention": "matmul", "conv1d": "matmul", "conv2d": "matmul", "conv3d": "matmul",
    "conv_transpose2d": "matmul", "avg_pool1d": "reduction", "avg_pool2d": "reduction", "adaptive_avg_pool1d": "reduction",
    "adaptive_avg_pool2d": "reduction", "var_mean": "reduction", "allclose": "exact", "batch_norm": "norm",
    "layer_norm": "norm", "group_norm": "norm", "rms_norm": "norm", "scatter_add": "reduction", "index_add": "reduction",
    "softmax": "norm", "log_softmax": "norm", "outer": "pointwise", "linspace": "pointwise", "logsumexp": "norm", "softplus": "norm",
    "prod": "reduction", "cumsum": "reduction", "cumprod": "reduction",
}  # fmt: skip


def class_of(entry: Entry) -> str:
    """The class of an entry's results."""
    if entry.name in _BY_NAME:
        return _BY_NAME[entry.name]
    if not entry.ops:
        return "exact"
    classes = [_class_of_op(op.kind, op.target) for op in entry.ops]
    order = ("exact", "pointwise", "transcendental", "reduction", "norm", "matmul")
    return max(classes, key=order.index)


def _class_of_op(kind: str, target: str) -> str:
    if kind == "view":
        return "exact"
    if kind == "plan":
        return _BY_FILE.get(target.partition(".")[0], "pointwise")
    called = set(re.findall(r"(\w+)\(", target))
    if "**" in target or called - _PLAIN:
        return "transcendental"
    return "pointwise"

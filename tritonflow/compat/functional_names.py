"""OneFlow's names of functions that have another name here, or are made of several: `flow._C.reduce_sum`, `flow._C.fused_glu`.

`find` is the `__getattr__` of `flow._C`: a name is looked up at its first use, so that an import pays nothing for the list.
"""

from __future__ import annotations

import importlib
from typing import Any

# OneFlow's name: ours, with the same parameters.
_SAME = {
    "binary_cross_entropy_loss": "binary_cross_entropy", "broadcast_equal": "eq", "broadcast_greater": "gt",
    "broadcast_less": "lt", "broadcast_not_equal": "ne", "clip_": "clamp_", "deconv1d": "conv_transpose1d",
    "deconv2d": "conv_transpose2d", "deconv3d": "conv_transpose3d", "det": "linalg_det", "dim_gather": "gather",
    "identity": "clone", "inv": "linalg_inv", "reduce_all": "all", "reduce_any": "any",
    "reduce_max": "amax", "reduce_mean": "mean", "reduce_min": "amin", "reduce_nansum": "nansum", "reduce_prod": "prod",
    "reduce_sum": "sum", "rint": "round", "scatternd": "scatter_nd", "vector_norm": "linalg_vector_norm",
    "matrix_norm": "linalg_matrix_norm",
}  # fmt: skip
_MADE = {
    "local_collectives": (
        "comm_broadcast", "local_all_gather", "local_all_reduce", "local_reduce", "local_reduce_scatter", "recv", "select_top_n",
        "send",
    ),
    "indexed": (
        "arg_sort", "batch_gather", "broadcast_like", "gather_nd", "in_top_k", "reduce_sum_like", "reshape_like", "roc_auc_score",
        "split_like", "tensor_scatter_nd_update",
    ),
    "losses": (
        "combined_margin_loss", "ctc_greedy_decoder", "fused_get_boundding_boxes_coord", "fused_get_center_dist",
        "fused_get_ciou_diagonal_angle", "fused_get_ciou_result", "fused_get_convex_diagonal_squared",
        "fused_get_intersection_area", "fused_get_iou", "softmax_cross_entropy", "softmax_cross_entropy_grad",
        "sparse_cross_entropy", "sparse_softmax_cross_entropy",
    ),
    "fused": (
        "fused_apply_rotary_emb", "skip_layer_norm", "skip_rms_norm",
        "bias_add", "fast_gelu", "fused_bias_add_dropout", "fused_bias_add_gelu", "fused_bias_add_scale_mask_softmax_dropout",
        "fused_cross_feature_interaction", "fused_dot_feature_interaction", "fused_fast_gelu_mul", "fused_glu",
        "fused_matmul_bias", "fused_matmul_bias_add_relu_dropout", "fused_mlp", "fused_multi_head_attention_inference",
        "fused_scale_mask_softmax", "fused_scale_mask_softmax_dropout", "fused_scale_tril",
        "fused_scale_tril_softmax_mask_scale", "fused_self_attention", "fused_weighted_sum", "gelu_with_approximate",
        "grouped_matmul",
        "grouped_matmul_bias", "layer_norm_affine", "normalization", "normalization_add_relu", "reciprocal_no_nan",
        "rms_layer_norm", "sqrt_square_sum", "square_relu",
    ),
    "quantization": ("fake_quantization", "min_max_observer", "moving_average_min_max_observer", "quantization"),
}  # fmt: skip
_OTHERS = {
    "amp_black_identity": "fused.same", "amp_white_identity": "fused.same", "nms": "losses.nms_sorted",
    "roi_align": "roi_align.roi_align", "scatter_nd": "indexed.scatter_nd", "slice_update": "indexed.slice_update_from",
}  # fmt: skip
_PATHS = {**{name: f"{file}.{name}" for file, names in _MADE.items() for name in names}, **_OTHERS}


def find(name: str) -> Any:
    """OneFlow's function of a name, as an attribute of `flow._C` that is missing there.

    Raises:
        AttributeError: there is none.
    """
    package = importlib.import_module("tritonflow._C")
    if name in _SAME and _SAME[name] in vars(package) or _SAME.get(name) in _PATHS:
        return getattr(package, _SAME[name])
    if name not in _PATHS:
        raise AttributeError(f"module 'tritonflow._C' has no attribute {name!r}")
    file, _, function = _PATHS[name].partition(".")
    value = getattr(importlib.import_module(f"tritonflow.compat.{file}"), function)
    setattr(package, name, value)
    return value

# Generated from the assembled package by `python tritonflow/registry/generate.py`; do not edit.
# fmt: off
# ruff: noqa: I001
"""The functions behind the layers, under torch's names: `flow.nn.functional.relu(x)`."""
from tritonflow._C.functional.activation import (celu, elu, geglu, gelu, glu, hardshrink, hardsigmoid, hardswish, hardtanh,
        leaky_relu, logsigmoid, mish, prelu, quick_gelu, relu, relu6, relu_, rrelu, selu, sigmoid, sigmoid_, silu, softplus,
        softshrink, softsign, swiglu, tanh, tanh_, tanhshrink, threshold)
from tritonflow._C.functional.attention import (apply_rotary_emb, grouped_mm, moe_load_balancing_loss, moe_permute, moe_topk,
        moe_unpermute, scaled_dot_product_attention)
from tritonflow._C.functional.conv import (channel_shuffle, conv1d, conv2d, conv3d, conv_tbc, conv_transpose1d, conv_transpose2d,
        conv_transpose3d, fold, native_channel_shuffle, pixel_shuffle, pixel_unshuffle, unfold)
from tritonflow._C.functional.distance import (cosine_similarity, pairwise_distance, pdist)
from tritonflow._C.functional.index import (affine_grid, embedding, embedding_bag, grid_sample, one_hot,
        token_and_position_embedding)
from tritonflow._C.functional.join import (pad)
from tritonflow._C.functional.loss import (binary_cross_entropy, binary_cross_entropy_with_logits, cosine_embedding_loss,
        cross_entropy, ctc_loss, dpo_loss, gaussian_nll_loss, generalized_jsd_loss, grpo_loss, hinge_embedding_loss, huber_loss,
        kl_div, kto_loss, l1_loss, linear_cross_entropy, linear_selective_log_softmax, margin_ranking_loss, mse_loss,
        multi_margin_loss, multilabel_margin_loss, multilabel_soft_margin_loss, nll_loss, orpo_loss, poisson_nll_loss,
        selective_log_softmax, smooth_l1_loss, soft_margin_loss, triplet_margin_loss, triplet_margin_with_distance_loss)
from tritonflow._C.functional.matmul import (bilinear, dequantize_weight, int_mm, linear, lora_linear, qkv_linear, quantize_rows,
        quantized_linear, scaled_int_mm, scaled_mm, scaled_mm_blocks)
from tritonflow._C.functional.norm import (add_layer_norm, add_rms_norm, batch_norm, group_norm, instance_norm, layer_norm,
        local_response_norm, normalize, rms_norm)
from tritonflow._C.functional.pool import (adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d, adaptive_max_pool1d,
        adaptive_max_pool2d, adaptive_max_pool3d, avg_pool1d, avg_pool2d, avg_pool3d, interpolate, lp_pool1d, lp_pool2d,
        lp_pool3d, max_pool1d, max_pool2d, max_pool3d, max_unpool1d, max_unpool2d, max_unpool3d, upsample, upsample_bilinear,
        upsample_nearest)
from tritonflow._C.functional.random import (alpha_dropout, dropout, dropout1d, dropout2d, dropout3d, feature_alpha_dropout)
from tritonflow._C.functional.softmax import (gumbel_softmax, log_softmax, softmax, softmin)
from tritonflow.compat.deform_conv import (deform_conv2d)
from tritonflow.compat.losses import (ctc_greedy_decoder, sparse_softmax_cross_entropy)
from tritonflow.nn.composed_functions import (fractional_max_pool2d, fractional_max_pool2d_with_indices, fractional_max_pool3d,
        fractional_max_pool3d_with_indices)
from tritonflow.nn.distillation import (linear_jsd_loss)
from tritonflow.nn.multi_head_attention import (multi_head_attention_forward)
from collections.abc import (Sequence as _Sequence)
from tritonflow.binding.annotations import (Scalar as _Scalar)
from tritonflow.framework.tensor import (Tensor as _Tensor)

def adaptive_max_pool1d_with_indices(input: _Tensor,
        output_size: int | _Sequence[int] | _Sequence[int | None] | None) -> tuple[_Tensor, _Tensor]: ...
def adaptive_max_pool2d_with_indices(input: _Tensor,
        output_size: int | _Sequence[int] | _Sequence[int | None] | None) -> tuple[_Tensor, _Tensor]: ...
def adaptive_max_pool3d_with_indices(input: _Tensor,
        output_size: int | _Sequence[int] | _Sequence[int | None] | None) -> tuple[_Tensor, _Tensor]: ...
def celu_(x: _Tensor, alpha: float = 1.0) -> _Tensor: ...
def elu_(x: _Tensor, alpha: float = 1.0) -> _Tensor: ...
def hardtanh_(x: _Tensor, min_val: float = -1.0, max_val: float = 1.0) -> _Tensor: ...
def leaky_relu_(x: _Tensor, alpha: float = 0.01) -> _Tensor: ...
def max_pool1d_with_indices(input: _Tensor, kernel_size: int | _Sequence[int], stride: int | _Sequence[int] | None = None,
        padding: int | _Sequence[int] = 0, dilation: int | _Sequence[int] = 1,
        ceil_mode: bool = False) -> tuple[_Tensor, _Tensor]: ...
def max_pool2d_with_indices(input: _Tensor, kernel_size: int | _Sequence[int], stride: int | _Sequence[int] | None = None,
        padding: int | _Sequence[int] = 0, dilation: int | _Sequence[int] = 1,
        ceil_mode: bool = False) -> tuple[_Tensor, _Tensor]: ...
def max_pool3d_with_indices(input: _Tensor, kernel_size: int | _Sequence[int], stride: int | _Sequence[int] | None = None,
        padding: int | _Sequence[int] = 0, dilation: int | _Sequence[int] = 1,
        ceil_mode: bool = False) -> tuple[_Tensor, _Tensor]: ...
def rrelu_(input: _Tensor, lower: float = 0.125, upper: float = 0.3333333333333333, training: bool = False) -> _Tensor: ...
def selu_(x: _Tensor) -> _Tensor: ...
def threshold_(x: _Tensor, threshold: _Scalar, value: _Scalar) -> _Tensor: ...

__all__ = ["adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d", "adaptive_max_pool1d",
        "adaptive_max_pool1d_with_indices", "adaptive_max_pool2d", "adaptive_max_pool2d_with_indices", "adaptive_max_pool3d",
        "adaptive_max_pool3d_with_indices", "add_layer_norm", "add_rms_norm", "affine_grid", "alpha_dropout", "apply_rotary_emb",
        "avg_pool1d", "avg_pool2d", "avg_pool3d", "batch_norm", "bilinear", "binary_cross_entropy",
        "binary_cross_entropy_with_logits", "celu", "celu_", "channel_shuffle", "conv1d", "conv2d", "conv3d", "conv_tbc",
        "conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "cosine_embedding_loss", "cosine_similarity", "cross_entropy",
        "ctc_greedy_decoder", "ctc_loss", "deform_conv2d", "dequantize_weight", "dpo_loss", "dropout", "dropout1d", "dropout2d",
        "dropout3d", "elu", "elu_", "embedding", "embedding_bag", "feature_alpha_dropout", "fold", "fractional_max_pool2d",
        "fractional_max_pool2d_with_indices", "fractional_max_pool3d", "fractional_max_pool3d_with_indices", "gaussian_nll_loss",
        "geglu", "gelu", "generalized_jsd_loss", "glu", "grid_sample", "group_norm", "grouped_mm", "grpo_loss", "gumbel_softmax",
        "hardshrink", "hardsigmoid", "hardswish", "hardtanh", "hardtanh_", "hinge_embedding_loss", "huber_loss", "instance_norm",
        "int_mm", "interpolate", "kl_div", "kto_loss", "l1_loss", "layer_norm", "leaky_relu", "leaky_relu_", "linear",
        "linear_cross_entropy", "linear_jsd_loss", "linear_selective_log_softmax", "local_response_norm", "log_softmax",
        "logsigmoid", "lora_linear", "lp_pool1d", "lp_pool2d", "lp_pool3d", "margin_ranking_loss", "max_pool1d",
        "max_pool1d_with_indices", "max_pool2d", "max_pool2d_with_indices", "max_pool3d", "max_pool3d_with_indices",
        "max_unpool1d", "max_unpool2d", "max_unpool3d", "mish", "moe_load_balancing_loss", "moe_permute", "moe_topk",
        "moe_unpermute", "mse_loss", "multi_head_attention_forward", "multi_margin_loss", "multilabel_margin_loss",
        "multilabel_soft_margin_loss", "native_channel_shuffle", "nll_loss", "normalize", "one_hot", "orpo_loss", "pad",
        "pairwise_distance", "pdist", "pixel_shuffle", "pixel_unshuffle", "poisson_nll_loss", "prelu", "qkv_linear",
        "quantize_rows", "quantized_linear", "quick_gelu", "relu", "relu6", "relu_", "rms_norm", "rrelu", "rrelu_",
        "scaled_dot_product_attention", "scaled_int_mm", "scaled_mm", "scaled_mm_blocks", "selective_log_softmax", "selu",
        "selu_", "sigmoid", "sigmoid_", "silu", "smooth_l1_loss", "soft_margin_loss", "softmax", "softmin", "softplus",
        "softshrink", "softsign", "sparse_softmax_cross_entropy", "swiglu", "tanh", "tanh_", "tanhshrink", "threshold",
        "threshold_", "token_and_position_embedding", "triplet_margin_loss", "triplet_margin_with_distance_loss", "unfold",
        "upsample", "upsample_bilinear", "upsample_nearest"]

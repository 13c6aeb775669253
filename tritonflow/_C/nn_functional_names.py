"""The functions of the binding that are names of `tritonflow.nn.functional`.

Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
# ruff: noqa: F401
from tritonflow._C.functional.activation import (tanh, tanh_, sigmoid, sigmoid_, logsigmoid, relu, relu_, leaky_relu, elu, celu,
        selu, softplus, softsign, silu, mish, hardsigmoid, hardswish, hardtanh, threshold, hardshrink, softshrink, quick_gelu,
        gelu, glu, swiglu, geglu, rrelu, tanhshrink, relu6, prelu)
from tritonflow._C.functional.matmul import (linear, scaled_mm, int_mm, scaled_int_mm, scaled_mm_blocks, quantize_rows,
        quantized_linear, dequantize_weight, lora_linear, qkv_linear, bilinear)
from tritonflow._C.functional.softmax import (softmax, log_softmax, gumbel_softmax, softmin)
from tritonflow._C.functional.loss import (cross_entropy, nll_loss, l1_loss, smooth_l1_loss, huber_loss, binary_cross_entropy,
        binary_cross_entropy_with_logits, kl_div, soft_margin_loss, ctc_loss, mse_loss, poisson_nll_loss, gaussian_nll_loss,
        hinge_embedding_loss, linear_cross_entropy, margin_ranking_loss, cosine_embedding_loss, triplet_margin_loss,
        multilabel_soft_margin_loss, multi_margin_loss, multilabel_margin_loss, triplet_margin_with_distance_loss,
        selective_log_softmax, linear_selective_log_softmax, generalized_jsd_loss, dpo_loss, orpo_loss, kto_loss, grpo_loss)
from tritonflow._C.functional.distance import (cosine_similarity, pairwise_distance, pdist)
from tritonflow._C.functional.conv import (conv2d, conv1d, conv_transpose2d, conv3d, conv_transpose1d, conv_transpose3d, conv_tbc,
        unfold, fold, pixel_shuffle, pixel_unshuffle, channel_shuffle, native_channel_shuffle)
from tritonflow._C.functional.pool import (max_pool2d, avg_pool2d, adaptive_avg_pool2d, adaptive_max_pool2d, max_pool1d,
        avg_pool1d, adaptive_avg_pool1d, max_pool3d, avg_pool3d, adaptive_avg_pool3d, lp_pool1d, lp_pool2d, lp_pool3d,
        interpolate, upsample, upsample_nearest, upsample_bilinear, adaptive_max_pool1d, adaptive_max_pool3d, max_unpool1d,
        max_unpool2d, max_unpool3d)
from tritonflow._C.functional.norm import (layer_norm, add_layer_norm, batch_norm, rms_norm, add_rms_norm, group_norm, normalize,
        local_response_norm, instance_norm)
from tritonflow._C.functional.attention import (scaled_dot_product_attention, grouped_mm, moe_topk, moe_permute, moe_unpermute,
        moe_load_balancing_loss, apply_rotary_emb)
from tritonflow._C.functional.index import (one_hot, embedding, embedding_bag, token_and_position_embedding, affine_grid,
        grid_sample)
from tritonflow._C.functional.join import (pad)
from tritonflow._C.functional.random import (dropout, dropout1d, dropout2d, dropout3d, alpha_dropout, feature_alpha_dropout)

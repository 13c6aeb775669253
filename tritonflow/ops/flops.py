"""Floating-point operations of ops, from the metas of inputs and outputs and the attributes.

Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from math import prod
from tritonflow.ops.sizes import Flops, largest, numel

FLOPS: dict[str, Flops] = {
    "sum": lambda inputs, outputs, attrs: largest(inputs),
    "nansum": lambda inputs, outputs, attrs: largest(inputs),
    "mean": lambda inputs, outputs, attrs: largest(inputs),
    "prod": lambda inputs, outputs, attrs: largest(inputs),
    "amax": lambda inputs, outputs, attrs: largest(inputs),
    "amin": lambda inputs, outputs, attrs: largest(inputs),
    "combine_shares": lambda inputs, outputs, attrs: largest(inputs),
    "max_dim": lambda inputs, outputs, attrs: largest(inputs),
    "min_dim": lambda inputs, outputs, attrs: largest(inputs),
    "argmax": lambda inputs, outputs, attrs: largest(inputs),
    "argmin": lambda inputs, outputs, attrs: largest(inputs),
    "var": lambda inputs, outputs, attrs: 4 * largest(inputs),
    "std": lambda inputs, outputs, attrs: 4 * largest(inputs),
    "var_mean": lambda inputs, outputs, attrs: 4 * largest(inputs),
    "norm": lambda inputs, outputs, attrs: 2 * largest(inputs),
    "cumsum": lambda inputs, outputs, attrs: largest(inputs),
    "cumprod": lambda inputs, outputs, attrs: largest(inputs),
    "matmul": lambda inputs, outputs, attrs: 2 * outputs[0].numel * (inputs[0].shape[-2] if attrs[0] and inputs[0].ndim > 1 else
            inputs[0].shape[-1]),
    "linear": lambda inputs, outputs, attrs: 2 * outputs[0].numel * inputs[1].shape[-1],
    "scaled_mm": lambda inputs, outputs, attrs: 2 * outputs[0].numel * inputs[0].shape[-1],
    "softmax": lambda inputs, outputs, attrs: 5 * largest(inputs),
    "softmax_grad": lambda inputs, outputs, attrs: 4 * largest(inputs),
    "log_softmax": lambda inputs, outputs, attrs: 5 * largest(inputs),
    "log_softmax_grad": lambda inputs, outputs, attrs: 4 * largest(inputs),
    "cross_entropy": lambda inputs, outputs, attrs: 4 * largest(inputs),
    "cross_entropy_grad": lambda inputs, outputs, attrs: 4 * largest(inputs),
    "cosine_similarity": lambda inputs, outputs, attrs: 6 * largest(inputs),
    "conv2d": lambda inputs, outputs, attrs: 2 * outputs[0].numel * prod(inputs[1].shape[1:]),
    "conv_data_grad": lambda inputs, outputs, attrs: 2 * inputs[0].numel * prod(inputs[1].shape[1:]),
    "conv_filter_grad": lambda inputs, outputs, attrs: 2 * inputs[0].numel * prod(outputs[0].shape[1:]),
    "max_pool2d": lambda inputs, outputs, attrs: largest(inputs),
    "avg_pool2d": lambda inputs, outputs, attrs: largest(inputs),
    "avg_pool_grad": lambda inputs, outputs, attrs: largest(inputs),
    "adaptive_avg_pool2d": lambda inputs, outputs, attrs: largest(inputs),
    "adaptive_avg_pool_grad": lambda inputs, outputs, attrs: largest(inputs),
    "layer_norm": lambda inputs, outputs, attrs: 8 * largest(inputs),
    "layer_norm_grad": lambda inputs, outputs, attrs: 11 * largest(inputs),
    "layer_norm_gradients": lambda inputs, outputs, attrs: 16 * largest(inputs),
    "layer_norm_param_grad": lambda inputs, outputs, attrs: 5 * largest(inputs),
    "batch_norm": lambda inputs, outputs, attrs: 8 * largest(inputs),
    "batch_norm_eval": lambda inputs, outputs, attrs: 4 * largest(inputs),
    "batch_norm_statistics": lambda inputs, outputs, attrs: 4 * largest(inputs),
    "batch_norm_grad": lambda inputs, outputs, attrs: 11 * largest(inputs),
    "batch_norm_sums": lambda inputs, outputs, attrs: 4 * largest(inputs),
    "scaled_dot_product_attention": lambda inputs, outputs, attrs: 2 * prod(inputs[0].shape[:-1]) * inputs[1].shape[-2] *
            (inputs[0].shape[-1] + inputs[2].shape[-1]) // (2 if attrs[0] else 1),
    "attention_grad": lambda inputs, outputs, attrs: 2 * prod(inputs[1].shape[:-1]) * inputs[2].shape[-2] * (3 *
            inputs[1].shape[-1] + 2 * inputs[3].shape[-1]) // (2 if attrs[0] else 1),
    "multi_tensor_sgd_update": lambda inputs, outputs, attrs: 4 * numel(inputs[1:][:attrs[0]]),
    "multi_tensor_adam_update": lambda inputs, outputs, attrs: 14 * numel(inputs[1:][:attrs[0]]),
    "multi_tensor_norm": lambda inputs, outputs, attrs: 2 * numel(inputs),
    "multi_tensor_scale_to_norm": lambda inputs, outputs, attrs: numel(inputs[1:]),
    "multi_tensor_clip": lambda inputs, outputs, attrs: numel(inputs),
    "multi_tensor_unscale": lambda inputs, outputs, attrs: numel(inputs[2:]),
}

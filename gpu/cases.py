"""Which cases of `python -m tritonflow.bench` matter, as its patterns."""

from __future__ import annotations

# In GPT-2, ResNet-50 and a Llama, in the order to measure them in; then all others.
CASES = (
    "linear bfloat16 16384x4096x1024",
    "matmul bfloat16 8192x8192x8192",
    "matmul bfloat16 4096x4096x4096",
    "attention bfloat16 causal d64",
    "attention backward bfloat16 causal d64",
    "attention bfloat16 causal d128",
    "attention backward bfloat16 causal d128",
    "layer norm bfloat16 16384x4096",
    "layer norm backward bfloat16 16384x4096",
    "cross entropy bfloat16 16384x50257",
    "cross entropy backward bfloat16 16384x50257",
    "linear backward bfloat16 16384x4096x4096",
    "conv channels-last bfloat16 64x56 3x3/1 64",
    "conv channels-last backward bfloat16 64x56 3x3/1 64",
    "conv channels-last bfloat16 256x56 1x1/1 64",
    "batch norm bfloat16 256x64x112",
    "batch norm backward bfloat16 256x64x112",
    "embedding backward bfloat16 32768 of 50257x4096",
    "AdamW 134M",
    "sum columns bfloat16 16384x4096",
    "gelu bfloat16 64M",
    "linear bfloat16 64x8192x8192",
    "linear bfloat16 1x8192x8192",
    "scaled_mm float8 4096x4096x4096",
    "matmul float32 4096x4096x4096",
    "add bfloat16 64M",
    "softmax bfloat16 65536x1024",
    "conv bfloat16 3x224 7x7/2 64",
    "conv channels-last backward bfloat16 256x14 3x3/1 256",
    "attention float32 causal d64",
    "sum float32 64M",
    "cumsum float32 64M",
    "sort 1M",
    "randn 64M",
    "kernels",
)

# For compute-sanitizer: they read and write by index, by descriptor, or what they have written before.
CHECKED = tuple(
    f"kernels:{name}"
    for name in (
        "embedding", "index_add", "assignment", "scatter_add", "sort", "topk", "attention", "matmul", "conv", "depthwise", "max",
        "cumsum", "cross", "AdamW",
    )
)  # fmt: skip

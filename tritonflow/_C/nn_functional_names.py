"""The functions of the binding that are names of `tritonflow.nn.functional`.

Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
# ruff: noqa: F401
from tritonflow._C.functional.activation import (tanh, sigmoid, logsigmoid, relu, leaky_relu, elu, celu, selu, softplus, softsign,
        silu, mish, hardsigmoid, hardswish, hardtanh, threshold, hardshrink, softshrink, quick_gelu, gelu)
from tritonflow._C.functional.matmul import (linear, scaled_mm)
from tritonflow._C.functional.softmax import (softmax, log_softmax)
from tritonflow._C.functional.loss import (cross_entropy, nll_loss, mse_loss)
from tritonflow._C.functional.distance import (cosine_similarity)
from tritonflow._C.functional.conv import (conv2d, conv1d, conv_transpose2d)
from tritonflow._C.functional.pool import (max_pool2d, max_pool1d, avg_pool2d, avg_pool1d, adaptive_avg_pool2d,
        adaptive_avg_pool1d)
from tritonflow._C.functional.norm import (layer_norm, rms_norm, group_norm, batch_norm)
from tritonflow._C.functional.attention import (scaled_dot_product_attention)
from tritonflow._C.functional.join import (pad)
from tritonflow._C.functional.index import (embedding, one_hot)
from tritonflow._C.functional.random import (dropout)

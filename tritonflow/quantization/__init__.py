"""Weights of few bits: modules with weights of 8 or 4 bits, codes of checkpoints, training that is aware of quantisation.

`quantize_` replaces the linear layers and embeddings of a module, `quantize` those of a copy. Configurations are named as in
torchao, which programs under `flow.mock_torch` may import. The products are `nn.functional.quantized_linear` and `scaled_int_mm`.

Source: torchao.quantization.

Example:
    >>> import tritonflow as flow
    >>> model = flow.nn.Sequential(flow.nn.Linear(256, 64), flow.nn.ReLU(), flow.nn.Linear(64, 8))
    >>> small = flow.quantize(model, flow.quantization.Int8WeightOnlyConfig())
    >>> small(flow.ones(2, 256)).shape
    tritonflow.Size([2, 8])
"""

from tritonflow.quantization.checkpoints import from_awq, from_gguf, from_gptq
from tritonflow.quantization.codes import pack_codes, quantize_weight, unpack_codes
from tritonflow.quantization.configs import (
    Float8DynamicActivationFloat8WeightConfig,
    Float8WeightOnlyConfig,
    Int4WeightOnlyConfig,
    Int8DynamicActivationInt8WeightConfig,
    Int8WeightOnlyConfig,
    NF4WeightOnlyConfig,
    PerBlock,
    PerRow,
)
from tritonflow.quantization.float8 import DynamicFloat8Linear, float8_codes
from tritonflow.quantization.gguf import GGUFFile, load_gguf
from tritonflow.quantization.modules import DynamicInt8Linear, QuantizedEmbedding, QuantizedLinear
from tritonflow.quantization.replace import quantize, quantize_
from tritonflow.quantization.training import FakeQuantizedLinear

__all__ = (
    "DynamicFloat8Linear", "DynamicInt8Linear", "FakeQuantizedLinear", "Float8DynamicActivationFloat8WeightConfig",
    "Float8WeightOnlyConfig", "GGUFFile", "Int4WeightOnlyConfig", "Int8DynamicActivationInt8WeightConfig", "Int8WeightOnlyConfig",
    "NF4WeightOnlyConfig", "PerBlock", "PerRow", "QuantizedEmbedding", "QuantizedLinear", "float8_codes", "from_awq", "from_gguf",
    "from_gptq", "load_gguf", "pack_codes", "quantize", "quantize_", "quantize_weight", "unpack_codes",
)  # fmt: skip

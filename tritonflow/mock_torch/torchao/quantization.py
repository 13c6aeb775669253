"""`torchao.quantization` for foreign programs."""

from tritonflow.quantization import (
    Float8DynamicActivationFloat8WeightConfig,
    Float8WeightOnlyConfig,
    Int4WeightOnlyConfig,
    Int8DynamicActivationInt8WeightConfig,
    Int8WeightOnlyConfig,
    PerBlock,
    PerRow,
    quantize_,
)

__all__ = (
    "Float8DynamicActivationFloat8WeightConfig", "Float8WeightOnlyConfig", "Int4WeightOnlyConfig",
    "Int8DynamicActivationInt8WeightConfig", "Int8WeightOnlyConfig", "PerBlock", "PerRow", "quantize_",
)  # fmt: skip

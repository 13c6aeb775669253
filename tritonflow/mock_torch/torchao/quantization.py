"""`torchao.quantization` for foreign programs."""

from tritonflow.quantization import (
    Int4WeightOnlyConfig,
    Int8DynamicActivationInt8WeightConfig,
    Int8WeightOnlyConfig,
    quantize_,
)

__all__ = ("Int4WeightOnlyConfig", "Int8DynamicActivationInt8WeightConfig", "Int8WeightOnlyConfig", "quantize_")

"""Where we differ from torch on purpose, each with the reason. A difference that is not here fails a test."""

from __future__ import annotations

# Ops that raise NotImplementedError for dtypes that torch computes.
_INTEGRAL = ("bool", "uint8", "int8", "int16", "int32", "int64")
MISSING_DTYPES: dict[str, tuple[str, ...]] = {
    "softmax": _INTEGRAL,  # torch has no kernel either, but returns zero-size tensors
    "log_softmax": _INTEGRAL,
}

# (op, label of the sample): torch raises, we compute.
MORE_THAN_TORCH: dict[tuple[str, str], str] = {}

# In-place methods whose torch namesake means something else.
NO_INPLACE_REFERENCE: dict[str, str] = {}

# Derivatives that are not differentiable a second time.
NO_SECOND_DERIVATIVE: dict[str, str] = {}

# Not checked by finite differences at all.
NO_GRADCHECK: dict[str, str] = {}

# Entries without a derivative although they are composed of ops that have one.
NOT_DIFFERENTIABLE: dict[str, str] = {}

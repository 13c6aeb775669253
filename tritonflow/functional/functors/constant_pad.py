"""The functor of constant_pad_nd."""

from __future__ import annotations

from typing import Any

from tritonflow.framework.tensor import Tensor
from tritonflow.functional.functors.pad import pad as pad_of_mode
from tritonflow.functional.library import functor


@functor("ConstantPadNd")
def constant_pad_nd(input: Tensor, pad: Any, value: Any = 0) -> Tensor:
    return pad_of_mode(input, pad, "constant", value)

"""The functor of constant_pad_nd."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import functor
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.join_pad import pad as pad_of_mode


@functor("ConstantPadNd")
def constant_pad_nd(input: Tensor, pad: Any, value: Any = 0) -> Tensor:
    return pad_of_mode(input, pad, "constant", value)

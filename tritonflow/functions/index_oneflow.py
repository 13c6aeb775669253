"""OneFlow's form of one_hot."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import functor
from tritonflow.dtypes import bool_, int8, int32, int64, uint8
from tritonflow.errors import DTypeError
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.cast import cast
from tritonflow.functions.elementwise_selection import where_scalars
from tritonflow.functions.index import one_hot


@functor("OneHotValues")
def one_hot_values(input: Tensor, num_classes: int = -1, on_value: Any = 1, off_value: Any = 0) -> Any:
    """Numbers for a label's place and for the others; floating if one of them is."""
    if input.meta.dtype not in (int8, uint8, int32, int64):
        raise DTypeError("one_hot is only applicable to index tensor.")
    return where_scalars(cast(one_hot(cast(input, int64), num_classes), bool_), on_value, off_value)

"""`torch.utils._python_dispatch`: the question for subclasses of Tensor that are put together from other tensors."""

from __future__ import annotations

from typing import Any


def is_traceable_wrapper_subclass(t: Any) -> bool:
    """Whether an object is made of tensors that it names by `__tensor_flatten__`: none is, `__torch_dispatch__` is never called."""
    return False


def is_traceable_wrapper_subclass_type(t: type) -> bool:
    """The same question for a class."""
    return False

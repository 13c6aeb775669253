"""`torch.utils.weak`: torch's own dictionaries, whose keys are compared by identity, and weak references to tensors."""

from __future__ import annotations

import weakref
from typing import Any

import tritonflow as flow
from tritonflow.mock_torch.torch_names import shared_module

_behind = vars(shared_module("torch.utils.weak"))
WeakIdRef, WeakIdKeyDictionary = _behind["WeakIdRef"], _behind["WeakIdKeyDictionary"]
WeakTensorKeyDictionary = WeakIdKeyDictionary


class TensorWeakRef:
    """A weak reference to a tensor."""

    def __init__(self, tensor: Any) -> None:
        if not isinstance(tensor, flow.Tensor):
            raise AssertionError(f"expected a tensor, got {type(tensor)}")
        self.ref = weakref.ref(tensor)

    def __call__(self) -> Any:
        return self.ref()

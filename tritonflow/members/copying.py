"""Tensor's members by which it is copied and pickled."""

from __future__ import annotations

import copy
from typing import Any, SupportsIndex

import numpy

from tritonflow import dtypes
from tritonflow.binding import data_exchange, new_tensors
from tritonflow.device.device import META
from tritonflow.execution.transfer import allocate
from tritonflow.framework.tensor import Tensor
from tritonflow.framework.tensor_impl import EagerLocalTensorImpl
from tritonflow.interpreter.recording import require_grad


def __deepcopy__(self: Tensor, memo: dict[int, Any]) -> Tensor:
    """A leaf's copy requires grad as the leaf does, another tensor's has no history, as in OneFlow; torch refuses that."""
    found: Tensor | None = memo.get(id(self))
    if found is not None:
        return found
    result = _beside_its_kin(self, memo) if _has_memory(self) else data_exchange.copy_of(self, self.dtype)
    if type(self) is not Tensor:
        result = Tensor.as_subclass(result, type(self))  # type: ignore[attr-defined]
    if self._node is not None and self.is_leaf:
        require_grad(result)
    memo[id(self)] = result
    for name, value in self.__dict__.items():
        if name not in ("_grad", "_retains_grad", "_output_nr"):
            result.__dict__[name] = copy.deepcopy(value, memo)
    if self._grad is not None:
        result._grad = copy.deepcopy(self._grad, memo)
    return result  # type: ignore[no-any-return]


def _has_memory(x: Tensor) -> bool:
    return x.impl.__class__ is EagerLocalTensorImpl and x.meta.is_local and x.meta.device is not META and x.meta.numel > 0


def _beside_its_kin(x: Tensor, memo: dict[Any, Any]) -> Tensor:
    """A copy that lies in its memory as the tensor does; copies of tensors that share memory share theirs, as torch's do."""
    key = "memory of a tensor", id(x.impl)
    if key not in memo:
        memo[key] = data_exchange.copy_of(x.untyped_storage()._bytes(), dtypes.uint8), x.impl  # type: ignore[attr-defined]
    own = x.new_empty((0,)).detach()  # type: ignore[attr-defined]
    storage = memo[key][0].untyped_storage()
    return own.set_(storage, x.storage_offset(), tuple(x.meta.shape), tuple(x.meta.stride))  # type: ignore[attr-defined, no-any-return]


def __reduce_ex__(self: Tensor, protocol: SupportsIndex) -> Any:
    reduced = _reduced(self)
    return reduced if type(self) is Tensor else (_rebuild_as, (type(self), *reduced))


def _rebuild_as(kind: Any, rebuild: Any, parts: tuple[Any, ...]) -> Any:
    """A tensor of a subclass."""
    *rest, requires_grad, state = parts
    result = Tensor.as_subclass(rebuild(*rest, False, {}), kind)  # type: ignore[attr-defined]
    if requires_grad:
        require_grad(result)
    result.__dict__.update(state)
    return result


def _reduced(self: Tensor) -> tuple[Any, ...]:
    """The function that makes the tensor anew, and its arguments; the last ones are whether it requires grad, and attributes."""
    bits = self.detach()  # type: ignore[attr-defined]
    if not self.meta.is_local:
        state = {k: v for k, v in self.__dict__.items() if not k.startswith("_")}
        return (_rebuild_consistent, (data_exchange.whole(bits), self.placement, self.sbp, self._node is not None, state))
    if self.meta.device is META:
        state = {k: v for k, v in self.__dict__.items() if not k.startswith("_")}
        return (_rebuild_without_data, (self.meta, self._node is not None, state))
    if not self.meta.dtype.has_numpy:
        bits = data_exchange.with_dtype(bits, _bits_of(self.meta.dtype))
    array = data_exchange.numpy_of(bits)
    state = {k: v for k, v in self.__dict__.items() if not k.startswith("_")}
    return (_rebuild, (numpy.array(array, order="C"), self.dtype, self.device, self._node is not None, state))


def _rebuild_consistent(data: Tensor, placement: Any, sbp: Any, requires_grad: bool, state: dict[str, Any]) -> Tensor:
    result = new_tensors.spread(data, placement, sbp)
    if requires_grad:
        require_grad(result)
    result.__dict__.update(state)
    return result


def _rebuild_without_data(meta: Any, requires_grad: bool, state: dict[str, Any]) -> Tensor:
    result = allocate(meta)
    if requires_grad:
        require_grad(result)
    result.__dict__.update(state)
    return result


def _bits_of(dtype: dtypes.DType) -> dtypes.DType:
    """An integer dtype of the same size."""
    return dtypes.uint8 if dtype.itemsize == 1 else dtypes.int16


def _rebuild(array: Any, dtype: Any, device: Any, requires_grad: bool, state: dict[str, Any]) -> Tensor:
    if not dtype.has_numpy:
        bits = new_tensors.from_array(array, _bits_of(dtype), device)
        result = data_exchange.with_dtype(bits, dtype)
    else:
        result = new_tensors.from_array(array, dtype, device)
    if requires_grad:
        require_grad(result)
    result.__dict__.update(state)
    return result


METHODS: dict[str, Any] = {
    "__deepcopy__": __deepcopy__,
    "__reduce_ex__": __reduce_ex__,
}

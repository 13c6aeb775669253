# Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
# fmt: off
# ruff: noqa: I001
from collections.abc import Callable, Sequence
from typing import Any, overload
from tritonflow.device.device import Device
from tritonflow.distributed.mesh import DeviceMesh
from tritonflow.dtypes import DType, int64
from tritonflow.framework.memory_format import MemoryFormat
from tritonflow.framework.placement import Placement
from tritonflow.framework.sbp import Sbp
from tritonflow.framework.tensor import Tensor
from tritonflow.binding.annotations import Scalar

_methods: dict[str, Callable[..., Any]]

def tril(input: Tensor, diagonal: int = 0, *, inplace: bool = False, out: Tensor | None = None) -> Tensor: ...
def tril_(input: Tensor, diagonal: int = 0) -> Tensor: ...
def triu(input: Tensor, diagonal: int = 0, *, inplace: bool = False, out: Tensor | None = None) -> Tensor: ...
def triu_(input: Tensor, diagonal: int = 0) -> Tensor: ...
@overload
def empty(size: Sequence[int], *, dtype: DType | None = None, device: Device | str | None = None, requires_grad: bool = False,
        placement: Placement | DeviceMesh | None = None, sbp: Sbp | Sequence[Sbp] | None = None,
        memory_format: MemoryFormat | None = None, out: Tensor | None = None) -> Tensor: ...
@overload
def empty(*size: int, dtype: DType | None = None, device: Device | str | None = None, requires_grad: bool = False,
        placement: Placement | DeviceMesh | None = None, sbp: Sbp | Sequence[Sbp] | None = None,
        memory_format: MemoryFormat | None = None, out: Tensor | None = None) -> Tensor: ...
def full(size: Sequence[int], fill_value: Scalar, *, dtype: DType | None = None, device: Device | str | None = None,
        requires_grad: bool = False, placement: Placement | DeviceMesh | None = None, sbp: Sbp | Sequence[Sbp] | None = None,
        out: Tensor | None = None) -> Tensor: ...
@overload
def arange(start: Scalar, end: Scalar, step: Scalar = 1, *, dtype: DType | None = None, device: Device | str | None = None,
        requires_grad: bool = False, placement: Placement | DeviceMesh | None = None, sbp: Sbp | Sequence[Sbp] | None = None,
        out: Tensor | None = None) -> Tensor: ...
@overload
def arange(end: Scalar, *, dtype: DType | None = None, device: Device | str | None = None, requires_grad: bool = False,
        placement: Placement | DeviceMesh | None = None, sbp: Sbp | Sequence[Sbp] | None = None,
        out: Tensor | None = None) -> Tensor: ...
def linspace(start: Scalar, end: Scalar, steps: int, *, dtype: DType | None = None, device: Device | str | None = None,
        requires_grad: bool = False, placement: Placement | DeviceMesh | None = None, sbp: Sbp | Sequence[Sbp] | None = None,
        out: Tensor | None = None) -> Tensor: ...
def eye(n: int, m: int | None = None, *, dtype: DType | None = None, device: Device | str | None = None,
        requires_grad: bool = False, placement: Placement | DeviceMesh | None = None, sbp: Sbp | Sequence[Sbp] | None = None,
        out: Tensor | None = None) -> Tensor: ...
def triangle_indices(row: int, col: int, offset: int, lower: bool, dtype: DType, device: Device | str | None = None, *,
        out: Tensor | None = None) -> Tensor: ...
@overload
def zeros(size: Sequence[int], *, dtype: DType | None = None, device: Device | str | None = None, requires_grad: bool = False,
        placement: Placement | DeviceMesh | None = None, sbp: Sbp | Sequence[Sbp] | None = None,
        out: Tensor | None = None) -> Tensor: ...
@overload
def zeros(*size: int, dtype: DType | None = None, device: Device | str | None = None, requires_grad: bool = False,
        placement: Placement | DeviceMesh | None = None, sbp: Sbp | Sequence[Sbp] | None = None,
        out: Tensor | None = None) -> Tensor: ...
@overload
def ones(size: Sequence[int], *, dtype: DType | None = None, device: Device | str | None = None, requires_grad: bool = False,
        placement: Placement | DeviceMesh | None = None, sbp: Sbp | Sequence[Sbp] | None = None,
        out: Tensor | None = None) -> Tensor: ...
@overload
def ones(*size: int, dtype: DType | None = None, device: Device | str | None = None, requires_grad: bool = False,
        placement: Placement | DeviceMesh | None = None, sbp: Sbp | Sequence[Sbp] | None = None,
        out: Tensor | None = None) -> Tensor: ...
def empty_like(input: Tensor, *, dtype: DType | None = None, device: Device | str | None = None, requires_grad: bool = False,
        placement: Placement | DeviceMesh | None = None, sbp: Sbp | Sequence[Sbp] | None = None,
        memory_format: MemoryFormat | None = None, out: Tensor | None = None) -> Tensor: ...
def full_like(input: Tensor, fill_value: Scalar, *, dtype: DType | None = None, device: Device | str | None = None,
        requires_grad: bool = False, placement: Placement | DeviceMesh | None = None, sbp: Sbp | Sequence[Sbp] | None = None,
        memory_format: MemoryFormat | None = None, out: Tensor | None = None) -> Tensor: ...
def zeros_like(input: Tensor, *, dtype: DType | None = None, device: Device | str | None = None, requires_grad: bool = False,
        placement: Placement | DeviceMesh | None = None, sbp: Sbp | Sequence[Sbp] | None = None,
        memory_format: MemoryFormat | None = None, out: Tensor | None = None) -> Tensor: ...
def ones_like(input: Tensor, *, dtype: DType | None = None, device: Device | str | None = None, requires_grad: bool = False,
        placement: Placement | DeviceMesh | None = None, sbp: Sbp | Sequence[Sbp] | None = None,
        memory_format: MemoryFormat | None = None, out: Tensor | None = None) -> Tensor: ...
@overload
def new_empty(input: Tensor, size: Sequence[int], *, dtype: DType | None = None, device: Device | str | None = None,
        requires_grad: bool = False, placement: Placement | DeviceMesh | None = None, sbp: Sbp | Sequence[Sbp] | None = None,
        out: Tensor | None = None) -> Tensor: ...
@overload
def new_empty(input: Tensor, *size: int, dtype: DType | None = None, device: Device | str | None = None,
        requires_grad: bool = False, placement: Placement | DeviceMesh | None = None, sbp: Sbp | Sequence[Sbp] | None = None,
        out: Tensor | None = None) -> Tensor: ...
@overload
def new_zeros(input: Tensor, size: Sequence[int], *, dtype: DType | None = None, device: Device | str | None = None,
        requires_grad: bool = False, placement: Placement | DeviceMesh | None = None, sbp: Sbp | Sequence[Sbp] | None = None,
        out: Tensor | None = None) -> Tensor: ...
@overload
def new_zeros(input: Tensor, *size: int, dtype: DType | None = None, device: Device | str | None = None,
        requires_grad: bool = False, placement: Placement | DeviceMesh | None = None, sbp: Sbp | Sequence[Sbp] | None = None,
        out: Tensor | None = None) -> Tensor: ...
@overload
def new_ones(input: Tensor, size: Sequence[int], *, dtype: DType | None = None, device: Device | str | None = None,
        requires_grad: bool = False, placement: Placement | DeviceMesh | None = None, sbp: Sbp | Sequence[Sbp] | None = None,
        out: Tensor | None = None) -> Tensor: ...
@overload
def new_ones(input: Tensor, *size: int, dtype: DType | None = None, device: Device | str | None = None,
        requires_grad: bool = False, placement: Placement | DeviceMesh | None = None, sbp: Sbp | Sequence[Sbp] | None = None,
        out: Tensor | None = None) -> Tensor: ...
def new_full(input: Tensor, size: Sequence[int], fill_value: Scalar, *, dtype: DType | None = None,
        device: Device | str | None = None, requires_grad: bool = False, placement: Placement | DeviceMesh | None = None,
        sbp: Sbp | Sequence[Sbp] | None = None, out: Tensor | None = None) -> Tensor: ...
def logspace(start: Scalar, end: Scalar, steps: int, base: float = 10.0, *, dtype: DType | None = None,
        device: Device | str | None = None, requires_grad: bool = False, placement: Placement | DeviceMesh | None = None,
        sbp: Sbp | Sequence[Sbp] | None = None, out: Tensor | None = None) -> Tensor: ...
def range(start: Scalar, end: Scalar, step: Scalar = 1, *, dtype: DType | None = None, device: Device | str | None = None,
        requires_grad: bool = False, placement: Placement | DeviceMesh | None = None, sbp: Sbp | Sequence[Sbp] | None = None,
        out: Tensor | None = None) -> Tensor: ...
def scalar_tensor(s: Scalar, *, dtype: DType | None = None, device: Device | str | None = None, requires_grad: bool = False,
        placement: Placement | DeviceMesh | None = None, sbp: Sbp | Sequence[Sbp] | None = None,
        out: Tensor | None = None) -> Tensor: ...
def empty_strided(size: Sequence[int], stride: Sequence[int], *, dtype: DType | None = None, device: Device | str | None = None,
        requires_grad: bool = False, out: Tensor | None = None) -> Tensor: ...
def empty_permuted(size: Sequence[int], physical_layout: Sequence[int], *, dtype: DType | None = None,
        device: Device | str | None = None, requires_grad: bool = False, out: Tensor | None = None) -> Tensor: ...
def tril_indices(row: int, col: int, offset: int = 0, *, dtype: DType = int64, device: Device | str | None = None,
        out: Tensor | None = None) -> Tensor: ...
def triu_indices(row: int, col: int, offset: int = 0, *, dtype: DType = int64, device: Device | str | None = None,
        out: Tensor | None = None) -> Tensor: ...
def vander(x: Tensor, N: int | None = None, increasing: bool = False, *, out: Tensor | None = None) -> Tensor: ...

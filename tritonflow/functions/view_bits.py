"""The functor of view(dtype): the same memory, read as numbers of another dtype."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import functor
from tritonflow.dtypes import DType, torch_name
from tritonflow.errors import NotYetImplementedError, ShapeError
from tritonflow.execution.lazy import note_alias
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.view import base_of, view


@functor("ViewDtype")
def view_dtype(x: Tensor, dtype: DType) -> Any:
    """A view without history. Where sizes of elements differ, the last dimension is as much longer or shorter."""
    own = x.meta.dtype
    if dtype is own:
        return view(x, x.meta.shape)
    if not x.meta.is_local or x.is_lazy:
        where = "in a graph that is being captured" if x.meta.is_local else "of a global (consistent) tensor"
        raise NotYetImplementedError(f"view(): as another dtype, {where}: view it before")
    shape, stride = _as_elements(x, dtype)
    if not hasattr(x.impl, "base"):
        x.impl.base = base_of(x)
    note_alias(x)
    meta = TensorMeta.get(shape, stride, dtype, x.meta.device, x.meta.aligned)
    return Tensor(meta, x.impl, x.ptr)


def _as_elements(x: Tensor, dtype: DType) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The shape and the strides, counted in elements of another dtype.

    Raises:
        RuntimeError: the elements do not lie so that they could be read in that way.
    """
    meta, own = x.meta, x.meta.dtype
    shape, stride = meta.shape, meta.stride
    old, new = own.itemsize, dtype.itemsize
    if old == new:
        return shape, stride
    what = f"to view {torch_name(own)} as {torch_name(dtype)} (different element sizes), but got"
    if not shape:
        raise ShapeError(f"self.dim() cannot be 0 {what[:-9]}")
    if stride[-1] != 1:
        raise ShapeError(f"self.stride(-1) must be 1 {what} {stride[-1]}")
    if old > new:
        ratio = old // new
        return (*shape[:-1], shape[-1] * ratio), (*[s * ratio for s in stride[:-1]], 1)
    ratio = new // old
    if shape[-1] % ratio:
        raise ShapeError(f"self.size(-1) must be divisible by {ratio} {what} {shape[-1]}")
    if x.storage_offset() % ratio:
        raise ShapeError(f"self.storage_offset() must be divisible by {ratio} {what} {x.storage_offset()}")
    for dim, step in enumerate(stride[:-1]):
        if step % ratio:
            raise ShapeError(f"self.stride({dim}) must be divisible by {ratio} {what} {step}")
    return (*shape[:-1], shape[-1] // ratio), (*[s // ratio for s in stride[:-1]], 1)

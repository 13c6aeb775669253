"""Indexing: `x[...]` and `x[...] = value`.

An index is applied in two steps. Integers, slices, None and Ellipsis make a view. The rest are index tensors, one for each
dimension; a mask becomes the coordinates of its true elements. They are broadcast together and read by one kernel.

Source: https://numpy.org/doc/stable/user/basics.indexing.html, with torch's rules where the two differ.
"""

from __future__ import annotations

from typing import Any

import numpy

from tritonflow import dtypes
from tritonflow.binding import data_exchange, new_tensors
from tritonflow.binding.annotations import Index
from tritonflow.binding.target import beside
from tritonflow.errors import DimensionError, ElementIndexError, IndexOutOfRangeError, ShapeError, SliceBoundError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.function_overrides import adopted, call, overriding
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.runtime_scalar import index_of
from tritonflow.framework.sbp import broadcast
from tritonflow.framework.symbolic_int import known_equal
from tritonflow.framework.tensor import Tensor
from tritonflow.framework.tensor_impl import BatchedTensorImpl
from tritonflow.functions.cast import cast, copy_, fill_
from tritonflow.functions.creation import full
from tritonflow.functions.index import index_get, index_put, nonzero
from tritonflow.functions.index_masks import masked_fill, masked_fill_tensor
from tritonflow.functions.view import expand, reshape, select_attributes, slice_attributes, slice_dim, unsqueeze
from tritonflow.functions.view_orders import permute
from tritonflow.functions.view_parts import unbind
from tritonflow.interpreter.dispatch import dispatch_view
from tritonflow.interpreter.grad_mode import no_grad
from tritonflow.ops.elementwise import broadcast_shapes

_select, _slice = op_expr("select"), op_expr("slice")
_BASIC = (int, slice, type(None), type(Ellipsis))
_BASIC_CLASSES = set(_BASIC)
_NUMBERS = (int, float, bool, complex)
_TUPLE_LIKE = (list, tuple, range, numpy.ndarray, Tensor, slice, type(None), type(Ellipsis))


def getitem(self: Tensor, index: Index) -> Tensor:
    """The elements at an index: a view for integers, slices, None and Ellipsis, a copy for tensors, arrays, lists and masks."""
    if type(index) is int:
        if self.meta.shape:
            return dispatch_view(_select, self, (0, index), select_attributes)  # type: ignore[no-any-return]
    elif index.__class__ is slice and self.meta.shape:
        bounds = _int_slice(index)
        return dispatch_view(_slice, self, ((bounds.start, bounds.stop, bounds.step),), _rows)  # type: ignore[no-any-return]
    elif index is None:
        return unsqueeze(self, 0)
    if adopted.any:
        found = overriding((self, index))
        if found:
            return call(Tensor.__getitem__, found, (self, index), {})  # type: ignore[no-any-return]
    view, tensors = _resolve(self, _as_tuple(index, self))
    if not tensors:
        return view if view is not self else dispatch_view(op_expr("view"), self, (self.meta.shape,))
    view, indices, dim = _adjacent(view, tensors)
    return index_get(view, indices, dim)  # type: ignore[no-any-return]


def _rows(meta: TensorMeta, bounds: tuple[Any, Any, Any]) -> tuple[Any, ...]:
    """The attributes of a lone slice. It is one of all rows, too: its gradient has memory for each element, as in torch."""
    return slice_attributes(meta, 0, bounds) or (0, 0, meta.shape[0], 1)


def setitem(self: Tensor, index: Index, value: Any) -> None:
    """Write `value`, broadcast, at an index."""
    if adopted.any:
        found = overriding((self, index, value))
        if found:
            call(Tensor.__setitem__, found, (self, index, value), {})
            return
    items = _as_tuple(index, self)
    if value.__class__ in _NUMBERS or (isinstance(value, Tensor) and known_equal(value.meta.numel, 1)):
        masked = _masked(self, items)
        if masked is not None:
            _fill(*masked, value.reshape(()) if isinstance(value, Tensor) else value)
            return
    view, tensors = _resolve(self, items)
    if not tensors and value.__class__ in _NUMBERS:
        fill_(view, value)  # type: ignore[arg-type]
        return
    if value.__class__ in _NUMBERS:
        value = full((), value, dtype=self.dtype, **beside(self))  # type: ignore[arg-type]
    elif not isinstance(value, Tensor):
        value = new_tensors.tensor(value, dtype=self.dtype, **beside(self))
    elif value.meta.ndim == 0:
        value = data_exchange.to_device_of(value, self)
    if not tensors:
        copy_(view, _squeezed_to(value, view.meta.ndim))
        return
    view, indices, dim = _adjacent(view, tensors)
    shape = (*view.meta.shape[:dim], *indices[0].meta.shape, *view.meta.shape[dim + len(indices) :])
    if value.dtype is not self.dtype:
        value = cast(value, self.dtype)
    value = _squeezed_to(value, len(shape))
    own = value.meta.shape
    if len(own) > len(shape) or any(not known_equal(n, 1) and n != m and n != 1 for n, m in zip(reversed(own), reversed(shape))):
        raise ShapeError(
            f"shape mismatch: value tensor of shape {list(own)} cannot be broadcast to indexing result of shape {list(shape)}"
        )
    index_put(view, expand(value, shape), indices, dim, inplace=True)


def _squeezed_to(value: Tensor, ndim: int) -> Tensor:
    """Drop leading dimensions of size 1 that the target does not have."""
    shape = value.meta.shape
    extra = len(shape) - ndim
    if extra <= 0 or any(n != 1 for n in shape[:extra]):
        return value
    return value.reshape(shape[extra:])  # type: ignore[attr-defined, no-any-return]


def _masked(x: Tensor, items: tuple[Any, ...]) -> tuple[Tensor, Tensor] | None:
    """For a mask among what makes views: the view with the mask's dimensions whole, and the mask, to be broadcast to it."""
    chosen = [k for k, item in enumerate(items) if isinstance(item, (Tensor, bool))]
    if len(chosen) != 1 or not _is_mask(items[chosen[0]]):
        return None
    items = items if Ellipsis in [i for i in items if not isinstance(i, Tensor)] else (*items, Ellipsis)
    (k,) = chosen
    mask = items[k]
    view, _ = _resolve(x, (*items[:k], *[slice(None)] * mask.meta.ndim, *items[k + 1 :]))
    rest = x.meta.ndim - sum(_dimensions_taken(i) for i in items)
    behind = sum(rest if i is Ellipsis else not isinstance(i, int) for i in items[k + 1 :])
    _check_mask(mask, view, view.meta.ndim - behind - mask.meta.ndim)
    return view, mask.reshape((*mask.meta.shape, *[1] * behind))  # type: ignore[attr-defined]


def _fill(view: Tensor, mask: Tensor, value: Any) -> None:
    """Write a number, or a tensor with one and no dimensions, where a mask holds."""
    if isinstance(value, Tensor):
        value = data_exchange.to_device_of(value, view)
    mask = cast(data_exchange.to_device_of(mask, view), dtypes.bool_)
    (masked_fill_tensor if isinstance(value, Tensor) else masked_fill)(view, mask, value, inplace=True)


def _resolve(x: Tensor, items: tuple[Any, ...]) -> tuple[Tensor, dict[int, Tensor]]:
    """Apply what makes views; return the view and the index tensor of every dimension that has one."""
    consumed = 0
    for item in items:
        if item.__class__ is int or item.__class__ is slice:
            consumed += 1
        elif item is not None:
            consumed += _dimensions_taken(item)
    ndim = x.meta.ndim
    if consumed > ndim:
        if ndim == 0 and len(items) == 1 and isinstance(items[0], int):
            raise ElementIndexError(
                "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a 0-dim"
                " tensor to a number: select() cannot be applied to a 0-dim tensor."
            )
        raise IndexOutOfRangeError(f"too many indices for tensor of dimension {ndim}")
    tensors: dict[int, Tensor] = {}
    dim = 0
    for item in items:
        if type(item) is int:
            x = dispatch_view(_select, x, (dim, item), select_attributes)
        elif item.__class__ is slice:
            x = slice_dim(x, dim, _int_slice(item))
            dim += 1
        elif item is Ellipsis:  # the first one; for others no dimensions are left
            dim += ndim - consumed
            consumed = ndim
        elif item is None:
            x = unsqueeze(x, dim)
            dim += 1
        elif isinstance(item, bool) or (_is_mask(item) and not item.meta.ndim):
            x = unsqueeze(x, dim)
            tensors[dim] = _index_of_flag(item if isinstance(item, bool) else bool(data_exchange.item(item)), x)
            dim += 1
        elif isinstance(item, int):
            x = dispatch_view(_select, x, (dim, index_of(item)), select_attributes)
        else:
            for part in _index_tensors(item, x, dim):
                tensors[dim] = part
                dim += 1
    return x, tensors


def _as_tuple(index: Any, x: Tensor) -> tuple[Any, ...]:
    """The items of an index, numbers as Python's, sequences and arrays as tensors, of a consistent tensor x over its placement.

    A list with sequences, tensors, slices, None or Ellipsis in it counts as a tuple, as in OneFlow and torch.
    """
    if isinstance(index, list) and len(index) < 32 and any(isinstance(i, _TUPLE_LIKE) for i in index):
        index = tuple(index)
    if not isinstance(index, tuple):
        index = (index,)
    if _BASIC_CLASSES.issuperset(map(type, index)):
        return index
    return tuple(_item(i, x) for i in index)


def _item(i: Any, x: Tensor) -> Any:
    if isinstance(i, _BASIC) or isinstance(i, bool):
        return i
    if isinstance(i, Tensor):
        if i.meta.ndim == 0 and i.meta.dtype.category == dtypes.INTEGER and i.meta.dtype is not dtypes.uint8:
            is_number = i.impl.__class__ is not BatchedTensorImpl
            return int(data_exchange.item(i)) if is_number else cast(i, dtypes.int64)
        if i.meta.dtype.is_floating_point:
            raise IndexOutOfRangeError("tensors used as indices must be long, int, byte or bool tensors")
        return i
    if isinstance(i, numpy.integer):
        return int(i)
    if isinstance(i, numpy.bool_):
        return bool(i)
    if isinstance(i, (list, tuple, range, numpy.ndarray)):
        array = numpy.asarray(i) if not isinstance(i, (list, tuple)) else None
        found = data_exchange.from_numpy(array) if array is not None and array.dtype != object else new_tensors.tensor(list(i))
        if found.meta.numel == 0 and found.dtype.is_floating_point:
            found = new_tensors.tensor(list(i), dtype=dtypes.int64)
        is_number = found.meta.ndim == 0 and not _is_mask(found)
        return int(data_exchange.item(found)) if is_number else _item(_beside(found, x), x)
    if hasattr(i, "__index__"):
        return i.__index__()
    raise IndexOutOfRangeError(
        f"only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices (got {type(i).__name__})"
    )


def _beside(index: Tensor, x: Tensor) -> Tensor:
    """An index tensor made of numbers, which every rank has been given, over the placement of a consistent tensor."""
    meta: Any = x.meta
    return index if meta.is_local else new_tensors.spread(index, meta.placement, (broadcast,) * meta.placement.ndim)


def _int_slice(s: slice) -> slice:
    """Bounds as ints; zero-dim tensors and NumPy integers are accepted."""
    start, stop, step = bounds = s.start, s.stop, s.step
    if (start is None or type(start) is int) and (stop is None or type(stop) is int) and (step is None or type(step) is int):
        return s
    if not all(b is None or hasattr(b, "__index__") for b in bounds):
        raise SliceBoundError("slice indices must be integers or None or have an __index__ method")
    return slice(*[b if b is None else index_of(_number(b)) for b in bounds])


def _number(bound: Any) -> Any:
    """What `operator.index` asks a tensor for; in a capture it may be the size of what follows."""
    return bound.item() if isinstance(bound, Tensor) and bound.is_lazy and _is_whole(bound) else bound


def _is_whole(index: Tensor) -> bool:
    """Whether a tensor has one whole number."""
    dtype = index.meta.dtype
    return index.meta.numel == 1 and dtype is not dtypes.bool_ and not (dtype.is_floating_point or dtype.is_complex)


def _dimensions_taken(item: Any) -> int:
    if item is None or item is Ellipsis or isinstance(item, bool):
        return 0
    return item.meta.ndim if _is_mask(item) else 1


def _is_mask(item: Any) -> bool:
    return isinstance(item, Tensor) and item.meta.dtype in (dtypes.bool_, dtypes.uint8)


def _index_of_flag(flag: bool, x: Tensor) -> Tensor:
    """x[True] is x with a new dimension of size 1, x[False] of size 0."""
    return full((int(flag),), 0, dtype=dtypes.int64, **beside(x))  # type: ignore[no-any-return]


def _index_tensors(item: Tensor, x: Tensor, dim: int) -> list[Tensor]:
    """An index tensor as it is, a mask as the coordinates of its true elements."""
    item = data_exchange.to_device_of(item, x)
    if not _is_mask(item):
        return [item]
    _check_mask(item, x, dim)
    with no_grad():
        coordinates = nonzero(item)
        return list(unbind(coordinates, 1)) if item.meta.ndim else [reshape(coordinates, (-1,))]


def _check_mask(mask: Tensor, x: Tensor, dim: int) -> None:
    for k, (n, m) in enumerate(zip(mask.meta.shape, x.meta.shape[dim:])):
        if n != m:
            raise DimensionError(
                f"The shape of the mask {list(mask.meta.shape)} at index {k} does not match the shape of the indexed tensor"
                f" {list(x.meta.shape)} at index {dim + k}"
            )


def _adjacent(x: Tensor, tensors: dict[int, Tensor]) -> tuple[Tensor, list[Tensor], int]:
    """Bring the indexed dimensions together, as numpy does: in place if they are adjacent, else to the front.

    An index without dimensions, which only `vmap` has, takes its dimension away before that, as a number does.
    """
    single = sorted([d for d in tensors if not tensors[d].meta.ndim])
    dims = sorted([d for d in tensors if d not in single])
    try:
        shape = broadcast_shapes([tensors[d].meta.shape for d in (*single, *dims)])
    except RuntimeError:
        shapes = ", ".join(str(list(tensors[d].meta.shape)) for d in dims)
        raise IndexOutOfRangeError(
            f"shape mismatch: indexing tensors could not be broadcast together with shapes {shapes}"
        ) from None
    indices = [expand(tensors[d], shape) for d in (*single, *dims)]
    left = [d for d in range(x.meta.ndim) if d not in single]
    start = left.index(dims[0]) if dims else 0
    if left[start : start + len(dims)] != dims:
        start = 0
    rest = [d for d in left if d not in dims]
    order = (*rest[:start], *single, *dims, *rest[start:])
    return (x if order == tuple(range(x.meta.ndim)) else permute(x, order)), indices, start

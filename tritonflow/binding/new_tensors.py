"""New tensors with a copy of data: Python's numbers and sequences of them, arrays, and what other tensors hold."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import reduce
from hashlib import blake2b
from typing import Any

import numpy

from tritonflow import dtypes
from tritonflow.binding.annotations import DeviceLike, PlacementLike
from tritonflow.binding.data_exchange import copy_of, from_torch, item, numpy_of, read, to_device
from tritonflow.binding.target import target, target_like
from tritonflow.device import torch_exchange
from tritonflow.device.device import Device, get_default_device
from tritonflow.dtypes import DType
from tritonflow.errors import ArgumentTypeError, ArgumentValueError, PlacementError, type_name
from tritonflow.execution.eager_local import contiguous_copy
from tritonflow.execution.op_expr import op_expr
from tritonflow.execution.transfer import CPU, allocate
from tritonflow.framework.consistent_meta import ConsistentTensorMeta
from tritonflow.framework.meta import contiguous_meta
from tritonflow.framework.placement import Placement
from tritonflow.framework.runtime_scalar import RuntimeScalar
from tritonflow.framework.sbp import NdSbp, Sbp, broadcast
from tritonflow.framework.size import Size
from tritonflow.framework.tensor import Tensor, set_user_constructor
from tritonflow.interpreter.choice import consistent_road
from tritonflow.interpreter.dispatch import dispatch, dispatch1
from tritonflow.interpreter.rank_metas import ask
from tritonflow.interpreter.shard import from_local, local_shard
from tritonflow.ops.cast import scalar_of
from tritonflow.thread_state import slow_path, thread_state
from tritonflow.vm.machine import machine

_PYTHON_NUMBERS = {bool, int, float, complex}

_MOST_NUMBERS = 64

_constant = op_expr("full")
_cat = op_expr("cat")
_cast = op_expr("cast")


def from_array(array: numpy.ndarray[Any, Any], dtype: DType, device: Device) -> Tensor:
    """A new tensor with a copy of an array's elements."""
    if not dtype.has_numpy:
        wide = dtypes.complex64 if dtype.is_complex else dtypes.float32
        bits = numpy.asarray(array, dtype=wide.numpy)
        return dispatch1(_cast, from_array(bits, wide, device), (dtype,))
    array = numpy.asarray(array, dtype=dtype.numpy, order="C")
    result = allocate(contiguous_meta(array.shape, dtype, CPU))
    machine.access([], [result.impl.block], lambda: ctypes.memmove(result.ptr, array.ctypes.data, array.nbytes), atomic=True)
    if slow_path.count:
        thread_state.observer.constant(result)
    return result if device is CPU else to_device(result, device)


def tensor(
    data: Any,
    *,
    dtype: DType | None = None,
    device: DeviceLike | None = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
    placement: PlacementLike | None = None,
    sbp: Sbp | Sequence[Sbp] | None = None,
) -> Tensor:
    """A new leaf tensor with a copy of `data`.

    Args:
        data: a number, nested sequences of numbers, a NumPy array, or a tensor.
        dtype: of the result; by default inferred: float32 (the default dtype), int64 or bool for Python numbers, their own for
            arrays, NumPy's numbers and tensors; what holds all of them for a mixture.
        device: where the result is; default where `data` is, if it is a tensor, else `flow.get_default_device()`.
        requires_grad: whether gradients are accumulated into it.
        pin_memory: accepted for torch's sake; without effect on the CPU.
        placement, sbp: over which ranks the result lies, and how, for a consistent tensor. Every rank gives the same whole data.

    Raises:
        TypeError, ValueError: `data` is not rectangular or not made of numbers.
        RuntimeError: a number does not fit an integer dtype, or ranks give different data.

    Example:
        >>> import tritonflow as flow
        >>> flow.tensor([[1, 2], [3, 4]]).shape
        tritonflow.Size([2, 2])
    """
    if dtype is not None and not isinstance(dtype, DType):
        dtype = _checked_dtype(dtype)
    if placement is not None or sbp is not None or slow_path.count and thread_state.global_mode is not None:
        result = _consistent_tensor(data, dtype, device, placement, sbp)
    elif isinstance(data, Tensor):
        result = copy_of(data, dtype or data.dtype, None if device is None else Device(device))
    elif torch_exchange.is_tensor(data):
        shared = from_torch(data)
        result = copy_of(shared, dtype or shared.dtype, get_default_device() if device is None else Device(device))
    elif type(data) is RuntimeScalar:  # the program makes it of the number that a run is given
        number: Any = data
        dtype = dtype or dtypes.of_scalar(number.__class__)
        result = _of_numbers([number], (), dtype, device)
    elif slow_path.count and isinstance(data, (list, tuple)) and _has_numbers_of_a_run(data, dtype):
        dtype = dtype or reduce(dtypes.promote_types, _dtypes_within(data))
        result = _of_numbers(data, (1,), dtype, device)
    else:
        array, dtype = _checked_array(data, dtype)
        result = from_array(array, dtype, get_default_device() if device is None else Device(device))
    if requires_grad:
        result.requires_grad = True  # type: ignore[attr-defined]
    return result


def _has_numbers_of_a_run(data: Sequence[Any], dtype: DType | None) -> bool:
    """Whether a sequence is of a few numbers, of which some differ from run to run, and each of them fits the dtype by itself."""
    kinds = set(map(type, data))
    if RuntimeScalar not in kinds or not kinds <= {int, float, RuntimeScalar} or len(data) > _MOST_NUMBERS:
        return False
    return dtype is None or dtype.is_floating_point or (dtype is dtypes.int64 and all(isinstance(number, int) for number in data))


def _of_numbers(numbers: Sequence[Any], shape: tuple[int, ...], dtype: DType, device: DeviceLike | None) -> Tensor:
    """A tensor that a program makes of the numbers that a run is given: of one, or a vector of pieces of shape (1,)."""
    where = get_default_device() if device is None else Device(device)
    pieces = tuple([dispatch(_constant, (), (shape, dtype, where), (scalar_of(number, dtype),)) for number in numbers])
    return pieces[0] if len(pieces) == 1 else dispatch(_cat, pieces, (0, (1,) * len(pieces)))  # type: ignore[no-any-return]


def _checked_dtype(dtype: Any) -> DType:
    """The dtype that one of Python's types stands for."""
    found = dtypes.from_python(dtype)
    if not isinstance(found, DType):
        raise ArgumentTypeError(f"tensor(): argument 'dtype' must be a dtype, not {type_name(dtype)}")
    return found


def _checked_array(data: Any, dtype: DType | None) -> tuple[numpy.ndarray[Any, Any], DType]:
    """An array of the data and the dtype of the result, whose range the numbers are in."""
    array, inferred = _to_array(data, dtype)
    dtype = dtype or inferred
    if isinstance(data, (numpy.ndarray, numpy.generic)):
        return array, dtype
    if inferred.is_complex and not dtype.is_complex and dtype is not dtypes.bool_:
        raise ArgumentTypeError(f"tensor(): must be real numbers for dtype {dtype}, not complex")
    if dtype.category == dtypes.INTEGER and array.size:
        scalar_of(array.min().item(), dtype)
        scalar_of(array.max().item(), dtype)
    return array, dtype


def _consistent_tensor(data: Any, dtype: DType | None, device: Any, placement: PlacementLike | None, sbp: Any) -> Tensor:
    """A consistent tensor of data that every rank has whole: each takes its piece."""
    if torch_exchange.is_tensor(data):
        data = from_torch(data)
    device = None if device is None else Device(device)
    if isinstance(data, Tensor) and not data.meta.is_local:
        where = target_like("tensor", data, data.meta.ndim, device, placement, sbp)
        assert where.placement is not None and where.sbp is not None
        return copy_of(consistent_road().box(data, where.placement, where.sbp), dtype or data.dtype)
    if isinstance(data, Tensor):
        array, dtype = read(data if data.dtype.has_numpy else copy_of(data, dtypes.float32)), dtype or data.dtype
    else:
        array, dtype = _checked_array(data, dtype)
    where = target("tensor", array.ndim, device, placement, sbp)
    assert where.placement is not None and where.sbp is not None
    _require_same_data(array, where.placement)
    return spread(from_array(array, dtype, where.device), where.placement, where.sbp)


def spread(data: Tensor, placement: Placement, sbp: NdSbp) -> Tensor:
    """A consistent tensor of a local one that every rank of the placement has whole. Each takes its piece; nothing moves."""
    meta = ConsistentTensorMeta.get(data.meta.shape, data.meta.dtype, placement, (broadcast,) * placement.ndim)
    if meta.coordinate is None:
        held = allocate(meta.local)
    else:
        held = _contiguous(to_device(data, placement.device()))
    boxed = consistent_road().box(from_local(held, meta), placement, sbp)
    if boxed.impl is held.impl and boxed.meta is not meta:  # a view of all of it
        return from_local(contiguous_copy(local_shard(boxed)), boxed.meta.contiguous())
    return boxed


def _require_same_data(array: numpy.ndarray[Any, Any], placement: Placement) -> None:
    """Compare over ranks what they made a consistent tensor of. In a capture they compare it behind that.

    Raises:
        PlacementError: it is not the same.
    """
    ranks = placement.callers
    if len(ranks) == 1:
        return
    digest = blake2b(numpy.ascontiguousarray(array).tobytes(), digest_size=8).hexdigest()
    own = array.shape, array.dtype.str, digest
    if slow_path.count and thread_state.observer.is_capturing:
        thread_state.observer.over_ranks.told(f"tensor() of {own[1]}{list(own[0])} with the digest {digest}", placement)
        return
    told = ask(own, "the data of tensor()", ranks)
    first = told[ranks[0]]
    for rank, other in told.items():
        if other != first:
            raise PlacementError(
                f"tensor(): Each rank must have same input sequence or numpy array, but that of rank {rank} ({other[1]}"
                f"{list(other[0])}) differs from that of rank {ranks[0]} ({first[1]}{list(first[0])}); for different local"
                " tensors use to_global()"
            )


def legacy_tensor(args: list[Any], device: Any = None, placement: PlacementLike | None = None, sbp: Any = None) -> Tensor:
    """What `flow.Tensor(*args)` makes: float32 of a size given as integers or a shape, or of data."""
    args = [int(n) if is_numpy_integer(n) else n for n in args]
    if len(args) == 1 and not isinstance(args[0], (int, Size)):
        data = args[0]
        if isinstance(data, Tensor):
            return _as_given(data.detach(), device, placement, sbp)
        if isinstance(data, (numpy.ndarray, numpy.generic)) and data.dtype.kind == "c":
            raise ArgumentTypeError(f"Tensor(): must be real numbers, not {data.dtype}. help: flow.tensor(data) keeps the dtype")
        return tensor(data, dtype=dtypes.get_default_dtype(), device=device, placement=placement, sbp=sbp)
    shape = tuple(args[0]) if len(args) == 1 and isinstance(args[0], Size) else tuple(args)
    if args == [()]:
        shape = (0,)
    if not all(isinstance(n, int) and n >= 0 for n in shape):
        raise TypeError(f"Tensor(): expected sizes or data, but got {', '.join(type(a).__name__ for a in args)}")
    where = target("Tensor", len(shape), None if device is None else Device(device), placement, sbp)
    if where.placement is None or where.sbp is None:
        return allocate(contiguous_meta(shape, dtypes.get_default_dtype(), where.device))
    meta = ConsistentTensorMeta.get(shape, dtypes.get_default_dtype(), where.placement, where.sbp)
    return from_local(allocate(meta.local), meta)


def is_numpy_integer(value: Any) -> bool:
    """Whether a value is an integer of NumPy, or an array of no dimensions with one: what Python takes as an index."""
    return isinstance(value, numpy.integer) or isinstance(value, numpy.ndarray) and value.ndim == 0 and value.dtype.kind in "iu"


def _as_given(data: Tensor, device: Any, placement: PlacementLike | None, sbp: Any) -> Tensor:
    """A tensor on a device, of a consistent one the shard of this rank, or over a placement; itself where nothing is given."""
    if placement is not None or sbp is not None:
        return data.to_global(placement, sbp)  # type: ignore[no-any-return]
    if device is None:
        return data
    return to_device(data if data.meta.is_local else data.to_local(), Device(device))


set_user_constructor(legacy_tensor)


def _to_array(data: Any, dtype: DType | None = None) -> tuple[numpy.ndarray[Any, Any], DType]:
    if isinstance(data, (numpy.ndarray, numpy.generic)):
        array = numpy.asarray(data)
        return array, dtypes.from_numpy(array.dtype.newbyteorder("="))
    try:
        array = numpy.array(_plain(data))
    except ValueError as error:
        raise ValueError(f"tensor(): the sequences given do not form a rectangular array: {error}") from None
    if array.dtype.kind == "O" and all(isinstance(n, (int, float)) for n in array.flat):
        array = _of_large_integers(array, dtype)
    if array.dtype.kind == "O" or array.dtype.kind in "USV":
        raise TypeError(f"tensor(): cannot make a tensor of {type(data).__name__} with elements that are not numbers")
    found = _dtypes_within(data)
    return array, reduce(dtypes.promote_types, found) if found else dtypes.get_default_dtype()


def _of_large_integers(numbers: numpy.ndarray[Any, Any], dtype: DType | None) -> numpy.ndarray[Any, Any]:
    """The array of Python numbers that NumPy has no integer dtype for: floats or truth values where these are wanted.

    Raises:
        ValueError: the result would be of integers.
        OverflowError: a number is too large for a float, too.
    """
    if dtype is dtypes.bool_:
        return numbers.astype(numpy.bool_)
    if dtype is None and any(isinstance(n, float) for n in numbers.flat) or dtype is not None and dtype.is_floating_point:
        return numbers.astype(numpy.float64)
    raise ArgumentValueError("tensor(): Overflow when unpacking long long: an integer does not fit int64")


def _dtypes_within(data: Any) -> set[DType]:
    """Those of the numbers in nested sequences: arrays, NumPy's numbers and tensors have their own, Python's the default ones."""
    if type(data) is RuntimeScalar:
        return {_dtype_of_number(type(data.value))}
    if isinstance(data, (list, tuple)):
        kinds = set(map(type, data))
        if kinds <= _PYTHON_NUMBERS:
            return {_dtype_of_number(kind) for kind in kinds}
        return set().union(*map(_dtypes_within, data))
    if isinstance(data, Tensor):
        return {data.dtype}
    if torch_exchange.is_tensor(data):
        return {from_torch(data).dtype}
    if type(data) in _PYTHON_NUMBERS:
        return {_dtype_of_number(type(data))}
    inside = numpy.asarray(data).dtype
    if isinstance(data, numpy.generic) or hasattr(data, "__array__"):
        return {_dtype_of_number(inside.type)}
    return {_dtype_of_number(float if inside.kind == "f" else int)}  # of `bytearray` and the like, sequences of Python's numbers


def _dtype_of_number(kind: type) -> DType:
    """The dtype that `tensor` gives numbers of a class: Python's, or one of NumPy's scalar types."""
    default = dtypes.get_default_dtype()
    if kind in _PYTHON_NUMBERS:
        return {bool: dtypes.bool_, int: dtypes.int64, float: default, complex: default.to_complex()}[kind]
    return dtypes.from_numpy(numpy.dtype(kind))


def _plain(data: Any) -> Any:
    """Sequences with the tensors inside as arrays or numbers."""
    if type(data) is RuntimeScalar:
        return data.pin()
    if isinstance(data, Tensor):
        return item(data) if data.meta.ndim == 0 else numpy_of(data)
    if isinstance(data, (list, tuple)):
        return [item(part) if _is_one_number(part) else _plain(part) for part in data]
    if isinstance(data, range):
        return list(data)
    return data


def _is_one_number(part: Any) -> bool:
    """Whether a part of a sequence is a tensor of one element, which is a number there, as in torch."""
    return isinstance(part, Tensor) and part.meta.numel == 1


def _contiguous(x: Tensor) -> Tensor:
    return x if x.meta.is_contiguous else contiguous_copy(x)

"""Data in and out: Python numbers, NumPy, torch, DLPack.

What can be shared is never copied. An array, torch tensor or capsule that is made from a tensor sees the same memory and keeps it
alive. So does a tensor that is made from one of these. Several imports of one foreign storage share one block, so that the VM
orders them.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Sequence
from functools import reduce
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy

from tritonflow import dtypes
from tritonflow.binding.annotations import DeviceLike, Number
from tritonflow.binding.target import target, target_like
from tritonflow.device import torch_exchange
from tritonflow.device.device import META, Device, get_default_device
from tritonflow.device.memory import Block
from tritonflow.device.provider import Provider, get_provider
from tritonflow.dtypes import DType
from tritonflow.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    DeviceMismatchError,
    NoDataError,
    PlacementError,
    type_name,
)
from tritonflow.execution.eager_local import contiguous_copy
from tritonflow.execution.lazy import note_alias
from tritonflow.execution.op_expr import op_expr
from tritonflow.execution.transfer import CPU, allocate, note_read, on_device, read_few
from tritonflow.framework.capture_errors import moved_with_history
from tritonflow.framework.consistent_meta import ConsistentTensorMeta
from tritonflow.framework.locality import require_local
from tritonflow.framework.meta import TensorMeta, contiguous_meta
from tritonflow.framework.placement import Placement
from tritonflow.framework.runtime_scalar import RuntimeScalar
from tritonflow.framework.sbp import NdSbp, Sbp, broadcast
from tritonflow.framework.tensor import Size, Tensor, set_user_constructor
from tritonflow.framework.tensor_impl import BatchedTensorImpl, EagerLocalTensorImpl
from tritonflow.interpreter.batched import batched, whole_of
from tritonflow.interpreter.choice import consistent_road
from tritonflow.interpreter.dispatch import dispatch, dispatch1
from tritonflow.interpreter.grad_mode import no_grad
from tritonflow.interpreter.inplace import refuse_unrecorded
from tritonflow.interpreter.rank_metas import ask_all
from tritonflow.interpreter.recording import edges_of, record1
from tritonflow.interpreter.shard import from_local, local_shard
from tritonflow.ops.cast import scalar_of
from tritonflow.thread_state import launch_name, slow_path, thread_state
from tritonflow.vm.instruction import FINISHED
from tritonflow.vm.machine import machine
from tritonflow.wire.world import this_rank

if TYPE_CHECKING:
    from torch import Tensor as TorchTensor

_PYTHON_NUMBERS = {bool, int, float, complex}

_constant = op_expr("full")
_cast = op_expr("cast")
_clone = op_expr("clone")


# ------------------------------------------------------------------------------------------------------- new tensors


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
    placement: Placement | None = None,
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
        where = get_default_device() if device is None else Device(device)
        result = dispatch(_constant, (), ((), dtype, where), (scalar_of(number, dtype),))
    else:
        array, dtype = _checked_array(data, dtype)
        result = from_array(array, dtype, get_default_device() if device is None else Device(device))
    if requires_grad:
        result.requires_grad = True  # type: ignore[attr-defined]
    return result


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


def _consistent_tensor(data: Any, dtype: DType | None, device: Any, placement: Placement | None, sbp: Any) -> Tensor:
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
    _require_same_data(array)
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


def _require_same_data(array: numpy.ndarray[Any, Any]) -> None:
    """Compare over the ranks what they made a consistent tensor of.

    Raises:
        PlacementError: it is not the same.
    """
    if this_rank().world_size == 1:
        return
    digest = blake2b(numpy.ascontiguousarray(array).tobytes(), digest_size=8).hexdigest()
    told = ask_all((array.shape, array.dtype.str, digest), "the data of tensor()")
    for rank, other in enumerate(told):
        if other != told[0]:
            raise PlacementError(
                f"tensor(): Each rank must have same input sequence or numpy array, but that of rank {rank} ({other[1]}"
                f"{list(other[0])}) differs from that of rank 0 ({told[0][1]}{list(told[0][0])}); for different local"
                " tensors use to_global()"
            )


def legacy_tensor(args: list[Any], device: Any = None, placement: Placement | None = None, sbp: Any = None) -> Tensor:
    """What `flow.Tensor(*args)` makes: float32 of a size given as integers or a shape, or of data."""
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


def _as_given(data: Tensor, device: Any, placement: Placement | None, sbp: Any) -> Tensor:
    """A tensor on a device, of a consistent one the shard of this rank, or over a placement; itself where nothing is given."""
    if placement is not None or sbp is not None:
        return data.to_global(placement, sbp)  # type: ignore[no-any-return]
    if device is None:
        return data
    return to_device(data if data.meta.is_local else data.to_local(), Device(device))


set_user_constructor(legacy_tensor)


def copy_of(x: Tensor, dtype: DType, device: Device | None = None) -> Tensor:
    """A copy without history."""
    with no_grad():
        moved = x if device is None else to_device(x, device)
        if dtype is not x.dtype:
            return dispatch1(_cast, moved, (dtype,))
        return dispatch1(_clone, moved) if moved.impl is x.impl else moved


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
    return array, reduce(dtypes.promote_types, _dtypes_within(data)) if array.size else dtypes.get_default_dtype()


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
    return {_dtype_of_number(type(data) if type(data) in _PYTHON_NUMBERS else numpy.asarray(data).dtype.type)}


def _dtype_of_number(kind: type) -> DType:
    """The dtype that `tensor` gives numbers of a class: Python's, or one of NumPy's scalar types."""
    default = dtypes.get_default_dtype()
    if kind in _PYTHON_NUMBERS:
        return {bool: dtypes.bool_, int: dtypes.int64, float: default, complex: default.to_complex()}[kind]
    if issubclass(kind, numpy.unsignedinteger) and kind is not numpy.uint8:
        return dtypes.int64  # there is no uint16, uint32 or uint64
    return dtypes.from_numpy(numpy.dtype(kind))


def _plain(data: Any) -> Any:
    """Sequences with the tensors inside as arrays or numbers."""
    if type(data) is RuntimeScalar:
        return data.pin()
    if isinstance(data, Tensor):
        return item(data) if data.meta.ndim == 0 else numpy_of(data)
    if isinstance(data, (list, tuple)):
        return [_plain(item) for item in data]
    if isinstance(data, range):
        return list(data)
    return data


# --------------------------------------------------------------------------------------------------- between devices


def to_device(x: Tensor, device: Device) -> Tensor:
    """The tensor on another device (a copy), or itself if it is there. Its gradient goes back to the device that it was on.

    A consistent tensor goes to the devices of that type of its ranks, and is not recorded for backward.
    """
    meta: Any = x.meta
    if not meta.is_local:
        return consistent_road().box(x, meta.placement.on(device), meta.sbp)
    if x.impl.__class__ is BatchedTensorImpl and meta.device is not device:
        moved = batched(to_device(whole_of(x), device), x.impl.level)
    else:
        moved = on_device(x, device)
    if moved is not x and thread_state.grad_enabled:
        if slow_path.count and thread_state.observer.is_capturing and edges_of((x,))[0] is not None:
            raise moved_with_history(x.meta.device, device)
        record1(_clone, x, moved, ())  # the engine moves each gradient to the device of its tensor
    return moved


def to_device_of(x: Tensor, other: Tensor) -> Tensor:
    """The tensor on the device of another one, if both are local; itself otherwise."""
    return to_device(x, other.meta.device) if x.meta.is_local and other.meta.is_local else x


def with_dtype(x: Tensor, dtype: DType) -> Tensor:
    """The same bits as numbers of another dtype of the same size; shares the memory, without history."""
    note_alias(x)
    meta = x.meta
    return Tensor(TensorMeta.get(meta.shape, meta.stride, dtype, meta.device, meta.aligned), x.impl, x.ptr)


def _contiguous(x: Tensor) -> Tensor:
    return x if x.meta.is_contiguous else contiguous_copy(x)


# ------------------------------------------------------------------------------------------------- foreign memory in

_imported: weakref.WeakValueDictionary[tuple[Device, int], Block] = weakref.WeakValueDictionary()


def from_torch(x: TorchTensor) -> Tensor:
    """A tensor that shares the memory of a torch tensor; without its history.

    Args:
        x: a dense torch tensor.

    Raises:
        TypeError: not a dense torch tensor of a dtype that tritonflow has.

    Example:
        >>> import torch, tritonflow as flow
        >>> a = torch.zeros(2)
        >>> flow.from_torch(a).fill_(1.0).tolist(), a.tolist()
        ([1.0, 1.0], [1.0, 1.0])
    """
    theirs = torch_exchange.dense_tensor(x)
    storage, device = theirs.storage, theirs.device
    base = storage.data_ptr()
    key = (device, base)
    block = _imported.get(key) if base else None
    provider = get_provider(device)
    if block is None or block.nbytes != storage.nbytes():
        block = provider.pool.adopt(storage, provider.torch_stream())
        if device is CPU:
            machine.share(block)
        _imported[key] = block
    elif device is not CPU:
        _meet_torch(block, provider)
    meta = TensorMeta.get(theirs.shape, theirs.stride, theirs.dtype, device, theirs.address % 16 == 0)
    return Tensor(meta, EagerLocalTensorImpl(block), theirs.address)


def from_numpy(array: numpy.ndarray[Any, Any]) -> Tensor:
    """A tensor that shares the memory of an array.

    Args:
        array: a NumPy array; one that cannot be written is copied.

    Raises:
        TypeError: not an array, or of a dtype that tritonflow does not have.
        ValueError: the array has negative strides, strides that are no multiples of its elements, or another byte order.

    Source: torch.from_numpy.

    Example:
        >>> import numpy, tritonflow as flow
        >>> flow.from_numpy(numpy.arange(3)).tolist()
        [0, 1, 2]
    """
    if not isinstance(array, numpy.ndarray):
        raise TypeError(f"expected np.ndarray (got {type(array).__name__})")
    if not array.dtype.isnative:
        raise ValueError(
            "given numpy array has byte order different from the native byte order. Conversion between byte orders is currently"
            " not supported. help: array.astype(array.dtype.newbyteorder('='))"
        )
    dtypes.from_numpy(array.dtype)
    if any(s < 0 for s in array.strides):
        raise ValueError(
            "At least one stride in the given numpy array is negative, and tensors with negative strides are not currently"
            " supported. (You can probably work around this by making a copy of your array with array.copy().)"
        )
    if not array.flags.writeable:
        array = array.copy()  # torch shares read-only memory with a warning; writing to it would be undefined
    return from_torch(torch_exchange.from_numpy(array))


def from_dlpack(ext_tensor: Any, *, device: DeviceLike | None = None, copy: bool | None = None) -> Tensor:
    """A tensor that shares the memory of any object with `__dlpack__`, or of a capsule.

    Args:
        ext_tensor: the object; memory that it says cannot be written is copied.
        device: where the tensor is to be; default where the object is.
        copy: True for memory of its own, False for an error where the memory cannot be shared.

    Raises:
        ValueError: the strides are negative, or the memory cannot be shared and `copy` is False.

    Source: torch.from_dlpack.

    Example:
        >>> import numpy, tritonflow as flow
        >>> a = numpy.zeros(2)
        >>> flow.from_dlpack(a).fill_(1.0).tolist(), a.tolist()
        ([1.0, 1.0], [1.0, 1.0])
    """
    where = None if device is None else str(Device(device))
    theirs, read_only = torch_exchange.from_dlpack(ext_tensor, where, copy)
    result = from_torch(theirs)
    if not read_only:
        return result
    if copy is False:
        raise ArgumentValueError("from_dlpack(): memory that cannot be written is not shared, and copy=False")
    return copy_of(result, result.dtype)


# ------------------------------------------------------------------------------------------------ own memory out


def _host_buffer(x: Tensor, shared: bool = True) -> Any:
    """The tensor's host memory as a buffer that keeps it alive, with everything queued on it done.

    A buffer that outlives the call is `shared`: later writes to the block are then over when the call that issues them returns.
    """
    block = x.impl.block
    note_read(x)
    if shared:
        _share(x)
    else:
        machine.access([block], [], _nothing, atomic=True)
    buffer = (ctypes.c_char * max(x.meta.span() * x.meta.dtype.itemsize, 1)).from_address(x.ptr)
    buffer._owner = x.impl  # type: ignore[attr-defined]
    return buffer


def _share(x: Tensor) -> None:
    """Share host memory: what is queued on it is done now, and what is issued later is done when its call returns."""
    block = x.impl.block
    machine.access([block], [block], _nothing, atomic=True)
    machine.share(block, x.impl)


def _nothing() -> None:
    """The callback of an access that only waits."""


def whole(x: Tensor) -> Tensor:
    """A local tensor with all elements: x itself, or what all ranks of the world together have. Without history.

    Of a consistent tensor, every rank of the world calls this, also those outside of its placement.
    """
    meta: Any = x.meta
    if meta.is_local:
        return x
    everyone = Placement.all(meta.placement.type)
    return local_shard(consistent_road().box(x, everyone, (broadcast,) * everyone.ndim))


def numpy_of(x: Tensor) -> numpy.ndarray[Any, Any]:
    """An array that shares the tensor's memory (on the CPU), or a copy (from a GPU, and of a consistent tensor)."""
    if not x.meta.is_local:
        return read(whole(x)).copy()
    if slow_path.count and not x.is_lazy:
        thread_state.observer.forbid(
            "numpy() gives the memory of a tensor from outside of {program}, which a run would not see read or written: call it"
            " outside"
        )
    dtype = x.meta.dtype.numpy
    if x.device is not CPU:
        x = to_device(x, CPU)
    return _array(x, dtype, _host_buffer(x))


def read(x: Tensor) -> numpy.ndarray[Any, Any]:
    """An array that the caller of a local tensor drops at once: like `numpy_of`, but the block is not marked as shared."""
    dtype = x.meta.dtype.numpy
    if x.device is not CPU:
        few = read_few(x)
        if few is not None:
            return numpy.frombuffer(few, dtype).reshape(x.meta.shape)
        x = to_device(x, CPU)
    return _array(x, dtype, _host_buffer(x, shared=False))


def _array(x: Tensor, dtype: Any, buffer: Any) -> numpy.ndarray[Any, Any]:
    stride = tuple(s * x.meta.dtype.itemsize for s in x.meta.stride)
    return numpy.ndarray(x.meta.shape, dtype, buffer=buffer, strides=stride)


def to_torch(x: Tensor) -> TorchTensor:
    """A torch tensor that shares the memory.

    Args:
        x: a local tensor; its history is not taken along.

    Raises:
        RuntimeError: the tensor is consistent.

    Example:
        >>> import tritonflow as flow
        >>> flow.to_torch(flow.ones(2))
        tensor([1., 1.])
    """
    require_local("to_torch", x)
    meta, nbytes = x.meta, 0
    if meta.numel:
        nbytes = meta.span() * meta.dtype.itemsize
        _lend(x)
    memory = get_provider(meta.device).share(x.ptr, nbytes, x.impl)
    return torch_exchange.tensor_over(memory, meta.dtype, meta.shape, meta.stride)


def data_ptr(x: Tensor) -> int:
    """The address of element 0 in the device's memory; 0 if there are no elements.

    Whoever has it may read and write the memory, as with `numpy()` and DLPack. On the CPU everything issued on the memory is
    done, and what is issued on it later is done when its call returns. On a GPU both are ordered on torch's current stream.

    Raises:
        CaptureError: the tensor has no memory yet, since nn.Graph captures it.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.ones(4)
        >>> x[1:].data_ptr() - x.data_ptr()
        4
    """
    require_local("data_ptr", x)
    if x.meta.device is META:
        return 0
    _lend(x)
    return x.ptr if x.meta.numel else 0


def _lend(x: Tensor) -> None:
    """Let the outside see the tensor's memory: on the CPU as `_share` says, on another device in the order of torch's stream."""
    note_read(x)
    if x.meta.device is CPU:
        _share(x)
    else:
        _meet_torch(x.impl.block, get_provider(x.meta.device))


def run_kernel(name: str, tensors: list[Tensor], written: list[bool], launch: Callable[[list[int]], None]) -> None:
    """Run a user's kernel on the memory of tensors: behind what was issued on it, before what is issued later.

    The tensors that it may write count as written in place, so backward and captured programs notice.

    Args:
        name: the kernel's.
        tensors: the operands.
        written: which of them the kernel may write.
        launch: runs the kernel, to its end, given the operands' addresses.
    """
    for tensor, writes in zip(tensors, written):
        require_local("run_kernel", tensor)
        if tensor.meta.device is not CPU:
            raise DeviceMismatchError(f"a kernel for the CPU was given a tensor on {tensor.meta.device}")
        if writes:
            refuse_unrecorded(f"the kernel {name}", tensor)
        note_read(tensor)
    blocks = [tensor.impl.block for tensor in tensors]
    mut = [block for block, writes in zip(blocks, written) if writes]
    name, timeline = launch_name(name), machine.engine.timeline

    def run() -> None:
        launch([tensor.ptr for tensor in tensors])

    try:
        machine.access(blocks, mut, run if timeline is None else timeline.as_kernel(name, run), name=name)
    finally:  # one that failed has perhaps written
        for tensor, writes in zip(tensors, written):
            if writes:
                tensor.impl.version += 1


def _meet_torch(block: Block, provider: Provider) -> None:
    """Order what torch does from now on, on its current stream, behind what was done here, and the other way round.

    Both use the same stream unless told otherwise, and then are in order anyway. Work that torch starts later on a
    stream of its own is ordered by whoever starts it, as between any two streams of torch.
    """
    stream = provider.torch_stream()
    if block.stream is stream:
        return
    if machine.issue(stream, None, [block], [block], name="meet torch") is not FINISHED:
        machine.access([block], [block], lambda: None)


def item(x: Tensor) -> Number:
    """The only element as a Python number; of a consistent tensor on every rank of the world, all of which call this.

    It waits until the element is computed.

    Raises:
        RuntimeError: there is not exactly one, or the tensor is on the meta device.

    Source: torch.Tensor.item.

    Example:
        >>> import tritonflow as flow
        >>> flow.tensor([[2.5]]).item()
        2.5
    """
    if x.meta.device is META:
        raise NoDataError("Tensor.item() cannot be called on meta tensors")
    if x.meta.numel != 1:
        raise RuntimeError(f"a Tensor with {x.meta.numel} elements cannot be converted to Scalar")
    x = whole(x)
    return _numbers(x.detach().reshape(())) if x.meta.ndim else _numbers(x)


def tolist(x: Tensor) -> Any:
    """The elements as nested lists of Python numbers; of a zero-dim tensor the number itself.

    Of a consistent tensor, every rank of the world calls this and has all elements.

    Raises:
        RuntimeError: the tensor is on the meta device.

    Source: torch.Tensor.tolist.

    Example:
        >>> import tritonflow as flow
        >>> flow.tensor([[1, 2], [3, 4]]).tolist()
        [[1, 2], [3, 4]]
    """
    return _numbers(whole(x))


def _numbers(x: Tensor) -> Any:
    if not x.meta.dtype.has_numpy:
        wide = dtypes.complex64 if x.meta.dtype.is_complex else dtypes.float32
        x = dispatch1(_cast, Tensor(x.meta, x.impl, x.ptr), (wide,))
    return read(x).tolist()

"""Data in and out: NumPy, torch, DLPack, and elements as Python numbers; new tensors of data are in new_tensors.py.

What can be shared is never copied. An array, torch tensor or capsule that is made from a tensor sees the same memory and keeps it
alive. So does a tensor that is made from one of these. Several imports of one foreign storage share one block, so that the VM
orders them.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy

from tritonflow import dtypes
from tritonflow.binding.annotations import DeviceLike, Number
from tritonflow.device import torch_exchange
from tritonflow.device.device import META, Device
from tritonflow.device.memory import Block
from tritonflow.device.provider import Provider, get_provider
from tritonflow.dtypes import DType
from tritonflow.errors import ArgumentValueError, DeviceMismatchError, NoDataError
from tritonflow.execution.lazy import note_alias
from tritonflow.execution.op_expr import op_expr
from tritonflow.execution.transfer import CPU, note_read, on_device, read_few
from tritonflow.framework.capture_errors import moved_with_history
from tritonflow.framework.locality import require_local
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.sbp import broadcast
from tritonflow.framework.tensor import Tensor
from tritonflow.framework.tensor_impl import BatchedTensorImpl, EagerLocalTensorImpl
from tritonflow.interpreter.batched import batched, whole_of
from tritonflow.interpreter.choice import consistent_road
from tritonflow.interpreter.dispatch import dispatch1
from tritonflow.interpreter.grad_mode import no_grad
from tritonflow.interpreter.inplace import refuse_unrecorded
from tritonflow.interpreter.recording import edges_of, record1
from tritonflow.interpreter.shard import local_shard
from tritonflow.thread_state import launch_name, slow_path, thread_state
from tritonflow.vm.instruction import FINISHED
from tritonflow.vm.machine import machine

if TYPE_CHECKING:
    from torch import Tensor as TorchTensor

_cast = op_expr("cast")
_clone = op_expr("clone")

# The number at an address, read while the interpreter's lock is held: without an array, which costs 2 us.
_NUMBER_AT: dict[DType, Callable[[int], Any]] = {
    dtypes.bool_: ctypes.c_bool.from_address, dtypes.uint8: ctypes.c_uint8.from_address, dtypes.int8: ctypes.c_int8.from_address,
    dtypes.int16: ctypes.c_int16.from_address, dtypes.int32: ctypes.c_int32.from_address,
    dtypes.int64: ctypes.c_int64.from_address, dtypes.float32: ctypes.c_float.from_address,
    dtypes.float64: ctypes.c_double.from_address,
}  # fmt: skip


def copy_of(x: Tensor, dtype: DType, device: Device | None = None) -> Tensor:
    """A copy without history."""
    with no_grad():
        moved = x if device is None else to_device(x, device)
        if dtype is not x.dtype:
            return dispatch1(_cast, moved, (dtype,))
        return dispatch1(_clone, moved) if moved.impl is x.impl else moved


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
    """A local tensor with all elements: x itself, or what all ranks together have. Without history.

    Of a consistent tensor, all callers of its placement call this, also those outside of it.
    """
    meta: Any = x.meta
    if meta.is_local:
        return x
    everyone = meta.placement.everyone()
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
    meta = x.meta
    if meta.device is CPU and meta.numel == 1 and meta.is_local and not slow_path.count:
        stream = x.impl.block.stream
        if stream is not None and stream.immediate and not stream.asynchronous and (number_at := _NUMBER_AT.get(meta.dtype)):
            return number_at(x.ptr).value  # type: ignore[no-any-return]
    if meta.device is META:
        raise NoDataError("Tensor.item() cannot be called on meta tensors")
    if meta.numel != 1:
        raise RuntimeError(f"a Tensor with {meta.numel} elements cannot be converted to Scalar")
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
    if slow_path.count and (numbers := thread_state.observer.numbers_of(x)) is not None:
        return numbers
    return read(x).tolist()

"""Copies between devices, in the order of the streams of both."""

from __future__ import annotations

from functools import partial

from tritonflow.device.device import META, Device
from tritonflow.device.provider import get_provider
from tritonflow.device.stream import current_stream
from tritonflow.errors import NoDataError
from tritonflow.execution.eager_local import contiguous_copy
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.tensor import Tensor
from tritonflow.framework.tensor_impl import EagerLocalTensorImpl, MetaTensorImpl
from tritonflow.thread_state import slow_path, thread_state
from tritonflow.vm.machine import machine

CPU = Device("cpu")


def allocate(meta: TensorMeta) -> Tensor:
    """A tensor with memory of its own, not initialised."""
    if meta.device is META:
        return Tensor(meta, MetaTensorImpl(), 0)
    provider = get_provider(meta.device)
    block = provider.pool.allocate(meta.nbytes, current_stream(meta.device))
    return Tensor(meta, EagerLocalTensorImpl(block), block.ptr)


def on_device(x: Tensor, device: Device) -> Tensor:
    """A local tensor on another device, or itself if it is there; not recorded for backward. The copy lies as the tensor does if
    that leaves no gaps and elements do not overlap, as with `channels_last`; otherwise it is contiguous.

    Raises:
        NotImplementedError: the tensor is on the meta device, and has no elements to copy.
    """
    if x.meta.device is device:
        return x
    here = x.meta.allocated()
    there = TensorMeta.get(here.shape, here.stride, here.dtype, device)
    if device is META:
        return Tensor(there, MetaTensorImpl(), 0)
    source = x if x.meta.stride == here.stride else contiguous_copy(x)
    if x.meta.device is META:
        raise NoDataError("Cannot copy out of meta tensor; no data!")
    result = allocate(there)
    if x.meta.numel:
        note_read(x)
        _copy_across(source, result)
    if device is CPU:
        get_provider(x.meta.device).error_word.raise_pending()
    if slow_path.count:
        thread_state.observer.constant(result)
    return result


def note_read(x: Tensor) -> None:
    """Tell a capture that what is captured holds for the tensor's present value."""
    if slow_path.count:
        thread_state.observer.read_value(x)


_FEW_BYTES = 64 << 10


def read_few(x: Tensor) -> bytes | None:
    """The bytes of a small contiguous tensor of a GPU, if its compute stream orders them; None otherwise.

    Raises:
        IndexError: an op launched since the last synchronisation met an index out of range.
    """
    meta = x.meta
    if slow_path.count or meta.nbytes > _FEW_BYTES or not meta.is_contiguous or not meta.numel:
        return None
    provider = get_provider(meta.device)
    stream = provider.stream
    if x.impl.block.stream is not stream or not stream.immediate:
        return None
    return provider.read_now(x.ptr, meta.nbytes)


def _copy_across(source: Tensor, target: Tensor) -> None:
    """Copy the bytes of a tensor without gaps to another device, in the order of a stream of the GPU that takes part."""
    nbytes = source.meta.nbytes
    provider = get_provider(source.meta.device if target.meta.device is CPU else target.meta.device)
    ours, theirs = (target.impl.block, target.ptr), (source.impl.block, source.ptr)
    if CPU in (source.meta.device, target.meta.device):
        stream = provider.copy_stream(nbytes, target.meta.device is not CPU)
        copying = partial(provider.copy, stream, ours, theirs, nbytes)
        machine.issue(stream, copying, [source.impl.block], [target.impl.block], name=f"copy to {target.meta.device}")
    else:  # between GPUs: neither orders the other's streams, so the host waits for both

        def copy() -> None:
            provider.copy(provider.stream, ours, theirs, nbytes)
            provider.wait()

        machine.access([source.impl.block], [target.impl.block], copy, name="copy", atomic=False)

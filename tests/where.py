"""On which device tests run: `pytest --device cuda` makes new tensors on a GPU.

Where there is none, its stand-in computes on the host: plans are those for a GPU, kernels are compiled for the host
(device/fake_cuda.py), and memory of torch's counts as the GPU's.
"""

from __future__ import annotations

from typing import Any

import torch

device = "cpu"
_has_gpu = True


def begin(name: str) -> None:
    """Choose the device of this process."""
    global device, _has_gpu
    device = name
    if name == "cuda" and not torch.cuda.is_available():
        from tests.device import fake_cuda

        _has_gpu = False
        fake_cuda.install_for_good()
        _share_host_memory()


def there(t: torch.Tensor) -> Any:
    """A tensor of ours on the device, with the strides and the offset of torch's; it may share memory."""
    import tritonflow as flow

    if device == "cuda" and _has_gpu:
        storage = t.untyped_storage().cuda()
        t = torch.empty(0, dtype=t.dtype, device="cuda").set_(storage, t.storage_offset(), t.shape, t.stride())
    return flow.from_torch(t)


def settle() -> None:
    """Raise what a kernel found, such as an index out of range: a GPU says it later than at the call."""
    if device == "cuda":
        import tritonflow as flow

        flow.cuda.synchronize()


def _share_host_memory() -> None:
    """What shares memory of the host lies on the stand-in."""
    import tritonflow as flow
    from tests.device.fake_cuda import on_stand_in

    for name in ("from_torch", "from_numpy"):
        original = getattr(flow, name)
        setattr(flow, name, lambda x, original=original: on_stand_in(original(x)))

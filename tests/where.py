"""On which device tests run: `pytest --device cuda` makes new tensors on a GPU.

Where there is none, its stand-in computes on the host: plans are those for a GPU, kernels are compiled for the host
(device/fake_cuda.py), and memory of torch's counts as the GPU's.
"""

from __future__ import annotations

from functools import partial, wraps
from typing import Any

import torch

device = "cpu"
replaced: dict[str, Any] = {}  # functions of `flow` as they are without `--device cuda`
_has_gpu = True


def begin(name: str) -> None:
    """Choose the device of this process."""
    global device, _has_gpu
    device = name
    if name == "cuda" and not torch.cuda.is_available():
        from tests.device import fake_cuda

        _has_gpu = False
        fake_cuda.install_for_good()
        _measure_little()
    if name == "cuda":
        _take_host_memory()


def is_stand_in() -> bool:
    """Whether the device is a stand-in for a GPU: Triton's own launches know no such device."""
    return device == "cuda" and not _has_gpu


def there(t: torch.Tensor) -> Any:
    """A tensor of ours on the device, with the strides and the offset of torch's; on a CPU it shares memory."""
    import tritonflow as flow

    if device == "cuda":
        storage = t.untyped_storage()
        t = _over(storage.cuda() if _has_gpu else _on_stand_in(storage), t)
        if not _has_gpu:
            from tests.device.device_tensor import on_device

            t = on_device(t)
        return replaced["from_torch"](t)
    return flow.from_torch(t)


def back(t: torch.Tensor) -> torch.Tensor:
    """The same of a tensor of torch's on the device, as one on the host."""
    storage = t.untyped_storage()  # behind what is written there
    return _over(storage.cpu() if _has_gpu else storage.clone(), t) if t.is_cuda else t


def _on_stand_in(storage: torch.UntypedStorage) -> torch.UntypedStorage:
    """A copy in memory of the stand-in."""
    from tritonflow.device import torch_cuda

    copied = torch_cuda.runtime.storage(storage.nbytes(), 0) if storage.nbytes() else storage.clone()
    copied.copy_(storage)
    return copied


def _over(storage: torch.UntypedStorage, t: torch.Tensor) -> torch.Tensor:
    """A tensor that lies in another storage as `t` does in its own."""
    return torch.empty(0, dtype=t.dtype, device=storage.device).set_(storage, t.storage_offset(), t.shape, t.stride())


def settle() -> None:
    """Raise what a kernel found, such as an index out of range: a GPU says it later than at the call."""
    if device == "cuda":
        import tritonflow as flow

        flow.cuda.synchronize()


def _take_host_memory() -> None:
    """What is made of memory of the host is copied to the device, and what torch gets of the device to the host.

    What results are compared with is torch's, on the host.
    """
    import tritonflow as flow
    from tritonflow import testing

    from_torch, from_numpy, to_torch = flow.from_torch, flow.from_numpy, flow.to_torch
    replaced.update(from_torch=from_torch, from_numpy=from_numpy, to_torch=to_torch)
    flow.from_torch = wraps(from_torch)(lambda x: there(x) if isinstance(x, torch.Tensor) and not x.is_cuda else from_torch(x))
    flow.from_numpy = wraps(from_numpy)(lambda x: from_numpy(x).to("cuda"))
    flow.to_torch = wraps(to_torch)(lambda x: back(to_torch(x)))
    testing.assert_close = wraps(assert_close := testing.assert_close)(partial(assert_close, check_device=False))


def _measure_little() -> None:
    """A roof is measured by kernels that keep a GPU busy for a millisecond: a host would need minutes."""
    from tritonflow.graph.explain import roof_measurement as roof

    roof.COPIES["gpu"], roof.SECONDS, roof.AGAIN = (4096, 16384), 0.0, 0.0
    for name in ("config", "product_config"):
        config = getattr(roof.kernels, name)
        setattr(roof.kernels, name, lambda *a, config=config: {**config(*a), "programs": 1, "steps": 1})

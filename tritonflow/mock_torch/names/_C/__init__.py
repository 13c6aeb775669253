"""`torch._C`: what libraries touch of it. A private name that is not here is missing, as every other."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import tritonflow as flow
from tritonflow.framework.function_overrides import DisableTorchFunctionSubclass, disabled
from tritonflow.functions.random_generator import Generator  # noqa: F401

TensorBase = flow.Tensor
_TensorBase = flow.Tensor
device = flow.device
dtype = flow.dtype
Size = flow.Size
_has_mps = False
_has_cuda = flow.cuda.is_available()
has_cuda = _has_cuda
_GLIBCXX_USE_CXX11_ABI = True


class _DispatchKeys(type):
    def __getattr__(cls, name: str) -> str:
        if name.startswith("__"):
            raise AttributeError(name)
        return name


class DispatchKey(metaclass=_DispatchKeys):
    """Torch's dispatch keys, by their names."""


class DispatchKeySet(frozenset[str]):
    """A set of dispatch keys."""

    def __new__(cls, key: Any = ()) -> DispatchKeySet:
        return super().__new__(cls, (key,) if isinstance(key, str) else key)

    def __or__(self, other: Any) -> DispatchKeySet:
        return DispatchKeySet(frozenset(self) | frozenset(other))


@contextlib.contextmanager
def _ExcludeDispatchKeyGuard(keys: Any) -> Iterator[None]:
    """A block without autocast, if its keys are among these; other keys mean nothing here."""
    with contextlib.ExitStack() as stack:
        for device in ("cpu", "cuda"):
            if f"Autocast{device.upper()}" in keys:
                stack.enter_context(flow.autocast(device, enabled=False))
        yield


def _AutoDispatchBelowAutograd() -> Any:
    """A block without grad mode."""
    return flow.no_grad()


_AutoDispatchBelowADInplaceOrView = _AutoDispatchBelowAutograd


def _get_accelerator(check: Any = None) -> Any:
    return flow.device("cuda" if flow.cuda.is_available() else "cpu")


def _get_tracing_state() -> None:
    return None


def _is_tracing() -> bool:
    return False


def _cuda_isCurrentStreamCapturing() -> bool:
    return False


def _log_api_usage_once(message: str) -> None:
    return None


def _jit_set_profiling_executor(value: bool) -> bool:
    return True


def _jit_set_profiling_mode(value: bool) -> bool:
    return True


def _jit_override_can_fuse_on_cpu(value: bool) -> None:
    return None


def _jit_override_can_fuse_on_gpu(value: bool) -> None:
    return None


def _jit_set_texpr_fuser_enabled(value: bool) -> None:
    return None


def _jit_set_nvfuser_enabled(value: bool) -> bool:
    return False


def _get_privateuse1_backend_name() -> str:
    return "privateuseone"


def _set_grad_enabled(value: bool) -> None:
    flow.set_grad_enabled(value)


def _functorch_unsupported(*args: Any) -> None:
    return None


def _current_graph_task_id() -> int:
    return -1


DisableTorchFunction = DisableTorchFunctionSubclass
_disabled_torch_function_impl = disabled

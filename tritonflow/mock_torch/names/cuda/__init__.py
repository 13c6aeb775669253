"""`torch.cuda` where there is more in torch than in `flow.cuda`: questions that have an answer without a GPU, too."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import tritonflow as flow
from tritonflow.functions.random_generator import default_generator
from tritonflow.mock_torch.names.random import state_to_tensor, tensor_to_state
from tritonflow.mock_torch.torch_names import real_value


def is_initialized() -> bool:
    """Whether there is a GPU."""
    return flow.cuda.is_available()


def init() -> None:
    """Nothing: a GPU is taken at its first use."""


def _is_in_bad_fork() -> bool:
    """Whether this process was forked from one that had taken a GPU."""
    return bool(real_value("torch.cuda", "_is_in_bad_fork")())


def manual_seed(seed: int) -> None:
    """Seed the GPUs' generators."""
    manual_seed_all(seed)


def manual_seed_all(seed: int) -> None:
    """Seed the GPUs' generators."""
    for index in range(flow.cuda.device_count()):
        default_generator(flow.device("cuda", index)).manual_seed(int(seed))


def get_rng_state(device: Any = "cuda") -> Any:
    """The state of a GPU's generator."""
    return state_to_tensor(default_generator(_device(device)).get_state())


def get_rng_state_all() -> list[Any]:
    """The states of all GPUs' generators."""
    return [get_rng_state(index) for index in range(flow.cuda.device_count())]


def set_rng_state(new_state: Any, device: Any = "cuda") -> None:
    """Set the state of a GPU's generator."""
    default_generator(_device(device)).set_state(tensor_to_state(new_state))


def set_rng_state_all(new_states: Any) -> None:
    """Set the states of all GPUs' generators."""
    for index, state in enumerate(new_states):
        set_rng_state(state, index)


def seed_all() -> None:
    """Seed the GPUs' generators with numbers chosen by the operating system."""
    for index in range(flow.cuda.device_count()):
        default_generator(flow.device("cuda", index)).seed()


def _device(device: Any) -> Any:
    return flow.device("cuda", device) if isinstance(device, int) else flow.device(device)


def is_bf16_supported(including_emulation: bool = True) -> bool:
    """Whether there is a GPU: kernels compute in float32."""
    return flow.cuda.is_available()


def is_current_stream_capturing() -> bool:
    """No: CUDA graphs are captured by `flow.compile` alone."""
    return False


def ipc_collect() -> None:
    """Nothing: memory is not shared between processes."""


def reset_peak_memory_stats(device: Any = None) -> None:
    """Nothing is counted that could be reset, unless there is a GPU: then the counter of reserved memory goes on."""


def reset_max_memory_allocated(device: Any = None) -> None:
    """As `reset_peak_memory_stats`."""


def max_memory_allocated(device: Any = None) -> int:
    """The most bytes that were reserved on a GPU; 0 without one."""
    return flow.cuda.max_memory_reserved(device) if flow.cuda.is_available() else 0


def memory_allocated(device: Any = None) -> int:
    """Bytes that tensors occupy on a GPU; 0 without one."""
    return flow.cuda.memory_allocated(device) if flow.cuda.is_available() else 0


def memory_reserved(device: Any = None) -> int:
    """Bytes that are reserved on a GPU; 0 without one."""
    return flow.cuda.memory_reserved(device) if flow.cuda.is_available() else 0


def max_memory_reserved(device: Any = None) -> int:
    """The most bytes that were reserved on a GPU; 0 without one."""
    return flow.cuda.max_memory_reserved(device) if flow.cuda.is_available() else 0


def get_arch_list() -> list[str]:
    """The architectures that kernels are ready for: they are compiled for the GPU that is there."""
    return []


@contextlib.contextmanager
def device_of(obj: Any) -> Iterator[None]:
    """A block on the GPU of a tensor; of another tensor a block that changes nothing."""
    if obj.is_cuda:
        with flow.cuda.device(obj.device.index):
            yield
    else:
        yield


# ------------------------------------------------------------------------------------------------- statistics and settings

default_generators = tuple(default_generator(flow.device("cuda", index)) for index in range(flow.cuda.device_count()))


def memory_stats(device: Any = None) -> dict[str, Any]:
    """The statistics of a GPU's memory; none without one."""
    return dict(flow.cuda.memory_stats(device)) if flow.cuda.is_available() else {}


def memory_summary(device: Any = None, abbreviated: bool = False) -> str:
    """The statistics of a GPU's memory as a text; empty without one."""
    return str(flow.cuda.memory_summary(device, abbreviated)) if flow.cuda.is_available() else ""


memory_stats_as_nested_dict = memory_stats
memory_cached = memory_reserved
max_memory_cached = max_memory_reserved
reset_max_memory_cached = reset_peak_memory_stats


def host_memory_stats() -> dict[str, Any]:
    """Memory of the host is not counted."""
    return {}


host_memory_stats_as_nested_dict = host_memory_stats


def reset_accumulated_memory_stats(device: Any = None) -> None:
    """Nothing: nothing is counted that could be reset."""


def get_gencode_flags() -> str:
    """None: kernels are compiled for the GPU that is there."""
    return ""


def is_tf32_supported() -> bool:
    """Whether there is a GPU that has it."""
    return flow.cuda.is_available() and flow.cuda.get_device_capability()[0] >= 8

"""tritonflow: a deep learning runtime in the image of OneFlow, every kernel of it written in Triton.

    import tritonflow as flow

    x = flow.randn(3, 4, requires_grad=True)
    flow.relu(x).sum().backward()
"""

import builtins as _builtins
from importlib import import_module as _import_module
from typing import TYPE_CHECKING, Any

import tritonflow.versions as _versions  # noqa: F401 (first: it refuses a torch that is too old)
from tritonflow import _C
from tritonflow._C import flow_names as _names
from tritonflow._C.flow_names import *  # noqa: F403 (the functions that the registry exports, and nothing else)
from tritonflow.device.device import Device as device
from tritonflow.device.device import get_default_device, set_default_device
from tritonflow.dtypes import (
    DType as dtype,
)
from tritonflow.dtypes import (
    bfloat16,
    finfo,
    float8_e4m3fn,
    float8_e5m2,
    float16,
    float32,
    float64,
    get_default_dtype,
    iinfo,
    int8,
    int16,
    int32,
    int64,
    promote_types,
    set_default_dtype,
    uint8,
)
from tritonflow.dtypes import bool_ as bool
from tritonflow.framework.placement import Placement as placement
from tritonflow.framework.tensor import Size, Tensor
from tritonflow.functional import support as _support
from tritonflow.functional.data_exchange import from_dlpack, from_numpy, from_torch, tensor, to_torch
from tritonflow.functional.library import attach_methods as _attach_methods
from tritonflow.functional.printing import set_printoptions
from tritonflow.functional.random_generator import (
    Generator,
    default_generator,
    get_rng_state,
    initial_seed,
    manual_seed,
    seed,
    set_rng_state,
)
from tritonflow.functional.tensor_methods import METHODS as _METHODS
from tritonflow.functional.tensor_methods import method_to as _method_to
from tritonflow.interpreter.grad_mode import (
    enable_grad,
    inference_mode,
    is_grad_enabled,
    is_inference_mode_enabled,
    no_grad,
    set_grad_enabled,
)

__version__ = "0.1.0"

half, float, double, int, long = float16, float32, float64, int32, int64

_attach_methods(Tensor, {**_METHODS, "to": _method_to(_C.to)})
_support.install()

from tritonflow import amp, autograd, backends, cuda, nn, optim, profiler, sbp, serialization, utils  # noqa: E402
from tritonflow import compat as _compat  # noqa: E402
from tritonflow.amp.autocast_mode import (  # noqa: E402
    autocast,
    clear_autocast_cache,
    get_autocast_dtype,
    is_autocast_cache_enabled,
    is_autocast_enabled,
    set_autocast_cache_enabled,
    set_autocast_dtype,
    set_autocast_enabled,
)
from tritonflow.backends.precision import get_float32_matmul_precision, set_float32_matmul_precision  # noqa: E402
from tritonflow.serialization import load, save  # noqa: E402

if TYPE_CHECKING:
    from tritonflow import boxing, comm, distributed, graph, testing
    from tritonflow.graph import compile

# Names that are imported at their first use, with the rooms behind them: they are two fifths of the time that an import takes.
_AT_FIRST_USE = {
    "boxing": "boxing.", "comm": "comm.", "compile": "graph.compile", "distributed": "distributed.", "graph": "graph.",
    "testing": "testing.",
}  # fmt: skip


def _imported(path: str) -> Any:
    """A name in a room, or a room, such as "nn.parallel."."""
    room, _, name = path.rpartition(".")
    module = _import_module(f"tritonflow.{room}")
    return getattr(module, name) if name else module


def __getattr__(name: str) -> Any:
    if name not in _AT_FIRST_USE:
        raise AttributeError(f"module 'tritonflow' has no attribute {name!r}")
    value = globals()[name] = _imported(_AT_FIRST_USE[name])
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_AT_FIRST_USE})


def _of_nn(name: str) -> Any:
    """`nn.Graph`, which is made of a room above `nn`, and `nn.parallel`."""
    if name == "Graph":
        value = vars(nn)[name] = _imported("graph.Graph")
        return value
    if name == "parallel":
        return _imported("nn.parallel.")
    raise AttributeError(f"module 'tritonflow.nn' has no attribute {name!r}")


nn.__getattr__ = _of_nn  # type: ignore[method-assign]
nn.__all__ += ["Graph", "parallel"]
_compat.install()

__all__ = [  # noqa: PLE0604
    "Generator", "Size", "Tensor", "amp", "autocast", "autograd", "backends", "bfloat16", "bool", "boxing",
    "clear_autocast_cache", "comm", "compile", "cuda", "default_generator", "device", "distributed", "double", "dtype",
    "empty_cache", "enable_grad", "finfo", "float", "float8_e4m3fn", "float8_e5m2", "float16", "float32", "float64",
    "from_dlpack", "from_numpy", "from_torch",
    "get_autocast_dtype", "get_default_device", "get_default_dtype", "get_float32_matmul_precision",
    "get_num_threads", "get_rng_state", "graph", "half", "iinfo", "inference_mode", "initial_seed", "int", "int8", "int16",
    "int32", "int64", "is_autocast_cache_enabled", "is_autocast_enabled", "is_grad_enabled", "is_inference_mode_enabled",
    "is_tensor", "load", "long", "manual_seed", "memory_stats", "nn", "no_grad", "optim", "placement", "profiler",
    "promote_types", "save", "sbp", "seed", "serialization", "set_autocast_cache_enabled", "set_autocast_dtype",
    "set_autocast_enabled", "set_default_device", "set_default_dtype", "set_float32_matmul_precision", "set_grad_enabled",
    "set_num_threads", "set_printoptions", "set_rng_state", "sync", "tensor", "testing", "to_torch",
    "uint8", "utils", *(name for name in vars(_names) if not name.startswith("_")),
]  # fmt: skip


def is_tensor(x: Any) -> Any:
    """Whether `x` is a tensor."""
    return isinstance(x, Tensor)


def set_num_threads(count: Any) -> None:
    """How many threads the programs of one CPU kernel are spread over.

    Raises:
        RuntimeError: `count` is not a positive integer.
    """
    if not isinstance(count, _builtins.int) or count < 1:
        raise RuntimeError(f"set_num_threads expects a positive integer, but got {count!r}")
    import sys

    from tritonflow.settings import settings

    settings.num_threads = count
    if "tritonflow.triton_cpu" in sys.modules:  # else it takes the number when it is loaded, with LLVM, which GPUs do without
        from tritonflow import triton_cpu

        triton_cpu.set_num_threads(count)


def get_num_threads() -> Any:
    """How many threads the programs of one CPU kernel are spread over."""
    from tritonflow.settings import settings

    return settings.num_threads


def sync() -> None:
    """Wait until everything issued so far is done; errors of deferred instructions are raised here."""
    from tritonflow.device.provider import active_providers
    from tritonflow.vm.machine import machine

    machine.sync()
    for provider in active_providers():
        provider.error_word.raise_pending()


def memory_stats(device: Any = None) -> dict[str, Any]:
    """Bytes in use, cached and reserved on a device (default: the CPU), and the number of blocks.

    Example:
        >>> import tritonflow as flow
        >>> sorted(flow.memory_stats())[:2]
        ['allocated_bytes', 'blocks']
    """
    from tritonflow.device.device import Device
    from tritonflow.device.provider import get_provider

    return get_provider(Device(device or "cpu")).pool.stats()


def empty_cache() -> None:
    """Give the cached free blocks of every device back."""
    from tritonflow.device.provider import active_providers

    for provider in active_providers():
        provider.pool.empty_cache()

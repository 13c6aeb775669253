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
from tritonflow import members as _members
from tritonflow._C import flow_names as _names
from tritonflow._C.flow_names import *  # noqa: F403 (the functions that the registry exports, and nothing else)
from tritonflow.binding.annotations import DeviceLike as _DeviceLike
from tritonflow.binding.data_exchange import from_dlpack, from_numpy, from_torch, to_torch
from tritonflow.binding.library import attach_methods as _attach_methods
from tritonflow.binding.new_tensors import tensor
from tritonflow.device.device import Device as device
from tritonflow.device.device import get_default_device, set_default_device
from tritonflow.dtypes import (
    DType as dtype,
)
from tritonflow.dtypes import (
    bfloat16,
    complex32,
    complex64,
    complex128,
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
    uint16,
    uint32,
    uint64,
)
from tritonflow.dtypes import bool_ as bool
from tritonflow.errors import DeviceError as AcceleratorError
from tritonflow.errors import OutOfMemoryError
from tritonflow.first_use import at_first_use as _at_first_use
from tritonflow.framework.memory_format import MemoryFormat as memory_format
from tritonflow.framework.memory_format import channels_last, channels_last_3d, contiguous_format, preserve_format
from tritonflow.framework.placement import Placement as placement
from tritonflow.framework.size import Size
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.random_generator import (
    Generator,
    get_rng_state,
    initial_seed,
    manual_seed,
    seed,
    set_rng_state,
)
from tritonflow.interpreter import own_kernels as _own_kernels
from tritonflow.interpreter.grad_mode import (
    enable_grad,
    inference_mode,
    is_grad_enabled,
    is_inference_mode_enabled,
    no_grad,
    set_grad_enabled,
)
from tritonflow.members import tensor_types as _tensor_types
from tritonflow.members import torch_names as _torch_names
from tritonflow.members import torch_switches as _torch_switches
from tritonflow.members.gradients import detach_
from tritonflow.members.inplace_views import as_strided_
from tritonflow.members.memory_changes import resize_as_
from tritonflow.members.print_options import set_printoptions
from tritonflow.members.storage import TypedStorage, UntypedStorage, is_storage
from tritonflow.members.tensor_types import set_default_tensor_type
from tritonflow.members.torch_names import *  # noqa: F403 (torch_names.__all__ lists them)
from tritonflow.members.torch_names import StorageLayout as layout
from tritonflow.members.torch_switches import *  # noqa: F403 (torch_switches.__all__ lists them)
from tritonflow.rules import support as _support

__version__ = "0.1.0"

half, float, double, short, int, long = float16, float32, float64, int16, int32, int64
chalf, cfloat, cdouble = complex32, complex64, complex128

globals().update(_tensor_types.TYPED_TENSORS)
_support.install()
_own_kernels.install()

from tritonflow import amp, autograd, backends, cuda, func, nn, optim, profiler, sbp, serialization, utils  # noqa: E402
from tritonflow import compat as _compat  # noqa: E402
from tritonflow.amp.autocast_mode import (  # noqa: E402
    autocast,
    clear_autocast_cache,
    get_autocast_cpu_dtype,
    get_autocast_dtype,
    get_autocast_gpu_dtype,
    is_autocast_cache_enabled,
    is_autocast_cpu_enabled,
    is_autocast_enabled,
    set_autocast_cache_enabled,
    set_autocast_cpu_dtype,
    set_autocast_cpu_enabled,
    set_autocast_dtype,
    set_autocast_enabled,
    set_autocast_gpu_dtype,
)
from tritonflow.amp.grad_scaler import GradScaler  # noqa: E402
from tritonflow.autograd import members as _autograd_members  # noqa: E402
from tritonflow.autograd.anomaly_mode import is_anomaly_check_nan_enabled, is_anomaly_enabled, set_anomaly_enabled  # noqa: E402
from tritonflow.autograd.batching import vmap  # noqa: E402
from tritonflow.backends.precision import get_float32_matmul_precision, set_float32_matmul_precision  # noqa: E402
from tritonflow.cuda import Event, Stream  # noqa: E402
from tritonflow.nn.in_place import (  # noqa: E402
    alpha_dropout_,
    celu_,
    dropout_,
    feature_alpha_dropout_,
    feature_dropout_,
    rrelu_,
    selu_,
    threshold_,
)
from tritonflow.nn.torch_order import batch_norm, embedding  # noqa: E402
from tritonflow.serialization import load, save  # noqa: E402

if TYPE_CHECKING:
    from tritonflow import (
        asyncs,
        bench,
        boxing,
        comm,
        compiler,
        distributed,
        distributions,
        env,
        fft,
        generation,
        graph,
        hub,
        jit,
        library,
        linalg,
        masked,
        mock_torch,
        onnx,
        overrides,
        quantization,
        quasirandom,
        random,
        signal,
        sparse,
        special,
        sysconfig,
        testing,
        version,
    )
    from tritonflow.control_flow import associative_scan, cond, scan, while_loop
    from tritonflow.exporting import export, load_program
    from tritonflow.framework.marked_sizes import mark_dynamic, mark_static
    from tritonflow.graph import compile
    from tritonflow.quantization import load_gguf, quantize
    from tritonflow.random import default_generator
    from tritonflow.signal.window_functions import (
        bartlett_window,
        blackman_window,
        hamming_window,
        hann_window,
        kaiser_window,
    )
    from tritonflow.sparse.creation import (
        sparse_compressed_tensor,
        sparse_coo_tensor,
        sparse_csc_tensor,
        sparse_csr_tensor,
    )

# Names that are imported at their first use, with the rooms behind them: they are two fifths of the time that an import takes.
_AT_FIRST_USE = {
    **{n: f"{n}." for n in (
        "_oneflow_internal", "asyncs", "bench", "boxing", "comm", "compiler", "distributed", "distributions", "env", "fft",
        "generation", "graph", "hub", "jit", "library", "linalg", "masked", "mock_torch", "onnx", "overrides",
        "quantization", "quasirandom", "random", "signal", "sparse", "special", "support", "sysconfig", "testing", "version",
    )},
    "compile": "graph.compile",
    "export": "exporting.export",
    "load_program": "exporting.load_program",
    **{n: f"control_flow.{n}" for n in ("associative_scan", "cond", "scan", "while_loop")},
    **{n: f"compat.indexed.{n}" for n in ("batch_gather", "broadcast_like", "gather_nd", "in_top_k", "roc_auc_score")},
    **{n: f"compat.indexed.{n}" for n in ("scatter_nd", "slice_update", "tensor_scatter_nd_update")},
    **{n: f"sparse.creation.{n}" for n in (
        "sparse_compressed_tensor", "sparse_coo_tensor", "sparse_csc_tensor", "sparse_csr_tensor",
    )},
    "load_gguf": "quantization.gguf.load_gguf",
    "quantize": "quantization.quantize",
    **{n: f"quantization.torch_products.{n}" for n in (
        "_convert_weight_to_int4pack", "_convert_weight_to_int4pack_for_cpu", "_int_mm", "_weight_int4pack_mm",
        "_weight_int4pack_mm_for_cpu", "_weight_int8pack_mm",
    )},
    "mark_dynamic": "framework.marked_sizes.mark_dynamic",
    "mark_static": "framework.marked_sizes.mark_static",
    "nms": "compat.losses.nms",
    "default_generator": "random.default_generator",
    "roi_align": "compat.roi_align.roi_align",
    "convert_oneflow_dtype_to_numpy_dtype": "compat.numpy_dtypes.convert_oneflow_dtype_to_numpy_dtype",
    **{f"{n}_window": f"signal.window_functions.{n}_window" for n in ("bartlett", "blackman", "hamming", "hann", "kaiser")},
}  # fmt: skip

__getattr__ = _at_first_use(__name__, _AT_FIRST_USE)


def __dir__() -> list[str]:
    return sorted({*globals(), *_AT_FIRST_USE})


_compat.install()
for _room in (_C, *_members.MODULES, _autograd_members, _compat):
    _attach_methods(Tensor, _room.METHODS)
_attach_methods(Tensor, {"to": _members.conversion.method_to(_C.to)})

__all__ = [  # noqa: PLE0604
    "Generator", "GradScaler", "Size", "Tensor", "amp", "autocast", "autograd", "backends", "bench", "bfloat16", "bool", "boxing",
    "asyncs", "channels_last", "channels_last_3d", "contiguous_format", "env", "sysconfig", "memory_format", "preserve_format",
    "associative_scan", "cond", "scan", "while_loop",
    "clear_autocast_cache", "comm", "compile", "compiler", "cuda", "default_generator", "device", "distributed",
    "bartlett_window", "blackman_window", "distributions", "hamming_window", "hann_window", "kaiser_window", "signal",
    "cdouble", "cfloat", "chalf", "complex32", "complex64", "complex128", "double", "dtype",
    "empty_cache", "enable_grad", "export", "fft",
    "finfo", "float", "float8_e4m3fn", "float8_e5m2", "float16", "float32", "float64",
    "from_dlpack", "from_numpy", "from_torch", "func", "generation",
    "get_autocast_dtype", "get_default_device", "get_default_dtype", "get_float32_matmul_precision",
    "get_num_threads", "get_rng_state", "graph", "half", "hub", "iinfo", "inference_mode", "initial_seed", "int", "int8",
    "int16", "int32", "int64", "is_autocast_cache_enabled", "is_autocast_enabled", "is_grad_enabled", "is_inference_mode_enabled",
    "jit", "library", "linalg", "load", "load_gguf", "load_program", "long", "manual_seed", "mark_dynamic", "mark_static",
    "masked", "memory_stats", "mock_torch", "nn", "no_grad", "onnx", "optim", "overrides",
    "placement", "profiler", "quantization", "quantize", "quasirandom",
    "promote_types", "random", "save", "sbp", "seed", "serialization", "set_autocast_cache_enabled", "set_autocast_dtype",
    "set_autocast_enabled", "set_default_device", "set_default_dtype", "set_float32_matmul_precision", "set_grad_enabled",
    "set_num_threads", "set_printoptions", "set_rng_state", "sparse", "sparse_compressed_tensor", "sparse_coo_tensor",
    "sparse_csc_tensor", "sparse_csr_tensor", "special", "sync", "tensor", "testing", "to_torch",
    "AcceleratorError", "Event", "OutOfMemoryError", "Stream", "TypedStorage", "UntypedStorage", "as_strided_",
    "batch_norm", "celu_", "detach_", "dropout_", "embedding", "get_autocast_cpu_dtype", "get_autocast_gpu_dtype",
    "get_device_module", "is_anomaly_check_nan_enabled", "is_anomaly_enabled", "is_autocast_cpu_enabled", "is_storage",
    "layout", "resize_as_", "alpha_dropout_", "feature_alpha_dropout_",
    "feature_dropout_", "rrelu_", "selu_", "set_anomaly_enabled",
    "set_autocast_cpu_dtype", "set_autocast_cpu_enabled",
    "set_autocast_gpu_dtype", "set_default_tensor_type", "short", "threshold_", "uint16", "uint32",
    "uint64", "uint8", "utils", "version", "vmap",
    *_torch_names.__all__, *_torch_switches.__all__, *_tensor_types.TYPED_TENSORS,
    *(name for name in vars(_names) if not name.startswith("_")),
]  # fmt: skip


def get_device_module(device: "_DeviceLike | None" = None) -> Any:
    """The module of a type of device, such as `flow.cuda`; of the type of the default device unless one is given.

    Args:
        device: a device, its type, or its name.

    Raises:
        RuntimeError: there is none of that type.

    Source: torch.get_device_module.

    Example:
        >>> import tritonflow as flow
        >>> flow.get_device_module("cuda") is flow.cuda
        True
    """
    kind = get_default_device().type if device is None else (device if isinstance(device, str) else device.type).partition(":")[0]
    try:
        return _import_module(f"tritonflow.{kind}")
    except ModuleNotFoundError:
        raise RuntimeError(
            f"Invalid device type or no device module for it: {kind!r}; tritonflow.cuda is one of GPUs"
        ) from None


def set_num_threads(count: _builtins.int) -> None:
    """How many threads the programs of one CPU kernel are spread over.

    Args:
        count: a positive integer.

    Raises:
        RuntimeError: `count` is not a positive integer.

    Source: torch.set_num_threads.

    Example:
        >>> import tritonflow as flow
        >>> flow.set_num_threads(flow.get_num_threads())
    """
    if not isinstance(count, _builtins.int) or count < 1:
        raise RuntimeError(f"set_num_threads expects a positive integer, but got {count!r}")
    import sys

    from tritonflow.settings import settings

    settings.num_threads = count
    if "tritonflow.triton_cpu" in sys.modules:  # else it takes the number when it is loaded, with LLVM, which GPUs do without
        from tritonflow import triton_cpu

        triton_cpu.set_num_threads(count)


def get_num_threads() -> _builtins.int:
    """How many threads the programs of one CPU kernel are spread over.

    Source: torch.get_num_threads.

    Example:
        >>> import tritonflow as flow
        >>> flow.get_num_threads() >= 1
        True
    """
    from tritonflow.settings import settings

    return settings.num_threads


def sync() -> None:
    """Wait until everything issued so far is done; errors of deferred instructions are raised here.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.ones(2) + 1
        >>> flow.sync()
    """
    from tritonflow.device.provider import active_providers
    from tritonflow.vm.machine import machine

    machine.sync()
    for provider in active_providers():
        provider.error_word.raise_pending()


def memory_stats(device: "_DeviceLike | None" = None) -> dict[str, Any]:
    """Bytes in use, cached and reserved on a device, and the number of blocks.

    Args:
        device: which one; the CPU unless given.

    Example:
        >>> import tritonflow as flow
        >>> sorted(flow.memory_stats())[:2]
        ['allocated_bytes', 'blocks']
    """
    from tritonflow.device.device import Device
    from tritonflow.device.provider import get_provider

    return get_provider(Device(device or "cpu")).pool.stats()


def empty_cache() -> None:
    """Give the cached free blocks of every device back.

    Example:
        >>> import tritonflow as flow
        >>> flow.empty_cache()
    """
    from tritonflow.device.provider import active_providers

    for provider in active_providers():
        provider.pool.empty_cache()

"""What names of torch mean here where tritonflow has another meaning for them, or none: a file for each module of torch's.

The file of `torch.utils.cpp_extension` is `utils/cpp_extension.py`, and this one is that of `torch` itself. Everything else is
looked for in tritonflow itself (`torch_modules.py`).
"""

from __future__ import annotations

import math
import os
import pickle
import warnings
from collections.abc import Callable
from typing import Any

import tritonflow as flow
from tritonflow.errors import DTypeError, InvalidArgumentError, ShapeError
from tritonflow.framework.tensor import wrap_dim
from tritonflow.mock_torch.aten_names import FUNCTIONS
from tritonflow.mock_torch.foreach import PREFIX, foreach
from tritonflow.mock_torch.names.random import Generator, default_generator, get_rng_state, manual_seed, set_rng_state  # noqa: F401
from tritonflow.mock_torch.torch_names import VERSION as __version__  # noqa: F401

_BACKENDS = {  # of torch's compiler, by what they are here
    "cudagraphs": "inductor", "aot_eager_decomp_partition": "aot_eager", "aot_eager_default_partitioner": "aot_eager",
    "pre_dispatch_eager": "aot_eager", "eager_debug": "eager", "eager_noexcept": "eager",
}  # fmt: skip
legacy_contiguous_format = flow.contiguous_format  # torch's old name of it
spmm = flow.mm
_grouped_mm = flow.nn.functional.grouped_mm


def load(
    f: Any, map_location: Any = None, pickle_module: Any = None, *, weights_only: bool | None = None, mmap: bool | None = None,
    **pickle_load_args: Any,
) -> Any:  # fmt: skip
    """`flow.load`. `weights_only=False` allows what a file of ours has pickled; torch's files are read without running anything."""
    if pickle_module not in (None, pickle):
        raise InvalidArgumentError("load(): argument 'pickle_module' can be Python's pickle alone; help: leave it out")
    return flow.load(f, map_location, weights_only=weights_only is not False)


def save(
    obj: Any, f: Any, pickle_module: Any = None, pickle_protocol: Any = None, _use_new_zipfile_serialization: bool = True,
    _disable_byteorder_record: bool = False,
) -> None:  # fmt: skip
    """`flow.save`, which pickles objects of a program's own classes; `load(..., weights_only=False)` reads them."""
    flow.save(obj, os.fspath(f) if isinstance(f, os.PathLike) else f, allow_pickle=True)


def compile(
    model: Callable[..., Any] | None = None, *, fullgraph: bool = False, dynamic: bool | None = None, backend: Any = None,
    mode: str | None = None, options: Any = None, name: str | None = None, disable: bool = False, **others: Any,
) -> Any:  # fmt: skip
    """`flow.compile`. Options of torch's compiler that it lacks change nothing; its backends for debugging are eager mode."""
    from tritonflow.graph.api.compile_options import OPTIONS

    if isinstance(options, dict):
        options = {key: value for key, value in options.items() if key.replace("-", "_") in OPTIONS}
    if isinstance(backend, str):
        backend = _BACKENDS.get(backend, backend)
    given: dict[str, Any] = {"fullgraph": bool(fullgraph), "dynamic": dynamic, "backend": backend, "mode": mode}
    given |= {"options": options, "disable": bool(disable)}
    return flow.compile(**given) if model is None else flow.compile(model, **given)


# ------------------------------------------------------------------------------------------------- settings of the process

_deterministic = {"enabled": False, "warn_only": False}


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Noted; every algorithm here is deterministic."""
    _deterministic.update(enabled=bool(mode), warn_only=bool(warn_only))


def are_deterministic_algorithms_enabled() -> bool:
    """What `use_deterministic_algorithms` was given."""
    return _deterministic["enabled"]


def is_deterministic_algorithms_warn_only_enabled() -> bool:
    """What `use_deterministic_algorithms` was given."""
    return _deterministic["warn_only"]


def set_deterministic_debug_mode(debug_mode: int | str) -> None:
    """As torch's: 0 or "default", 1 or "warn", 2 or "error"."""
    level = (
        {"default": 0, "warn": 1, "error": 2}.get(debug_mode, debug_mode) if isinstance(debug_mode, str) else debug_mode
    )
    if level not in (0, 1, 2):
        raise InvalidArgumentError(f"invalid value of debug_mode, expected 0, 1 or 2, but got {debug_mode!r}")
    use_deterministic_algorithms(level > 0, warn_only=level == 1)


def get_deterministic_debug_mode() -> int:
    """As torch's."""
    return (1 if _deterministic["warn_only"] else 2) if _deterministic["enabled"] else 0


def set_flush_denormal(mode: bool) -> bool:
    """Not supported: False."""
    return False


def set_num_interop_threads(num: int) -> None:
    """Nothing: ops of one thread run one after another."""


def get_num_interop_threads() -> int:
    """One."""
    return 1


def set_warn_always(b: bool) -> None:
    """Nothing."""


def is_warn_always_enabled() -> bool:
    """No."""
    return False


def get_device_module(device: Any = None) -> Any:
    """`torch.cuda` or `torch.cpu`."""
    from tritonflow.mock_torch.torch_modules import torch_module

    kind = flow.device(device if device is not None else "cuda" if flow.cuda.is_available() else "cpu").type
    return torch_module(f"torch.{kind}")


def is_vulkan_available() -> bool:
    """No."""
    return False


def compiled_with_cxx11_abi() -> bool:
    """Yes."""
    return True


# ------------------------------------------------------------------------------------------------- indices of sparse matrices


def _convert_indices_from_coo_to_csr(input: Any, size: int, *, out_int32: bool = False) -> Any:
    """Where rows begin among sorted row numbers, and where the last one ends."""
    from tritonflow.sparse import conversions

    return conversions.starts_of(input, size).to(flow.int32 if out_int32 else flow.int64)


def _convert_indices_from_csr_to_coo(
    crow_indices: Any, col_indices: Any, *, out_int32: bool = False, transpose: bool = False
) -> Any:
    """The rows and columns of the entries of a CSR matrix, or columns and rows."""
    from tritonflow.sparse import conversions

    lines = [conversions.lines_of(crow_indices, len(col_indices)), col_indices]
    return flow.stack(lines[::-1] if transpose else lines).to(flow.int32 if out_int32 else flow.int64)


# ------------------------------------------------------------------------------------------------- checks and sizes


def typename(obj: Any, /) -> str:
    """The name of an object's type as torch writes it."""
    if isinstance(obj, flow.Tensor):
        return str(obj.type()) if hasattr(obj, "type") else "torch.Tensor"
    kind = obj if isinstance(obj, type) else type(obj)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def is_storage(obj: Any, /) -> bool:
    """No: storages are not objects here."""
    return False


def _assert(condition: Any, message: str) -> None:
    assert condition, message


def _assert_async(input: Any, assert_msg: str = "") -> None:
    """Raise RuntimeError where the only element of a tensor is zero; it is read at once."""
    if not bool(input):
        raise RuntimeError(assert_msg or "Expected Tensor with single nonzero value, but got zero")


def _check(cond: Any, message: Callable[[], str] | str | None = None) -> None:
    if not cond:
        text = message() if callable(message) else message
        raise RuntimeError(text or "Expected cond to be True")


def _check_is_size(i: Any, message: Any = None, **options: Any) -> None:
    _check(i >= 0, message)


def _check_with(error: type[Exception], cond: Any, message: Callable[[], str]) -> None:
    if not cond:
        raise error(message())


def _check_value(cond: Any, message: Callable[[], str] | None = None) -> None:
    if not cond:
        raise ValueError(message() if message is not None else "Expected cond to be True")


def _check_tensor_all_with(error: type[Exception], cond: Any, message: Callable[[], Any] | None = None) -> None:
    if not isinstance(cond, flow.Tensor):
        raise TypeError(f"cond must be a tensor, but got {type(cond)}")
    if cond.dtype != flow.bool:
        raise TypeError(f"cond tensor must have dtype torch.bool, but got {cond.dtype}")
    if not cond.all().item():
        raise error(str(message()) if message is not None else "Expected cond to be True, but got False")


def _check_tensor_all(cond: Any, message: Callable[[], Any] | None = None) -> None:
    _check_tensor_all_with(RuntimeError, cond, message)


def _check_type(cond: Any, message: Callable[[], str] | None = None) -> None:
    if not cond:
        raise TypeError(message() if message is not None else "Expected cond to be True")


def _check_index(cond: Any, message: Callable[[], str] | None = None) -> None:
    if not cond:
        raise IndexError(message() if message is not None else "Expected cond to be True")


def _check_not_implemented(cond: Any, message: Callable[[], str] | None = None) -> None:
    if not cond:
        raise NotImplementedError(message() if message is not None else "Expected cond to be True")


def _shape_as_tensor(tensor: Any) -> Any:
    return flow.tensor(list(tensor.shape))


def _softmax_backward_data(grad_output: Any, output: Any, dim: int, input_dtype: Any) -> Any:
    """The gradient of a softmax from its result, which is of `input_dtype`, or float32 where that is float16."""
    if grad_output.shape != output.shape:
        raise ShapeError(f"_softmax_backward_data: grad_output has size {list(grad_output.shape)}, output has {list(output.shape)}")
    if input_dtype is not grad_output.dtype and (grad_output.dtype, input_dtype) != (flow.float32, flow.float16):
        raise DTypeError(f"_softmax_backward_data: the gradient is {grad_output.dtype}, the input {input_dtype}")
    return flow._C.softmax_grad(grad_output, output, wrap_dim(dim, output.ndim)).to(input_dtype)


def sym_int(a: Any) -> Any:
    """The integer part of a number."""
    return int(a)


def sym_float(a: Any) -> Any:
    """The number as a float."""
    return float(a)


def sym_not(a: Any) -> Any:
    """Whether it is false."""
    return not a


def sym_max(a: Any, b: Any) -> Any:
    """The larger number."""
    return max(a, b)


def sym_min(a: Any, b: Any) -> Any:
    """The smaller number."""
    return min(a, b)


def sym_sum(args: Any) -> Any:
    """The sum of numbers."""
    return sum(args)


def sym_ite(b: Any, t: Any, f: Any) -> Any:
    """`t` if `b`, else `f`."""
    return t if b else f


def _sym_sqrt(a: Any) -> float:
    return math.sqrt(a)


def is_conj(input: Any) -> bool:
    """No: conjugates are computed at once."""
    return False


def is_neg(input: Any) -> bool:
    """No: negatives are computed at once."""
    return False


class SymInt:
    """A size that is not known: there are none here, sizes are ints."""


class SymFloat:
    """A number that is not known: there are none here."""


class SymBool:
    """A truth value that is not known: there are none here."""


def set_default_tensor_type(t: Any, /) -> None:
    """The default dtype of a tensor type, such as "torch.FloatTensor"."""
    name = t if isinstance(t, str) else getattr(t, "__name__", str(t))
    kinds = {
        "FloatTensor": flow.float32,
        "DoubleTensor": flow.float64,
        "HalfTensor": flow.float16,
        "BFloat16Tensor": flow.bfloat16,
    }
    if name.rpartition(".")[2] not in kinds or ".cuda." in name:
        raise TypeError(f"set_default_tensor_type(): expected a floating tensor type of the CPU, but got {name}")
    warnings.warn(
        "torch.set_default_tensor_type() is deprecated; use set_default_dtype()", DeprecationWarning, stacklevel=2
    )
    flow.set_default_dtype(kinds[name.rpartition(".")[2]])


def is_distributed(tensor: Any) -> bool:
    """No."""
    return False


def any_name(name: str) -> Any:
    """What a name is that this file does not have."""
    return foreach(name) if name.startswith(PREFIX) else FUNCTIONS.get(name)


def _has_compatible_shallow_copy_type(input: Any, from_: Any) -> bool:
    return True

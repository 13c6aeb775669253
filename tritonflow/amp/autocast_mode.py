"""autocast: regions in which matrix products and convolutions are computed in lower precision."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from tritonflow.device.device import ABSENT_TYPES
from tritonflow.dtypes import DType, bfloat16, float16
from tritonflow.errors import ArgumentTypeError
from tritonflow.interpreter.autocast import DEFAULT_DTYPES, AutocastState, set_state
from tritonflow.thread_state import thread_state

F = TypeVar("F", bound=Callable[..., Any])


class autocast:
    """A scope, also usable as a decorator, in which functions cast their arguments to the dtype that suits them.

    Matrix products, convolutions and attention are computed in `dtype`; exponentials, norms, sums, softmax and losses in float32
    where they are given half types; functions that need equal dtypes in the widest of them; everything else as it comes.
    docs/ops.md lists the rules. float64 and integers are never cast, nor are in-place forms. The state is the thread's.
    Backward runs in the dtypes of the forward pass, inside of the scope or not.

    Args:
        device_type: "cpu" or "cuda": on tensors of which devices.
        dtype: bfloat16 or float16; unless given bfloat16 on CPUs and float16 on GPUs. Another one warns, and switches autocast off.
        enabled: False switches it off inside of a region where it is on.
        cache_enabled: cast a float32 parameter once in the outermost region instead of at each use; as it is outside unless given.

    Raises:
        RuntimeError: an unknown type of device.
        TypeError: `device_type` is no string.

    Source: https://pytorch.org/docs/stable/amp.html

    Example:
        >>> import tritonflow as flow
        >>> linear = flow.nn.Linear(3, 2)
        >>> with flow.autocast("cpu", dtype=flow.bfloat16):
        ...     y = linear(flow.ones(4, 3))
        ...     loss = y.exp().sum()
        >>> y.dtype, loss.dtype
        (tritonflow.bfloat16, tritonflow.float32)
        >>> loss.backward()
        >>> linear.weight.grad.dtype
        tritonflow.float32
    """

    def __init__(
        self, device_type: str, dtype: DType | None = None, enabled: bool = True, cache_enabled: bool | None = None
    ) -> None:
        self.device, self.fast_dtype = _known(device_type), dtype
        self._enabled, self._cache_enabled = bool(enabled), cache_enabled
        self._outside: list[AutocastState | None] = []
        if enabled and dtype is not None and dtype not in (bfloat16, float16):
            warnings.warn(
                f"In {self.device.upper()} autocast, but the target dtype is not supported. Disabling autocast.\n"
                f"{self.device.upper()} autocast only supports dtype of bfloat16, float16 currently.",
                stacklevel=2,
            )
            self._enabled = False

    def __enter__(self) -> autocast:
        outside = thread_state.autocast
        self._outside.append(outside)
        state = outside or AutocastState()
        dtypes = {**state.dtypes, self.device: self.fast_dtype or state.dtypes[self.device]}
        cached = state.cache_enabled if self._cache_enabled is None else bool(self._cache_enabled)
        set_state(
            replace(_switched(state, self.device, self._enabled), dtypes=dtypes, cache_enabled=cached)
        )
        return self

    def __exit__(self, *error: object) -> None:
        set_state(self._outside.pop())

    def __call__(self, function: F) -> F:
        @functools.wraps(function)
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            with self:
                return function(*args, **kwargs)

        return wrapped  # type: ignore[return-value]


def is_autocast_enabled(device_type: str | None = None) -> bool:
    """Whether autocast is on in this thread for a type of device, or for any.

    Args:
        device_type: "cpu" or "cuda"; any of them unless given. It is off on torch's other types, such as "mps".

    Raises:
        RuntimeError: an unknown type of device.

    Source: torch.is_autocast_enabled.

    Example:
        >>> import tritonflow as flow
        >>> with flow.autocast("cpu"):
        ...     flow.is_autocast_enabled("cpu"), flow.is_autocast_enabled("cuda")
        (True, False)
    """
    enabled = _state().enabled
    if device_type is None:
        return bool(enabled)
    return device_type not in ABSENT_TYPES and _known(device_type) in enabled


def set_autocast_enabled(device_type: str, enabled: bool) -> None:
    """Switch autocast on or off in this thread, outside of any scope: `autocast` is the better way.

    Args:
        device_type: "cpu" or "cuda".
        enabled: whether on.

    Raises:
        RuntimeError: an unknown type of device.

    Source: torch.set_autocast_enabled.

    Example:
        >>> import tritonflow as flow
        >>> flow.set_autocast_enabled("cpu", True)
        >>> (flow.ones(2, 2) @ flow.ones(2, 2)).dtype
        tritonflow.bfloat16
        >>> flow.set_autocast_enabled("cpu", False)
    """
    set_state(_switched(_state(), _known(device_type), bool(enabled)))


def get_autocast_dtype(device_type: str) -> DType:
    """The dtype in which autocast computes matrix products on a type of device.

    Args:
        device_type: "cpu" or "cuda".

    Raises:
        RuntimeError: an unknown type of device.

    Source: torch.get_autocast_dtype.

    Example:
        >>> import tritonflow as flow
        >>> flow.get_autocast_dtype("cpu")
        tritonflow.bfloat16
    """
    return _state().dtypes[_known(device_type)]


def set_autocast_dtype(device_type: str, dtype: DType) -> None:
    """Choose the dtype of matrix products on a type of device for this thread.

    Args:
        device_type: "cpu" or "cuda".
        dtype: bfloat16 or float16.

    Raises:
        TypeError: it is neither bfloat16 nor float16.
        RuntimeError: an unknown type of device.

    Source: torch.set_autocast_dtype.

    Example:
        >>> import tritonflow as flow
        >>> flow.set_autocast_dtype("cpu", flow.float16)
        >>> flow.get_autocast_dtype("cpu")
        tritonflow.float16
        >>> flow.set_autocast_dtype("cpu", flow.bfloat16)
    """
    if dtype not in (bfloat16, float16):
        raise ArgumentTypeError(f"set_autocast_dtype: expected bfloat16 or float16, but got {dtype}")
    state = _state()
    set_state(replace(state, dtypes={**state.dtypes, _known(device_type): dtype}))


def is_autocast_cache_enabled() -> bool:
    """Whether casts of parameters are cached until the outermost region ends.

    Source: torch.is_autocast_cache_enabled.

    Example:
        >>> import tritonflow as flow
        >>> flow.is_autocast_cache_enabled()
        True
    """
    return _state().cache_enabled


def set_autocast_cache_enabled(enabled: bool) -> None:
    """Choose for this thread whether casts of parameters are cached.

    Args:
        enabled: whether they are.

    Source: torch.set_autocast_cache_enabled.

    Example:
        >>> import tritonflow as flow
        >>> flow.set_autocast_cache_enabled(False)
        >>> flow.is_autocast_cache_enabled()
        False
        >>> flow.set_autocast_cache_enabled(True)
    """
    set_state(replace(_state(), cache_enabled=bool(enabled)))


def clear_autocast_cache() -> None:
    """Drop the casts of parameters that this thread's regions have cached.

    Source: torch.clear_autocast_cache.

    Example:
        >>> import tritonflow as flow
        >>> flow.clear_autocast_cache()
    """
    _state().cache.clear()


def is_autocast_available(device_type: str) -> bool:
    """Whether autocast knows a type of device.

    Args:
        device_type: such as "cpu".

    Source: torch.amp.is_autocast_available.

    Example:
        >>> import tritonflow as flow
        >>> flow.amp.is_autocast_available("cpu"), flow.amp.is_autocast_available("xpu")
        (True, False)
    """
    return device_type in DEFAULT_DTYPES


def _state() -> AutocastState:
    return thread_state.autocast or AutocastState()


def _switched(state: AutocastState, device_type: str, on: bool) -> AutocastState:
    others = state.enabled - {device_type}
    return replace(state, enabled=others | {device_type} if on else others)


def _known(device_type: str) -> str:
    if not isinstance(device_type, str):
        raise ArgumentTypeError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
    if device_type not in DEFAULT_DTYPES:
        raise RuntimeError(
            f"User specified an unsupported autocast device_type '{device_type}': expected one of {', '.join(DEFAULT_DTYPES)}"
        )
    return device_type


def _older_name(name: str, call: str, argument: str) -> str:
    """The docstring of a function under torch's older name; a setter sets what is set."""
    getter = name.replace("set_", "get_") if argument == "dtype" else name.replace("set_", "is_")
    args = f"    Args:\n        {argument}: as there.\n\n" if argument else ""
    example = f"flow.{name}(flow.{getter}())" if argument else f"isinstance(flow.{name}(), (flow.dtype, bool))\n        True"
    return (
        f"`{call}` under torch's older name.\n\n{args}    Source: torch.{name}.\n\n"
        f"    Example:\n        >>> import tritonflow as flow\n        >>> {example}\n    "
    )


def _of_device(
    device_type: str, short: str
) -> tuple[Callable[[], DType], Callable[[DType], None], Callable[[], bool], Callable[[bool], None]]:
    """torch's older names of the functions above, each for one type of device; `short` stands for it in the names."""

    def get_dtype() -> DType:
        return get_autocast_dtype(device_type)

    def set_dtype(dtype: DType) -> None:
        set_autocast_dtype(device_type, dtype)

    def is_enabled() -> bool:
        return is_autocast_enabled(device_type)

    def set_enabled(enabled: bool) -> None:
        set_autocast_enabled(device_type, enabled)

    made: tuple[tuple[Callable[..., Any], str, str, str], ...] = (
        (get_dtype, f"get_autocast_{short}_dtype", "get_autocast_dtype", ""),
        (set_dtype, f"set_autocast_{short}_dtype", "set_autocast_dtype", "dtype"),
        (is_enabled, f"is_autocast_{short}_enabled", "is_autocast_enabled", ""),
        (set_enabled, f"set_autocast_{short}_enabled", "set_autocast_enabled", "enabled"),
    )
    for function, name, other, argument in made:
        function.__name__ = function.__qualname__ = name
        function.__doc__ = _older_name(name, f"{other}({device_type!r}{', ' * bool(argument)}{argument})", argument)
    return get_dtype, set_dtype, is_enabled, set_enabled


get_autocast_cpu_dtype, set_autocast_cpu_dtype, is_autocast_cpu_enabled, set_autocast_cpu_enabled = _of_device("cpu", "cpu")
get_autocast_gpu_dtype, set_autocast_gpu_dtype = _of_device("cuda", "gpu")[:2]

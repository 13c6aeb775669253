"""Switches of torch's main namespace: deterministic algorithms, warnings, threads, denormal numbers."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

from tritonflow.errors import InvalidArgumentError

__all__: Sequence[str] = (
    "are_deterministic_algorithms_enabled", "compiled_with_cxx11_abi", "get_deterministic_debug_mode",
    "get_num_interop_threads", "is_deterministic_algorithms_warn_only_enabled", "set_deterministic_debug_mode",
    "set_flush_denormal", "set_num_interop_threads", "set_warn_always", "use_deterministic_algorithms",
)  # fmt: skip

_deterministic = {"mode": 0}
_MODES = {"default": 0, "warn": 1, "error": 2}


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Note whether only deterministic algorithms are wanted: all of them are, whatever is set.

    Args:
        mode: whether they are wanted.
        warn_only: whether a warning instead of an error was wanted for others.

    Source: torch.use_deterministic_algorithms.

    Example:
        >>> import tritonflow as flow
        >>> flow.use_deterministic_algorithms(True, warn_only=True)
        >>> flow.are_deterministic_algorithms_enabled(), flow.get_deterministic_debug_mode()
        (True, 1)
        >>> flow.use_deterministic_algorithms(False)
    """
    _deterministic["mode"] = 0 if not mode else 1 if warn_only else 2


def are_deterministic_algorithms_enabled() -> bool:
    """Whether `use_deterministic_algorithms` asked for them.

    Source: torch.are_deterministic_algorithms_enabled.

    Example:
        >>> import tritonflow as flow
        >>> flow.are_deterministic_algorithms_enabled()
        False
    """
    return _deterministic["mode"] > 0


def is_deterministic_algorithms_warn_only_enabled() -> bool:
    """Whether `use_deterministic_algorithms` asked for warnings only.

    Source: torch.is_deterministic_algorithms_warn_only_enabled.

    Example:
        >>> import tritonflow as flow
        >>> flow.is_deterministic_algorithms_warn_only_enabled()
        False
    """
    return _deterministic["mode"] == 1


def get_deterministic_debug_mode() -> int:
    """0, 1 for warnings or 2 for errors, as `use_deterministic_algorithms` set it.

    Source: torch.get_deterministic_debug_mode.

    Example:
        >>> import tritonflow as flow
        >>> flow.get_deterministic_debug_mode()
        0
    """
    return _deterministic["mode"]


def set_deterministic_debug_mode(debug_mode: int | str) -> None:
    """Say what `use_deterministic_algorithms` says in one word.

    Args:
        debug_mode: "default", "warn" or "error", or 0, 1 or 2.

    Raises:
        TypeError: it is neither a text nor an int.
        RuntimeError: it is none of these.

    Source: torch.set_deterministic_debug_mode.

    Example:
        >>> import tritonflow as flow
        >>> flow.set_deterministic_debug_mode("error")
        >>> flow.get_deterministic_debug_mode()
        2
        >>> flow.set_deterministic_debug_mode("default")
    """
    if not isinstance(debug_mode, (int, str)):
        raise TypeError(f"debug_mode must be str or int, but got {type(debug_mode)}")
    mode = _MODES.get(debug_mode) if isinstance(debug_mode, str) else debug_mode
    if mode not in (0, 1, 2):
        raise InvalidArgumentError(
            f"invalid value of debug_mode, expected one of `default`, `warn`, `error`, but got {debug_mode}"
        )
    _deterministic["mode"] = mode


def set_flush_denormal(mode: bool) -> bool:
    """False: denormal numbers are always computed with.

    Args:
        mode: whether they should count as 0.

    Source: torch.set_flush_denormal.

    Example:
        >>> import tritonflow as flow
        >>> flow.set_flush_denormal(True)
        False
    """
    return False


def get_num_interop_threads() -> int:
    """1: ops of one program run one after another.

    Source: torch.get_num_interop_threads.

    Example:
        >>> import tritonflow as flow
        >>> flow.get_num_interop_threads()
        1
    """
    return 1


def set_num_interop_threads(count: int) -> None:
    """Nothing: ops of one program run one after another.

    Args:
        count: a positive integer, which is checked.

    Raises:
        RuntimeError: it is none.

    Source: torch.set_num_interop_threads.

    Example:
        >>> import tritonflow as flow
        >>> flow.set_num_interop_threads(4)
    """
    if not isinstance(count, int) or count < 1:
        raise InvalidArgumentError(f"set_num_interop_threads expects a positive integer, but got {count!r}")


def set_warn_always(b: bool) -> None:
    """Show warnings each time, or as Python's filters say.

    Args:
        b: whether each time.

    Source: torch.set_warn_always.

    Example:
        >>> import tritonflow as flow
        >>> flow.set_warn_always(False)
    """
    warnings.simplefilter("always" if b else "default", UserWarning)


def compiled_with_cxx11_abi() -> bool:
    """True: torch's question about its binary interface, for programs that ask it.

    Source: torch.compiled_with_cxx11_abi.

    Example:
        >>> import tritonflow as flow
        >>> flow.compiled_with_cxx11_abi()
        True
    """
    return True

"""What torch's keywords of `compile` mean here: who compiles, and whether configurations are measured."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tritonflow.errors import ArgumentTypeError, InvalidArgumentError

BACKENDS = {"inductor": True, "tritonflow": True, "eager": False, "aot_eager": False}  # whether it compiles anything
MODES = {  # whether it measures
    "default": False,
    "reduce-overhead": False,
    "max-autotune": True,
    "max-autotune-no-cudagraphs": True,
}
OPTIONS = {  # whether to switch it on is to measure; the others are what is done anyway, where it pays
    "max_autotune": True,
    "max_autotune_gemm": True,
    "coordinate_descent_tuning": True,
    "epilogue_fusion": False,
    "shape_padding": False,
    "triton.cudagraphs": False,
}


class _Default:
    """The backend of calls that name none."""

    backend = "inductor"


def default_backend() -> str:
    """The backend of calls that name none."""
    return _Default.backend


def set_default_backend(backend: str | None) -> None:
    """Choose the backend of calls that name none; None is "inductor"."""
    name = "inductor" if backend is None else backend
    compiles(name)
    _Default.backend = name


def compiles(backend: Any) -> bool:
    """Whether a backend compiles; "eager" and "aot_eager" leave functions as they are.

    Raises:
        TypeError: neither a name nor a function.
        RuntimeError: a function, or an unknown name.
    """
    if backend is None:
        backend = _Default.backend
    names = ", ".join(map(repr, BACKENDS))
    if isinstance(backend, str):
        if backend not in BACKENDS:
            raise InvalidArgumentError(f"Invalid backend: {backend!r}, expected one of {names}")
        return BACKENDS[backend]
    if callable(backend):
        raise InvalidArgumentError(
            "compile(): argument 'backend' cannot be a function, which would be given a graph of torch.fx: there is none here;"
            f" help: name one of {names}"
        )
    raise ArgumentTypeError(f"compile(): argument 'backend' must be str, not {type(backend).__name__}")


def measures(mode: Any, options: Any) -> bool:
    """Whether a mode or options say that the fastest configurations are to be found by measuring.

    Raises:
        TypeError: `options` is no dict.
        RuntimeError: both are given, or one of them is unknown.
    """
    if mode is not None and options is not None:
        raise InvalidArgumentError("Either mode or options can be specified, but both can't be specified at the same time.")
    if options is not None:
        return _of_options(options)
    if mode is None:
        return False
    if not isinstance(mode, str) or mode not in MODES:
        raise InvalidArgumentError(f"Unrecognized mode={mode}, should be one of: {', '.join(MODES)}")
    return MODES[mode]


def _of_options(options: Any) -> bool:
    if not isinstance(options, Mapping):
        raise ArgumentTypeError(f"compile(): argument 'options' must be dict, not {type(options).__name__}")
    for name, value in options.items():
        if _plain(name) not in OPTIONS:
            raise InvalidArgumentError(f"Unexpected optimization option {name}, known options are {list(OPTIONS)}")
        if not isinstance(value, bool):
            raise InvalidArgumentError(f"Unexpected type of attr {name}, got {type(value).__name__} should be bool")
    return any(value and OPTIONS[_plain(name)] for name, value in options.items())


def _plain(name: Any) -> Any:
    return name.replace("-", "_") if isinstance(name, str) else name

"""`torch.utils.cpp_extension`: extensions in C++ and CUDA call torch, and cannot be built here."""

from __future__ import annotations

from typing import Any

from tritonflow.errors import NotYetImplementedError

CUDA_HOME = None
ROCM_HOME = None
IS_HIP_EXTENSION = False


def _refuse(name: str) -> Any:
    def refused(*args: Any, **options: Any) -> Any:
        raise NotYetImplementedError(
            f"torch.utils.cpp_extension.{name}(): extensions in C++ and CUDA call torch; help: a kernel of your own is written in"
            " Triton, see docs/own_kernels.md"
        )

    refused.__name__ = name
    return refused


load, load_inline, CUDAExtension, CppExtension = map(_refuse, ("load", "load_inline", "CUDAExtension", "CppExtension"))
include_paths, library_paths = _refuse("include_paths"), _refuse("library_paths")


class BuildExtension:
    """A command that would build extensions."""

    with_options = staticmethod(_refuse("BuildExtension.with_options"))

    def __init__(self, *args: Any, **options: Any) -> None:
        _refuse("BuildExtension")()


def is_ninja_available() -> bool:
    """No."""
    return False


def check_compiler_ok_for_platform(compiler: str) -> bool:
    """No."""
    return False

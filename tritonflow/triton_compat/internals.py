"""Triton's internals that this package uses: imported here, and tested for before use.

A release whose layout is not known is refused with an error that names its version.
"""

from __future__ import annotations

import functools

import triton

from tritonflow import versions
from tritonflow.errors import UnsupportedVersionError


def unsupported(reason: object) -> UnsupportedVersionError:
    """The error for a release of Triton that is not as expected."""
    return versions.unsupported("triton", triton.__version__, reason)


try:
    import triton.backends
    from triton import knobs
    from triton._C.libtriton import ir, passes
    from triton.backends.compiler import GPUTarget
    from triton.compiler.compiler import ASTSource, CompiledKernel, make_backend
    from triton.runtime.cache import FileCacheManager, get_cache_manager
    from triton.runtime.errors import OutOfResources
    from triton.runtime.jit import JITCallable
except ImportError as error:
    raise unsupported(error) from error


def version() -> tuple[int, int, int]:
    """The version of the installed Triton."""
    return versions.numbers(triton.__version__)


def require(owner: object, *names: str) -> None:
    """Raise unless an object of Triton has all these attributes."""
    for name in names:
        if not hasattr(owner, name):
            raise unsupported(f"{getattr(owner, '__name__', owner)} has no {name!r}")


@functools.cache
def check_version() -> None:
    """Raise unless the parts of Triton that are used here are where they are expected."""
    versions.check("triton", triton.__version__)
    require(ir, "context", "pass_manager", "load_dialects")
    require(passes.common, "add_inliner", "add_canonicalizer", "add_cse", "add_symbol_dce")
    require(passes.ttir, "add_combine", "add_reorder_broadcast", "add_triton_licm", "add_loop_unroll")
    require(passes.ttir, "add_rewrite_tensor_descriptor_to_pointer")
    require(ASTSource, "make_ir")
    require(JITCallable, "cache_key")
    require(knobs, "runtime", "cache", "compilation")
    require(knobs.compilation, "listener")
    require(knobs.cache, "manager_class", "dir")
    require(FileCacheManager, "get_group", "put_group", "get_file", "put")
    require(knobs.runtime, "interpret")


__all__ = [
    "ASTSource",
    "CompiledKernel",
    "FileCacheManager",
    "GPUTarget",
    "JITCallable",
    "OutOfResources",
    "check_version",
    "get_cache_manager",
    "ir",
    "knobs",
    "make_backend",
    "passes",
    "require",
    "unsupported",
    "version",
]

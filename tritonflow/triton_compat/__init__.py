"""All knowledge of Triton's internals and versions: the rest of the package knows Triton's language only.

internals.py       what is used of Triton, tested for
functions.py       keys and switches of a `@triton.jit` function
ttir.py            the front end: from a function to TTIR
compile_listener.py  what Triton compiles is reported
checked_cache.py   Triton's cache on disk, with digests
cpu_backend.py     Triton's own launch syntax on CPUs; cpu_launcher.py launches
cuda_kernel.py     kernels for GPUs; cuda_call.py finds how they are called
interpreted.py     Triton's interpreter
"""

from .cpu_backend import CpuCode, register_cpu_backend
from .cuda_kernel import LoadedCudaKernel, compile_cuda, find_cuda, launch_hooks
from .functions import asserts, function_key, is_jit_function, kernel_title
from .internals import OutOfResources, check_version, version
from .interpreted import interpreting, load_interpreted
from .ttir import lower_to_ttir

__all__ = [
    "CpuCode",
    "LoadedCudaKernel",
    "OutOfResources",
    "asserts",
    "check_version",
    "compile_cuda",
    "find_cuda",
    "function_key",
    "interpreting",
    "is_jit_function",
    "kernel_title",
    "launch_hooks",
    "load_interpreted",
    "lower_to_ttir",
    "register_cpu_backend",
    "version",
]

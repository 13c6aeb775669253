"""TTIR: Triton's front end, stopped before it lowers for a GPU."""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Mapping
from typing import Any

import triton

from .functions import asserts
from .internals import ASTSource, GPUTarget, check_version, ir, make_backend, passes, require
from .repeated_work import repeated_work_saved, shared_context

# The front end needs a GPU target. sm_80 has every type but no path of its own for descriptors.
_FRONT_END_TARGET = GPUTarget("cuda", 80, 32)
FRONT_END_OPTIONS = {
    "enable_fp_fusion": True,  # TTIR is the same without; Triton 3.9 warns where it is not given
    "supported_fp8_dtypes": ("fp8e4b15", "fp8e4b8", "fp8e4nv", "fp8e5", "fp8e5b16"),
}
_front_end_lock = threading.RLock()  # a fork waits for it: a child that inherits it locked, or a lock of MLIR's, waits for ever
os.register_at_fork(
    before=_front_end_lock.acquire, after_in_parent=_front_end_lock.release, after_in_child=_front_end_lock.release
)


def overflow_checks(debug: bool) -> dict[str, bool]:
    """Checks of integer overflow are assertions: where these are off the front end would only build and drop them."""
    return {"sanitize_overflow": debug}


@functools.cache
def front_end() -> Any:
    """Triton's backend for the GPU that the front end takes as its target."""
    check_version()
    backend = make_backend(_FRONT_END_TARGET)
    require(backend, "parse_options", "get_codegen_implementation", "get_module_map", "load_dialects")
    return backend


def _any_dot_size(*_types: object) -> tuple[int, int, int]:
    return (1, 1, 1)


def _convert_fp8e4b15(value: Any, to: Any, rounding: Any = None, _semantic: Any = None) -> Any:
    """The format that TTIR has no type for: f16 without its highest exponent bit, rounded half up, at most 1.75."""
    tl, s = triton.language, _semantic
    if value.dtype.is_fp8e4b15():
        code = value.to(tl.uint8, bitcast=True, _semantic=s).to(tl.uint16, _semantic=s)
        sign = code.__and__(0x80, _semantic=s).__lshift__(8, _semantic=s)
        half = code.__and__(0x7F, _semantic=s).__lshift__(7, _semantic=s).__or__(sign, _semantic=s)
        return half.to(tl.float16, bitcast=True, _semantic=s).to(to.scalar, _semantic=s)
    if not value.dtype.is_fp16():
        value = value.to(tl.float32, _semantic=s).to(tl.float16, fp_downcast_rounding="rtz", _semantic=s)
    bits = value.to(tl.uint16, bitcast=True, _semantic=s)
    size = tl.minimum(bits.__and__(0x7FFF, _semantic=s), 0x3F00, _semantic=s)
    code = size.__add__(0x40, _semantic=s).__rshift__(7, _semantic=s)
    sign = bits.__rshift__(8, _semantic=s).__and__(0x80, _semantic=s)
    return code.__or__(sign, _semantic=s).to(tl.uint8, _semantic=s).to(tl.float8e4b15, bitcast=True, _semantic=s)


def code_generation(backend_functions: Mapping[str, Any]) -> dict[str, Any]:
    """A backend's functions for the front end, with those in which a CPU differs from the GPU."""
    return {**backend_functions, "min_dot_size": _any_dot_size, "convert_custom_types": _convert_fp8e4b15}


def lower_to_ttir(
    fn: Any,
    signature: Mapping[str, Any],
    constexprs: Mapping[Any, Any],
    attrs: Mapping[Any, Any] | None = None,
) -> str:
    """Run Triton's front end on `fn` and stop at optimised TTIR: the module's text, with locations in the source."""
    backend = front_end()
    with _front_end_lock, repeated_work_saved():
        source = ASTSource(fn, dict(signature), dict(constexprs), dict(attrs or {}))
        debug = asserts(fn)
        options = backend.parse_options({**FRONT_END_OPTIONS, **overflow_checks(debug), "debug": debug})
        functions = code_generation(backend.get_codegen_implementation(options))
        context = shared_context(backend.load_dialects)
        module = source.make_ir(_FRONT_END_TARGET, options, functions, backend.get_module_map(), context)
        optimise(module, context)
        return str(module)


def optimise(module: Any, context: Any) -> None:
    """Run Triton's passes over TTIR that depend on no GPU."""
    manager = ir.pass_manager(context)
    passes.common.add_inliner(manager)
    if hasattr(passes.ttir, "add_rewrite_tensor_pointer"):  # block pointers, gone after 3.6
        passes.ttir.add_rewrite_tensor_pointer(manager)
    passes.ttir.add_rewrite_tensor_descriptor_to_pointer(manager)
    passes.common.add_canonicalizer(manager)
    passes.ttir.add_combine(manager)
    passes.ttir.add_reorder_broadcast(manager)
    passes.common.add_cse(manager)
    passes.ttir.add_triton_licm(manager)
    passes.common.add_canonicalizer(manager)
    passes.common.add_symbol_dce(manager)
    passes.ttir.add_loop_unroll(manager)
    passes.common.add_cse(manager)
    manager.run(module, "cpu_ttir")

"""`torch._dynamo`: marks of torch.compile, most of which change nothing here."""

from __future__ import annotations

import contextlib
from typing import Any

import tritonflow as flow
from tritonflow.compiler import (  # noqa: F401
    allow_in_graph,
    assume_constant_result,
    disable,
    is_compiling,
    list_backends,
    nested_compile_region,
    reset,
    set_stance,
    substitute_in_graph,
)


def __getattr__(name: str) -> Any:
    """`OptimizedModule`, the class of compiled modules, which is imported with the first of them."""
    if name != "OptimizedModule":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from tritonflow.graph.api.compiled_module import CompiledModule

    return CompiledModule


def mark_dynamic(t: Any, index: Any, *, min: int | None = None, max: int | None = None, **hints: Any) -> None:
    """`flow.mark_dynamic`."""
    flow.mark_dynamic(t, index, min=min or 1, max=max)


def mark_static(t: Any, index: Any = None) -> None:
    """`flow.mark_static` of a tensor; of a class of modules it changes nothing."""
    if isinstance(t, flow.Tensor):
        flow.mark_static(t, index)


def mark_static_address(*args: Any, **options: Any) -> None:
    """Nothing."""


def maybe_mark_dynamic(*args: Any, **options: Any) -> None:
    """Nothing: the second shape is captured for all sizes."""


def graph_break(msg: str = "") -> None:
    """Nothing: a capture goes on."""


def disallow_in_graph(fn: Any) -> Any:
    """The function itself."""
    return fn


def forbid_in_graph(fn: Any) -> Any:
    """The function itself."""
    return fn


def skip_frame(msg: str = "") -> None:
    """Nothing: a capture goes on."""


def step_unsupported(msg: str = "") -> None:
    """Nothing: a capture goes on."""


def nonstrict_trace(traceable_fn: Any) -> Any:
    """The function itself."""
    return traceable_fn


def dont_skip_tracing(fn: Any = None) -> Any:
    """The function itself, or a decorator."""
    return (lambda function: function) if fn is None else fn


def disable_nested_graph_breaks(fn: Any = None) -> Any:
    """The function itself, or a decorator."""
    return (lambda function: function) if fn is None else fn


def error_on_graph_break(error_on_graph_break: bool) -> Any:
    """A block, or a decorator, that changes nothing: `fullgraph` says whether what no graph can do is an error."""
    return _Nothing()


def mark_unbacked(*args: Any, **options: Any) -> None:
    """Nothing: the second shape is captured for all sizes."""


def optimize(backend: Any = "inductor", *, nopython: bool = False, **options: Any) -> Any:
    """A decorator: `torch.compile`."""
    from tritonflow.mock_torch.names import compile

    return compile(backend=backend, fullgraph=nopython, disable=bool(options.get("disable")))


def optimize_assert(backend: Any = "inductor", **options: Any) -> Any:
    """`optimize`, for which what no graph can do is an error."""
    return optimize(backend, nopython=True, **options)


def run(fn: Any = None) -> Any:
    """The function itself."""
    return fn


def is_dynamo_supported() -> bool:
    """Yes: `flow.compile` captures everywhere."""
    return True


is_inductor_supported = is_dynamo_supported


def lookup_backend(compiler_fn: Any) -> Any:
    """The name itself, which `flow.compile` takes.

    Raises:
        RuntimeError: there is no such backend.
    """
    from tritonflow.graph.api.compile_options import compiles

    compiles(compiler_fn)
    return compiler_fn


class _Nothing(contextlib.ContextDecorator):
    """A block, or a decorator, that changes nothing."""

    def __enter__(self) -> None: ...

    def __exit__(self, *error: object) -> None: ...


class _Config:
    """Settings that may be set, and change nothing."""

    def __init__(self) -> None:
        self.__dict__.update(
            suppress_errors=False, cache_size_limit=8, recompile_limit=8, accumulated_cache_size_limit=256,
            accumulated_recompile_limit=256, capture_scalar_outputs=False, capture_dynamic_output_shape_ops=False,
            automatic_dynamic_shapes=True, assume_static_by_default=True, dynamic_shapes=True, verbose=False, disable=False,
            optimize_ddp=True, inline_inbuilt_nn_modules=True, allow_unspec_int_on_nn_module=False,
            fail_on_recompile_limit_hit=False, skip_nnmodule_hook_guards=True, force_parameter_static_shapes=True,
        )  # fmt: skip

    def patch(self, *args: Any, **options: Any) -> Any:
        """A block, or a decorator, that changes nothing."""
        return _Nothing()


config = _Config()

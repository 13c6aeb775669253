"""`flow.compile`: a function or a module that runs as a graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, ParamSpec, Protocol, TypeVar, overload

from tritonflow.errors import ArgumentTypeError
from tritonflow.graph.api.compile_options import compiles, measures
from tritonflow.graph.api.compiled_module import compiled_module
from tritonflow.graph.api.config import GraphConfig
from tritonflow.graph.api.function import CapturedFunction
from tritonflow.nn import Module

P = ParamSpec("P")
R = TypeVar("R")
M = TypeVar("M", bound=Module)


class _Compile(Protocol):
    """To checkers: what `compile` is without a function."""

    def __call__(self, model: Callable[P, R], /) -> CapturedFunction[P, R]: ...


@overload
def compile(  # type: ignore[overload-overlap]
    model: M, *, fullgraph: bool = False, dynamic: bool | None = None, backend: str | None = None, mode: str | None = None,
    options: Mapping[str, bool] | None = None, disable: bool = False, tune: bool = False,
) -> M: ...  # fmt: skip
@overload
def compile(
    model: Callable[P, R], *, fullgraph: bool = False, dynamic: bool | None = None, backend: str | None = None,
    mode: str | None = None, options: Mapping[str, bool] | None = None, disable: bool = False, tune: bool = False,
) -> CapturedFunction[P, R]: ...  # fmt: skip
@overload
def compile(
    *, fullgraph: bool = False, dynamic: bool | None = None, backend: str | None = None, mode: str | None = None,
    options: Mapping[str, bool] | None = None, disable: bool = False, tune: bool = False,
) -> _Compile: ...  # fmt: skip
def compile(
    model: Callable[..., Any] | None = None, *, fullgraph: bool = False, dynamic: bool | None = None, backend: str | None = None,
    mode: str | None = None, options: Mapping[str, bool] | None = None, disable: bool = False, tune: bool = False,
) -> Any:  # fmt: skip
    """Run a function or a module as a graph: captured at the first call, and again where dtypes, modes or structures change.

    Args:
        model: a function of tensors, numbers and nested lists, tuples and dicts of them; or a module. Without it, a decorator.
        fullgraph: whether what no graph can do is an error, such as Python that needs the value of a tensor. Otherwise such calls
            run in eager mode, and the first warns with the line. What was done before that line is undone, and not done twice.
        dynamic: whether one capture serves many sizes of tensors, and of ints that are sizes. None: the first call is captured for
            its sizes; where later ones differ, one capture serves all numbers of the sizes that do. True: the first capture
            serves all sizes. False: each size is captured. See `flow.mark_dynamic` for single dimensions.
        backend: "inductor" and "tritonflow", which are one here, or "eager" and "aot_eager": `model` as it is. None: the one of
            `flow.compiler.set_default_backend`, which is "inductor" at first.
        mode: "default" and "reduce-overhead", which are one here, or "max-autotune" and "max-autotune-no-cudagraphs": as `tune`.
        options: bools under names of torch's. "max_autotune", "max_autotune_gemm" and "coordinate_descent_tuning" are as `tune`.
            "triton.cudagraphs", "epilogue_fusion" and "shape_padding" change nothing: where it pays, this is done anyway.
        disable: whether to give `model` as it is.
        tune: whether to look for the fastest configurations of products, convolutions and attention by measuring; see
            `GraphConfig.enable_tuning`.

    In-place ops change the tensors that they are called on, inputs among them. Results have their history, so that parts of models
    train: a call is captured with its backward, which is compiled when it is first called. `backward()` inside adds to the `grad`
    of parameters and inputs, as in eager mode.

    While a call is captured, its Python is watched. What it reads may change between the calls, wherever it finds it: variables,
    attributes, items, containers, modules, hooks, optimizers, modes. What it sets is set behind each run: counters, hidden states,
    lists that it appends to, prints. docs/compile.md has the details, and says what is not seen: code of installed libraries.

    Returns:
        A function with the same arguments and results. Of a module, a module of the same class that shares all its attributes:
        parameters, children, hooks and `state_dict()` are the same ones. As a decorator of a method it captures for each object
        apart. With `disable`, or a backend that compiles nothing, `model` itself.

    Raises:
        TypeError: an argument of another type.
        RuntimeError: an unknown backend, mode or option, or `mode` and `options` together. With `fullgraph`, at its first call,
            for what no graph can do, such as Python that needs the value of a tensor, numbers of Python's generators, and
            `backward()` that reaches an input with a history; in `backward(create_graph=True)` outside.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.compile.html

    Example:
        >>> import tritonflow as flow
        >>> @flow.compile
        ... def scaled(x, factor):
        ...     return flow.relu(x) * factor
        >>> scaled(flow.ones(2), 3.0).tolist(), scaled(flow.ones(2), 4.0).tolist()
        ([3.0, 3.0], [4.0, 4.0])
    """
    if dynamic is not None and not isinstance(dynamic, bool):
        raise ArgumentTypeError(f"compile(): argument 'dynamic' must be None, True or False, not {type(dynamic).__name__}")
    for option, value in (("fullgraph", fullgraph), ("disable", disable), ("tune", tune)):
        if not isinstance(value, bool):
            raise ArgumentTypeError(f"compile(): argument '{option}' must be True or False, not {type(value).__name__}")
    is_compiled, tune = compiles(backend) and not disable, measures(mode, options) or tune
    if model is None:
        return partial(compile, fullgraph=fullgraph, dynamic=dynamic, backend=backend, disable=disable, tune=tune)
    if not callable(model):
        raise ArgumentTypeError(f"compile(): argument 'model' must be callable, not {type(model).__name__}")
    if not is_compiled:
        return model
    name, config = getattr(model, "__qualname__", model.__class__.__name__), GraphConfig()
    config.enable_tuning(tune)
    modules = {"": model} if isinstance(model, Module) else None
    captured = CapturedFunction(model, name, modules=modules, config=config, fullgraph=fullgraph, dynamic=dynamic)
    return captured if modules is None else compiled_module(captured)

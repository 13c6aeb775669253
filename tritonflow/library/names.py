"""Ops by name: how programs make them and find them again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from tritonflow.errors import InvalidArgumentError
from tritonflow.library import schema as schemas
from tritonflow.library.custom_op import CustomOp
from tritonflow.library.table import ops

_NAME = re.compile(r"^(\w+)::(\w+)(?:\.(\w+))?")


def key_of(name: str) -> str:
    """The name of an op without that of an overload.

    Raises:
        RuntimeError: it is no name of an op.
    """
    match = _NAME.match(name)
    if match is None:
        raise InvalidArgumentError(f"library: expected a name such as 'mine::scale', but got {name!r}")
    return f"{match[1]}::{match[2]}"


def _op(name: str) -> CustomOp:
    key = key_of(name)
    if key not in ops:
        ops[key] = CustomOp(key)  # torch's own, or one of a C++ library
    return ops[key]


def _named(op: Any) -> CustomOp:
    return op if isinstance(op, CustomOp) else _op(op)


def custom_op(
    name: str,
    fn: Callable[..., Any] | None = None,
    /,
    *,
    mutates_args: str | Iterable[str] = (),
    device_types: Any = None,
    schema: str | None = None,
    tags: Any = None,
) -> Any:
    """An op of a function: `CustomOp`, which is called as the function is; without one a decorator.

    What is annotated as Tensor, int, float, bool, str, dtype, a list or a sequence is checked at each call. Autograd does not look
    into the function: a gradient needs `register_autograd`.

    Args:
        name: such as "mine::scale".
        mutates_args: the names of the arguments that the function writes, or "unknown". A write of another one is an error.
        device_types: where the function computes it; None: everywhere.
        schema: the parameters, such as "(Tensor x, float factor) -> Tensor", instead of annotations.

    Raises:
        RuntimeError: `name` is no name of an op, `mutates_args` names no parameter, or `schema` cannot be read.

    Source: torch.library.custom_op.

    Example:
        >>> import tritonflow as flow
        >>> @flow.library.custom_op("mine::scale", mutates_args=())
        ... def scale(x: flow.Tensor, factor: float) -> flow.Tensor:
        ...     return x * factor
        >>> scale(flow.ones(2), 3.0).tolist()
        [3.0, 3.0]
    """

    def register(function: Callable[..., Any]) -> CustomOp:
        key = key_of(name)
        if schema is None:
            parameters = schemas.of_function(key, function, mutates_args)
        else:
            parameters = schemas.of_text(key, schema)
        op = ops[key] = CustomOp(key, parameters, is_composite=False)
        op.register_kernel(device_types, function)
        op.__doc__ = function.__doc__
        return op

    return register if fn is None else register(fn)


def triton_op(
    name: str,
    fn: Callable[..., Any] | None = None,
    /,
    *,
    mutates_args: str | Iterable[str] = (),
    schema: str | None = None,
) -> Any:
    """An op of a function that launches Triton kernels: `CustomOp`; without a function a decorator.

    The function may call ops as well. In a capture both become nodes; `explain()` and the profiler show them under the op's name.

    Args:
        name: such as "mine::double".
        mutates_args: the names of the arguments that its kernels write, or "unknown". A write of another one is an error.
        schema: the parameters, as of `custom_op`.

    Raises:
        RuntimeError: as of `custom_op`.

    Source: torch.library.triton_op.

    Example:
        >>> import triton, triton.language as tl
        >>> import tritonflow as flow
        >>> @flow.library.triton_op("mine::total", mutates_args=("out",))
        ... def total(x: flow.Tensor, out: flow.Tensor) -> None:
        ...     out += x.sum()  # or launches
        >>> out = flow.ones(1)
        >>> total(flow.ones(3), out)
        >>> out.tolist()
        [4.0]
    """
    return custom_op(name, fn, mutates_args=mutates_args, schema=schema)


def wrap_triton(kernel: Any, /) -> Any:
    """The kernel itself: launches are seen without it."""
    return kernel


def define(name: str, schema: Any = None, /, *, lib: Any = None, tags: Any = ()) -> Any:
    """Name an op; `impl` says how it is computed."""
    _op(name)


def impl(name: str, types: Any, func: Callable[..., Any] | None = None, *, lib: Any = None) -> Any:
    """The function of an op for one or several types of devices."""
    return _op(name).register_kernel(None if types == "default" else types, func)


def register_kernel(op: Any, device_types: Any, func: Callable[..., Any] | None = None, /, *, lib: Any = None) -> Any:
    """As `CustomOp.register_kernel`, of an op or its name."""
    return _named(op).register_kernel(device_types, func)


def register_fake(
    op: Any,
    func: Callable[..., Any] | None = None,
    /,
    *,
    lib: Any = None,
    _stacklevel: int = 1,
    allow_override: bool = False,
) -> Any:
    """As `CustomOp.register_fake`, of an op or its name; without a function a decorator."""
    return _named(op).register_fake if func is None else _named(op).register_fake(func)


impl_abstract = register_fake


def register_autograd(
    op: Any, backward: Callable[..., Any], /, *, setup_context: Callable[..., Any] | None = None, lib: Any = None
) -> None:
    """As `CustomOp.register_autograd`, of an op or its name."""
    _named(op).register_autograd(backward, setup_context=setup_context)


def register_vmap(op: Any, func: Callable[..., Any] | None = None, /, *, lib: Any = None) -> Any:
    """As `CustomOp.register_vmap`."""
    return _named(op).register_vmap(func)


def register_autocast(op: Any, device_type: str, cast_inputs: Any, /, *, lib: Any = None) -> None:
    """As `CustomOp.register_autocast`."""
    _named(op).register_autocast(device_type, cast_inputs)


def register_sbp(op: Any, factors: str, /) -> None:
    """As `CustomOp.register_sbp`, of an op or its name."""
    _named(op).register_sbp(factors)


class Library:
    """Ops of one namespace.

    Args:
        ns: the namespace, such as "mine".
        kind: "DEF", "FRAGMENT" or "IMPL".
    """

    _DEVICES = {"CPU": "cpu", "CUDA": "cuda"}

    def __init__(self, ns: str, kind: str, dispatch_key: str = "") -> None:
        self.ns, self.kind, self.dispatch_key = ns, kind, dispatch_key

    def define(self, schema: str, alias_analysis: str = "", *, tags: Any = ()) -> str:
        """Name the op of a schema such as "scale(Tensor x, float factor) -> Tensor"."""
        name = schema.partition("(")[0].strip()
        _op(f"{self.ns}::{name}")
        return name

    def impl(self, op_name: Any, fn: Callable[..., Any], dispatch_key: str = "", **options: Any) -> None:
        """The function of an op under a dispatch key.

        Devices have functions of their own, autograd and autocast one above them; "Meta" is a shape function.
        """
        key = dispatch_key or self.dispatch_key or "CompositeExplicitAutograd"
        name = op_name if isinstance(op_name, str) else str(op_name._qualname).partition("::")[2]
        op = _op(name if "::" in name else f"{self.ns}::{name}")
        if key == "Meta":
            op.register_fake(fn)
        elif key.startswith(("Autograd", "Autocast")):
            op.register_above(key, fn)
        else:
            op.register_kernel(self._DEVICES.get(key), fn)

    def _register_fake(self, op_name: str, fn: Callable[..., Any], *args: Any, **options: Any) -> None:
        _op(f"{self.ns}::{op_name}").register_fake(fn)

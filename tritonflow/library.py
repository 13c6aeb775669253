"""`flow.library`: ops of one's own under names, as programs for torch define them.

An op is a Python function. It runs as it is written, eagerly and in captures; a shape function (`register_fake`) is stored and
never needed, because captures run the function itself over lazy tensors.
"""

from __future__ import annotations

import inspect
import re
import threading
from collections.abc import Callable, Iterable
from typing import Any

from tritonflow.amp.autocast_mode import is_autocast_enabled
from tritonflow.autograd import Function
from tritonflow.errors import InvalidArgumentError, NotYetImplementedError
from tritonflow.thread_state import thread_state

__all__ = [
    "CustomOp", "Library", "custom_op", "define", "find_op", "impl", "impl_abstract", "register_autocast", "register_autograd",
    "register_fake", "register_kernel", "register_vmap", "triton_op", "wrap_triton",
]  # fmt: skip

_NAME = re.compile(r"^(\w+)::(\w+)(?:\.(\w+))?")


class CustomOp:
    """An op by name: the function that computes it, and its derivative.

    Attributes:
        kernels: the functions by device type; "default" is of all others.
        fake: the shape function, if one was given.
    """

    def __init__(self, name: str) -> None:
        self._qualname = name
        self.kernels: dict[str, Callable[..., Any]] = {}
        self.fake: Callable[..., Any] | None = None
        self._above: dict[str, Callable[..., Any]] = {}
        self._inside = threading.local()
        self._function: type[Function] | None = None
        self._vmap: Callable[..., Any] | None = None
        self._backward: tuple[Callable[..., Any], Callable[..., Any] | None] | None = None

    def __call__(self, *args: Any, **options: Any) -> Any:
        above = self._above and self._function_above(args)
        if above:
            self._inside.is_set = True  # it calls the op again, and means the function below
            try:
                return above(*args, **options)
            finally:
                self._inside.is_set = False
        if not self.kernels:
            raise InvalidArgumentError(
                f"{self._qualname}: no function computes it; help: library.register_kernel() names one"
            )
        if self._backward is None and not (self._vmap is not None and thread_state.batch_levels):
            return self._compute(*args, **options)
        return self._with_backward().apply(*(self._in_order(args, options) if options else args))

    def _in_order(self, args: tuple[Any, ...], options: dict[str, Any]) -> tuple[Any, ...]:
        """The arguments as the op's function names them: a derivative is by position."""
        given = inspect.signature(self._kernel(args)).bind(*args, **options)
        given.apply_defaults()
        if given.kwargs:
            names = ", ".join(given.kwargs)
            raise NotYetImplementedError(f"{self._qualname}: arguments by keyword alone and register_autograd(): {names}")
        return given.args

    def _function_above(self, args: tuple[Any, ...]) -> Callable[..., Any] | None:
        """The function that `Library.impl` was given for autocast or autograd, where it is its turn."""
        if getattr(self._inside, "is_set", False):
            return None
        device = _device(args)
        cast = (
            self._above.get(f"autocast {device}")
            if is_autocast_enabled(device if device != "default" else "cpu")
            else None
        )
        return cast or self._above.get("autograd")

    def register_above(self, key: str, fn: Callable[..., Any]) -> None:
        """The function of a dispatch key such as "AutocastCPU" or "Autograd": it calls the op, which computes then."""
        kind = "autograd" if key.startswith("Autograd") else f"autocast {key.removeprefix('Autocast').lower()}"
        self._above[kind] = fn

    def _compute(self, *args: Any, **options: Any) -> Any:
        return self._kernel(args)(*args, **options)

    def _kernel(self, args: tuple[Any, ...]) -> Callable[..., Any]:
        """The function for the device of the arguments."""
        device = _device(args)
        kernel = self.kernels.get(device) or self.kernels.get("default")
        if kernel is None:
            raise InvalidArgumentError(
                f"{self._qualname}: no function computes it on {device!r}; there are some for {', '.join(self.kernels)}"
            )
        return kernel

    def _with_backward(self) -> type[Function]:
        if self._function is None:
            backward, setup = self._backward or (None, None)

            def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
                if setup is not None:
                    setup(ctx, inputs, output)

            names: dict[str, Any] = {"forward": staticmethod(self._compute), "setup_context": staticmethod(setup_context)}
            if backward is not None:
                names["backward"] = staticmethod(backward)
            if self._vmap is None:
                names["generate_vmap_rule"] = True
            else:
                names["vmap"] = staticmethod(self._vmap)
            self._function = type(self._qualname.replace("::", "_"), (Function,), names)
        return self._function

    @property
    def default(self) -> CustomOp:
        """The op: it has no overloads."""
        return self

    def register_kernel(self, device_types: Any, fn: Callable[..., Any] | None = None, /) -> Any:
        """The function for one or several types of devices; None means all."""

        def register(kernel: Callable[..., Any]) -> Callable[..., Any]:
            types = [device_types] if isinstance(device_types, str) or device_types is None else list(device_types)
            self.kernels.update((type or "default", kernel) for type in types)
            return kernel

        return register if fn is None else register(fn)

    def register_fake(self, fn: Callable[..., Any], /) -> Callable[..., Any]:
        """The shape function, which nothing here needs."""
        self.fake = fn
        return fn

    def register_autograd(
        self, backward: Callable[..., Any], /, *, setup_context: Callable[..., Any] | None = None
    ) -> None:
        """The derivative: `backward(ctx, *gradients)`, and what it needs: `setup_context(ctx, inputs, output)`."""
        self._backward, self._function = (backward, setup_context), None

    def register_vmap(self, func: Callable[..., Any] | None = None) -> Any:
        """The op inside of `vmap`: `func(info, in_dims, *args)` gives (outputs, their dimensions of slices).

        Without one the op's own functions run on batched tensors.
        """

        def register(rule: Callable[..., Any]) -> Callable[..., Any]:
            self._vmap, self._function = rule, None
            return rule

        return register if func is None else register(func)

    def register_torch_dispatch(self, torch_dispatch_class: Any, fn: Callable[..., Any] | None = None, /) -> Any:
        """Accepted: nothing dispatches to such classes."""
        return _unchanged if fn is None else fn

    def register_autocast(self, device_type: str, cast_inputs: Any) -> None:
        """Refused: autocast knows the ops of the registry alone."""
        raise NotYetImplementedError(
            f"{self._qualname}: register_autocast(); help: cast the inputs in the op's function"
        )

    def __repr__(self) -> str:
        return f"<CustomOp({self._qualname})>"


_ops: dict[str, CustomOp] = {}


def find_op(name: str) -> CustomOp | None:
    """The op of a name such as "mine::scale"."""
    return _ops.get(name)


def put(op: CustomOp) -> None:
    """Enter an op that was made by hand."""
    _ops[op._qualname] = op


def _op(name: str, create: bool = False) -> CustomOp:
    match = _NAME.match(name)
    if match is None:
        raise InvalidArgumentError(f"library: expected a name such as 'mine::scale', but got {name!r}")
    key = f"{match[1]}::{match[2]}"
    if create:
        _ops.setdefault(key, CustomOp(key))
    if key not in _ops:
        _ops[key] = CustomOp(key)  # torch's own, or one of a C++ library
    return _ops[key]


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

    Args:
        name: such as "mine::scale".
        mutates_args: the arguments that the function writes; said for readers, writes are seen anyway.
        device_types: where the function computes it; None: everywhere.

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
        op = _ops[_op(name)._qualname] = CustomOp(_op(name)._qualname)
        op.register_kernel(device_types, function)
        op.__doc__ = function.__doc__
        return op

    return register if fn is None else register(fn)


def triton_op(
    name: str, fn: Callable[..., Any] | None = None, /, *, mutates_args: Any = (), schema: str | None = None
) -> Any:
    """As `custom_op`: an op whose function launches kernels of Triton."""
    return custom_op(name, fn, mutates_args=mutates_args, schema=schema)


def wrap_triton(kernel: Any, /) -> Any:
    """The kernel itself."""
    return kernel


def define(name: str, schema: Any = None, /, *, lib: Any = None, tags: Any = ()) -> Any:
    """Name an op; `impl` says how it is computed."""
    _op(name, create=True)


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


def _named(op: Any) -> CustomOp:
    return op if isinstance(op, CustomOp) else _op(op)


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
        _op(f"{self.ns}::{name}", create=True)
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


def _device(args: tuple[Any, ...]) -> str:
    return next((each.device.type for each in args if hasattr(each, "device")), "default")


def _unchanged(fn: Any) -> Any:
    return fn

"""An op of the user's own, `CustomOp`: what is around the function that computes it.

A call goes through these layers, from the outside:

    schema          the classes of the arguments
    Library.impl    functions for autograd or autocast that a program gave by their dispatch keys
    autocast        inputs are cast, if `register_autocast` says so
    vmap, autograd  an `autograd.Function`, where something is batched or a gradient is wanted
    ranks           consistent tensors: the op on each rank's shard, by `register_sbp`
    meta            without data: the shape function, or the function with launches that do nothing
    the function    its launches and ops run, or become nodes of a capture; what it writes is compared with `mutates_args`
"""

from __future__ import annotations

import inspect
import sys
import threading
from collections.abc import Callable, Iterable
from time import perf_counter_ns
from typing import Any

from tritonflow.amp.autocast_mode import autocast, is_autocast_enabled
from tritonflow.autograd import Function
from tritonflow.device.device import META
from tritonflow.dtypes import float64
from tritonflow.errors import AutogradError, InplaceError, InvalidArgumentError, NoDataError, NotYetImplementedError
from tritonflow.framework.tensor import Tensor
from tritonflow.framework.tensor_impl import BatchedTensorImpl
from tritonflow.interpreter.autocast import DEFAULT_DTYPES
from tritonflow.interpreter.inplace import refuse_unrecorded
from tritonflow.library.arguments import Structure, flat, holds_tensors, mapped, tensors_of
from tritonflow.library.schema import UNKNOWN, Schema
from tritonflow.library.table import find_op
from tritonflow.thread_state import slow_path, thread_state
from tritonflow.vm.failure import line_outside
from tritonflow.vm.machine import machine


class CustomOp:
    """An op by name: the function that computes it, and what is known of it.

    Attributes:
        kernels: the functions by device type; "default" is of all others.
        fake: the shape function, if one was given.
        schema: its parameters, and which it writes.
        sbp: how it lies over ranks: a factor string, or "broadcast".
        is_composite: whether autograd goes through the function's own ops where no derivative was given, and ranks as well.
    """

    def __init__(self, name: str, schema: Schema | None = None, is_composite: bool = True) -> None:
        self._qualname = name
        self.schema = schema or Schema((), UNKNOWN)
        self.is_composite = is_composite
        self.kernels: dict[str, Callable[..., Any]] = {}
        self.fake: Callable[..., Any] | None = None
        self.sbp = "broadcast"
        self._casts: dict[str, Any] = {}
        self._above: dict[str, Callable[..., Any]] = {}
        self._inside = threading.local()
        self._functions: dict[bool, type[Function]] = {}
        self._quick: tuple[tuple[Any, bool], ...] = ()  # what `_note_layers` finds
        self._returns_list = False  # so autograd found it: it takes tuples
        self._vmap: Callable[..., Any] | None = None
        self._backward: tuple[Callable[..., Any], Callable[..., Any] | None] | None = None

    def __call__(self, *args: Any, **options: Any) -> Any:
        if not options and not slow_path.count and len(args) <= len(self._quick):
            written: list[tuple[Any, int]] = []  # storages that must not be written, with their versions
            for value, (classes, may_be_written) in zip(args, self._quick):
                if isinstance(value, Tensor):
                    impl, meta = value.impl, value.meta
                    if (
                        value._node is not None or value._view is not None or not meta.is_local or meta.device is META
                        or impl.__class__ is BatchedTensorImpl or not (classes is None or Tensor in classes)
                    ):  # fmt: skip
                        break
                    if not may_be_written:
                        written.append((impl, impl.version))
                elif value.__class__ in (list, tuple) or not (classes is None or isinstance(value, classes)):
                    break
            else:
                return self._run_quickly(args, written)
        return self._call(args, options)

    def _run_quickly(self, args: tuple[Any, ...], versions: list[tuple[Any, int]]) -> Any:
        """The function where none of the layers around it has anything to do."""
        outer = thread_state.own_op
        thread_state.own_op = self._qualname
        try:
            result = self.kernels["default"](*args)
        finally:
            thread_state.own_op = outer
        for impl, version in versions:
            if impl.version != version:
                self._refuse_unsaid(impl, args, {})
        return result

    def _note_layers(self) -> None:
        """Find out whether a call may take the short road: its parameters for that, () if it may not."""
        self._functions = {}
        plain = list(self.kernels) == ["default"] and not self._above and not self._casts
        parameters = self.schema.parameters if plain else ()
        self._quick = tuple([(each.classes, self.schema.may_write(each.name)) for each in parameters])

    def _call(self, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        self.schema.require_all(self._qualname, args, options)
        above = self._above and self._function_above(args, options)
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
        tensors = tensors_of(args, options)
        if self._casts and thread_state.autocast is not None:
            device = _device(tensors)
            if device in self._casts and device in thread_state.autocast.enabled:
                return self._with_casts(device, args, options)
        if self._needs_function(tensors):
            return self._apply_function(args, options)
        return self._run(tensors, args, options)

    def _run(self, tensors: list[Tensor], args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """The op below autograd."""
        for tensor in tensors:
            if not tensor.meta.is_local and not self.is_composite:
                from tritonflow.library import on_ranks  # with boxing, which the first consistent tensor imports

                return on_ranks.run(self, args, options)
        if self.fake is not None and any(tensor.meta.device is META for tensor in tensors):
            result = self.fake(*args, **options)
        else:
            result = self._compute(tensors, args, options)
        if slow_path.count:
            thread_state.observer.run_own_op(self, args, options, result)
        return result

    def _compute(self, tensors: list[Tensor], args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """The function on local tensors, whose writes are compared with what the op says of them."""
        kernel = self._kernel(tensors)
        watched = [] if self.schema.mutates is None else tensors
        if self.schema.mutates:
            unsaid = [value for name, value in self._named(args, options) if not self.schema.may_write(name)]
            watched = tensors_of(unsaid, {})
        versions = [tensor.impl.version for tensor in watched]
        outer, observer = thread_state.own_op, thread_state.observer
        thread_state.own_op = self._qualname
        observer.call_users(kernel)
        is_outermost = observer.is_capturing and observer.source_line is None
        if is_outermost:
            observer.note_line(line_outside(sys._getframe(1)))
        timeline = machine.engine.timeline
        start = 0 if timeline is None else perf_counter_ns()
        try:
            result = kernel(*args, **options)
        finally:
            thread_state.own_op = outer
            if is_outermost:
                observer.note_line(None)
            if timeline is not None:
                timeline.range(self._qualname, start)
        for tensor, version in zip(watched, versions):
            if tensor.impl.version != version:
                self._refuse_unsaid(tensor.impl, args, options)
        return result

    # ---------------------------------------------------------------------------------------------- what it writes

    def _declared(self, args: tuple[Any, ...], options: dict[str, Any]) -> list[Tensor]:
        """The tensors that the op says it writes, or may write where that is unknown."""
        return tensors_of([value for name, value in self._named(args, options) if self.schema.may_write(name)], {})

    def _named(self, args: tuple[Any, ...], options: dict[str, Any]) -> Iterable[tuple[str, Any]]:
        return (*zip(self.schema.names, args), *options.items())

    def _refuse_unsaid(self, impl: Any, args: tuple[Any, ...], options: dict[str, Any]) -> None:
        """Refuse what the function wrote, unless the memory is that of an argument that it says it writes."""
        if any(each.impl is impl for each in self._declared(args, options)):
            return
        found = [name for name, value in self._named(args, options) if any(t.impl is impl for t in tensors_of([value], {}))]
        name = found[0] if found else "*args"
        raise InplaceError(
            f"{self._qualname}: its function wrote the argument {name}, which mutates_args does not name;"
            f" help: mutates_args=({name!r},), or write a copy"
        )

    # -------------------------------------------------------------------------------------------- autograd and vmap

    def _needs_function(self, tensors: list[Tensor]) -> bool:
        """Whether an `autograd.Function` is to be applied: for a gradient, or a rule of vmap."""
        if self._vmap is not None and thread_state.batch_levels:
            return True
        if self._backward is None and self.is_composite:
            return False
        if not thread_state.grad_enabled and not thread_state.batch_levels:
            return False
        for tensor in tensors:
            if tensor._node is not None or tensor._view is not None:
                return True
            if tensor.impl.__class__ is BatchedTensorImpl and self._backward is not None:
                return True
        return False

    def _apply_function(self, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        unknown = [(t, t.impl.version) for t in tensors_of(args, options)] if self.schema.mutates is None else []
        for tensor in self._declared(args, options) if self.schema.mutates else ():
            refuse_unrecorded(f"the op {self._qualname}", tensor)
        if options or 0 < len(args) < len(self.schema.parameters):
            args, options = self._in_order(args, options)
        if not options and not any(map(holds_tensors, args)):
            found = self._function(False).apply(*args)
        else:
            found = self._function(True).apply(Structure(args, options), *flat(args, options))
        for tensor, version in unknown:
            if tensor.impl.version != version:
                refuse_unrecorded(f"the op {self._qualname}", tensor)
        return list(found) if self._returns_list else found

    def _in_order(self, args: tuple[Any, ...], options: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments as the op's function names them: a derivative is by position."""
        given = inspect.signature(self._kernel(tensors_of(args, options))).bind(*args, **options)
        given.apply_defaults()
        return given.args, given.kwargs

    def _below(self, *args: Any, **options: Any) -> Any:
        result = self._run(tensors_of(args, options), args, options)
        if result.__class__ is list:
            self._returns_list = True
            return tuple(result)
        if result.__class__ is tuple and any(holds_tensors(each) for each in result):
            raise NotYetImplementedError(f"{self._qualname}: a derivative of an op with lists among its results")
        return result

    def _function(self, grouped: bool) -> type[Function]:
        """The op for autograd and vmap; `grouped`: its first argument is a `Structure`, the others are as flat values."""
        found = self._functions.get(grouped)
        if found is None:
            methods = self._grouped_methods() if grouped else self._methods()
            rules = {name: staticmethod(method) for name, method in methods.items()}
            vmap: dict[str, Any] = {} if self._vmap is not None else {"generate_vmap_rule": True}
            found = type(self._qualname.replace("::", "_"), (Function,), {**rules, **vmap})
            self._functions[grouped] = found
        return found

    def _methods(self) -> dict[str, Callable[..., Any]]:
        given, setup = self._backward or (self._no_backward, None)

        def setup_context(ctx: Any, *found: Any) -> None:
            *inputs, output = found
            (setup or _nothing)(ctx, *inputs, list(output) if self._returns_list else output)

        def backward(ctx: Any, *grads: Any) -> Any:
            return given(ctx, list(grads)) if self._returns_list else given(ctx, *grads)  # a list of results has one of gradients

        methods: dict[str, Callable[..., Any]] = {"forward": self._below, "setup_context": setup_context, "backward": backward}
        return methods if self._vmap is None else {**methods, "vmap": self._vmap}

    def _grouped_methods(self) -> dict[str, Callable[..., Any]]:
        plain = self._methods()

        def forward(structure: Structure, *values: Any) -> Any:
            args, options = structure.join(values)
            return self._below(*args, **options)

        def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
            structure, *values = inputs
            ctx.structure = structure
            args, options = structure.join(values)
            plain["setup_context"](ctx, args, options, output) if options else plain["setup_context"](ctx, args, output)

        def backward(ctx: Any, *grads: Any) -> Any:
            found = plain["backward"](ctx, *grads)
            return None, *ctx.structure.spread(found if isinstance(found, tuple) else (found,))

        def vmap(info: Any, in_dims: tuple[Any, ...], structure: Structure, *values: Any) -> Any:
            (args, options), (dims, _) = structure.join(values), structure.join(in_dims[1:])
            return plain["vmap"](info, dims, *args, **options)

        methods: dict[str, Callable[..., Any]] = {"forward": forward, "setup_context": setup_context, "backward": backward}
        return methods if self._vmap is None else {**methods, "vmap": vmap}

    def _no_backward(self, ctx: Any, *grads: Any) -> Any:
        raise AutogradError(
            f"Trying to backward through {self._qualname} but no autograd formula was registered. If you need autograd, please"
            " use register_autograd to add one."
        )

    # ---------------------------------------------------------------------------------------- autocast and devices

    def _with_casts(self, device: str, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        dtype = self._casts[device]

        def cast(x: Any) -> Any:
            meta = x.meta
            fits = meta.dtype.is_floating_point and meta.dtype is not float64 and meta.device.type == device
            return x.to(dtype) if fits else x

        with autocast(device, enabled=False):
            return self(*mapped(cast, args), **mapped(cast, options))

    def _function_above(self, args: tuple[Any, ...], options: dict[str, Any]) -> Callable[..., Any] | None:
        """The function that `Library.impl` was given for autocast or autograd, where it is its turn."""
        if getattr(self._inside, "is_set", False):
            return None
        device = _device(tensors_of(args, options))
        is_on = is_autocast_enabled(device if device != "default" else "cpu")  # without tensors the host's, as in torch
        cast = self._above.get(f"autocast {device}") if is_on else None
        return cast or self._above.get("autograd")

    def _kernel(self, tensors: list[Tensor]) -> Callable[..., Any]:
        """The function for the device of the tensors."""
        kernel = self.kernels.get("default") if len(self.kernels) == 1 else None
        if kernel is not None:
            return kernel
        device = _device(tensors)
        kernel = self.kernels.get(device) or self.kernels.get("default")
        if kernel is None and device == "meta":
            raise NoDataError(f"{self._qualname}: no function gives its results on the meta device; help: register_fake")
        if kernel is None:
            raise InvalidArgumentError(
                f"{self._qualname}: no function computes it on {device!r}; there are some for {', '.join(self.kernels)}"
            )
        return kernel

    # ------------------------------------------------------------------------------------------------- registering

    @property
    def default(self) -> CustomOp:
        """The op: it has no overloads."""
        return self

    def register_above(self, key: str, fn: Callable[..., Any]) -> None:
        """The function of a dispatch key such as "AutocastCPU" or "Autograd": it calls the op, which computes then."""
        kind = "autograd" if key.startswith("Autograd") else f"autocast {key.removeprefix('Autocast').lower()}"
        self._above[kind] = fn
        self._note_layers()

    def register_kernel(self, device_types: Any, fn: Callable[..., Any] | None = None, /) -> Any:
        """The function for one or several types of devices; None means all."""

        def register(kernel: Callable[..., Any]) -> Callable[..., Any]:
            types = [device_types] if isinstance(device_types, str) or device_types is None else list(device_types)
            self.kernels.update((type or "default", kernel) for type in types)
            self._note_layers()
            return kernel

        return register if fn is None else register(fn)

    def register_fake(self, fn: Callable[..., Any], /) -> Callable[..., Any]:
        """The shape function: results on the meta device, where the arguments are.

        Without one the op's function runs on tensors of the meta device, and its launches do nothing.
        """
        self.fake = fn
        return fn

    def register_autograd(
        self, backward: Callable[..., Any], /, *, setup_context: Callable[..., Any] | None = None
    ) -> None:
        """The derivative.

        Args:
            backward: `backward(ctx, *gradients)` gives a gradient for each argument, None for one without. Made of ops, it is
                differentiable again.
            setup_context: `setup_context(ctx, inputs, output)` saves what it needs; of an op with arguments by keyword alone
                `setup_context(ctx, inputs, keyword_only_inputs, output)`.

        Raises:
            RuntimeError: the op writes arguments.
        """
        if not self.schema.is_functional and not self.is_composite:
            raise AutogradError(
                f"Cannot register autograd formula for non-functional operator {self._qualname}. Please create a functional"
                " operator and register an autograd formula for that."
            )
        self._backward = backward, setup_context
        self._note_layers()

    def register_vmap(self, func: Callable[..., Any] | None = None) -> Any:
        """The op inside of `vmap`: `func(info, in_dims, *args)` gives (outputs, their dimensions of slices).

        Without one the op's own functions run on batched tensors, which a launch refuses.
        """

        def register(rule: Callable[..., Any]) -> Callable[..., Any]:
            self._vmap = rule
            self._note_layers()
            return rule

        return register if func is None else register(func)

    def register_sbp(self, factors: str) -> None:
        """How the op lies over ranks; until then every rank has all of its tensors ("broadcast"), as in OneFlow.

        Args:
            factors: a factor string, such as "m k, n k -> m n": the dimensions of its tensors and of its results. Those of one name
                are split together; an output without the dimension that is split is a partial sum. `!` behind a name forbids
                to split it (docs/consistent.md).

        Raises:
            RuntimeError: it cannot be read.
        """
        from tritonflow.library import on_ranks  # as above

        self.sbp = on_ranks.checked(self._qualname, factors)

    def register_autocast(self, device_type: str, cast_inputs: Any) -> None:
        """The dtype that tensors of floats are cast to where autocast is on; float64 stays. The op runs with autocast off.

        Args:
            device_type: "cpu" or "cuda".
            cast_inputs: the dtype.
        """
        if device_type not in DEFAULT_DTYPES:
            known = " and ".join(map(repr, DEFAULT_DTYPES))
            raise InvalidArgumentError(f"{self._qualname}: autocast knows {known}, not {device_type!r}")
        self._casts[device_type] = cast_inputs
        self._note_layers()

    def register_torch_dispatch(self, torch_dispatch_class: Any, fn: Callable[..., Any] | None = None, /) -> Any:
        """Accepted: nothing dispatches to such classes."""
        return _unchanged if fn is None else fn

    def __reduce__(self) -> Any:
        """Copied with a module, or pickled, it is the op of its name."""
        return find_op, (self._qualname,)

    def __repr__(self) -> str:
        return f"<CustomOp({self._qualname})>"


def _device(tensors: list[Tensor]) -> str:
    return tensors[0].device.type if tensors else "default"


def _nothing(ctx: Any, *arguments: Any) -> None:
    """A derivative that needs nothing of the forward."""


def _unchanged(fn: Any) -> Any:
    return fn

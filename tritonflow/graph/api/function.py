"""A function captured once for each kind of call, and run as a graph from then on."""

from __future__ import annotations

import gc
import inspect
import logging
import sys
import traceback
import warnings
import weakref
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial, update_wrapper
from pathlib import Path
from types import CodeType, FunctionType, MethodType
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar, overload

from tritonflow import _C
from tritonflow.device.device import META
from tritonflow.errors import ArgumentTypeError, CaptureError, DeviceMismatchError
from tritonflow.framework.locality import require_local
from tritonflow.framework.runtime_scalar import PinError
from tritonflow.framework.tensor import Tensor
from tritonflow.graph.api.attempt import Attempt, LiftError
from tritonflow.graph.api.call import Call, CallKind
from tritonflow.graph.api.captured import Captured, UndoneError, plain
from tritonflow.graph.api.compiled_graph import CompiledGraph, capturing
from tritonflow.graph.api.compiled_module import compiled_module
from tritonflow.graph.api.config import GraphConfig
from tritonflow.graph.api.debug import DebugReport
from tritonflow.graph.api.describe import describe, describe_html
from tritonflow.graph.capture.pytree import check_inputs, flatten, objects_in
from tritonflow.graph.explain import Explanation
from tritonflow.graph.watch.guards import PythonGuards
from tritonflow.graph.watch.records import ChangedError
from tritonflow.graph.watch.slots import ABSENT
from tritonflow.graph.watch.tracer import UnwatchedError
from tritonflow.graph.watch.user_code import is_library
from tritonflow.graph.watch.watch import Watch
from tritonflow.interpreter.grad_node import anomaly
from tritonflow.nn import Module
from tritonflow.thread_state import thread_state

log = logging.getLogger("tritonflow.graph")

CACHE_SIZE = 16
_ATTEMPTS = 32
_PACKAGE = str(Path(__file__).parents[2]) + "/"
P = ParamSpec("P")
Q = ParamSpec("Q")
R = TypeVar("R")
M = TypeVar("M", bound=Module)


class _Compile(Protocol):
    """To checkers: what `compile` is without a function."""

    def __call__(self, model: Callable[P, R], /) -> CapturedFunction[P, R]: ...


class CapturedFunction(Generic[P, R]):
    """Calls a function as a graph: captured at the first call, and again for other shapes, dtypes, structures, or numbers that
    its control flow used.

    Args:
        function: the program; nested tensors in, nested tensors out.
        name: for the log.
        context: something hashable that the program depends on, besides its inputs and modules.
        modules: by name, those whose parameters it uses.
        config: its settings.
        differentiable: whether its results keep their history, as they do in eager mode.
        entry: gives the function that the user wrote, where `function` is another one.
        fullgraph: whether what no graph can do is an error. Otherwise such calls run in eager mode.
    """

    def __init__(
        self,
        function: Callable[P, R],
        name: str,
        context: Callable[[], tuple[Any, ...]] = tuple,
        modules: Mapping[str, Module] | None = None,
        config: GraphConfig | None = None,
        differentiable: bool = True,
        entry: Callable[[], Any] | None = None,
        fullgraph: bool = True,
    ) -> None:
        self.function = function
        self.differentiable = differentiable
        self.entry = entry
        self.fullgraph = fullgraph
        self.name = name
        self.context = context
        self.roots = {} if modules is None else modules
        self.config = config or GraphConfig()
        self.report = DebugReport(f"(GRAPH:{name})")
        self.cache: OrderedDict[tuple[Any, ...], list[Captured]] = OrderedDict()  # by the keys of calls
        self._eager: OrderedDict[tuple[Any, ...], _EagerKind] = OrderedDict()  # calls that no graph can do
        self._bound: dict[int, CapturedFunction[..., Any]] = {}  # methods, by their objects
        self._warned_of_eager = False
        self._met: dict[int, Any] = {}  # by their identities weak references to objects that were arguments
        self._first_times = 0
        self._eager_under_hooks: set[Any] = set()  # kinds of checkpointed calls: computed again, they save what they saved before
        if not isinstance(function, Module):
            update_wrapper(self, function, updated=())
        self._unfollowed = _unfollowed(function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run as a graph."""
        if thread_state.observer.is_capturing or thread_state.batch_levels or thread_state.uncaptured or anomaly.enabled:
            return self.function(*args, **kwargs)
        if self._unfollowed:
            return self._run_unfollowed(args, kwargs)
        try:
            call = self._call(args, kwargs)
            found = self._find(call)
        except TypeError as error:  # an argument has no hash
            return self._unhashable(error, args, kwargs)
        if found is None:
            with capturing:
                found = self._find(call) or self._capture(call)  # another thread may have captured it
            if found is None:
                if thread_state.saved_hooks:
                    self._eager_under_hooks.add(call.key)
                return self._run_eagerly(call)
        captured, own = found
        if thread_state.saved_hooks and (captured.is_of_one_moment or call.key in self._eager_under_hooks):
            self._eager_under_hooks.add(call.key)
            return self.function(*args, **kwargs)
        try:
            result: R = captured.run(own)
            return result
        except UndoneError as error:
            if not self.differentiable and error.__cause__ is not None:  # the body of an nn.Graph is nothing for eager mode
                raise error.__cause__ from None
            log.info("%s runs in eager mode, as its program has failed: %s", self.name, error)
        return self.function(*args, **kwargs)  # it raises the error, or does what it does about it

    def _run_unfollowed(self, args: Any, kwargs: Any) -> R:
        """A call of a function that goes on when it has returned."""
        error = CaptureError(f"it is {self._unfollowed}, which runs when it is iterated or awaited")
        if self.fullgraph:
            raise error
        self._warn_of_eager(error)
        return self.function(*args, **kwargs)

    def _unhashable(self, error: TypeError, args: Any, kwargs: Any) -> R:
        """A call with an argument that a graph cannot take; any other error is raised."""
        try:
            check_inputs(self.name, flatten((args, kwargs), [], []))
        except ArgumentTypeError as refused:
            if self.fullgraph:
                raise
            self._warn_of_eager(refused)
            return self.function(*args, **kwargs)
        raise error

    def _run_eagerly(self, call: Call) -> R:
        """A call that no graph can do."""
        args, kwargs = call.arguments
        result = self.function(*args, **kwargs)
        kind = self._eager.get(call.key)
        if kind is not None and not kind.has_run:
            kind.has_run = True
            if kind.attempts > 1:  # the first run may have made what later ones find; behind it that is no reason to try again
                kind.guards.forget_changed()
        return result

    @overload
    def __get__(self, instance: None, owner: Any = None) -> CapturedFunction[P, R]: ...
    @overload
    def __get__(
        self: CapturedFunction[Concatenate[Any, Q], R], instance: object, owner: Any = None
    ) -> CapturedFunction[Q, R]: ...
    def __get__(self, instance: Any, owner: Any = None) -> Any:
        """The method of an object, with graphs of its own, which the object does not outlive."""
        return self if instance is None else _BoundMethod(self.bound_to(instance), instance)

    def bound_to(self, instance: Any) -> CapturedFunction[..., Any]:
        """The method of an object, which does not keep the object alive."""
        bound = self._bound.get(id(instance))
        if bound is None:
            roots = weakref.WeakValueDictionary({"": instance} if isinstance(instance, Module) else {})
            method = MethodType(self.function, instance)
            bound = self._bound[id(instance)] = CapturedFunction(
                weakly(method), self.name, self.context, roots, self.config, self.differentiable, weak_reference(method),
                self.fullgraph,
            )  # fmt: skip
            weakref.finalize(instance, self._bound.pop, id(instance))
        return bound

    def __getstate__(self) -> tuple[Any, ...]:
        """What a copy is made of, which captures anew."""
        return (
            self.function, self.name, self.context, self.roots, self.config, self.differentiable, self.entry, self.fullgraph,
        )  # fmt: skip

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self.__init__(*state)  # type: ignore[misc]

    def __repr__(self) -> str:
        return describe(self.name, "compile", self.roots.items(), self.captures())

    def _repr_html_(self) -> str:
        """For notebooks: the modules, and what was captured."""
        return describe_html(self.name, "compile", self.roots.items(), self.captures())

    def captures(self) -> list[Captured]:
        """What was captured, for every kind of call."""
        return [captured for each in self.cache.values() for captured in each]

    @overload
    def explain(self) -> Explanation: ...
    @overload
    def explain(self, *args: P.args, **kwargs: P.kwargs) -> Explanation: ...
    def explain(self, *args: Any, **kwargs: Any) -> Explanation:
        """What a call runs: kernels with the ops in them, bytes, operations, and times, measured on copies of all states.

        Args:
            args, kwargs: of a call that was made before. Without any: the kind of call made last, its tensors zeros.

        Returns:
            What prints as a table; `save(path)` writes it as a page; `why()` tells why these are the kernels. Its `backward` is the
            same for the backward of a call that leaves a history, else None.

        Raises:
            RuntimeError: there was no such call.

        Example:
            >>> import tritonflow as flow
            >>> f = flow.compile(lambda x: flow.relu(x * 2) + 1)
            >>> y = f(flow.ones(4))
            >>> explanation = f.explain()
            >>> [kernel.title for kernel in explanation.kernels], explanation.before.launches
            (['scalar_mul relu scalar_add'], 3)
        """
        call = self._call(args, kwargs)
        last = next((captures[0] for captures in reversed(self.cache.values())), None)
        found = self._find(call) if args or kwargs else None
        if (args or kwargs) and found is None or last is None:
            raise RuntimeError(f"{self.name}: explain() is about a kind of call that was made before: make it first")
        if found is None:
            captured = last
            tensors = zeros_of(last.compiled)
            numbers = list(last.numbers)
        else:
            captured, own = found
            tensors, numbers = [*own.tensors, *map(plain, captured.left.given(own.given))], own.numbers
        names = names_of(self.roots)
        explanation = captured.compiled.explain(self.name, tensors, numbers, names)
        if captured.backward is not None and captured.backward.compiled is not None:
            second = captured.backward.compiled
            explanation.backward = second.explain(f"{self.name}, backward", zeros_of(second), numbers, names)
        return explanation

    def _call(self, args: Any, kwargs: Any) -> Call:
        return Call(args, kwargs, self.differentiable, self.context())

    def debug(self, v_level: int = 0) -> None:
        """Print what happens when the function is captured and compiled; see `Graph.debug`."""
        self.report.set_level(v_level)

    def _find(self, call: Call) -> tuple[Captured, Call] | None:
        """The program for a call, and the call as its own."""
        captures = self.cache.get(call.key)
        if captures is None:
            return None
        self.cache.move_to_end(call.key)
        for captured in captures:
            own = captured.call_of(call)
            if own is not None and not captured.difference(own.numbers, own.given):
                return captured, own
        return None

    def _capture(self, call: Call) -> tuple[Captured, Call] | None:
        """The call as a graph; None if no graph can do it, and it may run in eager mode."""
        kind = self._eager.get(call.key)
        if kind is not None and not kind.guards.changed():
            return None
        if any(tensor.meta.device is META for tensor in call.given):  # nothing would run
            return None
        try:
            check_inputs(self.name, call.kind.structure)
            if not self.fullgraph and self._is_new(objects_in(call.kind.structure)):
                return None
            device = _common_device(self.name, call.tensors)
            self._tell(call)
            return self._attempts(call, device)
        except _Refused as refused:
            if self.fullgraph:
                raise refused.error from refused.error.__cause__
            self._fall_back(call, refused)
        except ArgumentTypeError as error:
            if self.fullgraph:
                raise
            self._warn_of_eager(error)
        except DeviceMismatchError as error:
            if self.fullgraph:
                raise
            self._warn_of_eager(CaptureError(str(error)))
        return None

    def _is_new(self, objects: list[Any]) -> bool:
        """Whether one of the objects among the arguments comes for the first time: it may be the last.

        A program is for just the objects that it was captured with, so that one for a batch, of which each call has another, would
        never run again.
        """
        new = [each for each in objects if id(each) not in self._met]
        self._first_times += bool(new)
        if new and self._first_times > 2 and not self.cache:
            error = CaptureError(
                f"a {type(new[0]).__name__} among the arguments is another one in each call, and a program is for just one: pass"
                " its tensors, a dict or a dataclass"
            )
            self._warn_of_eager(error)
        for each in new:
            self._met[id(each)] = weakref.ref(each, _dropped(self._met, id(each)))
        return bool(new)

    def _attempts(self, call: Call, device: Any) -> tuple[Captured, Call]:
        """Capture a call: again with more arguments, and with more functions watched, where an attempt says so.

        Raises:
            _Refused: no graph can do it.
        """
        captures = self.cache.setdefault(call.key, [])
        lifted = {slot.key: slot for captured in captures[:1] for slot in (*captured.lifted, *captured.python.moved_numbers())}
        functions: list[Any] = []
        watched: set[Any] = set()
        pins, suspect = False, None
        for _ in range(_ATTEMPTS):
            slots = [slot for slot in lifted.values() if slot.get() is not ABSENT]
            own = call.with_lifted(slots, self.differentiable) if slots else call
            attempt = Attempt(self, own, slots, functions, pins)
            if suspect is not None:
                attempt.watch.look_for_change_of(suspect)
            try:
                captured = attempt.captured(device)
            except LiftError as error:
                lifted.update({slot.key: slot for slot in error.slots})
            except PinError:
                pins = True
            except UnwatchedError as error:
                found = _functions_with(error.code)
                if not found or error.code in watched:
                    refused = CaptureError(f"{error.code.co_name}() runs in the function in a way that cannot be followed")
                    raise _Refused(refused, attempt.watch) from None
                watched.add(error.code)
                functions += found
            except ChangedError as error:
                if suspect is not None:
                    raise _Refused(error, attempt.watch) from error
                suspect = error.container
            except Exception as error:
                raise _Refused(error, attempt.watch) from error
            else:
                captures.insert(0, captured)
                del captures[CACHE_SIZE:]
                while len(self.cache) > CACHE_SIZE:
                    self.cache.popitem(last=False)
                return captured, own
        raise _Refused(CaptureError("the function changes what it reads in too many places"), attempt.watch)

    def _fall_back(self, call: Call, refused: _Refused) -> None:
        """From now on, run such calls in eager mode while what the function had read is as it was."""
        if not self.cache.get(call.key):
            self.cache.pop(call.key, None)
        before = self._eager.get(call.key)
        attempts = 1 if before is None else before.attempts + 1
        self._eager[call.key] = _EagerKind(PythonGuards(refused.watch, self.root(), ()), attempts)
        while len(self._eager) > CACHE_SIZE:
            self._eager.popitem(last=False)
        self._warn_of_eager(refused.error)
        refused.error.__traceback__ = None  # whose frames have what was captured

    def _warn_of_eager(self, error: Exception) -> None:
        if not self._warned_of_eager:
            self._warned_of_eager = True
            warnings.warn(f"{self.name} is not compiled, but runs in eager mode: {_reason(error)}", stacklevel=_outside())

    def entry_point(self) -> Any:
        """The function that the user wrote."""
        return self.function if self.entry is None else self.entry()

    @property
    def program(self) -> str:
        """What errors call it."""
        entry = self.entry_point()
        name = getattr(entry, "__name__", type(entry).__name__)
        return "the lambda" if name == "<lambda>" else f"{name}()"

    def root(self) -> Any:
        """The object whose method the function is, if any."""
        return getattr(self.entry_point(), "__self__", None)

    def _tell(self, call: Call) -> None:
        if not self.cache:
            return
        last, kind = CallKind._make(next(reversed(self.cache))), call.kind
        if last == kind and self.cache[call.key]:
            latest = self.cache[call.key][0]
            own = latest.call_of(call)
            changed = "what kind of values its states have" if own is None else latest.difference(own.numbers, own.given)
        elif last.structure != kind.structure:
            changed = "the structure of the inputs"
        elif last.metas != kind.metas:
            changed = "; ".join(f"{a!r} became {b!r}" for a, b in zip(last.metas, kind.metas) if a is not b)
        else:
            changed = "a mode around the call, whether inputs require gradients, or a setting of the graph"
        log.info("%s is captured again: %s", self.name, changed)
        if len(self.cache.get(call.key, ())) == CACHE_SIZE:
            warnings.warn(
                f"{self.name} is captured more than {CACHE_SIZE} times for calls of one kind, now because of {changed}. What"
                " differs from call to call should be an argument (docs/compile.md)",
                stacklevel=_outside(),
            )


class _BoundMethod:
    """A captured function bound to an object, which it keeps alive.

    Args:
        captured: the function; it does not keep the object alive.
        instance: the object.
    """

    __slots__ = ("_captured", "__self__")

    def __init__(self, captured: CapturedFunction[..., Any], instance: Any) -> None:
        self._captured = captured
        self.__self__ = instance

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._captured(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._captured, name)

    def __repr__(self) -> str:
        return repr(self._captured)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _BoundMethod) and other._captured is self._captured

    def __hash__(self) -> int:
        return hash(self._captured)


class _Refused(Exception):
    """No graph can do a call."""

    def __init__(self, error: Exception, watch: Watch) -> None:
        super().__init__(str(error))
        self.error = error
        self.watch = watch


@dataclass
class _EagerKind:
    """A kind of call that no graph can do.

    Attributes:
        guards: what the function had read when it was refused.
        attempts: how often such a call has been refused.
        has_run: whether it has run in eager mode since.
    """

    guards: PythonGuards
    attempts: int
    has_run: bool = False


@overload
def compile(model: M, *, fullgraph: bool = False, tune: bool = False) -> M: ...  # type: ignore[overload-overlap]
@overload
def compile(model: Callable[P, R], *, fullgraph: bool = False, tune: bool = False) -> CapturedFunction[P, R]: ...
@overload
def compile(*, fullgraph: bool = False, tune: bool = False) -> _Compile: ...
def compile(model: Callable[..., Any] | None = None, *, fullgraph: bool = False, tune: bool = False) -> Any:
    """Run a function or a module as a graph: captured at the first call, and again where shapes, dtypes or modes change.

    Args:
        model: a function of tensors, numbers and nested lists, tuples and dicts of them; or a module. Without it, a decorator.
        fullgraph: whether what no graph can do is an error, such as Python that needs the value of a tensor. Otherwise such calls
            run in eager mode, and the first warns with the line. What was done before that line is undone, and not done twice.
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
        apart.

    Raises:
        RuntimeError: with `fullgraph`, at its first call, for what no graph can do, such as Python that needs the value of a
            tensor, numbers of Python's generators, and `backward()` that reaches an input with a history; in
            `backward(create_graph=True)` outside.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.compile.html

    Example:
        >>> import tritonflow as flow
        >>> @flow.compile
        ... def scaled(x, factor):
        ...     return flow.relu(x) * factor
        >>> scaled(flow.ones(2), 3.0).tolist(), scaled(flow.ones(2), 4.0).tolist()
        ([3.0, 3.0], [4.0, 4.0])
    """
    for option, value in (("fullgraph", fullgraph), ("tune", tune)):
        if not isinstance(value, bool):
            raise ArgumentTypeError(f"compile(): argument '{option}' must be True or False, not {type(value).__name__}")
    if model is None:
        return partial(compile, fullgraph=fullgraph, tune=tune)
    if not callable(model):
        raise ArgumentTypeError(f"compile(): argument 'model' must be callable, not {type(model).__name__}")
    name, config = getattr(model, "__qualname__", model.__class__.__name__), GraphConfig()
    config.enable_tuning(tune)
    modules = {"": model} if isinstance(model, Module) else None
    captured = CapturedFunction(model, name, modules=modules, config=config, fullgraph=fullgraph)
    return captured if modules is None else compiled_module(captured)


def _functions_with(code: CodeType) -> list[FunctionType]:
    """The functions with this code, also where the collector has been told not to look at them."""
    is_frozen = gc.get_freeze_count() > 0
    if is_frozen:
        gc.unfreeze()
    found = [each for each in gc.get_referrers(code) if isinstance(each, FunctionType)]
    if is_frozen:
        gc.freeze()
    return found


def _reason(error: Exception) -> str:
    """Why no graph can do a call: an error of the function itself with its class, and the line that raises it."""
    if isinstance(error, (CaptureError, ArgumentTypeError)):
        return str(error)
    where = ""
    for frame, line in traceback.walk_tb(error.__traceback__):
        if not is_library(frame.f_code, frame.f_globals):
            where = f", at {frame.f_code.co_filename}:{line}, in {frame.f_code.co_name}"
    return f"the function raises {type(error).__name__}: {error}{where}"


def _unfollowed(function: Any) -> str:
    """What a function is, if a call of it only begins it."""
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        return "a coroutine function"
    return "a generator function" if inspect.isgeneratorfunction(function) else ""


def zeros_of(compiled: CompiledGraph) -> list[Tensor]:
    """Inputs for a compiled graph."""
    return [_C.zeros(v.meta.shape, dtype=v.meta.dtype, device=v.meta.device) for v in compiled.before.inputs]


def names_of(modules: Mapping[str, Module]) -> dict[Any, str]:
    """What parameters and buffers are called, by their impls."""
    found: dict[Any, str] = {}
    for path, module in modules.items():
        for name, tensor in (*module.named_parameters(), *module.named_buffers()):
            found.setdefault(tensor.impl, f"{path}.{name}" if path else name)
    return found


def weakly(method: Any) -> Any:
    """A method that does not keep its object alive: what nobody has any more gives its memory back at once."""
    reference = weakref.WeakMethod(method)

    def call(*args: Any, **kwargs: Any) -> Any:
        alive = reference()
        assert alive is not None
        return alive(*args, **kwargs)

    return call


def weak_reference(method: Any) -> Callable[[], Any]:
    """Gives the method while its object is alive. A function, as copies of a captured function share it."""
    reference = weakref.WeakMethod(method)
    return lambda: reference()


def _common_device(name: str, tensors: list[Tensor]) -> Any:
    for tensor in tensors:
        require_local(name, tensor)
    devices = list(dict.fromkeys(tensor.meta.device for tensor in tensors))
    if len(devices) > 1:
        raise DeviceMismatchError(f"{name}: the inputs are on several devices: {', '.join(map(str, devices))}")
    return devices[0] if devices else None


def _outside() -> int:
    """How many frames of this package are above the caller's, for warnings."""
    frame, count = sys._getframe(1), 1
    while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame, count = frame.f_back, count + 1  # type: ignore[assignment]
    return count


def _dropped(table: dict[int, Any], key: int) -> Callable[[Any], Any]:
    """What removes an entry of a table."""
    return lambda _: table.pop(key, None)

"""A function captured once for each kind of call, and run as a graph from then on."""

from __future__ import annotations

import inspect
import logging
import warnings
import weakref
from collections.abc import Callable, Mapping
from functools import update_wrapper
from types import MethodType
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, overload

from tritonflow.device.device import META
from tritonflow.errors import ArgumentTypeError, CaptureError, DeviceMismatchError
from tritonflow.framework.tensor import Tensor
from tritonflow.graph.api.attempts import RefusedError, capture
from tritonflow.graph.api.backoff import Backoff
from tritonflow.graph.api.call import Call
from tritonflow.graph.api.captured import Captured, UndoneError, plain
from tritonflow.graph.api.compiled_graph import capturing, zeros_of
from tritonflow.graph.api.config import GraphConfig
from tritonflow.graph.api.debug import DebugReport
from tritonflow.graph.api.describe import describe, describe_html, names_of
from tritonflow.graph.api.eager_calls import EagerCalls, frames_inside
from tritonflow.graph.api.inner_modules import InnerModules, worth_a_graph
from tritonflow.graph.api.methods import BoundMethod, weak_reference, weakly
from tritonflow.graph.api.programs import CACHE_SIZE, MOST_OUTCOMES, MOST_SIZES, MOST_WAYS, Programs
from tritonflow.graph.capture.pytree import check_inputs, flatten, objects_in
from tritonflow.graph.explain import Explanation
from tritonflow.graph.path.program import OtherWayError, Walk
from tritonflow.graph.ranks.agree import Known, UnlikeError, agree
from tritonflow.graph.watch.guards import PythonGuards
from tritonflow.graph.watch.records import IdentityError
from tritonflow.interpreter.grad_node import anomaly
from tritonflow.nn import Module
from tritonflow.thread_state import saved_hooks, thread_state

log = logging.getLogger("tritonflow.graph")

P = ParamSpec("P")
Q = ParamSpec("Q")
R = TypeVar("R")

_INNER_FROM = 3  # the call that no graph can do, from which on modules inside are graphs: some functions do it once, to begin with


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
        dynamic, most_sizes: which sizes are symbols, and how many are kept; see `Programs`.
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
        dynamic: bool | None = None,
        most_sizes: int = MOST_SIZES,
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
        self.programs = Programs(dynamic, most_sizes)
        self._has_told_of_kinds = self._has_told_of_pins = False
        self._looks = True
        self._eager = EagerCalls(name)
        self._backoff: Backoff | None = None  # once a call was refused
        self._inner: InnerModules | None = None  # once it was refused so often
        self._refused = 0
        self._agreed: Known = {}
        self._met: weakref.WeakSet[Module] = weakref.WeakSet()  # modules that it was seen to call when it was refused
        self.unexamined = 0  # how many calls from now on run in eager mode, whatever they are; see backoff.py
        self._bound: dict[int, CapturedFunction[..., Any]] = {}  # methods, by their objects
        if not isinstance(function, Module):
            update_wrapper(self, function, updated=())
        self._unfollowed = _unfollowed(function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run as a graph."""
        unexamined = self.unexamined
        if unexamined and not saved_hooks.count:
            self.unexamined = unexamined - 1
            return self.function(*args, **kwargs)
        backoff = self._backoff
        if backoff is not None and backoff.covers(args, kwargs):
            self.unexamined = 0 if self.programs or self._inner is not None else backoff.length - 1
            return self._eagerly(args, kwargs)
        if thread_state.observer.is_capturing or thread_state.batch_levels or thread_state.uncaptured or anomaly.enabled:
            return self.function(*args, **kwargs)
        if self._unfollowed:
            return self._run_unfollowed(args, kwargs)
        try:
            call = self._call(args, kwargs)
            found = self.programs.find(call)
        except TypeError as error:  # an argument has no hash
            return self._unhashable(error, args, kwargs)
        if found is None:
            with capturing:
                found = self.programs.find(call) or self._capture(call)  # another thread may have captured it
            if found is None:
                if thread_state.saved_hooks:
                    self._eager.keep_under_hooks(call)
                return self._run_eagerly(call)
        captured, own = found
        if backoff is not None:
            backoff.note_compiled(args, kwargs)
        if thread_state.saved_hooks and (captured.is_of_one_moment or self._eager.is_kept_under_hooks(call)):
            self._eager.keep_under_hooks(call)
            return self.function(*args, **kwargs)
        try:
            result: R = captured.run(own)
            return result
        except OtherWayError as other:
            return self._other_way(call, other.walk, captured)
        except UndoneError as error:
            return self._run_undone(error, args, kwargs)

    def _run_undone(self, error: UndoneError, args: Any, kwargs: Any) -> R:
        """A call whose program has failed, and has changed nothing: it raises the error, or does what it does about it."""
        if not self.differentiable and error.__cause__ is not None:  # the body of an nn.Graph is nothing for eager mode
            raise error.__cause__ from None
        log.info("%s runs in eager mode, as its program has failed: %s", self.name, error)
        return self.function(*args, **kwargs)

    def _other_way(self, call: Call, walk: Walk, captured: Captured) -> R:
        """A call in which a number that was read decides otherwise than in the program that was taken for it.

        None is tried twice: what has no program for some sizes would have none again.
        """
        tried: set[Any] = {captured, captured.template}
        for _ in range(MOST_WAYS):
            with capturing:
                found = self.programs.find(call, walk, tried) or self.programs.made_for(call, walk, tried)
                if found is None and self.programs.has_many_ways(call, walk):
                    self._look_no_more(call, walk)
                if found is None:
                    found = self._capture(call, walk)
            if found is None:
                break
            captured, own = found
            tried |= {captured, captured.template}
            try:
                result: R = captured.run(own, walk if captured.follows(walk, own) else None)
                return result
            except OtherWayError as other:
                walk = other.walk
            except UndoneError as error:
                return self._run_undone(error, *call.arguments)
        if not self.differentiable:
            raise CaptureError(f"{self.name} goes another way each time that it is captured")
        return self._run_eagerly(call)

    @property
    def reads_values(self) -> bool:
        """Whether its programs may look at numbers of tensors."""
        return self._looks and (self.config.values or not self.fullgraph)

    def _look_no_more(self, call: Call, walk: Walk) -> None:
        """From now on a call that looks at numbers runs in eager mode: there are too many ways from here."""
        self._looks = False
        self.programs.forget(call)
        line = walk.steps[-1].lines[-1]
        self._eager.warn(
            CaptureError(
                f"{line} had {MOST_OUTCOMES} different outcomes, or there are {MOST_WAYS} ways, or some that hardly any"
                " other call has taken: return the tensor instead"
            )
        )

    def _run_unfollowed(self, args: Any, kwargs: Any) -> R:
        """A call of a function that goes on when it has returned."""
        error = CaptureError(f"it is {self._unfollowed}, which runs when it is iterated or awaited")
        if self.fullgraph:
            raise error
        self._eager.warn(error)
        return self.function(*args, **kwargs)

    def _unhashable(self, error: TypeError, args: Any, kwargs: Any) -> R:
        """A call with an argument that a graph cannot take; any other error is raised."""
        try:
            check_inputs(self.name, flatten((args, kwargs), [], []))
        except ArgumentTypeError as refused:
            if self.fullgraph:
                raise
            self._eager.warn(refused)
            self._note_refused(args, kwargs)
            return self._eagerly(args, kwargs)
        raise error

    def _run_eagerly(self, call: Call) -> R:
        """A call that no graph can do."""
        args, kwargs = call.arguments
        self._note_refused(args, kwargs)
        result = self._eagerly(args, kwargs)
        self._eager.note_run(call)
        return result

    def _eagerly(self, args: Any, kwargs: Any) -> R:
        """The function in eager mode; modules in it may be graphs."""
        return (self._inner or self.function)(*args, **kwargs)  # type: ignore[no-any-return]

    def _note_refused(self, args: Any, kwargs: Any) -> None:
        """A call was examined, and runs in eager mode."""
        if self.fullgraph:  # calls on tensors without memory; others are errors
            return
        if self._backoff is None:
            module = self.roots.get("")
            self._backoff = Backoff(None if module is None else weakref.ref(module))
        self._backoff.note_refused(args, kwargs)
        self._refused += 1
        modules = worth_a_graph(self._met, self.roots.get("")) if self._refused == _INNER_FROM else []
        if modules:
            self._inner = InnerModules(self.function, modules, self._of_module)

    def _of_module(self, module: Module) -> CapturedFunction[..., Any]:
        """The calls of a module as a captured function of its own, which does not tell again why this one is none."""
        kind: Any = type(module)
        made = CapturedFunction(
            kind._call_impl, kind.__qualname__, config=self.config, fullgraph=False, dynamic=self.programs.dynamic
        )
        bound = made.bound_to(module)
        bound._eager.has_warned = True
        return bound

    @overload
    def __get__(self, instance: None, owner: Any = None) -> CapturedFunction[P, R]: ...
    @overload
    def __get__(
        self: CapturedFunction[Concatenate[Any, Q], R], instance: object, owner: Any = None
    ) -> CapturedFunction[Q, R]: ...
    def __get__(self, instance: Any, owner: Any = None) -> Any:
        """The method of an object, with graphs of its own, which the object does not outlive."""
        if instance is None:
            return self
        return BoundMethod(self._bound.get(id(instance)) or self.bound_to(instance), self.function, instance)

    def bound_to(self, instance: Any) -> CapturedFunction[..., Any]:
        """The method of an object, which does not keep the object alive."""
        bound = self._bound.get(id(instance))
        if bound is None:
            roots = weakref.WeakValueDictionary({"": instance} if isinstance(instance, Module) else {})
            method = MethodType(self.function, instance)
            bound = self._bound[id(instance)] = CapturedFunction(
                weakly(method), self.name, self.context, roots, self.config, self.differentiable, weak_reference(method),
                self.fullgraph, self.programs.dynamic, self.programs.most,
            )  # fmt: skip
            weakref.finalize(instance, self._bound.pop, id(instance))
        return bound

    def __getstate__(self) -> tuple[Any, ...]:
        """What a copy is made of, which captures anew."""
        return (
            self.function, self.name, self.context, self.roots, self.config, self.differentiable, self.entry, self.fullgraph,
            self.programs.dynamic, self.programs.most,
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
        return list(self.programs)

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
        last = self.programs.last()
        found = self.programs.find(call) if args or kwargs else None
        if (args or kwargs) and found is None or last is None:
            raise RuntimeError(f"{self.name}: explain() is about a kind of call that was made before: make it first")
        if found is None:
            captured = last
            tensors = [] if last.path is not None else zeros_of(last.before)  # a path measures each part with zeros of its own
            numbers = list(last.numbers)
        else:
            captured, own = found
            tensors, numbers = [*own.tensors, *map(plain, captured.left.given(own.given))], own.numbers
        names = names_of(self.roots)
        explanation = captured.compiled.explain(self.name, tensors, numbers, names)
        if captured.path is not None:
            numbers = [*captured.path.numbers]
        if captured.backward is not None and captured.backward.compiled is not None:
            second = captured.backward.compiled
            explanation.backward = second.explain(f"{self.name}, backward", zeros_of(second.before), numbers, names)
        return explanation

    def _call(self, args: Any, kwargs: Any) -> Call:
        return Call(args, kwargs, self.differentiable, self.context())

    def debug(self, v_level: int = 0) -> None:
        """Print what happens when the function is captured and compiled; see `Graph.debug`."""
        self.report.set_level(v_level)

    def _capture(self, call: Call, walk: Walk | None = None) -> tuple[Captured, Call] | None:
        """The call as a graph; None if no graph can do it, and it may run in eager mode.

        Args:
            walk: what has been done of it, on a path that goes another way.
        """
        if call in self._eager:
            return None
        if (self._eager.follows(call) and self._eager.follow(call)) or self._eager.have_outgrown(call):
            return self._renewed(call)
        if any(tensor.meta.device is META for tensor in call.given):  # nothing would run
            return None
        try:
            check_inputs(self.name, call.kind.structure)
            if not self.fullgraph and self._eager.has_new(objects_in(call.kind.structure), bool(self.programs)):
                return None
            if not self.fullgraph and self._eager.has_new_content(call.kind.structure):
                return None
            device = _common_device(self.name, call.tensors)
            if walk is None and (made := self.programs.made_for(call)) is not None:
                return made
            if walk is None and not self.fullgraph and self.programs.serve_nobody(call):
                self._eager.warn(self._told_in_vain(call))
                return None
            self._tell(call, walk)
            captured, own = capture(self, call, device) if walk is None else self._captured_behind(walk, call, device)
            captured = captured.settled(self._agree(call, captured.over_ranks, None), own)
            self.programs.add(call, captured)
            if walk is None:
                self.programs.note_capture(call)
            return captured, own
        except RefusedError as refused:
            if isinstance(refused.error, IdentityError) and self._eager.follow(call):
                return self._renewed(call)
            self._agree(call, refused.over_ranks, refused.error)
            if self.fullgraph:
                raise refused.error from refused.error.__cause__
            self._eager.add(call, PythonGuards(refused.watch, self.root(), ()))
            self._met.update(owner for owner, _ in refused.watch.kinds.values() if isinstance(owner, Module))
            self._eager.warn(refused.error)
            refused.error.__traceback__ = None  # whose frames have what was captured
        except UnlikeError as unlike:
            if self.fullgraph:
                raise CaptureError(str(unlike)) from None
            self._eager.add(call, captured.python)
            self._eager.warn(CaptureError(str(unlike)))
        except ArgumentTypeError as error:
            if self.fullgraph:
                raise
            self._eager.warn(error)
        except DeviceMismatchError as error:
            if self.fullgraph:
                raise
            self._eager.warn(CaptureError(str(error)))
        return None

    def _agree(self, call: Call, over_ranks: Any, refused: Exception | None) -> bool:
        """Compare what was captured with the other ranks, while threads that are such may capture; as `agree`."""
        why = self.programs.what_is_new(call) if self.programs else ""
        with capturing.let_others():
            return agree(self.name, why, over_ranks, call.given, refused, self._agreed)

    def _captured_behind(self, walk: Walk, call: Call, device: Any) -> tuple[Captured, Call]:
        """A call as a graph, with the numbers that a run has read if it reads the same: else it is captured without them."""
        try:
            captured, own = capture(self, call, device, walk.read)
            if captured.path is not None and captured.path.begins_as(walk):
                return captured, own
        except RefusedError as refused:
            log.info("%s does not look at the numbers that it looked at before: %s", self.name, refused)
        return capture(self, call, device)

    def _renewed(self, call: Call) -> tuple[Captured, Call] | None:
        """The call as one whose arguments are just these objects, which are not taken apart."""
        args, kwargs = call.arguments
        call.__init__(args, kwargs, self.differentiable, self.context())  # type: ignore[misc]
        return self.programs.find(call) or self._capture(call)

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

    def _told_in_vain(self, call: Call) -> CaptureError:
        """Why another capture of a call would serve nobody either."""
        return CaptureError(
            f"it is captured more than {CACHE_SIZE} times for calls of one kind, none of which served another call, now because of"
            f" {self.programs.what_is_new(call)}. What differs from call to call should be an argument (docs/compile.md)"
        )

    def _tell(self, call: Call, walk: Walk | None) -> None:
        if not self.programs:
            return
        if walk is not None and walk.steps:  # none, where the first part has no program for these sizes
            new = f"another outcome of {walk.steps[-1].lines[-1]}"
        else:
            new = self.programs.what_is_new(call)
        log.info("%s is captured again: %s", self.name, new)
        pins = self.programs.pins_of(call)
        if pins and not self._has_told_of_pins:
            self._has_told_of_pins = True
            warnings.warn(
                f"{self.name} is captured for each of some sizes, now because of {new}: the number itself is needed at"
                f" {pins[0].line}. Use ops of tensors there, or say that these sizes are few by flow.mark_static()"
                " (docs/compile.md)",
                stacklevel=frames_inside(),
            )
        if len(self.programs.of_kind(call)) == CACHE_SIZE:
            advice = "What differs from call to call should be an argument"
            if walk is not None:
                advice = "Each way of decisions is captured: decide by flow.where() or masks where there are many"
            warnings.warn(
                f"{self.name} is captured more than {CACHE_SIZE} times for calls of one kind, now because of {new}. {advice}"
                " (docs/compile.md)",
                stacklevel=frames_inside(),
            )
        elif self.programs.is_full(call) and not self._has_told_of_kinds:
            self._has_told_of_kinds = True
            warnings.warn(
                f"{self.name} is called in more than {CACHE_SIZE} ways, now because of {new}. Of the way that was taken longest"
                " ago the program is forgotten, and captured again where it is taken again. Pad sizes, so that they are few"
                " (docs/compile.md)",
                stacklevel=frames_inside(),
            )


def _unfollowed(function: Any) -> str:
    """What a function is, if a call of it only begins it."""
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        return "a coroutine function"
    return "a generator function" if inspect.isgeneratorfunction(function) else ""


def _common_device(name: str, tensors: list[Tensor]) -> Any:
    devices = list(dict.fromkeys(tensor.meta.device for tensor in tensors))
    if len(devices) > 1:
        raise DeviceMismatchError(f"{name}: the inputs are on several devices: {', '.join(map(str, devices))}")
    return devices[0] if devices else None

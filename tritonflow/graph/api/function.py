"""A function captured once for each kind of call, and run as a graph from then on."""

from __future__ import annotations

import logging
import warnings
import weakref
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial, update_wrapper
from types import MethodType
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar, overload

from tritonflow import _C, compilations
from tritonflow.device.device import META, Device
from tritonflow.device.provider import Provider, get_provider
from tritonflow.errors import ArgumentTypeError, CaptureError, DeviceMismatchError
from tritonflow.framework.locality import require_local
from tritonflow.framework.runtime_scalar import RuntimeScalar
from tritonflow.framework.tensor import Tensor
from tritonflow.gc_pause import gc_paused
from tritonflow.graph.api.backward import Backward
from tritonflow.graph.api.call import Call, CallKind
from tritonflow.graph.api.captured import Captured, Recorded, plain
from tritonflow.graph.api.compiled_graph import CompiledGraph, capturing
from tritonflow.graph.api.config import GraphConfig
from tritonflow.graph.api.debug import DebugReport
from tritonflow.graph.api.describe import describe, describe_html
from tritonflow.graph.api.differentiate import CallGradients, InputNode, differentiate
from tritonflow.graph.capture.capture import Capture
from tritonflow.graph.capture.leaf_gradients import LeafGradients
from tritonflow.graph.capture.meta_cache import MetaCache
from tritonflow.graph.capture.module_guards import ModuleGuards, ModuleReads
from tritonflow.graph.capture.pytree import check_inputs, check_result, flatten, unflatten
from tritonflow.graph.capture.variable_guards import VariableGuards
from tritonflow.graph.explain import Explanation
from tritonflow.graph.ir import Graph
from tritonflow.interpreter.grad_node import AccumulateGrad
from tritonflow.interpreter.recording import edges_of
from tritonflow.nn import Module
from tritonflow.ops.precision import fixed
from tritonflow.thread_state import thread_state

log = logging.getLogger("tritonflow.graph")

CACHE_SIZE = 16
P = ParamSpec("P")
Q = ParamSpec("Q")
R = TypeVar("R")


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
        self._eager: OrderedDict[tuple[Any, ...], ModuleGuards] = OrderedDict()  # calls that no graph can do: what they had read
        self._bound: dict[int, CapturedFunction[..., Any]] = {}  # methods, by their objects
        self._warned = False
        self._warned_of_eager = False
        if not isinstance(function, Module):
            update_wrapper(self, function, updated=())

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run as a graph."""
        if thread_state.lazy is not None:
            return self.function(*args, **kwargs)
        call = self._call(args, kwargs)
        found = self._find(call)
        if found is None:
            if any(tensor.meta.device is META for tensor in call.given):  # nothing would run
                return self.function(*args, **kwargs)
            with capturing:
                call = self._call(args, kwargs)  # another thread's capture may have changed it
                found = self._find(call) or self._capture(call)
            if found is None:
                return self.function(*args, **kwargs)
        result: R = found.run(call.tensors, call.numbers, call.given)
        return result

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

    def __getattr__(self, name: str) -> Any:
        """Of a module that was compiled: its parameters, `train` and the like."""
        function = self.__dict__.get("function")
        if not isinstance(function, Module) or name.startswith("__"):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        return getattr(function, name)

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
        found = self._find(call) if args or kwargs else last
        if found is None:
            raise RuntimeError(f"{self.name}: explain() is about a kind of call that was made before: make it first")
        if not (args or kwargs):
            tensors = zeros_of(found.compiled)
            numbers = list(found.numbers)
        else:
            tensors, numbers = [*call.tensors, *map(plain, found.left.given(call.given))], call.numbers
        names = names_of(self.roots)
        explanation = found.compiled.explain(self.name, tensors, numbers, names)
        if found.backward is not None and found.backward.compiled is not None:
            second = found.backward.compiled
            explanation.backward = second.explain(f"{self.name}, backward", zeros_of(second), numbers, names)
        return explanation

    def _call(self, args: Any, kwargs: Any) -> Call:
        return Call(args, kwargs, self.differentiable, self.context())

    def debug(self, v_level: int = 0) -> None:
        """Print what happens when the function is captured and compiled; see `Graph.debug`."""
        self.report.set_level(v_level)

    def _find(self, call: Call) -> Captured | None:
        try:
            captures = self.cache.get(call.key)
        except TypeError:  # what has no hash
            check_inputs(self.name, call.kind.structure)
            raise
        if captures is None:
            return None
        self.cache.move_to_end(call.key)
        for captured in captures:
            if not captured.difference(call.numbers, call.given):
                return captured
        return None

    def _capture(self, call: Call) -> Captured | None:
        """The call as a graph; None if no graph can do it, and it may run in eager mode."""
        guards = self._eager.get(call.key)
        if guards is not None and not guards.changed():
            return None
        check_inputs(self.name, call.kind.structure)
        device = _common_device(self.name, call.tensors)
        self._tell(call)
        reads = ModuleReads(self.roots)
        try:
            return self._captured(call, device, reads)
        except CaptureError as error:
            if self.fullgraph:
                raise
            self._run_eagerly(call, reads, error)
            return None

    def _run_eagerly(self, call: Call, reads: ModuleReads, error: CaptureError) -> None:
        """From now on, run such calls in eager mode while the modules are as they were before the line that was refused."""
        self._eager[call.key] = reads.guards()
        while len(self._eager) > CACHE_SIZE:
            self._eager.popitem(last=False)
        if not self._warned_of_eager:
            self._warned_of_eager = True
            warnings.warn(f"{self.name} is not compiled, but runs in eager mode: {error}", stacklevel=4)

    def _captured(self, call: Call, device: Any, reads: ModuleReads) -> Captured:
        kind = call.kind
        metas = MetaCache(self.name, kind.metas)
        capture = Capture(metas)
        with capture.undone_on_failure(), fixed(kind.precision):
            with compilations.running("capture", self.name), self._recording(capture, reads):
                recorded, gradients = self._record(capture, reads, call)
                provider = get_provider(device or _device_of(capture.graph))
                compiled = self._compiled(capture, capture.graph, provider)
                backward = None if gradients is None else self._backward(capture, recorded, gradients, provider)
            compiled.executable  # noqa: B018
        metas.store()
        captured = Captured(
            capture,
            compiled,
            backward,
            recorded,
            numbers=call.numbers,
            modules=reads.guards(),
            variables=self._variable_guards(reads),
            history=self.differentiable and kind.grad_enabled,
        )
        self.cache.setdefault(call.key, []).insert(0, captured)
        del self.cache[call.key][CACHE_SIZE:]
        while len(self.cache) > CACHE_SIZE:
            self.cache.popitem(last=False)
        return captured

    @contextmanager
    def _recording(self, capture: Capture, reads: ModuleReads) -> Iterator[None]:
        """A block in which this thread's ops go to a capture, and what it reads of modules is noted."""
        stage = self.report.stage("building graph", capture.recorded)
        with stage, self.report.calls(self.roots), reads.noted(), capture, gc_paused():
            yield

    def _variable_guards(self, reads: ModuleReads) -> VariableGuards:
        variables = VariableGuards(self.function if self.entry is None else self.entry(), reads.modules())
        if variables.varying and not self._warned:
            self._warned = True
            warnings.warn(
                f"{self.name}: what {' and '.join(variables.varying)} gave when the program was captured is repeated in every"
                " run: pass it as an argument, or draw with tritonflow",
                stacklevel=4,
            )
        return variables

    def _backward(self, capture: Capture, recorded: Recorded, gradients: CallGradients, provider: Provider) -> Backward:
        second = None if gradients.graph is None else self._compiled(capture, gradients.graph, provider)
        results = recorded.results
        visible = len(results) + len(capture.overwritten_inputs)
        return Backward(gradients, second, visible, [k for k, t in enumerate(results) if t._retains_grad])

    def _compiled(self, capture: Capture, graph: Graph, provider: Provider) -> CompiledGraph:
        return CompiledGraph(self.name, capture, graph, provider, self.config, self.report)

    def _record(self, capture: Capture, reads: ModuleReads, call: Call) -> tuple[Recorded, CallGradients | None]:
        """What the program returns and leaves, and how to differentiate it."""
        report, kind = self.report, call.kind
        lazy = [capture.input(tensor.meta) for tensor in call.tensors]
        capture.arguments = call.given
        for position, is_leaf in kind.histories:
            lazy[position]._node = AccumulateGrad(lazy[position]) if is_leaf else InputNode(lazy[position].meta)
        inputs = [(position, edges_of((lazy[position],))[0]) for position, _ in kind.histories]
        if self.differentiable:
            capture.gradients = LeafGradients(capture.input, lazy, call.given)
        scalars = [RuntimeScalar(value, _nth(k)) for k, value in enumerate(call.numbers)]
        args, kwargs = unflatten(kind.structure, iter(lazy), iter(scalars))
        report.values("INPUT", lazy)
        results: list[Tensor] = []
        returned: list[Any] = []
        structure = flatten(self.function(*args, **kwargs), results, returned)
        check_result(structure)
        reads.settle(capture)
        report.values("OUTPUT", results)
        left = capture.gradients.left(results)
        capture.finish(results)
        report.captured(capture.graph)
        capture.refuse_lost_gradients()
        gradients = differentiate(capture, results, inputs) if self.differentiable else None
        return Recorded(structure, returned, results, left), gradients

    def _tell(self, call: Call) -> None:
        if not self.cache:
            return
        last, kind = CallKind._make(next(reversed(self.cache))), call.kind
        if last == kind:
            changed = self.cache[call.key][0].difference(call.numbers, call.given)
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
                stacklevel=4,
            )


@overload
def compile(model: Callable[P, R], *, fullgraph: bool = False, tune: bool = False) -> CapturedFunction[P, R]: ...
@overload
def compile(*, fullgraph: bool = False, tune: bool = False) -> _Compile: ...
def compile(model: Callable[..., Any] | None = None, *, fullgraph: bool = False, tune: bool = False) -> Any:
    """Run a function or a module as a graph: captured at the first call, and again where shapes, dtypes or modes change.

    Args:
        model: a function of tensors, numbers and nested lists, tuples and dicts of them; or a module. Without it, a decorator.
        fullgraph: whether what no graph can do is an error, such as Python that needs the value of a tensor. Otherwise such calls
            run in eager mode, and the first warns: what its Python did before that line, outside of modules, is done twice then.
        tune: whether to look for the fastest configurations of products, convolutions and attention by measuring; see
            `GraphConfig.enable_tuning`.

    In-place ops change the tensors that they are called on, inputs among them. Results have their history, so that parts of models
    train: a call is captured with its backward, which is compiled when it is first called. `backward()` inside adds to the `grad`
    of parameters and inputs, as in eager mode.

    Modes, attributes, hooks and parameters of the modules that it uses may change between the calls, wherever it finds the modules;
    so may global variables, closures and attributes of objects that its Python names. docs/compile.md says what is not seen.

    Returns:
        A function with the same arguments and results; of a module, with the module's attributes and methods. As a decorator of a
        method it captures for each object apart.

    Raises:
        RuntimeError: with `fullgraph`, at its first call, for Python in it that needs the value of a tensor, and for `backward()`
            in it that reaches an input with a history; in `backward(create_graph=True)` outside.

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
    name, config = getattr(model, "__qualname__", type(model).__name__), GraphConfig()
    config.enable_tuning(tune)
    modules = {"": model} if isinstance(model, Module) else None
    return CapturedFunction(model, name, modules=modules, config=config, fullgraph=fullgraph)


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


def _nth(number: int) -> Callable[[Sequence[Any]], Any]:
    return lambda numbers: numbers[number]


def _common_device(name: str, tensors: list[Tensor]) -> Any:
    for tensor in tensors:
        require_local(name, tensor)
    devices = list(dict.fromkeys(tensor.meta.device for tensor in tensors))
    if len(devices) > 1:
        raise DeviceMismatchError(f"{name}: the inputs are on several devices: {', '.join(map(str, devices))}")
    return devices[0] if devices else None


def _device_of(graph: Any) -> Any:
    values = [*[state.value for state in graph.states], *[v for node in graph.nodes for v in node.outputs]]
    return values[0].meta.device if values else Device("cpu")

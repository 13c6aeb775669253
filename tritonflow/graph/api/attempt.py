"""One attempt to capture a call: the function runs once over lazy tensors while it is watched, and becomes a program."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tritonflow import compilations
from tritonflow.device.device import Device
from tritonflow.device.provider import get_provider
from tritonflow.dtypes import get_default_dtype, set_default_dtype
from tritonflow.errors import CaptureError
from tritonflow.framework.runtime_scalar import PinError, RuntimeScalar, for_user
from tritonflow.framework.size_context import SizeContext
from tritonflow.framework.tensor import Tensor
from tritonflow.gc_pause import gc_paused
from tritonflow.graph.api.argument_containers import ArgumentContainers
from tritonflow.graph.api.call import Call, repeated
from tritonflow.graph.api.captured import Captured, Recorded, plain
from tritonflow.graph.api.differentiate import CallGradients, InputNode, differentiate
from tritonflow.graph.api.lifting import LiftError, SharedSlotError, is_liftable, is_liftable_container
from tritonflow.graph.api.template import ProgramTemplate
from tritonflow.graph.capture.answers import Answers
from tritonflow.graph.capture.capture import Capture
from tritonflow.graph.capture.dimensions import Dimensions
from tritonflow.graph.capture.guards import ArgumentGuard
from tritonflow.graph.capture.layout_guards import LayoutGuard
from tritonflow.graph.capture.leaf_gradients import LeafGradients
from tritonflow.graph.capture.meta_cache import MetaCache
from tritonflow.graph.capture.pytree import check_result, constants_in, flatten, unflatten
from tritonflow.graph.capture.reads import Reads
from tritonflow.graph.path.evaluation import Evaluation
from tritonflow.graph.path.program import PathProgram
from tritonflow.graph.watch.events import rewritten
from tritonflow.graph.watch.guards import PythonGuards, rooted
from tritonflow.graph.watch.lengths import sizes_for_lengths
from tritonflow.graph.watch.outcome import Describer
from tritonflow.graph.watch.records import BackwardReads, SlotRecord
from tritonflow.graph.watch.rewrite import untold
from tritonflow.graph.watch.slots import StateSlot
from tritonflow.graph.watch.stores import Stores
from tritonflow.graph.watch.watch import Watch
from tritonflow.interpreter.grad_node import AccumulateGrad, anomaly
from tritonflow.interpreter.recording import edges_of
from tritonflow.ops.precision import fixed
from tritonflow.thread_state import thread_state
from tritonflow.vm.failure import caller, describe

if TYPE_CHECKING:
    from tritonflow.graph.api.function import CapturedFunction


class Attempt:
    """Captures a call of a function.

    Args:
        function: whose call it is.
        call: with the values of the lifted slots behind its arguments.
        lifted: the slots that are arguments of the program.
        functions: the user's functions that are known to run, though nothing that is read leads to them.
        pins: whether numbers are what they are, and the program is for these numbers only.
        dimensions: the sizes of tensors that are symbols of the program; of these the call has the numbers behind its own.
        known: numbers that a run of this call has read.
        is_static: whether whole numbers that it looks at are no sizes.
        lifts_containers: whether a slot with a list or dict may become an argument.
        answers: of other ranks in earlier attempts.

    Attributes:
        watch: what the function has read and set.
        over_ranks: what the capture has met of tensors over ranks, if any.
    """

    def __init__(
        self,
        function: CapturedFunction[..., Any],
        call: Call,
        lifted: Sequence[StateSlot],
        functions: Sequence[Any],
        pins: bool = False,
        dimensions: Dimensions | None = None,
        known: Sequence[Any] = (),
        is_static: bool = False,
        lifts_containers: bool = True,
        answers: Answers | None = None,
    ) -> None:
        self._function = function
        self._call = call
        self._lifted = lifted
        self._functions = functions
        self._pins = pins
        self._dimensions = dimensions
        self._known, self._is_static, self._lifts_containers = known, is_static, lifts_containers
        self._answers = answers
        self._numbers = [*call.numbers]
        self._sizes = SizeContext(self._numbers, _user_line)
        self.watch = Watch(rewritten)
        self.over_ranks: Any = None

    def captured(self, device: Any) -> Captured:
        """The call as a program.

        Raises:
            CaptureError: no program can do it. All is as it was before.
            LiftError: the program needs other arguments.
            UnwatchedError: a function has to be watched that was not known.
        """
        function, call = self._function, self._call
        metas = MetaCache(function.name, [tensor.meta for tensor in call.tensors])
        capture = Capture(metas, function.program, device)
        if self._dimensions is not None:
            capture.sizes, capture.infer = self._sizes, _unguarded(capture, metas.sized)
        capture.watch, capture.answers = self.watch, self._answers
        if function.reads_values:
            evaluation = Evaluation(capture, self._tensors_of(capture), device)
            capture.reads = Reads(self._numbers, evaluation.elements, self._known, capture.sizes, self._is_static, self._pins)
        try:
            with capture.undone_on_failure(), fixed(call.kind.precision):
                with compilations.running("capture", function.name), self._recording(capture):
                    recorded, gradients = self._record(capture, device)
                    guards = PythonGuards(self.watch, function.root(), [slot.key for slot in self._lifted])
                    provider = get_provider(_device_of(capture, device))
                    template = ProgramTemplate(
                        function, capture, recorded, gradients, self._dimensions, self._sizes, provider, self._other_paths(),
                        [slot.key for slot in self._lifted],
                    )  # fmt: skip
                    compiled, backward = template.compiled(call.numbers, capture.guards)
                compiled.executable  # noqa: B018
        finally:
            self.watch.undo()
            self.over_ranks = capture.over_ranks if capture.lies_over_ranks else None
            capture.watch = capture.reads = None
            capture.refusals.clear()
        metas.store()
        captured = Captured(
            capture,
            compiled,
            backward,
            recorded,
            call=call,
            lifted=self._lifted,
            python=guards,
            history=function.differentiable and bool(call.kind.grad_enabled),
            sizes=0 if self._dimensions is None else len(self._dimensions.symbols),
        )
        if self._dimensions is not None:
            captured.template = template
            captured.guard_ints(template.numbers_of(call), template.guards_of_numbers())
            template.keep(captured)
        if capture.lies_over_ranks:
            captured.as_captured = template.as_captured
        capture.forget()
        self.watch.forget()
        if captured.is_aliased(call.given):
            raise CaptureError(
                "the function writes an argument or a gradient that shares memory with another argument or a parameter, which a"
                " captured program takes for another tensor: clone() one of them"
            )
        return captured

    @contextmanager
    def _recording(self, capture: Capture) -> Iterator[None]:
        """A block in which this thread's ops go to a capture, and its user code is watched."""
        function = self._function
        with function.report.stage("building graph", capture.recorded), function.report.calls(function.roots):
            with capture, gc_paused():
                yield

    def _record(self, capture: Capture, device: Any) -> tuple[Recorded, CallGradients | None]:
        """What the program returns and leaves, and how to differentiate it."""
        function, call, watch = self._function, self._call, self.watch
        lazy = self._stand_ins(capture)
        nodes = [tensor._node for tensor in lazy]
        inputs = [(position, edges_of((lazy[position],))[0]) for position, _ in call.histories]
        lies = [(tensor.meta, tensor.impl, tensor.ptr) for tensor in lazy]
        args, kwargs = self._arguments(capture, lazy)
        containers = self._seen(args, kwargs)
        modes = _modes()
        with watch.watching(), sizes_for_lengths(), _restored(modes):
            result = self._result(args, kwargs)
            if lies != [(tensor.meta, tensor.impl, tensor.ptr) for tensor in lazy]:
                raise CaptureError(
                    "an argument gets another shape, stride or memory (as by t_(), set_() or resize_()), which a run would not do:"
                    " do it outside"
                )
            self._check(capture, nodes, lazy)
            if modes != _modes():
                raise CaptureError(
                    "the function leaves a mode changed, as by set_grad_enabled(), which a run would not do: set it outside"
                )
            self._check_distinct(containers)
            self._guard_arguments(capture)
            watch.settle()
            written = watch.written()
            self._lift(written)
            with untold():
                found = {**containers.makers, **containers.dicts_of_attributes()}
                describer = Describer(watch, lazy, found, capture.constants, device, function.differentiable)
                stores = Stores(watch, written, containers.changes())
                describer.count([result, *stores.values()])
                make = describer.describe(result)
                stores.describe(describer)
            results = [*describer.results]
            if describer.makes_leaves and any(tensor._node is not None for tensor in results):
                raise CaptureError(
                    "a result of a captured function is a leaf that requires grad, made in it, of which another result may be"
                    " computed: make the leaf outside, and pass it"
                )
            function.report.values("OUTPUT", results)
            left = capture.gradients.left(results)
            if any(tensor.impl is given.impl for tensor in results[len(describer.results) :] for given in lazy):
                raise CaptureError("the function makes an argument, or a view of one, the gradient of a tensor: clone() it")
            with capture.unguarded():
                results += capture.unread_checks(results)
            capture.finish(results)
            containers.refuse_shared(describer.described(), capture.graph)
            function.report.captured(capture.graph)
            capture.refuse_lost_gradients()
            capture.scaling.refuse_open()
            gradients = self._gradients(capture, results, inputs, written)
        containers.forget()
        unrecorded = {k for k, (node, tensor) in enumerate(zip(nodes, lazy)) if node is tensor._node}
        are_distinct = containers.are_distinct if containers.may_be_one else None
        return Recorded(make, stores, results, left, unrecorded, are_distinct), gradients

    def _tensors_of(self, capture: Capture) -> Callable[[], list[Tensor]]:
        """What the inputs of the program are now: the call's tensors, and gradients that it reads."""
        return lambda: [*self._call.tensors, *map(plain, capture.gradients.read_so_far())]

    def _other_paths(self) -> list[PathProgram]:
        """The programs of other ways that such a call has gone."""
        found = self._function.programs.of_kind(self._call)
        return [captured.compiled for captured in found if isinstance(captured.compiled, PathProgram)]

    def _stand_ins(self, capture: Capture) -> list[Tensor]:
        """The lazy tensors for the arguments of the call, with histories as these have."""
        call = self._call
        metas = [tensor.meta for tensor in call.given]
        if self._dimensions is not None:
            first = len(call.numbers) - len(self._dimensions.symbols)
            metas = self._dimensions.symbolic(metas, self._sizes, first)
        lazy = [capture.input(meta) for meta in metas]
        lazy = [lazy[first] for first in repeated(call.given)]  # what is one tensor is one in the program
        capture.arguments = call.given
        for position, is_leaf in call.histories:
            if lazy[position]._node is None:
                lazy[position]._node = AccumulateGrad(lazy[position]) if is_leaf else InputNode(lazy[position].meta)
        if self._function.differentiable:
            capture.gradients = LeafGradients(capture.input, capture.may_fail, lazy, call.given)
        self.watch.arguments_lie_plainly = all(LayoutGuard(k).holds(call.given) for k in range(len(call.given)))
        self.watch.stand_in(lazy, call.given)
        self._function.report.values("INPUT", lazy)
        return lazy

    def _arguments(self, capture: Capture, lazy: list[Tensor]) -> tuple[Any, Any]:
        """What the function is called with; the slots that are arguments get their stand-ins, too."""
        call = self._call
        symbols = () if self._dimensions is None else self._dimensions.numbers
        scalars = [
            for_user(self._sizes.number(f"n{k}", k)) if k in symbols else RuntimeScalar(value, _nth(k))
            for k, value in enumerate(call.numbers)
        ]
        if self._pins:
            for scalar in scalars:
                capture.guard(scalar)
        tensors, numbers = iter(lazy), iter(call.numbers if self._pins else scalars)
        args, kwargs = unflatten(call.kind.structure, tensors, numbers)
        self._placed = unflatten(call.lifted_structure, tensors, numbers) if self._lifted else ()
        for slot, value in zip(self._lifted, self._placed):
            self.watch.lift(slot, value)
        self.watch.argument_ids = {id(tensor) for tensor in lazy}
        return args, kwargs

    def _seen(self, args: Any, kwargs: Any) -> ArgumentContainers:
        """The containers among the arguments; what else is there, and the function, is from outside."""
        structure = self._call.held_structure
        for each in (self._function.entry_point(), *self._functions, *constants_in(structure)):
            self.watch.see(each)
        containers = ArgumentContainers(structure, (args, kwargs, self._placed))
        self.watch.argument_copies = {*containers.makers, *containers.dicts_of_attributes()}
        self.watch.argument_objects = containers.identities()
        for each in containers.copies():
            self.watch.own(each)
            self.watch.see_class(type(each))
        return containers

    def _result(self, args: Any, kwargs: Any) -> Any:
        """What the function gives for its arguments."""
        try:
            self.watch.tracer.begin_with(self._function.entry_point())
            result = self._function.function(*args, **kwargs)
        except TypeError as error:
            if "RuntimeScalar" in str(error):  # Python's own code asks for a plain number
                raise PinError from error
            raise
        if not self._function.differentiable:
            check_result(flatten(result, [], []))
        return result

    def _check_distinct(self, containers: ArgumentContainers) -> None:
        """Refuse a container that the program would take for two.

        Raises:
            SharedSlotError: one is in a slot that is an argument.
            CaptureError: any other one.
        """
        try:
            containers.check_distinct(self.watch, self._call.held)
        except CaptureError:
            if self._lifts_containers and any(isinstance(value, (list, dict)) for value in self._placed):
                raise SharedSlotError from None
            raise

    def _guard_arguments(self, capture: Capture) -> None:
        """Let each call compare what the function has asked of its tensors besides their kinds."""
        if self.watch.layout_read:
            capture.guards.layouts.update(LayoutGuard(k) for k in range(len(self._call.given)))
        capture.guards.arguments += [ArgumentGuard(*read) for read in self.watch.arguments_read]

    def _gradients(
        self, capture: Capture, results: list[Tensor], inputs: list[Any], written: list[tuple[SlotRecord, Any]]
    ) -> CallGradients | None:
        """The backward of the call, which is captured behind the function.

        Raises:
            CaptureError: it does what a captured backward cannot do.
        """
        if not self._function.differentiable:
            return None
        watch, root = self.watch, self._function.root()
        before, operations = capture.memory(), list(watch.operations)
        watch.backward = BackwardReads()
        numbers, capture.reads = capture.reads, None  # what the backward looks at, a run does not know in time
        gradients = differentiate(capture, results, inputs)
        capture.reads = numbers
        reads, watch.backward = watch.backward, None
        if gradients is not None:
            if any(tensor._retains_grad and k in gradients.above for k, tensor in zip(gradients.numbers, results)):
                raise CaptureError(
                    "the function calls retain_grad() of a result of which another result is computed: call backward() inside of it"
                )
            gradients.reads = [(rooted(slot, root), value) for slot, value in reads.slots.values()]
            gradients.contents = list(reads.contents.values())
        if not _begins_with(capture.memory(), before) or operations != watch.operations:
            raise CaptureError(
                "the backward of the function writes a tensor or prints, which a captured backward cannot do: call backward()"
                " inside of the function"
            )
        self._refuse_writes_in_backward(written)
        return gradients

    def _check(self, capture: Capture, nodes: list[Any], lazy: list[Tensor]) -> None:
        """Refuse a program that would be another one in the next call, or that changes its arguments in a way that no run does."""
        if capture.refusals:
            raise capture.refusals[0]
        for node, tensor in zip(nodes, lazy):
            was_leaf, is_leaf = (isinstance(each, AccumulateGrad) for each in (node, tensor._node))
            if (node is None or was_leaf) and is_leaf != was_leaf and not tensor.impl.version:
                raise CaptureError("the function sets whether an argument requires grad, which a run would not do: set it outside")
            if tensor._retains_grad:
                raise CaptureError("the function calls retain_grad() of an argument, which a run would not do: call it outside")
            if node is not None and _has_hooks(node):
                raise CaptureError("the function registers a hook on an argument, which a run would not do: register it outside")
        capture.tensor_changes.check([tensor for tensor, _ in capture.states.rewritten()])
        for tensor, state in capture.tensor_changes.guards():
            capture.depend((tensor,), state)
        known = {id(p) for optimizer in capture.stepped for group in optimizer.param_groups for p in group["params"]}
        for tensor in self._call.given:
            if id(tensor) in known or (capture.has_backward and self.watch.is_outside(tensor)):
                raise CaptureError(
                    "the function finds one of its arguments in a variable or an optimizer, too: pass it, or read it there"
                )
        if self.watch.doubts:
            raise CaptureError(
                f"the function {self.watch.doubts[0]}: pass it as an argument, draw with tritonflow, or say that it is constant by"
                " flow.compiler.constant(...)"
            )
        self.watch.generators.look()
        if self.watch.generators.library_draws:
            raise CaptureError(
                "the function calls a library that draws from Python's or NumPy's random generator, which gives something else in"
                " each call: draw outside, and pass what was drawn"
            )

    def _lift(self, written: list[tuple[SlotRecord, Any]]) -> None:
        """Ask for slots to be arguments: those that were read, and then set to another tensor, number or list of such."""
        whole = self.watch.replayed_whole()
        root = self._function.root()
        slots = [
            rooted(record.slot, root)
            for record, value in written
            if record.read
            and record.slot.key not in {slot.key for slot in self._lifted}
            and id(record.slot.holder) not in whole
            and id(record.slot.holder) not in self.watch.contents
            and (is_liftable(record.before) or (self._lifts_containers and self._is_container_made_anew(record, value)))
        ]
        if slots:
            raise LiftError(slots)

    def _is_container_made_anew(self, record: SlotRecord, value: Any) -> bool:
        """Whether the function sets a slot that holds a list or dict to another one, which it makes itself."""
        kinds = (list, dict)
        return type(value) in kinds and not self.watch.is_outside(value) and is_liftable_container(record.before)

    def _refuse_writes_in_backward(self, written: list[tuple[SlotRecord, Any]]) -> None:
        """Refuse a backward that sets something: it runs later than the function.

        Raises:
            CaptureError: naming what it sets.
        """
        known = {id(record): value for record, value in written}
        for record, value in self.watch.written():
            if known.get(id(record), record) is not value:
                raise CaptureError(
                    f"the backward of the function sets '{record.slot.name}', which a captured backward cannot do: call backward()"
                    " inside of the function"
                )


def _unguarded(capture: Capture, infer: Callable[..., Any]) -> Callable[..., Any]:
    """What says the metas of ops' results where sizes are symbols: `Questions` asks again for others."""

    def inferred(*arguments: Any) -> Any:
        with capture.unguarded():
            return infer(*arguments)

    return inferred


def _user_line() -> str:
    """The line of the user's that runs now."""
    line = caller(2)
    return "" if line is None else describe(line)


def _has_hooks(node: Any) -> bool:
    extras = node.extras
    has = extras is not None and bool(any(extras.tensor_hooks.values()) or extras.hooks or extras.pre_hooks)
    return has or bool(getattr(node, "post_hooks", None))


def _begins_with(memory: tuple[list[Any], ...], before: tuple[list[Any], ...]) -> bool:
    """Whether what was there before is as it was."""
    return all(new[: len(old)] == old for new, old in zip(memory, before))


def _modes() -> tuple[Any, ...]:
    return (
        thread_state.grad_enabled, thread_state.inference, thread_state.autocast, thread_state.device, get_default_dtype(),
        anomaly.enabled, anomaly.check_nan, tuple(warnings.filters),
    )  # fmt: skip


@contextmanager
def _restored(modes: tuple[Any, ...]) -> Iterator[None]:
    """A block behind which the modes of this thread are what they were."""
    try:
        yield
    finally:
        thread_state.grad_enabled, thread_state.inference, thread_state.autocast, thread_state.device = modes[:4]
        if get_default_dtype() is not modes[4]:
            set_default_dtype(modes[4])
        anomaly.set(*modes[5:7])
        if tuple(warnings.filters) != modes[7]:
            warnings.filters[:] = modes[7]  # type: ignore[index]
            getattr(warnings, "_filters_mutated", lambda: None)()


def _nth(number: int) -> Callable[[Sequence[Any]], Any]:
    return lambda numbers: numbers[number]


def _device_of(capture: Capture, device: Any) -> Any:
    """Where a program runs: its inputs', or that of all that it meets.

    Raises:
        CaptureError: that is on several.
    """
    graph = capture.graph
    values = [*[state.value for state in graph.states], *[v for node in graph.nodes for v in node.outputs]]
    devices = list(dict.fromkeys([*([] if device is None else [device]), *[value.meta.device for value in values]]))
    if len(devices) > 1:
        raise CaptureError(f"{capture.program} computes on several devices, which a graph cannot: {', '.join(map(str, devices))}")
    return devices[0] if devices else Device("cpu")

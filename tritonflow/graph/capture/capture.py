"""Capture: the observer of a thread whose program runs over lazy tensors: a recording of ops, and what else the program does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tritonflow.device.device import Device
from tritonflow.errors import CaptureError
from tritonflow.execution.lazy import infer
from tritonflow.framework.capture_errors import value_unknown
from tritonflow.framework.hooks import RemovableHandle
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.runtime_scalar import RuntimeScalar
from tritonflow.framework.size_context import SizeContext
from tritonflow.framework.tensor import Tensor
from tritonflow.framework.tensor_impl import LazyTensorImpl
from tritonflow.functions.random_generator import default_generators
from tritonflow.graph.capture.guards import Guards
from tritonflow.graph.capture.layout_guards import LayoutGuard
from tritonflow.graph.capture.leaf_gradients import GradientsSetAside
from tritonflow.graph.capture.reads import MOST_NUMBERS, Reads
from tritonflow.graph.capture.recording import Recording
from tritonflow.graph.capture.scaling import Scaling
from tritonflow.graph.capture.state_store import StateStore
from tritonflow.graph.capture.stepping import restoring, runtime_learning_rates
from tritonflow.graph.capture.tensor_changes import TensorChanges
from tritonflow.graph.ir import Compute, Graph, Late, Segment, Value
from tritonflow.graph.ir.equal import EqualValues
from tritonflow.graph.watch.slots import CalledSlot, ItemSlot
from tritonflow.interpreter.grad_node import GradNode, anomaly
from tritonflow.observer import NOBODY, Observer
from tritonflow.optim import Optimizer
from tritonflow.thread_state import enter_slow_path, leave_slow_path, thread_state
from tritonflow.vm.failure import SourceLine
from tritonflow.vm.machine import machine

if TYPE_CHECKING:
    from tritonflow.amp import GradScaler


class Capture(Recording, Observer):
    """A scope in which this thread's ops are recorded instead of run.

    Args:
        infer: says the metas of an op's results, as `execution.lazy.infer`.
        program: what errors call that which is captured.
        device: where it runs; None where it has no inputs to say so.

    Attributes:
        graph: the program, once it is finished.
        states: the eager tensors that it has met, and their states.
        guards: what it depends on besides its inputs.
        sizes: its symbols for sizes, if it has any.
        reads: the numbers that it looks at, if it may.
        arguments: what its inputs stand for, if anything.
        gradients: what becomes of the gradients of leaves.
        gradient_scales: functions of the gradient that `backward` starts with.
        source_line: of the forward op whose gradient is being computed.
        undo: what is to be called if the capture, or what follows it, fails.
        written_back: the impls that in-place ops may change; None: all, and inputs.
        overwritten_inputs: the positions of the inputs that were written in place.
        constants: the impls of tensors that were made while it was captured.
        tensor_changes: what it does to tensors from outside besides writing them.
        refusals: errors that end the capture, also where the program catches them.
        scaling: what gradient scalers do in it.
        answers: what other ranks have answered in earlier attempts.
        watch: notes what user code reads and sets.
        stepped: the optimizers that the program steps, and what their options were before.

    Example:
        >>> import tritonflow as flow
        >>> from tritonflow.graph.capture.capture import Capture
        >>> x = flow.ones(2)
        >>> with Capture() as capture:
        ...     y = flow.relu(capture.input(x.meta))
        >>> [node.op.name for node in capture.finish([y]).computes()]
        ['relu']
    """

    is_capturing = True

    def __init__(self, infer: Callable[..., Any] = infer, program: str = "the function", device: Device | None = None) -> None:
        super().__init__(infer, device, StateStore(self._meet), GradientsSetAside(self.depend))
        self.program = program
        self.guards = Guards()
        self.sizes: SizeContext | None = None
        self.reads: Reads | None = None
        self._equal = EqualValues(self._nodes)
        self.graph = Graph()
        self.gradient_scales: list[Callable[[Tensor], Tensor]] = []
        self._casts: dict[Any, Any] = {}  # autocast's
        self.scaling = Scaling(self)
        self.source_line: SourceLine | None = None
        self.undo: list[Callable[[], None]] = []
        self.written_back: set[Any] | None = None
        self.overwritten_inputs: list[int] = []
        self.refusals: list[CaptureError] = []
        self.answers: Any = None
        self.watch: Any = None
        self.tensor_changes = TensorChanges(self._inputs, self._is_outside, self.undo)
        self.arguments: Sequence[Tensor] = ()
        self.constants: set[Any] = set()
        self.stepped: dict[Optimizer, Any] = {}
        self._stepping: list[Optimizer] = []
        self._saved_hooks: tuple[Any, ...] = ()
        self._before: Observer = NOBODY  # who was told before the capture
        self._backward_from = 0
        self._backwards: list[slice] = []  # the nodes of each backward
        self._read_by_strides: set[Any] = set()  # impls of which `as_strided` made views
        self._sound = 0  # how many of the first nodes cannot fail in a run
        self._entered: list[int] = []  # where the modules that are being called and marked for checkpointing began

    def __enter__(self) -> Capture:
        if thread_state.observer.is_capturing:
            raise CaptureError("a graph is called while another one is being captured: graphs do not nest")
        enter_slow_path()
        anomaly.count_scope(1)
        self._before, thread_state.observer = thread_state.observer, self
        self._saved_hooks, thread_state.saved_hooks = thread_state.saved_hooks, ()  # which pack what calls save, not the program
        return self

    def __exit__(self, *error: object) -> None:
        self.gradients.restore()
        for tensor, edge in self.states.rewritten():
            tensor._node, tensor._output_nr = edge or (None, 0)
        thread_state.observer = self._before
        thread_state.saved_hooks = self._saved_hooks
        anomaly.count_scope(-1)
        leave_slow_path()

    @cached_property
    def over_ranks(self) -> Any:
        """What it has of tensors that lie over ranks."""
        from tritonflow.graph.capture.over_ranks import OverRanks  # programs on one rank need no boxing

        return OverRanks(self)

    @property
    def lies_over_ranks(self) -> bool:
        """Whether it has met such a tensor."""
        return "over_ranks" in self.__dict__

    @contextmanager
    def unguarded(self) -> Iterator[None]:
        """A block that asks no guards of sizes: what it finds out is looked at again for each sizes."""
        if self.sizes is None:
            yield
            return
        before, self.guards = self.guards, Guards()
        try:
            with self.sizes.asking({}):
                yield
        finally:
            self.guards = before

    @contextmanager
    def undone_on_failure(self) -> Iterator[None]:
        """A block that leaves everything outside of the graph as it was if it fails."""
        try:
            yield
        except BaseException:
            for undo in reversed(self.undo):
                undo()
            raise

    def _meet(self, tensor: Tensor) -> None:
        """Let the hooks of an eager tensor be watched."""
        node = tensor._node
        if node is None or self.watch is None:
            return
        extras = node.extras
        tables = [] if extras is None else [*extras.tensor_hooks.values(), extras.hooks, extras.pre_hooks]
        for table in (*tables, getattr(node, "post_hooks", None) or {}):
            for hook in table.values():
                self.watch.see(hook)

    def input(self, meta: TensorMeta) -> Tensor:
        """A tensor that stands for an input, and lies as that does: of one, or of a shard, that is not contiguous, the program gets
        all memory from its first element to its last."""
        local = meta.local
        value = Value(local if local.is_contiguous else local.as_vector(), name=f"input{len(self._given)}")
        self._given.append(value)
        self._inputs.append(Tensor(meta, LazyTensorImpl(self._own(value)), 0))
        return self._inputs[-1]

    def read(self, tensor: Tensor) -> Value:
        """The value of a tensor, or of this rank's shard of it, at this point of the program."""
        return super().read(tensor if tensor.meta.is_local else self.over_ranks.shard(tensor))

    def content(self, tensor: Tensor) -> Value:
        """What the storage of a tensor, or of its shard, holds at this point of the program."""
        return super().content(tensor if tensor.meta.is_local else self.over_ranks.shard(tensor))

    def read_by_strides(self, tensor: Tensor, absolute: bool) -> None:
        """Note that the program reads the storage of a lazy tensor by strides that it was given.

        Args:
            tensor: whose storage it is.
            absolute: whether it counts from the storage's beginning.

        Raises:
            CaptureError: an argument begins elsewhere in its storage, which is not the program's.
        """
        self._read_by_strides.add(tensor.impl)
        for position, x in enumerate(self._inputs[: len(self.arguments)] if absolute else ()):
            if x.impl is tensor.impl:
                guard = LayoutGuard(position)
                if not guard.holds(self.arguments):
                    raise CaptureError(
                        "as_strided(): a captured program has no more of an argument's storage than its elements, and one begins"
                        " in the middle of its storage: pass x.clone(memory_format=contiguous_format)"
                    )
                self.guards.layouts.add(guard)

    def overwritten(self) -> list[Tensor]:
        """The inputs that were written in place."""
        return [self._inputs[k] for k in self.overwritten_inputs]

    def finish(self, outputs: list[Tensor]) -> Graph:
        """The graph with these results, and behind them what it writes over inputs, where these are to be written back."""
        results = [self.read(tensor) for tensor in outputs]
        if self.written_back is None:
            self.overwritten_inputs = [k for k, t in enumerate(self._inputs) if t.impl.value is not self._given[k]]
            if any(t.impl in self._read_by_strides and not t.meta.is_contiguous for t in self.overwritten()):
                raise CaptureError(
                    "an argument that is not contiguous is written, and read by as_strided(): what lies between its elements is not"
                    " written by a run. Pass x.contiguous()"
                )
            results += [self.read(self._inputs[k]) for k in self.overwritten_inputs]
            self.states.forget_writes(self.constants)
        else:
            self.states.restrict_writes(self.written_back)
        self.graph = self.recorded(results)
        return self.graph

    def may_fail(self) -> bool:
        """Whether something that was recorded so far may fail in a run."""
        for node in self._nodes[self._sound :]:
            if isinstance(node, Compute) and node.checks:
                return True
            self._sound += 1
        return False

    def unread_checks(self, results: Sequence[Tensor]) -> list[Tensor]:
        """Results of ops that may fail in a run, which nobody reads: to be outputs, as the ops are called for their errors."""
        outputs = [self.read(tensor) for tensor in (*results, *self._inputs)]
        alive = set(self.recorded(outputs).alive())
        found: list[Value] = []
        for node in self._nodes:
            if node not in alive and isinstance(node, Compute) and node.checks:
                found.append(node.outputs[0])
        return [self.tensor(value) for value in found]

    # ------------------------------------------------------------------------------------- what the interpreter calls

    @property
    def has_backward(self) -> bool:
        """Whether the program has a backward in it."""
        return bool(self._backwards)

    def _is_outside(self, tensor: Tensor) -> bool:
        """Whether an eager tensor was there before the call."""
        return bool(self.watch.is_outside(tensor))

    @property
    def _changes_tensors(self) -> bool:
        """Whether it matters what is done to tensors from outside: an nn.Graph changes its modules once, as OneFlow's does."""
        return self.watch is not None and self.written_back is None

    def forget(self) -> None:
        """Let go of what was captured, by which it would keep itself alive."""
        self.tensor_changes = TensorChanges((), lambda tensor: False, [])
        self.gradients = GradientsSetAside(lambda owner, state: None)
        self.states.forget_listener()
        if self.lies_over_ranks:
            self.over_ranks.forget()
        self.watch, self.arguments = None, ()

    def constant(self, tensor: Tensor) -> None:
        """Note a tensor that is made while the program is captured, and as it is then in each run."""
        self.constants.add(tensor.impl)

    def refuse(self, error: CaptureError) -> None:
        """Note an error that ends the capture."""
        self.refusals.append(error)

    def call_users(self, function: Callable[..., Any]) -> None:
        """Note that a function of the user's is about to be called, which nothing that was read leads to."""
        if self.watch is not None:
            self.watch.see(function)

    def take_for_constant(self) -> None:
        """Take back the doubt about the value that was computed last."""
        if self.watch.doubts:
            self.watch.doubts.pop()
            self.watch.generators.settle()

    def step_schedule(self, step: Callable[..., None], scheduler: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Step a learning rate scheduler behind each run: nothing in the program may read what it sets."""
        if not self.watch.is_outside(scheduler):
            raise CaptureError(f"the function makes a {type(scheduler).__name__} and steps it: make it outside")
        what = f"{type(scheduler).__name__}.step()"
        for group in scheduler.optimizer.param_groups:
            for name in group:
                self.watch.unknown[ItemSlot(group, name, name).key] = what
        self.watch.set_behind(scheduler, what)
        self.watch.defer(what, scheduler.step, args, kwargs)

    def forbid(self, message: str) -> None:
        """Refuse what no program can have."""
        raise CaptureError(message.replace("{program}", self.program))

    def defer(self, what: str, function: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
        """Call a function behind each run, in place of now; `what` says what it is."""
        self.watch.defer(what, function, args, kwargs)

    def note_line(self, line: SourceLine | None) -> None:
        """Note that the ops that follow belong to a line of the forward; None: to that which calls them."""
        self.source_line = line

    def casts_beside(self, casts: dict[Any, Any]) -> dict[Any, Any]:
        """The program's own cache of what autocast casts."""
        return self._casts

    def iteration_of(self, scaler: GradScaler) -> dict[int, Any]:
        """What a gradient scaler has done in the program since its last update there."""
        return self.scaling.iteration_of(scaler)

    def guard(self, scalar: RuntimeScalar) -> None:
        """Note that the graph is right for the present value of a run-time number only."""
        self.guards.add_scalar(scalar)

    def depend(self, owner: Any, state: Callable[[], Any]) -> None:
        """Note that the graph is right while `state()` is what it is when its owner is first told of."""
        self.guards.add_object(owner, state)

    def read_state(self, state: Callable[[], Any]) -> None:
        """Note that the program, or its backward where that is captured, is right while `state()` is what it is now."""
        if self.watch is not None:
            self.watch.read_slot(CalledSlot(state))

    @contextmanager
    def stepping(self, optimizer: Optimizer) -> Iterator[None]:
        """A block that steps an optimizer: its options are the graph's, its learning rates numbers that each run looks up."""
        if optimizer in self._stepping:  # this step was called by that of a subclass
            yield
            return
        self.stepped.setdefault(optimizer, optimizer._program())
        self.undo.append(restoring(optimizer))
        if self.watch is not None:
            self.watch.see_class(type(optimizer))
            for table in optimizer.step_hooks():
                self.watch.read_content(table)
        self._stepping.append(optimizer)
        with runtime_learning_rates(optimizer, self.watch):
            yield
        self._stepping.pop()

    def read_gradient(self, tensor: Tensor) -> None:
        """Note that the program looks at the `grad` of a tensor."""
        self.gradients.read(tensor)

    def note_alias(self, tensor: Tensor) -> None:
        """Note that another tensor is given the memory of an eager one: each run looks whether that is where it was."""
        self.states.note_alias(tensor)

    def change_history(self, tensor: Tensor) -> None:
        """Note that it is about to be set whether a tensor requires grad."""
        if self._changes_tensors:
            self.tensor_changes.history(tensor)

    def detach_in_place(self, tensor: Tensor, detach: Callable[[Tensor], Any]) -> None:
        """Note that a tensor is about to be detached; one that stands for an argument with a history is so behind each run, too."""
        if self._changes_tensors and self.tensor_changes.detaches_argument(tensor):
            self.defer("detach_()", detach, tensor)
        else:
            self.change_history(tensor)

    def change_memory(self, tensor: Tensor, other: Tensor | None = None) -> None:
        """Note that a tensor is about to get another shape, other strides or the memory of another one."""
        if other is not None and not other.is_lazy:
            self.note_alias(other)
        if self._changes_tensors:
            self.tensor_changes.memory(tensor, other)

    def note_hook(self, tensor: Tensor, handle: RemovableHandle) -> None:
        """Note that a hook was registered on a tensor."""
        if self._changes_tensors:
            self.tensor_changes.hook(tensor, handle)

    def numbers_of(self, tensor: Tensor, most: int | None = None) -> Any:
        """The elements of a tensor that the program computes, or has written, where it may look at them."""
        is_ours = tensor.is_lazy or self.states.is_written(tensor.impl)
        if self.reads is None or not is_ours or tensor.meta.numel > MOST_NUMBERS or self.lies_over_ranks:
            return None
        return self.reads.of(self._equal.first(self.read(tensor)), most)

    def read_value(self, tensor: Tensor) -> None:
        """Note that the graph is right while an eager tensor is not written.

        Raises:
            RuntimeError: the graph itself writes it before it is looked at.
        """
        impl = tensor.impl
        if self.states.is_written(impl) or machine.sees(impl.block):
            raise value_unknown()
        self.depend(impl, lambda: None if machine.sees(impl.block) else impl.version)

    def write_gradient(self, tensor: Tensor) -> None:
        """Note that the program sets the `grad` of a tensor."""
        self.gradients.write(tensor)

    def changes(self) -> int:
        """How often the program has set something outside of it so far, other than the state of a default generator."""
        if self.watch is None or self.written_back is not None:  # an nn.Graph changes its modules once, as OneFlow's does
            return 0
        drawn_from = {generator.state.impl for generator in default_generators()}
        return self.watch.changes + sum(impl not in drawn_from for impl in self._written)

    def enter_segment(self) -> None:
        """Note that a call of a module begins whose results are to be computed again in the backward."""
        self._entered.append(len(self._nodes))

    def leave_segment(self) -> None:
        """Note its end."""
        start = self._entered.pop()
        if not self._entered:
            self._segments.append(Segment(start, len(self._nodes)))

    def enter_backward(self) -> None:
        """Note that what follows reads the forward's values as backward does."""
        self._segments = [segment.before(len(self._nodes)) for segment in self._segments]
        for impl in {grad.impl: None for grad in self.gradients.inside()}:
            if impl.value not in self._given:
                self._settle(impl)
        self._backward_from = len(self._nodes)
        self._phases.append(self._backward_from)

    def _settle(self, impl: Any) -> None:
        """Let gradients so far be computed where they are, not by the kernels of what another backward adds.

        Those would keep what they are computed from, of each backward, till the last: as much memory as without accumulation.
        """
        late = Late(impl.value, impl.value)
        self._nodes.append(late)
        impl.value = self._own(late.outputs[0])

    def reach(self, nodes: Sequence[GradNode], frees: bool) -> None:
        """Refuse a backward that frees what was recorded outside, so that each run would find it gone, or that does more there.

        Raises:
            RuntimeError: one of its nodes was there before the capture, and is freed, or has a hook or a tensor with its gradient.
        """
        outside = self.states.nodes_outside()
        reached = [node for node in nodes if node in outside]
        more = [x for node in reached if (x := node.extras) and (x.tensor_hooks or x.retains or x.hooks or x.pre_hooks)]
        if more or (frees and reached):
            what = "runs its hooks" if more else "frees it"
            raise CaptureError(
                f"backward() in {self.program} goes on through the history of a tensor that was made outside, and {what}: call"
                " backward() outside, compute the tensor inside, or detach it"
            )

    def leave_backward(self) -> None:
        """Note that one which leaves gradients in leaves is done."""
        self._backwards.append(slice(self._backward_from, len(self._nodes)))
        self._phases.append(len(self._nodes))

    def refuse_lost_gradients(self) -> None:
        """Refuse a graph whose backward contributes to no result.

        Raises:
            RuntimeError: there was a backward, and nothing that it computed is used.
        """
        used = set(self.graph.alive())
        if self._backwards and not any(node in used for part in self._backwards for node in self._nodes[part]):
            of_graph = self.written_back is not None
            raise CaptureError(
                f"backward() in {self.program} has no effect: gradients do not leave an nn.Graph by themselves. Step an optimizer,"
                " given to add_optimizer(), or return the gradients"
                if of_graph
                else f"backward() in {self.program} has no effect: nothing that it computes is a result or left in a `grad`."
                " Step an optimizer, return the gradients, or leave backward() out"
            )






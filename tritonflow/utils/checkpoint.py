"""Activation checkpointing: what a function computes for backward is not kept, but computed again when backward needs it.

Without re-entry, hooks on saved tensors put a holder in the place of each tensor that the function's ops save. The first holder
that backward asks for runs the function again, and every op's tensors are taken in the same order. With re-entry, the function is
one op without history, whose backward runs the function again and goes back through that.

In a captured program both mark the function's ops for the graph, which computes them again where that saves memory.
"""

from __future__ import annotations

import contextlib
import enum
import warnings
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from tritonflow.autograd import backward, enable_grad, no_grad
from tritonflow.autograd.function import Function
from tritonflow.autograd.graph import saved_tensors_hooks
from tritonflow.errors import ArgumentValueError, AutogradError, CaptureError, NotYetImplementedError
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.random_generator import default_generators, default_seed
from tritonflow.interpreter.autocast import set_state, without_casts
from tritonflow.interpreter.engine import current_backward
from tritonflow.interpreter.grad_mode import is_grad_enabled
from tritonflow.interpreter.grad_node import GradNode
from tritonflow.interpreter.recording import edges_of
from tritonflow.interpreter.saved_tensors import pack, pack_by_hooks, unpack
from tritonflow.nn.modules.container import Sequential
from tritonflow.thread_state import thread_state
from tritonflow.vm.failure import caller, describe

__all__ = [
    "CheckpointError", "CheckpointFunction", "CheckpointPolicy", "SelectiveCheckpointContext", "check_backward_validity",
    "checkpoint", "checkpoint_sequential", "create_selective_checkpoint_contexts", "detach_variable", "noop_context_fn",
    "set_checkpoint_debug_enabled", "set_checkpoint_early_stop",
]  # fmt: skip

R = TypeVar("R")
_USE_REENTRANT = (
    "utils.checkpoint: the use_reentrant parameter should be passed explicitly; True is assumed, False is recommended."
)
_settings = {"early_stop": True}


class CheckpointError(RuntimeError):
    """A function computed something else when it ran again."""


class _Stop(BaseException):
    """All that backward needs is computed."""


def noop_context_fn() -> tuple[Any, Any]:
    """Contexts of the forward and of the second run that do nothing."""
    return contextlib.nullcontext(), contextlib.nullcontext()


def checkpoint(
    function: Callable[..., R],
    *args: Any,
    use_reentrant: bool | None = None,
    context_fn: Callable[[], tuple[Any, Any]] = noop_context_fn,
    determinism_check: str = "default",
    debug: bool = False,
    early_stop: bool = True,
    **kwargs: Any,
) -> R:
    """`function(*args, **kwargs)`, whose intermediate tensors are computed again in backward instead of being kept.

    Args:
        function: what to run; it must compute the same both times.
        use_reentrant: run it without recording, and let backward go through a second run; then at least one argument must
            require grad, and `autograd.grad` does not work. False records as usual, and computes again what was recorded.
        context_fn: returns two contexts: that of the first run, and that of the second; only without re-entry.
        determinism_check: "default" compares the shapes, dtypes and devices of what is computed again, "none" does not.
        debug: accepted and ignored; only without re-entry.
        early_stop: end the second run when all that is needed is there.
        preserve_rng_state: draw the same random numbers both times (default: True).
        args, kwargs: of the function; keywords only without re-entry.

    Raises:
        ValueError: keywords, `context_fn` or `debug` are given with re-entry.
        CheckpointError: in backward, where the function computes something else.

    Source: https://pytorch.org/docs/stable/checkpoint.html

    Example:
        >>> import tritonflow as flow
        >>> x = flow.tensor([1.0, 2.0], requires_grad=True)
        >>> y = flow.utils.checkpoint.checkpoint(lambda x: (x * x).exp(), x, use_reentrant=False)
        >>> y.sum().backward()
        >>> flow.allclose(x.grad, 2 * x * (x * x).exp())
        True
    """
    if use_reentrant is None:
        warnings.warn(_USE_REENTRANT, stacklevel=2)
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    if use_reentrant:
        if kwargs:
            raise ArgumentValueError("Unexpected keyword arguments: " + ",".join(kwargs))
        if context_fn is not noop_context_fn or debug is not False:
            raise ArgumentValueError("Passing `context_fn` or `debug` is only supported when use_reentrant=False.")
    elif determinism_check not in ("default", "none"):
        raise ArgumentValueError(f"determinism_check should be one of ['default', 'none'], but got {determinism_check}")
    if thread_state.observer.is_capturing:
        return _captured(function, args, kwargs, context_fn)
    if use_reentrant:
        return CheckpointFunction.apply(function, preserve, *args)
    first, second = context_fn()
    with first:
        if not is_grad_enabled():
            return function(*args, **kwargs)
        stops = early_stop and _settings["early_stop"]
        frame = _Frame(function, args, kwargs, second, preserve, determinism_check == "default", stops)
        with saved_tensors_hooks(frame.pack, frame.unpack):
            return function(*args, **kwargs)


def _captured(function: Callable[..., Any], args: Any, kwargs: Any, context_fn: Any) -> Any:
    """In a capture: the graph is told which ops it may compute again."""
    observer = thread_state.observer
    first, _ = context_fn()
    before = observer.changes()
    observer.enter_segment()
    try:
        with first:
            result = function(*args, **kwargs)
    finally:
        observer.leave_segment()
    if is_grad_enabled() and observer.changes() != before:
        name = getattr(function, "__name__", type(function).__name__)
        raise CaptureError(
            f"{name}() sets something outside of it, such as a variable or running"
            f" statistics, and checkpoint() calls it a second time in backward(), at {describe(caller(2))}: set it outside of the"
            " checkpoint"
        )
    return result


def checkpoint_sequential(
    functions: Any, segments: int, input: Any, use_reentrant: bool | None = None, **kwargs: Any
) -> Any:
    """A `Sequential`, or a list of functions, in segments: each but the last one is checkpointed.

    Args:
        functions: are called one after the other.
        segments: how many segments there are.
        input: of the first function.
        use_reentrant, preserve_rng_state: as of `checkpoint`.

    Raises:
        ValueError: another keyword is given.

    Source: https://pytorch.org/docs/stable/checkpoint.html

    Example:
        >>> import tritonflow as flow
        >>> net = flow.nn.Sequential(flow.nn.Linear(2, 3), flow.nn.ReLU(), flow.nn.Linear(3, 1))
        >>> x = flow.ones(4, 2, requires_grad=True)
        >>> flow.utils.checkpoint.checkpoint_sequential(net, 2, x, use_reentrant=False).shape
        tritonflow.Size([4, 1])
    """
    if use_reentrant is None:
        warnings.warn(_USE_REENTRANT, stacklevel=2)
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    if kwargs:
        raise ArgumentValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    steps = list(functions.children()) if isinstance(functions, Sequential) else list(functions)
    size = len(steps) // segments
    last = size * (segments - 1)

    def segment(start: int, end: int) -> Callable[[Any], Any]:
        def run(value: Any) -> Any:
            for step in steps[start:end]:
                value = step(value)
            return value

        return run

    for start in range(0, last, size) if size else ():
        run = segment(start, start + size)
        input = checkpoint(run, input, use_reentrant=use_reentrant, preserve_rng_state=preserve)
    return segment(last, len(steps))(input)


# ---------------------------------------------------------------------------------------------------- without re-entry


class _Holder:
    """Stands for a tensor that an op has saved: the number of it in its frame."""

    __slots__ = ("frame", "number", "__weakref__")

    def __init__(self, frame: _Frame, number: int) -> None:
        self.frame = frame
        self.number = number

    def __del__(self) -> None:
        self.frame.computed.pop(self.number, None)


class _Inputs(GradNode):
    """Names a frame in messages about its arguments."""

    def name(self) -> str:
        return "checkpoint"


class _Frame:
    """One checkpointed call: how to run it again, and what the second run has computed so far.

    Attributes:
        holders: for each tensor that was saved, in order, a weak reference to its holder.
        metas: what these tensors look like.
        computed: by number what the second run has computed, while backward may ask for it.
        backward: gives the backward pass that it was computed for, whose end clears it. The pass has the graph, and so the frame.
    """

    def __init__(
        self, function: Any, args: Any, kwargs: Any, context: Any, preserve: bool, checks: bool, stops: bool
    ) -> None:
        self.function, self.context, self.checks, self.stops = function, context, checks, stops
        self.node = _Inputs(())
        self.args = [_saved(value) for value in args]
        self.kwargs = {name: _saved(value) for name, value in kwargs.items()}
        self.numbers = RandomStates() if preserve else None
        self.autocast = without_casts(thread_state.autocast)
        self.holders: list[Any] = []
        self.metas: list[TensorMeta] = []
        self.computed: dict[int, Tensor] = {}
        self.backward: Callable[[], Any] = lambda: None

    def pack(self, tensor: Tensor) -> _Holder:
        """A holder for a tensor that an op saves."""
        holder = _Holder(self, len(self.holders))
        self.holders.append(weakref.ref(holder))
        self.metas.append(tensor.meta)
        return holder

    def unpack(self, holder: _Holder) -> Tensor:
        """The tensor, computed again at the first call of a backward pass."""
        run = current_backward()
        if run is not self.backward() or holder.number not in self.computed:
            computed: dict[int, Tensor] = {}
            self.computed = computed
            self._run_again()
            self.backward = (lambda: None) if run is None else weakref.ref(run, lambda _: computed.clear())
        return self.computed[holder.number]

    def _run_again(self) -> None:
        alive = [number for number, holder in enumerate(self.holders) if holder() is not None]
        count = 0

        def collect(tensor: Any) -> Any:
            nonlocal count
            number, count = count, count + 1
            if number < len(self.metas):
                self._compare(number, tensor.meta)
                if self.holders[number]() is not None:
                    self.computed[number] = tensor.detach()
            if self.stops and number == alive[-1]:
                raise _Stop
            return tensor

        args = [value.get(self.node) if isinstance(value, _Saved) else value for value in self.args]
        kwargs = {k: value.get(self.node) if isinstance(value, _Saved) else value for k, value in self.kwargs.items()}
        with _as_before(self.numbers, self.autocast), self.context, saved_tensors_hooks(collect, lambda tensor: tensor):
            try:
                self.function(*args, **kwargs)
            except _Stop:
                return
        if count != len(self.metas):
            raise CheckpointError(
                "utils.checkpoint: A different number of tensors was saved during the original forward and recomputation.\n"
                f"Number of tensors saved during forward: {len(self.metas)}\n"
                f"Number of tensors saved during recomputation: {count}."
            )

    def _compare(self, number: int, meta: TensorMeta) -> None:
        expected = self.metas[number]
        same = (expected.shape, expected.dtype, expected.device) == (meta.shape, meta.dtype, meta.device)
        if self.checks and not same:
            raise CheckpointError(
                "utils.checkpoint: Recomputed values for the following tensors have different metadata than during the forward"
                f" pass.\ntensor at position {number}:\nsaved metadata: {expected}\nrecomputed metadata: {meta}"
            )


class _Saved:
    """A tensor argument, saved as an op's input is: hooks of a checkpoint around this one may pack it."""

    __slots__ = ("saved",)

    def __init__(self, tensor: Tensor) -> None:
        (edge,) = edges_of((tensor,))
        (self.saved,) = pack_by_hooks((pack(tensor, tensor.impl.version, edge, is_output=False),))

    def get(self, node: GradNode) -> Any:
        """The tensor."""
        return unpack(self.saved, node)


def _saved(value: Any) -> Any:
    return _Saved(value) if isinstance(value, Tensor) else value


class RandomStates:
    """The default generators with their states; those that are made later begin with the seed of now."""

    def __init__(self) -> None:
        self._seed = default_seed()
        self._states = {generator: generator.get_state() for generator in default_generators()}

    def set(self) -> None:
        """Let all default generators go on where they were, or would have been."""
        for generator in default_generators():
            generator.set_state(self._states.get(generator, (self._seed, 0)))


@contextlib.contextmanager
def _as_before(numbers: Any, autocast: Any) -> Iterator[None]:
    """A block that records, with these states of the generators and this state of autocast."""
    now = None if numbers is None else RandomStates()
    cast = thread_state.autocast
    set_state(without_casts(autocast))  # casts have the history of the run that they are made in, or none
    try:
        if numbers is not None:
            numbers.set()
        with enable_grad():
            yield
    finally:
        set_state(cast)
        if now is not None:
            now.set()


# ------------------------------------------------------------------------------------------------------- with re-entry


def detach_variable(inputs: Sequence[Any]) -> tuple[Any, ...]:
    """The tensors among the inputs without their history, as leaves that require grad where they did."""
    return tuple([x.detach().requires_grad_(x.requires_grad) if isinstance(x, Tensor) else x for x in inputs])  # type: ignore[attr-defined]


def check_backward_validity(inputs: Iterable[Any]) -> None:
    """Warn where no input requires grad: backward would not reach the function."""
    if not any(isinstance(x, Tensor) and x.requires_grad for x in inputs):  # type: ignore[attr-defined]
        warnings.warn("None of the inputs have requires_grad=True. Gradients will be None", stacklevel=2)


class CheckpointFunction(Function):
    """A call as one op, whose backward runs it again with recording and goes back through that."""

    @staticmethod
    def forward(ctx: Any, run_function: Callable[..., Any], preserve_rng_state: bool, *args: Any) -> Any:
        """Run the function without recording."""
        check_backward_validity(args)
        ctx.run_function = run_function
        ctx.numbers = RandomStates() if preserve_rng_state else None
        ctx.autocast = without_casts(thread_state.autocast)
        ctx.inputs = [None if isinstance(x, Tensor) else x for x in args]
        ctx.positions = [k for k, x in enumerate(args) if isinstance(x, Tensor)]
        ctx.save_for_backward(*[args[k] for k in ctx.positions])
        with no_grad():
            return run_function(*args)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        """Run the function with recording, and go back."""
        run = current_backward()
        if run is not None and run.targets is not None:
            raise AutogradError(
                "When use_reentrant=True, utils.checkpoint is incompatible with .grad() or passing an `inputs` parameter to"
                " .backward(). To resolve this error, you can either set use_reentrant=False, or call .backward() without passing"
                " the `inputs` argument."
            )
        inputs = list(ctx.inputs)
        for position, tensor in zip(ctx.positions, ctx.saved_tensors):
            inputs[position] = tensor
        leaves = detach_variable(inputs)
        with _as_before(ctx.numbers, ctx.autocast):
            outputs = ctx.run_function(*leaves)
        outputs = (outputs,) if isinstance(outputs, Tensor) else outputs
        tensors = [out for out in outputs if isinstance(out, Tensor)]
        pairs = [(out, grad) for out, grad in zip(tensors, grads) if out.requires_grad]  # type: ignore[attr-defined]
        if not pairs:
            raise AutogradError("none of output has requires_grad=True, this checkpoint() is not necessary")
        backward([out for out, _ in pairs], [grad for _, grad in pairs])
        return (None, None, *[x.grad if isinstance(x, Tensor) else None for x in leaves])


# ------------------------------------------------------------------------------------------------------------ settings


@contextlib.contextmanager
def set_checkpoint_early_stop(enable: bool) -> Iterator[None]:
    """A scope whose calls of `checkpoint` end their second run early, or do not."""
    before = _settings["early_stop"]
    _settings["early_stop"] = enable
    try:
        yield
    finally:
        _settings["early_stop"] = before


@contextlib.contextmanager
def set_checkpoint_debug_enabled(enabled: bool | None) -> Iterator[None]:
    """Accepted and ignored: errors have the line of the forward op in anomaly mode."""
    yield


class CheckpointPolicy(enum.Enum):
    """What a policy of selective checkpointing says of an op."""

    MUST_SAVE = 0
    PREFER_SAVE = 1
    MUST_RECOMPUTE = 2
    PREFER_RECOMPUTE = 3


class SelectiveCheckpointContext:
    """What a policy of selective checkpointing is given."""

    def __init__(self, *, is_recompute: bool) -> None:
        self.is_recompute = is_recompute


def create_selective_checkpoint_contexts(
    policy_fn_or_list: Any, allow_cache_entry_mutation: bool = False
) -> tuple[Any, Any]:
    """Policies by op are not implemented: they name torch's operators.

    Raises:
        NotYetImplementedError: always.
    """
    raise NotYetImplementedError(
        "create_selective_checkpoint_contexts: policies by operator are not implemented. help: split the function, and call"
        " checkpoint() for the part that is to be computed again"
    )

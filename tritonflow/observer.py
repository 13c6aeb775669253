"""What a thread tells of its program as it runs: to nobody, or to the capture that makes a graph of it.

Who changes or reads something that no op shows (a gradient, memory, a hook, an option) tells `thread_state.observer`, and does not
ask whether anybody listens. `graph` captures by an observer of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tritonflow.errors import CaptureError
    from tritonflow.framework.hooks import RemovableHandle
    from tritonflow.framework.runtime_scalar import RuntimeScalar
    from tritonflow.framework.tensor import Tensor
    from tritonflow.vm.failure import SourceLine

_NOTHING = nullcontext()


class Observer:
    """Nobody, who does nothing with what is told; a base class of who does.

    Attributes:
        is_capturing: whether ops are recorded, and numbers of tensors are not known.
        program: what errors call that which is captured.
        gradient_scales: are applied, in order, to the gradient that a loss's `backward` starts with.
        source_line: the line of the forward op whose gradient is being computed, or None.
        over_ranks: of a capture what it has of tensors that lie over ranks.

    Example:
        >>> from tritonflow.thread_state import thread_state
        >>> thread_state.observer.is_capturing
        False
    """

    is_capturing = False
    program = "the program"
    gradient_scales: Sequence[Callable[[Tensor], Tensor]] = ()
    source_line: SourceLine | None = None
    over_ranks: Any = None

    # ---- what runs, where ops take the slow path

    def run_op(self, op: Any, inputs: Sequence[Any], outputs: Sequence[Any], attrs: tuple[Any, ...]) -> None:
        """An op runs in eager mode, or would without data, on tensors of these metas.

        Args:
            op: the definition of the op.
        """

    def run_graph(self, ops: Iterable[tuple[Any, ...]]) -> None:
        """A program runs that has these ops, each with what `run_op` takes."""

    def run_own_op(self, op: Any, args: Sequence[Any], options: dict[str, Any], result: Any) -> None:
        """An op of the user's own has run with these arguments."""

    # ---- tensors

    def constant(self, tensor: Tensor) -> None:
        """A tensor is made now, and is as it is now at the beginning of each run."""

    def read_value(self, tensor: Tensor) -> None:
        """The program looks at the numbers in an eager tensor.

        Raises:
            RuntimeError: the program has written it, which will happen later.
        """

    def numbers_of(self, tensor: Tensor, most: int | None = None) -> Any:
        """The elements of a tensor of the program, nested, as run-time scalars; None where they are read as ever.

        Args:
            most: of elements that count something.
        """
        return None

    def read_by_strides(self, tensor: Tensor, absolute: bool) -> None:
        """The program reads the storage of a lazy tensor by strides that it was given.

        Args:
            tensor: whose storage it is.
            absolute: whether it counts from the storage's beginning.

        Raises:
            CaptureError: an argument begins elsewhere in its storage, which is not the program's.
        """

    def note_alias(self, tensor: Tensor) -> None:
        """Another tensor is given the memory of an eager one: where that is may change between runs."""

    def change_memory(self, tensor: Tensor, other: Tensor | None = None) -> None:
        """A tensor is about to get another shape, other strides or the memory of `other`.

        Raises:
            RuntimeError: no run would do it.
        """

    def guard(self, scalar: RuntimeScalar) -> None:
        """The program uses a run-time number itself."""

    # ---- histories and gradients

    def change_history(self, tensor: Tensor) -> None:
        """It is about to be set whether a tensor requires grad.

        Raises:
            RuntimeError: no run would do it.
        """

    def detach_in_place(self, tensor: Tensor, detach: Callable[[Tensor], Any]) -> None:
        """A tensor is about to be detached: an argument is so behind each run, by `detach`.

        Raises:
            RuntimeError: no run would do it.
        """

    def note_hook(self, tensor: Tensor, handle: RemovableHandle) -> None:
        """A hook was registered on a tensor."""

    def read_gradient(self, tensor: Tensor) -> None:
        """The program looks at the `grad` of a tensor, or adds to it."""

    def write_gradient(self, tensor: Tensor) -> None:
        """The program sets the `grad` of a tensor."""

    def enter_backward(self) -> None:
        """A backward begins."""

    def reach(self, nodes: Sequence[Any], frees: bool) -> None:
        """A backward goes through these nodes of the history, and frees them if it says so."""

    def note_line(self, line: SourceLine | None) -> None:
        """The ops that follow belong to a line of the forward; None: to that which calls them."""

    def leave_backward(self) -> None:
        """A backward which leaves gradients in leaves is done."""

    # ---- modules, optimizers, functions of users

    def enter_segment(self) -> None:
        """A call of a module begins whose results are to be computed again in the backward."""

    def leave_segment(self) -> None:
        """It ends."""

    def changes(self) -> int:
        """How often the program has set something outside of it so far, other than the state of a default generator."""
        return 0

    def casts_beside(self, casts: dict[Any, Any]) -> dict[Any, Any]:
        """What autocast keeps of parameters: `casts`, which are eager mode's, or the program's own."""
        return casts

    def iteration_of(self, scaler: Any) -> dict[int, Any]:
        """What a gradient scaler has done since its last update: its `progress`, which is eager mode's, or the program's own.

        Raises:
            CaptureError: the program would go on with what eager mode has begun.
        """
        return scaler.progress  # type: ignore[no-any-return]

    def depend(self, owner: Any, state: Callable[[], Any]) -> None:
        """The program holds while `state()` of an object is what it is now, when the object is first told of."""

    def read_state(self, state: Callable[[], Any]) -> None:
        """The program looks at `state()`, of one function for each state, in its forward or in its backward."""

    def stepping(self, optimizer: Any) -> AbstractContextManager[None]:
        """A block that steps an optimizer."""
        return _NOTHING

    def step_schedule(self, step: Callable[..., None], scheduler: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Step a learning rate scheduler: now, or behind each run."""
        step(scheduler, *args, **kwargs)

    def call_users(self, function: Callable[..., Any]) -> None:
        """A function of the user's is about to be called, which nothing that was read leads to."""

    def take_for_constant(self) -> None:
        """The value that was computed last is the same in each run."""

    # ---- errors

    def refuse(self, error: CaptureError) -> None:
        """An error ends the capture, also where the program catches it."""

    def forbid(self, message: str) -> None:
        """What no program can have is about to be done.

        Raises:
            CaptureError: a program is captured; `{program}` in the message is what it is called.
        """


NOBODY = Observer()

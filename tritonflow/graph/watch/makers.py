"""What makes the values of a captured function's result anew in each run of its program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tritonflow.autograd import enable_grad, no_grad
from tritonflow.framework.symbolic_int import at_numbers, is_symbolic
from tritonflow.framework.tensor import Tensor
from tritonflow.graph.ir.numbers import Numbers, has_symbols
from tritonflow.graph.watch.aliases import viewed


class Run:
    """One run of a program.

    Attributes:
        outputs: the tensors that it computed.
        given: the tensors among the arguments, and behind them those of lifted slots.
        numbers: the numbers of these.
        arguments: the arguments themselves, and behind them the values of lifted slots.
        made: by the identities of values in the capture, those that the run has made.
    """

    __slots__ = ("outputs", "given", "numbers", "arguments", "made")

    def __init__(self, outputs: list[Tensor], given: Sequence[Tensor], numbers: Sequence[Any], arguments: Any) -> None:
        self.outputs = outputs
        self.given = given
        self.numbers = numbers
        self.arguments = arguments
        self.made: dict[int, Any] = {}


Maker = Callable[[Run], Any]


class OutputMaker:
    """Makes a tensor that the program computes: one of its outputs."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number = number

    def __call__(self, run: Run) -> Tensor:
        return run.outputs[self.number]


def once(key: int, make: Maker) -> Maker:
    """What makes a value once in each run."""

    def made(run: Run) -> Any:
        if key in run.made:
            return run.made[key]
        value = run.made[key] = make(run)
        return value

    return made


def cloned(value: Tensor) -> Tensor:
    """A copy without a history."""
    with no_grad():
        return value.clone()


def over_memory(value: Tensor, run: Run) -> Tensor:
    """A tensor over memory from outside, with the sizes that it has in a run."""
    return Tensor(Numbers(run.numbers).meta(value.meta), value.impl, value.ptr) if has_symbols(value.meta) else value


def of_class(make: Maker, kind: type) -> Maker:
    """What makes a parameter, or a tensor of a user's class."""

    def made(run: Run) -> Any:
        tensor = make(run)
        if type(tensor) is not kind:
            object.__setattr__(tensor, "__class__", kind)
        return tensor

    return made


def made_view(base: Maker, steps: list[tuple[Any, Any]], key: int, detached: bool, leaf: bool) -> Maker:
    """What makes a view of another value by steps, once in each run.

    Args:
        detached: whether it has no history.
        leaf: whether it is a leaf that requires grad.
    """
    is_fixed = not is_symbolic(steps)

    def make(run: Run) -> Tensor:
        x = base(run)
        with no_grad() if detached else enable_grad():  # where it has a history, be it of a later write
            y = viewed(x, steps if is_fixed else at_numbers(steps, run.numbers))
        return y.requires_grad_() if leaf else y

    return once(key, make)


def made_detached(owner: Maker, steps: list[tuple[Any, Any]], key: int, leaf: bool = False) -> Maker:
    """What makes a tensor in the memory of another value, without its history."""
    return made_view(lambda run: owner(run).detach(), steps, key, False, leaf)

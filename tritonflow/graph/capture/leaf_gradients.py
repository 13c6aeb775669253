"""The gradients of leaves in a captured program: those that it finds, and those that a run of it leaves.

In a compiled function a leaf's `grad` is what it is in eager mode. A program that looks at a gradient, or adds to it, gets it as a
further input, and writes it back; a new gradient is a further output:

    p.grad = None; loss.backward()           output 1 is p.grad behind the run
    loss.backward(), p.grad is there         input 1 is p.grad, which the run adds to
    loss.backward(), p.grad is None          output 1 is p.grad behind the run: another program

A gradient that the program sets without a look is dropped before a run, so that its memory is there for the new one; unless
something in front of that may fail, as an index out of range: then eager mode's gradients are as they were.

In an nn.Graph a leaf starts without a gradient, and has its own again behind the call, as in OneFlow.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from tritonflow.errors import CaptureError
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.grad_node import AccumulateGrad

Owner = Tensor | int  # a leaf that the program found, or the position of one among its inputs


class GradientPolicy(Protocol):
    """What a capture does with the gradients of leaves."""

    def use(self, leaf: Tensor) -> None:
        """A leaf that requires grad is an operand."""

    def read(self, tensor: Tensor) -> None:
        """The program looks at a gradient."""

    def write(self, tensor: Tensor) -> None:
        """The program sets a gradient."""

    def read_so_far(self) -> list[Tensor]:
        """The gradients that are further inputs."""

    def inside(self) -> list[Tensor]:
        """The gradients that were computed so far."""

    def left(self, results: list[Tensor]) -> LeftGradients:
        """What they are at the end of the program; those that are not among its results are added to these."""

    def restore(self) -> None:
        """Give the leaves the gradients that they had."""


class GradientsSetAside:
    """Leaves start without a gradient.

    Args:
        depend: notes what the program depends on.
    """

    def __init__(self, depend: Callable[[Any, Callable[[], Any]], None]) -> None:
        self._depend = depend
        self._before: dict[Tensor, Tensor | None] = {}

    def use(self, leaf: Tensor) -> None:
        """Let it start without one."""
        self.write(leaf)

    def read(self, tensor: Tensor) -> None:
        """Of a tensor that is used nowhere: the program holds while it is this gradient."""
        if not tensor.impl.is_lazy and tensor not in self._before and tensor.is_leaf:
            self._depend(tensor, lambda: id(tensor._grad))

    def write(self, tensor: Tensor) -> None:
        """Let it start without one."""
        if not tensor.impl.is_lazy and tensor not in self._before:
            self._before[tensor] = tensor._grad
            tensor._grad = None

    def read_so_far(self) -> list[Tensor]:
        """None are inputs."""
        return []

    def inside(self) -> list[Tensor]:
        """The gradients that were computed so far."""
        return [tensor._grad for tensor in self._before if tensor._grad is not None and tensor._grad.impl.is_lazy]

    def left(self, results: list[Tensor]) -> LeftGradients:
        """None of those that it has computed."""
        return LeftGradients(len(results))

    def restore(self) -> None:
        """Give the leaves the gradients that they had."""
        for tensor, grad in self._before.items():
            tensor._grad = grad


@dataclass
class _Leaf:
    """A leaf whose gradient the program has met.

    Attributes:
        tensor: the leaf in the program.
        owner: whose gradient it is.
        before: the gradient outside.
        was_read: whether the program holds only for one like that; otherwise the program has set it before it looked.
        is_certain: whether all runs come to where the program has met it: nothing in front of that may fail.
        stand_in: for a gradient that was read: the further input.
    """

    tensor: Tensor
    owner: Owner
    before: Tensor | None
    was_read: bool
    is_certain: bool
    stand_in: Tensor | None = None


class LeafGradients:
    """Leaves have the gradients that they have outside.

    Args:
        add_input: makes the tensor of a further input.
        may_fail: whether something of the program so far may fail in a run.
        inputs: the tensors that stand for those of the call.
        given: these, as they came.
    """

    def __init__(
        self,
        add_input: Callable[[TensorMeta], Tensor],
        may_fail: Callable[[], bool],
        inputs: Sequence[Tensor],
        given: Sequence[Tensor],
    ) -> None:
        self._add_input, self._may_fail = add_input, may_fail
        self._positions = {id(tensor): position for position, tensor in enumerate(inputs)}
        self._given = given
        self._leaves: dict[int, _Leaf] = {}

    def use(self, leaf: Tensor) -> None:
        """Nothing: its gradient may never matter."""

    def read(self, tensor: Tensor) -> None:
        """Let the program see it.

        Raises:
            RuntimeError: the gradient has a history, which would be lost.
        """
        leaf = self._meet(tensor, True)
        if leaf is not None and leaf.before is not None:
            if leaf.before._node is not None:
                raise CaptureError(
                    "a captured function reads a gradient that has a history itself (create_graph=True): pass it as an argument"
                )
            leaf.stand_in = tensor._grad = self._add_input(leaf.before.meta)

    def read_so_far(self) -> list[Tensor]:
        """The gradients that are further inputs."""
        return [leaf.before for leaf in self._leaves.values() if leaf.stand_in is not None and leaf.before is not None]

    def write(self, tensor: Tensor) -> None:
        """Let the program set it."""
        self._meet(tensor, False)

    def inside(self) -> list[Tensor]:
        """The gradients that were computed so far."""
        grads = [leaf.tensor._grad for leaf in self._leaves.values()]
        return [grad for grad in grads if grad is not None and grad.impl.is_lazy]

    def restore(self) -> None:
        """Give the leaves the gradients that they had."""
        for leaf in self._leaves.values():
            if not isinstance(leaf.owner, int):
                leaf.tensor._grad = leaf.before

    def left(self, results: list[Tensor]) -> LeftGradients:
        """What they are at the end of the program; those that are not among its results are added to these."""
        left = LeftGradients(len(results))
        numbers = {id(tensor): number for number, tensor in enumerate(results)}
        for leaf in self._leaves.values():
            if leaf.is_certain and not leaf.was_read:
                left.dropped.append(leaf.owner)
            if leaf.was_read:
                left.expected.append((leaf.owner, None if leaf.before is None else leaf.before.meta))
            if leaf.stand_in is not None:
                left.inputs.append(leaf.owner)
                left.returned += [(k, leaf.owner) for k, tensor in enumerate(results[: left.results]) if tensor is leaf.stand_in]
            now = leaf.tensor._grad
            if now is leaf.stand_in and leaf.was_read:
                continue
            if now is None or not now.impl.is_lazy:
                left.constant.append((leaf.owner, now))
                continue
            if id(now) not in numbers:
                numbers[id(now)] = len(results)
                results.append(now)
            left.computed.append((leaf.owner, numbers[id(now)]))
        return left

    def _meet(self, tensor: Tensor, was_read: bool) -> _Leaf | None:
        """The leaf of a tensor whose gradient is met for the first time."""
        position = self._positions.get(id(tensor))
        is_found = not tensor.impl.is_lazy and (tensor._node is None or isinstance(tensor._node, AccumulateGrad))
        if id(tensor) in self._leaves or (position is None and not is_found):
            return None
        owner: Owner = tensor if position is None else position
        before = (tensor if position is None else self._given[position])._grad
        leaf = self._leaves[id(tensor)] = _Leaf(tensor, owner, before, was_read, not self._may_fail())
        return leaf


@dataclass
class LeftGradients:
    """What a run needs of its leaves' gradients, and leaves in them.

    Attributes:
        results: how many tensors the program returns; what it only leaves is behind them.
        expected: the metas of gradients that the program was captured with; None where there was none.
        inputs: whose gradients are its last inputs.
        returned: of results that are such gradients themselves the numbers, and whose they are.
        computed: whose gradients are new, and their numbers among the results.
        constant: whose gradients are None behind the run, or a tensor from outside.
        dropped: whose gradients every run sets, and never reads.
    """

    results: int
    expected: list[tuple[Owner, TensorMeta | None]] = field(default_factory=list)
    inputs: list[Owner] = field(default_factory=list)
    returned: list[tuple[int, Owner]] = field(default_factory=list)
    computed: list[tuple[Owner, int]] = field(default_factory=list)
    constant: list[tuple[Owner, Tensor | None]] = field(default_factory=list)
    dropped: list[Owner] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.expected or self.inputs or self.returned or self.computed or self.constant)

    def hold(self, given: Sequence[Tensor]) -> bool:
        """Whether the gradients are like those that the program was captured with."""
        for owner, meta in self.expected:
            grad = _owner(owner, given)._grad
            if (None if grad is None else grad.meta) is not meta:
                return False
        return True

    def given(self, given: Sequence[Tensor]) -> list[Tensor]:
        """The gradients that are inputs of a run."""
        return [_owner(owner, given)._grad for owner in self.inputs]  # type: ignore[misc]

    def drop(self, given: Sequence[Tensor]) -> None:
        """Before a run: let go of the gradients that it replaces."""
        for owner in self.dropped:
            _owner(owner, given)._grad = None

    def leave(self, given: Sequence[Tensor], outputs: list[Tensor]) -> None:
        """Let the leaves have the gradients of a run, and keep of its outputs what the program returns."""
        for number, owner in self.returned:
            outputs[number] = _owner(owner, given)._grad  # type: ignore[assignment]
        for owner, number in self.computed:
            _owner(owner, given)._grad = outputs[number]
        for owner, constant in self.constant:
            _owner(owner, given)._grad = constant
        del outputs[self.results :]


def _owner(owner: Owner, given: Sequence[Tensor]) -> Tensor:
    return given[owner] if isinstance(owner, int) else owner

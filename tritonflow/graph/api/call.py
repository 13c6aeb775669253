"""A call of a captured function: its arguments, and what kind of call it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from tritonflow.device.device import Device
from tritonflow.dtypes import DType, get_default_dtype
from tritonflow.framework.function_overrides import adopted, takes_over
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.tensor import Tensor
from tritonflow.graph.api.captured import plain
from tritonflow.graph.capture.pytree import flatten
from tritonflow.graph.watch.slots import StateSlot
from tritonflow.interpreter.grad_node import AccumulateGrad
from tritonflow.interpreter.recording import edges_of
from tritonflow.ops.precision import Policy, policy
from tritonflow.thread_state import thread_state


class CallKind(NamedTuple):
    """What two calls must have in common to run the same graphs.

    Attributes:
        structure: the pytree of the arguments.
        metas: of the tensors among them, strides included: these say what is a view and what a copy.
        histories: the positions of the tensors that require grad, and whether each is a leaf.
        grad_enabled: of the thread; None in inference mode.
        autocast, default_dtype, device, precision: the modes of the thread.
        context: what else the program depends on, as `CapturedFunction.context` says.
    """

    structure: Any
    metas: tuple[TensorMeta, ...]
    histories: tuple[tuple[int, bool], ...]
    grad_enabled: bool | None
    autocast: Any
    default_dtype: DType
    device: Device | None
    precision: Policy
    context: tuple[Any, ...]


class Call:
    """The arguments of a call, and the modes around it.

    Args:
        args, kwargs: the arguments.
        differentiable: whether the results of the captured function have a history.
        context: what else its program depends on.

    Attributes:
        given: the tensors among the arguments, as they came.
        tensors: these as inputs of a graph, by `plain`.
        numbers: the ints and floats among the arguments.
        key: equal to `kind`, but a plain tuple: every call looks for its graph by it, and a tuple is made in less time.
        arguments: the arguments as they came.
        histories: the positions of the tensors that require grad, and whether each is a leaf.
        lifted_structure, lifted_key: the pytree of the slots that are arguments, too, and what kind of values they hold.
        held: the arguments, and behind them the values of these slots.
    """

    __slots__ = ("given", "tensors", "numbers", "key", "arguments", "histories", "lifted_structure", "lifted_key", "held")

    def __init__(self, args: Any, kwargs: Any, differentiable: bool, context: tuple[Any, ...]) -> None:
        self.given: list[Tensor] = []
        self.numbers: list[Any] = []
        self.arguments: tuple[Any, Any] = (args, kwargs)
        self.held: tuple[Any, ...] = self.arguments
        self.lifted_structure: Any = None
        self.lifted_key: Any = None
        structure = flatten((args, kwargs), self.given, self.numbers, {})
        given = self.given
        self.tensors = given.copy()
        for tensor in given:
            if tensor._node is not None or tensor._view is not None or not tensor.meta.is_contiguous:
                self.histories = self._plain(0, differentiable)
                break
        else:
            self.histories = []
        if len(given) > 1 and (given[0] is given[1] if len(given) == 2 else len({*map(id, given)}) != len(given)):
            context = (*context, repeated(self.given))
        if adopted.any:  # most programs have none
            context = (*context, *_subclasses(given))
        if thread_state.rank is not None:  # a thread of a simulated world, which shares its functions with others
            context = (*context, thread_state.rank.index, thread_state.rank.world_size)
        self.key = (
            structure,
            tuple([tensor.meta for tensor in given]),
            tuple(self.histories),
            None if thread_state.inference else thread_state.grad_enabled,
            _autocast(),
            get_default_dtype(),
            thread_state.device,
            policy(),
            context,
        )

    def _plain(self, first: int, differentiable: bool) -> list[tuple[int, bool]]:
        """Make plain inputs of the tensors from a position on; those that require grad."""
        histories, tensors = [], self.tensors
        for position in range(first, len(self.given)):
            tensor = self.given[position]
            if tensor._node is not None or tensor._view is not None or not tensor.meta.is_contiguous:
                tensors[position] = plain(tensor)
                (edge,) = edges_of((tensor,))
                if edge is not None and (differentiable or isinstance(edge[0], AccumulateGrad)):
                    histories.append((position, isinstance(edge[0], AccumulateGrad)))
        return histories

    def with_lifted(self, slots: Sequence[StateSlot], differentiable: bool) -> Call:
        """The call of a program whose arguments are these and the values of slots."""
        call: Call = object.__new__(Call)
        call.given, call.numbers = self.given.copy(), self.numbers.copy()
        call.arguments, call.key = self.arguments, self.key
        first = len(call.given)
        values = tuple([slot.get() for slot in slots])
        call.held = (*call.arguments, values)
        call.lifted_structure = flatten(values, call.given, call.numbers)
        call.tensors = [*self.tensors, *call.given[first:]]
        histories = call._plain(first, differentiable)
        call.histories = [*self.histories, *histories]
        metas = tuple([tensor.meta for tensor in call.given[first:]])
        kinds = _subclasses(call.given[first:]) if adopted.any else ()
        call.lifted_key = call.lifted_structure, metas, tuple(histories), repeated(call.given), *kinds
        return call

    def with_sizes(self, sizes: Sequence[int]) -> Call:
        """The call with sizes behind its numbers."""
        call: Call = object.__new__(Call)
        for name in Call.__slots__:
            setattr(call, name, getattr(self, name))
        call.numbers = [*self.numbers, *sizes]
        return call

    @property
    def held_structure(self) -> Any:
        """The pytree of `held`."""
        structure = self.key[0]
        return structure if self.lifted_structure is None else (*structure, self.lifted_structure)

    @property
    def kind(self) -> CallKind:
        """What kind of call it is."""
        return CallKind._make(self.key)


def repeated(tensors: Sequence[Tensor]) -> tuple[int, ...]:
    """For each tensor the position where it stands first."""
    first: dict[int, int] = {}
    return tuple([first.setdefault(id(tensor), position) for position, tensor in enumerate(tensors)])


def _subclasses(tensors: Sequence[Tensor]) -> list[tuple[int, type]]:
    """The positions and classes of tensors whose classes take over functions: what these make of the call is in its program."""
    kinds = [tensor.__class__ for tensor in tensors]
    return [(position, kind) for position, kind in enumerate(kinds) if kind is not Tensor and takes_over(kind)]


def _autocast() -> Any:
    """What autocast does around the call."""
    state = thread_state.autocast
    return None if state is None or not state.enabled else (state.enabled, tuple(state.dtypes.items()))

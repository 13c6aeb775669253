"""Slots: memory in which units have their whole parameters, one unit at a time. Its addresses never change.

```
unit a    forward: a's parameters are gathered into the slot, its ops read them
unit b    forward: b's take their position
          backward of b: they are there
unit a    backward of a: an op asks for the memory of one of a's parameters, finds b's, and gathers a's again
```

So whatever has saved a parameter for backward, as nodes, checkpoints and compiled functions do, finds it at the address that it
remembers. The machine orders a gather behind the last op that reads the slot.
"""

from __future__ import annotations

import warnings
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tritonflow import _C
from tritonflow.device.device import Device
from tritonflow.device.memory import Block
from tritonflow.device.stream import current_stream
from tritonflow.dtypes import uint8
from tritonflow.errors import InplaceError, NoDataError
from tritonflow.framework.tensor import Tensor
from tritonflow.framework.tensor_impl import LazyTensorImpl, TensorImpl
from tritonflow.thread_state import thread_state
from tritonflow.vm.machine import Mark, machine

if TYPE_CHECKING:
    from tritonflow.nn.parallel.captured_unit import CapturedUnit
    from tritonflow.nn.parallel.unit import Unit

_ALTERNATIONS = 4  # of two units in one pass, after which they are warned of


class ParameterSlot:
    """Memory for the largest of the units that share it.

    Attributes:
        owner: the unit whose parameters are there.
        version: that of the owner's shards which they have.
        gathers: how many times parameters were written there.
        captured: the unit, in its capture, whose parameters would be there now if the program ran as it is captured.
    """

    def __init__(self, nbytes: int, device: Device) -> None:
        self._nbytes, self._device = nbytes, device
        self.captured: CapturedUnit | None = None
        self.owner: Unit | None = None
        self.version = 0
        self.gathers = 0
        self._owners: list[Unit] = []  # the last ones of a pass
        self._marks: list[Mark] = []  # behind the writes of the last two
        self._warned = False

    @cached_property
    def memory(self) -> Tensor:
        """The bytes, which are there from the first use in eager mode on."""
        found: Tensor = _C.empty((self._nbytes,), dtype=uint8, device=self._device)
        return found

    def has(self, unit: Unit) -> bool:
        """Whether a unit's parameters are there, as they are now."""
        return self.owner is unit and self.version == unit.version

    def take(self, unit: Unit) -> None:
        """A unit's parameters were written there."""
        self.owner, self.version = unit, unit.version
        self.gathers += 1
        self._marks = [*self._marks[-1:], machine.record(current_stream(self._device))]
        self._owners = [*self._owners[1 - _ALTERNATIONS :], unit]
        names = [one.name for one in self._owners]
        if not self._warned and len(names) == _ALTERNATIONS and names[:2] == names[2:] and names[0] != names[1]:
            self._warned = True
            warnings.warn(
                f"fully_shard: the units '{names[0]}' and '{names[1]}' are used in turn, and each use gathers parameters again;"
                " help: make them one unit, or give one of them reshard_after_forward=False",
                stacklevel=2,
            )

    def wait_for_room(self) -> None:
        """Wait until parameters before the last ones were written there: what ranks send for them takes memory until then.

        A thread that runs ahead of its machine would have the messages of all units in memory at once.
        """
        if len(self._marks) == 2:
            machine.synchronize(self._marks[0])

    def begin_pass(self) -> None:
        """A forward of the whole model, or a backward, begins."""
        self._owners = []


class SlotImpl(TensorImpl):
    """The memory of a unit's whole parameters: whoever asks for `block` finds them there.

    Attributes:
        unit: the unit.
    """

    __slots__ = ("unit", "base", "__weakref__")

    def __init__(self, unit: Unit) -> None:
        self.unit = unit

    @property
    def version(self) -> int:
        """That of the shards."""
        return self.unit.version

    @version.setter
    def version(self, value: int) -> None:
        self.unit.slot.owner = None  # what was written is not in the shards
        raise _written(self.unit)

    @property
    def block(self) -> Block:
        """The slot's memory, with the unit's parameters.

        Raises:
            NotImplementedError: neither a forward of the unit nor a backward runs: other units use the memory then.
        """
        unit = self.unit
        if not unit.depth and thread_state.backward is None:
            raise NoDataError(
                f"fully_shard: a whole parameter of unit '{unit.name}' is read outside of the unit's forward; help: let forward"
                " return a clone of it, or read the parameter itself, which is a consistent tensor"
            )
        if not unit.slot.has(unit):
            unit.bring()
        found: Block = unit.slot.memory.impl.block
        return found


class CapturedImpl(LazyTensorImpl):
    """A whole parameter of a unit in a capture, which is not written either.

    Args:
        unit: the unit.
        value: of the program.
    """

    __slots__ = ("unit",)

    def __init__(self, unit: Unit, value: Any) -> None:
        self.unit, self.value = unit, value

    @property
    def version(self) -> int:
        """It is never another one."""
        return 0

    @version.setter
    def version(self, value: int) -> None:
        raise _written(self.unit)


def _written(unit: Unit) -> InplaceError:
    return InplaceError(
        f"fully_shard: a parameter of unit '{unit.name}' was written in its forward, where it is a copy that is gathered anew;"
        " help: write the parameter outside of forward"
    )


def view_of_slot(impl: SlotImpl, whole: Any) -> Tensor:
    """A whole parameter as programs see it: the memory of `whole`, by the unit's impl."""
    return Tensor(whole.meta, impl, whole.ptr)

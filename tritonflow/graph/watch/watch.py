"""The watch of one capture: what user code reads and writes of what was there before.

Only what comes from *outside* of the call matters. A value is from outside if it was read from a place that is outside: a global
variable, a variable of a closure, an attribute or item of an object from outside. What the function makes itself is its own.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import get_ident
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy

from tritonflow.amp import GradScaler
from tritonflow.errors import CaptureError
from tritonflow.framework.runtime_scalar import RuntimeScalar
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.random_generator import Generator
from tritonflow.graph.watch.contents import CONTAINERS, Content, is_large
from tritonflow.graph.watch.deferred import Deferred
from tritonflow.graph.watch.generator_states import GeneratorStates
from tritonflow.graph.watch.modules import watched_modules
from tritonflow.graph.watch.outside import ATOMS, Outside
from tritonflow.graph.watch.records import (
    UNCHANGED,
    BackwardReads,
    ChangedError,
    ContainerChange,
    SlotRecord,
    in_order,
)  # fmt: skip
from tritonflow.graph.watch.rewrite import Current, Rewriter, untold
from tritonflow.graph.watch.slots import (
    ABSENT,
    ITEM,
    AttributeSlot,
    CalledSlot,
    ItemSlot,
    ModuleSlot,
    ReferenceSlot,
    StateSlot,
    is_written,
    names_of_slots,
    own_dict,
    underlying,
)
from tritonflow.graph.watch.tracer import Tracer
from tritonflow.graph.watch.user_code import is_library_class, is_namespace_of_library
from tritonflow.nn import Module, global_hooks
from tritonflow.optim import Optimizer
from tritonflow.optim.lr_scheduler import LRScheduler
from tritonflow.vm.failure import caller, describe

VERSIONED = (Tensor, Module, Optimizer, Generator, LRScheduler, GradScaler, ModuleType)  # whose changes are seen in other ways
OF_TENSORS = frozenset(("_output_nr", "_grad", "_retains_grad", "_is_exposed", "_was_viewed", "_is_of_function"))
_FIXED = (FunctionType, BuiltinFunctionType, MethodType, ModuleType, type)  # which nobody replaces between a call and its backward


class Watch(Outside):
    """A scope in which user code of this thread is watched.

    Args:
        rewritten: makes code with probes.

    Attributes:
        records: what was read and set, by the keys of slots.
        contents: containers of which everything was read, and what they held.
        changed: containers that were changed, and what they held before.
        operations: the calls that changed them.
        doubts: why the program may be another in the next call; each may be taken back by `flow.compiler.constant`.
        own_dicts: by the identities of dicts the objects whose attributes they hold.
        live: the keys of slots that each run looks up.
        kinds: by the identities of objects, these and the classes that they have.
        refilled: by their identities, containers that are filled anew behind each run, as their changes would run user code.
        argument_ids: the identities of the tensors that stand for arguments.
        unknown: the keys of slots that will be set behind the run, and by what.
        behind: the identities of objects that are changed behind the run, and by what.
        layout_read: whether the program is right only for arguments that are at the beginning of their storages.
        arguments_lie_plainly: whether those of the call do.
        changes: how often user code has set something.
        backward: what the backward of a call reads of Python; None while the function itself runs.
        arguments_read: of tensors among the arguments that user code asks as an object: the position, a function, what it gave.
    """

    def __init__(self, rewritten: Rewriter) -> None:
        super().__init__(rewritten)
        self.records: dict[Any, SlotRecord] = {}
        self.contents: dict[int, Content] = {}
        self.changed: dict[int, Content] = {}
        self.operations: list[ContainerChange] = []
        self.doubts: list[str] = []
        self.own_dicts: dict[int, Any] = {}
        self.kinds: dict[int, tuple[Any, type]] = {}
        self.refilled: dict[int, Any] = {}
        self.argument_ids: set[int] = set()
        self.live: set[Any] = set()
        self.unknown: dict[Any, str] = {}
        self.behind: dict[int, str] = {}
        self.layout_read = False
        self.arguments_lie_plainly = True
        self.changes = 0
        self.backward: BackwardReads | None = None
        self.arguments_read: list[tuple[int, Callable[[Tensor], Any], Any]] = []
        self._suspect: Content | None = None
        self._last_line = ""
        self._stand_ins: dict[int, tuple[int, Tensor]] = {}
        self.made_classes: dict[int, type] = {}  # those that the function makes itself, and calls
        self.made: dict[int, Module] = {}  # modules that the function makes itself
        self.generators = GeneratorStates()
        self.tracer = Tracer(self._codes, self._own)
        self.deferred: Deferred | None = None  # what is printed, logged and warned of

    # ------------------------------------------------------------------------------------------------------- the scope

    @contextmanager
    def watching(self) -> Iterator[None]:
        """A block whose user code is watched."""
        Current.thread, Current.watch = get_ident(), self
        self.deferred = deferred = Deferred(self)
        self.generators.begin()
        for table in global_hooks.tables():
            self.see(table)
            self.read_content(table)
        try:
            with watched_modules(self):
                yield
        finally:
            self.tracer.end()
            deferred.end()
            self.deferred = None
            Current.watch = None
            self.put_back_codes()

    def see_arguments(self, code: CodeType, arguments: tuple[Any, ...]) -> None:
        """A library calls user code: with objects that nothing which is read has led to."""
        for position, value in enumerate(arguments):
            if position == 0 and code.co_name in ("__init__", "__new__", "__post_init__"):
                self.own(value)
            elif isinstance(value, (Module, Optimizer)) or not (type(value) in ATOMS or is_library_class(type(value))):
                if id(value) not in self._own and not isinstance(value, (tuple, *CONTAINERS)):
                    self.see(value)

    def stand_in(self, tensors: Sequence[Tensor], given: Sequence[Tensor]) -> None:
        """Give the tensors that stand for arguments the classes and the attributes that these have."""
        for position, (tensor, argument) in enumerate(zip(tensors, given)):
            self._stand_ins.setdefault(id(tensor), (position, tensor))
            if type(argument) is not type(tensor):
                object.__setattr__(tensor, "__class__", type(argument))
            for name, value in vars(argument).items():
                if name not in OF_TENSORS:
                    tensor.__dict__[name] = value

    def read_attribute_of(self, tensor: Tensor, name: str) -> None:
        """Note that user code asks for an attribute that the class of a tensor of the program has not."""
        if id(tensor) in self._stand_ins:
            value = tensor.__dict__.get(name, ABSENT)
            self.see(value)
            self.arguments_read.append((self._stand_ins[id(tensor)][0], lambda given: given.__dict__.get(name, ABSENT), value))

    def look_for_change_of(self, container: Any) -> None:
        """Find the line that calls who changes a container."""
        self._suspect, self._last_line = Content(container), ""

    def check_suspect(self) -> None:
        """Called before each call of user code.

        Raises:
            ChangedError: the call before it has changed the container.
        """
        suspect = self._suspect
        if suspect is not None:
            if id(suspect.container) in self.contents and not suspect.holds() and not self._is_explained(suspect):
                raise ChangedError(suspect.container, self._last_line)
            self._last_line = f", at {describe(caller(3))}"

    # ------------------------------------------------------------------------------------------- what comes from outside

    def original(self, value: Any) -> Any:
        """The function that a value stands for while the program is captured; any other value itself."""
        return value if self.deferred is None else self.deferred.original(value)

    def check_identity(self, *values: Any) -> None:
        """Note that user code asks whether two values are one object."""
        if self.deferred is not None:
            self.deferred.refuse_to_compare(*values)

    # ------------------------------------------------------------------------------------------------ the end of a capture

    def lift(self, slot: StateSlot, value: Any) -> None:
        """Let a slot be an argument of the program, for which `value` stands."""
        self.records[slot.key] = SlotRecord(slot, slot.get(), True, placed=value)
        slot.set(value)

    def set_behind(self, owner: Any, what: str) -> None:
        """Note that the attributes of an object will be set behind the run."""
        self.behind[id(owner)] = what
        for name in vars(owner):
            self.unknown[id(vars(owner)), ITEM, name] = what

    def defer(
        self, what: str, function: Callable[..., Any], arguments: tuple[Any, ...], keywords: dict[str, Any]
    ) -> ContainerChange:
        """Call a function behind each run; what was noted of it."""
        self._note_change()
        change = ContainerChange(None, function, arguments, keywords)
        self.operations.append(change)
        return change

    @untold()
    def settle(self) -> None:
        """The function has ended: let what is printed behind the run show what was there when it was printed."""
        if self.deferred is not None:
            self.deferred.settle()

    def look_up(self, slot: StateSlot) -> bool:
        """Let each run look up a slot, whatever it was; False if the program has set it, or it is an argument."""
        record = self.records.get(slot.key)
        if record is not None and (record.written or record.placed is not ABSENT):
            return False
        if slot.key in self.unknown:
            what = self.unknown[slot.key]
            self.refuse(f"uses '{slot.name}', which {what} sets behind the run", f"call {what} outside")
        if record is None:
            self.records[slot.key] = SlotRecord(slot, slot.get(), False)
            self.live.add(slot.key)
        return True

    @untold()
    def written(self) -> list[tuple[SlotRecord, Any]]:
        """The slots that the program sets, in order, and what to.

        Raises:
            ChangedError: a container that was read has changed, and no user code did it.
        """
        found = []
        for record in self.records.values():
            value = UNCHANGED if isinstance(record.slot, CalledSlot) else record.now()
            if value is not UNCHANGED:
                if record.before is ABSENT and isinstance(record.slot, ModuleSlot) and record.slot.key_in_table() in self.records:
                    raise CaptureError(f"the function registers '{record.slot.name}' of a module: register it outside")
                record.written = True
                found.append((record, value))
            elif record.written and record.placed is ABSENT:
                record.read = True  # it was set to what it was: the next run may find something else there
        for key, content in self.contents.items():
            if key not in self.changed and not content.holds() and not self._is_explained(content):
                raise ChangedError(content.container, self._last_line)
        return in_order(found)

    def _is_explained(self, content: Content) -> bool:
        """Whether all that has changed in a dict was set by user code."""
        if not isinstance(content.container, dict):
            return False
        before, now = dict(zip(content.keys, content.items)), content.container
        for name in {**before, **now}:
            if before.get(name, ABSENT) is not now.get(name, ABSENT):
                record = self.records.get((id(now), ITEM, name))
                if record is None:
                    return False
        return True

    def replayed_whole(self) -> set[int]:
        """The containers whose changes are calls that have to be repeated in order."""
        return {id(operation.container) for operation in self.operations if not operation.is_of_a_slot()}

    def forget(self) -> None:
        """Keep no object alive: the program is captured."""
        for table in (self._outside, self._own, self.own_dicts, self.kinds, self.made, self.made_classes):
            table.clear()  # type: ignore[attr-defined]
        self.generators = GeneratorStates()

    @untold()
    def undo(self) -> None:
        """Put back all that was changed: the program has not run."""
        contents = {**self.contents, **self.changed}
        for content in contents.values():
            if not content.holds():
                content.restore()
        for record in self.records.values():
            if isinstance(record.slot, CalledSlot) or record.is_restored_with(contents.get(id(record.slot.holder))):
                continue
            if record.slot.get() is not record.before:
                record.slot.put(record.before)
        self.generators.put_back()

    # --------------------------------------------------------------------------------------------------- reads and writes

    def _note_change(self) -> None:
        self.changes += 1
        if self.backward is not None:
            self.refuse(
                "sets a variable or prints in its backward, which a captured backward cannot do",
                "call backward() inside of the function",
            )

    def _read_in_backward(self, slot: StateSlot, value: Any) -> None:
        """Note that user code in the backward reads a slot: what it holds must be the same when the backward runs."""
        if self.backward is None or isinstance(value, _FIXED):
            return
        record = self.records.get(slot.key)
        if record is not None and type(value) not in ATOMS and (record.written or record.placed is not ABSENT):
            self.refuse(f"reads '{slot.name}' in its backward, which it has set itself", "call backward() inside of the function")
        self.backward.slots[slot.key] = slot, value

    def read_item(self, holder: Any, item: Any, name: str, value: Any, kind: type[ItemSlot] = ItemSlot) -> None:
        """Note that user code reads an item of a list or dict from outside, which is `value`."""
        key = id(holder), ITEM, item
        record = self.records.get(key)
        if self.backward is not None:
            self._read_in_backward(kind(holder, item, name), value)
        if key in self.unknown:
            what = self.unknown[key]
            self.refuse(f"reads what {what} sets, which happens behind the run", f"call {what} outside")
        elif record is None:
            self.records[key] = self._record(kind(holder, item, name), value, True)
            self.see(value)
        elif not record.read and value is record.before and key not in self.live:  # set, and put back: by a library, for a while
            record.read = True
        elif key in self.live and not record.written and type(value) is not RuntimeScalar:
            record.read = True
            self.live.discard(key)

    def note_replaced(self, own: dict[str, Any], name: str, value: Any) -> None:
        """Note what an entry of a module's table was before a library put something else there, as `functional_call` does."""
        key = id(own), ITEM, name
        if key in self.records:
            return
        for table in ModuleSlot.TABLES:
            content = self.contents.get(id(own.get(table)))
            before = ABSENT if content is None else content.item(name)
            if before is not ABSENT and before is not value:
                self.see(before)
                self.records[key] = SlotRecord(ModuleSlot(own, name, name), before, False)

    def read_slot(self, slot: StateSlot) -> None:
        """Note that user code reads a slot."""
        if self.backward is not None:
            self._read_in_backward(slot, slot.get())
        if slot.key not in self.records:
            value = slot.get()
            self.records[slot.key] = self._record(slot, value, True)
            self.see(value)

    def write_slot(self, slot: StateSlot, removes: bool = False) -> None:
        """Note that user code is about to set a slot, or to empty it."""
        self._note_change()
        record = self.records.get(slot.key)
        if record is None:
            value = slot.get()
            record = self.records[slot.key] = self._record(slot, value, False)
            self.see(value)
        record.written = True
        record.removed |= removes

    def _record(self, slot: StateSlot, value: Any, read: bool) -> SlotRecord:
        """What is noted of a slot that has a value."""
        if self.deferred is not None:
            original, placed = self.deferred.placed(slot, value)
            return SlotRecord(slot, original, read, placed=placed)
        return SlotRecord(slot, value, read)

    def read_content(self, container: Any) -> None:
        """Note that all that a container from outside holds is read.

        Raises:
            CaptureError: it is too large to be compared in every run.
        """
        if self.backward is not None and id(container) not in self.backward.contents:
            if id(container) in self.changed:
                self.refuse("reads a container in its backward that it has changed", "call backward() inside of the function")
            self.backward.contents[id(container)] = self.contents.get(id(container)) or Content(container)
        if id(container) in self.contents or is_namespace_of_library(container):
            return
        if is_large(container):
            why = "reads a NumPy array of more than 64 KiB, which the next run may find changed"
            self.refuse(why, "make a tensor of it outside")
        if isinstance(container, numpy.ndarray) and container.dtype.hasobject:
            self.refuse("reads a NumPy array of objects, which the next run may find changed", "use a list")
        found = self.contents[id(container)] = self.changed.get(id(container)) or Content(container)
        if not isinstance(container, (numpy.ndarray, bytearray)):
            if self.deferred is not None:
                self.deferred.take_back(found)
            for item in found.items:
                self.see(item)

    def read_deeply(self, value: Any, depth: int = 8) -> None:
        """Note that a library reads a value and whatever it holds."""
        kind = type(value)
        if kind in ATOMS or depth == 0 or isinstance(value, (Tensor, Module)):
            return
        if isinstance(value, (*CONTAINERS, tuple, frozenset)):
            if self.is_outside(value) and isinstance(value, CONTAINERS):
                self.read_content(value)
            if not isinstance(value, (numpy.ndarray, bytearray)):
                for item in dict.values(value) if isinstance(value, dict) else tuple(value):
                    self.read_deeply(item, depth - 1)
        elif kind is BuiltinFunctionType:  # which may change what it is a method of
            if isinstance(value.__self__, CONTAINERS) and self.is_outside(value.__self__):
                self.read_content(value.__self__)
        elif kind in (FunctionType, MethodType) or isinstance(value, (type, functools.partial)):
            self.see(value)
        elif kind in weakref.ProxyTypes:
            self.refuse("uses a weak proxy, whose object may be gone in the next call", "use a weakref.ref")
        elif self.is_outside(value) and not isinstance(value, VERSIONED):
            behind = underlying(value)
            if behind is not value:
                self.see(behind)
                self.read_deeply(behind, depth)
            elif isinstance(value, weakref.ref):
                self.read_slot(ReferenceSlot(value))
                self.see(value())
            else:
                self.read_object(value)

    def read_object(self, owner: Any) -> None:
        """Note that a library reads an object from outside, by its own attributes.

        A kernel is left out: a launch looks itself whether what the kernel reads has changed.
        """
        if type(owner).__module__.startswith("triton."):
            return
        if not is_library_class(type(owner)):
            self.read_kind(owner)
            for name in names_of_slots(type(owner)):
                self.read_slot(AttributeSlot(owner, name))
        own = own_dict(owner)
        if isinstance(own, dict) and id(own) not in self.contents:
            self.see(own)
            self.own_dicts[id(own)] = owner
            self.read_content(own)
            for item in tuple(own.values()):
                self.read_deeply(item, 4)

    def read_kind(self, owner: Any) -> None:
        """Note that user code asks for the class of an object from outside, or of an argument, for which a tensor stands."""
        if id(owner) in self._stand_ins:
            position, tensor = self._stand_ins[id(owner)]
            self.arguments_read.append((position, type, type(tensor)))
        kind = type(owner)
        is_module = isinstance(owner, Module)
        if id(owner) not in self._own and (id(owner) not in self.made if is_module else self.is_outside(owner)):
            if is_module or not (isinstance(owner, type) or is_library_class(kind)):
                self.kinds.setdefault(id(owner), (owner, kind))

    def read_text(self, value: Any) -> None:
        """Note that a text is made of a value.

        Raises:
            CaptureError: there is a tensor in it, whose numbers are not known.
        """
        if isinstance(value, (list, tuple, set, dict)):
            for item in value.values() if isinstance(value, dict) else value:
                self.read_text(item)
            self.read_deeply(value)
        elif id(value) in self.argument_objects and not is_written(type(value), "__repr__"):
            self.refuse_identity(value)

    def read_layout(self, name: str) -> None:
        """Note that user code asks where a tensor of the program lies: as it does if all arguments begin where their storages do.
        The strides of arguments are part of the kind of call.

        Raises:
            CaptureError: one begins elsewhere.
        """
        if name in ("is_contiguous", "stride"):
            return
        self.layout_read = True
        if not self.arguments_lie_plainly:
            self.refuse(f"calls {name}(), and an argument is in the middle of its storage", "pass x.clone()")

    def before_change(self, container: Any) -> None:
        """Note what a container from outside holds, before it is changed."""
        if id(container) not in self.changed:
            self.changed[id(container)] = self.contents.get(id(container)) or Content(container)

    def operate(self, container: Any, method: Callable[..., Any], arguments: tuple[Any, ...], keywords: dict[str, Any]) -> None:
        """Note a call that is about to change a container from outside."""
        if isinstance(container, numpy.ndarray):
            self.refuse("writes a NumPy array, which the next run would not", "write a tensor")
        self._note_change()
        self.before_change(container)
        self.operations.append(ContainerChange(container, method, arguments, keywords))

    def doubt(self, why: str) -> None:
        """Note why the next call may be another program, unless `flow.compiler.constant` says that it is not."""
        self.doubts.append(f"{why}, at {describe(caller(3))}")

    def refuse(self, why: str, instead: str) -> None:
        """End the capture: why, and what to write instead.

        Raises:
            CaptureError: always.
        """
        raise CaptureError(f"the function {why}, at {describe(caller(3))}: {instead}")

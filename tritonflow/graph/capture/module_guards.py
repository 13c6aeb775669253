"""Guards on modules: what a captured program has read of them, wherever it found them (attributes, hooks, children, tensors).

While a graph is captured, every attribute of a module that the capturing thread reads is noted with what it was. A run asks
whether they all are what they were, if any module has changed since (`framework/module_version.py`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from operator import is_
from typing import Any

from tritonflow.errors import CaptureError
from tritonflow.framework.tensor import Tensor
from tritonflow.graph.capture.capture import Capture
from tritonflow.graph.capture.pytree import flatten
from tritonflow.nn import Module
from tritonflow.thread_state import thread_state

_PLAIN = (bool, int, float, str, type(None))
_TABLES = ("_parameters", "_buffers", "_modules")
_ABSENT = object()


class _Identity:
    """A key that is equal to another one of the same object."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Identity) and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)


def guard_key(value: Any) -> Any:
    """A hashable key that is equal for two objects that a graph cannot tell apart.

    Numbers and texts compare by class and value, lists, tuples and dicts by their items, and anything else by identity.
    """
    kind = value.__class__
    if kind in _PLAIN:
        return kind, value
    if isinstance(value, (list, tuple)):
        return kind, *map(guard_key, value)
    if isinstance(value, dict):
        return kind, *[(key, guard_key(item)) for key, item in value.items()]
    return _Identity(value)


@dataclass(slots=True)
class AttributeGuard:
    """That an attribute of a module has this guard key.

    Attributes:
        own: the module's own attributes.
        name: that of the guarded one.
        key: its guard key.
    """

    own: dict[str, Any]
    name: str
    key: Any

    def holds(self) -> bool:
        """Whether it is so."""
        return bool(guard_key(_attribute(self.own, self.name)) == self.key)


@dataclass(slots=True)
class _Read(AttributeGuard):
    """An attribute as a capture first found it.

    Attributes:
        before: what it was.
        items: those it had, if it was a list or dict, such as a module's hooks.
    """

    before: Any
    items: Any

    def restore(self) -> None:
        """Make it what it was."""
        if isinstance(self.before, dict) and not _same(self.before.values(), self.items.values()):
            self.before.clear()
            self.before.update(self.items)
        elif isinstance(self.before, list) and not _same(self.before, self.items):
            self.before[:] = self.items
        now = _attribute(self.own, self.name)
        if now is self.before:
            return
        if self.before is _ABSENT:
            self.own.pop(self.name, None)
        elif now is _ABSENT or self.name in self.own:
            self.own[self.name] = self.before


class ModuleReads:
    """Notes what a capture reads of modules.

    Args:
        modules: by name, those that the program is known to have, for the texts of errors.
    """

    def __init__(self, modules: Mapping[str, Module]) -> None:
        self._named = modules
        self._first: dict[tuple[int, str], _Read] = {}  # by module and name
        self._tables: dict[int, tuple[Module, dict[str, dict[str, Any]]]] = {}  # what modules had when they were met

    @contextmanager
    def noted(self) -> Iterator[None]:
        """A block that captures; what it changes itself (counters and the like) is not what the program depends on.

        Raises:
            RuntimeError: it has put tensors of the capture into modules; they are taken out again, as after any failure.
        """

        def read(module: Module, name: str) -> Any:
            if thread_state.lazy is not None:
                self._note(module, name)
            return object.__getattribute__(module, name)

        Module.__getattribute__ = read  # type: ignore[assignment, method-assign]
        try:
            yield
            self._refuse_lazy()
        except BaseException:
            self._restore()
            raise
        finally:
            del Module.__getattribute__
        self._first = {key: first for key, first in self._first.items() if first.holds()}

    def settle(self, capture: Capture) -> None:
        """Put back what attributes were that the program read, and set to tensors it computed: it does so in every run.

        Raises:
            RuntimeError: these tensors are others in every run, and the next one would have to find them.
        """
        for first in self._set():
            if capture.varies(_tensors(first.own[first.name]), _tensors(first.before)):
                raise CaptureError(
                    f"'{first.name}' of a module was read, and then set to a tensor that build() computes, which the next run would"
                    " not find: keep it in a buffer and write into that, as with copy_(), or pass it to build() and return it"
                )
        self._put_back()

    def guards(self) -> ModuleGuards:
        """What was read, as it is outside of the capture."""
        return ModuleGuards(self._first.values())

    def modules(self) -> list[Module]:
        """Those that were met."""
        return [module for module, _ in self._tables.values()]

    def _note(self, module: Module, name: str) -> None:
        key = (id(module), name)
        if key not in self._first and not name.startswith("__"):
            own = vars_of(module)
            held = _attribute(own, name)
            items = held.copy() if isinstance(held, (dict, list)) else None
            self._first[key] = _Read(own, name, guard_key(held), held, items)
            if key[0] not in self._tables:
                self._tables[key[0]] = module, {table: dict(own[table]) for table in _TABLES[:2] if table in own}

    def _set(self) -> list[_Read]:
        """The attributes that were read, and then set to tensors of the capture."""
        return [
            first
            for first in self._first.values()
            if (now := first.own.get(first.name)) is not first.before and _has_lazy(now) and not _has_lazy(first.before)
        ]

    def _put_back(self) -> None:
        for first in self._set():
            if first.before is _ABSENT:
                del first.own[first.name]
            else:
                first.own[first.name] = first.before

    def _restore(self) -> None:
        """Put back all that was read and then set, counters too: the program has not run."""
        for first in self._first.values():
            first.restore()
        for module, tables in self._tables.values():
            for table, held in tables.items():
                vars_of(module)[table].update(held)

    def _refuse_lazy(self) -> None:
        for module, tables in self._tables.values():
            for table in tables:
                for name, tensor in vars_of(module)[table].items():
                    if tensor is not None and tensor.impl.is_lazy:
                        if tables[table].get(name) is tensor:  # when the module was met
                            raise CaptureError(
                                f"a {type(module).__name__} is copied in build(), where its '{name}' has no value: copy the module"
                                " before, outside of it"
                            )
                        raise CaptureError(
                            f"'{self._path(module)}{name}' was set to a tensor that build() computes, which has no value outside of"
                            " it: write into the tensor that is there instead, as with copy_() or add_()"
                        )

    def _path(self, module: Module) -> str:
        for root, known in self._named.items():
            for path, part in known.named_modules(prefix=root):
                if part is module:
                    return f"{path}." if path else ""
        return f"{type(module).__name__}."


class ModuleGuards:
    """Attributes of modules, and what they are.

    Args:
        reads: which, as a capture found them; what they are by now is guarded.
    """

    def __init__(self, reads: Iterable[_Read]) -> None:
        self._guards = [AttributeGuard(r.own, r.name, guard_key(_attribute(r.own, r.name))) for r in reads]
        self._mutable = [
            guard
            for guard in self._guards
            if guard.name not in _TABLES and guard.own.get(guard.name).__class__ in (list, dict)
        ]

    def changed(self) -> str:
        """The name of the first that is not; empty if they are."""
        return _first_changed(self._guards)

    def changed_inside(self) -> str:
        """The same of lists and dicts, whose changes nobody notes."""
        return _first_changed(self._mutable) if self._mutable else ""


def _same(left: Collection[Any], right: Collection[Any]) -> bool:
    """Whether they have the same objects in the same order."""
    return len(left) == len(right) and all(map(is_, left, right))


def _first_changed(guards: Sequence[AttributeGuard]) -> str:
    return next((guard.name for guard in guards if not guard.holds()), "")


def _tensors(value: Any) -> list[Tensor]:
    found: list[Tensor] = []
    flatten(value, found, [])
    return found


def _has_lazy(value: Any) -> bool:
    return any(tensor.impl.is_lazy for tensor in _tensors(value))


def vars_of(module: Module) -> dict[str, Any]:
    """A module's own attributes, read without being noted."""
    own: dict[str, Any] = object.__getattribute__(module, "__dict__")
    return own


def _attribute(own: dict[str, Any], name: str) -> Any:
    """What a module has under a name."""
    if name in own:
        return own[name]
    for table in _TABLES:
        if name in own.get(table, ()):
            return own[table][name]
    return _ABSENT

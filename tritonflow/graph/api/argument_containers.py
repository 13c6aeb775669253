"""What the arguments of a call hold besides tensors and numbers: containers and objects."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy

from tritonflow.errors import CaptureError
from tritonflow.framework.tensor import Tensor
from tritonflow.graph.capture.objects import object_class
from tritonflow.graph.capture.pytree import OBJECT, children, is_leaf
from tritonflow.graph.ir import Graph
from tritonflow.graph.watch.contents import CONTAINERS, Content, alike
from tritonflow.graph.watch.makers import Maker, Run
from tritonflow.graph.watch.outside import ATOMS
from tritonflow.graph.watch.records import ArgumentChange, IdentityError
from tritonflow.graph.watch.slots import ABSENT, attributes_of, is_written, own_dict
from tritonflow.graph.watch.stores import items_of
from tritonflow.graph.watch.watch import Watch

_BUILT_IN = (list, dict, set, deque, numpy.ndarray)


class ArgumentContainers:
    """The containers and objects among the arguments, as the function got them: copies with the tensors of the program.

    Args:
        structure: of the arguments.
        arguments: they themselves.

    Attributes:
        makers: by their identities, what finds them in the arguments of a run.
        objects: those that are taken apart only if nothing forbids it.
        outside: the identities of containers and objects that the function finds in variables, and of keys of dicts.
    """

    def __init__(self, structure: Any, arguments: Any) -> None:
        self.makers: dict[int, Maker] = {}
        self.objects: list[Any] = []
        self.outside: frozenset[int] = frozenset()
        self._keys: set[int] = set()
        self._of_objects: list[Maker] = []
        self._before: list[_State] = []
        for find, key, child in children(structure):  # a tuple, and a dict of those by name, which no function gets
            given, maker = find(arguments, key), _found(_arguments_of, find, key)
            for inner_find, inner_key, inner in () if is_leaf(child) else children(child):
                self._add(inner, inner_find(given, inner_key), _found(maker, inner_find, inner_key))

    def _add(self, structure: Any, value: Any, maker: Maker) -> None:
        if is_leaf(structure):
            if isinstance(value, (set, numpy.ndarray)) and id(value) not in self.makers and structure[0] is type(value):
                self._note(value, maker)
            return
        if structure[0] is OBJECT or isinstance(value, _BUILT_IN) or hasattr(value, "__dict__"):
            self._note(value, maker)
        known = object_class(type(value)) if structure[0] is OBJECT else None
        if known is not None and not known.is_free:
            self.objects.append(value)
        if isinstance(value, dict):
            self._keys.update(_identities(dict.keys(value)))
        for find, key, child in children(structure):
            self._add(child, find(value, key), _found(maker, find, key))

    def _note(self, value: Any, maker: Maker) -> None:
        self.makers[id(value)] = maker
        if type(value) not in _BUILT_IN:
            self._of_objects.append(maker)
        self._before.append(_State(value))

    def copies(self) -> list[Any]:
        """All of them."""
        return [state.value for state in self._before]

    def identities(self) -> set[int]:
        """Of those that no other object is equal to, or has the hash of."""
        values = [(state.value, type(state.value)) for state in self._before]
        return {id(v) for v, kind in values if not is_written(kind, "__eq__") or not is_written(kind, "__hash__")}

    def dicts_of_attributes(self) -> dict[int, Maker]:
        """By their identities, what finds the dicts that hold the attributes of objects."""
        found = [(own_dict(state.value), self.makers[id(state.value)]) for state in self._before]
        return {id(own): _found(maker, lambda value, _: own_dict(value), None) for own, maker in found if own is not None}

    def changes(self) -> list[ArgumentChange]:
        """What the function has changed of them.

        Raises:
            CaptureError: it has changed something in a way that no run repeats.
        """
        found = [state.change() for state in self._before]
        return [change for change in found if change is not None]

    def refuse_shared(self, described: Sequence[Any], graph: Graph) -> None:
        """Refuse to give or write what is in the memory of an array among the arguments: in a run it would be that of a copy.

        Args:
            described: what the program gives.
            graph: the program.

        Raises:
            CaptureError: something is.
        """
        arrays = [state.value for state in self._before if isinstance(state.value, numpy.ndarray)]
        written = [state.impl.block.ptr for state in graph.states if state.result is not state.value] if arrays else []
        for array in arrays:
            first, last = array.ctypes.data, array.ctypes.data + max(array.nbytes, 1)
            given = [value.ptr for value in described if isinstance(value, Tensor) and not value.impl.is_lazy]
            views = [value for value in described if isinstance(value, numpy.ndarray) and value is not array]
            if any(first <= ptr < last for ptr in (*written, *given)) or any(numpy.may_share_memory(v, array) for v in views):
                raise CaptureError(
                    "the function writes or returns what shares the memory of a NumPy array among the arguments: pass a tensor"
                )

    def check_distinct(self, watch: Watch, arguments: Any) -> None:
        """Refuse a call in which one of them is an argument twice, or is in a variable, too.

        Raises:
            CaptureError: one is.
        """
        keys = [key for content in watch.contents.values() for key in content.keys]
        self.outside = watch.outside_ids(self.makers) | self._keys | {*_identities(keys), *watch.own_dicts}
        if not self.are_distinct(arguments):
            kind = IdentityError if self.objects else CaptureError
            raise kind(
                "a list, dict or object is an argument twice, or the function finds it in a variable, too, which are two in a"
                " captured program: pass a copy"
            )

    def forget(self) -> None:
        """Keep no copy alive: the program is captured."""
        self._before.clear()
        self.objects.clear()

    @property
    def may_be_one(self) -> bool:
        """Whether one of a call's arguments may be another one, too, or what the function finds in a variable."""
        return len(self.makers) > 1 or bool(self.makers and self.outside)

    def are_distinct(self, arguments: Any) -> bool:
        """Whether none of a call's arguments is another one, too, or is in a variable; the function has copies of each."""
        run = Run([], (), (), arguments)
        given = {id(find(run)) for find in self.makers.values()}
        expected = len(self.makers)
        if self._of_objects:  # two may share the dict of their attributes
            dicts = [own for find in self._of_objects if (own := own_dict(find(run))) is not None]
            given.update(map(id, dicts))
            expected += len(dicts)
        return len(given) == expected and self.outside.isdisjoint(given)


class _State:
    """What a container or an object held when the function got it.

    Attributes:
        value: it.
    """

    def __init__(self, value: Any) -> None:
        self.value = value
        self._kind = type(value)
        self._content = Content(value) if isinstance(value, CONTAINERS) else None
        self._attributes = Content(attributes_of(value))
        self._is_writeable = isinstance(value, numpy.ndarray) and value.flags.writeable

    def change(self) -> ArgumentChange | None:
        """What is not as it was.

        Raises:
            CaptureError: its class, or what an array holds.
        """
        value = self.value
        if type(value) is not self._kind:
            raise CaptureError(f"the function gives an argument, a {self._kind.__name__}, another class: do it outside")
        items_changed = self._content is not None and not self._content.holds()
        before, now = dict(self._attributes.pairs()), attributes_of(value)
        if isinstance(value, numpy.ndarray):
            if items_changed or value.flags.writeable != self._is_writeable:
                raise CaptureError("the function writes a NumPy array among the arguments, which a run would not: pass a tensor")
        elif items_changed or not self._attributes.holds_in(now):
            return ArgumentChange(value, items_of(value) if items_changed else None, *_differences(before, now))
        return None


def _differences(before: dict[str, Any], now: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The attributes that are set, and the names of those that are removed before."""
    kept = [name for name in before if name in now]
    if [*now][: len(kept)] != kept:  # some were removed and set again, so that they are behind others
        return now, [*before]
    changed = {name: item for name, item in now.items() if not alike(item, before.get(name, ABSENT))}
    return changed, [name for name in before if name not in now]


def _arguments_of(run: Run) -> Any:
    return run.arguments


def _found(maker: Maker, find: Callable[[Any, Any], Any], key: Any) -> Maker:
    return lambda run: find(maker(run), key)


def _identities(keys: Any) -> Iterator[int]:
    """Of the objects among keys of dicts."""
    for key in keys:
        if isinstance(key, (tuple, frozenset)):
            yield from _identities(key)
        elif type(key) not in ATOMS and not isinstance(key, Tensor):
            yield id(key)

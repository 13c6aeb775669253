"""What the arguments of a call hold besides tensors and numbers: containers, functions and objects."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tritonflow.errors import CaptureError
from tritonflow.framework.tensor import Tensor
from tritonflow.graph.watch.contents import Content
from tritonflow.graph.watch.outcome import Maker, Run
from tritonflow.graph.watch.slots import attributes_of
from tritonflow.graph.watch.watch import Watch
from tritonflow.nn import Module


class ArgumentContainers:
    """The lists, dicts and dataclasses among the arguments, as the function got them: copies with the tensors of the program.

    Attributes:
        makers: by their identities, what finds them in the arguments of a run.
        outside: the identities of containers that the function finds in variables.
    """

    def __init__(self, args: Any, kwargs: Any) -> None:
        self.makers: dict[int, Maker] = {}
        self.outside: frozenset[int] = frozenset()
        self._before: list[tuple[Any, Content]] = []
        for position, value in enumerate(args):
            self._add(value, _found(_nth_argument, position))
        for name, value in kwargs.items():
            self._add(value, _found(_named_argument, name))

    def _add(self, value: Any, find: Maker) -> None:
        is_object = dataclasses.is_dataclass(value) and not isinstance(value, (type, Module))
        if is_object and not isinstance(value, dict):
            own = attributes_of(value)
            self._note(value, own, find)
            for name, item in own.items():
                self._add(item, _found(lambda run, name: getattr(find(run), name), name))
        elif isinstance(value, dict):
            self._note(value, value, find)
            for key, item in value.items():
                self._add(item, _found(lambda run, key: find(run)[key], key))
        elif isinstance(value, (list, tuple)):
            if isinstance(value, list):
                self._note(value, value, find)
            elif hasattr(value, "__dict__"):
                self._note(value, dict(vars(value)), find)
            for position, item in enumerate(value):
                self._add(item, _found(lambda run, position: find(run)[position], position))

    def _note(self, value: Any, content: Any, find: Maker) -> None:
        self.makers[id(value)] = find
        self._before.append((value, Content(content)))

    def copies(self) -> list[Any]:
        """All of them."""
        return [value for value, _ in self._before]

    def changed(self) -> list[Any]:
        """Those that the function has changed."""
        return [value for value, before in self._before if not before.holds_in(_content_of(value))]

    def check_distinct(self, watch: Watch, arguments: Any) -> None:
        """Refuse a call in which one of them is an argument twice, or is in a variable, too.

        Raises:
            CaptureError: one is.
        """
        self.outside = watch.outside_ids(self.makers)
        if not self.are_distinct(arguments):
            raise CaptureError(
                "a list, dict or object is an argument twice, or the function finds it in a variable, too, which are two in a"
                " captured program: pass a copy"
            )

    @property
    def may_be_one(self) -> bool:
        """Whether one of a call's arguments may be another one, too, or what the function finds in a variable."""
        return len(self.makers) > 1 or bool(self.makers and self.outside)

    def are_distinct(self, arguments: Any) -> bool:
        """Whether none of a call's arguments is another one, too, or is in a variable; the function has copies of each."""
        run = Run([], (), (), arguments)
        given = {id(find(run)) for find in self.makers.values()}
        return len(given) == len(self.makers) and self.outside.isdisjoint(given)


def _content_of(value: Any) -> Any:
    return value if isinstance(value, (list, dict)) else attributes_of(value)


def _found(find: Callable[[Run, Any], Any], key: Any) -> Maker:
    return lambda run: find(run, key)


def _nth_argument(run: Run, position: int) -> Any:
    return run.arguments[0][position]


def _named_argument(run: Run, name: str) -> Any:
    return run.arguments[1][name]


def functions_in(value: Any) -> Iterator[Any]:
    """What is no tensor, number or container in arguments: functions, modules and objects."""
    if isinstance(value, Mapping):
        for item in value.values():
            yield from functions_in(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from functions_in(item)
    elif dataclasses.is_dataclass(value) and not isinstance(value, (type, Module)):
        yield from functions_in(attributes_of(value))
    elif not isinstance(value, Tensor):
        yield value

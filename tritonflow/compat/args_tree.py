"""OneFlow's walk over the arguments of a call, `nn.graph.util.ArgsTree`."""

from __future__ import annotations

import itertools
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any

_NESTED = (list, tuple, dict, OrderedDict)


class NamedArg:
    """A value among the arguments, or a list, tuple or dict of further ones, named by its position."""

    def __init__(self, prefix: str, name: Any, global_index: int, value: Any) -> None:
        self._prefix, self._name, self._global_index, self._value = prefix, name, global_index, value

    def prefix(self) -> str:
        """Where it is: the positions on the way to it, joined by dots."""
        return self._prefix

    def name(self) -> Any:
        """Its key in a dict, its running number otherwise."""
        return self._name

    def global_index(self) -> int:
        """Its running number."""
        return self._global_index

    def value(self) -> Any:
        """The value itself."""
        return self._value

    def is_leaf(self) -> bool:
        """Whether it is no list, tuple or dict."""
        return type(self._value) not in _NESTED

    def __repr__(self) -> str:
        shown = f", value: {self._value!r}" if self.is_leaf() else ""
        return f"(name: {self._name}, idx: {self._global_index}, type: {type(self._value).__name__}{shown})"


class ArgsTree:
    """Lists, tuples and dicts in each other as a tree. Everything else is a leaf, objects of classes made of these as well.

    Args:
        io_args: the arguments.
        gen_name: whether nodes are `NamedArg`s instead of what stands there.
        root_prefix, root_name: of the root's name.

    Source: oneflow.nn.graph.util.ArgsTree, later oneflow.framework.args_tree.ArgsTree.

    Example:
        >>> from tritonflow.compat.args_tree import ArgsTree
        >>> ArgsTree([1, (2, {"a": 3})]).map_leaf(lambda x: x * 10)
        [10, (20, {'a': 30})]
        >>> [name for name, _ in ArgsTree([1, {"a": 3}], True, "in").iter_named_nodes()]
        ['in_0', 'in.0_1', 'in.1_2', 'in.1.0_a']
    """

    def __init__(self, io_args: Any, gen_name: bool = False, root_prefix: str = "", root_name: str | None = None) -> None:
        self._gen_name = gen_name
        self._numbers = itertools.count()
        self._root = self._named(io_args, root_prefix, root_name) if gen_name else io_args

    def _named(self, value: Any, prefix: str, name: Any) -> NamedArg:
        number = next(self._numbers)
        if type(value) in _NESTED:
            path = f"{prefix}." if prefix else ""
            value = _rebuilt(value, lambda i, key, item: self._named(item, f"{path}{i}", key))
        return NamedArg(prefix, str(number) if name is None else name, number, value)

    def gen_name(self) -> bool:
        """Whether nodes are `NamedArg`s."""
        return self._gen_name

    def iter_nodes(self) -> Iterator[Any]:
        """All nodes, each before those inside of it."""
        return _walk(self._root)

    def iter_named_nodes(self) -> Iterator[tuple[str, NamedArg]]:
        """All nodes with their names.

        Raises:
            AssertionError: they have none.
        """
        assert self._gen_name, "Only use this if gen_name is set!"
        return ((f"{node.prefix()}_{node.name()}", node) for node in self.iter_nodes())

    def map_leaf(self, map_function: Callable[[Any], Any]) -> Any:
        """The arguments with what a function makes of each leaf, which it gets as a `NamedArg` if `gen_name`."""
        return _mapped(self._root, map_function)


def _rebuilt(value: Any, function: Callable[[int, Any, Any], Any]) -> Any:
    """A list, tuple or dict of what a function makes of each position, key (None without) and item."""
    if isinstance(value, dict):
        return type(value)((key, function(i, key, item)) for i, (key, item) in enumerate(value.items()))
    return type(value)(function(i, None, item) for i, item in enumerate(value))


def _value(node: Any) -> Any:
    return node.value() if isinstance(node, NamedArg) else node


def _walk(node: Any) -> Iterator[Any]:
    yield node
    value = _value(node)
    if type(value) in _NESTED:
        for child in value.values() if isinstance(value, dict) else value:
            yield from _walk(child)


def _mapped(node: Any, function: Callable[[Any], Any]) -> Any:
    value = _value(node)
    if type(value) in _NESTED:
        return _rebuilt(value, lambda i, key, item: _mapped(item, function))
    return function(node)

"""Hooks: the tables that hold them, and the handle that removes one. Modules, optimizers and grad nodes use these.

A table is a dict from the number of a hook to the function that is called.
"""

from __future__ import annotations

import itertools
import weakref
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from tritonflow.framework.module_version import module_version

_next_id = itertools.count()


class HookTable(OrderedDict[int, Any]):
    """Hooks by their ids, in the order in which they are called. Weak references and deep copies of it are possible."""


class RemovableHandle:
    """Removes one hook, by `remove()` or at the end of a `with` block.

    Args:
        hooks: the table of the hook.
        also: other tables with an entry of the same id.

    Example:
        >>> import tritonflow as flow
        >>> m = flow.nn.Identity()
        >>> with m.register_forward_hook(lambda module, args, output: None):
        ...     len(m._forward_hooks)
        1
        >>> len(m._forward_hooks)
        0
    """

    _version = module_version  # of the class: handles are removed at the end of a program as well, when modules have no names

    def __init__(self, hooks: HookTable, *, also: tuple[HookTable, ...] = ()) -> None:
        self.id = next(_next_id)
        self._tables = tuple(weakref.ref(table) for table in (hooks, *also))

    @property
    def is_registered(self) -> bool:
        """Whether the hook is still there."""
        hooks = self._tables[0]()
        return hooks is not None and self.id in hooks

    def remove(self) -> None:
        """Remove the hook; a second call does nothing."""
        for table in self._tables:
            hooks = table()
            if hooks is not None:
                hooks.pop(self.id, None)
        self._version.advance()

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *exc: object) -> None:
        self.remove()

    def __getstate__(self) -> tuple[HookTable | None, int]:
        return self._tables[0](), self.id

    def __setstate__(self, state: tuple[HookTable | None, int]) -> None:
        hooks, self.id = state
        self._tables = (weakref.ref(hooks if hooks is not None else HookTable()),)


def add_hook(
    hooks: HookTable, hook: Callable[..., Any], *, prepend: bool = False, also: tuple[HookTable, ...] = ()
) -> RemovableHandle:
    """Add a hook behind the others, or with `prepend` before them; `also` gets an entry True of the same id."""
    handle = RemovableHandle(hooks, also=also)
    for table in also:
        table[handle.id] = True
    hooks[handle.id] = hook
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    module_version.advance()
    return handle

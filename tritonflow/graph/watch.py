"""What a captured program depends on of its modules: plain attributes, hooks, and which tensors they hold."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from tritonflow.errors import CaptureError
from tritonflow.framework.changes import changes
from tritonflow.nn import Module

_PLAIN = (bool, int, float, str, type(None))
_KEPT = 64  # states, so that a counter among the attributes does not fill the memory
_HOOKS = ("_forward_pre_hooks", "_forward_hooks", "_backward_hooks", "_backward_pre_hooks")
Tables = list[tuple[dict[str, Any], str, Any]]


class Watch:
    """Looks at modules whenever any module has changed.

    Args:
        modules: by name; every module in them is watched.
    """

    def __init__(self, modules: Mapping[str, Module]) -> None:
        self._roots = modules
        self._states: dict[Any, int] = {}
        self._numbers = itertools.count()
        self._ignored: set[Any] = set()
        self._looked = -1
        self._state = 0

    def state(self) -> int:
        """A number that is the same whenever modes, plain attributes and hooks are."""
        latest = changes.latest
        if latest != self._looked:
            if len(self._states) > _KEPT:
                self._states.clear()
            self._state = self._states.setdefault(tuple(self._values().items()), next(self._numbers))
            self._looked = latest
        return self._state

    def tables(self) -> Tables:
        """Where modules hold tensors, and which."""
        held = [table for module in self._modules() for table in (module._parameters, module._buffers)]
        return [(table, name, tensor) for table in held for name, tensor in table.items()]

    @contextmanager
    def capture(self) -> Iterator[None]:
        """A block that captures: attributes that it changes are counters and the like, and ignored from then on.

        Raises:
            RuntimeError: it has put tensors of the capture into modules; they are taken out again, as after any failure.
        """
        before, tables = self._values(), self.tables()
        try:
            yield
            self._refuse_lazy()
        except BaseException:
            for table, name, tensor in tables:
                table[name] = tensor
            raise
        after = self._values()
        self._ignored |= {key for key in (*before, *after) if before.get(key) != after.get(key)}
        self._looked = -1

    def _refuse_lazy(self) -> None:
        for root, module in self._roots.items():
            for name, tensor in (*module.named_parameters(prefix=root), *module.named_buffers(prefix=root)):
                if tensor.impl.is_lazy:
                    raise CaptureError(
                        f"'{name}' was set to a tensor that build() computes, which has no value outside of it: write into the"
                        " tensor that is there instead, as with copy_() or add_()"
                    )

    def _modules(self) -> Iterator[Module]:
        return (module for root in self._roots.values() for module in root.modules())

    def _values(self) -> dict[Any, Any]:
        values: dict[Any, Any] = {}
        for module in self._modules():
            own = vars(module)
            values.update({(module, name): value for name, value in own.items() if value.__class__ in _PLAIN})
            values.update({(module, name): tuple(own[name]) for name in _HOOKS})
        for key in self._ignored & values.keys():
            del values[key]
        return values

"""Modules that run as graphs inside of a function that runs in eager mode, as no graph can do the whole of it.

A module is a function of its own. One that no graph can do either has modules inside of itself, and so on.
Only calls without a history are graphs: what eager mode can do with a history, a compiled call can not always do, and what is right
in eager mode must not fail for being compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from tritonflow.graph.api.compiled_module import CompiledModule
from tritonflow.nn import Module
from tritonflow.thread_state import thread_state

if TYPE_CHECKING:
    from tritonflow.graph.api.function import CapturedFunction

_LEAST = 4  # modules in one, itself counted: with fewer it has so few ops that a program takes the time of eager mode


class InnerModules:
    """A function that runs in eager mode, but for its calls of some modules.

    Args:
        function: what runs.
        modules: that it calls.
        compile: makes a captured function of the calls of a module.
    """

    def __init__(
        self, function: Callable[..., Any], modules: Iterable[Module], compile: Callable[[Module], CapturedFunction[..., Any]]
    ) -> None:
        self._function = function
        for module in modules:
            if module._compiled_call_impl is None:
                module.__dict__["_compiled_call_impl"] = _InnerCall(compile(module))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        before, thread_state.inner_graphs = thread_state.inner_graphs, True
        try:
            return self._function(*args, **kwargs)
        finally:
            thread_state.inner_graphs = before


class _InnerCall:
    """The call of a module: a graph in a function of `InnerModules`, and what it was anywhere else."""

    __slots__ = ("_captured",)

    def __init__(self, captured: CapturedFunction[..., Any]) -> None:
        self._captured = captured

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        is_graph = thread_state.inner_graphs and not thread_state.grad_enabled
        return (self._captured if is_graph else self._captured.function)(*args, **kwargs)


def worth_a_graph(found: Iterable[Module], root: Any) -> list[Module]:
    """Of modules that a function has met the outermost ones that have enough in them.

    Args:
        found: the modules.
        root: that whose call the function is, in whose stead those are taken that it calls; or anything else.
    """
    met = {id(module): module for module in ([*found, root] if isinstance(root, Module) else found)}
    inside = {id(child) for module in met.values() for child in module.modules() if child is not module}
    outermost = [module for module in met.values() if id(module) not in inside]
    called = [child for module in outermost for child in (_called_by(module) if module is root else [module])]
    return [module for module in called if sum(1 for _ in module.modules()) >= _LEAST]


def _called_by(module: Module) -> Iterator[Module]:
    """The modules that a module calls; lists and dicts of modules are not called."""
    for child in module.children():
        if type(child).forward is Module.forward:
            yield from _called_by(child)
        elif not issubclass(type(child), CompiledModule):
            yield child

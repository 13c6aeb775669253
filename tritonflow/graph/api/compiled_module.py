"""What `flow.compile` makes of a module: a module with the same attributes, whose calls run as a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tritonflow.nn import Module

if TYPE_CHECKING:
    from tritonflow.graph.api.captured import Captured
    from tritonflow.graph.api.function import CapturedFunction
    from tritonflow.graph.explain import Explanation


class CompiledModule(Module):
    """A module that stands for another one: the two have one `__dict__`, so whatever is done to one is done to both.

    Its class is made by `compiled_module`, and inherits from that of the module: its methods are there, and `isinstance` holds.
    """

    _captured: CapturedFunction[..., Any]

    def __init_subclass__(cls, **options: Any) -> None:
        """Nothing of what the module's class does where a user inherits from it."""

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """The module's class, which a parametrization changes."""
        return self._captured.function.__class__

    @__class__.setter
    def __class__(self, kind: type) -> None:
        self._captured.function.__class__ = kind

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run as a graph."""
        return self._captured(*args, **kwargs)

    @property
    def _orig_mod(self) -> Module:
        """The module that was compiled, under torch's name."""
        module: Any = self._captured.function
        return module  # type: ignore[no-any-return]

    def __getattr__(self, name: str) -> Any:
        """What the module's own object has, such as what a parametrization has added to its class."""
        return getattr(self._captured.function, name)

    def explain(self, *args: Any, **kwargs: Any) -> Explanation:
        """What a call runs; see `CapturedFunction.explain`."""
        return self._captured.explain(*args, **kwargs)

    def debug(self, v_level: int = 0) -> None:
        """Print what happens when it is captured and compiled; see `Graph.debug`."""
        self._captured.debug(v_level)

    def captures(self) -> list[Captured]:
        """What was captured, for every kind of call."""
        return self._captured.captures()

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        """A copy captures anew."""
        return compiled_module, (self._captured,)

    def __repr__(self) -> str:
        return repr(self._captured)

    def _repr_html_(self) -> str:
        return self._captured._repr_html_()


def compiled_module(captured: CapturedFunction[..., Any]) -> CompiledModule:
    """The module whose calls a captured function runs, which was made of one."""
    module: Any = captured.function
    kind: Any = type(module)
    if not issubclass(kind, CompiledModule):
        described = {name: getattr(kind, name) for name in ("__module__", "__qualname__", "__doc__")}
        kind = type(kind)(kind.__name__, (CompiledModule, kind), {**described, "__slots__": ("_captured",)})
    made = object.__new__(kind)
    object.__setattr__(made, "__dict__", vars(module))
    object.__setattr__(made, "_captured", captured)
    return made

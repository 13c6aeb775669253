"""Settings of one module in an nn.Graph. `module.to(nn.graph.GraphModule)` gives a view of the module that has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tritonflow.errors import ArgumentTypeError
from tritonflow.framework.module_version import module_version
from tritonflow.thread_state import thread_state

if TYPE_CHECKING:
    from tritonflow.nn.modules.module import Module

_KEY: Any = "activation_checkpointing"  # of the hooks, beside the numbers of those that users register


class GraphModule:
    """A module as graphs see it, with its settings for them. They belong to the module: every graph that has it heeds them.

    Source: https://oneflow.readthedocs.io/en/v0.9.0/graph.html

    Example:
        >>> import tritonflow as flow
        >>> from tritonflow.nn.graph import GraphModule
        >>> block = flow.nn.Sequential(flow.nn.Linear(4, 4), flow.nn.GELU())
        >>> block.to(GraphModule).activation_checkpointing = True
        >>> block.to(GraphModule)
        GraphModule(activation_checkpointing=True)
    """

    def __init__(self, module: Module) -> None:
        self._module = module

    def to(self, view: Any) -> Any:
        """The module itself for `nn.Module`, this for GraphModule."""
        return self._module.to(view)

    @property
    def activation_checkpointing(self) -> bool:
        """Whether a captured backward computes again what a call of the module computed, instead of keeping it in memory.

        Kept are the inputs of the call and what others read of its results. Random numbers are drawn again as they were, buffers
        such as batch norm's are written once. Of marked modules in each other the outermost counts.

        Raises:
            TypeError: it is set to something that is no bool.
        """
        return _KEY in self._module._forward_hooks

    @activation_checkpointing.setter
    def activation_checkpointing(self, mode: bool) -> None:
        if not isinstance(mode, bool):
            raise ArgumentTypeError(f"activation_checkpointing must be True or False, not {type(mode).__name__}")
        tables = (self._module._forward_pre_hooks, self._module._forward_hooks, self._module._forward_always_called)
        for table, entry in zip(tables, (_enter, _leave, True)):
            if mode:
                table[_KEY] = entry
            else:
                table.pop(_KEY, None)
        module_version.advance()

    def __repr__(self) -> str:
        return f"GraphModule(activation_checkpointing={self.activation_checkpointing})"


def _enter(module: Module, args: Any) -> None:
    thread_state.observer.enter_segment()


def _leave(module: Module, args: Any, result: Any) -> None:
    thread_state.observer.leave_segment()

"""Settings of one module in an nn.Graph. `module.to(nn.graph.GraphModule)` gives a view of the module that has them."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tritonflow import _C
from tritonflow.errors import ArgumentTypeError, ArgumentValueError, type_name
from tritonflow.framework.module_version import module_version
from tritonflow.framework.placement import Placement
from tritonflow.framework.tensor import Tensor
from tritonflow.thread_state import thread_state

if TYPE_CHECKING:
    from tritonflow.nn.modules.module import Module

# Keys of the hooks, beside the numbers of those that users register.
_KEY: Any = "activation_checkpointing"
_STAGE: Any = "stage"


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

    def set_stage(self, stage_id: int | None = None, placement: Placement | None = None) -> None:
        """Make the module a stage of a pipeline: what it is called with goes to the stage's placement first, as it lies (sbp).

        Tensors in lists, tuples and dicts go there, too. The module's own tensors are put there by `Module.to_global`. A tensor that
        lies there already stays as it is. Stages run one behind the other yet, each on its own ranks.

        Args:
            stage_id: the number of the stage, from 0 on; None for a module that is no stage.
            placement: of the stage; without one nothing is moved.

        Raises:
            TypeError, ValueError: `stage_id` is no int, or negative; `placement` is no placement.
            ValueError: in calls, for a local tensor, or one whose placement has another number of dimensions.

        Source: oneflow.nn.graph.GraphModule.set_stage.

        Example:
            >>> import tritonflow as flow
            >>> from tritonflow.nn.graph import GraphModule
            >>> placement = flow.placement("cpu", [0])
            >>> layer = flow.nn.Linear(4, 4).to_global(placement, flow.sbp.broadcast)
            >>> layer.to(GraphModule).set_stage(1, placement)
            >>> layer.to(GraphModule).stage_id
            1
        """
        if stage_id is not None and type(stage_id) is not int:
            raise ArgumentTypeError(f"set_stage(): argument 'stage_id' must be an int or None, not {type_name(stage_id)}")
        if stage_id is not None and stage_id < 0:
            raise ArgumentValueError(f"set_stage(): stages are numbered from 0 on, got {stage_id}")
        if placement is not None and not isinstance(placement, Placement):
            raise ArgumentTypeError(f"set_stage(): argument 'placement' must be a placement or None, not {type_name(placement)}")
        before, flags = self._module._forward_pre_hooks, self._module._forward_with_kwargs
        if stage_id is None and placement is None:
            before.pop(_STAGE, None)
            flags.pop(_STAGE, None)
        else:
            before[_STAGE] = _Stage(stage_id, placement)
            flags[_STAGE] = True
        module_version.advance()

    @property
    def stage_id(self) -> int | None:
        """The number of the stage, None of a module that is none. May be set; `set_stage` says where it lies as well."""
        return self._stage.stage_id

    @stage_id.setter
    def stage_id(self, stage_id: int | None) -> None:
        self.set_stage(stage_id, self.stage_placement)

    @property
    def stage_placement(self) -> Placement | None:
        """Where what the module is called with goes."""
        return self._stage.placement

    @property
    def _stage(self) -> _Stage:
        found: _Stage = self._module._forward_pre_hooks.get(_STAGE, _NO_STAGE)  # type: ignore[assignment]
        return found

    def __repr__(self) -> str:
        stage = "" if self.stage_id is None else f"stage_id={self.stage_id}, "
        return f"GraphModule({stage}activation_checkpointing={self.activation_checkpointing})"


@dataclass(frozen=True)
class _Stage:
    """What a stage does in front of its module: a hook.

    Attributes:
        stage_id: its number.
        placement: where the inputs go.
    """

    stage_id: int | None
    placement: Placement | None

    def __call__(self, module: Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        moved: tuple[tuple[Any, ...], dict[str, Any]] = self._moved((args, kwargs))
        return moved

    def _moved(self, value: Any) -> Any:
        if self.placement is None:
            return value
        if isinstance(value, Tensor):
            return _C.to_global(value, self.placement)
        kind = type(value)
        if kind in (list, tuple):
            return kind([self._moved(item) for item in value])
        if kind in (dict, OrderedDict):
            return kind({key: self._moved(item) for key, item in value.items()})
        return value


_NO_STAGE = _Stage(None, None)


def _enter(module: Module, args: Any) -> None:
    thread_state.observer.enter_segment()


def _leave(module: Module, args: Any, result: Any) -> None:
    thread_state.observer.leave_segment()

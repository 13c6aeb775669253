"""OneFlow's names of what a graph's state has beside its modules: "linear.weight-momentum", "System-Train-TrainStep"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tritonflow.binding.new_tensors import tensor
from tritonflow.dtypes import int64
from tritonflow.framework.placement import Placement
from tritonflow.framework.sbp import broadcast
from tritonflow.framework.tensor import Tensor
from tritonflow.nn import Module
from tritonflow.optim import Optimizer

TRAIN_STEP = "System-Train-TrainStep"
_STATES = {"momentum_buffer": "momentum", "exp_avg": "m", "exp_avg_sq": "v", "max_exp_avg_sq": "max_v"}


def variables(modules: Mapping[str, Module], optimizers: Sequence[Optimizer], steps: int) -> dict[str, Tensor]:
    """The states of optimizers by OneFlow's names, and the number of steps that the graph has made.

    They are the tensors that the states of the optimizers have, too.
    """
    names: dict[int, str] = {}
    for attribute, module in modules.items():
        for path, parameter in module.named_parameters():
            names.setdefault(id(parameter), f"{attribute}.{path}")
    found: dict[str, Tensor] = {TRAIN_STEP: tensor([steps], dtype=int64)}
    for optimizer in optimizers:
        for p, state in optimizer.state.items():
            states = {_STATES[name]: value for name, value in state.items() if name in _STATES and isinstance(value, Tensor)}
            found.update({f"{names[id(p)]}-{name}": value for name, value in states.items() if id(p) in names})
    return found


def step_of(state: Mapping[str, Any]) -> int:
    """The number of steps in a graph's state; 0 where it has none."""
    found = state.get(TRAIN_STEP)
    if found is None:
        return 0
    if not found.is_local:  # it may lie on other ranks
        known = found.placement
        everyone = Placement(known.type, known.callers, members_only=known.members_only)
        found = found.to_global(everyone, broadcast).to_local()
    return int(found.item())

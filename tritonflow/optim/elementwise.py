"""The base of elementwise optimizers: their step is one launch for all parameters, by a rule of kernels/optimizer_rules.py."""

from __future__ import annotations

from typing import Any, NamedTuple

from tritonflow import _C
from tritonflow.dtypes import DType, float32, float64, get_default_dtype
from tritonflow.execution.lazy import eager
from tritonflow.framework.runtime_scalar import RuntimeScalar, as_float
from tritonflow.framework.tensor import Tensor
from tritonflow.nn.utils.multi_tensor import InPlace, batches
from tritonflow.optim.optimizer import Group, Optimizer, Params, launch_key


class StepRule(NamedTuple):
    """What a group's step runs.

    Attributes:
        name: of the rule in kernels/optimizer_rules.py.
        states: the names of the states that have their parameter's shape, in the rule's order.
        hyperparameters: the rule's own, after the learning rate and the weight decay.
    """

    name: str
    states: tuple[str, ...]
    hyperparameters: tuple[float, ...] = ()


class ElementwiseOptimizer(Optimizer):
    """Base of optimizers that update each element for itself.

    A subclass says its `_rule(group)`, its `_number_names` in the rule's order where the step is not the only number, and
    `_initial(name, group)` where a state does not begin as zeros.
    """

    _reads_found_inf = True
    _updates_elements = True
    _decays_gradient = True  # whether the weight decay is the kernel's, and not the rule's

    def __init__(self, params: Params, defaults: Group) -> None:
        self._number_dtype = float64 if get_default_dtype() is float64 else float32  # as torch's
        super().__init__(params, defaults)

    def _rule(self, group: Group) -> StepRule:
        """The rule of a group."""
        raise NotImplementedError

    def _initial(self, name: str, group: Group) -> float:
        """What a state is filled with before the first step."""
        return 0.0

    def _update(self, group: Group, parameters: list[Tensor]) -> None:
        rule, weight_decay = self._rule(group), group.get("weight_decay", 0)
        for members in batches(parameters, launch_key):
            states = [self._state(p, group, rule) for p in members]
            with InPlace() as tensors:
                _C.multi_tensor_update(
                    rule.name,
                    tensors.written(members),
                    tensors.read([p.grad for p in members]),
                    tuple([state[name] for name in self._number_names for state in states]),
                    tensors.written([state[name] for name in rule.states for state in states]),
                    (as_float(group["lr"]), as_float(weight_decay), *[as_float(v) for v in rule.hyperparameters]),
                    found_inf=self._found_inf_for(members[0]),
                    decay=self._decays_gradient and weight_decay != 0,
                    decoupled=bool(group.get("decoupled_weight_decay", False)),
                    maximize=group.get("maximize", False),
                )

    def _state(self, p: Tensor, group: Group, rule: StepRule) -> dict[str, Any]:
        """The state of a parameter; what of it is not there yet is made."""
        state = self.state[p]
        for name in (*self._number_names, *rule.states):
            if name not in state:
                value = self._initial(name, group)
                state[name] = filled(p, value, self._number_dtype if name in self._number_names else None)
        return state


def filled(p: Tensor, value: float, number: DType | None = None) -> Tensor:
    """A state of a parameter: a number of this dtype in the memory of its device, or as many elements as it has."""
    value = float(value.value if isinstance(value, RuntimeScalar) else value)
    with eager():
        if number is not None:
            return _C.new_full(p, (), value, dtype=number)
        return _C.full_like(p, complex(value, value) if p.meta.dtype.is_complex else value)

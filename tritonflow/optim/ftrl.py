"""Follow the regularized leader (McMahan and others, 2013)."""

from __future__ import annotations

from tritonflow.framework.tensor import Tensor
from tritonflow.optim.elementwise import ElementwiseOptimizer, StepRule
from tritonflow.optim.optimizer import Group, Params
from tritonflow.optim.options import CHECKS, OptionCheck, checked


class FTRL(ElementwiseOptimizer):
    """Follow the regularized leader, proximal: parameters whose gradients are small become exactly 0. With g the gradient,

        s' = s + g^2
        z = z + g - (s'^(-lr_power) - s^(-lr_power)) / lr * p
        p = 0 where |z| < lambda1, else
            (sign(z) lambda1 - z) / ((beta + s'^(-lr_power)) / lr + lambda2) - lr * weight_decay * p

    Args:
        params: the parameters, or groups of them.
        lr: the step's length.
        weight_decay: the factor of the parameter that is taken from it.
        lr_power: the power of the sum of squares, negated; at most 0.
        initial_accumulator_value: the sum of squares before the first step.
        lambda1: the strength of the regularization by absolute values.
        lambda2: the strength of the regularization by squares.
        beta: added to the root of the sum of squares.

    Raises:
        ValueError: an option is out of its range, or there are no parameters.

    Source: OneFlow's ftrl_update; https://research.google.com/pubs/archive/41159.pdf

    Example:
        >>> import tritonflow as flow
        >>> p = flow.ones(2, requires_grad=True)
        >>> optimizer = flow.optim.FTRL([p], lr=0.5)
        >>> p.sum().backward()
        >>> optimizer.step()
        >>> [round(v, 4) for v in p.tolist()]
        [0.2218, 0.2218]
    """

    def __init__(
        self,
        params: Params,
        lr: float | Tensor = 1e-3,
        weight_decay: float = 0.0,
        lr_power: float = -0.5,
        initial_accumulator_value: float = 0.1,
        lambda1: float = 0.0,
        lambda2: float = 0.0,
        beta: float = 0.0,
    ) -> None:
        super().__init__(params, checked(locals(), self._checks))

    _state_names = ("accumulate", "z")
    _decays_gradient = False
    _checks: tuple[OptionCheck, ...] = (*CHECKS, OptionCheck("lr_power", lambda power: power <= 0.0, "Invalid lr_power value: {}"))

    def _rule(self, group: Group) -> StepRule:
        own = (-group["lr_power"], group["lambda1"], group["lambda2"], group["beta"], group["weight_decay"])
        return StepRule("ftrl", self._state_names, own)

    def _initial(self, name: str, group: Group) -> float:
        return group["initial_accumulator_value"] if name == "accumulate" else 0.0  # type: ignore[no-any-return]

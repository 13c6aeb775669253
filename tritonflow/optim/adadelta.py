"""Adadelta (Zeiler, 2012)."""

from __future__ import annotations

from tritonflow.framework.tensor import Tensor
from tritonflow.optim.elementwise import ElementwiseOptimizer, StepRule
from tritonflow.optim.optimizer import Group, Params
from tritonflow.optim.options import checked


class Adadelta(ElementwiseOptimizer):
    """Adadelta: steps in the units of the parameter, from running means of squares. With g the gradient,

        s = rho s + (1 - rho) g^2
        d = g * sqrt(a + eps) / sqrt(s + eps)
        a = rho a + (1 - rho) d^2
        p = p - lr * d

    Args:
        params: the parameters, or groups of them.
        lr: the step's length.
        rho: how much of the running means is kept.
        eps: keeps the division from exploding.
        weight_decay: the factor of the parameter that is added to its gradient.
        maximize: climb instead of descending.
        capturable, foreach: accepted and ignored: every step is fused, and counted in the device's memory.
        differentiable: must be False.

    Raises:
        ValueError: an option is out of its range, or there are no parameters.

    Source: https://pytorch.org/docs/stable/generated/torch.optim.Adadelta.html

    Example:
        >>> import tritonflow as flow
        >>> p = flow.ones(2, requires_grad=True)
        >>> optimizer = flow.optim.Adadelta([p], lr=0.5)
        >>> p.sum().backward()
        >>> optimizer.step()
        >>> [round(v, 4) for v in p.tolist()]
        [0.9984, 0.9984]
    """

    def __init__(
        self,
        params: Params,
        lr: float | Tensor = 1.0,
        rho: float = 0.9,
        eps: float = 1e-6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        capturable: bool = False,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        super().__init__(params, checked(locals()))

    def _rule(self, group: Group) -> StepRule:
        return StepRule("adadelta", self._state_names, (group["rho"], group["eps"]))

    _state_names = ("square_avg", "acc_delta")

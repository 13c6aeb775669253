"""Adamax (Kingma and Ba, 2015)."""

from __future__ import annotations

from tritonflow.framework.tensor import Tensor
from tritonflow.optim.elementwise import ElementwiseOptimizer, StepRule
from tritonflow.optim.optimizer import Group, Params
from tritonflow.optim.options import checked


class Adamax(ElementwiseOptimizer):
    """Adamax: Adam with the largest decayed gradient instead of the root of a mean. In step t, with g the gradient,

        m = beta1 m + (1 - beta1) g          u = max(beta2 u, |g| + eps)
        p = p - lr / (1 - beta1^t) * m / u

    Args:
        params: the parameters, or groups of them.
        lr: the step's length.
        betas: how much of the running mean and of the largest gradient is kept.
        eps: keeps the division from exploding.
        weight_decay: the factor of the parameter that is added to its gradient.
        maximize: climb instead of descending.
        capturable, foreach: accepted and ignored: every step is fused, and counted in the device's memory.
        differentiable: must be False.

    Raises:
        ValueError: an option is out of its range, or there are no parameters.

    Source: https://pytorch.org/docs/stable/generated/torch.optim.Adamax.html

    Example:
        >>> import tritonflow as flow
        >>> p = flow.ones(2, requires_grad=True)
        >>> optimizer = flow.optim.Adamax([p], lr=0.5)
        >>> p.sum().backward()
        >>> optimizer.step()
        >>> [round(v, 4) for v in p.tolist()]
        [0.5, 0.5]
    """

    def __init__(
        self,
        params: Params,
        lr: float | Tensor = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        super().__init__(params, checked(locals()))

    def _rule(self, group: Group) -> StepRule:
        return StepRule("adamax", self._state_names, (*group["betas"], group["eps"]))

    _state_names = ("exp_avg", "exp_inf")

"""Averaged stochastic gradient descent (Polyak and Juditsky, 1992)."""

from __future__ import annotations

from tritonflow.framework.tensor import Tensor
from tritonflow.optim.elementwise import ElementwiseOptimizer, StepRule
from tritonflow.optim.optimizer import Group, Params
from tritonflow.optim.options import checked


class ASGD(ElementwiseOptimizer):
    """Averaged stochastic gradient descent: `state[p]["ax"]` is the mean of the parameters. In step t, with g the gradient,

        p = (1 - lambd eta) p - eta g          ax = ax + mu (p - ax)
        eta = lr / (1 + lambd lr t)^alpha      mu = 1 / max(1, t - t0)       (for the next step)

    Args:
        params: the parameters, or groups of them.
        lr: the step's length.
        lambd: the decay of the parameters and of eta.
        alpha: the power with which eta decays.
        t0: the step at which averaging begins.
        weight_decay: the factor of the parameter that is added to its gradient.
        maximize: climb instead of descending.
        capturable, foreach: accepted and ignored: every step is fused, and counted in the device's memory.
        differentiable: must be False.

    Raises:
        ValueError: an option is out of its range, or there are no parameters.

    Source: https://pytorch.org/docs/stable/generated/torch.optim.ASGD.html

    Example:
        >>> import tritonflow as flow
        >>> p = flow.ones(2, requires_grad=True)
        >>> optimizer = flow.optim.ASGD([p], lr=0.5)
        >>> p.sum().backward()
        >>> optimizer.step()
        >>> [round(v, 4) for v in p.tolist()]
        [0.4999, 0.4999]
    """

    def __init__(
        self,
        params: Params,
        lr: float | Tensor = 1e-2,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        super().__init__(params, checked(locals()))

    def _rule(self, group: Group) -> StepRule:
        return StepRule("asgd", self._state_names, (group["lambd"], group["alpha"], group["t0"]))

    def _initial(self, name: str, group: Group) -> float:
        return {"eta": group["lr"], "mu": 1.0}.get(name, 0.0)

    _state_names = ("ax",)
    _number_names = ("step", "eta", "mu")

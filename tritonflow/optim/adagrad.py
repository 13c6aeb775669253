"""Adagrad (Duchi, Hazan and Singer, 2011)."""

from __future__ import annotations

from tritonflow.framework.tensor import Tensor
from tritonflow.optim.elementwise import ElementwiseOptimizer, StepRule
from tritonflow.optim.optimizer import Group, Params
from tritonflow.optim.options import checked


class Adagrad(ElementwiseOptimizer):
    """Adagrad: steps divided by the root of the sum of all squared gradients. In step t, with g the gradient,

        s = s + g^2
        p = p - lr / (1 + (t - 1) lr_decay) * g / (sqrt(s) + eps)

    Args:
        params: the parameters, or groups of them.
        lr: the step's length.
        lr_decay: how fast the step's length decays.
        weight_decay: the factor of the parameter that is added to its gradient.
        initial_accumulator_value: the sum of squares before the first step.
        eps: keeps the division from exploding.
        maximize: climb instead of descending.
        foreach, fused: accepted and ignored: every step is fused, and counted in the device's memory.
        differentiable: must be False.

    Raises:
        ValueError: an option is out of its range, or there are no parameters.

    Source: https://pytorch.org/docs/stable/generated/torch.optim.Adagrad.html

    Example:
        >>> import tritonflow as flow
        >>> p = flow.ones(2, requires_grad=True)
        >>> optimizer = flow.optim.Adagrad([p], lr=0.5)
        >>> p.sum().backward()
        >>> optimizer.step()
        >>> [round(v, 4) for v in p.tolist()]
        [0.5, 0.5]
    """

    def __init__(
        self,
        params: Params,
        lr: float | Tensor = 1e-2,
        lr_decay: float = 0,
        weight_decay: float = 0,
        initial_accumulator_value: float = 0,
        eps: float = 1e-10,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        super().__init__(params, checked(locals()))

    def add_param_group(self, param_group: Group) -> None:
        """Add a group, as every optimizer does; the sums of its parameters are there from the beginning."""
        super().add_param_group(param_group)
        group = self.param_groups[-1]
        for p in group["params"]:
            self._state(p, group, self._rule(group))

    def _check_sparse(self, group: Group) -> None:
        if group["weight_decay"] != 0:
            raise RuntimeError("weight_decay option is not compatible with sparse gradients")

    def _rule(self, group: Group) -> StepRule:
        return StepRule("adagrad", self._state_names, (group["lr_decay"], group["eps"]))

    def _initial(self, name: str, group: Group) -> float:
        return group["initial_accumulator_value"] if name == "sum" else 0.0

    _state_names = ("sum",)

"""RAdam (Liu and others, 2020)."""

from __future__ import annotations

from tritonflow.framework.tensor import Tensor
from tritonflow.optim.elementwise import ElementwiseOptimizer, StepRule
from tritonflow.optim.optimizer import Group, Params
from tritonflow.optim.options import checked


class RAdam(ElementwiseOptimizer):
    """RAdam: Adam that does not divide by the root of v while that is the mean of too few steps. In step t,

        m = beta1 m + (1 - beta1) g          v = beta2 v + (1 - beta2) g^2
        L = 2 / (1 - beta2) - 1              l = L - 2 t beta2^t / (1 - beta2^t)
        r = sqrt((l - 4)(l - 2) L / ((L - 4)(L - 2) l))
        p = p - lr * m / (1 - beta1^t) * (r sqrt(1 - beta2^t) / (sqrt(v) + eps) if l > 5 else 1)

    Args:
        params: the parameters, or groups of them.
        lr: the step's length.
        betas: how much of the two running means is kept.
        eps: keeps the division from exploding.
        weight_decay: the factor of the parameter that is added to its gradient.
        decoupled_weight_decay: decay the parameter itself, as AdamW does.
        maximize: climb instead of descending.
        capturable, foreach: accepted and ignored: every step is fused, and counted in the device's memory.
        differentiable: must be False.

    Raises:
        ValueError: an option is out of its range, or there are no parameters.

    Source: https://pytorch.org/docs/stable/generated/torch.optim.RAdam.html

    Example:
        >>> import tritonflow as flow
        >>> p = flow.ones(2, requires_grad=True)
        >>> optimizer = flow.optim.RAdam([p], lr=0.5)
        >>> p.sum().backward()
        >>> optimizer.step()
        >>> [round(v, 4) for v in p.tolist()]
        [0.5, 0.5]
    """

    def __init__(
        self,
        params: Params,
        lr: float | Tensor = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        super().__init__(params, checked(locals()))

    def _rule(self, group: Group) -> StepRule:
        return StepRule("radam", self._state_names, (*group["betas"], group["eps"]))

    _state_names = ("exp_avg", "exp_avg_sq")

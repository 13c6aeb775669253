"""NAdam (Dozat, 2016)."""

from __future__ import annotations

from tritonflow.framework.tensor import Tensor
from tritonflow.optim.elementwise import ElementwiseOptimizer, StepRule
from tritonflow.optim.optimizer import Group, Params
from tritonflow.optim.options import checked


class NAdam(ElementwiseOptimizer):
    """NAdam: Adam with Nesterov's momentum. In step t, with g the gradient,

        mu_t = beta1 (1 - 0.96^(t momentum_decay) / 2)          M = mu_1 ... mu_t
        m = beta1 m + (1 - beta1) g          v = beta2 v + (1 - beta2) g^2
        n = mu_(t+1) m / (1 - M mu_(t+1)) + (1 - mu_t) g / (1 - M)
        p = p - lr * n / (sqrt(v / (1 - beta2^t)) + eps)

    Args:
        params: the parameters, or groups of them.
        lr: the step's length.
        betas: how much of the two running means is kept.
        eps: keeps the division from exploding.
        weight_decay: the factor of the parameter that is added to its gradient.
        momentum_decay: how fast the momentum comes to beta1.
        decoupled_weight_decay: decay the parameter itself, as AdamW does.
        maximize: climb instead of descending.
        capturable, foreach: accepted and ignored: every step is fused, and counted in the device's memory.
        differentiable: must be False.

    Raises:
        ValueError: an option is out of its range, or there are no parameters.

    Source: https://pytorch.org/docs/stable/generated/torch.optim.NAdam.html

    Example:
        >>> import tritonflow as flow
        >>> p = flow.ones(2, requires_grad=True)
        >>> optimizer = flow.optim.NAdam([p], lr=0.5)
        >>> p.sum().backward()
        >>> optimizer.step()
        >>> [round(v, 4) for v in p.tolist()]
        [0.4718, 0.4718]
    """

    def __init__(
        self,
        params: Params,
        lr: float | Tensor = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum_decay: float = 4e-3,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        super().__init__(params, checked(locals()))

    def _rule(self, group: Group) -> StepRule:
        hyperparameters = (*group["betas"], group["eps"], group["momentum_decay"])
        return StepRule("nadam", self._state_names, hyperparameters)

    def _initial(self, name: str, group: Group) -> float:
        return 1.0 if name == "mu_product" else 0.0

    _state_names = ("exp_avg", "exp_avg_sq")
    _number_names = ("step", "mu_product")

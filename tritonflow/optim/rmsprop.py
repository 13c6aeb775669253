"""RMSprop (Hinton, 2012), also centred (Graves, 2013) and with momentum."""

from __future__ import annotations

from tritonflow.framework.tensor import Tensor
from tritonflow.optim.elementwise import ElementwiseOptimizer, StepRule
from tritonflow.optim.optimizer import Group, Params
from tritonflow.optim.options import CHECKS, OptionCheck, checked, not_negative

_CHECKS = (*CHECKS, OptionCheck("alpha", not_negative, "Invalid alpha value: {}"))
_RULES = {  # and their states; by (centered, with momentum)
    (False, False): ("rmsprop", ("square_avg",)),
    (False, True): ("rmsprop_momentum", ("square_avg", "momentum_buffer")),
    (True, False): ("rmsprop_centered", ("square_avg", "grad_avg")),
    (True, True): ("rmsprop_centered_momentum", ("square_avg", "grad_avg", "momentum_buffer")),
}


class RMSprop(ElementwiseOptimizer):
    """RMSprop: steps divided by the root of a running mean of the gradient's square. With g the gradient,

        s = alpha s + (1 - alpha) g^2            a = alpha a + (1 - alpha) g       (a = 0 unless centered)
        b = momentum b + g / (sqrt(s - a^2) + eps)
        p = p - lr * b

    Args:
        params: the parameters, or groups of them.
        lr: the step's length.
        alpha: how much of the running means is kept.
        eps: keeps the division from exploding.
        weight_decay: the factor of the parameter that is added to its gradient.
        momentum: how much of the last step's direction is kept.
        centered: divide by the root of the gradient's variance instead.
        maximize: climb instead of descending.
        capturable, foreach: accepted and ignored: every step is fused, and counted in the device's memory.
        differentiable: must be False.

    Raises:
        ValueError: an option is out of its range, or there are no parameters.

    Source: https://pytorch.org/docs/stable/generated/torch.optim.RMSprop.html

    Example:
        >>> import tritonflow as flow
        >>> p = flow.ones(2, requires_grad=True)
        >>> optimizer = flow.optim.RMSprop([p], lr=0.5)
        >>> p.sum().backward()
        >>> optimizer.step()
        >>> [round(v, 4) for v in p.tolist()]
        [-4.0, -4.0]
    """

    def __init__(
        self,
        params: Params,
        lr: float | Tensor = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        super().__init__(params, checked(locals(), _CHECKS))

    def _rule(self, group: Group) -> StepRule:
        name, states = _RULES[bool(group["centered"]), bool(group["momentum"] > 0)]
        return StepRule(name, states, (group["alpha"], group["eps"], group["momentum"]))

    _state_names = ("square_avg", "grad_avg", "momentum_buffer")

"""Resilient backpropagation (Riedmiller and Braun, 1993)."""

from __future__ import annotations

from tritonflow.framework.tensor import Tensor
from tritonflow.optim.elementwise import ElementwiseOptimizer, StepRule
from tritonflow.optim.optimizer import Group, Params
from tritonflow.optim.options import checked


class Rprop(ElementwiseOptimizer):
    """Resilient backpropagation: each element has a step size of its own, and only the gradient's sign counts:

        size = min(max(size * (etaplus if g * g_last > 0 else etaminus if g * g_last < 0 else 1), smallest), largest)
        g = 0 where g * g_last < 0
        p = p - sign(g) * size

    Args:
        params: the parameters, or groups of them.
        lr: the first step size.
        etas: (etaminus, etaplus): the factors of a step size.
        step_sizes: the smallest and the largest step size.
        maximize: climb instead of descending.
        capturable, foreach: accepted and ignored: every step is fused, and counted in the device's memory.
        differentiable: must be False.

    Raises:
        ValueError: an option is out of its range, or there are no parameters.

    Source: https://pytorch.org/docs/stable/generated/torch.optim.Rprop.html

    Example:
        >>> import tritonflow as flow
        >>> p = flow.ones(2, requires_grad=True)
        >>> optimizer = flow.optim.Rprop([p], lr=0.5)
        >>> p.sum().backward()
        >>> optimizer.step()
        >>> [round(v, 4) for v in p.tolist()]
        [0.5, 0.5]
    """

    def __init__(
        self,
        params: Params,
        lr: float | Tensor = 1e-2,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50),
        *,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        super().__init__(params, checked(locals()))

    def _rule(self, group: Group) -> StepRule:
        return StepRule("rprop", self._state_names, (*group["etas"], *group["step_sizes"]))

    def _initial(self, name: str, group: Group) -> float:
        return group["lr"] if name == "step_size" else 0.0

    _state_names = ("prev", "step_size")

"""SparseAdam: Adam for gradients of a sparse layout, which no op of this package makes."""

from __future__ import annotations

from tritonflow.framework.tensor import Tensor
from tritonflow.optim.optimizer import Group, Optimizer, Params
from tritonflow.optim.options import CHECKS, OptionCheck, checked, is_one_number

_CHECKS = (
    OptionCheck("lr", is_one_number, "Tensor lr must be 1-element"),
    OptionCheck("lr", lambda lr: lr > 0.0, "Invalid learning rate: {}"),
    OptionCheck("eps", lambda eps: eps > 0.0, "Invalid epsilon value: {}"),
    *[check for check in CHECKS if check.option == "betas"],
)


class SparseAdam(Optimizer):
    """Adam that updates only the elements that a sparse gradient has. There are no sparse tensors here: every step is refused.

    Args:
        params: the parameters, or groups of them.
        lr: the step's length.
        betas: how much of the two running means is kept.
        eps: keeps the division from exploding.
        maximize: climb instead of descending.

    Raises:
        ValueError: an option is out of its range.
        RuntimeError: in a step, as gradients are dense.

    Source: https://pytorch.org/docs/stable/generated/torch.optim.SparseAdam.html

    Example:
        >>> import tritonflow as flow
        >>> p = flow.ones(2, requires_grad=True)
        >>> p.sum().backward()
        >>> flow.optim.SparseAdam([p]).step()
        Traceback (most recent call last):
        RuntimeError: SparseAdam does not support dense gradients, please consider Adam instead
    """

    def __init__(
        self,
        params: Params,
        lr: float | Tensor = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        maximize: bool = False,
    ) -> None:
        super().__init__(params, checked(locals(), _CHECKS))

    def _update(self, group: Group, parameters: list[Tensor]) -> None:
        raise RuntimeError("SparseAdam does not support dense gradients, please consider Adam instead")

"""OneFlow's module of embedding tables: of it there is the optimizer. Tables on disk are not here."""

from __future__ import annotations

from tritonflow.optim.elementwise import StepRule
from tritonflow.optim.ftrl import FTRL
from tritonflow.optim.optimizer import Group
from tritonflow.optim.options import CHECKS


class Ftrl(FTRL):
    """`flow.optim.FTRL` as OneFlow computes it: powers are `s^lr_power`, not negated, and weight decay is added to the gradient.

    With the default of -0.5, steps become longer as the sum of squares grows. The paper's are `flow.optim.FTRL`.

    Args:
        params, lr, weight_decay, lr_power, initial_accumulator_value, lambda1, lambda2, beta: as of `flow.optim.FTRL`; lr_power of
            either sign.

    Source: oneflow.one_embedding.Ftrl

    Example:
        >>> import tritonflow as flow
        >>> from tritonflow.one_embedding import Ftrl
        >>> p = flow.ones(2, requires_grad=True)
        >>> optimizer = Ftrl([p], lr=0.5, lr_power=0.5)
        >>> p.sum().backward()
        >>> optimizer.step()
        >>> [round(v, 4) for v in p.tolist()]
        [0.2218, 0.2218]
    """

    _decays_gradient = True
    _checks = CHECKS

    def _rule(self, group: Group) -> StepRule:
        return StepRule("ftrl", self._state_names, (group["lr_power"], group["lambda1"], group["lambda2"], group["beta"], 0.0))


__all__ = ["Ftrl"]

"""LAMB (You and others, 2020)."""

from __future__ import annotations

from tritonflow import _C
from tritonflow.dtypes import float32
from tritonflow.framework.runtime_scalar import as_float
from tritonflow.framework.tensor import Tensor
from tritonflow.nn.utils.multi_tensor import InPlace, batches
from tritonflow.optim.elementwise import ElementwiseOptimizer, StepRule
from tritonflow.optim.optimizer import Group, Params, launch_key
from tritonflow.optim.options import CHECKS, OptionCheck, checked

_CHECKS = (OptionCheck("amsgrad", lambda on: not on, "LAMB does not support AMSGrad variant.", RuntimeError), *CHECKS)


class LAMB(ElementwiseOptimizer):
    """LAMB: Adam whose step is as long as the parameter's norm says. In step t, with g the gradient,

        m = beta1 m + (1 - beta1) g          v = beta2 v + (1 - beta2) g^2
        u = m / (1 - beta1^t) / (sqrt(v / (1 - beta2^t)) + eps)
        p = p - lr * |p| / |u| * (u + weight_decay * p)          (|p| / |u| is 1 where one of them is 0)

    Args:
        params: the parameters, or groups of them.
        lr: the step's length.
        betas: how much of the two running means is kept.
        eps: keeps the division from exploding.
        weight_decay: the factor of the parameter in its step.
        adam_w_mode: decay the parameter itself; else weight_decay * p is added to the gradient.
        do_bias_correction: divide by 1 - beta^t, as above.
        amsgrad: must be False.
        contiguous_params: accepted and ignored.

    Raises:
        ValueError: an option is out of its range, or there are no parameters.
        RuntimeError: amsgrad is True.

    Source: oneflow.optim.LAMB; https://arxiv.org/abs/1904.00962

    Example:
        >>> import tritonflow as flow
        >>> p = flow.ones(2, requires_grad=True)
        >>> optimizer = flow.optim.LAMB([p], lr=0.5)
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
        adam_w_mode: bool = True,
        do_bias_correction: bool = True,
        amsgrad: bool = False,
        contiguous_params: bool = False,
    ) -> None:
        super().__init__(params, checked(locals(), _CHECKS))

    _state_names = ("exp_avg", "exp_avg_sq")
    _updates_elements = False  # it has norms of whole parameters

    def _rule(self, group: Group) -> StepRule:
        name = "lamb_direction" if group["do_bias_correction"] else "lamb_direction_uncorrected"
        return StepRule(name, self._state_names, (*group["betas"], group["eps"]))

    def _update(self, group: Group, parameters: list[Tensor]) -> None:
        """The directions of all parameters in one launch, their norms, and all steps in one launch."""
        rule, lr = self._rule(group), as_float(group["lr"])
        decay, decoupled = as_float(group["weight_decay"]), group["adam_w_mode"]
        for members in batches(parameters, launch_key):
            states, skip = [self._state(p, group, rule) for p in members], self._found_inf_for(members[0])
            with InPlace() as tensors:
                model = tensors.written(members)
                moments = tensors.written([state[name] for name in rule.states for state in states])
                moves = tensors.written([_C.zeros_like(p) for p in members])
                _C.multi_tensor_update(
                    rule.name,
                    model,
                    tensors.read([p.grad for p in members]),
                    tuple([state["step"] for state in states]),
                    (*moments, *moves),
                    (lr, decay, *rule.hyperparameters),
                    found_inf=skip,
                    decay=decay != 0 and not decoupled,
                )
                ratios = tuple([_trust_ratio(p, u) for p, u in zip(model, moves)])
                own = decay if decoupled else 0.0
                _C.multi_tensor_update(
                    "lamb_apply", model, moves, ratios, (), (lr, 0.0, own), found_inf=skip
                )


def _trust_ratio(p: Tensor, direction: Tensor) -> Tensor:
    """|p| / |direction|, or 1 where one of them is 0: a float32 number."""
    above, below = _C.norm(_C.cast(p, float32)), _C.norm(_C.cast(direction, float32))
    ratio = _C.div(above, below)
    return _C.where(_C.logical_and(_C.gt(above, 0), _C.gt(below, 0)), ratio, _C.ones_like(ratio))  # type: ignore[no-any-return]

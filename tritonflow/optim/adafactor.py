"""Adafactor (Shazeer and Stern, 2018)."""

from __future__ import annotations

from typing import Any

from tritonflow import _C
from tritonflow.dtypes import finfo, float32, float64
from tritonflow.errors import InvalidArgumentError
from tritonflow.execution.lazy import eager
from tritonflow.framework.runtime_scalar import as_float
from tritonflow.framework.tensor import Tensor
from tritonflow.optim.elementwise import filled
from tritonflow.optim.optimizer import Group, Optimizer, Params
from tritonflow.optim.options import OptionCheck, checked, is_one_number, not_negative

_CHECKS = (
    OptionCheck("lr", is_one_number, "Tensor lr must be 1-element"),
    OptionCheck("lr", not_negative, "Learning rate should be >= 0 but is: {}"),
    OptionCheck("beta2_decay", lambda decay: decay <= 0.0, "beta2_decay should be <= 0 but is: {}"),
    OptionCheck("eps", lambda eps: eps[0] is None or eps[0] >= 0.0, "epsilon1 should be >= 0 but is: {0[0]}"),
    OptionCheck("eps", lambda eps: eps[1] >= 0.0, "epsilon2 should be >= 0 but is: {0[1]}"),
    OptionCheck("d", lambda d: d >= 1.0, "Clipping threshold d should be >= 1 but is: {}"),
    OptionCheck("weight_decay", not_negative, "weight_decay should be >= 0 but is: {}"),
)


class Adafactor(Optimizer):
    """Adafactor: the second moment of a matrix is kept as a row and a column. In step t, with g the gradient,

        b = t^beta2_decay          a = max(eps2, rms(p)) * min(lr, 1 / sqrt(t))
        r = r + b (mean of g^2 over columns - r)          c = c + b (mean of g^2 over rows - c)
        v = r c / max(mean(r), eps1)                      (of a vector: v = v + b (g^2 - v))
        u = g / sqrt(max(v, eps1^2))
        p = p (1 - lr weight_decay) - a u / max(1, rms(u) / d)

    Tensors of more than two dimensions are matrices of their last two.

    Args:
        params: the parameters, or groups of them.
        lr: the largest step, in proportion to the parameter.
        beta2_decay: the power with which the means of squares become slower; at most 0.
        eps: (eps1, eps2); eps1 is the dtype's epsilon where it is None.
        d: the largest root mean square of an update; at least 1.
        weight_decay: how much of the parameter itself decays.
        foreach: accepted and ignored.
        maximize: climb instead of descending.

    Raises:
        ValueError: an option is out of its range, or there are no parameters.

    Source: https://pytorch.org/docs/stable/generated/torch.optim.Adafactor.html

    Example:
        >>> import tritonflow as flow
        >>> p = flow.ones(2, 2, requires_grad=True)
        >>> optimizer = flow.optim.Adafactor([p], lr=0.5)
        >>> p.sum().backward()
        >>> optimizer.step()
        >>> [round(v, 4) for v in p.flatten().tolist()]
        [0.5, 0.5, 0.5, 0.5]
    """

    def __init__(
        self,
        params: Params,
        lr: float | Tensor = 1e-2,
        beta2_decay: float = -0.8,
        eps: tuple[float | None, float] = (None, 1e-3),
        d: float = 1.0,
        weight_decay: float = 0.0,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
    ) -> None:
        super().__init__(params, checked(locals(), _CHECKS))

    def _update(self, group: Group, parameters: list[Tensor]) -> None:
        for p in parameters:
            self._update_one(group, p)

    def _update_one(self, group: Group, p: Any) -> None:
        if p.is_complex():
            raise InvalidArgumentError("Adafactor does not support complex parameters")
        g: Any = -p.grad if group["maximize"] else p.grad
        state, lr = self._state(p), group["lr"]
        eps1, eps2 = group["eps"]
        eps1 = finfo(p.dtype).eps if eps1 is None else eps1
        state["step"].add_(1)
        t = state["step"].to(float64)
        share = t ** group["beta2_decay"]
        rate = (1 / t.sqrt()).clamp(max=as_float(lr))
        alpha = (p.norm() / max(p.numel(), 1) ** 0.5).clamp(min=eps2) * rate
        if group["weight_decay"] != 0:
            p.mul_(1 - lr * group["weight_decay"])
        variance = _factored(g, state, share, eps1) if g.ndim > 1 else _moved(state["variance"], g * g, share)
        update = variance.clamp(min=eps1 * eps1).rsqrt() * g
        length = update.norm() / (max(update.numel(), 1) ** 0.5 * group["d"])
        p.sub_(update * (alpha / length.clamp(min=1.0)))

    def _state(self, p: Any) -> dict[str, Any]:
        """The state of a parameter; what of it is not there yet is made."""
        state = self.state[p]
        if "step" not in state:
            state["step"] = filled(p, 0.0, float32)
            if p.ndim > 1:
                shape = tuple(p.shape)
                with eager():
                    state["row_var"] = _C.new_zeros(p, (*shape[:-1], 1))
                    state["col_var"] = _C.new_zeros(p, (*shape[:-2], 1, shape[-1]))
            else:
                state["variance"] = filled(p, 0.0)
        return state


def _moved(mean: Any, value: Any, share: Any) -> Any:
    """A running mean, moved in place by a share of the way to a value."""
    return mean.add_((value - mean) * share)


def _factored(g: Any, state: dict[str, Any], share: Any, eps1: float) -> Any:
    """The second moment from those of rows and columns."""
    squared = g * g
    row = _moved(state["row_var"], squared.mean(dim=-1, keepdim=True), share)
    column = _moved(state["col_var"], squared.mean(dim=-2, keepdim=True), share)
    return row * column / row.mean(dim=-2, keepdim=True).clamp(min=eps1)

"""Muon (Jordan and others, 2024)."""

from __future__ import annotations

import math
from typing import Any

from tritonflow import _C
from tritonflow.dtypes import bfloat16
from tritonflow.errors import ArgumentValueError, InvalidArgumentError
from tritonflow.framework.tensor import Tensor
from tritonflow.optim.elementwise import filled
from tritonflow.optim.optimizer import Group, Optimizer, Params
from tritonflow.optim.options import OptionCheck, checked, is_one_number, not_negative

COEFFICIENTS = (3.4445, -4.7750, 2.0315)  # of the Newton-Schulz iteration
MAX_STEPS = 100
ADJUSTMENTS = ("original", "match_rms_adamw")
_CHECKS = (
    OptionCheck("lr", is_one_number, "Tensor lr must be 1-element"),
    OptionCheck("lr", not_negative, "Learning rate should be >= 0 but is: {}"),
    OptionCheck("momentum", not_negative, "momentum should be >= 0 but is: {}"),
    OptionCheck("weight_decay", not_negative, "weight decay should be >= 0 but is: {}"),
    OptionCheck("adjust_lr_fn", lambda name: name in (None, *ADJUSTMENTS), "Adjust learning rate function {} is not supported"),
)


class Muon(Optimizer):
    """Muon: momentum, made orthogonal by Newton-Schulz iterations in bfloat16; for matrices. With g the gradient,

        b = b + (1 - momentum) (g - b)          u = g + momentum (b - g) if nesterov else b
        x = u / |u|;  ns_steps times x = a x + (b y + c y y) x with y = x x^T
        p = p (1 - lr weight_decay) - lr * s * x

    where s is sqrt(max(1, rows / columns)), or 0.2 sqrt(max(rows, columns)) with adjust_lr_fn="match_rms_adamw".

    Args:
        params: the parameters, or groups of them; all are matrices.
        lr: the step's length.
        weight_decay: how much of the parameter itself decays.
        momentum: how much of the running mean is kept.
        nesterov: look ahead along the momentum.
        ns_coefficients: a, b and c of the iteration.
        eps: the smallest norm that is divided by.
        ns_steps: the number of iterations, below 100.
        adjust_lr_fn: "original", "match_rms_adamw", or None for the first.

    Raises:
        ValueError: an option is out of its range, or a parameter is no matrix.

    Source: https://pytorch.org/docs/stable/generated/torch.optim.Muon.html

    Example:
        >>> import tritonflow as flow
        >>> p = flow.eye(2).requires_grad_()
        >>> optimizer = flow.optim.Muon([p], lr=0.5)
        >>> p.square().sum().backward()
        >>> optimizer.step()
        >>> bool(p[0, 0] < 0.8), p[0, 1].item()
        (True, 0.0)
    """

    def __init__(
        self,
        params: Params,
        lr: float | Tensor = 1e-3,
        weight_decay: float = 0.1,
        momentum: float = 0.95,
        nesterov: bool = True,
        ns_coefficients: tuple[float, float, float] = COEFFICIENTS,
        eps: float = 1e-7,
        ns_steps: int = 5,
        adjust_lr_fn: str | None = None,
    ) -> None:
        super().__init__(params, checked(locals(), _CHECKS))
        for p in (p for group in self.param_groups for p in group["params"]):
            if p.ndim != 2:
                raise ArgumentValueError(
                    f"Muon only supports 2D parameters whereas we found a parameter with size: {p.shape}"
                )

    _state_names = ("momentum_buffer",)

    def _update(self, group: Group, parameters: list[Tensor]) -> None:
        lr, momentum = group["lr"], group["momentum"]
        p: Any
        for p in parameters:
            if p.is_complex():
                raise InvalidArgumentError("Muon does not support complex parameters")
            state, g = self.state[p], p.grad
            if "momentum_buffer" not in state:
                state["momentum_buffer"] = filled(p, 0.0)
            mean = state["momentum_buffer"]
            mean.lerp_(g, 1 - momentum)
            direction = g.lerp(mean, momentum) if group["nesterov"] else mean
            update = _orthogonal(direction, group["ns_coefficients"], group["ns_steps"], group["eps"])
            p.mul_(1 - lr * group["weight_decay"])
            p.sub_(update.to(p.dtype) * (lr * _adjustment(group["adjust_lr_fn"], *p.shape)))


def _adjustment(name: str | None, rows: int, columns: int) -> float:
    if name == "match_rms_adamw":
        return 0.2 * math.sqrt(max(rows, columns))
    return math.sqrt(max(1.0, rows / columns))


def _orthogonal(matrix: Any, coefficients: tuple[float, float, float], steps: int, eps: float) -> Any:
    """A matrix with about the same singular vectors, and singular values near 1."""
    if steps >= MAX_STEPS:
        raise ArgumentValueError("Number of steps must be less than 100 for computational efficiency")
    if len(coefficients) != 3:
        raise ArgumentValueError("Coefficients must be a tuple of exactly 3 values")
    a, b, c = coefficients
    is_tall = matrix.shape[0] > matrix.shape[1]
    x = _C.cast(matrix, bfloat16)
    x = x.t() if is_tall else x
    x = x / x.norm().clamp(min=eps)
    for _ in range(steps):
        gram = x @ x.t()
        x = _C.addmm(x, _C.addmm(gram, gram, gram, beta=b, alpha=c), x, beta=a)
    return x.t() if is_tall else x

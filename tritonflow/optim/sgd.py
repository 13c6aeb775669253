"""Stochastic gradient descent, with momentum."""

from __future__ import annotations

from typing import Any

from tritonflow import _C
from tritonflow.errors import ArgumentValueError
from tritonflow.framework.runtime_scalar import as_float
from tritonflow.framework.tensor import Tensor
from tritonflow.nn.utils.multi_tensor import InPlace, batches
from tritonflow.optim.optimizer import Group, Optimizer, Params, launch_key, new_state
from tritonflow.optim.options import checked


class SGD(Optimizer):
    """Stochastic gradient descent: with g the gradient plus weight_decay * p,

        b = momentum * b + (1 - dampening) * g        (b = g in the first step)
        p = p - lr * (g + momentum * b if nesterov else b)

    Args:
        params: the parameters, or groups of them.
        lr: the step's length.
        momentum: how much of the last step's direction is kept; 0 keeps none and needs no memory.
        dampening: how much less the new gradient counts.
        weight_decay: the factor of the parameter that is added to its gradient.
        nesterov: look ahead along the momentum; needs momentum and no dampening.
        maximize: climb instead of descending.
        foreach, fused, contiguous_params: accepted and ignored: every step is fused.
        differentiable: must be False.

    Source: https://pytorch.org/docs/stable/generated/torch.optim.SGD.html

    Example:
        >>> import tritonflow as flow
        >>> p = flow.ones(2, requires_grad=True)
        >>> optimizer = flow.optim.SGD([p], lr=0.5)
        >>> p.sum().backward()
        >>> optimizer.step()
        >>> p.tolist()
        [0.5, 0.5]
    """

    _reads_found_inf = True
    _updates_elements = True

    def __init__(
        self,
        params: Params,
        lr: float = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        differentiable: bool = False,
        fused: bool | None = None,
        contiguous_params: bool = False,
    ) -> None:
        options = checked(locals())
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ArgumentValueError("Nesterov momentum requires a momentum and zero dampening")
        super().__init__(params, options)

    _state_names = ("momentum_buffer",)

    def _update(self, group: Group, parameters: list[Tensor]) -> None:
        has_momentum, state = group["momentum"] != 0, self.state
        for p in parameters if has_momentum else ():
            state[p].setdefault("momentum_buffer")

        def key(p: Tensor) -> Any:
            # With dampening, a first step differs from a step with a buffer of zeros.
            first = has_momentum and group["dampening"] != 0 and state[p]["momentum_buffer"] is None
            return first, *launch_key(p)

        for members in batches(parameters, key):
            first = key(members[0])[0]
            skip = self._found_inf_for(members[0])
            if first and skip is not None and skip.item():
                continue  # skipped: the next step is the first one, and only the host knows that
            with InPlace() as tensors:
                _C.multi_tensor_sgd_update(
                    tensors.written(members),
                    tensors.read([p.grad for p in members]),
                    tensors.written([self._momentum(p) for p in members]) if has_momentum else None,
                    found_inf=skip,
                    learning_rate=as_float(group["lr"]),
                    weight_decay=as_float(group["weight_decay"]),
                    momentum=as_float(group["momentum"]),
                    dampening=as_float(group["dampening"]),
                    nesterov=group["nesterov"],
                    maximize=group["maximize"],
                    first_step=first,
                )

    def _check_sparse(self, group: Group) -> None:
        if group["weight_decay"] != 0:
            raise RuntimeError("SGD with weight_decay does not support sparse gradients; help: weight_decay=0 in their group")

    def _update_sparse(self, group: Group, p: Tensor) -> None:
        """Without momentum, the rows of the gradient alone are touched; with it, all rows move."""
        if group["momentum"] != 0 or self.found_inf is not None:
            from tritonflow.optim.sparse_gradients import update_densely

            update_densely(self, group, p)
            return
        grad: Any = p.grad
        step = as_float(group["lr"]) * (1 if group["maximize"] else -1)
        grad = grad.coalesce()
        p.index_put_(tuple(grad.indices().unbind(0)), grad.values() * step, accumulate=True)  # type: ignore[attr-defined]

    def _is_fresh(self) -> bool:
        """Whether a step with dampening is the first one."""
        state = self.state
        return any(
            state.get(p, {}).get("momentum_buffer") is None
            for group in self.param_groups if group["momentum"] != 0 and group["dampening"] != 0
            for p in group["params"] if p in state or not state
        )  # fmt: skip

    def _momentum(self, p: Tensor) -> Tensor:
        state = self.state[p]
        if state["momentum_buffer"] is None:
            state["momentum_buffer"] = new_state(p)
        return state["momentum_buffer"]  # type: ignore[no-any-return]

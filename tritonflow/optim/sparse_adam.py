"""SparseAdam: Adam for gradients of a sparse layout, such as those of `Embedding(sparse=True)`."""

from __future__ import annotations

from math import sqrt
from typing import Any

from tritonflow.framework.runtime_scalar import as_float
from tritonflow.framework.tensor import Tensor
from tritonflow.members.torch_names import strided
from tritonflow.optim.optimizer import Group, Optimizer, Params, new_state
from tritonflow.optim.options import CHECKS, OptionCheck, checked, is_one_number

_CHECKS = (
    OptionCheck("lr", is_one_number, "Tensor lr must be 1-element"),
    OptionCheck("lr", lambda lr: lr > 0.0, "Invalid learning rate: {}"),
    OptionCheck("eps", lambda eps: eps > 0.0, "Invalid epsilon value: {}"),
    *[check for check in CHECKS if check.option == "betas"],
)


class SparseAdam(Optimizer):
    """Adam that updates only the elements that a sparse gradient has: the others, and their running means, stay as they are.

    Args:
        params: the parameters, or groups of them.
        lr: the step's length.
        betas: how much of the two running means is kept.
        eps: keeps the division from exploding.
        maximize: climb instead of descending.

    Raises:
        ValueError: an option is out of its range, or a parameter is sparse.
        RuntimeError: in a step, before anything changes, if a gradient is dense.

    Source: https://pytorch.org/docs/stable/generated/torch.optim.SparseAdam.html

    Example:
        >>> import tritonflow as flow
        >>> layer = flow.nn.Embedding(3, 2, sparse=True, _weight=flow.ones(3, 2))
        >>> optimizer = flow.optim.SparseAdam(layer.parameters(), lr=0.5)
        >>> layer(flow.tensor([2])).sum().backward()
        >>> optimizer.step()
        >>> layer.weight
        Parameter containing:
        tensor([[1.0000, 1.0000],
                [1.0000, 1.0000],
                [0.5000, 0.5000]], requires_grad=True)
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
        if any(p.layout is not strided for group in self.param_groups for p in group["params"]):
            raise ValueError("Sparse params are not supported: SparseAdam requires dense parameter tensors")

    _state_names = ("exp_avg", "exp_avg_sq")

    def step(self, closure: Any = None) -> Any:
        """One step for the parameters that have a gradient.

        Args:
            closure: as of every optimizer.
        """
        if closure is None:
            self._refuse_dense()
        return super().step(closure)

    def _refuse_dense(self) -> None:
        for group in self.param_groups:
            if any(p.grad is not None and p.grad.layout is strided for p in group["params"]):
                raise RuntimeError("SparseAdam does not support dense gradients, please consider Adam instead")

    def _check_sparse(self, group: Group) -> None:
        """All are welcome."""

    def _update(self, group: Group, parameters: list[Tensor]) -> None:
        if parameters:
            self._refuse_dense()

    def _update_sparse(self, group: Group, p: Tensor) -> None:
        state, grad = self.state[p], p.grad.coalesce()  # type: ignore[union-attr]
        if not state:
            state["step"] = 0
            state.update({name: new_state(p) for name in self._state_names})
        state["step"] = int(state["step"]) + 1  # a loaded one is a tensor
        at, g = tuple(grad.indices().unbind(0)), -grad.values() if group["maximize"] else grad.values()
        if not g.shape[0]:
            return
        (first, second), count = group["betas"], state["step"]
        mean: Any = state["exp_avg"][at] * first + g * (1 - first)
        square: Any = state["exp_avg_sq"][at] * second + g * g * (1 - second)
        state["exp_avg"][at] = mean
        state["exp_avg_sq"][at] = square
        step = as_float(group["lr"]) * sqrt(1 - second**count) / (1 - first**count)
        p[at] = p.detach()[at] - step * mean / (square.sqrt() + group["eps"])  # type: ignore[attr-defined, index]

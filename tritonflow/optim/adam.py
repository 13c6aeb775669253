"""Adam (Kingma and Ba, 2015) and AdamW (Loshchilov and Hutter, 2019)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tritonflow import _C
from tritonflow.errors import ArgumentValueError
from tritonflow.framework.runtime_scalar import as_float
from tritonflow.framework.tensor import Tensor
from tritonflow.nn.utils.multi_tensor import InPlace, batches
from tritonflow.optim.optimizer import Group, Optimizer, Params, launch_key, new_state, new_step
from tritonflow.optim.options import checked


class Adam(Optimizer):
    """Adam: steps scaled by running means of the gradient and of its square. In step t, with g the gradient,

        m = beta1 m + (1 - beta1) g          v = beta2 v + (1 - beta2) g^2
        p = p - lr * (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + eps)

    Args:
        params: the parameters, or groups of them.
        lr: the step's length.
        betas: how much of the two running means is kept.
        eps: keeps the division from exploding.
        weight_decay: the factor of the parameter that is added to its gradient.
        amsgrad: divide by the largest v so far.
        foreach, fused, capturable: accepted and ignored: every step is fused, and counted in the device's memory.
        maximize: climb instead of descending.
        differentiable: must be False.
        decoupled_weight_decay: decay the parameter itself, as AdamW does.
        do_bias_correction: divide by 1 - beta^t, as above; OneFlow can do without.
        contiguous_params: accepted and ignored.

    Source: https://pytorch.org/docs/stable/generated/torch.optim.Adam.html

    Example:
        >>> import tritonflow as flow
        >>> p = flow.ones(2, requires_grad=True)
        >>> optimizer = flow.optim.Adam([p], lr=0.5)
        >>> p.sum().backward()
        >>> optimizer.step()
        >>> [round(v, 4) for v in p.tolist()]
        [0.5, 0.5]
    """

    _reads_found_inf = True
    _updates_elements = True

    def __init__(
        self,
        params: Params,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
        decoupled_weight_decay: bool = False,
        do_bias_correction: bool = True,
        contiguous_params: bool = False,
    ) -> None:
        _check_tensor_options(lr, betas, bool(foreach) and not capturable)
        betas, do_bias_correction = (float(betas[0]), float(betas[1])), bool(do_bias_correction)
        options = checked(locals())
        if do_bias_correction:
            del options["do_bias_correction"]
        super().__init__(params, options)

    _state_names = ("exp_avg", "exp_avg_sq", "max_exp_avg_sq")

    def _update(self, group: Group, parameters: list[Tensor]) -> None:
        names = ("exp_avg", "exp_avg_sq", *(("max_exp_avg_sq",) if group["amsgrad"] else ()))
        beta1, beta2 = group["betas"]
        for members in batches(parameters, launch_key):
            states = [self._state(p, names) for p in members]
            with InPlace() as tensors:
                first, second, *largest = [tensors.written([state[name] for state in states]) for name in names]
                _C.multi_tensor_adam_update(
                    tensors.written(members),
                    tensors.read([p.grad for p in members]),
                    first,
                    second,
                    tuple([state["step"] for state in states]),
                    *largest,
                    found_inf=self._found_inf_for(members[0]),
                    learning_rate=as_float(group["lr"]),
                    beta1=beta1,
                    beta2=beta2,
                    epsilon=group["eps"],
                    weight_decay=as_float(group["weight_decay"]),
                    do_bias_correction=group.get("do_bias_correction", True),
                    decoupled=group["decoupled_weight_decay"],
                    maximize=group["maximize"],
                )

    def _state(self, p: Tensor, names: Iterable[str]) -> dict[str, Any]:
        """The state of a parameter; what of it is not there yet is made."""
        state = self.state[p]
        if "step" not in state:
            state["step"] = new_step(p)
        for name in names:
            if name not in state:
                state[name] = new_state(p)
        return state

    def _check_state(self, number: Any, p: Tensor, state: dict[str, Any]) -> None:
        super()._check_state(number, p, state)
        if "exp_avg_scale" in state:
            raise ArgumentValueError(
                f"loaded state dict has codes of 8 bits as the state of parameter {number}; help: load it into Adam8bit, AdamW8bit"
            )


class AdamW(Adam):
    """Adam with decoupled weight decay: p = p (1 - lr * weight_decay) before the step, and no decay in the gradient.

    Arguments are Adam's; weight_decay is 0.01 by default.

    Source: https://pytorch.org/docs/stable/generated/torch.optim.AdamW.html
    """

    def __init__(
        self,
        params: Params,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, **options, decoupled_weight_decay=True)


def _check_tensor_options(lr: Any, betas: Any, refused: bool) -> None:
    """Raise as torch does of options that are tensors: with these options, of several elements, or one beta only."""
    options = {"lr": lr, **{f"betas[{k}]": beta for k, beta in enumerate(betas)}}
    given = [name for name, value in options.items() if isinstance(value, Tensor)]
    if len([name for name in given if name != "lr"]) == 1:
        raise ArgumentValueError("betas must be either both floats or both Tensors")
    for name in given:
        if refused:
            raise ArgumentValueError(f"{name} as a Tensor is not supported for capturable=False and foreach=True")
        if options[name].numel() != 1:
            raise ArgumentValueError(f"Tensor {name} must be 1-element")

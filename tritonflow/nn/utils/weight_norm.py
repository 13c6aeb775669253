"""Weight normalisation by a hook before each forward pass; `parametrizations.weight_norm` is the better way."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, TypeVar

from tritonflow.errors import ArgumentValueError
from tritonflow.nn.parameter import Parameter
from tritonflow.nn.utils.norms import norm_except_dim, weight_of

__all__ = ["WeightNorm", "remove_weight_norm", "weight_norm"]

if TYPE_CHECKING:
    from tritonflow.nn.modules.module import Module

M = TypeVar("M", bound="Module")


class WeightNorm:
    """The hook: computes a module's weight from `<name>_g` and `<name>_v`."""

    def __init__(self, name: str, dim: int | None) -> None:
        self.name = name
        self.dim = -1 if dim is None else dim

    def compute_weight(self, module: Any) -> Any:
        """g v / |v|."""
        return weight_of(getattr(module, self.name + "_v"), getattr(module, self.name + "_g"), self.dim)

    @staticmethod
    def apply(module: Any, name: str, dim: int | None) -> WeightNorm:
        """Give a module the hook.

        Raises:
            RuntimeError: it has one for this parameter already.
        """
        for hook in module._forward_pre_hooks.values():
            if isinstance(hook, WeightNorm) and hook.name == name:
                raise RuntimeError(f"Cannot register two weight_norm hooks on the same parameter {name}")
        hook = WeightNorm(name, dim)
        weight = getattr(module, name)
        delattr(module, name)
        module.register_parameter(name + "_g", Parameter(norm_except_dim(weight.detach(), 2, hook.dim)))
        module.register_parameter(name + "_v", Parameter(weight.detach()))
        setattr(module, name, hook.compute_weight(module))
        module.register_forward_pre_hook(hook)
        return hook

    def remove(self, module: Any) -> None:
        """Make the weight a parameter again."""
        weight = self.compute_weight(module)
        for name in (self.name, self.name + "_g", self.name + "_v"):
            delattr(module, name)
        setattr(module, self.name, Parameter(weight.detach()))

    def __call__(self, module: Any, inputs: Any) -> None:
        setattr(module, self.name, self.compute_weight(module))


def weight_norm(module: M, name: str = "weight", dim: int | None = 0) -> M:
    """Let a parameter be w = g v / |v|, computed before each forward pass from the parameters `<name>_g` and `<name>_v`.

    Args:
        module: is changed.
        name: of the parameter.
        dim: the dimension whose slices have a length each; None for one length.

    Returns:
        The module.

    Source: https://pytorch.org/docs/stable/generated/torch.nn.utils.weight_norm.html
    """
    warnings.warn(
        "`nn.utils.weight_norm` is deprecated in favor of `nn.utils.parametrizations.weight_norm`.",
        FutureWarning,
        stacklevel=2,
    )
    WeightNorm.apply(module, name, dim)
    return module


def remove_weight_norm(module: M, name: str = "weight") -> M:
    """Make a parameter with weight normalisation an ordinary one again; returns the module.

    Args:
        module: is changed.
        name: of the parameter.

    Raises:
        ValueError: it has none.

    Source: torch.nn.utils.remove_weight_norm.
    """
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, WeightNorm) and hook.name == name:
            hook.remove(module)
            del module._forward_pre_hooks[key]
            return module
    raise ArgumentValueError(f"weight_norm of '{name}' not found in {module}")

"""Spectral normalisation by a hook before each forward pass; `parametrizations.spectral_norm` is the better way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from tritonflow.autograd import no_grad
from tritonflow.errors import ArgumentValueError
from tritonflow.nn.parameter import Parameter
from tritonflow.nn.utils.norms import as_matrix, default_dim, random_unit, unit

__all__ = ["SpectralNorm", "remove_spectral_norm", "spectral_norm"]

if TYPE_CHECKING:
    from tritonflow.nn.modules.module import Module

M = TypeVar("M", bound="Module")


class SpectralNorm:
    """The hook: divides `<name>_orig` by its largest singular value, with singular vectors `<name>_u` and `<name>_v`."""

    _version = 1

    def __init__(self, name: str = "weight", n_power_iterations: int = 1, dim: int = 0, eps: float = 1e-12) -> None:
        if n_power_iterations <= 0:
            raise ArgumentValueError(
                f"Expected n_power_iterations to be positive, but got n_power_iterations={n_power_iterations}"
            )
        self.name, self.n_power_iterations, self.dim, self.eps = name, n_power_iterations, dim, eps

    def compute_weight(self, module: Any, do_power_iteration: bool) -> Any:
        """The weight divided by its largest singular value; the power iterations write the singular vectors in place."""
        weight, u, v = [getattr(module, self.name + suffix) for suffix in ("_orig", "_u", "_v")]
        matrix = as_matrix(weight, self.dim)
        if do_power_iteration:
            with no_grad():
                for _ in range(self.n_power_iterations):
                    v.copy_(unit(matrix.t().mv(u), self.eps))
                    u.copy_(unit(matrix.mv(v), self.eps))
                u, v = u.clone(), v.clone()  # the next call writes them, and backward needs these
        return weight / u.dot(matrix.mv(v))

    @staticmethod
    def apply(module: Any, name: str, n_power_iterations: int, dim: int, eps: float) -> SpectralNorm:
        """Give a module the hook.

        Raises:
            RuntimeError: it has one for this parameter already.
            ValueError: the parameter is None.
        """
        for hook in module._forward_pre_hooks.values():
            if isinstance(hook, SpectralNorm) and hook.name == name:
                raise RuntimeError(f"Cannot register two spectral_norm hooks on the same parameter {name}")
        hook = SpectralNorm(name, n_power_iterations, dim, eps)
        weight = module._parameters[name]
        if weight is None:
            raise ArgumentValueError(f"`SpectralNorm` cannot be applied as parameter `{name}` is None")
        matrix = as_matrix(weight.detach(), dim)
        delattr(module, name)
        module.register_parameter(name + "_orig", weight)
        setattr(module, name, weight.detach())
        module.register_buffer(name + "_u", random_unit(matrix, matrix.shape[0], eps))
        module.register_buffer(name + "_v", random_unit(matrix, matrix.shape[1], eps))
        module.register_forward_pre_hook(hook)
        module._register_state_dict_hook(_StateDictHook(hook))
        return hook

    def remove(self, module: Any) -> None:
        """Make the weight a parameter again."""
        with no_grad():
            weight = self.compute_weight(module, False)
        for suffix in ("", "_u", "_v", "_orig"):
            delattr(module, self.name + suffix)
        module.register_parameter(self.name, Parameter(weight.detach()))

    def __call__(self, module: Any, inputs: Any) -> None:
        setattr(module, self.name, self.compute_weight(module, module.training))


class _StateDictHook:
    """Notes the version of the hook in the metadata of a state dict, as torch does."""

    def __init__(self, hook: SpectralNorm) -> None:
        self.hook = hook

    def __call__(self, module: Any, state_dict: Any, prefix: str, local_metadata: dict[str, Any]) -> None:
        local_metadata.setdefault("spectral_norm", {})[self.hook.name + ".version"] = self.hook._version


def spectral_norm(
    module: M, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim: int | None = None
) -> M:
    """Let a parameter be divided by its largest singular value, before each forward pass.

    Args:
        module: is changed.
        name: of the parameter, taken as a matrix.
        n_power_iterations: iterations in each forward pass in training mode.
        eps: the smallest norm that is divided by.
        dim: the dimension of the outputs: 1 for transposed convolutions, else 0, unless given.

    Returns:
        The module.

    Source: https://pytorch.org/docs/stable/generated/torch.nn.utils.spectral_norm.html
    """
    SpectralNorm.apply(module, name, n_power_iterations, default_dim(module) if dim is None else dim, eps)
    return module


def remove_spectral_norm(module: M, name: str = "weight") -> M:
    """Make a parameter with spectral normalisation an ordinary one again; returns the module.

    Args:
        module: is changed.
        name: of the parameter.

    Raises:
        ValueError: it has none.

    Source: torch.nn.utils.remove_spectral_norm.
    """
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, SpectralNorm) and hook.name == name:
            hook.remove(module)
            del module._forward_pre_hooks[key]
            break
    else:
        raise ArgumentValueError(f"spectral_norm of '{name}' not found in {module}")
    for key, noted in module._state_dict_hooks.items():
        if isinstance(noted, _StateDictHook) and noted.hook.name == name:
            del module._state_dict_hooks[key]
            break
    return module

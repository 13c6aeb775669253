"""Pruning: parameters with masks, by which elements or whole channels are 0.

A pruned parameter `<name>` of a module is `<name>_orig * <name>_mask`, computed before each forward pass. `<name>_orig` is trained.
"""

from __future__ import annotations

import numbers
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from tritonflow import _C
from tritonflow.autograd import no_grad
from tritonflow.errors import ArgumentTypeError, ArgumentValueError
from tritonflow.nn.utils.convert_parameters import parameters_to_vector

__all__ = [
    "BasePruningMethod", "CustomFromMask", "Identity", "L1Unstructured", "LnStructured", "PruningContainer", "RandomStructured",
    "RandomUnstructured", "custom_from_mask", "global_unstructured", "identity", "is_pruned", "l1_unstructured", "ln_structured",
    "random_structured", "random_unstructured", "remove",
]  # fmt: skip

if TYPE_CHECKING:
    from tritonflow.nn.modules.module import Module

M = TypeVar("M", bound="Module")


class BasePruningMethod(ABC):
    """Base of pruning methods: a subclass says its `PRUNING_TYPE` and computes the mask.

    It is a hook, which multiplies the parameter by its mask before each forward pass.

    Source: https://pytorch.org/docs/stable/generated/torch.nn.utils.prune.BasePruningMethod.html
    """

    _tensor_name: str
    PRUNING_TYPE = "unstructured"

    def __call__(self, module: Any, inputs: Any) -> None:
        setattr(module, self._tensor_name, self.apply_mask(module))

    @abstractmethod
    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """The mask from the importance of the elements and the mask so far."""

    def apply_mask(self, module: Any) -> Any:
        """The parameter times its mask."""
        original = getattr(module, self._tensor_name + "_orig")
        return getattr(module, self._tensor_name + "_mask").to(dtype=original.dtype) * original

    @classmethod
    def apply(cls, module: Any, name: str, *args: Any, importance_scores: Any = None, **kwargs: Any) -> Any:
        """Prune a parameter of a module; on top of what has pruned it before.

        Args:
            module, name: of the parameter.
            args, kwargs: of the method's constructor.
            importance_scores: by what elements are chosen; by the parameter itself unless given.
        """
        method = cls._combined(module, name, cls(*args, **kwargs))
        original = getattr(module, name)
        scores = original if importance_scores is None else importance_scores
        if scores.shape != original.shape:
            raise AssertionError(
                f"importance_scores should have the same shape as parameter {name} of {module}, got {scores.shape} vs"
                f" {original.shape}"
            )
        with no_grad():
            if isinstance(method, PruningContainer):
                before = getattr(module, name + "_mask").detach().clone()
            else:
                before = _C.ones_like(original)
            mask = method.compute_mask(scores, default_mask=before)
        if not isinstance(method, PruningContainer):
            delattr(module, name)
            module.register_parameter(name + "_orig", original)
        module.register_buffer(name + "_mask", mask)
        setattr(module, name, method.apply_mask(module))
        module.register_forward_pre_hook(method)
        return method

    @staticmethod
    def _combined(module: Any, name: str, method: Any) -> Any:
        """A method, together with those that the parameter has; their hook is taken away."""
        method._tensor_name = name
        hooks = module._forward_pre_hooks
        keys = [k for k, hook in hooks.items() if isinstance(hook, BasePruningMethod) and hook._tensor_name == name]
        if len(keys) > 1:
            raise AssertionError(
                f"Avoid adding multiple pruning hooks to the same tensor {name} of module {module}. Use a PruningContainer."
            )
        if not keys:
            return method
        old = hooks[keys[0]]
        del hooks[keys[0]]
        container = old if isinstance(old, PruningContainer) else PruningContainer(old)
        container.add_pruning_method(method)
        return container

    def prune(self, t: Any, default_mask: Any = None, importance_scores: Any = None) -> Any:
        """A tensor times the mask that the method computes for it."""
        scores = t if importance_scores is None else importance_scores
        if scores.shape != t.shape:
            raise AssertionError(
                f"importance_scores should have the same shape as tensor t, got {scores.shape} vs {t.shape}"
            )
        return t * self.compute_mask(scores, default_mask=_C.ones_like(t) if default_mask is None else default_mask)

    def remove(self, module: Any) -> None:
        """Make the pruned values those of an ordinary parameter."""
        name = self._tensor_name
        weight, original = self.apply_mask(module), module._parameters[name + "_orig"]
        for each in (name, name + "_orig", name + "_mask"):
            delattr(module, each)
        original.data = weight.detach()
        setattr(module, name, original)


class PruningContainer(BasePruningMethod):
    """Several methods, one after the other, for one parameter."""

    _tensor_name: Any = None

    def __init__(self, *args: Any) -> None:
        self._pruning_methods: tuple[Any, ...] = ()
        if len(args) == 1:
            self._tensor_name = args[0]._tensor_name
        for method in args:
            self.add_pruning_method(method)

    def add_pruning_method(self, method: Any) -> None:
        """Add a method, which comes last.

        Raises:
            TypeError: it is none.
            ValueError: it prunes another parameter.
        """
        if not isinstance(method, BasePruningMethod):
            raise ArgumentTypeError(f"{type(method)} is not a BasePruningMethod subclass")
        if self._tensor_name != method._tensor_name:
            raise ArgumentValueError(
                f"Can only add pruning methods acting on the parameter named '{self._tensor_name}' to PruningContainer {self}."
                f" Found '{method._tensor_name}'"
            )
        self._pruning_methods += (method,)

    def __len__(self) -> int:
        return len(self._pruning_methods)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._pruning_methods)

    def __getitem__(self, index: int) -> Any:
        return self._pruning_methods[index]

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """The mask of the last method, for what the mask so far has left."""
        method, mask = self._pruning_methods[-1], default_mask.to(dtype=t.dtype)
        if method.PRUNING_TYPE == "global":
            return method.compute_mask(t, default_mask=mask)
        if method.PRUNING_TYPE == "unstructured":
            left = (default_mask == 1).flatten().nonzero().flatten()
            flat = mask.flatten().clone()
            flat[left] = method.compute_mask(t.flatten()[left], default_mask=flat[left]).to(dtype=mask.dtype)
            return flat.reshape(tuple(mask.shape))
        if method.PRUNING_TYPE != "structured":
            raise ArgumentValueError(f"Unrecognized PRUNING_TYPE {method.PRUNING_TYPE}")
        if not hasattr(method, "dim"):
            raise AttributeError(
                'Pruning methods of PRUNING_TYPE "structured" need to have the attribute `dim` defined.'
            )
        dim = method.dim + t.ndim if method.dim < 0 else method.dim
        if dim < 0:
            raise IndexError(f"Index is out of bounds for tensor with dimensions {t.ndim}")
        left = (mask.sum([d for d in range(t.ndim) if d != dim]) != 0).nonzero().flatten()
        at = (slice(None),) * dim + (left,)
        mask = mask.clone()
        mask[at] = method.compute_mask(t[at], default_mask=mask[at]).to(dtype=mask.dtype)
        return mask


class Identity(BasePruningMethod):
    """Prunes nothing, but makes the mask."""

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """The mask so far."""
        return default_mask


class _Unstructured(BasePruningMethod):
    """Base of those that set an amount of elements to 0: a number of them, or a share."""

    def __init__(self, amount: Any) -> None:
        _require_amount(amount)
        self.amount = amount

    def _scores(self, t: Any) -> Any:
        """The elements with the lowest are pruned."""
        raise NotImplementedError

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """The mask so far, with 0 for the chosen elements."""
        count = _count(self.amount, t.numel())
        mask = default_mask.flatten().clone()
        if count:
            _, indices = _C.topk(self._scores(t.detach()).flatten(), count, largest=False)
            mask[indices] = 0
        return mask.reshape(tuple(default_mask.shape))


class RandomUnstructured(_Unstructured):
    """Prunes random elements."""

    def _scores(self, t: Any) -> Any:
        return _C.rand_like(t)


class L1Unstructured(_Unstructured):
    """Prunes the elements with the smallest absolute values."""

    def _scores(self, t: Any) -> Any:
        return t.abs()


class _Structured(BasePruningMethod):
    """Base of those that set an amount of channels along a dimension to 0."""

    PRUNING_TYPE = "structured"

    def __init__(self, amount: Any, dim: int = -1) -> None:
        _require_amount(amount)
        self.amount, self.dim = amount, dim

    def _scores(self, t: Any) -> Any:
        """The channels with the lowest are pruned."""
        raise NotImplementedError

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """The mask so far, with 0 for the chosen channels."""
        if t.ndim <= 1:
            raise ArgumentValueError(
                f"Structured pruning can only be applied to multidimensional tensors. Found tensor of shape {t.shape} with"
                f" {t.ndim} dims"
            )
        if self.dim >= t.ndim:
            raise IndexError(f"Invalid index {self.dim} for tensor of size {t.shape}")
        size = t.shape[self.dim]
        count = _count(self.amount, size)
        if not count:
            return default_mask
        _, kept = _C.topk(self._scores(t.detach()), size - count, largest=True)
        channels = t.new_zeros((size,))
        if size > count:
            channels[kept] = 1
        shape = [1] * t.ndim
        shape[self.dim] = size
        return channels.reshape(tuple(shape)) * default_mask.to(dtype=t.dtype)


class RandomStructured(_Structured):
    """Prunes random channels."""

    def _scores(self, t: Any) -> Any:
        return _C.rand_like(t.new_zeros((t.shape[self.dim],)))


class LnStructured(_Structured):
    """Prunes the channels with the smallest norms of order n."""

    def __init__(self, amount: Any, n: Any, dim: int = -1) -> None:
        super().__init__(amount, dim)
        self.n = n

    def _scores(self, t: Any) -> Any:
        dims = tuple([d for d in range(t.ndim) if d != self.dim % t.ndim])
        return _C.norm(t, self.n, dims)


class CustomFromMask(BasePruningMethod):
    """Prunes by a mask that is given."""

    PRUNING_TYPE = "global"

    def __init__(self, mask: Any) -> None:
        self.mask = mask

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """The product of both masks."""
        if default_mask.shape != self.mask.shape:
            raise AssertionError(
                f"default_mask shape {default_mask.shape} must match self.mask shape {self.mask.shape}"
            )
        return default_mask * self.mask.to(dtype=default_mask.dtype)


def identity(module: M, name: str) -> M:
    """Give a parameter a mask of ones; returns the module."""
    Identity.apply(module, name)
    return module


def random_unstructured(module: M, name: str, amount: Any) -> M:
    """Prune a number, or a share, of random elements of a parameter; returns the module."""
    RandomUnstructured.apply(module, name, amount=amount)
    return module


def l1_unstructured(module: M, name: str, amount: Any, importance_scores: Any = None) -> M:
    """Prune a number, or a share, of the elements of a parameter that have the smallest absolute values.

    Args:
        module, name: of the parameter.
        amount: an int, or a float in [0, 1].
        importance_scores: whose absolute values count instead of the parameter's.

    Returns:
        The module.

    Raises:
        TypeError, ValueError: `amount` is no number, or out of its range.

    Source: https://pytorch.org/docs/stable/generated/torch.nn.utils.prune.l1_unstructured.html

    Example:
        >>> import tritonflow as flow
        >>> m = flow.nn.Linear(4, 5)
        >>> int((flow.nn.utils.prune.l1_unstructured(m, "weight", amount=0.25).weight == 0).sum())
        5
    """
    L1Unstructured.apply(module, name, amount=amount, importance_scores=importance_scores)
    return module


def random_structured(module: M, name: str, amount: Any, dim: int) -> M:
    """Prune a number, or a share, of random channels of a parameter along a dimension; returns the module."""
    RandomStructured.apply(module, name, amount=amount, dim=dim)
    return module


def ln_structured(module: M, name: str, amount: Any, n: Any, dim: int, importance_scores: Any = None) -> M:
    """Prune the channels of a parameter along a dimension that have the smallest norms of order n; returns the module."""
    LnStructured.apply(module, name, amount=amount, n=n, dim=dim, importance_scores=importance_scores)
    return module


def custom_from_mask(module: M, name: str, mask: Any) -> M:
    """Prune a parameter by a mask; returns the module."""
    CustomFromMask.apply(module, name, mask=mask)
    return module


def global_unstructured(parameters: Any, pruning_method: Any, importance_scores: Any = None, **kwargs: Any) -> None:
    """Prune elements of several parameters, which are compared as one vector.

    Args:
        parameters: pairs (module, name).
        pruning_method: an unstructured one.
        importance_scores: by pairs what counts instead of the parameter.
        kwargs: of the method's constructor.

    Raises:
        TypeError: the method is not unstructured, or an argument has another type.

    Source: https://pytorch.org/docs/stable/generated/torch.nn.utils.prune.global_unstructured.html
    """
    if not isinstance(parameters, Iterable):
        raise ArgumentTypeError("global_unstructured(): parameters is not an Iterable")
    scores = {} if importance_scores is None else importance_scores
    if not isinstance(scores, dict):
        raise ArgumentTypeError("global_unstructured(): importance_scores must be of type dict")
    pairs = list(parameters)
    method = pruning_method(**kwargs)
    if method.PRUNING_TYPE != "unstructured":
        raise ArgumentTypeError(
            'Only "unstructured" PRUNING_TYPE supported for the `pruning_method`.'
            f" Found method {pruning_method} of type {method.PRUNING_TYPE}"
        )
    with no_grad():
        vector = parameters_to_vector([scores.get(pair, getattr(*pair)) for pair in pairs])
        masks = [getattr(module, f"{name}_mask", _C.ones_like(getattr(module, name))) for module, name in pairs]
        method._tensor_name = "vector"
        mask = PruningContainer(method).compute_mask(vector, parameters_to_vector(masks))
    start = 0
    for module, name in pairs:
        parameter = getattr(module, name)
        count = parameter.numel()
        custom_from_mask(module, name, mask[start : start + count].reshape(tuple(parameter.shape)))
        start += count


def remove(module: M, name: str) -> M:
    """Make a pruned parameter an ordinary one with the pruned values; returns the module.

    Raises:
        ValueError: it is not pruned.
    """
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, BasePruningMethod) and hook._tensor_name == name:
            hook.remove(module)
            del module._forward_pre_hooks[key]
            return module
    raise ArgumentValueError(f"Parameter '{name}' of module {module} has to be pruned before pruning can be removed")


def is_pruned(module: Any) -> bool:
    """Whether a module, or one inside of it, has a pruned parameter."""
    return any(
        isinstance(hook, BasePruningMethod)
        for _, inner in module.named_modules()
        for hook in inner._forward_pre_hooks.values()
    )


def _require_amount(amount: Any) -> None:
    if not isinstance(amount, numbers.Real):
        raise ArgumentTypeError(f"Invalid type for amount: {amount}. Must be int or float.")
    is_count = isinstance(amount, numbers.Integral)
    if float(amount) < 0 or (not is_count and float(amount) > 1.0):
        raise ArgumentValueError(
            f"amount={amount} should either be a float in the range [0, 1] or a non-negative integer"
        )


def _count(amount: Any, size: int) -> int:
    """How many of `size` an amount is."""
    count = int(amount) if isinstance(amount, numbers.Integral) else round(amount * size)
    if count > size:
        raise ArgumentValueError(f"amount={amount} should be smaller than the number of parameters to prune={size}")
    return count

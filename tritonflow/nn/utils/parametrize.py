"""Parametrizations: a parameter that is computed by modules from other tensors whenever it is read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from copy import deepcopy
from typing import Any

from tritonflow.autograd import no_grad
from tritonflow.errors import ArgumentValueError
from tritonflow.framework.module_version import module_version
from tritonflow.framework.tensor import Tensor
from tritonflow.nn.modules.container import ModuleDict, ModuleList
from tritonflow.nn.modules.module import Module
from tritonflow.nn.parameter import Parameter

__all__ = [
    "ParametrizationList", "cached", "is_parametrized", "register_parametrization", "remove_parametrizations",
    "transfer_parametrizations_and_params", "type_before_parametrizations",
]  # fmt: skip


class _Cache:
    """The tensors that were computed in `cached()` blocks, by module and name."""

    def __init__(self) -> None:
        self.depth = 0
        self.found: dict[tuple[int, str], Any] = {}


_cache = _Cache()


@contextmanager
def cached() -> Iterator[None]:
    """A block in which each parametrized tensor is computed once, at its first use.

    Source: https://pytorch.org/docs/stable/generated/torch.nn.utils.parametrize.cached.html
    """
    _cache.depth += 1
    try:
        yield
    finally:
        _cache.depth -= 1
        if not _cache.depth:
            _cache.found = {}


class ParametrizationList(ModuleList):
    """The parametrizations of one tensor, in the order in which they are applied, and what they are applied to.

    `original`, or `original0`, `original1` and so on, are the tensors that the first one takes: what `right_inverse` of all of
    them makes of the tensor at registration.

    Args:
        modules: the parametrizations.
        original: the tensor.
        unsafe: leave out the checks that the result has the tensor's dtype and shape.

    Raises:
        ValueError: there are none, or they change the dtype or the shape.

    Source: https://pytorch.org/docs/stable/generated/torch.nn.utils.parametrize.ParametrizationList.html
    """

    original: Any

    def __init__(self, modules: Sequence[Module], original: Any, unsafe: bool = False) -> None:
        if len(modules) == 0:
            raise ArgumentValueError("ParametrizationList requires one or more modules.")
        super().__init__(modules)
        self.unsafe = unsafe
        shape, dtype = original.shape, original.dtype
        new = self._inverted(original)
        self.is_tensor = isinstance(new, Tensor)
        self.ntensors = 1 if self.is_tensor else len(new)
        if self.is_tensor:
            self._keep_one(original, new)
        else:
            self._keep_several(original, new)
        if not self.unsafe:
            _check_forward("unparametrized", self(), dtype, shape)

    def _inverted(self, original: Any) -> Any:
        """What the first parametrization takes to give the tensor; those without `right_inverse` count as the identity."""
        new = original
        with no_grad():
            for module in reversed(list(self)):
                if hasattr(module, "right_inverse"):
                    with suppress(NotImplementedError):
                        new = module.right_inverse(new)
        if not isinstance(new, (Tensor, Sequence)):
            raise ArgumentValueError(
                "'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). "
                f"Got {type(new).__name__}"
            )
        return new

    def _keep_one(self, original: Any, new: Any) -> None:
        for what in ("dtype", "device" if original.meta.is_local else "placement"):
            before, after = getattr(original, what), getattr(new, what)
            if before != after:
                raise ArgumentValueError(
                    f"When `right_inverse` outputs one tensor, it may not change the {what}.\noriginal.{what}: {before}\n"
                    f"right_inverse(original).{what}: {after}"
                )
        _assign(original, new)
        _register(self, "original", original)

    def _keep_several(self, original: Any, new: Any) -> None:
        for number, tensor in enumerate(new):
            if not isinstance(tensor, Tensor):
                raise ArgumentValueError(
                    "'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). "
                    f"Got element {number} of the sequence with type {type(tensor).__name__}."
                )
            if _is_parameter(original):
                tensor = Parameter(tensor.detach(), original.requires_grad)  # type: ignore[attr-defined]
            _register(self, f"original{number}", tensor)

    def right_inverse(self, value: Any) -> None:
        """Set the originals so that the parametrizations give `value`: what an assignment to the tensor does.

        Raises:
            RuntimeError: a parametrization has no `right_inverse`.
            ValueError: it returns something else than at registration.
        """
        with no_grad():
            for module in reversed(list(self)):
                if not hasattr(module, "right_inverse"):
                    raise RuntimeError(f"parametrization {type(module).__name__} does not implement right_inverse.")
                value = module.right_inverse(value)
        if self.is_tensor:
            if not isinstance(value, Tensor):
                raise ArgumentValueError(f"`right_inverse` should return a tensor. Got {type(value).__name__}")
            if value.dtype != self.original.dtype:  # type: ignore[attr-defined]
                raise ArgumentValueError(
                    f"The tensor returned by `right_inverse` has dtype {value.dtype} while `original` has dtype"  # type: ignore[attr-defined]
                    f" {self.original.dtype}"
                )
            _assign(self.original, value)
            return
        if not isinstance(value, Sequence) or len(value) != self.ntensors:
            came = f"length {len(value)}" if isinstance(value, Sequence) else type(value).__name__
            raise ArgumentValueError(
                f"'right_inverse' must return a sequence of tensors of length {self.ntensors}. Got a sequence of {came}."
            )
        for number, tensor in enumerate(value):
            _assign(getattr(self, f"original{number}"), tensor)

    def forward(self) -> Any:
        """The tensor."""
        modules = list(self)
        if self.is_tensor:
            value = modules[0](self.original)
        else:
            value = modules[0](*[getattr(self, f"original{number}") for number in range(self.ntensors)])
        for module in modules[1:]:
            value = module(value)
        return value


def register_parametrization(
    module: Module, tensor_name: str, parametrization: Module, *, unsafe: bool = False
) -> Module:
    """Let a parameter or buffer of a module be computed by a parametrization, behind those that it has already.

    `module.<tensor_name>` then is `parametrization(original)`, where `original` is a parameter in
    `module.parametrizations.<tensor_name>`. An assignment to it goes through `parametrization.right_inverse`.

    Args:
        module: is changed.
        tensor_name: of a parameter or a buffer.
        parametrization: a module from a tensor to one of its shape.
        unsafe: leave out the checks that dtype and shape stay.

    Returns:
        The module.

    Raises:
        ValueError: the module has no such tensor; or the parametrization changes its dtype or shape.

    Source: https://pytorch.org/docs/stable/generated/torch.nn.utils.parametrize.register_parametrization.html

    Example:
        >>> import tritonflow as flow
        >>> class Symmetric(flow.nn.Module):
        ...     def forward(self, x):
        ...         return x.triu() + x.triu(1).t()
        >>> m = flow.nn.utils.parametrize.register_parametrization(flow.nn.Linear(3, 3), "weight", Symmetric())
        >>> flow.equal(m.weight, m.weight.t())
        True
    """
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        if not unsafe:
            _check_next(module, tensor_name, parametrization)
        found: Any = module.parametrizations
        found[tensor_name].append(parametrization)
        found[tensor_name].unsafe |= unsafe
    elif tensor_name in module._buffers or tensor_name in module._parameters:
        parametrizations = ParametrizationList([parametrization], getattr(module, tensor_name), unsafe=unsafe)
        delattr(module, tensor_name)
        if not is_parametrized(module):
            _inject_class(module)
            module.parametrizations = ModuleDict()
        _inject_property(module, tensor_name)
        module.parametrizations[tensor_name] = parametrizations
    else:
        raise ArgumentValueError(
            f"Module '{module}' does not have a parameter, a buffer, or a parametrized element with name '{tensor_name}'"
        )
    module_version.advance()
    return module


def is_parametrized(module: Module, tensor_name: str | None = None) -> bool:
    """Whether a module has parametrized tensors, or one of this name."""
    parametrizations = getattr(module, "parametrizations", None)
    if not isinstance(parametrizations, ModuleDict):
        return False
    return len(parametrizations) > 0 if tensor_name is None else tensor_name in parametrizations


def remove_parametrizations(module: Module, tensor_name: str, leave_parametrized: bool = True) -> Module:
    """Make a parametrized tensor an ordinary one again.

    Args:
        module: is changed.
        tensor_name: of the tensor.
        leave_parametrized: leave what the parametrizations give; else their original.

    Returns:
        The module.

    Raises:
        ValueError: it is not parametrized; or it has several originals, and one of them is to be left.

    Source: https://pytorch.org/docs/stable/generated/torch.nn.utils.parametrize.remove_parametrizations.html
    """
    if not is_parametrized(module, tensor_name):
        raise ArgumentValueError(f"Module {module} does not have a parametrization on {tensor_name}")
    everything: Any = module.parametrizations
    parametrizations = everything[tensor_name]
    if parametrizations.is_tensor:
        original = parametrizations.original
        if leave_parametrized:
            with no_grad():
                _assign(original, getattr(module, tensor_name))
    elif leave_parametrized:
        value = getattr(module, tensor_name)
        original = Parameter(value.detach()) if value.requires_grad else value
    else:
        raise ArgumentValueError(
            "Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is parametrized in terms of a sequence of"
            " tensors."
        )
    delattr(module.__class__, tensor_name)
    del everything[tensor_name]
    _register(module, tensor_name, original)
    if not is_parametrized(module):
        delattr(module, "parametrizations")
        module.__class__ = module.__class__.__bases__[0]
    module_version.advance()
    return module


def type_before_parametrizations(module: Module) -> type:
    """The class of a module, as it is without parametrizations."""
    return module.__class__.__bases__[0] if is_parametrized(module) else module.__class__


def transfer_parametrizations_and_params(
    from_module: Module, to_module: Module, tensor_name: str | None = None
) -> Module:
    """Give a module the parametrizations of another one, and what they are applied to.

    Args:
        from_module, to_module: from which and to which.
        tensor_name: of which tensor; of all unless given.

    Returns:
        `to_module`.
    """
    if not is_parametrized(from_module):
        return to_module
    everything: Any = from_module.parametrizations
    for name in list(everything) if tensor_name is None else [tensor_name]:
        if not hasattr(to_module, name):
            setattr(to_module, name, Parameter(getattr(from_module, name).detach()))
        for parametrization in everything[name]:
            register_parametrization(to_module, name, parametrization)
        theirs, mine = everything[name], to_module.parametrizations[name]
        for original in ["original"] if theirs.is_tensor else [f"original{k}" for k in range(theirs.ntensors)]:
            setattr(mine, original, getattr(theirs, original))
    return to_module


# --------------------------------------------------------------------------------------------------------------- parts


def _is_parameter(tensor: Any) -> bool:
    return isinstance(tensor, Parameter) or type(tensor) is Parameter


def _register(module: Module, name: str, tensor: Any) -> None:
    if _is_parameter(tensor):
        module.register_parameter(name, tensor)
    else:
        module.register_buffer(name, tensor)


def _assign(target: Any, source: Any) -> None:
    """Let a tensor, which optimizers know, have the memory of another one."""
    target.data = source.detach()


def _check_forward(what: str, result: Any, dtype: Any, shape: Any) -> None:
    if not isinstance(result, Tensor):
        raise ArgumentValueError(f"A parametrization must return a tensor. Got {type(result).__name__}.")
    for name, before, after in (("dtype", dtype, result.dtype), ("shape", shape, result.shape)):  # type: ignore[attr-defined]
        if before != after:
            raise ArgumentValueError(
                f"Registering a parametrization may not change the {name} of the tensor, unless `unsafe` flag is enabled.\n"
                f"{what} {name}: {before}\nparametrized {name}: {after}"
            )


def _check_next(module: Module, name: str, parametrization: Any) -> None:
    """Raise unless a further parametrization, and its inverse, leave dtype and shape as they are."""
    before = getattr(module, name)
    after = parametrization(before)
    _check_forward(f"module.{name}", after, before.dtype, before.shape)
    if not hasattr(parametrization, "right_inverse"):
        return
    with suppress(NotImplementedError):
        back = parametrization.right_inverse(after)
        if not isinstance(back, Tensor):
            raise ArgumentValueError(f"parametrization.right_inverse must return a tensor. Got: {type(back).__name__}")
        for what in ("dtype", "shape"):
            if getattr(back, what) != getattr(before, what):
                raise ArgumentValueError(
                    f"The tensor returned by parametrization.right_inverse must have the same {what} as module.{name}, unless the"
                    f" `unsafe` flag is enabled.\nmodule.{name}.{what}: {getattr(before, what)}\n"
                    f"returned {what}: {getattr(back, what)}"
                )


def _inject_class(module: Module) -> None:
    """Give a module a class of its own, which may have properties."""
    cls = module.__class__

    def deepcopy_of(self: Any, memo: dict[int, Any]) -> Any:
        """A copy has a class of its own, too, so that what is parametrized there does not change this one."""
        if id(self) in memo:
            return memo[id(self)]
        copied = self.__new__(type(self))
        memo[id(self)] = copied
        copied.__dict__ = deepcopy(self.__dict__, memo)
        copied.__class__ = type(type(self).__name__, type(self).__bases__, dict(type(self).__dict__))
        return copied

    def getstate(self: Any) -> Any:
        raise RuntimeError(
            "Serialization of parametrized modules is only supported through state_dict(). See:\n"
            "https://pytorch.org/tutorials/beginner/saving_loading_models.html"
        )

    members: dict[str, Any] = {"__getstate__": getstate, "__module__": cls.__module__}
    if not hasattr(cls, "__deepcopy__"):
        members["__deepcopy__"] = deepcopy_of
    module.__class__ = type(f"Parametrized{cls.__name__}", (cls,), members)


def _inject_property(module: Module, name: str) -> None:
    def read(self: Any) -> Any:
        parametrization = self.parametrizations[name]
        if not _cache.depth:
            return parametrization()
        key = id(self), name
        if key not in _cache.found:
            _cache.found[key] = parametrization()
        return _cache.found[key]

    def write(self: Any, value: Any) -> None:
        self.parametrizations[name].right_inverse(value)

    setattr(module.__class__, name, property(read, write))

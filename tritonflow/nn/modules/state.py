"""State dicts: a module's parameters and buffers as a flat dict of tensors. Loading one names all that does not fit in an error."""

from __future__ import annotations

import itertools
import warnings
from collections import OrderedDict, namedtuple
from collections.abc import Callable, Mapping
from typing import Any

import numpy

from tritonflow.framework.hooks import HookTable, RemovableHandle, add_hook
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.grad_mode import no_grad


class StateDict(OrderedDict[str, Any]):
    """Names and tensors of a module's state, with the version of each module in `_metadata`.

    Two are equal when they hold the same memory under the same names: tensors compare elementwise, which is not what a
    dict's `==` can use.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._metadata: OrderedDict[str, Any] = OrderedDict()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mapping) or self.keys() != other.keys():
            return False
        return all(_same(value, other[key]) for key, value in self.items())

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None  # type: ignore[assignment]

    def copy(self) -> StateDict:
        copied = StateDict(self)
        copied._metadata = self._metadata
        return copied


class _IncompatibleKeys(namedtuple("_IncompatibleKeys", ["missing_keys", "unexpected_keys"])):
    """What `load_state_dict` found: names without a value, and values without a name."""

    __slots__ = ()

    def __repr__(self) -> str:
        return super().__repr__() if self.missing_keys or self.unexpected_keys else "<All keys matched successfully>"


class _WithModule:
    """Marks a hook that is given the module, which has the hook, and so is not bound to it."""

    __slots__ = ("hook",)

    def __init__(self, hook: Callable[..., Any]) -> None:
        self.hook = hook

    def __call__(self, module: Any, *arguments: Any) -> None:
        self.hook(module, *arguments)


class ModuleState:
    """The part of Module that deals with state dicts."""

    _version = 1
    _parameters: dict[str, Any]
    _buffers: dict[str, Tensor | None]
    _modules: dict[str, Any]
    _non_persistent_buffers_set: set[str]
    _state_dict_hooks: HookTable
    _state_dict_pre_hooks: HookTable
    _load_state_dict_pre_hooks: HookTable
    _load_state_dict_post_hooks: HookTable

    def state_dict(
        self, *args: Any, destination: Any = None, prefix: str = "", keep_vars: bool = False
    ) -> dict[str, Any]:
        """Parameters and persistent buffers by dotted name; they share memory with the module.

        Args:
            destination: a dict to put them in; a new one if None.
            prefix: put before every name.
            keep_vars: whether the values keep their history; they are detached otherwise.

        Example:
            >>> import tritonflow as flow
            >>> list(flow.nn.BatchNorm1d(2).state_dict())
            ['weight', 'bias', 'running_mean', 'running_var', 'num_batches_tracked']
        """
        options: list[Any] = [destination, prefix, keep_vars]
        options[: len(args)] = args
        destination, prefix, keep_vars = options
        if destination is None:
            destination = StateDict()
        metadata = getattr(destination, "_metadata", None)
        if metadata is not None:
            metadata[prefix[:-1]] = {"version": self._version}
        for hook in self._state_dict_pre_hooks.values():
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, child in self._modules.items():
            if child is not None:
                child.state_dict(destination=destination, prefix=f"{prefix}{name}.", keep_vars=keep_vars)
        for hook in self._state_dict_hooks.values():
            changed = hook(self, destination, prefix, {} if metadata is None else metadata[prefix[:-1]])
            if changed is not None:
                destination = changed
        return destination

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        for name, tensor in self._own_state().items():
            destination[prefix + name] = tensor if keep_vars else tensor.detach()
        if type(self).get_extra_state is not ModuleState.get_extra_state:
            destination[prefix + "_extra_state"] = self.get_extra_state()

    def _own_state(self) -> dict[str, Tensor]:
        buffers = self._buffers.items()
        persistent = [(n, b) for n, b in buffers if n not in self._non_persistent_buffers_set]
        members = itertools.chain(self._parameters.items(), persistent)
        return {name: tensor for name, tensor in members if tensor is not None}

    def get_extra_state(self) -> Any:
        """State beyond tensors for the state dict; a subclass that defines it defines `set_extra_state` as well."""
        raise RuntimeError("Reached a code path in Module.get_extra_state() that should never be called.")

    def set_extra_state(self, state: Any) -> None:
        """Take back what `get_extra_state` gave."""
        raise RuntimeError("Reached a code path in Module.set_extra_state() that should never be called.")

    # ------------------------------------------------------------------------------------------ loading

    def load_state_dict(
        self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False
    ) -> _IncompatibleKeys:
        """Copy parameters and buffers from a state dict into this module and those below it.

        Args:
            state_dict: names and values; a value may be a tensor of ours, a NumPy array or a torch tensor.
            strict: whether the names must be exactly this module's.
            assign: take the values themselves instead of copying them into the module's memory.

        Returns:
            The missing and the unexpected names.

        Raises:
            TypeError: `state_dict` is no mapping.
            RuntimeError: every misfit, one a line: with `strict` the names, always the shapes.
        """
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        load = _Loading(state_dict, strict, assign)
        load.into(self, "")
        if strict:
            if load.unexpected:
                load.errors.insert(0, f"Unexpected key(s) in state_dict: {_quoted(load.unexpected)}. ")
            if load.missing:
                load.errors.insert(0, f"Missing key(s) in state_dict: {_quoted(load.missing)}. ")
        if load.errors:
            lines = "\n\t".join(load.errors)
            raise RuntimeError(f"Error(s) in loading state_dict for {type(self).__name__}:\n\t{lines}")
        return _IncompatibleKeys(load.missing, load.unexpected)

    def _load_from_state_dict(
        self,
        state_dict: Any,
        prefix: str,
        local_metadata: dict[str, Any],
        strict: bool,
        missing_keys: list[str],
        unexpected_keys: list[str],
        error_msgs: list[str],
    ) -> None:
        """Take this module's own state, not its children's; a subclass may rename old keys first."""
        arguments = state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs
        for hook in self._load_state_dict_pre_hooks.values():
            hook(self, *arguments) if isinstance(hook, _WithModule) else hook(*arguments)
        assign = local_metadata.get("assign_to_params_buffers", False)
        own = self._own_state()
        for name, tensor in own.items():
            key = prefix + name
            if key in state_dict:
                self._load_one(name, tensor, key, state_dict[key], assign, error_msgs)
            elif strict:
                missing_keys.append(key)
        extra = prefix + "_extra_state"
        if type(self).set_extra_state is not ModuleState.set_extra_state:
            if extra in state_dict:
                self.set_extra_state(state_dict[extra])
            elif strict:
                missing_keys.append(extra)
        elif strict and extra in state_dict:
            unexpected_keys.append(extra)
        if strict:
            for key in state_dict:
                if key.startswith(prefix) and key != extra:
                    name, dot, _ = key[len(prefix) :].partition(".")
                    known = name in self._modules if dot else name in own
                    if not known:
                        unexpected_keys.append(key)

    def _load_one(self, name: str, tensor: Tensor, key: str, value: Any, assign: bool, errors: list[str]) -> None:
        try:
            value = as_tensor(value)
        except TypeError:
            errors.append(
                f'While copying the parameter named "{key}", expected tritonflow.Tensor, numpy.ndarray or torch.Tensor '
                f"from checkpoint object but received {type(value)}"
            )
            return
        if tensor.ndim == 0 and tuple(value.shape) == (1,):
            value = value[0]
        if not tensor.meta.is_local:
            value = _laid_out_like(tensor, value)
        if tuple(value.shape) != tuple(tensor.shape):
            errors.append(
                f"size mismatch for {key}: copying a param with shape {value.shape} from checkpoint, "
                f"the shape in current model is {tensor.shape}."
            )
            return
        if tensor.is_meta and not value.is_meta and not assign:
            warnings.warn(
                f"for {key}: copying from a non-meta parameter in the checkpoint to a meta parameter in the current model, which is"
                " a no-op. (Did you mean to pass `assign=True` to assign items in the state dictionary to their corresponding key"
                " in the module instead of copying them in place?)",
                stacklevel=2,
            )
            return
        try:
            with no_grad():
                if assign:
                    tensor.data = value.detach()
                else:
                    tensor.copy_(value)
        except Exception as e:
            errors.append(
                f'While copying the parameter named "{key}", whose dimensions in the model are {tensor.shape} and '
                f"whose dimensions in the checkpoint are {value.shape}, an exception occurred : {e.args}."
            )

    # ------------------------------------------------------------------------------------------ hooks

    def register_state_dict_pre_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(module, prefix, keep_vars)` before the state dict is made."""
        return add_hook(self._state_dict_pre_hooks, hook)

    def register_state_dict_post_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(module, state_dict, prefix, local_metadata)` after; it changes the dict in place."""

        def in_place(*args: Any) -> None:
            if hook(*args) is not None:
                raise RuntimeError("state_dict post-hook must return None")

        return add_hook(self._state_dict_hooks, in_place)

    def _register_state_dict_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        return add_hook(self._state_dict_hooks, hook)

    def register_load_state_dict_pre_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(module, state_dict, prefix, metadata, strict, missing, unexpected, errors)` before loading."""
        return self._register_load_state_dict_pre_hook(hook, with_module=True)

    def _register_load_state_dict_pre_hook(self, hook: Callable[..., Any], with_module: bool = False) -> RemovableHandle:
        return add_hook(self._load_state_dict_pre_hooks, _WithModule(hook) if with_module else hook)

    def register_load_state_dict_post_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(module, incompatible_keys)` after loading; it may change the lists in place."""
        return add_hook(self._load_state_dict_post_hooks, hook)


class _Loading:
    """One `load_state_dict`: the walk through the modules, and what did not fit."""

    def __init__(self, state_dict: Mapping[str, Any], strict: bool, assign: bool) -> None:
        self.metadata = getattr(state_dict, "_metadata", None)
        self.state_dict = OrderedDict(state_dict)
        self.strict, self.assign = strict, assign
        self.missing: list[str] = []
        self.unexpected: list[str] = []
        self.errors: list[str] = []

    def into(self, module: Any, prefix: str, state: dict[str, Any] | None = None) -> None:
        state = self.state_dict if state is None else state
        local = {} if self.metadata is None else dict(self.metadata.get(prefix[:-1], {}))
        if self.assign:
            local["assign_to_params_buffers"] = True
        module._load_from_state_dict(state, prefix, local, True, self.missing, self.unexpected, self.errors)
        for name, child in module._modules.items():
            if child is not None:
                below = f"{prefix}{name}."
                self.into(child, below, {k: v for k, v in state.items() if k.startswith(below)})
        found = _IncompatibleKeys(self.missing, self.unexpected)
        for hook in module._load_state_dict_post_hooks.values():
            if hook(module, found) is not None:
                raise AssertionError(
                    "Hooks registered with ``register_load_state_dict_post_hook`` are not expected to return new "
                    "values, if incompatible_keys need to be modified, it should be done inplace."
                )


def as_tensor(value: Any) -> Tensor:
    """A tensor of ours from one of ours, a NumPy array or number, or a torch tensor.

    Raises:
        TypeError: `value` is none of these.
    """
    from tritonflow.binding import data_exchange

    if isinstance(value, Tensor):
        return value
    if isinstance(value, (numpy.ndarray, numpy.generic)):
        return data_exchange.from_numpy(numpy.array(value))
    if type(value).__module__.partition(".")[0] == "torch" and hasattr(value, "untyped_storage"):
        return data_exchange.from_torch(value.detach())
    raise TypeError(f"expected a tensor, a NumPy array or a torch tensor, not {type(value)}")


def _laid_out_like(tensor: Tensor, value: Tensor) -> Tensor:
    """A value over the placement of a consistent tensor, or where the value is if that has no memory; each rank has all of a local
    value."""
    from tritonflow.binding import new_tensors

    if value.meta.shape != tensor.meta.shape:
        return value
    placement = tensor.placement.on(value.meta.device) if tensor.is_meta else tensor.placement
    if value.meta.is_local:
        return new_tensors.spread(value, placement, tensor.sbp)
    return value.to_global(placement, tensor.sbp)


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, Tensor) and isinstance(b, Tensor):
        return a is b or (a.meta is b.meta and a.impl is b.impl and a.ptr == b.ptr)
    return a is b or bool(a == b)


def _quoted(keys: list[str]) -> str:
    return ", ".join(f'"{k}"' for k in keys)

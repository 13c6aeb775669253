"""The base of optimizers: parameter groups, state, hooks, and state dicts for checkpoints."""

from __future__ import annotations

import functools
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from inspect import GEN_CREATED, getgeneratorstate, isgenerator
from typing import Any

from tritonflow import _C
from tritonflow.autograd import enable_grad, no_grad
from tritonflow.binding.data_exchange import from_torch
from tritonflow.binding.new_tensors import spread
from tritonflow.dtypes import DType, float32
from tritonflow.errors import ArgumentTypeError, ArgumentValueError, type_name
from tritonflow.execution.lazy import eager
from tritonflow.first_use import at_first_use
from tritonflow.framework.function_overrides import adopted
from tritonflow.framework.hooks import HookTable, RemovableHandle, add_hook
from tritonflow.framework.sbp import broadcast
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.inplace import Overlap, overlap_of
from tritonflow.nn.utils.clip_grad import clip_grad_norm_
from tritonflow.nn.utils.multi_tensor import beside, layout_and_dtype_of
from tritonflow.optim.counted import CountedState, counted_group, counted_groups, counted_state, optimizer_version
from tritonflow.thread_state import thread_state

Group = dict[str, Any]
Closure = Callable[[], Any]
Params = Iterable[Tensor | dict[str, Any] | tuple[str, Tensor]]


class _Required:
    """The value of an option that has no default."""

    def __repr__(self) -> str:
        return "<required parameter>"


required = _Required()
_sparse = at_first_use(__name__, {"update_sparse_ones": "optim.sparse_gradients.update_sparse_ones"})
_UNCOUNTED = ("_opt_called", "_is_stepping")  # attributes that each step sets
_RUNTIME = ("params", "lr", "initial_lr", "param_names")  # the options of a group that a captured step looks up in each run

_global_hooks = {"step_pre": HookTable(), "step_post": HookTable()}


def register_optimizer_step_pre_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call `hook(optimizer, args, kwargs)` before every step of every optimizer."""
    return add_hook(_global_hooks["step_pre"], hook)


def register_optimizer_step_post_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call `hook(optimizer, args, kwargs)` after every step of every optimizer."""
    return add_hook(_global_hooks["step_post"], hook)


def _announced(step: Callable[..., Any]) -> Callable[..., Any]:
    """A `step` that calls hooks, and marks itself for schedulers and for a graph that is being captured."""

    @functools.wraps(step)
    def call(self: Optimizer, *args: Any, **kwargs: Any) -> Any:
        self._opt_called = True
        # the step of a base class, called by one that has called the hooks; or of a wrapper, whose optimizer calls its own
        if self._is_stepping or "_hooks" not in self.__dict__:
            return step(self, *args, **kwargs)
        self._is_stepping = True
        try:
            with thread_state.observer.stepping(self):
                return _hooked_step(step, self, args, kwargs)
        finally:
            self._is_stepping = False

    return call


def _hooked_step(step: Callable[..., Any], self: Optimizer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A step between its hooks, which are given the step's arguments, the optimizer among them; a hook may return other ones."""
    args = (self, *args)
    for hook in [*_global_hooks["step_pre"].values(), *self._hooks["step_pre"].values()]:
        changed = hook(self, args, kwargs)
        if changed is not None:
            if not (isinstance(changed, tuple) and len(changed) == 2):
                raise RuntimeError(
                    f"{hook} must return None or a tuple of (new_args, new_kwargs), but got {changed}."
                )
            args, kwargs = changed
    result = step(*args, **kwargs)
    for hook in [*self._hooks["step_post"].values(), *_global_hooks["step_post"].values()]:
        hook(self, args, kwargs)
    return result


class Optimizer:
    """Base class: holds groups of parameters with their options, and the state of each parameter.

    A subclass checks its options and implements `_update(group, parameters)`, which is called without gradient recording
    for the parameters of a group that have a gradient.

    Args:
        params: tensors, (name, tensor) pairs, or dicts with a key "params" and options that override the defaults. A generator
            that was not read before may be empty, as that of a module without parameters is in OneFlow: steps do nothing then.
        defaults: the options of every group.

    Attributes:
        param_groups: the groups: dicts with "params" and the options, which may be changed between steps.
        state: for each parameter what the optimizer remembers.
        found_inf: set by a GradScaler during `step`: a number that is not 0 if a gradient overflowed, and the step changes nothing.

    Raises:
        TypeError: `params` is a tensor.
        ValueError: `params` is an empty list, or a generator that was read to its end before.
    """

    found_inf: Tensor | None = None
    _reads_found_inf = False  # whether _update reads found_inf
    _updates_elements = False  # whether it updates each element for itself, so that parts of a parameter may be elsewhere
    _state_loads = 0  # how often load_state_dict has replaced `state`
    _is_stepping = False  # while a step runs
    _opt_called = False  # for schedulers, whose step comes after the optimizer's

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "step" in cls.__dict__:
            cls.step = _announced(cls.step)  # type: ignore[method-assign]

    def __init__(self, params: Params, defaults: Group) -> None:
        if isinstance(params, Tensor):
            raise ArgumentTypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts, but got a Tensor"
            )
        self.defaults = defaults
        self.state: defaultdict[Tensor, dict[str, Any]] = CountedState()
        self.param_groups: list[Group] = []
        self._hooks = {
            kind: HookTable()
            for kind in ("step_pre", "step_post", "state_dict_pre", "state_dict_post", "load_pre", "load_post")
        }
        fresh = isgenerator(params) and getgeneratorstate(params) == GEN_CREATED
        groups = list(params)
        if not groups and not fresh:
            raise ArgumentValueError("optimizer got an empty parameter list")
        if not groups or not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(group)  # type: ignore[arg-type]

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "state":
            value = counted_state(value)
        elif name == "param_groups":
            value = counted_groups(value)
        if name not in _UNCOUNTED:
            optimizer_version.advance()
        super().__setattr__(name, value)

    def add_param_group(self, param_group: Group) -> None:
        """Add a group: a dict with "params" and options that differ from the defaults.

        Raises:
            TypeError: it is no dict, or a parameter is no tensor.
            ValueError: a parameter is no leaf, is in another group already, or a required option is missing.
        """
        if not isinstance(param_group, dict):
            raise ArgumentTypeError(f"param_group must be a dict, but got {type(param_group)}")
        group = dict(param_group)
        group["params"] = self._parameters(group)
        for name, default in self.defaults.items():
            if default is required and name not in group:
                raise ArgumentValueError(
                    f"parameter group didn't specify a value of required optimization parameter {name}"
                )
            group.setdefault(name, default)
        for other in self.param_groups:
            if ("param_names" in other) != ("param_names" in group):
                added, present = ("with", "no") if "param_names" in group else ("without", "with")
                raise ArgumentValueError(
                    "all optimizer param groups should be with/without names. "
                    f"cannot add param group {added} names to the optimizer {present} names"
                )
        known = {id(p) for other in self.param_groups for p in other["params"]}
        if any(id(p) in known for p in group["params"]):
            raise ArgumentValueError("some parameters appear in more than one parameter group")
        self.param_groups.append(counted_group(group))

    def _parameters(self, group: Group) -> list[Tensor]:
        params = group["params"]
        if isinstance(params, Tensor):
            params = [params]
        elif isinstance(params, set):
            raise ArgumentTypeError(
                "optimizer parameters need to be organized in ordered collections, but the ordering of tensors in sets"
                " will change between runs. Please use a list instead."
            )
        params = list(params)
        names = [p[0] for p in params if isinstance(p, tuple)]
        if names:
            if len(names) != len(params):
                raise ArgumentValueError("all optimizer params should be with/without names. Some param names are missing")
            group["param_names"] = names
            params = [p for _, p in params]
        for p in params:
            if not isinstance(p, Tensor):
                raise ArgumentTypeError(f"optimizer can only optimize Tensors, but one of the params is {type(p)}")
            if not p.is_leaf:
                raise ArgumentValueError("can't optimize a non-leaf Tensor")
        if len({id(p) for p in params}) != len(params):
            warnings.warn(
                "optimizer contains a parameter group with duplicate parameters; in future, this will cause an error: each is"
                " updated as often as it is there",
                stacklevel=3,
            )
        return params

    # ------------------------------------------------------------------------------------------------------ stepping

    @_announced
    def step(self, closure: Closure | None = None) -> Any:
        """Update every parameter that has a gradient.

        Args:
            closure: evaluates the model again and returns the loss; called with gradient recording before the update.

        Returns:
            The closure's result, or None.
        """
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        with no_grad():
            for group in self.param_groups:
                parameters = [p for p in group["params"] if p.grad is not None]
                if adopted.any:  # gradients may be sparse
                    parameters = _sparse("update_sparse_ones")(self, group, parameters)
                for members in _rounds(parameters):
                    self._update(group, members)
        return loss

    def _update(self, group: Group, parameters: list[Tensor]) -> None:
        """One step for parameters with gradients; implemented by subclasses."""
        raise NotImplementedError(f"{type(self).__name__} does not implement _update")

    def _is_fresh(self) -> bool:
        """Whether the next step runs other ops than later ones; a graph is then captured again."""
        return False

    def _program(self) -> list[Any]:
        """What a captured step depends on: every option but the learning rates, and which memory there is."""
        options: list[Any] = [self._is_fresh(), self._state_loads]
        for group in self.param_groups:
            values = [value for key, value in group.items() if key not in _RUNTIME]
            options.append((id(group), [*map(id, group["params"])], [tuple(v) if v.__class__ is list else v for v in values]))
        return options

    def step_hooks(self) -> list[HookTable]:
        """The tables of the hooks that a step calls."""
        return [*_global_hooks.values(), self._hooks["step_pre"], self._hooks["step_post"]]

    def _found_inf_for(self, p: Tensor) -> Tensor | None:
        """`found_inf` where a launch that updates a parameter can read it."""
        return None if self.found_inf is None else beside(self.found_inf, p)

    def clip_grad(self, error_if_nonfinite: bool = False) -> None:
        """Clip the gradients of the groups that have the option "clip_grad_max_norm", each group by its own norm.

        The norm's order is the option "clip_grad_norm_type", 2 without one.

        Args:
            error_if_nonfinite: raise if a norm is infinite or NaN; waits for the norms.

        Source: oneflow.optim.Optimizer.clip_grad

        Example:
            >>> import tritonflow as flow
            >>> p = flow.zeros(2, requires_grad=True)
            >>> p.grad = flow.tensor([3.0, 4.0])
            >>> flow.optim.SGD([{"params": [p], "clip_grad_max_norm": 1.0}], lr=0.1).clip_grad()
            >>> [round(g, 4) for g in p.grad.tolist()]
            [0.6, 0.8]
        """
        for group in self.param_groups:
            max_norm = group.get("clip_grad_max_norm")
            if max_norm is not None:
                norm_type = group.get("clip_grad_norm_type", 2.0)
                clip_grad_norm_(group["params"], max_norm, norm_type, error_if_nonfinite)

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Drop the gradients of all parameters, or fill them with zeros, in place where they have no history."""
        for group in self.param_groups:
            for p in group["params"]:
                if set_to_none:
                    p.grad = None
                elif p.grad is not None and p.grad.requires_grad:
                    p.grad = _C.zeros_like(p.grad)
                elif p.grad is not None:
                    p.grad.zero_()

    # -------------------------------------------------------------------------------------------------------- hooks

    def register_step_pre_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(optimizer, args, kwargs)` before every step; it may return other (args, kwargs)."""
        return add_hook(self._hooks["step_pre"], hook)

    def register_step_post_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(optimizer, args, kwargs)` after every step."""
        return add_hook(self._hooks["step_post"], hook)

    def register_state_dict_pre_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(optimizer)` before `state_dict`."""
        return add_hook(self._hooks["state_dict_pre"], hook)

    def register_state_dict_post_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(optimizer, state_dict)` after `state_dict`; it may return another dict."""
        return add_hook(self._hooks["state_dict_post"], hook)

    def register_load_state_dict_pre_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(optimizer, state_dict)` before loading; it may return another dict."""
        return add_hook(self._hooks["load_pre"], hook)

    def register_load_state_dict_post_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(optimizer)` after loading."""
        return add_hook(self._hooks["load_post"], hook)

    # --------------------------------------------------------------------------------------------------- checkpoints

    def state_dict(self) -> dict[str, Any]:
        """State and options, with parameters replaced by their number: `{"state": {0: ...}, "param_groups": [...]}`.

        The layout is torch's: step counts are zero-dim float32 tensors.
        """
        for hook in list(self._hooks["state_dict_pre"].values()):
            hook(self)
        numbers: dict[int, int] = {}
        for group in self.param_groups:
            for p in group["params"]:
                numbers.setdefault(id(p), len(numbers))
        groups = [
            {**{k: v for k, v in group.items() if k != "params"}, "params": [numbers[id(p)] for p in group["params"]]}
            for group in self.param_groups
        ]
        state = {
            numbers[id(p)]: {name: _packed(name, value) for name, value in values.items()}
            for p, values in self.state.items()
        }
        result: dict[str, Any] = {"state": state, "param_groups": groups}
        for hook in list(self._hooks["state_dict_post"].values()):
            changed = hook(self, result)
            result = result if changed is None else changed
        return result

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` gave; the groups must have as many parameters as ours.

        torch's are taken over, too.

        Raises:
            ValueError: the number of groups, or of the parameters of a group, differs; a state does not fit its parameter.
        """
        state_dict = dict(state_dict)
        for hook in list(self._hooks["load_pre"].values()):
            changed = hook(self, state_dict)
            state_dict = state_dict if changed is None else changed
        groups = deepcopy(state_dict["param_groups"])
        if len(groups) != len(self.param_groups):
            raise ArgumentValueError("loaded state dict has a different number of parameter groups")
        if any(len(a["params"]) != len(b["params"]) for a, b in zip(self.param_groups, groups)):
            raise ArgumentValueError(
                "loaded state dict contains a parameter group that doesn't match the size of optimizer's group"
            )
        tensors = dict(_pairs(groups, self.param_groups))
        state: defaultdict[Tensor, dict[str, Any]] = defaultdict(dict)
        for number, values in state_dict["state"].items():
            if number not in tensors:
                raise ArgumentValueError(
                    f"loaded state dict has state of parameter {number}, which is in none of its groups"
                )
            p = tensors[number]
            numbers = dict.fromkeys(self._number_names, self._number_dtype)
            state[p] = {k: self._loaded(k, numbers.get(k), value, p) for k, value in values.items()}
            self._check_state(number, p, state[p])
        self.state = state
        self._state_loads += 1
        self.param_groups = [
            {**self.defaults, **{k: as_ours(v) for k, v in loaded.items()}, "params": own["params"]}
            for own, loaded in zip(self.param_groups, groups)
        ]
        for hook in list(self._hooks["load_post"].values()):
            hook(self)

    _state_names: tuple[str, ...] = ()  # the names of the states that have their parameter's shape
    _number_names: tuple[str, ...] = ("step",)  # and of those that are one number, of this dtype
    _number_dtype: DType = float32

    def _loaded(self, name: str, number: DType | None, value: Any, p: Tensor) -> Any:
        """A loaded value as the optimizer stores it: numbers of a dtype, states in the parameter's dtype, laid out as it is."""
        return _unpacked(number, value, p)

    def _check_state(self, number: Any, p: Tensor, state: dict[str, Any]) -> None:
        """Refuse a loaded state that the kernels of `_update`, which go by the parameter's shape, could not read."""
        for name in self._state_names:
            value = state.get(name)
            if value is not None and (not isinstance(value, Tensor) or value.meta.shape != p.meta.shape):
                came = f"a tensor of shape {list(value.meta.shape)}" if isinstance(value, Tensor) else type_name(value)
                raise ArgumentValueError(
                    f"loaded state dict has {came} as '{name}' of parameter {number}, which has shape {list(p.meta.shape)}"
                )

    def __repr__(self) -> str:
        lines = [f"{type(self).__name__} ("]
        for number, group in enumerate(self.param_groups):
            lines += ["", f"Parameter Group {number}"] if number else [f"Parameter Group {number}"]
            lines += [f"    {key}: {group[key]}" for key in sorted(group) if key != "params"]
        return "\n".join([*lines, ")"])


def _rounds(parameters: list[Tensor]) -> list[list[Tensor]]:
    """The parameters in lists of which none has memory twice: a launch updates all of a list at the same time."""
    if not parameters:
        return []
    if len({id(p.impl) for p in parameters}) == len(parameters) or _lie_apart(parameters):
        return [parameters]
    rounds: list[list[Tensor]] = []
    for p in parameters:
        rest = [members for members in rounds if not any(_overlap(p, q) for q in members)]
        if rest:
            rest[0].append(p)
        else:
            rounds.append([p])
    return rounds


def _lie_apart(parameters: list[Tensor]) -> bool:
    """Whether the parameters lie one behind the other, as those do that are views of one tensor."""
    places = sorted((p.ptr, p.ptr + p.meta.local.span() * p.meta.dtype.itemsize) for p in parameters)
    return all(end <= start for (_, end), (start, _) in zip(places, places[1:]))


def _overlap(p: Tensor, q: Tensor) -> bool:
    return p.impl is q.impl and overlap_of(p, q) is not Overlap.NONE


def _pairs(loaded: list[Group], own: list[Group]) -> Iterator[tuple[int, Tensor]]:
    for a, b in zip(loaded, own):
        yield from zip(a["params"], b["params"])


def _packed(name: str, value: Any) -> Any:
    return _C.full((), float(value), dtype=float32) if name == "step" and not isinstance(value, Tensor) else value


def _unpacked(number: DType | None, value: Any, p: Tensor) -> Any:
    value = as_ours(value)
    if number is not None:
        return new_step(p, value.item() if isinstance(value, Tensor) else value, number)
    if isinstance(value, list):
        return [_unpacked(None, v, p) for v in value]
    if not isinstance(value, Tensor):
        return deepcopy(value)
    value = _laid_out_like(p, value)
    return _C.clone(value.to(p.dtype) if p.dtype.has_gradient else value)


def _laid_out_like(p: Tensor, value: Tensor) -> Tensor:
    """A state on the parameter's device; of a consistent parameter over its placement, where each rank has all of a local state."""
    meta: Any = p.meta
    if meta.is_local:
        return value.to(device=meta.device)  # type: ignore[no-any-return]
    sbp = meta.sbp if value.meta.shape == meta.shape else (broadcast,) * meta.placement.ndim
    if value.meta.is_local:
        return spread(value, meta.placement, sbp)
    return value.to_global(meta.placement, sbp)  # type: ignore[no-any-return]


def as_ours(value: Any) -> Any:
    """A tensor of torch as one of tritonflow, in lists, too; other values as they are."""
    if isinstance(value, list):
        return [as_ours(v) for v in value]
    is_torchs = type_name(value).startswith("torch.") and hasattr(value, "untyped_storage")
    return from_torch(value.detach()) if is_torchs else value


def new_step(p: Tensor, count: float = 0, dtype: DType = float32) -> Tensor:
    """A count of steps: a number in the memory of the parameter's device, where the kernels count."""
    with eager():
        return _C.new_full(p, (), float(count), dtype=dtype)


def new_state(p: Tensor) -> Tensor:
    """Zeros like a parameter."""
    with eager():
        return _C.zeros_like(p)


def launch_key(p: Tensor) -> Any:
    """The key of parameters that one launch can update together."""
    return *layout_and_dtype_of(p.meta), p.grad.meta.dtype

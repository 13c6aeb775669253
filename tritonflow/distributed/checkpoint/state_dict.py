"""States of models and optimizers by the names of parameters, so that they fit models that are wrapped or laid out otherwise.

Source: torch.distributed.checkpoint.state_dict.
"""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tritonflow import _C
from tritonflow.binding import data_exchange
from tritonflow.errors import ArgumentValueError, CheckpointFolderError, NotYetImplementedError
from tritonflow.framework.hooks import HookTable
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.grad_mode import no_grad
from tritonflow.nn.modules.module import Module
from tritonflow.nn.parallel.data_parallel import DataParallel
from tritonflow.nn.parallel.distributed import DistributedDataParallel
from tritonflow.serialization.one_rank import load_on
from tritonflow.wire.world import this_rank

State = dict[str, Any]


@dataclass
class StateDictOptions:
    """How states are given and taken.

    Attributes:
        full_state_dict: whether global tensors become whole local ones. That gathers: a checkpoint does not need it.
        cpu_offload: whether tensors are copied to host memory; with `full_state_dict` rank 0 alone has them, others an empty dict.
        ignore_frozen_params: whether parameters that need no gradient are left out.
        strict: as of `Module.load_state_dict`.
        broadcast_from_rank0: whether rank 0 has the whole state, which the others are given.
        flatten_optimizer_state_dict: whether an optimizer's state is one dict, "state.weight.exp_avg".
        keep_submodule_prefixes: torch's, and without a meaning here.

    Source: torch.distributed.checkpoint.state_dict.StateDictOptions.
    """

    full_state_dict: bool = False
    cpu_offload: bool = False
    ignore_frozen_params: bool = False
    keep_submodule_prefixes: bool = True
    strict: bool = True
    broadcast_from_rank0: bool = False
    flatten_optimizer_state_dict: bool = False


# ------------------------------------------------------------------------------------------------------------ models


def get_model_state_dict(model: Module, *, submodules: Any = None, options: StateDictOptions | None = None) -> State:
    """The parameters and persistent buffers of a model by name, without the names of modules that wrap it.

    Raises:
        NotYetImplementedError: `submodules` are given.

    Source: torch.distributed.checkpoint.state_dict.get_model_state_dict.

    Example:
        >>> import tritonflow as flow
        >>> from tritonflow.distributed.checkpoint.state_dict import get_model_state_dict
        >>> list(get_model_state_dict(flow.nn.parallel.DistributedDataParallel(flow.nn.Linear(2, 1))))
        ['weight', 'bias']
    """
    _refuse_submodules(submodules)
    options = options or StateDictOptions()
    model = _unwrapped(model)
    state: State = model.state_dict()
    if options.ignore_frozen_params:
        for name, p in model.named_parameters(remove_duplicate=False):
            if not p.requires_grad:
                state.pop(name, None)
    return _given(state, options)


def set_model_state_dict(model: Module, model_state_dict: State, *, options: StateDictOptions | None = None) -> Any:
    """Load what `get_model_state_dict` gave; the missing and the unexpected names. A model on the meta device takes the tensors
    themselves.

    Raises:
        RuntimeError: every misfit, as `Module.load_state_dict` has them.

    Source: torch.distributed.checkpoint.state_dict.set_model_state_dict.

    Example:
        >>> import tritonflow as flow
        >>> from tritonflow.distributed.checkpoint import state_dict
        >>> model = flow.nn.Linear(2, 1)
        >>> state_dict.set_model_state_dict(model, state_dict.get_model_state_dict(model))
        <All keys matched successfully>
    """
    options = options or StateDictOptions()
    model = _unwrapped(model)
    own = model.state_dict()
    state = _taken(model_state_dict, options, lambda name: own.get(name))
    assign = any(isinstance(x, Tensor) and x.is_meta for x in own.values())
    return model.load_state_dict(state, strict=options.strict, assign=assign)


def _unwrapped(model: Module) -> Module:
    while isinstance(model, (DistributedDataParallel, DataParallel)):
        model = model.module
    return model


def _refuse_submodules(submodules: Any) -> None:
    if submodules is not None:
        raise NotYetImplementedError("the states of submodules only; help: give the submodule as the model")


# -------------------------------------------------------------------------------------------------------- optimizers


def get_optimizer_state_dict(
    model: Module, optimizers: Any, *, submodules: Any = None, options: StateDictOptions | None = None
) -> State:
    """The states and options of optimizers, by the names of the model's parameters instead of numbers.

    Of an optimizer that has not made a step, the states are those it begins with. So there is something to load into.

    Args:
        model: has the parameters.
        optimizers: one or several.
        submodules, options: as of `get_model_state_dict`.

    Raises:
        ArgumentValueError: a parameter of an optimizer is not the model's.

    Source: torch.distributed.checkpoint.state_dict.get_optimizer_state_dict.

    Example:
        >>> import tritonflow as flow
        >>> from tritonflow.distributed.checkpoint.state_dict import get_optimizer_state_dict
        >>> model = flow.nn.Linear(2, 1)
        >>> state = get_optimizer_state_dict(model, flow.optim.Adam(model.parameters()))
        >>> sorted(state["state"]["weight"]), state["param_groups"][0]["params"]
        (['exp_avg', 'exp_avg_sq', 'step'], ['weight', 'bias'])
    """
    _refuse_submodules(submodules)
    options = options or StateDictOptions()
    names = _names(model)
    state: State = {"state": {}, "param_groups": []}
    for optimizer in _several(optimizers):
        saved = optimizer.state_dict() if optimizer.state else _first_state(optimizer)
        name_of = _name_of_number(optimizer, saved, names)
        state["state"] |= {name_of[number]: values for number, values in saved["state"].items()}
        state["param_groups"] += [{**group, "params": [name_of[n] for n in group["params"]]} for group in saved["param_groups"]]
    if options.ignore_frozen_params:
        frozen = {name for name, p in _unwrapped(model).named_parameters(remove_duplicate=False) if not p.requires_grad}
        state["state"] = {name: values for name, values in state["state"].items() if name not in frozen}
    state["state"] = {name: _given(values, options) for name, values in state["state"].items()}
    if options.full_state_dict and options.cpu_offload and this_rank().index:
        return {}
    return _flat(state) if options.flatten_optimizer_state_dict else state


def set_optimizer_state_dict(
    model: Module, optimizers: Any, optim_state_dict: State, *, options: StateDictOptions | None = None
) -> None:
    """Load what `get_optimizer_state_dict` gave. The parameters may be in other groups of the same optimizers' order.

    Raises:
        CheckpointFolderError: options of a parameter's group are missing.
        ValueError: a state does not fit its parameter.

    Source: torch.distributed.checkpoint.state_dict.set_optimizer_state_dict.

    Example:
        >>> import tritonflow as flow
        >>> from tritonflow.distributed.checkpoint import state_dict
        >>> model = flow.nn.Linear(2, 1)
        >>> optimizer = flow.optim.SGD(model.parameters(), lr=0.1)
        >>> state = state_dict.get_optimizer_state_dict(model, optimizer)
        >>> state["param_groups"][0]["lr"] = 0.5
        >>> state_dict.set_optimizer_state_dict(model, optimizer, state)
        >>> optimizer.param_groups[0]["lr"]
        0.5
    """
    options = options or StateDictOptions()
    names = _names(model)
    if options.broadcast_from_rank0:
        optim_state_dict = load_on(0, "the state of rank 0", lambda: optim_state_dict, False)
    state = _nested(optim_state_dict) if options.flatten_optimizer_state_dict else optim_state_dict
    group_of = {name: group for group in state["param_groups"] for name in group["params"]}
    for optimizer in _several(optimizers):
        own = optimizer.state_dict()
        name_of = _name_of_number(optimizer, own, names)
        missing = sorted({name for name in name_of.values() if name not in group_of})
        if missing:
            raise CheckpointFolderError(f"the state has no options of {', '.join(missing)}")
        groups = [_group(group, [name_of[n] for n in group["params"]], group_of) for group in own["param_groups"]]
        states = {number: state["state"][name] for number, name in name_of.items() if name in state["state"]}
        optimizer.load_state_dict({**own, "state": states, "param_groups": groups})


def _group(own: State, names: list[str], group_of: Mapping[str, State]) -> State:
    """The saved options of a group, which has the numbers of its own parameters."""
    return {**(group_of[names[0]] if names else own), "params": own["params"]}


def _several(optimizers: Any) -> Iterable[Any]:
    return optimizers if isinstance(optimizers, Iterable) else (optimizers,)


def _names(model: Module) -> dict[int, str]:
    """The name of each parameter by its id; of a tied one the first."""
    return {id(p): name for name, p in _unwrapped(model).named_parameters()}


def _name_of_number(optimizer: Any, saved: State, names: Mapping[int, str]) -> dict[int, str]:
    found = {}
    for group, own in zip(saved["param_groups"], optimizer.param_groups):
        for number, p in zip(group["params"], own["params"]):
            if id(p) not in names:
                raise ArgumentValueError(f"parameter {number} of {type(optimizer).__name__} is not a parameter of the model")
            found[number] = names[id(p)]
    return found


def _first_state(optimizer: Any) -> State:
    """The state that an optimizer begins with: that of one on zeros in place of its parameters, behind a step without gradients."""
    twin = copy.copy(optimizer)
    twin._hooks = {kind: HookTable() for kind in optimizer._hooks}
    twin.state = defaultdict(dict)
    twin.param_groups = [{**group, "params": [_zeros(p) for p in group["params"]]} for group in optimizer.param_groups]
    twin.step()
    state: State = twin.state_dict()
    for values in state["state"].values():
        if "step" in values:
            values["step"] = _C.zeros_like(values["step"])
    return state


def _zeros(p: Tensor) -> Tensor:
    with no_grad():
        zeros = _C.zeros_like(p.detach()).requires_grad_(p.requires_grad)
        if p.requires_grad:
            zeros.grad = _C.zeros_like(zeros)
    return zeros


def _flat(state: State) -> State:
    flat = {f"state.{name}.{key}": value for name, values in state["state"].items() for key, value in values.items()}
    for group in state["param_groups"]:
        options = {key: value for key, value in group.items() if key != "params"}
        flat |= {f"param_groups.{name}.{key}": value for name in group["params"] for key, value in options.items()}
    return flat


def _nested(flat: State) -> State:
    state: State = {"state": defaultdict(dict), "param_groups": []}
    options: dict[str, State] = defaultdict(dict)
    for path, value in flat.items():
        kind, _, rest = path.partition(".")
        name, _, key = rest.rpartition(".")
        (state["state"] if kind == "state" else options)[name][key] = value
    state["param_groups"] = [{**each, "params": [name]} for name, each in options.items()]
    return state


# -------------------------------------------------------------------------------------------------------------- both


def get_state_dict(
    model: Module, optimizers: Any, *, submodules: Any = None, options: StateDictOptions | None = None
) -> tuple[State, State]:
    """`get_model_state_dict` and `get_optimizer_state_dict`.

    Source: torch.distributed.checkpoint.state_dict.get_state_dict.
    """
    _refuse_submodules(submodules)
    return get_model_state_dict(model, options=options), get_optimizer_state_dict(model, optimizers, options=options)


def set_state_dict(
    model: Module, optimizers: Any, *, model_state_dict: State, optim_state_dict: State, options: StateDictOptions | None = None
) -> Any:
    """`set_model_state_dict`, whose result it has, and `set_optimizer_state_dict`.

    Source: torch.distributed.checkpoint.state_dict.set_state_dict.
    """
    set_optimizer_state_dict(model, optimizers, optim_state_dict, options=options)
    return set_model_state_dict(model, model_state_dict, options=options)


def _given(state: State, options: StateDictOptions) -> State:
    """A state as the options say it is to be given."""
    if options.full_state_dict:
        for name, value in state.items():
            if isinstance(value, Tensor):
                state[name] = data_exchange.whole(value)
        if options.cpu_offload and this_rank().index:
            state.clear()
    if options.cpu_offload:
        for name, value in state.items():
            if isinstance(value, Tensor):
                state[name] = data_exchange.to_device(value, data_exchange.CPU)
    return state


def _taken(state: State, options: StateDictOptions, own: Any) -> State:
    """A state as it is loaded: that of rank 0 if the options say so, as local tensors for local ones."""
    if not options.broadcast_from_rank0:
        return state
    of_rank_0: State = load_on(0, "the state of rank 0", lambda: state, False)
    for name, value in of_rank_0.items():
        target = own(name)
        if isinstance(value, Tensor) and isinstance(target, Tensor) and target.meta.is_local:
            of_rank_0[name] = data_exchange.whole(value)
    return of_rank_0


# -------------------------------------------------------------------------------------------------- parts of a state


def is_module(value: Any) -> bool:
    """Whether a value of a state is a module."""
    return isinstance(value, Module)


def is_part(value: Any) -> bool:
    """Whether a value of a state is an object that has a state of its own."""
    return not isinstance(value, (Tensor, Mapping)) and hasattr(value, "state_dict") and hasattr(value, "load_state_dict")


def is_optimizer(value: Any) -> bool:
    """Whether a part has states of parameters by number."""
    return hasattr(value, "param_groups")


def state_of(part: Any) -> Any:
    """The state of a part; of a module by names without those of its wrappers."""
    return get_model_state_dict(part) if is_module(part) else part.state_dict()


def states_of(state: Mapping[str, Any]) -> State:
    """A state with the states of its parts.

    Raises:
        CheckpointFolderError: it is no mapping with texts for keys.
    """
    if not isinstance(state, Mapping) or not all(type(key) is str and not key.startswith("$") for key in state):
        raise CheckpointFolderError("expected a dict as the state, whose keys are texts that do not begin with '$'")
    return {key: state_of(value) if is_part(value) else value for key, value in state.items()}

"""Module: the base of all layers and models.

A module owns what is assigned to it as an attribute: a `Parameter`, a `Module` or a registered buffer goes to `_parameters`,
`_modules` or `_buffers`. From there `parameters()`, `state_dict()`, `to()` and the like find it. Hooks are in `call_hooks.py`,
state dicts in `state.py`, changes of device and dtype in `conversion.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, TypeVar

from tritonflow.framework.hooks import HookTable
from tritonflow.framework.module_version import module_version
from tritonflow.framework.tensor import Tensor
from tritonflow.nn import global_hooks
from tritonflow.nn.global_hooks import (  # noqa: F401 (torch's programs name the functions here)
    around_calls,
    register_module_backward_hook,
    register_module_buffer_registration_hook,
    register_module_forward_hook,
    register_module_forward_pre_hook,
    register_module_full_backward_hook,
    register_module_full_backward_pre_hook,
    register_module_module_registration_hook,
    register_module_parameter_registration_hook,
    registered,
)  # fmt: skip
from tritonflow.nn.modules.call_hooks import ModuleCallHooks
from tritonflow.nn.modules.conversion import ModuleConversion
from tritonflow.nn.modules.state import ModuleState
from tritonflow.nn.parameter import Buffer, Parameter

M = TypeVar("M", bound="Module")
P = ParamSpec("P")
R_co = TypeVar("R_co", covariant=True)
_HOOK_TABLES = (
    "_forward_pre_hooks",
    "_forward_hooks",
    "_forward_with_kwargs",
    "_forward_always_called",
    "_backward_hooks",
    "_backward_pre_hooks",
    "_state_dict_hooks",
    "_state_dict_pre_hooks",
    "_load_state_dict_pre_hooks",
    "_load_state_dict_post_hooks",
)


class _HasForward(Protocol[P, R_co]):
    """To checkers: a call of a module has the arguments and the result of its `forward`."""

    def forward(self, *args: P.args, **kwargs: P.kwargs) -> R_co: ...


class Module(ModuleCallHooks, ModuleState, ModuleConversion):
    """The base class of layers and models: subclass it, assign submodules and parameters in `__init__`, compute in `forward`.

    Source: torch.nn.Module.

    Example:
        >>> import tritonflow as flow
        >>> class Net(flow.nn.Module):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.fc = flow.nn.Linear(4, 2)
        ...     def forward(self, x):
        ...         return self.fc(x).relu()
        >>> net = Net()
        >>> net(flow.ones(3, 4)).shape
        tritonflow.Size([3, 2])
        >>> [name for name, _ in net.named_parameters()]
        ['fc.weight', 'fc.bias']
    """

    training: bool
    call_super_init = False
    _compiled_call_impl: Callable[..., Any] | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if not self.call_super_init and (args or kwargs):
            name = f"{type(self).__name__}.__init__()"
            if kwargs:
                raise TypeError(f"{name} got an unexpected keyword argument '{next(iter(kwargs))}'")
            raise TypeError(f"{name} takes 1 positional argument but {len(args) + 1} were given")
        put = super().__setattr__
        put("training", True)
        put("_parameters", {})
        put("_buffers", {})
        put("_modules", {})
        put("_non_persistent_buffers_set", set())
        for table in _HOOK_TABLES:
            put(table, HookTable())
        if self.call_super_init:
            super().__init__(*args, **kwargs)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Compute the module's result; every subclass defines it."""
        raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')

    # ------------------------------------------------------------------------------------------ call

    if TYPE_CHECKING:

        def __call__(self: _HasForward[P, R_co], *args: P.args, **kwargs: P.kwargs) -> R_co: ...

    else:

        def __call__(self, *args, **kwargs):
            call = self._compiled_call_impl or self._call_impl
            return call(*args, **kwargs)

    def _call_impl(self, *args: Any, **kwargs: Any) -> Any:
        if not (around_calls or self._forward_pre_hooks or self._forward_hooks or self._backward_hooks or self._backward_pre_hooks):
            return self.forward(*args, **kwargs)
        return self._call_with_hooks(args, kwargs)

    # ------------------------------------------------------------------------------------------ registration

    def compile(
        self, *, fullgraph: bool = False, dynamic: bool | None = None, backend: str | None = None, mode: str | None = None,
        options: Mapping[str, bool] | None = None, disable: bool = False, tune: bool = False,
    ) -> None:  # fmt: skip
        """Run the calls of this module, hooks included, as a graph from now on, as `flow.compile` would with the same arguments.

        Copies and pickles of the module are not compiled.

        Args:
            fullgraph: whether what no graph can do is an error.
            dynamic: whether one capture serves many sizes.
            backend: "inductor" or "tritonflow"; with "eager" or "aot_eager" the calls run in eager mode from now on.
            mode: with "max-autotune" and "max-autotune-no-cudagraphs" it is as with `tune`.
            options: bools under names of torch's, instead of a mode.
            disable: whether the calls run in eager mode from now on.
            tune: whether to look for the fastest configurations by measuring.

        Raises:
            TypeError, RuntimeError: as `flow.compile` does.

        Source: torch.nn.Module.compile.

        Example:
            >>> import tritonflow as flow
            >>> net = flow.nn.Linear(2, 1)
            >>> net.compile()
            >>> net(flow.ones(3, 2)).shape
            tritonflow.Size([3, 1])
        """
        call = type(self)._call_impl
        compiled = import_module("tritonflow.graph").compile(
            call, fullgraph=fullgraph, dynamic=dynamic, backend=backend, mode=mode, options=options, disable=disable, tune=tune
        )
        # what is bound refers to the module weakly
        self.__dict__["_compiled_call_impl"] = None if compiled is call else compiled.bound_to(self)

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Add a parameter under a name; None registers the name without one.

        Raises:
            TypeError, KeyError: as for `register_buffer`, or `param` is no Parameter.
            ValueError: `param` was computed from other tensors.
        """
        self._check_name("parameter", name, self._parameters)
        if param is not None and not isinstance(param, Parameter):
            raise TypeError(
                f"cannot assign '{_type_name(param)}' object to parameter '{name}' (nn.Parameter or None required)"
            )
        if param is not None and param.grad_fn is not None:
            raise ValueError(
                f"Cannot assign non-leaf Tensor to parameter '{name}'. Model parameters must be created explicitly. To "
                f"express '{name}' as a function of another Tensor, compute the value in the forward() method."
            )
        self._parameters[name] = registered(global_hooks.parameter_hooks, self, name, param)
        module_version.advance()

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Add a tensor that is state but no parameter, such as a running mean.

        Args:
            name: the attribute's name.
            tensor: the buffer, or None.
            persistent: whether `state_dict` contains it.

        Raises:
            TypeError: the name is no str, or `tensor` no tensor.
            KeyError: the name is empty, contains a dot, or is taken.
        """
        self._check_name("buffer", name, self._buffers)
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(f"cannot assign '{_type_name(tensor)}' object to buffer '{name}' (Tensor or None required)")
        self._buffers[name] = registered(global_hooks.buffer_hooks, self, name, tensor)
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)
        module_version.advance()

    def share_memory(self: M) -> M:
        """Move parameters and buffers to memory that processes share; see `Tensor.share_memory_`.

        Raises:
            RuntimeError: another tensor has the memory of a parameter or buffer, too.
        """
        for tensor in (*self.parameters(), *self.buffers()):
            tensor.share_memory_()
        return self

    def add_module(self, name: str, module: Module | None) -> None:
        """Add a child module under a name."""
        if module is not None and not isinstance(module, Module):
            raise TypeError(f"{_type_name(module)} is not a Module subclass")
        self._check_name("module", name, self._modules)
        self._modules[name] = registered(global_hooks.module_hooks, self, name, module)
        module_version.advance()

    register_module = add_module

    def _check_name(self, what: str, name: str, table: dict[str, Any]) -> None:
        if "_parameters" not in self.__dict__:
            raise AttributeError(f"cannot assign {what} before Module.__init__() call")
        if not isinstance(name, str):
            raise TypeError(f"{what} name should be a string. Got {_type_name(name)}")
        if "." in name:
            got = f", got: {name}" if what == "module" else ""
            raise KeyError(f'{what} name can\'t contain "."{got}')
        if name == "":
            raise KeyError(f'{what} name can\'t be empty string ""')
        if hasattr(self, name) and name not in table:
            raise KeyError(f"attribute '{name}' already exists")

    # ------------------------------------------------------------------------------------------ attributes

    def __getattr__(self, name: str) -> Any:
        own = self.__dict__  # each table in turn, without a loop: layers read their parameters in every forward
        if "_parameters" in own and name in own["_parameters"]:
            return own["_parameters"][name]
        if "_modules" in own and name in own["_modules"]:
            return own["_modules"][name]
        if "_buffers" in own and name in own["_buffers"]:
            return own["_buffers"][name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name: str, value: Any) -> None:
        own = self.__dict__
        tables = [own.get(t) for t in ("_parameters", "_buffers", "_modules")]
        parameters, buffers, modules = tables
        if isinstance(value, Parameter):
            if parameters is None:
                raise AttributeError("cannot assign parameters before Module.__init__() call")
            self._forget(name, own, buffers, modules, self._non_persistent_buffers_set)
            self.register_parameter(name, value)
        elif parameters is not None and name in parameters:
            if value is not None:
                raise TypeError(
                    f"cannot assign '{_type_name(value)}' as parameter '{name}' (nn.Parameter or None expected)"
                )
            parameters[name] = None
        elif isinstance(value, Buffer):
            if buffers is None:
                raise AttributeError("cannot assign buffers before Module.__init__() call")
            self._forget(name, own, parameters, modules, self._non_persistent_buffers_set)
            buffers.pop(name, None)
            self.register_buffer(name, value, value.persistent)
        elif isinstance(value, Module) and value.__dict__ is not own:  # which it is of what `flow.compile` made of this module
            if modules is None:
                raise AttributeError("cannot assign module before Module.__init__() call")
            self._forget(name, own, parameters, buffers, self._non_persistent_buffers_set)
            modules[name] = registered(global_hooks.module_hooks, self, name, value)
        elif modules is not None and name in modules:
            if value is not None:
                raise TypeError(
                    f"cannot assign '{_type_name(value)}' as child module '{name}' (nn.Module or None expected)"
                )
            modules[name] = None
        elif buffers is not None and name in buffers:
            if value is not None and not isinstance(value, Tensor):
                raise TypeError(f"cannot assign '{_type_name(value)}' as buffer '{name}' (Tensor or None expected)")
            buffers[name] = value
        else:
            super().__setattr__(name, value)
        module_version.advance()

    @staticmethod
    def _forget(name: str, *tables: Any) -> None:
        for table in tables:
            if isinstance(table, dict):
                table.pop(name, None)
            elif table is not None:
                table.discard(name)

    def __delattr__(self, name: str) -> None:
        for table in (self._parameters, self._buffers, self._modules):
            if name in table:
                del table[name]
                self._non_persistent_buffers_set.discard(name)
                break
        else:
            super().__delattr__(name)
        module_version.advance()

    def __dir__(self) -> list[str]:
        names = {*dir(type(self)), *self.__dict__, *self._parameters, *self._modules, *self._buffers}
        return sorted(n for n in names if not n[0].isdigit())

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_compiled_call_impl"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        for table in _HOOK_TABLES:
            self.__dict__.setdefault(table, HookTable())

    # ------------------------------------------------------------------------------------------ what is inside

    def named_modules(
        self, memo: set[Any] | None = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Module]]:
        """This module and all below it, each once, with its dotted name."""
        memo = set() if memo is None else memo
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, child in self._modules.items():
            if child is not None:
                yield from child.named_modules(memo, f"{prefix}.{name}" if prefix else name, remove_duplicate)

    def modules(self) -> Iterator[Module]:
        """This module and all below it, each once."""
        for _, module in self.named_modules():
            yield module

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """The modules right below this one, each once, with its name."""
        seen = set()
        for name, child in self._modules.items():
            if child is not None and child not in seen:
                seen.add(child)
                yield name, child

    def children(self) -> Iterator[Module]:
        """The modules right below this one, each once."""
        for _, child in self.named_children():
            yield child

    def _named_members(
        self, table: str, prefix: str, recurse: bool, remove_duplicate: bool
    ) -> Iterator[tuple[str, Any]]:
        seen: set[int] = set()
        modules = self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate) if recurse else [(prefix, self)]
        for path, module in modules:
            for name, member in getattr(module, table).items():
                if member is None or id(member) in seen:
                    continue
                if remove_duplicate:
                    seen.add(id(member))
                yield (f"{path}.{name}" if path else name), member

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """All parameters, each once, with its dotted name."""
        return self._named_members("_parameters", prefix, recurse, remove_duplicate)

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """All parameters, each once."""
        for _, param in self.named_parameters(recurse=recurse):
            yield param

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """All buffers, each once, with its dotted name."""
        return self._named_members("_buffers", prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """All buffers, each once."""
        for _, buffer in self.named_buffers(recurse=recurse):
            yield buffer

    def get_submodule(self, target: str) -> Module:
        """The module with the dotted name `target`; the empty name is this module.

        Raises:
            AttributeError: there is no such module.
        """
        module: Any = self
        for atom in target.split(".") if target else ():
            if not hasattr(module, atom):
                raise AttributeError(f"{type(module).__name__} has no attribute `{atom}`")
            module = getattr(module, atom)
            if not isinstance(module, Module):
                raise AttributeError(f"`{atom}` is not an nn.Module")
        return module

    def set_submodule(self, target: str, module: Module, strict: bool = False) -> None:
        """Put a module in the place of the one at a dotted path; `strict` asks that there is one.

        Raises:
            ValueError: an empty path, or no module given.
            AttributeError: the path leads over what is no module.
        """
        if target == "":
            raise ValueError("Cannot set the submodule without a target name!")
        if not isinstance(module, Module):
            raise ValueError(f"`module` is not an nn.Module, found {type(module)}")
        path, _, name = target.rpartition(".")
        parent = self.get_submodule(path) if path else self
        if strict and not hasattr(parent, name):
            raise AttributeError(f"{parent._get_name()} has no attribute `{name}`")
        if hasattr(parent, name) and not isinstance(getattr(parent, name), Module):
            raise AttributeError(f"`{name}` is not an nn.Module")
        setattr(parent, name, module)

    def get_parameter(self, target: str) -> Parameter:
        """The parameter with the dotted name `target`."""
        return self._get_member(target, "_parameters", "an nn.Parameter")

    def get_buffer(self, target: str) -> Tensor:
        """The buffer with the dotted name `target`."""
        return self._get_member(target, "_buffers", "a buffer")

    def _get_member(self, target: str, table: str, what: str) -> Any:
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if not hasattr(module, name):
            raise AttributeError(f"{type(module).__name__} has no attribute `{name}`")
        if name not in getattr(module, table):
            raise AttributeError(f"`{name}` is not {what}")
        return getattr(module, table)[name]

    # ------------------------------------------------------------------------------------------ modes and repr

    def train(self: M, mode: bool = True) -> M:
        """Set training mode (dropout drops, batch norm learns its statistics) here and below."""
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for child in self.children():
            child.train(mode)
        return self

    def eval(self: M) -> M:
        """Set evaluation mode here and below."""
        return self.train(False)

    def apply(self: M, fn: Callable[[Module], None]) -> M:
        """Call `fn` with every module, children first."""
        for child in self.children():
            child.apply(fn)
        fn(self)
        return self

    def _get_name(self) -> str:
        return type(self).__name__

    def extra_repr(self) -> str:
        """What the repr shows between the parentheses, such as sizes; for subclasses."""
        return ""

    def __repr__(self) -> str:
        extra = self.extra_repr()
        head = extra.split("\n") if extra else []
        children = [f"({name}): " + _indent(repr(child)) for name, child in self._modules.items()]
        if not children and len(head) <= 1:
            return f"{self._get_name()}({extra})"
        return f"{self._get_name()}(\n  " + "\n  ".join(head + children) + "\n)"


def _indent(text: str) -> str:
    return text.replace("\n", "\n  ")


def _type_name(value: Any) -> str:
    kind = value if isinstance(value, type) else type(value)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"

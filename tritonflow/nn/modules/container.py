"""Containers: modules and parameters in a sequence or a dict."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from tritonflow.framework.module_version import module_version
from tritonflow.framework.tensor import Tensor
from tritonflow.nn.modules.module import Module, _type_name
from tritonflow.nn.parameter import Parameter


class _Indexed(Module):
    """Children or parameters named "0", "1", ...: the common part of the lists."""

    def _items(self) -> dict[str, Any]:
        return self._modules

    def _name(self, index: int) -> str:
        index, size = operator.index(index), len(self)
        if not -size <= index < size:
            raise IndexError(f"index {index} is out of range")
        return str(index % size)

    def _renumber(self, members: Iterable[Any]) -> None:
        members = list(members)
        self._items().clear()
        for i, member in enumerate(members):
            self._items()[str(i)] = member
        module_version.advance()

    def __len__(self) -> int:
        return len(self._items())

    def __iter__(self) -> Iterator[Any]:
        return iter(list(self._items().values()))

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return self._like(list(self)[index])
        return self._items()[self._name(index)]

    def __delitem__(self, index: int | slice) -> None:
        members = list(self)
        if not isinstance(index, slice):
            index = int(self._name(index))
        del members[index]
        self._renumber(members)

    def _like(self, members: list[Any]) -> Any:
        return type(self)(members)

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if not name.isdigit()]


class Sequential(_Indexed):
    """Modules called one after the other: `Sequential(a, b)(x) = b(a(x))`.

    Args:
        *args: modules, or one dict of names and modules.

    Source: torch.nn.Sequential.

    Example:
        >>> import tritonflow as flow
        >>> net = flow.nn.Sequential(flow.nn.Linear(4, 8), flow.nn.ReLU(), flow.nn.Linear(8, 2))
        >>> net(flow.ones(3, 4)).shape
        tritonflow.Size([3, 2])
        >>> net[:2]
        Sequential(
          (0): Linear(in_features=4, out_features=8, bias=True)
          (1): ReLU()
        )
    """

    def __init__(self, *args: Any) -> None:
        super().__init__()
        named = args[0].items() if len(args) == 1 and isinstance(args[0], Mapping) else enumerate(args)
        for name, module in named:
            self.add_module(str(name), module)

    def forward(self, input: Any) -> Tensor:
        """Call each module with the result of the one before. That of the last need not be a tensor, as its type says."""
        for module in self._modules.values():
            input = module(input)
        return input

    def _name(self, index: int) -> str:
        return list(self._modules)[int(super()._name(index))]

    def _like(self, members: list[Any]) -> Sequential:
        names = {id(m): n for n, m in self._modules.items()}
        return type(self)({names[id(m)]: m for m in members})

    def __setitem__(self, index: int, module: Module) -> None:
        setattr(self, self._name(index), module)

    def __delitem__(self, index: int | slice) -> None:
        names = list(self._modules)
        gone = names[index] if isinstance(index, slice) else [self._name(index)]
        for name in gone:
            delattr(self, name)
        if all(name.isdigit() for name in names):
            self._renumber(self._modules.values())

    def append(self, module: Module) -> Sequential:
        """Add a module at the end."""
        self.add_module(str(len(self)), module)
        return self

    def extend(self, modules: Iterable[Module]) -> Sequential:
        """Add modules at the end."""
        for module in modules:
            self.append(module)
        return self

    def insert(self, index: int, module: Module) -> Sequential:
        """Put a module before the one at `index`."""
        if not isinstance(module, Module):
            raise TypeError(f"module should be of type: {Module}")
        size = len(self)
        if not -size <= index <= size:
            raise IndexError(f"Index out of range: {index}")
        members = list(self)
        members.insert(index, module)
        self._renumber(members)
        return self

    def pop(self, index: int) -> Module:
        """Take a module out."""
        module = self[index]
        del self[index]
        return module

    def __add__(self, other: Sequential) -> Sequential:
        if not isinstance(other, Sequential):
            raise ValueError(f"add operator supports only objects of Sequential class, but {type(other)} is given.")
        return Sequential(*self, *other)

    def __iadd__(self, other: Sequential) -> Sequential:
        if not isinstance(other, Sequential):
            raise ValueError(f"add operator supports only objects of Sequential class, but {type(other)} is given.")
        return self.extend(other)


class ModuleList(_Indexed):
    """A list of modules; it has no `forward`.

    Source: torch.nn.ModuleList.

    Example:
        >>> import tritonflow as flow
        >>> layers = flow.nn.ModuleList([flow.nn.Linear(2, 2) for _ in range(3)])
        >>> len(layers), len(list(layers.parameters()))
        (3, 6)
    """

    def __init__(self, modules: Iterable[Module] | None = None) -> None:
        super().__init__()
        if modules is not None:
            self.extend(modules)

    def __setitem__(self, index: int, module: Module) -> None:
        setattr(self, self._name(index), module)

    def append(self, module: Module) -> ModuleList:
        """Add a module at the end."""
        self.add_module(str(len(self)), module)
        return self

    def extend(self, modules: Iterable[Module]) -> ModuleList:
        """Add modules at the end."""
        if not isinstance(modules, Iterable):
            raise TypeError(f"ModuleList.extend should be called with an iterable, but got {type(modules).__name__}")
        for module in list(modules):
            self.append(module)
        return self

    def insert(self, index: int, module: Module) -> None:
        """Put a module before the one at `index`."""
        members = list(self)
        members.insert(index, module)
        self._renumber(members)

    def pop(self, index: int) -> Module:
        """Take a module out."""
        module = self[index]
        del self[index]
        return module

    def __repr__(self) -> str:
        """Runs of equal layers are shown once, as `(0-2): 3 x ReLU()`."""
        runs: list[list[Any]] = []
        for i, shown in enumerate(repr(module) for module in self):
            if runs and runs[-1][2] == shown:
                runs[-1][1] = i
            else:
                runs.append([i, i, shown])
        lines = [
            f"({first}): {shown}" if first == last else f"({first}-{last}): {last - first + 1} x {shown}"
            for first, last, shown in runs
        ]
        inside = "".join("\n  " + line.replace("\n", "\n  ") for line in lines)
        return f"{self._get_name()}({inside}\n)" if lines else f"{self._get_name()}()"

    def __add__(self, other: Iterable[Module]) -> ModuleList:
        return ModuleList(chain(self, other))

    def __iadd__(self, modules: Iterable[Module]) -> ModuleList:
        return self.extend(modules)


class _Named(Module):
    """Children or parameters under chosen names: the common part of the dicts."""

    def _items(self) -> dict[str, Any]:
        return self._modules

    def _put(self, name: str, value: Any) -> None:
        raise NotImplementedError

    def __getitem__(self, key: str) -> Any:
        return self._items()[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self._put(key, value)

    def __delitem__(self, key: str) -> None:
        del self._items()[key]
        module_version.advance()

    def __len__(self) -> int:
        return len(self._items())

    def __iter__(self) -> Iterator[str]:
        return iter(self._items())

    def __contains__(self, key: str) -> bool:
        return key in self._items()

    def clear(self) -> None:
        """Remove everything."""
        self._items().clear()
        module_version.advance()

    def pop(self, key: str) -> Any:
        """Take one out."""
        taken = self[key]
        del self[key]
        return taken

    def get(self, key: str, default: Any = None) -> Any:
        """The one under `key`, or `default`."""
        return self._items().get(key, default)

    def keys(self) -> Iterable[str]:
        """The names."""
        return self._items().keys()

    def items(self) -> Iterable[tuple[str, Any]]:
        """The names and what they name."""
        return self._items().items()

    def values(self) -> Iterable[Any]:
        """What the names name."""
        return self._items().values()

    def update(self, members: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> None:
        """Add from a mapping or from pairs; later ones replace earlier ones."""
        if not isinstance(members, Iterable):
            raise TypeError(
                f"{type(self).__name__}.update should be called with an iterable of key/value pairs, "
                f"but got {type(members).__name__}"
            )
        pairs: Iterable[Any] = members.items() if hasattr(members, "items") else members
        for i, pair in enumerate(pairs):
            if not isinstance(pair, Iterable):
                raise TypeError(
                    f"{type(self).__name__} update sequence element #{i} should be Iterable; is {type(pair).__name__}"
                )
            pair = list(pair)
            if len(pair) != 2:
                raise ValueError(
                    f"{type(self).__name__} update sequence element #{i} has length {len(pair)}; 2 is required"
                )
            self[pair[0]] = pair[1]


class ModuleDict(_Named):
    """A dict of modules; it has no `forward`.

    Source: torch.nn.ModuleDict.

    Example:
        >>> import tritonflow as flow
        >>> acts = flow.nn.ModuleDict({"relu": flow.nn.ReLU(), "gelu": flow.nn.GELU()})
        >>> acts["relu"](flow.tensor([-1.0, 2.0])).tolist()
        [0.0, 2.0]
    """

    def __init__(self, modules: Mapping[str, Module] | Iterable[tuple[str, Module]] | None = None) -> None:
        super().__init__()
        if modules is not None:
            self.update(modules)

    def _put(self, name: str, value: Module) -> None:
        self.add_module(name, value)


class ParameterList(_Indexed):
    """A list of parameters; a plain tensor that is put in becomes a Parameter.

    Source: torch.nn.ParameterList.
    """

    def __init__(self, values: Iterable[Any] | None = None) -> None:
        super().__init__()
        if values is not None:
            self.extend(values)

    def _items(self) -> dict[str, Any]:
        return self._parameters

    def __setitem__(self, index: int, value: Tensor) -> None:
        self.register_parameter(self._name(index), _as_parameter(value))

    def append(self, value: Tensor) -> ParameterList:
        """Add a parameter at the end."""
        self.register_parameter(str(len(self)), _as_parameter(value))
        return self

    def extend(self, values: Iterable[Any]) -> ParameterList:
        """Add parameters at the end."""
        if not isinstance(values, Iterable) or isinstance(values, Tensor):
            raise TypeError(f"ParameterList.extend should be called with an iterable, but got {type(values).__name__}")
        for value in list(values):
            self.append(value)
        return self

    def __iadd__(self, values: Iterable[Any]) -> ParameterList:
        return self.extend(values)

    def extra_repr(self) -> str:
        return "\n".join(f"  ({i}): {_describe(p, str(p.dtype))}" for i, p in enumerate(self))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError("ParameterList should not be called.")


class ParameterDict(_Named):
    """A dict of parameters; a plain tensor that is put in becomes a Parameter.

    Source: torch.nn.ParameterDict.
    """

    def __init__(self, parameters: Mapping[str, Any] | Iterable[tuple[str, Any]] | None = None) -> None:
        super().__init__()
        if parameters is not None:
            self.update(parameters)

    def _items(self) -> dict[str, Any]:
        return self._parameters

    def _put(self, name: str, value: Tensor) -> None:
        self.register_parameter(name, _as_parameter(value))

    def extra_repr(self) -> str:
        return "\n".join(f"  ({name}): {_describe(p, p.type())}" for name, p in self.items())

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError("ParameterDict should not be called.")


def _as_parameter(value: Any) -> Parameter:
    if not isinstance(value, Tensor):
        raise TypeError(f"cannot assign '{_type_name(value)}' object as a parameter (Tensor or nn.Parameter required)")
    return value if isinstance(value, Parameter) else Parameter(value)


def _describe(p: Tensor, kind: str) -> str:
    sizes = "x".join(str(n) for n in p.shape)
    where = p.meta.device if p.meta.is_local else p.placement
    return f"Parameter containing: [{kind} of size {sizes}{'' if p.is_local and p.is_cpu else f' ({where})'}]"

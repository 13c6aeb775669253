"""The modules that stand for torch's: `torch`, `torch.nn`, `torch.utils.data` and all others.

A name is looked for in this order:

1. in `tritonflow.mock_torch.names`, whose files are named as torch's modules: what has another meaning there, or none here;
2. in the module of tritonflow with the same path;
3. where torch has the same function or class under a public name: `torch.nn.modules.conv.Conv2d` is `torch.nn.Conv2d`;
4. as a module;
5. among torch's own names: then it is a `MissingName`, which raises when it is used.

Everything else is an AttributeError, as in torch, so that programs that ask `hasattr` find out.
"""

from __future__ import annotations

import importlib
import importlib.machinery
import importlib.util
import sys
import threading
from types import ModuleType
from typing import Any

from tritonflow.mock_torch import torch_names
from tritonflow.mock_torch.missing import MissingName, missing

_NAMES = "tritonflow.mock_torch.names"
# Rooms of tritonflow that have the name of a module of torch's, and another meaning.
_OTHER_MEANING = ("torch._C", "torch.ops")
# Modules that start and watch processes, and compute nothing, are torch's own.
_OF_PROCESSES = ("torch.distributed.elastic", "torch.distributed.launch", "torch.distributed.run", "torch.numa")
_ABSENT = object()


class Options:
    """What `enable` was given.

    Attributes:
        lazy: names that torch lacks, too, are stand-ins, and no AttributeError.
        verbose: print each missing name once.
    """

    lazy = False
    verbose = False


options = Options()


_namespace: Any = ModuleType.__dict__["__dict__"].__get__  # type: ignore[index]


class TorchModule(ModuleType):
    """A module of torch's, whose names are tritonflow's. They come when they are asked for, and all with `__dict__`."""

    @property
    def __dict__(self) -> dict[str, Any]:  # type: ignore[override]
        for name in dir(self):
            if name not in _namespace(self):
                getattr(self, name, None)
        return _namespace(self)

    def __getattr__(self, name: str) -> Any:
        value = find(self.__name__, name)
        if not self.__name__.startswith("torch.backends"):  # whose values change
            _namespace(self)[name] = value
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        if self.__name__.startswith("torch.backends") and not name.startswith("__"):
            for module in (_override(self.__name__), _counterpart(self.__name__)):
                if module is not None and _own(module, name) is not _ABSENT:
                    setattr(module, name, value)
                    return
        super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*_namespace(self), *torch_names.public_names(self.__name__), *torch_names.listed_names(self.__name__)})

    def __repr__(self) -> str:
        return f"<module {self.__name__!r}: tritonflow under torch's names>"


_modules: dict[str, TorchModule] = {}
_lock = threading.RLock()


def torch_module(name: str) -> TorchModule:
    """The module that stands for torch's of this full name.

    Raises:
        ModuleNotFoundError: torch has no such module.
    """
    found = _modules.get(name)
    if found is not None:
        return found
    if not has_module(name):
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    with _lock:
        found = _modules.get(name)
        if found is None:
            found = _modules[name] = _make(name)
    parent, _, last = name.rpartition(".")
    if parent and last not in _namespace(torch_module(parent)):
        own = find_or(parent, last, _ABSENT)
        if own is _ABSENT or isinstance(own, MissingName):
            ModuleType.__setattr__(torch_module(parent), last, found)
    return found


def has_module(name: str) -> bool:
    """Whether there is a stand-in for a module of this full name."""
    return name == "torch" or torch_names.has_module(name) or _override(name) is not None


def _make(name: str) -> TorchModule:
    module = TorchModule(name, f"{name}, as tritonflow has it (tritonflow.mock_torch).")
    counterpart = _counterpart(name)
    _namespace(module).update(
        __path__=[],
        __package__=name if counterpart is None else counterpart.__name__,
        __file__=getattr(counterpart, "__file__", __file__),
        __spec__=importlib.machinery.ModuleSpec(name, None, is_package=True),
        __all__=torch_names.public_names(name),
    )
    return module


def find(module: str, name: str) -> Any:
    """What a name of a module of torch's is here.

    Raises:
        AttributeError: torch has no such name.
    """
    value = find_or(module, name, _ABSENT)
    if value is not _ABSENT:
        return value
    try:
        real = torch_names.real_value(module, name)
    except AttributeError:
        if not options.lazy or name.startswith("__"):
            raise AttributeError(f"module {module!r} has no attribute {name!r}") from None
        return _announce(missing(f"{module}.{name}"))
    if _is_plain(real):
        return real
    if isinstance(real, ModuleType) and has_module(real.__name__):  # such as `torch.fft.torch`
        return torch_module(real.__name__)
    return _announce(missing(f"{module}.{name}", *(() if real is torch_names.UNKNOWN else (real,))))


def _is_plain(real: Any) -> bool:
    """Whether a value of torch's is nobody's: a number, a word, the standard library's module or class."""
    if real is None or isinstance(real, (bool, int, float, str)):
        return True
    if isinstance(real, ModuleType):
        return real.__name__.partition(".")[0] in sys.stdlib_module_names
    owner = getattr(real, "__module__", None)
    return isinstance(owner, str) and owner.partition(".")[0] in sys.stdlib_module_names


def _announce(stand_in: MissingName) -> MissingName:
    if options.verbose:
        print(f"mock_torch: {stand_in.torch_name} is not in tritonflow", file=sys.stderr)
    return stand_in


def find_or(module: str, name: str, default: Any) -> Any:
    """What a name of a module of torch's is here, or `default` where it is missing."""
    for owner, alias in ((module, name), *torch_names.public_aliases(module, name)):
        value = _direct(owner, alias)
        if value is not _ABSENT:
            return value
    full = f"{module}.{name}"
    if not name.startswith("__") and has_module(full):
        return torch_module(full)
    return default


def _direct(module: str, name: str) -> Any:
    """What our files of a module of torch's have under a name."""
    override = _override(module)
    value = _own(override, name) if override is not None else _ABSENT
    if value is not _ABSENT:
        return value
    if not name.startswith("__") and _override(f"{module}.{name}") is not None:
        return _ABSENT  # a module with a file of its own, such as `torch.export`, which is a function here
    counterpart = _counterpart(module)
    value = _own(counterpart, name) if counterpart is not None else _ABSENT
    return value if counterpart is not None and value is not _ABSENT and _belongs(module, name, counterpart) else _ABSENT


def _own(owner: ModuleType, name: str) -> Any:
    """A module's own value; of modules that are imported at their first use as well, but no module itself."""
    value = getattr(owner, name, _ABSENT)
    if value is _ABSENT and "any_name" in vars(owner):
        found = owner.any_name(name)
        return _ABSENT if found is None else found
    return _ABSENT if isinstance(value, ModuleType) else value


def _belongs(module: str, name: str, owner: ModuleType) -> bool:
    """Whether a name of our module is meant for others: torch has it there, or we say so."""
    if name.startswith("__"):
        return False
    if name in getattr(owner, "__all__", ()):
        return True
    try:
        torch_names.real_value(module, name)
    except AttributeError:
        return False
    return True


def _override(name: str) -> ModuleType | None:
    return _imported(_NAMES + name.removeprefix("torch"))


def _counterpart(name: str) -> ModuleType | None:
    if name.startswith(_OTHER_MEANING):
        return None
    if name.startswith(_OF_PROCESSES):
        return torch_names.shared_module(name)
    return _imported("tritonflow" + name.removeprefix("torch"))


_found: dict[str, ModuleType | None] = {}


def _imported(name: str) -> ModuleType | None:
    """A module of ours, or None if there is none."""
    if name in _found:
        return _found[name]
    parent = name.rpartition(".")[0]
    module: ModuleType | None = None
    if name in sys.modules:
        module = importlib.import_module(name)  # which waits, where another thread imports it
    else:
        above = _imported(parent) if parent else None
        is_package = above is not None and hasattr(above, "__path__")
        if (is_package or not parent) and importlib.util.find_spec(name) is not None:
            module = importlib.import_module(name)
    _found[name] = module
    return module

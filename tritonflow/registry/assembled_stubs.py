"""Stubs of what the package assembles when it is imported, which a checker cannot follow.

    python tritonflow/registry/generate.py       writes them after everything else

They are written from the package itself: `__init__.pyi` of each package whose names are assembled, and what `METHODS` of several
rooms attach to Tensor. A function of the binding is imported from its family's stub, other names from where they are defined.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import json
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from inspect import Parameter as Python
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, get_origin

from tritonflow.registry.emit import HEADER, UNSORTED
from tritonflow.registry.emit.stub import MODULES
from tritonflow.registry.emit.values import filled

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = (
    *("tritonflow", "tritonflow.fft", "tritonflow.linalg", "tritonflow.nn", "tritonflow.nn.functional", "tritonflow.special"),
)
_METHODS_PATH = "tritonflow/_C/attached_methods.pyi"
_HEAD = f"# {HEADER.replace('op_registry.yaml', 'the assembled package')}\n{UNSORTED}\n"
_BUILTIN_TYPES = ("bool", "bytes", "complex", "dict", "float", "int", "list", "set", "str", "tuple", "type")


def stubs() -> dict[str, str]:
    """The texts of the stubs, by their paths in the checkout."""
    return {**{path_of(name): package_stub(import_module(name)) for name in PACKAGES}, _METHODS_PATH: methods_stub()}


def path_of(package: str) -> str:
    """The stub of a package or module, in the checkout."""
    folder = Path(package.replace(".", "/"))
    return str(folder / "__init__.pyi" if (ROOT / folder).is_dir() else folder.with_suffix(".pyi"))


# ------------------------------------------------------------------------------------------------------------- a package


def public_names(module: ModuleType) -> list[str]:
    """The names of a package for users: those without an underscore, but modules that it happens to have imported."""
    listed = getattr(module, "__all__", ())
    names = [n for n in sorted({*dir(module), *listed}) if not n.startswith("_")]
    return [n for n in names if n in listed or f"{module.__name__}.{n}" in PACKAGES or not _is_incidental(module, n)]


def _is_incidental(module: ModuleType, name: str) -> bool:
    value = getattr(module, name)
    if isinstance(value, ModuleType) or name == "TYPE_CHECKING":
        return True
    return getattr(value, "__module__", "") in ("typing", "__future__", "importlib")


def package_stub(module: ModuleType) -> str:
    """The text of the stub of a package: imports of its names, and the functions that it defines itself."""
    names = public_names(module)
    names += ["__version__"] * hasattr(module, "__version__")
    hidden = [name for name in _BUILTIN_TYPES if name in names]
    imported = _imports_of(module)
    imports: dict[str, list[str]] = {}
    needed: dict[str, list[str]] = {}
    definitions: list[str] = []
    for name in names:
        value = getattr(module, name)
        source = _source(module, name, value, imported)
        if isinstance(value, FunctionType) and _is_made(value):
            definitions.append(_defined(name, value, hidden, needed))
        elif source is not None:
            imports.setdefault(source[0], []).append(name if source[1] == name else f"{source[1]} as {name}")
        elif isinstance(value, FunctionType):
            definitions.append(_defined(name, value, hidden, needed))
        else:
            definitions.append(_constant(name, value, needed))
    doc = (module.__doc__ or "").strip().splitlines()[0]
    lines = [f'"""{doc}"""', *_import_lines(imports), *_private_imports(needed, "".join(definitions)), "", *definitions]
    listed = ", ".join(f'"{name}"' for name in names)
    head = _HEAD if imports else _HEAD.replace("# ruff: noqa: I001\n", "")
    return f"{head}{chr(10).join(lines)}\n\n{filled(f'__all__ = [{listed}]')}\n"


def _is_made(function: FunctionType) -> bool:
    """Whether a function is made of another one, with a signature that its source does not show."""
    if function.__module__.startswith("tritonflow._C."):
        return False
    return hasattr(function, "__signature__") or _is_of_binding(inspect.unwrap(function))


def _is_of_binding(function: Any) -> bool:
    return str(function.__module__).startswith("tritonflow._C.functional.")


def _signature(function: FunctionType) -> inspect.Signature:
    """Its signature; without what an in-place form or a pool with positions of a function of the binding does not take."""
    signature = inspect.signature(function)
    if not _is_of_binding(inspect.unwrap(function)):
        return signature
    parameters = [p for n, p in signature.parameters.items() if n not in ("inplace", "out", "return_indices")]
    returns = "tuple[Tensor, Tensor]" if "return_indices" in signature.parameters else "Tensor"
    return signature.replace(parameters=parameters, return_annotation=returns)


def _imports_of(module: ModuleType) -> dict[str, tuple[str, str]]:
    """By name, the module and the name there that the source of a package imports."""
    found: dict[str, tuple[str, str]] = {}
    if getattr(module, "__file__", None) is None:
        return found
    for node in ast.walk(ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("tritonflow"):
            if node.names[0].name == "*":
                source = import_module(node.module)
                found |= {n: (node.module, n) for n in getattr(source, "__all__", ())}
            else:
                found |= {alias.asname or alias.name: (str(node.module), alias.name) for alias in node.names}
    return found


def _source(
    module: ModuleType, name: str, value: Any, imported: dict[str, tuple[str, str]]
) -> tuple[str, str] | None:
    """Where a stub imports a name from: the module that defines it."""
    if isinstance(value, ModuleType):
        return value.__name__.rpartition(".")[0], value.__name__.rpartition(".")[2]
    home = getattr(value, "__module__", None)
    if isinstance(value, (FunctionType, type)) and home != module.__name__:
        own = value.__qualname__
        if not own.startswith("_") and getattr(sys.modules.get(str(home)), own, None) is value:
            return str(home), own
    return imported.get(name)


def _constant(name: str, value: Any, needed: dict[str, list[str]]) -> str:
    if isinstance(type(value), type) and isinstance(value, type):  # a class of tensors of one dtype
        _need(needed, "tritonflow.framework.tensor", "Tensor")
        return f"class {name}(_Tensor): ..."
    kind = type(value)
    if kind.__module__ == "builtins":
        return f"{name}: {'None' if value is None else f'builtins.{kind.__name__}'}"
    _need(needed, kind.__module__, kind.__name__)
    return f"{name}: _{kind.__name__}"


def _import_lines(imports: dict[str, list[str]]) -> list[str]:
    return [filled(f"from {module} import ({', '.join(names)})") for module, names in sorted(imports.items())]


def _need(needed: dict[str, list[str]], module: str, name: str) -> None:
    if name not in needed.setdefault(module, []):
        needed[module].append(name)


def _private_imports(needed: dict[str, list[str]], text: str) -> list[str]:
    """What annotations in the text name, under names that are none of the package's."""
    lines = [
        filled(f"from {module} import ({', '.join(f'{n} as _{n}' for n in found)})")
        for module, found in sorted(needed.items())
    ]
    return ["import builtins"] * ("builtins." in text) + lines


# ------------------------------------------------------------------------------------------------------------- functions


def _defined(name: str, function: FunctionType, hidden: list[str], needed: dict[str, list[str]], first: str = "") -> str:
    """The declaration of a function; `first` is what its first parameter is called where it is a method."""
    signature = _signature(function)
    parts: list[str] = []
    starred = False
    for position, parameter in enumerate(signature.parameters.values()):
        if position == 0 and first:
            parts.append(first)
            continue
        if parameter.kind is Python.KEYWORD_ONLY and not starred:
            parts.append("*")
        starred = starred or parameter.kind in (Python.VAR_POSITIONAL, Python.KEYWORD_ONLY)
        stars = "*" * (parameter.kind is Python.VAR_POSITIONAL) + "**" * (parameter.kind is Python.VAR_KEYWORD)
        default = "" if parameter.default is Python.empty else f" = {_default(parameter.default)}"
        annotation = _annotation(parameter.annotation, function, hidden, needed)
        parts.append(f"{stars}{parameter.name}: {annotation}{default}")
    returns = _annotation(signature.return_annotation, function, hidden, needed)
    return filled(f"def {name}({', '.join(parts)}) -> {returns}: ...")


def _default(value: Any) -> str:
    return repr(value) if value is None or isinstance(value, (bool, int, float, str, tuple)) else "..."


_WORD = re.compile(r"(?<![\w.'\"])[A-Za-z_]\w*")


def _annotation(annotation: Any, function: FunctionType, hidden: list[str], needed: dict[str, list[str]]) -> str:
    """The text of an annotation, whose names are those of the module of the function."""
    if annotation is Python.empty:
        raise TypeError(f"{function.__module__}.{function.__qualname__}: a public function without types")
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation).replace("typing.", "")

    def written(match: re.Match[str]) -> str:
        name = match[0]
        if name in ("None", "True", "False"):
            return name
        value = inspect.unwrap(function).__globals__.get(name)
        if value is None and name in _OF_BINDING:  # of a function that is made of one of the binding
            _need(needed, _OF_BINDING[name], name)
            return f"_{name}"
        if value is None:
            return f"builtins.{name}" if name in hidden else name
        if value is builtins:
            return "builtins"
        if isinstance(value, ModuleType):
            _need(needed, "", value.__name__)
            return f"_{value.__name__}"
        if name in _BUILTIN_TYPES:  # a dtype of the same name
            return f"builtins.{name}"
        home = _home(name, value, function)
        _need(needed, home[0], home[1])
        return f"_{home[1]}"

    return _WORD.sub(written, text)


_OF_BINDING = {name: module for module, names in MODULES.items() for name in names}
_ALIASES = ("DeviceLike", "Index", "Number", "PlacementLike", "Scalar")


def _home(name: str, value: Any, function: FunctionType) -> tuple[str, str]:
    """The module that defines what an annotation names, and its name there."""
    module = getattr(value, "__module__", "")
    if get_origin(value) is None and isinstance(value, type) and module.startswith(("tritonflow", "collections")):
        return module, value.__qualname__
    if name.lstrip("_") in _ALIASES:
        return "tritonflow.binding.annotations", name.lstrip("_")
    if module == "typing" and getattr(import_module("typing"), name, None) is value:
        return "typing", name
    return inspect.unwrap(function).__module__, name


# ---------------------------------------------------------------------------------------------------------------- Tensor


def methods_stub() -> str:
    """The text of tritonflow/_C/attached_methods.pyi: what Tensor has that is neither its class's nor the registry's."""
    needed: dict[str, list[str]] = {}
    body = "\n".join(_members(needed))
    imports = _private_imports({k: v for k, v in needed.items() if k}, body)
    imports += [f"import {name} as _{name}" for name in needed.get("", [])]
    doc = '    """What the rooms of the package attach to Tensor: all that is no op of the registry."""\n'
    indented = "".join(f"    {line}\n" if line else "\n" for line in body.splitlines())
    return f"{_HEAD}{chr(10).join(imports)}\n\nclass AttachedMethods:\n{doc}\n{indented}"


def _members(needed: dict[str, list[str]]) -> Iterator[str]:
    tensor = import_module("tritonflow").Tensor
    own = set(_assigned_in_class("Tensor", sys.modules[tensor.__module__]))
    registry = set(import_module("tritonflow._C").METHODS)
    for name, value in vars(tensor).items():
        if name in own or name in registry or name == "to" or name.startswith("_") and not name.startswith("__"):
            continue
        if isinstance(value, property):
            yield "@property"
            yield _defined(name, value.fget, list(_BUILTIN_TYPES), needed, "self")  # type: ignore[arg-type]
            if value.fset is not None:
                yield f"@{name}.setter"
                yield _setter(name, value, needed)
        elif isinstance(value, FunctionType):
            yield _defined(name, value, list(_BUILTIN_TYPES), needed, "self")


def _assigned_in_class(name: str, module: ModuleType) -> Iterator[str]:
    """What the body of a class defines, rather than what was attached to it later."""
    for node in ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8")).body:
        for member in node.body if isinstance(node, ast.ClassDef) and node.name == name else ():
            if isinstance(member, ast.FunctionDef):
                yield member.name
            elif isinstance(member, ast.Assign):
                yield from (target.id for target in member.targets if isinstance(target, ast.Name))


def _setter(name: str, value: property, needed: dict[str, list[str]]) -> str:
    function: Any = value.fset
    if function.__name__ == "<lambda>":  # of `real` and `imag`
        _need(needed, "tritonflow.binding.annotations", "Scalar")
        return f"def {name}(self, value: _Tensor | _Scalar) -> None: ..."
    return _defined(name, function, list(_BUILTIN_TYPES), needed, "self")


if __name__ == "__main__":
    print(json.dumps(stubs()))

"""Which cases a pattern selects."""

from __future__ import annotations

import ast
import difflib
import fnmatch
import importlib.util
import inspect
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from tritonflow.bench.case import Case
from tritonflow.bench.cases import cpu_kernels, gpu_kernels, ops, overhead, written
from tritonflow.bench.cases.elements import Elements
from tritonflow.bench.cases.op_entries import ENTRIES
from tritonflow.bench.function import CaseFunction, case
from tritonflow.errors import ArgumentValueError

GROUPS = {
    "ops": "every op of the registry, by size and direction",
    "kernels": "calls of real sizes, with the share of the roof that they should reach",
    "overhead": "calls of small operands, whose time is the host's",
}
SUFFIXES = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


@dataclass(frozen=True)
class Request:
    """What to find.

    Attributes:
        patterns: names, beginnings of names, globs, groups, `group:name`, `file.py`, `file.py:function`; none: all groups.
        device: whose kernels.
        sizes: of ops: small, medium, large, a number of elements such as 4096 or 4M, or ROWSxCOLUMNS.
        dtypes: of ops.
        directions: of ops, forward and backward.
        values: for parameters of functions in files, in the place of their own.
    """

    patterns: Sequence[str] = ()
    device: str = "cpu"
    sizes: Sequence[str] = ("small", "medium", "large")
    dtypes: Sequence[str] = ("float32",)
    directions: Sequence[str] = ops.DIRECTIONS
    values: Mapping[str, Sequence[Any]] = field(default_factory=dict)


def find(request: Request) -> list[Case]:
    """The cases that the patterns select, in the order of the patterns, each once.

    Raises:
        ValueError: a pattern selects nothing; the text names what is near.

    Example:
        >>> from tritonflow.bench.discover import Request, find
        >>> [case.label for case in find(Request(["softmax"], sizes=["small"], directions=["forward"]))][:2]
        ['softmax size=small direction=forward', 'softmax 4096x1024']
    """
    known = _package_cases(request)
    found: dict[str, Case] = {}
    for pattern in request.patterns or GROUPS:
        chosen = _of_file(pattern, request.values) if is_file(pattern) else [c for c in known if selects(pattern, c)]
        if not chosen:
            raise ArgumentValueError(_nothing(pattern, known))
        found.update({f"{c.group} {c.label}": c for c in chosen})
    return list(found.values())


def _package_cases(request: Request) -> list[Case]:
    if all(is_file(pattern) for pattern in request.patterns) and request.patterns:
        return []
    kernels = cpu_kernels.CASES if request.device == "cpu" else gpu_kernels.CASES
    of_ops = ops.cases([size_of(text) for text in request.sizes], [dtype_of(text) for text in request.dtypes])
    return [
        *(c for c in of_ops if c.params["direction"] in request.directions),
        *written.cases(kernels.values(), "kernels"),
        *written.cases(overhead.CASES.values(), "overhead"),
    ]


def selects(pattern: str, case: Case) -> bool:
    """Whether a pattern is the case's group or name, the words that its name begins with, or a glob of it; group:name is both."""
    group, colon, name = pattern.partition(":")
    if colon and group in GROUPS:
        return case.group == group and selects(name, case)
    if pattern in (case.group, case.name) or case.name.startswith((f"{pattern} ", f"{pattern},")):
        return True
    return any(sign in pattern for sign in "*?") and fnmatch.fnmatchcase(case.name, pattern)


def _nothing(pattern: str, known: Iterable[Case]) -> str:
    if pattern in ENTRIES:
        return f"{pattern} is an op, but no arguments are written for it in tritonflow/bench/cases/op_inputs.py"
    names = list(dict.fromkeys([*GROUPS, *(case.name for case in known)]))
    near = difflib.get_close_matches(pattern, names, n=4, cutoff=0.5) or [name for name in names if pattern in name][:4]
    hint = f"; do you mean {', '.join(near)}?" if near else ""
    return f"no case is named {pattern!r}{hint} `--list` shows all of them"


def size_of(text: str) -> Elements:
    """What a size is called by.

    Raises:
        ValueError: it is none of a name, a number, and ROWSxCOLUMNS.

    Example:
        >>> from tritonflow.bench.discover import size_of
        >>> size_of("4K").n, size_of("128x1000").height
        (4096, 128)
    """
    named = {size.name: size for size in ops.SIZES}
    if text in named:
        return named[text]
    if match := re.fullmatch(r"([1-9]\d*)([KMG]?)", text):
        return Elements(text, int(match[1]) * SUFFIXES.get(match[2], 1))
    if match := re.fullmatch(r"([1-9]\d*)x([1-9]\d*)", text):
        return Elements(text, int(match[1]) * int(match[2]), int(match[1]))
    expected = f"{', '.join(named)}, a number such as 4096 or 4M, or rows x columns such as 128x1000"
    raise ArgumentValueError(f"--size {text}: expected {expected}")


DTYPES = ("float32", "float64", "float16", "bfloat16")


def dtype_of(text: str) -> str:
    """The name of a dtype.

    Raises:
        ValueError: another one.
    """
    if text not in DTYPES:
        raise ArgumentValueError(f"--dtype {text}: expected one of {', '.join(DTYPES)}")
    return text


# ---- cases of files


def is_file(pattern: str) -> bool:
    """Whether a pattern is `file.py` or `file.py:function`."""
    return bool(re.search(r"\.py(:\w+)?$", pattern))


def _of_file(pattern: str, values: Mapping[str, Sequence[Any]]) -> list[Case]:
    path, _, name = pattern.rpartition(":") if not pattern.endswith(".py") else (pattern, "", "")
    module = _load(Path(path))
    decorated = {key: value for key, value in vars(module).items() if isinstance(value, CaseFunction)}
    if name:
        decorated = {name: _function(module, path, name, decorated, values)}
    elif not decorated:
        raise ArgumentValueError(f"{path} has no function with @flow.bench.case; help: name one, {path}:FUNCTION")
    return [c for found in decorated.values() for c in _with_values(found, values).cases(path)]


def _function(
    module: ModuleType, path: str, name: str, decorated: Mapping[str, CaseFunction], values: Mapping[str, Any]
) -> CaseFunction:
    """A function of a file, decorated or not."""
    if name in decorated:
        return decorated[name]
    function = getattr(module, name, None)
    if not callable(function):
        names = [key for key, value in vars(module).items() if callable(value) and not key.startswith("_")]
        near = difflib.get_close_matches(name, names, n=3, cutoff=0.4)
        raise ArgumentValueError(f"{path} has no function {name!r}" + (f"; do you mean {', '.join(near)}?" if near else ""))
    taken = inspect.signature(function).parameters
    made: CaseFunction = case(function, **{key: given for key, given in values.items() if key in taken})
    return made


def _with_values(found: CaseFunction, values: Mapping[str, Sequence[Any]]) -> CaseFunction:
    return CaseFunction(found.function, found.name, {key: tuple(values.get(key, own)) for key, own in found.values.items()})


def _load(path: Path) -> ModuleType:
    if not path.exists():
        raise ArgumentValueError(f"there is no file {path}")
    name = f"tritonflow_bench_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # Triton reads a kernel's source by its module
    sys.path.insert(0, str(path.resolve().parent))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(path.resolve().parent))
    return module


def values_of(texts: Iterable[str]) -> dict[str, list[Any]]:
    """`NAME=VALUE,VALUE` as the values of a parameter.

    Raises:
        ValueError: a text of another form.

    Example:
        >>> from tritonflow.bench.discover import values_of
        >>> values_of(["BLOCK=256,1024", "dtype=float32"])
        {'BLOCK': [256, 1024], 'dtype': ['float32']}
    """
    found: dict[str, list[Any]] = {}
    for text in texts:
        name, sign, given = text.partition("=")
        if not sign or not name.isidentifier() or not given:
            raise ArgumentValueError(f"--param {text}: expected NAME=VALUE,VALUE such as BLOCK=256,1024")
        found[name] = [_literal(value) for value in given.split(",")]
    return found


def _literal(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text

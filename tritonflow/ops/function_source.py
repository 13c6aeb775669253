"""The source of a fused function: functions of scalars and of rows called one after the other, written to a file as if by hand.

Files are called after their content and lie in the cache directory, where people find them.
"""

from __future__ import annotations

import hashlib
import linecache
import re
import sys
from functools import lru_cache
from types import ModuleType
from typing import Any, NamedTuple

from tritonflow import disk_cache
from tritonflow.dtypes import DType, bool_

MODULE = "tritonflow_fused_"  # the names of its modules begin with it
COPIES = ("clone", "contiguous_copy")  # ops whose result is their input, in row-major order
MOVES = ("cast", *COPIES)  # ops whose scalar function is the identity
ABSENT = "None"  # the argument for an input that is not there


class Operation(NamedTuple):
    """One call: the function "file.function", the names of its results with the dtypes that these are rounded to, its arguments
    with the types that they are in, the type that it computes in, further arguments as they are written, and whether results
    stay in their dtypes, not in what these are computed in."""

    function: str
    results: list[tuple[str, DType]]
    arguments: list[tuple[str, DType]]
    compute: DType
    further: tuple[str, ...] = ()
    stored: bool = False


def write_function(title: str, parameters: list[str], operations: list[Operation], results: list[str]) -> Any:
    """The jitted function that takes `parameters` and returns `results`."""
    title = re.sub(r"\W", "_", title)  # ops of users have names such as mine::swish
    return load(title, source(title, parameters, operations, results))


def source(title: str, parameters: list[str], operations: list[Operation], results: list[str]) -> str:
    """The text of a module with the function."""
    writer = Writer(operations)
    body = [line for operation in operations for line in writer.lines(operation)]
    head = [
        "import triton",
        *(["import triton.language as tl"] if writer.casts else []),
        "",
        *writer.head,
        "",
        "",
        "@triton.jit",
    ]
    head += [f"def {title}({', '.join(parameters)}):"]
    return "\n".join([*head, *[f"    {line}" for line in body], f"    return {', '.join(results)}", ""])


class Writer:
    """The lines of operations, and what these import.

    Args:
        operations: all that will be written, which may have functions of one name.
    """

    def __init__(self, operations: list[Operation]) -> None:
        files: dict[str, set[str]] = {}
        for operation in operations:
            file, _, function = operation.function.partition(".")
            files.setdefault(function, set()).add(file)
        self.ambiguous = {function for function, where in files.items() if len(where) > 1}
        self.imports: dict[str, set[str]] = {}
        self.casts = False

    @property
    def head(self) -> list[str]:
        """The lines that import functions."""
        room = "from tritonflow.kernels.functions"
        return [f"{room}.{file} import {', '.join(sorted(names))}" for file, names in sorted(self.imports.items())]

    def lines(self, operation: Operation) -> list[str]:
        arguments = [self.cast(name, kind, operation.compute) for name, kind in operation.arguments]
        if operation.function == "arithmetic.identity":
            value = arguments[0]
        else:
            value = f"{self.function(operation.function)}({', '.join([*arguments, *operation.further])})"
        if len(operation.results) == 1:
            name, dtype = operation.results[0]
            if operation.stored:
                return [f"{name} = {self.cast(value, operation.compute, dtype)}"]
            return [f"{name} = {self.finished(value, operation.compute, dtype)}"]
        lines = [f"{', '.join(name for name, _ in operation.results)} = {value}"]
        finished = [(name, self.finished(name, operation.compute, dtype)) for name, dtype in operation.results]
        return lines + [f"{name} = {value}" for name, value in finished if name != value]

    def finished(self, value: str, compute: DType, dtype: DType) -> str:
        """A result in the type that its dtype is computed in."""
        own = dtype.compute
        if dtype is bool_:
            return self.cast_to(self.cast_to(value, "int1"), "int8")
        if dtype is not own:
            return self.cast_to(self.cast_to(value, dtype.name), own.name)
        return value if own is compute else self.cast_to(value, own.name)

    def cast(self, value: str, have: DType, want: DType) -> str:
        return value if have is want or value == ABSENT else self.cast_to(value, _triton_name(want))

    def cast_to(self, value: str, dtype: str) -> str:
        self.casts = True
        self.imports.setdefault("memory", set()).add("cast")
        return f"cast({value}, tl.{dtype})"

    def function(self, name: str) -> str:
        file, _, function = name.partition(".")
        alias = f"{file}_{function}" if function in self.ambiguous or function == "cast" else function
        self.imports.setdefault(file, set()).add(function if alias == function else f"{function} as {alias}")
        return alias


def _triton_name(dtype: DType) -> str:
    return "int8" if dtype is bool_ else dtype.name


@lru_cache(maxsize=1024)
def load(title: str, text: str) -> Any:
    """The function of a module's text. The text is executed, never a file: that in the cache directory is for people."""
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    path = disk_cache.source("fused", digest, f"{title[:60]}_{digest}.py", text)
    # As of a file that was read: Triton asks `inspect` for the function's source, and errors show its lines.
    linecache.cache[path] = len(text), None, text.splitlines(keepends=True), path
    module = sys.modules[f"{MODULE}{digest}"] = ModuleType(f"{MODULE}{digest}")
    module.__file__ = path
    exec(compile(text, path, "exec", dont_inherit=True), module.__dict__)
    return getattr(module, title)

"""Which names of torch a program uses, and which of them tritonflow lacks: read off its source, nothing is run."""

from __future__ import annotations

import ast
import importlib.util
import os
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tritonflow.framework.tensor import Tensor
from tritonflow.mock_torch import torch_names
from tritonflow.mock_torch.missing import MissingName
from tritonflow.mock_torch.names.ops import AtenOp
from tritonflow.mock_torch.torch_modules import find, has_module

_LINES = 3  # that the table shows of each name


@dataclass(frozen=True)
class MissingUse:
    """A name that tritonflow lacks, and where it is used.

    Attributes:
        name: as `torch.linalg.svd`; of methods `Tensor.geqrf`.
        lines: as "file.py:12", in the order of files.
    """

    name: str
    lines: tuple[str, ...]

    @property
    def count(self) -> int:
        """How often it is used."""
        return len(self.lines)


@dataclass(frozen=True)
class NamesReport:
    """What `report` found.

    Attributes:
        source: the file, folder or package.
        files: how many files were read.
        used: how many different names of torch are used.
        missing: the names that tritonflow lacks, the most used first.
        methods: attributes that have the name of a method of torch's tensors that ours lack. What they are attributes of is
            not known from the source.
        unreadable: files that are no Python.
    """

    source: str
    files: int
    used: int
    missing: tuple[MissingUse, ...]
    methods: tuple[MissingUse, ...]
    unreadable: tuple[str, ...] = ()

    def __str__(self) -> str:
        head = f"{self.source}: {self.used} names of torch in {self.files} files, {len(self.missing)} of them missing"
        parts = [head, *_table("missing", self.missing)]
        if self.methods:
            parts += ["", *_table("if these are methods of tensors, missing", self.methods)]
        parts += [f"not read, no Python: {file}" for file in self.unreadable]
        return "\n".join(parts)


def _table(title: str, uses: tuple[MissingUse, ...]) -> Iterator[str]:
    if not uses:
        return
    width = max(len(title), *(len(use.name) for use in uses))
    yield f"{title:{width}}  count  lines"
    for use in uses:
        more = ", ..." if use.count > _LINES else ""
        yield f"{use.name:{width}}  {use.count:5}  {', '.join(use.lines[:_LINES])}{more}"


def report(package_or_path: str | os.PathLike[str]) -> NamesReport:
    """List the names of torch that a program uses and tritonflow lacks.

    Args:
        package_or_path: a file, a folder with Python files in it, or the name of an installed package.

    Raises:
        FileNotFoundError: it is none of these.

    Example:
        >>> import pathlib, tempfile, tritonflow as flow
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> _ = (folder / "model.py").write_text("import torch\\nq = torch.relu(torch.ao.nn.quantized.Linear(2, 2))\\n")
        >>> print(flow.mock_torch.report(folder / "model.py").missing[0].lines)
        ('model.py:2',)
    """
    root, files = _files(os.fspath(package_or_path))
    uses: dict[str, list[str]] = defaultdict(list)
    attributes: dict[str, list[str]] = defaultdict(list)
    unreadable = []
    for file in files:
        shown = str(file.relative_to(root))
        try:
            tree = ast.parse(file.read_text(encoding="utf-8"))
        except (SyntaxError, UnicodeDecodeError):
            unreadable.append(shown)
            continue
        _NameVisitor(uses, attributes, shown).visit(tree)
    missing = {name: lines for name, lines in uses.items() if is_missing(name)}
    lacking = {f"Tensor.{name}": lines for name, lines in attributes.items() if name in _lacking_methods()}
    return NamesReport(
        str(package_or_path), len(files), len(uses), _sorted(missing), _sorted(lacking), tuple(unreadable)
    )


def _sorted(uses: dict[str, list[str]]) -> tuple[MissingUse, ...]:
    return tuple(
        sorted((MissingUse(name, tuple(lines)) for name, lines in uses.items()), key=lambda use: (-use.count, use.name))
    )


def _files(source: str) -> tuple[Path, list[Path]]:
    """The folder that file names are relative to, and the files."""
    path = Path(source)
    if path.is_file():
        return path.parent, [path]
    if not path.is_dir():
        spec = importlib.util.find_spec(source) if source.replace(".", "").isidentifier() else None
        if spec is None or spec.origin is None:
            raise FileNotFoundError(f"report(): {source!r} is no file, no folder and no package that can be found")
        if spec.submodule_search_locations is None:
            return Path(spec.origin).parent, [Path(spec.origin)]
        path = Path(spec.origin).parent
    return path, sorted(path.rglob("*.py"))


def is_missing(name: str) -> bool:
    """Whether tritonflow lacks a name such as `torch.linalg.svd` or, of a class, `torch.nn.Module.share_memory`."""
    parts = name.split(".")
    depth = next(k for k in range(len(parts), 0, -1) if has_module(".".join(parts[:k])))
    module, rest = ".".join(parts[:depth]), parts[depth:]
    if not rest:
        return False
    try:
        value = find(module, rest[0])
        for each in rest[1:]:
            if isinstance(value, MissingName):
                return True
            value = getattr(value, each)
    except AttributeError:
        return True
    return isinstance(value, (MissingName, AtenOp))


def _lacking_methods() -> set[str]:
    """The names of methods and properties of torch's tensors that ours do not have."""
    theirs = torch_names.real_value("torch", "Tensor")
    return {name for name in dir(theirs) if not name.startswith("_") and not hasattr(Tensor, name)}


class _NameVisitor(ast.NodeVisitor):
    """Collects uses of torch's names in one file.

    Attributes:
        uses: by the full name, the lines.
        attributes: by the name of an attribute of something else that is called, the lines.
        bound: what the file's imports bind to names of torch, as `F` to `torch.nn.functional`.
    """

    def __init__(self, uses: dict[str, list[str]], attributes: dict[str, list[str]], file: str) -> None:
        self.uses, self.attributes, self.file = uses, attributes, file
        self.bound: dict[str, str] = {}

    def visit_Import(self, node: ast.Import) -> None:
        """`import torch`, `import torch.nn.functional as F`."""
        for alias in node.names:
            if alias.name.partition(".")[0] == "torch":
                self.bound[alias.asname or "torch"] = alias.name if alias.asname else "torch"
                self._use(alias.name, node.lineno)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        """`from torch.nn import functional as F`."""
        if node.level == 0 and node.module is not None and node.module.partition(".")[0] == "torch":
            for alias in node.names:
                if alias.name != "*":
                    self.bound[alias.asname or alias.name] = f"{node.module}.{alias.name}"
                    self._use(f"{node.module}.{alias.name}", node.lineno)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        """A chain such as `torch.nn.functional.relu`, whole."""
        parts, inner = [node.attr], node.value
        while isinstance(inner, ast.Attribute):
            parts.append(inner.attr)
            inner = inner.value
        if isinstance(inner, ast.Name) and inner.id in self.bound:
            self._use(".".join([self.bound[inner.id], *reversed(parts)]), node.lineno)
            return
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        """A call of a method: its name is noted, of whatever object it is."""
        function = node.func
        if isinstance(function, ast.Attribute) and not self._is_torch(function):
            self.attributes[function.attr].append(f"{self.file}:{node.lineno}")
        self.generic_visit(node)

    def _is_torch(self, node: ast.expr) -> bool:
        while isinstance(node, ast.Attribute):
            node = node.value
        return isinstance(node, ast.Name) and node.id in self.bound

    def _use(self, name: str, line: int) -> None:
        self.uses[_known_part(name)].append(f"{self.file}:{line}")


def _known_part(name: str) -> str:
    """The part of a chain that is a name of torch's: `torch.float32`, of `torch.float32.itemsize`."""
    parts = name.split(".")
    depth = next(k for k in range(len(parts), 0, -1) if has_module(".".join(parts[:k])))
    end = depth + 1
    if len(parts) > end and parts[depth] in ("Tensor", "Module"):
        end += 1
    return ".".join(parts[:end])

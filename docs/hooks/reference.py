"""The reference: a page for each public module of tritonflow, written from the assembled package and its docstrings.

A name is documented where it is public first, in the order of `MODULES`. Where it is public once more, a line leads there. The
functions of `tritonflow` itself and the layers of `nn` are many, and have a page for each family of the registry or the sources.
"""

from __future__ import annotations

import enum
import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import import_module
from types import ModuleType
from typing import Any

from docstrings import escaped, first_sentence, to_markdown

# Public modules, in the order of the pages. Others that an `__all__` names follow them.
MODULES = (
    "", "nn", "nn.functional", "nn.init", "nn.utils", "nn.utils.rnn", "nn.utils.parametrizations", "nn.utils.parametrize",
    "nn.utils.prune", "nn.utils.stateless", "nn.parallel", "nn.attention", "nn.graph", "optim", "optim.lr_scheduler", "optim.swa_utils",
    "autograd", "autograd.functional", "autograd.forward_ad", "autograd.graph", "func", "amp", "linalg", "fft", "special",
    "masked", "signal.windows", "distributions", "distributions.constraints", "distributions.transforms", "distributions.kl",
    "graph", "profiler", "library", "utils.data", "utils.checkpoint", "utils.tensorboard", "utils.global_view", "sbp", "boxing", "comm",
    "distributed", "env", "cuda", "backends.cuda", "backends.cudnn", "random", "testing", "serialization", "mock_torch", "hub", "jit", "compiler",
    "version", "errors",
)  # fmt: skip
BY_FAMILY = {"": "Functions", "nn": "Layers"}
FAMILIES = {
    "scan_sort": "scans and sorting", "conv": "convolutions", "pool": "pooling", "norm": "norms", "join": "joining and splitting",
    "batchnorm": "batch norm", "instancenorm": "instance norm", "syncbatchnorm": "batch norm over ranks", "pooling3d": "pooling in 3d",
    "rnn": "recurrent layers", "rnn_cell": "recurrent cells", "container": "containers", "gates": "gated activations",
    "element_losses": "losses of elements", "adaptive": "adaptive softmax", "matmul": "products", "index": "indexing", "view": "views",
}  # fmt: skip
CONSTANTS = {"e": "Euler's number", "pi": "pi", "inf": "infinity", "nan": "not a number"}


@dataclass
class Page:
    """One page of the reference."""

    path: str  # under reference/
    title: str
    intro: str = ""
    names: list[str] = field(default_factory=list)  # dotted, without `tritonflow.`


class Reference:
    """All pages, and where each public name is documented."""

    def __init__(self) -> None:
        self.pages: list[Page] = []
        self.page_of: dict[str, Page] = {}
        self._owner: dict[int, str] = {}
        self._objects: list[Any] = []  # alive, so that no id is used again
        for module in MODULES:
            self._add(module)
        for module in other_modules():
            if any(id(value_of(f"{module}.{name}")) not in self._owner for name in public(value_of(module))):
                self._add(module)
        self._methods = Page("tensor.md", "flow.Tensor", names=[f"Tensor.{name}" for name in public(value_of("Tensor"))])
        self._place(self._methods, 1)

    def sources(self) -> Iterator[tuple[str, str]]:
        """Paths and texts of the pages."""
        for page in self.pages:
            yield f"reference/{page.path}", self.text(page)

    def nav(self) -> list[Any]:
        """The pages as an entry of the site's navigation."""
        entries: list[Any] = []
        groups: dict[str, list[Any]] = {}
        for page in self.pages:
            folder = page.path.partition("/")[0] if "/" in page.path else ""
            entry = {page.title.removeprefix("flow."): f"reference/{page.path}"}
            if folder:
                title = BY_FAMILY["" if folder == "flow" else folder]
                if folder not in groups:
                    groups[folder] = []
                    entries.append({title: groups[folder]})
                groups[folder].append(entry)
            else:
                entries.append(entry)
        return entries

    def _add(self, module: str) -> None:
        value = value_of(module)
        names = public(value)
        page = Page(f"{module or 'tritonflow'}.md", f"flow.{module}" if module else "flow", value.__doc__ or "")
        families: dict[str, Page] = {}
        for name in names:
            dotted = f"{module}.{name}" if module else name
            family = self._family(module, value_of(dotted)) if module in BY_FAMILY else ""
            if family:
                title = FAMILIES.get(family, family).replace("_", " ")
                folder = module or "flow"
                families.setdefault(family, Page(f"{folder}/{family}.md", title[0].upper() + title[1:])).names.append(dotted)
            else:
                page.names.append(dotted)
        self._place(page)
        for _, each in sorted(families.items()):
            self._place(each)

    def _place(self, page: Page, at: int | None = None) -> None:
        self.pages.insert(len(self.pages) if at is None else at, page)
        for name in page.names:
            value = value_of(name)
            self.page_of[name] = page
            if callable(value):
                self._objects.append(value)
                self._owner.setdefault(id(value), name)

    @staticmethod
    def _family(module: str, value: Any) -> str:
        """The family whose page documents a function or a layer, or nothing: the page of the module."""
        room = getattr(value, "__module__", None) or ""
        if not module and room.startswith("tritonflow._C.functional."):
            return room.rpartition(".")[2]
        return room.rpartition(".")[2] if module == "nn" and room.startswith("tritonflow.nn.modules.") else ""

    def text(self, page: Page) -> str:
        """A page as Markdown."""
        if page is self._methods:
            return self._tensor_page()
        lines = [f"# {page.title}", "", to_markdown(page.intro), ""]
        lines += [line for name in page.names for line in (self._entry(name), "")]
        return "\n".join(lines)

    def _entry(self, name: str) -> str:
        """A heading with its anchor, the signature, and the docstring."""
        value = value_of(name)
        head = f"## {escaped(name.rpartition('.')[2])} {{ #tritonflow.{name} data-toc-label='{name.rpartition('.')[2]}' }}"
        owner = self._owner.get(id(value), name)
        if owner != name:
            return f"{head}\n\nThe same as `flow.{owner}`."
        if name == "Tensor":
            return f"{head}\n\n[All its methods](tensor.md) have a page of their own."
        return f"{head}\n\n{described(name, value)}"

    def _tensor_page(self) -> str:
        """Methods that are functions of `flow` as well are a table; others have their docstrings."""
        twins, own = [], []
        for dotted in self._methods.names:
            name = dotted.partition(".")[2]
            function = name.removesuffix("_") if name.removesuffix("_") in self.page_of else name
            (twins if function in self.page_of and callable(value_of(dotted)) else own).append((name, function))
        lines = ["# flow.Tensor", "", to_markdown(inspect.getdoc(value_of("Tensor")) or ""), "", "## Methods that are functions, too", ""]
        lines += [
            "`x.f(...)` is `flow.f(x, ...)`. A method with an underscore at its end writes the result over x.",
            "", "| method | function | what it computes |", "|---|---|---|",
        ]  # fmt: skip
        methods: dict[str, list[str]] = {}
        for name, function in twins:
            methods.setdefault(function, []).append(f"`{name}`")
        for function, names in methods.items():
            doc = first_sentence(inspect.getdoc(value_of(function)) or "")
            lines.append(f"| {', '.join(names)} | `flow.{function}` | {doc} |")
        lines += ["", "## Other methods and attributes", ""]
        for name, _ in own:
            lines += [f"### {escaped(name)} {{ #tritonflow.Tensor.{name} data-toc-label='{name}' }}", ""]
            lines += [described(f"Tensor.{name}", vars_of(value_of("Tensor"), name)), ""]
        return "\n".join(lines)


def vars_of(owner: type, name: str) -> Any:
    """An attribute of a class as it is written there: a property stays one."""
    return inspect.getattr_static(owner, name)


def value_of(name: str) -> Any:
    """The value of a public dotted name, without `tritonflow.`."""
    value: Any = import_module("tritonflow")
    path = "tritonflow"
    for part in filter(None, name.split(".")):
        path = f"{path}.{part}"
        try:
            value = getattr(value, part)
        except AttributeError:
            value = import_module(path)
    return value


def public(value: Any) -> list[str]:
    """The public names of a module or a class, without modules: those in `__all__`, otherwise those that are defined there."""
    if isinstance(value, type):
        return [name for name in dir(value) if not name.startswith("_")]
    listed = getattr(value, "__all__", None)
    names = set(listed) if listed is not None else {n for n in vars(value) if not n.startswith("_") and _is_of(value, vars(value)[n])}
    return sorted((n for n in names if not isinstance(getattr(value, n, None), ModuleType)), key=lambda n: (n.lower(), n))


def _is_of(module: ModuleType, value: Any) -> bool:
    room = getattr(value, "__module__", None) or ""
    here = module.__name__
    return callable(value) and (room == here or room.startswith((f"{here}.", "tritonflow._C.functional.")))


def other_modules() -> list[str]:
    """Modules that are not in `MODULES`, and public: an `__all__` names them."""
    found: list[str] = []
    queue = list(MODULES)
    while queue:
        module = queue.pop(0)
        value = value_of(module)
        for name in getattr(value, "__all__", ()):
            dotted = f"{module}.{name}" if module else name
            if isinstance(getattr(value, name, None), ModuleType) and dotted not in (*MODULES, *found):
                found.append(dotted)
                queue.append(dotted)
    return found


def described(name: str, value: Any) -> str:
    """The signature and the docstring of a name; of a class, its members as well."""
    doc = inspect.getdoc(value) or ""
    if isinstance(value, type) and issubclass(value, enum.Enum):
        return "\n\n".join([to_markdown(doc), ", ".join(f"`{member.name}`" for member in value)])
    if isinstance(value, type):
        return "\n\n".join(filter(None, [_signature(name, value), to_markdown(doc), *_members(value)]))
    if isinstance(value, property):
        return to_markdown(doc) or "An attribute."
    if callable(value) and not isinstance(value, type(None)):
        return "\n\n".join(filter(None, [_signature(name, value), to_markdown(doc)]))
    last = name.rpartition(".")[2]
    return f"`{value!r}`" + (f": {CONSTANTS[last]}." if last in CONSTANTS else "")


def _signature(name: str, value: Any) -> str:
    """A fenced line of Python, or nothing where none is known."""
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return ""
    prefix = "class " if isinstance(value, type) else ""
    shown = "flow." + name if not name.startswith("Tensor.") else name
    parameters = [str(_plain(parameter)) for parameter in signature.parameters.values() if parameter.name not in ("self", "cls")]
    marks = _with_marks(signature, parameters)
    result = "" if prefix or signature.return_annotation is signature.empty else f" -> {_annotation(signature.return_annotation)}"
    line = f"{prefix}{shown}({', '.join(marks)}){result}"
    if len(line) > 76:
        line = f"{prefix}{shown}(\n" + "".join(f"    {mark},\n" for mark in marks) + f"){result}"
    return f"```python\n{line}\n```"


def _with_marks(signature: inspect.Signature, shown: list[str]) -> list[str]:
    """The parameters with `*` and `/` between them where the signature has them."""
    kinds = [p.kind for p in signature.parameters.values() if p.name not in ("self", "cls")]
    marks: list[str] = []
    for k, (kind, text) in enumerate(zip(kinds, shown)):
        if kind is inspect.Parameter.KEYWORD_ONLY and inspect.Parameter.VAR_POSITIONAL not in kinds and kinds.index(kind) == k:
            marks.append("*")
        marks.append(text)
        if kind is inspect.Parameter.POSITIONAL_ONLY and (k + 1 == len(kinds) or kinds[k + 1] is not kind):
            marks.append("/")
    return marks


def _plain(parameter: inspect.Parameter) -> str:
    """A parameter as it is written in Python, its annotation without quotes, defaults by their names."""
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
    text = stars + parameter.name
    typed = parameter.annotation is not parameter.empty
    if typed:
        text += f": {_annotation(parameter.annotation)}"
    if parameter.default is not parameter.empty:
        default = parameter.default
        named = getattr(default, "__name__", "") if callable(default) else ""
        value = named or re.sub(r"<(.*?) at 0x\w+>", r"<\1>", repr(default))
        text += f" = {value}" if typed else f"={value}"
    return text


def _annotation(value: Any) -> str:
    text = value if isinstance(value, str) else inspect.formatannotation(value)
    return re.sub(r"\b(?:tritonflow|typing|collections\.abc)\.(?:\w+\.)*", "", text)


def _members(owner: type) -> list[str]:
    """Public methods and properties that the class itself documents, a line each."""
    lines = []
    for name, value in vars(owner).items():
        function = getattr(value, "__func__", value)
        doc = inspect.getdoc(function) if not isinstance(value, type) else ""
        if name.startswith("_") or name in ("forward", "extra_repr") or not doc or not (callable(function) or isinstance(value, property)):
            continue
        call = ""
        if callable(function):
            try:
                parameters = inspect.signature(function).parameters
            except (TypeError, ValueError):
                parameters = {}
            call = "(" + ", ".join(_plain(p) for n, p in parameters.items() if n not in ("self", "cls")) + ")"
        lines.append(f"- `{name}{call}`: {first_sentence(doc)}")
    return ["**Members**", "\n".join(lines)] if lines else []

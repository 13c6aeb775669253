"""The reference: a page for each public module of tritonflow, written from the assembled package and its docstrings.

A name is documented where it is public first, in the order of `MODULES`. Where it is public once more, a line leads there. The
functions of `tritonflow` itself and the layers of `nn` are many, and have a page for each family of the registry or the sources.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import import_module
from types import ModuleType
from typing import Any

from docstrings import escaped, first_sentence, to_markdown
from keywords import KEYWORDS
from signatures import described
from sources import address, where

# Public modules, in the order of the pages. Others that an `__all__` names follow them.
MODULES = (
    "", "nn", "nn.functional", "nn.init", "nn.utils", "nn.utils.rnn", "nn.utils.parametrizations",
    "nn.utils.parametrize", "nn.utils.prune", "nn.utils.stateless", "nn.parallel", "nn.attention", "nn.graph",
    "optim", "optim.lr_scheduler", "optim.swa_utils", "autograd", "autograd.functional", "autograd.forward_ad",
    "autograd.graph", "func", "amp", "linalg", "fft", "special", "masked", "signal.windows", "distributions", "generation",
    "distributions.constraints", "distributions.transforms", "distributions.kl", "graph", "profiler", "library",
    "utils.data", "utils.checkpoint", "utils.tensorboard", "utils.global_view", "sbp", "boxing", "comm",
    "distributed", "env", "cuda", "backends.cuda", "backends.cudnn", "quasirandom", "random", "testing",
    "serialization", "mock_torch", "hub", "jit", "compiler", "version", "errors",
)  # fmt: skip
BY_FAMILY = {"": "Functions", "nn": "Layers"}
FAMILIES = {
    "scan_sort": "scans and sorting", "conv": "convolutions", "pool": "pooling", "norm": "norms",
    "join": "joining and splitting", "batchnorm": "batch norm", "instancenorm": "instance norm",
    "syncbatchnorm": "batch norm over ranks", "pooling3d": "pooling in 3d", "rnn": "recurrent layers",
    "rnn_cell": "recurrent cells", "container": "containers", "gates": "gated activations",
    "element_losses": "losses of elements", "adaptive": "adaptive softmax", "matmul": "products",
    "index": "indexing", "view": "views",
}  # fmt: skip


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
        self.files: set[str] = set()  # those that the pages' names are defined in, when the texts are written
        self._objects: list[Any] = []  # alive, so that no id is used again
        for module in MODULES:
            self._add(module)
        for module in other_modules():
            if any(id(value_of(f"{module}.{name}")) not in self._owner for name in public(value_of(module))):
                self._add(module)
        self._methods = Page(
            "tensor.md", "flow.Tensor", names=[f"Tensor.{name}" for name in public(value_of("Tensor"))]
        )
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
                families.setdefault(family, Page(f"{folder}/{family}.md", title[0].upper() + title[1:])).names.append(
                    dotted
                )
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
        lines += [line for name in page.names for line in (self._entry(name, page), "")]
        return "\n".join(lines)

    def _entry(self, name: str, page: Page) -> str:
        """A heading with its anchor, the signature, and the docstring."""
        value = value_of(name)
        head = (
            f"## {escaped(name.rpartition('.')[2])} {{ #tritonflow.{name} data-toc-label='{name.rpartition('.')[2]}' }}"
        )
        owner = self._owner.get(id(value), name)
        if owner != name:
            return f"{head}\n\nThe same as `flow.{owner}`."
        if name == "Tensor":
            return f"{head}\n\n[All its methods](tensor.md) have a page of their own."
        return f"{head}\n\n{described(name, value)}{_known_as(name)}{self._source(value, page)}"

    def _source(self, value: Any, page: Page) -> str:
        """A link to the lines that define a value."""
        found = where(value)
        if found is None:
            return ""
        self.files.add(found[0])
        up = "../" * (1 + page.path.count("/"))
        return f'\n\n<a class="source" href="{up}{address(*found)}">{found[0]}, line {found[1]}</a>'

    def _tensor_page(self) -> str:
        """Methods that are functions of `flow` as well are a table; others have their docstrings."""
        twins, own = [], []
        for dotted in self._methods.names:
            name = dotted.partition(".")[2]
            function = name.removesuffix("_") if name.removesuffix("_") in self.page_of else name
            (twins if function in self.page_of and callable(value_of(dotted)) else own).append((name, function))
        lines = ["# flow.Tensor", "", first_sentence(inspect.getdoc(value_of("Tensor")) or ""), ""]
        lines += [
            "## Methods that are functions, too", "",
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
            value = vars_of(value_of("Tensor"), name)
            lines += [described(f"Tensor.{name}", value) + _known_as(f"Tensor.{name}") + self._source(value, self._methods), ""]
        return "\n".join(lines)


def _known_as(name: str) -> str:
    """Words that readers search for."""
    return f"\n\n*Searched for as:* {KEYWORDS[name]}." if name in KEYWORDS else ""


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
    if listed is None:
        listed = [n for n, each in vars(value).items() if not n.startswith("_") and _is_of(value, each)]
    names = {n for n in listed if not isinstance(getattr(value, n, None), ModuleType)}
    return sorted(names, key=lambda n: (n.lower(), n))


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

"""Parts of Python programs: what a program has, what its step does with it, and how the outside changes it between two calls.

`part(...)` registers one; the files beside this one have them by family. The texts of a part are Python with two marks:
`_K` ends the names of the part (`count_K` becomes `count_3`), and `<<2|0.5|-1>>` stands for one of several texts, drawn anew
wherever it stands.
"""

from __future__ import annotations

import random
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field

PARTS: dict[str, dict[str, Part]] = {}
_ALTERNATIVES = re.compile(r"<<(.*?\|.*?)>>")


@dataclass(frozen=True)
class Part:
    """One idea of Python's in a program.

    Attributes:
        family, name: what it is about.
        setup: lines before the step.
        body: lines of the step. They read `x`, its argument, and set `y`; `also.append(...)` returns something more. `me` is the
            object that the step is a method of, if it is one. The line BODY stands for the next part.
        changes: lines that may happen between two calls.
        argument: expressions of which each call passes one as `k_K`.
        graph: whether an nn.Graph may have it: its tensors are in modules, and it leaves nothing in Python.
        modules: names of modules, which a graph has as attributes.
        optimizer: the name of one that the body steps.
        number: of the part in its program, which `_K` stands for.
    """

    family: str
    name: str
    setup: str = ""
    body: str = ""
    changes: tuple[str, ...] = ()
    argument: tuple[str, ...] = ()
    graph: bool = False
    modules: tuple[str, ...] = ()
    optimizer: str = ""
    number: int = field(default=-1)

    @property
    def is_wrapper(self) -> bool:
        return "BODY" in self.body

    def drawn(self, number: int, rng: random.Random) -> Part:
        """With its number, and alternatives chosen. Those of changes and arguments are chosen where they happen."""

        def text(template: str) -> str:
            return chosen(numbered(template, number), rng)

        modules = tuple(numbered(m, number) for m in self.modules)
        changes, argument = (tuple(numbered(t, number) for t in texts) for texts in (self.changes, self.argument))
        return Part(
            self.family, self.name, text(self.setup), text(self.body), changes, argument, self.graph, modules,
            numbered(self.optimizer, number), number,
        )  # fmt: skip


def part(
    family: str,
    name: str,
    setup: str = "",
    body: str = "",
    changes: Sequence[str] = (),
    argument: Sequence[str] = (),
    graph: bool = False,
    modules: Sequence[str] = (),
    optimizer: str = "",
) -> None:
    """Register a part."""
    lines, more = (textwrap.dedent(text).strip("\n") for text in (setup, body))
    texts = tuple(textwrap.dedent(text).strip("\n") for text in changes)
    made = Part(family, name, lines, more, texts, tuple(argument), graph, tuple(modules), optimizer)
    PARTS.setdefault(family, {})[name] = made


def numbered(template: str, number: int) -> str:
    return re.sub(r"_K\b", f"_{number}", template)


def chosen(template: str, rng: random.Random) -> str:
    return _ALTERNATIVES.sub(lambda match: rng.choice(match[1].split("|")), template)

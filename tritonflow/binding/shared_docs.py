"""Docstrings of functions that share arguments and errors: what they share is said once, in tables."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def documented(source: str, args: Mapping[str, str], raises: Mapping[str, str]) -> Callable[[F], F]:
    """A decorator that completes docstrings: they get Args, Raises and Source before their example.

    A docstring says itself what is its own: items of its Args and Raises stand for those of the tables.

    Args:
        source: the package whose function it is like, such as "torch.fft".
        args: a text for each parameter; those that a function does not have are left out.
        raises: what is refused, by error.

    Example:
        >>> @documented("torch.fft", {"input": "any shape.", "n": "how many."}, {"RuntimeError": "n is 0."})
        ... def twice(input):
        ...     '''Two times the input.'''
        >>> print(inspect.getdoc(twice))
        Two times the input.
        <BLANKLINE>
        Args:
            input: any shape.
        <BLANKLINE>
        Raises:
            RuntimeError: n is 0.
        <BLANKLINE>
        Source: torch.fft.twice.
    """

    def complete(function: F) -> F:
        own = sections(inspect.getdoc(function) or "")
        texts = {**args, **items(own.get("Args", ""))}
        parts = [
            own[""],
            _section("Args", {name: texts[name] for name in inspect.signature(function).parameters if name in texts}),
            f"Shape:\n{own['Shape']}" if "Shape" in own else "",
            _section("Raises", {**items(own.get("Raises", "")), **raises}),
            f"Source: {source}.{function.__name__}.",
            f"Example:\n{own['Example']}" if "Example" in own else "",
        ]
        function.__doc__ = "\n\n".join(part for part in parts if part)
        return function

    return complete


def in_place_doc(name: str, doc: str | None) -> str | None:
    """What help() shows of the in-place form of a function, from its name and what help() shows of it."""
    if doc is None or "Args:\n" not in doc:
        return doc and f"In place: {doc}"
    margin = "    " if "\n    Args:\n" in doc else ""  # Python 3.13 takes it away
    summary = doc.partition("\n\n")[0]
    args = _paragraph(doc, f"{margin}Args:\n")
    lines = [item for item in args.split(f"\n{margin}    ") if not item.startswith(("out:", "inplace:"))]
    first = lines[1].partition(":")[0]
    source = _paragraph(doc, f"{margin}Source: ")
    raises = _paragraph(doc, f"{margin}Raises:\n") or f"{margin}Raises:"
    own = (
        f"{margin}    RuntimeError: the result does not fit the shape or the kind of dtype of `{first}`; `{first}` is a leaf that\n"
        f"{margin}        requires grad."
    )
    parts = [
        f"In place: {_lowered(summary)}",
        f"{margin}The result is written over `{first}`, which keeps its shape and dtype, and is returned. See `{name}`.",
        _paragraph(doc, f"{margin}Overloads:\n"),
        f"\n{margin}    ".join(lines),
        f"{raises}\n{own}",
        source,
    ]
    return "\n\n".join(part for part in parts if part) + f"\n{margin}"


def another_name(name: str, doc: str | None) -> str | None:
    """What help() shows of another name of a function."""
    if doc is None:  # as with `python -OO`
        return None
    summary, _, rest = doc.partition("\n\n")
    margin = "    " if rest.startswith("    ") else ""
    return f"{summary}\n\n{margin}Another name of `{name}`.\n\n{rest}"


def _paragraph(doc: str, begin: str) -> str:
    """The lines from one that begins so to an empty one; "" if there are none."""
    start = doc.find(f"\n{begin}")
    if start < 0:
        return ""
    return doc[start + 1 :].partition("\n\n")[0].rstrip()


def _lowered(sentence: str) -> str:
    """A sentence without the capital letter of its first word; a formula as it is."""
    return sentence[0].lower() + sentence[1:] if sentence[1:2].islower() or sentence.startswith("A ") else sentence


def sections(doc: str) -> dict[str, str]:
    """The paragraphs of a docstring in front of its sections under "", and each section under its title."""
    parts = re.split(r"^(Args|Shape|Dtypes|Returns|Raises|Example|Overloads):\n", doc, flags=re.MULTILINE)
    found = {title: body.rstrip() for title, body in zip(parts[1::2], parts[2::2])}
    return {"": parts[0].strip(), **{t: body if t == "Example" else body.partition("\n\n")[0] for t, body in found.items()}}


def items(body: str) -> dict[str, str]:
    """`name: text` items of a section; their further lines are indented more."""
    parts = re.split(r"^    (\w[\w, ]*): ", body, flags=re.MULTILINE)
    return {name: text.rstrip() for name, text in zip(parts[1::2], parts[2::2])}


def _section(title: str, items: Mapping[str, str]) -> str:
    return f"{title}:\n" + "\n".join(f"    {name}: {text}" for name, text in items.items()) if items else ""

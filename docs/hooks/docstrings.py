"""Docstrings as Markdown: sections such as `Args:` become lists, examples become code, all else is escaped text."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from formulas import mathml

LISTS = ("Args", "Attributes", "Raises", "Returns", "Shape")
HEADER = re.compile(r"([A-Z][a-z]+(?: [a-z]+)?):(?: +(.*))?$")


def to_markdown(doc: str) -> str:
    """The Markdown of a docstring that `inspect.getdoc` gave."""
    return "\n\n".join(_section(title, body) for title, body in _sections(doc) if title or body)


def first_sentence(doc: str) -> str:
    """What stands before the first full stop or empty line, as Markdown."""
    head = " ".join(doc.strip().partition("\n\n")[0].split())
    return escaped(re.split(r"(?<=[.:])\s", head)[0].rstrip(":"))


def escaped(text: str) -> str:
    """Text that Markdown shows as it is: what is special to it is escaped outside of backticks; addresses are links."""
    parts = re.split(r"(`[^`]*`)", text)
    for k in range(0, len(parts), 2):
        plain = re.sub(r"([\\*_\[\]{}#|])", r"\\\1", parts[k]).replace("<", "&lt;")
        parts[k] = re.sub(r"https?://[^\s,;)]+", lambda m: f"<{m[0]}>".replace("\\", ""), plain)
    return "".join(parts)


def _sections(doc: str) -> Iterator[tuple[str, str]]:
    """Titles and bodies; the text before the first title has none, and what follows an indented body begins anew."""
    title, lines = "", []
    for line in doc.strip().splitlines():
        header = HEADER.match(line)
        if header and (header[2] is None or header[1].startswith("Source")):
            yield title, "\n".join(lines).strip("\n")
            title, lines = header[1], [header[2] or ""]
        elif title and line and not line[0].isspace() and not title.startswith("Source"):
            yield title, "\n".join(lines).strip("\n")
            title, lines = "", [line]
        else:
            lines.append(line)
    yield title, "\n".join(lines).strip("\n")


def _section(title: str, body: str) -> str:
    body = textwrap.dedent(body)
    if not title:
        return _text(body)
    if title.startswith("Example"):
        return f"```pycon\n{body}\n```"
    if title.startswith("Source"):
        return f"*{title}:* {escaped(' '.join(body.split()))}"
    if title == "Overloads":
        lines = [line.strip("- `") for line in body.splitlines()]
        return "**Overloads**\n\n```python\n" + "\n".join(lines) + "\n```"
    items = _items(body) if title in LISTS else _text(body)
    return f"**{title}**\n\n{items}"


def _items(body: str) -> str:
    """`name: text` with indented further lines, as a list."""
    items: list[str] = []
    for line in body.splitlines():
        if items and (line.startswith(" ") or not line):
            items[-1] += " " + line.strip()
        else:
            items.append(line.strip())
    return "\n".join(f"- {_named(item.strip())}" for item in items)


def _named(item: str) -> str:
    name, colon, text = item.partition(":")
    if colon and re.fullmatch(r"[\w*., ]+", name) and len(name) < 70:
        return ", ".join(f"`{part.strip()}`" for part in name.split(",")) + f": {escaped(text.strip())}"
    return escaped(item)


def _text(body: str) -> str:
    """Paragraphs; indented ones are formulas or drawings, those that begin with `>>>` are examples."""
    blocks = []
    for block in re.split(r"\n\s*\n", body):
        if block.startswith("    "):
            plain = textwrap.dedent(block)
            blocks.append(mathml(plain) or f"```text\n{plain}\n```")
        elif block.startswith(">>>"):
            blocks.append(f"```pycon\n{block}\n```")
        elif re.match(r"[-*] ", block):
            marks = (re.match(r"(\s*[-*] )?(.*)", line) for line in block.splitlines())
            blocks.append("\n".join((mark[1] or "  ") + escaped(mark[2].strip()) for mark in marks if mark))
        else:
            blocks.append("\n".join(escaped(line.strip()) for line in block.splitlines()))
    return "\n\n".join(blocks)

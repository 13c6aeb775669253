"""What is added to the pages of docs/: the reference, the environment variables, and files elsewhere that pages name."""

from __future__ import annotations

import os
import posixpath
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]

from environment import environment  # noqa: E402
from markdown.extensions import Extension  # noqa: E402
from mkdocs.structure.files import File  # noqa: E402
from mkdocs.utils import get_relative_url  # noqa: E402
from reference import Reference  # noqa: E402
from sources import FOLDER  # noqa: E402
from sources import page as source_page  # noqa: E402

SOURCES = {".py": "python", ".c": "c"}  # of code that pages have links to, the languages
PROJECT = ("ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")  # pages of the site that lie outside of docs/
REFERENCE = Reference()
LINK = re.compile(r"(\]\()([^)\s#:]+)((?:#[^)\s]*)?\))")
CODE = re.compile(r"<code>((?:flow\.|nn\.)[\w.]+)(\([^<]*\))?</code>")


class TwoSpaces(Extension):
    """Items of lists go on with two spaces, as everywhere but in Python-Markdown."""

    def extendMarkdown(self, md: Any) -> None:
        md.tab_length = 2


def on_config(config: Any) -> Any:
    """Fills the navigation: `reference/*` and `design/*` are lists of pages, `others/*` is those that no entry names."""
    docs = ROOT / "docs"
    design = sorted((docs / "design").glob("*.md"), key=lambda page: (page.name != "README.md", _title(page)))
    named = str(config.nav)
    others = sorted(page.name for page in docs.glob("*.md") if f"'{page.name}'" not in named)
    pages = {"reference/*": REFERENCE.nav(), "design/*": [f"design/{page.name}" for page in design], "others/*": others}
    config.nav = _filled(config.nav, pages)
    config["markdown_extensions"].append(TwoSpaces())
    return config


def _title(page: Path) -> str:
    return page.read_text().partition("\n")[0].lstrip("# ").lower()


def _filled(entry: Any, pages: dict[str, list[Any]]) -> Any:
    """An entry of the navigation, with lists in place of the names in `pages`."""
    if isinstance(entry, dict):
        return {title: _filled(value, pages) for title, value in entry.items()}
    if isinstance(entry, list):
        filled = [_filled(one, pages) for one in entry]
        return [page for one in filled for page in (one if isinstance(one, list) else [one])]
    return pages.get(entry, entry)


def on_files(files: Any, config: Any) -> Any:
    """Adds the generated pages, those of the root, and a page with the source of each example that a page names."""
    for path, text in REFERENCE.sources():
        files.append(File.generated(config, path, content=text))
    for path in sorted(REFERENCE.files):
        files.append(File.generated(config, f"{FOLDER}/{path}.html", content=source_page(path)))
    files.append(File.generated(config, "environment.md", content=environment()))
    for name in PROJECT:
        files.append(File.generated(config, f"project/{name}", content=(ROOT / name).read_text()))
    for path in sorted(_sources()):
        text = f"# {path}\n\n```{SOURCES[Path(path).suffix]}\n{(ROOT / path).read_text()}```\n"
        files.append(File.generated(config, f"source/{path}.md", content=text))
    return files


def _sources() -> set[str]:
    """Files of code outside of docs/ that a page has a link to."""
    pages = [*(ROOT / "docs").rglob("*.md"), *(ROOT / name for name in PROJECT)]
    found = set()
    for page in pages:
        for _, link, _ in LINK.findall(page.read_text()):
            if Path(link).suffix in SOURCES:
                found.add(os.path.relpath(page.parent / link, ROOT))
    return found


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Links are written as they are in the repository. Those that lead out of docs/ get the path that the file has on the site."""
    here = page.file.src_uri
    written = here.removeprefix("project/") if here.startswith("project/") else f"docs/{here}"
    if here.startswith(("reference/", "source/")):
        return markdown

    def moved(match: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(written), match[2]))
        return match[1] + posixpath.relpath(_on_site(path), posixpath.dirname(here) or ".") + match[3]

    parts = re.split(r"(^ *```.*?^ *```)", markdown, flags=re.MULTILINE | re.DOTALL)
    return "".join(LINK.sub(moved, part) if k % 2 == 0 else part for k, part in enumerate(parts))


def _on_site(path: str) -> str:
    """Where a file of the repository is on the site."""
    if path in PROJECT:
        return f"project/{path}"
    return f"source/{path}.md" if Path(path).suffix in SOURCES else path.removeprefix("docs/")


def on_page_content(html: str, page: Any, config: Any, files: Any) -> str:
    """Names in code, such as `flow.softmax`, lead to the reference."""

    def linked(match: re.Match[str]) -> str:
        name = match[1].removeprefix("flow.")
        owner = REFERENCE.page_of.get(name)
        if owner is None or name.endswith("."):
            return match[0]
        file = files.get_file_from_path(f"reference/{owner.path}")
        if file.src_uri == page.file.src_uri:
            return (
                match[0]
                if page.file.src_uri != "reference/tensor.md"
                else f'<a href="#tritonflow.{name}">{match[0]}</a>'
            )
        return f'<a href="{get_relative_url(file.url, page.url)}#tritonflow.{name}">{match[0]}</a>'

    parts = re.split(r"(<a .*?</a>|<pre.*?</pre>|<h\d.*?</h\d>)", html, flags=re.DOTALL)
    return "".join(CODE.sub(linked, part) if k % 2 == 0 else part for k, part in enumerate(parts))

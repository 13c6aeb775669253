"""Pages are true to the tree: links lead somewhere, files that are named exist, and design pages have their form."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SUFFIXES = "py|pyi|md|yaml|toml|c|json|png|css|js"
PARTS = ("Problem", "Decision", "Why", "Measured by", "Where")
WIDTH, MAP_LINES = 100, 150


def tree() -> tuple[list[Path], set[str]]:
    """The pages, and the paths of all files and folders, each also without its first folders."""
    pages: list[Path] = []
    paths: set[str] = set()
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [name for name in folders if not name.startswith((".", "_" * 2)) and name not in ("build", "dist")]
        pages += [Path(folder, name) for name in files if name.endswith(".md")]
        for name in (*folders, *files):
            parts = Path(folder, name).relative_to(ROOT).parts
            paths |= {"/".join(parts[k:]) for k in range(len(parts))}
    return sorted(pages), paths


PAGES, PATHS = tree()
DESIGN = [page for page in PAGES if page.parent == ROOT / "docs" / "design"]


FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`([^`\n]+)`")


def named(text: str) -> Iterator[str]:
    """The files and folders of the project that a page names: in backticks, and with a folder also in fenced blocks."""
    for span in SPAN.findall(FENCED.sub("", text)):
        yield from re.findall(rf"(?<![\w./<>*:-])[\w-][\w./-]*\.(?:{SUFFIXES})(?![\w<>*(])", span)
        yield from re.findall(r"^([\w-][\w/-]*)/$", span)
    for block in FENCED.findall(text):
        yield from re.findall(rf"(?<![\w./<>*:-])[\w-]+/[\w./-]*\.(?:{SUFFIXES})(?![\w<>*(])", block)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_and_paths_lead_somewhere(page: Path) -> None:
    text = page.read_text()
    wrong = [name for name in named(text) if name not in PATHS]
    links = re.findall(r"\]\(([^)\s#]+)", SPAN.sub("", FENCED.sub("", text)))
    wrong += [link for link in links if not re.match(r"[a-z]+:", link) and not (page.parent / link).exists()]
    assert not wrong


def test_the_readmes_programs_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One behind the other, as a reader pastes them."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__main__"}
    for program in re.findall(r"^```python\n(.*?)^```", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL):
        exec(compile(program, "README.md", "exec"), names)


def test_pages_that_the_sources_name_exist() -> None:
    sources = [path for folder in ("tritonflow", "kernels", "bench", "examples", "tests") for path in (ROOT / folder).rglob("*.py")]
    names = {(name, path.name) for path in sources for name in re.findall(r"(?<![\w./])[\w/]+\.md\b", path.read_text())}
    assert not {(name, source) for name, source in names if name not in PATHS}


@pytest.mark.parametrize("page", DESIGN, ids=lambda page: page.name)
def test_design_pages_have_their_form(page: Path) -> None:
    """Lines fit, a decision has all its parts in their order, and the index names the page."""
    text = page.read_text()
    assert [line for line in text.splitlines() if len(line) > WIDTH] == []
    for section in text.split("\n## ")[1:]:
        found = [part for part in re.findall(r"^\*\*([\w ]+)\.\*\*", section, re.MULTILINE) if part in PARTS]
        assert tuple(found) in ((), PARTS), section.partition("\n")[0]
    assert page.name == "README.md" or f"({page.name})" in (page.parent / "README.md").read_text()


def test_the_map_is_short() -> None:
    assert len((ROOT / "ARCHITECTURE.md").read_text().splitlines()) <= MAP_LINES


def test_what_leads_nowhere_is_found() -> None:
    """The test's own eyes."""
    text = (
        "See `device/cpu.py`, `nowhere.py`, `x/y.py (z)`, `gone/`, `<name>.py`.\n```\nkernels/conv.py and a/b.py\n```\n"
    )
    assert [name for name in named(text) if name not in PATHS] == ["nowhere.py", "x/y.py", "gone", "a/b.py"]

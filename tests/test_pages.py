"""Pages are true to the tree: links lead somewhere, files that are named exist, programs run, and design pages have their form."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.page_examples import BLOCK, is_as_shown, run
from tritonflow.settings import settings

ROOT = Path(__file__).resolve().parents[1]
SUFFIXES = "py|pyi|md|yaml|toml|c|json|png|css|js"
PARTS = ("Problem", "Decision", "Why", "Measured by", "Where")
WIDTH, MAP_LINES, SENTENCE = 100, 150, 25
# Everyday words that are no terms, and what the glossary has instead. Some are parts of standard terms.
NO_TERMS = {
    "exotic": "slow path",
    "(?<!in )front(?! end)": "prologue",
    "home": "owner; location",
    "kept": "stored, saved or held",
    "(?<!in )(?<!in-)(?<!last )place": "position; location; source line",
    "span": "interval",
}


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
PROSE = [page for page in PAGES if ROOT in (page.parent, page.parent.parent) or page.is_relative_to(ROOT / "docs")]
PROSE.remove(ROOT / "CHANGELOG.md")
OF_PROJECTS = [page for page in PROSE if "<!-- needs: " in page.read_text()]  # tests/projects/test_pages_of_projects.py runs them
WITH_PROGRAMS = [page for page in PROSE if "```python\n" in page.read_text() and page not in OF_PROJECTS]

FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`([^`\n]+)`")


def named(text: str) -> Iterator[str]:
    """The files and folders of the project that a page names: in backticks, and with a folder also in fenced blocks."""
    for span in SPAN.findall(FENCED.sub("", text)):
        yield from re.findall(rf"(?<![\w./<>*:-])[\w-][\w./-]*\.(?:{SUFFIXES})(?![\w<>*(])", span)
        yield from re.findall(r"^([\w-][\w/-]*)/$", span)
    for block in FENCED.findall(text):
        yield from re.findall(rf"(?<![\w./<>*:-])[\w-]+/[\w./-]*\.(?:{SUFFIXES})(?![\w<>*(])", block)


def anchors(text: str) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    heads = re.findall(r"^#+ (.*)$", FENCED.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_and_paths_lead_somewhere(page: Path) -> None:
    text = page.read_text()
    wrong = [name for name in named(text) if name not in PATHS]
    links = re.findall(r"\]\(([^)\s#]+)", SPAN.sub("", FENCED.sub("", text)))
    wrong += [link for link in links if not re.match(r"[a-z]+:", link) and not (page.parent / link).exists()]
    links = re.findall(r"\]\(([^)\s#:]*)#([^)\s]+)\)", SPAN.sub("", FENCED.sub("", text)))
    wrong += [f"{link}#{head}" for link, head in links if head not in anchors((page.parent / link if link else page).read_text())]
    assert not wrong


@pytest.mark.parametrize("page", WITH_PROGRAMS, ids=lambda page: str(page.relative_to(ROOT)))
def test_programs_of_pages_run_and_print_what_is_shown(page: Path, tmp_path: Path) -> None:
    """`python -m tests.page_examples PAGE` writes into a page what its programs print."""
    text = page.read_text()
    assert len(re.findall(r"^ *```python$", text, re.MULTILINE)) == len(BLOCK.findall(text)), "a block that nobody sees"
    for example, output in run(page, tmp_path):
        assert is_as_shown(example, output), f"line {example.line} printed:\n{output}"


def test_the_pages_of_the_navigation_exist() -> None:
    """`others/*` in it stands for all that it does not name; `make docs` has the other checks."""
    text = (ROOT / "mkdocs.yml").read_text()
    pages = set(re.findall(r"[\w/]+\.md", text[text.index("\nnav:") :])) - {"environment.md"}
    assert len(pages) > 20 and "others/*" in text
    assert not [page for page in pages if not (ROOT / "docs" / page).exists() and not (ROOT / page.removeprefix("project/")).exists()]


@pytest.fixture(scope="module")
def hooks() -> Iterator[Any]:
    """What the site's hooks import: `reference`, `docstrings`, `environment`."""
    sys.path.insert(0, str(ROOT / "docs" / "hooks"))
    yield import_module
    sys.path.remove(str(ROOT / "docs" / "hooks"))


def test_the_reference_has_every_public_name(hooks: Any) -> None:
    import tritonflow

    reference = hooks("reference").Reference()
    titles = [page.title for page in reference.pages]
    missing = [n for n in tritonflow.__all__ if n not in reference.page_of and not any(t.startswith(f"flow.{n}") for t in titles)]
    assert not missing
    assert {"nn.functional.relu", "optim.Adam", "linalg.svd", "fft.fft", "utils.data.DataLoader", "Tensor.backward"} <= reference.page_of.keys()
    text = reference.text(reference.page_of["nn.Linear"])
    for part in ("## Linear {", "class flow.nn.Linear(", "- `bias`: whether to add b.", "```pycon\n>>> import tritonflow as flow"):
        assert part in text


SEARCHES = {
    "cosine schedule": "optim.lr_scheduler.CosineAnnealingLR",
    "half precision": "autocast",
    "learning rate warmup": "optim.lr_scheduler.LinearLR",
    "freeze layers": "nn.Module",
    "gradient clipping": "nn.utils.clip_grad_norm_",
}


@pytest.mark.parametrize("words, name", SEARCHES.items())
def test_the_search_finds_names_by_the_words_of_readers(words: str, name: str, hooks: Any) -> None:
    """The site's search asks for all words of a query in one section, in any order."""
    reference = hooks("reference").Reference()
    text = reference.text(reference.page_of[name])
    section = text[text.index(f"#tritonflow.{name} ") :].partition("\n## ")[0].lower()
    assert all(word in section for word in words.split())


def test_keywords_are_of_public_names(hooks: Any) -> None:
    reference = hooks("reference").Reference()
    wrong = [name for name in hooks("keywords").KEYWORDS if name not in reference.page_of]
    assert not wrong


def test_names_lead_to_the_lines_that_define_them(hooks: Any) -> None:
    reference = hooks("reference").Reference()
    text = reference.text(reference.page_of["optim.Adam"])
    path, line = re.search(r'href="../source/(tritonflow/optim/adam\.py)\.html#L-(\d+)"', text).groups()  # type: ignore[union-attr]
    lines = (ROOT / path).read_text().splitlines()
    assert "class Adam(" in "".join(lines[int(line) - 1 : int(line) + 2])
    assert path in reference.files and f'id="L-{line}"' in hooks("sources").page(path)


@pytest.mark.parametrize(
    "plain, parts",
    [
        ("v = beta2 v + (1 - beta2) g^2", ["<msub><mi>β</mi><mn>2</mn></msub>", "<msup><mi>g</mi><mn>2</mn></msup>", "<mo>−</mo>"]),
        ("h_t  = (1 - z) * h_{t-1}", ["<msub><mi>h</mi><mi>t</mi></msub>", "<mo>·</mo>", "<msub><mi>h</mi><mrow>"]),
        ("y = 1 / sqrt(x + eps)", ["<msqrt><mrow><mi>x</mi><mo>+</mo><mi>ε</mi></mrow></msqrt>"]),
        ("a = b          c = d", ["<mtd><mi>a</mi><mo>=</mo><mi>b</mi></mtd><mtd>"]),
    ],
)
def test_formulas_become_mathml(plain: str, parts: list[str], hooks: Any) -> None:
    made = hooks("formulas").mathml(plain)
    assert all(part in made for part in parts), made


@pytest.mark.parametrize("plain", ["for each x of xs:\n    y = f(x)", "x = (1", "scale *= 2  # so", "only words"])
def test_programs_and_prose_are_no_formulas(plain: str, hooks: Any) -> None:
    assert hooks("formulas").mathml(plain) is None


def test_the_page_of_the_environment_has_every_variable(hooks: Any) -> None:
    text = hooks("environment").environment()
    assert all(f"| `{setting.variable}` | " in text for setting in settings.declared().values())
    assert "| `TRITONFLOW_SYNC` | 0 or 1 | `0` | Run every instruction" in text


def test_docstrings_become_markdown(hooks: Any) -> None:
    to_markdown = hooks("docstrings").to_markdown
    doc = "The product x_1 * x_2.\n\n    > y\n\nArgs:\n    a, b: two\n        <numbers>.\n\nThe end.\n\nSource: https://a.b/c_d."
    assert to_markdown(doc) == (
        "The product x\\_1 \\* x\\_2.\n\n```text\n> y\n```\n\n**Args**\n\n- `a`, `b`: two &lt;numbers>.\n\nThe end.\n\n*Source:* <https://a.b/c_d.>"
    )


def test_pages_that_the_sources_name_exist() -> None:
    sources = [path for folder in ("tritonflow", "kernels", "bench", "examples", "tests") for path in (ROOT / folder).rglob("*.py")]
    names = {(name, path.name) for path in sources for name in re.findall(r"(?<![\w./])[\w/]+\.md\b", path.read_text())}
    assert not {(name, source) for name, source in names if name not in PATHS}


@pytest.mark.parametrize("page", DESIGN, ids=lambda page: page.name)
def test_design_pages_have_their_form(page: Path) -> None:
    """Lines fit without the targets of links, a decision has all its parts in their order, and the index names the page."""
    text = page.read_text()
    assert [line for line in text.splitlines() if len(re.sub(r"\]\([^)]*\)", "]", line)) > WIDTH] == []
    for section in text.split("\n## ")[1:]:
        found = [part for part in re.findall(r"^\*\*([\w ]+)\.\*\*", section, re.MULTILINE) if part in PARTS]
        assert tuple(found) in ((), PARTS), section.partition("\n")[0]
    assert page.name == "README.md" or f"({page.name})" in (page.parent / "README.md").read_text()


def sentences(text: str) -> Iterator[str]:
    """The sentences of a page outside of code, tables and pictures. A piece of code counts as one word."""
    text = re.sub(r"<!--.*?-->", "", FENCED.sub("\n\n", text), flags=re.DOTALL)
    text = re.sub(r"^ *(\||!\[).*$", "\n", text, flags=re.MULTILINE)
    text = re.sub(r"^ *#.*$", r"\n\g<0>\n", text, flags=re.MULTILINE)  # a heading
    text = re.sub(r"^ *([-*]|\d+\.) ", "\n\n", text, flags=re.MULTILINE)  # an item of a list
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", re.sub(r"`[^`]+`", "code", text)).replace("*", "")
    for paragraph in re.split(r"\n\s*\n", text):
        yield from re.split(r"(?<=[.!?])\s+", " ".join(paragraph.split()))


@pytest.mark.parametrize("page", PROSE, ids=lambda page: str(page.relative_to(ROOT)))
def test_sentences_are_short_and_in_the_words_of_the_glossary(page: Path) -> None:
    for sentence in sentences(page.read_text()):
        assert len(re.findall(r"[^ ]*\w[^ ]*", sentence)) <= SENTENCE, sentence
        for word, better in NO_TERMS.items():
            assert not re.search(rf"\b{word}\b", sentence, re.IGNORECASE), f"{sentence} (better: {better})"


@pytest.mark.parametrize("page", PROSE, ids=lambda page: str(page.relative_to(ROOT)))
def test_names_beside_files_and_tests_after_k_exist(page: Path) -> None:
    """`file.py` (`name`, ...), and `pytest file.py -k name`, where the name may be that of an op."""
    text = FENCED.sub("", page.read_text())
    claims = [(path.split(), names) for path, names in re.findall(r"`([\w/]+/\w+\.py)`\s+\(((?:`\w+`,?\s*)+)\)", text)]
    claims += [(paths.split(), names) for paths, names in re.findall(r"`pytest ([\w/. ]+) -k (\w+|\"[^\"]+\")`", text)]
    for paths, names in claims:
        files = [file for path in paths for file in ([ROOT / path] if path.endswith(".py") else (ROOT / path).rglob("*"))]
        sources = "".join(file.read_text() for file in (ROOT / "op_registry.yaml", *files) if file.suffix in (".py", ".yaml"))
        for name in set(re.findall(r"\w+", names)) - {"or", "and", "not"}:
            assert re.search(rf"{name}", sources), f"{name} in {paths}"


@pytest.mark.parametrize("page", PROSE, ids=lambda page: str(page.relative_to(ROOT)))
def test_targets_of_make_exist(page: Path) -> None:
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"(?:^|`)make ([a-z-]+)", page.read_text(), re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_the_map_is_short() -> None:
    assert len((ROOT / "ARCHITECTURE.md").read_text().splitlines()) <= MAP_LINES


def test_what_leads_nowhere_is_found() -> None:
    """The test's own eyes."""
    text = (
        "See `device/cpu.py`, `nowhere.py`, `x/y.py (z)`, `gone/`, `<name>.py`.\n```\nkernels/conv.py and a/b.py\n```\n"
    )
    assert [name for name in named(text) if name not in PATHS] == ["nowhere.py", "x/y.py", "gone", "a/b.py"]
    text = "# A head\nOne [of\nthem](https:x) is `a. B`. Two?\n\n- three\n- four\n\n| five. | six |\n```\nseven. Eight.\n```\n"
    assert [sentence for sentence in sentences(text) if sentence] == ["# A head", "One of them is code.", "Two?", "three", "four"]

"""The Python of pages is run as a reader would paste it: the blocks of a page one after another, in one namespace.

A block with `>>>` is a doctest. Another is a part of a program; where a block of `text` follows, that is what it prints, as in a
doctest (`...` stands for any text). A block that a comment `<!-- why: fragment -->` precedes is only parsed.

    python -m tests.page_examples docs/quickstart.md              writes what the page's programs print into their blocks of text
    python -m tests.page_examples --check docs/quickstart.md      only says which of them differ, as an error
"""

from __future__ import annotations

import ast
import contextlib
import doctest
import io
import os
import re
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import torch

BLOCK = re.compile(
    r"^(?P<fragment><!-- (?:[^\n]+: )?fragment -->\n)?(?P<indent> *)```python\n(?P<code>.*?)^ *```\n(?:\n```text\n(?P<shown>.*?)^```\n)?",
    re.MULTILINE | re.DOTALL,
)
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass
class Example:
    """One block of Python of a page."""

    code: str
    line: int  # of the page, from 1, where the code begins
    shown: str | None  # what it prints, by the page
    where_shown: int  # the position of that text in the page
    is_run: bool

    @property
    def is_doctest(self) -> bool:
        return ">>>" in self.code


def examples(text: str) -> Iterator[Example]:
    """The blocks of Python of a page, in their order."""
    for match in BLOCK.finditer(text):
        line = text.count("\n", 0, match.start("code")) + 1
        yield Example(textwrap.dedent(match["code"]), line, match["shown"], match.start("shown"), match["fragment"] is None)


@contextlib.contextmanager
def _drivers_kept() -> Iterator[None]:
    """A page may launch Triton's kernels on the CPU: behind it, they are launched on the GPU again where there is one."""
    if not torch.cuda.is_available():
        yield
        return
    from triton.runtime import driver

    before = driver.active
    try:
        yield
    finally:
        driver.set_active(before)


def run(page: Path, folder: Path) -> list[tuple[Example, str]]:
    """Runs the examples of a page in a folder; gives each program with what it printed. A doctest that fails is an AssertionError.

    Programs are written to a file whose lines are the page's: Triton reads the source of its functions, and tracebacks show it.
    """
    text = page.read_text()
    file = folder / f"{page.stem}.py"
    lines = [""] * (text.count("\n") + 1)
    names = {"__name__": "__main__"}
    printed = []
    with _working_in(folder), _drivers_kept():
        for example in examples(text):
            if not example.is_run:
                ast.parse(example.code)
            elif example.is_doctest:
                _doctest(example, names, page)
            else:
                code = example.code.splitlines()
                lines[example.line - 1 : example.line - 1 + len(code)] = code
                file.write_text("\n".join(lines))
                with contextlib.redirect_stdout(io.StringIO()) as out:
                    exec(compile("\n" * (example.line - 1) + example.code, str(file), "exec"), names)
                printed.append((example, out.getvalue()))
    return printed


@contextlib.contextmanager
def _working_in(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def _doctest(example: Example, names: dict[str, object], page: Path) -> None:
    test = doctest.DocTestParser().get_doctest(example.code, names, page.name, str(page), example.line - 1)
    test.globs = names
    report = io.StringIO()
    failed = doctest.DocTestRunner(optionflags=FLAGS).run(test, out=report.write, clear_globs=False).failed
    assert not failed, report.getvalue()


def is_as_shown(example: Example, output: str) -> bool:
    """Whether a program printed what its page shows; a page need not show it."""
    return example.shown is None or doctest.OutputChecker().check_output(example.shown, output, FLAGS)


def main(pages: list[str], check: bool = False) -> None:
    for page in map(Path, pages):
        with tempfile.TemporaryDirectory() as folder:
            outputs = run(page.resolve(), Path(folder))
        if check:
            if wrong := [f"line {example.line} printed:\n{output}" for example, output in outputs if not is_as_shown(example, output)]:
                sys.exit("\n".join(wrong))
            continue
        text = page.read_text()
        for example, output in reversed(outputs):
            if example.shown is not None and not is_as_shown(example, output):
                text = text[: example.where_shown] + output + text[example.where_shown + len(example.shown) :]
        page.write_text(text)


if __name__ == "__main__":
    os.environ.setdefault("TRITONFLOW_CPU_CODEGEN", "0")
    main([page for page in sys.argv[1:] if page != "--check"], "--check" in sys.argv)

"""Small foreign packages, written to a folder of the test's own."""

from __future__ import annotations

import importlib
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tritonflow.mock_torch import foreign
from tritonflow.mock_torch.importer import importer


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Path]]:
    """Writes files that can be imported: `write(name="source", ...)`, with `__` for a folder, as `pkg__models="..."`."""
    monkeypatch.syspath_prepend(str(tmp_path))
    roots = set()

    def write(**files: str) -> Path:
        for name, source in files.items():
            parts = name.split("__")
            roots.add(parts[0])
            path = tmp_path.joinpath(*parts[:-1], f"{parts[-1] or '__init__'}.py")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(textwrap.dedent(source))
        importlib.invalidate_caches()
        return tmp_path

    yield write
    for modules in (sys.modules, importer.modules):
        for name in [name for name in modules if name.partition(".")[0] in roots]:
            del modules[name]
    for root in roots:
        foreign._decided.pop(root, None)

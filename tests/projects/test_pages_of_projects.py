"""Pages that show projects which `make projects` installs: their programs print what is shown, as those of other pages do."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.projects.test_projects import PYTHON, ROOT, missing
from tests.test_pages import OF_PROJECTS

pytestmark = pytest.mark.long


def test_there_are_such_pages() -> None:
    assert ROOT / "docs" / "recipes" / "trainers.md" in OF_PROJECTS


@pytest.mark.parametrize("page", OF_PROJECTS, ids=lambda page: page.name)
def test_programs_of_the_page_print_what_is_shown(page: Path) -> None:
    if lacking := missing(page):
        pytest.skip(f"{lacking} cannot be imported beside torch (make projects)")
    done = subprocess.run(
        [str(PYTHON if PYTHON.exists() else sys.executable), "-m", "tritonflow.mock_torch", "-m", "tests.page_examples", "--check", str(page)],
        capture_output=True, text=True, cwd=ROOT, timeout=900, env=os.environ | {"PYTHONPATH": str(ROOT), "HF_HUB_OFFLINE": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr

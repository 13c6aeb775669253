"""Lengths of files: one idea a file, and what is longer than 500 lines is two."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MOST_LINES = 500


def is_generated(text: str) -> bool:
    return "\nGenerated from op_registry.yaml by " in text[:1000]


def test_no_file_is_too_long() -> None:
    found = {}
    for folder in ("tritonflow", "kernels", "bench"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            text = path.read_text()
            if not path.is_relative_to(ROOT / "tritonflow" / "kernels") and not is_generated(text):
                found[str(path.relative_to(ROOT))] = len(text.splitlines())
    assert len(found) > 900
    too_long = {name: lines for name, lines in found.items() if lines > MOST_LINES}
    assert not too_long, "divide these files by their ideas"

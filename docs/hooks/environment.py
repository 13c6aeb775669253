"""The page of the environment variables, from their declarations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tritonflow.settings import settings

TEMPLATE = Path(__file__).with_name("environment.md")
OF_THE_MACHINE = {"num_threads": "the cores", "cache_dir": "`~/.cache/tritonflow`"}


def environment() -> str:
    """The page as Markdown."""
    rows = []
    for name, setting in settings.declared().items():
        shown = OF_THE_MACHINE.get(name) or _shown(setting.default)
        rows.append(f"| `{setting.variable}` | {setting.expected} | {shown} | {setting.help} |")
    return TEMPLATE.read_text().replace("<!-- settings -->", "\n".join(rows))


def _shown(default: Any) -> str:
    if isinstance(default, int | float):
        return f"`{default:g}`" if isinstance(default, float) else f"`{int(default)}`"
    return f"`{default}`" if default else "unset"

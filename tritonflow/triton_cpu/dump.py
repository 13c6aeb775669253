"""TRITONFLOW_CPU_DUMP: the texts of every kernel that a process uses, as files."""

from __future__ import annotations

from collections.abc import Mapping

from tritonflow.settings import settings

_SUFFIXES = {"ttir": "ttir", "llir": "ll", "s": "s"}


def write(name: str, key: str, texts: Mapping[str, str]) -> None:
    """Write `<name>.<key>.ttir`, `.ll` and `.s`, if the settings name a folder."""
    folder = settings.cpu_dump
    if folder is None:
        return
    folder.mkdir(parents=True, exist_ok=True)
    for kind, suffix in _SUFFIXES.items():
        (folder / f"{name}.{key[:8]}.{suffix}").write_text(texts[kind])

"""Files kept between processes: what is read is what was written, and the least recently used go."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tritonflow import kept
from tritonflow.settings import settings


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[Path]:
    with settings.override(cache_dir=tmp_path):
        yield tmp_path


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_keys_are_part_of_digests(folder: Path) -> None:
    kept.write("plans", "ab" * 32, b"content")
    assert kept.read("plans", "ab" * 32) == b"content"
    (folder / "plans" / "cd").mkdir()
    (folder / "plans" / "ab" / ("ab" * 31)).rename(folder / "plans" / "cd" / ("cd" * 31))
    assert kept.read("plans", "cd" * 32) is None


def test_sources(folder: Path) -> None:
    path = Path(kept.source("fused", "abcd", "f.py", "x = 1"))
    os.utime(path, (1, 1))
    assert kept.source("fused", "abcd", "f.py", "x = 1") == str(path) and path.stat().st_mtime > 1
    path.write_bytes(b"damaged \xff")
    assert Path(kept.source("fused", "abcd", "f.py", "x = 1")).read_text() == "x = 1"
    assert files(folder) == [path]


def test_the_least_recently_used_go(folder: Path) -> None:
    for at in range(10):
        (folder / f"{at}").write_bytes(bytes(10))
        os.utime(folder / f"{at}", (at, at))
    (folder / "inner").mkdir()
    (folder / "inner" / "old").write_bytes(bytes(10))
    os.utime(folder / "inner" / "old", (0, 0))
    os.utime(folder / "2", (20, 20))
    kept.trim(folder, 35)
    assert [path.name for path in files(folder)] == ["2", "8", "9"]
    kept.trim(folder, 35)
    assert len(files(folder)) == 3


def keys(count: int) -> list[str]:
    """Of one folder."""
    return [f"ab{at:062x}" for at in range(count)]


@pytest.mark.parametrize(("size", "least", "most"), [(256 * 1000, 1, 1000 + 31 * 145), (0, 400 * 100, 400 * 200)])
def test_a_kind_takes_so_many_bytes(folder: Path, size: int, least: int, most: int) -> None:
    with settings.override(cache_size=size):
        for key in keys(400):
            kept.write("cpu", key, bytes(100))
    assert least <= sum(path.stat().st_size for path in files(folder)) <= most


def test_reading_is_use(folder: Path) -> None:
    first, *others = keys(200)
    with settings.override(cache_size=256 * 1000):
        kept.write("cpu", first, b"wanted")
        for key in others:
            kept.write("cpu", key, bytes(100))
            assert kept.read("cpu", first) == b"wanted"
    assert kept.read("cpu", others[0]) is None

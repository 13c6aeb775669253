"""The disk cache: what is read is what was written, and the least recently used go."""

from __future__ import annotations

import errno
import logging
import os
import random
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tritonflow import disk_cache, ownership
from tritonflow.settings import settings


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[Path]:
    with settings.override(cache_dir=tmp_path):
        yield tmp_path


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_keys_are_part_of_digests(folder: Path) -> None:
    disk_cache.write("plans", "ab" * 32, b"content")
    assert disk_cache.read("plans", "ab" * 32) == b"content"
    (folder / "plans" / "cd").mkdir()
    (folder / "plans" / "ab" / ("ab" * 31)).rename(folder / "plans" / "cd" / ("cd" * 31))
    assert disk_cache.read("plans", "cd" * 32) is None


def test_sources(folder: Path) -> None:
    path = Path(disk_cache.source("fused", "abcd", "f.py", "x = 1"))
    os.utime(path, (1, 1))
    assert disk_cache.source("fused", "abcd", "f.py", "x = 1") == str(path) and path.stat().st_mtime > 1
    path.write_bytes(b"damaged \xff")
    assert Path(disk_cache.source("fused", "abcd", "f.py", "x = 1")).read_text() == "x = 1"
    assert files(folder) == [path]


def test_the_least_recently_used_go(folder: Path) -> None:
    for at in range(10):
        (folder / f"{at}").write_bytes(bytes(10))
        os.utime(folder / f"{at}", (at, at))
    (folder / "inner").mkdir()
    (folder / "inner" / "old").write_bytes(bytes(10))
    os.utime(folder / "inner" / "old", (0, 0))
    os.utime(folder / "2", (20, 20))
    disk_cache.trim(folder, 35)
    assert [path.name for path in files(folder)] == ["2", "8", "9"]
    disk_cache.trim(folder, 35)
    assert len(files(folder)) == 3


def keys(count: int) -> list[str]:
    """Of one folder."""
    return [f"ab{at:062x}" for at in range(count)]


@pytest.mark.parametrize(("size", "least", "most"), [(256 * 1000, 1, 1000 + 31 * 145), (0, 400 * 100, 400 * 200)])
def test_a_kind_takes_so_many_bytes(folder: Path, size: int, least: int, most: int) -> None:
    with settings.override(cache_size=size):
        for key in keys(400):
            disk_cache.write("cpu", key, bytes(100))
    assert least <= sum(path.stat().st_size for path in files(folder)) <= most


def test_reading_is_use(folder: Path) -> None:
    first, *others = keys(200)
    with settings.override(cache_size=256 * 1000):
        disk_cache.write("cpu", first, b"wanted")
        for key in others:
            disk_cache.write("cpu", key, bytes(100))
            assert disk_cache.read("cpu", first) == b"wanted"
    assert disk_cache.read("cpu", others[0]) is None


# ---------------------------------------------------------------------------------------------------------------- other users

KEY = "ab" * 32


@pytest.fixture
def foreign(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    """Lets a file, folder or link belong to another user; who is not root becomes another user instead."""

    def give(path: Path) -> None:
        if os.geteuid() == 0:
            os.chown(path, 12345, 12345, follow_symlinks=False)
        else:
            monkeypatch.setattr(os, "geteuid", lambda: 12345)

    return give


def test_a_file_of_another_user_is_not_read(folder: Path, foreign: Callable[[Path], None]) -> None:
    disk_cache.write("cpu", KEY, b"code")
    foreign(files(folder)[0])
    assert disk_cache.read("cpu", KEY) is None


@pytest.mark.parametrize("mode", [0o602, 0o620])
def test_a_file_that_others_may_write_is_not_read(folder: Path, monkeypatch: pytest.MonkeyPatch, mode: int) -> None:
    monkeypatch.setattr(ownership, "_is_own_group", lambda group, user: False)
    disk_cache.write("cpu", KEY, b"code")
    files(folder)[0].chmod(mode)
    assert disk_cache.read("cpu", KEY) is None
    disk_cache.write("cpu", KEY, b"code")
    assert disk_cache.read("cpu", KEY) == b"code"


@pytest.mark.parametrize("which", ["the cache", "a folder above", "a link", "behind a link"])
def test_a_folder_of_another_user_is_not_used(
    tmp_path: Path, foreign: Callable[[Path], None], caplog: pytest.LogCaptureFixture, which: str
) -> None:
    above = tmp_path / "above"
    (above / "cache").mkdir(parents=True)
    (tmp_path / "link").symlink_to(above)
    foreign({"the cache": above / "cache", "a link": tmp_path / "link"}.get(which, above))
    cache = (tmp_path / "link" if "link" in which else above) / "cache"
    with settings.override(cache_dir=cache), caplog.at_level(logging.WARNING):
        for key in keys(3):
            disk_cache.write("cpu", key, b"code")
            assert disk_cache.read("cpu", key) is None
        assert "belongs to the user 12345" in disk_cache.trouble() if os.geteuid() == 0 else disk_cache.trouble()  # type: ignore[operator]
    assert files(above) == [] and len(caplog.messages) == 1 and str(cache) in caplog.messages[0]


def test_who_may_write_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = tmp_path / "outer" / "inner"
    inner.mkdir(parents=True)

    def weakness(mode: int, inner_mode: int = 0o700) -> str | None:
        inner.parent.chmod(mode)
        inner.chmod(inner_mode)
        return ownership.weakness(str(inner))

    assert weakness(0o700) is None and weakness(0o755) is None and weakness(0o700, 0o755) is None
    assert weakness(0o1777) is None, "as /tmp is"
    assert weakness(0o777) == f"other users may write to {inner.parent}"
    assert weakness(0o700, 0o1777) == f"other users may write to {inner}"
    monkeypatch.setattr(ownership, "_is_own_group", lambda group, user: True)
    assert weakness(0o775) is None, "the group is the user's private one"
    monkeypatch.setattr(ownership, "_is_own_group", lambda group, user: False)
    assert weakness(0o775) is not None


def test_the_way_to_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Links, dots and relative paths lead where the system's calls go; what is passed on the way is looked at."""
    open_to_all = tmp_path / "open"
    (open_to_all / "inner").mkdir(parents=True)
    open_to_all.chmod(0o777)
    (tmp_path / "safe").mkdir()
    (tmp_path / "safe" / "link").symlink_to("../open/inner")
    (tmp_path / "back").symlink_to(f"{tmp_path}/./open/../safe//")
    (tmp_path / "loop").symlink_to("loop")
    monkeypatch.chdir(tmp_path)
    for path in ("safe/link", "./safe/../safe/link", str(tmp_path / "back" / "link"), "back"):
        assert ownership.weakness(path) == f"other users may write to {open_to_all}", path
    assert ownership.weakness("safe") is None and ownership.weakness("/") is None
    with pytest.raises(OSError, match="symbolic links"):
        ownership.weakness("loop/inner")
    with pytest.raises(FileNotFoundError):
        ownership.weakness("safe/nothing")


# --------------------------------------------------------------------------------------------------------- disks that refuse


def test_a_disk_without_room(folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """It is said once; what was there stays, and nothing half written; with room again, all is kept."""

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    disk_cache.write("cpu", KEY, b"old")
    with monkeypatch.context() as patch, caplog.at_level(logging.WARNING):
        patch.setattr(os, "replace", full)
        for key in (KEY, *keys(5)):
            disk_cache.write("cpu", key, bytes(100))
        assert "No space left" in str(disk_cache.trouble())
    assert len(caplog.messages) == 1 and "No space left" in caplog.messages[0]
    assert [path.read_bytes()[-3:] for path in files(folder)] == [b"old"] and disk_cache.read("cpu", KEY) == b"old"
    disk_cache.write("cpu", KEY, b"new")
    assert disk_cache.read("cpu", KEY) == b"new" and disk_cache.trouble() is None and len(files(folder)) == 1


def test_no_home(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(user: object) -> None:
        raise KeyError(user)

    monkeypatch.setattr("pwd.getpwuid", unknown)
    for name in ("HOME", "XDG_CACHE_HOME", "TRITONFLOW_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)
    del settings.cache_dir  # which the fixture has assigned
    assert settings.cache_dir is None
    disk_cache.write("cpu", KEY, b"code")
    assert disk_cache.read("cpu", KEY) is None and disk_cache.trouble() == "this user has no home directory"
    assert disk_cache.source("fused", "abcd", "f.py", "x = 1") == "<f.py>"
    monkeypatch.setenv("XDG_CACHE_HOME", "/caches")
    assert settings.cache_dir == Path("/caches/tritonflow")
    monkeypatch.setenv("TRITONFLOW_CACHE_DIR", "~/cache")
    with pytest.raises(ValueError, match=r"TRITONFLOW_CACHE_DIR='~/cache': expected a path; ~ stands for the home directory, where there is one"):
        settings.cache_dir


# ------------------------------------------------------------------------------------------------------------ kills, processes


def forked(work: Callable[[], None]) -> int:
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    return pid


def body(key: str) -> bytes:
    return bytes.fromhex(key) * 20_000


@pytest.mark.long
def test_killed_in_the_middle_of_a_write(folder: Path, seed: int) -> None:
    """What is read is whole; what the killed leave is let go like any other file."""
    chance, wanted = random.Random(seed), keys(4)

    def write_for_ever() -> None:
        while True:
            for key in wanted:
                disk_cache.write("cpu", key, body(key))

    for key in wanted:
        disk_cache.write("cpu", key, body(key))
    for _ in range(30):
        pid = forked(write_for_ever)
        time.sleep(chance.uniform(0, 0.02))
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        assert all(disk_cache.read("cpu", key) == body(key) for key in wanted)
    (files(folder)[0].parent / "tmpleft").write_bytes(b"half")  # as of one that was killed before it had the name
    for key in wanted:
        disk_cache.read("cpu", key)
    disk_cache.trim(folder, 4 * files(folder)[0].stat().st_size)
    assert [path.name for path in files(folder)] == sorted(key[2:] for key in wanted)


def test_processes_write_read_and_trim_at_once(folder: Path, seed: int) -> None:
    wanted = [f"ab{at:060x}00" for at in range(50)]  # each of these writes trims

    def work(number: int) -> None:
        chance = random.Random(seed + number)
        for _ in range(300):
            key = chance.choice(wanted)
            disk_cache.write("cpu", key, body(key)[:1000])
            assert disk_cache.read("cpu", chance.choice(wanted)) in (None, *(body(key)[:1000] for key in wanted))

    with settings.override(cache_size=256 * 20_000):
        pids = [forked(lambda number=number: work(number)) for number in range(4)]  # type: ignore[misc]
        assert [os.waitpid(pid, 0)[1] for pid in pids] == [0] * 4
        disk_cache.write("cpu", wanted[0], b"")
    assert sum(path.stat().st_size for path in files(folder)) <= 20_000
    assert not [path for path in files(folder) if path.name.startswith("tmp")]
